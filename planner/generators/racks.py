"""Leaf-spine by racks: a leaf in every rack takes the nodes of that rack; clusters of racks share spines, cores join clusters.

Nodes of a rack follow each other in the order of their names, each with all of its ports, so that the cages of a node
face cages of the leaf. Unless told otherwise a leaf has as many uplinks as the fullest rack has node ports.
"""

from __future__ import annotations

import numpy as np

from planner.generators.clos import above, above_of
from planner.generators.ground import CannotWireError, Ground, NodePorts, Switches
from planner.generators.links import Wires, laid_together, wires
from planner.generators.parameters import LeafSpine
from planner.generators.wiring import in_groups
from planner.names import quoted_list
from planner.table import Ints


def leaf_spine(wanted: LeafSpine, ground: Ground) -> Wires:
    ground.known({"nodes": wanted.nodes, "leaves": wanted.leaves, "spines": wanted.spines, "cores": wanted.cores})
    if wanted.spines is None and wanted.cores is not None:
        raise CannotWireError("cores stand above spines, and there are none", "name `spines`")
    leaves = ground.switches("leaves", wanted.leaves, wanted.leaf_cages, wanted.leaf_split)
    nodes = ground.node_ports("nodes", wanted.nodes, wanted.ports)
    leaf, place = _in_racks(nodes, leaves, ground)
    used = (int(place.max()) + 1) * nodes.each
    higher = _uplinks(wanted, used, leaves) if wanted.spines is not None else 0
    below = (len(leaves.ports) - higher) // leaves.ports_a_cage * leaves.ports_a_cage
    if used > below:
        rack = ground.layout.racks[ground.layout.devices[int(leaf[int(np.argmax(place))])].rack].name
        above_it = f" beside {higher} uplinks" if higher else ""
        raise CannotWireError(
            f"the {int(place.max()) + 1} nodes of rack `{rack}` need {used} ports{above_it}, "
            f"a `{leaves.chassis.id}` has {len(leaves.ports)}",
            "set `uplinks` or a `blocking` ratio" if wanted.spines is not None else "put fewer nodes into a rack",
        )
    column = np.arange(nodes.each)[None, :]
    made = [
        wires(
            "node-leaf",
            nodes.devices[:, None],
            nodes.ports,
            leaf[:, None],
            leaves.ports[place[:, None] * nodes.each + column],
        )
    ]
    if wanted.spines is None:
        return made[0]
    over = above_of(wanted, wanted.spines, wanted.cores, ground)
    blocks = in_groups(leaves.devices, min(wanted.racks_per_pod or len(leaves), len(leaves)))
    if len(blocks) > 1 and wanted.cores is None:
        raise CannotWireError(f"{len(blocks)} clusters of racks are apart unless cores join them", "name `cores`")
    return laid_together([*made, *above(leaves, blocks, leaves.ports[below : below + higher], over)])


def _in_racks(nodes: NodePorts, leaves: Switches, ground: Ground) -> tuple[Ints, Ints]:
    """Each node's leaf, and its place among the nodes of its rack."""
    layout = ground.layout
    rack = np.array([device.rack for device in layout.devices], np.int64)
    of_rack: dict[int, int] = {}
    for device in leaves.devices.tolist():
        first = of_rack.setdefault(int(rack[device]), device)
        if first != device:
            raise CannotWireError(
                f"rack `{layout.racks[int(rack[device])].name}` has two leaves, "
                f"`{layout.devices[first].name}` and `{layout.devices[device].name}`",
                "name one leaf a rack; `dual-tor` takes two",
            )
    here = rack[nodes.devices]
    bare = [number for number in dict.fromkeys(here.tolist()) if number not in of_rack]
    if bare:
        names = quoted_list(layout.racks[number].name for number in bare)
        raise CannotWireError(
            f"{'rack' if len(bare) == 1 else 'racks'} {names} {'has' if len(bare) == 1 else 'have'} nodes and no leaf",
            "place one of the `leaves` there",
        )
    order = np.argsort(here, kind="stable")
    starts = np.flatnonzero(np.concatenate(([True], here[order][1:] != here[order][:-1])))
    place = np.empty(len(here), np.int64)
    place[order] = np.arange(len(here)) - np.repeat(starts, np.diff([*starts.tolist(), len(here)]))
    return np.array([of_rack[number] for number in here.tolist()], np.int64), place


def _uplinks(wanted: LeafSpine, used: int, leaves: Switches) -> int:
    if wanted.uplinks is not None:
        if wanted.uplinks > len(leaves.ports):
            raise CannotWireError(
                f"{wanted.uplinks} uplinks are more than the {len(leaves.ports)} ports of `{leaves.chassis.id}`"
            )
        return wanted.uplinks
    down, up = wanted.blocking or (1, 1)
    cages = -(-used * up // (down * leaves.ports_a_cage))
    return cages * leaves.ports_a_cage
