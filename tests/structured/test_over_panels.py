"""Small pods over panels, from their YAML to what their plans hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest

from planner import pipeline
from planner.assemble import Stages
from planner.capacity.problem import problem_of
from planner.explain.answers import explain
from planner.floorplan.highlight import named
from planner.pipeline import Compiled
from planner.plan import ABSENT, Plan
from planner.schedules import cable_rows, label_rows, link_rows
from planner.store import read_plan, write_plan
from tests.support.projects import TEST_CATALOG, changed, compiled, small_catalog

POD = """
format: planner/1
name: pod
room: {outline_m: [[0, 0], [6, 0], [6, 4], [0, 4]], ceiling_m: 3}
racks:
  - {row: A, names: "A[01-03]", type: rack-48u-600x1200, at_m: [1, 1], along: east, front: south}
pathways:
  - {name: tray, type: basket-300x100, path_m: [[1, 2], [2.8, 2]], height_m: 2.6}
devices:
  - {names: "leaf-[1-2]", model: qm9700, racks: "A[01-02]", u: 40, mount: rear}
  - {names: spine-1, model: qm9700, rack: A03, u: 40, mount: rear}
panels:
  - {names: "P-[1-2]", part: generic-panel-1u-4-slots, racks: "A[01-02]", u: 44, mount: rear}
  - {stem: PS, part: generic-panel-1u-4-slots, rack: A03, u_range: [38, 44], mount: rear}
fabrics:
  - name: compute
    protocol: infiniband
    rate: ndr
    links:
      - {a: "leaf-1:1/1", z: "spine-1:1/1", tier: leaf-spine}
      - {a: "leaf-1:1/2", z: "spine-1:1/2", tier: leaf-spine}
      - {a: "spine-1:2/1", z: "leaf-2:1/1", tier: leaf-spine}
policy:
  media: {order: [optic]}
  cabling:
    - links: compute/leaf-spine
      trunk: trunk-proven
      plate: generic-plate-8xmpo-12-opposed
