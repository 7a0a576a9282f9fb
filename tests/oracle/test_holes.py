"""What passes holes, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from planner.pathways.holes import Hole, passes

MM = 1_000
NOTHING = np.zeros(0, np.int64)


def opening(width: float, height: float) -> Hole:
    return Hole(0, 0, round(width * MM), round(height * MM), round=False, bent=False, bend_um=None, cells=NOTHING)


def conduit(diameter: float, bend: float | None = None, *, bent: bool = False) -> Hole:
    wide = round(diameter * MM)
    bend_um = None if bend is None else round(bend * MM)
    return Hole(0, -1, wide, wide, round=True, bent=bent or bend is not None, bend_um=bend_um, cells=NOTHING)


@pytest.mark.parametrize(
    ("head", "hole", "verdict"),
    [
        ((22.58, 13.13, 107.8), opening(22.58, 13.13), True),
        ((22.58, 13.13, 107.8), opening(13.13, 22.58), True),  # on edge
        ((22.58, 13.13, 107.8), opening(22.57, 50), True),  # on edge too
        ((22.58, 13.13, 107.8), opening(22.57, 22.57), False),
        ((22.58, 13.13, 107.8), opening(13.12, 50), False),
        ((22.58, 13.13, 107.8), conduit(26.2), True),  # sqrt(22.58^2 + 13.13^2) = 26.12
        ((22.58, 13.13, 107.8), conduit(26.1), False),
        ((22.58, 13.13, 107.8), conduit(53, bent=True), None),  # nobody says how it bends
        # Flat side along the tube's axis of bending: half of 30 is 15 beside the middle, where the tube of 50 is
        # 2 x sqrt(25^2 - 15^2) = 40 high, from 100 + 25 - 20 = 105 to 145. The far edges lie at hypot(105 + 10, 80 / 2) = 121.8.
        ((30, 10, 80), conduit(50, 100), True),
        ((30, 10, 176), conduit(50, 100), True),  # hypot(115, 88) = 144.8
        # hypot(115, 90) = 146.03; on edge: 10 / 2 beside the middle 2 x sqrt(625 - 25) = 49.0 high, from 100.5 to 149.5,
        # and hypot(100.5 + 30, 90) = 158.5
        ((30, 10, 180), conduit(50, 100), False),
    ],
)
def test_a_head_passes_a_hole(head: tuple[float, ...], hole: Hole, verdict: bool | None) -> None:
    width, height, length = (round(side * MM) for side in head)
    assert passes((width, height, length), hole) is verdict
