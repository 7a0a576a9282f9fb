"""YAML as texts with places: what stands in the file and where, without YAML 1.1's guesses about what it means.

A scalar stays its source text (`NO`, `0123`, `1e3`, `1:30`), but plain `null`, `~` and nothing, which are None.
The schema converts later. Anchors and aliases are read; tags, merge keys, complex keys and duplicate keys are faults.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeAlias

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

from planner.findings import NOWHERE, Fault, Spot, spot
from planner.reader.collector import no_collector
from planner.reader.text import FORBIDDEN_CHARACTER, decoded, left_over_conflict, place
from planner.reader.yaml_messages import syntax_fault

MAX_DEPTH: Final = 64
"""Levels of nesting, aliases expanded: a project needs about eight, and every walk of the tree may recurse."""

ALIAS_FACTOR: Final = 10
ALIAS_ALLOWANCE: Final = 10_000
"""A tree with its aliases written out has at most ALIAS_FACTOR times the file's own nodes, and the allowance."""

MAX_FAULTS: Final = 100
"""Faults of one file before its reading is given up: more of them help nobody."""

_NULLS: Final = frozenset(("", "~", "null"))
_LIBYAML_TOO_DEEP: Final = "maximum nesting depth"
_LINE: Final = spot(0, 1, 0)
_MOST_COLUMNS: Final = spot(0, 0, 1 << 60)
_MOST_LINES: Final = spot(0, 1 << 60, 0) // _LINE
# libyaml compares every %TAG line with all before it, so that a megabyte of them takes minutes.
_TAG_DIRECTIVE: Final = re.compile(r"(?:^|(?<=[\r\n]))%TAG\b")


class YamlMap(dict[str, "Value"]):
    """A mapping, with its place and those of its keys and values."""

    __slots__ = ("key_spots", "spot", "value_spots")

    def __init__(self, at: Spot) -> None:
        self.spot: Spot = at
        self.key_spots: dict[str, Spot] = {}
        self.value_spots: dict[str, Spot] = {}


class YamlSeq(list["Value"]):
    """A sequence, with its place and those of its items."""

    __slots__ = ("spot", "spots")

    def __init__(self, at: Spot) -> None:
        self.spot: Spot = at
        self.spots: list[Spot] = []


Value: TypeAlias = str | YamlMap | YamlSeq | None


class _Events(Protocol):
    def get_event(self) -> Any: ...


class _PureParser(Reader, Scanner, Parser):
    """PyYAML's own parser, about thirty times slower, for installations without its C extension."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)


try:
    _parser: Callable[[str], _Events] = yaml.cyaml.CParser  # type: ignore[attr-defined]
except AttributeError:  # pragma: no cover - depends on the installation
    _parser = _PureParser


class _GiveUpError(Exception):
    """The file cannot be read any further; the fault says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def load_yaml(data: bytes, file: int) -> tuple[Value, list[Fault]]:
    """The tree of one YAML document and the faults met; the tree is None where the file could not be read through.

    file: number of the file in the run's `Files`. Without faults the tree is a mapping, a sequence or a text.
    """
    return _load(data, file, _parser)


def _load(data: bytes, file: int, parser: Callable[[str], _Events]) -> tuple[Value, list[Fault]]:
    text = decoded(data, file)
    if isinstance(text, Fault):
        return None, [text]
    if text.count("\n") + text.count("\r") >= _MOST_LINES:
        fault = Fault("file-unreadable", f"the file has more than {_MOST_LINES:,} lines", spot(file, 1, 1))
        return None, [fault]
    if "%TAG" in text and (tag := _TAG_DIRECTIVE.search(text)):
        return None, [_tag_fault("%TAG", place(text, tag.start(), file))]
    builder = _Builder(parser(text).get_event, file, len(text))
    try:
        with no_collector():
            return builder.document(), builder.faults
    except _GiveUpError as stop:
        return None, [*builder.faults, stop.fault]
    except yaml.YAMLError as error:
        fault = left_over_conflict(text, file) or syntax_fault(error, text, file)
        # libyaml scans ahead, and may meet its own limit of open brackets before we meet ours.
        return None, [*builder.faults, builder.too_deep(fault.at) if _LIBYAML_TOO_DEEP in str(error) else fault]
    except (ValueError, OverflowError):
        # PyYAML's own parser lets the errors of `int` and `chr` through, for a `\U` beyond Unicode and the like.
        return None, [*builder.faults, Fault("yaml-syntax", "the value after this is not YAML", builder.last)]


