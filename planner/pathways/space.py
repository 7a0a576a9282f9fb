"""What pathways run through: their pieces inside an area of the plan, with the heights that they have there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from planner.layout import Layout, PlanPointUm
from planner.pathways.segments import Segments, lines_of, segments_of
from planner.units import metres, mm_half_up

if TYPE_CHECKING:
    import shapely


_TOUCH_UM2: Final = 1_000_000
"""A square millimetre: what shares less of the plan only touches."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A straight piece of a pathway inside an area: its length in plan, its heights, and where it begins."""

    pathway: int
    length_um: float
    low_um: int
    high_um: int
    start_um: tuple[float, float]


@dataclass(frozen=True)
class Runs:
    """All pathways of a layout, found by place."""

    layout: Layout

    @cached_property
    def segments(self) -> Segments:
        return segments_of(self.layout, range(len(self.layout.pathways)))

    @cached_property
    def _tree(self) -> Any:
        import shapely

        return shapely.STRtree(lines_of(self.segments))

    def inside(self, area: shapely.Polygon, *, strips: bool = False) -> list[Piece]:
        """Pieces of all pathways inside an area, pathway by pathway; strips: of their width, not of their centrelines."""
        import shapely

        if not len(self.segments):
            return []
        widest = max(p.type.width_mm for p in self.layout.pathways) / 2 if strips else 0.0
        rows = np.sort(self._tree.query(area, predicate="dwithin", distance=widest))
        found: list[Piece] = []
        shapely.prepare(area)
        for row in rows.tolist():
            found += self._clipped(row, area, strips=strips)
        return sorted(found, key=lambda piece: piece.pathway)

    def _clipped(self, row: int, area: shapely.Polygon, *, strips: bool) -> Iterator[Piece]:
        import shapely

        s = self.segments
        pathway = int(s.pathway[row])
        x0, y0, z0, x1, y1, z1 = (int(column[row]) for column in (s.x0, s.y0, s.z0, s.x1, s.y1, s.z1))
        half = self.layout.pathways[pathway].type.width_mm / 2
        if (x0, y0) == (x1, y1):
            spot = shapely.Point(x0, y0)
            if shapely.intersects(area, spot.buffer(half, cap_style="square") if strips else spot):
                yield Piece(pathway, 0.0, min(z0, z1), max(z0, z1), (x0, y0))
            return
        line = shapely.LineString([(x0, y0), (x1, y1)])
        for part in shapely.get_parts(
            shapely.intersection(area, line.buffer(half, cap_style="flat") if strips else line)
        ):
            if not (part.area > _TOUCH_UM2 if strips else part.length > 0):
                continue
            x, y = shapely.get_coordinates(part).T
            shares = np.clip(((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / line.length**2, 0.0, 1.0)
            first, last = float(shares.min()), float(shares.max())
            heights = sorted(z0 + (z1 - z0) * share for share in (first, last))
            start = (x0 + (x1 - x0) * first, y0 + (y1 - y0) * first)
            yield Piece(pathway, line.length * (last - first), round(heights[0]), round(heights[1]), start)


def fault_of_outline(points: Sequence[PlanPointUm]) -> str | None:
    """What is wrong with an outline, or None: it crosses itself, or encloses nothing."""
    import shapely

    polygon = shapely.Polygon(points)
    if len(set(points)) < 3 or not shapely.convex_hull(polygon).area:
        return "encloses no area"
    if polygon.is_valid:
        return None
    where = shapely.is_valid_reason(polygon).partition("[")[2].rstrip("]").split()
    at = f" at {', '.join(metres(mm_half_up(round(float(number)))) for number in where)} m" if len(where) == 2 else ""
    return f"crosses itself{at}"


def square_metres(area_um2: float) -> str:
    """An area as a note says it: `0.36 m2`; what is smaller than a hundredth, in square centimetres."""
    return f"{area_um2 / 1e12:.2f} m2" if area_um2 >= 1e10 else f"{area_um2 / 1e8:.1f} cm2"


def point_in_words(x_um: float, y_um: float) -> str:
    return f"{metres(mm_half_up(round(x_um)))}, {metres(mm_half_up(round(y_um)))} m"


def length_by_pathway(pieces: Sequence[Piece]) -> dict[int, list[Piece]]:
    """Pieces by pathway, in order."""
    found: dict[int, list[Piece]] = {}
    for piece in pieces:
        found.setdefault(piece.pathway, []).append(piece)
    return found
