"""The rules, family by family: one function, one ID, one page."""

from planner.rules import bom, cat, dev, fil, inp, lay, length, los, med, pol, prt, rte, top
from planner.rules.registry import NEVER_WAIVED, RETIRED, RULES, Rule, findings_of, judged, rule
from planner.rules.subject import Subject

FAMILIES = (inp, lay, dev, top, rte, length, fil, prt, med, pol, los, cat, bom)
"""Modules of rules in the order of their families; imported by name, so that nothing is found by magic."""


def in_order() -> list[Rule]:
    """All rules, family by family, by ID."""
    place = {family.__name__.rsplit(".", 1)[-1]: number for number, family in enumerate(FAMILIES)}
    return sorted(RULES.values(), key=lambda known: (place[known.check.__module__.rsplit(".", 1)[-1]], known.id))


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
