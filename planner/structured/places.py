"""Where the ports of panels are in their racks: at the front, where cords are, and behind it, where trunks end.

Slots count row by row from the top left, facing the panel's front. Where the catalog has no width, a port is taken in the
middle, the longest way to either manager, and its half of the panel says which manager it takes. Where it has no depth,
the panel is taken as deep as from one mounting rail to the other, so that no trunk comes out too short.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from planner.catalog.chassis import LEFT, RIGHT
from planner.layout import Layout
from planner.locate import Places
from planner.structured.panels import PlacedPanel
from planner.structured.shelf import FilledSlot
from planner.table import Ints


@dataclass(frozen=True)
class PanelPorts:
    """The slots of panels in use, to look up places by panel (row) and port."""

    layout: Layout
    panels: Sequence[PlacedPanel]
    slots: Mapping[int, Sequence[FilledSlot]]

    @classmethod
    def of(cls, layout: Layout, panels: Sequence[PlacedPanel], slots: Sequence[FilledSlot]) -> PanelPorts:
        by_panel: dict[int, list[FilledSlot]] = {}
        for slot in slots:
            by_panel.setdefault(slot.panel, []).append(slot)
        return cls(layout, panels, by_panel)

    def front(self, panel: Ints, port: Ints) -> Places:
        return self._places(panel, port, rear=False)

    def rear(self, panel: Ints, port: Ints) -> Places:
        return self._places(panel, port, rear=True)

    def _places(self, panel: Ints, port: Ints, *, rear: bool) -> Places:
        known: dict[tuple[int, int], tuple[int, ...]] = {}
        rows = []
        for key in zip(panel.tolist(), port.tolist(), strict=True):
            if key not in known:
                known[key] = self._place(*key, rear=rear)
            rows.append(known[key])
        return Places.of_rows(rows) if rows else Places(*np.zeros((8, 0), np.int64))

    def _place(self, number: int, port: int, *, rear: bool) -> tuple[int, ...]:
        panel = self.panels[number]
        slot, along = self._along(number, port, rear=rear)
        rack = self.layout.racks[panel.rack]
        kind = rack.type
        height = panel.part.height_u.value or 1
        columns, row = _grid(panel.part.slots.value or 1, height, slot.slot)
        across = ((slot.slot - 1) % columns + along) / columns
        outward, mirrored = (-1, 1) if panel.mount == "front" else (1, -1)
        rail, other = kind.front_rail_mm, kind.rear_rail_mm
        front = rail if panel.mount == "front" else other
        depth = panel.part.depth_mm.value if panel.part.depth_mm.value is not None else abs(other - rail)
        width = panel.part.width_mm.value or 0
        hand = LEFT if across <= 0.5 else RIGHT
        z = rack.underside_um(panel.u) + kind.u_pitch_mm * height * (2 * row - 1) // (2 * (height if columns < (panel.part.slots.value or 1) else 1))  # fmt: skip
        x = round((across - 0.5) * width) * mirrored
        if rear:
            return panel.rack, x, front - outward * depth, z, -outward, 0, -hand, hand * mirrored
        return panel.rack, x, front, z, outward, 0, hand, hand * mirrored

    def _along(self, number: int, port: int, *, rear: bool) -> tuple[FilledSlot, float]:
        """The slot of a port, and how far along the slot it is, from 0 to 1."""
        for slot in self.slots[number]:
            first, count = (slot.first_rear, slot.insert.rear) if rear else (slot.first_front, slot.insert.front)
            if first <= port < first + count:
                return slot, (port - first + 0.5) / count * slot.insert.slots
        raise KeyError((number, port))


def _grid(slots: int, height: int, slot: int) -> tuple[int, int]:
    """Slots side by side, and the row of a slot counted from the bottom, from 1."""
    if slots % height:
        return slots, 1
    columns = slots // height
    return columns, height - (slot - 1) // columns
