"""Trunks between banks of panels, and the way of every link over them: what is asked of links, sized and assigned.

The order of positions keeps leaves together, and so rails: links count by their leaf (the switch at `a` of a link between
switches, at `z` of one from a host), then in link order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from planner.catalog.structured import Trunk
from planner.findings import Fault
from planner.layout import Layout
from planner.names import counted
from planner.pins import LinkNames
from planner.structured.asked import Asked, usable_inserts
from planner.structured.assign import Assigned, Leg, Run, assigned
from planner.structured.chain import Chain, InsertPart, insert_of
from planner.structured.panels import Banks, PlacedPanel
from planner.structured.shelf import FilledSlot
from planner.structured.sizing import Growth, Module, Size
from planner.table import Ints, Table, grouped, rank_codes
from planner.topology import Links


@dataclass(frozen=True, slots=True)
class Strands(Table):
    """A row a channel of a link, in link order. number: in the link, from 1; turned: 1 where the link's a is at the trunk's z.

    a_panel, a_front, z_panel, z_front: at the link's a and z; panels as rows of `Laid.panels`. leg: row of `Laid.legs`.
    """

    link: Ints
    number: Ints
    turned: Ints
    a_panel: Ints
    a_front: Ints
    z_panel: Ints
    z_front: Ints
    leg: Ints


@dataclass(frozen=True, slots=True)
class LegTable(Table):
    """The numbers of `Laid.legs` as columns: a row a leg, trunk by trunk."""

    trunk: Ints
    leg: Ints
    a_panel: Ints
    a_rear: Ints
    z_panel: Ints
    z_rear: Ints


@dataclass(frozen=True)
class LaidRun:
    """Trunks of one family between two banks, for an entry of `policy.cabling`."""

    entry: int
    a_bank: int
    z_bank: int
    trunk: Trunk
    size: Size


@dataclass(frozen=True)
class Laid:
    """All panels in use, trunks and strands. chain_of_link: number in chains, -1 for a link that is led over none.

    legs: panels in them as rows of panels. trunk_run: row of runs, by trunk. slots: panel by panel.
    """

    panels: Sequence[PlacedPanel]
    slots: Sequence[FilledSlot]
    inserts: Mapping[str, InsertPart]
    runs: Sequence[LaidRun]
    trunk_run: Sequence[int]
    legs: Sequence[Leg]
    strands: Strands
    chains: Sequence[Chain]
    chain_of_link: Ints

    @property
    def any(self) -> bool:
        return bool(len(self.strands))

    @cached_property
    def leg_table(self) -> LegTable:
        return LegTable.of_rows([leg[:6] for leg in self.legs])

    @cached_property
    def run_of_trunk(self) -> Ints:
        """`trunk_run` as a column."""
        return np.array(self.trunk_run, np.int64)


def nothing_laid(links: int, panels: Sequence[PlacedPanel] = ()) -> Laid:
    empty = Strands(*np.zeros((8, 0), np.int64))
    return Laid(panels, (), {}, (), (), (), empty, (), np.full(links, -1, np.int64))


def laid_of(
    asked: Asked, banks: Banks, strands: Ints, links: Links, layout: Layout, names: LinkNames, growth: Sequence[Growth]
) -> tuple[Laid, list[Fault]]:
    """strands: how many channels each link takes. growth: of each entry. Links that find no place are `lost` in asked."""
    faults: list[Fault] = []
    rows = np.flatnonzero((asked.entry >= 0) & ~asked.lost)
    leaf_rank = _leaf_rank(links, layout) if len(rows) else rows
    runs, laid_runs, members = [], [], []
    for key, group in _by_run(asked, rows, layout):
        entry = asked.entries[key[0]]
        trunk = entry.trunk_between(key[1], key[2])
        assert trunk is not None
        in_order = group[np.lexsort((group, leaf_rank[group]))]
        inserts = [
            usable_inserts(banks, entry, bank, end.connector) for bank, end in ((key[1], trunk.a), (key[2], trunk.z))
        ]
        told = _unsuitable(key, trunk, inserts, banks, asked, layout, names, in_order)
        if told is not None:
            faults.append(told)
            asked.lost[in_order] = True
            continue
        a, z = ({panel: insert_of(part) for panel, part in of_bank.items()} for of_bank in inserts)
        numbers = np.repeat(in_order, strands[in_order])
        members.append(numbers)
        runs.append(Run(key[1], key[2], range(0), trunk.legs, growth[key[0]], a, z))
        laid_runs.append((key, trunk, {**inserts[0], **inserts[1]}))
    first = 0
    for n, run in enumerate(runs):
        runs[n] = Run(run.a_bank, run.z_bank, range(first, first + len(members[n])), run.legs_a_trunk, run.growth, run.a_inserts, run.z_inserts)  # fmt: skip
        first += len(members[n])
    in_use = sorted({bank for run in runs for bank in (run.a_bank, run.z_bank)})
    found = assigned(runs, {bank: banks.spaces(bank) for bank in in_use})
    for short in found.shortages:
        run = runs[short.run]
        mine = np.unique(members[short.run])
        asked.lost[mine] = True
        faults.append(_too_few(short.bank, short.placed, found.sizes[short.run], run, asked, laid_runs[short.run][0], layout, names, mine))  # fmt: skip
    link_of = np.concatenate([np.zeros(0, np.int64), *members])
    return _laid(found, laid_runs, link_of, banks, asked, len(links)), _together(faults)


def _together(faults: Sequence[Fault]) -> list[Fault]:
    """Faults that say the same of one place as one, with the links of all."""
    found: dict[tuple[str, int, str], Fault] = {}
    for fault in faults:
        key = (fault.rule, fault.at, fault.message)
        first = found.get(key)
        if first is not None:
            objects = (*first.objects, *fault.objects)[:50]
            found[key] = replace(first, objects=objects, count=first.count + fault.count)
        else:
            found[key] = fault
    return list(found.values())


def _by_run(asked: Asked, rows: Ints, layout: Layout) -> list[tuple[tuple[int, int, int, str], Ints]]:
    """Rows by entry, banks and trunk; the first bank is the one whose rack's name comes first. In order of the racks' names."""
    rank = layout.rack_rank
    a, z = asked.a_bank[rows], asked.z_bank[rows]
    swapped = rank[a] > rank[z] if len(rows) else np.zeros(0, bool)
    low, high = np.where(swapped, z, a), np.where(swapped, a, z)
    size = len(layout.racks) + 1
    keys = (asked.entry[rows] * size + low) * size + high
    found = []
    for group in grouped(keys):
        mine = rows[group]
        entry, a_bank, z_bank = int(asked.entry[mine[0]]), int(low[group[0]]), int(high[group[0]])
        trunk = asked.entries[entry].trunk_between(a_bank, z_bank)
        found.append(((entry, a_bank, z_bank, trunk.id if trunk else ""), mine))
    return sorted(found, key=lambda one: (int(rank[one[0][1]]), int(rank[one[0][2]]), one[0][0]))


def _leaf_rank(links: Links, layout: Layout) -> Ints:
    """By link."""
    is_host = np.array([device.chassis.family.kind != "switch" for device in layout.devices], bool)
    return layout.device_rank[np.where(is_host[links.a_device], links.z_device, links.a_device)]


def _unsuitable(
    key: tuple[int, int, int, str], trunk: Trunk, inserts: Sequence[Mapping[int, InsertPart]], banks: Banks, asked: Asked,
    layout: Layout, names: LinkNames, rows: Ints,
) -> Fault | None:  # fmt: skip
    """Why a trunk finds no plate or cassette that takes it, or finds unlike ones."""
    entry = asked.entries[key[0]]
    for bank, of_bank, end in ((key[1], inserts[0], trunk.a), (key[2], inserts[1], trunk.z)):
        if of_bank:
            continue
        rack = layout.racks[bank].name
        has = sorted({part.id for n in banks.of(bank) if (part := banks.panels[n].insert or entry.insert) is not None})
        return Fault(
            "panel-does-not-take-trunk",
            f"{' and '.join(f'`{id_}`' for id_ in has)} {'takes' if len(has) == 1 else 'take'} no {end.connector.upper()} at the rear, "
            f"which trunk `{trunk.id}` has"
            if has
            else f"nobody says what is in the slots of the panels of rack `{rack}`",
            entry.at,
            note=f"in the panels of rack `{rack}`" if has else "",
            help=f"name a plate or cassette with {end.connector.upper()} at its rear as `plate`",
            objects=tuple(names.as_written[row] for row in rows[:50].tolist()),
            count=len(rows),
        )
    modules = {insert_of(part).module for of_bank in inserts for part in of_bank.values()}
    whole = next(iter(modules))
    if len(modules) > 1 or (trunk.legs % whole.rear and whole.rear % trunk.legs):
        used = sorted({part.id for of_bank in inserts for part in of_bank.values()})
        text = (
            "have ports that do not meet"
            if len(modules) > 1
            else f"take {whole.rear} legs each, trunk `{trunk.id}` has {trunk.legs}"
        )
        return Fault(
            "panel-does-not-take-trunk",
            f"{', '.join(f'`{id_}`' for id_ in used)} {text}",
            entry.at,
            note=f"between racks `{layout.racks[key[1]].name}` and `{layout.racks[key[2]].name}`",
            help="name plates or cassettes of one kind at both ends, and a trunk that fills them",
            objects=tuple(names.as_written[row] for row in rows[:50].tolist()),
            count=len(rows),
        )
    return None


def _too_few(
    bank: int, placed: int, size: Size, run: Run, asked: Asked, key: tuple[int, int, int, str], layout: Layout,
    names: LinkNames, rows: Ints,
) -> Fault:  # fmt: skip
    other = layout.racks[run.z_bank if bank == run.a_bank else run.a_bank].name
    rack = layout.racks[bank].name
    missing = (size.trunks - placed) * run.legs_a_trunk
    return Fault(
        "too-few-positions",
        f"the panels of rack `{rack}` have {placed * run.legs_a_trunk} positions left for the trunks to `{other}`, {missing} too few",
        asked.entries[key[0]].at,
        note=f"{counted(size.used, 'channel')} and {size.reserve} in reserve take {counted(size.trunks, 'trunk')} of "
        f"{counted(run.legs_a_trunk, 'leg')}, {size.legs} positions",
        help=f"add panels to `{rack}`, widen their `u_range`, or lower `reserve`",
        objects=tuple(names.as_written[row] for row in rows[:50].tolist()),
        count=len(rows),
    )


def _laid(
    found: Assigned, laid_runs: Sequence[tuple[tuple[int, int, int, str], Trunk, Mapping[int, InsertPart]]],
    link_of: Ints, banks: Banks, asked: Asked, count: int,
) -> Laid:  # fmt: skip
    used = {slot.panel for slots in found.slots.values() for slot in slots}
    kept = [n for n, panel in enumerate(banks.panels) if not panel.is_sized or n in used]
    row_of = {panel: row for row, panel in enumerate(kept)}
    inserts = {part.id: part for _, _, of_run in laid_runs for part in of_run.values()}
    slots = [slot for bank in sorted(found.slots) for slot in found.slots[bank]]
    legs = [leg._replace(a_panel=row_of[leg.a_panel], z_panel=row_of[leg.z_panel]) for leg in found.legs]
    strands = np.array(sorted(found.positions), np.int64)
    ways = np.array([found.positions[strand] for strand in strands.tolist()], np.int64).reshape(-1, 5).T
    leg, (at_panels, at_fronts) = ways[0], (ways[1::2], ways[2::2])
    link = link_of[strands]
    trunk_of_leg = np.array([one.trunk for one in legs], np.int64)
    run = np.array(found.trunk_run, np.int64)[trunk_of_leg[leg]]
    turned = asked.a_bank[link] != np.array([key[1] for key, _, _ in laid_runs], np.int64)[run]
    # At the link's a and z, where the trunk's ends may lie the other way round.
    a_panel, z_panel = np.where(turned, at_panels[::-1], at_panels)
    a_front, z_front = np.where(turned, at_fronts[::-1], at_fronts)
    width = np.bincount(link_of, minlength=count)[link]
    # The channels of a link stand side by side.
    first = np.flatnonzero(np.append(True, link[1:] != link[:-1])[: len(link)])
    number = np.arange(1, len(link) + 1) - np.repeat(first, np.diff(np.append(first, len(link))))
    chains: dict[tuple[str, str, str, bool, int, int], Chain] = {}
    numbers: dict[tuple[str, str, str, bool, int, int], int] = {}
    kinds = rank_codes((run, a_panel, z_panel, turned, width))
    _, example, kind = np.unique(kinds, return_index=True, return_inverse=True)
    of_kind = np.zeros(len(example), np.int64)
    for one in np.argsort(example, kind="stable").tolist():
        row = int(example[one])
        key, trunk, of_run = laid_runs[int(run[row])]
        chain = Chain(
            of_run[int(a_panel[row])], trunk, of_run[int(z_panel[row])], bool(turned[row]), int(width[row]), key[0],
            asked.entries[key[0]].cord,
        )  # fmt: skip
        of_kind[one] = numbers.setdefault(chain.key, len(numbers))
        chains.setdefault(chain.key, chain)
    chain_of_link = np.full(count, -1, np.int64)
    chain_of_link[link] = of_kind[kind]
    row_of_panel = np.full(len(banks.panels), -1, np.int64)
    row_of_panel[kept] = np.arange(len(kept))
    a_panel, z_panel = row_of_panel[a_panel], row_of_panel[z_panel]
    table = Strands(link, number, turned.astype(np.int64), a_panel, a_front, z_panel, z_front, leg)
    table = table.take(np.lexsort((table.number, table.link)))
    laid = [
        LaidRun(key[0], key[1], key[2], trunk, size)
        for (key, trunk, _), size in zip(laid_runs, found.sizes, strict=True)
    ]
    moved = [FilledSlot(row_of[s.panel], s.slot, s.insert, s.first_front, s.first_rear) for s in slots]
    moved.sort(key=lambda slot: (slot.panel, slot.slot))
    panels = [banks.panels[n] for n in kept]
    return Laid(panels, moved, inserts, laid, found.trunk_run, legs, table, tuple(chains.values()), chain_of_link)


__all__ = ["Laid", "LaidRun", "Module", "Strands", "laid_of", "nothing_laid"]
