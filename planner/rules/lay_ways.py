"""Pathways in the room: walls, ceilings, racks and obstacles in their way, and whether they meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from planner.findings import Fault, Severity
from planner.layout import Pathway, RoomAt
from planner.names import fold
from planner.pathways.segments import MEET_UM, projected
from planner.pathways.space import Piece, Runs, fault_of_outline, length_by_pathway, point_in_words
from planner.reader import spot_at
from planner.rules.lay import NAMES_OF_KINDS, TOUCHING_UM, footprints, obstacles_with_places
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.units import mm_half_up

if TYPE_CHECKING:
    import shapely

NEAR_MISS_UM: Final = 100_000
_EDGE_UM: Final = 1
"""A pathway may run along a wall's face."""


@rule("LAY005", "pathway-outside-room", Severity.ERROR)
def pathway_outside_room(subject: Subject) -> Iterable[Fault]:
    """A pathway leaves the room, passes a wall without an opening, or lies above the ceiling or below the slab.

    Why: cables cannot be laid there.
    Example: a tray at 3.6 m under a ceiling of 3.5 m, or one that leads from hall to hall through the wall.
    Fix: correct the path or the height, or add the opening.
    Source: geometry, heights included.
    """
    import shapely

    rooms = subject.layout.rooms
    for pathway in subject.layout.pathways:
        if len(set(pathway.points_um)) < 2:
            yield _of_pathway(pathway, "has no length", "", "give it two different points")
    if not rooms or "rooms" in subject.gaps or any(fault_of_outline(room.room.outline_m) for room in rooms):
        return
    outlines = [(room, shapely.Polygon(room.room.outline_m)) for room in rooms]
    yield from _outside(subject, outlines)
    runs = Runs(subject.layout)
    highest = max((p.top_um for p in subject.layout.pathways), default=0)
    lowest = min((p.height_um for p in subject.layout.pathways), default=0)
    for room, outline in outlines:
        ceiling, slab = room.room.ceiling_m, room.room.slab_m
        if not 0 < ceiling < highest and (slab is None or lowest >= slab):
            continue  # spares cutting every pathway of a hall at its walls
        for number, pieces in length_by_pathway(runs.inside(outline)).items():
            yield from _above_or_below(subject.layout.pathways[number], room, pieces)


def _of_pathway(pathway: Pathway, message: str, note: str, help_text: str, *others: str) -> Fault:
    return Fault(
        "pathway-outside-room",
        f"pathway `{pathway.name}` {message}",
        pathway.at,
        note=note,
        help=help_text,
        objects=(pathway.name, *others),
    )


def _above_or_below(pathway: Pathway, room: RoomAt, pieces: list[Piece]) -> Iterator[Fault]:
    ceiling, slab = room.room.ceiling_m, room.room.slab_m
    high, low = max(piece.high_um for piece in pieces), min(piece.low_um for piece in pieces)
    if 0 < ceiling < high:
        message = f"lies at {mm_half_up(high)} mm, the ceiling is at {mm_half_up(ceiling)} mm"
        note = f"over by {mm_half_up(high - ceiling)} mm"
        yield _of_pathway(pathway, message, note, "correct `height_m` or `ceiling_m`")
    if slab is not None and low < slab:
        message = f"lies at {mm_half_up(low)} mm, the slab is at {mm_half_up(slab)} mm"
        note = f"below it by {mm_half_up(slab - low)} mm"
        yield _of_pathway(pathway, message, note, "correct `height_m` or `slab_m`")


