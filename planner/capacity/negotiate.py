"""Ways for cables that do not fit where they lie, found by rounds in the manner of PathFinder's negotiation.

Each round takes up every cable in a cell that holds too much and lays it anew, the longest first, around cells that are
full. A cell that was wanted by too many grows dearer from round to round, so that cables with another way leave it to
those without. Everything is decided by costs, length and order of links, so it comes out the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from planner.capacity.problem import NO_CELL, Problem
from planner.pathways.stretches import RISER
from planner.routing.routes import NO_WAY, Router, Routes, Ways, ways_of
from planner.table import Ints, Mask

ROUNDS: Final = 8
"""Rounds of taking up and laying anew."""

MOST_LAYINGS: Final = 10_000
"""Bundles laid anew after which no further round begins: a room that is much too full is not worth more time."""

NEARLY: Final = 100
LAYINGS_IF_NEARLY: Final = 30_000
"""The same where less than a hundredth is left of what lay beyond `reroute` at the start: that is worth finishing."""

IDLE_ROUNDS: Final = 3
"""Rounds without gain after which no more are tried."""

PASSES: Final = 10
"""How often, in a round, the cables that found no room are routed again around what has filled up meanwhile."""

MANY: Final = 1_000
"""Where more bundles than this wait, passes end when one has fitted in less than a tenth of them: each searches for all."""

FULL_NM: Final = 200_000_000_000
"""What a full cell costs beside its length: 200 m, more than any way around."""

RESERVE_NM: Final = 5_000_000_000
"""What a cell beyond a limit costs where no way keeps below it."""

WANTED_NM: Final = 2_000_000_000
"""What a cell costs for each round in which too many wanted it."""


@dataclass(frozen=True, eq=False)
class Path:
    """A way of the cables of one bundle.

    cells: that it fills. length_nm: from port to port. route: a row of Routes; pieces: of Ways (chain, from, to); both
    None for the way on which the bundle was found.
    """

    key: tuple[int, ...]
    cells: Ints
    length_nm: int
    route: tuple[int, ...] | None = None
    pieces: tuple[Ints, Ints, Ints] | None = None


Laid = dict[int, dict[tuple[int, ...], int]]
"""By bundle, how many of its cables lie on which path (by key); bundles that were never taken up are absent."""


@dataclass(eq=False)
class Ground:
    """What is known while ways are sought: the problem, the paths found so far, and what each cell holds now."""

    problem: Problem
    loads: Ints
    wanted: Ints
    paths: dict[int, dict[tuple[int, ...], Path]] = field(default_factory=dict)
    laid: Laid = field(default_factory=dict)

    @classmethod
    def of(cls, problem: Problem) -> Ground:
        return cls(problem, problem.loads.copy(), np.zeros(len(problem.cap), np.int64))

    def add(self, bundle: int, path: Path, count: int) -> None:
        """Lay cables of a bundle on a path (or take them up: a negative count)."""
        known = self.paths.setdefault(bundle, {}).setdefault(path.key, path)
        self.loads[known.cells] += count * int(self.problem.bundles.area[bundle])
        for group in self._groups(bundle):
            self.problem.claims[group, known.cells] += count
        here = self.laid.setdefault(bundle, {})
        here[path.key] = here.get(path.key, 0) + count
        if not here[path.key]:
            del here[path.key]

    def take_up(self, bundle: int) -> int:
        """All cables of a bundle, which then lie nowhere."""
        if bundle not in self.laid:
            path = present_path(self.problem, bundle)
            self.paths.setdefault(bundle, {})[path.key] = path
            self.laid[bundle] = {path.key: int(self.problem.bundles.count[bundle])}
        taken = 0
        for key, count in list(self.laid[bundle].items()):
            self.add(bundle, self.paths[bundle][key], -count)
            taken += count
        return taken

    def _groups(self, bundle: int) -> tuple[int, ...]:
        return self.problem.measure.rules.steerings[int(self.problem.bundles.steering[bundle])].groups

    def room(self, bundle: int, cells: Ints, level: int) -> int:
        """How many more cables of a bundle fit into all of some cells up to a limit (0 `reroute`, 1 `warn`, 2 `fail`)."""
        if not len(cells):
            return 1 << 30
        barred = self.problem.barred(int(self.problem.bundles.steering[bundle])) if self._groups(bundle) else None
        if barred is not None and barred[cells].any():
            return 0
        free = int((self.problem.limits[level, cells] - self.loads[cells]).min())
        return max(0, free // int(self.problem.bundles.area[bundle]))

    def badness(self) -> tuple[int, int, int, int]:
        """What lies beyond `fail`, `warn` and `reroute`, and how long all cables that were moved are, in mm."""
        over = [int(np.maximum(0, self.loads - limit).sum()) for limit in reversed(self.problem.limits)]
        length = sum(
            self.paths[bundle][key].length_nm // 1_000_000 * count
            for bundle, keys in self.laid.items()
            for key, count in keys.items()
        )
        return over[0], over[1], over[2], length

    def state(self) -> Laid:
        return {bundle: dict(keys) for bundle, keys in self.laid.items()}

    def restore(self, state: Laid) -> None:
        """Lay everything as it lay; what was taken up since then goes back to where it was found."""
        for bundle in list(self.laid):
            self.take_up(bundle)
            if bundle in state:
                for key, count in state[bundle].items():
                    self.add(bundle, self.paths[bundle][key], count)
            else:
                self.add(bundle, present_path(self.problem, bundle), int(self.problem.bundles.count[bundle]))


def negotiated(problem: Problem) -> Ground:
    """The best that the rounds found."""
    ground = Ground.of(problem)
    best, least, idle = ground.state(), ground.badness()[:3], 0
    least_length = layings = 0
    nearly = least[2] // NEARLY
    for number in range(ROUNDS):
        over = ground.loads > problem.cap
        most = LAYINGS_IF_NEARLY if least[2] < nearly else MOST_LAYINGS
        if not over.any() or idle == IDLE_ROUNDS or layings > most:
            break
        moving = _in_cells(ground, over)
        if not moving:
            break
        layings += len(moving)
        if number:
            ground.wanted += over
        lay(ground, [(bundle, ground.take_up(bundle)) for bundle in moving])
        *beyond, length = ground.badness()
        idle += 1
        if tuple(beyond) < least or (tuple(beyond) == least and length < least_length):
            best, idle = ground.state(), 0
            least, least_length = (beyond[0], beyond[1], beyond[2]), length
    if idle:
        ground.restore(best)
    return ground


def _in_cells(ground: Ground, cells: Mask) -> list[int]:
    """Bundles that lie in any of some cells, in their order."""
    found = ground.problem.crossing(cells)
    for bundle, keys in ground.laid.items():
        found[bundle] = any(bool(cells[ground.paths[bundle][key].cells].any()) for key in keys)
    return np.flatnonzero(found).tolist()


def lay(ground: Ground, waiting: Sequence[tuple[int, int]]) -> None:
    """Lay cables of bundles, each on its cheapest way up to `reroute`; what finds no room there up to `warn`, then `fail`.

    Cables that find no room on their way look again when the others have lain down.
    """
    bundles = ground.problem.bundles
    for level in range(len(ground.problem.limits)):
        for _ in range(PASSES):
            if not waiting:
                return
            largest = int(bundles.area[[bundle for bundle, _ in waiting]].max())
            offers = cheapest(ground, [bundle for bundle, _ in waiting], largest, level)
            free = ground.problem.limits[level] - ground.loads
            left = []
            for (bundle, count), offer in zip(waiting, offers, strict=True):
                # Cells only fill up in a pass: where none of it was free at its start there is nothing to look at.
                fits = 0
                if offer.ways.free(offer.line, free) >= bundles.area[bundle]:
                    fits = min(count, ground.room(bundle, offer.cells, level))
                if fits:
                    ground.add(bundle, offer.path, fits)
                if count > fits:
                    left.append((bundle, count - fits))
            stuck = left == list(waiting) or 10 * len(left) > 9 * len(waiting) > 9 * MANY
            waiting = left
            if stuck:
                break
    last = len(ground.problem.limits) - 1
    offers = cheapest(ground, [bundle for bundle, _ in waiting], 0, last) if waiting else []
    for (bundle, count), offer in zip(waiting, offers, strict=True):
        ground.add(bundle, offer.path, count)


def cheapest(ground: Ground, wanted: Sequence[int], size: int, level: int) -> list[Offer]:
    """The cheapest path of each bundle, around cells without room for a cable of some size (um2) up to a limit.

    Cells beyond the lower limits are taken only where the way around them is long.
    """
    extra = ground.wanted * WANTED_NM
    for lower in range(level + 1):
        full = ground.loads + max(size, 1) > ground.problem.limits[lower]
        extra = extra + full * (FULL_NM if lower == level else RESERVE_NM)
    return paths_at(ground.problem, wanted, extra, ground.wanted)


def paths_at(problem: Problem, wanted: Sequence[int], extra_nm: Ints, dearer: Ints) -> list[Offer]:
    """The cheapest path of each bundle where each cell costs its length, sixteenths more of it, and something extra."""
    bundles = problem.bundles
    chosen = np.array(wanted, np.int64)
    found: dict[int, Offer] = {}
    groups = np.unique(np.stack((bundles.net[chosen], bundles.steering[chosen])), axis=1).T.tolist()
    for net, steering in groups:
        mine = chosen[(bundles.net[chosen] == net) & (bundles.steering[chosen] == steering)]
        found.update(zip(mine.tolist(), _paths(problem, net, steering, mine, extra_nm, dearer), strict=True))
    return [found[bundle] for bundle in wanted]


def _paths(problem: Problem, net_number: int, steering: int, wanted: Ints, extra_nm: Ints, dearer: Ints) -> list[Offer]:
    net, bundles, measure = problem.nets[net_number], problem.bundles, problem.measure
    area = net.field
    cell, flat = area.stretches.cell, area.stretches.cell != RISER
    barred = problem.barred(steering)
    costs = area.costs(
        measure.rules.steerings[steering],
        times=np.where(flat, 16 + dearer[cell], 16),
        barred=None if barred is None else flat & barred[cell],
        extra=np.where(flat, extra_nm[cell], 0),
    )
    router = Router(area.network, area.joins, area.drop_count, costs)
    count = max(1, area.drop_count)
    a_drops, z_drops = bundles.a_drops[wanted], bundles.z_drops[wanted]
    asked, places = [], []
    for i in range(a_drops.shape[1]):
        for k in range(z_drops.shape[1]):
            there = (a_drops[:, i] >= 0) & (z_drops[:, k] >= 0)
            keys, _ = measure.pair_key(np.maximum(a_drops[:, i], 0), np.maximum(z_drops[:, k], 0))
            asked.append(np.where(there, keys, -1))
            places.append((i, k))
    keys = np.unique(np.concatenate(asked))
    keys = keys[keys >= 0]
    routes = router.routes(keys // count, keys % count)
    best = np.full(len(wanted), NO_WAY, np.int64)
    pick, combination = np.full(len(wanted), -1, np.int64), np.zeros(len(wanted), np.int64)
    for number, (pair, (i, k)) in enumerate(zip(asked, places, strict=True)):
        at = np.searchsorted(keys, np.maximum(pair, 0))
        at = np.minimum(at, len(keys) - 1)
        known = (pair >= 0) & (routes.a_join[at] >= 0)
        cost = np.where(known, routes.cost_nm[at], 0) + np.where(known, routes.a_rise_nm[at] + routes.z_rise_nm[at], 0)
        cost = cost + bundles.a_in_nm[wanted, i] + bundles.z_in_nm[wanted, k]
        for drops in (a_drops[:, i], z_drops[:, k]):
            neck = problem.neck[drops]
            cost = cost + np.where(neck >= 0, extra_nm[neck], 0)
        better = known & (cost < best)
        best[better], pick[better], combination[better] = cost[better], at[better], number
    ways = _Ways.of(problem, net_number, router, routes, wanted, pick, np.array(places, np.int64)[combination])
    return [Offer(ways, line) for line in range(len(wanted))]


@dataclass(frozen=True, slots=True)
class Offer:
    """One line of a search, spelled out as a path only where it is taken."""

    ways: _Ways
    line: int

    @property
    def cells(self) -> Ints:
        return self.ways.cells(self.line)

    @property
    def length_nm(self) -> int:
        return self.ways.length_nm(self.line)

    @property
    def path(self) -> Path:
        return self.ways.path(self.line)


@dataclass(frozen=True, eq=False)
class _Ways:
    """What a search found for some bundles. route: row of routes and ways, -1 where there is no way; exits: its choice."""

    problem: Problem
    bundle: Ints
    route: Ints
    exits: Ints
    routes: Routes
    ways: Ways
    run_nm: Ints
    cells_of_route: list[Ints]
    necks: Ints

    @classmethod
    def of(
        cls, problem: Problem, net_number: int, router: Router, routes: Routes, wanted: Ints, pick: Ints, exits: Ints
    ) -> _Ways:
        stretches = problem.nets[net_number].field.stretches
        used = np.unique(pick[pick >= 0])
        taken = routes.take(used)
        ways = ways_of(router, taken) if len(taken) else _NO_WAYS
        run = np.zeros(len(taken), np.int64)
        np.add.at(run, np.repeat(np.arange(len(taken)), np.diff(ways.bounds)), np.abs(ways.to_nm - ways.from_nm))
        lines = np.arange(len(wanted))
        drops = problem.bundles.a_drops[wanted][lines, exits[:, 0]], problem.bundles.z_drops[wanted][lines, exits[:, 1]]
        route = np.where(pick >= 0, np.searchsorted(used, pick), -1)
        cells = stretches.cells_along(ways)
        return cls(problem, wanted, route, exits, taken, ways, run, cells, problem.neck[np.stack(drops, 1)])

    @cached_property
    def _flat(self) -> tuple[Ints, Ints]:
        """The cells of all routes one after the other, and where each begins."""
        sizes = np.array([len(cells) for cells in self.cells_of_route], np.int64)
        return np.concatenate([*self.cells_of_route, np.zeros(1, np.int64)]), np.cumsum(sizes) - sizes

    def free(self, line: int, free_um2: Ints) -> int:
        """The least area that was free on the route of a line when `free_um2` was first asked with."""
        if self._least is None:
            flat, begin = self._flat
            least = np.minimum.reduceat(free_um2[flat], begin) if len(begin) else np.zeros(0, np.int64)
            object.__setattr__(self, "_least", least.tolist())
        assert self._least is not None
        number = int(self.route[line])
        return 1 << 60 if number < 0 or not len(self.cells_of_route[number]) else self._least[number]

    _least: list[int] | None = None

    def cells(self, line: int) -> Ints:
        """What a line's path fills."""
        if self.route[line] < 0:
            return present_path(self.problem, int(self.bundle[line])).cells
        cells, necks = self.cells_of_route[int(self.route[line])], self.necks[line]
        return np.concatenate((cells, necks[necks != NO_CELL])) if (necks != NO_CELL).any() else cells

    def length_nm(self, line: int) -> int:
        """A line's path from port to port."""
        bundle, number = int(self.bundle[line]), int(self.route[line])
        if number < 0:
            return int(self.problem.bundles.length_nm[bundle])
        i, k = self.exits[line].tolist()
        rises = int(self.routes.a_rise_nm[number]) + int(self.routes.z_rise_nm[number])
        inside = int(self.problem.bundles.a_in_nm[bundle, i] + self.problem.bundles.z_in_nm[bundle, k])
        return int(self.run_nm[number]) + rises + inside

    def path(self, line: int) -> Path:
        """A line as a path; a bundle without a way stays where it was found."""
        bundle, number = int(self.bundle[line]), int(self.route[line])
        if number < 0:
            return present_path(self.problem, bundle)
        taken, ways = self.routes, self.ways
        run, rises = int(self.run_nm[number]), (int(taken.a_rise_nm[number]), int(taken.z_rise_nm[number]))
        low, high = int(ways.bounds[number]), int(ways.bounds[number + 1])
        pieces = (ways.chain[low:high], ways.from_nm[low:high], ways.to_nm[low:high])
        ends = tuple(int(getattr(taken, name)[number]) for name in ("a_drop", "z_drop", "a_join", "z_join"))
        row = (*ends, int(taken.turn[number]), rises[0], run, rises[1], run)
        return Path(key_of(ends, pieces), self.cells(line), self.length_nm(line), row, pieces)


