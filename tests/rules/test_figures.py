"""A plan passes on sourced figures only: every figure of the catalog that a check uses is told where it is not proven.

The project below has nothing unproven. Each figure is then taken away, and stated without a trustworthy source, and must
be told once. A figure that no check uses yet stands in NOT_JUDGED with the reason.
"""

from __future__ import annotations

import typing
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from pydantic import BaseModel

from planner.catalog.compatibility import Budget
from planner.catalog.devices import Device
from planner.catalog.fibre import Cord
from planner.catalog.figures import Figure
from planner.catalog.plugs import CableAssembly, Transceiver
from planner.catalog.racks import PathwayType, RackType
from tests.support.projects import ROOT, TEST_CATALOG, compiled, project_text

HOST, PLUG, CORD = "devices/host-measured", "plugs/plug-other-optics", "fibre/cord-proven"
RACK, TRAY, DAC, SPLITTER = "racks/rack-measured", "pathways/tray-measured", "plugs/dac-proven", "fibre/splitter-proven"
BUDGETS: Final = "compatibility/test"

OPTIC: Final = """format: planner/1
name: case
room: {outline_m: [[0, 0], [4, 0], [4, 4], [0, 4]], ceiling_m: 3}
racks:
  - {row: A, names: "A[01-02]", type: rack-measured, at_m: [1, 1], along: east, front: south}
pathways:
  - {name: tray, type: tray-measured, path_m: [[1, 2], [2.2, 2]], height_m: 2.6}
openings:
  - {name: hole, polygon_m: [[1.59, 1.8], [1.61, 1.8], [1.61, 2.2], [1.59, 2.2]], from_m: 2.5, to_m: 2.8}
devices:
  - {names: "host-[1-2]", model: host-measured, racks: "A[01-02]", u: 10, slides: true}
fabrics:
  - name: compute
    protocol: infiniband
    rate: ndr
    links:
      - {a: "host-1:P1", z: "host-2:P1", tier: node-node}
policy: {media: {order: [MEDIUM]}}
catalogs: [catalog]
pins: [{links: compute/node-node, PINS}]
"""
PINS: Final = {
    CORD: ("optic", "cable: cord-proven, a_plug: plug-other-optics, z_plug: plug-other-optics"),
    SPLITTER: ("optic", "cable: splitter-proven, a_plug: plug-other-optics, z_plug: plug-other-optics"),
    DAC: ("dac", "cable: dac-proven"),
}

JUDGED: Final[dict[tuple[type[BaseModel], str], tuple[str, str]]] = {
    (Transceiver, "end.standoff_mm"): (PLUG, CORD),
    (Transceiver, "reach_m.om4"): (PLUG, CORD),
    (Transceiver, "min_length_m"): (PLUG, CORD),
    (Transceiver, "power_w"): (PLUG, CORD),
    (Transceiver, "lifecycle"): (PLUG, CORD),
    (CableAssembly, "a.standoff_mm"): (DAC, DAC),
    (CableAssembly, "z.standoff_mm"): (DAC, DAC),
    (CableAssembly, "reach_m"): (DAC, DAC),
    (CableAssembly, "length_of"): (DAC, DAC),
    (CableAssembly, "insertion_mm"): (DAC, DAC),
    (CableAssembly, "tolerance_mm"): (DAC, DAC),
    (CableAssembly, "outer_diameter_mm"): (DAC, DAC),
    (CableAssembly, "kg_per_m"): (DAC, DAC),
    (CableAssembly, "power_w"): (DAC, DAC),
    (CableAssembly, "bend_radius_mm"): (DAC, DAC),
    (CableAssembly, "lifecycle"): (DAC, DAC),
    (Cord, "reach_m"): (CORD, CORD),
    (Cord, "length_of"): (CORD, CORD),
    (Cord, "tolerance_mm"): (CORD, CORD),
    (Cord, "standoff_mm"): (CORD, CORD),
    (Cord, "outer_diameter_mm"): (CORD, CORD),
    (Cord, "kg_per_m"): (CORD, CORD),
    (Cord, "bend_radius_mm"): (CORD, CORD),
    (Cord, "attenuation_db_per_km"): (CORD, CORD),
    (Cord, "legs_source"): (SPLITTER, SPLITTER),
    (Cord, "lifecycle"): (CORD, CORD),
    (Device, "height_u"): (HOST, CORD),
    (Device, "width_mm"): (HOST, CORD),
    (Device, "depth_mm"): (HOST, CORD),
    (Device, "slides_out_m"): (HOST, CORD),
    (Device, "cages.0.max_power_w"): (HOST, CORD),
    (Device, "cages.0.power_limits.0.max_power_w"): (HOST, CORD),
    (Budget, "loss_db"): (BUDGETS, CORD),
    (Cord, "head_mm"): (CORD, CORD),
    (RackType, "door_depth_mm"): (RACK, CORD),
    (PathwayType, "rating_kg_per_m"): (TRAY, CORD),
    (PathwayType, "bend_radius_mm"): (TRAY, CORD),
    (PathwayType, "waterfall_radius_mm"): (TRAY, CORD),
}
"""Figures that a check uses: the file that states it, and the project (by its cable) whose plan rests on it."""

