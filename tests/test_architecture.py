"""Imports of the planner point down, only its edges open files, and the command starts without heavy libraries."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import planner

PACKAGE = Path(planner.__file__).resolve().parent

# Layers by module or folder directly inside `planner/`; a module imports from its own layer and from those below.
LAYERS = {
    0: "units names table findings data schema_types label_template label_formats",
    1: "reader validation project catalog layout topology ports generators importers templates",
    2: "plan label_text label_fit label_zpl label_check typeset locate pins choices phases printable fallback_font stock rear_zone"
    " pathways routing lengths capacity selection alternates channel structured fill laying numbering baseline panel_cables",
    3: "rules waivers assemble rounds pipeline verify compare",
    4: "bom cutsheet elevation floorplan labelsheet summary schedules explain whatif sketches",
    5: "store write exchange",
    6: "cli __main__",
}
LAYER = {module: layer for layer, modules in LAYERS.items() for module in modules.split()}

# The only ones that may touch files: what is read passes the reader, what is written passes the writers.
FILE_MODULES = {"reader", "store", "write", "exchange", "cli", "data"}
FILE_CALLS = {"open", "read_text", "read_bytes", "write_text", "write_bytes"}

HEAVY = {
    "numpy",
    "scipy",
    "networkx",
    "rustworkx",
    "shapely",
    "openpyxl",
    "reportlab",
    "pydantic",
    "yaml",
    "PIL",
    "ezdxf",
}


class Import(NamedTuple):
    place: str
    here: str
    there: str


@cache
def modules() -> list[tuple[Path, str, ast.Module]]:
    """Each source file with the name of its module or folder directly inside `planner/`."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        inside = path.relative_to(PACKAGE)
        if inside.parts[0] != "_shipped" and inside != Path("__init__.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
            found.append((path, inside.parts[0].removesuffix(".py"), tree))
    return found


def place(path: Path, node: ast.stmt | ast.expr) -> str:
    return f"{path.relative_to(PACKAGE.parent)}:{node.lineno}"


def planner_imports() -> Iterator[Import]:
    """Every import of one part of the planner by another, also those inside functions and for types only."""
    for path, here, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                continue
            for name in names:
                package, _, rest = name.partition(".")
                there = rest.partition(".")[0]
                if package == "planner" and there and not there.startswith("__version__"):
                    yield Import(place(path, node), here, there)


def test_every_module_has_a_layer() -> None:
    unknown = {here for _, here, _ in modules()} | {found.there for found in planner_imports()}
    unknown -= LAYER.keys()
    assert not unknown, f"give {sorted(unknown)} a layer in LAYERS of this file (style: imports point only downwards)"


def test_imports_only_point_down() -> None:
    upward = [
        f"{found.place} {found.here} (layer {LAYER[found.here]}) imports {found.there} (layer {LAYER[found.there]})"
        for found in planner_imports()
        if LAYER.get(found.there, 0) > LAYER.get(found.here, 6)
    ]
    assert upward == []


def test_imports_are_absolute() -> None:
    relative = [
        place(path, node)
        for path, _, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert relative == []


def test_only_the_edges_touch_files() -> None:
    touching = []
    for path, here, tree in modules():
        for node in ast.walk(tree):
            if here in FILE_MODULES or not isinstance(node, ast.Call):
                continue
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name in FILE_CALLS:
                touching.append(f"{place(path, node)} calls {name}()")
    assert touching == []


def test_the_command_starts_without_heavy_libraries() -> None:
    code = "import json, sys, planner.cli; print(json.dumps(sorted(name.partition('.')[0] for name in sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert HEAVY & set(json.loads(run.stdout)) == set()
