"""Whatever happens while a plan is written, what was there before stays whole, and the message is one line."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from planner.cli import main
from planner.store import read_plan
from planner.write import folder as folder_module
from planner.write.folder import MANIFEST, refuse_foreign, whole_files, whole_folder

LAYOUTS = Path(__file__).parents[2] / "layouts"


def plan_command(out: Path, layout: str = "two-racks") -> list[str]:
    return [sys.executable, "-m", "planner", "plan", str(LAYOUTS / layout), "--out", str(out)]


def is_whole(out: Path) -> bool:
    """A plan that can be read, with every document as its manifest has it."""
    read_plan(out)
    refuse_foreign(out)
    names = set(json.loads((out / MANIFEST).read_text(encoding="utf-8")))
    return {path.name for path in out.iterdir()} == names | {MANIFEST}


def leftovers(out: Path) -> list[str]:
    return sorted(path.name for path in out.parent.iterdir() if path != out)


def test_kill_at_any_moment(tmp_path: Path) -> None:
    out = tmp_path / "plan"
    subprocess.run(plan_command(out), check=True, capture_output=True)
    began = time.monotonic()
    subprocess.run(plan_command(out), check=True, capture_output=True)
    whole_run = time.monotonic() - began
    moments = random.Random(7)
    for _ in range(5):
        with subprocess.Popen(plan_command(out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(whole_run * moments.uniform(0.3, 1.0))
            process.send_signal(signal.SIGKILL)
        assert is_whole(out)
    subprocess.run(plan_command(out), check=True, capture_output=True)
    assert is_whole(out)
    assert leftovers(out) == []


@pytest.mark.parametrize("limit", [1_000, 200_000])
def test_a_disk_that_is_full(tmp_path: Path, limit: int) -> None:
    """A limit on the size of a file stands for the disk: writing past it fails in the same way."""
    out = tmp_path / "plan"
    subprocess.run(plan_command(out), check=True, capture_output=True)
    before = {path.name: path.read_bytes() for path in out.iterdir()}

    def narrow() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    run = subprocess.run(plan_command(out), capture_output=True, text=True, check=False, preexec_fn=narrow)
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert "cannot be written" in run.stderr
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert leftovers(out) == []


def test_an_output_that_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert main(["plan", str(LAYOUTS / "two-racks"), "--out", str(tmp_path / "file" / "plan")]) == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert "cannot be written" in message


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_read_only_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "place"
    place.mkdir(mode=0o555)
    assert main(["plan", str(LAYOUTS / "two-racks"), "--out", str(place / "plan")]) == 2
    assert "Permission denied" in capsys.readouterr().err


def test_a_folder_with_other_files_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    assert main(["plan", str(LAYOUTS / "two-racks"), "--out", str(tmp_path)]) == 2
    assert "did not write" in capsys.readouterr().err
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_an_empty_folder_is_accepted_and_content_beside_ours_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "plan"
    out.mkdir()
    arguments = ["plan", str(LAYOUTS / "two-racks"), "--out", str(out)]
    assert main(arguments) == 0
    assert main(arguments) == 0
    (out / "remarks.txt").write_text("from the site walk", encoding="utf-8")
    assert main(arguments) == 2
    assert "remarks.txt" in capsys.readouterr().err
    (out / "remarks.txt").unlink()
    (out / "bom.csv").write_text("a buyer changed this", encoding="utf-8")
    assert main(arguments) == 2
    assert "was changed since the planner wrote it" in capsys.readouterr().err
    assert main(["render", str(out)]) == 2
    assert (out / "bom.csv").read_text(encoding="utf-8") == "a buyer changed this"


def test_an_empty_folder_beside_ours_is_not_deleted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "plan"
    with whole_folder(out) as building:
        (building / "ours").mkdir()
        (building / "ours" / "a.txt").write_text("first", encoding="utf-8")
    refuse_foreign(out)
    (out / "photos").mkdir()
    assert main(["plan", str(LAYOUTS / "two-racks"), "--out", str(out)]) == 2
    assert "holds `photos`, which the planner did not write" in capsys.readouterr().err
    assert (out / "photos").is_dir()


def test_the_root_of_a_disk_is_not_ours(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", str(LAYOUTS / "two-racks"), "--out", "/"]) == 2
    assert "`/` holds what the planner did not write" in capsys.readouterr().err


@pytest.mark.parametrize("made", [True, False])
def test_a_link_is_followed_and_stays(tmp_path: Path, *, made: bool) -> None:
    volume, link = tmp_path / "volume", tmp_path / "link"
    if made:
        volume.mkdir()
    link.symlink_to("volume")
    for content in ("first", "second"):
        with whole_folder(link) as building:
            (building / "a.txt").write_text(content, encoding="utf-8")
    with whole_files(link) as building:
        (building / "b.txt").write_text("beside", encoding="utf-8")
    assert link.is_symlink()
    assert (volume / "a.txt").read_text(encoding="utf-8") == "second"
    assert (volume / "b.txt").read_text(encoding="utf-8") == "beside"
    assert leftovers(volume) == ["link"]


def test_a_link_to_itself_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "link").symlink_to("link")
    assert main(["plan", str(LAYOUTS / "two-racks"), "--out", str(tmp_path / "link")]) == 2
    assert "is not a folder" in capsys.readouterr().err


def test_without_an_exchange_of_folders_two_renames_serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_module, "_exchanged", lambda _first, _second: False)
    out = tmp_path / "plan"
    for content in ("first", "second"):
        with whole_folder(out) as building:
            (building / "a.txt").write_text(content, encoding="utf-8")
    assert (out / "a.txt").read_text(encoding="utf-8") == "second"
    assert leftovers(out) == []


def test_a_cut_off_pair_of_renames_is_completed_by_the_next_run(tmp_path: Path) -> None:
    out = tmp_path / "plan"
    with whole_folder(out) as building:
        (building / "a.txt").write_text("first", encoding="utf-8")
    # As left by a run that was killed after the first of its two renames; no process has this number.
    out.rename(tmp_path / ".plan.999999999.replaced")
    (tmp_path / ".plan.999999999.building").mkdir()
    folder_module.finish_interrupted(out)
    assert (out / "a.txt").read_text(encoding="utf-8") == "first"
    assert leftovers(out) == []


def test_a_name_that_leads_elsewhere_stays_in_the_output_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (LAYOUTS / "two-racks" / "project.yaml").read_text(encoding="utf-8")
    project = tmp_path / "project"
    project.mkdir()
    (project / "project.yaml").write_text(
        text.replace("name: two-racks\n", "name: ../../else/where\n"), encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    assert main(["plan", "project"]) == 0
    assert [path.name for path in (tmp_path / "output").iterdir()] == ["_.._else_where"]
