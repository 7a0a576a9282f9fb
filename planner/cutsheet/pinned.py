"""Links whose parts the project forces, found again from the plan's inputs as `planner.pins` reads them."""

from __future__ import annotations

import json
import re
from fnmatch import translate

from planner.plan import Plan


def pinned_links(plan: Plan) -> frozenset[int]:
    """Rows of the links that a pin of a cable or plug names: by ID, glob or fabric/tier, without case."""
    texts = _names_in_pins(plan.inputs)
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


def _names_in_pins(inputs: str) -> frozenset[str]:
    pins = json.loads(inputs).get("pins") or [] if inputs else []
    return frozenset(pin["links"].casefold() for pin in pins if any(map(pin.get, ("cable", "a_plug", "z_plug"))))
