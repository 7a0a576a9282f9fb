"""What lies in the pathways and leaves by the exits, cell by cell, and which cables may be led another way.

Cables that differ in nothing but their length are a bundle: the same ends, parts, rules and route. A cell is a piece of a
pathway (`stretches`) or the neck of an exit, where every cable through it lies in its manager; only exits of racks
whose side has several of them are counted, since elsewhere nothing can be chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import pi
from typing import Final

import numpy as np

from planner.fill import loads_of
from planner.layout import Layout
from planner.lengths.measure import Lengths, Measure, RoutesOfClass
from planner.locate import ways_out
from planner.panel_cables import loads_over_panels
from planner.pathways.stretches import SHIFT, Cells
from planner.project import CLASSES, CableClass, FillPolicy
from planner.rear_zone import free_sections
from planner.routing.steering import Field
from planner.selection.choose import Selection
from planner.selection.options import Option
from planner.selection.over_panels import channels_of
from planner.table import Ints, Mask, rank_codes
from planner.units import PPM

NO_CELL: Final = -1


def area_um2(option: Option) -> int:
    """Section of what one cable of an option lays into a pathway; 0 where its diameter is not known."""
    diameter = option.cable.outer_diameter_mm.value or 0
    return option.cords * round(pi / 4 * diameter * diameter)


@dataclass(frozen=True, slots=True)
class Net:
    """The network of one or both classes, with its routes and its cells."""

    cable_class: CableClass
    routed: RoutesOfClass
    field: Field


@dataclass(frozen=True)
class Bundles:
    """Cables that may be moved, in order of length, the longest first. length_nm: of the longest as it is now routed.

    row: its first link; a_drops, z_drops: exits that its ends may take, padded with -1, and from port to exit in nm.
    cables: by bundle, the assemblies, the longest first.
    """

    net: Ints
    steering: Ints
    area: Ints
    route: Ints
    row: Ints
    length_nm: Ints
    count: Ints
    cables: Sequence[Ints]
    a_drops: Ints
    z_drops: Ints
    a_in_nm: Ints
    z_in_nm: Ints

    def __len__(self) -> int:
        return len(self.net)


@dataclass(frozen=True)
class Problem:
    """limits: what each cell holds up to `reroute`, `warn` and `fail`, in um2. fixed: what lies there and cannot move.

    claims: by side of the diversity, the cables that lie in each cell; it changes as cables of the sides move.
    """

    measure: Measure
    nets: tuple[Net, ...]
    limits: Ints
    fixed: Ints
    claims: Ints
    neck: Ints
    bundles: Bundles

    @property
    def cap(self) -> Ints:
        limit: Ints = self.limits[0]
        return limit

    @cached_property
    def loads(self) -> Ints:
        """What lies in each cell with every bundle on its present route."""
        bundles = self.bundles
        total = self.fixed.copy()
        for number, net in enumerate(self.nets):
            mine = bundles.net == number
            total += laid(net, bundles.route[mine], (bundles.area * bundles.count)[mine], self.neck, len(total))
        return total

    @cached_property
    def cells_of_routes(self) -> list[list[Ints]]:
        """By net and route, the cells of pathways that the route runs through."""
        return [net.field.stretches.cells_along(net.routed.ways) for net in self.nets]

    def barred(self, steering: int) -> Mask | None:
        """Cells that links of a steering may not enter: the groups that they are kept apart from are there alone."""
        groups = self.measure.rules.steerings[steering].groups
        if not groups:
            return None
        found = np.zeros(len(self.cap), bool)
        for group in groups:
            found |= (self.claims[group ^ 1] > 0) & (self.claims[group] == 0)
        return found

    def crossing(self, cells: Mask) -> Mask:
        """Which bundles run through any of some cells on their present route."""
        found = np.zeros(len(self.bundles), bool)
        for number, net in enumerate(self.nets):
            mine = np.flatnonzero(self.bundles.net == number)
            found[mine] = routes_through(net, cells, self.neck)[self.bundles.route[mine]]
        return found


def laid(net: Net, route: Ints, amount: Ints, neck: Ints, cells: int) -> Ints:
    """What cables on some routes of a network lay into each cell."""
    routes = net.routed.routes
    by_route = np.zeros(len(routes), np.int64)
    np.add.at(by_route, route, amount)
    total = np.zeros(cells, np.int64)
    total += net.field.stretches.laid(net.routed.ways, by_route, cells)
    for drop in (routes.a_drop, routes.z_drop):
        at = neck[drop]
        np.add.at(total, at[at >= 0], by_route[at >= 0])
    return total


def routes_through(net: Net, cells: Mask, neck: Ints) -> Mask:
    """Which routes of a network run through any of some cells."""
    routes = net.routed.routes
    found = net.field.crossing(net.routed.ways)(cells)
    for drop in (routes.a_drop, routes.z_drop):
        at = neck[drop]
        found |= (at >= 0) & cells[at]
    return found


def problem_of(
    layout: Layout, measure: Measure, selection: Selection, lengths: Lengths, fill: FillPolicy, frozen: Mask
) -> Problem:
    """The room as chosen. frozen: links that keep their route."""
    nets, net_of_class = _nets(measure)
    cells, _ = measure.ground
    neck, neck_section = _necks(layout, measure, len(cells))
    section = np.array([p.type.width_mm * p.type.usable_depth_mm for p in layout.pathways] or [0], np.int64)
    holds = np.concatenate((section[np.minimum(cells.pathway, len(section) - 1)], neck_section))
    limits = np.stack(
        [(holds.astype(float) * share / PPM).astype(np.int64) for share in (fill.reroute, fill.warn, fill.fail)]
    )
    bundles, fixed = _bundles(measure, selection, lengths, nets, net_of_class, neck, len(holds), frozen)
    fixed[: len(cells)] += _over_panels(measure, selection, cells)
    claims = _claims(measure, selection, lengths, nets, net_of_class, neck, len(holds))
    return Problem(measure, nets, limits, fixed, claims, neck, bundles)


def _over_panels(measure: Measure, selection: Selection, cells: Cells) -> Ints:
    """What cords and trunks over panels lay into each cell of the pathways; they keep to their ways."""
    area = np.zeros(len(cells), np.int64)
    if measure.over_panels is None:
        return area
    channels = channels_of(selection.offers, selection.offer, selection.member, measure.over_panels)
    loads = loads_of(loads_over_panels(channels))
    starts = (loads.pathway << SHIFT) + loads.from_nm
    order = np.argsort(starts)
    at = np.searchsorted(starts[order], cells.keys, side="right") - 1
    known = np.flatnonzero(at >= 0)
    row = order[at[known]]
    inside = cells.keys[known] < (loads.pathway[row] << SHIFT) + loads.to_nm[row]
    area[known[inside]] = loads.area_um2[row[inside]]
    return area


def _claims(
    measure: Measure, selection: Selection, lengths: Lengths, nets: Sequence[Net], net_of_class: dict[CableClass, int],
    neck: Ints, cells: int,
) -> Ints:  # fmt: skip
    claims = np.zeros((2 * len(measure.rules.apart), cells), np.int64)
    net_of_offer = np.array([net_of_class[o.cable_class] for o in selection.offers] or [0], np.int64)
    for group in range(len(claims)):
        mine = np.array([group in steering.groups for steering in measure.rules.steerings])[measure.rules.of_link]
        rows = np.flatnonzero(mine & (selection.assembly >= 0) & (lengths.route >= 0))
        for number, net in enumerate(nets):
            here = rows[net_of_offer[selection.offer[rows]] == number]
            claims[group] += laid(net, lengths.route[here], np.ones(len(here), np.int64), neck, cells)
    return claims


def _nets(measure: Measure) -> tuple[tuple[Net, ...], dict[CableClass, int]]:
    """Classes that share their pathways share a network."""
    nets: list[Net] = []
    number: dict[CableClass, int] = {}
    for cable_class in CLASSES:
        routed = measure.routes(cable_class)
        same = next((n for n, net in enumerate(nets) if net.routed is routed), len(nets))
        if same == len(nets):
            nets.append(Net(cable_class, routed, measure.ground[1][cable_class]))
        number[cable_class] = same
    return tuple(nets), number


def _necks(layout: Layout, measure: Measure, first: int) -> tuple[Ints, Ints]:
    """By drop the cell of its exit's neck, NO_CELL where its side of the rack has no other; and the necks' sections."""
    neck = np.full(len(measure.drops), NO_CELL, np.int64)
    rack: list[int] = []
    manager: list[int] = []
    height: list[int] = []
    for number, standing in enumerate(layout.racks):
        ways = ways_out(standing.type)
        sides = [way.side for way in ways]
        for w, way in enumerate(ways):
            if sides.count(way.side) > 1:
                neck[measure.drop_offset[number] + w] = first + len(rack)
                rack.append(number)
                manager.append(standing.type.managers.index(way.manager))
                height.append(way.exit.z_mm)
    at = np.array([rack, manager, height], np.int64).reshape(3, -1)
    # A millimetre to either side of the exit: what stands there in the rear zone takes its part.
    return neck, free_sections(layout, at[0], at[1], at[2] - 1_000, at[2] + 1_000)


def _bundles(
    measure: Measure, selection: Selection, lengths: Lengths, nets: Sequence[Net], net_of_class: dict[CableClass, int],
    neck: Ints, cells: int, frozen: Mask,
) -> tuple[Bundles, Ints]:  # fmt: skip
    """Cables that may move as bundles, and what the others lay into each cell."""
    cabled = np.flatnonzero((selection.assembly >= 0) & (lengths.route >= 0))
    order = cabled[np.argsort(selection.assembly[cabled], kind="stable")]
    assembly = selection.assembly[order]
    first = np.flatnonzero(np.concatenate(([True], assembly[1:] != assembly[:-1]))) if len(order) else order
    row = order[first]
    net_of_offer = np.array([net_of_class[o.cable_class] for o in selection.offers] or [0], np.int64)
    area_of_offer = np.array([area_um2(o) for o in selection.offers] or [0], np.int64)
    offer = selection.offer[row]
    net, area, route = net_of_offer[offer], area_of_offer[offer], lengths.route[row]
    moves = area > 0
    a, z = measure.a, measure.z
    stays = frozen | (measure.measured_mm >= 0) | (measure.between_mm >= 0)
    for column in (a.rack, a.side, z.rack, z.side, lengths.route, stays.astype(np.int64)):
        values = column[order]
        if len(first):
            moves &= np.minimum.reduceat(values, first) == np.maximum.reduceat(values, first)
    moves &= ~stays[row]
    # Legs count apart all along, also in their trunk: what is led around is never too little.
    runs = selection.runs[lengths.route[selection.runs] >= 0]
    legs = np.bincount(selection.assembly[runs], minlength=int(assembly.max(initial=-1)) + 1)
    staying = np.isin(selection.assembly[runs], selection.assembly[row[~moves]])
    fixed = np.zeros(cells, np.int64)
    for number, of in enumerate(nets):
        mine = runs[staying & (net_of_offer[selection.offer[runs]] == number)]
        fixed += laid(of, lengths.route[mine], area_of_offer[selection.offer[mine]], neck, cells)
    area = area * legs[selection.assembly[row]]
    row, net, area, route, offer = row[moves], net[moves], area[moves], route[moves], offer[moves]
    return _grouped(measure, selection, lengths, row, net, area, route, offer), fixed


def _grouped(
    measure: Measure, selection: Selection, lengths: Lengths, row: Ints, net: Ints, area: Ints, route: Ints, offer: Ints
) -> Bundles:
    a, z = measure.a, measure.z
    standoffs = np.array([(o.a_standoff_um, o.z_standoff_um) for o in selection.offers] or [(0, 0)], np.int64)[offer]
    ends = [measure.exits(place, row, standoffs[:, side]) for side, place in enumerate((a, z))]
    ports = [measure.exit_choice(place, row) for place in (a, z)]
    exits = [drops[:, n] for drops, _ in ends for n in range(drops.shape[1])]
    columns = (net, measure.rules.of_link[row], offer, area, route, *exits, *ports)
    codes = rank_codes(columns) if len(row) else np.zeros(0, np.int32)
    routed = lengths.routed[row]
    # The longest first, then in order of the links: bundles as well as the cables of one.
    order = np.lexsort((row, -routed, codes))
    starts = np.flatnonzero(np.concatenate(([True], codes[order][1:] != codes[order][:-1]))) if len(row) else order
    leads = order[starts]
    members = np.split(selection.assembly[row[order]], starts[1:]) if len(row) else []
    by_length = np.lexsort((row[leads], -routed[leads]))
    leads = leads[by_length]
    rows = row[leads]
    (a_drops, a_in), (z_drops, z_in) = ((drops[leads], runs[leads]) for drops, runs in ends)
    sizes = np.diff(np.append(starts, len(order)))[by_length]
    return Bundles(
        net[leads], measure.rules.of_link[rows], area[leads], route[leads], rows, routed[leads] * 1_000_000, sizes,
        [members[n] for n in by_length.tolist()], a_drops, z_drops, a_in, z_in,
    )  # fmt: skip
