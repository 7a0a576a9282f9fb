"""`init`: a starter project that plans clean, copied or written in the size asked for."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Mapping
from pathlib import Path

from planner.cli.main import OK, SIZES, CommandError
from planner.data import COPIED_TEMPLATES, templates_folder
from planner.names import nearest
from planner.templates import TEMPLATES
from planner.templates.model import CannotLayOutError, Template, option


def init(arguments: argparse.Namespace) -> int:
    if not arguments.template:
        print(_listed())
        return OK
    known = (*COPIED_TEMPLATES, *TEMPLATES)
    if arguments.template not in known:
        meant = nearest(arguments.template, known)
        hint = f", did you mean `{meant}`?" if meant else ""
        raise CommandError(f"there is no template `{arguments.template}`{hint} (there are: {', '.join(known)})")
    if not arguments.folder:
        raise CommandError(f"name the folder to write into: `planner init {arguments.template} DIR`")
    given = {name: number for name in SIZES if (number := getattr(arguments, name)) is not None}
    files = _files(arguments.template, given)
    target = Path(arguments.folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise CommandError(f"`{target}` exists and is not empty; name a new folder")
    try:
        if files is None:
            # The layout's own README speaks of the layout, not of the project that begins here.
            skip = shutil.ignore_patterns("README.md")
            shutil.copytree(templates_folder() / arguments.template, target, dirs_exist_ok=True, ignore=skip)
        else:
            for name, text in files.items():
                path = target / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise CommandError(f"`{target}` cannot be written: {error.strerror or error}") from error
    print(f"written to {target}: edit {target / 'project.yaml'}, then run `planner plan {target}`")
    return OK


def _files(name: str, given: dict[str, int]) -> Mapping[str, str] | None:
    """The project's files, or None for a template that is copied as it is."""
    if name in COPIED_TEMPLATES:
        if given:
            raise CommandError(f"`{name}` is of one size; it takes no `--{option(next(iter(given)))}`")
        return None
    try:
        return TEMPLATES[name].files(given)
    except CannotLayOutError as error:
        raise CommandError(str(error)) from error


def _listed() -> str:
    """The templates, each with the figures that it takes."""
    lines = ["two-racks", "  the smallest plan: two servers, a leaf and a spine in two racks"]
    for template in TEMPLATES.values():
        lines += [template.name, f"  {template.summary}", *_figures(template)]
    return "\n".join(lines)


def _figures(template: Template) -> list[str]:
    return [
        f"  --{option(name)} {figure.spoken} (default: {figure.default}): {figure.meaning}"
        for name, figure in template.figures.items()
    ]
