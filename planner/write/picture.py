"""The floor plan as files: SVG and PDF of the same picture."""

from __future__ import annotations

from pathlib import Path

from planner.floorplan import Drawing, drawing, highlight_of
from planner.floorplan.inked import picture_of
from planner.plan import Plan
from planner.write.drawn import PicturePage, layers_of
from planner.write.page import MM, Ink, Page, new_canvas
from planner.write.svg import picture_svg


def floor_plan_of(plan: Plan, highlight: str | None = None) -> Drawing:
    """Raises UnknownMarkError for a highlight that the plan does not have."""
    return drawing(plan, highlight_of(plan, highlight) if highlight else None)


def floor_plan_svg(plan: Plan, highlight: str | None = None) -> str:
    """The floor plan of a plan, `floor-plan.svg`. Raises UnknownMarkError for a highlight that the plan does not have."""
    return svg_of(floor_plan_of(plan, highlight))


def svg_of(drawn: Drawing) -> str:
    """A drawing as the text of an SVG file."""
    return picture_svg(picture_of(drawn), "floor-plan", drawn.identity.inputs_sha256)


def pdf_of(drawn: Drawing, path: Path) -> None:
    """A drawing as a PDF of one page, the size of its sheet."""
    picture, identity = picture_of(drawn), drawn.identity
    size = (picture.width * MM, picture.height * MM)
    canvas = new_canvas(
        path, size, f"{identity.project} {identity.revision} floor plan", f"inputs {identity.inputs_sha256}"
    )
    page = Page(Ink(canvas), size)
    PicturePage(page, picture).draw(layers_of(picture))
    page.put(canvas)
    canvas.save()
