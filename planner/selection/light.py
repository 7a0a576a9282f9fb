"""The optical channel that a cord or splitter makes between two transceivers, built from catalog parts and judged."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from planner.catalog.fibre import Cord as CordFamily
from planner.catalog.plugs import Transceiver
from planner.catalog.structured import Cassette
from planner.channel.catalogued import (
    GENDERS,
    GRADES,
    POLISHES,
    cassette_fan,
    ferrule_of,
    loss_of,
    plate_coupler,
    plug_of,
    trunk_leg,
)
from planner.channel.judge import Verdict, judge
from planner.channel.maps import Row, fan_links, table_of
from planner.channel.mirror import mirrored
from planner.channel.model import Branch, Channel, Component, Cord, Fan, Plug, Receptacle
from planner.structured.chain import Chain, InsertPart


def channel_of(
    a: Transceiver, z: Transceiver, cord: CordFamily, *, head_at_z: bool = False, lit: int | None = None
) -> Channel:
    """The channel from a to z; a splitter's head stands at z where head_at_z, else at a.

    lit: lanes that the module on a leg runs, the first of its receptacle; then every leg is judged. Without it a module
    that runs all its lanes hangs on leg 1.
    """
    near, far = (z, a) if head_at_z else (a, z)
    head, tail = _receptacle(near), _receptacle(far, lit)
    pair = loss_of(cord.mated_pair_db)
    plug_a, plug_z = plug_of(cord.a, pair), plug_of(cord.z, pair)
    fibre = GRADES.get(cord.fibre, cord.fibre)
    populated = tuple(cord.populated)
    if cord.kind == "cord":
        return Channel(head, (Cord(plug_a, plug_z, cord.polarity, fibre, None, populated, cord.id),), tail)
    fan = Fan(
        "splitter", plug_a, plug_z, fan_links(cord.legs, "z"), many_a=False, many_z=True, fibre=fibre, name=cord.id
    )
    if lit is None:
        return Channel(head, (fan,), None, (Branch(1, (), tail),))
    legs = sorted(cord.legs or {1: {}})
    # Lane 1 of the second leg's module is the head's lane after those of the first leg.
    tails = (Branch(leg, (), replace(tail, lane_offset=lit * i)) for i, leg in enumerate(legs))
    return Channel(head, (fan,), None, tuple(tails))


@lru_cache(maxsize=4096)
def _judged(channel: Channel) -> Verdict:
    return judge(channel)


def forget_verdicts() -> None:
    """Judge every kind of channel anew from here on, for measuring what that takes."""
    _judged.cache_clear()


def verdict_of(
    a: Transceiver, z: Transceiver, cord: CordFamily, *, head_at_z: bool = False, lit: int | None = None
) -> Verdict:
    return _judged(channel_of(a, z, cord, head_at_z=head_at_z, lit=lit))


def channel_over_panels(
    a: Transceiver, z: Transceiver, a_cord: CordFamily, z_cord: CordFamily, chain: Chain, port: int = 1
) -> Channel:
    """The channel of two cords and a leg of a trunk between two panels.

    Cords lie with their end a at the transceiver. port: of a module of the cassettes, at both ends.
    """
    leg = trunk_leg(chain.trunk)
    parts: tuple[Component, ...] = (
        _cord(a_cord),
        cassette_fan(chain.a_insert, "a") if isinstance(chain.a_insert, Cassette) else plate_coupler(chain.a_insert),
        mirrored(leg) if chain.turned else leg,
        cassette_fan(chain.z_insert, "z") if isinstance(chain.z_insert, Cassette) else plate_coupler(chain.z_insert),
        mirrored(_cord(z_cord)),
    )
    ported = any(isinstance(insert, Cassette) for insert in (chain.a_insert, chain.z_insert))
    ends = (_receptacle(a), _receptacle(z))
    first, last = (replace(end, port=port) if ported else end for end in ends)
    return Channel(first, parts, last)


def verdict_over_panels(
    a: Transceiver, z: Transceiver, a_cord: CordFamily, z_cord: CordFamily, chain: Chain
) -> Verdict:
    """The verdict on the channel. The ports of a cassette whose map is written out may differ: one that fails speaks for all."""
    found = [_judged(channel_over_panels(a, z, a_cord, z_cord, chain, port)) for port in ports_to_judge(chain)]
    return next((verdict for verdict in found if verdict.verdict == "fail"), found[0])


def ports_to_judge(chain: Chain) -> range:
    """Ports of a module that may be unlike: those of a named wiring are alike, and so are couplers."""
    counts = [i.front_count for i in (chain.a_insert, chain.z_insert) if isinstance(i, Cassette) and i.map is not None]
    return range(1, max(counts, default=1) + 1)


def lit_behind_panel(plug: Transceiver, cord: CordFamily, insert: InsertPart, place: int) -> list[tuple[int, int]]:
    """Where the fibres of a transceiver's lanes come out behind a panel: rear port of the module from 0, and position there.

    place: of the front port in its module, from 0. Nothing where nobody states a map, or no fibre leads on.
    """
    part = _cord(cord)
    table = table_of(part)
    if not isinstance(part, Cord) or not isinstance(table, Row):
        return []
    used = (*plug.receptacle.tx, *plug.receptacle.rx)
    front = sorted({table.onward[position] for position in used if position < len(table.onward)} - {0})
    if not isinstance(insert, Cassette):
        mirrored_keys = insert.keying == "aligned"
        size = part.z.ferrule.positions
        return [(0, size + 1 - position if mirrored_keys else position) for position in front]
    links = cassette_fan(insert, "a").links or ()
    port = place + 1 if insert.front_count > 1 else 0
    return sorted({(max(rear - 1, 0), there) for plug_, at, rear, there in links if plug_ == port and at in front})


def _cord(cord: CordFamily) -> Component:
    pair = loss_of(cord.mated_pair_db)
    plugs = plug_of(cord.a, pair), plug_of(cord.z, pair)
    fibre = GRADES.get(cord.fibre, cord.fibre)
    if cord.kind == "splitter":
        return Fan("splitter", *plugs, fan_links(cord.legs, "z"), many_a=False, many_z=True, fibre=fibre, name=cord.id)
    return Cord(*plugs, cord.polarity, fibre, None, tuple(cord.populated), cord.id)


def _receptacle(part: Transceiver, lit: int | None = None) -> Receptacle:
    face = part.receptacle
    plug = Plug(ferrule_of(face.connector), GENDERS[face.gender], POLISHES[face.polish])
    medium = "MM" if face.fibre == "multimode" else "SM"
    return Receptacle(plug, medium, tuple(face.tx[:lit]), tuple(face.rx[:lit]), part.id)  # type: ignore[arg-type]
