"""How many switches stand over the leaves, by the arithmetic of their ports."""

from __future__ import annotations

from dataclasses import dataclass

from planner.templates.model import CannotLayOutError


@dataclass(frozen=True)
class Tiers:
    """Spines and cores over the leaves; pod: units whose leaves share spines, all of them in two tiers (cores is 0)."""

    spines: int
    cores: int
    pod: int


@dataclass(frozen=True)
class Radix:
    """Switches of one model: ports in all; half of a leaf's face up."""

    ports: int

    @property
    def uplinks(self) -> int:
        return self.ports // 2

    def over(self, lower: int) -> int | None:
        """The least number of switches that divides the uplinks of each of `lower` ones and has ports for all, or None."""
        needed = lower * self.uplinks
        counts = (n for n in range(1, self.uplinks + 1) if self.uplinks % n == 0)
        return next((n for n in counts if n * self.ports >= needed), None)

    def tiers(self, units: int, leaves_a_unit: int) -> Tiers:
        """The fewest switches over so many units without blocking.

        In two tiers all leaves share the spines. In three, the leaves of one place in their unit share as many spines as
        the pod has units, and spines of one number share cores; of pods of 1, 2, 4 and 8 units the cheapest is taken.
        """
        spines = self.over(units * leaves_a_unit)
        if spines is not None:
            return Tiers(spines, 0, units)
        found = []
        for pod in (8, 4, 2, 1):
            groups = -(-units // pod) * leaves_a_unit
            cores = self.over(groups)
            if cores is not None:
                found.append(Tiers(groups * pod, cores * pod, pod))
        if not found:
            leaves = units * leaves_a_unit
            raise CannotLayOutError(
                f"{leaves} leaves x {self.uplinks} uplinks need {leaves * self.uplinks:,} ports above, "
                f"more than three tiers of switches with {self.ports} ports have"
            )
        return min(found, key=lambda tiers: tiers.spines + tiers.cores)
