"""Groups of links whose own bests clash: found, put into the solver's terms, solved once each, and read back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from planner.selection.best import OwnBest, Problem, reaches_of
from planner.selection.demands import clashing_cages
from planner.selection.figures import Counts, Scale
from planner.selection.group import Group, GroupLink, Offer, Shared, Solved, solve
from planner.selection.options import STRAIGHT, TWIN, Option
from planner.selection.sharing import Sharing
from planner.table import Ints


@dataclass(frozen=True)
class Unproven:
    """A group whose optimum is not proven: rows of its links, the value found, and the bound that nothing is below."""

    rows: tuple[int, ...]
    solved: Solved


Numbers = frozenset[str]
"""Part numbers."""


@dataclass(frozen=True, slots=True)
class Fewest:
    """Part numbers that the links of `rows`, which ask for the fewest, are built from; no plan has fewer than `bound`."""

    rows: Ints
    found: Numbers
    bound: int


@dataclass
class Settled:
    """Groups that were decided together, how many of them were distinct, and those not decided to the end."""

    groups: int = 0
    distinct: int = 0
    unproven: list[Unproven] = field(default_factory=list)
    fewest: Fewest | None = None


def settle(problem: Problem, own: OwnBest) -> tuple[Ints, Ints, Settled]:
    """Offer and position of every link: its own best, or what its group decides."""
    offer, position = own.offer.copy(), own.position.copy()
    sharing = problem.sharing
    clashing = clashing_cages(offer, problem.demands, sharing)
    if not len(clashing) and not own.open.any():
        return offer, position, Settled()
    group = group_of_cage(sharing)
    hit = np.unique(np.concatenate((group[clashing], group[sharing.a_cage[own.open]])))
    rows = np.flatnonzero(np.isin(group[sharing.a_cage], hit))
    order = rows[np.argsort(group[sharing.a_cage[rows]], kind="stable")]
    bounds = np.flatnonzero(np.diff(group[sharing.a_cage[order]])) + 1
    terms = Terms(problem)
    known: dict[Signature, Solved] = {}
    told = Settled()
    for part in np.split(order, bounds):
        members = part.tolist()
        signature = terms.signature(members)
        if signature not in known:
            known[signature] = solve(terms.group(members))
        solved = known[signature]
        told.groups += 1
        if not solved.proven:
            told.unproven.append(Unproven(tuple(members), solved))
        for row, pick in zip(members, terms.picks(members, solved), strict=True):
            offer[row], position[row] = pick
    told.distinct = len(known)
    return offer, position, told


def group_of_cage(sharing: Sharing) -> Ints:
    """Connected cages get one number."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size = sharing.size
    graph = coo_array(
        (np.ones(len(sharing.a_cage), np.int8), (sharing.a_cage, sharing.z_cage)), shape=(size, size)
    )  # fmt: skip
    labels: Ints = connected_components(graph, directed=False)[1].astype(np.int64)
    return labels


Signature = tuple[tuple[int | bytes, ...], ...]
"""What a group is told from others by, link by link."""


