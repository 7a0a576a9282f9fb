"""The light path of a channel as sheets: a column a joint with its two faces, every lane a line from position to position.

Solid lines run from end A, dashed ones from end Z, so that a copy in black and white says the same. A long channel goes on
on further sheets, each of which begins with the joint at which the one before ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from planner.channel.judge import Verdict
from planner.channel.light import Face, LightPath, LitJoint, LitLane
from planner.channel.light_text import (
    DUPLEX_SIDES,
    PINS,
    between_text,
    keys_text,
    lost_text,
    sheet_text,
    spoken_ferrule,
    verdict_lines,
    verdict_words,
)
from planner.sketches.shapes import HEIGHT, WIDTH, Anchor, Bar, Shape, Sketch, Stroke, Words

_LEFT, _RIGHT = 12.0, WIDTH - 12.0
_END: Final = 17.0
"""Room beside the first and the last joint for the names of lanes."""
_FACE, _GAP = 9.0, 7.0
_JOINT: Final = 2 * _FACE + _GAP
_MOST: Final = 6
"""Joints on a sheet."""
_WIDEST: Final = 70.0
"""Of a component between two joints."""
_NAMES, _COMPONENTS, _HEADS = 28.6, 36.4, 44.0
_TOP, _BOTTOM = 66.0, 168.0
_TOLD: Final = 4
"""Lines below the drawing."""
_SOLID, _DASH = 0.0, 1.4
_ARROW: Final = 1.3


@dataclass(frozen=True, slots=True)
class _Column:
    """A joint on paper: x of its left face's left edge, and the step between two positions of each face."""

    joint: LitJoint
    x: float

    @property
    def middle(self) -> float:
        return self.x + _JOINT / 2

    def at(self, side: int, position: int) -> tuple[float, float]:
        """Where a position is drawn: on the outer edge of its face (side 0 left, 1 right), to which lanes run."""
        face = self.joint.right if side else self.joint.left
        return self.x + (_JOINT if side else 0.0), _y(face, position)

    def inner(self, side: int, position: int) -> tuple[float, float]:
        """The same on the edge that faces the other face."""
        face = self.joint.right if side else self.joint.left
        return self.x + (_FACE + _GAP if side else _FACE), _y(face, position)


def _y(face: Face, position: int) -> float:
    """Positions are spread over the height; a face of few keeps to its middle."""
    count = face.plug.ferrule.positions
    step = min((_BOTTOM - _TOP) / max(count, 1), 12.0)
    return (_TOP + _BOTTOM) / 2 + (position - (count + 1) / 2) * step


def light_sketches(
    title: str, verdict: Verdict, paths: Sequence[LightPath], repair: Sequence[str] = ()
) -> Iterator[Sketch]:
    """A sheet a path, more where it has many joints."""
    for path in paths:
        name = f"{title}, leg {path.leg}" if path.leg else title
        starts = range(0, max(len(path.joints) - 1, 1), _MOST - 1)
        for start in starts:
            joints = path.joints[start : start + _MOST]
            part = f" ({start // (_MOST - 1) + 1} of {len(starts)})" if len(starts) > 1 else ""
            shapes = (*_drawn(path, start, joints), *_told(path, verdict, repair))
            yield Sketch(f"Light path of {name}{part}: {verdict_words(verdict)}", shapes)


def _drawn(path: LightPath, start: int, joints: Sequence[LitJoint]) -> Iterator[Shape]:
    last = start + len(joints) == len(path.joints)
    wide = _RIGHT - _LEFT - 2 * _END
    between = min((wide - len(joints) * _JOINT) / max(len(joints) - 1, 1), _WIDEST)
    left = (WIDTH - len(joints) * _JOINT - (len(joints) - 1) * between) / 2
    columns = [_Column(joint, left + n * (_JOINT + between)) for n, joint in enumerate(joints)]
    yield Words(_LEFT, _NAMES, joints[0].left.of, 3.2, bold=True, room=(_RIGHT - _LEFT) / 2 - 4)
    yield Words(_RIGHT, _NAMES, joints[-1].right.of, 3.2, "end", bold=True, room=(_RIGHT - _LEFT) / 2 - 4)
    for n, column in enumerate(columns):
        yield from _lines(path, start + n, column)
        if n + 1 < len(columns):
            yield from _runs(path, start + n, column, columns[n + 1])
            middle, room = (column.middle + columns[n + 1].middle) / 2, between + _JOINT - 2
            name, _, words = between_text(*path.between[start + n]).partition(": ")
            yield from _two_lines(middle, _COMPONENTS, name, room)
            yield Words(middle, _COMPONENTS + 3.6, words, 2.4, "middle", room=room)
    for column in columns:
        yield from _head(column)
        yield from _faces(column, _used(path, column.joint.number - 1))
    if start == 0:
        yield from _ends(path, columns[0], 0)
    if last:
        yield from _ends(path, columns[-1], 1)


