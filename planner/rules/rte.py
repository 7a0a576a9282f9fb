"""Routes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from planner.findings import Fault, Severity
from planner.locate import UNKNOWN_DEPTH
from planner.names import quoted_list
from planner.rules.dev import misplaced_links
from planner.rules.lay import racks_without_join
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.table import Mask, rank_codes


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
            note=f"{subject.spoken(rows)} {'needs' if len(rows) == 1 else 'need'} one; {_carried(subject)}",
            help="join the pathways of the two racks, or let them carry the cable's class",
            objects=subject.named(rows),
            count=len(rows),
        )


def _joinless(subject: Subject) -> Mask:
    without: Mask = np.zeros(len(subject.layout.racks), bool)
    without[racks_without_join(subject)] = True
    return without


def _carried(subject: Subject) -> str:
    limited = [p.name for p in subject.layout.pathways if len(p.carries) == 1]
    return f"not every class may use {quoted_list(limited)}" if limited else "the pathways near them do not meet"
