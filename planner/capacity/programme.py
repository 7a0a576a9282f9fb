"""The last word on cables that the rounds could not fit: a linear programme over ways, and its whole-number answer.

Every bundle is divided among the paths known for it so that least lies beyond `fail`, then `warn`, then `reroute`, and
detours are short, those of long cables counting more. Paths that would pay at the programme's prices are added until
there are none (column generation).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from planner.capacity.negotiate import Ground, Path, lay, paths_at
from planner.table import Floats, Ints

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_BUNDLES: Final = 3_000
"""Of larger problems only the bundles in contested cells are decided anew, and not even those where they are more."""

FEW_BUNDLES: Final = 300
"""Up to so many bundles are decided anew even where the rounds fitted them all, for shorter detours."""

PRICINGS: Final = 12
"""How often paths are added: enough for every room seen, and a bound on the time."""

NODES: Final = 1_000
"""Nodes of the search for whole numbers. Nodes and not seconds, so that every machine stops at the same place."""

BEYOND: Final = (50.0, 500.0, 5_000.0)
"""What a mean cable beyond `reroute`, `warn` and `fail` costs in each cell; the longest detour costs 1 to 2."""

PAYS: Final = 1e-6


def finish(ground: Ground) -> None:
    """Improve in place what the rounds left."""
    problem = ground.problem
    fits = not (ground.loads > problem.cap).any()
    if fits and len(problem.bundles) > FEW_BUNDLES:
        return
    movable = _contested(ground)
    if not movable:
        return
    before = ground.state()
    least = _badness(ground, movable)
    for bundle in movable:
        ground.take_up(bundle)
    table = _Programme(ground, movable)
    table.complete()
    counts = table.whole() if len(movable) <= FEW_BUNDLES else table.rounded()
    if counts is not None:
        for (bundle, path), count in zip(table.columns, counts.tolist(), strict=True):
            if count:
                ground.add(bundle, path, count)
        lay(ground, table.left(counts))
    if counts is None or _badness(ground, movable) >= least:
        ground.restore(before)


def _contested(ground: Ground) -> list[int]:
    """The bundles to be decided: all of them, or those in cells that are full or were wanted by too many."""
    problem = ground.problem
    count = len(problem.bundles)
    if count <= MOST_BUNDLES:
        return list(range(count))
    tight = (ground.wanted > 0) | (ground.loads + int(problem.bundles.area.max()) > problem.cap)
    found = problem.crossing(tight)
    found[list(ground.laid)] = True
    chosen: list[int] = np.flatnonzero(found).tolist()
    return chosen if len(chosen) <= MOST_BUNDLES else []


def _badness(ground: Ground, bundles: Sequence[int]) -> tuple[int, int, int, int]:
    """What lies beyond the limits, and how long the cables of some bundles are, in mm."""
    problem = ground.problem
    over = [int(np.maximum(0, ground.loads - limit).sum()) for limit in reversed(problem.limits)]
    length = 0
    for bundle in bundles:
        if bundle in ground.laid:
            length += sum(
                ground.paths[bundle][key].length_nm // 1_000_000 * n for key, n in ground.laid[bundle].items()
            )
        else:
            length += int(problem.bundles.length_nm[bundle]) // 1_000_000 * int(problem.bundles.count[bundle])
    return over[0], over[1], over[2], length


class _Programme:
    """Columns are paths of bundles; rows are the cells that they can fill, those with the same columns once.

    weight: how much a detour of each bundle counts, in quarters, 4 for the shortest and 8 for the longest.
    """

    def __init__(self, ground: Ground, movable: Sequence[int]) -> None:
        self.ground, self.movable = ground, list(movable)
        bundles = ground.problem.bundles
        self.columns: list[tuple[int, Path]] = []
        self._known: set[tuple[int, tuple[int, ...]]] = set()
        chosen = np.array(self.movable, np.int64)
        longest = max(1, int(bundles.length_nm[chosen].max()))
        self.weight = dict(zip(self.movable, (4 + 4 * bundles.length_nm[chosen] // longest).tolist(), strict=True))
        self.unit = float(bundles.area[chosen].mean())
        self.line = {bundle: line for line, bundle in enumerate(self.movable)}
        for bundle in self.movable:
            for path in ground.paths[bundle].values():
                self._add(bundle, path)
        self.far_nm = float(longest)
        self._shares: Floats | None = None

    def _add(self, bundle: int, path: Path) -> bool:
        known = (bundle, path.key) in self._known
        if not known:
            self._known.add((bundle, path.key))
            self.columns.append((bundle, path))
        return not known

    def complete(self) -> None:
        """Add paths until none pays, or that has been tried often enough."""
        for _ in range(PRICINGS):
            prices = self._relaxed()
            if prices is None or not self._priced(*prices):
                return
        self._relaxed()

    def _costs(self) -> Floats:
        return np.array([self.weight[b] / 4 * path.length_nm / self.far_nm for b, path in self.columns])

    def _rows(self) -> tuple[csr_array, Ints, Floats]:
        """Area of each column in each row, the cell that stands for the row, and what room there is in it."""
        from scipy.sparse import csr_array

        ground, problem = self.ground, self.ground.problem
        sizes = [len(path.cells) for _, path in self.columns]
        cell = np.concatenate([path.cells for _, path in self.columns])
        column = np.repeat(np.arange(len(self.columns)), sizes)
        area = problem.bundles.area[[b for b, _ in self.columns]]
        most = np.zeros(len(problem.cap), np.int64)
        # Each cable counts once in a cell, however many of its paths run there: an upper bound that leaves out few cells.
        counts = problem.bundles.count[[b for b, _ in self.columns]]
        np.add.at(most, cell, (area * counts)[column])
        tight = np.flatnonzero(ground.loads + most > problem.cap)
        row_of = np.full(len(problem.cap), -1, np.int64)
        row_of[tight] = np.arange(len(tight))
        inside = row_of[cell] >= 0
        matrix = csr_array(
            (area[column[inside]] / self.unit, (row_of[cell[inside]], column[inside])),
            shape=(len(tight), len(self.columns)),
        )
        matrix.sum_duplicates()
        room = np.stack([(limit[tight] - ground.loads[tight]) / self.unit for limit in problem.limits])
        kept = _distinct(matrix, room[0])
        return matrix[kept], tight[kept], room[:, kept]

    def _parts(self) -> tuple[csr_array, csr_array, Floats, Floats, Floats, Ints]:
        """The programme in scipy's form: inequalities, equations, right sides, costs, upper bounds, cells of the rows."""
        from scipy.sparse import csr_array, eye_array, hstack

        matrix, cells, room = self._rows()
        rows, columns = matrix.shape
        least = eye_array(rows, format="csr")
        below = csr_array(hstack([matrix, -least, -least, -least]))
        line = np.array([self.line[b] for b, _ in self.columns], np.int64)
        whole = csr_array((np.ones(columns), (line, np.arange(columns))), shape=(len(self.movable), columns + 3 * rows))
        cost = np.concatenate([self._costs(), *(np.full(rows, price) for price in BEYOND)])
        steps = np.maximum(0.0, np.diff(np.maximum(room, np.minimum(room[0], 0.0)), axis=0))
        most = np.concatenate([np.full(columns, np.inf), *steps, np.full(rows, np.inf)])
        return below, whole, room[0], cost, most, cells

    def _relaxed(self) -> tuple[Ints, Floats, Floats] | None:
        """Rows' cells with their prices, and the price of each bundle, of the programme in fractions."""
        from scipy.optimize import linprog

        below, whole, room, cost, most, cells = self._parts()
        counts = self.ground.problem.bundles.count[self.movable]
        bounds = np.stack((np.zeros(len(most)), most), 1)
        found = linprog(cost, A_ub=below, b_ub=room, A_eq=whole, b_eq=counts, bounds=bounds, method="highs")  # type: ignore[call-overload]
        if found.status != 0:
            return None
        self._shares = found.x[: len(self.columns)]
        return cells, -found.ineqlin.marginals, found.eqlin.marginals

    def _priced(self, cells: Ints, price: Floats, paid: Floats) -> bool:
        """Add every bundle's cheapest path at the prices where it pays; whether any was new."""
        problem = self.ground.problem
        bundles = problem.bundles
        extra = np.zeros(len(problem.cap))
        added = False
        kinds: dict[tuple[int, int], list[int]] = {}
        for bundle in self.movable:
            kinds.setdefault((int(bundles.area[bundle]), self.weight[bundle]), []).append(bundle)
        nothing = np.zeros(len(problem.cap), np.int64)
        for (area, weight), mine in sorted(kinds.items()):
            extra[cells] = price * area / self.unit / (weight / 4) * self.far_nm
            dear = np.rint(np.minimum(extra, 1e13)).astype(np.int64)
            for bundle, offer in zip(mine, paths_at(problem, mine, dear, nothing), strict=True):
                whole = offer.length_nm + float(dear[offer.cells].sum())
                if weight / 4 * whole / self.far_nm < paid[self.line[bundle]] - PAYS:
                    added |= self._add(bundle, offer.path)
        return added

    def rounded(self) -> Ints | None:
        """The whole part of the programme's own answer, which is whole for nearly all bundles."""
        return None if self._shares is None else np.floor(self._shares + 1e-6).astype(np.int64)

    def left(self, counts: Ints) -> list[tuple[int, int]]:
        """The cables of each bundle that no path has taken, in order of the bundles."""
        line = np.array([self.line[b] for b, _ in self.columns], np.int64)
        missing = self.ground.problem.bundles.count[self.movable] - np.bincount(line, counts, len(self.movable))
        return [(self.movable[n], int(missing[n])) for n in np.flatnonzero(missing > 0).tolist()]

    def whole(self) -> Ints | None:
        """How many cables of its bundle each path takes, the best in whole numbers."""
        from scipy.optimize import Bounds, LinearConstraint, milp

        below, whole, room, cost, most, _ = self._parts()
        counts = self.ground.problem.bundles.count[self.movable]
        integral = np.zeros(len(cost), np.int64)
        integral[: len(self.columns)] = 1
        found = milp(
            cost,
            integrality=integral,
            bounds=Bounds(0, most),
            constraints=[LinearConstraint(below, -np.inf, room), LinearConstraint(whole, counts, counts)],
            options={"node_limit": NODES, "mip_rel_gap": 1e-6},
        )
        if found.x is None:
            return None
        taken: Ints = np.rint(found.x[: len(self.columns)]).astype(np.int64)
        line = np.array([self.line[b] for b, _ in self.columns], np.int64)
        return taken if np.array_equal(np.bincount(line, taken, len(counts)), counts) else None


def _distinct(matrix: csr_array, room: Floats) -> Ints:
    """Of rows that bind the same columns, the one with the least room."""
    first: dict[bytes, int] = {}
    for row in range(matrix.shape[0]):
        low, high = matrix.indptr[row], matrix.indptr[row + 1]
        key = matrix.indices[low:high].tobytes()
        other = first.setdefault(key, row)
        if room[row] < room[other]:
            first[key] = row
    return np.array(sorted(first.values()), np.int64)
