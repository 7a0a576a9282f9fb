"""Cut sheets as PDF: a cover, and for each rack what to fetch, which plugs go in, and the cables in the order of work.

Pages are laid out first (heights only) and drawn afterwards, so that each can say which page of how many it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from planner.cutsheet import (
    CableRow,
    DevicePlugs,
    End,
    Group,
    Item,
    PlugRow,
    RackSheet,
    Unresolved,
    sheets,
    totals,
)
from planner.names import fold, natural_key
from planner.plan import Identity, Plan
from planner.write.page import (
    BOLD,
    FRAME_HEIGHT,
    FRAME_WIDTH,
    LEADING,
    MM,
    REGULAR,
    Ink,
    Lines,
    Page,
    Paper,
    fit,
    fit_into,
    flow,
    new_canvas,
    shown,
    text_width,
)

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

TIMES: Final = "\N{MULTIPLICATION SIGN}"

MAX_PAGES: Final = 400
"""Beyond these the sheets become a file per row of racks: what a viewer opens and a printer takes without complaint."""

_HEADER: Final = 15 * MM
_FOOTER: Final = 7 * MM
_BODY: Final = FRAME_HEIGHT - _HEADER - _FOOTER


def write_cut_sheets(plan: Plan, folder: Path, *, rack: str | None = None, paper: Paper = "a4") -> tuple[Path, ...]:
    """Write `cut-sheets.pdf` into a folder that exists, or a file per row of racks into its `cut-sheets/`.

    rack: only this rack's sheet. Returns the files written. Raises KeyError for an unknown rack.
    """
    kept: list[_RackPages] = []
    count = 1
    for sheet in sheets(plan, rack):
        kept.append(_rack_pages(sheet))
        count += len(kept[-1].pages)
        if count > MAX_PAGES and rack is None:
            break
    else:
        path = folder / "cut-sheets.pdf"
        _write(plan, kept, path, paper, "")
        return (path,)
    kept.clear()
    inner = folder / "cut-sheets"
    inner.mkdir(exist_ok=True)
    return tuple(_write_rows(plan, inner, paper))


def _write_rows(plan: Plan, folder: Path, paper: Paper) -> Iterator[Path]:
    """A file per row of racks, written when the last rack of the row has passed, so that few sheets are held."""
    ordered = sorted(plan.racks, key=lambda rack: natural_key(rack.name))
    place = {rack.name: number for number, rack in enumerate(ordered)}
    last = {rack.row: number for number, rack in enumerate(ordered)}
    stems = _file_stems(last)
    waiting: dict[str, list[_RackPages]] = {}

    def finished(before: int) -> Iterator[Path]:
        for row in [row for row in waiting if last[row] < before]:
            path = folder / f"{stems[row]}.pdf"
            _write(plan, waiting.pop(row), path, paper, row)
            yield path

    for sheet in sheets(plan):
        yield from finished(place[sheet.rack])
        waiting.setdefault(sheet.row, []).append(_rack_pages(sheet))
    yield from finished(len(ordered))


def _file_stems(rows: Iterable[str]) -> dict[str, str]:
    """A file name for each row: what is not a letter, digit or dash becomes `_`, and names stay apart without case."""
    taken: set[str] = set()
    stems = {}
    for row in rows:
        plain = re.sub(r"[^A-Za-z0-9\-]", "_", row)[:60] or "_"
        stem, number = f"row-{plain}", 2
        while fold(stem) in taken:
            stem, number = f"row-{plain}-{number}", number + 1
        taken.add(fold(stem))
        stems[row] = stem
    return stems


# --- layout ----------------------------------------------------------------------------------------------------------


class Block(Protocol):
    """A piece of a page that is not divided."""

    @property
    def height(self) -> float: ...

    def draw(self, page: Page, top: float) -> None: ...


@dataclass
class _Flow:
    """Blocks set one below the other, page by page."""

    pages: list[list[tuple[float, Block]]] = field(default_factory=lambda: [[]])
    used: float = 0.0

    @property
    def room(self) -> float:
        return _BODY - self.used

    def add(self, block: Block, keep: float = 0.0, again: Sequence[Block] = ()) -> None:
        """keep: room needed below the block, so that no heading stands alone; again: blocks that open a new page."""
        if self.used and block.height + keep > self.room:
            self.new_page()
            for heading in again:
                self._put(heading)
        self._put(block)

    def new_page(self) -> None:
        self.pages.append([])
        self.used = 0.0

    def _put(self, block: Block) -> None:
        self.pages[-1].append((self.used, block))
        self.used += block.height


@dataclass(frozen=True, slots=True)
class _RackPages:
    sheet: RackSheet
    pages: list[list[tuple[float, Block]]]


def _rack_pages(sheet: RackSheet) -> _RackPages:
    out = _Flow()
    out.add(_Text(flow(_summary(sheet), REGULAR, 8.5, FRAME_WIDTH), 8.5))
    if sheet.unresolved:
        heading = _Alarm(
            f"NOT CABLED: {_count(len(sheet.unresolved), 'link')} of this rack without a cable. Leave the ports empty."
        )
        out.add(heading, keep=12 * MM)
        for link in sheet.unresolved:
            out.add(_OpenLink(link), again=(heading,))
        out.add(_Space(2 * MM))
    if sheet.kit or sheet.landing:
        _add_kit(out, sheet)
    if sheet.devices:
        _add_plugs(out, sheet)
    if sheet.groups:
        _add_cables(out, sheet)
    return _RackPages(sheet, out.pages)


def _summary(sheet: RackSheet) -> str:
    counts = sheet.counts
    parts = [f"Row {sheet.row}", f"{sheet.type}, {sheet.units} U numbered from the {sheet.numbered_from}"]
    if sheet.phase:
        parts.append(f"phase {sheet.phase}" + (f", needed by {sheet.need_by}" if sheet.need_by else ""))
    parts += [
        text
        for number, text in (
            (counts.starting, f"{_count(counts.starting, 'cable')} out of this rack"),
            (counts.landing, f"{_count(counts.landing, 'cable')} landing here"),
            (counts.inside, f"{_count(counts.inside, 'cable')} inside"),
            (counts.transceivers, f"{_count(counts.transceivers, 'transceiver')} to insert"),
        )
        if number
    ]
    return " · ".join(parts)


def _add_kit(out: _Flow, sheet: RackSheet) -> None:
    out.add(_Heading("1  Fetch", "transceivers, and the cables that start in this rack"), keep=8 * MM)
    for line in _in_columns([_KitCell(item) for item in sheet.kit], 3):
        out.add(line)
    if sheet.landing:
        landing = ", ".join(
            f"{item.count} {TIMES} {item.part.part} {_metres(item.part.length_mm)}" for item in sheet.landing
        )
        out.add(_Text(flow(f"Brought by the crews of other racks: {landing}", REGULAR, 7.5, FRAME_WIDTH - 4), 7.5))
    out.add(_Space(2 * MM))


def _add_plugs(out: _Flow, sheet: RackSheet) -> None:
    """Plug rows down three columns; the columns of the last page are of one height, and cables may begin below them."""
    out.add(
        _Heading("2  Insert the plugs", "before any cord; cage, part, and the cable at each port of the cage in turn"),
        30 * MM,
    )
    units = [unit for device in sheet.devices for unit in _plug_units(device)]
    while units:
        taken, columns, height = _balanced(units, out.room)
        out.add(_Columns(columns, height))
        units = units[taken:]
        if units:
            out.new_page()
            out.add(_Heading("2  Insert the plugs", "continued"))
    out.add(_Space(min(3 * MM, out.room)))


_COLUMNS: Final = 3
_GUTTER: Final = 4 * MM
_COLUMN: Final = (FRAME_WIDTH - (_COLUMNS - 1) * _GUTTER) / _COLUMNS
_KEPT_WHOLE: Final = 8
"""A device with at most so many plugs is not divided between columns."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """Plugs of one device that stay together. head: the device's heading, once more where it goes on in a new column."""

    device: str
    head: _DeviceCell
    plugs: tuple[_PlugCell, ...]

    @property
    def height(self) -> float:
        return sum(plug.height for plug in self.plugs)


