"""Laws of whole plans: the same design written otherwise gives the same parts, and the same input the same tables."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.pipeline import compile_project
from planner.plan import Plan
from planner.reader import read_project
from tests.oracle.rooms import DeviceAt, LinkOf, Model, RoomOf, moved, rooms, turned, write_project
from tests.support.examples import examples

LAYOUTS = Path(__file__).resolve().parents[2] / "layouts"
COPPER_FIRST = {"media": {"order": ["dac", "acc", "aec", "aoc", "optic"]}}


@st.composite
def designs(draw: st.DrawFn) -> RoomOf:
    """A small fabric of real devices in a random room: leaves and spines with links in pairs and alone, and hosts."""
    room = draw(rooms())
    count = len(room.racks)
    models = (Model("qm9700"), Model("dgx-h100"))
    leaves = [
        DeviceAt(
            f"leaf-{n}", 0, draw(st.integers(0, count - 1)), 20 + n, draw(st.sampled_from(["rear", "rear", "front"]))
        )
        for n in range(2)
    ]
    spines = [DeviceAt(f"spine-{n}", 0, draw(st.integers(0, count - 1)), 30 + n, "rear") for n in range(2)]
    hosts = [DeviceAt(f"dgx-{n}", 1, n % count, 3, "front") for n in range(draw(st.integers(1, 3)))]
    links = []
    for number in range(len(hosts)):
        links.append(
            LinkOf((f"dgx-{number}", "OSFP4P2"), ("leaf-0", f"{1 + number // 2}/{1 + number % 2}"), "node-leaf")
        )
        links.append(
            LinkOf((f"dgx-{number}", "OSFP4P1"), ("leaf-1", f"{1 + number // 2}/{1 + number % 2}"), "node-leaf")
        )
    for leaf in range(2):
        for spine in range(2):
            for cage in range(draw(st.integers(0, 2))):
                for half in range(1, draw(st.integers(1, 2)) + 1):
                    a = (f"leaf-{leaf}", f"{17 + 2 * spine + cage}/{half}")
                    links.append(LinkOf(a, (f"spine-{spine}", f"{1 + 2 * leaf + cage}/{half}"), "leaf-spine"))
    loop = draw(st.sampled_from([0, 150]))
    policy = {**COPPER_FIRST, "slack": {"copper": {"loop_mm": str(loop), "share": "0.03"}}}
    return replace(room, models=models, devices=(*hosts, *leaves, *spines), links=tuple(links), policy=policy)


def plan_of(room: RoomOf, change: Callable[[dict[str, Any]], None] = lambda _: None) -> Plan:
    with TemporaryDirectory() as folder:
        plan = compile_project(write_project(room, Path(folder), change)).plan
    assert plan is not None
    return plan


def counts(plan: Plan) -> Counter[str]:
    """Installed parts: cables and transceivers."""
    names = [part.part for part in plan.parts]
    plugs = [n for n in plan.plugs.part.tolist() if plan.parts[n].category == "transceiver"]
    return Counter(names[n] for n in [*plan.cables.part.tolist(), *plugs])


def by_link(plan: Plan) -> dict[frozenset[str], tuple[object, ...]]:
    """Lengths and medium of each link by its two ends, whichever is a."""
    links = plan.links
    columns = zip(
        plan.link_ids,
        links.medium.tolist(),
        links.routed_mm.tolist(),
        links.required_mm.tolist(),
        links.stock_mm.tolist(),
        strict=True,
    )
    return {frozenset(name.split("--")): tuple(rest) for name, *rest in columns}


def same(one: Plan, other: Plan) -> None:
    assert by_link(one) == by_link(other)
    assert counts(one) == counts(other)


@examples(8)
@given(designs(), st.integers(-30_000, 30_000), st.integers(0, 3))
def test_moving_and_turning_changes_no_length_and_no_part(room: RoomOf, dx: int, turns: int) -> None:
    other = moved(room, dx * 1000, -dx * 1000)
    for _ in range(turns):
        other = turned(other)
    same(plan_of(room), plan_of(other))


@examples(8)
@given(designs(), st.lists(st.booleans(), min_size=30, max_size=30))
def test_swapping_ends_changes_no_length_and_no_part(room: RoomOf, swaps: list[bool]) -> None:
    links = [replace(link, a=link.z, z=link.a) if swap else link for link, swap in zip(room.links, swaps, strict=False)]
    same(plan_of(room), plan_of(replace(room, links=tuple(links))))


@examples(8)
@given(designs(), st.randoms(use_true_random=False))
def test_reordering_lists_and_renaming_racks_changes_no_length_and_no_part(room: RoomOf, random: Random) -> None:
    names = [rack.name for rack in room.racks]
    random.shuffle(names)
    other = replace(room, racks=tuple(replace(r, name=name) for r, name in zip(room.racks, names, strict=True)))

    def shuffle(text: dict[str, Any]) -> None:
        for listed in ("racks", "pathways", "risers", "devices"):
            random.shuffle(text[listed])
        random.shuffle(text["fabrics"][0]["links"])

    same(plan_of(room), plan_of(other, shuffle))


@examples(8)
@given(designs())
def test_the_parts_of_a_plan_hold_together(room: RoomOf) -> None:
    plan = plan_of(room)
    links, resolved = plan.links, np.array([s == "resolved" for s in plan.links.status.tolist()])
    assert np.all(links.stock_mm[resolved] >= links.required_mm[resolved])
    assert np.all(links.required_mm[resolved] >= links.routed_mm[resolved])
    # Every cable is one part, its length that of its links; every link has a cable, and no cable is without a link.
    assert sorted(set(links.cable[resolved].tolist())) == list(range(len(plan.cables)))
    for row in np.flatnonzero(resolved).tolist():
        assert plan.parts[int(plan.cables.part[int(links.cable[row])])].length_mm == int(links.stock_mm[row])
    # A cage takes one plug.
    cages = list(zip(plan.plugs.device.tolist(), plan.plugs.cage.tolist(), strict=True))
    assert len(set(cages)) == len(cages)
    assert Counter(plan.plug_links.link.tolist()) == Counter(dict.fromkeys(np.flatnonzero(resolved).tolist(), 2))


@examples(8)
@given(designs())
def test_what_lies_in_the_pathways_is_what_the_links_run_along_them(room: RoomOf) -> None:
    """Cables x metres over all stretches is the sum of the cables' pathway terms (without risers)."""
    plan = plan_of(replace(room, risers=()))
    laid = int(np.sum(plan.loads.cables * (plan.loads.to_mm - plan.loads.from_mm)))
    first = {int(cable): row for row, cable in reversed(list(enumerate(plan.links.cable.tolist()))) if cable >= 0}
    run = sum(int(plan.links.pathway_mm[row]) for row in first.values())
    assert abs(laid - run) <= len(plan.loads) * len(first) + len(first)  # each stretch is rounded by itself


