"""A buyer's prices as a price book: the workbook `bom.xlsx` with his figures in it, or any sheet with parts and prices.

A line is taken whole or not at all, and what is not taken is told with its sheet and row. Nothing is guessed: a figure that
can be read two ways, a lead time without a unit or a price without a currency is a fault of the sheet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Final

from planner.findings import Fault, Spot, spot
from planner.importers.amounts import (
    SHARED_SIGNS,
    amount_of,
    currency_of_format,
    decimal_sign,
    may_be_two,
    split_currency,
)
from planner.importers.entry_text import comment, scalar
from planner.importers.price_columns import Heads, heads_of
from planner.names import nearest, quoted_list
from planner.reader.sheet_source import SheetCell, SheetTable

if TYPE_CHECKING:  # loads pydantic
    from planner.catalog.load import Catalog

PURCHASE_SHEET: Final = "Purchase"
"""The sheet of the planner's own workbook; its other sheets hold no prices to import."""
MOST_PRICE: Final = 1_000_000_000
_DECIMALS: Final = Decimal("0.0001")
_WEEKS: Final = re.compile(r"(\d+)\s*(?:w|wk|wks|week|weeks)")
_DAYS: Final = re.compile(r"(\d+)\s*(?:d|day|days)")
_CURRENCY: Final = re.compile(r"[A-Z]{3}")


@dataclass(frozen=True, slots=True)
class Quote:
    """What a row says of a part that the catalog knows, and where; None where it says nothing."""

    part: str
    price: Decimal | None
    currency: str | None
    lead_time_weeks: int | None
    pack_size: int | None
    minimum_order: int | None
    at: Spot
    row: str


@dataclass(slots=True)
class PriceList:
    """Quotes by part in the order of the sheet, all that was wrong, and how many rows said nothing new.

    unpriced: rows without a price or any term. unchanged: prices that the planner printed itself, from an offer that the
    catalog has already.
    """

    quotes: dict[str, Quote] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    unpriced: int = 0
    unchanged: int = 0


Counts = Mapping[tuple[str, str], Mapping[str, int]]
"""Of a plan's `bom.csv`: by part (lower case) and phase, the counts `installed`, `spare` and `stock`."""


def price_list(
    sheets: list[SheetTable], file: int, catalog: Catalog, *, currency: str | None = None, planned: Counts | None = None
) -> PriceList:
    """The prices of a file's sheets.

    file: number of the file, for what has no cell. currency: of prices that have none beside them. planned: the counts
    that the plan's bill has, to tell which of them the buyer changed.
    """
    found = PriceList()
    with_heads = [(sheet, heads) for sheet in sheets if (heads := heads_of(sheet)) is not None]
    own = [pair for pair in with_heads if pair[0].title == PURCHASE_SHEET]
    chosen = own or with_heads
    if not chosen:
        found.faults.append(
            Fault("price-line-fault", "no sheet has a column of prices and one of part or order numbers",
                  spot(file, 1, 1), help="name them `Part number` or `Order number`, and `Unit price`")
        )  # fmt: skip
        return found
    if len(chosen) > 1:
        titles = quoted_list(sheet.title for sheet, _ in chosen)
        found.faults.append(
            Fault("price-line-fault", f"{len(chosen)} sheets have prices: {titles}", spot(file, 1, 1),
                  help="keep the one that counts, or rename the price column of the others")
        )  # fmt: skip
        return found
    sheet, heads = chosen[0]
    for meaning, cells in heads.doubled.items():
        if meaning in ("installed", "spare", "stock", "phase"):
            continue
        titles = quoted_list(cell.text for cell in cells)
        found.faults.append(
            Fault("price-line-fault", f"{len(cells)} columns may be the {meaning.replace('_', ' ')}: {titles}", cells[1].at,
                  help="rename all but the one that counts")
        )  # fmt: skip
    if not found.faults:
        _Rows(sheet, heads, catalog, currency, planned or {}, found).read()
        wrong = any(fault.rule == "price-line-fault" for fault in found.faults)
        if not wrong and not any(quote.price is not None for quote in found.quotes.values()):
            found.faults.append(
                Fault("price-line-fault", f"no row of the column `{heads.title('price')}` has a price to take",
                      heads.cells["price"].at, help="enter prices there, one for each piece")
            )  # fmt: skip
    return found


