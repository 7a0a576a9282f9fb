"""Four racks whose cable lengths Oracle publishes: same rack 3 m, one or two racks away 5 m, three away 10 m."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from planner.pipeline import compile_project
from planner.plan import Plan
from tests.support.projects import changed

LAYOUT = Path(__file__).parents[2] / "layouts" / "length-oracle-4rack"
PUBLISHED_MM = {0: 3_000, 1: 5_000, 2: 5_000, 3: 10_000}
"""Stock length by how many racks lie between leaf and spine: SuperCluster M8/M7 Installation Guide, Tables 35-36."""

FLOOR = ("project.yaml", "height_m: -0.33")
RACK = "parts/racks/rack-42u-bottom-exit.yaml"


@cache
def shipped() -> Plan:
    plan = compile_project(LAYOUT).plan
    assert plan is not None
    return plan


def with_figure(folder: Path, file: str, *changes: tuple[str, str]) -> Plan:
    """The plan of the layout with some text of one of its files replaced."""
    copy = folder / "layout"
    shutil.copytree(LAYOUT, copy)
    text = (copy / file).read_text(encoding="utf-8")
    (copy / file).write_text(changed(text, *changes), encoding="utf-8")
    plan = compile_project(copy).plan
    assert plan is not None
    return plan


def by_distance(plan: Plan) -> Iterator[tuple[int, int]]:
    """Racks between the ends of each link, and its stock length."""
    for link, stock in zip(plan.link_ids, plan.links.stock_mm.tolist(), strict=True):
        leaf, spine = (int(end[len("R") : end.index("-")]) for end in link.split("--"))
        yield abs(leaf - spine), stock


def agrees(plan: Plan) -> bool:
    return all(stock == PUBLISHED_MM[distance] for distance, stock in by_distance(plan))


def test_every_link_has_the_published_length() -> None:
    # Each of 8 leaves has two links to each of 4 spines; ordered pairs of racks: 4, 6, 4 and 2 by distance.
    assert Counter(by_distance(shipped())) == {(0, 3_000): 16, (1, 5_000): 24, (2, 5_000): 16, (3, 10_000): 8}
    assert [finding.message for finding in shipped().findings if finding.severity == "error"] == []


def test_ports_are_those_of_the_tables() -> None:
    """Lines of Tables 35 and 36, among them one that counts round (rack 2's third neighbour is rack 1)."""
    assert {
        "R1-U24:P8A--R1-U1:P3A", "R1-U24:P9B--R2-U1:P6A", "R1-U24:P10A--R3-U1:P7A", "R1-U24:P11B--R4-U1:P10A",
        "R1-U18:P8B--R1-U1:P4B", "R1-U18:P11A--R4-U1:P9B", "R2-U24:P11A--R1-U1:P9A", "R2-U24:P10B--R4-U1:P8A",
    } <= set(shipped().link_ids)  # fmt: skip


def test_the_longest_link_of_two_racks_by_hand() -> None:
    """R3-U24:P10B to R1-U1:P8A, copper.

    a in-rack  P10B: 32 + 10 x 22 = 252 from the left of 438, so 33 right of the middle facing the ports; height
               80 + 23 x 44.45 + 13 = 1115.35. 100 out + 270 - 33 = 237 across + |1050 - 990| = 60 in depth
               + 1115.35 down + 270 - 25 = 245 to the opening                                     1757.35 -> 1757
    a rise     330 down                                                                                       330
    pathway    Facing the ports, rack 1 is on the left: P10B leaves by the right half of rack 3's opening, P8A by the
               left half of rack 1's. 2 x 600 + 2 x 25                                                        1250
    z rise     as a                                                                                           330
    z in-rack  P8A: 32 + 8 x 22 = 208, 11 left of the middle; height 80 + 31 = 111.
               100 + 259 + 60 + 111 + 245                                                                     775
    routed     1757 + 330 + 1250 + 330 + 775 = 4442
    slack      300 + 133.26 -> 434;  required 4876;  stock 5000
    """
    plan = shipped()
    row = plan.link_ids.index("R3-U24:P10B--R1-U1:P8A")
    names = ("a_in_rack", "a_rise", "pathway", "z_rise", "z_in_rack", "routed", "slack", "required", "stock")
    found = tuple(int(getattr(plan.links, f"{name}_mm")[row]) for name in names)
    assert found == (1757, 330, 1250, 330, 775, 4442, 434, 4876, 5000)
    assert max(plan.links.required_mm[plan.links.stock_mm == 5_000].tolist()) == 4876


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [(*FLOOR, "height_m: -0.28"), (*FLOOR, "height_m: -0.39"), (RACK, "width_mm: 600", "width_mm: 567")],
)
def test_the_figures_have_the_room_that_the_readme_says(tmp_path: Path, file: str, old: str, new: str) -> None:
    assert agrees(with_figure(tmp_path, file, (old, new)))


@pytest.mark.parametrize(
    ("file", "old", "new", "distance", "stock"),
    [
        pytest.param(*FLOOR, "height_m: -0.63", 2, 10_000, id="a floor 300 mm deeper"),
        pytest.param(*FLOOR, "height_m: -0.391", 2, 10_000, id="a floor 61 mm deeper"),
        pytest.param(*FLOOR, "height_m: -0.279", 3, 5_000, id="a floor 51 mm shallower"),
        pytest.param("project.yaml", ", entry: end", "", 2, 10_000, id="over the side wall"),
        pytest.param(RACK, "width_mm: 600", "width_mm: 566", 3, 5_000, id="narrower racks"),
    ],
)
def test_figures_that_break_it(tmp_path: Path, file: str, old: str, new: str, distance: int, stock: int) -> None:
    plan = with_figure(tmp_path, file, (old, new))
    assert (distance, stock) in set(by_distance(plan))
    assert not agrees(plan)
