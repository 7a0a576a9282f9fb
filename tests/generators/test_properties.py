"""Laws of every generator, on random sizes that it accepts: networkx counts paths, cuts and distances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from math import ceil, prod
from typing import Any, Final

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from planner.generators.radix import spines_for
from tests.generators.fabrics import Fabric, fabric, layout_with
from tests.support.examples import examples

MODELS: Final[dict[tuple[str, str], tuple[str, int, int]]] = {
    ("qm9700", "ndr"): ("dgx-h100", 64, 2),
    ("sn5600", "400g"): ("dgx-h100", 128, 2),
    ("dcs-7804r3-36d", "400g"): ("generic-8-gpu-host-qsfp112", 144, 1),
    ("generic-64x400g-qsfp-dd", "400g"): ("generic-8-gpu-host-qsfp112", 64, 1),
}
"""By switch and rate: the nodes, and the switch's ports, in all and a cage."""
SWITCHES: Final = sorted(MODELS)

a_few = examples(30)


def sound(found: Fabric) -> None:
    """No port twice, no cage split in two ways, nothing apart."""
    used = found.ports_used()
    assert len(set(used)) == len(used)
    assert found.split_cages() == []
    named = [(row[0], row[1], row[2], row[3]) for row in found.rows]
    assert len(set(named)) == len(named)


def in_whole_cages(found: Fabric, tier: str, ports_a_cage: int, width: int | None = None) -> None:
    """Of the links of a connection as many as can be lie together, cage to cage; width: its links, else all of a pair."""
    code = found.links.tier.code(tier)
    pairs: Counter[tuple[int, int]] = Counter()
    cages: Counter[tuple[int, int, int, int]] = Counter()
    columns = (
        found.links.tier.codes,
        found.links.a_device,
        found.links.a_port,
        found.links.z_device,
        found.links.z_port,
    )
    for which, a, p, z, q in zip(*(column.tolist() for column in columns), strict=True):
        if which == code:
            of_a, of_z = found.layout.devices[a].chassis, found.layout.devices[z].chassis
            pairs[a, z] += 1
            cages[a, z, int(of_a.port_cage[p]), int(of_z.port_cage[q])] += 1
    whole = Counter((a, z) for (a, z, _, _), count in cages.items() if count == ports_a_cage)
    assert pairs
    for pair, count in pairs.items():
        assert whole[pair] >= count // (width or count) * ((width or count) // ports_a_cage)


def the_same_port_to_the_same_switch(found: Fabric, tier: str, blocks: Iterable[list[str]]) -> None:
    """A port of every leaf of a block leads to one switch."""
    for block in blocks:
        maps = [{p: z for a, p, z, _, t in found.rows if t == tier and a == name} for name in block]
        assert all(one == maps[0] for one in maps)


def flow(found: Fabric, part: set[str], rest: set[str]) -> int:
    """Links that paths without a link in common can use at once between two sets of devices."""
    graph: nx.Graph[Any] = found.graph.copy()
    nx.set_edge_attributes(graph, {edge: graph.edges[edge]["links"] for edge in graph.edges}, "capacity")
    for side, names in (("source", part), ("sink", rest)):
        graph.add_edges_from((side, name) for name in names)
    return int(nx.maximum_flow_value(graph, "source", "sink"))


