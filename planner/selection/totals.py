"""What a whole choice is worth: the sums over all links, by which choices that span groups are compared."""

from __future__ import annotations

import numpy as np

from planner.selection.assemblies import assembled, lengths_mm
from planner.selection.best import Problem, reaches_of
from planner.selection.group import Value
from planner.table import Ints


def value_of(problem: Problem, offer: Ints, position: Ints) -> Value:
    """The value of a choice of all links."""
    scales, kinds = problem.objectives, problem.kinds.of_link
    start, width = {}, 0
    for scale in scales:
        start[scale.key] = width
        width += scale.width
    figures = [0] * width
    reach = 0

    def add(scale_kind: int, counts: tuple[int, ...], times: int) -> None:
        begin = start[problem.scales[scale_kind].key]
        for j, count in enumerate(counts):
            figures[begin + j] += count * times

    for kind in np.unique(kinds[(offer < 0) & (kinds >= 0)]).tolist():
        add(kind, problem.scales[kind].without, int(((offer < 0) & (kinds == kind)).sum()))
    for number in np.unique(offer[offer >= 0]).tolist():
        rows = np.flatnonzero(offer == number)
        kind = int(kinds[rows[0]])
        add(kind, problem.scales[kind].of_link(problem.offers[number]), len(rows))
        reach += int(reaches_of(problem.offers[number])[position[rows]].sum())
    for kind, number, end, times in _plugs(problem, offer):
        add(kind, problem.scales[kind].of_plug(problem.offers[number], end), times)
    found = assembled(problem.offers, offer, position, problem.sharing)
    rows = np.flatnonzero(offer >= 0)
    first = rows[np.unique(found.assembly[rows], return_index=True)[1]]
    columns = np.stack((_kinds_of_cables(problem, offer, first), offer[first], found.position[first]))
    for (kind, number, at), times in zip(*_counted(columns), strict=True):
        add(kind, problem.scales[kind].of_cable(problem.offers[number], at), times)
    length = int(lengths_mm(problem.offers, offer, found.position)[first].sum())
    return Value(int((offer < 0).sum()), tuple(figures), length, reach)


def _kinds_of_cables(problem: Problem, offer: Ints, rows: Ints) -> Ints:
    """The kind by whose objective the cable of each row counts: its own, or of a shared one that of its cage's first link."""
    kinds = problem.kinds.of_link
    first, found = problem.sharing.first_links(kinds >= 0), kinds[rows].copy()
    for number in np.unique(offer[rows]).tolist():
        option = problem.offers[number]
        if option.is_shared:
            mine = np.flatnonzero(offer[rows] == number)
            found[mine] = kinds[first[problem.sharing.keeper(option, rows[mine])]]
    return found


def _plugs(problem: Problem, offer: Ints) -> list[tuple[int, int, str, int]]:
    """Plugs, each once: kind of the first link of the cage, an offer that has it, at which end, and how many."""
    sharing, kinds = problem.sharing, problem.kinds.of_link
    first = sharing.first_links(kinds >= 0)
    columns = []
    for number in np.unique(offer[offer >= 0]).tolist():
        rows = np.flatnonzero(offer == number)
        for end, cage in enumerate((sharing.a_cage, sharing.z_cage)):
            plug = np.full(len(rows), int(problem.demands.plug[end, number]), np.int64)
            which = problem.demands.which(number, end, rows, sharing)
            here = np.full((2, len(rows)), [[number], [end]], np.int64)
            columns.append(np.stack((cage[rows], plug, which, *here)))
    if not columns:
        return []
    table = np.concatenate(columns, axis=1)
    _, at = np.unique(table[:3], axis=1, return_index=True)
    once = np.stack((kinds[first[table[0, at]]], table[3, at], table[4, at]))
    return [(kind, number, "az"[end], times) for (kind, number, end), times in zip(*_counted(once), strict=True)]


def _counted(columns: Ints) -> tuple[list[list[int]], list[int]]:
    values, counts = np.unique(columns, axis=1, return_counts=True)
    return values.T.tolist(), counts.tolist()
