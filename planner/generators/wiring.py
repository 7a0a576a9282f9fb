"""The two ways in which ports are dealt out: every lower switch to every upper one, and nodes onto leaves.

The rules are the same in every generator, and a technician can say them: the same leaf port goes to the same spine on
every leaf; parallel links lie cage by cage, whole cages first; a spine takes its leaves in their order.
"""

from __future__ import annotations

import numpy as np

from planner.generators.ground import CannotWireError, NodePorts, Switches
from planner.generators.links import Wires, wires
from planner.generators.radix import bundle, links_a_pair
from planner.table import Ints


def places(others: int, width: int, whole: int) -> Ints:
    """Positions of `width` parallel links to each of `others` switches, in a switch's list of ports.

    Bundles of `whole` links come first, switch after switch; what is left of each pair follows behind them all, so that
    an odd link never shifts the bundles out of their cages.
    """
    bundled = width // whole * whole
    other, k = np.arange(others)[:, None], np.arange(width)[None, :]
    rest = width - bundled
    return np.where(k < bundled, other * bundled + k, others * bundled + other * rest + k - bundled)


def all_to_all(tier: str, lower: Switches, groups: Ints, up: Ints, upper: Switches, over: Ints, down: Ints) -> Wires:
    """Every switch of a group to every one of the group above it.

    groups: devices below, [group, place], -1 where a group is short of one; over: devices above, [group, place]. up, down:
    ports of a lower switch that face up, of an upper one that face down.
    """
    count, upper_count = groups.shape[1], over.shape[1]
    width = links_a_pair(lower, count, len(up), upper, upper_count, len(down))
    whole = bundle(lower, upper)
    a_port = up[places(upper_count, width, whole)]
    z_port = down[places(count, width, whole)]
    return wires(
        tier,
        groups[:, :, None, None],
        a_port[None, None, :, :],
        over[:, None, :, None],
        z_port[None, :, None, :],
    )


def onto_leaves(tier: str, nodes: NodePorts, leaves: Ints, ports: Ints, a_group: int, begin: int = 0) -> Wires:
    """Nodes onto groups of leaves, `a_group` nodes each: a node's ports in equal shares, in their order, on the group's leaves.

    leaves: devices, [group, place]; ports: of a leaf, for nodes; begin: the first of them that is free.
    """
    share = nodes.each // leaves.shape[1]
    node, port = np.arange(len(nodes))[:, None], np.arange(nodes.each)[None, :]
    group, place = np.divmod(node, a_group)
    return wires(
        tier,
        nodes.devices[:, None],
        nodes.ports,
        leaves[group, port // share],
        ports[begin + place * share + port % share],
    )


def in_groups(devices: Ints, size: int) -> Ints:
    """Devices in groups of a size, [group, place], the last one filled up with -1."""
    count = -(-len(devices) // size)
    padded = np.full(count * size, -1, np.int64)
    padded[: len(devices)] = devices
    return padded.reshape(count, size)


def evenly(devices: Switches, groups: int, what: str) -> Ints:
    """Devices in as many groups of one size, [group, place]; what: the groups, for the refusal."""
    if len(devices) % groups:
        raise CannotWireError(
            f"{len(devices)} {devices.role} do not divide by {groups} {what}",
            f"name a multiple of {groups} {devices.role}",
        )
    return devices.devices.reshape(groups, -1)
