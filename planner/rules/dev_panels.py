"""Panels: links that find none to be led over, or too few positions in them."""

from __future__ import annotations

from collections.abc import Iterable

from planner.findings import Fault, Severity
from planner.rules.registry import rule
from planner.rules.subject import Subject


@rule("DEV010", "no-panel-serves", Severity.ERROR)
def no_panel_serves(subject: Subject) -> Iterable[Fault]:
    """Links are to be led over panels, and no panel serves a rack where they end.

    Why: a cord would end nowhere; the links stay unresolved.
    Example: `policy.cabling` for leaf-spine, panels in the leaf racks, and none in the spines' rack.
    Fix: declare panels in the rack, or name the rack in the `serves` of panels elsewhere.
    Source: `panels` and `policy.cabling`.
    """
    return subject.told("no-panel-serves")


@rule("DEV011", "trunk-within-one-bank", Severity.ERROR)
def trunk_within_one_bank(subject: Subject) -> Iterable[Fault]:
    """Both ends of a link that is to be led over panels are patched at the panels of one rack.

    Why: its trunk would end where it begins.
    Example: leaves and spines in one rack with panels, and `policy.cabling` for the links between them.
    Fix: cable these links directly, by a later entry with `scheme: direct`, or give the two ends panels of their own.
    Source: `panels`, their `serves`, and `policy.cabling`.
    """
    return subject.told("trunk-within-one-bank")


@rule("DEV012", "too-few-positions", Severity.ERROR)
def too_few_positions(subject: Subject) -> Iterable[Fault]:
    """The panels of a rack have fewer positions left than the trunks to another rack take, with their reserve.

    Why: some channels would have no place; none of the run is planned until there is one for each.
    Example: 256 channels and 26 in reserve take 36 trunks of eight legs, 288 positions, and three panels have 192.
    Fix: add panels, widen the `u_range` of those that the planner places, or keep a smaller reserve.
    Source: slots of the panels, ports of what is in them, legs of the trunk, `reserve` of the cabling's entry.
    """
    return subject.told("too-few-positions")
