"""What a catalog says against itself and against what the trade knows, beyond the form of its files.

Each check looks at entries as they were read and tells faults by the rule's name; `planner/rules/cat.py` has the rules.
`planner catalog check` runs them on all entries of a catalog, a plan on those of the project's own folders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from planner.catalog.checks import agreement, cages, classes, glass, plausible, sourcing, twins
from planner.catalog.checks.entered import Entered, entered_of
from planner.catalog.load import Catalog
from planner.findings import Fault, Spot

CHECKS = (twins, classes, agreement, cages, glass, plausible, sourcing)


def catalog_faults(catalog: Catalog, wanted: Callable[[Spot], bool]) -> list[Fault]:
    """Faults of the entries in wanted files, against the whole catalog.

    wanted: whether the file of a place is to be checked. Entries whose form is at fault are not in the catalog, and
    have been reported where they were read.
    """
    entries = [entry for entry in entered_of(catalog) if wanted(entry.tree.spot)]
    return list(dict.fromkeys(_found(entries, catalog)))


def _found(entries: list[Entered], catalog: Catalog) -> Iterator[Fault]:
    for check in CHECKS:
        for entry in entries:
            yield from check.faults_of(entry, catalog)
