"""How many spare pieces a plan holds, part by part: never mixed into what is installed. Pure; from the plan alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from planner.plan import ABSENT, Plan
from planner.project import SparePolicy
from planner.units import PPM

WEEKS_A_YEAR: Final = 52
"""A little short of a year, so that failures in a lead time come out no smaller than they are."""


def spares_of(policy: SparePolicy | None, installed: int, lead_time_weeks: int | None = None) -> int:
    """The largest of a minimum, a share of what is installed, and what fails until new pieces come.

    Both rounded up. None where no policy is given. An unknown lead time leaves the failures out; BOM004 says so.
    """
    if policy is None or not installed:
        return 0
    weeks = lead_time_weeks or 0
    failing = policy.annual_failure_rate * installed * weeks
    return max(policy.min, -(-policy.share * installed // PPM), -(-failing // (WEEKS_A_YEAR * PPM)))


def spares_by_part(plan: Plan, installed: Mapping[int, int]) -> dict[int, int]:
    """Spare pieces by part, as row of the plan's parts; installed: pieces over all phases.

    With `longer_covers` the pieces of a family are counted together at the longest length that may stand in for them:
    the spares of a part are then held as that part, and its own line has none.
    """
    weeks = {price.part: price.lead_time_weeks for price in plan.prices if price.lead_time_weeks != ABSENT}
    held: dict[int, int] = {}
    for part, pieces in installed.items():
        holder = _holder(plan, part, installed)
        held[holder] = held.get(holder, 0) + pieces
    spares = dict.fromkeys(installed, 0)
    for part, pieces in held.items():
        policy = policy_for(plan, plan.parts[part].category)
        given = policy.lead_time_weeks if policy else None
        spares[part] = spares_of(policy, pieces, weeks.get(plan.parts[part].part, given))
    return spares


def policy_for(plan: Plan, category: str) -> SparePolicy | None:
    """The policy of a category, None where it has none."""
    policy: SparePolicy | None = getattr(plan.policy.spares, category, None)
    return policy


def _holder(plan: Plan, part: int, installed: Mapping[int, int]) -> int:
    """The longest installed part that may stand in for a part: of its family, and no longer than its links allow."""
    mine = plan.parts[part]
    policy = policy_for(plan, mine.category)
    if policy is None or not policy.longer_covers or mine.length_mm == ABSENT:
        return part
    fitting = [
        other
        for other in installed
        if (plan.parts[other].category, plan.parts[other].family) == (mine.category, mine.family)
        and mine.length_mm < plan.parts[other].length_mm <= mine.longest_mm
    ]
    return max(fitting, key=lambda other: (plan.parts[other].length_mm, -other), default=part)
