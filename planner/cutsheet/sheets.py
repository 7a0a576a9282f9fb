"""The sheets of a plan, rack by rack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from planner.cutsheet.content import CableRow, DevicePlugs, Item, RackSheet, totals
from planner.cutsheet.groups import groups_of
from planner.cutsheet.index import Index
from planner.cutsheet.open_links import unresolved_of
from planner.cutsheet.plugs import devices_of
from planner.names import fold, natural_key
from planner.plan import Plan


def sheets(plan: Plan, rack: str | None = None) -> Iterator[RackSheet]:
    """The sheet of each rack with cable ends, plugs or unresolved links, racks in natural order.

    rack: only this one, whatever its case; a rack without anything to do yields nothing.
    Raises KeyError for a rack that the plan does not have.
    """
    order = sorted(range(len(plan.racks)), key=lambda number: natural_key(plan.racks[number].name))
    if rack is not None:
        order = [number for number in order if fold(plan.racks[number].name) == fold(rack)]
        if not order:
            raise KeyError(rack)
    index = Index(plan)
    for number in order:
        sheet = _sheet(index, number)
        if sheet.devices or sheet.groups or sheet.unresolved:
            yield sheet


def _sheet(index: Index, number: int) -> RackSheet:
    plan, rack = index.plan, index.plan.racks[number]
    devices = tuple(devices_of(index, number))
    groups = tuple(groups_of(index, number))
    rows = [row for group in groups for row in group.rows]
    return RackSheet(
        rack=rack.name,
        row=rack.row,
        type=rack.type,
        units=rack.units,
        numbered_from=rack.numbered_from,
        phase=rack.phase,
        need_by=next((phase.need_by for phase in plan.phases if phase.name == rack.phase), ""),
        devices=devices,
        groups=groups,
        unresolved=tuple(unresolved_of(index, number)),
        kit=_kit(devices, rows),
        landing=totals(Item(row.part, 1) for row in rows if row.lands_from),
    )


def _kit(devices: Sequence[DevicePlugs], rows: Sequence[CableRow]) -> tuple[Item, ...]:
    """Transceivers, and the cables that start in the rack."""
    plugs = [plug.part for device in devices for plug in device.plugs if not plug.is_own]
    cables = [row.part for row in rows if not row.lands_from]
    return totals(Item(part, 1) for part in (*plugs, *cables))
