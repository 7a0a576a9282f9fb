"""Cables that are worked on together: a bundle out of the rack, or a tier inside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from planner.cutsheet import order
from planner.cutsheet.content import CableRow, Group, Item, totals
from planner.cutsheet.index import Index
from planner.cutsheet.rows import PlannedRow, rows_of
from planner.names import natural_key

_Key = tuple[int, bool, int]
"""Phase, whether inside the rack, and the bundle or the code of the tier."""


def groups_of(index: Index, rack: int) -> Iterator[Group]:
    """The groups of a rack in the order of the work."""
    grouped: dict[_Key, list[CableRow]] = {}
    for planned in rows_of(index, rack):
        grouped.setdefault(_key(index, planned), []).append(planned.row)
    for key in sorted(grouped, key=lambda key: order.of_groups(key, grouped[key])):
        yield _group(index, key, grouped[key])


def _key(index: Index, planned: PlannedRow) -> _Key:
    """A cable in no phase comes last."""
    plan = index.plan
    phase = int(plan.cables.phase[planned.cable])
    phase = phase if phase >= 0 else len(plan.phases)
    if planned.row.other_racks:
        return (phase, False, planned.row.bundle)
    return (phase, True, int(plan.links.tier.codes[planned.link]))


def _group(index: Index, key: _Key, rows: Sequence[CableRow]) -> Group:
    number, is_inside, code = key
    phases = index.plan.phases
    phase = phases[number] if number < len(phases) else None
    racks = {rack for row in rows for rack in row.other_racks}
    return Group(
        phase=phase.name if phase else "",
        need_by=phase.need_by if phase else "",
        to=tuple(sorted(racks, key=natural_key)),
        tier=index.plan.links.tier.vocabulary[code] if is_inside else "",
        route=rows[0].route,
        bundle=rows[0].bundle,
        items=totals(Item(row.part, 1) for row in rows),
        rows=tuple(sorted(rows, key=order.in_group)),
        height_mm=index.pathway_mm.get(rows[0].route[0]) if rows[0].route else None,
    )
