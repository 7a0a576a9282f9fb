"""Pins on cables with plugs of their own: one on a link holds for all links of its cages."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner.plan import Plan
from planner.schedules import cable_rows, plug_rows
from tests.support.projects import compiled, errors

PROJECT = """
format: planner/1
name: pins
room: {outline_m: [[0, 0], [8, 0], [8, 6], [0, 6]], ceiling_m: 3.4}
racks: [{row: A, names: A01, type: rack-48u-600x1200, at_m: [2, 2], along: east, front: south}]
devices:
  - {names: "host-[1-2]", model: host-2u-connectx-7, rack: A01, u: [40, 38]}
  - {names: "sw-[1-2]", model: qm9700, rack: A01, u: [44, 42], mount: rear}
policy: {media: {order: [dac]}, stock: {pool: POOL}}
fabrics:
  - name: ib
    protocol: infiniband
    rate: ndr
    links:
      - {a: "host-1:P1", z: "sw-1:1/1", tier: host}
      - {a: "host-2:P1", z: "sw-1:1/2", tier: host}
      - {a: "sw-1:2/1", z: "sw-2:2/1", tier: isl}
      - {a: "sw-1:2/2", z: "sw-2:2/2", tier: isl}
pins: PINS
"""


def planned(folder: Path, pins: str, pool: str = "none") -> Plan:
    result = compiled(folder, PROJECT.replace("POOL", pool).replace("PINS", pins))
    assert [finding.message for finding in errors(result)] == []
    assert result.plan is not None
    return result.plan


@pytest.mark.parametrize("pool", ["none", "rack"])
@pytest.mark.parametrize(
    ("pin", "part", "ends"),
    [
        ('{links: "host-2:*", cable: MCP7Y00-N003}', "MCP7Y00-N003", "sw-1:1/1;sw-1:1/2;host-1:P1;host-2:P1"),
        ('{links: "sw-1:2/1*", cable: MCP4Y10-N002}', "MCP4Y10-N002", "sw-1:2/1;sw-1:2/2;sw-2:2/1;sw-2:2/2"),
        ('{links: "sw-1:2/2*", cable: 980-9IA0I-00N002}', "MCP4Y10-N002", "sw-1:2/1;sw-1:2/2;sw-2:2/1;sw-2:2/2"),
    ],
    ids=["leg-of-a-splitter", "link-of-a-twin", "order-number"],
)
def test_a_cable_pinned_on_one_of_its_links(pin: str, part: str, ends: str, pool: str, tmp_path: Path) -> None:
    plan = planned(tmp_path, f"[{pin}]", pool)
    found = [row for row in cable_rows(plan) if part in row]
    assert len(found) == 1, "one cable serves both links"
    assert sorted(ends.split(";")) in [sorted(str(cell).split(";")) for cell in found[0]]
    cages = [(row[0], row[1]) for row in plug_rows(plan)]
    assert len(cages) == len(set(cages)), "one plug a cage"
