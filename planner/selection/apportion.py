"""Sharing whole pieces among vendors: each gets its share, to within one whole set, in one order that never depends on luck."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from planner.table import Ints
from planner.units import PPM


def apportioned(weights: Ints, able: Ints, shares_ppm: Sequence[int]) -> Ints:
    """Vendor of each set of pieces, -1 where none is able.

    weights: pieces in each set, in order; a set goes to one vendor whole. able: vendors that can supply a set, as bits
    (bit v for vendor v). shares_ppm: by vendor, in millionths, all above 0.

    The sets that one vendor alone can supply are given first, and count towards its share. Then, going through the
    others in order, the first vendor takes sets until its share of the pieces is reached, then the second, and so on;
    the set in which a share ends goes to the vendor that has the set's middle. So where all vendors can supply
    everything, each is off its share by at most half a set at each of its two borders.
    """
    vendor = np.full(len(weights), -1, np.int64)
    total = int(weights[able > 0].sum())
    missing = [share * total for share in shares_ppm]  # in millionths of a piece
    masks: list[int] = np.unique(able[able > 0]).tolist()
    for mask in sorted(masks, key=lambda m: (m.bit_count(), m)):
        rows = np.flatnonzero(able == mask)
        sellers = [v for v in range(len(shares_ppm)) if mask >> v & 1]
        wanted = [max(0, missing[v]) for v in sellers]
        if not any(wanted):
            wanted = [shares_ppm[v] for v in sellers]
        borders = np.cumsum([w / sum(wanted) for w in wanted]) * int(weights[rows].sum())
        middles = np.cumsum(weights[rows]) - weights[rows] / 2
        # Rounded to a millionth of a piece, so that a border on a middle is one on every machine.
        place = np.searchsorted(np.round(borders * PPM), np.round(middles * PPM), side="left")
        vendor[rows] = np.array(sellers, np.int64)[np.minimum(place, len(sellers) - 1)]
        for v in sellers:
            missing[v] -= int(weights[rows][vendor[rows] == v].sum()) * PPM
    return vendor


__all__ = ["apportioned"]
