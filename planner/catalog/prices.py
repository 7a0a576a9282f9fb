"""Price books: money apart from parts, since it ages faster."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field, WithJsonSchema

from planner.schema_types import Count, Flag, FromZero, Text, Written
from planner.units import UnitError, number

_MOST_MONEY: Final = 1_000_000_000
"""In a currency's unit: beyond it a sum would no longer fit the plan's columns, and no part costs so much."""


def _money_e4(value: Any) -> int:
    if not isinstance(value, str):
        raise ValueError("a price is wanted here")  # noqa: TRY004 - pydantic turns only ValueError into an error
    try:
        exact = number(value) * 10_000
    except UnitError as error:
        raise ValueError(str(error)) from error
    if exact < 0 or int(exact) != exact:
        raise ValueError(f"`{value}` is not a price of at most four decimals")
    if exact > _MOST_MONEY * 10_000:
        raise ValueError(f"`{value}` is no price of one piece, at most {_MOST_MONEY:,} is")
    return int(exact)


def _currency(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[A-Z]{3}", value):
        raise ValueError(f"`{value}` is not a currency's code, three capital letters such as `USD`")
    return value


def _part(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("a part number is wanted here")
    return value


Currency = Annotated[str, BeforeValidator(_currency), WithJsonSchema({"type": "string", "pattern": "^[A-Z]{3}$"})]
MoneyE4 = Annotated[int, BeforeValidator(_money_e4), WithJsonSchema({"type": "number"})]


class Price(Written):
    """What one piece of a part costs and how it is sold; an unknown stays null."""

    part: Annotated[Text, BeforeValidator(_part)]
    price: MoneyE4 | None = None
    currency: Currency
    date: Text
    source: Text
    indicative: Flag = False
    pack_size: Count | None = None
    minimum_order: Count | None = None
    lead_time_weeks: FromZero | None = None


class PriceBook(Written):
    """One file of `prices/`."""

    name: Text
    sources: dict[str, Text] = Field(default_factory=dict)
    prices: list[Price]

    def in_words(self) -> Iterator[Price]:
        """The prices, their sources in words where they name one of the book's `sources`."""
        for price in self.prices:
            words = self.sources.get(price.source)
            yield price if words is None else price.model_copy(update={"source": words})
