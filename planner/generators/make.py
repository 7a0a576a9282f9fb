"""From what stands under `generate` to links: the generator of each kind, and its refusals as faults."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from planner.findings import Fault, Spot
from planner.generators.dragonfly import dragonfly, dragonfly_plus
from planner.generators.fat_tree import fat_tree
from planner.generators.grid import grid
from planner.generators.ground import CannotWireError, Ground, UnknownDevicesError
from planner.generators.links import Wires
from planner.generators.management import management
from planner.generators.parameters import Generate
from planner.generators.planes import dual_tor, multi_plane
from planner.generators.racks import leaf_spine
from planner.generators.rail_optimized import rail_only, rail_optimized
from planner.generators.two_switch_core import two_switch_core
from planner.layout import Layout
from planner.names import fold
from planner.table import Words

_MAKERS: Final[dict[str, Callable[[Any, Ground], Wires]]] = {
    "rail-optimized": rail_optimized,
    "rail-only": rail_only,
    "dual-plane": multi_plane,
    "multi-plane": multi_plane,
    "dual-tor": dual_tor,
    "fat-tree": fat_tree,
    "leaf-spine": leaf_spine,
    "two-switch-core": two_switch_core,
    "management": management,
    "dragonfly": dragonfly,
    "dragonfly-plus": dragonfly_plus,
    "torus": grid,
    "mesh": grid,
    "hyperx": grid,
}


def generated(
    wanted: Generate, layout: Layout, forms: Sequence[str], at: Spot, *, follow_up: bool
) -> tuple[Wires | None, list[Fault]]:
    """The links of a generator, or why there are none; forms: ids of the rate's forms; at: the generator's place.

    follow_up: whether the section of devices was read whole, so that an unknown one is worth a fault.
    """
    ground = Ground(layout, forms, at, follow_up)
    try:
        made = _named(_MAKERS[wanted.kind](wanted, ground), wanted.tiers)
    except UnknownDevicesError:
        return None, ground.faults
    except CannotWireError as refusal:
        ground.refuse(refusal.reason, refusal.advice)
        return None, ground.faults
    return made, ground.faults


def _named(made: Wires, tiers: Sequence[str] | None) -> Wires:
    """The tiers by the user's names; a generator that has nothing to join is refused here, whatever its kind."""
    if not len(made):
        raise CannotWireError("these devices have no links between them", "name more devices")
    if tiers is None:
        return made
    ours = made.tier.vocabulary
    if len(tiers) != len(ours):
        raise CannotWireError(
            f"{len(tiers)} of {len(ours)} tiers are named ({', '.join(f'`{tier}`' for tier in ours)})",
            "give each tier a name",
        )
    doubled = [tier for n, tier in enumerate(tiers) if fold(tier) in map(fold, tiers[:n])]
    if doubled:
        raise CannotWireError(f"`tiers` name `{doubled[0]}` twice", "give each tier a name of its own")
    return replace(made, tier=Words(made.tier.codes, tuple(tiers)))
