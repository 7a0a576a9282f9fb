"""The smallest change that would give an unresolved link a part, found by trying: policy first, then the way, then the cage."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from planner.catalog.figures import GENERIC
from planner.catalog.load import Catalog
from planner.choices import Wish
from planner.lengths.measure import NO_LENGTH, Measure
from planner.names import quoted_list
from planner.project import VendorPolicy
from planner.selection.best import Problem, fitting_positions
from planner.selection.breakouts import coiled_mm
from planner.selection.choose import problem_of
from planner.selection.kinds import Kinds
from planner.selection.options import Option, Part, barred_members, media_of, options_of
from planner.selection.settle import group_of_cage
from planner.selection.spanning import choose_once
from planner.table import Ints
from planner.units import short_metres

_LONG_MM: Final = 10_000
"""Lengths from here on are said in metres."""

_MEDIA: Final = ("dac", "acc", "aec", "aoc", "optic")


@dataclass(frozen=True)
class Asked:
    """What is asked about: the plan's problem and lengths, and a link without a part."""

    problem: Problem
    measure: Measure
    catalog: Catalog
    row: int

    @property
    def kind(self) -> int:
        return int(self.problem.kinds.of_link[self.row])

    @property
    def wish(self) -> Wish:
        return self.problem.kinds.kinds[self.kind].wish


def changes_for(asked: Asked) -> list[str]:
    """What would help the link, the smallest first: of policy, of length, of cages."""
    return [*_of_policy(asked), *_of_length(asked), *_of_cages(asked)]


def would_fit(asked: Asked, freed: Collection[str]) -> bool:
    """Whether the link gets a part when some keys of the policy are free: `media`, `vendors`, `choices` (which may set either)."""
    wish = asked.wish
    if not {"media", "choices"}.isdisjoint(freed):
        wish = replace(wish, media=tuple(dict.fromkeys((*wish.media, *_MEDIA))), one_medium=False)
    if not {"vendors", "choices"}.isdisjoint(freed):
        wish = replace(wish, vendors=_any_vendor(asked))
    if "choices" in freed:
        wish = replace(wish, deny=frozenset(), allow=None, max_lead_time_weeks=None)
    return _with(asked, wish) is not None


def _any_vendor(asked: Asked) -> VendorPolicy:
    """A policy that allows every maker, and generic parts."""
    makers = {part.manufacturer for part in (*asked.catalog.transceivers.values(), *asked.catalog.cables.values())}
    makers |= {cord.manufacturer for cord in asked.catalog.cords.values()}
    return VendorPolicy(allow=sorted({GENERIC, *makers}), deny=[])


def _of_policy(asked: Asked) -> Iterator[str]:
    kind = asked.problem.kinds.kinds[asked.kind]
    wish = asked.wish
    if media_of(kind) != wish.media:
        return  # pinned, or twisted pair
    for medium in _MEDIA:
        if medium in wish.media:
            continue
        found = _with(asked, replace(wish, media=(*wish.media, medium), one_medium=False))
        if found is not None:
            yield f"allow `{medium}`: {_part(found)} would fit"
    yield from _of_choices(asked)
    yield from _of_vendors(asked)


def _of_choices(asked: Asked) -> Iterator[str]:
    wish = asked.wish
    if wish.max_lead_time_weeks is not None:
        found = _with(asked, replace(wish, max_lead_time_weeks=None))
        if found is not None:
            yield f"raise `max_lead_time_weeks` to {_weeks(asked, found)}: {_numbers(asked, found)} would fit"
    if wish.deny or wish.allow is not None:
        found = _with(asked, replace(wish, deny=frozenset(), allow=None))
        if found is not None:
            yield f"let `policy.choices` have {_numbers(asked, found)}"


def _of_vendors(asked: Asked) -> Iterator[str]:
    wish = asked.wish
    if wish.vendors.deny or wish.vendors.allow is not None:
        found = _with(asked, replace(wish, vendors=VendorPolicy(allow=None, deny=[])))
        if found is not None:
            yield f"allow {found.cable.manufacturer} in `policy.vendors`: {_part(found)} would fit"
    if wish.vendors.allow is None or GENERIC not in wish.vendors.allow:
        found = _with(asked, replace(wish, vendors=_any_vendor(asked)))
        if found is not None and found.cable.manufacturer == GENERIC:
            yield f"plan with generic parts (`policy.vendors.allow: [generic]`): {_part(found)} would fit"


