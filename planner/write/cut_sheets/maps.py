"""The rack and its devices as one sees them: its faces to scale, and the cages of each device with their cables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from planner.cutsheet import FaceCell, FaceMap
from planner.elevation import Elevation
from planner.typeset import BOLD, REGULAR, fit, fit_into
from planner.write.cut_sheets.blocks import Heading, Space
from planner.write.cut_sheets.layout import Layout
from planner.write.cut_sheets.words import slot
from planner.write.drawn import draw_shapes
from planner.write.page import FRAME_WIDTH, MM, Page
from planner.write.rack_faces import FOOT, HEAD, RackFace, Sizes

_RACK_HEIGHT: Final = 162 * MM
"""Room for a rack with its head and foot: one of 48 slots takes 1:16."""
_HEADING: Final = 5.2 * MM
_CAGE: Final = 3.1 * MM
_CABLE: Final = 2.5 * MM
_BLOCK_GAP: Final = 3 * MM
_WIDEST: Final = 15 * MM
_NOT_STATED: Final = "the catalog does not tell where the cages are: they stand in its order"


def add_maps(out: Layout, elevations: Sequence[Elevation], faces: Sequence[FaceMap]) -> None:
    """Racks first; where one face of the rack is drawn, maps stand beside it while they fit."""
    heading = Heading(
        "Rack and faces", "as one sees them; a cage with its cables, port by port; a dash: no cable at this port"
    )
    sizes = Sizes.of(elevations, _RACK_HEIGHT)
    waiting = list(faces)
    beside: list[_FaceMap] = []
    if len(elevations) == 1:
        width = FRAME_WIDTH - sizes.column
        height = _height_of(elevations, sizes)
        while waiting:
            cell = _FaceMap(waiting[0], width)
            if sum(one.height for one in beside) + cell.height > height:
                break
            beside.append(cell)
            del waiting[0]
    first = _Racks(elevations, sizes, beside)
    out.add(heading, keep=first.height)
    out.add(first)
    again = (Heading("Rack and faces", "continued"),)
    for face in waiting:
        out.add(_FaceMap(face, FRAME_WIDTH), again=again)
    out.add(Space(min(2 * MM, max(out.room, 0))))


def _height_of(elevations: Sequence[Elevation], sizes: Sizes) -> float:
    return HEAD + FOOT + max(face.units for face in elevations) * sizes.unit


class _Racks:
    """Faces of the rack side by side, and maps beside a single one."""

    def __init__(self, elevations: Sequence[Elevation], sizes: Sizes, beside: Sequence[_FaceMap]) -> None:
        self.elevations = elevations
        self.sizes = sizes
        self.beside = beside
        self.height = _height_of(elevations, sizes)

    def draw(self, page: Page, top: float) -> None:
        for place, face in enumerate(self.elevations):
            drawn = RackFace(face, self.sizes, place * self.sizes.column, 0)
            draw_shapes(page, drawn.shapes(), page.left, top)
        for cell in self.beside:
            cell.draw_at(page, page.left + self.sizes.column, top)
            top -= cell.height


class _FaceMap:
    """A device's face: cages as cells in their rows and columns, cages of one kind beside those of another."""

    def __init__(self, face: FaceMap, width: float) -> None:
        self.face = face
        self.width = width
        columns = [1 + max(cell.column for cell in block) for block in face.blocks]
        gaps = (len(columns) - 1) * _BLOCK_GAP
        self.cell = min(_WIDEST, (width - gaps) / sum(columns))
        self.columns = columns
        ports = max((len(cell.cables) for block in face.blocks for cell in block), default=1)
        self.cell_height = _CAGE + max(ports, 1) * _CABLE + 0.8 * MM
        self.rows = 1 + max(cell.row for block in face.blocks for cell in block)
        told = f"{face.model} · {face.face} of the rack, facing the ports"
        self.title = fit(f"{slot(face.u)}  {face.device}", BOLD, 9, width * 0.45)
        self.told = fit(told + ("" if face.is_stated else f" · {_NOT_STATED}"), REGULAR, 6.3, width * 0.52)
        self.height = max(_HEADING, self.title.height, self.told.height) + self.rows * self.cell_height + 3 * MM

    def draw(self, page: Page, top: float) -> None:
        self.draw_at(page, page.left, top)

    def draw_at(self, page: Page, x: float, top: float) -> None:
        page.lines(x, top - 0.5 * MM, self.title, BOLD)
        page.lines(x + self.width * 0.48, top - 1.2 * MM, self.told)
        y = top - max(_HEADING, self.title.height, self.told.height)
        for block, columns in zip(self.face.blocks, self.columns, strict=True):
            for cell in block:
                self._draw_cell(page, cell, x + cell.column * self.cell, y - cell.row * self.cell_height)
            x += columns * self.cell + _BLOCK_GAP

    def _draw_cell(self, page: Page, cell: FaceCell, x: float, top: float) -> None:
        width, height = self.cell, self.cell_height
        page.box(x, top - height, width, height, 1 if cell.is_used else 0.88, 0.9 if cell.is_used else 0.3)
        inner = width - 0.8 * MM
        face = BOLD if cell.is_used else REGULAR
        name = fit_into(cell.cage, face, 7, inner, _CAGE)
        page.lines(x + 0.4 * MM, top - 0.2 * MM, name, face)
        for place, cable in enumerate(cell.cables):
            shown = fit_into(str(cable) if cable else "-", REGULAR, 6.4, inner, _CABLE)
            page.lines(x + 0.4 * MM, top - _CAGE - place * _CABLE, shown)
