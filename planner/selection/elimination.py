"""The least sum of small tables, exactly.

A sum of tables over a few variables each is least where one variable after the other is put at its best for every
setting of its neighbours (non-serial dynamic programming, bucket elimination). The work grows with the largest table
that arises, not with the number of settings: along chains, rings and trees it is linear. Where a table would grow too
large, a branch and bound search takes over whose bounds come from the same elimination with the tables kept apart
(mini-buckets); it states what it could not prove.

Values are Python integers of any size in arrays of objects, so that nothing is rounded and no order is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

MOST_CELLS: Final = 400_000
"""Cells of the largest table that is still made: some tenths of a second."""

MOST_STEPS: Final = 200_000
"""Settings tried by the search before it stops with what it has."""

MINI_CELLS = 4_000
"""Cells of a table of the bound."""

Values = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Factor:
    """A table over some variables, one axis each in ascending order of variables."""

    scope: tuple[int, ...]
    table: Values

    def at(self, labels: Sequence[int]) -> int:
        value: int = self.table[tuple(labels[v] for v in self.scope)]
        return value


@dataclass(frozen=True, slots=True)
class Minimum:
    """A label for each variable with the sum there; no labels have a sum below `bound`."""

    labels: tuple[int, ...]
    value: int
    bound: int

    @property
    def proven(self) -> bool:
        return self.value == self.bound


def minimum(
    sizes: Sequence[int],
    factors: Sequence[Factor],
    most_cells: int = MOST_CELLS,
    most_steps: int = MOST_STEPS,
) -> Minimum:
    """The labels with the least sum; sizes: number of labels of each variable."""
    order, largest = _order(sizes, factors)
    if largest <= most_cells:
        return _eliminated(sizes, factors, order)
    return _Search(sizes, factors, order, most_steps).run()


def _order(sizes: Sequence[int], factors: Sequence[Factor]) -> tuple[list[int], int]:
    """Variables by the size of the table that their elimination makes, and the largest of those."""
    near: list[set[int]] = [set() for _ in sizes]
    for factor in factors:
        for v in factor.scope:
            near[v].update(factor.scope)
    for v, others in enumerate(near):
        others.discard(v)

    def cells(v: int) -> int:
        return sizes[v] * prod(sizes[w] for w in near[v])

    waiting = [(cells(v), v) for v in range(len(sizes))]
    heapify(waiting)
    known = {v: size for size, v in waiting}
    order: list[int] = []
    largest = 1
    while waiting:
        size, v = heappop(waiting)
        if known.get(v) != size:
            continue  # its neighbours have changed since
        del known[v]
        order.append(v)
        largest = max(largest, size)
        for w in near[v]:
            near[w] |= near[v]
            near[w] -= {v, w}
        for w in near[v]:
            known[w] = cells(w)
            heappush(waiting, (known[w], w))
    return order, largest


def _joined(factors: Sequence[Factor]) -> Factor:
    """The sum of tables over all their variables."""
    scope = tuple(sorted({v for factor in factors for v in factor.scope}))
    total: Any = 0
    for factor in factors:
        shape = [1] * len(scope)
        for v, size in zip(factor.scope, factor.table.shape, strict=True):
            shape[scope.index(v)] = size
        total = total + factor.table.reshape(shape)
    return Factor(scope, np.asarray(total, object))


def _buckets(sizes: Sequence[int], factors: Sequence[Factor], order: Sequence[int]) -> list[list[Factor]]:
    """Each factor with the first of its variables in the order of elimination."""
    turn = {v: i for i, v in enumerate(order)}
    buckets: list[list[Factor]] = [[Factor((v,), np.zeros(sizes[v], object))] for v in range(len(sizes))]
    for factor in factors:
        buckets[min(factor.scope, key=turn.__getitem__)].append(factor)
    return buckets


def _eliminated(sizes: Sequence[int], factors: Sequence[Factor], order: Sequence[int]) -> Minimum:
    turn = {v: i for i, v in enumerate(order)}
    buckets = _buckets(sizes, factors, order)
    best: dict[int, Factor] = {}
    value = 0
    for v in order:
        whole = _joined(buckets[v])
        axis = whole.scope.index(v)
        rest = whole.scope[:axis] + whole.scope[axis + 1 :]
        # The first of equal labels, as argmin finds it: the sum is unique, so equal labels mean the same choice.
        best[v] = Factor(rest, np.asarray(np.argmin(whole.table, axis=axis)))
        least = np.min(whole.table, axis=axis)
        if rest:
            buckets[min(rest, key=turn.__getitem__)].append(Factor(rest, least))
        else:
            value += int(least)
    labels = [0] * len(sizes)
    for v in reversed(order):
        labels[v] = best[v].at(labels)
    return Minimum(tuple(int(label) for label in labels), value, value)


@dataclass
class _Search:
    """Depth first, variables in reverse order of elimination, best labels first."""

    sizes: Sequence[int]
    factors: Sequence[Factor]
    order: Sequence[int]
    most_steps: int
    steps: int = 0
    best: tuple[int, ...] = ()
    best_value: int | None = None
    _buckets: list[list[Factor]] = field(default_factory=list)
    _sent: list[list[Factor]] = field(default_factory=list)

    def run(self) -> Minimum:
        bound = self._mini_buckets()
        turns = list(reversed(self.order))
        labels = [0] * len(self.sizes)
        stack: list[Iterator[tuple[int, int]]] = [iter(self._labels(turns[0], labels, bound))]
        open_bound: int | None = None
        while stack:
            v = turns[len(stack) - 1]
            value, label = next(stack[-1], (None, 0))
            if value is None or (self.best_value is not None and value >= self.best_value):
                stack.pop()  # labels come in order of their bounds
                continue
            if self.steps >= self.most_steps and self.best_value is not None:
                open_bound = value if open_bound is None else min(open_bound, value)
                stack.pop()
                continue
            self.steps += 1
            labels[v] = label
            if len(stack) == len(turns):
                self.best, self.best_value = tuple(labels), value
            else:
                stack.append(iter(self._labels(turns[len(stack)], labels, value)))
        assert self.best_value is not None
        return Minimum(self.best, self.best_value, self.best_value if open_bound is None else open_bound)

    def _mini_buckets(self) -> int:
        """Fill the buckets and what they send on; what no variable is left in is the bound of everything."""
        turn = {v: i for i, v in enumerate(self.order)}
        self._buckets = _buckets(self.sizes, self.factors, self.order)
        self._sent = [[] for _ in self.sizes]
        constant = 0
        for v in self.order:
            for part in self._parts(self._buckets[v]):
                whole = _joined(part)
                axis = whole.scope.index(v)
                rest = whole.scope[:axis] + whole.scope[axis + 1 :]
                message = Factor(rest, np.asarray(np.min(whole.table, axis=axis), object))
                self._sent[v].append(message)
                if rest:
                    self._buckets[min(rest, key=turn.__getitem__)].append(message)
                else:
                    constant += int(message.table)
        return constant

    def _parts(self, bucket: Sequence[Factor]) -> list[list[Factor]]:
        """The bucket in parts whose tables stay small, the widest factors first."""
        parts: list[tuple[set[int], list[Factor]]] = []
        for factor in sorted(bucket, key=lambda f: -len(f.scope)):
            for scope, members in parts:
                if prod(self.sizes[w] for w in scope.union(factor.scope)) <= MINI_CELLS:
                    scope.update(factor.scope)
                    members.append(factor)
                    break
            else:
                parts.append((set(factor.scope), [factor]))
        return [members for _, members in parts]

    def _labels(self, v: int, labels: list[int], bound: int) -> list[tuple[int, int]]:
        """Labels of a variable with the bound of each, the best first; earlier variables are set."""
        base = bound - sum(message.at(labels) for message in self._sent[v])
        found = []
        for label in range(self.sizes[v]):
            labels[v] = label
            found.append((base + sum(factor.at(labels) for factor in self._buckets[v]), label))
        return sorted(found)
