"""`catalog import`: entries and price books of a catalog made from other files."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

from planner.cli.main import FAILED, FINDINGS, OK, CommandError
from planner.cli.printing import log, spoken_counts
from planner.data import catalogs_folder
from planner.findings import Finding, as_text, has_errors, sort_key
from planner.names import counted, some
from planner.reader import UNREADABLE_RULES, Sources
from planner.reader.csv_table import CsvForm, read_csv_table
from planner.write.catalog import write_new

if TYPE_CHECKING:  # both load pydantic, which the command starts without
    from planner.catalog.load import Catalog
    from planner.importers.netbox import Imported


def _why_not_a_count(cell: str) -> str | None:
    return None if re.fullmatch("[0-9]{1,9}", cell) else "no count"


_BILL: Final = CsvForm(
    required=("part", "qty_installed", "qty_spare", "qty_stock"),
    optional=("phase",),
    checks=dict.fromkeys(("qty_installed", "qty_spare", "qty_stock"), _why_not_a_count),
)
"""What is read of a plan's `bom.csv`."""


@dataclass
class _Tally:
    """What became of the files so far: the worst exit status, and the ids that were given."""

    status: int = OK
    ids: dict[str, str] = field(default_factory=dict)

    def refuse(self, status: int, line: str) -> None:
        self.status = max(self.status, status)
        log(f"planner: {line}")


def netbox(arguments: argparse.Namespace) -> int:
    """Convert a file or every file below a folder; one that cannot be converted does not hinder the others."""
    from planner.importers.netbox import device_entry

    path, out = Path(arguments.source), Path(arguments.out) if arguments.out else None
    if out is not None and out.exists() and not out.is_dir():
        raise CommandError(f"`{out}` is not a folder")
    sources, names = _files(path)
    known = _known([])
    tally = _Tally()
    for name in names:
        told = len(sources.faults)
        tree = sources.read_yaml(name)
        faults = sources.faults[told:]
        if tree is None or faults:
            unreadable = tree is None or any(fault.rule in UNREADABLE_RULES for fault in faults)
            tally.refuse(FAILED if unreadable else FINDINGS, _told(name, sources, told))
            continue
        made = device_entry(tree, name)
        if isinstance(made, list):
            sources.faults += made
            tally.refuse(FINDINGS, _told(name, sources, told))
            continue
        if made.id in tally.ids:
            tally.refuse(FINDINGS, f"{name}: `{tally.ids[made.id]}` has the same id, `{made.id}`; not converted")
            continue
        tally.ids[made.id] = name
        if out is None:
            sys.stdout.write(("---\n" if len(tally.ids) > 1 else "") + made.text)
            continue
        target = out / "devices" / f"{made.id}.yaml"
        if not _written(target, made.text):
            tally.refuse(FAILED, f"{name}: `{target}` exists and was left as it is; move it, or name another folder")
            continue
        _print_report(name, made, target, known)
    log(f"{len(tally.ids)} of {counted(len(names), 'file')} converted")
    return tally.status


def _known(folders: list[str]) -> Catalog:
    """The shipped catalog, with the folders in place of what it has too."""
    from planner.catalog.load import load_catalog, load_more

    catalog = load_catalog(Sources(Path()), catalogs_folder())
    for folder in folders:
        if not Path(folder).is_dir():
            raise CommandError(f"there is no catalog folder `{folder}`")
        load_more(catalog, Sources(Path(folder)))
    return catalog


def _written(target: Path, text: str) -> bool:
    try:
        return write_new(target, text)
    except OSError as error:
        raise CommandError(f"`{target}` cannot be written: {error.strerror or error}") from error


def _print_report(name: str, made: Imported, target: Path, shipped: Catalog) -> None:
    print(f"{name}: {made.id}, {made.description}")
    for text in made.assumed:
        print(f"  assumed: {text}")
    print(f"  unknown: {', '.join(made.unknown)}")
    for text in made.left_out:
        print(f"  left out: {text}")
    twin = shipped.find(made.part)
    if shipped.find(made.id) is not None:
        print(f"  the shipped catalog has the id `{made.id}` too: in a project this entry takes its place")
    elif twin is not None:
        print(f"  the shipped catalog has `{made.part}` too: `planner catalog show {twin.id}`")
    print(f"  written to {target}")


