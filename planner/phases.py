"""Which rack is built in which phase."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from planner.findings import Fault
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
        for name in phase.racks:
            rack = layout.rack_index.get(fold(name))
            if rack is None:
                if follow_up:
                    meant = nearest(name, (r.name for r in layout.racks))
                    help_text = f"did you mean `{meant}`?" if meant else "declare it under `racks`"
                    faults.append(
                        Fault(
                            "unknown-name",
                            f"rack `{name}` of phase `{phase.name}` is not known",
                            at,
                            help=help_text,
                            objects=(name,),
                        )
                    )
                continue
            if of_rack[rack] >= 0:
                first = phases[int(of_rack[rack])].name
                message = f"rack `{name}` is in two phases, `{first}` and `{phase.name}`"
                faults.append(Fault("rack-in-two-phases", message, at, help="name it once", objects=(name,)))
                continue
            of_rack[rack] = number
    return of_rack, faults
