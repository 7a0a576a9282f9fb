"""Rows of parts, with what is known of each: lengths, power, evidence, prices and alternates; what switches and panels consist of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from planner.alternates import alternates_of
from planner.catalog.fibre import Cord
from planner.catalog.figures import Evidence, Figure
from planner.catalog.load import Catalog
from planner.catalog.plugs import Transceiver
from planner.catalog.structured import AdapterPlate, Cassette, Panel, Trunk
from planner.layout import Layout
from planner.numbering import CablePart, family_of
from planner.panel_cables import PartNumbers
from planner.plan import ABSENT, AlternateRow, ComponentRow, PanelSlotRow, PartRow, PriceRow
from planner.rules.subject import Subject
from planner.structured.chain import front_connector
from planner.structured.shelf import FilledSlot


def longest_allowed(subject: Subject) -> dict[tuple[str, int], int]:
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


def part_row(key: tuple[str, int], subject: Subject, longest_mm: int) -> PartRow:
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


def switch_parts(layout: Layout) -> list[PartRow]:
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


def panel_parts(subject: Subject) -> list[PartRow]:
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


def plate_rows(subject: Subject, rows: Mapping[str, int]) -> Iterator[ComponentRow]:
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


def panel_slot_rows(subject: Subject, rows: Mapping[str, int]) -> Iterator[PanelSlotRow]:
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


def component_rows(layout: Layout, rows: Mapping[str, int]) -> Iterator[ComponentRow]:
    """What is ordered with each switch; a component without a part number is in no bill (CAT012 tells it)."""
    for number, device in enumerate(layout.devices):
        family = device.chassis.family
        for piece in family.components if family.kind == "switch" else ():
            if piece.part is not None:
                yield ComponentRow(number, rows[piece.part], piece.quantity)


def price_rows(parts: list[PartRow], catalog: Catalog) -> list[PriceRow]:
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


def alternate_rows(subject: Subject, parts: PartNumbers) -> Iterator[AlternateRow]:
    """Part by part in the order of the plan's parts."""
    denied = subject.project.policy.vendors.deny
    found = alternates_of(subject.selection, subject.groups, subject.lengths.required, subject.catalog, denied)
    for key, number in parts.numbers.items():
        for other in found.get(key, ()):
            yield AlternateRow(number, other.part, other.order_number, other.manufacturer)
