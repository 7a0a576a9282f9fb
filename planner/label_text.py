"""Texts of labels from a template: each label has its own place and that of the other end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from planner.label_template import parsed
from planner.names import name_in_row
from planner.plan import Plan
from planner.table import Words


def with_label_texts(plan: Plan, template: str) -> Plan:
    """The plan with the labels of all ends written anew; cords side by side are told apart by ` 1/2`, ` 2/2` after the text."""
    place = _places(plan, template)
    ends, marks = plan.ends, _side_by_side(plan)
    columns = zip(ends.cable.tolist(), ends.end.tolist(), ends.device.tolist(), ends.port.tolist(), strict=True)
    near = [
        f"{place(cable, end, device, port)}{marks[cable]}" if device >= 0 else ""
        for cable, end, device, port in columns
    ]
    return replace(plan, ends=replace(ends, near=Words.of(near), far=Words.of(list(_far(plan, near)))))


def _far(plan: Plan, near: list[str]) -> Iterator[str]:
    """The other ends' places: of a head those of its legs, of a leg that of its head; nothing for an unused leg.

    Each leg of a trunk has its own other end.
    """
    cables, devices = plan.ends.cable, plan.ends.device.tolist()
    starts = np.searchsorted(cables, cables, "left").tolist()
    stops = np.searchsorted(cables, cables, "right").tolist()
    trunks = set(plan.trunk_legs.cable.tolist())
    of_row = cables.tolist() if trunks else ()
    for row, (start, stop) in enumerate(zip(starts, stops, strict=True)):
        if trunks and of_row[row] in trunks:
            half = (stop - start) // 2
            others: range | tuple[int, ...] = (row + half if row < start + half else row - half,)
        else:
            others = range(start + 1, stop) if row == start else (start,)
        yield " + ".join(near[other] for other in others if near[other]) if devices[row] >= 0 else ""


def _side_by_side(plan: Plan) -> list[str]:
    """What stands behind the texts of each cable: its place among the cords of its assembly, nothing for a single one."""
    assembly = plan.cables.assembly_id.tolist()
    over_panels = set(plan.link_cables.cable.tolist())
    sizes: dict[int, int] = {}
    for one in assembly:
        sizes[one] = sizes.get(one, 0) + 1
    seen: dict[int, int] = {}
    marks = []
    for row, one in enumerate(assembly):
        seen[one] = seen.get(one, 0) + 1
        beside = sizes[one] > 1 and row not in over_panels  # the cords of a channel follow one another
        marks.append(f" {seen[one]}/{sizes[one]}" if beside else "")
    return marks


def _places(plan: Plan, template: str) -> Callable[[int, str, int, str], str]:
    """Spells the place of an end from its cable, its name, its device and the ports of its plug."""
    pieces = parsed(template)
    ids = plan.cables.cable_id.tolist()
    categories = [plan.parts[part].category for part in plan.cables.part.tolist()]
    of_device = []
    for device in plan.devices:
        rack = plan.racks[device.rack]
        top = device.u + (device.height_u - 1) * (1 if rack.numbered_from == "bottom" else -1)
        known: dict[str, str | int] = {
            "rack": rack.name, "row": rack.row, "rack_in_row": name_in_row(rack.name, rack.row), "device": device.name, "model": device.model, "u": device.u, "top_u": top,
            "project": plan.identity.project, "revision": plan.identity.revision,
        }  # fmt: skip
        of_device.append(known)

    def place(cable: int, end: str, device: int, port: str) -> str:
        known, text = of_device[device], ""
        for literal, field, width in pieces:
            text += literal
            if field == "port":
                text += port.replace(";", "+")
            elif field == "end":
                text += end
            elif field == "category":
                text += categories[cable]
            elif field:
                text += format(ids[cable] if field == "cable" else known[field], width)
        return text

    return place
