"""Labels in the dots of a Zebra printer: which line stands where, in bitmap fonts whose widths are known.

What does not fit is found here, and not cut in the printer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from planner.label_fit import Label
from planner.label_formats import ZplFormat
from planner.units import short_metres


class Font(NamedTuple):
    """A bitmap font at a magnification. height, advance: dots of a line, and from a character to the next."""

    name: str
    times: int
    height: int
    advance: int


FONTS: Final = tuple(
    Font(name, times, height * times, advance * times)
    for name, height, width, advance, times in (
        ("D", 18, 10, 12, 3), ("D", 18, 10, 12, 2), ("A", 9, 5, 6, 3), ("D", 18, 10, 12, 1), ("A", 9, 5, 6, 2),
    )
)  # fmt: skip
"""From large to small. Matrices 18 x 10 and 9 x 5, gaps of 2 and 1 dots. Source: font table of the ZPL-compatible CZL
programmer's manual of the Compuprint 6314, section 4.1."""

MATRIX: Final = {"D": (18, 10), "A": (9, 5)}
MARGIN: Final = 10
_LEADING: Final = 4
CODE: Final = 29
"""Modules of a QR code of version 1 with the white around it."""
TOO_LONG: Final = "TOO LONG: see labels.csv"


Line = tuple[int, Font, str]
"""A line's upper edge in dots, its font and its text."""


class ZplLabel:
    """Labels of one size in dots."""

    def __init__(self, form: ZplFormat, *, has_code: bool, is_draft: bool) -> None:
        self.width, self.height = (side * form.dots_per_mm // 1000 for side in (form.width_um, form.height_um))
        self.is_draft = is_draft
        self.room = self.width - 2 * MARGIN
        self.module = max(1, min((self.height // 2 - MARGIN) // CODE, (self.width // 3) // CODE))
        self.code = CODE * self.module if has_code else 0

    def lines(self, label: Label) -> list[Line] | None:
        """Number and part beside the code, below them both places in one font; None where the label is too small."""
        narrow = self.room - self.code
        part = label.part
        length = f"{short_metres(part.length_mm)}m " if part.length_mm >= 0 else ""
        found = list(
            _stacked(MARGIN, [*_fitted(self._number(label), narrow, 1), *_fitted(f"{length}{part.part}", narrow, 2)])
        )
        below = max(_below(found), MARGIN + self.code)
        near = label.near if label.is_used else "unused leg, cap it"
        for font in FONTS:
            texts = [
                line for text in (near, f"> {label.far}") for line in _lines(_plain(text), self.room // font.advance)
            ]
            places = list(_stacked(below, [(font, text) for text in texts]))
            is_last = font is FONTS[-1]
            if _below(places) <= self.height and (len(texts) == 2 or is_last) and below <= self.height:
                return [*found, *places]
        return None

    @property
    def least_characters(self) -> int:
        """Of a line in the smallest font."""
        return max(3, self.room // FONTS[-1].advance)

    def instead(self, label: Label) -> list[Line]:
        return list(_stacked(MARGIN, [*_fitted(self._number(label), self.room - self.code, 1), (FONTS[-1], TOO_LONG)]))

    def _number(self, label: Label) -> str:
        return f"{label.cable_id} {label.end}" + (" DRAFT" if self.is_draft else "")


def _stacked(top: int, lines: Iterable[tuple[Font, str]]) -> Iterator[Line]:
    for font, text in lines:
        yield top, font, text
        top += font.height + _LEADING


def _below(lines: Sequence[Line]) -> int:
    top, font, _ = lines[-1]
    return top + font.height + _LEADING


def _fitted(text: str, room: int, first: int) -> list[tuple[Font, str]]:
    """A text in the largest font from `first` on that takes it in one line, else in lines of the smallest."""
    plain = _plain(text)
    font = next((font for font in FONTS[first:] if len(plain) * font.advance <= room), FONTS[-1])
    return [(font, line) for line in _lines(plain, room // font.advance)]


def _lines(text: str, characters: int) -> list[str]:
    return [text[at : at + characters] for at in range(0, len(text), max(characters, 1))]


def _plain(text: str) -> str:
    """What the printer's own bitmap fonts have; other characters as their codes, as other documents do with what they lack."""
    return "".join(
        c if " " <= c <= "~" else f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08x}" for c in text
    )