def _two_lines(x: float, y: float, name: str, room: float) -> Iterator[Shape]:
    """A component's name; one that would be shrunk beyond reading stands in two lines, the first above the usual."""
    size = 2.8
    if len(name) * size * 0.45 <= room:
        yield Words(x, y, name, size, "middle", bold=True, room=room)
        return
    half = len(name) // 2
    breaks = [n for n, letter in enumerate(name, 1) if letter in " -_.:/" and n < len(name)]
    at = min(breaks, key=lambda n: abs(n - half), default=half)
    yield Words(x, y - 2.6, name[:at].strip(), size, "middle", bold=True, room=room)
    yield Words(x, y, name[at:].strip(), size, "middle", bold=True, room=room)


def _head(column: _Column) -> Iterator[Shape]:
    joint = column.joint
    yield Words(column.middle, _HEADS, f"joint {joint.number}", 2.8, "middle", bold=True)
    yield Words(column.middle, _HEADS + 3.4, keys_text(joint), 2.2, "middle", room=_JOINT + 6)
    yield Words(column.middle, _HEADS + 6.4, joint.adapter, 2.2, "middle", room=_JOINT + 6)
    for side, face in enumerate((joint.left, joint.right)):
        x = column.x + (_FACE + _GAP if side else 0) + _FACE / 2
        words = [spoken_ferrule(face.plug.ferrule.name), PINS[face.plug.gender] if face.plug.ferrule.pinned else "",
                 face.plug.polish or "polish?", face.which]  # fmt: skip
        for n, word in enumerate(word for word in words if word):
            yield Words(x, _HEADS + 10.2 + 2.7 * n, word, 2.1, "middle", room=_FACE + 3)
    y = _BOTTOM + 5.5
    yield Words(column.middle, y, lost_text(joint), 2.2, "middle", room=_JOINT + 8)
    if joint.codes:
        yield Words(column.middle, y + 3.4, ", ".join(joint.codes), 2.4, "middle", bold=True, room=_JOINT + 12)


def _faces(column: _Column, used: tuple[set[int], set[int]]) -> Iterator[Shape]:
    """The two ferrules with their positions; those that no lane of the channel uses are pale."""
    for side, face in enumerate((column.joint.left, column.joint.right)):
        count = face.plug.ferrule.positions
        step = min((_BOTTOM - _TOP) / max(count, 1), 12.0)
        x = column.x + (_FACE + _GAP if side else 0)
        yield Bar(x, _y(face, 1) - step / 2, _FACE, step * count, 1.0, 0.35)
        for position in range(1, count + 1):
            lit = position in used[side]
            duplex = count == 2 and not face.plug.ferrule.keyed
            text = DUPLEX_SIDES[position] if duplex else str(position)
            size = min(2.6, step * 0.62)
            y = _y(face, position) + size * 0.36
            if lit:
                yield Words(x + _FACE / 2, y, text, size, "middle", bold=True)
            else:
                yield Words(x + _FACE / 2, y, f"({text})", size * 0.8, "middle")


def _used(path: LightPath, number: int) -> tuple[set[int], set[int]]:
    found: tuple[set[int], set[int]] = (set(), set())
    for lane in (*path.onward, *path.back):
        for side in (0, 1):
            place = lane.at[number][side]
            if place is not None:
                found[side].add(place[1])
    return found


