"""The light path of a channel: every joint with its two faces and the loss up to it, every lane with its positions.

What a person follows with a pen, or a picture draws. Nothing is judged here; codes come with the verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from planner.channel.figures import LossFigure
from planner.channel.judge import Verdict
from planner.channel.lanes import lanes_of
from planner.channel.loss import NDB_PER_MDB, is_box, pair_loss
from planner.channel.maps import State, step
from planner.channel.mating import blocked_interfaces
from planner.channel.model import Adapter, Channel, Component, Cord, Fan, LossSheet, Plug, Receptacle
from planner.channel.paths import Element, Joint, Path, joints_of, names_of, paths_of, plug_towards_a, plug_towards_z

At = tuple[int, int]
"""Plug (leg of a splitter, port of a cassette; 0 where an end has one plug) and position in it."""
Keys = Literal["", "opposed", "aligned", "unknown"]


@dataclass(frozen=True, slots=True)
class Face:
    """One of the two plugs at a joint. of: what it belongs to.

    leg: which of several plugs this path uses, 0 without; which: the same in words, `leg 2` or, of a cassette, `port 3`.
    """

    of: str
    plug: Plug
    leg: int = 0
    which: str = ""


@dataclass(frozen=True, slots=True)
class LitJoint:
    """A joint. keys: of the adapter in it, empty without one. codes: of the faults that sit here.

    pair: loss of this joint, counted: False at a transceiver, whose own budget has it. loss_ndb: worst loss from end A up
    to and with this joint, in billionths of a decibel, without what is unknown; complete: nothing was.
    """

    number: int
    left: Face
    right: Face
    keys: Keys
    adapter: str
    pair: LossFigure
    counted: bool
    loss_ndb: int
    complete: bool
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LitLane:
    """One transmitter's way. at: by joint from end A, where it is at the left and the right face, None where it is not.

    arrives, code: as the verdict says.
    """

    label: str
    arrives: str | None
    code: str
    at: tuple[tuple[At | None, At | None], ...]


@dataclass(frozen=True, slots=True)
class LightPath:
    """One path. between: the component from each joint to the next, with its name; loss: what was asked of the channel."""

    leg: str
    a: Receptacle
    z: Receptacle
    joints: tuple[LitJoint, ...]
    between: tuple[tuple[str, Cord | Fan], ...]
    onward: tuple[LitLane, ...]
    back: tuple[LitLane, ...]
    loss: LossSheet | None


def light_of(channel: Channel, verdict: Verdict) -> tuple[LightPath, ...]:
    """The paths of a channel, in the order of its branches; the verdict is the channel's own."""
    return tuple(_lit(channel, path, verdict) for path in paths_of(channel))


def _lit(channel: Channel, path: Path, verdict: Verdict) -> LightPath:
    blocked = blocked_interfaces(path)
    joints = joints_of(path)
    names = names_of(path)
    between = tuple((names[index], part) for index, part in enumerate(path.elements) if isinstance(part, Cord | Fan))
    sheet = _asked(channel, path)
    onward = tuple(_lanes(path, joints, blocked, onward=True))
    back = tuple(_lanes(path, joints, blocked, onward=False))
    lost = _losses(joints, _pairs(path, joints, sheet), [part for _, part in between])
    lit = tuple(
        _joint(path, joint, names, [*onward, *back], loss, verdict) for joint, loss in zip(joints, lost, strict=True)
    )
    return LightPath(path.leg, path.a, path.z, lit, between, onward, back, sheet)


def _asked(channel: Channel, path: Path) -> LossSheet | None:
    """The loss sheet nearest to the far end of a path."""
    sheet, branches = channel.loss, channel.branches
    for _, leg in path.splits:
        branch = next(one for one in branches if one.leg == leg)
        sheet, branches = branch.loss or sheet, branch.branches
    return sheet


class _Lost(NamedTuple):
    """See LitJoint."""

    pair: LossFigure
    counted: bool
    loss_ndb: int
    complete: bool


def _losses(joints: tuple[Joint, ...], pairs: list[LossFigure], parts: list[Cord | Fan]) -> Iterator[_Lost]:
    lost_ndb, complete = 0, True
    for joint, pair in zip(joints, pairs, strict=True):
        counted = 1 < joint.number < len(joints)
        terms = [] if joint.number == 1 else [_run_ndb(parts[joint.number - 2])]
        if counted:
            terms.append(None if pair.max_mdb is None else pair.max_mdb * NDB_PER_MDB)
        lost_ndb += sum(term for term in terms if term is not None)
        complete = complete and None not in terms
        yield _Lost(pair, counted, lost_ndb, complete)


