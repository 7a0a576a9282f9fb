"""What is allowed with what: rates, cages and plugs, fibre grades, and loss budgets, apart from the parts themselves."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from planner.catalog.figures import Evidence, Figure, Id
from planner.catalog.plugs import HeadSize, HeatSink, Modulation, Protocol
from planner.schema_types import Metres, Text, Thousandths, Whole, Written


class Rate(Written):
    """A named port rate: `ndr` is four lanes of 100G PAM4, 400 Gb/s.

    of: the rate that this is another electrical form of (`400g-8x50` is `of: 400g`): a fabric of rate 400g takes ports
    of either, and a retimed optic joins them. fec: the error correction that ports of this form use, None where it is
    not known. topology_note: what the rate asks of a fabric's topology, for people.
    """

    id: Id
    of: Id | None = None
    protocol: Protocol
    lanes: Whole
    lane_rate_gbps: Whole
    modulation: Modulation
    gbps: Whole
    fec: Id | None = None
    topology_note: Text = ""
    source: Text
    evidence: Evidence


class Fit(Written):
    """Plugs that enter a cage; what no line allows does not enter."""

    cage_form_factor: Id
    cage_heat_sink: HeatSink
    plug_form_factor: Id
    plug_heat_sink: HeatSink
    source: Text
    evidence: Evidence


class Firmware(Written):
    """The least firmware with which a device runs some rates; numbers are compared place by place."""

    device: Id
    rates: list[Id] = Field(min_length=1)
    least: Text
    source: Text
    evidence: Evidence


class FormFactor(Written):
    """What plugs of a form factor have at most: lanes, their rate, and the power that the largest known ones draw.

    head_mm: width, height and length of its plugs, as they are pulled through a hole; flat_head_mm: of flat ones, if lower.
    """

    id: Id
    lanes: Whole
    lane_rate_gbps: Whole
    max_power_w: Figure[Thousandths]
    head_mm: Figure[HeadSize] | None = None
    flat_head_mm: Figure[HeadSize] | None = None
    source: Text
    evidence: Evidence

    def head(self, heat_sink: HeatSink) -> Figure[HeadSize] | None:
        """Of its plugs with a heat sink, or flat."""
        flat = self.flat_head_mm if heat_sink is HeatSink.FLAT else None
        return flat or self.head_mm


class Grade(Written):
    """A fibre grade and the kind of optic that it serves."""

    id: Id
    fibre: Literal["multimode", "single-mode"]


class Budget(Written):
    """Greatest channel loss and reach of an optical interface on a fibre grade.

    joints: mated pairs of a channel for which the reach is stated, those at the transceivers among them.
    """

    pmd: Id
    grade: Id
    loss_db: Figure[Thousandths]
    reach_m: Figure[Metres]
    joints: Figure[Whole] | None = None


class Compatibility(Written):
    """One file of `compatibility/`; the catalog reads them all as one."""

    sources: dict[str, Text] = Field(default_factory=dict)
    rates: list[Rate] = Field(default_factory=list)
    firmware: list[Firmware] = Field(default_factory=list)
    fits: list[Fit] = Field(default_factory=list)
    form_factors: list[FormFactor] = Field(default_factory=list)
    grades: list[Grade] = Field(default_factory=list)
    budgets: list[Budget] = Field(default_factory=list)
