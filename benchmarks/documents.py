"""Documents against plain use of the libraries, in one run: CPU seconds of this process, for one core.

`python benchmarks/documents.py PROJECT` (such as the 24k cluster of `synthetic.py`) prints JSON: cut sheets a rack
of 80 cable ends with each kind of code, beside a plain reportlab table of the same rows; all cut sheets of the plan on all
cores, with the memory that each process takes; and the cables of all racks as a streamed workbook, beside openpyxl's
write-only mode.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any

import numpy as np
from openpyxl import Workbook
from reportlab.lib.pagesizes import A4, landscape
from reportlab.platypus import LongTable, SimpleDocTemplate, TableStyle

from planner.cli.main import seldom_collected
from planner.cutsheet import CableRow, Sheets
from planner.pipeline import compile_project
from planner.plan import Plan
from planner.write.choices import CODES, Choices
from planner.write.cut_sheets.files import write_document, write_rows
from planner.write.cut_sheets.rack import rack_pages
from planner.write.workbook.looks import LOOKS
from planner.write.workbook.schedules import CABLE_COLUMNS, cable_values
from planner.write.workbook.spreadsheet import Book, Page

ENDS_A_RACK = 80
RACKS = 50
PLAIN_ROWS = 20_000


def seconds(work: Callable[[], Any], repeat: int = 4) -> float:
    """The least CPU time of some runs, for others use the machine too; the first warms caches, as the second rack of a plan finds them."""
    best = float("inf")
    for _ in range(repeat):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best


def cut_sheets(plan: Plan, folder: Path) -> dict[str, float]:
    made = Sheets(plan)
    racks = made.order[:: max(1, len(made.order) // RACKS)][:RACKS]
    rows = [row for sheet in made.of(racks) for row in sheet.rows]
    ends = sum(end.here for row in rows for end in (row.near, *row.far))
    share = ENDS_A_RACK / ends * 1000
    found = {"ends": float(ends)}
    for codes in CODES:
        choices = Choices(codes=codes)

        def ours(choices: Choices = choices) -> None:
            pages = [rack_pages(sheet, choices.codes) for sheet in made.of(racks)]
            write_document(plan, pages, folder / "ours.pdf", choices)

        found[f"{codes}_ms_a_rack"] = round(seconds(ours) * share, 1)
    found["plain_table_ms_a_rack"] = round(seconds(lambda: plain_table(rows, folder / "plain.pdf")) * share, 1)
    for codes in CODES:
        found[f"plain_over_{codes}"] = round(found["plain_table_ms_a_rack"] / found[f"{codes}_ms_a_rack"], 2)
    return found


def all_cores(plan: Plan, folder: Path) -> dict[str, float]:
    """Every rack's sheets, a file a row: how many cores worked, and the memory of a process beside what it began with."""
    begun, before = time.perf_counter(), getrusage(RUSAGE_CHILDREN)
    held_mb = getrusage(RUSAGE_SELF).ru_maxrss / 1024
    files = write_rows(plan, folder, Choices())
    wall, after = time.perf_counter() - begun, getrusage(RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "racks": float(len(plan.racks)),
        "files": float(len(files)),
        "cpu_s": round(cpu, 2),
        "cores_used": round(cpu / wall, 2),
        "plan_mb": round(held_mb),
        "most_of_a_process_mb": round(after.ru_maxrss / 1024),
    }


def plain_table(rows: list[CableRow], path: Path) -> None:
    """What one writes first: a table of texts, without codes, maps or boxes."""
    head = [
        "cable",
        "U",
        "device",
        "port",
        "plug",
        "label",
        "length",
        "part",
        "rack",
        "U",
        "device",
        "port",
        "plug",
        "label",
    ]
    cells = [
        [
            row.cable_id, row.near.u, row.near.device, "+".join(row.near.ports), row.near.plug, row.near.text,
            row.part.length_mm / 1000, row.part.part, far.rack, far.u, far.device, "+".join(far.ports), far.plug, far.text,
        ]
        for row in rows
        for far in row.far
    ]  # fmt: skip
    table = LongTable([head, *cells], repeatRows=1)
    table.setStyle(TableStyle([("FONTSIZE", (0, 0), (-1, -1), 6), ("GRID", (0, 0), (-1, -1), 0.25, "black")]))
    SimpleDocTemplate(str(path), pagesize=landscape(A4)).build([table])


def schedule(plan: Plan, folder: Path) -> dict[str, float]:
    cables = np.arange(len(plan.cables))

    def ours() -> None:
        book = Book(LOOKS, Page("", "", "", draft=False), "cables")
        sheet = book.sheet("Cables", CABLE_COLUMNS)
        book.head(sheet)
        book.stream(sheet, list(cable_values(plan, cables)))
        book.save(folder / "ours.xlsx")

    few = cables[:PLAIN_ROWS]

    def plain() -> None:
        book = Workbook(write_only=True)
        sheet = book.create_sheet("Cables")
        sheet.append([column.head for column in CABLE_COLUMNS])
        for row in cable_values(plan, few):
            sheet.append(row)
        book.save(folder / "plain.xlsx")

    fast, slow = seconds(ours, 1), seconds(plain, 1)
    return {
        "rows": float(len(cables)),
        "streamed_rows_a_second": round(len(cables) / fast),
        "openpyxl_rows_a_second": round(len(few) / slow),
        "ratio": round(len(cables) / fast / (len(few) / slow), 1),
        "s_of_300288_rows": round(300_288 * fast / len(cables), 1),
    }


def main(path: Path) -> None:
    plan = compile_project(path).plan
    assert plan is not None
    with tempfile.TemporaryDirectory() as folder:
        found = {
            "cut_sheets": cut_sheets(plan, Path(folder)),
            "all_cores": all_cores(plan, Path(folder)),
            "schedule": schedule(plan, Path(folder)),
        }
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    with seldom_collected():  # as the programme's own commands
        main(Path(sys.argv[1]))
