"""Laws of what is on hand: pieces are finite, what comes too late is taken from stock alone, and a shelf that is not asked changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st

from planner import pipeline
from planner.bom.bill import bom_lines
from planner.pipeline import compile_project
from planner.plan import Plan
from tests.oracle.test_whole_projects import MOST_WEEKS, PARTS, Market, cases
from tests.selection.test_groups_by_hand import written
from tests.support.examples import examples
from tests.support.projects import small_catalog

FEW = st.dictionaries(st.sampled_from(PARTS), st.integers(1, 2), min_size=1, max_size=8)


@pytest.fixture(scope="module", autouse=True)
def _small_catalog() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "catalogs_folder", small_catalog)
        yield


def planned(case: dict[str, Any], **stock: object) -> Plan:
    policy = {**case["policy"], "stock": {**case["policy"]["stock"], **stock}}
    with TemporaryDirectory() as folder:
        plan = compile_project(written({**case, "policy": policy}, Path(folder))).plan
    assert plan is not None
    return plan


def parts_of(plan: Plan) -> list[tuple[object, ...]]:
    columns = (plan.links.medium, plan.links.a_plug_part, plan.links.z_plug_part, plan.links.cable)
    cables = [plan.parts[n].part for n in plan.cables.part.tolist()]
    return [*zip(plan.link_ids, *(column.tolist() for column in columns), strict=True), tuple(cables)]


@examples(8, phases=[Phase.generate])
@given(cases(), FEW)
def test_stock_is_finite(drawn: tuple[dict[str, Any], Market], stock: dict[str, int]) -> None:
    """A part that comes too late is installed as often as it is on hand at most; the bill takes no more than there is, and takes it."""
    case, market = drawn
    plan = planned({**case, "stock": stock})
    installed = Counter(plan.parts[n].part for n in plan.cables.part.tolist())
    installed += Counter(part for n in plan.plugs.part.tolist() if (part := plan.parts[n].part) not in installed)
    for line in bom_lines(plan):
        if line.part not in PARTS:
            continue
        on_hand, weeks = stock.get(line.part, 0), market.figures[line.part][1]
        assert line.qty_installed == installed[line.part]
        # Equals may stand in where the part itself is used up, never before.
        assert line.qty_stock >= min(on_hand, line.qty_installed + line.qty_spare)
        if market.limited and weeks is not None and weeks > MOST_WEEKS:
            assert line.qty_installed <= on_hand


@examples(3, phases=[Phase.generate])
@given(cases(), FEW)
def test_a_shelf_that_is_not_preferred_changes_no_link(
    drawn: tuple[dict[str, Any], Market], stock: dict[str, int]
) -> None:
    case, _ = drawn
    assert parts_of(planned({**case, "stock": stock}, prefer=False)) == parts_of(planned({**case, "stock": {}}))
