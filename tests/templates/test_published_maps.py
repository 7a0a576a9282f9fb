"""Shipped layouts against what is published of their designs: every row of a wire map, or the counts of a table."""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path

import pytest

from planner.pipeline import compile_project
from planner.plan import Plan
from tests.generators.test_published import ERA_DPUS, ERA_NICS, ERA_OOB, wire_map

ROOT = Path(__file__).parents[2]
Row = tuple[str, str, str, str]


@cache
def planned(layout: str) -> Plan:
    compiled = compile_project(ROOT / "layouts" / layout)
    assert compiled.plan is not None
    assert set(compiled.plan.links.status.tolist()) == {"resolved"}
    return compiled.plan


def rows_of(plan: Plan) -> list[Row]:
    """a_device, a_port, z_device, z_port of every link."""
    links, names = plan.links, [device.name for device in plan.devices]
    a, z = ([names[device] for device in column.tolist()] for column in (links.a_device, links.z_device))
    return list(zip(a, links.a_port.tolist(), z, links.z_port.tolist(), strict=True))


def counts_of(plan: Plan) -> dict[tuple[str, str], int]:
    """Links by fabric and tier."""
    found: dict[tuple[str, str], int] = {}
    for fabric, tier in zip(plan.links.fabric.tolist(), plan.links.tier.tolist(), strict=True):
        pair = plan.fabrics[fabric].name, tier
        found[pair] = found.get(pair, 0) + 1
    return found


def test_spectrum_x_su_is_the_wire_map_of_enterprise_ra_2_8_9_400() -> None:
    """NVIDIA/enterprise-ras, 2-8-9-400-Wiremap.pdf, commit 6c19a59: 40 node rows, 16 OOB rows, ISLs swp28 to swp35 of the first unit.

    The nodes and OOB switches have longer names in the map; its slots SL32 to SL39 of nodes 3 and 4 are our SL1 to SL8.
    """
    published = {
        (a.replace("node-", "su-01-node-0"), p, z.replace("oob-", "oob-switch-0"), q)
        for a, p, z, q in wire_map(ERA_NICS) | wire_map(ERA_DPUS) | wire_map(ERA_OOB)
    }
    assert len(published) == 40 + 16
    isl = {
        ("core-01", f"swp{cage}s{half}", "core-02", f"swp{cage}s{half}") for cage in range(28, 36) for half in (0, 1)
    }
    rows = rows_of(planned("spectrum-x-su"))
    assert len(rows) == 72
    assert set(rows) == published | isl


def test_roce_800g_su_is_the_connectivity_map_of_opg_256() -> None:
    """opencomputeproject/OCP-OCDAI-training-fabric, opg-256, connectivity-map.csv, commit de057e8: all 512 rows.

    The class of switch calls the map's `E1/17/2` `17/2`, the class of server its `be3-port0` `nic3` and `fe-p1` `front1`.
    """

    def ours(port: str) -> str:
        return re.sub(r"^be(\d)-port0$", r"nic\1", re.sub(r"^fe-p(\d)$", r"front\1", port)).removeprefix("E1/")

    with (ROOT / "tests" / "ocp" / "opg-256-connectivity-map.csv").open(encoding="utf-8", newline="") as file:
        published = [
            (row["a_device"], ours(row["a_interface"]), row["b_device"], ours(row["b_interface"]))
            for row in csv.DictReader(file)
        ]
    assert len(set(published)) == 512
    assert sorted(rows_of(planned("roce-800g-su"))) == sorted(published)


@pytest.mark.parametrize("layout", ["superpod-h100-1su", "superpod-h100-full"])
def test_a_superpod_unit_has_the_published_counts(layout: str) -> None:
    """RA-11333-001 V11, Table 4: 252 ends of compute and UFM, 4 of them UFM's, and 256 links between leaves and spines."""
    counts = counts_of(planned(layout))
    compute = {tier: count for (fabric, tier), count in counts.items() if fabric == "compute"}
    assert compute == {"node-leaf": 31 * 8, "leaf-spine": 8 * 4 * 8, "ufm-leaf": 4}
    if layout == "superpod-h100-full":
        # Table 8: of each node two storage ports, two in-band ports, and a BMC.
        assert counts[("storage", "node-leaf")] == 31 * 2 + 4, "and four stand-ins for appliances, our assumption"
        assert counts[("in-band", "node-leaf")] == 31 * 2
        assert counts[("out-of-band", "management")] >= 31


def test_the_ai_zone_keeps_copper_in_its_racks_and_single_mode_between() -> None:
    """Reference `meta-ai-zone-3072` scaled to 16 racks of 2 servers: as many links up as down; media of Meta's article, 2024-08-05."""
    plan = planned("meta-ai-zone")
    assert counts_of(plan) == {("backend", "node-leaf"): 16 * 16, ("backend", "leaf-spine"): 16 * 16}
    racks = [device.rack for device in plan.devices]
    links = plan.links
    for tier, a, z, medium in zip(
        links.tier.tolist(), links.a_device.tolist(), links.z_device.tolist(), links.medium.tolist(), strict=True
    ):
        assert medium == {"node-leaf": "dac", "leaf-spine": "optic"}[tier]
        assert (racks[a] == racks[z]) == (tier == "node-leaf")
    pairs = [
        (a, z)
        for tier, a, z in zip(links.tier.tolist(), links.a_device.tolist(), links.z_device.tolist(), strict=True)
        if tier == "leaf-spine"
    ]
    assert len(set(pairs)) == 16 * 16, "one link from each rack switch to each of 16 cluster switches"


def test_an_xdr_unit_and_a_hdr_cluster_by_the_arithmetic_of_ports() -> None:
    """72 x 8 links down, and 72 uplinks of each of 8 leaves; 8 racks of 20 hosts, and 20 uplinks of each leaf."""
    assert counts_of(planned("ib-xdr-pod")) == {("compute", "node-leaf"): 576, ("compute", "leaf-spine"): 576}
    assert counts_of(planned("ib-hdr")) == {("compute", "node-leaf"): 160, ("compute", "leaf-spine"): 160}


def test_dragonfly_and_torus_join_what_their_pages_say() -> None:
    """Nine groups of 4: every two groups by one connection of two links. 64 switches of 6 neighbours: 3 x 64 connections."""
    routers = [(a, z) for a, _, z, _ in rows_of(planned("dragonfly-small")) if a.startswith("router")]
    groups = [tuple((int(name.partition("-")[2]) - 1) // 4 for name in pair) for pair in routers]
    between = {frozenset(pair): groups.count(pair) for pair in groups if pair[0] != pair[1]}
    assert len(between) == 9 * 8 // 2
    assert set(between.values()) == {2}
    assert len([pair for pair in groups if pair[0] == pair[1]]) == 9 * (4 * 3 // 2) * 2

    def at(name: str) -> tuple[int, int, int]:
        number = int(name.partition("-")[2]) - 1
        return number // 16, number // 4 % 4, number % 4

    switches = [(at(a), at(z)) for a, _, z, _ in rows_of(planned("torus-64")) if a.startswith("sw")]
    assert len(switches) == 3 * 64 * 2
    assert len(set(switches)) == 3 * 64
    for one, other in switches:
        steps = [(z - a) % 4 for a, z in zip(one, other, strict=True)]
        assert sorted(min(step, 4 - step) for step in steps) == [0, 0, 1]
