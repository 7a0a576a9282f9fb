"""Links without a cable: a missing answer stays missing, and is told on the sheets of both racks."""

from __future__ import annotations

from collections.abc import Iterator

from planner.cutsheet.content import End, Unresolved
from planner.cutsheet.index import Index


def unresolved_of(index: Index, rack: int) -> Iterator[Unresolved]:
    """The links of a rack that have no cable, near end first."""
    links = index.plan.links
    for link in index.open_links_of(rack):
        a = _end(index, rack, "a", int(links.a_device[link]), links.a_port[link])
        z = _end(index, rack, "z", int(links.z_device[link]), links.z_port[link])
        link_id = index.plan.link_ids[link]
        near, far = (a, z) if a.here else (z, a)
        yield Unresolved(link_id, near, far, tuple(index.errors.reasons(link_id, (near, far))))


def _end(index: Index, rack: int, name: str, number: int, port: str) -> End:
    device = index.plan.devices[number]
    return End(
        name=name,
        rack=index.plan.racks[device.rack].name,
        here=device.rack == rack,
        u=device.u,
        slot=index.places.slot(number),
        device=device.name,
        ports=(port,),
    )
