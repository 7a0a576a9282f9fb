"""How long each cable of a link over panels has to be: its cords and trunks, each with its own way and slack."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.lengths.measure import Lengths
from planner.selection.over_panels import Channels


@dataclass(frozen=True, slots=True)
class CableLength:
    """Lengths of a cord or a trunk (mm). required: routed and slack; of a trunk, those of its longest leg.

    nominal: as ordered; of a trunk from ferrule to ferrule, with the legs where the maker does not count them.
    """

    routed: int
    slack: int
    required: int
    nominal: int


def lengths_over_panels(channels: Channels | None, link: int) -> tuple[CableLength, ...]:
    """Of all cables of a link in order from its a, channel by channel: cord, trunk, cord. Empty for a direct link."""
    if channels is None:
        return ()
    found = []
    trunks = channels.ways.trunks
    for row in np.flatnonzero(channels.link == link).tolist():
        trunk = int(channels.trunk[row])
        option = channels.offers[int(channels.offer[row])]
        a, z = option.cable, option.at_z.cable
        at_a = a.members[int(channels.a_member[row])].length_m // 1000
        at_z = z.members[int(channels.z_member[row])].length_m // 1000
        found += [
            _told(channels.a, row, at_a),
            _told(trunks.lengths, trunk, int(trunks.overall_mm[trunk])),
            _told(channels.z, row, at_z),
        ]
    return tuple(found)


def _told(terms: Lengths, row: int, nominal: int) -> CableLength:
    return CableLength(int(terms.routed[row]), int(terms.slack[row]), int(terms.required[row]), nominal)
