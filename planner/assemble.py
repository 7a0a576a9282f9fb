"""From what the stages found to the plan that is stored: one row for everything, texts in vocabularies."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

import planner
from planner import label_template
from planner.alternates import alternates_of
from planner.catalog.fibre import Cord
from planner.catalog.figures import Evidence, Figure
from planner.catalog.load import Catalog
from planner.catalog.plugs import Transceiver
from planner.catalog.structured import AdapterPlate, Cassette, Panel, Trunk
from planner.fill import Loads
from planner.findings import SHIPPED, Finding, has_errors
from planner.label_text import with_label_texts
from planner.layout import Layout
from planner.numbering import CablePart, Ends, Numbered, family_of, numbered
from planner.panel_cables import PanelCables, PartNumbers, PhaseOf
from planner.plan import (
    ABSENT,
    AlternateRow,
    ComponentRow,
    DeviceRow,
    FabricRow,
    Identity,
    LinkTable,
    LoadTable,
    PanelSlotRow,
    PartRow,
    PathwayPoint,
    PathwayRow,
    PhaseRow,
    Plan,
    PriceRow,
    RackRow,
    RoomPoint,
    RouteTable,
    StockRow,
)
from planner.project import CLASSES
from planner.rules.subject import Subject
from planner.structured.chain import front_connector
from planner.structured.shelf import FilledSlot
from planner.table import Ints, Mask, Words
from planner.units import NM_PER_MM, PPM


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
    route = _routes(subject, texts)
    panels = None
    if subject.channels is not None:
        panels = PanelCables(subject.channels, texts, subject.project.policy.labels.panel_u == "top")
        route = panels.link_routes(route)
    things = numbered(
        subject.links, Ends(subject.a, subject.z), subject.layout, subject.selection, route, phases, parts,
        fill_all_cages=subject.project.policy.fill_all_cages, panels=panels,
    )  # fmt: skip
    routes = RouteTable(Words.of(list(texts)))
    switches = [*_switch_parts(subject.layout), *_panel_parts(subject)]
    longest = _longest_allowed(subject)
    part_rows = [_part_row(key, subject, longest.get(key, ABSENT)) for key in parts.numbers]
    part_rows += [row for row in switches if row.part not in {p.part for p in part_rows}]
    rows = {row.part: number for number, row in enumerate(part_rows)}
    catalog_text, inputs_text = (
        _catalog_text(subject.catalog, subject.layout, _structured_ids(subject)),
        _inputs_text(subject),
    )
    plan = Plan(
        identity=_identity(subject, stages),
        fabrics=tuple(_fabric_row(subject, number) for number in range(len(subject.project.fabrics))),
        room=tuple(_room(subject.layout)),
        racks=tuple(_racks(subject)),
        devices=tuple(_devices(subject.layout)),
        pathways=tuple(_pathways(subject)),
        pathway_points=tuple(
            PathwayPoint(n, *point) for n, p in enumerate(subject.layout.pathways) for point in p.points_um
        ),
        parts=tuple(part_rows),
        components=(*_components(subject.layout, rows), *_plates(subject, rows)),
        panel_slots=tuple(_panel_slots(subject, rows)),
        prices=tuple(_prices(part_rows, subject.catalog)),
        alternates=tuple(_alternates(subject, parts)),
        stock=stages.stock,
        phases=tuple(PhaseRow(p.name, p.need_by or "") for p in subject.project.phases),
        links=_link_table(subject, things, route, phases),
        cables=things.cables,
        ends=things.ends,
        link_cables=things.link_cables,
        trunk_legs=things.trunk_legs,
        plugs=things.plugs,
        plug_links=things.plug_links,
        routes=routes,
        loads=_loads(subject),
        findings=stages.findings,
        inputs=inputs_text,
        catalog=catalog_text,
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


def _room(layout: Layout) -> list[RoomPoint]:
    points = [RoomPoint(room.name, "outline", *at) for room in layout.rooms for at in room.room.outline_m]
    points += [RoomPoint(o.name, "obstacle", *at) for o in layout.obstacles for at in o.polygon_m]
    return points + [RoomPoint(o.name, "opening", *at) for o in layout.openings for at in o.polygon_m]


def _racks(subject: Subject) -> list[RackRow]:
    names = [phase.name for phase in subject.project.phases]
    return [
        RackRow(
            rack.name, rack.row, rack.type.id, rack.west_um, rack.south_um, *rack.size_um, rack.type.height_mm,
            rack.type.units, rack.type.numbered_from, rack.front, names[phase] if phase >= 0 else "",
        )
        for rack, phase in zip(subject.layout.racks, subject.phase_of_rack.tolist(), strict=True)
    ]  # fmt: skip


def _devices(layout: Layout) -> list[DeviceRow]:
    rows = []
    for device in layout.devices:
        family = device.chassis.family
        power = family.power_w.value if family.power_w else None
        rows.append(
            DeviceRow(
                device.name, family.id, family.kind, device.member.part, device.member.order_number or "", device.rack,
                device.u, device.slots, device.mount, ABSENT if power is None else power,
            )
        )  # fmt: skip
    return rows


def _pathways(subject: Subject) -> list[PathwayRow]:
    """Each pathway with the fill of its fullest stretch, and how much of that is copper."""
    loads = subject.loads
    copper = _share_of_section(subject, loads.copper_um2)
    fullest: dict[int, tuple[int, int, int, int]] = {}
    for number, ppm, cables, mg, of_copper in zip(
        loads.pathway.tolist(),
        _ppm(subject).tolist(),
        loads.cables.tolist(),
        _mg(loads).tolist(),
        copper.tolist(),
        strict=True,
    ):
        before = fullest.get(number, (0, 0, 0, 0))
        weight = ABSENT if mg < 0 or before[2] < 0 else max(before[2], mg)
        if ppm < 0 or before[0] < 0:
            fullest[number] = (ABSENT, max(before[1], cables), weight, ABSENT)
        else:
            best = max((before[0], before[1], before[3]), (ppm, cables, of_copper))
            fullest[number] = (best[0], best[1], weight, best[2])
    rows = []
    for number, pathway in enumerate(subject.layout.pathways):
        kind = pathway.type
        carries = ";".join(c for c in CLASSES if c in pathway.carries)
        rows.append(
            PathwayRow(
                pathway.name,
                kind.id,
                kind.kind,
                pathway.height_um,
                kind.width_mm,
                kind.usable_depth_mm,
                carries,
                *fullest.get(number, (0, 0, 0, 0)),
            )
        )
    return rows


def _ppm(subject: Subject) -> Ints:
    """Fill of each stretch in millionths; ABSENT where a cable's size is unknown."""
    return np.where(subject.loads.unsized > 0, ABSENT, _share_of_section(subject, subject.loads.area_um2))


