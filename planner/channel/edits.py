"""What can be changed about a component of a channel, and the channel with it changed.

Only properties that some code puts in doubt are varied, and pins, polish and faces only at joints that are at fault:
to change a good joint cannot repair a bad one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import Final

from planner.channel.ferrules import GRADES, Ferrule
from planner.channel.lanes import LANE_FAMILY
from planner.channel.maps import POLARITIES, WIRINGS, breakout_legs, cassette_links, fan_links, with_legs
from planner.channel.mating import blocked_interfaces, joint_marks
from planner.channel.model import Adapter, Branch, Channel, Component, Cord, Fan, Keying, Plug, Polish, Receptacle
from planner.channel.paths import Path, names_of, paths_of
from planner.channel.wording import legs_of

Edit = Callable[[Component], Component]

_LANES: Final = frozenset(LANE_FAMILY)
_USUAL_GRADES: Final = ("OS2", "OM4")
_MOST_LEGS: Final = 4
"""Legs of which every order is tried."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a component stands: the branches to go down, and its index there. rank: order from end A, for ties."""

    down: tuple[int, ...]
    index: int
    rank: int
    name: str
    part: Component
    faulty_a: frozenset[str]
    faulty_z: frozenset[str]


@dataclass(frozen=True, slots=True)
class Variant:
    """A component as it might be instead; edits: how many of its properties differ."""

    part: Component
    edits: int


def placed(channel: Channel) -> tuple[Place, ...]:
    """Every component of a channel once, in the order of its paths, with the codes of the joints at its two ends."""
    found: dict[tuple[tuple[int, ...], int], Place] = {}
    for path in paths_of(channel):
        names = names_of(path)
        faulty = _faulty_ends(path)
        for at, (down, index) in enumerate(_addresses(channel, path), 1):
            part = path.elements[at]
            if isinstance(part, Receptacle):
                continue
            known = found.get((down, index))
            a, z = faulty.get((at, "a"), frozenset()), faulty.get((at, "z"), frozenset())
            if known is not None:
                found[down, index] = replace(known, faulty_a=known.faulty_a | a, faulty_z=known.faulty_z | z)
            else:
                found[down, index] = Place(down, index, len(found), names[at], part, a, z)
    return tuple(found.values())


def _addresses(channel: Channel, path: Path) -> Iterator[tuple[tuple[int, ...], int]]:
    down: tuple[int, ...] = ()
    yield from (((), index) for index in range(len(channel.chain)))
    branches = channel.branches
    for _, leg in path.splits:
        taken = next(number for number, branch in enumerate(branches) if branch.leg == leg)
        down = (*down, taken)
        yield from ((down, index) for index in range(len(branches[taken].chain)))
        branches = branches[taken].branches


def _faulty_ends(path: Path) -> dict[tuple[int, str], frozenset[str]]:
    ends: dict[tuple[int, str], frozenset[str]] = {}
    for mark in joint_marks(path, blocked_interfaces(path)):
        for key in ((mark.left, "z"), (mark.right, "a")):
            ends[key] = ends.get(key, frozenset()) | {mark.code}
    return ends


def covers(channel: Channel, places: tuple[Place, ...]) -> list[frozenset[int]]:
    """For every joint at fault, the ranks of the components of which one must change to mend it."""
    ranks = {(place.down, place.index): place.rank for place in places}
    found: list[frozenset[int]] = []
    for path in paths_of(channel):
        rank_at = [ranks[address] for address in _addresses(channel, path)]
        last = len(rank_at)
        for mark in joint_marks(path, blocked_interfaces(path)):
            if mark.code:
                touched = range(max(mark.left, 1), min(mark.right, last) + 1)
                found.append(frozenset(rank_at[index - 1] for index in touched))
    return found


def replaced(channel: Channel, chosen: tuple[tuple[Place, Variant], ...]) -> Channel:
    """The channel with some of its components exchanged."""
    for place, variant in chosen:
        if not place.down:
            channel = replace(channel, chain=_swapped(channel.chain, place.index, variant.part))
        else:
            channel = replace(channel, branches=_down(channel.branches, place, place.down, variant.part))
    return channel


