"""Laws of lengths that hold in every room, whatever its shape: for each class, and for links between all cages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from planner.lengths.measure import NO_LENGTH, Lengths
from planner.project import CableClass
from tests.oracle.rooms import MM, RoomOf, measure_of, mirrored, moved, rooms, turned
from tests.support.examples import examples

CLASSES: tuple[CableClass, ...] = ("copper", "fibre")
OF_EITHER_CLASS = st.sampled_from(CLASSES)

End = tuple[int, int]
Pair = tuple[End, End]


def pairs_of(room: RoomOf) -> list[Pair]:
    return [(a, z) for n, a in enumerate(room.ends) for z in room.ends[n + 1 :]][:60]


def lengths(room: RoomOf, pairs: Sequence[Pair], cable_class: CableClass) -> Lengths:
    with TemporaryDirectory() as folder:
        return measure_of(room, list(pairs), Path(folder)).lengths(cable_class, 100 * MM, 80 * MM)


def told(found: Lengths) -> list[tuple[int, int]]:
    return list(zip(found.routed.tolist(), found.required.tolist(), strict=True))


@given(rooms(), OF_EITHER_CLASS, st.integers(-50_000, 50_000), st.integers(-50_000, 50_000))
def test_moving_the_room_by_whole_millimetres(room: RoomOf, cable_class: CableClass, dx: int, dy: int) -> None:
    pairs = pairs_of(room)
    assert told(lengths(moved(room, dx * MM, dy * MM), pairs, cable_class)) == told(lengths(room, pairs, cable_class))


@given(rooms(), OF_EITHER_CLASS, st.integers(1, 3))
def test_quarter_turns(room: RoomOf, cable_class: CableClass, turns: int) -> None:
    pairs, other = pairs_of(room), room
    for _ in range(turns):
        other = turned(other)
    assert told(lengths(other, pairs, cable_class)) == told(lengths(room, pairs, cable_class))


@given(rooms(), OF_EITHER_CLASS)
def test_mirroring_with_racks_and_cages_mirrored_too(room: RoomOf, cable_class: CableClass) -> None:
    # A cage in the middle counts as left in either room, so it has no mirror image.
    apart = tuple(replace(m, cages=tuple((x + (2 * x == m.width) * MM, z) for x, z in m.cages)) for m in room.models)
    room = replace(room, models=apart)
    pairs = pairs_of(room)
    assert told(lengths(mirrored(room), pairs, cable_class)) == told(lengths(room, pairs, cable_class))


@given(rooms(), OF_EITHER_CLASS)
def test_swapping_the_ends_of_links(room: RoomOf, cable_class: CableClass) -> None:
    pairs = pairs_of(room)
    with TemporaryDirectory() as folder:
        there = measure_of(room, pairs, Path(folder)).lengths(cable_class, 100 * MM, 80 * MM)
        back = measure_of(room, [(z, a) for a, z in pairs], Path(folder)).lengths(cable_class, 80 * MM, 100 * MM)
    assert told(there) == told(back)


@given(rooms(), OF_EITHER_CLASS, st.randoms(use_true_random=False))
def test_reordering_racks_pathways_risers_and_devices(room: RoomOf, cable_class: CableClass, random: Random) -> None:
    racks = list(range(len(room.racks)))
    devices = list(range(len(room.devices)))
    laid, risers = list(room.runs), list(room.risers)
    for listed in (racks, devices, laid, risers):
        random.shuffle(listed)
    other = replace(
        room,
        racks=tuple(room.racks[n] for n in racks),
        runs=tuple(laid),
        risers=tuple(risers),
        devices=tuple(replace(room.devices[n], rack=racks.index(room.devices[n].rack)) for n in devices),
    )
    pairs = pairs_of(room)
    same = [((devices.index(a), c), (devices.index(z), e)) for (a, c), (z, e) in pairs]
    assert told(lengths(other, same, cable_class)) == told(lengths(room, pairs, cable_class))


@given(rooms(), OF_EITHER_CLASS, st.randoms(use_true_random=False))
def test_renaming_racks(room: RoomOf, cable_class: CableClass, random: Random) -> None:
    names = [rack.name for rack in room.racks]
    random.shuffle(names)
    other = replace(room, racks=tuple(replace(r, name=name) for r, name in zip(room.racks, names, strict=True)))
    pairs = pairs_of(room)
    assert told(lengths(other, pairs, cable_class)) == told(lengths(room, pairs, cable_class))


@given(rooms(square=True, whole=True), OF_EITHER_CLASS, st.integers(0, 5))
def test_a_pathway_more_lengthens_no_link_and_one_less_shortens_none(
    room: RoomOf, cable_class: CableClass, which: int
) -> None:
    """In whole millimetres; elsewhere the rounding of five terms may hide it."""
    if len(room.runs) < 2:
        return
    gone = room.runs[which % len(room.runs)].name
    less = replace(
        room,
        runs=tuple(run for run in room.runs if run.name != gone),
        risers=tuple(
            replace(r, joins=tuple(n for n in r.joins if n != gone)) for r in room.risers if set(r.joins) != {gone}
        ),
    )
    pairs = pairs_of(room)
    assert np.all(lengths(less, pairs, cable_class).routed >= lengths(room, pairs, cable_class).routed)


@given(rooms(), OF_EITHER_CLASS)
def test_what_is_required_is_the_terms_and_the_slack(room: RoomOf, cable_class: CableClass) -> None:
    """Default slack: a loop of 150 or 300 mm at each end, and 3 or 5 % of the routed length, rounded up."""
    found = lengths(room, pairs_of(room), cable_class)
    loops, share = (300, 3) if cable_class == "copper" else (600, 5)
    for row in range(len(found)):
        routed = int(found.routed[row])
        if routed == NO_LENGTH:
            assert int(found.required[row]) == NO_LENGTH
            continue
        terms = [int(getattr(found, name)[row]) for name in ("a_in_rack", "a_rise", "pathway", "z_rise", "z_in_rack")]
        assert min(terms) >= 0
        assert routed == sum(terms)
        assert int(found.required[row]) == routed + loops + -(-routed * share // 100)
        assert int(found.required[row]) >= routed


@examples(25)
@given(rooms(square=True, whole=True))
def test_lengths_obey_the_triangle_of_their_parts(room: RoomOf) -> None:
    """Along the pathways no way is shorter than the straight distance between the two racks' exits."""
    pairs = pairs_of(room)
    with TemporaryDirectory() as folder:
        measure = measure_of(room, pairs, Path(folder))
    found = measure.lengths("fibre", 0, 0)
    drops, offset = measure.drops, measure.drop_offset
    for row in np.flatnonzero(found.route >= 0).tolist():
        a = int(offset[measure.a.rack[row]] + found.a_way[row])
        z = int(offset[measure.z.rack[row]] + found.z_way[row])
        straight = np.hypot(float(drops.x_um[a] - drops.x_um[z]), float(drops.y_um[a] - drops.y_um[z])) / MM
        assert int(found.a_rise[row] + found.pathway[row] + found.z_rise[row]) >= straight - 2