_DUMP = """
import hashlib, sys
from dataclasses import fields, is_dataclass
from pathlib import Path
from planner.pipeline import compile_project

digest = hashlib.sha256()
for name in sys.argv[1:]:
    plan = compile_project(Path(name)).plan
    for field in fields(plan):
        value = getattr(plan, field.name)
        columns = [getattr(value, f.name) for f in fields(value)] if is_dataclass(value) else [value]
        for column in columns:
            text = repr(column.tolist() if hasattr(column, "tolist") else column)
            digest.update(f"{field.name} {text}\\n".encode())
print(digest.hexdigest())
"""


def test_same_input_same_tables_whatever_seed_zone_and_locale(tmp_path: Path) -> None:
    copper = (LAYOUTS / "superpod-h100-1su" / "project.yaml").read_text(encoding="utf-8")
    (tmp_path / "project.yaml").write_text(
        copper.replace("order: [optic]", "order: [dac, acc, optic]"), encoding="utf-8"
    )
    projects = [str(LAYOUTS / "superpod-h100-1su"), str(LAYOUTS / "two-racks"), str(tmp_path)]
    found = set()
    for seed, zone, locale in (
        ("0", "UTC", "C"),
        ("1", "Asia/Kathmandu", "C.UTF-8"),
        ("4242", "America/St_Johns", "tr_TR.UTF-8"),
    ):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": locale}
        run = subprocess.run(
            [sys.executable, "-c", _DUMP, *projects], env=environment, capture_output=True, text=True, check=True
        )
        found.add(run.stdout)
    assert len(found) == 1


@pytest.mark.parametrize("layout", ["superpod-h100-1su", "two-racks"])
def test_a_shipped_layout_may_be_moved_and_split_into_files(layout: str, tmp_path: Path) -> None:
    """The shipped layouts themselves, moved by 12.345 m east and 6.789 m south, files in another order."""
    plan = compile_project(LAYOUTS / layout).plan
    root = read_project(LAYOUTS / layout).root
    assert root is not None
    tree = json.loads(json.dumps(root))

    def shifted(point: list[str]) -> list[str]:
        return [f"{float(point[0]) + 12.345:.3f}", f"{float(point[1]) - 6.789:.3f}"]

    tree["room"]["outline_m"] = [shifted(p) for p in tree["room"]["outline_m"]]
    for row in tree["racks"]:
        row["at_m"] = shifted(row["at_m"])
    for run in tree["pathways"]:
        run["path_m"] = [shifted(p) for p in run["path_m"]]
    parts = {key: tree.pop(key) for key in ("devices", "pathways", "racks")}
    names = ["z.yaml", "a.yaml", "m.yaml"]
    for name, (key, value) in zip(names, parts.items(), strict=True):
        (tmp_path / name).write_text(json.dumps({key: value}), encoding="utf-8")
    (tmp_path / "project.yaml").write_text(json.dumps({**tree, "include": names}), encoding="utf-8")
    other = compile_project(tmp_path).plan
    assert plan is not None
    assert other is not None
    same(plan, other)
    assert counts(plan).total() > 0
