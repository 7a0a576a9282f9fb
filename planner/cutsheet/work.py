"""An estimate of the hands' work at some racks: pieces by kind of work, minutes of one person for each.

The minutes are the project's (`policy.labour`); no published figures exist for these cables, so they are estimates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from planner.cutsheet.content import CableRow, RackSheet
from planner.project import LabourPolicy

_KINDS: Final = (
    ("transceiver", "transceivers to insert"),
    ("copper_in_rack", "copper and AOC inside a rack"),
    ("copper", "copper between racks"),
    ("aoc", "AOC between racks"),
    ("cord_in_rack", "fibre cords inside a rack, ends inspected and cleaned"),
    ("cord", "fibre cords between racks, ends inspected and cleaned"),
    ("splitter", "fibre splitters, ends inspected and cleaned"),
    ("trunk", "trunks"),
)
_OF_CATEGORY: Final = {"aoc": "aoc", "cord": "cord", "splitter": "splitter", "trunk": "trunk"}


@dataclass(frozen=True, slots=True)
class Work:
    """Pieces of one kind of work and the minutes that each is taken to need."""

    name: str
    count: int
    minutes_each: int

    @property
    def minutes(self) -> int:
        return self.count * self.minutes_each


def work_of(sheets: Iterable[RackSheet], labour: LabourPolicy) -> tuple[Work, ...]:
    """A cable is counted at the rack where it is pulled, once."""
    counts: Counter[str] = Counter()
    for sheet in sheets:
        counts["transceiver"] += sheet.counts.transceivers
        counts.update(_kind(row) for row in sheet.rows if not row.lands_from)
    return tuple(Work(name, counts[kind], getattr(labour, kind)) for kind, name in _KINDS if counts[kind])


def _kind(row: CableRow) -> str:
    kind = _OF_CATEGORY.get(row.part.category, "copper")
    if row.other_racks or kind in {"splitter", "trunk"}:
        return kind
    return "cord_in_rack" if kind == "cord" else "copper_in_rack"
