"""Published designs: their counts, their checks, and every row of the wire maps that somebody has printed.

Facts are of the sources named at each design; what is worked out from them says so.
"""

from __future__ import annotations

from typing import Final

import pytest

from planner.generators.radix import ThreeTiers, spines_for, three_tiers
from tests.generators.fabrics import Fabric, fabric, layout_with, made

# NVIDIA DGX SuperPOD reference architecture, DGX H100, RA-11333-001 V11, Table 4. One node fewer than the units hold, for
# UFM; Table 4 counts compute and UFM ends together, 4 of them UFM's. Three and four units by the same arithmetic.
SUPERPODS: Final = {
    1: (31, 8, 4, 252, 256),
    2: (63, 16, 8, 508, 512),
    3: (95, 24, 16, 764, 768),
    4: (127, 32, 16, 1020, 1024),
}


@pytest.mark.parametrize(("units", "figures"), SUPERPODS.items())
def test_superpod_h100(units: int, figures: tuple[int, int, int, int, int]) -> None:
    nodes, leaves, spines, below, above = figures
    assert spines_for(leaves, uplinks=32, spine_ports=64, ports_a_cage=2) == spines
    pod = fabric(
        layout_with({f"dgx-[001-{nodes:03d}]": "dgx-h100", f"leaf-[1-{leaves}]": "qm9700", f"spine-[1-{spines}]": "qm9700",
                     "ufm-[1-2]": "ufm-appliance"}),
        "ndr", kind="rail-optimized", nodes=f"dgx-[001-{nodes:03d}]", leaves=f"leaf-[1-{leaves}]",
        spines=f"spine-[1-{spines}]", ufm="ufm-[1-2]",
    )  # fmt: skip
    counts = pod.counts()
    assert counts == {"node-leaf": nodes * 8, "leaf-spine": above, "ufm-leaf": 4}
    assert counts["node-leaf"] + counts["ufm-leaf"] == below
    assert pod.between("leaf", "spine") == {32 // spines}
    assert pod.degrees("spine") == {leaves * 32 // spines}
    if units != 3:
        assert pod.degrees("spine") == {64}, "all ports of the spines are used, but in a pod of three units"


# Units of 32 nodes with 8 leaves, switches of 64 ports in cages of two: 16 units are the most of a pod (2 links a pair x 16
# = 32 ports of a spine). By hand for 64: 4 pods, 32 groups of 16 spines, each core takes 2 links from each of 32 spines.
LARGE: Final = {
    5: ThreeTiers(5, 8 * 8, 8 * 4),
    16: ThreeTiers(16, 8 * 16, 16 * 4),
    17: ThreeTiers(9, 16 * 16, 16 * 8),
    64: ThreeTiers(16, 32 * 16, 16 * 16),
    96: ThreeTiers(16, 48 * 16, 16 * 32),
    # More than 8 pods of 16 have over 64 spines of one number. Pods of 26, one link a pair: 5 pods, 40 groups of 32 spines.
    129: ThreeTiers(26, 40 * 32, 32 * 32),
}


@pytest.mark.parametrize(("units", "sizes"), LARGE.items())
def test_more_than_four_units_take_cores(units: int, sizes: ThreeTiers) -> None:
    assert three_tiers(units, rails=8, ports=64, ports_a_cage=2) == sizes
    nodes, leaves = units * 32, units * 8
    found = fabric(
        layout_with({f"n-[1-{nodes}]": "dgx-h100", f"leaf-[1-{leaves}]": "qm9700", f"spine-[1-{sizes.spines}]": "qm9700",
                     f"core-[1-{sizes.cores}]": "qm9700"}),
        "ndr", kind="rail-optimized", nodes=f"n-[1-{nodes}]", leaves=f"leaf-[1-{leaves}]", spines=f"spine-[1-{sizes.spines}]",
        cores=f"core-[1-{sizes.cores}]", units_per_pod=sizes.units_per_pod,
    )  # fmt: skip
    assert found.counts() == {"node-leaf": nodes * 8, "leaf-spine": leaves * 32, "spine-core": sizes.spines * 32}
    used = found.ports_used()
    assert len(set(used)) == len(used)


def test_three_tiers_end_where_the_ports_do() -> None:
    """65,536 GPUs are the most of a full fat tree of three tiers of 64 ports, and use all of them; rails apart go on."""
    assert 64**3 // 4 == 65_536 == 256 * 32 * 8
    assert three_tiers(256, rails=8, ports=64, ports_a_cage=2) == ThreeTiers(32, 65_536 // 32, 65_536 // 64)
    assert three_tiers(257, rails=8, ports=64, ports_a_cage=2) is None
    assert three_tiers(391, rails=8, ports=64, ports_a_cage=2, by_rail=True) == ThreeTiers(16, 25 * 8 * 16, 8 * 16 * 16)


def test_superpod_h100_by_rule() -> None:
    """Leaf ports 1-32 face nodes and the nodes of the first rack take 1-4 (SHKE); rail r of a unit on its leaf r+1."""
    pod = fabric(
        layout_with({"dgx-[001-063]": "dgx-h100", "leaf-[1-16]": "qm9700", "spine-[1-8]": "qm9700"}),
        "ndr", kind="rail-optimized", nodes="dgx-[001-063]", leaves="leaf-[1-16]", spines="spine-[1-8]",
    )  # fmt: skip
    # GPU index by port: DGX H100 User Guide, Table 6.
    gpu = {
        "OSFP1P1": 7,
        "OSFP1P2": 4,
        "OSFP2P1": 6,
        "OSFP2P2": 5,
        "OSFP3P1": 2,
        "OSFP3P2": 1,
        "OSFP4P1": 3,
        "OSFP4P2": 0,
    }
    for a, p, z, q, tier in pod.rows:
        if tier == "node-leaf":
            unit, place = divmod(int(a[4:]) - 1, 32)
            assert z == f"leaf-{unit * 8 + gpu[p] + 1}"
            assert q == f"{place // 2 + 1}/{place % 2 + 1}"


ERA_NICS: Final = """
1 SL1 core-01 swp4s0; 1 SL2 core-02 swp4s0; 1 SL3 core-01 swp4s1; 1 SL4 core-02 swp4s1
1 SL5 core-01 swp5s0; 1 SL6 core-02 swp5s0; 1 SL7 core-01 swp5s1; 1 SL8 core-02 swp5s1
2 SL1 core-01 swp6s0; 2 SL2 core-02 swp6s0; 2 SL3 core-01 swp6s1; 2 SL4 core-02 swp6s1
2 SL5 core-01 swp7s0; 2 SL6 core-02 swp7s0; 2 SL7 core-01 swp7s1; 2 SL8 core-02 swp7s1
3 SL1 core-01 swp8s0; 3 SL2 core-02 swp8s0; 3 SL3 core-01 swp8s1; 3 SL4 core-02 swp8s1
3 SL5 core-01 swp9s0; 3 SL6 core-02 swp9s0; 3 SL7 core-01 swp9s1; 3 SL8 core-02 swp9s1
4 SL1 core-01 swp10s0; 4 SL2 core-02 swp10s0; 4 SL3 core-01 swp10s1; 4 SL4 core-02 swp10s1
4 SL5 core-01 swp11s0; 4 SL6 core-02 swp11s0; 4 SL7 core-01 swp11s1; 4 SL8 core-02 swp11s1
"""
"""The SuperNICs in the order of their slots; nodes 3 and 4 of the map count them SL32 to SL39."""
ERA_DPUS: Final = """
1 P1 core-01 swp1s0; 1 P2 core-02 swp1s0; 2 P1 core-01 swp1s1; 2 P2 core-02 swp1s1
3 P1 core-01 swp1s2; 3 P2 core-02 swp1s2; 4 P1 core-01 swp1s3; 4 P2 core-02 swp1s3
"""
ERA_OOB: Final = """
1 NIC-P1 oob-1 swp1; 1 NIC-P2 oob-2 swp1; 1 DPU-BMC oob-3 swp1; 1 BMC oob-1 swp2
2 NIC-P1 oob-2 swp2; 2 NIC-P2 oob-3 swp2; 2 DPU-BMC oob-1 swp3; 2 BMC oob-2 swp3
3 NIC-P1 oob-3 swp3; 3 NIC-P2 oob-1 swp4; 3 DPU-BMC oob-2 swp4; 3 BMC oob-3 swp4
4 NIC-P1 oob-1 swp5; 4 NIC-P2 oob-2 swp5; 4 DPU-BMC oob-3 swp5; 4 BMC oob-1 swp6
"""


def wire_map(text: str) -> set[tuple[str, str, str, str]]:
    cells = (row.split() for row in text.replace("\n", ";").split(";") if row.strip())
    return {(f"node-{node}", port, switch, there) for node, port, switch, there in cells}


def rows_of(found: Fabric, tier: str) -> set[tuple[str, str, str, str]]:
    rows = [row[:4] for row in found.rows if row[4] == tier]
    assert len(set(rows)) == len(rows)
    return set(rows)


def test_enterprise_ra_2_8_9_400_row_for_row() -> None:
    """NVIDIA/enterprise-ras, 2-8-9-400-Wiremap.pdf, commit 6c19a59: 40 node rows, 16 inter-switch links, 16 OOB rows."""
    layout = layout_with({"node-[1-4]": "era-node", "core-[01-02]": "sn5600", "oob-[1-3]": "sn2201"})
    nics = fabric(
        layout, "400g", kind="two-switch-core", nodes="node-[1-4]", cores="core-[01-02]", rails="SL[1-8]",
        node_cages="[4-27]", peer_cages="[28-35]",
    )  # fmt: skip
    assert rows_of(nics, "node-core") == wire_map(ERA_NICS)
    isl = {("core-01", f"swp{x}s{y}", "core-02", f"swp{x}s{y}") for x in range(28, 36) for y in (0, 1)}
    assert rows_of(nics, "core-core") == isl
    dpus = fabric(
        layout,
        "200g",
        kind="two-switch-core",
        nodes="node-[1-4]",
        cores="core-[01-02]",
        rails="P[1-2]",
        node_cages="[1-3]",
    )
    assert rows_of(dpus, "node-core") == wire_map(ERA_DPUS)
    oob = fabric(
        layout, "1g", kind="management", switches="oob-[1-3]",
        ends=[{"devices": "node-[1-4]", "ports": ["NIC-P[1-2]", "DPU-BMC", "BMC"]}],
    )  # fmt: skip
    assert rows_of(oob, "management") == wire_map(ERA_OOB)


def test_ocp_opg_256() -> None:
    """OCP-OCDAI-training-fabric, opg-256, commit de057e8: 512 rows in four fabrics, by the formulas read off the map."""
    layout = layout_with({
        "compute-[001-032]": "ocp-server", "be-leaf-[1-4]": "celestica-ds5000", "be-spine-[1-2]": "celestica-ds5000",
        "fe-leaf-[1-2]": "celestica-ds5000", "fe-spine-1": "celestica-ds5000",
    })  # fmt: skip
    back = fabric(
        layout,
        "400g",
        kind="rail-only",
        nodes="compute-[001-032]",
        leaves="be-leaf-[1-4]",
        rails_per_leaf=2,
        leaf_cages="[1-32]",
    )
    assert rows_of(back, "node-leaf") == {
        (f"compute-{n:03d}", f"be{i}-port0", f"be-leaf-{i // 2 + 1}", f"E1/{n}/{i % 2 + 1}")
        for n in range(1, 33) for i in range(8)
    }  # fmt: skip
    up = fabric(layout, "800g", kind="fat-tree", leaves="be-leaf-[1-4]", leaf_cages="[33-64]", spines="be-spine-[1-2]")
    assert rows_of(up, "leaf-spine") == {
        (f"be-leaf-{leaf}", f"E1/{33 + u}", f"be-spine-{u // 16 + 1}", f"E1/{16 * (leaf - 1) + u % 16 + 1}")
        for leaf in range(1, 5) for u in range(32)
    }  # fmt: skip
    odd, even = "[1,3,5,7,9,11,13,15]", f"[{','.join(str(n) for n in range(2, 65, 2))}]"
    front = fabric(
        layout,
        "200g",
        kind="rail-only",
        nodes="compute-[001-032]",
        leaves="fe-leaf-[1-2]",
        rails="fe-p[0-1]",
        leaf_cages=odd,
    )
    assert rows_of(front, "node-leaf") == {
        (f"compute-{n:03d}", f"fe-p{p}", f"fe-leaf-{p + 1}", f"E1/{2 * ((n - 1) // 4) + 1}/{(n - 1) % 4 + 1}")
        for n in range(1, 33) for p in range(2)
    }  # fmt: skip
    over = fabric(layout, "800g", kind="fat-tree", leaves="fe-leaf-[1-2]", leaf_cages=even, spines="fe-spine-1")
    assert rows_of(over, "leaf-spine") == {
        (f"fe-leaf-{leaf}", f"E1/{2 * u}", "fe-spine-1", f"E1/{32 * (leaf - 1) + u}")
        for leaf in (1, 2)
        for u in range(1, 33)
    }
    assert [len(f.rows) for f in (back, up, front, over)] == [256, 128, 64, 64]


@pytest.mark.parametrize(("servers", "leaves", "rails_per_leaf"), [(8, 1, 8), (16, 2, 4)])
def test_smaller_ocp_designs(servers: int, leaves: int, rails_per_leaf: int) -> None:
    """opg-64 and opg-128 of the same source: server 2 begins at leaf cage 5 and 3, all NICs of a leaf together."""
    layout = layout_with({f"compute-[001-{servers:03d}]": "ocp-server", f"be-leaf-[1-{leaves}]": "celestica-ds5000"})
    back = fabric(
        layout, "400g", kind="rail-only", nodes=f"compute-[001-{servers:03d}]", leaves=f"be-leaf-[1-{leaves}]",
        rails_per_leaf=rails_per_leaf, leaf_cages="[1-32]",
    )  # fmt: skip
    assert len(back.rows) == servers * 8
    assert ("compute-001", "be2-port0", "be-leaf-1", "E1/2/1", "node-leaf") in back.rows
    assert ("compute-002", "be0-port0", "be-leaf-1", f"E1/{rails_per_leaf // 2 + 1}/1", "node-leaf") in back.rows


def test_spectrum_x_su_of_256() -> None:
    """Counts derived: 32 x 8 / 4 = 64 node ports a leaf, 4 x 32 uplink cages on 2 spines, 32 links a pair."""
    su = fabric(
        layout_with({"node-[01-32]": "generic-8-gpu-host-qsfp112", "leaf-[1-4]": "sn5600", "spine-[1-2]": "sn5600"}),
        "400g", kind="rail-optimized", nodes="node-[01-32]", leaves="leaf-[1-4]", spines="spine-[1-2]", rails_per_leaf=2,
    )  # fmt: skip
    assert su.counts() == {"node-leaf": 256, "leaf-spine": 256}
    assert su.between("leaf", "spine") == {32}
    assert su.degrees("leaf") == {128}
    assert su.degrees("spine") == {128}


def test_meta_like_zone_of_3072() -> None:
    """192 racks of 2 servers of 8 GPUs; 16 uplinks a rack switch, one to each of 16 cluster switches (a third party's reading)."""
    zone = fabric(
        layout_with({"node-[001-384]": "generic-8-gpu-host-qsfp112", "rtsw-[001-192]": "generic-64x400g-qsfp-dd",
                     "ctsw-[01-16]": "dcs-7808-36d"}, a_rack=2),
        "400g", kind="leaf-spine", nodes="node-[001-384]", leaves="rtsw-[001-192]", spines="ctsw-[01-16]",
        tiers=["nic-rtsw", "rtsw-ctsw"],
    )  # fmt: skip
    assert zone.counts() == {"nic-rtsw": 192 * 2 * 8, "rtsw-ctsw": 192 * 16}
    assert zone.between("rtsw", "ctsw") == {1}
    assert zone.degrees("ctsw") == {192}
    racks = {device.name: device.rack for device in zone.layout.devices}
    assert all(racks[a] == racks[z] for a, _, z, _, tier in zone.rows if tier == "nic-rtsw")


def test_the_issue_s_refusal() -> None:
    """33 nodes x 8 rails need 264 leaf ports; 8 leaves have 256."""
    layout = layout_with({"dgx-[01-33]": "dgx-h100", "leaf-[1-8]": "qm9700", "spine-[1-4]": "qm9700"})
    found, faults = made(
        layout, "ndr", kind="rail-optimized", nodes="dgx-[01-33]", leaves="leaf-[1-8]", spines="spine-[1-4]"
    )
    assert found is None
    assert "33 nodes x 8 rails need 264 leaf ports" in faults[0].message
    assert faults[0].message.endswith("8 leaves have 256")


def test_a_split_takes_its_vendor_s_names() -> None:
    """QM9700 with 64 NDR ports, or 128 of NDR200 once its cages are split in four."""
    layout = layout_with({"n-[1-128]": "host-2u-connectx-7", "leaf-1": "qm9700"})
    split = fabric(layout, "ndr200", kind="fat-tree", nodes="n-[1-128]", leaves="leaf-1", leaf_split=4)
    assert [row[3] for row in split.rows[:5]] == ["1/1/1", "1/1/2", "1/2/1", "1/2/2", "2/1/1"]
    assert split.rows[-1][3] == "32/2/2"
    assert split.split_cages() == []
    whole = fabric(layout, "ndr200", kind="fat-tree", nodes="n-[1-64]", leaves="leaf-1")
    assert [row[3] for row in whole.rows[:3]] == ["1/1", "1/2", "2/1"]


def test_one_of_two_switches_in_a_chassis() -> None:
    """Q3200-RA: two switches of 36 XDR ports each; the cages of one of them make a leaf."""
    layout = layout_with({"n-[1-36]": "dgx-b300", "leaf-[1-8]": "q3200-ra"})
    found = fabric(
        layout,
        "xdr",
        kind="rail-only",
        nodes="n-[1-36]",
        rails="OSFP[1-8]",
        leaves="leaf-[1-8]",
        leaf_cages="b-sw[1-18]",
    )
    assert found.degrees("leaf") == {36}
    assert {q.partition("-")[0] for _, _, _, q, _ in found.rows} == {"b"}
