"""The sheet Stock: what is on hand, where it lies, what the purchase list takes of it, and what is left."""

from __future__ import annotations

from typing import Final

from planner.bom.bill import stock_used
from planner.bom.on_hand import StockUse
from planner.plan import ABSENT, Plan
from planner.write.workbook.looks import metres_of, top
from planner.write.workbook.spreadsheet import Book, Column, Formula, Value, letter

STOCK_COLUMNS: Final = (
    Column("Part number", "bold", 16, 30),
    Column("Order number", "text", 14, 30),
    Column("Category", "text", 11),
    Column("Description", "text", 34, 60),
    Column("Length [m]", "metres", 8),
    Column("Place", "text", 14, 40),
    Column("On hand", "count", 9),
    Column("Used", "count", 8),
    Column("Left", "order", 8),
    Column("Used for", "text", 20, 60),
)


def stock_sheet(book: Book, plan: Plan) -> None:
    """Nothing where the plan has no stock list."""
    if not plan.stock:
        return
    sheet = book.sheet("Stock", STOCK_COLUMNS)
    top(
        book, sheet, plan, "Stock on hand",
        "What of the stock list the purchase list takes, row by row of the list, and what is left. The column Stock of "
        "Purchase holds these pieces; figures that are changed there do not come back here.",
    )  # fmt: skip
    head = book.head(sheet)
    on_hand, used = letter(sheet, "On hand"), letter(sheet, "Used")
    uses = stock_used(plan)
    for use in uses:
        row, here = use.row, sheet.next_row
        length = None if row.length_mm == ABSENT else metres_of(row.length_mm)
        book.row(
            sheet,
            [
                row.part, row.order_number, row.category, row.description, length, row.place, row.quantity, use.used,
                Formula(f"{on_hand}{here}-{used}{here}", use.left), _spoken(plan, use),
            ],
        )  # fmt: skip
    last = sheet.next_row - 1
    sheet.filter_to = last
    cells: list[Value] = [None] * len(STOCK_COLUMNS)
    cells[0] = "All rows"
    for column, total in (
        (6, sum(u.row.quantity for u in uses)),
        (7, sum(u.used for u in uses)),
        (8, sum(u.left for u in uses)),
    ):
        at = letter(sheet, STOCK_COLUMNS[column].head)
        cells[column] = Formula(f"SUM({at}{head + 1}:{at}{last})", total)
    book.row(sheet, cells, ["sum text"] * 6 + ["sum count"] * 3 + ["sum text"])


def _spoken(plan: Plan, use: StockUse) -> str:
    """`12 in P1, 3 as MFP7E10-N005`: what the pieces serve, where that says more than the number beside it."""
    words = []
    for part, phase, pieces in use.lines:
        other = f" as {plan.parts[part].part}" if plan.parts[part].part != use.row.part else ""
        where = f" in {plan.phases[phase].name}" if phase != ABSENT else ""
        if other or where:
            words.append(f"{pieces}{where}{other}")
    return ", ".join(words)
