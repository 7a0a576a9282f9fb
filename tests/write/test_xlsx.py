"""The workbook read back: cells are what the plan says, formulas compute to it, and no name becomes anything but text."""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
from collections import Counter
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from planner.bom.bill import bom_lines, kit_lines, summary_of
from planner.findings import Finding, Severity, Span
from planner.pipeline import compile_project
from planner.plan import Plan, PriceRow, StockRow
from planner.table import Words
from planner.write.documents import write_documents
from planner.write.workbook import schedules as schedule_sheets
from planner.write.workbook.purchase import PURCHASE_COLUMNS
from planner.write.workbook.spreadsheet import MOST_CHARACTERS, clean
from planner.write.xlsx import write_bom_workbook, write_schedules
from tests.support.projects import in_two_phases
from tests.support.workbook_changes import Line, changed_workbook, purchase_of, totals_amiss

LAYOUTS = Path(__file__).resolve().parents[2] / "layouts"
SOFFICE = shutil.which("soffice")

# Names that spreadsheets have run, read as dates or numbers, cut, or turned around.
HOSTILE = [
    '=HYPERLINK("http://x","y")', "+1+1", "-1+1", "@SUM(A1)", "=cmd|' /C calc'!A0", "1-2", "0123", "1e3", "TRUE",
    "<b>&amp;</b>", "\u202ertl\u202c", "שרת-1", "🔥 rack", "机架", "'quoted", '"quoted"', "a b", "#REF!", "NULL", "x" * 64,
    "+49 30 1234", "1.5.2026", "12:30", "FALSE", "1,234", "  blanks  ", "a\nb", "%s", "[x]:*?/\\", "\u200fright", "'",
]  # fmt: skip


class Computed(NamedTuple):
    """Our workbook; the lines of the changed one; and what LibreOffice made of three."""

    ours: Path
    lines: list[Line]
    bare: Workbook
    changed: Workbook
    hostile: Workbook
    two_currencies: Workbook


def head_of(book: Workbook) -> int:
    return purchase_of(book)[1]


def currency_column() -> int:
    return [column.head for column in PURCHASE_COLUMNS].index("Currency") + 1


@cache
def plan_of(layout: str) -> Plan:
    plan = compile_project(LAYOUTS / layout).plan
    assert plan is not None
    return plan


def priced(plan: Plan) -> Plan:
    """Every part at a price with four decimals, in packs of 12 and at least 100 pieces."""
    rows = (
        PriceRow(part.part, 55_2550 + n, "USD", "2026-10-01, quote 17", 12, 100, 26, indicative=n == 0)
        for n, part in enumerate(plan.parts)
    )
    return replace(plan, prices=tuple(rows))


