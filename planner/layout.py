"""The room as it stands: racks on the floor, pathways above, devices in their slots, each with its place in the file.

Coordinates: x east, y north, z up, origin in the south-west of the room's floor, whole micrometres. Inside a rack,
x runs to the right from the rack's middle as seen facing its front, and depth from its front to its rear.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from math import dist
from typing import Final, NamedTuple, TypeVar

import numpy as np

from planner.catalog.chassis import Chassis
from planner.catalog.devices import DeviceMember
from planner.catalog.figures import Figure
from planner.catalog.load import Catalog
from planner.catalog.racks import Obstruction, PathwayType, RackType
from planner.findings import NOWHERE, Fault, Files, Spot
from planner.names import counted, fold, look_alike, natural_rank, nearest, quoted_list
from planner.project import CableClass, DeviceGroup, Direction, Obstacle, Opening, Project, RackRow, RiserRun, Room
from planner.reader.yaml_source import YamlMap, spot_at
from planner.table import Ints

PlanPointUm = tuple[int, int]
PointUm = tuple[int, int, int]

PANEL: Final = "panel"
"""Kind of the devices that panels are; no file of the catalog states it."""

_STEP = {"east": (1, 0), "west": (-1, 0), "north": (0, 1), "south": (0, -1)}


@dataclass(frozen=True, slots=True)
class RoomAt:
    """A room, and where it stands in the project; its name is empty where it is the only one, under `room`."""

    name: str
    room: Room
    loc: tuple[str | int, ...]

    @property
    def spoken(self) -> str:
        return f"room `{self.name}`" if self.name else "the room"


@dataclass(frozen=True, slots=True)
class Rack:
    """A rack where it stands; west_um, south_um is the smallest corner of its footprint.

    baying_open: whether its sides are open to the racks beside it. bay_max: how many racks away cables pass so.
    rear_zone: what stands in it beside what its type has.
    """

    name: str
    row: str
    type: RackType
    west_um: int
    south_um: int
    front: Direction
    at: Spot = NOWHERE
    baying_open: bool = False
    bay_max: int = 1
    rear_zone: tuple[Obstruction, ...] = ()

    @property
    def size_um(self) -> PlanPointUm:
        """Extent of the footprint along x and y."""
        width, depth = self.type.width_mm, self.type.depth_mm
        return (width, depth) if self.front in ("north", "south") else (depth, width)

    def plan_um(self, x_um: int, depth_um: int) -> PlanPointUm:
        """The room's plan point of a point of the rack: x from its middle facing the front, depth from its front."""
        across, along = self.size_um
        middle = self.type.width_mm // 2
        match self.front:
            case "south":
                return self.west_um + middle + x_um, self.south_um + depth_um
            case "north":
                return self.west_um + across - middle - x_um, self.south_um + along - depth_um
            case "east":
                return self.west_um + across - depth_um, self.south_um + middle + x_um
            case "west":
                return self.west_um + depth_um, self.south_um + along - middle - x_um

    def underside_um(self, u: int) -> int:
        """Height of the underside of slot u above the floor; u counts from the bottom or the top as the rack does."""
        slot = u if self.type.numbered_from == "bottom" else self.type.units + 1 - u
        return self.type.u1_mm + self.type.u_pitch_mm * (slot - 1)


