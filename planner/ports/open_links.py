"""Links that leave a port open (`ports: any`): from the texts of their ends to the ports that each may take."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from planner.catalog.chassis import Chassis
from planner.findings import Fault
from planner.generators.links import LinkRows
from planner.layout import Layout
from planner.names import HostlistError, expand_hostlist, fold, nearest, quoted_list
from planner.ports.picked import OPEN, Asked, Joined
from planner.table import Ints, Words

Choice = tuple[int, tuple[int, ...]]
"""What an end may take: one port and nothing else, or OPEN and the ports to choose from."""


def asked_of(
    rows: LinkRows, fabric: int, devices: tuple[Ints, Ints], layout: Layout, forms: Sequence[str], faults: list[Fault]
) -> list[Asked]:
    """The links of some rows; devices: of both ends, -1 where unknown. forms: ids of the rate that ports must run.

    A row at fault is told once a device's family and text, and left out.
    """
    known: dict[tuple[str, str], Choice | Fault] = {}
    told: set[int] = set()
    asked = []
    texts = (rows.a_port, rows.z_port)
    for row, (a, z) in enumerate(zip(devices[0].tolist(), devices[1].tolist(), strict=True)):
        if a < 0 or z < 0:
            continue
        at = int(rows.at[row])
        choices: list[Choice] = []
        for side, device in enumerate((a, z)):
            chassis, text = layout.devices[device].chassis, texts[side][row]
            key = (chassis.id, fold(text))
            if key not in known:
                known[key] = _choice(text, chassis, forms)
            found = known[key]
            if isinstance(found, Fault):
                if id(found) not in told:
                    told.add(id(found))
                    name = layout.devices[device].name
                    faults.append(Fault(found.rule, found.message, at, note=f"asked for on `{name}`", help=found.help,
                                        objects=(f"{name}:{text}",)))  # fmt: skip
                break
            choices.append(found)
        else:
            (a_port, a_choices), (z_port, z_choices) = choices
            asked.append(Asked(fabric, rows.tier[row], (a, z), (a_port, z_port), (a_choices, z_choices), at))
    return asked


def joined_of(links: dict[str, Ints], tiers: Words, devices: Sequence[int]) -> list[Joined]:
    """Both ends of the links that have a port on one of the devices; links: their columns by name."""
    wanted = np.unique(np.array(devices, np.int64))
    a, p, z, q = (links[name] for name in ("a_device", "a_port", "z_device", "z_port"))
    found = []
    for row in np.flatnonzero(np.isin(a, wanted) | np.isin(z, wanted)).tolist():
        a_end, z_end = (int(a[row]), int(p[row])), (int(z[row]), int(q[row]))
        found += [Joined(*a_end, *z_end, tiers[row]), Joined(*z_end, *a_end, tiers[row])]
    return found


def _choice(text: str, chassis: Chassis, forms: Sequence[str]) -> Choice | Fault:
    """A port by its name; any port that runs the rate where nothing is named; else the ports of the cages named."""
    serving = chassis.ports_at(forms)
    if not text:
        return OPEN, tuple(serving)
    port = chassis.port_for(text, forms)
    if port >= 0:
        return port, ()
    try:
        names = expand_hostlist(text)
    except HostlistError as error:
        return Fault("invalid-value", f"`{text}` names no cages: {error}", help="write as in `leaf-1:[1-16]`")
    cages = {fold(name): number for number, name in enumerate(chassis.cage_names)}
    ports = {fold(name): int(chassis.port_cage[number]) for number, name in enumerate(chassis.port_names)}
    strange = [name for name in names if fold(name) not in cages]
    if strange:
        return _strange(strange, chassis, named=any(fold(name) in ports for name in strange))
    wanted = {cages[fold(name)] for name in names}
    return OPEN, tuple(port for port in serving if int(chassis.port_cage[port]) in wanted)


def _strange(names: Sequence[str], chassis: Chassis, *, named: bool) -> Fault:
    if named:
        message = f"a range names cages, and {quoted_list(names, 3)} of `{chassis.id}` are ports"
        return Fault("invalid-value", message, help=f"write as in `[{chassis.cage_names[0]}-{chassis.cage_names[-1]}]`")
    message = f"`{chassis.id}` has no port and no cage {quoted_list(names, 3)}"
    meant = nearest(names[0], (*chassis.cage_names, *chassis.port_names))
    cages = f"its cages run from `{chassis.cage_names[0]}` to `{chassis.cage_names[-1]}`" if chassis.cage_names else ""
    return Fault("unknown-port", message, help=f"did you mean `{meant}`? {cages}" if meant else cages)
