"""Drawings as SVG: written with f-strings, since a hall of racks and trays has tens of thousands of shapes.

The viewBox is in millimetres of the room, with x as in the room and y turned over; width and height are those of the
paper, so that it prints to scale. Nothing in a file runs or points outside of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from planner.floorplan import Area, Box, Drawing, Line, Named, Pathway, Rack, Text, drawing, highlight_of
from planner.floorplan.shapes import Ring
from planner.plan import Plan

FONT: Final = "DejaVu Sans, Arial, sans-serif"

# What XML 1.0 has no way to hold, not even as a reference.
_IMPOSSIBLE: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# Fills by class, from light to dark also in grey: ground, hatching (as a path on a tile of 2 mm of paper), its colour.
_FILLS: Final = {
    "empty": ("#ffffff", "", ""),
    "low": ("#d9ecd0", "", ""),
    "warm": ("#f7dc7c", "M-.5 .5L.5 -.5M0 2L2 0M1.5 2.5L2.5 1.5", "#8a6d00"),
    "high": ("#ee9a4d", "M0 2L2 0M0 0L2 2", "#7a3b00"),
    "over": ("#8e1b1b", "M0 1H2", "#e9b4b4"),
    "unknown": ("#ffffff", "M1 .6V1.4M.6 1H1.4", "#000000"),
}


def floor_plan_svg(plan: Plan, highlight: str | None = None) -> str:
    """The floor plan of a plan, `floor-plan.svg`. Raises UnknownMarkError for a highlight that the plan does not have."""
    return svg_of(drawing(plan, highlight_of(plan, highlight) if highlight else None))


def svg_of(picture: Drawing) -> str:
    """A drawing as the text of an SVG file."""
    sheet = picture.sheet
    west, top = sheet.at(0, 0)
    wide, high = sheet.room(sheet.width_mm), sheet.room(sheet.height_mm)
    title = f"Floor plan of {picture.identity.project}, revision {picture.identity.revision or 'none'}"
    if picture.identity.draft:
        title = f"DRAFT: {title}"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="floor-plan" width="{sheet.width_mm}mm" '
        f'height="{sheet.height_mm}mm" viewBox="{west} {-top} {wide} {high}" role="img" '
        f'aria-labelledby="floor-plan-title floor-plan-description" data-scale="{sheet.scale}" '
        f'data-inputs-sha256="{escaped(picture.identity.inputs_sha256)}">'
    )
    parts = [
        head,
        f'<title id="floor-plan-title">{escaped(title)}</title>',
        f'<desc id="floor-plan-description">{escaped(picture.description)}</desc>',
        f"<style>{_style(sheet.scale)}</style>",
        f"<defs>{''.join(_patterns(sheet.scale))}</defs>",
        f'<rect class="paper" x="{west}" y="{-top}" width="{wide}" height="{high}"/>',
        *_layer("room", (f'<path class="room" d="{_ring(ring)}"/>' for ring in picture.walls)),
        *_layer("grid", _lines(picture.grid)),
        *_layer("obstacles", (_named("obstacle", thing) for thing in picture.obstacles)),
        *(_layer("openings", (_named("opening", thing) for thing in picture.openings)) if picture.openings else ()),
        *_layer("racks", map(_rack, picture.racks)),
        *_layer("pathways", map(_pathway, picture.pathways)),
        *_layer("risers", (_named("riser", thing) for thing in picture.risers)),
        *(_draft(picture) if picture.identity.draft else ()),
        *(_layer("marks", _marks(picture)) if picture.marks else ()),
        *_layer("plates", (f'<path class="{area.kind}" d="{_ring(area.ring)}"/>' for area in picture.plates)),
        *_layer("labels", map(_text, picture.labels)),
        *_layer("furniture", _furniture(picture.furniture)),
        *_layer("notes", map(_text, picture.notes)),
        "</svg>\n",
    ]
    return "\n".join(parts)


def escaped(text: str) -> str:
    """A text fit for an element or a quoted attribute; what XML cannot hold becomes its code."""
    if _IMPOSSIBLE.search(text):
        text = _IMPOSSIBLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    if text.isalnum():
        return text
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    # A reader turns line ends and tabs in an attribute into blanks unless they are references.
    return text.replace("\t", "&#9;").replace("\n", "&#10;").replace("\r", "&#13;")


def _layer(name: str, shapes: Iterable[str]) -> Iterator[str]:
    yield f'<g id="floor-plan-{name}">'
    yield from shapes
    yield "</g>"


def _ring(points: Ring) -> str:
    return "M" + "L".join([f"{x} {-y}" for x, y in points]) + "Z"


def _box(kind: str, box: Box) -> str:
    x, y, wide, high = box
    return f'<rect class="{kind}" x="{x}" y="{-y - high}" width="{wide}" height="{high}"/>'


def _lines(lines: Iterable[Line]) -> Iterator[str]:
    for line in lines:
        yield f'<path class="{line.kind}" d="M{"L".join([f"{x} {-y}" for x, y in line.points])}"/>'


def _furniture(shapes: Iterable[Area | Line]) -> Iterator[str]:
    for shape in shapes:
        if isinstance(shape, Area):
            yield f'<path class="{shape.kind}" d="{_ring(shape.ring)}"/>'
        else:
            yield from _lines([shape])


def _named(kind: str, thing: Named) -> str:
    return (
        f'<g class="{kind}" data-{kind}="{escaped(thing.name)}"><title>{escaped(thing.title)}</title>'
        f'<path d="{_ring(thing.ring)}"/></g>'
    )


def _rack(rack: Rack) -> str:
    name, row, _, title, box, bar = rack
    return (
        f'<g class="rack" data-rack="{escaped(name)}" data-row="{escaped(row)}" data-front="{rack.front}">'
        f"<title>{escaped(title)}</title>{_box('footprint', box)}{_box('bar', bar)}</g>"
    )


def _pathway(pathway: Pathway) -> str:
    strips = []
    for fill, start, stop, ppm, cables, ring in pathway.stretches:
        share = f' data-fill-ppm="{ppm}"' if ppm >= 0 else ""
        strips.append(
            f'<path class="fill-{fill}" data-from-mm="{start}" data-to-mm="{stop}" data-cables="{cables}"{share} '
            f'd="{_ring(ring)}"/>'
        )
    return (
        f'<g class="pathway" data-pathway="{escaped(pathway.name)}" data-height-mm="{pathway.height_mm}" '
        f'data-carries="{pathway.carries}"><title>{escaped(pathway.title)}</title>{"".join(strips)}'
        f'<path class="pathway-outline" d="{_ring(pathway.outline)}"/></g>'
    )


def _text(text: Text) -> str:
    kind, x, y, size, lines, anchor, turn, detail = text
    turned = f' transform="rotate({-turn} {x} {-y})"' if turn else ""
    more = f'<tspan class="detail">{escaped(detail)}</tspan>' if detail else ""
    if len(lines) == 1:
        words = escaped(lines[0])
    else:
        step = round(1.2 * size)
        words = "".join(
            f'<tspan x="{x}" dy="{step if number else 0}">{escaped(line)}</tspan>' for number, line in enumerate(lines)
        )
    return (
        f'<text class="{kind}" x="{x}" y="{-y}" font-size="{size}" text-anchor="{anchor}"{turned}>{words}{more}</text>'
    )


def _marks(picture: Drawing) -> Iterator[str]:
    """White below black, so that a mark is seen on every ground, in grey as well."""
    for kind in ("mark-ground", "mark"):
        yield from (f'<path class="{kind}" d="{_ring(area.ring)}"/>' for area in picture.marks)


def _draft(picture: Drawing) -> Iterator[str]:
    """The word across the room, behind all labels."""
    sheet = picture.sheet
    xs, ys = [x for x, _ in picture.outline] or [0], [y for _, y in picture.outline] or [0]
    x, y = (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2
    size = min(max(xs) - min(xs), 2 * (max(ys) - min(ys))) // 4 or sheet.room(20)
    yield f'<text class="draft" x="{x}" y="{-y + size // 3}" font-size="{size}" transform="rotate(-20 {x} {-y})">DRAFT</text>'


def _patterns(scale: int) -> Iterator[str]:
    for name, (ground, hatch, colour) in _FILLS.items():
        if hatch:
            yield (
                f'<pattern id="floor-plan-fill-{name}" width="2" height="2" patternUnits="userSpaceOnUse" '
                f'patternTransform="scale({scale})"><rect width="2" height="2" fill="{ground}"/>'
                f'<path d="{hatch}" fill="none" stroke="{colour}" stroke-width=".22"/></pattern>'
            )


def _style(scale: int) -> str:
    """The look of every kind of shape; each selector bound to our drawing, so that a page may hold several."""

    def mm(paper_mm: float) -> str:
        return f"{paper_mm * scale:g}"

    def line(paper_mm: float, colour: str = "#000") -> str:
        return f"stroke:{colour};stroke-width:{mm(paper_mm)}"

    rules = {
        "text": f"font-family:{FONT};fill:#000;unicode-bidi:isolate;white-space:pre",
        ".paper": "fill:#fff",
        ".room": f"fill:#fbfbfa;{line(0.5)}",
        ".grid": f"fill:none;{line(0.1, '#c9d3dc')}",
        ".obstacle": f"fill:#b5b5b5;{line(0.18)}",
        ".opening": f"fill:#fff;stroke-dasharray:{mm(0.8)};{line(0.25)}",
        ".footprint,path.rack": f"fill:#fff;{line(0.2, '#222')}",
        ".bar": "fill:#12335c",
        **{
            f".fill-{name}": f"fill:{f'url(#floor-plan-fill-{name})' if hatch else ground};fill-opacity:.85"
            for name, (ground, hatch, _) in _FILLS.items()
        },
        ".fill-empty": "fill:#fff;fill-opacity:.7",
        ".pathway-outline": f"fill:none;{line(0.18, '#333')}",
        ".mark-ground": f"fill:none;stroke-linejoin:round;{line(1.8, '#fff')}",
        ".mark": f"fill:none;stroke-linejoin:round;{line(1.0)}",
        ".riser": f"fill:#fff;{line(0.35)}",
        ".plate": f"fill:#fff;{line(0.15)}",
        ".plate-over": f"fill:{_FILLS['over'][0]};{line(0.15)}",
        ".rack-name,.row-name,.pathway-name,.share,.share-over,.heading,.title,.strong,.draft-band": "font-weight:bold",
        ".share-over": "fill:#fff",
        ".detail": "font-weight:normal",
        ".rack-name,.rack-contents,.row-name,.pathway-name,.obstacle-name": (
            f"paint-order:stroke;stroke-linejoin:round;{line(0.55, '#fff')}"
        ),
        ".row-name": "fill:#12335c",
        ".aisle": "fill:#12335c;font-style:italic",
        ".figure": "fill:#44515c",
        "path.dimension,.extension,.rule": f"fill:none;{line(0.13)}",
        ".frame": f"fill:none;{line(0.35)}",
        ".bar-dark,.arrow-dark": f"fill:#000;{line(0.13)}",
        ".bar-light,.arrow-light": f"fill:#fff;{line(0.13)}",
        "path.draft-band": "fill:#000",
        "text.draft-band": "fill:#fff",
        ".draft": "fill:#b00020;fill-opacity:.13;font-weight:bold;text-anchor:middle",
        ".mono": "font-family:DejaVu Sans Mono,monospace",
    }
    scoped = (
        ",".join(f".floor-plan {part}" for part in selectors.split(",")) + f"{{{look}}}"
        for selectors, look in rules.items()
    )
    return "\n" + "\n".join(scoped) + "\n"
