"""Names that other programs would run, follow, cut or turn around come through every document as they are written."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import openpyxl
import pytest
from pypdf import PdfReader

from planner.cli import main
from planner.printable import printable
from planner.typeset import shown
from tests.support.projects import write_project

NAMES = {
    "formula": "=1+1", "command": "=cmd|' /C calc'!A0", "markup": "<b>&amp</b>\"'", "script": "</text><script>x()</script>",
    "zpl": "^XZ~JA^FD_5E", "path": "../../etc/passwd", "percent": "%s {0} $(x) \\n", "hebrew": "\u05e9\u05e8\u05ea-1", "greek": "\u0391\u03b8\u03ae\u03bd\u03b1 \u0421\u0442\u043e\u0439\u043a\u0430",
    "emoji": "\U0001f525 rack", "chinese": "\u673a\u67b6\u4e00", "long": "W" * 64, "number": "0123", "date": "1-2", "error": "#REF!",
}  # fmt: skip


def project(name: str) -> dict[str, Any]:
    """Two racks, a leaf and a server, whose names all hold the hostile one."""
    racks = [name, f"{name[:58]} zwei"]
    return {
        "format": "planner/1",
        "name": name,
        "revision": name,
        "room": {"outline_m": [[0, 0], [6, 0], [6, 5], [0, 5]], "ceiling_m": "3.5"},
        "racks": [
            {"row": name, "names": racks, "type": "rack-48u-600x1200", "at_m": [2, 2], "along": "east", "front": "south"}
        ],
        "pathways": [
            {"name": name, "type": "basket-300x100", "path_m": [["2", "2.6"], ["3.2", "2.6"]], "height_m": "2.7", "carries": ["copper", "fibre"]}
        ],
        "devices": [
            {"names": [name], "model": "qm9700", "rack": racks[0], "u": 44, "mount": "rear"},
            {"names": [f"{name[:58]} host"], "model": "dgx-h100", "rack": racks[1], "u": 3},
        ],
        "fabrics": [
            {
                "name": name, "protocol": "infiniband", "rate": "ndr",
                "links": [{"a": f"{name[:58]} host:OSFP4P2", "z": f"{name}:1/1", "tier": name}],
            }
        ],
    }  # fmt: skip


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_hostile_name_is_inert_and_unchanged_in_every_document(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "plan"
    write_project(tmp_path / "project", json.dumps(project(name), ensure_ascii=False))
    main(["plan", str(tmp_path / "project"), "--out", str(folder), "--draft"])
    assert not {path.name for path in tmp_path.iterdir()} - {"plan", "project"}
    with (folder / "links.csv").open(encoding="utf-8", newline="") as file:
        (link,) = csv.DictReader(file)
    assert (link["z_device"], link["z_rack"], link["tier"]) == (name, name, name)
    assert link["status"] == "resolved"

    book = openpyxl.load_workbook(folder / "bom.xlsx")
    cells = [cell for row in book["Ports"].iter_rows() for cell in row if cell.value == name]
    assert len(cells) >= 3
    assert {cell.data_type for cell in cells} == {"s"}

    for picture in ("floor-plan.svg", "elevations.svg", "topology.svg", "sections.svg"):
        root = ET.parse(folder / picture).getroot()  # noqa: S314 - our own file
        tags = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert tags <= {
            "svg",
            "g",
            "rect",
            "line",
            "path",
            "text",
            "tspan",
            "title",
            "desc",
            "style",
            "defs",
            "pattern",
        }
        assert not [key for element in root.iter() for key in element.attrib if key.startswith("on") or "href" in key]
        drawn = "".join("".join("".join(text.split()) for text in element.itertext()) for element in root.iter())
        assert "".join(name.split()) in drawn or "".join(printable(name).split()) in drawn

    for document in ("cut-sheets.pdf", "labels.pdf", "elevations.pdf", "topology.pdf", "sections.pdf"):
        found: list[str] = []
        for page in PdfReader(folder / document).pages:
            page.extract_text(visitor_text=lambda text, *_, found=found: found.append("".join(text.split())))
        said = "".join(found)
        # pypdf turns right-to-left letters around as it sees fit; how they are set is tested at the sheets.
        assert shown(name).replace(" ", "") in said or (shown(name) != printable(name) and set(name) <= set(said))

    labels = ["render", str(folder), "--only", "labels", "--out"]
    assert main([*labels, str(tmp_path / "csv"), "--labels", "csv"]) == 0
    with (tmp_path / "csv" / "labels-merge.csv").open(encoding="utf-8-sig", newline="") as file:
        assert {row["near"] for row in csv.DictReader(file)} >= {f"{name}-U44:1/1"}
    assert main([*labels, str(tmp_path / "zpl"), "--labels", "zpl-300-100x80"]) == 0
    commands = (tmp_path / "zpl" / "labels.zpl").read_text("ascii")
    assert commands.count("^XA") == commands.count("^XZ") == 2
    assert "~" not in commands


@pytest.mark.parametrize("name", ["\u202ertl\u202c", "a\u0000b", "a\tb", "a--b", "a:b", "a" * 65])
def test_what_is_no_name_is_refused_before_any_document(tmp_path: Path, name: str) -> None:
    write_project(tmp_path / "project", json.dumps(project(name)))
    assert main(["plan", str(tmp_path / "project"), "--out", str(tmp_path / "plan")]) != 0
    assert not (tmp_path / "plan").exists()