def _down(branches: tuple[Branch, ...], place: Place, down: tuple[int, ...], part: Component) -> tuple[Branch, ...]:
    branch = branches[down[0]]
    if len(down) == 1:
        branch = replace(branch, chain=_swapped(branch.chain, place.index, part))
    else:
        branch = replace(branch, branches=_down(branch.branches, place, down[1:], part))
    return (*branches[: down[0]], branch, *branches[down[0] + 1 :])


def _swapped(chain: tuple[Component, ...], index: int, part: Component) -> tuple[Component, ...]:
    return (*chain[:index], part, *chain[index + 1 :])


def variants(channel: Channel, place: Place, codes: frozenset[str]) -> Iterator[Variant]:
    """Every way to change one component that could matter for these codes."""
    for edits in product(*_knobs(channel, place, codes)):
        part, count = place.part, 0
        for edit in edits:
            if edit is not None:
                part, count = edit(part), count + 1
        if count:
            yield Variant(part, count)


def _knobs(channel: Channel, place: Place, codes: frozenset[str]) -> list[list[Edit | None]]:
    """Lists of alternatives, one list for each property in doubt, each beginning with leaving it alone."""
    part = place.part
    knobs: list[list[Edit]] = []
    if codes & _LANES or "APC_ALIGNED_KEY" in codes:
        knobs += _lane_knobs(part, "DARK_LANE" in codes)
    if not isinstance(part, Adapter):
        knobs += [*_plug_knobs(part.a, "a", place.faulty_a), *_plug_knobs(part.z, "z", place.faulty_z)]
        if codes & {"FIBRE_TYPE_MIX", "FIBRE_VS_OPTIC"}:
            knobs.append([_with("fibre", grade) for grade in _grades(channel) if grade != part.fibre])
    if "FERRULE_MISMATCH" in place.faulty_a | place.faulty_z:
        knobs.append(_ferrule_edits(part, _faces(channel)))
    return [[None, *knob] for knob in knobs if knob]


def _with(name: str, value: object) -> Edit:
    return lambda part: replace(part, **{name: value})  # type: ignore[arg-type]


def _lane_knobs(part: Component, dark: bool) -> list[list[Edit]]:
    if isinstance(part, Adapter):
        keyings: tuple[Keying, ...] = ("A", "B")
        return [[_with("keying", keying) for keying in keyings if keying != part.keying]] if part.ferrule.keyed else []
    if isinstance(part, Fan):
        return _fan_knobs(part)
    names = ("A", "B", "C") if part.a.ferrule.keyed else ("A-A", "A-B")
    same = POLARITIES[part.polarity](12) if isinstance(part.polarity, str) else None
    knobs = [[_with("polarity", name) for name in names if POLARITIES[name](12) != same]]
    if dark and part.populated is not None:
        knobs.append([_with("populated", None)])
    return knobs


def _fan_knobs(fan: Fan) -> list[list[Edit]]:
    if fan.links is None:
        return []
    if fan.kind != "cassette":
        return [[_crossed, *_usual_breakouts(fan), *_legs_in_other_order(fan)]]
    wirings = [name for name in WIRINGS if WIRINGS[name](12) != WIRINGS[fan.wiring](12)]
    return [[_rewired(wiring) for wiring in wirings], [_relabelled]]


def _rewired(wiring: str) -> Edit:
    return lambda part: _cassette(part, wiring, part.labels_reversed) if isinstance(part, Fan) else part


def _relabelled(part: Component) -> Component:
    return _cassette(part, part.wiring, not part.labels_reversed) if isinstance(part, Fan) else part


def _cassette(fan: Fan, wiring: str, labels_reversed: bool) -> Fan:
    rear = fan.z if fan.many_a else fan.a
    links = cassette_links(wiring, rear.ferrule.positions, fan.many_a, labels_reversed)
    lit = {link[3] if fan.many_a else link[1] for link in fan.links or ()}
    kept = tuple(link for link in links if (link[3] if fan.many_a else link[1]) in lit)
    return replace(fan, links=kept, wiring=wiring, labels_reversed=labels_reversed)


