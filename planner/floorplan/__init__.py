"""The floor plan as shapes: from a plan to what a writer draws, to scale, in millimetres of the room."""

from __future__ import annotations

from collections.abc import Iterator

from planner.floorplan.highlight import Highlight, UnknownMarkError, highlight_of, named
from planner.floorplan.labels import Writer
from planner.floorplan.panel import surround
from planner.floorplan.paper import MARGIN, bounds, dimensions_of, grid_of, sheet_for
from planner.floorplan.shapes import Area, Box, Drawing, Line, Named, Pathway, Rack, Sheet, Stretch, Text
from planner.floorplan.standing import (
    contents_of,
    footprint,
    obstacles_of,
    openings_of,
    outline_of,
    racks_of,
    risers_of,
    walls_of,
)
from planner.floorplan.strips import Limits, pathways_of
from planner.names import counted
from planner.plan import Plan


def drawing(plan: Plan, highlight: Highlight | None = None) -> Drawing:
    """The room of a plan on a sheet of paper, with everything in it to scale and in words.

    highlight: racks and pathways that are marked, and named above the room.
    """
    walls, obstacles, risers = walls_of(plan), obstacles_of(plan), risers_of(plan)
    outline = outline_of(walls)
    fill = plan.policy.fill
    limits = Limits(*sorted((fill.reroute, fill.warn, fill.fail)))
    pathways = pathways_of(plan, limits)
    rings = [outline, *(o.ring for o in obstacles), *(p.outline for p in pathways), *(r.ring for r in risers)]
    footprints, contents = [footprint(rack) for rack in plan.racks], contents_of(plan)
    rings += [((x, y), (x + wide, y + deep)) for x, y, wide, deep in footprints]
    extent = bounds(rings)
    sheet = sheet_for(extent)
    racks = racks_of(plan, footprints, contents, sheet)

    grid, figures = grid_of(bounds([outline]) if outline else extent, sheet)
    dimensions, lengths = dimensions_of(outline, extent, sheet)
    writer = Writer(sheet, (extent.x, extent.y, extent.x + extent.width, extent.y + extent.height))
    writer.risers(risers)
    writer.racks(racks, contents, pathways)
    writer.rows(racks, obstacles)
    writer.pathways(pathways)
    writer.edges(outline)

    present = {"obstacle": obstacles, "riser": risers, "short": writer.has_short_names}
    marks = {name for name, there in present.items() if there}
    marks |= {stretch.fill for pathway in pathways for stretch in pathway.stretches}
    paper = surround(plan, sheet, pathways, limits, frozenset(marks))
    return Drawing(
        identity=plan.identity,
        sheet=sheet,
        description=_described(plan, extent, sheet),
        grid=tuple(grid),
        outline=outline,
        walls=walls,
        openings=openings_of(plan),
        obstacles=obstacles,
        racks=racks,
        pathways=pathways,
        risers=risers,
        marks=tuple(highlight.marks(racks, pathways)) if highlight else (),
        plates=tuple(writer.plates),
        labels=tuple(writer.texts),
        furniture=(*dimensions, *paper.shapes),
        notes=(*figures, *lengths, *paper.texts, *_marked(highlight, sheet)),
    )


def _marked(highlight: Highlight | None, sheet: Sheet) -> Iterator[Text]:
    """What is marked, at the upper edge of the sheet."""
    if highlight:
        x, y = sheet.at(MARGIN + 2, MARGIN - 1.5)
        yield Text("strong", x, y, sheet.room(3), (highlight.title,))


def _described(plan: Plan, extent: Box, sheet: Sheet) -> str:
    size = f"{extent.width / 1000:.2f} m by {extent.height / 1000:.2f} m"
    return (
        f"Room of {size} at 1:{sheet.scale} on {sheet.name} landscape, north up. {counted(len(plan.racks), 'rack')}, "
        f"{counted(len(plan.pathways), 'pathway')}, {counted(len(plan.cables), 'cable')}. Inputs {plan.identity.inputs_sha256}."
    )


__all__ = [
    "Area",
    "Box",
    "Drawing",
    "Highlight",
    "Line",
    "Named",
    "Pathway",
    "Rack",
    "Sheet",
    "Stretch",
    "Text",
    "UnknownMarkError",
    "drawing",
    "highlight_of",
    "named",
]
