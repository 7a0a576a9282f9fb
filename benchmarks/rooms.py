"""A whole room: lengths of all rack pairs against scipy's Dijkstra, cables led around full trays, geometry checks.

`python benchmarks/rooms.py PROJECT` prints JSON: CPU seconds of this process, for one core. The rooms that `run` gives it are
those of `synthetic.py`, of 1,008 and 4,106 racks.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse.csgraph
from scipy.optimize import linprog
from scipy.sparse import csr_array

from planner import rounds
from planner.capacity.negotiate import negotiated
from planner.capacity.problem import Problem
from planner.capacity.programme import finish
from planner.lengths.measure import Measure, RoutesOfClass
from planner.pipeline import Compiled, compile_project
from planner.project import FillPolicy
from planner.routing.routes import Router
from planner.rules import Subject, in_order, judged
from planner.table import Ints
from planner.units import PPM

MOST = 2.1
"""How often the fullest cell holds its limit at the start of the capacity benchmark."""

SOURCES_AT_ONCE = 128

assert linprog  # imported before the clock starts


def seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.process_time()
    found = call()
    return time.process_time() - begun, found


def lengths(measure: Measure) -> dict[str, float]:
    """Every pair of drops that a link may take: between junctions by the planner, on all nodes by scipy."""
    routed = measure.routes("fibre")
    count = len(measure.drops)
    a, z = routed.pair_key % count**2 // count, routed.pair_key % count
    ours, found = seconds(lambda: Router(routed.network, routed.joins, count).routes(a, z))
    total = np.where(found.a_join >= 0, found.a_rise_nm + found.pathway_nm + found.z_rise_nm, -1)
    matrix, drop_node = _all_nodes(routed, count)
    # From the drops of the network racks, which serve many pairs each: the fewest sources that cover all.
    served = np.bincount(np.concatenate((a, z)), minlength=count)
    source, other = np.where(served[a] >= served[z], (a, z), (z, a))
    sources = np.unique(source)
    plain, exact = seconds(lambda: _dijkstra(matrix, drop_node, sources, source, other))
    assert np.array_equal(total, exact)
    return {
        "pairs": len(a), "nodes": matrix.shape[0], "sources": len(sources),
        "ours_s": round(ours, 4), "scipy_s": round(plain, 3), "ratio": round(plain / ours, 1),
    }  # fmt: skip


def _all_nodes(routed: RoutesOfClass, drops: int) -> tuple[csr_array, Ints]:
    """A node for every junction, every join and every drop, as one would build the graph of a room."""
    chains, joins = routed.network.chains, routed.joins
    junctions = len(routed.network.junction_node)
    first_drop = junctions + len(joins)
    edges: dict[tuple[int, int], int] = {}
    on_chain: dict[int, list[tuple[int, int]]] = {}
    for chain, (first, last, long) in enumerate(
        zip(chains.first.tolist(), chains.last.tolist(), chains.length_nm.tolist(), strict=True)
    ):
        on_chain[chain] = [(0, first), (long, last)]
    for join, (chain, offset) in enumerate(zip(joins.chain.tolist(), joins.offset_nm.tolist(), strict=True)):
        on_chain[chain].append((offset, junctions + join))
    for cuts in on_chain.values():
        cuts.sort()
        for (low, one), (high, two) in pairwise(cuts):
            key = (min(one, two), max(one, two))
            edges[key] = min(edges.get(key, 1 << 60), high - low)
    for join, (drop, rise) in enumerate(zip(joins.drop.tolist(), joins.rise_nm.tolist(), strict=True)):
        edges[(junctions + join, first_drop + drop)] = rise
    rows, columns = np.array(list(edges), np.int64).T
    nm = np.array(list(edges.values()), np.float64)
    size = first_drop + drops
    # Whole nanometres are exact in a float. scipy takes an edge of length 0 for none; its millionth is rounded away again.
    return csr_array((np.maximum(nm, 1e-6), (rows, columns)), shape=(size, size)), first_drop + np.arange(drops)


def _dijkstra(matrix: csr_array, node: Ints, sources: Ints, source: Ints, other: Ints) -> Ints:
    found = np.full(len(source), -1, np.int64)
    for low in range(0, len(sources), SOURCES_AT_ONCE):
        some = sources[low : low + SOURCES_AT_ONCE]
        nm = scipy.sparse.csgraph.dijkstra(matrix, directed=False, indices=node[some])
        mine = np.flatnonzero((some[0] <= source) & (source <= some[-1]))
        distance = nm[np.searchsorted(some, source[mine]), node[other[mine]]]
        found[mine] = np.where(np.isfinite(distance), np.rint(np.nan_to_num(distance, posinf=-1)), -1)
    return found


def capacity(subject: Subject) -> dict[str, float]:
    """Cables led around until nothing is over-full, from a reserve of which the fullest cell holds twice as much."""
    fill = subject.project.policy.fill
    start = _problem(subject, fill)
    filled = start.loads / np.maximum(start.limits[2], 1) * fill.fail
    reserve = int(filled.max() / MOST)
    problem = _problem(subject, FillPolicy.model_construct(reroute=reserve, warn=2 * reserve, fail=3 * reserve))
    before = problem.loads
    negotiating, ground = seconds(lambda: negotiated(problem))
    left = int((ground.loads > problem.cap).sum())
    programming, _ = seconds(lambda: finish(ground))
    was = int((problem.bundles.length_nm * problem.bundles.count).sum())
    return {
        "reserve": round(reserve / PPM, 3),
        "bundles": len(problem.bundles),
        "over_full": int((before > problem.cap).sum()),
        "most": round(float((before / np.maximum(problem.cap, 1)).max()), 2),
        "after_negotiation": left,
        "at_the_end": int((ground.loads > problem.cap).sum()),
        "negotiation_s": round(negotiating, 3),
        "programme_s": round(programming, 3),
        "cable_ratio": round(_length_nm(ground) / max(1, was), 5),
    }


def _length_nm(ground: Any) -> int:
    bundles = ground.problem.bundles
    moved = sum(
        ground.paths[bundle][key].length_nm * count
        for bundle, keys in ground.laid.items()
        for key, count in keys.items()
    )
    stays = np.ones(len(bundles), bool)
    stays[list(ground.laid)] = False
    return int(moved) + int((bundles.length_nm * bundles.count)[stays].sum())


def _problem(subject: Subject, fill: FillPolicy) -> Problem:
    """The room with every cable on its shortest way."""
    nothing = np.zeros(len(subject.links), bool)
    return rounds.problem_of(subject.layout, subject.measure, subject.selection, subject.lengths, fill, nothing)


def geometry(subject: Subject) -> dict[str, float]:
    """The rules on where racks, pathways, obstacles and doors are."""
    rules = [known for known in in_order() if known.id.startswith("LAY")]
    spent, found = seconds(lambda: list(judged(subject, rules)))
    return {"racks": len(subject.layout.racks), "rules": len(rules), "findings": len(found), "ours_s": round(spent, 3)}


def _on_shortest_ways(project: Path) -> Compiled:
    """Compiled without leading anything around."""
    rounds.MOST_ROUNDS = 0  # type: ignore[misc]
    return compile_project(project)


def main(project: Path) -> dict[str, dict[str, float]]:
    compiled = _on_shortest_ways(project)
    assert compiled.stages is not None
    subject = compiled.stages.subject
    assert subject.lengths is subject.shortest
    return {"lengths": lengths(subject.measure), "capacity": capacity(subject), "geometry": geometry(subject)}


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1])), indent=1))
