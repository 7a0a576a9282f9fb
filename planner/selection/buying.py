"""Buying a plan of generic parts: whose part stands in for each piece.

A plan is made with generic parts first (classes, by IEEE or MSA type), then each piece is bought: a plug in a cage, a
cable or cord. The bought plan has the links, lengths, cables and labels of the generic one; its parts are the vendors',
and every rule judges them. A piece that no vendor of the policy sells in its exact length stays generic.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from planner.catalog.fibre import Cord
from planner.catalog.figures import GENERIC, Lifecycle
from planner.catalog.load import Catalog
from planner.catalog.plugs import CableAssembly, Transceiver
from planner.layout import CageOfPort
from planner.lengths.measure import Measure
from planner.names import natural_key
from planner.project import VendorPolicy
from planner.selection.apportion import apportioned
from planner.selection.choose import Selection
from planner.selection.options import KindOfLink, Option, kept_out
from planner.selection.stand_in import exact_members, with_cable, with_plug
from planner.table import Ints, Mask
from planner.units import PPM, short_metres

Part = Transceiver | CableAssembly | Cord
Slot = str
"""Where a part stands in an option: `a`, `z` (the plugs) or `cable`."""

_PLUGS: Final = ("a", "z")


@dataclass(frozen=True, slots=True)
class Unsold:
    """Generic parts (lengths of one family) that nobody sells for some links, all for the same reasons, vendor by vendor."""

    parts: tuple[str, ...]
    rows: Ints
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Short:
    """A vendor that has less than its share of a class, though it has every piece that it sells.

    generic: ids of the class's parts. pieces: how many it has, of_pieces that are bought. lacking: pieces that it does not
    sell, by length in mm (0 for plugs); rows: the first links of those.
    """

    vendor: str
    share_ppm: int
    generic: tuple[str, ...]
    pieces: int
    of_pieces: int
    lacking: tuple[tuple[int, int], ...]
    rows: Ints


@dataclass(frozen=True, slots=True)
class Purchase:
    """A choice with bought parts in place of generic ones.

    planned: the choice as it was made, whose lengths hold.
    stands_for: by id of a bought family, ids of the generic ones that it is bought for.
    """

    selection: Selection
    planned: Selection
    stands_for: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unsold: tuple[Unsold, ...] = ()
    short: tuple[Short, ...] = ()


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A part that could stand in for a generic one. vendor: place in the policy's list."""

    vendor: int
    part: Part
    generic: str


def buy(chosen: Selection, a: CageOfPort, z: CageOfPort, measure: Measure, catalog: Catalog) -> Purchase:
    """What is bought for the generic parts of a choice, from the vendors that its links' policy names, by their shares.

    Links of another policy (`policy.choices`) are bought apart; a plug or cable is bought by that of its first link.
    """
    policies = [kind.wish.vendors for kind in chosen.kinds.kinds]
    bought = Purchase(chosen, chosen)
    for number, vendors in enumerate(policies):
        if vendors.buy and vendors not in policies[:number]:
            same = np.array([other == vendors for other in policies] + [False])
            bought = _bought_by(vendors, same[chosen.kinds.of_link], bought, a, z, measure, catalog)
    unsold = tuple(sorted(bought.unsold, key=lambda found: (int(found.rows[0]), found.parts)))
    return replace(bought, unsold=unsold)


