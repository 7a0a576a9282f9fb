"""Groups whose optimum was worked out by hand: what is asked for, what must come of it, and the working in words.

A case names links with the length they need (measured; slack is nothing here) and the parts they must get: `cable`, or
null for unresolved; `a_plug`, `z_plug` where they matter; `with`, the links in the same cable. Devices follow from names:
`leaf-1` and `spine-1` are QM9700 in A01; `host-2` and `peer-2` have one port and stand in A03, `dgx-2` too. `parts` gives a
price and a lead time in weeks, `stock` the pieces on hand, `from_stock` what the bill takes of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from planner.bom.bill import bom_lines
from planner.pipeline import compile_project
from planner.schedules import label_rows, plug_rows

CASES = sorted((Path(__file__).parent / "groups").glob("*.yaml"))

ROOM = """
format: planner/1
name: case
room: {outline_m: [[0, 0], [10, 0], [10, 4], [0, 4]], ceiling_m: 3}
racks:
  - {row: A, names: "A[01-09]", type: rack-48u-600x1200, at_m: [1, 1], along: east, front: south}
pathways:
  - {name: tray, type: basket-300x100, path_m: [[1, 2], [6.4, 2]], height_m: 2.6}
"""
MODELS = {
    "leaf": "qm9700",
    "spine": "qm9700",
    "host": "host-2u-connectx-7",
    "peer": "host-2u-connectx-7",
    "dgx": "dgx-h100",
    "eth": "sn5600",
}


def project(case: dict[str, Any]) -> dict[str, Any]:
    tree: dict[str, Any] = yaml.safe_load(ROOM)
    ends = [end for link in case["links"] for end in link["link"].split("--")]
    tree["devices"] = [device(name) for name in dict.fromkeys(end.partition(":")[0] for end in ends)]
    links = [
        dict(zip("az", link["link"].split("--"), strict=True), tier=link.get("tier", "t")) for link in case["links"]
    ]
    rate = case.get("rate", "ndr")
    protocol = "ethernet" if rate.endswith("g") else "infiniband"
    tree["fabrics"] = [{"name": "f", "protocol": protocol, "rate": rate, "links": links}]
    none = {"loop_mm": 0, "share": 0}
    tree["policy"] = {"slack": {"copper": none, "fibre": none}, **case.get("policy", {})}
    tree["measured"] = [{"link": link["link"], "length_m": link["m"]} for link in case["links"] if "m" in link]
    tree["pins"] = case.get("pins", [])
    if "parts" in case or "catalogs" in case:
        tree["catalogs"] = ["own"]
    if "stock" in case:
        tree["policy"]["stock"] = {"on_hand": "stock.csv", **tree["policy"].get("stock", {})}
    return tree


def written(case: dict[str, Any], folder: Path) -> Path:
    """The project of a case in a folder, with its price book and its stock list."""
    (folder / "project.yaml").write_text(yaml.safe_dump(project(case), sort_keys=False), encoding="utf-8")
    if "parts" in case:
        (folder / "own" / "prices").mkdir(parents=True)
        (folder / "own" / "prices" / "case.yaml").write_text(
            yaml.safe_dump(price_book(case["parts"])), encoding="utf-8"
        )
    if "stock" in case:
        rows = [f"{part},{pieces}\n" for part, pieces in case["stock"].items()]
        (folder / "stock.csv").write_text("".join(["part,quantity\n", *rows]), encoding="utf-8")
    return folder


def device(name: str) -> dict[str, Any]:
    kind, _, number = name.partition("-")
    n = int(number)
    place = {"leaf": ("A01", 30 + 2 * n), "spine": ("A01", 40 + 2 * n), "eth": ("A01", 10 + 4 * n)}
    rack, u = place.get(kind, (f"A{1 + n:02d}", {"host": 10, "peer": 14, "dgx": 20}.get(kind, 0)))
    return {"names": name, "model": MODELS[kind], "rack": rack, "u": u, "mount": "rear" if kind in place else "front"}


def price_book(parts: dict[str, Any]) -> dict[str, Any]:
    lines = [
        {"part": part, "price": figures[0], "currency": "EUR", "date": "2026-10-01", "source": "case",
         "lead_time_weeks": figures[1] if len(figures) > 1 else None}
        for part, figures in parts.items()
    ]  # fmt: skip
    return {"name": "case", "sources": {"case": "invented"}, "prices": lines}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path, tmp_path: Path) -> None:
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert case["why"].strip()
    result = compile_project(written(case, tmp_path))
    plan = result.plan
    assert plan is not None, result.findings
    row = {link_id: n for n, link_id in enumerate(plan.link_ids)}
    found, wanted = {}, {}
    for link in case["links"]:
        n = row[link["link"]]
        cable = int(plan.links.cable[n])
        got = {
            "cable": plan.parts[int(plan.cables.part[cable])].part if cable >= 0 else None,
            "a_plug": plan.links.a_plug_part[n],
            "z_plug": plan.links.z_plug_part[n],
            "with": sorted(
                plan.link_ids[m] for m in row.values() if cable >= 0 and m != n and int(plan.links.cable[m]) == cable
            ),
        }
        asked = {key: link[key] for key in ("cable", "a_plug", "z_plug", "with") if key in link}
        wanted[link["link"]], found[link["link"]] = asked, {key: got[key] for key in asked}
    assert found == wanted
    if "free_halves" in case:
        free = {f"{plug[0]}:{plug[1]}": plug[6] for plug in plug_rows(plan) if plug[6]}
        assert free == case["free_halves"]
    if "unused_legs" in case:
        assert [f"{label[0]}:{label[1]}" for label in label_rows(plan) if not label[2]] == case["unused_legs"]
    if "from_stock" in case:
        taken = {line.part: line.qty_stock for line in bom_lines(plan)}
        assert {part: taken[part] for part in case["from_stock"]} == case["from_stock"]
    told = {finding.rule for finding in result.findings}
    assert told >= set(case.get("findings", ()))


def test_there_are_many_kinds_of_group() -> None:
    assert len(CASES) >= 25
