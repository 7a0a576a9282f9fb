"""Findings, counts and progress on the terminal, and what the arguments choose of printed documents."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Final

from planner.cli.main import CommandError
from planner.fallback_font import FontError
from planner.findings import Finding, Severity, as_github, as_text, by_severity
from planner.label_formats import label_form
from planner.names import some
from planner.plan import Plan
from planner.typeset import use_font
from planner.write.choices import Choices
from planner.write.text import findings_text

_LARGE: Final = 20_000
"""Cables from which the documents take long enough that one wonders."""


def choices_of(arguments: argparse.Namespace) -> Choices:
    """Raises CommandError for labels that there are not."""
    try:
        if arguments.labels is not None:
            label_form(arguments.labels)
    except ValueError as error:
        raise CommandError(str(error)) from error
    return Choices(
        paper=arguments.paper, codes=arguments.codes, labels=arguments.labels, label_shape=arguments.label_shape
    )


def take_font(arguments: argparse.Namespace) -> None:
    """Print in the font that was asked for. Raises CommandError."""
    try:
        use_font(arguments.font)
    except FontError as error:
        raise CommandError(str(error)) from error


def warn(messages: Sequence[str]) -> None:
    """What the writers of documents found, on stderr."""
    for message in messages:
        log(f"warning: {message}")


def progress(plan: Plan) -> Callable[[str], None] | None:
    """What tells a person, also in a log, which document of a large plan is being written."""
    if len(plan.cables) < _LARGE:
        return None
    return lambda name: print(f"writing {name}", file=sys.stderr, flush=True)


def print_findings(findings: Sequence[Finding], form: str) -> None:
    """All findings on stdout, in one of the forms `text`, `json` and `github`."""
    if form == "json":
        sys.stdout.write(findings_text(findings))
        return
    for finding in findings:
        if form == "github":
            print(as_github(finding))
        else:
            print(as_text(finding) + "\n")


def print_headlines(findings: Sequence[Finding]) -> None:
    """One line a finding that counts, for a run that succeeded."""
    for finding in findings:
        if not finding.waived and finding.severity is not Severity.INFO:
            place = f" ({finding.at})" if finding.at else ""
            print(f"{finding.severity.value}[{finding.rule}]: {finding.message}{place}")


def spoken_counts(findings: Sequence[Finding]) -> str:
    """`no errors, 13 warnings, 1 note`."""
    counts = by_severity(findings)
    words = [some(counts["error"], "error"), some(counts["warning"], "warning")]
    if counts["info"]:
        words.append(some(counts["info"], "note"))
    waived = sum(1 for finding in findings if finding.waived)
    return ", ".join(words) + (f", {waived} waived" if waived else "")


def log(message: str) -> None:
    print(message, file=sys.stderr)
