"""Where a device and its cages are: slot from the bottom, face of the rack, side of the device; and names of its ports."""

from __future__ import annotations

from collections.abc import Sequence

from planner.cutsheet.models import models_of
from planner.plan import Plan


class Places:
    """Slots of devices and faces of cages; the face is the device's own, turned with its mount."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.models = models_of(plan.catalog)

    def slot(self, device: int) -> int:
        """The device's lowest slot, counted from the bottom."""
        its = self._plan.devices[device]
        rack = self._plan.racks[its.rack]
        return its.u if rack.numbered_from == "bottom" else rack.units + 1 - its.u

    def face(self, device: int, cage: str) -> str:
        """Face of the rack at which a cage is, empty where the catalog does not tell."""
        its = self._plan.devices[device]
        model = self.models.get(its.model)
        place = model.cages.get(cage) if model else None
        if place is None:
            return ""
        return "front" if place.face == its.mount else "rear"

    def os_names(self, device: int, ports: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """What each operating system calls the ports, joined by `+`; nothing where the catalog does not tell."""
        model = self.models.get(self._plan.devices[device].model)
        if not model or not model.os_names:
            return ()
        named: dict[str, list[str]] = {}
        for port in ports:
            for system, name in model.os_names.get(port, ()):
                named.setdefault(system, []).append(name)
        return tuple((system, " + ".join(dict.fromkeys(names))) for system, names in named.items())


def side(hand: int) -> str:
    """The side of a cage as seen facing the ports, from its number in the link table."""
    return "left" if hand < 0 else "right" if hand > 0 else ""
