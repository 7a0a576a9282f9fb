"""Pathways as strips of their width, cut where their fill changes its class."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from math import hypot
from typing import Final, NamedTuple

from planner.floorplan.shapes import Pathway, Point, Ring, Stretch
from planner.plan import PathwayRow, Plan
from planner.units import UM_PER_MM, metres, mm_half_up

FILLS: Final = ("empty", "low", "warm", "high", "over", "unknown")
"""Classes of fill: no cables, up to `policy.fill.reroute`, up to `warn`, up to `fail`, above; a cable without a size."""

_MITRE_LIMIT: Final = 3.0
_NEAR_MM: Final = 0.5


class Load(NamedTuple):
    from_mm: int
    to_mm: int
    cables: int
    fill_ppm: int


class Limits(NamedTuple):
    """Shares in millionths up to which fill counts as low, warm and high; each inclusive."""

    low: int
    warm: int
    high: int


def fill_class(ppm: int, cables: int, limits: Limits) -> str:
    """The class of fill of a stretch."""
    if not cables:
        return "empty"
    if ppm < 0:
        return "unknown"
    for name, limit in zip(("low", "warm", "high"), limits, strict=True):
        if ppm <= limit:
            return name
    return "over"


def percent(ppm: int) -> str:
    """`25.1 %`: rounded up to a tenth, so that a printed share never looks smaller than its class."""
    tenths = -(-ppm // 1000)
    return f"{tenths // 10}.{tenths % 10} %" if ppm >= 0 else "? %"


class Centreline:
    """A polyline with offsets along it, and the strip of a width about it."""

    def __init__(self, points: list[Point], width_mm: int) -> None:
        self.points = [points[0], *(b for a, b in pairwise(points) if a != b)]
        if len(self.points) == 1:  # a faulty run; drawn as a dot of its width
            self.points.append((self.points[0][0] + 1, self.points[0][1]))
        self._half = width_mm / 2
        self._ways: list[tuple[float, float]] = []
        self.offsets = [0.0]
        for (ax, ay), (bx, by) in pairwise(self.points):
            length = hypot(bx - ax, by - ay)
            self._ways.append(((bx - ax) / length, (by - ay) / length))
            self.offsets.append(self.offsets[-1] + length)
        self.length_mm = self.offsets[-1]

    def at(self, offset: float) -> Point:
        """The point at an offset along the line."""
        leg = self._leg(offset)
        (x, y), (dx, dy), into = self.points[leg], self._ways[leg], offset - self.offsets[leg]
        return round(x + dx * into), round(y + dy * into)

    def ring(self, start: float, stop: float) -> Ring:
        """The strip between two offsets, with mitred corners."""
        start, stop = max(0.0, start), min(self.length_mm, stop)
        cuts = [start, *(o for o in self.offsets[1:-1] if start + _NEAR_MM < o < stop - _NEAR_MM), stop]
        sides = [self._sides(cut) for cut in cuts]
        return (*(left for left, _ in sides), *(right for _, right in reversed(sides)))

    def _leg(self, offset: float) -> int:
        return min(max(bisect_right(self.offsets, offset) - 1, 0), len(self._ways) - 1)

    def _sides(self, offset: float) -> tuple[Point, Point]:
        """The strip's two border points beside an offset; at a corner those of its mitre."""
        leg = self._leg(offset)
        corner = next((c for c in (leg, leg + 1) if abs(offset - self.offsets[c]) <= _NEAR_MM), 0)
        x, y = self.points[corner] if corner else (0, 0)
        dx, dy = self._ways[leg]
        nx, ny = -dy * self._half, dx * self._half
        if 0 < corner < len(self._ways):
            (ax, ay), (bx, by) = self._ways[corner - 1], self._ways[corner]
            across = 1 + ax * bx + ay * by
            if across > 2 / _MITRE_LIMIT**2:
                nx, ny = (-ay - by) * self._half / across, (ax + bx) * self._half / across
        elif corner == 0 or corner == len(self._ways):
            into = offset - self.offsets[leg]
            x, y = self.points[leg][0] + dx * into, self.points[leg][1] + dy * into  # type: ignore[assignment]
        return (_half_up(x + nx), _half_up(y + ny)), (_half_up(x - nx), _half_up(y - ny))


def _half_up(value: float) -> int:
    # A strip of odd width has borders on half millimetres; a hair's breadth of float must not decide their side.
    return int((value + 0.5 + 1e-6) // 1)


def pathways_of(plan: Plan, limits: Limits) -> tuple[Pathway, ...]:
    """Every pathway, the lowest first, so that what hangs higher is drawn over it."""
    points: list[list[Point]] = [[] for _ in plan.pathways]
    for point in plan.pathway_points:
        points[point.pathway].append((mm_half_up(point.x_um), mm_half_up(point.y_um)))
    loads: list[list[Load]] = [[] for _ in plan.pathways]
    table = plan.loads
    columns = (table.from_mm.tolist(), table.to_mm.tolist(), table.cables.tolist(), table.fill_ppm.tolist())
    for number, load in zip(table.pathway.tolist(), map(Load, *columns), strict=True):
        loads[number].append(load)
    order = sorted(range(len(plan.pathways)), key=lambda n: plan.pathways[n].height_um)
    return tuple(_pathway(plan.pathways[n], points[n], sorted(loads[n]), limits) for n in order if points[n])


def _pathway(row: PathwayRow, points: list[Point], loads: list[Load], limits: Limits) -> Pathway:
    line = Centreline(points, row.width_um // UM_PER_MM)
    stretches = [
        Stretch(fill, start, stop, ppm, cables, line.ring(start, stop))
        for fill, start, stop, ppm, cables in _classes(loads, round(line.length_mm), limits)
    ]
    fullest = max(loads, key=lambda load: (load.fill_ppm < 0, load.fill_ppm, load.cables), default=None)
    carries = row.carries.replace(";", " + ")
    height, width = mm_half_up(row.height_um), row.width_um // UM_PER_MM
    most = f"{row.cables} cables and {percent(row.fill_ppm)} at its fullest" if row.cables else "no cables"
    title = f"{row.name}: {row.kind} {row.type}, {width} mm wide, floor at {metres(height)} m, carries {carries}, {most}"
    return Pathway(
        row.name, title, height, width, carries, row.fill_ppm, row.cables, tuple(line.points),
        line.ring(0, line.length_mm), tuple(stretches),
        (fullest.from_mm + fullest.to_mm) // 2 if fullest and row.cables else -1,
    )  # fmt: skip


def _classes(loads: list[Load], length: int, limits: Limits) -> Iterator[tuple[str, int, int, int, int]]:
    """Neighbouring stretches of one class joined, with their highest fill and count; gaps are empty."""
    pieces, at = [], 0
    for load in loads:
        if load.from_mm > at:
            pieces.append(("empty", at, load.from_mm, 0, 0))
        stop = min(load.to_mm, length)
        pieces.append((fill_class(load.fill_ppm, load.cables, limits), load.from_mm, stop, load.fill_ppm, load.cables))
        at = load.to_mm
    if at < length or not pieces:
        pieces.append(("empty", min(at, length), length, 0, 0))
    joined = pieces[0]
    for piece in pieces[1:]:
        if piece[0] == joined[0]:
            joined = (joined[0], joined[1], piece[2], max(joined[3], piece[3]), max(joined[4], piece[4]))
        else:
            yield joined
            joined = piece
    yield joined
