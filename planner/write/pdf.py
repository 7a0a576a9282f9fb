"""The printed documents of a plan: its cut sheets, for the paper that a site has."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from planner.cutsheet import sheets
from planner.plan import Plan
from planner.write.choices import DEFAULT, Choices
from planner.write.cut_sheets.files import write_document, write_rows
from planner.write.cut_sheets.frame import BODY
from planner.write.cut_sheets.rack import RackPages, rack_pages
from planner.write.cut_sheets.rows import LEAST_HEIGHT

MAX_PAGES: Final = 400
"""Beyond these the sheets become a file per row of racks: what a viewer opens and a printer takes without complaint."""


def write_cut_sheets(plan: Plan, folder: Path, choices: Choices = DEFAULT) -> tuple[Path, ...]:
    """Write `cut-sheets.pdf` into a folder that exists, or a file per row of racks into its `cut-sheets/`.

    Returns the files written. Raises KeyError for an unknown rack.
    """
    kept = _few_pages(plan, choices)
    if kept is not None:
        path = folder / "cut-sheets.pdf"
        write_document(plan, kept, path, choices)
        return (path,)
    inner = folder / "cut-sheets"
    inner.mkdir(exist_ok=True)
    return tuple(write_rows(plan, inner, choices))


def _few_pages(plan: Plan, choices: Choices) -> list[RackPages] | None:
    """The pages of all racks chosen, None where they are more than one document takes."""
    is_whole = choices.rack is None
    if is_whole and len(plan.cables) * LEAST_HEIGHT > MAX_PAGES * BODY:  # each cable has a row at least
        return None
    kept: list[RackPages] = []
    count = 1
    for sheet in sheets(plan, choices.rack):
        kept.append(rack_pages(sheet, choices.codes))
        count += len(kept[-1].pages)
        if is_whole and count > MAX_PAGES:
            return None
    return kept


__all__ = ["MAX_PAGES", "write_cut_sheets"]
