"""The code of a cable's ID in its row, for a scanner: Code 128 above the remarks, or QR beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from planner.write.choices import Codes
from planner.write.codes import code128, qr
from planner.write.page import MM, Page

_MODULE: Final = 0.25 * MM
"""Width of a bar: 10 mil, which office printers print and hand scanners and telephones read."""
_BARS: Final = 5.2 * MM
_SQUARE: Final = 0.33 * MM


@dataclass(frozen=True, slots=True)
class Scan:
    """A code with the white around it. width, height: what it takes; beside: whether texts stand beside it."""

    operators: str
    modules: int
    width: float
    height: float
    beside: bool

    @classmethod
    def of(cls, cable_id: int, codes: Codes) -> Scan | None:
        if codes == "none":
            return None
        if codes == "qr":
            operators, side = qr.squares(str(cable_id))
            size = (side + 2 * qr.QUIET) * _SQUARE
            return cls(operators, side, size, size, beside=True)
        operators, count = code128.bars(str(cable_id))
        return cls(operators, count, (count + 2 * code128.QUIET) * _MODULE, _BARS + 0.8 * MM, beside=False)

    def draw(self, page: Page, x: float, top: float) -> None:
        page.blank(x, top - self.height, self.width, self.height)
        if self.beside:
            quiet = qr.QUIET * _SQUARE
            page.modules(x + quiet, top - self.height + quiet, self.operators, _SQUARE, _SQUARE)
        else:
            page.modules(x + code128.QUIET * _MODULE, top - 0.4 * MM - _BARS, self.operators, _MODULE, _BARS)
