"""Lengths found on site: of links, and between racks from exit to exit. Those of pathways stand with the pathways."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from planner.findings import Fault, Spot
from planner.layout import Layout
from planner.names import fold, nearest
from planner.pins import LinkNames
from planner.project import Measured
from planner.reader import YamlMap, spot_at
from planner.table import Ints
from planner.topology import Links
from planner.units import metres, mm_half_up

UNMEASURED: Final = -1


@dataclass(frozen=True, slots=True)
class MeasuredLinks:
    """By link, in mm, UNMEASURED without: from port to port, from exit to exit, and the entry that says so."""

    link_mm: Ints
    between_mm: Ints
    entry: Ints


def measured_of(
    measured: Sequence[Measured], tree: YamlMap, names: LinkNames, links: Links, layout: Layout, *, follow_up: bool
) -> tuple[MeasuredLinks, list[Fault]]:
    """Measured lengths by link, rounded up; a link's own goes before that of its racks."""
    faults: list[Fault] = []
    found = MeasuredLinks(*(np.full(len(links), UNMEASURED, np.int64) for _ in range(3)))
    racks = np.array([device.rack for device in layout.devices] or [0], np.int64)
    for number, entry in enumerate(measured):
        key = "link" if entry.link is not None else "racks" if entry.racks is not None else "pathway"
        at = spot_at(tree, ("measured", number, key))
        if entry.length_m <= 0:
            message = f"a measured length of {metres(mm_half_up(entry.length_m))} m is none"
            where = spot_at(tree, ("measured", number, "length_m"))
            faults.append(Fault("invalid-value", message, where, help="write the length of the way that was measured"))
            continue
        if entry.pathway is not None:
            if follow_up and fold(entry.pathway) not in layout.pathway_index:
                faults.append(_names_nothing("pathway", entry.pathway, [p.name for p in layout.pathways], at))
            continue
        if entry.racks is not None:
            pair = [layout.rack_index.get(fold(name)) for name in entry.racks]
            strange = [name for name, rack in zip(entry.racks, pair, strict=True) if rack is None]
            if strange and follow_up:
                faults.append(_names_nothing("rack", strange[0], [rack.name for rack in layout.racks], at))
            a, z = racks[links.a_device], racks[links.z_device]
            rows = np.flatnonzero(((a == pair[0]) & (z == pair[1])) | ((a == pair[1]) & (z == pair[0])))
            if not strange and follow_up and (not len(rows) or pair[0] == pair[1]):
                message = f"no link leads from rack `{entry.racks[0]}` to rack `{entry.racks[1]}`"
                faults.append(Fault("names-nothing", message, at, help="name the two racks of a link, or take it out"))
            column = found.between_mm
        else:
            rows = names.matching(entry.link or "")
            if not len(rows) and follow_up and names.can_tell(entry.link or ""):
                message = f"the measured length of `{entry.link}` names no link"
                faults.append(Fault("names-nothing", message, at, help=names.advice(entry.link or "")))
            column = found.link_mm
        length_mm = -(-entry.length_m // 1000)
        clash = rows[(column[rows] >= 0) & (column[rows] != length_mm)]
        if len(clash):
            note = f"{metres(int(column[clash[0]]))} m and {metres(length_mm)} m"
            message = f"two measured lengths differ for {names.spoken(clash)}"
            faults.append(Fault("pins-disagree", message, at, note=note, help="keep the right one", count=len(clash)))
        column[rows[column[rows] < 0]] = length_mm
        if entry.link is not None:
            found.entry[rows] = number
        else:
            found.entry[rows[found.entry[rows] < 0]] = number
    return found, faults


def _names_nothing(what: str, name: str, known: list[str], at: Spot) -> Fault:
    meant = nearest(name, known)
    advice = f"did you mean `{meant}`?" if meant else f"name a {what} of the layout"
    return Fault("names-nothing", f"the measured length of `{name}` names no {what}", at, help=advice, objects=(name,))
