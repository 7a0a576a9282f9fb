"""What to fetch: parts with their counts, a box to tick at each."""

from __future__ import annotations

from collections.abc import Sequence

from planner.cutsheet import Item
from planner.typeset import BOLD, REGULAR, fit
from planner.write.cut_sheets.blocks import Heading, Space, Text
from planner.write.cut_sheets.layout import COLUMN, COLUMNS, Layout, column_left
from planner.write.cut_sheets.words import TIMES, length
from planner.write.page import FRAME_WIDTH, MM, Page


def add_kit(out: Layout, heading: Heading, kit: Sequence[Item], landing: Sequence[Item] = ()) -> None:
    """kit: what is brought here; landing: cables that other crews bring."""
    out.add(heading, keep=8 * MM)
    cells = [_Cell(item) for item in kit]
    for start in range(0, len(cells), COLUMNS):
        out.add(_Line(cells[start : start + COLUMNS]))
    if landing:
        listed = ", ".join(f"{item.count} {TIMES} {item.part.part} {length(item.part.length_mm)}" for item in landing)
        out.add(Text.flowing(f"Brought by the crews of other racks: {listed}", 7.5, FRAME_WIDTH - 4))
    out.add(Space(2 * MM))


class _Cell:
    def __init__(self, item: Item) -> None:
        part = item.part
        spoken = length(part.length_mm) if part.length_mm >= 0 else ""
        metres = "" if part.part.endswith(f" {spoken}") else f"{spoken} "
        self.count = fit(f"{item.count} {TIMES}", BOLD, 11, 14 * MM)
        self.title = fit(f"{part.part}  {metres}{part.colour}".strip(), BOLD, 9, COLUMN - 22 * MM)
        number = f"{part.order_number} · " if part.order_number else ""
        self.note = fit(f"{number}{part.description}", REGULAR, 6.5, COLUMN - 22 * MM, 0.85)
        self.height = max(self.title.height + self.note.height, 6 * MM) + 1.4 * MM

    def draw(self, page: Page, x: float, top: float) -> None:
        page.box(x, top - 5 * MM, 4.2 * MM, 4.2 * MM)
        page.lines(x + 6 * MM, top - 0.6 * MM, self.count, BOLD)
        below = page.lines(x + 20 * MM, top - 0.4 * MM, self.title, BOLD)
        page.lines(x + 20 * MM, below, self.note)


class _Line:
    """Cells side by side."""

    def __init__(self, cells: Sequence[_Cell]) -> None:
        self.cells = cells
        self.height = max(cell.height for cell in cells)

    def draw(self, page: Page, top: float) -> None:
        for number, cell in enumerate(self.cells):
            cell.draw(page, column_left(page, number), top)
