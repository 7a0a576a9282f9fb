"""Ports, cages and plugs: what enters, what it carries, what it draws, and which way the air goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from planner.catalog.fibre import Cord
from planner.catalog.load import airflow_wanted
from planner.catalog.plugs import CableAssembly, PlugEnd, Transceiver
from planner.findings import Fault, Severity, Spot
from planner.layout import parts_of_cage_kind
from planner.names import expand_hostlist, quoted_list
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.selection.fit import CageKind, plug_faults
from planner.selection.options import Option
from planner.table import Ints


def _plug_at(option: Option, end: str) -> tuple[PlugEnd, Transceiver | CableAssembly]:
    plug = option.a_plug if end == "a" else option.z_plug
    if plug is not None:
        return plug.end, plug
    assert isinstance(option.cable, CableAssembly)
    at_head = option.head_at_z == (end == "z")
    return (option.cable.a if at_head else option.cable.z), option.cable


_FOLLOWS = ("wrong-port-count", "wrong-lanes")
"""What need not be said of a plug that does not enter the cage at all."""


def misfits(subject: Subject, name: str) -> Iterator[Fault]:
    """One fault for each plug part and cage kind that break a rule, with the cages it sits in."""
    found: dict[tuple[str, str, str], tuple[list[Ints], set[int]]] = {}
    for option, rows in subject.groups:
        kind = subject.kind_of(rows)
        for end, cage, cages in (("a", kind.a, subject.a.cage), ("z", kind.z, subject.z.cage)):
            plug, part = _plug_at(option, end)
            broken_rules = list(plug_faults(plug, part, cage, kind.rate, subject.catalog))
            if name in _FOLLOWS and any(broken == "wrong-form-factor" for broken, _ in broken_rules):
                continue
            for broken, words in broken_rules:
                if broken == name:
                    entry = found.setdefault((part.id, cage.model, words), ([], set()))
                    entry[0].append(rows)
                    entry[1].update(cages[rows].tolist())
    for (part_id, _model, words), (parts, cages_hit) in found.items():
        rows = np.unique(np.concatenate(parts))
        family = subject.catalog.find(part_id)
        part_name = family.members[0].part if isinstance(family, Transceiver) else part_id.upper()
        yield Fault(
            name,
            f"`{part_name}` does not work here: {words}",
            subject.place_of(rows),
            note=f"in {_cages(subject, sorted(cages_hit))}; {subject.spoken(rows)}",
            help="pin a part that fits, or none",
            objects=subject.named(rows),
            count=len(cages_hit),
        )


def _cages(subject: Subject, cages: list[int]) -> str:
    return quoted_list(_cage_name(subject, cage) for cage in cages)


def _cage_name(subject: Subject, cage: int) -> str:
    offsets = subject.layout.cage_offset
    device = int(np.searchsorted(offsets, cage, side="right")) - 1
    found = subject.layout.devices[device]
    return f"{found.name}:{found.chassis.cage_names[cage - int(offsets[device])]}"


@rule("PRT001", "wrong-form-factor", Severity.ERROR)
def wrong_form_factor(subject: Subject) -> Iterable[Fault]:
    """A plug of another form factor than its cage takes.

    Why: it does not enter.
    Example: an OSFP module in the QSFP112 cage of a BlueField-3.
    Fix: use a plug of the cage's own form factor.
    Source: `compatibility/cages.yaml`.
    """
    return misfits(subject, "wrong-form-factor")


@rule("PRT002", "wrong-heat-sink", Severity.ERROR)
def wrong_heat_sink(subject: Subject) -> Iterable[Fault]:
    """A finned plug in a flat cage, or a flat plug in a finned one.

    Why: a finned OSFP does not enter the cage of an adapter or a DGX; a flat one overheats in an air-cooled switch.
    Example: MMA4Z00-NS in a DGX H100, which takes MMA4Z00-NS-FLT.
    Fix: use the same module with the other top.
    Source: `compatibility/cages.yaml`.
    """
    return misfits(subject, "wrong-heat-sink")


@rule("PRT003", "wrong-port-count", Severity.ERROR)
def wrong_port_count(subject: Subject) -> Iterable[Fault]:
    """A single-port plug in a twin-port cage, or the reverse.

    Why: half of the cage's lanes, or of the plug's, would lead nowhere.
    Example: MMA4Z00-NS400 in a QM9700.
    Fix: use a twin-port plug in twin-port cages and a single-port plug in adapters.
    Source: NVIDIA, connectors and cages.
    """
    return misfits(subject, "wrong-port-count")


@rule("PRT004", "wrong-protocol", Severity.ERROR)
def wrong_protocol(subject: Subject) -> Iterable[Fault]:
    """A part or a cage does not carry the fabric's protocol.

    Why: Quantum switches speak InfiniBand only, and some modules Ethernet only.
    Example: MMA4Z00-NS-T, an Ethernet part, in a QM9700.
    Fix: use the variant for the fabric's protocol.
    Source: `protocols` of the part and of the device.
    """
    return misfits(subject, "wrong-protocol")


@rule("PRT005", "rate-not-supported", Severity.ERROR)
def rate_not_supported(subject: Subject) -> Iterable[Fault]:
    """A port does not run the fabric's rate.

    Why: the link would come up slower, or not at all.
    Example: an NDR200 adapter in a fabric of rate `ndr`.
    Fix: put the link into a fabric of its own rate, or use another port.
    Source: `rates` of the cage.
    """
    found: dict[tuple[int, str, int], tuple[CageKind, list[Ints]]] = {}
    for number in np.unique(subject.selection.kinds.of_link).tolist():
        if number < 0:
            continue
        kind = subject.selection.kinds.kinds[number]
        if kind.rate.protocol != subject.project.fabrics[kind.fabric].protocol:
            continue  # the fabric's rate has its own finding
        rows = np.flatnonzero(subject.selection.kinds.of_link == number)
        for cage in (kind.a, kind.z):
            if cage.rate is None:
                found.setdefault((kind.fabric, cage.model, id(cage.group)), (cage, []))[1].append(rows)
                break
    for (fabric, _model, _group), (cage, parts) in found.items():
        rate = subject.catalog.rates[subject.project.fabrics[fabric].rate.lower()].id
        yield _slow(subject, np.unique(np.concatenate(parts)), cage, rate)


def _slow(subject: Subject, rows: Ints, cage: CageKind, rate: str) -> Fault:
    return Fault(
        "rate-not-supported",
        f"{cage.spoken} does not run `{rate}`",
        int(subject.links.at[rows[0]]),
        note=f"it runs {quoted_list(cage.state.rates)}; {subject.spoken(rows)}",
        help="put the link into a fabric of its own rate, or use another port",
        objects=subject.named(rows),
        count=len(rows),
    )


@rule("PRT006", "wrong-lanes", Severity.ERROR)
def wrong_lanes(subject: Subject) -> Iterable[Fault]:
    """A plug's lanes are not those of the rate.

    Why: copper and host sides do not change lane rates, and 200G lanes do not fall back to 100G.
    Example: a 1.6T module with 200G lanes in an NDR fabric.
    Fix: use a plug of the fabric's lane count and lane rate.
    Source: lanes and lane rate of the part and of the rate.
    """
    yield from misfits(subject, "wrong-lanes")
    beside_straight = np.unique(np.concatenate([np.zeros(0, np.int64), *(rows for _, rows in _mixed_cages(subject))]))
    for option, chosen in subject.groups:
        legs = option.cable.legs if isinstance(option.cable, Cord) else None
        rows = chosen[~np.isin(chosen, beside_straight)]
        if not legs or not len(rows):
            continue
        kind = subject.kind_of(rows)
        carried = min(len(leg) for leg in legs.values()) // 2
        if carried < kind.rate.lanes:
            yield Fault(
                "wrong-lanes",
                f"a leg of `{option.cable.id}` carries {carried} lanes, `{kind.rate.id}` needs {kind.rate.lanes}",
                subject.place_of(rows),
                note=f"a 1:{len(legs)} splitter divides the lanes of its plug; {subject.spoken(rows)}",
                help="pin a straight cord, or put the link into a fabric of the lower rate",
                objects=subject.named(rows),
                count=len(rows),
            )


@rule("PRT007", "over-cage-power", Severity.ERROR)
def over_cage_power(subject: Subject) -> Iterable[Fault]:
    """A plug draws more than its cage feeds.

    Why: the port is shut down, or the switch overheats.
    Example: a module of 20 W in a cage of power class 8, 17 W.
    Fix: use a part within the cage's limit.
    Source: `power_w` of the part and `max_power_w` of the cage.
    """
    return misfits(subject, "over-cage-power")


@rule("PRT008", "splitter-beside-straight", Severity.ERROR)
def splitter_beside_straight(subject: Subject) -> Iterable[Fault]:
    """A twin-port plug has a straight cord in one receptacle and a splitter in the other.

    Why: both engines of a twin-port plug run in one mode; one of the two links stays down.
    Example: a 1:2 splitter to the UFM on the leaf cage whose other half serves a node.
    Fix: use two straight cords or two splitters, or another cage.
    Source: NVIDIA, transceivers and fibre details 100G-PAM4 (rule NV-TWIN-01 of the reference).
    """
    by_pin: dict[Spot, list[tuple[int, Ints]]] = {}
    for number, mates in _mixed_cages(subject):
        by_pin.setdefault(subject.place_of(_split(subject, mates)), []).append((number, mates))
    for at, cages in by_pin.items():
        number, mates = cages[0]
        pinned = _split(subject, mates)
        other = mates[~np.isin(mates, pinned)]
        option = subject.selection.option_of(int(pinned[0]))
        legs = (option.cable.legs or {}) if option and isinstance(option.cable, Cord) else {}
        lanes = min((len(leg) for leg in legs.values()), default=0) // 2
        more = f" and {len(cages) - 1} more cages have" if len(cages) > 1 else " has"
        yield Fault(
            "splitter-beside-straight",
            f"`{_cage_name(subject, number)}`{more} a splitter and a straight cord in one twin-port plug",
            at,
            note=f"the splitter serves `{subject.link_name(int(pinned[0]))}`, the straight cord `{subject.link_name(int(other[0]))}`; "
            f"a leg of a 1:{len(legs)} splitter carries {lanes} of its plug's {lanes * len(legs)} lanes",
            help="use two straight cords or two splitters, or move the link to another cage",
            objects=subject.named(np.unique(np.concatenate([mates for _, mates in cages]))),
            count=len(cages),
        )


def _split(subject: Subject, rows: Ints) -> Ints:
    """Those of some links that a splitter serves."""
    splitter = np.array([o.cable.kind == "splitter" for o in subject.selection.offers] + [False])
    found: Ints = rows[splitter[subject.selection.offer[rows]]]
    return found


def _mixed_cages(subject: Subject) -> Iterator[tuple[int, Ints]]:
    """Cages with a splitter and a straight cord, and the links of each."""
    kind = np.array(
        [1 if o.cable.kind == "splitter" else 0 if isinstance(o.cable, Cord) else -1 for o in subject.selection.offers]
        + [-1]
    )
    if not (kind == 1).any():
        return
    of_link = kind[subject.selection.offer]
    rows = np.flatnonzero(of_link >= 0)
    cage = np.concatenate((subject.a.cage[rows], subject.z.cage[rows]))
    link = np.tile(rows, 2)
    split = np.unique(cage[of_link[link] == 1])
    straight = np.unique(cage[of_link[link] == 0])
    for number in np.intersect1d(split, straight).tolist():
        yield number, np.sort(link[cage == number])


@rule("PRT009", "wrong-airflow", Severity.ERROR)
def wrong_airflow(subject: Subject) -> Iterable[Fault]:
    """A device's air runs against the aisles where it is mounted.

    Why: with its ports in the hot aisle it must blow towards them; else it breathes the racks' exhaust.
    Example: MQM9700-NS2R, whose air goes in at the ports, mounted with its ports at the rack's rear.
    Fix: choose the other airflow, or mount it at the other face.
    Source: `airflow` of the device's member; cold air comes to the racks' fronts.
    """
    found: dict[tuple[str, str], list[int]] = {}
    for number, device in enumerate(subject.layout.devices):
        if device.member.airflow is not None and device.member.airflow is not airflow_wanted(device.mount):
            found.setdefault((device.member.part, device.mount), []).append(number)
    for (part, mount), numbers in found.items():
        first = subject.layout.devices[numbers[0]]
        wanted = airflow_wanted(mount)
        others = [m.part for m in first.chassis.family.members if m.airflow is wanted]
        yield Fault(
            "wrong-airflow",
            f"`{part}` mounted at the {mount} has {first.member.airflow.value if first.member.airflow else ''} airflow, {wanted.value} is needed there",
            first.at,
            note=f"{subject.devices_named(numbers)}; cold air comes to the racks' fronts",
            help=f"use `{others[0]}`" if others else "mount it at the other face",
            objects=tuple(subject.layout.devices[n].name for n in numbers[:50]),
            count=len(numbers),
        )


@rule("PRT010", "two-plugs-in-one-cage", Severity.ERROR)
def two_plugs_in_one_cage(subject: Subject) -> Iterable[Fault]:
    """Pins put two plugs into one cage.

    Why: a cage takes one plug.
    Example: a twin copper cable pinned on both links of a cage that lead to two spines.
    Fix: pin a part that can serve both links of the cage from one plug, or none.
    Source: geometry.
    """
    rows = np.flatnonzero(subject.selection.offer >= 0)
    pinned = rows[subject.pins.pin[rows] >= 0]
    hit = _of_several_plugs(subject, np.unique(np.concatenate((subject.a.cage[pinned], subject.z.cage[pinned]))))
    plugs: dict[int, dict[tuple[str, int], list[int]]] = {}
    for end, cages in (("a", subject.a.cage), ("z", subject.z.cage)):
        for row in rows[np.isin(cages[rows], hit)].tolist():
            option = subject.selection.option_of(row)
            assert option is not None
            _, part = _plug_at(option, end)
            # The plug of a cable is the cable's own: two cables of one part are two plugs.
            cable = int(subject.selection.assembly[row]) if isinstance(part, CableAssembly) else -1
            plugs.setdefault(int(cages[row]), {}).setdefault((part.id, cable), []).append(row)
    by_pin: dict[Spot, list[int]] = {}
    for cage, found in sorted(plugs.items()):
        if len(found) > 1:
            links = np.array(sorted({row for of_plug in found.values() for row in of_plug}), np.int64)
            by_pin.setdefault(subject.place_of(links[subject.pins.pin[links] >= 0]), []).append(cage)
    for at, crowded in by_pin.items():
        found = plugs[crowded[0]]
        links = np.unique([row for cage in crowded for of_plug in plugs[cage].values() for row in of_plug])
        parts = quoted_list(part for part, _ in sorted(found))
        more = f" and {len(crowded) - 1} more cages" if len(crowded) > 1 else ""
        yield Fault(
            "two-plugs-in-one-cage",
            f"`{_cage_name(subject, crowded[0])}`{more} would need {len(found)} plugs at once",
            at,
            note=f"the plugs are of {parts}; {subject.spoken(links)}",
            help="pin a part that serves both links of the cage from one plug, or none",
            objects=subject.named(links),
            count=len(crowded),
        )


def _of_several_plugs(subject: Subject, cages: Ints) -> Ints:
    """Those of the cages that hold plugs of two parts, or of two cables; on columns, since a pin may name a whole tier."""
    numbers: dict[str, int] = {}
    columns = [np.zeros((3, 0), np.int64)]
    for option, rows in subject.groups:
        for end, of_end in (("a", subject.a.cage), ("z", subject.z.cage)):
            mine = rows[np.isin(of_end[rows], cages)]
            _, part = _plug_at(option, end)
            number = np.full(len(mine), numbers.setdefault(part.id, len(numbers)))
            cable = subject.selection.assembly[mine] if isinstance(part, CableAssembly) else np.full(len(mine), -1)
            columns.append(np.stack((cable, number, of_end[mine])).astype(np.int64))
    plugs = np.concatenate(columns, axis=1)
    plugs = plugs[:, np.lexsort(plugs)]
    same_cage = plugs[2, 1:] == plugs[2, :-1]
    other_plug = (plugs[:2, 1:] != plugs[:2, :-1]).any(axis=0)
    return np.unique(plugs[2, 1:][same_cage & other_plug])


@rule("PRT011", "cage-split-two-ways", Severity.ERROR)
def cage_split_two_ways(subject: Subject) -> Iterable[Fault]:
    """The links of one cage want it split in different ways.

    Why: a cage runs in one split; the ports of the other do not exist then.
    Example: one link on `swp1` at 800G and another on `swp1s1` at 400G.
    Fix: give the links ports of one split, or another cage.
    Source: `splits` of the device's cages.
    """
    cage = np.concatenate((subject.a.cage, subject.z.cage))
    kind = np.concatenate((subject.a.kind, subject.z.kind))
    link = np.tile(np.arange(len(subject.links)), 2)
    order = np.lexsort((subject.links.at[link], cage))
    cage, kind, link = cage[order], kind[order], link[order]
    first = np.searchsorted(cage, cage)
    told: set[int] = set()
    for row in np.flatnonzero(kind != kind[first]).tolist():
        number = int(cage[row])
        if number in told:
            continue
        told.add(number)
        mates = np.unique(link[cage == number])
        yield Fault(
            "cage-split-two-ways",
            f"`{_cage_name(subject, number)}` would have to be split in two ways at once",
            int(subject.links.at[link[row]]),
            note=f"`{subject.link_name(int(link[first[row]]))}` and `{subject.link_name(int(link[row]))}` need different splits",
            help="give the links ports of one split, or another cage",
            objects=subject.named(mates),
            count=len(mates),
        )


@rule("PRT012", "port-budget-exceeded", Severity.ERROR)
def port_budget_exceeded(subject: Subject) -> Iterable[Fault]:
    """A group of cages is split into more ports than the switch chip has for them.

    Why: the switch refuses the split, and the links stay down.
    Example: 8 x 100G on both cages of a pipeline that has ten ports.
    Fix: split fewer cages, or spread the links over other cages.
    Source: `port_budgets` of the device.
    """
    if not any(chassis.family.port_budgets for chassis in subject.layout.chassis):
        return
    states: dict[int, dict[str, int]] = {}
    for cages, codes in ((subject.a.cage, subject.a.kind), (subject.z.cage, subject.z.kind)):
        _, rows = np.unique(cages, return_index=True)
        for row in rows.tolist():
            cage = int(cages[row])
            device = int(np.searchsorted(subject.layout.cage_offset, cage, side="right")) - 1
            chassis = subject.layout.devices[device].chassis
            if chassis.family.port_budgets:
                name = chassis.cage_names[cage - int(subject.layout.cage_offset[device])]
                _, group, state = parts_of_cage_kind(int(codes[row]))
                states.setdefault(device, {})[name] = len(chassis.states[group][state].port_names)
    for device, ports in states.items():
        found = subject.layout.devices[device]
        for budget in found.chassis.family.port_budgets:
            asked = {name: count for name, count in ports.items() if name in set(expand_hostlist(budget.cages))}
            total = sum(asked.values())
            if total > budget.max_ports:
                yield Fault(
                    "port-budget-exceeded",
                    f"cages {quoted_list(asked)} of `{found.name}` are split into {total} ports, {budget.max_ports} are allowed",
                    found.at,
                    note=", ".join(f"{name}: {count}" for name, count in list(asked.items())[:12]),
                    help="split fewer cages, or spread the links over other cages",
                    objects=(found.name,),
                )
