"""Straight pieces of pathways in the room, and where they meet.

A piece is level, sloped or upright. Two pieces meet where they come within MEET_UM of each other in space, and two level
ones only at one height: pathways that cross one above the other do not meet. Lengths are whole nanometres, rounded once
a segment, so that sums do not depend on their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from planner.layout import Layout, PointUm
from planner.table import Floats, Ints, Mask, Table

if TYPE_CHECKING:
    import shapely

MEET_UM: Final = 1_000
"""Two pathways meet where an end comes this near to the other: a slanted run written in whole millimetres misses its
neighbour by less."""

NM_PER_UM: Final = 1_000


@dataclass(frozen=True, slots=True)
class Segments(Table):
    """Straight pieces; number of the pathway (a riser's comes after the last pathway's), and both ends.

    drawn_nm: length between the ends. length_nm: length that counts, which a measured pathway stretches or shrinks.
    """

    pathway: Ints
    x0: Ints
    y0: Ints
    z0: Ints
    x1: Ints
    y1: Ints
    z1: Ints
    drawn_nm: Ints
    length_nm: Ints

    def ends(self) -> tuple[Floats, Floats]:
        """Both ends, a row a segment and a column an axis."""
        first, last = (self.x0, self.y0, self.z0), (self.x1, self.y1, self.z1)
        return np.stack(first, -1).astype(float), np.stack(last, -1).astype(float)

    @property
    def stretch(self) -> Floats:
        """Length that counts by drawn length; exactly 1 where nothing was measured."""
        ratio: Floats = self.length_nm / self.drawn_nm
        return ratio


def segments_of(layout: Layout, pathways: Iterable[int]) -> Segments:
    """Pieces of some of the layout's pathways, in order; pieces of no length are left out."""
    rows = []
    for number in pathways:
        for first, last in pairwise(_points(layout.pathways[number].points_um)):
            if first != last:
                rows.append((number, *first, *last, 0, 0))
    flat = Segments.of_rows(rows)
    drawn = drawn_nm(*flat.ends())
    return Segments(
        flat.pathway, flat.x0, flat.y0, flat.z0, flat.x1, flat.y1, flat.z1, drawn, _counted(layout, flat.pathway, drawn)
    )


def _points(points: Sequence[PointUm]) -> list[PointUm]:
    """A polyline without points that lie no further than MEET_UM from the one before; its last point stays.

    Ends this near are one node, so that a piece between them would be none, and a polyline of such pieces one point.
    """
    kept = [points[0]]
    for point in points[1:-1]:
        if max(abs(a - b) for a, b in zip(point, kept[-1], strict=True)) > MEET_UM:
            kept.append(point)
    return [*kept, points[-1]]


def drawn_nm(first: Floats, last: Floats) -> Ints:
    """Distance of points in whole nanometres; exact along the axes."""
    way = last - first
    length: Ints = np.rint(np.hypot(np.hypot(way[..., 0], way[..., 1]), way[..., 2]) * NM_PER_UM).astype(np.int64)
    return length


def _counted(layout: Layout, pathway: Ints, drawn: Ints) -> Ints:
    """A measured pathway's length is shared among its pieces as they are drawn; all others count as drawn."""
    counted = drawn.copy()
    for number, found in enumerate(layout.pathways):
        if found.measured_um is not None:
            rows = np.flatnonzero(pathway == number)
            whole = int(drawn[rows].sum())
            if whole:
                share = found.measured_um * NM_PER_UM / whole
                counted[rows] = np.maximum(1, np.rint(drawn[rows] * share)).astype(np.int64)
    return counted


def lines_of(segments: Segments) -> list[shapely.LineString]:
    """Pieces in plan; an upright one is a line of no length."""
    import shapely

    first, last = segments.ends()
    lines: list[shapely.LineString] = np.asarray(shapely.linestrings(np.stack((first[:, :2], last[:, :2]), 1))).tolist()
    return lines


def projected(point: Floats, first: Floats, last: Floats) -> tuple[Floats, Floats]:
    """For each point and piece: offset (nm, as drawn) of the nearest point along the piece, and distance to it (um)."""
    way = last - first
    length = np.hypot(np.hypot(way[:, 0], way[:, 1]), way[:, 2])
    to = point - first
    dot = to[:, 0] * way[:, 0] + to[:, 1] * way[:, 1] + to[:, 2] * way[:, 2]
    along = np.clip(dot / length, 0.0, length)
    there = first + way / length[:, None] * along[:, None]
    miss = point - there
    return along * NM_PER_UM, np.hypot(np.hypot(miss[:, 0], miss[:, 1]), miss[:, 2])