class _LeftOutError(Exception):
    """A figure cannot be taken; the fault is told already."""


class _Rows:
    """The rows of one sheet, read from its headings down."""

    def __init__(
        self, sheet: SheetTable, heads: Heads, catalog: Catalog, currency: str | None, planned: Counts, found: PriceList
    ) -> None:
        self.rows = sheet.rows[heads.row + 1 :]
        self.heads, self.catalog, self.currency, self.planned, self.found = heads, catalog, currency, planned, found
        texts = [cell.text for row in self.rows if (cell := self.cell(row, "price")) and cell.number is None]
        self.decimal = decimal_sign([split_currency(text)[0] for text in texts])
        unit = heads.units.get("price", "").upper()
        self.head_currency = unit if _CURRENCY.fullmatch(unit) else None

    def cell(self, row: list[SheetCell | None], meaning: str) -> SheetCell | None:
        column = self.heads.columns.get(meaning)
        return row[column] if column is not None and column < len(row) else None

    def read(self) -> None:
        if (
            "lead_time" in self.heads.columns
            and self.heads.units["lead_time"].lower() not in ("weeks", "days", "w", "d")
            and any((cell := self.cell(row, "lead_time")) and cell.text.isdecimal() for row in self.rows)
        ):
            self.told("change-not-imported", self.heads.cells["lead_time"],
                      f"the heading `{self.heads.title('lead_time')}` does not say whether it is weeks or days, so bare numbers "
                      "below it are not taken", "write `Lead time [weeks]` or `Lead time [days]`")  # fmt: skip
        for row in self.rows:
            self.row(row)

    def row(self, row: list[SheetCell | None]) -> None:
        named = [cell for meaning in ("part", "order_number") if (cell := self.cell(row, meaning)) is not None]
        price_cell = self.cell(row, "price")
        if not named:
            if price_cell is not None and self.may_be_price(price_cell):
                self.told("price-of-no-part", price_cell, "a price stands in a row without a part or order number",
                          "enter the number, or ignore this if the row is a sum")  # fmt: skip
            return
        part = self.part(named)
        if part is None:
            return
        self.counts(row, part)
        before = len(self.found.faults)
        price, currency = self.price(row, price_cell, part)
        again = part.lower() in self.found.quotes
        terms = (
            self.weeks(self.cell(row, "lead_time"), again=again),
            self.count(self.cell(row, "pack_size"), "pack_size", again=again),
            self.count(self.cell(row, "minimum_order"), "minimum_order", again=again),
        )
        if any(fault.rule == "price-line-fault" for fault in self.found.faults[before:]):
            return
        if price is None and (price_cell is not None or terms == (None, None, None)):
            self.found.unpriced += price_cell is None
            return  # the terms of a price that is not taken are not taken either
        at = price_cell or named[0]
        self.enter(Quote(part, price, currency, *terms, at.at, at.name))

    def may_be_price(self, cell: SheetCell) -> bool:
        amount = split_currency(cell.text)[0]
        return cell.number is not None or cell.uncomputed or may_be_two(amount) or amount_of(amount, None) is not None

    def part(self, named: list[SheetCell]) -> str | None:
        """The catalog's part that a row names by either of its numbers; what no catalog has is told."""
        if broken := next((cell for cell in named if cell.uncomputed), None):
            self.uncomputed(broken, "the part")
            return None
        parts = dict.fromkeys(part for cell in named if (part := self.part_named(cell.text)))
        if len(parts) == 1:
            return next(iter(parts))
        if parts:
            self.bad(named[0], f"{quoted_list(cell.text for cell in named)} name different parts, {quoted_list(parts)}",
                     "correct one of the two numbers")  # fmt: skip
            return None
        meant = nearest(named[0].text, self.catalog.part_names)
        hint = f"did you mean `{meant}`? " if meant else ""
        self.told("price-of-no-part", named[0], f"no catalog has the part `{shown(named[0].text)}`; its price is not taken",
                  f"{hint}correct the number, or name the folder of your own parts with `--catalog DIR`")  # fmt: skip
        return None

    def part_named(self, text: str) -> str | None:
        """The part that a text names as it stands, or else without its blanks and with plain hyphens where one part fits."""
        if exact := self.catalog.part_named(text):
            return exact
        fitting = self.plain_names.get(_plain(text), frozenset())
        return next(iter(fitting)) if len(fitting) == 1 else None

    @cached_property
    def plain_names(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for number in (*self.catalog.numbers, *self.catalog.part_names):
            if part := self.catalog.part_named(number):
                found.setdefault(_plain(number), set()).add(part)
        return {plain: frozenset(parts) for plain, parts in found.items()}

    def price(
        self, row: list[SheetCell | None], cell: SheetCell | None, part: str
    ) -> tuple[Decimal | None, str | None]:
        """The price and its currency; both may be None, and a fault is told where the cell is wrong."""
        try:
            currency = self.currency_beside(row) or self.head_currency
        except _LeftOutError:
            return None, None
        if cell is None:
            return None, currency or self.currency
        if cell.uncomputed:
            self.uncomputed(cell, "the price")
            return None, None
        amount, written = (
            split_currency(cell.text) if cell.number is None else (cell.text, currency_of_format(cell.shown_as))
        )
        stated = currency or self.currency
        if written in SHARED_SIGNS:
            clashes, written = stated is not None and stated not in SHARED_SIGNS[written], None
        else:
            clashes = written is not None and (currency or written) != written
        if clashes:
            self.bad(cell, f"the price `{shown(cell.text)}` is in another currency than its row or heading says, {stated}",
                     "correct one of the two")  # fmt: skip
            return None, None
        currency = currency or written or self.currency
        value = self.money(cell, amount)
        if value is None or not self.is_of_one_piece(row, cell):
            return None, None
        if currency is None:
            self.bad(cell, f"the price `{shown(cell.text)}` has no currency",
                     "add a column `Currency`, or give `--currency EUR`")  # fmt: skip
            return None, None
        return (None, None) if self.is_no_offer(row, cell, part, value, currency) else (value, currency)

    def is_of_one_piece(self, row: list[SheetCell | None], cell: SheetCell) -> bool:
        """Whether a price is what one piece costs: no price of a hundred, and none from which a discount still goes off."""
        per, discount = self.cell(row, "per"), self.cell(row, "discount")
        if per is not None and not re.fullmatch(
            r"(?:1(?:\.0+)?\s*)?(?:ea|each|pc|pcs|piece|st|stk|st\u00fcck)?\.?", per.text.lower()
        ):
            self.bad(per, f"the price `{shown(cell.text)}` is for `{shown(per.text)}` by the column `{self.heads.title('per')}`",
                     "enter the price of one piece, or leave that cell empty")  # fmt: skip
            return False
        if discount is not None and not self.heads.net and re.search("[1-9]", discount.text):
            self.bad(discount, f"a discount of `{shown(discount.text)}` stands beside the price `{shown(cell.text)}`, and "
                     f"the heading `{self.heads.title('price')}` does not say whether it is taken off already",
                     "name the column `Net price` if it is, or enter the price after the discount")  # fmt: skip
            return False
        return True

    def is_no_offer(
        self, row: list[SheetCell | None], cell: SheetCell, part: str, value: Decimal, currency: str
    ) -> bool:
        """Whether a price is one that the planner printed itself, from the catalog, and that was left as it was."""
        known = self.catalog.prices.get(part.lower())
        if known is None or known.price != value * 10_000 or known.currency != currency:
            return False
        if known.indicative:
            self.told("change-not-imported", cell, f"the price of `{part}` is still the indicative one, which is no offer; it is "
                      "not taken", "enter the price that was offered")  # fmt: skip
            return True
        unchanged = self.cell(row, "from") is not None
        self.found.unchanged += unchanged
        return unchanged

    def currency_beside(self, row: list[SheetCell | None]) -> str | None:
        """The code in the row's own column. Raises _LeftOutError, and tells, where it is none."""
        beside = self.cell(row, "currency")
        if beside is None:
            return None
        if beside.uncomputed:
            self.uncomputed(beside, "the currency")
            raise _LeftOutError
        if not _CURRENCY.fullmatch(beside.text.upper()):
            self.bad(beside, f"`{shown(beside.text)}` is not a currency's code", "write three letters, such as `EUR`")
            raise _LeftOutError
        return beside.text.upper()

    def money(self, cell: SheetCell, amount: str) -> Decimal | None:
        """A price of at most four decimals; what a formula's binary fraction adds far behind them is rounded away."""
        value = cell.number if cell.number is not None else amount_of(amount, self.decimal)
        if value is None:
            if may_be_two(amount):
                self.bad(cell, f"the price `{shown(cell.text)}` can be read with a decimal comma or a decimal point, and "
                         "no other price shows which", "write it with two decimals")  # fmt: skip
            else:
                self.bad(cell, f"the price `{shown(cell.text)}` is not a number", "enter a number, or leave it empty")
            return None
        if value < 0:
            self.bad(cell, f"the price `{shown(cell.text)}` is below zero", "enter what one piece costs")
            return None
        if value > MOST_PRICE:
            self.bad(cell, f"the price `{shown(cell.text)}` is beyond any part's", "enter what one piece costs")
            return None
        exact = value.quantize(_DECIMALS)
        if abs(exact - value) > Decimal("1e-9") * max(value, Decimal(1)):
            self.bad(cell, f"the price `{shown(cell.text)}` has more than four decimals", "round it as the offer does")
            return None
        return exact

    def count(self, cell: SheetCell | None, meaning: str, *, again: bool) -> int | None:
        """A whole number from 1; a part's later rows of our own workbook repeat its first by formulas."""
        if cell is None or (cell.uncomputed and again):
            return None
        if cell.uncomputed:
            self.uncomputed(cell, f"`{self.heads.title(meaning)}`")
            return None
        if not re.fullmatch(r"[0-9]{1,9}(?:\.0+)?", cell.text) or int(Decimal(cell.text)) < 1:
            self.bad(cell, f"`{self.heads.title(meaning)}` is `{shown(cell.text)}`, and must be a whole number from 1",
                     "correct it, or leave it empty")  # fmt: skip
            return None
        return int(Decimal(cell.text))

    def weeks(self, cell: SheetCell | None, *, again: bool) -> int | None:
        """Whole weeks, days rounded up to them."""
        if cell is None or (cell.uncomputed and again):
            return None
        if cell.uncomputed:
            self.uncomputed(cell, "the lead time")
            return None
        text = cell.text.lower()
        unit = self.heads.units["lead_time"].lower()
        if re.fullmatch(r"[0-9]{1,4}", text):
            if unit not in ("weeks", "days", "w", "d"):
                return None  # told once, of the heading
            text += f" {unit}"
        if found := _WEEKS.fullmatch(text):
            return int(found[1])
        if found := _DAYS.fullmatch(text):
            return int((Decimal(found[1]) / 7).to_integral_value(ROUND_CEILING))
        self.bad(
            cell, f"the lead time `{shown(cell.text)}` is not a whole number of weeks or days", "write it as `6 weeks`"
        )
        return None

    def counts(self, row: list[SheetCell | None], part: str) -> None:
        """Counts that differ from the plan's bill: they belong into the project, not into a price book."""
        phase = self.cell(row, "phase")
        planned = self.planned.get((part.lower(), phase.text if phase is not None else ""))
        for meaning in ("installed", "spare", "stock") if planned is not None else ():
            cell = self.cell(row, meaning)
            now = cell.text if cell is not None else "0"
            assert planned is not None
            if now != str(planned[meaning]) and cell is not None:
                self.told("change-not-imported", cell, f"`{self.heads.title(meaning)}` of `{part}` was {planned[meaning]} and is "
                          f"`{shown(now)}`: a price book holds no counts", WHERE_COUNTS_GO[meaning])  # fmt: skip

    def enter(self, quote: Quote) -> None:
        """Add a quote; what an earlier row of the same part leaves open is filled in, what it says otherwise is told."""
        key = quote.part.lower()
        first = self.found.quotes.get(key)
        if first is None:
            self.found.quotes[key] = quote
            return
        unlike = [
            f"{name.replace('_', ' ')} {_told(old)} and {_told(new)}"
            for name in ("price", "currency", "lead_time_weeks", "pack_size", "minimum_order")
            if None not in (old := getattr(first, name), new := getattr(quote, name)) and old != new
        ]
        if unlike:
            earlier = f"row {(first.at >> 20) & 0xFFFFFF}"
            self.found.faults.append(
                Fault("part-priced-twice", f"`{quote.part}` has two offers: {', '.join(unlike)}", quote.at,
                      note=f"the first is in {earlier}", help="keep the one that counts", objects=(quote.part,))
            )  # fmt: skip
            return
        filled = {
            name: old if (old := getattr(first, name)) is not None else getattr(quote, name)
            for name in ("price", "currency", "lead_time_weeks", "pack_size", "minimum_order")
        }
        self.found.quotes[key] = Quote(first.part, **filled, at=first.at, row=first.row)

    def uncomputed(self, cell: SheetCell, what: str) -> None:
        self.bad(cell, f"{what} is the formula `{shown(cell.text)}`, and the file does not hold its result",
                 "open the file in a spreadsheet program and save it again, or enter the figure")  # fmt: skip

    def bad(self, cell: SheetCell, message: str, advice: str) -> None:
        self.told("price-line-fault", cell, message, advice)

    def told(self, rule: str, cell: SheetCell, message: str, advice: str) -> None:
        self.found.faults.append(Fault(rule, message, cell.at, note=cell.where, help=advice))


WHERE_COUNTS_GO: Final = {
    "installed": "change the links in the project, and plan again",
    "spare": "enter it in the project under `policy.spares`, and plan again",
    "stock": "enter it in the list that `policy.stock.on_hand` names, and plan again",
}


def other_currencies(quotes: Iterable[Quote]) -> Iterator[Fault]:
    """Rows in another currency than the list's first: prices of one plan are in one."""
    first: Quote | None = None
    for quote in quotes:
        if quote.price is None:
            continue
        first = first or quote
        if quote.currency != first.currency:
            yield Fault(
                "offer-in-two-currencies",
                f"the price of `{quote.part}` is in {quote.currency}, the first of the list in {first.currency}",
                quote.at,
                note=f"cell {quote.row}" if quote.row else "",
                help="convert it at the rate that you buy at, or import the lines of each currency apart",
                objects=(quote.part,),
            )


def book_text(name: str, quotes: Iterable[Quote], date: str, source: str, file: str) -> str:
    """A price book in the form of the shipped ones: a file that a person may go on editing."""
    quotes = list(quotes)
    default = next((quote.currency for quote in quotes if quote.currency), None)
    lines = [comment(f"Made by `planner catalog import prices` from {file}."), f"name: {scalar(name)}", "sources:",
             f"  offer: {scalar(source)}", "prices:"]  # fmt: skip
    for quote in quotes:
        lines += [
            f"  - part: {scalar(quote.part)}",
            f"    price: {_money(quote.price)}",
            f"    currency: {scalar(quote.currency or default)}",
            f'    date: "{date}"',
            "    source: offer",
            "    indicative: false",
            f"    pack_size: {scalar(quote.pack_size)}",
            f"    minimum_order: {scalar(quote.minimum_order)}",
            f"    lead_time_weeks: {scalar(quote.lead_time_weeks)}",
        ]
    return "\n".join(lines) + "\n"


def _told(value: object) -> str:
    return _money(value) if isinstance(value, Decimal) else str(value)


def _money(price: Decimal | None) -> str:
    """Two decimals, or as many as it has."""
    if price is None:
        return "null"
    plain = price.normalize()
    return f"{plain:f}" if -int(plain.as_tuple().exponent) > 2 else f"{price:.2f}"


_DASHES: Final = re.compile("[\u2010-\u2015\u2212\ufe63\uff0d]")
_UNSEEN: Final = re.compile(r"[\s\u00ad\u200b-\u200f\u2060\ufeff]")


def _plain(number: str) -> str:
    """A part number as it is compared where it is not written as the catalog does: programs put in blanks and long dashes."""
    return _DASHES.sub("-", _UNSEEN.sub("", number)).lower()


def shown(text: str) -> str:
    """A cell's text as a finding quotes it: on one line, cut, without the sign that quotes it."""
    plain = " ".join(text.split()).replace("`", "'")
    plain = "".join(character if character.isprintable() else "?" for character in plain)
    return plain if len(plain) <= 60 else plain[:57] + "..."
