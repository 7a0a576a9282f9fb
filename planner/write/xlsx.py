"""The workbook for purchasing: what to buy, what goes into each rack's kit, every cable and switch port, and findings.

Order quantities, extended prices and totals are formulas, so that a buyer who changes a spare count, a pack size or a
price sees everything follow. What is not known stays an empty cell, and sums that need it say so instead of a figure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Final

from planner.bom import (
    CATEGORIES,
    E4,
    SWITCH,
    BomLine,
    Cost,
    bom_lines,
    cost_of,
    kit_lines,
    known,
    links_by_tier,
    minimum_orders,
    plug_power_mw,
    sum_known,
    switch_power_mw,
)
from planner.findings import Finding, Severity, counted
from planner.names import natural_key, natural_rank
from planner.plan import ABSENT, DeviceRow, Plan
from planner.schedules import ends_by_cable, links_by_plug
from planner.units import PPM
from planner.write.spreadsheet import Book, Column, Formula, Look, Page, Sheet, Value, letter

MOST_CABLES: Final = 50_000
"""Up to here Cables and Ports are sheets of this workbook. Issue 8 streams what is beyond into workbooks by row of racks."""

MOST_UNRESOLVED: Final = 5_000
_OBJECTS_SHOWN: Final = 8
_BLUE: Final = "0000C0"  # the usual colour of figures to type over; it prints as dark as black
_RED: Final = "A00000"
_GREY: Final = "D9D9D9"
_YELLOW: Final = "FFE699"


def _figure(number_format: str, **how: Any) -> Look:
    """A figure in a table: to the right, a little away from the text that follows."""
    return Look(number_format, align="right", indent=1, **{"rule": "hair", **how})


_TABLE_LOOKS: Final = {
    "text": Look(rule="hair", wrap=True),
    "bold": Look(rule="hair", wrap=True, bold=True),
    "bad": Look(rule="hair", wrap=True, bold=True, ink=_RED),
    "count": _figure("#,##0"),
    "metres": _figure("0.0##"),
    "day": Look("yyyy-mm-dd", rule="hair", align="left"),
    "money": _figure("#,##0.00"),
    "share": _figure("0.0 %"),
    "watts": _figure("#,##0.0"),
    "weight": _figure("0.000"),
    "order": _figure("#,##0", bold=True),
    "enter count": _figure("#,##0", ink=_BLUE),
    "enter money": _figure("#,##0.00##", ink=_BLUE),
    "enter text": Look(rule="hair", ink=_BLUE),
}
LOOKS: Final = {
    **_TABLE_LOOKS,
    # The first row of a group, with a line above it.
    **{f"{name}, first": replace(look, rule_above="thin") for name, look in _TABLE_LOOKS.items()},
    "title": Look(size=16, bold=True),
    "origin": Look(ink="404040"),
    "note": Look(italic=True),
    "plain": Look(),
    "alarm": Look(size=12, bold=True, ink="FFFFFF", fill=_RED),
    "caution": Look(bold=True, fill=_YELLOW),
    "fine": Look(bold=True),
    "section": Look(size=12, bold=True, rule="medium"),
    "head": Look(bold=True, fill=_GREY, rule="thin", wrap=True, middle=True),
    "head right": Look(bold=True, fill=_GREY, rule="thin", wrap=True, middle=True, align="right", indent=1),
    "fill in": _figure("#,##0.00", ink=_BLUE, fill=_YELLOW),
    "sum text": Look(bold=True, rule="thin", rule_above="thin"),
    "sum count": _figure("#,##0", bold=True, rule="thin", rule_above="thin"),
    "sum money": _figure("#,##0.00", bold=True, rule="thin", rule_above="thin"),
}

PURCHASE_COLUMNS: Final = (
    Column("Line", "count", 5),
    Column("Category", "text", 10),
    Column("Manufacturer", "text", 9, 16),
    Column("Part number", "bold", 15, 24),
    Column("Order number", "text", 10, 24),
    Column("Description", "text", 28, 32),
    Column("Length [m]", "metres", 8),
    Column("Installed", "count", 9),
    Column("Spare", "enter count", 6),
    Column("Stock", "enter count", 6),
    Column("Order", "order", 7),
    Column("Pack", "enter count", 6),
    Column("Min. order", "enter count", 6),
    Column("Unit price", "enter money", 10),
    Column("Currency", "enter text", 8),
    Column("Extended", "money", 14),
    Column("Lead time [weeks]", "enter count", 9),
    Column("Need by", "day", 9),
    Column("Phase", "text", 6, 16),
    Column("Evidence", "text", 9),
    Column("Price from", "text", 9, 22),
)
SUMMARY_COLUMNS: Final = (Column("", "text", 36), *(Column("", "text", 12) for _ in range(8)))
KIT_COLUMNS: Final = (
    Column("Rack", "bold", 8, 30),
    Column("Phase", "text", 6, 20),
    Column("Category", "text", 11),
    Column("Part number", "bold", 16, 30),
    Column("Order number", "text", 16, 30),
    Column("Description", "text", 40, 60),
    Column("Length [m]", "metres", 8),
    Column("Quantity", "count", 10),
    Column("Of these to another rack", "count", 13),
)
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
FINDING_COLUMNS: Final = (
    Column("Severity", "bold", 9),
    Column("Rule", "text", 8),
    Column("Name", "text", 14, 16),
    Column("Message", "text", 30, 40),
    Column("Note", "text", 20, 28),
    Column("What to do", "text", 20, 28),
    Column("Place", "text", 14, 20),
    Column("Objects", "text", 14, 20),
    Column("Count", "count", 7),
    Column("Waived because", "text", 9, 18),
)
UNRESOLVED_COLUMNS: Final = (
    Column("Link", "bold", 30, 60),
    Column("Fabric", "text", 10, 24),
    Column("Tier", "text", 10, 24),
    Column("Rack A", "text", 8, 24),
    Column("Rack Z", "text", 8, 24),
    Column("Required length [m]", "metres", 10),
    Column("Why (more in Findings)", "text", 40, 60),
)


def write_bom_workbook(plan: Plan, path: Path) -> None:
    """Write the workbook of a plan: the same plan gives the same bytes.

    Above MOST_CABLES cables the sheets Cables and Ports are left out, and say where their rows are.
    """
    identity = plan.identity
    page = Page(
        left=identity.project,
        right=f"revision {identity.revision}" if identity.revision else "no revision",
        foot=f"inputs {identity.inputs_sha256[:12]}",
        draft=identity.draft,
    )
    book = Book(LOOKS, page, f"Bill of materials {identity.project}")
    lines = bom_lines(plan)
    summary = book.sheet("Summary", SUMMARY_COLUMNS)
    unresolved = _unresolved_sheet(book, plan)
    table = _purchase_sheet(book, plan, lines)
    _kits_sheet(book, plan, table)
    _cables_sheet(book, plan)
    _ports_sheet(book, plan)
    _findings_sheet(book, plan)
    _Summary(book, plan, summary, lines, table, unresolved).write()
    book.save(path)


def _top(book: Book, sheet: Sheet, plan: Plan, title: str, *notes: str) -> None:
    """What stands above every table: the title, where it comes from, and whether it may be used."""
    identity = plan.identity
    revision = f"revision {identity.revision}" if identity.revision else "no revision"
    dated = f", {identity.date}" if identity.date else ""
    book.line(sheet, title, "title")
    book.line(
        sheet,
        f"{identity.project}, {revision}{dated}. Inputs {identity.inputs_sha256[:12]}, planner {identity.planner_version}.",
        "origin",
    )
    if identity.draft:
        errors = counted(plan.findings)["error"]
        book.line(sheet, f"DRAFT - DO NOT ORDER: {_some(errors, 'error')} in this plan, see Findings.", "alarm")
    for note in notes:
        book.line(sheet, note, "note")
    book.blank(sheet)


# --- Purchase -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PurchaseTable:
    """Where the purchase lines stand, for the formulas of other sheets."""

    first: int
    last: int
    columns: dict[str, str]

    def cells(self, head: str, sheet: str = "Purchase!") -> str:
        column = self.columns[head]
        return f"{sheet}${column}${self.first}:${column}${self.last}"


def _purchase_sheet(book: Book, plan: Plan, lines: Sequence[BomLine]) -> PurchaseTable:
    sheet = book.sheet("Purchase", PURCHASE_COLUMNS)
    _top(
        book, sheet, plan, "Purchase list",
        "Blue figures are yours to change: the order quantity, the extended price and every total follow. "
        "Shaded: a price is missing, and so are the sums that need it.",
        "Order = installed + spare - stock, never below zero, raised to the minimum order and to whole packs; over "
        "several phases spares and rounding fall to a part's first one. Length is the ordered length; a price is per piece.",
    )  # fmt: skip
    head = book.head(sheet)
    columns = {column.head: letter(sheet, column.head) for column in PURCHASE_COLUMNS}
    table = PurchaseTable(head + 1, head + max(len(lines), 1), columns)
    minimums = minimum_orders(plan)
    row = table.first
    for part in _by_part(lines):
        for place, line in enumerate(part):
            later = len(part) - 1 if place == 0 else 0
            book.row(sheet, _purchase_cells(line, row, row - place, later, minimums, columns))
            row += 1
    if not lines:
        book.row(sheet, [None, "nothing to buy"], ["text"] * 2)
    sheet.filter_to = table.last
    price, extended = columns["Unit price"], columns["Extended"]
    if lines:
        missing = f'${price}{table.first}=""'
        sheet.shaded += [(f"{c}{table.first}:{c}{table.last}", missing) for c in (price, extended)]
        sheet.whole_numbers = [
            f"{columns[h]}{table.first}:{columns[h]}{table.last}" for h in ("Spare", "Stock", "Pack", "Min. order")
        ]
        sheet.amounts = [f"{price}{table.first}:{price}{table.last}"]
    _purchase_totals(book, sheet, plan, lines, table)
    return table


def _by_part(lines: Sequence[BomLine]) -> list[list[BomLine]]:
    """The lines of each part together: they follow each other, and only a part's first one has its spares."""
    parts: list[list[BomLine]] = []
    for line in lines:
        if parts and parts[-1][0].part == line.part and parts[-1][0].category == line.category:
            parts[-1].append(line)
        else:
            parts.append([line])
    return parts


