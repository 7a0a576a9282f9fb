"""A project as its files say it: `project.yaml` and what it includes, merged into one tree with places."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from planner.findings import NOWHERE, Fault, Files, Spot
from planner.reader.sources import MAX_BYTES, SourceFile, Sources
from planner.reader.yaml_source import Value, YamlMap, YamlSeq

MAIN_FILE: Final = "project.yaml"

JOINED_LISTS: Final = frozenset(
    (
        "rooms",
        "openings",
        "racks",
        "pathways",
        "risers",
        "power",
        "devices",
        "panels",
        "fabrics",
        "pins",
        "remarks",
        "measured",
        "waive",
        "phases",
        "catalogs",
    )
)
"""Top-level keys whose lists may stand in several files; every other key may stand once in all of them."""

UNREADABLE_RULES: Final = frozenset(("file-unreadable", "yaml-syntax"))
"""Rules whose faults mean that a file could not be read or parsed, for the exit status."""


@dataclass(frozen=True, slots=True)
class ProjectSource:
    """What the files of a project say, before any schema.

    root: the merged tree without `include`; None where the main file could not be read. With faults of
    UNREADABLE_RULES it lacks what the unread files hold, so that rules on it would find what is not so.
    sources: reads more files of the project (CSV lists, catalogs) in the same numbering.
    """

    root: YamlMap | None
    sources: Sources

    @property
    def folder(self) -> Path:
        return self.sources.folder

    @property
    def files(self) -> Files:
        return self.sources.files

    @property
    def digests(self) -> dict[str, str]:
        return self.sources.digests

    @property
    def faults(self) -> list[Fault]:
        return self.sources.faults

    @property
    def is_readable(self) -> bool:
        """Whether every file could be read and parsed, so that the root is complete."""
        return not any(fault.rule in UNREADABLE_RULES for fault in self.faults)


@dataclass(frozen=True, slots=True, eq=False)
class _Include:
    """One mention of a file: the name as written, its place, and the mention that led to the file it stands in."""

    name: str
    at: Spot
    parent: _Include | None = None


def read_project(project: Path, *, max_bytes: int = MAX_BYTES) -> ProjectSource:
    """The project in a folder with `project.yaml`, or in one such file; all faults of all files are collected."""
    folder, name = (project, MAIN_FILE) if project.is_dir() else (project.parent, project.name)
    sources = Sources(folder, max_bytes)
    # Not confined: the user names the main file himself, and may do so by a link.
    main = sources.read_plain(name, NOWHERE)
    root = sources.mapping_of(main) if main else None
    if main is None or root is None:
        return ProjectSource(None, sources)
    merged = _Merged(root, sources)
    _read_includes(root, main, merged)
    return ProjectSource(merged.root, sources)


def _read_includes(root: YamlMap, main: SourceFile, merged: _Merged) -> None:
    """Merge the included files, depth first in the order they are named; by a stack, for chains of any length."""
    sources = merged.sources
    seen: dict[str, _Include] = {_identity(sources, main.name): _Include(main.name, NOWHERE)}
    waiting = _includes(root, sources, None)[::-1]
    while waiting:
        include = waiting.pop()
        plain = sources.plain_name(include.name, include.at)
        if plain is None:
            continue
        same = _identity(sources, plain)
        if same in seen:
            sources.faults.append(_included_again(include, plain, seen[same], sources))
            continue
        seen[same] = include
        source = sources.read_plain(plain, include.at)
        part = sources.mapping_of(source) if source else None
        if part is not None:
            merged.add(part, plain)
            waiting.extend(_includes(part, sources, include)[::-1])


def _identity(sources: Sources, name: str) -> str:
    """Equal for two names of one file, by links or otherwise."""
    return os.path.realpath(sources.folder / name)


def _included_again(include: _Include, plain: str, first: _Include, sources: Sources) -> Fault:
    chain = [include.parent] if include.parent else []
    while chain and (above := chain[-1].parent):
        chain.append(above)
    if first.at == NOWHERE or any(mention is first for mention in chain):
        message = f"`{plain}` includes itself in a circle"
        names = [mention.name for mention in reversed(chain)]
        way = names[names.index(first.name) :] if first.at != NOWHERE else [first.name, *names]
        note = " includes ".join(f"`{name}`" for name in (*way, plain))
    else:
        message = f"`{plain}` is included twice"
        note = f"first at {sources.files.span(first.at)}"
    return Fault("include-fault", message, include.at, note, help="remove this `include`")


def _includes(part: YamlMap, sources: Sources, parent: _Include | None) -> list[_Include]:
    """The files that a file includes: a text or a list of texts; nothing where the key is absent or null."""
    value = part.get("include")
    if value is None:
        return []
    at = part.value_spots["include"]
    named: list[tuple[Value, Spot]] = (
        list(zip(value, value.spots, strict=True)) if isinstance(value, YamlSeq) else [(value, at)]
    )
    found = []
    for name, place in named:
        if isinstance(name, str):
            found.append(_Include(name, place, parent=parent))
        else:
            message = "`include` takes the name of a file or a list of names"
            sources.faults.append(Fault("include-fault", message, place, help="write `include: [racks.yaml]`"))
    return found


class _Merged:
    """The tree of a project while its files are put together."""

    def __init__(self, main: YamlMap, sources: Sources) -> None:
        self.sources = sources
        self.root = YamlMap(main.spot)
        for key, value in main.items():
            if key != "include":
                self.take(key, value, main)

    def add(self, part: YamlMap, name: str) -> None:
        """Merge an included file: lists are joined to what is there, any other key must be new."""
        for key, value in part.items():
            if key == "format":
                message = f"`format` stands in the included file `{name}`, and belongs in the main file only"
                self.fault("include-fault", message, part.key_spots[key], help="remove it here")
            elif key == "include":
                continue
            elif key not in self.root:
                self.take(key, value, part)
            elif key in JOINED_LISTS:
                self.join(key, value, part)
            else:
                self.fault(
                    "duplicate-key",
                    f"the key `{key}` stands in two files of the project",
                    part.key_spots[key],
                    note=f"the first is at {self.sources.files.span(self.root.key_spots[key])}",
                    help="keep one of them",
                )

    def take(self, key: str, value: Value, part: YamlMap) -> None:
        self.root[key] = value
        self.root.key_spots[key] = part.key_spots[key]
        self.root.value_spots[key] = part.value_spots[key]

    def join(self, key: str, value: Value, part: YamlMap) -> None:
        there = self.root[key]
        if value is None:  # `racks:` with nothing below it is an empty list
            return
        if there is None:
            self.take(key, value, part)
        elif isinstance(value, YamlSeq) and isinstance(there, YamlSeq):
            # A new list: the one that is there may also be the value of an alias elsewhere in its file.
            joined = YamlSeq(there.spot)
            joined += [*there, *value]
            joined.spots += [*there.spots, *value.spots]
            self.root[key] = joined
        else:
            self.fault(
                "include-fault",
                f"`{key}` is not a list in both files, so that they cannot be joined",
                part.value_spots[key],
                note=f"the first is at {self.sources.files.span(self.root.value_spots[key])}",
                help=f"write `{key}` as a list in each file",
            )

    def fault(self, rule: str, message: str, at: Spot, *, note: str = "", help: str = "") -> None:  # noqa: A002
        self.sources.faults.append(Fault(rule, message, at, note, help))
