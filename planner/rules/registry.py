"""Rules by ID: each is one function whose docstring is its page, entered where it is defined."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from planner.findings import Fault, Files, Finding, Severity
from planner.rules.subject import Subject

Check = Callable[[Subject], Iterable[Fault]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its stable ID, its name (the bad thing, which reads well after "allow"), and what finds it."""

    id: str
    name: str
    severity: Severity
    check: Check
    page: str

    @property
    def summary(self) -> str:
        return self.page.split("\n", 1)[0]

    def finding(self, fault: Fault, files: Files) -> Finding:
        return Finding(
            self.id,
            self.name,
            self.severity,
            fault.code,
            fault.message,
            fault.note,
            fault.help,
            files.span(fault.at),
            fault.objects,
            max(fault.count, 1),
        )


RULES: Final[dict[str, Rule]] = {}
RETIRED: Final[frozenset[str]] = frozenset()
"""IDs that once stood for a rule; never used again."""


NEVER_WAIVED: Final[frozenset[str]] = frozenset(
    (
        *("INP001", "INP002", "INP003", "INP004", "INP005", "INP006", "INP007", "INP008", "INP009", "INP010"),
        *("DEV003", "TOP001", "TOP002", "TOP003", "TOP004", "TOP009", "TOP010", "CAT005", "CAT006"),
    )
)
"""Rules on what is left out of the plan: a waiver would take links out of the order without a word."""


def rule(id_: str, name: str, severity: Severity) -> Callable[[Check], Check]:
    """Enter a function as a rule. Raises ValueError for an ID or a name that is taken."""

    def enter(check: Check) -> Check:
        if id_ in RULES or id_ in RETIRED:
            raise ValueError(f"rule {id_} is taken")
        if any(known.name == name for known in RULES.values()):
            raise ValueError(f"the rule name {name} is taken")
        RULES[id_] = Rule(id_, name, severity, check, inspect.getdoc(check) or "")
        return check

    return enter


def judged(subject: Subject, rules: Iterable[Rule]) -> Iterator[Finding]:
    """The findings of the given rules."""
    for known in rules:
        for fault in known.check(subject):
            yield known.finding(fault, subject.files)


def findings_of(faults: Iterable[Fault], files: Files) -> list[Finding]:
    """Findings of faults that the stages themselves reported, by the rule that each names."""
    by_name = {known.name: known for known in RULES.values()}
    return [by_name[fault.rule].finding(fault, files) for fault in faults]
