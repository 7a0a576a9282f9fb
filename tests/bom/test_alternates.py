"""Drop-in equals: found from what the catalog says of two parts, in the lengths and on the links that a plan has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from planner.bom.bill import alternates_by_part
from planner.cli import main
from planner.plan import Plan
from planner.store import read_plan, write_plan
from tests.support.projects import ROOT, changed, compiled, project_text

CORD, DAC, OPTIC = "fibre/mfp7e10", "plugs/mcp4y10", "plugs/mma4z00-ns-flt"


def other(entry: str, *changes: tuple[str, str], maker: str = "Elsewhere") -> dict[str, str]:
    """A catalog file of another maker: the same figures under numbers that say nothing, with changes."""
    text = (ROOT / "catalogs" / f"{entry}.yaml").read_text(encoding="utf-8")
    folder, _, own = entry.partition("/")
    text = re.sub(rf"^id: {own}$", f"id: zz-{own}", text, flags=re.MULTILINE)
    text = re.sub(r"^manufacturer: .*$", f"manufacturer: {maker}", text, flags=re.MULTILINE)
    text = re.sub(r"^implements: .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"\{part: [A-Z0-9]*-?", "{part: ZZ-", text).replace("order_number: 980", "order_number: 7")
    return {f"own/{folder}/zz-{own}.yaml": changed(text, *changes)}


def plan_with(folder: Path, files: dict[str, str], policy: str = "") -> Plan:
    text = changed(project_text("two-racks"), ("policy:\n", f"catalogs: [own]\npolicy:\n{policy}"))
    result = compiled(folder, text, files)
    assert result.plan is not None
    assert set(result.plan.links.status.tolist()) == {"resolved"}
    return result.plan


def alternates(folder: Path, files: dict[str, str], policy: str = "") -> dict[str, str]:
    return alternates_by_part(plan_with(folder, files, policy))


def test_the_shipped_catalog_knows_no_equal_of_the_small_plans_parts(tmp_path: Path) -> None:
    assert alternates(tmp_path, {"own/prices/none.yaml": "name: none\nprices: []\n"}) == {}


def test_equals_in_all_that_matters_whatever_they_are_called(tmp_path: Path) -> None:
    files = {**other(CORD), **other(DAC), **other(OPTIC)}
    assert alternates(tmp_path, files) == {
        "MFP7E10-N005": "ZZ-N005 (Elsewhere)",
        "MFP7E10-N007": "ZZ-N007 (Elsewhere)",
        "MCP4Y10-N002": "ZZ-N002 (Elsewhere)",
        "MMA4Z00-NS-FLT": "ZZ-NS-FLT (Elsewhere)",
    }


@pytest.mark.parametrize(
    ("entry", "changes", "policy"),
    [
        (CORD, [("polish: apc", "polish: upc")], ""),
        (CORD, [("fibre: om4", "fibre: os2")], ""),
        (CORD, [("polarity: B", "polarity: A")], ""),
        (CORD, [("lifecycle: {value: active", "lifecycle: {value: discontinued")], ""),
        (CORD, [], "  vendors: {deny: [elsewhere]}\n"),
        (CORD, [], "  vendors: {allow: [NVIDIA]}\n"),
        (CORD, [("length_m: 5}", "length_m: 6}"), ("length_m: 7}", "length_m: 8}")], ""),
        (DAC, [("heat_sink: finned", "heat_sink: flat")], ""),
        (DAC, [("lane_rate_gbps: 100", "lane_rate_gbps: 50")], ""),
        (DAC, [("reach_m: {value: 2,", "reach_m: {value: 1,")], ""),
        (DAC, [("tolerance_mm: {value: null", "tolerance_mm: {value: 200")], ""),
        (OPTIC, [("pmd: ndr-sr4", "pmd: ndr-dr4")], ""),
        (OPTIC, [("connector: mpo-12", "connector: lc"), ("tx: [1, 2, 3, 4]", "tx: [1]"), ("rx: [12, 11, 10, 9]", "rx: [2]")], ""),
        (OPTIC, [("protocols: [infiniband, ethernet]", "protocols: [ethernet]")], ""),
        (OPTIC, [("value: 17", "value: 40")], ""),
    ],
)  # fmt: skip
def test_one_figure_apart_is_no_equal(tmp_path: Path, entry: str, changes: list[tuple[str, str]], policy: str) -> None:
    """2 m less 0.2 m is shorter than what the copper cable must cover, 1.954 m; 40 W are more than 17 W."""
    assert alternates(tmp_path, other(entry, *changes), policy) == {}


def test_a_generic_part_names_what_is_to_be_bought_for_it(tmp_path: Path) -> None:
    """By the makers' `implements`, in the same length, whoever the policy allows; what it denies is left out."""
    allow = "  vendors: {allow: [generic]}\n"
    none = {"own/prices/none.yaml": "name: none\nprices: []\n"}
    found = alternates(tmp_path / "all", none, allow)
    assert "MMA4Z00-NS-FLT (NVIDIA)" in found.values()
    assert {text.partition(" ")[0] for text in found.values() if text.startswith("MFP7E10")} == {
        "MFP7E10-N005",
        "MFP7E10-N007",
    }
    denied = "  vendors: {allow: [generic], deny: [NVIDIA]}\n"
    assert alternates(tmp_path / "denied", none, denied) == {}


def test_they_are_kept_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = plan_with(tmp_path, other(DAC))
    write_plan(plan, tmp_path / "plan.db")
    assert read_plan(tmp_path / "plan.db").alternates == plan.alternates
    assert main(["explain", str(tmp_path / "plan.db"), "MCP4Y10-N002"]) == 0
    assert "may be bought as ZZ-N002: equal on every link that has it" in capsys.readouterr().out
    assert main(["explain", str(tmp_path / "plan.db"), "leaf-1:17/1--spine-1:1/1"]) == 0
    assert "MCP4Y10-N002 may be bought as ZZ-N002" in capsys.readouterr().out
