"""What each link would take if it stood alone: the length of each option that serves it best, and its own best option.

Figures of what is shared are divided among the links that share it, so that the own bests of a group, where they agree,
add up to the group's own figures: no choice that serves all its links can be better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm
from typing import Final

import numpy as np

from planner.lengths.measure import NO_LENGTH, Measure
from planner.selection.breakouts import coiled_mm
from planner.selection.demands import Demands
from planner.selection.figures import UNKNOWN_REACH_MM, Scale, ScaleKey, interface_mm
from planner.selection.kinds import Kinds
from planner.selection.lengths_worth import lengths_worth
from planner.selection.options import TWIN, Option, OptionsOfKind
from planner.selection.over_panels import channel_positions
from planner.selection.sharing import SLOTS, Sharing
from planner.selection.shelf import Shelf
from planner.table import Ints, Mask

NEVER: Final = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Fits:
    """The options of one kind: its links, and by option and link the position of the length that serves it best, -1 for none.

    That is the shortest that covers the link, or a longer one that the objective prefers (`lengths_worth`). first: number
    of the kind's first offer.
    """

    rows: Ints
    first: int
    position: Ints


def fits_of(
    kinds: Kinds,
    options: Sequence[OptionsOfKind],
    measure: Measure,
    sharing: Sharing,
    scales: Sequence[Scale],
    shelf: Shelf,
) -> tuple[Fits, ...]:
    """What could serve each link, kind by kind."""
    found = []
    first = 0
    for number, of_kind in enumerate(options):
        rows = np.flatnonzero(kinds.of_link == number)
        position = np.full((len(of_kind.options), len(rows)), -1, np.int64)
        for k, option in enumerate(of_kind.options):
            covering = fitting_positions(option, rows, measure, sharing)
            position[k] = worthwhile(option, covering, rows, kinds, sharing, scales, shelf)
        found.append(Fits(rows, first, position))
        first += len(of_kind.options)
    return tuple(found)


def worthwhile(
    option: Option, covering: Ints, rows: Ints, kinds: Kinds, sharing: Sharing, scales: Sequence[Scale], shelf: Shelf
) -> Ints:
    """From the shortest length that covers each link to the one that is best by its objective; -1 stays -1.

    A pinned family takes the shortest member that is long enough.
    """
    fitting = np.flatnonzero(covering >= 0)
    if option.forced or not len(fitting) or not any(scale.weighs_lengths for scale in scales):
        return covering
    rows = rows[fitting]
    by = rows
    if option.is_shared and len({scale.key for scale in scales}) > 1:
        # A cable that several links share counts by the objective of the first of them.
        by = sharing.keepers(option, rows, np.flatnonzero(kinds.of_link >= 0))
    kind, on_hand = kinds.of_link[by], shelf.lengths(option, rows)
    patterns, which = np.unique(np.vstack((kind, on_hand)), axis=1, return_inverse=True)
    best = covering.copy()
    for number, (of_kind, *from_stock) in enumerate(patterns.T.tolist()):
        mine = fitting[which.reshape(-1) == number]
        scale = scales[of_kind]
        if scale.weighs_lengths:
            wish = kinds.kinds[of_kind].wish
            longer = shelf.longer and not wish.equal_in_rail and wish.plug_within_um is None
            best[mine] = lengths_worth(option, scale, np.array(from_stock, bool), longer=longer)[covering[mine]]
    own = scales[int(kinds.of_link[rows[0]])]
    for plug, cages in ((option.a_plug, sharing.a_cage), (option.z_plug, sharing.z_cage)):
        if plug is not None and own.too_late(plug, 0):
            best[fitting[~shelf.plug(plug, cages[rows])]] = -1
    return best


def fitting_positions(option: Option, rows: Ints, measure: Measure, sharing: Sharing) -> Ints:
    """Position of the shortest length of an option that covers each row, -1 where none does or its ports do not meet."""
    if not len(option.members):
        return np.full(len(rows), -1, np.int64)
    if option.chain is not None:
        assert measure.over_panels is not None
        return channel_positions(option, rows, measure.over_panels)
    lengths = measure.lengths(option.cable_class, option.a_standoff_um, option.z_standoff_um)
    required = lengths.required[rows]
    # A cable is as long as its tolerance leaves it; members are in order of length, and so are usable lengths.
    lost = coiled_mm(option, rows, measure, sharing)
    if lost.any():
        found = np.sum(option.usable_mm[:, None] - lost < required, axis=0).astype(np.int64)
    else:
        found = np.searchsorted(option.usable_mm, required, side="left").astype(np.int64)
    if option.forced:
        found = np.minimum(found, len(option.members) - 1)
    usable = (found < len(option.members)) & (required < NO_LENGTH)
    usable &= sharing.joins(option, rows)
    return np.where(usable, found, -1)


@dataclass(frozen=True)
class OwnBest:
    """By link: offer and position, -1 for none; open: links whose own best cannot be told without their cage mates."""

    offer: Ints
    position: Ints
    open: Mask


@dataclass(frozen=True)
class Problem:
    """Everything that the choice of links hangs on.

    scales: how each kind's objective counts; parts_rank: by offer and position; shelf: what may be taken from stock.
    """

    kinds: Kinds
    options: Sequence[OptionsOfKind]
    offers: Sequence[Option]
    fits: Sequence[Fits]
    scales: Sequence[Scale]
    parts_rank: Sequence[Ints]
    sharing: Sharing
    demands: Demands
    shelf: Shelf

    @property
    def objectives(self) -> tuple[Scale, ...]:
        """How each distinct objective counts, in the order in which they count one after the other."""
        found: dict[ScaleKey, Scale] = {}
        for scale in self.scales:
            found.setdefault(scale.key, scale)
        return tuple(found.values())

    def place_in_kind(self) -> Ints:
        """Each link's position among the links of its kind."""
        place = np.zeros(len(self.kinds.of_link), np.int64)
        for fit in self.fits:
            place[fit.rows] = np.arange(len(fit.rows))
        return place


