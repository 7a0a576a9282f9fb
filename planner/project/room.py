"""The room as people write it: outlines, obstacles, openings, racks, pathways, risers and power runs."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from planner.catalog.racks import Obstruction
from planner.schema_types import FewPoints, Flag, Metres, Millimetres, Name, Names, Text, WayPoint, Whole, Written

Direction = Literal["north", "east", "south", "west"]


PlanPoint = tuple[Metres, Metres]


CableClass = Literal["copper", "fibre"]


CLASSES: Final[tuple[CableClass, ...]] = ("copper", "fibre")


class Obstacle(Written):
    """Something that nothing may stand in, between two heights; a door's is the place that must be free to use it."""

    name: Name
    kind: Literal["column", "wall", "containment", "door", "crac", "other"] = "other"
    polygon_m: Annotated[list[PlanPoint], FewPoints] = Field(min_length=3)
    from_m: Metres = 0
    to_m: Metres | None = None


class Room(Written):
    """A room by its outline; slab_m: the slab below a raised floor."""

    outline_m: Annotated[list[PlanPoint], FewPoints] = Field(min_length=3)
    ceiling_m: Metres
    slab_m: Metres | None = None
    obstacles: list[Obstacle] = Field(default_factory=list)


class NamedRoom(Room):
    """One of several rooms."""

    name: Name


class Opening(Written):
    """A hole through a wall between two rooms: its plan through the wall's thickness, and the heights between which."""

    name: Name
    polygon_m: Annotated[list[PlanPoint], FewPoints] = Field(min_length=3)
    from_m: Metres
    to_m: Metres

    @model_validator(mode="after")
    def _top_is_above(self) -> Opening:
        if self.to_m <= self.from_m:
            raise ValueError("`to_m` is not above `from_m`")
        return self


class RackRow(Written):
    """Racks side by side; at_m is the south-west corner of the first one's footprint as it stands.

    baying_open, bay_max: in place of the type's. rear_zone: beside what the type has.
    """

    row: Name
    names: Names
    type: Text
    at_m: PlanPoint
    along: Direction
    front: Direction
    baying_open: Flag | None = None
    bay_max: Whole | None = None
    rear_zone: list[Obstruction] = Field(default_factory=list)


class PathwayRun(Written):
    """A pathway: a polyline along the inside of its floor; a point without a height of its own is at height_m.

    fitting_radius_mm, waterfall_radius_mm: that it gives a cable at corners and joints, and where cables enter it, in place of
    the type's.
    """

    name: Name
    type: Text
    path_m: Annotated[list[WayPoint], FewPoints] = Field(min_length=2)
    height_m: Metres | None = None
    carries: list[CableClass] = Field(default=["copper", "fibre"], min_length=1)
    entry: Literal["side", "bottom", "end"] = "side"
    fitting_radius_mm: Annotated[Millimetres, Field(ge=0)] | None = None
    waterfall_radius_mm: Annotated[Millimetres, Field(ge=0)] | None = None

    @model_validator(mode="after")
    def _every_point_has_a_height(self) -> PathwayRun:
        if self.height_m is None and any(len(point) == 2 for point in self.path_m):
            raise ValueError("`height_m` is missing, and not every point of `path_m` has a height of its own")
        return self


class PowerRun(Written):
    """A run of power cables, and how far pathways that carry some classes must keep from it (clear_mm)."""

    name: Name
    path_m: Annotated[list[WayPoint], FewPoints] = Field(min_length=2)
    height_m: Metres = 0
    width_mm: Millimetres
    clear_mm: Millimetres
    keeps_from: list[CableClass] = Field(default=["copper"], min_length=1)


class RiserRun(Written):
    """A vertical way that joins pathways of different heights at one plan point."""

    name: Name
    at_m: PlanPoint
    joins: Names
