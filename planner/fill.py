"""What lies in the pathways and in the racks' vertical managers, stretch by stretch: cross-section, number, weight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import pi

import numpy as np

from planner.layout import Layout
from planner.lengths.bays import Bays
from planner.lengths.inside import runs_inside
from planner.lengths.measure import Lengths, RoutesOfClass
from planner.locate import Places, ways_out
from planner.pathways.network import Network
from planner.routing.routes import Ways
from planner.selection.choose import Selection
from planner.table import Ints, Mask, Table, grouped

_SHIFT = 44
"""Offsets of one building stay far below 2**44 nm (17 km), so a number and an offset pack into one sortable key."""


@dataclass(frozen=True, slots=True)
class Loads(Table):
    """Stretches of pathways with one load; offsets along the pathway in nm.

    area_um2: sum of the cables' cross-sections, copper_um2 of the copper ones among them; unsized: cables whose diameter is unknown, unweighed likewise.
    """

    pathway: Ints
    from_nm: Ints
    to_nm: Ints
    area_um2: Ints
    mg_per_m: Ints
    cables: Ints
    unsized: Ints
    unweighed: Ints
    copper_um2: Ints


@dataclass(frozen=True, slots=True)
class RouteLoad(Table):
    """What each cable lays along its route (a row of the class's routes)."""

    route: Ints
    area_um2: Ints
    mg_per_m: Ints
    cables: Ints
    unsized: Ints
    unweighed: Ints
    copper_um2: Ints


@dataclass(frozen=True, slots=True)
class TrunkLoad(Table):
    """What is laid along a part of a route, from one of its ends: what the legs of a splitter save in their trunk, below 0.

    from_start: 1 where the part begins at the start of the route as it is kept, 0 at its other end.
    """

    route: Ints
    from_start: Ints
    length_nm: Ints
    area_um2: Ints
    mg_per_m: Ints
    cables: Ints
    unsized: Ints
    unweighed: Ints
    copper_um2: Ints


WEIGHTS = ("area_um2", "mg_per_m", "cables", "unsized", "unweighed", "copper_um2")


def loads_of(routed: Sequence[tuple[RoutesOfClass, RouteLoad, TrunkLoad]]) -> Loads:
    """Loads of all classes together; copper and fibre may share a pathway and run in networks of their own."""
    pieces = [
        _on_pathways(routes.network, _on_chains(routes, load, trunk)) for routes, load, trunk in routed if len(load)
    ]
    if not pieces:
        return Loads(*np.zeros((9, 0), np.int64))
    if len(pieces) == 1:
        return pieces[0]
    joined = Loads(*(np.concatenate([getattr(p, f) for p in pieces]) for f in Loads.__dataclass_fields__))
    weights = np.stack([getattr(joined, name) for name in WEIGHTS])
    where, low, high, total = _swept(joined.pathway, joined.from_nm, joined.to_nm, weights, np.zeros((2, 0), np.int64))
    return Loads(where, low, high, *total)


def _on_chains(routes: RoutesOfClass, load: RouteLoad, trunk: TrunkLoad) -> Loads:
    """Loads by chain (in `pathway`'s place), cut also where one edge ends and the next begins."""
    ways, network = routes.ways, routes.network
    by_route = np.zeros((len(WEIGHTS), len(routes.routes)), np.int64)
    for line, name in enumerate(WEIGHTS):
        np.add.at(by_route[line], load.route, getattr(load, name))
    stretch_route = np.repeat(np.arange(len(routes.routes)), np.diff(ways.bounds))
    used = by_route[2][stretch_route] > 0
    low = np.minimum(ways.from_nm, ways.to_nm)[used]
    high = np.maximum(ways.from_nm, ways.to_nm)[used]
    which, chain, begin, end = _in_part(ways, trunk)
    saved = np.stack([getattr(trunk, name) for name in WEIGHTS])[:, which]
    edges = network.edges
    cuts = np.stack((np.tile(edges.chain, 2), np.concatenate((edges.chain_from_nm, edges.chain_to_nm))))
    where, start, stop, total = _swept(
        np.concatenate((ways.chain[used], chain)),
        np.concatenate((low, begin)),
        np.concatenate((high, end)),
        np.concatenate((by_route[:, stretch_route[used]], saved), axis=1),
        cuts,
    )
    return Loads(where, start, stop, *total)


def _in_part(ways: Ways, trunk: TrunkLoad) -> tuple[Ints, Ints, Ints, Ints]:
    """The stretches of parts of routes: which part, its chain, and from where to where on it."""
    size = ways.bounds[trunk.route + 1] - ways.bounds[trunk.route]
    which = np.repeat(np.arange(len(trunk)), size)
    piece = np.arange(len(which)) - np.repeat(np.cumsum(size) - size, size) + ways.bounds[trunk.route][which]
    length = np.abs(ways.to_nm - ways.from_nm)[piece]
    after = np.cumsum(length)
    # Offsets along the whole route, from its start as it is kept.
    before = np.concatenate(([0], after))[np.concatenate(([0], np.cumsum(size)))]
    stop = after - before[which]
    start, whole = stop - length, np.diff(before)[which]
    from_start, wanted = trunk.from_start[which] == 1, trunk.length_nm[which]
    low = np.where(from_start, start, np.maximum(start, whole - wanted))
    high = np.where(from_start, np.minimum(stop, wanted), stop)
    forward = ways.to_nm[piece] >= ways.from_nm[piece]
    begin = np.where(forward, ways.from_nm[piece] + low - start, ways.from_nm[piece] - (high - start))
    lies = high > low
    return which[lies], ways.chain[piece][lies], begin[lies], (begin + high - low)[lies]


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


@dataclass(frozen=True, slots=True)
class ManagerRuns(Table):
    """Each run of a cable along a vertical manager, in order of the links; heights from the floor.

    link: the cable's first link. manager: number among the managers of the rack's type. area_um2: of its cords together.
    """

    link: Ints
    rack: Ints
    manager: Ints
    from_um: Ints
    to_um: Ints
    area_um2: Ints
    cables: Ints
    unsized: Ints


@dataclass(frozen=True, slots=True)
class ManagerLoads(Table):
    """Stretches of vertical managers with one load, as `Loads` are of pathways."""

    rack: Ints
    manager: Ints
    from_um: Ints
    to_um: Ints
    area_um2: Ints
    cables: Ints
    unsized: Ints


def manager_runs(
    layout: Layout, bays: Bays, a: tuple[Places, Ints], z: tuple[Places, Ints], lengths: Lengths, selection: Selection
) -> ManagerRuns:
    """Where the chosen cables run along managers: from each port to its exit, or from port to port inside a rack.

    a, z: the places of the links' ends, and their cages. Links of one cable with one cage count once there, so that a
    twin cable is one and each leg of a splitter is one, as thick as the whole, since catalogs give legs no diameter.
    """
    return cable_runs(layout, bays, a, z, lengths, selection.assembly, lambda link: _sizes(selection, link))


def cable_runs(
    layout: Layout,
    bays: Bays,
    a: tuple[Places, Ints],
    z: tuple[Places, Ints],
    lengths: Lengths,
    cable: Ints,
    sizes: Callable[[Ints], tuple[Ints, Ints, Ints]],
) -> ManagerRuns:
    """As manager_runs, of whatever rows have a cable (its number, -1 without). sizes: of rows: area, cables, and of unknown size."""
    (a_place, a_cage), (z_place, z_cage) = a, z
    cabled = lengths.reachable & (cable >= 0)
    manager, exit_um = _managers_of_ways(layout)
    runs: list[_Run] = []
    for place, cage, way in ((a_place, a_cage, lengths.a_way), (z_place, z_cage, lengths.z_way)):
        rows = _first_of_each(cabled & (way >= 0), cable, cage)
        at = (place.rack[rows], way[rows])
        runs.append((rows, place.rack[rows], manager[at], place.z_um[rows], exit_um[at]))
    within = cabled & (lengths.run >= 0)
    inside = _first_of_each(within & (a_place.rack == z_place.rack), cable, a_cage, z_cage)
    beside = _first_of_each(within & (a_place.rack != z_place.rack), cable, a_cage, z_cage)
    runs += _sideways(layout, bays, beside, a_place, z_place, lengths.run)
    kind_ids = np.array([rack.type.id for rack in layout.racks] or [""])[a_place.rack[inside]]
    for kind in {rack.type.id: rack.type for rack in layout.racks}.values():
        of_kind = inside[kind_ids == kind.id]
        for number, run in enumerate(runs_inside(kind) if len(of_kind) else ()):
            rows = of_kind[lengths.run[of_kind] == number]
            if run.a_level_um is None or run.z_level_um is None:
                runs.append(_inside(rows, a_place, kind.managers.index(run.a), z_place.z_um[rows]))
            else:
                runs.append(_inside(rows, a_place, kind.managers.index(run.a), np.full(len(rows), run.a_level_um)))
                runs.append(_inside(rows, z_place, kind.managers.index(run.z), np.full(len(rows), run.z_level_um)))
    link, rack, number_, start, stop = (np.concatenate(column) for column in zip(*runs, strict=True))
    area, cables, unsized = sizes(link)
    found = ManagerRuns(
        link, rack, number_, np.minimum(start, stop), np.maximum(start, stop), area, cables, unsized
    )  # fmt: skip
    return found.take(np.argsort(link, kind="stable"))


_Run = tuple[Ints, Ints, Ints, Ints, Ints]
"""Link, rack, manager, and the heights from and to."""


def _sideways(layout: Layout, bays: Bays, rows: Ints, a: Places, z: Places, run: Ints) -> list[_Run]:
    """Cables between open racks: where they may pass at any height, the climb counts in both managers."""
    runs: list[_Run] = []
    for group in grouped((a.rack[rows] * len(layout.racks) + z.rack[rows]) * 1000 + run[rows]):
        part = rows[group]
        racks = (layout.racks[int(a.rack[part[0]])], layout.racks[int(z.rack[part[0]])])
        way = bays.between(int(a.rack[part[0]]), int(z.rack[part[0]]))[int(run[part[0]])]
        ends = ((a, racks[0], way.a, way.a_level_um, z), (z, racks[1], way.z, way.z_level_um, a))
        for place, rack, manager, level, other in ends:
            stop = other.z_um[part] if level is None else np.full(len(part), level, np.int64)
            runs.append(_inside(part, place, rack.type.managers.index(manager), stop))
    return runs


def manager_loads(runs: ManagerRuns, cuts: tuple[Ints, Ints, Ints]) -> ManagerLoads:
    """The runs of each manager together, by rack, manager and height; cut also at other heights (rack, manager, um)."""
    if not len(runs):
        return ManagerLoads(*np.zeros((7, 0), np.int64))
    cut_rack, cut_manager, cut_um = cuts
    most = max(int(runs.manager.max()), int(cut_manager.max(initial=0))) + 1
    lowest = min(int(runs.from_um.min()), int(cut_um.min(initial=int(runs.from_um.min()))))
    weights = np.stack([runs.area_um2, np.zeros_like(runs.cables), runs.cables, runs.unsized])  # _swept looks at row 2
    where, low, high, total = _swept(
        runs.rack * most + runs.manager,
        runs.from_um - lowest,
        runs.to_um - lowest,
        weights,
        np.stack((cut_rack * most + cut_manager, cut_um - lowest)),
    )
    return ManagerLoads(where // most, where % most, low + lowest, high + lowest, total[0], total[2], total[3])


def _inside(rows: Ints, place: Places, manager: int, level_um: Ints) -> _Run:
    return rows, place.rack[rows], np.full(len(rows), manager, np.int64), place.z_um[rows], level_um


def _first_of_each(wanted: Mask, *columns: Ints) -> Ints:
    """The first wanted row of each combination of values, in order of rows."""
    rows = np.flatnonzero(wanted)
    key = np.zeros(len(rows), np.int64)
    for column in columns:
        values = column[rows]
        # Numbered anew, so that the keys of three columns fit into 63 bits.
        key = np.unique(key * (int(values.max(initial=0)) + 1) + values, return_inverse=True)[1]
    return np.sort(rows[np.unique(key, return_index=True)[1]])


def _managers_of_ways(layout: Layout) -> tuple[Ints, Ints]:
    """The manager and the exit's height of each way out, by rack and way."""
    by_kind = {rack.type.id: (rack.type, ways_out(rack.type)) for rack in layout.racks}
    most = max((len(ways) for _, ways in by_kind.values()), default=1)
    columns = np.zeros((2, len(layout.racks), most), np.int64)
    for number, rack in enumerate(layout.racks):
        kind, ways = by_kind[rack.type.id]
        for w, way in enumerate(ways):
            columns[:, number, w] = kind.managers.index(way.manager), way.exit.z_mm
    return columns[0], columns[1]


def _sizes(selection: Selection, links: Ints) -> tuple[Ints, Ints, Ints]:
    """Cross-section, number of cords, and 1 where the diameter is not known, of the cable of each link."""
    sizes = []
    for option in selection.offers:
        diameter = option.cable.outer_diameter_mm.value
        area = round(pi / 4 * (diameter or 0) * (diameter or 0))
        sizes.append((option.cords * area, option.cords, int(diameter is None)))
    area_um2, cables, unsized = np.array(sizes, np.int64).reshape(-1, 3)[selection.offer[links]].T
    return area_um2, cables, unsized
