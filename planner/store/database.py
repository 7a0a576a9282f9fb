"""Writing a plan into its SQLite file, and reading it back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any, Final, TypeVar, get_type_hints

import numpy as np

from planner.findings import Finding, Severity, Span
from planner.plan import (
    ABSENT,
    AlternateRow,
    CableTable,
    ComponentRow,
    DeviceRow,
    EndTable,
    FabricRow,
    Identity,
    LinkCableTable,
    LinkTable,
    LoadTable,
    PanelSlotRow,
    PartRow,
    PathwayPoint,
    PathwayRow,
    PhaseRow,
    Plan,
    PlugLinkTable,
    PlugTable,
    PriceRow,
    RackRow,
    RoomPoint,
    RouteTable,
    StockRow,
    TrunkLegTable,
)
from planner.store.schema import NULLABLE, SCHEMA
from planner.table import Ints, Table, Words

APPLICATION_ID: Final = 0x504C414E  # "PLAN"
FORMAT_VERSION: Final = 4

MOST_VALUES: Final = 960
"""Of one statement; SQLite before 3.32 takes 999."""

ROWS_AT_ONCE: Final = 4_096
"""Made into Python's numbers and texts, so that a large plan does not stand in memory a second time."""


_ROWS: Final[dict[str, tuple[str, type]]] = {
    "fabrics": ("fabrics", FabricRow),
    "room": ("room", RoomPoint),
    "racks": ("racks", RackRow),
    "devices": ("devices", DeviceRow),
    "pathways": ("pathways", PathwayRow),
    "pathway_points": ("pathway_points", PathwayPoint),
    "parts": ("parts", PartRow),
    "components": ("components", ComponentRow),
    "panel_slots": ("panel_slots", PanelSlotRow),
    "prices": ("prices", PriceRow),
    "alternates": ("alternates", AlternateRow),
    "stock": ("stock", StockRow),
    "phases": ("phases", PhaseRow),
}
"""Small tables: the plan's field and the type of its rows."""

_TABLES: Final[dict[str, tuple[str, type[Table]]]] = {
    "routes": ("routes", RouteTable),
    "cables": ("cables", CableTable),
    "links": ("links", LinkTable),
    "cable_ends": ("ends", EndTable),
    "link_cables": ("link_cables", LinkCableTable),
    "trunk_legs": ("trunk_legs", TrunkLegTable),
    "plugs": ("plugs", PlugTable),
    "plug_links": ("plug_links", PlugLinkTable),
    "loads": ("loads", LoadTable),
}
"""Tables of columns: the plan's field and its type."""

Row = TypeVar("Row")


class NotAPlanError(Exception):
    """A file is not a plan that this version can read; the message is one line for the user."""


def write_plan(plan: Plan, path: Path) -> None:
    """Write a new file; the same plan gives the same dump. Raises OSError or sqlite3.Error where that fails."""
    connection = sqlite3.connect(path)
    try:
        # The file is new and is moved into place as a whole, so a journal would only cost time.
        connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 8192;")
        connection.executescript(f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT_VERSION};")
        connection.executescript(SCHEMA)
        connection.execute("BEGIN")
        _insert(connection, "identity", [astuple(plan.identity)])
        for name, (field, _) in _ROWS.items():
            rows = getattr(plan, field)
            _insert(connection, name, _nulled(name, rows))
        for name, (field, _) in _TABLES.items():
            _insert_columns(connection, name, getattr(plan, field))
        _insert(connection, "findings", (_finding_row(n, f) for n, f in enumerate(plan.findings)))
        _insert(connection, "documents", [("catalog", plan.catalog), ("inputs", plan.inputs)])
        connection.commit()
    finally:
        connection.close()


def _insert(connection: sqlite3.Connection, table: str, rows: Iterable[Sequence[Any]]) -> None:
    iterator = iter(rows)
    first = next(iterator, None)
    if first is None:
        return
    statement = f"INSERT INTO {table} VALUES ({', '.join('?' * len(first))})"  # noqa: S608 - the name is ours
    connection.execute(statement, first)
    connection.executemany(statement, iterator)


