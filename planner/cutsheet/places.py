"""Where a device and its cages are: slot from the bottom, face of the rack, side of the device."""

from __future__ import annotations

import json
from collections.abc import Iterator

from planner.names import expand_hostlist
from planner.plan import Plan


class Places:
    """Slots of devices and faces of cages; the face is the device's own, turned with its mount."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._faces = dict(_faces_of_cages(plan.catalog))

    def slot(self, device: int) -> int:
        """The device's lowest slot, counted from the bottom."""
        its = self._plan.devices[device]
        rack = self._plan.racks[its.rack]
        return its.u if rack.numbered_from == "bottom" else rack.units + 1 - its.u

    def face(self, device: int, cage: str) -> str:
        """Face of the rack at which a cage is, empty where the catalog does not tell."""
        its = self._plan.devices[device]
        face = self._faces.get((its.model, cage))
        if face is None:
            return ""
        return "front" if face == its.mount else "rear"


def _faces_of_cages(catalog: str) -> Iterator[tuple[tuple[str, str], str]]:
    """The face of the device by model and cage; catalog: as the plan holds it."""
    for tree in json.loads(catalog).values() if catalog else ():
        for group in tree.get("cages", ()):
            names = group["names"] if isinstance(group["names"], list) else [group["names"]]
            for name in (name for text in names for name in expand_hostlist(text)):
                yield (tree["id"], name), group.get("face", "front")


def side(hand: int) -> str:
    """The side of a cage as seen facing the ports, from its number in the link table."""
    return "left" if hand < 0 else "right" if hand > 0 else ""
