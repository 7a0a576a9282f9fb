"""How many examples hypothesis tries: few in every run of the tests, as many times as asked for in a thorough one."""

from __future__ import annotations

import os
from typing import Any, Final

from hypothesis import settings

TIMES: Final = int(os.environ.get("PLANNER_EXAMPLES", "1"))
"""`PLANNER_EXAMPLES=10 make test ARGS=tests/oracle` tries ten times as many."""


def examples(count: int, **others: Any) -> settings:
    return settings(max_examples=count * TIMES, **others)