def _plug_units(device: DevicePlugs) -> Iterator[_Unit]:
    head, again = _DeviceCell(device, continued=False), _DeviceCell(device, continued=True)
    cells = tuple(_PlugCell(plug) for plug in device.plugs)
    size = len(cells) if len(cells) <= _KEPT_WHOLE else 1
    for start in range(0, len(cells), size):
        yield _Unit(device.device, again if start else head, cells[start : start + size])


def _columns_of(units: Sequence[_Unit], height: float) -> tuple[int, tuple[tuple[_DeviceCell | _PlugCell, ...], ...]]:
    """How many units go into the columns of one page, and the columns; the first unit always goes in."""
    columns: list[list[_DeviceCell | _PlugCell]] = []
    used, device = height, ""
    for number, unit in enumerate(units):
        needed = unit.height + (unit.head.height if unit.device != device else 0)
        if used + needed > height + 0.01:
            if len(columns) == _COLUMNS:
                return number, tuple(tuple(column) for column in columns)
            columns.append([unit.head, *unit.plugs])
            used = unit.head.height + unit.height
        else:
            columns[-1].extend([unit.head, *unit.plugs] if unit.device != device else unit.plugs)
            used += needed
        device = unit.device
    return len(units), tuple(tuple(column) for column in columns)


def _balanced(
    units: Sequence[_Unit], room: float
) -> tuple[int, tuple[tuple[_DeviceCell | _PlugCell, ...], ...], float]:
    """How many units one page takes, their columns, and the least height that holds as many."""
    taken, columns = _columns_of(units, room)
    height = min(room, sum(unit.height for unit in units[:taken]) / _COLUMNS)
    while height < room:
        fewer, found = _columns_of(units[:taken], height)
        if fewer == taken:
            columns = found
            break
        height = min(height + 1 * MM, room)
    return taken, columns, max(sum(cell.height for cell in column) for column in columns)


