"""Links that take two receptacles at either end: an 800G port over two MPO-12."""

from __future__ import annotations

from pathlib import Path

from planner.pipeline import compile_project
from planner.schedules import link_rows

POD = """
format: planner/1
name: two-strands
room: {outline_m: [[0, 0], [6, 0], [6, 4], [0, 4]], ceiling_m: 3}
racks:
  - {row: A, names: "A[01-02]", type: rack-48u-600x1200, at_m: [1, 1], along: east, front: south}
pathways:
  - {name: tray, type: basket-300x100, path_m: [[1, 2], [2.2, 2]], height_m: 2.6}
devices:
  - {names: leaf-1, model: generic-64x800g-osfp, rack: A01, u: 36, mount: rear}
  - {names: spine-1, model: generic-64x800g-osfp, rack: A02, u: 36, mount: rear}
panels:
  - {names: "P-[1-2]", part: generic-panel-1u-4-slots, racks: "A[01-02]", u: 44, mount: rear}
fabrics:
  - name: backend
    protocol: ethernet
    rate: 800g
    links:
      - {a: "leaf-1:1", z: "spine-1:1", tier: leaf-spine}
      - {a: "leaf-1:2", z: "spine-1:2", tier: leaf-spine}
policy:
  media: {order: [optic]}
  vendors: {allow: [generic]}
  cabling:
    - links: backend/leaf-spine
      trunk: generic-trunk-48f-base12-apc-os2-type-b-m
      plate: generic-plate-8xmpo-12-opposed
"""


def test_each_link_takes_two_positions_and_four_cords(tmp_path: Path) -> None:
    (tmp_path / "project.yaml").write_text(POD, encoding="utf-8")
    made = compile_project(tmp_path)
    assert [finding.message for finding in made.findings if finding.severity == "error"] == []
    plan = made.plan
    assert plan is not None
    # Four channels and two in reserve: two trunks of four legs.
    assert plan.trunk_legs.state.tolist() == ["used"] * 4 + ["reserve"] * 2 + ["spare"] * 2
    # Cord, trunk, cord of the first strand, then the cords of the second.
    assert [(row[14], row[15]) for row in link_rows(plan)] == [(1, "1;2;3;4;2;5"), (6, "6;2;7;8;2;9")]
    table = plan.link_cables
    strands = [tuple(map(int, row)) for row in zip(table.link, table.strand, table.place, table.leg, strict=True)]
    assert strands == [
        (link, strand, place, leg if place == 2 else -1)
        for link, strand, leg in ((0, 1, 1), (0, 2, 2), (1, 1, 3), (1, 2, 4))
        for place in (1, 2, 3)
    ]