WORDS: Final = {"loss_db": "loss budget", "legs_source": "`legs`", "slides_out_m": "slides"}
"""What a message calls a figure, where it is not its key."""

NOT_JUDGED: Final[dict[tuple[type[BaseModel], str], str]] = {
    (CableAssembly, "breakout_point_m"): "legs are not compared with the trunk yet",
    (Cord, "breakout_point_m"): "legs are not compared with the trunk yet",
    (Cord, "mated_pair_db"): "a direct cord has no joint but those at the modules, which belong to the optics",
    (Cord, "a.boot_mm"): "boots are not judged yet",
    (Cord, "z.boot_mm"): "boots are not judged yet",
    (Cord, "jacket_colour"): "printed, no verdict",
    (Device, "lifecycle"): "devices are the user's choice; lifecycles of parts are judged",
    (Device, "weight_kg"): "weights in racks are not judged yet",
    (Device, "power_w"): "summed, no verdict",
    (Device, "power_max_w"): "summed, no verdict",
    (Device, "os_names.om4"): "printed as the ports' names in an operating system",
    (Device, "rails"): "used by generators only: test_the_rails_of_a_generator",
    (Budget, "joints"): "held against channels over panels only (LEN007)",
    (Budget, "reach_m"): "printed; the reach of the parts is judged",
    (RackType, "weight_limit_kg"): "weights in racks are not judged yet",
    (CableAssembly, "a.boot_mm"): "may only ask for more room than the standoff, which is judged",
    (CableAssembly, "z.boot_mm"): "may only ask for more room than the standoff, which is judged",
    (CableAssembly, "a.head_mm"): "one end that passes is enough: test_either_end_may_be_pulled_first",
    (CableAssembly, "z.head_mm"): "one end that passes is enough: test_either_end_may_be_pulled_first",
    (Transceiver, "end.boot_mm"): "the cord's standoff is judged",
    (Transceiver, "end.head_mm"): "transceivers are not pulled",
}


def figures_of(model: type[BaseModel], at: str = "") -> Iterator[str]:
    """Path of every figure of a schema; lists by their first item, mappings of figures by a grade."""
    for name, info in model.model_fields.items():
        yield from _figures_in(info.annotation, f"{at}{name}")


def _figures_in(annotation: Any, at: str) -> Iterator[str]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        if issubclass(annotation, Figure):
            yield at
        else:
            yield from figures_of(annotation, f"{at}.")
        return
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    for argument in arguments:
        yield from _figures_in(argument, f"{at}.0" if origin is list else f"{at}.om4" if origin is dict else at)


def test_every_figure_is_judged_or_left_out_with_a_reason() -> None:
    models = (Transceiver, CableAssembly, Cord, Device, RackType, PathwayType, Budget)
    found = {(model, path) for model in models for path in figures_of(model)}
    assert found == JUDGED.keys() | NOT_JUDGED.keys()
    assert not JUDGED.keys() & NOT_JUDGED.keys()


def figure(value: object) -> dict[str, object]:
    return {"value": value, "source": "test", "evidence": "primary"}


def proven_files() -> dict[str, dict[str, Any]]:
    """Trees of a catalog in which everything is known and sourced."""
    names = (HOST, PLUG, CORD, RACK, BUDGETS)
    trees = {name: yaml.safe_load((TEST_CATALOG / f"{name}.yaml").read_text(encoding="utf-8")) for name in names}
    trees[PLUG]["min_length_m"] = figure(1)
    trees[HOST]["slides_out_m"] = figure(0.5)
    trees[HOST]["cages"][0]["power_limits"] = []
    end = {
        "form_factor": "osfp", "heat_sink": "flat", "ports": 1, "lanes_per_port": 4, "lane_rate_gbps": 100,
        "standoff_mm": figure(100), "head_mm": figure([22.58, 9.5, 107.8]),
    }  # fmt: skip
    trees[CORD]["head_mm"] = figure([12, 8, 40])
    trees[RACK]["door_depth_mm"] = figure([0, 0])
    common = {
        name: trees[CORD][name]
        for name in ("lifecycle", "reach_m", "tolerance_mm", "outer_diameter_mm", "kg_per_m", "bend_radius_mm")
    }
    trees[DAC] = common | {
        "id": "dac-proven", "kind": "dac", "manufacturer": "none", "description": "a cable whose every figure is known",
        "members": [{"part": "DAC-PROVEN-50", "length_m": 50}], "a": deepcopy(end), "z": deepcopy(end), "protocols": ["infiniband"],
        "length_of": figure("tip"), "insertion_mm": figure(40), "power_w": figure(0.1),
    }  # fmt: skip
    trees[SPLITTER] = trees[CORD] | {
        "id": "splitter-proven", "kind": "splitter", "legs_source": figure("drawing"),
        "members": [{"part": "SPLITTER-PROVEN-50", "length_m": 50}],
        "legs": {1: {1: 12, 2: 11, 11: 2, 12: 1}, 2: {3: 12, 4: 11, 9: 2, 10: 1}},
    }  # fmt: skip
    trees[TRAY] = {
        "id": "tray-measured", "kind": "tray", "manufacturer": "none", "description": "a tray", "width_mm": 300,
        "usable_depth_mm": 100, "side_wall_mm": 100, "rating_kg_per_m": figure(30), "bend_radius_mm": figure(300),
        "waterfall_radius_mm": figure(300), "source": "test", "evidence": "primary",
    }  # fmt: skip
    return trees