def _add_cables(out: _Flow, sheet: RackSheet) -> None:
    head = _TableHead(sheet.rack)
    notes: list[CableRow] = []
    for number, group in enumerate(sheet.groups, start=1):
        title = _GroupHead(group, number, continued=False)
        rows = [_Row(row) for row in group.rows]
        if number == 1:
            heading = _Heading("3  Cables", "from the top down as printed; near end first; tick as you go")
            out.add(heading, keep=head.height + title.height + rows[0].height)
            out.add(head)
        out.add(title, keep=rows[0].height, again=(head,))
        again = (head, _GroupHead(group, number, continued=True))
        device = group.rows[0].near.device
        for index, row in enumerate(rows):
            row.is_shaded = index % 2 == 1
            row.is_first_of_device = row.row.near.device != device
            device = row.row.near.device
            out.add(row, again=again)
            if row.has_long_remarks:
                notes.append(row.row)
    if notes:
        heading = _Heading("4  Long remarks", "of the cables above")
        out.add(heading, keep=12 * MM)
        for cable in notes:
            text = f"cable {cable.cable_id}: {_remarks_of(cable)}"
            for line in flow(text, REGULAR, 8, FRAME_WIDTH):
                out.add(_Text((line,), 8), again=(heading,))


# --- words -----------------------------------------------------------------------------------------------------------


def _metres(mm: int) -> str:
    if mm < 0:
        return "?"
    return f"{mm / 1000:.3f}".rstrip("0").rstrip(".") + " m"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _u(number: int) -> str:
    return f"U{number:02d}"


def _group_title(group: Group) -> str:
    number = len(group.rows)
    by_length = [
        f"{sum(item.count for item in same)} {TIMES} {_metres(length)}"
        for length, same in groupby(sorted(group.items, key=lambda i: i.part.length_mm), key=lambda i: i.part.length_mm)
    ]
    tally = f"{_count(number, 'cable')}: {', '.join(by_length)}"
    phase = f"phase {group.phase} · " if group.phase else ""
    if not group.to:
        return f"{phase}INSIDE THIS RACK · {group.tier} · {tally}"
    landing = sum(bool(row.lands_from) for row in group.rows)
    way = "FROM" if landing == number else "TO AND FROM" if landing else "TO"
    route = f" by {' > '.join(group.route)}" if group.route else ""
    return f"{phase}{way} {', '.join(group.to)}{route} · bundle {group.bundle} · {tally}"


# --- blocks ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Space:
    height: float

    def draw(self, page: Page, top: float) -> None:
        pass


@dataclass(frozen=True, slots=True)
class _Text:
    """Lines of one size."""

    lines: Sequence[str]
    size: float
    face: str = REGULAR

    @property
    def height(self) -> float:
        return len(self.lines) * self.size * 1.3 + 1 * MM

    def draw(self, page: Page, top: float) -> None:
        y = top - self.size
        for line in self.lines:
            page.text(page.left, y, shown(line), self.size, self.face)
            y -= self.size * 1.3


@dataclass(frozen=True, slots=True)
class _Heading:
    """A step of the work."""

    title: str
    note: str
    height: float = 7.5 * MM

    def draw(self, page: Page, top: float) -> None:
        y = top - 5.4 * MM
        page.text(page.left, y, self.title, 12, BOLD)
        page.text(page.left + text_width(BOLD, self.title, 12) + 3 * MM, y, self.note, 8)
        page.rule(page.left, y - 1.2 * MM, page.right, y - 1.2 * MM, 1)


@dataclass(frozen=True, slots=True)
class _Alarm:
    """What must not be overlooked: white on black."""

    text: str
    height: float = 8 * MM

    def draw(self, page: Page, top: float) -> None:
        page.fill(page.left, top - 7 * MM, FRAME_WIDTH, 6.4 * MM, 0)
        page.text(page.left + 2 * MM, top - 5.1 * MM, self.text, 11, BOLD, 1)


class _OpenLink:
    """A link without a cable: both its ends, and why."""

    def __init__(self, link: Unresolved) -> None:
        places = [f"{end.device} port {' + '.join(end.ports)}, {end.rack} {_u(end.u)}" for end in (link.near, link.far)]
        self.lines = [
            *flow(f"here {places[0]}, no cable to {places[1]}", BOLD, 9, FRAME_WIDTH - 8 * MM),
            *flow(
                f"link {link.link_id}; why: "
                + ("; ".join(link.reasons) or "no part fits or no way was found, see the findings"),
                REGULAR,
                8,
                FRAME_WIDTH - 8 * MM,
            ),
        ]
        self.height = len(self.lines) * 4.1 * MM + 1.5 * MM

    def draw(self, page: Page, top: float) -> None:
        page.fill(page.left, top - self.height, 1.5 * MM, self.height, 0)
        page.rule(page.left, top - self.height, page.right, top - self.height, 0.4)
        for index, line in enumerate(self.lines):
            bold = index < len(self.lines) - 1 or len(self.lines) == 1
            page.text(
                page.left + 4 * MM, top - (index + 0.85) * 4.1 * MM, line, 9 if bold else 8, BOLD if bold else REGULAR
            )


class _KitCell:
    """One part to fetch, with a box to tick."""

    def __init__(self, item: Item) -> None:
        part = item.part
        length = f"{_metres(part.length_mm)} " if part.length_mm >= 0 else ""
        self.count = fit(f"{item.count} {TIMES}", BOLD, 11, 14 * MM)
        self.title = fit(f"{part.part}  {length}{part.colour}".strip(), BOLD, 9, _COLUMN - 22 * MM)
        number = f"{part.order_number} · " if part.order_number else ""
        self.note = fit(f"{number}{part.description}", REGULAR, 6.5, _COLUMN - 22 * MM, 0.85)
        self.height = max(self.title.height + self.note.height, 6 * MM) + 1.4 * MM

    def draw(self, page: Page, x: float, top: float) -> None:
        page.box(x, top - 5 * MM, 4.2 * MM, 4.2 * MM)
        page.lines(x + 6 * MM, top - 0.6 * MM, self.count, BOLD)
        below = page.lines(x + 20 * MM, top - 0.4 * MM, self.title, BOLD)
        page.lines(x + 20 * MM, below, self.note)


