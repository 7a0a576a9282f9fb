"""`rules`, `channel`, `catalog` and `schema`: what the planner knows apart from a project."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planner.cli.main import FAILED, FINDINGS, OK, CommandError
from planner.cli.printing import log, print_findings, spoken_counts
from planner.data import catalogs_folder
from planner.findings import FILE_SHIFT, sort_key
from planner.names import counted, fold, natural_key, nearest
from planner.reader import UNREADABLE_RULES, Sources, YamlMap, YamlSeq, spot_at
from planner.write.text import json_text

if TYPE_CHECKING:
    from planner.channel.cases import Answer


def rules(arguments: argparse.Namespace) -> int:
    from planner.rules import RULES, in_order

    known = in_order()
    if arguments.rule:
        wanted = arguments.rule.casefold()
        chosen = [rule for rule in known if wanted in (rule.id.casefold(), rule.name)]
        if not chosen:
            meant = nearest(arguments.rule, [*RULES, *(rule.name for rule in known)])
            raise CommandError(f"there is no rule `{arguments.rule}`{f', did you mean `{meant}`?' if meant else ''}")
        known = chosen
    if arguments.format == "json":
        records = [{"id": r.id, "name": r.name, "severity": r.severity.value, "page": r.page} for r in known]
        sys.stdout.write(json_text(records))
    elif arguments.rule:
        print(f"{known[0].id} {known[0].name} ({known[0].severity.value})\n\n{known[0].page}")
    else:
        for rule in known:
            print(f"{rule.id}  {rule.severity.value:<8} {rule.name:<34} {rule.summary}")
    return OK


def channel(arguments: argparse.Namespace) -> int:
    from planner.channel.cases import judged, record
    from planner.rules import findings_of

    path = Path(arguments.file)
    sources = Sources(path.parent)
    tree = sources.read_yaml(path.name)
    faults = list(sources.faults)
    found: list[Answer] = []
    if tree is not None:
        found, problems = judged(tree, lambda keys: spot_at(tree, keys))
        faults += problems
    findings = sorted(findings_of(faults, sources.files), key=sort_key)
    if arguments.svg and found:
        _draw(found, path, arguments.svg)
    if arguments.format == "json":
        sys.stdout.write(json_text([record(answer) for answer in found]))
    else:
        for answer in found:
            print("\n".join(_told(answer, light=arguments.light)))
    if findings:
        for finding in findings:
            log(f"{finding.severity.value}[{finding.rule}]: {finding.message} ({finding.at})")
    if tree is None or any(fault.rule in UNREADABLE_RULES for fault in faults):
        return FAILED
    return FINDINGS if findings or any(answer.verdict.verdict != "pass" for answer in found) else OK


def _told(answer: Answer, *, light: bool) -> Iterator[str]:
    from planner.channel.light import light_of
    from planner.channel.light_text import light_lines, loss_text, verdict_lines

    verdict = answer.verdict
    paths = light_of(answer.case.channel, verdict)
    yield f"{answer.case.id}: {verdict.verdict}" + (f"  {', '.join(verdict.codes)}" if verdict.codes else "")
    yield from light_lines(paths) if light else filter(None, map(loss_text, paths))
    yield from (f"  {line}" for line in verdict_lines(verdict, answer.repair))


def _draw(found: Sequence[Answer], path: Path, target: str) -> None:
    """The light paths of all channels, sheets below each other."""
    from planner import __version__
    from planner.channel.light import light_of
    from planner.plan import Identity
    from planner.sketches.light import light_sketches
    from planner.write.sketches import svg_of_sketches

    sheets = [
        sheet
        for answer in found
        for sheet in light_sketches(
            answer.case.id, answer.verdict, light_of(answer.case.channel, answer.verdict), answer.repair
        )
    ]
    digest = sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    identity = Identity(path.name, "", "", digest, __version__, False)
    try:
        Path(target).write_text(svg_of_sketches(sheets, identity), encoding="utf-8", newline="\n")
    except OSError as error:
        raise CommandError(f"`{target}` cannot be written: {error.strerror or error}") from error


def catalog_list(arguments: argparse.Namespace) -> int:
    from planner.catalog.facets import FACETS, facets

    catalog, _ = _catalog(arguments.catalog)
    entries = [(entry, facets(shelf, entry, catalog)) for shelf, entry in catalog.entries()]
    wanted = {facet: value for facet in FACETS if (value := getattr(arguments, facet.replace("-", "_"))) is not None}
    for facet, value in wanted.items():
        accepted = _accepted(facet, value, catalog)
        known = sorted({one for _, values in entries for one in values[facet]}, key=natural_key)
        if accepted.isdisjoint(fold(one) for one in known):
            meant = nearest(value, known)
            hint = f", did you mean `{meant}`?" if meant else ""
            log(f"no part has the {facet.replace('-', ' ')} `{value}`{hint} (there are: {', '.join(known)})")
    rows = []
    for entry, values in entries:
        if all(
            not _accepted(facet, value, catalog).isdisjoint(map(fold, values[facet])) for facet, value in wanted.items()
        ):
            members = getattr(entry, "members", [])
            lengths = [m.length_m / 1_000_000 for m in members if getattr(m, "length_m", None) is not None]
            rows.append({"id": entry.id, "kind": entry.kind, "parts": [m.part for m in members], "lengths_m": lengths,
                         "lifecycle": next(iter(values["lifecycle"]), None), "description": entry.description})  # fmt: skip
    if arguments.format == "json":
        sys.stdout.write(json_text(rows))
        return OK
    for row in rows:
        sizes = f" ({', '.join(f'{length:g}' for length in row['lengths_m'])} m)" if row["lengths_m"] else ""
        print(f"{row['id']:<24} {row['kind']:<12} {row['lifecycle'] or '':<13} {row['description']}{sizes}")
    log(counted(len(rows), "family", "families"))
    return OK


def _accepted(facet: str, value: str, catalog: Any) -> set[str]:
    """What a filter accepts: the value without case, and of a rate its other electrical forms, as a fabric takes them."""
    return {fold(form) for form in catalog.forms(value)} if facet == "rate" else {fold(value)}


def catalog_show(arguments: argparse.Namespace) -> int:
    catalog, _ = _catalog(arguments.catalog)
    entry = catalog.find(arguments.name)
    if entry is None:
        known = [e.id for _, e in catalog.entries()] + [
            m.part for _, e in catalog.entries() for m in getattr(e, "members", [])
        ]
        meant = nearest(arguments.name, known)
        raise CommandError(f"the catalog has no part `{arguments.name}`{f', did you mean `{meant}`?' if meant else ''}")
    tree = next(tree for name, tree in catalog.trees.items() if Path(name).stem == entry.id)
    sources = tree.get("sources")
    print("\n".join(_shown(tree, sources if isinstance(sources, YamlMap) else {}, "")))
    return OK


def _shown(value: Any, sources: dict[str, Any], indent: str) -> list[str]:
    """A tree in words: a figure on one line with its evidence, and its source spelled out below."""
    lines = []
    for key, item in value.items():
        if key == "sources":
            continue
        if isinstance(item, YamlMap) and "value" in item and not isinstance(item["value"], YamlMap):
            known = "unknown" if item["value"] is None else item["value"]
            lines.append(f"{indent}{key}: {known}  [{item.get('evidence') or 'unverified'}]")
            lines.append(f"{indent}    source: {sources.get(str(item.get('source')), item.get('source'))}")
            if item.get("note"):
                lines.append(f"{indent}    note: {item['note']}")
        elif isinstance(item, YamlMap):
            lines += [f"{indent}{key}:", *_shown(item, sources, indent + "  ")]
        elif isinstance(item, YamlSeq):
            lines += [f"{indent}{key}:", *_shown_items(item, sources, indent + "  ")]
        else:
            text = sources.get(str(item), item) if key == "source" else item
            lines.append(f"{indent}{key}: {'unknown' if text is None else text}")
    return lines


def _shown_items(items: YamlSeq, sources: dict[str, Any], indent: str) -> list[str]:
    if all(isinstance(item, str) for item in items) and sum(len(str(item)) for item in items) < 80:
        return [f"{indent}{', '.join(str(item) for item in items)}"]
    lines = []
    for item in items:
        if isinstance(item, YamlMap) and all(not isinstance(v, YamlMap | YamlSeq) for v in item.values()):
            told = {k: sources.get(str(v), v) if k == "source" else v for k, v in item.items()}
            lines.append(indent + "- " + ", ".join(f"{k} {'unknown' if v is None else v}" for k, v in told.items()))
        elif isinstance(item, YamlMap):
            lines += [f"{indent}-", *_shown(item, sources, indent + "  ")]
        else:
            lines.append(f"{indent}- {item}")
    return lines


def catalog_check(arguments: argparse.Namespace) -> int:
    from planner.catalog.checks import catalog_faults
    from planner.findings import SHIPPED
    from planner.rules import findings_of

    named = Path(arguments.path) if arguments.path else catalogs_folder()
    if not named.exists():
        raise CommandError(f"there is no catalog folder or file `{named}`")
    catalog, sources = _catalog([arguments.path] if arguments.path else [])
    names = sources.files.names
    own = {number for number, name in enumerate(names) if not arguments.path or not name.startswith(SHIPPED)}
    if not own:
        raise CommandError(f"`{named}` holds no catalog file `*.yaml`")
    faults = [*sources.faults, *catalog_faults(catalog, lambda at: at >> FILE_SHIFT in own)]
    findings = sorted(findings_of(faults, sources.files), key=sort_key)
    print_findings(findings, arguments.format)
    log(f"{named}: {len(own)} {'file' if len(own) == 1 else 'files'}, {spoken_counts(findings)}")
    if any(fault.rule in UNREADABLE_RULES for fault in sources.faults):
        return FAILED
    return FINDINGS if findings else OK


def _catalog(paths: list[str]) -> tuple[Any, Sources]:
    """The shipped catalog with the given folders (or single files), and the sources that hold the faults met."""
    from planner.catalog.load import SHELVES, load_catalog, load_more, load_one

    sources = Sources(Path())
    catalog = load_catalog(sources, catalogs_folder())
    for text in paths:
        path = Path(text)
        prefix = f"{text.rstrip('/')}/"
        if path.is_file():
            load_one(
                catalog, sources.beside(path.parent, "" if path.parent == Path() else f"{path.parent}/"), path.name
            )
        elif not path.is_dir():
            raise CommandError(f"there is no catalog folder `{text}`")
        elif path.resolve().name in SHELVES:
            # One folder of a catalog: its files belong on that shelf, not on one named after them.
            shelf = path.resolve().name
            load_more(catalog, sources.beside(path.resolve().parent, prefix.removesuffix(f"{shelf}/")), shelf)
        else:
            load_more(catalog, sources.beside(path, prefix))
    return catalog, sources


def schema(_arguments: argparse.Namespace) -> int:
    from planner.project import Project

    text = _without_defaults(Project.model_json_schema(by_alias=True))
    text = {"$schema": "https://json-schema.org/draft/2020-12/schema", **text, "title": "Cabling project"}
    sys.stdout.write(json.dumps(text, indent=2, sort_keys=False) + "\n")
    return OK


def _without_defaults(value: Any) -> Any:
    """Defaults are held in small units, and would mislead a reader who writes metres."""
    if isinstance(value, dict):
        return {key: _without_defaults(item) for key, item in value.items() if key != "default"}
    return [_without_defaults(item) for item in value] if isinstance(value, list) else value
