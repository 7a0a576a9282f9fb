"""Sketches as SVG, sheets below each other, and as PDF, a page a sheet: the same shapes in both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from planner.plan import Identity
from planner.sketches.shapes import HEIGHT, WIDTH, Bar, Shape, Sketch, Stroke, Words
from planner.write.page import MM, Ink, Page, new_canvas
from planner.write.picture import FONT, escaped
from planner.write.typeset import BOLD, REGULAR, fit_into, text_width

_SIZE_OF_MM: Final = 2.835
"""Points of a millimetre of type."""
_GAP: Final = 6.0


def height_of_sketches(sketches: Sequence[Sketch]) -> float:
    """Of the sheets below each other, in mm."""
    return len(sketches) * HEIGHT + max(len(sketches) - 1, 0) * _GAP


def svg_of_sketches(sketches: Sequence[Sketch], identity: Identity, inside: str = "") -> str:
    """Sheets below each other; inside: place and size in another drawing, instead of their own in mm."""
    height = height_of_sketches(sketches)
    size = inside or f'width="{WIDTH:g}mm" height="{height:g}mm"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} '
        f'viewBox="0 0 {WIDTH:g} {height:g}" font-family="{FONT}" data-inputs-sha256="{escaped(identity.inputs_sha256)}">'
    )
    parts = [head, f"<title>{escaped(f'{identity.project} {identity.revision}')}</title>"]
    for number, sketch in enumerate(sketches):
        parts.append(f'<g transform="translate(0 {number * (HEIGHT + _GAP):g})">')
        parts.append(f'<rect width="{WIDTH:g}" height="{HEIGHT:g}" fill="#fff"/>')
        parts += (_svg(shape) for shape in (*_furniture(sketch, identity, number + 1, len(sketches)), *sketch.shapes))
        parts.append("</g>")
    return "\n".join((*parts, "</svg>\n"))


def _svg(shape: Shape) -> str:
    if isinstance(shape, Bar):
        fill = "none" if shape.grey is None else _grey(shape.grey)
        edge = f' stroke="#000" stroke-width="{shape.line:g}"' if shape.line else ""
        return f'<rect x="{shape.x:.2f}" y="{shape.y:.2f}" width="{shape.width:.2f}" height="{shape.height:.2f}" fill="{fill}"{edge}/>'
    if isinstance(shape, Stroke):
        dash = f' stroke-dasharray="{shape.dash:g}"' if shape.dash else ""
        return (
            f'<line x1="{shape.x1:.2f}" y1="{shape.y1:.2f}" x2="{shape.x2:.2f}" y2="{shape.y2:.2f}" '
            f'stroke="{_grey(shape.grey)}" stroke-width="{shape.line:.2f}"{dash}/>'
        )
    weight = ' font-weight="bold"' if shape.bold else ""
    return (
        f'<text x="{shape.x:.2f}" y="{shape.y:.2f}" font-size="{_size(shape):.2f}" text-anchor="{shape.anchor}"{weight} '
        f'style="white-space:pre;unicode-bidi:isolate">{escaped(shape.text)}</text>'
    )


def _grey(value: float) -> str:
    return f"#{round(value * 255):02x}" + f"{round(value * 255):02x}" * 2


def _size(words: Words) -> float:
    """Height in mm, shrunk so that the text keeps to its room; measured in the documents' font."""
    if not words.room:
        return words.size
    face, points = BOLD if words.bold else REGULAR, words.size * _SIZE_OF_MM
    needed = text_width(face, words.text, points)
    # A browser may set another font, up to a fifth wider.
    return words.size * min(1.0, words.room * MM / (needed * 1.2 or 1))


def pdf_of_sketches(sketches: Sequence[Sketch], identity: Identity, path: Path, title: str) -> None:
    canvas = new_canvas(
        path,
        (WIDTH * MM, HEIGHT * MM),
        f"{identity.project} {identity.revision} {title}",
        f"inputs {identity.inputs_sha256}",
    )
    ink = Ink(canvas)
    for number, sketch in enumerate(sketches, start=1):
        canvas.bookmarkPage(f"sheet-{number}")
        canvas.addOutlineEntry(sketch.title, f"sheet-{number}", 0)
        page = Page(ink, (WIDTH * MM, HEIGHT * MM))
        for shape in (*_furniture(sketch, identity, number, len(sketches)), *sketch.shapes):
            _draw(page, shape)
        page.put(canvas)
    canvas.save()


def _draw(page: Page, shape: Shape) -> None:
    if isinstance(shape, Bar):
        page.rectangle(
            shape.x * MM,
            (HEIGHT - shape.y - shape.height) * MM,
            shape.width * MM,
            shape.height * MM,
            shape.grey,
            shape.line * MM,
        )
    elif isinstance(shape, Stroke):
        page.rule(
            shape.x1 * MM,
            (HEIGHT - shape.y1) * MM,
            shape.x2 * MM,
            (HEIGHT - shape.y2) * MM,
            shape.line * MM,
            shape.grey,
            shape.dash * MM,
        )
    else:
        face, size = BOLD if shape.bold else REGULAR, shape.size * _SIZE_OF_MM
        room = shape.room * MM or WIDTH * MM
        lines = fit_into(shape.text, face, size, room, size * 1.2)
        write = {"start": page.text, "middle": page.centred, "end": page.right_text}[shape.anchor]
        y = (HEIGHT - shape.y) * MM
        for line in lines.lines:
            write(shape.x * MM, y, line, lines.size, face)
            y -= lines.size * 1.16


def _furniture(sketch: Sketch, identity: Identity, number: int, total: int) -> Iterator[Shape]:
    """Title and origin of every sheet."""
    yield Words(12, 14, sketch.title, 5, bold=True, room=WIDTH - 70)
    origin = f"{identity.project}, revision {identity.revision or 'not given'} · inputs {identity.inputs_sha256[:12]} · planner {identity.planner_version}"
    yield Words(12, 20, origin, 2.6, room=WIDTH - 70)
    yield Words(WIDTH - 12, 14, f"sheet {number} of {total}", 3, "end")
    if identity.draft:
        yield Words(WIDTH - 12, 20, "DRAFT: has errors, do not install", 3.4, "end", bold=True)
    yield Stroke(12, 23, WIDTH - 12, 23, 0.4)
