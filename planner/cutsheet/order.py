"""The order of the work.

Phase; then cables that leave the rack, bundle by bundle with the longest first, for they come in from the pathways, lie
deepest in the managers and cannot be laid behind what is already dressed; then cables inside the rack, tier by tier (hosts
to leaves before leaves to spines). Inside each of these: left before right as seen facing the ports, from the top of the
rack down, ports in natural order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from planner.cutsheet.content import CableRow
from planner.names import natural_key

Key = tuple[Any, ...]

cached_key = lru_cache(maxsize=65536)(natural_key)
"""Natural order of names that stand on many sheets: ports and cages of the same few models."""


def from_the_top(slot: int, device: str) -> Key:
    """slot: counted from the bottom."""
    return (-slot, cached_key(device))


def in_group(row: CableRow) -> Key:
    near = row.near
    return (near.side == "right", *from_the_top(near.slot, near.device), cached_key(near.ports[0]), row.cable_id)


def of_groups(group: tuple[int, bool, int], rows: Sequence[CableRow]) -> Key:
    """group: phase, whether inside the rack, and the tier's code (as the project names them) or the bundle.

    The bundle decides between those of equal lengths.
    """
    phase, is_inside, code = group
    if is_inside:
        return group
    lengths = [row.part.length_mm for row in rows]
    return (phase, is_inside, -max(lengths), -sum(lengths) / len(lengths), code)
