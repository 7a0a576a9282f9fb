"""Switches that hosts hang on, as in dragonflies and grids: nodes in equal shares, all ports of a node on one switch."""

from __future__ import annotations

import numpy as np

from planner.generators.ground import CannotWireError, Ground, Switches
from planner.generators.links import Wires
from planner.generators.parameters import Dragonfly, DragonflyPlus, Grid
from planner.generators.wiring import onto_leaves, places
from planner.table import Ints


def hosted(wanted: Dragonfly | DragonflyPlus | Grid, switches: Switches, ground: Ground) -> tuple[list[Wires], int]:
    """Links of the nodes, and how many ports of a switch are taken by them, up to a whole cage.

    The first switches have `nodes_per_switch` each, by default as few as it takes for all to have about the same.
    """
    if wanted.nodes is None:
        return [], 0
    nodes = ground.node_ports("nodes", wanted.nodes, wanted.ports)
    each = wanted.nodes_per_switch or -(-len(nodes) // len(switches))
    if each * len(switches) < len(nodes):
        raise CannotWireError(
            f"{len(nodes)} nodes need {-(-len(nodes) // each)} {switches.role} of {each}; "
            f"{len(switches)} have {each * len(switches)}"
        )
    cage = switches.ports_a_cage
    taken = -(-each * nodes.each // cage) * cage
    if taken > len(switches.ports):
        raise CannotWireError(
            f"{each} nodes x {nodes.each} ports need {each * nodes.each} ports on each {switches.one}, "
            f"`{switches.chassis.id}` has {len(switches.ports)}"
        )
    return [onto_leaves(f"node-{switches.one}", nodes, switches.devices[:, None], switches.ports, each)], taken


def connections(switches: Switches, begin: int, count: int, width: int) -> Ints:
    """Ports of `count` connections of `width` parallel links each, [connection, link], from a port that begins a cage."""
    return switches.ports[begin + places(count, width, switches.ports_a_cage)]


def peers(count: int) -> Ints:
    """Slot of each other one at each of `count` switches that are all joined, [switch, other]; -1 for itself."""
    one, other = np.arange(count)[:, None], np.arange(count)[None, :]
    return np.where(one == other, -1, np.where(other < one, other, other - 1))
