"""Components of a channel from the catalog's structured-cabling parts: the maps that the entries name or write out."""

from __future__ import annotations

from typing import Final, Literal

from planner.catalog.fibre import Connector
from planner.catalog.figures import Figure
from planner.catalog.structured import AdapterPlate, Cassette, Positions, Shuffle, Trunk
from planner.channel.build import cassette as duplex_cassette
from planner.channel.ferrules import FERRULES, Ferrule
from planner.channel.figures import LossFigure
from planner.channel.model import Adapter, Cord, Fan, Gender, Keying, Link, Plug, Polish

GENDERS: Final[dict[str, Gender]] = {"male": "M", "female": "F", "none": "-"}
POLISHES: Final[dict[str, Polish]] = {"apc": "APC", "upc": "UPC"}
FACES: Final = {"lc": "lc2", "lc-duplex": "lc2"}
KEYINGS: Final[dict[str, Keying]] = {"opposed": "A", "aligned": "B"}
GRADES: Final = {
    "om1": "OM1",
    "om2": "OM2",
    "om3": "OM3",
    "om4": "OM4",
    "om5": "OM5",
    "os1": "OS1",
    "os1a": "OS1a",
    "os2": "OS2",
}

TowardsEnd = Literal["a", "z"]


def ferrule_of(connector: str) -> Ferrule:
    """The ferrule of a catalog connector (`mpo-12` is `mpo12`).

    One that the channel does not know is a face of its own, which enters no other, of unknown positions: what passes
    through it is not proven.
    """
    name = FACES.get(connector, connector.replace("mpo-", "mpo"))
    return FERRULES[name] if name in FERRULES else Ferrule(connector, connector, 1, 0)


def trunk_leg(trunk: Trunk, length_mm: int | None = None) -> Cord:
    """One leg of a trunk from ferrule to ferrule; its legs are all alike."""
    pair = loss_of(trunk.mated_pair_db)
    return Cord(plug_of(trunk.a, pair), plug_of(trunk.z, pair), trunk.polarity, _grade(trunk.fibre), length_mm,
                tuple(trunk.populated), trunk.id)  # fmt: skip


def plate_coupler(plate: AdapterPlate) -> Adapter:
    """A coupler of a plate; a duplex coupler has no keying, for it mirrors whatever stands in it."""
    return Adapter(ferrule_of(plate.connector), KEYINGS.get(plate.keying), plate.id)


def cassette_fan(part: Cassette, lc_towards: TowardsEnd = "a", leg: int | None = None) -> Fan:
    """A cassette, its front (duplex) ports towards an end of the channel; links are None where nobody states the map."""
    rear, front = plug_of(part.rear, loss_of(part.rear_pair_db)), plug_of(part.front, loss_of(part.front_pair_db))
    if part.map is None:
        return duplex_cassette(part.wiring, rear, front, _grade(part.fibre), lc_towards=lc_towards,
                               labels_reversed=part.labels_reversed, populated=tuple(part.populated), leg=leg,
                               name=part.id)  # fmt: skip
    links = _links(part.map)  # from the rear's plugs to the front's
    if lc_towards == "a":
        links = tuple(sorted((z, at_z, a, at_a) for a, at_a, z, at_z in links))
        return _fan("cassette", front, rear, links, part.front_count, part.rear_count, part, leg)
    return _fan("cassette", rear, front, links, part.rear_count, part.front_count, part, leg)


def shuffle_fan(part: Shuffle) -> Fan:
    pair = loss_of(part.mated_pair_db)
    return _fan("shuffle", plug_of(part.a, pair), plug_of(part.z, pair), _links(part.map), part.a_count, part.z_count,
                part, None)  # fmt: skip


def plug_of(end: Connector, pair: LossFigure) -> Plug:
    return Plug(ferrule_of(end.connector), GENDERS[end.gender], POLISHES[end.polish], pair)


def loss_of(figure: Figure[int]) -> LossFigure:
    return LossFigure(figure.value, None, figure.proven, figure.source)


def _fan(
    kind: Literal["cassette", "shuffle"], a: Plug, z: Plug, links: tuple[Link, ...], a_count: int, z_count: int,
    part: Cassette | Shuffle, leg: int | None,
) -> Fan:  # fmt: skip
    """Plug numbers are 0 at an end that has one plug, as the channel counts them."""
    many_a, many_z = a_count > 1, z_count > 1
    own = tuple(sorted((one if many_a else 0, at, other if many_z else 0, there) for one, at, other, there in links))
    return Fan(kind, a, z, own, many_a, many_z, _grade(part.fibre), None, part.id, leg)


def _links(written: Positions) -> tuple[Link, ...]:
    return tuple(
        sorted((plug, at, there, position) for plug, row in written.items() for at, (there, position) in row.items())
    )


def _grade(fibre: str) -> str:
    return GRADES.get(fibre, fibre)
