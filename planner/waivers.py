"""Findings that the user accepts, with his reason: they stay listed and count nowhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import translate

from planner.findings import Fault, Files, Finding
from planner.project import Waiver
from planner.reader import YamlMap, spot_at
from planner.rules import findings_of


def waived(findings: list[Finding], waivers: Sequence[Waiver], tree: YamlMap, files: Files) -> list[Finding]:
    """The findings, those that a waiver covers marked with its reason, and a warning for each waiver that covers none.

    A waiver covers a finding when its rule is named (by ID or name) and every object of the finding matches one of the
    waiver's globs; without globs it covers every finding of the rule. What could not be read cannot be waived.
    """
    for number, waiver in enumerate(waivers):
        patterns = [re.compile(translate(text.casefold())) for text in waiver.objects]
        hit = [i for i, f in enumerate(findings) if _covers(waiver, patterns, f)]
        for i in hit:
            findings[i] = replace(findings[i], waived=waiver.reason)
        if not hit:
            at = spot_at(tree, ("waive", number))
            fault = Fault(
                "waiver-matches-nothing",
                f"the waiver of `{waiver.rule}` matches no finding",
                at,
                help="remove it, or mend its rule or objects",
            )
            findings.extend(findings_of([fault], files))
    return findings


def _covers(waiver: Waiver, patterns: list[re.Pattern[str]], finding: Finding) -> bool:
    if waiver.rule.casefold() not in (finding.rule.casefold(), finding.name) or finding.rule in ("INP001", "INP002"):
        return False
    if not patterns:
        return True
    names = [name.casefold() for name in finding.objects]
    return bool(names) and all(any(pattern.match(name) for pattern in patterns) for name in names)
