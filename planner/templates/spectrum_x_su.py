"""Spectrum-X at 400G: the first unit of NVIDIA's Enterprise RA 2-8-9-400, row for row of its wire map."""

from __future__ import annotations

from typing import Final

from planner.templates.hall import Trays, hall_of, row_tray_lines
from planner.templates.model import Template
from planner.templates.page import Page, in_racks

NODES: Final = "su-01-node-[01-04]"

NODE_MODEL: Final = """\
# A node of the reference architecture: an HGX server with eight BlueField-3 SuperNICs, a BlueField-3 DPU of two ports, two
# management ports of a NIC, and two of controllers. Which server it is, the architecture leaves open.
id: hgx-2-8-9-400
kind: server
manufacturer: generic
description: Any 8U HGX server with 8 B3140 SuperNICs (400G), a B3220 DPU (2 x 200G) and four management ports of 1G
sources:
  map: "NVIDIA/enterprise-ras, spectrum-era/2-8-9-400/2-8-9-400-Wiremap.pdf, commit 6c19a59 (MIT licence)"
  ours: "our assumption: height and depth of such a server"
  jack: "a jack takes no plug of its own power"
  not-found: "sought in the wire map"
lifecycle: {value: unknown, source: not-found, evidence: unverified, as_of: "2026-11-30"}
members:
  - {part: HGX 2-8-9-400, order_number: null} # a class name, no maker's number
height_u: {value: 8,   source: ours, evidence: unverified}
width_mm: {value: 447, source: ours, evidence: unverified}
depth_mm: {value: 900, source: ours, evidence: unverified}
cages:
  - names: "SL[1-8]" # the slots of nodes 1 and 2 in the map; nodes 3 and 4 have SL32 to SL39, another maker's numbers
    form_factor: qsfp112
    heat_sink: flat
    port_names: ["{cage}"]
    lanes: 4
    lane_rate_gbps: 100
    modulation: pam4
    rates: [400g]
    protocols: [ethernet]
    max_power_w: {value: null, source: not-found}
    face: rear
    source: map
    evidence: primary
  - names: "P[1-2]"
    form_factor: qsfp112
    heat_sink: flat
    port_names: ["{cage}"]
    lanes: 4
    lane_rate_gbps: 100
    modulation: pam4
    rates: [200g, 200g-4x50]
    protocols: [ethernet]
    also_accepts: [qsfp56]
    max_power_w: {value: null, source: not-found}
    face: rear
    source: map
    evidence: primary
  - names: "NIC-P1,NIC-P2,DPU-BMC,BMC"
    form_factor: rj45
    heat_sink: none
    port_names: ["{cage}"]
    lanes: 1
    lane_rate_gbps: 1
    modulation: base-t
    rates: [1g]
    protocols: [ethernet]
    max_power_w: {value: null, source: jack}
    face: rear
    source: map
    evidence: primary
rails:
  value: {SL1: 0, SL2: 1, SL3: 2, SL4: 3, SL5: 4, SL6: 5, SL7: 6, SL8: 7}
  source: map
  evidence: primary
"""


def text() -> dict[str, str]:
    hall = hall_of([3])
    row = hall.rows[0]
    project = Page(
        name="spectrum-x-su",
        header=[
            "Spectrum-X Ethernet at 400G: four HGX nodes (32 GPUs) on a pair of SN5600, the first unit of NVIDIA's Enterprise RA",
            "2-8-9-400 (BlueField-3 SuperNICs).",
            "Published (NVIDIA/enterprise-ras, 2-8-9-400-Wiremap.pdf, commit 6c19a59): the 40 rows of the nodes, the 16 rows of",
            "their management ports, and 16 links between the switches for the first unit. Support servers, storage and edge of the",
            "map are left out. The nodes' model is a class in parts/; nodes 3 and 4 have other slot numbers in the map. The",
            "room, racks, tray and places are assumptions, marked so.",
        ],
        hall=hall,
        pathways=[
            "  # Assumption: a basket over the rear managers for everything.",
            *row_tray_lines(hall, Trays("row", "basket-300x100", "copper, fibre")),
        ],
        devices=[
            in_racks(NODES, "hgx-2-8-9-400", [row.name(1), row.name(3)], (3, 23)),
            "  # Assumption: the SN5600 takes in air at its ports, so they face the cold aisle; the others have their ports at the",
            "  # rear, where the nodes have theirs.",
            in_racks("core-[01-02]", "sn5600", [row.name(2)], (24, 28)),
            in_racks("oob-switch-[01-03]", "sn2201", [row.name(2)], (34, 36, 38), "rear"),
        ],
        fabrics=[
            "  # Node n, rail r, counted from 0: switch core-(r mod 2 + 1), port swp(4 + 2n + r div 4)s((r div 2) mod 2).",
            "  - name: gpu",
            "    protocol: ethernet",
            "    rate: 400g",
            "    generate:",
            "      kind: two-switch-core",
            f'      nodes: "{NODES}"',
            '      cores: "core-[01-02]"',
            '      node_cages: "[4-27]"',
            '      peer_cages: "[28-35]"     # the links of the first unit; each further one has eight cages more',
            "  # Port k of a node's DPU to switch core-(k+1); four nodes share a cage.",
            "  - name: cpu",
            "    protocol: ethernet",
            "    rate: 200g",
            "    generate:",
            "      kind: two-switch-core",
            f'      nodes: "{NODES}"',
            '      rails: "P[1-2]"',
            '      cores: "core-[01-02]"',
            '      node_cages: "[1-3]"',
            "  - name: oob",
            "    protocol: ethernet",
            "    rate: 1g",
            "    generate:",
            "      kind: management",
            "      ends:",
            f'        - {{devices: "{NODES}", ports: ["NIC-P1", "NIC-P2", "DPU-BMC", "BMC"]}}',
            '      switches: "oob-switch-[01-03]"',
        ],
        policy=["  media: {order: [dac, acc, aec, aoc, optic, utp]}"],
        catalogs=["parts"],
    ).text()
    return {"project.yaml": project, "parts/devices/hgx-2-8-9-400.yaml": NODE_MODEL}


TEMPLATE: Final = Template(
    "spectrum-x-su",
    "Spectrum-X at 400G: NVIDIA's Enterprise RA 2-8-9-400, four HGX nodes on two SN5600",
    {},
    text,
)