def _outside(subject: Subject, outlines: list[tuple[RoomAt, shapely.Polygon]]) -> Iterator[Fault]:
    """What is left of each pathway without the openings that it passes must lie within one room, piece by piece."""
    import shapely

    wide = [outline.buffer(_EDGE_UM) for _, outline in outlines]
    for outline in wide:
        shapely.prepare(outline)
    holes = _Openings(subject)
    yield from holes.faults
    for number, pathway in enumerate(subject.layout.pathways):
        if len(set(pathway.path_um)) < 2:
            continue
        line = shapely.LineString(pathway.path_um)
        if any(outline.covers(line) for outline in wide):
            continue
        passed = holes.passed.get(number, [])
        rest = line.difference(shapely.union_all(passed)) if passed else line
        if len(outlines) == 1:
            wrong = [(part, part.difference(wide[0])) for part in shapely.get_parts(rest)]
        else:
            wrong = [(part, part.difference(_home(part, wide))) for part in shapely.get_parts(rest)]
        lost = [outside for _, outside in wrong if outside.length > _EDGE_UM]
        if not lost or number in holes.refused:
            continue
        x, y = shapely.get_coordinates(lost[0])[0]
        if len(outlines) > 1:
            # A way on in the next room is not in the wall.
            walled = [part.difference(shapely.union_all(wide)) for part in lost]
            length = round(sum(part.length for part in walled))
            note = f"at {point_in_words(x, y)}"
            if length > _EDGE_UM:
                note = f"{mm_half_up(length)} mm of it lie in no room, {note}"
            yield _of_pathway(
                pathway, "passes through a wall", note, "add an opening there to `openings`, or lead it through one"
            )
        else:
            length = mm_half_up(round(sum(part.length for part in lost)))
            note = f"{length} mm of it lie outside, from {point_in_words(x, y)}"
            yield _of_pathway(pathway, "leaves the room", note, "correct `path_m`, or the room's outline")


def _home(part: Any, outlines: list[Any]) -> Any:
    """The room that a piece lies in for the most part."""
    return max(outlines, key=lambda outline: part.intersection(outline).length)


class _Openings:
    """Which pathways pass which openings, and which would and lie too high or too low."""

    def __init__(self, subject: Subject) -> None:
        import shapely

        self.passed: dict[int, list[shapely.Polygon]] = {}
        self.refused: set[int] = set()
        self.faults: list[Fault] = []
        runs = Runs(subject.layout)
        for number, opening in enumerate(subject.layout.openings):
            wrong = fault_of_outline(opening.polygon_m)
            if wrong:
                at = spot_at(subject.tree, ("openings", number, "polygon_m"))
                message = f"the outline of opening `{opening.name}` {wrong}"
                help_text = "list its corners in order"
                self.faults.append(Fault("pathway-outside-room", message, at, help=help_text, objects=(opening.name,)))
                continue
            polygon = shapely.Polygon(opening.polygon_m)
            for which, pieces in length_by_pathway(runs.inside(polygon)).items():
                pathway = subject.layout.pathways[which]
                low, high = min(p.low_um for p in pieces), max(p.high_um for p in pieces)
                if opening.from_m <= low and high <= opening.to_m:
                    self.passed.setdefault(which, []).append(polygon)
                    continue
                self.refused.add(which)
                off = max(opening.from_m - low, high - opening.to_m)
                lies = (
                    f"at {mm_half_up(high)} mm" if low == high else f"from {mm_half_up(low)} to {mm_half_up(high)} mm"
                )
                self.faults.append(
                    _of_pathway(
                        pathway,
                        f"misses opening `{opening.name}`: it lies {lies}, the opening is from "
                        f"{mm_half_up(opening.from_m)} to {mm_half_up(opening.to_m)} mm",
                        f"by {mm_half_up(off)} mm",
                        "correct the pathway's height, or the opening's",
                        opening.name,
                    )
                )


