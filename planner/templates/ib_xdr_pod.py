"""An XDR InfiniBand pod: units of 72 DGX B300 on Quantum-X800 switches of 144 ports."""

from __future__ import annotations

from typing import Final

from planner.templates.model import Figure, Template
from planner.templates.page import Page
from planner.templates.rail_pod import ROOMS, Design, Pod

DESIGN: Final = Design(
    node="dgx",
    node_model="dgx-b300",
    unit_nodes=72,
    rails=8,
    slots={1: (3,), 2: (3, 25), 4: (3, 14, 25, 36)},
    switch_model="q3400-ra",
    ports=144,
    # Four a rack: the cords of more would fill its vertical managers.
    switch_slots=(10, 18, 26, 34),
    mount="front",
)


def text(units: int, nodes_per_rack: int, rooms: int) -> str:
    pod = Pod(DESIGN, units, nodes_per_rack, rooms)
    return Page(
        name=f"ib-xdr-pod-{units}su",
        header=[
            f"XDR InfiniBand pod, {pod.size} of 72 nodes{pod.where}: {pod.nodes:,} DGX B300 ({pod.nodes * 8:,} GPUs) at 800 Gb/s.",
            "From the makers' data: eight XDR ports a node, 144 ports a Quantum-X800 Q3400. Rails, leaves and spines follow the",
            "arithmetic of ports: a leaf has 72 ports down and 72 up. The room, racks, trays and places are assumptions,",
            "marked so: replace them by yours before you order.",
        ],
        hall=pod.place.hall,
        rack_comments=pod.rack_comments(),
        crossings_mm=pod.place.crossings_mm(),
        pathways=list(pod.pathway_lines()),
        devices=list(pod.device_lines()),
        fabrics=[
            "  - name: compute",
            "    protocol: infiniband",
            "    rate: xdr",
            "    generate:",
            *pod.generate_lines(),
            '      rails: "OSFP[1-8]"      # assumption: which GPU a port serves is not published; name the port of rail 0 first',
        ],
        policy=["  media: {order: [optic]}     # XDR has single-mode optics and short copper only"],
        pins=list(pod.pin_lines()),
    ).text()


TEMPLATE: Final = Template(
    "ib-xdr-pod",
    "XDR InfiniBand: units of 72 DGX B300 on Quantum-X800 Q3400, rail-optimised",
    {
        "units": Figure(1, range(1, 9), "units of 72 nodes"),
        "nodes_per_rack": Figure(4, (1, 2, 4), "nodes in a compute rack"),
        "rooms": ROOMS,
    },
    text,
)
