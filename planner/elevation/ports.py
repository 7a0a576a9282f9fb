"""The ports of each model by face, from the catalog that the plan was made with, and those of each device in use."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from planner.names import expand_hostlist
from planner.plan import Plan

UNKNOWN: Final = ""
"""The face of a port that the catalog does not tell."""


@dataclass(frozen=True, slots=True)
class ModelPorts:
    """sizes: ports of each cage by face of the device. place: face, cage and ports of that cage by the port's name."""

    sizes: dict[str, dict[str, int]] = field(default_factory=dict)
    place: dict[str, tuple[str, str, int]] = field(default_factory=dict)


@dataclass(slots=True)
class Used:
    """Cable ends at one face of a device. sizes: ports of the cages in use, as they are split."""

    cables: int = 0
    ports: set[str] = field(default_factory=set)
    sizes: dict[str, int] = field(default_factory=dict)


_NO_PORTS: Final = ModelPorts()


def ports_of_models(catalog: str) -> dict[str, ModelPorts]:
    """catalog: as the plan holds it."""
    entries = json.loads(catalog).values() if catalog else ()
    return {tree["id"]: _ports_of(tree["cages"]) for tree in entries if "cages" in tree}


def _ports_of(groups: Iterable[Mapping[str, Any]]) -> ModelPorts:
    found = ModelPorts()
    for group in groups:
        face = group.get("face", "front")
        # A split's names come after the cage's own, which win where both have one.
        ways = [group["port_names"], *(split["port_names"] for split in group.get("splits", ()))]
        texts = group["names"] if isinstance(group["names"], list) else [group["names"]]
        for cage in (cage for text in texts for cage in expand_hostlist(text)):
            found.sizes.setdefault(face, {})[cage] = len(ways[0])
            for way in ways:
                for name in way:
                    found.place.setdefault(name.replace("{cage}", cage), (face, cage, len(way)))
    return found


def used_by_device(plan: Plan, models: Mapping[str, ModelPorts]) -> list[dict[str, Used]]:
    """What is plugged into each device, by face of the device; into panels cords in front and trunks behind."""
    used: list[dict[str, Used]] = [{} for _ in plan.devices]
    ends = plan.ends
    panels = _panels(plan, used)
    for device, port in zip(ends.device.tolist(), ends.port.tolist(), strict=True):
        if device < 0 or device in panels:
            continue
        place = models.get(plan.devices[device].model, _NO_PORTS).place
        names = port.split(";")
        face, cage, _ = place.get(names[0], (UNKNOWN, "", 0))
        at = used[device].setdefault(face, Used())
        at.cables += 1
        at.ports.update(names)
        for name in names:
            _, cage, size = place.get(name, (UNKNOWN, name, 1))
            at.sizes[cage] = max(size, at.sizes.get(cage, 0))
    return used


def _panels(plan: Plan, used: list[dict[str, Used]]) -> frozenset[int]:
    """Rows of the panels, whose cords and trunks are counted here; all ports of their plates and cassettes are there to use."""
    found = frozenset(slot.device for slot in plan.panel_slots)
    for slot in plan.panel_slots if found else ():
        for face, first, count in (("front", slot.first_port, slot.ports), ("rear", slot.first_rear, slot.rear_ports)):
            sizes = used[slot.device].setdefault(face, Used()).sizes
            sizes.update((str(port), 1) for port in range(first, first + count))
    trunks = set(plan.trunk_legs.cable.tolist())
    told: set[tuple[int, int]] = set()
    columns = plan.ends.cable.tolist(), plan.ends.device.tolist(), plan.ends.port.tolist()
    for cable, device, port in zip(*columns, strict=True) if found else ():
        if device in found:
            at = used[device]["rear" if cable in trunks else "front"]
            at.ports.add(port)
            at.cables += (cable, device) not in told
            told.add((cable, device))
    return found


def port_count(model: ModelPorts, face: str, used: Used) -> int:
    """Ports at a face of a device; a cage in use counts as it is split."""
    return sum({**model.sizes.get(face, {}), **used.sizes}.values())
