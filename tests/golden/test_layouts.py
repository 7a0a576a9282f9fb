"""Golden plans: what each shipped layout gives, as text that a person has read. `--update-golden` renews it."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner.pipeline import compile_project
from planner.plan import Plan
from planner.write.documents import write_documents

HERE = Path(__file__).parent
LAYOUTS = HERE.parents[1] / "layouts"
NAMES = sorted(path.parent.name for path in LAYOUTS.glob("*/project.yaml"))
KINDS = frozenset({"links", "cables", "plugs", "labels", "findings", "summary"})


@pytest.fixture(scope="module", params=NAMES)
def layout(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def plan(layout: str) -> Plan:
    made = compile_project(LAYOUTS / layout).plan
    assert made is not None
    return made


def test_a_layout_gives_its_golden_plan(layout: str, plan: Plan, tmp_path: Path, update_golden: bool) -> None:
    write_documents(plan, tmp_path, KINDS)
    golden = HERE / layout
    texts = (path for path in sorted(tmp_path.iterdir()) if path.suffix != ".pdf")
    made = {path.name: path.read_text(encoding="utf-8") for path in texts}
    if update_golden:
        golden.mkdir(exist_ok=True)
        for name, text in made.items():
            (golden / name).write_text(text, encoding="utf-8", newline="\n")
    expected = {path.name: path.read_text(encoding="utf-8") for path in sorted(golden.iterdir())}
    assert made == expected


def test_a_layout_has_no_errors(plan: Plan) -> None:
    assert [finding for finding in plan.findings if finding.severity == "error"] == []


def test_every_layout_has_a_golden_plan_and_the_other_way_round() -> None:
    assert sorted(path.name for path in HERE.iterdir() if path.is_dir() and path.name != "__pycache__") == NAMES
