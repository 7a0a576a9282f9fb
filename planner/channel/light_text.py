"""The light path in words: a line a joint, a table of lanes, what is lost, and what is wrong and how to mend it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from planner.channel.ferrules import FERRULES
from planner.channel.judge import Verdict
from planner.channel.light import At, Face, LightPath, LitJoint, LitLane, described
from planner.channel.loss import NDB_PER_MDB, Outcome, headroom_mdb, judge_loss, total
from planner.channel.model import Cord, Fan, LossSheet
from planner.channel.wording import decibels
from planner.units import short_metres

PINS: Final = {"M": "pins", "F": "no pins", "-": "", None: "pins not known"}
DUPLEX_SIDES: Final = {1: "A", 2: "B"}
NOT_REACHED: Final = "-"
_OUTCOMES: Final = {Outcome.WITHIN: "within it", Outcome.OVER: "over it", Outcome.UNPROVEN: "not proven"}


def light_lines(paths: Sequence[LightPath]) -> Iterator[str]:
    """Every path of a channel: joints and what lies between them, then its lanes both ways, then its loss."""
    for path in paths:
        if path.leg:
            yield f"leg {path.leg}"
        for number, joint in enumerate(path.joints):
            yield _joint_line(joint)
            if number < len(path.between):
                yield f"           {between_text(*path.between[number])}"
        yield from _lane_table(path)
        loss = loss_text(path)
        if loss:
            yield loss


def verdict_lines(
    verdict: Verdict, repair: Sequence[str] = (), leg: str | None = None, *, with_loss: bool = True
) -> Iterator[str]:
    """Every fault with its joint, what nobody states, and the smallest change that repairs the channel.

    leg: only what concerns that leg. with_loss: whether a loss that is not known is told.
    """
    for fault in verdict.faults:
        if leg is None or fault.leg in ("", leg):
            yield f"{fault_place(fault.joint, fault.leg)}: {fault.text} ({fault.code})"
    for fact in verdict.unknown:
        if with_loss or fact.what != "loss":
            yield f"not stated: {fact.what} of {fact.where}"
    if repair:
        open_facts = any(fact.what != "loss" for fact in verdict.unknown)
        what = "smallest change that leaves no known fault" if open_facts else "smallest repair"
        yield f"{what}: {'; '.join(repair)}"


def verdict_words(verdict: Verdict) -> str:
    """The verdict, and what stands where only the loss is not known: lanes and joints are all right then."""
    if verdict.verdict == "unproven" and all(fact.what == "loss" for fact in verdict.unknown):
        return "lanes and joints pass, loss not proven"
    return verdict.verdict


def fault_place(joint: int, leg: str) -> str:
    return (f"leg {leg}, " if leg else "") + (f"joint {joint}" if joint else "whole channel")


def face_text(face: Face) -> str:
    """`mpo12, pins, APC`, as far as it is known."""
    plug = face.plug
    words = [
        spoken_ferrule(plug.ferrule.name),
        PINS[plug.gender] if plug.ferrule.pinned else "",
        plug.polish or "polish not known",
    ]
    return ", ".join(word for word in words if word)


def spoken_ferrule(name: str) -> str:
    """`MPO-12` of `mpo12`, `LC` of `lc2`; the name of a ferrule that a file adds stays as it is."""
    if name not in FERRULES:
        return name
    letters = name.rstrip("0123456789")
    return f"{letters.upper()}-{name.removeprefix(letters)}" if letters == "mpo" else letters.upper()


def keys_text(joint: LitJoint) -> str:
    return f"{joint.keys} keys" if joint.keys in ("opposed", "aligned") else "keys not known" if joint.keys else ""


def _joint_line(joint: LitJoint) -> str:
    held = ", ".join(word for word in (joint.adapter, keys_text(joint)) if word)
    faces = [
        f"{face.of}{f' {face.which}' if face.which else ''} ({face_text(face)})" for face in (joint.left, joint.right)
    ]
    meets = f" | {held} | " if held else " | "
    wrong = f"  {', '.join(joint.codes)}" if joint.codes else ""
    return f"  joint {joint.number:<3}{meets.join(faces)}; {lost_text(joint)}{wrong}"


def lost_text(joint: LitJoint) -> str:
    """Loss up to a joint: `lost so far 0.375 dB`; `at least` where something on the way is not known."""
    if not (joint.complete or joint.loss_ndb):
        return "loss not known"
    lost = decibels(-(-joint.loss_ndb // NDB_PER_MDB))
    return f"lost so far {lost}" if joint.complete else f"lost so far at least {lost}"


def between_text(name: str, part: Cord | Fan) -> str:
    length = "" if part.length_mm is None else f"{short_metres(part.length_mm)} m"
    words = [described(part), part.fibre or "fibre not known", length]
    return f"{name}: {', '.join(word for word in words if word)}"


def place_text(face: Face, at: At | None) -> str:
    """A position as it is read off a plug: `12`, of a duplex face `A`; where light is in another leg or port, `2:12`."""
    if at is None:
        return NOT_REACHED
    leg, position = at
    ferrule = face.plug.ferrule
    side = DUPLEX_SIDES[position] if ferrule.positions == 2 and not ferrule.keyed else str(position)
    return side if leg == face.leg else f"{leg}:{side}"


def _lane_table(path: LightPath) -> Iterator[str]:
    heads = [f"joint {joint.number}" for joint in path.joints]
    for end, lanes in ((path.joints[0].left.of, path.onward), (path.joints[-1].right.of, path.back)):
        title, backwards = f"from {end}", lanes is path.back
        if not lanes:
            yield f"  {title}: no lanes on this way"
            continue
        order = list(reversed(range(len(heads)))) if backwards else list(range(len(heads)))
        rows = [[title, *(heads[n] for n in order), "arrives at"]]
        rows += [
            [lane.label, *(_crossing(path, n, lane, backwards=backwards) for n in order), arrival_text(lane)]
            for lane in lanes
        ]
        wide = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        for row in rows:
            yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip()


def _crossing(path: LightPath, number: int, lane: LitLane, *, backwards: bool) -> str:
    """Position at a joint; both where the two faces are met at unlike ones, in the order that light takes them."""
    joint = path.joints[number]
    left, right = lane.at[number]
    sides = [place_text(joint.left, left), place_text(joint.right, right)]
    if backwards:
        sides.reverse()
    return sides[0] if sides[0] == sides[1] else " > ".join(sides)


def arrival_text(lane: LitLane) -> str:
    return f"{lane.arrives or 'not known'}" + (f"  {lane.code}" if lane.code else "")


def loss_text(path: LightPath) -> str:
    """Worst and typical loss, budget and headroom; empty where no loss was asked."""
    leg = f" of leg {path.leg}" if path.leg else ""
    return "" if path.loss is None else f"  loss{leg}: {sheet_text(path.loss)}"


def sheet_text(sheet: LossSheet) -> str:
    worst = total(sheet)
    typical = total(sheet, typical=True)
    lost = decibels(worst.known_mdb)
    words = [f"{lost} at worst" if worst.complete else f"at least {lost}"]
    words.append(f"{decibels(typical.known_mdb)} typically" if typical.complete else "typically not known")
    if sheet.budget_mdb is None:
        words.append("budget not known")
    else:
        words.append(f"budget {decibels(sheet.budget_mdb)}")
        left = headroom_mdb(sheet)
        if left is not None:
            words.append(f"headroom {decibels(left)}" if left >= 0 else f"over by {decibels(-left)}")
    return ", ".join(words) + f" ({_OUTCOMES[judge_loss(sheet)]})"
