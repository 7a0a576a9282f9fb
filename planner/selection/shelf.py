"""What is on hand, as the choice of parts may count on it: pieces are finite, so some cages and links may and others may not.

First everything is chosen as if stock had no end. Where a part is then taken more often than it is there, the cages and
links that come first in the order of links keep it until it is used up, to the others it is a part to be bought, and all
is chosen again, until nothing is taken too often.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from planner.catalog.plugs import Transceiver
from planner.selection.assemblies import Assemblies
from planner.selection.options import Option
from planner.selection.sharing import Sharing
from planner.table import Ints, Mask, rank_codes

MOST_TURNS: Final = 100
"""Choices made until nothing is taken too often; every turn leaves fewer places for some part, and few are ever needed."""


@dataclass(frozen=True)
class Shelf:
    """Parts on hand, by part number in lower case.

    longer: whether a longer piece on hand may go before a shorter one to be bought. cages, links: by part that is not there
    for all, the cages whose plug it may be, and the links whose cable.
    """

    pieces: Mapping[str, int] = field(default_factory=dict)
    longer: bool = False
    cages: Mapping[str, Mask] = field(default_factory=dict)
    links: Mapping[str, Mask] = field(default_factory=dict)

    def of_use(self, offers: Sequence[Option]) -> Shelf:
        """What is on hand of the parts on offer."""
        if not self.pieces:
            return self
        known = {number for option in offers for number in numbers_of(option)}
        return replace(self, pieces={number: count for number, count in self.pieces.items() if number in known})

    def plug(self, plug: Transceiver | None, cages: Ints) -> Mask:
        """The cages that may take a transceiver from stock."""
        number = "" if plug is None else plug.members[0].part.lower()
        return _among(number, cages, self.pieces, self.cages)

    def cable(self, option: Option, position: int, rows: Ints) -> Mask:
        """The links that may take the cable of one of an option's lengths from stock."""
        return _among(_number(option, position), rows, self.pieces, self.links)

    def lengths(self, option: Option, rows: Ints) -> Mask:
        """By position and link, whether the cable may come from stock."""
        found = np.zeros((len(option.members), len(rows)), bool)
        for position in range(len(option.members)) if self.pieces else ():
            found[position] = self.cable(option, position, rows)
        return found

    def codes(self, a_cage: Ints, z_cage: Ints) -> Ints:
        """A number for each link, alike for links that may take the same from stock."""
        columns = [mask for _, mask in sorted(self.links.items())]
        for _, mask in sorted(self.cages.items()):
            columns += [mask[a_cage], mask[z_cage]]
        if not columns:
            return np.zeros(len(a_cage), np.int64)
        return rank_codes([column.astype(np.int64) for column in columns]).astype(np.int64)

    def shared_out(self, offers: Sequence[Option], offer: Ints, found: Assemblies, sharing: Sharing) -> Shelf | None:
        """The shelf after a choice: what was taken too often is left to those that come first. None where nothing was."""
        if not self.pieces:
            return None
        cages, links = dict(self.cages), dict(self.links)
        for number, sites in _takers(self, offers, offer, found, sharing):
            left = self.pieces[number]
            if not sites or sum(site.pieces for site in sites) <= left:
                continue
            keep: list[int] = []
            for site in sorted(sites, key=lambda site: site.row):
                if site.pieces <= left:
                    left -= site.pieces
                    keep.append(site.place)
            if sites[0].is_cage:
                cages[number] = np.zeros(sharing.size, bool)
                cages[number][keep] = True
            else:
                links[number] = np.zeros(len(offer), bool)
                rows = np.array(keep, np.int64)
                for option in np.unique(offer[rows]).tolist():
                    links[number] |= sharing.beside(offers[option], rows[offer[rows] == option])
        same = all(
            now.keys() == before.keys() and all(np.array_equal(now[number], before[number]) for number in now)
            for now, before in ((cages, self.cages), (links, self.links))
        )
        return None if same else replace(self, cages=cages, links=links)


@dataclass(frozen=True, slots=True)
class _Site:
    """A place that takes a part from stock: a cage, or the first link of a cable; row: the first of its links."""

    row: int
    place: int
    pieces: int
    is_cage: bool


def _takers(
    shelf: Shelf, offers: Sequence[Option], offer: Ints, found: Assemblies, sharing: Sharing
) -> Iterator[tuple[str, list[_Site]]]:
    """By part on hand, where a choice takes it."""
    sites: dict[str, list[_Site]] = {}
    rows = np.flatnonzero(offer >= 0)
    first = rows[np.unique(found.assembly[rows], return_index=True)[1]]
    for number in np.unique(offer[rows]).tolist():
        option = offers[number]
        mine = first[offer[first] == number]
        for position in np.unique(found.position[mine]).tolist():
            part = _number(option, position)
            if part in shelf.pieces:
                here = mine[found.position[mine] == position]
                here = here[shelf.cable(option, position, here)]
                sites.setdefault(part, []).extend(_Site(row, row, option.cords, is_cage=False) for row in here.tolist())
        for plug, cage in ((option.a_plug, sharing.a_cage), (option.z_plug, sharing.z_cage)):
            part = "" if plug is None else plug.members[0].part.lower()
            if part in shelf.pieces:
                here = rows[offer[rows] == number]
                here = here[shelf.plug(plug, cage[here])]
                sites.setdefault(part, []).extend(
                    _Site(row, place, 1, is_cage=True)
                    for row, place in zip(here.tolist(), cage[here].tolist(), strict=True)
                )
    for part, of_part in sorted(sites.items()):
        if of_part and of_part[0].is_cage:
            once: dict[int, _Site] = {}
            for site in sorted(of_part, key=lambda site: site.row):
                once.setdefault(site.place, site)
            yield part, list(once.values())
        else:
            yield part, of_part


def numbers_of(option: Option) -> Iterator[str]:
    """Part numbers of an option's plugs and of all its lengths, in lower case."""
    for plug in (option.a_plug, option.z_plug):
        if plug is not None:
            yield plug.members[0].part.lower()
    for position in range(len(option.members)):
        yield _number(option, position)


def _number(option: Option, position: int) -> str:
    return option.cable.members[int(option.members[position])].part.lower()


def _among(number: str, places: Ints, pieces: Mapping[str, int], limited: Mapping[str, Mask]) -> Mask:
    if number not in pieces:
        return np.zeros(len(places), bool)
    mask = limited.get(number)
    found: Mask = np.ones(len(places), bool) if mask is None else mask[places]
    return found
