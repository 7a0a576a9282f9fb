"""One label on its sheet or roll: its texts set into it, once, twice for a flag, or line by line around a cable."""

from __future__ import annotations

from typing import Final

from planner.label_fit import LEGIBLE, MM, Label, Space
from planner.label_formats import SheetFormat
from planner.typeset import BOLD, REGULAR, Lines, fit_into, text_width
from planner.units import short_metres
from planner.write.choices import Choices
from planner.write.codes import qr
from planner.write.page import Page

UM: Final = MM / 1000
_CODE: Final = 9 * MM
"""Side of the square at the upper right for a code, with the white around it, on the label that sizes are made for."""


class LabelPlace:
    """A label's place on its sheet."""

    def __init__(self, form: SheetFormat, row: int, column: int, choices: Choices) -> None:
        self.space = space = Space.of(form)
        self.left = (form.left_um + column * form.step_x_um) * UM + space.padding
        self.top = form.size_um[1] * UM - (form.top_um + row * form.step_y_um) * UM - space.padding
        self.shape = choices.label_shape
        self.has_code = choices.codes != "none"

    def draw(self, page: Page, label: Label, *, is_draft: bool) -> bool:
        """Whether all of its texts can be read."""
        space = self.space
        if self.shape == "wrap":
            return self._draw_wrap(page, label, is_draft=is_draft)
        if self.shape == "flag":
            # Folded in the middle around the cable, its halves back to back: each says everything.
            half, middle = space.half, self.left + space.width / 2
            page.rule(middle, self.top, middle, self.top - space.height, 0.2, 0.6)
            top = self.top - (space.height - half.height) / 2
            first = _Box(self.left, top, half).draw(page, label, self.has_code, is_draft)
            right = self.left + space.width - half.width
            return _Box(right, top, half).draw(page, label, self.has_code, is_draft) and first
        return _Box(self.left, self.top, space).draw(page, label, self.has_code, is_draft)

    def _draw_wrap(self, page: Page, label: Label, *, is_draft: bool) -> bool:
        """Lines of one content from top to bottom, so that one faces whoever looks, whichever way the label lies."""
        lines = self.space.wrapped(label.cable_id, label.end, label.near, label.far, is_draft=is_draft)
        y, bottom = self.top, self.top - self.space.height
        while y - lines.height >= bottom - 0.01:
            y = page.lines(self.left, y, lines, BOLD) - 1.2
        return lines.size >= LEGIBLE


class _Box:
    """A rectangle with all that a label says: number and part above, this end's place and the other's below."""

    def __init__(self, left: float, top: float, space: Space) -> None:
        self.left, self.top, self.space = left, top, space
        self.width, self.height, self.scale = space.width, space.height, space.scale

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
        near, far = self._draw_places(page, label, middle - 0.6 * scale)
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
        return min(near.size, far.size) >= LEGIBLE

    def _draw_places(self, page: Page, label: Label, top: float) -> tuple[Lines, Lines]:
        near, far = self.space.places(label.near, label.far)
        page.lines(self.left, page.lines(self.left, top, near, BOLD), far)
        return near, far


def _part(label: Label) -> str:
    part = label.part
    length = f"{short_metres(part.length_mm)} m" if part.length_mm >= 0 else ""
    return " · ".join(text for text in (length, part.colour, part.part) if text)
