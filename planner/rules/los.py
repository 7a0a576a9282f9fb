"""Optical loss of direct channels."""

from __future__ import annotations

from collections.abc import Iterable

from planner.catalog.fibre import Cord
from planner.findings import Fault, Severity
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.selection.fit import interface_in


@rule("LOS001", "loss-over-budget", Severity.ERROR)
def loss_over_budget(subject: Subject) -> Iterable[Fault]:
    """A channel loses more than its optical interface allows.

    Why: the receiver sees too little light.
    Example: 600 m of OS2 at 0.4 dB/km and four joints of 0.75 dB against a budget of 3.0 dB.
    Fix: fewer joints, better connectors, or a shorter way.
    Source: budgets of `compatibility/pmds.yaml`; the two joints at the modules belong to the optics.
    """
    for option, rows in subject.groups:
        if not isinstance(option.cable, Cord) or option.a_plug is None or option.z_plug is None:
            continue
        kind = subject.kind_of(rows)
        ends = ((option.a_plug, kind.a), (option.z_plug, kind.z))
        budgets = [
            subject.catalog.budgets.get((interface_in(plug, cage, kind.rate), option.cable.fibre))
            for plug, cage in ends
        ]
        known = [budget.loss_db.value for budget in budgets if budget is not None and budget.loss_db.value is not None]
        per_km = option.cable.attenuation_db_per_km.value
        if not known or per_km is None:
            continue  # not proven: CAT001 warns once
        limit = min(known)
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