def _purchase_cells(
    line: BomLine, row: int, first: int, later: int, minimums: dict[str, int], columns: dict[str, str]
) -> list[Value]:
    """The cells of a line. first: row of the part's first phase; later: how many lines of other phases follow it."""
    need = f"MAX(0,{columns['Installed']}{row}+{columns['Spare']}{row}-{columns['Stock']}{row})"
    order, pack, least = columns["Order"], columns["Pack"], columns["Min. order"]
    if row == first:
        rest = f"SUM({order}{row + 1}:{order}{row + later})" if later else ""
        total = f"{need}+{rest}" if later else need
        text = f"IF({total}=0,0,CEILING(MAX({total},{least}{row}),MAX(1,{pack}{row})))" + (f"-{rest}" if later else "")
        pack_value: Value = line.pack_size
        least_value: Value = minimums.get(line.part)
    else:
        text = need
        # The whole part is rounded in its first line, so that its pack is entered there.
        pack_value = Formula(f'IF({pack}{first}="","",{pack}{first})', "" if line.pack_size is None else line.pack_size)
        minimum = minimums.get(line.part)
        least_value = Formula(f'IF({least}{first}="","",{least}{first})', "" if minimum is None else minimum)
    price = f"{columns['Unit price']}{row}"
    return [
        line.line,
        line.category,
        line.manufacturer,
        line.part,
        line.order_number,
        line.description,
        None if line.length_mm is None else _metres(line.length_mm),
        line.qty_installed,
        line.qty_spare,
        line.qty_stock,
        Formula(text, line.qty_order),
        pack_value,
        least_value,
        _money(line.unit_price_e4),
        line.currency,
        Formula(f'IF({price}="","",{order}{row}*{price})', _result(line.extended_e4)),
        line.lead_time_weeks,
        _day(line.need_by),
        line.phase,
        line.evidence,
        line.price_note,
    ]


