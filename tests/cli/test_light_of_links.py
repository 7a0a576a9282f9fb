"""The light path of planned links: halves of twin-port plugs, legs of splitters, and what the command writes of them."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from planner import pipeline
from planner.cli import main
from tests.support.projects import ROOT, small_catalog, write_project

RULES = ROOT / "tests" / "rules"


@pytest.fixture(scope="module")
def split(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two hosts of 200G at the legs of one splitter, whose head is in half of a twin-port plug."""
    folder = tmp_path_factory.mktemp("split")
    text = (RULES / "POL001" / "pass-splitter.yaml").read_text(encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "catalogs_folder", small_catalog)
        assert main(["plan", str(write_project(folder / "p", text)), "--out", str(folder / "out")]) == 0
    return folder / "out"


def test_the_legs_of_a_splitter_each_reach_their_host(split: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["explain", str(split), "host-2:P1--leaf-1:swp1s1", "--format", "json"]) == 0
    first, second = json.loads(capsys.readouterr().out)["light"]
    assert (first["a"], first["z"], first["leg"]) == ("leaf-1:swp1s0;swp1s1", "host-1:P1", "1")
    assert (second["a"], second["z"], second["leg"]) == ("leaf-1:swp1s0;swp1s1", "host-2:P1", "2")
    assert [(lane["lane"], lane["arrives"]) for lane in second["a_to_z"]] == [("Tx3", "Rx1"), ("Tx4", "Rx2")]
    # Position 3 of the head is 12 of leg 2 (the splitter's own map), where the host's Rx1 is.
    assert second["a_to_z"][0]["positions"] == [[3, 3], [12, 12]]
    assert second["joints"][1]["left"] == {
        "of": "cable 1", "leg": 2, "ferrule": "mpo12", "gender": "F", "polish": "APC",
    }  # fmt: skip


def test_the_drawing_has_the_way_and_both_legs(split: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(split), "host-1:P1--leaf-1:swp1s0", "--svg", str(tmp_path / "x.svg")]) == 0
    assert "leg 2\n" in capsys.readouterr().out
    root = ET.parse(tmp_path / "x.svg").getroot()  # noqa: S314 - ours
    words = ["".join(element.itertext()) for element in root.iter() if element.tag.endswith("}text")]
    assert "heights along the way" in words
    assert [word for word in words if word.startswith("Light path of host-1:P1--leaf-1:swp1s0, leg ")] != []
    inner = next(element for element in root if element.tag.endswith("}svg"))
    # Below the way, and inside the picture.
    assert float(inner.attrib["y"]) + float(inner.attrib["height"]) == float(root.attrib["height"])


def test_a_channel_file_is_told_and_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = """
profiles: {sr: {ferrule: lc2, gender: "-", polish: UPC, medium: MM, tx: [2], rx: [1]}}
cases:
  - id: "<b>"
    chain:
      - {type: port, profile: sr, name: host}
      - {type: cord_duplex, polarity: A-A, ferrule: lc2, fibre: OM4, end_a: {gender: "-", polish: UPC}, end_z: {gender: "-", polish: UPC}}
      - {type: port, profile: sr, name: leaf}
"""
    (tmp_path / "c.yaml").write_text(text, encoding="utf-8")
    assert main(["channel", str(tmp_path / "c.yaml"), "--light", "--svg", str(tmp_path / "c.svg")]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "<b>: fail  POLARITY"
    # Tx at B, kept by the cord, meets Tx at B.
    assert "  Tx1        B        B        Tx1  POLARITY" in told
    assert told[-1] == "  smallest repair: cord 1: A-B instead of A-A"
    words = [element.text for element in ET.parse(tmp_path / "c.svg").iter() if element.tag.endswith("}text")]  # noqa: S314
    assert "Light path of <b>: fail" in words
    assert main(["channel", str(tmp_path / "c.yaml"), "--format", "json"]) == 1
    (answer,) = json.loads(capsys.readouterr().out)
    assert answer["repair"] == ["cord 1: A-B instead of A-A"]
    assert answer["faults"][0]["between"] == ["host", "leaf"]
