"""What stands around the body of every page: which document, rack and page it is, and who did the work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from planner.plan import Identity
from planner.typeset import BOLD, LEADING, REGULAR, fit_into
from planner.write.page import FRAME_HEIGHT, MM, Page

HEADER: Final = 15 * MM
_FOOTER: Final = 7 * MM
BODY: Final = FRAME_HEIGHT - HEADER - _FOOTER
"""Height between header and footer."""

_LEGEND: Final = (
    "mate = cable on the same plug: touch one, both links drop"
    " · clean = inspect and clean the end face · up = link light on"
)
_SIGNED: Final = "done by ____________________  date ______________  checked ______________"


@dataclass(frozen=True, slots=True)
class Frame:
    """title: of the page, large. part: which sheet of its rack. number, total: pages of the document.

    legend, signed: at the foot. alarm: what must be seen on every page.
    """

    identity: Identity
    title: str
    part: str
    number: int
    total: int
    legend: str = _LEGEND
    signed: str = _SIGNED
    alarm: str = ""

    def draw(self, page: Page) -> None:
        if self.identity.draft:
            page.stamp("DRAFT")
        self._draw_origin(page)
        self._draw_title(page)
        if self.identity.draft:
            self._draw_draft_mark(page)
        page.right_text(page.right, page.top - 10, f"page {self.number} of {self.total}", 10, BOLD)
        page.right_text(page.right, page.top - 19, self.part, 7.5)
        page.right_text(page.right, page.top - 29, self.alarm, 8.5, BOLD)
        page.rule(page.left, page.top - 12.8 * MM, page.right, page.top - 12.8 * MM, 1.2)
        page.rule(page.left, page.bottom + 5.5 * MM, page.right, page.bottom + 5.5 * MM, 0.5)
        page.text(page.left, page.bottom + 1.6 * MM, self.legend, 6.8)
        page.right_text(page.right, page.bottom + 1.6 * MM, self.signed, 7.5)

    def _draw_origin(self, page: Page) -> None:
        identity, top, width = self.identity, page.top, 80 * MM
        page.lines(page.left, top, fit_into(identity.project, BOLD, 10, width, 4.6 * MM), BOLD)
        revision = f"revision {identity.revision or 'not given'}" + (f" · {identity.date}" if identity.date else "")
        page.lines(page.left, top - 4.7 * MM, fit_into(revision, REGULAR, 8, width, 3.6 * MM))
        inputs = f"inputs {identity.inputs_sha256[:12]} · planner {identity.planner_version}"
        page.lines(page.left, top - 8.5 * MM, fit_into(inputs, REGULAR, 7, width, 3.4 * MM))

    def _draw_title(self, page: Page) -> None:
        title = fit_into(self.title, BOLD, 22, 84 * MM, 12 * MM)
        y = page.top
        for line in title.lines:
            page.centred(page.left + 125 * MM, y - title.size * 0.93, line, title.size, BOLD)
            y -= title.size * LEADING

    @staticmethod
    def _draw_draft_mark(page: Page) -> None:
        page.fill(page.right - 76 * MM, page.top - 9.5 * MM, 38 * MM, 9.5 * MM, 0)
        page.centred(page.right - 57 * MM, page.top - 5 * MM, "DRAFT", 13, BOLD, 1)
        page.centred(page.right - 57 * MM, page.top - 8.6 * MM, "has errors, do not install", 7, REGULAR, 1)
