"""Lists of links, and of what is on hand, in CSV: column by column, with the line of each row."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from planner.findings import NOWHERE, Spot, spot
from planner.reader.csv_table import MAX_FAULTS, CsvForm, read_csv_table
from planner.reader.sources import Sources

ANY_PORTS: Final = "any"
"""In the column `ports`: the planner picks the ports that the row leaves open."""


def _why_not_ports(cell: str) -> str | None:
    return None if cell.lower() == ANY_PORTS else f"`{cell}` is not `{ANY_PORTS}`, nor empty"


def _why_not_a_count(cell: str) -> str | None:
    return None if re.fullmatch(r"[0-9]{1,9}", cell) else f"`{cell}` is not a whole number of pieces from 0"


def _open_ports(row: Mapping[str, str]) -> tuple[str, ...]:
    return ("a_port", "z_port") if row["ports"].lower() == ANY_PORTS else ()


_LINKS: Final = CsvForm(
    required=("a_device", "a_port", "z_device", "z_port"),
    optional=("tier", "ports"),
    checks={"ports": _why_not_ports},
    may_be_empty=_open_ports,
)
_STOCK: Final = CsvForm(required=("part", "quantity"), optional=("place",), checks={"quantity": _why_not_a_count})


@dataclass(frozen=True, slots=True)
class LinkCsv:
    """The links of a CSV file: columns of one length, blanks around a text removed, `tier` empty where not given.

    ports: `any` where the planner picks the ports that the row leaves open, else empty.
    lines: the line from 1 in which each row begins.
    """

    file: int
    a_device: list[str]
    a_port: list[str]
    z_device: list[str]
    z_port: list[str]
    tier: list[str]
    ports: list[str]
    lines: list[int]

    def __len__(self) -> int:
        return len(self.lines)

    def spot(self, row: int) -> Spot:
        return spot(self.file, self.lines[row], 1)


def read_link_csv(sources: Sources, name: str, at: Spot = NOWHERE) -> LinkCsv | None:
    """The links in a file of the project; None where the file, its header or its quoting is at fault.

    at: the place that names the file. Rows that are at fault are left out of the result and reported.
    """
    table = read_csv_table(sources, name, _LINKS, at)
    return None if table is None else LinkCsv(table.file, **table.columns, lines=table.lines)


@dataclass(frozen=True, slots=True)
class StockCsv:
    """What is on hand, row by row: a part or order number as written, pieces, and where they lie (may be empty)."""

    file: int
    part: list[str]
    quantity: list[int]
    place: list[str]
    lines: list[int]

    def spot(self, row: int) -> Spot:
        return spot(self.file, self.lines[row], 1)


def read_stock_csv(sources: Sources, name: str, at: Spot = NOWHERE) -> StockCsv | None:
    """The stock list in a file of the project, as `read_link_csv`."""
    table = read_csv_table(sources, name, _STOCK, at)
    if table is None:
        return None
    columns = table.columns
    return StockCsv(
        table.file, columns["part"], [int(text) for text in columns["quantity"]], columns["place"], table.lines
    )


__all__ = ["ANY_PORTS", "MAX_FAULTS", "LinkCsv", "StockCsv", "read_link_csv", "read_stock_csv"]
