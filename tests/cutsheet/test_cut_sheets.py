"""The technician's sheets: rows from the plan, and the printed pages read back."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import cycle, islice, pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from pypdf import PageObject, PdfReader
from pypdf.generic import Destination

from planner.cutsheet import CableRow, Group, RackSheet, SheetCounts, sheets
from planner.cutsheet.work import work_of
from planner.plan import Plan, RouteTable
from planner.printable import printable
from planner.table import Words
from planner.typeset import BOLD, REGULAR, fit, shown, text_width
from planner.write import pdf
from planner.write.choices import Choices, Codes
from planner.write.codes import code128
from planner.write.cut_sheets.blocks import Alarm, Heading, Space
from planner.write.cut_sheets.frame import BODY
from planner.write.cut_sheets.rack import rack_pages
from planner.write.cut_sheets.rows import Row
from planner.write.cut_sheets.table import GroupHead, TableHead
from planner.write.page import PAPERS, Paper
from planner.write.pdf import write_cut_sheets
from tests.support.projects import LAYOUTS, plan_of

MM = 72 / 25.4


@pytest.fixture(scope="module")
def pod_reader(pod: Plan, tmp_path_factory: pytest.TempPathFactory) -> PdfReader:
    return PdfReader(write_cut_sheets(pod, tmp_path_factory.mktemp("pod"))[0])


@pytest.fixture(scope="module")
def pod_pages(pod_reader: PdfReader) -> Pages:
    return read(pod_reader)


def variant(tmp_path: Path, layout: str, *changes: tuple[str, str], more: str = "") -> Plan:
    """The plan of a layout with some of its text changed."""
    text = (LAYOUTS / layout / "project.yaml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    (tmp_path / "project.yaml").write_text(text + more, encoding="utf-8")
    return plan_of(tmp_path)


def sheet_of(plan: Plan, rack: str) -> RackSheet:
    (sheet,) = sheets(plan, rack)
    return sheet


def row_of(sheet: RackSheet, cable_id: int) -> CableRow:
    (row,) = (row for row in sheet.rows if row.cable_id == cable_id)
    return row


class Word(NamedTuple):
    text: str
    x: float
    y: float


def words(page: PageObject) -> list[Word]:
    """Every drawn text of a page with where its baseline begins."""
    found: list[Word] = []

    def keep(text: str, _cm: list[float], tm: list[float], _font: object, _size: float) -> None:
        if text.strip():
            found.append(Word(text.strip(), tm[4], tm[5]))

    page.extract_text(visitor_text=keep)
    return found


Pages = list[list[Word]]


def read(reader: PdfReader) -> Pages:
    return [words(page) for page in reader.pages]


def title_of(page: list[Word]) -> str:
    return next((word.text for word in page if word.text.startswith("Rack ")), "cover")


def rack_texts(pages: Pages) -> dict[str, list[str]]:
    """All texts of each rack's pages, by the title of the page."""
    texts: dict[str, list[str]] = {}
    for page in pages:
        texts.setdefault(title_of(page), []).extend(word.text for word in page)
    return texts


# --- the rows --------------------------------------------------------------------------------------------------------


def test_the_sheet_of_rack_a01_worked_by_hand(two_racks: Plan) -> None:
    # layouts/two-racks: cable 1 dgx-1 to leaf-1 and cable 3 leaf-1 to spine-1 stay in A01, cable 2 comes from dgx-2 in A02.
    # It leaves the rack, so it is worked on first; then hosts to leaves, then leaves to spines.
    rows = [
        (row.cable_id, row.near.device, row.near.ports, [(end.device, end.ports) for end in row.far], row.lands_from)
        for row in sheet_of(two_racks, "A01").rows
    ]
    assert rows == [
        (2, "leaf-1", ("1/2",), [("dgx-2", ("OSFP4P2",))], "A02"),
        (1, "dgx-1", ("OSFP4P2",), [("leaf-1", ("1/1",))], ""),
        (3, "leaf-1", ("17/1", "17/2"), [("spine-1", ("1/1", "1/2"))], ""),
    ]


