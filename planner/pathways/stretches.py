"""The pathways cut wherever a cable may enter, leave or turn: the pieces that ways are weighed by and cables add up in.

A cell is a piece of a pathway between two neighbouring cuts, numbered along the pathways; copper and fibre share cells
though each has a network of its own. A stretch is a cell, or a riser, as a piece of one network's chains.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from planner.pathways.drops import Joins
from planner.pathways.network import Network
from planner.routing.routes import Along, Ways
from planner.table import Ints

SHIFT: Final = 44
"""Offsets of one building stay far below 2**44 nm (17 km), so a number and an offset pack into one sortable key."""

RISER: Final = -1
"""The cell of a riser, which has no section and fills nothing."""


@dataclass(frozen=True)
class Cells:
    """Cuts of pathways as sorted keys (pathway and offset); cell i lies between cuts i and i + 1 of one pathway."""

    keys: Ints

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def pathway(self) -> Ints:
        return self.keys >> SHIFT

    @classmethod
    def of(cls, networks: Sequence[tuple[Network, Joins]]) -> Cells:
        """Cut at the ends of all edges and at all joins of some networks of one layout."""
        found = []
        for network, joins in networks:
            edges = network.edges
            flat = edges.segment >= 0
            low = segment_start(network)[edges.segment[flat]] + edges.offset_nm[flat]
            keys = (edges.pathway[flat] << SHIFT) + low
            found += [keys, keys + edges.length_nm[flat]]
            found.append(_pathway_keys(network, joins))
        return cls(np.unique(np.concatenate(found)) if found else np.zeros(0, np.int64))


def segment_start(network: Network) -> Ints:
    """Offset at which each segment begins along its pathway."""
    length, pathway = network.segments.length_nm, network.segments.pathway
    total = np.concatenate(([0], np.cumsum(length)))[:-1]
    first = np.searchsorted(pathway, pathway)
    return np.asarray(total - total[first], np.int64)


def _pathway_keys(network: Network, joins: Joins) -> Ints:
    """Where joins lie along their pathways, from where they lie along their chains."""
    edges = network.edges
    low = np.minimum(edges.chain_from_nm, edges.chain_to_nm)
    # A join where one pathway of a chain ends and the next begins lies on the edge of its own pathway.
    order = np.lexsort((low, edges.pathway, edges.chain))
    rank = np.unique((edges.chain << 20) + edges.pathway, return_inverse=True)[1]
    group = np.unique((edges.chain << 20) + edges.pathway)
    wanted = np.searchsorted(group, (joins.chain << 20) + joins.pathway)
    keys = (rank[order] << SHIFT) + low[order]
    edge = order[np.searchsorted(keys, (wanted << SHIFT) + joins.offset_nm, side="right") - 1]
    forward = edges.chain_to_nm[edge] >= edges.chain_from_nm[edge]
    into = np.where(forward, joins.offset_nm - edges.chain_from_nm[edge], edges.chain_from_nm[edge] - joins.offset_nm)
    return (joins.pathway << SHIFT) + segment_start(network)[edges.segment[edge]] + edges.offset_nm[edge] + into


@dataclass(frozen=True)
class Stretches:
    """The chains of a network cut into cells and risers, chain by chain in order of offset.

    chain, low_nm, length_nm: where each lies; cell: RISER for a riser. pathway: number in the network's names.
    bounds: stretches of chain c are those from bounds[c] to bounds[c + 1]. at_join: the stretch that begins at each join (where a chain
    ends, the first of the next one); chain_of_join: the join's chain.
    """

    chain: Ints
    low_nm: Ints
    length_nm: Ints
    cell: Ints
    pathway: Ints
    bounds: Ints
    at_join: Ints
    chain_of_join: Ints

    @classmethod
    def of(cls, network: Network, joins: Joins, cells: Cells) -> Stretches:
        edges = network.edges
        flat = np.flatnonzero(edges.segment >= 0)
        risers = np.flatnonzero(edges.segment < 0)
        begin = (edges.pathway[flat] << SHIFT) + segment_start(network)[edges.segment[flat]] + edges.offset_nm[flat]
        first = np.searchsorted(cells.keys, begin)
        count = np.searchsorted(cells.keys, begin + edges.length_nm[flat]) - first
        edge = np.repeat(np.arange(len(flat)), count)
        cell = first[edge] + np.arange(len(edge)) - np.repeat(np.cumsum(count) - count, count)
        into = cells.keys[cell] - begin[edge]
        length = cells.keys[np.minimum(cell + 1, len(cells) - 1)] - cells.keys[cell]
        of_edge = flat[edge]
        start = edges.chain_from_nm[of_edge]
        forward = edges.chain_to_nm[of_edge] >= start
        low = np.where(forward, start + into, start - into - length)
        chain = np.concatenate((edges.chain[of_edge], edges.chain[risers]))
        low = np.concatenate((low, np.minimum(edges.chain_from_nm[risers], edges.chain_to_nm[risers])))
        order = np.argsort((chain << SHIFT) + low, kind="stable")
        keys = ((chain << SHIFT) + low)[order]
        return cls(
            chain=chain[order],
            low_nm=low[order],
            length_nm=np.concatenate((length, edges.length_nm[risers]))[order],
            cell=np.concatenate((cell, np.full(len(risers), RISER, np.int64)))[order],
            pathway=np.concatenate((edges.pathway[of_edge], edges.pathway[risers]))[order],
            bounds=np.searchsorted(chain[order], np.arange(len(network.chains) + 1)).astype(np.int64),
            at_join=np.searchsorted(keys, (joins.chain << SHIFT) + joins.offset_nm).astype(np.int64),
            chain_of_join=joins.chain,
        )

    def __len__(self) -> int:
        return len(self.chain)

    def along(self, amount: Ints) -> Along:
        """Something that each stretch has, summed along the chains."""
        total = np.concatenate(([0], np.cumsum(amount)))
        at_chain = total[self.bounds]
        return Along(total[self.at_join] - at_chain[self.chain_of_join], np.diff(at_chain))

    @cached_property
    def _keys(self) -> Ints:
        """Chain and offset of each stretch, in order."""
        return (self.chain << SHIFT) + self.low_nm

    def ranges(self, ways: Ways) -> tuple[Ints, Ints]:
        """The stretches that each piece of some ways runs along: from the first to before the last number."""
        keys = self._keys
        low, high = np.minimum(ways.from_nm, ways.to_nm), np.maximum(ways.from_nm, ways.to_nm)
        return np.searchsorted(keys, (ways.chain << SHIFT) + low), np.searchsorted(keys, (ways.chain << SHIFT) + high)

    def cells_along(self, ways: Ways) -> list[Ints]:
        """The cells that each of some ways fills."""
        first, last = self.ranges(ways)
        size = last - first
        bounds = np.concatenate(([0], np.cumsum(size)))
        flat = np.repeat(first - bounds[:-1], size) + np.arange(bounds[-1])
        found = self.cell[flat]
        cuts = bounds[ways.bounds]
        return [
            (part := found[low:high])[part != RISER]
            for low, high in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)
        ]

    def laid(self, ways: Ways, by_route: Ints, cells: int) -> Ints:
        """What lies in each cell when every route lays an amount along its way."""
        first, last = self.ranges(ways)
        amount = np.repeat(by_route, np.diff(ways.bounds))
        change = np.zeros(len(self) + 1, np.int64)
        np.add.at(change, first, amount)
        np.add.at(change, last, -amount)
        on_stretch = np.cumsum(change)[:-1]
        flat = self.cell != RISER
        total = np.zeros(cells, np.int64)
        np.add.at(total, self.cell[flat], on_stretch[flat])
        return total
