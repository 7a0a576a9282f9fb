"""Golden bills of one pod under three policies, at invented prices: what each orders, and what the differences come to."""

from __future__ import annotations

import csv
import io
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

import pytest

from planner.bom.bill import BOM_COLUMNS, bom_cells, bom_lines, cost_of
from planner.findings import Severity
from planner.pipeline import compile_project
from planner.plan import Plan
from tests.support.projects import changed, project_text, write_project

HERE: Final = Path(__file__).parent / "policies"
PUBLISHED: Final = "media: {order: [optic]}"
POLICIES: Final = {
    "as-published": PUBLISHED,
    "media-order": "media: {order: [dac, acc, aec, aoc, optic]}",
    "cost": "media: {order: [dac, acc, aec, aoc, optic]}\n  objective: cost",
}


@cache
def plan_under(policy: str) -> Plan:
    text = changed(project_text("superpod-h100-1su"), (PUBLISHED, POLICIES[policy]))
    book = (HERE / "book" / "prices" / "invented.yaml").read_text(encoding="utf-8")
    folder = write_project(Path(mkdtemp()), text + "catalogs: [book]\n", {"book/prices/invented.yaml": book})
    result = compile_project(folder)
    # Copper between leaves and spines overfills the managers of the switch rack, which the layout's README says.
    errors = {finding.rule for finding in result.findings if finding.severity is Severity.ERROR}
    assert errors <= ({"FIL003"} if policy != "as-published" else set())
    assert result.plan is not None
    return result.plan


@pytest.mark.parametrize("policy", POLICIES)
def test_a_policy_gives_its_golden_bill(policy: str, update_golden: bool) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([BOM_COLUMNS, *bom_cells(plan_under(policy))])
    golden = HERE / f"{policy}.csv"
    if update_golden:
        golden.write_text(text.getvalue(), encoding="utf-8", newline="\n")
    assert text.getvalue() == golden.read_text(encoding="utf-8")


def media(policy: str) -> dict[str, int]:
    found = plan_under(policy).links.medium.tolist()
    return {medium: found.count(medium) for medium in sorted(set(found))}


def before_spares_e4(policy: str) -> int:
    """What the installed pieces cost."""
    lines = bom_lines(plan_under(policy))
    return sum(line.qty_installed * (line.unit_price_e4 or 0) for line in lines)


def test_what_the_media_order_saves_and_what_it_costs() -> None:
    """Leaves and spines stand in one rack: 64 twin cables of 1.5 or 2 m, and 64 of 3 or 4 m, take 256 links off the optics.

    2 x 128 twin transceivers fewer: 256 x 900 = 230,400; 256 cords fewer. 38 x 210 + 26 x 230 = 13,960 of DAC and
    12 x 2,400 + 52 x 2,600 = 164,000 of ACC more.
    """
    assert media("as-published") == {"optic": 508}
    assert media("media-order") == {"acc": 128, "dac": 128, "optic": 252}
    cords = {
        policy: sum(
            line.qty_installed * (line.unit_price_e4 or 0)
            for line in bom_lines(plan_under(policy))
            if line.category == "cord"
        )
        for policy in ("as-published", "media-order")
    }
    saved = 2304000000 + cords["as-published"] - cords["media-order"] - 139600000 - 1640000000
    assert before_spares_e4("as-published") - before_spares_e4("media-order") == saved


def test_by_cost_short_copper_stays_and_long_copper_gives_way_to_optics() -> None:
    """A twin ACC of 2,400 or 2,600 stands against two twin transceivers and two cords: 2 x 900 + 2 x 40 = 1,880 or so."""
    assert media("cost") == {"dac": 128, "optic": 380}
    least = before_spares_e4("cost")
    assert least < before_spares_e4("media-order") < before_spares_e4("as-published")


@pytest.mark.parametrize("policy", POLICIES)
def test_every_line_is_priced_so_the_sums_are_known(policy: str) -> None:
    plan = plan_under(policy)
    cost = cost_of(plan, bom_lines(plan))
    assert cost.cabling_e4 is not None
    assert cost.switches_e4 == 12 * 32000 * 10_000
