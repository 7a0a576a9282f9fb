"""What stands in the rear of a rack: 0U power strips, manifolds and busbars, which take their room from managers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.catalog.racks import Manager, Obstruction
from planner.layout import Layout, Rack
from planner.table import Ints


def obstructions_of(rack: Rack) -> tuple[Obstruction, ...]:
    """The type's own, then what was added to the rack."""
    return (*rack.type.rear_zone, *rack.rear_zone)


def taken_um2(thing: Obstruction, manager: Manager) -> int:
    """What of a manager's section an obstruction takes where it stands."""
    width, depth = manager.section_mm
    across = _overlap(thing.x_mm, (manager.x_mm - width // 2, manager.x_mm + width // 2))
    along = _overlap(thing.y_mm, (manager.y_mm - depth // 2, manager.y_mm + depth // 2))
    return across * along


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> int:
    return max(0, min(one[1], other[1]) - max(one[0], other[0]))


def in_manager(rack: Rack, manager: Manager) -> Iterator[tuple[Obstruction, int]]:
    """Obstructions that take room from a manager, and how much."""
    for thing in obstructions_of(rack):
        taken = taken_um2(thing, manager)
        if taken:
            yield thing, taken


def free_sections(layout: Layout, rack: Ints, manager: Ints, low_um: Ints, high_um: Ints) -> Ints:
    """Free section (um2) of managers of racks between two heights: the least of the stretch; 0 where nothing is left."""
    racks = layout.racks
    whole = np.zeros((len(racks), max((len(r.type.managers) for r in racks), default=1)), np.int64)
    for number, found in enumerate(racks):
        for place, kind in enumerate(found.type.managers):
            whole[number, place] = kind.section_mm[0] * kind.section_mm[1]
    free: Ints = whole[rack, manager].copy()
    crowded = np.array([bool(obstructions_of(r)) for r in racks] or [False])
    for number, place in np.unique(np.stack((rack, manager))[:, crowded[rack]], axis=1).T.tolist():
        kind = racks[number].type.managers[place]
        for thing, taken in in_manager(racks[number], kind):
            beside = (rack == number) & (manager == place) & (low_um < thing.z_mm[1]) & (high_um > thing.z_mm[0])
            free[beside] -= taken
    return np.maximum(free, 0)


def heights_where_it_changes(layout: Layout) -> tuple[Ints, Ints, Ints]:
    """Where the free section of a manager changes: rack, manager, height."""
    rows: list[tuple[int, int, int]] = [
        (number, place, height)
        for number, rack in enumerate(layout.racks)
        if rack.rear_zone or rack.type.rear_zone
        for place, manager in enumerate(rack.type.managers)
        for thing, _ in in_manager(rack, manager)
        for height in thing.z_mm
    ]
    columns = np.array(rows, np.int64).reshape(-1, 3).T
    return columns[0], columns[1], columns[2]
