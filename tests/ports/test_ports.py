"""Ports that the planner picks: worked by hand, against every way of giving them out, and as laws for all lists."""

from __future__ import annotations

import csv
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.pipeline import compile_project
from planner.ports.picked import OPEN, A, Asked, Joined, Ports, Z
from planner.write.documents import write_documents
from tests.support.examples import examples
from tests.support.projects import compiled, marks, plan_of, write_project

ROOM = """format: planner/1
name: open-ports
room: {outline_m: [[0, 0], [8, 0], [8, 4], [0, 4]], ceiling_m: 3}
racks:
  - {row: A, names: "A[01-06]", type: rack-48u-600x1200, at_m: [1, 1], along: east, front: south}
pathways:
  - {name: tray, type: basket-300x100, path_m: [[1, 2], [4.8, 2]], height_m: 2.6}
devices:
  - {names: spine-1, model: qm9700, rack: A01, u: 42, mount: rear}
  - {names: leaf-1, model: qm9700, rack: A01, u: 40, mount: rear}
  - {names: "dgx-[1-8]", model: dgx-h100, racks: "A[02-06]", u: [3, 13]}
policy: {media: {order: [dac, acc, optic]}}
fabrics:
  - name: compute
    protocol: infiniband
    rate: ndr
    links:
"""


def with_links(*rows: str) -> str:
    return ROOM + "".join(f"      - {{{row}}}\n" for row in rows)


def node(number: int, z: str = "leaf-1", *, ports: bool = True) -> str:
    return f'a: "dgx-{number}:OSFP4P2", z: "{z}", tier: node-leaf' + (", ports: any" if ports else "")


SPINE = 'a: "leaf-1", z: "spine-1", tier: leaf-spine, ports: any'


def ends(folder: Path, *rows: str) -> list[str]:
    result = compiled(folder, with_links(*rows))
    assert marks(result) == []
    assert result.plan is not None
    return result.plan.link_ids


# --- by hand --------------------------------------------------------------------------------------------------------


def test_nodes_of_one_rack_share_a_cage(tmp_path: Path) -> None:
    """dgx-1 is in A02, dgx-3 and dgx-4 in A03, dgx-5 and dgx-6 in A04: the pairs of a rack share, dgx-1 is left alone.

    Cages are taken in the order of their first node.
    """
    assert ends(tmp_path, node(6), node(1), node(4), node(5), node(3)) == [
        "dgx-1:OSFP4P2--leaf-1:1/1",
        "dgx-3:OSFP4P2--leaf-1:2/1",
        "dgx-4:OSFP4P2--leaf-1:2/2",
        "dgx-5:OSFP4P2--leaf-1:3/1",
        "dgx-6:OSFP4P2--leaf-1:3/2",
    ]


def test_of_several_racks_those_at_like_distances_share(tmp_path: Path) -> None:
    """Nodes 2, 3, 5, 7 stand one, two, three, four racks away, 600 mm apart: neighbours share, 600 + 600."""
    found = ends(tmp_path, node(2), node(7), node(3), node(5))
    assert [link.partition("--")[2] for link in found] == ["leaf-1:1/1", "leaf-1:1/2", "leaf-1:2/1", "leaf-1:2/2"]


def test_parallel_links_get_one_cage_at_both_ends_and_one_twin_cable(tmp_path: Path) -> None:
    plan = plan_of(write_project(tmp_path, with_links(SPINE, SPINE, SPINE, node(1))))
    assert plan.link_ids == [
        "dgx-1:OSFP4P2--leaf-1:1/1",
        "leaf-1:1/2--spine-1:1/1",
        "leaf-1:2/1--spine-1:2/1",
        "leaf-1:2/2--spine-1:2/2",
    ]
    twins = [n for n, medium in enumerate(plan.links.medium.tolist()) if medium == "dac"]
    assert len(twins) == 2
    assert len({int(plan.links.cable[n]) for n in twins}) == 1


def test_a_port_left_in_a_cage_in_use_is_filled_by_the_one_that_suits_its_mate(tmp_path: Path) -> None:
    """dgx-1 has port 5/1; dgx-2 shares its rack and takes 5/2, not a cage of its own. The others open cage 1."""
    assert ends(tmp_path, node(1, "leaf-1:5/1", ports=False), node(3), node(4), node(2)) == [
        "dgx-1:OSFP4P2--leaf-1:5/1",
        "dgx-2:OSFP4P2--leaf-1:5/2",
        "dgx-3:OSFP4P2--leaf-1:1/1",
        "dgx-4:OSFP4P2--leaf-1:1/2",
    ]


