"""Drawings as shapes on sheets of paper, whatever format they are written in: what is drawn, and never how a format says it.

The simple ones (`Bar`, `Stroke`, `Words`) are in millimetres of paper, in greys from 0, black, to 1, white, so that nothing
is said by colour alone. The others (`Outline`, `Block`, `Lettering`) are in units of their own drawing, such as millimetres of
a room, and are inked as their `Look` says. x runs to the right and y down in all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

WIDTH: Final = 297.0
HEIGHT: Final = 210.0
"""A sheet of A4, landscape."""

Anchor = Literal["start", "middle", "end"]
Points = tuple[tuple[float, float], ...]
Data = tuple[tuple[str, str], ...]
"""What a program may want to know of a shape: names and values that SVG keeps, and paper does not show."""


class Bar(NamedTuple):
    """An upright rectangle. grey: inside, None for nothing; line: width of its edge, 0 for none."""

    x: float
    y: float
    width: float
    height: float
    grey: float | None = None
    line: float = 0.25


class Stroke(NamedTuple):
    """A straight line. dash: length of its dashes and of what lies between them in mm, 0 for none."""

    x1: float
    y1: float
    x2: float
    y2: float
    line: float = 0.25
    grey: float = 0.0
    dash: float = 0.0


class Words(NamedTuple):
    """A text by the middle or an end of its baseline. size: height in mm; room: the width that it is shrunk into.

    is_set: the text has been made to fit in the documents' own font, and is as wide as it says there.
    """

    x: float
    y: float
    text: str
    size: float = 3.0
    anchor: Anchor = "start"
    bold: bool = False
    room: float = 0.0
    grey: float = 0.0
    is_set: bool = False


@dataclass(frozen=True, slots=True)
class Hatch:
    """Lines on a tile that is repeated, `side` mm of paper wide and high, from point to point on it."""

    side: float
    lines: tuple[tuple[float, float, float, float], ...]
    colour: str
    line: float = 0.22


@dataclass(frozen=True, slots=True)
class Look:
    """How shapes of one kind are inked. Colours are `#rrggbb`, widths mm of paper; no fill or a line of 0 is not drawn.

    opacity: of the fill. halo: width of the white edge around letters, in which they can be read on any ground.
    """

    name: str
    fill: str = ""
    line: float = 0.0
    colour: str = "#000000"
    opacity: float = 1.0
    dash: float = 0.0
    hatch: Hatch | None = None
    is_round: bool = False
    bold: bool = False
    italic: bool = False
    mono: bool = False
    halo: float = 0.0


class Outline(NamedTuple):
    """A polygon, or an open line."""

    look: Look
    points: Points
    is_closed: bool = True
    data: Data = ()


class Block(NamedTuple):
    """An upright rectangle by its upper left corner."""

    look: Look
    x: float
    y: float
    width: float
    height: float


class Lettering(NamedTuple):
    """Lines of one text. x, y: baseline of the first line at its anchor; size: in the drawing's units.

    turn: degrees anticlockwise about that point. detail: follows the last line in lighter type. room: the width that the lines
    were measured to take, 0 for unknown.
    """

    look: Look
    x: float
    y: float
    size: float
    lines: tuple[str, ...]
    anchor: Anchor = "start"
    turn: int = 0
    detail: str = ""
    room: float = 0.0


class Group(NamedTuple):
    """Shapes that are one thing. kind: such as `rack`; title: all that is known of it, told where a pointer rests."""

    kind: str
    shapes: tuple[Outline | Block | Lettering, ...]
    title: str = ""
    data: Data = ()


Shape = Bar | Stroke | Words
Inked = Outline | Block | Lettering | Group


class Layer(NamedTuple):
    """What lies together, below the layers that follow."""

    name: str
    shapes: tuple[Inked, ...]


@dataclass(frozen=True, slots=True)
class Sketch:
    """A sheet of simple shapes, to which the writers add title, origin and number."""

    title: str
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A sheet that is complete. width, height: of the paper in mm; unit: units of the drawing in a mm of paper.

    left, top: the drawing's coordinates of the paper's upper left corner.
    """

    title: str
    description: str
    width: float
    height: float
    unit: int
    left: float
    top: float
    layers: tuple[Layer, ...]
