"""Which characters the printed documents can show, and how they print the others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from planner.data import font
from planner.fallback_font import fallback_has
from planner.findings import Fault
from planner.layout import Layout
from planner.names import quoted_list
from planner.project import Project

TEXT_FONT = "DejaVuSansCondensed"


@lru_cache(maxsize=1)
def _glyphs() -> frozenset[int]:
    """Code points that the text font has; read only when a name goes beyond Latin."""
    from reportlab.pdfbase.ttfonts import TTFontFile

    return frozenset(TTFontFile(str(font(TEXT_FONT))).charToGlyph)


def shows(character: str) -> bool:
    """Whether the documents can show a character; ASCII and Latin-1 are known without opening the font."""
    code = ord(character)
    return 0x20 <= code < 0x7F or 0xA1 <= code <= 0xFF or code in _glyphs() or fallback_has(code)


def printable(text: str) -> str:
    """The text with what the font lacks as an escaped code (backslash, u, 4e2d), so that nothing disappears."""
    if text.isascii():
        return text
    return "".join(c if shows(c) else f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08x}" for c in text)


def unprintable_names(layout: Layout, project: Project) -> Iterator[Fault]:
    """A warning for each kind of thing with names that would print as codes."""
    named = [
        ("rack names", [(r.name, r.at) for r in layout.racks]),
        ("device names", [(d.name, d.at) for d in layout.devices]),
        ("pathway names", [(p.name, p.at) for p in layout.pathways]),
        ("project names", [(project.name, -1)]),
        ("phase names", [(phase.name, -1) for phase in project.phases]),
        ("fabric names", [(fabric.name, -1) for fabric in project.fabrics]),
        ("remarks", [(remark.text, -1) for remark in project.remarks]),
    ]
    for what, names in named:
        bad = [(name, at) for name, at in names if not name.isascii() and any(not shows(c) for c in name)]
        if bad:
            missing = sorted({c for name, _ in bad for c in name if not shows(c)})
            yield Fault(
                "character-without-glyph",
                f"{what} {quoted_list(name[:40] for name, _ in bad)} have characters that the documents cannot show",
                bad[0][1],
                note=f"{', '.join(f'U+{ord(c):04X}' for c in missing[:8])} print as their codes",
                help="print with a font that has them (`--font cjk`, or a file), write them otherwise, or expect the codes on labels and sheets",
                objects=tuple(name[:200] for name, _ in bad[:50]),
                count=len(bad),
            )