def own_bests(problem: Problem) -> OwnBest:
    """Each link's best by its kind's objective."""
    kinds, fits, scales, sharing = problem.kinds, problem.fits, problem.scales, problem.sharing
    count = len(kinds.of_link)
    offer, position = np.full(count, -1, np.int64), np.full(count, -1, np.int64)
    among = _Among.of(kinds, fits, sharing)
    opened = np.zeros(count, bool)
    for number, of_kind in enumerate(problem.options):
        fit, scale = fits[number], scales[number]
        rows = fit.rows
        figures = 2 if scale.is_by_link else scale.width
        best: list[Ints] = [np.full(len(rows), NEVER, np.int64) for _ in range(figures + 3)]
        for k, option in enumerate(of_kind.options):
            at, sharers, unclear = among.placed(option, fit, k)
            opened[rows[unclear]] = True
            where = np.flatnonzero(at >= 0)
            if not len(where):
                continue
            score = _score(
                option, at[where], sharers[where], rows[where], scale, problem.parts_rank[fit.first + k], among,
                problem.shelf,
            )  # fmt: skip
            better = _before(score, [column[where] for column in best])
            for column, values in zip(best, score, strict=True):
                column[where[better]] = values[better]
            chosen = rows[where[better]]
            offer[chosen], position[chosen] = fit.first + k, at[where[better]]
    return OwnBest(offer, position, opened | (among.resolvable & (offer < 0)) | among.of_two_objectives(kinds, scales))


