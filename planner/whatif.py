"""What would change: the same project compiled a second time with a policy overridden, and both plans in a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, Final

from planner.bom.bill import BomLine, bom_lines, cost_of, is_cabling, plug_power_mw
from planner.catalog.fibre import Cord
from planner.catalog.load import Catalog
from planner.catalog.plugs import CableAssembly, Transceiver
from planner.findings import by_severity
from planner.names import natural_key
from planner.pipeline import Inputs
from planner.plan import Plan
from planner.project import Project
from planner.reader import Value, YamlMap, mapping_of, sequence_of
from planner.validation import validated

EVERY_LINK: Final = "*"
NEAREST: Final = 3
MOST_LINKS: Final = 50
"""Links that are named where they change; all are counted."""


class UnknownPartError(Exception):
    """No cable, cord or transceiver of the catalog has the name; the message is one line with the nearest names."""


@dataclass(frozen=True, slots=True)
class Change:
    """What is asked otherwise: parts or families that cannot be had, a greatest lead time, another objective."""

    without: tuple[str, ...] = ()
    max_lead_time_weeks: int | None = None
    objective: str | None = None

    @property
    def spoken(self) -> str:
        """`without MFP7E10-N005, at most 8 weeks, objective cost`."""
        words = [f"without {name}" for name in self.without]
        words += [] if self.max_lead_time_weeks is None else [f"at most {self.max_lead_time_weeks} weeks"]
        words += [] if self.objective is None else [f"objective {self.objective}"]
        return ", ".join(words)


def part_named(name: str, catalog: Catalog) -> str:
    """The id of a family, or the part number of a member, that a text names. Raises UnknownPartError."""
    wanted = name.casefold()
    families: list[Transceiver | CableAssembly | Cord] = [*catalog.transceivers.values(), *catalog.cables.values()]
    families += catalog.cords.values()
    known = {family.id: family.id for family in families}
    numbers: dict[str, str] = {}
    for family in families:
        for part, order_number in ((member.part, member.order_number) for member in family.members):
            known.setdefault(part.casefold(), part)
            numbers.setdefault((order_number or part).casefold(), part)
    found = known.get(wanted) or numbers.get(wanted)
    if found is not None:
        return found
    near = [known[text] for text in get_close_matches(wanted, known, n=NEAREST)]
    hint = f", did you mean {' or '.join(f'`{text}`' for text in near)}?" if near else ""
    raise UnknownPartError(f"the catalog has no cable, cord or transceiver `{name}`{hint}")


def changed(inputs: Inputs, change: Change) -> Inputs:
    """The inputs with the policy overridden, for every link whatever its own choice asks; pins go before it still."""
    policy = inputs.tree.get("policy")
    policy = policy if isinstance(policy, YamlMap) else mapping_of({})
    tree = _with(inputs.tree, {"policy": _with(policy, _overrides(policy, change))})
    form = validated(Project, tree)
    assert form.model is not None  # only keys that the schema knows were added
    return replace(inputs, project=form.model, tree=form.root)


def _overrides(policy: YamlMap, change: Change) -> dict[str, Value]:
    written = policy.get("choices")
    own = [item for item in written if isinstance(item, YamlMap)] if isinstance(written, list) else []
    asked: dict[str, Value] = {"links": EVERY_LINK}
    if change.without:
        asked["deny"] = sequence_of(list(change.without))
    if change.max_lead_time_weeks is not None:
        asked["max_lead_time_weeks"] = str(change.max_lead_time_weeks)
    overrides: dict[str, Value] = {}
    if len(asked) > 1:
        choices: list[Value] = [mapping_of(asked), *(_stricter(item, change) for item in own)]
        overrides["choices"] = sequence_of(choices)
    if change.objective is not None:
        overrides["objective"] = change.objective
    return overrides


def _stricter(choice: YamlMap, change: Change) -> YamlMap:
    """A choice of some links, which would otherwise take the place of what is asked of all."""
    stricter: dict[str, Value] = {}
    deny, weeks = choice.get("deny"), choice.get("max_lead_time_weeks")
    if isinstance(deny, list):
        stricter["deny"] = sequence_of([*deny, *change.without])
    least = change.max_lead_time_weeks
    if isinstance(weeks, str) and least is not None and weeks.isdigit():
        stricter["max_lead_time_weeks"] = str(min(int(weeks), least))
    return _with(choice, stricter)


def _with(tree: YamlMap, items: Mapping[str, Value]) -> YamlMap:
    """A copy with some keys set, the places of the others kept."""
    copied = mapping_of({})
    copied.spot = tree.spot
    copied.update(tree)
    copied.key_spots, copied.value_spots = dict(tree.key_spots), dict(tree.value_spots)
    for key, value in items.items():
        copied[key] = value
        copied.key_spots.setdefault(key, tree.spot)
        copied.value_spots.setdefault(key, tree.spot)
    return copied


# --- the comparison -------------------------------------------------------------------------------------------------


def figures_of(plan: Plan) -> dict[str, Any]:
    """What is compared of a plan: links, media, money of the order, power, the longest lead time; None for unknown.

    Money, lead times and lines are those of the cabling. unpriced, undated: lines to order whose price, or lead time, is
    not known.
    """
    billed = bom_lines(plan)
    cost = cost_of(plan, billed)
    lines = [line for line in billed if line.qty_order and is_cabling(line.category)]
    media = plan.links.medium.tolist()
    weeks = [line.lead_time_weeks for line in lines if line.lead_time_weeks is not None]
    power = plug_power_mw(plan)
    findings = by_severity(plan.findings)
    return {
        "links": len(media),
        "unresolved": sum(not medium for medium in media),
        "media": {medium: media.count(medium) for medium in sorted(set(media) - {"", None})},
        "cables": len(plan.cables),
        "currency": cost.currency or None,
        "cabling": None if cost.cabling_e4 is None else cost.cabling_e4 / 10_000,
        "unpriced": sum(line.unit_price_e4 is None for line in lines),
        "plug_power_w": None if power is None else power / 1000,
        "longest_lead_time_weeks": max(weeks, default=None),
        "undated": sum(line.lead_time_weeks is None for line in lines),
        "errors": findings["error"],
        "warnings": findings["warning"],
    }


def compared(base: Plan, other: Plan, change: Change) -> dict[str, Any]:
    """Both plans' figures, the parts whose numbers differ, the links that change, and asked parts that a pin keeps."""
    links = _changed_links(base, other)
    before, after = bom_lines(base), bom_lines(other)
    return {
        "project": base.identity.project,
        "change": {
            "without": list(change.without),
            "max_lead_time_weeks": change.max_lead_time_weeks,
            "objective": change.objective,
        },
        "base": figures_of(base),
        "changed": figures_of(other),
        "parts": _parts(before, after),
        "links": {"changed": len(links), "ids": links[:MOST_LINKS]},
        "kept_by_pins": _kept(other, change.without),
    }


