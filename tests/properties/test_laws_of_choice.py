"""Laws of the choice of parts: what a design costs when something is taken from it, and what does not matter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from planner import pipeline
from planner.pipeline import compile_project
from planner.plan import Plan
from planner.units import metres
from tests.selection.test_groups_by_hand import price_book, project
from tests.support.examples import examples
from tests.support.projects import ROOT, small_catalog

Case = dict[str, Any]

PLUGS = {"MMA4Z00-NS": 1200, "MMA4Z00-NS400": 800, "MMS4X00-NM": 1500, "MMS4X00-NS400": 900}
CABLES = ["MCP4Y10-N001", "MCP4Y10-N002", "MCA4J80-N003", "MCA4J80-N005", "MCP7Y00-N001", "MCP7Y00-N002",
          "MFP7E10-N003", "MFP7E10-N005", "MFP7E10-N010", "MFP7E10-N020", "MFP7E10-N030", "MFP7E30-N003",
          "MFP7E30-N030", "MFP7E30-N050"]  # fmt: skip
ALWAYS = {"MMS4X00-NM", "MMS4X00-NS400", "MFP7E30-N050"}
"""Never taken away, so that every link up to 40 m stays resolved."""


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Twin cages in pairs and crossed, hosts in several racks beside each other on a leaf's cage; every part has a price."""
    links = []
    for cage in range(1, 1 + draw(st.integers(0, 2))):
        second = draw(st.sampled_from(["spine-1", "spine-1", "spine-2"]))
        for half, spine in ((1, "spine-1"), (2, second))[: draw(st.integers(1, 2))]:
            links.append(f"leaf-1:{cage}/{half}--{spine}:{cage}/{half}")
    for n in range(1, 1 + draw(st.integers(1, 4))):
        links.append(f"host-{n}:P1--leaf-1:{3 + (n - 1) // 2}/{1 + (n - 1) % 2}")
    needs = draw(st.lists(st.integers(500, 40_000), min_size=len(links), max_size=len(links)))
    # Any prices: the 5 m of a family may cost less than its 3 m.
    prices = draw(st.lists(st.integers(10, 800), min_size=len(CABLES), max_size=len(CABLES)))
    return {
        "links": [{"link": link, "m": metres(mm)} for link, mm in zip(links, needs, strict=True)],
        "policy": {
            "objective": "cost",
            "media": {"order": ["dac", "acc", "optic"]},
            "choices": [{"links": "*", "allow": [*PLUGS, *CABLES]}],
        },
        "parts": {name: [price] for name, price in {**PLUGS, **dict(zip(CABLES, prices, strict=True))}.items()},
    }


@pytest.fixture(scope="module", autouse=True)
def _small_catalog() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "catalogs_folder", small_catalog)
        yield


def compiled(case: Case, write: Any = None) -> Plan:
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "own" / "prices").mkdir(parents=True)
        (folder / "own" / "prices" / "case.yaml").write_text(
            yaml.safe_dump(price_book(case["parts"])), encoding="utf-8"
        )
        tree = project(case)
        if write is not None:
            write(tree, folder)
        (folder / "project.yaml").write_text(yaml.safe_dump(tree, sort_keys=False), encoding="utf-8")
        plan = compile_project(folder).plan
    assert plan is not None
    assert "unresolved" not in plan.links.status.tolist()
    return plan


def cost(case: Case, plan: Plan) -> int:
    """Every plug and cable once, before spares."""
    plugs = [plan.parts[n] for n in plan.plugs.part.tolist() if plan.parts[n].category == "transceiver"]
    cables = [plan.parts[n] for n in plan.cables.part.tolist()]
    return sum(case["parts"][part.part][0] for part in [*plugs, *cables])