@rule("LAY006", "pathway-through-rack", Severity.ERROR)
def pathway_through_rack(subject: Subject) -> Iterable[Fault]:
    """A pathway runs through a rack.

    Why: it would have to pass where the rack stands.
    Example: a tray at 2.0 m over a rack of 2.258 m.
    Fix: raise the pathway, or lead it past the rack.
    Source: geometry, heights included; a pathway below the floor passes under racks.
    """
    racks = subject.layout.racks
    if not racks or not subject.layout.pathways:
        return
    runs = Runs(subject.layout)
    met: dict[int, list[tuple[int, Piece]]] = {}
    low_ends = {n for n, p in enumerate(subject.layout.pathways) if p.top_um >= 0}
    tallest = max(rack.type.height_mm for rack in racks)
    low_ends = {n for n in low_ends if subject.layout.pathways[n].height_um < tallest}
    if not low_ends:
        return
    for number, box in enumerate(footprints(racks, shrink=TOUCHING_UM)):
        for piece in runs.inside(box):
            if piece.pathway in low_ends and piece.low_um < racks[number].type.height_mm and piece.high_um >= 0:
                met.setdefault(piece.pathway, []).append((number, piece))
    for which, found in sorted(met.items()):
        pathway = subject.layout.pathways[which]
        names = list(dict.fromkeys(racks[number].name for number, _ in found))
        rack, piece = racks[found[0][0]], found[0][1]
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        whole = [runs.inside(footprints([racks[number]])[0]) for number in dict.fromkeys(number for number, _ in found)]
        along = mm_half_up(round(sum(p.length_um for pieces in whole for p in pieces if p.pathway == which)))
        yield Fault(
            "pathway-through-rack",
            f"pathway `{pathway.name}` runs through rack `{rack.name}`{more}",
            pathway.at,
            note=f"it lies at {mm_half_up(max(piece.low_um, 0))} mm, the rack is {mm_half_up(rack.type.height_mm)} mm high; over {along} mm",
            help="raise the pathway, or lead it past the rack",
            objects=(pathway.name, *names[:50]),
        )


@rule("LAY007", "pathways-all-but-meet", Severity.WARNING)
def pathways_all_but_meet(subject: Subject) -> Iterable[Fault]:
    """A pathway ends a few centimetres beside another of its height.

    Why: no cable is planned across the gap, though the builder will surely close it.
    Example: a cross tray that ends at y = 2.59 m beside a row tray at 2.60 m.
    Fix: let the two meet, or leave them clearly apart.
    Source: pathways join where they meet at one height, or within a millimetre where one of them slopes.
    """
    import shapely

    pathways = [p for p in subject.layout.pathways if len(set(p.points_um)) > 1]
    lines = [
        shapely.LineString(p.path_um) if len(set(p.path_um)) > 1 else shapely.Point(p.path_um[0]) for p in pathways
    ]
    if not lines:
        return
    tree = shapely.STRtree(lines)
    told: set[tuple[int, int]] = set()
    for number, pathway in enumerate(pathways):
        for end in (pathway.points_um[0], pathway.points_um[-1]):
            near = tree.query(shapely.Point(end[:2]), predicate="dwithin", distance=float(NEAR_MISS_UM))
            for other in np.sort(near).tolist():
                pair = (min(number, other), max(number, other))
                if other == number or pair in told or lines[number].intersects(lines[other]):
                    continue
                gap = _gap_um(end, pathways[other])
                level = pathway.height_um == pathway.top_um and pathways[other].height_um == pathways[other].top_um
                apart = level and pathway.height_um != pathways[other].height_um
                if apart or not MEET_UM < gap <= NEAR_MISS_UM:
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


def _gap_um(end: tuple[int, int, int], pathway: Pathway) -> float:
    """From a point to a pathway, in space."""
    points = np.array(pathway.points_um, float)
    first, last = points[:-1], points[1:]
    long = np.any(first != last, axis=1)
    _, away = projected(np.tile(np.array(end, float), (int(long.sum()), 1)), first[long], last[long])
    return float(away.min())


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
        for name in riser.joins:
            away = _away_um(subject, riser.at_um, name)
            if away > MEET_UM:
                yield Fault(
                    "riser-joins-nothing",
                    f"riser `{riser.name}` does not pass pathway `{name}`",
                    riser.at,
                    note=f"the pathway is {round(away / 1000)} mm away",
                    help="put its point on the pathway",
                    objects=(riser.name, name),
                )


