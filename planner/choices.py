"""What the policy asks of each link's parts: `policy.choices` by link ID, glob or fabric/tier, over the whole policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from planner.catalog.fibre import Cord
from planner.catalog.load import Catalog
from planner.catalog.plugs import CableAssembly, Transceiver
from planner.findings import Fault
from planner.names import nearest
from planner.pins import LinkNames
from planner.project import Choice, Objective, Policy, VendorPolicy
from planner.reader import YamlMap, spot_at
from planner.table import Ints

Part = Transceiver | CableAssembly | Cord


@dataclass(frozen=True)
class Wish:
    """What is asked of a link's parts.

    allow, deny: ids and part numbers in lower case; where allow is given, nothing else is chosen. plug_within_um: by how
    much the two cords of a plug may differ. choice: number of the last entry of `policy.choices` that concerns the
    link, -1 for none.
    """

    objective: Objective
    media: tuple[str, ...]
    vendors: VendorPolicy
    allow: frozenset[str] | None = None
    deny: frozenset[str] = frozenset()
    max_lead_time_weeks: int | None = None
    one_medium: bool = False
    plug_within_um: int | None = None
    equal_in_rail: bool = False
    choice: int = -1


@dataclass(frozen=True)
class Wishes:
    """The distinct wishes, and the wish of each link."""

    wishes: tuple[Wish, ...]
    of_link: Ints


def wish_of(policy: Policy) -> Wish:
    """What the policy asks where no choice says otherwise."""
    return Wish(policy.objective, tuple(policy.media.order), policy.vendors)


def wishes_of(
    policy: Policy, tree: YamlMap, catalog: Catalog, names: LinkNames, *, follow_up: bool
) -> tuple[Wishes, list[Fault]]:
    """The wish of each link; a later choice goes before an earlier one, key by key."""
    faults: list[Fault] = []
    code = np.zeros(names.count, np.int64)
    wishes = [wish_of(policy)]
    for number, choice in enumerate(policy.choices):
        loc = ("policy", "choices", number)
        faults += _unknown_parts(choice, loc, tree, catalog)
        rows = names.matching(choice.links)
        if not len(rows):
            if follow_up and names.can_tell(choice.links):
                message = f"the choice for `{choice.links}` names no link"
                at = spot_at(tree, (*loc, "links"))
                faults.append(Fault("names-nothing", message, at, help=names.advice(choice.links)))
            continue
        before, inverse = np.unique(code[rows], return_inverse=True)
        code[rows] = len(wishes) + inverse
        wishes += [_changed(wishes[old], choice, number) for old in before.tolist()]
    used, of_link = np.unique(code, return_inverse=True)
    kept = tuple(wishes[old] for old in used.tolist()) or (wishes[0],)
    return Wishes(kept, of_link.astype(np.int64)), faults


def _changed(wish: Wish, choice: Choice, number: int) -> Wish:
    def names(texts: Sequence[str] | None, otherwise: frozenset[str] | None) -> frozenset[str] | None:
        return otherwise if texts is None else frozenset(text.lower() for text in texts)

    weeks, within = choice.max_lead_time_weeks, choice.plug_lengths_within_m
    return replace(
        wish,
        objective=choice.objective or wish.objective,
        media=tuple(choice.media) if choice.media is not None else wish.media,
        vendors=choice.vendors or wish.vendors,
        allow=names(choice.allow, wish.allow),
        deny=names(choice.deny, wish.deny) or frozenset(),
        max_lead_time_weeks=wish.max_lead_time_weeks if weeks is None else weeks,
        one_medium=wish.one_medium if choice.one_medium is None else choice.one_medium,
        plug_within_um=wish.plug_within_um if within is None else within,
        equal_in_rail=wish.equal_in_rail if choice.equal_lengths is None else choice.equal_lengths == "rail",
        choice=number,
    )


def _unknown_parts(choice: Choice, loc: tuple[str | int, ...], tree: YamlMap, catalog: Catalog) -> list[Fault]:
    """A slip in a name would deny nothing, or allow nothing."""
    faults = []
    for key, texts in (("allow", choice.allow), ("deny", choice.deny)):
        for n, text in enumerate(texts or ()):
            if isinstance(catalog.find(text), Part):
                continue
            known = [*catalog.transceivers, *catalog.cables, *catalog.cords]
            meant = nearest(text.lower(), known)
            advice = f"did you mean `{meant}`?" if meant else "`planner catalog list` shows what there is"
            message = f"`{text}` is no cable, cord or transceiver of the catalog"
            faults.append(Fault("unknown-name", message, spot_at(tree, (*loc, key, n)), help=advice, objects=(text,)))
    return faults