def test_the_sheet_of_rack_a02_worked_by_hand(two_racks: Plan) -> None:
    (row,) = sheet_of(two_racks, "a02").rows
    assert (row.part.part, row.part.colour, row.part.length_mm, row.route) == (
        "MFP7E10-N007",
        "aqua",
        7000,
        ("tray-A",),
    )
    near, (far,) = row.near, row.far
    assert (near.rack, near.u, near.device, near.face, near.side) == ("A02", 3, "dgx-2", "rear", "right")
    assert (near.plug, near.text, near.far_text) == ("MMA4Z00-NS-FLT", "A02-U03:OSFP4P2", "A01-U44:1/2")
    assert (far.rack, far.u, far.device, far.face, far.side) == ("A01", 44, "leaf-1", "rear", "left")
    assert (far.plug, far.text, far.far_text) == ("MMA4Z00-NS", "A01-U44:1/2", "A02-U03:OSFP4P2")


def test_cage_mates_are_the_other_cables_of_the_plug(two_racks: Plan) -> None:
    # Cables 1 and 2 share cage 1 of leaf-1; the twin cable 3 fills its cages alone; a server's second port stays free.
    sheet = sheet_of(two_racks, "A01")
    assert [(mate.cable_id, mate.ports) for mate in row_of(sheet, 2).near.mates] == [(1, ("1/1",))]
    (leaf_end,) = row_of(sheet, 1).far
    assert [(mate.cable_id, mate.ports) for mate in leaf_end.mates] == [(2, ("1/2",))]
    assert row_of(sheet, 1).near.mates == ()
    assert row_of(sheet, 1).near.free_ports == 1
    assert row_of(sheet, 3).near.mates == ()
    assert "twin cable: its plug takes both ports of cage 17" in row_of(sheet, 3).remarks


def test_plugs_to_insert_are_the_transceivers(two_racks: Plan) -> None:
    listed = [
        (device.u, device.device, plug.cage, plug.part.part, plug.cables, plug.is_own)
        for device in sheet_of(two_racks, "A01").devices
        for plug in device.plugs
    ]
    assert listed == [
        (46, "spine-1", "1", "MCP4Y10-N002", (3, 3), True),
        (44, "leaf-1", "1", "MMA4Z00-NS", (1, 2), False),
        (44, "leaf-1", "17", "MCP4Y10-N002", (3, 3), True),
        (3, "dgx-1", "OSFP4", "MMA4Z00-NS-FLT", (0, 1), False),
    ]


def test_the_kit_has_what_starts_here_and_the_landing_what_does_not(two_racks: Plan) -> None:
    sheet = sheet_of(two_racks, "A01")
    assert {item.part.part: item.count for item in sheet.kit} == {
        "MMA4Z00-NS": 1, "MMA4Z00-NS-FLT": 1, "MFP7E10-N005": 1, "MCP4Y10-N002": 1,
    }  # fmt: skip
    assert {item.part.part: item.count for item in sheet.landing} == {"MFP7E10-N007": 1}


def test_every_cable_end_stands_on_the_sheet_of_its_rack_exactly_once(pod: Plan) -> None:
    shown_ends = Counter(
        (row.cable_id, end.name)
        for sheet in sheets(pod)
        for row in sheet.rows
        for end in (row.near, *row.far)
        if end.here
    )
    cable_ids = pod.cables.cable_id[pod.ends.cable].tolist()
    assert shown_ends == Counter(zip(cable_ids, pod.ends.end.tolist(), strict=True))


