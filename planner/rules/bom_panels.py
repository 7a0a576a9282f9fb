"""Phases of links and of the panels that they run through."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from planner.findings import Fault, Severity
from planner.rules.registry import rule
from planner.rules.subject import Subject


@rule("BOM008", "panels-come-later", Severity.ERROR)
def panels_come_later(subject: Subject) -> Iterable[Fault]:
    """A link is needed in an earlier phase than a rack whose panels it runs through.

    Why: its trunk cannot be pulled before the rack stands, and its cords have nowhere to end.
    Example: leaves and spines of phase P1, patched at panels in a rack of P2.
    Fix: put the panels' rack into the earlier phase, or patch these links elsewhere.
    Source: `phases`, and the panels that serve both ends.
    """
    laid = subject.laid
    if laid is None or not laid.any or not subject.project.phases:
        return
    strands, phase = laid.strands, subject.phase_of_rack
    rack_of = np.array([device.rack for device in subject.layout.devices] or [0], np.int64)
    bank = np.array([panel.rack for panel in laid.panels] or [0], np.int64)
    links = subject.links
    own = np.maximum(phase[rack_of[links.a_device]], phase[rack_of[links.z_device]])[strands.link]
    for rack in np.unique(bank).tolist():
        through = (bank[strands.a_panel] == rack) | (bank[strands.z_panel] == rack)
        rows = np.unique(strands.link[through & (phase[rack] > own)])
        if len(rows):
            name, later = subject.layout.racks[rack].name, subject.project.phases[int(phase[rack])].name
            yield Fault(
                "panels-come-later",
                f"{subject.spoken(rows)} {'runs' if len(rows) == 1 else 'run'} through panels of rack `{name}`, which comes in phase `{later}`",
                subject.layout.racks[rack].at,
                note=f"{'the link is' if len(rows) == 1 else 'the links are'} needed before it",
                help="put the rack of the panels into the earlier phase, or patch the links elsewhere",
                objects=subject.named(rows),
                count=len(rows),
            )
