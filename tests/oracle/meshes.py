"""Rooms whose pathways are a small graph: trays between points, racks on stubs, so that all ways can be tried by hand.

Every tray is a pathway of its own. A rack joins nothing but its stub, and has one manager and one exit over the stub's
free end; so the way of a cable is a simple path of trays between the stubs of its racks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx

from planner.pipeline import Compiled, compile_project
from planner.rules import Subject

CORD_MM2 = 7.0686
"""Section of one cord of 3.0 mm."""

Point = tuple[int, int]
"""In whole metres."""


@dataclass(frozen=True)
class Mesh:
    """points by name; trays between points, with how many cords they hold below each limit; links between racks.

    links: pairs of points at which racks stand, in order; policy: more of the project's policy.
    """

    points: Mapping[str, Point]
    trays: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, str], ...]
    holds: Mapping[tuple[str, str], int] = field(default_factory=dict)
    policy: Mapping[str, Any] = field(default_factory=dict)
    carries: Mapping[tuple[str, str], list[str]] = field(default_factory=dict)

    @property
    def racks(self) -> list[str]:
        return sorted({name for link in self.links for name in link})

    def length(self, tray: tuple[str, str]) -> float:
        (x0, y0), (x1, y1) = self.points[tray[0]], self.points[tray[1]]
        return float(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5)

    def name(self, a: str, z: str) -> str:
        return f"{a}-{z}" if (a, z) in self.trays else f"{z}-{a}"

    def ways(self, link: tuple[str, str]) -> list[tuple[float, frozenset[str]]]:
        """Every simple way between two points: its length, and the trays it takes; shortest first."""
        graph: nx.Graph[str] = nx.Graph()
        graph.add_nodes_from(self.points)
        for tray in self.trays:
            graph.add_edge(*tray, length=self.length(tray))
        found = []
        for path in nx.all_simple_paths(graph, *link):
            steps = list(pairwise(path))
            found.append((sum(graph.edges[s]["length"] for s in steps), frozenset(self.name(*s) for s in steps)))
        return sorted(found, key=lambda way: (way[0], sorted(way[1])))

    def write(self, folder: Path) -> None:
        """The project: a rack of two hosts' worth of ports for every four links that end at a point."""
        parts = folder / "parts"
        for name, text in _catalog(self).items():
            path = parts / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(text), encoding="utf-8")
        (folder / "project.yaml").write_text(json.dumps(self.text()), encoding="utf-8")

    def text(self) -> dict[str, Any]:
        ends = dict.fromkeys(self.racks, 0)
        links = []
        for a, z in self.links:
            pair = []
            for name in (a, z):
                pair.append(f"{name}-{ends[name] // 64 + 1}:{ends[name] % 64 // 2 + 1}/{ends[name] % 2 + 1}")
                ends[name] += 1
            links.append({"a": pair[0], "z": pair[1], "tier": "t"})
        pathways = [
            {"name": f"{a}-{z}", "type": f"tray-{a}-{z}".lower(), "path_m": [list(self.points[a]), list(self.points[z])],
             "height_m": "2.6", "carries": self.carries.get((a, z), ["copper", "fibre"])}
            for a, z in self.trays
        ]  # fmt: skip
        for name in self.racks:
            x, y = self.points[name]
            pathways.append(
                {
                    "name": f"stub-{name}",
                    "type": "stub",
                    "path_m": [[x, y], [f"{x + 0.4:.1f}", f"{y + 0.3:.1f}"]],
                    "height_m": "2.6",
                }
            )
        low = [min(p[axis] for p in self.points.values()) - 5 for axis in (0, 1)]
        high = [max(p[axis] for p in self.points.values()) + 5 for axis in (0, 1)]
        return {
            "format": "planner/1", "name": "mesh", "catalogs": ["parts"],
            "room": {"outline_m": [low, [high[0], low[1]], high, [low[0], high[1]]], "ceiling_m": 4},
            "racks": [
                {"row": "R", "names": name, "type": "one-exit", "at_m": [f"{self.points[name][0] + 0.1:.1f}", f"{self.points[name][1] - 0.2:.1f}"], "along": "east", "front": "south"}
                for name in self.racks
            ],
            "pathways": pathways,
            "devices": [
                {"names": f"{name}-[1-{(ends[name] - 1) // 64 + 1}]", "model": "qm9700", "rack": name, "u": list(range(1, (ends[name] - 1) // 64 + 2)), "mount": "rear"}
                for name in self.racks
            ],
            "fabrics": [{"name": "f", "protocol": "infiniband", "rate": "ndr", "links": links}],
            "policy": {"media": {"order": ["optic"]}, "fill": {"reroute": 0.25, "warn": 0.4, "fail": 0.5}, **self.policy},
        }  # fmt: skip


def _catalog(mesh: Mesh) -> dict[str, Any]:
    none = {"value": None, "source": "a test"}
    base = {"manufacturer": "test", "description": "test", "source": "test", "evidence": "unverified"}
    rack = {
        **base, "id": "one-exit", "kind": "rack", "width_mm": 600, "depth_mm": 1000, "height_mm": 2200, "units": 44,
        "u1_mm": 80, "u_pitch_mm": 44.45, "front_rail_mm": 50, "rear_rail_mm": 800, "drop_reach_mm": 50,
        "managers": [{"side": "right", "x_mm": 0, "y_mm": 500, "z_mm": [0, 2200], "section_mm": [1000, 1000]}],
        "exits": [{"name": "top", "x_mm": 0, "y_mm": 500, "z_mm": 2200}],
    }  # fmt: skip
    trays = {"stub": 0, **{f"tray-{a}-{z}".lower(): mesh.holds.get((a, z), 1000) for a, z in mesh.trays}}
    # At a quarter a tray holds its cords and half a one more.
    types = {
        name: {**base, "id": name, "kind": "tray", "width_mm": f"{4 * CORD_MM2 * (holds + 0.5) / 10:.3f}",
               "usable_depth_mm": 10, "side_wall_mm": 0, "rating_kg_per_m": none}
        for name, holds in trays.items()
    }  # fmt: skip
    types["stub"] = {**types["stub"], "width_mm": 9000, "usable_depth_mm": 9000}
    return {"racks/one-exit.yaml": rack, **{f"pathways/{name}.yaml": text for name, text in types.items()}}


def subject_of(mesh: Mesh, folder: Path) -> tuple[Compiled, Subject]:
    mesh.write(folder)
    made = compile_project(folder)
    assert made.stages is not None, made.findings
    return made, made.stages.subject


def ways_taken(subject: Subject) -> list[frozenset[str]]:
    """The trays that each link's cable takes, in the order of the mesh's links."""
    order = {link_id: row for row, link_id in enumerate(subject.link_names)}
    routed = subject.measure.routes("fibre")
    found = []
    for link in links_in_order(subject):
        row = order[link]
        route = int(subject.lengths.route[row])
        assert route >= 0, f"{link} has no route"
        names = routed.pathways_of(route, backwards=bool(subject.lengths.backwards[row]))
        found.append(frozenset(n for n in names if not n.startswith("stub-")))
    return found


def links_in_order(subject: Subject) -> Iterator[str]:
    """Link IDs as the project lists them."""
    fabrics: Any = subject.tree["fabrics"]
    for link in fabrics[0]["links"]:
        yield f"{link['a']}--{link['z']}"
