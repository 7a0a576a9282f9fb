"""The sheets Cables and Ports: every cable, and every port in use of every switch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from planner.bom.bill import SWITCH
from planner.names import natural_key
from planner.plan import ABSENT, Plan
from planner.table import Ints
from planner.write.rows_of_racks import file_stems
from planner.write.workbook.looks import metres_of, top
from planner.write.workbook.spreadsheet import Book, Column, Formula, Value

MOST_CABLES: Final = 50_000
"""Up to here Cables and Ports are sheets of this workbook; beyond, workbooks by row of racks, see `by_row`."""

CABLES_NOTE: Final = (
    "Every cable, cord and trunk. A port is written device:port; the ports of one plug, and the ends of a splitter's "
    "legs, are separated by `;`. Cables of one bundle run between the same two racks by the same way."
)
PORTS_NOTE: Final = "Every switch port that the plan uses, a page for each switch. Ports without a link are not listed."

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


WHERE_COLUMNS: Final = (
    Column("Row of racks", "bold", 14, 40),
    Column("Workbook", "text", 26, 80),
    Column("Rows in it", "count", 12),
)
"""Of the sheet that stands in place of a schedule too long for this workbook."""


def cables_sheet(book: Book, plan: Plan) -> None:
    if len(plan.cables) > MOST_CABLES:
        rows = [plan.racks[rack].row for rack in plan.cables.rack_a.tolist()]
        _say_where(book, plan, "Cables", "Cables", "cables.csv", Counter(rows))
        return
    sheet = book.sheet("Cables", CABLE_COLUMNS)
    top(book, sheet, plan, "Cables", CABLES_NOTE)
    book.head(sheet)
    for row in cable_values(plan, np.arange(len(plan.cables))):
        book.row(sheet, row)
    sheet.filter_to = sheet.next_row - 1


def row_files(plan: Plan) -> dict[str, str]:
    """The workbook of each row of racks, rows in the order of their racks' names."""
    rows = dict.fromkeys(rack.row for rack in sorted(plan.racks, key=lambda rack: natural_key(rack.name)))
    return {row: f"{stem}.xlsx" for row, stem in file_stems(rows).items()}


def _say_where(book: Book, plan: Plan, name: str, title: str, file: str, counts: Mapping[str, int]) -> None:
    """A sheet that tells for each row of racks in which workbook its rows are, and how many. counts: by row of racks."""
    sheet = book.sheet(name, WHERE_COLUMNS)
    top(
        book, sheet, plan, title,
        f"This plan has {len(plan.cables):,} cables: their rows are in the folder schedules, a workbook for each row of racks, "
        f"and all together in {file}.",
    )  # fmt: skip
    head = book.head(sheet)
    for row, workbook in row_files(plan).items():
        book.row(sheet, [row, f"schedules/{workbook}", counts.get(row, 0)])
    last = sheet.filter_to = sheet.next_row - 1
    total = Formula(f"SUM(C{head + 1}:C{last})", sum(counts.values()))
    book.row(sheet, ["All rows", None, total], ["sum text", "sum text", "sum count"])


def cable_values(plan: Plan, cables: Ints) -> Iterator[list[Value]]:
    """Cells of some cables, by their rows in the plan, in CABLE_COLUMNS."""
    table, ends = plan.cables.take(cables), _ends_of(plan, cables)
    routes = [*(route.replace(";", "; ") for route in plan.routes.pathways.tolist()), ""]
    phases = [*(phase.name for phase in plan.phases), ""]
    racks = [rack.name for rack in plan.racks]
    parts: list[list[Value]] = [
        [
            part.part, part.order_number, part.category,
            None if part.length_mm == ABSENT else metres_of(part.length_mm),
        ]
        for part in plan.parts
    ]  # fmt: skip
    columns = (table.cable_id, table.part, table.rack_a, table.rack_z, table.route, table.bundle, table.phase)
    for cable, cells in zip(cables.tolist(), zip(*(c.tolist() for c in columns), strict=True), strict=True):
        cable_id, part, rack_a, rack_z, route, bundle, phase = cells
        at_a, at_z = ends[cable]
        yield [
            str(cable_id), *parts[part], racks[rack_a], "; ".join(at_a), racks[rack_z], "; ".join(at_z), routes[route],
            f"B{bundle:03d}", phases[phase],
        ]  # fmt: skip


def _ends_of(plan: Plan, cables: Ints) -> dict[int, tuple[list[str], list[str]]]:
    """`device:port` of every port at the a end of each cable (of a trunk at the a ends of its legs), and at its other ends."""
    names = [device.name for device in plan.devices]
    found: dict[int, tuple[list[str], list[str]]] = {cable: ([], []) for cable in cables.tolist()}
    table = plan.ends.take(np.flatnonzero(np.isin(plan.ends.cable, cables)))
    columns = (table.cable.tolist(), table.end.tolist(), table.device.tolist(), table.port.tolist())
    for cable, end, device, port in zip(*columns, strict=True):
        if device >= 0:
            found[cable][not end.startswith("a")].extend(f"{names[device]}:{name}" for name in port.split(";"))
    return found


