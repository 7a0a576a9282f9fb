"""Golden errors: the 248-GPU pod with one change each, and every word of what is said about it.

A case names what to replace and what to add, and the line (by a piece of its text) and rule of its one error. The text
beside it is renewed by `--update-golden`; read the diff then, since an update takes the code to be right.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from planner.findings import Finding, as_text
from planner.pipeline import Compiled, compile_project
from planner.plan import EndTable
from tests.support.projects import TEST_CATALOG, changed, errors, project_text, write_project

HERE: Final = Path(__file__).parent
CASES: Final = sorted(HERE.glob("*.yaml"))
LAYOUT: Final = "superpod-h100-1su"


def spelled(finding: Finding) -> str:
    """A finding with what `as_text` leaves to the other forms."""
    more = [f"  code: {finding.code}"] if finding.code else []
    more.append(f"  count: {finding.count}")
    if finding.objects:
        more.append(f"  objects: {'; '.join(finding.objects[:6])}{' ...' if len(finding.objects) > 6 else ''}")
    return "\n".join([as_text(finding), *more]) + "\n"


def compile_case(case: dict[str, Any], folder: Path) -> tuple[str, Compiled]:
    text = changed(project_text(LAYOUT), *((old, new) for old, new in case.get("change", ()))) + case.get("add", "")
    files = {f"parts/{name}": (TEST_CATALOG / name).read_text(encoding="utf-8") for name in case.get("parts", ())}
    return text, compile_project(write_project(folder, text, files))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_golden_error(path: Path, tmp_path: Path, update_golden: bool) -> None:
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    expect = case["expect"]
    text, result = compile_case(case, tmp_path)
    found = errors(result)
    assert [finding.rule for finding in found] == [expect["rule"]] * expect.get("count", 1)
    line = 1 + next(number for number, line in enumerate(text.splitlines()) if expect["at"] in line)
    assert {finding.at and (finding.at.file, finding.at.line) for finding in found} == {("project.yaml", line)}
    assert found[0].code == expect.get("code", "")
    for name in expect.get("names", ()):
        assert name in found[0].message + found[0].note
    golden = path.with_suffix(".txt")
    told = "\n".join(spelled(finding) for finding in found)
    if update_golden:
        golden.write_text(told, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == told


def test_the_pod_has_no_errors(tmp_path: Path) -> None:
    _, result = compile_case({}, tmp_path)
    assert errors(result) == []


def test_no_golden_text_without_its_case() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} == {path.stem for path in CASES}


def test_a_splitter_pinned_beside_a_straight_cord_stays_chosen(tmp_path: Path) -> None:
    """The pin is the user's word: the link is resolved, and the unused leg has a label of its own."""
    case = yaml.safe_load((HERE / "splitter-beside-straight.yaml").read_text(encoding="utf-8"))
    _, result = compile_case(case, tmp_path)
    assert result.stages is not None
    assert result.plan is not None
    subject = result.stages.subject
    row = subject.link_names.index("ufm-1:ib0--leaf-1:16/2")
    option = subject.selection.option_of(row)
    assert option is not None
    assert option.cable.id == "mfp7e20"
    assert int((subject.selection.offer < 0).sum()) == 0
    ends = result.plan.ends
    cable = int(
        ends.cable[next(n for n in range(len(ends)) if ends.port[n] == "ib0" and _device(result, ends, n) == "ufm-1")]
    )
    legs = [(ends.end[n], _device(result, ends, n), ends.port[n]) for n in range(len(ends)) if ends.cable[n] == cable]
    assert sorted(legs) == [("a", "leaf-1", "16/2"), ("z1", "ufm-1", "ib0"), ("z2", "", "")]


def _device(result: Compiled, ends: EndTable, row: int) -> str:
    assert result.plan is not None
    number = int(ends.device[row])
    return "" if number < 0 else result.plan.devices[number].name


def test_copper_of_just_the_length_passes(tmp_path: Path) -> None:
    """1.650 m + 2 x 150 mm + 3 % (49.5 mm, up to 50) = 2.000 m."""
    case = yaml.safe_load((HERE / "copper-a-millimetre-short.yaml").read_text(encoding="utf-8"))
    _, result = compile_case({**case, "add": case["add"].replace("1.651", "1.650")}, tmp_path)
    assert errors(result) == []
    assert result.stages is not None
    subject = result.stages.subject
    rows = [row for row, name in enumerate(subject.link_names) if name.startswith("leaf-1:17/")]
    assert [int(subject.lengths.required[row]) for row in rows] == [2000, 2000]
    assert [int(subject.selection.stock_mm[row]) for row in rows] == [2000, 2000]
