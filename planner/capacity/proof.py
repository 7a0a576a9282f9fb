"""Whether cables have to be over a limit, whatever ways they take: a bound that holds by itself.

Give every cell a price per area. A cable then costs at least its section times the cheapest way at these prices, and
all cells together take in at most their room times their price. Where the cables cost more than that, no division of
them fits, not even in parts (Farkas). A linear programme seeks prices that show it; that they do is worked out anew from
cheapest ways, so that nothing rests on the solver. Rooms that fit in parts and not in whole cables are not proven.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from planner.capacity.negotiate import Offer, Path, paths_at, present_path
from planner.capacity.problem import Problem
from planner.table import Floats, Ints, Mask

MOST_BUNDLES: Final = 1_000
"""Larger problems are not proven, for the sake of time."""

PRICINGS: Final = 12
"""How often paths are added before the search for prices is given up."""

PRICE_NM: Final = 10**13
"""A price of one, as length; whole lengths of a network are small beside it."""

MOST_NM: Final = 4 * 10**15
"""The sum of all prices: below 2**53, so that ways at these prices compare exactly."""


def proven_over(problem: Problem, level: int) -> Mask:
    """Cells among which some must hold more than their limit (0 `reroute`, 1 `warn`, 2 `fail`), whatever ways cables take.

    Cables that cannot be led elsewhere count as if they lay nowhere, so what is found holds with them all the more.
    Parts of the room between which no cable can choose are looked at each for itself.
    """
    found = np.zeros(len(problem.cap), bool)
    if not len(problem.bundles) or len(problem.bundles) > MOST_BUNDLES:
        return found
    # Sides kept apart bar ways to one another; without that there are more ways, and a bound over more ways holds.
    free = replace(problem, claims=np.zeros_like(problem.claims))
    part_of_cell, part_of_bundle = _parts(problem)
    parts = int(max(part_of_cell.max(), part_of_bundle.max())) + 1
    found_first = [present_path(problem, bundle) for bundle in range(len(problem.bundles))]
    paths = {bundle: {path.key: path} for bundle, path in enumerate(found_first)}
    for _ in range(PRICINGS):
        prices = _prices(problem, paths, level)
        if prices is None:
            break
        offers, unit = _at_prices(free, prices)
        beyond = _needed(free, prices, offers, unit, part_of_bundle, parts)
        beyond -= np.bincount(part_of_cell, prices * problem.limits[level], len(beyond)) * (1 + 1e-9)
        found |= (prices > 0) & (beyond > 0)[part_of_cell]
        if found[prices > 0].all():
            break  # what has no price fits in parts
        added = False
        for bundle, offer in enumerate(offers):
            path = offer.path
            added |= path.key not in paths[bundle]
            paths[bundle].setdefault(path.key, path)
        if not added:
            break
    return found


def _parts(problem: Problem) -> tuple[Ints, Ints]:
    """By cell and by bundle, the part of the room: pathways, and racks that join them, as far as they hang together."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    measure = problem.measure
    cells, _ = measure.ground
    racks = len(measure.layout.racks)
    first = [racks]
    pairs: list[Ints] = []
    pathways = len(measure.layout.pathways) + len(measure.layout.risers)
    for net in problem.nets:
        node = first[-1] + pathways
        edges, joins = net.field.network.edges, net.field.joins
        for ends in (edges.node_a, edges.node_b):
            pairs.append(np.stack((racks + edges.pathway, node + ends)))
        pairs.append(np.stack((measure.drops.rack[joins.drop], racks + joins.pathway)))
        first.append(first[-1] + len(net.field.network.node_um))
    size = first[-1] + pathways
    start, stop = np.concatenate(pairs, axis=1)
    graph = csr_array((np.ones(len(start)), (start, stop)), shape=(size, size))
    part = connected_components(graph, directed=False)[1].astype(np.int64)
    rack_of_neck = np.zeros(len(problem.cap) - len(cells), np.int64)
    has_neck = problem.neck >= 0
    rack_of_neck[problem.neck[has_neck] - len(cells)] = measure.drops.rack[has_neck]
    of_cell = np.concatenate((part[racks + cells.pathway], part[rack_of_neck]))
    return of_cell, part[measure.a.rack[problem.bundles.row]]


