"""Where the two sides of an entry of `policy.diversity` share a pathway after all, and whether they have to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from planner.lengths.measure import Lengths, Measure
from planner.pathways.stretches import SHIFT
from planner.project import CLASSES, CableClass
from planner.table import Ints, Mask

MOST_ASKED: Final = 32
"""Shared runs for which it is tried whether there is a way without them."""


@dataclass(frozen=True, slots=True)
class SharedRun:
    """A run of a pathway that both sides use. forced: neither side has a way without it; links: rows that lie in it."""

    pathway: int
    from_nm: int
    to_nm: int
    forced: bool
    links: Ints


def shared_runs(measure: Measure, lengths: Lengths, class_of_link: Ints, entry: int) -> Iterator[SharedRun]:
    """Every run of a pathway that both sides of an entry use, in order of pathway and offset.

    class_of_link: number of the class of each link's cable, -1 for links without one.
    """
    cells, fields = measure.ground
    sides = [_links_of(measure, group) & (lengths.route >= 0) for group in (2 * entry, 2 * entry + 1)]
    used = []
    for side in sides:
        total = np.zeros(len(cells), np.int64)
        for number, cable_class in enumerate(CLASSES):
            rows = np.flatnonzero(side & (class_of_link == number))
            routed = measure.routes(cable_class)
            count = np.bincount(lengths.route[rows], minlength=len(routed.routes))
            total += fields[cable_class].stretches.laid(routed.ways, count, len(cells))
        used.append(total > 0)
    both = np.flatnonzero(used[0] & used[1])
    ends = np.flatnonzero((np.diff(both) != 1) | (np.diff(cells.pathway[both]) != 0))
    for number, run in enumerate(np.split(both, ends + 1) if len(both) else ()):
        inside = np.zeros(len(cells), bool)
        inside[run] = True
        forced = number < MOST_ASKED and all(_needed(measure, lengths, class_of_link, side, inside) for side in sides)
        touching = _touching(measure, lengths, class_of_link, sides[0] | sides[1], inside)
        start, stop = int(cells.keys[run[0]]), int(cells.keys[run[-1] + 1])
        mask = (1 << SHIFT) - 1
        yield SharedRun(int(cells.pathway[run[0]]), start & mask, stop & mask, forced, touching)


def _links_of(measure: Measure, group: int) -> Mask:
    mine = np.array([group in steering.groups for steering in measure.rules.steerings])
    found: Mask = mine[measure.rules.of_link]
    return found


def _touching(measure: Measure, lengths: Lengths, class_of_link: Ints, side: Mask, inside: Mask) -> Ints:
    """Rows of a side's links whose cables lie in some cells."""
    found = [np.zeros(0, np.int64)]
    for number, cable_class in enumerate(CLASSES):
        rows = np.flatnonzero(side & (class_of_link == number))
        if len(rows):
            found.append(rows[_crossing(measure, cable_class, inside)[lengths.route[rows]]])
    return np.sort(np.concatenate(found))


def _crossing(measure: Measure, cable_class: CableClass, inside: Mask) -> Mask:
    """Routes of a class that run through some cells."""
    return measure.ground[1][cable_class].crossing(measure.routes(cable_class).ways)(inside)


def _needed(measure: Measure, lengths: Lengths, class_of_link: Ints, side: Mask, inside: Mask) -> bool:
    """Whether some link of a side has no way that keeps out of some cells."""
    for number, cable_class in enumerate(CLASSES):
        rows = _touching(measure, lengths, np.where(class_of_link == number, number, -1), side, inside)
        field, routed = measure.ground[1][cable_class], measure.routes(cable_class)
        barred = inside[field.stretches.cell] & (field.stretches.cell >= 0)
        for steering in np.unique(measure.rules.of_link[rows]).tolist():
            mine = rows[measure.rules.of_link[rows] == steering]
            route = np.unique(lengths.route[mine])
            # Every exit of the racks may be taken instead; a route without them is needed only where all of them fail.
            first, second = routed.routes.a_drop[route], routed.routes.z_drop[route]
            ways, _ = field.routed(
                np.unique(first * field.drop_count + second),
                field.costs(measure.rules.steerings[steering], barred=barred),
            )
            if (ways.a_join < 0).any():
                return True
    return False
