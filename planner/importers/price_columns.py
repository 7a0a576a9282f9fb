"""Which column of a sheet is what, by common headings: part, order number, price, currency, lead time, pack, minimum."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from planner.reader.sheet_source import SheetCell, SheetTable

HEADINGS: Final[dict[str, tuple[str, ...]]] = {
    "part": (
        "part number", "part", "part no", "pn", "p/n", "mpn", "manufacturer part number", "mfr part number", "part id",
        "vendor part number", "hersteller-nr", "teilenummer",
    ),
    "order_number": (
        "order number", "order no", "order code", "ordering part number", "opn", "sku", "article number", "article no",
        "item number", "artikelnummer", "bestellnummer",
    ),
    "price": (
        "unit price", "price", "net price", "unit net price", "net unit price", "unit cost", "price each",
        "price per piece", "quoted price", "einzelpreis", "preis", "netto-preis",
    ),
    "currency": ("currency", "curr", "ccy", "w\N{LATIN SMALL LETTER A WITH DIAERESIS}hrung"),
    "lead_time": ("lead time", "leadtime", "delivery time", "lead time weeks", "lead time days", "lieferzeit"),
    "pack_size": ("pack", "pack size", "package quantity", "pack qty", "verpackungseinheit"),
    "minimum_order": ("min order", "minimum order", "moq", "minimum order quantity", "mindestmenge"),
    "installed": ("installed", "qty installed"),
    "spare": ("spare", "qty spare"),
    "stock": ("stock", "qty stock"),
    "phase": ("phase",),
    "from": ("price from", "price note"),
}  # fmt: skip
"""Headings by meaning: lower case, no dots, blanks for underscores, without a unit in brackets."""

_UNIT: Final = re.compile(r"[\[(]\s*([^\])]*?)\s*[\])]")
_HEAD_ROWS: Final = 60


@dataclass(frozen=True, slots=True)
class Heads:
    """The heading row of a sheet: its index, the column of each meaning, the cells, and the unit in brackets."""

    row: int
    columns: dict[str, int]
    cells: dict[str, SheetCell]
    units: dict[str, str]
    doubled: dict[str, list[SheetCell]]

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
            for meaning, headings in HEADINGS.items():
                if plain in headings:
                    found.setdefault(meaning, []).append((column, cell, unit))
        if "price" in found and ("part" in found or "order_number" in found):
            return Heads(
                index,
                {meaning: places[0][0] for meaning, places in found.items()},
                {meaning: places[0][1] for meaning, places in found.items()},
                {meaning: places[0][2] for meaning, places in found.items()},
                {meaning: [cell for _, cell, _ in places] for meaning, places in found.items() if len(places) > 1},
            )
    return None


def _heading(text: str) -> tuple[str, str]:
    unit = _UNIT.search(text)
    plain = " ".join(_UNIT.sub(" ", text).replace("_", " ").replace(".", "").replace("#", " number").lower().split())
    named = plain.rsplit(" ", 1)
    if unit is None and named[-1] in ("weeks", "days") and plain.startswith("lead"):
        return named[0], named[-1]
    return plain, unit[1] if unit else ""
