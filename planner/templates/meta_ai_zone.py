"""Racks of two servers and a rack switch below cluster switches: one zone in the manner of Meta's 24k-GPU cluster."""

from __future__ import annotations

from typing import Final

from planner.templates.hall import Hall, Trays, cross_tray_lines, hall_of, row_tray_lines
from planner.templates.model import Figure, Template
from planner.templates.page import Page, in_racks, numbered

CLUSTER_SWITCHES: Final = 16
_A_CHASSIS_RACK: Final = 2
_RACKS_A_CROSSING: Final = 8


def text(racks: int) -> str:
    hall, middle = _hall(racks)
    rows = [row for number, row in enumerate(hall.rows) if number != middle]
    cluster = hall.rows[middle]
    names = [row.names(1, row.racks) for row in rows]
    digits = max(2, len(str(2 * racks)))
    widest = max(hall.rows, key=lambda row: row.racks)
    crossings = [
        widest.middle_mm(number) for number in range(1 + _RACKS_A_CROSSING // 2, widest.racks + 1, _RACKS_A_CROSSING)
    ]
    servers = numbered("server", 1, 2 * racks, digits)
    rack_switches = numbered("rtsw", 1, racks, digits)
    cluster_switches = numbered("ctsw", 1, CLUSTER_SWITCHES, 2)
    return Page(
        name=f"meta-ai-zone-{racks}",
        header=[
            f"An AI zone of {racks} racks: {2 * racks} servers with 8 GPUs ({16 * racks:,} GPUs) on RoCEv2 at 400G.",
            "Published (Meta, SIGCOMM 2024 and the Llama 3 paper): a rack switch in each rack of 16 GPUs, copper inside the rack,",
            "single-mode fibre from the rack switches to modular cluster switches, no blocking inside the zone of 192 racks.",
            "A third party's reading: 16 cluster switches. The models are stand-ins: a rack switch of 100G lanes, and a chassis of",
            "288 ports. The room, racks, trays and places are assumptions, marked so.",
        ],
        hall=hall,
        rack_comments=[f"Row {cluster.letter} has the cluster switches, two chassis a rack."],
        pathways=[
            "  # Assumption: a basket over the rear managers of each row, and cross baskets every eight racks.",
            *row_tray_lines(hall, Trays("row", "basket-600x100", "fibre")),
            *cross_tray_lines(hall, Trays("cross", "basket-600x100", "fibre"), crossings),
        ],
        devices=[
            in_racks(servers, "generic-8-gpu-host-qsfp112", names, (3, 16)),
            "  # Assumption: switches with their ports at the rear, where the servers have theirs; a rack's between its servers, so that copper reaches.",
            in_racks(rack_switches, "generic-64x800g-osfp", names, (12,), "rear"),
            in_racks(cluster_switches, "dcs-7808-36d", [cluster.names(1, cluster.racks)], (5, 26), "rear"),
        ],
        fabrics=[
            "  - name: backend",
            "    protocol: ethernet",
            "    rate: 400g",
            "    generate:",
            "      kind: leaf-spine",
            f'      nodes: "{servers}"',
            f'      leaves: "{rack_switches}"',
            "      # Cages of both halves of the switch for either server, so that no cable in the rack changes sides.",
            '      leaf_cages: "[1-2,33-34,3-4,35-36,29-32,61-64]"',
            f'      spines: "{cluster_switches}"',
        ],
        policy=[
            "  media: {order: [dac, optic]}    # published: copper in the rack, fibre between",
            "  vendors: {allow: [generic]}     # classes of parts; a vendor's parts implement them",
        ],
        pins=["  - {links: backend/leaf-spine, cable: generic-mpo-12-apc-os2-type-b}     # published: single mode"],
    ).text()


def _hall(racks: int) -> tuple[Hall, int]:
    """Rows of about equal length with the row of cluster switches in the middle, and the number of that row."""
    abreast = max(8, round((racks * 2.7 / 0.6) ** 0.5))
    rows = -(-racks // abreast)
    lengths = [racks // rows + (n < racks % rows) for n in range(rows)]
    middle = (rows + 1) // 2
    return hall_of([*lengths[:middle], CLUSTER_SWITCHES // _A_CHASSIS_RACK, *lengths[middle:]]), middle


TEMPLATE: Final = Template(
    "meta-ai-zone",
    "RoCEv2 at 400G: rack switches below modular cluster switches, copper in the rack and single mode between",
    {"racks": Figure(16, range(2, 193), "racks of two servers")},
    text,
)
