"""The shapes of a floor plan: whole millimetres of the room (x east, y north), whatever format they are written in.

The sheet of paper is part of the drawing: a millimetre of paper is `Sheet.scale` millimetres of the room. `kind` of a
shape says what it is, and `planner.floorplan.looks` how that looks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from planner.plan import Identity
from planner.sketches.shapes import Anchor

Point = tuple[int, int]
Ring = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of paper laid on the room. width_mm, height_mm of paper; west_mm, south_mm: its corner in the room."""

    name: str
    width_mm: int
    height_mm: int
    scale: int
    west_mm: int
    south_mm: int

    def room(self, paper_mm: float) -> int:
        """Millimetres of the room of a length on paper."""
        return round(paper_mm * self.scale)

    def at(self, across_mm: float, down_mm: float) -> Point:
        """The room point under a place on paper, counted from the sheet's top left corner."""
        return self.west_mm + self.room(across_mm), self.south_mm + self.room(self.height_mm - down_mm)


class Box(NamedTuple):
    """An upright rectangle by its smallest corner."""

    x: int
    y: int
    width: int
    height: int


class Text(NamedTuple):
    """Lines of one text. x, y: baseline of the first line at its anchor (`start`, `middle`, `end`).

    turn: degrees anticlockwise about that point. detail: follows the last line in lighter type.
    """

    kind: str
    x: int
    y: int
    size: int
    lines: tuple[str, ...]
    anchor: Anchor = "start"
    turn: int = 0
    detail: str = ""


class Area(NamedTuple):
    """A closed ring; furniture of the sheet, or a marked place."""

    kind: str
    ring: Ring


class Line(NamedTuple):
    """An open polyline."""

    kind: str
    points: Ring


class Named(NamedTuple):
    """A place with a name: an obstacle, or a riser."""

    name: str
    title: str
    ring: Ring


class Rack(NamedTuple):
    """A rack's footprint, the bar along its front, and all that is known of it in words."""

    name: str
    row: str
    front: str
    title: str
    box: Box
    bar: Box


class Stretch(NamedTuple):
    """A part of a pathway in one class of fill; offsets along it. fill_ppm: at its fullest place, -1 unknown."""

    fill: str
    from_mm: int
    to_mm: int
    fill_ppm: int
    cables: int
    ring: Ring


class Pathway(NamedTuple):
    """A pathway as a strip of its width. fullest_mm: offset of the middle of its fullest place, -1 where empty."""

    name: str
    title: str
    height_mm: int
    width_mm: int
    carries: str
    fill_ppm: int
    cables: int
    points: Ring
    outline: Ring
    stretches: tuple[Stretch, ...]
    fullest_mm: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """A floor plan, from back to front. outline: what dimensions are of. marks: what is highlighted, as outlines or as a way. plates: grounds of labels; labels: words in the room; furniture and notes: what surrounds it."""

    identity: Identity
    sheet: Sheet
    description: str
    grid: tuple[Line, ...]
    outline: Ring
    walls: tuple[Ring, ...]
    openings: tuple[Named, ...]
    obstacles: tuple[Named, ...]
    racks: tuple[Rack, ...]
    pathways: tuple[Pathway, ...]
    risers: tuple[Named, ...]
    marks: tuple[Area | Line, ...]
    plates: tuple[Area, ...]
    labels: tuple[Text, ...]
    furniture: tuple[Area | Line, ...]
    notes: tuple[Text, ...]
