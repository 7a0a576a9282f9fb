"""Golden plans: what each shipped layout gives, as text that a person has read. `--update-golden` renews it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LAYOUTS = HERE.parents[1] / "layouts"
NAMES = sorted(path.parent.name for path in LAYOUTS.glob("*/project.yaml"))
TEXTS = ("cables.csv", "findings.json", "labels.csv", "links.csv", "plugs.csv", "summary.json")


@pytest.mark.parametrize("layout", NAMES)
def test_a_layout_gives_its_golden_plan(planned: Callable[[str], Path], layout: str, update_golden: bool) -> None:
    golden = HERE / layout
    made = {name: (planned(layout) / name).read_text(encoding="utf-8") for name in TEXTS}
    if update_golden:
        golden.mkdir(exist_ok=True)
        for name, text in made.items():
            (golden / name).write_text(text, encoding="utf-8", newline="\n")
    expected = {path.name: path.read_text(encoding="utf-8") for path in sorted(golden.iterdir())}
    assert made == expected


@pytest.mark.parametrize("layout", NAMES)
def test_a_layout_has_no_errors(planned: Callable[[str], Path], layout: str) -> None:
    findings = json.loads((planned(layout) / "findings.json").read_text(encoding="utf-8"))
    assert [finding for finding in findings if finding["severity"] == "error"] == []


def test_every_layout_has_a_golden_plan_and_the_other_way_round() -> None:
    assert sorted(path.name for path in HERE.iterdir() if path.is_dir() and path.name != "__pycache__") == NAMES
