"""What surrounds the room on its sheet: frame, legend, scale bar, north arrow, schedule of pathways, title block."""

from __future__ import annotations

from typing import Final, NamedTuple

from planner.findings import by_severity
from planner.floorplan.lettering import LINE, shortened, shown, width, wrapped
from planner.floorplan.paper import GRID_MM, MARGIN, PANEL, step_of
from planner.floorplan.shapes import Area, Line, Pathway, Ring, Sheet, Text
from planner.floorplan.strips import FILLS, Limits, percent
from planner.names import natural_key
from planner.plan import Plan
from planner.sketches.shapes import Anchor
from planner.units import metres

_PAD: Final = 3.0
_TITLE_MM: Final = 58.0
_ROUND_MM: Final = tuple(factor * 10**power for power in range(9, 1, -1) for factor in (5, 2, 1))


class Furniture:
    """Shapes placed in millimetres of paper from the sheet's top left corner."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.shapes: list[Area | Line] = []
        self.texts: list[Text] = []

    def box(self, kind: str, x: float, y: float, wide: float, high: float) -> None:
        self.shapes.append(Area(kind, self._ring(((x, y), (x + wide, y), (x + wide, y + high), (x, y + high)))))

    def area(self, kind: str, points: tuple[tuple[float, float], ...]) -> None:
        self.shapes.append(Area(kind, self._ring(points)))

    def line(self, kind: str, *points: tuple[float, float]) -> None:
        self.shapes.append(Line(kind, self._ring(points)))

    def text(
        self, kind: str, x: float, y: float, size: float, text: str, anchor: Anchor = "start", limit: float = 0
    ) -> None:
        """A text on a baseline; one longer than the limit is shortened with an ellipsis."""
        bold = kind in _BOLD
        words = shortened(shown(text), limit, size, bold=bold) if limit else shown(text)
        self.texts.append(Text(kind, *self.sheet.at(x, y), self.sheet.room(size), (words,), anchor))

    def _ring(self, points: tuple[tuple[float, float], ...]) -> Ring:
        return tuple(self.sheet.at(x, y) for x, y in points)


_BOLD: Final = ("heading", "title", "strong", "draft-band")


class Column(NamedTuple):
    """The panel's space on paper: left edge and width inside its padding."""

    x: float
    wide: float


def surround(
    plan: Plan, sheet: Sheet, pathways: tuple[Pathway, ...], limits: Limits, marks: frozenset[str]
) -> Furniture:
    """Everything outside the room. marks: what else occurs in it and needs a word in the legend."""
    paper = Furniture(sheet)
    frame_wide, frame_high = sheet.width_mm - 2 * MARGIN, sheet.height_mm - 2 * MARGIN
    panel = PANEL[sheet.name]
    left = sheet.width_mm - MARGIN - panel
    paper.box("frame", MARGIN, MARGIN, frame_wide, frame_high)
    paper.line("frame", (left, MARGIN), (left, sheet.height_mm - MARGIN))
    column = Column(left + _PAD, panel - 2 * _PAD)
    y = _legend(paper, column, MARGIN + _PAD + 2.5, limits, marks)
    y = _scale_and_north(paper, column, y + 3)
    top = sheet.height_mm - MARGIN - _title_height(plan)
    _schedule(paper, column, y + 4, top - 2, pathways)
    _title_block(paper, left, top, plan)
    return paper


def _legend(paper: Furniture, column: Column, y: float, limits: Limits, marks: frozenset[str]) -> float:
    x, low, warm, high = column.x, *(f"{limit / 10_000:g} %" for limit in limits)
    paper.text("heading", x, y, 2.5, "Legend")
    y += 2.5
    fills = {
        "empty": "pathway without cables", "low": f"filled to at most {low}", "warm": f"above {low}, to {warm}",
        "high": f"above {warm}, to {high}", "over": f"above {high}: too full",
        "unknown": "fill unknown: a cable's size is missing",
    }  # fmt: skip
    for fill in FILLS:
        if fill == "unknown" and fill not in marks:
            continue
        paper.box(f"fill-{fill}", x, y, 10, 3)
        paper.box("pathway-outline", x, y, 10, 3)
        y = _words(paper, column, y, fills[fill])
    paper.box("plate", x + 1, y, 8, 3)
    paper.text("share", x + 5, y + 2.2, 1.9, "12.3 %", "middle")
    y = _words(paper, column, y, "fill at the pathway's fullest place")
    paper.box("rack", x, y, 10, 3)
    paper.box("bar", x, y + 2.2, 10, 0.8)
    y = _words(paper, column, y, "rack; thick edge: front, cold-aisle side")
    if "obstacle" in marks:
        paper.box("obstacle", x, y, 10, 3)
        y = _words(paper, column, y, "obstacle")
    if "riser" in marks:
        paper.box("riser", x + 3.5, y, 3, 3)
        y = _words(paper, column, y, "riser between pathways")
    if "short" in marks:
        paper.text("rack-name", x + 5, y + 2.3, 1.9, "12", "middle")
        y = _words(paper, column, y, "rack number after its row's name")
    fine = step_of(paper.sheet, GRID_MM)
    paper.line("grid", (x, y + 1.5), (x + 10, y + 1.5))
    return _words(paper, column, y, f"grid of {fine // 1000} m from the room's origin")


def _words(paper: Furniture, column: Column, y: float, text: str) -> float:
    paper.text("note", column.x + 12, y + 2.2, 1.9, text, limit=column.wide - 12)
    return y + 4.2