def by_link(plan: Plan) -> dict[str, tuple[str, ...]]:
    names = [plan.parts[n].part for n in plan.cables.part.tolist()]
    return {
        link: (names[cable], a, z)
        for link, cable, a, z in zip(
            plan.link_ids, plan.links.cable.tolist(), plan.links.a_plug_part.tolist(),
            plan.links.z_plug_part.tolist(), strict=True,
        )
    }  # fmt: skip


@examples(5)
@given(cases(), st.data())
def test_without_a_part_nothing_gets_cheaper(case: Case, data: st.DataObject) -> None:
    gone = data.draw(st.sampled_from(sorted({*PLUGS, *CABLES} - ALWAYS)))
    allowed = [name for name in (*PLUGS, *CABLES) if name != gone]
    fewer = {**case, "policy": {**case["policy"], "choices": [{"links": "*", "allow": allowed}]}}
    before = compiled(case)
    after = compiled(fewer)
    assert cost(case, after) >= cost(case, before)
    if gone not in {part.part for part in before.parts}:
        assert by_link(after) == by_link(before), "a part that nobody took mattered"


@examples(5)
@given(cases(), st.data())
def test_a_longer_link_makes_nothing_cheaper(case: Case, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(case["links"]) - 1))
    longer = [dict(link) for link in case["links"]]
    mm = round(float(longer[at]["m"]) * 1000)
    longer[at]["m"] = metres(data.draw(st.integers(mm, 45_000)))
    assert cost(case, compiled({**case, "links": longer})) >= cost(case, compiled(case))


@examples(4)
@given(cases(), st.randoms(use_true_random=False))
def test_order_files_and_a_part_that_nobody_takes_do_not_matter(case: Case, random: Random) -> None:
    """Links, devices, racks, measured lengths, catalogs and prices in another order and in other files, and a cord that costs a
    fortune beside them: every link has the same parts."""

    def elsewhere(tree: dict[str, Any], folder: Path) -> None:
        (row,) = tree["racks"]
        tree["racks"] = [{**row, "names": f"A{n:02}", "at_m": [1 + (n - 1) * 0.6, 1]} for n in range(1, 10)]
        (folder / "more" / "fibre").mkdir(parents=True)
        cord = (ROOT / "catalogs" / "fibre" / "mfp7e10.yaml").read_text(encoding="utf-8")
        dear = cord.replace("id: mfp7e10", "id: dear").replace("part: MFP7E10", "part: DEAR")
        (folder / "more" / "fibre" / "dear.yaml").write_text(dear, encoding="utf-8")
        tree["catalogs"] = random.sample(["own", "more"], 2)
        tree["policy"]["choices"][0]["allow"] = [*PLUGS, *CABLES, "dear"]
        for listed in (tree["racks"], tree["devices"], tree["measured"], tree["fabrics"][0]["links"]):
            random.shuffle(listed)
        (folder / "devices.yaml").write_text(yaml.safe_dump({"devices": tree.pop("devices")}), encoding="utf-8")
        (folder / "measured.yaml").write_text(yaml.safe_dump({"measured": tree.pop("measured")}), encoding="utf-8")
        tree["include"] = random.sample(["devices.yaml", "measured.yaml"], 2)
        # The price book in two files, its lines in another order.
        book = folder / "own" / "prices" / "case.yaml"
        whole = yaml.safe_load(book.read_text(encoding="utf-8"))
        whole["prices"] += price_book({f"DEAR-N0{m:02}": [10_000] for m in (3, 5, 7, 10, 15, 20, 30, 50)})["prices"]
        random.shuffle(whole["prices"])
        half = len(whole["prices"]) // 2
        for name, lines in (("zz", whole["prices"][:half]), ("aa", whole["prices"][half:])):
            text = yaml.safe_dump({**whole, "name": name, "prices": lines})
            (folder / "own" / "prices" / f"{name}.yaml").write_text(text, encoding="utf-8")
        book.unlink()
        keys = list(tree.items())
        random.shuffle(keys)
        tree.clear()
        tree.update(keys)

    assert by_link(compiled(case, elsewhere)) == by_link(compiled(case))
