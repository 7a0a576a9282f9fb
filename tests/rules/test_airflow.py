"""Which airflow part number a mounting selects: ports in the cold aisle take air in, ports in the hot aisle let it out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.projects import changed, compiled, marks

TEXT = """format: planner/1
name: case
room: {outline_m: [[0, 0], [6, 0], [6, 6], [0, 6]], ceiling_m: 3}
racks:
  - {row: A, names: "A01", type: rack-48u-600x1200, at_m: [1, 1], along: east, front: south}
devices:
  - {names: "sw-[1-2]", model: qm9700, rack: A01, u: [30, 32], mount: rear}
fabrics:
  - name: compute
    protocol: infiniband
    rate: ndr
    links: [{a: "sw-1:1/1", z: "sw-2:1/1", tier: t}]
policy: {media: {order: [optic]}}
"""


@pytest.mark.parametrize(
    ("mount", "part"),
    [("rear", "MQM9700-NS2F"), ("front", "MQM9700-NS2R")],
    ids=["ports in the hot aisle let air out (P2C)", "ports in the cold aisle take it in (C2P)"],
)
@pytest.mark.parametrize("front", ["south", "north", "east", "west"])
def test_the_mount_selects_the_part_number(tmp_path: Path, mount: str, part: str, front: str) -> None:
    """Cold air comes to the racks' fronts, wherever they look, so the front's direction changes nothing."""
    text = changed(TEXT, ("mount: rear", f"mount: {mount}"), ("front: south", f"front: {front}"))
    result = compiled(tmp_path, text)
    assert result.plan is not None
    assert {device.part for device in result.plan.devices} == {part}
    assert marks(result, "PRT009") == []


@pytest.mark.parametrize(("mount", "wrong"), [("rear", "MQM9700-NS2R"), ("front", "MQM9700-NS2F")])
def test_a_part_number_against_the_aisle_is_an_error_that_names_the_right_one(
    tmp_path: Path, mount: str, wrong: str
) -> None:
    result = compiled(tmp_path, changed(TEXT, ("model: qm9700", f"model: {wrong}"), ("mount: rear", f"mount: {mount}")))
    (finding,) = [found for found in result.findings if found.rule == "PRT009"]
    assert finding.help == f"use `{'MQM9700-NS2F' if wrong == 'MQM9700-NS2R' else 'MQM9700-NS2R'}`"
