"""The thirty links of docs/worked-lengths, worked by hand there, agree with the planner to the millimetre.

The sums stand in docs/worked-lengths/links.yaml as text; here they are only added up and rounded as docs/lengths.md says:
each term once, half up, and slack up.
"""

from __future__ import annotations

import ast
import operator
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from planner.findings import Severity
from planner.pipeline import Compiled, compile_project

FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "worked-lengths"
TERMS: Final = ("a_in_rack", "a_rise", "pathway", "z_rise", "z_in_rack")
WORKED: Final[list[dict[str, str]]] = yaml.safe_load((FOLDER / "links.yaml").read_text(encoding="utf-8"))
_SIGNS: Final[dict[type, Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


@cache
def compiled() -> Compiled:
    return compile_project(FOLDER)


def exact(text: str) -> Decimal:
    """The value of a sum as written."""

    def value(node: ast.expr) -> Decimal:
        match node:
            case ast.BinOp():
                return Decimal(_SIGNS[type(node.op)](value(node.left), value(node.right)))
            case ast.Call(func=ast.Name(id="sqrt"), args=[inside]):
                return value(inside).sqrt()
            case ast.Constant():
                return Decimal(ast.unparse(node))
        raise AssertionError(f"{text}: {ast.unparse(node)}")

    return value(ast.parse(text, mode="eval").body)


def half_up(text: str) -> int:
    return int(exact(text).to_integral_value(ROUND_HALF_UP))


@pytest.mark.parametrize("worked", WORKED, ids=lambda worked: worked["link"])
def test_a_link_worked_by_hand(worked: dict[str, str]) -> None:
    plan = compiled().plan
    assert plan is not None
    row = plan.link_ids.index(worked["link"])
    terms = {term: half_up(worked.get(term, "0")) for term in TERMS}
    assert {term: int(getattr(plan.links, f"{term}_mm")[row]) for term in TERMS} == terms
    routed = half_up(worked["measured"]) if "measured" in worked else sum(terms.values())
    assert int(plan.links.routed_mm[row]) == routed
    slack = int((2 * 300 + Decimal(5) * routed / 100).to_integral_value(ROUND_CEILING))
    assert int(plan.links.required_mm[row]) == routed + slack
    assert int(plan.links.stock_mm[row]) >= routed + slack
    number = int(plan.links.route[row])
    route = plan.routes.pathways[number] if number >= 0 else ""
    assert route == worked.get("route", "")


def test_all_links_are_worked_and_the_layout_is_clean() -> None:
    plan = compiled().plan
    assert plan is not None
    assert sorted(plan.link_ids) == sorted(worked["link"] for worked in WORKED)
    assert len(WORKED) == 30
    assert [f for f in compiled().findings if f.severity is Severity.ERROR] == []
