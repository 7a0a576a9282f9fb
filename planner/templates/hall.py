"""A hall of racks in straight rows, with trays over them: where everything stands, as the lines of a project.

Rows run east. They stand in pairs, rear to rear over a hot aisle and front to front over a cold one; each has its trays
along the racks' rear managers, and cross trays join the rows. A hall may be several rooms, one north of the other, whose
walls the cross trays pass through openings. Lengths in millimetres, origin at the first room's south-west.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from string import ascii_uppercase
from typing import Final

COLD_AISLE_MM: Final = 1800
HOT_AISLE_MM: Final = 1200
MARGIN_MM: Final = 1800
"""Free way around the rows."""

WALL_MM: Final = 200
OPENING_MM: Final = (2500, 2900)
"""Lower and upper edge of an opening for trays, around their floor."""

OPENING_WIDTH_MM: Final = 700
"""For one tray of 600; trays side by side share an opening."""

CEILING_MM: Final = 3600
TRAY_MM: Final = 2600
"""Height of a tray's floor: over racks of 48 units, below a ceiling of common height."""

MANAGER_FROM_REAR_MM: Final = 150
TRAY_FROM_REAR_MM: Final = 300
"""A tray runs beside the line of the rear managers, whose cables then enter it over its side wall."""

SECOND_TRAY_MM: Final = 400
"""From the first tray's middle to that of the tray beside it, over the hot aisle."""


@dataclass(frozen=True)
class RackSize:
    """A rack type of the catalog as a hall needs it."""

    type: str = "rack-48u-600x1200"
    width_mm: int = 600
    depth_mm: int = 1200


STANDARD: Final = RackSize()


@dataclass(frozen=True)
class Row:
    """A row of racks: letter of its name, racks in it, west and south of its footprint, which way it faces."""

    letter: str
    racks: int
    west_mm: int
    south_mm: int
    front: str
    rack: RackSize

    @property
    def east_mm(self) -> int:
        return self.west_mm + self.racks * self.rack.width_mm

    def name(self, number: int) -> str:
        """Name of a rack, counted from 1 in the west."""
        return f"{self.letter}{number:0{self._digits}d}"

    def names(self, first: int, last: int) -> str:
        """Hostlist of a run of racks."""
        if first == last:
            return self.name(first)
        return f"{self.letter}[{first:0{self._digits}d}-{last:0{self._digits}d}]"

    @property
    def _digits(self) -> int:
        return max(2, len(str(self.racks)))

    def tray_mm(self, place: int = 0) -> int:
        """North of the middle of the row's tray; place 1 is the one beside it, over the hot aisle."""
        inward = TRAY_FROM_REAR_MM - place * SECOND_TRAY_MM
        if self.front == "south":
            return self.south_mm + self.rack.depth_mm - inward
        return self.south_mm + inward

    def middle_mm(self, number: int) -> int:
        """East of the middle of a rack."""
        return self.west_mm + (2 * number - 1) * self.rack.width_mm // 2


@dataclass(frozen=True)
class Hall:
    """Rows from south to north, the first of each room facing south; rooms: how many of the rows stand in each."""

    rows: tuple[Row, ...]
    rooms: tuple[int, ...]

    @property
    def east_mm(self) -> int:
        return max(row.east_mm for row in self.rows) + MARGIN_MM

    def spans_mm(self) -> list[tuple[int, int]]:
        """South and north wall of each room."""
        spans, first = [], 0
        for rows in self.rooms:
            south, north = self.rows[first], self.rows[first + rows - 1]
            spans.append((south.south_mm - MARGIN_MM, north.south_mm + north.rack.depth_mm + MARGIN_MM))
            first += rows
        return spans


def hall_of(racks_by_row: Sequence[int], rack: RackSize = STANDARD) -> Hall:
    """A hall of one room with so many racks in each row; shorter rows stand in the middle."""
    return rooms_of([racks_by_row], rack)


def rooms_of(racks_by_room: Sequence[Sequence[int]], rack: RackSize = STANDARD) -> Hall:
    """Rooms one north of the other, all as wide as the widest, with so many racks in each of their rows."""
    widest = max(racks for room in racks_by_room for racks in room)
    letters = _letters()
    rows: list[Row] = []
    south = MARGIN_MM
    for room in racks_by_room:
        for number, racks in enumerate(room):
            west = MARGIN_MM + (widest - racks) * rack.width_mm // 2
            rows.append(Row(next(letters), racks, west, south, "south" if number % 2 == 0 else "north", rack))
            south += rack.depth_mm + (HOT_AISLE_MM if number % 2 == 0 else COLD_AISLE_MM)
        south = rows[-1].south_mm + rack.depth_mm + MARGIN_MM + WALL_MM + MARGIN_MM
    return Hall(tuple(rows), tuple(map(len, racks_by_room)))


