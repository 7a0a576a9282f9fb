"""HDR InfiniBand: racks of twenty hosts with a leaf of 40 ports each, below spines."""

from __future__ import annotations

from typing import Final

from planner.generators.radix import spines_for
from planner.templates.hall import Trays, cross_tray_lines, row_tray_lines
from planner.templates.model import Figure, Template
from planner.templates.page import Page, in_racks, numbered, switch_racks
from planner.templates.units import UnitHall

HOSTS_A_RACK: Final = 20
SWITCH: Final = "qm8700"
_SPINE_SLOTS: Final = (20, 22, 24, 26, 28, 30, 32, 34)


def text(racks: int) -> str:
    spines = spines_for(racks, uplinks=HOSTS_A_RACK, spine_ports=2 * HOSTS_A_RACK) or HOSTS_A_RACK
    place = UnitHall(racks, compute_racks=1, own_racks=0, shared_racks=-(-spines // len(_SPINE_SLOTS)))
    hall, hosts = place.hall, racks * HOSTS_A_RACK
    names = [name for unit in range(racks) for name in place.compute(unit)]
    digits = max(3, len(str(hosts)))
    return Page(
        name=f"ib-hdr-{hosts}",
        header=[
            f"HDR InfiniBand at 200 Gb/s: {hosts} hosts in {racks} racks, a 40-port leaf in each, {spines} spines, no blocking.",
            "The cluster is ours; ports and parts are the makers'. The hosts' model, the room, racks, trays and places are",
            "assumptions, marked so.",
        ],
        hall=hall,
        rack_comments=[f"Row {place.shared_letters[0]} has the spines."],
        pathways=[
            "  # Assumption: baskets over the rear managers of each row, for fibre and, beside it, for copper.",
            *row_tray_lines(hall, Trays("fibre", "basket-300x100", "fibre")),
            *row_tray_lines(hall, Trays("copper", "basket-300x100", "copper", place=1)),
            *cross_tray_lines(hall, Trays("fibre-cross", "basket-300x100", "fibre"), place.crossings_mm()),
        ],
        devices=[
            in_racks(numbered("host", 1, hosts, digits), "host-2u-connectx-7-2x200g", names, tuple(range(1, 41, 2))),
            "  # Assumption: switches with their ports at the rear, where the hosts have theirs.",
            in_racks(numbered("leaf", 1, racks), SWITCH, names, (43,), "rear"),
            *switch_racks("spine", SWITCH, spines, place.shared(), _SPINE_SLOTS),
        ],
        fabrics=[
            "  - name: compute",
            "    protocol: infiniband",
            "    rate: hdr",
            "    generate:",
            "      kind: leaf-spine",
            f'      nodes: "{numbered("host", 1, hosts, digits)}"',
            "      ports: P1",
            f'      leaves: "{numbered("leaf", 1, racks)}"',
            f'      spines: "{numbered("spine", 1, spines)}"',
        ],
        policy=["  media: {order: [dac, aoc, optic]}"],
    ).text()


TEMPLATE: Final = Template(
    "ib-hdr",
    "HDR InfiniBand: racks of twenty hosts with a leaf each, below spines",
    {"racks": Figure(8, range(2, 41), "racks of twenty hosts")},
    text,
)
