"""Every row of random fabrics, written out by loops from the tables of docs/generators: a second reading of the pages."""

from __future__ import annotations

from math import ceil
from typing import Final

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.generators.fabrics import fabric, layout_with
from tests.support.examples import examples

RAIL_PORTS: Final = ("OSFP4P2", "OSFP3P2", "OSFP3P1", "OSFP4P1", "OSFP1P2", "OSFP2P2", "OSFP2P1", "OSFP1P1")
"""The ports of rails 0 to 7 of a DGX H100: its User Guide, Table 6."""

Row = tuple[str, str, str, str, str]


def qm9700(number: int) -> str:
    """Port of a QM9700 as printed, from 1."""
    return f"{(number + 1) // 2}/{2 - number % 2}"


@examples(40)
@given(st.data())
def test_rail_optimized_of_three_tiers(data: st.DataObject) -> None:
    """docs/generators/rail-optimized.md, "Which port goes where": short units, short pods, rails that share leaves or spines."""
    share = data.draw(st.sampled_from((1, 2, 4)))
    size = data.draw(st.integers(1, 32 // share))
    units = data.draw(st.integers(1, 5))
    pod = min(units, data.draw(st.integers(1, 4)))
    nodes = data.draw(st.integers((units - 1) * size + 1, units * size))
    by_rail = data.draw(st.booleans())
    cores_by_rail = by_rail and data.draw(st.booleans())
    w, spines_a_group, cores_a_group = (data.draw(st.sampled_from(of)) for of in ((2, 4), (1, 2, 4), (1, 2, 4)))
    v, a_unit, pods = 2, 8 // share, ceil(units / pod)
    blocks = pods * (a_unit if by_rail else 1)
    spines, cores = blocks * spines_a_group, spines_a_group * (a_unit if cores_by_rail else 1) * cores_a_group
    down, spine_down = 64 - w * spines_a_group, 64 - v * cores_a_group
    assume(size * share <= down)
    assume((pod if by_rail else pod * a_unit) * w <= spine_down)
    assume((pods if cores_by_rail else blocks) * v <= 64)

    rows: set[Row] = set()
    for unit in range(units):
        for n in range(1, min(size, nodes - unit * size) + 1):
            for r in range(8):
                leaf = f"leaf-{unit * a_unit + r // share + 1}"
                rows.add(
                    (f"n-{unit * size + n}", RAIL_PORTS[r], leaf, qm9700((n - 1) * share + r % share + 1), "node-leaf")
                )
        for place in range(a_unit):
            block = unit // pod * a_unit + place if by_rail else unit // pod
            leaf_number = unit % pod + 1 if by_rail else unit % pod * a_unit + place + 1
            for i in range(1, spines_a_group + 1):
                for k in range(1, w + 1):
                    a, z = down + w * (i - 1) + k, w * (leaf_number - 1) + k
                    spine = f"spine-{block * spines_a_group + i}"
                    rows.add((f"leaf-{unit * a_unit + place + 1}", qm9700(a), spine, qm9700(z), "leaf-spine"))
    for block in range(blocks):
        for i in range(spines_a_group):
            group, b = (block % a_unit * spines_a_group + i, block // a_unit) if cores_by_rail else (i, block)
            for j in range(1, cores_a_group + 1):
                for k in range(1, v + 1):
                    a, z = spine_down + v * (j - 1) + k, v * b + k
                    core = f"core-{group * cores_a_group + j}"
                    rows.add((f"spine-{block * spines_a_group + i + 1}", qm9700(a), core, qm9700(z), "spine-core"))

    devices = {
        f"n-[1-{nodes}]": "dgx-h100",
        f"leaf-[1-{units * a_unit}]": "qm9700",
        f"spine-[1-{spines}]": "qm9700",
        f"core-[1-{cores}]": "qm9700",
    }
    named = dict(zip(("nodes", "leaves", "spines", "cores"), devices, strict=True))
    found = fabric(
        layout_with(devices), "ndr", kind="rail-optimized", **named, nodes_per_unit=size, rails_per_leaf=share,
        units_per_pod=pod, spine_group="rail" if by_rail else "pod", core_group="rail" if cores_by_rail else "all",
        uplinks=w * spines_a_group, core_uplinks=v * cores_a_group,
    )  # fmt: skip
    assert len(found.rows) == len(rows)
    assert set(found.rows) == rows


@examples(40)
@given(size=st.integers(1, 5), groups=st.integers(2, 7), spare=st.integers(0, 2), hosts=st.integers(1, 4))
def test_dragonfly_of_the_palm_tree(size: int, groups: int, spare: int, hosts: int) -> None:
    """docs/generators/dragonfly.md, "Which port goes where": connections that no full round needs stay free."""
    reach = ceil((groups - 1) / size) + spare
    local = ceil(hosts / 2) * 2
    outward = local + 2 * (size - 1)
    rows: set[Row] = set()
    for n in range(size * groups * hosts):
        rows.add((f"n-{n + 1}", "P1", f"r-{n // hosts + 1}", qm9700(n % hosts + 1), "node-router"))
    for here in range(groups):
        first = here * size + 1
        for x in range(size):
            for y in range(x + 1, size):
                for k in (1, 2):
                    a, z = qm9700(local + 2 * (y - 1) + k), qm9700(local + 2 * x + k)
                    rows.add((f"r-{first + x}", a, f"r-{first + y}", z, "local"))
        for s in range(size * reach // (groups - 1) * (groups - 1)):
            there = (here + 1 + s % (groups - 1)) % groups
            back = s // (groups - 1) * (groups - 1) + groups - 2 - s % (groups - 1)
            for k in (1, 2) if here < there else ():
                a, z = qm9700(outward + 2 * (s % reach) + k), qm9700(outward + 2 * (back % reach) + k)
                rows.add((f"r-{first + s // reach}", a, f"r-{there * size + 1 + back // reach}", z, "global"))
    nodes, routers = f"n-[1-{size * groups * hosts}]", f"r-[1-{size * groups}]"
    found = fabric(
        layout_with({nodes: "host-2u-connectx-7", routers: "qm9700"}), "ndr", kind="dragonfly", nodes=nodes,
        routers=routers, routers_per_group=size, global_connections=reach,
    )  # fmt: skip
    assert len(found.rows) == len(rows)
    assert set(found.rows) == rows