def _score(
    option: Option, at: Ints, sharers: Ints, rows: Ints, scale: Scale, parts_rank: Ints, among: _Among, shelf: Shelf
) -> list[Ints]:
    """Figures, length, reach and part numbers of an option for links; what is shared in equal parts, times `among.whole`."""
    size = len(rows)
    share = among.whole // sharers
    length = option.nominal_mm[at] * share
    reach = reaches_of(option)[at]
    if scale.is_by_link:
        medium, interface = (np.full(size, figure, np.int64) for figure in (option.rank, interface_mm(option)))
        return [medium, interface, length, reach, parts_rank[at]]
    cables = np.array([scale.of_cable(option, p) for p in range(len(option.members))], np.int64)[at]
    plugs = [np.tile(np.array(scale.of_plug(option, end), np.int64), (size, 1)) for end in "az"]
    if scale.stocked:
        for p in np.unique(at).tolist():
            taken = (at == p) & shelf.cable(option, p, rows)
            cables[taken] = scale.of_cable(option, p, on_hand=True)
        ends = ((option.a_plug, among.sharing.a_cage), (option.z_plug, among.sharing.z_cage))
        for of_plug, end, (plug, cages) in zip(plugs, "az", ends, strict=True):
            of_plug[shelf.plug(plug, cages[rows])] = scale.of_plug(option, end, on_hand=True)
    in_a, in_z = (among.whole // among.links_in[cage[rows]] for cage in (among.sharing.a_cage, among.sharing.z_cage))
    own = scale.of_link(option)
    figures = [
        cables[:, j] * share + plugs[0][:, j] * in_a + plugs[1][:, j] * in_z + own[j] * among.whole
        for j in range(scale.width)
    ]
    return [*figures, length, reach, parts_rank[at]]


def _before(score: Sequence[Ints], best: Sequence[Ints]) -> Mask:
    """Where one list of columns comes before another, the first column weighing most."""
    before = np.zeros(len(score[0]), bool)
    level = np.ones(len(score[0]), bool)
    for mine, other in zip(score, best, strict=True):
        before |= level & (mine < other)
        level &= mine == other
    return before


def reaches_of(option: Option) -> Ints:
    """How far the parts of an option reach, in mm, by length.

    A pinned cable is offered with every plug; those that do not reach, or that it is too short for, are the last of all.
    """
    reach = UNKNOWN_REACH_MM if option.reach_um is None else min(option.reach_um // 1000, UNKNOWN_REACH_MM)
    suits = (option.nominal_mm <= reach) & (option.nominal_mm * 1000 >= option.least_um)
    return np.where(suits, reach, 2 * UNKNOWN_REACH_MM)


@dataclass(frozen=True)
class _Among:
    """How many links that something fits are in each cage and at each place of a cable.

    whole: a number that all of them divide. lowest, highest: the kinds of the links in a cage.
    """

    sharing: Sharing
    resolvable: Mask
    links_in: Ints
    lowest: Ints
    highest: Ints
    whole: int

    @classmethod
    def of(cls, kinds: Kinds, fits: Sequence[Fits], sharing: Sharing) -> _Among:
        resolvable = np.zeros(len(kinds.of_link), bool)
        for fit in fits:
            if len(fit.position):
                resolvable[fit.rows] = (fit.position >= 0).any(axis=0)
        rows = np.flatnonzero(resolvable)
        size = sharing.size
        ends = np.concatenate((sharing.a_cage[rows], sharing.z_cage[rows]))
        links_in = np.bincount(ends, minlength=size)
        lowest, highest = np.full(size, NEVER, np.int64), np.full(size, -1, np.int64)
        kind = np.tile(kinds.of_link[rows], 2)
        np.minimum.at(lowest, ends, kind)
        np.maximum.at(highest, ends, kind)
        whole = lcm(*range(1, int(links_in.max(initial=1)) + 1))
        return cls(sharing, resolvable, links_in, lowest, highest, whole)

    def placed(self, option: Option, fit: Fits, k: int) -> tuple[Ints, Ints, Mask]:
        """Position that each link's cable would have for all that share it, how many do, and where that is not clear.

        A shared cable is a link's own best only if it can serve all links of its cages that anything fits.
        """
        at = fit.position[k]
        rows = fit.rows
        nobody = np.zeros(len(rows), bool)
        if not option.is_shared:
            return at, np.ones(len(rows), np.int64), nobody
        mine = np.flatnonzero(at >= 0)
        keys = self.sharing.place(option, rows[mine])
        _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
        longest = np.zeros(len(counts), np.int64)
        np.maximum.at(longest, inverse, at[mine])
        sharers = np.ones(len(rows), np.int64)
        sharers[mine] = counts[inverse]
        placed = np.full(len(rows), -1, np.int64)
        placed[mine] = longest[inverse]
        if option.forced:
            return placed, sharers, nobody
        serves_all = self._serves_all(option, rows[mine], keys, counts[inverse])
        heads, tails = self.sharing.head(option)[0][rows[mine]], self.sharing.tail(option)[0][rows[mine]]
        one_kind = (self.lowest[heads] == self.highest[heads]) & (self.lowest[tails] == self.highest[tails])
        placed[mine[~serves_all]] = -1
        unclear = nobody
        unclear[mine[~serves_all & ~one_kind]] = True
        return placed, sharers, unclear

    def _serves_all(self, option: Option, rows: Ints, keys: Ints, counts: Ints) -> Mask:
        heads, tails = self.sharing.head(option)[0][rows], self.sharing.tail(option)[0][rows]
        if option.shape == TWIN:
            both: Mask = (counts == self.links_in[heads]) & (counts == self.links_in[tails])
            return both
        if option.has_own_plugs:
            legs = heads * SLOTS + self.sharing.leg(option, rows)
            _, inverse, on_leg = np.unique(legs, return_inverse=True, return_counts=True)
            alone: Mask = (counts == self.links_in[heads]) & (on_leg[inverse] == self.links_in[tails])
            return alone
        at_receptacle: Mask = counts == self._at_receptacles(option)[keys]
        return at_receptacle

    def _at_receptacles(self, option: Option) -> Ints:
        """Links that anything fits, by receptacle as `Sharing.place` numbers them."""
        rows = np.flatnonzero(self.resolvable)
        ends = [
            cage[rows] * SLOTS + (half[rows] - 1) // option.ports
            for cage, half in (
                (self.sharing.a_cage, self.sharing.a_half),
                (self.sharing.z_cage, self.sharing.z_half),
            )
        ]
        return np.bincount(np.concatenate(ends), minlength=self.sharing.size * SLOTS)

    def of_two_objectives(self, kinds: Kinds, scales: Sequence[Scale]) -> Mask:
        """Links in a cage whose links have unlike objectives."""
        objectives = list(dict.fromkeys(scale.key for scale in scales))
        if len(objectives) < 2:
            return np.zeros(len(kinds.of_link), bool)
        code = np.array([objectives.index(scale.key) for scale in scales], np.int64)[kinds.of_link]
        low, high = np.full(self.sharing.size, NEVER, np.int64), np.full(self.sharing.size, -1, np.int64)
        ends = np.concatenate((self.sharing.a_cage, self.sharing.z_cage))
        np.minimum.at(low, ends, np.tile(code, 2))
        np.maximum.at(high, ends, np.tile(code, 2))
        mixed: Mask = (low < high)[self.sharing.a_cage] | (low < high)[self.sharing.z_cage]
        return mixed
