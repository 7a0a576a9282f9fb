"""A modular chassis in the bill: the chassis, its line cards, and what has no part number nowhere."""

from __future__ import annotations

import shutil
from pathlib import Path

from planner.bom.bill import bom_lines, kit_lines
from planner.plan import Plan
from planner.store.database import read_plan, write_plan
from tests.support.projects import ROOT, plan_of

CASES = ROOT / "tests" / "rules" / "CAT012"


def _plan(case: str, folder: Path) -> Plan:
    shutil.copytree(CASES / case, folder, dirs_exist_ok=True)
    return plan_of(folder)


def _hardware(plan: Plan) -> list[tuple[str, str, int]]:
    return [(line.part, line.order_number, line.qty_order) for line in bom_lines(plan) if line.category == "switch"]


def test_line_cards_are_ordered_with_each_chassis(tmp_path: Path) -> None:
    """Two racks with a chassis each: 2 x 2 line cards and 2 x 2 supervisors."""
    plan = _plan("pass-numbered", tmp_path / "one")
    assert _hardware(plan) == [("MY-CARD", "4711", 2), ("MY-CHASSIS", "", 1), ("MY-SUPERVISOR", "", 2)]
    text = (tmp_path / "one" / "project.yaml").read_text(encoding="utf-8")
    twice = text.replace(
        "names: core-1, model: my-chassis, rack: A01", 'names: "core-[1-2]", model: my-chassis, racks: "A[01-02]"'
    )
    shutil.copytree(tmp_path / "one" / "parts", tmp_path / "two" / "parts")
    (tmp_path / "two" / "project.yaml").write_text(twice, encoding="utf-8")
    both = plan_of(tmp_path / "two")
    assert _hardware(both) == [("MY-CARD", "4711", 4), ("MY-CHASSIS", "", 2), ("MY-SUPERVISOR", "", 4)]
    kits = [(kit.rack, kit.part.part, kit.quantity) for kit in kit_lines(both) if kit.part.category == "switch"]
    assert kits == [(rack, part, pieces) for rack in ("A01", "A02")
                    for part, pieces in (("MY-CARD", 2), ("MY-CHASSIS", 1), ("MY-SUPERVISOR", 2))]  # fmt: skip


def test_a_component_without_a_number_is_in_no_bill_and_the_plan_says_so(tmp_path: Path) -> None:
    plan = _plan("fail-supervisor", tmp_path)
    assert _hardware(plan) == [("MY-CARD", "4711", 2), ("MY-CHASSIS", "", 1)]
    told = [finding for finding in plan.findings if finding.rule == "CAT012"]
    assert [finding.message for finding in told] == [
        "the bill lacks what is ordered with each `my-chassis`: 2 x supervisor"
    ]


def test_components_are_kept_in_the_plan(tmp_path: Path) -> None:
    plan = _plan("pass-numbered", tmp_path)
    write_plan(plan, tmp_path / "plan.db")
    assert read_plan(tmp_path / "plan.db").components == plan.components
    assert [(plan.parts[row.part].part, row.pieces) for row in plan.components] == [
        ("MY-CARD", 2),
        ("MY-SUPERVISOR", 2),
    ]
