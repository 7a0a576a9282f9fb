"""Which position light leaves at, for every component: maps as tables, composed step by step.

The algebra (fibre.yaml, polarity_components): Type A keeps positions, Type B counts them from the other end,
Type C exchanges neighbours; a duplex cord A-B exchanges its two fibres, A-A keeps them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal

from planner.channel.ferrules import joint_map
from planner.channel.model import Adapter, Component, Cord, Fan, Link

Ports = tuple[int, ...]
"""Plug numbers light has fanned out into and not yet come back from; the last is the current one."""
State = tuple[Ports, int]


def _straight(size: int) -> tuple[int, ...]:
    return tuple(range(1, size + 1))


def _reversed(size: int) -> tuple[int, ...]:
    return tuple(range(size, 0, -1))


def _neighbours(size: int) -> tuple[int, ...]:
    return tuple(position + 1 if position % 2 else position - 1 for position in range(1, size + 1))


POLARITIES: Final[Mapping[str, Callable[[int], tuple[int, ...]]]] = MappingProxyType(
    {"A": _straight, "B": _reversed, "C": _neighbours, "A-A": _straight, "A-B": _reversed}
)
"""Positions at Z in the order of those at A, by their number. Sources: ftth, cablesplus; duplex: ftth, nv-mpolc, htf."""


def _pairs(size: int) -> tuple[tuple[int, int], ...]:
    return tuple((first, first + 1) for first in range(1, size, 2))


def _folded(size: int) -> tuple[tuple[int, int], ...]:
    return tuple((first, size + 1 - first) for first in range(1, size // 2 + 1))


# Which of the two folded fibres is the A side is not published; k as A and N+1-k as B follows the order in which
# fibre.yaml lists the pairs (cassettes.U1.side_of_each_fibre: unverified). Like modules at both ends cannot tell.
WIRINGS: Final[Mapping[str, Callable[[int], tuple[tuple[int, int], ...]]]] = MappingProxyType(
    {"straight": _pairs, "U1": _folded, "U2": _folded}
)
"""Array positions of the A and B side of each duplex port, by number of positions. Sources: htf, cablesplus (straight); siemon-u (U1, U2)."""


@dataclass(frozen=True, slots=True)
class Row:
    """Map of a component with one plug at each end: position by position, 0 where no fibre is, index 0 unused."""

    onward: tuple[int, ...]
    back: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Map of a fan: (plug, position) by (plug, position), both ways, and whether each end has several plugs."""

    onward: Mapping[tuple[int, int], tuple[int, int]]
    back: Mapping[tuple[int, int], tuple[int, int]]
    many_a: bool
    many_z: bool


Table = Row | Grid | None
"""None is a component whose map nobody states."""


def _inverse(onward: tuple[int, ...], size: int) -> tuple[int, ...]:
    back = [0] * (size + 1)
    for position, there in enumerate(onward):
        if there:
            back[there] = position
    return tuple(back)


@lru_cache(maxsize=4096)
def _cord_row(
    polarity: str | tuple[int, ...],
    size_a: int,
    size_z: int,
    filled_a: tuple[int, ...] | None,
    filled_z: tuple[int, ...] | None,
) -> Row:
    full = POLARITIES[polarity](size_a) if isinstance(polarity, str) else polarity
    onward = [0]
    for position, there in enumerate(full, 1):
        lit = filled_a is None or position in filled_a
        fits = 0 < there <= size_z and (filled_z is None or there in filled_z)
        onward.append(there if lit and fits else 0)
    return Row(tuple(onward), _inverse(tuple(onward), size_z))


@lru_cache(maxsize=256)
def _adapter_row(adapter: Adapter) -> Row | None:
    if (adapter.keying is None and adapter.ferrule.keyed) or not adapter.ferrule.positions:
        return None
    onward = joint_map(adapter.ferrule, adapter.keying == "B")
    return Row(onward, _inverse(onward, adapter.ferrule.positions))


@lru_cache(maxsize=1024)
def _fan_grid(links: tuple[Link, ...], many_a: bool, many_z: bool) -> Grid:
    return Grid(
        MappingProxyType({(plug_a, at_a): (plug_z, at_z) for plug_a, at_a, plug_z, at_z in links}),
        MappingProxyType({(plug_z, at_z): (plug_a, at_a) for plug_a, at_a, plug_z, at_z in links}),
        many_a,
        many_z,
    )