def _nulled(table: str, rows: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Rows numbered, absent numbers as NULL."""
    nullable = NULLABLE.get(table, frozenset())
    for number, row in enumerate(rows):
        values = ((f.name, getattr(row, f.name)) for f in fields(row))
        yield (number, *(None if value == ABSENT and name in nullable else value for name, value in values))


def _insert_columns(connection: sqlite3.Connection, table: str, columns: Table) -> None:
    """The rows of a table, several with each statement, which takes two thirds of the time of one statement a row."""
    nullable = NULLABLE.get(table, frozenset())
    parts = [_parts_of(getattr(columns, column.name), column.name in nullable) for column in fields(columns)]
    width = 1 + len(parts)
    row = f"({', '.join('?' * width)})"
    one, several = (f"INSERT INTO {table} VALUES {', '.join([row] * count)}" for count in (1, MOST_VALUES // width))  # noqa: S608
    step = MOST_VALUES // width * width
    for first in range(0, len(columns), ROWS_AT_ONCE):
        numbers = range(first, min(first + ROWS_AT_ONCE, len(columns)))
        flat: list[Any] = [None] * (len(numbers) * width)
        flat[::width] = numbers
        for place, part in enumerate(parts, start=1):
            flat[place::width] = part(slice(numbers.start, numbers.stop))
        whole = len(flat) // step * step
        connection.executemany(several, (flat[n : n + step] for n in range(0, whole, step)))
        connection.executemany(one, (flat[n : n + width] for n in range(whole, len(flat), width)))


def _parts_of(values: Words | Ints, is_nullable: bool) -> Callable[[slice], list[Any]]:
    """The values of some rows of a column as SQLite takes them."""
    if isinstance(values, Words):
        words = (*values.vocabulary, None)  # code -1 reads the last
        return lambda part: [words[code] for code in values.codes[part].tolist()]
    if is_nullable:
        return lambda part: [None if value == ABSENT else value for value in values[part].tolist()]
    return lambda part: values[part].tolist()


def _finding_row(number: int, finding: Finding) -> tuple[Any, ...]:
    at = finding.at
    place = (at.file, at.line, at.column) if at else (None, None, None)
    objects = json.dumps(list(finding.objects), ensure_ascii=False)
    return (
        number, finding.rule, finding.name, finding.severity.value, finding.code, finding.message, finding.note,
        finding.help, *place, objects, finding.count, finding.waived,
    )  # fmt: skip


def read_plan(path: Path) -> Plan:
    """The plan in a file, or in the folder that holds it as `plan.db`. Raises NotAPlanError, never a half plan."""
    file = path / "plan.db" if path.is_dir() else path
    if not file.is_file():
        raise NotAPlanError(f"there is no plan `{file}`")
    try:
        connection = sqlite3.connect(f"file:{_uri(file)}?mode=ro&immutable=1", uri=True)
    except sqlite3.Error as error:
        raise NotAPlanError(f"`{file}` cannot be opened: {error}") from error
    try:
        _check_format(connection, file)
        return _read(connection)
    except (sqlite3.Error, UnicodeDecodeError, TypeError, ValueError) as error:
        raise NotAPlanError(f"`{file}` is damaged: {error}") from error
    finally:
        connection.close()


def _uri(file: Path) -> str:
    from urllib.parse import quote

    return quote(str(file.resolve()))


def _check_format(connection: sqlite3.Connection, file: Path) -> None:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION_ID:
        raise NotAPlanError(f"`{file}` is not a plan")
    if version != FORMAT_VERSION:
        advice = "make it again from its project" if version < FORMAT_VERSION else "read it with a newer planner"
        raise NotAPlanError(
            f"`{file}` is a plan of format {version}, this planner reads format {FORMAT_VERSION}; {advice}"
        )


def _read(connection: sqlite3.Connection) -> Plan:
    project, revision, date, digest, version, draft = connection.execute("SELECT * FROM identity").fetchone()
    rows: dict[str, Any] = {field: tuple(_read_rows(connection, name, kind)) for name, (field, kind) in _ROWS.items()}
    tables: dict[str, Any] = {field: _read_table(connection, name, kind) for name, (field, kind) in _TABLES.items()}
    documents = dict(connection.execute("SELECT name, text FROM documents").fetchall())
    return Plan(
        identity=Identity(project, revision, date, digest, version, bool(draft)),
        findings=tuple(_read_findings(connection)),
        inputs=documents["inputs"],
        catalog=documents["catalog"],
        **rows,
        **tables,
    )


def _read_rows(connection: sqlite3.Connection, table: str, kind: type[Row]) -> Iterator[Row]:
    flags = {name for name, hint in get_type_hints(kind).items() if hint is bool}
    names = [f.name for f in fields(kind)]  # type: ignore[arg-type]
    for row in connection.execute(f"SELECT * FROM {table} ORDER BY row"):  # noqa: S608 - the name is ours
        values = [ABSENT if value is None else value for value in row[1:]]
        yield kind(*(bool(v) if name in flags else v for name, v in zip(names, values, strict=True)))


def _read_table(connection: sqlite3.Connection, table: str, kind: type[Table]) -> Table:
    rows = connection.execute(f"SELECT * FROM {table} ORDER BY row").fetchall()  # noqa: S608 - the name is ours
    hints = get_type_hints(kind)
    lists: Sequence[Sequence[Any]] = list(zip(*rows, strict=True))[1:] if rows else [[] for _ in fields(kind)]
    columns: dict[str, Any] = {}
    for column, values in zip(fields(kind), lists, strict=True):
        if hints[column.name] is Words:
            columns[column.name] = _words(values)
        else:
            columns[column.name] = np.array([ABSENT if v is None else v for v in values], np.int64)
    return kind(**columns)


def _words(values: Sequence[str | None]) -> Words:
    index: dict[str, int] = {}
    codes = [-1 if v is None else index.setdefault(v, len(index)) for v in values]
    return Words(np.array(codes, np.int32), tuple(index))


def _read_findings(connection: sqlite3.Connection) -> Iterator[Finding]:
    for row in connection.execute("SELECT * FROM findings ORDER BY row"):
        _, rule, name, severity, code, message, note, help_text, file, line, column, objects, count, reason = row
        at = None if file is None else Span(file, line, column)
        yield Finding(
            rule,
            name,
            Severity(severity),
            code,
            message,
            note,
            help_text,
            at,
            tuple(json.loads(objects)),
            count,
            reason,
        )
