"""Shapes as SVG: written with f-strings, since a hall of racks and trays has tens of thousands of them.

Nothing in a file runs or points outside of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from planner.sketches.shapes import (
    Bar,
    Block,
    Data,
    Group,
    Hatch,
    Inked,
    Lettering,
    Look,
    Picture,
    Points,
    Shape,
    Stroke,
    Words,
)
from planner.typeset import BOLD, REGULAR, shown, text_width
from planner.write.page import MM

FONT: Final = "DejaVu Sans, Arial, sans-serif"
CONDENSED: Final = "DejaVu Sans Condensed, DejaVu Sans, Arial, sans-serif"
"""Of what was set in the documents' own font; where that is missing the words are squeezed to its width."""

# What XML 1.0 has no way to hold, not even as a reference.
_IMPOSSIBLE: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(text: str) -> str:
    """A text fit for an element or a quoted attribute; what XML cannot hold becomes its code."""
    if _IMPOSSIBLE.search(text):
        text = _IMPOSSIBLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    if text.isalnum():
        return text
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    # A reader turns line ends and tabs in an attribute into blanks unless they are references.
    return text.replace("\t", "&#9;").replace("\n", "&#10;").replace("\r", "&#13;")


def picture_svg(picture: Picture, name: str, inputs_sha256: str) -> str:
    """A whole file that prints to scale: the viewBox is in the drawing's units, width and height are those of the paper.

    name: begins its identifiers and the selectors of its style, so that a page may hold several drawings.
    """
    unit = picture.unit
    box = (picture.left, picture.top, round(picture.width * unit), round(picture.height * unit))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{name}" width="{picture.width}mm" height="{picture.height}mm" '
        f'viewBox="{" ".join(map(str, box))}" role="img" aria-labelledby="{name}-title {name}-description" '
        f'data-scale="{unit}" data-inputs-sha256="{escaped(inputs_sha256)}">'
    )
    looks = _Looks(name, unit)
    layers = [
        line
        for layer in picture.layers
        for line in (f'<g id="{name}-{layer.name}">', *(looks.svg(shape) for shape in layer.shapes), "</g>")
    ]
    parts = [
        head,
        f'<title id="{name}-title">{escaped(picture.title)}</title>',
        f'<desc id="{name}-description">{escaped(picture.description)}</desc>',
        f"<style>\n{looks.style()}\n</style>",
        f"<defs>{''.join(looks.patterns())}</defs>",
        f'<rect x="{box[0]}" y="{box[1]}" width="{box[2]}" height="{box[3]}" fill="#fff"/>',
        *layers,
        "</svg>\n",
    ]
    return "\n".join(parts)


class _Looks:
    """Inked shapes as elements whose class is their look's name, and the style sheet of the looks that occur."""

    def __init__(self, name: str, unit: int) -> None:
        self.name = name
        self.unit = unit
        self._areas: dict[str, Look] = {}
        self._words: dict[str, Look] = {}

    def svg(self, shape: Inked) -> str:
        if isinstance(shape, Group):
            title = f"<title>{escaped(shape.title)}</title>" if shape.title else ""
            inside = "".join([self.svg(one) for one in shape.shapes])
            return f'<g class="{shape.kind}"{_data(shape.data)}>{title}{inside}</g>'
        look = shape.look
        if isinstance(shape, Lettering):
            self._words[look.name] = look
            return _lettering(shape)
        self._areas[look.name] = look
        if isinstance(shape, Block):
            size = f'x="{shape.x}" y="{shape.y}" width="{shape.width}" height="{shape.height}"'
            return f'<rect class="{look.name}" {size}/>'
        return f'<path class="{look.name}"{_data(shape.data)} d="{_way(shape.points, is_closed=shape.is_closed)}"/>'

    def style(self) -> str:
        """Selectors are bound to our drawing; surfaces and words may bear one name."""
        root = f".{self.name}"
        rules = [f"{root} text{{font-family:{FONT};fill:#000;unicode-bidi:isolate;white-space:pre}}"]
        rules.append(f"{root} .detail{{font-weight:normal}}")
        for look in self._areas.values():
            rules.append(f"{root} path.{look.name},{root} rect.{look.name}{{{self._area(look)}}}")
        for look in self._words.values():
            rules.append(f"{root} text.{look.name}{{{self._word(look)}}}")
        return "\n".join(rules)

    def patterns(self) -> Iterator[str]:
        for look in self._areas.values():
            if look.hatch:
                yield _pattern(f"{self.name}-{look.name}", look, look.hatch, self.unit)

    def _mm(self, paper_mm: float) -> str:
        return f"{paper_mm * self.unit:g}"

    def _area(self, look: Look) -> str:
        fill = f"url(#{self.name}-{look.name})" if look.hatch else look.fill or "none"
        parts = [f"fill:{fill}"]
        if look.opacity != 1:
            parts.append(f"fill-opacity:{look.opacity:g}")
        if look.line:
            parts.append(f"stroke:{look.colour};stroke-width:{self._mm(look.line)}")
        if look.dash:
            parts.append(f"stroke-dasharray:{self._mm(look.dash)}")
        if look.is_round:
            parts.append("stroke-linejoin:round;stroke-linecap:round")
        return ";".join(parts)

    def _word(self, look: Look) -> str:
        parts = [f"fill:{look.fill}"]
        if look.opacity != 1:
            parts.append(f"fill-opacity:{look.opacity:g}")
        if look.bold:
            parts.append("font-weight:bold")
        if look.italic:
            parts.append("font-style:italic")
        if look.mono:
            parts.append("font-family:DejaVu Sans Mono,monospace")
        if look.halo:
            halo = f"stroke:#fff;stroke-width:{self._mm(look.halo)}"
            parts.append(f"paint-order:stroke;stroke-linejoin:round;{halo}")
        return ";".join(parts)


