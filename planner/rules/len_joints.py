"""Joints of channels over panels, against what the reach of their optics is stated for."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from planner.catalog.compatibility import Budget
from planner.findings import Fault, Severity
from planner.names import counted
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.selection.fit import interface_in
from planner.table import Ints

AT_TRANSCEIVERS = 2
"""Joints that every channel has, one at either transceiver."""


@rule("LEN007", "more-joints-than-reach-covers", Severity.WARNING)
def more_joints_than_reach_covers(subject: Subject) -> Iterable[Fault]:
    """A channel has more joints than the reach of its optics is stated for.

    Why: a reach in metres holds for a channel of so many joints; nobody states how far light goes through more.
    Example: cassettes at both ends, six joints with those at the transceivers, where a maker's reach is for four.
    Fix: use plates instead of cassettes, cable these links directly, or ask the maker.
    Source: `joints` of `compatibility/pmds.yaml`; joints at the transceivers are counted with the others.
    """
    found: dict[tuple[str, int, int], list[Ints]] = {}
    for option, rows in subject.groups:
        if option.chain is None:
            continue
        joints = AT_TRANSCEIVERS + option.chain.joints
        kind = subject.selection.kinds.kinds[int(subject.selection.kinds.of_link[rows[0]])]
        for plug, cage in ((option.a_plug, kind.a), (option.z_plug, kind.z)):
            if plug is None:
                continue
            pmd = interface_in(plug, cage, kind.rate)
            most = _most(subject.catalog.budgets.get((pmd, fibre)) for fibre in option.fibres)
            if most is not None and joints > most:
                found.setdefault((pmd, joints, most), []).append(rows)
    for (pmd, joints, most), parts in found.items():
        rows = np.unique(np.concatenate(parts))
        yield Fault(
            "more-joints-than-reach-covers",
            f"the channel of {subject.spoken(rows)} has {joints} joints, the reach of `{pmd}` is stated for {most}",
            subject.place_of(rows),
            note=f"{AT_TRANSCEIVERS} at the transceivers and {counted(joints - AT_TRANSCEIVERS, 'joint')} in the panels",
            help="use plates instead of cassettes, cable these links directly, or ask the maker",
            objects=subject.named(rows),
            count=len(rows),
        )


def _most(budgets: Iterable[Budget | None]) -> int | None:
    """The fewest joints that any of these budgets is stated for; None where none says."""
    stated = [b.joints.value for b in budgets if b is not None and b.joints is not None and b.joints.value is not None]
    return min(stated, default=None)
