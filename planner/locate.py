"""Where each end of a link is: its rack, its point in the rack, and the ways out of the rack that it may take.

Frames as in `layout`: inside a rack, x to the right from the middle facing its front, depth from the front, z from the
floor. A cable leaves by the managers on the side of its cage; none crosses the rack's middle on its way out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from planner.catalog.chassis import FACES, LEFT, RIGHT
from planner.catalog.racks import Exit, Manager, RackType
from planner.layout import Layout
from planner.table import Ints, Table

UNKNOWN_DEPTH: Final = np.iinfo(np.int64).min
"""Depth of a port on a rear face whose device has no depth in the catalog."""


@dataclass(frozen=True, slots=True)
class Places(Table):
    """Where one end of each link is.

    x_um, depth_um, z_um: the middle of the cage, depth at the device's face. outward: +1 where the face looks to the
    rack's rear, -1 to its front, 0 to a side; sideways: +1 where it looks to the rack's right, -1 to its left. hand: side
    of the cage as seen facing the ports (of a side face: which side it is, facing the device's front); side: the same as
    seen facing the rack's front, which is the side of the managers that it takes.
    """

    rack: Ints
    x_um: Ints
    depth_um: Ints
    z_um: Ints
    outward: Ints
    sideways: Ints
    hand: Ints
    side: Ints


def places_of(device: Ints, port: Ints, layout: Layout) -> Places:
    """The place of the given port of each given device."""
    body = _bodies(layout).take(device)
    cages = _CageColumns.of(layout)
    cage = (
        cages.offset[layout.device_chassis[device]]
        + cages.port_cage[cages.port_offset[layout.device_chassis[device]] + port]
    )
    face, x, half = cages.face[cage], cages.x_um[cage], body.width_um // 2
    front, rear, left, right = (face == number for number in range(len(FACES)))
    sides = left | right
    unknown = body.rear_um == UNKNOWN_DEPTH
    # Facing the right side, x runs from the device's front to its rear; facing the left side, from its rear.
    depth = np.select(
        (front, rear, right),
        (body.front_um, body.rear_um, body.front_um - body.outward * x),
        np.where(unknown, UNKNOWN_DEPTH, body.rear_um + body.outward * x),
    )
    # Facing a face that looks to the rack's rear, right and left change places.
    outward = np.select((front, rear), (body.outward, -body.outward), 0)
    mirrored = np.where(outward > 0, -1, 1)
    to_right = np.where(body.outward < 0, 1, -1)
    sideways = np.where(sides, np.where(right, to_right, -to_right), 0)
    hand = np.select((left, right), (LEFT, RIGHT), cages.side[cage])
    in_device = np.where(sides, sideways * half, (x - half) * mirrored)
    across = body.middle_um + in_device
    # A device that does not stand in the middle keeps to its own side of the rack.
    beside = np.sign(body.middle_um)
    side = np.where(sides, sideways, np.where(beside != 0, beside, hand * mirrored))
    return Places(body.rack, across, depth, body.underside_um + cages.z_um[cage], outward, sideways, hand, side)


@dataclass(frozen=True, slots=True)
class _Bodies(Table):
    """Where each device is: depths of its faces, where its front looks, its underside, width and middle."""

    rack: Ints
    front_um: Ints
    rear_um: Ints
    outward: Ints
    underside_um: Ints
    width_um: Ints
    middle_um: Ints


def _bodies(layout: Layout) -> _Bodies:
    rows = []
    for device in layout.devices:
        rack = layout.racks[device.rack]
        length = device.chassis.depth_um
        rail = rack.type.front_rail_mm if device.mount == "front" else rack.type.rear_rail_mm
        front = rail if device.at_um is None else device.at_um[1]
        outward = -1 if device.mount == "front" else 1
        rear = UNKNOWN_DEPTH if length is None else front - outward * length
        underside = rack.underside_um(device.u) + device.underside_um(rack.type)
        rows.append((device.rack, front, rear, outward, underside, device.chassis.width_um, device.middle_um))
    return _Bodies.of_rows(rows)


@dataclass(frozen=True, slots=True)
class _CageColumns:
    """Cages and ports of all families under one another; offset and port_offset begin each family."""

    offset: Ints
    port_offset: Ints
    port_cage: Ints
    x_um: Ints
    z_um: Ints
    side: Ints
    face: Ints

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
            face=joined("cage_face"),
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
