"""Lengths of links by the words of the design alone (section 9), in exact fractions and with networkx' Dijkstra.

Slow and plain on purpose: it shares no code with the planner, so that both can only agree by being right. Points are
exact; a length in micrometres is a fraction along the axes and a float elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, combinations, pairwise
from math import dist, inf

import networkx as nx

from tests.oracle.rooms import DeviceAt, ExitOf, ManagerOf, RackAt, RackKind, RoomOf

MEET = 1_000
"""Pathways whose ends come within a millimetre of another of their height meet it."""

Spot = tuple[Fraction, Fraction, Fraction]
Node = tuple[Fraction, Fraction, Fraction]
End = tuple[int, int]
"""Device and cage."""


@dataclass(frozen=True)
class Terms:
    """Exact terms of one way, in micrometres. names: exits and pathways, to say which way it is."""

    a_in_rack: float
    a_rise: float
    pathway: float
    z_rise: float
    z_in_rack: float
    names: tuple[str, ...] = ()

    @property
    def total(self) -> float:
        return self.a_in_rack + self.a_rise + self.pathway + self.z_rise + self.z_in_rack


# --- inside a rack --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PortAt:
    """A port in its rack; out: +1 where a plug stands out to the rack's rear; side: of the rack facing its front."""

    x: int
    depth: int
    z: int
    out: int
    side: int


def port_at(room: RoomOf, end: End) -> PortAt:
    device = room.devices[end[0]]
    model, kind = room.models[device.model], _kind(room, device)
    x, z = model.cages[end[1]]
    # A device's front stands at the rail of its mounting face; its other face is its depth behind it.
    front = kind.front_rail if device.mount == "front" else kind.rear_rail
    to_rear = 1 if device.mount == "front" else -1
    on_front = model.face == "front"
    depth = front if on_front else front + to_rear * model.depth
    out = -to_rear if on_front else to_rear
    # Facing ports that look to the rack's front, right is the rack's right; facing its rear, left and right change.
    from_middle = x - model.width // 2
    hand = -1 if 2 * x <= model.width else 1
    mirror = -1 if out == 1 else 1
    slot = kind.units + 1 - device.u if kind.from_top else device.u
    return PortAt(from_middle * mirror, depth, kind.u1 + kind.pitch * (slot - 1) + z, out, hand * mirror)


def _kind(room: RoomOf, device: DeviceAt) -> RackKind:
    return room.kinds[room.racks[device.rack].kind]


def manager_of(kind: RackKind, exit_: ExitOf) -> ManagerOf:
    """An exit serves the manager nearest to it in plan."""
    return min(kind.managers, key=lambda m: abs(m.x - exit_.x) + abs(m.depth - exit_.depth))


def side_of(manager: ManagerOf) -> int:
    return -1 if manager.x < 0 else 1


def managers_on(kind: RackKind, side: int) -> list[ManagerOf]:
    return [m for m in kind.managers if side_of(m) == side] or list(kind.managers)


def on_side(kind: RackKind, side: int) -> list[ExitOf]:
    """Exits on a side; all of them where the rack has none there."""
    own = [e for e in kind.exits if side_of(manager_of(kind, e)) == side]
    return own or list(kind.exits)


def to_column(port: PortAt, manager: ManagerOf, standoff: int) -> int:
    """Straight out by the standoff, across to the manager, and in depth to it."""
    tip = port.depth + port.out * standoff
    return standoff + abs(manager.x - port.x) + abs(manager.depth - tip)


def to_exit(kind: RackKind, port: PortAt, exit_: ExitOf, standoff: int) -> int:
    manager = manager_of(kind, exit_)
    beside = abs(exit_.x - manager.x) + abs(exit_.depth - manager.depth)
    return to_column(port, manager, standoff) + abs(exit_.z - port.z) + beside