@st.composite
def rail_pods(draw: st.DrawFn) -> tuple[str, str, int, int, int, int]:
    """Switch, rate, units, places of a unit, nodes and rails a leaf of a rail-optimised pod that works out."""
    switch, rate = draw(st.sampled_from(SWITCHES))
    _, ports, _ = MODELS[switch, rate]
    share = draw(st.sampled_from([1, 2, 4, 8]))
    size = draw(st.integers(1, min(6, ports // 2 // share)))
    units = draw(st.integers(1, 3))
    nodes = draw(st.integers((units - 1) * size + 1, units * size))
    return switch, rate, units, size, nodes, share


@a_few
@given(rail_pods(), st.data())
def test_rail_optimized_of_two_tiers(pod: tuple[str, str, int, int, int, int], data: st.DataObject) -> None:
    switch, rate, units, size, nodes, share = pod
    host, ports, cage = MODELS[switch, rate]
    leaves = units * 8 // share
    spines = spines_for(leaves, ports // 2, ports, cage)
    assert spines is not None
    found = fabric(
        layout_with({f"n-[1-{nodes}]": host, f"leaf-[1-{leaves}]": switch, f"spine-[1-{spines}]": switch}), rate,
        kind="rail-optimized", nodes=f"n-[1-{nodes}]", leaves=f"leaf-[1-{leaves}]", spines=f"spine-[1-{spines}]",
        nodes_per_unit=size, rails_per_leaf=share,
    )  # fmt: skip
    sound(found)
    assert found.counts() == {"node-leaf": nodes * 8, "leaf-spine": leaves * (ports // 2)}
    assert found.between("leaf", "spine") == {ports // 2 // spines}
    assert found.degrees("n-") == {8}
    in_whole_cages(found, "leaf-spine", cage)
    the_same_port_to_the_same_switch(found, "leaf-spine", [[f"leaf-{n}" for n in range(1, leaves + 1)]])
    devices = {device.name: device.chassis for device in found.layout.devices}
    for a, p, z, _, tier in found.rows:
        if tier == "node-leaf":
            rail = int(devices[a].port_rail[devices[a].port_names.index(p)])
            assert int(z[5:]) == (int(a[2:]) - 1) // size * (8 // share) + rail // share + 1
    assert nx.is_connected(found.graph)
    switches = found.graph.subgraph(name for name in found.graph if not name.startswith("n-"))
    assert nx.diameter(switches) == (2 if leaves > 1 or spines > 1 else 1)
    if nodes > 1:
        names = [f"n-{n}" for n in range(1, nodes + 1)]
        part = set(data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=nodes - 1, unique=True)))
        assert flow(found, part, set(names) - part) == min(len(part), nodes - len(part)) * 8


@pytest.mark.parametrize(("group", "core_group"), [("rail", "all"), ("rail", "rail"), ("pod", "all")])
@examples(10)
@given(
    pods=st.integers(1, 3), units=st.sampled_from([1, 2, 4]), short=st.integers(0, 3), rails=st.sampled_from([2, 4]),
    spines=st.sampled_from([1, 2, 4]), data=st.data(),
)  # fmt: skip
def test_rail_optimized_of_three_tiers(
    group: str, core_group: str, pods: int, units: int, short: int, rails: int, spines: int, data: st.DataObject
) -> None:
    """Small leaves (8 ports up on each tier), so that pods are many and the last may be short of units."""
    if group == "pod":
        spines = max(spines, 4)
    count = pods * units - min(short, units - 1)
    nodes = count * 2
    leaves, groups = count * rails, pods * (rails if group == "rail" else 1)
    meeting = spines * (rails if core_group == "rail" else 1)
    cores = meeting * 2
    found = fabric(
        layout_with({f"n-[1-{nodes}]": "dgx-h100", f"leaf-[1-{leaves}]": "qm9700",
                     f"spine-[1-{groups * spines}]": "qm9700", f"core-[1-{cores}]": "qm9700"}),
        "ndr", kind="rail-optimized", nodes=f"n-[1-{nodes}]", rails=["OSFP4P2", "OSFP3P2", "OSFP3P1", "OSFP4P1"][:rails],
        leaves=f"leaf-[1-{leaves}]", spines=f"spine-[1-{groups * spines}]", cores=f"core-[1-{cores}]", nodes_per_unit=2,
        units_per_pod=units, spine_group=group, core_group=core_group, uplinks=8, core_uplinks=8,
    )  # fmt: skip
    sound(found)
    assert found.counts() == {
        "node-leaf": nodes * rails, "leaf-spine": leaves * 8, "spine-core": groups * spines * 8,
    }  # fmt: skip
    assert found.between("leaf", "spine") == {8 // spines}
    assert found.between("spine", "core") == {4}
    in_whole_cages(found, "spine-core", 2)
    # A leaf meets the spines of its own group alone, and spine g of a group the cores of group g.
    for a, _, z, _, tier in found.rows:
        number, other = int(a.split("-")[1]) - 1, int(z.split("-")[1]) - 1
        if tier == "leaf-spine":
            pod, rail = number // rails // units, number % rails
            assert other // spines == (pod * rails + rail if group == "rail" else pod)
        elif tier == "spine-core":
            place, rail = number % spines, number // spines % rails
            assert other // 2 == (rail * spines + place if core_group == "rail" else place)
    if core_group == "all":
        assert nx.is_connected(found.graph)
        above = found.graph.subgraph(name for name in found.graph if not name.startswith("n-"))
        ends = [name for name in above if name.startswith("leaf")]
        assert max(nx.shortest_path_length(above, ends[0], end) for end in ends) <= 4
        names = [f"n-{n}" for n in range(1, nodes + 1)]
        if len(names) > 1:
            part = set(data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=nodes - 1, unique=True)))
            assert flow(found, part, set(names) - part) == min(len(part), nodes - len(part)) * rails
    else:
        lone = found.graph.subgraph(name for name in found.graph if not name.startswith("n-"))
        assert nx.number_connected_components(lone) == rails


@a_few
@given(
    model=st.sampled_from([("qm9700", "ndr", 2), ("sn5600", "200g", 4)]), leaves=st.integers(1, 6), spines=st.integers(1, 5),
    width=st.integers(1, 9),
)  # fmt: skip
def test_odd_links_do_not_break_cages(model: tuple[str, str, int], leaves: int, spines: int, width: int) -> None:
    switch, rate, cage = model
    found = fabric(
        layout_with({f"leaf-[1-{leaves}]": switch, f"spine-[1-{spines}]": switch}), rate, kind="fat-tree",
        leaves=f"leaf-[1-{leaves}]", spines=f"spine-[1-{spines}]", uplinks=width * spines,
    )  # fmt: skip
    sound(found)
    assert found.between("leaf", "spine") == {width}
    in_whole_cages(found, "leaf-spine", cage)
    the_same_port_to_the_same_switch(found, "leaf-spine", [[f"leaf-{n}" for n in range(1, leaves + 1)]])


@a_few
@given(nodes=st.integers(1, 20), units=st.integers(1, 4), spined=st.booleans())
def test_rail_only_keeps_rails_apart(nodes: int, units: int, spined: bool) -> None:
    size = ceil(nodes / units)
    units = ceil(nodes / size)
    layout = layout_with(
        {
            f"n-[1-{nodes}]": "dgx-h100",
            f"leaf-[1-{units * 8}]": "qm9700",
            "spine-[1-16]": "qm9700",
            "one-[1-8]": "qm9700",
        }
    )
    nodes_of: dict[str, Any] = {"kind": "rail-only", "nodes": f"n-[1-{nodes}]"}
    if spined:
        found = fabric(
            layout,
            "ndr",
            leaves=f"leaf-[1-{units * 8}]",
            spines="spine-[1-16]",
            nodes_per_unit=size,
            uplinks=16,
            **nodes_of,
        )
        assert found.counts() == {"node-leaf": nodes * 8, "leaf-spine": units * 8 * 16}
    else:
        found = fabric(layout, "ndr", leaves="one-[1-8]", **nodes_of)
        assert found.counts() == {"node-leaf": nodes * 8}
    sound(found)
    switches = found.graph.subgraph(name for name in found.graph if not name.startswith("n-"))
    assert nx.number_connected_components(switches) == 8


@a_few
@given(
    planes=st.sampled_from([2, 4]), nodes=st.integers(1, 12), units=st.integers(1, 3), share=st.sampled_from([1, 2, 4, 8]),
    spines=st.sampled_from([1, 2, 4]),
)  # fmt: skip
def test_planes_never_meet(planes: int, nodes: int, units: int, share: int, spines: int) -> None:
    """A NIC of 400G split in two 200G ports, or in four of 100G: port p of each in plane p, at the same port of the leaf."""
    rate = "200g" if planes == 2 else "100g-1x100"
    size = ceil(nodes / units)
    units = ceil(nodes / size)
    leaves = units * 8 // share
    devices = {f"n-[1-{nodes}]": "generic-8-gpu-host-qsfp112"}
    for plane in range(planes):
        devices |= {
            f"leaf{plane}-[1-{leaves}]": "generic-64x800g-osfp",
            f"spine{plane}-[1-{spines}]": "generic-64x800g-osfp",
        }
    found = fabric(
        layout_with(devices), rate, kind="multi-plane" if planes > 2 else "dual-plane", nodes=f"n-[1-{nodes}]",
        nodes_per_unit=size, rails_per_leaf=share, uplinks=16,
        planes=[{"leaves": f"leaf{p}-[1-{leaves}]", "spines": f"spine{p}-[1-{spines}]"} for p in range(planes)],
    )  # fmt: skip
    sound(found)
    assert found.counts() == {"node-leaf": nodes * 8 * planes, "leaf-spine": planes * leaves * 16}
    places: dict[tuple[str, str], set[str]] = {}
    for a, p, z, q, tier in found.rows:
        if tier == "node-leaf":
            nic, _, lane = p.partition("/")
            assert z.startswith(f"leaf{int(lane) - 1}-")
            places.setdefault((a, nic), set()).add(q)
    assert all(len(ports) == 1 for ports in places.values())
    switches = found.graph.subgraph(name for name in found.graph if not name.startswith("n-"))
    for part in nx.connected_components(switches):
        assert len({name.split("-")[0][-1] for name in part}) == 1


@a_few
@given(nodes=st.integers(1, 16), spines=st.sampled_from([1, 2, 4, 8]))
def test_dual_tor(nodes: int, spines: int) -> None:
    """NICs with two ports: the first on the first leaf, the second on the second, and any one leaf may fail."""
    found = fabric(
        layout_with({f"n-[1-{nodes}]": "twin-nic-host", "tor-[1-2]": "sn5600", f"spine-[1-{spines}]": "sn5600"}), "200g",
        kind="dual-tor", nodes=f"n-[1-{nodes}]", tors=["tor-1", "tor-2"], spines=f"spine-[1-{spines}]", uplinks=64,
    )  # fmt: skip
    sound(found)
    assert found.counts() == {"node-leaf": nodes * 8, "leaf-spine": 128}
    assert {(p[-1], z) for _, p, z, _, tier in found.rows if tier == "node-leaf"} == {("0", "tor-1"), ("1", "tor-2")}
    in_whole_cages(found, "leaf-spine", 4 if 64 // spines >= 4 else 1)
    for tor in ("tor-1", "tor-2"):
        left: nx.Graph[Any] = nx.Graph(found.graph)
        left.remove_node(tor)
        assert nx.is_connected(left)


@a_few
@given(
    nodes=st.integers(1, 40), leaves=st.integers(1, 6), ratio=st.sampled_from(["1:1", "2:1", "3:1", "1:2", "7:1"]),
    spread=st.sampled_from([1, 2, 4]), model=st.sampled_from([("qm9700", 64, 2), ("qm8700", 40, 1)]), data=st.data(),
)  # fmt: skip
def test_fat_tree(
    nodes: int, leaves: int, ratio: str, spread: int, model: tuple[str, int, int], data: st.DataObject
) -> None:
    switch, ports, cage = model
    leaves *= spread
    host, each, rate = ("dgx-h100", 4, "ndr") if switch == "qm9700" else ("twin-nic-host", 8, "200g")
    if switch == "qm8700":
        host, each, rate, spread = "host-2u-connectx-7", 1, "hdr", 1
    down, up = map(int, ratio.split(":"))
    higher = ports * up // (down + up) // cage * cage
    lower = min(ports - higher, higher * down // up) // cage * cage
    groups = leaves // spread
    a_group = ceil(nodes / groups)
    if a_group * each // spread > lower:
        nodes = groups * max(1, lower * spread // each)
        a_group = ceil(nodes / groups)
    assume(a_group * each // spread <= lower)
    spines = spines_for(leaves, higher, ports, cage)
    assume(spines is not None)
    chosen = {"ports": ["OSFP1P1", "OSFP1P2", "OSFP2P1", "OSFP2P2"]} if host == "dgx-h100" else {}
    found = fabric(
        layout_with({f"n-[1-{nodes}]": host, f"leaf-[1-{leaves}]": switch, f"spine-[1-{spines}]": switch}), rate,
        kind="fat-tree", nodes=f"n-[1-{nodes}]", leaves=f"leaf-[1-{leaves}]", spines=f"spine-[1-{spines}]",
        blocking=ratio, spread=spread, **chosen,
    )  # fmt: skip
    sound(found)
    assert found.counts() == {"node-leaf": nodes * each, "leaf-spine": leaves * higher}
    in_whole_cages(found, "leaf-spine", cage)
    the_same_port_to_the_same_switch(found, "leaf-spine", [[f"leaf-{n}" for n in range(1, leaves + 1)]])
    # Nodes are spread evenly: no leaf has more than its share, and only the last ones have fewer.
    hosted = Counter(z for _, _, z, _, tier in found.rows if tier == "node-leaf")
    assert max(hosted.values()) == a_group * each // spread
    # Between two parts of the leaves as many paths over the spines as the smaller part has uplinks.
    names = [f"leaf-{n}" for n in range(1, leaves + 1)]
    if leaves > 1:
        part = set(data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=leaves - 1, unique=True)))
        switches = Fabric(found.layout, found.links.take(found.links.tier.codes == found.links.tier.code("leaf-spine")))
        assert flow(switches, part, set(names) - part) == min(len(part), leaves - len(part)) * higher


@examples(15)
@given(
    leaves=st.integers(1, 9), a_pod=st.sampled_from([1, 2, 4]), spines=st.sampled_from([1, 2, 4]), cores=st.sampled_from([1, 2, 4]),
    hosts=st.integers(1, 8), data=st.data(),
)  # fmt: skip
def test_fat_tree_of_three_tiers(
    leaves: int, a_pod: int, spines: int, cores: int, hosts: int, data: st.DataObject
) -> None:
    """Eight uplinks a leaf and a spine, pods of which the last may be short: full as long as a leaf has eight nodes at most."""
    pods = ceil(leaves / a_pod)
    nodes = leaves * hosts
    found = fabric(
        layout_with({f"n-[1-{nodes}]": "host-2u-connectx-7", f"leaf-[1-{leaves}]": "qm9700",
                     f"spine-[1-{pods * spines}]": "qm9700", f"core-[1-{spines * cores}]": "qm9700"}),
        "ndr", kind="fat-tree", nodes=f"n-[1-{nodes}]", leaves=f"leaf-[1-{leaves}]", spines=f"spine-[1-{pods * spines}]",
        cores=f"core-[1-{spines * cores}]", leaves_per_pod=a_pod, uplinks=8, core_uplinks=8 * a_pod // spines,
    ) if 8 * a_pod // spines % cores == 0 and 8 * a_pod // spines >= cores else None  # fmt: skip
    assume(found is not None)
    assert found is not None
    sound(found)
    higher = 8 * a_pod // spines
    assert found.counts() == {"node-leaf": nodes, "leaf-spine": leaves * 8, "spine-core": pods * spines * higher}
    in_whole_cages(found, "spine-core", 2)
    assert nx.is_connected(found.graph)
    names = [f"n-{n}" for n in range(1, nodes + 1)]
    if nodes > 1:
        part = set(data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=nodes - 1, unique=True)))
        assert flow(found, part, set(names) - part) == min(len(part), nodes - len(part))


@a_few
@given(clients=st.integers(1, 20), stores=st.integers(1, 4), groups=st.integers(1, 3))
def test_storage_on_two_leaves_each(clients: int, stores: int, groups: int) -> None:
    """Clients with two ports and stores with eight, on pairs of leaves: any one leaf may fail, and each kind is spread evenly."""
    found = fabric(
        layout_with({f"n-[1-{clients}]": "dgx-h100", f"st-[1-{stores}]": "dgx-h200", f"leaf-[1-{2 * groups}]": "qm9700",
                     "spine-[1-2]": "qm9700"}),
        "ndr", kind="fat-tree", leaves=f"leaf-[1-{2 * groups}]", spines="spine-[1-2]", spread=2, uplinks=16,
        ends=[{"devices": f"n-[1-{clients}]", "ports": ["slot1-port1", "slot2-port1"]}, {"devices": f"st-[1-{stores}]"}],
    )  # fmt: skip
    sound(found)
    assert found.counts() == {"node-leaf": clients * 2 + stores * 8, "leaf-spine": 2 * groups * 16}
    for prefix, count in (("n-", clients), ("st-", stores)):
        leaves_of = {
            a: sorted(z for b, _, z, _, tier in found.rows if b == a) for a, *_ in found.rows if a.startswith(prefix)
        }
        assert len(leaves_of) == count
        assert all(
            len(set(leaves)) == 2 and leaves.count(leaves[0]) == len(leaves) // 2 for leaves in leaves_of.values()
        )
        hosted = Counter(leaves[0] for leaves in leaves_of.values())
        assert max(hosted.values()) == ceil(count / groups)
    for leaf in range(1, 2 * groups + 1):
        left: nx.Graph[Any] = nx.Graph(found.graph)
        left.remove_node(f"leaf-{leaf}")
        assert nx.is_connected(left)


@a_few
@given(kept=st.integers(0, 8), nodes=st.integers(1, 20), backwards=st.booleans())
def test_cages_that_are_kept_stay_free(kept: int, nodes: int, backwards: bool) -> None:
    """Ports for growth: the cages not named are used by nobody, and the order named is the order taken."""
    cages = [str(n) for n in range(1 + kept, 33)]
    if backwards:
        cages.reverse()
    half = len(cages)
    found = fabric(
        layout_with({f"n-[1-{nodes}]": "dgx-h100", "leaf-[1-8]": "qm9700", "spine-1": "qm9700"}), "ndr", kind="rail-optimized",
        nodes=f"n-[1-{nodes}]", leaves="leaf-[1-8]", leaf_cages=cages, spine_cages="[1-32]", spines="spine-1", uplinks=8,
    )  # fmt: skip
    sound(found)
    used = {q.partition("/")[0] for _, _, z, q, _ in found.rows if z.startswith("leaf")}
    used |= {p.partition("/")[0] for a, p, _, _, _ in found.rows if a.startswith("leaf")}
    assert used <= set(cages)
    assert {q for a, _, _, q, _ in found.rows if a == "n-1"} == {f"{cages[0]}/1"}
    assert {p for a, p, *_ in found.rows if a == "leaf-1"} == {
        f"{cage}/{k}" for cage in cages[half - 4 :] for k in (1, 2)
    }


@a_few
@given(
    sizes=st.lists(st.integers(1, 4), min_size=1, max_size=6), clusters=st.integers(1, 3), spines=st.sampled_from([1, 2, 4, 8]),
    cored=st.booleans(),
)  # fmt: skip
def test_leaf_spine_stays_in_its_racks(sizes: list[int], clusters: int, spines: int, cored: bool) -> None:
    """Racks of different numbers of nodes; clusters of as many racks, the last with what is left."""
    racks = len(sizes)
    size = ceil(racks / clusters) if cored else racks
    pods = ceil(racks / size)
    while size * max(sizes) * 8 // spines > (60 if cored else 64):
        spines *= 2
    layout = layout_with({
        f"n-[1-{4 * racks}]": "generic-8-gpu-host-qsfp112", f"tor-[1-{racks}]": "generic-64x400g-qsfp-dd",
        f"spine-[1-{pods * spines}]": "generic-64x400g-qsfp-dd", f"core-[1-{spines}]": "generic-64x400g-qsfp-dd",
    }, a_rack=4)  # fmt: skip
    names = [f"n-{rack * 4 + place + 1}" for rack, count in enumerate(sizes) for place in range(count)]
    more: dict[str, Any] = {"cores": f"core-[1-{spines}]", "racks_per_pod": size, "core_uplinks": 4} if cored else {}
    found = fabric(
        layout,
        "400g",
        kind="leaf-spine",
        nodes=names,
        leaves=f"tor-[1-{racks}]",
        spines=f"spine-[1-{pods * spines}]",
        **more,
    )
    sound(found)
    higher = max(sizes) * 8
    counts = {"node-leaf": sum(sizes) * 8, "leaf-spine": racks * higher}
    assert found.counts() == (counts | {"spine-core": pods * spines * 4} if cored else counts)
    rack = {device.name: device.rack for device in layout.devices}
    assert all(rack[a] == rack[z] for a, _, z, _, tier in found.rows if tier == "node-leaf")
    assert all(
        int(q) == (int(a[2:]) - 1) % 4 * 8 + int(p[3:]) + 1 for a, p, _, q, tier in found.rows if tier == "node-leaf"
    ), "a node's ports follow each other on its leaf"
    assert found.between("tor", "spine") == {higher // spines}
    assert nx.is_connected(found.graph)


@a_few
@given(nodes=st.integers(1, 24), isl=st.integers(0, 16))
def test_two_switch_core(nodes: int, isl: int) -> None:
    more = {"peer_cages": f"[{64 - isl}-63]"} if isl else {}
    found = fabric(
        layout_with({f"n-[1-{nodes}]": "generic-8-gpu-host-qsfp112", "core-[1-2]": "sn5600"}), "400g",
        kind="two-switch-core", nodes=f"n-[1-{nodes}]", cores="core-[1-2]", **more,
    )  # fmt: skip
    sound(found)
    assert found.counts() == {"node-core": nodes * 8} | ({"core-core": 2 * isl} if isl else {})
    assert {int(p[3:]) % 2 + 1 == int(z[-1]) for _, p, z, _, tier in found.rows if tier == "node-core"} == {True}
    assert found.between("n-", "core") == {4}
    assert all(p == q for _, p, _, q, tier in found.rows if tier == "core-core")


@a_few
@given(
    nodes=st.integers(1, 60), switches=st.integers(1, 3), others=st.integers(0, 8),
    order=st.sampled_from(["round-robin", "fill"]),
)  # fmt: skip
def test_management(nodes: int, switches: int, others: int, order: str) -> None:
    if nodes + others > 48 * switches:
        nodes = 48 * switches - others
    ends = [{"devices": f"n-[1-{nodes}]", "ports": "BMC"}]
    devices = {f"n-[1-{nodes}]": "dgx-h100", f"oob-[1-{switches}]": "sn2201"}
    if others:
        ends.append({"devices": f"sw-[1-{others}]", "ports": "eth0"})
        devices[f"sw-[1-{others}]"] = "sn5600"
    found = fabric(
        layout_with(devices), "1g", kind="management", ends=ends, switches=f"oob-[1-{switches}]", order=order
    )
    sound(found)
    assert found.counts() == {"management": nodes + others}
    taken = Counter(z for _, _, z, _, _ in found.rows)
    spread = [taken[f"oob-{n + 1}"] for n in range(switches)]
    if order == "round-robin":
        assert max(spread) - min(spread) <= 1
    else:
        assert spread == [max(0, min(48, nodes + others - 48 * n)) for n in range(switches)]


@a_few
@given(
    size=st.integers(1, 4),
    groups=st.integers(1, 9),
    rounds=st.integers(1, 2),
    width=st.integers(1, 3),
    local=st.integers(1, 3),
    hosts=st.integers(0, 3),
)
def test_dragonfly(size: int, groups: int, rounds: int, width: int, local: int, hosts: int) -> None:
    reach = ceil(rounds * (groups - 1) / size)
    count = size * groups
    assume(count > 1 and 2 * ceil(hosts / 2) + (size - 1) * local + reach * width <= 63)
    found = fabric(
        layout_with({f"n-[1-{max(1, hosts * count)}]": "host-2u-connectx-7", f"r-[1-{count}]": "qm9700"}), "ndr",
        kind="dragonfly", routers=f"r-[1-{count}]", routers_per_group=size, global_links=width, local_links=local,
        **({"nodes": f"n-[1-{hosts * count}]"} if hosts else {}), **({"global_connections": reach} if groups > 1 else {}),
    )  # fmt: skip
    sound(found)
    turns = reach * size // (groups - 1) if groups > 1 else 0
    counts = found.counts()
    assert counts.get("node-router", 0) == hosts * count
    assert counts.get("local", 0) == groups * size * (size - 1) // 2 * local
    if size > 1:
        in_whole_cages(found, "local", 2)
    if groups > 1:
        in_whole_cages(found, "global", 2, width)
    assert counts.get("global", 0) == groups * (groups - 1) // 2 * turns * width
    group = {f"r-{n + 1}": n // size for n in range(count)}
    between: Counter[tuple[int, int]] = Counter()
    for a, _, z, _, tier in found.rows:
        if tier == "global":
            between[min(group[a], group[z]), max(group[a], group[z])] += 1
        elif tier == "local":
            assert group[a] == group[z]
    assert dict(between) == dict.fromkeys(combinations(range(groups), 2), turns * width)
    routers = found.graph.subgraph(group)
    assert nx.is_connected(routers)
    assert nx.diameter(routers) <= 3


@a_few
@given(leaves=st.integers(1, 4), spines=st.integers(1, 4), groups=st.integers(1, 8), hosts=st.integers(1, 4))
def test_dragonfly_plus(leaves: int, spines: int, groups: int, hosts: int) -> None:
    count = leaves * groups
    found = fabric(
        layout_with({f"n-[1-{hosts * count}]": "host-2u-connectx-7", f"leaf-[1-{count}]": "qm9700",
                     f"spine-[1-{spines * groups}]": "qm9700"}),
        "ndr", kind="dragonfly-plus", nodes=f"n-[1-{hosts * count}]", leaves=f"leaf-[1-{count}]",
        spines=f"spine-[1-{spines * groups}]", leaves_per_group=leaves, spines_per_group=spines,
    )  # fmt: skip
    sound(found)
    turns = ceil((groups - 1) / spines) * spines // (groups - 1) if groups > 1 else 0
    counts = {"node-leaf": hosts * count, "leaf-spine": count * spines * 2}
    assert found.counts() == counts | ({"global": groups * (groups - 1) // 2 * turns * 2} if groups > 1 else {})
    in_whole_cages(found, "leaf-spine", 2)
    assert nx.is_connected(found.graph)
    # Up and down inside a group; up, across and down to another, since every leaf meets every spine of its group.
    far = [nx.shortest_path_length(found.graph, "leaf-1", f"leaf-{n + 1}") for n in range(count)]
    assert set(far[1:leaves]) <= {2}
    assert set(far[leaves:]) <= {3}


@a_few
@given(
    kind=st.sampled_from(["torus", "mesh", "hyperx"]), axes=st.lists(st.integers(1, 5), min_size=1, max_size=3),
    width=st.integers(1, 3), hosts=st.integers(0, 2),
)  # fmt: skip
def test_grids(kind: str, axes: list[int], width: int, hosts: int) -> None:
    count = prod(axes)
    assume(count > 1)
    found = fabric(
        layout_with({f"n-[1-{max(1, hosts * count)}]": "host-2u-connectx-7", f"s-[1-{count}]": "qm9700"}), "ndr",
        kind=kind, switches=f"s-[1-{count}]", axes=axes, links=width,
        **({"nodes": f"n-[1-{hosts * count}]"} if hosts else {}),
    )  # fmt: skip
    sound(found)
    lines = [{"torus": k if k > 2 else k - 1, "mesh": k - 1, "hyperx": k * (k - 1) // 2}[kind] for k in axes]
    counts = {f"axis-{n + 1}": count // k * lines[n] * width for n, k in enumerate(axes) if k > 1}
    assert found.counts() == ({"node-switch": hosts * count} if hosts else {}) | counts
    for n, k in enumerate(axes, start=1):
        if k > 1:
            in_whole_cages(found, f"axis-{n}", 2)
    switches = found.graph.subgraph(f"s-{n + 1}" for n in range(count))
    assert nx.diameter(switches) == sum({"torus": k // 2, "mesh": k - 1, "hyperx": int(k > 1)}[kind] for k in axes)
    assert nx.is_isomorphic(nx.Graph(switches.edges), oracle(kind, axes))
    axis, k = max(enumerate(axes), key=lambda item: item[1])
    if k % 2 == 0:
        behind = prod(axes[axis + 1 :])
        half = {f"s-{n + 1}" for n in range(count) if n // behind % k < k // 2}
        cut = sum(switches.edges[edge]["links"] for edge in nx.edge_boundary(switches, half))
        across = {"torus": 2 if k > 2 else 1, "mesh": 1, "hyperx": k * k // 4}[kind]
        assert cut == count // k * across * width


def oracle(kind: str, axes: list[int]) -> nx.Graph[Any]:
    """The grid as a product of its axes, each made by networkx."""
    graph: nx.Graph[Any] = nx.empty_graph(1)
    for k in axes:
        line: nx.Graph[Any] = nx.path_graph(k)
        if kind == "hyperx":
            line = nx.complete_graph(k)
        elif kind == "torus" and k > 2:
            line = nx.cycle_graph(k)
        graph = nx.cartesian_product(graph, line)
    return graph
