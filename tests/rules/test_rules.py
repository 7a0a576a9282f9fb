"""Every rule finds what its cases say, at their lines and nothing else, and has a page that explains it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from planner.channel.cases import read_cases
from planner.findings import Finding, Severity
from planner.pipeline import compile_project
from planner.rules import FAMILIES, RETIRED, RULES, Rule, in_order
from planner.selection import settle
from planner.selection.group import Group, Solved, solve
from tests.support.projects import changed, compiled, copied_case, expected_marks, marks

HERE: Final = Path(__file__).parent
CASES: Final = sorted(path for folder in HERE.glob("[A-Z]*[0-9]") for path in folder.iterdir())
HEADINGS: Final = ("Why", "Example", "Fix", "Source")

FAMILIES_OF_DESIGN: Final = tuple(re.findall(r"\w+", "INP LAY DEV TOP RTE LEN FIL PRT MED POL LOS CAT BOM IMP VER"))

WITHOUT_CASES: Final = {
    ("INP016", "pass"): "a channel file is not a project: test_a_channel_file_at_fault",
    ("INP016", "fail"): "a channel file is not a project: test_a_channel_file_at_fault",
    **{
        (f"IMP00{number}", kind): "a list of prices is not a project: tests/importers/test_prices.py"
        for number in range(1, 6)
        for kind in ("pass", "fail")
    },
    ("MED004", "fail"): "no small project is tangled enough: test_a_choice_that_is_not_proven",
}
"""Rules that no project file can show, with the reason and the test that shows them instead."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.stem}")
def test_case(case: Path, tmp_path: Path) -> None:
    rule = case.parent.name
    expected = expected_marks(case)
    result = compile_project(copied_case(case, tmp_path))
    assert marks(result, rule) == expected
    assert wording_faults(result.findings) == []
    own = [found for found, _ in expected if found == rule]
    assert bool(own) == case.name.startswith("fail-"), "a fail case lists its own rule, a pass case does not"


@pytest.mark.parametrize("kind", ["pass", "fail"])
@pytest.mark.parametrize("rule", sorted(RULES))
def test_every_rule_has_cases_of_both_kinds(rule: str, kind: str) -> None:
    found = any(case.parent.name == rule and case.name.startswith(f"{kind}-") for case in CASES)
    assert found != ((rule, kind) in WITHOUT_CASES)


def test_cases_are_of_rules() -> None:
    assert {case.parent.name for case in CASES} <= RULES.keys()
    assert [case.name for case in CASES if not re.fullmatch(r"(pass|fail)-[a-z0-9-]+(\.yaml)?", case.name)] == []


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_page(rule: Rule) -> None:
    first, *rest = rule.page.split("\n")
    assert first.endswith(".")
    assert rest[0] == ""
    assert [line.split(":")[0] for line in rest if re.match(r"[A-Z][a-z]+: ", line)] == list(HEADINGS)
    for heading in HEADINGS:
        assert re.search(rf"^{heading}: \S", rule.page, re.MULTILINE)


def test_ids_and_names() -> None:
    assert all(re.fullmatch(r"[A-Z]{3}\d{3}", id_) for id_ in RULES)
    assert {id_[:3] for id_ in RULES} <= set(FAMILIES_OF_DESIGN)
    assert not RULES.keys() & RETIRED
    names = [rule.name for rule in RULES.values()]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", name) for name in names)


def test_rules_in_order_are_all_rules_family_by_family() -> None:
    order = in_order()
    assert sorted(rule.id for rule in order) == sorted(RULES)
    families = list(dict.fromkeys(rule.id[:3] for rule in order))
    assert families == [family for family in FAMILIES_OF_DESIGN if family in families]
    assert len(families) == len(FAMILIES)


def wording_faults(findings: Iterable[Finding]) -> list[str]:
    """Where findings are not in the tone of the house: lower case, no final stop, no Python, and what to do."""
    wrong = []
    for finding in findings:
        for text in (finding.message, finding.note, finding.help):
            if re.match(r"[A-Z][a-z]+ ", text) or text.endswith(".") or text != text.strip():
                wrong.append(text)
            if re.search(r"\bNone\b|\[\]|\{\}|\['|<class", text) or text.count("`") % 2:
                wrong.append(text)
        if not finding.message or (finding.severity is not Severity.INFO and not finding.help):
            wrong.append(f"{finding.rule} does not say what to do: {finding.message}")
    return wrong


def test_a_channel_file_at_fault() -> None:
    _, faults = read_cases({"cases": [{"id": "direct", "lenght": "3"}]})
    assert {fault.rule for fault in faults} == {"channel-file-fault"}


CHOICES: Final = '{media: {order: [optic]}, choices: [{links: "host-1:*", media: [dac, optic]}]}'


def test_a_choice_that_is_not_proven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cage whose links are of two kinds and might share a splitter, as if the search had stopped before the end."""

    def stopped(group: Group) -> Solved:
        found = solve(group)
        return replace(found, bound=replace(found.value, stock_mm=found.value.stock_mm - 1000), proven=False)

    monkeypatch.setattr(settle, "solve", stopped)
    text = (HERE / "MED004" / "pass-small.yaml").read_text(encoding="utf-8")
    assert marks(compiled(tmp_path / "free", text), "MED004") == []
    together = ('racks: "A[01-02]", u: 10', "rack: A01, u: [10, 14]")
    mixed = changed(text, ("{media: {order: [optic]}}", CHOICES), together)
    result = compiled(tmp_path / "tangled", mixed)
    assert ("MED004", "17") in marks(result, "MED004")
    (told,) = (finding for finding in result.findings if finding.rule == "MED004")
    assert told.note == "than the best that can be, at most: it takes 1.000 m more of stock lengths"
