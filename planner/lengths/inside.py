"""Ways between two ports of one rack: port, manager, port, with one crossing where they keep to opposite sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from planner.catalog.racks import Manager, RackType
from planner.locate import Places, side_of, ways_out
from planner.table import Ints, Mask
from planner.units import mm_half_up_array

_UM_PER_MM: Final = 1_000


def as_either_way(a: Places, z: Places, a_own_um: Ints, shared_um: Ints, z_own_um: Ints) -> tuple[Ints, Ints]:
    """The two terms of a run inside a rack; the shared run counts at a, yet the sum is the same from either end.

    Rounding each end by itself could make a link a millimetre longer when its ends are written the other way round. So
    the sum is that of the lower end's turn as a, and where a is the upper end, z takes up the difference.
    """
    a_first = (a.z_um < z.z_um) | ((a.z_um == z.z_um) & (a_own_um <= z_own_um))
    first, second = np.where(a_first, a_own_um, z_own_um), np.where(a_first, z_own_um, a_own_um)
    whole_mm = mm_half_up_array(first + shared_um) + mm_half_up_array(second)
    a_um = a_own_um + shared_um
    return a_um, np.where(a_first, z_own_um, (whole_mm - mm_half_up_array(a_um)) * _UM_PER_MM)


def out_um(place: Places, manager_x_um: Ints | int, manager_depth_um: Ints | int, standoff_um: Ints | int) -> Ints:
    """From a port to the column of a manager: standoff, across, and in depth along the way out."""
    depth, x = place.depth_um + place.outward * standoff_um, place.x_um + place.sideways * standoff_um
    return standoff_um + np.abs(manager_x_um - x) + np.abs(manager_depth_um - depth)


@dataclass(frozen=True, slots=True)
class InsideRun:
    """A way in the managers: from the manager of a's side, over nothing or one crossing, to the manager of z's side.

    a_level_um, z_level_um: where the crossing leaves and enters the managers; None where one manager serves both, or
    where cables pass sideways at any height. across_um: of the crossing, in plan and in height.
    """

    a: Manager
    z: Manager
    a_level_um: int | None
    z_level_um: int | None
    across_um: int

    def fits(self, a_side: Ints, z_side: Ints, a_kind: RackType, z_kind: RackType) -> Mask:
        """Which links may take it: a cage takes the managers of its side, or any where its rack has none there."""
        result: Mask = np.isin(a_side, served_by(self.a, a_kind)) & np.isin(z_side, served_by(self.z, z_kind))
        return result

    def turned(self) -> InsideRun:
        """The same way from z to a."""
        return InsideRun(self.z, self.a, self.z_level_um, self.a_level_um, self.across_um)

    def lengths_um(self, a: Places, z: Places, a_standoff: int, z_standoff: int) -> tuple[Ints, Ints, Ints]:
        """What is a's alone, what both share, and what is z's alone."""
        a_out = out_um(a, self.a.x_mm, self.a.y_mm, a_standoff)
        z_out = out_um(z, self.z.x_mm, self.z.y_mm, z_standoff)
        across = np.full(len(a), self.across_um, np.int64)
        if self.a_level_um is None or self.z_level_um is None:
            return a_out, across + np.abs(a.z_um - z.z_um), z_out
        return a_out + np.abs(a.z_um - self.a_level_um), across, np.abs(z.z_um - self.z_level_um) + z_out


def served_by(manager: Manager, kind: RackType) -> list[int]:
    """The sides of a rack whose cages take a manager: its own, and one that has none."""
    sides = {side_of(other) for other in kind.managers}
    return [side for side in (-1, 1) if side == side_of(manager) or side not in sides]


def runs_inside(kind: RackType) -> Iterator[InsideRun]:
    """By one manager, whether it has an exit or not; then across between two sides."""
    managers = managers_in_order(kind)
    for manager in managers:
        yield InsideRun(manager, manager, None, None, 0)
    yield from crossings(kind, managers)


def managers_in_order(kind: RackType) -> list[Manager]:
    """Managers in order of their exits' names, those without an exit last: of equal runs the first is taken."""
    return list(dict.fromkeys((*(way.manager for way in ways_out(kind)), *kind.managers)))


def crossings(kind: RackType, managers: list[Manager]) -> Iterator[InsideRun]:
    """From a manager of one side to one of the other: over two exits, or by a cross-manager."""
    ways = ways_out(kind)
    for a in ways:
        for z in (way for way in ways if way.side != a.side):
            across = (
                a.sideways_um
                + z.sideways_um
                + abs(a.exit.x_mm - z.exit.x_mm)
                + abs(a.exit.y_mm - z.exit.y_mm)
                + abs(a.exit.z_mm - z.exit.z_mm)
            )
            yield InsideRun(a.manager, z.manager, a.exit.z_mm, z.exit.z_mm, across)
    for first in managers:
        for second in (m for m in managers if side_of(m) != side_of(first)):
            for cross in kind.cross_managers:
                sideways = abs(first.x_mm - second.x_mm)
                depth = abs(first.y_mm - cross.y_mm) + abs(second.y_mm - cross.y_mm)
                yield InsideRun(first, second, cross.z_mm, cross.z_mm, sideways + depth)
