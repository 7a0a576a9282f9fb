"""What cables do to pathways and racks beside filling them: weight, and plugs that stand out."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from planner.catalog.plugs import CableAssembly
from planner.catalog.racks import RackType
from planner.findings import Fault, Severity
from planner.names import counted
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


@rule("FIL009", "plug-behind-door", Severity.WARNING)
def plug_behind_door(subject: Subject) -> Iterable[Fault]:
    """A plug with its boot and first bend stands out further than the door of its rack leaves room.

    Why: the door does not close on it, and whoever leans on it breaks the cage.
    Example: a copper plug that needs 100 mm at a face 60 mm behind the door.
    Fix: a deeper rack, rails set further in, or a plug that needs less room.
    Source: the place of the port's face, and what the plug needs before it: the largest of its `standoff_mm`, its `boot_mm`
    and the cable's `bend_radius_mm` together, and that bend alone; against the face of the rack less `door_depth_mm` of its type.
    A door of unknown depth counts as flush with the face and is not proven (CAT014). Ports on the side of a device
    look at no door.
    """
    a, z = subject.measure.a, subject.measure.z
    racks = subject.layout.racks
    kinds = np.array([rack.type.id for rack in racks] or [""])
    front, rear = np.array([free_depths(rack.type) for rack in racks] or [(0, 0)], np.int64).T
    worst: dict[tuple[str, str, str], tuple[int, Ints, int]] = {}
    for option, rows in subject.groups:
        for place, need in ((a, needed_before_port(option, "a")), (z, needed_before_port(option, "z"))):
            tip = place.depth_um[rows] + place.outward[rows] * need
            # Before its face stands only what looks out of it.
            for face, looks, beyond in (
                ("rear", 1, tip - rear[place.rack[rows]]),
                ("front", -1, front[place.rack[rows]] - tip),
            ):
                out = (beyond > 0) & (place.outward[rows] == looks)
                for kind in np.unique(kinds[place.rack[rows[out]]]).tolist():
                    here = out & (kinds[place.rack[rows]] == kind)
                    key = (option.cable.id, kind, face)
                    by, links, rack = worst.get(key, (0, rows[:0], int(place.rack[rows[here][0]])))
                    worst[key] = (max(by, int(beyond[here].max())), np.union1d(links, rows[here]), rack)
    for (cable, kind, face), (by, links, rack) in worst.items():
        yield Fault(
            "plug-behind-door",
            f"plugs of `{cable}` stand {mm_half_up(by)} mm too far out at the {face} of racks of type `{kind}`",
            racks[rack].at,
            note=f"{counted(len(links), 'link')}, {subject.spoken(links)}",
            help="use a deeper rack or other rails, or a plug that needs less room",
            objects=(cable, kind),
            count=len(links),
        )


def free_depths(kind: RackType) -> tuple[int, int]:
    """Depths, from the front face, between which a rack is free when its doors are closed."""
    door = kind.door_depth_mm.value if kind.door_depth_mm else None
    front, rear = door or (0, 0)
    return front, kind.depth_mm - rear


def needed_before_port(option: Option, end: str) -> int:
    """What a plug, its boot and the first bend need before the port: what the maker of either says, the larger."""
    standoff = option.a_standoff_um if end == "a" else option.z_standoff_um
    bend = option.cable.bend_radius_mm.value or 0
    cable = option.cable
    boot = None
    if isinstance(cable, CableAssembly):
        plug = cable.a if option.head_at_z == (end == "z") else cable.z
        boot = plug.boot_mm.value if plug.boot_mm else None
    return max(standoff, bend + (boot or 0))
