"""Files that say of every entry of a reference where the catalog has it, or why not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from planner.reader.yaml_source import load_yaml


def coverage_of(file: Path) -> dict[str, Any]:
    tree, faults = load_yaml(file.read_bytes(), 0)
    assert faults == []
    assert isinstance(tree, dict)
    return dict(tree)


def entries_of(coverage: dict[str, Any], sections: Iterable[str]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Section, name and entry of each entry of the sections."""
    for section in sections:
        for name, entry in coverage[section].items():
            yield section, name, entry


def reasons_of(coverage: dict[str, Any], sections: Iterable[str]) -> Iterator[str]:
    """A line for each entry that is left out, or of which something is missing: what and why."""
    for section, name, entry in entries_of(coverage, sections):
        for key, words in (("left_out", "left out"), ("open", "open")):
            if key in entry:
                yield f"  {section}, {name}: {words}: {entry[key]}"
