"""What trunks need of their way while they are pulled: bends, and openings that let their eyes through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from planner.findings import Fault, Severity, Spot
from planner.layout import Pathway
from planner.names import counted
from planner.pathways.holes import holes_of
from planner.rules.fil_holes import place, spoken
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
    Source: `pulling_eye_mm` of the trunk, null being not proven (CAT001), against the diameter of conduits (their `width_mm`)
    and what openings leave: as wide as the pathway is in it, from its floor to the opening's upper edge.
    """
    for pathway, trunk, runs in _pathways_of_trunks(subject):
        eye = subject.laid.runs[runs[0]].trunk.pulling_eye_mm.value if subject.laid else None
        if eye is None:
            continue
        for what, room, at in _holes(subject, pathway):
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


def _holes(subject: Subject, pathway: Pathway) -> Iterator[tuple[str, int, Spot]]:
    """Openings and conduits that a pathway is, or leads through, with the lesser of their clear width and height."""
    cells, _ = subject.measure.ground
    number = subject.layout.pathway_index[pathway.name.casefold()]
    for hole in holes_of(subject.layout, cells):
        if hole.pathway == number:
            yield spoken(subject, hole), min(hole.width_um, hole.height_um), place(subject, hole)
