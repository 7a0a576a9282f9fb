"""Duplex channels over cassettes, with the shipped catalog."""

from __future__ import annotations

from pathlib import Path

from planner.pipeline import compile_project
from planner.plan import Plan
from planner.schedules import cable_rows
from planner.selection.options import verdict_of_option
from tests.support.projects import changed

POD = """
format: planner/1
name: duplex
room: {outline_m: [[0, 0], [6, 0], [6, 4], [0, 4]], ceiling_m: 3}
racks:
  - {row: A, names: "A[01-02]", type: rack-48u-600x1200, at_m: [1, 1], along: east, front: south}
pathways:
  - {name: tray, type: basket-300x100, path_m: [[1, 2], [2.2, 2]], height_m: 2.6}
devices:
  - {names: leaf-1, model: qm9700, rack: A01, u: 40, mount: rear}
  - {names: spine-1, model: qm9700, rack: A02, u: 40, mount: rear}
panels:
  - {names: "P-[1-2]", part: generic-panel-1u-4-slots, racks: "A[01-02]", u: 44, mount: rear}
fabrics:
  - name: compute
    protocol: infiniband
    rate: ndr
    links:
LINKS
policy:
  media: {order: [optic]}
  vendors: {allow: [NVIDIA, generic]}
  cabling:
    - links: compute/leaf-spine
      trunk: generic-trunk-24f-base12-apc-os2-type-b-f
      plate: CASSETTE
      reserve: {share: 0, min: 0}
pins: [{links: compute/leaf-spine, a_plug: mms4x50-nm, z_plug: mms4x50-nm}]
"""
CATALOGS = Path(__file__).parents[2] / "catalogs"
LINKS = "\n".join(
    f'      - {{a: "leaf-1:{n}/{half}", z: "spine-1:{n}/{half}", tier: leaf-spine}}'
    for n in range(1, 5)
    for half in (1, 2)
)


def compiled(tmp_path: Path, cassette: str):  # type: ignore[no-untyped-def]  # noqa: ANN201
    (tmp_path / "project.yaml").write_text(POD.replace("LINKS", LINKS).replace("CASSETTE", cassette), encoding="utf-8")
    return compile_project(tmp_path)


def test_six_links_share_a_leg(tmp_path: Path) -> None:
    made = compiled(tmp_path, "generic-cassette-6xlc-os2-u1")
    assert [finding.message for finding in made.findings if finding.severity == "error"] == []
    plan: Plan = made.plan
    assert plan.trunk_legs.state.tolist() == ["used", "used"]
    legs = [leg for leg in plan.link_cables.leg.tolist() if leg > 0]
    assert legs == [1] * 6 + [2] * 2
    # U1 pairs positions whose sum is 13: ports 1 and 2 of the second cassette light 1, 12 and 2, 11.
    assert plan.trunk_legs.unlit.tolist() == ["", "3;4;5;6;7;8;9;10"]
    ends = [row[5] for row in cable_rows(plan) if row[3] == "cord"]
    assert ends[0] == "leaf-1:1/1;P-1:01"
    assert ends[-2] == "leaf-1:4/2;P-1:08"
    (option,) = {id(option): option for option, _ in made.stages.subject.groups}.values()
    verdict = verdict_of_option(option)
    assert verdict is not None
    assert (verdict.verdict, option.chain.joints) == ("pass", 4)
    slots = [(slot.slot, slot.first_port, slot.ports, slot.first_rear) for slot in plan.panel_slots if slot.part >= 0]
    assert slots == [(1, 1, 6, 1), (2, 7, 6, 2)] * 2


def test_straight_cassettes_at_both_ends_of_a_type_b_trunk_are_one_finding(tmp_path: Path) -> None:
    """Method B needs the labels at one end reversed; with the same cassette at both, port 1 leads to port 6."""
    made = compiled(tmp_path, "generic-cassette-6xlc-os2-straight")
    (finding,) = [found for found in made.findings if found.severity == "error"]
    assert (finding.rule, finding.code, finding.count) == ("POL001", "PORT_ORDER", 8)


