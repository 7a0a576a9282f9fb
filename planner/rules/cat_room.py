"""Figures of racks, pathways and plugs on which a verdict about the room rests, and which nobody vouches for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from planner.findings import Fault, Severity
from planner.pathways.holes import passes
from planner.rules.fil_holes import heads_of, pulled, spoken
from planner.rules.registry import rule
from planner.rules.subject import Subject


@rule("CAT014", "room-figure-not-proven", Severity.WARNING)
def room_figure_not_proven(subject: Subject) -> Iterable[Fault]:
    """Whether cables bend wide enough, doors close or plugs pass rests on a figure that is not known or not sourced.

    Why: the check did not fail, but it cannot pass either: it is not proven.
    Example: a basket of which nobody says what radius its corners and entries give.
    Fix: enter the figure with its source in a catalog of the project, or state `fitting_radius_mm` and `waterfall_radius_mm` of
    the pathway.
    Source: `evidence` of the figure: `bend_radius_mm` and `waterfall_radius_mm` of the types of pathways in use, `door_depth_mm` of the
    types of racks with plugs in them, and `head_mm` of plugs and form factors whose cables run through an opening or conduit.
    Once an entry and figure.
    """
    told: dict[tuple[str, str], _Weak] = {}
    for weak in (*_of_pathways(subject), *_of_doors(subject), *_of_heads(subject)):
        told.setdefault((weak.entry, weak.figure), weak)
    for weak in told.values():
        state = "has no trustworthy source" if weak.known else "is not known"
        yield Fault(
            "room-figure-not-proven",
            f"`{weak.figure}` of `{weak.entry}` {state}, so {weak.verdict} is not proven",
            subject.catalog.spots.get(weak.entry, -1),
            help="enter it with its source in a catalog of the project",
            objects=(weak.entry,),
        )


@dataclass(frozen=True)
class _Weak:
    """A figure of an entry, whether it has a value, and what is not proven for it."""

    entry: str
    figure: str
    known: bool
    verdict: str


def _of_pathways(subject: Subject) -> Iterator[_Weak]:
    for number in np.unique(subject.loads.pathway).tolist():
        pathway = subject.layout.pathways[number]
        corner, entry = pathway.corner_radius, pathway.entry_radius
        if not corner.proven:
            yield _Weak(
                pathway.type.id, "bend_radius_mm", corner.um is not None, "whether cables bend wide enough in it"
            )
        elif not entry.proven:
            figure = "bend_radius_mm" if pathway.type.waterfall_radius_mm is None else "waterfall_radius_mm"
            yield _Weak(
                pathway.type.id, figure, entry.um is not None, "whether cables bend wide enough on their way into it"
            )


def _of_doors(subject: Subject) -> Iterator[_Weak]:
    cabled = subject.selection.assembly >= 0
    racks = np.unique(np.concatenate((subject.measure.a.rack[cabled], subject.measure.z.rack[cabled])))
    for rack in racks.tolist():
        kind = subject.layout.racks[rack].type
        if kind.door_depth_mm is None or not kind.door_depth_mm.proven:
            known = kind.door_depth_mm is not None and kind.door_depth_mm.value is not None
            yield _Weak(kind.id, "door_depth_mm", known, "whether its doors close on the plugs")


def _of_heads(subject: Subject) -> Iterator[_Weak]:
    for hole, option, _ in pulled(subject):
        heads = heads_of(subject, option)
        if any(head.proven and head.value is not None and passes(head.value, hole) for head in heads):
            continue
        if all(head.value is not None and passes(head.value, hole) is False for head in heads):
            continue  # it does not pass, which is an error
        verdict = f"whether its plugs pass {spoken(subject, hole)}"
        if any(head.proven and head.value is not None and passes(head.value, hole) is None for head in heads):
            pathway = subject.layout.pathways[hole.pathway]
            yield _Weak(pathway.type.id, "bend_radius_mm", False, "whether plugs get round its bends")
        else:
            yield _Weak(option.cable.id, "head_mm", any(head.value is not None for head in heads), verdict)
