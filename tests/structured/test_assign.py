"""Trunks by arithmetic, and positions that are given out once."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.structured.assign import Assigned, Run, assigned
from planner.structured.shelf import Insert, PanelSpace
from planner.structured.sizing import Growth, Module, sized

TENTH = Growth(share_ppm=100_000, least=2)
PLATE = Insert("plate-8xmpo-12", front=8, rear=8)
CASSETTE = Insert("cassette-6xlc", front=6, rear=1, module=Module(front=6, rear=1))
REGROUPING = Insert("cassette-2xmpo-12-3xmpo-8", front=3, rear=2, module=Module(front=3, rear=2))


@pytest.mark.parametrize(
    ("used", "reserve", "kept_legs", "trunks"),
    [
        (0, 0, 0, 0),  # nothing to connect, nothing to keep
        (1, 2, 3, 1),  # at least two positions are kept
        (6, 2, 8, 1),  # 6 + 2 = 8 legs: one trunk of 8, full
        (7, 2, 9, 2),
        (21, 3, 24, 3),  # 2.1 is rounded up
        (256, 26, 282, 36),  # 25.6 -> 26; 282 / 8 = 35.25 -> 36
    ],
)
def test_trunks_of_eight_legs_by_hand(used: int, reserve: int, kept_legs: int, trunks: int) -> None:
    size = sized(used, TENTH, Module(), 8)
    assert (size.reserve, size.kept_legs, size.trunks, size.legs) == (reserve, kept_legs, trunks, trunks * 8)


def test_a_cassette_is_kept_whole() -> None:
    # 20 duplex channels and 2 kept are 22, four cassettes of six; four legs of a 48-fibre trunk.
    size = sized(20, TENTH, Module(front=6, rear=1), 4)
    assert (size.used_legs, size.kept_legs, size.trunks) == (4, 4, 1)


def test_two_legs_of_twelve_make_three_of_eight() -> None:
    # 10 channels and 2 kept are 12: four modules of three, which take eight legs.
    size = sized(10, TENTH, Module(front=3, rear=2), 4)
    assert (size.kept_legs, size.trunks) == (8, 2)


def run(count: int, insert: Insert, legs: int, a: int = 0, z: int = 1, first: int = 0) -> Run:
    return Run(a, z, range(first, first + count), legs, TENTH, {a * 10: insert, a * 10 + 1: insert}, {z * 10: insert, z * 10 + 1: insert})  # fmt: skip


def bank(number: int, slots: int) -> list[PanelSpace]:
    return [PanelSpace(number * 10, slots), PanelSpace(number * 10 + 1, slots)]


def test_positions_by_hand() -> None:
    # 9 links and 2 kept: 11 legs, two trunks of 8 on two plates; the reserve behind the links, five legs over.
    found = assigned([run(9, PLATE, 8)], {0: bank(0, 1), 1: bank(1, 4)})
    assert [found.positions[n][1:] for n in (0, 7, 8)] == [(0, 1, 10, 1), (0, 8, 10, 8), (1, 1, 10, 9)]
    assert [(slot.panel, slot.slot, slot.first_front) for slot in found.slots[1]] == [(10, 1, 1), (10, 2, 9)]
    states = [leg.state for leg in found.legs]
    assert (states.count("used"), states.count("reserve"), states.count("spare")) == (9, 2, 5)
    assert states == sorted(states, key=["used", "reserve", "spare"].index)


def test_duplex_ports_of_a_cassette_share_a_leg() -> None:
    found = assigned([run(8, CASSETTE, 2)], {0: bank(0, 4), 1: bank(1, 4)})
    assert [found.positions[n].leg for n in range(8)] == [0] * 6 + [1] * 2
    assert [found.positions[n].z_front for n in range(8)] == [1, 2, 3, 4, 5, 6, 7, 8]


def test_modules_of_two_legs_have_three_ports() -> None:
    found = assigned([run(4, REGROUPING, 4)], {0: bank(0, 4), 1: bank(1, 4)})
    assert [(found.positions[n].leg, found.positions[n].a_front) for n in range(4)] == [(0, 1), (0, 2), (0, 3), (2, 4)]


def test_a_bank_that_is_too_small_is_told_and_gets_nothing() -> None:
    found = assigned([run(20, PLATE, 8)], {0: bank(0, 1), 1: bank(1, 4)})
    assert [(short.bank, short.placed, short.trunks) for short in found.shortages] == [(0, 2, 3)]
    assert (found.positions, found.legs) == ({}, [])


def test_trunks_are_not_divided_between_panels_that_take_them_whole() -> None:
    # Six legs: a plate of eight takes one trunk, and of two slots the legs 7, 8 and 1 to 4 of the second plate another.
    found = assigned([run(10, PLATE, 6)], {0: bank(0, 1), 1: bank(1, 2)})
    panels = {leg.trunk: {leg.a_panel for leg in found.legs if leg.trunk == 0} for leg in found.legs}
    assert all(len(of_trunk) == 1 for of_trunk in panels.values())
    assert [(leg.z_panel, leg.z_rear) for leg in found.legs if leg.trunk == 1] == [(10, n) for n in range(7, 13)]


def laws(found: Assigned, runs: list[Run]) -> None:
    placed = [number for number in range(len(runs)) if number not in {short.run for short in found.shortages}]
    for number in placed:
        a_run, size = runs[number], found.sizes[number]
        assert all(strand in found.positions for strand in a_run.strands)
        fewest = -(-sized(len(a_run.strands), TENTH, a_run.module, 1).kept_legs // a_run.legs_a_trunk)
        assert list(found.trunk_run).count(number) == size.trunks == fewest
    for end in ("a", "z"):
        rear = [(getattr(leg, f"{end}_panel"), getattr(leg, f"{end}_rear")) for leg in found.legs]
        front = [(getattr(p, f"{end}_panel"), getattr(p, f"{end}_front")) for p in found.positions.values()]
        assert len(set(rear)) == len(rear)
        assert len(set(front)) == len(front)
    used = {found.legs[position.leg].state for position in found.positions.values()}
    assert used <= {"used"}
    for slots in found.slots.values():
        ports = [(s.panel, s.first_front + n) for s in slots for n in range(s.insert.front)]
        assert len(set(ports)) == len(ports)


@settings(max_examples=40)
@given(
    counts=st.lists(st.integers(0, 30), min_size=1, max_size=4),
    legs=st.sampled_from([1, 2, 4, 6, 8, 12]),
    insert=st.sampled_from([PLATE, CASSETTE, REGROUPING]),
    slots=st.integers(1, 6),
)
def test_nothing_is_given_twice_and_trunks_are_the_fewest(
    counts: list[int], legs: int, insert: Insert, slots: int
) -> None:
    legs += legs % insert.module.rear
    first = 0
    runs = []
    for number, count in enumerate(counts):
        runs.append(run(count, insert, legs, a=0, z=number % 2 + 1, first=first))
        first += count
    found = assigned(runs, {0: bank(0, slots), 1: bank(1, slots), 2: bank(2, slots)})
    laws(found, runs)
    assert found == assigned(runs, {0: bank(0, slots), 1: bank(1, slots), 2: bank(2, slots)})
