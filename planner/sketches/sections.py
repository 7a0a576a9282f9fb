"""Pathways cut across at their fullest places: width and usable depth to scale, and how full they are of cables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from planner.names import counted, natural_key
from planner.plan import ABSENT, PathwayRow, Plan
from planner.sketches.shapes import HEIGHT, Bar, Shape, Sketch, Stroke, Words
from planner.units import PPM, metres

_COLUMNS, _ROWS = 3, 3
_LEFT, _TOP = 14.0, 32.0
_WIDE, _HIGH = 90.0, 54.0
_SCALES: Final = (5, 10, 20, 50, 100)


@dataclass(frozen=True, slots=True)
class Section:
    """A pathway at its fullest stretch. fill_ppm: share of width times usable depth, -1 where a cable's size is unknown."""

    pathway: PathwayRow
    from_mm: int
    to_mm: int
    cables: int
    fill_ppm: int
    mg_per_m: int


def sections_of(plan: Plan) -> Iterator[Section]:
    """The fullest stretch of each pathway with cables, in natural order; the first of equals."""
    loads = plan.loads
    for number in sorted(range(len(plan.pathways)), key=lambda n: natural_key(plan.pathways[n].name)):
        rows = np.flatnonzero((loads.pathway == number) & (loads.cables > 0))
        if len(rows):
            # An unknown size may be the largest: such a stretch counts before all that are known.
            share = np.where(loads.fill_ppm[rows] < 0, np.iinfo(np.int64).max, loads.fill_ppm[rows])
            row = int(rows[np.lexsort((-loads.cables[rows], -share))[0]])
            yield Section(
                plan.pathways[number], int(loads.from_mm[row]), int(loads.to_mm[row]), int(loads.cables[row]),
                int(loads.fill_ppm[row]), int(loads.mg_per_m[row]),
            )  # fmt: skip


def section_sketches(plan: Plan) -> Iterator[Sketch]:
    """Sheets of nine, at one scale."""
    found = list(sections_of(plan))
    widest = max((one.pathway.width_um for one in found), default=0) / 1000
    deepest = max((one.pathway.usable_depth_um for one in found), default=0) / 1000
    scale = next((n for n in _SCALES if widest / n <= _WIDE - 8 and deepest / n <= _HIGH - 20), _SCALES[-1])
    limits = plan.policy.fill
    for first in range(0, max(len(found), 1), _COLUMNS * _ROWS):
        shapes: list[Shape] = []
        for place, one in enumerate(found[first : first + _COLUMNS * _ROWS]):
            row, column = divmod(place, _COLUMNS)
            shapes += _drawn(one, _LEFT + column * _WIDE, _TOP + row * _HIGH, scale, (limits.warn, limits.fail))
        note = "grey: the cables' cross-sections together over width x usable depth; lines: where a warning and an error begin"
        shapes.append(Words(_LEFT, HEIGHT - 12.5, f"1:{scale} on A4 printed at 100 % · {note}", 2.6, room=270))
        if not found:
            shapes.append(Words(_LEFT, _TOP + 6, "No pathway has cables.", 3.4))
        yield Sketch("Pathways across, at their fullest", tuple(shapes))


def _drawn(section: Section, x: float, y: float, scale: int, limits: tuple[int, int]) -> Iterator[Shape]:
    pathway = section.pathway
    wide, deep = pathway.width_um / 1000 / scale, pathway.usable_depth_um / 1000 / scale
    top = y + 9
    yield Words(x, y + 1, pathway.name, 3.4, bold=True, room=_WIDE - 8)
    share = "fill not known" if section.fill_ppm < 0 else f"{100 * section.fill_ppm / PPM:.1f} % full"
    weight = f", {section.mg_per_m / 1_000_000:.2f} kg/m" if section.mg_per_m != ABSENT else ""
    yield Words(x, y + 5.5, f"{counted(section.cables, 'cable')}, {share}{weight}", 2.8, room=_WIDE - 8)
    if section.fill_ppm > 0:
        high = deep * min(section.fill_ppm / PPM, 1.0)
        yield Bar(x, top + deep - high, wide, high, 0.6, 0)
    for limit in limits:
        level = top + deep * (1 - limit / PPM)
        yield Stroke(x, level, x + wide, level, 0.15, 0.3)
        yield Words(x + wide + 1, level + 0.8, f"{100 * limit / PPM:.0f} %", 2.2)
    yield from (
        Stroke(x, top, x, top + deep, 0.6), Stroke(x + wide, top, x + wide, top + deep, 0.6),
        Stroke(x, top + deep, x + wide, top + deep, 0.6),
    )  # fmt: skip
    size = f"{pathway.width_um / 1000:g} x {pathway.usable_depth_um / 1000:g} mm usable"
    place = f"from {metres(section.from_mm)} to {metres(section.to_mm)} m along it"
    yield Words(x, top + deep + 4, f"{pathway.type}, {size}; {place}", 2.4, room=_WIDE - 8)
