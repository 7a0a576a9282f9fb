"""Labels for printers with programs of their own: a table to merge (Brother, Dymo, Brady), and ZPL for Zebra."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from planner.label_formats import ZplFormat
from planner.labelsheet import Label, labels_by_cable
from planner.plan import Plan
from planner.units import short_metres

MERGE_COLUMNS: Final = ("cable_id", "end", "near", "far", "length_m", "colour", "part", "rack", "code")


def write_merge_table(plan: Plan, folder: Path) -> None:
    """`labels-merge.csv`: a header and a row a label, in the order of pulling.

    UTF-8 with its mark and lines that end as on Windows, where the label makers' programs run and take a file without the
    mark for the code page of the country.
    """
    with (folder / "labels-merge.csv").open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, lineterminator="\r\n")
        writer.writerow(MERGE_COLUMNS)
        for label in _labels(plan):
            part = label.part
            length = short_metres(part.length_mm) if part.length_mm >= 0 else ""
            near = label.near if label.is_used else "unused leg"
            row = (
                label.cable_id,
                label.end,
                near,
                label.far,
                length,
                part.colour,
                part.part,
                label.rack,
                label.cable_id,
            )
            writer.writerow(row)


class _Font(NamedTuple):
    """A bitmap font at a magnification. height, advance: dots of a line, and from a character to the next."""

    name: str
    times: int
    height: int
    advance: int


_FONTS: Final = tuple(
    _Font(name, times, height * times, advance * times)
    for name, height, width, advance, times in (
        ("D", 18, 10, 12, 3), ("D", 18, 10, 12, 2), ("A", 9, 5, 6, 3), ("D", 18, 10, 12, 1), ("A", 9, 5, 6, 2),
    )
)  # fmt: skip
"""From large to small. Matrices 18 x 10 and 9 x 5, gaps of 2 and 1 dots. Source: font table of the ZPL-compatible CZL
programmer's manual of the Compuprint 6314, section 4.1."""

_MATRIX: Final = {"D": (18, 10), "A": (9, 5)}
_MARGIN: Final = 10
_LEADING: Final = 4
_CODE: Final = 29
"""Modules of a QR code of version 1 with the white around it."""
_SPECIAL: Final = frozenset("^~_\\")
_TOO_LONG: Final = "TOO LONG: see labels.csv"


def write_zpl(plan: Plan, folder: Path, form: ZplFormat, *, has_code: bool) -> list[str]:
    """`labels.zpl`: a format a label, in the order of pulling. Returns what a person must be told.

    Texts are set in bitmap fonts, whose widths are known, so that what does not fit is found here and not cut in the printer.
    """
    width, height = (side * form.dots_per_mm // 1000 for side in (form.width_um, form.height_um))
    drawn = _Zpl(width, height, has_code=has_code, is_draft=plan.identity.draft)
    long: list[str] = []
    with (folder / "labels.zpl").open("w", encoding="ascii", newline="\n") as file:
        for label in _labels(plan):
            lines = drawn.lines(label)
            if lines is None:
                long.append(f"{label.cable_id} {label.end}")
                lines = drawn.instead(label)
            file.write(drawn.commands(label, lines))
    if not long:
        return []
    listed = ", ".join(long[:5]) + (f" and {len(long) - 5} more" if len(long) > 5 else "")
    return [
        f"labels of labels.zpl are too small for the texts of cable {listed}: they have the number only, and say so"
    ]


Line = tuple[int, _Font, str]
"""A line's upper edge in dots, its font and its text."""


class _Zpl:
    """Labels of one size in dots."""

    def __init__(self, width: int, height: int, *, has_code: bool, is_draft: bool) -> None:
        self.width, self.height = width, height
        self.is_draft = is_draft
        self.room = width - 2 * _MARGIN
        self.module = max(1, min((height // 2 - _MARGIN) // _CODE, (width // 3) // _CODE))
        self.code = _CODE * self.module if has_code else 0

    def lines(self, label: Label) -> list[Line] | None:
        """Number and part beside the code, below them both places in one font; None where the label is too small."""
        narrow = self.room - self.code
        part = label.part
        length = f"{short_metres(part.length_mm)}m " if part.length_mm >= 0 else ""
        found = list(
            _stacked(_MARGIN, [*_fitted(self._number(label), narrow, 1), *_fitted(f"{length}{part.part}", narrow, 2)])
        )
        below = max(_below(found), _MARGIN + self.code)
        near = label.near if label.is_used else "unused leg, cap it"
        for font in _FONTS:
            texts = [
                line for text in (near, f"> {label.far}") for line in _lines(_plain(text), self.room // font.advance)
            ]
            places = list(_stacked(below, [(font, text) for text in texts]))
            is_last = font is _FONTS[-1]
            if _below(places) <= self.height and (len(texts) == 2 or is_last) and below <= self.height:
                return [*found, *places]
        return None

    def instead(self, label: Label) -> list[Line]:
        return list(
            _stacked(_MARGIN, [*_fitted(self._number(label), self.room - self.code, 1), (_FONTS[-1], _TOO_LONG)])
        )

    def commands(self, label: Label, lines: Sequence[Line]) -> str:
        commands = ["^XA", "^CI28", f"^PW{self.width}", f"^LL{self.height}", "^LH0,0"]
        commands += [_field(_MARGIN, y, font, text) for y, font, text in lines]
        if self.code:
            x = self.width - _MARGIN - self.code
            commands.append(f"^FO{x},{_MARGIN}^BQN,2,{self.module}^FDMA,{label.cable_id}^FS")
        return "\n".join((*commands, "^XZ", ""))

    def _number(self, label: Label) -> str:
        return f"{label.cable_id} {label.end}" + (" DRAFT" if self.is_draft else "")


def _stacked(top: int, lines: Iterable[tuple[_Font, str]]) -> Iterator[Line]:
    for font, text in lines:
        yield top, font, text
        top += font.height + _LEADING


def _below(lines: Sequence[Line]) -> int:
    top, font, _ = lines[-1]
    return top + font.height + _LEADING


def _fitted(text: str, room: int, first: int) -> list[tuple[_Font, str]]:
    """A text in the largest font from `first` on that takes it in one line, else in lines of the smallest."""
    plain = _plain(text)
    font = next((font for font in _FONTS[first:] if len(plain) * font.advance <= room), _FONTS[-1])
    return [(font, line) for line in _lines(plain, room // font.advance)]


def _lines(text: str, characters: int) -> list[str]:
    return [text[at : at + characters] for at in range(0, len(text), max(characters, 1))]


def _plain(text: str) -> str:
    """What the printer's own bitmap fonts have; other characters as their codes, as other documents do with what they lack."""
    return "".join(
        c if " " <= c <= "~" else f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08x}" for c in text
    )


def _field(x: int, y: int, font: _Font, text: str) -> str:
    """A text at a place; what ZPL would take for a command stands as its code."""
    safe = "".join(f"_{ord(c):02X}" if c in _SPECIAL else c for c in text)
    height, width = _MATRIX[font.name]
    return f"^FO{x},{y}^A{font.name}N,{height * font.times},{width * font.times}^FH_^FD{safe}^FS"


def _labels(plan: Plan) -> Iterator[Label]:
    for of_cable in labels_by_cable(plan):
        yield from of_cable
