"""Fill of pathways."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from planner.findings import Fault, Severity, Spot
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.units import NM_PER_MM, PPM, metres


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
