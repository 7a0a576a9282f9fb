"""Bends: what corners, joints, entries and managers leave a cable against its least radius."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from planner.findings import Fault, Severity
from planner.names import counted
from planner.pathways.turns import Turns
from planner.project import CableClass
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.selection.options import Option
from planner.table import Ints
from planner.units import mm_half_up


@rule("FIL008", "bend-too-tight", Severity.WARNING)
def bend_too_tight(subject: Subject) -> Iterable[Fault]:
    """A vertical manager, or a corner of a pathway without stated fittings, leaves a cable less than its least bend radius.

    Why: copper pairs lose their shape and fibres lose light.
    Example: a copper cable that needs 105 mm, turned into a manager 60 mm deep.
    Fix: a deeper manager, a wider pathway or fittings of a stated radius, or another cable.
    Source: `bend_radius_mm` of the cable, null being not proven (CAT001). Assumed: in a manager a cable turns within its
    depth; where nobody states the radius of a pathway's fittings, corners and joints leave the inner width, the most that
    fits into them, and passing there is not proven (CAT014). Stated radii are FIL010.
    """
    yield from _in_managers(subject)
    bent = _Bent(subject)
    for option, rows in _bending(subject):
        need = option.cable.bend_radius_mm.value or 0
        for number, pathway in enumerate(subject.layout.pathways):
            if pathway.corner_radius.um is None and pathway.type.width_mm < need:
                turned = bent.turned(option, rows, number)
                if len(turned):
                    yield _bend(subject, "bend-too-tight", option, turned, pathway.type.width_mm,
                                f"the corners of pathway `{pathway.name}` leave", pathway.at)  # fmt: skip


@rule("FIL010", "fitting-too-tight", Severity.ERROR)
def fitting_too_tight(subject: Subject) -> Iterable[Fault]:
    """A fitting or waterfall of a stated radius bends a cable more than its maker allows.

    Why: copper pairs lose their shape and fibres lose light, and the maker's warranty ends.
    Example: a fibre waterfall of 25 mm under cords that need 30 mm.
    Fix: fittings of a larger radius, another pathway, or another cable.
    Source: `bend_radius_mm` of the cable against `fitting_radius_mm` and `waterfall_radius_mm` of the pathway, else
    `bend_radius_mm` and `waterfall_radius_mm` of its type. A cable bends over the fittings of a pathway where it turns at a
    corner or joint by five degrees and more, and over the waterfall where it enters or leaves; where two pathways with stated
    fittings join, the tighter one counts.
    """
    bent = _Bent(subject)
    for option, rows in _bending(subject):
        need = option.cable.bend_radius_mm.value or 0
        for number, pathway in enumerate(subject.layout.pathways):
            for radius, where, found_by in (
                (pathway.corner_radius.um, "the fittings of pathway `{}` leave", bent.turned),
                (pathway.entry_radius.um, "the way into pathway `{}` leaves", bent.entering),
            ):
                found = found_by(option, rows, number) if radius is not None and radius < need else rows[:0]
                if len(found):
                    yield _bend(
                        subject, "fitting-too-tight", option, found, radius or 0, where.format(pathway.name), pathway.at
                    )


def _in_managers(subject: Subject) -> Iterator[Fault]:
    """One fault a cable family and rack type."""
    runs, layout = subject.manager_runs, subject.layout
    kinds = np.array([rack.type.id for rack in layout.racks] or [""])
    for option, rows in _bending(subject):
        need = option.cable.bend_radius_mm.value or 0
        mine = runs.take(np.isin(runs.link, rows))
        for kind_id in np.unique(kinds[mine.rack]).tolist() if len(mine) else ():
            here = mine.take(kinds[mine.rack] == kind_id)
            kind = layout.racks[int(here.rack[0])].type
            depth = np.array([manager.section_mm[1] for manager in kind.managers])[here.manager]
            tight = here.take(depth < need)
            if len(tight):
                yield _bend(subject, "bend-too-tight", option, tight.link, int(depth[depth < need].min()),
                            f"the managers of rack type `{kind.id}` leave", int(layout.racks[int(tight.rack[0])].at))  # fmt: skip


def _bending(subject: Subject) -> Iterator[tuple[Option, Ints]]:
    """Chosen options whose cable has a least radius, with their links."""
    for option, rows in subject.groups:
        if option.cable.bend_radius_mm.value is not None:
            yield option, rows


class _Bent:
    """Which cables of a plan bend over what, worked out once."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._turns: dict[CableClass, Turns] = {}

    def _cables(self, option: Option, rows: Ints) -> Ints:
        """The first links of an option's cables that have a route."""
        return np.intersect1d(rows, self._subject.routed_cables.get(option.cable_class, rows[:0]))

    def turned(self, option: Option, rows: Ints, pathway: int) -> Ints:
        """Those that turn by the fittings of a pathway."""
        cables, cable_class = self._cables(option, rows), option.cable_class
        if len(cables) and cable_class not in self._turns:
            measure = self._subject.measure
            routed, (cells, fields) = measure.routes(cable_class), measure.ground
            stretches = fields[cable_class].stretches
            self._turns[cable_class] = Turns(self._subject.layout, routed.network, stretches, cells, routed.ways)
        if not len(cables):
            return cables
        found: Ints = cables[self._turns[cable_class].by(pathway)[self._subject.lengths.route[cables]]]
        return found

    def entering(self, option: Option, rows: Ints, pathway: int) -> Ints:
        """Those that enter a pathway from a rack, or leave it to one."""
        cables = self._cables(option, rows)
        routed = self._subject.measure.routes(option.cable_class)
        route = self._subject.lengths.route[cables]
        ends = np.stack((routed.routes.a_join[route], routed.routes.z_join[route]))
        found: Ints = cables[np.any(routed.joins.pathway[ends] == pathway, axis=0)]
        return found


def _bend(subject: Subject, name: str, option: Option, rows: Ints, room_um: int, where: str, at: int) -> Fault:
    need = option.cable.bend_radius_mm.value or 0
    links = np.unique(rows)
    return Fault(
        name,
        f"`{option.cable.id}` bends at {mm_half_up(need)} mm at the least, {where} it {mm_half_up(room_um)} mm",
        at,
        note=f"{counted(len(links), 'cable')}, {subject.spoken(links)}",
        help="use a fitting or a manager with a larger radius, or another cable",
        objects=(option.cable.id,),
        count=len(links),
    )
