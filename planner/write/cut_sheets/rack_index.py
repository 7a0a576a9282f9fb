"""The cover's list of racks: what each has to do, and its first page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from planner.cutsheet import RackSheet
from planner.typeset import BOLD, REGULAR, fit
from planner.write.cut_sheets.blocks import Heading
from planner.write.cut_sheets.layout import Layout
from planner.write.cut_sheets.rack import RackPages
from planner.write.page import MM, Page

_HALF: Final = 128 * MM
"""From the left half of the list to the right one."""

_WIDTH: Final = 122 * MM
_COUNTS: Final = (("starts", 66), ("lands", 76), ("inside", 86), ("plugs", 94), ("no cable", 107), ("page", 118))
"""Columns with their right edges, in mm from the half's left one."""


def add_index(out: Layout, racks: Sequence[RackPages], first: int) -> None:
    """The list runs down the left half of a page, then down the right one. first: page on which the racks begin."""
    out.add(Heading("Racks", "cables that start, land and stay inside; transceivers; first page"), keep=12 * MM)
    head = _Head()
    out.add(head)
    cells = list(_cells(racks, first))
    tallest = max((cell.height for cell in cells), default=1)
    while cells:
        count = max(1, int(out.room / tallest)) * 2
        here, cells = cells[:count], cells[count:]
        half = -(-len(here) // 2)
        for left, right in zip_longest(here[:half], here[half:]):
            out.add(_Line(left, right), again=(head,))
        if cells:
            out.new_page()
            out.add(head)


def _cells(racks: Sequence[RackPages], first: int) -> Iterator[_Cell]:
    for rack in racks:
        yield _Cell(rack.sheet, first)
        first += len(rack.pages)


class _Head:
    height: float = 5 * MM

    def draw(self, page: Page, top: float) -> None:
        for x in (page.left, page.left + _HALF):
            page.text(x + 1 * MM, top - 3.6 * MM, "rack", 7, BOLD)
            page.text(x + 42 * MM, top - 3.6 * MM, "phase", 7, BOLD)
            for word, at in _COUNTS:
                page.right_text(x + at * MM, top - 3.6 * MM, word, 7, BOLD)
            page.rule(x, top - 4.8 * MM, x + _WIDTH, top - 4.8 * MM, 0.6)


class _Cell:
    def __init__(self, sheet: RackSheet, page: int) -> None:
        self.rack = fit(sheet.rack, BOLD, 9, 40 * MM)
        self.phase = fit(sheet.phase, REGULAR, 8, 14 * MM)
        counts = sheet.counts
        self.values = (
            counts.starting, counts.landing, counts.inside, counts.transceivers, counts.unresolved, page
        )  # fmt: skip
        self.height = max(self.rack.height, self.phase.height) + 1.4 * MM

    def draw(self, page: Page, x: float, top: float, height: float) -> None:
        page.lines(x + 1 * MM, top - 0.7 * MM, self.rack, BOLD)
        page.lines(x + 42 * MM, top - 0.7 * MM, self.phase)
        for (word, at), value in zip(_COUNTS, self.values, strict=True):
            bold = word == "page" or (word == "no cable" and value > 0)
            page.right_text(x + at * MM, top - 0.7 * MM - 8.4, str(value), 9, BOLD if bold else REGULAR)
        page.rule(x, top - height, x + _WIDTH, top - height, 0.3, 0.5)


class _Line:
    """Two racks side by side."""

    def __init__(self, left: _Cell, right: _Cell | None) -> None:
        self.cells = [cell for cell in (left, right) if cell]
        self.height = max(cell.height for cell in self.cells)

    def draw(self, page: Page, top: float) -> None:
        for index, cell in enumerate(self.cells):
            cell.draw(page, page.left + index * _HALF, top, self.height)
