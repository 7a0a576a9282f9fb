"""Rail-optimised Clos of two or three tiers: rail r of every node of a unit on leaf r+1 of that unit.

In two tiers every leaf goes to every spine. In three, leaves of one rail (or all leaves) of a pod share a group of spines,
and spine g of every group goes to core group g. Fabric managers take places that a unit short of nodes leaves free.
"""

from __future__ import annotations

import numpy as np

from planner.generators.clos import above, above_of
from planner.generators.ground import CannotWireError, Ground, NodePorts
from planner.generators.links import Wires, laid_together, wires
from planner.generators.parameters import RailOnly, RailOptimized
from planner.generators.rails import Units, grouping, units_of


def rail_optimized(wanted: RailOptimized, ground: Ground) -> Wires:
    roles = {"nodes": wanted.nodes, "leaves": wanted.leaves, "spines": wanted.spines, "cores": wanted.cores}
    ground.known({**roles, "ufm": wanted.ufm})
    devices, ports, model = ground.rails("nodes", wanted.nodes, wanted.rails)
    leaves = ground.switches("leaves", wanted.leaves, wanted.leaf_cages, wanted.leaf_split)
    over = above_of(wanted, wanted.spines, wanted.cores, ground)
    group = grouping(wanted, wanted.cores)
    nodes = NodePorts(devices, ports[:, :, 0], model)
    units = units_of(
        nodes, leaves, wanted.nodes_per_unit, wanted.rails_per_leaf, wanted.blocking, wanted.uplinks, topped=True
    )
    made = [
        units.links(),
        *above(leaves, units.blocks(wanted.units_per_pod, group), units.up, over, units.leaves_a_unit),
    ]
    if wanted.ufm is not None:
        made.append(_managed(units, wanted.ufm, ground))
    return laid_together(made)


def rail_only(wanted: RailOnly, ground: Ground) -> Wires:
    """Rails that never meet: a switch a rail, or its leaves below spines of its own."""
    ground.known({"nodes": wanted.nodes, "leaves": wanted.leaves, "spines": wanted.spines})
    devices, ports, model = ground.rails("nodes", wanted.nodes, wanted.rails)
    leaves = ground.switches("leaves", wanted.leaves, wanted.leaf_cages, wanted.leaf_split)
    nodes = NodePorts(devices, ports[:, :, 0], model)
    size = wanted.nodes_per_unit
    if wanted.spines is None and size is not None and size < len(nodes):
        apart = -(-len(nodes) // size)
        raise CannotWireError(
            f"{len(nodes)} nodes make {apart} units of {size}, which nothing joins",
            "name `spines`, or leave `nodes_per_unit` out",
        )
    units = units_of(
        nodes, leaves, size, wanted.rails_per_leaf, wanted.blocking, wanted.uplinks, topped=wanted.spines is not None
    )
    if wanted.spines is None:
        return units.links()
    over = above_of(wanted, wanted.spines, None, ground)
    return laid_together([units.links(), *above(leaves, units.blocks(None, "rail"), units.up, over)])


def _managed(units: Units, ufm: tuple[str, ...], ground: Ground) -> Wires:
    """UFM ports, one after the other, on the last node port of the first leaves of the unit that is a node short."""
    managers = ground.switches("ufm", ufm)
    ends = len(managers) * len(managers.ports)
    if ends > units.leaves_a_unit:
        raise CannotWireError(
            f"{ends} UFM ports need as many leaves of one unit, which has {units.leaves_a_unit}",
            "name fewer appliances",
        )
    free = next((n for n in range(units.count) if len(units.nodes) - n * units.size < units.size), None)
    if free is None:
        raise CannotWireError(
            f"{len(units.nodes)} nodes fill {units.count} x {units.size} places, no leaf port is left for UFM",
            "leave a node out, or make the units smaller than the leaf's ports",
        )
    port = units.ports[units.size * units.share - 1]
    return wires(
        "ufm-leaf",
        np.repeat(managers.devices, len(managers.ports)),
        np.tile(managers.ports, len(managers)),
        units.leaves[free, :ends],
        np.array([port]),
    )
