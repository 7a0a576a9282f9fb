"""The sheet: which paper and scale a room gets, its metre grid, its dimensions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from planner.floorplan.shapes import Box, Line, Point, Ring, Sheet, Text
from planner.units import metres

SCALES: Final = (20, 25, 50, 75, 100, 125, 200, 250, 300, 400, 500, 750, 1000, 2000, 2500, 5000)
"""Those on a scale ruler, then those of site plans."""

MARGIN: Final = 8.0
GRID_MM: Final = 7.0
"""Lines of the grid are at least so far apart on paper that each can have its figure."""
_PAPERS: Final = (("A4", 297, 210), ("A3", 420, 297))
PANEL: Final = {"A4": 66.0, "A3": 84.0}
"""Width of the column with legend and title block."""

# Round the room: grid figures left and below, dimensions right and above.
_LEFT, _RIGHT, _ABOVE, _BELOW = 10.0, 12.0, 12.0, 9.0


def bounds(rings: Iterable[Iterable[Point]]) -> Box:
    """The box round all points; a metre where there are none."""
    xs, ys = [], []
    for ring in rings:
        for x, y in ring:
            xs.append(x)
            ys.append(y)
    if not xs:
        return Box(0, 0, 1000, 1000)
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def sheet_for(extent: Box) -> Sheet:
    """A4 where it takes the room at 1:50 or larger, else the larger scale of A4 and A3; landscape."""
    fits = []
    for name, width, height in _PAPERS:
        across = width - 2 * MARGIN - PANEL[name] - _LEFT - _RIGHT
        up = height - 2 * MARGIN - _ABOVE - _BELOW
        scale = next((s for s in _scales() if extent.width <= across * s and extent.height <= up * s), 0)
        west = extent.x + extent.width / 2 - scale * (MARGIN + _LEFT + across / 2)
        south = extent.y + extent.height / 2 - scale * (MARGIN + _BELOW + up / 2)
        fits.append(Sheet(name, width, height, scale, round(west), round(south)))
    small, large = fits
    return small if small.scale <= max(50, large.scale) else large


def _scales() -> Iterator[int]:
    yield from SCALES
    scale = SCALES[-1]
    while True:
        scale *= 2
        yield scale


def step_of(sheet: Sheet, least: float) -> int:
    """The smallest of 1, 2, 5, 10, ... metres that is at least so many millimetres long on paper; in mm."""
    power = 1000
    while True:
        for factor in (1, 2, 5):
            if factor * power >= least * sheet.scale:
                return factor * power
        power *= 10


def grid_of(box: Box, sheet: Sheet) -> tuple[list[Line], list[Text]]:
    """Lines of the metre grid over the room, and their figures along its west and south side."""
    step = step_of(sheet, GRID_MM)
    size, gap = sheet.room(1.8), sheet.room(1.5)
    lines, figures = [], []
    east, north = box.x + box.width, box.y + box.height
    for x in _multiples(box.x, east, step):
        if box.x < x < east:  # not over a wall
            lines.append(Line("grid", ((x, box.y), (x, north))))
        figures.append(Text("figure", x, box.y - gap - size * 4 // 5, size, (str(x // 1000),), "middle"))
    for y in _multiples(box.y, north, step):
        if box.y < y < north:
            lines.append(Line("grid", ((box.x, y), (east, y))))
        figures.append(Text("figure", box.x - gap, y - size * 36 // 100, size, (str(y // 1000),), "end"))
    figures.append(Text("figure", box.x - gap, box.y - gap - size * 4 // 5, size, ("m",), "end"))
    return lines, figures


def _multiples(low: int, high: int, step: int) -> range:
    return range(-(-low // step) * step, high + 1, step)


def dimensions_of(outline: Ring, extent: Box, sheet: Sheet) -> tuple[list[Line], list[Text]]:
    """Overall dimensions of the room: its width above, its depth on the right, outside of all that is drawn."""
    if not outline:
        return [], []
    room = bounds([outline])
    east, north = room.x + room.width, room.y + room.height
    size, away, tick = sheet.room(2.5), sheet.room(6), sheet.room(1)
    above, right = extent.y + extent.height + away, extent.x + extent.width + away
    lines = [Line("dimension", ((room.x, above), (east, above))), Line("dimension", ((right, room.y), (right, north)))]
    for x in (room.x, east):
        lines.append(Line("extension", ((x, north + tick), (x, above + tick))))
        lines.append(Line("dimension", ((x - tick, above - tick), (x + tick, above + tick))))
    for y in (room.y, north):
        lines.append(Line("extension", ((east + tick, y), (right + tick, y))))
        lines.append(Line("dimension", ((right - tick, y - tick), (right + tick, y + tick))))
    lift = sheet.room(0.8)
    middle_x, middle_y = (room.x + east) // 2, (room.y + north) // 2
    texts = [
        Text("dimension", middle_x, above + lift, size, (spoken(room.width),), "middle"),
        Text("dimension", right + size + lift // 2, middle_y, size, (spoken(room.height),), "middle", turn=90),
    ]
    return lines, texts


def spoken(mm: int) -> str:
    """`9.00 m`: to the centimetre, or to the millimetre where that says more."""
    text = metres(mm)
    return f"{text.removesuffix('0')} m"
