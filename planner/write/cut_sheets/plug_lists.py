"""Plugs to insert, without those that come with their cables: rows down three columns; those of the last page are of one height, and cables may begin below them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from planner.cutsheet import DevicePlugs, PlugRow
from planner.write.cut_sheets.blocks import Heading, Space
from planner.write.cut_sheets.layout import COLUMNS, Layout, column_left
from planner.write.cut_sheets.plug_cells import DeviceCell, PlugCell
from planner.write.page import MM, Page

_TITLE: Final = "2  Insert the plugs"
_KEPT_WHOLE: Final = 8
"""A device with at most so many plugs is not divided between columns."""

Column = tuple[DeviceCell | PlugCell, ...]


def add_plugs(out: Layout, devices: Sequence[DevicePlugs]) -> None:
    units = [unit for device in devices for unit in _units_of(device, _to_insert(device))]
    if not units:
        return
    note = "before any cord; cage, part, and the cable at each port of the cage in turn. Plugs that are part of a cable come with it"
    out.add(Heading(_TITLE, note), 30 * MM)
    while units:
        taken, columns = _balanced(units, out.room)
        out.add(_Columns(columns, max(sum(cell.height for cell in column) for column in columns)))
        units = units[taken:]
        if units:
            out.new_page()
            out.add(Heading(_TITLE, "continued"))
    out.add(Space(min(3 * MM, out.room)))


@dataclass(frozen=True, slots=True)
class _Unit:
    """Plugs of one device that stay together, with their height.

    head: the device's heading, once more where it goes on in a new column.
    """

    device: str
    head: DeviceCell
    plugs: tuple[PlugCell, ...]
    height: float


def _to_insert(device: DevicePlugs) -> tuple[PlugRow, ...]:
    """Transceivers, and all plugs of a cage that is given two."""
    doubled = {plug.cage for plug in device.plugs if plug.is_second}
    return tuple(plug for plug in device.plugs if not plug.is_own or plug.cage in doubled)


def _units_of(device: DevicePlugs, plugs: Sequence[PlugRow]) -> Iterator[_Unit]:
    head, again = DeviceCell(device, continued=False), DeviceCell(device, continued=True)
    cells = tuple(PlugCell(plug) for plug in plugs)
    size = max(1, len(cells)) if len(cells) <= _KEPT_WHOLE else 1
    for start in range(0, len(cells), size):
        kept = cells[start : start + size]
        yield _Unit(device.device, again if start else head, kept, sum(cell.height for cell in kept))


def _balanced(units: Sequence[_Unit], room: float) -> tuple[int, tuple[Column, ...]]:
    """How many units one page takes, and their columns at the least height that holds as many."""
    taken, columns = _columns_of(units, room)
    height = min(room, sum(unit.height for unit in units[:taken]) / COLUMNS)
    while height < room:
        fewer, found = _columns_of(units[:taken], height)
        if fewer == taken:
            return taken, found
        height = min(height + 1 * MM, room)
    return taken, columns


def _columns_of(units: Sequence[_Unit], height: float) -> tuple[int, tuple[Column, ...]]:
    """How many units go into the columns of one page, and the columns; the first unit always goes in."""
    columns: list[list[DeviceCell | PlugCell]] = []
    used, device = height, ""
    for number, unit in enumerate(units):
        needed = unit.height + (unit.head.height if unit.device != device else 0)
        if used + needed > height + 0.01:
            if len(columns) == COLUMNS:
                return number, tuple(map(tuple, columns))
            columns.append([unit.head, *unit.plugs])
            used = unit.head.height + unit.height
        else:
            columns[-1].extend([unit.head, *unit.plugs] if unit.device != device else unit.plugs)
            used += needed
        device = unit.device
    return len(units), tuple(map(tuple, columns))


@dataclass(frozen=True, slots=True)
class _Columns:
    """Cells down several columns."""

    columns: tuple[Column, ...]
    height: float

    def draw(self, page: Page, top: float) -> None:
        for number, column in enumerate(self.columns):
            y = top
            for cell in column:
                cell.draw(page, column_left(page, number), y)
                y -= cell.height
