"""Pathways as strips of their width, cut where their fill changes its class."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise
from math import floor, hypot
from typing import Final, NamedTuple

from planner.floorplan.shapes import Pathway, Point, Ring, Stretch
from planner.names import counted
from planner.plan import PathwayPoint, PathwayRow, Plan
from planner.units import UM_PER_MM, metres, mm_half_up

FILLS: Final = ("empty", "low", "warm", "high", "over", "unknown")
"""Classes of fill: no cables, up to `policy.fill.reroute`, up to `warn`, up to `fail`, above; a cable without a size."""

_Sides = tuple[Point, Point]
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
    """`25.1 %`: to the nearest tenth, halves up."""
    tenths = (ppm + 500) // 1000
    return f"{tenths // 10}.{tenths % 10} %" if ppm >= 0 else "? %"


class Centreline:
    """A polyline with offsets along it, and the strip of a width about it."""

    def __init__(self, points: list[Point], width_mm: int) -> None:
        self.points = _straightened(points)
        self._half = half = width_mm / 2
        self._legs: list[tuple[int, int, float, float, float, float]] = []  # start, direction, way to the left border
        self.offsets = [0.0]
        for (ax, ay), (bx, by) in pairwise(self.points):
            length = hypot(bx - ax, by - ay)
            dx, dy = (bx - ax) / length, (by - ay) / length
            self._legs.append((ax, ay, dx, dy, -dy * half, dx * half))
            self.offsets.append(self.offsets[-1] + length)
        self.length_mm = self.offsets[-1]
        self._corners = [self._end(0, 0.0), *map(self._mitre, range(1, len(self._legs)))]

    def ring(self, start: float, stop: float) -> Ring:
        """The strip between two offsets, with mitred corners."""
        start, stop = max(0.0, start), min(self.length_mm, stop)
        first = bisect_right(self.offsets, start + _NEAR_MM, 1) if len(self._legs) > 1 else 1
        last = bisect_left(self.offsets, stop - _NEAR_MM, first) if len(self._legs) > 1 else 1
        sides = [self._cut(start), *self._corners[first:last], self._cut(stop)]
        return (*[left for left, _ in sides], *[right for _, right in reversed(sides)])

    def _cut(self, offset: float) -> _Sides:
        """The two border points beside an offset; at a corner those of its mitre."""
        if len(self._legs) == 1:
            return self._end(0, offset)
        leg = min(bisect_right(self.offsets, offset) - 1, len(self._legs) - 1)
        if leg and offset - self.offsets[leg] <= _NEAR_MM:
            return self._corners[leg]
        if leg + 1 < len(self._legs) and self.offsets[leg + 1] - offset <= _NEAR_MM:
            return self._corners[leg + 1]
        return self._end(leg, offset - self.offsets[leg])

    def _end(self, leg: int, into: float) -> _Sides:
        """A square cut across a leg."""
        x, y, dx, dy, nx, ny = self._legs[leg]
        return _sides(x + dx * into, y + dy * into, nx, ny)

    def _mitre(self, corner: int) -> _Sides:
        _, _, ax, ay, _, _ = self._legs[corner - 1]
        x, y, bx, by, nx, ny = self._legs[corner]
        across = 1 + ax * bx + ay * by
        if across > 2 / _MITRE_LIMIT**2:  # a hairpin keeps the square end of its leg
            nx, ny = (-ay - by) * self._half / across, (ax + bx) * self._half / across
        return _sides(x, y, nx, ny)


def _straightened(points: list[Point]) -> list[Point]:
    """The points where a polyline turns, and its ends; at least two, so that a faulty run shows as a dot."""
    kept = [points[0]]
    before = (0, 0)
    for (ax, ay), (bx, by) in pairwise(points):
        dx, dy = bx - ax, by - ay
        if not dx and not dy:
            continue
        if before[0] * dy == before[1] * dx and before[0] * dx + before[1] * dy > 0:
            kept[-1] = (bx, by)
        else:
            kept.append((bx, by))
        before = (dx, dy)
    return kept if len(kept) > 1 else [kept[0], (kept[0][0] + 1, kept[0][1])]


def _sides(x: float, y: float, nx: float, ny: float) -> _Sides:
    """Points to the left and to the right of a place, to the millimetre with halves up."""
    # A strip of odd width has borders on half millimetres; a hair's breadth of float must not decide their side.
    up = 0.5 + 1e-6
    return (floor(x + nx + up), floor(y + ny + up)), (floor(x - nx + up), floor(y - ny + up))


def pathways_of(plan: Plan, limits: Limits) -> tuple[Pathway, ...]:
    """Every pathway, the lowest first, so that what hangs higher is drawn over it."""
    points: list[list[PathwayPoint]] = [[] for _ in plan.pathways]
    for point in plan.pathway_points:
        points[point.pathway].append(point)
    loads: list[list[Load]] = [[] for _ in plan.pathways]
    table = plan.loads
    columns = (table.from_mm.tolist(), table.to_mm.tolist(), table.cables.tolist(), table.fill_ppm.tolist())
    for number, load in zip(table.pathway.tolist(), map(Load, *columns), strict=True):
        loads[number].append(load)
    order = sorted(range(len(plan.pathways)), key=lambda n: plan.pathways[n].height_um)
    return tuple(_pathway(plan.pathways[n], points[n], sorted(loads[n]), limits) for n in order if points[n])


def _in_plan(points: list[PathwayPoint], loads: list[Load]) -> list[Load]:
    """Loads by their offsets in plan: what lies on an upright piece lies on one place there."""
    ends = [(p.x_um / UM_PER_MM, p.y_um / UM_PER_MM, p.z_um / UM_PER_MM) for p in points]
    if len({z for _, _, z in ends}) == 1:
        return loads
    along, flat = [0.0], [0.0]
    for (ax, ay, az), (bx, by, bz) in pairwise(ends):
        plan = hypot(bx - ax, by - ay)
        along.append(along[-1] + hypot(plan, bz - az))
        flat.append(flat[-1] + plan)

    def at(offset: int) -> int:
        leg = min(max(bisect_right(along, offset) - 1, 0), len(along) - 2)
        length = along[leg + 1] - along[leg]
        return round(
            flat[leg] + (flat[leg + 1] - flat[leg]) * min(1.0, (offset - along[leg]) / length if length else 0)
        )

    moved = [load._replace(from_mm=at(load.from_mm), to_mm=at(load.to_mm)) for load in loads]
    return [load for load in moved if load.from_mm < load.to_mm]


def _pathway(row: PathwayRow, run: list[PathwayPoint], loads: list[Load], limits: Limits) -> Pathway:
    points = [(mm_half_up(p.x_um), mm_half_up(p.y_um)) for p in run]
    line = Centreline(points, row.width_um // UM_PER_MM)
    loads = _in_plan(run, loads)
    outline = line.ring(0, line.length_mm)
    pieces = list(_classes(loads, round(line.length_mm), limits))
    stretches = [
        Stretch(fill, start, stop, ppm, cables, outline if len(pieces) == 1 else line.ring(start, stop))
        for fill, start, stop, ppm, cables in pieces
    ]
    fullest = max(loads, key=lambda load: (load.fill_ppm < 0, load.fill_ppm, load.cables), default=None)
    carries = row.carries.replace(";", " + ")
    height, width = mm_half_up(row.height_um), row.width_um // UM_PER_MM
    most = f"{counted(row.cables, 'cable')} and {percent(row.fill_ppm)} at its fullest" if row.cables else "no cables"
    top = mm_half_up(max(p.z_um for p in run))
    floor_at = f"at {metres(height)} m" if top == height else f"from {metres(height)} to {metres(top)} m"
    title = f"{row.name}: {row.kind} {row.type}, {width} mm wide, floor {floor_at}, carries {carries}, {most}"
    return Pathway(
        row.name, title, height, width, carries, row.fill_ppm, row.cables, tuple(line.points),
        outline, tuple(stretches),
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
