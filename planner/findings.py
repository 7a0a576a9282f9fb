"""Faults that a stage meets, and the findings that a user reads.

A stage names a fault by the rule's name and says what, where and by how much; `planner.rules` knows each rule's ID
and severity and turns faults into findings. Exceptions are for our own bugs and for files that cannot be read at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

_LINE_SHIFT: Final = 20
FILE_SHIFT: Final = 44
"""By how many bits a spot is shifted to the number of its file."""
_COLUMN_MASK: Final = (1 << _LINE_SHIFT) - 1
_LINE_MASK: Final = (1 << (FILE_SHIFT - _LINE_SHIFT)) - 1

Spot = int
"""A place packed into one integer (file number, line, column), so that a hundred thousand places fit a column."""

NOWHERE: Final[Spot] = -1
"""The spot of what no file states."""


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


SHIPPED: Final = "@catalogs/"
"""How the names of shipped catalog files begin in places; `@` tells them from a project's own folder `catalogs/`."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Where in the user's files something stands: file relative to the project, line and column from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def spot(file: int, line: int, column: int) -> Spot:
    """Pack a place: number of the file in the run's `Files`, line and column from 1."""
    return (file << FILE_SHIFT) | (min(line, _LINE_MASK) << _LINE_SHIFT) | min(column, _COLUMN_MASK)


@dataclass(frozen=True, slots=True)
class Files:
    """The input files of a run in the order they were read; a spot's file is an index into it."""

    names: tuple[str, ...] = ()

    def span(self, at: Spot) -> Span | None:
        if at < 0:
            return None
        return Span(self.names[at >> FILE_SHIFT], (at >> _LINE_SHIFT) & _LINE_MASK, at & _COLUMN_MASK)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with the user's input or plan, as the stage that met it tells it.

    rule: name of the rule it breaks (`port-used-twice`); at: its place, NOWHERE if no file states it.
    message stands alone; note adds the arithmetic or the second place; help says what to do.
    objects: names of what it touches (links, ports, parts); count: how many, when more than are named.
    """

    rule: str
    message: str
    at: Spot = NOWHERE
    note: str = ""
    help: str = ""
    code: str = ""
    objects: tuple[str, ...] = ()
    count: int = 1


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault as it is shown and stored: with its rule's ID, name and severity, and its place spelled out."""

    rule: str
    name: str
    severity: Severity
    code: str
    message: str
    note: str
    help: str
    at: Span | None
    objects: tuple[str, ...] = ()
    count: int = 1
    waived: str = field(default="")
    """The reason of the waiver that covers it; a waived finding stays listed and counts nowhere."""


def sort_key(finding: Finding) -> tuple[object, ...]:
    """By place, then rule: the order in which a person walks through his own files; shipped and placeless ones last."""
    at = finding.at
    own = at is not None and not at.file.startswith(SHIPPED)
    return (not own, at is None, at or Span("", 0, 0), finding.rule, finding.message)


def by_severity(findings: Sequence[Finding]) -> dict[str, int]:
    """Number of findings by severity, waived ones left out."""
    counts = {severity.value: 0 for severity in Severity}
    for finding in findings:
        if not finding.waived:
            counts[finding.severity.value] += 1
    return counts


def has_errors(findings: Sequence[Finding]) -> bool:
    return any(f.severity is Severity.ERROR and not f.waived for f in findings)


def as_text(finding: Finding) -> str:
    """One finding for a terminal: headline, place, note, help."""
    lines = [f"{finding.severity.value}[{finding.rule}]: {finding.message}"]
    if finding.at is not None:
        lines.append(f"  --> {finding.at}")
    if finding.note:
        lines.append(f"  note: {finding.note}")
    if finding.help:
        lines.append(f"  help: {finding.help}")
    if finding.waived:
        lines.append(f"  waived: {finding.waived}")
    return "\n".join(lines)


def as_github(finding: Finding) -> str:
    """One finding as a GitHub workflow command, which annotates the line in a pull request."""
    level = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}[finding.severity]
    if finding.waived:
        level = "notice"
    text = "\n".join(part for part in (finding.message, finding.note, finding.help) if part)
    place = f"file={_property(finding.at.file)},line={finding.at.line},col={finding.at.column}," if finding.at else ""
    return f"::{level} {place}title={_property(finding.rule + ' ' + finding.name)}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def as_record(finding: Finding) -> dict[str, object]:
    """One finding as `findings.json` holds it."""
    return {
        "rule": finding.rule,
        "name": finding.name,
        "severity": finding.severity.value,
        "code": finding.code,
        "message": finding.message,
        "note": finding.note,
        "help": finding.help,
        "file": finding.at.file if finding.at else None,
        "line": finding.at.line if finding.at else None,
        "column": finding.at.column if finding.at else None,
        "objects": list(finding.objects),
        "count": finding.count,
        "waived": bool(finding.waived),
    }
