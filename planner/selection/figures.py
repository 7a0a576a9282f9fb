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
from planner.catalog.plugs import CableAssembly, Transceiver
from planner.project import Objective
from planner.selection.options import Option, Part

_UNIT: Final = {"cost": 1, "power": 10, "lead_time": 10_000}
"""Weights of a sum are per currency unit, per watt and per week of a piece: all in ten-thousandths."""

Counts = tuple[int, ...]

ScaleKey = tuple[Objective, bool]
"""What an objective counts, and whether lead times are limited."""


@dataclass(frozen=True)
class Scale:
    """How an objective counts.

    media: places in the longest order of media that it meets. most_weeks: the greatest lead time allowed; then pieces of
    which none is known count before the objective, since they may be beyond it. stocked: whether parts of the plan are on
    hand; then pieces to be bought count after the objective, of links that something on hand could serve (on_shelf).
    """

    objective: Objective
    catalog: Catalog
    media: int
    most_weeks: int | None = None
    stocked: bool = False

    @property
    def timed(self) -> bool:
        return self.most_weeks is not None

    @property
    def key(self) -> ScaleKey:
        """Scales of one key count alike."""
        return self.objective, self.timed

    @property
    def is_by_link(self) -> bool:
        """Whether all that counts is each link's own: its medium and interface."""
        return self.by_media and not self.timed and not self.stocked

    @property
    def by_media(self) -> bool:
        """Whether the order of media counts: fewest part numbers are a matter of the plan (`fewest`), not of a link."""
        return self.objective.name in ("media", "part_numbers")

    @property
    def weighs_lengths(self) -> bool:
        """Whether one length of a family may count for less than another: by its price, its lead time, or since it is on hand."""
        return self.timed or self.stocked or not {"cost", "lead_time"}.isdisjoint(self.objective.counts)

    @cached_property
    def weeks(self) -> tuple[int, ...]:
        """The lead times that the price books know, the longest first."""
        known = {price.lead_time_weeks for price in self.catalog.prices.values()}
        return tuple(sorted((week for week in known if week is not None), reverse=True))

    @cached_property
    def width(self) -> int:
        """How many figures it has."""
        return self.timed + self._own_width + self.stocked

    @property
    def _own_width(self) -> int:
        """Without what counts before the objective, and after it."""
        match self.objective.name:
            case "media" | "part_numbers":
                return self.media + 1
            case "lead_time":
                return 1 + len(self.weeks)
        return 2

    @property
    def without(self) -> Counts:
        """Of a link that gets no part."""
        return self._whole((*(1,) * self.media, 0) if self.by_media else (0,) * self._own_width)

    def of_link(self, option: Option) -> Counts:
        """Of a link by its medium: as many links as can be have the first, then the second, and so on; then its interface."""
        if self.by_media:
            places = (int(option.rank != place) for place in range(self.media))
            return self._whole((*places, interface_mm(option)))
        return (0,) * self.width

    def of_plug(self, option: Option, end: str, *, on_hand: bool = False) -> Counts:
        """Of the plug at one end of a link; the power of a cable's own plug is its end's. on_hand: it comes from stock."""
        plug = option.a_plug if end == "a" else option.z_plug
        if plug is not None:
            own = self._sum([self._piece(plug, 0, power=True, on_hand=on_hand)])
            return self._whole(own, self._late(plug, 0, on_hand=on_hand), not on_hand)
        assert isinstance(option.cable, CableAssembly)
        if "power" not in self.objective.counts or option.cable.kind == "utp":  # twisted pair draws nothing
            return (0,) * self.width
        return self._whole(self._sum([{"power": option.cable.power_w.value}]))

    def of_cable(self, option: Option, position: int, *, on_hand: bool = False) -> Counts:
        """Of the cable, or of the cords side by side, at one of the option's lengths. on_hand: they come from stock."""
        member = int(option.members[position])
        own = self._sum([self._piece(option.cable, member, power=False, on_hand=on_hand)] * option.cords)
        return self._whole(
            own, option.cords * self._late(option.cable, member, on_hand=on_hand), option.cords * (not on_hand)
        )

    def _whole(self, own: Counts, late: int = 0, bought: int = 0) -> Counts:
        """The objective's figures, behind pieces that may come too late and before pieces to be bought, where these count."""
        return (*(late,) * self.timed, *own, *(bought,) * self.stocked)

    def _late(self, part: Part, member: int, *, on_hand: bool) -> int:
        """1 for a piece of which nobody says when it comes."""
        return int(not on_hand and self.figure("lead_time", part, member) is None)

    def too_late(self, part: Part, member: int) -> bool:
        """Whether a piece is known to come after the greatest lead time, so that it serves from stock alone."""
        weeks = self.figure("lead_time", part, member) if self.most_weeks is not None else None
        return weeks is not None and self.most_weeks is not None and weeks > self.most_weeks

    def figure(self, name: str, part: Part, member: int) -> int | None:
        """One figure of a part, None where nobody states it."""
        if name == "power":
            return 0 if isinstance(part, Cord) else part.power_w.value
        price = self.catalog.prices.get(part.members[member].part.lower())
        if price is None:
            return None
        return price.price if name == "cost" else price.lead_time_weeks

    def _piece(self, part: Part, member: int, *, power: bool, on_hand: bool) -> dict[str, int | None]:
        """Figures of a piece; one from stock costs nothing more and is there, and draws what it draws."""
        names = [name for name in self.objective.counts if name != "power" or power]
        return {name: 0 if on_hand and name != "power" else self.figure(name, part, member) for name in names}

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
                    if figure in self.weeks:  # a piece from stock takes no week that the price books know
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
    reaches = (best_reach_um(option.a_plug), best_reach_um(option.z_plug))
    return min([UNKNOWN_REACH_MM, *(um // 1000 for um in reaches if um is not None)])


def best_reach_um(plug: Transceiver) -> int | None:
    """How far a module reaches on the best fibre for it; None where nobody states it."""
    return max((figure.value for figure in plug.reach_m.values() if figure.value is not None), default=None)


def without_figure(scale: Scale, option: Option, name: str) -> list[str]:
    """Part numbers of an option of which a figure is not known."""
    parts: list[tuple[Part, int]] = [(plug, 0) for plug in (option.a_plug, option.z_plug) if plug is not None]
    if name != "power" or (option.has_own_plugs and option.cable.kind != "utp"):
        parts += [(option.cable, member) for member in option.members.tolist()]
    return [part.members[member].part for part, member in parts if scale.figure(name, part, member) is None]
