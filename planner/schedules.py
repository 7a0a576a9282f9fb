"""The plan as flat tables, row by row: links, cables, plugs and labels, in the columns that other people's scripts read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from planner.plan import Plan
from planner.units import metres

Cell = str | int
Rows = Iterator[tuple[Cell, ...]]

LINK_COLUMNS: Final = (
    "link_id", "fabric", "tier", "protocol", "rate_gbps", "a_device", "a_port", "a_rack", "a_u", "z_device", "z_port",
    "z_rack", "z_u", "medium", "assembly_id", "cable_ids", "cable_parts", "a_plug_part", "z_plug_part",
    "routed_length_m", "slack_m", "required_length_m", "stock_length_m", "route", "phase", "status",
)  # fmt: skip
CABLE_COLUMNS: Final = (
    "cable_id", "part", "order_number", "category", "length_m", "ends", "rack_a", "rack_z", "route", "bundle", "phase",
)  # fmt: skip
PLUG_COLUMNS: Final = ("device", "cage", "plug_part", "order_number", "category", "links", "free_halves")
LABEL_COLUMNS: Final = ("cable_id", "end", "device", "port", "rack", "u", "near", "far")


def link_rows(plan: Plan) -> Rows:
    """A row a link, in LINK_COLUMNS."""
    links, cables = plan.links, plan.cables
    devices = [(d.name, plan.racks[d.rack].name, d.u) for d in plan.devices]
    fabrics = [(f.name, f.protocol, "" if f.rate_gbps < 0 else f.rate_gbps) for f in plan.fabrics]
    assembly = cables.assembly_id.tolist()
    ids: dict[int, list[int]] = {}
    for cable_id, assembly_id in zip(cables.cable_id.tolist(), assembly, strict=True):
        ids.setdefault(assembly_id, []).append(cable_id)
    joined = {first: ";".join(map(str, of_one)) for first, of_one in ids.items()}
    part_of = [plan.parts[p].part for p in cables.part.tolist()]
    parts = [";".join([part] * len(ids[first])) for part, first in zip(part_of, assembly, strict=True)]
    over_panels = cables_over_panels(plan)
    numbers = cables.cable_id.tolist()
    routes = [*plan.routes.pathways.tolist(), ""]
    phases = [*(phase.name for phase in plan.phases), ""]
    columns = zip(
        plan.link_ids, links.fabric.tolist(), links.tier.tolist(), links.a_device.tolist(), links.a_port.tolist(),
        links.z_device.tolist(), links.z_port.tolist(), links.medium.tolist(), links.cable.tolist(),
        links.a_plug_part.tolist(), links.z_plug_part.tolist(), links.routed_mm.tolist(), links.slack_mm.tolist(),
        links.required_mm.tolist(), links.stock_mm.tolist(), links.route.tolist(), links.phase.tolist(),
        links.status.tolist(), strict=True,
    )  # fmt: skip
    for row, (
        link_id,
        fabric,
        tier,
        a,
        a_port,
        z,
        z_port,
        medium,
        cable,
        a_plug,
        z_plug,
        *lengths,
        route,
        phase,
        status,
    ) in enumerate(columns):
        a_name, a_rack, a_u = devices[a]
        z_name, z_rack, z_u = devices[z]
        f_name, protocol, gbps = fabrics[fabric]
        cable_cells = ("", "", "") if cable < 0 else (assembly[cable], joined[assembly[cable]], parts[cable])
        if row in over_panels:
            mine = over_panels[row]
            cable_cells = (
                assembly[cable], ";".join(str(numbers[c]) for c in mine), ";".join(part_of[c] for c in mine)
            )  # fmt: skip
        yield (
            link_id, f_name, tier, protocol, gbps, a_name, a_port, a_rack, a_u, z_name, z_port, z_rack, z_u, medium,
            *cable_cells, a_plug, z_plug, *("" if mm < 0 else metres(mm) for mm in lengths), routes[route],
            phases[phase], status,
        )  # fmt: skip


def cables_over_panels(plan: Plan) -> dict[int, list[int]]:
    """Rows of the cables that each link of structured cabling runs through, in order from its a: cord, trunk, cord."""
    found: dict[int, list[int]] = {}
    for link, cable in zip(plan.link_cables.link.tolist(), plan.link_cables.cable.tolist(), strict=True):
        found.setdefault(link, []).append(cable)
    return found


def cable_rows(plan: Plan) -> Rows:
    """A row a cable, in CABLE_COLUMNS."""
    cables = plan.cables
    ends = ends_by_cable(plan)
    routes = [*plan.routes.pathways.tolist(), ""]
    phases = [*(phase.name for phase in plan.phases), ""]
    columns = (cables.cable_id, cables.part, cables.rack_a, cables.rack_z, cables.route, cables.bundle, cables.phase)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for number, (cable_id, part_number, rack_a, rack_z, route, bundle, phase) in enumerate(rows):
        part = plan.parts[part_number]
        length = "" if part.length_mm < 0 else metres(part.length_mm)
        yield (
            cable_id, part.part, part.order_number, part.category, length, ";".join(ends[number]),
            plan.racks[rack_a].name, plan.racks[rack_z].name, routes[route], f"B{bundle:03d}", phases[phase],
        )  # fmt: skip


def ends_by_cable(plan: Plan) -> list[list[str]]:
    """`device:port` of every port that each cable ends at, by row of `cables`."""
    ends: list[list[str]] = [[] for _ in range(len(plan.cables))]
    table = plan.ends
    for cable, device, port in zip(table.cable.tolist(), table.device.tolist(), table.port.tolist(), strict=True):
        if device >= 0:
            ends[cable].extend(f"{plan.devices[device].name}:{name}" for name in port.split(";"))
    return ends


def plug_rows(plan: Plan) -> Rows:
    """A row a plug, in PLUG_COLUMNS; plugs of cables are among them, with the cable's part."""
    links = links_by_plug(plan)
    plugs = plan.plugs
    columns = (plugs.device.tolist(), plugs.cage.tolist(), plugs.part.tolist(), plugs.free_halves.tolist())
    for number, (device, cage, part_number, free) in enumerate(zip(*columns, strict=True)):
        part = plan.parts[part_number]
        joined = ";".join(plan.link_ids[link] for link in links[number])
        yield plan.devices[device].name, cage, part.part, part.order_number, part.category, joined, free


def links_by_plug(plan: Plan) -> list[list[int]]:
    """Rows of the links of each plug."""
    links: list[list[int]] = [[] for _ in range(len(plan.plugs))]
    for plug, link in zip(plan.plug_links.plug.tolist(), plan.plug_links.link.tolist(), strict=True):
        links[plug].append(link)
    return links


def label_rows(plan: Plan) -> Rows:
    """A row a physical cable end, in LABEL_COLUMNS."""
    ends = plan.ends
    ids: Sequence[int] = plan.cables.cable_id.tolist()
    columns = (
        ends.cable.tolist(),
        ends.end.tolist(),
        ends.device.tolist(),
        ends.port.tolist(),
        ends.near.tolist(),
        ends.far.tolist(),
    )
    for cable, end, number, port, near, far in zip(*columns, strict=True):
        if number < 0:
            yield ids[cable], end, "", "", "", "", near, far
            continue
        device = plan.devices[number]
        yield ids[cable], end, device.name, port, plan.racks[device.rack].name, device.u, near, far
