"""Switches at the points of a grid: torus and mesh join neighbours along each axis, HyperX all switches of a line.

Ports are dealt out alike on every switch: nodes first, then for each axis the links upwards (to the next coordinate) and
those downwards. The upward ports of a switch face the downward ports of its neighbour. A torus closes axes of three and
more; an axis of two has the one link that it has anyway. In a HyperX the ports of an axis follow the coordinate of the other
end. Source of HyperX: Ahn and others, HyperX: topology, routing and packaging of efficient large-scale networks (SC 2009).
"""

from __future__ import annotations

from math import prod

import numpy as np

from planner.generators.ground import CannotWireError, Ground
from planner.generators.hosted import connections, hosted, peers
from planner.generators.links import Wires, laid_together, wires
from planner.generators.parameters import Grid
from planner.table import Ints


def grid(wanted: Grid, ground: Ground) -> Wires:
    ground.known({"nodes": wanted.nodes, "switches": wanted.switches})
    switches = ground.switches("switches", wanted.switches, wanted.switch_cages, wanted.switch_split)
    axes = wanted.axes
    if prod(axes) != len(switches):
        shown = " x ".join(map(str, axes))
        raise CannotWireError(
            f"a grid of {shown} has {prod(axes)} points, {len(switches)} switches are named",
            f"name {prod(axes)} switches",
        )
    made, taken = hosted(wanted, switches, ground)
    width = wanted.links or switches.ports_a_cage
    directions = [size - 1 if wanted.kind == "hyperx" else 2 if size > 1 else 0 for size in axes]
    needed = taken + width * sum(directions)
    if needed > len(switches.ports):
        raise CannotWireError(
            f"{taken} ports for nodes and {sum(directions)} connections x {width} links need {needed} ports on each switch, "
            f"`{switches.chassis.id}` has {len(switches.ports)}"
        )
    if prod(axes) == 1:
        raise CannotWireError("a grid of one switch has no links", "name more switches")
    ports = connections(switches, taken, sum(directions), width)
    begin = [sum(directions[:axis]) for axis in range(len(axes))]
    points = switches.devices.reshape(axes)
    for axis, size in enumerate(axes):
        if size > 1:
            # The axis last, and every line of the grid along it a row.
            lines = np.moveaxis(points, axis, -1).reshape(-1, size)
            of_axis = ports[begin[axis] : begin[axis] + directions[axis]]
            tier = f"axis-{axis + 1}"
            if wanted.kind == "hyperx":
                made.append(_all(tier, lines, of_axis))
            else:
                made.append(_neighbours(tier, lines, of_axis, closed=wanted.kind == "torus"))
    return laid_together(made)


def _neighbours(tier: str, lines: Ints, ports: Ints, *, closed: bool) -> Wires:
    """Each switch of a line to the next; ports: those upwards, those downwards."""
    size = lines.shape[1]
    here = np.arange(size if closed and size > 2 else size - 1)
    up, down = ports
    return wires(tier, lines[:, here, None], up[None, None, :], lines[:, (here + 1) % size, None], down[None, None, :])


def _all(tier: str, lines: Ints, ports: Ints) -> Wires:
    """All switches of a line to each other; ports: by the other end's place among the others."""
    slot = peers(lines.shape[1])
    one, other = np.triu_indices(lines.shape[1], 1)
    return wires(
        tier,
        lines[:, one, None],
        ports[slot[one, other]][None, :, :],
        lines[:, other, None],
        ports[slot[other, one]][None, :, :],
    )
