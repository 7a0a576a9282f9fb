"""The obvious way and ours, side by side in one process: ratios that hold on any machine."""

from __future__ import annotations

import io
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import yaml

from planner.catalog.fibre import Cord
from planner.channel.judge import judge
from planner.generators.make import generated
from planner.generators.parameters import RailOptimized
from planner.layout import Layout
from planner.lengths.measure import Measure
from planner.locate import places_of
from planner.pipeline import Inputs, compile_inputs, layout_of, links_of, read_inputs
from planner.reader import read_project
from planner.rules import in_order
from planner.rules.registry import judged
from planner.selection.light import channel_of, forget_verdicts
from planner.topology import Links


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of a call, which a busy machine spoils least, and its result."""
    begun = time.process_time()
    found = call()
    return time.process_time() - begun, found


def _laid_out(project: Path) -> tuple[Inputs, Layout, Links]:
    inputs, _, _ = read_inputs(project)
    assert inputs is not None
    files = inputs.source.sources.files
    layout, _ = layout_of(inputs.project, inputs.tree, inputs.catalog, inputs.gaps, files)
    links, _ = links_of(inputs.project.fabrics, inputs.tree, layout, inputs.catalog, inputs.source.sources, inputs.gaps)
    return inputs, layout, links


def routing(project: Path, sample: int = 40) -> dict[str, float]:
    """All pairs of drops by the planner, against networkx' Dijkstra for each pair of racks (a sample, scaled)."""
    inputs, layout, links = _laid_out(project)
    a, z = places_of(links.a_device, links.a_port, layout), places_of(links.z_device, links.z_port, layout)
    measure = Measure(layout, a, z, inputs.project.policy, np.full(len(links), -1, np.int64))
    ours, routed = timed(lambda: measure.routes("fibre"))
    joins, network = routed.joins, routed.network

    def naive_graph() -> nx.Graph[Any]:
        """Every cut of every pathway a node, every rack hung onto the pathways at its joins."""
        graph: nx.Graph[Any] = nx.Graph()
        edges = network.edges
        nodes = {n: tuple(point) for n, point in enumerate(network.node_um.tolist())}
        on_chain: dict[int, list[tuple[int, Any]]] = {}
        for e in range(len(edges)):
            chain = int(edges.chain[e])
            on_chain.setdefault(chain, []).append((int(edges.chain_from_nm[e]), nodes[int(edges.node_a[e])]))
            on_chain[chain].append((int(edges.chain_to_nm[e]), nodes[int(edges.node_b[e])]))
        for j in range(len(joins)):
            chain = int(joins.chain[j])
            on_chain[chain].append((int(joins.offset_nm[j]), ("join", j)))
            rack = int(measure.drops.rack[joins.drop[j]])
            graph.add_edge(("rack", rack), ("join", j), nm=int(joins.rise_nm[j]))
        for cuts in on_chain.values():
            cuts.sort(key=lambda cut: cut[0])
            for (low, one), (high, other) in pairwise(cuts):
                if one != other:
                    graph.add_edge(one, other, nm=high - low)
        return graph

    pairs = np.unique(np.stack((a.rack, z.rack)), axis=1).T
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    some = pairs[:: max(1, len(pairs) // sample)]
    build, graph = timed(naive_graph)
    walk, _ = timed(lambda: [nx.dijkstra_path(graph, ("rack", p), ("rack", q), weight="nm") for p, q in some.tolist()])
    naive = build + walk / len(some) * len(pairs)
    return {"ours_s": ours, "naive_s": naive, "ratio": naive / ours, "rack_pairs": len(pairs), "sampled": len(some)}


def generating(project: Path) -> dict[str, float]:
    """The links of a three-tier rail-optimised fabric: by the generator, against a row of names a link and its look-ups."""
    inputs, _, _ = read_inputs(project)
    assert inputs is not None
    files = inputs.source.sources.files
    layout, _ = layout_of(inputs.project, inputs.tree, inputs.catalog, inputs.gaps, files)
    fabric = inputs.project.fabrics[0]
    wanted, forms = fabric.generate, inputs.catalog.forms(fabric.rate)
    assert isinstance(wanted, RailOptimized)
    assert layout.device_index  # both ways look devices up by name
    ours, made = timed(lambda: generated(wanted, layout, forms, 0, follow_up=True)[0])
    naive, rows = timed(lambda: [_numbers(row, layout) for row in _by_loops(wanted, layout)])
    assert made is not None
    columns = (made.a_device, made.a_port, made.z_device, made.z_port)
    assert sorted(zip(*(column.tolist() for column in columns), strict=True)) == sorted(rows)
    return {"ours_s": ours, "naive_s": naive, "ratio": naive / ours, "links": len(rows)}


def _by_loops(wanted: RailOptimized, layout: Layout) -> Iterator[tuple[str, str, str, str]]:
    """A QM9700 fabric by the words of its page: a, its port, z, its port."""
    nodes, leaves, spines, cores = wanted.nodes, wanted.leaves, wanted.spines, wanted.cores or ()
    pod = wanted.units_per_pod or 0
    host = layout.devices[layout.device_index[nodes[0]]].chassis
    rails = sorted((int(rail), name) for rail, name in zip(host.port_rail, host.port_names, strict=True) if rail >= 0)
    for n, node in enumerate(nodes):
        for rail, port in rails:
            yield node, port, leaves[n // 32 * 8 + rail], _port(n % 32)
    # In two tiers all leaves share all spines, in three those of a rail in a pod share as many as the pod has units.
    a_group = pod or len(spines)
    width = 32 // a_group
    for leaf, name in enumerate(leaves):
        unit, rail = divmod(leaf, 8)
        group, place = (unit // pod * 8 + rail, unit % pod) if pod else (0, leaf)
        for s in range(a_group):
            for k in range(width):
                yield name, _port(32 + width * s + k), spines[group * a_group + s], _port(width * place + k)
    if cores:
        by_rail = wanted.core_group == "rail"
        each = len(cores) // (8 * pod if by_rail else pod)
        wide = 32 // each
        for spine, name in enumerate(spines):
            group, s = divmod(spine, pod)
            first, place = (group % 8 * pod + s, group // 8) if by_rail else (s, group)
            for c in range(each):
                for k in range(wide):
                    yield name, _port(32 + wide * c + k), cores[first * each + c], _port(wide * place + k)
    for n, manager in enumerate(wanted.ufm or ()):
        for p, port in enumerate(layout.devices[layout.device_index[manager]].chassis.port_names):
            yield manager, port, leaves[len(leaves) - 8 + 2 * n + p], _port(31)


def _port(number: int) -> str:
    return f"{number // 2 + 1}/{number % 2 + 1}"


def _numbers(row: tuple[str, str, str, str], layout: Layout) -> tuple[int, int, int, int]:
    a, z = layout.device_index[row[0]], layout.device_index[row[2]]
    of_a, of_z = layout.devices[a].chassis.port_names, layout.devices[z].chassis.port_names
    return a, of_a.index(row[1]), z, of_z.index(row[3])


def reading() -> dict[str, float]:
    """A project of 5 MB in block style: our reader, with places, against CSafeLoader as people use it."""
    text = io.StringIO()
    text.write(
        "format: planner/1\nname: big\nroom:\n  outline_m: [[0, 0], [9, 0], [9, 9], [0, 9]]\n  ceiling_m: 3.5\ndevices:\n"
    )
    number = 0
    while text.tell() < 5_000_000:
        number += 1
        text.write(
            f"- names: node-{number:06d}\n  model: dgx-h100\n  rack: R{number // 4:05d}\n  u:\n  - {3 + number % 4 * 10}\n  mount: front\n"
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "project.yaml"
        path.write_text(text.getvalue(), encoding="utf-8")
        ours, read = timed(lambda: read_project(Path(folder)))
        assert read.root is not None
        assert len(read.root["devices"]) == number  # type: ignore[arg-type]
        naive, _ = timed(lambda: yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
    return {"ours_s": ours, "naive_s": naive, "ratio": naive / ours, "megabytes": text.tell() / 1e6}


@dataclass(frozen=True)
class OneLink:
    """A link as an object, with what a plan knows of it at the least."""

    fabric: int
    tier: str
    a_device: int
    a_port: int
    z_device: int
    z_port: int
    routed_mm: int
    required_mm: int
    stock_mm: int


def holding(count: int = 300_288) -> dict[str, float]:
    """Links as columns and as an object each: make them, and choose each link's stock length."""
    random = np.random.default_rng(1)
    columns = random.integers(0, 60_000, (8, count))
    stock = np.array([3, 5, 7, 10, 15, 20, 30, 50, 70, 100], np.int64) * 1000
    listed = [column.tolist() for column in columns]

    def ours() -> int:
        held = [np.array(column, np.int64) for column in listed]
        required = held[5] + 600 + -(-held[5] * 5 // 100)
        return int(stock[np.searchsorted(stock, required)].sum())

    def naive() -> int:
        links = [
            OneLink(f, "node-leaf", a, p, z, q, r, r + 600 + -(-r * 5 // 100), 0)
            for f, a, p, z, q, r in zip(*listed[:6], strict=True)
        ]
        lengths = stock.tolist()
        chosen = [replace(link, stock_mm=next(mm for mm in lengths if mm >= link.required_mm)) for link in links]
        return sum(link.stock_mm for link in chosen)

    columns_s, one = timed(ours)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    objects_s, other = timed(naive)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert one == other
    return {
        "ours_s": columns_s,
        "naive_s": objects_s,
        "ratio": objects_s / columns_s,
        "naive_mb": grown,
        "links": count,
    }


def channels(project: Path, sample: int = 2_000) -> dict[str, float]:
    """Verdicts on every optical channel: the rules for polarity, mating and loss, once a kind, against one judged a link.

    The rules find nothing judged before, as in a run of which the selection had kept nothing.
    """
    inputs, _, _ = read_inputs(project)
    assert inputs is not None
    stages = compile_inputs(inputs).stages
    assert stages is not None
    subject = stages.subject
    optical = [(option, rows) for option, rows in subject.groups if isinstance(option.cable, Cord)]
    forget_verdicts()
    ours, found = timed(lambda: list(judged(subject, [rule for rule in in_order() if rule.id[:3] in ("POL", "LOS")])))
    count = sum(len(rows) for _, rows in optical)

    def one_by_one() -> list[str]:
        verdicts = []
        for option, rows in optical:
            for _ in range(max(1, len(rows) * sample // count)):
                assert option.a_plug is not None
                assert option.z_plug is not None
                assert isinstance(option.cable, Cord)
                channel = channel_of(
                    option.a_plug, option.z_plug, option.cable, head_at_z=option.head_at_z, lit=option.lit
                )
                assert channel is not None
                verdicts.append(judge(channel).verdict)
        return verdicts

    some_s, verdicts = timed(one_by_one)
    assert set(verdicts) == {"pass"}
    assert not found
    naive = some_s / len(verdicts) * count
    return {
        "ours_s": ours,
        "naive_s": naive,
        "ratio": naive / ours,
        "kinds": len(optical),
        "channels": count,
        "sampled": len(verdicts),
    }
