"""CSV and JSON documents: UTF-8, LF, the same bytes for the same plan."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from planner.findings import Finding, as_record


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A header and rows; an empty cell is an unknown."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def findings_text(findings: Iterable[Finding]) -> str:
    """The content of `findings.json`."""
    return json_text([as_record(finding) for finding in findings])