def inside(room: RoomOf, a_end: End, z_end: End, a_standoff: int, z_standoff: int) -> Iterator[Terms]:
    """Every way between two ports of one rack."""
    kind = _kind(room, room.devices[a_end[0]])
    a, z = port_at(room, a_end), port_at(room, z_end)
    a_managers, z_managers = managers_on(kind, a.side), managers_on(kind, z.side)
    together = [m for m in a_managers if m in z_managers]
    for m in together:
        yield Terms(to_column(a, m, a_standoff) + abs(a.z - z.z), 0, 0, 0, to_column(z, m, z_standoff))
    if together:
        return
    for ea in kind.exits:
        for ez in kind.exits:
            ma, mz = manager_of(kind, ea), manager_of(kind, ez)
            if ma in a_managers and mz in z_managers:
                beside = sum(abs(e.x - m.x) + abs(e.depth - m.depth) for e, m in ((ea, ma), (ez, mz)))
                across = abs(ea.x - ez.x) + abs(ea.depth - ez.depth) + abs(ea.z - ez.z) + beside
                a_in = to_column(a, ma, a_standoff) + abs(ea.z - a.z) + across
                yield Terms(a_in, 0, 0, 0, to_column(z, mz, z_standoff) + abs(ez.z - z.z))
    for depth, height in kind.crossings:
        for ma in a_managers:
            for mz in z_managers:
                across = abs(ma.x - mz.x) + abs(ma.depth - depth) + abs(mz.depth - depth)
                a_in = to_column(a, ma, a_standoff) + abs(height - a.z) + across
                yield Terms(a_in, 0, 0, 0, to_column(z, mz, z_standoff) + abs(height - z.z))


def crossings(kind: RackKind) -> Iterator[tuple[ManagerOf, ManagerOf, int, int, int]]:
    """From one manager to one of the other side: both, the heights at which it leaves and arrives, and its length."""
    for one in kind.exits:
        for other in kind.exits:
            m, n = manager_of(kind, one), manager_of(kind, other)
            if side_of(m) != side_of(n):
                beside = sum(abs(e.x - k.x) + abs(e.depth - k.depth) for e, k in ((one, m), (other, n)))
                over = abs(one.x - other.x) + abs(one.depth - other.depth) + abs(one.z - other.z)
                yield m, n, one.z, other.z, over + beside
    for depth, height in kind.crossings:
        for m in kind.managers:
            for n in kind.managers:
                if side_of(m) != side_of(n):
                    yield m, n, height, height, abs(m.x - n.x) + abs(m.depth - depth) + abs(n.depth - depth)


def steps_between(room: RoomOf, a: int, z: int) -> int:
    """How many racks to the right (facing the fronts) z stands of a, all between open and touching; 0 where not so."""
    here, there = room.racks[a], room.racks[z]
    if here.front != there.front or not room.kinds[here.kind].bay_max:
        return 0
    for turn in (1, -1):
        at, steps, seen = a, 0, {a}
        while True:
            beside = [n for n in range(len(room.racks)) if n not in seen and _beside(room, at, n) == turn]
            if not beside or not room.kinds[room.racks[beside[0]].kind].bay_max:
                break
            # Where two racks stand in one place the first counts; such rooms are at fault.
            at, steps = min(beside), steps + 1
            seen.add(at)
            if at == z:
                most = min(room.kinds[here.kind].bay_max, room.kinds[there.kind].bay_max)
                return turn * steps if steps <= most else 0
    return 0