catalogs: [catalog]
"""


@pytest.fixture(autouse=True, scope="module")
def _small_catalog() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "catalogs_folder", small_catalog)
        yield


def plan_of(made: Compiled) -> Plan:
    assert made.plan is not None
    assert [finding.message for finding in made.findings if finding.severity == "error"] == []
    return made.plan


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, _small_catalog: None) -> Compiled:
    return compiled(tmp_path_factory.mktemp("pod"), POD)


@pytest.fixture(scope="module")
def plan(made: Compiled) -> Plan:
    return plan_of(made)


@pytest.fixture(scope="module")
def stages(made: Compiled) -> Stages:
    assert made.stages is not None
    return made.stages


def test_rows_of_a_channel(plan: Plan) -> None:
    # Cables in link order: cord, its trunk where it is first met, cord; the second link finds the trunk there already.
    links = [(row[0], row[14], row[15], row[22]) for row in link_rows(plan)]
    assert links == [
        ("leaf-1:1/1--spine-1:1/1", 1, "1;2;3", ""),
        ("leaf-1:1/2--spine-1:1/2", 4, "4;2;5", ""),
        ("spine-1:2/1--leaf-2:1/1", 6, "6;7;8", ""),
    ]
    cables = {row[0]: (row[3], row[5], row[6], row[7]) for row in cable_rows(plan)}
    assert cables[1] == ("cord", "leaf-1:1/1;P-1:01", "A01", "A01")
    assert cables[5] == ("cord", "PS-A03-1:02;spine-1:1/2", "A03", "A03")
    assert cables[2] == (
        "trunk", "P-1:01;P-1:02;P-1:03;P-1:04;PS-A03-1:01;PS-A03-1:02;PS-A03-1:03;PS-A03-1:04", "A01", "A03",
    )  # fmt: skip
    # The trunk to leaf-2 counts from A02 to A03; the link runs against it, from the spine.
    assert cables[6] == ("cord", "spine-1:2/1;PS-A03-1:05", "A03", "A03")
    assert cables[8] == ("cord", "P-2:01;leaf-2:1/1", "A02", "A02")


def test_labels_name_panel_and_port_as_tia_606_writes_them(plan: Plan, tmp_path: Path) -> None:
    rows = {(row[0], row[1]): row[2:] for row in label_rows(plan)}
    assert rows[1, "z"] == ("P-1", "01", "A01", 44, "A01-44:01", "A01-U40:1/1")
    # The planner's panel takes the highest free unit of its range.
    assert rows[2, "z4"] == ("PS-A03-1", "04", "A03", 44, "A03-44:04", "A01-44:04")
    assert sum(1 for cable, _ in rows if cable == 2) == 8
    tall = POD.replace("generic-panel-1u-4-slots, racks", "panel-of-two-units, racks").replace(
        "media: {order: [optic]}", "media: {order: [optic]}\n  labels: {panel_u: top}"
    )
    two_units = (small_catalog() / "fibre/generic-panel-1u-4-slots.yaml").read_text()
    entry = changed(
        two_units, ("id: generic-panel-1u-4-slots", "id: panel-of-two-units"), ("height_u: {value: 1", "height_u: {value: 2"),
        ("PANEL 1U 4 SLOTS", "PANEL OF TWO UNITS"),
    )  # fmt: skip
    text = tall.replace("catalogs: [catalog]", "catalogs: [catalog, own]")
    copytree(TEST_CATALOG, tmp_path / "catalog")
    made = plan_of(compiled(tmp_path, text, {"own/fibre/panel-of-two-units.yaml": entry}))
    assert next(row[6] for row in label_rows(made) if row[:2] == (1, "z")) == "A01-45:01"


def test_legs_that_no_link_uses_are_listed(plan: Plan) -> None:
    # Two links and two in reserve fill a trunk of four; one link and two in reserve leave one leg over.
    assert plan.trunk_legs.state.tolist() == [
        "used",
        "used",
        "reserve",
        "reserve",
        "used",
        "reserve",
        "reserve",
        "spare",
    ]
    unlit = plan.trunk_legs.unlit.tolist()
    assert unlit[0] == "5;6;7;8"
    assert unlit[2] == "1;2;3;4;5;6;7;8;9;10;11;12"


def test_the_length_of_a_trunk_by_hand(stages: Stages) -> None:
    """From P-1 to PS-A03-1, both in U44 with their front at the rear rails.

    In the rack: the panel has no depth, so its rear port is at the front rails, 890 - 740 = 150 mm deep, and looks to the
    rack's front. 100 out, to x = 270 from the middle, and from 150 - 100 = 50 to 1050 deep: 100 + 270 + 1000. The port is
    at 80 + 43 x 44.45 + 22.225 = 2013.575, the exit at 2258: 244.425. Together 1614 mm at either end.
    Rise: 50 in plan, 2600 - 2258 = 342 up, twice the side wall of 100: 592. Tray: two racks of 600.
    Slack: two loops of 2 m and 2 % of 5612 = 112.24, rounded up.
    """
    ways = stages.subject.measure.over_panels
    assert ways is not None
    lengths = ways.trunks.lengths
    terms = [int(getattr(lengths, name)[0]) for name in ("a_in_rack", "a_rise", "pathway", "z_rise", "z_in_rack")]
    assert terms == [1614, 592, 1200, 592, 1614]
    assert (int(lengths.routed[0]), int(lengths.slack[0])) == (5612, 4113)
    # Nominal lengths are between breakouts: 1 m and 1.5 m of legs come on top, 200 mm of tolerance go off. Of 5 m that is
    # 7.3 m, too short for 9.725 m; of 10 m it is 12.3 m.
    assert ways.trunks.member.tolist() == [1, 1]
    assert ways.trunks.overall_mm.tolist() == [12_500, 12_500]


def test_a_link_has_the_sums_of_its_three_cables(stages: Stages, plan: Plan) -> None:
    channels = stages.subject.channels
    assert channels is not None
    trunks = channels.ways.trunks.lengths.required[channels.trunk]
    assert plan.links.required_mm.tolist() == (channels.a.required + trunks + channels.z.required).tolist()
    terms = ("a_in_rack", "a_rise", "pathway", "z_rise", "z_in_rack")
    assert sum(getattr(plan.links, f"{term}_mm") for term in terms).tolist() == plan.links.routed_mm.tolist()
    assert plan.links.stock_mm.tolist() == [ABSENT] * 3


def test_trunks_lie_in_the_tray_once(plan: Plan) -> None:
    # Two trunks, whatever their links: pi/4 x 16 mm x 16 mm = 201.06 mm2 each, in 300 x 100 mm.
    (tray,) = plan.pathways
    assert tray.cables == 2
    assert tray.fill_ppm == int(2 * 201_061_930 / 30_000_000_000 * 1_000_000)


def test_a_plan_over_panels_is_read_back_whole(plan: Plan, tmp_path: Path) -> None:
    write_plan(plan, tmp_path / "plan.db")
    again = read_plan(tmp_path)
    assert list(link_rows(again)) == list(link_rows(plan))
    assert again.panel_slots == plan.panel_slots
    assert [row.kind for row in again.devices[-3:]] == ["panel"] * 3


def test_a_trunk_is_marked_with_all_its_links(plan: Plan) -> None:
    assert named(plan, "2")[1].tolist() == [0, 1]
    assert named(plan, "8")[1].tolist() == [2]


def test_explain_tells_the_three_cables(plan: Plan) -> None:
    found = explain(plan, "leaf-1:1/2--spine-1:1/2")
    assert found.detour_mm == 0  # type: ignore[union-attr]


def test_ends_may_be_exchanged(plan: Plan, tmp_path: Path) -> None:
    """A link written the other way round takes the same positions and the same parts."""
    text = changed(POD, ('{a: "leaf-1:1/1", z: "spine-1:1/1"', '{a: "spine-1:1/1", z: "leaf-1:1/1"'))
    other = plan_of(compiled(tmp_path, text))
    assert sorted(p.part for p in other.parts) == sorted(p.part for p in plan.parts)
    here, there = (
        next(row for row in range(3) if {"leaf-1:1/1", "spine-1:1/1"} == set(one.link_ids[row].split("--")))
        for one in (plan, other)
    )
    assert other.links.required_mm[there] == plan.links.required_mm[here]
    assert other.trunk_legs.state.tolist() == plan.trunk_legs.state.tolist()


MISTAKES = [
    (("part: generic-panel-1u-4-slots, racks", "part: generic-panel-1u-4-slot, racks"), "INP009 panel `generic-panel-1u-4-slot` is not known"),
    (("trunk: trunk-proven", "trunk: trunk-provn"), "INP009 trunk `trunk-provn` is not known"),
    (("plate: generic-plate-8xmpo-12-opposed", "plate: mfp7e10"), "INP009 plate or cassette `mfp7e10` is not known"),
    (("links: compute/leaf-spine", "links: compute/leaf-spines"), "INP011 the cabling of `compute/leaf-spines` names no link"),
    (("      trunk: trunk-proven\n", ""), "INP006"),
    (("u_range: [38, 44]", "u_range: [38, 44], u: 4"), "INP006"),
    (('names: "P-[1-2]"', 'names: "leaf-[1-2]"'), "panel `leaf-1` has the name of another device or panel"),
    (("catalogs:", 'measured: [{link: "leaf-1:1/1--spine-1:1/1", length_m: 4}]\ncatalogs:'), "INP006 link `leaf-1:1/1--spine-1:1/1` is led over panels"),
    (("u: 44, mount: rear}\n  - {stem", "u: 40, mount: rear}\n  - {stem"), "DEV002"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "said"), MISTAKES, ids=[said[:40] for _, said in MISTAKES])
def test_mistakes_are_told(change: tuple[str, str], said: str, tmp_path: Path) -> None:
    made = compiled(tmp_path, changed(POD, change))
    told = [f"{finding.rule} {finding.message}" for finding in made.findings if finding.severity == "error"]
    assert any(said in text for text in told), told
    assert all(finding.at is not None for finding in made.findings if finding.severity == "error")


ONE_WRONG_PART = {
    "a trunk of Type A between A01 and A03": (
        ("      plate: generic-plate-8xmpo-12-opposed", "      plate: generic-plate-8xmpo-12-opposed\n      between: [{racks: [A01, A03], trunk: trunk-type-a}]"),
        ("POL001", "POLARITY", "`trunk-type-a` breaks", {"leaf-1:1/1--spine-1:1/1", "leaf-1:1/2--spine-1:1/2"}),
    ),
    "a trunk without pins to A02": (
        ("      plate: generic-plate-8xmpo-12-opposed", "      plate: generic-plate-8xmpo-12-opposed\n      between: [{racks: [A03, A02], trunk: trunk-female}]"),
        ("POL002", "GENDER_NO_PINS", "`trunk-female` breaks", {"spine-1:2/1--leaf-2:1/1"}),
    ),
    "aligned keys in the panels of the leaves": (
        ("u: 44, mount: rear}\n  - {stem", "u: 44, mount: rear, plate: generic-plate-8xmpo-12-aligned}\n  - {stem"),
        ("POL003", "APC_ALIGNED_KEY", "`generic-plate-8xmpo-12-aligned` breaks", {"leaf-1:1/1--spine-1:1/1", "leaf-1:1/2--spine-1:1/2", "spine-1:2/1--leaf-2:1/1"}),
    ),
    "a flat cord at one end of one link": (
        ("catalogs:", 'pins: [{links: "leaf-1:1/2--spine-1:1/2", z_cord: cord-upc}]\ncatalogs:'),
        ("POL003", "POLISH_MISMATCH", "`cord-upc` breaks", {"leaf-1:1/2--spine-1:1/2"}),
    ),
    "a cord with pins at both ends of one link": (
        ("catalogs:", 'pins: [{links: "spine-1:2/1--leaf-2:1/1", cable: cord-pinned}]\ncatalogs:'),
        ("POL002", "GENDER_PIN_CLASH", "`cord-pinned` breaks", {"spine-1:2/1--leaf-2:1/1"}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("wrong", ONE_WRONG_PART)
def test_one_wrong_part_is_one_finding_with_exactly_its_channels(wrong: str, tmp_path: Path) -> None:
    change, (rule, code, message, links) = ONE_WRONG_PART[wrong]
    made = compiled(tmp_path, changed(POD, change))
    (finding,) = [found for found in made.findings if found.severity == "error"]
    assert (finding.rule, finding.code, set(finding.objects)) == (rule, code, links)
    assert message in finding.message
    assert finding.count == len(links)
    assert made.plan is not None
    assert made.plan.links.status.tolist() == ["resolved"] * 3  # named parts stay, and are told


def test_a_trunk_to_a_rack_that_its_way_does_not_reach_leaves_its_links_open(tmp_path: Path) -> None:
    made = compiled(tmp_path, changed(POD, ("path_m: [[1, 2], [2.8, 2]]", "path_m: [[1, 2], [1.5, 2]]")))
    assert made.plan is not None
    assert made.plan.links.status.tolist() == ["unresolved"] * 3
    assert len(made.plan.cables) == 0


def own_trunk(tmp_path: Path, id_: str, metres: int, *changes: tuple[str, str]) -> Compiled:
    """The pod with a trunk of one length alone, else as `trunk-proven`."""
    entry = (TEST_CATALOG / "fibre/trunk-proven.yaml").read_text(encoding="utf-8")
    entry = changed(entry, ("id: trunk-proven", f"id: {id_}"), *changes).replace("TRUNK-PROVEN", id_.upper())
    lines = [line for line in entry.splitlines() if "- {part" not in line or f"length_m: {metres}}}" in line]
    copytree(TEST_CATALOG, tmp_path / "catalog")
    text = changed(POD, ("trunk: trunk-proven", f"trunk: {id_}"), ("catalogs: [catalog]", "catalogs: [catalog, own]"))
    return compiled(tmp_path, text, {f"own/fibre/{id_}.yaml": "\n".join(lines)})


def test_a_channel_that_is_too_long_says_so(tmp_path: Path) -> None:
    # 3 + 100 + 2.5 + 3 m against the 50 m that SR4 reaches on OM4.
    (finding, *_) = [f for f in own_trunk(tmp_path, "trunk-long", 100).findings if f.severity == "error"]
    assert finding.rule == "MED001"
    assert "the channel is 108.5 m long with MFP7E10, its parts reach 50 m" in finding.note


def test_om3_in_the_trunk_is_what_the_channel_is_rated_at(tmp_path: Path) -> None:
    made = own_trunk(tmp_path, "trunk-om3", 30, ("fibre: om4", "fibre: om3"))
    (finding, *_) = [found for found in made.findings if found.severity == "error"]
    assert "its parts reach 30 m" in finding.note  # on OM3, though the cords are OM4


def test_trunks_take_room_from_cables_that_may_be_led_around(stages: Stages) -> None:
    subject = stages.subject
    frozen = np.zeros(len(subject.links), bool)
    fill = subject.project.policy.fill
    problem = problem_of(subject.layout, subject.measure, subject.selection, subject.lengths, fill, frozen)
    assert int(problem.fixed.max()) == 2 * 201_061_930
