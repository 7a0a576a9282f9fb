"""What people write in a channel file, as closed pydantic models.

Figures become whole millimetres and thousandths of a decibel here. `title`, `topic`, `reason`, `source`, `desc` and
`expect` are for people and for comparing; they are read past.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from planner.channel.ferrules import GRADES
from planner.channel.model import Gender, Keying, Polish
from planner.units import UnitError, length_um, number


def _null(value: object) -> object:
    """None where a text spells the null of YAML."""
    return None if isinstance(value, str) and value in ("", "~", "null", "Null", "NULL") else value


def _length_mm(value: object) -> object:
    value = _null(value)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("a length in metres is a number")  # noqa: TRY004 - pydantic reports ValueError only
    try:
        # Rounded up, so that a length just over a limit stays over it.
        length_mm = -(-length_um(str(value), "m") // 1000)
    except UnitError as error:
        raise ValueError(str(error)) from error
    if length_mm < 0:
        raise ValueError(f"a length cannot be negative: `{value}`")
    return length_mm


def _loss_mdb(value: object) -> object:
    value = _null(value)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("a loss in decibels is a number")  # noqa: TRY004 - pydantic reports ValueError only
    try:
        exact = number(str(value)) * 1000
    except UnitError as error:
        raise ValueError(str(error)) from error
    if exact != int(exact):
        raise ValueError(f"`{value}` is finer than a thousandth of a decibel")
    if not 0 <= exact <= 1_000_000:
        raise ValueError(f"a loss is between 0 and 1000 dB: `{value}`")
    return int(exact)


def _grade(value: object) -> object:
    value = _null(value)
    if value is not None and not (isinstance(value, str) and value in GRADES):
        raise ValueError(f"`{value}` is no fibre grade ({', '.join(GRADES)})")
    return value


MOST_PARTS: Final = 5000
"""Components of a chain, ports and adapters included."""
LengthMm = Annotated[int | None, BeforeValidator(_length_mm)]
LossMdb = Annotated[int | None, BeforeValidator(_loss_mdb)]
Grade = Annotated[str | None, BeforeValidator(_grade)]
Position = Annotated[int, Field(ge=1, le=999)]
Number = Annotated[Annotated[int, Field(ge=1, le=99_999)] | None, BeforeValidator(_null)]
Lane = Annotated[int, Field(ge=0, le=999)]
OptionalGender = Annotated[Gender | None, BeforeValidator(_null)]
OptionalPolish = Annotated[Polish | None, BeforeValidator(_null)]
OptionalKeying = Annotated[Keying | None, BeforeValidator(_null)]
OptionalText = Annotated[str | None, BeforeValidator(_null)]
Populated = Literal["base8", "all"] | list[Position] | None
ShuffleMap = dict[Position, dict[Position, tuple[Position, Position]]] | None
LegMap = dict[Position, dict[Position, Position]] | None


class _Written(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FerruleText(_Written):
    """A connector face that the file adds; `mates_with` names the face it enters, itself by default."""

    rows: Annotated[int, Field(ge=1, le=8)] = 1
    columns: Annotated[int, Field(ge=1, le=128)]
    mates_with: str | None = None
    pinned: bool = True
    keyed: bool = True
    populated: list[Position] = []
    desc: Any = None
    source: Any = None


class ProfileText(_Written):
    ferrule: str
    gender: OptionalGender = None
    polish: OptionalPolish = None
    medium: Annotated[Literal["SM", "MM"] | None, BeforeValidator(_null)] = None
    tx: list[Position]
    rx: list[Position]
    desc: Any = None
    source: Any = None


class EndText(_Written):
    gender: OptionalGender = None
    polish: OptionalPolish = None


class PortText(_Written):
    type: Literal["port"]
    profile: str
    port: Number = None
    lane_offset: Lane = 0
    name: str = ""


class CableText(_Written):
    type: Literal["cable", "cord_duplex"]
    polarity: OptionalText = None
    ferrule: str
    end_a: EndText
    end_z: EndText
    fibre: Grade = None
    length_m: LengthMm = None
    populated: Populated = None
    name: str = ""


class AdapterText(_Written):
    type: Literal["adapter"]
    keying: OptionalKeying = None
    ferrule: str
    name: str = ""


class CassetteText(_Written):
    type: Literal["cassette"]
    map: OptionalText = None
    ferrule: str
    rear: EndText
    lc_ferrule: str = "lc2"
    lc_polish: OptionalPolish = None
    fibre: Grade = None
    facing: Literal["a", "z"]
    port_labels: Literal["normal", "reversed"] = "normal"
    populated: Populated = None
    name: str = ""


class FanText(_Written):
    type: Literal["splitter", "conversion"]
    ferrule_a: str
    ferrule_z: str
    end_a: EndText
    end_z: EndText
    fibre: Grade = None
    map: Annotated[LegMap, BeforeValidator(_null)] = None
    legs_on: Literal["a", "z"] = "z"
    leg: Number = None
    length_m: LengthMm = None
    name: str = ""


class ShuffleText(_Written):
    """map: by plug at end A and position there, plug and position at end Z."""

    type: Literal["shuffle"]
    ferrule_a: str
    ferrule_z: str
    end_a: EndText
    end_z: EndText
    fibre: Grade = None
    map: Annotated[ShuffleMap, BeforeValidator(_null)] = None
    name: str = ""


PartText = Annotated[
    PortText | CableText | AdapterText | CassetteText | FanText | ShuffleText,
    Field(discriminator="type"),
]


class RunText(_Written):
    length_m: LengthMm = None
    db_per_km: LossMdb = None


class LossText(_Written):
    mated_pairs_db: list[LossMdb] = []
    splices_db: list[LossMdb] = []
    fibre: list[RunText] = []
    budget_db: LossMdb = None


class ReachText(_Written):
    length_m: LengthMm = None
    limit_m: LengthMm = None
    rule: Any = None


class BranchText(_Written):
    leg: Annotated[int, Field(ge=1, le=99_999)]
    chain: Annotated[list[PartText], Field(max_length=MOST_PARTS)]
    branches: list[BranchText] = []
    loss: LossText | None = None
    reach: ReachText | None = None


class CaseText(_Written):
    id: Annotated[str, Field(min_length=1)]
    chain: Annotated[list[PartText], Field(min_length=1, max_length=MOST_PARTS)]
    branches: list[BranchText] = []
    loss: LossText | None = None
    reach: ReachText | None = None
    title: Any = None
    topic: Any = None
    reason: Any = None
    source: Any = None
    expect: Any = None