class _Line:
    """Cells side by side."""

    def __init__(self, cells: Sequence[_KitCell]) -> None:
        self.cells = cells
        self.height = max(cell.height for cell in cells)

    def draw(self, page: Page, top: float) -> None:
        for index, cell in enumerate(self.cells):
            cell.draw(page, page.left + index * (_COLUMN + _GUTTER), top)


def _in_columns(cells: Sequence[_KitCell], count: int) -> Iterator[_Line]:
    for start in range(0, len(cells), count):
        yield _Line(cells[start : start + count])


class _DeviceCell:
    """The heading of a device's plugs."""

    def __init__(self, device: DevicePlugs, *, continued: bool) -> None:
        self.place = _u(device.u)
        self.title = fit(device.device + (" (continued)" if continued else ""), BOLD, 10, _COLUMN - 34 * MM)
        self.face = f"ports {device.face}" if device.face else ""
        self.model = fit(device.model, REGULAR, 6.5, 20 * MM)
        self.height = max(self.title.height, 2 * 6.5 * LEADING) + 2.2 * MM

    def draw(self, page: Page, x: float, top: float) -> None:
        top -= 1.2 * MM
        page.fill(x, top - self.height + 1.4 * MM, _COLUMN, self.height - 1.6 * MM, 0.88)
        page.lines(x + 1 * MM, top, fit(self.place, BOLD, 11, 11 * MM), BOLD)
        page.lines(x + 13 * MM, top, self.title, BOLD)
        page.right_text(x + _COLUMN - 1 * MM, top - 6.2, self.face, 6.5)
        page.right_text(x + _COLUMN - 1 * MM, top - 6.2 - 7.4, self.model.lines[0], self.model.size)
        page.rule(x, top - self.height + 1.4 * MM, x + _COLUMN, top - self.height + 1.4 * MM, 0.8)


class _PlugCell:
    """A cage, its plug, the cables at its ports."""

    def __init__(self, plug: PlugRow) -> None:
        self.plug = plug
        self.cage = fit(plug.cage, BOLD, 9, 13 * MM)
        self.part = fit(plug.part.part, REGULAR, 8, 29 * MM)
        self.cables = fit(_plug_cables(plug), REGULAR, 8, _COLUMN - 51 * MM)
        self.height = max(self.cage.height, self.part.height, self.cables.height, 4 * MM) + 0.9 * MM

    def draw(self, page: Page, x: float, top: float) -> None:
        if not self.plug.is_own:
            page.box(x + 0.8 * MM, top - 4.2 * MM, 3.5 * MM, 3.5 * MM)
        page.lines(x + 6 * MM, top - 0.5 * MM, self.cage, BOLD)
        page.lines(x + 20 * MM, top - 0.6 * MM, self.part)
        page.lines(x + 50 * MM, top - 0.6 * MM, self.cables)
        page.rule(x, top - self.height, x + _COLUMN, top - self.height, 0.3, 0.6)


def _plug_cables(plug: PlugRow) -> str:
    if plug.is_own:
        text = f"comes with cable {plug.cables[0]}"
    elif not any(plug.cables):
        text = "no cable, keep the cap on"
    else:
        text = " · ".join(str(cable) if cable else "cap" for cable in plug.cables)
    return f"SECOND PLUG IN THIS CAGE, {text}" if plug.is_second else text


@dataclass(frozen=True, slots=True)
class _Columns:
    """Cells down several columns."""

    columns: tuple[tuple[_DeviceCell | _PlugCell, ...], ...]
    height: float

    def draw(self, page: Page, top: float) -> None:
        for number, column in enumerate(self.columns):
            y = top
            for cell in column:
                cell.draw(page, page.left + number * (_COLUMN + _GUTTER), y)
                y -= cell.height


# The table of cables: left edges in mm from the frame's.
_ID, _NEAR, _NEAR_BOX, _CABLE, _FAR, _FAR_BOX, _WORK, _REMARK, _END = 0, 17, 79, 91, 129, 195, 207, 224, 250
_PLACE_NEAR: Final = 13  # width of the column of U and side
_PLACE_FAR: Final = 17  # width of the column of rack, U and side
_DEVICE: Final = 26
_BOX: Final = 4.3 * MM


