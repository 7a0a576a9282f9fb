"""The links that the fabrics ask for: explicit, from CSV, or generated; one table, in the order of the plan.

Ends are numbers of devices and of ports in their family's catalog order; texts are resolved once per distinct text,
so that 300,000 links cost a few array look-ups.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from planner.catalog.chassis import Chassis
from planner.catalog.load import Catalog
from planner.findings import NOWHERE, Fault, Files, Spot, spot
from planner.generators.links import LinkRows, Wires
from planner.generators.make import generated
from planner.layout import Layout
from planner.names import fault_of_name, fold, natural_rank, nearest, quoted_list
from planner.ports.open_links import asked_of, joined_of
from planner.ports.picked import OPEN, A, Asked, Ports, Z
from planner.project import Fabric
from planner.reader import ANY_PORTS, LinkCsv, Sources, YamlMap, YamlSeq, key_spot_at, read_link_csv, spot_at
from planner.table import Codes, Ints, Table, Words
from planner.validation import NAME_HELP, spoken

LINK_KEYS: Final = ("a", "z", "tier")
OPEN_KEY: Final = "ports"
"""Beside these: `any` where the planner picks the ports that the link leaves open."""


@dataclass(frozen=True, slots=True)
class Links(Table):
    """One row a link, in natural order of fabric and then of its four names.

    a is the lower tier (explicit links as written). fabric: position in the project's fabrics.
    at: the link's place in the input.
    """

    fabric: Codes
    tier: Words
    a_device: Ints
    a_port: Ints
    z_device: Ints
    z_port: Ints
    at: Ints


def links_of(
    fabrics: Sequence[Fabric], tree: YamlMap, layout: Layout, catalog: Catalog, sources: Sources, gaps: frozenset[str]
) -> tuple[Links, list[Fault]]:
    """Every link of every fabric; links whose ends are unknown or taken are reported and left out."""
    faults: list[Fault] = []
    tables: list[Links] = []
    asked: list[Asked] = []
    for number, fabric in enumerate(fabrics):
        told = len(faults) + len(sources.faults)
        rows, open_rows = _written(number, fabric, tree, sources, faults)
        forms = catalog.forms(fabric.rate)
        generator: list[Links] = []
        if fabric.generate is not None:
            at = spot_at(tree, ("fabrics", number, "generate"))
            if at == spot_at(tree, ("fabrics", number)):
                at = spot_at(tree, ("fabrics", number, "links", "generate"))
            made, problems = generated(fabric.generate, layout, forms, at, follow_up="devices" not in gaps)
            faults.extend(problems)
            generator = [_numbered(number, made, at)] if made is not None else []
        tables.extend(_resolved(number, row, layout, forms, faults, follow_up="devices" not in gaps) for row in rows)
        tables.extend(generator)
        for row in open_rows:
            at_a, at_z = (
                _devices(names, row.at, layout, faults, follow_up="devices" not in gaps)
                for names in (row.a_device, row.z_device)
            )
            asked += asked_of(row, number, (at_a, at_z), layout, forms, faults)
        if (
            not generator
            and not any(len(row.at) for row in (*rows, *open_rows))
            and told == len(faults) + len(sources.faults)
        ):
            at = spot_at(tree, ("fabrics", number, "name"))
            faults.append(Fault("fabric-without-links", f"fabric `{fabric.name}` has no links", at,
                                help="give it `links` or `generate`", objects=(fabric.name,)))  # fmt: skip
    if asked:
        picked, problems = _with_ports(asked, _joined(tables), layout)
        faults.extend(problems)
        tables.append(picked)
    links = _ordered(_joined(tables), fabrics, layout)
    free, used_twice = _without_used_ports(links, layout, sources.files)
    return free, [*faults, *used_twice]


def _numbered(number: int, made: Wires, at: Spot) -> Links:
    """Links of a generator, all stated at its one place."""
    count = len(made)
    return Links(
        fabric=np.full(count, number, np.int32),
        tier=made.tier,
        a_device=made.a_device,
        a_port=made.a_port,
        z_device=made.z_device,
        z_port=made.z_port,
        at=np.full(count, at, np.int64),
    )


def rails_of(layout: Layout, links: Links) -> Ints:
    """The rail of each link: that of its server's port (`rails` of the device), -1 where neither end has one."""
    families = layout.chassis
    starts = np.concatenate(([0], np.cumsum([len(family.port_names) for family in families]))).astype(np.int64)
    rail = np.concatenate([np.zeros(0, np.int64), *(family.port_rail for family in families)])
    if not len(links):
        return np.zeros(0, np.int64)
    a, z = (
        rail[starts[layout.device_chassis[device]] + port]
        for device, port in ((links.a_device, links.a_port), (links.z_device, links.z_port))
    )
    found: Ints = np.where(a >= 0, a, z)
    return found


