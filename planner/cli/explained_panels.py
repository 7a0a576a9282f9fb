"""How `explain` prints trunks and panels: legs and ports, and what runs through them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby
from typing import Any

from planner.cutsheet.panels import PanelPort, TrunkLeg
from planner.explain.answers import CableExplained, PanelExplained
from planner.names import counted
from planner.plan import Plan
from planner.units import short_metres


def over_panels_line(cable: dict[str, Any], medium: str) -> str:
    """A cord or trunk of a link over panels, with what it is ordered by: its own way, slack and length."""
    spare = cable["nominal_mm"] - cable["required_mm"]
    return (
        f"  cable {cable['cable_id']}: {cable['part']}, {short_metres(cable['nominal_mm'])} m, {medium}; {cable['routed_mm']:,} mm routed, "
        f"{cable['slack_mm']:,} mm slack, {cable['required_mm']:,} mm required, {spare:,} mm to spare"
    )


def trunk_text(plan: Plan, found: CableExplained) -> str:
    """A trunk leg by leg: the panel port at either end, and the link that runs through it."""
    cables = plan.cables
    part = plan.parts[int(cables.part[found.cable])]
    racks = " to ".join(plan.racks[int(rack[found.cable])].name for rack in (cables.rack_a, cables.rack_z))
    length = f", {short_metres(part.length_mm)} m" if part.length_mm >= 0 else ""
    lines = [
        f"trunk {int(cables.cable_id[found.cable])}: {part.part}{length}, rack {racks}",
        f"  {counted(len(found.legs), 'leg')}: {_states(leg.state for leg in found.legs)}",
    ]
    wide = max(len(leg.a) for leg in found.legs)
    lines += [f"  leg {leg.leg:<3} {leg.a:<{wide}}  to  {leg.z}  {_told_of(leg)}" for leg in found.legs]
    return "\n".join(lines)


def _states(states: Iterator[str]) -> str:
    listed = list(states)
    return ", ".join(f"{listed.count(state)} {state}" for state in ("used", "reserve", "spare") if state in listed)


def _told_of(leg: TrunkLeg) -> str:
    unlit = f"; unlit {leg.unlit.replace(';', ' ')}" if leg.unlit and leg.links else ""
    return f"{leg.state}{': ' if leg.links else ''}{', '.join(leg.links)}{unlit}"


def panel_text(plan: Plan, found: PanelExplained) -> str:
    """A panel slot by slot and port by port: the cord in front, the trunk's leg behind, and where both lead."""
    device = plan.devices[found.panel]
    lines = [
        f"panel {device.name}: {device.model}, rack {plan.racks[device.rack].name} U{device.u}",
        f"  {counted(len(found.ports), 'port')}: {_states(port.state or 'free' for port in found.ports)}",
    ]
    for slot, ports in groupby(found.ports, key=lambda port: (port.slot, port.insert)):
        lines.append(f"  slot {slot[0]}: {slot[1]}")
        lines += [f"    {_port_line(port)}" for port in ports]
    return "\n".join(lines)


def _port_line(port: PanelPort) -> str:
    behind = (
        f"trunk {port.trunk} leg {port.leg} to {port.far_port} in {port.far_rack}" if port.trunk else "nothing behind"
    )
    if not port.cord:
        return f"{port.port:02d}  {port.state or 'free'}: {behind}"
    return f"{port.port:02d}  {port.near}, cable {port.cord} | {behind} | cable {port.far_cord}, {port.far}"


def panel_record(plan: Plan, found: PanelExplained) -> dict[str, Any]:
    device = plan.devices[found.panel]
    return {
        "kind": "panel",
        "panel": device.name,
        "model": device.model,
        "rack": plan.racks[device.rack].name,
        "u": device.u,
        # 0 and the empty text stand for what a port does not have.
        "ports": [{key: value or None for key, value in asdict(port).items()} for port in found.ports],
    }
