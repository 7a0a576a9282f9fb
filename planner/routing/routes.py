"""Shortest ways between pairs of drops over the pathways of one class; equal ways are told apart by name.

Distances run between junctions only, from those that cover all pairs; each pair then takes the best of its joins.
Distances are whole nanometres in float64 (exact to 9,000 km), so that equal ways compare equal. Ways may be compared by
other costs than their length (`Costs`), barred from some pathways, and made to run along others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Final

import numpy as np

from planner.pathways.drops import Joins
from planner.pathways.network import Network
from planner.table import Codes, Floats, Ints, Mask, Table
from planner.units import mm_of_nm

NO_JOIN: Final = -1
NO_WAY: Final = np.iinfo(np.int64).max // 4
"""Length of a way that does not exist: more than any room, and still safe to add to."""

_BLOCK: Final = 4096
"""Pairs judged at once, to bound memory."""


@dataclass(frozen=True, slots=True)
class Routes(Table):
    """The way of each asked pair of drops (a < z); rises and the run along pathways in nm, NO_WAY where there is none.

    a_join, z_join: the joins taken. turn: how the way leaves a's chain and enters z's (bit 0: a leaves by its chain's
    last junction; bit 1: z is entered from its chain's last junction; 4: both lie on one chain and no junction is met).
    cost_nm: of the run along pathways, by which it was chosen; it is the run itself where lengths are compared.
    """

    a_drop: Ints
    z_drop: Ints
    a_join: Ints
    z_join: Ints
    turn: Ints
    a_rise_nm: Ints
    pathway_nm: Ints
    z_rise_nm: Ints
    cost_nm: Ints


ALONG_ONE_CHAIN: Final = 4


@dataclass(frozen=True, slots=True)
class Along:
    """Something summed along chains: from a chain's first junction to each join on it, and over each whole chain."""

    join: Ints
    chain: Ints

    def part(self, joins: Ints, chains: Ints, *, to_last: bool) -> Ints:
        """Between some joins and the last or first junction of their chains."""
        return self.chain[chains] - self.join[joins] if to_last else self.join[joins]


@dataclass(frozen=True, slots=True)
class Costs:
    """What ways are compared by. cost: whole nanometres of length, weighted; barred: stretches that no way may take.

    shut: joins that no way may take. required: for each pathway that a way has to run along, how much of it there is.
    """

    cost: Along
    barred: Along
    shut: Mask
    required: tuple[Along, ...] = ()

    @classmethod
    def of_lengths(cls, network: Network, joins: Joins) -> Costs:
        chains = len(network.chains)
        nothing = Along(np.zeros(len(joins), np.int64), np.zeros(chains, np.int64))
        return cls(Along(joins.offset_nm, network.chains.length_nm), nothing, np.zeros(len(joins), bool))

    @property
    def every(self) -> int:
        """All required pathways, a bit each."""
        return (1 << len(self.required)) - 1

    @property
    def by_chain(self) -> Ints:
        """The required pathways that each whole chain runs along, a bit each."""
        bits = np.zeros(len(self.cost.chain), np.int64)
        for bit, along in enumerate(self.required):
            bits |= (along.chain > 0).astype(np.int64) << bit
        return bits

    def missing(self, a: Ints, z: Ints, a_chain: Ints, z_chain: Ints, turn: int) -> Ints:
        """The required pathways that the ends of ways do not run along, a bit each."""
        bits = np.full(len(a), self.every, np.int64)
        for bit, along in enumerate(self.required):
            if turn == ALONG_ONE_CHAIN:
                met = along.join[a] != along.join[z]
            else:
                met = along.part(a, a_chain, to_last=bool(turn & 1)) > 0
                met |= along.part(z, z_chain, to_last=bool(turn & 2)) > 0
            bits[met] &= ~(1 << bit)
        return bits


@dataclass(frozen=True)
class Router:
    """Ways over one network, for drops with the given joins, compared by length or by other costs."""

    network: Network
    joins: Joins
    drop_count: int
    other_costs: Costs | None = None

    @cached_property
    def costs(self) -> Costs:
        return self.other_costs or Costs.of_lengths(self.network, self.joins)

    @cached_property
    def join_bounds(self) -> Ints:
        """Joins of drop d are those from bounds[d] to bounds[d + 1]."""
        return np.searchsorted(self.joins.drop, np.arange(self.drop_count + 1)).astype(np.int64)

    @cached_property
    def adjacency(self) -> _Adjacency:
        return _Adjacency.of(self.network, self.costs)

    def routes(self, a_drop: Ints, z_drop: Ints) -> Routes:
        """The shortest way of each pair."""
        if not len(a_drop):
            return Routes(*np.zeros((9, 0), np.int64))
        chains, joins = self.network.chains, self.joins
        # The side that few drops serve (the network racks) is the source of the distances.
        covering = z_drop if len(np.unique(z_drop)) <= len(np.unique(a_drop)) else a_drop
        wanted = self._joins_of_drops(np.unique(covering))
        if not len(wanted):
            return _no_ways(a_drop, z_drop)
        ends = np.unique(np.concatenate((chains.first[joins.chain[wanted]], chains.last[joins.chain[wanted]])))
        far = _Distances(self.adjacency.distances(ends), _positions(ends, len(self.network.junction_node)))
        swapped = covering is a_drop
        blocks = [
            self._best(a_drop[i : i + _BLOCK], z_drop[i : i + _BLOCK], far, swapped=swapped)
            for i in range(0, len(a_drop), _BLOCK)
        ]
        return Routes(*(np.concatenate([getattr(b, f) for b in blocks]) for f in Routes.__dataclass_fields__))

    def _joins_of_drops(self, drops: Ints) -> Ints:
        return np.flatnonzero(np.isin(self.joins.drop, drops))

    def _padded_joins(self, drops: Ints) -> Ints:
        """Joins of each drop, a row a drop, NO_JOIN after the last."""
        low, high = self.join_bounds[drops], self.join_bounds[drops + 1]
        width = max(1, int((high - low).max(initial=0)))
        grid = low[:, None] + np.arange(width)
        return np.where(grid < high[:, None], grid, NO_JOIN)

    def _best(self, a_drop: Ints, z_drop: Ints, far: _Distances, *, swapped: bool) -> Routes:
        """Of all joins and turns the shortest total.

        Of equal ones that of fewest millimetres when each term is rounded, so that it does not matter which end comes
        first; of those the first, joins being in order of name.
        """
        joins, chains, costs = self.joins, self.network.chains, self.costs
        a_joins, z_joins = self._padded_joins(a_drop), self._padded_joins(z_drop)
        count = len(a_drop)
        best = np.full(count, NO_WAY, np.int64)
        chosen = np.zeros((count, 3), np.int64)
        chosen[:, :2] = NO_JOIN
        run = np.full(count, NO_WAY, np.int64)
        for i in range(a_joins.shape[1]):
            for k in range(z_joins.shape[1]):
                a, z = a_joins[:, i], z_joins[:, k]
                there = (a >= 0) & (z >= 0) & ~costs.shut[a] & ~costs.shut[z]
                a_chain, z_chain = joins.chain[a], joins.chain[z]
                rises = joins.rise_nm[a] + joins.rise_nm[z]
                for turn in (ALONG_ONE_CHAIN, 0, 1, 2, 3):
                    missing = costs.missing(a, z, a_chain, z_chain, turn)
                    if turn == ALONG_ONE_CHAIN:
                        open_way = (
                            (a_chain == z_chain) & (costs.barred.join[a] == costs.barred.join[z]) & (missing == 0)
                        )
                        way = np.where(open_way, np.abs(costs.cost.join[a] - costs.cost.join[z]), NO_WAY)
                    else:
                        a_last, z_last = bool(turn & 1), bool(turn & 2)
                        a_end = chains.last[a_chain] if a_last else chains.first[a_chain]
                        z_end = chains.last[z_chain] if z_last else chains.first[z_chain]
                        barred = costs.barred.part(a, a_chain, to_last=a_last) + costs.barred.part(
                            z, z_chain, to_last=z_last
                        )
                        to_a = costs.cost.part(a, a_chain, to_last=a_last)
                        to_z = costs.cost.part(z, z_chain, to_last=z_last)
                        between = far.between(a_end, z_end, missing) if swapped else far.between(z_end, a_end, missing)
                        way = np.where(barred == 0, np.minimum(between, NO_WAY) + to_a + to_z, NO_WAY)
                    total = np.where(there & (way < NO_WAY), way + rises, NO_WAY)
                    shorter = total < best
                    level = np.flatnonzero((total == best) & (total < NO_WAY))
                    level = level[(chosen[level, 0] != a[level]) | (chosen[level, 1] != z[level])]
                    if len(level):
                        other = _in_mm(joins, chosen[level, 0], run[level], chosen[level, 1])
                        shorter[level] = _in_mm(joins, a[level], way[level], z[level]) < other
                    best[shorter], run[shorter] = total[shorter], way[shorter]
                    chosen[shorter] = np.stack((a, z, np.full(count, turn)), 1)[shorter]
        a, z = chosen[:, 0], chosen[:, 1]
        found = best < NO_WAY
        return Routes(
            a_drop=a_drop,
            z_drop=z_drop,
            a_join=a,
            z_join=z,
            turn=chosen[:, 2],
            a_rise_nm=np.where(found, joins.rise_nm[a], NO_WAY),
            pathway_nm=run,
            z_rise_nm=np.where(found, joins.rise_nm[z], NO_WAY),
            cost_nm=run,
        )


def _in_mm(joins: Joins, a: Ints, way_nm: Ints, z: Ints) -> Ints:
    """Rises and way, each rounded to the millimetre as a plan prints it."""
    return mm_of_nm(joins.rise_nm[a]) + mm_of_nm(way_nm) + mm_of_nm(joins.rise_nm[z])


def _no_ways(a_drop: Ints, z_drop: Ints) -> Routes:
    count = len(a_drop)
    none, far = np.full(count, NO_JOIN, np.int64), np.full(count, NO_WAY, np.int64)
    return Routes(a_drop, z_drop, none, none.copy(), np.zeros(count, np.int64), far, far.copy(), far.copy(), far.copy())


def _positions(values: Ints, size: int) -> Ints:
    """Position of each value in `values`, by value; -1 for the others."""
    where = np.full(size, -1, np.int64)
    where[values] = np.arange(len(values))
    return where


@dataclass(frozen=True, slots=True)
class _Distances:
    """Cost in nm from each source junction (a row) to every junction, by the required pathways to be met on the way."""

    nm: Floats
    row: Ints

    def between(self, source: Ints, other: Ints, missing: Ints) -> Ints:
        distance = self.nm[missing, self.row[source], other]
        return np.where(np.isfinite(distance), distance, float(NO_WAY)).astype(np.int64)


@dataclass(frozen=True)
class _Adjacency:
    """Junctions and the chains between them; parallel chains keep the cheapest, of equals the first by name.

    marks: the required pathways that each chain runs along, a bit each; of parallel chains each set of them is kept.
    """

    size: int
    node_a: Ints
    node_b: Ints
    chain: Ints
    nm: Ints
    marks: Ints
    every: int

    @classmethod
    def of(cls, network: Network, costs: Costs) -> _Adjacency:
        chains, cost, marks = network.chains, costs.cost.chain, costs.by_chain
        low, high = np.minimum(chains.first, chains.last), np.maximum(chains.first, chains.last)
        order = np.lexsort((network.chain_rank, cost, marks, high, low))
        order = order[costs.barred.chain[order] == 0]
        once = np.ones(len(order), bool)
        once[1:] = False
        for column in (low, high, marks):
            once[1:] |= column[order][1:] != column[order][:-1]
        kept = order[once & ((low[order] != high[order]) | (marks[order] > 0))]
        return cls(len(network.junction_node), low[kept], high[kept], kept, cost[kept], marks[kept], costs.every)

    def distances(self, sources: Ints) -> Floats:
        """By the set of required pathways that have to be met: cost from each source to every junction."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        nm = self.nm.astype(np.float64)
        if not self.every:
            matrix = csr_array((nm, (self.node_a, self.node_b)), shape=(self.size, self.size))
            result: Floats = dijkstra(matrix, directed=False, indices=sources)
            return result.reshape(1, len(sources), self.size)
        # A layer of junctions for each set of pathways met so far; a chain leads from layer to layer.
        layers = self.every + 1
        start, stop = np.tile(self.node_a, 2), np.tile(self.node_b, 2)
        start[len(nm) :], stop[len(nm) :] = self.node_b, self.node_a
        met = np.arange(layers)[:, None]
        rows = (met * self.size + start).ravel()
        columns = ((met | np.tile(self.marks, 2)) * self.size + stop).ravel()
        weight = np.tile(nm, 2 * layers)
        # Two chains may lead from one layer to one other; a sparse matrix would add them up.
        order = np.lexsort((weight, columns, rows))
        once = np.ones(len(order), bool)
        once[1:] = (np.diff(rows[order]) != 0) | (np.diff(columns[order]) != 0)
        kept = order[once]
        matrix = csr_array((weight[kept], (rows[kept], columns[kept])), shape=(layers * self.size,) * 2)
        exact = dijkstra(matrix, indices=sources).reshape(len(sources), layers, self.size)
        sets = np.arange(layers)
        return np.stack([exact[:, (sets & wanted) == wanted].min(axis=1) for wanted in range(layers)])

    @cached_property
    def neighbours(self) -> tuple[Ints, Ints]:
        """By junction, its neighbours and the chains to them, padded with -1."""
        ends = np.concatenate((self.node_a, self.node_b))
        others = np.concatenate((self.node_b, self.node_a))
        chain = np.tile(self.chain, 2)
        order = np.argsort(ends, kind="stable")
        bounds = np.searchsorted(ends[order], np.arange(self.size + 1))
        width = max(1, int(np.diff(bounds).max(initial=0)))
        grid = bounds[:-1, None] + np.arange(width)
        inside = grid < bounds[1:, None]
        grid = order[np.where(inside, grid, 0)] if len(order) else np.zeros_like(grid)
        return (
            np.where(inside, others[grid] if len(others) else -1, -1),
            np.where(inside, chain[grid] if len(chain) else -1, -1),
        )


def routes_joined(parts: Sequence[Routes]) -> Routes:
    """Routes under one another."""
    return Routes(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Routes)))


def ways_joined(parts: Sequence[Ways]) -> Ways:
    """Ways under one another, their bounds counted on."""
    before = np.cumsum([0, *(len(part.chain) for part in parts)]).tolist()
    bounds = [part.bounds[:-1] + start for part, start in zip(parts, before, strict=False)]
    return Ways(
        np.concatenate([*bounds, before[-1:]]).astype(np.int64),
        *(np.concatenate([getattr(part, name) for part in parts]) for name in ("chain", "from_nm", "to_nm")),
    )


@dataclass(frozen=True, slots=True)
class Ways:
    """The stretches of chains that routes run along, route by route in order from a to z.

    Stretch i lies on chain[i] from from_nm[i] to to_nm[i]; route r has those from bounds[r] to bounds[r + 1].
    """

    bounds: Ints
    chain: Ints
    from_nm: Ints
    to_nm: Ints


def ways_of(router: Router, routes: Routes) -> Ways:
    """Walk every route at once, junction by junction; of equally short ways the first by name."""
    rows: list[Ints] = []
    steps: list[Ints] = []
    chain: list[Ints] = []
    start: list[Ints] = []
    stop: list[Ints] = []

    def add(which: Ints, step: int, on: Ints, low: Ints, high: Ints) -> None:
        rows.append(which)
        steps.append(np.full(len(which), step, np.int64))
        chain.append(on)
        start.append(low)
        stop.append(high)

    joins, chains, costs = router.joins, router.network.chains, router.costs
    found = np.flatnonzero(routes.a_join >= 0)
    a, z, turn = routes.a_join[found], routes.z_join[found], routes.turn[found]
    direct = turn == ALONG_ONE_CHAIN
    here = found[direct]
    add(here, 0, joins.chain[a[direct]], joins.offset_nm[a[direct]], joins.offset_nm[z[direct]])
    a, z, turn, found = a[~direct], z[~direct], turn[~direct], found[~direct]
    a_last, z_last = (turn & 1) == 1, (turn & 2) == 2
    length = chains.length_nm
    at = np.where(a_last, chains.last[joins.chain[a]], chains.first[joins.chain[a]])
    goal = np.where(z_last, chains.last[joins.chain[z]], chains.first[joins.chain[z]])
    add(found, 0, joins.chain[a], joins.offset_nm[a], np.where(a_last, length[joins.chain[a]], 0))
    missing = np.zeros(len(found), np.int64)
    for value in range(4) if costs.every else ():
        which = np.flatnonzero(turn == value)
        missing[which] = costs.missing(a[which], z[which], joins.chain[a[which]], joins.chain[z[which]], value)
    step = _walk(router, found, at, goal, missing, add)
    add(found, step, joins.chain[z], np.where(z_last, length[joins.chain[z]], 0), joins.offset_nm[z])
    row, order_key = np.concatenate(rows), np.concatenate(steps)
    order = np.lexsort((order_key, row))
    return Ways(
        np.searchsorted(row[order], np.arange(len(routes) + 1)).astype(np.int64),
        np.concatenate(chain)[order],
        np.concatenate(start)[order],
        np.concatenate(stop)[order],
    )


def _walk(router: Router, rows: Ints, at: Ints, goal: Ints, missing: Ints, add) -> int:  # type: ignore[no-untyped-def]  # noqa: ANN001
    """Move every row from junction `at` to `goal` along a cheapest way that meets the required pathways still missing.

    Returns the number of the step after it.
    """
    adjacency, chains = router.adjacency, router.network.chains
    goals = np.unique(goal)
    far = adjacency.distances(goals) if len(goals) else np.zeros((1, 0, adjacency.size))
    goal_row = np.searchsorted(goals, goal)
    neighbour, through = adjacency.neighbours
    cost, marks, rank = router.costs.cost.chain, router.costs.by_chain, router.network.chain_rank
    step = 1
    at, missing = at.copy(), missing.copy()
    active = np.flatnonzero((at != goal) | (missing > 0))
    while len(active):
        node, target, wanted = at[active], goal_row[active], missing[active]
        options, by = neighbour[node], through[node]
        rest = wanted[:, None] & ~marks[by]
        onward = far[rest, target[:, None], options] + cost[by]
        shortest = (options >= 0) & (onward == far[wanted, target, node][:, None])
        order = np.where(shortest, rank[by], np.iinfo(np.int64).max)
        pick = np.argmin(order, axis=1)
        lines = np.arange(len(active))
        taken, following = by[lines, pick], options[lines, pick]
        forward = chains.first[taken] == node
        add(
            rows[active],
            step,
            taken,
            np.where(forward, 0, chains.length_nm[taken]),
            np.where(forward, chains.length_nm[taken], 0),
        )
        at[active], missing[active] = following, rest[lines, pick]
        active = active[(following != goal[active]) | (missing[active] > 0)]
        step += 1
    return step


def pathway_runs(network: Network, joins: Joins, routes: Routes, ways: Ways) -> tuple[Ints, Codes]:
    """The pathways along each route in order, neighbours not repeated: bounds by route, and pathway numbers.

    A cable that leaves a pathway where it joined it has run along the one that it joined, whatever else meets there.
    """
    bounds, pathways = [0], []
    spans = [_spans(network, e) for e in network.edges_by_chain]
    names_on: dict[tuple[int, int, int], tuple[int, ...]] = {}
    row_bounds, chain, low, high = ways.bounds.tolist(), ways.chain.tolist(), ways.from_nm.tolist(), ways.to_nm.tolist()
    joined = joins.pathway.tolist()
    for route, (a, z) in enumerate(zip(routes.a_join.tolist(), routes.z_join.tolist(), strict=True)):
        along: list[int] = []
        first, last = row_bounds[route], row_bounds[route + 1] - 1
        for i in range(first, last + 1):
            key = (chain[i], low[i], high[i])
            found: tuple[int, ...]
            if low[i] == high[i]:
                found = tuple(joined[join] for join, here in ((a, i == first), (z, i == last)) if here)
            else:
                if key not in names_on:
                    names_on[key] = _pathways_between(spans[chain[i]], low[i], high[i])
                found = names_on[key]
            for pathway in found:
                if not along or along[-1] != pathway:
                    along.append(pathway)
        pathways.extend(along)
        bounds.append(len(pathways))
    return np.array(bounds, np.int64), np.array(pathways, np.int32)


Spans = list[tuple[int, int, int]]


def _spans(network: Network, edges: Ints) -> Spans:
    """Stretches of one chain by pathway: (from, to, pathway) in order of offset."""
    spans: Spans = []
    for e in edges.tolist():
        low = int(min(network.edges.chain_from_nm[e], network.edges.chain_to_nm[e]))
        high, pathway = low + int(network.edges.length_nm[e]), int(network.edges.pathway[e])
        if spans and spans[-1][2] == pathway:
            spans[-1] = (spans[-1][0], high, pathway)
        else:
            spans.append((low, high, pathway))
    return spans


def _pathways_between(spans: Spans, start: int, stop: int) -> tuple[int, ...]:
    low, high = min(start, stop), max(start, stop)
    touched = [p for first, last, p in spans if first < high and last > low]
    return tuple(touched if start <= stop else reversed(touched))
