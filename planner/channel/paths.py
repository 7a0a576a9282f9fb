"""A channel as the straight paths it consists of: one from end A to each receptacle at the other end.

A path's elements are the receptacle at A, the components in order, and the receptacle at the far end. Between two
neighbours lies an interface; a joint is two plugs that face each other, with whatever adapters lie between them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from planner.channel.maps import Ports, State, Table, step, table_of
from planner.channel.model import Adapter, Channel, Component, Fan, Plug, Receptacle, Tail

Element = Receptacle | Component


@dataclass(frozen=True, slots=True)
class Path:
    """One way through a channel.

    leg: `1`, or `1.2` behind two fans; empty for a channel without branches.
    splits: index of each fan that branches, with the leg this path takes.
    own_from: index of the first element that no other path shares.
    tables: maps of the components; from_a, from_z: the plugs that light starts from at either end.
    """

    leg: str
    a: Receptacle
    z: Receptacle
    elements: tuple[Element, ...]
    splits: tuple[tuple[int, int], ...]
    own_from: int
    tables: tuple[Table, ...]
    from_a: Ports
    from_z: Ports


def paths_of(channel: Channel) -> tuple[Path, ...]:
    """All paths of a channel, in the order of its branches; raises ValueError where one has no far end."""
    return tuple(_paths(channel.a, channel, channel.chain, (), "", 0))


def _paths(
    a: Receptacle,
    tail: Tail,
    chain: tuple[Component, ...],
    splits: tuple[tuple[int, int], ...],
    leg: str,
    own_from: int,
) -> Iterator[Path]:
    if tail.z is not None:
        yield _path(a, chain, tail.z, splits, leg, own_from)
        return
    if not tail.branches:
        raise ValueError("a chain ends in a receptacle or in branches")
    for branch in tail.branches:
        name = f"{leg}.{branch.leg}" if leg else str(branch.leg)
        taken = (*splits, (len(chain), branch.leg))
        yield from _paths(a, branch, (*chain, *branch.chain), taken, name, len(chain) + 1)


def _path(
    a: Receptacle,
    chain: tuple[Component, ...],
    z: Receptacle,
    splits: tuple[tuple[int, int], ...],
    leg: str,
    own_from: int,
) -> Path:
    fans = [(index, part) for index, part in enumerate(chain, 1) if isinstance(part, Fan)]
    from_a, from_z = _starts(a, fans, z, dict(splits)) if fans else ((), ())
    return Path(leg, a, z, (a, *chain, z), splits, own_from, tuple(map(table_of, chain)), from_a, from_z)


def _starts(a: Receptacle, fans: list[tuple[int, Fan]], z: Receptacle, splits: dict[int, int]) -> tuple[Ports, Ports]:
    """The planned plugs at either end, outermost choice first, of every fan that nothing on the way closes again."""
    open_a: list[Fan] = []
    open_z: list[tuple[int, Fan]] = []
    for index, fan in fans:
        if fan.many_a and open_z:
            open_z.pop()
        elif fan.many_a:
            open_a.append(fan)
        if fan.many_z:
            open_z.append((index, fan))
    # A receptacle that names no port means the far one's: a plan patches port to like port.
    port_a, port_z = a.port or z.port, z.port or a.port
    from_a = [_plug(fan, 0, None if count else port_a) for count, fan in enumerate(open_a)]
    from_z = [
        splits.get(index) or _plug(fan, 2, port_z if (index, fan) == open_z[-1] else None) for index, fan in open_z
    ]
    # Light from A meets the first open fan first, so that fan's plug lies on top of the stack.
    return tuple(reversed(from_a)), tuple(from_z)


def _plug(fan: Fan, side: Literal[0, 2], port: int | None) -> int:
    """The plug of a fan that a plan uses: its own `leg`, else the receptacle's port, else the lowest there is."""
    return fan.leg or port or min((link[side] for link in fan.links or ()), default=1)


