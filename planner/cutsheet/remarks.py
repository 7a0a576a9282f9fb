"""What is told in words: beside a cable what the hand must know and which errors name it, and why a link has no cable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from planner.cutsheet.content import End
from planner.findings import Finding, Severity
from planner.plan import Plan


def remarks(near: End, far: tuple[End, ...]) -> Iterator[str]:
    """What the hand must know at a cable; far: its other end, or the legs of a splitter whose head is near."""
    if len(far) > 1:
        yield f"splitter with {len(far)} legs, its head at this end"
    elif near.name not in {"a", "z"}:
        yield f"leg {near.name[1:]} of a splitter, head in {far[0].rack}"
    for end in far:
        if not end.is_used:
            yield f"cap unused leg {end.name} and tie it back"
    if len(near.ports) > 1 and len(far) == 1 and near.cage:
        yield f"twin cable: its plug takes both ports of cage {near.cage}"
    same = [mate for end in (near, *far) for mate in end.mates if set(mate.ports) & set(end.ports)]
    if same:
        yield f"port planned twice, also for cable {', '.join(str(mate.cable_id) for mate in same)}"


class Errors:
    """The errors of a plan that no waiver covers, by what they name."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._errors = [f for f in plan.findings if f.severity is Severity.ERROR and not f.waived]
        self._naming: dict[str, list[int]] = {}
        for number, error in enumerate(self._errors):
            for name in error.objects:
                self._naming.setdefault(name, []).append(number)

    def at_links(self, links: Sequence[int]) -> list[str]:
        """Rule and name of the errors that name one of the links, each once."""
        if not self._errors:  # the IDs of all links are not spelled for nothing
            return []
        found = self._that_name(self._plan.link_ids[link] for link in links)
        return sorted({f"{error.rule} {error.name.replace('-', ' ')}" for error in found})

    def reasons(self, link_id: str, ends: tuple[End, End]) -> Iterator[str]:
        """Why a link has no cable: errors that name it, or else one of its ports, devices or racks."""
        around = [name for end in ends for name in (f"{end.device}:{end.ports[0]}", end.device, end.rack)]
        for error in self._that_name([link_id]) or self._that_name(around):
            yield f"{error.rule} {error.message}"

    def _that_name(self, names: Iterable[str]) -> list[Finding]:
        """Each once, in the order of the plan's findings."""
        numbers = {number for name in names for number in self._naming.get(name, ())}
        return [self._errors[number] for number in sorted(numbers)]
