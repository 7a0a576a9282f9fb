"""Links that share cages, decided together and exactly.

Every cage gets one plug, or none; a plug that is the head of shared cables also says which cables those are and how
long. Once that is settled for both cages of a link, its best offer is settled too. So the sum to be least has a table a
cage and a table a link, and `elimination` finds it: cages of two ports form chains and rings, which cost next to nothing.

What is least, one after the other: links without a part; the objective's figures; the total stock length; the total
reach; the part numbers in link order. All of it is packed into one integer, so that the order is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Final

import numpy as np

from planner.selection.elimination import MOST_CELLS, MOST_STEPS, Factor, minimum

Figures = tuple[int, ...]
"""What an objective counts, most weighty first; less is better."""


@dataclass(frozen=True, slots=True)
class Shared:
    """A place on a cable that may serve several links: the cage of its head, which receptacle there, and its family.

    most_mm: the longest of its lengths that the link may have.
    """

    cage: int
    slot: int
    family: int
    most_mm: int


@dataclass(frozen=True, slots=True)
class Offer:
    """One assembly that a link may take.

    offer, position: what the caller calls it. a_plug, z_plug: numbers of the plugs that it needs in the link's cages; a
    cage takes one. own: figures that it brings for this link alone, beside its plugs and a shared cable. stock_mm: of
    its own cable, or the least of a shared one that serves the link. parts: rank of its part numbers.
    """

    offer: int
    position: int
    own: Figures
    stock_mm: int
    reach: int
    parts: int
    a_plug: int
    z_plug: int
    cable: Shared | None = None


@dataclass(frozen=True, slots=True)
class GroupLink:
    """A link of a group: its cages, numbered inside the group, its offers, and its figures when it gets none.

    must: it gets one of its offers, whatever that costs the others.
    """

    a_cage: int
    z_cage: int
    offers: tuple[Offer, ...]
    none: Figures
    must: bool = False


@dataclass(frozen=True)
class Group:
    """Links with the figures of what they share: of a plug in a cage, and of a cable at a cage, by slot, family and length.

    Of the lengths of a family at one place none counts less than a shorter one.
    """

    links: tuple[GroupLink, ...]
    plugs: Mapping[tuple[int, int], Figures] = field(default_factory=dict)
    cables: Mapping[tuple[int, int, int, int], Figures] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Value:
    """What a choice is judged by, the most weighty first."""

    unresolved: int
    figures: Figures
    stock_mm: int
    reach: int


@dataclass(frozen=True, slots=True)
class Solved:
    """Position of each link's offer, None for an unresolved link; nothing is better than bound, which is the value where proven."""

    choice: tuple[int | None, ...]
    value: Value
    bound: Value
    proven: bool


def solve(group: Group, most_cells: int = MOST_CELLS, most_steps: int = MOST_STEPS) -> Solved:
    """The one best choice."""
    if not group.links:
        nothing = Value(0, (), 0, 0)
        return Solved((), nothing, nothing, proven=True)
    return _Tables(group).solved(most_cells, most_steps)


Cable = tuple[int, int, int]
"""Slot, family and length."""


@dataclass(frozen=True, slots=True)
class _Label:
    """What a cage may hold: a plug (-1 for none) and the cables whose head it is."""

    plug: int
    cables: tuple[Cable, ...] = ()


_NOTHING: Final = _Label(-1)


