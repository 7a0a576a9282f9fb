"""The workbook for purchasing: what to buy, what is on hand, kits by rack, every cable and port, findings.

Order quantities, extended prices and totals are formulas, so that a buyer who changes a spare count, a pack size or a
price sees everything follow. What is not known stays an empty cell, and sums that need it say so instead of a figure.
"""

from __future__ import annotations

from pathlib import Path

from planner.bom.bill import bom_lines
from planner.plan import Plan
from planner.write.workbook import schedules
from planner.write.workbook.by_row import write_row_workbooks
from planner.write.workbook.findings import findings_sheet, unresolved_sheet
from planner.write.workbook.kits import kits_sheet
from planner.write.workbook.looks import LOOKS
from planner.write.workbook.purchase import purchase_sheet
from planner.write.workbook.schedules import cables_sheet, ports_sheet
from planner.write.workbook.sources import sources_sheet
from planner.write.workbook.spreadsheet import Book, Page
from planner.write.workbook.stock import stock_sheet
from planner.write.workbook.summary import SUMMARY_COLUMNS, Summary


def write_bom_workbook(plan: Plan, path: Path) -> None:
    """Write the workbook of a plan: the same plan gives the same bytes.

    Above MOST_CABLES cables the sheets Cables and Ports have no rows and say where these are.
    """
    book = Book(LOOKS, _page(plan), f"Bill of materials {plan.identity.project}")
    lines = bom_lines(plan)
    summary = book.sheet("Summary", SUMMARY_COLUMNS)
    unresolved = unresolved_sheet(book, plan)
    table = purchase_sheet(book, plan, lines)
    stock_sheet(book, plan)
    kits_sheet(book, plan, table)
    cables_sheet(book, plan)
    ports_sheet(book, plan)
    sources_sheet(book, plan, lines, table)
    findings_sheet(book, plan)
    Summary(book, plan, summary, lines, table, unresolved).write()
    book.save(path)


def write_schedules(plan: Plan, folder: Path) -> list[Path]:
    """Write `schedules/` with a workbook for each row of racks, where there are more than MOST_CABLES cables."""
    if len(plan.cables) <= schedules.MOST_CABLES:
        return []
    inner = folder / "schedules"
    inner.mkdir(exist_ok=True)
    return write_row_workbooks(plan, inner, _page(plan))


def _page(plan: Plan) -> Page:
    identity = plan.identity
    return Page(
        left=identity.project,
        right=f"revision {identity.revision}" if identity.revision else "no revision",
        foot=f"inputs {identity.inputs_sha256[:12]}",
        draft=identity.draft,
    )