def _purchase_totals(book: Book, sheet: Sheet, plan: Plan, lines: Sequence[BomLine], table: PurchaseTable) -> None:
    """The total where every line has a price, else what is missing; and what the filter leaves."""
    cost = cost_of(plan, lines)
    count, missing = len(lines), sum(line.unit_price_e4 is None for line in lines)
    total = sum_known(line.extended_e4 for line in lines)
    prices, extended = table.cells("Unit price", ""), table.cells("Extended", "")
    at = [column.head for column in PURCHASE_COLUMNS]
    label, sum_at, currency_at, note_at = (
        at.index(h) for h in ("Description", "Extended", "Currency", "Lead time [weeks]")
    )
    currency = _currency_formula(table, cost, "")

    def total_row(text: str, value: Formula, note: Formula | str) -> None:
        cells: list[Value] = [None] * len(at)
        looks = ["sum text"] * len(at)
        cells[label], cells[sum_at], cells[currency_at], cells[note_at] = text, value, currency, note
        looks[sum_at] = "sum money"
        book.row(sheet, cells, looks, widen=False)

    gap = f"{count}-COUNT({prices})"
    incomplete = "" if not missing else f"not known: {missing} of {count} lines have no price"
    total_row(
        "Total of this list",
        Formula(f'IF({gap}=0,SUM({extended}),"")', _result(None if missing else total)),
        Formula(f'IF({gap}=0,"","not known: "&({gap})&" of {count} lines have no price")', incomplete),
    )
    some = [line.extended_e4 or 0 for line in lines if line.extended_e4 is not None]
    priced = sum(some) / E4 if some else ""
    total_row(
        "Lines with a price, as filtered",
        Formula(f'IF(COUNT({prices})=0,"",SUBTOTAL(109,{extended}))', priced),
        "follows the filter" + ("; indicative prices among them" if cost.indicative else ""),
    )


