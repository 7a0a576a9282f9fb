"""Simple drawings as shapes on sheets of paper, whatever format they are written in: topology, and sections of pathways.

Millimetres of paper, x to the right and y down from the upper left corner. Greys are from 0, black, to 1, white, so that
nothing is said by colour alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

WIDTH: Final = 297.0
HEIGHT: Final = 210.0
"""A sheet of A4, landscape."""

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Bar:
    """An upright rectangle. grey: inside, None for nothing; line: width of its edge, 0 for none."""

    x: float
    y: float
    width: float
    height: float
    grey: float | None = None
    line: float = 0.25


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line. dash: length of its dashes and of what lies between them in mm, 0 for none."""

    x1: float
    y1: float
    x2: float
    y2: float
    line: float = 0.25
    grey: float = 0.0
    dash: float = 0.0


@dataclass(frozen=True, slots=True)
class Words:
    """A text by the middle or an end of its baseline. size: height in mm; room: the width that it is shrunk into."""

    x: float
    y: float
    text: str
    size: float = 3.0
    anchor: Anchor = "start"
    bold: bool = False
    room: float = 0.0


Shape = Bar | Stroke | Words


@dataclass(frozen=True, slots=True)
class Sketch:
    """A sheet."""

    title: str
    shapes: tuple[Shape, ...]
