"""Where cables turn on their way along the pathways: at corners, at joints, and into and out of risers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import cos, radians
from typing import Final

import numpy as np

from planner.layout import Layout
from planner.pathways.network import Network
from planner.pathways.stretches import RISER, SHIFT, Cells, Stretches, segment_start
from planner.routing.routes import Ways
from planner.table import Floats, Ints, Mask

STRAIGHT: Final = cos(radians(5))
"""What turns by less than five degrees runs on: the rounding of a drawing."""


@dataclass(frozen=True)
class Turns:
    """The ways of one class, and whose fitting leads a cable from each of their stretches to the next.

    radius_um, stated: by pathway, what its fittings give a cable, and whether anybody says so; where two pathways meet, the one
    that states it counts, of two the tighter one.
    """

    layout: Layout
    network: Network
    stretches: Stretches
    cells: Cells
    ways: Ways

    @cached_property
    def radius_um(self) -> Ints:
        return np.array([_given(p.corner_radius.um, p.type.width_mm) for p in self.layout.pathways] or [0], np.int64)

    @cached_property
    def stated(self) -> Mask:
        return np.array([p.corner_radius.um is not None for p in self.layout.pathways] or [False])

    @cached_property
    def _direction(self) -> Floats:
        """Of each stretch, as a unit vector one way or the other; a riser's is upright."""
        s, part = self.stretches, self.network.segments
        found = np.tile(np.array([0.0, 0.0, 1.0]), (len(s), 1))
        flat = np.flatnonzero(s.cell != RISER)
        if len(flat):
            begin = (part.pathway << SHIFT) + segment_start(self.network)
            order = np.argsort(begin, kind="stable")
            at = order[np.searchsorted(begin[order], self.cells.keys[s.cell[flat]], side="right") - 1]
            first, last = part.ends()
            way = (last - first)[at]
            found[flat] = way / np.linalg.norm(way, axis=1)[:, None]
        return found

    def _fitting(self, one: Ints, other: Ints) -> Ints:
        """The pathway whose fitting leads a cable from one stretch to another; -1 where it runs on straight."""
        count = len(self.layout.pathways)
        p, q = self.stretches.pathway[one], self.stretches.pathway[other]
        p, q = np.where(p < count, p, q), np.where(q < count, q, p)
        known = (p < count) & (q < count)
        p, q = np.where(known, p, 0), np.where(known, q, 0)
        only_q = self.stated[q] & ~self.stated[p]
        tighter = (self.stated[q] == self.stated[p]) & (self.radius_um[q] < self.radius_um[p])
        turns = np.abs(np.sum(self._direction[one] * self._direction[other], axis=1)) < STRAIGHT
        return np.where(known & turns, np.where(only_q | tighter, q, p), -1)

    @cached_property
    def _within(self) -> Ints:
        """By stretch, the fitting between it and the one before on its chain."""
        found = np.full(len(self.stretches), -1, np.int64)
        later = np.flatnonzero(np.diff(self.stretches.chain) == 0) + 1
        found[later] = self._fitting(later - 1, later)
        return found

    @cached_property
    def _between(self) -> tuple[Ints, Ints]:
        """Routes that go from one chain to another, and the fitting there."""
        first, last = self.stretches.ranges(self.ways)
        route = np.repeat(np.arange(len(self.ways.bounds) - 1), np.diff(self.ways.bounds))
        some = np.flatnonzero(last > first)  # a piece of no length lies on no stretch
        forward = (self.ways.to_nm >= self.ways.from_nm)[some]
        enters = np.where(forward, first[some], last[some] - 1)
        leaves = np.where(forward, last[some] - 1, first[some])
        same = route[some][1:] == route[some][:-1]
        return route[some][1:][same], self._fitting(leaves[:-1][same], enters[1:][same])

    def by(self, pathway: int) -> Mask:
        """Which routes are led round a turn by a pathway's fittings."""
        first, last = self.stretches.ranges(self.ways)
        marked = np.concatenate(([0], np.cumsum(self._within == pathway)))
        # The boundary before a piece's first stretch is not on it.
        inside = np.where(last > first, marked[last] - marked[np.minimum(first + 1, last)], 0)
        route = np.repeat(np.arange(len(self.ways.bounds) - 1), np.diff(self.ways.bounds))
        count = len(self.ways.bounds) - 1
        found: Mask = np.bincount(route, inside, count) > 0
        routes, fitting = self._between
        found[routes[fitting == pathway]] = True
        return found


def _given(radius_um: int | None, otherwise: int) -> int:
    return otherwise if radius_um is None else radius_um
