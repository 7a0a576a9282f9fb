"""Amounts of money as people write them: `1.599,00`, `1,599.00`, `1'599`, `EUR 95`; what could be two is neither."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

_SIGNS: Final = {"\N{EURO SIGN}": "EUR", "\N{POUND SIGN}": "GBP"}
"""Signs of one currency; `$` is the sign of more than twenty."""
_CODE: Final = re.compile(r"(?:(?P<before>[A-Za-z]{3})\s*)?(?P<amount>[^A-Za-z]+?)(?:\s*(?P<after>[A-Za-z]{3}))?")
_POINT: Final = re.compile(r"-?(?:\d{1,3}(?:[,' ]\d{3})+|\d+)(?:\.\d+)?")
_COMMA: Final = re.compile(r"-?(?:\d{1,3}(?:[.' ]\d{3})+|\d+)(?:,\d+)?")


def split_currency(text: str) -> tuple[str, str | None]:
    """An amount without the currency that is written with it, and that currency's code."""
    text = " ".join(text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ").split())
    for sign, code in _SIGNS.items():
        if text.startswith(sign) or text.endswith(sign):
            return text.strip(sign).strip(), code
    found = _CODE.fullmatch(text)
    if found is None or bool(found["before"]) == bool(found["after"]):
        return text, None
    return found["amount"].strip(), (found["before"] or found["after"]).upper()


def amount_of(text: str, decimal: str | None) -> Decimal | None:
    """The number that a text spells, with `.` or `,` before the decimals; None where it spells none, or may be two.

    decimal: the sign that other cells of the column have shown to be the decimal one, for texts such as `1,599`.
    """
    readings = {sign: Decimal(plain) for sign in ".," if (plain := _plain(text, sign)) is not None}
    if len(set(readings.values())) == 1:
        return next(iter(readings.values()))
    return readings.get(decimal) if decimal else None


def decimal_sign(texts: list[str]) -> str | None:
    """The sign before the decimals, where a column shows it: all texts that can be read one way only agree on it."""
    shown: set[str] = set()
    for text in texts:
        readings = {sign: plain for sign in ".," if (plain := _plain(text, sign)) is not None}
        if len(readings) == 1:
            shown |= readings.keys()
    return shown.pop() if len(shown) == 1 else None


def may_be_two(text: str) -> bool:
    """Whether a text spells two different numbers, by what its point or comma means."""
    return len({Decimal(plain) for sign in ".," if (plain := _plain(text, sign)) is not None}) > 1


def _plain(text: str, decimal: str) -> str | None:
    """The text with digits and a point only, read with that decimal sign."""
    if not text.isascii() or not (_POINT if decimal == "." else _COMMA).fullmatch(text):
        return None
    grouping = "," if decimal == "." else "."
    return text.replace(grouping, "").replace("'", "").replace(" ", "").replace(",", ".")
