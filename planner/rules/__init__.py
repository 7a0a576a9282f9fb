"""The rules, family by family: one function, one ID, one page."""

from planner.rules import (
    bom,
    bom_panels,
    cat,
    cat_room,
    dev,
    dev_panels,
    fil,
    fil_bends,
    fil_holes,
    fil_strain,
    fil_trunks,
    imp,
    inp,
    lay,
    lay_apart,
    lay_doors,
    lay_ways,
    len_joints,
    length,
    los,
    med,
    pol,
    prt,
    prt_hosts,
    rte,
    top,
)
from planner.rules.registry import NEVER_WAIVED, RETIRED, RULES, Rule, findings_of, judged, rule
from planner.rules.subject import Subject

FAMILIES = (
    (inp,), (lay, lay_ways, lay_doors, lay_apart), (dev, dev_panels), (top,), (rte,), (length, len_joints),
    (fil, fil_strain, fil_bends, fil_holes, fil_trunks), (prt, prt_hosts), (med,), (pol,), (los,),
    (cat, cat_room), (bom, bom_panels), (imp,),
)  # fmt: skip
"""Modules of rules by family, in the order of families; imported by name, so that nothing is found by magic."""


def in_order() -> list[Rule]:
    """All rules, family by family, by ID."""
    place = {module.__name__: number for number, family in enumerate(FAMILIES) for module in family}
    return sorted(RULES.values(), key=lambda known: (place[known.check.__module__], known.id))


__all__ = [
    "FAMILIES",
    "NEVER_WAIVED",
    "RETIRED",
    "RULES",
    "Rule",
    "Subject",
    "findings_of",
    "in_order",
    "judged",
    "rule",
]
