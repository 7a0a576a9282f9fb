"""What sets two choices apart, in words: the first thing in which they differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from planner.selection.figures import Scale
from planner.selection.group import Value
from planner.units import metres

_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth")


ALL_TAKEN: Final = "comes too late, and other links take what is on hand"
"""Of a part that only stock would have in time."""

FARTHER: Final = "its optics reach farther than is needed"


def worse_by(worse: Value, better: Value, scales: Sequence[Scale]) -> str:
    """By what one choice of a group is worse, as said of it; empty where only part numbers differ.

    scales: of the distinct objectives, in the order in which a value's figures stand.
    """
    if worse.unresolved != better.unresolved:
        more = worse.unresolved - better.unresolved
        return f"{more} more {'link has' if more == 1 else 'links have'} no part"
    for scale, place, figure in _places(scales):
        more = worse.figures[figure] - better.figures[figure]
        if more:
            return _figure(scale, place, more)
    if worse.stock_mm != better.stock_mm:
        return f"it takes {metres(worse.stock_mm - better.stock_mm)} m more of stock lengths"
    if worse.reach != better.reach:
        return "its parts reach farther than is needed"
    return ""


def _places(scales: Sequence[Scale]) -> list[tuple[Scale, int, int]]:
    """Each scale's figures with their places in a value."""
    found = []
    start = 0
    for scale in scales:
        found += [(scale, place, start + place) for place in range(scale.width)]
        start += scale.width
    return found


def _figure(scale: Scale, place: int, more: int) -> str:
    if scale.stocked and place == scale.width - 1:
        return f"{_pieces(more, 'has', 'have')} to be bought"
    if scale.timed:
        if place == 0:
            return f"{more} more {'piece' if more == 1 else 'pieces'} without a known lead time"
        place -= 1
    if scale.by_media and place == scale.media:
        return FARTHER
    if scale.by_media:
        return f"{more} fewer {'link has' if more == 1 else 'links have'} the {_ORDINALS[place]} medium of `policy.media.order`"
    if place == 0:
        wanted = " or ".join(SPOKEN[count] for count in scale.objective.counts)
        return f"{more} more {'piece' if more == 1 else 'pieces'} without a known {wanted}"
    if scale.objective.name == "lead_time":
        return f"{_pieces(more, 'takes', 'take')} {scale.weeks[place - 1]} weeks"
    sums = {"cost": f"it costs {money(more)} more", "power": f"it draws {more / 1000:g} W more"}
    return sums.get(scale.objective.name, f"its weighted sum is {money(more // 1_000_000)} higher")


def _pieces(more: int, one: str, many: str) -> str:
    return f"{more} more {f'piece {one}' if more == 1 else f'pieces {many}'}"


SPOKEN: Final = {"cost": "price", "power": "power", "lead_time": "lead time"}


def money(e4: int) -> str:
    """Ten-thousandths of a currency unit with two decimals, rounded half up."""
    cents = (e4 + 50) // 100
    return f"{cents // 100}.{cents % 100:02d}"
