"""Sketches as SVG, sheets below each other, and as PDF, a page a sheet: the same shapes in both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from planner.plan import Identity
from planner.sketches.shapes import HEIGHT, WIDTH, Shape, Sketch, Stroke, Words
from planner.write.drawn import draw_shapes
from planner.write.page import MM, Ink, Page, new_canvas
from planner.write.svg import FONT, escaped, shapes_svg

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
        parts += shapes_svg((*_furniture(sketch, identity, number + 1, len(sketches)), *sketch.shapes))
        parts.append("</g>")
    return "\n".join((*parts, "</svg>\n"))


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
        shapes = (*_furniture(sketch, identity, number, len(sketches)), *sketch.shapes)
        draw_shapes(page, shapes, 0, HEIGHT * MM)
        page.put(canvas)
    canvas.save()


def _furniture(sketch: Sketch, identity: Identity, number: int, total: int) -> Iterator[Shape]:
    """Title and origin of every sheet."""
    yield Words(12, 14, sketch.title, 5, bold=True, room=WIDTH - 70)
    origin = f"{identity.project}, revision {identity.revision or 'not given'} · inputs {identity.inputs_sha256[:12]} · planner {identity.planner_version}"
    yield Words(12, 20, origin, 2.6, room=WIDTH - 70)
    yield Words(WIDTH - 12, 14, f"sheet {number} of {total}", 3, "end")
    if identity.draft:
        yield Words(WIDTH - 12, 20, "DRAFT: has errors, do not install", 3.4, "end", bold=True)
    yield Stroke(12, 23, WIDTH - 12, 23, 0.4)
