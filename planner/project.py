"""The project as people write it (design: input): room, racks, pathways, devices, fabrics, policy, pins and phases.

These models check form only: whether a name exists, a port is free or a rack stands in the room is judged by the stages
that know. Attributes keep the name of their key; lengths are held in whole micrometres, shares in millionths.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, field_validator, model_validator

from planner import label_formats, label_template
from planner.catalog.figures import GENERIC
from planner.catalog.racks import Obstruction
from planner.generators.parameters import Generate
from planner.schema_types import (
    Count,
    Day,
    FewPoints,
    Flag,
    FromZero,
    Metres,
    Millimetres,
    Name,
    Names,
    Share,
    Text,
    WayPoint,
    Whole,
    Written,
)
from planner.units import PPM, UnitError, number

FORMAT: Final = "planner/1"

Direction = Literal["north", "east", "south", "west"]
PlanPoint = tuple[Metres, Metres]
CableClass = Literal["copper", "fibre"]
CLASSES: Final[tuple[CableClass, ...]] = ("copper", "fibre")
MediumName = Literal["dac", "acc", "aec", "aoc", "optic", "utp"]


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


class DeviceGroup(Written):
    """Devices of one model: into one rack, or rack by rack, each with the slots of u.

    slides: they slide out with their cables in, by the catalog's `slides_out_m` or by service_loop_m. side, half: which
    half of their slots they take, in width as seen facing their front, and in height. at_mm: where the middle of a
    device that takes no slot stands, x and depth as of a manager.
    """

    names: Names
    model: Text
    rack: Name | None = None
    racks: Names | None = None
    u: list[Whole] = Field(min_length=1)
    mount: Literal["front", "rear"] = "front"
    side: Literal["left", "right"] | None = None
    half: Literal["lower", "upper"] | None = None
    at_mm: tuple[Millimetres, Millimetres] | None = None
    slides: Flag = False
    firmware: Text | None = None
    service_loop_m: Annotated[Metres, Field(ge=0)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _one_slot_is_a_list(cls, data: Any) -> Any:
        if isinstance(data, dict) and isinstance(data.get("u"), str):
            return {**data, "u": [data["u"]]}
        return data

    @model_validator(mode="after")
    def _one_way_of_placing(self) -> DeviceGroup:
        if (self.rack is None) == (self.racks is None):
            raise ValueError("a device group has either `rack` or `racks`")
        return self


class PanelGroup(Written):
    """Panels of one part, placed as devices are; or, with u_range and a stem for their names, as many as their trunks take.

    plate: what its slots take, in place of what the cabling's entry says. serves: racks whose devices are patched here; by
    default its own.
    """

    names: Names | None = None
    stem: Name | None = None
    part: Text
    rack: Name | None = None
    racks: Names | None = None
    u: list[Whole] | None = Field(default=None, min_length=1)
    u_range: list[Whole] | None = Field(default=None, min_length=2, max_length=2)
    mount: Literal["front", "rear"] = "front"
    plate: Text | None = None
    serves: Names | None = None

    @model_validator(mode="before")
    @classmethod
    def _one_slot_is_a_list(cls, data: Any) -> Any:
        if isinstance(data, dict) and isinstance(data.get("u"), str):
            return {**data, "u": [data["u"]]}
        return data

    @model_validator(mode="after")
    def _one_way_of_placing(self) -> PanelGroup:
        if (self.rack is None) == (self.racks is None):
            raise ValueError("panels have either `rack` or `racks`")
        placed = self.names is not None and self.u is not None and self.stem is None and self.u_range is None
        sized = self.stem is not None and self.u_range is not None and self.names is None and self.u is None
        if not placed and not sized:
            raise ValueError("panels have `names` and `u`, or `stem` and `u_range`")
        if self.serves is not None and len(self.racks or ()) > 1:
            raise ValueError("panels with `serves` stand in one rack")
        return self


class ClassSlack(Written):
    """Slack of a cable: a loop at each end and a share of the routed length.

    store_m: the longest rest of a stock length that can be stored at each end.
    """

    loop_mm: Millimetres
    share: Share = 0
    store_m: Metres | None = None


class FabricSlack(Written):
    """Slack of a fabric's cables, where it differs from the policy's."""

    copper: ClassSlack | None = None
    fibre: ClassSlack | None = None


class Fabric(Written):
    """A named network. `links` (checked with the topology) and `generate` may stand together."""

    name: Name
    protocol: Literal["infiniband", "ethernet"]
    rate: Text
    slack: FabricSlack | None = None
    links: Annotated[
        Any,
        WithJsonSchema(
            {
                "anyOf": [
                    {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "a": {"type": "string"},
                                "z": {"type": "string"},
                                "tier": {"type": "string"},
                                "ports": {"const": "any"},
                            },
                            "required": ["a", "z", "tier"],
                            "additionalProperties": False,
                        },
                    },
                    {
                        "type": "object",
                        "properties": {"from": {"type": "string"}},
                        "required": ["from"],
                        "additionalProperties": False,
                    },
                    {
                        "type": "object",
                        "properties": {"generate": {"type": "object"}},
                        "required": ["generate"],
                        "additionalProperties": False,
                    },
                ]
            }
        ),
    ] = None
    generate: Generate | None = None

    @model_validator(mode="before")
    @classmethod
    def _generator_below_links(cls, data: Any) -> Any:
        """`links: {generate: ...}` and `generate: ...` beside `links` say the same."""
        if isinstance(data, dict) and isinstance(data.get("links"), dict) and set(data["links"]) == {"generate"}:
            if data.get("generate") is not None:
                raise ValueError("`generate` stands twice in this fabric")
            return {**{k: v for k, v in data.items() if k != "links"}, "generate": data["links"]["generate"]}
        return data


class SlackPolicy(Written):
    copper: ClassSlack = ClassSlack.model_construct(loop_mm=150_000, share=30_000)
    fibre: ClassSlack = ClassSlack.model_construct(loop_mm=300_000, share=50_000)
    trunk: ClassSlack = ClassSlack.model_construct(loop_mm=2_000_000, share=20_000)


class StockPolicy(Written):
    """pool: one length for a rack's cables of a kind. on_hand: the list of what is on hand, which the bill uses first.

    prefer: the choice of parts does too. equals_cover: so does a part that equals another on every link that has it. longer_covers: so does a longer piece,
    where a shorter one of its family would have to be ordered.
    """

    pool: Literal["none", "rack"] = "none"
    on_hand: Text | None = None
    prefer: Flag = True
    equals_cover: Flag = True
    longer_covers: Flag = False


class MediaPolicy(Written):
    order: list[MediumName] = Field(default=["dac", "acc", "aec", "aoc", "optic"], min_length=1)

    @model_validator(mode="after")
    def _each_once(self) -> MediaPolicy:
        if len(set(self.order)) != len(self.order):
            raise ValueError("a medium stands twice in the order")
        return self


def _one_vendor_has_all(value: Any) -> Any:
    return {value: "1"} if isinstance(value, str) else value


VendorShares = Annotated[
    dict[Text, Share],
    BeforeValidator(_one_vendor_has_all),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string"},
                {"type": "object", "additionalProperties": {"type": "number"}, "minProperties": 1},
            ]
        }
    ),
]
"""Share of the pieces by vendor; the name of one vendor gives it all of them."""


class VendorPolicy(Written):
    """Whose parts may be chosen, by the catalog's manufacturer; without `allow`, everybody's but generic ones.

    buy: vendors of the parts that are bought in place of generic ones, which `allow` then names by default.
    one_at_both_ends: the plugs that links join are bought from one vendor. qualified_only: plugs that the maker of their
    switch has not qualified are errors.
    """

    allow: list[Text] | None = None
    deny: list[Text] = Field(default_factory=list)
    buy: VendorShares | None = None
    one_at_both_ends: Flag = False
    qualified_only: Flag = False

    @field_validator("buy")
    @classmethod
    def _shares_are_a_whole(cls, shares: dict[str, int] | None) -> dict[str, int] | None:
        if shares is None:
            return None
        folded = [name.casefold() for name in shares]
        twice = next((name for n, name in enumerate(shares) if name.casefold() in folded[:n]), None)
        if twice is not None:
            raise ValueError(f"the vendor `{twice}` stands twice")
        nothing = next((name for name, share in shares.items() if share <= 0), None)
        if nothing is not None:
            raise ValueError(f"the share of `{nothing}` is not above 0")
        if sum(shares.values()) != PPM:
            raise ValueError(f"the shares add up to {sum(shares.values()) / PPM:g}, not to 1")
        return shares

    @property
    def planned_from(self) -> list[str] | None:
        """Manufacturers whose parts are planned with; None stands for everybody but generic ones."""
        return [GENERIC] if self.allow is None and self.buy else self.allow


OBJECTIVES: Final = ("media", "cost", "power", "lead_time", "part_numbers")
WEIGHED: Final = ("cost", "power", "lead_time")


@dataclass(frozen=True, slots=True)
class Objective:
    """What the choice of parts makes least; `weighted` is a sum of figures, each with its weight in millionths."""

    name: str = "media"
    weights: tuple[tuple[str, int], ...] = ()

    @property
    def counts(self) -> tuple[str, ...]:
        """The figures of parts that it rests on."""
        if self.name == "weighted":
            return tuple(name for name, _ in self.weights)
        return (self.name,) if self.name in WEIGHED else ()


def _objective(value: Any) -> Objective:
    if isinstance(value, Objective):
        return value
    if isinstance(value, dict):
        strange = [key for key in value if key not in WEIGHED]
        if strange or not value:
            raise ValueError(f"a weighted objective has keys of {', '.join(f'`{name}`' for name in WEIGHED)}")
        return Objective("weighted", tuple((name, _weight(value[name])) for name in WEIGHED if name in value))
    if value not in OBJECTIVES:
        known = ", ".join(f"`{name}`" for name in OBJECTIVES)
        raise ValueError(
            f"`{value}` is no objective; it is one of {known}, or weights such as `{{cost: 1, power: 0.5}}`"
        )
    return Objective(value)


def _weight(value: Any) -> int:
    try:
        exact = number(value) * PPM
    except (UnitError, TypeError, AttributeError) as error:
        raise ValueError(f"`{value}` is not a weight such as 0.5") from error
    if not 0 < exact <= 1_000 * PPM or int(exact) != exact:
        raise ValueError(f"`{value}` is not a weight above 0 and up to 1000, of at most six decimals")
    return int(exact)


ObjectiveField = Annotated[
    Objective,
    BeforeValidator(_objective),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": list(OBJECTIVES)},
                {
                    "type": "object",
                    "properties": {name: {"type": "number"} for name in WEIGHED},
                    "additionalProperties": False,
                    "minProperties": 1,
                },
            ]
        }
    ),
]


class Choice(Written):
    """What is asked of the parts of some links, named as in a pin; a key that is left out asks what the policy asks."""

    links: Text
    objective: ObjectiveField | None = None
    media: list[MediumName] | None = Field(default=None, min_length=1)
    vendors: VendorPolicy | None = None
    allow: list[Text] | None = None
    deny: list[Text] | None = None
    max_lead_time_weeks: Whole | None = None
    one_medium: Flag | None = None
    plug_lengths_within_m: Metres | None = None
    equal_lengths: Literal["rail", "none"] | None = None


class FillPolicy(Written):
    """Shares of a pathway's section: above `reroute` another way is sought, above `warn` and `fail` a finding."""

    reroute: Share = 250_000
    warn: Share = 400_000
    fail: Share = 500_000


