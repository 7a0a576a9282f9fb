"""Fill of pathways and of vertical managers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from planner.findings import Fault, Severity, Spot
from planner.locate import hand_of
from planner.names import counted
from planner.rear_zone import free_sections, in_manager
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.units import NM_PER_MM, PPM, metres, mm_half_up

BLOCKED_PPM: Final = 10**12
"""Fill of a manager of which nothing is left."""


@rule("FIL001", "pathway-over-full", Severity.ERROR)
def pathway_over_full(subject: Subject) -> Iterable[Fault]:
    """A stretch of a pathway holds more than `policy.fill.fail` of its section.

    Why: half of the section is a physically full tray, since round cables leave gaps.
    Example: 250 copper cables of 9.4 mm in a tray of 300 x 100 mm.
    Fix: widen the pathway, add another, or use thinner cables.
    Source: cross-sections of the cables over inner width times usable depth.
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
        low, high = (int(n[fullest]) // NM_PER_MM for n in (loads.from_nm, loads.to_nm))
        at: Spot = pathway.at
        yield Fault(
            name,
            f"pathway `{pathway.name}` is filled to {ppm / 10_000:.1f} %, the limit is {limit / 10_000:g} %",
            at,
            note=f"{int(loads.cables[fullest])} cables between {metres(low)} and {metres(high)} m from its start fill "
            f"{int(loads.area_um2[fullest]) // 1_000_000} of {section // 1_000_000} mm2",
            help="widen the pathway, add another, or use thinner cables",
            objects=(pathway.name,),
            count=int(loads.cables[fullest]),
        )


@rule("FIL003", "manager-over-full", Severity.WARNING)
def manager_over_full(subject: Subject) -> Iterable[Fault]:
    """A stretch of a rack's vertical manager holds more than `policy.fill.fail` of its section.

    Why: the managers of a switch rack are the narrowest place of a pod; half of the section is physically full, since
    round cables leave gaps. It is a warning, not yet an error: the planner does not choose among managers or exits by
    their fill, and the shipped rack types are assumptions.
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
