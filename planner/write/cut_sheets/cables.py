"""The cables of a rack as one table, group by group, and below it the remarks that are too long for a row."""

from __future__ import annotations

from collections.abc import Sequence

from planner.cutsheet import CableRow, Group
from planner.typeset import REGULAR, flow
from planner.write.choices import Codes
from planner.write.cut_sheets.blocks import Heading, Text
from planner.write.cut_sheets.layout import Layout
from planner.write.cut_sheets.rows import Row
from planner.write.cut_sheets.table import GroupHead, TableHead
from planner.write.cut_sheets.words import remarks_of
from planner.write.page import FRAME_WIDTH, MM


def add_cables(out: Layout, rack: str, groups: Sequence[Group], codes: Codes) -> None:
    """Rows are never divided; each new page of the table opens with its head and that of the group."""
    head = TableHead(rack)
    long: list[CableRow] = []
    for number, group in enumerate(groups, start=1):
        title = GroupHead(group, number, continued=False)
        rows = _rows_of(group, codes)
        if number == 1:
            heading = Heading("3  Cables", "from the top down as printed; near end first; tick as you go")
            out.add(heading, keep=head.height + title.height + rows[0].height)
            out.add(head)
        out.add(title, keep=rows[0].height, again=(head,))
        again = (head, GroupHead(group, number, continued=True))
        for row in rows:
            out.add(row, again=again)
        long.extend(row.row for row in rows if row.has_long_remarks)
    if long:
        _add_long_remarks(out, long)


def _rows_of(group: Group, codes: Codes) -> list[Row]:
    rows = []
    device = group.rows[0].near.device
    for index, row in enumerate(group.rows):
        rows.append(Row(row, codes, is_shaded=index % 2 == 1, begins_device=row.near.device != device))
        device = row.near.device
    return rows


def _add_long_remarks(out: Layout, rows: Sequence[CableRow]) -> None:
    heading = Heading("4  Long remarks", "of the cables above")
    out.add(heading, keep=12 * MM)
    for row in rows:
        for line in flow(f"cable {row.cable_id}: {remarks_of(row)}", REGULAR, 8, FRAME_WIDTH):
            out.add(Text((line,), 8), again=(heading,))