def _one_or_several(data: Any) -> Any:
    """A single text where a list may stand."""
    return [data] if isinstance(data, str) else data


Several = Annotated[list[Text], BeforeValidator(_one_or_several), Field(min_length=1)]
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


class Pin(Written):
    """Parts forced for links named by ID, glob or fabric/tier; null forces nothing.

    a_cord, z_cord: one cord of a channel over panels, where `cable` is both.
    """

    links: Text
    cable: Text | None = None
    a_cord: Text | None = None
    z_cord: Text | None = None
    a_plug: Text | None = None
    z_plug: Text | None = None


class Measured(Written):
    """A length measured on site: of a link from port to port, between two racks from exit to exit, or of a pathway."""

    link: Text | None = None
    racks: list[Name] | None = Field(default=None, min_length=2, max_length=2)
    pathway: Name | None = None
    length_m: Metres

    @model_validator(mode="after")
    def _one_thing(self) -> Measured:
        if [self.link, self.racks, self.pathway].count(None) != 2:
            raise ValueError("a measured length is of a `link`, of two `racks` or of a `pathway`")
        return self


class Remark(Written):
    """What whoever cables some links is to read, on their cut sheets; links named as in a pin."""

    links: Text
    text: Text = Field(min_length=1, max_length=20_000)

    @field_validator("text")
    @classmethod
    def _is_printable(cls, text: str) -> str:
        if not " ".join(text.split()).isprintable():
            raise ValueError("a remark has printable characters, blanks and line ends alone")
        return text


class Waiver(Written):
    """Accepts findings of a rule on some objects, with a reason; they stay listed and count nowhere."""

    rule: Text
    objects: list[Text] = Field(default_factory=list)
    reason: Text = Field(min_length=1)


class Phase(Written):
    name: Name
    racks: Names
    need_by: Day | None = None


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
