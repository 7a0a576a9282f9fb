"""Which plug an offer needs in the cage at each end, in numbers that are alike only for what can be one plug."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from planner.selection.options import SPLITTER, STRAIGHT, TWIN, Option
from planner.selection.sharing import SLOTS, Sharing
from planner.table import Ints

_ANY: Final = 0
"""Of a plug that serves whatever the cage leads to: a transceiver, or the head of a splitter, whose cage says which."""

_ENDS: Final = ("a", "z")


@dataclass(frozen=True)
class Demands:
    """By offer and end (0 for a, 1 for z) the number of its plug, and by which plugs of one number are told apart."""

    plug: Ints
    offers: Sequence[Option]

    @classmethod
    def of(cls, offers: Sequence[Option]) -> Demands:
        numbers: dict[tuple[str, ...], int] = {}
        plug = [[numbers.setdefault(_plug(option, end), len(numbers)) for option in offers] for end in _ENDS]
        return cls(np.array(plug, np.int64).reshape(2, -1), offers)

    def which(self, offer: int, end: int, rows: Ints, sharing: Sharing) -> Ints:
        """The cable whose own plug it is, as a number from 1; `_ANY` where the cage alone says which it is."""
        option = self.offers[offer]
        if option.forced or not option.has_own_plugs:
            return np.full(len(rows), _ANY, np.int64)
        if option.shape == STRAIGHT:
            return rows + 1
        if option.shape == TWIN:
            return sharing.pair[rows] + 1
        if option.head_at_z == (end == 1):
            return np.full(len(rows), _ANY, np.int64)
        return sharing.head(option)[0][rows] * SLOTS + sharing.leg(option, rows) + 1


def _plug(option: Option, end: str) -> tuple[str, ...]:
    plug = option.a_plug if end == "a" else option.z_plug
    at_head = option.head_at_z == (end == "z")
    if plug is None:
        assert not hasattr(option.cable, "legs")
        alike = option.shape == TWIN and option.cable.a == option.cable.z
        return ("cable", option.cable.id, "" if alike else "head" if at_head else "tail")
    # Both fibres of a plug are of one kind, straight or splitter. A forced splitter that shares no receptacle may stand
    # beside a straight cord: it is the user's choice, and the twin-port rule's to report.
    if option.shape != SPLITTER or (option.forced and option.ports == 1):
        return ("plug", plug.id, STRAIGHT)
    return ("plug", plug.id, SPLITTER if at_head else "leg")


def clashing_cages(offer: Ints, demands: Demands, sharing: Sharing) -> Ints:
    """Cages whose links want different plugs, or whose receptacles different splitters."""
    cages, keys, which = [], [], []
    for number in np.unique(offer[offer >= 0]).tolist():
        rows = np.flatnonzero(offer == number)
        option = demands.offers[number]
        for end, cage in enumerate((sharing.a_cage, sharing.z_cage)):
            cages.append(cage[rows])
            keys.append(np.full(len(rows), int(demands.plug[end, number]), np.int64))
            which.append(demands.which(number, end, rows, sharing))
        if option.shape == SPLITTER and not option.has_own_plugs and option.ports > 1:
            # A receptacle is like a cage that takes one cord; below all cages, so that it is none of them.
            cages.append(-1 - sharing.place(option, rows))
            keys.append(np.full(len(rows), _family_number(option, demands), np.int64))
            which.append(np.full(len(rows), _ANY, np.int64))
    if not cages:
        return np.zeros(0, np.int64)
    cage, key, one = np.concatenate(cages), np.concatenate(keys), np.concatenate(which)
    order = np.lexsort((one, key, cage))
    cage, key, one = cage[order], key[order], one[order]
    differs = (cage[1:] == cage[:-1]) & ((key[1:] != key[:-1]) | (one[1:] != one[:-1]))
    found = np.unique(cage[1:][differs])
    return np.unique(np.where(found < 0, (-1 - found) // SLOTS, found))


def _family_number(option: Option, demands: Demands) -> int:
    """A number for the option's cable family: the first offer that has it."""
    return next(n for n, other in enumerate(demands.offers) if other.cable.id == option.cable.id)
