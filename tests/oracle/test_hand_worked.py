"""One link of each kind followed on paper, term by term, and copper in the pod counted out by hand.

Figures are read from the catalog files by eye. Common to all, in mm: rack 600 wide, managers 270 to either side of its
middle and 1050 deep, exits above them at 2258; U1 at 80, 44.45 a unit; rails 150 and 890 deep. QM9700: 438 wide, cages
in columns of two, column c (from 0) at 49.5 + 22.6 c from the left, upper row at 29.3, lower at 14.3; odd cages above.
MPO stands out by 80, copper OSFP by 100. Side wall of the basket 100. Slack: fibre 2 x 300 + 5 %, copper 2 x 150 + 3 %.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import ceil, floor
from pathlib import Path

import pytest

from planner.pipeline import compile_project
from planner.plan import Plan

LAYOUTS = Path(__file__).resolve().parents[2] / "layouts"
TERMS = ("a_in_rack", "a_rise", "pathway", "z_rise", "z_in_rack", "slack", "required", "stock")


@cache
def plan_of(layout: str) -> Plan:
    plan = compile_project(LAYOUTS / layout).plan
    assert plan is not None
    return plan


def terms(layout: str, link: str) -> tuple[int, ...]:
    plan = plan_of(layout)
    row = plan.link_ids.index(link)
    return tuple(int(getattr(plan.links, f"{term}_mm")[row]) for term in TERMS)


def test_a_node_to_a_leaf_across_racks() -> None:
    """dgx-001:OSFP4P2 in A01 (U3, front-mounted) to leaf-1:1/1 in A05 (U20, rear-mounted); straight MPO cord.

    a in-rack  The cages' places are unknown: middle of the face, half of 8 U up. Face at 150 + 897.1 = 1047.1 deep,
               plug's end at 1127.1. Height 80 + 2 x 44.45 + 4 x 44.45 = 346.7.
               80 out + 270 across + |1050 - 1127.1| = 77.1 in depth + 2258 - 346.7 = 1911.3 up     2338.4 -> 2338
    a rise     Drop at y = 2000 + 1050 = 3050, basket fibre-A at y = 2900, 2600 high.
               150 aside + 342 up + 2 x 100 side wall                                                         692
    pathway    OSFP4 is in the right half facing the rear, which is west: x = 1800 + 300 - 270 = 1830.
               Cage 1 is on the left facing the rear, which is east: x = 1800 + 4 x 600 + 300 + 270 = 4770.  2940
    z rise     as a                                                                                           692
    z in-rack  Cage 1 (column 0, upper): 49.5 - 219 = 169.5 left of the middle; height 80 + 19 x 44.45 + 29.3 = 953.85.
               80 out + 270 - 169.5 = 100.5 across + |1050 - 970| = 80 in depth + 1304.15 up        1564.65 -> 1565
    routed     2338 + 692 + 2940 + 692 + 1565 = 8227
    slack      600 + 411.35 = 1011.35 -> 1012;  required 9239;  stock 10000
    """
    found = terms("superpod-h100-1su", "dgx-001:OSFP4P2--leaf-1:1/1")
    assert found == (2338, 692, 2940, 692, 1565, 1012, 9239, 10000)


def test_a_leaf_to_a_spine_on_one_side_of_their_rack() -> None:
    """leaf-5:17/1 (U28) to spine-1:17/1 (U38): leaf 5's first uplink is port 33, it meets spine port 8 x 4 + 1 = 33.

    Cage 17 (column 8, upper): 49.5 + 8 x 22.6 - 219 = 11.3 right of the middle, both. Facing the rear, one manager.
    a in-rack  Heights 80 + 27 x 44.45 + 29.3 = 1309.45 and 80 + 37 x 44.45 + 29.3 = 1753.95.
               80 + 258.7 across + 80 in depth + 444.5 along the manager                              863.2 -> 863
    z in-rack  80 + 258.7 + 80                                                                        418.7 -> 419
    routed     1282;  slack 600 + 64.1 -> 665;  required 1947;  stock 3000
    """
    found = terms("superpod-h100-1su", "leaf-5:17/1--spine-1:17/1")
    assert found == (863, 0, 0, 0, 419, 665, 1947, 3000)


def test_a_leaf_to_a_spine_on_opposite_sides_crosses_at_the_exit() -> None:
    """leaf-1:17/1 (U20, right) to spine-1:1/1 (U38, left): up to the exits at 2258, 540 across, and down.

    a in-rack  80 + 258.7 + 80 = 418.7 out; 2258 - (80 + 19 x 44.45 + 29.3) = 1304.15 up; 540 across   2262.85 -> 2263
    z in-rack  2258 - (80 + 37 x 44.45 + 29.3) = 504.05 down; 80 + (270 - 169.5) + 80 = 260.5 out       764.55 -> 765
    routed     3028;  slack 600 + 151.4 -> 752;  required 3780;  stock 5000
    """
    found = terms("superpod-h100-1su", "leaf-1:17/1--spine-1:1/1")
    assert found == (2263, 0, 0, 0, 765, 752, 3780, 5000)


def test_ufm_to_a_leaf() -> None:
    """ufm-1:ib0 (U10, front-mounted, 800 deep) to leaf-1:16/2 (U20): both on the left facing the rear.

    a in-rack  Face at 150 + 800 = 950, plug's end at 1030; middle of the face, half a unit up:
               height 80 + 9 x 44.45 + 22.225 = 502.275. Cage 16 (column 7, lower): 80 + 19 x 44.45 + 14.3 = 938.85.
               80 + 270 across + 20 in depth + 436.575 along                                         806.575 -> 807
    z in-rack  49.5 + 7 x 22.6 - 219 = 11.3 left of the middle: 80 + 258.7 + 80                         418.7 -> 419
    routed     1226;  slack 600 + 61.3 -> 662;  required 1888;  stock 3000
    """
    found = terms("superpod-h100-1su", "ufm-1:ib0--leaf-1:16/2")
    assert found == (807, 0, 0, 0, 419, 662, 1888, 3000)


@pytest.mark.parametrize("half", [1, 2])
def test_the_copper_cable_of_two_racks(half: int) -> None:
    """leaf-1:17/h (U44, right) to spine-1:1/h (U46, left) by twin DAC: both halves of a cage by one cable.

    Copper stands out by 100, to 990 deep, and the manager is 60 further.
    a in-rack  100 + 258.7 + 60 = 418.7 out; 2258 - (80 + 43 x 44.45 + 29.3) = 237.35 up; 540 across   1196.05 -> 1196
    z in-rack  2258 - (80 + 45 x 44.45 + 29.3) = 148.45 down; 100 + 100.5 + 60 = 260.5 out              408.95 -> 409
    routed     1605;  slack 300 + 48.15 -> 349;  required 1954;  stock 2000
    """
    assert terms("two-racks", f"leaf-1:17/{half}--spine-1:1/{half}") == (1196, 0, 0, 0, 409, 349, 1954, 2000)
    plan = plan_of("two-racks")
    rows = [plan.link_ids.index(f"leaf-1:17/{h}--spine-1:1/{h}") for h in (1, 2)]
    assert {plan.links.medium[row] for row in rows} == {"dac"}
    assert len({int(plan.links.cable[row]) for row in rows}) == 1


# --- copper in the pod ----------------------------------------------------------------------------------------------

DAC_MM, ACC_MM = (500, 1000, 1500, 2000), (3000, 4000, 5000)  # MCP4Y10 and MCA4J80, both within reach
LEAF_U, SPINE_U = (20, 22, 24, 26, 28, 30, 32, 34), (38, 40, 42, 44)


def _cage(u: int, cage: int) -> tuple[bool, int, int]:
    """Whether on the left; 100ths of a mm from the plug's way out to the manager's column; height."""
    column, lower = divmod(cage - 1, 2)
    from_middle = 4950 + 2260 * column - 21900
    return from_middle < 0, 10000 + 27000 - abs(from_middle) + 6000, 8000 + 4445 * (u - 1) + (1430 if lower else 2930)


def _mm(hundredths: int) -> int:
    return floor(hundredths / 100 + 0.5)


def _required_copper(leaf: int, leaf_cage: int, spine: int, spine_cage: int) -> int:
    a_left, a_out, a_z = _cage(LEAF_U[leaf - 1], leaf_cage)
    z_left, z_out, z_z = _cage(SPINE_U[spine - 1], spine_cage)
    if a_left == z_left:
        routed = _mm(a_out + abs(a_z - z_z)) + _mm(z_out)
    else:
        routed = _mm(a_out + 225800 - a_z + 54000) + _mm(225800 - z_z + z_out)
    return routed + ceil(300 + 3 * routed / 100)


def test_copper_in_the_pod_stands_exactly_where_its_lengths_allow(tmp_path: Path) -> None:
    text = (LAYOUTS / "superpod-h100-1su" / "project.yaml").read_text(encoding="utf-8")
    assert text.count("order: [optic]") == 1
    changed = text.replace("order: [optic]", "order: [dac, acc, aec, aoc, optic]")
    (tmp_path / "project.yaml").write_text(changed, encoding="utf-8")
    plan = compile_project(tmp_path).plan
    assert plan is not None
    media = plan.links.medium.tolist()
    tiers = plan.links.tier.tolist()
    # A DGX cage feeds two leaves, and a leaf's cage two nodes: no twin cable serves it.
    assert {medium for medium, tier in zip(media, tiers, strict=True) if tier != "leaf-spine"} == {"optic"}
    row_of = {name: row for row, name in enumerate(plan.link_ids)}
    cables: Counter[int] = Counter()
    wanted: Counter[str] = Counter()
    for leaf in range(1, 9):
        for spine in range(1, 5):
            for i in range(4):  # 8 links a pair fill 4 cages at either end
                leaf_cage, spine_cage = 17 + 4 * (spine - 1) + i, 4 * (leaf - 1) + 1 + i
                required = _required_copper(leaf, leaf_cage, spine, spine_cage)
                medium = "dac" if required <= DAC_MM[-1] else "acc" if required <= ACC_MM[-1] else "optic"
                rows = [row_of[f"leaf-{leaf}:{leaf_cage}/{h}--spine-{spine}:{spine_cage}/{h}"] for h in (1, 2)]
                wanted[medium] += 2
                assert [media[row] for row in rows] == [medium, medium]
                if medium != "optic":
                    stock = next(mm for mm in (DAC_MM if medium == "dac" else ACC_MM) if mm >= required)
                    assert [int(plan.links.required_mm[row]) for row in rows] == [required, required]
                    assert [int(plan.links.stock_mm[row]) for row in rows] == [stock, stock]
                    assert plan.links.cable[rows[0]] == plan.links.cable[rows[1]]
                cables.update(int(plan.links.cable[row]) for row in rows)
    assert wanted["dac"] > 0
    assert wanted["acc"] > 0
    assert set(cables.values()) <= ({1, 2} if wanted["optic"] else {2})
    assert len(cables) == (wanted["dac"] + wanted["acc"]) // 2 + wanted["optic"]
