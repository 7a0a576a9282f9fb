"""What lies in the pathways: cross-section, weight and number of cables along each, stretch by stretch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.lengths import RoutesOfClass
from planner.pathways import Network
from planner.table import Ints, Table

_SHIFT = 44
"""Offsets of one building stay far below 2**44 nm (17 km), so a number and an offset pack into one sortable key."""


@dataclass(frozen=True, slots=True)
class Loads(Table):
    """Stretches of pathways with one load; offsets along the pathway in nm.

    area_um2: sum of the cables' cross-sections; unsized: cables whose diameter is unknown, unweighed likewise.
    """

    pathway: Ints
    from_nm: Ints
    to_nm: Ints
    area_um2: Ints
    mg_per_m: Ints
    cables: Ints
    unsized: Ints
    unweighed: Ints


@dataclass(frozen=True, slots=True)
class RouteLoad(Table):
    """What each cable lays along its route (a row of the class's routes)."""

    route: Ints
    area_um2: Ints
    mg_per_m: Ints
    cables: Ints
    unsized: Ints
    unweighed: Ints


WEIGHTS = ("area_um2", "mg_per_m", "cables", "unsized", "unweighed")


def loads_of(routed: Sequence[tuple[RoutesOfClass, RouteLoad]]) -> Loads:
    """Loads of all classes together; copper and fibre may share a pathway and run in networks of their own."""
    pieces = [_on_pathways(routes.network, _on_chains(routes, load)) for routes, load in routed if len(load)]
    if not pieces:
        return Loads(*np.zeros((8, 0), np.int64))
    if len(pieces) == 1:
        return pieces[0]
    joined = Loads(*(np.concatenate([getattr(p, f) for p in pieces]) for f in Loads.__dataclass_fields__))
    weights = np.stack([getattr(joined, name) for name in WEIGHTS])
    where, low, high, total = _swept(joined.pathway, joined.from_nm, joined.to_nm, weights, np.zeros((2, 0), np.int64))
    return Loads(where, low, high, *total)


def _on_chains(routes: RoutesOfClass, load: RouteLoad) -> Loads:
    """Loads by chain (in `pathway`'s place), cut also where one edge ends and the next begins."""
    ways, network = routes.ways, routes.network
    by_route = np.zeros((len(WEIGHTS), len(routes.routes)), np.int64)
    for line, name in enumerate(WEIGHTS):
        np.add.at(by_route[line], load.route, getattr(load, name))
    stretch_route = np.repeat(np.arange(len(routes.routes)), np.diff(ways.bounds))
    used = by_route[2][stretch_route] > 0
    low = np.minimum(ways.from_nm, ways.to_nm)[used]
    high = np.maximum(ways.from_nm, ways.to_nm)[used]
    edges = network.edges
    cuts = np.stack((np.tile(edges.chain, 2), np.concatenate((edges.chain_from_nm, edges.chain_to_nm))))
    where, start, stop, total = _swept(ways.chain[used], low, high, by_route[:, stretch_route[used]], cuts)
    return Loads(where, start, stop, *total)


def _swept(where: Ints, low: Ints, high: Ints, weights: Ints, cuts: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Sum of overlapping stretches: pieces between neighbouring ends, with the total weight on each; empty ones go."""
    starts, stops = (where << _SHIFT) + low, (where << _SHIFT) + high
    points = np.unique(np.concatenate((starts, stops, (cuts[0] << _SHIFT) + cuts[1])))
    change = np.zeros((len(weights), len(points)), np.int64)
    for line in range(len(weights)):
        np.add.at(change[line], np.searchsorted(points, starts), weights[line])
        np.add.at(change[line], np.searchsorted(points, stops), -weights[line])
    total = np.cumsum(change, axis=1)[:, :-1]
    loaded = total[2] > 0
    mask = (1 << _SHIFT) - 1
    return (points[:-1] >> _SHIFT)[loaded], (points[:-1] & mask)[loaded], (points[1:] & mask)[loaded], total[:, loaded]


def _on_pathways(network: Network, chains: Loads) -> Loads:
    """From offsets on chains to offsets on pathways; risers, which have no section, are left out."""
    edges = network.edges
    low = np.minimum(edges.chain_from_nm, edges.chain_to_nm)
    order = np.lexsort((low, edges.chain))
    keys = (edges.chain[order] << _SHIFT) + low[order]
    edge = order[np.searchsorted(keys, (chains.pathway << _SHIFT) + chains.from_nm, side="right") - 1]
    forward = edges.chain_to_nm[edge] >= edges.chain_from_nm[edge]
    begin = _segment_start(network)[edges.segment[edge]] + edges.offset_nm[edge]
    into = np.where(forward, chains.from_nm - edges.chain_from_nm[edge], edges.chain_from_nm[edge] - chains.to_nm)
    flat = edges.segment[edge] >= 0
    start = begin + into
    rows = np.flatnonzero(flat)
    order = rows[np.lexsort((start[rows], edges.pathway[edge][rows]))]
    part = chains.take(order)
    return Loads(
        edges.pathway[edge][order],
        start[order],
        start[order] + (part.to_nm - part.from_nm),
        *(getattr(part, name) for name in WEIGHTS),
    )


def _segment_start(network: Network) -> Ints:
    """Offset at which each segment begins along its pathway."""
    length, pathway = network.segments.length_nm, network.segments.pathway
    total = np.concatenate(([0], np.cumsum(length)))[:-1]
    first = np.searchsorted(pathway, pathway)
    return np.asarray(total - total[first], np.int64)
