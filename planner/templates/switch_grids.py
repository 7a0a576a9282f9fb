"""Small clusters whose switches are joined to each other: a dragonfly and a torus, on NDR."""

from __future__ import annotations

from typing import Final

from planner.templates.hall import Hall, Trays, cross_tray_lines, hall_of, row_tray_lines
from planner.templates.model import Template
from planner.templates.page import Page, in_racks

HOST: Final = "host-2u-connectx-7"
SWITCH: Final = "qm9700"


def dragonfly() -> str:
    hall = hall_of([9])
    row = hall.rows[0]
    return Page(
        name="dragonfly-small",
        header=[
            "A small dragonfly on NDR: nine groups of four routers, four hosts a router (144 hosts).",
            "Every router has two global connections, so that every two groups are joined once. The cluster is ours, the rule is",
            "of J. Kim and others, ISCA 2008. The room, racks, trays, places and the hosts' model are assumptions.",
        ],
        hall=hall,
        rack_comments=["A group a rack."],
        pathways=_trays(hall, []),
        devices=[
            in_racks("host-[001-144]", HOST, [row.names(1, 9)], tuple(range(1, 33, 2))),
            in_racks("router-[01-36]", SWITCH, [row.names(1, 9)], (36, 38, 40, 42), "rear"),
        ],
        fabrics=[
            "  - name: compute",
            "    protocol: infiniband",
            "    rate: ndr",
            "    generate:",
            "      kind: dragonfly",
            '      nodes: "host-[001-144]"',
            '      routers: "router-[01-36]"',
            "      routers_per_group: 4",
        ],
        policy=["  media: {order: [dac, acc, aec, aoc, optic]}"],
    ).text()


def torus() -> str:
    hall = hall_of([8, 8])
    names = [row.names(1, 8) for row in hall.rows]
    return Page(
        name="torus-64",
        header=[
            "A torus of 4 x 4 x 4 switches on NDR with two hosts a switch (128 hosts).",
            "The cluster is ours. The room, racks, trays, places and the hosts' model are assumptions.",
        ],
        hall=hall,
        rack_comments=["Four switches a rack: a line of the third axis."],
        pathways=_trays(hall, [hall.rows[0].middle_mm(2), hall.rows[0].middle_mm(7)]),
        devices=[
            in_racks("host-[001-128]", HOST, names, tuple(range(1, 17, 2))),
            in_racks("sw-[01-64]", SWITCH, names, (30, 32, 34, 36), "rear"),
        ],
        fabrics=[
            "  - name: compute",
            "    protocol: infiniband",
            "    rate: ndr",
            "    generate:",
            "      kind: torus",
            '      nodes: "host-[001-128]"',
            '      switches: "sw-[01-64]"',
            "      axes: [4, 4, 4]",
        ],
        policy=["  media: {order: [dac, acc, aec, aoc, optic]}"],
    ).text()


BESIDE_MM: Final = 400
"""Between the cross trays of the two classes, as between the trays of a row."""


def _trays(hall: Hall, crossings: list[int]) -> list[str]:
    return [
        "  # Assumption: baskets over the rear managers of each row, for fibre and, beside it, for copper.",
        *row_tray_lines(hall, Trays("fibre", "basket-300x100", "fibre")),
        *row_tray_lines(hall, Trays("copper", "basket-300x100", "copper", place=1)),
        *cross_tray_lines(hall, Trays("fibre-cross", "basket-300x100", "fibre"), crossings),
        *cross_tray_lines(
            hall, Trays("copper-cross", "basket-300x100", "copper", place=1), [x + BESIDE_MM for x in crossings]
        ),
    ]


DRAGONFLY: Final = Template("dragonfly-small", "NDR dragonfly: nine groups of four routers, 144 hosts", {}, dragonfly)
TORUS: Final = Template("torus-64", "NDR torus of 4 x 4 x 4 switches, 128 hosts", {}, torus)
