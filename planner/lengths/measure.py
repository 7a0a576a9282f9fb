"""Routed, slack and required lengths of links, term by term, for each cable class and plug.

A run is: out of the cage by the plug's standoff, across to the manager, in depth to it, along it to the exit; then the
rise, the pathway, and the same at the other end. Inside one rack it stays in the managers, and crosses once where the
ends keep to opposite sides (`inside`); between racks that are open to each other it may pass sideways (`bays`). Every
term is rounded to the millimetre once, half up; slack is rounded up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from planner.layout import Layout
from planner.lengths.bays import Bays, bays_of
from planner.lengths.exits import WayColumns
from planner.lengths.inside import InsideRun, as_either_way, runs_inside
from planner.lengths.slack import SlackOfLinks
from planner.lengths.terms import NO_LENGTH, Lengths, Terms
from planner.locate import UNKNOWN_DEPTH, Places
from planner.pathways.drops import Drops, Joins, drops_of, joins_of
from planner.pathways.network import Network, carrying, network_of
from planner.pathways.segments import NM_PER_UM
from planner.pathways.stretches import Cells
from planner.project import CLASSES, CableClass
from planner.routing.policy import RouteRules
from planner.routing.routes import Routes, Ways, pathway_runs, routes_joined, ways_joined
from planner.routing.steering import Field, steered_routes
from planner.table import Codes, Ints, Mask, grouped, rank_codes

if TYPE_CHECKING:
    from planner.structured.ways import Ways as WaysOverPanels


@dataclass(frozen=True)
class RoutesOfClass:
    """Routes between the drops of one class, with the pieces of chains that they run along.

    pair_key: of the first routes, one for each steering and pair of drops, in order; detours stand after them.
    detour: the route of each link that leaves the one of its pair, -1 for the others.
    """

    network: Network
    joins: Joins
    routes: Routes
    ways: Ways
    pair_key: Ints
    detour: Ints

    @cached_property
    def pathways(self) -> tuple[Ints, Codes]:
        """Bounds by route, and numbers of the pathways along each in order."""
        return pathway_runs(self.network, self.joins, self.routes, self.ways)

    def pathways_of(self, route: int, *, backwards: bool) -> tuple[str, ...]:
        """Names of the pathways along one route, in order from a to z."""
        bounds, numbers = self.pathways
        names = [self.network.names[n] for n in numbers[bounds[route] : bounds[route + 1]].tolist()]
        return tuple(reversed(names) if backwards else names)


class Measure:
    """Lengths of the given links, class by class; each class is routed when it is first asked for.

    measured_mm: length found on site, by link, -1 where there is none; it replaces the routed length. between_mm: the
    same from exit to exit, which replaces both rises and the pathway. rules: what the routes of each link are held to.
    """

    def __init__(
        self,
        layout: Layout,
        a: Places,
        z: Places,
        slack: SlackOfLinks,
        measured_mm: Ints,
        between_mm: Ints | None = None,
        rules: RouteRules | None = None,
    ) -> None:
        self.layout, self.a, self.z, self.slack, self.measured_mm = layout, a, z, slack, measured_mm
        self.between_mm = np.full(len(a), -1, np.int64) if between_mm is None else between_mm
        self.rules = rules or RouteRules.none(len(a))
        self.over_panels: WaysOverPanels | None = None
        """The ways of cords and trunks, where some links are led over panels; they are not among these lengths."""
        self._routes: dict[tuple[int, ...], RoutesOfClass] = {}
        self._lengths: dict[tuple[CableClass, int, int], Lengths] = {}
        self._before: Measure | None = None

    def rerouted(self, cable_class: CableClass, links: Ints, routes: Routes, ways: Ways, which: Ints) -> Measure:
        """The same with some links on detours of a class: link i takes row which[i] of routes, which follow ways.

        Classes on the same pathways share their routes, so a link takes its detour in all of them.
        """
        known = self.routes(cable_class)
        detour = known.detour.copy()
        detour[links] = len(known.routes) + which
        other = self._changed()
        other._routes[carrying(self.layout, cable_class)] = replace(  # noqa: SLF001
            known, routes=routes_joined((known.routes, routes)), ways=ways_joined((known.ways, ways)), detour=detour
        )
        return other

    def taken_back(self, links: Ints) -> Measure:
        """The same with some links on the routes of their pairs again."""
        other = self._changed()
        for pathways, known in self._routes.items():
            detour = known.detour.copy()
            detour[links] = -1
            other._routes[pathways] = replace(known, detour=detour)  # noqa: SLF001
        return other

    def _changed(self) -> Measure:
        """A copy to change the routes of, which measures anew only what they change."""
        other = Measure(self.layout, self.a, self.z, self.slack, self.measured_mm, self.between_mm, self.rules)
        other._routes = dict(self._routes)
        other._before = self
        other.over_panels = self.over_panels
        for name in ("drops", "_ways", "bays", "drop_offset", "_drop_rank", "ground"):
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        return other

    @property
    def has_choice_of_exits(self) -> bool:
        """Whether any rack has several exits on one side."""
        return self._ways.most > 1

    @cached_property
    def drops(self) -> Drops:
        return drops_of(self.layout)

    @cached_property
    def _ways(self) -> WayColumns:
        return WayColumns.of(self.layout)

    @cached_property
    def bays(self) -> Bays:
        return bays_of(self.layout)

    @cached_property
    def drop_offset(self) -> Ints:
        """Number of the first drop of each rack."""
        return np.searchsorted(self.drops.rack, np.arange(len(self.layout.racks) + 1)).astype(np.int64)

    def routes(self, cable_class: CableClass) -> RoutesOfClass:
        """Routes of a class between all drops that a link may take; classes on the same pathways share them."""
        pathways = carrying(self.layout, cable_class)
        if pathways not in self._routes:
            network = network_of(self.layout, pathways)
            joins = joins_of(self.layout, network, self.drops)
            keys = self._pairs()
            routes, ways = steered_routes(network, joins, len(self.drops), keys, self.rules)
            self._routes[pathways] = RoutesOfClass(
                network, joins, routes, ways, keys, np.full(len(self.a), -1, np.int64)
            )
        return self._routes[pathways]

    @cached_property
    def ground(self) -> tuple[Cells, dict[CableClass, Field]]:
        """The pathways of all classes cut together, and each class's network on them."""
        routed = {c: self.routes(c) for c in CLASSES}
        cells = Cells.of([(r.network, r.joins) for r in routed.values()])
        return cells, {c: Field.of(r.network, r.joins, len(self.drops), cells) for c, r in routed.items()}

    def _pairs(self) -> Ints:
        """Every unordered pair of drops between which a link may run under a steering, as one sorted key each."""
        between = np.flatnonzero(self.a.rack != self.z.rack)
        keys = [self._route_key(rows, *self.pair_key(a, z)[:1]) for rows, a, z, *_ in self._way_pairs(between)]
        return np.unique(np.concatenate(keys)) if keys else np.zeros(0, np.int64)

    def _route_key(self, rows: Ints, pair: Ints) -> Ints:
        return self.rules.of_link[rows] * len(self.drops) ** 2 + pair

    def _way_pairs(self, rows: Ints) -> Iterator[tuple[Ints, Ints, Ints, Ints, Ints]]:
        """For every combination of the ways out on their sides: rows, drops at a and at z, and the ways out there."""
        ways = self._ways
        for i in range(ways.most):
            for k in range(ways.most):
                a_way, z_way = ways.options(self.a, rows, i), ways.options(self.z, rows, k)
                there = (a_way >= 0) & (z_way >= 0)
                if there.any():
                    part, a_way, z_way = rows[there], a_way[there], z_way[there]
                    yield (
                        part,
                        self.drop_offset[self.a.rack[part]] + a_way,
                        self.drop_offset[self.z.rack[part]] + z_way,
                        a_way,
                        z_way,
                    )

    def pair_key(self, a_drop: Ints, z_drop: Ints) -> tuple[Ints, Mask]:
        """One key for a pair whichever end comes first (the rack that comes first by name), and whether it turned."""
        rank = self._drop_rank
        backwards = rank[a_drop] > rank[z_drop]
        first, second = np.where(backwards, z_drop, a_drop), np.where(backwards, a_drop, z_drop)
        return first * len(self.drops) + second, backwards

    @cached_property
    def _drop_rank(self) -> Ints:
        order = np.lexsort((self.drops.way, self.layout.rack_rank[self.drops.rack]))
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        return rank

    def lengths(self, cable_class: CableClass, a_standoff_um: int, z_standoff_um: int) -> Lengths:
        """Terms of every link for a cable of a class whose plugs stand out by the given standoffs."""
        key = (cable_class, a_standoff_um, z_standoff_um)
        if key not in self._lengths:
            self._lengths[key] = self._measured(*key) if self._before is None else self._measured_again(*key)
        return self._lengths[key]

    def _measured(self, cable_class: CableClass, a_standoff_um: int, z_standoff_um: int) -> Lengths:
        terms = Terms.without_way(len(self.a))
        inside = np.flatnonzero(self.a.rack == self.z.rack)
        between = np.flatnonzero(self.a.rack != self.z.rack)
        if len(inside):
            self._inside(terms, inside, a_standoff_um, z_standoff_um)
        if len(between):
            self._between(terms, between, self.routes(cable_class), a_standoff_um, z_standoff_um)
            if self.bays.runs:
                self._beside(terms, between, a_standoff_um, z_standoff_um)
        unknown = (self.a.depth_um == UNKNOWN_DEPTH) | (self.z.depth_um == UNKNOWN_DEPTH)
        terms.forget(unknown)
        return terms.finished(self.measured_mm, self.between_mm, self.slack.of(cable_class))

    def _measured_again(self, cable_class: CableClass, a_standoff_um: int, z_standoff_um: int) -> Lengths:
        """Only what is on another route than before is measured anew."""
        assert self._before is not None
        old = self._before.lengths(cable_class, a_standoff_um, z_standoff_um)
        routed = self.routes(cable_class)
        rows = np.flatnonzero(routed.detour != self._before.routes(cable_class).detour)
        if not len(rows):
            return old
        terms = Terms.without_way(len(self.a))
        self._between(terms, rows, routed, a_standoff_um, z_standoff_um)
        if self.bays.runs:
            self._beside(terms, rows[routed.detour[rows] < 0], a_standoff_um, z_standoff_um)
        new = terms.finished(self.measured_mm, self.between_mm, self.slack.of(cable_class))
        columns = {f.name: getattr(old, f.name).copy() for f in fields(Lengths)}
        for name, column in columns.items():
            column[rows] = getattr(new, name)[rows]
        return Lengths(**columns)

    def _between(self, terms: Terms, rows: Ints, routed: RoutesOfClass, a_standoff: int, z_standoff: int) -> None:
        away = routed.detour[rows] >= 0
        for part, a_drop, z_drop, a_way, z_way in self._way_pairs(rows[~away]):
            keys, backwards = self.pair_key(a_drop, z_drop)
            route = np.searchsorted(routed.pair_key, self._route_key(part, keys))
            self._offer(terms, part, routed, route, backwards, a_way, z_way, a_standoff, z_standoff)
        part = rows[away]
        if len(part):
            # A detour leads from one exit to another, so there is nothing to choose.
            route = routed.detour[part]
            first, second = routed.routes.a_drop[route], routed.routes.z_drop[route]
            backwards = self.drops.rack[first] != self.a.rack[part]
            a_way = self.drops.way[np.where(backwards, second, first)]
            z_way = self.drops.way[np.where(backwards, first, second)]
            self._offer(terms, part, routed, route, backwards, a_way, z_way, a_standoff, z_standoff)

    def _offer(
        self, terms: Terms, part: Ints, routed: RoutesOfClass, route: Ints, backwards: Mask, a_way: Ints, z_way: Ints,
        a_standoff: int, z_standoff: int,
    ) -> None:  # fmt: skip
        ways, routes = self._ways, routed.routes
        first, second = routes.a_rise_nm[route], routes.z_rise_nm[route]
        terms.offer(
            part,
            a_um=ways.to_exit(self.a, part, a_way, a_standoff),
            z_um=ways.to_exit(self.z, part, z_way, z_standoff),
            a_rise_nm=np.where(backwards, second, first),
            pathway_nm=routes.pathway_nm[route],
            z_rise_nm=np.where(backwards, first, second),
            extra_nm=routes.cost_nm[route] - routes.pathway_nm[route],
            route=route,
            backwards=backwards,
            a_way=a_way,
            z_way=z_way,
        )

    def exits(self, place: Places, rows: Ints, standoff_um: Ints) -> tuple[Ints, Ints]:
        """The drops that the ends of some links may take, padded with -1, and the way from each port to them in nm."""
        ways = self._ways
        drops, runs = [], []
        for number in range(ways.most):
            way = ways.options(place, rows, number)
            drops.append(np.where(way >= 0, self.drop_offset[place.rack[rows]] + way, -1))
            runs.append(ways.to_exit(place, rows, np.maximum(way, 0), standoff_um) * NM_PER_UM)
        return np.stack(drops, 1), np.stack(runs, 1)

    def exit_choice(self, place: Places, rows: Ints) -> Ints:
        """A number for the port of each end where its side has several exits, so that they differ by port; else 0."""
        several = np.zeros(len(rows), bool)
        for number in range(1, self._ways.most):
            several |= self._ways.options(place, rows, number) >= 0
        code = rank_codes((place.x_um[rows], place.depth_um[rows], place.z_um[rows], place.outward[rows]))
        return np.where(several, code + 1, 0).astype(np.int64) if len(rows) else rows

    def _inside(self, terms: Terms, rows: Ints, a_standoff: int, z_standoff: int) -> None:
        """Both ends in one rack: along the managers of their side, or across at the best exit or cross-manager."""
        kinds = [rack.type for rack in self.layout.racks]
        kind_ids = np.array([kind.id for kind in kinds])[self.a.rack[rows]]
        for kind_id in np.unique(kind_ids).tolist():
            part = rows[kind_ids == kind_id]
            kind = kinds[int(self.a.rack[part[0]])]
            for number, run in enumerate(runs_inside(kind)):
                a, z = self.a.take(part), self.z.take(part)
                fits = run.fits(a.side, z.side, kind, kind)
                self._run(terms, part[fits], run, number, a_standoff, z_standoff)

    def _beside(self, terms: Terms, rows: Ints, a_standoff: int, z_standoff: int) -> None:
        """The ends in racks whose sides are open to each other: sideways between their managers, without a rise."""
        a, z = self.a.rack[rows], self.z.rack[rows]
        count = len(self.layout.racks)
        open_pairs = np.array([low * count + high for low, high in self.bays.runs], np.int64)
        keys = np.minimum(a, z) * count + np.maximum(a, z)
        near = rows[np.isin(keys, open_pairs)]
        for pair in grouped(self.a.rack[near] * count + self.z.rack[near]):
            part = near[pair]
            a_kind, z_kind = (self.layout.racks[int(place.rack[part[0]])].type for place in (self.a, self.z))
            runs = self.bays.between(int(self.a.rack[part[0]]), int(self.z.rack[part[0]]))
            for number, run in enumerate(runs):
                fits = run.fits(self.a.side[part], self.z.side[part], a_kind, z_kind)
                self._run(terms, part[fits], run, number, a_standoff, z_standoff)

    def _run(self, terms: Terms, rows: Ints, run: InsideRun, number: int, a_standoff: int, z_standoff: int) -> None:
        if len(rows):
            a, z = self.a.take(rows), self.z.take(rows)
            a_own, shared, z_own = run.lengths_um(a, z, a_standoff, z_standoff)
            a_um, z_um = as_either_way(a, z, a_own, shared, z_own)
            this = np.full(len(rows), number, np.int64)
            terms.offer(rows, exact_um=a_own + shared + z_own, a_um=a_um, z_um=z_um, run=this)


__all__ = ["NO_LENGTH", "Lengths", "Measure", "RoutesOfClass"]
