"""Cords and trunks of links that are led over panels, as rows of the plan's tables, and what they lay into pathways."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
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
from planner.table import Ints, Mask, Table, Words, grouped, rank_codes
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
        runs = self.laid.run_of_trunk
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
        leg = self.laid.leg_table.leg[strands.leg]
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
        rows = np.flatnonzero(own.trunk_row[self.laid.leg_table.trunk] >= 0)
        legs, lit = self.laid.leg_table.take(rows), self._lit_positions()[rows]
        carries = np.any(lit, axis=1).tolist()
        sized = [self.laid.legs[row].state for row in rows.tolist()]
        states = [
            "used" if is_lit else state if state != "used" else "spare"
            for state, is_lit in zip(sized, carries, strict=True)
        ]
        run = self.laid.run_of_trunk[legs.trunk]
        return TrunkLegTable(
            cable=mine[own.trunk_row[legs.trunk]],
            leg=legs.leg,
            a_device=first + legs.a_panel,
            a_port=legs.a_rear,
            z_device=first + legs.z_panel,
            z_port=legs.z_rear,
            state=Words.of(states),
            unlit=_unlit([one.trunk.populated for one in self.laid.runs], run, lit),
        )

    def _lit_positions(self) -> Mask:
        """By leg and position (from 0) at its end a: whether it carries light of a link, as the channels of its links compose."""
        strands = self.laid.strands.take(self.channels.strand)
        chains = [option.chain for option in self.channels.offers]
        inserts = [(chain.a_insert, chain.z_insert) if chain is not None else () for chain in chains]
        fronts = [[insert_of(insert).module.front for insert in both] or [1, 1] for both in inserts]
        front = np.where(strands.turned == 1, strands.z_front, strands.a_front)
        place = (front - 1) % np.array(fronts, np.int64).reshape(-1, 2)[self.channels.offer, strands.turned]
        found: list[tuple[Ints, int]] = []
        for rows in grouped(rank_codes((self.channels.offer, strands.turned, place))):
            row = int(rows[0])
            option, turned = self.channels.offers[int(self.channels.offer[row])], int(strands.turned[row])
            plug, cord = (option.z_plug, option.at_z.cable) if turned else (option.a_plug, option.cable)
            assert plug is not None
            assert isinstance(cord, Cord)
            insert = inserts[int(self.channels.offer[row])][turned]
            for of_module, position in lit_behind_panel(plug, cord, insert, int(place[row])):
                found.append((strands.leg[rows] + of_module, position))
        lit = np.zeros((len(self.laid.legs), 1 + max((position for _, position in found), default=0)), bool)
        for leg, position in found:
            lit[leg, position] = True
        return lit

    def _ends(self, ends: EndTable, direct: Ints, mine: Ints, own: EndTable) -> EndTable:
        both = (replace(ends, cable=direct[ends.cable]), replace(own, cable=mine[own.cable]))
        table = _under_one_another(both)
        return table.take(np.argsort(table.cable, kind="stable"))


def _unlit(populated: Sequence[Sequence[int]], run: Ints, lit: Mask) -> Words:
    """By leg, the positions that carry fibre and no light. populated: by run; run, lit: by leg."""
    number = {kind: n for n, kind in enumerate(dict.fromkeys(map(tuple, populated)))}
    of_run = np.array([number[tuple(positions)] for positions in populated], np.int64)
    kinds, inverse = np.unique(np.column_stack((of_run[run], lit)), axis=0, return_inverse=True)
    spelled = list(number)
    texts = [
        ";".join(str(position) for position in spelled[kind] if position >= len(bright) or not bright[position])
        for kind, *bright in kinds.tolist()
    ]
    return Words.of(texts).take(inverse.reshape(-1))


def _under_one_another(tables: Sequence[EndTable]) -> EndTable:
    return EndTable(
        cable=np.concatenate([table.cable for table in tables]),
        end=Words.joined([table.end for table in tables]),
        device=np.concatenate([table.device for table in tables]),
        port=Words.joined([table.port for table in tables]),
        near=Words.joined([table.near for table in tables]),
        far=Words.joined([table.far for table in tables]),
    )


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
    ends: EndTable

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
        of_run = laid.run_of_trunk
        # A trunk that only holds the reserve comes with the last one of its run that carries links.
        is_met = first_link[bought] >= 0
        last_met = np.full(len(laid.runs), ABSENT, np.int64)
        last_met[of_run[bought[is_met]]] = bought[is_met]
        unmet = bought[~is_met]
        first_link[unmet] = first_link[last_met[of_run[unmet]]]
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
        ends = names.ends(a_cord, z_cord, trunk_row)
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

    def ends(self, a_cord: Ints, z_cord: Ints, trunk_row: Ints) -> EndTable:
        """Both ends of every cord and every leg of a trunk that is bought; a cable's ends at a before those at z."""
        strands, links = self.panels.laid.strands.take(self.panels.channels.strand), self.links
        legs = self.panels.laid.leg_table
        legs = legs.take(trunk_row[legs.trunk] >= 0)
        a = self._at_devices(links.a_device[strands.link], links.a_port[strands.link])
        z = self._at_devices(links.z_device[strands.link], links.z_port[strands.link])
        panel_a = self._at_panels(strands.a_panel, strands.a_front)
        panel_z = self._at_panels(strands.z_panel, strands.z_front)
        leg_a, leg_z = self._at_panels(legs.a_panel, legs.a_rear), self._at_panels(legs.z_panel, legs.z_rear)
        trunks, most = trunk_row[legs.trunk], int(legs.leg.max(initial=0))

        def side(letter: str, cables: Ints, here: _Spots, there: _Spots) -> EndTable:
            end = Words(np.zeros(len(cables), np.int32), (letter,))
            return EndTable(cables, end, here.device, here.port, here.text, there.text)

        def legs_side(letter: str, here: _Spots, there: _Spots) -> EndTable:
            end = Words((legs.leg - 1).astype(np.int32), tuple(f"{letter}{number}" for number in range(1, most + 1)))
            return EndTable(trunks, end, here.device, here.port, here.text, there.text)

        return _under_one_another((
            side("a", a_cord, a, panel_a), side("z", a_cord, panel_a, a),
            side("a", z_cord, panel_z, z), side("z", z_cord, z, panel_z),
            legs_side("a", leg_a, leg_z), legs_side("z", leg_z, leg_a),
        ))  # fmt: skip

    def _at_devices(self, device: Ints, port: Ints) -> _Spots:
        devices, racks = self.layout.devices, self.layout.racks
        ports = [thing.chassis.port_names for thing in devices]
        places = [f"{racks[thing.rack].name}-U{thing.u:02d}" for thing in devices]
        names = [ports[d][p] for d, p in zip(device.tolist(), port.tolist(), strict=True)]
        texts = [f"{places[d]}:{name}" for d, name in zip(device.tolist(), names, strict=True)]
        return _Spots(device, Words.of(names), Words.of(texts))

    def _at_panels(self, panel: Ints, port: Ints) -> _Spots:
        names = [f"{number:0{self.width}d}" for number in port.tolist()]
        texts = [f"{self.places[p]}:{name}" for p, name in zip(panel.tolist(), names, strict=True)]
        return _Spots(self.first + panel, Words.of(names), Words.of(texts))


