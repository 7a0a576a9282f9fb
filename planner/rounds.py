"""Rounds of route and select: over-full pathways are answered with other ways, and parts are chosen for those again.

Shortest routes and the parts for them come first; where nothing is over-full that is all. Else cables are led around, which
makes some longer and may change their medium and thickness; so parts are chosen and pathways filled again, a small
fixed number of times. A detour that leaves a link without a part is taken back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from planner.capacity.negotiate import Ground, negotiated
from planner.capacity.problem import Problem, problem_of
from planner.capacity.programme import finish
from planner.capacity.proof import proven_over
from planner.fill import Loads
from planner.laying import lengths_of_choice, loads_of_choice
from planner.layout import Layout
from planner.lengths.measure import Lengths, Measure
from planner.project import FillPolicy
from planner.routing.routes import Routes, Ways
from planner.selection.buying import Purchase
from planner.selection.choose import Selection, Taken
from planner.table import Ints, Mask
from planner.units import PPM

MOST_ROUNDS: Final = 4

MOST_BUNDLES: Final = 3_000
"""Cables of larger rooms are led around once."""


Select = Callable[[Measure], tuple[Selection, Purchase]]
"""From lengths to the parts chosen, and to those bought for them."""


NOT_PROVEN: Final[tuple[frozenset[int], ...]] = (frozenset(), frozenset(), frozenset())


@dataclass(frozen=True)
class Settled:
    """Routes, parts and loads that go together.

    shortest: lengths of each link's cable on the route that it would have with empty pathways; the same object as
    lengths where nothing was moved. proven: by limit (`reroute`, `warn`, `fail`), the pathways among which some must be
    above it whatever ways the cables take.
    """

    measure: Measure
    purchase: Purchase
    lengths: Lengths
    loads: Loads
    shortest: Lengths
    proven: tuple[frozenset[int], ...] = NOT_PROVEN


def settled(layout: Layout, measure: Measure, select: Select, fill: FillPolicy) -> Settled:
    """Choose routes and parts until nothing is over-full, or nothing more can be moved."""
    first = measure
    now = _chosen(first, measure, select)
    frozen = np.zeros(len(measure.a), bool)
    for _ in range(MOST_ROUNDS):
        if not _over_full(layout, now, fill):
            break
        problem = problem_of(layout, now.measure, now.purchase.selection, now.lengths, fill, frozen)
        if not (problem.loads > problem.cap).any():
            break
        ground = negotiated(problem)
        finish(ground)
        moved = _rerouted(ground, now.purchase.selection)
        if moved is None:
            break
        before, is_large = now.purchase.selection.taken, len(problem.bundles) > MOST_BUNDLES
        # What the choice before hung on is let go before the next is made: for 300,000 links it is 150 MB.
        del now, problem, ground
        now = _chosen(first, moved, select)
        lost = (before.offer >= 0) & (now.purchase.selection.offer < 0)
        if lost.any():
            # All links of a group of cages go back together: their cables are decided together.
            frozen |= _with_their_cables(lost, before)
            now = _chosen(first, moved.taken_back(np.flatnonzero(frozen)), select)
        if is_large or np.array_equal(now.purchase.selection.offer, before.offer):
            # With the same parts on other ways there is nothing new to be found.
            break
    return replace(now, proven=_proven(layout, now, fill))


def _proven(layout: Layout, now: Settled, fill: FillPolicy) -> tuple[frozenset[int], ...]:
    """Asked of the final parts, and of all cables: those that went back to their shortest way might take another yet."""
    if not _over_full(layout, now, fill):
        return NOT_PROVEN
    nobody = np.zeros(len(now.measure.a), bool)
    problem = problem_of(layout, now.measure, now.purchase.selection, now.lengths, fill, nobody)
    pathway = problem.measure.ground[0].pathway
    fullest = np.zeros((len(layout.pathways), 1 + len(problem.limits)), bool)
    for level, limit in enumerate(problem.limits):
        over = problem.loads > limit
        fullest[np.unique(pathway[over[: len(pathway)]]), level] = True
    found = []
    for level in range(len(problem.limits)):
        # A pathway is told of at the highest limit that it is above, so only that is asked.
        told = np.flatnonzero(fullest[:, level] & ~fullest[:, level + 1])
        over = (problem.loads > problem.limits[level])[: len(pathway)]
        proven = proven_over(problem, level)[: len(pathway)] if len(told) else np.zeros_like(over)
        found.append(frozenset(np.intersect1d(told, pathway[over & proven]).tolist()))
    return tuple(found)


def _chosen(first: Measure, measure: Measure, select: Select) -> Settled:
    chosen, purchase = select(measure)
    lengths = lengths_of_choice(chosen, measure)
    shortest = lengths if measure is first else lengths_of_choice(chosen, first)
    loads = loads_of_choice(purchase.selection, lengths, measure)
    return Settled(measure, purchase, lengths, loads, shortest)


def _over_full(layout: Layout, found: Settled, fill: FillPolicy) -> bool:
    """Whether anything may have to be led another way; exits are looked at only where a rack has several on a side."""
    loads = found.loads
    section = np.array([p.type.width_mm * p.type.usable_depth_mm for p in layout.pathways] or [1], np.float64)
    over: Mask = loads.area_um2 > section[loads.pathway] * (fill.reroute / PPM)
    return bool(over.any()) or found.measure.has_choice_of_exits


def _with_their_cables(lost: Mask, before: Taken) -> Mask:
    cables = np.unique(before.assembly[lost])
    together: Mask = np.isin(before.assembly, cables[cables >= 0])
    return together | lost


def _rerouted(ground: Ground, selection: Selection) -> Measure | None:
    """The measure with every cable on the path that was found for it; None where none has moved.

    Of a bundle the longest cables keep the shortest paths.
    """
    problem = ground.problem
    by_net: dict[int, tuple[list[Ints], list[tuple[int, ...]], list[tuple[Ints, Ints, Ints]], list[int]]] = {}
    for bundle in sorted(ground.laid):
        paths = sorted((ground.paths[bundle][key] for key in ground.laid[bundle]), key=lambda p: (p.length_nm, p.key))
        start = 0
        for path in paths:
            count = ground.laid[bundle][path.key]
            cables = problem.bundles.cables[bundle][start : start + count]
            start += count
            if path.route is None or path.pieces is None:
                continue
            cables_of, routes, pieces, sizes = by_net.setdefault(int(problem.bundles.net[bundle]), ([], [], [], []))
            cables_of.append(cables)
            sizes.append(len(cables))
            routes.append(path.route)
            pieces.append(path.pieces)
    if not by_net:
        return None
    links_of = _links_by_cable(selection)
    measure = problem.measure
    for net, (cables_of, routes, pieces, sizes) in sorted(by_net.items()):
        bounds = np.concatenate(([0], np.cumsum([len(chain) for chain, _, _ in pieces]))).astype(np.int64)
        ways = Ways(bounds, *(np.concatenate(column) for column in zip(*pieces, strict=True)))
        links, which = links_of(np.concatenate(cables_of), np.repeat(np.arange(len(sizes)), sizes))
        measure = measure.rerouted(problem.nets[net].cable_class, links, Routes.of_rows(routes), ways, which)
    return measure


def _links_by_cable(selection: Selection) -> Callable[[Ints, Ints], tuple[Ints, Ints]]:
    order = np.argsort(selection.assembly, kind="stable")
    sorted_cables = selection.assembly[order]

    def links_of(cables: Ints, value: Ints) -> tuple[Ints, Ints]:
        """The links of some cables, and the value of each one's cable."""
        low, high = np.searchsorted(sorted_cables, cables), np.searchsorted(sorted_cables, cables, side="right")
        size = high - low
        flat = np.repeat(low - np.cumsum(size) + size, size) + np.arange(int(size.sum()))
        return order[flat], np.repeat(value, size)

    return links_of


__all__ = ["Problem", "Settled", "settled"]
