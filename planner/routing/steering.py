"""Ways under the user's rules: over allowed, required and preferred pathways, and groups of links kept apart.

Each steering has costs of its own. Groups that must share nothing are settled by rounds: where two groups still share a
stretch it grows dearer for both, and each group in turn is routed again around what the other one uses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np

from planner.pathways.drops import Joins
from planner.pathways.network import Network
from planner.pathways.stretches import RISER, Cells, Stretches
from planner.routing.policy import OTHERWISE, RouteRules, Steering
from planner.routing.routes import NO_JOIN, NO_WAY, Costs, Router, Routes, Ways, routes_joined, ways_joined, ways_of
from planner.table import Ints, Mask

APART_ROUNDS: Final = 24
"""Rounds in which groups that share a stretch are led apart; what then remains is a finding."""

DEARER: Final = 16
"""Sixteenths of its length by which a stretch that is still shared grows dearer a round."""

SHARED: Final = 4096
"""A stretch that the other group uses counts as so many times its length: more than any way around it."""


def steered_routes(
    network: Network, joins: Joins, drop_count: int, keys: Ints, rules: RouteRules
) -> tuple[Routes, Ways]:
    """The route of each key (steering, then pair of drops), and the pieces of chains that it runs along."""
    pairs = max(1, drop_count) ** 2
    bounds = np.searchsorted(keys, np.arange(len(rules.steerings) + 1) * pairs)
    asked = [keys[low:high] % pairs for low, high in pairwise(bounds.tolist())]
    plain = Router(network, joins, drop_count)
    if not any(len(keys_of) for keys_of in asked[1:]):
        routes = plain.routes(asked[0] // max(1, drop_count), asked[0] % max(1, drop_count))
        return routes, ways_of(plain, routes)
    field = Field.of(network, joins, drop_count)
    settled = _kept_apart(field, asked, rules.steerings)
    return routes_joined([routes for routes, _ in settled]), ways_joined([ways for _, ways in settled])


@dataclass(frozen=True)
class Field:
    """A network with its stretches, on which ways are sought under changing costs."""

    network: Network
    joins: Joins
    drop_count: int
    stretches: Stretches

    @classmethod
    def of(cls, network: Network, joins: Joins, drop_count: int, cells: Cells | None = None) -> Field:
        cells = Cells.of([(network, joins)]) if cells is None else cells
        return cls(network, joins, drop_count, Stretches.of(network, joins, cells))

    def costs(
        self, steering: Steering, times: Ints | None = None, barred: Mask | None = None, extra: Ints | None = None
    ) -> Costs:
        """Costs under a steering. times: for each stretch, sixteenths of its length by which it counts; extra: nm more."""
        stretches = self.stretches
        weight = stretches.length_nm
        if steering.preferred:
            liked = np.isin(stretches.pathway, sorted(steering.preferred))
            weight = np.where(liked, weight, weight * OTHERWISE)
        if times is not None:
            weight = weight * times // 16
        if extra is not None:
            weight = weight + extra
        shut = np.isin(stretches.pathway, sorted(steering.forbidden))
        if barred is not None:
            shut = shut | barred
        return Costs(
            stretches.along(weight),
            stretches.along(shut.astype(np.int64)),
            np.isin(self.joins.pathway, sorted(steering.forbidden)),
            tuple(stretches.along(np.where(stretches.pathway == p, stretches.length_nm, 0)) for p in steering.required),
        )

    def routed(self, pairs: Ints, costs: Costs) -> tuple[Routes, Ways]:
        """The cheapest way of each pair of drops (one key each), its run along pathways as long as it is.

        A way that meets a required pathway only by going there and back is none.
        """
        router = Router(self.network, self.joins, self.drop_count, costs)
        count = max(1, self.drop_count)
        routes = router.routes(pairs // count, pairs % count)
        ways = ways_of(router, routes)
        if costs.required:
            routes, ways = _without(routes, ways, self._doubled(ways))
        run = np.zeros(len(routes), np.int64)
        np.add.at(run, _route_of_piece(ways), np.abs(ways.to_nm - ways.from_nm))
        return replace(routes, pathway_nm=np.where(routes.a_join >= 0, run, routes.pathway_nm)), ways

    def _doubled(self, ways: Ways) -> Mask:
        """Which routes run along a stretch more than once."""
        first, last = self.stretches.ranges(ways)
        route = _route_of_piece(ways)
        order = np.lexsort((last, first, route))
        again = (route[order][1:] == route[order][:-1]) & (first[order][1:] < last[order][:-1])
        found = np.zeros(len(ways.bounds) - 1, bool)
        found[route[order][1:][again]] = True
        return found

    def crossing(self, ways: Ways) -> Callable[[Mask], Mask]:
        """For any cells, which of some ways run through any of them."""
        first, last = self.stretches.ranges(ways)
        flat, route = self.stretches.cell != RISER, _route_of_piece(ways)

        def through(cells: Mask) -> Mask:
            before = np.concatenate(([0], np.cumsum(flat & cells[self.stretches.cell])))
            found: Mask = np.bincount(route, before[last] - before[first], len(ways.bounds) - 1) > 0
            return found

        return through

    def used(self, ways: Ways) -> Mask:
        """The stretches that any of some ways runs along."""
        first, last = self.stretches.ranges(ways)
        change = np.zeros(len(self.stretches) + 1, np.int64)
        np.add.at(change, first, 1)
        np.add.at(change, last, -1)
        return np.cumsum(change)[:-1] > 0


def _route_of_piece(ways: Ways) -> Ints:
    return np.repeat(np.arange(len(ways.bounds) - 1), np.diff(ways.bounds))


def _without(routes: Routes, ways: Ways, gone: Mask) -> tuple[Routes, Ways]:
    """Routes and ways, some of which are no ways after all."""
    kept = ~gone[_route_of_piece(ways)]
    length = np.where(gone, 0, np.diff(ways.bounds))
    bounds = np.concatenate(([0], np.cumsum(length))).astype(np.int64)
    none = {name: np.where(gone, NO_JOIN, getattr(routes, name)) for name in ("a_join", "z_join")}
    far = {
        name: np.where(gone, NO_WAY, getattr(routes, name))
        for name in ("a_rise_nm", "pathway_nm", "z_rise_nm", "cost_nm")
    }
    return replace(routes, **none, **far), Ways(bounds, ways.chain[kept], ways.from_nm[kept], ways.to_nm[kept])


def _kept_apart(field: Field, asked: Sequence[Ints], steerings: Sequence[Steering]) -> list[tuple[Routes, Ways]]:
    """Routes of each steering; those in groups led around the groups that they must share nothing with."""
    best = [field.routed(pairs, field.costs(steering)) for pairs, steering in zip(asked, steerings, strict=True)]
    grouped = [n for n, steering in enumerate(steerings) if steering.groups and len(asked[n])]
    if not grouped:
        return best
    use = {n: field.used(best[n][1]) for n in grouped}
    now, both = list(best), _shared(field, use, steerings)
    least, dearer = _badness(field, best, both), np.zeros(len(field.stretches), np.int64)
    for number in range(APART_ROUNDS):
        if not both.any():
            break
        # First as far apart as one after the other can go. Then what the others use costs little and grows, so that
        # what was fought for before weighs more, and a group leaves a way of its own that all others need.
        present = number or SHARED
        for n in grouped:
            times = (16 + dearer) * np.where(_opposed(n, use, steerings), 1 + present, 1)
            now[n] = field.routed(asked[n], field.costs(steerings[n], times))
            use[n] = field.used(now[n][1])
        both = _shared(field, use, steerings)
        dearer += both * DEARER
        found = _badness(field, now, both)
        if found < least:
            best, least = list(now), found
    return best


def _badness(field: Field, found: Sequence[tuple[Routes, Ways]], both: Mask) -> tuple[int, int]:
    """What is shared, then how long all routes are."""
    run = sum(int(routes.pathway_nm[routes.a_join >= 0].sum()) // 1_000_000 for routes, _ in found)
    return int(field.stretches.length_nm[both].sum()), run


def _opposed(number: int, use: dict[int, Mask], steerings: Sequence[Steering]) -> Mask:
    """Stretches used by any group that a steering must share nothing with."""
    against = {group ^ 1 for group in steerings[number].groups}
    found = np.zeros_like(use[number])
    for other, mask in use.items():
        if against & set(steerings[other].groups):
            found |= mask
    return found


def _shared(field: Field, use: dict[int, Mask], steerings: Sequence[Steering]) -> Mask:
    found = np.zeros(len(field.stretches), bool)
    for number, mask in use.items():
        found |= mask & _opposed(number, use, steerings)
    return found