@dataclass(frozen=True, slots=True)
class _Spots(Table):
    """Where an end of some cables is plugged in: device, name of its port, and label text."""

    device: Ints
    port: Words
    text: Words


# --- loads ----------------------------------------------------------------------------------------------------------


def loads_over_panels(channels: Channels) -> list[tuple[RoutesOfClass, RouteLoad, TrunkLoad]]:
    """What cords and trunks lay along their routes; a trunk once, however many links run through it."""
    ways = channels.ways
    found = []
    for measure, lengths, end in ((ways.a, channels.a, "a"), (ways.z, channels.z, "z")):
        cables = [option.cable if end == "a" else option.at_z.cable for option in channels.offers]
        figures = [(c.outer_diameter_mm.value, c.kg_per_m.value) for c in cables]
        found.append(_load(measure, lengths, channels.offer, figures))
    runs = ways.laid.run_of_trunk
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
        runs = laid.run_of_trunk
        bought = np.flatnonzero(np.isin(runs, runs[channels.trunk]) & (ways.trunks.member >= 0))
        link = np.full(len(runs), -1, np.int64)
        link[channels.trunk[::-1]] = channels.link[::-1]
        latest = np.full(len(laid.runs), -1, np.int64)
        np.maximum.at(latest, runs, link)
        link = np.where(link < 0, latest[runs], link)
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
