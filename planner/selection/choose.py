"""Which assembly each link takes.

Every link first takes its own best: earliest medium, shortest stock length, first part numbers. Where the links that
share cages then agree, that is the optimum of their group and nothing needs solving; where they clash, the group is
decided together (`group`), equal groups once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from planner.catalog.load import Catalog
from planner.layout import CageOfPort
from planner.lengths import NO_LENGTH, Measure
from planner.selection.group import GroupLink, Offer, solve
from planner.selection.kinds import Kinds
from planner.selection.options import SPLITTER, STRAIGHT, TWIN, Option, OptionsOfKind, options_of
from planner.table import Ints, Mask

_RANK: Final = 1 << 40
_NEVER: Final = np.iinfo(np.int64).max
_ONE_LINK, _PAIR, _HEAD_AT_A, _HEAD_AT_Z = range(4)


@dataclass(frozen=True)
class Selection:
    """The choice for each link.

    offers: every option of every kind, kind by kind; offer: the chosen one, -1 where the link is unresolved.
    member: the chosen length, as position in the cable family's members; stock_mm its nominal length.
    assembly: number of the assembly in link order, -1 where there is none; links of one cable share it.
    solved: groups that were decided together, and how many of them were distinct; unproven: rows of links whose
    group's optimum could not be proven.
    """

    kinds: Kinds
    options: tuple[OptionsOfKind, ...]
    offers: tuple[Option, ...]
    offer: Ints
    member: Ints
    stock_mm: Ints
    assembly: Ints
    solved: tuple[int, int]
    unproven: tuple[int, ...]

    def option_of(self, row: int) -> Option | None:
        offer = int(self.offer[row])
        return None if offer < 0 else self.offers[offer]


@dataclass(frozen=True)
class _Fits:
    """For one offer: position in its lengths that each row of its kind can have, -1 where none."""

    offer: int
    position: Ints


def choose(kinds: Kinds, a: CageOfPort, z: CageOfPort, measure: Measure, catalog: Catalog, pool: str) -> Selection:
    """The optimal choice for all links; measure gives the lengths that each offer needs."""
    options = tuple(options_of(kind, catalog) for kind in kinds.kinds)
    offers = tuple(option for of_kind in options for option in of_kind.options)
    sharing = Sharing.of(a, z)
    count = len(kinds.of_link)
    fits: dict[int, list[_Fits]] = {}
    offer, stock = np.full(count, -1, np.int64), np.zeros(count, np.int64)
    position = np.full(count, -1, np.int64)
    first_offer = 0
    for number, of_kind in enumerate(options):
        rows = np.flatnonzero(kinds.of_link == number)
        best = np.full(len(rows), _NEVER, np.int64)
        fits[number] = []
        for k, option in enumerate(of_kind.options):
            found = fitting_positions(option, rows, measure, sharing)
            fits[number].append(_Fits(first_offer + k, found))
            length = option.nominal_mm[found] if len(option.nominal_mm) else np.zeros(len(rows), np.int64)
            score = np.where(found >= 0, option.rank * _RANK + length, _NEVER)
            better = score < best
            best[better] = score[better]
            where = rows[better]
            offer[where], position[where], stock[where] = first_offer + k, found[better], length[better]
        first_offer += len(of_kind.options)
    demands = _Demands.of(offers)
    solved, unproven = _settle(kinds, offers, fits, a, z, offer, position, stock, demands)
    return _assembled(kinds, options, offers, offer, position, sharing, pool, measure, solved, unproven)


@dataclass(frozen=True, slots=True)
class Sharing:
    """Which links could share a cable.

    paired: the links of both its cages run between these two, half to equal half, so one twin cable serves them.
    a_alone, z_alone: no other link is in that cage. pair: a number for each pair of cages, whichever of them is a.
    """

    paired: Mask
    a_alone: Mask
    z_alone: Mask
    pair: Ints
    a_cage: Ints
    z_cage: Ints

    @classmethod
    def of(cls, a: CageOfPort, z: CageOfPort) -> Sharing:
        size = int(max(a.cage.max(initial=0), z.cage.max(initial=0))) + 1
        links_in = np.bincount(a.cage, minlength=size) + np.bincount(z.cage, minlength=size)
        low, high = np.minimum(a.cage, z.cage), np.maximum(a.cage, z.cage)
        _, pair, counts = np.unique(low * size + high, return_inverse=True, return_counts=True)
        crossed = np.bincount(pair, a.half != z.half, len(counts)) > 0
        together = counts[pair] if len(pair) else np.zeros(0, np.int64)
        return cls(
            paired=(links_in[a.cage] == together) & (links_in[z.cage] == together) & ~crossed[pair]
            if len(pair)
            else np.zeros(0, bool),
            a_alone=links_in[a.cage] == 1,
            z_alone=links_in[z.cage] == 1,
            pair=pair.astype(np.int64),
            a_cage=a.cage,
            z_cage=z.cage,
        )


def fitting_positions(option: Option, rows: Ints, measure: Measure, sharing: Sharing) -> Ints:
    """Position of the shortest length of an option that covers each row, -1 where none does or cages forbid it."""
    if not len(option.members):
        return np.full(len(rows), -1, np.int64)
    lengths = measure.lengths(option.cable_class, option.a_standoff_um, option.z_standoff_um)
    required = lengths.required[rows]
    # A cable is as long as its tolerance leaves it; members are in order of length, and so are usable lengths.
    found = np.searchsorted(option.usable_mm, required, side="left").astype(np.int64)
    if option.forced:
        found = np.minimum(found, len(option.members) - 1)
    usable = (found < len(option.members)) & (required < NO_LENGTH)
    if not option.forced:
        usable &= cages_allow(option, rows, sharing)
    return np.where(usable, found, -1)


def cages_allow(option: Option, rows: Ints, sharing: Sharing) -> Mask:
    """Whether the cages at both ends lead where the option's plugs need them to."""
    if option.shape == TWIN:
        return sharing.paired[rows]
    if option.shape == SPLITTER:
        return sharing.a_alone[rows] if option.head_at_z else sharing.z_alone[rows]
    return np.ones(len(rows), bool)


