"""The faces of a plan's racks that are worth a drawing, with the devices as they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from planner.elevation.content import Box, Elevation
from planner.elevation.ports import UNKNOWN, ModelPorts, Used, port_count, ports_of_models, used_by_device
from planner.names import fold, natural_key
from planner.plan import DeviceRow, Plan, RackRow

FACES: Final = ("front", "rear")


@dataclass(frozen=True, slots=True)
class _Standing:
    """A device by face of its rack: what is plugged in there, and how many ports there are."""

    device: DeviceRow
    slot: int
    used: dict[str, Used]
    ports: dict[str, int]


class Elevations:
    """The drawings of a plan's racks; devices and their cables are found once for all of them."""

    def __init__(self, plan: Plan) -> None:
        models = ports_of_models(plan.catalog)
        used = used_by_device(plan, models)
        self._plan = plan
        self._standing: list[list[_Standing]] = [[] for _ in plan.racks]
        for device, its in zip(plan.devices, used, strict=True):
            model = models.get(device.model, ModelPorts())
            self._standing[device.rack].append(_standing(device, plan.racks[device.rack], model, its))

    def of(self, rack: int) -> Iterator[Elevation]:
        """The drawings of a rack, named by its row in the plan, the front before the rear."""
        standing = self._standing[rack]
        for face in _faces_of(standing):
            yield _elevation(self._plan.racks[rack], face, standing)


def elevations(plan: Plan, rack: str | None = None) -> Iterator[Elevation]:
    """The drawings of each rack, racks in natural order, the front before the rear.

    rack: only this one, whatever its case. Raises KeyError for a rack that the plan does not have.
    """
    order = sorted(range(len(plan.racks)), key=lambda number: natural_key(plan.racks[number].name))
    if rack is not None:
        order = [number for number in order if fold(plan.racks[number].name) == fold(rack)]
        if not order:
            raise KeyError(rack)
    drawn = Elevations(plan)
    for number in order:
        yield from drawn.of(number)


def _standing(device: DeviceRow, rack: RackRow, model: ModelPorts, used: dict[str, Used]) -> _Standing:
    slot = device.u if rack.numbered_from == "bottom" else rack.units + 1 - device.u
    at: dict[str, Used] = {}
    ports: dict[str, int] = {}
    for face in (*FACES, UNKNOWN):
        its = used.get(face, Used())
        count = port_count(model, face, its)
        if count:
            of_rack = device.mount if face in {UNKNOWN, "front"} else _other(device.mount)
            at[of_rack] = _together(at[of_rack], its) if of_rack in at else its
            ports[of_rack] = ports.get(of_rack, 0) + count
    return _Standing(device, slot, at, ports)


def _together(one: Used, other: Used) -> Used:
    return Used(one.cables + other.cables, one.ports | other.ports, {**one.sizes, **other.sizes})


def _other(face: str) -> str:
    return "rear" if face == "front" else "front"


def _faces_of(standing: Sequence[_Standing]) -> Sequence[str]:
    """Faces with cables, else with ports, else the front."""
    with_cables = [face for face in FACES if any(its.used[face].cables for its in standing if face in its.used)]
    return with_cables or [face for face in FACES if any(its.ports.get(face) for its in standing)] or FACES[:1]


def _elevation(rack: RackRow, face: str, standing: Sequence[_Standing]) -> Elevation:
    ordered = sorted(standing, key=lambda its: (-its.slot, natural_key(its.device.name)))
    boxes = [_box(its, face) for its in ordered]
    inside = [box for box in boxes if box.slot >= 1 and box.slot + box.height_u - 1 <= rack.units]
    filled = {box.slot + i for box in inside for i in range(box.height_u)}
    return Elevation(
        rack=rack.name,
        row=rack.row,
        type=rack.type,
        phase=rack.phase,
        units=rack.units,
        numbered_from=rack.numbered_from,
        width_mm=(rack.size_x_um if rack.front in {"north", "south"} else rack.size_y_um) // 1000,
        face=face,
        boxes=tuple(_in_lanes(inside)),
        outside=tuple(box for box in boxes if box not in inside),
        free_units=rack.units - len(filled),
    )


def _box(its: _Standing, face: str) -> Box:
    device, used = its.device, its.used.get(face, Used())
    return Box(
        device=device.name,
        model=device.model,
        u=device.u,
        slot=its.slot,
        height_u=max(device.height_u, 1),
        mount=device.mount,
        lane=0,
        lanes=1,
        cables=used.cables,
        ports_used=len(used.ports),
        ports=its.ports.get(face, 0),
        other_cables=sum(at.cables for at in its.used.values()) - used.cables,
    )


def _in_lanes(boxes: Sequence[Box]) -> Iterator[Box]:
    """Devices that share a slot side by side; boxes: in order of their lowest slot, the highest first."""
    group: list[Box] = []
    for box in boxes:
        if group and box.slot + box.height_u <= min(other.slot for other in group):
            yield from _side_by_side(group)
            group = []
        group.append(box)
    yield from _side_by_side(group)


def _side_by_side(group: Sequence[Box]) -> Iterator[Box]:
    for lane, box in enumerate(group):
        yield replace(box, lane=lane, lanes=len(group))