def _letters() -> Iterator[str]:
    """A to Z without I and O, which are read as figures, then AA, AB and so on."""
    letters = ascii_uppercase.replace("I", "").replace("O", "")
    yield from letters
    yield from (first + second for first in letters for second in letters)


# --- as lines of a project ------------------------------------------------------------------------------------------


def room_lines(hall: Hall, crossings_mm: Sequence[int] = ()) -> list[str]:
    """The room, or the rooms and the openings in their walls; crossings_mm: where cross trays run."""
    east, spans = metres(hall.east_mm), hall.spans_mm()
    if len(spans) == 1:
        outline = _rectangle("0", "0", east, metres(spans[0][1]))
        return ["room:", f"  outline_m: {outline}", f"  ceiling_m: {metres(CEILING_MM)}"]
    rooms = [
        f"  - {{name: hall-{number}, outline_m: {_rectangle('0', metres(south), east, metres(north))}, ceiling_m: {metres(CEILING_MM)}}}"
        for number, (south, north) in enumerate(spans, start=1)
    ]
    return ["rooms:", *rooms, "openings:", *_opening_lines(spans, crossings_mm)]


def _opening_lines(spans: Sequence[tuple[int, int]], crossings_mm: Sequence[int]) -> Iterator[str]:
    """An opening in each wall for every cross tray, or for several that run side by side."""
    holes: list[list[int]] = []
    for x in sorted(crossings_mm):
        if holes and x - OPENING_WIDTH_MM // 2 <= holes[-1][1]:
            holes[-1][1] = x + OPENING_WIDTH_MM // 2
        else:
            holes.append([x - OPENING_WIDTH_MM // 2, x + OPENING_WIDTH_MM // 2])
    low, high = OPENING_MM
    for number, ((_, south), (north, _)) in enumerate(pairwise(spans), start=1):
        for hole, (west, east) in enumerate(holes, start=1):
            polygon = _rectangle(metres(west), metres(south), metres(east), metres(north))
            yield f"  - {{name: wall-{number}-{hole}, polygon_m: {polygon}, from_m: {metres(low)}, to_m: {metres(high)}}}"


def _rectangle(west: str, south: str, east: str, north: str) -> str:
    return f"[[{west}, {south}], [{east}, {south}], [{east}, {north}], [{west}, {north}]]"


def rack_lines(hall: Hall) -> list[str]:
    return [
        "racks:",
        *(
            f'  - {{row: {row.letter}, names: "{row.names(1, row.racks)}", type: {row.rack.type}, '
            f"at_m: [{metres(row.west_mm)}, {metres(row.south_mm)}], along: east, front: {row.front}}}"
            for row in hall.rows
        ),
    ]


@dataclass(frozen=True)
class Trays:
    """Trays of one use: a name's beginning, type in the catalog, what they carry, their place beside the managers."""

    name: str
    type: str
    carries: str
    place: int = 0


def row_tray_lines(hall: Hall, trays: Trays) -> list[str]:
    """A tray along each row, as long as the widest, so that cross trays meet them all."""
    west, east = min(row.west_mm for row in hall.rows), max(row.east_mm for row in hall.rows)
    lines = []
    for row in hall.rows:
        y = metres(row.tray_mm(trays.place))
        path = f"[[{metres(west)}, {y}], [{metres(east)}, {y}]]"
        lines.append(_tray(f"{trays.name}-{row.letter}", trays, path))
    return lines


def cross_tray_lines(hall: Hall, trays: Trays, at_mm: Sequence[int]) -> list[str]:
    """Trays from the first row's tray to the last one's, where every row stands below them; none for a single row."""
    if len(hall.rows) < 2:
        return []
    ends = [row.tray_mm(trays.place) for row in (hall.rows[0], hall.rows[-1])]
    return [
        _tray(f"{trays.name}-{number}", trays, f"[[{metres(x)}, {metres(ends[0])}], [{metres(x)}, {metres(ends[1])}]]")
        for number, x in zip(count(1), at_mm, strict=False)
    ]


def _tray(name: str, trays: Trays, path: str) -> str:
    return (
        f"  - {{name: {name}, type: {trays.type}, path_m: {path}, "
        f"height_m: {metres(TRAY_MM)}, carries: [{trays.carries}]}}"
    )


def metres(mm: int) -> str:
    """`1800` as `1.8`."""
    return f"{mm / 1000:.3f}".rstrip("0").rstrip(".")