class _TableHead:
    def __init__(self, rack: str) -> None:
        self.near = fit(f"NEAR END: this rack, {rack}", BOLD, 8, (_NEAR_BOX - _NEAR + 10) * MM)
        self.height = max(self.near.height, 4.4 * MM) + 4.4 * MM

    def draw(self, page: Page, top: float) -> None:
        x = page.left
        bar = self.height - 4 * MM
        page.fill(x + _NEAR * MM, top - bar, (_CABLE - _NEAR) * MM, bar, 0)
        page.fill(x + _FAR * MM, top - bar, (_WORK - _FAR) * MM, bar, 0.35)
        y = top - 0.6 * MM
        for line in self.near.lines:
            page.text(x + (_NEAR + 1) * MM, y - self.near.size * 0.93, line, self.near.size, BOLD, 1)
            y -= self.near.size * LEADING
        page.text(x + (_CABLE + 1) * MM, top - 3.3 * MM, "CABLE", 8, BOLD)
        page.text(x + (_FAR + 1) * MM, top - 3.3 * MM, "FAR END: go to", 8, BOLD, 1)
        page.text(x + (_WORK + 1) * MM, top - 3.3 * MM, "WORK", 8, BOLD)
        small = top - self.height + 1.2 * MM
        for at, word in (
            (_ID + 0.5, "cable"), (_NEAR + 1, "U, side"), (_NEAR + _PLACE_NEAR, "device, plug"),
            (_NEAR + _PLACE_NEAR + _DEVICE, "PORT, cage · mate"), (_CABLE + 1, "length, part, way"), (_FAR + 1, "rack, U, side"),
            (_FAR + _PLACE_FAR, "device, plug"), (_FAR + _PLACE_FAR + _DEVICE, "PORT, cage"), (_REMARK + 1, "remarks"),
        ):  # fmt: skip
            page.text(x + at * MM, small, word, 6.5)
        for at, words in (
            (_NEAR_BOX, ("clean", "plug")),
            (_FAR_BOX, ("clean", "plug")),
            (_WORK, ("pull", "dress", "up")),
        ):
            for index, word in enumerate(words):
                page.centred(x + (at + 3 + index * 5.6) * MM, small, word, 5.6)
        page.rule(x, top - self.height, page.right, top - self.height, 1)


class _GroupHead:
    def __init__(self, group: Group, number: int, *, continued: bool) -> None:
        text = f"3.{number}  {_group_title(group)}" + (" (continued)" if continued else "")
        self.lines = fit(text, BOLD, 9, FRAME_WIDTH - 4 * MM)
        self.height = self.lines.height + 2.4 * MM

    def draw(self, page: Page, top: float) -> None:
        page.fill(page.left, top - self.height, FRAME_WIDTH, self.height, 0.82)
        page.lines(page.left + 2 * MM, top - 1.2 * MM, self.lines, BOLD)
        page.rule(page.left, top - self.height, page.right, top - self.height, 0.5)


class _EndCell:
    """One end: where it is, its device and port large, its plug and cage below, its label last."""

    def __init__(self, end: End, *, near: bool) -> None:
        self.near = near
        if not end.is_used:
            self.place: tuple[tuple[Lines, str], ...] = ((fit("unused", BOLD, 9, 15 * MM), BOLD),)
            self.device = fit(f"leg {end.name}", BOLD, 9.5, (_DEVICE - 1) * MM)
            self.port = fit("cap it", BOLD, 12, 21 * MM)
            self.plug = self.cage = self.label = None
            self.height = self.port.height + 1 * MM
            return
        width = (_PLACE_NEAR if near else _PLACE_FAR) - 2
        side = fit(f"{end.face} {end.side}".strip(), REGULAR, 6.5, width * MM)
        if near:
            self.place = ((fit(_u(end.u), BOLD, 12, width * MM), BOLD), (side, REGULAR))
        else:
            self.place = (
                (fit(end.rack, BOLD, 10.5, width * MM), BOLD),
                (fit(_u(end.u), BOLD, 9, width * MM), BOLD),
                (side, REGULAR),
            )
        right = (22 if near else 22.5) * MM
        self.device = fit(end.device, BOLD, 9.5, (_DEVICE - 1) * MM)
        self.port = fit(" + ".join(end.ports), BOLD, 12, right)
        self.plug = fit(
            "the cable's own plug" if end.has_own_plug else end.plug or "no plug", REGULAR, 7.2, (_DEVICE - 1) * MM
        )
        self.cage = fit(_cage_text(end), BOLD if end.mates else REGULAR, 7.2, right)
        self.has_mates = bool(end.mates)
        room = (_NEAR_BOX - _NEAR - _PLACE_NEAR if near else _FAR_BOX - _FAR - _PLACE_FAR) - 1
        leg = "" if end.name in {"a", "z"} else f"leg {end.name} "
        self.label = fit(f"{leg}label {end.text} > {end.far_text}", REGULAR, 6.3, room * MM, 0.85)
        places = sum(lines.height for lines, _ in self.place)
        top = max(self.device.height, self.port.height)
        middle = max(self.plug.height, self.cage.height)
        self.height = max(places, top + middle + self.label.height)

    def draw(self, page: Page, x: float, top: float) -> None:
        y = top
        for lines, face in self.place:
            y = page.lines(x + 1 * MM, y, lines, face)
        inner = x + (_PLACE_NEAR if self.near else _PLACE_FAR) * MM
        port = inner + _DEVICE * MM
        below = min(page.lines(inner, top, self.device, BOLD), page.lines(port, top, self.port, BOLD))
        if self.plug is None or self.cage is None or self.label is None:
            return
        below = min(
            page.lines(inner, below, self.plug), page.lines(port, below, self.cage, BOLD if self.has_mates else REGULAR)
        )
        page.lines(inner, below, self.label)


