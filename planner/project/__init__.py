"""The project as people write it (design: input), a module for each of its sections.

These models check form only: whether a name exists, a port is free or a rack stands in the room is judged by the stages
that know. Attributes keep the name of their key; lengths are held in whole micrometres, shares in millionths.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import Field, model_validator

from planner.project.devices import DeviceGroup, PanelGroup
from planner.project.entries import Measured, Phase, Pin, Remark, Waiver
from planner.project.fabrics import ClassSlack, Fabric, FabricSlack
from planner.project.parts import (
    OBJECTIVES,
    WEIGHED,
    Choice,
    MediaPolicy,
    MediumName,
    Objective,
    ObjectiveField,
    StockPolicy,
    VendorPolicy,
    VendorShares,
)
from planner.project.policy import (
    Cabling,
    DiversityPolicy,
    FillPolicy,
    LabelsPolicy,
    LabourPolicy,
    Policy,
    Reserve,
    RoutePolicy,
    Several,
    SlackPolicy,
    SparePolicy,
    SparesPolicy,
    TrunkChoice,
)
from planner.project.room import (
    CLASSES,
    CableClass,
    Direction,
    NamedRoom,
    Obstacle,
    Opening,
    PathwayRun,
    PlanPoint,
    PowerRun,
    RackRow,
    RiserRun,
    Room,
)
from planner.schema_types import Day, Name, Text, Written

FORMAT: Final = "planner/1"


class Project(Written):
    """A whole project, all its files merged."""

    format: Literal["planner/1"]
    name: Name
    revision: Text = ""
    date: Day | None = None
    include: Any = None
    room: Room | None = None
    rooms: list[NamedRoom] = Field(default_factory=list)
    openings: list[Opening] = Field(default_factory=list)
    racks: list[RackRow] = Field(default_factory=list)
    pathways: list[PathwayRun] = Field(default_factory=list)
    risers: list[RiserRun] = Field(default_factory=list)
    power: list[PowerRun] = Field(default_factory=list)
    devices: list[DeviceGroup] = Field(default_factory=list)
    panels: list[PanelGroup] = Field(default_factory=list)
    fabrics: list[Fabric] = Field(default_factory=list)
    policy: Policy = Field(default_factory=Policy)
    pins: list[Pin] = Field(default_factory=list)
    measured: list[Measured] = Field(default_factory=list)
    remarks: list[Remark] = Field(default_factory=list)
    waive: list[Waiver] = Field(default_factory=list)
    phases: list[Phase] = Field(default_factory=list)
    catalogs: list[Annotated[Text, Field(min_length=1)]] = Field(default_factory=list)

    @model_validator(mode="before")
    @classmethod
    def _nothing_below_a_key(cls, data: Any) -> Any:
        """`pins:` with nothing below it is an empty list, as its writer means it."""
        if not isinstance(data, dict):
            return data
        return {key: value for key, value in data.items() if value is not None or key not in cls.model_fields}


__all__ = [
    "CLASSES",
    "FORMAT",
    "OBJECTIVES",
    "WEIGHED",
    "CableClass",
    "Cabling",
    "Choice",
    "ClassSlack",
    "DeviceGroup",
    "Direction",
    "DiversityPolicy",
    "Fabric",
    "FabricSlack",
    "FillPolicy",
    "LabelsPolicy",
    "LabourPolicy",
    "Measured",
    "MediaPolicy",
    "MediumName",
    "NamedRoom",
    "Objective",
    "ObjectiveField",
    "Obstacle",
    "Opening",
    "PanelGroup",
    "PathwayRun",
    "Phase",
    "Pin",
    "PlanPoint",
    "Policy",
    "PowerRun",
    "Project",
    "RackRow",
    "Remark",
    "Reserve",
    "RiserRun",
    "Room",
    "RoutePolicy",
    "Several",
    "SlackPolicy",
    "SparePolicy",
    "SparesPolicy",
    "StockPolicy",
    "TrunkChoice",
    "VendorPolicy",
    "VendorShares",
    "Waiver",
]