def _beside(room: RoomOf, a: int, z: int) -> int:
    """1 where rack z touches a's right side as seen facing its front, -1 its left side, else 0."""
    one, other = room.racks[a], room.racks[z]
    if one.front != other.front or not room.kinds[other.kind].bay_max:
        return 0
    k, n = room.kinds[one.kind], room.kinds[other.kind]
    right = [plan_point(k, one, k.width // 2, d) for d in (0, k.depth)]
    left = [plan_point(n, other, -n.width // 2, d) for d in (0, n.depth)]
    along = 0 if one.front in ("north", "south") else 1
    my_left, its_right = _sides_turned(k, one, n, other)
    for turn, mine, its in ((1, right, left), (-1, my_left, its_right)):
        if abs(mine[0][along] - its[0][along]) <= MEET:
            low = max(min(p[1 - along] for p in mine), min(p[1 - along] for p in its))
            high = min(max(p[1 - along] for p in mine), max(p[1 - along] for p in its))
            if low < high:
                return turn
    return 0


def _sides_turned(
    k: RackKind, one: RackAt, n: RackKind, other: RackAt
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    left = [plan_point(k, one, -k.width // 2, d) for d in (0, k.depth)]
    right = [plan_point(n, other, n.width // 2, d) for d in (0, n.depth)]
    return left, right


def sideways(room: RoomOf, a_end: End, z_end: End, a_standoff: int, z_standoff: int) -> Iterator[Terms]:
    """Every way between the ports of two open racks without a rise."""
    a_rack, z_rack = room.devices[a_end[0]].rack, room.devices[z_end[0]].rack
    steps = steps_between(room, a_rack, z_rack)
    if not steps:
        return
    to_right = 1 if steps > 0 else -1
    a, z = port_at(room, a_end), port_at(room, z_end)
    for one in _to_facing(room, a_rack, a, to_right, a_standoff):
        for other in _to_facing(room, z_rack, z, -to_right, z_standoff):
            over = abs(one.at[0] - other.at[0]) + abs(one.at[1] - other.at[1]) + one.crossing + other.crossing
            a_own, z_own = one.own, other.own
            # Where both ends are free to pass at any height the climb is shared, else it is the free end's.
            match one.level, other.level:
                case None, None:
                    over += abs(a.z - z.z)
                case int(level), None:
                    z_own += abs(level - z.z)
                case None, int(level):
                    a_own += abs(level - a.z)
                case first, last:
                    over += abs((first or 0) - (last or 0))
            yield Terms(a_own + over, 0, 0, 0, z_own)


@dataclass(frozen=True)
class ToFacing:
    """From a port to the manager that faces the other rack: what is the port's own, a crossing in its rack, the height
    at which that arrives (None without one), and the manager's plan point."""

    own: int
    crossing: int
    level: int | None
    at: tuple[int, int]


def _to_facing(room: RoomOf, rack_number: int, port: PortAt, side: int, standoff: int) -> Iterator[ToFacing]:
    rack = room.racks[rack_number]
    kind = room.kinds[rack.kind]
    own = managers_on(kind, port.side)
    for facing in (m for m in kind.managers if side_of(m) == side):
        at = plan_point(kind, rack, facing.x, facing.depth)
        if facing in own:
            yield ToFacing(to_column(port, facing, standoff), 0, None, at)
        for m, n, leave, arrive, length in crossings(kind):
            if m in own and n == facing:
                yield ToFacing(to_column(port, m, standoff) + abs(leave - port.z), length, arrive, at)


# --- in the room ----------------------------------------------------------------------------------------------------


def plan_point(kind: RackKind, rack: RackAt, x: int, depth: int) -> tuple[int, int]:
    half, w, d = kind.width // 2, kind.width, kind.depth
    west, south = rack.west, rack.south
    return {
        "south": (west + half + x, south + depth),
        "north": (west + w - half - x, south + d - depth),
        "east": (west + d - depth, south + half + x),
        "west": (west + depth, south + w - half - x),
    }[rack.front]


@dataclass(frozen=True)
class Piece:
    """A straight piece of a pathway (its number), with the fractions at which it is cut."""

    run: int
    p: tuple[int, int, int]
    q: tuple[int, int, int]
    cuts: set[Fraction] = field(default_factory=set, hash=False)

    def node(self, t: Fraction) -> Node:
        x, y, z = (a + t * (b - a) for a, b in zip(self.p, self.q, strict=True))
        return x, y, z

    @property
    def level(self) -> bool:
        return self.p[2] == self.q[2]

    def nearest(self, *at: int) -> tuple[Fraction, Fraction]:
        """Fraction along the piece, and squared distance; in plan for a plan point, in space for one with a height."""
        axes = range(len(at))
        way = [self.q[i] - self.p[i] for i in axes]
        squared = sum(d * d for d in way)
        t = Fraction(sum((at[i] - self.p[i]) * way[i] for i in axes), squared) if squared else Fraction(0)
        t = min(max(t, Fraction(0)), Fraction(1))
        there = self.node(t)
        return t, sum(((there[i] - at[i]) ** 2 for i in axes), Fraction(0))

    def at_height(self, z: int) -> Fraction:
        """Where an upright piece is at a height, or the end that comes nearest."""
        t = Fraction(z - self.p[2], self.q[2] - self.p[2])
        return min(max(t, Fraction(0)), Fraction(1))


@dataclass(frozen=True)
class Join:
    node: Node
    rise: float
    run: int


class Web:
    """The pathways of one cable class as a graph, cut wherever they meet, a riser stands, or a rack may join."""

    def __init__(self, room: RoomOf, cable_class: str, only: frozenset[str] | None = None) -> None:
        """only: names of the pathways and risers to build from."""
        self.room = room
        self.pieces = [
            Piece(number, p, q)
            for number, run in enumerate(room.runs)
            if cable_class in run.carries and (only is None or run.name in only)
            for p, q in pairwise(run.corners)
            if p != q
        ]
        self.touching: list[tuple[Node, Node, float]] = []
        self.closest_miss = inf
        for piece in self.pieces:
            piece.cuts.update((Fraction(0), Fraction(1)))
        for one, other in combinations(self.pieces, 2):
            if one.p[2] == other.p[2] or not (one.level and other.level):
                self._meet(one, other)
        for riser in room.risers:
            if only is None or riser.name in only:
                self._rise(riser.at, riser.joins)
        self.joins = {
            (r, e.name): self._joins(r, e) for r, rack in enumerate(room.racks) for e in room.kinds[rack.kind].exits
        }
        self.graph = self._graph()
        self._from: dict[Node, dict[Node, float]] = {}

    def _meet(self, one: Piece, other: Piece) -> None:
        for piece, guest in ((one, other), (other, one)):
            for t, end in ((Fraction(0), guest.p), (Fraction(1), guest.q)):
                at, squared = piece.nearest(*end)
                if squared <= MEET * MEET:
                    piece.cuts.add(at)
                    self.touching.append((piece.node(at), guest.node(t), 0.0))
                if squared:
                    self.closest_miss = min(self.closest_miss, float(squared) ** 0.5)
        if one.level and other.level:
            rx, ry = one.q[0] - one.p[0], one.q[1] - one.p[1]
            sx, sy = other.q[0] - other.p[0], other.q[1] - other.p[1]
            turn = rx * sy - ry * sx
            if turn:
                dx, dy = other.p[0] - one.p[0], other.p[1] - one.p[1]
                t, u = Fraction(dx * sy - dy * sx, turn), Fraction(dx * ry - dy * rx, turn)
                if 0 < t < 1 and 0 < u < 1:
                    one.cuts.add(t)
                    other.cuts.add(u)
            return
        self._meet_in_space(one, other)

    def _meet_in_space(self, one: Piece, other: Piece) -> None:
        """Where two lines come nearest, if that is between the ends of both: nearer than a millimetre is a meeting."""
        r, s, w = (
            [b - a for a, b in zip(*ends, strict=True)]
            for ends in ((one.p, one.q), (other.p, other.q), (one.p, other.p))
        )

        def dot(x: list[int], y: list[int]) -> int:
            return sum(a * b for a, b in zip(x, y, strict=True))

        turn = dot(r, r) * dot(s, s) - dot(r, s) ** 2
        if not turn:
            return
        t = Fraction(dot(w, r) * dot(s, s) - dot(w, s) * dot(r, s), turn)
        u = Fraction(dot(w, r) * dot(r, s) - dot(w, s) * dot(r, r), turn)
        if not (0 < t < 1 and 0 < u < 1):
            return
        squared = sum((a - b) ** 2 for a, b in zip(one.node(t), other.node(u), strict=True))
        if squared:
            self.closest_miss = min(self.closest_miss, float(squared) ** 0.5)
        if squared <= MEET * MEET:
            one.cuts.add(t)
            other.cuts.add(u)
            self.touching.append((one.node(t), other.node(u), 0.0))

    def _rise(self, at: tuple[int, int], names: tuple[str, ...]) -> None:
        met: list[Node] = []
        for name in names:
            pieces = [p for p in self.pieces if self.room.runs[p.run].name == name]
            near = [(squared, t, p) for p in pieces for t, squared in [p.nearest(*at)] if squared <= MEET * MEET]
            for squared, t, piece in near:
                if squared == min(s for s, _, _ in near):
                    piece.cuts.add(t)
                    met.append(piece.node(t))
        for one, other in combinations(met, 2):
            self.touching.append((one, other, float(abs(one[2] - other[2]))))

    def _joins(self, rack_number: int, exit_: ExitOf) -> list[Join]:
        rack = self.room.racks[rack_number]
        kind = self.room.kinds[rack.kind]
        manager = manager_of(kind, exit_)
        del manager  # the drop is the manager's point at its exit: where the exit is
        x, y = plan_point(kind, rack, exit_.x, exit_.depth)
        found = []
        for number, run in enumerate(self.room.runs):
            near = [
                (squared, t, piece)
                for piece in self.pieces
                if piece.run == number
                for t, squared in [piece.nearest(x, y)]
            ]
            least = min((squared for squared, _, _ in near), default=None)
            if least is None or least > kind.reach * kind.reach:
                continue
            climb = 2 * run.wall if run.entry == "side" else 0
            for squared, share, piece in near:
                if squared == least:
                    t = piece.at_height(exit_.z) if piece.p[:2] == piece.q[:2] else share
                    piece.cuts.add(t)
                    rise = float(least) ** 0.5 + float(abs(piece.node(t)[2] - exit_.z)) + climb
                    found.append(Join(piece.node(t), rise, number))
        return found

    def _graph(self) -> nx.Graph[Node]:
        graph: nx.Graph[Node] = nx.Graph()
        for piece in self.pieces:
            whole = dist(piece.p, piece.q)
            cuts = sorted(piece.cuts)
            for low, high in pairwise(cuts):
                self._edge(graph, piece.node(low), piece.node(high), float(high - low) * whole)
        for a, b, length in self.touching:
            self._edge(graph, a, b, length)
        return graph

    @staticmethod
    def _edge(graph: nx.Graph[Node], a: Node, b: Node, length: float) -> None:
        if a != b:
            graph.add_edge(a, b, um=min(length, graph.edges[a, b]["um"]) if graph.has_edge(a, b) else length)

    def along(self, source: Node) -> dict[Node, float]:
        if source not in self._from:
            self._from[source] = (
                nx.single_source_dijkstra_path_length(self.graph, source, weight="um")
                if source in self.graph
                else {source: 0.0}
            )
        return self._from[source]

    def between(self, a_end: End, z_end: End, a_standoff: int, z_standoff: int) -> Iterator[Terms]:
        """The best way of every combination of exits and joins."""
        room = self.room
        a_rack, z_rack = room.devices[a_end[0]].rack, room.devices[z_end[0]].rack
        a_kind, z_kind = room.kinds[room.racks[a_rack].kind], room.kinds[room.racks[z_rack].kind]
        a, z = port_at(room, a_end), port_at(room, z_end)
        for ea in on_side(a_kind, a.side):
            for ez in on_side(z_kind, z.side):
                a_in, z_in = to_exit(a_kind, a, ea, a_standoff), to_exit(z_kind, z, ez, z_standoff)
                for ja in self.joins[a_rack, ea.name]:
                    reach = self.along(ja.node)
                    for jz in self.joins[z_rack, ez.name]:
                        if jz.node in reach:
                            names = (ea.name, room.runs[ja.run].name, room.runs[jz.run].name, ez.name)
                            yield Terms(a_in, ja.rise, reach[jz.node], jz.rise, z_in, names)


TIE = 0.2
"""Totals that differ by less (um) are equal: the planner rounds each piece of a slanted run to the nanometre."""


def best(room: RoomOf, web: Web, a_end: End, z_end: End, a_standoff: int, z_standoff: int) -> list[Terms]:
    """All ways whose total is the shortest; none where there is no way."""
    same = room.devices[a_end[0]].rack == room.devices[z_end[0]].rack
    between = (sideways(room, a_end, z_end, a_standoff, z_standoff), web.between(a_end, z_end, a_standoff, z_standoff))
    ways = list(inside(room, a_end, z_end, a_standoff, z_standoff) if same else chain(*between))
    least = min((way.total for way in ways), default=inf)
    return [way for way in ways if way.total <= least + TIE]
