"""Every document of every layout is written and read back by other programs: all tell of the same cables, parts and ends.

`.ci/check_documents.py` reads the PDFs of all layouts too, with Poppler, which is much faster than what reads them here.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import openpyxl
import pytest
from pypdf import PageObject, PdfReader

from tests.support.projects import LAYOUTS
from tests.support.read_back import PRINTED, TABLES, Documents

ALL: Final = sorted(path.name for path in LAYOUTS.iterdir() if path.is_dir())
SMALL: Final = ("spectrum-x-su", "two-racks")
"""Layouts whose PDFs are read here: cords, splitters, twin cables and copper."""


def by_pypdf(pdf: Path) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(pdf).pages)


@contextmanager
def documents_of(folder: Path, pdf_text: Callable[[Path], str] = by_pypdf) -> Iterator[Documents]:
    documents = Documents(folder, pdf_text)
    try:
        yield documents
    finally:
        documents.close()


@pytest.mark.parametrize("layout", ALL)
def test_tables_workbook_and_drawings_say_what_the_plan_says(planned: Callable[[str], Path], layout: str) -> None:
    with documents_of(planned(layout)) as documents:
        assert [fault for check in TABLES for fault in check(documents)] == []


@pytest.mark.parametrize("layout", SMALL)
def test_printed_sheets_say_what_the_plan_says(planned: Callable[[str], Path], layout: str) -> None:
    with documents_of(planned(layout)) as documents:
        assert [fault for check in PRINTED for fault in check(documents)] == []


# --- what is not so is told ---------------------------------------------------------------------------------------------


def in_text(name: str, old: str, new: str) -> Callable[[Path], None]:
    def alter(folder: Path) -> None:
        text = (folder / name).read_text("utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1), "utf-8")

    return alter


def in_sheet(title: str, was: Any, now: Any) -> Callable[[Path], None]:
    def alter(folder: Path) -> None:
        book = openpyxl.load_workbook(folder / "bom.xlsx", data_only=True)
        cell = next(cell for row in book[title].iter_rows() for cell in row if cell.value == was)
        cell.value = now
        book.save(folder / "bom.xlsx")

    return alter


FAULTS: Final = {
    "links_csv": in_text("links.csv", ",5.000,", ",7.000,"),
    "cables_csv": in_text("cables.csv", "MFP7E10-N007", "MFP7E10-N005"),
    "plugs_csv": in_text("plugs.csv", "MMA4Z00-NS,", "MMA4Z00-NS-FLT,"),
    "labels_csv": in_text("labels.csv", "A01-U44:1/2", "A01-U44:1/1"),
    "findings_json": in_text("findings.json", "CAT0", "CAT1"),
    "bill": in_text("bom.csv", ",1,2,0,3,", ",2,2,0,3,"),
    "summary_json": in_text("summary.json", '"MMA4Z00-NS-FLT": 2', '"MMA4Z00-NS-FLT": 3'),
    "purchase": in_sheet("Purchase", "980-9I51A-00NS00", "980-9I510-00NS00"),
    "kits": in_sheet("Kits", "MMA4Z00-NS", "MMA4Z00-NS-FLT"),
    "cables_sheet": in_sheet("Cables", 7, 5),
    "ports_sheet": in_sheet("Ports", "1/2", "1/1"),
    "sources_sheet": in_sheet("Prices and sources", "MMA4Z00-NS", "MMA4Z00"),
    "findings_sheet": in_sheet("Findings", 1, 2),
    "summary_sheet": in_sheet("Summary", "compute/leaf-spine", "compute/spine-leaf"),
    "floor_plan": in_text("floor-plan.svg", "2 qm9700", "1 qm9700"),
    "elevations_svg": in_text("elevations.svg", ">dgx-2<", ">dgx-1<"),
    "topology": in_text("topology.svg", "leaf-spine: 2 links", "leaf-spine: 3 links"),
    "sections": in_text("sections.svg", "1 cable,", "2 cables,"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "alter"), FAULTS.items(), ids=FAULTS)
def test_a_document_that_was_altered_is_told(
    planned: Callable[[str], Path], tmp_path: Path, name: str, alter: Callable[[Path], None]
) -> None:
    shutil.copytree(planned("two-racks"), tmp_path / "plan")
    alter(tmp_path / "plan")
    with documents_of(tmp_path / "plan") as documents:
        assert list(next(check for check in TABLES if check.__name__ == name)(documents))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("label_sheets", "2 z\n7 m", "2 z\n5 m"),
        ("label_sheets", "\u2192 A01-U03:OSFP4P2", "\u2192 A01-U03"),
        ("cut_sheets", "MFP7E10-N007", "MFP7E10-N005"),
        ("cut_sheets", "label A02-U03:OSFP4P2 > A01-U44:1/2", ""),
        ("cut_sheets", "end z \u00b7 bundle 2", ""),
        ("elevations", "dgx-2", "dgx-1"),
        ("floor_plan_pdf", "tray-A", "tray-B"),
    ],
)
def test_a_printed_sheet_that_was_altered_is_told(
    planned: Callable[[str], Path], name: str, old: str, new: str
) -> None:
    """Everywhere, for the cut sheets name what is to be fetched as well."""
    with documents_of(planned("two-racks"), lambda pdf: by_pypdf(pdf).replace(old, new)) as documents:
        assert list(next(check for check in PRINTED if check.__name__ == name)(documents))


# --- places on the page -------------------------------------------------------------------------------------------------


class Word(NamedTuple):
    text: str
    y: float
    size: float


def words(page: PageObject) -> list[Word]:
    found: list[Word] = []

    def keep(text: str, _cm: list[float], tm: list[float], _font: object, size: float) -> None:
        if text.strip():
            found.append(Word(text.strip(), tm[5], size))

    page.extract_text(visitor_text=keep)
    return found


@pytest.mark.parametrize("layout", SMALL)
def test_maps_of_the_faces_have_every_cable_at_its_cage(planned: Callable[[str], Path], layout: str) -> None:
    """In each rack, the numbers on the maps of its devices are those of the cables that end there."""
    wanted: dict[str, set[str]] = {}
    with documents_of(planned(layout)) as documents:
        for rack, cable in documents.rows(
            "SELECT r.name, c.cable_id FROM cable_ends e JOIN cables c ON c.row = e.cable"
            " JOIN devices d ON d.row = e.device JOIN racks r ON r.row = d.rack"
        ):
            wanted.setdefault(rack, set()).add(str(cable))
    seen: dict[str, set[str]] = {}
    for page in PdfReader(planned(layout) / "cut-sheets.pdf").pages:
        drawn = words(page)
        start = next((word for word in drawn if word.text == "Rack and faces"), None)
        title = next((word.text for word in drawn if word.text.startswith("Rack ") and word.size > 13), "")
        if start:
            numbers = {word.text for word in drawn if word.y < start.y and word.size <= 6.41 and word.text.isdigit()}
            seen.setdefault(title.removeprefix("Rack "), set()).update(numbers)
    assert all(wanted[rack] <= seen[rack] for rack in wanted)
