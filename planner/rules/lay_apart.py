"""What pathways must keep away from: power, and one another."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Literal

import numpy as np

from planner.findings import Fault, Severity
from planner.pathways.segments import Segments, lines_of
from planner.pathways.space import Piece, Runs, point_in_words
from planner.reader import spot_at
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.table import Ints, Mask
from planner.units import metres, mm_half_up


@rule("LAY015", "pathway-near-power", Severity.ERROR)
def pathway_near_power(subject: Subject) -> Iterable[Fault]:
    """A pathway lies nearer to a run of power cables than the project asks for.

    Why: power disturbs copper beside it, and building rules ask for a distance.
    Example: a tray with copper 100 mm beside a power tray that asks for 300 mm.
    Fix: move the pathway, let it carry fibre only, or correct `clear_mm`.
    Source: `power` of the project; the clear distance is of the edges, in plan and in height, up to the pathway's side
    wall. Nothing is asked for unless the project does: the distance hangs on currents, screens and local rules.
    """
    import shapely

    runs = Runs(subject.layout)
    for number, power in enumerate(subject.project.power):
        at = spot_at(subject.tree, ("power", number, "name"))
        met: dict[int, list[Piece]] = {}
        points = [(p[0], p[1], p[2] if len(p) == 3 else power.height_m) for p in power.path_m]
        for first, last in pairwise(points):
            half = power.width_mm / 2 + power.clear_mm
            shape = shapely.LineString([first[:2], last[:2]]) if first[:2] != last[:2] else shapely.Point(first[:2])
            cap: Literal["flat", "square"] = "flat" if first[:2] != last[:2] else "square"
            low, high = min(first[2], last[2]) - power.clear_mm, max(first[2], last[2]) + power.clear_mm
            for piece in runs.inside(shape.buffer(half, cap_style=cap), strips=True):
                pathway = subject.layout.pathways[piece.pathway]
                beside = piece.high_um + pathway.type.side_wall_mm > low and piece.low_um < high
                if beside and not pathway.carries.isdisjoint(power.keeps_from):
                    met.setdefault(piece.pathway, []).append(piece)
        for which, pieces in sorted(met.items()):
            pathway = subject.layout.pathways[which]
            along = mm_half_up(round(sum(p.length_um for p in pieces)))
            yield Fault(
                "pathway-near-power",
                f"pathway `{pathway.name}` lies within {mm_half_up(power.clear_mm)} mm of the power run `{power.name}`",
                pathway.at,
                note=f"over {along} mm, from {point_in_words(*pieces[0].start_um)}; the power run is declared at {subject.files.span(at)}",
                help="move the pathway, let it carry fibre only, or correct `clear_mm`",
                objects=(pathway.name, power.name),
            )


@rule("LAY016", "pathways-in-one-another", Severity.WARNING)
def pathways_in_one_another(subject: Subject) -> Iterable[Fault]:
    """Two pathways run side by side or one above the other nearer than they are wide or high.

    Why: they cannot both be hung there, and what is counted as the room of two is that of one.
    Example: a tray of 300 mm for fibre and one for copper drawn along one line at one height.
    Fix: move one of them beside, above or below the other, or draw one pathway that carries both classes.
    Source: geometry: widths, and heights from the floor of each to the top of its side wall. Where they cross, or one ends at
    the other, they join; told is what runs along the other for more than the width of both.
    """
    import shapely

    layout = subject.layout
    runs = Runs(layout)
    segments = runs.segments
    if len(segments) < 2:
        return
    width = np.array([p.type.width_mm for p in layout.pathways], np.int64)
    lines = np.array(lines_of(segments), object)
    left, right = shapely.STRtree(lines).query(lines, predicate="dwithin", distance=float(width.max()))
    kept = _alongside(subject, segments, left, right)
    left, right = left[kept], right[kept]
    met: dict[tuple[int, int], float] = {}
    for first, second in zip(left.tolist(), right.tolist(), strict=True):
        pair = int(segments.pathway[first]), int(segments.pathway[second])
        strips = (lines[n].buffer(width[p] / 2, cap_style="flat") for n, p in zip((first, second), pair, strict=True))
        shared = shapely.intersection(*strips)
        if shared.area > 0:
            (x0, y0), (x1, y1) = lines[first].coords
            x, y = shapely.get_coordinates(shared).T
            along = float(np.ptp(x * (x1 - x0) + y * (y1 - y0)) / lines[first].length)
            if along > width[list(pair)].sum():
                met[pair] = met.get(pair, 0.0) + along
    for (i, k), along in sorted(met.items()):
        yield Fault(
            "pathways-in-one-another",
            f"pathways `{layout.pathways[i].name}` and `{layout.pathways[k].name}` lie in one another",
            layout.pathways[k].at,
            note=f"over about {metres(mm_half_up(round(along)))} m; `{layout.pathways[i].name}` is declared at {subject.files.span(layout.pathways[i].at)}",
            help="move one of them, or draw one pathway for both",
            objects=(layout.pathways[i].name, layout.pathways[k].name),
        )


def _alongside(subject: Subject, segments: Segments, left: Ints, right: Ints) -> Mask:
    """Which pairs of pieces, of two pathways, lie level, run the same way or back, and are no further apart in height than high."""
    wall = np.array([p.type.side_wall_mm for p in subject.layout.pathways], np.int64)
    one, other = segments.take(left), segments.take(right)
    level = (one.z0 == one.z1) & (other.z0 == other.z1)
    lower, upper = np.minimum(one.z0, other.z0), np.maximum(one.z0, other.z0)
    lower_wall = np.where(one.z0 <= other.z0, wall[one.pathway], wall[other.pathway])
    beside = upper < lower + np.maximum(lower_wall, 1)
    ax, ay, bx, by = (
        v.astype(float) for v in (one.x1 - one.x0, one.y1 - one.y0, other.x1 - other.x0, other.y1 - other.y0)
    )
    size = np.hypot(ax, ay) * np.hypot(bx, by)
    found: Mask = (
        (one.pathway < other.pathway) & level & beside & (size > 0) & (np.abs(ax * by - ay * bx) <= 0.01 * size)
    )
    return found
