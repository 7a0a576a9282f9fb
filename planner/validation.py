"""From a file's tree of texts to a typed model, with every fault of form at its place.

One wrong value must not hide the others, nor the faults of later stages: what is wrong is reported, cut out of the
tree, and the rest is checked again, until it holds. `gaps` names the sections from which something was cut, so that
later stages do not report references into them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from planner.findings import Fault
from planner.names import nearest
from planner.reader import YamlMap, YamlSeq, key_spot_at, spot_at
from planner.schema_types import INVALID_NAME

Model = TypeVar("Model", bound=BaseModel)
Loc = tuple[int | str, ...]

MAX_ROUNDS: Final = 50


@dataclass(frozen=True, slots=True)
class Validated(Generic[Model]):
    """What could be read of a file: the model unless its required parts are at fault, and its tree without the faults."""

    model: Model | None
    root: YamlMap
    faults: list[Fault]
    gaps: frozenset[str]


def validated(schema: type[Model], root: YamlMap) -> Validated[Model]:
    """Check a tree against a schema; the tree itself is left as it was."""
    tree = _copy(root)
    faults: list[Fault] = []
    gaps: set[str] = set()
    for _ in range(MAX_ROUNDS):
        try:
            return Validated(schema.model_validate(tree), tree, faults, frozenset(gaps))
        except ValidationError as error:
            details = error.errors(include_url=False, include_context=True)
        located = [(_real_loc(tree, detail["loc"], detail["type"]), detail) for detail in details]
        faults.extend(_once(_fault(schema, tree, loc, detail) for loc, detail in located))
        cuts = {_cut_for(loc, detail["type"]) for loc, detail in located}
        if not _cut_all(tree, cuts, gaps):
            break
    return Validated(None, tree, faults, frozenset(gaps))


def _once(faults: Iterator[Fault]) -> list[Fault]:
    """One fault per place and rule: the branches of a union each complain about the same value."""
    kept: dict[tuple[str, int], Fault] = {}
    for fault in faults:
        kept.setdefault((fault.rule, fault.at), fault)
    return list(kept.values())


def _copy(value: Any) -> Any:
    """Containers copied, places shared: cutting must not touch the tree that others read."""
    if isinstance(value, YamlMap):
        copied = YamlMap(value.spot)
        copied.update((key, _copy(item)) for key, item in value.items())
        copied.key_spots, copied.value_spots = value.key_spots, value.value_spots
        return copied
    if isinstance(value, YamlSeq):
        items = YamlSeq(value.spot)
        items.extend(_copy(item) for item in value)
        items.spots = list(value.spots)
        return items
    return value


def _real_loc(tree: YamlMap, loc: Sequence[int | str], kind: str) -> Loc:
    """pydantic's path without the names of union branches and key checks, which stand in no file."""
    real: list[int | str] = []
    node: Any = tree
    for position, step in enumerate(loc):
        last = position == len(loc) - 1
        if isinstance(node, YamlMap) and (step in node or str(step) in node):
            key = step if step in node else str(step)
            real.append(key)
            node = node[key]
        elif isinstance(node, YamlSeq) and isinstance(step, int) and step < len(node):
            real.append(step)
            node = node[step]
        elif last and kind == "missing":
            real.append(step)
    return tuple(real)


def _fault(schema: type[BaseModel], tree: YamlMap, loc: Loc, detail: ErrorDetails) -> Fault:
    kind = detail["type"]
    if kind == "extra_forbidden":
        return _unknown_key(schema, tree, loc)
    if kind == "missing":
        where = f" in `{_spoken(loc[:-1])}`" if loc[:-1] else ""
        return Fault("missing-key", f"the key `{loc[-1]}` is missing{where}", spot_at(tree, loc[:-1]), help="add it")
    message = str(detail.get("ctx", {}).get("error", "")) or _plain(detail)
    if message.startswith(INVALID_NAME):
        return Fault("invalid-name", message.removeprefix(INVALID_NAME), spot_at(tree, loc), help=_NAME_HELP)
    return Fault("invalid-value", f"`{_spoken(loc)}`: {message}" if loc else message, spot_at(tree, loc))


_NAME_HELP: Final = "a name has 1 to 64 printable characters, none of `: ; [ ] ,` and no `--`"


def _plain(detail: ErrorDetails) -> str:
    """pydantic's own messages in our tone: what is wanted, and what stands there."""
    kind, given = detail["type"], detail["input"]
    shown = "nothing" if given is None else f"`{given}`" if isinstance(given, str) else "a list" if isinstance(given, list) else "a mapping"
    match kind:
        case "literal_error" | "enum":
            return f"{shown} is not one of {str(detail.get('ctx', {}).get('expected', '')).replace(chr(39), '`')}"
        case "too_short" | "too_long":
            context = detail.get("ctx", {})
            bound = context.get("min_length", context.get("max_length"))
            return f"it has {context.get('actual_length')} items, {'at least' if kind == 'too_short' else 'at most'} {bound} are wanted"
        case "list_type" | "tuple_type":
            return f"a list is wanted, {shown} stands here"
        case "model_type" | "dict_type" | "model_attributes_type":
            return f"a mapping is wanted, {shown} stands here"
        case "string_too_short":
            return "a text is wanted, it is empty"
    message = detail["msg"]
    return message[:1].lower() + message[1:]


def _spoken(loc: Loc) -> str:
    """`racks[2].at_m`: a path as people say it, items counted from 1."""
    text = ""
    for step in loc:
        text += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text


def _unknown_key(schema: type[BaseModel], tree: YamlMap, loc: Loc) -> Fault:
    valid = _keys_at(schema, loc[:-1])
    meant = nearest(str(loc[-1]), valid)
    known = ", ".join(f"`{key}`" for key in sorted(valid))
    help_text = f"did you mean `{meant}`?" if meant else f"known here: {known}" if known else "take it out"
    return Fault("unknown-key", f"unknown key `{loc[-1]}`", key_spot_at(tree, loc), help=help_text)


def _keys_at(schema: type[BaseModel], loc: Loc) -> set[str]:
    """Keys that the schema knows at a path; several models may stand there (a union), and all are named."""
    models = {schema}
    for step in loc:
        if isinstance(step, int):
            continue
        found: set[type[BaseModel]] = set()
        for model in models:
            for name, info in model.model_fields.items():
                if step in (name, info.alias):
                    found |= set(_models_in(info.annotation))
        models = found or models
    return {info.alias or name for model in models for name, info in model.model_fields.items()}


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)


def _cut_for(loc: Loc, kind: str) -> Loc:
    """What to take out so that the rest can be checked: an unknown key alone, else the item of the top-level list."""
    if kind == "extra_forbidden":
        return loc
    if len(loc) >= 2 and isinstance(loc[1], int):
        return loc[:2]
    return loc[:1]


def _cut_all(tree: YamlMap, cuts: set[Loc], gaps: set[str]) -> bool:
    """Take out every place named; false when nothing could be taken out, so that another round would change nothing."""
    done = False
    for loc in sorted(cuts, key=lambda loc: [(isinstance(step, str), step if isinstance(step, int) else 0) for step in loc], reverse=True):
        node: Any = tree
        for step in loc[:-1]:
            node = node[step]
        if not loc or (isinstance(node, YamlMap) and loc[-1] not in node):
            continue
        if isinstance(node, YamlSeq):
            if loc[-1] >= len(node):
                continue
            del node[loc[-1]], node.spots[loc[-1]]
        else:
            del node[loc[-1]]
        if len(loc) <= 2:
            gaps.add(str(loc[0]))
        done = True
    return done