def _files(path: Path) -> tuple[Sources, list[str]]:
    """The files to convert, by their names below a folder."""
    if not path.exists():
        raise CommandError(f"there is no file or folder `{path}`")
    if not path.is_dir():
        return Sources(path.parent), [path.name]
    sources = Sources(path)
    names = sources.names_below(".")
    if sources.faults:
        raise CommandError(sources.faults[0].message)
    if not names:
        raise CommandError(f"`{path}` holds no file `*.yaml` or `*.yml`")
    return sources, names


def _told(name: str, sources: Sources, first: int) -> str:
    """The first of a file's faults in one line, and how many more there are."""
    fault, more = sources.faults[first], len(sources.faults) - first - 1
    span = sources.files.span(fault.at)
    rest = f" (and {more} more)" if more else ""
    return f"{span or name}: {fault.message}{rest}; not converted"


def prices(arguments: argparse.Namespace) -> int:
    """Make a price book from a buyer's list; where a line of it is wrong, say all that is and write nothing."""
    from planner.importers.prices import book_text, other_currencies, price_list
    from planner.reader.sheet_source import read_sheets
    from planner.rules import findings_of

    path, out = Path(arguments.file), Path(arguments.out) if arguments.out else None
    _refuse_options(arguments, out)
    sources = Sources(path.parent)
    sheets = read_sheets(sources, path.name)
    if sheets is None:
        _log_findings(findings_of(sources.faults, sources.files))
        return FAILED
    found = price_list(sheets, 0, _known(arguments.catalog), currency=arguments.currency, planned=_planned_counts(path))
    faults = [*found.faults, *other_currencies(found.quotes.values())]
    findings = sorted(findings_of(faults, sources.files), key=sort_key)
    _log_findings(findings)
    if has_errors(findings):
        log(f"{spoken_counts(findings)}; no price book is written")
        return FINDINGS
    text = book_text(out.stem if out else path.stem, found.quotes.values(), arguments.date, arguments.source, path.name)
    if out is None:
        sys.stdout.write(text)
    else:
        if not _written(out, text):
            raise CommandError(f"`{out}` exists and was left as it is; move it, or name another file")
        print(f"written to {out}")
    told = (some(found.unpriced, "row"), "without a price"), (some(found.unchanged, "price"), "as the catalog has it")
    rest = "".join(f", {count} {what}" for count, what in told if not count.startswith("no "))
    log(f"{counted(sum(q.price is not None for q in found.quotes.values()), 'price')}{rest}; {spoken_counts(findings)}")
    return OK


def _refuse_options(arguments: argparse.Namespace, out: Path | None) -> None:
    try:
        right = len(arguments.date) == 10 and bool(date.fromisoformat(arguments.date))
    except ValueError:
        right = False
    if not right:
        raise CommandError(f"`{arguments.date}` is no day; write it as 2026-10-01")
    if not arguments.source.strip():
        raise CommandError("`--source` is empty; name who offers, and under which number")
    if arguments.currency is not None and not re.fullmatch("[A-Z]{3}", arguments.currency):
        raise CommandError(f"`{arguments.currency}` is not a currency's code, three capital letters such as `EUR`")
    if out is not None and out.suffix not in (".yaml", ".yml"):
        raise CommandError(f"`{out}` is not the name of a file `*.yaml`, which a catalog's folder `prices/` holds")


def _planned_counts(path: Path) -> dict[tuple[str, str], dict[str, int]]:
    """The counts of the bill that the planner wrote beside its workbook, to see which the buyer changed; else none."""
    if path.suffix.lower() != ".xlsx" or not (path.parent / "bom.csv").is_file():
        return {}
    table = read_csv_table(Sources(path.parent), "bom.csv", _BILL)
    if table is None:
        return {}
    columns = table.columns
    return {
        (part.lower(), phase): {name: int(columns[f"qty_{name}"][row]) for name in ("installed", "spare", "stock")}
        for row, (part, phase) in enumerate(zip(columns["part"], columns["phase"], strict=True))
    }


def _log_findings(findings: Iterable[Finding]) -> None:
    """On stderr: what the command gives is the price book."""
    for finding in findings:
        log(as_text(finding) + "\n")