@dataclass(frozen=True, slots=True)
class Pathway:
    """A pathway in the room: its polyline along the inside of its floor, and what it carries.

    measured_um: its length as found on site, in place of the polyline's. fitting_um, waterfall_um: the radius that it gives
    cables, where the project states it.
    """

    name: str
    type: PathwayType
    points_um: tuple[PointUm, ...]
    carries: frozenset[CableClass]
    entry: str
    at: Spot = NOWHERE
    measured_um: int | None = None
    fitting_um: int | None = None
    waterfall_um: int | None = None

    @property
    def corner_radius(self) -> Radius:
        """At corners and joints."""
        return _radius(self.fitting_um, self.type.bend_radius_mm)

    @property
    def entry_radius(self) -> Radius:
        """Where cables come in from racks, or leave to them."""
        return _radius(self.waterfall_um, self.type.waterfall_radius_mm or self.type.bend_radius_mm)

    @property
    def path_um(self) -> tuple[PlanPointUm, ...]:
        """The polyline in plan."""
        return tuple((x, y) for x, y, _ in self.points_um)

    @property
    def height_um(self) -> int:
        """Its lowest height."""
        return min(z for _, _, z in self.points_um)

    @property
    def top_um(self) -> int:
        """Its highest height, still the inside of its floor."""
        return max(z for _, _, z in self.points_um)

    @property
    def drawn_um(self) -> float:
        """Length of the polyline."""
        return sum(dist(first, last) for first, last in pairwise(self.points_um))

    @property
    def drawn_by_measured(self) -> float:
        """What of the polyline a micrometre of the length that counts is; 1 unless measured."""
        return self.drawn_um / self.measured_um if self.measured_um else 1.0


class Radius(NamedTuple):
    """A radius that cables are given (None where nobody states one), and whether a check may pass on it."""

    um: int | None
    proven: bool


def _radius(given_um: int | None, figure: Figure[int] | None) -> Radius:
    """What the project states goes before the catalog, and counts as given."""
    if given_um is not None:
        return Radius(given_um, proven=True)
    return Radius(None, proven=False) if figure is None else Radius(figure.value, figure.proven)


@dataclass(frozen=True, slots=True)
class Riser:
    """A vertical way between pathways that pass one plan point at different heights."""

    name: str
    at_um: PlanPointUm
    joins: tuple[str, ...]
    at: Spot = NOWHERE