def _currency_formula(table: PurchaseTable, cost: Cost, sheet: str = "Purchase!") -> Formula:
    """The currency of the first line that has one: prices of one plan are in one currency."""
    cells = table.cells("Currency", sheet)
    return Formula(f'IF(COUNTIF({cells},"?*")=0,"",INDEX({cells},MATCH("?*",{cells},0)))', cost.currency)


# --- Kits -----------------------------------------------------------------------------------------------------------


def _kits_sheet(book: Book, plan: Plan, table: PurchaseTable) -> None:
    sheet = book.sheet("Kits", KIT_COLUMNS)
    _top(
        book, sheet, plan, "Kits by rack",
        "What to bring to each rack. A cable between two racks is in the kit of the rack of its A end; a transceiver and "
        "a switch are in the kit of the rack they sit in. Spares are in no kit.",
    )  # fmt: skip
    head = book.head(sheet)
    kits = kit_lines(plan)
    rack = None
    for kit in kits:
        part = kit.part
        looks = [f"{column.look}{', first' if kit.rack != rack else ''}" for column in KIT_COLUMNS]
        rack = kit.rack
        book.row(
            sheet,
            [
                kit.rack, kit.phase, part.category, part.part, part.order_number, part.description,
                None if part.length_mm == ABSENT else _metres(part.length_mm), kit.quantity, kit.leaving or None,
            ],
            looks,
        )  # fmt: skip
    last = max(sheet.next_row - 1, head + 1)
    if not kits:
        book.row(sheet, ["no kits"], ["text"])
    sheet.filter_to = last
    quantity = letter(sheet, "Quantity")
    total, billed = sum(kit.quantity for kit in kits), table.cells("Installed")
    own = f"SUM({quantity}{head + 1}:{quantity}{last})"
    cells: list[Value] = [None] * len(KIT_COLUMNS)
    cells[0], cells[7] = "All kits", Formula(own, total)
    cells[5] = Formula(
        f'IF({own}=SUM({billed}),"as many pieces as Purchase installs","differs from what Purchase installs")',
        "as many pieces as Purchase installs",
    )
    book.row(sheet, cells, ["sum text"] * 7 + ["sum count"] * 2)


# --- Cables and Ports -----------------------------------------------------------------------------------------------


