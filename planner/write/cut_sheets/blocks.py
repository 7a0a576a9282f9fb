"""Blocks of any sheet: space, running text, headings of steps, and what must not be overlooked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from planner.typeset import BOLD, REGULAR, flow, shown, text_width
from planner.write.page import FRAME_WIDTH, MM, Page


@dataclass(frozen=True, slots=True)
class Space:
    height: float

    def draw(self, page: Page, top: float) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Text:
    """Lines of one size."""

    lines: Sequence[str]
    size: float
    face: str = REGULAR

    @classmethod
    def flowing(cls, text: str, size: float, width: float = FRAME_WIDTH) -> Text:
        """A text of any length, wrapped."""
        return cls(flow(text, REGULAR, size, width), size)

    @property
    def height(self) -> float:
        return len(self.lines) * self.size * 1.3 + 1 * MM

    def draw(self, page: Page, top: float) -> None:
        y = top - self.size
        for line in self.lines:
            page.text(page.left, y, shown(line), self.size, self.face)
            y -= self.size * 1.3


@dataclass(frozen=True, slots=True)
class Heading:
    """A step of the work."""

    title: str
    note: str
    height: float = 7.5 * MM

    def draw(self, page: Page, top: float) -> None:
        y = top - 5.4 * MM
        page.text(page.left, y, self.title, 12, BOLD)
        page.text(page.left + text_width(BOLD, self.title, 12) + 3 * MM, y, self.note, 8)
        page.rule(page.left, y - 1.2 * MM, page.right, y - 1.2 * MM, 1)


@dataclass(frozen=True, slots=True)
class Alarm:
    """What must not be overlooked: white on black."""

    text: str
    height: float = 8 * MM

    def draw(self, page: Page, top: float) -> None:
        page.fill(page.left, top - 7 * MM, FRAME_WIDTH, 6.4 * MM, 0)
        page.text(page.left + 2 * MM, top - 5.1 * MM, self.text, 11, BOLD, 1)