def test_near_ends_are_here_and_kits_add_up_to_the_plan(pod: Plan) -> None:
    made = list(sheets(pod))
    assert [sheet.rack for sheet in made] == [f"A0{number}" for number in range(1, 10)]
    assert all(row.near.here and row.near.rack == sheet.rack for sheet in made for row in sheet.rows)
    kit = Counter[str]()
    for item in (item for sheet in made for item in sheet.kit):
        kit[item.part.part] += item.count
    installed = Counter(pod.parts[part].part for part in pod.cables.part.tolist())
    installed.update(
        pod.parts[p].part for p in pod.plugs.part.tolist() if pod.parts[p].category == "transceiver"
    )  # fmt: skip
    assert kit == installed
    assert sheet_of(pod, "A05").counts == SheetCounts(
        starting=0, landing=248, inside=260, transceivers=388, unresolved=0
    )


def test_work_goes_longest_bundle_first_then_left_to_right_and_down(pod: Plan) -> None:
    sheet = sheet_of(pod, "A05")
    out = [group for group in sheet.groups if group.to]
    assert [bool(group.to) for group in sheet.groups] == [True] * 8 + [False] * 2
    assert [group.tier for group in sheet.groups if not group.to] == ["leaf-spine", "ufm-leaf"]
    longest = [max(row.part.length_mm for row in group.rows) for group in out]
    assert longest == sorted(longest, reverse=True)
    for group in sheet.groups:
        for one, other in pairwise(group.rows):
            key_one = (one.near.side == "right", -one.near.u)
            assert key_one <= (other.near.side == "right", -other.near.u)


def test_a_route_is_told_from_the_near_end(two_racks: Plan) -> None:
    # The route table tells it from the link's `a`, which is dgx-2 in A02.
    two = replace(two_racks, routes=RouteTable(Words.of(["tray-B;riser;tray-A"])))
    assert row_of(sheet_of(two, "A02"), 2).route == ("tray-B", "riser", "tray-A")
    assert row_of(sheet_of(two, "A01"), 2).route == ("tray-A", "riser", "tray-B")


def test_racks_numbered_from_the_top_are_still_worked_from_the_top(two_racks: Plan) -> None:
    upside_down = replace(two_racks, racks=tuple(replace(rack, numbered_from="top") for rack in two_racks.racks))
    # U3 is now near the top.
    assert [device.device for device in sheet_of(upside_down, "A01").devices] == ["dgx-1", "leaf-1", "spine-1"]


