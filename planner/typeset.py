"""Texts in the documents' fonts: measured, made fit to be drawn, shrunk and wrapped into a width.

Sizes are points. A text that is drawn has passed `shown`, as all that `fit` and `flow` make has.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from planner.data import font
from planner.fallback_font import choose_font, fallback_name, font_file
from planner.printable import printable
from planner.table import Floats

if TYPE_CHECKING:
    from reportlab.pdfbase.ttfonts import TTFont

LEADING: Final = 1.16
"""Height of a line over its size: the fonts' ascent and descent together."""

REGULAR: Final = "DejaVuSansCondensed"
BOLD: Final = "DejaVuSansCondensed-Bold"

_REMEMBERED: Final = 16_384
"""Texts of several racks: what repeats does so within them, and a document of many rows of racks takes no more memory."""

_BREAKS: Final = re.compile(r"(?<=[ \-_./+>;,])")
_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_BIDI_RUN: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+(?:[ ]+[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+)*"
)


def text_width(face: str, text: str, size: float) -> float:
    """Of a text that `shown` has made."""
    return _thousandths(face, text) * size / 1000


@cache
def ttfont(name: str) -> TTFont:
    """A font file parsed once a process; reportlab keeps what a document uses of it by document.

    asciiReadable: the first subset of a document's font has printable ASCII at its own codes, whatever is drawn.
    """
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    is_chosen = name == fallback_name()
    face = TTFont(name, font_file()) if is_chosen else TTFont(name, str(font(name)), asciiReadable=1)
    pdfmetrics.registerFont(face)
    return face


@lru_cache(maxsize=_REMEMBERED)
def _thousandths(name: str, text: str) -> float:
    widths, default = _widths(name)
    total = 0.0
    for character in text:
        width = widths.get(ord(character))
        if width is None:
            width = _widths(_other_face(ord(character)))[0].get(ord(character), default)
        total += width
    return total


def widths_of(face: str, codes: Iterable[int]) -> Floats:
    """Advances of characters in thousandths of the size."""
    widths, default = _widths(face)
    return np.array([widths.get(code, default) for code in codes])


def _other_face(code: int) -> str:
    """The font of a character that another one lacks: the bold one has less than the regular, and neither has all scripts."""
    return REGULAR if code in _widths(REGULAR)[0] else fallback_name() or REGULAR


def use_font(name: str | None) -> None:
    """Print names beyond the documents' fonts in another one, as `planner.fallback_font` finds it. Raises FontError."""
    choose_font(name)
    for remembered in (_thousandths, shown, fit, fit_into):
        remembered.cache_clear()


@cache
def _widths(name: str) -> tuple[dict[int, float], float]:
    face = ttfont(name).face
    return face.charWidths, face.defaultWidth


@lru_cache(maxsize=_REMEMBERED)
def shown(text: str) -> str:
    """A text as it is drawn: what the fonts lack as codes, runs of right-to-left letters in the order they are seen.

    Letters of Arabic stand in their separate forms, for the fonts are drawn without shaping.
    """
    text = printable(text)
    if text.isascii() or not _RIGHT_TO_LEFT.search(text):
        return text
    return _BIDI_RUN.sub(lambda run: _reversed(run[0]), text)


def _reversed(run: str) -> str:
    """Backwards, marks kept behind the letter that they stand on."""
    clusters: list[str] = []
    for character in run:
        if clusters and unicodedata.combining(character):
            clusters[-1] += character
        else:
            clusters.append(character)
    return "".join(reversed(clusters))


class Lines(NamedTuple):
    """A text fitted into a width: its lines and the size they fit at."""

    lines: tuple[str, ...]
    size: float
    height: float

    @classmethod
    def of(cls, lines: tuple[str, ...], size: float) -> Lines:
        return cls(lines, size, len(lines) * size * LEADING)


@lru_cache(maxsize=_REMEMBERED)
def fit(text: str, face: str, size: float, width: float, least: float = 0.72) -> Lines:
    """The text in one line at `size`, or shrunk to `least` of it, or wrapped at that size; never cut, never wider.

    Lines break behind blanks and `- _ . / + > ; ,`, and anywhere in what is wider than a line. What would take more than
    four lines is set smaller still, down to 5 points.
    """
    whole = shown(text)
    needed = _thousandths(face, whole) * size / 1000
    if needed <= width:
        return Lines.of((whole,), size)
    if needed * least <= width:
        return Lines.of((whole,), size * width / needed)
    small = size * least
    lines = tuple(_wrapped(whole, face, width * 1000 / small))
    smaller = max(small * 0.75, min(small, _SMALLEST))
    if len(lines) > 4 and smaller < small:
        return Lines.of(tuple(_wrapped(whole, face, width * 1000 / smaller)), smaller)
    return Lines.of(lines, small)


_SMALLEST: Final = 5.0


@lru_cache(maxsize=_REMEMBERED)
def fit_into(text: str, face: str, size: float, width: float, height: float) -> Lines:
    """The text in a box of a page's furniture: shrunk, and wrapped where one line would be below 6 points."""
    lines = fit(text, face, size, width, min(6 / size, 1))
    least = lines.size
    while lines.height > height and least > 2:
        least -= 0.25
        lines = Lines.of(tuple(_wrapped(shown(text), face, width * 1000 / least)), least)
    return lines


def _wrapped(text: str, face: str, room: float) -> Iterator[str]:
    line = ""
    for piece in _pieces(text, face, room):
        if line and _thousandths(face, (line + piece).rstrip()) > room:
            yield line.rstrip()
            line = piece.lstrip()
        else:
            line += piece
    if line.strip():
        yield line.rstrip()


def _pieces(text: str, face: str, room: float) -> Iterator[str]:
    """The text at its breaks, and what is wider than a line letter by letter."""
    for piece in _BREAKS.split(text):
        if _thousandths(face, piece) <= room:
            yield piece
        else:
            yield from piece


def flow(text: str, face: str, size: float, width: float) -> Sequence[str]:
    """A text of any length in lines of one size."""
    return tuple(_wrapped(shown(text), face, width * 1000 / size))


def runs(face: str, text: str) -> Iterator[tuple[str, str]]:
    """The text by font: characters that one lacks are set in another."""
    if text.isascii():
        yield face, text
        return
    has = _widths(face)[0]
    run, current = "", face
    for character in text:
        name = face if ord(character) in has else _other_face(ord(character))
        if name != current and run:
            yield current, run
            run = ""
        current = name
        run += character
    if run:
        yield current, run
