"""Holes that cables are pulled through: openings in walls, and conduits; and what passes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import dist, hypot, sqrt

import numpy as np

from planner.catalog.plugs import HeadSize
from planner.layout import Layout, Pathway
from planner.pathways.segments import segments_of
from planner.pathways.space import fault_of_outline
from planner.pathways.stretches import SHIFT, Cells
from planner.project import Opening
from planner.table import Ints


@dataclass(frozen=True)
class Hole:
    """A hole on a pathway. width_um, height_um: what is free across; a round one's are its diameter.

    bend_um: the tightest bend of a conduit along its inside, None where nobody states it; bent: whether it has one.
    cells: of the pathway, that lie in it. opening: number of the opening, -1 for a conduit.
    """

    pathway: int
    opening: int
    width_um: int
    height_um: int
    round: bool
    bent: bool
    bend_um: int | None
    cells: Ints

    @property
    def section_um2(self) -> int:
        return self.width_um * self.height_um


def holes_of(layout: Layout, cells: Cells) -> Iterator[Hole]:
    """Openings in order, each with every pathway that it lets through, then conduits."""
    for number, opening in enumerate(layout.openings):
        if not fault_of_outline(opening.polygon_m):
            yield from _through(layout, cells, number, opening)
    for number, pathway in enumerate(layout.pathways):
        if pathway.type.kind == "conduit":
            width = pathway.type.width_mm
            bent, radius = _has_corner(pathway), pathway.corner_radius.um
            mine = np.flatnonzero(cells.pathway == number)
            yield Hole(number, -1, width, width, round=True, bent=bent, bend_um=radius, cells=mine)


def _through(layout: Layout, cells: Cells, number: int, opening: Opening) -> Iterator[Hole]:
    """The place of each pathway in an opening: as wide as both are there, from the pathway's floor to the upper edge."""
    import shapely

    polygon = shapely.Polygon(opening.polygon_m)
    corners = np.array(opening.polygon_m, float)
    for which, pathway in enumerate(layout.pathways):
        line = shapely.LineString(pathway.path_um) if len(set(pathway.path_um)) > 1 else None
        if line is None or not line.intersects(polygon):
            continue
        segments = segments_of(layout, [which])
        start = 0
        found: list[tuple[int, int, int]] = []
        for row in range(len(segments)):
            length = int(segments.length_nm[row])
            (x0, y0, z0), (x1, y1, z1) = (
                tuple(int(getattr(segments, axis + end)[row]) for axis in "xyz") for end in "01"
            )
            if (x0, y0) != (x1, y1):
                part = shapely.LineString([(x0, y0), (x1, y1)]).intersection(polygon)
                if part.length > 0:
                    middle = part.interpolate(0.5, normalized=True)
                    share = dist((x0, y0), (middle.x, middle.y)) / dist((x0, y0), (x1, y1))
                    key = (which << SHIFT) + start + round(share * length)
                    cell = int(np.searchsorted(cells.keys, key, side="right")) - 1
                    # Across the pathway: the opening's corners beside its centreline, no further than its own width.
                    nx, ny = (y0 - y1) / hypot(x1 - x0, y1 - y0), (x1 - x0) / hypot(x1 - x0, y1 - y0)
                    beside = (corners[:, 0] - x0) * nx + (corners[:, 1] - y0) * ny
                    half = pathway.type.width_mm / 2
                    width = min(float(beside.max()), half) - max(float(beside.min()), -half)
                    height = opening.to_m - round(z0 + (z1 - z0) * share)
                    found.append((max(0, round(width)), max(0, height), cell))
            start += length
        if found:
            width, height = min(w for w, _, _ in found), min(h for _, h, _ in found)
            mine = np.unique([cell for _, _, cell in found])
            yield Hole(which, number, width, height, round=False, bent=False, bend_um=None, cells=mine)


def _has_corner(pathway: Pathway) -> bool:
    """Whether a polyline turns by five degrees or more anywhere."""
    points = [np.array(p, float) for p in dict.fromkeys(pathway.points_um)]
    steps = [(z - a) / np.linalg.norm(z - a) for a, z in pairwise(points)]
    return any(float(one @ other) < np.cos(np.radians(5)) for one, other in pairwise(steps))


def passes(head: HeadSize, hole: Hole) -> bool | None:
    """Whether a rigid head passes a hole end on; None where the bend of a conduit is not known."""
    width, height, length = head
    if not hole.round:
        across, free = sorted((width, height)), sorted((hole.width_um, hole.height_um))
        return across[0] <= free[0] and across[1] <= free[1]
    if width * width + height * height > hole.width_um * hole.width_um:
        return False
    if not hole.bent:
        return True
    if hole.bend_um is None:
        return None
    return any(
        _turns(flat, thick, length, hole.width_um, hole.bend_um) for flat, thick in ((width, height), (height, width))
    )


def _turns(flat: int, thick: int, length: int, diameter: int, bend: int) -> bool:
    """Whether a box gets round the bend of a round conduit, thick of it in the plane of the bend.

    Half of `flat` beside the middle plane the conduit is as high as a chord. The box touches its inner side with the middle of
    one face, and the outer with the edges of the other.
    """
    chord = sqrt((diameter / 2) ** 2 - (flat / 2) ** 2)
    inner, outer = bend + diameter / 2 - chord, bend + diameter / 2 + chord
    return hypot(inner + thick, length / 2) <= outer
