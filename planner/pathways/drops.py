"""Where racks join the pathways: the exits of every rack, and the places of every pathway that each exit may reach."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.layout import Layout
from planner.locate import ways_out
from planner.pathways.network import Network
from planner.pathways.segments import NM_PER_UM, Segments, in_plan, lines_of, segments_of
from planner.table import Floats, Ints, Mask, Table


@dataclass(frozen=True, slots=True)
class Joins(Table):
    """Where a drop may join a pathway: at an offset of a chain, after a rise, at a point of the room.

    Ordered by drop, then pathway name.
    """

    drop: Ints
    pathway: Ints
    chain: Ints
    offset_nm: Ints
    rise_nm: Ints
    x_um: Ints
    y_um: Ints
    z_um: Ints


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


def joins_of(layout: Layout, network: Network, drops: Drops) -> Joins:
    """Every pathway that each drop may join, at the pathway's point nearest to the drop in plan (all of equally near).

    An upright piece is joined at the exit's height, or at its end that comes nearest to it.
    """
    segments = network.segments
    if not len(segments) or not len(drops):
        return Joins(*np.zeros((8, 0), np.int64))
    drop, segment = _within(layout, segments, drops)
    # A piece whose ends are one node, as both meet one end of another, is that node, and joined through its neighbours.
    whole = np.isin(segment, network.edges.segment)
    drop, segment = drop[whole], segment[whole]
    part, exit_um = segments.take(segment), drops.z_um[drop]
    share, away = in_plan(part, drops.x_um[drop].astype(float), drops.y_um[drop].astype(float))
    share = np.where(_upright(part), _share_at_height(part, exit_um), share)
    offset, distance = np.rint(share * part.length_nm).astype(np.int64), np.rint(away * NM_PER_UM).astype(np.int64)
    x, y, z = (
        np.rint(first + (last - first) * share).astype(np.int64)
        for first, last in ((part.x0, part.x1), (part.y0, part.y1), (part.z0, part.z1))
    )
    climb = np.array([2 * p.type.side_wall_mm if p.entry == "side" else 0 for p in layout.pathways], np.int64)
    rise = distance + (np.abs(z - exit_um) + climb[part.pathway]) * NM_PER_UM
    rows = np.lexsort((offset, segment, distance, network.pathway_rank[part.pathway], drop))
    rows = rows[_nearest(drop[rows], part.pathway[rows], distance[rows], (x[rows], y[rows], z[rows]))]
    chain, chain_offset = _on_chain(network, segment[rows], offset[rows])
    return Joins(
        drop[rows].astype(np.int64), part.pathway[rows], chain, chain_offset, rise[rows], x[rows], y[rows], z[rows]
    )


def _within(layout: Layout, segments: Segments, drops: Drops) -> tuple[Ints, Ints]:
    """Pairs of a drop and a piece of a pathway within its reach in plan."""
    import shapely

    reach = np.array([layout.racks[r].type.drop_reach_mm for r in drops.rack.tolist()], np.float64)
    points = shapely.points(drops.x_um.astype(float), drops.y_um.astype(float))
    # A tenth of a micrometre, so that a pathway exactly at the limit is within it.
    drop, segment = shapely.STRtree(lines_of(segments)).query(points, predicate="dwithin", distance=reach + 0.1)
    return drop, segment


def racks_in_reach(layout: Layout, drops: Drops) -> set[int]:
    """Racks of which some exit is in reach of a pathway, whatever it carries."""
    segments = segments_of(layout, range(len(layout.pathways)))
    if not len(segments) or not len(drops):
        return set()
    return set(drops.rack[np.unique(_within(layout, segments, drops)[0])].tolist())


def _upright(part: Segments) -> Mask:
    upright: Mask = (part.x0 == part.x1) & (part.y0 == part.y1)
    return upright


def _share_at_height(part: Segments, height_um: Ints) -> Floats:
    """Where along an upright piece a height is, its nearer end where it does not reach that far."""
    rise = np.where(part.z0 == part.z1, 1, part.z1 - part.z0)
    share: Floats = np.clip((height_um - part.z0) / rise, 0.0, 1.0)
    return share


def _nearest(drop: Ints, pathway: Ints, distance: Ints, point: tuple[Ints, ...]) -> Mask:
    """Which rows, in order of drop, pathway and distance, are nearest: several where a pathway bends around the drop."""
    begins = np.ones(len(drop), bool)
    begins[1:] = (drop[1:] != drop[:-1]) | (pathway[1:] != pathway[:-1])
    first = np.maximum.accumulate(np.where(begins, np.arange(len(drop)), 0))
    # A corner is the end of two segments, and one place.
    corner = ~begins
    for axis in point:
        corner[1:] &= axis[1:] == axis[:-1]
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
