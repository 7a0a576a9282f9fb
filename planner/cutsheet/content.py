"""What a sheet holds: devices with their plugs, groups of cable rows, links without a cable, and what to bring along."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from planner.cutsheet.panels import PanelSheet, TrunkSheet
from planner.elevation import Elevation
from planner.plan import ABSENT, PartRow

OPTICAL: Final = frozenset({"cord", "splitter", "trunk"})
"""Categories of cables whose end faces are inspected and cleaned; the ends of AOC and copper are closed."""


@dataclass(frozen=True, slots=True)
class Mate:
    """Another cable in the same cage."""

    cable_id: int
    ports: tuple[str, ...]


class End(NamedTuple):
    """One physical end of a cable. An unused leg has only its name.

    here: in the sheet's own rack. slot: counted from the bottom, for the order. face: of the rack, `front` or `rear`,
    empty where the catalog does not tell; side: of the cage, as seen facing the ports. os_names: what operating systems
    call the ports, as pairs of system and name, where the catalog knows. has_own_plug: the plug is part of the cable. free_ports: of the plug, without a link. text, far_text: what the label says of this end and of the other. legs: of a trunk's end, each with a label of its own.
    """

    name: str
    rack: str = ""
    here: bool = False
    u: int = ABSENT
    slot: int = ABSENT
    device: str = ""
    ports: tuple[str, ...] = ()
    os_names: tuple[tuple[str, str], ...] = ()
    cage: str = ""
    face: str = ""
    side: str = ""
    plug: str = ""
    has_own_plug: bool = False
    mates: tuple[Mate, ...] = ()
    free_ports: int = 0
    text: str = ""
    far_text: str = ""
    legs: tuple[End, ...] = ()

    @property
    def is_used(self) -> bool:
        return bool(self.device)


class CableRow(NamedTuple):
    """A cable as seen from its near end.

    route: pathways in order from the near end, empty inside a rack. lands_from: the rack where it is pulled, where that
    is another one. other_racks: of the far ends, this one left out; empty inside the rack. measured_mm: length of the way as
    measured on site, ABSENT without.
    """

    cable_id: int
    part: PartRow
    route: tuple[str, ...]
    bundle: int
    near: End
    far: tuple[End, ...]
    lands_from: str
    other_racks: tuple[str, ...]
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
    """Cables that are worked on together: a bundle out of the rack (`to` its other racks), or a tier inside it.

    height_mm: of the route's first pathway above the floor, below it where negative; None inside the rack.
    """

    phase: str
    need_by: str
    to: tuple[str, ...]
    tier: str
    route: tuple[str, ...]
    bundle: int
    items: tuple[Item, ...]
    rows: tuple[CableRow, ...]
    height_mm: int | None = None


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
class FaceCell:
    """A cage on a face. row, column: from the upper left. cables: by port of the cage in use, 0 for a port without one."""

    row: int
    column: int
    cage: str
    is_used: bool
    cables: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FaceMap:
    """One face of a device as one sees it. face: of the rack. blocks: cages of one kind each.

    is_stated: the catalog tells where the cages are; otherwise they stand in its order.
    """

    device: str
    model: str
    u: int
    face: str
    is_stated: bool
    blocks: tuple[tuple[FaceCell, ...], ...]


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A link without a cable. near, far: place of each end as `device:port`, rack and U."""

    link_id: str
    near: End
    far: End
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RackSheet:
    """All that is done at one rack. kit: cables that start here and transceivers; landing: cables that end here.

    elevations, faces: the rack and its devices as one sees them, to find a port by. front: the way it looks in the room;
    at_mm: its south-west corner there. panels, trunks: that stand and end here.
    """

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
    elevations: tuple[Elevation, ...] = ()
    faces: tuple[FaceMap, ...] = ()
    front: str = ""
    at_mm: tuple[int, int] = (0, 0)
    panels: tuple[PanelSheet, ...] = ()
    trunks: tuple[TrunkSheet, ...] = ()

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


def totals(items: Iterable[Item]) -> tuple[Item, ...]:
    """Equal parts together, in order of category, family and length."""
    counts: dict[PartRow, int] = {}
    for item in items:
        counts[item.part] = counts.get(item.part, 0) + item.count
    ordered = sorted(
        counts, key=lambda part: (part.category != "transceiver", part.category, part.family, part.length_mm, part.part)
    )
    return tuple(Item(part, counts[part]) for part in ordered)