class _Anchored:
    """What an alias may repeat: a value, its nodes with all aliases written out, and the levels inside it."""

    __slots__ = ("height", "size", "value")

    def __init__(self, value: Value, size: int, height: int) -> None:
        self.value = value
        self.size = size
        self.height = height


_OPEN: Final = _Anchored(None, 0, 0)
"""Stands for a node that is not finished, which an alias must not repeat: the tree would contain itself."""


class _Builder:
    """Builds the tree of one document from parser events, and collects the faults it can read past.

    Recursion is bounded by MAX_DEPTH. Sizes are counted while reading, so that no alias is ever followed.
    """

    def __init__(self, next_event: Callable[[], Any], file: int, characters: int) -> None:
        self.next_event = next_event
        self.base = spot(file, 1, 1)
        self.faults: list[Fault] = []
        self.anchors: dict[str, _Anchored] = {}
        self.plain_keys: dict[str, str] = {}
        self.most_nodes = characters + 1
        self.own_nodes = 0
        self.repeated_nodes = 0
        self.deepest = 0
        self.last: Spot = self.base
        self.worst_alias: tuple[int, Spot] = (0, self.base)

    def document(self) -> Value:
        self.next_event()  # the start of the stream
        if isinstance(self.next_event(), StreamEndEvent):
            raise _GiveUpError(self.empty())
        root = self.value(self.next_event(), 1)
        self.next_event()  # the end of the document
        following = self.next_event()
        if isinstance(following, DocumentStartEvent):
            self.fault(
                "yaml-syntax",
                "a second document begins here, one is allowed",
                self.spot_of(following),
                help="remove the `---`, or put the second document into a file of its own",
            )
        size, allowed = self.own_nodes + self.repeated_nodes, ALIAS_FACTOR * self.own_nodes + ALIAS_ALLOWANCE
        if size > allowed:
            raise _GiveUpError(self.bomb(f"{size:,} values", allowed, self.worst_alias[1]))
        if root is None and not self.faults:
            raise _GiveUpError(self.empty())
        return root

    def value(self, event: Any, depth: int) -> Value:
        kind = event.__class__
        if kind is ScalarEvent:
            return self.scalar(event)
        if kind is AliasEvent:
            return self.alias(event, depth)
        at = self.last = self.spot_of(event)
        if depth > MAX_DEPTH:
            raise _GiveUpError(self.too_deep(at))
        self.deepest = max(self.deepest, depth)
        if event.tag is not None:
            self.tag(event)
        build = self.mapping if kind is MappingStartEvent else self.sequence
        if event.anchor is None:
            return build(at, depth)
        return self.anchored(event.anchor, build, at, depth)

    def scalar(self, event: Any) -> str | None:
        self.own_nodes += 1
        text: str | None = event.value
        if event.tag is not None:
            self.tag(event)
        if event.style == '"':
            if not event.value.isprintable():
                self.escapes(event)
        elif text in _NULLS and event.implicit[0]:
            text = None
        if event.anchor is not None:
            self.anchors[event.anchor] = _Anchored(text, 1, 0)
        return text

    def sequence(self, at: Spot, depth: int) -> YamlSeq:
        self.own_nodes += 1
        items = YamlSeq(at)
        spots, next_event = items.spots, self.next_event
        while (event := next_event()).__class__ is not SequenceEndEvent:
            spots.append(self.spot_of(event))
            items.append(self.scalar(event) if event.__class__ is ScalarEvent else self.value(event, depth + 1))
        return items

    def mapping(self, at: Spot, depth: int) -> YamlMap:
        self.own_nodes += 1
        items = YamlMap(at)
        key_spots, value_spots = items.key_spots, items.value_spots
        next_event, spot_of, plain_keys = self.next_event, self.spot_of, self.plain_keys
        while (event := next_event()).__class__ is not MappingEndEvent:
            at = spot_of(event)
            # Most keys are one of a few words that were judged before; and one text for all of them saves memory.
            key = (
                None if event.__class__ is not ScalarEvent or event.anchor or event.tag else plain_keys.get(event.value)
            )
            if key is None or key in items:
                key = self.key(event, at, items, depth)
            else:
                self.own_nodes += 1
            event = next_event()
            value_at = spot_of(event)
            if event.__class__ is not ScalarEvent:
                value = self.value(event, depth + 1)
            elif event.anchor or event.tag or event.style or (value := event.value) in _NULLS:
                value = self.scalar(event)
            else:
                self.own_nodes += 1
            if key is not None:
                items[key] = value
                key_spots[key] = at
                value_spots[key] = value_at
        return items

    def key(self, event: Any, at: Spot, items: YamlMap, depth: int) -> str | None:
        """The text of a key, or None where it is a fault; its value is then read past."""
        if event.__class__ is not ScalarEvent:
            self.fault("yaml-syntax", "a key is a list, a mapping or an alias, and must be a text", at)
            if event.__class__ is not AliasEvent:
                self.value(event, depth + 1)
            return None
        key = self.scalar(event)
        if key is None:
            shown = f"`{event.value}`" if event.value else "empty"
            self.fault("yaml-syntax", f"a key is {shown}, and must be a text", at, help="write the key, or quote it")
        elif key in items:
            first = self.written(items.key_spots[key])
            self.fault(
                "duplicate-key",
                f"the key `{key}` stands twice in one mapping",
                at,
                note=f"the first is at {first}",
                help="remove or rename one of them",
            )
        elif key == "<<" and event.implicit[0]:
            self.fault(
                "yaml-syntax",
                "the merge key `<<` is not read",
                at,
                help="write the keys out; an alias may stand for a whole value",
            )
        else:
            if key not in _NULLS and key != "<<":  # these depend on their quotes
                self.plain_keys[key] = key
            return key
        return None

    def anchored(self, anchor: str, build: Callable[[Spot, int], Value], at: Spot, depth: int) -> Value:
        before, outside = self.own_nodes + self.repeated_nodes, self.deepest
        self.anchors[anchor], self.deepest = _OPEN, depth
        value = build(at, depth)
        size = self.own_nodes + self.repeated_nodes - before
        self.anchors[anchor] = _Anchored(value, size, self.deepest - depth)
        self.deepest = max(self.deepest, outside)
        return value

    def alias(self, event: Any, depth: int) -> Value:
        at, target = self.spot_of(event), self.anchors.get(event.anchor)
        if target is None or target is _OPEN:
            wrong = "repeats a value that it is part of" if target else "has no anchor before it"
            advice = "" if target else f"write `&{event.anchor}` before the value to repeat, or quote a text with `*`"
            self.fault("yaml-syntax", f"the alias `*{event.anchor}` {wrong}", at, help=advice)
            return None
        self.repeated_nodes += target.size
        self.worst_alias = max(self.worst_alias, (target.size, at))
        if depth + target.height > MAX_DEPTH:
            raise _GiveUpError(self.too_deep(at))
        self.deepest = max(self.deepest, depth + target.height)
        # No later line can save a file whose every character were a value; this keeps the sums themselves small.
        most = ALIAS_FACTOR * self.most_nodes + ALIAS_ALLOWANCE
        if self.repeated_nodes > most:
            raise _GiveUpError(self.bomb(f"over {most:,} values", most, at))
        return target.value

    def tag(self, event: Any) -> None:
        written = event.tag.replace("tag:yaml.org,2002:", "!!", 1)
        self.fault_of(_tag_fault(written, self.spot_of(event)))

    def escapes(self, event: Any) -> None:
        """An escape may spell what the file itself may not contain, a NUL or half a character."""
        if bad := FORBIDDEN_CHARACTER.search(event.value):
            self.fault(
                "yaml-syntax",
                f"the text spells the character U+{ord(bad[0]):04X}, which is not allowed in text",
                self.spot_of(event),
                help="remove the escape; a backslash itself is written `\\\\`, or the text in single quotes",
            )

    def spot_of(self, event: Any) -> Spot:
        mark = event.start_mark
        line: int = mark.line
        column: int = mark.column
        return self.base + line * _LINE + (column if column < _MOST_COLUMNS else _MOST_COLUMNS - 1)

    def written(self, at: Spot) -> str:
        line, column = divmod(at - self.base, _LINE)
        return f"line {line + 1}, column {column + 1}"

    def fault(self, rule: str, message: str, at: Spot, *, note: str = "", help: str = "") -> None:  # noqa: A002
        self.fault_of(Fault(rule, message, at, note, help))

    def fault_of(self, fault: Fault) -> None:
        if len(self.faults) == MAX_FAULTS:
            rest = f"reading stops here: the file has more than {MAX_FAULTS} faults"
            raise _GiveUpError(Fault("yaml-syntax", rest, fault.at, help="mend the first ones and run again"))
        self.faults.append(fault)

    def empty(self) -> Fault:
        return Fault("file-unreadable", "the file is empty", self.base, help="write its keys, or do not name the file")

    def too_deep(self, at: Spot) -> Fault:
        message = f"values are nested more than {MAX_DEPTH} levels deep"
        return Fault("file-unreadable", message, at, help="a project needs about 8; look for brackets left open before")

    def bomb(self, size: str, allowed: int, at: Spot) -> Fault:
        return Fault(
            "file-unreadable",
            f"with its aliases written out the file has {size} and {allowed:,} are allowed",
            at,
            help="repeat less with `*`: the planner has ranges and catalogs for what is alike",
        )


