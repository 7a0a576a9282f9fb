"""The bill sums to the plan, whatever the design, the policy of spares, the stock list and the price book."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from planner.bom.bill import (
    BOM_COLUMNS,
    BomLine,
    bom_cells,
    bom_lines,
    cost_of,
    kit_lines,
    order_of,
    stock_used,
    summary_of,
)
from planner.pipeline import compile_project
from planner.plan import Plan
from planner.store import read_plan, write_plan
from tests.oracle.rooms import RoomOf, write_project
from tests.properties.test_laws_of_plans import designs
from tests.support.examples import examples

PARTS = (
    "MMA4Z00-NS", "MMA4Z00-NS-FLT", "MFP7E10-N003", "MFP7E10-N005", "MFP7E10-N010", "MFP7E10-N020", "MFP7E10-N050",
    "MCP4Y10-N001", "MCP4Y10-N002", "MCA4J80-N003", "MCA4J80-N005", "MQM9700-NS2F", "MQM9700-NS2R",
)  # fmt: skip

spare = st.fixed_dictionaries(
    {},
    optional={
        "share": st.sampled_from(["0", "0.03", "0.5"]),
        "min": st.sampled_from(["0", "1", "5"]),
        "annual_failure_rate": st.sampled_from(["0", "0.1", "1"]),
        "lead_time_weeks": st.sampled_from(["0", "7", "52"]),
        "longer_covers": st.sampled_from(["true", "false"]),
    },
)
policies = st.fixed_dictionaries(
    {
        "spares": st.dictionaries(st.sampled_from(["transceiver", "cord", "dac", "acc", "aoc"]), spare, max_size=4),
        "stock": st.fixed_dictionaries(
            {"on_hand": st.just("stock.csv")},
            optional={"longer_covers": st.just("true"), "pool": st.sampled_from(["none", "rack"])},
        ),
    }
)
stocks = st.lists(
    st.tuples(st.sampled_from(PARTS), st.integers(0, 9), st.sampled_from(["", "shelf 1", "hall; 2"])), max_size=6
)
prices = st.dictionaries(
    st.sampled_from(PARTS),
    st.fixed_dictionaries(
        {"currency": st.just("USD"), "date": st.just("2026-11-30"), "source": st.just("invented")},
        optional={
            "price": st.sampled_from(["0", "12.5", "900"]),
            "pack_size": st.integers(1, 12).map(str),
            "minimum_order": st.integers(0, 20).map(str),
            "lead_time_weeks": st.integers(0, 30).map(str),
        },
    ),
    max_size=8,
)


def planned(
    folder: Path,
    room: RoomOf,
    policy: dict[str, Any],
    stock: list[tuple[str, int, str]],
    book: dict[str, Any],
    phased: int,
) -> Plan:
    """The plan with these policies; the first so many racks are in phase P1, the rest in P2; 0: no phases."""

    def change(text: dict[str, Any]) -> None:
        text["policy"] = {**text["policy"], **policy}
        text["catalogs"] = [*text.get("catalogs", []), "book"]
        names = [rack.name for rack in room.racks]
        if phased:
            parts = (("P1", names[:phased]), ("P2", names[phased:]))
            text["phases"] = [{"name": name, "racks": racks} for name, racks in parts if racks]

    write_project(room, folder, change)
    rows = "".join(f"{part},{pieces},{place}\n" for part, pieces, place in stock)
    (folder / "stock.csv").write_text("part,quantity,place\n" + rows, encoding="utf-8")
    (folder / "book" / "prices").mkdir(parents=True)
    entries = [{"part": part, **price} for part, price in book.items()]
    text = json.dumps({"name": "invented", "prices": entries})
    (folder / "book" / "prices" / "invented.yaml").write_text(text, encoding="utf-8")
    plan = compile_project(folder).plan
    assert plan is not None
    return plan


@examples(8)
@given(designs(), policies, stocks, prices, st.integers(0, 3))
def test_the_bill_sums_to_the_plan(
    room: RoomOf, policy: dict[str, Any], stock: list[tuple[str, int, str]], book: dict[str, Any], phased: int
) -> None:
    with TemporaryDirectory() as folder:
        plan = planned(Path(folder), room, policy, stock, book, phased)
        write_plan(plan, Path(folder) / "plan.db")
        again = read_plan(Path(folder) / "plan.db")
    lines = bom_lines(plan)
    assert bom_lines(again) == lines
    names = [part.part for part in plan.parts]
    installed = Counter(names[part] for part in plan.cables.part.tolist())
    installed.update(names[part] for part in plan.plugs.part.tolist() if plan.parts[part].category == "transceiver")
    installed.update(device.part for device in plan.devices if device.kind == "switch")
    by_part: dict[str, list[BomLine]] = {}
    for line in lines:
        by_part.setdefault(line.part, []).append(line)
    assert {part: sum(line.qty_installed for line in mine) for part, mine in by_part.items()} == installed
    assert summary_of(plan)["parts"] == installed
    kits: Counter[str] = Counter()
    for kit in kit_lines(plan):
        kits[kit.part.part] += kit.quantity
    assert kits == installed
    for part, mine in by_part.items():
        need = sum(line.qty_installed + line.qty_spare for line in mine)
        taken, ordered = sum(line.qty_stock for line in mine), sum(line.qty_order for line in mine)
        price = book.get(part, {})
        pack, least = int(price.get("pack_size", 1)), int(price.get("minimum_order", 0))
        assert ordered == order_of(need - taken, pack, least)
        assert ordered >= need - taken >= 0
        assert [line.qty_spare for line in mine[1:]] == [0] * (len(mine) - 1)
        # Every phase gets what it needs: from stock, or ordered for it.
        assert all(line.qty_order >= line.qty_installed + line.qty_spare - line.qty_stock >= 0 for line in mine)
        for line in mine:
            unit = line.unit_price_e4
            assert line.extended_e4 == (None if unit is None else unit * line.qty_order)
    uses = stock_used(plan)
    assert [(use.row.part, use.row.quantity, use.row.place) for use in uses] == stock
    assert all(0 <= use.used <= use.row.quantity for use in uses)
    assert sum(use.used for use in uses) == sum(line.qty_stock for line in lines)
    cost = cost_of(plan, lines)
    cabling = [line for line in lines if line.category != "switch"]
    if all(line.extended_e4 is not None for line in cabling):
        assert cost.cabling_e4 == sum(line.extended_e4 or 0 for line in cabling)
    else:
        assert cost.cabling_e4 is None
    cells = [dict(zip(BOM_COLUMNS, row, strict=True)) for row in bom_cells(plan)]
    assert [(row["part"], row["qty_order"]) for row in cells] == [(line.part, line.qty_order) for line in lines]
