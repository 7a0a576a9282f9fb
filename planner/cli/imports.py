"""`catalog import`: entries of a catalog made from files of other programs."""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from planner.cli.main import FAILED, FINDINGS, OK, CommandError
from planner.cli.printing import log
from planner.data import catalogs_folder
from planner.names import counted
from planner.reader import UNREADABLE_RULES, Sources
from planner.write.catalog import write_new

if TYPE_CHECKING:  # both load pydantic, which the command starts without
    from planner.catalog.load import Catalog
    from planner.importers.netbox import Imported


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


def prices(arguments: argparse.Namespace) -> int:
    """Convert one purchase list; what has no price is nothing to convert, what is wrong is told row by row."""
    from planner.importers.prices import PURCHASE_SHEET, Offer, price_book
    from planner.reader.sheet_source import read_sheet

    path = Path(arguments.source)
    name = re.sub(r"[^a-z0-9]+", "-", (arguments.name or path.stem).casefold()).strip("-") or "offer"
    offer = Offer(name, arguments.offer, _day(arguments.date), _currency(arguments.currency))
    if not path.is_file():
        raise CommandError(f"there is no file `{path}`")
    sources = Sources(path.parent)
    rows = read_sheet(sources, path.name, PURCHASE_SHEET)
    if rows is None:
        raise CommandError(_told(path.name, sources, 0))
    catalog = _known(arguments.catalog)
    made = price_book(rows, offer, catalog.part_named, catalog.prices)
    if isinstance(made, str):
        raise CommandError(f"`{path}`: {made}")
    for text in made.left_out:
        log(f"planner: {path.name}: {text}; not converted")
    if made.unchanged:
        log(f"{counted(made.unchanged, 'price')} as the catalog has it, not converted")
    if not made.taken:
        raise CommandError(f"`{path}` has no price to convert")
    if arguments.out is None:
        sys.stdout.write(made.text)
    else:
        target = Path(arguments.out) / "prices" / f"{name}.yaml"
        if not _written(target, made.text):
            raise CommandError(f"`{target}` exists and was left as it is; move it, or give another `--name`")
        print(f"written to {target}")
    log(f"{counted(made.taken, 'price')} converted")
    return FINDINGS if made.left_out else OK


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise CommandError(f"`{text}` is no day; write it as 2026-10-01") from None


def _currency(text: str | None) -> str | None:
    if text and not re.fullmatch("[A-Z]{3}", text):
        raise CommandError(f"`{text}` is not a currency's code such as `USD`")
    return text


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
