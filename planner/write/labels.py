"""`labels.pdf`: sheets of labels for the ends of the cables, to be printed at 100 % on die-cut sheets."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from planner.labelsheet import FORMATS, Label, LabelSheet, SheetFormat, label_sheets, labels_by_cable
from planner.plan import Identity, Plan
from planner.units import short_metres
from planner.write.page import MM, Ink, Page, new_canvas, size_of
from planner.write.typeset import BOLD, REGULAR, fit_into, text_width

_UM: Final = MM / 1000
_PADDING: Final = 1.6 * MM
"""Kept free inside a label's edge, for sheets that a printer draws in askew."""
_MODEL: Final = (34.9 * MM, 18 * MM)
"""Width and height inside the padding of the label that the sizes below are made for; others are scaled."""
_CODE: Final = 9 * MM
"""Side of the square at the upper right that stays free for a code."""
_ARROW: Final = "\N{RIGHTWARDS ARROW} "


def write_labels(plan: Plan, folder: Path, *, sheet: str = "a4-65") -> Path:
    """Write `labels.pdf` into a folder that exists; sheet: one of FORMATS."""
    form, identity, path = FORMATS[sheet], plan.identity, folder / "labels.pdf"
    made = list(label_sheets(labels_by_cable(plan), form)) or [LabelSheet(())]
    canvas = new_canvas(
        path, form.paper, f"{identity.project} {identity.revision} labels", f"inputs {identity.inputs_sha256}"
    )
    ink = Ink(canvas)
    marked: str | None = None
    for number, one in enumerate(made, start=1):
        canvas.bookmarkPage(f"sheet-{number}")
        for rack in one.racks:
            if rack != marked:
                canvas.addOutlineEntry(f"Rack {rack}", f"sheet-{number}", 0)
                marked = rack
        page = Page(ink, form.paper)
        _draw_margin(page, identity, form, one, f"sheet {number} of {len(made)}")
        for row, column, label in one.labels:
            _LabelPlace(form, row, column).draw(page, label, is_draft=identity.draft)
        page.put(canvas)
    canvas.save()
    return path


def _draw_margin(page: Page, identity: Identity, form: SheetFormat, sheet: LabelSheet, number: str) -> None:
    """What sheet it is, in the strip above the labels."""
    width, height = size_of(form.paper)
    racks = sheet.racks
    pulled = f"pulled from {racks[0]} to {racks[-1]}" if len(racks) > 1 else f"pulled from {racks[0]}" if racks else ""
    told = (
        f"{'DRAFT, do not install · ' if identity.draft else ''}{number} · {pulled or 'no cables'} · {identity.project}"
        f" · revision {identity.revision or 'not given'} · inputs {identity.inputs_sha256[:12]} · {form.name}"
        " · print at 100 %, not fitted to the page"
    )
    strip = form.top_um * _UM - 6 * MM
    page.lines(8 * MM, height - 5 * MM, fit_into(told, REGULAR, 6.5, width - 16 * MM, strip))


class _LabelPlace:
    """A label's place on its sheet."""

    def __init__(self, form: SheetFormat, row: int, column: int) -> None:
        _, height = size_of(form.paper)
        self.left = (form.left_um + column * form.step_x_um) * _UM + _PADDING
        self.top = height - (form.top_um + row * form.step_y_um) * _UM - _PADDING
        self.width = form.width_um * _UM - 2 * _PADDING
        self.height = form.height_um * _UM - 2 * _PADDING
        self.scale = min(self.width / _MODEL[0], self.height / _MODEL[1])

    def draw(self, page: Page, label: Label, *, is_draft: bool) -> None:
        """The cable's number and part above, this end's place and the other's below; each shrinks to its room."""
        scale, x, bottom = self.scale, self.left, self.top - self.height
        narrow = self.width - (_CODE + 1 * MM) * scale
        number = fit_into(str(label.cable_id), BOLD, 15 * scale, narrow * 0.7, 17.5 * scale)
        page.lines(x, self.top, number, BOLD)
        at = text_width(BOLD, number.lines[0], number.size) + 1.2 * MM * scale
        end = fit_into(label.end, REGULAR, 9 * scale, narrow - at, 10.5 * scale)
        page.text(x + at, self.top - number.size * 0.93, end.lines[0], end.size)
        part = fit_into(_part(label), REGULAR, 5.8 * scale, narrow, 11 * scale)
        page.lines(x, self.top - 17.2 * scale, part)
        middle = bottom + 22.4 * scale
        page.rule(x, middle, x + self.width, middle, 0.4)
        self._draw_places(page, label, middle - 0.6 * scale, bottom)
        if is_draft:
            width, height = _CODE * scale, 3.4 * MM * scale
            page.fill(x + self.width - width, self.top - height, width, height, 0)
            page.centred(x + self.width - width / 2, self.top - height * 0.76, "DRAFT", 7 * scale, BOLD, 1)

    def _draw_places(self, page: Page, label: Label, top: float, bottom: float) -> None:
        size, width = 9 * self.scale, self.width
        near = fit_into(label.near if label.is_used else "unused leg", BOLD, size, width, (top - bottom) / 2)
        below = page.lines(self.left, top, near, BOLD)
        text = f"{_ARROW}{label.far}" if label.is_used else f"cap it, head {label.far}"
        far = fit_into(text, REGULAR, size, width, below - bottom)
        page.lines(self.left, below, far)


def _part(label: Label) -> str:
    part = label.part
    length = f"{short_metres(part.length_mm)} m" if part.length_mm >= 0 else ""
    return " · ".join(text for text in (length, part.colour, part.part) if text)
