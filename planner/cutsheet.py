"""Cut sheets: what a technician does at one rack, in the order of the work, near end first.

A cable with both ends in one rack stands once, with both ends: it is pulled once and plugged twice, and a second row
would ask for a second cable. A cable between racks stands on both racks' sheets: it is pulled where its end `a` is, which
is also where it belongs to the kit, and lands on the other.

Order: phase; then cables that leave the rack, bundle by bundle with the longest first, for they come in from the
pathways, lie deepest in the managers and cannot be laid behind what is already dressed; then cables inside the rack, tier
by tier (hosts to leaves before leaves to spines). Inside each of these: left before right as seen facing the ports, from
the top of the rack down, ports in natural order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import translate
from functools import lru_cache
from typing import Any, Final

import numpy as np

from planner.findings import Finding, Severity
from planner.names import expand_hostlist, fold, natural_key
from planner.plan import ABSENT, PartRow, Plan
from planner.table import Ints, Words

OPTICAL: Final = frozenset({"cord", "splitter", "trunk"})
"""Categories of cables whose end faces are inspected and cleaned; the ends of AOC and copper are closed."""


@dataclass(frozen=True, slots=True)
class Mate:
    """Another cable in the same cage."""

    cable_id: int
    ports: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class End:
    """One physical end of a cable. An unused leg has only its name.

    here: in the sheet's own rack. slot: counted from the bottom, for the order. face: of the rack, `front` or `rear`,
    empty where the catalog does not tell; side: of the cage, as seen facing the ports. has_own_plug: the plug is part of
    the cable. free_ports: of the plug, without a link. text, far_text: what the label says of this end and of the other.
    """

    name: str
    rack: str = ""
    here: bool = False
    u: int = ABSENT
    slot: int = ABSENT
    device: str = ""
    ports: tuple[str, ...] = ()
    cage: str = ""
    face: str = ""
    side: str = ""
    plug: str = ""
    has_own_plug: bool = False
    mates: tuple[Mate, ...] = ()
    free_ports: int = 0
    text: str = ""
    far_text: str = ""

    @property
    def is_used(self) -> bool:
        return bool(self.device)


@dataclass(frozen=True, slots=True)
class CableRow:
    """A cable as seen from its near end.

    route: pathways in order from the near end, empty inside a rack. lands_from: the rack where it is pulled, where that
    is another one. measured_mm: length of the way as measured on site, ABSENT without.
    """

    cable_id: int
    part: PartRow
    route: tuple[str, ...]
    bundle: int
    near: End
    far: tuple[End, ...]
    lands_from: str
    measured_mm: int
    is_pinned: bool
    remarks: tuple[str, ...]

    @property
    def is_optical(self) -> bool:
        return self.part.category in OPTICAL


@dataclass(frozen=True, slots=True)
class Item:
    """Pieces of one part to bring along."""

    part: PartRow
    count: int


@dataclass(frozen=True, slots=True)
class Group:
    """Cables that are worked on together: a bundle out of the rack (`to` its other racks), or a tier inside it."""

    phase: str
    need_by: str
    to: tuple[str, ...]
    tier: str
    route: tuple[str, ...]
    bundle: int
    items: tuple[Item, ...]
    rows: tuple[CableRow, ...]


@dataclass(frozen=True, slots=True)
class PlugRow:
    """A plug in a cage. cables: by port of the cage, 0 for a port without a cable. is_own: part of its cable."""

    cage: str
    part: PartRow
    cables: tuple[int, ...]
    is_own: bool
    is_second: bool


@dataclass(frozen=True, slots=True)
class DevicePlugs:
    """The plugs of one device, cages in natural order."""

    device: str
    model: str
    u: int
    height_u: int
    face: str
    plugs: tuple[PlugRow, ...]


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A link without a cable. near, far: place of each end as `device:port`, rack and U."""

    link_id: str
    near: End
    far: End
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RackSheet:
    """All that is done at one rack. kit: cables that start here and transceivers; landing: cables that end here."""

    rack: str
    row: str
    type: str
    units: int
    numbered_from: str
    phase: str
    need_by: str
    devices: tuple[DevicePlugs, ...]
    groups: tuple[Group, ...]
    unresolved: tuple[Unresolved, ...]
    kit: tuple[Item, ...]
    landing: tuple[Item, ...]

    @property
    def rows(self) -> Iterator[CableRow]:
        for group in self.groups:
            yield from group.rows

    @property
    def counts(self) -> SheetCounts:
        rows = list(self.rows)
        plugs = [plug for device in self.devices for plug in device.plugs if not plug.is_own]
        inside = sum(not group.to for group in self.groups for _ in group.rows)
        landing = sum(bool(row.lands_from) for row in rows)
        return SheetCounts(len(rows) - inside - landing, landing, inside, len(plugs), len(self.unresolved))


