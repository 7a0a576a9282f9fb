"""The panels of one bank as trunks fill them: slot after slot, and panel after panel in the order in which they are named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from planner.structured.sizing import COUPLER, Module


@dataclass(frozen=True, slots=True)
class Insert:
    """What goes into a panel's slot, by its catalog id: ports at its front and rear, and how many slots it takes.

    module: the ports that belong together; the couplers of a plate are independent of each other.
    """

    id: str
    front: int
    rear: int
    module: Module = COUPLER
    slots: int = 1


@dataclass(frozen=True, slots=True)
class PanelSpace:
    """A panel by the caller's number for it, and its slots."""

    panel: int
    slots: int


@dataclass(frozen=True, slots=True)
class FilledSlot:
    """A slot in use, from 1; its ports are numbered through the panel, front and rear each from 1."""

    panel: int
    slot: int
    insert: Insert
    first_front: int
    first_rear: int

    def front_of(self, rear: int, place: int) -> int:
        """The front port at a place (from 0) of the module to which a rear port of this slot belongs."""
        module = (rear - self.first_rear) // self.insert.module.rear
        return self.first_front + module * self.insert.module.front + place


class RearPort(NamedTuple):
    """A port at the rear of a panel, and the slot that has it."""

    slot: FilledSlot
    port: int


@dataclass(slots=True)
class _Panel:
    """slots_left: behind the last filled one; rear_left: ports left in that one."""

    panel: int
    slots: int
    slots_left: int
    rear_left: int = 0
    filled: list[FilledSlot] = field(default_factory=list)

    def copy(self) -> _Panel:
        return _Panel(self.panel, self.slots, self.slots_left, self.rear_left, [*self.filled])

    def room(self, insert: Insert) -> int:
        """Rear ports for an insert: what is left in the last slot, and the free slots."""
        in_last = self.rear_left if self.filled and self.filled[-1].insert.id == insert.id else 0
        return in_last + self.slots_left // insert.slots * insert.rear

    def take(self, insert: Insert) -> RearPort:
        if not (self.rear_left and self.filled[-1].insert.id == insert.id):
            last = self.filled[-1] if self.filled else None
            front = last.first_front + last.insert.front if last else 1
            rear = last.first_rear + last.insert.rear if last else 1
            self.filled.append(FilledSlot(self.panel, self.slots - self.slots_left + 1, insert, front, rear))
            self.slots_left -= insert.slots
            self.rear_left = insert.rear
        slot = self.filled[-1]
        self.rear_left -= 1
        return RearPort(slot, slot.first_rear + insert.rear - 1 - self.rear_left)


class Shelf:
    """The panels of a bank. Each trunk goes into the first panel that takes all its legs, side by side.

    A trunk of more legs than any panel takes is spread over panels in order.
    """

    def __init__(self, panels: Sequence[PanelSpace]) -> None:
        self._panels = [_Panel(space.panel, space.slots, space.slots) for space in panels]

    @property
    def filled(self) -> list[FilledSlot]:
        """Slots in use, panel by panel."""
        return [slot for panel in self._panels for slot in panel.filled]

    def begin(self) -> None:
        """A new run of trunks does not start in the middle of a module."""
        for panel in self._panels:
            if panel.filled:
                panel.rear_left -= panel.rear_left % panel.filled[-1].insert.module.rear

    def take(self, inserts: Mapping[int, Insert], legs: int, trunks: int) -> tuple[Shelf, list[list[RearPort]]]:
        """The shelf with so many trunks, or as many as find places, and the rear ports of each one's legs.

        inserts: by panel, what a run puts into it; others are not for it. This shelf stays as it is.
        """
        filled = Shelf(())
        filled._panels = [panel.copy() for panel in self._panels]
        taken = []
        for _ in range(trunks):
            ports = filled._take(inserts, legs)
            if ports is None:
                break
            taken.append(ports)
        return filled, taken

    def _take(self, inserts: Mapping[int, Insert], legs: int) -> list[RearPort] | None:
        """Rear ports for the legs of one trunk, or None where they are not to be had; then nothing is taken."""
        usable = [(panel, inserts[panel.panel]) for panel in self._panels if panel.panel in inserts]
        whole = next(((panel, insert) for panel, insert in usable if panel.room(insert) >= legs), None)
        if whole is not None:
            return [whole[0].take(whole[1]) for _ in range(legs)]
        largest = max((panel.slots // insert.slots * insert.rear for panel, insert in usable), default=0)
        if largest >= legs or sum(panel.room(insert) for panel, insert in usable) < legs:
            return None
        ports: list[RearPort] = []
        for panel, insert in usable:
            ports += [panel.take(insert) for _ in range(min(panel.room(insert), legs - len(ports)))]
        return ports
