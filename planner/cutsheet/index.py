"""Which rows of a plan's tables belong to which rack, cable or plug: found once, for all sheets of the plan."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from planner.cutsheet.named import inputs_of, pinned_links, remarks_by_link
from planner.cutsheet.places import Places
from planner.cutsheet.remarks import Errors
from planner.elevation import Elevations
from planner.plan import ABSENT, PanelSlotRow, Plan
from planner.table import Ints, Words
from planner.units import mm_half_up


class RowsByKey:
    """Row numbers of a table by a key of theirs; a key below 0 is nobody's."""

    def __init__(self, keys: Ints) -> None:
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]

    def rows(self, keys: Sequence[int]) -> Ints:
        """Rows of several keys, key by key."""
        return np.concatenate([np.zeros(0, np.int64), *self._runs(keys)])

    def by_key(self, keys: Sequence[int]) -> dict[int, list[int]]:
        """Rows of each of several keys, one search for all of them."""
        return {key: run.tolist() for key, run in zip(keys, self._runs(keys), strict=True)}

    def _runs(self, keys: Sequence[int]) -> list[Ints]:
        wanted = np.asarray(keys, np.int64)
        lows, highs = np.searchsorted(self._keys, wanted).tolist(), np.searchsorted(self._keys, wanted + 1).tolist()
        return [self._order[low:high] for low, high in zip(lows, highs, strict=True)]


class Index:
    """A plan with its rows by rack, cable and plug; racks, devices, cables and links are named by their rows.

    pinned: links whose parts the project forces. remarked: what it remarks on links.
    """

    def __init__(self, plan: Plan) -> None:
        rack = np.array([*(device.rack for device in plan.devices), ABSENT], np.int64)  # device ABSENT reads the last
        links = plan.links
        self.plan = plan
        self.places = Places(plan)
        inputs = inputs_of(plan)
        self.pinned = pinned_links(plan, inputs)
        self.remarked = remarks_by_link(plan, inputs)
        self.errors = Errors(plan)
        self.devices_of_rack = RowsByKey(rack[:-1])
        self.ends_of_rack = RowsByKey(rack[plan.ends.device])
        self.ends_of_cable = RowsByKey(plan.ends.cable)
        self.links_of_cable = RowsByKey(links.cable)
        self._over_panels = RowsByKey(plan.link_cables.cable)
        # A link names the first cable of its assembly; the cords beside it serve the same links.
        self._first_cable = np.searchsorted(plan.cables.cable_id, plan.cables.assembly_id)
        self.plugs_of_rack = RowsByKey(rack[plan.plugs.device])
        self.links_of_plug = RowsByKey(plan.plug_links.plug)
        self._open = np.flatnonzero(links.cable < 0)
        self._open_a, self._open_z = rack[links.a_device[self._open]], rack[links.z_device[self._open]]

    @cached_property
    def pathway_mm(self) -> dict[str, int]:
        """Height of each pathway's floor above that of the room, by name."""
        return {pathway.name: mm_half_up(pathway.height_um) for pathway in self.plan.pathways}

    @cached_property
    def elevations(self) -> Elevations:
        return Elevations(self.plan)

    def first_cables(self, cables: Sequence[int]) -> list[int]:
        """The first cable of each cable's assembly."""
        first: list[int] = self._first_cable[np.asarray(cables, np.int64)].tolist()
        return first

    @cached_property
    def _slots_of_panel(self) -> dict[int, list[PanelSlotRow]]:
        found: dict[int, list[PanelSlotRow]] = {}
        for slot in self.plan.panel_slots:
            found.setdefault(slot.device, []).append(slot)
        return found

    def insert_at(self, panel: int, ports: Sequence[str], *, is_trunk: bool) -> str:
        """The plate or cassette that has the first of some ports of a panel."""
        port = int(ports[0])
        for slot in self._slots_of_panel.get(panel, ()):
            first, count = (slot.first_rear, slot.rear_ports) if is_trunk else (slot.first_port, slot.ports)
            if first <= port < first + count:
                return self.plan.parts[slot.part].part
        return ""

    @cached_property
    def trunks(self) -> frozenset[int]:
        """Rows of the trunks."""
        return frozenset(self.plan.trunk_legs.cable.tolist())

    @cached_property
    def over_panels(self) -> frozenset[int]:
        """Rows of the trunks, and of the cords of channels over panels."""
        return self.trunks | frozenset(self.plan.link_cables.cable.tolist())

    def links_by_cable(self, cables: Sequence[int]) -> dict[int, list[int]]:
        """Links that each cable serves: those of its assembly, and of a trunk those that run through one of its legs."""
        first = self.first_cables(cables)
        served = self.links_of_cable.by_key(sorted(set(first)))
        found = {cable: served[of_assembly] for cable, of_assembly in zip(cables, first, strict=True)}
        trunks = [cable for cable in cables if cable in self.trunks]
        through = self._over_panels.by_key(trunks)
        links = self.plan.link_cables.link
        return {**found, **{trunk: sorted({int(links[row]) for row in through[trunk]}) for trunk in trunks}}

    def open_links_of(self, rack: int) -> list[int]:
        """Links without a cable that have an end in a rack."""
        found: list[int] = self._open[(self._open_a == rack) | (self._open_z == rack)].tolist()
        return found


def texts(words: Words, rows: Ints) -> list[str]:
    """Texts of some rows, without a copy of a vocabulary that may be as long as the table."""
    vocabulary = words.vocabulary
    return ["" if code < 0 else vocabulary[code] for code in words.codes[rows].tolist()]