def _bought_by(
    vendors: VendorPolicy,
    mine: Mask,
    before: Purchase,
    a: CageOfPort,
    z: CageOfPort,
    measure: Measure,
    catalog: Catalog,
) -> Purchase:
    """What is bought for some of the links, on top of what was bought before."""
    chosen = before.planned
    buyer = _Buyer(chosen, measure, catalog, vendors)
    plugs = _Pieces.of_plugs(chosen, a, z, mine)
    cables = _Pieces.of_cables(chosen, mine)
    picks: dict[Slot, Ints] = {}
    unsold: list[Unsold] = []
    short: list[Short] = []
    for pieces, sets in ((plugs, _sets_of_plugs(plugs, chosen, vendors)), (cables, _Sets.apart(cables))):
        can = buyer.able(pieces)
        picked = buyer.shared_out(pieces, sets, can)
        unsold += buyer.unsold(pieces, picked)
        short += buyer.short(pieces, sets, can, picked)
        for slot, piece in pieces.of_link.items():
            picks[slot] = np.where(piece >= 0, picked[piece], -1) if len(picked) else piece
    selection = buyer.bought(picks, before.selection)
    stands_for = dict(before.stands_for)
    for number in sorted({int(c) for pick in picks.values() for c in np.unique(pick) if c >= 0}):
        candidate = buyer.candidates[number]
        told = stands_for.get(candidate.part.id, ())
        stands_for[candidate.part.id] = tuple(dict.fromkeys((*told, candidate.generic)))
    return Purchase(selection, chosen, stands_for, (*before.unsold, *unsold), (*before.short, *short))


@dataclass(frozen=True)
class _Pieces:
    """The pieces of generic parts, of one sort: plugs, one a cage, or cables, one an assembly.

    of_link: by slot, the piece of each link, -1 where its part is no generic one. generic: id of each piece's part.
    weight: how many are bought with it. first: its first link.
    """

    of_link: Mapping[Slot, Ints]
    generic: tuple[str, ...]
    weight: Ints
    first: Ints

    @classmethod
    def of_plugs(cls, chosen: Selection, a: CageOfPort, z: CageOfPort, mine: Mask) -> _Pieces:
        """mine: the links to buy for; a plug is bought for the first link of its cage."""
        size = int(max(a.cage.max(initial=0), z.cage.max(initial=0))) + 1
        first = np.full(size, len(mine), np.int64)
        for cage in (a.cage, z.cage):
            np.minimum.at(first, cage, np.arange(len(mine)))
        buys = np.append(mine, False)[first]
        generics = sorted(
            {o.a_plug.id for o in chosen.offers if o.a_plug} | {o.z_plug.id for o in chosen.offers if o.z_plug}
        )
        number = {id_: n for n, id_ in enumerate(generics)}
        keys = {}
        for slot, cage in (("a", a.cage), ("z", z.cage)):
            parts = [_part_in(option, slot) for option in chosen.offers]
            code = np.array([number[p.id] if p and _is_generic(p) else -1 for p in parts] + [-1], np.int64)[
                chosen.offer
            ]
            keys[slot] = np.where((code >= 0) & buys[cage], cage * len(number) + code, -1)
        return cls._of(keys, lambda key: generics[key % len(generics)], np.ones(len(chosen.offer), np.int64))

    @classmethod
    def of_cables(cls, chosen: Selection, mine: Mask) -> _Pieces:
        # What is led over panels is planned with the parts that its policy names.
        generic = np.array([_is_generic(o.cable) and o.chain is None for o in chosen.offers] + [False])[chosen.offer]
        cords = np.array([o.cords for o in chosen.offers] + [1], np.int64)[chosen.offer]
        assembly = {"cable": np.where(generic, chosen.assembly, -1)}
        first = _first_rows(assembly)
        buys = np.array([mine[row] for _, row in sorted(first.items())] + [False])
        place = np.searchsorted(np.array(sorted(first), np.int64), assembly["cable"])
        keys = {
            "cable": np.where((assembly["cable"] >= 0) & buys[np.minimum(place, len(buys) - 1)], assembly["cable"], -1)
        }
        return cls._of(keys, lambda key: chosen.offers[int(chosen.offer[first[key]])].cable.id, cords)

    @classmethod
    def _of(cls, keys: Mapping[Slot, Ints], generic_of: Callable[[int], str], weight: Ints) -> _Pieces:
        first = _first_rows(keys)
        # In the order of their first links, so that a vendor's share is one run of links.
        order = sorted(first, key=lambda key: (first[key], key))
        number = {key: n for n, key in enumerate(order)}
        numbers = np.array([number[key] for key in sorted(number)], np.int64)
        values = np.array(sorted(number), np.int64)
        of_link = {
            slot: np.where(key >= 0, numbers[np.minimum(np.searchsorted(values, key), len(values) - 1)], -1)
            if len(values)
            else key
            for slot, key in keys.items()
        }
        rows = np.array([first[key] for key in order], np.int64)
        return cls(of_link, tuple(generic_of(key) for key in order), weight[rows], rows)

    def __len__(self) -> int:
        return len(self.generic)


