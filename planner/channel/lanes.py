"""Where each lane of one end arrives at the other, and what is wrong with that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from planner.channel.model import Receptacle
from planner.channel.paths import Path, Walk, walk_back, walk_onward

LANE_FAMILY: Final = ("POLARITY", "LEG_ORDER", "PORT_ORDER", "LANE_ORDER", "DARK_LANE")
"""Codes of lanes that arrive wrong, the one that names a joint cause first."""


@dataclass(frozen=True, slots=True)
class Lane:
    """One transmitter's light.

    label: `Tx1`. arrives: `Rx1`, `Tx1`, `port6.Rx1`, `dark`, or None where a map is unknown.
    code: empty when right, or when the joint that stops it has its own code. stopped_at: see `paths.Walk`.
    elsewhere: it belongs to another leg's map.
    """

    label: str
    arrives: str | None
    code: str
    stopped_at: int = -1
    elsewhere: bool = False
    unknown: bool = False
    blocked: bool = False


@lru_cache(maxsize=512)
def _faces(tx: tuple[int, ...], rx: tuple[int, ...]) -> Mapping[int, tuple[str, int]]:
    """What a module has at each position. Where both directions share a fibre (BiDi), light meets the receiver."""
    at = {position: ("Tx", lane) for lane, position in enumerate(tx, 1)}
    at.update({position: ("Rx", lane) for lane, position in enumerate(rx, 1)})
    return MappingProxyType(at)


def lanes_of(path: Path, onward: bool, blocked: frozenset[int]) -> tuple[Lane, ...]:
    """All transmitters of one end, in lane order."""
    near, far = (path.a, path.z) if onward else (path.z, path.a)
    walk = walk_onward if onward else walk_back
    goal = path.from_z if onward else path.from_a
    order_code = "LEG_ORDER" if path.splits else "LANE_ORDER"
    faces = _faces(far.tx, far.rx)
    return tuple(
        _lane(number, walk(path, position, blocked), near, far, faces, goal, order_code)
        for number, position in enumerate(near.tx, 1)
    )


def _lane(
    number: int,
    walk: Walk,
    near: Receptacle,
    far: Receptacle,
    faces: Mapping[int, tuple[str, int]],
    goal: tuple[int, ...],
    order_code: str,
) -> Lane:
    label = f"Tx{number}"
    if walk.unknown:
        return Lane(label, None, "", walk.stopped_at, walk.elsewhere, unknown=True)
    if walk.state is None:
        code = "" if walk.blocked or walk.elsewhere else "DARK_LANE"
        return Lane(label, "dark", code, walk.stopped_at, walk.elsewhere, blocked=walk.blocked)
    ports, position = walk.state
    found = faces.get(position)
    if found is None:
        return Lane(label, "dark", "DARK_LANE")
    side, lane = found
    other = next((port for port, planned in zip(ports[::-1], goal[::-1], strict=True) if port != planned), None)
    arrives = f"{side}{lane}" if other is None else f"port{other}.{side}{lane}"
    if side == "Tx":
        return Lane(label, arrives, "POLARITY")
    if other is not None:
        return Lane(label, arrives, "PORT_ORDER")
    right = number + near.lane_offset == lane + far.lane_offset
    return Lane(label, arrives, "" if right else order_code)


def lane_codes(lanes: Iterable[Lane]) -> set[str]:
    return {lane.code for lane in lanes if lane.code and not lane.elsewhere}


def thin_leg(path: Path, onward: tuple[Lane, ...]) -> bool:
    """Whether end Z has more receivers than lanes are brought to it.

    Not where a joint of unlike faces or an unknown map already says why lanes are missing.
    """
    if any(lane.unknown or lane.blocked for lane in onward):
        return False
    return sum(not lane.elsewhere for lane in onward) < len(path.z.rx)
