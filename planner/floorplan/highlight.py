"""What is marked on a floor plan: the racks and pathways of one link, cable, tier, phase or rack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

import numpy as np

from planner.floorplan.shapes import Area, Pathway, Rack
from planner.names import fold
from planner.plan import Plan
from planner.table import Ints

MARK: Final = "marked"


class UnknownMarkError(Exception):
    """Nothing in the plan has this name; the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """title: what is marked, in words. racks, pathways: their names."""

    title: str
    racks: frozenset[str]
    pathways: frozenset[str]

    def areas(self, racks: Iterable[Rack], pathways: Iterable[Pathway]) -> Iterator[Area]:
        """Outlines to be drawn over all others: of whole pathways, since the plan keeps names and no stretches of a way."""
        for pathway in pathways:
            if pathway.name in self.pathways:
                yield Area(MARK, pathway.outline)
        for rack in racks:
            if rack.name in self.racks:
                x, y, wide, deep = rack.box
                yield Area(MARK, ((x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep)))


def highlight_of(plan: Plan, name: str) -> Highlight:
    """What a name marks, without case: a link ID, a cable ID, a tier (`fabric/tier`, globs allowed), a phase or a rack.

    Raises UnknownMarkError.
    """
    for kind, find in (("link", _link), ("cable", _cable), ("tier", _tier), ("phase", _phase), ("rack", _rack)):
        rows = find(plan, name)
        if len(rows):
            return _highlight(plan, kind, name, rows)
    raise UnknownMarkError(
        f"`{name}` is no link, cable, tier (fabric/tier), phase or rack of this plan with links to mark"
    )


def _highlight(plan: Plan, kind: str, name: str, rows: Ints) -> Highlight:
    links = plan.links
    devices = {*links.a_device[rows].tolist(), *links.z_device[rows].tolist()}
    racks = {plan.racks[plan.devices[device].rack].name for device in devices}
    routes = {route for route in links.route[rows].tolist() if route >= 0}
    pathways = {one for route in routes for one in plan.routes.pathways[route].split(";")}
    count = f"{len(rows):,} link{'' if len(rows) == 1 else 's'}"
    said = (
        f"Marked: {kind} {name}, {count}; its racks, and whole pathways that it uses"
        if kind != "link"
        else (f"Marked: link {name}; its racks, and whole pathways that it uses")
    )
    return Highlight(said, frozenset(racks), frozenset(pathways))


def _link(plan: Plan, name: str) -> Ints:
    if "--" not in name:
        return np.zeros(0, np.int64)
    wanted = fold(name)
    return np.array([row for row, link in enumerate(plan.link_ids) if fold(link) == wanted], np.int64)


def _cable(plan: Plan, name: str) -> Ints:
    """The links of a cable's assembly: a link names the first cable of it."""
    if not name.isdecimal():
        return np.zeros(0, np.int64)
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
