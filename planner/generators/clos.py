"""What stands above the leaves of a Clos fabric: spines by pod and rail, cores by the spine's place in its group.

A spine group is what all leaves of a block are joined to. Spine number g of every group goes to core group g, so that
any two pods meet at every core of the group, and a path up and down passes spines of the same number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.generators.ground import Ground, Switches
from planner.generators.links import Wires
from planner.generators.parameters import Cores, Rails, Uplinks
from planner.generators.radix import Shares, shared_out
from planner.generators.wiring import all_to_all, evenly
from planner.table import Ints


@dataclass(frozen=True, slots=True)
class Above:
    """Switches over the leaves, with how their ports are shared; cores: none in two tiers."""

    spines: Switches
    cores: Switches | None = None
    blocking: Shares | None = None
    uplinks: int | None = None
    by_rail: bool = False
    """Each rail has cores of its own; the groups of spines then follow each other rail by rail in every pod."""


def above(leaves: Switches, blocks: Ints, up: Ints, over: Above, rails: int = 1) -> list[Wires]:
    """Links over the leaves: blocks are the leaves that share spines, [block, place], pod by pod and rail by rail."""
    spines, cores = over.spines, over.cores
    groups = evenly(spines, len(blocks), "groups of leaves")
    if cores is None:
        return [all_to_all("leaf-spine", leaves, blocks, up, spines, groups, spines.ports)]
    below, higher = shared_out(spines, over.blocking, over.uplinks)
    made = [all_to_all("leaf-spine", leaves, blocks, up, spines, groups, spines.ports[:below])]
    if over.by_rail:
        meeting = groups.reshape(-1, rails, groups.shape[1]).transpose(1, 2, 0).reshape(-1, len(groups) // rails)
    else:
        meeting = groups.T
    tops = evenly(cores, len(meeting), "core groups")
    facing = spines.ports[below : below + higher]
    return [*made, all_to_all("spine-core", spines, np.ascontiguousarray(meeting), facing, cores, tops, cores.ports)]


def above_of(wanted: Uplinks, spines: Sequence[str], cores: Sequence[str] | None, ground: Ground) -> Above:
    """The switches over the leaves, looked up."""
    over = ground.switches("spines", spines, wanted.spine_cages, wanted.spine_split)
    if cores is None or not isinstance(wanted, Cores):
        return Above(over)
    top = ground.switches("cores", cores, wanted.core_cages, wanted.core_split)
    by_rail = isinstance(wanted, Rails) and wanted.core_group == "rail"
    return Above(over, top, wanted.core_blocking, wanted.core_uplinks, by_rail)