@dataclass(frozen=True, slots=True)
class SheetCounts:
    """Cable ends of a sheet by what is done with them, transceivers, and links without a cable."""

    starting: int
    landing: int
    inside: int
    transceivers: int
    unresolved: int


def sheets(plan: Plan, rack: str | None = None) -> Iterator[RackSheet]:
    """The sheet of each rack with cable ends, plugs or unresolved links, racks in natural order.

    rack: only this one, whatever its case; a rack without anything to do yields nothing.
    Raises KeyError for a rack that the plan does not have.
    """
    order = sorted(range(len(plan.racks)), key=lambda number: natural_key(plan.racks[number].name))
    if rack is not None:
        order = [number for number in order if fold(plan.racks[number].name) == fold(rack)]
        if not order:
            raise KeyError(rack)
    maker = _Maker(plan)
    for number in order:
        sheet = maker.sheet(number)
        if sheet is not None:
            yield sheet


def totals(items: Iterable[Item]) -> tuple[Item, ...]:
    """Equal parts together, in order of category, family and length."""
    counts: dict[PartRow, int] = {}
    for item in items:
        counts[item.part] = counts.get(item.part, 0) + item.count
    ordered = sorted(
        counts, key=lambda part: (part.category != "transceiver", part.category, part.family, part.length_mm, part.part)
    )
    return tuple(Item(part, counts[part]) for part in ordered)


class _ByKey:
    """Row numbers of a table by a key of theirs; a key below 0 is nobody's."""

    def __init__(self, keys: Ints) -> None:
        self.order = np.argsort(keys, kind="stable")
        self.keys = keys[self.order]

    def rows(self, key: int) -> list[int]:
        low, high = np.searchsorted(self.keys, (key, key + 1))
        found: list[int] = self.order[low:high].tolist()
        return found

    def rows_of(self, keys: Sequence[int]) -> Ints:
        """Rows of several keys, key by key."""
        low, high = np.searchsorted(self.keys, keys), np.searchsorted(self.keys, np.asarray(keys) + 1)
        return np.concatenate([np.zeros(0, np.int64), *(self.order[i:j] for i, j in zip(low, high, strict=True))])


@dataclass(frozen=True, slots=True)
class _LinkEnd:
    """What the link table knows of one end of a cable, for one port."""

    cage: str
    half: int
    hand: int
    plug: str


