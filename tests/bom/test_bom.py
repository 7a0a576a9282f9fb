"""The purchase list: hand-worked quantities, with the working shown, and the laws that hold for every plan."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.bom.bill import (
    BOM_COLUMNS,
    BomLine,
    bom_cells,
    bom_lines,
    cost_of,
    kit_lines,
    money_text,
    order_of,
    summary_of,
)
from planner.bom.spares import spares_of
from planner.findings import Finding, Severity
from planner.pipeline import compile_project
from planner.plan import ABSENT, Plan, PriceRow, StockRow
from planner.project import SparePolicy
from planner.table import Words
from tests.support.projects import in_two_phases

LAYOUTS = Path(__file__).resolve().parents[2] / "layouts"
BOTH = pytest.mark.parametrize("layout", ["superpod-h100-1su", "two-racks"])


@cache
def plan_of(layout: str) -> Plan:
    plan = compile_project(LAYOUTS / layout).plan
    assert plan is not None
    return plan


def price(part: str, e4: int = ABSENT, pack: int = ABSENT, least: int = ABSENT, currency: str = "USD") -> PriceRow:
    return PriceRow(part, e4, currency, "a quote", pack, least, 12, indicative=False)


def on_hand(part: str, quantity: int, place: str = "") -> StockRow:
    """Pieces of a transceiver, or of anything else without a length, on hand."""
    return StockRow(part, "", part.lower(), "transceiver", "", ABSENT, quantity, place)


def of_part(lines: tuple[BomLine, ...], part: str) -> list[BomLine]:
    return [line for line in lines if line.part == part]


# --- quantities by hand ---------------------------------------------------------------------------------------------


def test_the_pod_orders_what_was_worked_by_hand() -> None:
    """Spares of transceivers and cords: 3 %, rounded up, at least 2; none of switches.

    384 finned:  11.52 -> 12, order 396        124 flat: 3.72 -> 4, order 128       4 single: 0.12 -> 1, so 2, order 6
    12 switches: none, order 12
    """
    got = {
        line.part: (line.qty_installed, line.qty_spare, line.qty_order)
        for line in bom_lines(plan_of("superpod-h100-1su"))
    }
    assert got["MMA4Z00-NS"] == (384, 12, 396)
    assert got["MMA4Z00-NS-FLT"] == (124, 4, 128)
    assert got["MMA4Z00-NS400"] == (4, 2, 6)
    assert got["MQM9700-NS2F"] == (12, 0, 12)
    assert sum(installed for part, (installed, _, _) in got.items() if part.startswith("MFP7E10")) == 508


def test_the_ends_of_a_copper_cable_are_not_billed_again() -> None:
    """leaf-1 and spine-1 are joined by one twin cable: two plugs in cages, one piece to buy. 2 % of 1 -> 1, so 2."""
    plan = plan_of("two-racks")
    [line] = [line for line in bom_lines(plan) if line.category == "dac"]
    assert sum(plan.parts[part].category == "dac" for part in plan.plugs.part.tolist()) == 2
    assert (line.part, line.length_mm, line.qty_installed, line.qty_spare, line.qty_order) == (
        "MCP4Y10-N002",
        2000,
        1,
        2,
        3,
    )


def test_lines_follow_the_order_of_categories_and_number_from_one() -> None:
    lines = bom_lines(plan_of("two-racks"))
    assert [line.line for line in lines] == list(range(1, len(lines) + 1))
    assert list(dict.fromkeys(line.category for line in lines)) == ["transceiver", "dac", "cord", "switch"]


@pytest.mark.parametrize(
    ("share", "least", "installed", "spares"),
    [
        (30_000, 2, 384, 12),  # 11.52
        (30_000, 2, 100, 3),  # exactly 3.00 stays 3
        (30_000, 2, 101, 4),  # 3.03
        (30_000, 2, 1, 2),  # the minimum
        (0, 1, 50, 1),
        (0, 0, 50, 0),
        (30_000, 2, 0, 0),  # nothing installed, nothing spare
        (1_000_000, 0, 7, 7),
    ],
)
def test_spares_are_the_larger_of_share_and_minimum(share: int, least: int, installed: int, spares: int) -> None:
    assert spares_of(SparePolicy.model_construct(share=share, min=least), installed) == spares


@pytest.mark.parametrize(
    ("need", "pack", "least", "order"),
    [
        (134, None, None, 134),
        (134, 12, None, 144),  # 11.2 packs -> 12
        (144, 12, None, 144),
        (40, 12, 100, 108),  # minimum 100 -> 8.3 packs -> 9
        (0, 12, 100, 0),  # nothing needed, nothing ordered
        (-3, 12, 100, 0),  # more in stock than needed
        (5, 0, None, 5),  # a pack of none is no pack
    ],
)
def test_an_order_is_whole_packs_above_the_minimum(need: int, pack: int | None, least: int | None, order: int) -> None:
    assert order_of(need, pack, least) == order


def test_phases_share_spares_and_rounding_in_the_first_one() -> None:
    """124 flat transceivers: 64 in racks A01 to A04 (P1), 60 in A06 to A09 (P2).

    Spares 3 % of 124 = 3.72 -> 4, all in P1. Needed 64 + 4 + 60 = 128; packs of 10 -> 130; the 2 over go to P1.
    """
    plan = in_two_phases(plan_of("superpod-h100-1su"), {"A06", "A07", "A08", "A09"})
    plan = replace(plan, prices=(price("MMA4Z00-NS-FLT", 100_0000, pack=10),))
    first, second = of_part(bom_lines(plan), "MMA4Z00-NS-FLT")
    assert (first.phase, first.need_by, first.qty_installed, first.qty_spare, first.qty_order) == (
        "P1",
        "2026-12-15",
        64,
        4,
        70,
    )
    assert (second.phase, second.need_by, second.qty_installed, second.qty_spare, second.qty_order) == (
        "P2",
        "2027-03-01",
        60,
        0,
        60,
    )
    assert (first.extended_e4, second.extended_e4) == (70 * 100_0000, 60 * 100_0000)


def test_a_part_of_the_second_phase_alone_has_its_spares_there() -> None:
    plan = in_two_phases(plan_of("superpod-h100-1su"), {"A05"})
    [line] = of_part(bom_lines(plan), "MMA4Z00-NS")
    assert (line.phase, line.qty_spare, line.qty_order) == ("P2", 12, 396)


def test_what_is_in_no_phase_comes_last_and_has_no_date() -> None:
    plan = in_two_phases(plan_of("superpod-h100-1su"), {"A06", "A07", "A08", "A09"})
    phase = plan.plugs.phase.copy()
    phase[phase == 0] = ABSENT
    lines = of_part(bom_lines(replace(plan, plugs=replace(plan.plugs, phase=phase))), "MMA4Z00-NS-FLT")
    assert [(line.phase, line.need_by, line.qty_spare) for line in lines] == [("P2", "2027-03-01", 4), ("", "", 0)]


def test_stock_serves_the_earliest_phase_first() -> None:
    """P1 needs 64 + 4, P2 60. Of 100 on hand P1 takes 68 and P2 32: 0 and 28 are left to order."""
    plan = in_two_phases(plan_of("superpod-h100-1su"), {"A06", "A07", "A08", "A09"})
    first, second = of_part(bom_lines(replace(plan, stock=(on_hand("MMA4Z00-NS-FLT", 100),))), "MMA4Z00-NS-FLT")
    assert [(line.qty_stock, line.qty_order) for line in (first, second)] == [(68, 0), (32, 28)]
    more = of_part(bom_lines(replace(plan, stock=(on_hand("MMA4Z00-NS-FLT", 1000),))), "MMA4Z00-NS-FLT")
    assert [line.qty_order for line in more] == [0, 0]


# --- what is not known ----------------------------------------------------------------------------------------------


def test_a_missing_price_stays_missing_and_is_never_zero() -> None:
    plan = replace(plan_of("two-racks"), prices=(price("MCP4Y10-N002", 1_2345),))
    lines = bom_lines(plan)
    assert {line.part: line.extended_e4 for line in lines if line.extended_e4 is not None} == {
        "MCP4Y10-N002": 3 * 1_2345
    }
    cost = cost_of(plan, lines)
    assert (cost.cabling_e4, cost.switches_e4, cost.total_e4, cost.share_without_nics_ppm) == (None, None, None, None)
    cells = [dict(zip(BOM_COLUMNS, row, strict=True)) for row in bom_cells(plan)]
    assert {row["part"]: (row["unit_price"], row["currency"], row["extended"]) for row in cells if row["currency"]} == {
        "MCP4Y10-N002": ("1.2345", "USD", "3.7035")
    }
    assert [row["extended"] for row in cells if not row["currency"]] == [""] * (len(cells) - 1)


def test_shares_need_every_price_and_nics_are_not_known_beside_hosts() -> None:
    """Switches 2 x 1000; cabling of 3 + 4 + 3 + 3 + 3 = 16 pieces at 100: 1600 of 3600 = 0.444444."""
    plan = plan_of("two-racks")
    plan = replace(
        plan, prices=tuple(price(p.part, 1000_0000 if p.category == "switch" else 100_0000) for p in plan.parts)
    )
    assert summary_of(plan)["cost"] == {
        "currency": "USD", "cabling": 1600.0, "switches": 2000.0, "nics": None, "total": None,
        "cabling_share_with_nics": None, "cabling_share_without_nics": 0.444444, "indicative": False,
    }  # fmt: skip
    without_hosts = replace(plan, devices=tuple(replace(d, kind="switch", part="MQM9700-NS2F") for d in plan.devices))
    cost = summary_of(without_hosts)["cost"]
    assert (cost["nics"], cost["total"], cost["cabling_share_with_nics"]) == (0.0, 5600.0, 0.285714)


def test_nothing_is_summed_over_two_currencies() -> None:
    plan = plan_of("two-racks")
    currencies = ("EUR", "USD")
    plan = replace(
        plan, prices=tuple(price(p.part, 1_0000, currency=currencies[n % 2]) for n, p in enumerate(plan.parts))
    )
    cost = summary_of(plan)["cost"]
    assert (cost["currency"], cost["cabling"], cost["switches"], cost["total"]) == (None, None, None, None)


def test_one_indicative_price_marks_the_sums() -> None:
    plan = plan_of("two-racks")
    plan = replace(plan, prices=(replace(price("MCP4Y10-N002", 1_0000), indicative=True),))
    assert summary_of(plan)["cost"]["indicative"] is True


def test_unknown_power_is_null() -> None:
    """Known: 2 flat, 1 finned at 17 W, 2 plugs of the copper cable at 0.1 W = 51.2 W; 2 switches at 747 W."""
    plan = plan_of("two-racks")
    assert summary_of(plan)["power_w"] == {"plugs": 51.2, "switches": 1494.0}
    unknown = replace(
        plan,
        parts=tuple(replace(part, power_mw=ABSENT) for part in plan.parts),
        devices=tuple(replace(device, power_mw=ABSENT) for device in plan.devices),
    )
    assert summary_of(unknown)["power_w"] == {"plugs": None, "switches": None}


@pytest.mark.parametrize(
    ("e4", "text"),
    [(None, ""), (0, "0.00"), (1599_0000, "1599.00"), (1_2345, "1.2345"), (1_2300, "1.23"), (50, "0.005")],
)
def test_money_has_two_decimals_or_as_many_as_it_needs(e4: int | None, text: str) -> None:
    assert money_text(e4) == text


# --- summary --------------------------------------------------------------------------------------------------------


def test_the_summary_of_the_pod() -> None:
    summary = summary_of(plan_of("superpod-h100-1su"))
    assert summary["links"] == {
        "total": 508,
        "by_tier": {"compute/leaf-spine": 256, "compute/node-leaf": 248, "compute/ufm-leaf": 4},
        "by_medium": {"optic": 508},
        "unresolved": 0,
    }
    assert summary["by_category"] == {"cord": 508, "switch": 12, "transceiver": 512}
    assert summary["by_family"] == {
        "mfp7e10": 508, "mma4z00-ns": 384, "mma4z00-ns400": 4, "mma4z00-ns-flt": 124, "qm9700": 12,
    }  # fmt: skip
    assert list(summary) == [
        "project", "revision", "inputs_sha256", "links", "parts", "by_category", "by_family", "length_m", "findings",
        "cost", "power_w", "pathways",
    ]  # fmt: skip
    # 508 transceivers of 17 W and 4 of 9 W; 12 switches of 747 W.
    assert summary["power_w"] == {"plugs": 508 * 17.0 + 4 * 9.0, "switches": 12 * 747.0}


def test_a_plan_without_a_resolved_link_has_no_longest_length() -> None:
    plan = plan_of("two-racks")
    unresolved = Words(np.zeros(len(plan.links), np.int32), ("unresolved",))
    nothing = np.zeros(0, np.int64)
    plan = replace(
        plan,
        links=replace(plan.links, status=unresolved, medium=Words(np.full(len(plan.links), -1, np.int32), ())),
        cables=plan.cables.take(nothing),
        plugs=plan.plugs.take(nothing),
    )
    summary = summary_of(plan)
    assert summary["links"]["unresolved"] == 4
    assert summary["links"]["by_medium"] == {}
    assert summary["length_m"] == {"stock_total": 0.0, "longest_required": None}
    assert summary["parts"] == {"MQM9700-NS2F": 2}


def test_waived_findings_do_not_count() -> None:
    finding = Finding("LEN001", "too-long", Severity.ERROR, "", "too long", "", "", None)
    plan = replace(plan_of("two-racks"), findings=(finding, replace(finding, waived="measured on site")))
    assert summary_of(plan)["findings"] == {"error": 1, "warning": 0, "info": 0}


# --- laws -----------------------------------------------------------------------------------------------------------


@BOTH
def test_the_purchase_list_sums_to_the_plan(layout: str) -> None:
    plan = plan_of(layout)
    planned = Counter(plan.parts[part].part for part in plan.cables.part.tolist())
    planned.update(
        plan.parts[part].part for part in plan.plugs.part.tolist() if plan.parts[part].category == "transceiver"
    )
    planned.update(device.part for device in plan.devices if device.kind == "switch")
    billed: Counter[str] = Counter()
    for line in bom_lines(plan):
        billed[line.part] += line.qty_installed
    assert billed == planned
    assert summary_of(plan)["parts"] == planned


@BOTH
def test_kits_hold_what_is_installed_and_no_spare(layout: str) -> None:
    plan = plan_of(layout)
    kits: Counter[str] = Counter()
    for kit in kit_lines(plan):
        kits[kit.part.part] += kit.quantity
    assert kits == summary_of(plan)["parts"]


def test_a_cable_between_racks_is_in_the_kit_of_its_a_end() -> None:
    """dgx-1 and its leaf share rack A01; the cord of dgx-2 in A02 goes to the leaf in A01."""
    kits = {(kit.rack, kit.part.category): (kit.quantity, kit.leaving) for kit in kit_lines(plan_of("two-racks"))}
    assert kits["A01", "cord"] == (1, 0)
    assert kits["A01", "dac"] == (1, 0)
    assert kits["A01", "switch"] == (2, 0)
    assert kits["A02", "cord"] == (1, 1)


@given(
    split=st.sets(st.sampled_from([f"A0{n}" for n in range(1, 10)])),
    pack=st.integers(1, 50),
    least=st.integers(0, 500),
    stock=st.integers(0, 400),
)
def test_phases_and_packs_lose_no_piece(split: set[str], pack: int, least: int, stock: int) -> None:
    base = plan_of("superpod-h100-1su")
    plan = replace(in_two_phases(base, split), prices=tuple(price(p.part, 1_0000, pack, least) for p in base.parts))
    plan = replace(plan, stock=tuple(on_hand(part.part, stock) for part in plan.parts))
    lines = bom_lines(plan)
    for part, installed in summary_of(base)["parts"].items():
        mine = of_part(lines, part)
        need = installed + sum(line.qty_spare for line in mine)
        ordered, taken = sum(line.qty_order for line in mine), sum(line.qty_stock for line in mine)
        assert sum(line.qty_installed for line in mine) == installed
        assert taken == min(stock, need)
        assert ordered % pack == 0
        assert ordered >= need - taken
        assert ordered == 0 or ordered >= least
        assert ordered - max(need - taken, least) < pack
        assert sorted(line.qty_spare for line in mine[1:]) == [0] * (len(mine) - 1)
        assert all(line.qty_order >= line.qty_installed + line.qty_spare - line.qty_stock for line in mine)


def test_bom_csv_survives_its_reader() -> None:
    plan = plan_of("two-racks")
    plan = replace(plan, parts=tuple(replace(part, description='two "ends", one\ncable') for part in plan.parts))
    text = io.StringIO()
    csv.writer(text).writerows([BOM_COLUMNS, *bom_cells(plan)])
    rows = list(csv.DictReader(io.StringIO(text.getvalue(), newline="")))
    assert [(row["part"], row["length_m"]) for row in rows if row["category"] == "dac"] == [("MCP4Y10-N002", "2.000")]
    assert {row["length_m"] for row in rows if row["category"] in {"switch", "transceiver"}} == {""}
    assert {row["description"] for row in rows} == {'two "ends", one\ncable'}


def test_a_generic_part_says_that_its_name_orders_nothing() -> None:
    plan = plan_of("two-racks")
    first = replace(plan.parts[0], manufacturer="generic", description="Cat6 cord")
    told = {line.part: line.description for line in bom_lines(replace(plan, parts=(first, *plan.parts[1:])))}
    assert told.pop(first.part) == "Cat6 cord (a class of parts, not an order number: choose a product)"
    assert not any("a class of parts" in description for description in told.values())
