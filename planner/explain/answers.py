"""Why a link, a cable or a part is as it is: length terms, route, light path, and why not the others.

Made from the plan alone: the links that share cages with the one asked for are compiled again from the plan's own
inputs and catalog, so that nothing has to be stored for every loser.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from planner.catalog.figures import GENERIC
from planner.catalog.load import Catalog, catalog_of
from planner.cutsheet.panels import PANEL, PanelIndex, PanelPort, TrunkLeg
from planner.explain.lengths_over_panels import CableLength, lengths_over_panels
from planner.explain.light import LitChannel, light_of_link
from planner.explain.light_over_panels import light_over_panels
from planner.explain.losers import NextBest, Price, Rejection, why_not
from planner.explain.walk import Walk, walk_along, walk_of
from planner.lengths.slack import policy_slack
from planner.names import fold, nearest
from planner.pipeline import Inputs, compile_inputs
from planner.plan import Plan
from planner.project import Project
from planner.reader import ProjectSource, Sources, Value, YamlMap, YamlSeq, mapping_of, sequence_of, tree_of_json
from planner.rules import Subject
from planner.selection.buying import Purchase
from planner.selection.options import Option
from planner.table import Ints
from planner.units import mm_half_up
from planner.validation import validated


class UnknownNameError(Exception):
    """Nothing in the plan has the name asked for; the message is one line."""


@dataclass(frozen=True, slots=True)
class BoughtPart:
    """A part bought for a generic one: how many of the class's pieces its vendor has, and the share that it should have."""

    part: str
    stands_for: str
    vendor: str
    pieces: int
    all_pieces: int
    share_ppm: int


@dataclass(frozen=True, slots=True)
class LinkExplained:
    """Everything about one link. terms in mm; light: its channels, none where it is not optical; forced_by: the pin, or empty.

    mates: the links that share its cages, where it would have taken other parts without them. price: of the chosen parts. would_help: of a link without a part. on_hand: parts from stock.
    rejected: against the generic part where another was bought for it. walk: its way, None where no cable was chosen.
    slack, measured: what its slack is made of, and what was measured, in words. detour_mm: by how much its way is longer than the
    shortest, since that is over-full or another group's.
    """

    link_id: str
    row: int
    rejected: tuple[Rejection, ...]
    forced_by: str
    light: tuple[LitChannel, ...]
    bought: tuple[BoughtPart, ...] = ()
    walk: Walk | None = None
    slack: str = ""
    measured: str = ""
    detour_mm: int = 0
    mates: tuple[str, ...] = ()
    price: Price | None = None
    next_best: NextBest | None = None
    would_help: tuple[str, ...] = ()
    on_hand: tuple[str, ...] = ()
    over_panels: tuple[CableLength, ...] = ()


@dataclass(frozen=True, slots=True)
class PartExplained:
    """Where a part is used: its row in the plan, and the cables, plugs, billed devices or slots of panels that are it."""

    part: int
    cables: tuple[int, ...]
    plugs: tuple[int, ...]
    devices: tuple[int, ...]
    slots: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FamilyExplained:
    """A catalog id of which several parts are in the plan, such as the lengths of a cord."""

    family: str
    members: tuple[PartExplained, ...]


@dataclass(frozen=True, slots=True)
class ModelExplained:
    """A model of devices that are in the plan and not in the bill."""

    devices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CableExplained:
    """A cable and the links that run through it; legs: of a trunk, with the panel ports at their ends."""

    cable: int
    links: tuple[int, ...] = field(default=())
    legs: tuple[TrunkLeg, ...] = ()


@dataclass(frozen=True, slots=True)
class PanelExplained:
    """A panel and what runs through each of its ports."""

    panel: int
    ports: tuple[PanelPort, ...]


Explained = LinkExplained | PartExplained | FamilyExplained | ModelExplained | CableExplained | PanelExplained


