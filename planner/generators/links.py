"""Rows of links by name, as every way of stating them yields them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from planner.table import Ints


@dataclass(frozen=True, slots=True)
class LinkRows:
    """Links by the names of their devices and ports; at: place of each in the input."""

    a_device: Sequence[str]
    a_port: Sequence[str]
    z_device: Sequence[str]
    z_port: Sequence[str]
    tier: Sequence[str]
    at: Ints
