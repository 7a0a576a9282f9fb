"""Every document of every layout is written and read back by other programs: all tell of the same cables, parts and ends.

The plan is read from `plan.db` by SQL, not by the planner, so that the documents are held against the file.
"""

from __future__ import annotations

import csv
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree as ET

import openpyxl
import pytest
from pypdf import PageObject, PdfReader

from planner.cli import main
from tests.support.projects import LAYOUTS

MM = 72 / 25.4
FRAME_LEFT = (297 - 250) / 2 * MM
CABLE_COLUMN = FRAME_LEFT + (129 - 38 + 1) * MM
"""Where the part and length of a row of the cut sheets begin."""


@dataclass(frozen=True)
class Documents:
    folder: Path
    db: sqlite3.Connection

    def rows(self, query: str) -> list[Any]:
        return self.db.execute(query).fetchall()

    def csv(self, name: str) -> list[dict[str, str]]:
        with (self.folder / name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def sheet(self, title: str) -> list[dict[str, Any]]:
        """Rows of a table of the workbook, below its frozen head."""
        sheet = openpyxl.load_workbook(self.folder / "bom.xlsx", data_only=True)[title]
        assert sheet.freeze_panes is not None
        head_row = int(re.sub(r"\D", "", str(sheet.freeze_panes))) - 1
        head, *rows = sheet.iter_rows(min_row=head_row, values_only=True)
        return [dict(zip(map(str, head), row, strict=True)) for row in rows]

    @cached_property
    def labels(self) -> list[list[Word]]:
        return [words(page) for page in PdfReader(self.folder / "labels.pdf").pages]

    @cached_property
    def cut_sheets(self) -> list[list[Word]]:
        return [words(page) for page in PdfReader(self.folder / "cut-sheets.pdf").pages]


class Word(NamedTuple):
    text: str
    x: float
    y: float
    size: float


def words(page: PageObject) -> list[Word]:
    found: list[Word] = []

    def keep(text: str, _cm: list[float], tm: list[float], _font: object, size: float) -> None:
        if text.strip():
            found.append(Word(text.strip(), tm[4], tm[5], size))

    page.extract_text(visitor_text=keep)
    return found


ALL: Final = sorted(path.name for path in LAYOUTS.iterdir() if path.is_dir())
PRINTED: Final = ("length-oracle-4rack", "spectrum-x-su", "superpod-h100-1su", "two-racks")
"""Layouts whose PDFs are read page by page here; `.ci/check_documents.py` reads those of all of them with Poppler."""


@pytest.fixture(scope="module", params=ALL)
def documents(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Documents]:
    folder = tmp_path_factory.mktemp("documents") / "plan"
    main(["plan", str(LAYOUTS / request.param), "--out", str(folder), "--draft"])
    with sqlite3.connect(folder / "plan.db") as db:
        yield Documents(folder, db)
    db.close()


CABLES = "SELECT c.cable_id, p.part, p.length_mm FROM cables c JOIN parts p ON p.row = c.part"


def cables_of(documents: Documents) -> dict[int, tuple[str, int]]:
    return {cable: (part, length) for cable, part, length in documents.rows(CABLES)}


def test_cables_csv_and_the_workbook_have_every_cable_with_its_part_and_length(documents: Documents) -> None:
    planned = cables_of(documents)
    written = {int(r["cable_id"]): (r["part"], round(float(r["length_m"]) * 1000)) for r in documents.csv("cables.csv")}
    listed = {
        int(row["Cable"]): (row["Part number"], round(row["Length [m]"] * 1000)) for row in documents.sheet("Cables")
    }
    assert written == listed == planned


@pytest.mark.parametrize("documents", PRINTED, indirect=True)
def test_a_row_of_the_cut_sheets_has_its_cables_part_and_length(documents: Documents) -> None:
    planned, found = cables_of(documents), Counter[int]()
    for drawn in documents.cut_sheets:
        numbers = [w for w in drawn if abs(w.x - FRAME_LEFT - 0.5 * MM) < 0.1 and w.size > 10 and w.text.isdigit()]
        for number in numbers:
            in_row = [w for w in drawn if abs(w.x - CABLE_COLUMN) < 0.1 and number.y - 16 < w.y < number.y + 6]
            length, part, *_ = (word.text for word in sorted(in_row, key=lambda word: -word.y))
            assert (part, f"{planned[int(number.text)][1] / 1000:g} m") == (planned[int(number.text)][0], length)
            found[int(number.text)] += 1
    query = (
        "SELECT c.cable_id, count(DISTINCT d.rack), count(DISTINCT e.end) FROM cable_ends e"
        " JOIN cables c ON c.row = e.cable JOIN devices d ON d.row = e.device GROUP BY 1"
    )
    for cable, racks, ends in documents.rows(query):
        # A cable inside a rack stands once, one between two racks on the sheets of both; each leg has a row of its own.
        assert found.pop(cable) == (racks if ends == 2 else ends)
    assert not found


@pytest.mark.parametrize("documents", PRINTED, indirect=True)
def test_every_end_has_its_texts_on_labels_and_cut_sheets(documents: Documents) -> None:
    query = "SELECT c.cable_id, e.end, e.near, e.far FROM cable_ends e JOIN cables c ON c.row = e.cable"
    planned = Counter(documents.rows(query))
    written = Counter((int(r["cable_id"]), r["end"], r["near"], r["far"]) for r in documents.csv("labels.csv"))
    assert written == planned
    said = Counter(word.text for page in documents.labels for word in page)
    for (_, _, near, far), count in planned.items():
        assert said[near] >= count
        assert said[f"\u2192 {far}"] >= count
    # Long texts go over two lines.
    sheets = "".join(word.text for page in documents.cut_sheets for word in page).replace(" ", "")
    assert [text for _, _, near, far in planned if (text := f"label{near}>{far}".replace(" ", "")) not in sheets] == []


def test_bill_workbook_kits_and_summary_count_the_same_pieces(documents: Documents) -> None:
    cables = Counter(part for part, _ in cables_of(documents).values())
    plugs = Counter(
        part for (part,) in documents.rows(
            "SELECT p.part FROM plugs g JOIN parts p ON p.row = g.part WHERE p.category = 'transceiver'"
        )
    )  # fmt: skip
    switches = Counter(part for (part,) in documents.rows("SELECT part FROM devices WHERE kind = 'switch'"))
    components: Counter[str] = Counter()
    for part, pieces in documents.rows("SELECT p.part, pieces FROM components JOIN parts p ON p.row = components.part"):
        components[part] += pieces
    planned = cables + plugs + switches + components
    bill: Counter[str] = Counter()
    for row in documents.csv("bom.csv"):
        bill[row["part"]] += int(row["qty_installed"])
    purchase: Counter[str] = Counter()
    kits: Counter[str] = Counter()
    for row in documents.sheet("Purchase"):
        if row["Line"]:
            purchase[row["Part number"]] += int(row["Installed"])
    for row in documents.sheet("Kits"):
        if row["Part number"]:
            kits[row["Part number"]] += int(row["Quantity"])
    summary = json.loads((documents.folder / "summary.json").read_text("utf-8"))
    assert bill == purchase == kits == planned
    assert Counter(summary["parts"]) == planned
    plug_rows = Counter(row["plug_part"] for row in documents.csv("plugs.csv") if row["category"] == "transceiver")
    assert plug_rows == plugs


def test_purchase_repeats_every_figure_of_the_bill(documents: Documents) -> None:
    rows = [row for row in documents.sheet("Purchase") if row["Line"]]
    bill = documents.csv("bom.csv")
    assert len(rows) == len(bill)
    for row, line in zip(rows, bill, strict=True):
        assert (row["Part number"], row["Order number"] or "") == (line["part"], line["order_number"])
        for head, column in (("Spare", "qty_spare"), ("Stock", "qty_stock"), ("Order", "qty_order")):
            assert row[head] == int(line[column])
        for head, column in (("Unit price", "unit_price"), ("Extended", "extended"), ("Pack", "pack_size")):
            assert (row[head] or None) == (float(line[column]) if line[column] else None)


def test_ports_of_the_workbook_are_the_ends_of_links_at_switches(documents: Documents) -> None:
    switches = {name for (name,) in documents.rows("SELECT name FROM devices WHERE kind = 'switch'")}
    wanted: Counter[tuple[str, ...]] = Counter()
    for link in documents.csv("links.csv"):
        a = (link["a_device"], link["a_port"])
        z = (link["z_device"], link["z_port"])
        cable = link["assembly_id"]
        wanted.update((*near, *far, cable) for near, far in ((a, z), (z, a)) if near[0] in switches)
    found = Counter(
        (row["Switch"], row["Port"], row["Far device"], row["Far port"], row["Cable"] or "")
        for row in documents.sheet("Ports")
        if row["Remark"] != "no link"
    )
    assert found == wanted


def test_links_csv_says_what_the_plan_says(documents: Documents) -> None:
    query = (
        "SELECT a.name || ':' || a_port || '--' || z.name || ':' || z_port, required_mm, stock_mm, status FROM links"
        " JOIN devices a ON a.row = a_device JOIN devices z ON z.row = z_device"
    )
    planned = {name: rest for name, *rest in documents.rows(query)}
    for row in documents.csv("links.csv"):
        required, stock, status = planned.pop(row["link_id"])
        assert [row["required_length_m"], row["stock_length_m"], row["status"]] == [
            "" if mm is None else f"{mm / 1000:.3f}" for mm in (required, stock)
        ] + [status]
    assert planned == {}


@pytest.mark.parametrize("documents", PRINTED, indirect=True)
def test_drawings_show_every_rack_device_and_pathway(documents: Documents) -> None:
    racks = {name for (name,) in documents.rows("SELECT name FROM racks")}
    devices = {name for (name,) in documents.rows("SELECT name FROM devices")}
    pathways = {name for (name,) in documents.rows("SELECT name FROM pathways")}
    faces = {word.text for page in PdfReader(documents.folder / "elevations.pdf").pages for word in words(page)}
    assert racks | devices <= faces
    root = ET.parse(documents.folder / "floor-plan.svg").getroot()  # noqa: S314 - our own file
    drawn = {text.strip() for element in root.iter() for text in element.itertext() if text.strip()}
    assert racks <= drawn
    assert all(any(name in text for text in drawn) for name in pathways)


@pytest.mark.parametrize("documents", PRINTED, indirect=True)
def test_maps_of_the_faces_have_every_cable_at_its_cage(documents: Documents) -> None:
    """At each device, the numbers on the maps are those of the cables that end there."""
    ends = documents.rows(
        "SELECT r.name, c.cable_id FROM cable_ends e JOIN cables c ON c.row = e.cable JOIN devices d ON d.row = e.device"
        " JOIN racks r ON r.row = d.rack"
    )
    wanted: dict[str, set[str]] = {}
    for rack, cable in ends:
        wanted.setdefault(rack, set()).add(str(cable))
    seen: dict[str, set[str]] = {}
    for drawn in documents.cut_sheets:
        start = next((word for word in drawn if word.text == "Rack and faces"), None)
        title = next((word.text for word in drawn if word.text.startswith("Rack ") and word.size > 13), "")
        if start:
            numbers = {word.text for word in drawn if word.y < start.y and word.size <= 6.41 and word.text.isdigit()}
            seen.setdefault(title.removeprefix("Rack "), set()).update(numbers)
    assert all(wanted[rack] <= seen[rack] for rack in wanted)