def test_an_unknown_rack_is_refused_and_an_idle_one_has_no_sheet(two_racks: Plan, tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        list(sheets(two_racks, "B99"))
    idle = variant(tmp_path, "two-racks", ('names: "A[01-02]"', 'names: "A[01-03]"'))
    assert list(sheets(idle, "A03")) == []


def test_pinned_and_measured_cables_say_so(tmp_path: Path) -> None:
    plan = variant(
        tmp_path,
        "two-racks",
        more="pins: [{links: 'COMPUTE/node-*', cable: mfp7e10}]\n"
        "measured: [{link: 'dgx-2:OSFP4P2--leaf-1:1/2', length_m: 5.1}]\n",
    )
    sheet = sheet_of(plan, "A01")
    assert {row.cable_id: (row.is_pinned, row.measured_mm) for row in sheet.rows} == {
        1: (True, -1), 2: (True, 5100), 3: (False, -1),
    }  # fmt: skip


def test_a_splitter_shows_its_legs_and_the_one_to_cap(tmp_path: Path) -> None:
    plan = variant(tmp_path, "superpod-h100-1su", more="pins: [{links: 'ufm-1:ib0--*', cable: mfp7e20}]\n")
    (row,) = (row for row in sheet_of(plan, "A05").rows if row.part.category == "splitter")
    assert [(end.name, end.is_used) for end in row.far] == [("z1", True), ("z2", False)]
    assert "cap unused leg z2 and tie it back" in row.remarks
    assert any(remark.startswith("PRT") for remark in row.remarks)


def test_a_face_map_shows_the_cables_of_each_cage_where_the_catalog_puts_it(two_racks: Plan) -> None:
    # QM9700: odd cages above even ones; cage 17 begins the right half, the ninth column. Cables 1 and 2 are in cage 1.
    (leaf,) = (face for face in sheet_of(two_racks, "A01").faces if face.device == "leaf-1")
    (cells,) = leaf.blocks
    used = {cell.cage: (cell.row, cell.column, cell.cables) for cell in cells if cell.is_used}
    assert (leaf.face, leaf.u, leaf.is_stated, len(cells)) == ("rear", 44, True, 32)
    assert used == {"1": (0, 0, (1, 2)), "17": (0, 8, (3, 3))}


def test_cages_without_a_place_keep_the_order_of_the_catalog(two_racks: Plan) -> None:
    (host,) = (face for face in sheet_of(two_racks, "A02").faces if face.device == "dgx-2")
    assert not host.is_stated
    assert [(cell.cage, cell.column, cell.cables) for cell in host.blocks[0]] == [
        ("OSFP1", 0, ()), ("OSFP2", 1, ()), ("OSFP3", 2, ()), ("OSFP4", 3, (0, 2)),
    ]  # fmt: skip


def test_ports_have_their_names_in_operating_systems(two_racks: Plan, tmp_path: Path) -> None:
    catalog = json.loads(two_racks.catalog)
    (group,) = catalog["devices/qm9700.yaml"]["cages"]
    group["os_port_names"] = {"nos": ["sw{cage}p1", "sw{cage}p2"]}
    plan = replace(two_racks, catalog=json.dumps(catalog))
    assert row_of(sheet_of(plan, "A01"), 3).near.os_names == (("nos", "sw17p1 + sw17p2"),)
    texts = rack_texts(read(PdfReader(write_cut_sheets(plan, tmp_path)[0])))
    assert {"nos sw17p1 + sw17p2", "nos sw1p2"} <= set(texts["Rack A01"])


def test_the_time_on_the_cover_worked_by_hand(two_racks: Plan, tmp_path: Path) -> None:
    # Three transceivers at 1 min, a twin DAC inside A01 at 4, a cord inside it at 8, a cord to A02 at 14: 29 minutes.
    work = work_of(sheets(two_racks), two_racks.policy.labour)
    assert [(one.count, one.minutes) for one in work] == [(3, 3), (1, 4), (1, 8), (1, 14)]
    text = " ".join(word.text for word in words(PdfReader(write_cut_sheets(two_racks, tmp_path)[0]).pages[0]))
    assert "about 29 minutes of one person; 2 people: 15 minutes" in text
    assert "an estimate, no promise" in text


# --- the pages -------------------------------------------------------------------------------------------------------


def test_every_cable_port_part_and_label_is_printed_on_its_rack(pod: Plan, pod_pages: Pages) -> None:
    texts = {title: set(text) for title, text in rack_texts(pod_pages).items()}
    for sheet in sheets(pod):
        for row in sheet.rows:
            (far,) = row.far
            wanted = {
                str(row.cable_id), row.part.part, *row.near.ports, *far.ports, row.near.plug, far.plug, far.rack,
                row.near.device, far.device, f"label {row.near.text} > {row.near.far_text}", f"label {far.text} > {far.far_text}",
            }  # fmt: skip
            assert wanted <= texts[f"Rack {sheet.rack}"]


def test_as_many_rows_are_printed_as_the_sheets_have(pod: Plan, pod_pages: Pages) -> None:
    ways = ("pull to", "lands here, from", "in this rack")
    a_page = [sum(word.text.startswith(ways) for word in page) for page in pod_pages]
    assert sum(a_page) == sum(1 for sheet in sheets(pod) for _ in sheet.rows) == 248 * 2 + 260
    assert 12 <= max(a_page) <= 18


def test_near_stands_left_of_the_cable_and_far_right_of_it(two_racks: Plan, tmp_path: Path) -> None:
    page = words(PdfReader(write_cut_sheets(two_racks, tmp_path, Choices(rack="A02"))[0]).pages[1])
    at = {word.text: word.x for word in page}
    assert at["NEAR END: this rack, A02"] < at["OSFP4P2"] < at["CABLE"] == at["7 m"]
    assert at["7 m"] < at["FAR END: go to"] == at["A01"] < at["1/2"]


def test_pages_are_numbered_and_name_their_origin(pod: Plan, pod_pages: Pages) -> None:
    for number, page in enumerate(pod_pages, start=1):
        text = {word.text for word in page}
        assert f"page {number} of {len(pod_pages)}" in text
        assert f"inputs {pod.identity.inputs_sha256[:12]} · planner {pod.identity.planner_version}" in text
        assert {"superpod-h100-1su", "revision A"} <= text
        assert "DRAFT" not in text


def test_the_index_leads_to_the_first_page_of_each_rack(pod_reader: PdfReader, pod_pages: Pages) -> None:
    first: dict[str, int] = {}
    for number, page in enumerate(pod_pages, start=1):
        first.setdefault(title_of(page), number)
    del first["cover"]
    row, racks = pod_reader.outline[1], pod_reader.outline[2]
    assert isinstance(row, Destination)
    assert isinstance(racks, list)
    entries = [entry for entry in racks if isinstance(entry, Destination)]
    assert row.title == "Row A"
    assert {entry.title: (pod_reader.get_destination_page_number(entry) or 0) + 1 for entry in entries} == first
    assert {str(number) for number in first.values()} <= {word.text for word in pod_pages[0]}


def test_a3_is_the_page_of_a4_drawn_larger(two_racks: Plan, tmp_path: Path) -> None:
    def spots(paper: Paper) -> list[tuple[str, float, float]]:
        (path,) = write_cut_sheets(two_racks, tmp_path, Choices(paper=paper))
        return [word for page in PdfReader(path).pages for word in words_as_seen(page)]

    grown = 420 / 297
    for small, large in zip(spots("a4"), spots("a3"), strict=True):
        assert large[0] == small[0]
        assert large[1:] == pytest.approx([at * grown for at in small[1:]], abs=0.1)


def words_as_seen(page: PageObject) -> list[tuple[str, float, float]]:
    """Texts with their places on the paper."""
    found: list[tuple[str, float, float]] = []

    def keep(text: str, cm: list[float], tm: list[float], _font: object, _size: float) -> None:
        if text.strip():
            found.append((text.strip(), tm[4] * cm[0] + cm[4], tm[5] * cm[3] + cm[5]))

    page.extract_text(visitor_text=keep)
    return found


@pytest.mark.parametrize(("codes", "least"), [("code128", 13), ("qr", 100), ("none", 0)])
def test_a_row_has_the_code_that_was_asked_for(two_racks: Plan, tmp_path: Path, codes: Codes, least: int) -> None:
    page = PdfReader(write_cut_sheets(two_racks, tmp_path, Choices(rack="A02", codes=codes))[0]).pages[1]
    content = page.get_contents()
    assert content is not None
    drawn = re.findall(r"^q 0 g .* cm (.*) Q$", content.get_data().decode("latin-1"), re.MULTILINE)
    assert len(drawn) == (codes != "none")
    assert all(one.count(" re") >= least for one in drawn)
    if codes == "code128":
        assert drawn == [code128.bars("2")[0]]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_nothing_is_drawn_outside_what_a4_and_letter_share(two_racks: Plan, tmp_path: Path, paper: Paper) -> None:
    reader = PdfReader(write_cut_sheets(two_racks, tmp_path, Choices(paper=paper))[0])
    width, height = PAPERS[paper]
    other_width, other_height = PAPERS["letter" if paper == "a4" else "a4"]
    sideways, down = min(width, other_width), min(height, other_height)
    for page in reader.pages:
        assert (float(page.mediabox.width), float(page.mediabox.height)) == pytest.approx((width, height), abs=0.01)
        for word in words(page):
            for from_left in (word.x, width - word.x):
                assert from_left > 4.5 * MM
            assert word.x < sideways - 4.5 * MM
            assert 4.5 * MM < word.y < down - 4.5 * MM


def test_unresolved_links_and_the_draft_mark_cannot_be_overlooked(tmp_path: Path) -> None:
    # Without a tray near its exits, A02 cannot be reached.
    plan = variant(tmp_path, "two-racks", ("path_m: [[2.0, 2.6], [3.2, 2.6]]", "path_m: [[0.2, 0.2], [0.2, 1.0]]"))
    assert plan.identity.draft
    assert [link.link_id for link in sheet_of(plan, "A01").unresolved] == ["dgx-2:OSFP4P2--leaf-1:1/2"]
    assert sheet_of(plan, "A02").counts.unresolved == 1
    reader = PdfReader(write_cut_sheets(plan, tmp_path)[0])
    for page in reader.pages:
        text = [word.text for word in words(page)]
        assert "has errors, do not install" in text
        assert text.count("DRAFT") >= 1
        assert any(word.startswith("NOT CABLED: 1 link") for word in text)
    texts = rack_texts(read(reader))
    assert "here leaf-1 port 1/2, A01 U44, no cable to dgx-2 port OSFP4P2, A02 U03" in texts["Rack A01"]
    assert "here dgx-2 port OSFP4P2, A02 U03, no cable to leaf-1 port 1/2, A01 U44" in texts["Rack A02"]
    assert "LAY003" in " ".join(texts["Rack A02"])


def test_the_same_plan_gives_the_same_bytes_in_any_process(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from planner.pipeline import compile_project;"
        "from planner.write.pdf import write_cut_sheets;"
        "write_cut_sheets(compile_project(Path(sys.argv[1])).plan, Path(sys.argv[2]))"
    )
    made = []
    for seed, zone in (("1", "Asia/Tokyo"), ("2", "America/New_York")):
        folder = tmp_path / seed
        folder.mkdir()
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone}
        run = [sys.executable, "-c", code, str(LAYOUTS / "two-racks"), str(folder)]
        subprocess.run(run, check=True, env=environment, cwd=LAYOUTS.parent)
        made.append((folder / "cut-sheets.pdf").read_bytes())
    assert made[0] == made[1]