def _first_rows(keys: Mapping[Slot, Ints]) -> dict[int, int]:
    """First link of each key, over all slots."""
    found: dict[int, int] = {}
    for column in keys.values():
        values, rows = np.unique(column, return_index=True)
        for value, row in zip(values.tolist(), rows.tolist(), strict=True):
            if value >= 0:
                found[value] = min(row, found.get(value, row))
    return found


@dataclass(frozen=True, slots=True)
class _Sets:
    """Pieces that go to one vendor together: the set of each piece, and the vendors that a set is bound to (bits)."""

    of_piece: Ints
    allowed: Ints

    @classmethod
    def apart(cls, pieces: _Pieces) -> _Sets:
        return cls(np.arange(len(pieces), dtype=np.int64), np.full(len(pieces), -1, np.int64))


def _sets_of_plugs(plugs: _Pieces, chosen: Selection, vendors: VendorPolicy) -> _Sets:
    """One vendor at both ends of a link: plugs that links join, directly or over others in one cage, are one set.

    A plug that faces another vendor's (pinned) part is bound to that vendor.
    """
    if not vendors.one_at_both_ends or not len(plugs):
        return _Sets.apart(plugs)
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    a, z = plugs.of_link["a"], plugs.of_link["z"]
    joined = np.flatnonzero((a >= 0) & (z >= 0))
    graph = coo_array((np.ones(len(joined), np.int8), (a[joined], z[joined])), shape=(len(plugs), len(plugs)))
    labels = connected_components(graph, directed=False)[1].astype(np.int64)
    allowed = np.full(int(labels.max()) + 1, -1, np.int64)
    names = [name.casefold() for name in vendors.buy or {}]
    for here, there in (("a", "z"), ("z", "a")):
        for row in np.flatnonzero((plugs.of_link[here] >= 0) & (plugs.of_link[there] < 0)).tolist():
            option = chosen.option_of(row)
            facing = _part_in(option, there) if option else None
            if facing is not None:
                maker = facing.manufacturer.casefold()
                allowed[labels[plugs.of_link[here][row]]] &= 1 << names.index(maker) if maker in names else 0
    return _Sets(labels, allowed)


