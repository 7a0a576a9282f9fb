"""Management ports of many devices on switches of one tier: dealt round, filled up one after the other, or rack by rack."""

from __future__ import annotations

import numpy as np

from planner.generators.ground import CannotWireError, Ground, Switches
from planner.generators.links import Wires, wires
from planner.generators.parameters import Management
from planner.names import quoted_list
from planner.table import Ints


def management(wanted: Management, ground: Ground) -> Wires:
    named = {f"ends {number}": end.devices for number, end in enumerate(wanted.ends, start=1)}
    ground.known({**named, "switches": wanted.switches}, of_any_model=named)
    switches = ground.switches("switches", wanted.switches, wanted.switch_cages, wanted.switch_split)
    devices, ports = _ends(wanted, ground)
    count, places = len(switches), len(switches.ports)
    number = np.arange(len(devices))
    if wanted.order == "rack":
        switch, place = _by_rack(devices, switches, ground)
    else:
        if len(devices) > count * places:
            raise CannotWireError(
                f"{len(devices)} ports need as many on the switches; {count} `{switches.chassis.id}` x {places} have {count * places}",
                f"declare and name {-(-len(devices) // places)} switches",
            )
        switch, place = (
            (number % count, number // count) if wanted.order == "round-robin" else np.divmod(number, places)
        )
    return wires("management", devices, ports, switches.devices[switch], switches.ports[place])


def _ends(wanted: Management, ground: Ground) -> tuple[Ints, Ints]:
    """Every port in the order of the lists: device by device, each device's ports one after the other."""
    found = [ground.node_ports("ends", end.devices, end.ports) for end in wanted.ends]
    return (
        np.concatenate([np.repeat(nodes.devices, nodes.each) for nodes in found]),
        np.concatenate([nodes.ports.ravel() for nodes in found]),
    )


def _by_rack(devices: Ints, switches: Switches, ground: Ground) -> tuple[Ints, Ints]:
    """Each port's switch, the first of its rack with a port free, and the place there."""
    layout = ground.layout
    of_rack: dict[int, list[int]] = {}
    for number, device in enumerate(switches.devices.tolist()):
        of_rack.setdefault(layout.devices[device].rack, []).append(number)
    racks = [layout.devices[device].rack for device in devices.tolist()]
    bare = [rack for rack in dict.fromkeys(racks) if rack not in of_rack]
    if bare:
        names = quoted_list(layout.racks[rack].name for rack in bare)
        raise CannotWireError(
            f"no management switch stands in {names}",
            "place one there, or deal the ports out by `round-robin` or `fill`",
        )
    taken = dict.fromkeys(of_rack, 0)
    places = len(switches.ports)
    found = []
    for rack in racks:
        found.append((rack, taken[rack]))
        taken[rack] += 1
    for rack, count in taken.items():
        if count > places * len(of_rack[rack]):
            raise CannotWireError(
                f"rack `{layout.racks[rack].name}` has {count} ports to manage, its switches {places * len(of_rack[rack])}"
            )
    pairs = [(of_rack[rack][number // places], number % places) for rack, number in found]
    table = np.array(pairs, np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]
