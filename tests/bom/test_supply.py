"""Stock on hand and spares: worked by hand, against every way of handing out pieces, and as laws for all plans."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from planner.bom.bill import BomLine, bom_lines, stock_used
from planner.bom.spares import spares_of
from planner.pipeline import compile_project
from planner.plan import ABSENT, AlternateRow, CableTable, PartRow, Plan, PriceRow, StockRow
from planner.project import SparePolicy
from planner.store import read_plan, write_plan
from tests.support.projects import LAYOUTS, changed, compiled, project_text


@cache
def base() -> Plan:
    plan = compile_project(LAYOUTS / "two-racks").plan
    assert plan is not None
    return plan


def cord(length_m: int, longest_m: int = 50, family: str = "cord") -> PartRow:
    """A cord; longest_m: the longest that the links with it allow."""
    part = f"{family.upper()}-{length_m:03}"
    return PartRow(
        part, "", family, "cord", "maker", "a cord", length_m * 1000, "primary", "active", "", "", ABSENT,
        longest_m * 1000,
    )  # fmt: skip


def shelf(length_m: int, pieces: int, place: str = "", family: str = "cord") -> StockRow:
    part = cord(length_m, family=family)
    return StockRow(part.part, "", family, "cord", "a cord", part.length_mm, pieces, place)


def plan_with(
    cords: Sequence[tuple[PartRow, int]],
    *shelves: StockRow,
    stock: Mapping[str, object] | None = None,
    spares: Mapping[str, object] | None = None,
    prices: Sequence[PriceRow] = (),
) -> Plan:
    """A plan of nothing but cords, so many of each."""
    parts = tuple(part for part, _ in cords)
    column = np.repeat(np.arange(len(parts)), [pieces for _, pieces in cords]).astype(np.int64)
    zeros = np.zeros(len(column), np.int64)
    cables = CableTable(np.arange(len(column)) + 1, column, zeros, zeros, zeros, zeros - 1, zeros + 1, zeros - 1)
    policy = {"stock": dict(stock or {}), "spares": {"cord": dict(spares or {})}}
    return replace(
        base(),
        parts=parts,
        cables=cables,
        plugs=base().plugs.take(np.zeros(0, np.int64)),
        devices=(),
        alternates=(),
        stock=shelves,
        prices=tuple(prices),
        inputs=json.dumps({"policy": policy}),
    )


def orders(plan: Plan) -> dict[str, tuple[int, int, int, int]]:
    """Installed, spare, from stock and to order, by part."""
    return {l.part: (l.qty_installed, l.qty_spare, l.qty_stock, l.qty_order) for l in bom_lines(plan)}  # noqa: E741


LONGER = {"longer_covers": "true"}


# --- stock on hand --------------------------------------------------------------------------------------------------


def test_a_part_is_served_by_its_own_stock_shelf_by_shelf() -> None:
    """7 of 3 m and 4 of 5 m; on hand 5 + 9 of 3 m in two places and 1 of 5 m: 7 taken and 7 left, 1 taken and 3 to order."""
    plan = plan_with([(cord(3), 7), (cord(5), 4)], shelf(3, 5, "cage 1"), shelf(5, 1, "cage 1"), shelf(3, 9, "hall 2"))
    assert orders(plan) == {"CORD-003": (7, 0, 7, 0), "CORD-005": (4, 0, 1, 3)}
    assert [(use.row.place, use.row.part, use.used, use.left) for use in stock_used(plan)] == [
        ("cage 1", "CORD-003", 5, 0),
        ("cage 1", "CORD-005", 1, 0),
        ("hall 2", "CORD-003", 2, 7),
    ]


def test_longer_pieces_serve_shorter_lines_only_where_the_policy_says_so() -> None:
    plan = plan_with([(cord(3), 7)], shelf(5, 10))
    assert orders(plan)["CORD-003"] == (7, 0, 0, 7)
    plan = plan_with([(cord(3), 7)], shelf(5, 10), stock=LONGER)
    assert orders(plan)["CORD-003"] == (7, 0, 7, 0)
    [use] = stock_used(plan)
    assert (use.used, use.left, use.lines) == (7, 3, ((0, ABSENT, 7),))


def test_a_longer_piece_serves_its_own_length_first_and_never_beyond_the_reach() -> None:
    """10 of 10 m on hand, 8 wanted as 10 m: 2 are left for the 3 m. The 5 m links end at 7 m, so no 10 m serves them."""
    cords = [(cord(3), 4), (cord(5, longest_m=7), 4), (cord(10), 8)]
    assert orders(plan_with(cords, shelf(10, 10), stock=LONGER)) == {
        "CORD-003": (4, 0, 2, 2),
        "CORD-005": (4, 0, 0, 4),
        "CORD-010": (8, 0, 8, 0),
    }


def test_neither_a_shorter_piece_nor_another_family_serves() -> None:
    cords = [(cord(5), 4)]
    for other in (shelf(3, 10), shelf(10, 10, family="other")):
        assert orders(plan_with(cords, other, stock=LONGER))["CORD-005"] == (4, 0, 0, 4)
    unknown = [(replace(cord(5), longest_mm=ABSENT), 4)]
    assert orders(plan_with(unknown, shelf(10, 10), stock=LONGER))["CORD-005"] == (4, 0, 0, 4)


def test_what_equals_a_part_on_every_link_serves_it_after_its_own_line() -> None:
    """6 of 3 m; 2 of their own on hand and 9 of an equal, of which its own line takes 4: 4 more come from it, 1 is left."""
    equal = cord(3, family="other")
    cords = [(cord(3), 6), (equal, 4)]
    plan = plan_with(cords, shelf(3, 9, family="other"), shelf(3, 2))
    equals = (AlternateRow(0, equal.part, "", "other maker"),)
    assert orders(plan) == {"CORD-003": (6, 0, 2, 4), "OTHER-003": (4, 0, 4, 0)}
    plan = replace(plan, alternates=equals)
    assert orders(plan) == {"CORD-003": (6, 0, 6, 0), "OTHER-003": (4, 0, 4, 0)}
    assert [(use.row.part, use.left) for use in stock_used(plan)] == [("OTHER-003", 1), ("CORD-003", 0)]
    apart = plan_with(cords, shelf(3, 9, family="other"), shelf(3, 2), stock={"equals_cover": "false"})
    assert orders(replace(apart, alternates=equals))["CORD-003"] == (6, 0, 2, 4)


@pytest.mark.parametrize(("vendors", "taken"), [({}, 3), ({"one_at_both_ends": "true"}, 0)])
def test_plugs_of_two_makers_meet_only_where_they_may(vendors: dict[str, str], taken: int) -> None:
    """One finned transceiver and its two spares."""
    number = next(n for n, part in enumerate(base().parts) if part.part == "MMA4Z00-NS")
    other = StockRow("ZZ-1", "", "zz", "transceiver", "", ABSENT, 5, "")
    plan = replace(
        base(),
        alternates=(AlternateRow(number, "ZZ-1", "", "other maker"),),
        stock=(other,),
        inputs=json.dumps({"policy": {"vendors": vendors}}),
    )
    assert orders(plan)["MMA4Z00-NS"][2] == taken


small_stock = st.lists(st.tuples(st.sampled_from((3, 5, 7, 10, 20)), st.integers(0, 3)), max_size=4)
small_cords = st.lists(
    st.tuples(st.sampled_from((2, 3, 5, 7, 10)), st.sampled_from((5, 7, 10, 50)), st.integers(1, 3)),
    min_size=1,
    max_size=4,
    unique_by=lambda item: item[0],
)


@given(cords=small_cords, stock=small_stock)
def test_as_many_pieces_are_taken_as_any_way_of_handing_them_out(
    cords: list[tuple[int, int, int]], stock: list[tuple[int, int]]
) -> None:
    """Against a search over every way, own stock first as the bill has it."""
    plan = plan_with([(cord(l, max(m, l)), n) for l, m, n in cords], *(shelf(l, n) for l, n in stock), stock=LONGER)  # noqa: E741
    wanted = {length: pieces for length, _, pieces in cords}
    left = []
    for length, pieces in stock:
        own = min(pieces, wanted.get(length, 0))
        wanted[length] = wanted.get(length, 0) - own
        left += [length] * (pieces - own)
    places = [(l, max(m, l)) for l, m, _ in cords for _ in range(wanted[l])]  # noqa: E741

    def most(pieces: tuple[int, ...], free: tuple[tuple[int, int], ...]) -> int:
        if not pieces or not free:
            return 0
        first, rest = pieces[0], pieces[1:]
        best = most(rest, free)
        for n, (shortest, longest) in enumerate(free):
            if shortest < first <= longest and (shortest, longest) not in free[:n]:
                best = max(best, 1 + most(rest, (*free[:n], *free[n + 1 :])))
        return best

    own_stock = sum(n for _, _, n in cords) - len(places)
    taken = sum(line.qty_stock for line in bom_lines(plan))
    assume(len(left) <= 6 and len(places) <= 8)
    assert taken == own_stock + most(tuple(left), tuple(places))


@given(cords=small_cords, stock=small_stock, pack=st.integers(1, 12), least=st.integers(0, 12))
def test_covering_by_longer_pieces_never_makes_an_order_larger(
    cords: list[tuple[int, int, int]], stock: list[tuple[int, int]], pack: int, least: int
) -> None:
    parts = [(cord(l, max(m, l)), n) for l, m, n in cords]  # noqa: E741
    prices = [PriceRow(part.part, 100, "USD", "", pack, least, ABSENT, False) for part, _ in parts]
    shelves = [shelf(length, n) for length, n in stock]
    spares = {"share": "0.1", "min": "1"}
    plain = bom_lines(plan_with(parts, *shelves, spares=spares, prices=prices))
    plan = plan_with(parts, *shelves, spares=spares, prices=prices, stock=LONGER)
    covered = bom_lines(plan)
    none = bom_lines(plan_with(parts, spares=spares, prices=prices))
    for with_longer, with_own, without in zip(covered, plain, none, strict=True):
        assert with_longer.qty_order <= with_own.qty_order <= without.qty_order
        assert with_longer.qty_stock >= with_own.qty_stock
    assert sum(line.qty_stock for line in covered) == sum(use.used for use in stock_used(plan))
    assert all(use.left >= 0 for use in stock_used(plan))


STOCK_CSV = "part,quantity,place\nMFP7E10-N005,1,shelf 1\nmma4z00-ns,1,shelf 2\nMCP4Y10-N001,7,shelf 3\n"


def test_a_stock_list_is_read_kept_in_the_plan_and_used_by_the_bill(tmp_path: Path) -> None:
    """Of the two racks: 1 finned transceiver and 2 spare, one of them on hand; the copper cable of 1 m serves nothing."""
    text = changed(project_text("two-racks"), ("policy:", "policy:\n  stock: {on_hand: stock.csv}"))
    result = compiled(tmp_path, text, {"stock.csv": STOCK_CSV})
    plan = result.plan
    assert plan is not None
    assert [(row.part, row.quantity, row.place) for row in plan.stock] == [
        ("MFP7E10-N005", 1, "shelf 1"),
        ("MMA4Z00-NS", 1, "shelf 2"),
        ("MCP4Y10-N001", 7, "shelf 3"),
    ]
    before = {line.part: line for line in bom_lines(base())}
    for line in bom_lines(plan):
        taken = {"MFP7E10-N005": 1, "MMA4Z00-NS": 1}.get(line.part, 0)
        assert (line.qty_stock, line.qty_order) == (taken, before[line.part].qty_order - taken)
    assert [use.left for use in stock_used(plan)] == [0, 0, 7]
    write_plan(plan, tmp_path / "plan.db")
    again = read_plan(tmp_path / "plan.db")
    assert bom_lines(again) == bom_lines(plan)
    assert again.stock == plan.stock
    # The list is an input as others are.
    assert plan.identity.inputs_sha256 != base().identity.inputs_sha256


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        (b"part;quantity\nMFP7E10-N005;1\n", "INP010 stock.csv:1:1"),
        (b"part,quantity\nMFP7E10-N005,1,2\n", "INP010 stock.csv:2:1"),
        (b"part,quantity\nMFP7E10-N005,1e3\n", "INP010 stock.csv:2:14"),
        (b"part,quantity\nMFP7E10-N005,\n", "INP010 stock.csv:2:14"),
        (b"part,quantity\nMFP7E10-N005,9999999999\n", "INP010 stock.csv:2:14"),
        (b'part,quantity\n"=cmd|x",1\n', "INP018 stock.csv:2:1"),
        (b"part,quantity\n\xff,1\n", "INP001 stock.csv:2:1"),
        (b"", "INP001 stock.csv:1:1"),
    ],
)
def test_hostile_stock_lists(tmp_path: Path, text: bytes, mark: str) -> None:
    project = changed(project_text("two-racks"), ("policy:", "policy:\n  stock: {on_hand: stock.csv}"))
    findings = compiled(tmp_path, project, {"stock.csv": text}).findings
    assert mark in [f"{f.rule} {f.at}" for f in findings if f.at is not None]


@pytest.mark.parametrize(("name", "rule"), [("../stock.csv", "INP00"), ("none.csv", "INP00"), ("", "INP00")])
def test_a_stock_list_outside_the_project_is_not_read(tmp_path: Path, name: str, rule: str) -> None:
    (tmp_path / "stock.csv").write_text(STOCK_CSV)
    project = changed(project_text("two-racks"), ("policy:", f"policy:\n  stock: {{on_hand: '{name}'}}"))
    findings = compiled(tmp_path / "inside", project).findings
    assert any(f.rule.startswith(rule) and f.severity == "error" for f in findings)


# --- spares ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rate", "weeks", "installed", "spares"),
    [
        (20_000, 26, 500, 5),  # 2 % of 500 a year = 10, half a year: 5
        (20_000, 27, 500, 6),  # 5.19
        (20_000, 52, 500, 10),
        (20_000, 0, 500, 2),  # the minimum
        (20_000, None, 500, 2),
        (1_000_000, 1, 52, 2),  # 1.0, below the minimum
        (1_000_000, 1, 105, 3),  # 2.02
    ],
)
def test_spares_cover_what_fails_in_a_lead_time(rate: int, weeks: int | None, installed: int, spares: int) -> None:
    policy = SparePolicy.model_construct(min=2, annual_failure_rate=rate)
    assert spares_of(policy, installed, weeks) == spares


def test_the_lead_time_of_the_price_book_goes_before_the_policys() -> None:
    """100 cords at 10 % a year: 4 weeks -> 0.77 -> 1; 26 weeks -> 5; none known: the minimum of 0."""
    cords = [(cord(3), 100)]
    rate = {"annual_failure_rate": "0.1"}

    def book(weeks: int) -> list[PriceRow]:
        return [PriceRow("CORD-003", ABSENT, "USD", "", ABSENT, ABSENT, weeks, False)]

    assert orders(plan_with(cords, spares=rate))["CORD-003"][1] == 0
    assert orders(plan_with(cords, spares={**rate, "lead_time_weeks": "26"}))["CORD-003"][1] == 5
    assert orders(plan_with(cords, spares={**rate, "lead_time_weeks": "26"}, prices=book(4)))["CORD-003"][1] == 1
    assert orders(plan_with(cords, spares=rate, prices=book(ABSENT)))["CORD-003"][1] == 0


def test_the_spares_of_a_family_are_held_in_its_longest_lengths() -> None:
    """100 of 3 m, 40 of 5 m, 10 of 10 m: 3 + 2 + 2 = 7 spares apart, ceil(4.5) = 5 together, all of 10 m.

    Where the links of the 3 m end at 7 m, theirs are held in 5 m: 3; 50 others -> 2 of 10 m.
    """
    spares = {"share": "0.03", "min": "2"}
    pooled = {**spares, "longer_covers": "true"}
    cords = [(cord(3), 100), (cord(5), 40), (cord(10), 10)]
    assert [line[1] for line in orders(plan_with(cords, spares=spares)).values()] == [3, 2, 2]
    assert [line[1] for line in orders(plan_with(cords, spares=pooled)).values()] == [0, 0, 5]
    near = [(cord(3, longest_m=7), 100), (cord(5), 40), (cord(10), 10)]
    assert [line[1] for line in orders(plan_with(near, spares=pooled)).values()] == [0, 3, 2]


@given(
    cords=small_cords,
    share=st.integers(0, 30),
    least=st.integers(0, 3),
)
def test_a_pool_of_spares_is_never_larger_and_every_part_has_a_spare_that_serves_it(
    cords: list[tuple[int, int, int]], share: int, least: int
) -> None:
    parts = [(cord(l, max(m, l)), n) for l, m, n in cords]  # noqa: E741
    spares = {"share": f"{share / 100:.2f}", "min": str(least)}
    apart = bom_lines(plan_with(parts, spares=spares))
    plan = plan_with(parts, spares={**spares, "longer_covers": "true"})
    pool = bom_lines(plan)

    def total(lines: Sequence[BomLine]) -> int:
        return sum(line.qty_spare for line in lines)

    assert total(pool) <= total(apart)
    assert [line.qty_installed for line in pool] == [line.qty_installed for line in apart]
    limits = {part.part: part.longest_mm for part in plan.parts}
    for line in apart:
        fitting = [p for p in pool if (line.length_mm or 0) <= (p.length_mm or 0) <= limits[line.part] and p.qty_spare]
        assert bool(fitting) == bool(line.qty_spare)
