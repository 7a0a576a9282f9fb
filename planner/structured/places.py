"""Where the ports of panels are in their racks: at the front, where cords are, and behind it, where trunks end.

Slots count row by row from the top left, facing the panel's front. Where the catalog has no width, a port is taken in the
middle, the longest way to either manager, and its half of the panel says which manager it takes. Where it has no depth,
the panel is taken as deep as from one mounting rail to the other, so that no trunk comes out too short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.catalog.chassis import LEFT, RIGHT
from planner.layout import Layout
from planner.locate import Places
from planner.structured.panels import PlacedPanel
from planner.structured.shelf import FilledSlot
from planner.table import Floats, Ints, Table


@dataclass(frozen=True, slots=True)
class _Slots(Table):
    """Slots in use by panel (row). column: the slot's, from 0, of so many columns; wide: how many of them its insert takes.

    face_um: depth of the panel's front; back_um: of its rear, where trunks end. mirrored: -1 where x as seen facing the
    panel runs against the rack's.
    """

    panel: Ints
    first_front: Ints
    fronts: Ints
    first_rear: Ints
    rears: Ints
    column: Ints
    columns: Ints
    wide: Ints
    rack: Ints
    width_um: Ints
    mirrored: Ints
    outward: Ints
    face_um: Ints
    back_um: Ints
    z_um: Ints


@dataclass(frozen=True)
class PanelPorts:
    """Where ports are, to look up by panel (row) and port."""

    slots: _Slots

    @classmethod
    def of(cls, layout: Layout, panels: Sequence[PlacedPanel], slots: Sequence[FilledSlot]) -> PanelPorts:
        """slots: those in use, panel by panel in their order."""
        return cls(_Slots.of_rows([_slot_row(slot, panels[slot.panel], layout) for slot in slots]))

    def front(self, panel: Ints, port: Ints) -> Places:
        slot, across = self._across(panel, port, self.slots.first_front, self.slots.fronts)
        hand = np.where(across <= 0.5, LEFT, RIGHT)
        x = np.rint((across - 0.5) * slot.width_um).astype(np.int64) * slot.mirrored
        return Places(slot.rack, x, slot.face_um, slot.z_um, slot.outward, 0 * x, hand, hand * slot.mirrored)

    def rear(self, panel: Ints, port: Ints) -> Places:
        slot, across = self._across(panel, port, self.slots.first_rear, self.slots.rears)
        hand = np.where(across <= 0.5, LEFT, RIGHT)
        x = np.rint((across - 0.5) * slot.width_um).astype(np.int64) * slot.mirrored
        return Places(slot.rack, x, slot.back_um, slot.z_um, -slot.outward, 0 * x, -hand, hand * slot.mirrored)

    def _across(self, panel: Ints, port: Ints, first: Ints, count: Ints) -> tuple[_Slots, Floats]:
        """The slot of each port, and how far along the panel's width the port is, from 0 to 1. first, count: ports by slot."""
        most = int((first + count).max(initial=1))
        row = np.searchsorted(self.slots.panel * most + first, panel * most + port, side="right") - 1
        slot = self.slots.take(row)
        along = (port - first[row] + 0.5) / count[row] * slot.wide
        return slot, (slot.column + along) / slot.columns


def _slot_row(slot: FilledSlot, panel: PlacedPanel, layout: Layout) -> tuple[int, ...]:
    rack = layout.racks[panel.rack]
    part, insert = panel.part, slot.insert
    height, slots = part.height_u.value or 1, part.slots.value or 1
    columns, row = _grid(slots, height, slot.slot)
    outward, mirrored = (-1, 1) if panel.mount == "front" else (1, -1)
    rail, other = rack.type.front_rail_mm, rack.type.rear_rail_mm
    face = rail if panel.mount == "front" else other
    depth = part.depth_mm.value if part.depth_mm.value is not None else abs(other - rail)
    z = rack.underside_um(panel.u) + rack.type.u_pitch_mm * height * (2 * row - 1) // (2 * (height if columns < slots else 1))  # fmt: skip
    return (
        slot.panel, slot.first_front, insert.front, slot.first_rear, insert.rear, (slot.slot - 1) % columns, columns,
        insert.slots, panel.rack, part.width_mm.value or 0, mirrored, outward, face, face - outward * depth, z,
    )  # fmt: skip


def _grid(slots: int, height: int, slot: int) -> tuple[int, int]:
    """Slots side by side, and the row of a slot counted from the bottom, from 1."""
    if slots % height:
        return slots, 1
    columns = slots // height
    return columns, height - (slot - 1) // columns
