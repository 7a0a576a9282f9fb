"""The panels of a project: which stand where, which racks each bank of them serves, and where their ports are.

A *bank* is the panels of one rack. A device is patched at the bank that serves its rack: by `serves` of the panels, else
that of its own rack.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from planner.catalog.chassis import Chassis, chassis_of
from planner.catalog.devices import Device as DeviceFamily
from planner.catalog.devices import DeviceMember
from planner.catalog.load import Catalog
from planner.catalog.structured import AdapterPlate, Cassette, Panel
from planner.findings import NOWHERE, Fault, Spot
from planner.layout import PANEL, Device, Layout
from planner.names import counted, fold, nearest, quoted_list
from planner.project import PanelGroup
from planner.reader import YamlMap, spot_at
from planner.structured.chain import InsertPart
from planner.structured.shelf import PanelSpace


@dataclass(frozen=True, slots=True)
class PlacedPanel:
    """A panel, or a place for one that the planner fills if trunks need it (is_sized). group: its entry in the project."""

    name: str
    part: Panel
    rack: int
    u: int
    mount: str
    group: int
    insert: InsertPart | None
    is_sized: bool
    at: Spot = NOWHERE


@dataclass(frozen=True)
class Banks:
    """panels: by number. of_rack: the bank (a rack) at which each rack is patched, -1 without one."""

    panels: Sequence[PlacedPanel]
    of_rack: Sequence[int]

    @cached_property
    def _by_rack(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for number, panel in enumerate(self.panels):
            found.setdefault(panel.rack, []).append(number)
        return found

    def of(self, bank: int) -> list[int]:
        """Numbers of the panels of a bank, in their order."""
        return self._by_rack.get(bank, [])

    def spaces(self, bank: int) -> list[PanelSpace]:
        return [PanelSpace(number, self.panels[number].part.slots.value or 0) for number in self.of(bank)]


def banks_of(
    groups: Sequence[PanelGroup], tree: YamlMap, catalog: Catalog, layout: Layout, *, follow_up: bool
) -> tuple[Banks, list[Fault]]:
    """All panels of a project. follow_up: whether racks that are not known are a fault of their own."""
    faults: list[Fault] = []
    panels: list[PlacedPanel] = []
    standing: set[str] = set()
    served: dict[int, int] = {}
    names = {fold(device.name): device.at for device in layout.devices}
    for number, group in enumerate(groups):
        loc = ("panels", number)
        part = catalog.structured.get(group.part.lower())
        if not isinstance(part, Panel):
            known = [id_ for id_, other in catalog.structured.items() if isinstance(other, Panel)]
            faults.append(unknown_part("panel", group.part, known, spot_at(tree, (*loc, "part"))))
            continue
        insert = insert_part(group.plate, catalog, spot_at(tree, (*loc, "plate")), faults)
        key = "rack" if group.rack is not None else "racks"
        racks = _racks(key, [group.rack] if group.rack else group.racks or (), loc, tree, layout, faults, follow_up)
        serves = _racks("serves", group.serves or (), loc, tree, layout, faults, follow_up)
        if not racks:
            continue
        made = list(_sized(group, part, racks, number, insert, tree, layout, panels)
                    if group.names is None else _placed(group, part, racks, number, insert, tree, faults))  # fmt: skip
        for panel in made:
            first = names.setdefault(fold(panel.name), panel.at)
            if first != panel.at or panel.name in standing:
                faults.append(Fault("name-used-twice", f"panel `{panel.name}` has the name of another device or panel", panel.at,
                                    help="rename one of them", objects=(panel.name,)))  # fmt: skip
                continue
            panels.append(panel)
            standing.add(panel.name)
        for rack in serves:
            bank = served.setdefault(rack, racks[0])
            if bank != racks[0]:
                text = f"rack `{layout.racks[rack].name}` is served by panels of two racks"
                note = f"`{layout.racks[bank].name}` and `{layout.racks[racks[0]].name}`"
                faults.append(Fault("invalid-value", text, spot_at(tree, (*loc, "serves")), note=note,
                                    help="name it in one of the two `serves`"))  # fmt: skip
    equipped = {panel.rack for panel in panels}
    of_rack = [served.get(rack, rack if rack in equipped else -1) for rack in range(len(layout.racks))]
    return Banks(tuple(panels), tuple(of_rack)), faults


def _racks(
    key: str, wanted: Sequence[str], loc: tuple[str | int, ...], tree: YamlMap, layout: Layout, faults: list[Fault],
    follow_up: bool,
) -> list[int]:  # fmt: skip
    strange = [name for name in wanted if fold(name) not in layout.rack_index]
    if strange and follow_up:
        known = [rack.name for rack in layout.racks]
        faults.append(unknown_part("rack", strange[0], known, spot_at(tree, (*loc, key))))
    return [layout.rack_index[fold(name)] for name in wanted if fold(name) in layout.rack_index]


def _placed(
    group: PanelGroup, part: Panel, racks: Sequence[int], number: int, insert: InsertPart | None, tree: YamlMap,
    faults: list[Fault],
) -> Iterator[PlacedPanel]:  # fmt: skip
    slots = [(rack, u) for rack in racks for u in group.u or ()]
    at = spot_at(tree, ("panels", number, "names"))
    names = group.names or ()
    if len(slots) < len(names):
        text = f"{counted(len(names), 'panel')} for {counted(len(slots), 'slot')}"
        advice = "name more racks, or more slots in `u`"
        faults.append(Fault("too-few-slots", text, at, help=advice, objects=tuple(names)))
    for name, (rack, u) in zip(names, slots, strict=False):
        yield PlacedPanel(name, part, rack, u, group.mount, number, insert, is_sized=False, at=at)


def _sized(
    group: PanelGroup, part: Panel, racks: Sequence[int], number: int, insert: InsertPart | None, tree: YamlMap,
    layout: Layout, before: Sequence[PlacedPanel],
) -> Iterator[PlacedPanel]:  # fmt: skip
    """Places for panels in the free slots of a range, from its upper end down, where trunks come in from above."""
    at = spot_at(tree, ("panels", number, "u_range"))
    low, high = sorted(group.u_range or (0, 0))
    height = part.height_u.value or 1
    standing = [(device.rack, device.u, device.slots) for device in layout.devices]
    standing += [(panel.rack, panel.u, panel.part.height_u.value or 1) for panel in before]
    filled: dict[int, list[tuple[int, int]]] = {}
    for where, u, slots in standing:
        filled.setdefault(where, []).append((u, slots))
    for rack in racks:
        kind = layout.racks[rack].type
        up = 1 if kind.numbered_from == "bottom" else -1
        taken = {u for lowest, slots in filled.get(rack, ()) for u in _slots(lowest, slots, up)}
        count, free = 0, [u for u in range(low, high + 1) if u not in taken]
        # The lowest slot of a panel is its physically lowest, whichever way the rack counts.
        while True:
            tops = [u for u in free if all(other in free for other in _slots(u, height, up))]
            if not tops:
                break
            u = max(tops) if up > 0 else min(tops)
            free = [other for other in free if other not in _slots(u, height, up)]
            count += 1
            name = f"{group.stem}-{layout.racks[rack].name}-{count}"
            yield PlacedPanel(name, part, rack, u, group.mount, number, insert, is_sized=True, at=at)


def _slots(u: int, height: int, up: int) -> range:
    return range(u, u + up * height, up)


def insert_part(name: str | None, catalog: Catalog, at: Spot, faults: list[Fault]) -> InsertPart | None:
    """The plate or cassette of a name, whose absence from the catalog is a fault."""
    if name is None:
        return None
    part = catalog.structured.get(name.lower())
    if isinstance(part, AdapterPlate | Cassette):
        return part
    known = [id_ for id_, other in catalog.structured.items() if isinstance(other, AdapterPlate | Cassette)]
    faults.append(unknown_part("plate or cassette", name, known, at))
    return None


def unknown_part(what: str, name: str, known: Sequence[str], at: Spot) -> Fault:
    meant = nearest(name, known)
    advice = f"did you mean `{meant}`?" if meant else f"known: {quoted_list(sorted(known), 8)}"
    return Fault("unknown-name", f"{what} `{name}` is not known", at, help=advice, objects=(name,))


def with_panels(layout: Layout, panels: Sequence[PlacedPanel]) -> Layout:
    """The layout with panels as devices behind all others; nothing is plugged into cages of theirs."""
    chassis = {panel.part.id: panel_chassis(panel.part) for panel in panels}
    added = tuple(
        Device(p.name, chassis[p.part.id], chassis[p.part.id].family.members[0], p.rack, p.u, p.mount, p.at)
        for p in panels
    )
    return replace(layout, devices=(*layout.devices, *added)) if added else layout


def panel_chassis(part: Panel) -> Chassis:
    """A panel as a device family without cages: what stands in slots, is drawn, and is told too deep or too high."""
    family = DeviceFamily.model_construct(
        id=part.id, manufacturer=part.manufacturer, description=part.description, sources=part.sources,
        lifecycle=part.lifecycle, implements=[], notes=part.notes, conflicts=part.conflicts, kind=PANEL,
        members=[DeviceMember(part=m.part, order_number=m.order_number) for m in part.members],
        height_u=part.height_u, width_mm=part.width_mm, depth_mm=part.depth_mm, weight_kg=part.weight_kg,
        power_w=None, power_max_w=None, slides_out_m=None, cages=[], rails=None, port_budgets=[], components=[],
        os_names={},
    )  # fmt: skip
    return chassis_of(family)
