"""Words in the room: racks, rows, aisles, pathways and their fill, set so that none covers another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from math import atan2, cos, degrees, hypot, radians, sin
from typing import Final

from planner.floorplan.lettering import LINE, SMALLEST, Lettering, shortened, shown, width
from planner.floorplan.paper import spoken
from planner.floorplan.shapes import Area, Box, Named, Pathway, Point, Rack, Ring, Sheet, Text
from planner.floorplan.standing import Row, letterings, rows_of
from planner.floorplan.strips import percent
from planner.names import name_in_row

Bounds = tuple[float, float, float, float]  # west, south, east, north
Leg = tuple[Point, int, float, tuple[float, float]]  # start, turn of words along it, length, direction

_DROP: Final = 0.36
"""Half the height of a capital in sizes: from a text's middle down to its baseline."""

_MOST_ROWS: Final = 400
"""Rooms with more rows than this have no aisle words: finding what faces what would take longer than the drawing."""

_STEPS: Final = 24
"""Most places along a leg of a pathway at which its label is tried; they are a sixth of it apart or more."""

_ROW_SIZES: Final = (
    (True, 3.0), (True, 2.5), (True, 2.0), (False, 2.5), (False, 2.0), (True, 1.6), (False, 1.6), (False, 1.2)
)  # fmt: skip
"""How a row's name is tried: with or without the word `row`, in mm of paper."""