def test_fonts_are_embedded(two_racks: Plan, tmp_path: Path) -> None:
    reader = PdfReader(write_cut_sheets(two_racks, tmp_path)[0])
    fonts = [font.get_object() for page in reader.pages for font in page["/Resources"]["/Font"].values()]  # type: ignore[index]
    assert fonts
    assert all("/FontFile2" in font["/FontDescriptor"].get_object() for font in fonts)


def test_beyond_the_limit_each_row_of_racks_has_its_file(
    two_racks: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf, "MAX_PAGES", 2)
    rows = ("A/1", "a_1")
    plan = replace(
        two_racks, racks=tuple(replace(rack, row=row) for rack, row in zip(two_racks.racks, rows, strict=True))
    )
    written = write_cut_sheets(plan, tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in written] == [
        "cut-sheets/row-A_1.pdf", "cut-sheets/row-a_1-2.pdf",
    ]  # fmt: skip
    assert not (tmp_path / "cut-sheets.pdf").exists()
    assert [set(rack_texts(read(PdfReader(path)))) for path in written] == [
        {"cover", "Rack A01"},
        {"cover", "Rack A02"},
    ]


def test_remarks_of_the_project_stand_on_both_racks_and_long_ones_below_the_table(tmp_path: Path) -> None:
    long = "mind the step " * 700  # ten kilobytes
    more = f"remarks: [{{links: 'compute/node-*', text: '{long}'}}, {{links: 'dgx-2:*', text: lay it on top}}]\n"
    plan = variant(tmp_path, "two-racks", more=more)
    first, second = sheets(plan)
    assert [row.remarks[:2] for row in second.rows] == [(long.strip(), "lay it on top")]
    assert {row.cable_id: len(row.remarks) for row in first.rows} == {
        2: 2,
        1: 1,
        3: 1,
    }  # 3 is a twin cable, which is told
    text = rack_texts(read(PdfReader(write_cut_sheets(plan, tmp_path)[0])))["Rack A02"]
    assert "see 4, long remarks" in text
    assert " ".join(text).count("mind") == 700


