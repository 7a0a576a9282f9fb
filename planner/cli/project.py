"""`check` and `plan`: from a project to findings, a plan and documents."""

from __future__ import annotations

import argparse
import sqlite3
from dataclasses import replace
from pathlib import Path

from planner.cli.main import FAILED, FINDINGS, OK, CommandError
from planner.cli.printing import (
    choices_of,
    log,
    print_findings,
    print_headlines,
    progress,
    spoken_counts,
    take_font,
    warn,
)
from planner.findings import has_errors
from planner.names import counted
from planner.pipeline import Compiled, compile_project
from planner.plan import Plan
from planner.store import write_plan
from planner.write.choices import Choices
from planner.write.documents import write_documents, written_names
from planner.write.folder import RefusedError, whole_folder
from planner.write.text import findings_text


def check(arguments: argparse.Namespace) -> int:
    take_font(arguments)
    compiled = compile_project(existing(arguments.project))
    print_findings(compiled.findings, arguments.format)
    if arguments.findings:
        _save(Path(arguments.findings), findings_text(compiled.findings))
    log(f"{arguments.project}: {spoken_counts(compiled.findings)}")
    return _status(compiled)


def plan(arguments: argparse.Namespace) -> int:
    if arguments.without or arguments.max_lead_time is not None or arguments.objective is not None:
        from planner.cli.whatif import what_if

        return what_if(arguments)
    choices = choices_of(arguments)
    take_font(arguments)
    compiled = compile_project(existing(arguments.project))
    made = compiled.plan
    failed = has_errors(compiled.findings)
    if made is None or (failed and not arguments.draft) or compiled.unreadable:
        print_findings(compiled.findings, arguments.format)
        log(f"{arguments.project}: {spoken_counts(compiled.findings)}; nothing was written")
        return _status(compiled)
    made = replace(made, identity=replace(made.identity, draft=failed))
    target = Path(arguments.out) if arguments.out else default_folder(made.identity.project)
    write(made, target, choices)
    if failed or arguments.format != "text":
        print_findings(compiled.findings, arguments.format)
    else:
        print_headlines(compiled.findings)
    if arguments.format == "text":
        print(_told(made, target))
    log(f"{arguments.project}: {spoken_counts(compiled.findings)}")
    return _status(compiled)


def default_folder(project: str) -> Path:
    """Where a plan is written unless `--out` says otherwise."""
    return Path("output") / folder_name(project)


def folder_name(project: str) -> str:
    """A project's name as the name of a folder: it may hold characters that lead elsewhere."""
    safe = "".join("_" if c in '/\\:*?"<>|' else c for c in project).strip(". ")
    return safe or "plan"


def existing(project: str) -> Path:
    path = Path(project)
    if not path.exists():
        raise CommandError(f"there is no project `{project}`")
    return path


def _status(compiled: Compiled) -> int:
    if compiled.unreadable or compiled.plan is None:
        return FAILED if compiled.unreadable else FINDINGS
    return FINDINGS if has_errors(compiled.findings) else OK


def write(made: Plan, target: Path, choices: Choices) -> None:
    """The plan and its documents as a folder, whole or not at all."""
    try:
        with whole_folder(target) as folder:
            write_plan(made, folder / "plan.db")
            told = write_documents(made, folder, choices=choices, say=progress(made))
    except RefusedError as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(
            f"`{target}` cannot be written: {error.strerror or error}; what was there is as it was"
        ) from error
    except sqlite3.Error as error:
        raise CommandError(f"`{target}` cannot be written: {error}; what was there is as it was") from error
    warn(told)


def _told(made: Plan, target: Path) -> str:
    links, cables = len(made.links), len(made.cables)
    unresolved = sum(status == "unresolved" for status in made.links.status.tolist())
    names = ", ".join(["plan.db", *written_names(target)])
    pieces = f"{counted(links, 'link')}, {counted(cables, 'cable')}, {counted(len(made.plugs), 'plug')}"
    first = f"{made.identity.project}: {pieces}" + (f", {counted(unresolved, 'link')} unresolved" if unresolved else "")
    return f"{first}\nwritten to {target}: {names}"


def _save(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise CommandError(f"`{path}` cannot be written: {error.strerror or error}") from error
