"""Plan each project twice in surroundings that must not matter, and compare the files byte for byte.

Usage: check_repeatable.py OUTPUT PROJECT ...

csv, json, svg and pdf must be the same bytes; `plan.db` the same dump; the workbook the same cells. The first plan of
each project stays in OUTPUT, for the checks that follow.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import openpyxl

SURROUNDINGS = (
    {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C.UTF-8"},
    {"PYTHONHASHSEED": "4711", "TZ": "Pacific/Kiritimati", "LC_ALL": "C", "PYTHONUTF8": "0"},
)
ORDINARY = {".csv", ".json", ".svg", ".pdf", ".txt", ".html"}


def main(output: Path, projects: list[str]) -> int:
    faults = []
    for project in projects:
        with tempfile.TemporaryDirectory() as scratch:
            plans = [output / Path(project).name, Path(scratch) / "plan"]
            with ThreadPoolExecutor() as both:
                list(both.map(made, [project] * len(plans), plans, SURROUNDINGS))
            first, second = ({path.relative_to(plan): path for path in files(plan)} for plan in plans)
            print(f"{project}: {len(first)} files")
            faults += [f"{project}: only one run wrote {name}" for name in sorted(first.keys() ^ second.keys())]
            for name in sorted(first.keys() & second.keys()):
                if not is_same(first[name], second[name]):
                    faults.append(f"{project}: {name} differs between the runs")
    print("\n".join(faults) or "all the same")
    return 1 if faults else 0


def made(project: str, plan: Path, surroundings: dict[str, str]) -> None:
    command = [sys.executable, "-m", "planner", "plan", project, "--out", str(plan)]
    done = subprocess.run(command, env=os.environ | surroundings, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}")


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def is_same(path: Path, other: Path) -> bool:
    return path.read_bytes() == other.read_bytes() or content(path) == content(other)


def content(path: Path) -> object:
    """What must be the same of a file."""
    if path.suffix == ".db":
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as plan:
            return list(plan.iterdump())
    if path.suffix == ".xlsx":
        book = openpyxl.load_workbook(path)
        return [(sheet.title, [[cell.value for cell in row] for row in sheet.iter_rows()]) for sheet in book.worksheets]
    if path.suffix in ORDINARY or not path.suffix:
        return path.read_bytes()
    sys.exit(f"check_repeatable.py does not know how to compare {path.name}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: check_repeatable.py OUTPUT PROJECT ...")
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