class _Buyer:
    """The offers of the policy's vendors, and what of them fits where."""

    def __init__(self, chosen: Selection, measure: Measure, catalog: Catalog, vendors: VendorPolicy) -> None:
        self.chosen, self.measure, self.catalog, self.vendors = chosen, measure, catalog, vendors
        shares = vendors.buy or {}
        self.names, self.shares = tuple(shares), tuple(shares.values())
        self.candidates = _candidates(catalog, self.names)
        self._made: dict[tuple[int, Slot, int], Option | str] = {}

    def able(self, pieces: _Pieces) -> Mask:
        """By piece and candidate, whether it can stand in on every link of the piece."""
        generics = np.array(pieces.generic)
        can = (
            np.stack([generics == c.generic for c in self.candidates], axis=1)
            if self.candidates and len(pieces)
            else np.zeros((len(pieces), len(self.candidates)), bool)
        )
        for slot, piece in pieces.of_link.items():
            for offer in np.unique(self.chosen.offer[piece >= 0]).tolist():
                rows = np.flatnonzero((self.chosen.offer == offer) & (piece >= 0))
                for number in np.flatnonzero(can[piece[rows]].any(axis=0)).tolist():
                    lost = rows[self.members(offer, slot, number, rows) < 0]
                    can[piece[lost], number] = False
        return can

    def members(self, offer: int, slot: Slot, number: int, rows: Ints) -> Ints:
        """The member of the cable by link, with a candidate in a slot of an option; -1 where it cannot be there."""
        made = self.made(offer, slot, number)
        if isinstance(made, str):
            return np.full(len(rows), -1, np.int64)
        if made.chain is not None:
            reach = made.reach_um
            return np.where(reach is None or self.chosen.stock_mm[rows] * 1000 <= reach, self.chosen.member[rows], -1)
        lengths = self.measure.lengths(made.cable_class, made.a_standoff_um, made.z_standoff_um)
        return exact_members(made, self.chosen.stock_mm[rows], lengths.required[rows])

    def made(self, offer: int, slot: Slot, number: int) -> Option | str:
        """An option with a candidate in one of its slots, or why it cannot be there."""
        key = (offer, slot, number)
        if key not in self._made:
            option, candidate = self.chosen.offers[offer], self.candidates[number]
            kind = self._kind_of(offer)
            withdrawn = kept_out(candidate.part, _to_buy(kind), self.catalog)
            if withdrawn:
                self._made[key] = withdrawn
            elif isinstance(candidate.part, Transceiver):
                self._made[key] = with_plug(option, slot, candidate.part, kind, self.catalog)
            else:
                self._made[key] = with_cable(option, candidate.part, kind, self.catalog)
        return self._made[key]

    def _kind_of(self, offer: int) -> KindOfLink:
        row = int(np.flatnonzero(self.chosen.offer == offer)[0])
        return self.chosen.kinds.of(int(row))

    def shared_out(self, pieces: _Pieces, sets: _Sets, can: Mask) -> Ints:
        """The candidate that each piece becomes, -1 where it stays generic; vendors get their shares class by class."""
        of_vendor = np.array([c.vendor for c in self.candidates] or [0], np.int64)
        count = int(sets.of_piece.max(initial=-1)) + 1
        able = sets.allowed.copy()
        for vendor in range(len(self.names)):
            sells = (can & (of_vendor == vendor)).any(axis=1) if self.candidates else np.zeros(len(pieces), bool)
            able[np.unique(sets.of_piece[~sells])] &= ~(1 << vendor)
        able &= (1 << len(self.names)) - 1
        weight, first = (
            np.bincount(sets.of_piece, pieces.weight, count).astype(np.int64),
            np.full(count, 1 << 60, np.int64),
        )
        np.minimum.at(first, sets.of_piece, np.arange(len(pieces)))
        vendor_of = np.full(count, -1, np.int64)
        for members in _by_class(pieces, sets, first):
            vendor_of[members] = apportioned(weight[members], able[members], self.shares)
        mine = can & (of_vendor[None, :] == vendor_of[sets.of_piece][:, None]) if self.candidates else can
        return np.where(mine.any(axis=1), mine.argmax(axis=1), -1) if mine.size else np.full(len(pieces), -1, np.int64)

    def short(self, pieces: _Pieces, sets: _Sets, can: Mask, candidate: Ints) -> list[Short]:
        """Vendors that miss their share of a class by a whole set or more, since they do not sell enough of it."""
        found = []
        of_vendor = np.array([c.vendor for c in self.candidates] or [0], np.int64)
        first = np.full(int(sets.of_piece.max(initial=-1)) + 1, len(pieces), np.int64)
        np.minimum.at(first, sets.of_piece, np.arange(len(pieces)))
        for members in _by_class(pieces, sets, first) if self.candidates else ():
            mine = np.flatnonzero(np.isin(sets.of_piece, members) & (candidate >= 0))
            weight = pieces.weight[mine]
            step = int(np.bincount(sets.of_piece[mine], weight).max(initial=0))
            for vendor, (name, share) in enumerate(zip(self.names, self.shares, strict=True)):
                has = of_vendor[candidate[mine]] == vendor
                sells = (can[mine] & (of_vendor == vendor)).any(axis=1)
                missing = share * int(weight.sum()) - int(weight[has].sum()) * PPM
                if missing < step * PPM or (sells & ~has).any() or not len(mine):
                    continue
                lacks = mine[~sells]
                rows = pieces.first[lacks]
                lengths = self.chosen.stock_mm[rows] if "cable" in pieces.of_link else np.zeros(len(rows), np.int64)
                counts = [(mm, int(pieces.weight[lacks][lengths == mm].sum())) for mm in np.unique(lengths).tolist()]
                generic = tuple(sorted({pieces.generic[n] for n in mine.tolist()}))
                has_weight, all_weight = int(weight[has].sum()), int(weight.sum())
                found.append(Short(name, share, generic, has_weight, all_weight, tuple(counts), np.unique(rows)))
        return found

    def unsold(self, pieces: _Pieces, candidate: Ints) -> list[Unsold]:
        """Pieces that stay generic, by part and length. A class that is bought as such (twisted pair) may stay one."""
        found: dict[str, list[Ints]] = {}
        for slot, piece in pieces.of_link.items():
            for row in np.flatnonzero((piece >= 0) & (candidate[piece] < 0) if len(candidate) else piece >= 0).tolist():
                part = self._generic_at(row, slot)
                if part.kind == "utp" and not any(c.generic == part.id for c in self.candidates):
                    continue
                number = self.chosen.member[row] if slot == "cable" else 0
                found.setdefault(part.members[int(number)].part, []).append(np.array([row], np.int64))
        by_cause: dict[tuple[str, ...], dict[str, Ints]] = {}
        for name, parts in found.items():
            rows = np.unique(np.concatenate(parts))
            by_cause.setdefault(tuple(self._reasons(int(rows[0]), name)), {})[name] = rows
        return [
            Unsold(tuple(sorted(named, key=natural_key)), np.unique(np.concatenate(list(named.values()))), reasons)
            for reasons, named in by_cause.items()
        ]

    def _generic_at(self, row: int, slot: Slot) -> Part:
        option = self.chosen.option_of(row)
        part = _part_in(option, slot) if option else None
        assert part is not None
        return part

    def _reasons(self, row: int, name: str) -> list[str]:
        """Vendor by vendor, why none of its parts stands in for the part of a name on a link."""
        slots = [s for s in (*_PLUGS, "cable") if self._named(row, s, name)]
        part = self._generic_at(row, slots[0])
        reasons = []
        for vendor, maker in enumerate(self.names):
            mine = [n for n, c in enumerate(self.candidates) if c.vendor == vendor and c.generic == part.id]
            told = [text for n in mine for slot in slots if (text := self._against(row, slot, n))]
            lost = told or (
                [f"no part of it implements `{part.id}`"]
                if not mine
                else ["it does not sell every plug that `one_at_both_ends` joins to this one"]
            )
            reasons.append(f"{maker}: {'; '.join(dict.fromkeys(lost))}")
        return reasons

    def _named(self, row: int, slot: Slot, name: str) -> bool:
        option = self.chosen.option_of(row)
        part = _part_in(option, slot) if option else None
        return part is not None and any(member.part == name for member in part.members)

    def _against(self, row: int, slot: Slot, number: int) -> str:
        """Why a candidate does not stand in on a link; empty where it does."""
        offer, part = int(self.chosen.offer[row]), self.candidates[number].part
        made = self.made(offer, slot, number)
        if isinstance(made, str):
            return f"{part.id.upper()}: {made}"
        stock = int(self.chosen.stock_mm[row])
        if stock in made.nominal_mm.tolist():
            short = self.members(offer, slot, number, np.array([row], np.int64))[0] < 0
            return f"{part.id.upper()} of {short_metres(stock)} m is too short with its own tolerance" if short else ""
        if slot != "cable":
            return f"{part.id.upper()} does not reach {short_metres(stock)} m"
        sold = sorted({member.length_m // 1000 for member in made.cable.members})
        if stock in sold:
            return f"{part.id.upper()} of {short_metres(stock)} m is denied, or beyond its reach"
        return f"{part.id.upper()} is sold in {', '.join(short_metres(mm) for mm in sold)} m"

    def bought(self, picks: Mapping[Slot, Ints], before: Selection) -> Selection:
        """The choice with the picked candidates in it, over what was bought before for other links."""
        chosen = self.chosen
        keys = np.stack([chosen.offer, *(picks[slot] for slot in (*_PLUGS, "cable"))], axis=1)
        rows = np.flatnonzero((keys[:, 0] >= 0) & (keys[:, 1:] >= 0).any(axis=1))
        offers, offer, member = list(before.offers), before.offer.copy(), before.member.copy()
        combinations, which = np.unique(keys[rows], axis=0, return_inverse=True)
        for number, (old, a, z, cable) in enumerate(combinations.tolist()):
            mine = rows[which.reshape(-1) == number]
            option = self._combined(old, a, z, cable)
            offer[mine] = len(offers)
            if cable >= 0:
                by_length = {m.length_m // 1000: n for n, m in reversed(list(enumerate(option.cable.members)))}
                member[mine] = [by_length[length] for length in chosen.stock_mm[mine].tolist()]
                if chosen.offers[old].member is not None:
                    option = replace(option, member=int(member[mine[0]]))
            offers.append(option)
        return replace(chosen, offers=tuple(offers), offer=offer, member=member)

    def _combined(self, offer: int, a: int, z: int, cable: int) -> Option:
        option = self.chosen.offers[offer]
        if cable >= 0:
            made = self.made(offer, "cable", cable)
            assert isinstance(made, Option)
            option = made
        return replace(option, a_plug=self._plug(a) or option.a_plug, z_plug=self._plug(z) or option.z_plug)

    def _plug(self, number: int) -> Transceiver | None:
        part = self.candidates[number].part if number >= 0 else None
        assert part is None or isinstance(part, Transceiver)
        return part


def _candidates(catalog: Catalog, vendors: tuple[str, ...]) -> list[_Candidate]:
    """What the vendors sell in place of generic parts: active ones first, then by id, which is the order of preference."""
    number = {name.casefold(): n for n, name in enumerate(vendors)}
    parts: list[Part] = [*catalog.transceivers.values(), *catalog.cables.values(), *catalog.cords.values()]
    parts.sort(key=lambda part: (part.lifecycle.value is not Lifecycle.ACTIVE, part.id))
    return [
        _Candidate(number[part.manufacturer.casefold()], part, generic)
        for part in parts
        if part.manufacturer.casefold() in number
        for generic in part.implements
    ]


def _to_buy(kind: KindOfLink) -> KindOfLink:
    """A kind as its bought parts are judged: what the plan allows are generic parts, what it denies is denied."""
    vendors = VendorPolicy(deny=kind.wish.vendors.deny)
    return replace(kind, wish=replace(kind.wish, allow=None, vendors=vendors))


def _by_class(pieces: _Pieces, sets: _Sets, first: Ints) -> list[Ints]:
    """Sets whose pieces are of the same generic parts, each class in the order of its sets' first pieces."""
    parts: dict[int, set[str]] = {}
    for piece, number in enumerate(sets.of_piece.tolist()):
        parts.setdefault(number, set()).add(pieces.generic[piece])
    classes: dict[tuple[str, ...], list[int]] = {}
    for number in np.argsort(first, kind="stable").tolist():
        classes.setdefault(tuple(sorted(parts[number])), []).append(number)
    return [np.array(members, np.int64) for members in classes.values()]


def _part_in(option: Option, slot: Slot) -> Part | None:
    return option.cable if slot == "cable" else option.a_plug if slot == "a" else option.z_plug


def _is_generic(part: Part) -> bool:
    return part.manufacturer.casefold() == GENERIC


__all__ = ["Purchase", "Short", "Unsold", "buy"]
