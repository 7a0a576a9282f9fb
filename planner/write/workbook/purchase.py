"""The sheet Purchase: a line a part and phase, with formulas from the quantities to the total."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from planner.bom.bill import E4, BomLine, Cost, alternates_by_part, cost_of, minimum_orders, sum_known
from planner.plan import Plan
from planner.write.workbook.looks import day_of, metres_of, money_of, result_of, top
from planner.write.workbook.spreadsheet import Book, Column, Formula, Sheet, Value, letter, serial_of

PURCHASE_COLUMNS: Final = (
    Column("Line", "count", 5),
    Column("Category", "text", 10),
    Column("Manufacturer", "text", 11, 16),
    Column("Part number", "bold", 15, 24),
    Column("Order number", "text", 10, 24),
    Column("Description", "text", 26, 27),
    Column("Length [m]", "metres", 8),
    Column("Installed", "count", 8),
    Column("Spare", "enter count", 6),
    Column("Stock", "enter count", 6),
    Column("Order", "order", 7),
    Column("Pack", "enter count", 6),
    Column("Min. order", "enter count", 6),
    Column("Unit price", "enter money", 11),
    Column("Currency", "enter text", 8),
    Column("Extended", "money", 13),
    Column("Lead time [weeks]", "enter count", 8),
    Column("Need by", "day", 10),
    Column("Order by", "day", 10),
    Column("Phase", "text", 6, 16),
    Column("Evidence", "text", 9),
    Column("Price from", "text", 9, 18),
    Column("Alternates", "text", 12, 30),
)


_OTHER_CURRENCY_ROW: Final = 3  # below the last line, after the two sums


@dataclass(frozen=True)
class PurchaseTable:
    """Where the purchase lines stand, for the formulas of other sheets."""

    first: int
    last: int
    columns: dict[str, str]

    @property
    def other_currency(self) -> str:
        """The cell that counts the priced lines in another currency than the first: with one, no sum is one."""
        return f"Purchase!${self.columns['Extended']}${self.last + _OTHER_CURRENCY_ROW}"

    def cells(self, head: str, sheet: str = "Purchase!") -> str:
        column = self.columns[head]
        return f"{sheet}${column}${self.first}:${column}${self.last}"


def purchase_sheet(book: Book, plan: Plan, lines: Sequence[BomLine]) -> PurchaseTable:
    sheet = book.sheet("Purchase", PURCHASE_COLUMNS)
    sheet.frozen_columns = [column.head for column in PURCHASE_COLUMNS].index("Part number") + 1
    top(
        book, sheet, plan, "Purchase list",
        "Blue figures are yours to change: the order quantity, the extended price and every total follow. "
        "Shaded: a price is missing, and so are the sums that need it.",
        "Order = installed + spare - stock, never below zero, raised to the minimum order and to whole packs; over "
        "several phases spares and rounding fall to a part's first one. Order by = need by - lead time. Length is the ordered "
        "length; a price is per piece.",
    )  # fmt: skip
    head = book.head(sheet)
    columns = {column.head: letter(sheet, column.head) for column in PURCHASE_COLUMNS}
    table = PurchaseTable(head + 1, head + max(len(lines), 1), columns)
    minimums, alternates = minimum_orders(plan), alternates_by_part(plan)
    row = table.first
    for part in _by_part(lines):
        for place, line in enumerate(part):
            later = len(part) - 1 if place == 0 else 0
            book.row(
                sheet, [*_purchase_cells(line, row, row - place, later, minimums, columns), alternates.get(line.part)]
            )
            row += 1
    if not lines:
        book.row(sheet, [None, "nothing to buy"], ["text"] * 2)
    sheet.filter_to = table.last
    price, extended = columns["Unit price"], columns["Extended"]
    if lines:
        missing = f'${price}{table.first}=""'
        sheet.shaded += [(f"{c}{table.first}:{c}{table.last}", missing) for c in (price, extended)]
        sheet.whole_numbers = [
            f"{columns[h]}{table.first}:{columns[h]}{table.last}" for h in ("Spare", "Stock", "Pack", "Min. order")
        ]
        sheet.amounts = [f"{price}{table.first}:{price}{table.last}"]
    _purchase_totals(book, sheet, plan, lines, table)
    return table


def _by_part(lines: Sequence[BomLine]) -> list[list[BomLine]]:
    """The lines of each part together: they follow each other, and only a part's first one has its spares."""
    parts: list[list[BomLine]] = []
    for line in lines:
        if parts and parts[-1][0].part == line.part and parts[-1][0].category == line.category:
            parts[-1].append(line)
        else:
            parts.append([line])
    return parts