def _away_um(subject: Subject, at: tuple[int, int], name: str) -> float:
    import shapely

    path = subject.layout.pathways[subject.layout.pathway_index[fold(name)]].path_um
    line = shapely.LineString(path) if len(set(path)) > 1 else shapely.Point(path[0])
    return float(line.distance(shapely.Point(at)))


@rule("LAY011", "pathway-in-obstacle", Severity.ERROR)
def pathway_in_obstacle(subject: Subject) -> Iterable[Fault]:
    """A pathway runs through a column or another obstacle.

    Why: no tray can be hung there.
    Example: a tray of 300 mm whose middle passes 100 mm beside a column.
    Fix: lead the pathway past it, above or below it, or correct the obstacle.
    Source: geometry: the pathway's width, and its heights from its floor to the top of its side wall, against the
    obstacle's outline and heights.
    """
    import shapely

    runs = Runs(subject.layout)
    for obstacle, at in obstacles_with_places(subject):
        if fault_of_outline(obstacle.polygon_m):
            continue
        pieces = runs.inside(shapely.Polygon(obstacle.polygon_m), strips=True)
        for number, met in length_by_pathway(pieces).items():
            pathway = subject.layout.pathways[number]
            wall = pathway.type.side_wall_mm
            hit = [
                p
                for p in met
                if p.high_um + wall > obstacle.from_m and (obstacle.to_m is None or p.low_um < obstacle.to_m)
            ]
            if not hit:
                continue
            along = mm_half_up(round(sum(p.length_um for p in hit)))
            yield Fault(
                "pathway-in-obstacle",
                f"pathway `{pathway.name}` runs through the {NAMES_OF_KINDS[obstacle.kind]} `{obstacle.name}`",
                pathway.at,
                note=f"over {along} mm, from {point_in_words(*hit[0].start_um)}; the obstacle is declared at {subject.files.span(at())}",
                help="lead the pathway past it, above or below it, or correct the obstacle",
                objects=(pathway.name, obstacle.name),
            )


@rule("LAY012", "pathway-point-repeated", Severity.WARNING)
def pathway_point_repeated(subject: Subject) -> Iterable[Fault]:
    """A pathway has the same point twice in a row.

    Why: a piece of no length is a slip, and perhaps another point was meant.
    Example: `path_m: [[1, 2], [5, 2], [5, 2], [5, 8]]`.
    Fix: take the second of the two points out, or correct it.
    Source: the project.
    """
    for pathway in subject.layout.pathways:
        points = pathway.points_um
        doubled = [n for n in range(1, len(points)) if points[n] == points[n - 1]]
        if doubled and len(set(points)) > 1:
            x, y, _ = points[doubled[0]]
            more = f", and {len(doubled) - 1} more" if len(doubled) > 1 else ""
            yield Fault(
                "pathway-point-repeated",
                f"pathway `{pathway.name}` has a piece of no length at point {doubled[0]}{more}",
                pathway.at,
                note=f"points {doubled[0]} and {doubled[0] + 1} both lie at {point_in_words(x, y)}",
                help="take the second of the two points out, or correct it",
                objects=(pathway.name,),
                count=len(doubled),
            )


@rule("LAY017", "pathways-meet-too-often", Severity.ERROR)
def pathways_meet_too_often(subject: Subject) -> Iterable[Fault]:
    """The pathways of the project meet at more places than 20,000.

    Why: every meeting is a joint that a cable may take, and no building has so many.
    Example: a curve exported from a drawing that folds back on itself thousands of times.
    Fix: draw pathways by their corners.
    Source: geometry. The pathways that meet most often are left out, until the others are few enough; links that need them have
    no route then.
    """
    return subject.told("pathways-meet-too-often")
