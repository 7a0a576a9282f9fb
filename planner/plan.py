"""The plan: everything that documents and later commands need, in tables that one SQLite file holds.

Rows refer to each other by position (a link's cable is a row of `cables`). -1 stands for an absent number or reference,
and is NULL in the file. Lengths in mm, points in um (room coordinates: x east, y north, origin south-west, z up).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property

from planner.findings import Finding
from planner.project import Policy
from planner.table import Ints, Table, Words

ABSENT = -1


@dataclass(frozen=True, slots=True)
class Identity:
    """What every document prints of its origin. draft: made although errors stand."""

    project: str
    revision: str
    date: str
    inputs_sha256: str
    planner_version: str
    draft: bool


@dataclass(frozen=True, slots=True)
class FabricRow:
    name: str
    protocol: str
    rate: str
    rate_gbps: int


@dataclass(frozen=True, slots=True)
class RackRow:
    """west_um, south_um: smallest corner of the footprint; size_x_um, size_y_um: its extent along x and y."""

    name: str
    row: str
    type: str
    west_um: int
    south_um: int
    size_x_um: int
    size_y_um: int
    height_um: int
    units: int
    numbered_from: str
    front: str
    phase: str


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """u: number of the physically lowest slot filled. power_mw: typical draw without optics; -1 unknown."""

    name: str
    model: str
    kind: str
    part: str
    order_number: str
    rack: int
    u: int
    height_u: int
    mount: str
    power_mw: int


@dataclass(frozen=True, slots=True)
class ComponentRow:
    """What is ordered with a device, such as the line cards of a chassis. pieces: of the part, for this device."""

    device: int
    part: int
    pieces: int


@dataclass(frozen=True, slots=True)
class PanelSlotRow:
    """A slot of a panel (a device of kind `panel`), from 1. part: the plate or cassette in it, ABSENT where it stays empty.

    first_port, ports: of the ports at the panel's front that it holds, numbered through the panel. first_rear, rear_ports:
    the same at its rear, where trunks end; a plate has one rear port behind each front port, under the same number.
    """

    device: int
    slot: int
    part: int
    first_port: int
    ports: int
    first_rear: int
    rear_ports: int


@dataclass(frozen=True, slots=True)
class PathwayRow:
    """height_um: its lowest point. fill_ppm: of the fullest segment, -1 where a cable's size is unknown; mg_per_m likewise.

    copper_ppm: the part of fill_ppm that is copper; the rest is fibre.
    """

    name: str
    type: str
    kind: str
    height_um: int
    width_um: int
    usable_depth_um: int
    carries: str
    fill_ppm: int
    cables: int
    mg_per_m: int
    copper_ppm: int


@dataclass(frozen=True, slots=True)
class PathwayPoint:
    """A point of a pathway's polyline; z_um: the inside of its floor there."""

    pathway: int
    x_um: int
    y_um: int
    z_um: int


@dataclass(frozen=True, slots=True)
class RoomPoint:
    """A corner of a room's outline, of an obstacle or of an opening (`kind`); name: empty for a project's only room."""

    name: str
    kind: str
    x_um: int
    y_um: int


@dataclass(frozen=True, slots=True)
class PartRow:
    """A part that is installed. category as in the bill; length_mm -1 for a part without length; power_mw per piece.

    longest_mm: the longest piece of its family that every link with this part may have; -1 where that is not known.
    stands_for: the generic parts that it was bought for, by `;`, empty where it was chosen itself.
    """

    part: str
    order_number: str
    family: str
    category: str
    manufacturer: str
    description: str
    length_mm: int
    evidence: str
    lifecycle: str
    colour: str
    connector: str
    power_mw: int
    longest_mm: int = ABSENT
    stands_for: str = ""


@dataclass(frozen=True, slots=True)
class AlternateRow:
    """A part that may be bought in place of another, which it equals on every link. part: row of `parts`."""

    part: int
    alternate: str
    order_number: str
    manufacturer: str


@dataclass(frozen=True, slots=True)
class StockRow:
    """Pieces of a part on hand at one place (empty where none is given), installed in the plan or not."""

    part: str
    order_number: str
    family: str
    category: str
    description: str
    length_mm: int
    quantity: int
    place: str


@dataclass(frozen=True, slots=True)
class PriceRow:
    """What is known of a part's price and sale; -1 unknown. price_e4 in ten-thousandths of the currency."""

    part: str
    price_e4: int
    currency: str
    note: str
    pack_size: int
    minimum_order: int
    lead_time_weeks: int
    indicative: bool


@dataclass(frozen=True, slots=True)
class PhaseRow:
    name: str
    need_by: str


@dataclass(frozen=True, slots=True)
class LinkTable(Table):
    """A row a link, in natural order of fabric and link ID.

    a_cage, z_cage: cage names; a_half: place of the port in its cage from 1. a_hand: side of the cage facing the ports,
    -1 left, 1 right. stock_mm: of the cable. measured_mm: replaces the sum of the terms. route: row of `routes`.
    plug parts: the transceivers', or the cable's own part. phase: row of `phases`.
    """

    fabric: Ints
    tier: Words
    a_device: Ints
    a_port: Words
    a_cage: Words
    a_half: Ints
    a_hand: Ints
    z_device: Ints
    z_port: Words
    z_cage: Words
    z_half: Ints
    z_hand: Ints
    medium: Words
    cable: Ints
    a_plug_part: Words
    z_plug_part: Words
    a_in_rack_mm: Ints
    a_rise_mm: Ints
    pathway_mm: Ints
    z_rise_mm: Ints
    z_in_rack_mm: Ints
    measured_mm: Ints
    routed_mm: Ints
    slack_mm: Ints
    required_mm: Ints
    stock_mm: Ints
    route: Ints
    phase: Ints
    status: Words


