"""What stands in the rear of shipped racks, and what it leaves of the managers' section."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner.catalog.load import Catalog
from planner.rear_zone import taken_um2
from tests.support.projects import compiled, errors

MM2 = 1_000_000
"""um2 of a mm2."""


@pytest.mark.parametrize(
    ("rack", "kinds", "taken_mm2"),
    [
        ("rack-48u-800x1200", [], 0),
        ("rack-48u-800x1200-pdu", ["pdu", "pdu"], 0),  # inward of the managers
        # A manager reaches from 270 to 390 mm off the middle and from 975 to 1125 mm deep; a manifold from 330 to 390 and
        # from 1050 to 1125: 60 x 75 = 4500 of 120 x 150 = 18000 mm2.
        ("rack-48u-800x1200-liquid", ["manifold", "manifold", "pdu", "pdu"], 4500),
        ("rack-orv3-44ou", ["busbar"], 0),  # cables are at its front
    ],
)
def test_section_that_the_rear_zone_takes(catalog: Catalog, rack: str, kinds: list[str], taken_mm2: int) -> None:
    kind = catalog.racks[rack]
    assert [thing.kind for thing in kind.rear_zone] == kinds
    for manager in kind.managers:
        assert sum(taken_um2(thing, manager) for thing in kind.rear_zone) == taken_mm2 * MM2


PROJECT = """\
format: planner/1
name: rear
room: {outline_m: [[0, 0], [7, 0], [7, 5], [0, 5]], ceiling_m: 3.5}
racks:
  - {row: A, names: A01, type: rack-48u-800x1200-pdu, at_m: [2, 2], along: east, front: south}
  - {row: A, names: A02, type: rack-48u-800x1200-liquid, at_m: [2.8, 2], along: east, front: south}
pathways:
  - {name: tray, type: basket-300x100, path_m: [[2.0, 2.6], [3.6, 2.6]], height_m: 2.7}
devices:
  - {names: leaf-1, model: qm9700, rack: A01, u: 40, mount: rear}
  - {names: "dgx-[1-2]", model: dgx-h100, racks: [A01, A02], u: 3}
fabrics:
  - name: compute
    protocol: infiniband
    rate: ndr
    links:
      - {a: "dgx-1:OSFP4P2", z: "leaf-1:1/1", tier: node-leaf}
      - {a: "dgx-2:OSFP4P2", z: "leaf-1:1/2", tier: node-leaf}
"""


def test_racks_with_a_rear_zone_are_planned(tmp_path: Path) -> None:
    assert [finding.message for finding in errors(compiled(tmp_path, PROJECT))] == []
