"""What an objective counts of each part: money, power, weeks; a part without the figure ranks after all that have it.

Figures are whole numbers, most weighty first, and less is better. Money is in ten-thousandths, power in milliwatts. What
is bought once counts once: a plug at its cage (unused halves and all), a shared cable at its head.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from planner.catalog.fibre import Cord
from planner.catalog.load import Catalog
from planner.catalog.plugs import CableAssembly
from planner.project import Objective
from planner.selection.options import Option, Part

_UNIT: Final = {"cost": 1, "power": 10, "lead_time": 10_000}
"""Weights of a sum are per currency unit, per watt and per week of a piece: all in ten-thousandths."""

Counts = tuple[int, ...]


@dataclass(frozen=True)
class Scale:
    """How an objective counts.

    media: places in the longest order of media that it meets. timed: whether lead times are limited; then pieces of which
    none is known count before the objective, since they may be beyond the limit.
    """

    objective: Objective
    catalog: Catalog
    media: int
    timed: bool = False

    @property
    def key(self) -> tuple[Objective, bool]:
        """Scales of one key count alike."""
        return self.objective, self.timed

    @property
    def is_by_link(self) -> bool:
        """Whether all that counts is each link's own: its medium and interface."""
        return self.by_media and not self.timed

    @property
    def by_media(self) -> bool:
        """Whether the order of media counts: fewest part numbers are a matter of the plan (`fewest`), not of a link."""
        return self.objective.name in ("media", "part_numbers")

    @property
    def weighs_lengths(self) -> bool:
        """Whether one length of a family may count for less than another: by its price or its lead time."""
        return self.timed or not {"cost", "lead_time"}.isdisjoint(self.objective.counts)

    @cached_property
    def weeks(self) -> tuple[int, ...]:
        """The lead times that the price books know, the longest first."""
        known = {price.lead_time_weeks for price in self.catalog.prices.values()}
        return tuple(sorted((week for week in known if week is not None), reverse=True))

    @cached_property
    def width(self) -> int:
        return int(self.timed) + self._own_width

    @property
    def _own_width(self) -> int:
        match self.objective.name:
            case "media" | "part_numbers":
                return self.media + 1
            case "lead_time":
                return 1 + len(self.weeks)
        return 2

    @property
    def without(self) -> Counts:
        """Of a link that gets no part."""
        own = (*(1,) * self.media, 0) if self.by_media else (0,) * self._own_width
        return (*(0,) * self.timed, *own)

    def of_link(self, option: Option) -> Counts:
        """Of a link by its medium: as many links as can be have the first, then the second, and so on; then its interface."""
        if self.by_media:
            places = (int(option.rank != place) for place in range(self.media))
            return (*(0,) * self.timed, *places, interface_mm(option))
        return (0,) * self.width

    def of_plug(self, option: Option, end: str) -> Counts:
        """Of the plug at one end of a link; the power of a cable's own plug is its end's."""
        plug = option.a_plug if end == "a" else option.z_plug
        if plug is not None:
            return (*self._late(plug, 0, 1), *self._sum([self._piece(plug, 0, power=True)]))
        assert isinstance(option.cable, CableAssembly)
        if "power" not in self.objective.counts or option.cable.kind == "utp":  # twisted pair draws nothing
            return (0,) * self.width
        return (*(0,) * self.timed, *self._sum([{"power": option.cable.power_w.value}]))

    def of_cable(self, option: Option, position: int) -> Counts:
        """Of the cable, or of the cords side by side, at one of the option's lengths."""
        member = int(option.members[position])
        piece = self._piece(option.cable, member, power=False)
        return (*self._late(option.cable, member, option.cords), *self._sum([piece] * option.cords))

    def _late(self, part: Part, member: int, pieces: int) -> Counts:
        """Pieces that may take longer than is allowed, where that is limited."""
        return (pieces * (self.figure("lead_time", part, member) is None),) if self.timed else ()

    def figure(self, name: str, part: Part, member: int) -> int | None:
        """One figure of a part, None where nobody states it."""
        if name == "power":
            return 0 if isinstance(part, Cord) else part.power_w.value
        price = self.catalog.prices.get(part.members[member].part.lower())
        if price is None:
            return None
        return price.price if name == "cost" else price.lead_time_weeks

    def _piece(self, part: Part, member: int, *, power: bool) -> dict[str, int | None]:
        names = [name for name in self.objective.counts if name != "power" or power]
        return {name: self.figure(name, part, member) for name in names}

    def _sum(self, pieces: Iterable[dict[str, int | None]]) -> Counts:
        """Pieces without a figure first, then the figures: a sum, or pieces by lead time."""
        unknown, total = 0, [0] * max(0, self._own_width - 1)
        if self.by_media:
            return (0,) * self._own_width
        weights = dict(self.objective.weights)
        for piece in pieces:
            for name, figure in piece.items():
                if figure is None:
                    unknown += 1
                elif self.objective.name == "lead_time":
                    total[self.weeks.index(figure)] += 1
                elif self.objective.name == "weighted":
                    total[0] += weights[name] * _UNIT[name] * figure
                else:
                    total[0] += figure
        return (unknown, *total)


UNKNOWN_REACH_MM: Final = 100_000_000
"""Where nobody states a reach: that of the farthest optics, so that a part of known reach goes before."""


def interface_mm(option: Option) -> int:
    """How far the optical interface of an option reaches on the best fibre for it, so that SR4 goes before DR4 before FR4.

    Nothing for cables with plugs of their own, which have no interface, and for pins, which leave nothing to prefer.
    """
    if option.forced or option.a_plug is None or option.z_plug is None:
        return 0
    known = [
        max(reaches)
        for plug in (option.a_plug, option.z_plug)
        if (reaches := [figure.value for figure in plug.reach_m.values() if figure.value is not None])
    ]
    return min(min(known) // 1000, UNKNOWN_REACH_MM) if known else UNKNOWN_REACH_MM


def without_figure(scale: Scale, option: Option, name: str) -> list[str]:
    """Part numbers of an option of which a figure is not known."""
    parts: list[tuple[Part, int]] = [(plug, 0) for plug in (option.a_plug, option.z_plug) if plug is not None]
    if name != "power" or (option.has_own_plugs and option.cable.kind != "utp"):
        parts += [(option.cable, member) for member in option.members.tolist()]
    return [part.members[member].part for part, member in parts if scale.figure(name, part, member) is None]
