"""What is pulled through openings and conduits: whether the cables' heads pass, and whether there is room for all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil, hypot

import numpy as np

from planner.catalog.figures import Figure
from planner.catalog.plugs import CableAssembly, HeadSize
from planner.findings import Fault, Severity, Spot
from planner.names import counted
from planner.pathways.holes import Hole, holes_of, passes
from planner.pathways.stretches import SHIFT
from planner.reader import spot_at
from planner.rules.fil import cables_in
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.selection.options import Option
from planner.table import Ints
from planner.units import PPM


@rule("FIL011", "head-does-not-pass", Severity.ERROR)
def head_does_not_pass(subject: Subject) -> Iterable[Fault]:
    """The plugs of a cable are larger than an opening or conduit on its way.

    Why: an AOC or DAC comes with its plugs on, and cannot be pulled through a hole that they do not pass.
    Example: an AOC with OSFP plugs, 22.6 x 13.1 mm, in a conduit of 25 mm.
    Fix: a larger hole or another way, or transceivers with a cord.
    Source: `head_mm` of the plug, of the cord, or of the plug's form factor, against the opening (as wide as the pathway is in it, from the
    pathway's floor to its upper edge) or the conduit (round, its width the diameter; in a bend the head's length counts too,
    by the stated radius of its fittings). The hole counts as empty, and the smaller end is pulled through first. A size
    or bend that is not known or not sourced is not proven (CAT014).
    """
    for hole, option, rows in pulled(subject):
        heads = heads_of(subject, option)
        if not heads or any(head.value is None or passes(head.value, hole) is not False for head in heads):
            continue
        width, height, length = min((head.value for head in heads if head.value), key=lambda size: size[0] * size[1])
        mm = f"{width / 1000:g} x {height / 1000:g} x {length / 1000:g} mm"
        if hole.round:
            mm += f" and {ceil(hypot(width, height) / 10) / 100:g} mm from corner to corner"
        yield Fault(
            "head-does-not-pass",
            f"the plugs of `{option.cable.id}` do not pass {spoken(subject, hole)}",
            place(subject, hole),
            note=f"the smaller measures {mm}, {_free(hole)}; {counted(len(rows), 'cable')}, {subject.spoken(rows)}",
            help="use a larger hole or another way, or transceivers with a cord",
            objects=(option.cable.id, _name(subject, hole)),
            count=len(rows),
        )


@rule("FIL012", "opening-over-full", Severity.ERROR)
def opening_over_full(subject: Subject) -> Iterable[Fault]:
    """The cables in an opening take more than `policy.fill.fail` of its section.

    Why: an opening may be narrower or lower than the pathway that leads through it.
    Example: 200 copper cables of 9.4 mm over a tray of 300 x 100 mm, through a hole 150 mm wide.
    Fix: a larger opening, or another one for some of the cables.
    Source: cross-sections of the cables over the opening's width in the pathway times its height above the pathway's floor, no
    higher than the pathway's usable depth. Cables are not led around openings as they are around full pathways.
    """
    limit = subject.project.policy.fill.fail
    cells, _ = subject.measure.ground
    for hole in holes_of(subject.layout, cells):
        if hole.opening < 0:
            continue  # a conduit's own fill is FIL001
        pathway = subject.layout.pathways[hole.pathway]
        section = hole.width_um * min(hole.height_um, pathway.type.usable_depth_mm)
        whole, count = _load_in(subject, hole)
        if whole * PPM > limit * section:
            share = f"is filled to {100 * whole / section:.1f} %" if section else "has no room"
            yield Fault(
                "opening-over-full",
                f"{spoken(subject, hole)} {share} by the cables of pathway `{pathway.name}`, the limit is {limit / 10_000:g} %",
                place(subject, hole),
                note=f"{counted(count, 'cable')} fill {whole // 1_000_000} of {section // 1_000_000} mm2",
                help="widen the opening, or lead some of the cables through another one",
                objects=(_name(subject, hole), pathway.name),
                count=count,
            )


def _load_in(subject: Subject, hole: Hole) -> tuple[int, int]:
    """Cross-section and number of the cables where a pathway is fullest in a hole."""
    cells, loads = subject.measure.ground[0], subject.loads
    mine = np.flatnonzero(loads.pathway == hole.pathway)
    found = (0, 0)
    for cell in hole.cells.tolist():
        low, high = (int(cells.keys[n]) & ((1 << SHIFT) - 1) for n in (cell, cell + 1))
        over = mine[(loads.from_nm[mine] < high) & (loads.to_nm[mine] > low)]
        if len(over):
            fullest = int(over[np.argmax(loads.area_um2[over])])
            found = max(found, (int(loads.area_um2[fullest]), int(loads.cables[fullest])))
    return found


def pulled(subject: Subject) -> Iterator[tuple[Hole, Option, Ints]]:
    """Every hole, with each option whose cables run through it and the first links of these.

    Cords and trunks of links over panels are not among them: a trunk's eye is FIL014.
    """
    cells, _ = subject.measure.ground
    for hole in holes_of(subject.layout, cells):
        rows = _cables(subject, hole)
        for option, members in subject.groups if len(rows) else ():
            if option.chain is not None:
                continue
            mine = np.intersect1d(rows, members)
            if len(mine):
                yield hole, option, mine


def heads_of(subject: Subject, option: Option) -> list[Figure[HeadSize]]:
    """What is pulled with an option's cable: the plug or connector at either end; one without a figure is unknown."""
    cable = option.cable
    unknown = Figure[HeadSize](value=None, source="not stated")
    if not isinstance(cable, CableAssembly):
        return [cable.head_mm or unknown]
    found = []
    for end in (cable.a, cable.z):
        form = subject.catalog.form_factors.get(end.form_factor)
        found.append(end.head_mm or (form.head(end.heat_sink) if form else None) or unknown)
    return found


def _cables(subject: Subject, hole: Hole) -> Ints:
    cells, _ = subject.measure.ground
    inside = np.zeros(len(cells), bool)
    inside[hole.cells] = True
    return np.sort(cables_in(subject, inside))


def spoken(subject: Subject, hole: Hole) -> str:
    return f"{'conduit' if hole.opening < 0 else 'opening'} `{_name(subject, hole)}`"


def _name(subject: Subject, hole: Hole) -> str:
    layout = subject.layout
    return layout.pathways[hole.pathway].name if hole.opening < 0 else layout.openings[hole.opening].name


def place(subject: Subject, hole: Hole) -> Spot:
    if hole.opening < 0:
        return subject.layout.pathways[hole.pathway].at
    return spot_at(subject.tree, ("openings", hole.opening, "name"))


def _free(hole: Hole) -> str:
    if not hole.round:
        return f"the opening is {hole.width_um / 1000:g} x {hole.height_um / 1000:g} mm there"
    bend = f", and its fittings bend it at {hole.bend_um / 1000:g} mm" if hole.bent and hole.bend_um is not None else ""
    return f"the conduit is {hole.width_um / 1000:g} mm wide{bend}"
