"""Channels over panels: which lengths of both cords serve each link, and what a choice makes of each of its strands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from planner.catalog.fibre import Cord
from planner.lengths.measure import NO_LENGTH, Lengths
from planner.selection.options import UNKNOWN_STANDOFF_UM, Option
from planner.structured.ways import Ways, trunk_lengths
from planner.table import Ints, Mask
from planner.units import short_metres


@dataclass(frozen=True)
class StrandFit:
    """By strand of some links: the terms of both cords, the positions of their lengths, and the whole channel's length.

    Positions are in the option's members, -1 where none covers the cord; total_mm is NO_LENGTH where a part has no length.
    """

    strand: Ints
    a: Lengths
    z: Lengths
    a_position: Ints
    z_position: Ints
    total_mm: Ints


def strands_of(ways: Ways, rows: Ints) -> Ints:
    """Strands of some links, in order."""
    wanted = np.isin(ways.laid.strands.link, rows)
    return np.flatnonzero(wanted)


def fit_of(option: Option, rows: Ints, ways: Ways) -> StrandFit:
    """The cords that an option has for each strand of some links."""
    strand = strands_of(ways, rows)
    end = option.at_z
    a_inner, z_inner = (_at_panel(part) for part in (option, end))
    a = ways.a_lengths(option.a_standoff_um, a_inner).take(strand)
    z = ways.z_lengths(z_inner, end.z_standoff_um).take(strand)
    a_position, z_position = _covering(option, a.required), _covering(end, z.required)
    trunk = ways.laid.leg_table.trunk[ways.laid.strands.leg[strand]]
    overall = ways.trunks.overall_mm[trunk]
    covered = (a_position >= 0) & (z_position >= 0) & (overall < NO_LENGTH)
    lengths = [np.append(part.nominal_mm, 0) for part in (option, end)]
    total = np.where(covered, lengths[0][a_position] + overall + lengths[1][z_position], NO_LENGTH)
    return StrandFit(strand, a, z, a_position, z_position, total)


def _at_panel(option: Option) -> int:
    """How far a cord stands out of a panel."""
    standoff = option.cable.standoff_mm.value if isinstance(option.cable, Cord) else None
    return UNKNOWN_STANDOFF_UM if standoff is None else standoff


def _covering(option: Option, required: Ints) -> Ints:
    """Position of the shortest member that covers each length; the longest of a pinned cord where none does."""
    if not len(option.members):
        return np.full(len(required), -1, np.int64)
    found = np.searchsorted(option.usable_mm, required, side="left").astype(np.int64)
    if option.forced:
        found = np.minimum(found, len(option.members) - 1)
    return np.where((found < len(option.members)) & (required < NO_LENGTH), found, -1)


def channel_positions(option: Option, rows: Ints, ways: Ways) -> Ints:
    """By link, the position of the cord at its a that serves all its strands, -1 where a part of the channel has no length.

    The channel as a whole must be within reach, cords and trunk together, unless it is pinned.
    """
    fit = fit_of(option, rows, ways)
    fits = fit.total_mm < NO_LENGTH
    if not option.forced and option.reach_um is not None:
        fits &= fit.total_mm * 1000 <= option.reach_um
    link = np.searchsorted(rows, ways.laid.strands.link[fit.strand])
    position = np.full(len(rows), -1, np.int64)
    np.maximum.at(position, link, fit.a_position)
    position[link[~fits]] = -1
    return position


def why_no_channel(option: Option, rows: Ints, ways: Ways) -> str | None:
    """What keeps an option from the strands of some links: a way, a length or the reach; None where it serves one of them."""
    if (channel_positions(option, rows, ways) >= 0).any():
        return None
    fit = fit_of(option, rows, ways)
    strands = ways.laid.strands.take(fit.strand)
    trunks = ways.laid.leg_table.trunk[strands.leg]
    needs = {"cord at a": fit.a.required, "trunk": ways.trunks.lengths.required[trunks], "cord at z": fit.z.required}
    for what, required in needs.items():
        if len(required) and required.min() >= NO_LENGTH:
            return f"no pathway leads where its {what} would lie"
    assert option.chain is not None
    parts = ((option, "cord at a", fit.a_position), (option.at_z, "cord at z", fit.z_position))
    for part, what, position in parts:
        if (position < 0).all():
            return f"{part.cable.id.upper()} ends at {short_metres(part.ends_at_mm)} m, its {what} needs {short_metres(int(needs[what].min()))} m"
    if (ways.trunks.member[trunks] < 0).all():
        longest = max((covers for _, covers, _ in trunk_lengths(option.chain.trunk)), default=0)
        return f"{option.chain.trunk.id} covers {short_metres(longest)} m, {short_metres(int(needs['trunk'].min()))} m needed"
    if option.reach_um is None:
        return "its cords and the trunk do not serve the same links"
    return (
        f"the channel is {short_metres(int(fit.total_mm.min()))} m long with {option.cable.id.upper()}, its parts reach "
        f"{short_metres(option.reach_um // 1000)} m"
    )


def link_lengths(fit: StrandFit, ways: Ways) -> Lengths:
    """Terms of each link's channel together, of its longest strand: both cords and the trunk between them.

    What lies in a rack counts at the end of the link on whose side it is, in the panels' racks too. There is no route of
    its own: cords and trunk have theirs.
    """
    strands = ways.laid.strands.take(fit.strand)
    trunk = ways.laid.leg_table.trunk[strands.leg]
    middle = ways.trunks.lengths.take(trunk)
    turned: Mask = strands.turned == 1

    def swapped(first: Ints, second: Ints) -> tuple[Ints, Ints]:
        return np.where(turned, second, first), np.where(turned, first, second)

    t_a, t_z = swapped(middle.a_in_rack, middle.z_in_rack)
    t_a_rise, t_z_rise = swapped(middle.a_rise, middle.z_rise)
    routed = _sum(fit.a.routed, middle.routed, fit.z.routed)
    required = _sum(fit.a.required, middle.required, fit.z.required)
    none, zero = np.full(len(fit.strand), -1, np.int64), np.zeros(len(fit.strand), bool)
    found = Lengths(
        a_in_rack=fit.a.a_in_rack + fit.a.z_in_rack + t_a,
        a_rise=fit.a.a_rise + fit.a.z_rise + t_a_rise,
        pathway=fit.a.pathway + middle.pathway + fit.z.pathway,
        z_rise=fit.z.a_rise + fit.z.z_rise + t_z_rise,
        z_in_rack=fit.z.a_in_rack + fit.z.z_in_rack + t_z,
        measured=none,
        routed=routed,
        slack=fit.a.slack + middle.slack + fit.z.slack,
        required=required,
        route=none,
        backwards=zero,
        a_way=none,
        z_way=none,
        run=none,
    )
    order = np.lexsort((-required, strands.link))
    first = order[np.unique(strands.link[order], return_index=True)[1]]
    return found.take(first)


def _sum(*parts: Ints) -> Ints:
    missing = np.zeros(len(parts[0]), bool)
    for part in parts:
        missing |= part >= NO_LENGTH
    whole: Ints = np.where(missing, NO_LENGTH, sum(np.where(part >= NO_LENGTH, 0, part) for part in parts))
    return whole


@dataclass(frozen=True)
class Channels:
    """The cables of every channel over panels that has found its parts, by strand.

    strand: rows of the strands, in link order. offer: of the link. a_member, z_member: of the cords' families. a, z: terms of
    the cords. total_mm: cords and trunk together, nominal.
    """

    ways: Ways
    offers: Sequence[Option]
    strand: Ints
    offer: Ints
    a_member: Ints
    z_member: Ints
    a: Lengths
    z: Lengths
    total_mm: Ints

    @property
    def link(self) -> Ints:
        return self.ways.laid.strands.link[self.strand]

    @property
    def trunk(self) -> Ints:
        """The trunk of each strand."""
        return self.ways.laid.leg_table.trunk[self.ways.laid.strands.leg[self.strand]]


def channels_of(offers: Sequence[Option], offer: Ints, member: Ints, ways: Ways) -> Channels:
    """What a choice makes of the strands. member: of the cord at each link's a, which may be longer than one strand needs."""
    found: list[tuple[Ints, ...]] = []
    terms: tuple[list[Lengths], list[Lengths]] = ([], [])
    over = np.flatnonzero((ways.laid.chain_of_link >= 0) & (offer >= 0))
    for number in np.unique(offer[over]).tolist():
        option = offers[number]
        if option.chain is None:
            continue
        rows = over[offer[over] == number]
        fit = fit_of(option, rows, ways)
        end = option.at_z
        link = ways.laid.strands.link[fit.strand]
        a_mm = np.array([cord.length_m // 1000 for cord in option.cable.members], np.int64)[member[link]]
        trunk = ways.laid.leg_table.trunk[ways.laid.strands.leg[fit.strand]]
        total = a_mm + end.nominal_mm[fit.z_position] + ways.trunks.overall_mm[trunk]
        found.append(
            (fit.strand, np.full(len(link), number, np.int64), member[link], end.members[fit.z_position], total)
        )
        terms[0].append(fit.a)
        terms[1].append(fit.z)
    if not found:
        empty = np.zeros(0, np.int64)
        none = Lengths(**{f.name: np.zeros(0, bool if f.name == "backwards" else np.int64) for f in fields(Lengths)})
        return Channels(ways, offers, empty, empty, empty, empty, none, none, empty)
    columns = [np.concatenate(column) for column in zip(*found, strict=True)]
    order = np.argsort(columns[0], kind="stable")
    strand, number_of, a_member, z_member, total = (column[order] for column in columns)
    a, z = (_joined(parts).take(order) for parts in terms)
    return Channels(ways, offers, strand, number_of, a_member, z_member, a, z, total)


def _joined(parts: Sequence[Lengths]) -> Lengths:
    return Lengths(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Lengths)))


def with_totals(stock_mm: Ints, channels: Channels) -> Ints:
    """Stock lengths by link, with the length of its longest channel for a link that is led over panels."""
    whole = stock_mm.copy()
    whole[channels.link] = 0
    np.maximum.at(whole, channels.link, channels.total_mm)
    return whole
