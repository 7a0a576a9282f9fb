"""Fat tree of one to three tiers, full or with a blocking ratio: nodes on leaves as they come, every leaf to every spine.

With `spread` k the ports of a node go to k neighbouring leaves in equal shares. Several kinds of devices may stand on
the leaves (`ends`: clients and storage), each spread as evenly as it can be over all of them. Without devices it makes the
links between leaves and spines alone, for a fabric whose tiers run at different rates.
"""

from __future__ import annotations

from planner.generators.clos import above, above_of
from planner.generators.ground import SIZES, CannotWireError, Ground, NodePorts, Switches
from planner.generators.links import Wires, laid_together
from planner.generators.parameters import Ends, FatTree
from planner.generators.radix import shared_out, spoken_share
from planner.generators.wiring import in_groups, onto_leaves
from planner.table import Ints


def fat_tree(wanted: FatTree, ground: Ground) -> Wires:
    ends = [Ends.model_construct(devices=wanted.nodes, ports=wanted.ports)] if wanted.nodes is not None else wanted.ends
    named = {"nodes" if wanted.nodes is not None else f"ends {n}": end.devices for n, end in enumerate(ends, start=1)}
    switches = {"leaves": wanted.leaves, "spines": wanted.spines, "cores": wanted.cores}
    ground.known({**named, **switches}, of_any_model=named)
    leaves = ground.switches("leaves", wanted.leaves, wanted.leaf_cages, wanted.leaf_split)
    if wanted.spines is None and wanted.cores is not None:
        raise CannotWireError("cores stand above spines, and there are none", "name `spines`")
    if not ends and wanted.blocking is None and wanted.uplinks is None:
        below, higher = 0, len(leaves.ports)
    elif wanted.spines is None:
        below, higher = len(leaves.ports), 0
    else:
        below, higher = shared_out(leaves, wanted.blocking, wanted.uplinks)
    made = _ends(wanted, ends, leaves, below, ground)
    if wanted.spines is not None:
        over = above_of(wanted, wanted.spines, wanted.cores, ground)
        blocks = in_groups(leaves.devices, min(wanted.leaves_per_pod or len(leaves), len(leaves)))
        if len(blocks) > 1 and wanted.cores is None:
            raise CannotWireError(f"{len(blocks)} pods of leaves are apart unless cores join them", "name `cores`")
        made += above(leaves, blocks, leaves.ports[below : below + higher], over)
    elif len(leaves) > wanted.spread:
        raise CannotWireError(
            f"{len(leaves)} leaves stand apart, nothing joins them",
            "name `spines`, or `spread` each node over all leaves",
        )
    if not made:
        raise CannotWireError(
            "there are neither devices below the leaves nor spines above them", "name `nodes` or `spines`"
        )
    return laid_together(made)


def _ends(wanted: FatTree, ends: list[Ends], leaves: Switches, below: int, ground: Ground) -> list[Wires]:
    """Each kind of device evenly over the groups of leaves, its places behind those of the kinds before it."""
    if len(leaves) % wanted.spread:
        raise CannotWireError(
            f"{len(leaves)} leaves do not divide into groups of {wanted.spread}",
            f"name a multiple of {wanted.spread} leaves",
        )
    groups = leaves.devices.reshape(-1, wanted.spread)
    placed: list[tuple[NodePorts, int, int]] = []
    taken = 0
    for end in ends:
        nodes = ground.node_ports("nodes", end.devices, end.ports)
        if nodes.each % wanted.spread:
            raise CannotWireError(
                f"{nodes.each} ports of a `{nodes.model}` do not divide by a spread over {wanted.spread} leaves",
                "take a spread that divides them, or name the ports",
            )
        a_group = -(-len(nodes) // len(groups))
        if wanted.nodes_per_leaf is not None and wanted.nodes is not None:
            a_group = _quota(wanted.nodes_per_leaf, nodes, groups)
        placed.append((nodes, a_group, taken))
        taken += a_group * (nodes.each // wanted.spread)
    if taken > below:
        summed = " + ".join(f"{len(nodes)} x {nodes.each}" for nodes, _, _ in placed)
        total = sum(len(nodes) * nodes.each for nodes, _, _ in placed)
        what = "nodes" if wanted.nodes is not None else "devices"
        raise CannotWireError(
            f"{what} with {summed} = {total} ports need {taken} ports on a leaf, "
            f"{spoken_share(leaves, wanted.blocking, wanted.uplinks, below)}",
            f"take {-(-total // below)} leaves or more, or another ratio" if below else SIZES,
        )
    return [
        onto_leaves("node-leaf", nodes, groups, leaves.ports[:below], a_group, begin)
        for nodes, a_group, begin in placed
    ]


def _quota(nodes_per_leaf: int, nodes: NodePorts, groups: Ints) -> int:
    if nodes_per_leaf * len(groups) < len(nodes):
        places = nodes_per_leaf * len(groups)
        where = "leaves" if groups.shape[1] == 1 else f"groups of {groups.shape[1]} leaves"
        raise CannotWireError(
            f"{len(nodes)} nodes need {-(-len(nodes) // nodes_per_leaf)} {where} of {nodes_per_leaf}; {len(groups)} have {places} places"
        )
    return nodes_per_leaf
