"""The table of cables: its columns, its head, and the heads of the groups in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from planner.cutsheet import Group
from planner.typeset import BOLD, LEADING, fit
from planner.write.cut_sheets.words import group_title
from planner.write.page import FRAME_WIDTH, MM, Page

# Left edges of the columns, in mm from the frame's.
NEAR, NEAR_BOX, CABLE, FAR, FAR_BOX, WORK, REMARK, END = 17, 79, 91, 129, 195, 207, 224, 250

DEVICE: Final = 26
"""Width of the column of device and plug, in mm."""

BOX: Final = 4.3 * MM
BOX_STEP: Final = 5.6
"""From a box to the next one, in mm."""


@dataclass(frozen=True, slots=True)
class EndColumns:
    """Widths of the parts of a cable's end, in mm. place: U and side, and the rack where it is named; port: and cage."""

    place: int
    port: float
    label: int
    names_rack: bool


NEAR_END: Final = EndColumns(place=13, port=22, label=NEAR_BOX - NEAR - 13 - 1, names_rack=False)
FAR_END: Final = EndColumns(place=17, port=22.5, label=FAR_BOX - FAR - 17 - 1, names_rack=True)

_NEAR_DEVICE, _FAR_DEVICE = NEAR + NEAR_END.place, FAR + FAR_END.place
_WORDS: Final = (
    (0.5, "cable"), (NEAR + 1, "U, side"), (_NEAR_DEVICE, "device, plug"), (_NEAR_DEVICE + DEVICE, "PORT, cage · mate"),
    (CABLE + 1, "length, part, way"), (FAR + 1, "rack, U, side"), (_FAR_DEVICE, "device, plug"),
    (_FAR_DEVICE + DEVICE, "PORT, cage"), (REMARK + 1, "ID to scan, remarks"),
)  # fmt: skip
_BOXES: Final = ((NEAR_BOX, ("clean", "plug")), (FAR_BOX, ("clean", "plug")), (WORK, ("pull", "dress", "up")))


class TableHead:
    def __init__(self, rack: str) -> None:
        self.near = fit(f"NEAR END: this rack, {rack}", BOLD, 8, (NEAR_BOX - NEAR + 10) * MM)
        self.height = max(self.near.height + 1 * MM, 4.4 * MM) + 4.4 * MM

    def draw(self, page: Page, top: float) -> None:
        x, bottom = page.left, top - self.height
        bar = self.height - 4 * MM
        page.fill(x + NEAR * MM, top - bar, (CABLE - NEAR) * MM, bar, 0)
        page.fill(x + FAR * MM, top - bar, (WORK - FAR) * MM, bar, 0.35)
        y = top - 0.6 * MM
        for line in self.near.lines:
            page.text(x + (NEAR + 1) * MM, y - self.near.size * 0.93, line, self.near.size, BOLD, 1)
            y -= self.near.size * LEADING
        for at, word, grey in ((CABLE, "CABLE", 0), (FAR, "FAR END: go to", 1), (WORK, "WORK", 0)):
            page.text(x + (at + 1) * MM, top - 3.3 * MM, word, 8, BOLD, grey)
        for at_mm, word in _WORDS:
            page.text(x + at_mm * MM, bottom + 1.2 * MM, word, 6.5)
        for at, words in _BOXES:
            for index, word in enumerate(words):
                page.centred(x + (at + 3 + index * BOX_STEP) * MM, bottom + 1.2 * MM, word, 5.6)
        page.rule(x, bottom, page.right, bottom, 1)


class GroupHead:
    def __init__(self, group: Group, number: int, *, continued: bool) -> None:
        text = f"3.{number}  {group_title(group)}" + (" (continued)" if continued else "")
        self.lines = fit(text, BOLD, 9, FRAME_WIDTH - 4 * MM)
        self.height = self.lines.height + 2.4 * MM

    def draw(self, page: Page, top: float) -> None:
        bottom = top - self.height
        page.fill(page.left, bottom, FRAME_WIDTH, self.height, 0.82)
        page.lines(page.left + 2 * MM, top - 1.2 * MM, self.lines, BOLD)
        page.rule(page.left, bottom, page.right, bottom, 0.5)