def _cage_text(end: End) -> str:
    cage = f"cage {end.cage}" if end.cage else ""
    if end.mates:
        return f"{cage} · mate {', '.join(str(mate.cable_id) for mate in end.mates)}"
    if end.free_ports:
        return f"{cage} · {end.free_ports} free"
    return cage


class _Row:
    """One cable: near end, cable, far end, boxes, remarks."""

    def __init__(self, row: CableRow) -> None:
        self.row = row
        self.is_shaded = False
        self.is_first_of_device = False
        both = not row.lands_from and all(end.here for end in row.far if end.is_used)
        ends = f"end {row.near.name}" if not both else f"ends {'+'.join(end.name for end in (row.near, *row.far))}"
        self.number = fit(str(row.cable_id), BOLD, 15, 15 * MM)
        self.end = fit(f"{ends} · bundle {row.bundle}", REGULAR, 6.5, 16 * MM)
        self.near = _EndCell(row.near, near=True)
        self.far = [_EndCell(end, near=False) for end in row.far]
        width = (_FAR - _CABLE - 2) * MM
        part = row.part
        self.length = fit(_metres(part.length_mm), BOLD, 11.5, width * 0.6)
        self.colour = fit(part.colour, REGULAR, 8, width * 0.36)
        self.part = fit(part.part, BOLD, 8, width)
        self.way = fit(_way(row), REGULAR, 7, width, 0.9)
        remarks = _remarks_of(row)
        self.has_long_remarks = len(remarks) > _LONG_REMARK
        self.remarks = fit(
            "see 4, long remarks" if self.has_long_remarks else remarks, REGULAR, 6.5, (_END - _REMARK - 1.5) * MM, 0.95
        )
        self.height = max(
            self.number.height + self.end.height,
            self.near.height,
            sum(cell.height for cell in self.far) + (len(self.far) - 1) * 1.5 * MM,
            max(self.length.height, self.colour.height) + self.part.height + self.way.height,
            self.remarks.height,
            9.6 * MM,
        ) + 1.2 * MM  # fmt: skip

    def draw(self, page: Page, top: float) -> None:
        x, bottom = page.left, top - self.height
        if self.is_shaded:
            page.fill(x, bottom, FRAME_WIDTH, self.height, 0.94)
        inside = top - 0.6 * MM
        y = page.lines(x + 0.5 * MM, inside, self.number, BOLD)
        page.lines(x + 0.5 * MM, y, self.end)
        self.near.draw(page, x + _NEAR * MM, inside)
        self._boxes(page, x + _NEAR_BOX * MM, inside, ("clean" if self.row.is_optical else "", "plug"))
        at = x + (_CABLE + 1) * MM
        page.right_text(x + (_FAR - 1) * MM, inside - 8.5, self.colour.lines[0], self.colour.size)
        y = page.lines(at, inside, self.length, BOLD)
        y = page.lines(at, y, self.part, BOLD)
        page.lines(at, y, self.way)
        y = inside
        for cell, end in zip(self.far, self.row.far, strict=True):
            cell.draw(page, x + _FAR * MM, y)
            optical = self.row.is_optical and end.is_used
            self._boxes(page, x + _FAR_BOX * MM, y, ("clean" if optical else "", "plug" if end.is_used else ""))
            y -= cell.height + 1.5 * MM
        self._boxes(page, x + _WORK * MM, inside, ("" if self.row.lands_from else "pull", "dress", "up"))
        page.lines(x + (_REMARK + 1) * MM, inside, self.remarks)
        for edge, width in ((_NEAR, 0.8), (_CABLE, 0.8), (_FAR, 0.8), (_WORK, 0.8), (_REMARK, 0.4)):
            page.rule(x + edge * MM, top, x + edge * MM, bottom, width)
        page.rule(x, bottom, page.right, bottom, 0.4)
        if self.is_first_of_device:
            page.rule(x, top, page.right, top, 1.4)

    @staticmethod
    def _boxes(page: Page, x: float, top: float, kinds: Sequence[str]) -> None:
        """A box for each kind of work; a dash where there is nothing to do."""
        for index, kind in enumerate(kinds):
            left = x + (0.85 + index * 5.6) * MM
            if kind:
                page.box(left, top - 1.2 * MM - _BOX, _BOX, _BOX)
            else:
                page.rule(left + 1.2 * MM, top - 1.2 * MM - _BOX / 2, left + 3.1 * MM, top - 1.2 * MM - _BOX / 2, 0.8)


def _way(row: CableRow) -> str:
    route = " > ".join(row.route)
    if row.lands_from:
        return f"comes from {row.lands_from}" + (f" by {route}" if route else "")
    others = list(dict.fromkeys(end.rack for end in row.far if end.is_used and not end.here))
    if not others:
        return "in this rack"
    return f"pull to {', '.join(others)}" + (f" by {route}" if route else "")


_LONG_REMARK: Final = 200
"""Characters beyond which a remark stands below the table, so that a row keeps its height."""


def _remarks_of(row: CableRow) -> str:
    remarks = list(row.remarks)
    if row.is_pinned:
        remarks.append("part pinned by the project")
    if row.measured_mm >= 0:
        remarks.append(f"way measured on site: {_metres(row.measured_mm)}")
    return "; ".join(remarks)


# --- drawing ---------------------------------------------------------------------------------------------------------