def _tag_fault(written: str, at: Spot) -> Fault:
    message = f"the tag `{written}` is not read"
    return Fault("yaml-syntax", message, at, help="remove it: the planner knows what it expects; quote a text with `!`")


def spot_at(root: Value, loc: Sequence[str | int]) -> Spot:
    """The place of the value at a path of keys and indices, or of its nearest parent that exists.

    Fit for pydantic's `loc`, which also names the members of unions and such on the way: a text that is no key
    is passed over where the rest of the path exists without it.
    """
    return _walk(root, _keys_of(loc))[1]


def key_spot_at(root: Value, loc: Sequence[str | int]) -> Spot:
    """The place of the key that the path ends in (for an unknown key), else as `spot_at`."""
    keys = _keys_of(loc)
    if keys:
        parent, at, complete = _walk(root, keys[:-1])
        if complete and isinstance(parent, YamlMap):
            return parent.key_spots.get(str(keys[-1]), at)
    return spot_at(root, loc)


def _keys_of(loc: Sequence[str | int]) -> Sequence[str | int]:
    return loc[:-1] if loc and loc[-1] == "[key]" else loc  # so pydantic ends the path of a wrong key


def _walk(root: Value, loc: Sequence[str | int]) -> tuple[Value, Spot, bool]:
    """The value that a path leads to, its place, and whether the whole path exists."""
    return _walk_on(root, root.spot if isinstance(root, YamlMap | YamlSeq) else NOWHERE, loc)


def _walk_on(node: Value, at: Spot, loc: Sequence[str | int]) -> tuple[Value, Spot, bool]:
    for index, key in enumerate(loc):
        below = _below(node, key)
        if below is None:
            rest = loc[index + 1 :]
            without = _walk_on(node, at, rest) if isinstance(key, str) and rest else (node, at, False)
            return without if without[2] else (node, at, False)
        node, at = below
    return node, at, True


def _below(node: Value, key: str | int) -> tuple[Value, Spot] | None:
    if isinstance(node, YamlMap) and isinstance(key, str) and key in node:
        return node[key], node.value_spots[key]
    if isinstance(node, YamlSeq) and isinstance(key, int) and 0 <= key < len(node):
        return node[key], node.spots[key]
    return None
