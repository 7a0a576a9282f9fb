"""Sentences for faults: what meets what, and where."""

from __future__ import annotations

from typing import Final

from planner.channel.lanes import Lane
from planner.channel.mating import Mark
from planner.channel.paths import Path, joint_before

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
        return 0, ends, f"`{names[-1]}` has {len(path.z.rx)} receivers and gets {lit} lanes"
    stops = sorted({lane.stopped_at for lane in (*onward, *back) if lane.code == code and lane.stopped_at > 0})
    text = f"{_LANE_TEXT[code]} between `{ends[0]}` and `{ends[1]}` ({', '.join(ways)})"
    if code != "DARK_LANE" or not stops:
        return 0, ends, text
    at = stops[0]
    return joint_before(path, at), (names[at - 1], names[at]), f"{text}, `{names[at]}` has no fibre for them"