def five_thousand_rows(plan: Plan) -> RackSheet:
    """The sheet of a rack that nobody has: its rows again and again, in groups of all sizes up to a hundred."""
    (sheet,) = sheets(plan, "A05")
    rows = list(islice(cycle(sheet.rows), 5_000))
    groups: list[Group] = []
    at = 0
    while at < len(rows):
        size = 1 + len(groups) % 100
        groups.append(replace(sheet.groups[0], rows=tuple(rows[at : at + size])))
        at += size
    return replace(sheet, groups=tuple(groups))


def test_no_heading_stands_alone_and_no_block_leaves_its_page(pod: Plan) -> None:
    heads = (Heading, GroupHead, TableHead, Alarm)
    for sheet in (*sheets(pod), five_thousand_rows(pod)):
        pages = rack_pages(sheet).pages
        for page in pages:
            offset, last = page[-1]
            content = [block for _, block in page if not isinstance(block, Space)]
            assert not isinstance(content[-1], heads), sheet.rack
            assert offset + last.height <= BODY + 0.01 or (isinstance(last, Space) and offset <= BODY)
        drawn = sum(isinstance(block, Row) for page in pages for _, block in page)
        assert drawn == sum(1 for _ in sheet.rows)


# --- hostile names ---------------------------------------------------------------------------------------------------

