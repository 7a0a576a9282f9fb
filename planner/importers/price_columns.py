"""Which column of a sheet is what, by its heading: part, order number, price, currency, lead time, pack, minimum.

A heading is read word by word, since no two resellers write it alike: `Unit Net Price (USD)`, `Net price EUR`, `Your price each`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from planner.importers.amounts import CURRENCIES, SIGNS
from planner.reader.sheet_source import SheetCell, SheetTable

_MAKERS: Final = frozenset(
    [
        "manufacturer",
        "manufacturers",
        "mfr",
        "mfg",
        "maker",
        "makers",
        "vendor",
        "vendors",
        "supplier",
        "suppliers",
        "oem",
        "hersteller",
        "your",
        "our",
    ]
)
_PARTS: Final = frozenset(
    [
        "part",
        "part number",
        "part no",
        "part nr",
        "part num",
        "part id",
        "part code",
        "pn",
        "p/n",
        "mpn",
        "model number",
        "product number",
        "product code",
        "teilenummer",
        "teile-nr",
        "hersteller-nr",
        "herstellernummer",
    ]
)
_ORDERS: Final = frozenset(
    ["order number", "order no", "order code", "ordering code", "ordering part number", "opn", "sku", "article number", "article no", "article code", "item number", "item no", "item code", "catalog number", "catalogue number", "catalog no", "stock code", "artikelnummer", "artikel-nr", "art-nr", "art nr", "art no", "bestellnummer", "bestell-nr"]
)  # fmt: skip
_PRICE_NOUNS: Final = frozenset(
    ["price", "cost", "preis", "einzelpreis", "stückpreis", "stueckpreis", "nettopreis", "netto-preis", "ep"]
)
_PRICE_WORDS: Final = frozenset(
    ["unit", "net", "nett", "your", "our", "quoted", "offered", "offer", "special", "contract", "discounted", "final", "sales", "selling", "per", "each", "piece", "pc", "pcs", "ea", "netto", "e"]
)  # fmt: skip
"""What may stand beside `price`; others make it no price of a piece: `list price`, `total price`, `price per 100`."""
_NET: Final = frozenset(["net", "nett", "netto", "nettopreis", "netto-preis", "discounted", "final"])
_MEANINGS: Final[dict[str, frozenset[str]]] = {
    "currency": frozenset(("currency", "curr", "ccy", "currency code", "w\N{LATIN SMALL LETTER A WITH DIAERESIS}hrung", "waehrung")),
    "lead_time": frozenset(("lead time", "leadtime", "delivery time", "lieferzeit")),
    "pack_size": frozenset(("pack", "pack size", "package quantity", "package size", "pack qty", "verpackungseinheit", "vpe")),
    "minimum_order": frozenset(
        ("min order", "minimum order", "moq", "minimum order quantity", "min order qty", "min qty", "minimum quantity", "mindestmenge", "mindestbestellmenge")
    ),
    "per": frozenset(("preiseinheit", "pe", "price unit", "price per", "per", "price basis", "price quantity", "pricing unit")),
    "discount": frozenset(("discount", "disc", "rebate", "rabatt", "customer discount")),
    "installed": frozenset(("installed", "qty installed")),
    "spare": frozenset(("spare", "qty spare")),
    "stock": frozenset(("stock", "qty stock")),
    "phase": frozenset(("phase",)),
    "from": frozenset(("price from", "price note")),
}  # fmt: skip
"""Headings by meaning, without what `_heading` takes away; of parts and prices see `_meaning`."""

_UNIT: Final = re.compile(r"[\[(]\s*([^\])]*?)\s*[\])]")
_WEEKS_OR_DAYS: Final = {"weeks": "weeks", "days": "days", "wochen": "weeks", "tage": "days"}
_HEAD_ROWS: Final = 60


@dataclass(frozen=True, slots=True)
class Heads:
    """The heading row of a sheet: its index, the column of each meaning, the cells, and the unit in brackets.

    net: whether the price column says that its discount is taken off.
    """

    row: int
    columns: dict[str, int]
    cells: dict[str, SheetCell]
    units: dict[str, str]
    doubled: dict[str, list[SheetCell]]
    net: bool

    def title(self, meaning: str) -> str:
        return self.cells[meaning].text


def heads_of(sheet: SheetTable) -> Heads | None:
    """The first row near the top that names a price and a part or order number; None where there is none."""
    for index, row in enumerate(sheet.rows[:_HEAD_ROWS]):
        found: dict[str, list[tuple[int, SheetCell, str]]] = {}
        for column, cell in enumerate(row):
            if cell is None or cell.number is not None or cell.uncomputed:
                continue
            plain, unit = _heading(cell.text)
            if meaning := _meaning(plain):
                found.setdefault(meaning, []).append((column, cell, unit))
        if "price" in found and ("part" in found or "order_number" in found):
            return Heads(
                index,
                {meaning: places[0][0] for meaning, places in found.items()},
                {meaning: places[0][1] for meaning, places in found.items()},
                {meaning: places[0][2] for meaning, places in found.items()},
                {meaning: [cell for _, cell, _ in places] for meaning, places in found.items() if len(places) > 1},
                not _NET.isdisjoint(_heading(found["price"][0][1].text)[0].split()),
            )
    return None


def _meaning(plain: str) -> str | None:
    """What a heading without its unit means; None for a column that is not read."""
    words = plain.split()
    if len(words) > 1 and words[0] in _MAKERS and " ".join(words[1:]) in _PARTS | _ORDERS:
        return "part" if " ".join(words[1:]) in _PARTS else "order_number"
    if plain in _PARTS:
        return "part"
    if plain in _ORDERS:
        return "order_number"
    if sum(word in _PRICE_NOUNS for word in words) == 1 and all(word in _PRICE_NOUNS | _PRICE_WORDS for word in words):
        return "price"
    return next((meaning for meaning, headings in _MEANINGS.items() if plain in headings), None)


def _heading(text: str) -> tuple[str, str]:
    """The heading in small letters, without dots, colons and per cents, and its unit: in brackets, or a currency or time at its end."""
    unit = _UNIT.search(text)
    plain = _UNIT.sub(" ", text).replace("_", " ").replace("#", " number ").lower()
    plain = re.sub(r"[.:,%*]", "", plain)
    words = re.sub(r"\bprice/(?=unit|piece|pc|each|ea)", "price per ", plain).split()
    found = unit[1] if unit else ""
    if len(words) > 1 and words[-1].upper() in CURRENCIES | SIGNS.keys():
        found = found or words[-1]
        words = words[:-1]
    if len(words) > 1 and words[-1] in _WEEKS_OR_DAYS:
        found = found or words[-1]
        words = words[:-1]
    found = _WEEKS_OR_DAYS.get(found.lower(), SIGNS.get(found, found))
    return " ".join(word.strip("-") for word in words if word.strip("-")), found
