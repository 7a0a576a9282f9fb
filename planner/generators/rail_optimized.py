"""Two-tier rail-optimised Clos: rail r of every node of a unit on leaf r+1 of that unit, every leaf on every spine.

Wiring (numbers from 1): node n, rail r -> leaf r+1 port n, inside a unit. With w = down / spines links a pair, leaf l,
port down + w(s-1) + k -> spine s, port w(l-1) + k, k = 1 to w, l counted over all units. Parallel links so fill whole
twin-port cages. The rail of a node's port is catalog data, never its place in the row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from planner.catalog.chassis import Chassis
from planner.findings import Fault, Spot
from planner.generators.links import LinkRows
from planner.layout import Layout
from planner.names import fold, quoted_list
from planner.project import Generate

Row = tuple[str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class _Group:
    """Devices of one role: their names as declared, and the family that all of them share."""

    names: tuple[str, ...]
    chassis: Chassis


def rail_optimized(
    wanted: Generate, layout: Layout, forms: Sequence[str], at: Spot, *, follow_up: bool
) -> tuple[list[LinkRows], list[Fault]]:
    """The links of a rail-optimised fabric, or the arithmetic that forbids them; forms: ids of the rate's forms."""
    faults: list[Fault] = []
    groups = {
        role: _group(role, names, layout, at, faults, follow_up=follow_up)
        for role, names in (("nodes", wanted.nodes), ("leaves", wanted.leaves), ("spines", wanted.spines))
    }
    ufm = _group("ufm", wanted.ufm, layout, at, faults, follow_up=follow_up) if wanted.ufm else None
    nodes, leaves, spines = groups["nodes"], groups["leaves"], groups["spines"]
    if nodes is None or leaves is None or spines is None or (wanted.ufm and ufm is None):
        return [], faults
    shape = _shape(wanted, nodes, leaves, spines, forms)
    if isinstance(shape, str):
        faults.append(_refused(shape, at))
        return [], faults
    rows = [*_node_leaf(shape), *_leaf_spine(shape)]
    if ufm is not None:
        managed = _ufm_leaf(shape, ufm, forms)
        if isinstance(managed, str):
            faults.append(_refused(managed, at))
            return [], faults
        rows += managed
    columns: tuple[Sequence[str], ...] = tuple(zip(*rows, strict=True))
    a_device, a_port, z_device, z_port, tier = columns
    return [LinkRows(a_device, a_port, z_device, z_port, tier, np.full(len(rows), at, np.int64))], faults


def _refused(reason: str, at: Spot) -> Fault:
    return Fault("generator-refused", reason, at, help="change the sizes so that the arithmetic holds")


def _group(
    role: str, names: Sequence[str], layout: Layout, at: Spot, faults: list[Fault], *, follow_up: bool
) -> _Group | None:
    """The devices of a role, or None and a fault: a name unknown, named twice, or of another family."""
    strange = [name for name in names if fold(name) not in layout.device_index]
    if strange:
        if follow_up:
            message = f"{role} {quoted_list(strange)} {'is' if len(strange) == 1 else 'are'} not declared"
            faults.append(
                Fault(
                    "unknown-device",
                    message,
                    at,
                    help="declare them under `devices`",
                    objects=tuple(strange[:20]),
                    count=len(strange),
                )
            )
        return None
    devices = [layout.devices[layout.device_index[fold(name)]] for name in names]
    chosen = tuple(device.name for device in devices)
    if len(set(chosen)) < len(chosen):
        doubled = next(name for name in chosen if chosen.count(name) > 1)
        faults.append(_refused(f"{role} name `{doubled}` twice", at))
        return None
    other = next((device for device in devices if device.chassis.id != devices[0].chassis.id), None)
    if other is not None:
        faults.append(
            _refused(
                f"{role} are of two models: `{devices[0].name}` is a `{devices[0].chassis.id}`, `{other.name}` a `{other.chassis.id}`",
                at,
            )
        )
        return None
    return _Group(chosen, devices[0].chassis)


