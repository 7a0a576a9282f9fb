"""The verdict on a channel: every fault at once, each with its joint, and where every lane arrives in both directions.

Maps are the optical maps as if every joint of one shape mated: pins, polish and keys do not blank a lane, faces that
differ do. Codes are those of the polarity reference; NOTE_ codes alone do not fail a channel.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from planner.channel.lanes import LANE_FAMILY, Lane, lane_codes, lanes_of, thin_leg
from planner.channel.loss import Outcome, judge_loss, judge_reach, total
from planner.channel.maps import table_of
from planner.channel.mating import Mark, blocked_interfaces, fibre_marks, joint_marks
from planner.channel.model import Adapter, Channel, LossSheet, Reach, Receptacle, Tail
from planner.channel.paths import Path, names_of, paths_of
from planner.channel.wording import decibels, text_of_lanes, text_of_mark
from planner.units import short_metres

LaneMap = dict[str, str | None]
"""Far lane by near lane, `Tx1: Rx1`; None where a component's map is unknown."""
Result = Literal["pass", "fail", "unproven"]


@dataclass(frozen=True, slots=True)
class ChannelFault:
    """One fault. joint: its number from end A (the one at the transceiver is 1), 0 for the channel as a whole.

    between: names of the two components it lies between; leg: of a branching channel, empty on the shared part.
    """

    code: str
    joint: int
    between: tuple[str, str]
    text: str
    leg: str = ""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A fact that nobody states, and the component it is of (or both ends, as `end A - end Z`).

    what: `pins`, `polish`, `keying`, `fibre`, `medium`, `position map`, `lanes`, `loss` or `length`.
    """

    what: str
    where: str


@dataclass(frozen=True, slots=True)
class LegVerdict:
    """The lanes of one leg, both ways; a lane of end A that arrives on another leg is not among them."""

    a_to_z: LaneMap
    z_to_a: LaneMap


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found about a channel.

    codes: sorted, each once. legs: by leg, empty for a channel without branches, whose lanes are a_to_z and z_to_a.
    loss_ndb: worst loss in billionths of a decibel, None where not asked or not known.
    unknown: what the verdict would need and nobody states. follows: (code, the code it is a consequence of).
    """

    verdict: Result
    codes: tuple[str, ...]
    a_to_z: LaneMap
    z_to_a: LaneMap
    legs: Mapping[str, LegVerdict]
    faults: tuple[ChannelFault, ...]
    unknown: tuple[Unknown, ...]
    follows: tuple[tuple[str, str], ...] = ()
    loss_ndb: int | None = None


@dataclass(frozen=True, slots=True)
class _PathView:
    """One path with what was found on it."""

    path: Path
    onward: tuple[Lane, ...]
    back: tuple[Lane, ...]
    marks: tuple[Mark, ...]
    codes: frozenset[str]
    thin: bool


def judge(channel: Channel) -> Verdict:
    """Judge a channel, all its paths and both directions."""
    views = tuple(_view(path) for path in paths_of(channel))
    faults = tuple(dict.fromkeys(fault for view in views for fault in _faults(view)))
    measured, unmeasured, loss_ndb = _measures(channel)
    faults = (*faults, *measured)
    unknown = tuple(dict.fromkeys((*(fact for view in views for fact in _unknown(view)), *unmeasured)))
    codes = tuple(sorted({fault.code for fault in faults}))
    failed = any(not code.startswith("NOTE_") for code in codes)
    legs = {view.path.leg: LegVerdict(_map(view.onward), _map(view.back)) for view in views}
    single = legs.pop("", None) or LegVerdict({}, {})
    result: Result = "fail" if failed else "unproven" if unknown else "pass"
    follows = _follows(views, codes) if failed else ()
    return Verdict(result, codes, single.a_to_z, single.z_to_a, legs, faults, unknown, follows, loss_ndb)


def primary_codes(verdict: Verdict) -> tuple[str, ...]:
    """The codes that are causes; the others follow from one of these and belong in its note."""
    followers = {code for code, _ in verdict.follows}
    return tuple(code for code in verdict.codes if code not in followers)


def codes_only(channel: Channel) -> frozenset[str]:
    """The codes of a channel without their wording, for trying many variants."""
    found: set[str] = set()
    for path in paths_of(channel):
        view = _view(path)
        found |= view.codes
        found.update(mark.code for mark in view.marks if mark.code)
    return frozenset(found | {fault.code for fault in _measures(channel)[0]})


def _view(path: Path) -> _PathView:
    blocked = blocked_interfaces(path)
    onward = lanes_of(path, True, blocked)
    back = lanes_of(path, False, blocked)
    thin = thin_leg(path, onward)
    codes = lane_codes(onward) | lane_codes(back) | ({"DARK_LANE"} if thin else set())
    return _PathView(path, onward, back, (*joint_marks(path, blocked), *fibre_marks(path)), frozenset(codes), thin)


def _map(lanes: Iterable[Lane]) -> LaneMap:
    return {lane.label: lane.arrives for lane in lanes if not lane.elsewhere}


