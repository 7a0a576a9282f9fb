"""What a person is told of panels and trunks: by `explain`, on cut sheets, and as a light path; all of the same small pod."""

from __future__ import annotations

from pathlib import Path

import pytest
from pypdf import PdfReader

from planner import pipeline
from planner.channel import Cord
from planner.cli.explained import cable_text, link_text, part_text
from planner.cli.explained_panels import panel_record, panel_text
from planner.cutsheet.panels import PanelIndex, PanelPort
from planner.explain.answers import CableExplained, LinkExplained, PanelExplained, PartExplained, explain
from planner.plan import Plan
from planner.write.choices import Choices
from planner.write.pdf import write_cut_sheets
from tests.structured.test_over_panels import POD, plan_of
from tests.support.projects import compiled, small_catalog


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "catalogs_folder", small_catalog)
        return plan_of(compiled(tmp_path_factory.mktemp("pod"), POD))


def row_of(plan: Plan, name: str) -> int:
    return next(n for n, device in enumerate(plan.devices) if device.name == name)


def ports(plan: Plan, name: str) -> list[PanelPort]:
    return list(PanelIndex(plan).ports_of(row_of(plan, name)))


def test_a_port_leads_to_the_far_device(plan: Plan) -> None:
    first, second, third, *_ = ports(plan, "P-1")
    assert (first.slot, first.port, first.cord, first.near) == (1, 1, 1, "leaf-1:1/1")
    assert (first.trunk, first.leg, first.far_port, first.far_rack) == (2, 1, "PS-A03-1:01", "A03")
    assert (first.far_cord, first.far, first.link) == (3, "spine-1:1/1", "leaf-1:1/1--spine-1:1/1")
    assert (second.leg, second.far_port, second.far) == (2, "PS-A03-1:02", "spine-1:1/2")
    # Two positions are kept for growth, so the trunk of four legs has no spare one.
    assert (third.cord, third.trunk, third.leg, third.far_port, third.state) == (0, 2, 3, "PS-A03-1:03", "reserve")


def test_every_port_is_seen_from_both_ends_alike(plan: Plan) -> None:
    seen = {f"{name}:{port.port:02d}": port for name in ("P-1", "P-2", "PS-A03-1") for port in ports(plan, name)}
    used = {name: port for name, port in seen.items() if port.cord}
    assert len(used) == 6
    for port in used.values():
        back = used[port.far_port]
        assert (back.cord, back.near, back.far_cord, back.far) == (port.far_cord, port.far, port.cord, port.near)
        assert (back.trunk, back.leg, back.link, back.state) == (port.trunk, port.leg, port.link, "used")


def test_explain_tells_a_trunk_leg_by_leg(plan: Plan) -> None:
    found = explain(plan, "2")
    assert isinstance(found, CableExplained)
    told = cable_text(plan, found)
    assert "4 legs: 2 used, 2 reserve" in told
    assert "leg 1   P-1:01  to  PS-A03-1:01  used: leaf-1:1/1--spine-1:1/1; unlit 5 6 7 8" in told
    assert "leg 4   P-1:04  to  PS-A03-1:04  reserve" in told


def test_explain_tells_a_panel_port_by_port(plan: Plan) -> None:
    found = explain(plan, "ps-a03-1")
    assert isinstance(found, PanelExplained)
    told = panel_text(plan, found)
    assert "05  spine-1:2/1, cable 6 | trunk 7 leg 1 to P-2:01 in A02 | cable 8, leaf-2:1/1" in told
    assert panel_record(plan, found)["ports"][2]["cord"] is None


def test_the_light_path_over_two_panels(plan: Plan) -> None:
    """This link runs against its trunk, from the spine to a leaf."""
    found = explain(plan, "spine-1:2/1--leaf-2:1/1")
    assert isinstance(found, LinkExplained)
    (channel,) = found.light
    assert channel.verdict.codes == ()
    (path,) = channel.paths
    assert [(joint.adapter, joint.keys) for joint in path.joints] == [
        ("", ""), ("PS-A03-1:05", "opposed"), ("P-2:01", "opposed"), ("", ""),
    ]  # fmt: skip
    assert [name for name, _ in path.between] == ["cable 6", "trunk 7 leg 1", "cable 8"]
    # Cords of 3 m at 5 dB/km, a trunk of 10 m with legs of 1 and 1.5 m at 3 dB/km, two joints of 0.35 dB:
    # 2 x 0.015 + 0.0375 + 0.7 = 0.7675 dB.
    assert [part.length_mm for _, part in path.between] == [3_000, 12_500, 3_000]
    assert path.joints[-1].loss_ndb == 767_500_000
    told = link_text(plan, found, everything=False)
    assert "| PS-A03-1:05, opposed keys | trunk 7 leg 1 (MPO-12, pins, APC)" in told


