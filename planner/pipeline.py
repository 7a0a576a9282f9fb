"""From a project to a checked plan: the order of the stages, on one screen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from planner.assemble import Stages, plan_of
from planner.catalog.load import Catalog, load_catalog
from planner.choices import wishes_of
from planner.data import catalogs_folder
from planner.findings import Fault, Files, Finding, sort_key
from planner.label_check import labels_too_small
from planner.layout import alike, cages_of, layout_of
from planner.lengths.measure import Measure
from planner.lengths.measured import measured_of
from planner.lengths.slack import slack_of
from planner.locate import places_of
from planner.pathways.crowding import uncrowded
from planner.phases import phases_of
from planner.pins import LinkNames, pins_of, unread_remarks
from planner.plan import Plan, StockRow
from planner.printable import unprintable_names
from planner.project import Project
from planner.reader import UNREADABLE_RULES, ProjectSource, YamlMap, read_project, spot_at
from planner.reader.collector import no_collector
from planner.rounds import settled
from planner.routing.policy import route_rules
from planner.rules import Subject, findings_of, in_order, judged
from planner.selection.buying import Purchase, buy
from planner.selection.choose import Selection, choose, options_of_kinds
from planner.selection.kinds import kinds_of
from planner.stock import shelf_of, stock_of
from planner.structured.stage import over_panels
from planner.structured.ways import ways_of
from planner.topology import links_of, rails_of
from planner.validation import validated
from planner.waivers import waived


@dataclass(frozen=True)
class Inputs:
    """A project as read: its model, its tree with places, the catalog, and the faults met so far.

    gaps: sections from which faulty entries were cut, so that references into them are not followed up.
    stock: what is on hand.
    """

    source: ProjectSource
    project: Project
    tree: YamlMap
    catalog: Catalog
    gaps: frozenset[str]
    faults: tuple[Fault, ...]
    stock: tuple[StockRow, ...] = ()


@dataclass(frozen=True)
class Compiled:
    """What a run yields: the plan unless the input could not be understood at all, and every finding.

    unreadable: a file could not be read or parsed, which is more than a fault of the design.
    """

    plan: Plan | None
    findings: tuple[Finding, ...]
    unreadable: bool
    stages: Stages | None = None


def compile_project(folder: Path) -> Compiled:
    """Read a project and compile it; nothing is written."""
    inputs, faults, files = read_inputs(folder)
    if inputs is None:
        findings = sorted(findings_of(faults, files), key=sort_key)
        return Compiled(None, tuple(findings), any(fault.rule in UNREADABLE_RULES for fault in faults))
    return compile_inputs(inputs)


def read_inputs(folder: Path) -> tuple[Inputs | None, list[Fault], Files]:
    """The typed inputs of a project, or None and why not even its required parts could be read."""
    with no_collector():
        return _read_inputs(folder)


def _read_inputs(folder: Path) -> tuple[Inputs | None, list[Fault], Files]:
    source = read_project(folder)
    if source.root is None:
        return None, source.faults, source.files
    form = validated(Project, source.root)
    if form.model is None:
        return None, [*source.faults, *form.faults], source.files
    folders = [(name, spot_at(form.root, ("catalogs", i))) for i, name in enumerate(form.model.catalogs)]
    catalog = load_catalog(source.sources, catalogs_folder(), folders)
    gaps = form.gaps if source.is_readable else form.gaps | {"racks", "devices", "pathways", "fabrics"}
    at = spot_at(form.root, ("policy", "stock", "on_hand"))
    stock, stocking = stock_of(form.model.policy.stock.on_hand, at, catalog, source.sources)
    return Inputs(source, form.model, form.root, catalog, gaps, (*form.faults, *stocking), stock), [], source.files


def compile_inputs(inputs: Inputs) -> Compiled:
    """The run up to the plan: expand, locate, route, measure, select, buy, number, check."""
    project, tree, catalog, gaps = inputs.project, inputs.tree, inputs.catalog, inputs.gaps
    sources = inputs.source.sources
    whole = "fabrics" not in gaps and "devices" not in gaps

    layout, placing = layout_of(project, tree, catalog, gaps, sources.files)
    layout, crowding = uncrowded(layout)
    links, linking = links_of(project.fabrics, tree, layout, catalog, sources, gaps)
    a_cage, z_cage = cages_of(layout, links.a_device, links.a_port), cages_of(layout, links.z_device, links.z_port)
    names = LinkNames(links, layout, project.fabrics)
    pins, pinning = pins_of(project.pins, tree, catalog, names, (a_cage.cage, z_cage.cage), follow_up=whole)
    remarking = unread_remarks(project.remarks, tree, names, follow_up=whole)
    measured, measuring = measured_of(project.measured, tree, names, links, layout, follow_up=whole)
    wishes, wishing = wishes_of(project.policy, tree, catalog, names, follow_up=whole)
    rules, steering = route_rules(
        project.policy, tree, layout, names, follow_up=lambda section: whole and section not in gaps
    )
    phase_of_rack, phasing = phases_of(project.phases, tree, layout, follow_up="racks" not in gaps)

    a = places_of(links.a_device, links.a_port, layout)
    z = places_of(links.z_device, links.z_port, layout)
    shelf = shelf_of(inputs.stock, project.policy.stock)
    on_hand = frozenset(shelf.pieces)
    kinds = kinds_of(links, a_cage, z_cage, layout, project.fabrics, pins, wishes, catalog, on_hand)
    over, paneling = over_panels(
        project, tree, catalog, names, links, layout, kinds, pins, measured, whole=whole, gaps=gaps
    )
    if over is not None:
        layout = over.layout
        kinds = kinds_of(links, a_cage, z_cage, layout, project.fabrics, pins, wishes, catalog, on_hand, over.kinds)
    slack = slack_of(links, layout, project.fabrics, project.policy)
    measure = Measure(layout, a, z, slack, measured.link_mm, measured.between_mm, rules)
    if over is not None:
        measure.over_panels = ways_of(over.laid, layout, links, a, z, project, rules)
    options = options_of_kinds(kinds, catalog)
    rail = rails_of(layout, links)

    def select(measured: Measure) -> tuple[Selection, Purchase]:
        chosen = choose(
            kinds, options, a_cage, z_cage, measured, catalog, wishes, rail, project.policy.stock.pool, shelf
        )
        return chosen, buy(chosen, a_cage, z_cage, measured, catalog)

    found = settled(layout, measure, select, project.policy.fill)

    reported = [
        *sources.faults,
        *inputs.faults,
        *placing,
        *crowding,
        *linking,
        *pinning,
        *remarking,
        *wishing,
        *paneling,
        *measuring,
        *steering,
        *phasing,
    ]
    reported += [*alike("rack", layout.racks), *alike("device", layout.devices), *unprintable_names(layout, project)]
    subject = Subject(
        project, tree, catalog, layout, links, a_cage, z_cage, found.measure, measured, pins, found.purchase,
        found.lengths, found.loads, found.shortest, found.proven, phase_of_rack, reported, sources.files,
        over.laid if over is not None else None,
    )  # fmt: skip
    judgement = list(judged(subject, in_order()))

    def told(more: Iterable[Fault] = ()) -> tuple[Finding, ...]:
        every = [*judgement, *findings_of(more, sources.files)]
        return tuple(sorted(waived(every, project.waive, tree, sources.files), key=sort_key))

    stages = Stages(subject, told(), inputs.source.digests, inputs.stock)
    plan = plan_of(stages)
    # The texts of labels are those of a numbered plan.
    if faults := list(labels_too_small(plan, project.policy.labels, spot_at(tree, ("policy", "labels")))):
        stages = replace(stages, findings=told(faults))
        plan = replace(plan, findings=stages.findings)
    unreadable = any(fault.rule in UNREADABLE_RULES for fault in reported)
    return Compiled(plan, stages.findings, unreadable, stages)


__all__ = ["Compiled", "Inputs", "compile_inputs", "compile_project", "read_inputs"]