def _write(plan: Plan, racks: Sequence[_RackPages], path: Path, paper: Paper, row: str) -> None:
    identity = plan.identity
    cover = _cover_pages(identity, racks)
    total = len(cover) + sum(len(rack.pages) for rack in racks)
    title = f"{identity.project} {identity.revision} cut sheets" + (f", row {row}" if row else "")
    canvas = new_canvas(path, paper, title, f"inputs {identity.inputs_sha256}")
    ink = Ink(canvas)
    number = 0
    canvas.bookmarkPage("cover")
    canvas.addOutlineEntry("Cover", "cover", 0)
    for blocks in cover:
        number += 1
        _draw(canvas, ink, paper, blocks, _Frame(identity, "Cut sheets", "", number, total))
    before: str | None = None
    for index, rack in enumerate(racks):
        for part, blocks in enumerate(rack.pages, start=1):
            number += 1
            if part == 1:
                if rack.sheet.row != before:
                    canvas.bookmarkPage(f"row-{index}")
                    canvas.addOutlineEntry(f"Row {rack.sheet.row}", f"row-{index}", 0)
                    before = rack.sheet.row
                canvas.bookmarkPage(f"rack-{index}")
                canvas.addOutlineEntry(f"Rack {rack.sheet.rack}", f"rack-{index}", 1)
            frame = _Frame(
                identity, f"Rack {rack.sheet.rack}", f"sheet {part} of {len(rack.pages)} of this rack", number, total
            )
            _draw(canvas, ink, paper, blocks, frame)
    canvas.save()


@dataclass(frozen=True, slots=True)
class _Frame:
    """What stands on every page."""

    identity: Identity
    title: str
    part: str
    number: int
    total: int

    def draw(self, page: Page) -> None:
        identity, top = self.identity, page.top
        if identity.draft:
            page.stamp("DRAFT")
        width = 80 * MM
        page.lines(page.left, top, fit_into(identity.project, BOLD, 10, width, 4.6 * MM), BOLD)
        revision = f"revision {identity.revision or 'not given'}" + (f" · {identity.date}" if identity.date else "")
        page.lines(page.left, top - 4.7 * MM, fit_into(revision, REGULAR, 8, width, 3.6 * MM))
        inputs = f"inputs {identity.inputs_sha256[:12]} · planner {identity.planner_version}"
        page.lines(page.left, top - 8.5 * MM, fit_into(inputs, REGULAR, 7, width, 3.4 * MM))
        title = fit_into(self.title, BOLD, 22, 84 * MM, 12 * MM)
        y = top
        for line in title.lines:
            page.centred(page.left + 125 * MM, y - title.size * 0.93, line, title.size, BOLD)
            y -= title.size * LEADING
        if identity.draft:
            page.fill(page.right - 76 * MM, top - 9.5 * MM, 38 * MM, 9.5 * MM, 0)
            page.centred(page.right - 57 * MM, top - 5 * MM, "DRAFT", 13, BOLD, 1)
            page.centred(page.right - 57 * MM, top - 8.6 * MM, "has errors, do not install", 7, REGULAR, 1)
        page.right_text(page.right, top - 10, f"page {self.number} of {self.total}", 10, BOLD)
        page.right_text(page.right, top - 19, self.part, 7.5)
        page.rule(page.left, top - 12.8 * MM, page.right, top - 12.8 * MM, 1.2)
        page.rule(page.left, page.bottom + 5.5 * MM, page.right, page.bottom + 5.5 * MM, 0.5)
        foot = "mate = cable on the same plug: touch one, both links drop · clean = inspect and clean the end face · up = link light on"
        page.text(page.left, page.bottom + 1.6 * MM, foot, 6.8)
        page.right_text(
            page.right,
            page.bottom + 1.6 * MM,
            "done by ____________________  date ______________  checked ______________",
            7.5,
        )


def _draw(canvas: Canvas, ink: Ink, paper: str, blocks: Sequence[tuple[float, Block]], frame: _Frame) -> None:
    page = Page(ink, paper)
    frame.draw(page)
    for offset, block in blocks:
        block.draw(page, page.top - _HEADER - offset)
    page.put(canvas)


# --- cover -----------------------------------------------------------------------------------------------------------

_LEGEND: Final = (
    (
        "Near end",
        "in the rack of the sheet. Far end: where the other end goes. Each end has its own label text, near place first.",
    ),
    (
        "U",
        "the lowest slot of the device, as the rack is numbered. front, rear: face of the rack; left, right: as you face the ports.",
    ),
    (
        "Order",
        "fetch, insert the plugs, then cables as listed: longest bundles out of the rack first, then inside; left before right, top down.",
    ),
    (
        "mate 12",
        "cable 12 is in the same plug. Pulling or reseating that plug takes both links down. cap: a port without a cable.",
    ),
    (
        "Boxes",
        "clean: end face inspected and cleaned (a dash: closed connector). plug: seated, latch heard. pull: laid on its way.",
    ),
    (
        "",
        "dress: tied, bend radius kept, both labels on. up: link light on. A dash under pull: it is pulled from the other rack.",
    ),
    (
        "Once",
        "a cable inside one rack stands once, with both ends. A cable between racks stands on both racks' sheets, pulled once.",
    ),
)


