"""DGX SuperPOD H100: scalable units of 32 DGX H100 on NDR, two tiers up to eight units, three above.

Beyond 256 units (65,536 GPUs) each rail has cores of its own.
"""

from __future__ import annotations

from typing import Final

from planner.templates.model import Figure, Template
from planner.templates.page import Page, in_racks
from planner.templates.rail_pod import ROOMS, Design, Pod

NODE_SLOTS: Final = {1: (3,), 2: (3, 23), 4: (3, 13, 23, 33)}
DESIGN: Final = Design(
    node="dgx",
    node_model="dgx-h100",
    unit_nodes=32,
    rails=8,
    slots=NODE_SLOTS,
    switch_model="qm9700",
    ports=64,
    switch_slots=(20, 22, 24, 26, 28, 30, 32, 34),
    spine_slots=(38, 40, 42, 44),
    managers=True,
)


def text(units: int, nodes_per_rack: int, rooms: int) -> str:
    pod = Pod(DESIGN, units, nodes_per_rack, rooms)
    return Page(
        name=f"superpod-h100-{units}su",
        header=[
            f"DGX SuperPOD H100, {pod.size} of 32 nodes{pod.where}: {pod.nodes:,} DGX H100 ({pod.nodes * 8:,} GPUs) on NDR 400 Gb/s.",
            "Published (NVIDIA RA-11333-001 V11): units of 32 nodes and 8 leaves, rails, 4 to 16 spines for 1 to 4 units,",
            "multimode fibre with twin-port optics. Larger sizes follow the arithmetic of ports. The room, racks, trays and",
            "places are assumptions, marked so: replace them by yours before you order.",
        ],
        hall=pod.place.hall,
        rack_comments=pod.rack_comments(),
        crossings_mm=pod.place.crossings_mm(),
        pathways=list(pod.pathway_lines()),
        devices=[
            "  # The last place stays free: one node is left out so that UFM can be attached (published).",
            *pod.device_lines(),
            "  # Assumption: the UFM appliance's model, its size and its place are not published.",
            in_racks("ufm-[1-2]", "ufm-appliance", pod.place.own(units - 1)[:1], (10, 12)),
        ],
        fabrics=[
            "  - name: compute",
            "    protocol: infiniband",
            "    rate: ndr",
            "    generate:",
            *pod.generate_lines(),
            '      ufm: "ufm-[1-2]"        # port 32 of the first leaves of the last unit, which its missing node leaves free',
        ],
        policy=["  media: {order: [optic]}     # published: all compute cabling is optical fibre"],
        pins=list(pod.pin_lines()),
    ).text()


TEMPLATE: Final = Template(
    "superpod-h100",
    "DGX SuperPOD H100, NDR InfiniBand: units of 32 DGX H100, rail-optimised",
    {
        "units": Figure(1, range(1, 401), "scalable units of 32 nodes"),
        "nodes_per_rack": Figure(4, (1, 2, 4), "nodes in a compute rack"),
        "rooms": ROOMS,
    },
    text,
)
