"""The sheets Findings and, where there are some, Unresolved."""

from __future__ import annotations

from typing import Final

from planner.findings import Finding, Severity, by_severity
from planner.names import some
from planner.plan import ABSENT, Plan
from planner.write.workbook.looks import metres_of, top
from planner.write.workbook.spreadsheet import Book, Column, Value

MOST_UNRESOLVED: Final = 5_000
_OBJECTS_SHOWN: Final = 5
FINDING_COLUMNS: Final = (
    Column("Severity", "bold", 9),
    Column("Rule", "text", 8),
    Column("Name", "text", 14, 16),
    Column("Message", "text", 30, 40),
    Column("Note", "text", 20, 28),
    Column("What to do", "text", 20, 28),
    Column("Place", "text", 14, 20),
    Column("Objects", "text", 14, 20),
    Column("Count", "count", 7),
    Column("Waived because", "text", 9, 18),
)
UNRESOLVED_COLUMNS: Final = (
    Column("Link", "bold", 30, 60),
    Column("Fabric", "text", 10, 24),
    Column("Tier", "text", 10, 24),
    Column("Rack A", "text", 8, 24),
    Column("Rack Z", "text", 8, 24),
    Column("Required length [m]", "metres", 10),
    Column("Why (more in Findings)", "text", 40, 60),
)


_SEVERITIES: Final = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


def findings_sheet(book: Book, plan: Plan) -> None:
    sheet = book.sheet("Findings", FINDING_COLUMNS)
    counts = by_severity(plan.findings)
    waived = sum(1 for finding in plan.findings if finding.waived)
    said = f"{some(counts['error'], 'error')}, {some(counts['warning'], 'warning')}, {some(counts['info'], 'remark')}"
    top(
        book,
        sheet,
        plan,
        "Findings",
        f"{said}{f', {waived} waived' if waived else ''}. Places are file:line:column of the project.",
    )
    book.head(sheet)
    for finding in sorted(plan.findings, key=lambda f: (bool(f.waived), _SEVERITIES[f.severity])):
        looks = [column.look for column in FINDING_COLUMNS]
        looks[0] = "text" if finding.waived else "bad" if finding.severity is Severity.ERROR else "bold"
        book.row(sheet, _finding_cells(finding), looks)
    sheet.filter_to = sheet.next_row - 1


def _finding_cells(finding: Finding) -> list[Value]:
    shown = "; ".join(finding.objects[:_OBJECTS_SHOWN])
    if len(finding.objects) > _OBJECTS_SHOWN:
        shown += f"; and {len(finding.objects) - _OBJECTS_SHOWN} more in findings.json"
    return [
        f"waived {finding.severity.value}" if finding.waived else finding.severity.value, finding.rule, finding.name,
        finding.message, finding.note, finding.help, str(finding.at) if finding.at else "", shown, finding.count,
        finding.waived,
    ]  # fmt: skip


def unresolved_sheet(book: Book, plan: Plan) -> int:
    """The list of unresolved links, where there are some; their number."""
    links = plan.links
    rows = [number for number, status in enumerate(links.status.tolist()) if status != "resolved"]
    if not rows:
        return 0
    sheet = book.sheet("Unresolved", UNRESOLVED_COLUMNS, alarm=True)
    more = f" The first {MOST_UNRESOLVED:,} are listed, all are in links.csv." if len(rows) > MOST_UNRESOLVED else ""
    top(
        book, sheet, plan, "Unresolved links",
        f"{len(rows):,} of {len(links):,} links have no route or no part that fits. What they need is in no quantity and no sum.{more}",
    )  # fmt: skip
    book.head(sheet)
    why = _errors_by_object(plan)
    for number in rows[:MOST_UNRESOLVED]:
        a, z = plan.devices[int(links.a_device[number])], plan.devices[int(links.z_device[number])]
        required = int(links.required_mm[number])
        name = plan.link_ids[number]
        book.row(
            sheet,
            [
                name, plan.fabrics[int(links.fabric[number])].name, links.tier[number], plan.racks[a.rack].name,
                plan.racks[z.rack].name, None if required == ABSENT else metres_of(required), why.get(name, "see Findings"),
            ],
        )  # fmt: skip
    sheet.filter_to = sheet.next_row - 1
    return len(rows)


def _errors_by_object(plan: Plan) -> dict[str, str]:
    """The first error that names each object."""
    found: dict[str, str] = {}
    for finding in plan.findings:
        if finding.severity is Severity.ERROR and not finding.waived:
            for name in finding.objects:
                found.setdefault(name, f"{finding.rule}: {finding.message}")
    return found
