"""Devices in their racks."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from planner.findings import Fault, Severity
from planner.locate import UNKNOWN_DEPTH
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.units import mm_half_up


@rule("DEV001", "device-outside-rack", Severity.ERROR)
def device_outside_rack(subject: Subject) -> Iterable[Fault]:
    """A device's slots are not all in its rack.

    Why: it cannot be mounted there.
    Example: an 8U server at U 43 of a 48U rack.
    Fix: choose a lower slot.
    Source: `units` of the rack type and `height_u` of the device.
    """
    for device in subject.layout.devices:
        rack = subject.layout.racks[device.rack]
        low, high = _slots(
            device.u,
            device.chassis.family.height_u.value or 1,
            rack.type.units,
            from_top=rack.type.numbered_from == "top",
        )
        if low < 1 or high > rack.type.units:
            height = device.chassis.family.height_u.value or 1
            message = f"`{device.name}` at U {device.u} does not fit into rack `{rack.name}`"
            note = f"it is {height}U high, the rack has {rack.type.units}U"
            yield Fault(
                "device-outside-rack",
                message,
                device.at,
                note=note,
                help="choose another slot",
                objects=(device.name, rack.name),
            )


def _slots(u: int, height: int, units: int, *, from_top: bool) -> tuple[int, int]:
    """First and last slot counted from the bottom."""
    low = units + 1 - u if from_top else u
    return low, low + height - 1


@rule("DEV002", "devices-overlap", Severity.ERROR)
def devices_overlap(subject: Subject) -> Iterable[Fault]:
    """Two devices fill the same slot of a rack from the same face, or meet inside it.

    Why: they cannot both be mounted.
    Example: two switches at U 46, both at the rear.
    Fix: move one of them.
    Source: slots and depths of the devices.
    """
    by_slot: dict[tuple[int, int], list[int]] = {}
    for number, device in enumerate(subject.layout.devices):
        rack = subject.layout.racks[device.rack]
        low, high = _slots(
            device.u,
            device.chassis.family.height_u.value or 1,
            rack.type.units,
            from_top=rack.type.numbered_from == "top",
        )
        for slot in range(low, high + 1):
            by_slot.setdefault((device.rack, slot), []).append(number)
    told: set[tuple[int, int]] = set()
    for (rack_number, slot), numbers in by_slot.items():
        for i, first in enumerate(numbers):
            for second in numbers[i + 1 :]:
                if (first, second) not in told and _collide(subject, first, second):
                    told.add((first, second))
                    a, b = subject.layout.devices[first], subject.layout.devices[second]
                    rack = subject.layout.racks[rack_number]
                    u = rack.type.units + 1 - slot if rack.type.numbered_from == "top" else slot
                    message = f"`{a.name}` and `{b.name}` both fill U {u} of rack `{rack.name}`"
                    note = f"`{a.name}` is declared at {subject.files.span(a.at)}"
                    yield Fault(
                        "devices-overlap",
                        message,
                        b.at,
                        note=note,
                        help="move one of them",
                        objects=(a.name, b.name, rack.name),
                    )


def _collide(subject: Subject, first: int, second: int) -> bool:
    a, b = subject.layout.devices[first], subject.layout.devices[second]
    if a.mount == b.mount:
        return True
    kind = subject.layout.racks[a.rack].type
    room = kind.rear_rail_mm - kind.front_rail_mm
    return (a.chassis.depth_um or 0) + (b.chassis.depth_um or 0) > room


@rule("DEV003", "too-few-slots", Severity.ERROR)
def too_few_slots(subject: Subject) -> Iterable[Fault]:
    """A device group has more names than slots.

    Why: some of its devices have no place.
    Example: 31 nodes for seven racks of four slots.
    Fix: name more racks, or more slots in `u`.
    Source: design of the input format.
    """
    return subject.told("too-few-slots")


@rule("DEV004", "depth-unknown", Severity.ERROR)
def depth_unknown(subject: Subject) -> Iterable[Fault]:
    """A device has ports on its rear face and no depth in the catalog.

    Why: where its ports are is not known, so no length can be given.
    Example: a server family with `depth_mm: {value: null}`.
    Fix: enter the depth, with its source.
    Source: the catalog entry.
    """
    devices = np.concatenate(
        (
            subject.links.a_device[subject.measure.a.depth_um == UNKNOWN_DEPTH],
            subject.links.z_device[subject.measure.z.depth_um == UNKNOWN_DEPTH],
        )
    )
    told: set[str] = set()
    for number in np.unique(devices).tolist():
        device = subject.layout.devices[number]
        if device.chassis.id not in told:
            told.add(device.chassis.id)
            message = f"the depth of `{device.chassis.id}` is not known, and its ports are at the rear"
            yield Fault(
                "depth-unknown",
                message,
                device.at,
                help="enter `depth_mm` in a catalog of the project",
                objects=(device.chassis.id,),
            )


@rule("DEV005", "device-too-deep", Severity.ERROR)
def device_too_deep(subject: Subject) -> Iterable[Fault]:
    """A device is deeper than its rack leaves room for.

    Why: the door does not close, or the device does not go in.
    Example: a server of 1100 mm behind a front rail at 150 mm in a rack of 1200 mm.
    Fix: use a deeper rack.
    Source: `depth_mm` of the device and of the rack type.
    """
    for device in subject.layout.devices:
        kind, depth = subject.layout.racks[device.rack].type, device.chassis.depth_um
        room = kind.depth_mm - kind.front_rail_mm if device.mount == "front" else kind.rear_rail_mm
        if depth is not None and depth > room:
            message = f"`{device.name}` is {mm_half_up(depth)} mm deep, rack `{subject.layout.racks[device.rack].name}` has {mm_half_up(room)} mm behind its rail"
            yield Fault(
                "device-too-deep",
                message,
                device.at,
                note=f"over by {mm_half_up(depth - room)} mm",
                help="use a deeper rack",
                objects=(device.name,),
            )
