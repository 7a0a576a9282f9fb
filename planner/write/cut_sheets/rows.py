"""A cable's row in the table: near end, cable, far ends, boxes, remarks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from planner.cutsheet import CableRow, End
from planner.typeset import BOLD, REGULAR, fit
from planner.write.choices import Codes
from planner.write.cut_sheets.ends import EndCell, UnusedLeg
from planner.write.cut_sheets.scan import Scan
from planner.write.cut_sheets.table import (
    BOX,
    BOX_STEP,
    CABLE,
    END,
    FAR,
    FAR_BOX,
    FAR_END,
    NEAR,
    NEAR_BOX,
    NEAR_END,
    REMARK,
    WORK,
)
from planner.write.cut_sheets.words import length, remarks_of, way
from planner.write.page import FRAME_WIDTH, MM, Page

_LONG_REMARK: Final = 200
"""Characters beyond which a remark stands below the table, so that a row keeps its height."""

_PAD: Final = 1.2 * MM
"""Of a row, above and below its cells."""
_CELLS: Final = 9.6 * MM
"""Least height of the cells: that of the boxes with what stands around them."""
LEAST_HEIGHT: Final = _CELLS + _PAD
_LEG_GAP: Final = 1.5 * MM
_EDGES: Final = ((NEAR, 0.8), (CABLE, 0.8), (FAR, 0.8), (WORK, 0.8), (REMARK, 0.4))


class Row:
    """is_shaded: every other one. begins_device: its near end is in another device than that of the row above."""

    def __init__(self, row: CableRow, codes: Codes, *, is_shaded: bool, begins_device: bool) -> None:
        self.row = row
        self.is_shaded = is_shaded
        self.begins_device = begins_device
        self.number = fit(str(row.cable_id), BOLD, 15, 15 * MM)
        self.end = fit(f"{_ends_told(row)} · bundle {row.bundle}", REGULAR, 6.5, 16 * MM)
        self.near = EndCell(row.near, NEAR_END)
        self.far = [(EndCell if end.is_used else UnusedLeg)(end, FAR_END) for end in row.far]
        self.cable = _CableCell(row)
        remarks = remarks_of(row)
        self.has_long_remarks = len(remarks) > _LONG_REMARK
        told = "see 4, long remarks" if self.has_long_remarks else remarks
        self.scan = Scan.of(row.cable_id, codes)
        beside = self.scan.width - 0.5 * MM if self.scan and self.scan.beside else 0.0
        self.remarks = fit(told, REGULAR, 6.5, (END - REMARK - 1.5) * MM - beside, 0.95)
        self.remarks_at = beside, self.scan.height if self.scan and not self.scan.beside else 0.0
        self.height = max(
            self.number.height + self.end.height,
            self.near.height,
            sum(cell.height for cell in self.far) + (len(self.far) - 1) * _LEG_GAP,
            self.cable.height,
            self.remarks_at[1] + (self.remarks.height if told else 0),
            self.scan.height if self.scan else 0,
            _CELLS,
        ) + _PAD  # fmt: skip

    def draw(self, page: Page, top: float) -> None:
        x, inside = page.left, top - 0.6 * MM
        below = page.lines(x + 0.5 * MM, inside, self.number, BOLD)
        page.lines(x + 0.5 * MM, below, self.end)
        self.near.draw(page, x + NEAR * MM, inside)
        _draw_boxes(page, x + NEAR_BOX * MM, inside, self._work_at(self.row.near))
        self.cable.draw(page, x, inside)
        y = inside
        for cell, end in zip(self.far, self.row.far, strict=True):
            cell.draw(page, x + FAR * MM, y)
            _draw_boxes(page, x + FAR_BOX * MM, y, self._work_at(end))
            y -= cell.height + _LEG_GAP
        _draw_boxes(page, x + WORK * MM, inside, (not self.row.lands_from, True, True))
        if self.scan:
            self.scan.draw(page, x + (REMARK + 0.3) * MM, inside)
        page.lines(x + (REMARK + 1) * MM + self.remarks_at[0], inside - self.remarks_at[1], self.remarks)
        self._draw_lines(page, top)

    def _work_at(self, end: End) -> tuple[bool, bool]:
        """Whether the end is cleaned, and plugged."""
        return self.row.is_optical and end.is_used, end.is_used

    def _draw_lines(self, page: Page, top: float) -> None:
        x, bottom = page.left, top - self.height
        if self.is_shaded:
            page.fill(x, bottom, FRAME_WIDTH, self.height, 0.94)
        for edge, width in _EDGES:
            page.rule(x + edge * MM, top, x + edge * MM, bottom, width)
        page.rule(x, bottom, page.right, bottom, 0.4)
        if self.begins_device:
            page.rule(x, top, page.right, top, 1.4)


class _CableCell:
    """Length and colour, part, way."""

    def __init__(self, row: CableRow) -> None:
        width = (FAR - CABLE - 2) * MM
        self.length = fit(length(row.part.length_mm), BOLD, 11.5, width * 0.6)
        self.colour = fit(row.part.colour, REGULAR, 8, width * 0.36)
        self.part = fit(row.part.part, BOLD, 8, width)
        self.way = fit(way(row), REGULAR, 7, width, 0.9)
        self.height = max(self.length.height, self.colour.height) + self.part.height + self.way.height

    def draw(self, page: Page, x: float, top: float) -> None:
        left = x + (CABLE + 1) * MM
        page.right_text(x + (FAR - 1) * MM, top - 8.5, self.colour.lines[0], self.colour.size)
        y = page.lines(left, top, self.length, BOLD)
        y = page.lines(left, y, self.part, BOLD)
        page.lines(left, y, self.way)


def _ends_told(row: CableRow) -> str:
    """Both ends where both are plugged here, else the near one."""
    if row.lands_from or row.other_racks:
        return f"end {row.near.name}"
    return f"ends {'+'.join(end.name for end in (row.near, *row.far))}"


def _draw_boxes(page: Page, x: float, top: float, wanted: Sequence[bool]) -> None:
    """A box for each kind of work; a dash where there is nothing to do."""
    for index, is_wanted in enumerate(wanted):
        left = x + (0.85 + index * BOX_STEP) * MM
        if is_wanted:
            page.box(left, top - 1.2 * MM - BOX, BOX, BOX)
        else:
            page.rule(left + 1.2 * MM, top - 1.2 * MM - BOX / 2, left + 3.1 * MM, top - 1.2 * MM - BOX / 2, 0.8)
