"""What a channel file declares for all its cases: ferrules of its own, and profiles of transceivers; and their faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from planner.channel.ferrules import FERRULES, Ferrule
from planner.channel.written import FerruleText, ProfileText

Keys = tuple[str | int, ...]


def added(ferrules: Mapping[str, FerruleText]) -> dict[str, Ferrule]:
    """The ferrules of a file by name. One that mates with a known ferrule has the face of that: `mpo8` is an MPO-12 face."""
    return {
        name: Ferrule(
            name,
            _face(text.mates_with or name),
            text.rows,
            text.columns,
            text.pinned,
            text.keyed,
            tuple(text.populated),
        )
        for name, text in ferrules.items()
    }


def _face(name: str) -> str:
    return FERRULES[name].face if name in FERRULES else name


def profile_faults(
    profiles: Mapping[str, ProfileText], ferrules: Mapping[str, FerruleText]
) -> Iterator[tuple[str, Keys]]:
    """What is wrong with the profiles and the ferrules that a file adds, whoever uses them, with where it stands."""
    known = {**FERRULES, **added(ferrules)}
    for name, ferrule in ferrules.items():
        other = known.get(ferrule.mates_with or name)
        if other is None:
            yield f"ferrule `{name}` mates with `{ferrule.mates_with}`, which is none", ("ferrules", name, "mates_with")
        elif (other.rows, other.columns) != (ferrule.rows, ferrule.columns):
            rows = f"{ferrule.rows} x {ferrule.columns} positions do not meet the {other.rows} x {other.columns} of `{other.name}`"
            yield f"ferrule `{name}`: {rows}", ("ferrules", name, "mates_with")
        if max(ferrule.populated, default=0) > ferrule.rows * ferrule.columns:
            yield f"ferrule `{name}` has no position {max(ferrule.populated)}", ("ferrules", name, "populated")
    for name, profile in profiles.items():
        if profile.ferrule not in known:
            yield f"`{profile.ferrule}` is no ferrule ({', '.join(known)})", ("profiles", name, "ferrule")
            continue
        for side, lanes in (("tx", profile.tx), ("rx", profile.rx)):
            for message in not_distinct(lanes, f"`{side}` of profile `{name}`", known[profile.ferrule]):
                yield message, ("profiles", name, side)


def not_distinct(positions: Iterable[int], what: str, face: Ferrule) -> Iterator[str]:
    """Positions that stand twice, or that a face does not have, in words."""
    listed = list(positions)
    if len(set(listed)) < len(listed):
        yield f"{what} names a position twice"
    if listed and max(listed) > face.positions:
        yield f"{what} names position {max(listed)}, `{face.name}` has {face.positions}"