class _Maker:
    """Indexes over the whole plan, and the sheets made from them one at a time."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        rack = np.array([*(device.rack for device in plan.devices), ABSENT], np.int64)  # device ABSENT reads the last
        ends, links = plan.ends, plan.links
        self.ends_of_rack = _ByKey(rack[ends.device])
        self.ends_of_cable = _ByKey(ends.cable)
        self.links_of_cable = _ByKey(links.cable)
        self.plugs_of_rack = _ByKey(rack[plan.plugs.device])
        self.links_of_plug = _ByKey(plan.plug_links.plug)
        open_ = np.flatnonzero(links.cable < 0)
        self.open_at = (open_, rack[links.a_device[open_]], rack[links.z_device[open_]])
        self.faces = _Faces(plan)
        self.pinned = _pinned(plan)
        self.errors = _findings_of_links(plan.findings)

    def sheet(self, number: int) -> RackSheet | None:
        plan, rack = self.plan, self.plan.racks[number]
        devices = tuple(self._devices(number))
        groups = tuple(self._groups(number))
        unresolved = tuple(self._unresolved(number))
        if not devices and not groups and not unresolved:
            return None
        rows = [row for group in groups for row in group.rows]
        own = [plug.part for device in devices for plug in device.plugs if not plug.is_own]
        return RackSheet(
            rack=rack.name,
            row=rack.row,
            type=rack.type,
            units=rack.units,
            numbered_from=rack.numbered_from,
            phase=rack.phase,
            need_by=next((phase.need_by for phase in plan.phases if phase.name == rack.phase), ""),
            devices=devices,
            groups=groups,
            unresolved=unresolved,
            kit=totals([*(Item(part, 1) for part in own), *(Item(r.part, 1) for r in rows if not r.lands_from)]),
            landing=totals(Item(r.part, 1) for r in rows if r.lands_from),
        )

    # --- plugs ---------------------------------------------------------------------------------------------------

    def _devices(self, number: int) -> Iterator[DevicePlugs]:
        plan, plugs, links = self.plan, self.plan.plugs, self.plan.links
        by_device: dict[int, list[PlugRow]] = {}
        for row in self.plugs_of_rack.rows(number):
            device, cage, part = int(plugs.device[row]), plugs.cage[row], plan.parts[int(plugs.part[row])]
            by_half: dict[int, int] = {}
            for place in self.links_of_plug.rows(row):
                link = int(plan.plug_links.link[place])
                is_a = int(links.a_device[link]) == device and links.a_cage[link] == cage
                half = int((links.a_half if is_a else links.z_half)[link])
                by_half[half] = int(plan.cables.cable_id[int(links.cable[link])])
            size = (
                max(len(by_half) + int(plugs.free_halves[row]), *by_half, 0) if by_half else int(plugs.free_halves[row])
            )
            cables = tuple(by_half.get(half, 0) for half in range(1, size + 1))
            listed = by_device.setdefault(device, [])
            is_second = any(other.cage == cage for other in listed)
            listed.append(PlugRow(cage, part, cables, part.category != "transceiver", is_second))
        for device in sorted(by_device, key=self._from_the_top):
            its = plan.devices[device]
            ordered = sorted(by_device[device], key=lambda plug: natural_key(plug.cage))
            face = self.faces.of(device, ordered[0].cage)
            yield DevicePlugs(its.name, its.model, its.u, its.height_u, face, tuple(ordered))

    def _from_the_top(self, device: int) -> tuple[int, Any]:
        return (-self._slot(device), natural_key(self.plan.devices[device].name))

    def _slot(self, device: int) -> int:
        """The device's lowest slot, counted from the bottom."""
        its = self.plan.devices[device]
        rack = self.plan.racks[its.rack]
        return its.u if rack.numbered_from == "bottom" else rack.units + 1 - its.u

    # --- cables --------------------------------------------------------------------------------------------------

    def _groups(self, number: int) -> Iterator[Group]:
        plan = self.plan
        grouped: dict[tuple[int, bool, int], list[CableRow]] = {}
        for cable, row in self._rows(number):
            grouped.setdefault(self._key_of_group(cable, row), []).append(row)
        for phase, is_inside, code in sorted(grouped, key=lambda key: _order_of_group(key, grouped[key])):
            found = grouped[phase, is_inside, code]
            names = {end.rack for row in found for end in row.far if end.is_used and not end.here}
            yield Group(
                phase=plan.phases[phase].name if phase < len(plan.phases) else "",
                need_by=plan.phases[phase].need_by if phase < len(plan.phases) else "",
                to=() if is_inside else tuple(sorted(names, key=natural_key)),
                tier=plan.links.tier.vocabulary[code] if is_inside else "",
                route=found[0].route,
                bundle=found[0].bundle,
                items=totals(Item(row.part, 1) for row in found),
                rows=tuple(sorted(found, key=_order_in_group)),
            )

    def _key_of_group(self, cable: int, row: CableRow) -> tuple[int, bool, int]:
        """Phase, whether inside the rack, and the bundle or the tier; a cable in no phase comes last."""
        phase = int(self.plan.cables.phase[cable])
        phase = phase if phase >= 0 else len(self.plan.phases)
        if any(end.is_used and not end.here for end in row.far):
            return (phase, False, row.bundle)
        link = self.links_of_cable.rows(cable)[0]
        return (phase, True, int(self.plan.links.tier.codes[link]))

    def _rows(self, number: int) -> Iterator[tuple[int, CableRow]]:
        """Rows of a rack's cables, each with its cable's place in the plan."""
        plan = self.plan
        numbers = sorted(set(plan.ends.cable[self.ends_of_rack.rows(number)].tolist()))
        ids = dict(zip(numbers, plan.cables.cable_id[numbers].tolist(), strict=True))
        ends = self._ends_of(numbers, number)
        mates = _mates(ends, ids)
        free = self._free_ports(number)
        for cable in numbers:
            whole = [_with_mates(end, ids[cable], mates, free) for end in ends[cable]]
            for near, far in _as_rows(whole):
                yield cable, self._row(ids[cable], cable, near, far, whole[0])

    def _row(self, cable_id: int, cable: int, near: End, far: tuple[End, ...], head: End) -> CableRow:
        plan, cables, links = self.plan, self.plan.cables, self.plan.links
        of_cable = self.links_of_cable.rows(cable)
        route = self._route(int(cables.route[cable]), backwards=not self._runs_from(near, of_cable))
        errors = (
            {text for link in of_cable for text in self.errors.get(self._link_id(link), ())} if self.errors else set()
        )
        return CableRow(
            cable_id=cable_id,
            part=plan.parts[int(cables.part[cable])],
            route=route,
            bundle=int(cables.bundle[cable]),
            near=near,
            far=far,
            lands_from="" if head.here else head.rack,
            measured_mm=max((int(links.measured_mm[link]) for link in of_cable), default=ABSENT),
            is_pinned=any(link in self.pinned for link in of_cable),
            remarks=(*sorted(errors), *_remarks(near, far)),
        )

    def _runs_from(self, near: End, of_cable: Sequence[int]) -> bool:
        """Whether the route of the cable, told from its first link's `a`, begins at this end."""
        first = of_cable[0]
        device = self.plan.devices[int(self.plan.links.a_device[first])]
        if device.name == near.device:
            return True
        return self.plan.devices[int(self.plan.links.z_device[first])].rack != device.rack and (
            self.plan.racks[device.rack].name == near.rack
        )

    @lru_cache(maxsize=4096)  # noqa: B019 - lives as long as one document is made
    def _route(self, route: int, *, backwards: bool) -> tuple[str, ...]:
        if route < 0:
            return ()
        names = tuple(self.plan.routes.pathways[route].split(";"))
        return names[::-1] if backwards else names

    def _ends_of(self, numbers: Sequence[int], rack: int) -> dict[int, list[End]]:
        """Every end of the given cables, also those in other racks."""
        plan, table = self.plan, self.plan.ends
        known = self._link_ends(self.links_of_cable.rows_of(numbers))
        rows = self.ends_of_cable.rows_of(numbers)
        columns = (
            table.cable[rows].tolist(), _texts(table.end, rows), table.device[rows].tolist(), _texts(table.port, rows),
            _texts(table.near, rows), _texts(table.far, rows),
        )  # fmt: skip
        parts = plan.cables.part
        found: dict[int, list[End]] = {}
        for cable, name, device, port, near, far in zip(*columns, strict=True):
            if device < 0:
                found.setdefault(cable, []).append(End(name))
                continue
            its = plan.devices[device]
            ports = tuple(port.split(";"))
            link_end = known.get((cable, device, ports[0]), _NO_LINK_END)
            found.setdefault(cable, []).append(
                End(
                    name=name,
                    rack=plan.racks[its.rack].name,
                    here=its.rack == rack,
                    u=its.u,
                    slot=self._slot(device),
                    device=its.name,
                    ports=ports,
                    cage=link_end.cage,
                    face=self.faces.of(device, link_end.cage),
                    side=_side(link_end.hand),
                    plug=link_end.plug,
                    has_own_plug=link_end.plug == plan.parts[int(parts[cable])].part,
                    text=near,
                    far_text=far,
                )
            )
        return found

    def _link_ends(self, rows: Ints) -> dict[tuple[int, int, str], _LinkEnd]:
        links = self.plan.links
        found = {}
        sides = (
            (links.a_device, links.a_port, links.a_cage, links.a_half, links.a_hand, links.a_plug_part),
            (links.z_device, links.z_port, links.z_cage, links.z_half, links.z_hand, links.z_plug_part),
        )
        for device, port, cage, half, hand, plug in sides:
            columns = (
                links.cable[rows].tolist(), device[rows].tolist(), _texts(port, rows), _texts(cage, rows),
                half[rows].tolist(), hand[rows].tolist(), _texts(plug, rows),
            )  # fmt: skip
            for c, d, p, *rest in zip(*columns, strict=True):
                found[c, d, p] = _LinkEnd(*rest)
        return found

    def _free_ports(self, number: int) -> dict[tuple[str, str], int]:
        """Ports without a link, of the plug in each cage of the rack."""
        plugs, devices = self.plan.plugs, self.plan.devices
        rows = self.plugs_of_rack.rows(number)
        return {(devices[int(plugs.device[row])].name, plugs.cage[row]): int(plugs.free_halves[row]) for row in rows}

    # --- links without a cable -----------------------------------------------------------------------------------

    def _unresolved(self, number: int) -> Iterator[Unresolved]:
        open_, a_rack, z_rack = self.open_at
        links = self.plan.links
        for link in open_[(a_rack == number) | (z_rack == number)].tolist():
            a = self._end_of_link(number, "a", int(links.a_device[link]), links.a_port[link])
            z = self._end_of_link(number, "z", int(links.z_device[link]), links.z_port[link])
            link_id = self._link_id(link)
            near, far = (a, z) if a.here else (z, a)
            yield Unresolved(link_id, near, far, tuple(self._reasons(link_id, near, far)))

    def _reasons(self, link_id: str, near: End, far: End) -> Iterator[str]:
        """Errors that name the link, or else one of its ports, devices or racks."""
        ends = (near, far)
        places = {f"{end.device}:{end.ports[0]}" for end in ends} | {
            name for end in ends for name in (end.device, end.rack)
        }
        for names in ({link_id}, places):
            found = [f for f in self.plan.findings if _is_error(f) and names.intersection(f.objects)]
            if found:
                yield from (f"{finding.rule} {finding.message}" for finding in found)
                return

    def _end_of_link(self, rack: int, name: str, device: int, port: str) -> End:
        its = self.plan.devices[device]
        return End(
            name, self.plan.racks[its.rack].name, its.rack == rack, its.u, self._slot(device), its.name, (port,)
        )  # fmt: skip

    def _link_id(self, link: int) -> str:
        links, devices = self.plan.links, self.plan.devices
        a, z = devices[int(links.a_device[link])].name, devices[int(links.z_device[link])].name
        return f"{a}:{links.a_port[link]}--{z}:{links.z_port[link]}"


