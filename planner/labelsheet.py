"""Sheets of labels: one for every physical end of a cable, in the order in which the cut sheets have the cables pulled.

The labels of a cable's ends touch each other on the sheet, so that both are in the hand when the cable is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from planner.cutsheet import CableRow, End, Sheets
from planner.label_fit import Label
from planner.label_formats import SheetFormat
from planner.plan import Plan


@dataclass(frozen=True, slots=True)
class LabelSheet:
    """Labels with their row and column on one sheet."""

    labels: tuple[tuple[int, int, Label], ...]

    @property
    def racks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(label.rack for _, _, label in self.labels))


def labels_by_cable(
    plan: Plan, made: Sheets | None = None, racks: Iterable[int] | None = None
) -> Iterator[tuple[Label, ...]]:
    """The labels of each cable, cables in the order in which they are pulled, racks in natural order.

    racks: cables pulled from these only, by their rows in the plan. made: the plan's sheets, where they are at hand.
    """
    made = made or Sheets(plan, maps=False)
    for sheet in made.of(made.order if racks is None else racks):
        for row in sheet.rows:
            if not row.lands_from:
                yield tuple(_labels_of(row, sheet.rack))


def _labels_of(row: CableRow, rack: str) -> Iterator[Label]:
    for end in _ends_of(row):
        far = end.far_text if end.is_used else row.near.text
        yield Label(row.cable_id, end.name, end.text, far, row.part, rack)


def _ends_of(row: CableRow) -> Iterator[End]:
    """Near and far ends; of a trunk each leg's, its two ends beside each other."""
    if not row.near.legs:
        yield from (row.near, *row.far)
        return
    for near, far in zip(row.near.legs, (leg for end in row.far for leg in end.legs), strict=False):
        yield from (near, far)


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
