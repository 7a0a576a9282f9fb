"""The policy as people write it: slack, fill, routes, spares, labour, structured cabling and labels; `parts` has the choice."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from planner import label_formats, label_template
from planner.project.fabrics import ClassSlack
from planner.project.parts import Choice, MediaPolicy, Objective, ObjectiveField, StockPolicy, VendorPolicy
from planner.schema_types import Count, Flag, FromZero, Name, Share, Text, Whole, Written, one_or_several


class SlackPolicy(Written):
    copper: ClassSlack = ClassSlack.model_construct(loop_mm=150_000, share=30_000)
    fibre: ClassSlack = ClassSlack.model_construct(loop_mm=300_000, share=50_000)
    trunk: ClassSlack = ClassSlack.model_construct(loop_mm=2_000_000, share=20_000)


class FillPolicy(Written):
    """Shares of a pathway's section: above `reroute` another way is sought, above `warn` and `fail` a finding."""

    reroute: Share = 250_000
    warn: Share = 400_000
    fail: Share = 500_000


Several = Annotated[list[Text], BeforeValidator(one_or_several), Field(min_length=1)]
"""Texts, or one of them without brackets."""


class RoutePolicy(Written):
    """Pathways that some links may not, must or should take; both named by name or glob, links as in a pin."""

    links: Several
    forbid: Several | None = None
    require: Several | None = None
    prefer: Several | None = None

    @model_validator(mode="after")
    def _says_something(self) -> RoutePolicy:
        if not (self.forbid or self.require or self.prefer):
            raise ValueError("a rule for routes has `forbid`, `require` or `prefer`")
        return self


class DiversityPolicy(Written):
    """Two groups of links, named as in a pin, that share no stretch of a pathway."""

    a: Several
    z: Several


class SparePolicy(Written):
    """annual_failure_rate: share of the pieces that fail in a year; lead_time_weeks: where the price book has none.

    longer_covers: the spares of a family are held in its longest lengths, which serve for the shorter ones.
    """

    share: Share = 0
    min: FromZero = 0
    annual_failure_rate: Share = 0
    lead_time_weeks: FromZero | None = None
    longer_covers: Flag = False


def _spares(share: int, least: int) -> SparePolicy:
    return SparePolicy.model_construct(share=share, min=least)


class SparesPolicy(Written):
    """Spare pieces per part and length: the largest of a minimum, a share, and what fails in a lead time."""

    transceiver: SparePolicy = _spares(30_000, 2)
    cord: SparePolicy = _spares(30_000, 2)
    splitter: SparePolicy = _spares(30_000, 2)
    aoc: SparePolicy = _spares(30_000, 2)
    dac: SparePolicy = _spares(20_000, 2)
    acc: SparePolicy = _spares(20_000, 2)
    aec: SparePolicy = _spares(20_000, 2)
    utp: SparePolicy = _spares(20_000, 2)
    trunk: SparePolicy = _spares(0, 1)


class LabourPolicy(Written):
    """Minutes of one person for a piece of each kind of work, both ends included; the crew, and hours of its day.

    They are estimates of ours, with which the cut sheets tell how long a crew works; nothing else rests on them.
    """

    transceiver: Whole = 1
    copper_in_rack: Whole = 4
    copper: Whole = 7
    aoc: Whole = 12
    cord_in_rack: Whole = 8
    cord: Whole = 14
    splitter: Whole = 18
    trunk: Whole = 45
    crew: Count = 2
    hours_a_day: Count = 8


class Reserve(Written):
    """Positions that trunks keep for growth: a share of those in use, at least `min`."""

    share: Share = 100_000
    min: Whole = 2


class TrunkChoice(Written):
    """The trunk between the panels of two racks, where it differs from the entry's."""

    racks: list[Name] = Field(min_length=2, max_length=2)
    trunk: Text


class Cabling(Written):
    """How some links are cabled: by cords from end to end, or by cords to panels and trunks between them.

    links: as in a pin. trunk, plate: parts; plate may be a cassette. cord: of both ends, chosen where left out. between:
    other trunks for some pairs of racks.
    """

    links: Several
    scheme: Literal["direct", "structured"] = "structured"
    trunk: Text | None = None
    plate: Text | None = None
    cord: Text | None = None
    reserve: Reserve = Field(default_factory=Reserve)
    between: list[TrunkChoice] = Field(default_factory=list)

    @model_validator(mode="after")
    def _trunks_are_named(self) -> Cabling:
        if self.scheme == "structured" and self.trunk is None:
            raise ValueError("structured cabling names its `trunk`")
        if self.scheme == "direct" and (self.trunk or self.plate or self.cord or self.between):
            raise ValueError("direct cabling has no `trunk`, `plate`, `cord` or `between`")
        return self


class LabelsPolicy(Written):
    """text: how a label says the place of a cable's end: the name of a template, or a template.

    sheet, shape: what labels are printed on, as `--labels` and `--label-shape` of the commands name it. panel_u: the unit by
    which labels name a panel of several, its lowest or its highest.
    """

    text: Text = label_template.DEFAULT
    sheet: Text = label_formats.DEFAULT
    shape: Literal["plain", "flag", "wrap"] = "plain"
    panel_u: Literal["bottom", "top"] = "bottom"

    @field_validator("text")
    @classmethod
    def _is_a_template(cls, text: str) -> str:
        label_template.template_of(text)
        return text

    @field_validator("sheet")
    @classmethod
    def _is_a_form(cls, sheet: str) -> str:
        label_formats.label_form(sheet)
        return sheet


class Policy(Written):
    slack: SlackPolicy = Field(default_factory=SlackPolicy)
    stock: StockPolicy = Field(default_factory=StockPolicy)
    media: MediaPolicy = Field(default_factory=MediaPolicy)
    vendors: VendorPolicy = Field(default_factory=VendorPolicy)
    objective: ObjectiveField = Objective()
    choices: list[Choice] = Field(default_factory=list)
    cabling: list[Cabling] = Field(default_factory=list)
    fill: FillPolicy = Field(default_factory=FillPolicy)
    routes: list[RoutePolicy] = Field(default_factory=list)
    diversity: list[DiversityPolicy] = Field(default_factory=list)
    spares: SparesPolicy = Field(default_factory=SparesPolicy)
    labour: LabourPolicy = Field(default_factory=LabourPolicy)
    labels: LabelsPolicy = Field(default_factory=LabelsPolicy)
    fill_all_cages: Flag = False
