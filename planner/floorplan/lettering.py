"""How wide words are before a viewer draws them, and how they wrap or shrink into a space."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

# Advance widths of U+0020 to U+007E in thousandths of the size, read from the DejaVu fonts that we ship. Arial, which
# stands in where a viewer lacks them, is narrower in every letter.
_REGULAR: Final = (
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863,
    748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635,
    615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
    337, 636, 838,
)  # fmt: skip
_BOLD: Final = (
    348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696, 696, 696, 696, 696,
    696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 372, 775, 637, 995,
    837, 850, 733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500, 500, 675, 716, 593, 716,
    678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687, 716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712,
    365, 712, 838,
)  # fmt: skip

LINE: Final = 1.2
"""Distance of baselines in sizes."""

_BREAKS: Final = " -_./|+"


def _advance(character: str, *, bold: bool) -> int:
    code = ord(character)
    if 0x20 <= code < 0x7F:
        return (_BOLD if bold else _REGULAR)[code - 0x20]
    # Another font may draw it, so on the safe side: as wide as the widest of its kind, and never drawn wider.
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    if unicodedata.east_asian_width(character) in ("W", "F") or unicodedata.category(character) == "So":
        return 1400
    if character in "·…":
        return 1000
    return (1100 if character.isupper() else 950) * (6 if bold else 5) // 5


@lru_cache(maxsize=50_000)
def _thousandths(text: str, *, bold: bool) -> int:
    """Length of a text in thousandths of its size."""
    return sum([_advance(character, bold=bold) for character in text])


def width(text: str, size: float, *, bold: bool = False) -> float:
    """Length of a text: exact for ASCII in the shipped fonts, and no less than it will be for the rest."""
    return _thousandths(text, bold=bold) * size / 1000


def shown(text: str) -> str:
    """The text as it may be drawn: what has no shape of its own (marks of direction, controls) as its code."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


@lru_cache(maxsize=50_000)
def wrapped(text: str, limit: float, size: float, *, bold: bool = False) -> tuple[str, ...]:
    """Pieces that together are the text, none longer than the limit unless it is a single character."""
    if width(text, size, bold=bold) <= limit:
        return (text,)
    pieces = []
    rest = text
    while rest:
        length, fits, soft = 0.0, 0, 0
        for at, character in enumerate(rest, 1):
            length += _advance(character, bold=bold) * size / 1000
            if length > limit and fits:
                break
            fits = at
            if character in _BREAKS:
                soft = at
        cut = fits if fits == len(rest) or not soft else soft
        pieces.append(rest[:cut])
        rest = rest[cut:]
    return tuple(pieces)


def shortened(text: str, limit: float, size: float, *, bold: bool = False) -> str:
    """The text, or as much of its beginning as fits before an ellipsis."""
    if width(text, size, bold=bold) <= limit:
        return text
    keep = len(text)
    while keep and width(text[:keep] + "…", size, bold=bold) > limit:
        keep -= 1
    return text[:keep].rstrip() + "…"


class Lettering(NamedTuple):
    """Words set into a rack's free space: name above contents, upright or turned; sizes in mm of paper."""

    turned: bool
    name: tuple[str, ...]
    name_size: float
    contents: tuple[str, ...]
    contents_size: float

    @property
    def height(self) -> float:
        return LINE * (len(self.name) * self.name_size + len(self.contents) * self.contents_size)


NAME_SIZES: Final = (3.0, 2.5, 2.0, 1.8, 1.6, 1.4, 1.2)
CONTENTS_SIZES: Final = (1.8, 1.6, 1.4, 1.2)
SMALLEST: Final = 1.2
"""Size in mm of paper below which nothing is written: 3.4 points."""

_PAD: Final = 0.3


@lru_cache(maxsize=20_000)
def lettered(
    name: str, contents: tuple[str, ...], across: float, up: float, largest: tuple[float, float]
) -> Lettering | None:
    """The most readable setting of a name and lines of contents in a space; None where not even the name fits.

    across, up: the space in mm of paper; largest: size of name and contents that others use.
    """
    options = []
    for turned in (False, True):
        long, high = (up, across) if turned else (across, up)
        long, high = long - 2 * _PAD, high - 2 * _PAD
        for size in NAME_SIZES:
            if size > largest[0]:
                continue
            length = width(name, size, bold=True)
            # A name of three characters is not broken, and what cannot fit by its area need not be tried.
            if length > long and (len(name) <= 3 or int(length / max(long, 0.1)) >= high / (LINE * size)):
                continue
            pieces = wrapped(name, long, size, bold=True)
            rest = high - LINE * size * len(pieces)
            if rest < 0 or any(width(piece, size, bold=True) > long for piece in pieces):
                continue
            lines, lines_size, share = _contents(contents, long - _PAD, rest, min(largest[1], size))
            # A name broken over lines costs as much as half a millimetre of its size; turning costs a little.
            worth = size - 0.5 * (len(pieces) - 1) + 0.7 * share * (1 + lines_size) - 0.4 * turned
            options.append((worth, Lettering(turned, pieces, size, lines, lines_size)))
    if options:
        return max(options, key=lambda option: option[0])[1]
    return _cut_short(name, across, up)


def _contents(
    contents: tuple[str, ...], long: float, high: float, largest: float
) -> tuple[tuple[str, ...], float, float]:
    """Lines of contents that fit, their size, and the share of the contents that they show."""
    best: tuple[tuple[str, ...], float, float] = ((), SMALLEST, 0.0)
    if not contents:
        return best
    whole: list[tuple[tuple[float, int, float], tuple[str, ...]]] = []
    for size in CONTENTS_SIZES:
        if size > largest:
            continue
        room = int((high + 0.01) / (LINE * size))
        wraps = [_by_words(text, long, size) for text in contents]
        if any(width(piece, size) > long for wrap in wraps for piece in wrap):
            continue
        lines = tuple(piece for wrap in wraps for piece in wrap)
        if len(lines) <= room:  # first readable with ease, then unbroken, then large
            whole.append(((min(size, 1.4), -len(lines), size), lines))
        kept = len(contents)
        while kept and sum(len(wrap) for wrap in wraps[:kept]) + 1 > room:
            kept -= 1
        if kept and kept / len(contents) > best[2]:
            more = f"+ {len(contents) - kept} more"
            if width(more, size) <= long:
                best = ((*(p for wrap in wraps[:kept] for p in wrap), more), size, kept / len(contents))
    if whole:
        (_, _, size), lines = max(whole)
        return lines, size, 1.0
    return best


def _by_words(text: str, long: float, size: float) -> tuple[str, ...]:
    """A count and a model, broken between the two or not at all: `12` and `qm9700`, never `qm97` and `00`."""
    count, blank, model = text.partition(" ")
    return (text,) if width(text, size) <= long or not blank else (count + blank, model)


def _cut_short(name: str, across: float, up: float) -> Lettering | None:
    """As much of a name as the smallest type shows, with an ellipsis."""
    turned = up > across
    long, high = (up, across) if turned else (across, up)
    lines = int((high - 0.1) / (LINE * SMALLEST))
    limit = long - 2 * _PAD
    if not lines or limit < 3 * SMALLEST:
        return None
    pieces = wrapped(name, limit, SMALLEST, bold=True)
    if len(pieces) <= lines:
        return Lettering(turned, pieces, SMALLEST, (), SMALLEST)
    last = shortened("".join(pieces[lines - 1 :]), limit, SMALLEST, bold=True)
    return Lettering(turned, (*pieces[: lines - 1], last), SMALLEST, (), SMALLEST)
