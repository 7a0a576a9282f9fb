"""A purchase list with a buyer's prices (our workbook sent back, `bom.csv`, or a vendor's own list) as a price book."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from planner.catalog.prices import Price
from planner.importers.entry_text import Scalar, comment, flow, scalar
from planner.units import UnitError, number

PURCHASE_SHEET: Final = "Purchase"
_HEADS: Final[Mapping[str, tuple[str, ...]]] = {
    "part": ("part number", "part"),
    "price": ("unit price", "unit_price", "price"),
    "currency": ("currency",),
    "pack_size": ("pack", "pack_size"),
    "minimum_order": ("min. order", "minimum_order"),
    "lead_time_weeks": ("lead time [weeks]", "lead_time_weeks"),
    "from": ("price from", "price_note"),
}
"""Columns by what they are called in the workbook, in `bom.csv` and in a price book, without regard to case."""

_COUNTS: Final = (("pack_size", 1), ("minimum_order", 1), ("lead_time_weeks", 0))
_INDICATIVE: Final = "indicative"


@dataclass(frozen=True, slots=True)
class Offer:
    """What all prices of the file share: the book's name, where it comes from, its day, and a currency if cells have none."""

    name: str
    source: str
    date: str
    currency: str | None = None


@dataclass(frozen=True, slots=True)
class ImportedPrices:
    """The book as text, how many prices it has, the rows that are as the catalog has them, and what was left out, in words."""

    text: str
    taken: int
    unchanged: int
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    part: str
    price: Decimal
    currency: str
    sold: tuple[tuple[str, int], ...]
    indicative: bool
    row: int


def price_book(
    rows: Sequence[tuple[int, list[str]]],
    offer: Offer,
    known: Callable[[str], str | None],
    shipped: Mapping[str, Price],
) -> ImportedPrices | str:
    """The book of a table, or why it is none.

    known: a part as the catalog writes it, for a part or order number. shipped: the catalog's prices by part, in lower case.
    A price that the planner printed itself and nobody changed is no offer: the same as the catalog's, it is left out;
    another that is still marked indicative stays indicative.
    """
    head = next((place for place, (_, cells) in enumerate(rows) if {"part", "price"} <= _columns(cells).keys()), None)
    if head is None:
        return "no row of it names a column `Part number` and a column `Unit price`"
    columns = _columns(rows[head][1])
    lines: dict[str, _Line] = {}
    left_out: list[str] = []
    unchanged = 0
    for row, cells in rows[head + 1 :]:
        held = {key: cells[place] if place < len(cells) else "" for key, place in columns.items()}
        if not held["part"] or not held["price"]:
            continue
        part = known(held["part"])
        line = _line(row, part, held, offer) if part else f"no catalog has the part `{held['part']}`"
        if isinstance(line, str):
            left_out.append(f"row {row}: {line}")
            continue
        told = shipped.get(line.part.lower())
        if held.get("from") and told and (told.price, told.currency) == (int(line.price * 10_000), line.currency):
            unchanged += 1
            continue
        first = lines.setdefault(line.part, line)
        if replace(first, row=row) != line:
            left_out.append(f"row {row}: `{line.part}` has other terms than in row {first.row}, which are taken")
    return ImportedPrices("\n".join(_text(offer, lines.values())) + "\n", len(lines), unchanged, tuple(left_out))


def _columns(cells: Sequence[str]) -> dict[str, int]:
    heads = [cell.casefold() for cell in cells]
    return {key: heads.index(name) for key, names in _HEADS.items() for name in names if name in heads}


def _line(row: int, part: str, held: Mapping[str, str], offer: Offer) -> _Line | str:
    """The price of a row, or what is wrong with it."""
    currency = held.get("currency") or offer.currency or ""
    if not re.fullmatch(r"[A-Z]{3}", currency):
        return f"`{currency}` is not a currency's code such as `USD`" if currency else "it names no currency"
    try:
        price = number(held["price"])
    except UnitError:
        return f"the price `{held['price']}` is not a number such as 1234.50"
    if not 0 <= price <= 1_000_000_000:
        return f"`{held['price']}` is not a price of one piece"
    # A spreadsheet works in binary: 0.1 + 0.2 comes back with 17 digits, none of which anybody wrote.
    rounded = price.quantize(Decimal("0.0001"))
    if abs(rounded - price) > Decimal("0.000001"):
        return f"`{held['price']}` has more than four decimals"
    sold = []
    for key, least in _COUNTS:
        text = held.get(key, "")
        if text and (not re.fullmatch(r"\d{1,9}", text) or int(text) < least):
            return f"`{text}` is not a whole number from {least} ({key.replace('_', ' ')})"
        if text:
            sold.append((key, int(text)))
    return _Line(part, rounded, currency, tuple(sold), held.get("from", "").startswith(_INDICATIVE), row)


def _text(offer: Offer, lines: Iterable[_Line]) -> Iterator[str]:
    yield comment("Made by `planner catalog import prices`.")
    yield f"name: {scalar(offer.name)}"
    yield "sources:"
    yield f"  offer: {scalar(offer.source)}"
    yield "prices:"
    for line in lines:
        values: dict[str, Scalar] = {"part": line.part, "price": line.price, "currency": line.currency,
                                     "date": offer.date, "source": "offer"}  # fmt: skip
        text = flow(values | dict(line.sold))
        yield f"  - {text[:-1]}, indicative: true}}" if line.indicative else f"  - {text}"
