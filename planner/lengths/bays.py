"""Racks that stand side by side without a wall between them: cables pass sideways from manager to manager.

Two racks are open to each other where all racks from the one to the other touch, look the same way and are open at the
side (`baying_open`), and neither's `bay_max` is less than the steps between them. The way leads from a's port to the
manager that faces z, sideways in a straight line to the manager that faces a, and to z's port; an end on the far side of
its rack first crosses to the facing manager, as it would inside the rack. It needs no rise and no pathway.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from planner.catalog.racks import Manager
from planner.layout import Layout, Rack
from planner.lengths.inside import InsideRun, crossings, managers_in_order
from planner.locate import side_of

TOUCHING_UM = 1_000
"""Sides of racks that are this near touch: a drawing's rounding."""


@dataclass(frozen=True)
class Bays:
    """Ways between open racks, by the numbers of the two racks, the lower first."""

    runs: dict[tuple[int, int], tuple[InsideRun, ...]]

    def between(self, a: int, z: int) -> tuple[InsideRun, ...]:
        """Ways from rack a to rack z, in one order whichever end comes first."""
        runs = self.runs.get((min(a, z), max(a, z)), ())
        return runs if a < z else self._turned[z, a]

    @cached_property
    def _turned(self) -> dict[tuple[int, int], tuple[InsideRun, ...]]:
        return {pair: tuple(run.turned() for run in runs) for pair, runs in self.runs.items()}


def bays_of(layout: Layout) -> Bays:
    """Every pair of racks that are open to each other."""
    racks = layout.racks
    found = {}
    for line in _lines(racks):
        for start, first in enumerate(line):
            for steps, other in enumerate(line[start + 1 :], start=1):
                a, z = racks[first], racks[other]
                if not z.baying_open or steps > a.bay_max:
                    break
                if steps <= z.bay_max:
                    low, high = min(first, other), max(first, other)
                    found[low, high] = tuple(_runs(racks[low], racks[high], 1 if low == first else -1))
    return Bays({pair: runs for pair, runs in sorted(found.items()) if runs})


def _lines(racks: tuple[Rack, ...]) -> Iterator[list[int]]:
    """Open racks that touch and look the same way, from left to right as seen facing their fronts."""
    starts: dict[tuple[str, int], list[int]] = {}
    for number, rack in enumerate(racks):
        if rack.baying_open and rack.bay_max > 0:
            starts.setdefault((rack.front, _left_um(rack) // TOUCHING_UM), []).append(number)
    followed: dict[int, int] = {}
    for number, rack in enumerate(racks):
        if rack.baying_open and rack.bay_max > 0:
            edge = _left_um(rack) + rack.type.width_mm
            near = [n for k in (-1, 0, 1) for n in starts.get((rack.front, edge // TOUCHING_UM + k), ())]
            beside = [n for n in near if n != number and _touch(rack, racks[n], edge)]
            if beside:
                followed[number] = min(beside)
    for first in sorted(set(followed) - set(followed.values())):
        line = [first]
        while line[-1] in followed:
            line.append(followed[line[-1]])
        yield line


def _left_um(rack: Rack) -> int:
    """Where a rack begins along its row, counted to the right as seen facing its front."""
    match rack.front:
        case "south":
            return rack.west_um
        case "north":
            return -(rack.west_um + rack.size_um[0])
        case "east":
            return rack.south_um
        case _:
            return -(rack.south_um + rack.size_um[1])


def _touch(rack: Rack, other: Rack, edge_um: int) -> bool:
    """Whether the other begins where this one ends, and the two stand beside each other in depth."""
    if abs(_left_um(other) - edge_um) > TOUCHING_UM:
        return False
    axis = 1 if rack.front in ("north", "south") else 0
    low, high = (rack.west_um, rack.south_um)[axis], (other.west_um, other.south_um)[axis]
    return max(low, high) < min(low + rack.size_um[axis], high + other.size_um[axis])


def _runs(a: Rack, z: Rack, right: int) -> Iterator[InsideRun]:
    """Ways from a to z, which stands to its right (1) or left (-1)."""
    for a_manager, a_inside in _to_side(a, right):
        for z_manager, z_inside in _to_side(z, -right):
            across = _apart_um(a, a_manager, z, z_manager)
            if a_inside is None and z_inside is None:
                yield InsideRun(a_manager, z_manager, None, None, across)
            elif z_inside is None:
                assert a_inside is not None
                yield InsideRun(
                    a_inside.a, z_manager, a_inside.a_level_um, a_inside.z_level_um, a_inside.across_um + across
                )
            elif a_inside is None:
                yield InsideRun(
                    a_manager, z_inside.a, z_inside.z_level_um, z_inside.a_level_um, z_inside.across_um + across
                )
            else:
                level = abs((a_inside.z_level_um or 0) - (z_inside.z_level_um or 0))
                whole = a_inside.across_um + across + level + z_inside.across_um
                yield InsideRun(a_inside.a, z_inside.a, a_inside.a_level_um, z_inside.a_level_um, whole)


def _to_side(rack: Rack, side: int) -> Iterator[tuple[Manager, InsideRun | None]]:
    """The managers on a side, each reached from ports of that side, and by every crossing from the other side."""
    managers = managers_in_order(rack.type)
    facing = [manager for manager in managers if side_of(manager) == side]
    for manager in facing:
        yield manager, None
        for run in crossings(rack.type, managers):
            if run.z == manager:
                yield manager, run


def _apart_um(a: Rack, a_manager: Manager, z: Rack, z_manager: Manager) -> int:
    """Along the row and in depth between two managers."""
    ax, ay = a.plan_um(a_manager.x_mm, a_manager.y_mm)
    zx, zy = z.plan_um(z_manager.x_mm, z_manager.y_mm)
    return abs(ax - zx) + abs(ay - zy)
