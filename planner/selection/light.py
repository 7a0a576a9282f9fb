"""The optical channel that a cord or splitter makes between two transceivers, built from catalog parts and judged."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from planner.catalog.fibre import Connector
from planner.catalog.fibre import Cord as CordFamily
from planner.catalog.plugs import Transceiver
from planner.channel.ferrules import FERRULES
from planner.channel.figures import LossFigure
from planner.channel.judge import Verdict, judge
from planner.channel.maps import fan_links
from planner.channel.model import Branch, Channel, Cord, Fan, Gender, Plug, Polish, Receptacle

_GENDERS: Final[dict[str, Gender]] = {"male": "M", "female": "F", "none": "-"}
_POLISHES: Final[dict[str, Polish]] = {"apc": "APC", "upc": "UPC"}
_CONNECTORS: Final = {
    "mpo-12": "mpo12",
    "mpo-8": "mpo8",
    "mpo-16": "mpo16",
    "mpo-24": "mpo24",
    "lc": "lc2",
    "lc-duplex": "lc2",
}
_GRADES: Final = {"om1": "OM1", "om2": "OM2", "om3": "OM3", "om4": "OM4", "om5": "OM5", "os1a": "OS1a", "os2": "OS2"}


def ferrule_name(connector: str) -> str | None:
    """The connector face of a catalog connector, or None where the channel does not know it."""
    name = _CONNECTORS.get(connector, connector)
    return name if name in FERRULES else None


def channel_of(a: Transceiver, z: Transceiver, cord: CordFamily, *, head_at_z: bool = False) -> Channel | None:
    """The channel from a to z; a splitter's head stands at z where head_at_z, else at a; None for unknown connectors."""
    near, far = (z, a) if head_at_z else (a, z)
    names = {
        ferrule_name(c)
        for c in (near.receptacle.connector, far.receptacle.connector, cord.a.connector, cord.z.connector)
    }
    if None in names:
        return None
    head, tail = _receptacle(near), _receptacle(far)
    pair = LossFigure(cord.mated_pair_db.value, None, cord.mated_pair_db.proven, cord.mated_pair_db.source)
    plug_a, plug_z = _plug(cord.a, pair), _plug(cord.z, pair)
    fibre = _GRADES.get(cord.fibre, cord.fibre)
    populated = tuple(cord.populated)
    if cord.kind == "cord":
        return Channel(head, (Cord(plug_a, plug_z, cord.polarity, fibre, None, populated, cord.id),), tail)
    fan = Fan(
        "splitter", plug_a, plug_z, fan_links(cord.legs, "z"), many_a=False, many_z=True, fibre=fibre, name=cord.id
    )
    return Channel(head, (fan,), None, (Branch(1, (), tail),))


@lru_cache(maxsize=4096)
def _judged(channel: Channel) -> Verdict:
    return judge(channel)


def verdict_of(a: Transceiver, z: Transceiver, cord: CordFamily, *, head_at_z: bool = False) -> Verdict | None:
    """The verdict on the channel; None where a connector is not known to the channel."""
    channel = channel_of(a, z, cord, head_at_z=head_at_z)
    return None if channel is None else _judged(channel)


def _receptacle(part: Transceiver) -> Receptacle:
    face = part.receptacle
    name = ferrule_name(face.connector)
    assert name is not None
    plug = Plug(FERRULES[name], _GENDERS[face.gender], _POLISHES[face.polish])
    medium = "MM" if face.fibre == "multimode" else "SM"
    return Receptacle(plug, medium, tuple(face.tx), tuple(face.rx), part.id)  # type: ignore[arg-type]


def _plug(end: Connector, pair: LossFigure) -> Plug:
    name = ferrule_name(end.connector)
    assert name is not None
    return Plug(FERRULES[name], _GENDERS[end.gender], _POLISHES[end.polish], pair)
