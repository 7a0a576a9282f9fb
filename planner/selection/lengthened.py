"""Stock lengths that the policy makes equal: in a rack's pool, at the two fibres of a plug, along a rail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.choices import Wishes
from planner.selection.assemblies import Assemblies, evened, lengths_mm
from planner.selection.kinds import Kinds
from planner.selection.options import Option
from planner.selection.sharing import Sharing
from planner.table import Ints


@dataclass(frozen=True, slots=True)
class Uneven:
    """Links that should have been equally long and are not, since a family ends before: rows, and the two lengths."""

    rows: tuple[int, ...]
    shortest_mm: int
    longest_mm: int
    within_mm: int
    rail: bool


@dataclass(frozen=True, slots=True)
class _Sets:
    """Entries of sets of links: number of the set, link, and by how much a link may be shorter than the longest."""

    sets: Ints
    rows: Ints
    within_mm: Ints
    rail: bool


def even_lengths(
    found: Assemblies, offers: Sequence[Option], offer: Ints, kinds: Kinds, wishes: Wishes, rail: Ints, sharing: Sharing
) -> tuple[Assemblies, tuple[Uneven, ...]]:
    """Lengths as the policy wants them; rail: of each link, -1 where there is none."""
    sets = [*_of_plugs(offers, offer, wishes, sharing), *_of_rails(offer, kinds, wishes, rail)]
    # The one may undo the other, so both again until neither changes anything; lengths only rise.
    while True:
        before = found.position
        for of_kind in sets:
            found = evened(found, offers, offer, of_kind.sets, of_kind.rows, of_kind.within_mm)
        if np.array_equal(before, found.position):
            break
    return found, tuple(uneven for of_kind in sets for uneven in _uneven(found, offers, offer, of_kind))


def _of_plugs(offers: Sequence[Option], offer: Ints, wishes: Wishes, sharing: Sharing) -> list[_Sets]:
    """The cords of each transceiver."""
    within = np.array([-1 if w.plug_within_um is None else w.plug_within_um // 1000 for w in wishes.wishes], np.int64)
    of_link = within[wishes.of_link]
    optic = np.array([not option.has_own_plugs for option in offers] + [False])
    rows = np.flatnonzero((of_link >= 0) & optic[offer])
    if not len(rows):
        return []
    cages = np.concatenate((sharing.a_cage[rows], sharing.z_cage[rows]))
    sets = np.unique(cages, return_inverse=True)[1]
    return [_Sets(sets, np.tile(rows, 2), np.tile(of_link[rows], 2), rail=False)]


def _of_rails(offer: Ints, kinds: Kinds, wishes: Wishes, rail: Ints) -> list[_Sets]:
    """The links of each rail in a tier."""
    wanted = np.array([wish.equal_in_rail for wish in wishes.wishes])[wishes.of_link]
    rows = np.flatnonzero(wanted & (rail >= 0) & (offer >= 0))
    if not len(rows):
        return []
    tiers = list(dict.fromkeys((kind.fabric, kind.tier) for kind in kinds.kinds))
    tier = np.array([tiers.index((kind.fabric, kind.tier)) for kind in kinds.kinds], np.int64)[kinds.of_link[rows]]
    columns = np.stack((tier, rail[rows]))
    sets = np.unique(columns, axis=1, return_inverse=True)[1].reshape(-1)
    return [_Sets(sets, rows, np.zeros(len(rows), np.int64), rail=True)]


def _uneven(found: Assemblies, offers: Sequence[Option], offer: Ints, of_kind: _Sets) -> list[Uneven]:
    length = lengths_mm(offers, offer, found.position)
    longest = np.zeros(int(of_kind.sets.max(initial=0)) + 1, np.int64)
    np.maximum.at(longest, of_kind.sets, length[of_kind.rows])
    short = length[of_kind.rows] < longest[of_kind.sets] - of_kind.within_mm
    told = []
    for number in np.unique(of_kind.sets[short]).tolist():
        mine = of_kind.sets == number
        rows = np.unique(of_kind.rows[mine])
        within = int(of_kind.within_mm[mine & short].min())
        told.append(Uneven(tuple(rows.tolist()), int(length[rows].min()), int(longest[number]), within, of_kind.rail))
    return told
