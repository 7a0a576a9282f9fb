"""The assemblies that a kind of link may have, and every family that it may not with the reasons.

An option is a cable family with its two plugs; lengths come later, link by link. A forced option (pinned) is offered
whatever speaks against it: the rules then report it once.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from planner.catalog.compatibility import Rate
from planner.catalog.fibre import Cord
from planner.catalog.figures import GENERIC
from planner.catalog.load import Catalog
from planner.catalog.plugs import CableAssembly, LengthOf, PlugEnd, Transceiver
from planner.catalog.structured import AdapterPlate, Cassette, Trunk
from planner.channel.judge import Verdict
from planner.choices import Wish
from planner.pins import Forced
from planner.project import CableClass, VendorPolicy
from planner.selection.fit import CageKind, interface_in, mode_in, orderable, plug_faults
from planner.selection.light import verdict_of, verdict_over_panels
from planner.structured.chain import Chain
from planner.table import Ints
from planner.units import short_metres

DOES_NOT_ENTER: Final = frozenset(("wrong-form-factor", "wrong-heat-sink"))
"""Rules of a plug that its cage does not take at all."""
SHARES_BADLY: Final = "receptacles-shared-badly"
"""Why two plugs that suit one another form no link; no rule, since only whole plans share receptacles."""
UNKNOWN_SPLITTER_REACH_UM: Final = 50_000_000
"""Where nobody states how far a fibre splitter reaches: NVIDIA's limit for every run with a 1:2 splitter in it, single-mode (500 m
without one) or multimode. https://docs.nvidia.com/networking/display/intrcnctcabreqndr400eth"""
UNKNOWN_STANDOFF_UM: Final = 100_000
"""Where the catalog has no standoff: that of the stiffest plug known (OSFP copper), so that no length is too short."""

Part = Transceiver | CableAssembly | Cord

STRAIGHT, TWIN, SPLITTER = "straight", "twin", "splitter"
KEEPS_ITS_SIDES: Final = "A-A"
"""A duplex cord for one end of Method A alone; two of them cancel, and hands that know A-B cords mistake them."""

GENERIC_NOT_ALLOWED: Final = "generic parts are chosen only where `policy.vendors.allow` names `generic`"
PARTS_STAY_DIRECT: Final = "a part of a receptacle is not led over panels"
"""Why a part of a class is not chosen."""


