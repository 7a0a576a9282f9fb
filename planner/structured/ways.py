"""The ways of all cables of structured cabling: each cord between a device and its panel, each leg of a trunk between panels.

They are measured as every cable is, each with its own slack. A trunk is as long as its longest leg needs, and leaves its
racks on the side where most of its ports are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from planner.catalog.structured import Trunk
from planner.layout import Layout
from planner.lengths.measure import NO_LENGTH, Lengths, Measure
from planner.lengths.slack import Slack, SlackOfLinks, policy_slack
from planner.locate import Places
from planner.names import fold
from planner.project import Project
from planner.routing.policy import RouteRules
from planner.structured.laid import Laid
from planner.structured.places import PanelPorts
from planner.table import Ints
from planner.topology import Links

TRUNK_STANDOFF_UM = 100_000
"""Run straight out behind a panel: that of the stiffest plug known, since no catalog gives a trunk's."""


@dataclass(frozen=True)
class Ways:
    """a: cords from the link's a to its panel; z: from the panel to the link's z; both by strand. legs: of trunks, from a to z."""

    laid: Laid
    a: Measure
    z: Measure
    legs: Measure

    def a_lengths(self, device_standoff_um: int, cord_standoff_um: int) -> Lengths:
        return self.a.lengths("fibre", device_standoff_um, cord_standoff_um)

    def z_lengths(self, cord_standoff_um: int, device_standoff_um: int) -> Lengths:
        return self.z.lengths("fibre", cord_standoff_um, device_standoff_um)

    @cached_property
    def trunks(self) -> Trunks:
        """Trunks with the terms of their longest leg, and their lengths."""
        lengths = self.legs.lengths("fibre", TRUNK_STANDOFF_UM, TRUNK_STANDOFF_UM)
        trunk_of = self.laid.leg_table.trunk
        order = np.lexsort((np.arange(len(trunk_of)), -lengths.required, trunk_of))
        first = order[np.unique(trunk_of[order], return_index=True)[1]] if len(order) else order
        longest = lengths.take(first)
        member = np.full(len(first), -1, np.int64)
        overall = np.full(len(first), NO_LENGTH, np.int64)
        families = {run.trunk.id: run.trunk for run in self.laid.runs}
        numbers = {id_: number for number, id_ in enumerate(families)}
        family = np.array([numbers[run.trunk.id] for run in self.laid.runs], np.int64)[self.laid.run_of_trunk]
        for number, trunk in enumerate(families.values()):
            mine = np.flatnonzero(family == number)
            offered = trunk_lengths(trunk)
            usable, whole = (np.array([figure[n] for figure in offered], np.int64) for n in (1, 2))
            at = np.searchsorted(usable, longest.required[mine])
            fits = (at < len(offered)) & longest.reachable[mine]
            at = np.minimum(at, len(offered) - 1)
            member[mine] = np.where(fits, np.array([one[0] for one in offered], np.int64)[at], -1)
            overall[mine] = np.where(fits, whole[at], NO_LENGTH)
        return Trunks(longest, first, member, overall)


@dataclass(frozen=True)
class Trunks:
    """By trunk: the terms of its longest leg, that leg (row), the member of its family, and its length from ferrule to ferrule.

    member: -1 where no length covers it, or no way leads there.
    """

    lengths: Lengths
    leg: Ints
    member: Ints
    overall_mm: Ints


