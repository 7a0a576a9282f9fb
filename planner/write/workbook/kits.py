"""The sheet Kits: what to bring to each rack."""

from __future__ import annotations

from typing import Final

from planner.bom.bill import described, kit_lines
from planner.plan import ABSENT, Plan
from planner.write.workbook.looks import metres_of, top
from planner.write.workbook.purchase import PurchaseTable
from planner.write.workbook.spreadsheet import Book, Column, Formula, Value, letter

KIT_COLUMNS: Final = (
    Column("Rack", "bold", 8, 30),
    Column("Phase", "text", 6, 20),
    Column("Category", "text", 11),
    Column("Part number", "bold", 16, 30),
    Column("Order number", "text", 16, 30),
    Column("Description", "text", 40, 80),
    Column("Length [m]", "metres", 8),
    Column("Quantity", "count", 10),
    Column("Of these to another rack", "count", 13),
)


def kits_sheet(book: Book, plan: Plan, table: PurchaseTable) -> None:
    sheet = book.sheet("Kits", KIT_COLUMNS)
    top(
        book, sheet, plan, "Kits by rack",
        "What to bring to each rack. A cable between two racks is in the kit of the rack of its A end; a transceiver and "
        "a switch are in the kit of the rack they sit in. Spares are in no kit.",
    )  # fmt: skip
    head = book.head(sheet)
    kits = kit_lines(plan)
    rack = None
    for kit in kits:
        part = kit.part
        looks = [f"{column.look}{', first' if kit.rack != rack else ''}" for column in KIT_COLUMNS]
        rack = kit.rack
        book.row(
            sheet,
            [
                kit.rack, kit.phase, part.category, part.part, part.order_number, described(part),
                None if part.length_mm == ABSENT else metres_of(part.length_mm), kit.quantity, kit.leaving or None,
            ],
            looks,
        )  # fmt: skip
    last = max(sheet.next_row - 1, head + 1)
    if not kits:
        book.row(sheet, ["no kits"], ["text"])
    sheet.filter_to = last
    quantity = letter(sheet, "Quantity")
    total, billed = sum(kit.quantity for kit in kits), table.cells("Installed")
    own = f"SUM({quantity}{head + 1}:{quantity}{last})"
    cells: list[Value] = [None] * len(KIT_COLUMNS)
    cells[0], cells[7] = "All kits", Formula(own, total)
    cells[5] = Formula(
        f'IF({own}=SUM({billed}),"as many pieces as Purchase installs","differs from what Purchase installs")',
        "as many pieces as Purchase installs",
    )
    book.row(sheet, cells, ["sum text"] * 7 + ["sum count"] * 2)
