"""Two switches are the whole fabric: even rails on the first, odd rails on the second, and links between the two.

On its switch a node takes ports that follow each other, its rails in their order; peer links join the same port on both.
Source of the form: NVIDIA/enterprise-ras, 2-8-9-400, whose map these rules meet row for row.
"""

from __future__ import annotations

import numpy as np

from planner.generators.ground import CannotWireError, Ground
from planner.generators.links import Wires, laid_together, wires
from planner.generators.parameters import TwoSwitchCore


def two_switch_core(wanted: TwoSwitchCore, ground: Ground) -> Wires:
    ground.known({"nodes": wanted.nodes, "cores": wanted.cores})
    if len(wanted.cores) != 2:
        raise CannotWireError(f"the core has two switches, {len(wanted.cores)} are named", "name two")
    devices, ports, model = ground.rails("nodes", wanted.nodes, wanted.rails)
    cores = ground.switches("cores", wanted.cores, wanted.node_cages, wanted.core_split)
    rails, count = int(ports.shape[1]), len(devices)
    if rails % 2:
        raise CannotWireError(
            f"a `{model}` has {rails} rails, an odd number for two switches",
            "name an even number of ports under `rails`",
        )
    share = rails // 2
    peers = (
        ground.switches("cores", wanted.cores, wanted.peer_cages, wanted.core_split).ports
        if wanted.peer_cages
        else np.zeros(0, np.int64)
    )
    if wanted.node_cages is None:
        taken = np.isin(cores.chassis.port_cage[cores.ports], cores.chassis.port_cage[peers])
        free = cores.ports[~taken]
    else:
        free = cores.ports
    if count * share > len(free):
        kept = f" beside {len(peers)} peer links" if len(peers) and wanted.node_cages is None else ""
        where = " in these cages" if wanted.node_cages is not None else ""
        raise CannotWireError(
            f"{count} nodes x {share} rails need {count * share} ports on each core, "
            f"`{cores.chassis.id}`{kept} has {len(free)}{where}"
        )
    node, rail = np.arange(count)[:, None], np.arange(rails)[None, :]
    made = [
        wires(
            "node-core",
            devices[:, None],
            ports[:, :, 0],
            cores.devices[rail % 2] + 0 * node,
            free[node * share + rail // 2],
        )
    ]
    if len(peers):
        made.append(wires("core-core", cores.devices[:1], peers, cores.devices[1:], peers))
    return laid_together(made)
