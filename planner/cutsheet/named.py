"""Links that the project names in pins and remarks, found again from the plan's inputs as `planner.pins` reads them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from fnmatch import translate
from typing import Any

from planner.plan import Plan

Inputs = dict[str, Any]
"""The project as the plan holds it."""


def inputs_of(plan: Plan) -> Inputs:
    return dict(json.loads(plan.inputs)) if plan.inputs else {}


def pinned_links(plan: Plan, inputs: Inputs) -> frozenset[int]:
    """Rows of the links that a pin of a cable or plug names."""
    pins = inputs.get("pins") or ()
    return _links_named(plan, (pin["links"] for pin in pins if any(map(pin.get, ("cable", "a_plug", "z_plug")))))


def remarks_by_link(plan: Plan, inputs: Inputs) -> dict[int, tuple[str, ...]]:
    """What the project remarks on links, by their rows, in the order in which it is written."""
    found: dict[int, tuple[str, ...]] = {}
    for remark in inputs.get("remarks") or ():
        for row in _links_named(plan, [remark["links"]]):
            found[row] = (*found.get(row, ()), " ".join(remark["text"].split()))
    return found


def _links_named(plan: Plan, names: Iterable[str]) -> frozenset[int]:
    """By ID, glob or fabric/tier, without case."""
    texts = frozenset(name.casefold() for name in names)
    if not texts:
        return frozenset()
    wanted = re.compile("|".join(f"(?:{translate(text)})" for text in texts))
    links = plan.links
    tiers = {
        (number, code)
        for number, fabric in enumerate(plan.fabrics)
        for code, tier in enumerate(links.tier.vocabulary)
        if wanted.match(f"{fabric.name}/{tier}".casefold())
    }
    columns = zip(links.fabric.tolist(), links.tier.codes.tolist(), plan.link_ids, strict=True)
    return frozenset(
        row
        for row, (fabric, tier, name) in enumerate(columns)
        if (fabric, tier) in tiers or name.casefold() in texts or wanted.match(name.casefold())
    )
