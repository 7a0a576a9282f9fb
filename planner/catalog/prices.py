"""Price books: money apart from parts, since it ages faster."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from planner.schema_types import Flag, Text, Whole, Written
from planner.units import UnitError, number


def _money_e4(value: Any) -> int:
    if not isinstance(value, str):
        raise ValueError("a price is wanted here")  # noqa: TRY004 - pydantic turns only ValueError into an error
    try:
        exact = number(value) * 10_000
    except UnitError as error:
        raise ValueError(str(error)) from error
    if exact < 0 or int(exact) != exact:
        raise ValueError(f"`{value}` is not a price of at most four decimals")
    return int(exact)


MoneyE4 = Annotated[int, BeforeValidator(_money_e4), WithJsonSchema({"type": "number"})]


class Price(Written):
    """What one piece of a part costs and how it is sold; an unknown stays null."""

    part: Text
    price: MoneyE4 | None = None
    currency: Text
    date: Text
    source: Text
    indicative: Flag = False
    pack_size: Whole | None = None
    minimum_order: Whole | None = None
    lead_time_weeks: Whole | None = None


class PriceBook(Written):
    """One file of `prices/`."""

    name: Text
    sources: dict[str, Text] = Field(default_factory=dict)
    prices: list[Price]
