"""What the plan keeps of its inputs, so that it stands without them: the project and the catalog entries used."""

from __future__ import annotations

import json

from planner.rules.subject import Subject


def kept_inputs(subject: Subject) -> str:
    """The normalised input: the merged project without its links, which have a table, as JSON of source texts."""
    tree = {key: value for key, value in subject.tree.items() if key != "include"}
    return json.dumps(tree, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def kept_catalog(subject: Subject) -> str:
    """The entries that the plan was made with: every cable, plug and rule, and what stands of all else."""
    catalog, layout, used = subject.catalog, subject.layout, _structured_ids(subject)
    devices = {f"devices/{chassis.id}.yaml" for chassis in layout.chassis}
    racks = {f"racks/{rack.type.id}.yaml" for rack in layout.racks}
    pathways = {f"pathways/{pathway.type.id}.yaml" for pathway in layout.pathways}
    unplaced = {f"fibre/{part}.yaml" for part in catalog.structured if part not in used}
    keep = {
        name: tree
        for name, tree in catalog.trees.items()
        if name in devices | racks | pathways
        or (name.split("/")[0] not in ("devices", "racks", "pathways") and name not in unplaced)
    }
    return json.dumps(keep, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _structured_ids(subject: Subject) -> set[str]:
    laid = subject.laid
    if laid is None:
        return set()
    return {panel.part.id for panel in laid.panels} | set(laid.inserts) | {run.trunk.id for run in laid.runs}
