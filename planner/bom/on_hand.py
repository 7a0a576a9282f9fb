"""What of a bill comes from the shelf: a part's own stock, then its equals, then longer pieces where that is allowed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import Final

from planner.plan import ABSENT, Plan, StockRow

TRANSCEIVER: Final = "transceiver"

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

    A part's own stock serves it before anything else, in the order of the stock list. Then, with `equals_cover`, what is
    left of parts that equal it on every link. Then, with `longer_covers`, what is left of longer pieces of its family, so
    that as many are used as can be. No line ever takes less than without one of these.
    """
    open_needs = dict(needs)
    left = [row.quantity for row in plan.stock]
    taken: list[Taken] = []
    for need, stock in chain(_own(plan, needs), _of_equals(plan, needs), _longer(plan, needs)):
        pieces = min(open_needs[need], left[stock])
        if pieces > 0:
            open_needs[need] -= pieces
            left[stock] -= pieces
            taken.append(Taken(need, stock, pieces))
    return tuple(taken)


def _own(plan: Plan, needs: Mapping[Need, int]) -> Iterator[tuple[Need, int]]:
    rows = _rows_by_part(plan)
    for need in needs:
        yield from ((need, stock) for stock in rows.get(plan.parts[need[0]].part, ()))


def _of_equals(plan: Plan, needs: Mapping[Need, int]) -> Iterator[tuple[Need, int]]:
    if not plan.policy.stock.equals_cover:
        return
    rows, equals = _rows_by_part(plan), _equals(plan)
    for need in needs:
        for other in equals.get(need[0], ()):
            yield from ((need, stock) for stock in rows.get(other, ()))


def _longer(plan: Plan, needs: Mapping[Need, int]) -> Iterator[tuple[Need, int]]:
    """A longer piece may serve a span of lengths: what it can serve at all, and what each part's links allow.

    Taking the shortest pieces first, each for the part that runs out of longer ones soonest, serves as many as can be.
    """
    if not plan.policy.stock.longer_covers:
        return
    for stock in sorted(range(len(plan.stock)), key=lambda number: (plan.stock[number].length_mm, number)):
        yield from ((need, stock) for need in _shorter(plan, plan.stock[stock], needs))


def _rows_by_part(plan: Plan) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, row in enumerate(plan.stock):
        found.setdefault(row.part, []).append(number)
    return found


def _equals(plan: Plan) -> dict[int, list[str]]:
    """Parts that may stand in for each part; no transceiver where the two of a link are to be of one maker."""
    found: dict[int, list[str]] = {}
    for row in plan.alternates:
        if plan.parts[row.part].category != TRANSCEIVER or not plan.policy.vendors.one_at_both_ends:
            found.setdefault(row.part, []).append(row.alternate)
    return found


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
