"""Workbooks whose cells are what they say: typed values, explicit formulas with their results, no clock.

openpyxl makes the frame (styles, views, page set-up, filters); the rows are written here, because a text must never
become a formula, a formula should carry its result for viewers that do not compute, and openpyxl alone takes 0.5 s for
what this does in 0.05 (and issue 8 wants 300,288 rows).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Final, Literal
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from openpyxl import Workbook
from openpyxl.formatting.rule import FormulaRule
from openpyxl.packaging.core import DocumentProperties
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.writer.excel import ExcelWriter

# The dates of a file are no part of a plan: constant ones, so that the same plan gives the same bytes.
_WRITTEN: Final = datetime(2000, 1, 1)  # noqa: DTZ001 - openpyxl wants naive datetimes, which it holds to be UTC
_ZIP_DATE: Final = (1980, 1, 1, 0, 0, 0)
_DAY_ZERO: Final = date(1899, 12, 30)
MOST_CHARACTERS: Final = 32_767
"""Characters that a cell can hold."""

_CUT: Final = " ... (cut)"
_PAGE_TEXT_CHARACTERS: Final = 72  # three parts of a header share 255 characters
# What XML 1.0 cannot hold, and the controls that it can but no cell should. A line feed is a line break in a cell.
_TEXT_PT: Final = 10
_LINE_PER_POINT: Final = 1.36  # a line of Calibri, and of what LibreOffice takes where that is not installed
_WORD: Final = re.compile(r"[^ -]*-+|[^ -]+ *| +")  # a line may break after a blank and after a hyphen
_MOST_LINES: Final = 28  # the tallest row that there is, 409 points, holds 30
_UNPRINTABLE: Final = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# Office reads `_x0041_` in a text as the character with that code, and `_x005F_` as the underscore itself.
_OFFICE_ESCAPE: Final = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula without its equals sign, and its result, for what shows a workbook without computing it."""

    text: str
    result: float | str


Value = str | int | float | date | Formula | None


@dataclass(frozen=True, slots=True)
class Look:
    """How a kind of cell looks. ink, fill: RRGGBB; they must read in black and white as well."""

    number_format: str = "@"
    bold: bool = False
    italic: bool = False
    size: int = 10
    ink: str = "000000"
    fill: str = ""
    rule: Literal["", "hair", "thin", "medium"] = ""
    rule_above: Literal["", "thin", "medium"] = ""
    align: Literal["", "left", "right"] = ""
    indent: int = 0
    wrap: bool = False
    top: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its heading, the look of its cells, and how wide it may grow with its content before it wraps."""

    head: str
    look: str = "text"
    least: int = 6
    most: int = 40


@dataclass(frozen=True, slots=True)
class Page:
    """What the page set-up of every sheet says."""

    left: str
    right: str
    foot: str
    draft: bool


@dataclass(frozen=True, slots=True)
class _Row:
    """Cells as written; the texts that may need more than a line, with their columns and boldness; a line's height."""

    cells: str
    wrapping: tuple[tuple[int, str, bool], ...] = ()
    line_pt: float = 0


@dataclass
class Sheet:
    """Rows under way to a sheet. `columns` set the widths; cells are added row by row, from row 1."""

    title: str
    columns: Sequence[Column]
    portrait: bool = False
    alarm: bool = False
    one_page: bool = False
    rows: list[_Row] = field(default_factory=list)
    widths: list[int] = field(default_factory=list)
    header_row: int = 0
    filter_to: int = 0
    frozen_columns: int = 0
    """Columns that stay in sight however far one scrolls to the right."""
    breaks: list[int] = field(default_factory=list)
    shaded: list[tuple[str, str]] = field(default_factory=list)
    """Ranges with the formula under which they are shaded."""
    whole_numbers: list[str] = field(default_factory=list)
    """Ranges that take whole numbers from zero only."""
    amounts: list[str] = field(default_factory=list)
    """Ranges that take numbers from zero only."""
    streamed: Sequence[Sequence[Value]] = ()
    """Rows below the others, of one height and looking as their columns do: written as they are, some 100,000 a second."""
    streamed_looks: Sequence[str] = ()

    def __post_init__(self) -> None:
        self.widths = [column.least for column in self.columns]

    @property
    def next_row(self) -> int:
        return len(self.rows) + 1


