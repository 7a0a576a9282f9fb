"""Links that share cages, decided together and exactly.

The optimum is unique: fewest unresolved; then the earliest media, counted medium by medium; then the shortest total
stock length; then part numbers in link order. Links are decided one after the other, best offers first; a branch is
left as soon as its best possible outcome is no better than what is known.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

MAX_STEPS: Final = 200_000
"""Decisions tried before a group's best known choice is taken as it is and reported as not proven."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One assembly that a link may take.

    a_plug, z_plug: numbers of the plugs it needs in the cages; one cage takes one. shared: the cage whose links share
    its cable (links that want the same plug there), -1 where it serves this link alone.
    """

    offer: int
    position: int
    rank: int
    stock_mm: int
    parts: tuple[str, ...]
    a_plug: int
    z_plug: int
    shared: int


@dataclass(frozen=True, slots=True)
class GroupLink:
    """A link of a group: its cages, numbered inside the group, and its offers."""

    a_cage: int
    z_cage: int
    offers: tuple[Offer, ...]


Cost = tuple[int, tuple[int, ...], int, tuple[tuple[str, ...], ...]]
Choice = tuple[Offer | None, ...]


def solve(links: tuple[GroupLink, ...]) -> tuple[Choice, bool]:
    """The best offer of each link, None for an unresolved one, and whether it is proven to be the optimum."""
    search = _Search(links)
    search.run()
    assert search.best is not None
    return search.best, search.steps < MAX_STEPS


@dataclass
class _Search:
    links: tuple[GroupLink, ...]
    best: Choice | None = None
    best_cost: Cost | None = None
    steps: int = 0
    plug_in: dict[int, int] = field(default_factory=dict)
    shared_mm: dict[int, list[int]] = field(default_factory=dict)
    chosen: list[Offer | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.media = 1 + max((offer.rank for link in self.links for offer in link.offers), default=0)
        self.counts = [0] * self.media
        # Best medium that each later link could have, summed from the end: the bound of a branch.
        self.later = [[0] * self.media for _ in range(len(self.links) + 1)]
        self.hopeless = [0] * (len(self.links) + 1)
        for i in range(len(self.links) - 1, -1, -1):
            self.later[i] = list(self.later[i + 1])
            self.hopeless[i] = self.hopeless[i + 1]
            ranks = [offer.rank for offer in self.links[i].offers]
            if ranks:
                self.later[i][min(ranks)] += 1
            else:
                self.hopeless[i] += 1

    def run(self) -> None:
        """Depth first without recursion, since groups can have thousands of links."""
        stack = [iter(self._choices(0))] if self.links else []
        if not self.links:
            self.best = ()
        while stack:
            i = len(stack) - 1
            if len(self.chosen) > i:
                self._undo(i)
            offer = next(stack[-1], _END)
            if offer is _END or (self.steps >= MAX_STEPS and self.best is not None):
                stack.pop()
                continue
            assert offer is None or isinstance(offer, Offer)
            self.steps += 1
            self._take(i, offer)
            if self._bound(i + 1) is False:
                continue
            if i + 1 == len(self.links):
                self._keep()
            else:
                stack.append(iter(self._choices(i + 1)))

    def _choices(self, i: int) -> list[Offer | None]:
        link = self.links[i]
        allowed = [
            offer
            for offer in link.offers
            if self.plug_in.get(link.a_cage, offer.a_plug) == offer.a_plug
            and self.plug_in.get(link.z_cage, offer.z_plug) == offer.z_plug
        ]
        allowed.sort(key=lambda offer: (offer.rank, offer.stock_mm, offer.parts))
        return [*allowed, None]

    def _take(self, i: int, offer: Offer | None) -> None:
        self.chosen.append(offer)
        if offer is None:
            return
        link = self.links[i]
        self.counts[offer.rank] += 1
        self._users(link.a_cage, offer.a_plug, 1)
        self._users(link.z_cage, offer.z_plug, 1)
        if offer.shared >= 0:
            self.shared_mm.setdefault(offer.shared, []).append(offer.stock_mm)

    def _undo(self, i: int) -> None:
        offer = self.chosen.pop()
        if offer is None:
            return
        link = self.links[i]
        self.counts[offer.rank] -= 1
        self._users(link.a_cage, offer.a_plug, -1)
        self._users(link.z_cage, offer.z_plug, -1)
        if offer.shared >= 0:
            self.shared_mm[offer.shared].pop()

    def _users(self, cage: int, plug: int, change: int) -> None:
        """A cage keeps its plug while a link uses it."""
        users = self._in_use.get(cage, 0) + change
        self._in_use[cage] = users
        if users:
            self.plug_in[cage] = plug
        else:
            self.plug_in.pop(cage, None)

    _in_use: dict[int, int] = field(default_factory=dict)

    def _bound(self, done: int) -> bool:
        """False when nothing that begins like this can be better than the best known."""
        if self.best_cost is None:
            return True
        unresolved = sum(offer is None for offer in self.chosen) + self.hopeless[done]
        counts = tuple(-(mine + later) for mine, later in zip(self.counts, self.later[done], strict=True))
        return (unresolved, counts) <= self.best_cost[:2]

    def _cost(self) -> Cost:
        alone = sum(offer.stock_mm for offer in self.chosen if offer is not None and offer.shared < 0)
        together = sum(max(lengths) for lengths in self.shared_mm.values() if lengths)
        parts = tuple(offer.parts if offer is not None else () for offer in self.chosen)
        unresolved = sum(offer is None for offer in self.chosen)
        return (unresolved, tuple(-n for n in self.counts), alone + together, parts)

    def _keep(self) -> None:
        cost = self._cost()
        if self.best_cost is None or cost < self.best_cost:
            self.best, self.best_cost = tuple(self.chosen), cost


_END: Final = object()
