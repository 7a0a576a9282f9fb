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
    ("transceiver", "transceiver to insert", "transceivers to insert"),
    ("copper_in_rack", "copper cable or AOC inside a rack", "copper cables and AOCs inside a rack"),
    ("copper", "copper cable between racks", "copper cables between racks"),
    ("aoc", "AOC between racks", "AOCs between racks"),
    (
        "cord_in_rack",
        "fibre cord inside a rack, cleaned at its ends",
        "fibre cords inside a rack, cleaned at their ends",
    ),
    ("cord", "fibre cord between racks, cleaned at its ends", "fibre cords between racks, cleaned at their ends"),
    ("splitter", "fibre splitter, cleaned at its ends", "fibre splitters, cleaned at their ends"),
    ("trunk", "trunk", "trunks"),
)
_OF_CATEGORY: Final = {"aoc": "aoc", "cord": "cord", "splitter": "splitter", "trunk": "trunk"}


@dataclass(frozen=True, slots=True)
class Work:
    """Pieces of one kind of work and the minutes that each is taken to need. one, many: what they are called."""

    one: str
    many: str
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
    return tuple(Work(one, many, counts[kind], getattr(labour, kind)) for kind, one, many in _KINDS if counts[kind])


def _kind(row: CableRow) -> str:
    kind = _OF_CATEGORY.get(row.part.category, "copper")
    if row.other_racks or kind in {"splitter", "trunk"}:
        return kind
    return "cord_in_rack" if kind == "cord" else "copper_in_rack"
