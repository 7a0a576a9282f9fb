"""Racks sold as one thing: only their scale-out ports are planned, and nothing of their inside is in the bill."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from planner.bom.bill import bom_lines
from planner.catalog.load import Catalog
from tests.support.projects import compiled, errors

PROJECT = """\
format: planner/1
name: nvl72
room: {outline_m: [[0, 0], [6, 0], [6, 5], [0, 5]], ceiling_m: 3.5}
racks:
  - {row: A, names: "A[01-02]", type: rack-48u-600x1200, at_m: [2, 2], along: east, front: south}
pathways:
  - {name: tray, type: basket-300x100, path_m: [[2.0, 2.6], [3.2, 2.6]], height_m: 2.7}
devices:
  - {names: nvl-1, model: MODEL, rack: A01, u: 1}
  - {names: leaf-1, model: SWITCH, rack: A02, u: 40, mount: front}
fabrics:
  - name: compute
    protocol: infiniband
    rate: RATE
    links:
      - {a: "nvl-1:tray01/compute1", z: "leaf-1:PORT1", tier: node-leaf}
      - {a: "nvl-1:tray18/compute4", z: "leaf-1:PORT2", tier: node-leaf}
policy: {media: {order: [optic]}}
"""


@pytest.mark.parametrize(
    ("model", "switch", "rate", "port"),
    [("dgx-gb200-nvl72", "qm9700", "ndr", "1/"), ("dgx-gb300-nvl72", "q3400-ra", "xdr", "sw1p")],
)
def test_only_scale_out_ports_are_planned(tmp_path: Path, model: str, switch: str, rate: str, port: str) -> None:
    text = PROJECT.replace("MODEL", model).replace("SWITCH", switch).replace("RATE", rate).replace("PORT", port)
    result = compiled(tmp_path, text)
    assert errors(result) == []
    assert result.plan is not None
    bill: Counter[str] = Counter()
    for line in bom_lines(result.plan):
        bill[line.category] += line.qty_installed
    assert bill == {"transceiver": 3, "cord": 2, "switch": 1}  # one of each host port, one twin at the switch


@pytest.mark.parametrize("model", ["dgx-gb200-nvl72", "dgx-gb300-nvl72"])
def test_a_rack_has_the_compute_ports_of_its_18_trays(catalog: Catalog, model: str) -> None:
    tray = catalog.devices[model.replace("nvl72", "tray")]
    rack = catalog.devices[model]
    ports = [
        name for name in catalog.chassis(rack.id).port_names if "/compute" in name and not name.endswith(("-1", "-2"))
    ]
    assert len(ports) == 72
    alike = {"names", "source", "evidence"}
    assert [group.model_dump(exclude=alike) for group in rack.cages] == [
        group.model_dump(exclude=alike) for group in tray.cages
    ]