def trunk_lengths(trunk: Trunk) -> list[tuple[int, int, int]]:
    """Members in order of length: each with the length that it surely covers, and its nominal one, from ferrule to ferrule.

    Where the maker gives the length between the breakouts, the legs come on top of it; of unknown legs nothing does.
    A length of which nobody says what it is of is taken as overall, the shorter reading.
    """
    legs = 0
    if trunk.length_of.value == "breakouts":
        legs = (trunk.leg_a_m.value or 0) + (trunk.leg_z_m.value or 0)
    lost = trunk.tolerance_mm.value or 0
    found = [(n, (m.length_m + legs - lost) // 1000, (m.length_m + legs) // 1000) for n, m in enumerate(trunk.members)]
    return sorted(found, key=lambda one: (one[1], one[0]))


def ways_of(
    laid: Laid, layout: Layout, links: Links, a: Places, z: Places, project: Project, rules: RouteRules
) -> Ways:
    """layout: with the panels. a, z: places of the links' ends. rules: what the routes of links are held to."""
    policy, fabrics = project.policy, project.fabrics
    ports = PanelPorts.of(layout, laid.panels, laid.slots)
    strands = laid.strands
    link = strands.link
    service = np.array([device.service_loop_um for device in layout.devices] or [0], np.int64)
    of_fabric = [policy_slack(policy, fabric, "fibre") for fabric in fabrics]
    loops = np.array([2 * slack.loop_mm for slack in of_fabric] or [0], np.int64)[links.fabric[link].astype(np.int64)]
    share = np.array([slack.share for slack in of_fabric] or [0], np.int64)[links.fabric[link].astype(np.int64)]

    def cords(first: Places, second: Places, device: Ints) -> Measure:
        slack = SlackOfLinks({"fibre": Slack(loops + service[device[link]], share)})
        steered = RouteRules(rules.steerings, rules.of_link[link], rules.apart)
        return Measure(layout, first, second, slack, np.full(len(link), -1, np.int64), None, steered)

    legs = laid.leg_table
    trunk = legs.trunk
    own = policy.slack.trunk
    slack = Slack(np.full(len(legs), 2 * own.loop_mm, np.int64), np.full(len(legs), own.share, np.int64))
    first_link = np.full(int(trunk.max(initial=-1)) + 1, -1, np.int64)
    first_link[trunk[strands.leg[::-1]]] = link[::-1]
    steering = np.append(rules.of_link, 0)[first_link[trunk]] if len(legs) else trunk
    return Ways(
        laid,
        cords(a.take(link), ports.front(strands.a_panel, strands.a_front), links.a_device),
        cords(ports.front(strands.z_panel, strands.z_front), z.take(link), links.z_device),
        Measure(
            layout, _on_one_side(ports.rear(legs.a_panel, legs.a_rear), trunk),
            _on_one_side(ports.rear(legs.z_panel, legs.z_rear), trunk),
            SlackOfLinks({"fibre": slack}), np.full(len(legs), -1, np.int64), _measured(laid, layout, project, trunk),
            RouteRules(rules.steerings, steering, rules.apart),
        ),
    )  # fmt: skip


def _measured(laid: Laid, layout: Layout, project: Project, trunk: Ints) -> Ints:
    """By leg, the length from exit to exit that was measured between the racks of its panels, -1 without."""
    known = {}
    for entry in reversed(project.measured):
        pair = frozenset(layout.rack_index.get(fold(name), -1) for name in entry.racks or ())
        if len(pair) == 2 and -1 not in pair and entry.length_m > 0:
            known[pair] = -(-entry.length_m // 1000)
    of_run = [known.get(frozenset((run.a_bank, run.z_bank)), -1) for run in laid.runs]
    of_trunk = np.array([of_run[run] for run in laid.trunk_run], np.int64)
    return of_trunk[trunk] if len(trunk) else trunk


def _on_one_side(places: Places, trunk: Ints) -> Places:
    """A trunk is one jacket: all its legs take the managers of the side where more of its ports are.

    Those whose ports are half and half, in a panel's middle, go left and right in turn.
    """
    if not len(trunk):
        return places
    weight = np.bincount(trunk, weights=places.side)
    in_turn = np.where(np.arange(len(weight)) % 2 == 0, -1, 1)
    side = np.where(weight == 0, in_turn, np.sign(weight)).astype(np.int64)
    return replace(places, side=side[trunk])
