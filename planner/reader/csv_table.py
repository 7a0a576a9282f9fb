"""Tables in CSV, column by column, with the line of each row: what every kind of list has in common."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final

from planner.findings import NOWHERE, Fault, Spot, spot
from planner.names import quoted_list
from planner.reader.collector import no_collector
from planner.reader.sources import SourceFile, Sources
from planner.reader.text import decoded

MAX_FAULTS: Final = 100
"""Rows of one file that are named one by one; the rest are counted in the last fault."""


@dataclass(frozen=True, slots=True)
class CsvForm:
    """Which columns a kind of list has; others in the file are ignored.

    required: columns that must be there, each cell filled; optional: columns that may be absent, and cells empty.
    checks: by column, why a cell that is filled is wrong, or None. may_be_empty: by row of those columns, the required
    cells that may be empty in it after all.
    """

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    checks: Mapping[str, Callable[[str], str | None]] = field(default_factory=dict)
    may_be_empty: Callable[[Mapping[str, str]], tuple[str, ...]] | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.required, *self.optional)

    @property
    def advice(self) -> str:
        return f"begin the file with a line `{','.join(self.columns)}`, in any order"


@dataclass(frozen=True, slots=True)
class CsvTable:
    """The rows that are right: columns of one length, blanks around a text removed, empty where a column is absent.

    lines: the line from 1 in which each row begins.
    """

    file: int
    columns: dict[str, list[str]]
    lines: list[int]


def read_csv_table(sources: Sources, name: str, form: CsvForm, at: Spot = NOWHERE) -> CsvTable | None:
    """The table in a file of the project; None where the file, its header or its quoting is at fault.

    at: the place that names the file. Rows that are at fault are left out of the result and reported.
    """
    source = sources.read(name, at)
    if source is None:
        return None
    text = decoded(source.data, source.number)
    if isinstance(text, Fault):
        sources.faults.append(text)
        return None
    try:
        with no_collector():
            table, faults = _table(text, source, form)
    except _GiveUpError as stop:
        sources.faults.extend(stop.faults)
        return None
    sources.faults.extend(faults)
    return table


class _GiveUpError(Exception):
    """The file holds no table that could be read row by row; the faults say why."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(faults[0].message)
        self.faults = faults


def _table(text: str, source: SourceFile, form: CsvForm) -> tuple[CsvTable, list[Fault]]:
    """As `_right_rows`; the rows end with this function, so that the collector never sees them."""
    rows, lines = _rows(text, source.number)
    header = _header(rows, lines, source, form)
    return _right_rows(rows[1:], lines[1:], header, source, text, form)


