"""Channels beyond the worked ones: breakouts, cassettes at one end, conversions, one-sided faults, unknown facts."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import pytest

from planner.channel import (
    Branch,
    Channel,
    Receptacle,
    adapter,
    array_cord,
    cassette,
    duplex_cord,
    duplex_receptacle,
    judge,
    parallel_receptacle,
    plug,
    primary_codes,
    splitter,
)
from planner.channel.cases import answers
from planner.channel.catalogued import ferrule_of
from planner.channel.ferrules import FERRULES
from planner.channel.maps import breakout_legs
from planner.channel.model import Component, Cord, Plug, Reach
from planner.channel.recipes import METHODS, duplex_channel, parallel_channel

DR4 = parallel_receptacle("SM")
SR4 = parallel_receptacle("MM", polish="PC")
DR8 = parallel_receptacle("SM", 8, "mpo16")
RIGHT4 = {f"Tx{k}": f"Rx{k}" for k in range(1, 5)}
APC_F = plug("mpo12", "F", "APC")
LC = plug("lc2", "-", "UPC")


def direct(*chain: Component, a: Receptacle = DR4, z: Receptacle = DR4) -> Channel:
    return Channel(a, chain, z)


def test_faults_are_found_all_at_once_with_their_joints() -> None:
    wrong = array_cord("A", "MF", "PC", "OM4")
    verdict = judge(direct(array_cord("B"), adapter("B"), wrong))
    found = {(fault.code, fault.joint, fault.between) for fault in verdict.faults}
    assert found == {
        ("POLISH_MISMATCH", 2, ("cord 1", "cord 2")),
        ("POLISH_MISMATCH", 3, ("cord 2", "end Z")),
        ("FIBRE_TYPE_MIX", 2, ("cord 1", "cord 2")),
        ("POLARITY", 0, ("end A", "end Z")),
    }


def test_a_fault_at_one_end_only() -> None:
    cord = array_cord("B")
    verdict = judge(direct(replace(cord, z=replace(cord.z, gender="M"))))
    assert [(fault.code, fault.joint) for fault in verdict.faults] == [("GENDER_PIN_CLASH", 2)]


def test_names_given_by_the_caller_are_used() -> None:
    verdict = judge(direct(array_cord("B", "MF", name="MFP7E30"), a=replace(DR4, name="leaf-1:1/1")))
    assert verdict.faults[0].between == ("leaf-1:1/1", "MFP7E30")


def test_polarity_follows_from_an_aligned_plate() -> None:
    channel = parallel_channel("B", DR4, DR4, "OS2")
    chain = (channel.chain[0], adapter("B"), *channel.chain[2:])
    verdict = judge(replace(channel, chain=chain))
    assert verdict.codes == ("APC_ALIGNED_KEY", "POLARITY")
    assert verdict.follows == (("POLARITY", "APC_ALIGNED_KEY"),)
    assert primary_codes(verdict) == ("APC_ALIGNED_KEY",)


def test_polarity_that_a_turned_plate_would_not_cure_is_a_cause_of_its_own() -> None:
    # Type C never carries parallel lanes, whatever the plates are.
    verdict = judge(direct(array_cord("C"), adapter("B"), array_cord("B", "MF")))
    assert primary_codes(verdict) == ("APC_ALIGNED_KEY", "POLARITY")


def breakout(*branches: Branch, legs: int = 2, lanes: int = 4) -> Channel:
    fan = splitter(breakout_legs(16, 12, legs, lanes), plug("mpo16", "F", "APC"), APC_F)
    return Channel(DR8, (fan,), None, branches)


def test_mpo16_to_two_mpo12() -> None:
    legs = (Branch(1, (), DR4), Branch(2, (), replace(DR4, lane_offset=4)))
    verdict = judge(breakout(*legs))
    assert (verdict.verdict, verdict.codes) == ("pass", ())
    assert verdict.legs["2"].a_to_z == {"Tx5": "Rx1", "Tx6": "Rx2", "Tx7": "Rx3", "Tx8": "Rx4"}
    assert verdict.legs["2"].z_to_a == {"Tx1": "Rx5", "Tx2": "Rx6", "Tx3": "Rx7", "Tx4": "Rx8"}


def test_legs_in_the_wrong_ports() -> None:
    verdict = judge(breakout(Branch(2, (), DR4), Branch(1, (), replace(DR4, lane_offset=4))))
    assert verdict.codes == ("LEG_ORDER",)
    assert {fault.leg for fault in verdict.faults} == {"1", "2"}


def test_an_unused_leg_is_no_fault() -> None:
    assert judge(breakout(Branch(1, (), DR4))).verdict == "pass"


def test_a_leg_goes_on_through_an_adapter_and_a_cord() -> None:
    pinned = splitter(breakout_legs(16, 12, 2, 4), plug("mpo16", "F", "APC"), plug("mpo12", "M", "APC"))
    on = (adapter("A"), array_cord("A"))
    far = replace(DR4, lane_offset=4)
    good = judge(Channel(DR8, (pinned,), None, (Branch(1, on, DR4), Branch(2, on, far))))
    assert good.verdict == "pass"
    crossed = (adapter("A"), array_cord("B"))
    bad = judge(Channel(DR8, (pinned,), None, (Branch(1, on, DR4), Branch(2, crossed, far))))
    assert [(fault.code, fault.leg) for fault in bad.faults] == [("POLARITY", "2")]


def test_a_chain_that_ends_nowhere_is_never_a_pass() -> None:
    with pytest.raises(ValueError, match="receptacle or in branches"):
        judge(Channel(DR4, (array_cord("B"),), None))


def test_a_fault_before_the_fan_is_told_once() -> None:
    channel = breakout(Branch(1, (), DR4), Branch(2, (), replace(DR4, lane_offset=4)))
    verdict = judge(replace(channel, a=replace(DR8, plug=replace(DR8.plug, polish="PC"))))
    assert [(fault.code, fault.joint, fault.leg) for fault in verdict.faults] == [("POLISH_MISMATCH", 1, "")]


def test_a_face_that_does_not_fit_darkens_its_leg_only() -> None:
    verdict = judge(breakout(Branch(1, (), DR4), Branch(2, (), replace(DR8, lane_offset=4))))
    assert verdict.codes == ("FERRULE_MISMATCH",)
    assert set(verdict.legs["2"].a_to_z.values()) == {"dark"}
    assert verdict.legs["1"].a_to_z == RIGHT4


def test_fans_behind_fans() -> None:
    """800G to two 400G to eight 100G: the second fan hangs on a leg of the first."""
    pinned = splitter(breakout_legs(16, 12, 2, 4), plug("mpo16", "F", "APC"), plug("mpo12", "M", "APC"))
    to_lc = splitter(breakout_legs(12, 2, 4, 1), APC_F, LC)
    branches = tuple(
        Branch(
            leg,
            (adapter("A"), to_lc),
            None,
            tuple(Branch(k, (), duplex_receptacle("SM", lane_offset=4 * (leg - 1) + k - 1)) for k in range(1, 5)),
        )
        for leg in (1, 2)
    )
    verdict = judge(Channel(DR8, (pinned,), None, branches))
    assert (verdict.verdict, verdict.codes) == ("pass", ())
    assert verdict.legs["2.3"].a_to_z == {"Tx7": "Rx1"}


@pytest.mark.parametrize("port", range(1, 7))
@pytest.mark.parametrize("method", ["B", "U1", "U2", "C", "A"])
def test_duplex_methods_on_every_port(method: str, port: int) -> None:
    end = duplex_receptacle("MM", port=port)
    assert judge(duplex_channel(method, end, end, "OM4")).verdict == "pass"


@pytest.mark.parametrize("method", ["A", "B", "C", "U1"])
def test_duplex_methods_with_angled_arrays(method: str) -> None:
    end = duplex_receptacle("SM", port=2)
    assert judge(duplex_channel(method, end, end, "OS2")).verdict == "pass"


def test_method_u2_is_not_for_angled_arrays() -> None:
    end = duplex_receptacle("SM", port=2)
    assert judge(duplex_channel("U2", end, end, "OS2")).codes == ("APC_ALIGNED_KEY",)


@pytest.mark.parametrize("method", ["A", "B", "U1", "U2"])
def test_parallel_methods(method: str) -> None:
    assert judge(parallel_channel(method, SR4, SR4, "OM4")).verdict == "pass"
    angled = judge(parallel_channel(method, DR4, DR4, "OS2"))
    assert angled.codes == (("APC_ALIGNED_KEY",) if method == "U2" else ())


def test_method_c_has_no_parallel_recipe() -> None:
    assert METHODS["C"].parallel_cords is None
    with pytest.raises(ValueError, match="Method C"):
        parallel_channel("C", DR4, DR4, "OS2")


def test_labels_reversed_at_both_ends_send_light_to_another_port() -> None:
    end = duplex_receptacle("MM", port=2)
    channel = duplex_channel("B", end, end, "OM4")
    flipped = replace(
        channel,
        chain=(
            channel.chain[0],
            cassette("straight", plug("mpo12", "M", "PC"), LC, "OM4", labels_reversed=True),
            *channel.chain[2:],
        ),
    )
    verdict = judge(flipped)
    assert verdict.codes == ("PORT_ORDER",)
    assert verdict.a_to_z == {"Tx1": "port5.Rx1"}


def test_a_cassette_as_a_fan_out() -> None:
    """DR4 through a U cassette: port k holds positions k and 13-k, so lane k comes out at port k."""
    chain = (
        array_cord("B"),
        adapter("A"),
        cassette("U1", plug("mpo12", "M", "APC"), LC, lc_towards="z"),
    )
    legs = tuple(Branch(k, (duplex_cord("A-A"),), duplex_receptacle("SM", lane_offset=k - 1)) for k in range(1, 5))
    # Tx 1 leaves at 1, the cord takes it to 12, which is side B of port 1: only a crossing cord hands it to Rx.
    assert judge(Channel(DR4, chain, None, legs)).codes == ("POLARITY",)
    crossing = tuple(replace(leg, chain=(duplex_cord("A-B"),)) for leg in legs)
    verdict = judge(Channel(DR4, chain, None, crossing))
    assert verdict.verdict == "pass"
    assert verdict.legs["3"].a_to_z == {"Tx3": "Rx1"}


def test_base8_under_a_cassette_port() -> None:
    for port, codes in ((1, ()), (3, ("DARK_LANE",))):
        end = duplex_receptacle("MM", port=port)
        channel = duplex_channel("A", end, end, "OM4")
        trunk = array_cord("A", "FF", "PC", "OM4", populated="base8")
        assert judge(replace(channel, chain=(*channel.chain[:3], trunk, *channel.chain[4:]))).codes == codes


def test_a_port_the_cassette_does_not_have() -> None:
    end = duplex_receptacle("MM", port=7)
    assert judge(duplex_channel("A", end, end, "OM4")).codes == ("DARK_LANE",)


TO_24 = {
    leg: {(leg - 1) * 8 + k: position for k, position in enumerate((1, 2, 3, 4, 9, 10, 11, 12), 1)} for leg in (1, 2, 3)
}


@pytest.mark.parametrize("leg", [1, 2, 3])
def test_conversion_into_a_two_row_trunk_and_out_again(leg: int) -> None:
    mpo12, mpo24 = plug("mpo12", "M", "APC"), plug("mpo24", "M", "APC")
    inward = splitter(TO_24, mpo24, mpo12, kind="conversion", legs_on="a", leg=leg)
    outward = splitter(TO_24, mpo24, mpo12, kind="conversion", leg=leg)
    inward = replace(inward, a=mpo12, z=mpo24)
    trunk = array_cord("A", face="mpo24")
    plates = adapter("A", "mpo24")
    chain = (array_cord("A"), adapter("A"), inward, plates, trunk, plates, outward, adapter("A"), array_cord("B"))
    verdict = judge(direct(*chain))
    assert (verdict.codes, verdict.a_to_z) == ((), RIGHT4)


def written(*chain: object, **rest: object) -> dict[str, object]:
    """The answer to one case with DR4 ports, in the written form."""
    profile: dict[str, object] = {"ferrule": "mpo12", "gender": "M", "polish": "APC", "medium": "SM"}
    profile |= {"tx": [1, 2, 3, 4], "rx": [12, 11, 10, 9]}
    found, faults = answers({"profiles": {"dr4": profile}, "cases": [{"id": "x", "chain": list(chain), **rest}]})
    assert faults == []
    return found[0]


UNPINNED = {"gender": "F", "polish": "APC"}
PINNED = {"gender": "M", "polish": "APC"}
PORT: dict[str, object] = {"type": "port", "profile": "dr4"}
PLATE: dict[str, object] = {"type": "adapter", "keying": "A", "ferrule": "mpo12"}
CROSSING: dict[str, object] = {
    "type": "cable",
    "polarity": "B",
    "ferrule": "mpo12",
    "end_a": UNPINNED,
    "end_z": UNPINNED,
    "fibre": "OS2",
}
IN_16: dict[str, object] = {
    "type": "conversion",
    "ferrule_a": "mpo12",
    "ferrule_z": "mpo16",
    "end_a": PINNED,
    "end_z": UNPINNED,
    "fibre": "OS2",
    "legs_on": "a",
}


@pytest.mark.parametrize("from_leg", [False, True])
def test_legs_at_end_a_as_branches(from_leg: bool) -> None:
    """Two DR4 into one DR8: written with the single end last; a branch may be written from its leg or its port."""
    fibres = {str(leg): fibre_map for leg, fibre_map in breakout_legs(16, 12, 2, 4).items()}
    common: dict[str, object] = {"gender": "M", "polish": "APC", "medium": "SM"}
    profiles = {
        "dr4": {**common, "ferrule": "mpo12", "tx": [1, 2, 3, 4], "rx": [12, 11, 10, 9]},
        "dr8": {**common, "ferrule": "mpo16", "tx": list(range(1, 9)), "rx": list(range(16, 8, -1))},
    }
    pinned = {**IN_16, "map": fibres}
    straight = {**CROSSING, "polarity": "A"}
    legs = [[{**PORT, "lane_offset": 4 * (leg - 1)}, straight, PLATE] for leg in (1, 2)]
    branches = [{"leg": leg, "chain": chain[::-1] if from_leg else chain} for leg, chain in enumerate(legs, 1)]
    case = {"id": "x", "chain": [pinned, {"type": "port", "profile": "dr8"}], "branches": branches}
    found, faults = answers({"profiles": profiles, "cases": [case]})
    assert faults == []
    assert found[0]["verdict"] == "pass"
    assert found[0]["legs"] == {
        "1": {"a_to_z": RIGHT4, "z_to_a": RIGHT4},
        "2": {
            "a_to_z": {f"Tx{k}": f"Rx{k + 4}" for k in range(1, 5)},
            "z_to_a": {f"Tx{k + 4}": f"Rx{k}" for k in range(1, 5)},
        },
    }


@pytest.mark.parametrize(("ports", "codes"), [((2, 2), []), ((1, 2), ["PORT_ORDER"])])
def test_a_conversion_in_the_middle_goes_by_the_planned_port(ports: tuple[int, int], codes: list[str]) -> None:
    fibres = {
        leg: dict(zip(range(8 * leg - 7, 8 * leg + 1), (1, 2, 3, 4, 9, 10, 11, 12), strict=True)) for leg in (1, 2)
    }
    inward = {**IN_16, "map": fibres}
    outward = {**inward, "ferrule_a": "mpo16", "ferrule_z": "mpo12", "legs_on": "z"}
    outward |= {"end_a": PINNED, "end_z": PINNED}
    plate16 = {**PLATE, "ferrule": "mpo16"}
    straight = {**CROSSING, "polarity": "A"}
    answer = written(
        {**PORT, "port": ports[0]},
        straight,
        PLATE,
        inward,
        plate16,
        outward,
        PLATE,
        CROSSING,
        {**PORT, "port": ports[1]},
    )
    assert answer["codes"] == codes
    assert answer["a_to_z"] == (RIGHT4 if not codes else {tx: f"port1.{rx}" for tx, rx in RIGHT4.items()})


def test_an_unpublished_map_is_unproven() -> None:
    fan = splitter(None, plug("mpo12", "F", "APC"), plug("mpo12", "F", "APC"), kind="conversion")
    verdict = judge(direct(fan))
    assert verdict.verdict == "unproven"
    assert verdict.a_to_z == dict.fromkeys(RIGHT4)
    assert [(fact.what, fact.where) for fact in verdict.unknown] == [("position map", "conversion 1")]


@pytest.mark.parametrize("what", ["pins", "polish", "fibre", "keying"])
def test_unknown_facts_are_unproven(what: str) -> None:
    cord = array_cord("B")
    blank = {
        "pins": replace(cord, a=replace(cord.a, gender=None)),
        "polish": replace(cord, a=replace(cord.a, polish=None)),
        "fibre": replace(cord, fibre=None),
        "keying": cord,
    }[what]
    plate = adapter(None if what == "keying" else "A")
    verdict = judge(direct(blank, plate, array_cord("A", "MF")))
    assert (verdict.verdict, verdict.codes) == ("unproven", ())
    assert what in {fact.what for fact in verdict.unknown}


def test_a_fault_outweighs_what_is_unknown() -> None:
    cord = array_cord("A")
    assert judge(direct(replace(cord, fibre=None))).verdict == "fail"


def test_mixed_multimode_grades_are_a_note() -> None:
    verdict = judge(direct(array_cord("B", "FF", "PC", "OM3"), a=SR4, z=SR4))
    assert verdict.codes == ()
    chain = (array_cord("B", "FF", "PC", "OM3"), adapter("A"), array_cord("A", "MF", "PC", "OM5"))
    mixed = judge(direct(*chain, a=SR4, z=SR4))
    assert (mixed.verdict, mixed.codes) == ("pass", ("NOTE_LOWEST_GRADE",))


def test_mpo8_enters_an_mpo12() -> None:
    assert judge(direct(array_cord("B", face="mpo8"))).verdict == "pass"
    assert judge(direct(array_cord("B", face="mpo24"))).codes == ("FERRULE_MISMATCH",)


def test_reach_of_a_case_without_a_length_is_the_sum_of_its_parts() -> None:
    port = {"type": "port", "profile": "m"}
    end = {"gender": "F", "polish": "APC"}
    cable = {"type": "cable", "polarity": "B", "ferrule": "mpo12", "end_a": end, "end_z": end, "fibre": "OM4"}
    profile = {"ferrule": "mpo12", "gender": "M", "polish": "APC", "medium": "MM", "tx": [1], "rx": [12]}
    for length_m, expected in (("50", "pass"), ("50.0001", "fail"), (None, "unproven")):
        case = {"id": "x", "chain": [port, {**cable, "length_m": length_m}, port], "reach": {"limit_m": 50}}
        found, faults = answers({"profiles": {"m": profile}, "cases": [case]})
        assert faults == []
        assert found[0]["verdict"] == expected


def test_an_unknown_limit_is_unproven() -> None:
    verdict = judge(replace(direct(array_cord("B")), reach=Reach(10_000, None)))
    assert (verdict.verdict, [fact.what for fact in verdict.unknown]) == ("unproven", ["length"])


def test_a_direct_channel_is_judged_fast() -> None:
    channel = direct(array_cord("B"))
    judge(channel)
    started = perf_counter()
    for _ in range(200):
        judge(channel)
    # A fifth of a millisecond at most where nothing else runs; the bound leaves room for a busy machine.
    assert (perf_counter() - started) / 200 < 0.001


def test_a_connector_or_grade_that_nobody_knows_is_not_proven() -> None:
    """Two faces of one unknown name mate, by unknown positions; an unknown grade is a fibre that nobody states."""
    face = ferrule_of("mmc-16")
    assert ferrule_of("mpo-16") is FERRULES["mpo16"]
    end = Receptacle(Plug(face, "-", "APC"), "SM", (1, 2), (16, 15))
    cord = Cord(end.plug, end.plug, "B", "OS2")
    verdict = judge(Channel(end, (cord,), end))
    assert (verdict.verdict, verdict.codes) == ("unproven", ())
    assert [fact.what for fact in verdict.unknown if fact.what != "pins"] == ["position map"]
    other = judge(Channel(parallel_receptacle("SM", 2, "mpo16"), (cord,), end))
    assert other.codes == ("FERRULE_MISMATCH",)
    single = parallel_receptacle("SM")
    assert [fact.what for fact in judge(Channel(single, (array_cord("B", fibre="om7"),), single)).unknown] == ["fibre"]
