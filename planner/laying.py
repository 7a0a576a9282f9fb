"""What the chosen parts lay where: the length of every link with its cable, and the loads of the pathways.

A cable lies once where its links share it. The legs of a splitter lie together in its trunk, and apart from where the trunk
ends, or where their ways part before that; each is as thick and as heavy as the whole, since catalogs give legs neither.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from planner.capacity.problem import area_um2
from planner.fill import Loads, RouteLoad, TrunkLoad, loads_of
from planner.lengths.measure import NO_LENGTH, Lengths, Measure
from planner.panel_cables import loads_over_panels
from planner.project import CLASSES, CableClass
from planner.selection.breakouts import shared_mm, trunks_mm
from planner.selection.choose import Selection
from planner.selection.options import UNKNOWN_STANDOFF_UM, Option
from planner.selection.over_panels import channels_of, fit_of, link_lengths
from planner.table import Ints
from planner.units import NM_PER_MM


def lengths_of_choice(selection: Selection, measure: Measure) -> Lengths:
    """Terms of each link with its chosen cable.

    An unresolved link has those of the first option that finds a way, else of a fibre, so that it is known whether a
    way exists at all.
    """
    count = len(selection.offer)
    columns = {f.name: np.zeros(count, bool if f.name == "backwards" else np.int64) for f in fields(Lengths)}
    for offer in np.unique(selection.offer).tolist():
        rows = np.flatnonzero(selection.offer == offer)
        if offer >= 0:
            option = selection.offers[offer]
            if option.chain is not None:
                assert measure.over_panels is not None
                _set(columns, link_lengths(fit_of(option, rows, measure.over_panels), measure.over_panels), rows)
                continue
            _copy(columns, measure.lengths(option.cable_class, option.a_standoff_um, option.z_standoff_um), rows)
            continue
        _copy(columns, measure.lengths("fibre", UNKNOWN_STANDOFF_UM, UNKNOWN_STANDOFF_UM), rows)
        lost = rows[columns["routed"][rows] >= NO_LENGTH]
        if len(lost):
            _copy(columns, measure.lengths("copper", UNKNOWN_STANDOFF_UM, UNKNOWN_STANDOFF_UM), lost)
    return Lengths(**columns)


def _copy(columns: dict[str, Any], lengths: Lengths, rows: Ints) -> None:
    for name, column in columns.items():
        column[rows] = getattr(lengths, name)[rows]


def _set(columns: dict[str, Any], lengths: Lengths, rows: Ints) -> None:
    """As _copy, from lengths of these rows alone."""
    for name, column in columns.items():
        column[rows] = getattr(lengths, name)


def loads_of_choice(selection: Selection, lengths: Lengths, measure: Measure) -> Loads:
    """What the chosen cables lay into the pathways."""
    runs = selection.runs[lengths.route[selection.runs] >= 0]
    trunks = _trunks(selection, lengths, measure)
    joined = []
    for cable_class in CLASSES:
        of_class = [n for n, option in enumerate(selection.offers) if option.cable_class == cable_class]
        mine = runs[np.isin(selection.offer[runs], of_class)]
        if not len(mine):
            continue
        whole = RouteLoad(lengths.route[mine], *_weights(selection, mine))
        rows, from_start, length_nm, saved = trunks.get(cable_class, _NO_TRUNKS)
        trunk = TrunkLoad(lengths.route[rows], from_start, length_nm, *(-saved * w for w in _weights(selection, rows)))
        joined.append((measure.routes(cable_class), whole, trunk))
    if measure.over_panels is not None:
        channels = channels_of(selection.offers, selection.offer, selection.member, measure.over_panels)
        joined += loads_over_panels(channels)
    return loads_of(joined)


def _weights(selection: Selection, rows: Ints) -> list[Ints]:
    """What the cable of each link lays: the columns of a `RouteLoad` behind its route."""
    of_offer = np.array([_of_option(option) for option in selection.offers], np.int64).reshape(-1, 6)
    return list(of_offer[selection.offer[rows]].T)


def _of_option(option: Option) -> tuple[int, ...]:
    diameter, weight = option.cable.outer_diameter_mm.value, option.cable.kg_per_m.value
    area = area_um2(option)
    # kg/m are held in thousandths, so their unit is g/m.
    mg_per_m = option.cords * (weight or 0) * 1000
    copper = area if option.cable_class == "copper" else 0
    return area, mg_per_m, option.cords, int(diameter is None), int(weight is None), copper


_Trunks = tuple[Ints, Ints, Ints, Ints]
"""First link of each splitter with several legs, 1 where its head is at the start of the route as it is kept, how much of
the route its trunk takes, and how many legs lie in it beside the first."""

_NO_TRUNKS: _Trunks = (np.zeros(0, np.int64),) * 4


def _trunks(selection: Selection, lengths: Lengths, measure: Measure) -> dict[CableClass, _Trunks]:
    """Where legs lie in one trunk: from the head up to its end, or to where their ways part before."""
    runs = selection.runs
    _, first, legs = np.unique(selection.assembly[runs], return_index=True, return_counts=True)
    rows, legs = runs[first[legs > 1]], legs[legs > 1]
    found: dict[CableClass, list[_Trunks]] = {}
    for offer in np.unique(selection.offer[rows]).tolist():
        option = selection.offers[offer]
        here = selection.offer[rows] == offer
        mine, others = rows[here], legs[here] - 1
        near_in, near_rise = (
            (lengths.z_in_rack, lengths.z_rise) if option.head_at_z else (lengths.a_in_rack, lengths.a_rise)
        )
        position = np.argmax(option.members[:, None] == selection.member[mine], axis=0)
        together = np.minimum(trunks_mm(option)[position], shared_mm(option, mine, measure, selection.problem.sharing))
        length_nm = (together - near_in[mine] - near_rise[mine]) * NM_PER_MM
        lies = (length_nm > 0) & (lengths.route[mine] >= 0)
        from_start = (lengths.backwards[mine] == option.head_at_z).astype(np.int64)
        columns = tuple(column[lies] for column in (mine, from_start, length_nm, others))
        found.setdefault(option.cable_class, []).append(columns)
    return {
        cable_class: tuple(np.concatenate(column) for column in zip(*parts, strict=True))  # type: ignore[misc]
        for cable_class, parts in found.items()
    }