WRITTEN_U1 = {port: {1: (1, port), 2: (1, 13 - port)} for port in range(1, 7)}
"""Front port and position to position of the rear plug, as Method U1 pairs them."""


def with_map(swapped_port: int = 0) -> str:
    """The U1 cassette with its map written out from the rear's positions; sides of one port changed, if any."""
    entry = (CATALOGS / "fibre/generic-cassette-6xlc-os2-u1.yaml").read_text(encoding="utf-8")
    rear = {
        there: (port, 3 - position if port == swapped_port else position)
        for port, sides in WRITTEN_U1.items()
        for position, (_, there) in sides.items()
    }
    rows = ", ".join(f"{position}: [{port}, {at}]" for position, (port, at) in sorted(rear.items()))
    return changed(
        entry,
        ("wiring: U1", f"map: {{1: {{{rows}}}}}"),
        ("part: CASSETTE 6XLC OS2 U1", "part: OWN CASSETTE"),
        ("id: generic-cassette-6xlc-os2-u1", "id: own-cassette"),
    )


def test_a_map_that_is_written_out_is_judged_port_by_port(tmp_path: Path) -> None:
    for swapped, rules in ((0, []), (3, ["POL001"])):
        folder = tmp_path / str(swapped)
        (folder / "own/fibre").mkdir(parents=True)
        (folder / "own/fibre/own-cassette.yaml").write_text(with_map(), encoding="utf-8")
        (folder / "own/fibre/other-cassette.yaml").write_text(
            with_map(swapped).replace("own-cassette", "other-cassette").replace("OWN CASSETTE", "OTHER CASSETTE"),
            encoding="utf-8",
        )
        text = POD.replace("LINKS", LINKS).replace("CASSETTE", "own-cassette") + "catalogs: [own]\n"
        text = text.replace(
            'names: "P-[1-2]", part: generic-panel-1u-4-slots, racks: "A[01-02]", u: 44, mount: rear}',
            "names: P-1, part: generic-panel-1u-4-slots, rack: A01, u: 44, mount: rear}\n  - {names: P-2, part: generic-panel-1u-4-slots, rack: A02, u: 44, mount: rear, plate: other-cassette}",
        )
        (folder / "project.yaml").write_text(text, encoding="utf-8")
        made = compile_project(folder)
        assert [finding.rule for finding in made.findings if finding.severity == "error"] == rules


def test_joints_of_both_cassettes_count_against_the_budget(tmp_path: Path) -> None:
    """Four joints of 1 dB use up the 4 dB that FR4 allows; 2 + 10 + 2 m of glass at 0.4 dB/km are 0.0056 dB more."""
    entry = (CATALOGS / "fibre/generic-cassette-6xlc-os2-u1.yaml").read_text(encoding="utf-8")
    (tmp_path / "own/fibre").mkdir(parents=True)
    (tmp_path / "own/fibre/lossy-cassette.yaml").write_text(
        changed(
            entry,
            ("id: generic-cassette-6xlc-os2-u1", "id: lossy-cassette"),
            ("part: CASSETTE 6XLC OS2 U1", "part: LOSSY CASSETTE"),
            ("front_pair_db: {value: 0.75", "front_pair_db: {value: 1"),
            ("rear_pair_db: {value: 0.75", "rear_pair_db: {value: 1"),
        ),
        encoding="utf-8",
    )
    text = POD.replace("LINKS", LINKS).replace("CASSETTE", "lossy-cassette") + "catalogs: [own]\n"
    (tmp_path / "project.yaml").write_text(text, encoding="utf-8")
    (finding,) = [found for found in compile_project(tmp_path).findings if found.severity == "error"]
    assert (finding.rule, finding.code, finding.count) == ("LOS001", "LOSS_OVER_BUDGET", 8)
    assert "4 joints of 4.000 dB together" in finding.note
