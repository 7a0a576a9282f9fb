"""The plugs of a rack, device by device from the top down, and the cable at each port of their cages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from planner.cutsheet.content import DevicePlugs, PlugRow
from planner.cutsheet.index import Index
from planner.cutsheet.order import cached_key, from_the_top


def devices_of(index: Index, rack: int) -> Iterator[DevicePlugs]:
    """The devices of a rack that have plugs."""
    devices, places = index.plan.devices, index.places
    plugs = _plugs_by_device(index, rack)
    for number in sorted(plugs, key=lambda number: from_the_top(places.slot(number), devices[number].name)):
        device = devices[number]
        ordered = sorted(plugs[number], key=lambda plug: cached_key(plug.cage))
        face = places.face(number, ordered[0].cage)
        yield DevicePlugs(device.name, device.model, device.u, device.height_u, face, tuple(ordered))


def _plugs_by_device(index: Index, rack: int) -> dict[int, list[PlugRow]]:
    plan, plugs = index.plan, index.plan.plugs
    rows = index.plugs_of_rack.rows([rack]).tolist()
    links = index.links_of_plug.by_key(rows)
    found: dict[int, list[PlugRow]] = {}
    for row in rows:
        device, cage, part = int(plugs.device[row]), plugs.cage[row], plan.parts[int(plugs.part[row])]
        cables = _cables_by_half(index, device, cage, plan.plug_links.link[links[row]].tolist())
        size = max(len(cables) + int(plugs.free_halves[row]), *cables, 0)
        of_device = found.setdefault(device, [])
        of_device.append(
            PlugRow(
                cage=cage,
                part=part,
                cables=tuple(cables.get(half, 0) for half in range(1, size + 1)),
                is_own=part.category != "transceiver",
                is_second=any(other.cage == cage for other in of_device),
            )
        )
    return found


def _cables_by_half(index: Index, device: int, cage: str, links: Sequence[int]) -> dict[int, int]:
    """IDs of the cables of a plug by the place of their port in the cage."""
    plan, table = index.plan, index.plan.links
    found = {}
    for link in links:
        is_a = int(table.a_device[link]) == device and table.a_cage[link] == cage
        half = int((table.a_half if is_a else table.z_half)[link])
        found[half] = int(plan.cables.cable_id[int(table.cable[link])])
    return found
