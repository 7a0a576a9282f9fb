"""From a file's tree of texts to a typed model, with every fault of form at its place.

One wrong value must not hide the others, nor the faults of later stages: what is wrong is reported, cut out of the
tree, and the rest is checked again, until it holds. `gaps` names the sections from which something was cut, so that
later stages do not report references into them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
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
    with suppress(ValidationError):
        return Validated(schema.model_validate(root), root, [], frozenset())
    tree = _copy(root)
    faults: dict[tuple[str, int, Loc], Fault] = {}
    gaps: set[str] = set()
    cut: set[Loc] = set()
    for _ in range(MAX_ROUNDS):
        try:
            model = schema.model_validate(tree)
            return Validated(model, tree, list(faults.values()), frozenset(gaps))
        except ValidationError as error:
            details = error.errors(include_url=False, include_context=True)
        located = [(_real_loc(tree, detail["loc"], detail["type"]), detail) for detail in details]
        for loc, detail in located:
            # What is missing, or too few, because it was cut out has been told; and the branches of a union each
            # complain about the same value.
            missing = detail["type"] == "missing"
            shortened = detail["type"] == "too_short" and any(gone[:-1] == loc for gone in cut)
            if not (missing and loc in cut) and not shortened:
                fault = _fault(schema, tree, loc, detail)
                faults.setdefault((fault.rule, fault.at, loc if missing else ()), fault)
            if detail["type"] == "extra_forbidden" and len(loc) == 1:
                gaps.update(filter(None, (nearest(str(loc[0]), _keys_at(schema, ())),)))
        cuts = {_cut_for(schema, loc, detail["type"]) for loc, detail in located}
        gaps.update(str(loc[0]) for loc in cuts if loc)
        cut |= cuts
        if not _cut_all(tree, cuts):
            break
    return Validated(None, tree, list(faults.values()), frozenset(gaps))


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
            # A key that looks like a number (a splitter's leg) is text in the tree, and maybe not in pydantic's path.
            key = str(step)
            real.append(key)
            node = node[key]
        elif isinstance(node, YamlSeq) and isinstance(step, int) and step < len(node):
            real.append(step)
            node = node[step]
        elif isinstance(node, YamlMap) and step == "generate" and isinstance(links := node.get("links"), YamlMap):
            # `links: {generate: ...}` says the same as `generate: ...`, which is where the schema reads it.
            real += ["links", step]
            node = links.get("generate")
        elif last and kind == "missing":
            real.append(step)
    return tuple(real)


def _fault(schema: type[BaseModel], tree: YamlMap, loc: Loc, detail: ErrorDetails) -> Fault:
    kind = detail["type"]
    if kind == "extra_forbidden":
        return _unknown_key(schema, tree, loc)
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        return _wrong_kind(tree, loc, detail)
    if kind == "missing" and isinstance(loc[-1], int):
        message = f"`{_spoken(loc[:-1])}`: it has {_items(loc[-1])}, more are wanted"
        return Fault("invalid-value", message, spot_at(tree, loc[:-1]), help=_POINT_HELP)
    if kind == "missing":
        where = f" in `{_spoken(loc[:-1])}`" if loc[:-1] else ""
        return Fault("missing-key", f"the key `{loc[-1]}` is missing{where}", spot_at(tree, loc[:-1]), help="add it")
    message = _in_words(str(detail.get("ctx", {}).get("error", "")), detail["input"]) or _plain(detail)
    if message.startswith(INVALID_NAME):
        message = message.removeprefix(INVALID_NAME)
        return Fault("invalid-name", message, spot_at(tree, loc), help=_name_help(message))
    text = f"`{_spoken(loc)}`: {message}" if loc else message
    return Fault("invalid-value", text, spot_at(tree, loc), help=_value_help(kind, message))


NAME_HELP: Final = "a name has 1 to 64 printable characters, none of `: ; [ ] ,` and no `--`"
_RANGE_HELP: Final = "write ranges as in `node-[001-031,040]`, each from the lower to the higher number"
_POINT_HELP: Final = "a point is written `[x, y]`"
_LENGTH_HELP: Final = 'write a plain number such as 2.5, or a text with its unit such as "7 ft"'

_VALUE_HELP: Final = (
    ("is not a number", _LENGTH_HELP),
    ("is not a unit of length", _LENGTH_HELP),
    ("points, at most", "keep the points where it turns"),
    ("a point is `[x, y]`", "write metres, such as `[2.5, 4]`, or `[2.5, 4, 2.7]`"),
    ("`height_m` is missing", "add `height_m`, or write every point as `[x, y, z]`"),
    ("a length is wanted", _LENGTH_HELP),
    ("is beyond", "look for a slipped unit or a slipped point"),
    ("is finer than", "round it"),
    ("is not a whole number", "write a whole number such as 12"),
    ("is not the width or depth", _LENGTH_HELP),
    ("is not a share", "write a share as 0.03 for 3 %"),
    ("is neither `true` nor `false`", "write `true` or `false`"),
    ("is not a day", "write year, month and day"),
    ("a text is wanted", "write one text; quote it if it has brackets or a colon"),
    ("either `rack` or `racks`", "`rack` puts all devices into one rack, `racks` fills rack by rack"),
    ("a measured length is of", "keep one of the three keys"),
    ("stands twice", "keep one of the two"),
    ("is not a ratio", "write ports down to ports up, as in `3:1`"),
    ("either `nodes` or `ends`", "keep `nodes`, or list each kind of device under `ends`"),
    ("has two planes", "name two planes, or take the kind `multi-plane`"),
    ("they stand with its leaves and spines", "move them into `planes`"),
    ("with `ends` they stand", "move them to the ends"),
)
"""What to do, by words of the message; the first that fits wins."""

_TYPE_HELP: Final = {
    "literal_error": "take one of these words",
    "enum": "take one of these words",
    "list_type": "write a list, `[...]` or lines that begin with `-`, or leave the key out",
    "tuple_type": _POINT_HELP,
    "too_long": _POINT_HELP,
    "too_short": "write more, or leave the key out where it may be absent",
    "model_type": "write `key: value` pairs, or leave the key out",
    "dict_type": "write `key: value` pairs, or leave the key out",
    "model_attributes_type": "write `key: value` pairs, or leave the key out",
    "string_too_short": "write why",
}


def _name_help(message: str) -> str:
    return NAME_HELP if "is not a name" in message else _RANGE_HELP if "`" in message else "write the name"


def _value_help(kind: str, message: str) -> str:
    return next((advice for words, advice in _VALUE_HELP if words in message), _TYPE_HELP.get(kind, ""))


def _items(count: int) -> str:
    return "one item" if count == 1 else f"{count} items"


def spoken(given: Any) -> str:
    """What stands in the file, as people say it."""
    match given:
        case None:
            return "nothing"
        case str():
            return f"`{given}`"
        case list():
            return "a list"
    return "a mapping"


def _in_words(message: str, given: Any) -> str:
    """A message of ours without Python's spelling of a list or of nothing."""
    if "integer string conversion" in message:
        return "a number has too many digits"
    return message if isinstance(given, str) else message.replace(f"`{given}`", spoken(given))


