"""A 256-GPU unit of RoCEv2 at 400G and 800G: the open cluster design OPG-256 of OCP, row for row of its map."""

from __future__ import annotations

from typing import Final

from planner.templates.hall import Trays, row_tray_lines
from planner.templates.model import Template
from planner.templates.page import Page, in_racks
from planner.templates.units import UnitHall

SWITCH: Final = "generic-64x800g-osfp"


def text() -> str:
    place = UnitHall(units=1, compute_racks=16, own_racks=2)
    leaves, spines = place.own(0)
    return Page(
        name="roce-800g-su",
        header=[
            "A unit of 32 servers with 8 GPUs (256 GPUs) on RoCEv2: a rail-optimised back end of 400G with two rails a leaf and",
            "800G between the switches, and a front end of 200G.",
            "Published (Open Compute Project, OCP-OCDAI-training-fabric, OPG-256, connectivity-map.csv, commit de057e8,",
            "CC0-1.0): names, ports and all 512 links. Switch and server models are classes of parts; the ports' names are those",
            "of the class, `17/2` for the map's `E1/17/2`. The room, racks, trays and places are assumptions, marked so.",
        ],
        hall=place.hall,
        pathways=[
            "  # Assumption: a basket for fibre over the rear managers of the row, and one for copper beside it.",
            *row_tray_lines(place.hall, Trays("fibre", "basket-300x100", "fibre")),
            *row_tray_lines(place.hall, Trays("copper", "basket-300x100", "copper", place=1)),
        ],
        devices=[
            "  # Published: 16 racks with two servers each; the map leaves the switches' racks to the site.",
            in_racks("compute-[001-032]", "generic-8-gpu-host-qsfp112", place.compute(0), (3, 23)),
            "  # Assumption: switches with their ports at the rack's rear, where the servers have theirs.",
            in_racks("be-rail-leaf-[01-04]", SWITCH, [leaves], (16, 20, 24, 28), "rear"),
            in_racks("fe-leaf-[01-02]", SWITCH, [leaves], (34, 38), "rear"),
            in_racks("be-spine-[01-02]", SWITCH, [spines], (20, 24), "rear"),
            in_racks("fe-spine-01", SWITCH, [spines], (34,), "rear"),
        ],
        fabrics=[
            "  # Server N, NIC i: leaf i div 2 + 1, cage N, half i mod 2 + 1.",
            "  - name: backend",
            "    protocol: ethernet",
            "    rate: 400g",
            "    generate:",
            "      kind: rail-only",
            '      nodes: "compute-[001-032]"',
            '      leaves: "be-rail-leaf-[01-04]"',
            "      rails_per_leaf: 2",
            '      leaf_cages: "[1-32]"',
            "  # Cages 33 to 48 of every leaf to the first spine, 49 to 64 to the second.",
            "  - name: backend-spine",
            "    protocol: ethernet",
            "    rate: 800g",
            "    generate:",
            "      kind: fat-tree",
            '      leaves: "be-rail-leaf-[01-04]"',
            '      leaf_cages: "[33-64]"',
            '      spines: "be-spine-[01-02]"',
            "  # Four servers share an odd cage of each leaf.",
            "  - name: frontend",
            "    protocol: ethernet",
            "    rate: 200g",
            "    generate:",
            "      kind: fat-tree",
            '      nodes: "compute-[001-032]"',
            '      ports: "front[0-1]"',
            '      leaves: "fe-leaf-[01-02]"',
            f'      leaf_cages: "[{",".join(map(str, range(1, 64, 2)))}]"',
            "      spread: 2",
            "  # The even cages go up.",
            "  - name: frontend-spine",
            "    protocol: ethernet",
            "    rate: 800g",
            "    generate:",
            "      kind: fat-tree",
            '      leaves: "fe-leaf-[01-02]"',
            f'      leaf_cages: "[{",".join(map(str, range(2, 65, 2)))}]"',
            "      spines: fe-spine-01",
        ],
        policy=[
            "  # The map's bill names placeholders for its optics, so the media are ours.",
            "  media: {order: [dac, acc, aec, optic]}",
            "  vendors: {allow: [generic]}     # classes of parts; a vendor's parts implement them",
        ],
    ).text()


TEMPLATE: Final = Template(
    "roce-800g-su", "RoCEv2 at 400G and 800G: OCP's OPG-256, 32 servers, 256 GPUs, front and back end", {}, text
)
