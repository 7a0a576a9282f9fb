"""Sentences for faults: what meets what, and where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from planner.channel.lanes import Lane
from planner.channel.maps import with_legs
from planner.channel.mating import Mark
from planner.channel.model import Adapter, Component, Cord, Fan
from planner.channel.paths import Path, joint_before
from planner.names import counted

_MARK_TEXT: Final = {
    "GENDER_PIN_CLASH": "{l} and {r} both carry pins",
    "GENDER_NO_PINS": "neither {l} nor {r} carries pins",
    "POLISH_MISMATCH": "the polish of {l} and {r} differs ({detail})",
    "APC_ALIGNED_KEY": "{l} and {r} have angled faces and meet with aligned keys",
    "FERRULE_MISMATCH": "{l} does not enter {r} ({detail})",
    "FIBRE_TYPE_MIX": "{l} and {r} have fibre of different kinds ({detail})",
    "FIBRE_VS_OPTIC": "{l} and {r} do not suit each other ({detail})",
    "MEDIA_MISMATCH": "the optics of {l} and {r} differ ({detail})",
    "NOTE_LOWEST_GRADE": "multimode grades are mixed between {l} and {r}: {detail}",
}
_SHOWN: Final = 4
_LANE_TEXT: Final = {
    "POLARITY": "transmitters meet transmitters",
    "LEG_ORDER": "lanes arrive on the wrong leg or lane",
    "PORT_ORDER": "light arrives on another port than planned",
    "LANE_ORDER": "receivers are lit by the wrong lane",
    "DARK_LANE": "lanes get no light",
}


def text_of_mark(mark: Mark, names: tuple[str, ...]) -> str:
    left, right = f"`{names[mark.left]}`", f"`{names[mark.right]}`"
    return _MARK_TEXT[mark.code].format(l=left, r=right, detail=mark.detail)


def text_of_lanes(
    code: str, path: Path, onward: tuple[Lane, ...], back: tuple[Lane, ...], names: tuple[str, ...], thin: bool
) -> tuple[int, tuple[str, str], str]:
    """Joint, neighbours and sentence of a lane code.

    A lane that dies inside a component sits there; any other wrong lane is the doing of the whole chain (joint 0).
    """
    ends = (names[0], names[-1])
    ways = [f"{lane.label} to {lane.arrives}" for lane in onward if lane.code == code and not lane.elsewhere]
    ways += [f"back {lane.label} to {lane.arrives}" for lane in back if lane.code == code and not lane.elsewhere]
    if code == "DARK_LANE" and thin and not ways:
        lit = sum(not lane.elsewhere for lane in onward)
        return 0, ends, f"`{names[-1]}` has {counted(len(path.z.rx), 'receiver')} and gets {counted(lit, 'lane')}"
    stops = sorted({lane.stopped_at for lane in (*onward, *back) if lane.code == code and lane.stopped_at > 0})
    more = f" and {len(ways) - _SHOWN} more" if len(ways) > _SHOWN else ""
    text = f"{_LANE_TEXT[code]} between `{ends[0]}` and `{ends[1]}` ({', '.join(ways[:_SHOWN])}{more})"
    if code != "DARK_LANE" or not stops:
        return 0, ends, text
    at = stops[0]
    return joint_before(path, at), (names[at - 1], names[at]), f"{text}, `{names[at]}` has no fibre for them"


def decibels(mdb: int) -> str:
    return f"{mdb // 1000}.{mdb % 1000:03d} dB"


def difference(before: Component, after: Component) -> str:
    """What a changed component is instead of what it was: `Type A instead of B, F-F instead of M-M`."""
    return ", ".join(f"{new} instead of {old}" for new, old in _properties(before, after) if new != old)


def _properties(before: Component, after: Component) -> Iterator[tuple[str, str]]:
    if isinstance(before, Adapter) and isinstance(after, Adapter):
        yield _keys(after), _keys(before)
        yield after.ferrule.name, before.ferrule.name
    elif isinstance(before, Cord) and isinstance(after, Cord):
        if after.polarity != before.polarity:
            yield f"{'Type ' if after.a.ferrule.keyed else ''}{after.polarity}", f"{before.polarity}"
        yield _filled(after), _filled(before)
        yield from _ends(before, after)
    elif isinstance(before, Fan) and isinstance(after, Fan):
        if before.kind == "cassette":
            if after.wiring != before.wiring:
                yield f"wiring {after.wiring}", before.wiring
            yield _labels(after), _labels(before)
        elif before.links != after.links:
            order = _order(before, after)
            if order:
                yield f"legs in the order {order}", "-".join(map(str, legs_of(before)))
            else:
                yield "legs " + ", ".join(_fibres(after, leg) for leg in legs_of(after)), "as they are"
        yield from _ends(before, after)


def _keys(adapter: Adapter) -> str:
    return "aligned keys" if adapter.keying == "B" else "opposed keys"


def _filled(cord: Cord) -> str:
    return "all positions" if cord.populated is None else f"{len(cord.populated)} positions"


def _labels(fan: Fan) -> str:
    return "reversed labels" if fan.labels_reversed else "normal labels"


def legs_of(fan: Fan) -> list[int]:
    return sorted({link[2] if fan.many_z else link[0] for link in fan.links or ()})


def _fibres(fan: Fan, leg: int) -> str:
    """The positions that a leg takes at the single plug, in the order of the leg's own: `12-1`."""
    taken = [link if fan.many_z else (link[2], link[3], link[0], link[1]) for link in fan.links or ()]
    return "-".join(str(one) for _, one in sorted((other, one) for _, one, plug, other in taken if plug == leg))


def _order(before: Fan, after: Fan) -> str:
    """Which legs stand for 1, 2, ... afterwards, where the legs are the same and only change places."""
    was = {_fibres(before, leg): leg for leg in legs_of(before)}
    order = [was.get(_fibres(after, leg)) for leg in legs_of(after)]
    named = {leg: place for place, leg in zip(legs_of(before), order, strict=True) if leg is not None}
    same = len(named) == len(order) and with_legs(before, named) == after.links
    return "-".join(map(str, order)) if same else ""


def _polish(part: Cord | Fan) -> str:
    return f"{part.a.polish}" if part.a.polish == part.z.polish else f"{part.a.polish}-{part.z.polish}"


def _ends(before: Cord | Fan, after: Cord | Fan) -> Iterator[tuple[str, str]]:
    yield f"{after.a.gender}-{after.z.gender}", f"{before.a.gender}-{before.z.gender}"
    yield _polish(after), _polish(before)
    yield after.a.ferrule.name, before.a.ferrule.name
    yield str(after.fibre), str(before.fibre)
