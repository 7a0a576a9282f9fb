"""Wishes that span groups: one medium in a tier, then fewest part numbers.

Each medium is tried for the whole tier, everything is chosen again, and the best by the policy stays. Tiers follow one
another in the order of their first links; where no group has links of two such tiers, the result is the optimum.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from planner.selection.best import Problem, own_bests
from planner.selection.fewest import with_fewest_numbers
from planner.selection.group import Value
from planner.selection.settle import Settled, settle
from planner.selection.totals import value_of
from planner.table import Ints

Chosen = tuple[Ints, Ints, Settled]


def chosen(problem: Problem) -> tuple[Problem, Chosen]:
    """The choice with every wish that spans groups, and the problem as these narrow it."""
    tiers: dict[tuple[int, str], list[int]] = {}
    for number, kind in enumerate(problem.kinds.kinds):
        if kind.wish.one_medium:
            tiers.setdefault((kind.fabric, kind.tier), []).append(number)
    for kinds in tiers.values():
        offered = [(option.rank, option.medium) for kind in kinds for option in problem.options[kind].options]
        media = [medium for _, medium in sorted(set(offered))]
        best: tuple[Value, int, Problem] | None = None
        for turn, medium in enumerate(dict.fromkeys(media)):
            narrowed = _only(problem, kinds, medium)
            offer, position, _ = choose_once(narrowed)
            judged = (value_of(narrowed, offer, position), turn, narrowed)
            if best is None or _key(judged) < _key(best):
                best = judged
        if best is not None:
            problem = best[2]
    problem, fewest = with_fewest_numbers(problem)
    offer, position, settled = choose_once(problem)
    return problem, (offer, position, replace(settled, fewest=fewest))


def choose_once(problem: Problem) -> Chosen:
    """Own bests, and groups where they clash."""
    return settle(problem, own_bests(problem))


def _key(judged: tuple[Value, int, Problem]) -> tuple[int, tuple[int, ...], int, int, int]:
    value, turn, _ = judged
    return value.unresolved, value.figures, value.stock_mm, value.reach, turn


def _only(problem: Problem, kinds: list[int], medium: str) -> Problem:
    """The problem with one medium for some kinds."""
    fits = list(problem.fits)
    for kind in kinds:
        barred = np.array([option.medium != medium for option in problem.options[kind].options], bool)
        position = fits[kind].position.copy()
        if len(barred):
            position[barred] = -1
        fits[kind] = replace(fits[kind], position=position)
    return replace(problem, fits=tuple(fits))
