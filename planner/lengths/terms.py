"""The five terms of a link's length: the best run found so far, exact, and what it comes to in millimetres."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Final

import numpy as np

from planner.lengths.slack import Slack
from planner.pathways.segments import NM_PER_UM
from planner.routing.routes import NO_WAY
from planner.table import Ints, Mask, Table
from planner.units import PPM, mm_half_up_array, mm_of_nm

NO_LENGTH: Final = np.iinfo(np.int64).max // 8
"""Required length of a link without a route: longer than any cable."""


@dataclass(frozen=True, slots=True)
class Lengths(Table):
    """Terms of each link for one class and one pair of plugs, in mm; NO_LENGTH where there is no way.

    route: the link's route in the class's `RoutesOfClass`, reversed where `backwards`; -1 inside one rack or without one.
    a_way, z_way: the ways out taken (numbers in `ways_out` of the rack's type), -1 where none is. run: the run inside
    one rack (number in `runs_inside` of its type) or between two that are open to each other (in `Bays.between`), -1
    where it leaves by a pathway. measured: what stands in place of the sum of the terms, -1 where nothing does.
    """

    a_in_rack: Ints
    a_rise: Ints
    pathway: Ints
    z_rise: Ints
    z_in_rack: Ints
    measured: Ints
    routed: Ints
    slack: Ints
    required: Ints
    route: Ints
    backwards: Mask
    a_way: Ints
    z_way: Ints
    run: Ints

    @property
    def reachable(self) -> Mask:
        return self.routed < NO_LENGTH


_ROUNDED: Final = ("a_um", "a_rise_nm", "pathway_nm", "z_rise_nm", "z_um")
_CHOSEN: Final = ("route", "a_way", "z_way", "run")
"""Numbers of what was chosen, -1 for none."""


def _in_mm(terms: Iterable[tuple[str, Ints]]) -> Ints:
    """Sum of terms, each rounded to the millimetre as a plan prints it."""
    rounded = [mm_half_up_array(t) if name.endswith("_um") else mm_of_nm(t) for name, t in terms]
    whole: Ints = np.sum(rounded, axis=0)
    return whole


@dataclass(frozen=True, slots=True)
class Terms:
    """The best run of each link so far, exact; shorter offers replace it, equal ones do not."""

    total_nm: Ints
    a_um: Ints
    z_um: Ints
    a_rise_nm: Ints
    pathway_nm: Ints
    z_rise_nm: Ints
    route: Ints
    backwards: Ints
    a_way: Ints
    z_way: Ints
    run: Ints

    @classmethod
    def without_way(cls, count: int) -> Terms:
        columns = {f.name: np.zeros(count, np.int64) for f in fields(cls)}
        columns["total_nm"][:] = NO_WAY
        for name in _CHOSEN:
            columns[name][:] = -1
        return cls(**columns)

    def offer(self, rows: Ints, **terms: Ints | Mask) -> None:
        """exact_um: of the whole run, where the sum of a_um and z_um is not. extra_nm: what counts beside the length."""
        exact = terms.pop("exact_um", None)
        total = (terms["a_um"] + terms["z_um"] if exact is None else exact) * NM_PER_UM
        for name in ("a_rise_nm", "pathway_nm", "z_rise_nm", "extra_nm"):
            if name in terms:
                total = total + np.minimum(terms[name], NO_WAY // 4)
        known = np.minimum(self.total_nm[rows], NO_WAY // 4)
        better = total < known
        # Which of equal ways is taken may hang on names and on which end is a; the length in millimetres must not.
        level = np.flatnonzero((total == known) & (total < NO_WAY // 4))
        if len(level):
            mine = [(name, terms[name][level].astype(np.int64)) for name in _ROUNDED if name in terms]
            best = [(name, getattr(self, name)[rows[level]]) for name in _ROUNDED]
            better[level] = _in_mm(mine) < _in_mm(best)
        where = rows[better]
        self.total_nm[where] = total[better]
        for name in _CHOSEN:
            getattr(self, name)[where] = terms[name][better] if name in terms else -1
        for name in (*_ROUNDED, "backwards"):
            getattr(self, name)[where] = terms[name][better] if name in terms else 0

    def forget(self, rows: Mask) -> None:
        self.total_nm[rows] = NO_WAY
        self.route[rows] = -1

    def finished(self, measured_mm: Ints, between_mm: Ints, slack: Slack) -> Lengths:
        """Each term to the millimetre, slack on top, NO_LENGTH where no way was found."""
        found = self.total_nm < NO_WAY
        a_in, z_in = mm_half_up_array(self.a_um), mm_half_up_array(self.z_um)
        a_rise, pathway, z_rise = (mm_of_nm(t) for t in (self.a_rise_nm, self.pathway_nm, self.z_rise_nm))
        outside = (between_mm >= 0) & (self.route >= 0)
        measured = np.where(outside & (measured_mm < 0), a_in + between_mm + z_in, measured_mm)
        routed = np.where(measured >= 0, measured, a_in + a_rise + pathway + z_rise + z_in)
        # Rounded up, never to the nearest: a cable 20 mm short is scrap, 20 mm long is a loop.
        exact = slack.loops_um * PPM + routed * 1000 * slack.share_ppm
        extra = np.asarray(-(-exact // (PPM * 1000)), np.int64)
        return Lengths(
            a_in_rack=a_in,
            a_rise=a_rise,
            pathway=pathway,
            z_rise=z_rise,
            z_in_rack=z_in,
            measured=measured,
            routed=np.where(found, routed, NO_LENGTH),
            slack=extra,
            required=np.where(found, routed + extra, NO_LENGTH),
            route=self.route,
            backwards=self.backwards.astype(bool),
            a_way=self.a_way,
            z_way=self.z_way,
            run=self.run,
        )
