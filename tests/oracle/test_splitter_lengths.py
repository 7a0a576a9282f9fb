"""Lengths of splitters worked by hand, term by term, against what `planner explain` prints.

The room of the groups by hand: racks A01 to A09 of 600 x 1200 mm side by side, managers 270 mm either side of the middle and 1050 mm
deep, exits 2258 mm high above them, a tray at 2600 mm with side walls of 100 mm, 50 mm beside the exits. No slack.

leaf-1 in U32 of A01, its ports at the rear rail (890 mm deep): underside 80 + 31 x 44.45 = 1457.95; cage 1 is 29.3 above it and
169.5 left of the middle: 1487.25 high. host-N in U10 of rack N + 1: underside 80 + 9 x 44.45 = 480.05, the port half of 2U above:
524.5 high, 800 mm behind the front rail (150 mm): 950 deep, in the middle. peer-N in U14, 4 x 44.45 = 177.8 higher: 702.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from planner import pipeline
from planner.cli.explained import link_record
from planner.explain.answers import LinkExplained, explain
from planner.pipeline import compile_project
from planner.plan import Plan
from tests.selection.test_groups_by_hand import written
from tests.support.projects import small_catalog


@pytest.fixture(scope="module", autouse=True)
def _small_catalog() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "catalogs_folder", small_catalog)
        yield


def planned(folder: Path, case: dict[str, Any]) -> Plan:
    plan = compile_project(written(case, folder)).plan
    assert plan is not None
    return plan


def printed(plan: Plan, link: str) -> tuple[dict[str, int], int, str, int]:
    """Terms, required length, the cable and its length as `explain --format json` has them."""
    found = explain(plan, link)
    assert isinstance(found, LinkExplained)
    record = link_record(plan, found)
    terms = {name: mm for name, mm in record["terms_mm"].items() if mm}
    return terms, record["required_mm"], record["chosen"]["cable"], record["stock_mm"]


def test_a_copper_splitter_to_two_hosts_in_the_leafs_rack(tmp_path: Path) -> None:
    """Standoff of OSFP copper 100. Out of the leaf 100, 1050 - 890 - 100 = 60 deep, 270 - 169.5 = 100.5 across: 260.5, rounded 261.

    host-0: 100 out, 1050 - 950 - 100 = 0 deep, 270 across, 1487.25 - 524.5 = 962.75 up: 1332.75, rounded 1333; with the leaf's 1594.
    peer-0: 370 + 784.95 = 1154.95, rounded 1155; with the leaf's 1416.
    Half of a 2 m cable is trunk. Both legs run down together for 784.95 from the leaf's height, 1045 from the head, so that no trunk
    is left to coil: 2 m cover both, 1.5 m do not cover 1594.
    """
    links = [{"link": "host-0:P1--leaf-1:1/1"}, {"link": "peer-0:P1--leaf-1:1/2"}]
    plan = planned(tmp_path, {"policy": {"media": {"order": ["dac"]}}, "links": links})
    assert printed(plan, "host-0:P1--leaf-1:1/1") == (
        {"a_in_rack": 1333, "z_in_rack": 261}, 1594, "MCP7Y00-N002", 2000,
    )  # fmt: skip
    assert printed(plan, "peer-0:P1--leaf-1:1/2") == (
        {"a_in_rack": 1155, "z_in_rack": 261}, 1416, "MCP7Y00-N002", 2000,
    )  # fmt: skip
    assert len(plan.cables) == 1


def test_fibre_splitter_legs_in_three_racks(tmp_path: Path) -> None:
    """Standoff of MPO 80. Host: 80 out, 270 across, 1050 - 950 - 80 = 20 deep, 2258 - 524.5 = 1733.5 up: 2103.5, rounded 2104.

    Rise at either end: 50 aside, 2600 - 2258 = 342 up, twice the side wall 200: 592. Tray: 600 to A02, 1200 to A03, 1800 to A04.
    Leaf: 80 out, 100.5 across, 1050 - 890 - 80 = 80 deep, 2258 - 1487.25 = 770.75 along: 1031.25, rounded 1031.
    Together 4319 and the tray: 4919, 5519, 6119.

    host-1 and host-2 share a cord. Their ways part at A02, 1031 + 592 + 600 = 2223 from the head. Of 5 m half is trunk, 2500 - 2223 = 277
    coil there and 4723 are left, less than 4919. Of 10 m 5000 - 2223 = 2777 coil, and 7223 are enough. host-3 has a cord of its own, whose
    other leg is unused.
    """
    ports = {"host-1": "1/1/1", "host-2": "1/1/2", "host-3": "1/2/1"}
    links = [{"link": f"{host}:P1--leaf-1:{port}"} for host, port in ports.items()]
    plan = planned(tmp_path, {"rate": "ndr200", "policy": {"media": {"order": ["optic"]}}, "links": links})
    for number, (link, required) in enumerate(zip(links, (4919, 5519, 6119), strict=True), start=1):
        terms = {"a_in_rack": 2104, "a_rise": 592, "pathway": 600 * number, "z_rise": 592, "z_in_rack": 1031}
        assert printed(plan, link["link"]) == (terms, required, "MFP7E20-N010", 10_000)
    assert len(plan.cables) == 2
