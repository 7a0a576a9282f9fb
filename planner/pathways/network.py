"""The pathways of one cable class as a network: cut where they meet, joined into chains between junctions.

A chain is a way between two junctions with nothing to decide on it; racks join chains at offsets (`drops`). Routing then
runs on junctions only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from planner.layout import Layout, PlanPointUm, PointUm
from planner.names import natural_rank
from planner.pathways.segments import MEET_UM, NM_PER_UM, Segments, in_plan, meetings, segments_of
from planner.project import CableClass
from planner.table import Ints, Table

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, slots=True)
class Edges(Table):
    """Pieces between neighbouring cuts: their nodes, their segment, offset along it, and place in a chain.

    chain_from_nm and chain_to_nm: offsets of node a and of node b from the chain's first junction.
    """

    node_a: Ints
    node_b: Ints
    segment: Ints
    pathway: Ints
    offset_nm: Ints
    length_nm: Ints
    chain: Ints
    chain_from_nm: Ints
    chain_to_nm: Ints


@dataclass(frozen=True, slots=True)
class Chains(Table):
    """Ways between two junctions."""

    first: Ints
    last: Ints
    length_nm: Ints


@dataclass(frozen=True)
class Network:
    """Pathways of one class. names: of pathways and then risers, by number; pathway_rank: their natural order."""

    names: tuple[str, ...]
    segments: Segments
    edges: Edges
    chains: Chains
    node_um: Ints
    junction_node: Ints

    @cached_property
    def pathway_rank(self) -> Ints:
        rank = natural_rank(self.names)
        return np.array([rank[name] for name in self.names], np.int64)

    @cached_property
    def edges_by_chain(self) -> list[Ints]:
        """Edge numbers of each chain, in order of their offset from its first junction."""
        if not len(self.edges):
            return []
        start = np.minimum(self.edges.chain_from_nm, self.edges.chain_to_nm)
        order = np.lexsort((start, self.edges.chain))
        bounds = np.searchsorted(self.edges.chain[order], np.arange(len(self.chains) + 1))
        return [order[bounds[i] : bounds[i + 1]] for i in range(len(self.chains))]

    @cached_property
    def chain_rank(self) -> Ints:
        """Order of chains by the names of the pathways that they run along."""
        rank = self.pathway_rank.tolist()
        pathway = self.edges.pathway.tolist()
        keys = [tuple(sorted({rank[pathway[e]] for e in edges.tolist()})) for edges in self.edges_by_chain]
        position = {key: index for index, key in enumerate(sorted(set(keys)))}
        return np.array([position[key] for key in keys], np.int64)

    def as_networkx(self) -> nx.Graph[int]:
        """Nodes and edges for checks and for the tests' oracle; weight `nm`, the shortest of parallel edges."""
        import networkx as nx

        graph: nx.Graph[int] = nx.Graph()
        graph.add_nodes_from(range(len(self.node_um)))
        for a, b, nm, pathway in zip(
            self.edges.node_a.tolist(),
            self.edges.node_b.tolist(),
            self.edges.length_nm.tolist(),
            self.edges.pathway.tolist(),
            strict=True,
        ):
            if not graph.has_edge(a, b) or graph[a][b]["nm"] > nm:
                graph.add_edge(a, b, nm=nm, pathway=self.names[pathway])
        return graph


def carrying(layout: Layout, cable_class: CableClass) -> tuple[int, ...]:
    """Numbers of the pathways that carry a class."""
    return tuple(number for number, pathway in enumerate(layout.pathways) if cable_class in pathway.carries)


def network_of(layout: Layout, pathways: Iterable[int]) -> Network:
    """The network of some of the layout's pathways, and of the risers that join them."""
    names = tuple(p.name for p in layout.pathways) + tuple(r.name for r in layout.risers)
    segments = segments_of(layout, pathways)
    cuts, node_um = _cuts(segments)
    vertical = _riser_cuts(layout, segments, cuts, node_um)
    edges, chains, junctions = _chained(_edges(segments, cuts, vertical), len(node_um))
    return Network(names, segments, edges, chains, np.array(node_um, np.int64).reshape(-1, 3), junctions)


Cuts = dict[int, dict[int, int]]
"""By segment, the node at each offset (nm)."""


def _cuts(segments: Segments) -> tuple[Cuts, list[PointUm]]:
    """Where each segment is cut: at its ends, and where others meet it."""
    nodes: dict[PointUm, int] = {}
    cuts: Cuts = {}

    def node(point: PointUm) -> int:
        return nodes.setdefault(point, len(nodes))

    columns = (getattr(segments, n).tolist() for n in ("x0", "y0", "z0", "x1", "y1", "z1", "length_nm"))
    for s, (x0, y0, z0, x1, y1, z1, nm) in enumerate(zip(*columns, strict=True)):
        cuts[s] = {0: node((x0, y0, z0)), nm: node((x1, y1, z1))}
    same = _Merged()
    length = segments.length_nm.tolist()
    for s, offset, point in meetings(segments):
        # An end that all but touches another end is that end, lest a sliver of a millimetre remain between them.
        beside = MEET_UM * NM_PER_UM
        at = 0 if offset <= beside else length[s] if offset >= length[s] - beside else offset
        here = node(point)
        same.join(cuts[s].setdefault(at, here), here)
    used = {s: {offset: same.root(n) for offset, n in by_offset.items()} for s, by_offset in cuts.items()}
    kept = {old: new for new, old in enumerate(sorted({n for by_offset in used.values() for n in by_offset.values()}))}
    points = list(nodes)
    return (
        {s: {offset: kept[n] for offset, n in by_offset.items()} for s, by_offset in used.items()},
        [points[old] for old in kept],
    )