@dataclass(frozen=True, slots=True)
class Walk:
    """Where light got to.

    state: at the far end, or None. stopped_at: index of the component that has no fibre for it (or of the blocked
    interface, if `blocked`); -1 at the far end. elsewhere: it left a branching fan by another leg, or before any leg.
    unknown: it met a component without a published map.
    """

    state: State | None
    stopped_at: int = -1
    blocked: bool = False
    elsewhere: bool = False
    unknown: bool = False


def walk_onward(path: Path, position: int, blocked: frozenset[int]) -> Walk:
    """Follow light from a position at A; `blocked` interfaces, numbered by the element after, pass nothing."""
    state: State = (path.from_a, position)
    splits = dict(path.splits)
    last_split = path.splits[-1][0] if path.splits else 0
    for index, table in enumerate(path.tables, 1):
        before_leg = index <= last_split
        if index in blocked:
            return Walk(None, index, blocked=True, elsewhere=before_leg)
        if table is None:
            return Walk(None, index, unknown=True, elsewhere=before_leg)
        after = step(table, state, True)
        if after is None:
            return Walk(None, index, elsewhere=before_leg)
        if index in splits and after[0][-1] != splits[index]:
            return Walk(None, index, elsewhere=True)
        state = after
    end = len(path.tables) + 1
    return Walk(None, end, blocked=True) if end in blocked else Walk(state)


def walk_back(path: Path, position: int, blocked: frozenset[int]) -> Walk:
    """Follow light from a position at Z back to A."""
    state: State = (path.from_z, position)
    for index in range(len(path.tables), 0, -1):
        table = path.tables[index - 1]
        if index + 1 in blocked:
            return Walk(None, index + 1, blocked=True)
        if table is None:
            return Walk(None, index, unknown=True)
        after = step(table, state, False)
        if after is None:
            return Walk(None, index)
        state = after
    return Walk(None, 1, blocked=True) if 1 in blocked else Walk(state)


@dataclass(frozen=True, slots=True)
class Joint:
    """Two plugs that face each other. number counts from 1 at end A; left, right index the path's elements."""

    number: int
    left: int
    right: int


def joints_of(path: Path) -> tuple[Joint, ...]:
    """Every joint of a path, the two at the transceivers included; adapters are inside a joint, not beside it."""
    holders = [index for index, part in enumerate(path.elements) if not isinstance(part, Adapter)]
    return tuple(Joint(number, left, right) for number, (left, right) in enumerate(pairwise(holders), 1))


def joint_before(path: Path, index: int) -> int:
    """Number of the joint on the A side of an element, or of the joint that an adapter stands in."""
    return next(joint.number for joint in joints_of(path) if joint.right >= index)


def plug_towards_z(element: Element) -> Plug:
    if isinstance(element, Receptacle):
        return element.plug
    return Plug(element.ferrule) if isinstance(element, Adapter) else element.z


def plug_towards_a(element: Element) -> Plug:
    if isinstance(element, Receptacle):
        return element.plug
    return Plug(element.ferrule) if isinstance(element, Adapter) else element.a


def names_of(path: Path) -> tuple[str, ...]:
    """What to call each element: its own name, else its word and its count along the path (`cord 2`)."""
    seen: Counter[str] = Counter()
    names: list[str] = []
    for index, part in enumerate(path.elements):
        if index == path.own_from:
            seen.clear()
        word = _word(path, index)
        seen[word] += 1
        where = f"leg {path.leg} " if path.leg and index >= path.own_from else ""
        names.append(part.name or where + (word if isinstance(part, Receptacle) else f"{word} {seen[word]}"))
    return tuple(names)


def _word(path: Path, index: int) -> str:
    part = path.elements[index]
    if isinstance(part, Receptacle):
        return "end A" if index == 0 else "end" if path.leg else "end Z"
    if isinstance(part, Fan):
        return part.kind
    if isinstance(part, Adapter):
        return "adapter"
    # A cable that meets nothing but panels is a trunk; whoever has a transceiver or a duplex face plugs a cord.
    neighbours = (path.elements[index - 1], path.elements[index + 1])
    panels = all(isinstance(neighbour, Adapter) for neighbour in neighbours)
    return "trunk" if panels and part.a.ferrule.pinned else "cord"
