"""What the catalog carries of the Ethernet reference: every entry is in, or left out with its reason."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

import pytest

import planner.rules  # noqa: F401 - enters the rules into the registry
from planner.catalog.load import Catalog
from planner.catalog.plugs import CableAssembly, Protocol, Transceiver
from planner.rules.registry import RULES
from tests.support.coverage import coverage_of, entries_of, reasons_of

FILE: Final = Path(__file__).with_name("ethernet_coverage.yaml")
PARTS: Final = {
    "phys": {"ids", "budgets", "open"},
    "form_factors": {"form_factors", "catalog", "open"},
    "cage_power_limits": {"ids", "open"},
    "copper": {"ids", "open"},
    "aoc": {"ids", "open"},
    "asics": {"ids", "open"},
    "switches": {"ids", "open"},
    "nics": {"ids", "open"},
    "servers": {"ids", "open"},
    "prices": set[str](),
}
RULE_KEYS: Final = {"rules", "catalog", "planner", "open"}
STAND_INS: Final = {"generic", "NVIDIA", "Open Compute Project"}
"""Makers whose entries the reference does not list: classes, and what has a coverage of its own."""


COVERAGE: Final = coverage_of(FILE)
ENTRIES: Final = tuple(entries_of(COVERAGE, PARTS))


def test_every_entry_is_in_or_left_out_with_its_reason() -> None:
    assert set(COVERAGE) == {*PARTS, "rules"}
    strange = [
        f"{section}: {name}"
        for section, name, entry in ENTRIES
        if set(entry) != {"left_out"} and not (set(entry) - {"open"} and set(entry) <= PARTS[section])
    ]
    assert strange == []


def test_every_id_exists(catalog: Catalog) -> None:
    shelves = {entry.id for _, entry in catalog.entries()}
    budgets = {pmd for pmd, _ in catalog.budgets}
    forms = {fit.plug_form_factor for fit in catalog.fits}
    known = {"ids": shelves, "budgets": budgets, "form_factors": forms}
    missing = [
        f"{name}: {id_}"
        for _, name, entry in ENTRIES
        for key in known
        for id_ in entry.get(key, [])
        if id_ not in known[key]
    ]
    assert missing == []


def test_devices_of_other_makers_are_accounted_for(catalog: Catalog) -> None:
    listed = {id_ for _, _, entry in ENTRIES for id_ in entry.get("ids", [])}
    makers = [(id_, family.manufacturer) for id_, family in catalog.devices.items()]
    assert [id_ for id_, maker in makers if maker not in STAND_INS and id_ not in listed] == []


def test_generic_parts_are_listed_or_of_what_the_reference_does_not_know(catalog: Catalog) -> None:
    """Outside its lists stand 10G and 25G parts, twisted pair, and the classes of InfiniBand's HDR, NDR and XDR."""
    listed = {id_ for _, _, entry in ENTRIES for id_ in entry.get("ids", [])}
    plugs: list[Transceiver | CableAssembly] = [*catalog.transceivers.values(), *catalog.cables.values()]
    outside = [plug for plug in plugs if plug.manufacturer == "generic" and plug.id not in listed]
    infiniband = [p.id for p in outside if Protocol.INFINIBAND in p.protocols]
    management = [p.id for p in outside if Protocol.INFINIBAND not in p.protocols]
    assert [id_ for id_ in infiniband if not re.match(r"generic-(2x)?(hdr|ndr|xdr)-", id_)] == []
    assert [id_ for id_ in management if not id_.startswith(("generic-10g", "generic-25g", "generic-cat6"))] == []


def test_every_rule_is_held_by_something_that_exists() -> None:
    strange = []
    for name, entry in COVERAGE["rules"].items():
        if not entry or not set(entry) <= RULE_KEYS:
            strange.append(name)
        strange += [f"{name}: {rule}" for rule in entry.get("rules", []) if rule not in RULES]
    assert strange == []


def test_counts(capsys: pytest.CaptureFixture[str]) -> None:
    lines = []
    for section in PARTS:
        entries = COVERAGE[section].values()
        out = sum("left_out" in entry for entry in entries)
        partly = sum("open" in entry for entry in entries)
        lines.append(f"ethernet {section}: {len(entries) - out} in, {partly} of them in part, {out} left out")
    rules = COVERAGE["rules"].values()
    wholly = sum("open" not in entry for entry in rules)
    partly = sum("open" in entry and len(entry) > 1 for entry in rules)
    lines.append(f"ethernet rules: {wholly} held, {partly} held in part, {len(rules) - wholly - partly} open")
    lines += reasons_of(COVERAGE, (*PARTS, "rules"))
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")
