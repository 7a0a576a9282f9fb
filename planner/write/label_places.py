"""One label on its sheet or roll: its texts set into it, once, twice for a flag, or line by line around a cable."""

from __future__ import annotations

from typing import Final

from planner.label_formats import SheetFormat
from planner.labelsheet import Label
from planner.units import short_metres
from planner.write.choices import Choices
from planner.write.codes import qr
from planner.write.page import MM, Page
from planner.write.typeset import BOLD, REGULAR, Lines, fit_into, text_width

UM: Final = MM / 1000
_PADDING: Final = 1.6 * MM
"""Kept free inside a label's edge, for sheets that a printer draws in askew."""
_MODEL: Final = (34.9 * MM, 18 * MM)
"""Width and height inside the padding of the label that the sizes below are made for; others are scaled."""
_CODE: Final = 9 * MM
"""Side of the square at the upper right for a code, with the white around it."""
_ARROW: Final = "\N{RIGHTWARDS ARROW} "
_LEGIBLE: Final = 4.0
"""Points below which a text is told of; it is printed whole all the same."""
_FOLD: Final = 12 * MM
"""Middle of a flag that goes around the cable: the circumference of one of 3.8 mm."""
_FLAG_SHAPE: Final = 0.8
"""Most height of what stands on a half of a flag, over its width."""
_WRAPPED: Final = 9.0
"""Size in points of the lines that repeat around a cable."""


class LabelPlace:
    """A label's place on its sheet."""

    def __init__(self, form: SheetFormat, row: int, column: int, choices: Choices) -> None:
        height = form.size_um[1] * UM
        padding = min(_PADDING, form.height_um * UM * 0.08)
        self.left = (form.left_um + column * form.step_x_um) * UM + padding
        self.top = height - (form.top_um + row * form.step_y_um) * UM - padding
        self.width = form.width_um * UM - 2 * padding
        self.height = form.height_um * UM - 2 * padding
        self.shape = choices.label_shape
        self.has_code = choices.codes != "none"

    def draw(self, page: Page, label: Label, *, is_draft: bool) -> bool:
        """Whether all of its texts can be read."""
        if self.shape == "wrap":
            return self._draw_wrap(page, label, is_draft=is_draft)
        if self.shape == "flag":
            # Folded in the middle around the cable, its halves back to back: each says everything.
            half = (self.width - min(_FOLD, self.width / 4)) / 2
            right = self.left + self.width - half
            page.rule(
                self.left + self.width / 2, self.top, self.left + self.width / 2, self.top - self.height, 0.2, 0.6
            )
            height = min(self.height, half * _FLAG_SHAPE)
            top = self.top - (self.height - height) / 2
            first = _Box(self.left, top, half, height).draw(page, label, self.has_code, is_draft)
            return _Box(right, top, half, height).draw(page, label, self.has_code, is_draft) and first
        return _Box(self.left, self.top, self.width, self.height).draw(page, label, self.has_code, is_draft)

    def _draw_wrap(self, page: Page, label: Label, *, is_draft: bool) -> bool:
        """Lines of one content from top to bottom, so that one faces whoever looks, whichever way the label lies."""
        place = label.near if label.is_used else "unused leg, cap it"
        text = f"{'DRAFT ' if is_draft else ''}{label.cable_id} {label.end}  {place} {_ARROW}{label.far}"
        lines = fit_into(text, BOLD, _WRAPPED, self.width, self.height)
        y, bottom = self.top, self.top - self.height
        while y - lines.height >= bottom - 0.01:
            y = page.lines(self.left, y, lines, BOLD) - 1.2
        return lines.size >= _LEGIBLE


class _Box:
    """A rectangle with all that a label says: number and part above, this end's place and the other's below."""

    def __init__(self, left: float, top: float, width: float, height: float) -> None:
        self.left, self.top, self.width, self.height = left, top, width, height
        self.scale = min(width / _MODEL[0], height / _MODEL[1])

    def draw(self, page: Page, label: Label, has_code: bool, is_draft: bool) -> bool:
        scale, x, bottom = self.scale, self.left, self.top - self.height
        code = _CODE * scale
        narrow = self.width - code - 1 * MM * scale
        number = fit_into(str(label.cable_id), BOLD, 15 * scale, narrow * 0.7, 17.5 * scale)
        page.lines(x, self.top, number, BOLD)
        at = text_width(BOLD, number.lines[0], number.size) + 1.2 * MM * scale
        end = fit_into(label.end, REGULAR, 9 * scale, narrow - at, 10.5 * scale)
        page.text(x + at, self.top - number.size * 0.93, end.lines[0], end.size)
        part = fit_into(_part(label), REGULAR, 5.8 * scale, narrow, 11 * scale)
        page.lines(x, self.top - 17.2 * scale, part)
        middle = bottom + 22.4 * scale
        page.rule(x, middle, x + self.width, middle, 0.4)
        near, far = self._draw_places(page, label, middle - 0.6 * scale, bottom)
        if has_code:
            operators, side = qr.squares(str(label.cable_id))
            module = code / (side + 2 * qr.QUIET)
            inner = qr.QUIET * module / 2  # the label's own edge is white around it
            page.modules(
                x + self.width - side * module - inner, self.top - side * module - inner, operators, module, module
            )
        if is_draft:
            height = 2.6 * MM * scale
            page.fill(x + self.width - code, middle + 0.4 * scale, code, height, 0)
            page.centred(x + self.width - code / 2, middle + 0.4 * scale + height * 0.22, "DRAFT", 6 * scale, BOLD, 1)
        return min(near.size, far.size) >= _LEGIBLE

    def _draw_places(self, page: Page, label: Label, top: float, bottom: float) -> tuple[Lines, Lines]:
        size, width = 9 * self.scale, self.width
        near = fit_into(label.near if label.is_used else "unused leg", BOLD, size, width, (top - bottom) / 2)
        below = page.lines(self.left, top, near, BOLD)
        text = f"{_ARROW}{label.far}" if label.is_used else f"cap it, head {label.far}"
        far = fit_into(text, REGULAR, size, width, below - bottom)
        page.lines(self.left, below, far)
        return near, far


def _part(label: Label) -> str:
    part = label.part
    length = f"{short_metres(part.length_mm)} m" if part.length_mm >= 0 else ""
    return " · ".join(text for text in (length, part.colour, part.part) if text)
