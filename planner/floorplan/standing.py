"""What stands in the room: racks with their contents in few words, rows, obstacles, risers, the outline."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from typing import Any, Final, NamedTuple

from pydantic import ValidationError

from planner.floorplan.lettering import SMALLEST, Lettering, lettered
from planner.floorplan.shapes import Box, Named, Point, Rack, Ring, Sheet
from planner.names import natural_key
from planner.plan import DeviceRow, Plan, RackRow
from planner.project import Obstacle, Opening, RiserRun
from planner.units import metres, mm_half_up

RISER_MM: Final = 200
"""Side of the square that marks a riser, whose section the plan does not know."""


def racks_of(plan: Plan, footprints: list[Box], inside: list[tuple[str, ...]], sheet: Sheet) -> tuple[Rack, ...]:
    """Every rack's footprint; the bar marks its front, the cold-aisle side."""
    racks = []
    for number, (row, box) in enumerate(zip(plan.racks, footprints, strict=True)):
        words = ", ".join(inside[number]) or "empty"
        title = f"{row.name}: row {row.row}, {row.type}, {row.units} U, front {row.front}, {words}"
        title += f", phase {row.phase}" if row.phase else ""
        racks.append(Rack(row.name, row.row, row.front, title, box, _bar(box, row.front, sheet)))
    return tuple(racks)


def footprint(row: RackRow) -> Box:
    """A rack's footprint; edges, not sizes, are rounded, so that racks side by side stay side by side."""
    west, south = mm_half_up(row.west_um), mm_half_up(row.south_um)
    east, north = mm_half_up(row.west_um + row.size_x_um), mm_half_up(row.south_um + row.size_y_um)
    return Box(west, south, east - west, north - south)


