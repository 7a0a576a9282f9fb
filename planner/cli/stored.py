"""`render` and `explain`: what is made from a plan alone."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from planner.cli.explained import cable_text, family_text, link_record, link_text, model_text, part_text, record_of
from planner.cli.explained_panels import panel_text
from planner.cli.main import OK, CommandError
from planner.cli.printing import choices_of, progress, take_font, warn
from planner.explain.answers import (
    CableExplained,
    Explained,
    FamilyExplained,
    LinkExplained,
    ModelExplained,
    PanelExplained,
    UnknownNameError,
)
from planner.explain.answers import explain as explained
from planner.floorplan import UnknownMarkError, named
from planner.label_template import template_of
from planner.label_text import with_label_texts
from planner.names import fold, nearest
from planner.plan import Plan
from planner.sketches.light import light_sketches
from planner.sketches.shapes import Sketch
from planner.store import NotAPlanError, read_plan
from planner.write.choices import MissingExtraError
from planner.write.documents import DOCUMENTS, KINDS, write_documents
from planner.write.folder import RefusedError, whole_files
from planner.write.route_picture import route_svg
from planner.write.sketches import svg_of_sketches
from planner.write.text import json_text


def render(arguments: argparse.Namespace) -> int:
    take_font(arguments)
    plan = _relabelled(_read(arguments.plan), arguments.label_template)
    choices = choices_of(arguments)
    kinds = frozenset(arguments.only.split(",")) if arguments.only else None
    for kind in sorted(kinds or ()):
        if kind not in KINDS:
            meant = nearest(kind, KINDS)
            raise CommandError(
                f"there is no document `{kind}`{f', did you mean `{meant}`?' if meant else ''} (there are {', '.join(KINDS)})"
            )
    rack = _rack(plan, arguments.rack, kinds, arguments.out)
    path = Path(arguments.plan)
    target = Path(arguments.out) if arguments.out else path if path.is_dir() else path.parent
    choices = replace(choices, rack=rack, highlight=_highlight(plan, arguments, kinds))
    try:
        with whole_files(target) as folder:
            told = write_documents(plan, folder, kinds, choices, progress(plan))
            written = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
    except (RefusedError, MissingExtraError) as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(f"`{target}` cannot be written: {error.strerror or error}") from error
    warn(told)
    print(f"written to {target}: {', '.join(written)}")
    return OK


def _highlight(plan: Plan, arguments: argparse.Namespace, kinds: frozenset[str] | None) -> str | None:
    """What to mark; a marked floor plan must not take the place of the plan's own."""
    name: str | None = arguments.highlight
    if name is None:
        return None
    if kinds != frozenset({"floor-plan"}) or arguments.out is None:
        raise CommandError("--highlight goes with --only floor-plan and --out DIR, so that the plan's own stays")
    try:
        named(plan, name)
    except UnknownMarkError as error:
        raise CommandError(str(error)) from error
    return name


def _relabelled(plan: Plan, template: str | None) -> Plan:
    """The plan with the label texts that were asked for, on every document that is made now."""
    if template is None:
        return plan
    try:
        return with_label_texts(plan, template_of(template))
    except ValueError as error:
        raise CommandError(str(error)) from error


def _rack(plan: Plan, name: str | None, kinds: frozenset[str] | None, out: str | None) -> str | None:
    """The rack's name as declared; a sheet of one rack must not take the place of the sheets of all."""
    if name is None:
        return None
    by_rack = [document.kind for document in DOCUMENTS if document.by_rack]
    if kinds is None or not kinds <= set(by_rack):
        raise CommandError(
            f"--rack goes with --only {','.join(dict.fromkeys(by_rack))}: the other documents are of the whole plan"
        )
    if out is None:
        raise CommandError("--rack needs --out DIR, so that one rack's sheets do not replace those of all racks")
    for rack in plan.racks:
        if fold(rack.name) == fold(name):
            return rack.name
    meant = nearest(name, (rack.name for rack in plan.racks))
    raise CommandError(f"the plan has no rack `{name}`{f', did you mean `{meant}`?' if meant else ''}")


def explain(arguments: argparse.Namespace) -> int:
    plan = _read(arguments.plan)
    try:
        found = explained(plan, arguments.name)
    except UnknownNameError as error:
        raise CommandError(str(error)) from error
    if arguments.svg:
        _draw(plan, found, arguments.svg)
    if arguments.format == "json":
        record = link_record(plan, found) if isinstance(found, LinkExplained) else record_of(plan, found)
        sys.stdout.write(json_text(record))
    elif isinstance(found, LinkExplained):
        print(link_text(plan, found, everything=arguments.all))
    elif isinstance(found, CableExplained):
        print(cable_text(plan, found))
    elif isinstance(found, PanelExplained):
        print(panel_text(plan, found))
    elif isinstance(found, FamilyExplained):
        print(family_text(plan, found))
    elif isinstance(found, ModelExplained):
        print(model_text(plan, found))
    else:
        print(part_text(plan, found))
    return OK


def _draw(plan: Plan, found: Explained, target: str) -> None:
    """The way of a link, and the light path in it, as a picture."""
    if not isinstance(found, LinkExplained):
        raise CommandError("--svg draws the way of a link; name a link ID")
    sheets = list(_light_sheets(found))
    if found.walk is None and not sheets:
        raise CommandError(f"`{found.link_id}` has no way that could be drawn: no cable was chosen")
    # The cords and the trunk of a channel over panels each go a way of their own; their light path is one.
    drawn = route_svg(plan, found.link_id, found.walk, sheets) if found.walk else svg_of_sketches(sheets, plan.identity)
    try:
        Path(target).write_text(drawn, encoding="utf-8", newline="\n")
    except OSError as error:
        raise CommandError(f"`{target}` cannot be written: {error.strerror or error}") from error


def _light_sheets(found: LinkExplained) -> Iterator[Sketch]:
    for channel in found.light:
        yield from light_sketches(found.link_id, channel.verdict, channel.paths, channel.repair)


def _read(path: str) -> Plan:
    try:
        return read_plan(Path(path))
    except NotAPlanError as error:
        raise CommandError(str(error)) from error