def test_a_range_of_cages_keeps_its_links_inside(tmp_path: Path) -> None:
    """Three links to cages 17 to 18, one to cage 20 alone, the rest anywhere: the ranges first, the free end fills 18."""
    rows = [node(n, "leaf-1:[17-18]") for n in (1, 2, 3)] + [node(4, "leaf-1:20"), node(5), node(6)]
    assert ends(tmp_path, *rows) == [
        "dgx-1:OSFP4P2--leaf-1:17/1",
        "dgx-2:OSFP4P2--leaf-1:17/2",
        "dgx-3:OSFP4P2--leaf-1:18/1",
        "dgx-4:OSFP4P2--leaf-1:20/1",
        "dgx-5:OSFP4P2--leaf-1:18/2",
        "dgx-6:OSFP4P2--leaf-1:20/2",
    ]


def test_a_port_may_be_named_beside_open_ends(tmp_path: Path) -> None:
    """`ports: any` opens only what the link leaves open."""
    assert ends(tmp_path, node(1, "leaf-1:3/2"), node(2)) == ["dgx-1:OSFP4P2--leaf-1:3/2", "dgx-2:OSFP4P2--leaf-1:3/1"]


def test_in_csv(tmp_path: Path) -> None:
    text = ROOM.replace("links:\n", "links: {from: l.csv}\n")
    rows = "a_device,a_port,z_device,z_port,tier,ports\ndgx-1,OSFP4P2,leaf-1,,t,any\ndgx-2,OSFP4P2,leaf-1,2/1,t,\ndgx-3,OSFP4P2,leaf-1,[7-8],t,Any\n"
    plan = compiled(tmp_path, text, {"l.csv": rows}).plan
    assert plan is not None
    assert plan.link_ids == ["dgx-1:OSFP4P2--leaf-1:2/2", "dgx-2:OSFP4P2--leaf-1:2/1", "dgx-3:OSFP4P2--leaf-1:7/1"]


def test_the_links_written_are_explicit_and_give_the_same_plan(tmp_path: Path) -> None:
    rows = [node(n) for n in (1, 2, 3, 5, 8)] + [SPINE, SPINE, SPINE]
    plan = plan_of(write_project(tmp_path / "open", with_links(*rows)))
    (tmp_path / "out").mkdir()
    (tmp_path / "again").mkdir()
    write_documents(plan, tmp_path / "out", frozenset({"links", "cables", "plugs"}))
    text = (tmp_path / "out" / "links.csv").read_text(encoding="utf-8")
    closed = write_project(tmp_path / "closed", ROOM.replace("links:\n", "links: {from: l.csv}\n"), {"l.csv": text})
    again = plan_of(closed)
    assert again.link_ids == plan.link_ids
    for name in ("cables", "plugs"):
        write_documents(again, tmp_path / "again", frozenset({name}))
        assert (tmp_path / "again" / f"{name}.csv").read_text() == (tmp_path / "out" / f"{name}.csv").read_text()
    assert {row["z_port"] for row in csv.DictReader(text.splitlines())} >= {"1/1", "1/2"}


@examples(3)
@given(order=st.permutations([1, 2, 3, 4, 5, 7, 8]))
def test_the_order_of_the_list_changes_nothing(order: list[int], tmp_path_factory: pytest.TempPathFactory) -> None:
    rows = [node(n) for n in order]
    rows[2:2] = [SPINE]
    rows += [SPINE, SPINE]
    folder = tmp_path_factory.mktemp("order")
    assert ends(folder, *rows) == in_order()


@cache
def in_order() -> list[str]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        return ends(Path(folder), *[node(n) for n in (1, 2, 3, 4, 5, 7, 8)], SPINE, SPINE, SPINE)


# --- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (node(1, "leaf-1:[1-"), "`[1-` names no cages: "),
        (node(1, "leaf-1:[30-40]"), "`qm9700` has no port and no cage `33`, `34`, `35` and 5 more"),
        (node(1, "leaf-1:[1-8]/1"), "a range names cages, and `1/1`, `2/1`, `3/1` and 5 more of `qm9700` are ports"),
        (node(1).replace("any", "all"), "`ports` is `all`, `any` is wanted"),
        (node(1, ports=False), "`z` is `leaf-1`, `device:port` is wanted"),
        (node(1, "leaf-1:"), "`z` is `leaf-1:`, `device:port` is wanted"),
        (node(1, "leaf-9"), "device `leaf-9` is not declared"),
    ],
)
def test_ends_that_name_nothing(tmp_path: Path, row: str, message: str) -> None:
    found = [finding.message for finding in compiled(tmp_path, with_links(row, node(2))).findings]
    assert any(text.startswith(message) for text in found), found