@dataclass(frozen=True, slots=True)
class Device:
    """A device in its rack; u is the number of the physically lowest slot it fills.

    service_loop_um: what each of its cables is longer, so that it may slide out with its cables in. side, half: the half
    of its slots that it takes. at_um: x and depth of the middle of its front where it takes no slot.
    """

    name: str
    chassis: Chassis
    member: DeviceMember
    rack: int
    u: int
    mount: str
    at: Spot = NOWHERE
    service_loop_um: int = 0
    side: str | None = None
    half: str | None = None
    at_um: tuple[int, int] | None = None

    @property
    def slots(self) -> int:
        """How many slots it fills; none for a 0U device."""
        height = self.chassis.family.height_u.value
        return 1 if height is None else height

    @property
    def to_right(self) -> int:
        """1 where its right, as seen facing its front, is the rack's right as seen facing the rack's front, else -1."""
        return 1 if self.mount == "front" else -1

    @property
    def middle_um(self) -> int:
        """Its middle, to the right of the rack's as seen facing the rack's front."""
        if self.at_um is not None:
            return self.at_um[0]
        if self.side is None:
            return 0
        return self.to_right * (-1 if self.side == "left" else 1) * (self.chassis.width_um // 2)

    def underside_um(self, kind: RackType) -> int:
        """Height of its underside above that of its lowest slot."""
        return kind.u_pitch_mm // 2 if self.half == "upper" else 0


@dataclass(frozen=True)
class Layout:
    """Everything that stands in the rooms; devices refer to racks by position.

    rooms: none where the only one is at fault.
    """

    rooms: tuple[RoomAt, ...]
    openings: tuple[Opening, ...]
    racks: tuple[Rack, ...]
    pathways: tuple[Pathway, ...]
    risers: tuple[Riser, ...]
    devices: tuple[Device, ...]
    files: Files = field(default_factory=Files)

    @property
    def obstacles(self) -> Iterator[Obstacle]:
        """Obstacles of all rooms."""
        return (obstacle for room in self.rooms for obstacle in room.room.obstacles)

    @cached_property
    def rack_index(self) -> dict[str, int]:
        """Rack by name, without case."""
        return {fold(rack.name): index for index, rack in enumerate(self.racks)}

    @cached_property
    def device_index(self) -> dict[str, int]:
        """Device by name, without case."""
        return {fold(device.name): index for index, device in enumerate(self.devices)}

    @cached_property
    def pathway_index(self) -> dict[str, int]:
        return {fold(pathway.name): index for index, pathway in enumerate(self.pathways)}

    @cached_property
    def chassis(self) -> tuple[Chassis, ...]:
        """The distinct device families that stand here, by id; panels, which a later stage may add, behind all others."""
        in_order = sorted(self.devices, key=lambda d: (d.chassis.family.kind == PANEL, d.chassis.id))
        return tuple({d.chassis.id: d.chassis for d in in_order}.values())

    @cached_property
    def device_chassis(self) -> Ints:
        """Each device's position in `chassis`."""
        position = {chassis.id: index for index, chassis in enumerate(self.chassis)}
        return np.array([position[device.chassis.id] for device in self.devices], np.int64)

    @cached_property
    def device_rank(self) -> Ints:
        """Each device's place in the natural order of names."""
        rank = natural_rank(device.name for device in self.devices)
        return np.array([rank[device.name] for device in self.devices], np.int64)

    @cached_property
    def rack_rank(self) -> Ints:
        """Each rack's place in the natural order of names."""
        rank = natural_rank(rack.name for rack in self.racks)
        return np.array([rank[rack.name] for rack in self.racks], np.int64)

    @cached_property
    def port_offset(self) -> Ints:
        """Number of a device's first port when all ports of the room are numbered; one more entry than devices."""
        sizes = np.array([len(c.port_names) for c in self.chassis], np.int64)[self.device_chassis]
        return np.concatenate(([0], np.cumsum(sizes)))

    @cached_property
    def cage_power(self) -> Ints:
        """Which limit of power holds for every cage of the room, device by device."""
        limits = {(d.chassis.id, d.member.airflow): d.chassis for d in self.devices}
        by_device = {key: chassis.power_limits(key[1]) for key, chassis in limits.items()}
        empty = np.zeros(0, np.int64)
        return np.concatenate([empty, *(by_device[(d.chassis.id, d.member.airflow)] for d in self.devices)])

    @cached_property
    def cage_offset(self) -> Ints:
        """As port_offset, for cages."""
        sizes = np.array([len(c.cage_names) for c in self.chassis], np.int64)[self.device_chassis]
        return np.concatenate(([0], np.cumsum(sizes)))


@dataclass(frozen=True, slots=True)
class CageOfPort:
    """For given ports: the cage's number in the room, its kind (`cage_kind_code`), its limit of power, the port's half.

    power: which of the group's limits holds for the cage in its device (0 the group's own, else 1 + its exception).
    """

    cage: Ints
    kind: Ints
    power: Ints
    half: Ints


KINDS_A_GROUP = 64
"""Room for the splits of a group, and for the groups of a family, in a cage kind's code; no device comes near."""


def parts_of_cage_kind(code: int) -> tuple[int, int, int]:
    """Family (position in `Layout.chassis`), group and split of a cage kind's code."""
    rest, state = divmod(code, KINDS_A_GROUP)
    return (*divmod(rest, KINDS_A_GROUP), state)


def cages_of(layout: Layout, device: Ints, port: Ints) -> CageOfPort:
    """The cage of each given port."""
    families = layout.chassis
    starts = np.concatenate(([0], np.cumsum([len(f.port_names) for f in families]))).astype(np.int64)
    empty = np.zeros(0, np.int64)
    of_port = np.concatenate([empty, *(f.port_cage for f in families)])
    kinds = (
        (n * KINDS_A_GROUP + f.cage_group[f.port_cage]) * KINDS_A_GROUP + f.port_state for n, f in enumerate(families)
    )
    kind = np.concatenate([empty, *kinds])
    half = np.concatenate([empty, *(f.port_half for f in families)])
    row = starts[layout.device_chassis[device]] + port if len(device) else empty
    cage = layout.cage_offset[device] + of_port[row]
    return CageOfPort(cage, kind[row], layout.cage_power[cage] if len(device) else empty, half[row])


def layout_of(
    project: Project, tree: YamlMap, catalog: Catalog, gaps: frozenset[str], files: Files
) -> tuple[Layout, list[Fault]]:
    """Everything that the project places in its room, and the faults of names and references.

    gaps: sections with cut-out faulty items, into which references are not followed up.
    """
    faults: list[Fault] = []
    racks = _first_of_each("rack", list(_racks(project.racks, tree, catalog, faults)), files, faults)
    pathways = _first_of_each("pathway", list(_pathways(project, tree, catalog, faults)), files, faults)
    placed = _devices(project.devices, tree, catalog, racks, faults, follow_up="racks" not in gaps)
    devices = _first_of_each("device", list(placed), files, faults)
    risers = tuple(_risers(project.risers, tree, pathways, faults))
    rooms = [RoomAt("", project.room, ("room",))] if project.room is not None else []
    rooms += [RoomAt(room.name, room, ("rooms", number)) for number, room in enumerate(project.rooms)]
    if not rooms and not gaps & {"room", "rooms"}:
        at = tree.spot
        faults.append(Fault("missing-key", "the key `room` is missing", at, help="add it, or `rooms` for several"))
    if project.room is not None and project.rooms:
        at = spot_at(tree, ("rooms",))
        help_text = "name the room of `room` among `rooms`, and take `room` out"
        faults.append(Fault("invalid-value", "`room` and `rooms` stand beside each other", at, help=help_text))
    return Layout(tuple(rooms), tuple(project.openings), racks, pathways, risers, devices, files), faults


def _racks(rows: Sequence[RackRow], tree: YamlMap, catalog: Catalog, faults: list[Fault]) -> Iterator[Rack]:
    for number, row in enumerate(rows):
        at = spot_at(tree, ("racks", number, "names"))
        kind = catalog.racks.get(row.type.lower())
        if kind is None:
            faults.append(_unknown("rack type", row.type, catalog.racks, spot_at(tree, ("racks", number, "type"))))
            continue
        x, y = row.at_m
        for name in row.names:
            is_open = kind.baying_open if row.baying_open is None else row.baying_open
            bay_max = kind.bay_max if row.bay_max is None else row.bay_max
            rack = Rack(name, row.row, kind, x, y, row.front, at, is_open, bay_max, tuple(row.rear_zone))
            yield rack
            dx, dy = _STEP[row.along]
            x, y = x + dx * rack.size_um[0], y + dy * rack.size_um[1]


def _pathways(project: Project, tree: YamlMap, catalog: Catalog, faults: list[Fault]) -> Iterator[Pathway]:
    measured = {fold(m.pathway): m.length_m for m in reversed(project.measured) if m.pathway and m.length_m > 0}
    for number, run in enumerate(project.pathways):
        kind = catalog.pathways.get(run.type.lower())
        if kind is None:
            at = spot_at(tree, ("pathways", number, "type"))
            faults.append(_unknown("pathway type", run.type, catalog.pathways, at))
            continue
        at = spot_at(tree, ("pathways", number, "name"))
        points = tuple((point[0], point[1], point[2] if len(point) == 3 else run.height_m or 0) for point in run.path_m)
        yield Pathway(
            run.name, kind, points, frozenset(run.carries), run.entry, at, measured.get(fold(run.name)),
            run.fitting_radius_mm, run.waterfall_radius_mm,
        )  # fmt: skip


def _risers(
    runs: Sequence[RiserRun], tree: YamlMap, pathways: Sequence[Pathway], faults: list[Fault]
) -> Iterator[Riser]:
    known = {fold(pathway.name): pathway.name for pathway in pathways}
    for number, run in enumerate(runs):
        strange = [name for name in run.joins if fold(name) not in known]
        if strange:
            at = spot_at(tree, ("risers", number, "joins"))
            faults.append(_unknown("pathway", strange[0], known.values(), at))
            continue
        joins = tuple(known[fold(name)] for name in run.joins)
        yield Riser(run.name, run.at_m, joins, spot_at(tree, ("risers", number, "name")))


def _devices(
    groups: Sequence[DeviceGroup],
    tree: YamlMap,
    catalog: Catalog,
    standing: Sequence[Rack],
    faults: list[Fault],
    *,
    follow_up: bool,
) -> Iterator[Device]:
    racks = {fold(rack.name): number for number, rack in enumerate(standing)}
    for number, group in enumerate(groups):
        found = catalog.device(group.model)
        if found is None:
            known = [*catalog.devices, *catalog.device_parts]
            faults.append(_unknown("device model", group.model, known, spot_at(tree, ("devices", number, "model"))))
            continue
        key = "rack" if group.rack is not None else "racks"
        wanted = [group.rack] if group.rack is not None else list(group.racks or ())
        strange = [name for name in wanted if fold(name) not in racks]
        if strange:
            if follow_up:
                at = spot_at(tree, ("devices", number, key))
                faults.append(_unknown("rack", strange[0], (rack.name for rack in standing), at))
            continue
        slots = [(racks[fold(name)], u) for name in wanted for u in group.u]
        if len(slots) < len(group.names):
            faults.append(
                Fault(
                    "too-few-slots",
                    f"{counted(len(group.names), 'device')} for {counted(len(slots), 'slot')}",
                    spot_at(tree, ("devices", number, "names")),
                    note=f"{counted(len(wanted), 'rack')} with {counted(len(group.u), 'slot')}"
                    + (" each" if len(wanted) > 1 else ""),
                    help="name more racks, or more slots in `u`",
                    objects=group.names,
                )
            )
        chassis, member = found
        at = spot_at(tree, ("devices", number, "names"))
        for name, (rack, u) in zip(group.names, slots, strict=False):
            yield Device(
                name, chassis, member(group.mount), rack, u, group.mount, at, _service_loop_um(group, chassis),
                group.side, group.half, group.at_mm,
            )  # fmt: skip


def _service_loop_um(group: DeviceGroup, chassis: Chassis) -> int:
    """As the group says; `slides` stands for the travel in the catalog, whose absence a rule reports."""
    if group.service_loop_m is not None:
        return group.service_loop_m
    travel = chassis.family.slides_out_m
    return (travel.value or 0) if group.slides and travel else 0


def _unknown(what: str, name: str, known: Iterable[str], at: Spot) -> Fault:
    names = list(known)
    meant = nearest(name, names)
    help_text = f"did you mean `{meant}`?" if meant else f"known: {quoted_list(sorted(names), 8)}" if names else ""
    return Fault("unknown-name", f"{what} `{name}` is not known", at, help=help_text, objects=(name,))


Named = TypeVar("Named", Rack, Pathway, Device)


def _first_of_each(what: str, things: Sequence[Named], files: Files, faults: list[Fault]) -> tuple[Named, ...]:
    """Each name once; a second thing of the same name is a fault that names both places."""
    kept: dict[str, Named] = {}
    for thing in things:
        first = kept.setdefault(fold(thing.name), thing)
        if first is not thing:
            faults.append(
                Fault(
                    "name-used-twice",
                    f"{what} `{thing.name}` is declared twice",
                    thing.at,
                    note=f"first at {files.span(first.at)}",
                    help="rename one of them",
                    objects=(thing.name,),
                )
            )
    return tuple(kept.values())


def alike(what: str, named: Sequence[Rack | Pathway | Device]) -> Iterator[Fault]:
    """Names that differ only by case, blank or dash: allowed, and easily confused on the floor."""
    seen: dict[str, Rack | Pathway | Device] = {}
    for thing in named:
        first = seen.setdefault(look_alike(thing.name), thing)
        if first is not thing:
            yield Fault(
                "names-alike",
                f"{what} names `{first.name}` and `{thing.name}` are easily confused",
                thing.at,
                help="rename one of them",
                objects=(first.name, thing.name),
            )
