"""A rack's face drawn to scale, each device with its cables beside it: for elevations and cut sheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from planner.elevation import Box, Elevation
from planner.sketches.shapes import Anchor, Bar, Shape, Stroke, Words
from planner.typeset import BOLD, LEADING, REGULAR, Lines, fit_into, text_width
from planner.write.page import FRAME_WIDTH, MM

UNIT_MM: Final = 44.45
"""Height of a slot (EIA-310)."""
_OPENING_MM: Final = 482.6
"""Width of a 19-inch front panel (EIA-310); what a wider rack has beyond it are its posts."""

_SCALES: Final = (10, 15, 16, 20, 25, 30, 40, 50, 100, 200)
"""A rack of 48 slots takes 1:15, one of 52 takes 1:16."""

HEAD: Final = 17 * MM
FOOT: Final = 6 * MM
_BESIDE: Final = 1.5 * MM
"""From a rack to what is told of its devices."""
GAP: Final = 4 * MM
_MOST_A_PAGE: Final = 4
_DEVICE_GREY: Final = 0.87

_HEADINGS: Final = ("U", "mount", "cables", "ports")
"""What is told of a device beside it; words start at the left of their column, counts end at its right."""
_FACES: Final = (BOLD, REGULAR, BOLD, REGULAR)
_HEADING_SIZE: Final = 6.2
_NOTE_SIZE: Final = 6.8
_LEAST_SHARE: Final = 0.9
"""Of the full size, before a page takes fewer racks."""
_NOTE_GAP: Final = 1.2 * MM
"""Least distance of two columns."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """One scale for the whole document, so that its drawings can be compared.

    column: width on the page for a rack. notes: widths that the columns beside a rack need in full size.
    """

    scale: int
    per_page: int
    column: float
    notes: tuple[float, ...]

    @classmethod
    def of(cls, drawn: Sequence[Elevation], room: float) -> Sizes:
        """room: height on the page, for the tallest rack with its head and foot."""
        tallest = max((face.units for face in drawn), default=1) * UNIT_MM * MM
        widest = max((max(face.width_mm, _OPENING_MM) for face in drawn), default=600) * MM
        told = [_told(face, box) for face in drawn for box in face.boxes]
        notes = tuple(
            max(
                text_width(REGULAR, heading, _HEADING_SIZE),
                *(text_width(font, row[place], _NOTE_SIZE) for row in told),
                0.0,
            )
            for place, (heading, font) in enumerate(zip(_HEADINGS, _FACES, strict=True))
        )
        beside = sum(notes) * _LEAST_SHARE + (len(notes) - 1) * _NOTE_GAP + _BESIDE + GAP
        room -= HEAD + FOOT
        scale = next(
            (n for n in _SCALES if tallest / n <= room and widest / n + beside <= FRAME_WIDTH + GAP), _SCALES[-1]
        )
        per_page = max(1, min(_MOST_A_PAGE, int((FRAME_WIDTH + GAP) // (widest / scale + beside))))
        return cls(scale, per_page, (FRAME_WIDTH + GAP) / per_page, notes)

    @property
    def unit(self) -> float:
        return UNIT_MM * MM / self.scale


class RackFace:
    """One face of a rack as shapes, its left upper corner given; points are those of a page, from its upper left corner."""

    def __init__(self, face: Elevation, sizes: Sizes, left: float, top: float) -> None:
        self.face = face
        self.unit = sizes.unit
        self.left = left
        self.top = top + HEAD
        self.column = sizes.column - GAP
        self.width = max(face.width_mm, _OPENING_MM) * MM / sizes.scale
        self.opening = _OPENING_MM * MM / sizes.scale
        self.post = (self.width - self.opening) / 2
        self.head_top = top
        self.bottom = self.top + face.units * self.unit
        self.notes_left = left + self.width + _BESIDE
        self.notes = left + self.column - self.notes_left
        gaps = len(sizes.notes) - 1
        self.shrunk = min(1.0, (self.notes - gaps * _NOTE_GAP) / sum(sizes.notes))
        widths = [width * self.shrunk for width in sizes.notes]
        gap = (self.notes - sum(widths)) / gaps
        lefts = [self.notes_left + sum(widths[:place]) + place * gap for place in range(len(widths))]
        self.ends = (*lefts[:2], *(lefts[place] + widths[place] for place in (2, 3)))

    def shapes(self) -> Iterator[Shape]:
        yield from self._head()
        yield from self._slots()
        for box in self.face.boxes:
            yield from self._box(box)
        yield _rule(self.left, self.bottom, self.left + self.width, self.bottom, 1.6)
        if self.face.outside:
            told = ", ".join(f"{box.device} {_numbers(self.face, box)}" for box in self.face.outside)
            lines = fit_into(f"NOT IN THE RACK'S SLOTS: {told}", BOLD, 7, self.column, FOOT - 1.5 * MM)
            yield from _lines_below(self.left, self.bottom + 1 * MM, lines, bold=True)

    def _head(self) -> Iterator[Shape]:
        face, top = self.face, self.head_top
        band = 7.4 * MM
        seen = f"{face.face.upper()} VIEW"
        view = text_width(BOLD, seen, 9) + 4 * MM
        name = fit_into(face.rack, BOLD, 15, self.column - view - 2 * MM, band - 1)
        middle = top + 1 * MM + band / 2
        yield from _in_middle(self.left + 1 * MM, middle, name, bold=True)
        right = self.left + self.column
        is_rear = face.face == "rear"
        yield _bar(right - view, top + 1 * MM, view, band, 0 if is_rear else 1, 1)
        yield _words(right - view / 2, middle + 3.2, seen, 9, "middle", bold=True, grey=1.0 if is_rear else 0.0)
        phase = f" · phase {face.phase}" if face.phase else ""
        told = f"row {face.row}{phase} · {face.units} U from the {face.numbered_from} · {face.free_units} U free"
        yield from _lines_below(
            self.left + 1 * MM, top + band + 2 * MM, fit_into(told, REGULAR, 7, self.column, 3.4 * MM)
        )
        yield from self._columns(self.top - 1.2 * MM, _HEADINGS, (REGULAR,) * 4, _HEADING_SIZE * self.shrunk)

    def _columns(self, y: float, texts: tuple[str, ...], fonts: tuple[str, ...], size: float) -> Iterator[Shape]:
        for place, (x, text, font) in enumerate(zip(self.ends, texts, fonts, strict=True)):
            yield _words(x, y, text, size, "start" if place < 2 else "end", bold=font == BOLD)

    def _slots(self) -> Iterator[Shape]:
        """The rack with all its slots empty, their numbers on the posts."""
        face, left, right = self.face, self.left, self.left + self.width
        inner, outer = left + self.post, right - self.post
        yield _rule(left, self.top, right, self.top, 1)
        for x, line in ((left, 1), (inner, 0.5), (outer, 0.5), (right, 1)):  # no fill, so that a draft's stamp shows
            yield _rule(x, self.top, x, self.bottom, line)
        size = min(5.6, self.unit * 0.68, self.post * 0.8)
        for slot in range(1, face.units + 1):
            y = self.bottom - slot * self.unit
            if slot < face.units:
                yield _rule(left, y, right, y, 0.25, 0.6)
            text = str(face.number(slot))
            base = y + self.unit / 2 + size * 0.36
            yield _words(left + self.post / 2, base, text, size, "middle")
            yield _words(right - self.post / 2, base, text, size, "middle")

    def _box(self, box: Box) -> Iterator[Shape]:
        width = self.opening / box.lanes
        x = self.left + self.post + box.lane * width
        height = box.height_u * self.unit
        y = self.bottom - (box.slot - 1) * self.unit - height
        yield _bar(x, y, width, height, _DEVICE_GREY, 0.9)
        inner, middle = width - 1.6 * MM, y + height / 2
        if box.height_u == 1:
            name = fit_into(box.device, BOLD, 6.8, inner * 0.6, self.unit)
            room = inner - _width(name, BOLD) - 1 * MM
            model = fit_into(box.model, REGULAR, 5.8, room, self.unit)
            yield from _in_middle(x + 0.8 * MM, middle, name, bold=True)
            yield from _in_middle(x + width - 0.8 * MM - _width(model, REGULAR), middle, model)
        else:
            size = min(10, 5 + 1.5 * box.height_u)
            name = fit_into(box.device, BOLD, size, inner, height * 0.55)
            model = fit_into(box.model, REGULAR, size * 0.8, inner, height * 0.4)
            both = name.height + model.height
            yield from _in_middle(x + 0.8 * MM, middle - both / 2 + name.height / 2, name, bold=True)
            yield from _in_middle(x + 0.8 * MM, middle + both / 2 - model.height / 2, model)
        yield from self._notes_of(box, middle + (box.lane - 0.5 * (box.lanes - 1)) * self.unit / box.lanes)

    def _notes_of(self, box: Box, middle: float) -> Iterator[Shape]:
        """What is told of a device, beside it; devices in the same slots share the height."""
        size, left, room = min(_NOTE_SIZE, self.unit * 0.8) / box.lanes, self.notes_left, self.notes
        size *= self.shrunk
        yield from self._columns(middle + size * 0.36, _told(self.face, box), _FACES, size)
        below = middle + self.unit / 2 / box.lanes
        yield _rule(left, below, left + room, below, 0.25, 0.6)


def _rule(x1: float, y1: float, x2: float, y2: float, width: float, grey: float = 0.0) -> Stroke:
    return Stroke(x1 / MM, y1 / MM, x2 / MM, y2 / MM, width / MM, grey)


def _bar(x: float, y: float, width: float, height: float, grey: float, line: float) -> Bar:
    return Bar(x / MM, y / MM, width / MM, height / MM, grey, line / MM)


def _words(
    x: float, y: float, text: str, size: float, anchor: Anchor = "start", *, bold: bool = False, grey: float = 0.0
) -> Words:
    return Words(x / MM, y / MM, text, size / MM, anchor, bold=bold, grey=grey, is_set=True)


def _told(face: Elevation, box: Box) -> tuple[str, str, str, str]:
    """What stands under _HEADINGS for a device."""
    ports = f"{box.ports_used} of {box.ports}" if box.ports else "other face" if box.other_cables else "none"
    return _numbers(face, box), box.mount, str(box.cables), ports


def _numbers(face: Elevation, box: Box) -> str:
    """The slots of a device as its rack counts them."""
    if box.height_u == 1:
        return f"U{box.u:02d}"
    last = face.number(box.slot + box.height_u - 1)
    return f"U{min(box.u, last):02d}-{max(box.u, last):02d}"


def _width(lines: Lines, face: str) -> float:
    return max(text_width(face, line, lines.size) for line in lines.lines)


def _in_middle(x: float, middle: float, lines: Lines, *, bold: bool = False) -> Iterator[Words]:
    """Lines from x to the right, halfway above and below `middle`."""
    y = middle - lines.height / 2 + lines.size * (0.36 + LEADING / 2)
    for line in lines.lines:
        yield _words(x, y, line, lines.size, bold=bold)
        y += lines.size * LEADING


def _lines_below(x: float, top: float, lines: Lines, *, bold: bool = False) -> Iterator[Words]:
    y = top + lines.size * 0.93  # the ascent of the fonts
    for line in lines.lines:
        yield _words(x, y, line, lines.size, bold=bold)
        y += lines.size * LEADING
