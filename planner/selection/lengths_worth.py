"""Longer lengths that are better than the shortest one that covers a link: a price book has them cheaper, or they come sooner."""

from __future__ import annotations

import numpy as np

from planner.selection.figures import Scale
from planner.selection.options import Option
from planner.table import Ints


def lengths_worth(option: Option, scale: Scale) -> Ints | None:
    """By position of the shortest length that covers a link, the position of the best one from there on by an objective.

    None where length changes nothing that the objective counts, and for a pinned family, which takes the shortest member
    that is long enough. What is best from a length on is never before what is best from a shorter one: so a cable that
    several links share is at the best of all that cover its longest link when it is as long as the longest of their bests.
    """
    if option.forced or not scale.weighs_lengths:
        return None
    best = np.arange(len(option.members))
    least: tuple[tuple[int, ...], int, int] | None = None
    for at in reversed(range(len(best))):
        judged = (scale.of_cable(option, at), int(option.nominal_mm[at]), at)
        least = judged if least is None or judged < least else least
        best[at] = least[2]
    return best
