"""Which pathways the user forbids, demands or prefers for which links, and which links must not share any."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import translate
from typing import Final

import numpy as np

from planner.findings import NOWHERE, Fault, Spot
from planner.layout import Layout
from planner.names import nearest, quoted_list
from planner.pins import LinkNames
from planner.project import DiversityPolicy, Policy, RoutePolicy
from planner.reader import YamlMap, spot_at
from planner.table import Ints, rank_codes

MOST_REQUIRED: Final = 4
"""Pathways that one link may be made to run along: each doubles the work."""

OTHERWISE: Final = 2
"""A metre of a pathway that is not preferred counts as two."""


@dataclass(frozen=True, slots=True)
class Steering:
    """What holds for the routes of some links: pathways by number. at: the first of the rules that say so.

    groups: numbers of the sides of `policy.diversity` that the links are on (2 n for `a` of entry n, 2 n + 1 for `z`).
    """

    forbidden: frozenset[int] = frozenset()
    required: tuple[int, ...] = ()
    preferred: frozenset[int] = frozenset()
    groups: tuple[int, ...] = ()
    at: Spot = NOWHERE


@dataclass(frozen=True)
class RouteRules:
    """The distinct steerings, and that of each link; 0 is none at all. apart: place of each entry of the diversity."""

    steerings: tuple[Steering, ...]
    of_link: Ints
    apart: tuple[Spot, ...] = ()

    @classmethod
    def none(cls, links: int) -> RouteRules:
        return cls((Steering(),), np.zeros(links, np.int64))


def route_rules(
    policy: Policy, tree: YamlMap, layout: Layout, names: LinkNames, *, follow_up: Callable[[str], bool]
) -> tuple[RouteRules, list[Fault]]:
    """What each link's routes are held to. follow_up: whether names of a section (`pathways`, `fabrics`) are sought."""
    if not policy.routes and not policy.diversity:
        return RouteRules.none(names.count), []
    faults: list[Fault] = []
    read = [
        *(_Entry.of_route(n, entry, tree, layout, names, faults, follow_up) for n, entry in enumerate(policy.routes)),
        *(
            side
            for n, entry in enumerate(policy.diversity)
            for side in _sides(n, entry, tree, names, faults, follow_up("fabrics"))
        ),
    ]
    rows = np.zeros((len(read), names.count), np.int64)
    for line, entry in enumerate(read):
        rows[line, entry.links] = 1
    codes = rank_codes([*rows, np.zeros(names.count, np.int64)]).astype(np.int64)
    first = np.unique(codes, return_index=True)[1]
    steerings, number = [Steering()], np.zeros(len(first), np.int64)
    for code, row in enumerate(first.tolist()):
        mine = [entry for line, entry in enumerate(read) if rows[line, row]]
        if mine:
            number[code] = len(steerings)
            steerings.append(_together(mine, layout, names.spoken(np.flatnonzero(codes == code)), faults))
    apart = tuple(spot_at(tree, ("policy", "diversity", n)) for n in range(len(policy.diversity)))
    return RouteRules(tuple(steerings), number[codes] if len(codes) else codes, apart), faults


@dataclass(frozen=True, slots=True)
class _Entry:
    """One rule with what it names found."""

    links: Ints
    at: Spot
    forbidden: frozenset[int] = frozenset()
    required: frozenset[int] = frozenset()
    preferred: frozenset[int] = frozenset()
    group: int = -1

    @classmethod
    def of_route(
        cls,
        number: int,
        entry: RoutePolicy,
        tree: YamlMap,
        layout: Layout,
        names: LinkNames,
        faults: list[Fault],
        follow_up: Callable[[str], bool],
    ) -> _Entry:
        loc = ("policy", "routes", number)
        found = {
            key: _pathways(
                getattr(entry, key) or (), key, spot_at(tree, (*loc, key)), layout, faults, follow_up("pathways")
            )
            for key in ("forbid", "require", "prefer")
        }
        if len(found["require"]) > MOST_REQUIRED:
            faults.append(
                Fault(
                    "invalid-value",
                    f"a route is to run along {len(found['require'])} pathways, {MOST_REQUIRED} are the most",
                    spot_at(tree, (*loc, "require")),
                    help="name those that leave the others no choice",
                )
            )
            found["require"] = frozenset()
        links = _links(
            entry.links, "rule for routes", spot_at(tree, (*loc, "links")), names, faults, follow_up("fabrics")
        )
        return cls(links, spot_at(tree, loc), found["forbid"], found["require"], found["prefer"])