def _prices(problem: Problem, paths: dict[int, dict[tuple[int, ...], Path]], level: int) -> Floats | None:
    """Prices of the cells at which the known paths are dearest beside the room; None where they fit in parts."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, eye_array, hstack

    bundles = problem.bundles
    columns = [(bundle, path) for bundle, known in paths.items() for path in known.values()]
    of = np.array([bundle for bundle, _ in columns], np.int64)
    sizes = np.array([len(path.cells) for _, path in columns], np.int64)
    cell = np.concatenate([path.cells for _, path in columns])
    column = np.repeat(np.arange(len(columns)), sizes)
    # In every cell the cables that may run through it lie together; where even they fit, it has no price.
    most = np.zeros(len(problem.cap), np.int64)
    pairs = np.unique(np.stack((cell, of[column])), axis=1)
    np.add.at(most, pairs[0], (bundles.area * bundles.count)[pairs[1]])
    tight = np.flatnonzero(most > problem.limits[level])
    if not len(tight):
        return None
    row = np.full(len(problem.cap), -1, np.int64)
    row[tight] = np.arange(len(tight))
    inside = row[cell] >= 0
    unit = float(bundles.area.mean())
    matrix = csr_array(
        (bundles.area[of[column[inside]]] / unit, (row[cell[inside]], column[inside])), shape=(len(tight), len(columns))
    )
    below = csr_array(hstack([matrix, -eye_array(len(tight), format="csr")]))
    whole = csr_array((np.ones(len(columns)), (of, np.arange(len(columns)))), (len(bundles), len(columns) + len(tight)))
    cost = np.concatenate((np.zeros(len(columns)), np.ones(len(tight))))
    room = problem.limits[level, tight] / unit
    found = linprog(cost, A_ub=below, b_ub=room, A_eq=whole, b_eq=bundles.count, method="highs")  # type: ignore[call-overload]
    if found.status != 0 or found.fun < 1e-6:
        return None
    prices = np.zeros(len(problem.cap))
    prices[tight] = np.clip(-found.ineqlin.marginals, 0.0, 1.0)
    prices[prices < 1e-9] = 0.0
    return prices


def _at_prices(problem: Problem, prices: Floats) -> tuple[list[Offer], float]:
    """Every bundle's cheapest way where cells cost their prices and a sixteenth of their length, and what a price of one is."""
    unit = min(float(PRICE_NM), MOST_NM / max(1.0, float(prices.sum())))
    dear: Ints = np.rint(prices * unit).astype(np.int64)
    fifteen = np.full(len(prices), -15, np.int64)
    return paths_at(problem, range(len(problem.bundles)), dear, fifteen), unit


def _needed(problem: Problem, prices: Floats, offers: list[Offer], unit: float, part: Ints, parts: int) -> Floats:
    """What all cables at least take in, in areas at their prices, by part of the room.

    A way was chosen by its price and its length together, so the cheapest may be cheaper by what a length may come to.
    """
    bundles = problem.bundles
    slack = [_longest_nm(problem, net) / unit for net in range(len(problem.nets))]
    within = (bundles.a_in_nm.max(axis=1) + bundles.z_in_nm.max(axis=1)) / unit
    least = np.array([prices[offer.cells].sum() for offer in offers]) - np.array(slack)[bundles.net] - within
    # A bundle without a way at these prices lies where it lay, which says nothing of others.
    lost = np.array([offer.ways.route[offer.line] < 0 for offer in offers])
    amount = np.where(lost, 0.0, np.maximum(0.0, least)) * (bundles.area * bundles.count)
    needed: Floats = np.bincount(part, amount, parts).astype(np.float64)
    return needed


def _longest_nm(problem: Problem, number: int) -> float:
    """More than the length of any way that passes no chain twice for each set of required pathways, as it is weighed here."""
    net = problem.nets[number]
    layers = max((1 << len(steering.required) for steering in problem.measure.rules.steerings), default=1)
    rises = 2 * int(net.routed.joins.rise_nm.max(initial=0))
    # A metre counts a sixteenth, doubled where it is not preferred; a riser counts whole. Rounding adds less than 1 a cell.
    risers = net.field.stretches.cell < 0
    length = net.field.stretches.length_nm
    weighed = 2 * (int(length[~risers].sum()) // 16 + int(length[risers].sum())) + len(length)
    return float(layers * weighed + rises)