def _cables_sheet(book: Book, plan: Plan) -> None:
    sheet = book.sheet("Cables", CABLE_COLUMNS)
    if len(plan.cables) > MOST_CABLES:
        _top(book, sheet, plan, "Cables", f"This plan has {len(plan.cables):,} cables: each has a row in cables.csv.")
        return
    _top(
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
                None if part.length_mm == ABSENT else _metres(part.length_mm),
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


def _ports_sheet(book: Book, plan: Plan) -> None:
    # Upright, unlike the others: a 64-port switch fits one page, to hang beside it.
    sheet = book.sheet("Ports", PORT_COLUMNS, portrait=True)
    if len(plan.cables) > MOST_CABLES:
        _top(
            book,
            sheet,
            plan,
            "Switch ports",
            "The ports of so many switches have their rows in links.csv, by a_port and z_port.",
        )
        return
    _top(
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
                _metres(part.length_mm) if part and part.length_mm != ABSENT else None,
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


# --- Findings and what is unresolved --------------------------------------------------------------------------------

_SEVERITIES: Final = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


def _findings_sheet(book: Book, plan: Plan) -> None:
    sheet = book.sheet("Findings", FINDING_COLUMNS)
    counts = counted(plan.findings)
    waived = sum(1 for finding in plan.findings if finding.waived)
    said = (
        f"{_some(counts['error'], 'error')}, {_some(counts['warning'], 'warning')}, {_some(counts['info'], 'remark')}"
    )
    _top(
        book,
        sheet,
        plan,
        "Findings",
        f"{said}{f', {waived} waived' if waived else ''}. Places are file:line:column of the project.",
    )
    book.head(sheet)
    for finding in sorted(plan.findings, key=lambda f: (bool(f.waived), _SEVERITIES[f.severity])):
        looks = [column.look for column in FINDING_COLUMNS]
        looks[0] = "text" if finding.waived else "bad" if finding.severity is Severity.ERROR else "bold"
        book.row(sheet, _finding_cells(finding), looks)
    sheet.filter_to = sheet.next_row - 1


def _finding_cells(finding: Finding) -> list[Value]:
    shown = "; ".join(finding.objects[:_OBJECTS_SHOWN])
    if len(finding.objects) > _OBJECTS_SHOWN:
        shown += f"; and {len(finding.objects) - _OBJECTS_SHOWN} more in findings.json"
    return [
        f"waived {finding.severity.value}" if finding.waived else finding.severity.value, finding.rule, finding.name,
        finding.message, finding.note, finding.help, str(finding.at) if finding.at else "", shown, finding.count,
        finding.waived,
    ]  # fmt: skip


def _unresolved_sheet(book: Book, plan: Plan) -> int:
    """The list of unresolved links, where there are some; their number."""
    links = plan.links
    rows = [number for number, status in enumerate(links.status.tolist()) if status != "resolved"]
    if not rows:
        return 0
    sheet = book.sheet("Unresolved", UNRESOLVED_COLUMNS, alarm=True)
    more = f" The first {MOST_UNRESOLVED:,} are listed, all are in links.csv." if len(rows) > MOST_UNRESOLVED else ""
    _top(
        book, sheet, plan, "Unresolved links",
        f"{len(rows):,} of {len(links):,} links have no route or no part that fits. What they need is in no quantity and no sum.{more}",
    )  # fmt: skip
    book.head(sheet)
    why = _errors_by_object(plan)
    for number in rows[:MOST_UNRESOLVED]:
        a, z = plan.devices[int(links.a_device[number])], plan.devices[int(links.z_device[number])]
        required = int(links.required_mm[number])
        name = plan.link_ids[number]
        book.row(
            sheet,
            [
                name, plan.fabrics[int(links.fabric[number])].name, links.tier[number], plan.racks[a.rack].name,
                plan.racks[z.rack].name, None if required == ABSENT else _metres(required), why.get(name, "see Findings"),
            ],
        )  # fmt: skip
    sheet.filter_to = sheet.next_row - 1
    return len(rows)


def _errors_by_object(plan: Plan) -> dict[str, str]:
    """The first error that names each object."""
    found: dict[str, str] = {}
    for finding in plan.findings:
        if finding.severity is Severity.ERROR and not finding.waived:
            for name in finding.objects:
                found.setdefault(name, f"{finding.rule}: {finding.message}")
    return found


# --- Summary --------------------------------------------------------------------------------------------------------


@dataclass
class _Summary:
    """The first sheet: whether the list can be used, what it comes to, and what stands behind it."""

    book: Book
    plan: Plan
    sheet: Sheet
    lines: Sequence[BomLine]
    table: PurchaseTable
    unresolved: int

    def write(self) -> None:
        cost = cost_of(self.plan, self.lines)
        _top(self.book, self.sheet, self.plan, "Bill of materials")
        self._status(cost)
        self._money(cost)
        if self.plan.phases:
            self._phases()
        self._links()
        self._lengths_and_power()
        self._pathways()
        self._how()

    def _row(self, values: Sequence[Value], looks: Sequence[str]) -> int:
        """A row of the summary, its cells to the last column styled."""
        rest = len(SUMMARY_COLUMNS) - len(values)
        filler = "head" if looks[0] == "head" else "sum text" if looks[0] == "sum text" else "text"
        return self.book.row(self.sheet, [*values, *[None] * rest], [*looks, *[filler] * rest], widen=False)

    def _table(self, title: str, *heads: str) -> None:
        """A section with its headings: the first over texts, `-` for none, a leading `<` for a text too."""
        self.book.blank(self.sheet)
        rest = len(SUMMARY_COLUMNS) - 1
        self._row([title, *[None] * rest], ["section"] * (rest + 1))
        if heads:
            texts = ["" if head == "-" else head.removeprefix("<") for head in heads]
            self._row(texts, ["head", *("head" if head.startswith("<") else "head right" for head in heads[1:])])

    def _status(self, cost: Cost) -> None:
        book, sheet, plan = self.book, self.sheet, self.plan
        total = len(plan.links)
        if self.unresolved:
            text = f"UNRESOLVED: {self.unresolved:,} of {total:,} links have no route or no part; what they need is in no figure here. See the sheet Unresolved."
            book.line(sheet, text, "alarm")
        else:
            book.line(sheet, f"All {total:,} links are resolved.", "fine")
        count, missing = len(self.lines), sum(line.unit_price_e4 is None for line in self.lines)
        gap = f"{count}-COUNT({self.table.cells('Unit price')})"
        said = f"{missing} of {count} purchase lines have no price: sums that need one stay empty. Enter prices on Purchase."
        self._row(
            [Formula(
                f'IF({gap}=0,"Every purchase line has a price.",({gap})&" of {count} purchase lines have no price: sums that need one stay empty. Enter prices on Purchase.")',
                said if missing else "Every purchase line has a price.",
            ), *[None] * (len(SUMMARY_COLUMNS) - 1)],
            ["caution" if missing else "fine"] * len(SUMMARY_COLUMNS),
        )  # fmt: skip
        if cost.indicative:
            book.line(
                sheet,
                "Indicative prices are among them: good for an order of magnitude, not for an order. See `Price from` on Purchase.",
                "caution",
            )
        errors, warnings = (counted(plan.findings)[s] for s in ("error", "warning"))
        book.line(
            sheet,
            f"{_some(errors, 'error')} and {_some(warnings, 'warning')}: see Findings.",
            "alarm" if errors else "plain",
        )

    def _money(self, cost: Cost) -> None:
        self._table(
            "What to buy",
            "Category",
            "Part numbers",
            "Installed",
            "Spare",
            "Order",
            "Extended",
            "Currency",
            "Lines without price",
        )
        present = sorted({line.category for line in self.lines}, key=_category_place)
        first = self.sheet.next_row
        for category in present:
            self._category(category, cost)
        last = self.sheet.next_row - 1
        groups = [
            ("Cabling", [c for c in present if c != SWITCH], cost.cabling_e4),
            ("Switches", [c for c in present if c == SWITCH], cost.switches_e4),
        ]
        rows = {category: first + place for place, category in enumerate(present)}
        at: dict[str, int] = {}
        for name, categories, money in groups:
            at[name] = self._group(name, [rows[c] for c in categories], categories, money, cost)
        bill = sum_known((cost.cabling_e4, cost.switches_e4))
        at["Total"] = self._group("Total of the purchase list", list(range(first, last + 1)), present, bill, cost)
        self._shares(at, cost)
        self._lead_time()

    def _category(self, category: str, cost: Cost) -> None:
        mine = [line for line in self.lines if line.category == category]
        row = self.sheet.next_row
        missing = sum(line.unit_price_e4 is None for line in mine)
        spans = {
            head: self.table.cells(head)
            for head in ("Category", "Installed", "Spare", "Order", "Extended", "Unit price")
        }

        def total(head: str) -> str:
            return f"SUMIF({spans['Category']},$A{row},{spans[head]})"

        self._row(
            [
                category,
                len({line.part for line in mine}),
                Formula(total("Installed"), sum(line.qty_installed for line in mine)),
                Formula(total("Spare"), sum(line.qty_spare for line in mine)),
                Formula(total("Order"), sum(line.qty_order for line in mine)),
                Formula(f'IF($H{row}=0,{total("Extended")},"")', _result(sum_known(line.extended_e4 for line in mine))),
                _currency_formula(self.table, cost),
                Formula(f'SUMPRODUCT(({spans["Category"]}=$A{row})*({spans["Unit price"]}=""))', missing),
            ],
            ["text", "count", "count", "count", "order", "money", "text", "count"],
        )

    def _group(self, name: str, rows: Sequence[int], categories: Sequence[str], money: int | None, cost: Cost) -> int:
        """A row of sums over the rows of categories."""
        mine = [line for line in self.lines if line.category in categories]
        missing = sum(line.unit_price_e4 is None for line in mine)

        def total(column: str) -> str:
            return f"SUM({','.join(_runs(column, rows))})" if rows else "0"

        row = self.sheet.next_row
        return self._row(
            [
                name,
                Formula(total("B"), len({line.part for line in mine})),
                Formula(total("C"), sum(line.qty_installed for line in mine)),
                Formula(total("D"), sum(line.qty_spare for line in mine)),
                Formula(total("E"), sum(line.qty_order for line in mine)),
                Formula(f'IF($H{row}=0,{total("F")},"")', _result(money)),
                _currency_formula(self.table, cost),
                Formula(total("H"), missing),
            ],
            ["sum text", *["sum count"] * 4, "sum money", "sum text", "sum count"],
        )

    def _shares(self, at: dict[str, int], cost: Cost) -> None:
        cabling, switches = f"$F${at['Cabling']}", f"$F${at['Switches']}"
        nics_row = self._row(
            ["NICs, not on this list: enter their cost", None, None, None, None, _money(cost.nics_e4),
             _currency_formula(self.table, cost)],
            ["text", *["text"] * 4, "fill in", "text"],
        )  # fmt: skip
        nics = f"$F${nics_row}"
        for label, ppm, others in (
            ("Cabling share without NICs", cost.share_without_nics_ppm, [switches]),
            ("Cabling share with NICs", cost.share_with_nics_ppm, [switches, nics]),
        ):
            whole = "+".join([cabling, *others])
            counted_cells = ",".join([cabling, *others])
            self._row(
                [label, None, None, None, None,
                 Formula(f'IF(COUNT({counted_cells})<{1 + len(others)},"",IF({whole}=0,"",{cabling}/({whole})))', "" if ppm is None else ppm / PPM)],
                ["text", *["text"] * 4, "share"],
            )  # fmt: skip

    def _lead_time(self) -> None:
        weeks = [line.lead_time_weeks for line in self.lines if line.lead_time_weeks is not None]
        cells = self.table.cells("Lead time [weeks]")
        self._row(
            ["Longest lead time known [weeks]", None, None, None, None, Formula(f'IF(COUNT({cells})=0,"",MAX({cells}))', max(weeks, default=""))],
            ["text", *["text"] * 4, "count"],
        )  # fmt: skip

    def _phases(self) -> None:
        self._table(
            "By phase", "Phase", "<Need by", "Purchase lines", "-", "Order", "Extended", "-", "Lines without price"
        )
        names = [(phase.name, phase.need_by) for phase in self.plan.phases]
        if any(not line.phase for line in self.lines):
            names.append(("", ""))
        phase_cells, extended, prices = (self.table.cells(h) for h in ("Phase", "Extended", "Unit price"))
        for name, need_by in names:
            mine = [line for line in self.lines if line.phase == name]
            row = self.sheet.next_row
            wanted = f"$A{row}" if name else '""'
            missing = sum(line.unit_price_e4 is None for line in mine)

            def total(cells: str, wanted: str = wanted) -> str:
                return f"SUMPRODUCT(({phase_cells}={wanted})*1,{cells})"

            # SUMPRODUCT takes texts in its second argument for zero: the extended price of a line without price is one.
            self._row(
                [
                    name or "in no phase",
                    _day(need_by),
                    len(mine),
                    None,
                    Formula(total(self.table.cells("Order")), sum(line.qty_order for line in mine)),
                    Formula(
                        f'IF($H{row}=0,{total(extended)},"")', _result(sum_known(line.extended_e4 for line in mine))
                    ),
                    None,
                    Formula(f'SUMPRODUCT(({phase_cells}={wanted})*({prices}=""))', missing),
                ],
                ["text", "day", "count", "text", "count", "money", "text", "count"],
            )

    def _links(self) -> None:
        plan = self.plan
        media = sorted({medium for medium in plan.links.medium.tolist() if medium}, key=_medium_place)
        self._table("Links", "Fabric / tier", "Links", *media, "Unresolved")
        fabrics = [fabric.name for fabric in plan.fabrics]
        counts: dict[str, dict[str, int]] = {}
        columns = (plan.links.fabric.tolist(), plan.links.tier.tolist(), plan.links.medium.tolist())
        for fabric, tier, medium in zip(*columns, strict=True):
            of_tier = counts.setdefault(f"{fabrics[fabric]}/{tier}", {})
            of_tier[medium] = of_tier.get(medium, 0) + 1
        for name, total in links_by_tier(plan).items():
            lost = counts[name].get("", 0)
            self._row(
                [name, total, *(counts[name].get(medium, 0) for medium in media), lost],
                ["text", "count", *["count"] * len(media), "bad" if lost else "count"],
            )

    def _lengths_and_power(self) -> None:
        plan = self.plan
        lengths = [plan.parts[part].length_mm for part in plan.cables.part.tolist()]
        required = [
            mm
            for mm, status in zip(plan.links.required_mm.tolist(), plan.links.status.tolist(), strict=True)
            if status == "resolved"
        ]
        power = (_watts(plug_power_mw(plan)), _watts(switch_power_mw(plan)))
        self._table("Length and power")
        for label, value, look in (
            ("Cable installed, all lengths [m]", _metres(sum(mm for mm in lengths if mm != ABSENT)), "watts"),
            ("Longest required length [m]", _metres(max(required)) if required else "not known", "metres"),
            ("Transceivers and cable plugs [W]", power[0], "watts"),
            ("Switches, typical without optics [W]", power[1], "watts"),
        ):
            self._row([label, value], ["text", look])

    def _pathways(self) -> None:
        if not self.plan.pathways:
            return
        self._table("Pathways at their fullest", "Pathway", "<Kind", "Fill", "Cables", "Weight [kg/m]")
        for pathway in sorted(self.plan.pathways, key=lambda pathway: natural_key(pathway.name)):
            fill, weight = known(pathway.fill_ppm), known(pathway.mg_per_m)
            self._row(
                [
                    pathway.name, pathway.kind, "not known" if fill is None else fill / PPM, pathway.cables,
                    "not known" if weight is None else weight / 1_000_000,
                ],
                ["text", "text", "share", "count", "weight"],
            )  # fmt: skip

    def _how(self) -> None:
        spares = self.plan.policy.spares
        present = {line.category for line in self.lines}
        rules = []
        for category in CATEGORIES:
            policy = getattr(spares, category, None)
            if policy is not None and category in present:
                percent = f"{policy.share / 10_000:.4f}".rstrip("0").rstrip(".")
                rules.append(f"{category} {percent} %, at least {policy.min}")
        self._table("How these figures come about")
        for text in (
            f"Spares per part and length, the share rounded up: {'; '.join(rules)}."
            if rules
            else "No spares are asked for.",
            "Order quantity: installed + spare - stock, raised to the minimum order and to whole packs.",
            "Costs are of order quantities. Cabling is all that is not a switch.",
            "Not on the list: servers, NICs, appliances, racks, pathways, labels and tools.",
            "Evidence says how well the figures behind a part are sourced: primary (its maker), derived, secondary, unverified.",
        ):
            self.book.line(self.sheet, text, "plain")


def _runs(column: str, rows: Sequence[int]) -> list[str]:
    """Cells of a column, rows that follow each other as one range."""
    runs: list[list[int]] = []
    for row in sorted(rows):
        if runs and runs[-1][1] == row - 1:
            runs[-1][1] = row
        else:
            runs.append([row, row])
    return [f"${column}${first}:${column}${last}" for first, last in runs]


_MEDIA: Final = ("dac", "acc", "aec", "aoc", "optic", "utp")


def _medium_place(medium: str) -> tuple[int, str]:
    return (_MEDIA.index(medium) if medium in _MEDIA else len(_MEDIA), medium)


def _category_place(category: str) -> tuple[int, str]:
    return (CATEGORIES.index(category) if category in CATEGORIES else len(CATEGORIES), category)


def _metres(mm: int) -> float:
    return mm / 1000


def _watts(mw: int | None) -> float | str:
    return "not known" if mw is None else mw / 1000


def _money(e4: int | None) -> float | None:
    return None if e4 is None else e4 / E4


def _result(e4: int | None) -> float | str:
    """Money as a formula gives it, which shows nothing for an unknown."""
    return "" if e4 is None else e4 / E4


def _day(text: str) -> Value:
    """A date where the text is one, so that it sorts and compares."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return text


def _some(count: int, thing: str) -> str:
    return f"{'no' if not count else f'{count:,}'} {thing}{'' if count == 1 else 's'}"
