"""Sheets of labels: one for every physical end of a cable, in the order in which the cut sheets have the cables pulled.

The labels of a cable's ends touch each other on the sheet, so that both are in the hand when the cable is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from planner.cutsheet import CableRow, sheets
from planner.plan import PartRow, Plan


@dataclass(frozen=True, slots=True)
class SheetFormat:
    """A sheet of die-cut labels, upright; measures in um from its upper left corner.

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
    def places(self) -> tuple[tuple[int, int], ...]:
        """Rows and columns in the order of printing: two neighbours at a time, so that pairs stay together.

        Rows are taken two by two. Where the columns are odd, the last one takes its pair one above the other; of a last
        single row its last place stays empty.
        """
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
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Label:
    """One end of a cable. near, far: as in `labels.csv`; for an unused leg near is empty and far is the head's place.

    rack: where the cable is pulled.
    """

    cable_id: int
    end: str
    near: str
    far: str
    part: PartRow
    rack: str

    @property
    def is_used(self) -> bool:
        return bool(self.near)


@dataclass(frozen=True, slots=True)
class LabelSheet:
    """Labels with their row and column on one sheet."""

    labels: tuple[tuple[int, int, Label], ...]

    @property
    def racks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(label.rack for _, _, label in self.labels))


def labels_by_cable(plan: Plan) -> Iterator[tuple[Label, ...]]:
    """The labels of each cable, cables in the order in which they are pulled, racks in natural order."""
    for sheet in sheets(plan, maps=False):
        for row in sheet.rows:
            if not row.lands_from:
                yield tuple(_labels_of(row, sheet.rack))


def _labels_of(row: CableRow, rack: str) -> Iterator[Label]:
    for end in (row.near, *row.far):
        far = end.far_text if end.is_used else row.near.text
        yield Label(row.cable_id, end.name, end.text, far, row.part, rack)


def label_sheets(cables: Iterable[tuple[Label, ...]], form: SheetFormat) -> Iterator[LabelSheet]:
    """Sheets filled cable by cable. A cable begins at a pair's first place and stays on one sheet if one can hold it."""
    places = form.places
    on_sheet: list[tuple[int, int, Label]] = []
    at = 0
    for labels in cables:
        at += at % 2
        if at and at + min(len(labels), len(places)) > len(places):
            yield LabelSheet(tuple(on_sheet))
            on_sheet, at = [], 0
        for label in labels:
            if at == len(places):
                yield LabelSheet(tuple(on_sheet))
                on_sheet, at = [], 0
            on_sheet.append((*places[at], label))
            at += 1
    if on_sheet:
        yield LabelSheet(tuple(on_sheet))
