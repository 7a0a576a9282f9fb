"""Shapes on a page of a PDF: the same that SVG has, in the documents' own fonts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from math import ceil, cos, floor, radians, sin
from typing import Final

from planner.sketches.shapes import (
    Bar,
    Block,
    Group,
    Hatch,
    Inked,
    Lettering,
    Look,
    Outline,
    Picture,
    Points,
    Shape,
    Stroke,
    Words,
)
from planner.typeset import BOLD, REGULAR, fit_into, shown, text_width
from planner.write.page import MM, Page
from planner.write.svg import SIZE_OF_MM

_PLAIN: Final = "DejaVuSans"
_PLAIN_BOLD: Final = "DejaVuSans-Bold"
_MONO: Final = "DejaVuSansMono"
_LINE: Final = 1.2
"""Distance of baselines in sizes, as in SVG."""


def draw_shapes(page: Page, shapes: Iterable[Shape], left: float, top: float) -> None:
    """Simple shapes on a page. left, top: in points, where their upper left corner lies."""
    for shape in shapes:
        if isinstance(shape, Bar):
            height = shape.height * MM
            page.rectangle(
                left + shape.x * MM, top - shape.y * MM - height, shape.width * MM, height, shape.grey, shape.line * MM
            )
        elif isinstance(shape, Stroke):
            x1, y1, x2, y2 = shape.x1 * MM, shape.y1 * MM, shape.x2 * MM, shape.y2 * MM
            page.rule(left + x1, top - y1, left + x2, top - y2, shape.line * MM, shape.grey, shape.dash * MM)
        else:
            _draw_words(page, shape, left + shape.x * MM, top - shape.y * MM)


def _draw_words(page: Page, words: Words, x: float, y: float) -> None:
    face = BOLD if words.bold else REGULAR
    write = {"start": page.text, "middle": page.centred, "end": page.right_text}[words.anchor]
    if words.is_set:
        write(x, y, words.text, words.size * MM, face, words.grey)
        return
    size = words.size * SIZE_OF_MM
    fitted = fit_into(words.text, face, size, words.room * MM or page.right, size * 1.2)
    for line in fitted.lines:
        write(x, y, line, fitted.size, face, words.grey)
        y -= fitted.size * 1.16


class PicturePage:
    """A picture on a page of its own size."""

    def __init__(self, page: Page, picture: Picture) -> None:
        self.page = page
        self.left, self.top = picture.left, picture.top
        self.scale = MM / picture.unit
        self.height = picture.height * MM

    def draw(self, shapes: Iterable[Inked]) -> None:
        for shape in shapes:
            if isinstance(shape, Group):
                self.draw(shape.shapes)
            elif isinstance(shape, Lettering):
                self._draw_lettering(shape)
            elif isinstance(shape, Outline):
                self._draw_way(shape.look, shape.points, is_closed=shape.is_closed)
            else:
                self._draw_way(shape.look, _corners(shape), is_closed=True)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return (x - self.left) * self.scale, self.height - (y - self.top) * self.scale

    def _draw_way(self, look: Look, points: Points, *, is_closed: bool) -> None:
        places = [self._at(x, y) for x, y in points]
        way = " l ".join([f"{x:.2f} {y:.2f}" for x, y in places]).replace(" l ", " m ", 1) + " l"
        way += " h" if is_closed else ""
        if look.fill and is_closed:
            # Opacity is of the fill alone: hatching and edges follow it.
            hatch = f"{_hatched(look.hatch, places)}" if look.hatch else ""
            self.page.drawn(f"{_colour(look.fill)} rg {way} f", look.opacity)
            if hatch:
                self.page.drawn(f"q {way} W n {hatch} Q")
        if look.line:
            joint = "1 j 1 J " if look.is_round else ""
            dash = f"[{look.dash * MM:.2f}] 0 d " if look.dash else ""
            pen = f"{_colour(look.colour)} RG {look.line * MM:.2f} w"
            self.page.drawn(f"q {joint}{dash}{pen} {way} {'s' if is_closed else 'S'} Q")

    def _draw_lettering(self, text: Lettering) -> None:
        look, page = text.look, self.page
        face = _MONO if look.mono else _PLAIN_BOLD if look.bold else _PLAIN
        size = text.size * self.scale
        parts = [[(face, shown(line))] for line in text.lines]
        if text.detail:
            parts[-1].append((_PLAIN, shown(text.detail)))
        longest = max(_length(line, size) for line in parts)
        if text.room and longest > text.room * self.scale:  # codes of what the font lacks are longer than the letters
            size *= text.room * self.scale / longest
        c, s = cos(radians(text.turn)), sin(radians(text.turn))
        x, y = self._at(text.x, text.y)
        for line in parts:
            back = _length(line, size) * {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor]
            place = f"{c:.4f} {s:.4f} {-s:.4f} {c:.4f} {x - back * c:.2f} {y - back * s:.2f} Tm"
            words = " ".join([page.ink.operators(its, words, size) for its, words in line if words])
            if look.halo:
                page.set_text(f"1 G {look.halo * MM:.2f} w 1 j 1 Tr {place} {words} 0 Tr")
            if look.opacity == 1:
                page.set_text(f"{_colour(look.fill)} rg {place} {words} 0 g")
            else:  # among the shapes, which it must not hide
                page.drawn(f"BT {_colour(look.fill)} rg {place} {words} ET", look.opacity)
            x, y = x + _LINE * size * s, y - _LINE * size * c


def _corners(block: Block) -> Points:
    right, bottom = block.x + block.width, block.y + block.height
    return (block.x, block.y), (right, block.y), (right, bottom), (block.x, bottom)


def _length(line: Iterable[tuple[str, str]], size: float) -> float:
    return sum(text_width(face, words, size) for face, words in line)


@lru_cache(maxsize=256)
def _colour(colour: str) -> str:
    """`#rrggbb` as PDF says it."""
    return " ".join(f"{int(colour[at : at + 2], 16) / 255:.3f}" for at in (1, 3, 5))


def _hatched(hatch: Hatch, places: list[tuple[float, float]]) -> str:
    """Lines of all tiles that the box around some places touches; tiles lie as on the whole sheet."""
    side = hatch.side * MM
    xs, ys = [x for x, _ in places], [y for _, y in places]
    across = range(floor(min(xs) / side), ceil(max(xs) / side))
    down = range(floor(min(ys) / side), ceil(max(ys) / side))
    lines = "".join(_tile(hatch, column * side, row * side) for column, row in product(across, down))
    return f"{_colour(hatch.colour)} RG {hatch.line * MM:.2f} w {lines}S"


def _tile(hatch: Hatch, left: float, bottom: float) -> str:
    def at(x: float, y: float) -> str:
        return f"{left + x * MM:.2f} {bottom + (hatch.side - y) * MM:.2f}"

    return "".join(f"{at(x1, y1)} m {at(x2, y2)} l " for x1, y1, x2, y2 in hatch.lines)


def layers_of(picture: Picture) -> Iterator[Inked]:
    for layer in picture.layers:
        yield from layer.shapes
