"""Where each end of a link is: its rack, its point in the rack, and the ways out of the rack that it may take.

Frames as in `layout`: inside a rack, x to the right from the middle facing its front, depth from the front, z from the
floor. A cable leaves by the managers on the side of its cage; none crosses the rack's middle on its way out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from planner.catalog.chassis import LEFT, RIGHT
from planner.catalog.racks import Exit, Manager, RackType
from planner.layout import Layout
from planner.table import Ints, Table

UNKNOWN_DEPTH: Final = np.iinfo(np.int64).min
"""Depth of a port on a rear face whose device has no depth in the catalog."""


@dataclass(frozen=True, slots=True)
class Places(Table):
    """Where one end of each link is.

    x_um, depth_um, z_um: the middle of the cage, depth at the device's face. outward: +1 where the face looks to the
    rack's rear, -1 to its front. hand: side of the cage as seen facing the ports; side: the same as seen facing the
    rack's front, which is the side of the managers that it takes.
    """

    rack: Ints
    x_um: Ints
    depth_um: Ints
    z_um: Ints
    outward: Ints
    hand: Ints
    side: Ints


def places_of(device: Ints, port: Ints, layout: Layout) -> Places:
    """The place of the given port of each given device."""
    face = _device_faces(layout)
    cages = _CageColumns.of(layout)
    cage = (
        cages.offset[layout.device_chassis[device]]
        + cages.port_cage[cages.port_offset[layout.device_chassis[device]] + port]
    )
    rear = cages.rear[cage]
    outward = np.where(rear == 1, -face.outward[device], face.outward[device])
    depth = np.where(rear == 1, face.rear_um[device], face.front_um[device])
    from_middle = cages.x_um[cage] - face.width_um[device] // 2
    hand = cages.side[cage]
    # Facing the rear, right and left change places.
    mirrored = np.where(outward > 0, -1, 1)
    return Places(
        rack=face.rack[device],
        x_um=from_middle * mirrored,
        depth_um=depth,
        z_um=face.underside_um[device] + cages.z_um[cage],
        outward=outward,
        hand=hand,
        side=hand * mirrored,
    )


@dataclass(frozen=True, slots=True)
class _Faces(Table):
    rack: Ints
    front_um: Ints
    rear_um: Ints
    outward: Ints
    underside_um: Ints
    width_um: Ints


def _device_faces(layout: Layout) -> _Faces:
    """Depths of both faces of each device; outward is of its front."""
    rows = []
    for device in layout.devices:
        rack = layout.racks[device.rack]
        length = device.chassis.depth_um
        if device.mount == "front":
            front = rack.type.front_rail_mm
            rear, outward = (UNKNOWN_DEPTH if length is None else front + length), -1
        else:
            front = rack.type.rear_rail_mm
            rear, outward = (UNKNOWN_DEPTH if length is None else front - length), 1
        rows.append((device.rack, front, rear, outward, rack.underside_um(device.u), device.chassis.width_um))
    return _Faces.of_rows(rows)


@dataclass(frozen=True, slots=True)
class _CageColumns:
    """Cages and ports of all families under one another; offset and port_offset begin each family."""

    offset: Ints
    port_offset: Ints
    port_cage: Ints
    x_um: Ints
    z_um: Ints
    side: Ints
    rear: Ints

    @classmethod
    def of(cls, layout: Layout) -> _CageColumns:
        families = layout.chassis
        empty = np.zeros(0, np.int64)

        def joined(name: str) -> Ints:
            return np.concatenate([empty, *(getattr(family, name) for family in families)])

        return cls(
            offset=np.concatenate(([0], np.cumsum([len(f.cage_names) for f in families]))).astype(np.int64),
            port_offset=np.concatenate(([0], np.cumsum([len(f.port_names) for f in families]))).astype(np.int64),
            port_cage=joined("port_cage"),
            x_um=joined("cage_x_um"),
            z_um=joined("cage_z_um"),
            side=joined("cage_side"),
            rear=joined("cage_rear"),
        )


@dataclass(frozen=True, slots=True)
class WayOut:
    """An exit of a rack type and the manager that leads to it; side as seen facing the rack's front."""

    exit: Exit
    manager: Manager
    side: int

    @property
    def sideways_um(self) -> int:
        """From the manager to its exit, in plan."""
        return abs(self.exit.x_mm - self.manager.x_mm) + abs(self.exit.y_mm - self.manager.y_mm)


def ways_out(kind: RackType) -> tuple[WayOut, ...]:
    """Every exit of a rack type with the manager nearest to it in plan, in order of the exits' names."""
    found = []
    for exit_ in sorted(kind.exits, key=lambda e: e.name):
        manager = min(
            kind.managers, key=lambda m: (abs(m.x_mm - exit_.x_mm) + abs(m.y_mm - exit_.y_mm), m.side, m.x_mm, m.y_mm)
        )
        found.append(WayOut(exit_, manager, side_of(manager)))
    return tuple(found)


def side_of(manager: Manager) -> int:
    """The side on which a manager stands as seen facing the rack's front."""
    return LEFT if manager.x_mm < 0 else RIGHT


def hand_of(manager: Manager, kind: RackType) -> str:
    """The side of a manager as seen facing the face that it stands nearest to, in words."""
    seen_from_rear = 2 * manager.y_mm > kind.depth_mm
    side = -side_of(manager) if seen_from_rear else side_of(manager)
    return "left" if side == LEFT else "right"
