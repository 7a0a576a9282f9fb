"""Findings that the user accepts, with his reason: they stay listed and count nowhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import translate
from typing import Final

from planner.findings import Fault, Files, Finding, Spot
from planner.names import nearest
from planner.project import Waiver
from planner.reader import YamlMap, spot_at
from planner.rules import NEVER_WAIVED, RULES, Rule, findings_of


def waived(findings: list[Finding], waivers: Sequence[Waiver], tree: YamlMap, files: Files) -> list[Finding]:
    """The findings, those that a waiver covers marked with its reason, and a warning for each waiver that covers none.

    A waiver covers a finding when its rule is named (by ID or name) and every object of the finding matches one of the
    waiver's globs; without globs it covers every finding of the rule. What was left out of the plan cannot be waived.
    """
    # Waivers of idle waivers come last: what they cover is known when the others have been applied.
    order = sorted(range(len(waivers)), key=lambda number: _names(waivers[number], RULES[_IDLE]))
    for number in order:
        waiver = waivers[number]
        at = spot_at(tree, ("waive", number))
        if not waiver.reason.strip():
            where = spot_at(tree, ("waive", number, "reason"))
            message = f"the waiver of `{waiver.rule}` has no reason"
            findings = findings + findings_of([Fault("invalid-value", message, where, help="write why")], files)
            continue
        patterns = [re.compile(translate(text.casefold())) for text in waiver.objects]
        hit = [i for i, f in enumerate(findings) if _covers(waiver, patterns, f)]
        for i in hit:
            findings[i] = replace(findings[i], waived=waiver.reason)
        if not hit:
            findings = findings + findings_of([_idle(waiver, at)], files)
    return findings


_IDLE: Final = "INP015"


def _names(waiver: Waiver, known: Rule) -> bool:
    """Whether a waiver names a rule, by ID or by name."""
    return waiver.rule.casefold() in (known.id.casefold(), known.name)


def _idle(waiver: Waiver, at: Spot) -> Fault:
    named = next((known for known in RULES.values() if _names(waiver, known)), None)
    message, advice = f"the waiver of `{waiver.rule}` matches no finding", "remove it, or mend its objects"
    if named is None:
        meant = nearest(waiver.rule, [*RULES, *(known.name for known in RULES.values())])
        message = f"the waiver names no rule: `{waiver.rule}`"
        advice = (
            f"did you mean `{meant}`?" if meant else "name a rule by its ID or its name, as `planner rules` lists them"
        )
    elif named.id in NEVER_WAIVED:
        message = f"`{waiver.rule}` cannot be waived: what is at fault there is left out of the plan"
        advice = "remove the waiver, and mend what the finding names"
    return Fault("waiver-matches-nothing", message, at, help=advice)


def _covers(waiver: Waiver, patterns: list[re.Pattern[str]], finding: Finding) -> bool:
    if not _names(waiver, RULES[finding.rule]) or finding.rule in NEVER_WAIVED:
        return False
    if not patterns:
        return True
    names = [name.casefold() for name in finding.objects]
    return bool(names) and all(any(pattern.match(name) for pattern in patterns) for name in names)
