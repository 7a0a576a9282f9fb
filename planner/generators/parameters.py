"""What people write under `generate`: one model a kind, told apart by `kind`.

`*_cages` name the cages of a role that may be used, `*_split` into how many ports a cage is split. Devices are hostlists, in the order that the wiring rules count by. Whether the sizes work out is judged by the generators.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from planner.schema_types import Count, Names, Written


def _ratio(value: Any) -> tuple[int, int]:
    match = re.fullmatch(r"\s*([1-9]\d{0,3})\s*:\s*([1-9]\d{0,3})\s*", value) if isinstance(value, str) else None
    if not match:
        raise ValueError(f"`{value}` is not a ratio of ports down to ports up such as `3:1`")
    return int(match[1]), int(match[2])


Ratio = Annotated[
    tuple[int, int],
    BeforeValidator(_ratio),
    WithJsonSchema({"type": "string", "pattern": r"^\s*[1-9]\d{0,3}\s*:\s*[1-9]\d{0,3}\s*$"}),
]
"""Ports down to ports up, `3:1`."""


class _Generator(Written):
    """tiers: names of the tiers made, from the nodes upwards, in place of our own."""

    tiers: Names | None = None


class Uplinks(_Generator):
    """How a leaf's ports are shared between below and above, and which of its cages may be used at all."""

    blocking: Ratio | None = None
    uplinks: Count | None = None
    leaf_cages: Names | None = None
    leaf_split: Count | None = None
    spine_cages: Names | None = None
    spine_split: Count | None = None


class Cores(Uplinks):
    """The third tier: pods of leaves and spines, and cores above them."""

    cores: Names | None = None
    core_blocking: Ratio | None = None
    core_uplinks: Count | None = None
    core_cages: Names | None = None
    core_split: Count | None = None


class Rails(Cores):
    """Nodes whose ports belong to rails, in units; each rail of a unit has a leaf (or shares it with others)."""

    nodes: Names
    rails: Names | None = None
    nodes_per_unit: Count | None = None
    rails_per_leaf: Count = 1
    units_per_pod: Count | None = None
    spine_group: Literal["rail", "pod"] | None = None
    core_group: Literal["all", "rail"] = "all"


class RailOptimized(Rails):
    kind: Literal["rail-optimized"]
    leaves: Names
    spines: Names
    ufm: Names | None = None


class RailOnly(Uplinks):
    """Each rail a network of its own: one switch, or leaves of several units below spines of the rail."""

    kind: Literal["rail-only"]
    nodes: Names
    leaves: Names
    spines: Names | None = None
    rails: Names | None = None
    nodes_per_unit: Count | None = None
    rails_per_leaf: Count = 1


class Plane(Written):
    """One plane's switches, from the leaves upwards."""

    leaves: Names
    spines: Names | None = None
    cores: Names | None = None


class MultiPlane(Rails):
    """Port p of every rail in plane p, planes apart all the way up; `dual-plane` is two of them."""

    kind: Literal["dual-plane", "multi-plane"]
    planes: list[Plane] = Field(min_length=2)

    @model_validator(mode="after")
    def _dual_is_two(self) -> MultiPlane:
        if self.kind == "dual-plane" and len(self.planes) != 2:
            raise ValueError(f"`dual-plane` has two planes, {len(self.planes)} stand here; more are a `multi-plane`")
        if self.cores is not None:
            raise ValueError("each plane has its own `cores`; they stand with its leaves and spines")
        return self


class DualTor(Uplinks):
    """Port 0 and port 1 of every rail on two leaves, which meet again at common spines."""

    kind: Literal["dual-tor"]
    nodes: Names
    tors: list[Names] = Field(min_length=2, max_length=2)
    spines: Names | None = None
    rails: Names | None = None
    nodes_per_unit: Count | None = None
    rails_per_leaf: Count | None = None


class Ends(Written):
    """Devices of any models with the ports that they bring, each in the order given."""

    devices: Names
    ports: Names | None = None


class FatTree(Cores):
    """Nodes on leaves as they come; two or three tiers, full or with a blocking ratio."""

    kind: Literal["fat-tree"]
    nodes: Names | None = None
    ports: Names | None = None
    ends: list[Ends] = Field(default_factory=list)
    leaves: Names
    spines: Names | None = None
    spread: Count = 1
    nodes_per_leaf: Count | None = None
    leaves_per_pod: Count | None = None

    @model_validator(mode="after")
    def _one_way_of_naming_nodes(self) -> FatTree:
        if self.nodes is not None and self.ends:
            raise ValueError("a fat tree has either `nodes` or `ends`")
        if self.ports is not None and self.nodes is None:
            raise ValueError("`ports` are those of `nodes`; with `ends` they stand at each end")
        return self


class LeafSpine(Cores):
    """A leaf in every rack for the nodes of that rack; clusters of racks below spines, cores above."""

    kind: Literal["leaf-spine"]
    nodes: Names
    ports: Names | None = None
    leaves: Names
    spines: Names | None = None
    racks_per_pod: Count | None = None


class TwoSwitchCore(_Generator):
    """Two switches are the whole fabric: even rails on the first, odd ones on the second, links between the two."""

    kind: Literal["two-switch-core"]
    nodes: Names
    cores: Names
    rails: Names | None = None
    node_cages: Names | None = None
    peer_cages: Names | None = None
    core_split: Count | None = None


class Management(_Generator):
    """Ports of many devices, of any models, on switches that need no tier above."""

    kind: Literal["management"]
    ends: list[Ends] = Field(min_length=1)
    switches: Names
    switch_cages: Names | None = None
    switch_split: Count | None = None
    order: Literal["round-robin", "fill", "rack"] = "round-robin"


class Hosted(_Generator):
    """Switches that hosts hang on: how many nodes each has, and the width of a connection between two switches."""

    nodes: Names | None = None
    ports: Names | None = None
    nodes_per_switch: Count | None = None


class Dragonfly(Hosted):
    kind: Literal["dragonfly"]
    routers: Names
    routers_per_group: Count
    local_links: Count | None = None
    global_links: Count | None = None
    global_connections: Count | None = None
    router_cages: Names | None = None
    router_split: Count | None = None


class DragonflyPlus(Hosted):
    kind: Literal["dragonfly-plus"]
    leaves: Names
    spines: Names
    leaves_per_group: Count
    spines_per_group: Count
    local_links: Count | None = None
    global_links: Count | None = None
    global_connections: Count | None = None
    leaf_cages: Names | None = None
    leaf_split: Count | None = None
    spine_cages: Names | None = None
    spine_split: Count | None = None


class Grid(Hosted):
    """Switches at the points of a grid, the last axis counted fastest."""

    kind: Literal["torus", "mesh", "hyperx"]
    switches: Names
    axes: list[Count] = Field(min_length=1, max_length=6)
    links: Count | None = None
    switch_cages: Names | None = None
    switch_split: Count | None = None


Generate = Annotated[
    RailOptimized
    | RailOnly
    | MultiPlane
    | DualTor
    | FatTree
    | LeafSpine
    | TwoSwitchCore
    | Management
    | Dragonfly
    | DragonflyPlus
    | Grid,
    Field(discriminator="kind"),
]
"""A topology generator's parameters, by `kind`."""