class Space:
    """Boxes in a room, found by place."""

    def __init__(self, cell_mm: int) -> None:
        self._cell = max(cell_mm, 1)
        self._cells: dict[tuple[int, int], list[tuple[Bounds, int]]] = {}

    def add(self, box: Bounds, owner: int = -1) -> None:
        for cell in self._of(box):
            self._cells.setdefault(cell, []).append((box, owner))

    def hits(self, box: Bounds, owner: int = -2) -> Iterator[Bounds]:
        """Boxes that overlap the given one and are not the owner's; one may come twice."""
        west, south, east, north = box
        for cell in self._of(box):
            for other, whose in self._cells.get(cell, ()):
                if whose != owner and other[0] < east and west < other[2] and other[1] < north and south < other[3]:
                    yield other

    def is_free(self, box: Bounds, owner: int = -2) -> bool:
        return next(self.hits(box, owner), None) is None

    def _of(self, box: Bounds) -> list[tuple[int, int]]:
        cell = self._cell
        west, south, east, north = (int(edge // cell) for edge in box)
        if west == east and south == north:
            return [(west, south)]
        return [(i, j) for i in range(west, east + 1) for j in range(south, north + 1)]


class Writer:
    """Sets words one after another; what stands first keeps its place."""

    def __init__(self, sheet: Sheet, within: Bounds) -> None:
        self.sheet = sheet
        self.texts: list[Text] = []
        self.plates: list[Area] = []
        self.has_short_names = False
        self._lanes: list[tuple[int, int, int]] = []
        self._within = within
        self._words = Space(sheet.room(20))
        self._strips = Space(sheet.room(20))
        self._racks = Space(sheet.room(20))

    def racks(self, racks: tuple[Rack, ...], contents: list[tuple[str, ...]], pathways: tuple[Pathway, ...]) -> None:
        """Name and contents of each rack, in the part of it that no pathway covers where that is large enough."""
        least = self.sheet.room(LINE * SMALLEST)
        for rack in racks:
            self._racks.add(_bounds(rack.box))
        self._lanes = _lanes(pathways)
        for pathway, (line, _, _) in zip(pathways, self._lanes, strict=True):
            grow = max(0, (least - pathway.width_mm) // 2)
            for leg in _legs(pathway, grow):
                self._strips.add(leg, line)
        if all(min(rack.box.width, rack.box.height) < least for rack in racks):
            return
        spaces = [self._space(rack) for rack in racks]
        names = [shown(rack.name) for rack in racks]
        shorter = [shown(name_in_row(rack.name, rack.row)) for rack in racks]
        words = [tuple(map(shown, lines)) for lines in contents]
        settings = letterings(names, shorter, words, spaces, self.sheet.scale)
        for name, space, setting in zip(names, spaces, settings, strict=True):
            if setting is not None:
                self._rack(space, setting)
                self.has_short_names |= "".join(setting.name) != name

    def _space(self, rack: Rack) -> Box:
        """The largest free part of a rack's footprint, or all of it where pathways leave too little."""
        x, y, wide, deep = rack.box
        if rack.front == "south":
            y, deep = y + rack.bar.height, deep - rack.bar.height
        elif rack.front == "north":
            deep -= rack.bar.height
        elif rack.front == "west":
            x, wide = x + rack.bar.width, wide - rack.bar.width
        else:
            wide -= rack.bar.width
        whole: Bounds = (x, y, x + wide, y + deep)
        free = [whole]
        for west, south, east, north in dict.fromkeys(self._strips.hits(whole)):
            parts = []
            for w, s, e, n in free:
                if west >= e or east <= w or south >= n or north <= s:
                    parts.append((w, s, e, n))
                    continue
                parts += [(w, s, e, south), (w, north, e, n), (w, s, west, n), (east, s, e, n)]
            free = sorted({p for p in parts if p[2] > p[0] and p[3] > p[1]}, key=_worth, reverse=True)[:6]
        best = max(free, key=_worth, default=whole)
        if min(best[2] - best[0], best[3] - best[1]) < self.sheet.room(LINE * SMALLEST + 0.5):
            best = whole
        return Box(int(best[0]), int(best[1]), int(best[2] - best[0]), int(best[3] - best[1]))

    def _rack(self, space: Box, setting: Lettering) -> None:
        """Words centred across and hung from the space's far edge, so that racks side by side line up."""
        room = self.sheet.room
        high = room(setting.height)
        x, y, wide, deep = space
        spare = (wide if setting.turned else deep) - high
        into = min(spare // 2, room(0.6))
        if setting.turned:
            turn, place = 90, (x + spare // 2, y + deep // 2)
        else:
            turn, place = 0, (x + wide // 2, y + deep - into)
        down = 0.0
        for kind, lines, size in (
            ("rack-name", setting.name, setting.name_size),
            ("rack-contents", setting.contents, setting.contents_size),
        ):
            if not lines:
                continue
            away = room(down + size * (0.5 * LINE + _DROP))
            at = (place[0] + away, place[1]) if turn else (place[0], place[1] - away)
            self.texts.append(Text(kind, *at, room(size), lines, "middle", turn))
            down += size * LINE * len(lines)
        self._words.add((x, y + deep - into - high, x + wide, y + deep - into) if not turn else _bounds(space))

    def rows(self, racks: tuple[Rack, ...], obstacles: tuple[Named, ...]) -> None:
        """Name of each row at its end, and the cold aisles before the rows."""
        for obstacle in obstacles:
            self._obstacle(obstacle)
        rows = rows_of(racks)
        for row in rows:
            self._row(row)
        if len(rows) <= _MOST_ROWS:
            self._aisles(rows)

    def risers(self, risers: tuple[Named, ...]) -> None:
        """Keep words off the squares of risers."""
        for riser in risers:
            xs, ys = [x for x, _ in riser.ring], [y for _, y in riser.ring]
            self._words.add((min(xs), min(ys), max(xs), max(ys)))

    def edges(self, outline: Ring) -> None:
        """The length of each wall of a room that is no rectangle, inside of it."""
        if len(outline) < 5:
            return
        size = self.sheet.room(1.8)
        for (ax, ay), (bx, by) in pairwise((*outline, outline[0])):
            long = hypot(bx - ax, by - ay)
            turn = _upright(degrees(atan2(by - ay, bx - ax)))
            text = spoken(round(long))
            if width(text, size) + size > long:
                continue
            for side in (1, -1):
                place = _along((ax, ay), ((bx - ax) / long, (by - ay) / long), long / 2, side * size * 0.9)
                if _is_inside(place, outline) and self._try("wall", text, "", size, place, turn, clear=True):
                    break

    def _obstacle(self, obstacle: Named) -> None:
        xs, ys = [x for x, _ in obstacle.ring], [y for _, y in obstacle.ring]
        box = (min(xs), min(ys), max(xs), max(ys))
        self._racks.add(box)
        wide, deep = box[2] - box[0], box[3] - box[1]
        turned = deep > wide
        size = min(self.sheet.room(2.0), int(min(wide, deep) / LINE))
        if size < self.sheet.room(SMALLEST):
            return
        text = shortened(shown(obstacle.name), max(wide, deep) - size, size)
        if len(text) > 2:
            self._try("obstacle-name", text, "", size, ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), 90 * turned)

    def _row(self, row: Row) -> None:
        name = shown(row.name)
        deep = min(row.box.width, row.box.height) / self.sheet.scale
        for with_word, paper in _ROW_SIZES:
            if paper > max(SMALLEST, 0.4 * deep):  # so that rows of one depth have names of one size
                continue
            size = self.sheet.room(paper)
            text = shortened(f"row {name}" if with_word else name, 10 * size, size, bold=True)
            for place, turn in self._row_ends(row, text, size):
                if self._try("row-name", text, "", size, place, turn, clear=True, bold=True):
                    return
        size = self.sheet.room(1.6)  # nowhere clear: over a pathway, which shows around it
        text = shortened(name, 10 * size, size, bold=True)
        for place, turn in self._row_ends(row, text, size):
            if self._try("row-name", text, "", size, place, turn, off_racks=True, bold=True):
                return

    def _row_ends(self, row: Row, text: str, size: int) -> Iterator[tuple[tuple[float, float], int]]:
        """Places beside a row's two ends: along it or turned, in its middle or off it where a pathway leaves there."""
        x, y, wide, deep = row.box
        long, gap = width(text, size, bold=True), self.sheet.room(1.0)
        across, turn = (deep, 90) if row.front in ("north", "south") else (wide, 0)
        for turned in (False, True):
            away = gap + (size / 2 if turned else long / 2) if turn else gap + (long / 2 if turned else size / 2)
            for shift in (0, across / 4, -across / 4, across * 3 / 8, -across * 3 / 8):
                if turn:
                    yield (x - away, y + deep / 2 + shift), turn * turned
                    yield (x + wide + away, y + deep / 2 + shift), turn * turned
                else:
                    yield (x + wide / 2 + shift, y + deep + away), 90 * turned
                    yield (x + wide / 2 + shift, y - away), 90 * turned

    def _aisles(self, rows: list[Row]) -> None:
        size = self.sheet.room(2.0)
        seen: set[frozenset[int]] = set()
        for number, row in enumerate(rows):
            facing, distance = _facing(number, rows)
            if facing >= 0 and frozenset((number, facing)) in seen:
                continue
            seen.add(frozenset((number, facing)))
            away = min(distance / 2, self.sheet.room(4), 900)
            if away < size:
                continue
            x, y, wide, deep = row.box
            place, turn = {
                "south": ((x + wide / 2, y - away), 0),
                "north": ((x + wide / 2, y + deep + away), 0),
                "west": ((x - away, y + deep / 2), 90),
                "east": ((x + wide + away, y + deep / 2), 90),
            }[row.front]
            self._try("aisle", "cold aisle", "", size, place, turn, clear=True)

    def pathways(self, pathways: tuple[Pathway, ...]) -> None:
        """Fill at each pathway's fullest place, then its name with height and what it carries."""
        room = self.sheet.room
        shortest = room(3 * SMALLEST)
        for pathway, (line, lane, of) in zip(pathways, self._lanes, strict=True):
            (west, south), (east, north) = pathway.points[0], pathway.points[-1]
            if len(pathway.points) == 2 and abs(east - west) + abs(north - south) < shortest:
                continue
            legs = [leg for leg in sorted(_runs(pathway.points), key=lambda leg: -leg[2]) if leg[2] >= shortest][:6]
            if not legs:
                continue
            high = pathway.width_mm / of
            size = max(room(SMALLEST), min(room(2.0), int(high * 0.6)))
            shift = ((lane + 0.5) * high - pathway.width_mm / 2) if of > 1 else 0.0
            detail = f" +{pathway.height_mm / 1000:.2f} m, {pathway.carries}"
            needed = width(shown(pathway.name), size, bold=True) + width(detail, size) + size
            if not self._fill(pathway, line, size, shift, needed) and pathway.fullest_mm >= 0:
                detail += f", to {percent(pathway.fill_ppm)}"
            self._name(line, (shown(pathway.name), detail), size, legs, shift)

    def _fill(self, pathway: Pathway, line: int, size: int, shift: float, needed: float) -> bool:
        """A plate with the percentage at the fullest place, where the strip is long enough to carry it.

        needed: length of the pathway's label. A plate that left no room for it is not set, unless it tells of an over-full
        pathway: the label then tells the share.
        """
        if pathway.fullest_mm < 0:
            return False
        text = percent(pathway.fill_ppm)
        # The plate of an over-full pathway is dark: a higher one may hide its strip.
        full = any(stretch.fill == "over" for stretch in pathway.stretches)
        kind, ground = ("share-over", "plate-over") if full else ("share", "plate")
        long = width(text, size, bold=True) + size
        offset, before = float(pathway.fullest_mm), 0.0
        runs = list(_runs(pathway.points))
        for start, turn, length, way in runs:
            if offset <= before + length + 1:
                rest = max(offset - before, before + length - offset) - long / 2
                others = (run[2] for run in runs if run[0] != start)
                if length < long or (not full and rest < needed <= length and max(others, default=0.0) < needed):
                    return False
                for aside in (0, long, -long, 2 * long, -2 * long):  # off a riser that stands in the fullest place
                    into = min(max(offset - before + aside, long / 2), length - long / 2)
                    place = _along(start, way, into, shift)
                    if self._try(kind, text, "", size, place, turn, owner=line, bold=True, margin=size / 2):
                        self.plates.append(Area(ground, _turned(place, long, size * 1.25, turn)))
                        return True
                return False
            before += length
        return False

    def _name(self, line: int, words: tuple[str, str], size: int, legs: list[Leg], shift: float) -> None:
        name, detail = words
        for more, crossing in ((detail, False), (detail, True), ("", False), ("", True)):
            long = width(name, size, bold=True) + width(more, size)
            for start, turn, length, way in legs:
                free = length - long - size
                if free < 0:
                    break
                steps = min(_STEPS, int(free / long * 6) + 1)
                for step in range(steps + 1):
                    # From the left or the bottom, so that labels of parallel pathways stand below each other.
                    share = step / steps if way[0] > 0 or (way[0] == 0 and way[1] > 0) else 1 - step / steps
                    place = _along(start, way, (size + long) / 2 + free * share, shift)
                    if self._try(
                        "pathway-name", name, more, size, place, turn, off_strips=not crossing, owner=line, bold=True
                    ):
                        return
            if more and not crossing and self._beyond(words, size, legs):
                return

    def _beyond(self, words: tuple[str, str], size: int, legs: list[Leg]) -> bool:
        """Set a label where a short pathway ends, in its direction."""
        name, detail = words
        away = width(name, size, bold=True) / 2 + width(detail, size) / 2 + size
        for start, turn, length, way in legs[:1]:
            for into in (length + away, -away):
                place = _along(start, way, into, 0)
                if self._try("pathway-name", name, detail, size, place, turn, clear=True, bold=True):
                    return True
        return False

    def _try(
        self, kind: str, text: str, detail: str, size: int, place: tuple[float, float], turn: int, *,
        clear: bool = False, off_racks: bool = False, off_strips: bool = False, owner: int = -2, bold: bool = False,
        margin: float = 0,
    ) -> bool:  # fmt: skip
        """Set a text with its middle at a place if it covers no other (clear: nor rack, obstacle or strip); whether it did."""
        long = width(text, size, bold=bold) + width(detail, size) + 2 * margin
        box = _around(place, long, size * LINE, turn)
        west, south, east, north = self._within
        if box[0] < west or box[1] < south or box[2] > east or box[3] > north or not self._words.is_free(box):
            return False
        if (clear or off_racks) and not self._racks.is_free(box):
            return False
        if (clear or off_strips) and not self._strips.is_free(box, owner):
            return False
        self._words.add(box)
        drop = size * _DROP
        x, y = place[0] + drop * sin(radians(turn)), place[1] - drop * cos(radians(turn))
        self.texts.append(Text(kind, round(x), round(y), size, (text,), "middle", turn, detail))
        return True


def _facing(number: int, rows: list[Row]) -> tuple[int, float]:
    """The nearest row before a row's front that faces it, and how far; -1 and far away where none does."""
    row, best = rows[number], (-1, 1e9)
    opposite = {"north": "south", "south": "north", "east": "west", "west": "east"}[row.front]
    west, south, east, north = _bounds(row.box)
    for other, candidate in enumerate(rows):
        w, s, e, n = _bounds(candidate.box)
        if row.front in ("north", "south"):
            beside, gap = w < east and west < e, (south - n if row.front == "south" else s - north)
        else:
            beside, gap = s < north and south < n, (west - e if row.front == "west" else w - east)
        if beside and 0 <= gap < best[1]:
            # A row that stands in the way with its back is no cold aisle's other side, but it ends the aisle.
            best = (other if candidate.front == opposite else -1, gap)
    return best


def _lanes(pathways: tuple[Pathway, ...]) -> list[tuple[int, int, int]]:
    """The line that each pathway hangs in, which part of the strip's width its words take, and of how many."""
    lines = [min(pathway.points, pathway.points[::-1]) for pathway in pathways]
    numbers = {line: number for number, line in enumerate(dict.fromkeys(lines))}
    total, used = Counter(lines), Counter[Ring]()
    lanes = []
    for line in lines:
        lanes.append((numbers[line], used[line], total[line]))
        used[line] += 1
    return lanes


def _along(start: Point, way: tuple[float, float], into: float, left: float) -> tuple[float, float]:
    """The point at a distance along a leg, and beside it."""
    return start[0] + way[0] * into - way[1] * left, start[1] + way[1] * into + way[0] * left


def _runs(points: Ring) -> Iterator[Leg]:
    """Legs of a pathway from turn to turn."""
    for start, stop in pairwise(points):
        dx, dy = stop[0] - start[0], stop[1] - start[1]
        length = hypot(dx, dy)
        yield start, _upright(degrees(atan2(dy, dx))), length, (dx / length, dy / length)


def _upright(angle: float) -> int:
    """Whole degrees of a text along a direction, never upside down."""
    turn = round(angle)
    return turn - 180 if turn > 90 else turn + 180 if turn <= -90 else turn


def _is_inside(place: tuple[float, float], ring: Ring) -> bool:
    """Whether a ray to the east leaves a ring an odd number of times."""
    x, y = place
    odd = False
    for (ax, ay), (bx, by) in pairwise((*ring, ring[0])):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            odd = not odd
    return odd


def _legs(pathway: Pathway, grow: int) -> Iterator[Bounds]:
    """Boxes round the strip of each leg, widened on all sides; a slanted leg in pieces as short as it is wide."""
    half = pathway.width_mm / 2 + grow
    for (ax, ay), (bx, by) in pairwise(pathway.points):
        slanted = ax != bx and ay != by
        count = min(max(1, int(hypot(bx - ax, by - ay) / (4 * half))), 64) if slanted else 1
        flat = (half if slanted or ax == bx else 0, half if slanted or ay == by else 0)
        for i in range(count):
            x0, x1 = sorted((ax + (bx - ax) * i / count, ax + (bx - ax) * (i + 1) / count))
            y0, y1 = sorted((ay + (by - ay) * i / count, ay + (by - ay) * (i + 1) / count))
            yield x0 - flat[0], y0 - flat[1], x1 + flat[0], y1 + flat[1]


def _turned(place: tuple[float, float], long: float, high: float, turn: int) -> tuple[Point, ...]:
    """The four corners of a turned rectangle about its middle."""
    c, s = cos(radians(turn)) / 2, sin(radians(turn)) / 2
    ux, uy, vx, vy = long * c, long * s, -high * s, high * c
    x, y = place
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return tuple((round(x + i * ux + j * vx), round(y + i * uy + j * vy)) for i, j in corners)


def _around(place: tuple[float, float], long: float, high: float, turn: int) -> Bounds:
    """The upright box round a turned rectangle about its middle."""
    if turn % 90:
        c, s = abs(cos(radians(turn))), abs(sin(radians(turn)))
        long, high = long * c + high * s, long * s + high * c
    elif turn:
        long, high = high, long
    x, y = place
    return x - long / 2, y - high / 2, x + long / 2, y + high / 2


def _bounds(box: Box) -> Bounds:
    return box.x, box.y, box.x + box.width, box.y + box.height


def _worth(part: Bounds) -> float:
    """Area, with a bias for what is not narrow."""
    wide, deep = part[2] - part[0], part[3] - part[1]
    return wide * deep * min(wide, deep)
