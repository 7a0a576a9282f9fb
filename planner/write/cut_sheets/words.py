"""How a sheet says lengths, slots, counts and ways."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from planner.cutsheet import CableRow, Group, Item, RackSheet
from planner.names import counted
from planner.units import metres, short_metres

TIMES: Final = "\N{MULTIPLICATION SIGN}"


def length(mm: int) -> str:
    return "?" if mm < 0 else f"{short_metres(mm)} m"


def slot(u: int) -> str:
    return f"U{u:02d}"


def summary(sheet: RackSheet) -> str:
    """A rack in one sentence: where it is, when it is wanted, how much is done at it."""
    counts = sheet.counts
    east, north = (metres(mm)[:-1] for mm in sheet.at_mm)
    parts = [
        f"Row {sheet.row}, at {east} m east, {north} m north, front {sheet.front}",
        f"{sheet.type}, {sheet.units} U numbered from the {sheet.numbered_from}",
    ]
    if sheet.phase:
        parts.append(f"phase {sheet.phase}" + (f", needed by {sheet.need_by}" if sheet.need_by else ""))
    parts += [
        text
        for number, text in (
            (counts.starting, f"{counted(counts.starting, 'cable')} out of this rack"),
            (counts.landing, f"{counted(counts.landing, 'cable')} landing here"),
            (counts.inside, f"{counted(counts.inside, 'cable')} inside"),
            (counts.transceivers, f"{counted(counts.transceivers, 'transceiver')} to insert"),
        )
        if number
    ]
    return " · ".join(parts)


def not_cabled(sheet: RackSheet) -> str:
    """That links of the rack have no cable, nothing where all have one."""
    return f"NOT CABLED: {counted(len(sheet.unresolved), 'link')}" if sheet.unresolved else ""


def group_title(group: Group) -> str:
    """Phase, where to and how, and how many of which length."""
    number = len(group.rows)
    tally = f"{counted(number, 'cable')}: {', '.join(_by_length(group))}"
    phase = f"phase {group.phase} · " if group.phase else ""
    if not group.to:
        return f"{phase}INSIDE THIS RACK · {group.tier} · {tally}"
    landing = sum(bool(row.lands_from) for row in group.rows)
    direction = "FROM" if landing == number else "TO AND FROM" if landing else "TO"
    return f"{phase}{direction} {', '.join(group.to)}{_by(group.route)}{_here(group.height_mm)} · bundle {group.bundle} · {tally}"


def _here(height_mm: int | None) -> str:
    """Where the cables leave the rack or come to it."""
    if height_mm is None:
        return ""
    return f", here {short_metres(abs(height_mm))} m {'above' if height_mm >= 0 else 'below'} the floor"


def _by_length(group: Group) -> list[str]:
    def mm(item: Item) -> int:
        return item.part.length_mm

    runs = groupby(sorted(group.items, key=mm), key=mm)
    return [f"{sum(item.count for item in same)} {TIMES} {length(at)}" for at, same in runs]


def way(row: CableRow) -> str:
    """Where the cable is pulled to, or comes from."""
    if row.lands_from:
        return f"lands here, from {row.lands_from}{_by(row.route)}"
    if not row.other_racks:
        far = {end.side for end in row.far if end.is_used}
        crosses = row.near.side and far and far.isdisjoint({row.near.side, ""})
        return "in this rack" + (f", from {row.near.side} to {far.pop()}" if crosses else "")
    return f"pull to {', '.join(row.other_racks)}{_by(row.route)}"


def _by(route: tuple[str, ...]) -> str:
    return f" by {' > '.join(route)}" if route else ""


def remarks_of(row: CableRow) -> str:
    remarks = list(row.remarks)
    if row.is_pinned:
        remarks.append("part pinned by the project")
    if row.measured_mm >= 0:
        remarks.append(f"way measured on site: {length(row.measured_mm)}")
    return "; ".join(remarks)
