"""The room: racks, pathways and what stands in their way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from planner.drops import joins_of
from planner.findings import Fault, Severity, Spot
from planner.layout import Rack
from planner.names import fold
from planner.pathways import network_of
from planner.reader import spot_at
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.segments import MEET_UM
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
    # Rows that run into one another are one cause, however many of their racks meet.
    by_rows: dict[tuple[Spot, Spot], list[tuple[Rack, Rack]]] = {}
    for i, k in sorted(zip(left.tolist(), right.tolist(), strict=True)):
        if i < k:
            by_rows.setdefault((racks[i].at, racks[k].at), []).append((racks[i], racks[k]))
    for pairs in by_rows.values():
        first, second = pairs[0]
        x0, y0, x1, y1 = _shared(first, second)
        note = f"they share {mm_half_up(x1 - x0)} x {mm_half_up(y1 - y0)} mm; `{first.name}` is declared at {subject.files.span(first.at)}"
        more = f", and {_count(len(pairs) - 1, 'more pair')}" if len(pairs) > 1 else ""
        yield Fault(
            "racks-overlap",
            f"racks `{first.name}` and `{second.name}` overlap{more}",
            second.at,
            note=note,
            help="move one of the rows",
            objects=tuple(dict.fromkeys(rack.name for pair in pairs for rack in pair))[:50],
            count=len(pairs),
        )


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def _by_row(racks: Iterable[Rack]) -> list[list[Rack]]:
    """Racks by the entry that declares them: what is wrong with all of them alike has one cause."""
    rows: dict[Spot, list[Rack]] = {}
    for rack in racks:
        rows.setdefault(rack.at, []).append(rack)
    return list(rows.values())


def _spoken(racks: list[Rack], one: str, many: str) -> str:
    """`rack `A01` stands`, or `rack `A01` and 3 more stand`."""
    first = f"rack `{racks[0].name}`"
    return f"{first} {one}" if len(racks) == 1 else f"{first} and {len(racks) - 1} more {many}"


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
    outline = shapely.Polygon(room.outline_m)
    if not outline.is_valid or not outline.area:
        wrong = "crosses itself" if outline.area or len(set(room.outline_m)) > 3 else "encloses no area"
        at = spot_at(subject.tree, ("room", "outline_m"))
        yield Fault("rack-outside-room", f"the room's outline {wrong}", at, help="list its corners in order")
        return
    if not racks:
        return
    shapely.prepare(outline)
    inside = shapely.covers(outline, _footprints(racks, shrink=TOUCHING_UM // 2)).tolist()
    for row in _by_row(rack for rack, within in zip(racks, inside, strict=True) if not within):
        yield Fault(
            "rack-outside-room",
            f"{_spoken(row, 'stands', 'stand')} outside the room",
            row[0].at,
            note=f"`{row[0].name}` stands {_where(row[0])}",
            help="move the row, or correct `outline_m`",
            objects=tuple(rack.name for rack in row[:50]),
            count=len(row),
        )
    if room.ceiling_m <= 0:
        return
    for row in _by_row(
        rack for rack, within in zip(racks, inside, strict=True) if within and rack.type.height_mm > room.ceiling_m
    ):
        height, ceiling = mm_half_up(row[0].type.height_mm), mm_half_up(room.ceiling_m)
        yield Fault(
            "rack-outside-room",
            f"{_spoken(row, 'is', 'are')} {height} mm high, the ceiling is at {ceiling} mm",
            row[0].at,
            note=f"over by {height - ceiling} mm",
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
    yield from _no_drops("rack-without-drop", subject, [n for n in racks_without_join(subject) if n in leaving])


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
        idle = [n for n in racks_without_join(subject) if n in holding and n not in leaving]
        yield from _no_drops("idle-rack-without-drop", subject, idle)


def _racks_with_leaving_links(subject: Subject) -> set[int]:
    a, z = subject.measure.a.rack, subject.measure.z.rack
    leaves = (a != z) & (subject.lengths.run < 0)  # what passes sideways into the next rack needs no exit
    return set(np.concatenate((a[leaves], z[leaves])).tolist())


def racks_without_join(subject: Subject) -> list[int]:
    drops = subject.measure.drops
    joined = set(drops.rack[np.unique(_all_joins(subject))].tolist())
    return [number for number in range(len(subject.layout.racks)) if number not in joined]


def _no_drops(name: str, subject: Subject, numbers: list[int]) -> Iterator[Fault]:
    """One fault a row of racks; none where a pathway is missing or the rack misplaced, which is told elsewhere."""
    if not numbers or "pathways" in subject.gaps or any(len(set(p.path_um)) < 2 for p in subject.layout.pathways):
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
    return (
        "there are no pathways" if best is None else f"the nearest is `{best[1]}`, {-(-int(best[0]) // 1000)} mm away"
    )


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
        if not polygon.is_valid or not polygon.area:
            at = spot_at(subject.tree, ("room", "obstacles", number, "polygon_m"))
            yield Fault(
                "rack-in-obstacle",
                f"the outline of obstacle `{obstacle.name}` {'crosses itself' if polygon.area else 'encloses no area'}",
                at,
                help="list its corners in order",
                objects=(obstacle.name,),
            )
            continue
        if not subject.layout.racks:
            continue
        hits = shapely.intersects(polygon, _footprints(subject.layout.racks, shrink=TOUCHING_UM // 2))
        hit = [rack for rack, hit in zip(subject.layout.racks, hits.tolist(), strict=True) if hit]
        for row in _by_row(rack for rack in hit if obstacle.from_m < rack.type.height_mm):
            note = f"the obstacle is declared at {subject.files.span(spot_at(subject.tree, ('room', 'obstacles', number)))}"
            yield Fault(
                "rack-in-obstacle",
                f"{_spoken(row, 'stands', 'stand')} in the obstacle `{obstacle.name}`",
                row[0].at,
                note=note,
                help="move the row, or correct the obstacle",
                objects=(*(rack.name for rack in row[:50]), obstacle.name),
                count=len(row),
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
    if not outline.is_valid or not outline.area:
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
        elif 0 < room.ceiling_m < pathway.height_um:
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
    told: set[tuple[int, int]] = set()
    for number, pathway in enumerate(pathways):
        for end in (pathway.path_um[0], pathway.path_um[-1]):
            near = tree.query(shapely.Point(end), predicate="dwithin", distance=float(NEAR_MISS_UM))
            for other in np.sort(near).tolist():
                pair = (min(number, other), max(number, other))
                gap = float(shapely.Point(end).distance(lines[other]))
                apart = gap > MEET_UM and not lines[number].intersects(lines[other])
                if other == number or pair in told or not apart or pathway.height_um != pathways[other].height_um:
                    continue
                told.add(pair)  # the ends of two pathways are each near the other: one gap
                first, second = (pathways[n] for n in pair)
                yield Fault(
                    "pathways-all-but-meet",
                    f"pathways `{first.name}` and `{second.name}` are {round(gap / 1000)} mm apart and do not meet",
                    second.at,
                    note=f"`{first.name}` is declared at {subject.files.span(first.at)}",
                    help="let them meet if cables may pass",
                    objects=(first.name, second.name),
                )


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


@rule("LAY009", "riser-joins-nothing", Severity.ERROR)
def riser_joins_nothing(subject: Subject) -> Iterable[Fault]:
    """A riser does not pass the pathways that it should join, or names only one.

    Why: cables would be planned through the air between them, or have nowhere to go.
    Example: a riser 200 mm beside the end of the tray.
    Fix: put the riser's point on all pathways that it joins, and name at least two.
    Source: geometry.
    """
    for riser in subject.layout.risers:
        if len({fold(name) for name in riser.joins}) < 2:
            yield Fault(
                "riser-joins-nothing",
                f"riser `{riser.name}` joins only pathway `{riser.joins[0]}`",
                riser.at,
                help="name the other pathway in `joins`, or take the riser out",
                objects=(riser.name, riser.joins[0]),
            )
        for name in _missed(subject, riser.at_um, riser.joins):
            message = f"riser `{riser.name}` does not pass pathway `{name}`"
            yield Fault(
                "riser-joins-nothing",
                message,
                riser.at,
                note=f"the pathway is {_away_mm(subject, riser.at_um, name)} mm away",
                help="put its point on the pathway",
                objects=(riser.name, name),
            )


def _away_mm(subject: Subject, at: tuple[int, int], name: str) -> int:
    import shapely

    pathway = subject.layout.pathways[subject.layout.pathway_index[fold(name)]]
    return round(shapely.LineString(pathway.path_um).distance(shapely.Point(at)) / 1000)


def _missed(subject: Subject, at: tuple[int, int], names: Iterable[str]) -> Iterator[str]:
    import shapely

    for name in names:
        pathway = subject.layout.pathways[subject.layout.pathway_index[name.casefold()]]
        if shapely.LineString(pathway.path_um).distance(shapely.Point(at)) > MEET_UM:
            yield name
