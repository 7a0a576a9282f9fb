"""The files of the cut sheets: pages drawn into a document with its outline, and a document per row of racks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from planner.cutsheet import sheets
from planner.names import fold, natural_key
from planner.plan import Plan
from planner.write.cut_sheets.cover import cover_pages
from planner.write.cut_sheets.frame import HEADER, Frame
from planner.write.cut_sheets.layout import Placed
from planner.write.cut_sheets.rack import RackPages, rack_pages
from planner.write.page import Ink, Page, new_canvas

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas


def write_document(plan: Plan, racks: Sequence[RackPages], path: Path, paper: str, row: str = "") -> None:
    """Cover and racks as one PDF; row: of racks, where the document is of one only."""
    identity = plan.identity
    cover = cover_pages(identity, racks)
    total = len(cover) + sum(len(rack.pages) for rack in racks)
    title = f"{identity.project} {identity.revision} cut sheets" + (f", row {row}" if row else "")
    canvas = new_canvas(path, paper, title, f"inputs {identity.inputs_sha256}")
    ink = Ink(canvas)
    _mark(canvas, "cover", "Cover", 0)
    for number, placed in enumerate(cover, start=1):
        _draw(canvas, Page(ink, paper), placed, Frame(identity, "Cut sheets", "", number, total))
    before: str | None = None
    number = len(cover)
    for index, rack in enumerate(racks):
        if rack.sheet.row != before:
            _mark(canvas, f"row-{index}", f"Row {rack.sheet.row}", 0)
            before = rack.sheet.row
        _mark(canvas, f"rack-{index}", f"Rack {rack.sheet.rack}", 1)
        for part, placed in enumerate(rack.pages, start=1):
            number += 1
            of_rack = f"sheet {part} of {len(rack.pages)} of this rack"
            _draw(canvas, Page(ink, paper), placed, Frame(identity, f"Rack {rack.sheet.rack}", of_rack, number, total))
    canvas.save()


def _mark(canvas: Canvas, key: str, title: str, level: int) -> None:
    """An entry of the outline that leads to the page drawn next."""
    canvas.bookmarkPage(key)
    canvas.addOutlineEntry(title, key, level)


def _draw(canvas: Canvas, page: Page, placed: Placed, frame: Frame) -> None:
    frame.draw(page)
    for offset, block in placed:
        block.draw(page, page.top - HEADER - offset)
    page.put(canvas)


def write_rows(plan: Plan, folder: Path, paper: str) -> Iterator[Path]:
    """A file per row of racks, written when the last rack of the row has passed, so that few sheets are held."""
    ordered = sorted(plan.racks, key=lambda rack: natural_key(rack.name))
    place = {rack.name: number for number, rack in enumerate(ordered)}
    last = {rack.row: number for number, rack in enumerate(ordered)}
    stems = file_stems(last)
    waiting: dict[str, list[RackPages]] = {}

    def finished(before: int) -> Iterator[Path]:
        for row in [row for row in waiting if last[row] < before]:
            path = folder / f"{stems[row]}.pdf"
            write_document(plan, waiting.pop(row), path, paper, row)
            yield path

    for sheet in sheets(plan):
        yield from finished(place[sheet.rack])
        waiting.setdefault(sheet.row, []).append(rack_pages(sheet))
    yield from finished(len(ordered))


def file_stems(rows: Iterable[str]) -> dict[str, str]:
    """A file name for each row: what is not a letter, digit or dash becomes `_`, and names stay apart without case."""
    taken: set[str] = set()
    stems = {}
    for row in rows:
        plain = re.sub(r"[^A-Za-z0-9\-]", "_", row)[:60] or "_"
        stem, number = f"row-{plain}", 2
        while fold(stem) in taken:
            stem, number = f"row-{plain}-{number}", number + 1
        taken.add(fold(stem))
        stems[row] = stem
    return stems
