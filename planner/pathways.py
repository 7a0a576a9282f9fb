"""The pathways of one cable class as a network: cut where they meet, joined into chains between junctions.

A chain is a way between two junctions with nothing to decide on it; racks join chains at offsets. Routing then runs on
junctions only. All lengths are whole nanometres, rounded once a segment, so that sums do not depend on their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from planner.layout import Layout, PlanPointUm
from planner.locate import ways_out
from planner.names import natural_rank
from planner.project import CableClass
from planner.table import Floats, Ints, Mask, Table

if TYPE_CHECKING:
    import networkx as nx
    import shapely

MEET_UM: Final = 1_000
"""Two pathways of one height meet where an end comes this near to the other: a slanted run written in whole
millimetres misses its neighbour by less."""

NM_PER_UM: Final = 1_000


@dataclass(frozen=True, slots=True)
class Segments(Table):
    """Straight pieces of pathways; number of the pathway (a riser's comes after the last pathway's), ends in plan."""

    pathway: Ints
    x0: Ints
    y0: Ints
    x1: Ints
    y1: Ints
    height: Ints
    length_nm: Ints


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


@dataclass(frozen=True, slots=True)
class Joins(Table):
    """Where a drop may join a pathway: at an offset of a chain, after a rise. Ordered by drop, then pathway name."""

    drop: Ints
    pathway: Ints
    chain: Ints
    offset_nm: Ints
    rise_nm: Ints
    x_um: Ints
    y_um: Ints


@dataclass(frozen=True, slots=True)
class Drops(Table):
    """Every exit of every rack: its rack, the way out of the rack's type, and its point in the room."""

    rack: Ints
    way: Ints
    x_um: Ints
    y_um: Ints
    z_um: Ints


def drops_of(layout: Layout) -> Drops:
    """Drops in order of rack, then of the way out's number in `ways_out`."""
    rows = []
    for number, rack in enumerate(layout.racks):
        for way_number, way in enumerate(ways_out(rack.type)):
            x, y = rack.plan_um(way.exit.x_mm, way.exit.y_mm)
            rows.append((number, way_number, x, y, way.exit.z_mm))
    return Drops.of_rows(rows)


def carrying(layout: Layout, cable_class: CableClass) -> tuple[int, ...]:
    """Numbers of the pathways that carry a class."""
    return tuple(number for number, pathway in enumerate(layout.pathways) if cable_class in pathway.carries)


def network_of(layout: Layout, pathways: Iterable[int]) -> Network:
    """The network of some of the layout's pathways, and of the risers that join them."""
    names = tuple(p.name for p in layout.pathways) + tuple(r.name for r in layout.risers)
    segments = _segments(layout, pathways)
    cuts, node_um = _cuts(segments)
    vertical = _riser_cuts(layout, segments, cuts, node_um)
    edges, chains, junctions = _chained(_edges(segments, cuts, vertical), len(node_um))
    return Network(names, segments, edges, chains, np.array(node_um, np.int64).reshape(-1, 3), junctions)


def _segments(layout: Layout, pathways: Iterable[int]) -> Segments:
    rows = []
    for number in pathways:
        pathway = layout.pathways[number]
        for (x0, y0), (x1, y1) in pairwise(pathway.path_um):
            if (x0, y0) != (x1, y1):
                rows.append((number, x0, y0, x1, y1, pathway.height_um, 0))
    flat = Segments.of_rows(rows)
    dx, dy = (flat.x1 - flat.x0).astype(float), (flat.y1 - flat.y0).astype(float)
    return replace(flat, length_nm=_nm(dx, dy))


def _nm(dx_um: Floats, dy_um: Floats) -> Ints:
    """Length of plan differences in whole nanometres; exact along the axes."""
    length: Ints = np.rint(np.hypot(dx_um, dy_um) * NM_PER_UM).astype(np.int64)
    return length


Cuts = dict[int, dict[int, int]]
"""By segment, the node at each offset (nm)."""