def _cover_pages(identity: Identity, racks: Sequence[_RackPages]) -> list[list[tuple[float, Block]]]:
    """Cover and index. The index gives pages, so its own length is found first."""
    pages = 1
    while True:
        made = _cover_with(identity, racks, pages)
        if len(made) == pages:
            return made
        pages = len(made)


def _cover_with(identity: Identity, racks: Sequence[_RackPages], pages: int) -> list[list[tuple[float, Block]]]:
    out = _Flow()
    counts = [rack.sheet.counts for rack in racks]
    cables = sum(count.starting + count.inside for count in counts)
    plugs = sum(count.transceivers for count in counts)
    unresolved = len({link.link_id for rack in racks for link in rack.sheet.unresolved})
    out.add(
        _Text((f"{_count(len(racks), 'rack')} · {_count(cables, 'cable')} · {_count(plugs, 'transceiver')}",), 16, BOLD)
    )
    out.add(_Text((f"inputs {identity.inputs_sha256}",), 7.5))
    if identity.draft:
        out.add(_Alarm("DRAFT: this plan has errors (findings.json). It is for review; do not install from it."))
    if unresolved:
        out.add(_Alarm(f"NOT CABLED: {_count(unresolved, 'link')} without a cable, listed on the racks' first sheets."))
    out.add(_Heading("How to read a sheet", ""))
    for word, text in _LEGEND:
        out.add(_LegendLine(word, text))
    out.add(_Space(2 * MM))
    out.add(
        _Heading("Material", "of these racks, without spares; a cable belongs to the rack where it starts"), keep=8 * MM
    )
    for line in _in_columns([_KitCell(item) for item in totals(i for r in racks for i in r.sheet.kit)], 3):
        out.add(line)
    out.add(_Space(2 * MM))
    out.add(_Heading("Racks", "cables that start, land and stay inside; transceivers; first page"), keep=12 * MM)
    head = _IndexHead()
    out.add(head)
    first = pages + 1
    lines = []
    for rack in racks:
        lines.append((rack.sheet, first))
        first += len(rack.pages)
    cells = [_IndexCell(sheet, page) for sheet, page in lines]
    tallest = max((cell.height for cell in cells), default=1)
    while cells:
        here = max(1, int(out.room / tallest)) * 2
        half = -(-min(len(cells), here) // 2)
        for left, right in zip_longest(cells[:half], cells[half : min(len(cells), here)]):
            out.add(_IndexLine(left, right), again=(head,))
        cells = cells[here:]
        if cells:
            out.new_page()
            out.add(head)
    return out.pages


@dataclass(frozen=True, slots=True)
class _LegendLine:
    word: str
    text: str
    height: float = 4.6 * MM

    def draw(self, page: Page, top: float) -> None:
        page.text(page.left + 1 * MM, top - 3.4 * MM, self.word, 9, BOLD)
        page.text(page.left + 22 * MM, top - 3.4 * MM, self.text, 8.5)


_INDEX: Final = (("starts", 66), ("lands", 76), ("inside", 86), ("plugs", 94), ("no cable", 107), ("page", 118))


class _IndexHead:
    height: float = 5 * MM

    def draw(self, page: Page, top: float) -> None:
        for x in (page.left, page.left + 128 * MM):
            page.text(x + 1 * MM, top - 3.6 * MM, "rack", 7, BOLD)
            page.text(x + 42 * MM, top - 3.6 * MM, "phase", 7, BOLD)
            for word, at in _INDEX:
                page.right_text(x + at * MM, top - 3.6 * MM, word, 7, BOLD)
            page.rule(x, top - 4.8 * MM, x + 122 * MM, top - 4.8 * MM, 0.6)


class _IndexCell:
    def __init__(self, sheet: RackSheet, page: int) -> None:
        self.rack = fit(sheet.rack, BOLD, 9, 40 * MM)
        self.phase = fit(sheet.phase, REGULAR, 8, 14 * MM)
        counts = sheet.counts
        self.values = (
            counts.starting, counts.landing, counts.inside, counts.transceivers, counts.unresolved, page
        )  # fmt: skip
        self.height = max(self.rack.height, self.phase.height) + 1.4 * MM

    def draw(self, page: Page, x: float, top: float, height: float) -> None:
        page.lines(x + 1 * MM, top - 0.7 * MM, self.rack, BOLD)
        page.lines(x + 42 * MM, top - 0.7 * MM, self.phase)
        for (word, at), value in zip(_INDEX, self.values, strict=True):
            bold = word == "page" or (word == "no cable" and value > 0)
            page.right_text(x + at * MM, top - 0.7 * MM - 8.4, str(value), 9, BOLD if bold else REGULAR)
        page.rule(x, top - height, x + 122 * MM, top - height, 0.3, 0.5)


class _IndexLine:
    """Two racks side by side; the list runs down the left half of a page, then down the right one."""

    def __init__(self, left: _IndexCell, right: _IndexCell | None) -> None:
        self.cells = [cell for cell in (left, right) if cell]
        self.height = max(cell.height for cell in self.cells)

    def draw(self, page: Page, top: float) -> None:
        for index, cell in enumerate(self.cells):
            cell.draw(page, page.left + index * 128 * MM, top, self.height)


__all__ = ["MAX_PAGES", "write_cut_sheets"]
