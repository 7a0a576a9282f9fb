"""What rules look at: the plan in the making, with everything that the stages found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import PurePosixPath
from typing import Final

import numpy as np

from planner.catalog.checks import catalog_faults
from planner.catalog.load import Catalog
from planner.fill import Loads, ManagerLoads, ManagerRuns, manager_loads, manager_runs
from planner.findings import FILE_SHIFT, SHIPPED, Fault, Files, Spot
from planner.layout import CageOfPort, Layout
from planner.lengths.measure import Lengths, Measure
from planner.lengths.measured import MeasuredLinks
from planner.names import quoted_list
from planner.panel_cables import manager_runs_over_panels
from planner.pathways.drops import racks_in_reach
from planner.pins import Pins
from planner.project import CLASSES, CableClass, Project
from planner.reader import YamlMap
from planner.rear_zone import heights_where_it_changes
from planner.selection.buying import Purchase
from planner.selection.choose import Selection
from planner.selection.options import KindOfLink, Option
from planner.selection.over_panels import Channels, channels_of
from planner.structured.laid import Laid
from planner.table import Ints, Mask
from planner.topology import Links, link_id, link_ids

_HARMLESS: Final = frozenset(
    ("names-alike", "character-without-glyph", "unknown-key", "pins-disagree", "unknown-stock-part")
)
"""Faults that leave nothing out."""


@dataclass(frozen=True)
class Subject:
    """A plan in the making.

    reported: faults that stages met, by the rule's name. lengths: of each link with its chosen cable, the generic one
    where another was bought for it. shortest: the same on its shortest way, had nothing been led around. ways_proven:
    by limit of fill, the pathways among which some must be above it whatever ways the cables take.
    phase_of_rack: row of the project's phases, -1 without. laid: panels and trunks, where any are declared.
    """

    project: Project
    tree: YamlMap
    catalog: Catalog
    layout: Layout
    links: Links
    a: CageOfPort
    z: CageOfPort
    measure: Measure
    measured: MeasuredLinks
    pins: Pins
    purchase: Purchase
    lengths: Lengths
    loads: Loads
    shortest: Lengths
    ways_proven: tuple[frozenset[int], ...]
    phase_of_rack: Ints
    reported: Sequence[Fault]
    files: Files

    laid: Laid | None = None

    @property
    def selection(self) -> Selection:
        """The choice, with what is bought in place of generic parts."""
        return self.purchase.selection

    @cached_property
    def channels(self) -> Channels | None:
        """Cords and trunks of the links that are led over panels; None where no panels are declared."""
        chosen, ways = self.selection, self.measure.over_panels
        return None if ways is None else channels_of(chosen.offers, chosen.offer, chosen.member, ways)

    def told(self, rule: str) -> Iterator[Fault]:
        """Faults of a rule that a stage reported, each once though a file was read twice."""
        return iter(dict.fromkeys(fault for fault in self.reported if fault.rule == rule))

    @cached_property
    def gaps(self) -> frozenset[str]:
        """Sections of the project from which something is missing, because it or what it names is at fault.

        What then fails to be found there has its finding already. A fault outside the main file may concern any section.
        """
        starts = sorted((at, key) for key, at in self.tree.key_spots.items())
        gaps: set[str] = set()
        for fault in self.reported:
            if fault.rule in _HARMLESS or fault.at < 0 or self.catalog_file(fault) is not None:
                continue
            before = [key for at, key in starts if at <= fault.at and at >> FILE_SHIFT == fault.at >> FILE_SHIFT]
            gaps |= {before[-1]} if before else set(self.tree)
        return frozenset(gaps)

    def policy_gaps(self) -> frozenset[str]:
        """Keys of `policy` in which something is at fault, and left out or taken by its default."""
        policy = self.tree.get("policy")
        if "policy" not in self.gaps or not isinstance(policy, YamlMap):
            return frozenset()
        within = sorted((at, key) for key, at in policy.key_spots.items())
        after = min((at for at in self.tree.key_spots.values() if at > policy.spot), default=None)
        gaps = set()
        for fault in self.reported:
            if fault.rule not in _HARMLESS and policy.spot <= fault.at and (after is None or fault.at < after):
                gaps |= {key for _, key in [pair for pair in within if pair[0] <= fault.at][-1:]}
        return frozenset(gaps)

    def catalog_file(self, fault: Fault) -> str | None:
        """The stem of the catalog file in which a fault lies, which is the id of its entry; None elsewhere."""
        span = self.files.span(fault.at)
        folders = (SHIPPED, *self.project.catalogs)
        if span is None or not any(PurePosixPath(span.file).is_relative_to(folder) for folder in folders):
            return None
        return PurePosixPath(span.file).stem

    @cached_property
    def broken_entries(self) -> frozenset[str]:
        """Ids of catalog entries whose files are at fault, so that they or parts of them are missing."""
        stems = (self.catalog_file(fault) for fault in self.reported)
        return frozenset(stem for stem in stems if stem is not None)

    @cached_property
    def own_catalog(self) -> tuple[Fault, ...]:
        """What `planner catalog check` says of the project's own catalog folders."""
        names = self.files.names
        own = {number for number, name in enumerate(names) if not name.startswith(SHIPPED)}
        if not self.project.catalogs:
            return ()
        return tuple(catalog_faults(self.catalog, lambda at: at >= 0 and at >> FILE_SHIFT in own))

    @cached_property
    def manager_runs(self) -> ManagerRuns:
        """Where the chosen cables run along the racks' vertical managers."""
        a, z = (self.measure.a, self.a.cage), (self.measure.z, self.z.cage)
        direct = manager_runs(self.layout, self.measure.bays, a, z, self.lengths, self.selection)
        if self.channels is None or not len(self.channels.strand):
            return direct
        over = manager_runs_over_panels(self.channels, self.layout)
        both = ManagerRuns(*(np.concatenate((getattr(direct, f.name), getattr(over, f.name))) for f in fields(direct)))
        return both.take(np.argsort(both.link, kind="stable"))

    @cached_property
    def manager_loads(self) -> ManagerLoads:
        """How full the managers are, stretch by stretch."""
        return manager_loads(self.manager_runs, heights_where_it_changes(self.layout))

    @cached_property
    def routed_cables(self) -> dict[CableClass, Ints]:
        """By class that is used, the first link of each cable that has a route, and of each further leg of a splitter."""
        runs = self.selection.runs
        first = runs[self.lengths.route[runs] >= 0]
        classes = np.array([CLASSES.index(option.cable_class) for option in self.selection.offers] or [0], np.int64)
        of_first = classes[self.selection.offer[first]]
        used = set(of_first.tolist())
        return {cable_class: first[of_first == number] for number, cable_class in enumerate(CLASSES) if number in used}

    @cached_property
    def crossing(self) -> dict[CableClass, Callable[[Mask], Mask]]:
        """By class that is used, which of its routes run through any of some cells of the pathways."""
        ground = self.measure.ground[1]
        return {used: ground[used].crossing(self.measure.routes(used).ways) for used in self.routed_cables}

    @cached_property
    def racks_without_join(self) -> list[int]:
        """Racks none of whose exits is in reach of any pathway."""
        joined = racks_in_reach(self.layout, self.measure.drops)
        return [number for number in range(len(self.layout.racks)) if number not in joined]

    @cached_property
    def link_names(self) -> list[str]:
        return link_ids(self.links, self.layout)

    def link_name(self, row: int) -> str:
        """One link's ID: findings name a few of 300,000."""
        return link_id(self.links, self.layout, row)

    def kind_of(self, rows: Ints) -> KindOfLink:
        """The kind of links that have one, such as those of a group."""
        return self.selection.kinds.of(int(rows[0]))

    @cached_property
    def groups(self) -> list[tuple[Option, Ints]]:
        """Each chosen option with its links: what port, polarity and catalog rules judge, once a kind."""
        offer = self.selection.offer
        order = np.argsort(offer, kind="stable")
        order = order[offer[order] >= 0]
        bounds = np.flatnonzero(np.diff(offer[order])) + 1
        parts = np.split(order, bounds) if len(order) else []
        return [(self.selection.offers[int(offer[part[0]])], np.sort(part)) for part in parts]

    def place_of(self, rows: Ints) -> Spot:
        """Where the first of some links is to be mended: at the pin that forces it, else where it is stated."""
        row = int(rows[0])
        pin = int(self.pins.pin[row])
        return self.pins.at[pin] if pin >= 0 else int(self.links.at[row])

    def named(self, rows: Ints, most: int = 50) -> tuple[str, ...]:
        """IDs of some links, as a finding's objects."""
        return tuple(self.link_name(row) for row in rows[:most].tolist())

    def spoken(self, rows: Ints) -> str:
        """The links as a message names them: the first, and how many more."""
        first = f"link `{self.link_name(int(rows[0]))}`"
        return first if len(rows) == 1 else f"{first} and {len(rows) - 1} more"

    def devices_named(self, numbers: Sequence[int]) -> str:
        return quoted_list(self.layout.devices[n].name for n in numbers)
