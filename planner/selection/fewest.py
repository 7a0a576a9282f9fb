"""Fewest part numbers: which cables, cords and transceivers the links that ask for it are built from.

It is an objective of the plan, not of a link or of a group: a number already needed elsewhere is free. So a set of part
numbers is looked for, and within it everything is chosen as by order of media.

Bound: links of one kind that the same lengths fit are a class, and every class needs all numbers of one of its
alternatives. The fewest numbers that do so, whatever the cages say, are found by trying sets of one number, of two, and
so on; no plan has fewer. Every such set is then chosen from with the cages. If in one of them no link is lost, it is the
optimum, and the best of those of its size by the order of all choices is taken. If the search stops before, what a greedy
cover found is kept, with the size that nothing is below.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from planner.selection.assemblies import assembled
from planner.selection.best import Problem, own_bests
from planner.selection.group import Value
from planner.selection.options import Option
from planner.selection.settle import Fewest, Numbers, group_of_cage, settle
from planner.selection.totals import value_of
from planner.table import Ints

MOST_SETS: Final = 20_000
"""Sets tried by the search."""

MOST_LINKS: Final = 2_000_000
"""Links chosen for while the search judges sets of numbers with their cages."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """A set as chosen from: its value, links without a part, and the numbers in use."""

    value: Value
    lost: Ints
    used: Numbers


def with_fewest_numbers(problem: Problem) -> tuple[Problem, Fewest | None]:
    """The problem narrowed to the set of part numbers, where any kind asks for that."""
    kinds = [n for n, kind in enumerate(problem.kinds.kinds) if kind.wish.objective.name == "part_numbers"]
    if not kinds:
        return problem, None
    return _Numbers(problem, kinds).narrowed()


def numbers_of(option: Option, position: int) -> Numbers:
    """Part numbers that one of an option's lengths takes."""
    plugs = (plug.members[0].part for plug in (option.a_plug, option.z_plug) if plug is not None)
    return frozenset((option.cable.members[int(option.members[position])].part, *plugs))


def _hardest(classes: Iterable[frozenset[Numbers]]) -> list[tuple[Numbers, ...]]:
    """Classes that no other class implies, with the fewest alternatives first: what serves the farthest link serves the nearer."""
    kept: list[frozenset[Numbers]] = []
    for of_class in sorted(classes, key=len):
        if not any(other <= of_class for other in kept):
            kept.append(of_class)
    found = [tuple(sorted(of_class, key=sorted)) for of_class in kept]
    return sorted(found, key=lambda c: (len(c), [sorted(need) for need in c]))


