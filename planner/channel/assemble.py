"""From what a channel file states to a channel: names looked up, positions checked against their ferrules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import pairwise

from planner.channel.build import cassette, filling
from planner.channel.declared import added, not_distinct
from planner.channel.ferrules import FERRULES, Ferrule
from planner.channel.figures import LossFigure
from planner.channel.loss import length_mm
from planner.channel.maps import POLARITIES, WIRINGS, fan_links
from planner.channel.mirror import mirrored
from planner.channel.model import (
    Adapter,
    Branch,
    Channel,
    Component,
    Cord,
    Fan,
    FibreRun,
    LossSheet,
    Plug,
    Reach,
    Receptacle,
)
from planner.channel.paths import paths_of
from planner.channel.written import (
    AdapterText,
    BranchText,
    CableText,
    CaseText,
    CassetteText,
    EndText,
    FanText,
    FerruleText,
    LossText,
    PartText,
    Populated,
    PortText,
    ProfileText,
    ReachText,
    ShuffleText,
)

Keys = tuple[str | int, ...]


class CaseError(ValueError):
    """A case cannot be a channel. faults: every reason, fit for a finding, with where it stands below the case."""

    def __init__(self, faults: Iterable[tuple[str, Keys]]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(message for message, _ in self.faults))


def channel_of(
    case: CaseText, profiles: Mapping[str, ProfileText], ferrules: Mapping[str, FerruleText], broken: AbstractSet[str]
) -> tuple[Channel, bool]:
    """The channel of a case, and whether it was turned: legs at end A are judged from the single end Z.

    broken: names of profiles that have a fault of their own. Raises CaseError.
    """
    assembler = _Assembler(profiles, {**FERRULES, **added(ferrules)}, broken)
    turned = bool(case.branches) and not isinstance(case.chain[0], PortText)
    channel = assembler.turned(case) if turned else assembler.channel(case)
    if assembler.faults:
        raise CaseError(assembler.faults)
    return _with_lengths(channel), turned


def _with_lengths(channel: Channel) -> Channel:
    """A reach that states no length takes the longest path's; unknown while any path's is."""
    if channel.reach is None or channel.reach.length_mm is not None:
        return channel
    lengths = [length_mm(path) for path in paths_of(channel)]
    known = [length for length in lengths if length is not None]
    longest = max(known) if known and len(known) == len(lengths) else None
    return replace(channel, reach=replace(channel.reach, length_mm=longest))


class _Assembler:
    """Builds the parts of one case with the names of its file."""

    def __init__(
        self, profiles: Mapping[str, ProfileText], ferrules: Mapping[str, Ferrule], broken: AbstractSet[str]
    ) -> None:
        self._profiles = profiles
        self._broken = broken
        self._ferrules = ferrules
        self.faults: list[tuple[str, Keys]] = []
        """What was found wrong on the way; something stands in for it, so that the rest is read too."""

    def _fault(self, message: str, keys: Keys) -> None:
        self.faults.append((message, keys))

    def channel(self, case: CaseText) -> Channel:
        first = case.chain[0]
        if not isinstance(first, PortText) or len(case.chain) < 2:
            where: Keys = ("chain", 0)
            raise CaseError([("a chain begins with a port and goes on to another port or to branches", where)])
        a = self._receptacle(first, ("chain", 0))
        chain, z = self._tail(case.chain[1:], bool(case.branches), ("chain",), 1)
        branches = self._branches(case.branches, chain, ("branches",))
        return Channel(a, chain, z, branches, _loss(case.loss), _reach(case.reach))

    def turned(self, case: CaseText) -> Channel:
        """A channel whose legs are at end A, from end Z; a branch may be written from its port or from its leg."""
        last = len(case.chain) - 1
        port = case.chain[last]
        if not isinstance(port, PortText):
            raise CaseError([("a chain begins or ends with a port", ("chain", last))])
        a = self._receptacle(port, ("chain", last))
        parts = self._parts(case.chain[:last], ("chain",), 0)
        chain = tuple(mirrored(part) for part in reversed(parts))
        branches = self._branches(case.branches, chain, ("branches",), at_a=True)
        return Channel(a, chain, None, branches, _loss(case.loss), _reach(case.reach))

    def _tail(
        self, texts: list[PartText], branching: bool, at: Keys, offset: int
    ) -> tuple[tuple[Component, ...], Receptacle | None]:
        """Components up to the port that ends them, or all of them before branches."""
        if branching:
            return self._parts(texts, at, offset), None
        where = (*at, offset + len(texts) - 1)
        if not texts or not isinstance(texts[-1], PortText):
            raise CaseError([*self.faults, ("the chain ends without a port", where)])
        return self._parts(texts[:-1], at, offset), self._receptacle(texts[-1], where)

    def _branches(
        self, texts: list[BranchText], chain: tuple[Component, ...], at: Keys, at_a: bool = False
    ) -> tuple[Branch, ...]:
        if not texts:
            return ()
        fan = chain[-1] if chain else None
        if not isinstance(fan, Fan) or not fan.many_z:
            message = "branches need a component with several legs at the end of the chain before them"
            raise CaseError([*self.faults, (message, at)])
        legs = {link[2] for link in fan.links} if fan.links is not None else None
        seen: set[int] = set()
        for index, text in enumerate(texts):
            if text.leg in seen or (legs is not None and text.leg not in legs):
                said = "stands twice" if text.leg in seen else f"is none of {sorted(legs or ())}"
                self._fault(f"leg {text.leg} {said}", (*at, index, "leg"))
            seen.add(text.leg)
        return tuple(self._branch(text, (*at, index), at_a) for index, text in enumerate(texts))

    def _branch(self, text: BranchText, at: Keys, at_a: bool) -> Branch:
        if at_a and text.chain and isinstance(text.chain[0], PortText) and not text.branches:
            z = self._receptacle(text.chain[0], (*at, "chain", 0))
            parts = self._parts(text.chain[1:], (*at, "chain"), 1)
            chain = tuple(mirrored(part) for part in reversed(parts))
            return Branch(text.leg, chain, z, (), _loss(text.loss), _reach(text.reach))
        chain, end = self._tail(text.chain, bool(text.branches), (*at, "chain"), 0)
        branches = self._branches(text.branches, chain, (*at, "branches"))
        return Branch(text.leg, chain, end, branches, _loss(text.loss), _reach(text.reach))

    def _parts(self, texts: list[PartText], at: Keys, offset: int) -> tuple[Component, ...]:
        for index, (before, text) in enumerate(pairwise(texts), offset + 1):
            if isinstance(before, AdapterText) and isinstance(text, AdapterText):
                self._fault("an adapter holds two plugs, and here another adapter follows it", (*at, index))
        return tuple(self._part(text, (*at, index)) for index, text in enumerate(texts, offset))

    def _part(self, text: PartText, at: Keys) -> Component:
        if isinstance(text, CableText):
            return self._cable(text, at)
        if isinstance(text, AdapterText):
            return Adapter(self._ferrule(text.ferrule, (*at, "ferrule")), text.keying, text.name)
        if isinstance(text, CassetteText):
            return self._cassette(text, at)
        if isinstance(text, FanText):
            return self._fan(text, at)
        if isinstance(text, ShuffleText):
            return self._shuffle(text, at)
        raise CaseError([*self.faults, ("a port stands only at the ends of a chain", at)])

    def _ferrule(self, name: str, at: Keys) -> Ferrule:
        if name not in self._ferrules:
            self._fault(f"`{name}` is no ferrule ({', '.join(self._ferrules)})", at)
            return FERRULES["mpo12"]
        return self._ferrules[name]

    def _plug(self, name: str, end: EndText, at: Keys) -> Plug:
        return Plug(self._ferrule(name, at), end.gender, end.polish)

    def _receptacle(self, text: PortText, at: Keys) -> Receptacle:
        profile = self._profiles.get(text.profile)
        if profile is None or text.profile in self._broken:
            wrong = "is at fault" if text.profile in self._broken else "is no profile of this file"
            self._fault(f"`{text.profile}` {wrong}", (*at, "profile"))
            return Receptacle(Plug(FERRULES["mpo12"]), None, (), (), text.name)
        plug = Plug(self._ferrule(profile.ferrule, (*at, "profile")), profile.gender, profile.polish)
        return Receptacle(
            plug, profile.medium, tuple(profile.tx), tuple(profile.rx), text.name, text.port, text.lane_offset
        )

    def _cable(self, text: CableText, at: Keys) -> Cord:
        polarity = text.polarity
        if polarity is not None and polarity not in POLARITIES:
            self._fault(f"`{polarity}` is no polarity ({', '.join(POLARITIES)})", (*at, "polarity"))
            polarity = None
        a = self._plug(text.ferrule, text.end_a, (*at, "ferrule"))
        z = self._plug(text.ferrule, text.end_z, (*at, "ferrule"))
        lit = self._filling(text.populated, a.ferrule, (*at, "populated"))
        return Cord(a, z, polarity, text.fibre, text.length_m, lit, text.name)

    def _cassette(self, text: CassetteText, at: Keys) -> Fan:
        rear = self._plug(text.ferrule, text.rear, (*at, "ferrule"))
        duplex = Plug(self._ferrule(text.lc_ferrule, (*at, "lc_ferrule")), "-", text.lc_polish)
        if rear.ferrule.positions % 2 or duplex.ferrule.positions != 2:
            raise CaseError([*self.faults, ("a cassette joins an array face to duplex ports", (*at, "ferrule"))])
        wiring = text.map
        if wiring is not None and wiring not in WIRINGS:
            self._fault(f"`{wiring}` is no cassette map ({', '.join(WIRINGS)})", (*at, "map"))
            wiring = None
        lit = self._filling(text.populated, rear.ferrule, (*at, "populated"))
        return cassette(
            wiring,
            rear,
            duplex,
            text.fibre,
            lc_towards=text.facing,
            labels_reversed=text.port_labels == "reversed",
            populated=lit,
            name=text.name,
        )

    def _fan(self, text: FanText, at: Keys) -> Fan:
        a = self._plug(text.ferrule_a, text.end_a, (*at, "ferrule_a"))
        z = self._plug(text.ferrule_z, text.end_z, (*at, "ferrule_z"))
        single, legs = (a, z) if text.legs_on == "z" else (z, a)
        fibre_map = self._checked_legs(text, single.ferrule, legs.ferrule, (*at, "map"))
        at_a = text.legs_on == "a"
        links = fan_links(fibre_map, text.legs_on)
        return Fan(text.type, a, z, links, at_a, not at_a, text.fibre, text.length_m, text.name, text.leg)

    def _shuffle(self, text: ShuffleText, at: Keys) -> Fan:
        """A box with several plugs at both ends; the ports at the two ends of the channel say which of them it uses."""
        a = self._plug(text.ferrule_a, text.end_a, (*at, "ferrule_a"))
        z = self._plug(text.ferrule_z, text.end_z, (*at, "ferrule_z"))
        rows = (text.map or {}).items()
        links = sorted((plug, here, there, position) for plug, row in rows for here, (there, position) in row.items())
        arrivals = [(there, position) for _, _, there, position in links]
        if len(set(arrivals)) < len(arrivals):
            self._fault("the map leads two fibres to one position", (*at, "map"))
        self._distinct({here for _, here, _, _ in links}, "the map, at end A,", a.ferrule, (*at, "map"))
        self._distinct({position for _, position in arrivals}, "the map, at end Z,", z.ferrule, (*at, "map"))
        given = None if text.map is None else tuple(links)
        return Fan("shuffle", a, z, given, many_a=True, many_z=True, fibre=text.fibre, name=text.name)

    def _distinct(self, positions: Iterable[int], what: str, face: Ferrule, at: Keys) -> None:
        for message in not_distinct(positions, what, face):
            self._fault(message, at)

    def _filling(self, populated: Populated, face: Ferrule, at: Keys) -> tuple[int, ...] | None:
        if populated is None or populated == "all":
            return None
        lit = filling("base8") if populated == "base8" else tuple(populated)
        self._distinct(lit or (), "`populated`", face, at)
        return lit

    def _checked_legs(
        self, text: FanText, single: Ferrule, legs: Ferrule, at: Keys
    ) -> Mapping[int, Mapping[int, int]] | None:
        """The map of a fan by position at its single plug, each position of either side used once.

        A map of legs at end A may also be written from the leg to the single plug; when only that reading uses every
        position of the single plug once, it is meant.
        """
        if text.map is None:
            return None
        fibre_map: dict[int, dict[int, int]] = text.map
        ones = [one for fibres in fibre_map.values() for one in fibres]
        others = [other for fibres in fibre_map.values() for other in fibres.values()]
        if text.legs_on == "a" and len(set(ones)) < len(ones) and len(set(others)) == len(others):
            fibre_map = {leg: {other: one for one, other in fibres.items()} for leg, fibres in fibre_map.items()}
            ones = others
        self._distinct(ones, "the map, on its single plug,", single, at)
        for leg, fibres in fibre_map.items():
            self._distinct(fibres.values(), f"leg {leg} of the map", legs, (*at, leg))
        return fibre_map


def _loss(text: LossText | None) -> LossSheet | None:
    if text is None:
        return None
    runs = tuple(FibreRun(run.length_m, LossFigure(run.db_per_km)) for run in text.fibre)
    pairs = tuple(LossFigure(loss_mdb) for loss_mdb in text.mated_pairs_db)
    return LossSheet(pairs, runs, text.budget_db, tuple(LossFigure(loss_mdb) for loss_mdb in text.splices_db))


def _reach(text: ReachText | None) -> Reach | None:
    return None if text is None else Reach(text.length_m, text.limit_m, str(text.rule or ""))
