"""A synthetic three-tier cluster in a real room, as a project of files: rail-optimised, 8 NICs a node, NDR.

A scalable unit is 32 nodes in 8 racks, and between them a rack of their 8 leaves and one of 8 spines; cores stand in rows
of their own. Every leaf has 32 links down and 32 up, every spine likewise, and links go up in pairs that
fill twin-port cages. Units share spines in eights, rail by rail; spines share cores in blocks of 32 from all over.

Devices and racks are YAML, links CSV. Rows stand back to back over 2.7 m, each under a tray of its own, with cross
trays every ten racks. Use: python benchmarks/synthetic.py UNITS FOLDER
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

NODES, RAILS, UPLINKS = 32, 8, 32
UNITS = {"1k": 4, "24k": 96, "100k": 391}
"""Scalable units by the name of the size, which counts GPUs: 128, 3,072 and 12,512 nodes."""

# The port of each rail, from the catalog's table of the DGX H100.
RAIL_PORT = ("OSFP4P2", "OSFP3P2", "OSFP3P1", "OSFP4P1", "OSFP1P2", "OSFP2P2", "OSFP2P1", "OSFP1P1")
SWITCH_UNITS = (28, 30, 32, 34, 36, 38, 40, 42)
RACKS_A_UNIT = 10
PITCH_MM, WIDTH_MM, DEPTH_MM = 2700, 600, 1200
CROSS_EVERY = 10
SINGLE_MODE_M = (3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300)


@dataclass(frozen=True)
class Place:
    rack: str
    u: int


@dataclass(frozen=True)
class Cluster:
    """Names and places of the devices of `units` scalable units.

    crossed: the two uplinks of a cage lead to two switches, so that near and far links share cages and their choices clash.
    """

    units: int
    crossed: bool = False

    @property
    def units_a_row(self) -> int:
        return max(2, round((self.units / 3.3) ** 0.5))

    @property
    def unit_rows(self) -> int:
        return -(-self.units // self.units_a_row)

    @property
    def core_count(self) -> int:
        return 4 * self.units

    @property
    def core_racks(self) -> int:
        return -(-self.core_count // 8)

    @property
    def core_rows(self) -> int:
        return -(-self.core_racks // (self.units_a_row * RACKS_A_UNIT))

    @property
    def rows(self) -> int:
        return self.unit_rows + self.core_rows

    def row_racks(self, row: int) -> int:
        """Racks in a row; the rows of cores stand in the middle of the room."""
        wide = self.units_a_row * RACKS_A_UNIT
        if self._is_core(row):
            before = (row - self._first_core) * wide
            return min(wide, self.core_racks - before)
        return min(wide, RACKS_A_UNIT * (self.units - self.units_a_row * self._unit_row(row)))

    @property
    def _first_core(self) -> int:
        return self.unit_rows // 2

    def _is_core(self, row: int) -> bool:
        return self._first_core <= row < self._first_core + self.core_rows

    def _unit_row(self, row: int) -> int:
        return row if row < self._first_core else row - self.core_rows

    def rack(self, unit: int, place: int) -> str:
        row, column = divmod(unit, self.units_a_row)
        row = row if row < self._first_core else row + self.core_rows
        return f"R{row:03d}-{column * RACKS_A_UNIT + place + 1:03d}"

    def node(self, unit: int, node: int) -> str:
        return f"node-{unit * NODES + node + 1:05d}"

    def node_place(self, unit: int, node: int) -> Place:
        rack = node // 4
        return Place(self.rack(unit, rack if rack < 4 else rack + 2), (3, 13, 23, 33)[node % 4])

    def leaf_place(self, unit: int, leaf: int) -> Place:
        return Place(self.rack(unit, 4), SWITCH_UNITS[leaf])

    def spine_place(self, unit: int, spine: int) -> Place:
        return Place(self.rack(unit, 5), SWITCH_UNITS[spine])

    def core_place(self, core: int) -> Place:
        rack = core // 8
        row, column = divmod(rack, self.units_a_row * RACKS_A_UNIT)
        return Place(f"R{self._first_core + row:03d}-{column + 1:03d}", SWITCH_UNITS[core % 8])


def port(number: int) -> str:
    """Port from 0 of a QM9700 as printed: cage/half."""
    return f"{number // 2 + 1}/{number % 2 + 1}"


def links(cluster: Cluster) -> Iterator[tuple[str, str, str, str, str]]:
    """a_device, a_port, z_device, z_port, tier."""
    for unit in range(cluster.units):
        for node in range(NODES):
            for rail, nic in enumerate(RAIL_PORT):
                yield cluster.node(unit, node), nic, _leaf(unit, rail), port(node), "node-leaf"
    yield from _leaf_spine(cluster)
    yield from _spine_core(cluster)


def _leaf(unit: int, rail: int) -> str:
    return f"leaf-{unit * RAILS + rail + 1:04d}"


def _spine(number: int) -> str:
    return f"spine-{number + 1:04d}"


def _leaf_spine(cluster: Cluster) -> Iterator[tuple[str, str, str, str, str]]:
    """Up to eight units are a pod; its leaves of one rail meet as many spines, one of each of its units' spine racks."""
    for first in range(0, cluster.units, 8):
        pod = range(first, min(first + 8, cluster.units))
        for rail in range(RAILS):
            leaves = [_leaf(unit, rail) for unit in pod]
            spines = [_spine(unit * RAILS + rail) for unit in pod]
            yield from _in_pairs(leaves, spines, "leaf-spine", crossed=cluster.crossed)


