"""The 248-GPU pod: the counts that its design demands, and those of its variants."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from planner.bom.bill import summary_of
from planner.pipeline import Compiled, compile_project
from planner.plan import Plan

POD = Path(__file__).parents[2] / "layouts" / "superpod-h100-1su" / "project.yaml"
WIDE = (
    '  - {row: A, names: "A[01-09]", type: rack-48u-600x1200, at_m: [1.8, 2.0], along: east, front: south}',
    """  - {row: A, names: "A[01-04]", type: rack-48u-600x1200, at_m: [1.8, 2.0], along: east, front: south}
  - {row: A, names: A05, type: rack-48u-800x1200, at_m: [4.2, 2.0], along: east, front: south}
  - {row: A, names: "A[06-09]", type: rack-48u-600x1200, at_m: [5.0, 2.0], along: east, front: south}""",
)
"""The switch rack with managers of 120 x 150 mm, and the racks east of it 0.2 m further."""
COPPER = ("{order: [optic]}", "{order: [dac, acc, aec, aoc, optic]}")
UFM = '      ufm: "ufm-[1-2]"        # takes port 32 of the first four leaves, which the missing node leaves free\n'


def compiled(tmp_path: Path, *changes: tuple[str, str]) -> Compiled:
    text = POD.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    (tmp_path / "project.yaml").write_text(text, encoding="utf-8")
    return compile_project(tmp_path)


def plan_of(made: Compiled) -> Plan:
    assert made.plan is not None
    assert [finding.message for finding in made.findings if finding.severity == "error"] == []
    return made.plan


def families(plan: Plan) -> Counter[str]:
    installed = Counter(plan.parts[part].family for part in plan.cables.part.tolist())
    installed.update(
        plan.parts[part].family for part in plan.plugs.part.tolist() if plan.parts[part].category == "transceiver"
    )
    return installed


def test_links_and_parts_as_published(tmp_path: Path) -> None:
    plan = plan_of(compiled(tmp_path))
    summary = summary_of(plan)
    # 31 nodes x 8 rails; 8 leaves x 4 spines x 8 links a pair; 2 UFM x 2 ports.
    assert summary["links"]["by_tier"] == {"compute/leaf-spine": 256, "compute/node-leaf": 248, "compute/ufm-leaf": 4}
    assert (summary["links"]["unresolved"], summary["findings"]["error"]) == (0, 0)
    assert families(plan) == {
        "mma4z00-ns-flt": 124,  # 31 nodes x 4 cages
        "mma4z00-ns": 384,  # 12 switches x 32 cages, every one in use
        "mma4z00-ns400": 4,  # 2 UFM x 2 ports
        "mfp7e10": 508,  # a straight cord a link, no splitter
    }
    by_one_link = [free for free in plan.plugs.free_halves.tolist() if free]
    assert by_one_link == [1, 1, 1, 1]  # cage 16 of leaves 5 to 8: node 31 without a node 32


@pytest.mark.parametrize(("fill", "finned"), [(False, 352), (True, 384)])
def test_24_nodes_without_ufm(tmp_path: Path, fill: bool, finned: int) -> None:
    changes = [('"dgx-[001-031]"', '"dgx-[001-024]"'), (UFM, "")]
    if fill:
        changes.append(("policy:\n", "policy:\n  fill_all_cages: true\n"))
    plan = plan_of(compiled(tmp_path, *changes))
    # 8 leaves x (12 cages of nodes + 16 of spines) + 4 spines x 32 = 352; filled, 12 switches x 32 = 384.
    assert families(plan)["mma4z00-ns"] == finned


def test_two_units(tmp_path: Path) -> None:
    """63 nodes, 16 leaves, 8 spines: 4 links a pair, and UFM in the unit that has 31 nodes."""
    plan = plan_of(
        compiled(
            tmp_path,
            ('"dgx-[001-031]", model: dgx-h100, racks: ["A[01-04]", "A[06-09]"]',
             '"dgx-[001-063]", model: dgx-h100, racks: ["A[01-04]", "A[06-17]"]'),
            ('nodes: "dgx-[001-031]"', 'nodes: "dgx-[001-063]"'),
            ('"leaf-[1-8]"', '"leaf-[1-16]"'),
            ('"spine-[1-4]"', '"spine-[1-8]"'),
            ("u: [20, 22, 24, 26, 28, 30, 32, 34]", "u: [14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29]"),
            ("u: [38, 40, 42, 44]", "u: [32, 33, 34, 35, 36, 37, 38, 39]"),
            WIDE,
            ('"A[06-09]", type', '"A[06-17]", type'),
            ("[[0, 0], [9, 0], [9, 6], [0, 6]]", "[[0, 0], [14, 0], [14, 6], [0, 6]]"),
            ("[7.2, 2.9]", "[12, 2.9]"),
            ("[7.2, 3.3]", "[12, 3.3]"),
        )
    )  # fmt: skip
    assert Counter(plan.links.tier.tolist()) == {"node-leaf": 504, "leaf-spine": 512, "ufm-leaf": 4}
    assert families(plan) == {"mma4z00-ns-flt": 252, "mma4z00-ns": 768, "mma4z00-ns400": 4, "mfp7e10": 1020}
    ids = set(plan.link_ids)
    # w = 32 / 8 = 4: leaf 9 (l = 9) port 32 + 4(s-1) + k faces spine s port 4(l-1) + k.
    assert "leaf-9:17/1--spine-1:17/1" in ids  # k = 1: port 33 and port 33
    assert "leaf-9:18/2--spine-1:18/2" in ids  # k = 4: port 36 and port 36
    assert "ufm-1:ib0--leaf-9:16/2" in ids  # port 32 of the first leaf of the second unit, which has 31 nodes
    assert "dgx-033:OSFP4P2--leaf-9:1/1" in ids  # node 1 of unit 2, GPU 0 (rail 0), on its leaf 1, port 1


def test_copper_first_pairs_leaf_and_spine_and_leaves_the_nodes_optical(tmp_path: Path) -> None:
    plan = plan_of(compiled(tmp_path, COPPER, WIDE))
    media = Counter(zip(plan.links.tier.tolist(), plan.links.medium.tolist(), strict=True))
    assert {medium for tier, medium in media if tier == "node-leaf"} == {"optic"}
    cables = Counter(plan.links.cable[[medium in ("dac", "acc") for medium in plan.links.medium.tolist()]].tolist())
    assert set(cables.values()) == {2}  # one twin cable per two links


def test_copper_overfills_the_managers_of_the_narrow_switch_rack(tmp_path: Path) -> None:
    """60 x 120 mm on each side hold the cords of the optical pod, not 128 twin copper cables besides."""
    made = compiled(tmp_path, COPPER)
    errors = [finding for finding in made.findings if finding.severity == "error"]
    assert {finding.rule for finding in errors} == {"FIL003"}
    assert {name for finding in errors for name in finding.objects if name.startswith("A")} == {"A05"}