def link_id(links: Links, layout: Layout, row: int) -> str:
    """`a_device:a_port--z_device:z_port` of one link."""
    a, z = layout.devices[int(links.a_device[row])], layout.devices[int(links.z_device[row])]
    a_port = a.chassis.port_names[int(links.a_port[row])]
    z_port = z.chassis.port_names[int(links.z_port[row])]
    return f"{a.name}:{a_port}--{z.name}:{z_port}"


def link_ids(links: Links, layout: Layout) -> list[str]:
    """The ID of every link."""
    names = [device.name for device in layout.devices]
    ports = [device.chassis.port_names for device in layout.devices]
    columns = (links.a_device.tolist(), links.a_port.tolist(), links.z_device.tolist(), links.z_port.tolist())
    return [f"{names[a]}:{ports[a][p]}--{names[z]}:{ports[z][q]}" for a, p, z, q in zip(*columns, strict=True)]


def _with_ports(asked: Sequence[Asked], fixed: Links, layout: Layout) -> tuple[Links, list[Fault]]:
    """The links that leave ports open, with the ports picked for them; those that find none are told and left out."""
    on = [device for link in asked for device in link.device]
    columns = {name: getattr(fixed, name) for name in ("a_device", "a_port", "z_device", "z_port")}
    ports = Ports(layout, asked, joined_of(columns, fixed.tier, on))
    faults = ports.pick()
    done = [n for n in range(len(asked)) if OPEN not in (ports.port[n, A], ports.port[n, Z])]

    def column(values: Iterable[int]) -> Ints:
        return np.array(list(values), np.int64)

    links = Links(
        fabric=column(asked[n].fabric for n in done).astype(np.int32),
        tier=Words.of([asked[n].tier for n in done]),
        a_device=column(asked[n].device[A] for n in done),
        a_port=column(ports.port[n, A] for n in done),
        z_device=column(asked[n].device[Z] for n in done),
        z_port=column(ports.port[n, Z] for n in done),
        at=column(asked[n].at for n in done),
    )
    return links, faults


def _written(
    number: int, fabric: Fabric, tree: YamlMap, sources: Sources, faults: list[Fault]
) -> tuple[list[LinkRows], list[LinkRows]]:
    """Rows of a fabric's `links`, a list of links or the CSV that it names: those with their ports, and those without."""
    written: Any = fabric.links
    loc = ("fabrics", number, "links")
    if written is None:
        return [], []
    if isinstance(written, YamlSeq):
        return _explicit(written, faults)
    if isinstance(written, YamlMap) and set(written) == {"from"} and isinstance(written["from"], str):
        at = spot_at(tree, (*loc, "from"))
        read = read_link_csv(sources, written["from"], at)
        return ([], []) if read is None else _from_csv(read, faults)
    help_text = "give a list of `{a, z, tier}`, or `{from: FILE}`, or `{generate: ...}`"
    faults.append(
        Fault("invalid-value", f"the links of `{fabric.name}` are in no known form", spot_at(tree, loc), help=help_text)
    )
    return [], []


def _explicit(items: YamlSeq, faults: list[Fault]) -> tuple[list[LinkRows], list[LinkRows]]:
    right: list[tuple[str, str, str, str, str, bool, Spot]] = []
    for item, where in zip(items, items.spots, strict=True):
        problems = list(_form_faults(item, where))
        if problems:
            faults.extend(problems)
            continue
        a, _, p = item["a"].partition(":")  # type: ignore[index, union-attr, call-overload]
        z, _, q = item["z"].partition(":")  # type: ignore[index, union-attr, call-overload]
        tier: str = item["tier"]  # type: ignore[index, assignment, call-overload]
        is_open = OPEN_KEY in item  # type: ignore[operator]
        right.append((a.strip(), p.strip(), z.strip(), q.strip(), tier, is_open, where))
    fixed, without = [row for row in right if not row[5]], [row for row in right if row[5]]
    return _rows_of(fixed), _rows_of(without)


