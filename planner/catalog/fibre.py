"""Passive optical parts: cords and splitters; `structured` has what stands between them in panels."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from planner.catalog.figures import Family, Figure, Id, UniqueParts
from planner.catalog.plugs import CableMember, HeadSize, LengthOf
from planner.schema_types import Metres, Millimetres, Text, Thousandths, Whole, Written


class Connector(Written):
    """A connector at an end of a cord."""

    connector: Id
    gender: Literal["male", "female", "none"]
    polish: Literal["apc", "upc"]
    boot_mm: Figure[Millimetres] | None = None


class Cord(Family):
    """A cord family, or a fibre splitter family when it has legs.

    polarity: the cord's TIA type, key and position map alike; populated: positions that carry fibre.
    legs: for a splitter, by leg, the position at end z of each position at end a; their `source` stands beside them.
    mated_pair_db: greatest loss of one of its connectors mated with its like.
    standoff_mm: straight run that boot and first bend need in front of a receptacle. head_mm: width, height and length of its
    smaller connector, as it is pulled through a hole.
    """

    kind: Literal["cord", "splitter"]
    members: Annotated[list[CableMember], UniqueParts, Field(min_length=1)]
    fibre: Id
    a: Connector
    z: Connector
    polarity: Literal["A", "B", "C", "A-B", "A-A"]
    populated: list[Whole]
    legs: dict[Whole, dict[Whole, Whole]] | None = None
    legs_source: Figure[Text] | None = None
    reach_m: Figure[Metres]
    length_of: Figure[LengthOf]
    tolerance_mm: Figure[Millimetres]
    breakout_point_m: Figure[Metres] | None = None
    standoff_mm: Figure[Millimetres]
    outer_diameter_mm: Figure[Millimetres]
    kg_per_m: Figure[Thousandths]
    bend_radius_mm: Figure[Millimetres]
    mated_pair_db: Figure[Thousandths]
    attenuation_db_per_km: Figure[Thousandths]
    jacket_colour: Figure[Text]
    head_mm: Figure[HeadSize] | None = None

    @model_validator(mode="after")
    def _legs_only_on_splitters(self) -> Self:
        if (self.kind == "splitter") != (self.legs is not None):
            raise ValueError("a splitter has `legs`, a cord has none")
        return self
