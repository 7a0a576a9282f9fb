"""The sheets of a plan, rack by rack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from planner.cutsheet.content import CableRow, DevicePlugs, Item, RackSheet, totals
from planner.cutsheet.face_maps import face_maps_of
from planner.cutsheet.groups import groups_of
from planner.cutsheet.index import Index
from planner.cutsheet.open_links import unresolved_of
from planner.cutsheet.panels import PanelIndex
from planner.cutsheet.plugs import devices_of
from planner.names import fold, natural_key
from planner.plan import Plan
from planner.units import mm_half_up


class Sheets:
    """The sheets of a plan's racks; what all of them need is found once."""

    def __init__(self, plan: Plan, *, maps: bool = True) -> None:
        """maps: with the drawings of each rack and its devices."""
        self.plan = plan
        self._maps = maps
        self._index = Index(plan)
        self._panels = PanelIndex(plan)
        names = [natural_key(rack.name) for rack in plan.racks]
        self.order = sorted(range(len(plan.racks)), key=names.__getitem__)

    def of(self, racks: Iterable[int]) -> Iterator[RackSheet]:
        """The sheets of some racks, named by their rows; a rack without anything to do has none."""
        for number in racks:
            sheet = _sheet(self._index, self._panels, number, maps=self._maps)
            if sheet.devices or sheet.groups or sheet.unresolved:
                yield sheet

    def by_row(self) -> dict[str, list[int]]:
        """The racks of each row of racks; rows by their last rack, racks in natural order."""
        rows: dict[str, list[int]] = {}
        for number in self.order:
            rows.setdefault(self.plan.racks[number].row, []).append(number)
        place = {number: at for at, number in enumerate(self.order)}
        return dict(sorted(rows.items(), key=lambda row: place[row[1][-1]]))


def sheets(plan: Plan, rack: str | None = None, *, maps: bool = True) -> Iterator[RackSheet]:
    """The sheet of each rack with cable ends, plugs or unresolved links, racks in natural order.

    rack: only this one, whatever its case. maps: with the drawings of the rack and its devices.
    Raises KeyError for a rack that the plan does not have.
    """
    made = Sheets(plan, maps=maps)
    order = made.order
    if rack is not None:
        order = [number for number in order if fold(plan.racks[number].name) == fold(rack)]
        if not order:
            raise KeyError(rack)
    yield from made.of(order)


def _sheet(index: Index, panels: PanelIndex, number: int, *, maps: bool) -> RackSheet:
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
        elevations=tuple(index.elevations.of(number)) if maps else (),
        faces=tuple(face_maps_of(index, number, devices, rows)) if maps else (),
        front=rack.front,
        at_mm=(mm_half_up(rack.west_um), mm_half_up(rack.south_um)),
        panels=tuple(panels.sheets_of(number)),
        trunks=tuple(panels.trunks_of(number)),
    )


def _kit(devices: Sequence[DevicePlugs], rows: Sequence[CableRow]) -> tuple[Item, ...]:
    """Transceivers, and the cables that start in the rack."""
    plugs = [plug.part for device in devices for plug in device.plugs if not plug.is_own]
    cables = [row.part for row in rows if not row.lands_from]
    return totals(Item(part, 1) for part in (*plugs, *cables))
