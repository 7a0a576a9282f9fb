"""What stands between the two cords of a channel over panels: plate or cassette, trunk, plate or cassette."""

from __future__ import annotations

from dataclasses import dataclass

from planner.catalog.fibre import Cord
from planner.catalog.structured import AdapterPlate, Cassette, Trunk
from planner.structured.shelf import Insert
from planner.structured.sizing import Module

InsertPart = AdapterPlate | Cassette


@dataclass(frozen=True, eq=False)
class Chain:
    """The parts at the link's a, between, and at its z. turned: the trunk's end a is at the link's z.

    strands: how many such channels a link takes. entry: of `policy.cabling`. cord: that it names for both ends.
    """

    a_insert: InsertPart
    trunk: Trunk
    z_insert: InsertPart
    turned: bool = False
    strands: int = 1
    entry: int = 0
    cord: Cord | None = None

    @property
    def key(self) -> tuple[str, str, str, bool, int, int]:
        """What channels of one kind have in common."""
        return self.a_insert.id, self.trunk.id, self.z_insert.id, self.turned, self.strands, self.entry

    @property
    def joints(self) -> int:
        """Mated pairs between the two transceivers' own: a plate holds one, a cassette has one at either face."""
        return sum(2 if isinstance(insert, Cassette) else 1 for insert in (self.a_insert, self.z_insert))


def insert_of(part: InsertPart) -> Insert:
    """How a part fills a panel's slot."""
    if isinstance(part, Cassette):
        module = Module(part.front_count, part.rear_count)
        return Insert(part.id, part.front_count, part.rear_count, module, part.slots)
    return Insert(part.id, part.ports, part.ports, Module(), part.slots)


def rear_connector(part: InsertPart) -> str:
    """The connector that an insert takes from behind."""
    return part.rear.connector if isinstance(part, Cassette) else part.connector


def front_connector(part: InsertPart) -> str:
    return part.front.connector if isinstance(part, Cassette) else part.connector