def _scale_and_north(paper: Furniture, column: Column, y: float) -> float:
    """A bar of round metres in four parts, and where north is (up: y of the room)."""
    scale = paper.sheet.scale
    parts = 4
    limit = (column.wide - 14) * scale / parts
    part = next((p for p in _ROUND_MM if p <= limit), _ROUND_MM[-1])
    long = part / scale
    x, base = column.x, y + 5
    for i in range(parts):
        paper.box("bar-dark" if i % 2 == 0 else "bar-light", x + i * long, base, long, 1.6)
    for i in (0, parts // 2, parts):
        number = f"{i * part / 1000:g}" + (" m" if i == parts else "")
        paper.text("note", x + i * long, base + 4.2, 1.9, number, "middle" if i else "start")
    paper.text("strong", x, base - 1.4, 2.5, f"1 : {scale}")
    north_x, north_y = column.x + column.wide - 5, y + 1
    paper.area("arrow-dark", ((north_x, north_y), (north_x - 2.4, north_y + 8), (north_x, north_y + 6)))
    paper.area("arrow-light", ((north_x, north_y), (north_x + 2.4, north_y + 8), (north_x, north_y + 6)))
    paper.text("strong", north_x, north_y + 10.8, 2.5, "N", "middle")
    return y + 12


def _schedule(paper: Furniture, column: Column, y: float, bottom: float, pathways: tuple[Pathway, ...]) -> None:
    """A line a pathway in order of name; where they are too many, the fullest of them."""
    if not pathways:
        return
    line = 3.1
    room = int((bottom - y - 6.5) / line)
    if room < 1:
        return
    rows = sorted(pathways, key=lambda p: natural_key(p.name))
    heading = "Pathways"
    if len(rows) > room:
        room -= 1
        rows = sorted(rows, key=lambda p: (p.fill_ppm >= 0, -p.fill_ppm, -p.cables))[:room]
        heading = f"Pathways: the {room} fullest of {len(pathways):,}"
    paper.text("heading", column.x, y + 2, 2.5, heading)
    y += 5.4
    end = column.x + column.wide
    stops = (end - 29.5, end - 20, end - 10, end)  # right edges: height, carries, cables, fill
    for stop, title in zip(stops, ("floor m", "carries", "cables", "fill"), strict=True):
        paper.text("note", stop, y, 1.7, title, "end")
    paper.text("note", column.x, y, 1.7, "name")
    paper.line("rule", (column.x, y + 0.9), (end, y + 0.9))
    for row in rows:
        y += line
        letters = {"copper": "Cu", "fibre": "FO"}
        cells = (
            metres(row.height_mm)[:-1] if row.height_mm % 10 == 0 else metres(row.height_mm),
            "+".join(letters.get(word, word) for word in row.carries.split(" + ")),
            f"{row.cables:,}",
            percent(row.fill_ppm) if row.cables else "-",
        )
        paper.text("note", column.x, y, 1.9, row.name, limit=column.wide - 38.5)
        for stop, cell in zip(stops, cells, strict=True):
            paper.text("note", stop, y, 1.9, cell, "end")
    if len(rows) < len(pathways):
        paper.text("note", column.x, y + line, 1.7, "all of them: summary.json", limit=column.wide)


def _title_height(plan: Plan) -> float:
    return _TITLE_MM + (9 if plan.identity.draft else 0)


def _title_block(paper: Furniture, left: float, top: float, plan: Plan) -> None:
    sheet, identity = paper.sheet, plan.identity
    right = sheet.width_mm - MARGIN
    x, wide, y = left + _PAD, right - left - 2 * _PAD, top
    if identity.draft:
        errors = by_severity(plan.findings)["error"]
        paper.box("draft-band", left, y, right - left, 9)
        words = f"DRAFT: {errors:,} error{'s' if errors != 1 else ''}, do not build"
        paper.text("draft-band", x, y + 6, 4.0 if width(words, 4.0, bold=True) <= wide else 3.0, words, limit=wide)
        y += 9
    paper.line("frame", (left, y), (right, y))
    paper.text("note", x, y + 4, 1.9, "Floor plan")
    name = shown(identity.project)
    settings = [(size, wrapped(name, wide, size, bold=True)) for size in (4.0, 3.5, 3.0, 2.5, 2.0)]
    size, lines = next((s for s in settings if LINE * s[0] * len(s[1]) <= 9.8), settings[-1])
    base = y + 4.4 + (9.8 - LINE * size * len(lines)) / 2 + 0.85 * size
    for number, words in enumerate(lines):
        paper.text("title", x, base + number * LINE * size, size, words)
    unresolved = plan.links.status.tolist().count("unresolved")
    facts = [
        ("revision", identity.revision or "none"),
        ("date", identity.date or "none"),
        ("scale", f"1:{sheet.scale} on {sheet.name}, printed at 100 %"),
        ("racks", f"{len(plan.racks):,} with {len(plan.devices):,} devices"),
        ("links", f"{len(plan.links):,}, unresolved {unresolved:,}"),
        ("cables", f"{len(plan.cables):,}"),
        ("pathways", f"{len(plan.pathways):,}"),
    ]
    y += 14
    paper.line("rule", (left, y), (right, y))
    for label, value in facts:
        y += 4.0
        paper.text("note", x, y, 1.9, label)
        strong = label in ("revision", "scale") or (label == "links" and unresolved > 0)
        paper.text("strong" if strong else "note", x + 16, y, 2.2, value, limit=wide - 16)
    y += 2.2
    paper.line("rule", (left, y), (right, y))
    paper.text("note", x, y + 3.6, 1.9, "inputs SHA-256")
    half = len(identity.inputs_sha256) // 2
    for number, digits in enumerate((identity.inputs_sha256[:half], identity.inputs_sha256[half:])):
        paper.text("mono", x, y + 6.4 + 2.5 * number, 1.9, digits, limit=wide)
    paper.text("note", right - _PAD, y + 3.6, 1.9, f"planner {identity.planner_version}", "end")
