"""The ends of a rack's cables: where each is, what it plugs into, and which other cables share its cage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from planner.cutsheet.content import End, Mate
from planner.cutsheet.index import Index, texts
from planner.cutsheet.places import side
from planner.plan import ABSENT
from planner.table import Ints

PANEL: Final = "panel"
Cage = tuple[int, str]
"""A device's row and the name of one of its cages."""


class _Port(NamedTuple):
    """What the link table knows of the port that an end is in."""

    cage: str
    hand: int
    plug: str


_UNKNOWN = _Port("", 0, "")


class _PlannedEnd(NamedTuple):
    """A row of the table of ends with its port."""

    cable: int
    cable_id: int
    name: str
    device: int
    ports: tuple[str, ...]
    text: str
    far_text: str
    port: _Port

    @property
    def place(self) -> Cage:
        return self.device, self.port.cage


def ends_by_cable(index: Index, rack: int, cables: Sequence[int]) -> dict[int, list[End]]:
    """Every end of a rack's cables, those in other racks too; cage mates and free ports are told of this rack's cages."""
    planned = list(_planned_ends(index, cables))
    mates = _mates(index, rack, planned)
    free = _free_ports(index, rack)
    found: dict[int, list[End]] = {}
    for end in planned:
        made = End(end.name) if end.device == ABSENT else _end(index, rack, end, mates, free)
        found.setdefault(end.cable, []).append(made)
    return {cable: _whole(ends) if cable in index.trunks else ends for cable, ends in found.items()}


def _whole(legs: Sequence[End]) -> list[End]:
    """The ends of a trunk, a before z: its legs at one panel together, by the first and the last of their labels."""
    found: dict[tuple[str, str], list[End]] = {}
    for leg in legs:
        found.setdefault((leg.name[0], leg.device), []).append(leg)
    return [
        of_panel[0]._replace(
            name=name,
            ports=(_span(of_panel[0].ports[0], of_panel[-1].ports[0]),),
            text=_span(of_panel[0].text, of_panel[-1].text),
            far_text=_span(of_panel[0].far_text, of_panel[-1].far_text),
            legs=tuple(of_panel),
        )
        for (name, _), of_panel in found.items()
    ]


def _span(first: str, last: str) -> str:
    return first if first == last else f"{first} to {last}"


def _end(
    index: Index, rack: int, end: _PlannedEnd, mates: Mapping[Cage, Sequence[Mate]], free: Mapping[Cage, int]
) -> End:
    plan, port, place = index.plan, end.port, end.place
    device = plan.devices[end.device]
    others = (mate for mate in mates.get(place, ()) if mate.cable_id != end.cable_id or mate.ports != end.ports)
    return End(
        name=end.name,
        rack=plan.racks[device.rack].name,
        here=device.rack == rack,
        u=device.u,
        slot=index.places.slot(end.device),
        device=device.name,
        ports=end.ports,
        os_names=index.places.os_names(end.device, end.ports),
        cage=port.cage,
        face=_face_of_panel(index, end) if device.kind == PANEL else index.places.face(end.device, port.cage),
        side=side(port.hand),
        plug=index.insert_at(end.device, end.ports, is_trunk=end.cable in index.trunks)
        if device.kind == PANEL
        else port.plug,
        has_own_plug=port.plug == plan.parts[int(plan.cables.part[end.cable])].part,
        mates=tuple(others),
        free_ports=free.get(place, 0),
        text=end.text,
        far_text=end.far_text,
    )


def _face_of_panel(index: Index, end: _PlannedEnd) -> str:
    """Face of the rack: cords are at a panel's front, trunks behind it."""
    mount = index.plan.devices[end.device].mount
    return mount if end.cable not in index.trunks else "rear" if mount == "front" else "front"


def _planned_ends(index: Index, cables: Sequence[int]) -> Iterator[_PlannedEnd]:
    table, cable_id = index.plan.ends, index.plan.cables.cable_id
    first = dict(zip(cables, index.first_cables(cables), strict=True))
    ports_known = _ports(index, index.links_of_cable.rows(sorted(set(first.values()))))
    rows = index.ends_of_cable.rows(cables)
    columns = (
        table.cable[rows].tolist(), cable_id[table.cable[rows]].tolist(), texts(table.end, rows),
        table.device[rows].tolist(), texts(table.port, rows), texts(table.near, rows), texts(table.far, rows),
    )  # fmt: skip
    for cable, its_id, name, device, port, near, far in zip(*columns, strict=True):
        ports = tuple(port.split(";"))
        known = ports_known.get((first[cable], device, ports[0]), _UNKNOWN)
        yield _PlannedEnd(cable, its_id, name, device, ports, near, far, known)


def _ports(index: Index, rows: Ints) -> dict[tuple[int, int, str], _Port]:
    """By cable, device and name, from both sides of the given links."""
    links = index.plan.links
    found: dict[tuple[int, int, str], _Port] = {}
    for device, port, cage, hand, plug in (
        (links.a_device, links.a_port, links.a_cage, links.a_hand, links.a_plug_part),
        (links.z_device, links.z_port, links.z_cage, links.z_hand, links.z_plug_part),
    ):
        keys = zip(links.cable[rows].tolist(), device[rows].tolist(), texts(port, rows), strict=True)
        ports = zip(texts(cage, rows), hand[rows].tolist(), texts(plug, rows), strict=True)
        found.update(zip(keys, map(_Port._make, ports), strict=True))
    return found


def _mates(index: Index, rack: int, ends: Sequence[_PlannedEnd]) -> dict[Cage, list[Mate]]:
    """Cable ends by cage, for the rack's own cages."""
    devices = index.plan.devices
    found: dict[Cage, list[Mate]] = {}
    for end in ends:
        if end.device != ABSENT and end.port.cage and devices[end.device].rack == rack:
            found.setdefault(end.place, []).append(Mate(end.cable_id, end.ports))
    return found


def _free_ports(index: Index, rack: int) -> dict[Cage, int]:
    """Ports without a link, of the plug in each cage of the rack."""
    plugs, rows = index.plan.plugs, index.plugs_of_rack.rows([rack])
    cages = zip(plugs.device[rows].tolist(), texts(plugs.cage, rows), strict=True)
    return dict(zip(cages, plugs.free_halves[rows].tolist(), strict=True))
