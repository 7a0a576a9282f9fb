"""`floor-plan.dxf`: the floor plan for CAD programs, in millimetres of the room, every pathway at its height.

Needs ezdxf (the extra `dxf`). Texts are plain TEXT entities for the eye; names as written stand in the extended data of
each thing, under the application `PLANNER`, where no program takes their characters for codes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from planner.floorplan import Drawing
from planner.floorplan.lettering import shown
from planner.floorplan.looks import AREAS
from planner.floorplan.shapes import Rack, Ring
from planner.plan import Plan
from planner.units import UM_PER_MM
from planner.write.choices import MissingExtraError

if TYPE_CHECKING:
    from ezdxf.document import Drawing as Document
    from ezdxf.entities import DXFEntity
    from ezdxf.layouts import Modelspace

APPLICATION: Final = "PLANNER"
LAYERS: Final = {
    "ROOM": 7, "OPENINGS": 8, "OBSTACLES": 8, "RACKS": 5, "RACK-FRONTS": 5, "RACK-NAMES": 7, "PATHWAYS": 3,
    "PATHWAY-LINES": 6, "PATHWAY-FILL": 9, "PATHWAY-NAMES": 7, "RISERS": 4, "ORIGIN": 7,
}  # fmt: skip
"""Names with their colours in AutoCAD's index."""

_VERSION: Final = "R2010"
_LETTERS_MM: Final = 120
_LEAST_LETTERS_MM: Final = 20
_WIDE: Final = 0.9
"""Width of a letter of the CAD programs' own font over its height, on the safe side."""


def write_dxf(plan: Plan, drawn: Drawing, path: Path) -> None:
    """Raises MissingExtraError."""
    try:
        import ezdxf
        from ezdxf import units
    except ImportError as error:
        raise MissingExtraError(
            "floor-plan.dxf needs the library ezdxf: install it with `pip install 'cabling-planner[dxf]'`"
        ) from error
    # Its dates and identifiers are those of a test file, so that the same plan gives the same bytes.
    ezdxf.options.write_fixed_meta_data_for_testing = True
    document = ezdxf.new(_VERSION, units=units.MM)
    document.appids.add(APPLICATION)
    for name, colour in LAYERS.items():
        document.layers.add(name, color=colour)
    _draw(document.modelspace(), plan, drawn)
    _state_origin(document, drawn)
    document.saveas(path)


def _draw(space: Modelspace, plan: Plan, drawn: Drawing) -> None:
    for ring in drawn.walls:
        _closed(space, "ROOM", ring)
    for layer, things in (("OPENINGS", drawn.openings), ("OBSTACLES", drawn.obstacles), ("RISERS", drawn.risers)):
        for thing in things:
            _known(_closed(space, layer, thing.ring), thing.name, thing.title)
    for rack in drawn.racks:
        x, y, wide, deep = rack.box
        corners = ((x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep))
        _known(_closed(space, "RACKS", corners), rack.name, rack.title)
        space.add_line(*_front(rack), dxfattribs={"layer": "RACK-FRONTS", "lineweight": 50})
        _text(space, "RACK-NAMES", rack.name, (x + wide / 2, y + deep / 2, 0), max(wide, deep), 90 * (deep > wide))
    lines = _lines(plan)
    for pathway in drawn.pathways:
        height = pathway.height_mm
        for stretch in pathway.stretches:
            hatch = space.add_hatch(dxfattribs={"layer": "PATHWAY-FILL", "elevation": (0, 0, height)})
            hatch.rgb = _rgb(AREAS[f"fill-{stretch.fill}"].fill)
            hatch.paths.add_polyline_path(stretch.ring)
        outline = _closed(space, "PATHWAYS", pathway.outline, height)
        _known(outline, pathway.name, pathway.title)
        line = space.add_polyline3d(lines[pathway.name], dxfattribs={"layer": "PATHWAY-LINES"})
        _known(line, pathway.name, pathway.title)
        (ax, ay), (bx, by) = pathway.points[0], pathway.points[1]
        turn = 90 if abs(by - ay) > abs(bx - ax) else 0
        middle = ((ax + bx) / 2, (ay + by) / 2, height)
        size = min(_LETTERS_MM, int(pathway.width_mm * 0.6))
        _text(space, "PATHWAY-NAMES", pathway.name, middle, max(abs(bx - ax), abs(by - ay)), turn, size)


def _state_origin(document: Document, drawn: Drawing) -> None:
    """What the drawing is of, in its properties and below the room."""
    identity = drawn.identity
    facts = {
        "project": identity.project, "revision": identity.revision, "date": identity.date,
        "inputs SHA-256": identity.inputs_sha256, "planner": identity.planner_version,
    }  # fmt: skip
    for name, value in facts.items():
        document.header.custom_vars.append(name, shown(value))
    draft = "DRAFT: has errors, do not build. " if identity.draft else ""
    told = (
        f"{draft}{identity.project}, revision {identity.revision or 'not given'}, inputs {identity.inputs_sha256[:12]}"
    )
    xs, ys = [x for x, _ in drawn.outline] or [0], [y for _, y in drawn.outline] or [0]
    place = ((min(xs) + max(xs)) / 2, min(ys) - 3 * _LETTERS_MM, 0)
    _text(document.modelspace(), "ORIGIN", told, place, max(max(xs) - min(xs), 5000))


def _lines(plan: Plan) -> dict[str, list[tuple[float, float, float]]]:
    """Centrelines of the pathways by name, with the heights of their points."""
    found: dict[str, list[tuple[float, float, float]]] = {}
    for point in plan.pathway_points:
        place = (point.x_um / UM_PER_MM, point.y_um / UM_PER_MM, point.z_um / UM_PER_MM)
        found.setdefault(plan.pathways[point.pathway].name, []).append(place)
    return found


def _closed(space: Modelspace, layer: str, ring: Ring, height: int = 0) -> DXFEntity:
    return space.add_lwpolyline(ring, close=True, dxfattribs={"layer": layer, "elevation": height})


def _front(rack: Rack) -> tuple[tuple[int, int], tuple[int, int]]:
    x, y, wide, deep = rack.box
    return {
        "south": ((x, y), (x + wide, y)),
        "north": ((x, y + deep), (x + wide, y + deep)),
        "west": ((x, y), (x, y + deep)),
        "east": ((x + wide, y), (x + wide, y + deep)),
    }[rack.front]


def _known(entity: DXFEntity, name: str, title: str) -> None:
    entity.set_xdata(APPLICATION, [(1000, piece) for piece in (name, *_pieces(title))])


def _pieces(text: str) -> Iterator[str]:
    """What extended data holds: texts of at most 255 bytes."""
    yield from (text[at : at + 60] for at in range(0, len(text), 60))


def _text(
    space: Modelspace,
    layer: str,
    text: str,
    middle: tuple[float, float, float],
    room: float,
    turn: int = 0,
    size: int = _LETTERS_MM,
) -> None:
    """A text about its middle, shrunk into its room."""
    from ezdxf.enums import TextEntityAlignment

    words = _inert(shown(text))
    height = max(_LEAST_LETTERS_MM, min(size, int(room / (_WIDE * max(len(text), 1)))))
    entity = space.add_text(words, height=height, rotation=turn, dxfattribs={"layer": layer})
    entity.set_placement(middle, align=TextEntityAlignment.MIDDLE_CENTER)


def _inert(text: str) -> str:
    """No codes for CAD programs: `%%` begins one, and `^` a control character unless a blank follows."""
    return text.replace("%%", "%%%%%%").replace("^", "^ ")


def _rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue
