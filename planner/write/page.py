"""Printed pages: paper, fonts, and drawing by raw PDF operators, shared by cut sheets and later labels and elevations.

Units are points, origin at the lower left of the page. What is drawn keeps inside a frame that lies in both A4 and
Letter: at least 4.9 mm from every edge of either, however the one is centred on or put into the corner of the other.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from planner.data import font
from planner.printable import printable

if TYPE_CHECKING:
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen.canvas import Canvas

MM: Final = 72 / 25.4
Paper = Literal["a4", "letter"]
PAPERS: Final[dict[str, tuple[float, float]]] = {"a4": (297 * MM, 210 * MM), "letter": (279.4 * MM, 215.9 * MM)}
"""Landscape sizes."""

FRAME_WIDTH: Final = 250 * MM
FRAME_HEIGHT: Final = 193 * MM
"""On A4 the frame ends 273.5 mm from the left edge, 5.9 mm inside a Letter sheet put into the same corner."""

LEADING: Final = 1.16
"""Height of a line over its size: the fonts' ascent and descent together."""

REGULAR: Final = "DejaVuSansCondensed"
BOLD: Final = "DejaVuSansCondensed-Bold"

_BREAKS: Final = re.compile(r"(?<=[ \-_./+>;,])")
_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_BIDI_RUN: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+(?:[ ]+[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+)*"
)


def text_width(face: str, text: str, size: float) -> float:
    """Of a text that `shown` has made."""
    return _thousandths(face, text) * size / 1000


@cache
def _ttfont(name: str) -> TTFont:
    """A font file parsed once a process; reportlab keeps what a document uses of it by document."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    face = TTFont(name, str(font(name)))
    pdfmetrics.registerFont(face)
    return face


@lru_cache(maxsize=200_000)
def _thousandths(name: str, text: str) -> float:
    widths, default = _widths(name)
    total = 0.0
    for character in text:
        width = widths.get(ord(character))
        if width is None:  # the bold font lacks some of what the regular one has
            width = _widths(REGULAR)[0].get(ord(character), default)
        total += width
    return total


@cache
def _widths(name: str) -> tuple[dict[int, float], float]:
    face = _ttfont(name).face
    return face.charWidths, face.defaultWidth


@lru_cache(maxsize=200_000)
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


@dataclass(frozen=True, slots=True)
class Lines:
    """A text fitted into a width: its lines and the size they fit at."""

    lines: tuple[str, ...]
    size: float
    height: float

    @classmethod
    def of(cls, lines: tuple[str, ...], size: float) -> Lines:
        return cls(lines, size, len(lines) * size * LEADING)


@lru_cache(maxsize=200_000)
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


class Ink:
    """Encodes texts for one document; the encoding of a text is remembered, for most of them occur many times."""

    def __init__(self, canvas: Canvas) -> None:
        self._document: Any = canvas._doc  # type: ignore[attr-defined]  # noqa: SLF001 - the only way to a document's font subsets
        self._known: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {}

    def operands(self, face: str, text: str) -> tuple[tuple[str, str], ...]:
        """Pairs of a font's name in the document and a PDF string."""
        key = (face, text)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = tuple(self._encoded(face, text))
        return found

    def _encoded(self, face: str, text: str) -> Iterator[tuple[str, str]]:
        for name, run in _runs(face, text):
            ttfont: Any = _ttfont(name)
            for subset, codes in ttfont.splitString(run, self._document):
                literal = (
                    f"<{codes.hex()}>" if any(c < 32 or c > 126 for c in codes) else _literal(codes.decode("ascii"))
                )
                yield ttfont.getSubsetInternalName(subset, self._document), literal


def _literal(text: str) -> str:
    return "(" + text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)") + ")"


def _runs(face: str, text: str) -> Iterator[tuple[str, str]]:
    """The text by font: characters that the bold font lacks are set in the regular one."""
    if face == REGULAR or text.isascii():
        yield face, text
        return
    has = _widths(face)[0]
    run, current = "", face
    for character in text:
        name = face if ord(character) in has else REGULAR
        if name != current and run:
            yield current, run
            run = ""
        current = name
        run += character
    if run:
        yield current, run