def _with(asked: Asked, wish: Wish) -> Option | None:
    """What the link gets when the wish of its kind is another one, if no other link of its group loses its part for it."""
    before = asked.problem
    group = group_of_cage(before.sharing)
    mine = group[before.sharing.a_cage] == group[before.sharing.a_cage[asked.row]]
    kinds = list(before.kinds.kinds)
    kinds[asked.kind] = replace(kinds[asked.kind], wish=wish)
    narrowed = Kinds(tuple(kinds), np.where(mine, before.kinds.of_link, -1))
    options = list(before.options)
    options[asked.kind] = options_of(kinds[asked.kind], asked.catalog)
    problem = problem_of(narrowed, options, asked.measure, asked.catalog, before.sharing, before.shelf)
    offer = choose_once(problem)[0]
    old = choose_once(replace(before, kinds=Kinds(before.kinds.kinds, narrowed.of_link)))[0]
    lost = mine & (offer < 0) & (old >= 0)
    return None if offer[asked.row] < 0 or lost.any() else problem.offers[int(offer[asked.row])]


def _part(option: Option) -> str:
    return f"`{option.cable.id}`"


def _kept_out(asked: Asked, option: Option) -> list[tuple[Part, int]]:
    """Parts of an option that the policy keeps away from the link as it is: plugs, and the cable in the length that it needs."""
    kind = asked.problem.kinds.kinds[asked.kind]
    row = np.array([asked.row], np.int64)
    at = max(0, int(fitting_positions(option, row, asked.measure, asked.problem.sharing)[0]))
    parts: list[tuple[Part, int]] = [(option.cable, int(option.members[at]))]
    parts += [(plug, 0) for plug in (option.a_plug, option.z_plug) if plug is not None]
    barred = [(part, n) for part, n in parts if n in barred_members(part, kind, asked.catalog)]
    return list({part.members[n].part: (part, n) for part, n in barred or parts}.values())


def _numbers(asked: Asked, option: Option) -> str:
    return quoted_list(part.members[n].part for part, n in _kept_out(asked, option))


def _weeks(asked: Asked, option: Option) -> int:
    """How long the parts take that come too late."""
    prices = [asked.catalog.prices.get(part.members[n].part.lower()) for part, n in _kept_out(asked, option)]
    return max((price.lead_time_weeks or 0 for price in prices if price is not None), default=0)


def _of_length(asked: Asked) -> Iterator[str]:
    """By how much the way is too long for the part that comes nearest, and whether less slack would do."""
    row = np.array([asked.row], np.int64)
    nearest: tuple[int, Option, int] | None = None
    for option in asked.problem.options[asked.kind].options:
        if option.chain is not None or not len(option.members) or not asked.problem.sharing.alone(option, row).all():
            continue  # of a channel over panels no one length is too long
        lengths = asked.measure.lengths(option.cable_class, option.a_standoff_um, option.z_standoff_um)
        need = int(lengths.required[asked.row])
        if need >= NO_LENGTH:
            continue
        over = need - _covers(option, row, asked)
        if over > 0 and (nearest is None or over < nearest[0]):
            nearest = (over, option, int(lengths.slack[asked.row]))
    if nearest is None:
        return
    over, option, slack = nearest
    by = f"{over} mm" if over < _LONG_MM else f"{short_metres(over)} m"
    yield f"shorten its way by {by}, such as by moving one of the racks, for {_part(option)}"
    if over <= slack:
        yield f"take {over} mm off its slack of {slack} mm"


def _covers(option: Option, row: Ints, asked: Asked) -> int:
    """The longest way that an option covers."""
    lost = coiled_mm(option, row, asked.measure, asked.problem.sharing)[:, 0]
    return int((option.usable_mm - lost).max())


def _of_cages(asked: Asked) -> Iterator[str]:
    fit = asked.problem.fits[asked.kind]
    at = int(np.searchsorted(fit.rows, asked.row))
    if len(fit.position) and (fit.position[:, at] >= 0).any():
        yield "give it, or the link that shares its cage, another cage"
        return
    row, sharing = np.array([asked.row], np.int64), asked.problem.sharing
    for option in asked.problem.options[asked.kind].options:
        if option.chain is not None:
            continue
        lengths = asked.measure.lengths(option.cable_class, option.a_standoff_um, option.z_standoff_um)
        covers = len(option.members) and int(lengths.required[asked.row]) <= _covers(option, row, asked)
        if not covers or sharing.joins(option, row)[0]:
            continue
        if sharing.only_these(asked.row):
            yield f"join its cages first port to first, second to second: {_part(option)} would fit"
        else:
            yield f"lead both ports of its cages to one place, first to first, second to second: {_part(option)} would fit"
        return
