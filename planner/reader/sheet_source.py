"""Sheets of a workbook or of a CSV file as a spreadsheet gives them: any headings, numbers or texts, with their places."""

from __future__ import annotations

import csv
import io
import zipfile
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from planner.findings import Fault, Spot, spot
from planner.reader.sources import SourceFile, Sources
from planner.reader.text import decoded

MAX_UNPACKED: Final = 256 << 20
"""Bytes of a workbook when unpacked: a file of some kilobytes may claim to hold terabytes."""
_SEPARATORS: Final = (";", "\t", ",")
_HEAD_LINES: Final = 40


@dataclass(frozen=True, slots=True)
class SheetCell:
    """A cell: its text, its number where the file itself says that it is one, and its name (`N7`; empty in CSV).

    uncomputed: a formula whose result the program that saved the file did not keep; the text is then the formula.
    shown_as: the number format of a workbook's cell, which may hold a currency.
    """

    text: str
    at: Spot
    number: Decimal | None = None
    name: str = ""
    uncomputed: bool = False
    shown_as: str = ""

    @property
    def where(self) -> str:
        return f"cell {self.name}" if self.name else ""


@dataclass(frozen=True, slots=True)
class SheetTable:
    """A sheet by its title (empty for CSV): rows that hold something; an empty cell is None."""

    title: str
    rows: list[list[SheetCell | None]]


def read_sheets(sources: Sources, name: str) -> list[SheetTable] | None:
    """The sheets of a file `*.xlsx`, or the one of a CSV file; None and a `file-unreadable` fault where it is neither.

    The places of a workbook's cells are `FILE[SHEET]`, the row and the number of the column; in CSV the line.
    """
    source = sources.read(name)
    if source is None:
        return None
    if source.data[:4] == b"PK\x03\x04":
        return _workbook(sources, source)
    if source.data[:4] == b"\xd0\xcf\x11\xe0":
        message = f"`{name}` is a workbook of an old form, or one with a password"
        sources.unreadable(message, spot(source.number, 1, 1), help="save it as `.xlsx` without a password, or as CSV")
        return None
    text = decoded(source.data, source.number)
    if isinstance(text, Fault):
        sources.faults.append(text)
        return None
    return _csv(sources, source, text)


def _csv(sources: Sources, source: SourceFile, text: str) -> list[SheetTable] | None:
    first = 1
    separator = _separator(text)
    if text[:4].lower() == "sep=" and "\n" in text:  # a spreadsheet's own hint, which it shows to nobody
        separator, text, first = text[4:5], text.split("\n", 1)[1], 2
    rows: list[list[SheetCell | None]] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    begins = first
    try:
        for row in reader:
            at = spot(source.number, begins, 1)
            cells = [SheetCell(cell.strip(), at) if cell.strip() else None for cell in row]
            if any(cells):
                rows.append(cells)
            begins = reader.line_num + first
    except csv.Error:
        message = "a quoted cell is not closed, or goes on after its closing quote"
        sources.unreadable(message, spot(source.number, begins, 1), help='inside a quoted cell write `""` for `"`')
        return None
    return [SheetTable("", rows)]


def _separator(text: str) -> str:
    """What stands most often in the lines at the head, each counted once a line at most by its fullest line."""
    lines = text.split("\n", _HEAD_LINES)[:_HEAD_LINES]
    counts = {sign: sum(min(line.count(sign), 3) for line in lines) for sign in _SEPARATORS}
    most = max(counts.values())
    # A decimal comma stands in every line too, so a semicolon or tab that stands as often wins.
    return next(sign for sign in _SEPARATORS if counts[sign] == most) if most else ","


def _workbook(sources: Sources, source: SourceFile) -> list[SheetTable] | None:
    import openpyxl

    at = spot(source.number, 1, 1)
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as packed:
            unpacked = sum(entry.file_size for entry in packed.infolist())
        if unpacked > MAX_UNPACKED:
            message = f"`{source.name}` would unpack to {unpacked:,} bytes, {MAX_UNPACKED:,} are allowed"
            sources.unreadable(message, at, help="save the sheet alone, or as CSV")
            return None
        written = openpyxl.load_workbook(io.BytesIO(source.data))
        results = openpyxl.load_workbook(io.BytesIO(source.data), data_only=True)
        return [_sheet(sources, source, sheet, results[sheet.title]) for sheet in written.worksheets]
    except Exception as error:  # noqa: BLE001 - the library raises whatever a broken file makes it stumble over
        message = f"`{source.name}` cannot be read as a workbook: {type(error).__name__}"
        sources.unreadable(message, at, help="open it and save it again as `.xlsx`, or save the sheet as CSV")
        return None


def _sheet(sources: Sources, source: SourceFile, written: Any, results: Any) -> SheetTable:
    shown = f"{source.name}[{written.title}]"
    sources.digests[shown] = sources.digests[source.name]
    number = list(sources.digests).index(shown)
    rows = []
    for line in written.iter_rows():
        cells = [_cell(cell, results.cell(cell.row, cell.column).value, number) for cell in line]
        if any(cells):
            rows.append(cells)
    return SheetTable(written.title, rows)


def _cell(cell: Any, result: Any, file: int) -> SheetCell | None:
    if cell.value is None or (isinstance(cell.value, str) and not cell.value.strip()):
        return None
    at = spot(file, cell.row, cell.column)
    if cell.data_type == "f" and result is None:
        formula = cell.value if isinstance(cell.value, str) else getattr(cell.value, "text", None) or "a formula"
        return SheetCell(formula, at, None, cell.coordinate, uncomputed=True)
    if isinstance(result, int | float) and not isinstance(result, bool):
        number = Decimal(repr(result))
        if number.is_finite():
            text = f"{number:f}"
            return SheetCell(text.removesuffix(".0"), at, number, cell.coordinate, shown_as=cell.number_format or "")
    text = str(result).strip()
    return SheetCell(text, at, None, cell.coordinate) if text else None
