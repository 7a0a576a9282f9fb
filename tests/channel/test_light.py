"""The light path: positions, faces and losses at every joint, worked by hand; what is drawn is what is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml

from planner.channel import Channel, Cord, adapter, array_cord, judge, parallel_receptacle, repair
from planner.channel.cases import read_cases
from planner.channel.figures import PAIR_GRADES, LossFigure
from planner.channel.light import LightPath, light_of
from planner.channel.light_text import light_lines
from planner.channel.recipes import parallel_channel
from planner.plan import Identity
from planner.sketches.light import light_sketches
from planner.sketches.shapes import Words
from planner.write.sketches import svg_of_sketches

CASES = {
    case.id: case.channel
    for case in read_cases(yaml.safe_load(Path(__file__).with_name("cases.yaml").read_text(encoding="utf-8")))[0]
}


def paths(channel: Channel) -> tuple[LightPath, ...]:
    return light_of(channel, judge(channel))


def two_panels() -> Channel:
    """Type B cords of 3 m and a Type B trunk of 40 m, low-loss joints, OM4 at 3.0 dB/km."""
    end = parallel_receptacle("MM", 4)
    channel = parallel_channel("B", end, end, "OM4", cord_mm=(3_000, 3_000), trunk_mm=40_000)
    pair = PAIR_GRADES["mpo-low-loss"]
    chain = tuple(
        replace(part, a=replace(part.a, pair=pair), z=replace(part.z, pair=pair), per_km=LossFigure(3_000))
        if isinstance(part, Cord)
        else part
        for part in channel.chain
    )
    return replace(channel, chain=chain)


def test_what_is_lost_grows_joint_by_joint() -> None:
    # 3 m x 3 dB/km = 0.009; + 0.35 = 0.359; + 40 m = 0.120 and + 0.35 = 0.829; + 0.009 = 0.838 dB, as test_loss sums.
    (path,) = paths(two_panels())
    assert [joint.loss_ndb // 1_000_000 for joint in path.joints] == [0, 359, 829, 838]
    assert all(joint.complete for joint in path.joints)
    assert [joint.counted for joint in path.joints] == [False, True, True, False]
    assert [joint.keys for joint in path.joints] == ["", "opposed", "opposed", ""]


def test_positions_turn_over_in_every_type_b_segment() -> None:
    # 1 -> 12 in the cord, kept in opposed keys, 12 -> 1 in the trunk, 1 -> 12 in the far cord: where Rx1 is.
    (path,) = paths(two_panels())
    assert [(left[1], right[1]) for left, right in path.onward[0].at if left and right] == [
        (1, 1),
        (12, 12),
        (1, 1),
        (12, 12),
    ]
    assert [(left[1], right[1]) for left, right in path.back[3].at if left and right] == [
        (9, 9),
        (4, 4),
        (9, 9),
        (4, 4),
    ]


def test_a_loss_that_is_not_known_is_at_least_what_is() -> None:
    channel = two_panels()
    trunk = channel.chain[2]
    assert isinstance(trunk, Cord)
    (path,) = paths(replace(channel, chain=(*channel.chain[:2], replace(trunk, length_mm=None), *channel.chain[3:])))
    assert [joint.complete for joint in path.joints] == [True, True, False, False]
    # 0.838 - 0.120 of the trunk
    assert path.joints[-1].loss_ndb == 718_000_000


def test_light_stops_where_the_trunk_has_no_fibre() -> None:
    # Straight cassette, port 3: side A is position 5, which a trunk filled for eight leaves dark.
    (path,) = paths(CASES["pc-48"])
    (lane,) = path.onward
    assert lane.at == (
        ((0, 2), (0, 2)), ((0, 1), (3, 1)), ((0, 5), (0, 5)), (None, None), (None, None), (None, None)
    )  # fmt: skip
    assert (lane.arrives, lane.code) == ("dark", "DARK_LANE")
    assert path.joints[1].right.which == "port 3"
    assert path.joints[2].codes == ("DARK_LANE",)


def test_light_does_not_enter_another_ferrule() -> None:
    (path,) = paths(CASES["pc-28"])
    assert path.onward[0].at == (((0, 1), None), (None, None))


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_way_of_every_lane_ends_where_the_verdict_says(name: str) -> None:
    verdict = judge(CASES[name])
    for path in light_of(CASES[name], verdict):
        maps = verdict.legs.get(path.leg)
        onward, back = (maps.a_to_z, maps.z_to_a) if maps else (verdict.a_to_z, verdict.z_to_a)
        assert {lane.label: lane.arrives for lane in path.onward} == onward
        assert {lane.label: lane.arrives for lane in path.back} == back
        for lanes, far, side, joint in ((path.onward, path.z, 1, -1), (path.back, path.a, 0, 0)):
            for lane in lanes:
                place = lane.at[joint][side]
                if lane.arrives in ("dark", None):
                    assert place is None or place[1] not in (*far.tx, *far.rx)
                else:
                    kind, number = lane.arrives.rpartition(".")[2][:2], int(lane.arrives.rpartition("x")[2])
                    assert place is not None
                    assert place[1] == (far.tx if kind == "Tx" else far.rx)[number - 1]


def test_the_path_of_a_splitter_is_told_leg_by_leg() -> None:
    told = "\n".join(light_lines(paths(CASES["pc-30"])))
    assert "leg 1\n" in told
    assert "splitter 1 leg 2 (MPO-12, no pins, APC) | leg 2 end (MPO-12, pins, APC)" in told


def sheets(name: str, title: str = "x") -> str:
    channel = CASES[name]
    found = repair(channel)
    verdict = judge(channel)
    sketches = list(light_sketches(title, verdict, light_of(channel, verdict), found.changes if found else ()))
    return svg_of_sketches(sketches, Identity("p", "A", "", "0" * 64, "0", False))


def test_the_drawing_has_every_joint_both_ways_and_the_repair() -> None:
    root = ET.fromstring(sheets("pc-10", "<&\"'>"))  # noqa: S314 - ours
    words = ["".join(element.itertext()) for element in root.iter() if element.tag.endswith("}text")]
    assert {"joint 1", "joint 2", "joint 3", "aligned keys", "APC_ALIGNED_KEY", "cord 2", "Tx4", "Rx1"} <= set(words)
    assert "Light path of <&\"'>: fail" in words
    assert "smallest repair: adapter 1: opposed keys instead of aligned keys; cord 2: Type A instead of B" in words
    lines = [element for element in root.iter() if element.tag.endswith("}line")]
    # 4 lanes x (3 joints + 2 cords) each way; a barb of an arrow is a line too, and none of them is dashed.
    assert sum("stroke-dasharray" in line.attrib for line in lines) == 20


def test_a_long_channel_goes_on_with_the_joint_where_it_ended() -> None:
    end = parallel_receptacle("MM")
    cords = [array_cord("B", "MM" if n % 2 else "FF", fibre="OM4") for n in range(9)]
    channel = Channel(end, tuple(part for cord in cords for part in (cord, adapter("A")))[:-1], end)
    verdict = judge(channel)
    titles, firsts = [], []
    for sheet in light_sketches("x", verdict, light_of(channel, verdict)):
        words = [shape.text for shape in sheet.shapes if isinstance(shape, Words)]
        joints = [word for word in words if word.startswith("joint ")]
        titles.append(sheet.title)
        firsts.append((joints[0], joints[-1]))
    assert firsts == [("joint 1", "joint 6"), ("joint 6", "joint 10")]
    assert titles[1].endswith("(2 of 2): pass")