def in_plan(part: Segments, x_um: Floats, y_um: Floats) -> tuple[Floats, Floats]:
    """For each point and piece: the share along the piece of its nearest point in plan, and the plan distance (um)."""
    x0, y0 = part.x0.astype(float), part.y0.astype(float)
    dx, dy = part.x1 - x0, part.y1 - y0
    squared = dx * dx + dy * dy
    share = np.clip(((x_um - x0) * dx + (y_um - y0) * dy) / np.where(squared == 0, 1.0, squared), 0.0, 1.0)
    return share, np.hypot(x_um - (x0 + dx * share), y_um - (y0 + dy * share))


Meeting = tuple[int, int, tuple[int, int, int]]
"""Segment, offset along it (nm, of the length that counts), and the point."""


def meetings(segments: Segments) -> Iterator[Meeting]:
    """Each meeting of two segments, from both.

    Ends near the other segment come first; only segments with no end on each other can truly cross.
    """
    if not len(segments):
        return
    one, two = _near_pairs(segments)
    first, last = segments.ends()
    stretch = segments.stretch
    touching = np.zeros(len(one), bool)
    for own, other in ((one, two), (two, one)):
        for ends, at_last in ((first, False), (last, True)):
            point = ends[own]
            along, away = projected(point, first[other], last[other])
            on = away <= MEET_UM
            touching |= on
            offsets = np.rint(along[on] * stretch[other[on]]).astype(np.int64)
            for s, o, nm, at in zip(
                other[on].tolist(), own[on].tolist(), offsets.tolist(), point[on].astype(np.int64).tolist(), strict=True
            ):
                yield s, nm, tuple(at)
                yield o, int(segments.length_nm[o]) if at_last else 0, tuple(at)
    a, b = one[~touching], two[~touching]
    for p, inside in _crossings(first[a], last[a], first[b], last[b]):
        for which in (a[inside], b[inside]):
            along, _ = projected(p[inside], first[which], last[which])
            offsets = np.rint(along * stretch[which]).astype(np.int64)
            points = p[inside].astype(np.int64).tolist()
            yield from ((s, nm, tuple(at)) for s, nm, at in zip(which.tolist(), offsets.tolist(), points, strict=True))


def _near_pairs(segments: Segments) -> tuple[Ints, Ints]:
    """Pairs of segments that come within MEET_UM of each other in plan and may in height, each pair once, in order."""
    import shapely

    lines = lines_of(segments)
    left, right = shapely.STRtree(lines).query(lines, predicate="dwithin", distance=float(MEET_UM))
    low, high = np.minimum(segments.z0, segments.z1), np.maximum(segments.z0, segments.z1)
    level = low == high
    apart = np.maximum(low[left], low[right]) - np.minimum(high[left], high[right])
    # Two level pieces meet at one height exactly, as their writer says which heights are one.
    keep = (left < right) & np.where(level[left] & level[right], low[left] == low[right], apart <= MEET_UM)
    left, right = left[keep].astype(np.int64), right[keep].astype(np.int64)
    order = np.lexsort((right, left))
    return left[order], right[order]


def _crossings(a0: Floats, a1: Floats, b0: Floats, b1: Floats) -> Iterator[tuple[Floats, Mask]]:
    """Points (um) where pairs cross between their ends, and which pairs do: level ones in plan, others in space."""
    level = (a0[:, 2] == a1[:, 2]) & (b0[:, 2] == b1[:, 2])
    r, s, between = a1 - a0, b1 - b0, b0 - a0
    with np.errstate(divide="ignore", invalid="ignore"):
        turn = r[:, 0] * s[:, 1] - r[:, 1] * s[:, 0]
        t = (between[:, 0] * s[:, 1] - between[:, 1] * s[:, 0]) / turn
        u = (between[:, 0] * r[:, 1] - between[:, 1] * r[:, 0]) / turn
        yield _rounded(a0, r, t), level & (turn != 0) & (t > 0) & (t < 1) & (u > 0) & (u < 1)
        # Where the straight lines through both come nearest in space.
        rr, ss, rs = (np.einsum("ij,ij->i", x, y) for x, y in ((r, r), (s, s), (r, s)))
        br, bs = np.einsum("ij,ij->i", between, r), np.einsum("ij,ij->i", between, s)
        turn = rr * ss - rs * rs
        t, u = (br * ss - bs * rs) / turn, (br * rs - bs * rr) / turn
        p, q = a0 + r * t[:, None], b0 + s * u[:, None]
        near = np.sqrt(np.einsum("ij,ij->i", p - q, p - q)) <= MEET_UM
        # Parallel pieces have no one nearest place; they meet at ends or not at all.
        slanted = turn > 1e-9 * rr * ss
        yield _rounded(a0, r, t), ~level & slanted & near & (t > 0) & (t < 1) & (u > 0) & (u < 1)


def _rounded(start: Floats, way: Floats, share: Floats) -> Floats:
    point: Floats = np.rint(start + way * share[:, None])
    point[~np.isfinite(point)] = 0
    return point
