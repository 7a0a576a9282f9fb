"""From each link's choice to cables: links of one cable together, each as long as its longest link needs, and longer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.selection.options import Option
from planner.selection.sharing import Sharing
from planner.table import Ints


@dataclass(frozen=True)
class Assemblies:
    """By link: number of the assembly in link order (-1 without), and position of its length among the offer's members."""

    assembly: Ints
    position: Ints


def assembled(offers: Sequence[Option], offer: Ints, position: Ints, sharing: Sharing) -> Assemblies:
    """The assemblies of a choice."""
    count = len(offer)
    rows = np.flatnonzero(offer >= 0)
    # Where pins disagree, a cage's links may have different parts; they are no cable together.
    numbers: dict[tuple[str, int | None], int] = {}
    part = np.array([numbers.setdefault((o.cable.id, o.member), len(numbers)) for o in offers] or [0], np.int64)[offer]
    shape, place = np.zeros(count, np.int64), np.zeros(count, np.int64)
    for number in np.unique(offer[rows]).tolist():
        option, mine = offers[number], np.flatnonzero(offer == number)
        shape[mine] = 0 if option.ports == 1 else 1 if option.ports == option.ports_a_leg else 2
        place[mine] = sharing.place(option, mine) if option.ports > 1 else mine
    # One number for shape, place and part: places stay below 64 times the number of cages, parts in the thousands.
    key = (place * (len(numbers) + 1) + part) * 3 + shape
    assembly = np.full(count, -1, np.int64)
    if not len(rows):
        return Assemblies(assembly, np.full(count, -1, np.int64))
    _, first, group = np.unique(key[rows], return_index=True, return_inverse=True)
    number_of = np.empty(len(first), np.int64)
    number_of[np.argsort(first, kind="stable")] = np.arange(len(first))
    assembly[rows] = number_of[group]
    return Assemblies(assembly, _lengthened(offers, offer, position, assembly, len(first)))


def _lengthened(offers: Sequence[Option], offer: Ints, position: Ints, assembly: Ints, count: int) -> Ints:
    """Every link of an assembly at the length of the longest."""
    longest = np.zeros(count, np.int64)
    rows = np.flatnonzero(offer >= 0)
    own = lengths_mm(offers, offer, position)
    np.maximum.at(longest, assembly[rows], own[rows])
    wanted = np.where(offer >= 0, longest[assembly], 0)
    # Of two members of one length a link may have been given the second: nothing moves where nothing is lengthened.
    return np.where(own == wanted, position, at_length(offers, offer, wanted))


def lengths_mm(offers: Sequence[Option], offer: Ints, position: Ints) -> Ints:
    """Nominal length at each link's position, 0 without a part."""
    found = np.zeros(len(offer), np.int64)
    for number in np.unique(offer[offer >= 0]).tolist():
        mine = np.flatnonzero(offer == number)
        found[mine] = offers[number].nominal_mm[position[mine]]
    return found


def at_length(offers: Sequence[Option], offer: Ints, wanted_mm: Ints) -> Ints:
    """Position of the shortest length from a wanted one, the longest where none is as long; -1 without a part."""
    position = np.full(len(offer), -1, np.int64)
    for number in np.unique(offer[offer >= 0]).tolist():
        mine = np.flatnonzero(offer == number)
        nominal = offers[number].nominal_mm
        position[mine] = np.minimum(np.searchsorted(nominal, wanted_mm[mine]), len(nominal) - 1)
    return position


def members_of(offers: Sequence[Option], offer: Ints, position: Ints) -> Ints:
    """Member of the cable's family at each link's position, -1 without a part."""
    member = np.full(len(offer), -1, np.int64)
    for number in np.unique(offer[offer >= 0]).tolist():
        mine = np.flatnonzero(offer == number)
        member[mine] = offers[number].members[position[mine]]
    return member


def pooled(assemblies: Assemblies, offer: Ints, kind: Ints, rack: Ints) -> Assemblies:
    """One length for a rack's cables of a kind: the longest that any of them needs."""
    rows = np.flatnonzero(offer >= 0)
    if not len(rows):
        return assemblies
    columns = np.stack((rack[rows], kind[rows], offer[rows]))
    pool = np.unique(columns, axis=1, return_inverse=True)[1].reshape(-1)
    most = np.zeros(int(pool.max(initial=0)) + 1, np.int64)
    np.maximum.at(most, pool, assemblies.position[rows])
    longest = np.zeros(int(assemblies.assembly.max()) + 1, np.int64)
    np.maximum.at(longest, assemblies.assembly[rows], most[pool])
    return Assemblies(assemblies.assembly, np.where(offer >= 0, longest[assemblies.assembly], -1))


def evened(
    assemblies: Assemblies, offers: Sequence[Option], offer: Ints, sets: Ints, rows: Ints, within_mm: Ints
) -> Assemblies:
    """Cables of a set at most so far apart in length: the shorter ones are lengthened, as far as their families go.

    sets, rows, within_mm: an entry for each link of each set. A link may be in two sets, so lengths rise until nothing changes.
    """
    found = assemblies
    count = int(found.assembly.max(initial=-1)) + 1
    while len(rows):
        length = lengths_mm(offers, offer, found.position)
        longest = np.zeros(int(sets.max()) + 1, np.int64)
        np.maximum.at(longest, sets, length[rows])
        wanted = np.zeros(count, np.int64)
        np.maximum.at(wanted, found.assembly[rows], longest[sets] - within_mm)
        target = np.where(offer >= 0, np.maximum(length, wanted[found.assembly]), 0)
        position = np.where(target == length, found.position, at_length(offers, offer, target))
        if np.array_equal(position, found.position):
            break
        found = Assemblies(found.assembly, position)
    return found