def _sides(
    number: int, entry: DiversityPolicy, tree: YamlMap, names: LinkNames, faults: list[Fault], follow_up: bool
) -> list[_Entry]:
    """Both sides of one entry of the diversity; a link on both is a fault, and stays on the first."""
    loc = ("policy", "diversity", number)
    first, second = (
        _links(getattr(entry, key), "group of diverse links", spot_at(tree, (*loc, key)), names, faults, follow_up)
        for key in ("a", "z")
    )
    both = np.intersect1d(first, second)
    if len(both):
        faults.append(
            Fault(
                "routes-contradict",
                f"{names.spoken(both)} {'is' if len(both) == 1 else 'are'} to be apart from itself",
                spot_at(tree, (*loc, "z")),
                note="named in `a` and in `z`",
                help="name each link on one side",
                objects=tuple(names.as_written[row] for row in both[:50].tolist()),
                count=len(both),
            )
        )
        second = np.setdiff1d(second, both)
    return [_Entry(rows, spot_at(tree, loc), group=2 * number + side) for side, rows in enumerate((first, second))]


def _links(texts: Sequence[str], what: str, at: Spot, names: LinkNames, faults: list[Fault], follow_up: bool) -> Ints:
    found = [np.zeros(0, np.int64)]
    for text in texts:
        rows = names.matching(text, rails=True)
        if not len(rows) and follow_up and names.can_tell(text):
            faults.append(
                Fault(
                    "names-nothing",
                    f"the {what} on `{text}` names no link",
                    at,
                    help=names.advice(text),
                    objects=(text,),
                )
            )
        found.append(rows)
    return np.unique(np.concatenate(found))


def _pathways(
    texts: Iterable[str], key: str, at: Spot, layout: Layout, faults: list[Fault], follow_up: bool
) -> frozenset[int]:
    """Numbers of the pathways that some names or globs mean."""
    known = {pathway.name.casefold(): number for number, pathway in enumerate(layout.pathways)}
    numbers: set[int] = set()
    for text in texts:
        pattern = re.compile(translate(text.casefold()))
        found = (
            {known[text.casefold()]}
            if text.casefold() in known
            else {n for name, n in known.items() if pattern.match(name)}
        )
        if not found and follow_up:
            meant = nearest(text, (pathway.name for pathway in layout.pathways))
            advice = (
                f"did you mean `{meant}`?" if meant else f"known: {quoted_list([p.name for p in layout.pathways], 8)}"
            )
            faults.append(Fault("names-nothing", f"`{key}: {text}` names no pathway", at, help=advice, objects=(text,)))
        numbers |= found
    return frozenset(numbers)


def _together(entries: Sequence[_Entry], layout: Layout, links: str, faults: list[Fault]) -> Steering:
    """All rules on the same links; forbidding wins over the others, with a fault where it does."""
    forbidden = frozenset[int]().union(*(e.forbidden for e in entries))
    required = frozenset[int]().union(*(e.required for e in entries))
    preferred = frozenset[int]().union(*(e.preferred for e in entries))
    clash = sorted(forbidden & (required | preferred))
    if clash:
        names = [layout.pathways[n].name for n in clash]
        faults.append(
            Fault(
                "routes-contradict",
                f"{quoted_list(names)} {'is' if len(names) == 1 else 'are'} forbidden and wanted for {links}",
                next(e.at for e in reversed(entries) if (e.required | e.preferred | e.forbidden) & set(clash)),
                help="narrow one of the rules in `policy.routes`",
                objects=tuple(names),
            )
        )
    if len(required - forbidden) > MOST_REQUIRED:
        faults.append(
            Fault(
                "routes-contradict",
                f"the rules together make {links} run along {len(required)} pathways, {MOST_REQUIRED} are the most",
                entries[-1].at,
                help="narrow one of the rules in `policy.routes`",
            )
        )
        required = frozenset()
    groups = tuple(sorted(e.group for e in entries if e.group >= 0))
    return Steering(forbidden, tuple(sorted(required - forbidden)), preferred - forbidden, groups, entries[0].at)
