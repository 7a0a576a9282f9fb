"""`implements` names generic parts of the entry's own kind, from which it departs in nothing that matters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from planner.catalog.checks.entered import Entered
from planner.catalog.figures import Family
from planner.catalog.implements import departures, is_generic
from planner.catalog.load import Catalog
from planner.findings import Fault
from planner.names import nearest

RULE: Final = "implements-falsely"


def faults_of(entry: Entered, catalog: Catalog) -> Iterator[Fault]:
    family = entry.model
    if not isinstance(family, Family):
        return
    for row, name in enumerate(family.implements):
        at = entry.at("implements", row)
        if is_generic(family):
            yield Fault(RULE, f"`{entry.name}` is generic itself and cannot implement `{name}`", at,
                        help="remove it; only vendors' parts implement a class", objects=(entry.name,))  # fmt: skip
            continue
        generic = next((found for _, found in catalog.entries() if found.id == name), None)
        if not isinstance(generic, Family):
            classes = [found.id for _, found in catalog.entries() if isinstance(found, Family) and is_generic(found)]
            meant = nearest(name, classes)
            yield Fault(RULE, f"`{entry.name}` implements `{name}`, which no catalog has", at,
                        help=f"did you mean `{meant}`?" if meant else "name the id of a generic part",
                        objects=(entry.name,))  # fmt: skip
        elif not is_generic(generic):
            yield Fault(RULE, f"`{entry.name}` implements `{name}`, which is a part of {generic.manufacturer}", at,
                        help="name the id of a generic part", objects=(entry.name, name))  # fmt: skip
        elif found := departures(family, generic):
            yield Fault(RULE, f"`{entry.name}` is not a `{name}`: {found[0]}", at, note="; ".join(found[1:]),
                        help="remove it from `implements`, or correct the figure", objects=(entry.name, name))  # fmt: skip
