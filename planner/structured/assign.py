"""Which leg of which trunk, and which ports of which panels, each strand of the links takes.

Runs come in order of their racks' names; in a run strands keep the order in which they are given (leaf by leaf, or rail
by rail), so that what belongs together stands side by side. The reserve comes behind the used positions, and what whole
trunks leave over behind the reserve. Pure and deterministic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from planner.structured.shelf import FilledSlot, Insert, PanelSpace, RearPort, Shelf
from planner.structured.sizing import Growth, Module, Size, sized


@dataclass(frozen=True, slots=True)
class Run:
    """Strands of links between the panels of two banks, over trunks of one family; banks and panels by the caller's numbers.

    a_inserts, z_inserts: by panel, what goes into its slots; their modules are all alike. Other panels are not for it.
    """

    a_bank: int
    z_bank: int
    strands: Sequence[int]
    legs_a_trunk: int
    growth: Growth
    a_inserts: Mapping[int, Insert]
    z_inserts: Mapping[int, Insert]

    @property
    def module(self) -> Module:
        return next((insert.module for insert in self.a_inserts.values()), Module())


class Leg(NamedTuple):
    """A leg of a trunk, from 1, with its rear ports; trunk: number in order of the runs. state: as `Size.state_of`."""

    trunk: int
    leg: int
    a_panel: int
    a_rear: int
    z_panel: int
    z_rear: int
    state: str


class Position(NamedTuple):
    """Where a strand passes: the first leg of its module (row of `Assigned.legs`), and the front ports at both banks."""

    leg: int
    a_panel: int
    a_front: int
    z_panel: int
    z_front: int


@dataclass(frozen=True, slots=True)
class Shortage:
    """A run for which a bank of panels has too few rear ports: trunks that it has places for, of how many."""

    run: int
    bank: int
    placed: int
    trunks: int


@dataclass(frozen=True)
class Assigned:
    """positions: by strand. sizes: of every run. trunk_run: the run of each trunk. slots: by bank, panel by panel."""

    positions: Mapping[int, Position]
    legs: Sequence[Leg]
    trunk_run: Sequence[int]
    sizes: Sequence[Size]
    slots: Mapping[int, Sequence[FilledSlot]]
    shortages: Sequence[Shortage] = field(default_factory=list)


def assigned(runs: Sequence[Run], banks: Mapping[int, Sequence[PanelSpace]]) -> Assigned:
    """Fill the panels of all banks, run by run. A run for which a bank has too few ports gets none at all."""
    shelves = {bank: Shelf(panels) for bank, panels in banks.items()}
    positions: dict[int, Position] = {}
    legs: list[Leg] = []
    trunk_run: list[int] = []
    sizes: list[Size] = []
    shortages: list[Shortage] = []
    for number, run in enumerate(runs):
        module = run.module
        size = sized(len(run.strands), run.growth, module, run.legs_a_trunk)
        sizes.append(size)
        filled, taken, short = {}, [], []
        for bank, inserts in ((run.a_bank, run.a_inserts), (run.z_bank, run.z_inserts)):
            shelves[bank].begin()
            filled[bank], ports = shelves[bank].take(inserts, run.legs_a_trunk, size.trunks)
            taken.append(ports)
            if len(ports) < size.trunks:
                short.append(Shortage(number, bank, len(ports), size.trunks))
        shortages += short
        if short:
            continue
        shelves |= filled
        first = len(legs)
        for a_ports, z_ports in zip(*taken, strict=True):
            for leg, (a, z) in enumerate(zip(a_ports, z_ports, strict=True), start=1):
                of_run = len(legs) - first
                if of_run % module.rear == 0:
                    first_strand = of_run // module.rear * module.front
                    met = run.strands[first_strand : first_strand + module.front]
                    positions |= _met(met, len(legs), a, z)
                legs.append(Leg(len(trunk_run), leg, a.slot.panel, a.port, z.slot.panel, z.port, size.state_of(of_run)))
            trunk_run.append(number)
    slots = {bank: shelf.filled for bank, shelf in shelves.items()}
    return Assigned(positions, legs, trunk_run, sizes, slots, shortages)


def _met(strands: Sequence[int], leg: int, a: RearPort, z: RearPort) -> dict[int, Position]:
    """The positions of strands at the front ports of a module, port by port. leg: the first one of the module, by row."""
    return {
        strand: Position(
            leg, a.slot.panel, a.slot.front_of(a.port, place), z.slot.panel, z.slot.front_of(z.port, place)
        )
        for place, strand in enumerate(strands)
    }
