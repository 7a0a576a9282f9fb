"""The fabrics of a plan by tier: devices in rows by level, alone or together, and how many links run between them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from planner.names import counted, natural_key
from planner.plan import Plan
from planner.sketches.shapes import HEIGHT, WIDTH, Bar, Shape, Sketch, Stroke, Words
from planner.table import Ints

_MOST: Final = 24
"""Boxes in a level; more devices than that stand together, by row of racks, and by model where even those are more."""
_MOST_COUNTED: Final = 30
"""Lines between two levels up to which each has its number of links."""
_Box = tuple[int, str]
"""Level and name of a device, or of several that stand together."""
_Placed = tuple[float, float, float]
"""Middle and width of a box."""
_Ends = tuple[_Box, _Box]

_LEFT, _RIGHT, _TOP, _BOTTOM = 12.0, WIDTH - 12.0, 34.0, HEIGHT - 24.0


def topology_sketches(plan: Plan) -> Iterator[Sketch]:
    """A sheet a fabric, hosts at the bottom."""
    for number, fabric in enumerate(plan.fabrics):
        rows = np.flatnonzero(plan.links.fabric == number)
        rate = f", {fabric.rate_gbps} Gb/s a port" if fabric.rate_gbps > 0 else ""
        title = f"{fabric.name}: {fabric.protocol} {fabric.rate}{rate}, {counted(len(rows), 'link')}"
        yield Sketch(title, tuple(_shapes(plan, rows)))


def levels_of(a: Ints, z: Ints, devices: int) -> Ints:
    """The level of each device of some links, from 0: a device is above all that it is the z end of; -1 without a link.

    Links that run in a circle end the count at the number of levels that there can be.
    """
    level = np.full(devices, -1, np.int64)
    level[a], level[z] = 0, 0
    for _ in range(16):
        above = level.copy()
        np.maximum.at(above, z, level[a] + 1)
        if np.array_equal(above, level):
            break
        level = above
    return level


def _shapes(plan: Plan, rows: Ints) -> Iterator[Shape]:
    links = plan.links
    a, z = links.a_device[rows], links.z_device[rows]
    level = levels_of(a, z, len(plan.devices))
    group_of: dict[int, _Box] = {}
    boxes: dict[_Box, _Placed] = {}
    present = sorted(set(level[level >= 0].tolist()))
    step = (_BOTTOM - _TOP) / max(len(present) - 1, 1)
    drawn: list[Shape] = []
    for place, one in enumerate(reversed(present)):
        devices = np.flatnonzero(level == one).tolist()
        named = _grouped(plan, devices)
        y = _TOP + place * step
        width = (_RIGHT - _LEFT) / len(named)
        for at, (name, members) in enumerate(named):
            box = min(width * 0.9, 34.0)
            x = _LEFT + (at + 0.5) * width
            boxes[one, name] = (x, y, box)
            group_of.update(dict.fromkeys(members, (one, name)))
            drawn.append(Bar(x - box / 2, y - 5, box, 10, 0.9))
            told = plan.devices[members[0]].model if len(members) == 1 else f"{len(members):,} devices"
            drawn += (
                Words(x, y - 0.4, name, 2.8, "middle", bold=True, room=box - 1),
                Words(x, y + 3.4, told, 2.2, "middle", room=box - 1),
            )
    yield from _lines(group_of, boxes, a, z)
    yield from drawn
    yield from _tiers(plan, rows)


def _grouped(plan: Plan, devices: Sequence[int]) -> list[tuple[str, list[int]]]:
    """Devices by what they are shown as, in natural order."""

    def by(name_of: list[str]) -> list[tuple[str, list[int]]]:
        found: dict[str, list[int]] = defaultdict(list)
        for device, name in zip(devices, name_of, strict=True):
            found[name].append(device)
        return sorted(found.items(), key=lambda pair: natural_key(pair[0]))

    if len(devices) <= _MOST:
        return by([plan.devices[device].name for device in devices])
    rows = by([f"row {plan.racks[plan.devices[device].rack].row}: {plan.devices[device].model}" for device in devices])
    return rows if len(rows) <= _MOST else by([plan.devices[device].model for device in devices])


def _lines(group_of: dict[int, _Box], boxes: dict[_Box, _Placed], a: Ints, z: Ints) -> Iterator[Shape]:
    """A line between two boxes with links, as wide as these are many, and their number where there is room for it."""
    counts = Counter((group_of[low], group_of[high]) for low, high in zip(a.tolist(), z.tolist(), strict=True))
    most = max(counts.values(), default=1)
    between = Counter((low[0], high[0]) for low, high in counts)
    for (low, high), count in sorted(counts.items()):
        (x1, y1, _), (x2, y2, _) = boxes[low], boxes[high]
        yield Stroke(x1, y1 - 5, x2, y2 + 5, 0.15 + 0.85 * count / most, 0.35)
        if between[low[0], high[0]] <= _MOST_COUNTED:
            x, y = x1 + (x2 - x1) * 0.35, y1 - 5 + (y2 - y1 + 10) * 0.35
            text = f"{count:,}"
            yield Bar(x - len(text) * 0.9 - 0.6, y - 2.1, len(text) * 1.8 + 1.2, 3, 1.0, 0)
            yield Words(x, y + 0.3, text, 2.4, "middle")
    for levels, lines in sorted(between.items()):
        if lines > _MOST_COUNTED:
            yield from _told_once(levels, counts, boxes)


def _told_once(levels: tuple[int, int], counts: Mapping[_Ends, int], boxes: Mapping[_Box, _Placed]) -> Iterator[Shape]:
    """At the left edge, how many links the many lines between two levels have each."""
    here = [(ends, count) for ends, count in counts.items() if (ends[0][0], ends[1][0]) == levels]
    least, most = min(count for _, count in here), max(count for _, count in here)
    each = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    (low, high), _ = here[0]
    y = (boxes[low][1] + boxes[high][1]) / 2
    yield Words(_LEFT, y, f"each line: {each} link{'s' if most > 1 else ''}", 2.4)


def _tiers(plan: Plan, rows: Ints) -> Iterator[Shape]:
    """Below the drawing: the tiers with their links, and those without a cable."""
    links = plan.links
    counts = Counter(links.tier.take(rows).tolist())
    open_links = Counter(
        tier
        for tier, cable in zip(links.tier.take(rows).tolist(), links.cable[rows].tolist(), strict=True)
        if cable < 0
    )
    told = [
        f"{tier}: {counted(count, 'link')}" + (f", {open_links[tier]:,} NOT CABLED" if open_links[tier] else "")
        for tier, count in sorted(counts.items(), key=lambda pair: natural_key(pair[0]))
    ]
    yield Words(_LEFT, HEIGHT - 12.5, " · ".join(told), 2.8, room=_RIGHT - _LEFT)