def explain(plan: Plan, name: str) -> Explained:
    """What is known about a link ID, a cable ID, a panel, a part or order number, or a catalog id. Raises UnknownNameError."""
    wanted = fold(name.strip())
    if not wanted:
        raise UnknownNameError(
            "the name is empty; give a link ID, a cable ID, a panel, a part or order number, or a catalog id"
        )
    for row, link_id in enumerate(plan.link_ids):
        if fold(link_id) == wanted:
            return explain_link(plan, row)
    if name.isdigit():
        rows = np.flatnonzero(plan.cables.cable_id == int(name))
        if len(rows):
            cable = int(rows[0])
            of_cable = np.append(plan.cables.assembly_id, -1)  # a link without a cable (-1) reads the last
            links = np.flatnonzero(of_cable[plan.links.cable] == plan.cables.assembly_id[cable])
            legs = tuple(PanelIndex(plan).legs_of(cable))
            through = plan.link_cables.link[plan.link_cables.cable == cable] if legs else links
            return CableExplained(cable, tuple(sorted(set(through.tolist()))), legs)
    for row, device in enumerate(plan.devices):
        if device.kind == PANEL and fold(device.name) == wanted:
            return PanelExplained(row, tuple(PanelIndex(plan).ports_of(row)))
    found = _parts_or_devices(plan, wanted)
    if found is not None:
        return found
    meant = nearest(
        name,
        [
            *plan.link_ids[:20_000],
            *(part.part for part in plan.parts),
            *(d.model for d in plan.devices),
            *(d.name for d in plan.devices if d.kind == PANEL),
        ],
    )
    hint = f", did you mean `{meant}`?" if meant else ""
    raise UnknownNameError(f"the plan has no link, cable, panel or part `{name}`{hint}")


def _parts_or_devices(plan: Plan, wanted: str) -> PartExplained | FamilyExplained | ModelExplained | None:
    """By part or order number, else by catalog id; devices that are not billed have no part in the plan."""
    for number, part in enumerate(plan.parts):
        if wanted in (fold(part.part), fold(part.order_number)):
            return _part(plan, number)
    members = [_part(plan, number) for number, part in enumerate(plan.parts) if fold(part.family) == wanted]
    if members:
        members.sort(key=lambda member: plan.parts[member.part].length_mm)
        family = plan.parts[members[0].part].family
        return members[0] if len(members) == 1 else FamilyExplained(family, tuple(members))
    devices = [n for n, d in enumerate(plan.devices) if wanted in (fold(d.model), fold(d.part), fold(d.order_number))]
    return ModelExplained(tuple(devices)) if devices else None


def _part(plan: Plan, number: int) -> PartExplained:
    cables = np.flatnonzero(plan.cables.part == number).tolist()
    plugs = np.flatnonzero(plan.plugs.part == number).tolist()
    part = plan.parts[number]
    devices = [n for n, d in enumerate(plan.devices) if (d.part, d.model) == (part.part, part.family)]
    slots = [n for n, slot in enumerate(plan.panel_slots) if slot.part == number]
    return PartExplained(number, tuple(cables), tuple(plugs), tuple(devices), tuple(slots))


def explain_link(plan: Plan, row: int) -> LinkExplained:
    """Compile the link's group again, and say why each family is not chosen."""
    subject, detour_mm = _group_again(plan, row)
    here = subject.link_names.index(plan.link_ids[row])
    option = subject.purchase.planned.option_of(here)
    kind = int(subject.selection.kinds.of_link[here])
    shares = subject.selection.kinds.kinds[kind].wish.vendors.buy if kind >= 0 else None
    bought = _bought(plan, row, option, shares or {})
    built = _as_bought(plan, row, option, subject.catalog) if bought and option is not None else option
    light = _light(plan, row, built, subject, here) if built is not None else ()
    pin = int(subject.pins.pin[here])
    forced = subject.project.pins[pin].links if pin >= 0 else ""
    # Against the generic parts that were chosen: what was bought for them follows from the shares of the whole plan.
    planned = replace(subject, purchase=Purchase(subject.purchase.planned, subject.purchase.planned))
    why = why_not(planned, here)
    mates = () if forced else tuple(subject.link_names[mate] for mate in why.forced_by)
    walk, slack = (_walk(plan, row, subject, here, option), _slack(subject, here, option)) if option else (None, "")
    if option is not None and option.chain is not None:
        walk, slack = None, "of both cords and the trunk, each its own"
    measured = _measured(subject, here)
    return LinkExplained(
        plan.link_ids[row], row, why.rejected, forced, light, bought, walk, slack, measured, detour_mm, mates,
        why.price, why.next_best, why.would_help, why.on_hand, lengths_over_panels(subject.channels, here),
    )  # fmt: skip


def _light(plan: Plan, row: int, option: Option, subject: Subject, here: int) -> tuple[LitChannel, ...]:
    over_panels = option.chain is not None and option.a_plug is not None
    return (light_over_panels if over_panels else light_of_link)(plan, row, option, subject, here)