def test_too_few_ports_are_told_with_the_arithmetic(tmp_path: Path) -> None:
    """Cage 1 has two ports, 1/2 is in use: one is free for three links."""
    rows = [node(1, "leaf-1:1/2", ports=False), *(node(n, "leaf-1:1") for n in (2, 3, 4)), node(5)]
    result = compiled(tmp_path, with_links(*rows))
    [fault] = [finding for finding in result.findings if finding.rule == "TOP009"]
    assert fault.message == "3 links may take any port of `1` of `leaf-1`, and 1 is free"
    assert fault.note.startswith("2 ports run the rate, 1 of them are in use")
    assert fault.note.endswith("2 too few")
    assert result.plan is not None
    assert result.plan.link_ids == ["dgx-1:OSFP4P2--leaf-1:1/2", "dgx-5:OSFP4P2--leaf-1:1/1"]


# --- against every way ----------------------------------------------------------------------------------------------

CAGES = 3
"""Cages of the small switch, with two ports each; far devices have cages of two ports as well."""


def room(racks: Sequence[int]) -> Any:
    """A switch (device 0) at x = 0 and far devices in racks at the places given, in mm along x."""
    ports = np.arange(2 * CAGES)
    chassis = SimpleNamespace(
        id="twin", port_cage=ports // 2, port_half=ports % 2 + 1, port_state=np.zeros(len(ports), int),
        cage_names=tuple(str(n + 1) for n in range(CAGES)),
    )  # fmt: skip
    places = sorted({0, *racks})
    rack = [SimpleNamespace(west_um=x * 1000, south_um=0, size_um=(0, 0)) for x in places]
    devices = [SimpleNamespace(name=f"d{n}", chassis=chassis, rack=places.index(x)) for n, x in enumerate((0, *racks))]
    return SimpleNamespace(devices=devices, racks=rack, device_rank=np.arange(len(devices)))


@st.composite
def demands(draw: Any) -> tuple[Any, list[Joined], list[Asked]]:
    """Far devices in a few racks, links from some of their ports to the switch, a few with their port given."""
    racks = draw(st.lists(st.sampled_from([0, 600, 1200, 3000]), min_size=1, max_size=4))
    layout = room(racks)
    far = draw(st.lists(st.tuples(st.integers(1, len(racks)), st.integers(0, 3)), unique=True, min_size=1, max_size=5))
    fixed = draw(st.integers(0, min(2, len(far) - 1)))
    ports = draw(st.lists(st.integers(0, 2 * CAGES - 1), unique=True, min_size=fixed, max_size=fixed))
    tiers = draw(st.lists(st.sampled_from(["t", "t", "u"]), min_size=len(far), max_size=len(far)))
    used: list[Joined] = []
    for (device, port), mine, tier in zip(far, ports, tiers, strict=False):
        used += [Joined(0, mine, device, port, tier), Joined(device, port, 0, mine, tier)]
    every = tuple(range(2 * CAGES))
    asked = [
        Asked(0, tier, (device, 0), (port, OPEN), ((), every), n)
        for n, ((device, port), tier) in enumerate(list(zip(far, tiers, strict=True))[fixed:])
    ]
    return layout, used, asked


def nearness(layout: Any, one: tuple[int, int, str], other: tuple[int, int, str]) -> int:
    """How far down two links to the switch agree: 0 one cage, 1 one device, 2 rack, 3 tier, 4 nothing."""
    (device, port, tier), (device2, port2, tier2) = one, other
    if tier != tier2:
        return 4
    if device == device2:
        return 0 if port // 2 == port2 // 2 else 1
    return 2 if layout.devices[device].rack == layout.devices[device2].rack else 3


