"""Sheets and rolls of labels that people buy, as measures with their sources."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

PAPERS_UM: Final = {"a4-portrait": (210_000, 297_000), "letter-portrait": (215_900, 279_400)}
_SIDES: Final = r"(\d{1,3}(?:\.\d)?)x(\d{1,3}(?:\.\d)?)"
_ROLL: Final = re.compile(f"roll-{_SIDES}")
_ZPL: Final = re.compile(f"zpl-(203|300|600)(?:-{_SIDES})?")
_DOTS_PER_MM: Final = {"203": 8, "300": 12, "600": 24}
_ZPL_MM: Final = ("50.8", "25.4")
MERGE: Final = "csv"
"""The form that label printers' own programs read."""
DEFAULT: Final = "a4-65"
_LEAST_UM: Final = (20_000, 8_000)


@dataclass(frozen=True, slots=True)
class SheetFormat:
    """A sheet of die-cut labels, upright, or a roll with a label a page; measures in um from the upper left corner.

    left, top: of the first label. step_x, step_y: from a label to the next. source, evidence: of the measures.
    """

    id: str
    name: str
    paper: str
    columns: int
    rows: int
    width_um: int
    height_um: int
    left_um: int
    top_um: int
    step_x_um: int
    step_y_um: int
    source: str
    evidence: str

    @property
    def is_roll(self) -> bool:
        return self.columns * self.rows == 1

    @property
    def size_um(self) -> tuple[int, int]:
        """Width and height of a sheet, or of a roll's label."""
        return (self.width_um, self.height_um) if self.is_roll else PAPERS_UM[self.paper]

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Rows and columns in the order of printing: two neighbours at a time, so that pairs stay together.

        Rows are taken two by two. Where the columns are odd, the last one takes its pair one above the other; of a last
        single row its last place stays empty. A roll has one place.
        """
        if self.is_roll:
            return ((0, 0),)
        found: list[tuple[int, int]] = []
        even = self.columns - self.columns % 2
        for row in range(0, self.rows, 2):
            both = [r for r in (row, row + 1) if r < self.rows]
            found += [(r, column) for r in both for column in range(even)]
            if even < self.columns and len(both) == 2:
                found += [(r, even) for r in both]
        return tuple(found)


FORMATS: Final = {
    form.id: form
    for form in (
        SheetFormat(
            id="a4-65",
            name="A4, 65 of 38.1 x 21.2 mm (Avery L7651)",
            paper="a4-portrait",
            columns=5,
            rows=13,
            width_um=38_100,
            height_um=21_200,
            left_um=4_750,
            top_um=10_700,
            step_x_um=40_600,
            step_y_um=21_200,
            source="size and count as sold by Avery; margins and steps as Label Planet states them for LP65/38, the same"
            " grid, read second-hand; (210 - 5 x 38.1 - 4 x 2.5) / 2 = 4.75 and (297 - 13 x 21.2) / 2 = 10.7 agree",
            evidence="secondary",
        ),
        SheetFormat(
            id="letter-30",
            name="Letter, 30 of 2 5/8 x 1 in (Avery 5160)",
            paper="letter-portrait",
            columns=3,
            rows=10,
            width_um=66_675,
            height_um=25_400,
            left_um=4_763,
            top_um=12_700,
            step_x_um=69_850,
            step_y_um=25_400,
            source="size and count as sold by Avery; margins of 3/16 and 1/2 in and a step of 2 3/4 in as programs that print"
            " on it state them; (8.5 - 3 x 2.625 - 2 x 0.125) / 2 = 0.1875 in agrees",
            evidence="secondary",
        ),
        SheetFormat(
            id="a4-48",
            name="A4, 48 of 45.7 x 21.2 mm (Avery L7636)",
            paper="a4-portrait",
            columns=4,
            rows=12,
            width_um=45_700,
            height_um=21_200,
            left_um=9_700,
            top_um=21_300,
            step_x_um=48_300,
            step_y_um=21_200,
            source="size and count as Label Planet states them for LP48/45, the same grid, read second-hand; margins and steps"
            " by our sum, gaps of 2.6 mm: (210 - 4 x 45.7 - 3 x 2.6) / 2 = 9.7 and (297 - 12 x 21.2) / 2 = 21.3",
            evidence="secondary",
        ),
        SheetFormat(
            id="a4-24",
            name="A4, 24 of 63.5 x 33.9 mm (Avery L7159)",
            paper="a4-portrait",
            columns=3,
            rows=8,
            width_um=63_500,
            height_um=33_900,
            left_um=7_250,
            top_um=12_900,
            step_x_um=66_000,
            step_y_um=33_900,
            source="size and count as sold by Avery; margins of 7.2 and 12.9 mm and a gap of 2.5 mm as programs that print on it"
            " state them; (210 - 3 x 63.5 - 2 x 2.5) / 2 = 7.25 and (297 - 8 x 33.9) / 2 = 12.9 agree",
            evidence="secondary",
        ),
        SheetFormat(
            id="letter-80",
            name="Letter, 80 of 1 3/4 x 1/2 in (Avery 5167)",
            paper="letter-portrait",
            columns=4,
            rows=20,
            width_um=44_450,
            height_um=12_700,
            left_um=7_144,
            top_um=12_700,
            step_x_um=52_388,
            step_y_um=12_700,
            source="gLabels, templates/avery-us-templates.xml: margins of 0.28125 and 0.5 in, steps of 2.0625 and 0.5 in",
            evidence="secondary",
        ),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ZplFormat:
    """A roll in a Zebra printer."""

    dots_per_mm: int
    width_um: int
    height_um: int


LabelForm = SheetFormat | ZplFormat | Literal["csv"]


def label_form(name: str) -> LabelForm:
    """What labels are made as: a sheet by its id, `csv`, or a roll by its label's width and height in mm.

    `roll-50.8x25.4` is a page a label, `zpl-203-50.8x25.4` the commands of a printer with 203 dpi. Raises ValueError.
    """
    if name == MERGE:
        return "csv"
    if name in FORMATS:
        return FORMATS[name]
    if found := _ROLL.fullmatch(name):
        width, height = _sides(name, *found.groups())
        return SheetFormat(
            id=name,
            name=f"roll of {found[1]} x {found[2]} mm",
            paper="",
            columns=1,
            rows=1,
            width_um=width,
            height_um=height,
            left_um=0,
            top_um=0,
            step_x_um=width,
            step_y_um=height,
            source="as asked for",
            evidence="primary",
        )
    if found := _ZPL.fullmatch(name):
        width, height = _sides(name, found[2] or _ZPL_MM[0], found[3] or _ZPL_MM[1])
        return ZplFormat(_DOTS_PER_MM[found[1]], width, height)
    raise ValueError(
        f"there are no labels `{name}` (there are {', '.join(FORMATS)}, csv, rolls such as roll-50.8x25.4 and zpl-203-50.8x25.4)"
    )


def _sides(name: str, width: str, height: str) -> tuple[int, int]:
    sides = round(float(width) * 1000), round(float(height) * 1000)
    if sides[0] < _LEAST_UM[0] or sides[1] < _LEAST_UM[1]:
        raise ValueError(f"labels of `{name}` are too small: 20 mm wide and 8 mm high is the least")
    return sides
