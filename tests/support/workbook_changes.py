"""A workbook changed as a buyer would, and what its sums must then be, worked out apart from the workbook's formulas."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import openpyxl
from openpyxl.workbook.workbook import Workbook

NIC_COST: Final = Decimal("12345.67")
CURRENCY: Final = "CHF"


@dataclass
class Line:
    """A purchase line after the change."""

    part: str
    category: str
    phase: str
    installed: int
    spare: int
    stock: int
    price: Decimal
    pack: int = 1
    least: int = 0
    order: int = 0

    @property
    def need(self) -> int:
        return max(0, self.installed + self.spare - self.stock)


def changed_workbook(folder: Path, target: Path) -> list[Line]:
    """Every price, some counts, packs and minimums of a plan's `bom.xlsx` written over; the lines as they then are."""
    with (folder / "bom.csv").open(encoding="utf-8", newline="") as file:
        bill = list(csv.DictReader(file))
    lines = [
        Line(
            part=row["part"],
            category=row["category"],
            phase=row["phase"],
            installed=int(row["qty_installed"]),
            spare=int(row["qty_spare"]),
            stock=int(row["qty_stock"]),
            price=Decimal(0),
        )
        for row in bill
    ]
    first: dict[str, Line] = {}
    for line in lines:
        first.setdefault(line.part, line)
    for place, part in enumerate(first):
        first[part].pack, first[part].least = (1, 0) if place % 3 == 2 else (7 + place, 25 if place % 2 else 0)
    for place, line in enumerate(lines):
        line.price = Decimal(first_place(lines, line) * 725 + 1000).scaleb(-2)
        line.pack, line.least = first[line.part].pack, first[line.part].least
        line.installed += 5 * (place % 2)
        line.spare += 3 * (line is first[line.part])
        line.stock += 2 * (place % 3 == 1)
    for part in first:
        mine = [line for line in lines if line.part == part]
        for line in mine:
            line.order = line.need
        if total := sum(line.need for line in mine):
            wanted = max(total, mine[0].least)
            mine[0].order += wanted + -wanted % mine[0].pack - total
    book = openpyxl.load_workbook(folder / "bom.xlsx")
    sheet, head = purchase_of(book)
    columns = {str(cell.value): int(cell.column) for cell in sheet[head]}
    for row, line in enumerate(lines, start=head + 1):
        cells: list[tuple[str, Any]] = [
            ("Installed", line.installed), ("Spare", line.spare), ("Stock", line.stock), ("Unit price", float(line.price)), ("Currency", CURRENCY)
        ]  # fmt: skip
        if line is first[line.part]:
            cells += [("Pack", line.pack), ("Min. order", line.least or None)]
        for name, value in cells:
            sheet.cell(row, columns[name]).value = value
    summary: Any = book["Summary"]
    nics = next(row[0].row for row in summary.iter_rows() if str(row[0].value).startswith("NICs"))
    summary.cell(nics, 6).value = float(NIC_COST)
    book.save(target)
    return lines


def first_place(lines: list[Line], line: Line) -> int:
    return next(place for place, other in enumerate(lines) if other.part == line.part)


def purchase_of(book: Workbook) -> tuple[Any, int]:
    sheet = book["Purchase"]
    return sheet, next(row for row in range(1, 40) if sheet.cell(row, 1).value == "Line")


def totals_amiss(book: Workbook, lines: list[Line]) -> Iterator[str]:
    """Where a changed workbook, computed, has other orders and sums than its lines come to."""
    sheet, head = purchase_of(book)
    columns = {str(cell.value): cell.column for cell in sheet[head]}
    for row, line in enumerate(lines, start=head + 1):
        told = sheet.cell(row, columns["Order"]).value, sheet.cell(row, columns["Extended"]).value
        yield from amiss(f"Purchase, {line.part} {line.phase}", told, (line.order, line.order * line.price))
    total = sum(line.order * line.price for line in lines)
    for below in (1, 2):
        shown = sheet.cell(head + len(lines) + below, columns["Extended"]).value
        yield from amiss(f"Purchase, sum {below}", (shown,), (total,))
    rows = {str(row[0]): row for row in book["Summary"].iter_rows(values_only=True) if row[0]}
    cabling = sum(line.order * line.price for line in lines if line.category != "switch")
    groups: list[tuple[str, Callable[[Line], bool]]] = [
        ("Cabling", lambda line: line.category != "switch"),
        ("Switches", lambda line: line.category == "switch"),
        ("Total of the purchase list", lambda _: True),
        *((name, lambda line, name=name: line.category == name) for name in sorted({line.category for line in lines})),
    ]
    for name, chosen in groups:
        mine = [line for line in lines if chosen(line)]
        counts = (
            sum(line.installed for line in mine),
            sum(line.spare for line in mine),
            sum(line.order for line in mine),
        )
        yield from amiss(f"Summary, {name}", rows[name][2:6], (*counts, sum(line.order * line.price for line in mine)))
        if mine and rows[name][6:8] != (CURRENCY, 0):
            yield f"Summary, {name}: {rows[name][6:8]}, and not {CURRENCY} and no line without a price"
    yield from amiss("Summary, share without NICs", rows["Cabling share without NICs"][5:6], (cabling / total,))
    yield from amiss("Summary, share with NICs", rows["Cabling share with NICs"][5:6], (cabling / (total + NIC_COST),))
    for phase in {line.phase for line in lines if line.phase}:
        mine = [line for line in lines if line.phase == phase]
        wanted = sum(line.order for line in mine), sum(line.order * line.price for line in mine)
        yield from amiss(f"Summary, phase {phase}", rows[phase][4:6], wanted)


def amiss(what: str, told: tuple[Any, ...], wanted: tuple[Any, ...]) -> Iterator[str]:
    for one, other in zip(told, wanted, strict=True):
        if not isinstance(one, int | float) or abs(one - float(other)) > 1e-9 * max(1, float(other)):
            yield f"{what}: {one}, and should be {other}"
