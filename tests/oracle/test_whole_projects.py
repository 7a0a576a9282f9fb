"""Small projects, from YAML to plan, against trying everything: no choice of parts is worth less than the plan's.

What may go where is written down here by hand, for a handful of families; the value of a choice is that of
docs/selection.md, counted from what the plan's tables say that is bought. Nothing of `planner.selection` is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st

from planner import pipeline
from planner.pipeline import compile_project
from planner.plan import Plan
from planner.units import metres
from tests.selection.test_groups_by_hand import written
from tests.support.examples import examples
from tests.support.projects import small_catalog

CORDS = {"mm": "MFP7E10", "sm": "MFP7E30"}
LENGTHS = {
    "MCP4Y10": {"N00A": 500, "N001": 1000, "N01A": 1500, "N002": 2000},
    "MCA4J80": {"N003": 3000, "N004": 4000, "N005": 5000},
    "MCP7Y00": {"N001": 1000, "N01A": 1500, "N002": 2000},
    "MFP7E10": {"N003": 3000, "N005": 5000, "N007": 7000, "N010": 10_000, "N030": 30_000},
    "MFP7E30": {"N003": 3000, "N030": 30_000, "N050": 50_000},
}
MEDIUM = {"MCP4Y10": "dac", "MCP7Y00": "dac", "MCA4J80": "acc", "mm": "optic", "sm": "optic"}
ORDER = ["dac", "acc", "optic"]
PLUGS = {
    ("mm", "switch"): "MMA4Z00-NS",
    ("mm", "host"): "MMA4Z00-NS400",
    ("sm", "switch"): "MMS4X00-NM",
    ("sm", "host"): "MMS4X00-NS400",
}
REACH_M = {"mm": 50, "sm": 500}
PARTS = [*PLUGS.values(), *(f"{family}-{end}" for family, ends in LENGTHS.items() for end in ends)]
MOST_WEEKS = 8

Figures = dict[str, tuple[int | None, int | None]]
"""Price and weeks of a part."""


@dataclass(frozen=True)
class Market:
    """What the objective rests on: figures, what is on hand without end, and whether lead times are limited."""

    objective: str
    figures: Figures
    on_hand: frozenset[str]
    limited: bool

    def may(self, part: str) -> bool:
        weeks = self.figures[part][1]
        return part in self.on_hand or not self.limited or weeks is None or weeks <= MOST_WEEKS

    def worth(self, pieces: list[str], media: list[str | None], optics: list[str]) -> list[int]:
        """Late pieces, the objective's figures, pieces to be bought; media: of every link, optics: interface of each link that has one."""
        bought = [part for part in pieces if part not in self.on_hand]
        late = [sum(self.figures[part][1] is None for part in bought)] if self.limited else []
        weeks = [self.figures[part][1] for part in bought]
        prices = [self.figures[part][0] for part in bought]
        own: list[int]
        match self.objective:
            case "media":
                own = [sum(int(medium != wanted) for medium in media) for wanted in ORDER]
                own.append(sum(REACH_M[optic] for optic in optics))
            case "cost":
                own = [prices.count(None), sum(price or 0 for price in prices)]
            case "lead_time":
                own = [weeks.count(None), *(weeks.count(week) for week in range(12, -1, -1))]
            case "weighted":
                total = sum(2 * (price or 0) for price in prices) + sum(5 * (week or 0) for week in weeks)
                own = [prices.count(None) + weeks.count(None), total]
            case other:
                raise AssertionError(other)
        return [*late, *own, *([len(bought)] if self.on_hand else [])]


@st.composite
def cases(draw: st.DrawFn) -> tuple[dict[str, Any], Market]:
    links = []
    for cage in range(1, 1 + draw(st.integers(1, 2))):
        near = f"leaf-1:{cage}/"
        match draw(st.sampled_from(["twin", "crossed", "hosts", "host"])):
            case "twin":
                links += [f"{near}{half}--spine-1:{cage}/{half}" for half in (1, 2)]
            case "crossed":
                links += [f"{near}{half}--spine-{half}:{cage}/{half}" for half in (1, 2)]
            case "hosts":
                links += [f"host-{cage}:P1--{near}1", f"peer-{cage}:P1--{near}2"]
            case _:
                links.append(f"host-{cage}:P1--{near}1")
    limits = [mm for ends in LENGTHS.values() for mm in ends.values()]
    needs = [draw(st.sampled_from(limits)) + draw(st.integers(0, 1)) for _ in links]
    figure = st.one_of(st.none(), *[st.integers(1, 60)] * 6)
    week = st.one_of(st.none(), *[st.integers(0, 12)] * 6)
    figures = {part: (draw(figure), draw(week)) for part in PARTS}
    on_hand = frozenset(draw(st.lists(st.sampled_from(PARTS), max_size=4))) if draw(st.booleans()) else frozenset()
    objective = draw(st.sampled_from(["media", "cost", "cost", "lead_time", "weighted"]))
    market = Market(objective, figures, on_hand, draw(st.booleans()))
    choice: dict[str, Any] = {"links": "*", "allow": PARTS}
    if market.limited:
        choice["max_lead_time_weeks"] = MOST_WEEKS
    case = {
        "links": [{"link": link, "m": metres(mm)} for link, mm in zip(links, needs, strict=True)],
        "policy": {
            "objective": {"cost": 2, "lead_time": 5} if objective == "weighted" else objective,
            "media": {"order": ORDER},
            "choices": [choice],
            "stock": {"longer_covers": True},
        },
        "parts": {part: list(found) for part, found in figures.items()},
        "stock": dict.fromkeys(sorted(on_hand), 99),
    }
    return case, market


