"""Catalog entries as text that reads as if a person had written it: one figure a line, unknowns as `null`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final

Scalar = str | int | Decimal | None

# What YAML reads as one plain text wherever it stands, in a block or between braces.
_PLAIN: Final = re.compile(r"[A-Za-z0-9_./+][A-Za-z0-9_./+ -]*(?<! )")
# Numbers, dates and times of YAML 1.1 and what looks like them; `800g` does not.
_NUMBER_LIKE: Final = re.compile(r"[-+.0-9][-+.0-9_a-fA-FxXo:]*")
_READ_AS_MORE: Final = frozenset(("null", "true", "false", "yes", "no", "on", "off", "nan", "inf"))


def scalar(value: Scalar) -> str:
    """A value as YAML; quoted where a reader, ours or another, could take it for something else."""
    if value is None:
        return "null"
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    if isinstance(value, int):
        return str(value)
    number_like = _NUMBER_LIKE.fullmatch(value) and not re.fullmatch(r"0|[1-9][0-9]*", value)
    if _PLAIN.fullmatch(value) and value.casefold() not in _READ_AS_MORE and not number_like:
        return value
    return json.dumps(value, ensure_ascii=False)


def flow(values: Mapping[str, Scalar]) -> str:
    """`{value: 1, source: netbox}`."""
    return "{" + ", ".join(f"{key}: {scalar(value)}" for key, value in values.items()) + "}"


def flow_list(values: Iterable[str]) -> str:
    return "[" + ", ".join(scalar(value) for value in values) + "]"


def comment(text: str) -> str:
    """A text as a comment of one line."""
    return "# " + " ".join(text.split())
