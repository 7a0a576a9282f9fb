"""Rows of a rack's cables: near end, far ends, the way between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from planner.cutsheet.content import CableRow, End
from planner.cutsheet.ends import ends_by_cable
from planner.cutsheet.index import Index
from planner.cutsheet.remarks import remarks
from planner.plan import ABSENT


class PlannedRow(NamedTuple):
    """A row with the places of its cable and its cable's first link in the plan, ABSENT for a trunk that holds reserve alone."""

    cable: int
    link: int
    row: CableRow


def rows_of(index: Index, rack: int) -> Iterator[PlannedRow]:
    """Rows of a rack's cables, in the order of the plan."""
    cables = sorted(set(index.plan.ends.cable[index.ends_of_rack.rows([rack])].tolist()))
    links = index.links_by_cable(cables)
    ends = ends_by_cable(index, rack, cables)
    for cable in cables:
        head = ends[cable][0]
        for near, far in _near_and_far(ends[cable]):
            row = _row(index, cable, links[cable], near, far, "" if head.here else head.rack)
            yield PlannedRow(cable, links[cable][0] if links[cable] else ABSENT, row)


def _near_and_far(ends: Sequence[End]) -> Iterator[tuple[End, tuple[End, ...]]]:
    """Near and far ends of a cable's rows on a sheet.

    The first end is the head of a splitter, the others its legs; a leg is a row of its own only where the head is elsewhere.
    """
    head, *tails = ends
    if head.here:
        yield head, tuple(tails)
        return
    for tail in tails:
        if tail.here:
            yield tail, (head,)


def _row(index: Index, cable: int, links: Sequence[int], near: End, far: tuple[End, ...], lands_from: str) -> CableRow:
    plan, cables = index.plan, index.plan.cables
    return CableRow(
        cable_id=int(cables.cable_id[cable]),
        part=plan.parts[int(cables.part[cable])],
        route=_route(index, cable, links, near),
        bundle=int(cables.bundle[cable]),
        near=near,
        far=far,
        lands_from=lands_from,
        other_racks=tuple(dict.fromkeys(end.rack for end in far if end.is_used and not end.here)),
        measured_mm=max((int(plan.links.measured_mm[link]) for link in links), default=ABSENT),
        is_pinned=not index.pinned.isdisjoint(links),
        remarks=(
            *index.errors.at_links(links),
            *dict.fromkeys(text for link in links for text in index.remarked.get(link, ())),
            *remarks(near, far),
        ),
    )


def _route(index: Index, cable: int, links: Sequence[int], near: End) -> tuple[str, ...]:
    """Pathways from the near end."""
    route = int(index.plan.cables.route[cable])
    if route < 0:
        return ()
    names = tuple(index.plan.routes.pathways[route].split(";"))
    return names if _begins_at(index, cable, links, near) else names[::-1]


def _begins_at(index: Index, cable: int, links: Sequence[int], near: End) -> bool:
    """Whether the route of a cable begins at this end: told from its first link's `a`, and from its own over panels."""
    plan = index.plan
    if cable in index.over_panels:
        return near.name == "a"
    link = links[0]
    a, z = plan.devices[int(plan.links.a_device[link])], plan.devices[int(plan.links.z_device[link])]
    return near.device == a.name or (a.rack != z.rack and plan.racks[a.rack].name == near.rack)