_NO_WAYS: Final = Ways(np.zeros(1, np.int64), *np.zeros((3, 0), np.int64))


def key_of(ends: tuple[int, ...], pieces: tuple[Ints, Ints, Ints]) -> tuple[int, ...]:
    """Drops and joins, and where the way leaves each chain: ways of equal keys are one."""
    chain, start, stop = (column.tolist() for column in pieces)
    return (*ends, *chain, *start, *stop)


def present_path(problem: Problem, bundle: int) -> Path:
    """The way on which a bundle was found."""
    bundles = problem.bundles
    net, route = problem.nets[int(bundles.net[bundle])], int(bundles.route[bundle])
    routes, ways = net.routed.routes, net.routed.ways
    low, high = int(ways.bounds[route]), int(ways.bounds[route + 1])
    pieces = (ways.chain[low:high], ways.from_nm[low:high], ways.to_nm[low:high])
    necks = problem.neck[[int(routes.a_drop[route]), int(routes.z_drop[route])]]
    ends = tuple(int(getattr(routes, name)[route]) for name in ("a_drop", "z_drop", "a_join", "z_join"))
    along = problem.cells_of_routes[int(bundles.net[bundle])][route]
    cells = np.concatenate((along, necks[necks != NO_CELL]))
    return Path(key_of(ends, pieces), cells, int(bundles.length_nm[bundle]))
