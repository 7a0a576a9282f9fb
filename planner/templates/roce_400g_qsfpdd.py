"""RoCEv2 at 400G on QSFP-DD switches of 50G lanes: optics bridge to the hosts' four lanes of 100G."""

from __future__ import annotations

from typing import Final

from planner.templates.model import Figure, Template
from planner.templates.page import Page
from planner.templates.rail_pod import ROOMS, Design, Pod

DESIGN: Final = Design(
    node="node",
    node_model="generic-8-gpu-host-qsfp112",
    unit_nodes=32,
    rails=8,
    slots={1: (3,), 2: (3, 23), 4: (3, 13, 23, 33)},
    switch_model="generic-64x400g-qsfp-dd",
    ports=64,
    switch_slots=(10, 14, 18, 22, 26, 30, 34, 38),
)


def text(units: int, nodes_per_rack: int, rooms: int) -> str:
    pod = Pod(DESIGN, units, nodes_per_rack, rooms)
    return Page(
        name=f"roce-400g-qsfpdd-{units}su",
        header=[
            f"RoCEv2 at 400G, {pod.size} of 32 hosts{pod.where}: {pod.nodes:,} hosts with 8 GPUs ({pod.nodes * 8:,} GPUs).",
            "The switches have 64 QSFP-DD cages of eight lanes at 50G, the hosts QSFP112 cages of four lanes at 100G: copper",
            "does not join them, optics of one fibre interface do. Parts are classes; choose a vendor before you order. The room,",
            "racks, trays and places are assumptions, marked so.",
        ],
        hall=pod.place.hall,
        rack_comments=pod.rack_comments(),
        crossings_mm=pod.place.crossings_mm(),
        pathways=list(pod.pathway_lines()),
        devices=list(pod.device_lines()),
        fabrics=[
            "  - name: compute",
            "    protocol: ethernet",
            "    rate: 400g",
            "    generate:",
            *pod.generate_lines(),
        ],
        policy=[
            "  media: {order: [optic]}",
            "  vendors: {allow: [generic]}     # classes of parts; a vendor's parts implement them",
        ],
    ).text()


TEMPLATE: Final = Template(
    "roce-400g-qsfpdd",
    "RoCEv2 at 400G: units of 32 hosts on generic 64-port QSFP-DD switches, rail-optimised",
    {
        "units": Figure(1, range(1, 9), "units of 32 hosts"),
        "nodes_per_rack": Figure(4, (1, 2, 4), "hosts in a compute rack"),
        "rooms": ROOMS,
    },
    text,
)
