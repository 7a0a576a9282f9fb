"""Rows of the room: outlines, racks, devices, pathways and what lies in them."""

from __future__ import annotations

import numpy as np

from planner.fill import Loads
from planner.layout import Layout
from planner.plan import ABSENT, DeviceRow, LoadTable, PathwayRow, RackRow, RoomPoint
from planner.project import CLASSES
from planner.rules.subject import Subject
from planner.table import Ints
from planner.units import NM_PER_MM, PPM


def room_points(layout: Layout) -> list[RoomPoint]:
    points = [RoomPoint(room.name, "outline", *at) for room in layout.rooms for at in room.room.outline_m]
    points += [RoomPoint(o.name, "obstacle", *at) for o in layout.obstacles for at in o.polygon_m]
    return points + [RoomPoint(o.name, "opening", *at) for o in layout.openings for at in o.polygon_m]


def rack_rows(subject: Subject) -> list[RackRow]:
    names = [phase.name for phase in subject.project.phases]
    return [
        RackRow(
            rack.name, rack.row, rack.type.id, rack.west_um, rack.south_um, *rack.size_um, rack.type.height_mm,
            rack.type.units, rack.type.numbered_from, rack.front, names[phase] if phase >= 0 else "",
        )
        for rack, phase in zip(subject.layout.racks, subject.phase_of_rack.tolist(), strict=True)
    ]  # fmt: skip


def device_rows(layout: Layout) -> list[DeviceRow]:
    rows = []
    for device in layout.devices:
        family = device.chassis.family
        power = family.power_w.value if family.power_w else None
        rows.append(
            DeviceRow(
                device.name, family.id, family.kind, device.member.part, device.member.order_number or "", device.rack,
                device.u, device.slots, device.mount, ABSENT if power is None else power,
            )
        )  # fmt: skip
    return rows


def pathway_rows(subject: Subject) -> list[PathwayRow]:
    """Each pathway with the fill of its fullest stretch, and how much of that is copper."""
    loads = subject.loads
    copper = _share_of_section(subject, loads.copper_um2)
    fullest: dict[int, tuple[int, int, int, int]] = {}
    for number, ppm, cables, mg, of_copper in zip(
        loads.pathway.tolist(),
        _ppm(subject).tolist(),
        loads.cables.tolist(),
        _mg(loads).tolist(),
        copper.tolist(),
        strict=True,
    ):
        before = fullest.get(number, (0, 0, 0, 0))
        weight = ABSENT if mg < 0 or before[2] < 0 else max(before[2], mg)
        if ppm < 0 or before[0] < 0:
            fullest[number] = (ABSENT, max(before[1], cables), weight, ABSENT)
        else:
            best = max((before[0], before[1], before[3]), (ppm, cables, of_copper))
            fullest[number] = (best[0], best[1], weight, best[2])
    rows = []
    for number, pathway in enumerate(subject.layout.pathways):
        kind = pathway.type
        carries = ";".join(c for c in CLASSES if c in pathway.carries)
        rows.append(
            PathwayRow(
                pathway.name,
                kind.id,
                kind.kind,
                pathway.height_um,
                kind.width_mm,
                kind.usable_depth_mm,
                carries,
                *fullest.get(number, (0, 0, 0, 0)),
            )
        )
    return rows


def _ppm(subject: Subject) -> Ints:
    """Fill of each stretch in millionths; ABSENT where a cable's size is unknown."""
    return np.where(subject.loads.unsized > 0, ABSENT, _share_of_section(subject, subject.loads.area_um2))


def _share_of_section(subject: Subject, area: Ints) -> Ints:
    """An area in each stretch in millionths of its pathway's section."""
    section = np.array([p.type.width_mm * p.type.usable_depth_mm for p in subject.layout.pathways] or [1], np.int64)
    # In floating point: a million thick cables in one tray overflow 64 bits when multiplied first.
    ppm: Ints = np.floor(area.astype(float) * PPM / section[subject.loads.pathway]).astype(np.int64)
    return ppm


def _mg(loads: Loads) -> Ints:
    return np.where(loads.unweighed > 0, ABSENT, loads.mg_per_m)


def load_table(subject: Subject) -> LoadTable:
    loads = subject.loads
    drawn = [p.drawn_by_measured for p in subject.layout.pathways]

    def drawn_mm(offset_nm: Ints) -> Ints:
        """Offsets as drawn, where a measured pathway is longer or shorter than its polyline."""
        if any(share != 1.0 for share in drawn):
            offset_nm = np.rint(offset_nm * np.array(drawn)[loads.pathway]).astype(np.int64)
        return (offset_nm + NM_PER_MM // 2) // NM_PER_MM

    return LoadTable(
        loads.pathway,
        drawn_mm(loads.from_nm),
        drawn_mm(loads.to_nm),
        loads.cables,
        _ppm(subject),
        _mg(loads),
        np.where(loads.unsized > 0, ABSENT, _share_of_section(subject, loads.copper_um2)),
    )
