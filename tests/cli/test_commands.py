"""The command line as people and scripts use it: what it prints, where, and with which exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from planner.cli import main

LAYOUTS = Path(__file__).parents[2] / "layouts"
BROKEN = "    links: [{a: 'dgx-1:OSFP4P2', z: 'leaf-1:1/1', tier: x}, {a: 'dgx-2:OSFP4P2', z: 'leaf-1:1/1', tier: x}]\n"


@pytest.fixture(scope="module")
def plan_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("plan") / "two-racks"
    assert main(["plan", str(LAYOUTS / "two-racks"), "--out", str(out)]) == 0
    return out


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    text = (LAYOUTS / "two-racks" / "project.yaml").read_text(encoding="utf-8")
    start, stop = text.index("    links:"), text.index("policy:")
    (tmp_path / "project.yaml").write_text(text[:start] + BROKEN + text[stop:], encoding="utf-8")
    return tmp_path


def test_init_check_and_plan_a_starter_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project, out = tmp_path / "mine", tmp_path / "out"
    assert main(["init", "two-racks", str(project)]) == 0
    assert main(["check", str(project)]) == 0
    assert main(["plan", str(project), "--out", str(out)]) == 0
    printed = capsys.readouterr()
    assert "two-racks: 4 links, 3 cables, 5 plugs" in printed.out
    assert "no errors" in printed.err
    names = {path.name for path in out.iterdir()}
    assert {"plan.db", "bom.xlsx", "bom.csv", "cut-sheets.pdf", "links.csv", "floor-plan.svg", "summary.json"} <= names


def test_plan_says_where_many_cut_sheets_went(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("planner.write.pdf.MAX_PAGES", 2)
    assert main(["plan", str(LAYOUTS / "two-racks"), "--out", str(tmp_path / "out")]) == 0
    assert [path.name for path in (tmp_path / "out" / "cut-sheets").iterdir()] == ["row-A.pdf"]
    printed = capsys.readouterr().out
    assert "bom.csv, cut-sheets/row-*.pdf, links.csv" in printed
    assert "cut-sheets.pdf" not in printed


def test_init_refuses_a_folder_with_content(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    assert main(["init", "two-racks", str(tmp_path)]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert main(["init", "two-rack", str(tmp_path / "new")]) == 2
    assert "did you mean `two-racks`?" in capsys.readouterr().err


def test_errors_give_status_1_and_write_nothing(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = broken / "out"
    assert main(["plan", str(broken), "--out", str(out)]) == 1
    printed = capsys.readouterr()
    assert "error[TOP001]: port `leaf-1:1/1` is used by two links" in printed.out
    assert "nothing was written" in printed.err
    assert not out.exists()


def test_a_draft_is_written_marked_and_still_status_1(broken: Path) -> None:
    out = broken / "out"
    assert main(["plan", str(broken), "--out", str(out), "--draft"]) == 1
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert summary["findings"]["error"] == 1
    assert "DRAFT" in (out / "floor-plan.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("form", ["json", "github"])
def test_findings_for_scripts(broken: Path, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    saved = broken / "findings.json"
    assert main(["check", str(broken), "--format", form, "--findings", str(saved)]) == 1
    printed = capsys.readouterr().out
    findings = json.loads(saved.read_text(encoding="utf-8"))
    error = next(finding for finding in findings if finding["severity"] == "error")
    assert (error["rule"], error["file"], error["column"]) == ("TOP001", "project.yaml", 61)
    if form == "json":
        assert json.loads(printed) == findings
    else:
        assert f"::error file=project.yaml,line={error['line']},col=61,title=TOP001 port-used-twice::" in printed


def test_an_unparsable_file_gives_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "project.yaml").write_text("racks: [\n", encoding="utf-8")
    assert main(["check", str(tmp_path)]) == 2
    assert "INP002" in capsys.readouterr().out
    (tmp_path / "project.yaml").write_bytes(b"\xff\xfef\x00o\x00o\x00")
    assert main(["plan", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert main(["check", str(tmp_path / "nowhere")]) == 2


def test_explain_a_link_for_people_and_for_scripts(plan_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    link = "leaf-1:17/1--spine-1:1/1"
    assert main(["explain", str(plan_folder), link.upper()]) == 0
    text = capsys.readouterr().out
    assert "cable 3: MCP4Y10-N002, 2 m, dac" in text
    (line,) = [line for line in text.splitlines() if line.endswith("`optic` comes after `dac` in `policy.media.order`")]
    assert "MFP7E10 with MMA4Z00-NS," in line  # parts with the same reason share a line
    assert "do not enter the cages (--all lists them)" in text
    assert "generic parts are chosen only where `policy.vendors.allow` names `generic` (--all lists them)" in text
    assert main(["explain", str(plan_folder), link, "--all"]) == 0
    assert "GENERIC-MPO-12-APC-OM4-TYPE-B" in capsys.readouterr().out
    assert main(["explain", str(plan_folder), link, "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert list(record) == [
        "kind", "link_id", "status", "terms_mm", "measured_mm", "required_mm", "stock_mm", "route", "chosen", "alternates",
        "rejected", "forced_by", "price", "next_best",
    ]  # fmt: skip
    assert list(record["terms_mm"]) == ["a_in_rack", "a_rise", "pathway", "z_rise", "z_in_rack", "slack"]
    assert sum(record["terms_mm"].values()) == record["required_mm"] <= record["stock_mm"] == 2000
    assert record["chosen"] == {"cable": "MCP4Y10-N002", "a_plug": "MCP4Y10-N002", "z_plug": "MCP4Y10-N002"}


def test_explain_a_cable_and_a_part(plan_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(plan_folder), "3"]) == 0
    assert "serves leaf-1:17/2--spine-1:1/2" in capsys.readouterr().out
    assert main(["explain", str(plan_folder / "plan.db"), "mma4z00-ns-flt"]) == 0
    assert "installed: cables 0, plugs 2" in capsys.readouterr().out
    assert main(["explain", str(plan_folder), "leaf-1:17/1--spine-1:1/3"]) == 2
    assert "did you mean `leaf-1:17/1--spine-1:1/1`?" in capsys.readouterr().err


def test_explain_needs_nothing_but_the_plan(plan_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planner.data.catalogs_folder", lambda: tmp_path / "gone")
    assert main(["explain", str(plan_folder), "dgx-1:OSFP4P2--leaf-1:1/1"]) == 0


def test_render_makes_the_same_documents_again(plan_folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "again"
    assert main(["render", str(plan_folder), "--out", str(out)]) == 0
    for name in ("bom.csv", "links.csv", "cables.csv", "plugs.csv", "labels.csv", "findings.json", "summary.json",
                 "floor-plan.svg", "cut-sheets.pdf", "labels.pdf", "elevations.pdf"):  # fmt: skip
        assert (out / name).read_bytes() == (plan_folder / name).read_bytes(), name
    assert main(["render", str(plan_folder)]) == 0  # into the plan's own folder, where it stays ours
    assert main(["render", str(plan_folder)]) == 0


def test_render_one_rack_and_one_kind(plan_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "one"
    assert main(["render", str(plan_folder), "--only", "cut-sheets", "--rack", "a01", "--out", str(out)]) == 0
    assert [path.name for path in out.iterdir() if path.name[0] != "."] == ["cut-sheets.pdf"]
    capsys.readouterr()
    assert main(["render", str(plan_folder), "--only", "cut-sheet"]) == 2
    assert "did you mean `cut-sheets`?" in capsys.readouterr().err
    assert main(["render", str(plan_folder), "--only", "cut-sheets", "--rack", "A1", "--out", str(out)]) == 2
    assert "did you mean `A01`?" in capsys.readouterr().err
    assert main(["render", str(plan_folder), "--rack", "A01"]) == 2


def test_rules_and_their_pages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    assert "PRT008  error    splitter-beside-straight" in capsys.readouterr().out
    assert main(["rules", "splitter-beside-straight"]) == 0
    assert "Why: " in capsys.readouterr().out
    assert main(["rules", "LOS01"]) == 2
    assert "did you mean `LOS001`?" in capsys.readouterr().err


def test_catalog_list_show_and_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog", "list", "--kind", "dac"]) == 0
    assert "mcp4y10" in capsys.readouterr().out
    assert main(["catalog", "show", "980-9I570-00N030"]) == 0
    shown = capsys.readouterr().out
    assert "mfp7e10" in shown
    assert "source: " in shown
    assert main(["catalog", "check"]) == 0
    (tmp_path / "fibre").mkdir()
    (tmp_path / "fibre" / "mine.yaml").write_text("id: mine\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["catalog", "check", str(tmp_path)]) == 1
    assert "error[INP005]: the key" in capsys.readouterr().out


def listed(capsys: pytest.CaptureFixture[str], *filters: str) -> set[str]:
    assert main(["catalog", "list", "--format", "json", *filters]) == 0
    return {row["id"] for row in json.loads(capsys.readouterr().out)}


@pytest.mark.parametrize(
    ("filters", "inside", "outside"),
    [
        ("--kind dac", "mcp4y10", "mca4j80"),
        ("--kind devices", "dgx-h100", "mcp4y10"),
        ("--form-factor QSFP-DD", "mms1v00-wm", "generic-800g-dac-qsfp-dd800"),
        ("--form-factor mpo-16", "generic-mpo-16-apc-om4-type-b", "mfp7e10"),
        ("--rate xdr", "q3400-ra", "qm9700"),
        ("--rate 400g", "generic-400g-dac-qsfp-dd", "generic-800g-dac-osfp-finned"),  # 8 x 50G is 400G too
        ("--rate 1g", "generic-cat6a-utp", "generic-25g-dac-sfp28"),  # its jacks agree on less than 10G
        ("--medium multimode", "mma4z00-ns", "mms4x00-nm"),
        ("--medium single-mode", "mfp7e30", "mfp7e10"),
        ("--medium copper", "generic-cat6-utp", "mfs1s00"),
        ("--medium aoc", "mfs1s00", "mcp4y10"),
        ("--medium optic", "mfp7e10", "mfs1s00"),
        ("--kind trunk", "generic-trunk-96f-base12-apc-os2-type-b-m", "mfp7e30"),
        ("--form-factor lc-duplex", "generic-cassette-6xlc-os2-straight", "generic-plate-8xmpo-12-opposed"),
        ("--medium single-mode", "generic-trunk-96f-base12-apc-os2-type-b-m", "generic-cassette-6xlc-om4-u1"),
        ("--vendor nvidia", "mcp4y10", "generic-25g-dac-sfp28"),
        ("--lifecycle discontinued", "mcp7y10", "mcp4y10"),
        ("--kind transceiver --form-factor osfp --rate ndr --medium single-mode", "mms4x00-nm", "mma4z00-ns"),
    ],
)
def test_catalog_list_filters(filters: str, inside: str, outside: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = listed(capsys, *filters.split())
    assert inside in found
    assert outside not in found


def test_filters_of_catalog_list_narrow_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    both = listed(capsys, "--kind", "transceiver", "--rate", "ndr")
    assert both == listed(capsys, "--kind", "transceiver") & listed(capsys, "--rate", "ndr") != set()


def test_a_value_that_no_part_has_finds_nothing_and_names_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog", "list", "--medium", "multi-mode"]) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == (
        "no part has the medium `multi-mode`, did you mean `multimode`? (there are: acc, aec, aoc, copper, dac, multimode, optic, single-mode, utp)\n"
        "0 families\n"
    )


def test_schema_is_json_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert {"racks", "devices", "fabrics", "policy"} <= set(schema["properties"])
    assert schema["additionalProperties"] is False


def test_channels_agree_on_what_is_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = Path(__file__).parents[1] / "channel" / "cases.yaml"
    assert main(["channel", str(cases), "--format", "json"]) == 1  # some of the public cases fail, and must
    answers = json.loads(capsys.readouterr().out)
    assert len(answers) == 57
    assert {answer["verdict"] for answer in answers} <= {"pass", "fail", "unproven"}


@pytest.mark.parametrize("arguments", [[], ["plan"], ["plan", "x", "--nope"], ["check", "x", "--format", "xml"]])
def test_bad_usage_gives_status_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2


def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["init"], ["check"], ["plan"], ["render"], ["explain"], ["rules"], ["channel"], ["schema"],
                    ["catalog", "list"], ["catalog", "show"], ["catalog", "check"], ["catalog", "import", "netbox"]):  # fmt: skip
        with pytest.raises(SystemExit) as stop:
            main([*command, "--help"])
        assert stop.value.code == 0
        assert f"example: planner {' '.join(command)}" in capsys.readouterr().out


def test_a_reader_that_stops_early_is_no_failure(plan_folder: Path) -> None:
    command = [sys.executable, "-m", "planner", "rules"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
    assert errors == b""


def test_labels_of_every_form_are_rendered(tmp_path: Path) -> None:
    folder = str(tmp_path / "plan")
    assert main(["plan", str(LAYOUTS / "two-racks"), "--out", folder]) == 0
    for number, (form, name) in enumerate(
        [
            ("letter-30", "labels.pdf"),
            ("roll-40x20", "labels.pdf"),
            ("csv", "labels-merge.csv"),
            ("zpl-300", "labels.zpl"),
        ]
    ):
        out = tmp_path / str(number)
        assert main(["render", folder, "--only", "labels", "--labels", form, "--out", str(out)]) == 0
        assert sorted(path.name for path in out.iterdir() if path.name != ".planner.json") == sorted(
            ["labels.csv", name]
        )


@pytest.mark.parametrize(("option", "value"), [("--labels", "a5"), ("--label-template", "{nothing}")])
def test_labels_that_there_are_not_are_bad_usage(tmp_path: Path, option: str, value: str) -> None:
    folder = str(tmp_path / "plan")
    assert main(["plan", str(LAYOUTS / "two-racks"), "--out", folder]) == 0
    assert main(["render", folder, "--only", "labels", option, value, "--out", str(tmp_path / "out")]) == 2
    assert not (tmp_path / "out").exists()
