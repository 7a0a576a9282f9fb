"""Face maps: the cages of a device as one sees them standing before it, each with the cables that go in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from planner.cutsheet.content import CableRow, DevicePlugs, End, FaceCell, FaceMap
from planner.cutsheet.index import Index
from planner.cutsheet.models import CagePlace, Model
from planner.cutsheet.order import from_the_top

_NO_CAGES: Final = Model()
Cage = tuple[str, str]
"""Names of a device and of one of its cages."""


def face_maps_of(
    index: Index, rack: int, devices: Sequence[DevicePlugs], rows: Iterable[CableRow]
) -> Iterator[FaceMap]:
    """A map of each face of the rack's devices that a cable or plug goes into, from the top down."""
    plan, models = index.plan, index.places.models
    used = _used(devices, rows)
    named = {device for device, _ in used}
    numbers = [number for number in index.devices_of_rack.rows([rack]).tolist() if plan.devices[number].name in named]
    for number in sorted(numbers, key=lambda n: from_the_top(index.places.slot(n), plan.devices[n].name)):
        device = plan.devices[number]
        cages = models.get(device.model, _NO_CAGES).cages
        for face in ("front", "rear"):
            here = [place for place in cages.values() if place.face == face]
            if any((device.name, place.cage) in used for place in here):
                of_rack = device.mount if face == "front" else "rear" if device.mount == "front" else "front"
                yield FaceMap(
                    device=device.name,
                    model=device.model,
                    u=device.u,
                    face=of_rack,
                    is_stated=all(place.is_stated for place in here),
                    blocks=tuple(_blocks(device.name, here, used)),
                )


def _used(devices: Sequence[DevicePlugs], rows: Iterable[CableRow]) -> dict[Cage, tuple[int, ...]]:
    """The cables in each cage, by its ports in turn where plugs tell them, 0 for a port without one."""
    used = {(device.device, plug.cage): plug.cables for device in devices for plug in device.plugs}
    for row in rows:
        ends: tuple[End, ...] = (row.near, *row.far)
        for end in ends:
            if end.here and end.cage and row.cable_id not in used.get((end.device, end.cage), ()):
                key = (end.device, end.cage)
                used[key] = (*used.get(key, ()), row.cable_id)
    return used


def _blocks(
    device: str, places: Sequence[CagePlace], used: dict[Cage, tuple[int, ...]]
) -> Iterator[tuple[FaceCell, ...]]:
    for block in sorted({place.block for place in places}):
        yield tuple(
            FaceCell(
                row=place.row,
                column=place.column,
                cage=place.cage,
                is_used=(device, place.cage) in used,
                cables=used.get((device, place.cage), ()),
            )
            for place in places
            if place.block == block
        )
