"""What must stay free: the doors of the room, the doors of racks, and the way that sliding devices take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from planner.findings import Fault, Severity, Spot
from planner.layout import Device, Rack
from planner.pathways.space import fault_of_outline, square_metres
from planner.rules.lay import (
    NAMES_OF_KINDS,
    TOUCHING_UM,
    footprints,
    obstacles_with_places,
    racks_at,
    spoken_racks,
)
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.units import mm_half_up

if TYPE_CHECKING:
    import shapely


@rule("LAY013", "door-blocked", Severity.ERROR)
def door_blocked(subject: Subject) -> Iterable[Fault]:
    """A rack or an obstacle stands where a door of the room must be free.

    Why: people and racks do not get in, or out in a fire.
    Example: the last rack of a row within the swing of the door.
    Fix: move the row, or correct the place of the door.
    Source: geometry: obstacles of the kind `door` against racks and other obstacles, heights included.
    """
    import shapely

    placed = [
        (o, at, shapely.Polygon(o.polygon_m))
        for o, at in obstacles_with_places(subject)
        if not fault_of_outline(o.polygon_m)
    ]
    for door, at, swing in placed:
        if door.kind != "door":
            continue
        for row, area_um2 in racks_at(subject, swing, door.from_m, door.to_m):
            yield Fault(
                "door-blocked",
                f"{spoken_racks(row, 'blocks', 'block')} the door `{door.name}`",
                row[0].at,
                note=f"`{row[0].name}` takes {square_metres(area_um2)} of its place; the door is declared at {subject.files.span(at())}",
                help="move the row, or correct the door",
                objects=(*(rack.name for rack in row[:50]), door.name),
                count=len(row),
            )
        for other, there, polygon in placed:
            shared = float(shapely.intersection(swing, polygon).area) if other.kind != "door" else 0.0
            over = other.to_m is None or other.to_m > door.from_m
            under = door.to_m is None or door.to_m > other.from_m
            if shared > TOUCHING_UM**2 and over and under:
                yield Fault(
                    "door-blocked",
                    f"the {NAMES_OF_KINDS[other.kind]} `{other.name}` blocks the door `{door.name}`",
                    there(),
                    note=f"it takes {square_metres(shared)} of its place; the door is declared at {subject.files.span(at())}",
                    help="move one of the two",
                    objects=(other.name, door.name),
                )


@rule("LAY014", "no-room-before-rack", Severity.ERROR)
def no_room_before_rack(subject: Subject) -> Iterable[Fault]:
    """Something stands where a rack's door opens or a device slides out.

    Why: the door does not open far enough, or the device cannot be pulled for service.
    Example: a row whose front doors of 600 mm open towards another row 500 mm away.
    Fix: move one of the rows, or correct `door_swing_mm` of the rack type or the travel of the device.
    Source: `door_swing_mm` of the rack type (none where it says none), and the travel of devices that `slides` names,
    against racks, obstacles and the room's outline.
    """
    import shapely

    racks = subject.layout.racks
    needs = list(_needs(subject))
    if not needs:
        return
    boxes = footprints(racks, shrink=TOUCHING_UM // 2)
    tree = shapely.STRtree(boxes)
    solid = [
        (o.name, shapely.Polygon(o.polygon_m), o.to_m)
        for o, _ in obstacles_with_places(subject)
        if o.kind != "door" and o.from_m < 2_000_000 and not fault_of_outline(o.polygon_m)
    ]
    rooms = [r.room.outline_m for r in subject.layout.rooms]
    floor = (
        shapely.union_all([shapely.Polygon(ring) for ring in rooms if not fault_of_outline(ring)]) if rooms else None
    )
    told: dict[tuple[Spot, str, bool], list[_Blocked]] = {}
    for number, face, depth_um, what in needs:
        rack = racks[number]
        zone = _before(rack, face, depth_um)
        found: list[tuple[str, shapely.Geometry]] = [
            (f"rack `{racks[n].name}`", boxes[n])
            for n in np.sort(tree.query(zone, predicate="intersects")).tolist()
            if n != number
        ]
        found += [(f"obstacle `{name}`", polygon) for name, polygon, _ in solid if polygon.intersects(zone)]
        if floor is not None and not floor.buffer(1).covers(zone):
            found.append(("the wall", zone.difference(floor)))
        if not found:
            continue
        box = footprints([rack])[0]
        free = min(float(box.distance(geometry)) for _, geometry in found)
        nearest = min(found, key=lambda other: float(box.distance(other[1])))[0]
        told.setdefault((rack.at, face, what is None), []).append(
            _Blocked(rack, what or "the door", round(free), depth_um, nearest)
        )
    for (at, face, _), row in told.items():
        first = min(row, key=lambda blocked: blocked.free_um - blocked.needed_um)
        others = f" and {len(row) - 1} more" if len(row) > 1 else ""
        yield Fault(
            "no-room-before-rack",
            f"{first.what} needs {mm_half_up(first.needed_um)} mm at the {face} of rack `{first.rack.name}`{others}",
            at,
            note=f"{first.by} stands {mm_half_up(first.free_um)} mm away, {mm_half_up(first.needed_um - first.free_um)} mm too near",
            help="move one of the two, or correct the travel in the catalog",
            objects=tuple(blocked.rack.name for blocked in row[:50]),
            count=len(row),
        )


class _Blocked(NamedTuple):
    """Something before a face of a rack: what needs the place, how much is free, how much is needed."""

    rack: Rack
    what: str
    free_um: int
    needed_um: int
    by: str


def _needs(subject: Subject) -> Iterator[tuple[int, str, int, str | None]]:
    """What each rack needs before its faces: rack, face, depth, and which device needs it (None: the door)."""
    for number, rack in enumerate(subject.layout.racks):
        for face, depth in zip(("front", "rear"), rack.type.door_swing_mm or (), strict=False):
            if depth > 0:
                yield number, face, depth, None
    furthest: dict[tuple[int, str], Device] = {}
    for device in subject.layout.devices:
        key = (device.rack, device.mount)
        if device.service_loop_um and device.service_loop_um > (
            furthest[key].service_loop_um if key in furthest else 0
        ):
            furthest[key] = device
    for (number, face), device in furthest.items():
        yield number, face, device.service_loop_um, f"`{device.name}`, which slides out,"


def _before(rack: Rack, face: str, depth_um: int) -> shapely.Polygon:
    """The floor before a face of a rack."""
    import shapely

    half, deep = rack.type.width_mm // 2, rack.type.depth_mm
    near, far = (0, -depth_um) if face == "front" else (deep, deep + depth_um)
    (ax, ay), (bx, by) = rack.plan_um(-half, near), rack.plan_um(half, far)
    shrink = TOUCHING_UM
    zone: shapely.Polygon = shapely.box(
        min(ax, bx) + shrink, min(ay, by) + shrink, max(ax, bx) - shrink, max(ay, by) - shrink
    )
    return zone