def table_of(component: Component) -> Table:
    """The map of one component, from a cache shared by all channels."""
    if isinstance(component, Adapter):
        return _adapter_row(component)
    # A ferrule of which nobody states the positions has no map either.
    if not (component.a.ferrule.positions and component.z.ferrule.positions):
        return None
    if isinstance(component, Cord):
        if component.polarity is None:
            return None
        filled_a = component.populated if component.populated is not None else component.a.ferrule.populated or None
        size_a, size_z = component.a.ferrule.positions, component.z.ferrule.positions
        return _cord_row(component.polarity, size_a, size_z, filled_a, component.z.ferrule.populated or None)
    if component.links is None:
        return None
    return _fan_grid(component.links, component.many_a, component.many_z)


def step(table: Row | Grid, state: State, onward: bool) -> State | None:
    """Where light in `state` leaves a component, walking towards Z (`onward`) or A; None where no fibre takes it."""
    ports, position = state
    if isinstance(table, Row):
        row = table.onward if onward else table.back
        there = row[position] if position < len(row) else 0
        return (ports, there) if there else None
    enters_many, leaves_many = (table.many_a, table.many_z) if onward else (table.many_z, table.many_a)
    plug = ports[-1] if enters_many else 0
    found = (table.onward if onward else table.back).get((plug, position))
    if found is None:
        return None
    rest = ports[:-1] if enters_many else ports
    return (*rest, found[0]) if leaves_many else rest, found[1]


def cassette_links(wiring: str, positions: int, lc_towards_a: bool, labels_reversed: bool) -> tuple[Link, ...]:
    """Fibres of a cassette by printed port label; side A is position 1 of the duplex face and side B position 2."""
    ports = positions // 2
    links: list[Link] = []
    for port, sides in enumerate(WIRINGS[wiring](positions), 1):
        label = ports + 1 - port if labels_reversed else port
        for side, position in enumerate(sides, 1):
            links.append((label, side, 0, position) if lc_towards_a else (0, position, label, side))
    return tuple(sorted(links))


def reversed_fan(fan: Fan) -> tuple[Link, ...] | None:
    """The fibres of a fan seen from its other end."""
    if fan.links is None:
        return None
    return tuple(sorted((plug_z, at_z, plug_a, at_a) for plug_a, at_a, plug_z, at_z in fan.links))


def with_legs(fan: Fan, named: Mapping[int, int]) -> tuple[Link, ...]:
    """The fibres of a fan with its legs under other numbers."""
    links = fan.links or ()
    if fan.many_z:
        return tuple(sorted((plug_a, at_a, named[plug_z], at_z) for plug_a, at_a, plug_z, at_z in links))
    return tuple(sorted((named[plug_a], at_a, plug_z, at_z) for plug_a, at_a, plug_z, at_z in links))


def breakout_legs(
    positions: int, leg_positions: int, legs: int, lanes: int, crossed: bool = True
) -> dict[int, dict[int, int]]:
    """Map of a splitter for transceivers: leg k takes `lanes` lanes, each a position and its mirror in the array.

    crossed: light changes halves on the way, as array modules need on their own; a duplex face, whose receiver is at
    position 1, needs the uncrossed map. Sources: fibre.yaml, splitters (1to2_mpo12, 1to4_mpo12_lc, mpo16_to_2x_mpo12).
    """
    found: dict[int, dict[int, int]] = {}
    for leg in range(1, legs + 1):
        found[leg] = {}
        for lane in range(1, lanes + 1):
            at = (leg - 1) * lanes + lane
            near, far = (leg_positions + 1 - lane, lane) if crossed else (lane, leg_positions + 1 - lane)
            found[leg] |= {at: near, positions + 1 - at: far}
    return found


def fan_links(legs: Mapping[int, Mapping[int, int]] | None, legs_on: Literal["a", "z"]) -> tuple[Link, ...] | None:
    if legs is None:
        return None
    fibres = sorted((leg, one, other) for leg, fibre_map in legs.items() for one, other in fibre_map.items())
    if legs_on == "z":
        return tuple((0, one, leg, other) for leg, one, other in fibres)
    return tuple((leg, other, 0, one) for leg, one, other in fibres)