def _parts(before: Sequence[BomLine], after: Sequence[BomLine]) -> dict[str, dict[str, int]]:
    """Installed and ordered pieces of the parts that differ in either."""
    found: dict[str, dict[str, int]] = {}
    for when, lines in (("base", before), ("changed", after)):
        for line in lines:
            row = found.setdefault(line.part, {"installed": 0, "installed_changed": 0, "order": 0, "order_changed": 0})
            suffix = "" if when == "base" else "_changed"
            row[f"installed{suffix}"] += line.qty_installed
            row[f"order{suffix}"] += line.qty_order
    return {
        part: row
        for part, row in sorted(found.items(), key=lambda item: natural_key(item[0]))
        if (row["installed"], row["order"]) != (row["installed_changed"], row["order_changed"])
    }


def _changed_links(base: Plan, other: Plan) -> list[str]:
    """Links whose medium or parts differ."""
    one, two = _parts_of_links(base), _parts_of_links(other)
    return [link for link, parts in one.items() if two.get(link) != parts]


def _parts_of_links(plan: Plan) -> dict[str, tuple[Any, ...]]:
    links = plan.links
    part = [plan.parts[number].part for number in plan.cables.part.tolist()]
    cables = [part[number] if number >= 0 else "" for number in links.cable.tolist()]
    columns = (links.medium.tolist(), cables, links.a_plug_part.tolist(), links.z_plug_part.tolist())
    return dict(zip(plan.link_ids, zip(*columns, strict=True), strict=True))


def _kept(plan: Plan, without: Iterable[str]) -> list[str]:
    unwanted = {name.casefold() for name in without}
    return sorted(
        {part.part for part in plan.parts if not unwanted.isdisjoint((part.part.casefold(), part.family))},
        key=natural_key,
    )