def told(folder: Path, trees: dict[str, dict[str, Any]], cable: str) -> list[str]:
    """What the plan calls unproven, or unknown of lifecycles."""
    medium, pins = PINS[cable]
    files = {f"catalog/{name}.yaml": yaml.safe_dump(tree, sort_keys=False) for name, tree in trees.items()}
    result = compiled(folder, OPTIC.replace("MEDIUM", medium).replace("PINS", pins), files)
    assert result.plan is not None
    return [
        f.message
        for f in result.findings
        if f.rule in ("CAT001", "CAT002", "CAT003", "CAT004", "CAT013", "CAT014", "DEV006")
    ]


def step_into(tree: Any, path: str) -> tuple[Any, Any]:
    """The container of the value at a path, and its key there."""
    *way, last = path.split(".")
    for key in way:
        tree = tree[int(key) if key.isdigit() else key]
    return tree, last


@pytest.mark.parametrize("cable", PINS)
def test_nothing_is_told_of_a_plan_whose_every_figure_is_proven(tmp_path: Path, cable: str) -> None:
    assert told(tmp_path, proven_files(), cable) == []


def test_either_end_may_be_pulled_first(tmp_path: Path) -> None:
    """One end of a known size is enough to pass; with none nothing is proven."""
    trees = proven_files()
    trees[DAC]["a"]["head_mm"]["value"] = None
    assert told(tmp_path / "one", trees, DAC) == []
    trees[DAC]["z"]["head_mm"]["value"] = None
    assert told(tmp_path / "none", trees, DAC) == [
        "`head_mm` of `dac-proven` is not known, so whether its plugs pass opening `hole` is not proven"
    ]


@pytest.mark.parametrize("state", ["unknown", "unsourced"])
@pytest.mark.parametrize(
    ("model", "path"), JUDGED, ids=lambda value: value if isinstance(value, str) else value.__name__
)
def test_a_figure_that_is_not_proven_is_told_once(
    tmp_path: Path, model: type[BaseModel], path: str, state: str
) -> None:
    file, cable = JUDGED[model, path]
    trees = proven_files()
    if "power_limits" in path:
        trees[file]["cages"][0]["power_limits"] = [{"cages": "P1", "max_power_w": figure(17)}]
    if model is Budget:
        path = (
            f"budgets.{next(n for n, budget in enumerate(trees[file]['budgets']) if budget['grade'] == 'om4')}.loss_db"
        )
    container, name = step_into(trees[file], path)
    container[name] = dict(container[name]) | ({"value": None} if state == "unknown" else {"evidence": "unverified"})
    messages = told(tmp_path, trees, cable)
    assert len(messages) == 1, messages
    assert WORDS.get(name, name) in messages[0]


@pytest.mark.parametrize(
    ("file", "at", "words"),
    [
        (HOST, "cages.0.evidence", "`cages`"),
        (HOST, "cages.0.points.evidence", "the places of its cages"),
        (RACK, "evidence", "rack type"),
        (TRAY, "evidence", "pathway type"),
    ],
)
def test_a_statement_without_a_trustworthy_source_is_told_once(tmp_path: Path, file: str, at: str, words: str) -> None:
    trees = proven_files()
    container, name = step_into(trees[file], at)
    container[name] = "unverified"
    (message,) = told(tmp_path, trees, CORD)
    assert words in message


def test_the_rails_of_a_generator(tmp_path: Path) -> None:
    """A generator deals out links by the rails of the nodes' ports."""
    node = yaml.safe_load((ROOT / "catalogs/devices/dgx-h100.yaml").read_text(encoding="utf-8"))
    node["rails"]["evidence"] = "unverified"
    text = project_text("superpod-h100-1su") + "catalogs: [own]\n"
    result = compiled(tmp_path, text, {"own/devices/dgx-h100.yaml": yaml.safe_dump(node, sort_keys=False)})
    messages = [finding.message for finding in result.findings if finding.rule == "CAT004"]
    assert sum("`rails` of `dgx-h100` has no trustworthy source" in message for message in messages) == 1
