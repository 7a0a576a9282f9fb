"""Which links may share a cable: cages, their halves, and where a twin cable or a splitter has its place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from planner.layout import CageOfPort
from planner.selection.options import SPLITTER, STRAIGHT, TWIN, Option
from planner.table import Ints, Mask

SLOTS: Final = 64
"""Room for the ports of a cage in a key; none comes near."""


@dataclass(frozen=True)
class Sharing:
    """The cages and halves of links. pair: a number for each two cages that links join, whichever of them is a."""

    a_cage: Ints
    z_cage: Ints
    a_half: Ints
    z_half: Ints
    pair: Ints

    @classmethod
    def of(cls, a: CageOfPort, z: CageOfPort) -> Sharing:
        size = int(max(a.cage.max(initial=0), z.cage.max(initial=0))) + 1
        low, high = np.minimum(a.cage, z.cage), np.maximum(a.cage, z.cage)
        pair = np.unique(low * size + high, return_inverse=True)[1].astype(np.int64)
        return cls(a.cage, z.cage, a.half, z.half, pair)

    @property
    def size(self) -> int:
        """One more than the last cage's number."""
        return int(max(self.a_cage.max(initial=0), self.z_cage.max(initial=0))) + 1

    def head(self, option: Option) -> tuple[Ints, Ints]:
        """Cage and half of each link at the head of the option's cable."""
        return (self.z_cage, self.z_half) if option.head_at_z else (self.a_cage, self.a_half)

    def tail(self, option: Option) -> tuple[Ints, Ints]:
        return (self.a_cage, self.a_half) if option.head_at_z else (self.z_cage, self.z_half)

    def place(self, option: Option, rows: Ints) -> Ints:
        """A key for the one cable of the option that links would share; that of a straight cable is the link's own."""
        if option.shape == TWIN:
            found: Ints = self.pair[rows]
            return found
        if option.shape == SPLITTER and option.ports > 1:
            cage, half = self.head(option)
            return cage[rows] * SLOTS + (half[rows] - 1) // option.ports
        return rows

    def leg(self, option: Option, rows: Ints) -> Ints:
        """Which leg of a splitter, from 0, a link takes: ports of the head in order, leg by leg."""
        half = self.head(option)[1][rows]
        found: Ints = (half - 1) % option.ports // option.ports_a_leg
        return found

    def joins(self, option: Option, rows: Ints) -> Mask:
        """Whether the cable leads from the port at its head to the port at its other end."""
        if option.forced or option.shape == STRAIGHT:
            return np.ones(len(rows), bool)
        if option.shape == TWIN:
            same: Mask = self.a_half[rows] == self.z_half[rows]
            return same
        if not option.has_own_plugs:
            return np.ones(len(rows), bool)  # a leg has its own receptacle, whichever that is
        near, far = self.head(option)[1][rows], self.tail(option)[1][rows]
        straight: Mask = (near - 1) % option.ports_a_leg == (far - 1) % option.ports_a_leg
        return straight

    def first_links(self, counted: Mask) -> Ints:
        """By cage, the first of its counted links; what links share counts by the objective of that one."""
        rows = np.flatnonzero(counted)
        first = np.full(self.size, len(self.a_cage), np.int64)
        for cage in (self.a_cage, self.z_cage):
            np.minimum.at(first, cage[rows], rows)
        return first

    def keepers(self, option: Option, rows: Ints, links: Ints) -> Ints:
        """The first of some links at the place of each row's cable, by whose objective a shared cable counts."""
        keys = [self.pair[links]] if option.shape == TWIN else self._places(option, links)
        at, link = np.concatenate(keys), np.tile(links, len(keys))
        order = np.lexsort((link, at))
        known, first = np.unique(at[order], return_index=True)
        found: Ints = link[order][first][np.searchsorted(known, self.place(option, rows))]
        return found

    def beside(self, option: Option, rows: Ints) -> Mask:
        """All links that may share the cables of some links of an option."""
        if not option.is_shared:
            alone = np.zeros(len(self.a_cage), bool)
            alone[rows] = True
            return alone
        here = self.place(option, rows)
        if option.shape == TWIN:
            return np.isin(self.pair, here)
        at_a, at_z = self._places(option, np.arange(len(self.a_cage)))
        return np.isin(at_a, here) | np.isin(at_z, here)

    def _places(self, option: Option, links: Ints) -> list[Ints]:
        """The place of a splitter's head at either end of some links."""
        ends = ((self.a_cage, self.a_half), (self.z_cage, self.z_half))
        return [cage[links] * SLOTS + (half[links] - 1) // option.ports for cage, half in ends]

    @cached_property
    def links_in(self) -> Ints:
        """Number of links in each cage."""
        return np.bincount(self.a_cage, minlength=self.size) + np.bincount(self.z_cage, minlength=self.size)

    @cached_property
    def _paired(self) -> Mask:
        """Whether all links of both cages run between these two, half to equal half."""
        counts = np.bincount(self.pair) if len(self.pair) else np.zeros(0, np.int64)
        crossed = np.bincount(self.pair, self.a_half != self.z_half, len(counts)) > 0
        together = counts[self.pair]
        found: Mask = (self.links_in[self.a_cage] == together) & (self.links_in[self.z_cage] == together)
        return found & ~crossed[self.pair]

    def only_these(self, row: int) -> bool:
        """Whether all links of a link's two cages run between these two, whichever half meets which."""
        a, z = int(self.a_cage[row]), int(self.z_cage[row])
        together = int((self.pair == self.pair[row]).sum())
        return int(self.links_in[a]) == together == int(self.links_in[z])

    def alone(self, option: Option, rows: Ints) -> Mask:
        """Whether no link of the topology is in the way of the option: whether it could serve all links of its cages."""
        if option.shape == TWIN:
            return self._paired[rows]
        if option.shape == SPLITTER and option.has_own_plugs:
            found: Mask = self.links_in[self.tail(option)[0][rows]] == option.ports_a_leg
            return found
        return np.ones(len(rows), bool)
