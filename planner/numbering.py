"""Cables, their ends and the plugs of a plan, numbered in link order, with what their labels say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from planner.catalog.fibre import Cord
from planner.catalog.load import Catalog
from planner.catalog.plugs import CableAssembly, Transceiver
from planner.catalog.structured import Trunk
from planner.layout import CageOfPort, Layout, parts_of_cage_kind
from planner.panel_cables import PanelCables, PartKey, PartNumbers, PhaseOf
from planner.plan import ABSENT, CableTable, EndTable, LinkCableTable, PlugLinkTable, PlugTable, TrunkLegTable
from planner.selection.choose import Selection
from planner.selection.options import SPLITTER, Option
from planner.table import Ints, Mask, Words
from planner.topology import Links


@dataclass(frozen=True, slots=True)
class Numbered:
    """The physical things of a plan.

    cable_of_link: first row of `cables` of each link's assembly, ABSENT where a link is unresolved.
    """

    cables: CableTable
    ends: EndTable
    link_cables: LinkCableTable
    trunk_legs: TrunkLegTable
    plugs: PlugTable
    plug_links: PlugLinkTable
    cable_of_link: Ints


@dataclass(frozen=True, slots=True)
class Ends:
    """Where the ends of links are, as numbers."""

    a: CageOfPort
    z: CageOfPort


def numbered(
    links: Links,
    ends: Ends,
    layout: Layout,
    selection: Selection,
    route: Ints,
    phases: PhaseOf,
    parts: PartNumbers,
    *,
    fill_all_cages: bool,
    panels: PanelCables | None = None,
) -> Numbered:
    """Number everything; route: row of the plan's routes by link, phases: tells a device's phase.

    panels: cords and trunks of the links that are led over panels.
    """
    whole = selection
    if panels is not None:
        selection = _without(selection, panels.links)
    first = _first_links(selection)
    cords = np.array([option.cords for option in selection.offers] or [1], np.int64)[selection.offer[first]]
    cables = _cables(links, layout, selection, first, cords, route, phases, parts)
    end_table = _side_by_side(_ends(links, ends, layout, selection, first), cords)
    plugs, plug_links = _plugs(links, ends, layout, whole, phases, parts)
    if fill_all_cages:
        plugs = _filled(plugs, layout, whole, phases, parts)
    start = np.concatenate((np.cumsum(cords) - cords, [ABSENT]))  # assembly -1 reads the last
    cable_of_link = start[selection.assembly]
    if panels is None:
        nothing = np.zeros(0, np.int64)
        none = Words.of([])
        link_cables = LinkCableTable(nothing, nothing, nothing, nothing, nothing)
        trunk_legs = TrunkLegTable(nothing, nothing, nothing, nothing, nothing, nothing, none, none)
        return Numbered(cables, end_table, link_cables, trunk_legs, plugs, plug_links, cable_of_link)
    first_link = np.repeat(first, cords)
    made = panels.merged(cables, end_table, first_link, cable_of_link, links, layout, phases, parts)
    bundled = replace(made.cables, bundle=_bundles(made.cables.rack_a, made.cables.rack_z, made.cables.route))
    return Numbered(bundled, made.ends, made.link_cables, made.trunk_legs, plugs, plug_links, made.cable_of_link)


def _without(selection: Selection, links: Ints) -> Selection:
    """The choice without the cables of some links; the other assemblies keep their order."""
    assembly = selection.assembly.copy()
    assembly[links] = -1
    rows = np.flatnonzero(assembly >= 0)
    assembly[rows] = np.unique(assembly[rows], return_inverse=True)[1]
    return replace(selection, assembly=assembly)


def _first_links(selection: Selection) -> Ints:
    """First link of each assembly."""
    rows = np.flatnonzero(selection.assembly >= 0)
    assemblies, first = np.unique(selection.assembly[rows], return_index=True)
    assert len(assemblies) == 0 or int(assemblies[-1]) == len(assemblies) - 1
    return rows[first]


def _cables(
    links: Links,
    layout: Layout,
    selection: Selection,
    first_link: Ints,
    cords: Ints,
    route: Ints,
    phases: PhaseOf,
    parts: PartNumbers,
) -> CableTable:
    """A row a cable; an assembly of several cords has as many rows. first_link, cords: of each assembly.

    A cable is there with the first of its links that is built.
    """
    first = np.repeat(first_link, cords)
    assembly_id = np.repeat(np.cumsum(cords) - cords + 1, cords)
    phase = np.full(len(first_link), np.iinfo(np.int64).max, np.int64)
    served = np.flatnonzero(selection.assembly >= 0)
    np.minimum.at(phase, selection.assembly[served], phases.of_links(links)[served])
    rack = np.array([device.rack for device in layout.devices] or [0], np.int64)
    rack_a, rack_z = rack[links.a_device[first]], rack[links.z_device[first]]
    keys = selection.offer[first] * 4096 + selection.member[first]
    part = np.zeros(len(first), np.int64)
    for key in dict.fromkeys(keys.tolist()):
        offer, member = divmod(key, 4096)
        part[keys == key] = parts.number(selection.offers[offer].cable.id, member)
    return CableTable(
        cable_id=np.arange(1, len(first) + 1, dtype=np.int64),
        part=part,
        assembly_id=assembly_id,
        rack_a=rack_a,
        rack_z=rack_z,
        route=route[first],
        bundle=_bundles(rack_a, rack_z, route[first]),
        phase=np.repeat(phase, cords),
    )


def _bundles(rack_a: Ints, rack_z: Ints, route: Ints) -> Ints:
    """Cables between the same two racks by the same way are pulled together; bundles count from 1 in link order."""
    if not len(rack_a):
        return np.zeros(0, np.int64)
    low, high = np.minimum(rack_a, rack_z), np.maximum(rack_a, rack_z)
    _, first, bundle = np.unique(np.stack((low, high, route)), axis=1, return_index=True, return_inverse=True)
    number = np.empty(len(first), np.int64)
    number[np.argsort(first, kind="stable")] = np.arange(1, len(first) + 1)
    return number[bundle.reshape(-1)]


def _ends(links: Links, ends: Ends, layout: Layout, selection: Selection, first: Ints) -> EndTable:
    """Ends of every cable: a before z, the legs of a splitter in catalog order, unused legs without a device.

    Most cables serve one link and have two ends: those are columns. The others are spelled one by one.
    """
    names = _EndNames(links, layout, _cable_turned(ends, selection, first))
    split = np.array([option.shape == SPLITTER for option in selection.offers] + [False])[selection.offer[first]]
    served = np.bincount(selection.assembly[selection.assembly >= 0], minlength=len(first))
    plain = np.flatnonzero((served == 1) & ~split)
    odd = np.flatnonzero((served != 1) | split)
    spelled = [
        list(names.ends(rows, selection.offers[int(selection.offer[rows[0]])]))
        for rows in _links_by_assembly(selection, odd, len(first))
    ]
    sizes = np.full(len(first), 2, np.int64)
    sizes[odd] = [len(found) for found in spelled]
    start = np.concatenate(([0], np.cumsum(sizes)))
    labels, ports, places = ({"a": 0, "z": 1}, dict[str, int](), dict[str, int]())
    device = np.empty(int(start[-1]), np.int64)
    label, port, near, far = (np.empty(len(device), np.int32) for _ in range(4))

    at_a, at_z = start[plain], start[plain] + 1
    for at, letter, side in ((at_a, 0, names.a), (at_z, 1, names.z)):
        devices, which = (column[first[plain]] for column in side)
        device[at], label[at] = devices, letter
        port[at] = names.port_codes(devices, which, ports)
        near[at] = [places.setdefault(text, len(places)) for text in names.texts(devices, which)]
    far[at_a], far[at_z] = near[at_z], near[at_a]
    for begin, found in zip(start[odd].tolist(), spelled, strict=True):
        texts = [place for _, _, _, place in found]
        for i, (end, number, name, place) in enumerate(found):
            others = texts[1:] if i == 0 else texts[:1]
            seen = " + ".join(text for text in others if text) if number >= 0 else ""
            device[begin + i] = number
            label[begin + i] = labels.setdefault(end, len(labels))
            port[begin + i] = ports.setdefault(name, len(ports))
            near[begin + i] = places.setdefault(place, len(places))
            far[begin + i] = places.setdefault(seen, len(places))
    spots = tuple(places)
    return EndTable(
        np.repeat(np.arange(len(first), dtype=np.int64), sizes),
        Words(label, tuple(labels)),
        device,
        Words(port, tuple(ports)),
        Words(near, spots),
        Words(far, spots),
    )


def _side_by_side(table: EndTable, cords: Ints) -> EndTable:
    """Ends of assemblies to ends of cables: an assembly of several cords has its ends once a cord, numbered 1/2, 2/2."""
    start = np.cumsum(cords) - cords
    if not len(cords) or int(cords.max()) == 1:
        return replace(table, cable=start[table.cable] if len(cords) else table.cable)
    rows: list[int] = []
    cable: list[int] = []
    beside: list[str] = []
    bounds = np.searchsorted(table.cable, np.arange(len(cords) + 1)).tolist()
    for assembly, count in enumerate(cords.tolist()):
        for cord in range(count):
            of_cord = range(bounds[assembly], bounds[assembly + 1])
            rows.extend(of_cord)
            cable.extend([int(start[assembly]) + cord] * len(of_cord))
            beside.extend([f" {cord + 1}/{count}" if count > 1 else ""] * len(of_cord))
    spread = table.take(np.array(rows, np.int64))

    def marked(words: Words) -> Words:
        return Words.of([text and text + mark for text, mark in zip(words.tolist(), beside, strict=True)])

    return replace(spread, cable=np.array(cable, np.int64), near=marked(spread.near), far=marked(spread.far))


def _cable_turned(ends: Ends, selection: Selection, first: Ints) -> Mask:
    """Whether a link's end a lies at its cable's end z.

    So it is where a splitter's head stands at z, and where a link runs against the first link of its cable (explicit
    links are taken as written).
    """
    split = np.array([option.shape == SPLITTER for option in selection.offers] + [False])[selection.offer]
    head_at_z = np.array([option.head_at_z for option in selection.offers] + [False])[selection.offer]
    # Without a cable (-1) any will do: nobody asks.
    against = ends.a.cage != ends.a.cage[first[selection.assembly]] if len(first) else np.zeros(len(split), bool)
    turned: Mask = np.where(split, head_at_z, against)
    return turned


def _links_by_assembly(selection: Selection, wanted: Ints, count: int) -> Iterator[list[int]]:
    """Rows of the links of each wanted assembly."""
    rows = np.flatnonzero(selection.assembly >= 0)
    order = rows[np.argsort(selection.assembly[rows], kind="stable")]
    bounds = np.searchsorted(selection.assembly[order], np.arange(count + 1))
    for low, high in zip(bounds[wanted].tolist(), bounds[wanted + 1].tolist(), strict=True):
        yield order[low:high].tolist()


class _EndNames:
    """Names and label texts of the ends of cables; a and z (device and port, by link) are the cable's."""

    def __init__(self, links: Links, layout: Layout, turned: Mask) -> None:
        a, z = (links.a_device, links.a_port), (links.z_device, links.z_port)
        self.a = tuple(np.where(turned, there, here) for here, there in zip(a, z, strict=True))
        self.z = tuple(np.where(turned, here, there) for here, there in zip(a, z, strict=True))
        self.chassis = layout.chassis
        self.family = layout.device_chassis
        self.ports = [device.chassis.port_names for device in layout.devices]
        self.halves = [device.chassis.port_half for device in layout.devices]
        self.places = [f"{layout.racks[device.rack].name}-U{device.u:02d}" for device in layout.devices]

    def texts(self, device: Ints, port: Ints) -> list[str]:
        """Label text of each given port."""
        pairs = zip(device.tolist(), port.tolist(), strict=True)
        return [f"{self.places[d]}:{self.ports[d][p]}" for d, p in pairs]

    def port_codes(self, device: Ints, port: Ints, words: dict[str, int]) -> Ints:
        """Codes of the printed names of given ports, which `words` gathers."""
        codes = np.empty(len(device), np.int64)
        family = self.family[device] if len(device) else device
        for number in np.unique(family).tolist():
            mine = np.flatnonzero(family == number)
            names = self.chassis[number].port_names
            code_of = np.array([words.setdefault(name, len(words)) for name in names], np.int64)
            codes[mine] = code_of[port[mine]]
        return codes

    def ends(self, rows: Sequence[int], option: Option) -> Iterator[tuple[str, int, str, str]]:
        """Each end of one cable: its name, device, ports and label text."""
        if option.shape != SPLITTER:
            yield self._end("a", self.a, rows)
            yield self._end("z", self.z, rows)
            return
        yield self._end("a", self.a, rows)
        for leg, on_leg in enumerate(self._legs(rows, option), start=1):
            yield self._end(f"z{leg}", self.z, on_leg) if on_leg else (f"z{leg}", ABSENT, "", "")

    def _legs(self, rows: Sequence[int], option: Option) -> Iterator[list[int]]:
        """The links on each leg, in the order of the catalog: the ports of the head's cage, or of its receptacle, in turn."""
        cable = option.cable
        count = len(cable.legs or (1,)) if isinstance(cable, Cord) else cable.z_count
        halves = {row: int(self.halves[int(self.a[0][row])][int(self.a[1][row])]) for row in rows}
        for leg in range(count):
            yield [row for row in rows if (halves[row] - 1) % option.ports // option.ports_a_leg == leg]

    def _end(self, end: str, side: tuple[Ints, ...], rows: Sequence[int]) -> tuple[str, int, str, str]:
        device = int(side[0][rows[0]])
        names = [self.ports[device][int(side[1][row])] for row in rows]
        return end, device, ";".join(names), f"{self.places[device]}:{'+'.join(names)}"


def _plugs(
    links: Links, ends: Ends, layout: Layout, selection: Selection, phases: PhaseOf, parts: PartNumbers
) -> tuple[PlugTable, PlugLinkTable]:
    """A plug for each cage in use, in order of device and cage; two in one cage where pins demand it."""
    rows = np.flatnonzero(selection.offer >= 0)
    part_a, part_z = _plug_parts(selection, parts, "a"), _plug_parts(selection, parts, "z")
    cage = np.concatenate((ends.a.cage[rows], ends.z.cage[rows]))
    kind = np.concatenate((ends.a.kind[rows], ends.z.kind[rows]))
    part = np.concatenate((part_a[rows], part_z[rows]))
    device = np.concatenate((links.a_device[rows], links.z_device[rows]))
    link = np.tile(rows, 2)
    phase = np.tile(phases.of_links(links)[rows], 2)
    rank = layout.device_rank[device] if len(device) else device
    order = np.lexsort((link, part, cage, rank))
    cage, kind, part, device, link, phase = (column[order] for column in (cage, kind, part, device, link, phase))
    begins = np.ones(len(cage), bool)
    begins[1:] = (cage[1:] != cage[:-1]) | (part[1:] != part[:-1])
    plug = np.cumsum(begins) - 1
    start = np.flatnonzero(begins)
    used = np.bincount(plug, minlength=len(start)) if len(plug) else np.zeros(0, np.int64)
    local = cage[start] - layout.cage_offset[device[start]]
    names = _cage_names(layout, device[start], local)
    free = _capacity(layout, kind[start]) - used
    built = np.minimum.reduceat(phase, start) if len(start) else phase
    table = PlugTable(device[start], Words.of(names), part[start], free, built)
    return table, PlugLinkTable(plug.astype(np.int64), link)


def _plug_parts(selection: Selection, parts: PartNumbers, end: str) -> Ints:
    """Part of the plug at one end of each link: the transceiver, or the cable whose own plug it is."""
    found = np.full(len(selection.offer), ABSENT, np.int64)
    for offer in np.unique(selection.offer[selection.offer >= 0]).tolist():
        option = selection.offers[offer]
        plug = option.a_plug if end == "a" else option.z_plug
        mine = np.flatnonzero(selection.offer == offer)
        if plug is not None:
            found[mine] = parts.number(plug.id)
            continue
        for member in np.unique(selection.member[mine]).tolist():
            found[mine[selection.member[mine] == member]] = parts.number(option.cable.id, member)
    return found


def _cage_names(layout: Layout, device: Ints, cage: Ints) -> list[str]:
    """Printed name of given cages of given devices."""
    family = layout.device_chassis[device] if len(device) else device
    return [layout.chassis[f].cage_names[c] for f, c in zip(family.tolist(), cage.tolist(), strict=True)]


def _capacity(layout: Layout, kind: Ints) -> Ints:
    """Number of ports of cages by the code of their kind, split as they are."""
    codes, inverse = np.unique(kind, return_inverse=True)
    sizes = []
    for code in codes.tolist():
        family, group, state = parts_of_cage_kind(code)
        sizes.append(len(layout.chassis[family].states[group][state].port_names))
    return np.array(sizes, np.int64)[inverse] if len(kind) else np.zeros(0, np.int64)


def _filled(
    plugs: PlugTable,
    layout: Layout,
    selection: Selection,
    phases: PhaseOf,
    parts: PartNumbers,
) -> PlugTable:
    """The same transceiver in every cage of a switch's group as in most of those that have one."""
    key_of = {number: key for key, number in parts.numbers.items()}
    optics = {option.a_plug.id for option in selection.offers if option.a_plug} | {
        option.z_plug.id for option in selection.offers if option.z_plug
    }
    by_device: dict[int, list[tuple[str, int]]] = {}
    for device, cage, part in zip(plugs.device.tolist(), plugs.cage.tolist(), plugs.part.tolist(), strict=True):
        by_device.setdefault(device, []).append((cage, part))
    rows = list(
        zip(
            plugs.device.tolist(),
            plugs.cage.tolist(),
            plugs.part.tolist(),
            plugs.free_halves.tolist(),
            plugs.phase.tolist(),
            strict=True,
        )
    )
    for device, taken in by_device.items():
        chassis = layout.devices[device].chassis
        if chassis.family.kind != "switch":
            continue
        group_of = {name: int(group) for name, group in zip(chassis.cage_names, chassis.cage_group, strict=True)}
        full = {cage for cage, _ in taken}
        for group in sorted(set(group_of.values())):
            counts: dict[int, int] = {}
            for cage, part in taken:
                if group_of[cage] == group and key_of[part][0] in optics:
                    counts[part] = counts.get(part, 0) + 1
            if not counts:
                continue
            usual = min(counts, key=lambda part: (-counts[part], key_of[part]))
            halves = len(chassis.states[group][0].port_names)
            phase = int(phases.of_device[device])
            rows += [
                (device, cage, usual, halves, phase)
                for cage in chassis.cage_names
                if group_of[cage] == group and cage not in full
            ]
    place = {
        (device, name): i for device in by_device for i, name in enumerate(layout.devices[device].chassis.cage_names)
    }
    rank = layout.device_rank
    # Links refer to plugs by row, so that filled cages come after the plugs in use.
    used = len(plugs)
    added = sorted(rows[used:], key=lambda row: (int(rank[row[0]]), place[(row[0], row[1])]))
    rows = rows[:used] + added
    device_column, cage_column, part_column, free_column, phase_column = zip(*rows, strict=True)
    return PlugTable(
        np.array(device_column, np.int64),
        Words.of(cage_column),
        np.array(part_column, np.int64),
        np.array(free_column, np.int64),
        np.array(phase_column, np.int64),
    )


CablePart = Transceiver | CableAssembly | Cord | Trunk


def family_of(key: PartKey, catalog: Catalog) -> CablePart:
    """The catalog family of a numbered cable, trunk or transceiver."""
    id_ = key[0]
    shelves: tuple[Mapping[str, CablePart], ...] = (catalog.transceivers, catalog.cables, catalog.cords)
    for shelf in shelves:
        if id_ in shelf:
            return shelf[id_]
    trunk = catalog.structured.get(id_)
    if isinstance(trunk, Trunk):
        return trunk
    raise KeyError(id_)
