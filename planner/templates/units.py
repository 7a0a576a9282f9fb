"""A hall of units: compute racks on both sides of a unit's own switch racks, and rows of switches that units share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from planner.templates.hall import (
    COLD_AISLE_MM,
    HOT_AISLE_MM,
    MARGIN_MM,
    STANDARD,
    WALL_MM,
    Hall,
    RackSize,
    Row,
    rooms_of,
)
from planner.templates.model import CannotLayOutError


@dataclass(frozen=True)
class UnitHall:
    """Units in rows, as many abreast as make the hall about as wide as deep; shared switches stand in the middle rows.

    compute_racks, own_racks: racks of a unit for nodes and for its switches. shared_racks: for switches of no unit.
    shared_a_row: at most so many of them in a row, since all their cables come through the trays of their row.
    rooms: among which the units are divided evenly, the first ones getting what is left over; the shared switches stand in
    the middle room.
    """

    units: int
    compute_racks: int
    own_racks: int
    shared_racks: int = 0
    shared_a_row: int = 12
    rack: RackSize = STANDARD
    rooms: int = 1

    @property
    def width(self) -> int:
        """Racks of a unit."""
        return self.compute_racks + self.own_racks

    @cached_property
    def abreast(self) -> int:
        """Units in a row."""
        if self.units == 1:
            return 1
        pitch_mm = self.rack.depth_mm + (COLD_AISLE_MM + HOT_AISLE_MM) // 2
        square: float = (self.units * pitch_mm / (self.rack.width_mm * self.width)) ** 0.5
        return max(1, min(round(square), self._units_by_room[0]))

    @cached_property
    def _units_by_room(self) -> list[int]:
        if self.rooms > self.units:
            raise CannotLayOutError(
                f"{self.rooms} rooms need as many units or more, and there {'is one' if self.units == 1 else f'are {self.units}'}"
            )
        return [self.units // self.rooms + (n < self.units % self.rooms) for n in range(self.rooms)]

    @cached_property
    def _unit_rows(self) -> list[tuple[int, int, int]]:
        """Each row of units: its room, its first unit, and how many."""
        rows, first = [], 0
        for room, units in enumerate(self._units_by_room):
            rows += [(room, first + n, min(self.abreast, units - n)) for n in range(0, units, self.abreast)]
            first += units
        return rows

    @cached_property
    def _shared_rows(self) -> list[int]:
        """Shared racks in equal rows, none longer than a row of units."""
        rows = -(-self.shared_racks // min(self.shared_a_row, self.abreast * self.width))
        return [self.shared_racks // rows + (n < self.shared_racks % rows) for n in range(rows)]

    @property
    def _shared_room(self) -> int:
        return (self.rooms - 1) // 2

    @cached_property
    def _first_shared_row(self) -> int:
        """In the middle of their room, behind the rows of the rooms before it."""
        before = sum(room < self._shared_room for room, _, _ in self._unit_rows)
        here = sum(room == self._shared_room for room, _, _ in self._unit_rows)
        return before + (here + 1) // 2

    @cached_property
    def hall(self) -> Hall:
        rows = [(room, units * self.width) for room, _, units in self._unit_rows]
        shared = [(self._shared_room, racks) for racks in self._shared_rows]
        rows[self._first_shared_row : self._first_shared_row] = shared
        return rooms_of([[racks for room, racks in rows if room == n] for n in range(self.rooms)], self.rack)

    def _row_of(self, unit: int) -> tuple[Row, int]:
        """The row in which a unit stands, and the number of its first rack there; units from 0."""
        row, first = next((n, first) for n, (_, first, units) in enumerate(self._unit_rows) if unit < first + units)
        row += len(self._shared_rows) if row >= self._first_shared_row else 0
        return self.hall.rows[row], (unit - first) * self.width + 1

    def compute(self, unit: int) -> list[str]:
        """Hostlists of a unit's compute racks, those west of its switches first."""
        row, first = self._row_of(unit)
        west = (self.compute_racks + 1) // 2
        east = first + west + self.own_racks
        runs = [(first, first + west - 1), (east, first + self.width - 1)]
        return [row.names(begin, end) for begin, end in runs if end >= begin]

    def own(self, unit: int) -> list[str]:
        """Names of a unit's switch racks."""
        row, first = self._row_of(unit)
        west = first + (self.compute_racks + 1) // 2
        return [row.name(west + n) for n in range(self.own_racks)]

    def shared(self) -> list[str]:
        """Names of the racks of shared switches."""
        rows = self.hall.rows[self._first_shared_row : self._first_shared_row + len(self._shared_rows)]
        return [row.name(number) for row in rows for number in range(1, row.racks + 1)]

    @property
    def shared_letters(self) -> list[str]:
        """Letters of the rows of shared switches."""
        rows = self.hall.rows[self._first_shared_row : self._first_shared_row + len(self._shared_rows)]
        return [row.letter for row in rows]

    def crossings_mm(self) -> list[int]:
        """Where cross trays run: over the switch racks of each unit of the first row, or else over every eighth rack."""
        row, _ = self._row_of(0)
        if not self.own_racks:
            return [row.middle_mm(number) for number in range(min(4, row.racks), row.racks + 1, 8)]
        west = (self.compute_racks + 1) // 2
        return [
            row.middle_mm(unit * self.width + west + own + 1)
            for unit in range(min(self.abreast, self.units))
            for own in range(self.own_racks)
        ]

    def reach_m(self, units: int, *, to_shared: bool) -> float:
        """About the longest way between switch racks of neighbouring units (or from any unit to the shared racks), in plan."""
        wide = self.abreast * self.width * self.rack.width_mm
        aisle = (COLD_AISLE_MM + HOT_AISLE_MM) // 2
        pitch, wall = self.rack.depth_mm + aisle, 2 * MARGIN_MM + WALL_MM - aisle
        if to_shared:
            # Of several rooms the last may be all rooms away from the shared racks.
            deep = len(self.hall.rows) * pitch / 2 if self.rooms == 1 else len(self.hall.rows) * pitch
            return (wide + deep + (self.rooms - 1) * wall) / 1000
        rows = -(-units // self.abreast)
        walls = min(self.rooms - 1, units - 1)
        return (min(units, self.abreast) * self.width * self.rack.width_mm + rows * pitch + walls * wall) / 1000
