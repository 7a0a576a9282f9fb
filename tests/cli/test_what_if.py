"""`plan --without --max-lead-time --objective`: what a changed policy would do, printed and not written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from planner.cli import main
from planner.reader import read_project
from planner.store import read_plan
from tests.support.projects import LAYOUTS, changed, project_text, write_project

PRICES = """name: invented
prices:
  - {part: MCP4Y10-N002, price: 230, currency: USD, date: "2026-11-30", source: invented, lead_time_weeks: 16}
  - {part: MMA4Z00-NS, price: 100, currency: USD, date: "2026-11-30", source: invented, lead_time_weeks: 4}
  - {part: MMA4Z00-NS-FLT, price: 100, currency: USD, date: "2026-11-30", source: invented, lead_time_weeks: 4}
  - {part: MFP7E10-N003, price: 10, currency: USD, date: "2026-11-30", source: invented, lead_time_weeks: 4}
  - {part: MFP7E10-N005, price: 10, currency: USD, date: "2026-11-30", source: invented, lead_time_weeks: 4}
  - {part: MFP7E10-N007, price: 10, currency: USD, date: "2026-11-30", source: invented, lead_time_weeks: 4}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    order = ("order: [dac, acc, aec, aoc, optic]", "order: [dac, optic]")
    text = changed(project_text("two-racks"), order) + "catalogs: [book]\n"
    return write_project(tmp_path / "project", text, {"book/prices/invented.yaml": PRICES})


