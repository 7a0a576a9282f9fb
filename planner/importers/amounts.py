"""Amounts of money as people write them: `1.599,00`, `1,599.00`, `1'599`, `EUR 95`; what could be two is neither."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

SIGNS: Final = {"\N{EURO SIGN}": "EUR", "\N{POUND SIGN}": "GBP"}
"""Signs of one currency."""
SHARED_SIGNS: Final = {
    "$": frozenset(["USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN"]),
    "\N{YEN SIGN}": frozenset(("JPY", "CNY")),
    "\N{FULLWIDTH YEN SIGN}": frozenset(("JPY", "CNY")),
}
"""Signs of several: they say nothing, and must not stand beside another currency."""
CURRENCIES: Final = frozenset(
    ["EUR", "USD", "GBP", "CHF", "JPY", "CNY", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "KRW", "INR", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "BGN", "TRY", "ILS", "AED", "SAR", "QAR", "ZAR", "BRL", "MXN", "THB", "MYR", "IDR"]
)  # fmt: skip
"""Codes that are taken for a currency at the end of a heading, where any three letters may stand: `Net price EUR`."""
_CODE: Final = re.compile(r"(?:(?P<before>[A-Za-z]{3})\s*)?(?P<amount>[^A-Za-z]+?)(?:\s*(?P<after>[A-Za-z]{3}))?")
_POINT: Final = re.compile(r"-?(?:\d{1,3}(?:[,' ]\d{3})+|\d+)(?:\.\d+)?")
_COMMA: Final = re.compile(r"-?(?:\d{1,3}(?:[.' ]\d{3})+|\d+)(?:,\d+)?")
_NO_CENTS: Final = re.compile(r"(?<=\d)[.,][-\N{EN DASH}\N{EM DASH}]{1,2}$")


def split_currency(text: str) -> tuple[str, str | None]:
    """An amount without the currency that is written with it, and that currency's code, or a sign of several currencies."""
    text = " ".join(text.split()).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").replace("US$", "USD ").strip()
    for sign in (*SIGNS, *SHARED_SIGNS):
        if text.startswith(sign) or text.endswith(sign):
            amount = _NO_CENTS.sub("", text.removeprefix(sign).removesuffix(sign).strip())
            return _without_codes(amount, SIGNS.get(sign, sign))
    return _without_codes(_NO_CENTS.sub("", text), None)


def _without_codes(text: str, sign: str | None) -> tuple[str, str | None]:
    """The amount without a code before or behind it, which says more than a sign does."""
    found = _CODE.fullmatch(text)
    if found is None or bool(found["before"]) == bool(found["after"]):
        return text, sign
    return _NO_CENTS.sub("", found["amount"].strip()), (found["before"] or found["after"]).upper()


def currency_of_format(number_format: str) -> str | None:
    """The currency that a workbook shows with a number, such as `[$\N{EURO SIGN}-407] #,##0.00`: a code, a sign, or None."""
    if code := re.search(r"\[\$([A-Z]{3})", number_format):
        return code[1]
    plain = re.sub(r"\[\$([^\]-]*)[^\]]*\]", r"\1", number_format)
    return next(
        (code for sign, code in (*SIGNS.items(), *zip(SHARED_SIGNS, SHARED_SIGNS, strict=True)) if sign in plain), None
    )


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
