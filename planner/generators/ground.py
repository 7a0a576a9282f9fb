"""What a generator stands on: the devices that its hostlists name, the ports they offer at the fabric's rate, and its refusals.

A generator makes all of its links or none. What cannot be met is refused with the arithmetic, as a fault at the
generator's line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from planner.catalog.chassis import Chassis
from planner.findings import Fault, Spot
from planner.layout import Layout
from planner.names import fold, nearest, quoted_list
from planner.table import Ints

SIZES: Final = "change the sizes so that the arithmetic holds"


class CannotWireError(Exception):
    """The sizes do not work out; reason and advice are fit for a finding. Never leaves the generators."""

    def __init__(self, reason: str, advice: str = SIZES) -> None:
        super().__init__(reason)
        self.reason, self.advice = reason, advice


class UnknownDevicesError(Exception):
    """A role's devices could not be found; the faults are told already."""


@dataclass(frozen=True, slots=True)
class Switches:
    """The devices of a role, all of one family, and the ports that the generator may use, in catalog order.

    one: the role in the singular. ports_a_cage: how many of the ports a cage has, 1 where cages differ; parallel
    links are laid in such bundles, so that a twin plug, a twin cable or a splitter is whole at both ends.
    """

    role: str
    one: str
    devices: Ints
    chassis: Chassis
    ports: Ints
    ports_a_cage: int

    def __len__(self) -> int:
        return len(self.devices)


@dataclass(frozen=True, slots=True)
class NodePorts:
    """Devices, and for each the same number of ports: of rails, or in the order in which they are to be connected."""

    devices: Ints
    ports: Ints
    model: str

    def __len__(self) -> int:
        return len(self.devices)

    @property
    def each(self) -> int:
        """Ports of one device."""
        return int(self.ports.shape[1])


ONE: Final = {
    "leaves": "leaf",
    "switches": "switch",
    "spines": "spine",
    "cores": "core",
    "routers": "router",
    "nodes": "node",
    "tors": "tor",
}


