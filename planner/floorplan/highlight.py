"""What is marked on a floor plan: the way of one link; the racks and pathways of a cable, tier, phase or rack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

import numpy as np

from planner.floorplan.shapes import Area, Line, Pathway, Rack, Ring
from planner.names import fold
from planner.plan import Plan
from planner.table import Ints
from planner.units import mm_half_up

MARK: Final = "mark"
WAY: Final = "way"


class UnknownMarkError(Exception):
    """Nothing in the plan has this name; the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """title: what is marked, in words. racks, pathways: their names. way: of one link, from port to port."""

    title: str
    racks: frozenset[str]
    pathways: frozenset[str]
    way: Ring = ()

    def marks(self, racks: Iterable[Rack], pathways: Iterable[Pathway]) -> Iterator[Area | Line]:
        """What is drawn over all else: a link's way, else whole pathways, since the plan keeps names and no stretches."""
        for pathway in pathways:
            if pathway.name in self.pathways and not self.way:
                yield Area(MARK, pathway.outline)
        for rack in racks:
            if rack.name in self.racks:
                x, y, wide, deep = rack.box
                yield Area(MARK, ((x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep)))
        if self.way:
            yield Line(WAY, self.way)


def highlight_of(plan: Plan, name: str) -> Highlight:
    """What a name marks, without case: a link ID, a cable ID, a tier (`fabric/tier`, globs allowed), a phase or a rack.

    Raises UnknownMarkError.
    """
    kind, rows = named(plan, name)
    return _highlight(plan, kind, name, rows)


def named(plan: Plan, name: str) -> tuple[str, Ints]:
    """The kind of thing that a name means, and its links. Raises UnknownMarkError."""
    for kind, find in (("link", _link), ("cable", _cable), ("tier", _tier), ("phase", _phase), ("rack", _rack)):
        rows = find(plan, name)
        if len(rows):
            return kind, rows
    raise UnknownMarkError(
        f"`{name}` is no link, cable, tier (fabric/tier), phase or rack of this plan with links to mark"
    )


def _highlight(plan: Plan, kind: str, name: str, rows: Ints) -> Highlight:
    links = plan.links
    devices = {*links.a_device[rows].tolist(), *links.z_device[rows].tolist()}
    racks = {plan.racks[plan.devices[device].rack].name for device in devices}
    routes = {route for route in links.route[rows].tolist() if route >= 0}
    pathways = {one for route in routes for one in plan.routes.pathways[route].split(";")}
    if kind == "link":
        way = _way(plan, int(rows[0]))
        told = "its racks, and its way from port to port" if way else "its racks, and whole pathways that it uses"
        return Highlight(f"Marked: link {name}; {told}", frozenset(racks), frozenset(pathways), way)
    count = f"{len(rows):,} link{'' if len(rows) == 1 else 's'}"
    title = f"Marked: {kind} {name}, {count}; its racks, and whole pathways that it uses"
    return Highlight(title, frozenset(racks), frozenset(pathways))


def _way(plan: Plan, row: int) -> Ring:
    """The corners of a link's way, as `explain` finds it again; none for an unresolved link."""
    from planner.explain.answers import explain_link

    walk = explain_link(plan, row).walk if plan.links.cable[row] >= 0 else None
    points = [(mm_half_up(x), mm_half_up(y)) for x, y, _ in walk.points_um] if walk else []
    return tuple(point for n, point in enumerate(points) if n == 0 or point != points[n - 1])


def _link(plan: Plan, name: str) -> Ints:
    if "--" not in name:
        return np.zeros(0, np.int64)
    wanted = fold(name)
    return np.array([row for row, link in enumerate(plan.link_ids) if fold(link) == wanted], np.int64)


def _cable(plan: Plan, name: str) -> Ints:
    """The links of a cable's assembly, of which a link names the first cable; of a trunk those that run through it."""
    if not name.isdecimal():
        return np.zeros(0, np.int64)
    through = np.isin(plan.link_cables.cable, np.flatnonzero(plan.cables.cable_id == int(name)))
    if through.any():
        return np.unique(plan.link_cables.link[through])
    assembly = plan.cables.assembly_id[plan.cables.cable_id == int(name)]
    return np.flatnonzero(np.isin(plan.links.cable, np.flatnonzero(np.isin(plan.cables.cable_id, assembly))))


def _tier(plan: Plan, name: str) -> Ints:
    links, wanted = plan.links, fold(name)
    pairs = [
        (fabric, code)
        for fabric, its in enumerate(plan.fabrics)
        for code, tier in enumerate(links.tier.vocabulary)
        if fnmatchcase(fold(f"{its.name}/{tier}"), wanted)
    ]
    hit = np.zeros(len(links), bool)
    for fabric, code in pairs:
        hit |= (links.fabric == fabric) & (links.tier.codes == code)
    return np.flatnonzero(hit)


def _phase(plan: Plan, name: str) -> Ints:
    numbers = [number for number, phase in enumerate(plan.phases) if fold(phase.name) == fold(name)]
    return np.flatnonzero(np.isin(plan.links.phase, numbers))


def _rack(plan: Plan, name: str) -> Ints:
    racks = {number for number, rack in enumerate(plan.racks) if fold(rack.name) == fold(name)}
    devices = [number for number, device in enumerate(plan.devices) if device.rack in racks]
    return np.flatnonzero(np.isin(plan.links.a_device, devices) | np.isin(plan.links.z_device, devices))