class _Numbers:
    def __init__(self, problem: Problem, kinds: Sequence[int]) -> None:
        self.problem, self.kinds = problem, kinds
        self.rows = np.flatnonzero(np.isin(problem.kinds.of_link, kinds))
        self.classes = _hardest(self._classes())
        self.group = group_of_cage(problem.sharing)
        self.judged: dict[Numbers, _Judged] = {}

    def narrowed(self) -> tuple[Problem, Fewest]:
        everything = frozenset(number for of_class in self.classes for need in of_class for number in need)
        base = self._judge(everything)
        greedy = self._greedy(base)
        # Where cages leave a link without a part that something would fit, its class need not be covered, and no bound holds.
        coverable = not np.isin(self._fitting(), base.lost).any()
        best, bound = self._search(base, greedy) if coverable else (greedy, min(1, len(greedy)))
        return self._only(best), Fewest(self.rows, best, bound)

    def _fitting(self) -> Ints:
        """Links that ask and that something fits."""
        fits = [self.problem.fits[kind] for kind in self.kinds]
        found: Ints = np.concatenate([f.rows[(f.position >= 0).any(axis=0)] for f in fits])
        return found

    def _classes(self) -> Iterator[frozenset[Numbers]]:
        """By class of links that anything fits, the sets of numbers that would serve it."""
        for kind in self.kinds:
            fit, options = self.problem.fits[kind], self.problem.options[kind].options
            if not len(fit.position):
                continue
            for column in np.unique(fit.position, axis=1).T.tolist():
                found = {
                    numbers_of(option, at)
                    for option, first in zip(options, column, strict=True)
                    for at in range(first, len(option.members))
                    if first >= 0
                }
                if found:
                    yield frozenset(found)

    def _only(self, numbers: Numbers) -> Problem:
        """The problem with no other numbers for the links that ask: each option at the next length that is among them."""
        fits = list(self.problem.fits)
        for kind in self.kinds:
            fit = self.problem.fits[kind]
            position = fit.position.copy()
            for k, option in enumerate(self.problem.options[kind].options):
                after = np.full(len(option.members) + 1, -1, np.int64)  # position -1 stays -1
                for at in reversed(range(len(option.members))):
                    after[at] = at if numbers_of(option, at) <= numbers else after[at + 1]
                position[k] = after[fit.position[k]]
            fits[kind] = replace(fit, position=position)
        return replace(self.problem, fits=tuple(fits))

    def _judge(self, numbers: Numbers) -> _Judged:
        if numbers not in self.judged:
            narrowed = self._only(numbers)
            offer, position, _ = settle(narrowed, own_bests(narrowed))
            self.judged[numbers] = _Judged(
                value_of(narrowed, offer, position), np.flatnonzero(offer < 0), self._used(narrowed, offer, position)
            )
        return self.judged[numbers]

    def _used(self, problem: Problem, offer: Ints, position: Ints) -> Numbers:
        found = assembled(problem.offers, offer, position, problem.sharing).position
        rows = self.rows[offer[self.rows] >= 0]
        pairs = np.unique(np.stack((offer[rows], found[rows])), axis=1).T.tolist()
        return frozenset().union(*(numbers_of(problem.offers[number], at) for number, at in pairs))

    def _is_whole(self, judged: _Judged, base: _Judged) -> bool:
        return judged.value.unresolved == base.value.unresolved

    def _greedy(self, base: _Judged) -> Numbers:
        """A cover by what serves most classes a new number, what the cages need beside, and less what can go again."""
        chosen: Numbers = frozenset()
        waiting = list(self.classes)
        while waiting:
            served = [
                sum(any(other <= chosen | need for other in of_class) for of_class in waiting)
                / max(1, len(need - chosen))
                for need in waiting[0]
            ]
            chosen |= waiting[0][served.index(max(served))]
            waiting = [of_class for of_class in waiting if not any(n <= chosen for n in of_class)]
        if not self._is_whole(self._judge(chosen), base) or len(base.used) < len(chosen):
            whole = chosen | base.used
            chosen = whole if self._is_whole(self._judge(whole), base) else base.used
        for number in sorted(chosen):
            fewer = chosen - {number}
            if self._is_whole(self._judge(fewer), base):
                chosen = fewer
        return self._judge(chosen).used

    def _search(self, base: _Judged, greedy: Numbers) -> tuple[Numbers, int]:
        """The best set of the least size, or the greedy one and the size that nothing is below."""
        steps = 0
        judgements = max(20, MOST_LINKS // max(1, len(self.problem.kinds.of_link)))
        for size in range(max((min(map(len, c)) for c in self.classes), default=0), len(greedy) + 1):
            best: tuple[tuple[int, ...], list[str], Numbers] | None = None
            seen: set[Numbers] = set()
            stack: list[Numbers] = [frozenset()]
            while stack:
                have = stack.pop()
                if have in seen:
                    continue
                seen.add(have)
                steps += 1
                if steps > MOST_SETS or len(self.judged) > judgements:
                    return greedy, size
                missing = self._uncovered(have)
                if missing is not None:
                    stack += [have | need for need in missing if len(have | need) <= size]
                    continue
                judged = self._judge(have)
                if self._is_whole(judged, base):
                    v = judged.value
                    key = ((*v.figures, v.stock_mm, v.reach), sorted(have), have)
                    best = key if best is None else min(best, key, key=lambda found: found[:2])
                elif len(have) < size:
                    stack += [have | {number} for number in self._beside(have, judged, base)]
            if best is not None:
                return best[2], size
        return greedy, len(greedy)

    def _uncovered(self, have: Numbers) -> tuple[Numbers, ...] | None:
        """The alternatives of the first class that a set does not serve."""
        return next((c for c in self.classes if not any(need <= have for need in c)), None)

    def _beside(self, have: Numbers, judged: _Judged, base: _Judged) -> list[str]:
        """Numbers of which one must be added: those that the groups of the links now lost could use."""
        lost = np.setdiff1d(judged.lost, base.lost)
        groups = np.unique(self.group[self.problem.sharing.a_cage[lost]])
        mine = np.isin(self.group[self.problem.sharing.a_cage], groups)
        found: set[str] = set()
        for kind in self.kinds:
            fit, options = self.problem.fits[kind], self.problem.options[kind].options
            here = fit.position[:, mine[fit.rows]] if len(fit.position) else fit.position
            for k, option in enumerate(options):
                first = here[k][here[k] >= 0]
                for at in range(int(first.min()), len(option.members)) if len(first) else ():
                    found |= numbers_of(option, at)
        return sorted(found - have)
