"""`plan --without PART --max-lead-time 8w --objective cost`: what would change, without writing the plan."""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from planner.cli.main import FAILED, FINDINGS, OK, CommandError
from planner.cli.printing import choices_of, log, print_findings, spoken_counts
from planner.cli.project import default_folder, existing, write
from planner.findings import has_errors
from planner.pipeline import Inputs, compile_inputs, read_inputs
from planner.plan import Plan
from planner.project import OBJECTIVES
from planner.reader import UNREADABLE_RULES
from planner.rules import findings_of
from planner.whatif import Change, UnknownPartError, changed, compared, part_named
from planner.write.choices import Choices
from planner.write.text import json_text

FIGURES: Final = (
    ("links", "links"),
    ("unresolved", "unresolved"),
    ("cables", "cables"),
    ("cabling", "cabling"),
    ("unpriced", "lines without a price"),
    ("plug_power_w", "plugs [W]"),
    ("longest_lead_time_weeks", "longest lead time [weeks]"),
    ("undated", "lines without a lead time"),
    ("errors", "errors"),
    ("warnings", "warnings"),
)
MOST_PARTS: Final = 40


def what_if(arguments: argparse.Namespace) -> int:
    """Compile the project as it is and with the change, and print what differs; write only where --out is given."""
    if arguments.format == "github":
        raise CommandError("`--format github` is for findings; what a change does is printed as text or json")
    choices = choices_of(arguments)
    inputs, faults, files = read_inputs(existing(arguments.project))
    if inputs is None:
        print_findings(findings_of(faults, files), "text")
        return FAILED if any(fault.rule in UNREADABLE_RULES for fault in faults) else FINDINGS
    change = _change(arguments, inputs)
    base, other = compile_inputs(inputs), compile_inputs(changed(inputs, change))
    if base.plan is None or other.plan is None or base.unreadable:
        print_findings(base.findings, "text")
        return FAILED if base.unreadable else FINDINGS
    record = compared(base.plan, other.plan, change)
    if arguments.format == "json":
        sys.stdout.write(json_text(record))
    else:
        print("\n".join(_lines(record, change)))
    failed = has_errors(other.findings)
    if arguments.out:
        _write(other.plan, change, Path(arguments.out), choices, failed=failed, draft=arguments.draft)
    log(f"{arguments.project}, what if {change.spoken}: {spoken_counts(other.findings)}"
        + ("" if arguments.out else "; nothing was written"))  # fmt: skip
    return FINDINGS if failed else OK


def _change(arguments: argparse.Namespace, inputs: Inputs) -> Change:
    weeks = None
    if arguments.max_lead_time is not None:
        match = re.fullmatch(r"(\d{1,3})w?", arguments.max_lead_time)
        if match is None:
            raise CommandError(f"`--max-lead-time {arguments.max_lead_time}`: write weeks as in `8w`")
        weeks = int(match[1])
    if arguments.objective is not None and arguments.objective not in OBJECTIVES:
        raise CommandError(f"there is no objective `{arguments.objective}` (there are {', '.join(OBJECTIVES)})")
    try:
        without = tuple(dict.fromkeys(part_named(name, inputs.catalog) for name in arguments.without or ()))
    except UnknownPartError as error:
        raise CommandError(str(error)) from error
    return Change(without, weeks, arguments.objective)


def _write(plan: Plan, change: Change, target: Path, choices: Choices, *, failed: bool, draft: bool) -> None:
    """The changed plan, with the change in its revision, which every document prints."""
    own = default_folder(plan.identity.project)
    if target.resolve() == own.resolve():
        raise CommandError(f"`{target}` is the folder of the plan itself; name another one for what would be")
    if failed and not draft:
        raise CommandError("the changed plan has errors; `--draft` writes it all the same")
    revision = f"{plan.identity.revision} WHAT IF {change.spoken}".strip()
    write(replace(plan, identity=replace(plan.identity, revision=revision, draft=failed)), target, choices)
    log(f"written to {target}, marked as what if")


def _lines(record: dict[str, Any], change: Change) -> list[str]:
    base, other = record["base"], record["changed"]
    lines = [f"{record['project']}, what if {change.spoken}", ""]
    rows = [(words, base[key], other[key]) for key, words in FIGURES]
    rows[1:2] = [rows[1], *((f"links of {m}", base["media"].get(m, 0), other["media"].get(m, 0))
                            for m in dict.fromkeys((*base["media"], *other["media"])))]  # fmt: skip
    currency = base["currency"] or other["currency"]
    rows = [(f"cabling [{currency}]" if words == "cabling" and currency else words, a, b) for words, a, b in rows]
    lines += _table(
        ("", "base", "what if", "change"), [(w, _shown(a), _shown(b), _difference(a, b)) for w, a, b in rows]
    )
    parts = [
        (part, row["installed"], row["installed_changed"], row["order"], row["order_changed"])
        for part, row in record["parts"].items()
    ]
    if parts:
        heads = ("part", "installed", "what if", "order", "what if")
        lines += ["", *_table(heads, [tuple(map(_shown, row)) for row in parts[:MOST_PARTS]])]
        rest = len(parts) - MOST_PARTS
        lines += [f"and {rest} more parts; `--format json` lists them"] if rest > 0 else []
    else:
        lines += ["", "no part changes"]
    count = record["links"]["changed"]
    lines += ["", f"{count} {'link changes its' if count == 1 else 'links change their'} parts"]
    if record["kept_by_pins"]:
        lines.append(f"still in the plan, forced by pins: {', '.join(record['kept_by_pins'])}")
    return lines


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    """Columns of texts, the first to the left and figures to the right."""
    wide = [max(len(row[n]) for row in (heads, *rows)) for n in range(len(heads))]
    return [
        "  ".join(cell.ljust(w) if n == 0 else cell.rjust(w) for n, (cell, w) in enumerate(zip(row, wide, strict=True))).rstrip()
        for row in (heads, *rows)
    ]  # fmt: skip


def _shown(value: Any) -> str:
    if value is None:
        return "not known"
    if isinstance(value, float):
        return f"{value:,.2f}".removesuffix(".00")
    return f"{value:,}" if isinstance(value, int) else str(value)


def _difference(before: float | None, after: float | None) -> str:
    if before is None or after is None:
        return ""
    difference = after - before
    return "" if not difference else f"{'+' if difference > 0 else ''}{_shown(difference)}"
