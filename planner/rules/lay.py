"""The room: racks, pathways and what stands in their way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from planner.findings import Fault, Severity
from planner.layout import Rack
from planner.pathways import MEET_UM, joins_of, network_of
from planner.reader import spot_at
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.table import Ints
from planner.units import metres, mm_half_up

TOUCHING_UM = 100
"""Neighbours share a wall; less than a tenth of a millimetre of overlap is a drawing's rounding."""

NEAR_MISS_UM = 100_000


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
    boxes = _footprints(racks, shrink=TOUCHING_UM // 2)
    left, right = shapely.STRtree(boxes).query(boxes, predicate="intersects")
    for i, k in zip(left.tolist(), right.tolist(), strict=True):
        if i < k:
            first, second = racks[i], racks[k]
            x0, y0, x1, y1 = _shared(first, second)
            note = f"they share {mm_half_up(x1 - x0)} x {mm_half_up(y1 - y0)} mm; `{first.name}` is declared at {subject.files.span(first.at)}"
            message = f"racks `{first.name}` and `{second.name}` overlap"
            yield Fault(
                "racks-overlap",
                message,
                second.at,
                note=note,
                help="move one of the rows",
                objects=(first.name, second.name),
            )


def _footprints(racks: Iterable[Rack], shrink: int = 0):  # type: ignore[no-untyped-def]  # noqa: ANN202
    import shapely

    corners = np.array(
        [(r.west_um, r.south_um, r.west_um + r.size_um[0], r.south_um + r.size_um[1]) for r in racks], float
    )
    return shapely.box(corners[:, 0] + shrink, corners[:, 1] + shrink, corners[:, 2] - shrink, corners[:, 3] - shrink)


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

    room, racks = subject.layout.room, subject.layout.racks
    if not racks:
        return
    outline = shapely.Polygon(room.outline_m)
    if not outline.is_valid:
        message = "the room's outline crosses itself"
        yield Fault(
            "rack-outside-room", message, spot_at(subject.tree, ("room", "outline_m")), help="list its corners in order"
        )
        return
    shapely.prepare(outline)
    inside = shapely.covers(outline, _footprints(racks, shrink=TOUCHING_UM // 2))
    for rack, within in zip(racks, inside.tolist(), strict=True):
        x, y = rack.west_um, rack.south_um
        where = f"from {metres(mm_half_up(x))}, {metres(mm_half_up(y))} to {metres(mm_half_up(x + rack.size_um[0]))}, {metres(mm_half_up(y + rack.size_um[1]))} m"
        if not within:
            message = f"rack `{rack.name}` stands outside the room"
            yield Fault(
                "rack-outside-room",
                message,
                rack.at,
                note=f"it stands {where}",
                help="move the row, or correct `outline_m`",
                objects=(rack.name,),
            )
        elif rack.type.height_mm > room.ceiling_m:
            message = f"rack `{rack.name}` is {mm_half_up(rack.type.height_mm)} mm high, the ceiling is at {mm_half_up(room.ceiling_m)} mm"
            yield Fault(
                "rack-outside-room",
                message,
                rack.at,
                help="use a lower rack, or correct `ceiling_m`",
                objects=(rack.name,),
            )


@rule("LAY003", "rack-without-drop", Severity.ERROR)
def rack_without_drop(subject: Subject) -> Iterable[Fault]:
    """No pathway comes near enough to any exit of a rack that has links.

    Why: its cables have no way out of the rack.
    Example: a tray 900 mm beside the managers where the rack's `drop_reach_mm` is 600.
    Fix: bring a pathway nearer, or choose a rack type with exits below it.
    Source: `drop_reach_mm` of the rack type.
    """
    leaving = _racks_with_leaving_links(subject)
    for number in racks_without_join(subject):
        if number in leaving:
            yield _no_drop("rack-without-drop", subject, number)


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
    if not subject.layout.pathways:
        return
    for number in racks_without_join(subject):
        if number in holding and number not in leaving:
            yield _no_drop("idle-rack-without-drop", subject, number)


def _racks_with_leaving_links(subject: Subject) -> set[int]:
    a, z = subject.measure.a.rack, subject.measure.z.rack
    return set(np.concatenate((a[a != z], z[a != z])).tolist())


def racks_without_join(subject: Subject) -> list[int]:
    drops = subject.measure.drops
    joined = set(drops.rack[np.unique(_all_joins(subject))].tolist())
    return [number for number in range(len(subject.layout.racks)) if number not in joined]


def _no_drop(name: str, subject: Subject, number: int) -> Fault:
    rack = subject.layout.racks[number]
    return Fault(
        name,
        f"no pathway passes within {mm_half_up(rack.type.drop_reach_mm)} mm of an exit of rack `{rack.name}`",
        rack.at,
        note=_nearest_pathway(subject, number),
        help="bring a pathway nearer to the rack's managers",
        objects=(rack.name,),
    )


def _all_joins(subject: Subject) -> Ints:
    """The drop of every join with any pathway, whatever it carries."""
    network = network_of(subject.layout, range(len(subject.layout.pathways)))
    return joins_of(subject.layout, network, subject.measure.drops).drop


def _nearest_pathway(subject: Subject, rack: int) -> str:
    import shapely

    drops = subject.measure.drops
    rows = np.flatnonzero(drops.rack == rack)
    points = shapely.points(drops.x_um[rows].astype(float), drops.y_um[rows].astype(float))
    best = min(
        (
            (float(shapely.distance(points, shapely.LineString(p.path_um)).min()), p.name)
            for p in subject.layout.pathways
            if len(set(p.path_um)) > 1
        ),
        default=None,
    )
    return "there are no pathways" if best is None else f"the nearest is `{best[1]}`, {round(best[0] / 1000)} mm away"


@rule("LAY004", "rack-in-obstacle", Severity.ERROR)
def rack_in_obstacle(subject: Subject) -> Iterable[Fault]:
    """A rack stands where an obstacle is.

    Why: a column does not move.
    Example: a rack row through the column grid.
    Fix: move the row, or correct the obstacle.
    Source: geometry.
    """
    import shapely

    for number, obstacle in enumerate(subject.layout.room.obstacles):
        polygon = shapely.Polygon(obstacle.polygon_m)
        if not polygon.is_valid:
            at = spot_at(subject.tree, ("room", "obstacles", number, "polygon_m"))
            yield Fault(
                "rack-in-obstacle",
                f"the outline of obstacle `{obstacle.name}` crosses itself",
                at,
                help="list its corners in order",
                objects=(obstacle.name,),
            )
            continue
        if not subject.layout.racks:
            continue
        hits = shapely.intersects(polygon, _footprints(subject.layout.racks, shrink=TOUCHING_UM // 2))
        for rack, hit in zip(subject.layout.racks, hits.tolist(), strict=True):
            if hit and obstacle.from_m < rack.type.height_mm:
                message = f"rack `{rack.name}` stands in the obstacle `{obstacle.name}`"
                note = f"the obstacle is declared at {subject.files.span(spot_at(subject.tree, ('room', 'obstacles', number)))}"
                yield Fault(
                    "rack-in-obstacle",
                    message,
                    rack.at,
                    note=note,
                    help="move the row",
                    objects=(rack.name, obstacle.name),
                )


@rule("LAY005", "pathway-outside-room", Severity.ERROR)
def pathway_outside_room(subject: Subject) -> Iterable[Fault]:
    """A pathway leaves the room, or lies above its ceiling.

    Why: cables cannot be laid there.
    Example: a tray at 3.6 m under a ceiling of 3.5 m.
    Fix: correct the path or the height.
    Source: geometry.
    """
    import shapely

    room = subject.layout.room
    outline = shapely.Polygon(room.outline_m)
    if not outline.is_valid:
        return
    for pathway in subject.layout.pathways:
        if len(set(pathway.path_um)) < 2:
            yield Fault(
                "pathway-outside-room",
                f"pathway `{pathway.name}` has no length",
                pathway.at,
                help="give it two different points",
                objects=(pathway.name,),
            )
        elif not outline.buffer(1).covers(shapely.LineString(pathway.path_um)):
            yield Fault(
                "pathway-outside-room",
                f"pathway `{pathway.name}` leaves the room",
                pathway.at,
                help="correct `path_m`, or the room's outline",
                objects=(pathway.name,),
            )
        elif pathway.height_um > room.ceiling_m:
            message = f"pathway `{pathway.name}` lies at {mm_half_up(pathway.height_um)} mm, the ceiling is at {mm_half_up(room.ceiling_m)} mm"
            yield Fault(
                "pathway-outside-room",
                message,
                pathway.at,
                help="correct `height_m` or `ceiling_m`",
                objects=(pathway.name,),
            )


@rule("LAY006", "pathway-through-rack", Severity.ERROR)
def pathway_through_rack(subject: Subject) -> Iterable[Fault]:
    """A pathway runs through a rack.

    Why: it would have to pass where the rack stands.
    Example: a tray at 2.0 m over a rack of 2.258 m.
    Fix: raise the pathway, or lead it past the rack.
    Source: geometry.
    """
    import shapely

    racks = subject.layout.racks
    lines = [
        shapely.LineString(p.path_um) if len(set(p.path_um)) > 1 else shapely.Point(p.path_um[0])
        for p in subject.layout.pathways
    ]
    if not racks or not lines:
        return
    tree = shapely.STRtree(_footprints(racks, shrink=TOUCHING_UM))
    for pathway, line in zip(subject.layout.pathways, lines, strict=True):
        if pathway.height_um < 0:
            continue
        for number in np.sort(tree.query(line, predicate="intersects")).tolist():
            rack = racks[number]
            if pathway.height_um < rack.type.height_mm:
                message = f"pathway `{pathway.name}` runs through rack `{rack.name}`"
                note = f"it lies at {mm_half_up(pathway.height_um)} mm, the rack is {mm_half_up(rack.type.height_mm)} mm high"
                yield Fault(
                    "pathway-through-rack",
                    message,
                    pathway.at,
                    note=note,
                    help="raise the pathway, or lead it past the rack",
                    objects=(pathway.name, rack.name),
                )
                break


@rule("LAY007", "pathways-all-but-meet", Severity.WARNING)
def pathways_all_but_meet(subject: Subject) -> Iterable[Fault]:
    """A pathway ends a few centimetres beside another of its height.

    Why: no cable is planned across the gap, though the builder will surely close it.
    Example: a cross tray that ends at y = 2.59 m beside a row tray at 2.60 m.
    Fix: let the two meet, or leave them clearly apart.
    Source: pathways join where they meet at one height.
    """
    import shapely

    pathways = [p for p in subject.layout.pathways if len(set(p.path_um)) > 1]
    lines = [shapely.LineString(p.path_um) for p in pathways]
    if not lines:
        return
    tree = shapely.STRtree(lines)
    for number, pathway in enumerate(pathways):
        for end in (pathway.path_um[0], pathway.path_um[-1]):
            for other in np.sort(
                tree.query(shapely.Point(end), predicate="dwithin", distance=float(NEAR_MISS_UM))
            ).tolist():
                gap = float(shapely.Point(end).distance(lines[other]))
                if (
                    other != number
                    and pathway.height_um == pathways[other].height_um
                    and gap > MEET_UM
                    and not lines[number].intersects(lines[other])
                ):
                    message = f"pathway `{pathway.name}` ends {round(gap / 1000)} mm from `{pathways[other].name}` and does not meet it"
                    yield Fault(
                        "pathways-all-but-meet",
                        message,
                        pathway.at,
                        help="let them meet if cables may pass",
                        objects=(pathway.name, pathways[other].name),
                    )


@rule("LAY008", "name-used-twice", Severity.ERROR)
def name_used_twice(subject: Subject) -> Iterable[Fault]:
    """Two racks, two pathways or two devices share a name.

    Why: labels and cut sheets could not tell them apart.
    Example: `A01` in two rows.
    Fix: rename one of them.
    Source: names are compared without case.
    """
    return subject.told("name-used-twice")


@rule("LAY009", "riser-joins-nothing", Severity.ERROR)
def riser_joins_nothing(subject: Subject) -> Iterable[Fault]:
    """A riser does not pass the pathways that it should join.

    Why: cables would be planned through the air between them.
    Example: a riser 200 mm beside the end of the tray.
    Fix: put the riser's point on all pathways that it joins.
    Source: geometry.
    """
    for riser in subject.layout.risers:
        for name in _missed(subject, riser.at_um, riser.joins):
            message = f"riser `{riser.name}` does not pass pathway `{name}`"
            yield Fault(
                "riser-joins-nothing",
                message,
                riser.at,
                help="put its point on the pathway",
                objects=(riser.name, name),
            )


def _missed(subject: Subject, at: tuple[int, int], names: Iterable[str]) -> Iterator[str]:
    import shapely

    for name in names:
        pathway = subject.layout.pathways[subject.layout.pathway_index[name.casefold()]]
        if shapely.LineString(pathway.path_um).distance(shapely.Point(at)) > MEET_UM:
            yield name
