"""An end in a row of the table: where it is, its device and port large, its plug and cage below, its label last."""

from __future__ import annotations

from typing import Final

from planner.cutsheet import End
from planner.typeset import BOLD, REGULAR, Lines, fit
from planner.write.cut_sheets.table import DEVICE, EndColumns
from planner.write.cut_sheets.words import slot
from planner.write.page import MM, Page

_DEVICE_WIDTH: Final = (DEVICE - 1) * MM


class EndCell:
    def __init__(self, end: End, columns: EndColumns) -> None:
        self.columns = columns
        self.place = _place_of(end, columns)
        self.device = fit(end.device, BOLD, 9.5, _DEVICE_WIDTH)
        self.port = fit(" + ".join(end.ports), BOLD, 12, columns.port * MM)
        plug = "the cable's own plug" if end.has_own_plug else end.plug or "no plug"
        self.plug = fit(plug, REGULAR, 7.2, _DEVICE_WIDTH)
        self.cage_face = BOLD if end.mates else REGULAR
        self.cage = fit(_cage_text(end), self.cage_face, 7.2, columns.port * MM)
        systems = ", ".join(f"{system} {name}" for system, name in end.os_names)
        self.system = fit(systems, REGULAR, 6.3, columns.label * MM, 0.85) if systems else None
        leg = "" if end.name in {"a", "z"} else f"leg {end.name} "
        self.label = fit(f"{leg}label {end.text} > {end.far_text}", REGULAR, 6.3, columns.label * MM, 0.85)
        places = sum(lines.height for lines, _ in self.place)
        top = max(self.device.height, self.port.height)
        middle = max(self.plug.height, self.cage.height)
        self.height = max(places, top + middle + (self.system.height if self.system else 0) + self.label.height)

    def draw(self, page: Page, x: float, top: float) -> None:
        y = top
        for lines, face in self.place:
            y = page.lines(x + 1 * MM, y, lines, face)
        inner = x + self.columns.place * MM
        port = inner + DEVICE * MM
        below = min(page.lines(inner, top, self.device, BOLD), page.lines(port, top, self.port, BOLD))
        below = min(page.lines(inner, below, self.plug), page.lines(port, below, self.cage, self.cage_face))
        if self.system:
            below = page.lines(inner, below, self.system)
        page.lines(inner, below, self.label)


class UnusedLeg:
    """A leg of a splitter without a port."""

    def __init__(self, end: End, columns: EndColumns) -> None:
        self.columns = columns
        self.place = fit("unused", BOLD, 9, 15 * MM)
        self.leg = fit(f"leg {end.name}", BOLD, 9.5, _DEVICE_WIDTH)
        self.order = fit("cap it", BOLD, 12, 21 * MM)
        self.height = self.order.height + 1 * MM

    def draw(self, page: Page, x: float, top: float) -> None:
        page.lines(x + 1 * MM, top, self.place, BOLD)
        inner = x + self.columns.place * MM
        page.lines(inner, top, self.leg, BOLD)
        page.lines(inner + DEVICE * MM, top, self.order, BOLD)


def _place_of(end: End, columns: EndColumns) -> tuple[tuple[Lines, str], ...]:
    """Lines with their fonts: rack where the columns name it, U, side."""
    width = (columns.place - 2) * MM
    side = (fit(f"{end.face} {end.side}".strip(), REGULAR, 6.5, width), REGULAR)
    if not columns.names_rack:
        return (fit(slot(end.u), BOLD, 12, width), BOLD), side
    return (fit(end.rack, BOLD, 10.5, width), BOLD), (fit(slot(end.u), BOLD, 9, width), BOLD), side


def _cage_text(end: End) -> str:
    cage = f"cage {end.cage}" if end.cage else ""
    if end.mates:
        return f"{cage} · mate {', '.join(str(mate.cable_id) for mate in end.mates)}"
    if end.free_ports:
        return f"{cage} · {end.free_ports} free"
    return cage
