"""How many trunks links between two racks need. Pure arithmetic on counts.

A *position* is what one channel takes at the front of a panel. A *module* is what its front and rear ports belong to as
one: a coupler of a plate (one port at either face), or a whole cassette. Trunks end at rear ports, one a leg.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from planner.units import PPM


@dataclass(frozen=True, slots=True)
class Growth:
    """Positions kept for growth: a share of those in use, at least so many."""

    share_ppm: int
    least: int

    def of(self, used: int) -> int:
        """Rounded up: a reserve that is asked for is there. None where nothing is used."""
        return max(self.least, -(-used * self.share_ppm // PPM)) if used else 0


@dataclass(frozen=True, slots=True)
class Module:
    """Ports at the front and at the rear of what belongs together."""

    front: int = 1
    rear: int = 1


COUPLER: Final = Module()


@dataclass(frozen=True, slots=True)
class Size:
    """What a run of trunks between the panels of two racks takes.

    used, reserve: positions. used_legs, kept_legs: legs that carry links, and those with the reserve's; legs: of all
    trunks. The fibres of a leg that a link leaves dark are in none of these: they are no reserve.
    """

    used: int
    reserve: int
    used_legs: int
    kept_legs: int
    trunks: int
    legs: int

    def state_of(self, leg: int) -> str:
        """Of the leg with this number in the run, from 0."""
        return "used" if leg < self.used_legs else "reserve" if leg < self.kept_legs else "spare"


def sized(used: int, growth: Growth, module: Module, legs_a_trunk: int) -> Size:
    """The fewest whole trunks that take all links with their reserve, module by whole module."""
    reserve = growth.of(used)
    used_legs, kept_legs = (-(-positions // module.front) * module.rear for positions in (used, used + reserve))
    trunks = -(-kept_legs // legs_a_trunk)
    return Size(used, reserve, used_legs, kept_legs, trunks, trunks * legs_a_trunk)
