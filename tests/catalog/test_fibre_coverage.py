"""What the catalog and the planner carry of the fibre reference: every entry is in, or left out with its reason."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import pytest

import planner.rules  # noqa: F401 - enters the rules into the registry
from planner.catalog.load import Catalog
from planner.channel.maps import POLARITIES, WIRINGS
from planner.rules.registry import RULES
from tests.support.coverage import coverage_of, entries_of, reasons_of

FILE: Final = Path(__file__).with_name("fibre_coverage.yaml")
ROOT: Final = Path(__file__).resolve().parents[2]
KEYS: Final = {
    "components": {"ids", "maps", "open", "left_out"},
    "facts": {"rules", "catalog", "planner", "open", "left_out"},
}

COVERAGE: Final = coverage_of(FILE)
ENTRIES: Final = tuple(entries_of(COVERAGE, KEYS))


def test_every_entry_is_in_or_left_out_with_its_reason() -> None:
    assert set(COVERAGE) == set(KEYS)
    strange = [
        f"{section}: {name}"
        for section, name, entry in ENTRIES
        if not entry or not set(entry) <= KEYS[section] or ("left_out" in entry and len(entry) > 1)
    ]
    assert strange == []


def test_every_id_map_rule_and_file_exists(catalog: Catalog) -> None:
    known = {
        "ids": {*catalog.cords, *catalog.structured},
        "maps": {*POLARITIES, *WIRINGS},
        "rules": set(RULES),
    }
    missing = [
        f"{name}: {value}" for _, name, entry in ENTRIES for key in known for value in entry.get(key, [])
        if value not in known[key]
    ]  # fmt: skip
    files = [word.strip(",:;") for _, _, entry in ENTRIES for word in entry.get("planner", "").split() if "/" in word]
    missing += [file for file in files if not (ROOT / file).exists()]
    assert missing == []


def test_generic_cords_and_structured_parts_are_listed_by_their_map(catalog: Catalog) -> None:
    """Of trunks one of each map and base is named; every plate, cassette, splitter and duplex or Type A cord is."""
    listed = {id_ for _, _, entry in ENTRIES for id_ in entry.get("ids", [])}
    unlisted = {part.id for part in catalog.structured.values() if part.kind in ("adapter", "cassette", "shuffle")}
    unlisted |= {cord.id for cord in catalog.cords.values() if cord.legs or cord.polarity != "B"}
    assert sorted(unlisted - listed) == []


def test_counts(capsys: pytest.CaptureFixture[str]) -> None:
    lines = []
    for section in KEYS:
        entries = COVERAGE[section].values()
        out = sum("left_out" in entry for entry in entries)
        only_open = sum(set(entry) == {"open"} for entry in entries)
        partly = sum("open" in entry and len(entry) > 1 for entry in entries)
        held = len(entries) - out - only_open
        lines.append(f"fibre {section}: {held} in, {partly} of them in part, {out} left out, {only_open} open")
    lines += reasons_of(COVERAGE, KEYS)
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")