def _joint(
    path: Path, joint: Joint, names: tuple[str, ...], lanes: list[LitLane], lost: _Lost, verdict: Verdict
) -> LitJoint:
    held = list(_held(path, joint))
    here = {fault.code for fault in verdict.faults if fault.joint == joint.number and fault.leg in ("", path.leg)}
    return LitJoint(
        joint.number,
        _face(path, joint, names, lanes, 0),
        _face(path, joint, names, lanes, 1),
        _keys([part for _, part in held if part.ferrule.keyed]),
        ", ".join(names[index] for index, _ in held),
        *lost,
        tuple(sorted(here)),
    )


def _held(path: Path, joint: Joint) -> Iterator[tuple[int, Adapter]]:
    for index in range(joint.left + 1, joint.right):
        part = path.elements[index]
        if isinstance(part, Adapter):
            yield index, part


def _keys(adapters: list[Adapter]) -> Keys:
    """How the two plugs stand to each other; a joint has one adapter, of more the unlike one is told."""
    keyings = {adapter.keying for adapter in adapters}
    if not keyings:
        return ""
    return "unknown" if None in keyings else "aligned" if "B" in keyings else "opposed"


def _pairs(path: Path, joints: tuple[Joint, ...], sheet: LossSheet | None) -> list[LossFigure]:
    """Loss of every joint: the plugs' own, else what a sheet lists when it has a figure for each inner joint."""
    own = [
        pair_loss(plug_towards_z(path.elements[joint.left]), plug_towards_a(path.elements[joint.right]))
        for joint in joints
    ]
    inner = own[1:-1]
    if sheet is not None and len(sheet.pairs) == len(inner) and all(pair.max_mdb is None for pair in inner):
        return [own[0], *sheet.pairs, *own[-1:]]
    return own


def _run_ndb(part: Cord | Fan) -> int | None:
    """Loss of a component's own fibre: none in a box, unknown where its length or loss per length is."""
    if is_box(part):
        return 0
    if part.length_mm is None or part.per_km.max_mdb is None:
        return None
    return part.length_mm * part.per_km.max_mdb


def _many(element: Element, *, onward: bool) -> bool:
    return isinstance(element, Fan) and (element.many_z if onward else element.many_a)


def _face(path: Path, joint: Joint, names: tuple[str, ...], lanes: list[LitLane], side: Literal[0, 1]) -> Face:
    index = joint.right if side else joint.left
    part = path.elements[index]
    places = (lane.at[joint.number - 1][side] for lane in lanes)
    leg = next((place[0] for place in places if place is not None), 0)
    word = "port" if isinstance(part, Fan) and is_box(part) else "leg"
    plug = plug_towards_a(part) if side else plug_towards_z(part)
    return Face(names[index], plug, leg, f"{word} {leg}" if leg else "")


def _lanes(path: Path, joints: tuple[Joint, ...], blocked: frozenset[int], *, onward: bool) -> Iterator[LitLane]:
    positions = (path.a if onward else path.z).tx
    for lane, position in zip(lanes_of(path, onward, blocked), positions, strict=True):
        if lane.elsewhere:
            continue
        leaves, enters = _followed(path, position, blocked, onward=onward)
        at = tuple(
            (
                _at(path.elements[joint.left], leaves[joint.left], onward=True),
                _at(path.elements[joint.right], enters[joint.right], onward=False),
            )
            for joint in joints
        )
        yield LitLane(lane.label, lane.arrives, lane.code, at)


def _at(element: Element, state: State | None, *, onward: bool) -> At | None:
    if state is None:
        return None
    ports, position = state
    return (ports[-1] if _many(element, onward=onward) and ports else 0), position


def _followed(
    path: Path, position: int, blocked: frozenset[int], *, onward: bool
) -> tuple[list[State | None], list[State | None]]:
    """Where light is at the Z side and at the A side of every element, walking from one end to the other."""
    count = len(path.elements)
    towards_z: list[State | None] = [None] * count
    towards_a: list[State | None] = [None] * count
    indices = list(range(count)) if onward else list(range(count - 1, -1, -1))
    near, far = (towards_z, towards_a) if onward else (towards_a, towards_z)
    near[indices[0]] = (path.from_a if onward else path.from_z), position
    for before, index in pairwise(indices):
        state = near[before]
        # An interface is numbered by the element on its Z side.
        if state is None or max(before, index) in blocked:
            break
        far[index] = state
        table = path.tables[index - 1] if 0 < index < count - 1 else None
        near[index] = None if table is None else step(table, state, onward)
    return towards_z, towards_a


def described(part: Component) -> str:
    """A component in a few words: `Type B`, `straight cassette, labels reversed`, `splitter`."""
    if isinstance(part, Adapter):
        return "adapter" if part.keying is None else "aligned keys" if part.keying == "B" else "opposed keys"
    if isinstance(part, Cord):
        if part.polarity is None:
            return "polarity not known"
        if not isinstance(part.polarity, str):
            return "its own map"
        return f"Type {part.polarity}" if part.a.ferrule.keyed else part.polarity
    words = f"{part.wiring} {part.kind}".strip()
    return f"{words}, labels reversed" if part.labels_reversed else words
