"""The optical channel that a cord or splitter makes between two transceivers, built from catalog parts and judged."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from planner.catalog.fibre import Cord as CordFamily
from planner.catalog.plugs import Transceiver
from planner.channel.catalogued import GENDERS, GRADES, POLISHES, face_name, loss_of, plug_of
from planner.channel.ferrules import FERRULES
from planner.channel.judge import Verdict, judge
from planner.channel.maps import fan_links
from planner.channel.model import Branch, Channel, Cord, Fan, Plug, Receptacle


def channel_of(
    a: Transceiver, z: Transceiver, cord: CordFamily, *, head_at_z: bool = False, lit: int | None = None
) -> Channel | None:
    """The channel from a to z; a splitter's head stands at z where head_at_z, else at a; None for unknown connectors.

    lit: lanes that the module on a leg runs, the first of its receptacle; then every leg is judged. Without it a module
    that runs all its lanes hangs on leg 1.
    """
    near, far = (z, a) if head_at_z else (a, z)
    names = {
        face_name(c) for c in (near.receptacle.connector, far.receptacle.connector, cord.a.connector, cord.z.connector)
    }
    if None in names:
        return None
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
) -> Verdict | None:
    """The verdict on the channel; None where a connector is not known to the channel."""
    channel = channel_of(a, z, cord, head_at_z=head_at_z, lit=lit)
    return None if channel is None else _judged(channel)


def _receptacle(part: Transceiver, lit: int | None = None) -> Receptacle:
    face = part.receptacle
    name = face_name(face.connector)
    assert name is not None
    plug = Plug(FERRULES[name], GENDERS[face.gender], POLISHES[face.polish])
    medium = "MM" if face.fibre == "multimode" else "SM"
    return Receptacle(plug, medium, tuple(face.tx[:lit]), tuple(face.rx[:lit]), part.id)  # type: ignore[arg-type]