HOSTILE = (
    "W" * 64,
    "i" * 64,
    "<b>&\"'</b> (x) \\n \\ %s {0} " + "m" * 36,
    "\u6a5f\u67b6" * 32,
    "\U0001f680" * 64,
    "rack \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 end",
    "\u0421\u0442\u043e\u0439\u043a\u0430 \u0391\u03b8\u03ae\u03bd\u03b1 \u00e9\u00df",
)


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("face", [REGULAR, BOLD])
def test_a_fitted_text_is_whole_and_never_wider_than_its_place(name: str, face: str) -> None:
    for width in (15 * MM, 40 * MM, 90 * MM):
        lines = fit(name, face, 11, width)
        assert all(text_width(face, line, lines.size) <= width + 1e-6 for line in lines.lines)
        assert "".join(lines.lines).replace(" ", "") == shown(name).replace(" ", "")


def test_right_to_left_words_are_set_as_they_are_read() -> None:
    assert shown("rack \u05d0\u05d1\u05d2-1") == "rack \u05d2\u05d1\u05d0-1"


@pytest.mark.parametrize("name", [HOSTILE[2], HOSTILE[6], "A01 \u6a5f \U0001f680"])
def test_hostile_names_are_printed_as_they_are(two_racks: Plan, tmp_path: Path, name: str) -> None:
    racks = (two_racks.racks[0], replace(two_racks.racks[1], name=name))
    devices = tuple(replace(d, name=f"{d.name} {name}"[:64]) for d in two_racks.devices)
    plan = replace(two_racks, racks=racks, devices=devices, identity=replace(two_racks.identity, project=name))
    reader = PdfReader(write_cut_sheets(plan, tmp_path)[0])
    for page in reader.pages:
        squeezed = "".join(word.text for word in words(page)).replace(" ", "")
        assert printable(name).replace(" ", "") in squeezed
