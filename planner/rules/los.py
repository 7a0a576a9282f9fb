"""Optical loss of channels, direct and over panels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from planner.catalog.fibre import Cord
from planner.catalog.figures import Figure
from planner.catalog.structured import Cassette
from planner.findings import Fault, Severity
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.selection.fit import interface_in
from planner.selection.options import Option
from planner.table import Ints


@rule("LOS001", "loss-over-budget", Severity.ERROR)
def loss_over_budget(subject: Subject) -> Iterable[Fault]:
    """A channel loses more than its optical interface allows.

    Why: the receiver sees too little light.
    Example: 600 m of OS2 at 0.4 dB/km and four joints of 0.75 dB against a budget of 3.0 dB.
    Fix: fewer joints, better connectors, or a shorter way.
    Source: budgets of `compatibility/pmds.yaml`; the two joints at the modules belong to the optics. Over panels each plate is
    a joint, a cassette two, each as lossy as the weaker of its plugs; glass of mixed grades counts as the lowest.
    """
    yield from _over_panels(subject)
    for option, rows in subject.groups:
        if option.chain is not None:
            continue
        if not isinstance(option.cable, Cord) or option.a_plug is None or option.z_plug is None:
            continue
        limit, per_km = _limit(subject, option, rows), option.cable.attenuation_db_per_km.value
        if limit is None or per_km is None:
            continue  # not proven: CAT001 warns once
        # A direct cord has no joint of its own: thousandths of a dB = mdB/km x mm / 1e6.
        over = rows[subject.selection.stock_mm[rows] * per_km > limit * 1_000_000]
        if len(over):
            longest = int(subject.selection.stock_mm[over].max())
            lost = longest * per_km / 1_000_000 / 1000
            yield Fault(
                "loss-over-budget",
                f"the channel of {subject.spoken(over)} loses {lost:.3f} dB, the budget is {limit / 1000:.3f} dB",
                subject.place_of(over),
                note=f"{longest} mm of {option.cable.fibre} at {per_km / 1000:g} dB/km",
                help="use a fibre or an optic with more budget, or shorten the way",
                code="LOSS_OVER_BUDGET",
                objects=subject.named(over),
                count=len(over),
            )


def _over_panels(subject: Subject) -> Iterator[Fault]:
    """Joints of both panels, and the glass of cords and trunk. A figure that nobody states leaves it unproven (CAT001)."""
    channels = subject.channels
    for option, rows in subject.groups if channels is not None else ():
        joints = joints_mdb(option) if option.chain is not None else None
        limit = _limit(subject, option, rows)
        if joints is None or limit is None or channels is None:
            continue
        mine = np.flatnonzero(np.isin(channels.link, rows))
        cords = channels.total_mm[mine] - channels.ways.trunks.overall_mm[channels.trunk[mine]]
        per_km = _per_km(option)
        if per_km is None:
            continue
        # mdB/km x mm = billionths of a dB; the dearer of both cords stands for both.
        glass = cords * per_km[0] + channels.ways.trunks.overall_mm[channels.trunk[mine]] * per_km[1]
        lost = joints * 1_000_000 + glass
        over = np.unique(channels.link[mine[lost > limit * 1_000_000]])
        if len(over):
            worst = int(lost.max())
            yield Fault(
                "loss-over-budget",
                f"the channel of {subject.spoken(over)} loses {worst / 1e9:.3f} dB, the budget is {limit / 1000:.3f} dB",
                subject.place_of(over),
                note=f"{option.chain.joints if option.chain else 0} joints of {joints / 1000:.3f} dB together, and {int(glass.max()) / 1e9:.3f} dB of fibre",
                help="use parts of a lower loss, an optic with more budget, or cable these links directly",
                code="LOSS_OVER_BUDGET",
                objects=subject.named(over),
                count=len(over),
            )


def joints_mdb(option: Option) -> int | None:
    """Loss of the joints in both panels together; None where a figure of one is not known."""
    chain = option.chain
    assert chain is not None
    pairs: list[tuple[Figure[int], ...]] = []
    for insert, cord in ((chain.a_insert, option.cable), (chain.z_insert, option.at_z.cable)):
        assert isinstance(cord, Cord)
        if isinstance(insert, Cassette):
            pairs += [(cord.mated_pair_db, insert.front_pair_db), (insert.rear_pair_db, chain.trunk.mated_pair_db)]
        else:
            pairs.append((cord.mated_pair_db, chain.trunk.mated_pair_db))
    total = 0
    for pair in pairs:
        known = [figure.value for figure in pair if figure.value is not None]
        if len(known) < len(pair):
            return None
        total += max(known)  # a joint of two grades only assures the weaker
    return total


def _per_km(option: Option) -> tuple[int, int] | None:
    """mdB/km of the cords and of the trunk."""
    assert option.chain is not None
    cords = [end.cable.attenuation_db_per_km.value for end in (option, option.at_z) if isinstance(end.cable, Cord)]
    trunk = option.chain.trunk.attenuation_db_per_km.value
    known = [figure for figure in cords if figure is not None]
    return None if trunk is None or len(known) < len(cords) else (max(known), trunk)


def _limit(subject: Subject, option: Option, rows: Ints) -> int | None:
    """The least budget of both optics on any glass of the channel; None where none is known."""
    kind = subject.kind_of(rows)
    budgets = [
        subject.catalog.budgets.get((interface_in(plug, cage, kind.rate), fibre))
        for plug, cage in ((option.a_plug, kind.a), (option.z_plug, kind.z))
        for fibre in option.fibres
        if plug is not None
    ]
    known = [budget.loss_db.value for budget in budgets if budget is not None and budget.loss_db.value is not None]
    return min(known, default=None)
