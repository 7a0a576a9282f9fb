"""What trunks need of their way while they are pulled: bends, and openings that let their eyes through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import dist

from planner.findings import Fault, Severity, Spot
from planner.layout import Pathway, PlanPointUm
from planner.names import counted
from planner.reader import spot_at
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.units import mm_half_up


@rule("FIL013", "trunk-pulled-too-tight", Severity.WARNING)
def trunk_pulled_too_tight(subject: Subject) -> Iterable[Fault]:
    """A trunk is pulled around a corner that is tighter than its least bend radius under pull.

    Why: a trunk under pull bears less than one at rest; its fibres break or lose light.
    Example: a trunk of 12 mm, 240 mm under pull, in a basket of 200 mm with a corner.
    Fix: fittings of a larger radius, rollers at the corner, or a trunk that is laid in place of being pulled.
    Source: `pull_bend_radius_mm` of the trunk, null being not proven (CAT001), against `bend_radius_mm` of the pathway's
    type, else the inner width of a pathway with corners.
    """
    for pathway, trunk, runs in _pathways_of_trunks(subject):
        need = subject.laid.runs[runs[0]].trunk.pull_bend_radius_mm.value if subject.laid else None
        stated = pathway.type.bend_radius_mm.value if pathway.type.bend_radius_mm else None
        room = pathway.type.width_mm if stated is None else stated
        if need is None or need <= room or not (len(pathway.points_um) > 2 or stated is not None):
            continue
        yield Fault(
            "trunk-pulled-too-tight",
            f"`{trunk}` bends at {mm_half_up(need)} mm under pull at the least, pathway `{pathway.name}` leaves it {mm_half_up(room)} mm",
            pathway.at,
            note=f"{counted(_trunks_in(subject, runs), 'trunk')}",
            help="use fittings with a larger radius, or lay the trunk in place of pulling it",
            objects=(pathway.name, trunk),
            count=_trunks_in(subject, runs),
        )


@rule("FIL014", "pulling-eye-too-wide", Severity.ERROR)
def pulling_eye_too_wide(subject: Subject) -> Iterable[Fault]:
    """A trunk's pulling eye does not pass a conduit or an opening on its way.

    Why: legs and connectors travel inside the eye; where it does not pass, the trunk does not.
    Example: an eye of 60 mm and a conduit of 50 mm.
    Fix: a larger conduit or opening, a trunk with a smaller eye, or one of fewer legs.
    Source: `pulling_eye_mm` of the trunk, null being not proven (CAT001), against the section of conduits and the
    clear width and height of the project's openings.
    """
    for pathway, trunk, runs in _pathways_of_trunks(subject):
        eye = subject.laid.runs[runs[0]].trunk.pulling_eye_mm.value if subject.laid else None
        if eye is None:
            continue
        holes = list(_holes(subject, pathway.path_um))
        if pathway.type.kind == "conduit":
            holes.append(
                (f"conduit `{pathway.name}`", min(pathway.type.width_mm, pathway.type.usable_depth_mm), pathway.at)
            )
        for what, room, at in holes:
            if eye > room:
                yield Fault(
                    "pulling-eye-too-wide",
                    f"the pulling eye of `{trunk}` is {mm_half_up(eye)} mm wide, {what} lets {mm_half_up(room)} mm through",
                    at,
                    note=f"{counted(_trunks_in(subject, runs), 'trunk')} through `{pathway.name}`",
                    help="use a larger opening, or a trunk with a smaller eye",
                    objects=(pathway.name, trunk),
                    count=_trunks_in(subject, runs),
                )


def _pathways_of_trunks(subject: Subject) -> Iterator[tuple[Pathway, str, list[int]]]:
    """Each pathway with each family of trunks in it, and the runs of these (rows of `Laid.runs`)."""
    channels, laid = subject.channels, subject.laid
    if channels is None or laid is None or not laid.trunk_run:
        return
    lengths = channels.ways.trunks.lengths
    routed = channels.ways.legs.routes("fibre") if (lengths.route >= 0).any() else None
    found: dict[tuple[int, str], set[int]] = {}
    for trunk, route in enumerate(lengths.route.tolist()):
        run = laid.trunk_run[trunk]
        for name in routed.pathways_of(route, backwards=False) if routed is not None and route >= 0 else ():
            number = subject.layout.pathway_index.get(name.casefold())
            if number is not None:
                found.setdefault((number, laid.runs[run].trunk.id), set()).add(run)
    for (number, trunk_id), runs in sorted(found.items()):
        yield subject.layout.pathways[number], trunk_id, sorted(runs)


def _trunks_in(subject: Subject, runs: list[int]) -> int:
    assert subject.laid is not None
    return sum(run in runs for run in subject.laid.trunk_run)


def _holes(subject: Subject, path_um: Sequence[PlanPointUm]) -> Iterator[tuple[str, int, Spot]]:
    """Openings that a pathway passes, with the lesser of their clear width across it and their clear height."""
    from shapely import LineString, Polygon

    for number, opening in enumerate(subject.layout.openings):
        hole = Polygon(opening.polygon_m)
        for start, stop in pairwise(path_um):
            if start != stop and LineString([start, stop]).intersects(hole):
                clear = min(_across(opening.polygon_m, start, stop), opening.to_m - opening.from_m)
                yield f"opening `{opening.name}`", clear, spot_at(subject.tree, ("openings", number, "name"))
                break


def _across(corners: Iterable[PlanPointUm], start: PlanPointUm, stop: PlanPointUm) -> int:
    """How wide a hole is at right angles to a run through it."""
    length = dist(start, stop)
    east, north = (stop[0] - start[0]) / length, (stop[1] - start[1]) / length
    offsets = [east * y - north * x for x, y in corners]
    return round(max(offsets) - min(offsets))
