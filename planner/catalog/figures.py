"""A figure of a catalog: its value, where it comes from, and how far it can be trusted."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Final, Generic, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from planner.schema_types import Text, Written

Value = TypeVar("Value")


class Evidence(StrEnum):
    """How far a figure can be trusted; only the first three let a check pass."""

    PRIMARY = "primary"
    DERIVED = "derived"
    SECONDARY = "secondary"
    UNVERIFIED = "unverified"


class Figure(Written, Generic[Value]):
    """A sourced figure; `value: null` is an unknown, which stays unknown.

    source: a key of the file's `sources`, or the words themselves.
    """

    value: Value | None
    source: Text
    evidence: Evidence = Evidence.UNVERIFIED
    note: Text = ""

    @property
    def proven(self) -> bool:
        """Whether a check may pass on it."""
        return self.value is not None and self.evidence is not Evidence.UNVERIFIED


class Lifecycle(StrEnum):
    ACTIVE = "active"
    LAST_ORDER = "last-order"
    DISCONTINUED = "discontinued"
    PLANNED = "planned"
    UNKNOWN = "unknown"


class LifecycleFigure(Figure[Lifecycle]):
    """A part's lifecycle and the day of the list that states it."""

    as_of: Text = ""


def _id(value: Any) -> str:
    if not isinstance(value, str) or not value or not set(value) <= set("abcdefghijklmnopqrstuvwxyz0123456789-."):
        raise ValueError(f"`{value}` is not an id: lower-case letters, digits, `-` and `.`")
    return value


Id = Annotated[str, BeforeValidator(_id), WithJsonSchema({"type": "string", "pattern": "^[a-z0-9.-]+$"})]


def _no_twins(parts: list[Any]) -> list[Any]:
    seen: set[str] = set()
    for member in parts:
        if member.part.lower() in seen:
            raise ValueError(f"part `{member.part}` is listed twice")
        seen.add(member.part.lower())
    return parts


GENERIC: Final = "generic"
"""Manufacturer of parts that stand for a class; they cannot be ordered, so they are chosen only when allowed."""


class Family(Written):
    """One orderable product: what its members share, whatever their length or airflow.

    implements: ids of the generic parts that it may be bought for (`planner/catalog/implements.py` says when).
    """

    id: Id
    manufacturer: Text
    description: Text
    sources: dict[str, Text] = Field(default_factory=dict)
    lifecycle: LifecycleFigure
    implements: list[Id] = Field(default_factory=list)
    notes: list[Text] = Field(default_factory=list)
    conflicts: list[Text] = Field(default_factory=list)


UniqueParts = AfterValidator(_no_twins)