class Terms:
    """Puts groups into the solver's terms; cages are numbered by first appearance, so that equal groups are equal."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.place = problem.place_in_kind()
        self._scales = problem.objectives
        self._first = problem.sharing.first_links(problem.kinds.of_link >= 0)
        self._shelf_code = problem.shelf.codes(problem.sharing.a_cage, problem.sharing.z_cage)
        self._families = {option.cable.id: n for n, option in reversed(list(enumerate(problem.offers)))}

    def _fitting(self, row: int) -> bytes:
        """The positions of a link's options, equal for links of a kind that fit alike."""
        number = int(self.problem.kinds.of_link[row])
        return b"" if number < 0 else self.problem.fits[number].position[:, int(self.place[row])].tobytes()

    def _local(self, members: Sequence[int]) -> dict[int, int]:
        cages: dict[int, int] = {}
        sharing = self.problem.sharing
        for row in members:
            cages.setdefault(int(sharing.a_cage[row]), len(cages))
            cages.setdefault(int(sharing.z_cage[row]), len(cages))
        return cages

    def signature(self, members: Sequence[int]) -> Signature:
        """What tells a group from others: kinds, what fits, what is on hand, and how cages and ports hang together."""
        local, sharing = self._local(members), self.problem.sharing
        return tuple(
            (
                int(self.problem.kinds.of_link[row]),
                self._fitting(row),
                int(self._shelf_code[row]),
                local[int(sharing.a_cage[row])],
                local[int(sharing.z_cage[row])],
                int(sharing.a_half[row]),
                int(sharing.z_half[row]),
            )
            for row in members
        )

    def candidates(self, row: int) -> Iterator[tuple[int, int]]:
        """Offers that a link may take, with their positions."""
        number = int(self.problem.kinds.of_link[row])
        if number < 0:
            return
        fit = self.problem.fits[number]
        for k, at in enumerate(fit.position[:, int(self.place[row])].tolist() if len(fit.position) else ()):
            if at >= 0:
                yield fit.first + k, at

    def group(self, members: Sequence[int]) -> Group:
        """The group of some links as the solver takes it."""
        local, sharing = self._local(members), self.problem.sharing
        numbers: dict[tuple[int, ...], int] = {}
        plugs: dict[tuple[int, int], Counts] = {}
        cables: dict[tuple[int, int, int, int], Counts] = {}
        links = []
        known = np.array([row for row in members if self.problem.kinds.of_link[row] >= 0], np.int64)
        for row in members:
            ends = tuple(int(cage[row]) for cage in (sharing.a_cage, sharing.z_cage))
            here = np.array([row], np.int64)
            offers = []
            for offer, at in self.candidates(row):
                option = self.problem.offers[offer]
                scale = self.problem.scales[int(self.problem.kinds.of_link[row])]
                own = self._padded(scale, scale.of_link(option))
                needs = []
                for end, cage in enumerate(ends):
                    which = int(self.problem.demands.which(offer, end, here, sharing)[0])
                    key = (int(self.problem.demands.plug[end, offer]), *self._which(option, which, row, local))
                    plug = numbers.setdefault(key, len(numbers))
                    # What a cage holds counts by the objective of its first link.
                    counted = self._scale_of(int(self._first[cage]))
                    plugged = option.a_plug if end == 0 else option.z_plug
                    from_stock = bool(self.problem.shelf.plug(plugged, np.array([cage]))[0])
                    figures = self._padded(counted, counted.of_plug(option, "az"[end], on_hand=from_stock))
                    if any(figures):
                        plugs[local[cage], plug] = figures
                    needs.append(plug)
                shared = self._shared(option, row, local)
                mm = int(option.nominal_mm[at])
                from_stock = bool(self.problem.shelf.cable(option, at, here)[0])
                if shared is None:
                    own = _added(own, self._padded(scale, scale.of_cable(option, at, on_hand=from_stock)))
                else:
                    counted = scale
                    if len(self._scales) > 1:
                        counted = self._scale_of(int(sharing.keepers(option, here, known)[0]))
                    figures = self._padded(counted, counted.of_cable(option, at, on_hand=from_stock))
                    if any(figures):
                        cables[shared.cage, shared.slot, shared.family, mm] = figures
                rank = int(self.problem.parts_rank[offer][at])
                offers.append(Offer(offer, at, own, mm, int(reaches_of(option)[at]), rank, needs[0], needs[1], shared))
            scale = self._scale_of(row)
            none = self._padded(scale, scale.without)
            links.append(GroupLink(local[ends[0]], local[ends[1]], tuple(offers), none))
        return Group(tuple(links), plugs, cables)

    def picks(self, members: Sequence[int], solved: Solved) -> Iterator[tuple[int, int]]:
        """Offer and position of each link as the solver chose, -1 for none."""
        for row, chosen in zip(members, solved.choice, strict=True):
            yield (-1, -1) if chosen is None else list(self.candidates(row))[chosen]

    def _scale_of(self, row: int) -> Scale:
        return self.problem.scales[int(self.problem.kinds.of_link[row])]

    def _padded(self, scale: Scale, figures: Counts) -> Counts:
        """Figures of one objective among those of all, which count one after the other."""
        padded: list[int] = []
        for other in self._scales:
            padded += figures if other.key == scale.key else [0] * other.width
        return tuple(padded)

    def _which(self, option: Option, which: int, row: int, local: dict[int, int]) -> tuple[int, ...]:
        """What tells plugs of one number apart, in the group's own cages."""
        if which == 0:
            return ()
        sharing, here = self.problem.sharing, np.array([row], np.int64)
        if option.shape == STRAIGHT:
            return (1, row)
        a, z = (local[int(cage[row])] for cage in (sharing.a_cage, sharing.z_cage))
        if option.shape == TWIN:
            return (2, min(a, z), max(a, z))
        return (3, z if option.head_at_z else a, int(sharing.leg(option, here)[0]))

    def _shared(self, option: Option, row: int, local: dict[int, int]) -> Shared | None:
        if not option.is_shared:
            return None
        sharing = self.problem.sharing
        a, z = (local[int(cage[row])] for cage in (sharing.a_cage, sharing.z_cage))
        longest = int(option.nominal_mm[-1])
        family = self._families[option.cable.id]
        if option.shape == TWIN:
            return Shared(min(a, z), 0, family, longest)
        half = int(sharing.head(option)[1][row])
        return Shared(z if option.head_at_z else a, (half - 1) // option.ports, family, longest)


def _added(first: Counts, second: Counts) -> Counts:
    return tuple(a + b for a, b in zip(first, second, strict=True))