_NO_LINK_END = _LinkEnd("", 0, 0, "")


class _Faces:
    """The face of the rack at which each cage is: the device's face, turned with its mount."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.device_face: dict[tuple[str, str], str] = {}
        trees = json.loads(plan.catalog).values() if plan.catalog else ()
        for tree in trees:
            for group in tree.get("cages", ()):
                names = group["names"] if isinstance(group["names"], list) else [group["names"]]
                for name in (name for text in names for name in expand_hostlist(text)):
                    self.device_face[tree["id"], name] = group.get("face", "front")

    def of(self, device: int, cage: str) -> str:
        its = self.plan.devices[device]
        face = self.device_face.get((its.model, cage))
        if face is None:
            return ""
        return "front" if face == its.mount else "rear"


def _texts(words: Words, rows: Ints) -> list[str]:
    """Texts of some rows, without a copy of a vocabulary that may be as long as the table."""
    vocabulary = words.vocabulary
    return ["" if code < 0 else vocabulary[code] for code in words.codes[rows].tolist()]


_key = lru_cache(maxsize=65536)(natural_key)


def _order_in_group(row: CableRow) -> tuple[Any, ...]:
    near = row.near
    return (near.side == "right", -near.slot, _key(near.device), _key(near.ports[0]), row.cable_id)


def _side(hand: int) -> str:
    return "left" if hand < 0 else "right" if hand > 0 else ""


def _order_of_group(key: tuple[int, bool, int], rows: Sequence[CableRow]) -> tuple[Any, ...]:
    """Phases in turn; out of the rack before inside it; the longest bundle first; tiers as the project names them."""
    phase, is_inside, code = key
    lengths = [row.part.length_mm for row in rows]
    return (phase, is_inside, *((code,) if is_inside else (-max(lengths), -sum(lengths) / len(lengths), code)))


def _as_rows(ends: Sequence[End]) -> Iterator[tuple[End, tuple[End, ...]]]:
    """Near and far ends of a cable's rows on a sheet.

    The first end is the head of a splitter, the others its legs; a leg is a row of its own only where the head is elsewhere.
    """
    head, *tails = ends
    if head.here:
        yield head, tuple(tails)
        return
    for tail in tails:
        if tail.here:
            yield tail, (head,)


def _mates(ends: dict[int, list[End]], ids: dict[int, int]) -> dict[tuple[str, str], list[Mate]]:
    """Cable ends by cage, for the rack's own cages; ids: of the rack's cables."""
    found: dict[tuple[str, str], list[Mate]] = {}
    for cable, cable_id in ids.items():
        for end in ends[cable]:
            if end.here and end.cage:
                found.setdefault((end.device, end.cage), []).append(Mate(cable_id, end.ports))
    return found


def _with_mates(
    end: End, cable_id: int, mates: dict[tuple[str, str], list[Mate]], free: dict[tuple[str, str], int]
) -> End:
    if not end.here:
        return end
    key = (end.device, end.cage)
    others = tuple(mate for mate in mates.get(key, ()) if mate.cable_id != cable_id or mate.ports != end.ports)
    return replace(end, mates=others, free_ports=free.get(key, 0))


def _remarks(near: End, far: tuple[End, ...]) -> Iterator[str]:
    """What the hand must know at this cable, beside its cage mate."""
    if len(far) > 1:
        yield f"splitter with {len(far)} legs, its head at this end"
    elif near.name not in {"a", "z"}:
        yield f"leg {near.name[1:]} of a splitter, head in {far[0].rack}"
    for end in far:
        if not end.is_used:
            yield f"cap unused leg {end.name} and tie it back"
    if len(near.ports) > 1 and len(far) == 1:
        yield f"twin cable: its plug takes both ports of cage {near.cage}"
    same = [mate for end in (near, *far) for mate in end.mates if set(mate.ports) & set(end.ports)]
    if same:
        yield f"port planned twice, also for cable {', '.join(str(mate.cable_id) for mate in same)}"


def _pinned(plan: Plan) -> frozenset[int]:
    """Links whose parts the project forces, by ID, glob or fabric/tier without case (as `planner.pins` reads them)."""
    pins = json.loads(plan.inputs).get("pins") or [] if plan.inputs else []
    texts = [pin["links"].casefold() for pin in pins if any(pin.get(key) for key in ("cable", "a_plug", "z_plug"))]
    if not texts:
        return frozenset()
    wanted = re.compile("|".join(f"(?:{translate(text)})" for text in texts))
    plain = frozenset(texts)
    links = plan.links
    tiers = {
        (number, code)
        for number, fabric in enumerate(plan.fabrics)
        for code, tier in enumerate(links.tier.vocabulary)
        if wanted.match(f"{fabric.name}/{tier}".casefold())
    }
    codes = zip(links.fabric.tolist(), links.tier.codes.tolist(), plan.link_ids, strict=True)
    return frozenset(
        row
        for row, (fabric, tier, name) in enumerate(codes)
        if (fabric, tier) in tiers or name.casefold() in plain or wanted.match(name.casefold())
    )


def _findings_of_links(findings: Sequence[Finding]) -> dict[str, list[str]]:
    """Errors that name a link, by the link's ID."""
    found: dict[str, list[str]] = {}
    for finding in findings:
        if _is_error(finding):
            for name in finding.objects:
                found.setdefault(name, []).append(f"{finding.rule} {finding.name.replace('-', ' ')}")
    return found


def _is_error(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR and not finding.waived