def record(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> dict[str, Any]:
    assert main(["plan", *map(str, arguments), "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_without_the_copper_cable_its_two_links_take_optics(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One twin cable and 2 spares of 230 go; two twin transceivers and two cords of 3 m come, with spares.

    Before: 3 x 230 + (1 + 2) x 100 + (2 + 2) x 100 + 2 cords of a length, 1 + 2 each, x 10 = 690 + 300 + 400 + 60 = 1,450.
    After: (3 + 2) x 100 + 400 + 60 + (2 + 2) x 10 = 1,000.
    """
    monkeypatch.chdir(tmp_path)
    found = record(capsys, project, "--without", "MCP4Y10")
    assert found["base"]["media"] == {"dac": 2, "optic": 2}
    assert found["changed"]["media"] == {"optic": 4}
    assert (found["base"]["cabling"], found["changed"]["cabling"]) == (1450.0, 1000.0)
    assert found["parts"]["MCP4Y10-N002"] == {"installed": 1, "installed_changed": 0, "order": 3, "order_changed": 0}
    assert found["parts"]["MMA4Z00-NS"] == {"installed": 1, "installed_changed": 3, "order": 3, "order_changed": 5}
    assert found["links"] == {"changed": 2, "ids": ["leaf-1:17/1--spine-1:1/1", "leaf-1:17/2--spine-1:1/2"]}
    assert (found["base"]["longest_lead_time_weeks"], found["changed"]["longest_lead_time_weeks"]) == (16, 4)
    assert not (tmp_path / "output").exists()


def test_a_part_that_cannot_come_in_time_and_a_part_number(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    late = record(capsys, project, "--max-lead-time", "8w")
    assert late["changed"]["media"] == {"optic": 4}
    one = record(capsys, project, "--without", "mcp4y10-n002")
    assert one["change"]["without"] == ["MCP4Y10-N002"]
    assert "MCP4Y10-N002" in one["parts"]


def test_by_cost_optics_are_cheaper_here(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """230 of copper against 2 x 100 + 2 x 10 of optics."""
    assert record(capsys, project, "--objective", "cost")["changed"]["media"] == {"optic": 4}


def test_the_change_goes_before_the_choices_of_some_links(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    choices = "  choices: [{links: compute/leaf-spine, deny: [MCA4J80], max_lead_time_weeks: 50}]\n"
    text = changed(project_text("two-racks"), ("policy:\n", f"policy:\n{choices}")) + "catalogs: [book]\n"
    folder = write_project(tmp_path, text, {"book/prices/invented.yaml": PRICES})
    assert record(capsys, folder, "--without", "MCP4Y10")["changed"]["media"] == {"optic": 4}
    assert record(capsys, folder, "--max-lead-time", "8")["changed"]["media"] == {"optic": 4}


def test_a_pinned_part_stays_and_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = project_text("two-racks") + "pins: [{links: compute/leaf-spine, cable: mcp4y10}]\n"
    folder = write_project(tmp_path, text)
    assert record(capsys, folder, "--without", "mcp4y10")["kept_by_pins"] == ["MCP4Y10-N002"]
    assert main(["plan", str(folder), "--without", "mcp4y10"]) == 0
    assert "still in the plan, forced by pins: MCP4Y10-N002" in capsys.readouterr().out


def test_the_table_for_people(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", str(project), "--without", "mcp4y10", "--max-lead-time", "8w"]) == 0
    shown = capsys.readouterr()
    lines = [" ".join(line.split()) for line in shown.out.splitlines()]
    assert lines[0] == "two-racks, what if without mcp4y10, at most 8 weeks"
    assert "links of dac 2 0 -2" in lines
    assert "links of optic 2 4 +2" in lines
    assert "cabling [USD] 1,450 1,000 -450" in lines
    assert "MCP4Y10-N002 1 0 3 0" in lines
    assert "2 links change their parts" in lines
    assert shown.err.endswith("nothing was written\n")


def test_what_nothing_can_take_the_place_of_is_unresolved_and_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With copper alone two links are unresolved already; without the cable all four are."""
    copper = changed(project_text("two-racks"), ("order: [dac, acc, aec, aoc, optic]", "order: [dac]"))
    folder = write_project(tmp_path / "copper", copper)
    assert main(["plan", str(folder), "--without", "mcp4y10", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["base"]["unresolved"], found["changed"]["unresolved"]) == (2, 4)
    assert main(["plan", str(folder), "--without", "mcp4y10", "--out", str(tmp_path / "out")]) == 2
    assert "`--draft` writes it all the same" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert main(["plan", str(folder), "--without", "mcp4y10", "--out", str(tmp_path / "out"), "--draft"]) == 1
    assert read_plan(tmp_path / "out").identity.draft


def test_written_where_it_is_asked_for_and_marked(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["plan", str(project), "--without", "mcp4y10", "--out", "trial"]) == 0
    plan = read_plan(tmp_path / "trial")
    assert plan.identity.revision == "A WHAT IF without mcp4y10"
    assert set(plan.links.medium.tolist()) == {"optic"}
    assert [choice.deny for choice in plan.policy.choices] == [["mcp4y10"]]
    assert main(["explain", "trial", "leaf-1:17/1--spine-1:1/1"]) == 0
    assert "denies MCP4Y10" in capsys.readouterr().out
    assert main(["plan", str(project), "--without", "mcp4y10", "--out", "output/two-racks"]) == 2
    assert "is the folder of the plan itself" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--without", "MFP7E10-N00"), "the catalog has no cable, cord or transceiver `MFP7E10-N00`, did you mean `MFP7E10-N0"),
        (("--without", "qm9700"), "the catalog has no cable, cord or transceiver `qm9700`"),
        (("--max-lead-time", "soon"), "`--max-lead-time soon`: write weeks as in `8w`"),
        (("--max-lead-time", "-1"), "write weeks as in `8w`"),
        (("--objective", "beauty"), "there is no objective `beauty` (there are media, cost, "),
        (("--objective", "cost", "--format", "github"), "is for findings"),
    ],
)  # fmt: skip
def test_bad_usage(project: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str) -> None:
    try:
        status = main(["plan", str(project), *arguments])
    except SystemExit as stop:  # argparse leaves by itself
        status = int(str(stop.code))
    assert status == 2
    assert told in capsys.readouterr().err


def test_the_project_itself_is_as_it_was() -> None:
    """The overrides are made on a copy."""
    from planner.pipeline import read_inputs
    from planner.whatif import Change
    from planner.whatif import changed as changed_inputs

    inputs, _, _ = read_inputs(LAYOUTS / "two-racks")
    assert inputs is not None
    before = repr(inputs.tree)
    other = changed_inputs(inputs, Change(("mcp4y10",), 8, "cost"))
    assert repr(inputs.tree) == before == repr(read_project(LAYOUTS / "two-racks").root)
    assert other.project.policy.choices[0].max_lead_time_weeks == 8
