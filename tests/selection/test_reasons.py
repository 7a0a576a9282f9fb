"""Why a link has its parts, what the next best costs, who forced it, and what would help a link without parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from planner.cli.explained import link_record, link_text
from planner.explain.answers import LinkExplained, explain
from planner.pipeline import Compiled, compile_project
from tests.selection.test_groups_by_hand import price_book, project

NEAR, FAR = "host-1:P1--leaf-1:1/1", "host-7:P1--leaf-1:1/2"


def compiled(folder: Path, case: dict[str, Any]) -> Compiled:
    (folder / "project.yaml").write_text(yaml.safe_dump(project(case), sort_keys=False), encoding="utf-8")
    if "parts" in case:
        (folder / "own" / "prices").mkdir(parents=True)
        (folder / "own" / "prices" / "case.yaml").write_text(yaml.safe_dump(price_book(case["parts"])), "utf-8")
    return compile_project(folder)


def explained(folder: Path, case: dict[str, Any], link: str) -> tuple[LinkExplained, dict[str, Any], str]:
    plan = compiled(folder, case).plan
    assert plan is not None
    found = explain(plan, link)
    assert isinstance(found, LinkExplained)
    return found, link_record(plan, found), link_text(plan, found, everything=False)


def near_and_far(**policy: Any) -> dict[str, Any]:
    return {
        "links": [{"link": NEAR, "m": 1.5}, {"link": FAR, "m": 12}],
        "policy": {"media": {"order": ["dac", "optic"]}, **policy},
    }


def test_cage_mates_that_forced_a_link_are_named(tmp_path: Path) -> None:
    found, record, text = explained(tmp_path, near_and_far(), NEAR)
    assert found.mates == (FAR,)
    assert record["forced_by"] == FAR
    assert f"without the links that share its cages: {FAR}" in text
    reason = next(r["reason"] for r in record["rejected"] if r["part"] == "MCP7Y00")
    assert reason == f"the links of its cages are decided together, and with it `{FAR}` would have no part"


def test_the_far_link_forced_nobody_and_was_forced_by_nobody(tmp_path: Path) -> None:
    found, record, _ = explained(tmp_path, near_and_far(), FAR)
    assert found.mates == ()
    assert record["forced_by"] is None
    assert next(r["reason"] for r in record["rejected"] if r["part"] == "MCP7Y00") == "it ends at 3 m, 12 m needed"


PARTS = {"MCP7Y00-N01A": [900], "MMA4Z00-NS": [500], "MMA4Z00-NS400": [300], "MFP7E10-N003": [50]}
COST = {
    "links": [{"link": NEAR, "m": 1.5}],
    "policy": {"objective": "cost", "choices": [{"links": "*", "allow": ["mcp7y00", "mma4z00-ns", "mma4z00-ns400", "mfp7e10"]}]},
    "parts": PARTS,
}  # fmt: skip


def test_by_how_much_a_loser_costs_more(tmp_path: Path) -> None:
    """Optics 500 + 300 + 50 = 850, the splitter 900: 50 more."""
    _, record, text = explained(tmp_path, COST, NEAR)
    assert next(r["reason"] for r in record["rejected"] if r["part"] == "MCP7Y00") == "it costs 50.00 more"
    assert record["price"] == {"amount": 850.0, "currency": "EUR"}
    assert record["next_best"] == {
        "part": "MCP7Y00",
        "price": {"amount": 900.0, "currency": "EUR"},
        "reason": "it costs 50.00 more",
    }
    assert "next best: MCP7Y00 (900.00 EUR); it costs 50.00 more" in text


def test_reach_decides_between_optics(tmp_path: Path) -> None:
    """Multimode reaches 50 m and single-mode 100 m on these cords; both have 3 m."""
    case = {"links": [{"link": NEAR, "m": 2}], "policy": {"media": {"order": ["optic"]}}}
    _, record, _ = explained(tmp_path, case, NEAR)
    reasons = {r["reason"] for r in record["rejected"] if r["part"].startswith("MFP7E30")}
    assert "it reaches 100 m where 50 m are enough" in reasons


def test_a_group_compiled_again_is_the_plans_own(tmp_path: Path) -> None:
    """With lengths equal along a rail the link's group alone would say 3 m; the plan says 15 m, and so does explain."""
    policy = {"media": {"order": ["optic"]}, "choices": [{"links": "f/t", "equal_lengths": "rail"}]}
    links = [{"link": NEAR, "m": 2}, {"link": "host-7:P1--leaf-1:2/1", "m": 12}]
    _, record, _ = explained(tmp_path, {"links": links, "policy": policy}, NEAR)
    assert record["stock_mm"] == 15_000


