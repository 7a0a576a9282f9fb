"""A device family's cages and ports as arrays: what a hundred thousand ports share with their siblings."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from planner.catalog.devices import Airflow, CageGroup, Device, Split
from planner.names import expand_hostlist, fold
from planner.table import Ints

FACES = ("front", "rear", "left", "right")
LEFT, RIGHT = -1, 1
"""Sides as seen facing the ports."""


@dataclass(frozen=True, slots=True)
class PortState:
    """One way of splitting the cages of a group: names of a cage's ports, lanes of each, and the rates they run.

    os_port_names: the same ports' names by operating system, where known.
    """

    port_names: tuple[str, ...]
    lanes: int
    rates: tuple[str, ...]
    os_port_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)


def states_of(group: CageGroup) -> tuple[PortState, ...]:
    """The group's own ports first, then its other splits."""
    ways: list[tuple[CageGroup | Split, int]] = [(group, group.lanes // len(group.port_names))]
    ways += [(split, split.lanes or group.lanes // len(split.port_names)) for split in group.splits]
    return tuple(
        PortState(
            tuple(way.port_names),
            lanes,
            tuple(way.rates),
            {system: tuple(names) for system, names in way.os_port_names.items()},
        )
        for way, lanes in ways
    )


@dataclass(frozen=True)
class Chassis:
    """Cages and ports of a device family, ports in catalog order, cage by cage.

    port_half: 1 for the first port of its cage as it is split for that port; port_state: which split that is (of
    `states`, by group). A name may stand in several splits; the rate asked for tells them apart. cage_x_um from the device's left edge facing the ports, cage_z_um from
    its underside; where the catalog has no place, cage_x_um is the middle (the longest way to either manager) and the
    side follows the cage's number. cage_placed is false there. cage_face: number in FACES.
    """

    family: Device
    port_names: tuple[str, ...]
    port_cage: Ints
    port_half: Ints
    port_rail: Ints
    port_state: Ints
    states: tuple[tuple[PortState, ...], ...]
    cage_names: tuple[str, ...]
    cage_group: Ints
    cage_x_um: Ints
    cage_z_um: Ints
    cage_side: Ints
    cage_face: Ints
    cage_placed: Ints

    @property
    def id(self) -> str:
        return self.family.id

    @cached_property
    def _ports_named(self) -> dict[str, list[int]]:
        """Ports by name, without case."""
        named: dict[str, list[int]] = {}
        for index, name in enumerate(self.port_names):
            named.setdefault(fold(name), []).append(index)
        return named

    def port_for(self, name: str, rates: Sequence[str]) -> int:
        """The port of a name that runs the earliest of the rates, else the first of that name; -1 where there is none."""
        ports = self._ports_named.get(fold(name), [])
        return min(ports, key=lambda port: self._preference(port, rates), default=-1)

    def ports_at(self, rates: Sequence[str], ports_a_cage: int | None = None) -> list[int]:
        """The ports that run one of the rates, in catalog order, one split a cage: that which runs the earliest rate.

        ports_a_cage: only splits into so many ports, where given.
        """
        wanted = [
            (self._preference(port, rates), port)
            for port in range(len(self.port_names))
            if ports_a_cage in (None, len(self.state_of_port(port).port_names))
        ]
        chosen: dict[int, tuple[int, int]] = {}
        for preference, port in wanted:
            cage, state = int(self.port_cage[port]), int(self.port_state[port])
            chosen[cage] = min(chosen.get(cage, (preference, state)), (preference, state))
        return [
            port
            for preference, port in wanted
            if preference < len(rates) and chosen[int(self.port_cage[port])][1] == int(self.port_state[port])
        ]

    def _preference(self, port: int, rates: Sequence[str]) -> int:
        """The place of the first rate that a port runs; the number of rates where it runs none."""
        running = self.state_of_port(port).rates
        return next((place for place, rate in enumerate(rates) if rate in running), len(rates))

    def runs(self, port: int, rates: Collection[str]) -> bool:
        """Whether a port runs one of the rates as its cage is split for it."""
        return not set(rates).isdisjoint(self.state_of_port(port).rates)

    def state_of_port(self, port: int) -> PortState:
        return self.states[int(self.cage_group[self.port_cage[port]])][int(self.port_state[port])]

    def power_limits(self, airflow: Airflow | None) -> Ints:
        """By cage, which of its group's limits holds under an airflow: 0 the group's own, else 1 + its exception."""
        limits = np.zeros(len(self.cage_names), np.int64)
        for number, group in enumerate(self.family.cages):
            for exception, limit in enumerate(group.power_limits, start=1):
                if limit.airflow in (None, airflow):
                    named = set(expand_hostlist(limit.cages))
                    hit = [name in named for name in self.cage_names] & (self.cage_group == number)
                    limits[hit] = exception
        return limits

    @cached_property
    def width_um(self) -> int:
        return self.family.width_mm.value or 0

    @cached_property
    def depth_um(self) -> int | None:
        return self.family.depth_mm.value

    def os_name(self, port: int, system: str) -> str | None:
        """The port's name in an operating system as its cage is split for it, or None where the catalog does not know it."""
        named = self.family.os_names.get(system)
        if named is not None and named.value:
            return named.value.get(self.port_names[port])
        names = self.state_of_port(port).os_port_names.get(system)
        if names is None:
            return None
        return names[int(self.port_half[port]) - 1].replace("{cage}", self.cage_names[int(self.port_cage[port])])

    def renamed(self, cage: str, system: str) -> dict[tuple[str, ...], tuple[str, ...]]:
        """A cage's names in an operating system by the rates of each way of splitting it, where the catalog knows them.

        Labels that are made for one way are wrong in another.
        """
        group = self.family.cages[int(self.cage_group[self.cage_names.index(cage)])]
        return {
            state.rates: tuple(name.replace("{cage}", cage) for name in state.os_port_names[system])
            for state in states_of(group)
            if system in state.os_port_names
        }


def chassis_of(family: Device) -> Chassis:
    """The arrays of a device family."""
    port_names: list[str] = []
    ports: list[tuple[int, int, int]] = []
    states = tuple(states_of(group) for group in family.cages)
    cages: list[tuple[int, int, int, int, int, int]] = []
    cage_names: list[str] = []
    for number, group in enumerate(family.cages):
        for name, place in zip(expand_hostlist(group.names), _places(family, group), strict=True):
            for state, split in enumerate(states[number]):
                for half, port in enumerate(split.port_names, start=1):
                    port_names.append(port.replace("{cage}", name))
                    ports.append((len(cages), half, state))
            cages.append((number, *place, FACES.index(group.face)))
            cage_names.append(name)
    rails = (family.rails.value if family.rails else None) or {}
    port_array = np.array(ports, np.int64).reshape(-1, 3)
    cage_array = np.array(cages, np.int64).reshape(-1, 6)
    return Chassis(
        family=family,
        port_names=tuple(port_names),
        port_cage=port_array[:, 0],
        port_half=port_array[:, 1],
        port_rail=np.array([rails.get(name, -1) for name in port_names], np.int64),
        port_state=port_array[:, 2],
        states=states,
        cage_names=tuple(cage_names),
        cage_group=cage_array[:, 0],
        cage_x_um=cage_array[:, 1],
        cage_z_um=cage_array[:, 2],
        cage_side=cage_array[:, 3],
        cage_placed=cage_array[:, 4],
        cage_face=cage_array[:, 5],
    )


def _places(family: Device, group: CageGroup) -> Iterator[tuple[int, int, int, int]]:
    """x, z, side and whether the catalog states the place, for each cage of a group."""
    width = family.width_mm.value or 0
    count = len(expand_hostlist(group.names))
    known = list(_stated(group, count))
    for index in range(count):
        if known:
            x, z = known[index]
            yield x, z, LEFT if 2 * x <= width else RIGHT, 1
        else:
            yield width // 2, _middle_um(family), LEFT if 2 * index < count else RIGHT, 0


def _stated(group: CageGroup, count: int) -> Iterator[tuple[int, int]]:
    if group.points:
        yield from ((point.x_mm, point.z_mm) for point in group.points.at)
    elif group.grid:
        grid = group.grid
        for index in range(count):
            if grid.order == "down":
                column, from_top = divmod(index, grid.rows)
            else:
                from_top, column = divmod(index, grid.columns)
            row = grid.rows - 1 - from_top
            yield grid.first_x_mm + column * grid.pitch_x_mm, grid.first_z_mm + row * grid.pitch_z_mm


def _middle_um(family: Device) -> int:
    """Half the device's height: the middle of its units."""
    return (family.height_u.value or 1) * 44_450 // 2
