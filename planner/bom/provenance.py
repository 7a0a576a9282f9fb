"""Where the figures behind the bill come from: prices, and every sourced figure of the families on it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from planner.plan import Plan


@dataclass(frozen=True, slots=True)
class SourcedFigure:
    """A figure of a family as the plan's catalog states it; value empty where it is not known."""

    family: str
    figure: str
    value: str
    evidence: str
    source: str
    note: str


def sourced_figures(plan: Plan) -> Iterator[SourcedFigure]:
    """Figures of the families of installed parts, and of the switches' models, by family in order of the catalog."""
    wanted = {part.family for part in plan.parts} | {device.model for device in plan.devices if device.kind == "switch"}
    trees = json.loads(plan.catalog).values() if plan.catalog else ()
    for tree in trees:
        if isinstance(tree, dict) and tree.get("id") in wanted:
            sources = tree.get("sources") or {}
            yield from _figures(str(tree["id"]), tree, "", sources if isinstance(sources, dict) else {})


def _figures(family: str, tree: Any, path: str, sources: Mapping[str, Any]) -> Iterator[SourcedFigure]:
    """A mapping with a value and a source is a figure; others are looked through. path: keys down to it, by `.`."""
    if isinstance(tree, list):
        for number, item in enumerate(tree, start=1):
            yield from _figures(family, item, f"{path}[{number}]" if len(tree) > 1 else path, sources)
    elif isinstance(tree, dict) and "value" in tree and "source" in tree:
        value = tree["value"]
        told = "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        source = str(tree["source"])
        note = "; ".join(str(tree[key]) for key in ("as_of", "note") if tree.get(key))
        yield SourcedFigure(family, path, told, str(tree.get("evidence") or ""), str(sources.get(source, source)), note)
    elif isinstance(tree, dict):
        for key, value in tree.items():
            if key != "sources":
                yield from _figures(family, value, f"{path}.{key}" if path else key, sources)
