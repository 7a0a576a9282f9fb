"""Workbooks by row of racks, where a plan has too many cables for one: their cables and the ports of their switches."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from planner.plan import Plan
from planner.write.cores import on_all_cores
from planner.write.workbook.looks import LOOKS, top
from planner.write.workbook.schedules import (
    CABLE_COLUMNS,
    CABLES_NOTE,
    PORT_COLUMNS,
    PORTS_NOTE,
    cable_values,
    port_values,
    row_files,
    switches_of,
)
from planner.write.workbook.spreadsheet import Book, Page, Value


def write_row_workbooks(plan: Plan, folder: Path, page: Page) -> list[Path]:
    """A workbook for each row of racks into a folder that exists: cables whose a end is there, and its switches' ports.

    Each is written by itself, so that few rows are held and all cores have work.
    """
    files = row_files(plan)

    def write_row(row: str) -> Path:
        racks = [number for number, rack in enumerate(plan.racks) if rack.row == row]
        book = Book(LOOKS, page, f"Schedules of row {row}")
        cables = book.sheet("Cables", CABLE_COLUMNS)
        top(
            book,
            cables,
            plan,
            f"Cables of row {row}",
            CABLES_NOTE,
            "A cable stands in the workbook of its a end's row.",
        )
        book.head(cables)
        book.stream(cables, list(cable_values(plan, np.flatnonzero(np.isin(plan.cables.rack_a, racks)))))
        ports = book.sheet("Ports", PORT_COLUMNS, portrait=True)
        top(book, ports, plan, f"Switch ports of row {row}", PORTS_NOTE)
        head = book.head(ports)
        listed: list[list[Value]] = []
        for of_switch in port_values(plan, switches_of(plan, set(racks))):
            if listed:
                ports.breaks.append(head + len(listed))
            listed.extend(of_switch)
        book.stream(ports, listed)
        path = folder / files[row]
        book.save(path)
        return path

    return on_all_cores(write_row, list(files))
