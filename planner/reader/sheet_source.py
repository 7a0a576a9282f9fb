"""Tables that people fill in and send back: a sheet of a workbook, or CSV, as rows of texts with their row numbers."""

from __future__ import annotations

import csv
import io
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

from planner.findings import NOWHERE, Fault, spot
from planner.reader.sources import Sources
from planner.reader.text import decoded

MOST_UNPACKED_BYTES: Final = 256_000_000
"""Of all files of a workbook: one of 300,000 rows has a fifth of it, and a small file may unpack to anything."""

_WHOLE: Final = 1e15
"""Numbers below it are held to their last digit; not-a-number is not below it either."""

SheetRow = tuple[int, list[str]]
"""The row's number from 1, as a spreadsheet shows it, and its cells."""


def read_sheet(sources: Sources, name: str, title: str) -> list[SheetRow] | None:
    """The rows that hold something; None where the file cannot be read, with a fault.

    title: the sheet of a workbook that is meant; where it has none of that name, its first one.
    A number is the text of its shortest decimal form, a formula the result that was saved with it.
    """
    source = sources.read(name)
    if source is None:
        return None
    if source.data[:2] == b"PK":
        return _workbook(sources, source.data, name, title)
    text = decoded(source.data, source.number)
    if isinstance(text, Fault):
        sources.faults.append(text)
        return None
    try:
        reader = csv.reader(io.StringIO(text, newline=""), strict=True)
        return [(reader.line_num, [cell.strip() for cell in row]) for row in reader if any(row)]
    except csv.Error as error:
        sources.faults.append(Fault("csv-fault", f"it is not CSV: {error}", spot(source.number, 1, 1)))
        return None


def _workbook(sources: Sources, data: bytes, name: str, title: str) -> list[SheetRow] | None:
    from openpyxl import load_workbook

    try:
        with ZipFile(io.BytesIO(data)) as packed:
            unpacked = sum(entry.file_size for entry in packed.infolist())
        if unpacked > MOST_UNPACKED_BYTES:
            sources.unreadable(f"`{name}` unpacks to {unpacked:,} bytes, {MOST_UNPACKED_BYTES:,} are allowed", NOWHERE)
            return None
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheet: Any = book[title] if title in book.sheetnames else book.worksheets[0]
        rows = enumerate(sheet.iter_rows(values_only=True), start=1)
        return [(number, cells) for number, row in rows if any(cells := [_text(value) for value in row])]
    except (BadZipFile, KeyError, ValueError, IndexError, OSError, SyntaxError, TypeError, AttributeError) as error:
        # What openpyxl raises for archives that are no workbooks, and for broken ones; ParseError is a SyntaxError.
        sources.unreadable(f"`{name}` is no workbook that can be read ({type(error).__name__})", NOWHERE)
        return None


def _text(value: Any) -> str:
    match value:
        case None:
            return ""
        case float():
            return f"{Decimal(repr(value)).normalize():f}" if abs(value) < _WHOLE else repr(value)
        case datetime() | date():
            return value.isoformat()[:10]
    return str(value).strip()
