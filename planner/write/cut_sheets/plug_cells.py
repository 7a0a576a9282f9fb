"""A device's heading and its cages, as they stand in the list of plugs."""

from __future__ import annotations

from planner.cutsheet import DevicePlugs, PlugRow
from planner.typeset import BOLD, LEADING, REGULAR, fit
from planner.write.cut_sheets.layout import COLUMN
from planner.write.cut_sheets.words import slot
from planner.write.page import MM, Page


class DeviceCell:
    """The heading of a device's plugs."""

    def __init__(self, device: DevicePlugs, *, continued: bool) -> None:
        self.place = fit(slot(device.u), BOLD, 11, 11 * MM)
        self.title = fit(device.device + (" (continued)" if continued else ""), BOLD, 10, COLUMN - 34 * MM)
        self.face = f"ports {device.face}" if device.face else ""
        self.model = fit(device.model, REGULAR, 6.5, 20 * MM)
        self.height = max(self.title.height, 2 * 6.5 * LEADING) + 2.2 * MM

    def draw(self, page: Page, x: float, top: float) -> None:
        top -= 1.2 * MM
        page.fill(x, top - self.height + 1.4 * MM, COLUMN, self.height - 1.6 * MM, 0.88)
        page.lines(x + 1 * MM, top, self.place, BOLD)
        page.lines(x + 13 * MM, top, self.title, BOLD)
        page.right_text(x + COLUMN - 1 * MM, top - 6.2, self.face, 6.5)
        page.right_text(x + COLUMN - 1 * MM, top - 6.2 - 7.4, self.model.lines[0], self.model.size)
        page.rule(x, top - self.height + 1.4 * MM, x + COLUMN, top - self.height + 1.4 * MM, 0.8)


class PlugCell:
    """A cage, its plug, the cables at its ports."""

    def __init__(self, plug: PlugRow) -> None:
        self.is_own = plug.is_own
        self.cage = fit(plug.cage, BOLD, 9, 13 * MM)
        self.part = fit(plug.part.part, REGULAR, 8, 29 * MM)
        self.cables = fit(_cables(plug), REGULAR, 8, COLUMN - 51 * MM)
        self.height = max(self.cage.height, self.part.height, self.cables.height, 4 * MM) + 0.9 * MM

    def draw(self, page: Page, x: float, top: float) -> None:
        if not self.is_own:
            page.box(x + 0.8 * MM, top - 4.2 * MM, 3.5 * MM, 3.5 * MM)
        page.lines(x + 6 * MM, top - 0.5 * MM, self.cage, BOLD)
        page.lines(x + 20 * MM, top - 0.6 * MM, self.part)
        page.lines(x + 50 * MM, top - 0.6 * MM, self.cables)
        page.rule(x, top - self.height, x + COLUMN, top - self.height, 0.3, 0.6)


def _cables(plug: PlugRow) -> str:
    if plug.is_own:
        text = f"comes with cable {plug.cables[0]}"
    elif not any(plug.cables):
        text = "no cable, keep the cap on"
    else:
        text = " · ".join(str(cable) if cable else "cap" for cable in plug.cables)
    return f"SECOND PLUG IN THIS CAGE, {text}" if plug.is_second else text
