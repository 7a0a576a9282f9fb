"""The sheets Cables and Ports: every cable, and every port in use of every switch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from planner.bom import SWITCH
from planner.names import natural_key, natural_rank
from planner.plan import ABSENT, DeviceRow, Plan
from planner.schedules import ends_by_cable, links_by_plug
from planner.write.workbook.looks import metres_of, top
from planner.write.workbook.spreadsheet import Book, Column, Value

MOST_CABLES: Final = 50_000
"""Up to here Cables and Ports are sheets of this workbook. Issue 8 streams what is beyond into workbooks by row of racks."""

CABLE_COLUMNS: Final = (
    Column("Cable", "bold", 7),
    Column("Part number", "text", 14, 30),
    Column("Order number", "text", 9, 30),
    Column("Category", "text", 9),
    Column("Length [m]", "metres", 8),
    Column("Rack A", "text", 7, 24),
    Column("A end", "text", 14, 34),
    Column("Rack Z", "text", 7, 24),
    Column("Z end", "text", 14, 34),
    Column("Route", "text", 12, 34),
    Column("Bundle", "text", 7),
    Column("Phase", "text", 6, 20),
)
PORT_COLUMNS: Final = (
    Column("Switch", "bold", 9, 24),
    Column("Rack", "text", 6, 20),
    Column("U", "count", 5),
    Column("Port", "bold", 6, 16),
    Column("Plug", "text", 13, 24),
    Column("Cable", "text", 6),
    Column("Cable part", "text", 13, 24),
    Column("Length [m]", "metres", 8),
    Column("Far rack", "text", 7, 20),
    Column("Far U", "count", 5),
    Column("Far device", "text", 10, 24),
    Column("Far port", "text", 8, 16),
    Column("Tier", "text", 10, 20),
    Column("Remark", "text", 11, 16),
)


def cables_sheet(book: Book, plan: Plan) -> None:
    sheet = book.sheet("Cables", CABLE_COLUMNS)
    if len(plan.cables) > MOST_CABLES:
        top(book, sheet, plan, "Cables", f"This plan has {len(plan.cables):,} cables: each has a row in cables.csv.")
        return
    top(
        book, sheet, plan, "Cables",
        "Every cable, cord and trunk. A port is written device:port; the ports of one plug, and the ends of a splitter's "
        "legs, are separated by `;`. Cables of one bundle run between the same two racks by the same way.",
    )  # fmt: skip
    book.head(sheet)
    cables, ends = plan.cables, ends_by_cable(plan)
    first_ends = _ports_at_a(plan)
    routes = [*plan.routes.pathways.tolist(), ""]
    phases = [*(phase.name for phase in plan.phases), ""]
    columns = (cables.cable_id, cables.part, cables.rack_a, cables.rack_z, cables.route, cables.bundle, cables.phase)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for number, (cable_id, part_number, rack_a, rack_z, route, bundle, phase) in enumerate(rows):
        part, at_a = plan.parts[part_number], first_ends[number]
        book.row(
            sheet,
            [
                str(cable_id), part.part, part.order_number, part.category,
                None if part.length_mm == ABSENT else metres_of(part.length_mm),
                plan.racks[rack_a].name, "; ".join(ends[number][:at_a]),
                plan.racks[rack_z].name, "; ".join(ends[number][at_a:]),
                routes[route].replace(";", "; "), f"B{bundle:03d}", phases[phase],
            ],
        )  # fmt: skip
    sheet.filter_to = sheet.next_row - 1


def _ports_at_a(plan: Plan) -> list[int]:
    """How many of a cable's ports are at its a end."""
    counts = [0] * len(plan.cables)
    table = plan.ends
    for cable, end, port in zip(table.cable.tolist(), table.end.tolist(), table.port.tolist(), strict=True):
        if end == "a":
            counts[cable] = len(port.split(";")) if port else 0
    return counts


