"""Links without a cable, first on the sheet: both ends, and why."""

from __future__ import annotations

from collections.abc import Sequence

from planner.cutsheet import End, Unresolved
from planner.names import counted
from planner.typeset import BOLD, REGULAR, flow
from planner.write.cut_sheets.blocks import Alarm, Space
from planner.write.cut_sheets.layout import Layout
from planner.write.cut_sheets.words import slot
from planner.write.page import FRAME_WIDTH, MM, Page

_WIDTH = FRAME_WIDTH - 8 * MM
_LINE = 4.1 * MM


def add_open_links(out: Layout, links: Sequence[Unresolved]) -> None:
    text = f"NOT CABLED: {counted(len(links), 'link')} of this rack without a cable. Leave the ports empty."
    heading = Alarm(text)
    out.add(heading, keep=12 * MM)
    for link in links:
        out.add(_OpenLink(link), again=(heading,))
    out.add(Space(2 * MM))


class _OpenLink:
    def __init__(self, link: Unresolved) -> None:
        why = "; ".join(link.reasons) or "no part fits or no way was found, see the findings"
        self.lines = [
            *flow(f"here {_place(link.near)}, no cable to {_place(link.far)}", BOLD, 9, _WIDTH),
            *flow(f"link {link.link_id}; why: {why}", REGULAR, 8, _WIDTH),
        ]
        self.height = len(self.lines) * _LINE + 1.5 * MM

    def draw(self, page: Page, top: float) -> None:
        page.fill(page.left, top - self.height, 1.5 * MM, self.height, 0)
        page.rule(page.left, top - self.height, page.right, top - self.height, 0.4)
        for index, line in enumerate(self.lines):
            bold = index < len(self.lines) - 1 or len(self.lines) == 1
            y = top - (index + 0.85) * _LINE
            page.text(page.left + 4 * MM, y, line, 9 if bold else 8, BOLD if bold else REGULAR)


def _place(end: End) -> str:
    return f"{end.device} port {' + '.join(end.ports)}, {end.rack} {slot(end.u)}"
