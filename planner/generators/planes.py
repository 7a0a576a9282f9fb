"""Fabrics of several planes: port p of every rail in plane p and in no other, so that planes fail apart.

In a multi-plane fabric each plane has leaves, spines and cores of its own; in a dual-ToR one the two leaves of a rail meet
again at common spines. The ports of a rail are those into which its cage is split at the rate, in the order of their
lanes; leaf cages that are split take nodes that follow each other, so that a splitter stays whole.
"""

from __future__ import annotations

import numpy as np

from planner.generators.clos import above, above_of
from planner.generators.ground import CannotWireError, Ground, NodePorts
from planner.generators.links import Wires, laid_together
from planner.generators.parameters import DualTor, MultiPlane
from planner.generators.rails import Units, grouping, units_of


def multi_plane(wanted: MultiPlane, ground: Ground) -> Wires:
    roles = {"nodes": wanted.nodes}
    for number, plane in enumerate(wanted.planes):
        found = {"leaves": plane.leaves, "spines": plane.spines, "cores": plane.cores}
        roles |= {f"{role} of plane {number}": names for role, names in found.items() if names is not None}
    ground.known(roles)
    devices, ports, model = ground.rails("nodes", wanted.nodes, wanted.rails, len(wanted.planes))
    made = []
    for number, plane in enumerate(wanted.planes):
        leaves = ground.switches("leaves", plane.leaves, wanted.leaf_cages, wanted.leaf_split)
        nodes = NodePorts(devices, ports[:, :, number], model)
        units = units_of(
            nodes, leaves, wanted.nodes_per_unit, wanted.rails_per_leaf, wanted.blocking, wanted.uplinks,
            topped=plane.spines is not None,
        )  # fmt: skip
        made.append(units.links())
        if plane.spines is None:
            _one_unit(units, f"plane {number}")
            continue
        over = above_of(wanted, plane.spines, plane.cores, ground)
        blocks = units.blocks(wanted.units_per_pod, grouping(wanted, plane.cores))
        made += above(leaves, blocks, units.up, over, units.leaves_a_unit)
    return laid_together(made)


def dual_tor(wanted: DualTor, ground: Ground) -> Wires:
    ground.known({"nodes": wanted.nodes, "tors": (*wanted.tors[0], *wanted.tors[1]), "spines": wanted.spines})
    devices, ports, model = ground.rails("nodes", wanted.nodes, wanted.rails, 2)
    rails = int(ports.shape[1])
    below: list[Units] = []
    for number, names in enumerate(wanted.tors):
        leaves = ground.switches("tors", names, wanted.leaf_cages, wanted.leaf_split)
        units = units_of(
            NodePorts(devices, ports[:, :, number], model), leaves, wanted.nodes_per_unit,
            wanted.rails_per_leaf or rails, wanted.blocking, wanted.uplinks, topped=wanted.spines is not None,
        )  # fmt: skip
        if wanted.spines is None:
            _one_unit(units, f"the tors of port {number}")
        below.append(units)
    made = [units.links() for units in below]
    if wanted.spines is None:
        return laid_together(made)
    joined = ground.switches("leaves", (*wanted.tors[0], *wanted.tors[1]), wanted.leaf_cages, wanted.leaf_split)
    over = above_of(wanted, wanted.spines, None, ground)
    return laid_together(
        [*made, *above(joined, np.concatenate([units.leaves.ravel() for units in below])[None, :], below[0].up, over)]
    )


def _one_unit(units: Units, where: str) -> None:
    if units.count > 1:
        raise CannotWireError(
            f"{units.count} units of {units.size} nodes in {where} stand apart, nothing joins them", "name `spines`"
        )