def _plain(detail: ErrorDetails) -> str:
    """pydantic's own messages in our tone: what is wanted, and what stands there."""
    kind, shown = detail["type"], spoken(detail["input"])
    match kind:
        case "literal_error" | "enum":
            wanted = str(detail.get("ctx", {}).get("expected", "")).replace("'", "`")
            return f"{shown} is not {'one of ' if ' or ' in wanted else ''}{wanted}"
        case "too_short" | "too_long":
            context = detail.get("ctx", {})
            bound = context.get("min_length", context.get("max_length"))
            least = "at least" if kind == "too_short" else "at most"
            return f"it has {_items(context.get('actual_length', 0))}, {least} {bound} {'is' if bound == 1 else 'are'} wanted"
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


def _wrong_kind(tree: YamlMap, loc: Loc, detail: ErrorDetails) -> Fault:
    """A mapping whose form a key of it tells (a generator's `kind`), and that key is absent or names no form."""
    context = detail.get("ctx", {})
    key = str(context.get("discriminator", "")).strip("'")
    if detail["type"] == "union_tag_not_found":
        return Fault(
            "missing-key", f"the key `{key}` is missing in `{_spoken(loc)}`", spot_at(tree, loc), help="add it"
        )
    given = detail["input"].get(key)
    known = str(context.get("expected_tags", "")).replace("'", "").split(", ")
    meant = nearest(given, known) if isinstance(given, str) else None
    place = (*loc, key)
    message = f"`{_spoken(place)}`: {spoken(given)} is not a {key} known here"
    shown = ", ".join(f"`{word}`" for word in sorted(known))
    advice = f"did you mean `{meant}`?" if meant else f"known here: {shown}"
    return Fault("invalid-value", message, spot_at(tree, place), help=advice)


