"""Each thing that people get wrong has its rule, with a case that fails and one that passes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from planner.rules import RULES
from tests.support.projects import ROOT

HERE: Final = Path(__file__).parent
ITEMS: Final[list[dict[str, Any]]] = yaml.safe_load((HERE / "easily-wrong.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item["what"])
def test_rule_and_cases(item: dict[str, Any]) -> None:
    assert item["rules"]
    for rule in item["rules"]:
        assert rule in RULES
        kinds = {case.name.partition("-")[0] for case in (HERE / rule).iterdir()}
        assert kinds == {"fail", "pass"}
    for test in item.get("tests", ()):
        assert (ROOT / test).is_file()


def test_nothing_is_listed_twice() -> None:
    names = [item["what"] for item in ITEMS]
    assert len(set(names)) == len(names)
