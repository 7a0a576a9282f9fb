"""One cable's way as SVG: the room from above with the way in it, the way unrolled with its heights, and its steps.

Nothing in the file runs or points outside of it; the same plan gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import dist
from typing import Final, NamedTuple

from planner.explain.walk import Step, Walk
from planner.plan import Plan
from planner.sketches.shapes import WIDTH as SHEET_WIDTH
from planner.sketches.shapes import Sketch
from planner.units import metres, mm_half_up
from planner.write.sketches import height_of_sketches, svg_of_sketches
from planner.write.svg import FONT, escaped

WIDTH: Final = 1000
MARGIN: Final = 30
PLAN_HEIGHT: Final = 460
STRIP_HEIGHT: Final = 200
LINE: Final = 17
AROUND_MM: Final = 700
"""What is shown of the room around the way."""

COLOURS: Final = {
    "a_in_rack": "#1f5fa8", "a_rise": "#3d9a50", "pathway": "#c8500a", "z_rise": "#3d9a50", "z_in_rack": "#1f5fa8",
}  # fmt: skip
NAMES: Final = {
    "a_in_rack": "a, in the rack", "a_rise": "a, rise", "pathway": "pathway", "z_rise": "z, rise",
    "z_in_rack": "z, in the rack",
}  # fmt: skip

_STYLE: Final = (
    f".route text{{font-family:{FONT};font-size:12px;fill:#000}}.route .small{{font-size:10px;fill:#44515c}}"
    ".route .halo{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}"
    ".route .name{font-weight:bold}.route .head{font-size:15px;font-weight:bold}"
)


class _Frame(NamedTuple):
    """From millimetres of the room to the paper."""

    west: float
    north: float
    scale: float
    left: float
    top: float

    def at(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        return self.left + (x_mm - self.west) * self.scale, self.top + (self.north - y_mm) * self.scale


def route_svg(plan: Plan, link_id: str, walk: Walk, below: Sequence[Sketch] = ()) -> str:
    """The drawing of one link's way; below: sheets that follow under it, such as its light path."""
    seen = _seen(walk)
    west, south, east, north = seen
    scale = min((WIDTH - 2 * MARGIN) / (east - west), PLAN_HEIGHT / (north - south))
    wide, high = (east - west) * scale, (north - south) * scale
    frame = _Frame(west, north, scale, (WIDTH - wide) / 2, MARGIN + 24)
    strip_top = round(MARGIN + 24 + high + 50)
    list_top = strip_top + STRIP_HEIGHT + 56
    way_height = list_top + LINE * (len(walk.steps) + 1) + MARGIN
    height = way_height + (round(height_of_sketches(below) * WIDTH / SHEET_WIDTH) if below else 0)
    identity = plan.identity
    size = f'width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
    origin = escaped(f"{identity.project} {identity.revision}".strip() + f", inputs {identity.inputs_sha256[:12]}")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="route" {size} role="img" aria-labelledby="route-title">',
        f'<title id="route-title">{escaped(f"The way of {link_id}")}</title>',
        f"<style>{_STYLE}</style>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text class="head" x="{MARGIN}" y="{MARGIN + 4}">{escaped(link_id)}</text>',
        f'<text class="small" x="{WIDTH - MARGIN}" y="{MARGIN + 4}" text-anchor="end">{origin}</text>',
        *_from_above(plan, walk, frame, seen),
        *_unrolled(walk, strip_top),
        *_listed(walk, list_top),
    ]
    if below:
        inside = f'x="0" y="{way_height}" width="{WIDTH}" height="{height - way_height}"'
        parts.append(svg_of_sketches(below, identity, inside).rstrip("\n"))
    return "\n".join((*parts, "</svg>\n"))


def _mm(um: float) -> float:
    return um / 1000


def _path(points: list[tuple[float, float]], *, closed: bool = False) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + ("Z" if closed else "")


NAME_PX: Final = 8
SMALL_PX: Final = 5.5
"""Width of a letter of a rack's name, and of a small one."""

_Seen = tuple[float, float, float, float]
"""West, south, east, north of what is shown."""


def _seen(walk: Walk) -> _Seen:
    xs, ys = ([_mm(p[axis]) for p in walk.points_um] for axis in (0, 1))
    return min(xs) - AROUND_MM, min(ys) - AROUND_MM, max(xs) + AROUND_MM, max(ys) + AROUND_MM


def _from_above(plan: Plan, walk: Walk, frame: _Frame, seen: _Seen) -> Iterator[str]:
    west, south, east, north = seen
    wide, high = (east - west) * frame.scale, (north - south) * frame.scale
    yield f'<clipPath id="route-plan"><rect x="{frame.left:.1f}" y="{frame.top:.1f}" width="{wide:.1f}" height="{high:.1f}"/></clipPath>'
    yield '<g clip-path="url(#route-plan)">'
    yield from _room(plan, frame, seen)
    for step in walk.steps:
        points = [frame.at(_mm(x), _mm(y)) for x, y, _ in step.points_um]
        if len(set(points)) > 1:
            yield f'<path d="{_path(points)}" fill="none" stroke="{COLOURS[step.term]}" stroke-width="3.5" stroke-linejoin="round"/>'
    yield from _words(plan, frame, seen)
    yield "</g>"
    yield f'<rect x="{frame.left:.1f}" y="{frame.top:.1f}" width="{wide:.1f}" height="{high:.1f}" fill="none" stroke="#8d99a3"/>'
    for letter, point in (("a", walk.points_um[0]), ("z", walk.points_um[-1])):
        x, y = frame.at(_mm(point[0]), _mm(point[1]))
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="8" fill="#fff" stroke="#000"/><text class="name" x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">{letter}</text>'
    yield from _scale_bar(frame, wide, high)


