"""Routes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from planner.findings import Fault, Severity, Spot
from planner.locate import UNKNOWN_DEPTH
from planner.names import quoted_list
from planner.pathways.gaps import nearest_gap, parts_of
from planner.project import CLASSES
from planner.routing.diversity import SharedRun, shared_runs
from planner.routing.policy import Steering
from planner.rules.dev import misplaced_links
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.table import Mask, rank_codes
from planner.units import NM_PER_MM, metres, mm_half_up


@rule("RTE001", "no-route", Severity.ERROR)
def no_route(subject: Subject) -> Iterable[Fault]:
    """No pathways lead from one rack of a link to the other.

    Why: a cable without a way has no length, and none is guessed.
    Example: two rows whose trays do not meet.
    Fix: join the pathways, or let one that carries only copper carry fibre too.
    Source: the project's pathways and what they carry.
    """
    a, z = subject.measure.a, subject.measure.z
    if "pathways" in subject.gaps:
        return
    known = (a.depth_um != UNKNOWN_DEPTH) & (z.depth_um != UNKNOWN_DEPTH) & (a.rack != z.rack)
    lost = np.flatnonzero(~subject.lengths.reachable & known & ~misplaced_links(subject))
    if not len(lost):
        return
    # Racks without any join have a finding of their own; repeating it for each of their links would hide the rest.
    apart = np.flatnonzero(_joinless(subject)[a.rack[lost]] | _joinless(subject)[z.rack[lost]])
    lost = np.delete(lost, apart)
    lost = lost[~_steered(subject)[lost]]
    if not len(lost):
        return
    # Two rows of racks whose trays do not meet are one cause, however many of their racks have links.
    racks = subject.layout.racks
    row_of = np.array([racks[number].at for number in range(len(racks))], np.int64)
    low, high = (order(row_of[a.rack[lost]], row_of[z.rack[lost]]) for order in (np.minimum, np.maximum))
    pairs = rank_codes((low, high))
    for code in np.unique(pairs).tolist():
        rows = lost[pairs == code]
        first, second = (racks[int(n[rows[0]])].name for n in (a.rack, z.rack))
        yield Fault(
            "no-route",
            f"no pathway leads from rack `{first}` to rack `{second}`",
            subject.place_of(rows),
            note=f"{subject.spoken(rows)} {'needs' if len(rows) == 1 else 'need'} one; {_apart(subject, int(a.rack[rows[0]]), int(z.rack[rows[0]]))}",
            help="join the pathways of the two racks, or let them carry the cable's class",
            objects=subject.named(rows),
            count=len(rows),
        )


@rule("RTE002", "no-way-left-by-policy", Severity.ERROR)
def no_way_left_by_policy(subject: Subject) -> Iterable[Fault]:
    """The rules in `policy.routes` leave a link no way from one of its racks to the other.

    Why: a cable cannot avoid the only pathway that leads there, nor run along one that its way does not meet.
    Example: `forbid: [tray-A]` for links of a rack that only tray-A passes.
    Fix: forbid or require less, or add a pathway.
    Source: `policy.routes` and the project's pathways. A way that goes to a required pathway and back along itself is none.
    """
    measure = subject.measure
    if "pathways" in subject.gaps:
        return
    known = (measure.a.depth_um != UNKNOWN_DEPTH) & (measure.z.depth_um != UNKNOWN_DEPTH)
    lost = ~subject.lengths.reachable & known & (measure.a.rack != measure.z.rack) & _steered(subject)
    lost &= ~misplaced_links(subject) & ~_joinless(subject)[measure.a.rack] & ~_joinless(subject)[measure.z.rack]
    of_link = measure.rules.of_link
    for number in np.unique(of_link[lost]).tolist():
        rows = np.flatnonzero(lost & (of_link == number))
        steering = measure.rules.steerings[number]
        racks = (subject.layout.racks[int(place.rack[rows[0]])].name for place in (measure.a, measure.z))
        yield Fault(
            "no-way-left-by-policy",
            f"`policy.routes` leaves {subject.spoken(rows)} no way from rack {' to rack '.join(f'`{r}`' for r in racks)}",
            steering.at,
            note=_ruled(subject, steering),
            help="forbid or require less, or add a pathway",
            objects=subject.named(rows),
            count=len(rows),
        )


def _steered(subject: Subject) -> Mask:
    """Links that `policy.routes` bars from pathways or makes run along some."""
    rules = subject.measure.rules
    bound = np.array([bool(s.forbidden or s.required) for s in rules.steerings])
    steered: Mask = bound[rules.of_link]
    return steered


def _ruled(subject: Subject, steering: Steering) -> str:
    names = subject.layout.pathways
    told = [("forbidden", sorted(steering.forbidden)), ("required", list(steering.required))]
    return "; ".join(f"{word}: {quoted_list([names[n].name for n in numbers], 8)}" for word, numbers in told if numbers)


@rule("RTE003", "routes-not-diverse", Severity.ERROR)
def routes_not_diverse(subject: Subject) -> Iterable[Fault]:
    """Links that `policy.diversity` keeps apart share a stretch of a pathway.

    Why: one fault there, a saw or a burst pipe, takes both planes down.
    Example: two planes of a row under whose only tray both have to go.
    Fix: add a pathway where the finding says that both need it; elsewhere forbid it to one of them in `policy.routes`.
    Source: the routes of the chosen cables. Inside a rack and on its way to the pathway cables may lie together.
    """
    selection, layout = subject.selection, subject.layout
    classes = np.array([CLASSES.index(option.cable_class) for option in selection.offers] + [-1], np.int64)
    for entry, at in enumerate(subject.measure.rules.apart):
        runs = list(shared_runs(subject.measure, subject.lengths, classes[selection.offer], entry))
        if not runs:
            continue
        words = subject.project.policy.diversity[entry]
        rows = np.unique(np.concatenate([run.links for run in runs]))
        shared_mm = sum(run.to_nm - run.from_nm for run in runs) // NM_PER_MM
        names = quoted_list(dict.fromkeys(layout.pathways[run.pathway].name for run in runs))
        yield Fault(
            "routes-not-diverse",
            f"{quoted_list(words.a)} and {quoted_list(words.z)} share {metres(shared_mm)} m of {names}",
            at,
            note="; ".join(_run(subject, run) for run in runs[:8])
            + (f"; and {len(runs) - 8} more" if len(runs) > 8 else ""),
            help="add a pathway where both need the same one, elsewhere forbid it to one of them in `policy.routes`",
            objects=subject.named(rows),
            count=len(rows),
        )


def _run(subject: Subject, run: SharedRun) -> str:
    low, high = (nm // NM_PER_MM for nm in (run.from_nm, run.to_nm))
    why = "which both need, as there is no other way" if run.forced else "for which no way apart was found"
    return f"`{subject.layout.pathways[run.pathway].name}` from {metres(low)} to {metres(high)} m, {why}"


@rule("RTE004", "routes-contradict", Severity.ERROR)
def routes_contradict(subject: Subject) -> Iterable[Fault]:
    """Two rules for routes ask for what cannot be had together.

    Why: one of them would be broken without a word.
    Example: a pathway forbidden for a fabric and required for one of its tiers.
    Fix: narrow one of them.
    Source: `policy.routes` and `policy.diversity`. Where rules clash, forbidding wins.
    """
    return subject.told("routes-contradict")


@rule("RTE005", "drop-outside-rack", Severity.WARNING)
def drop_outside_rack(subject: Subject) -> Iterable[Fault]:
    """Cables leave a rack at its top and join a pathway near the floor beside it, or the other way round.

    Why: most of the rise runs in the open along the outside of the rack, where nobody pulls cables and nothing holds them.
    Example: a rack type with exits in its roof, and a run below the raised floor as the only pathway near it.
    Fix: a rack type with an exit towards the pathway, or a pathway on the side of the exits.
    Source: the height of the exit and of the pathway where it is joined: told where between the two lies more than half of the
    rack's height. The length is that of the way as drawn: down, across, and over the side wall.
    """
    measure, layout = subject.measure, subject.layout
    height = np.array([rack.type.height_mm for rack in layout.racks] or [0], np.int64)
    told: dict[tuple[Spot, bool], list[tuple[int, int, int]]] = {}
    for cable_class, rows in subject.routed_cables.items():
        routed = measure.routes(cable_class)
        route, backwards = subject.lengths.route[rows], subject.lengths.backwards[rows]
        first, second = routed.routes.a_join[route], routed.routes.z_join[route]
        for join, place in (
            (np.where(backwards, second, first), measure.a),
            (np.where(backwards, first, second), measure.z),
        ):
            rack = place.rack[rows]
            exit_um = measure.drops.z_um[routed.joins.drop[join]]
            there_um = routed.joins.z_um[join]
            low, high = np.minimum(exit_um, there_um), np.maximum(exit_um, there_um)
            beside = np.minimum(high, height[rack]) - np.maximum(low, 0)
            for number in np.flatnonzero(2 * beside > height[rack]).tolist():
                key = (layout.racks[int(rack[number])].at, bool(there_um[number] < exit_um[number]))
                told.setdefault(key, []).append(
                    (int(rack[number]), int(routed.joins.pathway[join[number]]), int(rows[number]))
                )
    for (at, down), found in sorted(told.items()):
        racks = list(dict.fromkeys(layout.racks[rack].name for rack, _, _ in found))
        pathways = list(dict.fromkeys(layout.pathways[pathway].name for _, pathway, _ in found))
        more = f" and {len(racks) - 1} more" if len(racks) > 1 else ""
        links = np.unique([row for _, _, row in found])
        yield Fault(
            "drop-outside-rack",
            f"cables of rack `{racks[0]}`{more} leave it at its {'top' if down else 'bottom'} and run "
            f"{'down' if down else 'up'} its outside to {quoted_list(pathways, 4)}",
            at,
            note=subject.spoken(links),
            help=f"use a rack type with exits at its {'bottom' if down else 'top'}, or bring a pathway to the exits",
            objects=tuple(racks[:50]),
            count=len(links),
        )


def _joinless(subject: Subject) -> Mask:
    without: Mask = np.zeros(len(subject.layout.racks), bool)
    without[subject.racks_without_join] = True
    return without


def _apart(subject: Subject, a_rack: int, z_rack: int) -> str:
    """Why there is no way between two racks: where the pathways that each can use come nearest to each other."""
    layout, measure = subject.layout, subject.measure
    for cable_class in CLASSES:
        routed = measure.routes(cable_class)
        part = parts_of(routed.network, len(routed.network.names))
        rack = measure.drops.rack[routed.joins.drop]
        carrying_it = np.unique(routed.network.segments.pathway)
        sides = [
            carrying_it[np.isin(part[carrying_it], part[routed.joins.pathway[rack == number]])]
            for number in (a_rack, z_rack)
        ]
        apart = len(sides[0]) and len(sides[1]) and not np.isin(sides[0], sides[1]).any()
        gap = nearest_gap(layout, *sides) if apart else None
        if gap is not None:
            one, other = (f"`{layout.pathways[number].name}`" for number in (gap.one, gap.other))
            height = f" and {mm_half_up(gap.height_um)} mm in height" if gap.height_um else ""
            return f"{one} and {other} come nearest, {mm_half_up(gap.plan_um)} mm apart in plan{height}"
    limited = [p.name for p in layout.pathways if len(p.carries) == 1]
    return f"not every class may use {quoted_list(limited)}" if limited else "the pathways near them do not meet"
