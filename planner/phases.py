"""Which rack is built in which phase."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from planner.findings import Fault, Spot
from planner.layout import Layout
from planner.names import fold, nearest
from planner.project import Phase
from planner.reader import YamlMap, spot_at
from planner.table import Ints


def phases_of(phases: Sequence[Phase], tree: YamlMap, layout: Layout, *, follow_up: bool) -> tuple[Ints, list[Fault]]:
    """Phase of each rack (row of `phases`), -1 for a rack in none."""
    faults: list[Fault] = []
    of_rack = np.full(len(layout.racks), -1, np.int64)
    for number, phase in enumerate(phases):
        at = spot_at(tree, ("phases", number, "racks"))
        strange: list[str] = []
        again: dict[int, list[str]] = {}
        for name in phase.racks:
            rack = layout.rack_index.get(fold(name))
            if rack is None:
                strange.append(name)
            elif of_rack[rack] >= 0:
                again.setdefault(int(of_rack[rack]), []).append(name)
            else:
                of_rack[rack] = number
        if strange and follow_up:
            faults.append(_unknown(phase, strange, layout, at))
        faults.extend(_again(phases[first], phase, names, at) for first, names in again.items())
    return of_rack, faults


def _unknown(phase: Phase, names: list[str], layout: Layout, at: Spot) -> Fault:
    what = f"rack `{names[0]}`" + (f" and {len(names) - 1} more" if len(names) > 1 else "")
    meant = nearest(names[0], (rack.name for rack in layout.racks))
    return Fault(
        "unknown-name",
        f"{what} of phase `{phase.name}` {'is' if len(names) == 1 else 'are'} not known",
        at,
        help=f"did you mean `{meant}`?" if meant else "declare it under `racks`",
        objects=tuple(names[:50]),
        count=len(names),
    )


def _again(first: Phase, phase: Phase, names: list[str], at: Spot) -> Fault:
    what = f"rack `{names[0]}`" + (f" and {len(names) - 1} more" if len(names) > 1 else "")
    message = f"{what} {'is' if len(names) == 1 else 'are'} in two phases, `{first.name}` and `{phase.name}`"
    if first is phase:
        message = f"{what} {'stands' if len(names) == 1 else 'stand'} twice in phase `{phase.name}`"
    return Fault("rack-in-two-phases", message, at, help="name it once", objects=tuple(names[:50]), count=len(names))
