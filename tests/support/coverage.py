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