def _cuts(segments: Segments) -> tuple[Cuts, list[tuple[int, int, int]]]:
    """Where each segment is cut: at its ends, and where others of its height meet it."""
    nodes: dict[tuple[int, int, int], int] = {}
    cuts: Cuts = {}

    def node(x: int, y: int, height: int) -> int:
        return nodes.setdefault((x, y, height), len(nodes))

    for s, (x0, y0, x1, y1, h, nm) in enumerate(
        zip(*(getattr(segments, n).tolist() for n in ("x0", "y0", "x1", "y1", "height", "length_nm")), strict=True)
    ):
        cuts[s] = {0: node(x0, y0, h), nm: node(x1, y1, h)}
    same = _Merged()
    for s, offset, x, y in _meetings(segments):
        h = int(segments.height[s])
        length = int(segments.length_nm[s])
        # An end that all but touches another end is that end, lest a sliver of a millimetre remain between them.
        at = 0 if offset <= MEET_UM * NM_PER_UM else length if offset >= length - MEET_UM * NM_PER_UM else offset
        here = node(x, y, h)
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


def _meetings(segments: Segments) -> Iterator[tuple[int, int, int, int]]:
    """Each meeting of two segments of one height, from both: segment, offset (nm), and the point in plan.

    Ends near the other segment come first; only segments with no end on each other can truly cross.
    """
    if not len(segments):
        return
    first, second = _near_pairs(segments)
    x0, y0, x1, y1 = (getattr(segments, n).astype(float) for n in ("x0", "y0", "x1", "y1"))
    touching = np.zeros(len(first), bool)
    for own, other in ((first, second), (second, first)):
        for px, py in ((x0[own], y0[own]), (x1[own], y1[own])):
            along, away = _projected(px, py, x0[other], y0[other], x1[other], y1[other])
            on = away <= MEET_UM
            touching |= on
            for s, o, nm, x, y in zip(
                other[on].tolist(), own[on].tolist(), along[on].tolist(), px[on].tolist(), py[on].tolist(), strict=True
            ):
                yield s, round(nm), int(x), int(y)
                end = 0 if (x, y) == (x0[o], y0[o]) else int(segments.length_nm[o])
                yield o, end, int(x), int(y)
    crossing = ~touching
    a, b = first[crossing], second[crossing]
    rx, ry, sx, sy = x1[a] - x0[a], y1[a] - y0[a], x1[b] - x0[b], y1[b] - y0[b]
    with np.errstate(divide="ignore", invalid="ignore"):
        turn = rx * sy - ry * sx
        t = ((x0[b] - x0[a]) * sy - (y0[b] - y0[a]) * sx) / turn
        u = ((x0[b] - x0[a]) * ry - (y0[b] - y0[a]) * rx) / turn
    inside = (turn != 0) & (t > 0) & (t < 1) & (u > 0) & (u < 1)
    px, py = np.rint(x0[a] + t * rx), np.rint(y0[a] + t * ry)
    for which in (a, b):
        along, _ = _projected(px, py, x0[which], y0[which], x1[which], y1[which])
        yield from (
            (s, round(nm), int(x), int(y))
            for s, nm, x, y in zip(
                which[inside].tolist(), along[inside].tolist(), px[inside].tolist(), py[inside].tolist(), strict=True
            )
        )


def _near_pairs(segments: Segments) -> tuple[Ints, Ints]:
    """Pairs of segments of one height that come within MEET_UM of each other, each pair once, in order."""
    import shapely

    lines = _lines(segments)
    left, right = shapely.STRtree(lines).query(lines, predicate="dwithin", distance=float(MEET_UM))
    keep = (left < right) & (segments.height[left] == segments.height[right])
    left, right = left[keep].astype(np.int64), right[keep].astype(np.int64)
    order = np.lexsort((right, left))
    return left[order], right[order]


def _lines(segments: Segments) -> list[shapely.LineString]:
    import shapely

    starts, stops = np.stack((segments.x0, segments.y0), 1), np.stack((segments.x1, segments.y1), 1)
    lines: list[shapely.LineString] = np.asarray(
        shapely.linestrings(np.stack((starts, stops), 1).astype(float))
    ).tolist()
    return lines


def _projected(px: Floats, py: Floats, x0: Floats, y0: Floats, x1: Floats, y1: Floats) -> tuple[Floats, Floats]:
    """For each point and segment: offset (nm) of the nearest point along the segment, and distance to it (um)."""
    dx, dy = x1 - x0, y1 - y0
    length = np.hypot(dx, dy)
    along = np.clip(((px - x0) * dx + (py - y0) * dy) / length, 0.0, length)
    away = np.hypot(px - (x0 + dx / length * along), py - (y0 + dy / length * along))
    return along * NM_PER_UM, away


