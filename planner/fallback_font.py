"""A second font for names beyond the documents' own: a file of the user's, or that of the extra `cjk`.

It is chosen by the command and never found by chance, for what prints must not depend on what a machine happens to have.
The letters that a plan needs are cut out of the file, and outlines of the PostScript kind, which most fonts for Chinese,
Japanese and Korean have, are turned into TrueType ones, the only kind that reportlab embeds. Needs fontTools (extra `cjk`).
"""

from __future__ import annotations

import io
import logging
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from planner.data import font_bytes

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

EXTRA: Final = "cjk"
"""What names the font of the extra instead of a file."""
_EXTRA_FONT: Final = ("notojp_matplotlib", "fonts/NotoSansCJKjp-Regular.otf")
_NEEDS: Final = "install it with `pip install 'cabling-planner[cjk]'`"
_NO_EMBEDDING: Final = 0x0002
"""Of fsType: the font's licence does not permit it to be embedded."""
_ERROR_EM: Final = 0.001
"""How far a curve may be off, as a share of the type's size."""


class FontError(Exception):
    """The font cannot be used; the message is one line for the user."""


class _Chosen:
    """What the command chose, for the whole process: texts are measured and drawn far below it."""

    path: Path | None = None
    codes: frozenset[int] = frozenset()
    letters: frozenset[int] = frozenset()


def choose_font(name: str | None) -> None:
    """Take a font file, or that of the extra by its name `cjk`; None: the documents' own fonts alone. Raises FontError."""
    _Chosen.path, _Chosen.codes, _Chosen.letters = None, frozenset(), frozenset()
    if name is None:
        return
    path = _extra_font() if name == EXTRA else Path(name)
    font = _opened(path)
    if "OS/2" in font and font["OS/2"].fsType & _NO_EMBEDDING:
        raise FontError(f"the licence of the font `{name}` does not permit it to be embedded")
    _Chosen.path, _Chosen.codes = path, frozenset(font.getBestCmap() or ())


def fallback_has(code: int) -> bool:
    """Whether the chosen font has a character, and once it is known which ones are needed, whether it is one of these."""
    return code in (_Chosen.letters or _Chosen.codes)


def need_letters(texts: Iterable[str]) -> frozenset[int]:
    """Which letters the documents to come may need of the chosen font, out of all their texts; those asked for before stay."""
    if _Chosen.codes:
        found = {ord(letter) for text in texts for letter in set(text) if not letter.isascii()}
        _Chosen.letters |= found & _Chosen.codes
    return _Chosen.letters


def fallback_name() -> str:
    """What the chosen font with the needed letters is called in documents; empty where there is none."""
    if not _Chosen.letters:
        return ""
    return f"names-{sha256(repr((str(_Chosen.path), sorted(_Chosen.letters))).encode()).hexdigest()[:12]}"


def font_file() -> io.BytesIO:
    """The chosen font with the letters that are needed, as TrueType."""
    assert _Chosen.path is not None
    return io.BytesIO(_small(_Chosen.path, _Chosen.letters))


@cache
def _small(path: Path, letters: frozenset[int]) -> bytes:
    from fontTools.subset import Options, Subsetter
    from fontTools.varLib import instancer

    font = _opened(path)
    options = Options(
        layout_features=[], hinting=False, notdef_outline=True, drop_tables=["GSUB", "GPOS", "GDEF", "BASE"]
    )
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=letters | {0x20})
    subsetter.subset(font)
    if "fvar" in font:
        font = instancer.instantiateVariableFont(font, {axis.axisTag: axis.defaultValue for axis in font["fvar"].axes})
    if "glyf" not in font:
        _to_true_type(font)
    made = io.BytesIO()
    font.save(made)
    return made.getvalue()


def _to_true_type(font: TTFont) -> None:
    """Cubic curves as quadratic ones, with the tables that these want."""
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib import newTable

    glyphs, order = font.getGlyphSet(), font.getGlyphOrder()
    drawn = {}
    for name in order:
        pen = TTGlyphPen(glyphs)
        glyphs[name].draw(Cu2QuPen(pen, max_err=_ERROR_EM * font["head"].unitsPerEm, reverse_direction=True))
        drawn[name] = pen.glyph()
    font["loca"] = newTable("loca")
    font["glyf"] = table = newTable("glyf")
    table.glyphOrder, table.glyphs = order, drawn
    maximum = font["maxp"]
    maximum.tableVersion = 0x00010000
    for figure in (
        "maxTwilightPoints", "maxStorage", "maxFunctionDefs", "maxInstructionDefs", "maxStackElements",
        "maxSizeOfInstructions", "maxComponentElements", "maxPoints", "maxContours", "maxCompositePoints",
        "maxCompositeContours", "maxComponentDepth",
    ):  # fmt: skip
        setattr(maximum, figure, 0)
    maximum.maxZones = 1
    font["post"].formatType = 3.0
    for tag in ("CFF ", "CFF2", "VORG"):
        if tag in font:
            del font[tag]
    font.sfntVersion = "\x00\x01\x00\x00"


def _opened(path: Path) -> TTFont:
    """The first font of a file. Raises FontError."""
    try:
        from fontTools.ttLib import TTFont, TTLibError
    except ImportError as error:
        raise FontError(f"another font needs the library fontTools: {_NEEDS}") from error
    logging.getLogger("fontTools").setLevel(logging.ERROR)
    try:
        font = TTFont(io.BytesIO(font_bytes(path)), fontNumber=0, lazy=True, recalcTimestamp=False)
        if "cmap" not in font or not {"glyf", "CFF ", "CFF2"} & set(font.keys()):
            raise FontError(f"`{path}` is a font without letters that can be embedded")
    except (OSError, TTLibError, AssertionError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise FontError(f"`{path}` is no font file that can be read: {why}") from error
    return font


def _extra_font() -> Path:
    package, file = _EXTRA_FONT
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise FontError(f"the font of the extra `{EXTRA}` is not there: {_NEEDS}")
    return Path(found.submodule_search_locations[0]) / file