HELP = {
    "a-medium": (near_and_far(media={"order": ["dac"]}), FAR, "allow `optic`: `mfp7e10` would fit"),
    "a-denied-part": (
        {"links": [{"link": NEAR, "m": 1.2}], "policy": {"media": {"order": ["dac"]}, "choices": [{"links": "*", "deny": ["mcp7y00"]}]}},
        NEAR,
        "let `policy.choices` have `MCP7Y00-N01A`",
    ),
    "plugs-that-are-not-allowed": (
        {"links": [{"link": NEAR, "m": 5}], "policy": {"choices": [{"links": "*", "allow": ["mfp7e10"]}]}},
        NEAR,
        "let `policy.choices` have `MMA4Z00-NS400`, `MMA4Z00-NS`",
    ),
    "a-longer-lead-time": (
        {"links": [{"link": "leaf-1:1/1--spine-1:1/1", "m": 1.4}],
         "policy": {"media": {"order": ["dac"]}, "choices": [{"links": "*", "max_lead_time_weeks": 4}]},
         "parts": {"MCP4Y10-N01A": [1, 9], "MCP4Y10-N002": [1, 12]}},
        "leaf-1:1/1--spine-1:1/1",
        "raise `max_lead_time_weeks` to 9: `MCP4Y10-N01A` would fit",
    ),
    "ports-that-cross": (
        {"links": [{"link": "leaf-1:1/1--spine-1:1/2", "m": 1}, {"link": "leaf-1:1/2--spine-1:1/1", "m": 1}],
         "policy": {"media": {"order": ["dac"]}}},
        "leaf-1:1/1--spine-1:1/2",
        "join its cages first port to first, second to second: `mcp4y10` would fit",
    ),
    "two-places": (
        {"links": [{"link": "leaf-1:1/1--spine-1:1/1", "m": 1}, {"link": "leaf-1:1/2--spine-2:1/1", "m": 1}],
         "policy": {"media": {"order": ["dac"]}}},
        "leaf-1:1/2--spine-2:1/1",
        "lead both ports of its cages to one place, first to first, second to second: `mcp4y10` would fit",
    ),
    "a-vendor": (
        {"links": [{"link": NEAR, "m": 1.2}], "policy": {"media": {"order": ["dac"]}, "vendors": {"deny": ["NVIDIA"]}}},
        NEAR,
        "allow NVIDIA in `policy.vendors`: `mcp7y00` would fit",
    ),
    "a-shorter-way": (
        {"links": [{"link": NEAR, "m": 3.05}], "policy": {"media": {"order": ["dac"]}}},
        NEAR,
        "shorten its way by 50 mm, such as by moving one of the racks, for `mcp7y00`",
    ),
    "another-cage": (
        {"links": [{"link": "leaf-1:1/1--spine-1:1/1", "m": 1}, {"link": "leaf-1:1/2--spine-2:1/2", "m": 1}],
         "policy": {"media": {"order": ["dac"]}}},
        "leaf-1:1/2--spine-2:1/2",
        "give it, or the link that shares its cage, another cage",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HELP)
def test_the_smallest_change_that_would_help(name: str, tmp_path: Path) -> None:
    case, link, wanted = HELP[name]
    told = [finding for finding in compiled(tmp_path, case).findings if finding.rule == "MED001"]
    (mine,) = (finding for finding in told if link in finding.objects)
    assert wanted in mine.help


REASONS = {
    "too-short": (
        {"links": [{"link": "leaf-1:1/1--spine-1:1/1", "m": 3.4}], "policy": {"media": {"order": ["dac"]}}},
        "MCP4Y10 ends at 2 m, 3.4 m needed",
    ),
    "one-millimetre-over": (
        {"links": [{"link": "leaf-1:1/1--spine-1:1/1", "m": 2.001}], "policy": {"media": {"order": ["dac"]}}},
        "MCP4Y10 ends at 2 m, 2.001 m needed",
    ),
    "a-length-that-comes-too-late": (
        HELP["a-longer-lead-time"][0],
        "MCP4Y10 ends at 1 m, 1.4 m needed; MCP4Y10-N01A takes 9 weeks, 4 are allowed",
    ),
    "a-length-that-is-denied": (
        {"links": [{"link": "leaf-1:1/1--spine-1:1/1", "m": 1.6}],
         "policy": {"media": {"order": ["dac"]}, "choices": [{"links": "*", "deny": ["MCP4Y10-N002"]}]}},
        "MCP4Y10 ends at 1.5 m, 1.6 m needed; `policy.choices` denies MCP4Y10-N002",
    ),
    "every-medium": (
        {"links": [{"link": NEAR, "m": 2600}]},
        "MCP7Y00 ends at 3 m, 2600 m needed; MFP7E10 ends at 50 m, 2600 m needed; MFP7E30 ends at 50 m, 2600 m needed",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REASONS)
def test_a_finding_and_explain_say_why_each_candidate_does_not_fit(name: str, tmp_path: Path) -> None:
    case, wanted = REASONS[name]
    made = compiled(tmp_path, case)
    (told,) = (finding for finding in made.findings if finding.rule == "MED001")
    assert told.note == wanted
    assert made.plan is not None
    found = explain(made.plan, told.objects[0])
    assert isinstance(found, LinkExplained)
    record, text = link_record(made.plan, found), link_text(made.plan, found, everything=False)
    for reason in wanted.split(" needed"):
        part, _, words = reason.removeprefix("; ").partition(" ends at ")
        if words:
            assert any(r["part"].startswith(part) and words in r["reason"] for r in record["rejected"])
    assert told.help == ", or ".join(record["would_help"][:3])
    assert "what would help" in text


def test_explain_knows_that_the_links_before_took_what_is_on_hand(tmp_path: Path) -> None:
    """One 7 m cord is on hand and may stand in for 5 m: the first link has it. Alone the second would have it too."""
    second = "host-2:P1--leaf-1:2/1"
    case = {
        "links": [{"link": NEAR, "m": 4.2}, {"link": second, "m": 4.2}],
        "policy": {
            "stock": {"on_hand": "stock.csv", "longer_covers": True},
            "media": {"order": ["optic"]},
            "choices": [{"links": "*", "allow": ["mfp7e10", "mma4z00-ns", "mma4z00-ns400"]}],
        },
    }
    (tmp_path / "stock.csv").write_text("part,quantity\nMFP7E10-N007,1\n", encoding="utf-8")
    plan = compiled(tmp_path, case).plan
    assert plan is not None
    cords = {}
    for link in (NEAR, second):
        found = explain(plan, link)
        assert isinstance(found, LinkExplained)
        cords[link] = link_record(plan, found)["rejected"]
        assert link_record(plan, found).get("on_hand") == (["MFP7E10-N007"] if link == NEAR else None)
        assert link_record(plan, found)["chosen"]["cable"] == ("MFP7E10-N007" if link == NEAR else "MFP7E10-N005")
    reason = {
        "part": "MFP7E10-N005",
        "reason": "it covers the link; compared with MFP7E10-N007, 1 more piece has to be bought",
    }
    assert reason in cords[NEAR]
    assert "MFP7E10-N007" not in {rejected["part"] for rejected in cords[second]}