def ports_sheet(book: Book, plan: Plan) -> None:
    if len(plan.cables) > MOST_CABLES:
        _say_where(book, plan, "Ports", "Switch ports", "links.csv", _ports_by_row(plan))
        return
    # Upright, unlike the others: a 64-port switch fits one page, to hang beside it.
    sheet = book.sheet("Ports", PORT_COLUMNS, portrait=True)
    top(book, sheet, plan, "Switch ports", PORTS_NOTE)
    book.head(sheet)
    is_first = True
    for rows in port_values(plan, switches_of(plan)):
        if not is_first:
            sheet.breaks.append(sheet.next_row - 1)
        is_first = False
        for row in rows:
            book.row(sheet, row)
    sheet.filter_to = sheet.next_row - 1


def _ports_by_row(plan: Plan) -> Counter[str]:
    """How many rows `port_values` has of the switches in each row of racks."""
    alone = np.setdiff1d(np.arange(len(plan.plugs)), plan.plug_links.plug)
    devices = np.concatenate((plan.links.a_device, plan.links.z_device, plan.plugs.device[alone]))
    found: Counter[str] = Counter()
    for number, count in enumerate(np.bincount(devices, minlength=len(plan.devices)).tolist()):
        device = plan.devices[number]
        found[plan.racks[device.rack].row] += count if device.kind == SWITCH else 0
    return found


def switches_of(plan: Plan, racks: Collection[int] | None = None) -> list[int]:
    """Rows of the switches; racks: those that stand in these only."""
    return [
        number
        for number, device in enumerate(plan.devices)
        if device.kind == SWITCH and (racks is None or device.rack in racks)
    ]


def port_values(plan: Plan, switches: Sequence[int]) -> Iterator[list[list[Value]]]:
    """Cells of the rows of each switch, in PORT_COLUMNS, in natural order of switch, cage and port."""
    found: dict[int, list[tuple[tuple[object, ...], list[Value]]]] = {}
    wanted = np.asarray(switches, np.int64)
    known = lru_cache(maxsize=None)(natural_key)
    ids, parts = plan.cables.cable_id.tolist(), plan.cables.part.tolist()
    for near, far in (("a", "z"), ("z", "a")):
        rows = np.flatnonzero(np.isin(getattr(plan.links, f"{near}_device"), wanted))
        links = plan.links.take(rows)
        columns = (
            *(getattr(links, f"{near}_{name}") for name in ("device", "cage", "half", "port", "plug_part")),
            *(getattr(links, f"{far}_{name}") for name in ("device", "port")),
            links.tier, links.cable, links.status,
        )  # fmt: skip
        for cells in zip(*(column.tolist() for column in columns), strict=True):
            device, cage, half, port, plug, other, far_port, tier, cable, state = cells
            part = plan.parts[parts[cable]] if cable >= 0 else None
            row: list[Value] = [
                *_place(plan, device), port, plug, str(ids[cable]) if cable >= 0 else "", part.part if part else "",
                metres_of(part.length_mm) if part and part.length_mm != ABSENT else None,
                plan.racks[plan.devices[other].rack].name, plan.devices[other].u, plan.devices[other].name, far_port, tier,
                "" if state == "resolved" else "UNRESOLVED",
            ]  # fmt: skip
            found.setdefault(device, []).append(((known(cage), half, port), row))
    for device, cage, row in _plugs_without_link(plan, set(switches)):
        found.setdefault(device, []).append(((known(cage), 0, ""), row))
    for number in sorted(found, key=lambda number: natural_key(plan.devices[number].name)):
        yield [row for _, row in sorted(found[number], key=lambda pair: pair[0])]


def _plugs_without_link(plan: Plan, switches: set[int]) -> Iterable[tuple[int, str, list[Value]]]:
    """Plugs that only fill a cage."""
    alone = np.setdiff1d(np.arange(len(plan.plugs)), plan.plug_links.plug)
    plugs = plan.plugs.take(alone)
    for device, cage, part in zip(plugs.device.tolist(), plugs.cage.tolist(), plugs.part.tolist(), strict=True):
        if device in switches:
            row: list[Value] = [*_place(plan, device), f"cage {cage}", plan.parts[part].part]
            yield device, cage, [*row, *[None] * (len(PORT_COLUMNS) - len(row) - 1), "no link"]


def _place(plan: Plan, device: int) -> list[Value]:
    row = plan.devices[device]
    return [row.name, plan.racks[row.rack].name, row.u]
