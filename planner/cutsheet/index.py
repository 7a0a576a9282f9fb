"""Which rows of a plan's tables belong to which rack, cable or plug: found once, for all sheets of the plan."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from planner.cutsheet.named import inputs_of, pinned_links, remarks_by_link
from planner.cutsheet.places import Places
from planner.cutsheet.remarks import Errors
from planner.elevation import Elevations
from planner.plan import ABSENT, Plan
from planner.table import Ints, Words
from planner.units import mm_half_up


class RowsByKey:
    """Row numbers of a table by a key of theirs; a key below 0 is nobody's."""

    def __init__(self, keys: Ints) -> None:
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]

    def rows(self, keys: Sequence[int]) -> Ints:
        """Rows of several keys, key by key."""
        return np.concatenate([np.zeros(0, np.int64), *self._runs(keys)])

    def by_key(self, keys: Sequence[int]) -> dict[int, list[int]]:
        """Rows of each of several keys, one search for all of them."""
        return {key: run.tolist() for key, run in zip(keys, self._runs(keys), strict=True)}

    def _runs(self, keys: Sequence[int]) -> list[Ints]:
        wanted = np.asarray(keys, np.int64)
        lows, highs = np.searchsorted(self._keys, wanted).tolist(), np.searchsorted(self._keys, wanted + 1).tolist()
        return [self._order[low:high] for low, high in zip(lows, highs, strict=True)]


class Index:
    """A plan with its rows by rack, cable and plug; racks, devices, cables and links are named by their rows.

    pinned: links whose parts the project forces. remarked: what it remarks on links.
    """

    def __init__(self, plan: Plan) -> None:
        rack = np.array([*(device.rack for device in plan.devices), ABSENT], np.int64)  # device ABSENT reads the last
        links = plan.links
        self.plan = plan
        self.places = Places(plan)
        inputs = inputs_of(plan)
        self.pinned = pinned_links(plan, inputs)
        self.remarked = remarks_by_link(plan, inputs)
        self.errors = Errors(plan)
        self.devices_of_rack = RowsByKey(rack[:-1])
        self.ends_of_rack = RowsByKey(rack[plan.ends.device])
        self.ends_of_cable = RowsByKey(plan.ends.cable)
        self.links_of_cable = RowsByKey(links.cable)
        # A link names the first cable of its assembly; the cords beside it serve the same links.
        self._first_cable = np.searchsorted(plan.cables.cable_id, plan.cables.assembly_id)
        self.plugs_of_rack = RowsByKey(rack[plan.plugs.device])
        self.links_of_plug = RowsByKey(plan.plug_links.plug)
        self._open = np.flatnonzero(links.cable < 0)
        self._open_a, self._open_z = rack[links.a_device[self._open]], rack[links.z_device[self._open]]

    @cached_property
    def pathway_mm(self) -> dict[str, int]:
        """Height of each pathway's floor above that of the room, by name."""
        return {pathway.name: mm_half_up(pathway.height_um) for pathway in self.plan.pathways}

    @cached_property
    def elevations(self) -> Elevations:
        return Elevations(self.plan)

    def first_cables(self, cables: Sequence[int]) -> list[int]:
        """The first cable of each cable's assembly."""
        first: list[int] = self._first_cable[np.asarray(cables, np.int64)].tolist()
        return first

    def open_links_of(self, rack: int) -> list[int]:
        """Links without a cable that have an end in a rack."""
        found: list[int] = self._open[(self._open_a == rack) | (self._open_z == rack)].tolist()
        return found


def texts(words: Words, rows: Ints) -> list[str]:
    """Texts of some rows, without a copy of a vocabulary that may be as long as the table."""
    vocabulary = words.vocabulary
    return ["" if code < 0 else vocabulary[code] for code in words.codes[rows].tolist()]
