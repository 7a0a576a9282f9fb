"""Switches, servers and appliances: their faces, cages and ports."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from planner.catalog.figures import Evidence, Family, Figure, Id, UniqueParts
from planner.catalog.plugs import HeatSink, Modulation, Protocol
from planner.names import expand_hostlist
from planner.schema_types import Count, Flag, Metres, Millimetres, Text, Thousandths, Whole, Written


class Airflow(StrEnum):
    """Which way air leaves: at the ports (NVIDIA P2C) or away from them (C2P)."""

    PORT_EXHAUST = "port-exhaust"
    PORT_INTAKE = "port-intake"


class Grid(Written):
    """Where a group of cages sits on its face, as rows and columns.

    first_x_mm from the device's left edge facing the ports to the first column's middle, first_z_mm from its underside
    to the lowest row's middle. order: `down` numbers each column from the top, `across` each row from the left.
    """

    rows: Count
    columns: Count
    pitch_x_mm: Millimetres
    pitch_z_mm: Millimetres
    first_x_mm: Millimetres
    first_z_mm: Millimetres
    order: Literal["down", "across"] = "down"
    source: Text
    evidence: Evidence


class Point(Written):
    x_mm: Millimetres
    z_mm: Millimetres


class CagePoints(Written):
    """Where each cage of a group sits, in the order of the group's names."""

    at: list[Point]
    source: Text
    evidence: Evidence


class Split(Written):
    """One way of splitting a cage into ports.

    port_names as printed or as the operating system names them once the cage is split so, `{cage}` standing for the
    cage's name; the same name may stand in several splits, and a fabric's rate tells which one is meant. lanes: of each
    port, in order from the cage's first lane; by default the cage's lanes shared equally. os_port_names: of the ports
    of this split, by operating system; splitting renames a cage's ports.
    """

    port_names: list[Text] = Field(min_length=1)
    os_port_names: dict[str, list[Text]] = Field(default_factory=dict)
    rates: list[Id] = Field(min_length=1)
    lanes: Count | None = None


class PowerLimit(Written):
    """A limit of some cages of a group, or under one airflow, that differs from the group's own."""

    cages: Text
    airflow: Airflow | None = None
    max_power_w: Figure[Thousandths]


class PortBudget(Written):
    """Logical ports that some cages may have together (a pipeline's, or the whole device's)."""

    cages: Text
    max_ports: Whole
    source: Text
    evidence: Evidence


class CageGroup(Written):
    """Cages of one kind on one face.

    names: a hostlist. port_names: the ports of a cage as printed on the device, `{cage}` standing for the cage's name;
    their number is the number of links that a cage takes. os_port_names: the same by operating system.
    linear_optics: whether its maker names the cage for linear (LPO) modules.
    lanes are of the whole cage. also_accepts: form factors of older plugs that work here. splits: other ways of
    splitting the cage than `port_names` with `rates`. power_limits: exceptions to max_power_w. face: left and right as
    seen facing the device's front. switch: which of several switches in one chassis the cages are of; nothing passes
    between these.
    """

    names: Text
    form_factor: Id
    heat_sink: HeatSink
    port_names: list[Text] = Field(min_length=1)
    os_port_names: dict[str, list[Text]] = Field(default_factory=dict)
    lanes: Count
    lane_rate_gbps: Count
    modulation: Modulation = Modulation.PAM4
    rates: list[Id]
    protocols: list[Protocol]
    also_accepts: list[Id] = Field(default_factory=list)
    linear_optics: Flag = False
    max_power_w: Figure[Thousandths]
    power_limits: list[PowerLimit] = Field(default_factory=list)
    splits: list[Split] = Field(default_factory=list)
    face: Literal["front", "rear", "left", "right"] = "front"
    switch: Text | None = None
    grid: Grid | None = None
    points: CagePoints | None = None
    source: Text
    evidence: Evidence

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        count = len(expand_hostlist(self.names))
        if self.grid and self.points:
            raise ValueError("a group has a `grid` or `points`, not both")
        if self.grid and self.grid.rows * self.grid.columns < count:
            raise ValueError(f"the grid has {self.grid.rows * self.grid.columns} places for {count} cages")
        if self.points and len(self.points.at) != count:
            raise ValueError(f"{len(self.points.at)} points for {count} cages")
        return self


class Component(Written):
    """What is ordered with a device and stands in no member: a line card of a modular chassis, a supply.

    what: in words. part: null where the maker's number was not found; such a one is in no bill, and a rule says so.
    quantity: pieces for each device.
    """

    what: Text
    part: Text | None
    order_number: Text | None = None
    quantity: Count
    source: Text
    evidence: Evidence


class DeviceMember(Written):
    part: Text
    order_number: Text | None = None
    airflow: Airflow | None = None


class Device(Family):
    """A device family: one chassis, whose members differ in airflow or power inlet.

    kind `panel`: made from a panel's entry, never written.

    rails: the rail of each port that has one, by printed name; never inferred from the port's name or place.
    components: what is ordered with every one of it. os_names: by operating system, the names of printed ports that
    follow no pattern of their cage.
    """

    kind: Literal["switch", "server", "nic", "appliance", "other", "panel"]
    members: Annotated[list[DeviceMember], UniqueParts, Field(min_length=1)]
    height_u: Figure[Whole]
    width_mm: Figure[Millimetres]
    depth_mm: Figure[Millimetres]
    weight_kg: Figure[Thousandths] | None = None
    power_w: Figure[Thousandths] | None = None
    power_max_w: Figure[Thousandths] | None = None
    slides_out_m: Figure[Metres] | None = None
    cages: list[CageGroup]
    rails: Figure[dict[str, Whole]] | None = None
    port_budgets: list[PortBudget] = Field(default_factory=list)
    components: list[Component] = Field(default_factory=list)
    os_names: dict[str, Figure[dict[str, Text]]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _ports_are_distinct(self) -> Self:
        names = [name for group in self.cages for name in group_ports(group)]
        doubled = sorted({name for name in names if names.count(name) > 1})
        if doubled:
            raise ValueError(f"port `{doubled[0]}` is listed twice")
        if self.rails and self.rails.value:
            strange = sorted(set(self.rails.value) - set(names))
            if strange:
                raise ValueError(f"rails names the port `{strange[0]}`, which no cage has")
        for system, figure in self.os_names.items():
            strange = sorted(set(figure.value or {}) - set(names))
            if strange:
                raise ValueError(f"os_names.{system} names the port `{strange[0]}`, which no cage has")
        return self


def group_ports(group: CageGroup) -> list[str]:
    """The printed names of a group's ports, cage by cage."""
    return [name.replace("{cage}", cage) for cage in expand_hostlist(group.names) for name in group.port_names]
