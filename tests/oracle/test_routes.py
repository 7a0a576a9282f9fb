"""The planner's lengths agree with first principles on random rooms, term by term and to the millimetre."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement, product
from math import floor
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import assume, given
from hypothesis import strategies as st

from planner.lengths.measure import NO_LENGTH
from planner.project import CableClass
from tests.oracle.first_principles import End, Terms, Web, best
from tests.oracle.rooms import (
    MM,
    DeviceAt,
    ExitOf,
    ManagerOf,
    Model,
    RackAt,
    RackKind,
    RoomOf,
    Run,
    measure_of,
    rooms,
)
from tests.support.examples import examples

CLASSES: tuple[CableClass, ...] = ("copper", "fibre")
STANDOFFS = st.sampled_from([0, 50 * MM, 80 * MM, 100 * MM, 65_500])


def half_up(um: float) -> set[int]:
    """The millimetres that a term may come to: one, but for slanted runs within 0.1 um of a half."""
    return {floor(um / MM + 0.5 - 1e-4 * (um != int(um))), floor(um / MM + 0.5 + 1e-4 * (um != int(um)))}


def agrees(found: tuple[int, ...], wanted: Terms) -> bool:
    if wanted.a_rise == wanted.z_rise == wanted.pathway == 0:
        # Inside a rack the sum is the same from either end, for which z's term may differ by a millimetre.
        return found[0] in half_up(wanted.a_in_rack) and abs(found[4] * MM - wanted.z_in_rack) < 1.5 * MM
    exact = (wanted.a_in_rack, wanted.a_rise, wanted.pathway, wanted.z_rise, wanted.z_in_rack)
    return all(mm in half_up(um) for mm, um in zip(found, exact, strict=True))


def some_pairs(room: RoomOf, most: int = 40) -> list[tuple[End, End]]:
    """Pairs of different cages, spread over all of them, in either direction."""
    pairs = [(a, z) for a, z in product(room.ends, room.ends) if a != z]
    step = max(1, len(pairs) // most)
    return pairs[::step]


def check_room(room: RoomOf, a_standoff: int, z_standoff: int) -> None:
    pairs = some_pairs(room)
    with TemporaryDirectory() as folder:
        measure = measure_of(room, pairs, Path(folder))
    for cable_class in CLASSES:
        web = Web(room, cable_class)
        # Within a hair of meeting, the two may cut differently by what is allowed; near misses have tests of their own.
        assume(web.closest_miss > 1.5 * MM)
        found = measure.lengths(cable_class, a_standoff, z_standoff)
        routed = measure.routes(cable_class)
        for row, (a, z) in enumerate(pairs):
            wanted = best(room, web, a, z, a_standoff, z_standoff)
            if not wanted:
                assert found.routed[row] == NO_LENGTH, f"{cable_class} {a} {z}: a way where there is none"
                assert found.required[row] == NO_LENGTH
                continue
            terms = tuple(
                int(getattr(found, name)[row]) for name in ("a_in_rack", "a_rise", "pathway", "z_rise", "z_in_rack")
            )
            assert any(agrees(terms, way) for way in wanted), f"{cable_class} {a} {z}: {terms} is none of {wanted}"
            assert found.routed[row] == sum(terms)
            route = int(found.route[row])
            if route >= 0:
                names = frozenset(routed.pathways_of(route, backwards=bool(found.backwards[row])))
                alone = best(room, Web(room, cable_class, names), a, z, a_standoff, z_standoff)
                assert alone, f"{cable_class} {a} {z}: {sorted(names)} alone are no way"
                assert abs(alone[0].total - wanted[0].total) < 1.0, f"{a} {z}: {sorted(names)} are another way"


@examples(60)
@given(room=rooms(), a_standoff=STANDOFFS, z_standoff=STANDOFFS)
def test_random_rooms(room: RoomOf, a_standoff: int, z_standoff: int) -> None:
    check_room(room, a_standoff, z_standoff)


@examples(40)
@given(room=rooms(square=True, whole=True), a_standoff=STANDOFFS, z_standoff=STANDOFFS)
def test_rooms_along_the_axes(room: RoomOf, a_standoff: int, z_standoff: int) -> None:
    """More meetings, overlaps and ties than in slanted rooms."""
    check_room(room, a_standoff, z_standoff)


@examples(20)
@given(room=rooms(), gap=st.sampled_from([0, 500, 1_000, 1_001, 2_000, 50_000]))
def test_an_end_meets_what_is_within_a_millimetre_and_nothing_further(room: RoomOf, gap: int) -> None:
    """A tray over the first rack, a second that ends `gap` beside it: the only way to the far rack."""
    kind = replace(room.kinds[0], reach=3_000 * MM)
    near = replace(room.racks[0], kind=0, west=0, south=0, front="south")
    far = replace(near, name="far", west=20_000 * MM)
    y = 600 * MM
    trays = (
        Run("near", ((0, y), (8_000 * MM, y)), 2_400 * MM, 0),
        Run("far", ((8_000 * MM + gap, y), (22_000 * MM, y)), 2_400 * MM, 0),
    )
    devices = (replace(room.devices[0], rack=0), replace(room.devices[0], name="far", rack=1))
    room = replace(room, kinds=(kind,), racks=(near, far), runs=trays, risers=(), devices=devices)
    with TemporaryDirectory() as folder:
        found = measure_of(room, [((0, 0), (1, 0))], Path(folder)).lengths("fibre", 0, 0)
    assert bool(found.reachable[0]) is (gap <= 1_000)


def test_of_two_equally_near_places_of_one_pathway_the_better_is_joined() -> None:
    """A tray in the form of a U around the first rack's only drop, which is 500 mm from both legs.

    Along the east leg (x = 500) and on to x = 5000 it is 4500 mm; by the west leg it would be 1000 + 2 x 2000 more.
    """
    one = ManagerOf(100 * MM, 1000 * MM)
    kind = RackKind(
        "u", 600 * MM, 1200 * MM, 2200 * MM, 40, 80 * MM, 44_450, False, 150 * MM, 890 * MM, (one,),
        (ExitOf("top", one.x, one.depth, 2200 * MM),), (), 600 * MM,
    )  # fmt: skip
    racks = (
        RackAt("near", 0, -400 * MM, 0, "south"),
        RackAt("far", 0, 4_600 * MM, 0, "south"),
    )  # drops at x 0 and 5000
    y0, y1 = 1000 * MM, 3000 * MM
    legs = ((-500 * MM, y0), (-500 * MM, y1), (500 * MM, y1), (500 * MM, y0), (5_000 * MM, y0))
    model = Model("m", 400 * MM, 400 * MM, "rear", ((300 * MM, 20 * MM),))
    devices = (DeviceAt("d0", 0, 0, 1, "front"), DeviceAt("d1", 0, 1, 1, "front"))
    for points in (legs, legs[::-1]):
        room = RoomOf((kind,), racks, (Run("u", points, 2_400 * MM, 0),), (), (model,), devices)
        with TemporaryDirectory() as folder:
            found = measure_of(room, [((0, 0), (1, 0))], Path(folder)).lengths("fibre", 0, 0)
        assert (int(found.a_rise[0]), int(found.pathway[0]), int(found.z_rise[0])) == (700, 4500, 200)


def test_a_manager_without_an_exit_serves_inside_its_rack() -> None:
    """Two switches with ports at the front, managers front and rear on the left, the exit at the rear.

    By the front manager (x -270, 60 deep, ports at x -100 and 150 deep): 170 across + 90 in depth at each end.
    """
    managers = (ManagerOf(-270 * MM, 60 * MM), ManagerOf(-270 * MM, 1050 * MM))
    kind = RackKind(
        "f", 600 * MM, 1200 * MM, 2200 * MM, 40, 80 * MM, 44_450, False, 150 * MM, 890 * MM, managers,
        (ExitOf("top", -270 * MM, 1050 * MM, 2200 * MM),), (), 600 * MM,
    )  # fmt: skip
    model = Model("m", 400 * MM, 400 * MM, "front", ((100 * MM, 20 * MM),))
    devices = (DeviceAt("d0", 0, 0, 1, "front"), DeviceAt("d1", 0, 0, 11, "front"))
    room = RoomOf(
        (kind,), (RackAt("r", 0, 0, 0, "south"),), (Run("t", ((0, 0), (MM, 0)), 2_400 * MM, 0),), (), (model,), devices
    )
    with TemporaryDirectory() as folder:
        found = measure_of(room, [((0, 0), (1, 0))], Path(folder)).lengths("fibre", 0, 0)
    assert (int(found.a_in_rack[0]), int(found.z_in_rack[0])) == (260 + 445, 260)  # 10 U of 44.45: 444.5, half up


def test_a_slope_is_measured_along_it_and_an_upright_piece_joined_at_the_exit() -> None:
    """Exits at 2200. The first rack's drop is 100 beside an upright piece from 2000 to 2400: joined at 2200, 100 away.

    From there 200 up, a slope of 3000 in plan and 400 in height (3026.5) and 1000 level to the far drop, 500 below.
    """
    one = ManagerOf(100 * MM, 1000 * MM)
    kind = RackKind(
        "u", 600 * MM, 1200 * MM, 2200 * MM, 40, 80 * MM, 44_450, False, 150 * MM, 890 * MM, (one,),
        (ExitOf("top", one.x, one.depth, 2200 * MM),), (), 600 * MM,
    )  # fmt: skip
    racks = (RackAt("near", 0, -400 * MM, 0, "south"), RackAt("far", 0, 3_700 * MM, 0, "south"))  # drops at x 0, 4100
    y = 1000 * MM
    points = ((100 * MM, y), (100 * MM, y), (3_100 * MM, y), (4_100 * MM, y))
    heights = (2_000 * MM, 2_400 * MM, 2_800 * MM, 2_800 * MM)
    model = Model("m", 400 * MM, 400 * MM, "rear", ((300 * MM, 20 * MM),))
    devices = (DeviceAt("d0", 0, 0, 1, "front"), DeviceAt("d1", 0, 1, 1, "front"))
    run = Run("climb", points, 0, 0, heights=heights)
    room = RoomOf((kind,), racks, (run,), (), (model,), devices)
    with TemporaryDirectory() as folder:
        found = measure_of(room, [((0, 0), (1, 0))], Path(folder)).lengths("fibre", 0, 0)
    assert (int(found.a_rise[0]), int(found.pathway[0]), int(found.z_rise[0])) == (100, 200 + 4027, 600)


def test_the_drawn_rooms_have_every_case() -> None:
    """Guards the generator: ways, no ways, in-rack runs, risers and several joins all turn up."""
    seen: set[str] = set()

    @examples(200, database=None)
    @given(room=rooms())
    def look(room: RoomOf) -> None:
        web = Web(room, "fibre")
        for a, z in combinations_with_replacement(room.ends, 2):
            if a == z:
                continue
            same = room.devices[a[0]].rack == room.devices[z[0]].rack
            ways = best(room, web, a, z, 0, 0)
            seen.add("inside" if same else "no way" if not ways else "way")
            if len({way.names for way in ways}) > 1 and not same:
                seen.add("tie")
            if not same and ways and not ways[0].names:
                seen.add("sideways")
            elif not same and ways and ways[0].names[1] != ways[0].names[2]:
                seen.add("two pathways")
        if room.risers:
            seen.add("riser")
        seen.update("slope" for run in room.runs if run.heights)

    look()
    assert seen == {"inside", "no way", "way", "tie", "two pathways", "riser", "slope", "sideways"}
