"""`planner catalog check`: the shipped catalog has no fault, and bad catalogs are told in words that a person can act on.

Each folder of `bad/` is a catalog, the text beside it what the command prints of it. `--update-golden` renews the texts;
read the diff then. A comment in a bad file says what is wrong with its line.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any, Final

import pytest

from planner.cli.main import main
from planner.data import catalogs_folder
from planner.rules import RULES

BAD: Final = Path(__file__).with_name("bad")
CASES: Final = sorted(path.name for path in BAD.iterdir() if path.is_dir())
OF_A_CATALOG: Final = {"CAT005", "CAT007", "CAT008", "CAT009", "CAT010", "CAT011"}


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["catalog", "check", *arguments])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_the_shipped_catalog_has_no_fault(capsys: pytest.CaptureFixture[str]) -> None:
    count = sum(1 for _ in catalogs_folder().rglob("*.yaml"))
    assert checked(capsys) == (0, "", f"{catalogs_folder()}: {count} files, no errors, no warnings\n")


@pytest.mark.parametrize("case", CASES)
def test_bad_catalog(
    case: str, update_golden: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(BAD)
    status, out, err = checked(capsys, case)
    told = out + err
    golden = BAD / f"{case}.txt"
    if update_golden:
        golden.write_text(told, encoding="utf-8")
    assert told == golden.read_text(encoding="utf-8")
    assert status == (2 if case == "form" else 1)


def test_the_bad_catalogs_show_every_rule_of_a_catalog() -> None:
    texts = "".join(path.read_text(encoding="utf-8") for path in BAD.glob("*.txt"))
    assert set(re.findall(r"\[(CAT\d{3})\]", texts)) == OF_A_CATALOG
    assert set(RULES) >= OF_A_CATALOG


def test_one_file_is_checked_alone(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD / "cord" / "fibre")
    status, out, err = checked(capsys, "cord-lossy-glass.yaml")
    assert status == 1
    assert re.findall(r"--> (.*)", out) == ["cord-lossy-glass.yaml:19:17", "cord-lossy-glass.yaml:21:24"]
    assert err == "cord-lossy-glass.yaml: 1 file, 2 errors, no warnings\n"


@pytest.mark.parametrize(
    "name", ["plugs/mcp4y10.yaml", "fibre/mfp7e20.yaml", "devices/qm9700.yaml", "racks/rack-orv3-44ou.yaml",
             "pathways/conduit-50.yaml", "compatibility/rates.yaml", "prices/indicative.yaml"]
)  # fmt: skip
def test_a_file_outside_a_catalog_is_known_by_its_kind_or_keys(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(catalogs_folder() / name, tmp_path)
    file = tmp_path / Path(name).name
    assert checked(capsys, str(file)) == (0, "", f"{file}: 1 file, no errors, no warnings\n")


def test_a_file_that_says_nothing_of_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.yaml").write_text("id: x\n", encoding="utf-8")
    status, out, _ = checked(capsys, str(tmp_path / "x.yaml"))
    assert status == 1
    assert "error[CAT005]: `x.yaml` does not say what it is" in out


def test_one_folder_of_a_catalog(capsys: pytest.CaptureFixture[str]) -> None:
    folder = catalogs_folder() / "pathways"
    count = sum(1 for _ in folder.rglob("*.yaml"))
    assert checked(capsys, str(folder)) == (0, "", f"{folder}: {count} files, no errors, no warnings\n")


def test_faults_as_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)
    status, out, _ = checked(capsys, "twins", "--format", "json")
    found: list[dict[str, Any]] = json.loads(out)
    assert status == 1
    assert {(f["rule"], f["file"], f["line"]) for f in found} == {
        ("CAT007", f"twins/fibre/{name}.yaml", 7) for name in ("twin", "sister", "brother")
    }


def test_a_folder_without_catalog_files_is_not_called_free_of_faults(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "devices").mkdir()
    (tmp_path / "devices" / "notes.txt").write_text("none\n", encoding="utf-8")
    assert checked(capsys, str(tmp_path)) == (2, "", f"planner: `{tmp_path}` holds no catalog file `*.yaml`\n")


def test_no_such_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(capsys, "no-such-folder")[0] == 2
