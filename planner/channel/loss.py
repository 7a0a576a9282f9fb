"""How much a channel loses and how long it is, against what its optics allow.

Sums are exact: a run's loss is millimetres times mdb per kilometre, so whole billionths of a decibel (`_ndb`), and
only what is shown is rounded. A sum with an unknown or unsourced part may fail a channel and never passes it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from planner.channel.ferrules import GRADES
from planner.channel.figures import (
    BUDGETS,
    FIBRE,
    SPLICE,
    SPLICE_BY_MEDIUM,
    UNKNOWN_BUDGET,
    UNKNOWN_LOSS,
    Budget,
    LossFigure,
)
from planner.channel.mating import lowest_grade
from planner.channel.model import Cord, Fan, FibreRun, LossSheet, Plug, Reach
from planner.channel.paths import Path, joints_of, plug_towards_a, plug_towards_z

NDB_PER_MDB: Final = 1_000_000


class Outcome(StrEnum):
    WITHIN = "within"
    OVER = "over"
    UNPROVEN = "unproven"


@dataclass(frozen=True, slots=True)
class LossTotal:
    """A sum of losses. known_ndb leaves unknown parts out; complete: there are none; sourced: all are sourced."""

    known_ndb: int
    complete: bool
    sourced: bool

    @property
    def known_mdb(self) -> int:
        """Thousandths of a decibel, rounded up: the sum is over a budget exactly when this is."""
        return -(-self.known_ndb // NDB_PER_MDB)

    @property
    def sum_mdb(self) -> int | None:
        return self.known_mdb if self.complete else None


def total(sheet: LossSheet, typical: bool = False) -> LossTotal:
    """The worst (or typical) loss of a sheet."""
    known_ndb, complete, sourced = 0, True, True
    parts: list[tuple[int | None, LossFigure]] = [(NDB_PER_MDB, figure) for figure in (*sheet.pairs, *sheet.splices)]
    parts += [(run.length_mm, run.per_km) for run in sheet.runs]
    for factor, figure in parts:
        value = figure.typical_mdb if typical else figure.max_mdb
        if value is None or factor is None:
            complete = False
        else:
            known_ndb += factor * value
        sourced = sourced and figure.sourced
    return LossTotal(known_ndb, complete, sourced)


def judge_loss(sheet: LossSheet) -> Outcome:
    """Whether the worst loss keeps the budget; what is known may already exceed it."""
    worst = total(sheet)
    if sheet.budget_mdb is None:
        return Outcome.UNPROVEN
    if worst.known_ndb > sheet.budget_mdb * NDB_PER_MDB:
        return Outcome.OVER
    proven = worst.complete and worst.sourced and sheet.budget_sourced
    return Outcome.WITHIN if proven else Outcome.UNPROVEN


def headroom_mdb(sheet: LossSheet, typical: bool = False) -> int | None:
    """What is left of the budget (negative when over); None when something is unknown."""
    loss_mdb = total(sheet, typical).sum_mdb
    return None if loss_mdb is None or sheet.budget_mdb is None else sheet.budget_mdb - loss_mdb


def judge_reach(reach: Reach) -> Outcome:
    """Whether the length keeps the limit, which is inclusive."""
    if reach.length_mm is None or reach.limit_mm is None:
        return Outcome.UNPROVEN
    return Outcome.OVER if reach.length_mm > reach.limit_mm else Outcome.WITHIN


def _lit(path: Path) -> list[Cord | Fan]:
    """The components of a path whose own fibre has a length worth counting; that inside a box has not."""
    parts = (part for part in path.elements if isinstance(part, Cord | Fan))
    return [part for part in parts if not is_box(part)]


def is_box(part: Cord | Fan) -> bool:
    """Whether a component is a cassette or a shuffle, which has no cable of its own."""
    return isinstance(part, Fan) and part.kind in ("cassette", "shuffle")


def length_mm(path: Path) -> int | None:
    """Fibre from receptacle to receptacle; None when the length of a cord or fan is unknown."""
    lengths = [part.length_mm for part in _lit(path)]
    known = [length for length in lengths if length is not None]
    return sum(known) if len(known) == len(lengths) else None


def pair_loss(left: Plug, right: Plug) -> LossFigure:
    """Loss of a joint: the weaker plug decides (fibre.yaml, grade_mixing); unknown when either is."""
    return LossFigure(
        _worse(left.pair.max_mdb, right.pair.max_mdb),
        _worse(left.pair.typical_mdb, right.pair.typical_mdb),
        left.pair.sourced and right.pair.sourced,
        left.pair.source if left.pair == right.pair else f"{left.pair.source}, {right.pair.source}",
    )


def _worse(left: int | None, right: int | None) -> int | None:
    return None if left is None or right is None else max(left, right)


def budget_of(pmds: Iterable[str], grade: str) -> Budget:
    """The budget of the weaker end, figure by figure; unknown as soon as one end's is."""
    budgets = [BUDGETS.get((pmd, grade), UNKNOWN_BUDGET) for pmd in pmds]
    losses = [budget.loss_mdb for budget in budgets if budget.loss_mdb is not None]
    reaches = [budget.reach_mm for budget in budgets if budget.reach_mm is not None]
    return Budget(
        min(losses) if budgets and len(losses) == len(budgets) else None,
        min(reaches) if budgets and len(reaches) == len(budgets) else None,
        all(budget.sourced for budget in budgets),
        ", ".join(dict.fromkeys(budget.source for budget in budgets)),
    )


def sheet_of(path: Path, wavelength_nm: int, budget: Budget) -> LossSheet:
    """What a path loses, from its plugs, fibres and splices; the joints at the two transceivers are not counted."""
    inner = joints_of(path)[1:-1]
    pairs = tuple(
        pair_loss(plug_towards_z(path.elements[joint.left]), plug_towards_a(path.elements[joint.right]))
        for joint in inner
    )
    runs = tuple(FibreRun(part.length_mm, _per_km(part, wavelength_nm)) for part in _lit(path))
    splices = tuple(figure for part in _lit(path) for figure in [_splice(part.fibre)] * part.splices)
    return LossSheet(pairs, runs, budget.loss_mdb, splices, budget.sourced)


def _per_km(part: Cord | Fan, wavelength_nm: int) -> LossFigure:
    if part.per_km != UNKNOWN_LOSS or part.fibre is None:
        return part.per_km
    return FIBRE.get((part.fibre, wavelength_nm), UNKNOWN_LOSS)


def _splice(grade: str | None) -> LossFigure:
    known = GRADES.get(grade or "")
    return SPLICE_BY_MEDIUM[known.medium] if known else SPLICE


def rated_sheet(path: Path, wavelength_nm: int, pmds: Iterable[str]) -> LossSheet:
    """The sheet of a path against the budget of its optics at the lowest grade of its fibre."""
    grade = lowest_grade(path)
    return sheet_of(path, wavelength_nm, budget_of(pmds, grade) if grade else UNKNOWN_BUDGET)
