"""What a drawing of a rack's face shows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """A device at one face of its rack.

    slot: the lowest that it fills, counted from the bottom from 1; u: its number as the rack counts. mount: the face of
    the rack that the device's own front is at. lane, lanes: place from the left among devices in the same slots, which
    a rule refuses and a drawing must still show. cables, ports_used, ports: at this face. other_cables: at the other.
    """

    device: str
    model: str
    u: int
    slot: int
    height_u: int
    mount: str
    lane: int
    lanes: int
    cables: int
    ports_used: int
    ports: int
    other_cables: int


@dataclass(frozen=True, slots=True)
class Elevation:
    """One face of a rack. width_mm: of the whole rack. boxes: from the top down. outside: of devices beyond the slots."""

    rack: str
    row: str
    type: str
    phase: str
    units: int
    numbered_from: str
    width_mm: int
    face: str
    boxes: tuple[Box, ...]
    outside: tuple[Box, ...]
    free_units: int

    def number(self, slot: int) -> int:
        """The number that the rack gives to a slot counted from the bottom."""
        return slot if self.numbered_from == "bottom" else self.units + 1 - slot