def _pattern(name: str, look: Look, hatch: Hatch, unit: int) -> str:
    side = f"{hatch.side:g}"
    lines = "".join(f"M{x1:g} {y1:g}L{x2:g} {y2:g}" for x1, y1, x2, y2 in hatch.lines)
    return (
        f'<pattern id="{name}" width="{side}" height="{side}" patternUnits="userSpaceOnUse" patternTransform="scale({unit})">'
        f'<rect width="{side}" height="{side}" fill="{look.fill}"/>'
        f'<path d="{lines}" fill="none" stroke="{hatch.colour}" stroke-width="{hatch.line:g}"/></pattern>'
    )


def _data(data: Data) -> str:
    return "".join([f' data-{name}="{escaped(value)}"' for name, value in data])


def _way(points: Points, *, is_closed: bool) -> str:
    return "M" + "L".join([f"{x} {y}" for x, y in points]) + ("Z" if is_closed else "")


def _lettering(text: Lettering) -> str:
    look, x, y, size, lines, anchor, turn, detail, _ = text
    turned = f' transform="rotate({-turn} {x} {y})"' if turn else ""
    more = f'<tspan class="detail">{escaped(detail)}</tspan>' if detail else ""
    if len(lines) == 1:
        words = escaped(lines[0])
    else:
        step = round(1.2 * size)
        words = "".join(
            f'<tspan x="{x}" dy="{step if number else 0}">{escaped(line)}</tspan>' for number, line in enumerate(lines)
        )
    return f'<text class="{look.name}" x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}"{turned}>{words}{more}</text>'


def shapes_svg(shapes: Iterable[Shape]) -> Iterator[str]:
    """Simple shapes, a unit a millimetre of paper."""
    for shape in shapes:
        if isinstance(shape, Bar):
            fill = "none" if shape.grey is None else grey(shape.grey)
            edge = f' stroke="#000" stroke-width="{shape.line:g}"' if shape.line else ""
            size = f'x="{shape.x:.2f}" y="{shape.y:.2f}" width="{shape.width:.2f}" height="{shape.height:.2f}"'
            yield f'<rect {size} fill="{fill}"{edge}/>'
        elif isinstance(shape, Stroke):
            ends = f'x1="{shape.x1:.2f}" y1="{shape.y1:.2f}" x2="{shape.x2:.2f}" y2="{shape.y2:.2f}"'
            dash = f' stroke-dasharray="{shape.dash:g}"' if shape.dash else ""
            yield f'<line {ends} stroke="{grey(shape.grey)}" stroke-width="{shape.line:.2f}"{dash}/>'
        else:
            yield _words(shape)


def _words(words: Words) -> str:
    look = ' font-weight="bold"' if words.bold else ""
    look += f' fill="{grey(words.grey)}"' if words.grey else ""
    size, text = words.size, words.text
    if words.is_set:
        text = shown(text)  # turned back: a browser orders letters from right to left by itself
        width = text_width(BOLD if words.bold else REGULAR, words.text, words.size)
        look += f' font-family="{CONDENSED}" textLength="{width:.2f}" lengthAdjust="spacingAndGlyphs"'
    elif words.room:
        # A browser may set another font, up to a fifth wider than the documents' own.
        needed = text_width(BOLD if words.bold else REGULAR, words.text, words.size * SIZE_OF_MM)
        size *= min(1.0, words.room * MM / (needed * 1.2 or 1))
    return (
        f'<text x="{words.x:.2f}" y="{words.y:.2f}" font-size="{size:.2f}" text-anchor="{words.anchor}"{look} '
        f'style="white-space:pre;unicode-bidi:isolate">{escaped(text)}</text>'
    )


SIZE_OF_MM: Final = 2.835
"""Points of a millimetre of type."""


def grey(value: float) -> str:
    return "#" + f"{round(value * 255):02x}" * 3