class _Tables:
    """A group as tables of integers."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self.links = group.links
        self.cages = 1 + max(max(link.a_cage, link.z_cage) for link in self.links)
        self.labels = list(self._labels())
        ranks = sorted({offer.parts for link in self.links for offer in link.offers})
        self.rank = {parts: number for number, parts in enumerate(ranks)}
        self.weights = self._weights()

    def solved(self, most_cells: int, most_steps: int) -> Solved:
        sizes = [len(labels) for labels in self.labels]
        factors = [*self._cage_factors(), *self._link_factors()]
        found = minimum(sizes, factors, most_cells, most_steps)
        labels = [self.labels[cage][label] for cage, label in enumerate(found.labels)]
        choice = tuple(self._best(i, labels[link.a_cage], labels[link.z_cage]) for i, link in enumerate(self.links))
        return Solved(choice, self._value(found.value), self._value(found.bound), found.proven)

    def _labels(self) -> Iterator[list[_Label]]:
        """What each cage may hold, nothing first."""
        plugs: list[dict[int, dict[int, set[tuple[int, int]]]]] = [{} for _ in range(self.cages)]
        for link in self.links:
            for offer in link.offers:
                for cage, plug in ((link.a_cage, offer.a_plug), (link.z_cage, offer.z_plug)):
                    slots = plugs[cage].setdefault(plug, {})
                    if offer.cable is not None and offer.cable.cage == cage:
                        cables = slots.setdefault(offer.cable.slot, set())
                        cables.add((offer.cable.family, offer.stock_mm))
        for of_cage in plugs:
            labels = [_NOTHING]
            for plug, slots in sorted(of_cage.items()):
                # A plug with one place for a cable is there for that cable; with two, one may stay empty.
                choices = [
                    [None, *((slot, *cable) for cable in sorted(cables))][len(slots) == 1 :]
                    for slot, cables in sorted(slots.items())
                ]
                labels += [_Label(plug, tuple(c for c in cables if c is not None)) for cables in product(*choices)]
            yield labels

    def _weights(self) -> list[int]:
        """Weights of unresolved, figures, length and reach, above all that the part numbers can add up to."""
        none = self.links[0].none
        most = [len(self.links), *([0] * len(none)), 0, 0]
        for link in self.links:
            own = [link.none, *(offer.own for offer in link.offers)]
            for j in range(len(none)):
                most[1 + j] += max(figures[j] for figures in own)
            most[-2] += max((offer.stock_mm for offer in link.offers if offer.cable is None), default=0)
            most[-1] += max((offer.reach for offer in link.offers), default=0)
        for cage, labels in enumerate(self.labels):
            shared = [self._of_label(cage, label) for label in labels]
            for j in range(1, len(most)):
                most[j] += max(vector[j] for vector in shared)
        weights = [self._parts_base ** len(self.links)]
        for bound in reversed(most[1:]):
            weights.append(weights[-1] * (bound + 1))
        return list(reversed(weights))

    @cached_property
    def _parts_base(self) -> int:
        return len(self.rank) + 1

    def _of_label(self, cage: int, label: _Label) -> list[int]:
        """Unresolved, figures, length and reach that a label brings."""
        width = len(self.links[0].none)
        figures = [0] * width
        length = 0
        for found in (
            self.group.plugs.get((cage, label.plug)),
            *(self.group.cables.get((cage, *cable)) for cable in label.cables),
        ):
            for j, figure in enumerate(found or ()):
                figures[j] += figure
        length += sum(mm for _, _, mm in label.cables)
        return [0, *figures, length, 0]

    def _packed(self, vector: Sequence[int]) -> int:
        return sum(figure * weight for figure, weight in zip(vector, self.weights, strict=True))

    def _value(self, packed: int) -> Value:
        parts = []
        for weight in self.weights:
            figure, packed = divmod(packed, weight)
            parts.append(figure)
        return Value(parts[0], tuple(parts[1:-2]), parts[-2], parts[-1])

    def _cage_factors(self) -> Iterator[Factor]:
        for cage, labels in enumerate(self.labels):
            table = np.empty(len(labels), object)
            table[:] = [self._packed(self._of_label(cage, label)) for label in labels]
            yield Factor((cage,), table)

    def _cost(self, number: int, offer: Offer | None) -> int:
        """What a link adds with an offer, or without one."""
        place: int = self._parts_base ** (len(self.links) - 1 - number)
        if offer is None:  # of equally good choices the one that serves the earlier link
            unresolved = 1 + len(self.links) * self.links[number].must
            return self._packed([unresolved, *self.links[number].none, 0, 0]) + len(self.rank) * place
        length = offer.stock_mm if offer.cable is None else 0
        return self._packed([0, *offer.own, length, offer.reach]) + self.rank[offer.parts] * place

    def _link_factors(self) -> Iterator[Factor]:
        for number, link in enumerate(self.links):
            a_labels, z_labels = self.labels[link.a_cage], self.labels[link.z_cage]
            table = np.empty((len(a_labels), len(z_labels)), object)
            table[:] = self._cost(number, None)
            # The dearest first, so that the cheapest offer of a pair of labels is what remains there.
            for cost, offer in sorted(
                ((self._cost(number, offer), offer) for offer in link.offers), key=lambda pair: pair[0], reverse=True
            ):
                at_a = [i for i, label in enumerate(a_labels) if _allows(label, link.a_cage, offer.a_plug, offer)]
                at_z = [i for i, label in enumerate(z_labels) if _allows(label, link.z_cage, offer.z_plug, offer)]
                table[np.ix_(at_a, at_z)] = cost
            if link.a_cage == link.z_cage:
                yield Factor((link.a_cage,), np.array([table[i, i] for i in range(len(a_labels))], object))
            elif link.a_cage < link.z_cage:
                yield Factor((link.a_cage, link.z_cage), table)
            else:
                yield Factor((link.z_cage, link.a_cage), table.T)

    def _best(self, number: int, a_label: _Label, z_label: _Label) -> int | None:
        link = self.links[number]
        fitting = [
            (self._cost(number, offer), k)
            for k, offer in enumerate(link.offers)
            if _allows(a_label, link.a_cage, offer.a_plug, offer) and _allows(z_label, link.z_cage, offer.z_plug, offer)
        ]
        return min(fitting)[1] if fitting else None


def _allows(label: _Label, cage: int, plug: int, offer: Offer) -> bool:
    """Whether what a cage holds serves a link with an offer."""
    if label.plug != plug:
        return False
    shared = offer.cable
    if shared is None or shared.cage != cage:
        return True
    return any(
        slot == shared.slot and family == shared.family and offer.stock_mm <= mm <= shared.most_mm
        for slot, family, mm in label.cables
    )