def _share_of_section(subject: Subject, area: Ints) -> Ints:
    """An area in each stretch in millionths of its pathway's section."""
    section = np.array([p.type.width_mm * p.type.usable_depth_mm for p in subject.layout.pathways] or [1], np.int64)
    # In floating point: a million thick cables in one tray overflow 64 bits when multiplied first.
    ppm: Ints = np.floor(area.astype(float) * PPM / section[subject.loads.pathway]).astype(np.int64)
    return ppm


def _mg(loads: Loads) -> Ints:
    return np.where(loads.unweighed > 0, ABSENT, loads.mg_per_m)


def _loads(subject: Subject) -> LoadTable:
    loads = subject.loads
    drawn = [p.drawn_by_measured for p in subject.layout.pathways]

    def drawn_mm(offset_nm: Ints) -> Ints:
        """Offsets as drawn, where a measured pathway is longer or shorter than its polyline."""
        if any(share != 1.0 for share in drawn):
            offset_nm = np.rint(offset_nm * np.array(drawn)[loads.pathway]).astype(np.int64)
        return (offset_nm + NM_PER_MM // 2) // NM_PER_MM

    return LoadTable(
        loads.pathway,
        drawn_mm(loads.from_nm),
        drawn_mm(loads.to_nm),
        loads.cables,
        _ppm(subject),
        _mg(loads),
        np.where(loads.unsized > 0, ABSENT, _share_of_section(subject, loads.copper_um2)),
    )


def _phase_of_devices(subject: Subject) -> PhaseOf:
    racks = np.array([device.rack for device in subject.layout.devices], np.int64)
    return PhaseOf(subject.phase_of_rack[racks] if len(racks) else racks)


def _routes(subject: Subject, texts: dict[str, int]) -> Ints:
    """The plan's route of each link with its chosen cable (ABSENT in one rack); texts gathers those of the routes."""
    selection, lengths, measure = subject.selection, subject.lengths, subject.measure
    route = np.full(len(selection.offer), ABSENT, np.int64)
    for cable_class in CLASSES:
        offers = [n for n, option in enumerate(selection.offers) if option.cable_class == cable_class]
        rows = np.flatnonzero(np.isin(selection.offer, offers) & (lengths.route >= 0))
        if not len(rows):
            continue
        routed = measure.routes(cable_class)
        keys = lengths.route[rows] * 2 + lengths.backwards[rows]
        values, inverse = np.unique(keys, return_inverse=True)
        numbers = np.array(
            [
                texts.setdefault(";".join(routed.pathways_of(k // 2, backwards=bool(k % 2))), len(texts))
                for k in values.tolist()
            ],
            np.int64,
        )
        route[rows] = numbers[inverse]
    return route


def _link_table(subject: Subject, things: Numbered, route: Ints, phases: PhaseOf) -> LinkTable:
    links, selection, lengths, measure = subject.links, subject.selection, subject.lengths, subject.measure
    resolved = selection.offer >= 0
    media = Words(
        _codes([o.medium for o in selection.offers], selection.offer), _vocabulary([o.medium for o in selection.offers])
    )
    plugs = {end: _plug_words(subject, end) for end in ("a", "z")}

    def known(column: Ints) -> Ints:
        return np.where(resolved, column, ABSENT)

    return LinkTable(
        fabric=links.fabric.astype(np.int64),
        tier=links.tier,
        a_device=links.a_device,
        a_port=_ports(subject.layout, links.a_device, links.a_port),
        a_cage=_cages(subject.layout, links.a_device, links.a_port),
        a_half=subject.a.half,
        a_hand=measure.a.hand,
        z_device=links.z_device,
        z_port=_ports(subject.layout, links.z_device, links.z_port),
        z_cage=_cages(subject.layout, links.z_device, links.z_port),
        z_half=subject.z.half,
        z_hand=measure.z.hand,
        medium=media,
        cable=things.cable_of_link,
        a_plug_part=plugs["a"],
        z_plug_part=plugs["z"],
        a_in_rack_mm=known(lengths.a_in_rack),
        a_rise_mm=known(lengths.a_rise),
        pathway_mm=known(lengths.pathway),
        z_rise_mm=known(lengths.z_rise),
        z_in_rack_mm=known(lengths.z_in_rack),
        measured_mm=np.where(resolved, lengths.measured, measure.measured_mm),
        routed_mm=known(lengths.routed),
        slack_mm=known(lengths.slack),
        required_mm=known(lengths.required),
        # A channel of several cables has no stock length of its own: each of them has one.
        stock_mm=np.where(_over_panels(subject), ABSENT, known(selection.stock_mm)),
        route=route,
        phase=phases.of_links(links) if len(links) else np.zeros(0, np.int64),
        status=Words(resolved.astype(np.int32), ("unresolved", "resolved")),
    )


def _over_panels(subject: Subject) -> Mask:
    """Which links are resolved and led over panels."""
    offers = np.array([option.chain is not None for option in subject.selection.offers] + [False])
    over: Mask = offers[subject.selection.offer]
    return over


def _codes(texts: list[str], picks: Ints) -> Any:
    """Codes of `texts[pick]` in their vocabulary; -1 for an absent pick."""
    vocabulary = {text: code for code, text in enumerate(_vocabulary(texts))}
    codes = np.array([vocabulary[text] for text in texts] + [-1], np.int32)
    return codes[picks]


def _vocabulary(texts: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _ports(layout: Layout, device: Ints, port: Ints) -> Words:
    """Printed port names, once a family and port."""
    names, starts = _family_names(layout, "port_names")
    rows = starts[layout.device_chassis[device]] + port if len(device) else device
    return Words(rows.astype(np.int32), names)


def _cages(layout: Layout, device: Ints, port: Ints) -> Words:
    names, starts = _family_names(layout, "cage_names")
    _, port_starts = _family_names(layout, "port_names")
    cage = np.concatenate([np.zeros(0, np.int64), *(f.port_cage for f in layout.chassis)])
    family = layout.device_chassis[device] if len(device) else device
    rows = starts[family] + cage[port_starts[family] + port]
    return Words(rows.astype(np.int32), names)


def _family_names(layout: Layout, which: str) -> tuple[tuple[str, ...], Ints]:
    names = [getattr(family, which) for family in layout.chassis]
    starts = np.concatenate(([0], np.cumsum([len(n) for n in names]))).astype(np.int64)
    return tuple(name for of_family in names for name in of_family), starts


def _plug_words(subject: Subject, end: str) -> Words:
    """Part of the plug at one end of each link: the transceiver's, or that of the cable whose own plug it is."""
    selection = subject.selection
    codes = np.full(len(selection.offer), -1, np.int32)
    words: dict[str, int] = {}
    for offer in np.unique(selection.offer[selection.offer >= 0]).tolist():
        option = selection.offers[offer]
        plug = option.a_plug if end == "a" else option.z_plug
        mine = selection.offer == offer
        if plug is not None:
            codes[mine] = words.setdefault(plug.members[0].part, len(words))
            continue
        for member in np.unique(selection.member[mine]).tolist():
            part = option.cable.members[member].part
            codes[mine & (selection.member == member)] = words.setdefault(part, len(words))
    return Words(codes, tuple(words))


def _longest_allowed(subject: Subject) -> dict[tuple[str, int], int]:
    """By cable part, the longest nominal length (mm) that all its links allow; absent where a reach is not known."""
    selection = subject.selection
    limits: dict[tuple[str, int], int | None] = {}
    for option, rows in subject.groups:
        if option.chain is not None:
            continue  # how long one cord may be hangs on the rest of its channel
        limit = None if option.reach_um is None else option.reach_um // 1000
        for member in np.unique(selection.member[rows]).tolist():
            key = (option.cable.id, member)
            before = limits.get(key, limit)
            limits[key] = None if limit is None or before is None else min(limit, before)
    return {key: limit for key, limit in limits.items() if limit is not None}


def _part_row(key: tuple[str, int], subject: Subject, longest_mm: int) -> PartRow:
    family = family_of(key, subject.catalog)
    member = family.members[key[1]]
    length = getattr(member, "length_m", None)
    colour = family.jacket_colour.value or "" if isinstance(family, Cord | Trunk) else ""
    return PartRow(
        part=member.part,
        order_number=member.order_number or "",
        family=family.id,
        category=family.kind,
        manufacturer=family.manufacturer,
        description=family.description,
        length_mm=ABSENT if length is None else length // 1000,
        evidence=_evidence(family),
        lifecycle=family.lifecycle.value.value if family.lifecycle.value else "unknown",
        colour=colour,
        connector=_connector(family),
        power_mw=_power_mw(family),
        longest_mm=longest_mm,
        stands_for=_generic_of(family.id, length, subject),
    )


def _generic_of(family: str, length_um: int | None, subject: Subject) -> str:
    """Names of the generic parts that a bought part stands for, in its length; empty where it was chosen itself."""
    return ";".join(
        member.part
        for generic in subject.purchase.stands_for.get(family, ())
        for member in family_of((generic, 0), subject.catalog).members
        if getattr(member, "length_m", None) == length_um
    )


def _power_mw(family: CablePart) -> int:
    drawn = None if isinstance(family, Cord | Trunk) else family.power_w.value
    return ABSENT if drawn is None else drawn


def _connector(family: CablePart) -> str:
    if isinstance(family, Transceiver):
        face = family.receptacle
        return f"{face.count} x {face.connector}/{face.polish}".upper()
    if isinstance(family, Cord | Trunk):
        return f"{family.a.connector}/{family.a.polish} type {family.polarity}".upper().replace("TYPE", "type")
    return family.a.form_factor.upper()


_RANKS = {Evidence.PRIMARY: 0, Evidence.DERIVED: 1, Evidence.SECONDARY: 2, Evidence.UNVERIFIED: 3}


def _evidence(family: CablePart | AdapterPlate | Cassette | Panel) -> str:
    """The weakest evidence of the figures that a part is chosen by; unknown figures have findings of their own."""
    figures: list[Figure[Any]]
    match family:
        case Transceiver():
            figures = [*family.reach_m.values(), family.power_w]
        case Trunk():
            figures = [family.length_of, family.tolerance_mm, family.outer_diameter_mm]
        case AdapterPlate():
            figures = [family.keying_source]
        case Cassette():
            figures = [family.map_source]
        case Panel():
            figures = [family.slots, family.height_u]
        case _:
            figures = [family.reach_m]
    known = [figure.evidence for figure in figures if figure.value is not None]
    return max(known, key=_RANKS.__getitem__).value if known else Evidence.UNVERIFIED.value


def _switch_parts(layout: Layout) -> list[PartRow]:
    found: dict[str, PartRow] = {}
    for device in layout.devices:
        family = device.chassis.family
        if family.kind != "switch" or device.member.part in found:
            continue
        power = family.power_w.value if family.power_w else None
        found[device.member.part] = PartRow(
            device.member.part, device.member.order_number or "", family.id, "switch", family.manufacturer,
            family.description, ABSENT, family.height_u.evidence.value,
            family.lifecycle.value.value if family.lifecycle.value else "unknown", "", "",
            ABSENT if power is None else power,
        )  # fmt: skip
        for piece in family.components:
            if piece.part is not None and piece.part not in found:
                found[piece.part] = PartRow(
                    piece.part, piece.order_number or "", family.id, "switch", family.manufacturer,
                    f"{piece.what}, for {device.member.part}", ABSENT, piece.evidence.value,
                    family.lifecycle.value.value if family.lifecycle.value else "unknown", "", "", ABSENT,
                )  # fmt: skip
    return [found[part] for part in sorted(found)]


def _panel_parts(subject: Subject) -> list[PartRow]:
    """Panels as they stand, and the plates and cassettes in their slots."""
    laid = subject.laid
    if laid is None:
        return []
    found: dict[str, PartRow] = {}
    for part in (*(panel.part for panel in laid.panels), *(laid.inserts[slot.insert.id] for slot in laid.slots)):
        number = part.members[0].part
        if number in found:
            continue
        found[number] = PartRow(
            number, part.members[0].order_number or "", part.id, part.kind, part.manufacturer, part.description, ABSENT,
            _evidence(part), part.lifecycle.value.value if part.lifecycle.value else "unknown", "",
            "" if isinstance(part, Panel) else front_connector(part).upper(), ABSENT,
        )  # fmt: skip
    return [found[part] for part in sorted(found)]


def _plates(subject: Subject, rows: Mapping[str, int]) -> Iterator[ComponentRow]:
    """What each panel is ordered with: its plates and cassettes, part by part."""
    laid = subject.laid
    if laid is None:
        return
    first = len(subject.layout.devices) - len(laid.panels)
    counts: dict[tuple[int, int], int] = {}
    for slot in laid.slots:
        key = (first + slot.panel, rows[laid.inserts[slot.insert.id].members[0].part])
        counts[key] = counts.get(key, 0) + 1
    for (device, part), pieces in sorted(counts.items()):
        yield ComponentRow(device, part, pieces)


def _panel_slots(subject: Subject, rows: Mapping[str, int]) -> Iterator[PanelSlotRow]:
    """Every slot of every panel; an empty one has no part and no ports."""
    laid = subject.laid
    if laid is None:
        return
    first = len(subject.layout.devices) - len(laid.panels)
    in_panel: list[dict[int, FilledSlot]] = [{} for _ in laid.panels]
    for slot in laid.slots:
        in_panel[slot.panel][slot.slot] = slot
    for number, (panel, filled) in enumerate(zip(laid.panels, in_panel, strict=True)):
        covered = {n for slot in filled.values() for n in range(slot.slot + 1, slot.slot + slot.insert.slots)}
        for place in range(1, (panel.part.slots.value or 0) + 1):
            here = filled.get(place)
            if here is None and place not in covered:
                yield PanelSlotRow(first + number, place, ABSENT, 0, 0, 0, 0)
            elif here is not None:
                part = rows[laid.inserts[here.insert.id].members[0].part]
                insert = here.insert
                yield PanelSlotRow(first + number, place, part, here.first_front, insert.front, here.first_rear, insert.rear)  # fmt: skip


def _components(layout: Layout, rows: Mapping[str, int]) -> Iterator[ComponentRow]:
    """What is ordered with each switch; a component without a part number is in no bill (CAT012 tells it)."""
    for number, device in enumerate(layout.devices):
        family = device.chassis.family
        for piece in family.components if family.kind == "switch" else ():
            if piece.part is not None:
                yield ComponentRow(number, rows[piece.part], piece.quantity)


def _prices(parts: list[PartRow], catalog: Catalog) -> list[PriceRow]:
    rows = []
    for part in parts:
        price = catalog.prices.get(part.part.lower())
        if price is None:
            continue
        note = f"{'indicative, ' if price.indicative else ''}{price.date}, {price.source}"
        numbers = (price.price, price.pack_size, price.minimum_order, price.lead_time_weeks)
        money, pack, least, weeks = (ABSENT if number is None else number for number in numbers)
        rows.append(PriceRow(part.part, money, price.currency, note, pack, least, weeks, price.indicative))
    return rows


def _alternates(subject: Subject, parts: PartNumbers) -> Iterator[AlternateRow]:
    """Part by part in the order of the plan's parts."""
    denied = subject.project.policy.vendors.deny
    found = alternates_of(subject.selection, subject.groups, subject.lengths.required, subject.catalog, denied)
    for key, number in parts.numbers.items():
        for other in found.get(key, ()):
            yield AlternateRow(number, other.part, other.order_number, other.manufacturer)


def _inputs_text(subject: Subject) -> str:
    """The normalised input: the merged project without its links, which have a table, as JSON of source texts."""
    tree = {key: value for key, value in subject.tree.items() if key != "include"}
    return json.dumps(tree, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _structured_ids(subject: Subject) -> set[str]:
    laid = subject.laid
    if laid is None:
        return set()
    return {panel.part.id for panel in laid.panels} | set(laid.inserts) | {run.trunk.id for run in laid.runs}


def _catalog_text(catalog: Catalog, layout: Layout, used: set[str]) -> str:
    """The entries that the plan was made with: every cable, plug and rule, and the devices and furniture that stand.

    used: parts of structured cabling in use.
    """
    devices = {f"devices/{chassis.id}.yaml" for chassis in layout.chassis}
    racks = {f"racks/{rack.type.id}.yaml" for rack in layout.racks}
    pathways = {f"pathways/{pathway.type.id}.yaml" for pathway in layout.pathways}
    unplaced = {f"fibre/{part}.yaml" for part in catalog.structured if part not in used}
    keep = {
        name: tree
        for name, tree in catalog.trees.items()
        if name in devices | racks | pathways
        or (name.split("/")[0] not in ("devices", "racks", "pathways") and name not in unplaced)
    }
    return json.dumps(keep, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