class Page:
    """One page's operators. Grey 0 is black, 1 white."""

    def __init__(self, ink: Ink, paper: str) -> None:
        width, height = PAPERS[paper]
        self.ink = ink
        self.left = (width - FRAME_WIDTH) / 2
        self.right = self.left + FRAME_WIDTH
        self.bottom = (height - FRAME_HEIGHT) / 2
        self.top = self.bottom + FRAME_HEIGHT
        self._fills: list[str] = []
        self._shapes: list[str] = []
        self._texts: list[str] = []

    def text(self, x: float, y: float, text: str, size: float, face: str = REGULAR, grey: float = 0) -> None:
        """A text that `fit` or `shown` has made, its baseline beginning at x, y."""
        if not text:
            return
        pairs = self.ink.operands(face, text)
        name, literal = pairs[0]
        drawn = f"1 0 0 1 {x:.2f} {y:.2f} Tm {name} {size:.2f} Tf {literal} Tj"
        for name, literal in pairs[1:]:
            drawn += f" {name} {size:.2f} Tf {literal} Tj"
        self._texts.append(f"{grey:g} g {drawn} 0 g" if grey else drawn)

    def right_text(self, x: float, y: float, text: str, size: float, face: str = REGULAR, grey: float = 0) -> None:
        self.text(x - _thousandths(face, text) * size / 1000, y, text, size, face, grey)

    def centred(self, x: float, y: float, text: str, size: float, face: str = REGULAR, grey: float = 0) -> None:
        self.text(x - _thousandths(face, text) * size / 2000, y, text, size, face, grey)

    def lines(self, x: float, top: float, lines: Lines, face: str = REGULAR) -> float:
        """Fitted lines below `top`; returns where they end."""
        size = lines.size
        y = top - size * 0.93  # the ascent of the fonts, so that accents stay below `top`
        for line in lines.lines:
            self.text(x, y, line, size, face)
            y -= size * LEADING
        return top - lines.height

    def rule(self, x1: float, y1: float, x2: float, y2: float, width: float = 0.4, grey: float = 0) -> None:
        self._shapes.append(f"{grey:g} G {width:g} w {x1:.2f} {y1:.2f} m {x2:.2f} {y2:.2f} l S")

    def box(self, x: float, y: float, width: float, height: float, line: float = 0.6) -> None:
        self._shapes.append(f"0 G 1 g {line:g} w {x:.2f} {y:.2f} {width:.2f} {height:.2f} re B")

    def fill(self, x: float, y: float, width: float, height: float, grey: float) -> None:
        """Below all rules, boxes and texts, whatever the order in which they are drawn."""
        self._fills.append(f"{grey:g} g {x:.2f} {y:.2f} {width:.2f} {height:.2f} re f")

    def stamp(self, text: str) -> None:
        """Large pale outlined letters across the middle, below everything else."""
        middle_x, middle_y = (self.left + self.right) / 2, (self.bottom + self.top) / 2
        half = _thousandths(BOLD, text) * 150 / 2000
        strings = " ".join(f"{name} 150 Tf {literal} Tj" for name, literal in self.ink.operands(BOLD, text))
        turned = f"0.906 0.423 -0.423 0.906 {middle_x - 0.906 * half + 20:.2f} {middle_y - 0.423 * half - 45:.2f} Tm"
        self._fills.append(f"0.75 G 1.2 w BT 1 Tr {turned} {strings} 0 Tr ET")

    def put(self, canvas: Canvas) -> None:
        """Onto the canvas as its next page."""
        body = "\n".join((*self._fills, *self._shapes, "0 g BT", *self._texts, "ET"))
        canvas.addLiteral(body)
        canvas.showPage()


def new_canvas(path: Path, paper: str, title: str, subject: str) -> Canvas:
    """A document without a clock: the same pages give the same bytes."""
    from reportlab import rl_config
    from reportlab.pdfgen.canvas import Canvas

    # reportlab has no setting of its own for a document: ASCII85 would take half of the time and a quarter more space.
    rl_config.useA85 = 0
    _ttfont(REGULAR)
    canvas = Canvas(
        str(path),
        pagesize=PAPERS[paper],
        invariant=1,
        pageCompression=1,
        initialFontName=REGULAR,  # type: ignore[arg-type]  # the stub takes the name for a number
        lang="en",
    )
    canvas.setTitle(title)
    canvas.setSubject(subject)
    canvas.setCreator("planner")
    return canvas


def flow(text: str, face: str, size: float, width: float) -> Sequence[str]:
    """A text of any length in lines of one size."""
    return tuple(_wrapped(shown(text), face, width * 1000 / size))
