"""The floor plan as a picture: its things in layers of inked shapes, from back to front, for every format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from planner.floorplan.lettering import width
from planner.floorplan.looks import AREAS, WORDS
from planner.floorplan.shapes import Area, Box, Drawing, Line, Named, Pathway, Rack, Ring, Text
from planner.sketches.shapes import Block, Group, Inked, Layer, Lettering, Outline, Picture, Points


def picture_of(drawing: Drawing) -> Picture:
    """Millimetres of the room, with y turned over, since paper counts it downwards."""
    sheet = drawing.sheet
    left, top = sheet.at(0, 0)
    title = f"Floor plan of {drawing.identity.project}, revision {drawing.identity.revision or 'none'}"
    return Picture(
        title=f"DRAFT: {title}" if drawing.identity.draft else title,
        description=drawing.description,
        width=sheet.width_mm,
        height=sheet.height_mm,
        unit=sheet.scale,
        left=left,
        top=-top,
        layers=tuple(Layer(name, tuple(shapes)) for name, shapes in _layers(drawing)),
    )


def _layers(drawing: Drawing) -> Iterator[tuple[str, Iterable[Inked]]]:
    yield "room", (_closed("room", ring) for ring in drawing.walls)
    yield "grid", map(_line, drawing.grid)
    yield "obstacles", (_named("obstacle", thing) for thing in drawing.obstacles)
    if drawing.openings:
        yield "openings", (_named("opening", thing) for thing in drawing.openings)
    yield "racks", map(_rack, drawing.racks)
    yield "pathways", map(_pathway, drawing.pathways)
    yield "risers", (_named("riser", thing) for thing in drawing.risers)
    if drawing.identity.draft:
        yield "draft", (_draft(drawing),)
    if drawing.marks:
        # White below black, so that a mark is seen on every ground, in grey as well.
        yield "marks", (_mark(f"{mark.kind}{under}", mark) for under in ("-ground", "") for mark in drawing.marks)
    yield "plates", (_closed(area.kind, area.ring) for area in drawing.plates)
    yield "labels", map(_text, drawing.labels)
    yield (
        "furniture",
        (_line(one) if isinstance(one, Line) else _closed(one.kind, one.ring) for one in drawing.furniture),
    )
    yield "notes", map(_text, drawing.notes)


def _points(ring: Ring) -> Points:
    return tuple([(x, -y) for x, y in ring])


def _closed(kind: str, ring: Ring) -> Outline:
    return Outline(AREAS[kind], _points(ring))


def _line(line: Line) -> Outline:
    return Outline(AREAS[line.kind], _points(line.points), is_closed=False)


def _mark(kind: str, mark: Area | Line) -> Outline:
    if isinstance(mark, Line):
        return Outline(AREAS[kind], _points(mark.points), is_closed=False)
    return Outline(AREAS[kind], _points(mark.ring))


def _block(kind: str, box: Box) -> Block:
    return Block(AREAS[kind], box.x, -box.y - box.height, box.width, box.height)


def _named(kind: str, thing: Named) -> Group:
    return Group(kind, (_closed(kind, thing.ring),), thing.title, ((kind, thing.name),))


def _rack(rack: Rack) -> Group:
    data = (("rack", rack.name), ("row", rack.row), ("front", rack.front))
    return Group("rack", (_block("footprint", rack.box), _block("bar", rack.bar)), rack.title, data)


def _pathway(pathway: Pathway) -> Group:
    strips = []
    for fill, start, stop, ppm, cables, ring in pathway.stretches:
        data = (("from-mm", str(start)), ("to-mm", str(stop)), ("cables", str(cables)))
        share = (("fill-ppm", str(ppm)),) if ppm >= 0 else ()
        strips.append(Outline(AREAS[f"fill-{fill}"], _points(ring), data=(*data, *share)))
    known = (("pathway", pathway.name), ("height-mm", str(pathway.height_mm)), ("carries", pathway.carries))
    return Group("pathway", (*strips, _closed("pathway-outline", pathway.outline)), pathway.title, known)


def _text(text: Text) -> Lettering:
    look = WORDS[text.kind]
    longest = max(width(line, text.size, bold=look.bold) for line in text.lines)
    room = longest + width(text.detail, text.size)
    return Lettering(look, text.x, -text.y, text.size, text.lines, text.anchor, text.turn, text.detail, room)


def _draft(drawing: Drawing) -> Lettering:
    """The word across the room, behind all labels."""
    xs, ys = [x for x, _ in drawing.outline] or [0], [y for _, y in drawing.outline] or [0]
    x, y = (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2
    size = min(max(xs) - min(xs), 2 * (max(ys) - min(ys))) // 4 or drawing.sheet.room(20)
    return Lettering(WORDS["draft"], x, -y + size // 3, size, ("DRAFT",), "middle", 20)
