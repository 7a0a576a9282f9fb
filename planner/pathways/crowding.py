"""Pathways that meet more often than any building's: found before they are cut at every place where they meet."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from planner.findings import Fault
from planner.layout import Layout
from planner.pathways.segments import MEET_UM, Segments, lines_of, segments_of
from planner.table import Ints

MOST: Final = 20_000
"""Meetings of one room's pathways: 140 trays one way across 140 the other."""

_BLOCK: Final = 256
"""Pieces asked for at once, to bound memory where all meet all."""


def uncrowded(layout: Layout) -> tuple[Layout, list[Fault]]:
    """The layout without the pathways that meet most often, where all meet too often, and the fault that says so."""
    segments = segments_of(layout, range(len(layout.pathways)))
    if len(segments) * (len(segments) - 1) // 2 <= MOST:
        return layout, []
    one, other = _meetings(segments)
    if len(one) <= MOST:
        return layout, []
    count = np.bincount(np.concatenate((one, other[one != other])), minlength=len(layout.pathways))
    order = np.argsort(-count, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    # A meeting goes with the first of its two pathways; as few as possible of those that meet most are left out.
    goes = np.sort(np.minimum(place[one], place[other]))
    few = int(goes[-MOST - 1]) + 1
    gone = {layout.pathways[number].name for number in order[:few].tolist()}
    worst = layout.pathways[int(order[0])]
    more = f" and {few - 1} more are" if few > 1 else " is"
    fault = Fault(
        "pathways-meet-too-often",
        f"pathways meet at {len(one)} places or more, at most {MOST} are read; `{worst.name}`{more} left out",
        worst.at,
        note=f"`{worst.name}` meets itself and others at {int(count[order[0]])} places or more",
        help="draw pathways by their corners",
        objects=tuple(sorted(gone)[:50]),
        count=few,
    )
    kept = tuple(p for p in layout.pathways if p.name not in gone)
    risers = tuple(r for r in layout.risers if gone.isdisjoint(r.joins))
    return replace(layout, pathways=kept, risers=risers), [fault]


def _meetings(segments: Segments) -> tuple[Ints, Ints]:
    """The two pathways of every meeting of two pieces, without those of neighbours; no more than many times too many."""
    import shapely

    lines = np.array(lines_of(segments), object)
    tree = shapely.STRtree(lines)
    low, high = np.minimum(segments.z0, segments.z1), np.maximum(segments.z0, segments.z1)
    found: list[Ints] = []
    total = 0
    for start in range(0, len(lines), _BLOCK):
        left, right = tree.query(lines[start : start + _BLOCK], predicate="dwithin", distance=float(MEET_UM))
        left = left + start
        apart = np.maximum(low[left], low[right]) - np.minimum(high[left], high[right])
        a, b = segments.pathway[left], segments.pathway[right]
        met = (left < right) & (apart <= MEET_UM) & ((a != b) | (right - left > 1))
        found.append(np.stack((a[met], b[met])))
        total += int(met.sum())
        if total > 50 * MOST:
            break
    one, other = np.concatenate(found, axis=1)
    return one, other