def _scale_bar(frame: _Frame, wide: float, high: float) -> Iterator[str]:
    whole = next((m for m in (20, 10, 5, 2, 1) if m * 1000 * frame.scale < wide / 3), 1)
    long = whole * 1000 * frame.scale
    x, y = frame.left + wide - long, frame.top + high + 14
    yield f'<path d="M{x:.1f} {y - 4:.1f}v8M{x:.1f} {y:.1f}h{long:.1f}m0 -4v8" stroke="#000" fill="none"/>'
    yield f'<text class="small" x="{x - 6:.1f}" y="{y + 4:.1f}" text-anchor="end">{whole} m, north up</text>'


def _is_near(points: list[tuple[float, float]], seen: _Seen) -> bool:
    west, south, east, north = seen
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs) < east and max(xs) > west and min(ys) < north and max(ys) > south


def _pathway_lines(plan: Plan, seen: _Seen) -> Iterator[tuple[int, list[tuple[float, float]]]]:
    lines: dict[int, list[tuple[float, float]]] = {}
    for point in plan.pathway_points:
        lines.setdefault(point.pathway, []).append((_mm(point.x_um), _mm(point.y_um)))
    return ((number, line) for number, line in lines.items() if _is_near(line, seen))


def _racks(plan: Plan, seen: _Seen) -> Iterator[tuple[str, float, float, float, float]]:
    for rack in plan.racks:
        x, y, wide, deep = (_mm(v) for v in (rack.west_um, rack.south_um, rack.size_x_um, rack.size_y_um))
        if _is_near([(x, y), (x + wide, y + deep)], seen):
            yield rack.name, x, y, wide, deep


def _room(plan: Plan, frame: _Frame, seen: _Seen) -> Iterator[str]:
    """Walls, obstacles, racks and pathways, pale behind the way; what lies outside the picture is left out."""
    rings: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for corner in plan.room:
        rings.setdefault((corner.kind, corner.name), []).append((_mm(corner.x_um), _mm(corner.y_um)))
    fills = {"outline": "#fbfbfa", "obstacle": "#b5b5b5", "opening": "#fff"}
    for (kind, _), ring in rings.items():
        yield f'<path d="{_path([frame.at(*p) for p in ring], closed=True)}" fill="{fills[kind]}" stroke="#44515c"/>'
    for _, x, y, wide, deep in _racks(plan, seen):
        left, top = frame.at(x, y + deep)
        size = f'width="{wide * frame.scale:.1f}" height="{deep * frame.scale:.1f}"'
        yield f'<rect x="{left:.1f}" y="{top:.1f}" {size} fill="#fff" stroke="#555"/>'
    for number, line in _pathway_lines(plan, seen):
        width = max(3.0, _mm(plan.pathways[number].width_um) * frame.scale)
        drawn = _path([frame.at(*p) for p in line])
        yield f'<path d="{drawn}" fill="none" stroke="#d8cfa8" stroke-opacity=".6" stroke-width="{width:.1f}"/>'


def _words(plan: Plan, frame: _Frame, seen: _Seen) -> Iterator[str]:
    """Names of racks, obstacles and pathways, these with their heights, over everything else."""
    west, south, east, north = seen
    for name, x, y, wide, deep in _racks(plan, seen):
        left, right = max(x, west), min(x + wide, east)
        low, high = max(y, south), min(y + deep, north)
        if right - left < wide / 2 or high - low < deep / 2 or wide * frame.scale < NAME_PX * len(name):
            continue  # a sliver at the picture's edge, or narrower than its name
        at_x, at_y = frame.at((left + right) / 2, (low + high) / 2)
        yield f'<text class="name halo" x="{at_x:.1f}" y="{at_y + 4:.1f}" text-anchor="middle">{escaped(name)}</text>'
    for number, line in _pathway_lines(plan, seen):
        inside = [p for p in _halfway(line) if west < p[0] < east and south < p[1] < north]
        if inside:
            x, y = frame.at(*inside[0])
            name = f"{plan.pathways[number].name}, {_heights(plan, number)}"
            # Kept inside the frame, which cuts off what leaves it.
            half = SMALL_PX * len(name) / 2
            (first, _), (last, _) = frame.at(west, south), frame.at(east, south)
            x = min(max(x, first + half), last - half)
            yield f'<text class="small halo" x="{x:.1f}" y="{y - 6:.1f}" text-anchor="middle">{escaped(name)}</text>'
    for name, ring in _obstacles(plan):
        x, y = (sum(p[axis] for p in ring) / len(ring) for axis in (0, 1))
        if west < x < east and south < y < north:
            at_x, at_y = frame.at(x, y)
            yield f'<text class="small halo" x="{at_x:.1f}" y="{at_y + 4:.1f}" text-anchor="middle">{escaped(name)}</text>'