@dataclass(frozen=True)
class Option:
    """One way to realise links of a kind.

    a_plug, z_plug: the transceivers, None where the cable has plugs of its own. head_at_z: the cable's end a is at the
    link's end z. shape: `straight` serves one link; `twin` both links between two twin-port cages; `splitter` the links
    of its head's cage (or of one receptacle), which end in different cages. member: the only length allowed, if pinned.
    cords: how many cords side by side one link takes (an 800G port on two receptacles takes two). ports: how many ports
    of the head's cage one cable serves. lit: lanes that run in the module on a splitter's leg. barred: members that the
    policy keeps out. chain: what stands between two cords where the link is led over panels; cable and member are then of
    the cord at its a, z_cord and z_member of the other.
    """

    medium: str
    rank: int
    cable: CableAssembly | Cord
    a_plug: Transceiver | None
    z_plug: Transceiver | None
    shape: str
    head_at_z: bool
    forced: bool
    member: int | None = None
    cords: int = 1
    ports: int = 1
    lit: int | None = None
    barred: frozenset[int] = frozenset()
    chain: Chain | None = None
    z_cord: Cord | None = None
    z_member: int | None = None

    @cached_property
    def at_z(self) -> Option:
        """The same with the cord at z as its cable, where it is led over panels."""
        return replace(self, cable=self.z_cord, member=self.z_member) if self.z_cord is not None else self

    @property
    def parts(self) -> tuple[Part | Trunk | AdapterPlate | Cassette, ...]:
        """Every part along the way, each family once: cable and plugs, and over panels what stands between the cords."""
        own = (self.cable, self.a_plug, self.z_plug, self.z_cord)
        between = (self.chain.a_insert, self.chain.trunk, self.chain.z_insert) if self.chain is not None else ()
        return tuple({part.id: part for part in (*own, *between) if part is not None}.values())

    @property
    def has_own_plugs(self) -> bool:
        """Whether the cable's ends are plugs, so that no transceivers are needed."""
        return self.a_plug is None

    @property
    def is_shared(self) -> bool:
        """Whether one cable may serve several links."""
        return self.shape != STRAIGHT and self.ports > 1

    @property
    def ports_a_leg(self) -> int:
        """Ports of the cage at the end of a leg, or of a twin cable's other end."""
        if isinstance(self.cable, CableAssembly):
            return self.cable.z.ports
        return 1

    @property
    def key(self) -> tuple[str, str, str]:
        """Part numbers by which equal options are told apart."""
        return (self.cable.id, self.a_plug.id if self.a_plug else "", self.z_plug.id if self.z_plug else "")

    @property
    def fibres(self) -> tuple[str, ...]:
        """Grades of glass along the way: of both cords and the trunk where it is led over panels."""
        if not isinstance(self.cable, Cord):
            return ()
        trunk = (self.chain.trunk.fibre,) if self.chain is not None else ()
        z_cord = (self.z_cord.fibre,) if self.z_cord is not None else ()
        return tuple(dict.fromkeys((self.cable.fibre, *trunk, *z_cord)))

    @property
    def cable_class(self) -> CableClass:
        return "copper" if self.medium in ("dac", "acc", "aec", "utp") else "fibre"

    @property
    def a_standoff_um(self) -> int:
        return self._standoff(self.a_plug, at_head=not self.head_at_z)

    @property
    def z_standoff_um(self) -> int:
        return self._standoff(self.z_plug, at_head=self.head_at_z)

    def _standoff(self, plug: Transceiver | None, *, at_head: bool) -> int:
        if isinstance(self.cable, CableAssembly):
            figures = [self.cable.a.standoff_mm if at_head else self.cable.z.standoff_mm]
        else:
            figures = [self.cable.standoff_mm, *([plug.end.standoff_mm] if plug else [])]
        known = [figure.value for figure in figures if figure.value is not None]
        return max(known) if known else UNKNOWN_STANDOFF_UM

    @cached_property
    def members(self) -> Ints:
        """Members in order of length, those within reach only; all of them where forced."""
        order = sorted(range(len(self.cable.members)), key=lambda i: self.cable.members[i].length_m)
        if self.member is not None:
            return np.array([self.member], np.int64)
        if not self.forced:
            low, high = self.least_um, self.reach_um
            order = [
                i
                for i in order
                if low <= self.cable.members[i].length_m <= (high if high is not None else 10**15)
                and i not in self.barred
            ]
        return np.array(order, np.int64)

    @cached_property
    def nominal_mm(self) -> Ints:
        """Nominal lengths of `members`."""
        return np.array([self.cable.members[i].length_m // 1000 for i in self.members.tolist()], np.int64)

    @cached_property
    def usable_mm(self) -> Ints:
        """Usable lengths of `members`."""
        return np.array([self.usable_of(i) for i in self.members.tolist()], np.int64)

    def usable_of(self, member: int) -> int:
        """A member's nominal length in mm, less the tolerance and what sits inside the cages."""
        lost = self.cable.tolerance_mm.value or 0
        insertion = getattr(self.cable, "insertion_mm", None)
        if self.cable.length_of.value is LengthOf.TIP and insertion is not None and insertion.value is not None:
            lost += 2 * insertion.value
        return (self.length_of(member) - lost) // 1000

    def length_of(self, member: int) -> int:
        """A member's nominal length in um."""
        return self.cable.members[member].length_m

    @cached_property
    def reach_um(self) -> int | None:
        """Greatest nominal length: the least of the cable's and both plugs' reach on its fibre; None if none is known."""
        limits = [self.cable.reach_m.value]
        if isinstance(self.cable, Cord):
            if self.cable.kind == "splitter" and self.cable.reach_m.value is None:
                limits = [UNKNOWN_SPLITTER_REACH_UM]
            if self.z_cord is not None:
                limits.append(self.z_cord.reach_m.value)
            for plug in (self.a_plug, self.z_plug):
                for fibre in self.fibres:
                    figure = plug.reach_m.get(fibre) if plug else None
                    limits.append(figure.value if figure else None)
        known = [limit for limit in limits if limit is not None]
        return min(known) if known else None

    @cached_property
    def least_um(self) -> int:
        """Smallest nominal length that the plugs allow."""
        figures = [plug.min_length_m for plug in (self.a_plug, self.z_plug) if plug and plug.min_length_m]
        return max((figure.value or 0 for figure in figures), default=0)

    @property
    def ends_at_mm(self) -> int:
        """The longest usable length on offer, 0 where none is within reach."""
        return int(self.usable_mm.max(initial=0))


@dataclass(frozen=True, slots=True)
class Rejected:
    """A family that a kind of link cannot have; rules: names of the rules that it would break, the first reason's first."""

    part: str
    reason: str
    rules: tuple[str, ...] = ()

    @property
    def by_a_hair(self) -> bool:
        """Whether both plugs fit their cages and speak one interface, so that how links share its receptacles is all against it."""
        return self.rules == (SHARES_BADLY,)

    @property
    def stays_outside(self) -> bool:
        """Whether its plug does not even enter the cage, so that the rest need not be said."""
        return not DOES_NOT_ENTER.isdisjoint(self.rules)


@dataclass(frozen=True)
class KindOfLink:
    """Everything about a link but its place: cages, rate, media allowed, what is pinned, and the panels it is led over.

    on_hand: part numbers in lower case of which pieces are in stock, which no lead time keeps out. a_cord, z_cord: forced
    cords of a channel over panels, beside `cable`, which is both.
    """

    fabric: int
    tier: str
    a: CageKind
    z: CageKind
    rate: Rate
    wish: Wish
    cable: Forced | None = None
    a_plug: Forced | None = None
    z_plug: Forced | None = None
    on_hand: frozenset[str] = frozenset()
    chain: Chain | None = None
    a_cord: Forced | None = None
    z_cord: Forced | None = None


@dataclass(frozen=True)
class OptionsOfKind:
    """Options of a kind in order of medium and part numbers, and the families rejected."""

    options: tuple[Option, ...]
    rejected: tuple[Rejected, ...]


def options_of(kind: KindOfLink, catalog: Catalog) -> OptionsOfKind:
    """Every option of a kind, and why every other family is none."""
    options: list[Option] = []
    rejected: list[Rejected] = []
    for rank, medium in enumerate(media_of(kind)):
        source = _optics(kind, catalog, rank) if medium == "optic" else _cables(kind, catalog, medium, rank)
        for found in source:
            (options if isinstance(found, Option) else rejected).append(found)  # type: ignore[arg-type]
    options.sort(key=lambda o: (o.rank, o.key, o.head_at_z))
    options = (
        list({(o.key, o.head_at_z, o.z_cord.id if o.z_cord else "", o.rank): o for o in options}.values())
        if kind.chain
        else options
    )
    return OptionsOfKind(tuple(options), tuple(dict.fromkeys(rejected)))


def media_of(kind: KindOfLink) -> Sequence[str]:
    """Media in order of preference; a pin leaves only its own."""
    if kind.cable is not None and isinstance(kind.cable.family, CableAssembly):
        return (kind.cable.family.kind,)
    if kind.chain is not None or kind.cable is not None or kind.a_plug is not None or kind.z_plug is not None:
        return ("optic",)
    if kind.a.group.form_factor == kind.z.group.form_factor == "rj45":
        return ("utp",)  # a jack takes nothing else, whatever the policy prefers for cages
    return kind.wish.media


def not_allowed(part: Part, vendors: VendorPolicy) -> str | None:
    """Why the policy or its lifecycle keeps a part out unless it is pinned, or None."""
    maker = part.manufacturer.casefold()
    if maker in (name.casefold() for name in vendors.deny):
        return f"`policy.vendors` denies {part.manufacturer}"
    allowed = vendors.planned_from
    if allowed is None and maker == GENERIC and part.kind != "utp":  # twisted pair is bought by class
        return GENERIC_NOT_ALLOWED
    if allowed is not None and maker not in (name.casefold() for name in allowed):
        return f"`policy.vendors` does not allow {part.manufacturer}"
    return orderable(part)


def kept_out(part: Part, kind: KindOfLink, catalog: Catalog) -> str | None:
    """Why the policy keeps a family away from a kind of link unless it is pinned, or None."""
    withdrawn = not_allowed(part, kind.wish.vendors)
    if withdrawn:
        return withdrawn
    reasons = [_barred(part, n, kind, catalog) for n in range(len(part.members))]
    return next(iter(reasons), None) if all(reasons) else None


def barred_members(part: Part, kind: KindOfLink, catalog: Catalog) -> frozenset[int]:
    """Members that the policy keeps out of a family that it lets in."""
    return frozenset(n for n in range(len(part.members)) if _barred(part, n, kind, catalog))


def _barred(part: Part, member: int, kind: KindOfLink, catalog: Catalog) -> str | None:
    """Why a member is kept out, or None.

    A lead time that nobody states keeps out nothing: it ranks last (`Scale.timed`). Of what is on hand, `Scale.too_late` and
    the shelf say where it may be taken.
    """
    wish = kind.wish
    numbers = {part.id, part.members[member].part.lower(), (part.members[member].order_number or "").lower()}
    name = part.members[member].part
    if not numbers.isdisjoint(wish.deny):
        return f"`policy.choices` denies {name}"
    if wish.allow is not None and numbers.isdisjoint(wish.allow):
        return f"`policy.choices` does not allow {name}"
    price = catalog.prices.get(name.lower())
    weeks = price.lead_time_weeks if price and name.lower() not in kind.on_hand else None
    if weeks is not None and wish.max_lead_time_weeks is not None and weeks > wish.max_lead_time_weeks:
        return f"{name} takes {weeks} weeks, {wish.max_lead_time_weeks} are allowed"
    return None


def _cables(kind: KindOfLink, catalog: Catalog, medium: str, rank: int) -> Iterator[Option | Rejected]:
    pinned = kind.cable.family if kind.cable else None
    for cable in sorted(catalog.cables.values(), key=lambda c: c.id):
        if cable.kind != medium or (pinned is not None and cable.id != pinned.id):
            continue
        yield from _cable(kind, cable, catalog, rank, forced=kind.cable)


def _cable(
    kind: KindOfLink, cable: CableAssembly, catalog: Catalog, rank: int, *, forced: Forced | None
) -> Iterator[Option | Rejected]:
    """Both ways round where the ends differ; the reasons of the better way where neither fits."""
    ways = []
    for head_at_z in (False, True) if cable.is_splitter or cable.a != cable.z else (False,):
        a, z = (cable.z, cable.a) if head_at_z else (cable.a, cable.z)
        reasons = [
            *_end_faults(a, cable, kind.a, kind.rate, catalog),
            *_end_faults(z, cable, kind.z, kind.rate, catalog),
        ]
        ways.append((len(reasons), head_at_z, reasons))
    withdrawn = kept_out(cable, kind, catalog)
    count, head_at_z, reasons = min(ways, key=lambda way: way[:2])
    if withdrawn and not forced:
        reasons = [*reasons, ("withdrawn-part", withdrawn)]
    if reasons and not forced:
        yield Rejected(_family(cable), "; ".join(dict.fromkeys(words for _, words in reasons)), _rules(reasons))
        return
    shape = SPLITTER if cable.is_splitter else TWIN if cable.a.ports > 1 else STRAIGHT
    fitting = [way for way in ways if way[0] == count] if forced else [way for way in ways if not way[0]]
    for _, at_z, _reasons in fitting:
        yield Option(
            cable.kind, rank, cable, None, None, shape, at_z, forced is not None, forced.member if forced else None,
            ports=cable.a.ports if shape != STRAIGHT else 1,
            barred=frozenset() if forced else barred_members(cable, kind, catalog),
        )  # fmt: skip


def _rules(reasons: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name, _ in reasons))


def _end_faults(
    end: PlugEnd, part: Transceiver | CableAssembly, cage: CageKind, rate: Rate, catalog: Catalog
) -> list[tuple[str, str]]:
    return list(plug_faults(end, part, cage, rate, catalog))


def _optics(kind: KindOfLink, catalog: Catalog, rank: int) -> Iterator[Option | Rejected]:
    a_plugs = yield from _plugs(kind.a, kind.a_plug, kind, catalog)
    z_plugs = yield from _plugs(kind.z, kind.z_plug, kind, catalog)
    by_id = sorted(catalog.cords.values(), key=lambda c: c.id)
    straight = [cord for cord in by_id if cord.kind == "cord"]
    serving = {
        (plug.id, end): serves_of(kind, plug, end) for end, plugs in (("a", a_plugs), ("z", z_plugs)) for plug in plugs
    }
    offered = False
    for a in a_plugs:
        for z in z_plugs:
            a_serves, z_serves = serving[a.id, "a"], serving[z.id, "z"]
            apart = _apart(a_serves, z_serves)
            if apart and not (kind.a_plug and kind.z_plug):
                rule = "optics-differ" if a_serves.pmd != z_serves.pmd else SHARES_BADLY
                yield Rejected(f"{_family(a)} with {_family(z)}", apart, (rule,))
                continue
            legs = max(a_serves.legs, z_serves.legs)
            if kind.chain is not None:
                for over in _over_panels(kind, catalog, rank, (a, a_serves), (z, z_serves), straight):
                    offered = offered or isinstance(over, Option)
                    yield over
                continue
            cords = straight if legs == 1 else [c for c in by_id if c.kind == "splitter" and len(c.legs or ()) == legs]
            if kind.cable is not None:
                assert isinstance(kind.cable.family, Cord)
                cords = [kind.cable.family]
            for cord in cords:
                for found in _optic(kind, catalog, rank, (a, a_serves), (z, z_serves), cord):
                    offered = offered or isinstance(found, Option)
                    yield found
    if kind.chain is not None and not offered:
        yield from _faulty_channels(kind, rank, a_plugs, z_plugs, straight, serving)
    elif kind.a_plug and kind.z_plug and kind.cable is None and not offered:
        yield from _unlike_optics(kind, rank, a_plugs[0], z_plugs[0], straight)


def _over_panels(
    kind: KindOfLink, catalog: Catalog, rank: int, at_a: tuple[Transceiver, Serves], at_z: tuple[Transceiver, Serves],
    straight: Sequence[Cord],
) -> Iterator[Option | Rejected]:  # fmt: skip
    """Channels over panels whose every lane arrives, with one family of cords at both ends unless pins say otherwise."""
    (a, a_serves), (z, z_serves) = at_a, at_z
    chain = kind.chain
    assert chain is not None
    if max(a_serves.legs, z_serves.legs) > 1:
        yield Rejected(f"{_family(a)} with {_family(z)}", PARTS_STAY_DIRECT, ("channel",))
        return
    if a_serves.cords != chain.strands:
        text = f"a link takes {a_serves.cords} of its receptacles, and {chain.strands} positions of the panels"
        yield Rejected(f"{_family(a)} with {_family(z)}", text, ("channel",))
        return
    found = False
    for a_cord, z_cord in _pairs_of_cords(kind, straight):
        named = [cord for end, cord in (("a", a_cord), ("z", z_cord)) if _forced_cord(kind, end) is None]
        withdrawn = next((why for cord in named if (why := kept_out(cord, kind, catalog))), None)
        if withdrawn:
            yield Rejected(_family(a_cord), withdrawn, ("withdrawn-part",))
            continue
        verdict = verdict_over_panels(a, z, a_cord, z_cord, chain)
        if verdict.verdict != "pass":
            codes = ", ".join(verdict.codes) or "a figure of the channel is unknown"
            reason = f"its channel over {chain.trunk.id} does not pass: {codes}"
            yield Rejected(_family(a_cord), reason, ("channel",))
            continue
        if found and a_cord is z_cord and a_cord.polarity == KEEPS_ITS_SIDES and _forced_cord(kind, "a") is None:
            yield Rejected(
                _family(a_cord), "it keeps its sides, and a usual duplex cord (A-B) does as well", ("channel",)
            )
            continue
        found = True
        yield _channel_option(kind, rank, a, z, a_cord, z_cord, barred_members(a_cord, kind, catalog))


def _pairs_of_cords(kind: KindOfLink, straight: Sequence[Cord]) -> Iterator[tuple[Cord, Cord]]:
    """Cords at a and z: those that are forced, and beside them one family, the usual ones before such as keep their sides."""
    a_cord, z_cord = (_forced_cord(kind, end) for end in "az")
    if a_cord is not None and z_cord is not None:
        yield a_cord, z_cord
        return
    for cord in sorted(straight, key=lambda cord: cord.polarity == KEEPS_ITS_SIDES):
        yield a_cord or cord, z_cord or cord


def _forced_cord(kind: KindOfLink, end: str) -> Cord | None:
    """The cord that a pin or the entry of the policy names for an end."""
    forced = (kind.a_cord if end == "a" else kind.z_cord) or kind.cable
    if forced is not None and isinstance(forced.family, Cord):
        return forced.family
    return kind.chain.cord if kind.chain is not None else None


def _channel_option(
    kind: KindOfLink, rank: int, a: Transceiver, z: Transceiver, a_cord: Cord, z_cord: Cord,
    barred: frozenset[int] = frozenset(), *, faulty: bool = False,
) -> Option:  # fmt: skip
    chain = kind.chain
    assert chain is not None
    pinned = faulty or any(forced is not None for forced in (kind.cable, kind.a_cord, kind.z_cord, kind.a_plug, kind.z_plug))  # fmt: skip
    a_forced, z_forced = kind.a_cord or kind.cable, kind.z_cord or kind.cable
    return Option(
        "optic", rank, a_cord, a, z, STRAIGHT, False, pinned, a_forced.member if a_forced else None, chain.strands,
        barred=barred, chain=chain, z_cord=z_cord, z_member=z_forced.member if z_forced else None,
    )  # fmt: skip


def _faulty_channels(
    kind: KindOfLink, rank: int, a_plugs: Sequence[Transceiver], z_plugs: Sequence[Transceiver],
    straight: Sequence[Cord], serving: Mapping[tuple[str, str], Serves],
) -> Iterator[Option]:  # fmt: skip
    """Where trunk, plates or pinned cords let no channel pass: what would stand there if they were right, for the rules to judge.

    What would stand there are the plugs and the cord that make a channel directly, which has the polarity, the pins and
    the polish of one over panels by the scheme of the makers.
    """
    chain = kind.chain
    assert chain is not None
    for a in a_plugs:
        for z in z_plugs:
            a_serves, z_serves = serving[a.id, "a"], serving[z.id, "z"]
            if _apart(a_serves, z_serves) or a_serves.cords != chain.strands or max(a_serves.legs, z_serves.legs) > 1:
                continue
            for cord in straight:
                direct = verdict_of(a, z, cord)
                if direct.verdict != "pass" or not_allowed(cord, kind.wish.vendors):
                    continue
                a_cord, z_cord = (_forced_cord(kind, end) or cord for end in "az")
                yield _channel_option(kind, rank, a, z, a_cord, z_cord, faulty=True)


def _unlike_optics(
    kind: KindOfLink, rank: int, a: Transceiver, z: Transceiver, cords: Sequence[Cord]
) -> Iterator[Option]:
    """Two pinned plugs that no cord joins are taken all the same, over what would join two of the first; rules report it."""
    count = min(cords_of(kind, a, "a"), cords_of(kind, z, "z"))
    for cord in cords:
        verdict = verdict_of(a, a, cord)
        if verdict.verdict == "pass" and not not_allowed(cord, kind.wish.vendors):
            yield Option("optic", rank, cord, a, z, STRAIGHT, False, True, None, count)


def optics_apart(kind: KindOfLink, a: Transceiver, z: Transceiver) -> str | None:
    """Why two transceivers do not form a link over straight cords, or None; their host sides may differ, being retimed."""
    return _apart(serves_of(kind, a, "a"), serves_of(kind, z, "z"))


def _apart(a: Serves, z: Serves) -> str | None:
    if a.pmd != z.pmd:
        return f"`{a.pmd}` does not meet `{z.pmd}`"
    if a.takes_a_part or z.takes_a_part:
        fans = a.legs, z.legs
        if min(fans) == 1 < max(fans):
            return None  # a splitter divides the receptacle
        if fans == (1, 1):
            return "a link of this rate takes part of a receptacle, and no other link shares it"
        return "a link of this rate takes part of a receptacle at both ends, and a splitter has one head"
    if a.cords != z.cords:
        return f"a link takes {a.cords} of its receptacles and {z.cords} of the other's"
    return None


@dataclass(frozen=True, slots=True)
class Serves:
    """How a transceiver serves the ports of its cage as it is split.

    pmd: the optical interface that it speaks there. cords: how many of its receptacles, and so how many cords, one link
    takes. legs: how many links share a receptacle, each with lanes of its own. lanes: media lanes of a link, None where
    the transceiver does not run the rate there. takes_a_part: whether a link has only some lanes of its last receptacle.
    """

    pmd: str
    cords: int
    legs: int
    lanes: int | None
    takes_a_part: bool


def serves_of(kind: KindOfLink, part: Transceiver, end: str) -> Serves:
    """How a transceiver serves at one end of a kind of link."""
    cage = kind.a if end == "a" else kind.z
    mode, pmd = mode_in(part, part.end, cage, kind.rate), interface_in(part, cage, kind.rate)
    if mode is None:
        return Serves(pmd, 1, 1, None, takes_a_part=False)
    lanes, count = len(part.receptacle.tx), part.receptacle.count
    shared = mode.media_lanes < lanes and cage.ports % count == 0
    return Serves(
        pmd,
        max(1, mode.media_lanes // lanes),
        cage.ports // count if shared else 1,
        mode.media_lanes,
        mode.media_lanes % lanes != 0,
    )


def cords_of(kind: KindOfLink, part: Transceiver, end: str) -> int:
    """How many receptacles of a transceiver, and so how many cords, one link takes."""
    return serves_of(kind, part, end).cords


def _plugs(
    cage: CageKind, pinned: Forced | None, kind: KindOfLink, catalog: Catalog
) -> Generator[Rejected, None, list[Transceiver]]:
    """Yields what is rejected, returns what fits (a generator's return value)."""
    if pinned is not None:
        assert isinstance(pinned.family, Transceiver)
        return [pinned.family]
    fitting = []
    for part in sorted(catalog.transceivers.values(), key=lambda t: t.id):
        reasons = _end_faults(part.end, part, cage, kind.rate, catalog)
        withdrawn = kept_out(part, kind, catalog)
        if withdrawn:
            reasons = [*reasons, ("withdrawn-part", withdrawn)]
        if reasons:
            yield Rejected(_family(part), "; ".join(words for _, words in reasons), _rules(reasons))
        else:
            fitting.append(part)
    return fitting


def _optic(
    kind: KindOfLink,
    catalog: Catalog,
    rank: int,
    at_a: tuple[Transceiver, Serves],
    at_z: tuple[Transceiver, Serves],
    cord: Cord,
) -> Iterator[Option | Rejected]:
    (a, a_serves), (z, z_serves) = at_a, at_z
    forced = kind.cable is not None
    pinned = forced or kind.a_plug is not None or kind.z_plug is not None
    grade = catalog.grades.get(cord.fibre)
    a_legs, z_legs = a_serves.legs, z_serves.legs
    legs = max(a_legs, z_legs) if cord.kind == "splitter" else 1
    # A splitter's head stands where its lanes are shared; a pinned one that shares none, at the twin-port plug.
    head_at_z = cord.kind == "splitter" and (z_legs > a_legs if legs > 1 else z.end.ports >= a.end.ports)
    lit = (a_serves if head_at_z else z_serves).lanes if legs > 1 else None
    if not forced:
        if grade is None or grade.fibre != a.receptacle.fibre:
            return
        withdrawn = kept_out(cord, kind, catalog)
        if withdrawn:
            yield Rejected(_family(cord), withdrawn, ("withdrawn-part",))
            return
        verdict = verdict_of(a, z, cord, head_at_z=head_at_z, lit=lit)
        if verdict.verdict != "pass":
            codes = ", ".join(verdict.codes) or "a figure of the channel is unknown"
            yield Rejected(_family(cord), f"its channel does not pass: {codes}", ("channel",))
            return
    elif grade is not None and grade.fibre != a.receptacle.fibre and kind.a_plug is None:
        # A forced cord of the other kind of fibre is still offered with the plugs that would be chosen anyway, unless
        # plugs exist that suit it.
        others = [t for t in catalog.transceivers.values() if t.receptacle.fibre == grade.fibre]
        if any(not _end_faults(t.end, t, kind.a, kind.rate, catalog) for t in others):
            return
    shape = SPLITTER if cord.kind == "splitter" else STRAIGHT
    member = kind.cable.member if kind.cable else None
    cords = 1 if shape == SPLITTER else a_serves.cords
    barred = frozenset[int]() if forced else barred_members(cord, kind, catalog)
    yield Option("optic", rank, cord, a, z, shape, head_at_z, pinned, member, cords, legs, lit, barred)


def _family(part: Part) -> str:
    """A family as people call it: the member's number for a single part, else the maker's stem."""
    return part.members[0].part if len(part.members) == 1 else part.id.upper()


def too_long(option: Option, kind: KindOfLink, catalog: Catalog, least_mm: int, most_mm: int | None = None) -> Rejected:
    """Why an option has no stock length for a required length, or for links that need from the least to the most.

    Of the lengths that the policy keeps out, the shortest that would cover the least is named with its reason.
    """
    name = _family(option.cable)
    covering = [n for n in sorted(option.barred, key=option.length_of) if option.usable_of(n) >= least_mm]
    kept_out = next((f"; {reason}" for n in covering if (reason := _barred(option.cable, n, kind, catalog))), "")
    if not len(option.members):
        return Rejected(name, f"none of its lengths is within reach{kept_out}", ("reach",))
    needed = short_metres(least_mm)
    if most_mm is not None and most_mm > least_mm:
        needed += f" to {short_metres(most_mm)}"
    ends = f"{name} ends at {short_metres(option.ends_at_mm)} m, {needed} m needed{kept_out}"
    return Rejected(name, ends, ("length",))


def verdict_of_option(option: Option) -> Verdict | None:
    """The verdict on an optical option's channel, led over panels or not; None for one without."""
    if not isinstance(option.cable, Cord) or option.a_plug is None or option.z_plug is None:
        return None
    if option.chain is not None:
        z_cord = option.at_z.cable
        assert isinstance(z_cord, Cord)
        return verdict_over_panels(option.a_plug, option.z_plug, option.cable, z_cord, option.chain)
    return verdict_of(option.a_plug, option.z_plug, option.cable, head_at_z=option.head_at_z, lit=option.lit)
