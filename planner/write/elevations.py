"""`elevations.pdf` and `.svg`: the faces of the racks to scale, several on a page, each device with its cables beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from planner.elevation import Elevation, elevations
from planner.plan import Plan
from planner.sketches.shapes import HEIGHT, WIDTH, Shape, Sketch, Words
from planner.write.choices import DEFAULT, Choices
from planner.write.cut_sheets.frame import BODY, HEADER, Frame
from planner.write.drawn import draw_shapes
from planner.write.page import ENLARGED, FRAME_WIDTH, MM, Ink, Page, Paper, new_canvas
from planner.write.rack_faces import RackFace, Sizes
from planner.write.sketches import svg_of_sketches
from planner.write.text import write_text

_BAR_MM: Final = 500
MOST_IN_SVG: Final = 60
"""Faces of racks in one SVG file, 2 MB: a browser shows more of them slowly or not at all."""


def write_elevations(plan: Plan, folder: Path, choices: Choices = DEFAULT) -> Path:
    """Write `elevations.pdf` into a folder that exists, and `elevations.svg` where the faces are not too many for one file.

    Raises KeyError for an unknown rack.
    """
    identity, path, paper = plan.identity, folder / "elevations.pdf", choices.paper
    drawn = list(elevations(plan, choices.rack))
    sizes = Sizes.of(drawn, BODY)
    pages = [drawn[first : first + sizes.per_page] for first in range(0, len(drawn), sizes.per_page)]
    canvas = new_canvas(
        path, paper, f"{identity.project} {identity.revision} elevations", f"inputs {identity.inputs_sha256}"
    )
    ink = Ink(canvas)
    row: str | None = None
    for number, on_page in enumerate(pages, start=1):
        canvas.bookmarkPage(f"page-{number}")
        for face in on_page:
            if face.row != row:
                canvas.addOutlineEntry(f"Row {face.row}", f"page-{number}", 0)
                row = face.row
            canvas.addOutlineEntry(f"Rack {face.rack} {face.face}", f"page-{number}", 1)
        page = Page(ink, paper)
        Frame(identity, _title(on_page), "rack elevations", number, max(len(pages), 1), _legend(sizes, paper), "").draw(
            page
        )
        _draw_bar(page, sizes)
        for place, face in enumerate(on_page):
            draw_shapes(page, RackFace(face, sizes, place * sizes.column, 0).shapes(), page.left, page.top - HEADER)
        page.put(canvas)
    if not pages:
        page = Page(ink, paper)
        Frame(identity, "Rack elevations", "the plan has no racks", 1, 1, "", "").draw(page)
        page.put(canvas)
    canvas.save()
    if 0 < len(drawn) <= MOST_IN_SVG:
        sketches = [Sketch(_title(on_page), tuple(_sheet(on_page, sizes))) for on_page in pages]
        write_text(folder / "elevations.svg", svg_of_sketches(sketches, identity))
    return path


def _title(on_page: Sequence[Elevation]) -> str:
    names = list(dict.fromkeys(face.rack for face in on_page))
    return f"Racks {names[0]} to {names[-1]}" if len(names) > 1 else f"Rack {names[0]}"


def _sheet(on_page: Sequence[Elevation], sizes: Sizes) -> Iterator[Shape]:
    """The racks of a page below the head that every sketch has."""
    left = (WIDTH * MM - FRAME_WIDTH) / 2
    for place, face in enumerate(on_page):
        yield from RackFace(face, sizes, left + place * sizes.column, 24 * MM).shapes()
    yield Words(12, HEIGHT - 8, _legend(sizes, "a4"), 2.4, room=WIDTH - 24)


def _legend(sizes: Sizes, paper: Paper) -> str:
    return (
        f"scale 1:{sizes.scale / ENLARGED.get(paper, 1):.3g} printed at 100 % · grey: device, white: free slot"
        " · mount: where the device's front is · cables, ports in use: at the face drawn"
    )


def _draw_bar(page: Page, sizes: Sizes) -> None:
    """A scale bar in the footer, by which a print that was shrunk is found out."""
    length, y = _BAR_MM * MM / sizes.scale, page.bottom + 1.6 * MM
    left = page.right - length
    page.box(left, y, length / 2, 1.2 * MM, 0, 0.4)
    page.box(left + length / 2, y, length / 2, 1.2 * MM, 1, 0.4)
    page.right_text(left - 1.5 * MM, y, f"{_BAR_MM} mm of rack", 6.8)
