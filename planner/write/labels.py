"""`labels.pdf`: sheets or rolls of labels for the ends of the cables, to be printed at 100 %."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from planner.cutsheet import Sheets
from planner.label_fit import Label
from planner.label_formats import SheetFormat, ZplFormat, label_form
from planner.labelsheet import LabelSheet, label_sheets, labels_by_cable
from planner.plan import Identity, Plan
from planner.typeset import REGULAR, fit_into
from planner.write.choices import DEFAULT, Choices
from planner.write.cores import on_all_cores
from planner.write.label_data import write_merge_table, write_zpl
from planner.write.label_places import UM, LabelPlace
from planner.write.page import MM, Ink, Page, new_canvas
from planner.write.rows_of_racks import file_stems

MOST_LABELS: Final = 26_000
"""Beyond these, 400 sheets of 65, the labels become a file per row of racks."""


def write_labels(plan: Plan, folder: Path, choices: Choices = DEFAULT) -> list[str]:
    """Write `labels.pdf` into a folder that exists, or a file per row of racks into its `labels/`; or what printers read.

    Returns what a person must be told: of labels whose texts are set too small to be read.
    """
    policy = plan.policy.labels
    choices = replace(choices, labels=choices.labels or policy.sheet, label_shape=choices.label_shape or policy.shape)
    form = label_form(choices.labels or policy.sheet)
    if form == "csv":
        write_merge_table(plan, folder)
        return []
    if isinstance(form, ZplFormat):
        return write_zpl(plan, folder, form, has_code=choices.codes != "none")
    return _write_sheets(plan, folder, form, choices)


def _write_sheets(plan: Plan, folder: Path, form: SheetFormat, choices: Choices) -> list[str]:
    made = Sheets(plan, maps=False)
    if len(plan.ends) <= MOST_LABELS:
        labels = labels_by_cable(plan, made)
        return _told(_write_file(plan.identity, labels, form, choices, folder / "labels.pdf", ""), form)
    inner = folder / "labels"
    inner.mkdir(exist_ok=True)
    rows = made.by_row()
    stems = file_stems({plan.racks[number].row: None for number in made.order})

    def write_row(row: str) -> list[str]:
        labels = labels_by_cable(plan, made, rows[row])
        return _write_file(plan.identity, labels, form, choices, inner / f"{stems[row]}.pdf", row)

    return _told([one for small in on_all_cores(write_row, list(rows)) for one in small], form)


def _write_file(
    identity: Identity, labels: Iterable[tuple[Label, ...]], form: SheetFormat, choices: Choices, path: Path, row: str
) -> list[str]:
    """One document; returns the labels that are hard to read."""
    made = list(label_sheets(labels, form)) or [LabelSheet(())]
    size = tuple(side * UM for side in form.size_um)
    title = f"{identity.project} {identity.revision} labels" + (f", row {row}" if row else "")
    canvas = new_canvas(path, (size[0], size[1]), title, f"inputs {identity.inputs_sha256}")
    ink, small = Ink(canvas), list[str]()
    marked: str | None = None
    for number, one in enumerate(made, start=1):
        canvas.bookmarkPage(f"sheet-{number}")
        for rack in one.racks:
            if rack != marked:
                canvas.addOutlineEntry(f"Rack {rack}", f"sheet-{number}", 0)
                marked = rack
        page = Page(ink, (size[0], size[1]))
        if not form.is_roll:
            _draw_margin(page, identity, form, one, f"sheet {number} of {len(made)}")
        for at_row, column, label in one.labels:
            place = LabelPlace(form, at_row, column, choices)
            if not place.draw(page, label, is_draft=identity.draft):
                small.append(f"{label.cable_id} {label.end}")
        page.put(canvas)
    canvas.save()
    return small


def _told(small: Sequence[str], form: SheetFormat) -> list[str]:
    if not small:
        return []
    listed = ", ".join(small[:5]) + (f" and {len(small) - 5} more" if len(small) > 5 else "")
    told = (
        f"labels of {form.name} are too small for their texts, which are whole but below 4 points: cable {listed};"
        " take larger labels (--labels), another shape (--label-shape) or a shorter template (--label-template)"
    )
    return [told]


def _draw_margin(page: Page, identity: Identity, form: SheetFormat, sheet: LabelSheet, number: str) -> None:
    """What sheet it is, in the strip above the labels."""
    width, height = (side * UM for side in form.size_um)
    racks = sheet.racks
    pulled = f"pulled from {racks[0]} to {racks[-1]}" if len(racks) > 1 else f"pulled from {racks[0]}" if racks else ""
    told = (
        f"{'DRAFT, do not install · ' if identity.draft else ''}{number} · {pulled or 'no cables'} · {identity.project}"
        f" · revision {identity.revision or 'not given'} · inputs {identity.inputs_sha256[:12]} · {form.name}"
        " · print at 100 %, not fitted to the page"
    )
    strip = form.top_um * UM - 6 * MM
    page.lines(8 * MM, height - 5 * MM, fit_into(told, REGULAR, 6.5, width - 16 * MM, strip))
