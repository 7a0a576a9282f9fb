"""The files of the cut sheets: pages drawn into a document with its outline, and a document per row of racks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from planner.cutsheet import Sheets
from planner.names import natural_key
from planner.plan import Plan
from planner.write.choices import Choices
from planner.write.cores import on_all_cores
from planner.write.cut_sheets.cover import cover_pages
from planner.write.cut_sheets.frame import HEADER, Frame
from planner.write.cut_sheets.layout import Placed
from planner.write.cut_sheets.rack import RackPages, rack_pages
from planner.write.cut_sheets.words import not_cabled
from planner.write.page import Ink, Page, new_canvas
from planner.write.rows_of_racks import file_stems

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas


def write_document(plan: Plan, racks: Sequence[RackPages], path: Path, choices: Choices, row: str = "") -> None:
    """Cover and racks as one PDF; row: of racks, where the document is of one only."""
    identity, paper = plan.identity, choices.paper
    cover = cover_pages(plan, racks, choices.codes)
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
            frame = Frame(identity, f"Rack {rack.sheet.rack}", of_rack, number, total, alarm=not_cabled(rack.sheet))
            _draw(canvas, Page(ink, paper), placed, frame)
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


def write_rows(plan: Plan, folder: Path, choices: Choices) -> list[Path]:
    """A file per row of racks, each by itself, so that few sheets are held and all cores have work."""
    made = Sheets(plan)
    rows = made.by_row()
    ordered = sorted(plan.racks, key=lambda rack: natural_key(rack.name))
    stems = file_stems(dict.fromkeys(rack.row for rack in ordered))

    def write_row(row: str) -> Path | None:
        racks = [rack_pages(sheet, choices.codes) for sheet in made.of(rows[row])]
        if not racks:
            return None
        path = folder / f"{stems[row]}.pdf"
        write_document(plan, racks, path, choices, row)
        return path

    return [path for path in on_all_cores(write_row, list(rows)) if path]