class _Merged:
    """Union of nodes that are one; the smallest number stands for all."""

    def __init__(self) -> None:
        self._parent: dict[int, int] = {}

    def root(self, node: int) -> int:
        while (parent := self._parent.get(node, node)) != node:
            node = parent
        return node

    def join(self, a: int, b: int) -> None:
        low, high = sorted((self.root(a), self.root(b)))
        if low != high:
            self._parent[high] = low


def _riser_cuts(
    layout: Layout, segments: Segments, cuts: Cuts, node_um: list[PointUm]
) -> list[tuple[int, int, int, int]]:
    """Cut pathways where risers meet them; vertical edges as (node, node, number of the riser, nm)."""
    vertical = []
    for number, riser in enumerate(layout.risers):
        met = sorted(_met(layout, segments, riser.at_um, riser.joins))
        ends = []
        for height, s, offset in met:
            if offset not in cuts[s]:
                node_um.append((*riser.at_um, height))
                cuts[s][offset] = len(node_um) - 1
            ends.append((height, cuts[s][offset]))
        for (low, a), (high, b) in pairwise(ends):
            if a != b:
                vertical.append((a, b, len(layout.pathways) + number, (high - low) * NM_PER_UM))
    return vertical


def _met(layout: Layout, segments: Segments, at: PlanPointUm, joins: tuple[str, ...]) -> Iterator[tuple[int, int, int]]:
    """For each pathway that a riser joins and passes within MEET_UM: height, segment and offset."""
    for name in joins:
        rows = np.flatnonzero(segments.pathway == layout.pathway_index[name.casefold()])
        if not len(rows):
            continue
        part = segments.take(rows)
        there, away = in_plan(part, np.full(len(rows), float(at[0])), np.full(len(rows), float(at[1])))
        best = int(np.argmin(away))
        if away[best] <= MEET_UM:
            low, high = int(part.z0[best]), int(part.z1[best])
            offset = round(float(there[best]) * int(part.length_nm[best]))
            yield low + round((high - low) * float(there[best])), int(rows[best]), offset


def _edges(segments: Segments, cuts: Cuts, vertical: list[tuple[int, int, int, int]]) -> Edges:
    rows = []
    for s, by_offset in cuts.items():
        offsets = sorted(by_offset)
        for low, high in pairwise(offsets):
            if by_offset[low] != by_offset[high]:
                rows.append((by_offset[low], by_offset[high], s, int(segments.pathway[s]), low, high - low, -1, -1, -1))
    rows += [(a, b, -1, pathway, 0, nm, -1, -1, -1) for a, b, pathway, nm in vertical]
    return Edges.of_rows(rows)


def _chained(edges: Edges, node_count: int) -> tuple[Edges, Chains, Ints]:
    """Edges numbered into chains, the chains, and the node of each junction."""
    at_node: list[list[int]] = [[] for _ in range(node_count)]
    ends = list(zip(edges.node_a.tolist(), edges.node_b.tolist(), strict=True))
    for e, (a, b) in enumerate(ends):
        at_node[a].append(e)
        at_node[b].append(e)
    length = edges.length_nm.tolist()
    chain, start, stop = [-1] * len(ends), [0] * len(ends), [0] * len(ends)
    chains: list[tuple[int, int, int]] = []
    junction: dict[int, int] = {}

    def walk(node: int, e: int) -> None:
        first = junction.setdefault(node, len(junction))
        offset, here = 0, node
        while True:
            chain[e] = len(chains)
            a, b = ends[e]
            there = b if here == a else a
            start[e], stop[e] = (offset, offset + length[e]) if here == a else (offset + length[e], offset)
            offset, here = offset + length[e], there
            onward = [other for other in at_node[here] if chain[other] < 0]
            if len(at_node[here]) != 2 or here == node or not onward:
                break
            e = onward[0]
        chains.append((first, junction.setdefault(here, len(junction)), offset))

    # Junctions first; what is left then are rings without one, which begin at their smallest node.
    for node in [*(n for n in range(node_count) if len(at_node[n]) != 2), *range(node_count)]:
        for e in at_node[node]:
            if chain[e] < 0:
                walk(node, e)
    numbered = replace(
        edges,
        chain=np.array(chain, np.int64),
        chain_from_nm=np.array(start, np.int64),
        chain_to_nm=np.array(stop, np.int64),
    )
    return numbered, Chains.of_rows(chains), np.array(list(junction), np.int64)
