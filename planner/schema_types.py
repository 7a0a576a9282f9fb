"""How texts of a file become values: the field types that the project's and the catalog's schemas share.

The reader keeps every scalar as its source text; these types decide what a text means where it stands, so that a rack
may be called `NO` and a length may be written `7 ft`. A refused text raises ValueError with a message for a finding.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, WithJsonSchema

from planner.names import HostlistError, expand_hostlist, fault_of_name
from planner.units import UnitError, length_um, number, share_ppm

MOST_SECTION_UM: Final = 10_000_000
MOST_POINTS: Final = 10_000
"""Points of one outline or path; a survey's cloud of points is not a drawing of either."""
INVALID_NAME: Final = "invalid name: "
"""Prefix by which a refused name is told from other refused values."""


class Written(BaseModel):
    """Base of what people write: unknown keys refused, values fixed once read, keys as written (`at_m`)."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=False, arbitrary_types_allowed=True)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a text is wanted here")  # noqa: TRY004 - pydantic turns only ValueError into an error
    return value


def _name(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{INVALID_NAME}a name is a text")  # noqa: TRY004
    fault = fault_of_name(value)
    if fault:
        raise ValueError(f"{INVALID_NAME}`{value}` is not a name: {fault}")
    return value


def _names(value: Any) -> tuple[str, ...]:
    """Names from a hostlist text, or from a list of hostlist texts."""
    items = value if isinstance(value, list) else [value]
    names: list[str] = []
    for item in items:
        if not isinstance(item, str):
            raise ValueError(f"{INVALID_NAME}a name is a text")  # noqa: TRY004
        try:
            names.extend(_name(name) for name in expand_hostlist(item))
        except HostlistError as error:
            raise ValueError(f"{INVALID_NAME}{error}") from error
    if not names:
        raise ValueError(f"{INVALID_NAME}at least one name is wanted")
    return tuple(names)


def _whole(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if not isinstance(value, str) or not re.fullmatch(r"[+-]?\d{1,12}", value):
        raise ValueError(f"`{value}` is not a whole number")
    return int(value)


def _count(value: Any) -> int:
    number = _whole(value)
    if number < 1:
        raise ValueError(f"`{value}` is not a whole number from 1")
    return number


def _from_zero(value: Any) -> int:
    number = _whole(value)
    if number < 0:
        raise ValueError(f"`{value}` is not a whole number from 0")
    return number


def _flag(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if value not in ("true", "True", "TRUE", "false", "False", "FALSE"):
        raise ValueError(f"`{value}` is neither `true` nor `false`")
    return str(value).lower() == "true"


def _length(unit: str) -> Any:
    def read(value: Any) -> int:
        if not isinstance(value, str):
            raise ValueError("a length is wanted here")  # noqa: TRY004
        try:
            return length_um(value, unit)
        except UnitError as error:
            raise ValueError(str(error)) from error

    return read


def _section(value: Any) -> int:
    length: int = _length("mm")(value)
    if not 0 < length <= MOST_SECTION_UM:
        raise ValueError(f"`{value}` is not the width or depth of a pathway, above 0 and up to 10 m")
    return length


def _thousandths(value: Any) -> int:
    """Whole thousandths of a figure (mW of W, mdB of dB, g of kg); finer figures are refused."""
    if not isinstance(value, str):
        raise ValueError("a number is wanted here")  # noqa: TRY004
    try:
        exact = number(value) * 1000
    except UnitError as error:
        raise ValueError(str(error)) from error
    if int(exact) != exact:
        raise ValueError(f"`{value}` is finer than a thousandth")
    return int(exact)


def _share(value: Any) -> int:
    if not isinstance(value, str):
        raise ValueError("a share such as 0.03 is wanted here")  # noqa: TRY004
    try:
        ppm = share_ppm(value)
    except UnitError as error:
        raise ValueError(str(error)) from error
    if not 0 <= ppm <= 10_000_000:
        raise ValueError(f"`{value}` is not a share from 0 to 10")
    return ppm


def _day(value: Any) -> str:
    try:
        return date.fromisoformat(_text(value)).isoformat()
    except ValueError as error:
        raise ValueError(f"`{value}` is not a day such as 2026-12-15") from error


def _few_points(value: Any) -> Any:
    """A list that is looked at no further when it is longer than any drawing of a room."""
    if isinstance(value, list) and len(value) > MOST_POINTS:
        raise ValueError(f"it has {len(value)} points, at most {MOST_POINTS} are read")
    return value


def _room_point(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) not in (2, 3):
        raise ValueError("a point is `[x, y]`, or `[x, y, z]` with a height of its own")
    read = _length("m")
    return tuple(read(part) for part in value)


_LENGTH_SCHEMA: Final = {"type": ["number", "string"]}

Text = Annotated[str, BeforeValidator(_text)]
Name = Annotated[str, BeforeValidator(_name), WithJsonSchema({"type": ["string", "number"], "maxLength": 64})]
Names = Annotated[
    tuple[str, ...],
    BeforeValidator(_names),
    WithJsonSchema(
        {"anyOf": [{"type": ["string", "number"]}, {"type": "array", "items": {"type": ["string", "number"]}}]}
    ),
]
Whole = Annotated[int, BeforeValidator(_whole), WithJsonSchema({"type": "integer"})]
Count = Annotated[int, BeforeValidator(_count), WithJsonSchema({"type": "integer", "minimum": 1})]
"""A whole number from 1."""
FromZero = Annotated[int, BeforeValidator(_from_zero), WithJsonSchema({"type": "integer", "minimum": 0})]
"""A whole number from 0."""
Flag = Annotated[bool, BeforeValidator(_flag), WithJsonSchema({"type": "boolean"})]
Metres = Annotated[int, BeforeValidator(_length("m")), WithJsonSchema(_LENGTH_SCHEMA)]
"""A length written in metres (or with its unit), held in whole micrometres."""
Millimetres = Annotated[int, BeforeValidator(_length("mm")), WithJsonSchema(_LENGTH_SCHEMA)]
"""A length written in millimetres (or with its unit), held in whole micrometres."""
FewPoints = BeforeValidator(_few_points)
WayPoint = Annotated[
    tuple[int, ...],
    BeforeValidator(_room_point),
    WithJsonSchema({"type": "array", "items": _LENGTH_SCHEMA, "minItems": 2, "maxItems": 3}),
]
"""A point `[x, y]` or `[x, y, z]` in metres, held in whole micrometres."""
Section = Annotated[int, BeforeValidator(_section), WithJsonSchema(_LENGTH_SCHEMA)]
"""Width or depth of a section that cables lie in, up to 10 m, held in whole micrometres."""
Thousandths = Annotated[int, BeforeValidator(_thousandths), WithJsonSchema({"type": "number"})]
Share = Annotated[int, BeforeValidator(_share), WithJsonSchema({"type": "number"})]
"""A share such as 0.03, held in parts per million."""
Day = Annotated[str, BeforeValidator(_day), WithJsonSchema({"type": "string", "format": "date"})]


def one_or_several(data: Any) -> Any:
    """A single text where a list may stand, for a validator before a list's own."""
    return [data] if isinstance(data, str) else data