@dataclass(frozen=True, slots=True)
class _Demands:
    """By offer, a number for the plug that it needs in the cage at a and at z, alike only for plugs that can be one."""

    a: Ints
    z: Ints

    @classmethod
    def of(cls, offers: Sequence[Option]) -> _Demands:
        numbers: dict[tuple[str, ...], int] = {}

        def number(option: Option, end: str) -> int:
            plug = option.a_plug if end == "a" else option.z_plug
            if plug is None:
                head = "head" if option.head_at_z == (end == "z") else "tail"
                key: tuple[str, ...] = ("cable", option.cable.id, head if option.shape != TWIN else "")
            else:
                # A forced splitter beside a straight cord is the user's choice, and the twin-port rule's to report.
                key = ("plug", plug.id, STRAIGHT if option.forced else option.shape)
            return numbers.setdefault(key, len(numbers))

        a = np.array([number(option, "a") for option in offers], np.int64)
        z = np.array([number(option, "z") for option in offers], np.int64)
        return cls(a, z)


def _settle(
    kinds: Kinds,
    offers: Sequence[Option],
    fits: dict[int, list[_Fits]],
    a: CageOfPort,
    z: CageOfPort,
    offer: Ints,
    position: Ints,
    stock: Ints,
    demands: _Demands,
) -> tuple[tuple[int, int], tuple[int, ...]]:
    """Decide together the links of every group in which own best choices clash; changes the choice in place."""
    clashing = _clashing_cages(a.cage, z.cage, offer, demands)
    if not len(clashing):
        return (0, 0), ()
    group = _group_of_cage(a.cage, z.cage)
    affected = np.isin(group[a.cage], np.unique(group[clashing]))
    rows = np.flatnonzero(affected)
    order = np.argsort(group[a.cage[rows]], kind="stable")
    bounds = np.flatnonzero(np.diff(group[a.cage[rows]][order])) + 1
    place = _places_in_kind(kinds)
    known: dict[tuple[GroupLink, ...], tuple[tuple[Offer | None, ...], bool]] = {}
    unproven: list[int] = []
    parts = np.split(rows[order], bounds)
    for part in parts:
        members = np.sort(part).tolist()
        links = _group_links(members, kinds, fits, place, a, z, offers, demands)
        if links not in known:
            known[links] = solve(links)
        chosen, proven = known[links]
        if not proven:
            unproven.extend(members)
        for row, pick in zip(members, chosen, strict=True):
            offer[row] = -1 if pick is None else pick.offer
            position[row] = -1 if pick is None else pick.position
            stock[row] = 0 if pick is None else pick.stock_mm
    return (len(parts), len(known)), tuple(unproven)


def _clashing_cages(a_cage: Ints, z_cage: Ints, offer: Ints, demands: _Demands) -> Ints:
    """Cages whose links want different plugs."""
    rows = np.flatnonzero(offer >= 0)
    cage = np.concatenate((a_cage[rows], z_cage[rows]))
    demand = np.concatenate((demands.a[offer[rows]], demands.z[offer[rows]])) if len(rows) else np.zeros(0, np.int64)
    order = np.lexsort((demand, cage))
    cage, demand = cage[order], demand[order]
    differs = (cage[1:] == cage[:-1]) & (demand[1:] != demand[:-1])
    return np.unique(cage[1:][differs])


def _group_of_cage(a_cage: Ints, z_cage: Ints) -> Ints:
    """Connected cages get one number."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size = int(max(a_cage.max(), z_cage.max())) + 1
    graph = coo_array((np.ones(len(a_cage), np.int8), (a_cage, z_cage)), shape=(size, size))
    labels: Ints = connected_components(graph, directed=False)[1].astype(np.int64)
    return labels


def _places_in_kind(kinds: Kinds) -> Ints:
    """Each link's position among the links of its kind."""
    order = np.argsort(kinds.of_link, kind="stable")
    sorted_kinds = kinds.of_link[order]
    starts = np.searchsorted(sorted_kinds, sorted_kinds)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order)) - starts
    return place


