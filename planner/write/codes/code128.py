"""Code 128: which symbols say a text, and their bars in modules.

Source: ISO/IEC 15417, the patterns of symbols 0 to 106 and the sum of their check symbol.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

QUIET: Final = 10
"""Modules that stay empty before and after the bars."""

_WIDTHS: Final = tuple(  # as one text, for 107 literals would take a page
    """
    212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222
    123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321
    232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121
    313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224
    111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111
    111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113
    114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112
    """.split()  # noqa: SIM905
)
_TO_C, _TO_B, _START_B, _START_C, _STOP = 99, 100, 104, 105, 106
_RUN: Final = re.compile(r"\d+|\D+")


def symbols(text: str) -> list[int]:
    """The symbols that say a text of printable ASCII, start, check and stop included.

    Runs of four digits and more, or a text of digits in pairs, are said two digits a symbol. Raises ValueError for other
    characters.
    """
    if not text or not text.isascii() or not text.isprintable():
        raise ValueError(f"Code 128 here says printable ASCII, not {text!r}")
    said: list[int] = []
    in_pairs = False
    for run in _RUN.findall(text):
        pairs = run[0].isdigit() and (len(run) >= 4 or (run == text and len(run) == 2))
        even = run[: len(run) // 2 * 2] if pairs else ""
        if even:
            said.extend([] if in_pairs else [_TO_C if said else _START_C])
            said.extend(int(even[at : at + 2]) for at in range(0, len(even), 2))
            in_pairs = True
        rest = run[len(even) :]
        if rest:
            said.extend([_TO_B] if in_pairs else [] if said else [_START_B])
            said.extend(ord(character) - 32 for character in rest)
            in_pairs = False
    check = (said[0] + sum(place * symbol for place, symbol in enumerate(said[1:], start=1))) % 103
    return [*said, check, _STOP]


@lru_cache(maxsize=4096)
def bars(text: str) -> tuple[str, int]:
    """PDF operators that fill the bars, a module wide and 1 high, from 0, 0; and how many modules they take."""
    at = 0
    drawn = []
    for symbol in symbols(text):
        for place, width in enumerate(map(int, _WIDTHS[symbol])):
            if place % 2 == 0:
                drawn.append(f"{at} 0 {width} 1 re")
            at += width
    return " ".join((*drawn, "f")), at
