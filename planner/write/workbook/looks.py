"""How the sheets look and what stands above every table; quantities in the units that people read."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any, Final

from planner.bom.bill import E4
from planner.findings import by_severity
from planner.names import some
from planner.plan import Plan
from planner.write.workbook.spreadsheet import Book, Look, Sheet, Value

_BLUE: Final = "0000C0"  # the usual colour of figures to type over; it prints as dark as black
_RED: Final = "A00000"
_GREY: Final = "D9D9D9"
_YELLOW: Final = "FFE699"


def _figure(number_format: str, **how: Any) -> Look:
    """A figure in a table: to the right, a little away from the text that follows."""
    return Look(number_format, align="right", indent=1, **{"rule": "hair", **how})


_TABLE_LOOKS: Final = {
    # To the left even where a name begins with a letter that runs to the left.
    "text": Look(rule="hair", wrap=True, align="left"),
    "bold": Look(rule="hair", wrap=True, align="left", bold=True),
    "line": Look(rule="hair", align="left"),  # of a schedule so long that its rows are of one height
    "bold line": Look(rule="hair", align="left", bold=True),
    "bad": Look(rule="hair", wrap=True, align="left", bold=True, ink=_RED),
    "count": _figure("#,##0"),
    "metres": _figure("0.0##"),
    "day": Look("yyyy-mm-dd", rule="hair", align="left"),
    "money": _figure("#,##0.00"),
    "share": _figure("0.0 %"),
    "watts": _figure("#,##0.0"),
    "weight": _figure("0.000"),
    "order": _figure("#,##0", bold=True),
    "enter count": _figure("#,##0", ink=_BLUE),
    "enter money": _figure("#,##0.00##", ink=_BLUE),
    "enter text": Look(rule="hair", ink=_BLUE, align="left", indent=1),
    "bad count": _figure("#,##0", bold=True, ink=_RED),
}
LOOKS: Final = {
    **_TABLE_LOOKS,
    # The first row of a group, with a line above it.
    **{f"{name}, first": replace(look, rule_above="thin") for name, look in _TABLE_LOOKS.items()},
    "title": Look(size=16, bold=True),
    "origin": Look(ink="404040"),
    "note": Look(italic=True),
    "plain": Look(),
    "alarm": Look(size=12, bold=True, ink="FFFFFF", fill=_RED),
    "caution": Look(bold=True, fill=_YELLOW),
    "fine": Look(bold=True),
    "section": Look(size=12, bold=True, rule="medium"),
    "head": Look(bold=True, fill=_GREY, rule="thin", wrap=True),
    "head right": Look(bold=True, fill=_GREY, rule="thin", wrap=True, align="right", indent=1),
    "fill in": _figure("#,##0.00", ink=_BLUE, fill=_YELLOW),
    "sum text": Look(bold=True, rule="thin", rule_above="thin"),
    "unit": Look(rule="hair", align="left", indent=1),
    "sum unit": Look(bold=True, rule="thin", rule_above="thin", align="left", indent=1),
    "sum count": _figure("#,##0", bold=True, rule="thin", rule_above="thin"),
    "sum money": _figure("#,##0.00", bold=True, rule="thin", rule_above="thin"),
}


def top(book: Book, sheet: Sheet, plan: Plan, title: str, *notes: str) -> None:
    """What stands above every table: the title, where it comes from, and whether it may be used."""
    identity = plan.identity
    revision = f"revision {identity.revision}" if identity.revision else "no revision"
    dated = f", {identity.date}" if identity.date else ""
    book.line(sheet, title, "title")
    book.line(
        sheet,
        f"{identity.project}, {revision}{dated}. Inputs {identity.inputs_sha256[:12]}, planner {identity.planner_version}.",
        "origin",
    )
    if identity.draft:
        errors = by_severity(plan.findings)["error"]
        book.line(sheet, f"DRAFT - DO NOT ORDER: {some(errors, 'error')} in this plan, see Findings.", "alarm")
    for note in notes:
        book.line(sheet, note, "note")
    book.blank(sheet)


def metres_of(mm: int) -> float:
    return mm / 1000


def watts_of(mw: int | None) -> float | str:
    return "not known" if mw is None else mw / 1000


def money_of(e4: int | None) -> float | None:
    return None if e4 is None else e4 / E4


def result_of(e4: int | None) -> float | str:
    """Money as a formula gives it, which shows nothing for an unknown."""
    return "" if e4 is None else e4 / E4


def day_of(text: str) -> Value:
    """A date where the text is one, so that it sorts and compares."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return text
