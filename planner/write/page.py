"""Printed pages: paper and drawing by raw PDF operators, shared by cut sheets, elevations and labels.

Units are points, origin at the lower left of the page. What is drawn keeps inside a frame that lies in both A4 and
Letter: at least 4.9 mm from every edge of either, however the one is centred on or put into the corner of the other.
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from planner.typeset import BOLD, LEADING, REGULAR, Lines, runs, text_width, ttfont

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

MM: Final = 72 / 25.4
Paper = Literal["a4", "letter", "a3"]
PAPERS: Final[dict[str, tuple[float, float]]] = {
    "a4": (297 * MM, 210 * MM),
    "letter": (279.4 * MM, 215.9 * MM),
    "a3": (420 * MM, 297 * MM),
}
"""Landscape sizes."""
ENLARGED: Final[dict[str, float]] = {"a3": 420 / 297}
"""Papers whose pages are those of A4 drawn larger, to be read from a distance."""
Size = tuple[float, float]
"""Width and height of a sheet or roll of labels: what is drawn on them keeps to their own places and not to the frame."""

FRAME_WIDTH: Final = 250 * MM
FRAME_HEIGHT: Final = 193 * MM
"""On A4 the frame ends 273.5 mm from the left edge, 5.9 mm inside a Letter sheet put into the same corner."""


def size_of(paper: str | Size) -> Size:
    return PAPERS[paper] if isinstance(paper, str) else paper


class _Coordinates(dict[float, str]):
    """Numbers as they are written: those of a document are few, and slow to format."""

    def __missing__(self, number: float) -> str:
        text = self[number] = f"{number:.2f}"
        return text


class Ink:
    """Writes texts for one document; how a text is written is remembered, for most of them occur many times."""

    def __init__(self, canvas: Canvas) -> None:
        self._document: Any = canvas._doc  # type: ignore[attr-defined]  # noqa: SLF001 - the only way to a document's font subsets
        self._known: dict[tuple[str, str, float], str] = {}
        self._names: dict[str, str] = {}
        self._codes: dict[str, dict[str, int]] = {}
        """By font: characters that its first subset is known to have, with their codes there."""
        self.at = _Coordinates()

    def operators(self, face: str, text: str, size: float) -> str:
        """What sets fonts and shows the text, wherever the text cursor stands."""
        key = (face, text, size)
        found = self._known.get(key)
        if found is None:
            shows = [f"{name} {self.at[size]} Tf {literal} Tj" for name, literal in self.operands(face, text)]
            found = self._known[key] = " ".join(shows)
        return found

    def operands(self, face: str, text: str) -> list[tuple[str, str]]:
        """Pairs of a font's name in the document and a PDF string."""
        if text.isascii() and text.isprintable():  # stands for itself in a font's first subset, see `ttfont`
            return [(self._first_subset(face), _literal(text))]
        known = self._codes.setdefault(face, {})
        try:
            codes = bytes([known[character] for character in text])
        except KeyError:
            return self._split(face, text, known)
        return [(self._first_subset(face), _string(codes))]

    def _split(self, face: str, text: str, known: dict[str, int]) -> list[tuple[str, str]]:
        """As `operands`, asking reportlab for the subset of each character; known: learns those of the first one."""
        found = []
        for name, run in runs(face, text):
            font: Any = ttfont(name)
            at = 0
            for subset, codes in font.splitString(run, self._document):
                if name == face and subset == 0:
                    known.update(zip(run[at:], codes, strict=False))
                at += len(codes)
                found.append((font.getSubsetInternalName(subset, self._document), _string(codes)))
        return found

    def _first_subset(self, face: str) -> str:
        name = self._names.get(face)
        if name is None:
            font: Any = ttfont(face)
            font.splitString(" ", self._document)  # the document learns of the font
            name = self._names[face] = font.getSubsetInternalName(0, self._document)
        return name


