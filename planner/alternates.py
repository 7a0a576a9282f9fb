"""What may be bought in place of a part: drop-in equals on every link that has it, by what the catalog says of them.

Nothing is judged here a second time. A link's options are all that fit its cages, run its rate and protocol, draw no more
than the cages feed, and whose channel passes; vendors and lifecycle are the policy's. A part is as good as the chosen one
where the same link has an option that differs in this part alone, in the same length.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from planner.catalog.fibre import Cord
from planner.catalog.implements import is_generic
from planner.catalog.load import Catalog
from planner.catalog.plugs import CableAssembly, Transceiver
from planner.names import natural_key
from planner.selection.choose import Selection
from planner.selection.fit import orderable
from planner.selection.options import Option
from planner.table import Ints

Family = Transceiver | CableAssembly | Cord
PartKey = tuple[str, int]
"""A family's id and the place of one of its members."""


@dataclass(frozen=True, slots=True)
class Alternate:
    """A part that may be bought in place of another."""

    part: str
    order_number: str
    manufacturer: str


def alternates_of(
    selection: Selection,
    groups: Iterable[tuple[Option, Ints]],
    required_mm: Ints,
    catalog: Catalog,
    denied: Iterable[str],
) -> dict[PartKey, tuple[Alternate, ...]]:
    """Drop-in equals of every cable and transceiver of a plan, in natural order of their makers and part numbers.

    None draws more power than the part that it stands for. groups: each chosen option with its links. For a generic part, which cannot be ordered, also the makers' parts that
    are to be bought for it, of whatever maker the policy does not deny (denied, without case).
    """
    found: dict[PartKey, set[PartKey]] = {}
    for option, rows in groups:
        kind = int(selection.kinds.of_link[rows[0]])
        for part, equals in _of_group(
            option, selection.options[kind].options, selection.member[rows], required_mm[rows]
        ):
            known = found.get(part)
            found[part] = equals if known is None else known & equals
    barred = {name.casefold() for name in denied}
    for part, equals in found.items():
        mine = _family(part[0], catalog)
        others = {key: _family(key[0], catalog) for key in equals}
        equals -= {key for key, other in others.items() if is_generic(other) or _draws_more(other, mine)}
        equals.update(_bought_for(part, catalog, barred))
    return {part: _in_order(equals, catalog) for part, equals in found.items() if equals}


def _of_group(
    option: Option, options: Iterable[Option], member: Ints, required_mm: Ints
) -> Iterator[tuple[PartKey, set[PartKey]]]:
    """Each part of an option with its equals on these links."""
    alike = [other for other in options if _shape(other) == _shape(option)]
    for number in np.unique(member).tolist():
        least = int(required_mm[member == number].max())
        length = option.cable.members[number].length_m
        others = (other for other in alike if _plugs(other) == _plugs(option) and other.cable.id != option.cable.id)
        yield (
            (option.cable.id, number),
            {key for other in others if (key := _member_of(other, length, least)) is not None},
        )
    a, z = option.a_plug, option.z_plug
    if a is None or z is None:
        return
    pairs = {_plugs(other) for other in alike if other.cable.id == option.cable.id}
    for plug in {a.id: a, z.id: z}.values():
        others_of = {name for pair in pairs for name in pair} - {plug.id}
        yield (plug.id, 0), {(other, 0) for other in others_of if _serves(plug.id, other, (a.id, z.id), pairs)}


def _serves(plug: str, other: str, pair: tuple[str, str], pairs: set[tuple[str, str]]) -> bool:
    """Whether another plug serves at every end that has this one: alone, and where both ends have it at both."""
    ends = [end for end in (0, 1) if pair[end] == plug]
    swaps = [(end,) for end in ends] + ([(0, 1)] if len(ends) == len(pair) else [])
    wanted = (tuple(other if end in swap else pair[end] for end in (0, 1)) for swap in swaps)
    return all(swapped in pairs for swapped in wanted)


def _shape(option: Option) -> tuple[object, ...]:
    return (option.medium, option.shape, option.head_at_z, option.cords)


def _plugs(option: Option) -> tuple[str, str]:
    return (option.a_plug.id if option.a_plug else "", option.z_plug.id if option.z_plug else "")


def _member_of(option: Option, length_um: int, least_mm: int) -> PartKey | None:
    """The member of a length where that is within reach and covers what the links need."""
    for place, number in enumerate(option.members.tolist()):
        if option.cable.members[number].length_m == length_um and int(option.usable_mm[place]) >= least_mm:
            return option.cable.id, number
    return None


def _bought_for(part: PartKey, catalog: Catalog, barred: set[str]) -> Iterator[PartKey]:
    """Members of makers' families that implement a generic part, in its length."""
    generic = _family(part[0], catalog)
    if not is_generic(generic):
        return
    length = getattr(generic.members[part[1]], "length_m", None)
    shelves: tuple[Mapping[str, Family], ...] = (catalog.transceivers, catalog.cables, catalog.cords)
    for family in (family for shelf in shelves for family in shelf.values()):
        if part[0] not in family.implements or family.manufacturer.casefold() in barred or orderable(family):
            continue
        for number, member in enumerate(family.members):
            if getattr(member, "length_m", None) == length:
                yield family.id, number


def _draws_more(other: Family, than: Family) -> bool:
    """Whether a part may draw more power than another: what a cage feeds is often not known."""
    if isinstance(other, Cord) or isinstance(than, Cord):
        return False
    draw, drawn = other.power_w.value, than.power_w.value
    return drawn is not None and (draw is None or draw > drawn)


def _family(id_: str, catalog: Catalog) -> Family:
    return catalog.transceivers.get(id_) or catalog.cables.get(id_) or catalog.cords[id_]


def _in_order(keys: Iterable[PartKey], catalog: Catalog) -> tuple[Alternate, ...]:
    found = []
    for id_, number in keys:
        family = _family(id_, catalog)
        member = family.members[number]
        found.append(Alternate(member.part, member.order_number or "", family.manufacturer))
    return tuple(sorted(found, key=lambda other: (natural_key(other.manufacturer), natural_key(other.part))))
