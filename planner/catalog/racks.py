"""Rack types and pathway types: the furniture that cables run through."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from planner.catalog.figures import Evidence, Figure, Id
from planner.schema_types import Flag, Metres, Millimetres, Section, Text, Thousandths, Whole, Written


class Manager(Written):
    """A vertical cable manager.

    x_mm from the rack's middle, to the right facing the rack's front; y_mm its depth from the front; z_mm from the floor.
    side: `left` or `right` as seen facing the face it stands nearest to. section_mm: inner width and depth.
    """

    side: Literal["left", "right"]
    x_mm: Millimetres
    y_mm: Millimetres
    z_mm: tuple[Millimetres, Millimetres]
    section_mm: tuple[Millimetres, Millimetres]


class Exit(Written):
    """Where cables leave the rack; coordinates as of a manager. It serves the manager nearest to it in plan."""

    name: Text
    x_mm: Millimetres
    y_mm: Millimetres
    z_mm: Millimetres


class CrossManager(Written):
    """A horizontal way from the managers of one side to those of the other, at depth y_mm and height z_mm."""

    y_mm: Millimetres
    z_mm: Millimetres


class Obstruction(Written):
    """A 0U power strip, a manifold or a busbar; coordinates as of a manager, each from and to."""

    name: Text
    kind: Literal["pdu", "manifold", "busbar", "other"]
    x_mm: tuple[Millimetres, Millimetres]
    y_mm: tuple[Millimetres, Millimetres]
    z_mm: tuple[Millimetres, Millimetres]

    @model_validator(mode="after")
    def _from_is_below_to(self) -> Self:
        for name, (low, high) in (("x_mm", self.x_mm), ("y_mm", self.y_mm), ("z_mm", self.z_mm)):
            if low >= high:
                raise ValueError(f"`{name}` of `{self.name}` goes from its smaller to its larger value")
        return self


class RackType(Written):
    """A rack: its size, rails, managers and exits. Depths are from its front, heights from the floor.

    rear_zone: what takes its place from managers and devices. stores_m: the longest rest of one cable that the rack can
    store. door_swing_mm: free floor that its front and its rear door need to open. door_depth_mm: how far each closed door
    reaches into the rack from the face, below 0 where it stands out.
    """

    id: Id
    kind: Literal["rack"]
    manufacturer: Text
    description: Text
    sources: dict[str, Text] = Field(default_factory=dict)
    width_mm: Millimetres
    depth_mm: Millimetres
    height_mm: Millimetres
    units: Whole
    u1_mm: Millimetres
    u_pitch_mm: Millimetres
    numbered_from: Literal["bottom", "top"] = "bottom"
    front_rail_mm: Millimetres
    rear_rail_mm: Millimetres
    managers: list[Manager] = Field(min_length=1)
    exits: list[Exit] = Field(min_length=1)
    cross_managers: list[CrossManager] = Field(default_factory=list)
    rear_zone: list[Obstruction] = Field(default_factory=list)
    drop_reach_mm: Millimetres
    baying_open: Flag = False
    bay_max: Whole = 1
    stores_m: Metres | None = None
    door_swing_mm: tuple[Millimetres, Millimetres] | None = None
    door_depth_mm: Figure[tuple[Millimetres, Millimetres]] | None = None
    weight_limit_kg: Figure[Thousandths] | None = None
    source: Text
    evidence: Evidence

    @model_validator(mode="after")
    def _sides_agree_with_places(self) -> Self:
        for manager in self.managers:
            seen_from_rear = 2 * manager.y_mm > self.depth_mm
            side = "left" if (manager.x_mm < 0) != seen_from_rear else "right"
            if manager.x_mm and side != manager.side:
                face = "rear" if seen_from_rear else "front"
                x_mm = manager.x_mm // 1000
                raise ValueError(
                    f"the manager at x {x_mm} mm is on the {side} facing the {face}, not on the {manager.side}"
                )
        return self

    @model_validator(mode="after")
    def _exit_names_differ(self) -> Self:
        names = [e.name for e in self.exits]
        if len(set(names)) != len(names):
            raise ValueError("two exits share a name")
        return self


class PathwayType(Written):
    """A tray, ladder, raceway, floor run or conduit: inner section and rating.

    usable_depth_mm: how high cables may lie. side_wall_mm: what a cable climbs to enter from the side.
    bend_radius_mm: that its fittings give a cable at corners and joints, and at entries where waterfall_radius_mm does not
    say more. A conduit is round, and width_mm its inner diameter.
    """

    id: Id
    kind: Literal["tray", "ladder", "raceway", "floor", "conduit"]
    manufacturer: Text
    description: Text
    sources: dict[str, Text] = Field(default_factory=dict)
    width_mm: Section
    usable_depth_mm: Section
    side_wall_mm: Millimetres
    rating_kg_per_m: Figure[Thousandths]
    bend_radius_mm: Figure[Millimetres] | None = None
    waterfall_radius_mm: Figure[Millimetres] | None = None
    source: Text
    evidence: Evidence