def _unknown_key(schema: type[BaseModel], tree: YamlMap, loc: Loc) -> Fault:
    valid = _keys_at(schema, loc[:-1], tree)
    meant = nearest(str(loc[-1]), valid)
    known = ", ".join(f"`{key}`" for key in sorted(valid))
    help_text = f"did you mean `{meant}`?" if meant else f"known here: {known}" if known else "take it out"
    return Fault("unknown-key", f"unknown key `{loc[-1]}`", key_spot_at(tree, loc), help=help_text)


def _keys_at(schema: type[BaseModel], loc: Loc, tree: YamlMap | None = None) -> set[str]:
    """Keys that the schema knows at a path; several models may stand there (a union), and all are named.

    Those whose `kind` is another than the tree's are not: the form that the user chose is known.
    """
    models = {schema}
    node: Any = tree
    for step in loc:
        node = _below(node, step)
        if isinstance(step, int):
            continue
        found: set[type[BaseModel]] = set()
        for model in models:
            for name, info in model.model_fields.items():
                if step in (name, info.alias):
                    found |= set(_models_in(info.annotation))
        chosen = {model for model in found if _is_of_kind(model, node)}
        models = chosen or found or models
    return {info.alias or name for model in models for name, info in model.model_fields.items()}


def _is_of_kind(model: type[BaseModel], node: Any) -> bool:
    kind = model.model_fields.get("kind")
    return kind is None or not isinstance(node, YamlMap) or node.get("kind") in get_args(kind.annotation)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)


def _cut_for(schema: type[BaseModel], loc: Loc, kind: str) -> Loc:
    """What to take out so that the rest can be checked: as little as the schema can do without.

    An unknown key goes alone, a key that lacks a part goes whole. A list that may be absent loses the item at fault; one
    that is required goes whole, since what it describes (the cages of a switch) would be another thing without an item.
    """
    if kind == "extra_forbidden":
        return loc
    if kind == "missing":
        loc = loc[:-1]
    for place, step in enumerate(loc):
        if isinstance(step, int):
            return loc[: place + 1] if _may_be_absent(schema, loc[:place]) else loc[:place]
    return loc


def _may_be_absent(schema: type[BaseModel], loc: Loc) -> bool:
    """Whether the key at the end of a path has a default."""
    models = {schema}
    absent = False
    for step in loc:
        found: set[type[BaseModel]] = set()
        for model in models:
            info = model.model_fields.get(str(step))
            if info is not None:
                absent = not info.is_required()
                found |= set(_models_in(info.annotation))
        models = found
    return absent


def _cut_all(tree: YamlMap, cuts: set[Loc]) -> bool:
    """Take out every place named; false when nothing could be taken out, so that another round would change nothing."""
    done = False
    for loc in sorted(
        cuts,
        key=lambda loc: [(isinstance(step, str), step if isinstance(step, int) else 0) for step in loc],
        reverse=True,
    ):
        holder: Any = tree
        for step in loc[:-1]:
            holder = _below(holder, step)
        if not loc or _below(holder, loc[-1]) is _NOTHING:
            continue
        del holder[loc[-1]]
        if isinstance(holder, YamlSeq):
            del holder.spots[loc[-1]]  # type: ignore[arg-type]
        done = True
    return done


_NOTHING: Final = object()


def _below(node: Any, step: int | str) -> Any:
    """What stands at a key or an item, or _NOTHING."""
    if isinstance(node, YamlMap):
        return node.get(str(step), _NOTHING)
    if isinstance(node, YamlSeq) and isinstance(step, int) and step < len(node):
        return node[step]
    return _NOTHING
