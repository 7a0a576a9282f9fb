"""The pod of two units over panels: trunks by arithmetic, two cords a channel, no dark lane, and the table of its README."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from math import ceil
from pathlib import Path

from planner.bom.bill import bom_lines, summary_of
from planner.pipeline import compile_project
from planner.plan import Plan
from planner.rules.causes import causes_of
from planner.selection.options import verdict_of_option

LAYOUT = Path(__file__).parents[2] / "layouts" / "superpod-h100-2su-structured"
CHANNELS = 16 * 8 * 4
"""Leaves, spines, and links a pair."""
LEGS = 8
"""Of a trunk of 96 fibres, twelve a leg."""


@cache
def stages(file: str = "project.yaml"):  # type: ignore[no-untyped-def]  # noqa: ANN201
    made = compile_project(LAYOUT / file)
    assert made.stages is not None
    assert made.plan is not None
    assert [finding.message for finding in made.findings if finding.severity == "error"] == []
    return made.stages, made.plan


def plan_of(file: str = "project.yaml") -> Plan:
    plan: Plan = stages(file)[1]
    return plan


def test_trunks_by_arithmetic() -> None:
    used = CHANNELS // 2  # half of the channels lead to either leaf rack
    reserve = max(2, ceil(used * 0.10))  # 25.6 -> 26
    trunks = ceil((used + reserve) / LEGS)  # 282 / 8 = 35.25 -> 36
    assert (used, reserve, trunks) == (256, 26, 36)
    plan = plan_of()
    between = Counter(
        plan.racks[plan.cables.rack_a[row]].name
        for row, part in enumerate(plan.cables.part.tolist())
        if plan.parts[part].category == "trunk"
    )
    assert between == {"A05": trunks, "B05": trunks}
    states = Counter(plan.trunk_legs.state.tolist())
    assert states == {"used": 2 * used, "reserve": 2 * reserve, "spare": 2 * (trunks * LEGS - used - reserve)}
    # Four fibres of a used leg stay dark behind optics of four lanes; they are no reserve.
    dark = Counter(zip(plan.trunk_legs.state.tolist(), plan.trunk_legs.unlit.tolist(), strict=True))
    assert dark["used", "5;6;7;8"] == CHANNELS


def test_two_cords_and_a_leg_for_each_channel() -> None:
    plan = plan_of()
    assert Counter(plan.link_cables.place.tolist()) == {1: CHANNELS, 2: CHANNELS, 3: CHANNELS}
    cords = {
        cable
        for cable, place in zip(plan.link_cables.cable.tolist(), plan.link_cables.place.tolist(), strict=True)
        if place != 2
    }
    assert len(cords) == 2 * CHANNELS
    summary = summary_of(plan)
    assert summary["links"]["unresolved"] == 0
    assert summary["by_category"] == {
        "transceiver": 1024,  # 24 switches x 32 cages, 63 nodes x 4, 2 UFM x 2
        "cord": 504 + 4 + 2 * CHANNELS,
        "trunk": 72,
        "adapter": 2 * 72,  # one plate of eight takes one trunk of eight legs
        "panel": 144 // 12,
        "switch": 24,
    }
    bought = {line.category: line for line in bom_lines(plan)}
    assert bought["trunk"].qty_spare == 1  # by policy.spares: at least one of each length
    assert {"cord", "adapter", "panel"} <= bought.keys()


def test_no_lane_is_dark() -> None:
    subject = stages()[0].subject
    over = [option for option, _ in subject.groups if option.chain is not None]
    assert over
    for option in over:
        verdict = verdict_of_option(option)
        assert verdict is not None
        assert (verdict.verdict, verdict.codes, causes_of(option)) == ("pass", (), ())
        assert list(verdict.a_to_z.values()) == ["Rx1", "Rx2", "Rx3", "Rx4"] == list(verdict.z_to_a.values())


def test_a_leaf_keeps_together() -> None:
    """32 uplinks of a leaf fill four trunks whole."""
    plan = plan_of()
    leaves: dict[int, set[int]] = {}
    trunk_of = {n: cable for n, cable in enumerate(plan.link_cables.cable.tolist()) if plan.link_cables.place[n] == 2}
    for row, cable in trunk_of.items():
        leaves.setdefault(cable, set()).add(int(plan.links.a_device[plan.link_cables.link[row]]))
    assert all(len(of_trunk) == 1 for of_trunk in leaves.values())
    assert len(leaves) == CHANNELS // LEGS


def test_the_readme_has_the_figures_of_both_variants() -> None:
    text = (LAYOUT / "README.md").read_text(encoding="utf-8")
    table = dict(re.findall(r"^\| `(fibre-\w)` (.*)$", text, re.MULTILINE))
    over, direct = (summary_of(plan_of(file))["pathways"] for file in ("project.yaml", "direct.yaml"))
    for name, written in table.items():
        cells = [cell.strip() for cell in written.strip("| ").split("|")]
        assert cells == [
            str(direct[name]["cables"]), f"{direct[name]['fill_ratio']:.1%}".replace("%", " %"),
            str(over[name]["cables"]), f"{over[name]['fill_ratio']:.1%}".replace("%", " %"),
        ]  # fmt: skip
    assert table.keys() == over.keys() == direct.keys()