class Book:
    """A workbook under construction: its looks, its sheets, and the file at the end."""

    def __init__(self, looks: dict[str, Look], page: Page, title: str) -> None:
        self._workbook = Workbook()
        self._page = page
        self._title = title
        self._sheets: list[Sheet] = []
        sheet = self._workbook.active
        assert isinstance(sheet, Worksheet)
        self._first: Worksheet | None = sheet
        self._looks = {name: _style_number(sheet, look) for name, look in looks.items()}
        self._look = looks

    def sheet(self, title: str, columns: Sequence[Column], *, portrait: bool = False, alarm: bool = False) -> Sheet:
        """A new sheet after the others. alarm: marked on its tab."""
        sheet = Sheet(title, columns, portrait=portrait, alarm=alarm)
        self._sheets.append(sheet)
        return sheet

    def line(self, sheet: Sheet, text: str, look: str) -> None:
        """A text across the sheet, in as many rows as its width asks for, each filled to the last column."""
        last = len(sheet.columns)
        room = sum(sheet.widths) * 23 // (2 * self._look[look].size)
        for piece in _folded(text, max(room - 4, 20)):
            self.row(sheet, [piece, *[None] * (last - 1)], [look] * last, widen=False)

    def blank(self, sheet: Sheet) -> None:
        sheet.rows.append(_Row(""))

    def head(self, sheet: Sheet) -> int:
        """The row of column headings, frozen and repeated on every page; over figures they stand to the right."""
        looks = ["head right" if self._look[column.look].align == "right" else "head" for column in sheet.columns]
        sheet.header_row = self.row(sheet, [column.head for column in sheet.columns], looks, widen=False)
        return sheet.header_row

    def row(
        self, sheet: Sheet, values: Iterable[Value], looks: Sequence[str] | None = None, *, widen: bool = True
    ) -> int:
        """One row of cells, looking as their columns do unless `looks` says otherwise; its number."""
        number = sheet.next_row
        cells, wrapping, size = [], [], _TEXT_PT
        for place, value in enumerate(values):
            column = sheet.columns[place]
            name = looks[place] if looks is not None else column.look
            look = self._look[name]
            if value is not None:
                size = max(size, look.size)
            if isinstance(value, str) and value:
                if look.wrap:
                    value = _shortened(value, column.most * _MOST_LINES)  # noqa: PLW2901
                needed = _columns_of(value) * (115 if look.bold else 100) // 100
                if widen and needed > sheet.widths[place]:
                    sheet.widths[place] = min(needed, column.most)
                if look.wrap and needed > column.least:
                    wrapping.append((place, value, look.bold))
            cells.append(_cell(f"{_letter(place)}{number}", value, self._looks[name]))
        sheet.rows.append(_Row("".join(cells), tuple(wrapping), size * _LINE_PER_POINT))
        return number

    def stream(self, sheet: Sheet, rows: Sequence[Sequence[Value]]) -> None:
        """The last rows of a sheet, however many; texts keep to one line, columns are as wide as they need."""
        sheet.streamed = rows
        sheet.streamed_looks = [{"text": "line", "bold": "bold line"}.get(c.look, c.look) for c in sheet.columns]
        for place, (column, values) in enumerate(zip(sheet.columns, zip(*rows, strict=True), strict=False)):
            longest = max((_columns_of(value) for value in set(values) if isinstance(value, str)), default=0)
            sheet.widths[place] = max(sheet.widths[place], min(longest + 1, 2 * column.most))
        sheet.filter_to = sheet.next_row - 1 + len(rows)

    def save(self, path: Path) -> None:
        """Write the workbook: the frame by openpyxl, the rows by hand, dates that never change."""
        for sheet in self._sheets:
            self._frame(sheet)
        self._workbook.properties = DocumentProperties(
            creator="planner", title=clean(self._title), created=_WRITTEN, modified=_WRITTEN, lastModifiedBy="planner"
        )
        frame = BytesIO()
        with ZipFile(frame, "w") as archive:
            ExcelWriter(self._workbook, archive).save()
        with ZipFile(frame) as source, ZipFile(path, "w", ZIP_DEFLATED) as target:
            for name in source.namelist():
                content = source.read(name)
                info = ZipInfo(name, _ZIP_DATE)
                info.external_attr = 0o644 << 16
                number = re.fullmatch(r"xl/worksheets/sheet(\d+)\.xml", name)
                if not number:
                    target.writestr(info, content, ZIP_DEFLATED, 6)
                    continue
                sheet = self._sheets[int(number[1]) - 1]
                head, tail = _around_rows(content.decode(), sheet)
                info.compress_type = ZIP_DEFLATED
                # A long schedule takes half of its time to compress at the level of the others, for a fifth less space.
                info._compresslevel = 1 if sheet.streamed else 6  # type: ignore[attr-defined]  # noqa: SLF001
                with target.open(info, "w") as file:
                    file.write(head.encode())
                    styles = [self._looks[look] for look in sheet.streamed_looks]
                    for rows in _batched(_streamed(sheet, styles)):
                        file.write(rows.encode())
                    file.write(tail.encode())

    def _frame(self, sheet: Sheet) -> None:
        frame = self._first or self._workbook.create_sheet()
        self._first = None
        frame.title = sheet.title
        last = get_column_letter(len(sheet.columns))
        for place, width in enumerate(sheet.widths):
            frame.column_dimensions[get_column_letter(place + 1)].width = width + 1
        frame.sheet_view.showGridLines = False
        if sheet.alarm:
            frame.sheet_properties.tabColor = "C00000"
        if sheet.header_row:
            frame.freeze_panes = f"{_letter(sheet.frozen_columns)}{sheet.header_row + 1}"
            frame.print_title_rows = f"{sheet.header_row}:{sheet.header_row}"
            frame.auto_filter.ref = f"A{sheet.header_row}:{last}{max(sheet.filter_to, sheet.header_row)}"
        for row in sheet.breaks:
            frame.row_breaks.append(Break(id=row))
        for cells, when in sheet.shaded:
            shade = PatternFill("solid", start_color="FFE699", end_color="FFE699")
            frame.conditional_formatting.add(cells, FormulaRule([when], fill=shade))  # type: ignore[no-untyped-call]
        for kind, ranges in (("whole", sheet.whole_numbers), ("decimal", sheet.amounts)):
            if ranges:
                check = DataValidation(kind, "greaterThanOrEqual", "0", allow_blank=True, sqref=" ".join(ranges))  # type: ignore[arg-type]
                check.showErrorMessage = True
                check.error = "a number from 0 up is wanted here"
                frame.add_data_validation(check)
        self._page_of(frame, sheet)

    def _page_of(self, frame: Worksheet, sheet: Sheet) -> None:
        frame.page_setup.paperSize = 9  # A4; everything is fitted to the width, so that Letter shows it as well
        frame.page_setup.orientation = "portrait" if sheet.portrait else "landscape"
        frame.page_setup.fitToWidth, frame.page_setup.fitToHeight = 1, int(sheet.one_page)
        assert frame.sheet_properties.pageSetUpPr is not None
        frame.sheet_properties.pageSetUpPr.fitToPage = True
        frame.print_options.horizontalCentered = sheet.one_page
        margins = frame.page_margins
        margins.left = margins.right = 0.35
        margins.top, margins.bottom, margins.header, margins.footer = 0.65, 0.6, 0.3, 0.3
        page, head, foot = self._page, frame.oddHeader, frame.oddFooter
        assert head is not None
        assert foot is not None
        for part, text in (
            (head.left, _page_text(page.left)),
            (head.center, '&"-,Bold"&14 DRAFT - DO NOT ORDER' if page.draft else sheet.title),
            (head.right, _page_text(page.right)),
            (foot.left, _page_text(page.foot)),
            (foot.center, sheet.title),
            (foot.right, "page &P of &N"),
        ):
            part.text = text
            part.size = 9


