"""Structured cabling as a stage: panels stand in their racks, trunks between them, and each link of its tiers over them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.catalog.load import Catalog
from planner.catalog.plugs import CableAssembly
from planner.findings import Fault
from planner.layout import Layout
from planner.lengths.measured import MeasuredLinks
from planner.pins import LinkNames, Pins
from planner.project import Project
from planner.reader import YamlMap, spot_at
from planner.selection.kinds import Kinds, OverPanels
from planner.selection.options import options_of
from planner.structured.asked import Asked, asked_of
from planner.structured.laid import Laid, laid_of
from planner.structured.panels import banks_of, with_panels
from planner.structured.sizing import Growth
from planner.table import Ints, Mask
from planner.topology import Links


@dataclass(frozen=True)
class OverPanelsStage:
    """layout: with the panels. laid: trunks and strands. kinds: what it says to the kinds of links."""

    layout: Layout
    laid: Laid
    kinds: OverPanels


def over_panels(
    project: Project, tree: YamlMap, catalog: Catalog, names: LinkNames, links: Links, layout: Layout, kinds: Kinds,
    pins: Pins, measured: MeasuredLinks, *, whole: bool, gaps: frozenset[str],
) -> tuple[OverPanelsStage | None, list[Fault]]:  # fmt: skip
    """kinds: of the links as if all were direct, which tell how many receptacles each takes. None without any panels."""
    if not project.panels and not project.policy.cabling:
        return None, _cords_of_direct(pins, np.zeros(len(links), bool), names, project, tree)
    banks, faults = banks_of(project.panels, tree, catalog, layout, follow_up="racks" not in gaps)
    own = np.array([isinstance(part.family, CableAssembly) for part in pins.parts] + [False])[pins.cable]
    asked, asking = asked_of(
        project.policy.cabling, tree, catalog, names, links, layout, banks, own,
        follow_up=whole, all_panels=not faults and not gaps & {"panels", "racks"},
    )  # fmt: skip
    growth = [Growth(entry.reserve.share, entry.reserve.min) for entry in project.policy.cabling]
    strands = _strands(asked, kinds, catalog)
    laid, laying = laid_of(asked, banks, strands, links, layout, names, growth)
    standing = with_panels(layout, laid.panels)
    told = _cords_of_direct(pins, asked.entry >= 0, names, project, tree)
    stage = OverPanelsStage(standing, laid, OverPanels(laid.chains, laid.chain_of_link, asked.lost))
    return stage, [*faults, *asking, *laying, *told, *_measured_links(measured, asked.entry >= 0, names, project, tree)]


def _strands(asked: Asked, kinds: Kinds, catalog: Catalog) -> Ints:
    """How many channels each link over panels takes: as many as receptacles of the first optics that fit its cages."""
    count = np.ones(len(asked.entry), np.int64)
    over = (asked.entry >= 0) & ~asked.lost & (kinds.of_link >= 0)
    for number in np.unique(kinds.of_link[over]).tolist():
        options = options_of(kinds.kinds[number], catalog).options
        cords = next((option.cords for option in options if option.a_plug is not None), 1)
        count[over & (kinds.of_link == number)] = cords
    return count


def _measured_links(
    measured: MeasuredLinks, over: Mask, names: LinkNames, project: Project, tree: YamlMap
) -> list[Fault]:
    """A length measured from port to port says nothing of the three cables of a channel."""
    faults = []
    rows = np.flatnonzero((measured.link_mm >= 0) & over)
    for number in np.unique(measured.entry[rows]).tolist():
        if project.measured[number].link is not None:
            mine = rows[measured.entry[rows] == number]
            faults.append(
                Fault(
                    "invalid-value",
                    f"{names.spoken(mine)} {'is' if len(mine) == 1 else 'are'} led over panels, and a measured length is given from port to port",
                    spot_at(tree, ("measured", number, "link")),
                    help="give the length between the `racks` of the panels, which is the trunks'",
                    objects=tuple(names.as_written[row] for row in mine[:50].tolist()),
                    count=len(mine),
                )
            )
    return faults


def _cords_of_direct(pins: Pins, over: Mask, names: LinkNames, project: Project, tree: YamlMap) -> list[Fault]:
    """A pin of one cord of a channel on a link that has none."""
    faults = []
    for key, forced in (("a_cord", pins.a_cord), ("z_cord", pins.z_cord)):
        rows = np.flatnonzero((forced >= 0) & ~over)
        for number, pin in enumerate(project.pins if len(rows) else ()):
            mine = np.intersect1d(rows, names.matching(pin.links)) if getattr(pin, key) else rows[:0]
            if len(mine):
                faults.append(
                    Fault(
                        "pins-disagree",
                        f"`{key}` is pinned on {names.spoken(mine)}, which {'is' if len(mine) == 1 else 'are'} not led over panels",
                        spot_at(tree, ("pins", number, key)),
                        help="pin it as `cable`",
                        objects=tuple(names.as_written[row] for row in mine[:50].tolist()),
                        count=len(mine),
                    )
                )
    return faults
