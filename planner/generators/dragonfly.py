"""Dragonfly and dragonfly+: groups of switches, every group joined to every other by global links.

Global connections of a group are numbered through its switches: connection s goes to group G + 1 + (s mod (groups - 1)),
counted round, and meets there the connection that leads back; another round begins when all groups are reached. This is
the palm-tree arrangement. A connection is as many parallel links as a cage has ports, unless told otherwise.
Sources: Kim and others, Technology-driven, highly-scalable dragonfly topology (ISCA 2008); Shpiner and others,
Dragonfly+ (HiPINEB 2017).
"""

from __future__ import annotations

import numpy as np

from planner.generators.ground import CannotWireError, Ground, Switches
from planner.generators.hosted import connections, hosted, peers
from planner.generators.links import Wires, laid_together, wires
from planner.generators.parameters import Dragonfly, DragonflyPlus
from planner.generators.wiring import all_to_all, evenly
from planner.table import Ints


def dragonfly(wanted: Dragonfly, ground: Ground) -> Wires:
    ground.known({"nodes": wanted.nodes, "routers": wanted.routers})
    routers = ground.switches("routers", wanted.routers, wanted.router_cages, wanted.router_split)
    size = wanted.routers_per_group
    groups = _groups(routers, size)
    made, taken = hosted(wanted, routers, ground)
    local = wanted.local_links or routers.ports_a_cage
    reach, width, first = _reach(wanted, routers, groups, taken + (size - 1) * local)
    if size > 1:
        slot = peers(size)
        one, other = np.triu_indices(size, 1)
        ports = connections(routers, taken, size - 1, local)
        made.append(
            wires(
                "local",
                groups[:, one, None],
                ports[slot[one, other]][None, :, :],
                groups[:, other, None],
                ports[slot[other, one]][None, :, :],
            )
        )
    return laid_together([*made, *_global(groups, connections(routers, first, reach, width))])


def dragonfly_plus(wanted: DragonflyPlus, ground: Ground) -> Wires:
    ground.known({"nodes": wanted.nodes, "leaves": wanted.leaves, "spines": wanted.spines})
    leaves = ground.switches("leaves", wanted.leaves, wanted.leaf_cages, wanted.leaf_split)
    spines = ground.switches("spines", wanted.spines, wanted.spine_cages, wanted.spine_split)
    below, over = _groups(leaves, wanted.leaves_per_group), _groups(spines, wanted.spines_per_group)
    if len(below) != len(over):
        raise CannotWireError(
            f"{len(leaves)} leaves make {len(below)} groups of {wanted.leaves_per_group}, "
            f"{len(spines)} spines {len(over)} groups of {wanted.spines_per_group}"
        )
    made, taken = hosted(wanted, leaves, ground)
    width = wanted.local_links or leaves.ports_a_cage
    up = leaves.ports[taken : taken + width * over.shape[1]]
    if len(up) < width * over.shape[1]:
        raise CannotWireError(
            f"{taken} ports for nodes and {over.shape[1]} spines x {width} links need {taken + width * over.shape[1]} ports on "
            f"each leaf, `{leaves.chassis.id}` has {len(leaves.ports)}"
        )
    cage = spines.ports_a_cage
    down = -(-width * below.shape[1] // cage) * cage
    reach, wide, first = _reach(wanted, spines, over, down)
    made.append(all_to_all("leaf-spine", leaves, below, up, spines, over, spines.ports[:down]))
    return laid_together([*made, *_global(over, connections(spines, first, reach, wide))])


def _groups(switches: Switches, size: int) -> Ints:
    if len(switches) % size:
        raise CannotWireError(f"{len(switches)} {switches.role} do not divide into groups of {size}")
    return evenly(switches, len(switches) // size, "groups")


def _reach(wanted: Dragonfly | DragonflyPlus, switches: Switches, groups: Ints, taken: int) -> tuple[int, int, int]:
    """Global connections of a switch, links of each, and the first port that they take."""
    count, size = groups.shape
    width = wanted.global_links or switches.ports_a_cage
    reach = wanted.global_connections if wanted.global_connections is not None else -(-(count - 1) // size)
    cage = switches.ports_a_cage
    first = -(-taken // cage) * cage
    if first + reach * width > len(switches.ports):
        raise CannotWireError(
            f"{taken} ports below and inside the group and {reach} global connections x {width} links need "
            f"{first + reach * width} ports on each {switches.one}, `{switches.chassis.id}` has {len(switches.ports)}"
        )
    if reach * size < count - 1:
        raise CannotWireError(
            f"{count} groups need {count - 1} global connections of each; {size} {switches.role} x {reach} have {reach * size}",
            f"give each {switches.one} {-(-(count - 1) // size)} global connections",
        )
    return reach, width, first


def _global(groups: Ints, ports: Ints) -> list[Wires]:
    """Links between groups, each stated once, from the group of the smaller number; ports: of a switch, by connection."""
    count, size = groups.shape
    if count == 1:
        return []
    reach = len(ports)
    rounds = reach * size // (count - 1)
    here, step, turn = (axis.ravel() for axis in np.indices((count, count - 1, rounds)))
    there = (here + 1 + step) % count
    slot, back = turn * (count - 1) + step, turn * (count - 1) + (count - 2 - step)
    once = np.flatnonzero(here < there)
    here, there, slot, back = here[once], there[once], slot[once], back[once]
    return [
        wires(
            "global",
            groups[here, slot // reach][:, None],
            ports[slot % reach],
            groups[there, back // reach][:, None],
            ports[back % reach],
        )
    ]
