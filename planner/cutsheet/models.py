"""What the catalog of a plan tells of each model's cages: face, place on it, printed ports and their names in systems."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from planner.names import expand_hostlist

_SAME_ROW_MM: Final = 6.0
"""Cages whose heights differ by less stand in one row of a face map; an OSFP is 13 mm high."""


@dataclass(frozen=True, slots=True)
class CagePlace:
    """A cage on its face. block: its group; row, column: from the upper left, as seen facing the ports.

    is_stated: the catalog tells the place; otherwise the cages stand in the catalog's order, in one row.
    """

    cage: str
    face: str
    block: int
    row: int
    column: int
    is_stated: bool


@dataclass(frozen=True, slots=True)
class Model:
    """cages: by name. os_names: of each printed port, as pairs of system and name."""

    cages: dict[str, CagePlace] = field(default_factory=dict)
    os_names: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)


def models_of(catalog: str) -> dict[str, Model]:
    """catalog: as the plan holds it."""
    trees = json.loads(catalog).values() if catalog else ()
    return {tree["id"]: _model(tree["cages"], tree.get("os_names") or {}) for tree in trees if "cages" in tree}


def _model(groups: list[Mapping[str, Any]], by_port: Mapping[str, Any]) -> Model:
    """by_port: names that follow no pattern, by system."""
    model = Model()
    for block, group in enumerate(groups):
        texts = group["names"] if isinstance(group["names"], list) else [group["names"]]
        names = [name for text in texts for name in expand_hostlist(text)]
        places = list(_places(group, len(names)))
        for name, (row, column) in zip(names, places or ((0, at) for at in range(len(names))), strict=False):
            model.cages[name] = CagePlace(name, group.get("face", "front"), block, row, column, bool(places))
        _name_ports(model, (group, *group.get("splits", ())), names)
    for system, figure in by_port.items():
        for printed, name in (figure.get("value") or {}).items():
            model.os_names[printed] = (*model.os_names.get(printed, ()), (system, name))
    return model


def _name_ports(model: Model, ways: tuple[Mapping[str, Any], ...], cages: list[str]) -> None:
    """A printed name that stands in several ways of splitting and is called differently there has no name here."""
    found: dict[str, set[tuple[tuple[str, str], ...]]] = {}
    for way in ways:
        systems = way.get("os_port_names") or {}
        for place, printed in enumerate(way["port_names"]):
            named = tuple((system, names[place]) for system, names in systems.items() if place < len(names))
            found.setdefault(printed, set()).add(named)
    for printed, called in found.items():
        named = next(iter(called))
        for cage in cages if named and len(called) == 1 else ():
            own = tuple((system, name.replace("{cage}", cage)) for system, name in named)
            model.os_names[printed.replace("{cage}", cage)] = own


def _places(group: Mapping[str, Any], count: int) -> Iterator[tuple[int, int]]:
    """Row and column of each cage, where the catalog has a grid or points."""
    grid, points = group.get("grid"), group.get("points")
    if grid:
        rows, columns = int(grid["rows"]), int(grid["columns"])
        for index in range(count):
            column, row = divmod(index, rows)
            yield (row, column) if grid.get("order") == "down" else divmod(index, columns)
    elif points:
        at = [(float(point["x_mm"]), float(point["z_mm"])) for point in points["at"]]
        tops: list[float] = []
        for z in sorted({z for _, z in at}, reverse=True):
            if not tops or tops[-1] - z >= _SAME_ROW_MM:
                tops.append(z)
        lefts = sorted({x for x, _ in at})
        for x, z in at:
            yield next(row for row, top in reversed(list(enumerate(tops))) if top >= z), lefts.index(x)