def apart(layout: Any, one: int, other: int) -> int:
    at = [layout.racks[layout.devices[device].rack].west_um // 1000 for device in (one, other)]
    return int(abs(at[0] - at[1]))


def pairs_score(layout: Any, pairs: Sequence[tuple[int, int, int]]) -> tuple[int, ...]:
    """Cumulated numbers of pairs by nearness, then the distances apart; pairs: nearness and the two devices."""
    counts = [sum(level <= least for level, _, _ in pairs) for least in range(4)]
    sums = [sum(apart(layout, a, b) for level, a, b in pairs if (level == 4) == last) for last in (False, True)]
    return (*counts[:3], counts[3], -sums[0], -sums[1])


def scores(
    layout: Any, used: Sequence[Joined], asked: Sequence[Asked], ports: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...], frozenset[int]]:
    """Of one way: the score of filled ports, the score of opened cages, and which links fill."""
    mates = {j.port: (j.far_device, j.far_port, j.tier) for j in used if j.device == 0}
    filled, opened = [], []
    fills = set()
    at = {port: n for n, port in enumerate(ports)}
    for n, port in enumerate(ports):
        link = (asked[n].device[A], asked[n].port[A], asked[n].tier)
        beside = port ^ 1
        if beside in mates:
            mate = mates[beside]
            level = nearness(layout, link, mate)
            if level == 0 and (mate[1] % 2, link[1] % 2) != (beside % 2, port % 2):
                level = 1  # crossed: no twin cable joins them
            filled.append((level, link[0], mate[0]))
            fills.add(n)
        elif beside in at and at[beside] > n:
            other = asked[at[beside]]
            there = (other.device[A], other.port[A], other.tier)
            opened.append((nearness(layout, link, there), link[0], there[0]))
    cages = {port // 2 for n, port in enumerate(ports) if n not in fills}
    return (len(filled), -len(cages), *pairs_score(layout, filled)), pairs_score(layout, opened), frozenset(fills)


def every_way(free: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    """Every way to give ports; of those that differ only in which wholly free cage is which, one."""
    whole = [port // 2 for port in free if port ^ 1 in free]
    order = list(dict.fromkeys(whole))
    for way in itertools.permutations(free, count):
        opened = list(dict.fromkeys(port // 2 for port in way if port // 2 in order))
        if opened == order[: len(opened)]:
            yield way


@examples(40)
@given(demands())
def test_the_choice_is_the_best_of_all_ways(case: tuple[Any, list[Joined], list[Asked]]) -> None:
    layout, used, asked = case
    ports = Ports(layout, asked, used)
    assert ports.pick() == []
    found = [ports.port[n, Z] for n in range(len(asked))]
    taken = {j.port for j in used if j.device == 0}
    # No port twice, none that is in use.
    assert len(set(found)) == len(found)
    assert not set(found) & taken
    mine = scores(layout, used, asked, found)
    best_fill: tuple[int, ...] = ()
    best_open: tuple[int, ...] = ()
    most_whole = 0
    free = [port for port in range(2 * CAGES) if port not in taken]
    for way in every_way(free, len(asked)):
        fill, opened, fills = scores(layout, used, asked, way)
        best_fill = max(best_fill or fill, fill)
        whole = Counter(port // 2 for port in (*way, *taken))
        most_whole = max(most_whole, sum(pieces == 2 for pieces in whole.values()))
        if fills == mine[2] and fill[:2] == mine[0][:2]:
            best_open = max(best_open or opened, opened)
    assert mine[0] == best_fill
    assert mine[1] == (best_open or mine[1])
    whole = Counter(port // 2 for port in (*found, *taken))
    assert sum(pieces == 2 for pieces in whole.values()) == most_whole


@examples(15)
@given(count=st.integers(1, 70), seed=st.randoms(use_true_random=False))
def test_a_full_switch_has_no_port_twice_and_all_plugs_whole(count: int, seed: Any) -> None:
    """On 64 ports up to 64 links find a place, in half as many cages; one more is refused."""
    ports = np.arange(64)
    layout = room([0, 600, 1200, 3000] * 18)
    switch = SimpleNamespace(id="twin-64", port_cage=ports // 2, port_half=ports % 2 + 1,
                             port_state=np.zeros(64, int), cage_names=tuple(map(str, range(32))))  # fmt: skip
    layout.devices[0] = SimpleNamespace(name="leaf", chassis=switch, rack=0)
    asked = [Asked(0, "t", (n + 1, 0), (0, OPEN), ((), tuple(range(64))), n) for n in range(count)]
    seed.shuffle(asked)
    picked = Ports(layout, asked, [])
    faults = picked.pick()
    assert [fault.rule for fault in faults] == (["too-few-free-ports"] if count > 64 else [])
    if count <= 64:
        found = [picked.port[n, Z] for n in range(count)]
        assert len(set(found)) == count
        assert len({port // 2 for port in found}) == -(-count // 2)


def test_compiling_twice_gives_the_same_ports(tmp_path: Path) -> None:
    folder = write_project(tmp_path, with_links(*[node(n) for n in range(1, 9)], SPINE, SPINE))
    first, second = compile_project(folder).plan, compile_project(folder).plan
    assert first is not None
    assert second is not None
    assert first.link_ids == second.link_ids