@dataclass(frozen=True, slots=True)
class Ground:
    """forms: ids of the rate's forms; follow_up: whether an unknown device is worth a fault (its section was read whole)."""

    layout: Layout
    forms: Sequence[str]
    at: Spot
    follow_up: bool
    faults: list[Fault] = field(default_factory=list)

    def known(self, roles: Mapping[str, Sequence[str] | None], of_any_model: Collection[str] = ("nodes",)) -> None:
        """Look up the devices of all roles, and tell of every role what is wrong with it.

        Raises UnknownDevicesError where a device is not declared, named twice, or not of its role's one family.
        """
        told = [self._told(role, names, role in of_any_model) for role, names in roles.items() if names is not None]
        if not all(told):
            raise UnknownDevicesError
        # Ends of any model may be switches of the fabric too: a management switch is managed by the one beside it.
        first: dict[str, str] = {}
        for role, names in roles.items():
            for name in (names or ()) if role not in of_any_model else ():
                if first.setdefault(fold(name), role) != role:
                    self.refuse(f"`{name}` is one of the {first[fold(name)]} and of the {role}", "name it in one role")
                    raise UnknownDevicesError

    def _told(self, role: str, names: Sequence[str], any_model: bool) -> bool:
        index = self.layout.device_index
        strange = [name for name in names if fold(name) not in index]
        if strange:
            if self.follow_up:
                message = f"{role} {quoted_list(strange)} {'is' if len(strange) == 1 else 'are'} not declared"
                advice = "declare them under `devices`"
                self.faults.append(
                    Fault(
                        "unknown-device", message, self.at, help=advice, objects=tuple(strange[:20]), count=len(strange)
                    )
                )
            return False
        devices = self.devices(names)
        if len(np.unique(devices)) < len(devices):
            found, counts = np.unique(devices, return_counts=True)
            doubled = next(d for d in devices.tolist() if d in set(found[counts > 1].tolist()))
            self.refuse(f"{role} name `{self.layout.devices[doubled].name}` twice", "name it once")
            return False
        families = self.layout.device_chassis[devices]
        if not any_model and (families != families[0]).any():
            first, other = (self.layout.devices[int(devices[n])] for n in (0, int(np.argmax(families != families[0]))))
            self.refuse(
                f"{role} are of two models: `{first.name}` is a `{first.chassis.id}`, `{other.name}` a `{other.chassis.id}`",
                "give each role devices of one model",
            )
            return False
        return True

    def refuse(self, reason: str, advice: str) -> None:
        self.faults.append(Fault("generator-refused", reason, self.at, help=advice))

    def devices(self, names: Sequence[str]) -> Ints:
        """Numbers of devices that are known."""
        index = self.layout.device_index
        return np.fromiter((index[fold(name)] for name in names), np.int64, len(names))

    def switches(
        self, role: str, names: Sequence[str], cages: Sequence[str] | None = None, split: int | None = None
    ) -> Switches:
        """The devices of a role with the ports that run the rate: in the order of `cages`, of cages split in `split`."""
        devices = self.devices(names)
        chassis = self.layout.devices[int(devices[0])].chassis
        ports = np.array(chassis.ports_at(self.forms, split), np.int64)
        if split is not None and not len(ports):
            known = sorted(
                {
                    len(chassis.state_of_port(port).port_names)
                    for port in range(len(chassis.port_names))
                    if chassis.runs(port, self.forms)
                }
            )
            raise CannotWireError(
                f"no cage of `{chassis.id}` is split into {_ports(split)} at `{self.forms[0]}`",
                f"known splits at this rate: {', '.join(map(str, known))}"
                if known
                else f"`planner catalog show {chassis.id}` lists its cages and rates",
            )
        if cages is None:
            ports = _without_jacks(chassis, ports)
        else:
            wanted = [self._cage(chassis, name) for name in cages]
            if len(set(wanted)) < len(wanted):
                raise CannotWireError(f"a cage of the {role} is named twice", "name each cage once")
            at = chassis.port_cage[ports] if len(ports) else ports
            ports = np.concatenate([np.zeros(0, np.int64), *(ports[at == cage] for cage in wanted)])
        if not len(ports):
            where = " in these cages" if cages is not None else ""
            raise CannotWireError(
                f"`{chassis.id}` has no port{where} that runs `{self.forms[0]}`",
                f"`planner catalog show {chassis.id}` lists its cages and rates",
            )
        _one_switch(chassis, ports)
        _, sizes = np.unique(chassis.port_cage[ports], return_counts=True)
        uniform = int(sizes[0]) if (sizes == sizes[0]).all() else 1
        return Switches(role, ONE.get(role, role), devices, chassis, ports, uniform)

    def _cage(self, chassis: Chassis, name: str) -> int:
        """A cage by its name, or by that of a port of its own."""
        folded = [fold(cage) for cage in chassis.cage_names]
        if fold(name) in folded:
            return folded.index(fold(name))
        port = chassis.port_for(name, self.forms)
        if port < 0:
            meant = nearest(name, chassis.cage_names)
            advice = f"did you mean `{meant}`?" if meant else f"`planner catalog show {chassis.id}` lists its cages"
            raise CannotWireError(f"`{chassis.id}` has no cage `{name}`", advice)
        return int(chassis.port_cage[port])

    def rails(
        self, role: str, names: Sequence[str], rails: Sequence[str] | None, planes: int = 1
    ) -> tuple[Ints, Ints, str]:
        """Devices, ports by device, rail and plane, and the model whose ports they are.

        The port of a rail is the catalog's, or the one named. Where its cage must be split for the rate, the split's
        ports are the rail's planes in their order.
        """

        def found(chassis: Chassis) -> list[int]:
            by_rail = _by_rail(chassis, self.forms, [self._port(chassis, name) for name in rails] if rails else None)
            for number, ports in enumerate(by_rail):
                if len(ports) != planes:
                    shown = quoted_list(chassis.port_names[port] for port in ports)
                    wanted = "one is wanted" if planes == 1 else f"{planes} are wanted, one a plane"
                    raise CannotWireError(
                        f"rail {number} of `{chassis.id}` has {_ports(len(ports))} at `{self.forms[0]}` ({shown}), {wanted}",
                        "name the port of each rail under `rails`"
                        if planes == 1
                        else "take a rate that splits the cage so",
                    )
            return [port for ports in by_rail for port in ports]

        devices, ports, model = self._by_family(role, names, found)
        return devices, ports.reshape(len(devices), -1, planes), model

    def node_ports(self, role: str, names: Sequence[str], ports: Sequence[str] | None) -> NodePorts:
        """Devices with the ports named, or with those of their rails in catalog order, or with all that run the rate."""

        def found(chassis: Chassis) -> list[int]:
            if ports is not None:
                return [port for name in ports for port in _at_rate(chassis, self._port(chassis, name), self.forms)]
            of_rails = [port for rail in _rail_table(chassis, self.forms).values() for port in rail]
            running = [port for port in of_rails if chassis.runs(port, self.forms)]
            every = sorted(running) or chassis.ports_at(self.forms)
            if not every:
                raise CannotWireError(
                    f"`{chassis.id}` has no port that runs `{self.forms[0]}`",
                    f"`planner catalog show {chassis.id}` lists its cages and rates",
                )
            return every

        return NodePorts(*self._by_family(role, names, found))

    def _by_family(
        self, role: str, names: Sequence[str], ports_of: Callable[[Chassis], list[int]]
    ) -> tuple[Ints, Ints, str]:
        """The same number of ports for each device, asked once a family."""
        devices = self.devices(names)
        families = self.layout.device_chassis[devices]
        numbers = list(dict.fromkeys(families.tolist()))
        rows = [ports_of(self.layout.chassis[number]) for number in numbers]
        if any(len(row) != len(rows[0]) for row in rows):
            one, other = next((0, n) for n, row in enumerate(rows) if len(row) != len(rows[0]))
            ids = [self.layout.chassis[numbers[n]].id for n in (one, other)]
            raise CannotWireError(
                f"{role} bring different numbers of ports: `{ids[0]}` has {len(rows[one])}, `{ids[1]}` {len(rows[other])}",
                "name as many ports for each model",
            )
        table = np.array(rows, np.int64).reshape(len(rows), -1)
        place = np.zeros(max(numbers) + 1, np.int64)
        place[numbers] = np.arange(len(numbers))
        return devices, table[place[families]], self.layout.chassis[numbers[0]].id

    def _port(self, chassis: Chassis, name: str) -> int:
        port = chassis.port_for(name, self.forms)
        if port < 0:
            meant = nearest(name, chassis.port_names)
            advice = f"did you mean `{meant}`?" if meant else f"`planner catalog show {chassis.id}` lists its ports"
            raise CannotWireError(f"`{chassis.id}` has no port `{name}`", advice)
        return port


