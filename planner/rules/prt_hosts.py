"""Ports, continued: what the device at the end must do for its plug: FEC, linear drive, firmware, splits, approval."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from planner.catalog.figures import GENERIC
from planner.catalog.plugs import CableAssembly, Transceiver
from planner.findings import Fault, Severity
from planner.layout import parts_of_cage_kind
from planner.names import counted, fold, hostlist_of, quoted_list
from planner.rules.prt import misfits
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.selection.fit import CageKind
from planner.selection.options import Option
from planner.table import Ints

NO_FEC: Final = "none"
"""`own_fec` of a module that is known to make no correction itself."""


@rule("PRT013", "fec-differs", Severity.ERROR)
def fec_differs(subject: Subject) -> Iterable[Fault]:
    """The two ends of a link use different forward error correction.

    Why: the link does not come up, though light and lanes are right.
    Example: a 100GBASE-DR link between a port of four 25G NRZ lanes, RS(528), and one of one 100G PAM4 lane, RS(544), over
    modules that are known to make no correction of their own.
    Fix: use a module that has its own FEC at the end that differs, or ports of one form.
    Source: `fec` of the rates, and `own_fec` of modules; where a module's is not known, PRT021 tells it.
    """
    yield from _unlike_fec(subject, proven=True)


@rule("PRT021", "fec-not-proven", Severity.WARNING)
def fec_not_proven(subject: Subject) -> Iterable[Fault]:
    """The ports of a link use different forward error correction, and nobody states whether its modules make up for it.

    Why: the link comes up only if a module at one end makes the correction of the other end itself, as 100GBASE-DR modules for
    ports of four 25G lanes do; not every module does.
    Example: a port of four 25G NRZ lanes, RS(528), and one of one 100G PAM4 lane, RS(544), over modules without `own_fec`.
    Fix: ask the maker, and enter `own_fec` in a catalog of the project: its code, or `none`.
    Source: `fec` of the rates, and `own_fec` of modules.
    """
    yield from _unlike_fec(subject, proven=False)


def _unlike_fec(subject: Subject, *, proven: bool) -> Iterator[Fault]:
    """Links whose two ends have unlike corrections: those of which that is certain, or those of which it is not."""
    found: dict[tuple[str, str, str, str], list[Ints]] = {}
    silent: dict[tuple[str, str, str, str], set[str]] = {}
    for option, rows in subject.groups:
        kind = subject.kind_of(rows)
        a, z = _fec(option.a_plug, kind.a), _fec(option.z_plug, kind.z)
        unknown = {plug.id for plug in (option.a_plug, option.z_plug) if plug is not None and _may_correct(plug)}
        if a and z and a != z and proven == (not unknown):
            key = (kind.a.model, a, kind.z.model, z)
            found.setdefault(key, []).append(rows)
            silent.setdefault(key, set()).update(unknown)
    for (a_model, a, z_model, z), parts in found.items():
        rows = np.unique(np.concatenate(parts))
        sides = f"`{a_model}` uses FEC {a} and `{z_model}` {z}"
        yield Fault(
            "fec-differs" if proven else "fec-not-proven",
            f"{sides} on {subject.spoken(rows)}"
            + ("" if proven else ", which only modules with FEC of their own join"),
            subject.place_of(rows),
            note="" if proven else f"not stated of {quoted_list(sorted(silent[a_model, a, z_model, z]))}",
            help="use a module with FEC of its own at one end, or ports of one form"
            if proven
            else "ask the maker, and enter `own_fec` in a catalog of the project: its code, or `none`",
            objects=subject.named(rows),
            count=len(rows),
        )


def _may_correct(plug: Transceiver) -> bool:
    """Whether a module may have a correction that nobody tells; a linear one has no processor that could make it."""
    return plug.own_fec is None and plug.retimed and not plug.linear


def _fec(plug: Transceiver | None, cage: CageKind) -> str | None:
    """What is on the line: a module's own correction, else that of the port's form; None where it is not known."""
    own = plug.own_fec if plug else None
    return own if own and own != NO_FEC else (cage.rate.fec if cage.rate else None)


@rule("PRT014", "linear-optics-unsupported", Severity.ERROR)
def linear_optics_unsupported(subject: Subject) -> Iterable[Fault]:
    """A linear (LPO) module is in a cage that is not known to drive one.

    Why: it has no signal processor of its own; the host's lanes must be made and tuned for it, cage by cage.
    Example: an 800G-DR8-LPO module in a switch whose maker does not name the cage for it.
    Fix: use a retimed module, or a cage with `linear_optics: true` in the catalog.
    Source: LPO MSA; `linear` of the module and `linear_optics` of the cage.
    """
    return misfits(subject, "linear-optics-unsupported")


@rule("PRT015", "firmware-too-old", Severity.ERROR)
def firmware_too_old(subject: Subject) -> Iterable[Fault]:
    """A device's firmware, as the project states it, is older than its ports need for the rate.

    Why: the port does not run the rate before it is updated.
    Example: a ConnectX-8 for 2 x 400GbE with a firmware from before that mode.
    Fix: update the devices, and state the new firmware.
    Source: `firmware` of `compatibility/`, and `firmware` of the project's devices.
    """
    return (fault for fault in _firmware(subject) if fault.rule == "firmware-too-old")


@rule("PRT016", "firmware-not-stated", Severity.WARNING)
def firmware_not_stated(subject: Subject) -> Iterable[Fault]:
    """Ports need a least firmware for their rate, and the project does not say which firmware their devices have.

    Why: devices come with what was in store.
    Example: adapters whose 400GbE mode came with a firmware of last year.
    Fix: ask for the firmware with the order, and state it as `firmware` of the devices.
    Source: `firmware` of `compatibility/`.
    """
    return (fault for fault in _firmware(subject) if fault.rule == "firmware-not-stated")


def _firmware(subject: Subject) -> Iterator[Fault]:
    """Each need of a least firmware against what the devices of the model have."""
    rates_of: dict[str, set[str]] = {}
    for kind in subject.selection.kinds.kinds:
        for cage in (kind.a, kind.z):
            rates_of.setdefault(cage.model, set()).update({kind.rate.id, *([cage.rate.id] if cage.rate else [])})
    stated = {fold(name): group.firmware for group in subject.project.devices for name in group.names}
    used = np.unique(np.concatenate((subject.links.a_device, subject.links.z_device))).tolist()
    for need in subject.catalog.firmware:
        if rates_of.get(need.device, set()).isdisjoint(need.rates):
            continue
        for rule_name, tell in (("firmware-not-stated", _unstated), ("firmware-too-old", _older)):
            numbers = [
                n
                for n in used
                if subject.layout.devices[n].chassis.id == need.device
                and tell(stated.get(fold(subject.layout.devices[n].name)), need.least)
            ]
            if numbers:
                first = subject.layout.devices[numbers[0]]
                have = stated.get(fold(first.name))
                yield Fault(
                    rule_name,
                    f"{quoted_list(need.rates)} on `{need.device}` needs firmware {need.least} or newer, "
                    + (f"{have} is stated" if have else "none is stated"),
                    first.at,
                    note=f"{subject.devices_named(numbers)}; {need.source}",
                    help="update the devices and state it as their `firmware`"
                    if have
                    else "state the `firmware` of the devices",
                    objects=tuple(subject.layout.devices[n].name for n in numbers[:50]),
                    count=len(numbers),
                )


def _unstated(have: str | None, _least: str) -> bool:
    return have is None


def _older(have: str | None, least: str) -> bool:
    """Numbers compared place by place, as makers count: 28.9 is older than 28.35."""
    return have is not None and _numbers(have) < _numbers(least)


def _numbers(version: str) -> list[int]:
    return [int(text) for text in re.findall(r"\d+", version)]


@rule("PRT017", "split-to-configure", Severity.WARNING)
def split_to_configure(subject: Subject) -> Iterable[Fault]:
    """Cages of a switch are used in a split that must be configured first, which renames their ports.

    Why: no switch sees by itself that a splitter is plugged in; some change all their ports with a profile and a reload.
    Until then the ports of the plan do not exist, and labels made before a split name ports that are gone after it.
    Example: cage 1 of a QM9700 with ports 1/1/1 to 1/2/2 where it had 1/1 and 1/2.
    Fix: configure the split before the cables are tested, and print labels from this plan.
    Source: `splits` of the device; NVIDIA, Configuring a Split Port.
    """
    found: dict[tuple[str, int, int], dict[int, int]] = {}
    for cages, codes, devices in (
        (subject.a.cage, subject.a.kind, subject.links.a_device),
        (subject.z.cage, subject.z.kind, subject.links.z_device),
    ):
        for code in np.unique(codes).tolist():
            family, group, state = parts_of_cage_kind(code)
            chassis = subject.layout.chassis[family]
            if state and chassis.family.kind == "switch":
                rows = np.flatnonzero(codes == code)
                hit = found.setdefault((chassis.id, group, state), {})
                hit.update(zip(cages[rows].tolist(), devices[rows].tolist(), strict=True))
    for (model, group, state), hit in found.items():
        first = subject.layout.devices[min(hit.values())]
        chassis, offset = first.chassis, int(subject.layout.cage_offset[min(hit.values())])
        mine = sorted(cage - offset for cage, device in hit.items() if device == min(hit.values()))
        name = chassis.cage_names[mine[0]]
        before, after = (
            quoted_list([port.replace("{cage}", name) for port in chassis.states[group][s].port_names], 8)
            for s in (0, state)
        )
        numbers = sorted(set(hit.values()))
        yield Fault(
            "split-to-configure",
            f"{counted(len(hit), 'cage')} of `{model}` must be split by configuration, which renames ports: "
            f"cage {name} has {after} then, not {before}",
            first.at,
            note=f"on `{first.name}`: cages {hostlist_of([chassis.cage_names[cage] for cage in mine])}; {subject.devices_named(numbers)}",
            help="configure the splits before the cables are tested; labels made for the unsplit ports are wrong after it",
            objects=tuple(subject.layout.devices[n].name for n in numbers[:50]),
            count=len(hit),
        )


@rule("PRT018", "rate-asks-of-the-topology", Severity.INFO)
def rate_asks_of_the_topology(subject: Subject) -> Iterable[Fault]:
    """A fabric's rate asks something of its topology that cables and ports alone do not show.

    Why: links that all come up may still be no fabric.
    Example: XDR InfiniBand on ConnectX-8, whose fabrics are planarised: each adapter's port is two planes.
    Fix: hold the topology against the note; no cable changes by it.
    Source: `topology_note` of the rate.
    """
    used = {kind.fabric for kind in subject.selection.kinds.kinds}
    for number, fabric in enumerate(subject.project.fabrics):
        rate = subject.catalog.rates.get(fabric.rate.lower())
        if number in used and rate is not None and rate.topology_note:
            yield Fault(
                "rate-asks-of-the-topology",
                f"`{rate.id}` of fabric `{fabric.name}`: {rate.topology_note}",
                -1,
                help="hold the topology against it",
                objects=(fabric.name,),
            )


@rule("PRT019", "part-not-qualified", Severity.WARNING)
def part_not_qualified(subject: Subject) -> Iterable[Fault]:
    """A plug in a switch is of another maker, and nothing says that the switch's maker has qualified it.

    Why: the switch may refuse it, warn of it, or its maker may refuse support; makers code their modules.
    Example: a third party's 400G-DR4 in a switch that takes "supported" modules only.
    Fix: buy parts that the switch's maker lists, or ask both makers, and enter the answer as `qualified_for` of the part.
    Source: `qualified_for` of the part. With `policy.vendors.qualified_only` it is an error (PRT020).
    """
    return _unqualified(subject, "part-not-qualified", forbidden=False)


@rule("PRT020", "unqualified-part-forbidden", Severity.ERROR)
def unqualified_part_forbidden(subject: Subject) -> Iterable[Fault]:
    """As PRT019, where `policy.vendors.qualified_only` says that this must not be.

    Why: the policy asks for parts that the switch's maker supports.
    Example: `qualified_only: true`, and a pinned module of a third party.
    Fix: buy parts that the switch's maker lists, enter `qualified_for`, or leave the policy.
    Source: `qualified_for` of the part, and the policy.
    """
    return _unqualified(subject, "unqualified-part-forbidden", forbidden=True)


def _unqualified(subject: Subject, name: str, *, forbidden: bool) -> Iterator[Fault]:
    """Once a part and switch model. Generic parts and switches have no maker to ask."""
    found: dict[tuple[str, str], list[Ints]] = {}
    for option, rows in subject.groups:
        kind = subject.kind_of(rows)
        if kind.wish.vendors.qualified_only is not forbidden:
            continue
        for end, cage in (("a", kind.a), ("z", kind.z)):
            part, device = _part_at(option, end), subject.catalog.devices[cage.model]
            makers = {part.manufacturer.casefold(), device.manufacturer.casefold()}
            named = {text.casefold() for text in part.qualified_for}
            if (
                device.kind == "switch"
                and len(makers) == 2
                and GENERIC not in makers
                and named.isdisjoint((device.id, device.manufacturer.casefold()))
            ):
                found.setdefault((part.id, device.id), []).append(rows)
    for (part_id, device_id), parts in found.items():
        rows = np.unique(np.concatenate(parts))
        sold, device = subject.catalog.find(part_id), subject.catalog.devices[device_id]
        assert isinstance(sold, Transceiver | CableAssembly)
        yield Fault(
            name,
            f"nothing says that {device.manufacturer} has qualified `{part_id}` of {sold.manufacturer} for `{device_id}`",
            subject.place_of(rows),
            note=subject.spoken(rows),
            help="ask both makers and enter `qualified_for`, or take a part of the switch's maker",
            objects=subject.named(rows),
            count=len(rows),
        )


def _part_at(option: Option, end: str) -> Transceiver | CableAssembly:
    plug = option.a_plug if end == "a" else option.z_plug
    if plug is not None:
        return plug
    assert isinstance(option.cable, CableAssembly)
    return option.cable