def _spine_core(cluster: Cluster) -> Iterator[tuple[str, str, str, str, str]]:
    count = cluster.units * RAILS
    blocks = -(-count // 32)
    order = sorted(range(count), key=lambda n: (n % blocks, n))
    core = 0
    for first in range(0, count, 32):
        spines = [_spine(n) for n in order[first : first + 32]]
        cores = [f"core-{core + n + 1:04d}" for n in range(len(spines) // 2)]
        core += len(cores)
        yield from _in_pairs(spines, cores, "spine-core", crossed=cluster.crossed)


def _in_pairs(
    lower: list[str], upper: list[str], tier: str, *, crossed: bool
) -> Iterator[tuple[str, str, str, str, str]]:
    """Uplinks two by two, spread evenly; down ports of the upper tier in order of arrival.

    crossed: the second of each two goes where the next two go, so that all cages of a switch hang together in a ring.
    """
    taken = dict.fromkeys(upper, 0)
    for i, a in enumerate(lower):
        cages = []
        for pair in range(UPLINKS // 2):
            z = upper[(pair + i) % len(upper)]
            cages.append((z, taken[z]))
            taken[z] += 2
        for pair in range(UPLINKS // 2):
            for half in range(2):
                z, first = cages[(pair + half * crossed) % len(cages)]
                yield a, port(UPLINKS + 2 * pair + half), z, port(first + half), tier


def write(cluster: Cluster, folder: Path) -> None:
    """The project's files: project.yaml, racks.yaml, devices.yaml, links.csv, and a cord of our own in long lengths."""
    folder.mkdir(parents=True, exist_ok=True)
    wide = cluster.units_a_row * RACKS_A_UNIT * WIDTH_MM / 1000
    deep = cluster.rows * PITCH_MM / 1000
    room = (wide + 4, deep + 4)
    lines = [
        "format: planner/1", "name: synthetic", 'revision: "A"', "include: [racks.yaml, devices.yaml]",
        "room:", f"  outline_m: [[0, 0], [{room[0]:.3f}, 0], [{room[0]:.3f}, {room[1]:.3f}], [0, {room[1]:.3f}]]",
        "  ceiling_m: 3.6", "catalogs: [parts]", "fabrics:",
        "  - {name: compute, protocol: infiniband, rate: ndr, links: {from: links.csv}}",
        "policy: {media: {order: [dac, acc, aec, aoc, optic]}}",
    ]  # fmt: skip
    (folder / "project.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "racks.yaml").write_text("\n".join(_racks(cluster)) + "\n", encoding="utf-8")
    (folder / "devices.yaml").write_text("\n".join(_devices(cluster)) + "\n", encoding="utf-8")
    with (folder / "links.csv").open("w", encoding="utf-8") as out:
        out.write("a_device,a_port,z_device,z_port,tier\n")
        out.writelines(",".join(link) + "\n" for link in links(cluster))
    parts = folder / "parts" / "fibre"
    parts.mkdir(parents=True, exist_ok=True)
    (parts / "bench-os2.yaml").write_text(_long_cord(), encoding="utf-8")


def _racks(cluster: Cluster) -> Iterator[str]:
    yield "racks:"
    for row in range(cluster.rows):
        names = f"R{row:03d}-[001-{cluster.row_racks(row):03d}]"
        south = 2 + row * PITCH_MM / 1000
        yield f"- {{row: R{row:03d}, names: '{names}', type: rack-48u-600x1200, at_m: [2, {south:.3f}], along: east, front: south}}"
    yield "pathways:"
    # Over the managers, which stand 1050 mm deep.
    first, last = 3.05, 3.05 + (cluster.rows - 1) * PITCH_MM / 1000
    wide = cluster.units_a_row * RACKS_A_UNIT
    east = 2 + wide * WIDTH_MM / 1000
    for row in range(cluster.rows):
        y = first + row * PITCH_MM / 1000
        yield f"- {{name: row-{row:03d}, type: basket-600x100, path_m: [[2, {y:.3f}], [{east:.3f}, {y:.3f}]], height_m: 2.6}}"
    for number, rack in enumerate(range(0, wide + 1, CROSS_EVERY)):
        x = 2 + rack * WIDTH_MM / 1000
        yield f"- {{name: cross-{number:02d}, type: basket-600x100, path_m: [[{x:.3f}, {first:.3f}], [{x:.3f}, {last:.3f}]], height_m: 2.6}}"


def _devices(cluster: Cluster) -> Iterator[str]:
    yield "devices:"
    switches = "[" + ", ".join(map(str, SWITCH_UNITS)) + "]"
    for unit in range(cluster.units):
        for rack in range(0, NODES, 4):
            names = f"node-[{unit * NODES + rack + 1:05d}-{unit * NODES + rack + 4:05d}]"
            yield f"- {{names: '{names}', model: dgx-h100, rack: {cluster.node_place(unit, rack).rack}, u: [3, 13, 23, 33]}}"
        low, high = unit * RAILS + 1, unit * RAILS + RAILS
        for kind, place in (("leaf", cluster.leaf_place(unit, 0)), ("spine", cluster.spine_place(unit, 0))):
            yield f"- {{names: '{kind}-[{low:04d}-{high:04d}]', model: qm9700, rack: {place.rack}, u: {switches}, mount: rear}}"
    for first in range(1, cluster.core_count + 1, 8):
        names = f"core-[{first:04d}-{min(first + 7, cluster.core_count):04d}]"
        yield f"- {{names: '{names}', model: qm9700, rack: {cluster.core_place(first - 1).rack}, u: {switches}, mount: rear}}"


def _long_cord() -> str:
    members = "".join(f"  - {{part: BENCH-OS2-{m:03d}, length_m: {m}}}\n" for m in SINGLE_MODE_M)
    return (
        "id: bench-os2\nkind: cord\nmanufacturer: none\ndescription: a single-mode cord in long lengths, for benchmarks only\n"
        "sources: {ours: not a product}\nlifecycle: {value: active, source: ours, evidence: secondary}\n"
        f"members:\n{members}fibre: os2\n"
        "a: {connector: mpo-12, gender: female, polish: apc}\nz: {connector: mpo-12, gender: female, polish: apc}\n"
        "polarity: B\npopulated: [1, 2, 3, 4, 9, 10, 11, 12]\n"
        "reach_m: {value: 500, source: ours, evidence: secondary}\nlength_of: {value: null, source: ours}\n"
        "tolerance_mm: {value: null, source: ours}\nstandoff_mm: {value: 80, source: ours}\n"
        "outer_diameter_mm: {value: 3.0, source: ours, evidence: secondary}\nkg_per_m: {value: 0.009, source: ours, evidence: secondary}\n"
        "bend_radius_mm: {value: null, source: ours}\nmated_pair_db: {value: 0.35, source: ours, evidence: secondary}\n"
        "attenuation_db_per_km: {value: 0.4, source: ours, evidence: secondary}\njacket_colour: {value: yellow, source: ours, evidence: secondary}\n"
    )


if __name__ == "__main__":
    write(Cluster(int(sys.argv[1])), Path(sys.argv[2]))