@dataclass(frozen=True, slots=True)
class _Shape:
    """A fabric whose arithmetic holds; port lists are by printed name, in catalog order."""

    nodes: tuple[str, ...]
    leaves: tuple[str, ...]
    spines: tuple[str, ...]
    rail_ports: tuple[str, ...]
    leaf_ports: tuple[str, ...]
    spine_ports: tuple[str, ...]
    nodes_per_unit: int
    down: int
    per_pair: int

    @property
    def units(self) -> int:
        return -(-len(self.nodes) // self.nodes_per_unit)


def _shape(wanted: Generate, nodes: _Group, leaves: _Group, spines: _Group, forms: Sequence[str]) -> _Shape | str:
    """The fabric's shape, or why it cannot be."""
    rails = _rail_ports(nodes.chassis)
    if not rails:
        return f"`{nodes.chassis.id}` has no rail table in the catalog, so its ports cannot be given to rails"
    leaf_ports, spine_ports = leaves.chassis.ports_at(forms), spines.chassis.ports_at(forms)
    for group, ports in ((leaves, leaf_ports), (spines, spine_ports)):
        if not ports:
            return f"`{group.chassis.id}` has no port that runs `{forms[0]}`"
    size, down = wanted.nodes_per_unit, len(leaf_ports) // 2
    count, leaf_count, spine_count = len(nodes.names), len(leaves.names), len(spines.names)
    if not 1 <= size <= down:
        return f"a unit of {size} nodes needs {size} ports on each leaf, half of `{leaves.chassis.id}` has {down}"
    units = -(-count // size)
    if leaf_count != units * len(rails):
        return (
            f"{count} nodes x {len(rails)} rails need {count * len(rails)} leaf ports, in units of {size} nodes "
            f"{units} x {len(rails)} = {units * len(rails)} leaves; {leaf_count} leaves have {leaf_count * size}"
        )
    if down % spine_count:
        return f"{down} uplinks of a leaf do not divide by {spine_count} spines"
    per_pair = down // spine_count
    if per_pair * leaf_count > len(spine_ports):
        return (
            f"{leaf_count} leaves x {per_pair} links need {leaf_count * per_pair} ports on each spine, "
            f"`{spines.chassis.id}` has {len(spine_ports)}"
        )
    return _Shape(
        nodes.names, leaves.names, spines.names, rails, tuple(leaf_ports), tuple(spine_ports), size, down, per_pair
    )


def _rail_ports(chassis: Chassis) -> tuple[str, ...]:
    """Port by rail; empty where the catalog has no complete table of rails 0, 1, 2, ..."""
    by_rail = {int(rail): name for rail, name in zip(chassis.port_rail, chassis.port_names, strict=True) if rail >= 0}
    return tuple(by_rail[rail] for rail in range(len(by_rail))) if set(by_rail) == set(range(len(by_rail))) else ()


def _node_leaf(shape: _Shape) -> Iterator[Row]:
    rails = len(shape.rail_ports)
    for index, node in enumerate(shape.nodes):
        unit, place = divmod(index, shape.nodes_per_unit)
        for rail, port in enumerate(shape.rail_ports):
            yield node, port, shape.leaves[unit * rails + rail], shape.leaf_ports[place], "node-leaf"


def _leaf_spine(shape: _Shape) -> Iterator[Row]:
    w = shape.per_pair
    for leaf_number, leaf in enumerate(shape.leaves):
        for spine_number, spine in enumerate(shape.spines):
            for k in range(w):
                up = shape.leaf_ports[shape.down + w * spine_number + k]
                yield leaf, up, spine, shape.spine_ports[w * leaf_number + k], "leaf-spine"


def _ufm_leaf(shape: _Shape, ufm: _Group, forms: Sequence[str]) -> list[Row] | str:
    """UFM ports, one after the other, on the last node port of the first leaves of the unit that is a node short."""
    ports = [(name, port) for name in ufm.names for port in ufm.chassis.ports_at(forms)]
    rails, size = len(shape.rail_ports), shape.nodes_per_unit
    if not ports:
        return f"`{ufm.chassis.id}` has no port that runs `{forms[0]}`"
    if len(ports) > rails:
        return f"{len(ports)} UFM ports need as many leaves of one unit, which has {rails}"
    for unit in range(shape.units):
        if len(shape.nodes) - unit * size < size:
            leaves = shape.leaves[unit * rails :]
            port = shape.leaf_ports[size - 1]
            return [(name, end, leaf, port, "ufm-leaf") for (name, end), leaf in zip(ports, leaves, strict=False)]
    return f"{len(shape.nodes)} nodes fill {shape.units} x {size} places, no leaf port is left for UFM"
