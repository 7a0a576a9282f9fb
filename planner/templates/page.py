"""The text of a project: its sections in their order, and lines as a person would write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from planner.names import hostlist_of
from planner.templates.hall import Hall, rack_lines, room_lines

AISLES: Final = "# Assumption: rows stand in pairs, rear to rear over a hot aisle of 1.2 m, with cold aisles of 1.8 m between the pairs."

WALLS: Final = (
    "# Assumption: rooms one north of the other, walls of 0.2 m, an opening over the racks wherever cross trays pass."
)


@dataclass(frozen=True)
class Page:
    """The sections of a project; header: what it is and what is published of it, each line a comment."""

    name: str
    header: Sequence[str]
    hall: Hall
    pathways: Sequence[str]
    devices: Sequence[str]
    fabrics: Sequence[str]
    policy: Sequence[str] = ()
    pins: Sequence[str] = ()
    rack_comments: Sequence[str] = ()
    catalogs: Sequence[str] = ()
    crossings_mm: Sequence[int] = ()
    """Where cross trays pass the walls between rooms."""

    def text(self) -> str:
        sections: list[Iterable[str]] = [
            [*(f"# {line}" for line in self.header), "format: planner/1", f"name: {self.name}", 'revision: "A"'],
            [*self._wall_comments(), *room_lines(self.hall, self.crossings_mm)],
            [AISLES, *(f"# {line}" for line in self.rack_comments), *rack_lines(self.hall)],
            ["pathways:", *self.pathways],
            ["devices:", *self.devices],
            ["fabrics:", *self.fabrics],
        ]
        if self.policy:
            sections.append(["policy:", *self.policy])
        if self.catalogs:
            sections.append([f"catalogs: [{', '.join(self.catalogs)}]     # parts of this project"])
        if self.pins:
            sections.append(["pins:", *self.pins])
        return "\n\n".join("\n".join(section) for section in sections) + "\n"

    def _wall_comments(self) -> list[str]:
        return [WALLS] if len(self.hall.rooms) > 1 else []


def numbered(role: str, first: int, last: int, digits: int = 1) -> str:
    """Hostlist of `role-1` to `role-8`."""
    return hostlist_of([f"{role}-{number:0{digits}d}" for number in range(first, last + 1)])


def in_racks(names: str, model: str, racks: Sequence[str], slots: Sequence[int], mount: str = "") -> str:
    """A line of devices that fill racks one after the other, each with the same slots."""
    where = f"rack: {racks[0]}" if len(racks) == 1 and "[" not in racks[0] else f"racks: [{_quoted(racks)}]"
    return f'  - {{names: "{names}", model: {model}, {where}, u: {flow(slots)}{f", mount: {mount}" if mount == "rear" else ""}}}'


def switch_racks(
    role: str, model: str, count: int, racks: Sequence[str], slots: Sequence[int], at_once: int = 0, mount: str = "rear"
) -> list[str]:
    """Lines of switches that fill racks one after the other.

    at_once: switches that belong together; the next ones begin a new rack. mount: the face where their ports are.
    """
    lines, free = [], iter(racks)
    for begin in range(1, count + 1, at_once or max(count, 1)):
        end = min(begin + at_once - 1, count) if at_once else count
        for first in range(begin, end + 1, len(slots)):
            last = min(first + len(slots) - 1, end)
            names = numbered(role, first, last)
            lines.append(in_racks(names, model, [next(free)], slots[: last - first + 1], mount))
    return lines


def flow(numbers: Sequence[int]) -> str:
    """`3` for one number, `[3, 13]` for several."""
    return str(numbers[0]) if len(numbers) == 1 else f"[{', '.join(map(str, numbers))}]"


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
