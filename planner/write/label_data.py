"""Labels for printers with programs of their own: a table to merge (Brother, Dymo, Brady), and ZPL for Zebra."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from planner.label_fit import Label
from planner.label_formats import ZplFormat
from planner.label_zpl import MARGIN, MATRIX, Font, Line, ZplLabel
from planner.labelsheet import labels_by_cable
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


_SPECIAL: Final = frozenset("^~_\\")


def write_zpl(plan: Plan, folder: Path, form: ZplFormat, *, has_code: bool) -> list[str]:
    """`labels.zpl`: a format a label, in the order of pulling. Returns what a person must be told.

    Texts are set in bitmap fonts, whose widths are known, so that what does not fit is found here and not cut in the printer.
    """
    drawn = ZplLabel(form, has_code=has_code, is_draft=plan.identity.draft)
    long: list[str] = []
    with (folder / "labels.zpl").open("w", encoding="ascii", newline="\n") as file:
        for label in _labels(plan):
            lines = drawn.lines(label)
            if lines is None:
                long.append(f"{label.cable_id} {label.end}")
                lines = drawn.instead(label)
            file.write(_commands(drawn, label, lines))
    if not long:
        return []
    listed = ", ".join(long[:5]) + (f" and {len(long) - 5} more" if len(long) > 5 else "")
    return [
        f"labels of labels.zpl are too small for the texts of cable {listed}: they have the number only, and say so"
    ]


def _commands(drawn: ZplLabel, label: Label, lines: Sequence[Line]) -> str:
    commands = ["^XA", "^CI28", f"^PW{drawn.width}", f"^LL{drawn.height}", "^LH0,0"]
    commands += [_field(MARGIN, y, font, text) for y, font, text in lines]
    if drawn.code:
        x = drawn.width - MARGIN - drawn.code
        commands.append(f"^FO{x},{MARGIN}^BQN,2,{drawn.module}^FDMA,{label.cable_id}^FS")
    return "\n".join((*commands, "^XZ", ""))


def _field(x: int, y: int, font: Font, text: str) -> str:
    """A text at a place; what ZPL would take for a command stands as its code."""
    safe = "".join(f"_{ord(c):02X}" if c in _SPECIAL else c for c in text)
    height, width = MATRIX[font.name]
    return f"^FO{x},{y}^A{font.name}N,{height * font.times},{width * font.times}^FH_^FD{safe}^FS"


def _labels(plan: Plan) -> Iterator[Label]:
    for of_cable in labels_by_cable(plan):
        yield from of_cable
