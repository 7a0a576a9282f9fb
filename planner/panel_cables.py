"""Cords and trunks of links that are led over panels, as rows of the plan's tables, and what they lay into pathways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from math import pi

import numpy as np

from planner.catalog.fibre import Cord
from planner.fill import ManagerRuns, RouteLoad, TrunkLoad, cable_runs
from planner.layout import Layout
from planner.lengths.measure import Lengths, Measure, RoutesOfClass
from planner.plan import ABSENT, CableTable, EndTable, LinkCableTable, TrunkLegTable
from planner.selection.light import lit_behind_panel
from planner.selection.over_panels import Channels
from planner.structured.chain import insert_of
from planner.structured.laid import Laid
from planner.table import Ints, Words
from planner.topology import Links

PartKey = tuple[str, int]
"""A part: id of its family and position of its member."""


class PartNumbers:
    """Numbers the parts of a plan as they turn up."""

    def __init__(self) -> None:
        self.numbers: dict[PartKey, int] = {}

    def number(self, family: str, member: int = 0) -> int:
        return self.numbers.setdefault((family, member), len(self.numbers))


@dataclass(frozen=True, slots=True)
class PhaseOf:
    """Phase by device (row of the plan's phases, ABSENT without); a link takes its later end's."""

    of_device: Ints

    def of_links(self, links: Links) -> Ints:
        return np.maximum(self.of_device[links.a_device], self.of_device[links.z_device])


@dataclass(frozen=True, slots=True)
class Merged:
    """The plan's tables with the cables of channels among the others, all numbered in link order."""

    cables: CableTable
    ends: EndTable
    link_cables: LinkCableTable
    trunk_legs: TrunkLegTable
    cable_of_link: Ints


@dataclass(frozen=True)
class PanelCables:
    """channels: what was chosen. texts: numbers of the plan's routes. top_u: whether labels name a panel by its highest unit."""

    channels: Channels
    texts: dict[str, int]
    top_u: bool

    @property
    def laid(self) -> Laid:
        return self.channels.ways.laid

    @cached_property
    def links(self) -> Ints:
        """Links that have found their parts over panels."""
        return np.unique(self.channels.link)

    @cached_property
    def _bought(self) -> Ints:
        """Trunks that are bought: those of runs over which a link has found its parts, the reserve's with them."""
        runs = np.array(self.laid.trunk_run, np.int64)
        return np.flatnonzero(np.isin(runs, runs[self.channels.trunk]) & (self.channels.ways.trunks.member >= 0))

    # --- routes -------------------------------------------------------------------------------------------------------

    @cached_property
    def _routes(self) -> tuple[Ints, Ints, Ints]:
        """Rows of the plan's routes: of the cords at a, at z, by strand, and of trunks."""
        ways, found = self.channels.ways, self.channels
        return (
            self._route_rows(ways.a, found.a),
            self._route_rows(ways.z, found.z),
            self._route_rows(ways.legs, ways.trunks.lengths),
        )

    def _route_rows(self, measure: Measure, lengths: Lengths) -> Ints:
        rows = np.full(len(lengths), ABSENT, np.int64)
        outside = np.flatnonzero(lengths.route >= 0)
        if not len(outside):
            return rows
        routed = measure.routes("fibre")
        keys = lengths.route[outside] * 2 + lengths.backwards[outside]
        values, inverse = np.unique(keys, return_inverse=True)
        names = [";".join(routed.pathways_of(k // 2, backwards=bool(k % 2))) for k in values.tolist()]
        rows[outside] = np.array([self.texts.setdefault(name, len(self.texts)) for name in names], np.int64)[inverse]
        return rows

    def link_routes(self, route: Ints) -> Ints:
        """Routes of links, with those of channels: along all their cables from a to z."""
        a, z, trunks = self._routes
        whole = route.copy()
        turned = self.laid.strands.turned[self.channels.strand] == 1
        columns = np.stack((a, trunks[self.channels.trunk], z, turned.astype(np.int64)))
        if not columns.shape[1]:
            return whole
        kinds, inverse = np.unique(columns, axis=1, return_inverse=True)
        spelled = {number: text for text, number in self.texts.items()}
        rows = []
        for first, middle, last, against in kinds.T.tolist():
            between = spelled.get(middle, "")
            names = [
                spelled.get(first, ""),
                ";".join(reversed(between.split(";"))) if against else between,
                spelled.get(last, ""),
            ]
            text = ";".join(name for name in names if name)
            rows.append(self.texts.setdefault(text, len(self.texts)) if text else ABSENT)
        whole[self.channels.link] = np.array(rows, np.int64)[inverse.reshape(-1)]
        return whole

    # --- tables -------------------------------------------------------------------------------------------------------

    def merged(
        self, cables: CableTable, ends: EndTable, first_link: Ints, cable_of_link: Ints, links: Links, layout: Layout,
        phases: PhaseOf, parts: PartNumbers,
    ) -> Merged:  # fmt: skip
        """The tables of direct cables with those of channels among them. first_link: of each direct cable."""
        own = _Own.of(self, links, layout, phases, parts)
        keys = np.concatenate((first_link * 8, own.key))
        order = np.argsort(keys, kind="stable")
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        direct, mine = place[: len(cables)], place[len(cables) :]
        assembly = np.concatenate((direct[cables.assembly_id - 1], mine[own.head]))
        columns = {
            name: np.concatenate((getattr(cables, name), getattr(own, name)))[order]
            for name in ("part", "rack_a", "rack_z", "route", "phase")
        }
        table = CableTable(
            cable_id=np.arange(1, len(order) + 1, dtype=np.int64),
            assembly_id=assembly[order] + 1,
            bundle=np.zeros(len(order), np.int64),
            **columns,
        )
        of_link = np.where(cable_of_link >= 0, direct[cable_of_link] if len(direct) else cable_of_link, ABSENT)
        of_link[self.channels.link[::-1]] = mine[own.a_cord[::-1]]
        return Merged(
            table,
            self._ends(ends, direct, mine, own.ends),
            self._link_cables(mine, own),
            self._legs(mine, own, layout),
            of_link,
        )

    def _link_cables(self, mine: Ints, own: _Own) -> LinkCableTable:
        strands = self.laid.strands.take(self.channels.strand)
        leg = np.array([leg.leg for leg in self.laid.legs], np.int64)[strands.leg]
        none = np.full(len(leg), ABSENT, np.int64)
        return LinkCableTable(
            link=np.repeat(strands.link, 3),
            strand=np.repeat(strands.number, 3),
            place=np.tile(np.arange(1, 4, dtype=np.int64), len(leg)),
            cable=np.stack((mine[own.a_cord], mine[own.trunk_row[self.channels.trunk]], mine[own.z_cord]), 1).reshape(
                -1
            ),
            leg=np.stack((none, leg, none), 1).reshape(-1),
        )

    def _legs(self, mine: Ints, own: _Own, layout: Layout) -> TrunkLegTable:
        first = len(layout.devices) - len(self.laid.panels)
        lit = self._lit_positions()
        bought = set(self._bought.tolist())
        rows, states, unlit = [], [], []
        for number, leg in enumerate(self.laid.legs):
            if leg.trunk not in bought:
                continue
            trunk = self.laid.runs[self.laid.trunk_run[leg.trunk]].trunk
            cable = int(mine[own.trunk_row[leg.trunk]])
            rows.append((cable, leg.leg, first + leg.a_panel, leg.a_rear, first + leg.z_panel, leg.z_rear))
            states.append("used" if number in lit else leg.state if leg.state != "used" else "spare")
            dark = [position for position in trunk.populated if position not in lit.get(number, frozenset())]
            unlit.append(";".join(map(str, dark)))
        names = ("cable", "leg", "a_device", "a_port", "z_device", "z_port")
        columns = dict(zip(names, np.array(rows, np.int64).reshape(-1, 6).T, strict=True))
        return TrunkLegTable(**columns, state=Words.of(states), unlit=Words.of(unlit))

    def _lit_positions(self) -> Mapping[int, frozenset[int]]:
        """By leg, the positions at its end a that carry light of a link, as the channels of its links compose."""
        found: dict[int, set[int]] = {}
        strands = self.laid.strands.take(self.channels.strand)
        known: dict[tuple[int, int, int], list[tuple[int, int]]] = {}
        columns = (strands.leg, self.channels.offer, strands.turned, strands.a_front, strands.z_front)
        for leg, offer, turned, a_front, z_front in zip(*(column.tolist() for column in columns), strict=True):
            option = self.channels.offers[offer]
            assert option.chain is not None
            insert = option.chain.z_insert if turned else option.chain.a_insert
            place = ((z_front if turned else a_front) - 1) % insert_of(insert).module.front
            key = (offer, turned, place)
            if key not in known:
                plug, cord = (option.z_plug, option.at_z.cable) if turned else (option.a_plug, option.cable)
                assert plug is not None
                assert isinstance(cord, Cord)
                known[key] = lit_behind_panel(plug, cord, insert, place)
            for of_module, position in known[key]:
                found.setdefault(leg + of_module, set()).add(position)
        return {leg: frozenset(positions) for leg, positions in found.items()}

    def _ends(self, ends: EndTable, direct: Ints, mine: Ints, own: _EndRows) -> EndTable:
        cable = np.concatenate((direct[ends.cable], mine[np.array(own.cable, np.int64)]))
        order = np.argsort(cable, kind="stable")

        def words(first: Words, second: Sequence[str]) -> Words:
            return Words.of([*first.tolist(), *second]).take(order)

        device = np.concatenate((ends.device, np.array(own.device, np.int64)))
        texts = ((ends.end, own.end), (ends.port, own.port), (ends.near, own.near), (ends.far, own.far))
        end, port, near, far = (words(first, second) for first, second in texts)
        return EndTable(cable[order], end, device[order], port, near, far)


@dataclass(frozen=True, slots=True)
class _EndRows:
    """Ends of cords and trunks, cable by cable, in the columns of the plan's table."""

    cable: list[int] = field(default_factory=list)
    end: list[str] = field(default_factory=list)
    device: list[int] = field(default_factory=list)
    port: list[str] = field(default_factory=list)
    near: list[str] = field(default_factory=list)
    far: list[str] = field(default_factory=list)

    def add(self, cable: int, end: tuple[str, int, str, str], far: str) -> None:
        """end: its name, device, port and label."""
        name, device, port, near = end
        for column, value in zip((self.cable, self.device), (cable, device), strict=True):
            column.append(value)
        for texts, text in zip((self.end, self.port, self.near, self.far), (name, port, near, far), strict=True):
            texts.append(text)


@dataclass(frozen=True)
class _Own:
    """Rows of cords and trunks before they are numbered. key: of their order; head: first row of each one's assembly.

    a_cord, z_cord: rows by strand; trunk_row: by trunk, ABSENT where it is not bought.
    """

    key: Ints
    head: Ints
    part: Ints
    rack_a: Ints
    rack_z: Ints
    route: Ints
    phase: Ints
    a_cord: Ints
    z_cord: Ints
    trunk_row: Ints
    ends: _EndRows

    @classmethod
    def of(cls, panels: PanelCables, links: Links, layout: Layout, phases: PhaseOf, parts: PartNumbers) -> _Own:
        channels, laid = panels.channels, panels.laid
        strands = laid.strands.take(channels.strand)
        count = len(strands)
        bought = panels._bought  # noqa: SLF001 - one idea in two classes
        a_cord, z_cord = np.arange(count), np.arange(count, 2 * count)
        trunk_row = np.full(len(laid.trunk_run), ABSENT, np.int64)
        trunk_row[bought] = 2 * count + np.arange(len(bought))
        # In link order: cord, trunk where it is first met, cord; trunks that only hold the reserve come after the others.
        place = np.minimum(strands.number, 2) - 1
        a_key, z_key = strands.link * 8 + place * 3 + 1, strands.link * 8 + place * 3 + 3
        trunk_key = np.full(len(laid.trunk_run), (len(links) + 1) * 8, np.int64)
        np.minimum.at(trunk_key, channels.trunk, a_key + 1)
        first_link = np.full(len(laid.trunk_run), -1, np.int64)
        first_link[channels.trunk[::-1]] = strands.link[::-1]
        of_run = np.array(laid.trunk_run, np.int64)
        for run in np.unique(of_run[bought]).tolist():
            mine = bought[of_run[bought] == run]
            known = mine[first_link[mine] >= 0]
            first_link[mine] = np.where(first_link[mine] >= 0, first_link[mine], first_link[known[-1]])
        link_phase = phases.of_links(links)
        # A trunk is there with the first of its links that is built; where it holds the reserve alone, with the link before it.
        unused = np.iinfo(np.int64).max
        trunk_phase = np.full(len(laid.trunk_run), unused, np.int64)
        np.minimum.at(trunk_phase, channels.trunk, link_phase[strands.link])
        trunk_phase = np.where(trunk_phase < unused, trunk_phase, link_phase[first_link])
        names = _Names(panels, links, layout)
        a_part, z_part = _cord_parts(channels, parts)
        trunk_part = [
            parts.number(laid.runs[laid.trunk_run[t]].trunk.id, int(channels.ways.trunks.member[t]))
            for t in bought.tolist()
        ]
        racks = np.array([panel.rack for panel in laid.panels] or [0], np.int64)
        of_device = np.array([device.rack for device in layout.devices] or [0], np.int64)
        by_trunk: dict[int, list[int]] = {}
        for number, leg in enumerate(laid.legs):
            by_trunk.setdefault(leg.trunk, []).append(number)
        ends = names.ends(a_cord, z_cord, trunk_row, bought, by_trunk)
        a_route, z_route, t_route = panels._routes  # noqa: SLF001
        run_of = [laid.runs[laid.trunk_run[t]] for t in bought.tolist()]
        first_strand = np.zeros(len(links), np.int64)
        first_strand[strands.link[::-1]] = a_cord[::-1]
        head = first_strand[strands.link]
        return cls(
            key=np.concatenate((a_key, z_key, trunk_key[bought])),
            head=np.concatenate((head, head, trunk_row[bought])),
            part=np.concatenate((a_part, z_part, np.array(trunk_part, np.int64))),
            rack_a=np.concatenate((of_device[links.a_device[strands.link]], racks[strands.z_panel], np.array([r.a_bank for r in run_of], np.int64))),
            rack_z=np.concatenate((racks[strands.a_panel], of_device[links.z_device[strands.link]], np.array([r.z_bank for r in run_of], np.int64))),
            route=np.concatenate((a_route, z_route, t_route[bought])),
            phase=np.concatenate((link_phase[strands.link], link_phase[strands.link], trunk_phase[bought])),
            a_cord=a_cord,
            z_cord=z_cord,
            trunk_row=trunk_row,
            ends=ends,
        )  # fmt: skip


def _cord_parts(channels: Channels, parts: PartNumbers) -> tuple[Ints, Ints]:
    found = []
    for end, member in (("a", channels.a_member), ("z", channels.z_member)):
        keys = channels.offer * 4096 + member
        part = np.zeros(len(keys), np.int64)
        for key in dict.fromkeys(keys.tolist()):
            offer, number = divmod(key, 4096)
            option = channels.offers[offer]
            cable = option.cable if end == "a" else option.at_z.cable
            part[keys == key] = parts.number(cable.id, number)
        found.append(part)
    return found[0], found[1]


class _Names:
    """Label texts: of a device's port as for every cable, of a panel's port as TIA-606 writes it, cabinet-unit:port."""

    def __init__(self, panels: PanelCables, links: Links, layout: Layout) -> None:
        self.panels, self.links, self.layout = panels, links, layout
        self.first = len(layout.devices) - len(panels.laid.panels)
        last = max((slot.first_front + slot.insert.front - 1 for slot in panels.laid.slots), default=1)
        self.width = max(2, len(str(last)))
        self.places = []
        for panel in panels.laid.panels:
            rack = layout.racks[panel.rack]
            up = 1 if rack.type.numbered_from == "bottom" else -1
            u = panel.u + up * ((panel.part.height_u.value or 1) - 1) if panels.top_u else panel.u
            self.places.append(f"{rack.name}-{u:02d}")

    def port(self, number: int) -> str:
        return f"{number:0{self.width}d}"

    def ends(
        self, a_cord: Ints, z_cord: Ints, trunk_row: Ints, bought: Ints, by_trunk: Mapping[int, Sequence[int]]
    ) -> _EndRows:
        laid, links = self.panels.laid, self.links
        strands = laid.strands.take(self.panels.channels.strand)
        rows = _EndRows()
        columns = (
            a_cord, z_cord, links.a_device[strands.link], links.a_port[strands.link], strands.a_panel, strands.a_front,
            strands.z_panel, strands.z_front, links.z_device[strands.link], links.z_port[strands.link],
        )  # fmt: skip
        for a_row, z_row, a, a_port, a_panel, a_front, z_panel, z_front, z, z_port in zip(
            *(column.tolist() for column in columns), strict=True
        ):
            near, inner = self._at_device("a", a, a_port), self._at_panel("z", a_panel, a_front)
            outer, end = self._at_panel("a", z_panel, z_front), self._at_device("z", z, z_port)
            rows.add(a_row, near, inner[3])
            rows.add(a_row, inner, near[3])
            rows.add(z_row, outer, end[3])
            rows.add(z_row, end, outer[3])
        for trunk in bought.tolist():
            legs = [laid.legs[number] for number in by_trunk[trunk]]
            at_a = [self._at_panel(f"a{leg.leg}", leg.a_panel, leg.a_rear) for leg in legs]
            at_z = [self._at_panel(f"z{leg.leg}", leg.z_panel, leg.z_rear) for leg in legs]
            for these, others in ((at_a, at_z), (at_z, at_a)):
                for this, other in zip(these, others, strict=True):
                    rows.add(int(trunk_row[trunk]), this, other[3])
        return rows

    def _at_device(self, end: str, device: int, port: int) -> tuple[str, int, str, str]:
        thing = self.layout.devices[device]
        name = thing.chassis.port_names[port]
        return end, device, name, f"{self.layout.racks[thing.rack].name}-U{thing.u:02d}:{name}"

    def _at_panel(self, end: str, panel: int, port: int) -> tuple[str, int, str, str]:
        return end, self.first + panel, self.port(port), f"{self.places[panel]}:{self.port(port)}"


# --- loads ----------------------------------------------------------------------------------------------------------


def loads_over_panels(channels: Channels) -> list[tuple[RoutesOfClass, RouteLoad, TrunkLoad]]:
    """What cords and trunks lay along their routes; a trunk once, however many links run through it."""
    ways = channels.ways
    found = []
    for measure, lengths, end in ((ways.a, channels.a, "a"), (ways.z, channels.z, "z")):
        cables = [option.cable if end == "a" else option.at_z.cable for option in channels.offers]
        figures = [(c.outer_diameter_mm.value, c.kg_per_m.value) for c in cables]
        found.append(_load(measure, lengths, channels.offer, figures))
    runs = np.array(ways.laid.trunk_run, np.int64)
    bought = np.flatnonzero(np.isin(runs, runs[channels.trunk]) & (ways.trunks.member >= 0)) if len(runs) else runs
    trunks = [(run.trunk.outer_diameter_mm.value, run.trunk.kg_per_m.value) for run in ways.laid.runs]
    found.append(_load(ways.legs, ways.trunks.lengths.take(bought), runs[bought], trunks))
    nothing = TrunkLoad(*np.zeros((9, 0), np.int64))  # of splitters
    return [(*one, nothing) for one in found if one is not None]


def _load(
    measure: Measure, lengths: Lengths, which: Ints, figures: Sequence[tuple[int | None, int | None]]
) -> tuple[RoutesOfClass, RouteLoad] | None:
    """which: the figures (diameter, weight) of each cable."""
    rows = np.flatnonzero(lengths.route >= 0)
    if not len(rows):
        return None
    numbers = which[rows]
    area = np.array([round(pi / 4 * (d or 0) * (d or 0)) for d, _ in figures], np.int64)[numbers]
    weight = np.array([(w or 0) * 1000 for _, w in figures], np.int64)[numbers]
    unsized, unweighed = (np.array([figure[n] is None for figure in figures], np.int64)[numbers] for n in (0, 1))
    load = RouteLoad(
        lengths.route[rows], area, weight, np.ones(len(rows), np.int64), unsized, unweighed, np.zeros(len(rows), np.int64)
    )  # fmt: skip
    return measure.routes("fibre"), load


def manager_runs_over_panels(channels: Channels, layout: Layout) -> ManagerRuns:
    """Where cords and trunks run along managers, by the first link of each; a trunk's legs as one jacket."""
    ways, laid = channels.ways, channels.ways.laid
    parts: list[ManagerRuns] = []
    for measure, lengths, end in ((ways.a, channels.a, "a"), (ways.z, channels.z, "z")):
        cables = [option.cable if end == "a" else option.at_z.cable for option in channels.offers]
        figures = [cable.outer_diameter_mm.value for cable in cables]
        rows = channels.strand
        parts.append(
            _runs(measure, rows, lengths, layout, [figures[o] for o in channels.offer.tolist()], channels.link)
        )
    if len(laid.trunk_run):
        runs = np.array(laid.trunk_run, np.int64)
        bought = np.flatnonzero(np.isin(runs, runs[channels.trunk]) & (ways.trunks.member >= 0))
        link = np.full(len(runs), -1, np.int64)
        link[channels.trunk[::-1]] = channels.link[::-1]
        for run in np.unique(runs[bought]).tolist():
            known = int(link[runs == run].max())
            link[(runs == run) & (link < 0)] = known
        figures = [laid.runs[laid.trunk_run[trunk]].trunk.outer_diameter_mm.value for trunk in bought.tolist()]
        lengths = ways.trunks.lengths.take(bought)
        parts.append(_runs(ways.legs, ways.trunks.leg[bought], lengths, layout, figures, link[bought]))
    return ManagerRuns(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(ManagerRuns)))


def _runs(
    measure: Measure, rows: Ints, lengths: Lengths, layout: Layout, diameters: Sequence[int | None], link: Ints
) -> ManagerRuns:
    """rows: of the measure; lengths, diameters and link are by cable."""
    number = np.arange(len(rows))
    area = np.array([round(pi / 4 * (d or 0) * (d or 0)) for d in diameters], np.int64)
    unsized = np.array([d is None for d in diameters], np.int64)
    found = cable_runs(
        layout, measure.bays, (measure.a.take(rows), number), (measure.z.take(rows), number), lengths, number,
        lambda cable: (area[cable], np.ones(len(cable), np.int64), unsized[cable]),
    )  # fmt: skip
    return replace(found, link=link[found.link])
