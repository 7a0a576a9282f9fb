"""What a cable is longer than its way: a loop at each end, a share of the routed length, and what a sliding device pulls.

By class of cable and by fabric. A device that slides out on rails takes its cables along, so each of them has a loop as
long as the device travels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from planner.layout import Layout
from planner.project import CableClass, ClassSlack, Fabric, Policy
from planner.table import Ints
from planner.topology import Links

_CLASSES: Final[tuple[CableClass, ...]] = ("copper", "fibre")


@dataclass(frozen=True, slots=True)
class Slack:
    """By link: both loops with the service loops, and the share of the routed length."""

    loops_um: Ints
    share_ppm: Ints


@dataclass(frozen=True)
class SlackOfLinks:
    """Slack of every link for each class of cable."""

    by_class: dict[CableClass, Slack]

    def of(self, cable_class: CableClass) -> Slack:
        return self.by_class[cable_class]

    @classmethod
    def alike(cls, policy: Policy, count: int) -> SlackOfLinks:
        """The project's own slack for each of so many links."""
        return cls({c: _columns([policy_slack(policy, None, c)], np.zeros(count, np.int64)) for c in _CLASSES})


def policy_slack(policy: Policy, fabric: Fabric | None, cable_class: CableClass) -> ClassSlack:
    """The slack of a class: the fabric's where it says one, else the project's."""
    own = getattr(fabric.slack, cable_class) if fabric is not None and fabric.slack is not None else None
    found: ClassSlack = own if own is not None else getattr(policy.slack, cable_class)
    return found


def slack_of(links: Links, layout: Layout, fabrics: Sequence[Fabric], policy: Policy) -> SlackOfLinks:
    """Slack by link, service loops included."""
    service = np.array([device.service_loop_um for device in layout.devices] or [0], np.int64)
    pulled = service[links.a_device] + service[links.z_device] if len(links.a_device) else np.zeros(0, np.int64)
    found = {}
    for cable_class in _CLASSES:
        by_fabric = [policy_slack(policy, fabric, cable_class) for fabric in fabrics]
        slack = _columns(by_fabric, links.fabric.astype(np.int64))
        found[cable_class] = Slack(slack.loops_um + pulled, slack.share_ppm)
    return SlackOfLinks(found)


def _columns(kinds: Sequence[ClassSlack], which: Ints) -> Slack:
    loops = np.array([2 * kind.loop_mm for kind in kinds] or [0], np.int64)
    share = np.array([kind.share for kind in kinds] or [0], np.int64)
    return Slack(loops[which], share[which])
