"""Whole numbers of small units, and the only places where they are read from and rounded to what people write.

Points are whole micrometres (`_um`), so that a rack unit of 44.45 mm, an inch and a half U are exact.
Measured runs along slanted pathways are whole nanometres (`_nm`), rounded once a segment, so that sums do not
depend on their order. Lengths in a plan are whole millimetres (`_mm`).
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Final

import numpy as np
from numpy.typing import NDArray

UM_PER_MM: Final = 1_000
UM_PER_M: Final = 1_000_000
NM_PER_MM: Final = 1_000_000
PPM: Final = 1_000_000
MOST_UM: Final = 10_000_000_000
"""Longest length that is read. Sums of such lengths in nanometres stay exact in 64 bits, and offsets in 44."""

# A slanted run that is exactly half a millimetre over may come out a few nanometres under, each of its segments
# having been rounded to the nanometre; within this distance of the half it still rounds up.
HALF_UP_TOLERANCE_NM: Final = 20

_UM_PER_UNIT: Final = {
    "um": Decimal(1), "mm": Decimal(1_000), "cm": Decimal(10_000), "m": Decimal(1_000_000),
    "in": Decimal(25_400), "inch": Decimal(25_400), "inches": Decimal(25_400), '"': Decimal(25_400),
    "ft": Decimal(304_800), "feet": Decimal(304_800), "foot": Decimal(304_800), "'": Decimal(304_800),
}  # fmt: skip
_NUMBER: Final = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?")
_LENGTH: Final = re.compile(r"(" + _NUMBER.pattern + r")\s*([A-Za-z]+|['\"])")


class UnitError(ValueError):
    """A text is not the quantity it should be; the message is fit for a finding."""


def number(text: str) -> Decimal:
    """The decimal number that a text spells: digits, one point, an exponent; no `_`, `inf`, `nan` or blanks."""
    if not _NUMBER.fullmatch(text):
        raise UnitError(f"`{text}` is not a number")
    try:
        return Decimal(text)
    except InvalidOperation as error:  # pragma: no cover - the pattern admits only what Decimal reads
        raise UnitError(f"`{text}` is not a number") from error


def length_um(text: str, unit: str) -> int:
    """Whole micrometres of a bare number in `unit` (`m` or `mm`), or of a text with its own unit (`7 ft`).

    Raises UnitError for another unit, or for a figure finer than a micrometre.
    """
    spelled = _LENGTH.fullmatch(text.strip())
    if spelled and spelled[2].lower() not in _UM_PER_UNIT:
        raise UnitError(f"`{spelled[2]}` is not a unit of length (m, cm, mm, in, ft)")
    value, factor = (
        (number(spelled[1]), _UM_PER_UNIT[spelled[2].lower()]) if spelled else (number(text), _UM_PER_UNIT[unit])
    )
    exact = value * factor
    if abs(exact) > MOST_UM:
        raise UnitError(f"`{text}` is beyond 10 km, more than any building")
    whole = int(exact)
    if whole != exact:
        raise UnitError(f"`{text}` is finer than a micrometre")
    return whole


def share_ppm(text: str) -> int:
    """Parts per million of a share such as `0.03`; raises UnitError when finer than that."""
    exact = number(text) * PPM
    if int(exact) != exact:
        raise UnitError(f"`{text}` is finer than a millionth")
    return int(exact)


def mm_half_up(um: int) -> int:
    """Millimetres of an exact length in micrometres, halves up."""
    return (um + UM_PER_MM // 2) // UM_PER_MM


def mm_half_up_array(um: NDArray[np.int64]) -> NDArray[np.int64]:
    """`mm_half_up` of every element."""
    return (um + UM_PER_MM // 2) // UM_PER_MM


def mm_of_nm(nm: NDArray[np.int64]) -> NDArray[np.int64]:
    """Millimetres of measured runs in nanometres, halves up within HALF_UP_TOLERANCE_NM."""
    return (nm + NM_PER_MM // 2 + HALF_UP_TOLERANCE_NM) // NM_PER_MM


def metres(mm: int) -> str:
    """`1234` as `1.234`: metres with three decimals, as every document prints them."""
    sign, size = ("-", -mm) if mm < 0 else ("", mm)
    return f"{sign}{size // 1000}.{size % 1000:03d}"


def short_metres(mm: int) -> str:
    """`3000` as `3`, `1500` as `1.5`: metres as a part's length is spoken."""
    return metres(mm).rstrip("0").rstrip(".")