def _rows_of(rows: Sequence[tuple[str, str, str, str, str, bool, Spot]]) -> list[LinkRows]:
    if not rows:
        return []
    a_device, a_port, z_device, z_port, tier, _, at = zip(*rows, strict=True)
    return [LinkRows(a_device, a_port, z_device, z_port, tier, np.array(at, np.int64))]


def _form_faults(item: object, where: Spot) -> Iterator[Fault]:
    """What is wrong with the form of one explicit link."""
    if not isinstance(item, YamlMap):
        message = f"a link is a mapping, {spoken(item)} stands here"
        yield Fault("invalid-value", message, where, help="write `{a: DEVICE:PORT, z: DEVICE:PORT, tier: NAME}`")
        return
    for key in item:
        if key not in LINK_KEYS and key != OPEN_KEY:
            meant = nearest(key, (*LINK_KEYS, OPEN_KEY))
            help_text = f"did you mean `{meant}`?" if meant else "known here: `a`, `ports`, `tier`, `z`"
            yield Fault("unknown-key", f"unknown key `{key}`", key_spot_at(item, (key,)), help=help_text)
    for key in LINK_KEYS:
        if key not in item:
            yield Fault("missing-key", f"the key `{key}` is missing in a link", where, help="add it")
    ports = item.get(OPEN_KEY)
    if OPEN_KEY in item and not (isinstance(ports, str) and ports.lower() == ANY_PORTS):
        message = f"`{OPEN_KEY}` is {spoken(ports)}, `{ANY_PORTS}` is wanted"
        yield Fault(
            "invalid-value", message, spot_at(item, (OPEN_KEY,)), help="write `ports: any`, or leave the key out"
        )
    form = _OPEN_END if OPEN_KEY in item else _END
    for key in ("a", "z"):
        text = item.get(key)
        if key in item and not (isinstance(text, str) and form.fullmatch(text)):
            message = f"`{key}` is {spoken(text)}, `device:port` is wanted"
            advice = "write as in `leaf-1:1/1`"
            if isinstance(text, str) and _OPEN_END.fullmatch(text):
                advice += ", or add `ports: any` for a port that the planner picks"
            yield Fault("invalid-value", message, spot_at(item, (key,)), help=advice)
    if "tier" in item and (problem := _tier_fault(item["tier"], spot_at(item, ("tier",)))):
        yield problem


_END: Final = re.compile(r"\s*[^:\s][^:]*:\s*\S.*", re.DOTALL)
_OPEN_END: Final = re.compile(r"\s*[^:\s][^:]*(:\s*\S.*)?", re.DOTALL)


def _tier_fault(tier: object, at: Spot) -> Fault | None:
    reason = fault_of_name(tier) if isinstance(tier, str) else "it is not a text"
    if not reason:
        return None
    return Fault("invalid-name", f"{spoken(tier)} is not a tier's name: {reason}", at, help=NAME_HELP)


def _from_csv(read: LinkCsv, faults: list[Fault]) -> tuple[list[LinkRows], list[LinkRows]]:
    base = spot(read.file, 0, 0)
    at = base + (np.array(read.lines, np.int64) << 20) + 1
    tier = [name or "link" for name in read.tier] if "" in read.tier else read.tier
    for name in dict.fromkeys(tier):
        problem = _tier_fault(name, int(at[tier.index(name)]))
        if problem:
            faults.append(problem)
            wrong = np.array([other == name for other in tier])
            tier = ["link" if bad else other for bad, other in zip(wrong.tolist(), tier, strict=True)]
    whole = LinkRows(read.a_device, read.a_port, read.z_device, read.z_port, tier, at)
    if not any(read.ports):
        return [whole], []
    fixed = [row for row, ports in enumerate(read.ports) if not ports]
    without = [row for row, ports in enumerate(read.ports) if ports]
    return _taken(whole, fixed), _taken(whole, without)


def _taken(rows: LinkRows, chosen: list[int]) -> list[LinkRows]:
    """Some of the rows, in a list of one; an empty list for none."""
    if not chosen:
        return []
    columns = (rows.a_device, rows.a_port, rows.z_device, rows.z_port, rows.tier)
    a_device, a_port, z_device, z_port, tier = ([column[row] for row in chosen] for column in columns)
    return [LinkRows(a_device, a_port, z_device, z_port, tier, rows.at[chosen])]


