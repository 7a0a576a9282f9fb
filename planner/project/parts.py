"""What is asked of the choice of parts: media, vendors, objective, stock, and all of it for some links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, field_validator, model_validator

from planner.catalog.figures import GENERIC
from planner.schema_types import Flag, Metres, Share, Text, Whole, Written
from planner.units import PPM, UnitError, number

MediumName = Literal["dac", "acc", "aec", "aoc", "optic", "utp"]


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


class StockPolicy(Written):
    """pool: one length for a rack's cables of a kind. on_hand: the list of what is on hand, which the bill uses first.

    prefer: the choice of parts does too. equals_cover: so does a part that equals another on every link that has it.
    longer_covers: so does a longer piece, where a shorter one of its family would have to be ordered.
    """

    pool: Literal["none", "rack"] = "none"
    on_hand: Text | None = None
    prefer: Flag = True
    equals_cover: Flag = True
    longer_covers: Flag = False