def ports_sheet(book: Book, plan: Plan) -> None:
    # Upright, unlike the others: a 64-port switch fits one page, to hang beside it.
    sheet = book.sheet("Ports", PORT_COLUMNS, portrait=True)
    if len(plan.cables) > MOST_CABLES:
        top(
            book,
            sheet,
            plan,
            "Switch ports",
            "The ports of so many switches have their rows in links.csv, by a_port and z_port.",
        )
        return
    top(
        book, sheet, plan, "Switch ports",
        "Every switch port that the plan uses, a page for each switch. Ports without a link are not listed.",
    )  # fmt: skip
    book.head(sheet)
    switch = None
    for device, rows in _switch_rows(plan):
        if switch is not None:
            sheet.breaks.append(sheet.next_row - 1)
        switch = device
        for row in rows:
            book.row(sheet, row)
    sheet.filter_to = sheet.next_row - 1


def _switch_rows(plan: Plan) -> Iterable[tuple[DeviceRow, list[list[Value]]]]:
    """The rows of each switch in natural order of switch, cage and port."""
    found: dict[int, list[tuple[tuple[object, ...], list[Value]]]] = {}
    switches = {number for number, device in enumerate(plan.devices) if device.kind == SWITCH}
    order_key = {text: natural_key(text) for text in {*plan.links.a_cage.vocabulary, *plan.links.z_cage.vocabulary}}
    links = plan.links
    ids, parts = plan.cables.cable_id.tolist(), plan.cables.part.tolist()
    tiers, cables, status = links.tier.tolist(), links.cable.tolist(), links.status.tolist()
    a = (
        links.a_device.tolist(),
        links.a_cage.tolist(),
        links.a_half.tolist(),
        links.a_port.tolist(),
        links.a_plug_part.tolist(),
    )
    z = (
        links.z_device.tolist(),
        links.z_cage.tolist(),
        links.z_half.tolist(),
        links.z_port.tolist(),
        links.z_plug_part.tolist(),
    )
    for near, far in ((a, z), (z, a)):
        columns = zip(*near, *far, tiers, cables, status, strict=True)
        for device, cage, half, port, plug, other, _, _, far_port, _, tier, cable, state in columns:
            if device not in switches:
                continue
            part = plan.parts[parts[cable]] if cable >= 0 else None
            row: list[Value] = [
                *_place(plan, device), port, plug, str(ids[cable]) if cable >= 0 else "", part.part if part else "",
                metres_of(part.length_mm) if part and part.length_mm != ABSENT else None,
                plan.racks[plan.devices[other].rack].name, plan.devices[other].u, plan.devices[other].name, far_port, tier,
                "" if state == "resolved" else "UNRESOLVED",
            ]  # fmt: skip
            found.setdefault(device, []).append(((order_key[cage], half, port), row))
    for device, cage, row in _plugs_without_link(plan, switches):
        found.setdefault(device, []).append(((natural_key(cage), 0, ""), row))
    rank = natural_rank(device.name for device in plan.devices)
    for number in sorted(found, key=lambda number: rank[plan.devices[number].name]):
        yield plan.devices[number], [row for _, row in sorted(found[number], key=lambda pair: pair[0])]


def _plugs_without_link(plan: Plan, switches: set[int]) -> Iterable[tuple[int, str, list[Value]]]:
    """Plugs that only fill a cage."""
    of_plug = links_by_plug(plan)
    plugs = plan.plugs
    columns = zip(plugs.device.tolist(), plugs.cage.tolist(), plugs.part.tolist(), strict=True)
    for number, (device, cage, part) in enumerate(columns):
        if device in switches and not of_plug[number]:
            row: list[Value] = [*_place(plan, device), f"cage {cage}", plan.parts[part].part]
            yield device, cage, [*row, *[None] * (len(PORT_COLUMNS) - len(row) - 1), "no link"]


def _place(plan: Plan, device: int) -> list[Value]:
    row = plan.devices[device]
    return [row.name, plan.racks[row.rack].name, row.u]