@lru_cache(maxsize=256)
def _pen(width: float, grey: float) -> str:
    """A few pens and boxes serve all pages, and numbers are slow to format."""
    return f"{grey:g} G {width:g} w"


@lru_cache(maxsize=256)
def _edged(grey: float, line: float) -> str:
    return f"0 G {grey:g} g {line:g} w"


def _string(codes: bytes) -> str:
    is_plain = codes.isascii() and codes.decode("ascii").isprintable()
    return _literal(codes.decode("ascii")) if is_plain else f"<{codes.hex()}>"


def _literal(text: str) -> str:
    return "(" + text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)") + ")"


class Page:
    """One page's operators. Grey 0 is black, 1 white."""

    def __init__(self, ink: Ink, paper: str | Size) -> None:
        self.enlarged = ENLARGED.get(paper, 1.0) if isinstance(paper, str) else 1.0
        width, height = (side / self.enlarged for side in size_of(paper))
        self.ink = ink
        self._at = ink.at
        self.left = (width - FRAME_WIDTH) / 2
        self.right = self.left + FRAME_WIDTH
        self.bottom = (height - FRAME_HEIGHT) / 2
        self.top = self.bottom + FRAME_HEIGHT
        self._fills: list[str] = []
        self._shapes: list[str | float] = []
        """A number is the opacity of the fills that follow."""
        self._texts: list[str] = []

    def text(self, x: float, y: float, text: str, size: float, face: str = REGULAR, grey: float = 0) -> None:
        """A text that `fit` or `shown` has made, its baseline beginning at x, y."""
        if not text:
            return
        drawn = self.ink.operators(face, text, size)
        self._set(x, y, f"{grey:g} g {drawn} 0 g" if grey else drawn)

    def _set(self, x: float, y: float, operators: str) -> None:
        self._texts.append(f"1 0 0 1 {self._at[x]} {self._at[y]} Tm {operators}\n")

    def right_text(self, x: float, y: float, text: str, size: float, face: str = REGULAR, grey: float = 0) -> None:
        self.text(x - text_width(face, text, size), y, text, size, face, grey)

    def centred(self, x: float, y: float, text: str, size: float, face: str = REGULAR, grey: float = 0) -> None:
        self.text(x - text_width(face, text, size) / 2, y, text, size, face, grey)

    def lines(self, x: float, top: float, lines: Lines, face: str = REGULAR) -> float:
        """Fitted lines below `top`; returns where they end."""
        texts, size, height = lines
        y = top - size * 0.93  # the ascent of the fonts, so that accents stay below `top`
        for text in texts:
            if text:
                self._set(x, y, self.ink.operators(face, text, size))
            y -= size * LEADING
        return top - height

    def rule(
        self, x1: float, y1: float, x2: float, y2: float, width: float = 0.4, grey: float = 0, dash: float = 0
    ) -> None:
        at = self._at
        drawn = f"{_pen(width, grey)} {at[x1]} {at[y1]} m {at[x2]} {at[y2]} l S"
        self._shapes.append(f"q [{dash:g}] 0 d {drawn} Q" if dash else drawn)

    def box(self, x: float, y: float, width: float, height: float, grey: float = 1, line: float = 0.6) -> None:
        """grey: inside. What is drawn later covers it, fills excepted."""
        at = self._at
        self._shapes.append(f"{_edged(grey, line)} {at[x]} {at[y]} {at[width]} {at[height]} re B")

    def rectangle(self, x: float, y: float, width: float, height: float, grey: float | None, line: float) -> None:
        """In the order of drawing; grey None: nothing inside, line 0: no edge."""
        if grey is None and not line:
            return
        paint = "B" if grey is not None and line else "S" if line else "f"
        inside = f"{grey:g} g " if grey is not None else ""
        self._shapes.append(f"0 G {inside}{line:g} w {x:.2f} {y:.2f} {width:.2f} {height:.2f} re {paint}")

    def drawn(self, operators: str, opacity: float = 1.0) -> None:
        """Operators of another's making that leave the graphics state as it was, in the order of drawing."""
        if opacity != 1:
            self._shapes += (opacity, operators, 1.0)
        else:
            self._shapes.append(operators)

    def set_text(self, operators: str) -> None:
        """Operators that place and show a text, above all shapes."""
        self._set(0, 0, operators)

    def fill(self, x: float, y: float, width: float, height: float, grey: float) -> None:
        """Below all rules, boxes and texts, whatever the order in which they are drawn."""
        at = self._at
        self._fills.append(f"{grey:g} g {at[x]} {at[y]} {at[width]} {at[height]} re f")

    def modules(self, x: float, y: float, operators: str, width: float, height: float) -> None:
        """A code's modules, a module `width` by `height`, the lower left corner at x, y."""
        self._shapes.append(f"q 0 g {width:.4f} 0 0 {height:.4f} {self._at[x]} {self._at[y]} cm {operators} Q")

    def blank(self, x: float, y: float, width: float, height: float) -> None:
        """White, above all fills: what a scanner wants around a code."""
        at = self._at
        self._shapes.append(f"1 g {at[x]} {at[y]} {at[width]} {at[height]} re f")

    def stamp(self, text: str) -> None:
        """Large pale outlined letters across the middle, below everything else."""
        middle_x, middle_y = (self.left + self.right) / 2, (self.bottom + self.top) / 2
        half = text_width(BOLD, text, 150) / 2
        strings = " ".join(f"{name} 150 Tf {literal} Tj" for name, literal in self.ink.operands(BOLD, text))
        turned = f"0.906 0.423 -0.423 0.906 {middle_x - 0.906 * half + 20:.2f} {middle_y - 0.423 * half - 45:.2f} Tm"
        self._fills.append(f"0.75 G 1.2 w BT 1 Tr {turned} {strings} 0 Tr ET")

    def put(self, canvas: Canvas) -> None:
        """Onto the canvas as its next page."""
        if self.enlarged != 1:
            canvas.addLiteral(f"q {self.enlarged:.5f} 0 0 {self.enlarged:.5f} 0 0 cm")
        body = list(self._fills)
        for piece in self._shapes:
            if isinstance(piece, str):
                body.append(piece)
            else:
                canvas.addLiteral("\n".join(body))
                body.clear()
                canvas.setFillAlpha(piece)  # which only reportlab can say: it is an entry of the document
        canvas.addLiteral("\n".join((*body, f"0 g BT\n{''.join(self._texts)}ET")))
        if self.enlarged != 1:
            canvas.addLiteral("Q")
        canvas.showPage()


class _Deflate:
    """reportlab's filter at level 3: 16 % more bytes for half of the time, which is a fifth of a page's."""

    pdfname = "FlateDecode"

    @staticmethod
    def encode(text: str | bytes) -> bytes:
        return zlib.compress(text.encode("utf-8") if isinstance(text, str) else text, 3)


def new_canvas(path: Path, paper: str | Size, title: str, subject: str) -> Canvas:
    """A document without a clock: the same pages give the same bytes."""
    from reportlab import rl_config
    from reportlab.pdfbase import pdfdoc
    from reportlab.pdfgen.canvas import Canvas

    # reportlab has no setting of its own for a document: ASCII85 would take half of the time and a quarter more space.
    rl_config.useA85 = 0
    pdfdoc.PDFZCompress = _Deflate()  # type: ignore[assignment]
    ttfont(REGULAR)
    canvas = Canvas(
        str(path),
        pagesize=size_of(paper),
        invariant=1,
        pageCompression=1,
        initialFontName=REGULAR,  # type: ignore[arg-type]  # the stub takes the name for a number
        lang="en",
    )
    canvas.setTitle(title)
    canvas.setSubject(subject)
    canvas.setCreator("planner")
    return canvas
