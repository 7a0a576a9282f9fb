"""From a port to the exits of its rack: which ways out its side has, and how long each is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.layout import Layout
from planner.lengths.inside import out_um
from planner.locate import Places, ways_out
from planner.table import Ints


@dataclass(frozen=True, slots=True)
class WayColumns:
    """Ways out of every rack, by rack and side, padded with -1; and each way's manager and exit.

    First index of `by_side`: rack; second: 0 for the left side facing the front, 1 for the right.
    """

    by_side: Ints
    manager_x: Ints
    manager_depth: Ints
    exit_z: Ints
    sideways: Ints

    @classmethod
    def of(cls, layout: Layout) -> WayColumns:
        by_kind = {rack.type.id: ways_out(rack.type) for rack in layout.racks}
        most = max((len(ways) for ways in by_kind.values()), default=1)
        by_side = np.full((len(layout.racks), 2, most), -1, np.int64)
        columns = np.zeros((4, len(layout.racks), most), np.int64)
        for number, rack in enumerate(layout.racks):
            ways = by_kind[rack.type.id]
            for index, side in enumerate((-1, 1)):
                # A rack with managers on one side only has no other way out.
                on_side = [w for w, way in enumerate(ways) if way.side == side] or list(range(len(ways)))
                by_side[number, index, : len(on_side)] = on_side
            for w, way in enumerate(ways):
                columns[:, number, w] = way.manager.x_mm, way.manager.y_mm, way.exit.z_mm, way.sideways_um
        used = int((by_side >= 0).any(axis=(0, 1)).sum()) if len(layout.racks) else 0
        return cls(by_side[:, :, : max(1, used)], *columns)

    @property
    def most(self) -> int:
        return int(self.by_side.shape[2])

    def options(self, place: Places, rows: Ints, number: int) -> Ints:
        """The number-th way out on each row's side, -1 where there are fewer."""
        found: Ints = self.by_side[place.rack[rows], (place.side[rows] + 1) // 2, number]
        return found

    def to_exit(self, place: Places, rows: Ints, way: Ints, standoff_um: Ints | int) -> Ints:
        """From the port to the exit of the way out."""
        part = place.take(rows)
        at = (part.rack, way)
        out = out_um(part, self.manager_x[at], self.manager_depth[at], standoff_um)
        whole: Ints = out + np.abs(self.exit_z[at] - part.z_um) + self.sideways[at]
        return whole
