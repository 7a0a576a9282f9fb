"""Fewest part numbers against every set of part numbers that there is, each compiled as a list of what is allowed."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from planner.pipeline import Inputs, compile_inputs, read_inputs
from planner.plan import Plan
from planner.selection import fewest
from tests.selection.test_groups_by_hand import project

PARTS = ("MCP4Y10-N001", "MCA4J80-N004", "MMA4Z00-NS", "MMA4Z00-NS400", "MMS4X00-NM", "MMS4X00-NS400", "MFP7E10-N005",
         "MFP7E10-N020", "MFP7E30-N030", "MCP7Y00-N002")  # fmt: skip


def case(seed: int) -> dict[str, Any]:
    """Twin cages between leaf and spine, a cage that leads to two spines, and hosts; needs of 0.8 to 25 m; some parts allowed."""
    random = Random(seed)
    links = [
        {"link": f"leaf-1:{cage}/{half}--spine-{1 + (half - 1) * (cage == 2)}:{cage}/{half}"}
        for cage in (1, 2)
        for half in (1, 2)
    ]
    links += [{"link": f"host-{n}:P1--leaf-1:{3 + n // 3}/{1 + n % 2}"} for n in (1, 2)]
    chosen = random.sample(links, random.randint(2, len(links)))
    for link in chosen:
        link["m"] = random.choice([0.8, 1.8, 3, 4.9, 12, 25])  # type: ignore[assignment]
    policy = {
        "objective": "part_numbers",
        "media": {"order": random.choice([["dac", "acc", "optic"], ["optic", "dac"], ["optic"]])},
        "choices": [{"links": "*", "allow": random.sample(PARTS, random.randint(4, 6))}],
    }
    return {"links": chosen, "policy": policy}


def inputs_of(asked: dict[str, Any], folder: Path) -> Inputs:
    (folder / "project.yaml").write_text(yaml.safe_dump(project(asked), sort_keys=False), encoding="utf-8")
    inputs, faults, _ = read_inputs(folder)
    assert inputs is not None, faults
    return inputs


def with_parts(inputs: Inputs, allowed: tuple[str, ...]) -> Plan:
    """The plan by order of media with no other parts."""
    choice = inputs.project.policy.choices[0].model_copy(update={"allow": list(allowed)})
    policy = inputs.project.policy.model_copy(
        update={"choices": [choice], "objective": replace(inputs.project.policy.objective, name="media")}
    )
    plan = compile_inputs(replace(inputs, project=inputs.project.model_copy(update={"policy": policy}))).plan
    assert plan is not None
    return plan


def numbers(plan: Plan) -> set[str]:
    plugs = {plan.parts[n].part for n in plan.plugs.part.tolist() if plan.parts[n].category == "transceiver"}
    return plugs | {plan.parts[n].part for n in plan.cables.part.tolist()}


def unresolved(plan: Plan) -> int:
    return plan.links.status.tolist().count("unresolved")


@pytest.mark.parametrize("seed", range(8))
def test_no_set_of_parts_is_smaller(seed: int, tmp_path: Path) -> None:
    asked = case(seed)
    inputs = inputs_of(asked, tmp_path)
    compiled = compile_inputs(inputs)
    plan = compiled.plan
    assert plan is not None
    allowed = asked["policy"]["choices"][0]["allow"]
    least = unresolved(with_parts(inputs, tuple(allowed)))
    assert unresolved(plan) == least
    if least == len(plan.links):
        return
    size = next(
        size
        for size in range(len(allowed) + 1)
        if any(unresolved(with_parts(inputs, parts)) == least for parts in combinations(allowed, size))
    )
    found = len(numbers(plan))
    told = [finding for finding in compiled.findings if finding.rule == "MED004"]
    assert found == size or (found > size and told)


def test_a_search_that_stops_says_so_with_the_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three numbers serve all (see fewest-part-numbers.yaml); a search of two steps ends before sets of three are tried."""
    path = Path(__file__).parent / "groups" / "fewest-part-numbers.yaml"
    inputs = inputs_of(yaml.safe_load(path.read_text(encoding="utf-8")), tmp_path)
    monkeypatch.setattr(fewest, "MOST_SETS", 2)
    compiled = compile_inputs(inputs)
    assert compiled.plan is not None
    settled = compiled.stages.subject.selection.settled.fewest  # type: ignore[union-attr]
    assert settled is not None
    assert settled.bound <= 3 <= len(settled.found)
    assert numbers(compiled.plan) == settled.found
