"""Ethernet cages split in several ways, links on two receptacles, and twisted pair: an input and what it is cabled with."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner.cutsheet import sheets
from planner.pipeline import compile_project
from planner.plan import Plan
from planner.schedules import cable_rows, label_rows, link_rows, plug_rows
from tests.support.projects import compiled, errors

PROJECT = """
format: planner/1
name: splits
room: {outline_m: [[0, 0], [8, 0], [8, 6], [0, 6]], ceiling_m: 3.5}
racks:
  - {row: A, names: "A[01-03]", type: rack-48u-600x1200, at_m: [2.0, 2.0], along: east, front: south}
pathways:
  - {name: tray-A, type: basket-300x100, path_m: [[2.0, 2.6], [3.8, 2.6]], height_m: 2.7}
devices:
  - {names: "leaf-[1-2]", model: sn5600, rack: A01, u: [40, 43]}
  - {names: oob-1, model: sn2201, rack: A01, u: 46}
  - {names: "dgx-[1-2]", model: dgx-h100, racks: "A[02-03]", u: 3}
fabrics:
  - name: eth400
    protocol: ethernet
    rate: 400g
    links:
      - {a: "dgx-1:OSFP1P1", z: "leaf-1:swp1s0", tier: node-leaf}
      - {a: "dgx-2:OSFP1P1", z: "leaf-1:swp1s1", tier: node-leaf}
  - name: eth800
    protocol: ethernet
    rate: 800g
    links: [{a: "leaf-1:swp33", z: "leaf-2:swp33", tier: isl}]
  - name: oob
    protocol: ethernet
    rate: 1g
    links:
      - {a: "dgx-1:BMC", z: "oob-1:swp1", tier: bmc}
      - {a: "dgx-2:BMC", z: "oob-1:swp2", tier: bmc}
policy: {media: {order: [optic]}}
"""


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    folder = tmp_path_factory.mktemp("splits")
    (folder / "project.yaml").write_text(PROJECT, encoding="utf-8")
    made = compile_project(folder)
    assert [finding.message for finding in made.findings if finding.severity == "error"] == []
    assert made.plan is not None
    return made.plan


def test_two_halves_of_a_cage_share_a_twin_port_plug(plan: Plan) -> None:
    plugs = {(row[0], row[1]): (row[2], row[6]) for row in plug_rows(plan)}
    assert plugs["leaf-1", "1"] == ("MMA4Z00-NS", 0)
    assert plugs["dgx-1", "OSFP1"] == ("MMA4Z00-NS-FLT", 1)  # its other half is free


def test_an_800g_link_takes_both_receptacles_and_so_two_cords(plan: Plan) -> None:
    link = next(row for row in link_rows(plan) if row[0] == "leaf-1:swp33--leaf-2:swp33")
    assert (link[14], link[15], link[16]) == (3, "3;4", "MFP7E10-N005;MFP7E10-N005")
    cables = {row[0]: row for row in cable_rows(plan)}
    assert cables[3][5] == cables[4][5] == "leaf-1:swp33;leaf-2:swp33"
    labels = {(row[0], row[1]): row[6] for row in label_rows(plan)}
    assert (labels[3, "a"], labels[4, "a"]) == ("A01-U40:swp33 1/2", "A01-U40:swp33 2/2")
    plug = next(row for row in plug_rows(plan) if row[:2] == ("leaf-1", "33"))
    assert (plug[2], plug[6]) == ("MMA4Z00-NS", 0)  # one port of eight lanes, in use


def test_jacks_are_cabled_with_twisted_pair_whatever_the_media_order(plan: Plan) -> None:
    media = {row[0]: row[13] for row in link_rows(plan)}
    assert media["dgx-1:BMC--oob-1:swp1"] == "utp"


@pytest.mark.parametrize("count", [1, 2, 3])
def test_links_on_two_cords_each_stand_in_every_document(count: int, tmp_path: Path) -> None:
    links = "".join(f'      - {{a: "leaf-1:swp{n}", z: "leaf-2:swp{n}", tier: isl}}\n' for n in range(1, count + 1))
    text = (
        PROJECT.split("fabrics:", maxsplit=1)[0]
        + "fabrics:\n  - name: eth800\n    protocol: ethernet\n    rate: 800g\n    links:\n"
    )
    result = compiled(tmp_path, text + links + "policy: {media: {order: [optic]}}\n")
    assert errors(result) == []
    assert result.plan is not None
    cords = [row[0] for row in cable_rows(result.plan)]
    assert cords == list(range(1, 2 * count + 1))
    assert sorted((row[0], row[1]) for row in label_rows(result.plan)) == [(n, end) for n in cords for end in "az"]
    (sheet,) = sheets(result.plan)
    assert sorted(row.cable_id for group in sheet.groups for row in group.rows) == cords
