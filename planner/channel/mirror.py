"""A channel seen from its other end."""

from __future__ import annotations

from dataclasses import replace

from planner.channel.maps import Row, reversed_fan, table_of
from planner.channel.model import Adapter, Channel, Component, Cord, Fan


def mirrored(part: Component) -> Component:
    """A component turned end for end: the same part, its end Z towards A."""
    if isinstance(part, Adapter):
        return part
    if isinstance(part, Fan):
        return replace(part, a=part.z, z=part.a, links=reversed_fan(part), many_a=part.many_z, many_z=part.many_a)
    return _mirrored_cord(part)


def _mirrored_cord(cord: Cord) -> Cord:
    polarity, populated = cord.polarity, cord.populated
    if isinstance(polarity, tuple):
        there = {there: position for position, there in enumerate(polarity, 1) if there}
        polarity = tuple(there.get(position, 0) for position in range(1, cord.z.ferrule.positions + 1))
    if populated is not None:
        populated = tuple(sorted(there for there in (_leaves(cord, position) for position in populated) if there))
    return replace(cord, a=cord.z, z=cord.a, polarity=polarity, populated=populated)


def _leaves(cord: Cord, position: int) -> int:
    table = table_of(cord)
    return table.onward[position] if isinstance(table, Row) else position


def mirrored_channel(channel: Channel) -> Channel:
    """The same channel from Z to A; only a channel without branches has one other end."""
    if channel.z is None:
        raise ValueError("a channel with branches has no single other end")
    chain = tuple(mirrored(part) for part in reversed(channel.chain))
    return replace(channel, a=channel.z, chain=chain, z=channel.a)
