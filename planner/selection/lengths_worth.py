"""Longer lengths that are better than the shortest one that covers a link: cheaper, here sooner, or on hand."""

from __future__ import annotations

import numpy as np

from planner.selection.figures import Scale
from planner.selection.options import Option
from planner.table import Ints, Mask


def lengths_worth(option: Option, scale: Scale, on_hand: Mask, *, longer: bool) -> Ints:
    """By position of the shortest length that covers a link, the position of the best one from there on by an objective.

    on_hand: by position, whether the link may take it from stock; longer: whether that makes a length better than the shortest
    that covers. -1 where all that cover would come too late. What is best from a length on is not before what is best from a
    shorter one: so a cable that several links share is at the best of all that cover its longest link when it is as long as
    the longest of their bests.
    """
    size = len(option.members)
    best = np.full(size, -1, np.int64)
    least: tuple[tuple[int, ...], int, int] | None = None
    for at in reversed(range(size)):
        mm, from_shelf = int(option.nominal_mm[at]), bool(on_hand[at])
        can_be_bought = not scale.too_late(option.cable, int(option.members[at]))
        if from_shelf or can_be_bought:
            here = (scale.of_cable(option, at, on_hand=from_shelf), mm, at)
            best[at] = at if least is None or here < least else least[2]
        elif least is not None:
            best[at] = least[2]
        if (from_shelf and longer) or can_be_bought:
            judged = (scale.of_cable(option, at, on_hand=from_shelf and longer), mm, at)
            least = judged if least is None or judged < least else least
    return best


def late_part(option: Option, scale: Scale, need_mm: int) -> str | None:
    """A part of an option that comes too late to be bought for a link, so that it serves from stock alone; None without one."""
    for plug in (option.a_plug, option.z_plug):
        if plug is not None and scale.too_late(plug, 0):
            return plug.members[0].part
    covering = [n for n in option.members.tolist() if option.usable_of(n) >= need_mm]
    if covering and all(scale.too_late(option.cable, n) for n in covering):
        part: str = option.cable.members[covering[0]].part
        return part
    return None
