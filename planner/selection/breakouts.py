"""Where a splitter divides: how far its legs run together, and what its trunk takes from them.

All legs leave the head together. Where their ways part before the trunk ends, the rest of the trunk lies coiled there,
and every leg is shorter by it. Where the catalog does not say where the trunk ends, it is taken to be half the cable.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.lengths.measure import Lengths, Measure
from planner.selection.options import SPLITTER, Option
from planner.selection.sharing import SLOTS, Sharing
from planner.table import Ints, Mask
from planner.units import NM_PER_MM


def trunks_mm(option: Option) -> Ints:
    """Length of the trunk of each of the option's lengths, from the head's tip."""
    point = option.cable.breakout_point_m
    if point is None or point.value is None:
        return -(-option.nominal_mm // 2)
    return np.minimum(option.nominal_mm, -(-point.value // 1000))


def coiled_mm(option: Option, rows: Ints, measure: Measure, sharing: Sharing) -> Ints:
    """What each of the option's lengths loses, by length and row: the part of the trunk beyond the shared way."""
    if option.shape != SPLITTER or option.ports == 1 or not len(rows):
        return np.zeros((len(option.nominal_mm), len(rows)), np.int64)
    shared = shared_mm(option, rows, measure, sharing)
    lost: Ints = np.maximum(0, trunks_mm(option)[:, None] - shared[None, :])
    return lost


def shared_mm(option: Option, rows: Ints, measure: Measure, sharing: Sharing) -> Ints:
    """How far the links of each row's cable run together from its head.

    All links of the head's ports count, whatever they will get, but for those of the option that it is too short for.
    """
    lengths = measure.lengths(option.cable_class, option.a_standoff_um, option.z_standoff_um)
    keys = sharing.place(option, rows)
    beyond = np.zeros(len(sharing.a_cage), bool)
    required: Ints = lengths.required[rows]
    beyond[rows] = required > option.ends_at_mm
    ends = _ends(option, lengths, measure, sharing, np.unique(keys), beyond)
    if not len(ends.key):
        return required
    order = np.argsort(ends.key, kind="stable")
    bounds = np.concatenate(([0], np.flatnonzero(np.diff(ends.key[order])) + 1, [len(order)]))
    known, shared = ends.key[order[bounds[:-1]]], np.empty(len(bounds) - 1, np.int64)
    alike = np.all(
        [np.maximum.reduceat(c[order], bounds[:-1]) == np.minimum.reduceat(c[order], bounds[:-1]) for c in ends.way],
        axis=0,
    )
    shared[:] = np.minimum.reduceat(ends.run_mm[order], bounds[:-1])
    for i in np.flatnonzero(~alike).tolist():
        shared[i] = _common_mm(option, ends, order[bounds[i] : bounds[i + 1]], lengths, measure)
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    # Where all links are too far nothing is asked of the trunk: the length alone says no.
    found: Ints = np.where(known[at] == keys, shared[at], required)
    return found


@dataclass(frozen=True, slots=True)
class _Ends:
    """Links at the head of a splitter, one entry a link.

    way: what must be equal for two to run together all along; run_mm: how long the way is up to the leg's own end.
    """

    key: Ints
    row: Ints
    at_z: Mask
    way: tuple[Ints, ...]
    run_mm: Ints


def _ends(option: Option, lengths: Lengths, measure: Measure, sharing: Sharing, wanted: Ints, beyond: Mask) -> _Ends:
    count = len(sharing.a_cage)
    cage, half = (np.concatenate((getattr(sharing, f"a_{n}"), getattr(sharing, f"z_{n}"))) for n in ("cage", "half"))
    key = cage * SLOTS + (half - 1) // option.ports
    mine = np.flatnonzero(np.isin(key, wanted) & ~np.tile(beyond, 2))
    row, at_z = mine % count, mine >= count
    inside = lengths.run[row] >= 0
    climb = np.where(at_z, -1, 1) * (measure.z.z_um[row] - measure.a.z_um[row])
    up = np.where(inside, np.sign(climb), 0)
    # Along one manager from the height of the one to that of the other; across the rack, up to the crossing at most.
    vertical_mm = np.where(measure.a.side[row] == measure.z.side[row], np.abs(climb) // 1000, 0)
    near_in = np.where(at_z, lengths.z_in_rack[row], lengths.a_in_rack[row])
    near_rise = np.where(at_z, lengths.z_rise[row], lengths.a_rise[row])
    far_rise = np.where(at_z, lengths.a_rise[row], lengths.z_rise[row])
    # Inside a rack the run that both ends share counts at a.
    in_rack = np.where(at_z, near_in + vertical_mm, near_in)
    run = np.where(inside, in_rack, near_in + near_rise + lengths.pathway[row] + far_rise)
    a_way, z_way = lengths.a_way[row], lengths.z_way[row]
    near_way, far_way = np.where(at_z, z_way, a_way), np.where(at_z, a_way, z_way)
    way = (lengths.run[row], up, lengths.route[row], near_way, np.where(inside, 0, far_way))
    return _Ends(key[mine], row, at_z, way, np.where(lengths.reachable[row], run, 0))


def _common_mm(option: Option, ends: _Ends, mine: Ints, lengths: Lengths, measure: Measure) -> int:
    """The way that legs with unlike routes have in common: out of the head's rack, then stretch by stretch."""
    rows, at_z = ends.row[mine], ends.at_z[mine]
    inside = lengths.run[rows] >= 0
    near_in = np.where(at_z, lengths.z_in_rack[rows], lengths.a_in_rack[rows])
    near_way = ends.way[3][mine]
    if inside.any() or len(np.unique(near_way)) > 1 or (lengths.route[rows] < 0).any():
        return 0
    routed = measure.routes(option.cable_class)
    ways = routed.ways
    begun = int(near_in.min())
    stretches = []
    for row, turned in zip(rows.tolist(), at_z.tolist(), strict=True):
        route = int(lengths.route[row])
        span = range(int(ways.bounds[route]), int(ways.bounds[route + 1]))
        pieces = [(int(ways.chain[i]), int(ways.from_nm[i]), int(ways.to_nm[i])) for i in span]
        # A route is kept once for both directions; the head may stand at either end of it.
        if bool(lengths.backwards[row]) != turned:
            pieces = [(chain, stop, start) for chain, start, stop in reversed(pieces)]
        stretches.append(pieces)
    common_nm = 0
    for step in zip(*stretches, strict=False):
        if len({(chain, start) for chain, start, _ in step}) > 1:
            break
        signs = {np.sign(stop - start) for _, start, stop in step}
        if len(signs) > 1:
            break
        common_nm += min(abs(stop - start) for _, start, stop in step)
        if len({stop for _, _, stop in step}) > 1:
            break
    if not common_nm:
        return begun
    rise = np.where(at_z, lengths.z_rise[rows], lengths.a_rise[rows])
    return begun + int(rise.min()) + common_nm // NM_PER_MM
