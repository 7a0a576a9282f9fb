"""`explain` of parts, families and models: how many of what are in the plan."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from planner.cli import main

LAYOUTS = Path(__file__).parents[2] / "layouts"


@pytest.fixture(scope="module")
def pod(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("plan") / "pod"
    assert main(["plan", str(LAYOUTS / "superpod-h100-1su"), "--out", str(out)]) == 0
    return out


def billed(folder: Path) -> dict[str, int]:
    with (folder / "bom.csv").open(encoding="utf-8-sig", newline="") as file:
        counts: dict[str, int] = {}
        for row in csv.DictReader(file):
            counts[row["part"]] = counts.get(row["part"], 0) + int(row["qty_installed"])
    return counts


def record(folder: Path, name: str, capsys: pytest.CaptureFixture[str]) -> Any:
    capsys.readouterr()
    assert main(["explain", str(folder), name, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", ["", " "])
def test_an_empty_name_is_refused(pod: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(pod), name]) == 2
    assert "the name is empty" in capsys.readouterr().err


def test_a_family_lists_each_member_and_the_total(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cords = {part: count for part, count in billed(pod).items() if part.startswith("MFP7E10-")}
    assert len(cords) > 1
    found = record(pod, "MFP7E10", capsys)
    assert {member["part"]: member["cables"] for member in found["members"]} == cords
    assert found["cables"] == sum(cords.values())
    assert main(["explain", str(pod), "mfp7e10"]) == 0
    text = capsys.readouterr().out
    assert f"total: cables {sum(cords.values())}, plugs 0" in text
    assert all(f"cables {count}, plugs 0" in text for count in cords.values())


def test_a_switch_model_counts_its_devices(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    switches = billed(pod)["MQM9700-NS2F"]
    assert record(pod, "qm9700", capsys)["devices"] == switches
    assert main(["explain", str(pod), "MQM9700-NS2F"]) == 0
    assert f"installed: devices {switches}, in the bill {switches}" in capsys.readouterr().out


def test_a_server_model_is_in_the_plan_and_not_in_the_bill(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = record(pod, "dgx-h100", capsys)
    assert (found["kind"], found["device_kind"], found["devices"]) == ("model", "server", 31)
    assert main(["explain", str(pod), "DGX H100"]) == 0
    assert "installed: devices 31, in the bill 0" in capsys.readouterr().out
