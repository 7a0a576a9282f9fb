"""Devices in their racks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from planner.catalog.racks import Obstruction, RackType
from planner.findings import Fault, Severity, Spot
from planner.layout import Device, Rack
from planner.locate import UNKNOWN_DEPTH
from planner.names import counted
from planner.reader import spot_at
from planner.rear_zone import obstructions_of
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.table import Mask
from planner.units import mm_half_up

HALF_WIDTH_UM: Final = 225_000
"""Half of the opening between the posts of a 19 inch rack, 450 mm (EIA-310)."""


@rule("DEV001", "device-outside-rack", Severity.ERROR)
def device_outside_rack(subject: Subject) -> Iterable[Fault]:
    """A device's slots are not all in its rack.

    Why: it cannot be mounted there.
    Example: an 8U server at U 43 of a 48U rack.
    Fix: choose a lower slot.
    Source: `units` of the rack type and `height_u` of the device.
    """
    by_entry: dict[tuple[Spot, int, str], list[Device]] = {}
    for number in outside_rack(subject):
        device = subject.layout.devices[number]
        kind = subject.layout.racks[device.rack].type
        by_entry.setdefault((device.at, device.u, kind.id), []).append(device)
    for devices in by_entry.values():
        first = devices[0]
        rack = subject.layout.racks[first.rack]
        doing = f"at U {first.u} does" if len(devices) == 1 else f"and {len(devices) - 1} more at U {first.u} do"
        kept = "its rack" if len(devices) > 1 else "rack"
        where = f"{kept} `{rack.name}`" if len(devices) == 1 else "their racks"
        yield Fault(
            "device-outside-rack",
            f"`{first.name}` {doing} not fit into {where}",
            first.at,
            note=f"a `{first.chassis.id}` is {_height(first)}U high, {_fits(_height(first), rack.type)}",
            help="choose another slot",
            objects=(*(device.name for device in devices[:50]), rack.name),
            count=len(devices),
        )


def _fits(height: int, kind: RackType) -> str:
    """The slots that a device of some height can have."""
    if height > kind.units:
        return f"the rack has {kind.units}U"
    low, high = (height, kind.units) if kind.numbered_from == "top" else (1, kind.units + 1 - height)
    return f"so its lowest slot is one of U {low} to U {high} of the {kind.units}U rack"


def outside_rack(subject: Subject) -> list[int]:
    """Numbers of the devices that are not whole inside their racks."""
    found = []
    for number, device in enumerate(subject.layout.devices):
        low, high = _slots(device, subject.layout.racks[device.rack].type)
        if low < 1 or high > subject.layout.racks[device.rack].type.units:
            found.append(number)
    return found


def misplaced_links(subject: Subject) -> Mask:
    """Links at a device outside its rack, whose lengths say nothing; the device has its finding."""
    wrong: Mask = np.zeros(max(1, len(subject.layout.devices)), bool)
    wrong[outside_rack(subject)] = True
    return wrong[subject.links.a_device] | wrong[subject.links.z_device]


def _height(device: Device) -> int:
    return device.slots


def _slots(device: Device, kind: RackType) -> tuple[int, int]:
    """First and last slot counted from the bottom."""
    low = kind.units + 1 - device.u if kind.numbered_from == "top" else device.u
    return low, low + _height(device) - 1


@rule("DEV002", "devices-overlap", Severity.ERROR)
def devices_overlap(subject: Subject) -> Iterable[Fault]:
    """Two devices fill the same slot of a rack from the same face, or meet inside it.

    Why: they cannot both be mounted.
    Example: two switches at U 46, both at the rear.
    Fix: move one of them.
    Source: slots and depths of the devices.
    """
    by_slot: dict[tuple[int, int], list[int]] = {}
    for number, rack, slot in _in_shared_slots(subject):
        by_slot.setdefault((rack, slot), []).append(number)
    # Two entries that meet in several slots, or an entry that names a slot twice, are one cause.
    pairs: dict[tuple[Spot, Spot], dict[tuple[int, int], tuple[int, int]]] = {}
    for (rack, slot), numbers in by_slot.items():
        for i, first in enumerate(numbers):
            for second in numbers[i + 1 :]:
                if _collide(subject, first, second):
                    places = (subject.layout.devices[first].at, subject.layout.devices[second].at)
                    pairs.setdefault(places, {}).setdefault((first, second), (rack, slot))
    for met in pairs.values():
        (first, second), (rack_number, slot) = next(iter(met.items()))
        a, b = subject.layout.devices[first], subject.layout.devices[second]
        rack_found = subject.layout.racks[rack_number]
        u = rack_found.type.units + 1 - slot if rack_found.type.numbered_from == "top" else slot
        more = f", and {len(met) - 1} more {'pair' if len(met) == 2 else 'pairs'} meet" if len(met) > 1 else ""
        names = dict.fromkeys(subject.layout.devices[n].name for pair in met for n in pair)
        yield Fault(
            "devices-overlap",
            f"`{a.name}` and `{b.name}` both fill U {u} of rack `{rack_found.name}`{more}",
            b.at,
            note=f"`{a.name}` is declared at {subject.files.span(a.at)}",
            help="move one of them",
            objects=(*tuple(names)[:50], rack_found.name),
            count=len(met),
        )


def _in_shared_slots(subject: Subject) -> Iterator[tuple[int, int, int]]:
    """Device, rack and slot wherever a slot holds more than one device, whatever their faces."""
    devices, racks = subject.layout.devices, subject.layout.racks
    if not devices:
        return
    rack = np.array([device.rack for device in devices], np.int64)
    units = np.array([standing.type.units for standing in racks], np.int64)[rack]
    slots = np.array([_slots(device, racks[device.rack].type) for device in devices], np.int64)
    low, high = np.maximum(slots[:, 0], 1), np.minimum(slots[:, 1], units)
    size = np.maximum(high - low + 1, 0)
    number = np.repeat(np.arange(len(devices)), size)
    slot = np.arange(len(number)) + np.repeat(low - np.cumsum(size) + size, size)
    _, place, times = np.unique(rack[number] * (int(units.max()) + 1) + slot, return_inverse=True, return_counts=True)
    shared = times[place] > 1
    yield from zip(*(column[shared].tolist() for column in (number, rack[number], slot)), strict=True)


def _collide(subject: Subject, first: int, second: int) -> bool:
    a, b = subject.layout.devices[first], subject.layout.devices[second]
    if a.half is not None and b.half is not None and a.half != b.half:
        return False
    if a.middle_um * b.middle_um < 0:
        return False  # each keeps to its own side of the rack
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
    by_entry: dict[tuple[Spot, str], list[Device]] = {}
    for device in subject.layout.devices:
        kind, depth = subject.layout.racks[device.rack].type, device.chassis.depth_um
        if depth is not None and depth > _room_um(device, kind):
            by_entry.setdefault((device.at, kind.id), []).append(device)
    for devices in by_entry.values():
        first, depth = devices[0], devices[0].chassis.depth_um or 0
        rack = subject.layout.racks[first.rack]
        room = _room_um(first, rack.type)
        deep = "is" if len(devices) == 1 else f"and {len(devices) - 1} more are"
        yield Fault(
            "device-too-deep",
            f"`{first.name}` {deep} {mm_half_up(depth)} mm deep, rack `{rack.name}` has {mm_half_up(room)} mm behind its rail",
            first.at,
            note=f"over by {mm_half_up(depth - room)} mm",
            help="use a deeper rack, or mount it at the other face",
            objects=tuple(device.name for device in devices[:50]),
            count=len(devices),
        )


def _room_um(device: Device, kind: RackType) -> int:
    """From the rail that a device's front stands at to the rack's other face."""
    return kind.depth_mm - kind.front_rail_mm if device.mount == "front" else kind.rear_rail_mm


@rule("DEV007", "device-in-rear-zone", Severity.ERROR)
def device_in_rear_zone(subject: Subject) -> Iterable[Fault]:
    """A device reaches into what stands in the rear of its rack.

    Why: both cannot stand there.
    Example: a server of 1000 mm in front of a 0U power strip that begins 980 mm behind the rack's front.
    Fix: move the power strip, use a deeper rack, or correct one of the entries.
    Source: `rear_zone` of the rack type and of the racks, and the devices' width, depth and slots.
    """
    told: dict[tuple[Spot, str], list[tuple[Device, Obstruction, int]]] = {}
    for device in subject.layout.devices:
        rack = subject.layout.racks[device.rack]
        for thing in obstructions_of(rack):
            deep = _reaches_um(device, rack, thing)
            if deep > 0:
                told.setdefault((device.at, thing.name), []).append((device, thing, deep))
    for (at, _), met in told.items():
        device, thing, deep = max(met, key=lambda found: found[2])
        more = f" and {len(met) - 1} more reach" if len(met) > 1 else " reaches"
        yield Fault(
            "device-in-rear-zone",
            f"`{device.name}`{more} into the {thing.kind} `{thing.name}` of rack `{subject.layout.racks[device.rack].name}`",
            at,
            note=f"by {mm_half_up(deep)} mm of depth",
            help="move one of the two, or use a deeper rack",
            objects=tuple(found[0].name for found in met[:50]),
            count=len(met),
        )


def _reaches_um(device: Device, rack: Rack, thing: Obstruction) -> int:
    """How deep a device reaches into an obstruction; 0 where it stays beside, above, below or before it."""
    kind, depth = rack.type, device.chassis.depth_um
    if depth is None or not device.slots:
        return 0
    low = rack.underside_um(device.u)
    half = device.chassis.width_um // 2
    beside = thing.x_mm[0] >= device.middle_um + half or thing.x_mm[1] <= device.middle_um - half
    apart = thing.z_mm[0] >= low + device.slots * kind.u_pitch_mm or thing.z_mm[1] <= low
    if beside or apart:
        return 0
    front = kind.front_rail_mm if device.mount == "front" else kind.rear_rail_mm - depth
    return max(0, min(front + depth, thing.y_mm[1]) - max(front, thing.y_mm[0]))


@rule("DEV006", "slide-travel-unknown", Severity.ERROR)
def slide_travel_unknown(subject: Subject) -> Iterable[Fault]:
    """Devices should slide out with their cables in, and how far is not known.

    Why: their cables would be too short to slide, by a length that nobody has given.
    Example: `slides: true` for a server whose catalog entry has no `slides_out_m`.
    Fix: give `service_loop_m` for these devices, or enter `slides_out_m` in a catalog of the project.
    Source: the device group and the catalog entry.
    """
    for number, group in enumerate(subject.project.devices):
        found = subject.catalog.device(group.model)
        if not group.slides or group.service_loop_m is not None or found is None:
            continue
        travel = found[0].family.slides_out_m
        if travel is None or travel.value is None:
            yield Fault(
                "slide-travel-unknown",
                f"how far a `{found[0].id}` slides out is not known",
                spot_at(subject.tree, ("devices", number, "slides")),
                help="give `service_loop_m` here, or enter `slides_out_m` in a catalog of the project",
                objects=(found[0].id,),
                count=len(group.names),
            )


@rule("DEV008", "no-place-in-rack", Severity.ERROR)
def no_place_in_rack(subject: Subject) -> Iterable[Fault]:
    """A device that takes no slot has no place of its own, or one that takes slots has half of them and does not fit.

    Why: without `at_mm` nobody knows where the ports of a 0U device are; a wide device has no half of a slot.
    Example: a 0U power strip with a network port and only `u`; `side: left` for a switch of 438 mm.
    Fix: give `at_mm` for a 0U device, and leave `side` and `half` to devices of half the width or one slot.
    Source: `height_u` and `width_mm` of the device.
    """
    for number, group in enumerate(subject.project.devices):
        found = subject.catalog.device(group.model)
        if found is None:
            continue
        chassis = found[0]
        slots, width = chassis.family.height_u.value, chassis.width_um
        if slots == 0 and group.at_mm is None:
            message, key, help_text = f"`{chassis.id}` takes no slot and has no place", "u", "give `at_mm: [x, depth]`"
        elif slots != 0 and group.at_mm is not None:
            message, key = (
                f"`{chassis.id}` takes {counted(slots, 'slot') if slots else 'its slots'}, `at_mm` is for devices that take none",
                "at_mm",
            )
            help_text = "take `at_mm` out"
        elif group.side is not None and width > HALF_WIDTH_UM:
            message, key = (
                f"`{chassis.id}` is {mm_half_up(width)} mm wide, half a slot is {mm_half_up(HALF_WIDTH_UM)} mm",
                "side",
            )
            help_text = "take `side` out"
        elif group.half is not None and slots != 1:
            message, key, help_text = f"`{chassis.id}` takes {counted(slots or 0, 'slot')}", "half", "take `half` out"
        else:
            continue
        at = spot_at(subject.tree, ("devices", number, key))
        yield Fault("no-place-in-rack", message, at, help=help_text, objects=(chassis.id,), count=len(group.names))


@rule("DEV009", "label-text-too-long", Severity.WARNING)
def label_text_too_long(subject: Subject) -> Iterable[Fault]:
    """The text of a label cannot be read on the labels that the project prints it on.

    Why: texts are never cut, so a long one prints in type that nobody reads, and a printer's own label has the cable's number only.
    Example: device names of 60 letters by the template `device` on labels of 38.1 x 21.2 mm.
    Fix: take larger labels (`policy.labels.sheet`), another shape, or a shorter text (`policy.labels.text`).
    Source: 4 points as the least that can be read, a choice of ours.
    """
    return subject.told("label-text-too-long")