def clean(text: str) -> str:
    """A text that a cell can hold: controls as escaped codes, cut with a mark at what a cell can hold."""
    return _shortened(_UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text), MOST_CHARACTERS)


def _shortened(text: str, most: int) -> str:
    """A text cut, with a mark, so that its row can show it whole."""
    lines = text.split("\n")
    if len(lines) > _MOST_LINES:
        text = "\n".join(lines[: _MOST_LINES - 1]) + _CUT
    return text if len(text) <= most else text[: most - len(_CUT)] + _CUT


def letter(sheet: Sheet, head: str) -> str:
    """The letter of the column with a heading."""
    return get_column_letter([column.head for column in sheet.columns].index(head) + 1)


def serial_of(day: date) -> int:
    """A day as a cell holds it."""
    return (day - _DAY_ZERO).days


def _cell(place: str, value: Value, style: int) -> str:
    if value is None or value == "":
        return f'<c r="{place}" s="{style}"/>'
    if isinstance(value, str):
        # A text by its type, whatever it begins with: `=1+1` is five characters.
        text = _OFFICE_ESCAPE.sub("_x005F_", escape(clean(value)))
        return f'<c r="{place}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
    if isinstance(value, Formula):
        if isinstance(value.result, str):
            return f'<c r="{place}" s="{style}" t="str"><f>{escape(value.text)}</f><v>{escape(clean(value.result))}</v></c>'
        return f'<c r="{place}" s="{style}"><f>{escape(value.text)}</f><v>{value.result}</v></c>'
    number = serial_of(value) if isinstance(value, date) else value
    return f'<c r="{place}" s="{style}"><v>{number}</v></c>'


_LETTERS: Final = [get_column_letter(place) for place in range(1, 703)]


def _letter(place: int) -> str:
    return _LETTERS[place]