def later_half(plan: Plan) -> Plan:
    """The plan with the racks beyond the middle in a second phase."""
    return in_two_phases(plan, {rack.name for n, rack in enumerate(plan.racks) if n > len(plan.racks) // 2})


def with_unresolved(plan: Plan, count: int) -> Plan:
    """A draft whose first links have no part."""
    links = plan.links
    status, cable, medium = links.status.codes.copy(), links.cable.copy(), links.medium.codes.copy()
    status[:count], cable[:count], medium[:count] = links.status.vocabulary.index("unresolved"), -1, -1
    why = Finding(
        "LEN002",
        "no-part",
        Severity.ERROR,
        "",
        "no part reaches",
        "",
        "",
        Span("project.yaml", 3, 1),
        (plan.link_ids[0],),
    )
    return replace(
        plan,
        identity=replace(plan.identity, draft=True),
        findings=(*plan.findings, why),
        links=replace(
            links,
            status=Words(status, links.status.vocabulary),
            cable=cable,
            medium=Words(medium, links.medium.vocabulary),
        ),
    )


def workbook_of(plan: Plan, folder: Path, *, results: bool = False) -> Workbook:
    """The workbook read back: its formulas, or with `results` what they came to."""
    path = folder / "bom.xlsx"
    write_bom_workbook(plan, path)
    return load_workbook(path, data_only=results)


def sheet_of(book: Workbook, name: str) -> Worksheet:
    sheet = book[name]
    assert isinstance(sheet, Worksheet)
    return sheet


def table_of(sheet: Worksheet) -> list[dict[str, Any]]:
    """The rows that the sheet's filter covers, by heading."""
    first, last = str(sheet.auto_filter.ref).split(":")
    rows = [[cell.value for cell in row] for row in sheet[f"{first}:{last}"]]
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def texts_of(sheet: Worksheet) -> list[str]:
    return [str(cell.value) for row in sheet.iter_rows() for cell in row if cell.value is not None]


# --- what it says ---------------------------------------------------------------------------------------------------


def test_the_sheets_are_those_of_a_buyer(tmp_path: Path) -> None:
    book = workbook_of(plan_of("two-racks"), tmp_path)
    assert book.sheetnames == ["Summary", "Purchase", "Kits", "Cables", "Ports", "Prices and sources", "Findings"]


def test_stock_on_hand_has_a_sheet_with_places_and_what_is_left(tmp_path: Path) -> None:
    plan = plan_of("two-racks")
    cord = next(part for part in plan.parts if part.category == "cord")
    shelf = StockRow(cord.part, "", cord.family, "cord", cord.description, cord.length_mm, 9, "=cage 3")
    book = workbook_of(replace(plan, stock=(shelf,)), tmp_path, results=True)
    assert book.sheetnames == [
        "Summary",
        "Purchase",
        "Stock",
        "Kits",
        "Cables",
        "Ports",
        "Prices and sources",
        "Findings",
    ]
    [row] = table_of(sheet_of(book, "Stock"))
    line = next(line for line in bom_lines(plan) if line.part == cord.part)
    need = line.qty_installed + line.qty_spare
    assert (row["Part number"], row["Place"], row["On hand"], row["Used"], row["Left"]) == (
        cord.part, "=cage 3", 9, need, 9 - need,
    )  # fmt: skip
    bought = next(row for row in table_of(sheet_of(book, "Purchase")) if row["Part number"] == cord.part)
    assert (bought["Stock"], bought["Order"]) == (need, 0)


@pytest.mark.parametrize("layout", ["superpod-h100-1su", "two-racks"])
@pytest.mark.parametrize("change", [lambda plan: plan, priced, lambda plan: later_half(priced(plan))])
def test_purchase_repeats_the_bill(layout: str, change: Any, tmp_path: Path) -> None:
    plan = change(plan_of(layout))
    rows = table_of(sheet_of(workbook_of(plan, tmp_path, results=True), "Purchase"))
    lines = bom_lines(plan)
    assert len(rows) == len(lines)
    for row, line in zip(rows, lines, strict=True):
        assert [row[head] for head in ("Line", "Category", "Part number", "Order number", "Description")] == [
            line.line, line.category, line.part, line.order_number or None, line.description,
        ]  # fmt: skip
        assert [row[head] for head in ("Installed", "Spare", "Stock", "Order")] == [
            line.qty_installed, line.qty_spare, line.qty_stock, line.qty_order,
        ]  # fmt: skip
        assert row["Length [m]"] == (None if line.length_mm is None else line.length_mm / 1000)
        assert row["Unit price"] == (None if line.unit_price_e4 is None else line.unit_price_e4 / 10_000)
        assert (row["Extended"] or None) == (None if line.extended_e4 is None else line.extended_e4 / 10_000)
        need_by = row["Need by"].date() if row["Need by"] else None
        assert need_by == (date.fromisoformat(line.need_by) if line.need_by else None)


def test_order_and_extended_price_are_formulas_that_a_buyer_can_follow(tmp_path: Path) -> None:
    """Finned transceivers: 384 installed, 12 spare, 0 in stock, packs of 1: 396, from the cells of its own row."""
    sheet = sheet_of(workbook_of(plan_of("superpod-h100-1su"), tmp_path), "Purchase")
    row = next(r for r in range(1, sheet.max_row) if sheet.cell(r, 4).value == "MMA4Z00-NS")
    assert (
        sheet.cell(row, 11).value
        == f"=IF(MAX(0,H{row}+I{row}-J{row})=0,0,CEILING(MAX(MAX(0,H{row}+I{row}-J{row}),M{row}),MAX(1,L{row})))"
    )
    assert sheet.cell(row, 16).value == f'=IF(N{row}="","",K{row}*N{row})'
    assert (sheet.cell(row, 8).value, sheet.cell(row, 9).value, sheet.cell(row, 10).value) == (384, 12, 0)


def test_the_total_says_what_is_missing_instead_of_a_sum(tmp_path: Path) -> None:
    plan = plan_of("two-racks")
    some = replace(plan, prices=priced(plan).prices[:2])
    texts = texts_of(sheet_of(workbook_of(some, tmp_path, results=True), "Purchase"))
    assert "not known: 4 of 6 lines have no price" in texts
    summary = texts_of(sheet_of(workbook_of(some, tmp_path, results=True), "Summary"))
    assert "4 of 6 purchase lines have no price: sums that need one stay empty. Enter prices on Purchase." in summary
    assert any("Indicative prices" in text for text in summary)


def test_summary_comes_to_the_same_money_as_summary_json(tmp_path: Path) -> None:
    plan = later_half(priced(plan_of("superpod-h100-1su")))
    cost = summary_of(plan)["cost"]
    rows: dict[Any, Any] = {
        row[0]: row
        for row in sheet_of(workbook_of(plan, tmp_path, results=True), "Summary").iter_rows(values_only=True)
    }
    assert rows["Cabling"][5] == cost["cabling"]
    assert rows["Switches"][5] == cost["switches"]
    assert rows["Total of the purchase list"][5] == pytest.approx(cost["cabling"] + cost["switches"])
    assert rows["Cabling share without NICs"][5] == pytest.approx(cost["cabling_share_without_nics"], abs=1e-6)
    assert not rows["Cabling share with NICs"][5]
    assert sum(rows[phase][5] for phase in ("P1", "P2")) == pytest.approx(rows["Total of the purchase list"][5])


def test_kits_add_up_and_say_whose_a_cable_is(tmp_path: Path) -> None:
    plan = plan_of("superpod-h100-1su")
    sheet = sheet_of(workbook_of(plan, tmp_path, results=True), "Kits")
    rows = table_of(sheet)
    assert [
        (row["Rack"], row["Part number"], row["Quantity"], row["Of these to another rack"] or 0) for row in rows
    ] == [(kit.rack, kit.part.part, kit.quantity, kit.leaving) for kit in kit_lines(plan)]
    assert "in the kit of the rack of its A end" in " ".join(texts_of(sheet))


def test_every_cable_has_its_row(tmp_path: Path) -> None:
    plan = plan_of("superpod-h100-1su")
    rows = table_of(sheet_of(workbook_of(plan, tmp_path), "Cables"))
    assert [row["Cable"] for row in rows] == [str(n) for n in plan.cables.cable_id.tolist()]
    assert Counter(row["Part number"] for row in rows) == Counter(plan.parts[p].part for p in plan.cables.part.tolist())
    ends = [f"{row['A end']}--{row['Z end']}" for row in rows]
    assert ends == [plan.link_ids[plan.links.cable.tolist().index(n)] for n in range(len(rows))]
    assert {row["Route"] for row in rows if row["Rack A"] != row["Rack Z"]} == {"fibre-A"}


def test_a_twin_cable_names_both_ports_at_each_end(tmp_path: Path) -> None:
    rows = table_of(sheet_of(workbook_of(plan_of("two-racks"), tmp_path), "Cables"))
    assert [(row["A end"], row["Z end"]) for row in rows if row["Category"] == "dac"] == [
        ("leaf-1:17/1; leaf-1:17/2", "spine-1:1/1; spine-1:1/2")
    ]


def test_ports_list_each_switch_on_its_own_page(tmp_path: Path) -> None:
    """A leaf has 31 nodes and 32 spine links, leaves 1 to 4 a UFM port too; a spine has 8 links to each of 8 leaves."""
    plan = plan_of("superpod-h100-1su")
    sheet = sheet_of(workbook_of(plan, tmp_path), "Ports")
    counts = Counter(row["Switch"] for row in table_of(sheet))
    assert counts == {f"leaf-{n}": 64 if n <= 4 else 63 for n in range(1, 9)} | {f"spine-{n}": 64 for n in range(1, 5)}
    assert len(sheet.row_breaks.brk) == 11
    assert [row["Port"] for row in table_of(sheet)[:3]] == ["1/1", "1/2", "2/1"]


def test_a_plug_that_only_fills_a_cage_is_listed(tmp_path: Path) -> None:
    plan = plan_of("two-racks")
    plugs = plan.plugs
    leaf = next(n for n, device in enumerate(plan.devices) if device.name == "leaf-1")
    fill = replace(
        plugs,
        device=np.append(plugs.device, leaf),
        cage=Words.of([*plugs.cage.tolist(), "32"]),
        part=np.append(plugs.part, plugs.part[0]),
        free_halves=np.append(plugs.free_halves, 2),
        phase=np.append(plugs.phase, -1),
    )
    rows = table_of(sheet_of(workbook_of(replace(plan, plugs=fill), tmp_path), "Ports"))
    assert [(row["Switch"], row["Port"], row["Remark"]) for row in rows if row["Remark"]] == [
        ("leaf-1", "cage 32", "no link")
    ]


def test_a_draft_and_its_unresolved_links_cannot_be_overlooked(tmp_path: Path) -> None:
    plan = with_unresolved(plan_of("two-racks"), 2)
    book = workbook_of(plan, tmp_path)
    assert book.sheetnames[1] == "Unresolved"
    rows = table_of(sheet_of(book, "Unresolved"))
    assert [row["Link"] for row in rows] == plan.link_ids[:2]
    assert [row["Why (more in Findings)"] for row in rows] == ["LEN002: no part reaches", "see Findings"]
    assert any(text.startswith("UNRESOLVED: 2 of 4 links") for text in texts_of(sheet_of(book, "Summary")))
    for sheet in (sheet_of(book, name) for name in book.sheetnames):
        assert any(text.startswith("DRAFT - DO NOT ORDER") for text in texts_of(sheet)), sheet.title
        assert "DRAFT - DO NOT ORDER" in str(sheet.oddHeader)
        assert sheet.oddHeader is not None
        assert "DRAFT" in str(sheet.oddHeader.center.text)
    ports = table_of(sheet_of(book, "Ports"))
    assert [row["Remark"] for row in ports if row["Remark"]] == ["UNRESOLVED", "UNRESOLVED"]


def test_findings_put_errors_first_and_waived_ones_last(tmp_path: Path) -> None:
    error = Finding(
        "LEN001", "too-long", Severity.ERROR, "", "too long", "note", "help", Span("a.yaml", 4, 2), ("x",) * 9, 9
    )
    plan = replace(
        plan_of("two-racks"), findings=(replace(error, waived="measured"), *plan_of("two-racks").findings, error)
    )
    rows = table_of(sheet_of(workbook_of(plan, tmp_path), "Findings"))
    assert (rows[0]["Severity"], rows[0]["Place"], rows[0]["Count"]) == ("error", "a.yaml:4:2", 9)
    assert rows[0]["Objects"] == "x; x; x; x; x; and 4 more in findings.json"
    assert (rows[-1]["Severity"], rows[-1]["Waived because"]) == ("waived error", "measured")


def test_beyond_the_limit_cables_and_ports_say_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rows of racks: cables 1 and 3 begin in the first, whose switches have 6 ports in use; none stands in the other."""
    plan = plan_of("two-racks")
    plan = replace(plan, racks=(plan.racks[0], replace(plan.racks[1], row="b/2")))
    monkeypatch.setattr(schedule_sheets, "MOST_CABLES", 2)
    book = workbook_of(plan, tmp_path, results=True)
    said = [[(row["Row of racks"], row["Workbook"], row["Rows in it"]) for row in table_of(sheet_of(book, name))] for name in ("Cables", "Ports")]  # fmt: skip
    assert said[0] == [("A", "schedules/row-A.xlsx", 2), ("b/2", "schedules/row-b_2.xlsx", 1)]
    assert said[1] == [("A", "schedules/row-A.xlsx", 6), ("b/2", "schedules/row-b_2.xlsx", 0)]
    assert any("cables.csv" in text for text in texts_of(sheet_of(book, "Cables")))
    assert any("links.csv" in text for text in texts_of(sheet_of(book, "Ports")))


def test_beyond_the_limit_each_row_of_racks_has_its_workbook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The streamed rows of all workbooks together are those of the sheets of one."""
    plan = plan_of("superpod-h100-1su")
    rows = {rack.name: f"R/{n % 3}" for n, rack in enumerate(plan.racks)}
    plan = replace(plan, racks=tuple(replace(rack, row=rows[rack.name]) for rack in plan.racks))
    whole = workbook_of(plan, tmp_path)
    assert write_schedules(plan, tmp_path) == []
    monkeypatch.setattr(schedule_sheets, "MOST_CABLES", 2)
    paths = write_schedules(plan, tmp_path)
    assert [path.name for path in paths] == ["row-R_0.xlsx", "row-R_1.xlsx", "row-R_2.xlsx"]
    main = workbook_of(plan, tmp_path, results=True)
    for title in ("Cables", "Ports"):
        wanted = table_of(sheet_of(whole, title))
        assert sum(row["Rows in it"] for row in table_of(sheet_of(main, title))) == len(wanted)
        found = [row for path in paths for row in table_of(load_workbook(path)[title])]
        assert sorted(found, key=str) == sorted(wanted, key=str)
    cables = load_workbook(paths[0])["Cables"]
    assert cables.freeze_panes
    assert cables.auto_filter.ref.endswith(f"L{cables.max_row}")
    assert cables.print_title_rows
    assert {cell.data_type for cell in cables["A"][10:]} == {"s"}
    first = paths[0].read_bytes()
    assert write_schedules(plan, tmp_path)[0].read_bytes() == first


def test_prices_and_sources_name_every_part_and_where_its_figures_come_from(tmp_path: Path) -> None:
    plan = plan_of("two-racks")
    rows = table_of(sheet_of(workbook_of(plan, tmp_path), "Prices and sources"))
    prices = {row["Part or family"]: row for row in rows if row["Figure"] == "price"}
    assert set(prices) == {line.part for line in bom_lines(plan)}
    for line in bom_lines(plan):
        assert prices[line.part]["Source"] == (line.price_note or "no price in any price book")
    diameter = next(r for r in rows if (r["Part or family"], r["Figure"]) == ("mfp7e10", "outer_diameter_mm"))
    assert (diameter["Value"], diameter["Evidence"]) == ("3.0", "derived")
    assert diameter["Source"].startswith("https://docs.nvidia.com/networking/display/intrcnctcabreqndr400eth")
    unknown = next(r for r in rows if (r["Part or family"], r["Figure"]) == ("mfp7e10", "tolerance_mm"))
    assert (unknown["Value"], unknown["Evidence"]) == ("not known", "unverified")


# --- what a cell is -------------------------------------------------------------------------------------------------


def test_identifiers_are_texts_and_quantities_whole_numbers(tmp_path: Path) -> None:
    book = workbook_of(priced(plan_of("superpod-h100-1su")), tmp_path)
    for name, heads in (
        ("Purchase", ("Part number", "Order number")),
        ("Cables", ("Cable", "Part number", "A end", "Z end", "Bundle")),
        ("Ports", ("Port", "Cable", "Far port")),
        ("Kits", ("Part number",)),
    ):
        sheet = sheet_of(book, name)
        head = int(re.sub(r"\D", "", str(sheet.freeze_panes))) - 1
        columns: dict[Any, Any] = {cell.value: cell.column for cell in sheet[head]}
        for head_text in heads:
            cells = [sheet.cell(row, columns[head_text]) for row in range(head + 1, head + 8)]
            assert {cell.number_format for cell in cells} == {"@"}, (name, head_text)
            assert {cell.data_type for cell in cells if cell.value is not None} <= {"s"}, (name, head_text)
    purchase = table_of(sheet_of(book, "Purchase"))
    assert all(type(row[head]) is int for row in purchase for head in ("Line", "Installed", "Spare", "Stock"))


def test_numbers_written_as_text_carry_no_green_triangle(tmp_path: Path) -> None:
    write_bom_workbook(plan_of("two-racks"), tmp_path / "bom.xlsx")
    with zipfile.ZipFile(tmp_path / "bom.xlsx") as archive:
        sheets = [archive.read(n).decode() for n in archive.namelist() if n.startswith("xl/worksheets/sheet")]
    assert len(sheets) == 7
    assert all('numberStoredAsText="1"' in sheet for sheet in sheets)


def hostile(plan: Plan) -> Plan:
    """The pod with names that no program may run, follow, cut or read as something else."""
    return replace(
        plan,
        identity=replace(plan.identity, project=HOSTILE[0], revision="=1+1"),
        devices=tuple(replace(d, name=HOSTILE[n] if n < len(HOSTILE) else d.name) for n, d in enumerate(plan.devices)),
        racks=tuple(replace(rack, name=HOSTILE[n]) for n, rack in enumerate(plan.racks)),
        parts=tuple(
            replace(part, description=HOSTILE[n], order_number=HOSTILE[-1 - n]) for n, part in enumerate(plan.parts)
        ),
    )


def assert_unchanged(book: Workbook, named: Plan) -> None:
    """Every hostile name stands in its cells, as text, character for character."""
    rows = table_of(sheet_of(book, "Cables"))
    assert set(HOSTILE) <= {row["A end"].rsplit(":", 1)[0] for row in rows}
    assert {row["Rack A"] for row in rows} == {rack.name for rack in named.racks}
    purchase = table_of(sheet_of(book, "Purchase"))
    assert {row["Description"] for row in purchase} == {part.description for part in named.parts}
    assert {row["Order number"] for row in purchase} == {part.order_number for part in named.parts}
    kinds = {cell.data_type for row in book.worksheets[3].iter_rows() for cell in row if cell.value in HOSTILE}
    assert kinds == {"s"}


def test_hostile_names_come_back_unchanged_and_are_no_formulas(tmp_path: Path) -> None:
    plan = plan_of("superpod-h100-1su")
    named = hostile(plan)
    honest = workbook_of(priced(plan), tmp_path)
    book = workbook_of(priced(named), tmp_path)
    for name in book.sheetnames:
        formulas = [
            {cell.coordinate for row in sheet_of(one, name).iter_rows() for cell in row if cell.data_type == "f"}
            for one in (book, honest)
        ]
        assert len(formulas[0]) == len(formulas[1]), name
    assert_unchanged(book, named)


def test_control_characters_print_as_codes_and_break_nothing(tmp_path: Path) -> None:
    finding = Finding("INP001", "x", Severity.INFO, "", "a\x00b\x1fc\ud800d\ufffe\te", "two\nlines", "", None)
    rows = table_of(sheet_of(workbook_of(replace(plan_of("two-racks"), findings=(finding,)), tmp_path), "Findings"))
    assert rows[0]["Message"] == r"a\u0000b\u001fc\ud800d\ufffe\u0009e"
    assert rows[0]["Note"] == "two\nlines"


def test_a_text_beyond_a_cell_is_cut_with_a_mark() -> None:
    assert clean("x" * MOST_CHARACTERS) == "x" * MOST_CHARACTERS
    cut = clean("x" * (MOST_CHARACTERS + 1))
    assert len(cut) == MOST_CHARACTERS
    assert cut.endswith("... (cut)")


def test_an_office_escape_in_a_name_stays_as_it_is_written(tmp_path: Path) -> None:
    """Office decodes `_x0041_` to A; the underscore itself is written `_x005F_`."""
    plan = plan_of("two-racks")
    write_bom_workbook(
        replace(plan, parts=tuple(replace(p, description="_x0041_") for p in plan.parts)), tmp_path / "b.xlsx"
    )
    with zipfile.ZipFile(tmp_path / "b.xlsx") as archive:
        assert ">_x005F_x0041_<" in archive.read("xl/worksheets/sheet2.xml").decode()


def test_an_empty_plan_has_an_empty_workbook(tmp_path: Path) -> None:
    plan = plan_of("two-racks")
    nothing = np.zeros(0, np.int64)
    empty = replace(
        plan,
        devices=(), racks=(), parts=(), prices=(), pathways=(), findings=(),
        links=plan.links.take(nothing), cables=plan.cables.take(nothing), plugs=plan.plugs.take(nothing),
        ends=plan.ends.take(nothing), plug_links=plan.plug_links.take(nothing),
    )  # fmt: skip
    book = workbook_of(empty, tmp_path, results=True)
    assert "nothing to buy" in texts_of(sheet_of(book, "Purchase"))
    assert "no kits" in texts_of(sheet_of(book, "Kits"))


# --- paper ----------------------------------------------------------------------------------------------------------


def test_every_sheet_prints_on_a4_with_its_origin_on_every_page(tmp_path: Path) -> None:
    plan = plan_of("superpod-h100-1su")
    plan = replace(plan, identity=replace(plan.identity, project="R&D 7"))
    for sheet in workbook_of(plan, tmp_path).worksheets:
        assert sheet.page_setup.paperSize == 9
        assert (sheet.page_setup.fitToWidth, sheet.sheet_properties.pageSetUpPr.fitToPage) == (1, True)  # type: ignore[union-attr]
        assert sheet.page_setup.orientation == ("portrait" if sheet.title == "Ports" else "landscape")
        header, footer = str(sheet.oddHeader), str(sheet.oddFooter)
        assert "R&&D 7" in header
        assert "revision A" in header
        assert plan.identity.inputs_sha256[:12] in footer
        assert "page &P of &N" in footer
        if sheet.title != "Summary":
            head = int(re.sub(r"\D", "", str(sheet.freeze_panes))) - 1
            assert sheet.print_title_rows == f"${head}:${head}"


def test_long_texts_make_tall_rows(tmp_path: Path) -> None:
    finding = Finding("INP001", "x", Severity.INFO, "", "word " * 100, "", "", None)
    sheet = sheet_of(workbook_of(replace(plan_of("two-racks"), findings=(finding,)), tmp_path), "Findings")
    head = int(re.sub(r"\D", "", str(sheet.freeze_panes))) - 1
    width = sheet.column_dimensions["D"].width
    height = sheet.row_dimensions[head + 1].height
    assert height is not None
    # 500 characters in a column of about 40: at least 12 lines of 13.6 points.
    assert height >= 500 / width * 13


def test_the_same_plan_gives_the_same_bytes(tmp_path: Path) -> None:
    plan = priced(plan_of("two-racks"))
    write_bom_workbook(plan, tmp_path / "one.xlsx")
    write_bom_workbook(plan, tmp_path / "two.xlsx")
    assert (tmp_path / "one.xlsx").read_bytes() == (tmp_path / "two.xlsx").read_bytes()
    properties = load_workbook(tmp_path / "one.xlsx").properties
    assert (properties.creator, properties.created, properties.modified) == (
        "planner", properties.modified, properties.created,
    )  # fmt: skip
    assert str(properties.created).startswith("2000-01-01")


# --- LibreOffice ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def computed(tmp_path_factory: pytest.TempPathFactory) -> Computed:
    """Workbooks as one run of LibreOffice computes and saves them: of two phases, the same changed by a buyer, hostile names."""
    if SOFFICE is None:
        pytest.skip("LibreOffice is not installed")
    folder = tmp_path_factory.mktemp("computed")
    plan = in_two_phases(priced(plan_of("two-racks")), {"A02"})
    write_documents(replace(plan, prices=plan.prices[1:]), folder, frozenset({"bom"}))
    lines = changed_workbook(folder, folder / "changed.xlsx")
    write_bom_workbook(hostile(plan_of("superpod-h100-1su")), folder / "hostile.xlsx")
    # Without our results, which LibreOffice would believe in a file that says it is Excel's.
    with zipfile.ZipFile(folder / "bom.xlsx") as source, zipfile.ZipFile(folder / "bare.xlsx", "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name.startswith("xl/worksheets/"):
                content = re.sub(rb"(</f>)<v>[^<]*</v>", rb"\1", content)
            target.writestr(name, content)
    two = load_workbook(folder / "changed.xlsx")
    sheet_of(two, "Purchase").cell(head_of(two) + 3, currency_column()).value = "USD"
    two.save(folder / "two.xlsx")
    names = ("bare.xlsx", "changed.xlsx", "hostile.xlsx", "two.xlsx")
    subprocess.run(
        [str(SOFFICE), f"-env:UserInstallation={(folder / 'office').as_uri()}", "--headless", "--convert-to",
         "xlsx:Calc MS Excel 2007 XML", "--outdir", str(folder / "out"), *(str(folder / name) for name in names)],
        check=True, capture_output=True, timeout=180,
    )  # fmt: skip
    return Computed(
        folder / "bom.xlsx", lines, *(load_workbook(folder / "out" / name, data_only=True) for name in names)
    )


def same(one: Any, other: Any) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one == pytest.approx(other, rel=1e-9)
    return (one or None) == (other or None)


def test_libreoffice_computes_what_the_workbook_says(computed: Computed) -> None:
    mine = load_workbook(computed.ours, data_only=True)
    formulas = load_workbook(computed.ours)
    different = [
        (name, cell.coordinate, cell.value, computed.bare[name][cell.coordinate].value)
        for name in ("Summary", "Purchase", "Kits")
        for row in sheet_of(formulas, name).iter_rows()
        for cell in row
        if cell.data_type == "f"
        and not same(mine[name][cell.coordinate].value, computed.bare[name][cell.coordinate].value)
    ]
    assert different == []


def test_a_buyers_changes_flow_through(computed: Computed) -> None:
    """Prices, counts, packs and minimums in two phases: orders, sums, shares and phases follow."""
    assert list(totals_amiss(computed.changed, computed.lines)) == []
    assert {line.phase for line in computed.lines} == {"P1", "P2"}
    # By hand, the first part: 1 installed and 2 spare, 3 more spare are six; packs of 7: one.
    first = computed.lines[0]
    assert (first.installed, first.spare, first.stock, first.pack, first.order) == (1, 5, 0, 7, 7)


def test_the_last_day_to_order_follows_need_by_and_lead_time(tmp_path: Path) -> None:
    """26 weeks before 1 March 2027 is 31 August 2026."""
    plan = in_two_phases(priced(plan_of("two-racks")), {"A02"})
    plan = replace(plan, phases=(replace(plan.phases[0], need_by="2027-03-01"), replace(plan.phases[1], need_by="")))
    book = workbook_of(plan, tmp_path, results=True)
    told = {(row["Phase"], row["Order by"] and row["Order by"].date()) for row in table_of(sheet_of(book, "Purchase"))}
    assert told == {("P1", date(2026, 8, 31)), ("P2", None)}
    assert str(sheet_of(book, "Purchase").freeze_panes).startswith("E")  # the part number stays in sight


def test_a_sum_that_does_not_follow_is_told(computed: Computed) -> None:
    lines = [replace(line, price=line.price + 1) for line in computed.lines]
    assert list(totals_amiss(computed.changed, lines))


def test_two_currencies_are_never_summed(computed: Computed) -> None:
    """One line of the changed workbook in dollars among francs: no sum of it is one, and both sheets say so."""
    sheet, head = purchase_of(computed.two_currencies)
    extended = currency_column() + 1
    below = head + len(computed.lines)
    assert [sheet.cell(row, extended).value or None for row in range(below + 1, below + 4)] == [None, None, 1]
    assert any("several currencies" in str(cell.value) for cell in sheet[below + 1])
    rows = {str(row[0]): row for row in sheet_of(computed.two_currencies, "Summary").iter_rows(values_only=True)}
    assert any(name.startswith("Prices are in several currencies") for name in rows)
    for name in ("Cabling", "Switches", "Total of the purchase list", "Cabling share without NICs", "P1", "cord"):
        assert not rows[name][5]


def test_hostile_names_come_back_from_libreoffice(computed: Computed) -> None:
    assert_unchanged(computed.hostile, hostile(plan_of("superpod-h100-1su")))
