"""The rules' pages as Markdown, from their docstrings: one page a rule, and an index by family."""

from __future__ import annotations

import re
from typing import Final

from planner.reader import UNREADABLE_RULES
from planner.rules import NEVER_WAIVED, Rule, in_order

FAMILY_TITLES: Final = {
    "INP": "Reading, names and waivers",
    "LAY": "Room, racks and pathways",
    "DEV": "Devices in their racks",
    "TOP": "Topology",
    "RTE": "Routes",
    "LEN": "Lengths and reach",
    "FIL": "Fill of pathways and vertical managers",
    "PRT": "Ports, cages and plugs",
    "MED": "Selection of parts",
    "POL": "Polarity and mating",
    "LOS": "Optical loss",
    "CAT": "Catalog: evidence and lifecycle",
    "BOM": "Purchase",
    "IMP": "Import of lists",
}
"""Families in the order of their rules; a rule of another family has no page until it stands here."""

SECTIONS: Final = ("Why", "Example", "Fix", "Source")
"""What every rule's docstring says after its first paragraph, in this order."""

CHANNEL_FILE_RULE: Final = "channel-file-fault"
"""The one rule of channel files: no plan can break it, nor those of the family IMP."""

_SECTION: Final = re.compile(rf"^({'|'.join(SECTIONS)}): ", re.MULTILINE)
_EFFECT: Final = {
    "error": "the exit status is 1, and `planner plan` writes nothing without `--draft`",
    "warning": "the plan is written; read it before you order",
    "info": "the plan is written; for your information",
}
_IMPORT_EFFECT: Final = {
    "error": "the exit status of `planner catalog import prices` is 1, and it writes nothing",
    "warning": "the price book is written without what is named",
}


def pages() -> dict[str, str]:
    """Markdown by file name: `index.md`, and `<ID>.md` of every rule."""
    return {"index.md": index_page(), **{f"{known.id}.md": rule_page(known) for known in in_order()}}


def index_page() -> str:
    """All rules, a table for each family."""
    lines = [
        "# Rules",
        "",
        "Every check has one ID, one name and one page. `planner rules` prints this list, `planner rules PRT008` one page.",
        "IDs and names do not change; the ID of a rule that is given up is not used again.",
        "",
        "| severity | means |",
        "| --- | --- |",
        *(f"| {severity} | {effect} |" for severity, effect in _EFFECT.items()),
        "",
        "A finding that you accept can be [waived](../input.md#waive), with a reason, unless it leaves",
        "something out of the plan.",
    ]
    for family, title in FAMILY_TITLES.items():
        lines += ["", f"## {family}: {title}", "", "| rule | severity | name | finds |", "| --- | --- | --- | --- |"]
        lines += [
            f"| [{known.id}]({known.id}.md) | {known.severity.value} | `{known.name}` | {known.summary} |"
            for known in in_order()
            if known.id[:3] == family
        ]
    return "\n".join(lines) + "\n"


def rule_page(known: Rule) -> str:
    """One rule: what it finds, why that is bad, an example, what to do, and where the rule comes from."""
    summary, sections = parts_of(known.page)
    severity = known.severity.value
    lines = [
        f"# {known.id} `{known.name}`",
        "",
        f"{summary}",
        "",
        f"Severity: **{severity}** ({_effect(known)}). Family: {FAMILY_TITLES[known.id[:3]].lower()}.",
    ]
    for name, text in sections.items():
        lines += ["", f"## {name}", "", text[:1].upper() + text[1:]]
    lines += ["", "## Waiver", "", *_waiver_lines(known), "", "[All rules](index.md)"]
    return "\n".join(lines) + "\n"


def parts_of(page: str) -> tuple[str, dict[str, str]]:
    """A docstring's first paragraph, and its sections by heading; line breaks inside a paragraph become blanks."""
    pieces = _SECTION.split(page)
    texts = [" ".join(text.split()) for text in pieces]
    return texts[0], dict(zip(texts[1::2], texts[2::2], strict=True))


def _effect(known: Rule) -> str:
    if known.name in UNREADABLE_RULES:
        return "the exit status is 2, and `planner plan` writes nothing, not even with `--draft`"
    if known.name == CHANNEL_FILE_RULE:
        return "the exit status of `planner channel` is 1; the channel has no verdict"
    if known.id.startswith("IMP"):
        return _IMPORT_EFFECT[known.severity.value]
    return _EFFECT[known.severity.value]


def _waiver_lines(known: Rule) -> list[str]:
    if known.name in UNREADABLE_RULES:
        return ["This finding cannot be waived: what was not read was not planned."]
    if known.name == CHANNEL_FILE_RULE:
        return ["A channel file has no waivers."]
    if known.id.startswith("IMP"):
        return ["A list that is imported has no waivers."]
    if known.id in NEVER_WAIVED:
        return ["This finding cannot be waived: what it names is left out of the plan, and with it maybe links."]
    return [
        "```yaml",
        f'waive: [{{rule: {known.id}, reason: "say why it is accepted"}}]',
        "```",
        "",
        "This covers every finding of the rule. To cover some only, add `objects`: a finding is covered when every one of",
        f"its objects (`planner check --format json` lists them) matches one of the globs. `{known.name}` works as",
        "`rule`, too.",
    ]
