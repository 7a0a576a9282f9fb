"""Import: what a buyer's list of prices says that cannot be taken as it stands. No plan can break these rules."""

from __future__ import annotations

from collections.abc import Iterable

from planner.findings import Fault, Severity
from planner.rules.registry import rule
from planner.rules.subject import Subject


@rule("IMP001", "price-line-fault", Severity.ERROR)
def price_line_fault(subject: Subject) -> Iterable[Fault]:
    """A cell of a list of prices cannot be read as what its column holds.

    Why: a price that is guessed is an order that is wrong.
    Example: `on request`, a price below zero or without a currency, `1,599` where nothing shows what the comma means, or a
    formula whose result the file does not hold.
    Fix: correct the cell; `planner catalog import prices` writes nothing before.
    Source: the file that is imported.
    """
    return subject.told("price-line-fault")


@rule("IMP002", "part-priced-twice", Severity.ERROR)
def part_priced_twice(subject: Subject) -> Iterable[Fault]:
    """Two rows of a list of prices say unlike things of one part.

    Why: a price book has one line a part, and nobody but the buyer knows which one counts.
    Example: a cord at 95.00 in one phase and at 92.00 in the next, or once by its part and once by its order number.
    Fix: keep one of the two.
    Source: the file that is imported.
    """
    return subject.told("part-priced-twice")


@rule("IMP003", "offer-in-two-currencies", Severity.ERROR)
def offer_in_two_currencies(subject: Subject) -> Iterable[Fault]:
    """A list of prices has more than one currency.

    Why: sums over currencies are worth nothing, and a plan with such prices has BOM003.
    Example: a row in USD in a list in EUR.
    Fix: convert the row, or import the lines of each currency apart.
    Source: the file that is imported.
    """
    return subject.told("offer-in-two-currencies")


@rule("IMP004", "price-of-no-part", Severity.WARNING)
def price_of_no_part(subject: Subject) -> Iterable[Fault]:
    """A row of a list of prices names a part that no catalog has, or none at all.

    Why: its price is not taken, so a part that was offered may stay without one.
    Example: a part number with a slip, or a row for freight.
    Fix: correct the number, or name the folder of your own parts with `--catalog`.
    Source: the file that is imported and the catalogs.
    """
    return subject.told("price-of-no-part")


@rule("IMP005", "change-not-imported", Severity.WARNING)
def change_not_imported(subject: Subject) -> Iterable[Fault]:
    """A buyer's list holds something that does not go into a price book.

    Why: who changed it expects it in the next plan.
    Example: spares raised from 2 to 5 in the workbook, an indicative price that was left as it was, or lead times without a
    unit.
    Fix: enter counts in the project (`policy.spares`, `policy.stock`), and the offered price in the list.
    Source: the file that is imported, beside the plan's `bom.csv` where it lies in the same folder.
    """
    return subject.told("change-not-imported")
