"""Trees that were kept as JSON, in a plan, back in the form in which the reader gives them; without places."""

from __future__ import annotations

import json
from typing import Any

from planner.findings import NOWHERE
from planner.reader.yaml_source import Value, YamlMap, YamlSeq


def tree_of_json(text: str) -> YamlMap:
    """The mapping that a JSON text holds. Raises ValueError where it holds none."""
    tree = _tree(json.loads(text))
    if not isinstance(tree, YamlMap):
        raise ValueError("a JSON object is expected")  # noqa: TRY004 - damaged data, not a caller's mistake
    return tree


def _tree(value: Any) -> Value:
    if isinstance(value, dict):
        return mapping_of({key: _tree(item) for key, item in value.items()})
    if isinstance(value, list):
        return sequence_of([_tree(item) for item in value])
    return None if value is None else str(value)


def mapping_of(items: dict[str, Value]) -> YamlMap:
    """A mapping of trees without places."""
    mapping = YamlMap(NOWHERE)
    mapping.update(items)
    mapping.key_spots = dict.fromkeys(items, NOWHERE)
    mapping.value_spots = dict.fromkeys(items, NOWHERE)
    return mapping


def sequence_of(items: list[Value]) -> YamlSeq:
    """A sequence of trees without places."""
    sequence = YamlSeq(NOWHERE)
    sequence.extend(items)
    sequence.spots = [NOWHERE] * len(items)
    return sequence
