"""A rail-optimised pod: units of nodes with a leaf a rail, spines and cores over them, in a hall of rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from planner.generators.radix import ThreeTiers, spines_for, three_tiers
from planner.templates.hall import Trays, cross_tray_lines, row_tray_lines
from planner.templates.model import CannotLayOutError, Figure
from planner.templates.page import in_racks, numbered, switch_racks
from planner.templates.units import UnitHall

ROOMS: Final = Figure(1, range(1, 9), "rooms, one north of the other, that the units are divided over")
MULTIMODE_PLAN_M: Final = 38
"""Longest way in plan for which 50 m cords do, with what the racks and the slack take."""


@dataclass(frozen=True)
class Design:
    """What pods of one kind have in common.

    slots: lowest U of the nodes of a rack, by their number; switch_slots: of the switches of a rack; spine_slots: of one
    unit's spines in the rack of its leaves, none if they have a rack of their own. managers: the last place of the last
    unit is left for fabric managers. mount: the face where the nodes, and so the switches, have their ports.
    """

    node: str
    node_model: str
    unit_nodes: int
    rails: int
    slots: Mapping[int, Sequence[int]]
    switch_model: str
    ports: int
    switch_slots: Sequence[int]
    spine_slots: Sequence[int] = ()
    managers: bool = False
    mount: str = "rear"

    @property
    def switches_a_rack(self) -> int:
        return len(self.switch_slots)

    def racks_for(self, switches: int) -> int:
        return -(-switches // self.switches_a_rack)


@dataclass(frozen=True)
class Pod:
    """A pod of a size: where its units, leaves, spines and cores stand, and the lines of the project."""

    design: Design
    units: int
    nodes_per_rack: int
    rooms: int = 1

    @property
    def nodes(self) -> int:
        return self.units * self.design.unit_nodes - self.design.managers

    @cached_property
    def tiers(self) -> ThreeTiers:
        """Spines and cores; of two tiers all units are one pod and the cores are none.

        Where the ports do not join all rails in full, each rail has cores of its own.
        """
        design = self.design
        leaves = self.units * design.rails
        spines = spines_for(leaves, design.ports // 2, design.ports)
        if spines is not None:
            return ThreeTiers(self.units, spines, 0)
        sizes = self._rails_joined or three_tiers(self.units, design.rails, design.ports, ports_a_cage=2, by_rail=True)
        if sizes is None:
            needed = leaves * (design.ports // 2)
            raise CannotLayOutError(
                f"{leaves} leaves x {design.ports // 2} uplinks need {needed:,} ports above, more than three tiers of "
                f"switches with {design.ports} ports have"
            )
        return sizes

    @cached_property
    def _rails_joined(self) -> ThreeTiers | None:
        return three_tiers(self.units, self.design.rails, self.design.ports, ports_a_cage=2)

    @cached_property
    def place(self) -> UnitHall:
        design = self.design
        own = design.racks_for(design.rails) * (2 if self.tiers.cores else 1)
        shared = design.racks_for(self.tiers.spines) + design.racks_for(self.tiers.cores)
        if self.tiers.cores:
            # In three tiers each unit also has racks of its share of the pod's spines.
            shared -= self.units * design.racks_for(design.rails)
        if self.units == 1:
            own, shared = own + (0 if design.spine_slots else shared), 0
        return UnitHall(self.units, -(-design.unit_nodes // self.nodes_per_rack), own, shared, rooms=self.rooms)

    @property
    def size(self) -> str:
        return "one unit" if self.units == 1 else f"{self.units} units"

    @property
    def where(self) -> str:
        return "" if self.rooms == 1 else f" in {self.rooms} rooms"

    def rack_comments(self) -> list[str]:
        letters = self.place.shared_letters
        if not letters:
            return []
        rows = f"row {letters[0]}" if len(letters) == 1 else f"rows {letters[0]} to {letters[-1]}"
        return [f"Spines{' and cores' if self.tiers.cores else ''} stand in {rows}."]

    def pathway_lines(self) -> Iterator[str]:
        wide = "basket-300x100" if self.units == 1 else "basket-600x100"
        yield "  # Assumption: a basket over the rear managers of each row, and cross baskets where there are several rows."
        yield from row_tray_lines(self.place.hall, Trays("row", wide, "fibre"))
        yield from cross_tray_lines(self.place.hall, Trays("cross", wide, "fibre"), self.place.crossings_mm())

    def device_lines(self) -> Iterator[str]:
        design, place = self.design, self.place
        many = "1 node" if self.nodes_per_rack == 1 else f"{self.nodes_per_rack} nodes"
        yield f"  # Assumption: {many} a rack, leaves in the middle of their unit."
        for unit in range(self.units):
            first, last = unit * design.unit_nodes + 1, min((unit + 1) * design.unit_nodes, self.nodes)
            names = numbered(design.node, first, last, self._digits)
            yield in_racks(names, design.node_model, place.compute(unit), design.slots[self.nodes_per_rack])
        yield f"  # Assumption: switches with their ports at the rack's {design.mount}, where the nodes have theirs."
        yield from self._switch_lines()

    def _switch_lines(self) -> Iterator[str]:
        design, place, tiers = self.design, self.place, self.tiers
        per_unit = design.racks_for(design.rails)
        leaf_racks = [rack for unit in range(self.units) for rack in place.own(unit)[:per_unit]]
        spare = [rack for unit in range(self.units) for rack in place.own(unit)[per_unit:]]
        yield from self._switches("leaf", self.units * design.rails, leaf_racks, at_once=design.rails)
        if self.units == 1 and design.spine_slots:
            yield from self._switches("spine", tiers.spines, leaf_racks, design.spine_slots)
            return
        racks = [*spare, *place.shared()]
        yield from self._switches("spine", tiers.spines, racks)
        yield from self._switches("core", tiers.cores, racks[design.racks_for(tiers.spines) :])

    def _switches(
        self, role: str, count: int, racks: Sequence[str], slots: Sequence[int] = (), at_once: int = 0
    ) -> list[str]:
        design = self.design
        return switch_racks(
            role, design.switch_model, count, racks, slots or design.switch_slots, at_once, design.mount
        )

    @property
    def _digits(self) -> int:
        return max(3, len(str(self.nodes)))

    def generate_lines(self) -> Iterator[str]:
        """The generator and its parameters, below `generate:`."""
        design, tiers = self.design, self.tiers
        yield "      kind: rail-optimized"
        yield f'      nodes: "{numbered(design.node, 1, self.nodes, self._digits)}"'
        yield f'      leaves: "{numbered("leaf", 1, self.units * design.rails)}"'
        yield f'      spines: "{numbered("spine", 1, tiers.spines)}"'
        if tiers.cores:
            yield f'      cores: "{numbered("core", 1, tiers.cores)}"'
            yield f"      units_per_pod: {tiers.units_per_pod}       # leaves of one rail in a pod share {tiers.units_per_pod} spines"
            if self._rails_joined is None:
                yield "      core_group: rail        # more than cores of so many ports can join: rails meet inside the nodes"
        yield f"      nodes_per_unit: {design.unit_nodes}"

    def long_tiers(self) -> list[str]:
        """Tiers whose way may be longer than 50 m."""
        place, tiers = self.place, self.tiers
        long = (
            ["leaf-spine"] if place.reach_m(tiers.units_per_pod, to_shared=not tiers.cores) > MULTIMODE_PLAN_M else []
        )
        if tiers.cores and place.reach_m(self.units, to_shared=True) > MULTIMODE_PLAN_M:
            long.append("spine-core")
        return long

    def pin_lines(self) -> Iterator[str]:
        """Single mode with cords of a class for tiers that are too long for multimode fibre and the maker's known cords."""
        long = self.long_tiers()
        if long:
            yield "  # Assumption: single mode where the way may be longer than 50 m, with cords of a class of parts: the maker's own"
            yield "  # are known up to 50 m."
        for tier in long:
            yield f"  - {{links: compute/{tier}, cable: generic-mpo-12-apc-os2-type-b}}"
