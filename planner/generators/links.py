"""Rows of links as the ways of stating them yield them: by name where a person wrote them, by number where we made them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.table import Ints, Table, Words


@dataclass(frozen=True, slots=True)
class LinkRows:
    """Links by the names of their devices and ports; at: place of each in the input."""

    a_device: Sequence[str]
    a_port: Sequence[str]
    z_device: Sequence[str]
    z_port: Sequence[str]
    tier: Sequence[str]
    at: Ints


@dataclass(frozen=True, slots=True)
class Wires(Table):
    """Links by the numbers of their devices in the layout and of their ports in the device's family; a is the lower tier."""

    tier: Words
    a_device: Ints
    a_port: Ints
    z_device: Ints
    z_port: Ints


def wires(tier: str, a_device: Ints, a_port: Ints, z_device: Ints, z_port: Ints) -> Wires:
    """Links of one tier from arrays of any shapes that broadcast; a device of -1 at either end is a place left empty."""
    columns = [column.ravel() for column in np.broadcast_arrays(a_device, a_port, z_device, z_port)]
    there = np.flatnonzero((columns[0] >= 0) & (columns[2] >= 0))
    a, p, z, q = (column[there].astype(np.int64) for column in columns)
    return Wires(Words(np.zeros(len(a), np.int32), (tier,)), a, p, z, q)


def laid_together(parts: Sequence[Wires]) -> Wires:
    """Several tables under one another, their tiers in the order in which they come."""
    vocabulary: dict[str, int] = {}
    codes = [np.zeros(0, np.int32)]
    for part in parts:
        if len(part):
            numbers = np.array(
                [vocabulary.setdefault(word, len(vocabulary)) for word in part.tier.vocabulary], np.int32
            )
            codes.append(numbers[part.tier.codes])
    empty = np.zeros(0, np.int64)
    return Wires(
        Words(np.concatenate(codes), tuple(vocabulary)),
        np.concatenate([empty, *(part.a_device for part in parts)]),
        np.concatenate([empty, *(part.a_port for part in parts)]),
        np.concatenate([empty, *(part.z_device for part in parts)]),
        np.concatenate([empty, *(part.z_port for part in parts)]),
    )