@dataclass(frozen=True, slots=True)
class CableTable(Table):
    """A row a cable, cord or trunk; its ID is stored, not its place. part: row of `parts`; bundle from 1."""

    cable_id: Ints
    part: Ints
    assembly_id: Ints
    rack_a: Ints
    rack_z: Ints
    route: Ints
    bundle: Ints
    phase: Ints


@dataclass(frozen=True, slots=True)
class EndTable(Table):
    """A row a physical cable end, cable by cable. device -1 for an unused leg; port: the ports of its plug, by `;`.

    A trunk has an end for each leg, a1, a2, ... and z1, z2, ...; its device is a panel, and so is one end of a channel's cord.
    """

    cable: Ints
    end: Words
    device: Ints
    port: Words
    near: Words
    far: Words


@dataclass(frozen=True, slots=True)
class LinkCableTable(Table):
    """A row a cable that a link of structured cabling runs through, link by link from its a to its z: cord, trunk, cord.

    strand: which of the link's channels, from 1, where a link takes several receptacles. place: in the channel, from 1.
    leg: the trunk's leg, from 1; ABSENT for a cord. A link without a row here has the cables of its assembly.
    """

    link: Ints
    strand: Ints
    place: Ints
    cable: Ints
    leg: Ints


@dataclass(frozen=True, slots=True)
class TrunkLegTable(Table):
    """A row a leg of a trunk, from 1, with the rear port of the panel (a device) that it stands in at either end.

    state: `used` where a link runs through it, `reserve` up to the growth reserve asked for, else `spare` (trunks are
    whole). unlit: positions of its a end that carry fibre and no light of a link, by `;`; all of them where it is unused.
    """

    cable: Ints
    leg: Ints
    a_device: Ints
    a_port: Ints
    z_device: Ints
    z_port: Ints
    state: Words
    unlit: Words


@dataclass(frozen=True, slots=True)
class PlugTable(Table):
    """A row a plug in a cage. part: row of `parts`. free_halves: ports of the plug without a link."""

    device: Ints
    cage: Words
    part: Ints
    free_halves: Ints
    phase: Ints


@dataclass(frozen=True, slots=True)
class PlugLinkTable(Table):
    """Which links run through which plug."""

    plug: Ints
    link: Ints


@dataclass(frozen=True, slots=True)
class RouteTable(Table):
    """The pathways along each route, in order from a to z, as texts joined by `;`."""

    pathways: Words


@dataclass(frozen=True, slots=True)
class LoadTable(Table):
    """What lies in each stretch of a pathway between two places where that changes; offsets along it in mm.

    fill_ppm: cross-section of the cables over inner width times usable depth, -1 where a cable's size is unknown.
    copper_ppm: the part of it that is copper; the rest is fibre.
    """

    pathway: Ints
    from_mm: Ints
    to_mm: Ints
    cables: Ints
    fill_ppm: Ints
    mg_per_m: Ints
    copper_ppm: Ints


@dataclass(frozen=True)
class Plan:
    """A compiled plan. inputs: the normalised input, catalog: the entries it was made with, both as JSON texts."""

    identity: Identity
    fabrics: tuple[FabricRow, ...]
    room: tuple[RoomPoint, ...]
    racks: tuple[RackRow, ...]
    devices: tuple[DeviceRow, ...]
    pathways: tuple[PathwayRow, ...]
    pathway_points: tuple[PathwayPoint, ...]
    parts: tuple[PartRow, ...]
    components: tuple[ComponentRow, ...]
    panel_slots: tuple[PanelSlotRow, ...]
    prices: tuple[PriceRow, ...]
    alternates: tuple[AlternateRow, ...]
    stock: tuple[StockRow, ...]
    phases: tuple[PhaseRow, ...]
    links: LinkTable
    cables: CableTable
    ends: EndTable
    link_cables: LinkCableTable
    trunk_legs: TrunkLegTable
    plugs: PlugTable
    plug_links: PlugLinkTable
    routes: RouteTable
    loads: LoadTable
    findings: tuple[Finding, ...]
    inputs: str
    catalog: str

    @cached_property
    def policy(self) -> Policy:
        """The project's policy, as the plan was made with."""
        return Policy.model_validate(json.loads(self.inputs).get("policy") or {})

    @cached_property
    def link_ids(self) -> list[str]:
        """`a_device:a_port--z_device:z_port` of every link."""
        names = [device.name for device in self.devices]
        links = self.links
        columns = (links.a_device.tolist(), links.a_port.tolist(), links.z_device.tolist(), links.z_port.tolist())
        return [f"{names[a]}:{p}--{names[z]}:{q}" for a, p, z, q in zip(*columns, strict=True)]
