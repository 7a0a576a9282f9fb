"""A repair makes the channel pass, and none is smaller: compared with changing everything there is to change."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from planner.channel import Channel, adapter, array_cord, judge, parallel_receptacle, repair, repairs
from planner.channel.cases import read_cases
from planner.channel.judge import codes_only
from planner.channel.model import Adapter, Component, Cord, Gender, Polish
from planner.channel.repair import MOST_STEPS, passes
from tests.support.examples import examples

CASES = read_cases(yaml.safe_load(Path(__file__).with_name("cases.yaml").read_text(encoding="utf-8")))[0]
BY_ID = {case.id: case.channel for case in CASES}


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("pc-02", ("cord 1: Type B instead of A",)),
        ("pc-04", ("cord 1: APC instead of PC",)),
        ("pc-05", ("cord 1: F-F instead of M-M",)),
        ("pc-07", ("cord 2: Type A instead of B",)),
        ("pc-10", ("adapter 1: opposed keys instead of aligned keys", "cord 2: Type A instead of B")),
        ("pc-14", ("trunk 1: Type B instead of A",)),
        ("pc-18", ("cord 2: Type A instead of B",)),
        ("pc-21", ("trunk 1: M-M instead of F-F",)),
        ("pc-22", ("cord 1: F-F instead of F-M",)),
        ("pc-23", ("trunk 1: OM4 instead of OS2",)),
        ("pc-28", ("cord 1: mpo16 instead of mpo12",)),
        ("pc-31", ("splitter 1: legs 12-11-2-1, 10-9-4-3 instead of as they are",)),
        ("pc-33", ("splitter 1: legs 1-12, 2-11, 3-10, 4-9 instead of as they are",)),
        ("pc-39", ("cord 2: A-A instead of A-B",)),
        ("pc-41", ("cassette 2: reversed labels instead of normal labels",)),
        ("pc-48", ("trunk 1: all positions instead of 8 positions",)),
        ("pc-55", ("cord 1: OM4 instead of OS2",)),
    ],
)
def test_worked_repair(name: str, changes: tuple[str, ...]) -> None:
    found = repair(BY_ID[name])
    assert found is not None
    assert found.changes == changes
    assert passes(judge(found.channel).codes)


@pytest.mark.parametrize("name", ["pc-01", "pc-52", "pc-53", "pc-57"])
def test_nothing_to_repair_or_beyond_a_part(name: str) -> None:
    assert repair(BY_ID[name]) is None


def test_every_repair_passes() -> None:
    for case in CASES:
        for found in repairs(case.channel):
            assert passes(codes_only(found.channel)), (case.id, found.changes)


GENDERS: tuple[Gender, ...] = ("M", "F")
POLISHES: tuple[Polish, ...] = ("APC", "PC")


def everything_else(part: Component, grades: str) -> Iterator[tuple[Component, int]]:
    """Every other form of a part, with the number of properties that differ."""
    if isinstance(part, Adapter):
        yield replace(part, keying="A" if part.keying == "B" else "B"), 1
        return
    assert isinstance(part, Cord)
    now = (part.polarity, part.a.gender, part.z.gender, part.a.polish, part.z.polish, part.fibre)
    for other in product("AB", GENDERS, GENDERS, POLISHES, POLISHES, grades.split()):
        polarity, a_gender, z_gender, a_polish, z_polish, fibre = other
        edits = sum(new != old for new, old in zip(other, now, strict=True))
        if edits:
            a = replace(part.a, gender=a_gender, polish=a_polish)
            z = replace(part.z, gender=z_gender, polish=z_polish)
            yield replace(part, polarity=polarity, a=a, z=z, fibre=fibre), edits


def smallest(channel: Channel, components: int, grades: str = "OS2 OM4") -> int | None:
    """Fewest changed properties with which some choice of that many components passes."""
    best: int | None = None
    for places in combinations(range(len(channel.chain)), components):
        for chosen in product(*(list(everything_else(channel.chain[place], grades)) for place in places)):
            edits = sum(count for _, count in chosen)
            if best is not None and edits >= best:
                continue
            chain = list(channel.chain)
            for place, (part, _) in zip(places, chosen, strict=True):
                chain[place] = part
            if passes(codes_only(replace(channel, chain=tuple(chain)))):
                best = edits
    return best


cords = st.builds(
    array_cord,
    polarity=st.sampled_from("AB"),
    genders=st.sampled_from(["FF", "FF", "MM", "MF"]),
    polish=st.sampled_from(["APC", "APC", "PC"]),
    fibre=st.sampled_from(["OS2", "OS2", "OM4"]),
)
END = parallel_receptacle("SM")


single_mode = cords.filter(lambda cord: cord.fibre == "OS2")


@st.composite
def short_channels(draw: st.DrawFn, most: int, cords: st.SearchStrategy[Cord] = cords) -> Channel:
    parts: list[Component] = [draw(cords)]
    for _ in range(draw(st.integers(0, most - 1))):
        parts += [adapter(draw(st.sampled_from("AB"))), draw(cords)]
    return Channel(END, tuple(parts), END)


@examples(25)
@given(short_channels(3))
def test_no_smaller_repair_of_one_part(channel: Channel) -> None:
    found, least = repair(channel), smallest(channel, 1)
    if passes(codes_only(channel)):
        assert found is None
    elif least is None:
        assert found is None or len(found.changes) == 2
    else:
        assert found is not None
        assert (len(found.changes), found.edits) == (1, least)


@examples(15)
@given(short_channels(2, single_mode))
def test_no_smaller_repair_of_two_parts(channel: Channel) -> None:
    if passes(codes_only(channel)) or smallest(channel, 1) is not None:
        return
    found, least = repair(channel), smallest(channel, 2, "OS2")
    assert (found and found.edits) == least


@given(short_channels(3))
@examples(4)
def test_a_repair_is_the_same_every_time(channel: Channel) -> None:
    assert repair(channel) == repair(channel)


def test_what_is_tried_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain of 1,000 cords that nothing mends: trials are few, as each goes through all of it."""
    tried = 0

    def counted(_channel: Channel) -> frozenset[str]:
        nonlocal tried
        tried += 1
        return frozenset({"POLARITY"})

    monkeypatch.setattr(sys.modules["planner.channel.repair"], "codes_only", counted)
    cord = array_cord("B", "FM")
    assert repairs(Channel(END, (cord,) * 1_000, END)) == ()
    assert tried <= MOST_STEPS // 1_000 + 1