def needed(case: dict[str, Any]) -> dict[str, int]:
    return {link["link"]: round(float(link["m"]) * 1000) for link in case["links"]}


def cages_of(link: str) -> tuple[str, str]:
    a, z = (end.partition("/")[0] for end in link.split("--"))
    return a, z


def plugs_of(link: str, way: str) -> dict[str, str]:
    """What a link needs in each of its cages: a transceiver, or the plug of one particular cable."""
    a, z = cages_of(link)
    if way in CORDS:
        return {cage: PLUGS[way, "host" if cage.endswith("P1") else "switch"] for cage in (a, z)}
    if way == "MCP7Y00":
        return {z: f"{way} head", a: f"{way} leg of {link}"}
    return dict.fromkeys((a, z), f"{way} between {a} and {z}")


def ways_of(link: str) -> tuple[str, ...]:
    return ("MCP7Y00", "mm", "sm") if "P1" in link else ("MCP4Y10", "MCA4J80", "mm", "sm")


def cable_of(link: str, way: str) -> tuple[str, str]:
    """The cable that serves a link: of the same key, the same cable."""
    a, z = cages_of(link)
    return way, link if way in CORDS else z if way == "MCP7Y00" else f"{a} {z}"


def every_value(case: dict[str, Any], market: Market) -> Iterator[list[int]]:
    """The value of every choice: a way or none for each link, no two plugs in a cage, and every length of every cable."""
    need = needed(case)
    links = list(need)
    for ways in product(*[(None, *ways_of(link)) for link in links]):
        served = [(link, way) for link, way in zip(links, ways, strict=True) if way is not None]
        plugs: dict[str, set[str]] = {}
        cables: dict[tuple[str, str], int] = {}
        for link, way in served:
            for cage, plug in plugs_of(link, way).items():
                plugs.setdefault(cage, set()).add(plug)
            key = cable_of(link, way)
            cables[key] = max(cables.get(key, 0), need[link])
        if any(len(found) > 1 for found in plugs.values()):
            continue
        optics = [plug for found in plugs.values() for plug in found if plug in PLUGS.values()]
        lengths = [
            [
                (f"{family}-{end}", mm)
                for family in (CORDS.get(way, way),)
                for end, mm in LENGTHS[family].items()
                if mm >= least and market.may(f"{family}-{end}")
            ]
            for (way, _), least in cables.items()
        ]
        if not all(market.may(plug) for plug in optics) or not all(lengths):
            continue
        media = [None if way is None else MEDIUM[way] for way in ways]
        interfaces = [way for _, way in served if way in CORDS]
        # What one cable adds hangs on no other cable: of each the length that is worth least is enough.
        taken = [min(of_cable, key=lambda found: (market.worth([found[0]], [], []), found[1])) for of_cable in lengths]
        worth = market.worth([*optics, *(part for part, _ in taken)], media, interfaces)
        yield [ways.count(None), *worth, sum(mm for _, mm in taken)]


def value_of(plan: Plan, market: Market) -> list[int]:
    """The value of a plan, from its tables of links, plugs and cables."""
    plugs = [plan.parts[n] for n in plan.plugs.part.tolist() if plan.parts[n].category == "transceiver"]
    cables = [plan.parts[n] for n in plan.cables.part.tolist()]
    media: list[str | None] = [medium or None for medium in plan.links.medium.tolist()]
    kinds = {part: way for (way, _), part in PLUGS.items()}
    interfaces = [kinds[plug] for plug in plan.links.a_plug_part.tolist() if plug in kinds]
    worth = market.worth([part.part for part in (*plugs, *cables)], media, interfaces)
    return [media.count(None), *worth, sum(part.length_mm for part in cables)]


@pytest.fixture(scope="module", autouse=True)
def _small_catalog() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "catalogs_folder", small_catalog)
        yield


@examples(20, phases=[Phase.generate])
@given(cases())
def test_no_choice_is_worth_less_than_the_plan(drawn: tuple[dict[str, Any], Market]) -> None:
    case, market = drawn
    with TemporaryDirectory() as folder:
        plan = compile_project(written(case, Path(folder))).plan
    assert plan is not None
    assert value_of(plan, market) == min(every_value(case, market))
