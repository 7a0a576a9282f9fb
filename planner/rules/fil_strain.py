"""What cables do to pathways and racks beside filling them: weight, bends, and plugs that stand out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from planner.findings import Fault, Severity
from planner.names import counted
from planner.pathways.stretches import SHIFT
from planner.rules.fil import cables_in
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.selection.options import Option
from planner.table import Ints
from planner.units import NM_PER_MM, metres, mm_half_up


@rule("FIL007", "pathway-too-heavy", Severity.ERROR)
def pathway_too_heavy(subject: Subject) -> Iterable[Fault]:
    """The cables in a stretch of a pathway weigh more than its rating.

    Why: it sags, or comes down.
    Example: 300 copper cables of 0.2 kg/m on a basket that is rated for 45 kg/m between its supports.
    Fix: a stronger type, closer supports with their rating, another pathway, or fibre in place of copper.
    Source: `kg_per_m` of the cables against `rating_kg_per_m` of the pathway's type. A rating that nobody states is not
    proven (CAT013); cables of unknown weight are not counted.
    """
    loads = subject.loads
    for number in np.unique(loads.pathway).tolist():
        pathway = subject.layout.pathways[number]
        rating = pathway.type.rating_kg_per_m.value
        if rating is None:
            continue
        rows = np.flatnonzero(loads.pathway == number)
        heaviest = int(rows[np.argmax(loads.mg_per_m[rows])])
        grams = int(loads.mg_per_m[heaviest]) / 1000
        if grams <= rating:
            continue
        low, high = (int(n[heaviest]) // NM_PER_MM for n in (loads.from_nm, loads.to_nm))
        unknown = int(loads.unweighed[heaviest])
        yield Fault(
            "pathway-too-heavy",
            f"pathway `{pathway.name}` carries {grams / 1000:.1f} kg/m, its rating is {rating / 1000:g} kg/m",
            pathway.at,
            note=f"{counted(int(loads.cables[heaviest]), 'cable')} between {metres(low)} and {metres(high)} m from its start"
            + (f", {unknown} of them of unknown weight" if unknown else ""),
            help="use a stronger pathway, lead cables elsewhere, or use lighter ones",
            objects=(pathway.name,),
            count=int(loads.cables[heaviest]),
        )


@rule("FIL008", "bend-too-tight", Severity.WARNING)
def bend_too_tight(subject: Subject) -> Iterable[Fault]:
    """A corner, a drop or a vertical manager leaves a cable less than its least bend radius.

    Why: copper pairs lose their shape and fibres lose light.
    Example: a copper cable that needs 105 mm, turned into a manager 60 mm deep.
    Fix: fittings or a waterfall with a larger radius, a deeper manager, or another cable.
    Source: `bend_radius_mm` of the cable, null being not proven (CAT001), against `bend_radius_mm` of the pathway's type where
    it states one for its corners and entries; else a corner leaves the inner width, and entries are not judged. In
    a manager a cable turns within its depth.
    """
    yield from _in_managers(subject)
    yield from _at_corners(subject)


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
                yield _bend(subject, option, tight.link, int(depth[depth < need].min()),
                            f"the managers of rack type `{kind.id}`", int(layout.racks[int(tight.rack[0])].at))  # fmt: skip


def _at_corners(subject: Subject) -> Iterator[Fault]:
    """One fault a cable family and pathway."""
    cells, _ = subject.measure.ground
    for number, pathway in enumerate(subject.layout.pathways):
        stated = pathway.type.bend_radius_mm.value if pathway.type.bend_radius_mm else None
        room = pathway.type.width_mm if stated is None else stated
        needing = [
            (option, rows) for option, rows in _bending(subject) if (option.cable.bend_radius_mm.value or 0) > room
        ]
        if not needing or not (len(pathway.points_um) > 2 or stated is not None):
            continue
        here = cables_in(subject, cells.keys >> SHIFT == number)
        for option, rows in needing:
            mine = here[np.isin(here, rows)]
            if len(mine):
                yield _bend(subject, option, mine, room, f"pathway `{pathway.name}`", pathway.at)


def _bending(subject: Subject) -> Iterator[tuple[Option, Ints]]:
    for option, rows in subject.groups:
        if option.cable.bend_radius_mm.value is not None:
            yield option, rows


def _bend(subject: Subject, option: Option, rows: Ints, room_um: int, where: str, at: int) -> Fault:
    need = option.cable.bend_radius_mm.value or 0
    links = np.unique(rows)
    return Fault(
        "bend-too-tight",
        f"`{option.cable.id}` bends at {mm_half_up(need)} mm at the least, {where} {'leave' if 'managers' in where else 'leaves'} it {mm_half_up(room_um)} mm",
        at,
        note=f"{counted(len(links), 'cable')}, {subject.spoken(links)}",
        help="use a fitting or a manager with a larger radius, or another cable",
        objects=(option.cable.id,),
        count=len(links),
    )


@rule("FIL009", "plug-behind-door", Severity.WARNING)
def plug_behind_door(subject: Subject) -> Iterable[Fault]:
    """A plug with its boot and first bend stands out further than its rack is deep.

    Why: the door does not close on it, and whoever leans on it breaks the cage.
    Example: a copper plug that needs 100 mm at a face 60 mm behind the door.
    Fix: a deeper rack, rails set further in, or a plug that needs less room.
    Source: the place of the port's face and the `standoff_mm` of the cable or plug, against the depth of the rack.
    """
    a, z = subject.measure.a, subject.measure.z
    depth = np.array([rack.type.depth_mm for rack in subject.layout.racks] or [0], np.int64)
    worst: dict[tuple[str, str], tuple[int, Ints, int]] = {}
    for option, rows in subject.groups:
        for place, standoff in ((a, option.a_standoff_um), (z, option.z_standoff_um)):
            tip = place.depth_um[rows] + place.outward[rows] * standoff
            beyond = np.maximum(tip - depth[place.rack[rows]], -tip)
            out = rows[beyond > 0]
            for kind in {subject.layout.racks[r].type.id for r in np.unique(place.rack[out]).tolist()}:
                of_kind = np.array([rack.type.id == kind for rack in subject.layout.racks])
                mine = out[of_kind[place.rack[out]]]
                by = int(beyond[np.isin(rows, mine)].max())
                key = (option.cable.id, kind)
                before = worst.get(key)
                links = mine if before is None else np.union1d(before[1], mine)
                rack = int(place.rack[mine[0]]) if before is None else before[2]
                worst[key] = (max(by, before[0] if before else 0), links, rack)
    for (cable, kind), (by, links, rack) in worst.items():
        yield Fault(
            "plug-behind-door",
            f"plugs of `{cable}` stand {mm_half_up(by)} mm out of racks of type `{kind}`",
            subject.layout.racks[rack].at,
            note=f"{counted(len(links), 'link')}, {subject.spoken(links)}",
            help="use a deeper rack or other rails, or a plug that needs less room",
            objects=(cable, kind),
            count=len(links),
        )