def _crossed(part: Component) -> Component:
    """A fan with the positions of every leg counted from the other end."""
    if not isinstance(part, Fan) or part.links is None:
        return part
    size_a = part.a.ferrule.positions + 1 if part.many_a else 0
    size_z = part.z.ferrule.positions + 1 if part.many_z else 0
    links = (
        (plug_a, size_a - at_a if size_a else at_a, plug_z, size_z - at_z if size_z else at_z)
        for plug_a, at_a, plug_z, at_z in part.links
    )
    return replace(part, links=tuple(sorted(links)))


def _usual_breakouts(fan: Fan) -> list[Edit]:
    """The splitter for transceivers with as many legs and fibres a leg, both ways round."""
    single, leg = (fan.z, fan.a) if fan.many_a else (fan.a, fan.z)
    legs = legs_of(fan)
    lanes = len(fan.links or ()) // max(len(legs), 1) // 2
    size, leg_size = single.ferrule.positions, leg.ferrule.positions
    if (fan.many_a and fan.many_z) or not lanes or 2 * lanes > leg_size or 2 * lanes * len(legs) > size:
        return []
    edits: list[Edit] = []
    for crossed in (True, False):
        fibre_map = breakout_legs(size, leg_size, len(legs), lanes, crossed)
        named = {legs[number - 1]: fibres for number, fibres in fibre_map.items()}
        links = fan_links(named, "a" if fan.many_a else "z")
        if links not in (fan.links, getattr(_crossed(fan), "links", None)):
            edits.append(_with("links", links))
    return edits


def _legs_in_other_order(fan: Fan) -> list[Edit]:
    """The same fan with its legs plugged in elsewhere: what a hand does first where each end lights another's receiver."""
    legs = legs_of(fan)
    if (fan.many_a and fan.many_z) or len(legs) > _MOST_LEGS:
        return []
    orders = list(permutations(legs))[1:]
    return [_with("links", with_legs(fan, dict(zip(legs, order, strict=True)))) for order in orders]


def _plug_knobs(plug: Plug, end: str, faulty: frozenset[str]) -> list[list[Edit]]:
    knobs: list[list[Edit]] = []
    if faulty & {"GENDER_PIN_CLASH", "GENDER_NO_PINS"}:
        knobs.append([_plugged(end, "gender", "F" if plug.gender == "M" else "M")])
    if faulty & {"POLISH_MISMATCH", "APC_ALIGNED_KEY"}:
        flat: Polish = "PC" if plug.ferrule.pinned else "UPC"
        knobs.append([_plugged(end, "polish", flat if plug.polish == "APC" else "APC")])
    return knobs


def _plugged(end: str, name: str, value: object) -> Edit:
    return lambda part: replace(part, **{end: replace(getattr(part, end), **{name: value})})


def _grades(channel: Channel) -> tuple[str, ...]:
    """Grades worth trying: those in the channel, and the usual one of either kind."""
    parts = [part for path in paths_of(channel) for part in path.elements if isinstance(part, Cord | Fan)]
    return tuple(
        dict.fromkeys([grade for grade in GRADES if grade in {p.fibre for p in parts} or grade in _USUAL_GRADES])
    )


def _faces(channel: Channel) -> tuple[Ferrule, ...]:
    ends = {path.a.plug.ferrule for path in paths_of(channel)} | {path.z.plug.ferrule for path in paths_of(channel)}
    return tuple(sorted(ends, key=lambda face: face.name))


def _ferrule_edits(part: Component, faces: tuple[Ferrule, ...]) -> list[Edit]:
    """Cords and plates come with any face; a fan's map is made for the faces it has."""
    if isinstance(part, Fan):
        return []
    if isinstance(part, Adapter):
        return [_with("ferrule", face) for face in faces if face.face != part.ferrule.face]
    return [_faced(face) for face in faces if face.face != part.a.ferrule.face and face.keyed == part.a.ferrule.keyed]


def _faced(face: Ferrule) -> Edit:
    def edit(part: Component) -> Component:
        if not isinstance(part, Cord):
            return part
        return replace(part, a=replace(part.a, ferrule=face), z=replace(part.z, ferrule=face))

    return edit
