"""Nodes whose ports belong to rails, in units: what rail-optimised, rail-only and multi-plane fabrics share.

Unit by unit, rail r of a node goes to leaf r div `rails_per_leaf` of the unit, at the node's place. Places are counted
from 0 here and from 1 in print.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.generators.ground import SIZES, CannotWireError, NodePorts, Switches
from planner.generators.links import Wires
from planner.generators.parameters import MultiPlane, RailOptimized
from planner.generators.radix import Shares, shared_out, spoken_share
from planner.generators.wiring import onto_leaves
from planner.table import Ints


@dataclass(frozen=True, slots=True)
class Units:
    """The lowest tier of a rail fabric whose arithmetic holds.

    leaves: devices, [unit, place]; ports: of a leaf that face nodes; up: those that face up; share: rails a leaf.
    """

    nodes: NodePorts
    switches: Switches
    leaves: Ints
    ports: Ints
    up: Ints
    size: int
    share: int

    @property
    def count(self) -> int:
        return len(self.leaves)

    @property
    def leaves_a_unit(self) -> int:
        return int(self.leaves.shape[1])

    def links(self) -> Wires:
        return onto_leaves("node-leaf", self.nodes, self.leaves, self.ports, self.size)

    def blocks(self, units_per_pod: int | None, group: str) -> Ints:
        """The leaves that share spines, [block, place]: of a pod all, or rail by rail."""
        size = min(units_per_pod or self.count, self.count)
        pods = -(-self.count // size)
        padded = np.full((pods * size, self.leaves_a_unit), -1, np.int64)
        padded[: self.count] = self.leaves
        by_pod = padded.reshape(pods, size, self.leaves_a_unit)
        if group == "rail":
            return np.ascontiguousarray(by_pod.transpose(0, 2, 1)).reshape(pods * self.leaves_a_unit, size)
        return by_pod.reshape(pods, size * self.leaves_a_unit)


def grouping(wanted: RailOptimized | MultiPlane, cores: Sequence[str] | None) -> str:
    """Whose leaves share spines, `rail` or `pod`; pods and groups of spines make sense below cores alone."""
    if cores is None and (wanted.units_per_pod is not None or wanted.spine_group is not None):
        raise CannotWireError(
            "pods and groups of spines are apart unless cores join them", "name `cores`, or leave them out"
        )
    group = wanted.spine_group or ("rail" if cores is not None else "pod")
    if cores is not None and wanted.core_group == "rail" and group != "rail":
        raise CannotWireError(
            "cores of one rail need spines of one rail, `spine_group` is `pod`", "set `spine_group: rail`"
        )
    return group


def units_of(
    nodes: NodePorts,
    leaves: Switches,
    size: int | None,
    share: int,
    blocking: Shares | None,
    uplinks: int | None,
    *,
    topped: bool,
) -> Units:
    """Nodes in units below their leaves; size: places of a unit, by default as many as a leaf takes.

    topped: there are spines, for which a leaf keeps ports; without them all its ports face nodes.
    """
    rails, count = nodes.each, len(nodes)
    below, higher = shared_out(leaves, blocking, uplinks) if topped else (len(leaves.ports), 0)
    if rails % share:
        raise CannotWireError(f"{rails} rails do not divide by {share} rails a leaf", "take a number that divides them")
    if size is None:
        size = below // share if topped else count
    needed = "" if share == 1 else f" x {share} rails"
    if size * share > below:
        raise CannotWireError(
            f"a unit of {size} nodes{needed} needs {size * share} ports on each leaf, "
            f"{spoken_share(leaves, blocking, uplinks, below)}",
            f"make units of at most {below // share} nodes" if below >= share else SIZES,
        )
    units = -(-count // size)
    a_unit = rails // share
    if len(leaves) != units * a_unit:
        raise CannotWireError(
            f"{count} nodes x {rails} rails need {count * rails} leaf ports, in units of {size} nodes "
            f"{units} x {a_unit} = {units * a_unit} leaves; {len(leaves)} leaves have {len(leaves) * size * share}",
            f"declare and name {units * a_unit} leaves",
        )
    return Units(
        nodes,
        leaves,
        leaves.devices.reshape(units, a_unit),
        leaves.ports[:below],
        leaves.ports[below : below + higher],
        size,
        share,
    )
