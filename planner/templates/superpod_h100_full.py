"""One unit of a DGX SuperPOD H100 with all four of its networks: compute, storage, in-band and out-of-band."""

from __future__ import annotations

from typing import Final

from planner.templates.hall import Trays, row_tray_lines
from planner.templates.model import Template
from planner.templates.page import Page, in_racks
from planner.templates.rail_pod import Pod
from planner.templates.superpod_h100 import DESIGN
from planner.templates.units import UnitHall

NODES: Final = "dgx-[001-031]"


def text() -> str:
    place = UnitHall(units=1, compute_racks=8, own_racks=2)
    compute, beside = place.own(0)
    slots = DESIGN.switch_slots
    return Page(
        name="superpod-h100-full",
        header=[
            "DGX SuperPOD H100, one scalable unit of 31 DGX H100 (248 GPUs) with its four networks.",
            "Published (NVIDIA RA-11333-001 V11): the compute network; of each node two 400G ports for storage, two 200G ports",
            "in band over AOC, and a BMC port of 1G. The switches and links above the nodes' ports of the other three",
            "networks, storage appliances, the room, racks, trays and places are assumptions, marked so.",
        ],
        hall=place.hall,
        rack_comments=[f"{compute} has the switches of the compute network, {beside} those of the others."],
        pathways=[
            "  # Assumption: a basket for fibre over the rear managers of the row, and one for copper beside it.",
            *row_tray_lines(place.hall, Trays("fibre", "basket-300x100", "fibre")),
            *row_tray_lines(place.hall, Trays("copper", "basket-300x100", "copper", place=1)),
        ],
        devices=[
            "  # The last place stays free: one node is left out so that UFM can be attached (published).",
            in_racks(NODES, "dgx-h100", place.compute(0), DESIGN.slots[4]),
            "  # Assumption: switches with their ports at the rack's rear, where the nodes have theirs.",
            in_racks("leaf-[1-8]", "qm9700", [compute], slots, "rear"),
            in_racks("spine-[1-4]", "qm9700", [compute], DESIGN.spine_slots, "rear"),
            in_racks("ufm-[1-2]", "ufm-appliance", [compute], (10, 12)),
            "  # Assumption: two leaves for storage, so that a node keeps it when one is down, and four stand-ins for appliances.",
            in_racks("storage-leaf-[1-2]", "qm9700", [beside], (38, 40), "rear"),
            in_racks("storage-[1-4]", "host-2u-connectx-7", [beside], (3, 5, 7, 9)),
            "  # Assumption: the published SN4600C has cages of 100G; the published AOC of 200G need those of this switch.",
            in_racks("inband-[1-2]", "sn4700", [beside], (30, 33), "rear"),
            in_racks("oob-[1-2]", "sn2201", [beside], (24, 26), "rear"),
        ],
        fabrics=[
            "  - name: compute",
            "    protocol: infiniband",
            "    rate: ndr",
            "    generate:",
            *Pod(DESIGN, 1, 4).generate_lines(),
            '      ufm: "ufm-[1-2]"',
            "  # The first port of both cards of a node, one on each leaf; the leaves are joined by four links.",
            "  - name: storage",
            "    protocol: infiniband",
            "    rate: ndr",
            "    generate:",
            "      kind: fat-tree",
            "      ends:",
            f'        - {{devices: "{NODES}", ports: ["slot1-port1", "slot2-port1"]}}',
            '      leaves: "storage-leaf-[1-2]"',
            "      spread: 2",
            "    links:",
            *(
                f'      - {{a: "storage-{n}:P1", z: "storage-leaf-{1 + n % 2}:{17 + n // 2}/1", tier: node-leaf}}'
                for n in range(1, 5)
            ),
            *(
                f'      - {{a: "storage-leaf-1:{cage}/{half}", z: "storage-leaf-2:{cage}/{half}", tier: leaf-leaf}}'
                for cage in (31, 32)
                for half in (1, 2)
            ),
            "  # The second port of both cards, one on each switch.",
            "  - name: in-band",
            "    protocol: ethernet",
            "    rate: 200g-4x50",
            "    generate:",
            "      kind: fat-tree",
            f'      nodes: "{NODES}"',
            '      ports: ["slot1-port2", "slot2-port2"]',
            '      leaves: "inband-[1-2]"',
            "      spread: 2",
            "  - name: out-of-band",
            "    protocol: ethernet",
            "    rate: 1g",
            "    generate:",
            "      kind: management",
            "      ends:",
            f'        - {{devices: "{NODES}", ports: BMC}}',
            '      switches: "oob-[1-2]"',
        ],
        policy=["  media: {order: [aoc, optic, utp]}     # published: fibre for compute and storage, AOC in band"],
        pins=[
            "  - {links: in-band/node-leaf, cable: generic-200g-aoc-qsfp56}     # a class of parts; choose a vendor's"
        ],
    ).text()


TEMPLATE: Final = Template(
    "superpod-h100-full",
    "DGX SuperPOD H100, one unit with its compute, storage, in-band and out-of-band networks",
    {},
    text,
)
