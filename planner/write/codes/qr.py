"""QR codes of short texts, by segno: one size and one mask, so that nothing is tried out and all look alike."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from typing import Final

QUIET: Final = 4
"""Modules that stay empty on each side."""

SIDE: Final = 21
"""Modules of a side: version 1, which holds 34 digits, or 20 capitals and digits, or 14 bytes at level M."""


@lru_cache(maxsize=4096)
def squares(text: str) -> tuple[str, int]:
    """PDF operators that fill the dark modules, 1 wide and 1 high, from 0, 0 up; and the modules of a side.

    A text that is too long for version 1 takes the least version that holds it.
    """
    import segno

    try:
        code = segno.make_qr(text, version=1, error="m", mask=0, boost_error=False)
    except segno.DataOverflowError:
        code = segno.make_qr(text, error="m", mask=0, boost_error=False)
    side = len(code.matrix)
    drawn = []
    for row, modules in enumerate(code.matrix):
        at = 0
        for dark, run in groupby(modules):
            width = len(list(run))
            if dark:
                drawn.append(f"{at} {side - 1 - row} {width} 1 re")
            at += width
    return " ".join((*drawn, "f")), side
