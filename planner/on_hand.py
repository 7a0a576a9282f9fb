"""What of a bill comes from the shelf: each part's own stock first, then longer pieces of its family where allowed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter

from planner.plan import ABSENT, Plan, StockRow

Need = tuple[int, int]
"""A line of a bill: a part, as row of the plan's parts, and a phase."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Pieces that a line of the bill takes from one row of the stock list (its place in `Plan.stock`)."""

    need: Need
    stock: int
    pieces: int


@dataclass(frozen=True, slots=True)
class StockUse:
    """What became of one row of the stock list. lines: what it serves, as part, phase and pieces; left: pieces over."""

    row: StockRow
    lines: tuple[tuple[int, int, int], ...]

    @property
    def used(self) -> int:
        return sum(pieces for *_, pieces in self.lines)

    @property
    def left(self) -> int:
        return self.row.quantity - self.used


def taken_from_stock(plan: Plan, needs: Mapping[Need, int]) -> tuple[Taken, ...]:
    """What the lines of a bill take from stock; needs: pieces wanted by line, the earlier phase of a part first.

    A part's own stock serves it before anything else, in the order of the stock list. With `longer_covers` what is then
    left of a longer piece serves shorter lines of its family. No line so ever takes less than without, and the pieces
    that are taken in all are as many as can be.
    """
    open_needs = dict(needs)
    left = [row.quantity for row in plan.stock]
    taken: list[Taken] = []

    def take(need: Need, stock: int) -> None:
        pieces = min(open_needs[need], left[stock])
        if pieces > 0:
            open_needs[need] -= pieces
            left[stock] -= pieces
            taken.append(Taken(need, stock, pieces))

    rows_of: dict[str, list[int]] = {}
    for number, row in enumerate(plan.stock):
        rows_of.setdefault(row.part, []).append(number)
    for need in needs:
        for stock in rows_of.get(plan.parts[need[0]].part, ()):
            take(need, stock)
    if plan.policy.stock.longer_covers:
        # A longer piece may serve a span of lengths: what it can serve at all, and what each part's links allow. Taking
        # the shortest pieces first, each for the part that runs out of longer ones soonest, serves as many as can be.
        for stock in sorted(range(len(left)), key=lambda number: (plan.stock[number].length_mm, number)):
            for need in _shorter(plan, plan.stock[stock], needs):
                take(need, stock)
    return tuple(taken)


def _shorter(plan: Plan, piece: StockRow, needs: Mapping[Need, int]) -> list[Need]:
    """Lines that a longer piece of their family may serve, the one with the fewest other pieces first."""
    found = []
    for order, need in enumerate(needs):
        part = plan.parts[need[0]]
        alike = (part.category, part.family) == (piece.category, piece.family)
        if alike and ABSENT < part.length_mm < piece.length_mm <= part.longest_mm:
            found.append((part.longest_mm, -part.length_mm, order, need))
    return [need for *_, need in sorted(found, key=itemgetter(0, 1, 2))]


def stock_use(plan: Plan, taken: tuple[Taken, ...]) -> tuple[StockUse, ...]:
    """Every row of the stock list with the lines that it serves."""
    lines: dict[int, list[tuple[int, int, int]]] = {}
    for item in taken:
        lines.setdefault(item.stock, []).append((*item.need, item.pieces))
    return tuple(StockUse(row, tuple(lines.get(number, ()))) for number, row in enumerate(plan.stock))
