"""Which assembly each link takes.

Every link first takes its own best by the objective of its policy (`best`). Where the links that share cages then agree,
that is the optimum of their group and nothing needs solving; where they clash, the group is decided together (`settle`),
equal groups once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from planner.catalog.load import Catalog
from planner.catalog.plugs import Transceiver
from planner.choices import Wishes
from planner.layout import CageOfPort
from planner.lengths.measure import Measure
from planner.selection.assemblies import assembled, lengths_mm, members_of, pooled
from planner.selection.best import Problem, fits_of
from planner.selection.demands import Demands
from planner.selection.figures import UNKNOWN_REACH_MM, Scale, best_reach_um
from planner.selection.kinds import Kinds
from planner.selection.lengthened import Uneven, even_lengths
from planner.selection.options import SPLITTER, Option, OptionsOfKind, options_of
from planner.selection.over_panels import channels_of, with_totals
from planner.selection.settle import Settled
from planner.selection.sharing import SLOTS, Sharing
from planner.selection.shelf import MOST_TURNS, Shelf
from planner.selection.spanning import chosen
from planner.table import Ints


@dataclass(frozen=True)
class Taken:
    """What was chosen for each link, without what the choice hangs on."""

    offer: Ints
    assembly: Ints


@dataclass(frozen=True)
class Selection:
    """The choice for each link.

    offers: every option of every kind, kind by kind; offer: the chosen one, -1 where the link is unresolved.
    member: the chosen length, as position in the cable family's members; stock_mm its nominal length, and that of the whole
    channel where a link is led over panels (cable and member are then of the cord at its a).
    assembly: number of the assembly in link order, -1 where there is none; links of one cable share it.
    problem: what the choice hangs on, to ask of it why; settled: groups that were decided together. uneven: links
    whose lengths could not be made equal as the policy wants.
    """

    kinds: Kinds
    options: Sequence[OptionsOfKind]
    offers: Sequence[Option]
    offer: Ints
    member: Ints
    stock_mm: Ints
    assembly: Ints
    problem: Problem
    settled: Settled
    uneven: tuple[Uneven, ...]

    @cached_property
    def runs(self) -> Ints:
        """What lies in the room: the first link of each cable, and of each further leg of a splitter, in order of assemblies."""
        leg = np.zeros(len(self.offer), np.int64)
        for number in np.unique(self.offer[self.offer >= 0]).tolist():
            option = self.offers[number]
            if option.shape == SPLITTER and option.is_shared:
                mine = np.flatnonzero(self.offer == number)
                leg[mine] = self.problem.sharing.leg(option, mine)
        rows = np.flatnonzero(self.assembly >= 0)
        key = self.assembly[rows] * SLOTS + leg[rows]
        return rows[np.unique(key, return_index=True)[1]]

    @property
    def taken(self) -> Taken:
        return Taken(self.offer, self.assembly)

    def option_of(self, row: int) -> Option | None:
        offer = int(self.offer[row])
        return None if offer < 0 else self.offers[offer]


def choose(
    kinds: Kinds,
    options: Sequence[OptionsOfKind],
    a: CageOfPort,
    z: CageOfPort,
    measure: Measure,
    catalog: Catalog,
    wishes: Wishes,
    rail: Ints,
    pool: str,
    shelf: Shelf,
) -> Selection:
    """The optimal choice for all links; measure gives the lengths that each offer needs. rail: of each link, or -1."""
    sharing = Sharing.of(a, z)
    offers = tuple(option for of_kind in options for option in of_kind.options)
    shelf = shelf.of_use(offers)
    turn = 0
    while True:
        problem, (offer, position, settled) = chosen(problem_of(kinds, options, measure, catalog, sharing, shelf))
        found = assembled(offers, offer, position, sharing)
        left = shelf.shared_out(offers, offer, found, sharing)
        turn += 1
        if left is None or turn == MOST_TURNS:
            break
        shelf = left
    found, uneven = even_lengths(found, offers, offer, kinds, wishes, rail, sharing)
    if pool == "rack":
        found = pooled(found, offer, kinds.of_link, measure.a.rack)
    member, stock = members_of(offers, offer, found.position), lengths_mm(offers, offer, found.position)
    if measure.over_panels is not None:
        stock = with_totals(stock, channels_of(offers, offer, member, measure.over_panels))
    return Selection(kinds, options, offers, offer, member, stock, found.assembly, problem, settled, uneven)


def options_of_kinds(kinds: Kinds, catalog: Catalog) -> tuple[OptionsOfKind, ...]:
    """Every option of every kind; they hang on no length, so that they are found once for all rounds of routing."""
    return tuple(options_of(kind, catalog) for kind in kinds.kinds)


def problem_of(
    kinds: Kinds, options: Sequence[OptionsOfKind], measure: Measure, catalog: Catalog, sharing: Sharing, shelf: Shelf
) -> Problem:
    """What is to be decided: every option of every kind, what fits where, and how it counts."""
    offers = tuple(option for of_kind in options for option in of_kind.options)
    media = 1 + max((option.rank for option in offers), default=0)
    scales = tuple(
        Scale(kind.wish.objective, catalog, media, kind.wish.max_lead_time_weeks, stocked=bool(shelf.pieces))
        for kind in kinds.kinds
    )
    fits = fits_of(kinds, options, measure, sharing, scales, shelf)
    return Problem(kinds, options, offers, fits, scales, parts_ranks(offers), sharing, Demands.of(offers), shelf)


def parts_ranks(offers: Sequence[Option]) -> tuple[Ints, ...]:
    """By offer and position, the place of its part numbers among all: what decides between equally good parts.

    Of modules of one interface those go first that together reach least far, so that no tier mixes two that both serve.
    """
    keys = [
        [
            (option.cable.members[member].part, option.key[1], option.key[2], option.head_at_z)
            for member in option.members.tolist()
        ]
        for option in offers
    ]
    interfaces = [tuple(plug.pmd if plug else "" for plug in (option.a_plug, option.z_plug)) for option in offers]
    reaches = [sum(map(_reach_um, (option.a_plug, option.z_plug))) for option in offers]
    first: dict[tuple[str, tuple[str, ...], bool], tuple[str, str, str, bool]] = {}
    for of_offer, interface in zip(keys, interfaces, strict=True):
        for key in of_offer:
            alike = (key[0], interface, key[3])
            first[alike] = min(key, first.get(alike, key))
    order = {
        (first[key[0], interface, key[3]], reach, key)
        for of_offer, interface, reach in zip(keys, interfaces, reaches, strict=True)
        for key in of_offer
    }
    place = {key: n for n, (_, _, key) in enumerate(sorted(order))}
    return tuple(np.array([place[key] for key in of_offer], np.int64) for of_offer in keys)


def _reach_um(plug: Transceiver | None) -> int:
    """As `best_reach_um`; without a figure farther than any, and nothing for the end of a cable."""
    reach = best_reach_um(plug) if plug else 0
    return 1000 * UNKNOWN_REACH_MM if reach is None else reach
