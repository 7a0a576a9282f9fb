"""The room: its racks, and what stands in their way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from planner.findings import Fault, Severity, Spot
from planner.layout import Rack
from planner.names import counted, fold
from planner.pathways.space import fault_of_outline, square_metres
from planner.project import Obstacle
from planner.reader import spot_at
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.table import Mask
from planner.units import metres, mm_half_up

if TYPE_CHECKING:
    import shapely

TOUCHING_UM = 100
"""Neighbours share a wall; less than a tenth of a millimetre of overlap is a drawing's rounding."""


@rule("LAY001", "racks-overlap", Severity.ERROR)
def racks_overlap(subject: Subject) -> Iterable[Fault]:
    """Two racks stand in the same place.

    Why: lengths between racks that cannot stand so are worth nothing.
    Example: a row of nine 600 mm racks that begins 5 m before another row.
    Fix: move one of the rows.
    Source: geometry.
    """
    import shapely

    racks = subject.layout.racks
    if len(racks) < 2:
        return
    boxes = footprints(racks, shrink=TOUCHING_UM // 2)
    left, right = shapely.STRtree(boxes).query(boxes, predicate="intersects")
    # Rows that run into one another are one cause, however many of their racks meet.
    by_rows: dict[tuple[Spot, Spot], list[tuple[Rack, Rack]]] = {}
    for i, k in sorted(zip(left.tolist(), right.tolist(), strict=True)):
        if i < k:
            by_rows.setdefault((racks[i].at, racks[k].at), []).append((racks[i], racks[k]))
    for pairs in by_rows.values():
        first, second = pairs[0]
        x0, y0, x1, y1 = _shared(first, second)
        note = f"they share {mm_half_up(x1 - x0)} x {mm_half_up(y1 - y0)} mm; `{first.name}` is declared at {subject.files.span(first.at)}"
        more = f", and {counted(len(pairs) - 1, 'more pair')}" if len(pairs) > 1 else ""
        yield Fault(
            "racks-overlap",
            f"racks `{first.name}` and `{second.name}` overlap{more}",
            second.at,
            note=note,
            help="move one of the rows",
            objects=tuple(dict.fromkeys(rack.name for pair in pairs for rack in pair))[:50],
            count=len(pairs),
        )


def _by_row(racks: Iterable[Rack]) -> list[list[Rack]]:
    """Racks by the entry that declares them: what is wrong with all of them alike has one cause."""
    rows: dict[Spot, list[Rack]] = {}
    for rack in racks:
        rows.setdefault(rack.at, []).append(rack)
    return list(rows.values())


def spoken_racks(racks: list[Rack], one: str, many: str) -> str:
    """`rack `A01` stands`, or `rack `A01` and 3 more stand`."""
    first = f"rack `{racks[0].name}`"
    return f"{first} {one}" if len(racks) == 1 else f"{first} and {len(racks) - 1} more {many}"


def footprints(racks: Iterable[Rack], shrink: int = 0) -> NDArray[Any]:
    """Where racks stand, as an array of polygons; shrink: what is taken off each side."""
    import shapely

    corners = np.array(
        [(r.west_um, r.south_um, r.west_um + r.size_um[0], r.south_um + r.size_um[1]) for r in racks], float
    )
    boxes: NDArray[Any] = shapely.box(
        corners[:, 0] + shrink, corners[:, 1] + shrink, corners[:, 2] - shrink, corners[:, 3] - shrink
    )
    return boxes


def _shared(a: Rack, b: Rack) -> tuple[int, int, int, int]:
    return (
        max(a.west_um, b.west_um),
        max(a.south_um, b.south_um),
        min(a.west_um + a.size_um[0], b.west_um + b.size_um[0]),
        min(a.south_um + a.size_um[1], b.south_um + b.size_um[1]),
    )


@rule("LAY002", "rack-outside-room", Severity.ERROR)
def rack_outside_room(subject: Subject) -> Iterable[Fault]:
    """A rack stands outside the room, or is higher than its ceiling.

    Why: it cannot stand there.
    Example: a row that runs through the wall.
    Fix: move the row, or correct the room's outline.
    Source: geometry.
    """
    import shapely

    racks = subject.layout.racks
    outlines = [(room, fault_of_outline(room.room.outline_m)) for room in subject.layout.rooms]
    for room, wrong in outlines:
        if wrong:
            at = spot_at(subject.tree, (*room.loc, "outline_m"))
            whose = f"the outline of room `{room.name}`" if room.name else "the room's outline"
            yield Fault("rack-outside-room", f"{whose} {wrong}", at, help="list its corners in order")
    if not racks or not outlines or any(wrong for _, wrong in outlines) or "rooms" in subject.gaps:
        return
    boxes = footprints(racks, shrink=TOUCHING_UM // 2)
    polygons = [shapely.Polygon(room.room.outline_m) for room, _ in outlines]
    for polygon in polygons:
        shapely.prepare(polygon)
    within: Mask = np.stack([shapely.covers(polygon, boxes) for polygon in polygons])
    inside_one: list[bool] = np.any(within, axis=0).tolist()
    for row in _by_row(rack for rack, inside in zip(racks, inside_one, strict=True) if not inside):
        first = footprints(row[:1])[0]
        outside = min(float(shapely.difference(first, polygon).area) for polygon in polygons)
        yield Fault(
            "rack-outside-room",
            f"{spoken_racks(row, 'stands', 'stand')} outside the room",
            row[0].at,
            note=f"`{row[0].name}` stands {_where(row[0])}, {square_metres(outside)} of it outside",
            help="move the row, or correct `outline_m`",
            objects=tuple(rack.name for rack in row[:50]),
            count=len(row),
        )
    for (room, _), inside in zip(outlines, within.tolist(), strict=True):
        ceiling = room.room.ceiling_m
        if ceiling <= 0:
            continue
        high = (rack for rack, here in zip(racks, inside, strict=True) if here and rack.type.height_mm > ceiling)
        for row in _by_row(high):
            height, limit = mm_half_up(row[0].type.height_mm), mm_half_up(ceiling)
            yield Fault(
                "rack-outside-room",
                f"{spoken_racks(row, 'is', 'are')} {height} mm high, the ceiling is at {limit} mm",
                row[0].at,
                note=f"over by {height - limit} mm",
                help="use a lower rack, or correct `ceiling_m`",
                objects=tuple(rack.name for rack in row[:50]),
                count=len(row),
            )


def _where(rack: Rack) -> str:
    """From its south-west to its north-east corner, in metres."""
    x, y = rack.west_um, rack.south_um
    corners = (x, y, x + rack.size_um[0], y + rack.size_um[1])
    west, south, east, north = (metres(mm_half_up(um)) for um in corners)
    return f"from {west}, {south} to {east}, {north} m"


@rule("LAY003", "rack-without-drop", Severity.ERROR)
def rack_without_drop(subject: Subject) -> Iterable[Fault]:
    """No pathway comes near enough to any exit of a rack that has links.

    Why: its cables have no way out of the rack.
    Example: a tray 900 mm beside the managers where the rack's `drop_reach_mm` is 600.
    Fix: bring a pathway nearer, or choose a rack type with exits below it.
    Source: `drop_reach_mm` of the rack type.
    """
    leaving = _racks_with_leaving_links(subject)
    yield from _no_drops("rack-without-drop", subject, [n for n in subject.racks_without_join if n in leaving])


@rule("LAY010", "idle-rack-without-drop", Severity.WARNING)
def idle_rack_without_drop(subject: Subject) -> Iterable[Fault]:
    """No pathway comes near a rack that holds devices, none of whose links leaves it yet.

    Why: the first link that does will have no way out.
    Example: a storage rack beyond the end of the tray.
    Fix: bring a pathway nearer.
    Source: `drop_reach_mm` of the rack type.
    """
    leaving = _racks_with_leaving_links(subject)
    holding = {device.rack for device in subject.layout.devices}
    if subject.layout.pathways:
        idle = [n for n in subject.racks_without_join if n in holding and n not in leaving]
        yield from _no_drops("idle-rack-without-drop", subject, idle)


def _racks_with_leaving_links(subject: Subject) -> set[int]:
    a, z = subject.measure.a.rack, subject.measure.z.rack
    leaves = (a != z) & (subject.lengths.run < 0)  # what passes sideways into the next rack needs no exit
    return set(np.concatenate((a[leaves], z[leaves])).tolist())


def _no_drops(name: str, subject: Subject, numbers: list[int]) -> Iterator[Fault]:
    """One fault a row of racks; none where a pathway is missing or the rack misplaced, which is told elsewhere."""
    if not numbers or "pathways" in subject.gaps or any(len(set(p.points_um)) < 2 for p in subject.layout.pathways):
        return
    racks = subject.layout.racks
    outside = {rack_name for fault in rack_outside_room(subject) for rack_name in fault.objects}
    by_row: dict[Spot, list[int]] = {}
    for number in numbers:
        if racks[number].name not in outside:
            by_row.setdefault(racks[number].at, []).append(number)
    for row in by_row.values():
        first = racks[row[0]]
        more = f" and {len(row) - 1} more" if len(row) > 1 else ""
        yield Fault(
            name,
            f"no pathway passes within {mm_half_up(first.type.drop_reach_mm)} mm of an exit of rack `{first.name}`{more}",
            first.at,
            note=_nearest_pathway(subject, row[0]),
            help="bring a pathway nearer to the rack's managers",
            objects=tuple(racks[number].name for number in row[:50]),
            count=len(row),
        )


def _nearest_pathway(subject: Subject, rack: int) -> str:
    import shapely

    drops = subject.measure.drops
    rows = np.flatnonzero(drops.rack == rack)
    points = shapely.points(drops.x_um[rows].astype(float), drops.y_um[rows].astype(float))
    best = min(
        (
            (float(shapely.distance(points, shapely.LineString(p.path_um)).min()), p.name)
            for p in subject.layout.pathways
            if len(set(p.points_um)) > 1
        ),
        default=None,
    )
    return (
        "there are no pathways" if best is None else f"the nearest is `{best[1]}`, {-(-int(best[0]) // 1000)} mm away"
    )


@rule("LAY004", "rack-in-obstacle", Severity.ERROR)
def rack_in_obstacle(subject: Subject) -> Iterable[Fault]:
    """A rack stands where an obstacle is, between the obstacle's heights.

    Why: a column does not move.
    Example: a rack row through the column grid.
    Fix: move the row, or correct the obstacle.
    Source: geometry, heights included. The free place of a door is LAY012.
    """
    import shapely

    for obstacle, at in obstacles_with_places(subject):
        wrong = fault_of_outline(obstacle.polygon_m)
        if wrong:
            yield Fault(
                "rack-in-obstacle",
                f"the outline of obstacle `{obstacle.name}` {wrong}",
                at("polygon_m"),
                help="list its corners in order",
                objects=(obstacle.name,),
            )
        elif obstacle.kind != "door":
            polygon = shapely.Polygon(obstacle.polygon_m)
            for row, area_um2 in racks_at(subject, polygon, obstacle.from_m, obstacle.to_m):
                yield Fault(
                    "rack-in-obstacle",
                    f"{spoken_racks(row, 'stands', 'stand')} in the {NAMES_OF_KINDS[obstacle.kind]} `{obstacle.name}`",
                    row[0].at,
                    note=f"`{row[0].name}` shares {square_metres(area_um2)} with it; it is declared at {subject.files.span(at())}",
                    help="move the row, or correct the obstacle",
                    objects=(*(rack.name for rack in row[:50]), obstacle.name),
                    count=len(row),
                )


NAMES_OF_KINDS: Final = {
    "column": "column", "wall": "wall", "containment": "containment", "door": "door", "crac": "cooling unit",
    "other": "obstacle",
}  # fmt: skip


def obstacles_with_places(subject: Subject) -> Iterator[tuple[Obstacle, Callable[..., Spot]]]:
    """Every obstacle, and where it or one of its keys stands in the file."""
    for room in subject.layout.rooms:
        for number, obstacle in enumerate(room.room.obstacles):
            loc = (*room.loc, "obstacles", number)
            yield obstacle, lambda *keys, loc=loc: spot_at(subject.tree, (*loc, *keys))


def racks_at(
    subject: Subject, area: shapely.Polygon, from_um: int, to_um: int | None
) -> Iterator[tuple[list[Rack], float]]:
    """Racks that stand in an area between two heights, row by row, with what the first shares with it (um2)."""
    import shapely

    racks = subject.layout.racks
    if not racks:
        return
    boxes = footprints(racks, shrink=TOUCHING_UM // 2)
    hits = shapely.intersects(area, boxes).tolist()
    met = (
        rack
        for rack, hit in zip(racks, hits, strict=True)
        if hit and from_um < rack.type.height_mm and (to_um is None or to_um > 0)
    )
    for row in _by_row(met):
        yield row, float(shapely.intersection(area, footprints(row[:1])[0]).area)


@rule("LAY008", "name-used-twice", Severity.ERROR)
def name_used_twice(subject: Subject) -> Iterable[Fault]:
    """Two things of one kind share a name: racks, pathways and risers, devices, fabrics or phases.

    Why: labels, cut sheets and purchase lines could not tell them apart.
    Example: `A01` in two rows.
    Fix: rename one of them.
    Source: names are compared without case.
    """
    yield from subject.told("name-used-twice")
    project, tree = subject.project, subject.tree
    pathways = [("pathway", pathway.name, pathway.at) for pathway in subject.layout.pathways]
    risers = [("riser", r.name, spot_at(tree, ("risers", n, "name"))) for n, r in enumerate(project.risers)]
    fabrics = [("fabric", f.name, spot_at(tree, ("fabrics", n, "name"))) for n, f in enumerate(project.fabrics)]
    phases = [("phase", p.name, spot_at(tree, ("phases", n, "name"))) for n, p in enumerate(project.phases)]
    for named in ([*pathways, *risers], fabrics, phases):
        seen: dict[str, Spot] = {}
        for what, name, at in named:
            first = seen.setdefault(fold(name), at)
            if first != at:
                note = f"first at {subject.files.span(first)}"
                message = f"{what} `{name}` is declared twice"
                yield Fault("name-used-twice", message, at, note=note, help="rename one of them", objects=(name,))
