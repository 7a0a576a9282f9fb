"""One label: what it says, and how its texts are set into it, shrunk and wrapped and never cut.

Measures are points; a label's own size is what is left inside a padding for sheets that a printer draws in askew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from planner.label_formats import SheetFormat
from planner.plan import PartRow
from planner.typeset import BOLD, LEADING, REGULAR, Lines, fit_into

Shape = Literal["plain", "flag", "wrap"]

MM: Final = 72 / 25.4
_UM: Final = MM / 1000
_PADDING: Final = 1.6 * MM
_MODEL: Final = (34.9 * MM, 18 * MM)
"""Width and height inside the padding of the label that sizes of type are made for; others are scaled."""
_SIZE: Final = 9.0
_PLACES: Final = 21.8
"""Size of type of the two places on the model, and their height together."""
_FOLD: Final = 12 * MM
"""Middle of a flag that goes around the cable: the circumference of one of 3.8 mm."""
_FLAG_SHAPE: Final = 0.8
"""Most height of what stands on a half of a flag, over its width."""
_WRAPPED: Final = 9.0
"""Size of the lines that repeat around a cable."""
ARROW: Final = "\N{RIGHTWARDS ARROW} "

LEGIBLE: Final = 4.0
"""Points below which a text is told of; it is printed whole all the same."""


@dataclass(frozen=True, slots=True)
class Label:
    """One end of a cable. near, far: as in `labels.csv`; for an unused leg near is empty and far is the head's place.

    rack: where the cable is pulled.
    """

    cable_id: int
    end: str
    near: str
    far: str
    part: PartRow
    rack: str

    @property
    def is_used(self) -> bool:
        return bool(self.near)


@dataclass(frozen=True, slots=True)
class Space:
    """The inside of a label, or of one half of a flag."""

    width: float
    height: float
    padding: float = 0.0

    @classmethod
    def of(cls, form: SheetFormat) -> Space:
        padding = min(_PADDING, form.height_um * _UM * 0.08)
        return cls(form.width_um * _UM - 2 * padding, form.height_um * _UM - 2 * padding, padding)

    @property
    def half(self) -> Space:
        """What stands on each half of a flag, which is folded in its middle around the cable."""
        width = (self.width - min(_FOLD, self.width / 4)) / 2
        return Space(width, min(self.height, width * _FLAG_SHAPE))

    @property
    def scale(self) -> float:
        return min(self.width / _MODEL[0], self.height / _MODEL[1])

    @property
    def holds_legible_lines(self) -> bool:
        """Whether a place that needs one line has it in legible type."""
        return min(_SIZE * self.scale, _PLACES * self.scale / 2 / LEADING) >= LEGIBLE + 0.25

    def places(self, near: str, far: str) -> tuple[Lines, Lines]:
        """This end's place, then that of the other; an unused leg has no near one."""
        size, height = _SIZE * self.scale, _PLACES * self.scale
        above = fit_into(near or "unused leg", BOLD, size, self.width, height / 2)
        told = f"{ARROW}{far}" if near else f"cap it, head {far}"
        return above, fit_into(told, REGULAR, size, self.width, height - above.height)

    def wrapped(self, cable_id: int, end: str, near: str, far: str, *, is_draft: bool) -> Lines:
        """All of a label in one text, which is repeated around the cable."""
        text = f"{'DRAFT ' if is_draft else ''}{cable_id} {end}  {near or 'unused leg, cap it'} {ARROW}{far}"
        return fit_into(text, BOLD, _WRAPPED, self.width, self.height)


def smallest_type(form: SheetFormat, shape: Shape, cable_id: int, end: str, near: str, far: str) -> float:
    """Points of the smallest of a label's places; 0 where even the smallest type does not hold them."""
    space = Space.of(form)
    if shape == "wrap":
        lines = space.wrapped(cable_id, end, near, far, is_draft=True)
        return lines.size if lines.height <= space.height + 0.01 else 0.0
    space = space.half if shape == "flag" else space
    above, below = space.places(near, far)
    is_held = above.height + below.height <= _PLACES * space.scale + 0.01
    return min(above.size, below.size) if is_held else 0.0
