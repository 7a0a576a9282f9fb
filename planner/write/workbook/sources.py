"""The sheet Prices and sources: what each price rests on, and every figure of the parts with its source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from planner.bom.bill import BomLine
from planner.bom.provenance import sourced_figures
from planner.plan import Plan
from planner.write.workbook.looks import money_of, top
from planner.write.workbook.purchase import PurchaseTable
from planner.write.workbook.spreadsheet import Book, Column, Formula, Value

SOURCE_COLUMNS: Final = (
    Column("Part or family", "bold", 18, 30),
    Column("Figure", "text", 18, 30),
    Column("Value", "text", 14, 30),
    Column("Price", "enter money", 10),
    Column("Evidence", "text", 12),
    Column("Source", "text", 40, 60),
    Column("Note", "text", 20, 40),
)


def sources_sheet(book: Book, plan: Plan, lines: Sequence[BomLine], table: PurchaseTable) -> None:
    sheet = book.sheet("Prices and sources", SOURCE_COLUMNS)
    top(
        book, sheet, plan, "Prices and sources",
        "A price follows the unit price on Purchase; change it there. Figures are those of the catalog that the plan was "
        "made with: primary is the maker's own, derived follows from one, secondary is somebody else's, unverified is nobody's.",
    )  # fmt: skip
    book.head(sheet)
    looks = [column.look for column in SOURCE_COLUMNS]
    looks[3] = "money"
    seen: set[str] = set()
    for place, line in enumerate(lines):
        if line.part in seen:
            continue
        seen.add(line.part)
        cell = f"Purchase!${table.columns['Unit price']}${table.first + place}"
        price = money_of(line.unit_price_e4)
        evidence = "indicative" if line.price_note.startswith("indicative") else "" if price is None else "offer"
        row: list[Value] = [
            line.part, "price", line.currency or "", Formula(f'IF({cell}="","",{cell})', "" if price is None else price),
            evidence if price is not None else "not known", line.price_note or "no price in any price book", "",
        ]  # fmt: skip
        book.row(sheet, row, looks)
    for figure in sourced_figures(plan):
        book.row(
            sheet,
            [
                figure.family,
                figure.figure,
                figure.value or "not known",
                None,
                figure.evidence,
                figure.source,
                figure.note,
            ],
            looks,
        )
    sheet.filter_to = sheet.next_row - 1