def _heights(plan: Plan, pathway: int) -> str:
    """The lowest and the highest height of a pathway's floor, in metres."""
    heights = sorted({point.z_um for point in plan.pathway_points if point.pathway == pathway})
    low, high = (f"{heights[n] / 1_000_000:.2f}" for n in (0, -1))
    return f"{low} m" if low == high else f"{low} to {high} m"


def _obstacles(plan: Plan) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    rings: dict[str, list[tuple[float, float]]] = {}
    for corner in plan.room:
        if corner.kind == "obstacle":
            rings.setdefault(corner.name, []).append((_mm(corner.x_um), _mm(corner.y_um)))
    yield from rings.items()


def _halfway(line: list[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Places on a line, from its middle outwards along its longest piece."""
    a, b = max(pairwise(line), key=lambda piece: dist(*piece))
    for share in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9):
        yield a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _unrolled(walk: Walk, top: float) -> Iterator[str]:
    """The way laid out straight: to the right how far it goes in plan, up its height above the floor."""
    heights = [_mm(z) for step in walk.steps for _, _, z in step.points_um]
    low, high = min(0.0, *heights), max(heights)
    whole = sum(_in_plan_mm(step) for step in walk.steps) or 1.0
    left, right = MARGIN + 46, WIDTH - MARGIN
    across, up = (right - left) / whole, STRIP_HEIGHT / ((high - low) or 1.0)

    def at(along: float, z: float) -> tuple[float, float]:
        return left + along * across, top + (high - z) * up

    yield f'<text class="name" x="{MARGIN}" y="{top - 12:.1f}">heights along the way</text>'
    for mark in dict.fromkeys(round(z) for z in (0.0, low, high)):
        _, y = at(0, mark)
        name = "floor" if mark == 0 else f"{metres(mm_half_up(round(mark * 1000)))[:-1]} m"
        dash = "" if mark == 0 else ' stroke-dasharray="3 4"'
        yield f'<path d="M{left:.1f} {y:.1f}H{right:.1f}" stroke="#8d99a3"{dash}/>'
        yield f'<text class="small" x="{left - 6:.1f}" y="{y + 3:.1f}" text-anchor="end">{name}</text>'
    along = 0.0
    for number, step in enumerate(walk.steps, start=1):
        points = [at(along, _mm(step.points_um[0][2]))]
        for (x0, y0, _), (x1, y1, z1) in pairwise(step.points_um):
            along += _mm(dist((x0, y0), (x1, y1)))
            points.append(at(along, _mm(z1)))
        yield f'<path d="{_path(points)}" fill="none" stroke="{COLOURS[step.term]}" stroke-width="3" stroke-linejoin="round"/>'
        x, y = _middle(points)
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="8" fill="#fff" stroke="{COLOURS[step.term]}"/><text class="small" x="{x:.1f}" y="{y + 3.5:.1f}" text-anchor="middle">{number}</text>'


def _middle(points: list[tuple[float, float]]) -> tuple[float, float]:
    """Halfway along a line on paper."""
    rest = sum(dist(a, b) for a, b in pairwise(points)) / 2
    for a, b in pairwise(points):
        piece = dist(a, b)
        if piece and rest <= piece:
            return a[0] + (b[0] - a[0]) * rest / piece, a[1] + (b[1] - a[1]) * rest / piece
        rest -= piece
    return points[-1]


def _in_plan_mm(step: Step) -> float:
    return sum(_mm(dist(a[:2], b[:2])) for a, b in pairwise(step.points_um))


def _listed(walk: Walk, top: float) -> Iterator[str]:
    """The steps in words, each with its number, its term and its length."""
    for number, step in enumerate(walk.steps, start=1):
        y = top + LINE * (number - 1)
        yield f'<circle cx="{MARGIN + 8}" cy="{y - 4:.1f}" r="8" fill="#fff" stroke="{COLOURS[step.term]}"/>'
        yield f'<text class="small" x="{MARGIN + 8}" y="{y - 0.5:.1f}" text-anchor="middle">{number}</text>'
        yield f'<text x="{MARGIN + 26}" y="{y:.1f}" style="fill:{COLOURS[step.term]}">{NAMES[step.term]}</text>'
        yield f'<text x="{MARGIN + 200}" y="{y:.1f}" text-anchor="end">{step.length_um / 1000:,.2f}</text>'
        yield f'<text x="{MARGIN + 214}" y="{y:.1f}">{escaped(step.words)}</text>'
    total = sum(step.length_um for step in walk.steps) / 1000
    y = top + LINE * len(walk.steps) + 3
    yield f'<text class="name" x="{MARGIN + 200}" y="{y:.1f}" text-anchor="end">{total:,.2f}</text>'
    yield f'<text class="name" x="{MARGIN + 214}" y="{y:.1f}">mm in all, before each term is rounded</text>'