def _lines(path: LightPath, number: int, column: _Column) -> Iterator[Shape]:
    """Lanes across a joint, from face to face; one that comes no further ends in a cross."""
    for lane, dash in _with_dash(path):
        left, right = lane.at[number]
        if left is not None and right is not None:
            yield Stroke(*column.inner(0, left[1]), *column.inner(1, right[1]), 0.3, 0, dash)
        elif left is not None or right is not None:
            x, y = column.inner(0, left[1]) if left is not None else column.inner(1, right[1] if right else 1)
            yield from _cross(x + (1.5 if left is not None else -1.5), y)


def _runs(path: LightPath, number: int, here: _Column, there: _Column) -> Iterator[Shape]:
    """Lanes through the component between two joints, with an arrow where they arrive."""
    for lane, dash in _with_dash(path):
        near, far = lane.at[number][1], lane.at[number + 1][0]
        if near is not None and far is not None:
            (x1, y1), (x2, y2) = here.at(1, near[1]), there.at(0, far[1])
            yield Stroke(x1, y1, x2, y2, 0.3, 0, dash)
            yield from _arrow((x2, y2), (x1, y1)) if dash else _arrow((x1, y1), (x2, y2))
        elif near is not None:
            x, y = here.at(1, near[1])
            yield from _cross(x + 2, y)
        elif far is not None:
            x, y = there.at(0, far[1])
            yield from _cross(x - 2, y)


def _with_dash(path: LightPath) -> Iterator[tuple[LitLane, float]]:
    yield from ((lane, _SOLID) for lane in path.onward)
    yield from ((lane, _DASH) for lane in path.back)


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> Iterator[Shape]:
    """The two barbs of an arrow that ends at a point."""
    dx, dy = start[0] - end[0], start[1] - end[1]
    long = (dx * dx + dy * dy) ** 0.5 or 1.0
    ux, uy = dx / long * _ARROW, dy / long * _ARROW
    for turn in (0.45, -0.45):
        yield Stroke(end[0], end[1], end[0] + ux - turn * uy, end[1] + uy + turn * ux, 0.3)


def _cross(x: float, y: float) -> Iterator[Shape]:
    yield Stroke(x - 0.8, y - 0.8, x + 0.8, y + 0.8, 0.4)
    yield Stroke(x - 0.8, y + 0.8, x + 0.8, y - 0.8, 0.4)


def _ends(path: LightPath, column: _Column, side: int) -> Iterator[Shape]:
    """What the receptacle has at each position, and a tick from it to its face."""
    receptacle = path.z if side else path.a
    names = {position: [f"Tx{lane}"] for lane, position in enumerate(receptacle.tx, 1)}
    for lane, position in enumerate(receptacle.rx, 1):
        names.setdefault(position, []).append(f"Rx{lane}")
    lanes = path.back if side else path.onward
    wrong = {f"{lane.label}": lane.code for lane in lanes if lane.code}
    for position, words in sorted(names.items()):
        x, y = column.at(side, position)
        out = 1.5 if side else -1.5
        told = " ".join(words) + "".join(f" ! {wrong[word]}" for word in words if word in wrong)
        anchor: Anchor = "start" if side else "end"
        yield Words(x + out, y + 0.9, told, 2.5, anchor, bold=bool(wrong.keys() & set(words)), room=_END + 3)


def _told(path: LightPath, verdict: Verdict, repair: Sequence[str]) -> Iterator[Shape]:
    """Loss, faults and how to read the lines."""
    lines = [f"loss from the first joint to the last: {sheet_text(path.loss)}"] if path.loss is not None else []
    told = list(verdict_lines(verdict, repair, path.leg, with_loss=path.loss is None))
    kept = (
        told
        if len(told) + len(lines) <= _TOLD
        else [*told[: _TOLD - len(lines) - 1], f"and {len(told) - _TOLD + len(lines) + 1} more"]
    )
    for n, line in enumerate([*lines, *kept]):
        yield Words(_LEFT, HEIGHT - 28.5 + 4 * n, line, 2.7, room=_RIGHT - _LEFT)
    note = (
        f"solid: from {path.joints[0].left.of}; dashed: from {path.joints[-1].right.of}; (n): a position without a lane of this channel; "
        "the joints at the two transceivers count in the optics' own budgets"
    )
    yield Words(_LEFT, HEIGHT - 9, note, 2.3, room=_RIGHT - _LEFT)
