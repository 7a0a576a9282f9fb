"""Where pathways that do not hang together come nearest to each other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from planner.layout import Layout
from planner.pathways.network import Network
from planner.table import Floats, Ints


class Gap(NamedTuple):
    """Two pathways that do not meet: how far apart they are in plan at their nearest, and by how much one is higher there."""

    one: int
    other: int
    plan_um: int
    height_um: int


def parts_of(network: Network, pathways: int) -> Ints:
    """By number of a pathway or riser, the part of the network that it hangs together with."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    edges = network.edges
    size = pathways + len(network.node_um)
    start = np.tile(edges.pathway, 2)
    stop = pathways + np.concatenate((edges.node_a, edges.node_b))
    graph = csr_array((np.ones(len(start)), (start, stop)), shape=(size, size))
    return connected_components(graph, directed=False)[1][:pathways].astype(np.int64)


def nearest_gap(layout: Layout, ones: Ints, others: Ints) -> Gap | None:
    """Of two sets of pathways, the two that come nearest in plan, then in height; None where a set is empty."""
    import shapely
    from shapely.ops import nearest_points

    lines = [shapely.LineString(p.path_um) if len(set(p.path_um)) > 1 else shapely.Point(p.path_um[0]) for p in layout.pathways]  # fmt: skip
    best: tuple[int, int, int, int] | None = None
    far = np.array(lines, object)[others]
    for one in ones.tolist():
        away = shapely.distance(lines[one], far)
        for n in np.flatnonzero(away <= away.min(initial=np.inf) + 1).tolist():
            other = int(others[n])
            here, there = (np.array(point.coords[0]) for point in nearest_points(lines[one], lines[other]))
            height = abs(_height_at(layout, one, here) - _height_at(layout, other, there))
            found = (round(float(away[n])), height, one, other)
            best = found if best is None else min(best, found)
    return None if best is None else Gap(best[2], best[3], best[0], best[1])


def _height_at(layout: Layout, number: int, at: Floats) -> int:
    """Height of a pathway at its point nearest to a plan point, the lowest of several."""
    points = np.array(layout.pathways[number].points_um, float)
    first, way = points[:-1], np.diff(points, axis=0)
    squared = (way[:, :2] ** 2).sum(axis=1)
    share = ((at - first[:, :2]) * way[:, :2]).sum(axis=1) / np.where(squared == 0, 1, squared)
    share = np.clip(np.where(squared == 0, 0, share), 0, 1)
    there = first + way * share[:, None]
    miss = np.hypot(*(there[:, :2] - at).T)
    return round(float(there[miss <= miss.min() + 1, 2].min()))