def _columns_of(text: str) -> int:
    """Width of the longest line of a text, wide characters counted twice."""
    if text.isascii() and "\n" not in text:
        return len(text)
    return max(sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line) for line in text.split("\n"))


def _folded(text: str, width: int) -> list[str]:
    """A text in lines of a width, broken at blanks where there are some."""
    from textwrap import wrap

    return wrap(clean(text), width) or [""]


def _page_text(text: str) -> str:
    """A text for a header or footer, where `&` begins a command, and all parts together hold 255 characters."""
    shown = clean(text).replace("\n", " ")
    if len(shown) > _PAGE_TEXT_CHARACTERS:
        shown = shown[: _PAGE_TEXT_CHARACTERS - 3] + "..."
    return shown.replace("&", "&&")


def _around_rows(frame: str, sheet: Sheet) -> tuple[str, str]:
    """openpyxl's empty sheet with our rows, parted where streamed ones go, and without green triangles at texts of digits."""
    last = f"{get_column_letter(len(sheet.columns))}{max(len(sheet.rows) + len(sheet.streamed), 1)}"
    rows = "".join(_row(number, row, sheet) for number, row in enumerate(sheet.rows, start=1))
    ignored = f'<ignoredErrors><ignoredError sqref="A1:{last}" numberStoredAsText="1"/></ignoredErrors>'
    frame = re.sub(r'<dimension ref="[^"]*"', f'<dimension ref="A1:{last}"', frame, count=1)
    head, found, tail = _parted(frame)
    assert found, "openpyxl wrote a sheet without sheetData"
    return f"{head}<sheetData>{rows}", f"</sheetData>{tail.replace('</worksheet>', ignored + '</worksheet>')}"


def _streamed(sheet: Sheet, styles: Sequence[int]) -> Iterator[str]:
    """Streamed rows as written; what a cell says is spelled once a column, for most of it recurs."""
    columns = [(_letter(place), style, dict[Value, str]()) for place, style in enumerate(styles)]
    for number, row in enumerate(sheet.streamed, start=len(sheet.rows) + 1):
        cells = [f'<row r="{number}">']
        for (letter, style, known), value in zip(columns, row, strict=True):
            told = known.get(value)
            if told is None:
                told = known[value] = _cell("", value, style).removeprefix('<c r="')
            cells.append(f'<c r="{letter}{number}{told}')
        cells.append("</row>")
        yield "".join(cells)


def _batched(rows: Iterator[str], size: int = 500) -> Iterator[str]:
    while batch := "".join(islice(rows, size)):
        yield batch


def _row(number: int, row: _Row, sheet: Sheet) -> str:
    """A row with its height: LibreOffice does not find it by itself, and Excel only for some."""
    lines = max(
        (_lines(text, (sheet.widths[place] + 1) * (87 if bold else 100) // 100) for place, text, bold in row.wrapping),
        default=1,
    )
    height = min((row.line_pt or _TEXT_PT * _LINE_PER_POINT) * lines, 409)
    return f'<row r="{number}" ht="{height:.2f}" customHeight="1">{row.cells}</row>'


def _lines(text: str, width: int) -> int:
    """How many lines a text takes in a column of a width, broken at blanks and, where there are none, anywhere."""
    total = 0
    for line in text.split("\n"):
        total += 1
        room = width
        for word in _WORD.findall(line):
            size = _columns_of(word.rstrip(" "))
            if size > room and room < width:
                total, room = total + 1, width
            if size > width:
                total += (size - 1) // width
                size = (size - 1) % width + 1
            room -= size + len(word) - len(word.rstrip(" "))
    return total


def _parted(frame: str) -> tuple[str, bool, str]:
    found = re.search(r"<sheetData\s*/>|<sheetData>\s*</sheetData>", frame)
    return (frame[: found.start()], True, frame[found.end() :]) if found else (frame, False, "")


def _style_number(frame: Worksheet, look: Look) -> int:
    cell = frame.cell(1, 1)
    cell.font = Font(name="Calibri", size=look.size, bold=look.bold, italic=look.italic, color=look.ink)
    cell.fill = PatternFill("solid", start_color=look.fill, end_color=look.fill) if look.fill else PatternFill()
    below = Side(look.rule, color="808080") if look.rule else Side()
    above = Side(look.rule_above, color="000000") if look.rule_above else Side()
    cell.border = Border(bottom=below, top=above)
    cell.alignment = Alignment(
        horizontal=look.align or None,
        vertical="top" if look.top else "center",
        wrap_text=look.wrap,
        indent=look.indent,
    )
    cell.number_format = look.number_format
    number = cell.style_id
    del frame._cells[1, 1]  # noqa: SLF001 - the scratch cell that registered the style is none of the sheet's
    return number
