"""The panels of a rack port by port, and the trunks that end there leg by leg."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from planner.cutsheet import PanelPort, PanelSheet, TrunkSheet
from planner.names import counted
from planner.typeset import BOLD, REGULAR, Lines, fit
from planner.write.cut_sheets.blocks import Heading, Space
from planner.write.cut_sheets.layout import Layout
from planner.write.cut_sheets.words import length, slot
from planner.write.page import FRAME_WIDTH, MM, Page

_BOX: Final = 3 * MM
_PAD: Final = 0.9 * MM

# Left edges of the columns of ports, in mm from the frame's, with what stands over them; the last is the right edge.
_FRONT_BOX, _REAR_BOX = 15, 87
_COLUMNS: Final = (
    (0, "slot"), (7, "PORT"), (20, "cord here"), (38, "from device, port"), (92, "trunk, leg"), (115, "to panel, port"),
    (160, "cord there"), (179, "to device, port"), (237, "leg is"), (250, ""),
)  # fmt: skip
_TRUNK_COLUMNS: Final = (
    (10, "trunk"), (28, "part"), (96, "legs"), (112, "here"), (158, "there"), (206, "legs are; unlit positions"),
    (250, ""),
)  # fmt: skip
_DONE, _TESTED = 0, 5


def add_panels(out: Layout, panels: Sequence[PanelSheet], trunks: Sequence[TrunkSheet]) -> None:
    """Trunks first, for they are pulled and plugged first; then each panel from the top down."""
    heading = Heading("Panels and trunks", "trunks behind the panels first, then the cords in front")
    out.add(heading, keep=20 * MM)
    head = _Head(_TRUNK_COLUMNS, (("in", _DONE), ("test", _TESTED)))
    out.add(head, keep=6 * MM)
    for trunk in trunks:
        for number in range(len(trunk.runs)):
            out.add(_TrunkRow(trunk, number), again=(heading, head))
    out.add(Space(2 * MM))
    for panel in panels:
        title, continued = _Title(panel, ""), _Title(panel, " (continued)")
        ports = _Head(_COLUMNS, (("in", _FRONT_BOX), ("in", _REAR_BOX)))
        out.add(title, keep=ports.height + 12 * MM, again=(heading,))
        out.add(ports)
        before = PanelPort(0, "", 0)
        for port in panel.ports:
            # The duplex ports of a cassette share a leg, which is plugged in once.
            begins_leg = (port.trunk, port.leg) != (before.trunk, before.leg)
            row = _PortRow(port, begins_slot=port.slot != before.slot, begins_leg=begins_leg)
            before = port
            out.add(row, again=(heading, continued, ports))
        out.add(Space(min(2 * MM, max(out.room, 0))))


class _Title:
    def __init__(self, panel: PanelSheet, more: str) -> None:
        used = sum(bool(port.cord) for port in panel.ports)
        inserts = list(dict.fromkeys(port.insert for port in panel.ports))
        face = f" · ports at the {panel.face} of the rack" if panel.face else ""
        told = f"{panel.model} · {', '.join(inserts)} · {counted(len(panel.ports), 'port')}, {used} with a cord{face}"
        self.name = fit(f"{slot(panel.u)}  {panel.device}{more}", BOLD, 10, 90 * MM)
        self.told = fit(told, REGULAR, 7.5, FRAME_WIDTH - 95 * MM)
        self.height = max(self.name.height, self.told.height) + 2 * MM

    def draw(self, page: Page, top: float) -> None:
        page.fill(page.left, top - self.height + 0.6 * MM, FRAME_WIDTH, self.height - 0.6 * MM, 0.82)
        page.lines(page.left + 1 * MM, top - 0.8 * MM, self.name, BOLD)
        page.lines(page.left + 94 * MM, top - 1.3 * MM, self.told)


class _Head:
    def __init__(self, columns: Sequence[tuple[int, str]], boxes: Sequence[tuple[str, int]]) -> None:
        self.columns = columns
        self.boxes = boxes
        self.height = 4 * MM

    def draw(self, page: Page, top: float) -> None:
        for at, word in self.columns:
            page.text(page.left + at * MM, top - 2.8 * MM, word, 6.5)
        for word, at in self.boxes:
            page.text(page.left + at * MM, top - 2.8 * MM, word, 5.6)
        page.rule(page.left, top - 3.6 * MM, page.right, top - 3.6 * MM, 0.8)


class _Row:
    """Cells in columns, boxes to tick, a rule below. bold: columns that are searched by."""

    def __init__(
        self, columns: Sequence[tuple[int, str]], cells: Sequence[str], bold: Sequence[int], boxes: Sequence[int]
    ) -> None:
        self.at = [at for at, _ in columns[:-1]]
        room = [(right - left - 1) * MM for (left, _), (right, _) in pairwise(columns)]
        self.bold = frozenset(bold)
        self.cells: list[Lines] = [
            fit(cell, BOLD if n in self.bold else REGULAR, 8, wide)
            for n, (cell, wide) in enumerate(zip(cells, room, strict=True))
        ]
        self.boxes = boxes
        self.height = max(*(cell.height for cell in self.cells), _BOX) + 2 * _PAD - 0.6 * MM

    def draw(self, page: Page, top: float) -> None:
        for n, cell in enumerate(self.cells):
            page.lines(page.left + self.at[n] * MM, top - _PAD + 0.3 * MM, cell, BOLD if n in self.bold else REGULAR)
        for at in self.boxes:
            page.box(page.left + at * MM, top - _PAD - _BOX + 0.4 * MM, _BOX, _BOX)
        page.rule(page.left, top - self.height, page.right, top - self.height, 0.25)


class _PortRow(_Row):
    def __init__(self, port: PanelPort, *, begins_slot: bool, begins_leg: bool) -> None:
        behind = f"{port.trunk} leg {port.leg}" if port.trunk else ""
        there = f"{port.far_port} in {port.far_rack}" if port.far_port else ""
        cells = (
            f"{port.slot}" if begins_slot else "", f"{port.port:02d}", f"cable {port.cord}" if port.cord else "leave free", port.near, behind, there,
            f"cable {port.far_cord}" if port.far_cord else "", port.far, port.state,
        )  # fmt: skip
        boxes = [at for at, used in ((_FRONT_BOX, port.cord), (_REAR_BOX, port.trunk and begins_leg)) if used]
        super().__init__(_COLUMNS, cells, (1, 3, 5), boxes)


class _TrunkRow(_Row):
    """Legs of a trunk that follow each other; the trunk is named at the first of them."""

    def __init__(self, trunk: TrunkSheet, number: int) -> None:
        run = trunk.runs[number]
        legs = f"{run.first}" if run.first == run.last else f"{run.first} to {run.last}"
        states = (("used", trunk.used), ("reserve", trunk.reserve), ("spare", trunk.spare))
        told = ", ".join(f"{count} {word}" for word, count in states if count)
        told += f"; unlit {trunk.unlit}" if trunk.unlit else ""
        part, metres = trunk.part.part, length(trunk.part.length_mm)
        if trunk.part.length_mm >= 0 and not part.endswith(metres):
            part = f"{part} {metres}"
        first = number == 0
        cells = (
            f"{trunk.cable_id}" if first else "", part if first else "", legs, run.here,
            f"{run.there} in {trunk.other_rack}", told if first else "",
        )  # fmt: skip
        super().__init__(_TRUNK_COLUMNS, cells, (0, 3, 4), (_DONE, _TESTED) if first else ())
