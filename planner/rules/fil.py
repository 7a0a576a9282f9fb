"""Fill of pathways and of vertical managers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from planner.capacity.problem import area_um2
from planner.findings import Fault, Severity, Spot
from planner.locate import hand_of
from planner.names import counted, quoted_list
from planner.pathways.stretches import SHIFT
from planner.rear_zone import free_sections, in_manager
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.table import Ints, Mask
from planner.units import NM_PER_MM, PPM, metres, mm_half_up

BLOCKED_PPM: Final = 10**12
"""Fill of a manager of which nothing is left."""


@rule("FIL001", "pathway-over-full", Severity.ERROR)
def pathway_over_full(subject: Subject) -> Iterable[Fault]:
    """A stretch of a pathway holds more than `policy.fill.fail` of its section.

    Why: half of the section is a physically full tray, since round cables leave gaps.
    Example: 250 copper cables of 9.4 mm in a tray of 300 x 100 mm.
    Fix: widen the pathway, add another, or use thinner cables.
    Source: cross-sections of the cables over inner width times usable depth. Cables have been led around where another
    way exists (`policy.fill.reroute`).
    """
    yield from _above(subject, "pathway-over-full", subject.project.policy.fill.fail, None)


@rule("FIL002", "pathway-filling-up", Severity.WARNING)
def pathway_filling_up(subject: Subject) -> Iterable[Fault]:
    """A stretch of a pathway holds more than `policy.fill.warn` of its section.

    Why: cables that are added later will not fit.
    Example: a tray at 43 % on the day it is built.
    Fix: widen the pathway, or add another.
    Source: cross-sections of the cables over inner width times usable depth.
    """
    fill = subject.project.policy.fill
    yield from _above(subject, "pathway-filling-up", fill.warn, fill.fail)


def _above(subject: Subject, name: str, limit: int, below: int | None) -> Iterator[Fault]:
    """One fault a pathway, at its fullest stretch, where that lies above a limit (and not above the next)."""
    loads = subject.loads
    for number in np.unique(loads.pathway).tolist():
        pathway = subject.layout.pathways[number]
        rows = np.flatnonzero(loads.pathway == number)
        fullest = int(rows[np.argmax(loads.area_um2[rows])])
        section = pathway.type.width_mm * pathway.type.usable_depth_mm
        if section <= 0:
            continue  # an impossible figure of the catalog, which has its finding
        ppm = int(loads.area_um2[fullest]) * PPM // section
        if ppm <= limit or (below is not None and ppm > below):
            continue
        from_nm, to_nm = int(loads.from_nm[fullest]), int(loads.to_nm[fullest])
        low, high = from_nm // NM_PER_MM, to_nm // NM_PER_MM
        left_over = _without_room(subject, number, (from_nm, to_nm), limit * section // PPM)
        at: Spot = pathway.at
        yield Fault(
            name,
            f"pathway `{pathway.name}` is filled to {ppm / 10_000:.1f} %, the limit is {limit / 10_000:g} %",
            at,
            note=f"{counted(int(loads.cables[fullest]), 'cable')} between {metres(low)} and {metres(high)} m from its start fill "
            f"{int(loads.area_um2[fullest]) // 1_000_000} of {section // 1_000_000} mm2; {_left_over(subject, left_over)}{_proof(subject, number, limit)}",
            help="widen the pathway, add another, or use thinner cables",
            objects=(pathway.name,),
            count=int(loads.cables[fullest]),
        )


def _without_room(subject: Subject, pathway: int, between_nm: tuple[int, int], room_um2: int) -> Ints:
    """First links of the cables in a stretch that find no room: the longest cables go in first, then in order of links."""
    cells, _ = subject.measure.ground
    inside = (cells.keys >= (pathway << SHIFT) + between_nm[0]) & (cells.keys < (pathway << SHIFT) + between_nm[1])
    rows = cables_in(subject, inside)
    rows = rows[np.lexsort((rows, -subject.lengths.routed[rows]))]
    area = np.array([area_um2(option) for option in subject.selection.offers] or [0], np.int64)
    return rows[np.cumsum(area[subject.selection.offer[rows]]) > room_um2]


def cables_in(subject: Subject, inside: Mask) -> Ints:
    """The first link of each cable that runs through some cells of the pathways."""
    found = [np.zeros(0, np.int64)]
    for cable_class, rows in subject.routed_cables.items():
        met = subject.crossing[cable_class](inside)
        found.append(rows[met[subject.lengths.route[rows]]])
    return np.concatenate(found)


def _left_over(subject: Subject, rows: Ints) -> str:
    """Which cables do not fit."""
    if not len(rows):
        return "the last of them in part"
    verb = "does" if len(rows) == 1 else "do"
    return f"{counted(len(rows), 'cable')} {verb} not fit, those of {quoted_list(subject.named(rows), 6)}"


def _proof(subject: Subject, pathway: int, limit: int) -> str:
    """That no ways help, where it has been proven."""
    fill = subject.project.policy.fill
    level = (fill.reroute, fill.warn, fill.fail).index(limit)
    if pathway not in subject.ways_proven[level]:
        return ""
    return f"; whatever ways these cables take, some pathway is more than {limit / 10_000:g} % full"


@rule("FIL005", "growth-reserve-used", Severity.INFO)
def growth_reserve_used(subject: Subject) -> Iterable[Fault]:
    """A pathway holds more than `policy.fill.reroute` of its section, and no other way was found for the cables.

    Why: what is kept free for growth is used on the first day.
    Example: the only tray of a row at 31 %, with a reserve above 25 %.
    Fix: add a pathway, or accept it: nothing is wrong today.
    Source: cross-sections of the cables over inner width times usable depth.
    """
    fill = subject.project.policy.fill
    yield from _above(subject, "growth-reserve-used", fill.reroute, fill.warn)


@rule("FIL006", "cables-led-around", Severity.INFO)
def cables_led_around(subject: Subject) -> Iterable[Fault]:
    """Cables take a longer way than their shortest, since that would be fuller than `policy.fill.reroute`.

    Why: they are longer than one would measure, and may be of another part.
    Example: 12 cables that go by the second aisle, up to 8.4 m longer.
    Fix: nothing, or a higher `policy.fill.reroute` to keep them on the shortest way.
    Source: the routes of the cables, with and without what else lies in the room.
    """
    if subject.lengths is subject.shortest:
        return
    longer = np.where(subject.selection.assembly >= 0, subject.lengths.routed - subject.shortest.routed, 0)
    rows = np.flatnonzero(longer > 0)
    if not len(rows):
        return
    cables = len(np.unique(subject.selection.assembly[rows]))
    most = rows[np.argmax(longer[rows])]
    yield Fault(
        "cables-led-around",
        f"{counted(cables, 'cable')} {'takes' if cables == 1 else 'take'} a longer way, around pathways that would be more than "
        f"{subject.project.policy.fill.reroute / 10_000:g} % full",
        note=f"{metres(int(longer[rows].sum()))} m longer over all links, at most {metres(int(longer[most]))} m, "
        f"link `{subject.link_name(int(most))}`",
        help="raise `policy.fill.reroute` to keep the shortest ways",
        objects=subject.named(rows),
        count=len(rows),
    )


@rule("FIL003", "manager-over-full", Severity.ERROR)
def manager_over_full(subject: Subject) -> Iterable[Fault]:
    """A stretch of a rack's vertical manager holds more than `policy.fill.fail` of its section.

    Why: the managers of a switch rack are the narrowest place of a pod; half of the section is physically full, since
    round cables leave gaps. Where a side of the rack has several exits, cables have been divided among them by fill.
    Example: 128 copper cables of 9.4 mm in a manager of 100 x 100 mm, 89 %.
    Fix: use a rack with larger managers, thinner cables, or divide the switches among more racks.
    Source: cross-sections of the cables between port and exit, or port and port, over the manager's width times depth;
    each leg of a splitter counts as the whole cable. What stands in the rear zone takes its part of the section.
    """
    yield from _managers_above(subject, "manager-over-full", subject.project.policy.fill.fail, None)


@rule("FIL004", "manager-filling-up", Severity.WARNING)
def manager_filling_up(subject: Subject) -> Iterable[Fault]:
    """A stretch of a rack's vertical manager holds more than `policy.fill.warn` of its section.

    Why: cables that are added later will not fit.
    Example: a manager at 43 % on the day it is built.
    Fix: use a rack with larger managers, or thinner cables.
    Source: cross-sections of the cables between port and exit, or port and port, over the manager's width times depth.
    """
    fill = subject.project.policy.fill
    yield from _managers_above(subject, "manager-filling-up", fill.warn, fill.fail)


def _managers_above(subject: Subject, name: str, limit: int, below: int | None) -> Iterator[Fault]:
    """One fault a manager, at its fullest stretch, where that lies above a limit (and not above the next)."""
    runs, loads = subject.manager_runs, subject.manager_loads
    sections = free_sections(subject.layout, loads.rack, loads.manager, loads.from_um, loads.to_um)
    # No section at all is what something in the rear zone took, or a figure that has its finding.
    ppm = np.where(sections > 0, loads.area_um2 * PPM // np.maximum(sections, 1), BLOCKED_PPM)
    # The fullest stretch of each manager, the lowest of equal ones.
    order = np.lexsort((loads.from_um, -ppm, loads.manager, loads.rack))
    first = np.ones(len(order), bool)
    first[1:] = (np.diff(loads.rack[order]) != 0) | (np.diff(loads.manager[order]) != 0)
    for row in order[first].tolist():
        share = int(ppm[row])
        if share <= limit or (below is not None and share > below):
            continue
        rack = subject.layout.racks[int(loads.rack[row])]
        manager = rack.type.managers[int(loads.manager[row])]
        if min(manager.section_mm) <= 0:
            continue  # an impossible figure of the catalog, which has its finding
        face = "rear" if 2 * manager.y_mm > rack.type.depth_mm else "front"
        low, high, section = int(loads.from_um[row]), int(loads.to_um[row]), int(sections[row])
        here = runs.take(
            (runs.rack == loads.rack[row])
            & (runs.manager == loads.manager[row])
            & (runs.from_um <= low)
            & (runs.to_um >= high)
        )
        # Cables go in in the order of their links; those that come when the limit is reached find no room.
        left_over = here.take(np.cumsum(here.area_um2) * PPM > limit * section)
        count, beyond = int(loads.cables[row]), int(left_over.cables.sum())
        at: Spot = rack.at
        takers = [
            f"`{t.name}` takes {taken // 1_000_000} mm2 of it"
            for t, taken in in_manager(rack, manager)
            if t.z_mm[0] < high and t.z_mm[1] > low
        ]
        taken = f"; {' and '.join(takers)}" if takers else ""
        filled = f"filled to {share / 10_000:.1f} %" if section else "taken up by what stands in the rear zone"
        yield Fault(
            name,
            f"the {face} {hand_of(manager, rack.type)} manager of rack `{rack.name}` is {filled}, the limit is {limit / 10_000:g} %",
            at,
            note=f"{counted(count, 'cable')} from {metres(mm_half_up(low))} to {metres(mm_half_up(high))} m above the floor fill "
            f"{int(loads.area_um2[row]) // 1_000_000} of {section // 1_000_000} mm2{taken}; "
            f"{beyond} {'does' if beyond == 1 else 'do'} not fit, in the order of links from {subject.spoken(left_over.link[:1])} on",
            help="use a rack with larger managers or thinner cables, or divide the switches among more racks",
            objects=(rack.name,),
            count=beyond,
        )