def test_explain_tells_each_cable_of_a_channel(plan: Plan) -> None:
    """The way of one channel, cable by cable: together they are what the plan says of the link."""
    found = explain(plan, "spine-1:2/1--leaf-2:1/1")
    assert isinstance(found, LinkExplained)
    at_a, trunk, at_z = found.over_panels
    row, links = found.row, plan.links
    for name in ("routed", "slack", "required"):
        assert sum(getattr(cable, name) for cable in found.over_panels) == int(getattr(links, f"{name}_mm")[row])
    assert all(cable.routed + cable.slack == cable.required <= cable.nominal for cable in found.over_panels)
    # The cords are of 3 m, the trunk of 10 m with legs of 1 and 1.5 m beyond it.
    assert [cable.nominal for cable in (at_a, trunk, at_z)] == [3_000, 12_500, 3_000]
    assert f"{trunk.required:,} mm required, {12_500 - trunk.required:,} mm to spare" in link_text(
        plan, found, everything=False
    )


def test_explain_counts_plates_by_the_slots_they_fill(plan: Plan) -> None:
    """Two trunks of four legs fill a plate of eight in part at each leaf, and one of the spine's panels."""
    insert = plan.parts[next(iter(plan.panel_slots)).part]
    found = explain(plan, insert.part)
    assert isinstance(found, PartExplained)
    assert f"in {len(found.slots)} slots of panels" in part_text(plan, found)
    assert sum(ports.first_port == 1 for ports in plan.panel_slots) == len(found.slots) == 3


def test_the_cut_sheet_has_a_row_a_port_and_its_trunks(plan: Plan, tmp_path: Path) -> None:
    write_cut_sheets(plan, tmp_path, Choices())
    words = " ".join("".join(page.extract_text() for page in PdfReader(tmp_path / "cut-sheets.pdf").pages).split())
    for text in (
        "PS-A03-1:01 to 04 in A03",
        "2 used, 2 reserve; unlit 5 6 7 8",
        "leave free",
        "7 leg 1",
        "P-2:01 in A02",
    ):
        assert text in words


DUPLEX = """
format: planner/1
name: duplex
room: {outline_m: [[0, 0], [6, 0], [6, 4], [0, 4]], ceiling_m: 3}
racks:
  - {row: A, names: "A[01-02]", type: rack-48u-600x1200, at_m: [1, 1], along: east, front: south}
pathways:
  - {name: tray, type: basket-300x100, path_m: [[1, 2], [2.8, 2]], height_m: 2.6}
devices:
  - {names: "sw-[1-2]", model: generic-64x400g-qsfp-dd, racks: "A[01-02]", u: 40, mount: rear}
panels:
  - {names: "P-[1-2]", part: generic-panel-1u-4-slots, racks: "A[01-02]", u: 44, mount: rear}
fabrics:
  - name: front
    protocol: ethernet
    rate: 400g
    links:
      - {a: "sw-1:1", z: "sw-2:1", tier: leaf-leaf}
      - {a: "sw-1:2", z: "sw-2:2", tier: leaf-leaf}
policy:
  vendors: {allow: [generic]}
  media: {order: [optic]}
  cabling:
    - {links: front/leaf-leaf, trunk: generic-trunk-12f-base12-apc-os2-type-b-f, plate: generic-cassette-6xlc-os2-u1}
pins: [{links: front/leaf-leaf, a_plug: generic-400gbase-fr4-qsfp-dd, z_plug: generic-400gbase-fr4-qsfp-dd}]
"""


def test_duplex_links_share_a_leg_behind_cassettes(tmp_path: Path) -> None:
    """Method U1: usual duplex cords at both ends, though two that keep their sides would light the lanes too."""
    plan = plan_of(compiled(tmp_path, DUPLEX))
    found = explain(plan, "sw-1:2--sw-2:2")
    assert isinstance(found, LinkExplained)
    (channel,) = found.light
    (path,) = channel.paths
    assert channel.verdict.codes == ()
    assert [joint.left.which or joint.right.which for joint in path.joints] == ["", "port 2", "", "", "port 2", ""]
    cords = [part for _, part in path.between if isinstance(part, Cord) and not part.a.ferrule.keyed]
    assert [cord.polarity for cord in cords] == ["A-B", "A-B"]
    # Tx1 at side A -> B in the cord -> 11 behind port 2 (13 - 2) -> 2 in the trunk -> side A of port 2 -> B, where Rx1 is.
    assert [place for place, _ in path.onward[0].at] == [(0, 1), (0, 2), (0, 11), (0, 2), (2, 1), (0, 2)]
    assert [(port.cord, port.leg) for port in ports(plan, "P-1")] == [(1, 1), (4, 1), *[(0, 1)] * 4]
