"""Structured cabling: trunks, cassettes, adapter plates, panels and shuffles, each with its position map as data.

A map has a name of the polarity algebra (`A`, `B`, `C` of a trunk's legs, `straight`, `U1`, `U2` of a cassette) or is
written out position by position; nothing is inferred from a product's name. `planner/channel/catalogued.py` makes the
components of a channel from these entries.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from planner.catalog.fibre import Connector
from planner.catalog.figures import Family, Figure, Id, UniqueParts
from planner.catalog.plugs import CableMember
from planner.schema_types import Count, Flag, Metres, Millimetres, Text, Thousandths, Whole, Written

Positions = dict[Whole, dict[Whole, tuple[Whole, Whole]]]
"""By plug at end A and position there: plug and position at end Z, all counted from 1."""


class Piece(Written):
    """A member of a family that has no length."""

    part: Text
    order_number: Text | None = None


class Trunk(Family):
    """A pre-terminated trunk family: one jacket, fanned out into legs at each end.

    fibres: in the jacket. legs: connectors at each end, leg k of end A to leg k of end Z. populated: positions of each
    leg that carry fibre; their number is the base (8, 12, 16). polarity: of each leg, key and position map alike.
    length_of: `overall` from ferrule to ferrule, or `breakouts` from one fan-out to the other, without the legs.
    leg_a_m, leg_z_m: from the fan-out to the ferrules. bend_radius_mm lying, pull_bend_radius_mm under pull.
    pulling_eye_mm: what an opening must let through while the trunk is pulled; null where it has no eye.
    """

    kind: Literal["trunk"]
    members: Annotated[list[CableMember], UniqueParts, Field(min_length=1)]
    fibre: Id
    fibres: Count
    legs: Count
    a: Connector
    z: Connector
    polarity: Literal["A", "B", "C"]
    populated: list[Count] = Field(min_length=1)
    length_of: Figure[Literal["overall", "breakouts"]]
    leg_a_m: Figure[Metres]
    leg_z_m: Figure[Metres]
    tolerance_mm: Figure[Millimetres]
    outer_diameter_mm: Figure[Millimetres]
    leg_diameter_mm: Figure[Millimetres]
    kg_per_m: Figure[Thousandths]
    bend_radius_mm: Figure[Millimetres]
    pull_bend_radius_mm: Figure[Millimetres]
    pulling_eye_mm: Figure[Millimetres]
    mated_pair_db: Figure[Thousandths]
    attenuation_db_per_km: Figure[Thousandths]
    jacket_colour: Figure[Text]

    @property
    def base(self) -> int:
        """Fibres of a leg."""
        return len(self.populated)

    @model_validator(mode="after")
    def _legs_hold_the_fibres(self) -> Self:
        if self.legs * self.base != self.fibres:
            raise ValueError(f"{self.legs} legs of {self.base} fibres are {self.legs * self.base}, not {self.fibres}")
        return self


class Cassette(Family):
    """A module between array and duplex faces, or between arrays of another base, that fits a slot of a panel.

    rear, front: its faces, with how many connectors each has. wiring: name of its map; or map, from the rear's plugs to
    the front's. A front port is a plug. labels_reversed: printed label p sits on the last port but p - 1, as Method B
    wants at one end. slots: of a panel that it takes. rear_pair_db, front_pair_db: of a mated pair at each face.
    """

    kind: Literal["cassette"]
    members: Annotated[list[Piece], UniqueParts, Field(min_length=1)]
    fibre: Id
    rear: Connector
    rear_count: Count
    front: Connector
    front_count: Count
    populated: list[Count] = Field(min_length=1)
    wiring: Literal["straight", "U1", "U2"] | None = None
    map: Positions | None = None
    map_source: Figure[Text]
    labels_reversed: Flag = False
    slots: Count = 1
    rear_pair_db: Figure[Thousandths]
    front_pair_db: Figure[Thousandths]
    depth_mm: Figure[Millimetres]
    weight_kg: Figure[Thousandths]

    @model_validator(mode="after")
    def _one_map(self) -> Self:
        if self.wiring is not None and self.map is not None:
            raise ValueError("a cassette has a `wiring` or a `map`, not both")
        if self.wiring is not None and self.rear_count * len(self.populated) != 2 * self.front_count:
            fibres = self.rear_count * len(self.populated)
            raise ValueError(f"{fibres} fibres behind {self.front_count} duplex ports")
        return self


class AdapterPlate(Family):
    """A plate of couplers for a slot of a panel.

    connector: the face that its couplers hold at both sides. keying: `opposed` (key-up to key-down, TIA Type A: it
    keeps positions) or `aligned` (key-up to key-up, Type B: it counts them from the other end, and angled faces do not
    meet in it); `none` for duplex couplers, which always exchange the two fibres.
    """

    kind: Literal["adapter"]
    members: Annotated[list[Piece], UniqueParts, Field(min_length=1)]
    connector: Id
    ports: Count
    keying: Literal["opposed", "aligned", "none"]
    keying_source: Figure[Text]
    slots: Count = 1
    weight_kg: Figure[Thousandths]


class Panel(Family):
    """A panel that stands in rack units and holds plates and cassettes in its slots."""

    kind: Literal["panel"]
    members: Annotated[list[Piece], UniqueParts, Field(min_length=1)]
    height_u: Figure[Whole]
    slots: Figure[Whole]
    width_mm: Figure[Millimetres]
    depth_mm: Figure[Millimetres]
    weight_kg: Figure[Thousandths]
    manager_mm: Figure[Millimetres]
    """How far the panel's own cable manager stands out in front of it; null where it has none."""


class Shuffle(Family):
    """A passive box that permutes lanes among its plugs, such as the planes of a network.

    map: by plug at face A and position there, plug and position at face Z; every fibre of it.
    """

    kind: Literal["shuffle"]
    members: Annotated[list[Piece], UniqueParts, Field(min_length=1)]
    fibre: Id
    a: Connector
    a_count: Count
    z: Connector
    z_count: Count
    map: Positions
    map_source: Figure[Text]
    mated_pair_db: Figure[Thousandths]
    height_u: Figure[Whole]
    depth_mm: Figure[Millimetres]
    weight_kg: Figure[Thousandths]


Structured = Trunk | Cassette | AdapterPlate | Panel | Shuffle
"""What stands in `fibre/` beside cords and splitters."""
