"""Topology: which ports are to be joined."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from planner.findings import Fault, Severity
from planner.names import fold, quoted_list
from planner.reader import spot_at
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.table import Ints


@rule("TOP001", "port-used-twice", Severity.ERROR)
def port_used_twice(subject: Subject) -> Iterable[Fault]:
    """A port is in two links.

    Why: a port takes one plug end; the second cable would stay in the technician's hand.
    Example: two links on `leaf-1:1/1`.
    Fix: give one of them another port.
    Source: a port is a cage and a set of its lanes.
    """
    return subject.told("port-used-twice")


@rule("TOP002", "unknown-device", Severity.ERROR)
def unknown_device(subject: Subject) -> Iterable[Fault]:
    """A link or a generator names a device that is not declared.

    Why: a cable to a device without a place has no length.
    Example: `leaf-9` in a pod of eight leaves.
    Fix: declare it, or mend the name.
    Source: the project's `devices`.
    """
    declared = {fold(name) for group in subject.project.devices for name in group.names}
    for fault in subject.told("unknown-device"):
        # A device that is declared and has no place has its finding there: its model, its rack, or a slot too few.
        if not any(fold(name) in declared for name in fault.objects):
            yield fault


@rule("TOP003", "unknown-port", Severity.ERROR)
def unknown_port(subject: Subject) -> Iterable[Fault]:
    """A link names a port that its device does not have.

    Why: port names are catalog data, as printed on the device.
    Example: `leaf-1:33/1` on a switch of 32 cages.
    Fix: use the printed name; `planner catalog show MODEL` lists them.
    Source: the catalog entry of the device.
    """
    for fault in subject.told("unknown-port"):
        # A device whose catalog file is at fault may lack the port for that reason.
        if not any(f"`{id_}`" in fault.message for id_ in subject.broken_entries):
            yield fault


@rule("TOP004", "generator-refused", Severity.ERROR)
def generator_refused(subject: Subject) -> Iterable[Fault]:
    """A generator's sizes do not work out.

    Why: a fabric that misses a port cannot be wired.
    Example: 33 nodes x 8 rails need 264 leaf ports; 8 leaves have 256.
    Fix: change the sizes so that the arithmetic holds.
    Source: radix arithmetic of the generator, see `docs/generators.md`.
    """
    return subject.told("generator-refused")


@rule("TOP005", "fabric-without-links", Severity.ERROR)
def fabric_without_links(subject: Subject) -> Iterable[Fault]:
    """A fabric has no links.

    Why: it was declared to be planned.
    Example: `links: []`.
    Fix: give it `links` or `generate`.
    Source: design of the input format.
    """
    return subject.told("fabric-without-links")


@rule("TOP006", "unknown-rate", Severity.ERROR)
def unknown_rate(subject: Subject) -> Iterable[Fault]:
    """A fabric's rate is not in the catalog, or belongs to the other protocol.

    Why: lanes and modulation of every port follow from the rate.
    Example: `rate: ndr` on an Ethernet fabric.
    Fix: use a rate that `compatibility/rates.yaml` knows for the protocol.
    Source: the catalog's rates.
    """
    for number, fabric in enumerate(subject.project.fabrics):
        at = spot_at(subject.tree, ("fabrics", number, "rate"))
        rate = subject.catalog.rates.get(fabric.rate.lower())
        fitting = sorted(r.id for r in subject.catalog.rates.values() if r.protocol == fabric.protocol)
        help_text = f"{fabric.protocol} rates: {quoted_list(fitting, 12)}"
        if rate is None:
            yield Fault(
                "unknown-rate", f"rate `{fabric.rate}` is not known", at, help=help_text, objects=(fabric.name,)
            )
        elif rate.protocol != fabric.protocol:
            message = f"rate `{rate.id}` is of {rate.protocol.value}, the fabric is {fabric.protocol}"
            yield Fault("unknown-rate", message, at, help=help_text, objects=(fabric.name,))


@rule("TOP007", "cage-linked-to-itself", Severity.ERROR)
def cage_linked_to_itself(subject: Subject) -> Iterable[Fault]:
    """Both ends of a link are in one cage.

    Why: a cage takes one plug, and no cable comes back into the plug that it leaves.
    Example: a link from `leaf-1:1/1` to `leaf-1:1/2`.
    Fix: give one end a port of another device.
    Source: a port is a cage and a set of its lanes.
    """
    looped = np.flatnonzero(subject.a.cage == subject.z.cage)
    for device, rows in _by_device(subject, looped):
        found = subject.layout.devices[device]
        cages = dict.fromkeys(int(subject.a.cage[row]) - subject.layout.cage_offset[device] for row in rows.tolist())
        names = quoted_list(f"{found.name}:{found.chassis.cage_names[cage]}" for cage in cages)
        yield Fault(
            "cage-linked-to-itself",
            f"{subject.spoken(rows)} {'has' if len(rows) == 1 else 'have'} both ends in one cage",
            int(subject.links.at[rows[0]]),
            note=f"in {names}",
            help="give one end a port of another device",
            objects=subject.named(rows),
            count=len(rows),
        )


@rule("TOP008", "device-linked-to-itself", Severity.WARNING)
def device_linked_to_itself(subject: Subject) -> Iterable[Fault]:
    """A link joins two cages of one device.

    Why: it carries no traffic between devices, and is most often a slip of the pen.
    Example: a link from `leaf-1:1/1` to `leaf-1:2/1`.
    Fix: give one end a port of another device; waive it where a loop is meant, as for a test.
    Source: field practice.
    """
    links = subject.links
    looped = np.flatnonzero((links.a_device == links.z_device) & (subject.a.cage != subject.z.cage))
    for device, rows in _by_device(subject, looped):
        yield Fault(
            "device-linked-to-itself",
            f"{subject.spoken(rows)} {'has' if len(rows) == 1 else 'have'} both ends on `{subject.layout.devices[device].name}`",
            int(links.at[rows[0]]),
            help="give one end a port of another device, or waive it where a loop is meant",
            objects=subject.named(rows),
            count=len(rows),
        )


@rule("TOP009", "too-few-free-ports", Severity.ERROR)
def too_few_free_ports(subject: Subject) -> Iterable[Fault]:
    """More links may take any port of a device, or of some of its cages, than ports are free there.

    Why: a link without a port is in no document.
    Example: 65 links with `ports: any` on a switch of 64 ports.
    Fix: take links away, name more cages, or add a device.
    Source: ports of the catalog entry that run the fabric's rate, less those in use.
    """
    return subject.told("too-few-free-ports")


@rule("TOP010", "port-ranges-cross", Severity.ERROR)
def port_ranges_cross(subject: Subject) -> Iterable[Fault]:
    """Two ranges of cages that links may take share some of their cages and not all.

    Why: whichever link is given a port first would decide whether the others find one.
    Example: `leaf-1:[1-8]` for some links and `leaf-1:[5-12]` for others.
    Fix: make the ranges equal, put one inside the other, or keep them apart.
    Source: design of the input format.
    """
    return subject.told("port-ranges-cross")


def _by_device(subject: Subject, rows: Ints) -> Iterator[tuple[int, Ints]]:
    """Links of one device each, in the order in which they stand in the input."""
    devices = subject.links.a_device[rows]
    for device in np.unique(devices).tolist():
        mine = rows[devices == device]
        yield device, mine[np.argsort(subject.links.at[mine], kind="stable")]