def _rows(text: str, file: int) -> tuple[list[list[str]], list[int]]:
    """Rows that hold something, and the line in which each begins."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[list[str]] = []
    lines: list[int] = []
    begins = 1
    try:
        if '"' not in text:
            rows.extend(reader)  # which keeps the rows before an error, as `list` does not
            lines = list(range(1, len(rows) + 1))
        else:
            for row in reader:
                rows.append(row)
                lines.append(begins)
                begins = reader.line_num + 1
    except csv.Error as error:
        raise _GiveUpError(_quoting_fault(error, spot(file, begins if lines else len(rows) + 1, 1))) from error
    if not all(map(any, rows)):
        # Besides blank lines: spreadsheets end a sheet with rows of nothing but commas.
        held = [index for index, row in enumerate(rows) if any(row)]
        return [rows[index] for index in held], [lines[index] for index in held]
    return rows, lines


def _quoting_fault(error: csv.Error, at: Spot) -> Fault:
    if "field limit" in str(error):
        message = f"a cell has more than {csv.field_size_limit():,} characters"
        return Fault("csv-fault", message, at, help="look for a quote that is opened here and never closed")
    message = "a quoted cell is not closed, or goes on after its closing quote"
    return Fault("csv-fault", message, at, help='close the quote; inside a quoted cell write `""` for `"`')


def _header(rows: list[list[str]], lines: list[int], source: SourceFile, form: CsvForm) -> list[str]:
    """The names of the columns, every needed one there and none of ours twice."""
    if not rows:
        raise _GiveUpError(
            Fault("csv-fault", f"`{source.name}` has no header", spot(source.number, 1, 1), help=form.advice)
        )
    header = [name.strip() for name in rows[0]]
    at = spot(source.number, lines[0], 1)
    faults = [
        Fault("csv-fault", f"the column `{name}` stands {header.count(name)} times", at, help="remove all but one")
        for name in form.columns
        if header.count(name) > 1
    ]
    missing = [name for name in form.required if name not in header]
    if missing:
        what = "column is" if len(missing) == 1 else "columns are"
        note = f"the header names {quoted_list(header, 8)}"
        advice = form.advice
        if len(header) == 1 and (";" in header[0] or "\t" in header[0]):
            advice = "separate cells by commas, not by semicolons or tabs"
        faults.append(Fault("csv-fault", f"the {what} missing: {quoted_list(missing)}", at, note, advice))
    if faults:
        raise _GiveUpError(*faults)
    return header


def _right_rows(
    rows: list[list[str]], lines: list[int], header: list[str], source: SourceFile, text: str, form: CsvForm
) -> tuple[CsvTable, list[Fault]]:
    """The columns of the rows that are right, and the faults of the rest."""
    faults: dict[int, Fault] = {}
    places: dict[str, int] = {name: header.index(name) for name in form.columns if name in header}
    if not all(map(len(header).__eq__, map(len, rows))):
        rows, lines, faults = _without_ragged(rows, lines, len(header), source)
    columns = {name: list(map(str.strip, map(itemgetter(place), rows))) for name, place in places.items()}
    for name in form.optional:
        columns.setdefault(name, [""] * len(rows))
    bad = _bad_cells(columns, form)
    if bad:
        written = _Lines(text)
        for row, (name, message) in bad.items():
            at = spot(source.number, lines[row], written.column(lines[row], rows[row], places[name]))
            faults[lines[row]] = Fault("csv-fault", message, at)
        columns = {name: [cell for row, cell in enumerate(cells) if row not in bad] for name, cells in columns.items()}
        lines = [line for row, line in enumerate(lines) if row not in bad]
    return CsvTable(source.number, columns, lines), _few([faults[line] for line in sorted(faults)])


def _bad_cells(columns: Mapping[str, Sequence[str]], form: CsvForm) -> dict[int, tuple[str, str]]:
    """The first cell at fault of each row that has one: its column, and what is wrong."""
    bad: dict[int, tuple[str, str]] = {}
    if not all(all(columns[name]) for name in form.required):
        for row, cells in enumerate(zip(*(columns[name] for name in form.required), strict=True)):
            if all(cells):
                continue
            held = {name: cells_of[row] for name, cells_of in columns.items()}
            allowed = form.may_be_empty(held) if form.may_be_empty else ()
            name = next((n for n, cell in zip(form.required, cells, strict=True) if not cell and n not in allowed), "")
            if name:
                bad[row] = (name, f"the cell of `{name}` is empty")
    for name, why in form.checks.items():
        wrong = {cell: reason for cell in set(columns[name]) - {""} if (reason := why(cell))}
        if wrong:
            for row, cell in enumerate(columns[name]):
                if cell in wrong:
                    bad.setdefault(row, (name, f"`{name}`: {wrong[cell]}"))
    return bad


def _without_ragged(
    rows: list[list[str]], lines: list[int], width: int, source: SourceFile
) -> tuple[list[list[str]], list[int], dict[int, Fault]]:
    """The rows with one cell per column; the others as faults by line, but for lines of blanks only."""
    kept = [index for index, row in enumerate(rows) if len(row) == width]
    faults = {
        line: Fault(
            "csv-fault",
            f"the row has {len(row)} {'cell' if len(row) == 1 else 'cells'}, the header has {width}",
            spot(source.number, line, 1),
            help="put a cell that contains a comma in double quotes",
        )
        for row, line in zip(rows, lines, strict=True)
        if len(row) != width and any(map(str.strip, row))
    }
    return [rows[index] for index in kept], [lines[index] for index in kept], faults


class _Lines:
    """The lines of a file, to find the column of a cell; split only when a cell is at fault."""

    def __init__(self, text: str) -> None:
        self.lines = io.StringIO(text, newline="").readlines()

    def column(self, line: int, cells: Sequence[str], place: int) -> int:
        """Column from 1 of a cell; 1 in rows with quotes, which are longer in the file than their cells are."""
        if '"' in self.lines[line - 1]:
            return 1
        return 1 + sum(len(cell) + 1 for cell in cells[:place])


def _few(faults: list[Fault]) -> list[Fault]:
    rest = len(faults) - MAX_FAULTS
    if rest <= 0:
        return faults
    first = faults[MAX_FAULTS]
    more = Fault("csv-fault", f"{rest:,} more rows are at fault, the first is here", first.at, count=rest)
    return [*faults[:MAX_FAULTS], more]
