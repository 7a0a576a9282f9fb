"""From what the stages found to the plan that is stored: one row for everything, texts in vocabularies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

import planner
from planner import label_template
from planner.assemble.links import link_table, routes_of
from planner.assemble.parts import (
    alternate_rows,
    component_rows,
    longest_allowed,
    panel_parts,
    panel_slot_rows,
    part_row,
    plate_rows,
    price_rows,
    switch_parts,
)
from planner.assemble.room import device_rows, load_table, pathway_rows, rack_rows, room_points
from planner.assemble.texts import kept_catalog, kept_inputs
from planner.findings import SHIPPED, Finding, has_errors
from planner.label_text import with_label_texts
from planner.numbering import Ends, numbered
from planner.panel_cables import PanelCables, PartNumbers, PhaseOf
from planner.plan import ABSENT, FabricRow, Identity, PathwayPoint, PhaseRow, Plan, RouteTable, StockRow
from planner.rules.subject import Subject
from planner.table import Words


@dataclass(frozen=True)
class Stages:
    """Everything that a run found: what rules looked at, their findings, the digests of the input files, the stock."""

    subject: Subject
    findings: tuple[Finding, ...]
    digests: Mapping[str, str]
    stock: tuple[StockRow, ...] = ()


def plan_of(stages: Stages) -> Plan:
    """The plan of a run, errors or not; `draft` says which."""
    subject = stages.subject
    phases = _phase_of_devices(subject)
    parts = PartNumbers()
    texts: dict[str, int] = {}
    route = routes_of(subject, texts)
    panels = None
    if subject.channels is not None:
        panels = PanelCables(subject.channels, texts, subject.project.policy.labels.panel_u == "top")
        route = panels.link_routes(route)
    things = numbered(
        subject.links, Ends(subject.a, subject.z), subject.layout, subject.selection, route, phases, parts,
        fill_all_cages=subject.project.policy.fill_all_cages, panels=panels,
    )  # fmt: skip
    routes = RouteTable(Words.of(list(texts)))
    switches = [*switch_parts(subject.layout), *panel_parts(subject)]
    longest = longest_allowed(subject)
    part_rows = [part_row(key, subject, longest.get(key, ABSENT)) for key in parts.numbers]
    part_rows += [row for row in switches if row.part not in {p.part for p in part_rows}]
    rows = {row.part: number for number, row in enumerate(part_rows)}
    plan = Plan(
        identity=_identity(subject, stages),
        fabrics=tuple(_fabric_row(subject, number) for number in range(len(subject.project.fabrics))),
        room=tuple(room_points(subject.layout)),
        racks=tuple(rack_rows(subject)),
        devices=tuple(device_rows(subject.layout)),
        pathways=tuple(pathway_rows(subject)),
        pathway_points=tuple(
            PathwayPoint(n, *point) for n, p in enumerate(subject.layout.pathways) for point in p.points_um
        ),
        parts=tuple(part_rows),
        components=(*component_rows(subject.layout, rows), *plate_rows(subject, rows)),
        panel_slots=tuple(panel_slot_rows(subject, rows)),
        prices=tuple(price_rows(part_rows, subject.catalog)),
        alternates=tuple(alternate_rows(subject, parts)),
        stock=stages.stock,
        phases=tuple(PhaseRow(p.name, p.need_by or "") for p in subject.project.phases),
        links=link_table(subject, things, route, phases),
        cables=things.cables,
        ends=things.ends,
        link_cables=things.link_cables,
        trunk_legs=things.trunk_legs,
        plugs=things.plugs,
        plug_links=things.plug_links,
        routes=routes,
        loads=load_table(subject),
        findings=stages.findings,
        inputs=kept_inputs(subject),
        catalog=kept_catalog(subject),
    )
    template = label_template.template_of(subject.project.policy.labels.text)
    return plan if template == label_template.OWN else with_label_texts(plan, template)


def _identity(subject: Subject, stages: Stages) -> Identity:
    # Names and digests in order of name: the same files give the same hash, in whatever order they were read.
    own = sorted((name, digest) for name, digest in stages.digests.items() if not name.startswith(SHIPPED))
    hashed = sha256("".join(f"{digest}  {name}\n" for name, digest in own).encode()).hexdigest()
    project = subject.project
    draft = has_errors(stages.findings)
    return Identity(project.name, project.revision, project.date or "", hashed, planner.__version__, draft)


def _fabric_row(subject: Subject, number: int) -> FabricRow:
    fabric = subject.project.fabrics[number]
    rate = subject.catalog.rates.get(fabric.rate.lower())
    return FabricRow(fabric.name, fabric.protocol, fabric.rate, rate.gbps if rate else ABSENT)


def _phase_of_devices(subject: Subject) -> PhaseOf:
    racks = np.array([device.rack for device in subject.layout.devices], np.int64)
    return PhaseOf(subject.phase_of_rack[racks] if len(racks) else racks)
