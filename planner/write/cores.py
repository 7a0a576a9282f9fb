"""Independent pieces of work on all cores: each writes a file of its own, so that the bytes are those of one core."""

from __future__ import annotations

import multiprocessing
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")

_work: Callable[[Any], Any] | None = None
"""What the processes of a pool do: they are forks, which share the plan with their parent instead of a copy of it."""


def on_all_cores(work: Callable[[Item], Made], items: Sequence[Item]) -> list[Made]:
    """The results of `work` for each item, in their order; an exception of one is raised here.

    Where processes cannot be forked, and for a single item or core, the work is done one by one.
    """
    cores = min(_cores(), len(items))
    if cores < 2 or not sys.platform.startswith("linux"):
        return [work(item) for item in items]
    global _work  # noqa: PLW0603 - a closure cannot be sent to another process, and a fork need not be sent it
    _work = work
    try:
        with warnings.catch_warnings():
            # Python warns of forks beside threads; ours are those of numpy's idle pool, which no child uses.
            warnings.simplefilter("ignore", DeprecationWarning)
            with ProcessPoolExecutor(cores, multiprocessing.get_context("fork")) as pool:
                return list(pool.map(_done, items))
    finally:
        _work = None


def _done(item: Any) -> Any:
    assert _work is not None
    return _work(item)


def _cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