def _resolved(
    number: int, rows: LinkRows, layout: Layout, forms: Sequence[str], faults: list[Fault], *, follow_up: bool
) -> Links:
    """Names to numbers; rows with an unknown device or port are reported, once a name, and left out.

    forms: ids of the rates that tell apart ports of one name, where a cage can be split in several ways.
    """
    a_device = _devices(rows.a_device, rows.at, layout, faults, follow_up=follow_up)
    z_device = _devices(rows.z_device, rows.at, layout, faults, follow_up=follow_up)
    a_port = _ports(a_device, rows.a_port, rows.at, layout, forms, faults)
    z_port = _ports(z_device, rows.z_port, rows.at, layout, forms, faults)
    known = (a_port >= 0) & (z_port >= 0)
    whole = Links(
        fabric=np.full(len(rows.at), number, np.int32),
        tier=Words.of(rows.tier),
        a_device=a_device,
        a_port=a_port,
        z_device=z_device,
        z_port=z_port,
        at=rows.at,
    )
    return whole if known.all() else whole.take(np.flatnonzero(known))


def _devices(names: Sequence[str], at: Ints, layout: Layout, faults: list[Fault], *, follow_up: bool) -> Ints:
    """Number of each named device; -1 and one fault a name where there is none."""
    words = Words.of(names)
    index = layout.device_index
    numbers = np.array([index.get(fold(word), -1) for word in words.vocabulary], np.int64)
    for code in np.flatnonzero(numbers < 0).tolist() if follow_up else []:
        rows = np.flatnonzero(words.codes == code)
        word = words.vocabulary[code]
        meant = nearest(word, (device.name for device in layout.devices[:2000]))
        faults.append(
            Fault(
                "unknown-device",
                f"device `{word}` is not declared",
                int(at[rows[0]]),
                help=f"did you mean `{meant}`?" if meant else "declare it under `devices`",
                objects=(word,),
                count=len(rows),
            )
        )
    return numbers[words.codes] if len(words) else np.zeros(0, np.int64)


def _ports(
    device: Ints, names: Sequence[str], at: Ints, layout: Layout, forms: Sequence[str], faults: list[Fault]
) -> Ints:
    """Number of each named port in its device's family; -1 and one fault a family and name where there is none."""
    words = Words.of(names)
    if not len(words):
        return np.zeros(0, np.int64)
    family = np.where(device >= 0, layout.device_chassis[device] if len(layout.devices) else -1, -1)
    pairs, inverse = np.unique(family * len(words.vocabulary) + words.codes, return_inverse=True)
    numbers = np.full(len(pairs), -1, np.int64)
    for position, pair in enumerate(pairs.tolist()):
        which, code = divmod(pair, len(words.vocabulary))
        if which < 0:
            continue
        chassis, word = layout.chassis[which], words.vocabulary[code]
        numbers[position] = chassis.port_for(word, forms)
        if numbers[position] < 0:
            rows = np.flatnonzero(inverse == position)
            meant = nearest(word, chassis.port_names)
            faults.append(
                Fault(
                    "unknown-port",
                    f"`{chassis.id}` has no port `{word}`",
                    int(at[rows[0]]),
                    note=f"asked for on {quoted_list(_names_of(device, rows, layout))}",
                    help=_advice(word, meant) + _ports_of(chassis),
                    objects=tuple(f"{name}:{word}" for name in _names_of(device, rows, layout)),
                    count=len(rows),
                )
            )
    return numbers[inverse]


def _advice(word: str, meant: str | None) -> str:
    if "[" in word:
        return "a link names one port at each end: write a row a link, `ports: any` or a generator; "
    return f"did you mean `{meant}`? " if meant else ""


def _ports_of(chassis: Chassis) -> str:
    if not chassis.port_names:
        return "the catalog gives it no ports"
    return f"its ports run from `{chassis.port_names[0]}` to `{chassis.port_names[-1]}`"


def _names_of(device: Ints, rows: Ints, layout: Layout) -> list[str]:
    return [layout.devices[int(device[row])].name for row in rows[:20]]


def _joined(tables: Sequence[Links]) -> Links:
    """Several tables under one another, their tiers in one vocabulary."""
    vocabulary: dict[str, int] = {}
    tiers: list[Codes] = [np.zeros(0, np.int32)]
    for table in tables:
        codes = np.array([vocabulary.setdefault(w, len(vocabulary)) for w in table.tier.vocabulary], np.int32)
        tiers.append(codes[table.tier.codes] if len(table) else np.zeros(0, np.int32))

    def column(name: str, kind: type[np.integer[Any]]) -> Any:
        return np.concatenate([np.zeros(0, kind), *(getattr(table, name) for table in tables)])

    return Links(
        fabric=column("fabric", np.int32),
        tier=Words(np.concatenate(tiers), tuple(vocabulary)),
        a_device=column("a_device", np.int64),
        a_port=column("a_port", np.int64),
        z_device=column("z_device", np.int64),
        z_port=column("z_port", np.int64),
        at=column("at", np.int64),
    )