def _faults(view: _PathView) -> Iterable[ChannelFault]:
    marks = [mark for mark in view.marks if mark.code]
    if not marks and not view.codes:
        return
    names = names_of(view.path)
    for mark in marks:
        leg = view.path.leg if mark.right >= view.path.own_from else ""
        text = text_of_mark(mark, names)
        yield ChannelFault(mark.code, mark.joint, (names[mark.left], names[mark.right]), text, leg)
    for code in LANE_FAMILY:
        if code in view.codes:
            joint, between, text = text_of_lanes(code, view.path, view.onward, view.back, names, view.thin)
            yield ChannelFault(code, joint, between, text, view.path.leg)


def _unknown(view: _PathView) -> Iterable[Unknown]:
    marks = [mark for mark in view.marks if not mark.code]
    mapless = sorted({lane.stopped_at for lane in (*view.onward, *view.back) if lane.unknown})
    lanes = view.path.a.tx or view.path.z.tx
    if not marks and not mapless and lanes:
        return
    names = names_of(view.path)
    yield from (Unknown(mark.detail, names[mark.left]) for mark in marks)
    yield from (Unknown("position map", names[index]) for index in mapless)
    if not lanes:
        yield Unknown("lanes", names[0])


def _tails(tail: Tail, leg: str = "") -> Iterable[tuple[str, Tail]]:
    yield leg, tail
    for branch in tail.branches:
        yield from _tails(branch, f"{leg}.{branch.leg}" if leg else str(branch.leg))


def _measures(channel: Channel) -> tuple[list[ChannelFault], list[Unknown], int | None]:
    """Length and loss wherever they are asked: faults, what is unknown, and the worst loss if all are complete."""
    faults: list[ChannelFault] = []
    unknown: list[Unknown] = []
    losses: list[int | None] = []
    for leg, tail in _tails(channel):
        far = tail.z.name if tail.z is not None and tail.z.name else f"leg {leg} end" if leg else "end Z"
        between = (channel.a.name or "end A", far)
        asked: list[tuple[str, str, Outcome, str]] = []
        if tail.reach is not None:
            asked.append(("REACH_EXCEEDED", "length", judge_reach(tail.reach), _reach_text(tail.reach)))
        if tail.loss is not None:
            worst = total(tail.loss)
            losses.append(worst.known_ndb if worst.complete else None)
            asked.append(("LOSS_OVER_BUDGET", "loss", judge_loss(tail.loss), _loss_text(tail.loss)))
        faults += [ChannelFault(code, 0, between, text, leg) for code, _, found, text in asked if found is Outcome.OVER]
        unknown += [Unknown(what, " - ".join(between)) for _, what, found, _ in asked if found is Outcome.UNPROVEN]
    known = [loss for loss in losses if loss is not None]
    return faults, unknown, max(known) if known and len(known) == len(losses) else None


def _reach_text(reach: Reach) -> str:
    shown = ["unknown" if mm is None else f"{short_metres(mm)} m" for mm in (reach.length_mm, reach.limit_mm)]
    return f"the channel is {shown[0]} long, the limit is {shown[1]}"


def _loss_text(sheet: LossSheet) -> str:
    worst = total(sheet)
    parts = "" if worst.complete else " without its unknown parts"
    budget = "unknown" if sheet.budget_mdb is None else decibels(sheet.budget_mdb)
    return f"the channel loses {decibels(worst.known_mdb)}{parts}, the budget is {budget}"


def _follows(views: tuple[_PathView, ...], codes: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Which codes are consequences of which.

    Lane codes that vanish once the aligned plates are turned follow from the plates, unless others come up in their
    place. Of what is left, one wrong map
    shows as several lane codes (a harness paired wrongly lights transmitters, leaves others dark): the first in
    LANE_FAMILY is the cause, but for lanes that have no fibre. Optics of two media cannot both suit one fibre.
    """
    pairs: list[tuple[str, str]] = []
    left = [code for code in LANE_FAMILY if code in codes]
    if left and "APC_ALIGNED_KEY" in codes:
        turned = frozenset[str]().union(*(_view(_with_opposed_keys(view)).codes for view in views))
        if turned <= set(left):
            pairs += [(code, "APC_ALIGNED_KEY") for code in left if code not in turned]
            left = [code for code in left if code in turned]
    lanes = [lane for view in views for lane in (*view.onward, *view.back)]
    unfilled = any(lane.code == "DARK_LANE" and lane.stopped_at > 0 for lane in lanes)
    pairs += [(code, left[0]) for code in left[1:] if code != "DARK_LANE" or not unfilled]
    if "MEDIA_MISMATCH" in codes and "FIBRE_VS_OPTIC" in codes:
        pairs.append(("FIBRE_VS_OPTIC", "MEDIA_MISMATCH"))
    return tuple(pairs)


def _with_opposed_keys(view: _PathView) -> Path:
    """A path with the plates turned that hold angled faces in aligned keys."""
    spans = [range(mark.left + 1, mark.right) for mark in view.marks if mark.code == "APC_ALIGNED_KEY"]
    wrong = {index for span in spans for index in span}
    parts = [
        replace(part, keying="A") if index in wrong and isinstance(part, Adapter) else part
        for index, part in enumerate(view.path.elements)
    ]
    tables = tuple(table_of(part) for part in parts if not isinstance(part, Receptacle))
    return replace(view.path, elements=tuple(parts), tables=tables)
