"""Blocks set one below the other, page by page, by their heights alone; and columns for lists of small cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from planner.write.cut_sheets.frame import BODY
from planner.write.page import FRAME_WIDTH, MM, Page


class Block(Protocol):
    """A piece of a page that is not divided."""

    @property
    def height(self) -> float: ...

    def draw(self, page: Page, top: float) -> None: ...


Placed = list[tuple[float, Block]]
"""The blocks of one page, each with its distance from the top of the page's body."""


@dataclass
class Layout:
    """The pages so far."""

    pages: list[Placed] = field(default_factory=lambda: [[]])
    used: float = 0.0

    @property
    def room(self) -> float:
        return BODY - self.used

    def add(self, block: Block, keep: float = 0.0, again: Sequence[Block] = ()) -> None:
        """keep: room needed below the block, so that no heading stands alone; again: blocks that open a new page."""
        if self.used and block.height + keep > self.room:
            self.new_page()
            for heading in again:
                self._put(heading)
        self._put(block)

    def new_page(self) -> None:
        self.pages.append([])
        self.used = 0.0

    def _put(self, block: Block) -> None:
        self.pages[-1].append((self.used, block))
        self.used += block.height


COLUMNS: Final = 3
_GUTTER: Final = 4 * MM
COLUMN: Final = (FRAME_WIDTH - (COLUMNS - 1) * _GUTTER) / COLUMNS
"""Width of a column."""


def column_left(page: Page, number: int) -> float:
    """Left edge of a column, counted from 0."""
    return page.left + number * (COLUMN + _GUTTER)
