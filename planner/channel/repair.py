"""The smallest change that makes a channel pass, found by trying.

One component is changed, then two. Of changes that need equally many components, the one with the fewest changed
properties wins; then the one with the fewest cords angled at one end and flat at the other, which exist but mislead; then
the one with the fewest array cords of Type C, which two of them cancel and nobody stocks; then the one that leaves the fewest kinds of array cords and plates (the odd part out is the wrong one); then the cheapest to lay hands on (cord, plate or label, trunk, fan), nearest to end Z; then its wording.
Receptacles are given, and length, loss and unlike optics are no fault of a part: such channels have no repair here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, product
from math import comb
from typing import Final

from planner.channel.edits import Place, Variant, covers, placed, replaced, variants
from planner.channel.judge import codes_only
from planner.channel.model import Adapter, Channel, Component, Cord, Fan
from planner.channel.wording import difference

MOST_COMPONENTS: Final = 2
MOST_TRIALS: Final = 10_000
MOST_STEPS: Final = 400_000
"""Bounds on what is tried for one channel, in changes and in components gone through; every repair of one or two ordinary
parts lies far below both. A chain of hundreds of cords is no channel that anybody mends part by part."""
BEYOND_PARTS: Final = frozenset({"LOSS_OVER_BUDGET", "REACH_EXCEEDED", "MEDIA_MISMATCH"})


@dataclass(frozen=True, slots=True)
class Repair:
    """changes: one text a component, `cord 2: Type A instead of B`; channel: what it becomes; edits: changed properties."""

    changes: tuple[str, ...]
    channel: Channel
    edits: int


def passes(codes: Iterable[str]) -> bool:
    """Whether these codes leave a channel standing: notes do."""
    return all(code.startswith("NOTE_") for code in codes)


def repair(channel: Channel) -> Repair | None:
    """The smallest repair; None when the channel needs none or none of up to two components exists."""
    return next(iter(repairs(channel)), None)


def repairs(channel: Channel) -> tuple[Repair, ...]:
    """All repairs with the fewest components and, among these, the fewest changed properties; best first."""
    codes = codes_only(channel)
    if passes(codes) or codes & BEYOND_PARTS:
        return ()
    places = placed(channel)
    options = [sorted(variants(channel, place, codes), key=lambda variant: variant.edits) for place in places]
    must = covers(channel, places)
    left = min(MOST_TRIALS, MOST_STEPS // max(len(places), 1))
    for size in range(1, MOST_COMPONENTS + 1):
        found: list[tuple[tuple[object, ...], Repair]] = []
        for edits, chosen in _choices(places, options, must, size):
            left -= 1
            if left < 0 or (found and edits > found[0][1].edits):
                break
            changed = replaced(channel, chosen)
            if passes(codes_only(changed)):
                found.append(_ranked(changed, chosen))
        if found:
            return tuple(found_repair for _, found_repair in sorted(found, key=lambda pair: pair[0]))
    return ()


def _choices(
    places: tuple[Place, ...], options: list[list[Variant]], must: list[frozenset[int]], size: int
) -> list[tuple[int, tuple[tuple[Place, Variant], ...]]]:
    """Sets of changed components that touch every joint at fault, those with the fewest changed properties first."""
    found: list[tuple[int, tuple[tuple[Place, Variant], ...]]] = []
    for indices in _touching(must, len(places), size):
        for chosen in product(*(options[index] for index in indices)):
            edits = sum(variant.edits for variant in chosen)
            found.append((edits, tuple(zip((places[index] for index in indices), chosen, strict=True))))
    return sorted(found, key=lambda choice: choice[0])


def _touching(must: list[frozenset[int]], count: int, size: int) -> list[tuple[int, ...]]:
    """Sets of components, in order, that have one of every joint at fault; none where they are too many to try."""
    if not must:
        return list(combinations(range(count), size)) if comb(count, size) <= MOST_TRIALS else []
    first = must[0]
    sets = {tuple(sorted({one, *rest})) for one in first for rest in combinations(range(count), size - 1)}
    return sorted(
        chosen for chosen in sets if len(chosen) == size and all(joint.intersection(chosen) for joint in must)
    )


def _ranked(channel: Channel, chosen: tuple[tuple[Place, Variant], ...]) -> tuple[tuple[object, ...], Repair]:
    texts = tuple(f"{place.name}: {difference(place.part, variant.part)}" for place, variant in chosen)
    edits = sum(variant.edits for _, variant in chosen)
    effort = sum(_effort(place, variant.part) for place, variant in chosen)
    nearest_z = tuple(-place.rank for place, _ in reversed(chosen))
    after = placed(channel)
    key = (edits, _hybrids(after), _type_c(after), _kinds(after), effort, nearest_z, texts)
    return key, Repair(texts, channel, edits)


def _effort(place: Place, part: Component) -> int:
    if isinstance(part, Fan):
        rewired = isinstance(place.part, Fan) and (place.part.wiring, place.part.a, place.part.z)
        only_labels = rewired == (part.wiring, part.a, part.z) and part.kind == "cassette"
        return 1 if only_labels else 3
    if isinstance(part, Adapter):
        return 1
    return 2 if "trunk" in place.name else 0


def _hybrids(places: tuple[Place, ...]) -> int:
    cords = [place.part for place in places if isinstance(place.part, Cord)]
    return sum((cord.a.polish == "APC") != (cord.z.polish == "APC") for cord in cords)


def _type_c(places: tuple[Place, ...]) -> int:
    return sum(isinstance(place.part, Cord) and place.part.polarity == "C" for place in places)


def _kinds(places: tuple[Place, ...]) -> int:
    """Different array cords and plates a channel is made of; duplex cords come in two kinds by design."""
    seen: set[object] = set()
    for place in places:
        part: Component = place.part
        if isinstance(part, Cord) and part.a.ferrule.keyed:
            seen.add((part.a.ferrule, part.z.ferrule, part.polarity, part.fibre))
        elif isinstance(part, Adapter) and part.ferrule.keyed:
            seen.add((part.ferrule, part.keying))
    return len(seen)