def _riser_cuts(
    layout: Layout, segments: Segments, cuts: Cuts, node_um: list[tuple[int, int, int]]
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
        x, y = np.full(len(rows), float(at[0])), np.full(len(rows), float(at[1]))
        along, away = _projected(
            x, y, part.x0.astype(float), part.y0.astype(float), part.x1.astype(float), part.y1.astype(float)
        )
        best = int(np.argmin(away))
        if away[best] <= MEET_UM:
            yield int(part.height[best]), int(rows[best]), round(float(along[best]))


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


def joins_of(layout: Layout, network: Network, drops: Drops) -> Joins:
    """Every pathway that each drop may join, at the pathway's point nearest to the drop in plan (all of equally near)."""
    import shapely

    segments = network.segments
    if not len(segments) or not len(drops):
        return Joins(*np.zeros((7, 0), np.int64))
    reach = np.array([layout.racks[r].type.drop_reach_mm for r in drops.rack.tolist()], np.float64)
    points = shapely.points(drops.x_um.astype(float), drops.y_um.astype(float))
    # A tenth of a micrometre, so that a pathway exactly at the limit is within it.
    drop, segment = shapely.STRtree(_lines(segments)).query(points, predicate="dwithin", distance=reach + 0.1)
    part = segments.take(segment)
    px, py = drops.x_um[drop].astype(float), drops.y_um[drop].astype(float)
    x0, y0, x1, y1 = (getattr(part, n).astype(float) for n in ("x0", "y0", "x1", "y1"))
    along, away = _projected(px, py, x0, y0, x1, y1)
    offset, distance = np.rint(along).astype(np.int64), np.rint(away * NM_PER_UM).astype(np.int64)
    share = along / part.length_nm
    x = np.rint(part.x0 + (part.x1 - part.x0) * share).astype(np.int64)
    y = np.rint(part.y0 + (part.y1 - part.y0) * share).astype(np.int64)
    rows = np.lexsort((offset, segment, distance, network.pathway_rank[part.pathway], drop))
    rows = rows[_nearest(drop[rows], part.pathway[rows], distance[rows], x[rows], y[rows])]
    drop, segment, part, offset, distance = drop[rows], segment[rows], part.take(rows), offset[rows], distance[rows]
    climb = np.array([2 * p.type.side_wall_mm if p.entry == "side" else 0 for p in layout.pathways], np.int64)[
        part.pathway
    ]
    rise = distance + (np.abs(part.height - drops.z_um[drop]) + climb) * NM_PER_UM
    chain, chain_offset = _on_chain(network, segment, offset)
    return Joins(drop.astype(np.int64), part.pathway, chain, chain_offset, rise, x[rows], y[rows])


def _nearest(drop: Ints, pathway: Ints, distance: Ints, x: Ints, y: Ints) -> Mask:
    """Which rows, in order of drop, pathway and distance, are nearest: several where a pathway bends around the drop."""
    begins = np.ones(len(drop), bool)
    begins[1:] = (drop[1:] != drop[:-1]) | (pathway[1:] != pathway[:-1])
    first = np.maximum.accumulate(np.where(begins, np.arange(len(drop)), 0))
    # A corner is the end of two segments, and one place.
    corner = ~begins
    corner[1:] &= (x[1:] == x[:-1]) & (y[1:] == y[:-1])
    nearest: Mask = (distance == distance[first]) & ~corner
    return nearest


def _on_chain(network: Network, segment: Ints, offset_nm: Ints) -> tuple[Ints, Ints]:
    """The chain of a point on a segment, and its offset from the chain's first junction."""
    edges = network.edges
    order = np.lexsort((edges.offset_nm, edges.segment))
    # Offsets of one building stay far below 2**44 nm (17 km), so a segment and an offset pack into one sortable number.
    keys = (edges.segment[order] << 44) + edges.offset_nm[order]
    edge = order[np.searchsorted(keys, (segment.astype(np.int64) << 44) + offset_nm, side="right") - 1]
    into = offset_nm - edges.offset_nm[edge]
    forward = edges.chain_to_nm[edge] >= edges.chain_from_nm[edge]
    return edges.chain[edge], edges.chain_from_nm[edge] + np.where(forward, into, -into)