def _purchase_cells(
    line: BomLine, row: int, first: int, later: int, minimums: dict[str, int], columns: dict[str, str]
) -> list[Value]:
    """The cells of a line. first: row of the part's first phase; later: how many lines of other phases follow it."""
    need = f"MAX(0,{columns['Installed']}{row}+{columns['Spare']}{row}-{columns['Stock']}{row})"
    order, pack, least = columns["Order"], columns["Pack"], columns["Min. order"]
    if row == first:
        rest = f"SUM({order}{row + 1}:{order}{row + later})" if later else ""
        total = f"{need}+{rest}" if later else need
        text = f"IF({total}=0,0,CEILING(MAX({total},{least}{row}),MAX(1,{pack}{row})))" + (f"-{rest}" if later else "")
        pack_value: Value = line.pack_size
        least_value: Value = minimums.get(line.part)
    else:
        text = need
        # The whole part is rounded in its first line, so that its pack is entered there.
        pack_value = Formula(f'IF({pack}{first}="","",{pack}{first})', "" if line.pack_size is None else line.pack_size)
        minimum = minimums.get(line.part)
        least_value = Formula(f'IF({least}{first}="","",{least}{first})', "" if minimum is None else minimum)
    price = f"{columns['Unit price']}{row}"
    return [
        line.line,
        line.category,
        line.manufacturer,
        line.part,
        line.order_number,
        line.description,
        None if line.length_mm is None else metres_of(line.length_mm),
        line.qty_installed,
        line.qty_spare,
        line.qty_stock,
        Formula(text, line.qty_order),
        pack_value,
        least_value,
        money_of(line.unit_price_e4),
        line.currency,
        Formula(f'IF({price}="","",{order}{row}*{price})', result_of(line.extended_e4)),
        line.lead_time_weeks,
        day_of(line.need_by),
        _order_by(line, f"{columns['Need by']}{row}", f"{columns['Lead time [weeks]']}{row}"),
        line.phase,
        line.evidence,
        line.price_note,
    ]


def _order_by(line: BomLine, need_by: str, weeks: str) -> Formula:
    """The last day on which an order still comes in time; empty where its day or its lead time is not known."""
    need = day_of(line.need_by)
    known = isinstance(need, date) and line.lead_time_weeks is not None
    last: float | str = serial_of(need) - 7 * (line.lead_time_weeks or 0) if known and isinstance(need, date) else ""
    return Formula(f'IF(OR({need_by}="",{weeks}=""),"",{need_by}-7*{weeks})', last)


def _purchase_totals(book: Book, sheet: Sheet, plan: Plan, lines: Sequence[BomLine], table: PurchaseTable) -> None:
    """The total where every line has a price, else what is missing; and what the filter leaves."""
    cost = cost_of(plan, lines)
    count, missing = len(lines), sum(line.unit_price_e4 is None for line in lines)
    total = sum_known(line.extended_e4 for line in lines)
    prices, extended = table.cells("Unit price", ""), table.cells("Extended", "")
    at = [column.head for column in PURCHASE_COLUMNS]
    label, sum_at, currency_at, note_at = (
        at.index(h) for h in ("Description", "Extended", "Currency", "Lead time [weeks]")
    )
    currency = currency_formula(table, cost, "")

    def total_row(
        text: str, value: Formula, unit: Formula | None, note: Formula | str, look: str = "sum money"
    ) -> None:
        cells: list[Value] = [None] * len(at)
        looks = ["sum text"] * len(at)
        cells[label], cells[sum_at], cells[currency_at], cells[note_at] = text, value, unit, note
        looks[sum_at], looks[currency_at] = look, "sum unit"
        book.row(sheet, cells, looks, widen=False)

    gap, mixed = f"{count}-COUNT({prices})", f"${table.columns['Extended']}${table.last + _OTHER_CURRENCY_ROW}"
    others = other_currency_count(lines)
    incomplete = f"not known: {missing} of {count} lines have no price" if missing else _MIXED if others else ""
    total_row(
        "Total of this list",
        Formula(f'IF({gap}+{mixed}=0,SUM({extended}),"")', result_of(None if missing or others else total)),
        currency,
        Formula(
            f'IF({gap}>0,"not known: "&({gap})&" of {count} lines have no price",IF({mixed}>0,"{_MIXED}",""))',
            incomplete,
        ),
    )
    some = [line.extended_e4 or 0 for line in lines if line.extended_e4 is not None]
    priced = sum(some) / E4 if some and not others else ""
    total_row(
        "Lines with a price, as filtered",
        Formula(f'IF(OR(COUNT({prices})=0,{mixed}>0),"",SUBTOTAL(109,{extended}))', priced),
        currency,
        "follows the filter" + ("; indicative prices among them" if cost.indicative else ""),
    )
    units, first = (
        table.cells("Currency", ""),
        f'INDEX({table.cells("Currency", "")},MATCH("?*",{table.cells("Currency", "")},0))',
    )
    total_row(
        "Lines in another currency than the first",
        Formula(f'IF(COUNTIF({units},"?*")=0,0,SUMPRODUCT(({prices}<>"")*({units}<>"")*({units}<>{first})))', others),
        None,
        "",
        look="sum count",
    )


_MIXED: Final = "not known: prices are in several currencies"


def other_currency_count(lines: Sequence[BomLine]) -> int:
    """Priced lines in another currency than the first of them."""
    currencies = [line.currency for line in lines if line.unit_price_e4 is not None and line.currency]
    return sum(currency != currencies[0] for currency in currencies)


def currency_formula(table: PurchaseTable, cost: Cost, sheet: str = "Purchase!") -> Formula:
    """The currency of the first line that has one: prices of one plan are in one currency."""
    cells = table.cells("Currency", sheet)
    return Formula(f'IF(COUNTIF({cells},"?*")=0,"",INDEX({cells},MATCH("?*",{cells},0)))', cost.currency)