def _bar(box: Box, front: str, sheet: Sheet) -> Box:
    x, y, width, height = box
    deep = min(sheet.room(0.8), (height if front in ("north", "south") else width) // 10)
    if front == "south":
        return Box(x, y, width, deep)
    if front == "north":
        return Box(x, y + height - deep, width, deep)
    return Box(x if front == "west" else x + width - deep, y, deep, height)


def contents_of(plan: Plan) -> list[tuple[str, ...]]:
    """What stands in each rack, a text a model, the one that fills most first: `12 qm9700`, `2 ufm-appliance`."""
    by_rack: dict[int, list[DeviceRow]] = defaultdict(list)
    for device in plan.devices:
        by_rack[device.rack].append(device)
    return [_contents(by_rack[rack]) for rack in range(len(plan.racks))]


def _contents(devices: list[DeviceRow]) -> tuple[str, ...]:
    counts: dict[str, int] = defaultdict(int)
    units: dict[str, int] = defaultdict(int)
    for device in devices:
        counts[device.model] += 1
        units[device.model] += device.height_u
    in_order = sorted(counts, key=lambda model: (-units[model], natural_key(model)))
    return tuple(f"{counts[model]} {model}" for model in in_order)


class Row(NamedTuple):
    """Racks of one row that stand in one line and face one way."""

    name: str
    front: str
    box: Box


def rows_of(racks: tuple[Rack, ...]) -> list[Row]:
    """Rows as they stand; one name may occur on several."""
    lines: dict[tuple[str, str, int], list[Box]] = defaultdict(list)
    for rack in racks:
        along_x = rack.front in ("north", "south")
        lines[rack.row, rack.front, rack.box.y if along_x else rack.box.x].append(rack.box)
    rows = []
    for (name, front, _), boxes in lines.items():
        west, south = min(b.x for b in boxes), min(b.y for b in boxes)
        east, north = max(b.x + b.width for b in boxes), max(b.y + b.height for b in boxes)
        rows.append(Row(name, front, Box(west, south, east - west, north - south)))
    return rows


def letterings(
    names: list[str], shorter: list[str], contents: list[tuple[str, ...]], spaces: list[Box], scale: int
) -> list[Lettering | None]:
    """The words of each rack for its free space, all in the sizes that most of them can have.

    shorter: what stands for a name where it is too long to be set whole in any readable size.
    """
    sizes = [(round(s.width / scale, 1), round(s.height / scale, 1)) for s in spaces]
    if not sizes or max(min(size) for size in sizes) < SMALLEST:
        return [None] * len(names)
    whole = [lettered(n, words, *size, (3.0, 1.8)) for n, words, size in zip(names, contents, sizes, strict=True)]
    # The lower quartile: three of four racks look alike, and only the odd ones are smaller.
    of_name = sorted(found.name_size for found in whole if found)
    of_contents = sorted(found.contents_size for found in whole if found and found.contents)
    usual = (
        of_name[len(of_name) // 4] if of_name else 3.0,
        of_contents[len(of_contents) // 4] if of_contents else SMALLEST,
    )
    found = []
    for name, short, words, size, alone in zip(names, shorter, contents, sizes, whole, strict=True):
        is_usual = alone is None or (alone.name_size <= usual[0] and alone.contents_size <= usual[1])
        setting = alone if is_usual else lettered(name, words, *size, usual)
        if (setting is None or "".join(setting.name) != name) and short != name:
            setting = lettered(short, words, *size, usual) or setting
        found.append(setting)
    return found


def walls_of(plan: Plan) -> tuple[Ring, ...]:
    """The outline of each room."""
    return tuple(ring for _, ring in _rings(plan, "outline"))


def outline_of(walls: tuple[Ring, ...]) -> Ring:
    """What dimensions are of: the room's outline, or the rectangle around several rooms."""
    if len(walls) < 2:
        return walls[0] if walls else ()
    xs, ys = [x for ring in walls for x, _ in ring], [y for ring in walls for _, y in ring]
    return (min(xs), min(ys)), (max(xs), min(ys)), (max(xs), max(ys)), (min(xs), max(ys))


def obstacles_of(plan: Plan) -> tuple[Named, ...]:
    """Obstacles with the heights between which they stand."""
    written = [*_written(plan, Obstacle, "room", "obstacles")]
    rooms: Any = json.loads(plan.inputs).get("rooms")
    for number in range(len(rooms) if isinstance(rooms, list) else 0):
        written += _written(plan, Obstacle, "rooms", number, "obstacles")
    heights = {o.name: o for o in written}
    found = []
    for name, ring in _rings(plan, "obstacle"):
        known = heights.get(name)
        title = name
        if known is not None:
            top = "the ceiling" if known.to_m is None else f"{metres(mm_half_up(known.to_m))} m"
            title = f"{name}: from {metres(mm_half_up(known.from_m))} m to {top}"
        found.append(Named(name, title, ring))
    return tuple(found)


def openings_of(plan: Plan) -> tuple[Named, ...]:
    """Openings of walls with the heights between which cables pass."""
    heights = {o.name: o for o in _written(plan, Opening, "openings")}
    found = []
    for name, ring in _rings(plan, "opening"):
        known = heights.get(name)
        between = (
            f": opening from {metres(mm_half_up(known.from_m))} to {metres(mm_half_up(known.to_m))} m" if known else ""
        )
        found.append(Named(name, f"{name}{between}", ring))
    return tuple(found)


def _rings(plan: Plan, kind: str) -> Iterator[tuple[str, Ring]]:
    for name, points in groupby((p for p in plan.room if p.kind == kind), key=lambda p: p.name):
        yield name, tuple(_point(p.x_um, p.y_um) for p in points)


def risers_of(plan: Plan) -> tuple[Named, ...]:
    """Risers as squares about their point."""
    half = RISER_MM // 2
    found = []
    for riser in _written(plan, RiserRun, "risers"):
        x, y = _point(*riser.at_m)
        ring = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
        found.append(Named(riser.name, f"{riser.name}: riser that joins {', '.join(riser.joins)}", ring))
    return tuple(found)


def _written(plan: Plan, model: Any, *keys: str | int) -> Iterator[Any]:
    """Entries of the normalised input that no table of the plan holds; faulty ones, which a draft may have, go."""
    tree: Any = json.loads(plan.inputs)
    for key in keys:
        if isinstance(key, int) and isinstance(tree, list):
            tree = tree[key]
        elif isinstance(tree, dict):
            tree = tree.get(key)
    for entry in tree if isinstance(tree, list) else ():
        try:
            yield model.model_validate(entry)
        except ValidationError:
            continue


def _point(x_um: int, y_um: int) -> Point:
    return mm_half_up(x_um), mm_half_up(y_um)