def _walk(plan: Plan, row: int, subject: Subject, here: int, option: Option) -> Walk | None:
    """The way of a link; where the plan led it around over-full pathways, along those that the plan names."""
    standoffs = (option.a_standoff_um, option.z_standoff_um)
    number = int(plan.links.route[row])
    names = tuple(plan.routes.pathways[number].split(";")) if number >= 0 else ()
    found = int(subject.lengths.route[here])
    mine: tuple[str, ...] = ()
    if found >= 0:
        routed = subject.measure.routes(option.cable_class)
        mine = routed.pathways_of(found, backwards=bool(subject.lengths.backwards[here]))
    if names == mine:
        return walk_of(subject.measure, here, option.cable_class, *standoffs)
    return walk_along(subject.measure, here, option.cable_class, standoffs, names)


def _slack(subject: Subject, here: int, option: Option) -> str:
    """`two loops of 300 mm and 5 % of the routed length`, and service loops where devices slide."""
    fabric = subject.project.fabrics[int(subject.links.fabric[here])]
    slack = policy_slack(subject.project.policy, fabric, option.cable_class)
    words = f"two loops of {slack.loop_mm // 1000} mm and {slack.share / 10_000:g} % of the routed length"
    for end, devices in (("a", subject.links.a_device), ("z", subject.links.z_device)):
        loop = subject.layout.devices[int(devices[here])].service_loop_um
        words += f", {mm_half_up(loop)} mm for {end} to slide out" if loop else ""
    return words


def _measured(subject: Subject, here: int) -> str:
    number = int(subject.measured.entry[here])
    if number < 0:
        return ""
    entry = subject.project.measured[number]
    if entry.racks is None:
        return "from port to port"
    return f"with {int(subject.measured.between_mm[here]):,} mm from exit to exit between {' and '.join(entry.racks)}"


def _parts_of_link(plan: Plan, row: int) -> dict[str, str]:
    """By slot of an option, the part of the plan: the cable, and the plugs that are parts of their own."""
    cable = int(plan.links.cable[row])
    if cable < 0:
        return {}
    own = plan.parts[int(plan.cables.part[cable])].part
    plugs = {"a_plug": plan.links.a_plug_part[row], "z_plug": plan.links.z_plug_part[row]}
    return {"cable": own, **{slot: part for slot, part in plugs.items() if part != own}}


def _bought(plan: Plan, row: int, planned: Option | None, shares: Mapping[str, int]) -> tuple[BoughtPart, ...]:
    """The parts of a link that were bought for the generic ones of the planned option; pieces over all lengths of a class."""
    by_name = {part.part: part for part in plan.parts}
    pieces = np.bincount(plan.cables.part, minlength=len(plan.parts))
    pieces += np.bincount(plan.plugs.part, minlength=len(plan.parts)) * _is_transceiver(plan)
    share_of = {name.casefold(): share for name, share in shares.items()}
    found = []
    for slot, name in _parts_of_link(plan, row).items() if planned else ():
        part, generic = by_name[name], getattr(planned, slot)
        if not part.stands_for or generic.manufacturer.casefold() != GENERIC:
            continue
        names = {member.part for member in generic.members}
        alike = [
            n for n, p in enumerate(plan.parts) if p.part in names or not names.isdisjoint(p.stands_for.split(";"))
        ]
        mine = [n for n in alike if plan.parts[n].manufacturer == part.manufacturer]
        (stands_for,) = names.intersection(part.stands_for.split(";"))
        counts = int(pieces[mine].sum()), int(pieces[alike].sum())
        found.append(
            BoughtPart(name, stands_for, part.manufacturer, *counts, share_of.get(part.manufacturer.casefold(), 0))
        )
    return tuple(dict.fromkeys(found))


def _is_transceiver(plan: Plan) -> Ints:
    """1 for parts that are counted by their plugs; the plugs of a cable are counted with it."""
    return np.array([int(part.category == "transceiver") for part in plan.parts], np.int64)


def _as_bought(plan: Plan, row: int, option: Option, catalog: Catalog) -> Option:
    """The generic option with the plan's own parts in it."""
    parts: dict[str, Any] = {slot: catalog.find(name) for slot, name in _parts_of_link(plan, row).items()}
    return replace(option, **parts)