def _group_links(
    rows: list[int],
    kinds: Kinds,
    fits: dict[int, list[_Fits]],
    place: Ints,
    a: CageOfPort,
    z: CageOfPort,
    offers: Sequence[Option],
    demands: _Demands,
) -> tuple[GroupLink, ...]:
    """The group in its own terms: cages numbered by first appearance, so that equal groups compare equal."""
    cages: dict[int, int] = {}
    links = []
    for row in rows:
        local_a = cages.setdefault(int(a.cage[row]), len(cages))
        local_z = cages.setdefault(int(z.cage[row]), len(cages))
        found = []
        for fit in fits.get(int(kinds.of_link[row]), []):
            at = int(fit.position[int(place[row])])
            if at >= 0:
                option = offers[fit.offer]
                serves = _serves(option)
                shared = (
                    -1
                    if serves == _ONE_LINK
                    else min(local_a, local_z)
                    if serves == _PAIR
                    else local_z
                    if serves == _HEAD_AT_Z
                    else local_a
                )
                found.append(
                    Offer(
                        fit.offer,
                        at,
                        option.rank,
                        int(option.nominal_mm[at]),
                        (option.cable.members[int(option.members[at])].part, *option.key[1:]),
                        int(demands.a[fit.offer]),
                        int(demands.z[fit.offer]),
                        shared,
                    )
                )
        links.append(GroupLink(local_a, local_z, tuple(found)))
    return tuple(links)


def _assembled(
    kinds: Kinds,
    options: tuple[OptionsOfKind, ...],
    offers: tuple[Option, ...],
    offer: Ints,
    position: Ints,
    sharing: Sharing,
    pool: str,
    measure: Measure,
    solved: tuple[int, int],
    unproven: tuple[int, ...],
) -> Selection:
    """Links of one cable together, each assembly as long as its longest link needs (or as its rack's pool)."""
    count = len(offer)
    resolved = offer >= 0
    own = np.arange(count, dtype=np.int64)
    serves = np.array([_serves(option) for option in offers] or [_ONE_LINK], np.int64)[offer]
    head = np.where(serves == _HEAD_AT_Z, sharing.z_cage, sharing.a_cage)
    key = np.where(serves == _ONE_LINK, own, np.where(serves == _PAIR, count + sharing.pair, 2 * count + head))
    # Where pins disagree, a cage's links may have different parts; they are no cable together.
    numbers: dict[tuple[str, int | None], int] = {}
    part = np.array([numbers.setdefault((o.cable.id, o.member), len(numbers)) for o in offers] or [0], np.int64)[offer]
    rows = np.flatnonzero(resolved)
    _, first, group = np.unique(key[rows] * (len(numbers) + 1) + part[rows], return_index=True, return_inverse=True)
    number = np.empty(len(first), np.int64)
    number[np.argsort(first, kind="stable")] = np.arange(len(first))
    assembly = np.full(count, -1, np.int64)
    assembly[rows] = number[group]
    longest = np.zeros(len(first), np.int64)
    np.maximum.at(longest, assembly[rows], position[rows])
    if pool == "rack":
        longest = _pooled(longest, assembly, rows, offer, measure, kinds)
    position = np.where(resolved, longest[assembly] if len(longest) else 0, -1)
    member, stock = np.full(count, -1, np.int64), np.zeros(count, np.int64)
    for code in np.unique(offer[rows]).tolist():
        mine = np.flatnonzero(offer == code)
        member[mine] = offers[code].members[position[mine]]
        stock[mine] = offers[code].nominal_mm[position[mine]]
    return Selection(kinds, options, offers, offer, member, stock, assembly, solved, unproven)


def _serves(option: Option) -> int:
    """Whose links share a cable of the option: none, those between its two cages, or those of its head's cage."""
    if option.shape == STRAIGHT or option.cable.kind == "splitter":
        return _ONE_LINK
    return _PAIR if option.shape == TWIN else _HEAD_AT_Z if option.head_at_z else _HEAD_AT_A


def _pooled(longest: Ints, assembly: Ints, rows: Ints, offer: Ints, measure: Measure, kinds: Kinds) -> Ints:
    """One length for a rack's cables of a kind: the longest that any of them needs."""
    pool = np.unique(np.stack((measure.a.rack[rows], kinds.of_link[rows], offer[rows])), axis=1, return_inverse=True)[
        1
    ].reshape(-1)
    most = np.zeros(int(pool.max(initial=0)) + 1, np.int64)
    np.maximum.at(most, pool, longest[assembly[rows]])
    pooled = longest.copy()
    np.maximum.at(pooled, assembly[rows], most[pool])
    return pooled
