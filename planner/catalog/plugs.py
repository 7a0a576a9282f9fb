"""What goes into a cage: transceivers, and cable assemblies with a plug at every end."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from planner.catalog.figures import Evidence, Family, Figure, Id, UniqueParts
from planner.schema_types import Count, Flag, Metres, Millimetres, Text, Thousandths, Whole, Written


class HeatSink(StrEnum):
    """Where the heat sink is: on the plug (`finned`, OSFP IHS), on the cage (`flat` plug, RHS), or nowhere."""

    FINNED = "finned"
    FLAT = "flat"
    NONE = "none"


class Modulation(StrEnum):
    PAM4 = "pam4"
    NRZ = "nrz"
    BASE_T = "base-t"


class Protocol(StrEnum):
    INFINIBAND = "infiniband"
    ETHERNET = "ethernet"


class LengthOf(StrEnum):
    """Between which points the maker measures a cable."""

    TIP = "tip"
    MATING_FACE = "mating_face"


HeadSize = tuple[Millimetres, Millimetres, Millimetres]
"""Width, height and length."""


class PlugEnd(Written):
    """One plug: what it fits and what it carries.

    ports: logical ports that it serves (2 for a twin-port plug). lanes_per_port and lane_rate_gbps are of the host side.
    standoff_mm: how far straight out of the cage the plug and its first bend need before the cable can turn. boot_mm: how far
    the plug and its boot alone stand out. head_mm: width, height and length of the plug as it is pulled through a hole, where
    it is not that of its form factor.
    """

    form_factor: Id
    heat_sink: HeatSink
    ports: Count = 1
    lanes_per_port: Count
    lane_rate_gbps: Count
    modulation: Modulation = Modulation.PAM4
    standoff_mm: Figure[Millimetres]
    boot_mm: Figure[Millimetres] | None = None
    head_mm: Figure[HeadSize] | None = None


class Receptacle(Written):
    """The optical connectors of a transceiver: one per port, all alike.

    tx and rx list the ferrule positions by lane (index 0 is lane 1), seen at the module's face.
    """

    connector: Id
    count: Count = 1
    polish: Literal["apc", "upc"]
    gender: Literal["male", "female", "none"]
    fibre: Literal["multimode", "single-mode"]
    wavelength_nm: Whole | None = None
    tx: list[Count] = Field(min_length=1)
    rx: list[Count] = Field(min_length=1)
    source: Text


class Application(Written):
    """One way in which a module works, as CMIS advertises it.

    rates: ids of rates it serves. Each instance takes host_lanes of host_lane_rate_gbps on the cage's side and
    media_lanes on the fibre's side; starts: host lanes, from 1, at which an instance may begin (its CMIS assignment
    mask). pmd: the optical interface, where it differs from the module's own.
    """

    rates: list[Id] = Field(min_length=1)
    host_lanes: Count
    host_lane_rate_gbps: Count
    modulation: Modulation = Modulation.PAM4
    media_lanes: Count
    starts: list[Count] = Field(min_length=1)
    pmd: Id | None = None
    source: Text
    evidence: Evidence


class TransceiverMember(Written):
    part: Text
    order_number: Text | None = None


class Transceiver(Family):
    """A pluggable transceiver family.

    reach_m and loss are by fibre grade (`om4`, `os2`); pmd names the budget in `compatibility/pmds.yaml`.
    applications: what it can do beside its native mode (`end`, one instance a port, every rate of those lanes).
    retimed: whether host and fibre side may differ in lanes. only_for: the hosts that its maker lists it for, in words;
    such a module is chosen by a pin alone.
    """

    kind: Literal["transceiver"]
    members: Annotated[list[TransceiverMember], UniqueParts, Field(min_length=1, max_length=1)]
    end: PlugEnd
    receptacle: Receptacle
    pmd: Id
    protocols: list[Protocol]
    reach_m: dict[str, Figure[Metres]]
    min_length_m: Figure[Metres] | None = None
    power_w: Figure[Thousandths]
    applications: list[Application] = Field(default_factory=list)
    retimed: Flag = True
    linear: Flag = False
    own_fec: Id | None = None
    qualified_for: list[Text] = Field(default_factory=list)
    only_for: Text = ""

    @model_validator(mode="after")
    def _receptacles_match_ports(self) -> Self:
        if self.receptacle.count != self.end.ports:
            raise ValueError(f"{self.receptacle.count} receptacles serve {self.end.ports} ports")
        return self


class CableMember(Written):
    part: Text
    order_number: Text | None = None
    length_m: Metres


class CableAssembly(Family):
    """A DAC, ACC, AEC or AOC family: a cable with a plug at every end, sold in lengths.

    a is the head (the wider end of a splitter); z is each of the `z_count` other ends.
    length_of says what the maker's length includes; with `tip`, insertion_mm at each end sits inside the cages.
    """

    kind: Literal["dac", "acc", "aec", "aoc", "utp"]
    members: Annotated[list[CableMember], UniqueParts, Field(min_length=1)]
    a: PlugEnd
    z: PlugEnd
    z_count: Count = 1
    protocols: list[Protocol]
    reach_m: Figure[Metres]
    length_of: Figure[LengthOf]
    insertion_mm: Figure[Millimetres] | None = None
    tolerance_mm: Figure[Millimetres]
    breakout_point_m: Figure[Metres] | None = None
    outer_diameter_mm: Figure[Millimetres]
    kg_per_m: Figure[Thousandths]
    bend_radius_mm: Figure[Millimetres]
    power_w: Figure[Thousandths]
    qualified_for: list[Text] = Field(default_factory=list)

    @model_validator(mode="after")
    def _ports_balance(self) -> Self:
        if self.a.ports != self.z.ports * self.z_count:
            raise ValueError(f"{self.a.ports} ports at end a, {self.z.ports} x {self.z_count} at end z")
        return self

    @property
    def is_splitter(self) -> bool:
        return self.z_count > 1
