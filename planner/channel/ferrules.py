"""Connector faces as data: how many positions, in which rows, aligned by what, and which fibre grades exist.

A new connector is a new entry here, or a `Ferrule` of the caller's own; nothing else in the package knows names.
Positions are plug positions, key up, counted 1..N along the row, left to right, the second row after the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal

Medium = Literal["SM", "MM"]

BASE8: Final = (1, 2, 3, 4, 9, 10, 11, 12)
"""Positions that carry fibre in a twelve-position ferrule filled for eight; source: fibre.yaml, mating_rules.ferrule."""


@dataclass(frozen=True, slots=True)
class Ferrule:
    """One connector face.

    face: two ferrules mate when their faces are the same (an MPO-8 plug is an MPO-12 face, partly filled).
    rows, columns: two rows make an opposed-key joint exchange the rows (fibre.yaml, two_row_caution).
    pinned: aligned by pins, so that one side of a joint must carry them and the other must not.
    keyed: an adapter's keying decides which position meets which; a duplex coupler always exchanges its two fibres.
    populated: positions with fibre, where the pattern itself leaves some empty; () means all.
    """

    name: str
    face: str
    rows: int
    columns: int
    pinned: bool = True
    keyed: bool = True
    populated: tuple[int, ...] = ()

    @property
    def positions(self) -> int:
        return self.rows * self.columns


def _array(name: str, rows: int, columns: int) -> Ferrule:
    return Ferrule(name, name, rows, columns)


def _duplex(name: str) -> Ferrule:
    return Ferrule(name, name, 1, 2, pinned=False, keyed=False)


# MPO-16 has a key off centre and MPO-24 two rows, so neither is the face of an MPO-12; sources: fibre.yaml,
# mating_rules.ferrule (mpo16_vs_mpo12, mpo24_vs_mpo12, mpo16_row).
FERRULES: Final[Mapping[str, Ferrule]] = MappingProxyType(
    {
        "mpo8": Ferrule("mpo8", "mpo12", 1, 12, populated=BASE8),
        "mpo12": _array("mpo12", 1, 12),
        "mpo16": _array("mpo16", 1, 16),
        "mpo24": _array("mpo24", 2, 12),
        "mpo32": _array("mpo32", 2, 16),
        "lc2": _duplex("lc2"),
        "sc2": _duplex("sc2"),
        "cs2": _duplex("cs2"),
        "sn2": _duplex("sn2"),
        "mdc2": _duplex("mdc2"),
    }
)


@dataclass(frozen=True, slots=True)
class Grade:
    """A fibre grade: single-mode or multimode, and its rank among its kind (the lowest rates a mixed channel)."""

    medium: Medium
    rank: int


GRADES: Final[Mapping[str, Grade]] = MappingProxyType(
    {
        "OS1": Grade("SM", 1),
        "OS1a": Grade("SM", 2),
        "OS2": Grade("SM", 3),
        "OM1": Grade("MM", 1),
        "OM2": Grade("MM", 2),
        "OM3": Grade("MM", 3),
        "OM4": Grade("MM", 4),
        "OM5": Grade("MM", 5),
    }
)


def ferrule(which: str | Ferrule) -> Ferrule:
    """The ferrule of a name; raises KeyError for a name that is not in FERRULES (readers check first)."""
    return which if isinstance(which, Ferrule) else FERRULES[which]


@lru_cache(maxsize=256)
def joint_map(face: Ferrule, aligned: bool) -> tuple[int, ...]:
    """Position met behind an adapter, by position in front of it; index 0 is unused.

    Looking at two facing plugs: aligned keys mirror each row, opposed keys leave the columns and exchange the rows.
    A duplex coupler mirrors whatever its keying is called. Source: fibre.yaml, adapters.derivation,
    two_row_caution, duplex_coupler.
    """
    columns, rows = face.columns, face.rows
    onward = [0]
    for position in range(1, face.positions + 1):
        row, column = divmod(position - 1, columns)
        if aligned or not face.keyed:
            onward.append(row * columns + columns - column)
        else:
            onward.append((rows - 1 - row) * columns + column + 1)
    return tuple(onward)