def _ports(count: int) -> str:
    return "1 port" if count == 1 else f"{count} ports"


def _one_switch(chassis: Chassis, ports: Ints) -> None:
    """Refuses ports of several switches that share a chassis: a leaf of two halves would leave its nodes apart."""
    groups = np.unique(chassis.cage_group[chassis.port_cage[ports]]).tolist()
    switches = sorted({chassis.family.cages[group].switch or "" for group in groups})
    if len(switches) > 1:
        raise CannotWireError(
            f"`{chassis.id}` is {len(switches)} switches in one chassis ({quoted_list(switches)}), nothing passes between them",
            "name the cages of one of them, as in `leaf_cages`",
        )


def _without_jacks(chassis: Chassis, ports: Ints) -> Ints:
    """The ports without groups of one or two cages beside a larger group: a switch's own management jacks run 1G too."""
    if not len(ports):
        return ports
    groups, inverse = np.unique(chassis.cage_group[chassis.port_cage[ports]], return_inverse=True)
    cages = np.array([len(np.unique(chassis.port_cage[ports[inverse == n]])) for n in range(len(groups))])
    return ports[(cages > 2)[inverse]] if (cages > 2).any() else ports


def _at_rate(chassis: Chassis, port: int, forms: Sequence[str]) -> list[int]:
    """The port itself where it runs the rate, else the ports into which its cage is split for it.

    Where nothing in the cage runs the rate the port stays: the rules of ports say so, with the rates it has.
    """
    if chassis.runs(port, forms):
        return [port]
    return [p for p in chassis.ports_at(forms) if chassis.port_cage[p] == chassis.port_cage[port]] or [port]


def _rail_table(chassis: Chassis, forms: Sequence[str]) -> dict[int, list[int]]:
    """Ports by rail as the catalog has them: of a cage in the first split that runs the rate, whose ports share its rail."""
    table: dict[int, list[int]] = {}
    at_rate = chassis.ports_at(forms)
    for port in np.flatnonzero(chassis.port_rail >= 0).tolist():
        cage = [p for p in at_rate if chassis.port_cage[p] == chassis.port_cage[port]]
        named = [p for p in cage if chassis.port_rail[p] == chassis.port_rail[port]]
        of_no_rail = [p for p in cage if chassis.port_rail[p] < 0]
        ports = table.setdefault(int(chassis.port_rail[port]), [])
        ports += [p for p in named or of_no_rail or [port] if p not in ports]
    return table


def _by_rail(chassis: Chassis, forms: Sequence[str], named: Sequence[int] | None) -> list[list[int]]:
    if named is not None:
        return [_at_rate(chassis, port, forms) for port in named]
    table = _rail_table(chassis, forms)
    if not table or set(table) != set(range(len(table))):
        raise CannotWireError(
            f"`{chassis.id}` has no rail table in the catalog, so its ports cannot be given to rails",
            "name the ports of a node under `rails`, that of rail 0 first",
        )
    return [table[rail] for rail in range(len(table))]
