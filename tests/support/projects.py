"""Projects as tests write them: copied or written into a folder of their own, compiled, and their findings in short."""

from __future__ import annotations

import fcntl
import re
import shutil
from atexit import register
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

import numpy as np

from planner.cli import main
from planner.findings import Finding, Severity
from planner.pipeline import Compiled, compile_project
from planner.plan import PhaseRow, Plan

ROOT = Path(__file__).resolve().parents[2]
LAYOUTS = ROOT / "layouts"
TEST_CATALOG = ROOT / "tests" / "rules" / "catalog"

SHIPPED: Final = (
    "devices/dgx-h100.yaml",
    "devices/host-2u-connectx-7.yaml",
    "devices/qm9700.yaml",
    "devices/ufm-appliance.yaml",
    "racks/rack-4?u-600x1200.yaml",
    "pathways/basket-*.yaml",
    "plugs/mma1z00-ns400.yaml",
    "plugs/mma4z00-*.yaml",
    "plugs/mms1x00-ns400.yaml",
    "plugs/mms4x00-n*.yaml",
    "plugs/mca4j80*.yaml",
    "plugs/mcp4y10*.yaml",
    "plugs/mcp7y[01]0*.yaml",
    "fibre/mfp7e*.yaml",
    "fibre/generic-panel-1u-4-slots.yaml",
    "fibre/generic-plate-8xmpo-*.yaml",
    "fibre/generic-cassette-6xlc-om4-u1.yaml",
    "fibre/generic-trunk-12f-base12-upc-om4-type-b-f.yaml",
    "fibre/generic-trunk-48f-base12-apc-om4-type-b-m.yaml",
    "compatibility/*.yaml",
    "prices/*.yaml",
)
"""What the projects of these tests use of the shipped catalog."""

_EXPECT = re.compile(r"^# expect: (?P<rule>[A-Z]{3}\d{3}) (?P<place>\S+)$", re.MULTILINE)

Mark = tuple[str, str]
"""A finding in short: its rule, and its line (`14`), its file and line (`links.csv:3`), or `-`."""


@cache
def small_catalog() -> Path:
    """The shipped files that are used here, in a folder of their own: hundreds of hostile projects are read with them.

    What a message says of parts that do not fit then stays the same when the shipped catalog grows.
    """
    folder = Path(mkdtemp(prefix="planner-tests-"))
    register(shutil.rmtree, folder, ignore_errors=True)
    for pattern in SHIPPED:
        for path in sorted((ROOT / "catalogs").glob(pattern)):
            place = folder / path.relative_to(ROOT / "catalogs")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)
    return folder


def project_text(layout: str) -> str:
    """The main file of one of the shipped layouts."""
    return (LAYOUTS / layout / "project.yaml").read_text(encoding="utf-8")


def changed(text: str, *changes: tuple[str, str]) -> str:
    """The text with each piece replaced where it first stands; a piece that is absent is a fault of the test."""
    for old, new in changes:
        assert old in text, f"{old!r} is not in the text"
        text = text.replace(old, new, 1)
    return text


def write_project(folder: Path, text: str, files: Mapping[str, str | bytes] | None = None) -> Path:
    """A project in a folder: its main file, other files, and the tests' catalog where the text asks for `catalog`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "project.yaml").write_text(text, encoding="utf-8")
    for name, content in (files or {}).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    if "catalogs: [catalog]" in text and not (folder / "catalog").exists():
        shutil.copytree(TEST_CATALOG, folder / "catalog")
    return folder


def plan_of(folder: Path) -> Plan:
    """The plan of a project, errors or not."""
    plan = compile_project(folder).plan
    assert plan is not None
    return plan


def planned_once(layout: str, shared: Path) -> Path:
    """The documents of a layout as the command writes them, into a folder that several processes may ask for at once."""
    shared.mkdir(exist_ok=True)
    folder = shared / layout
    with (shared / f"{layout}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            main(["plan", str(LAYOUTS / layout), "--out", str(folder), "--draft"])
    return folder


def compiled(folder: Path, text: str, files: Mapping[str, str | bytes] | None = None) -> Compiled:
    return compile_project(write_project(folder, text, files))


def copied_case(case: Path, folder: Path) -> Path:
    """A case of `tests/rules` as a project folder: one file, or a folder of files."""
    if case.is_dir():
        shutil.copytree(case, folder, dirs_exist_ok=True)
        return write_project(folder, (folder / "project.yaml").read_text(encoding="utf-8"))
    return write_project(folder, case.read_text(encoding="utf-8"))


def expected_marks(case: Path) -> list[Mark]:
    """What a case says at its top."""
    main = case / "project.yaml" if case.is_dir() else case
    return sorted((found["rule"], found["place"]) for found in _EXPECT.finditer(main.read_text(encoding="utf-8")))


def mark(finding: Finding) -> Mark:
    at = finding.at
    if at is None:
        return finding.rule, "-"
    return finding.rule, str(at.line) if at.file == "project.yaml" else f"{at.file}:{at.line}"


def errors(result: Compiled) -> list[Finding]:
    return [finding for finding in result.findings if finding.severity is Severity.ERROR and not finding.waived]


def marks(result: Compiled, rule: str = "") -> list[Mark]:
    """All errors in short, and whatever the given rule says."""
    told = [f for f in result.findings if not f.waived and (f.severity is Severity.ERROR or f.rule == rule)]
    return sorted(mark(finding) for finding in told)


def in_two_phases(plan: Plan, racks_of_p2: set[str]) -> Plan:
    """The plan with its racks in P1 and P2; a cable has its later end's phase, a plug and a switch its rack's."""
    of_rack = np.array([int(rack.name in racks_of_p2) for rack in plan.racks], np.int64)
    of_device = np.array([of_rack[device.rack] for device in plan.devices], np.int64)
    return replace(
        plan,
        phases=(PhaseRow("P1", "2026-12-15"), PhaseRow("P2", "2027-03-01")),
        racks=tuple(replace(rack, phase=f"P{of_rack[n] + 1}") for n, rack in enumerate(plan.racks)),
        cables=replace(plan.cables, phase=np.maximum(of_rack[plan.cables.rack_a], of_rack[plan.cables.rack_z])),
        plugs=replace(plan.plugs, phase=of_device[plan.plugs.device]),
    )