def _ordered(links: Links, fabrics: Sequence[Fabric], layout: Layout) -> Links:
    """Natural order of fabric, then of the link's ID, compared name by name."""
    if not len(links):
        return links
    by_name = natural_rank(fabric.name for fabric in fabrics)
    fabric_rank = np.array([by_name[fabric.name] for fabric in fabrics], np.int64)
    port_rank = _port_rank(layout)
    keys = (
        port_rank[layout.port_offset[links.z_device] + links.z_port],
        layout.device_rank[links.z_device],
        port_rank[layout.port_offset[links.a_device] + links.a_port],
        layout.device_rank[links.a_device],
        fabric_rank[links.fabric],
    )
    return links.take(np.lexsort(keys))


def _port_rank(layout: Layout) -> Ints:
    """Each port's place in the natural order of all port names of the room."""
    rank = natural_rank(name for chassis in layout.chassis for name in chassis.port_names)
    ranks = [np.array([rank[name] for name in chassis.port_names], np.int64) for chassis in layout.chassis]
    return np.concatenate([np.zeros(0, np.int64), *(ranks[c] for c in layout.device_chassis.tolist())])


def _without_used_ports(links: Links, layout: Layout, files: Files) -> tuple[Links, list[Fault]]:
    """Each port in one link: a later link on a used port is left out, one fault a port that names both places."""
    a = layout.port_offset[links.a_device] + links.a_port if len(links) else np.zeros(0, np.int64)
    z = layout.port_offset[links.z_device] + links.z_port if len(links) else np.zeros(0, np.int64)
    ports = np.concatenate((a, z))
    rows = np.tile(np.arange(len(links)), 2)
    # The link that stands first in the input keeps the port, whatever the order of names says.
    order = np.lexsort((rows, links.at[rows], ports))
    again = np.zeros(len(ports), bool)
    again[1:] = ports[order][1:] == ports[order][:-1]
    if not again.any():
        return links, []
    first_of = np.maximum.accumulate(np.where(again, 0, np.arange(len(ports))))
    # By the later link's place: a link stated twice uses two ports twice, and a generator all of its links at one place.
    by_place: dict[int, list[tuple[int, int, int]]] = {}
    for position in np.flatnonzero(again).tolist():
        row, first = int(rows[order[position]]), int(rows[order[first_of[position]]])
        by_place.setdefault(int(links.at[row]), []).append((int(ports[order[position]]), row, first))
    faults = [_used_twice(links, layout, files, at, uses) for at, uses in by_place.items()]
    keep = np.ones(len(links), bool)
    keep[rows[order[again]]] = False
    return links.take(np.flatnonzero(keep)), faults


def _used_twice(links: Links, layout: Layout, files: Files, at: Spot, uses: Sequence[tuple[int, int, int]]) -> Fault:
    """One fault for all ports that are used again at a place; uses: port, link and the link before it."""
    names = [_port_name(layout, port) for port, _, _ in uses]
    _, row, first = uses[0]
    message, note = f"both ends of a link are the port `{names[0]}`", ""
    advice = "give one of them another port"
    if row != first:
        count = len(set(names))
        what = f"port `{names[0]}` is" if count == 1 else f"ports {quoted_list(dict.fromkeys(names), 2)} are"
        message = f"{what} used by two links"
        where = files.span(int(links.at[first])) or "the generator"
        note = f"first by `{link_id(links, layout, first)}` at {where}, then by `{link_id(links, layout, row)}`"
        if {links.a_device[row], links.z_device[row]} == {links.a_device[first], links.z_device[first]} and count == 2:
            advice = "remove one of the two, or give it other ports"
    objects = tuple(dict.fromkeys(names))[:50]
    return Fault("port-used-twice", message, at, note=note, help=advice, objects=objects, count=len(set(names)))


def _port_name(layout: Layout, port: int) -> str:
    """`device:port` of a port numbered through the room."""
    device = int(np.searchsorted(layout.port_offset, port, side="right")) - 1
    found = layout.devices[device]
    return f"{found.name}:{found.chassis.port_names[port - int(layout.port_offset[device])]}"


__all__ = ["NOWHERE", "Links", "link_id", "link_ids", "links_of"]