def _group_again(plan: Plan, row: int) -> tuple[Subject, int]:
    """The links that share cages with one, compiled from the plan's own inputs; and how much longer its way is, in mm.

    Alone they take their shortest ways. Where the plan leads them around what else lies in the room, their routed
    length is taken from it, so that the reasons are those of the plan.
    """
    tree = tree_of_json(plan.inputs)
    members = group_of(plan, row)
    over_panels = set(plan.link_cables.link.tolist())
    # Positions of panels and lengths of trunks hang on all links that share them.
    if _spans_groups(plan) or not over_panels.isdisjoint(members):
        members = list(range(len(plan.links)))
    fabrics: list[Value] = []
    for number, fabric in enumerate(plan.fabrics):
        mine = [m for m in members if int(plan.links.fabric[m]) == number]
        if mine:
            links = sequence_of([_link_tree(plan, m) for m in mine])
            written: dict[str, Value] = {"name": fabric.name, "protocol": fabric.protocol, "rate": fabric.rate}
            fabrics.append(mapping_of({**written, "links": links, **_slack_tree(tree, number)}))
    kept = {key: value for key, value in tree.items() if key not in ("waive", "phases", "fabrics")}
    kept["fabrics"] = sequence_of(fabrics)
    subject = _compiled(plan, kept)
    rows = {name: number for number, name in enumerate(subject.link_names)}
    longer = {
        m: int(plan.links.routed_mm[m]) - int(subject.lengths.routed[rows[plan.link_ids[m]]])
        for m in members
        if plan.links.routed_mm[m] >= 0 and plan.links.status[m] == "resolved"
    }
    moved = [m for m, more in sorted(longer.items()) if more]
    if moved:
        measured: list[Value] = [
            mapping_of({"link": plan.link_ids[m], "length_m": f"{int(plan.links.routed_mm[m])} mm"}) for m in moved
        ]
        others = kept.get("measured")
        subject = _compiled(plan, {**kept, "measured": sequence_of([*(others or []), *measured])})
    return subject, max(0, longer.get(row, 0))


def _compiled(plan: Plan, tree: dict[str, Value]) -> Subject:
    form = validated(Project, mapping_of(tree))
    assert form.model is not None
    source = ProjectSource(form.root, Sources(Path()))
    # References that named other links are not followed up: they are not part of this group.
    gaps = frozenset({"fabrics"})
    stages = compile_inputs(Inputs(source, form.model, form.root, _catalog(plan), gaps, (), plan.stock)).stages
    assert stages is not None
    return stages.subject


def _spans_groups(plan: Plan) -> bool:
    """Whether links that share no cage hang together, so that a group cannot be told from itself alone."""
    policy = plan.policy
    return (
        bool(plan.stock and policy.stock.prefer)
        or policy.stock.pool != "none"
        or any(choice.one_medium or choice.equal_lengths == "rail" for choice in policy.choices)
    )


def _catalog(plan: Plan) -> Catalog:
    trees = tree_of_json(plan.catalog)
    return catalog_of({name: tree for name, tree in trees.items() if isinstance(tree, YamlMap)})


def _slack_tree(tree: YamlMap, number: int) -> dict[str, Value]:
    """A fabric's own slack, as it was written."""
    fabrics = tree.get("fabrics")
    fabric = fabrics[number] if isinstance(fabrics, YamlSeq) else None
    own = fabric.get("slack") if isinstance(fabric, YamlMap) else None
    return {} if own is None else {"slack": own}


def _link_tree(plan: Plan, row: int) -> YamlMap:
    a, z = plan.link_ids[row].split("--")
    return mapping_of({"a": a, "z": z, "tier": plan.links.tier[row]})


def group_of(plan: Plan, row: int) -> list[int]:
    """Rows of the links that share cages with one, directly or through others."""
    links = plan.links
    ends_of: dict[tuple[int, str], list[int]] = {}
    a = list(zip(links.a_device.tolist(), links.a_cage.tolist(), strict=True))
    z = list(zip(links.z_device.tolist(), links.z_cage.tolist(), strict=True))
    for number, (first, second) in enumerate(zip(a, z, strict=True)):
        ends_of.setdefault(first, []).append(number)
        ends_of.setdefault(second, []).append(number)
    found, waiting = {row}, [row]
    while waiting:
        link = waiting.pop()
        for cage in (a[link], z[link]):
            for other in ends_of[cage]:
                if other not in found:
                    found.add(other)
                    waiting.append(other)
    return sorted(found)
