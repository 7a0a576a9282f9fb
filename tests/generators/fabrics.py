"""Fabrics made in memory: devices of shipped models in as many racks as wanted, a generator's links, and views of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

import networkx as nx
import numpy as np
from pydantic import TypeAdapter

from planner.catalog.devices import Device
from planner.catalog.load import Catalog, load_catalog
from planner.data import catalogs_folder
from planner.findings import NOWHERE, Fault
from planner.generators.links import Wires
from planner.generators.make import generated
from planner.generators.parameters import Generate
from planner.layout import Device as Placed
from planner.layout import Layout, Rack
from planner.names import expand_hostlist
from planner.reader import Sources, YamlMap, YamlSeq, load_yaml
from planner.validation import validated

PARAMETERS: Final[TypeAdapter[Any]] = TypeAdapter(Generate)


@cache
def catalog() -> Catalog:
    """The shipped catalog, and the models of these tests."""
    found = load_catalog(Sources(catalogs_folder()), catalogs_folder())
    tree, faults = load_yaml((Path(__file__).parent / "models.yaml").read_bytes(), 0)
    assert not faults
    assert isinstance(tree, YamlSeq)
    for entry in tree:
        assert isinstance(entry, YamlMap)
        checked = validated(Device, entry)
        assert checked.model is not None, checked.faults
        found.devices[checked.model.id] = checked.model
    return found


def layout_with(devices: Mapping[str, str], a_rack: int | None = None) -> Layout:
    """Devices by hostlist and model, in one rack, or of each hostlist `a_rack` in every rack."""
    kind = catalog().racks["rack-48u-600x1200"]
    placed = []
    for hostlist, model in devices.items():
        found = catalog().device(model)
        assert found is not None, model
        chassis, member = found
        for number, name in enumerate(expand_hostlist(hostlist)):
            rack = 0 if a_rack is None else number // max(1, a_rack if chassis.family.kind == "server" else 1)
            placed.append(Placed(name, chassis, member("rear"), rack, 1, "rear"))
    racks = [Rack(f"R{n + 1:03d}", "A", kind, 0, 0, "south") for n in range(max(d.rack for d in placed) + 1)]
    return Layout(rooms=(), openings=(), racks=tuple(racks), pathways=(), risers=(), devices=tuple(placed))


@dataclass(frozen=True)
class Fabric:
    """A generator's links on a layout."""

    layout: Layout
    links: Wires

    @cached_property
    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """a_device, a_port, z_device, z_port, tier."""
        devices = self.layout.devices
        columns = (self.links.a_device, self.links.a_port, self.links.z_device, self.links.z_port)
        return [
            (devices[a].name, devices[a].chassis.port_names[p], devices[z].name, devices[z].chassis.port_names[q], tier)
            for a, p, z, q, tier in zip(*(c.tolist() for c in columns), self.links.tier.tolist(), strict=True)
        ]

    @cached_property
    def graph(self) -> nx.Graph[Any]:
        """Devices as nodes; `links` of an edge: how many parallel ones."""
        graph: nx.Graph[Any] = nx.Graph()
        for a, _, z, _, _ in self.rows:
            count = graph.edges[a, z]["links"] if graph.has_edge(a, z) else 0
            graph.add_edge(a, z, links=count + 1)
        return graph

    def counts(self) -> dict[str, int]:
        """Links by tier."""
        return {tier: int((self.links.tier.codes == n).sum()) for n, tier in enumerate(self.links.tier.vocabulary)}

    def degrees(self, prefix: str) -> set[int]:
        """Numbers of links of the devices whose name begins so."""
        return {int(degree) for name, degree in self.graph.degree(weight="links") if str(name).startswith(prefix)}

    def between(self, lower: str, upper: str) -> set[int]:
        """Numbers of parallel links of joined pairs, by the beginning of their names."""
        found: set[int] = set()
        for a, z in self.graph.edges:
            one, other = sorted((str(a), str(z)), key=lambda name: name.startswith(upper))
            if one.startswith(lower) and other.startswith(upper):
                found.add(int(self.graph.edges[a, z]["links"]))
        return found

    def ports_used(self) -> list[tuple[int, int]]:
        """Device and port of every end."""
        ends = ((self.links.a_device, self.links.a_port), (self.links.z_device, self.links.z_port))
        return [pair for device, port in ends for pair in zip(device.tolist(), port.tolist(), strict=True)]

    def split_cages(self) -> list[tuple[str, str, int]]:
        """Device and cage whose ports in use are of more than one split."""
        states: dict[tuple[int, int], set[int]] = {}
        for device, port in self.ports_used():
            chassis = self.layout.devices[device].chassis
            states.setdefault((device, int(chassis.port_cage[port])), set()).add(int(chassis.port_state[port]))
        return [
            (self.layout.devices[device].name, self.layout.devices[device].chassis.cage_names[cage], len(found))
            for (device, cage), found in states.items()
            if len(found) > 1
        ]

    def cage_pairs(self, tier: str) -> Iterator[tuple[int, int]]:
        """For every cage of a lower end in a tier: its ports in the tier, and how many cages they face."""
        faced: dict[tuple[int, int], list[tuple[int, int]]] = {}
        mine = np.flatnonzero(self.links.tier.codes == self.links.tier.code(tier))
        for row in mine.tolist():
            a, z = int(self.links.a_device[row]), int(self.links.z_device[row])
            here = (a, int(self.layout.devices[a].chassis.port_cage[self.links.a_port[row]]))
            there = (z, int(self.layout.devices[z].chassis.port_cage[self.links.z_port[row]]))
            faced.setdefault(here, []).append(there)
        for cages in faced.values():
            yield len(cages), len(set(cages))


def texts(value: Any) -> Any:
    """Numbers as the reader hands them over: their text."""
    if isinstance(value, dict):
        return {key: texts(item) for key, item in value.items()}
    if isinstance(value, list):
        return [texts(item) for item in value]
    return str(value)


def made(layout: Layout, rate: str, **wanted: Any) -> tuple[Fabric | None, list[Fault]]:
    """What a generator makes of parameters as people write them."""
    parameters = PARAMETERS.validate_python(texts(wanted))
    links, faults = generated(parameters, layout, catalog().forms(rate), NOWHERE, follow_up=True)
    return (Fabric(layout, links) if links is not None else None), faults


def fabric(layout: Layout, rate: str, **wanted: Any) -> Fabric:
    """As `made`, where nothing is refused."""
    found, faults = made(layout, rate, **wanted)
    assert found is not None, [fault.message for fault in faults]
    return found


def refusal(layout: Layout, rate: str, **wanted: Any) -> str:
    """The one reason why a generator makes nothing."""
    found, faults = made(layout, rate, **wanted)
    assert found is None
    assert [fault.rule for fault in faults] == ["generator-refused"]
    return faults[0].message
