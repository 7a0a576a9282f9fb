"""Laws that hold for every chain: parity, reversal, cancelling."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from planner.channel import Channel, adapter, array_cord, duplex_cord, duplex_receptacle, judge, parallel_receptacle
from planner.channel.build import cassette, plug
from planner.channel.ferrules import FERRULES, joint_map
from planner.channel.maps import POLARITIES, Row, table_of
from planner.channel.mirror import mirrored, mirrored_channel
from planner.channel.model import Component, Cord, Keying, Receptacle

ENDS = {
    "mpo12": parallel_receptacle("MM", 4, "mpo12", "PC"),
    "mpo16": parallel_receptacle("MM", 8, "mpo16", "PC"),
}
RIGHT = {face: {f"Tx{k}": f"Rx{k}" for k in range(1, len(end.tx) + 1)} for face, end in ENDS.items()}

faces = st.sampled_from(sorted(ENDS))
keyings: st.SearchStrategy[Keying] = st.sampled_from(["A", "B"])


def chain_of(polarities: list[str], plates: list[Keying], face: str) -> tuple[Component, ...]:
    """Flat cords that mate everywhere: pins alternate, and the last cord meets the pinned module."""
    parts: list[Component] = []
    for index, polarity in enumerate(polarities):
        cord = array_cord(polarity, "FF" if index == 0 else "MF", "PC", "OM4", face)
        parts += [cord] if index == 0 else [adapter(plates[index - 1], face), cord]
    return tuple(parts)


@st.composite
def flat_chains(draw: st.DrawFn, polarities: str) -> tuple[list[str], list[Keying], str]:
    cords = draw(st.lists(st.sampled_from(list(polarities)), min_size=1, max_size=7))
    plates = draw(st.lists(keyings, min_size=len(cords) - 1, max_size=len(cords) - 1))
    return cords, plates, draw(faces)


@given(flat_chains("AB"))
def test_parity_law(chain: tuple[list[str], list[Keying], str]) -> None:
    cords, plates, face = chain
    verdict = judge(Channel(ENDS[face], chain_of(cords, plates, face), ENDS[face]))
    odd = (cords.count("B") + plates.count("B")) % 2 == 1
    assert verdict.verdict == ("pass" if odd else "fail")
    assert verdict.codes == (() if odd else ("POLARITY",))
    assert (verdict.a_to_z == RIGHT[face]) is odd


@given(flat_chains("ABC"))
def test_pair_swaps_cancel_in_pairs(chain: tuple[list[str], list[Keying], str]) -> None:
    cords, plates, face = chain
    verdict = judge(Channel(ENDS[face], chain_of(cords, plates, face), ENDS[face]))
    reversals = cords.count("B") + plates.count("B")
    expected = "POLARITY" if reversals % 2 == 0 else "LANE_ORDER" if cords.count("C") % 2 else ""
    assert verdict.codes == ((expected,) if expected else ())


cord_parts = st.builds(
    array_cord,
    polarity=st.sampled_from(["A", "B", "C"]),
    genders=st.sampled_from(["FF", "MM", "FM", "MF"]),
    polish=st.sampled_from(["APC", "PC", None]),
    fibre=st.sampled_from(["OS2", "OM3", "OM4", None]),
    face=st.sampled_from(["mpo8", "mpo12", "mpo16"]),
    populated=st.sampled_from([None, "base8", (1, 2, 3, 12)]),
)
plates = st.builds(adapter, keying=st.sampled_from(["A", "B", None]), face=st.sampled_from(["mpo12", "mpo16"]))
cassettes = st.builds(
    cassette,
    wiring=st.sampled_from(["straight", "U1", "U2", None]),
    rear=st.just(plug("mpo12", "M", "PC")),
    duplex=st.just(plug("lc2", "-", "UPC")),
    fibre=st.just("OM4"),
    lc_towards=st.sampled_from(["a", "z"]),
    labels_reversed=st.booleans(),
)
duplex_cords = st.builds(duplex_cord, polarity=st.sampled_from(["A-B", "A-A"]), fibre=st.just("OM4"))
ends: st.SearchStrategy[Receptacle] = st.one_of(
    st.sampled_from([*ENDS.values(), parallel_receptacle("SM", 2)]),
    st.builds(duplex_receptacle, medium=st.just("MM"), port=st.sampled_from([None, 1, 3, 6, 9])),
)
channels = st.builds(
    Channel,
    a=ends,
    chain=st.lists(st.one_of(cord_parts, plates, cassettes, duplex_cords), min_size=1, max_size=6).map(tuple),
    z=ends,
)


@given(channels)
def test_reversal_swaps_the_maps(channel: Channel) -> None:
    """Any chain at all, buildable or not: seen from the other end it has the same codes and the maps exchanged."""
    here, there = judge(channel), judge(mirrored_channel(channel))
    assert (there.a_to_z, there.z_to_a) == (here.z_to_a, here.a_to_z)
    thin = {"DARK_LANE"}  # too few lanes for the receivers is asked of end Z only
    assert set(there.codes) - thin == set(here.codes) - thin
    assert {fact.what for fact in there.unknown} == {fact.what for fact in here.unknown}


@given(cord_parts)
def test_turning_a_part_twice_changes_nothing(cord: Cord) -> None:
    assert table_of(mirrored(mirrored(cord))) == table_of(cord)


@given(st.sampled_from(sorted(FERRULES)), st.sampled_from(sorted(POLARITIES)))
def test_every_named_map_is_its_own_inverse(face: str, polarity: str) -> None:
    table = table_of(array_cord(polarity, face=face) if face != "mpo8" else array_cord(polarity))
    assert isinstance(table, Row)
    assert table.onward == table.back


@given(st.lists(st.sampled_from(["A-A", "A-B"]), min_size=1, max_size=6))
def test_duplex_swaps_are_counted(polarities: list[str]) -> None:
    parts: list[Component] = []
    for polarity in polarities:
        parts += [*([adapter("A", "lc2")] if parts else []), duplex_cord(polarity, fibre="OM4")]
    verdict = judge(Channel(duplex_receptacle("MM"), tuple(parts), duplex_receptacle("MM")))
    swaps = polarities.count("A-B") + len(polarities) - 1
    assert verdict.verdict == ("pass" if swaps % 2 else "fail")


def test_two_row_joints() -> None:
    opposed, aligned = joint_map(FERRULES["mpo24"], aligned=False), joint_map(FERRULES["mpo24"], aligned=True)
    assert opposed[1:] == (*range(13, 25), *range(1, 13))
    assert aligned[1:] == (*range(12, 0, -1), *range(24, 12, -1))
    assert [opposed[opposed[position]] for position in range(1, 25)] == list(range(1, 25))


def test_two_row_joints_cancel_only_in_pairs() -> None:
    end = parallel_receptacle("MM", 12, "mpo24", "PC")

    def verdict(joints: int) -> str:
        cords = ["B", *["A"] * joints]
        return judge(Channel(end, chain_of(cords, ["A"] * joints, "mpo24"), end)).verdict

    assert [verdict(joints) for joints in range(5)] == ["pass", "fail", "pass", "fail", "pass"]


def test_gender_polish_and_keys_do_not_blank_a_map() -> None:
    end = parallel_receptacle("SM")
    bad = replace(array_cord("B", "MM", "PC"), fibre="OM4")
    assert judge(Channel(end, (bad,), end)).a_to_z == RIGHT["mpo12"]
