"""What the catalog carries of the NVIDIA reference: every entry is in, or left out with its reason."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import pytest

import planner.rules  # noqa: F401 - enters the rules into the registry
from planner.catalog.load import Catalog
from planner.rules.registry import RULES
from tests.support.coverage import coverage_of, entries_of, reasons_of

FILE: Final = Path(__file__).with_name("nvidia_coverage.yaml")
PARTS: Final = ("devices", "pluggables", "fibre_cables")
HELD_BY: Final = {"rules", "catalog", "planner", "open"}


COVERAGE: Final = coverage_of(FILE)
ENTRIES: Final = tuple(entries_of(COVERAGE, PARTS))


def test_every_part_is_in_or_left_out_with_its_reason() -> None:
    strange = [name for _, name, entry in ENTRIES if set(entry) not in ({"ids"}, {"left_out"})]
    assert strange == []


def test_every_id_is_a_family_of_its_shelf(catalog: Catalog) -> None:
    shelves = {
        "devices": set(catalog.devices),
        "pluggables": {*catalog.transceivers, *catalog.cables},
        "fibre_cables": set(catalog.cords),
    }
    missing = [
        f"{name}: {id_}" for section, name, e in ENTRIES for id_ in e.get("ids", []) if id_ not in shelves[section]
    ]
    assert missing == []


def test_no_nvidia_part_of_the_catalog_is_unaccounted_for(catalog: Catalog) -> None:
    listed = {id_ for _, _, entry in ENTRIES for id_ in entry.get("ids", [])}
    # A stand-in: reference designs name the appliance, no list of parts does.
    listed.add("ufm-appliance")
    makers = [(id_, getattr(entry, "manufacturer", "")) for id_, entry in ((e.id, e) for _, e in catalog.entries())]
    assert [id_ for id_, maker in makers if maker == "NVIDIA" and id_ not in listed] == []


def test_every_rule_is_held_by_something_that_exists() -> None:
    strange = []
    for name, entry in COVERAGE["rules"].items():
        if not entry or not set(entry) <= HELD_BY:
            strange.append(name)
        strange += [f"{name}: {rule}" for rule in entry.get("rules", []) if rule not in RULES]
    assert strange == []


def test_counts(capsys: pytest.CaptureFixture[str]) -> None:
    lines = []
    for section in PARTS:
        entries = COVERAGE[section].values()
        out = sum("left_out" in entry for entry in entries)
        families = sum(len(entry.get("ids", [])) for entry in entries)
        lines.append(f"nvidia {section}: {len(entries) - out} in as {families} families, {out} left out")
    rules = COVERAGE["rules"].values()
    wholly = sum("open" not in entry for entry in rules)
    partly = sum("open" in entry and len(entry) > 1 for entry in rules)
    lines.append(f"nvidia rules: {wholly} held, {partly} held in part, {len(rules) - wholly - partly} open")
    lines += reasons_of(COVERAGE, (*PARTS, "rules"))
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")
