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
    for kind, number, end, plugged, times in _plugs(problem, offer):
        add(kind, problem.scales[kind].of_plug(problem.offers[number], end, on_hand=plugged), times)
    found = assembled(problem.offers, offer, position, problem.sharing)
    rows = np.flatnonzero(offer >= 0)
    first = rows[np.unique(found.assembly[rows], return_index=True)[1]]
    from_shelf = np.zeros(len(first), bool)
    for number, at in np.unique(np.stack((offer[first], found.position[first])), axis=1).T.tolist():
        mine = np.flatnonzero((offer[first] == number) & (found.position[first] == at))
        from_shelf[mine] = problem.shelf.cable(problem.offers[number], at, first[mine])
    columns = np.stack((_kinds_of_cables(problem, offer, first), offer[first], found.position[first], from_shelf))
    for (kind, number, at, from_stock), times in zip(*_counted(columns), strict=True):
        add(kind, problem.scales[kind].of_cable(problem.offers[number], at, on_hand=bool(from_stock)), times)
    length = int(lengths_mm(problem.offers, offer, found.position)[first].sum())
    return Value(int((offer < 0).sum()), tuple(figures), length, reach)


def _kinds_of_cables(problem: Problem, offer: Ints, rows: Ints) -> Ints:
    """The kind by whose objective the cable of each row counts: its own, or of a shared one that of the first link there."""
    kinds = problem.kinds.of_link
    found = kinds[rows].copy()
    for number in np.unique(offer[rows]).tolist():
        option = problem.offers[number]
        if option.is_shared and len(problem.objectives) > 1:
            mine = np.flatnonzero(offer[rows] == number)
            found[mine] = kinds[problem.sharing.keepers(option, rows[mine], np.flatnonzero(kinds >= 0))]
    return found


def _plugs(problem: Problem, offer: Ints) -> list[tuple[int, int, str, bool, int]]:
    """Plugs, each once: kind of the first link of the cage, an offer that has it, at which end, whether from stock, how many."""
    sharing, kinds = problem.sharing, problem.kinds.of_link
    first = sharing.first_links(kinds >= 0)
    columns = []
    for number in np.unique(offer[offer >= 0]).tolist():
        rows = np.flatnonzero(offer == number)
        for end, cage in enumerate((sharing.a_cage, sharing.z_cage)):
            plug = np.full(len(rows), int(problem.demands.plug[end, number]), np.int64)
            which = problem.demands.which(number, end, rows, sharing)
            option = problem.offers[number]
            from_stock = problem.shelf.plug(option.z_plug if end else option.a_plug, cage[rows])
            here = np.stack((np.full(len(rows), number), np.full(len(rows), end), from_stock))
            columns.append(np.stack((cage[rows], plug, which, *here)))
    if not columns:
        return []
    table = np.concatenate(columns, axis=1)
    _, at = np.unique(table[:3], axis=1, return_index=True)
    once = np.stack((kinds[first[table[0, at]]], table[3, at], table[4, at], table[5, at]))
    return [
        (kind, number, "az"[end], bool(from_stock), times)
        for (kind, number, end, from_stock), times in zip(*_counted(once), strict=True)
    ]


def _counted(columns: Ints) -> tuple[list[list[int]], list[int]]:
    values, counts = np.unique(columns, axis=1, return_counts=True)
    return values.T.tolist(), counts.tolist()
