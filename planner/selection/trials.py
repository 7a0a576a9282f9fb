"""What would come of a group if one of its links had another of its options."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from planner.selection.best import Problem
from planner.selection.group import GroupLink, Value, solve
from planner.selection.settle import Terms, group_of_cage


@dataclass(frozen=True, slots=True)
class Trial:
    """A group decided with one link held to an offer: its value, and the links that would then have no part or other parts."""

    offer: int
    value: Value
    unresolved: tuple[int, ...]
    changed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Trials:
    """The group of a link as it is decided, decided for each of the link's offers, and the offer that the link would take alone."""

    value: Value
    by_offer: dict[int, Trial]
    alone: int


def trials_of(problem: Problem, row: int) -> Trials:
    """Solve the group of a link again and again; groups are small, or chains and rings, so that this is quick."""
    group_of = group_of_cage(problem.sharing)
    members = np.flatnonzero(group_of[problem.sharing.a_cage] == group_of[problem.sharing.a_cage[row]]).tolist()
    terms = Terms(problem)
    group = terms.group(members)
    here = members.index(row)
    base = solve(group)
    by_offer = {}
    for offer in group.links[here].offers:
        held = GroupLink(
            group.links[here].a_cage, group.links[here].z_cage, (offer,), group.links[here].none, must=True
        )
        found = solve(replace(group, links=(*group.links[:here], held, *group.links[here + 1 :])))
        pairs = zip(members, found.choice, base.choice, strict=True)
        changed = [r for r, new, old in pairs if new != old and r != row]
        lost = [
            r for r, new, old in zip(members, found.choice, base.choice, strict=True) if new is None and old is not None
        ]
        by_offer[offer.offer] = Trial(offer.offer, found.value, tuple(r for r in lost if r != row), tuple(changed))
    single = terms.group([row])
    alone = solve(single).choice[0]
    return Trials(base.value, by_offer, -1 if alone is None else single.links[0].offers[alone].offer)
