"""The way of one cable as a person walks it: step by step from port to port, with every corner in the room."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import dist

from planner.catalog.racks import Manager
from planner.layout import Layout, PointUm, Rack
from planner.lengths.inside import InsideRun, runs_inside
from planner.lengths.measure import Lengths, Measure, RoutesOfClass
from planner.locate import Places, hand_of, ways_out
from planner.names import fold
from planner.pathways.network import Network
from planner.pathways.segments import MEET_UM
from planner.project import CableClass

A_IN_RACK, A_RISE, PATHWAY, Z_RISE, Z_IN_RACK = "a_in_rack", "a_rise", "pathway", "z_rise", "z_in_rack"


@dataclass(frozen=True, slots=True)
class Step:
    """A part of the way: the term that it counts in, what it is, its length, and its corners in the room, both ends too.

    length_um: also what counts and is no way in the room (a side wall climbed twice, a measured length's rest).
    """

    term: str
    words: str
    length_um: float
    points_um: tuple[PointUm, ...]


@dataclass(frozen=True, slots=True)
class Walk:
    """All steps from a to z."""

    steps: tuple[Step, ...]

    @property
    def points_um(self) -> tuple[PointUm, ...]:
        points = [point for step in self.steps for point in step.points_um]
        return tuple(point for n, point in enumerate(points) if n == 0 or point != points[n - 1])


def walk_of(measure: Measure, row: int, cable_class: CableClass, a_standoff: int, z_standoff: int) -> Walk | None:
    """The way of a link by a cable of a class, whose plugs stand out by the given standoffs (um); None without one."""
    lengths = measure.lengths(cable_class, a_standoff, z_standoff)
    if not lengths.reachable[row]:
        return None
    ends = (_End.of(measure.layout, measure.a, row, a_standoff), _End.of(measure.layout, measure.z, row, z_standoff))
    if lengths.route[row] < 0:
        return Walk(tuple(_in_managers(measure, lengths, row, *ends)))
    return Walk(tuple(_over_pathways(measure.routes(cable_class), measure.layout, lengths, row, *ends)))


def walk_along(
    measure: Measure, row: int, cable_class: CableClass, standoffs: tuple[int, int], names: tuple[str, ...]
) -> Walk | None:
    """The way over the named pathways and risers alone: that of a link which was led around over-full ones."""
    wanted = {fold(name) for name in names}
    layout = measure.layout
    only = replace(
        layout,
        pathways=tuple(p for p in layout.pathways if fold(p.name) in wanted),
        risers=tuple(
            replace(r, joins=tuple(j for j in r.joins if fold(j) in wanted))
            for r in layout.risers
            if fold(r.name) in wanted
        ),
    )
    alone = Measure(only, measure.a, measure.z, measure.slack, measure.measured_mm, measure.between_mm)
    return walk_of(alone, row, cable_class, *standoffs)


@dataclass(frozen=True, slots=True)
class _End:
    """A port in its rack (x, depth, height, and where its plug looks)."""

    rack: Rack
    x: int
    depth: int
    z: int
    outward: int
    sideways: int
    standoff: int

    @classmethod
    def of(cls, layout: Layout, place: Places, row: int, standoff: int) -> _End:
        x, depth, z = int(place.x_um[row]), int(place.depth_um[row]), int(place.z_um[row])
        outward, sideways = int(place.outward[row]), int(place.sideways[row])
        return cls(layout.racks[int(place.rack[row])], x, depth, z, outward, sideways, standoff)

    def room(self, x: int, depth: int, z: int) -> PointUm:
        return (*self.rack.plan_um(x, depth), z)

    def to_manager(self, manager: Manager) -> tuple[list[str], float, list[PointUm]]:
        """Out of the cage, across and in depth, in words, length and corners."""
        tip_x, tip = self.x + self.sideways * self.standoff, self.depth + self.outward * self.standoff
        points = [
            self.room(self.x, self.depth, self.z),
            self.room(tip_x, tip, self.z),
            self.room(manager.x_mm, tip, self.z),
            self.room(manager.x_mm, manager.y_mm, self.z),
        ]
        across, deep = abs(manager.x_mm - tip_x), abs(manager.y_mm - tip)
        words = [f"{_mm(self.standoff)} out", f"{_mm(across)} across", f"{_mm(deep)} in depth"]
        return words, self.standoff + across + deep, points

    def spoken(self, manager: Manager) -> str:
        face = "rear" if 2 * manager.y_mm > self.rack.type.depth_mm else "front"
        return f"the {face} {hand_of(manager, self.rack.type)} manager of {self.rack.name}"


def _mm(um: float) -> str:
    """`237.35`, `450`: millimetres as a sum by hand has them, to the hundredth."""
    return f"{round(um / 10) / 100:,.2f}".rstrip("0").rstrip(".")


def _in_managers(measure: Measure, lengths: Lengths, row: int, a: _End, z: _End) -> Iterator[Step]:
    """Port, manager, port: inside one rack, or sideways into an open one."""
    number = int(lengths.run[row])
    a_rack, z_rack = int(measure.a.rack[row]), int(measure.z.rack[row])
    same = a_rack == z_rack
    run: InsideRun = list(runs_inside(a.rack.type))[number] if same else measure.bays.between(a_rack, z_rack)[number]
    words, length, out = a.to_manager(run.a)
    yield Step(A_IN_RACK, f"{', '.join(words)} to {a.spoken(run.a)}", length, tuple(out))
    leave, enter = (z.z, z.z) if run.a_level_um is None or run.z_level_um is None else (run.a_level_um, run.z_level_um)
    top, over = a.room(run.a.x_mm, run.a.y_mm, leave), z.room(run.z.x_mm, run.z.y_mm, enter)
    if leave != a.z:
        yield Step(
            A_IN_RACK,
            f"{_mm(abs(leave - a.z))} {'up' if leave > a.z else 'down'} in it",
            abs(leave - a.z),
            (out[-1], top),
        )
    if run.a != run.z or not same:
        how = f"across to {z.spoken(run.z)}" if same else f"sideways to {z.spoken(run.z)}"
        yield Step(A_IN_RACK, f"{_mm(run.across_um)} {how}", run.across_um, (top, over))
    words, length, back = z.to_manager(run.z)
    if enter != z.z:
        yield Step(
            Z_IN_RACK,
            f"{_mm(abs(enter - z.z))} {'down' if enter > z.z else 'up'} in it",
            abs(enter - z.z),
            (over, back[-1]),
        )
    yield Step(Z_IN_RACK, f"{', '.join(reversed(words))} to the port", length, tuple(reversed(back)))


def _over_pathways(
    routed: RoutesOfClass, layout: Layout, lengths: Lengths, row: int, a: _End, z: _End
) -> Iterator[Step]:
    route, backwards = int(lengths.route[row]), bool(lengths.backwards[row])
    a_join, z_join = int(routed.routes.a_join[route]), int(routed.routes.z_join[route])
    if backwards:
        a_join, z_join = z_join, a_join
    yield from _out(a, int(lengths.a_way[row]), A_IN_RACK)
    yield from _rise(routed, layout, a, int(lengths.a_way[row]), a_join, A_RISE)
    yield from _along(routed, layout, route, backwards=backwards)
    yield from _reversed(_rise(routed, layout, z, int(lengths.z_way[row]), z_join, Z_RISE))
    yield from _reversed(_out(z, int(lengths.z_way[row]), Z_IN_RACK))


def _out(end: _End, number: int, term: str) -> Iterator[Step]:
    """From the port to the exit."""
    way = ways_out(end.rack.type)[number]
    words, length, points = end.to_manager(way.manager)
    yield Step(term, f"{', '.join(words)}: {end.spoken(way.manager)}", length, tuple(points))
    up = abs(way.exit.z_mm - end.z)
    above = end.room(way.manager.x_mm, way.manager.y_mm, way.exit.z_mm)
    exit_ = end.room(way.exit.x_mm, way.exit.y_mm, way.exit.z_mm)
    aside = f", {_mm(way.sideways_um)} aside" if way.sideways_um else ""
    yield Step(
        term,
        f"{_mm(up)} along it{aside}: exit {way.exit.name} at {_mm(way.exit.z_mm)}",
        up + way.sideways_um,
        (points[-1], above, exit_),
    )


def _rise(routed: RoutesOfClass, layout: Layout, end: _End, number: int, join: int, term: str) -> Iterator[Step]:
    way = ways_out(end.rack.type)[number]
    joins = routed.joins
    pathway = layout.pathways[int(joins.pathway[join])]
    exit_ = end.room(way.exit.x_mm, way.exit.y_mm, way.exit.z_mm)
    x, y, z = (int(column[join]) for column in (joins.x_um, joins.y_um, joins.z_um))
    aside, up = dist(exit_[:2], (x, y)), abs(z - exit_[2])
    wall = 2 * pathway.type.side_wall_mm if pathway.entry == "side" else 0
    words = [f"{_mm(aside)} aside", f"{_mm(up)} in height"] + ([f"{_mm(wall)} over the side wall"] if wall else [])
    yield Step(term, f"{', '.join(words)}: {pathway.name}", aside + up + wall, (exit_, (x, y, exit_[2]), (x, y, z)))


def _along(routed: RoutesOfClass, layout: Layout, route: int, *, backwards: bool) -> Iterator[Step]:
    """The pathways in order, each with its corners; a riser is one step."""
    network, ways = routed.network, routed.ways
    pieces: list[tuple[int, float, list[PointUm]]] = []
    for n in range(int(ways.bounds[route]), int(ways.bounds[route + 1])):
        for number, length, points in _of_chain(network, int(ways.chain[n]), int(ways.from_nm[n]), int(ways.to_nm[n])):
            if pieces and pieces[-1][0] == number:
                pieces[-1] = (number, pieces[-1][1] + length, pieces[-1][2] + points[1:])
            else:
                pieces.append((number, length, points))
    if backwards:
        pieces = [(number, length, points[::-1]) for number, length, points in reversed(pieces)]
    for number, length, points in pieces:
        name = network.names[number]
        if number >= len(layout.pathways):
            yield Step(PATHWAY, f"{_mm(length)} in the riser {name}", length, tuple(points))
            continue
        measured = ", by its measured length" if layout.pathways[number].measured_um is not None else ""
        straight = [
            point for n, point in enumerate(points) if n in (0, len(points) - 1) or not _in_line(*points[n - 1 : n + 2])
        ]
        yield Step(PATHWAY, f"{_mm(length)} along {name}{measured}", length, tuple(straight))


def _of_chain(network: Network, chain: int, start: int, stop: int) -> Iterator[tuple[int, float, list[PointUm]]]:
    """Straight pieces of a chain between two offsets (nm): the pathway, what it counts (um), and both ends."""
    low, high = min(start, stop), max(start, stop)
    edges = network.edges
    found: list[tuple[int, float, list[PointUm]]] = []
    for e in network.edges_by_chain[chain].tolist():
        first, last = int(edges.chain_from_nm[e]), int(edges.chain_to_nm[e])
        begin, end = max(low, min(first, last)), min(high, max(first, last))
        if begin < end or (low == high and begin == end and not found):
            a, b = network.node_um[int(edges.node_a[e])].tolist(), network.node_um[int(edges.node_b[e])].tolist()
            ends = [_between(a, b, (offset - first) / (last - first)) for offset in (begin, end)]
            found.append((int(edges.pathway[e]), (end - begin) / 1000, ends))
    yield from found if start <= stop else ((n, length, ends[::-1]) for n, length, ends in reversed(found))


def _between(a: list[int], b: list[int], share: float) -> PointUm:
    x, y, z = (round(p + (q - p) * share) for p, q in zip(a, b, strict=True))
    return x, y, z


def _in_line(a: PointUm, b: PointUm, c: PointUm) -> bool:
    """Whether the middle of three points is no corner."""
    return dist(a, b) + dist(b, c) - dist(a, c) < MEET_UM


def _reversed(steps: Iterator[Step]) -> Iterator[Step]:
    for step in reversed(list(steps)):
        yield replace(step, points_um=step.points_um[::-1])
