"""The kinds of the links of a plan: a plan has hundreds of them, whatever its size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.catalog.compatibility import Rate
from planner.catalog.load import Catalog
from planner.choices import Wishes
from planner.layout import CageOfPort, Layout, parts_of_cage_kind
from planner.pins import Forced, Pins
from planner.project import Fabric
from planner.selection.fit import CageKind
from planner.selection.options import KindOfLink
from planner.structured.chain import Chain
from planner.table import Ints, Mask, rank_codes
from planner.topology import Links


@dataclass(frozen=True)
class Kinds:
    """The distinct kinds, and the kind of each link (-1 where the fabric's rate is not known, or no way over panels was found)."""

    kinds: tuple[KindOfLink, ...]
    of_link: Ints

    def of(self, row: int) -> KindOfLink:
        """The kind of a link whose rate is known."""
        return self.kinds[int(self.of_link[row])]


@dataclass(frozen=True)
class OverPanels:
    """Links that are led over panels: the chain of each, -1 for none, and those that should be and cannot be."""

    chains: Sequence[Chain]
    chain_of_link: Ints
    lost: Mask


def kinds_of(
    links: Links,
    a: CageOfPort,
    z: CageOfPort,
    layout: Layout,
    fabrics: Sequence[Fabric],
    pins: Pins,
    wishes: Wishes,
    catalog: Catalog,
    on_hand: frozenset[str] = frozenset(),
    over: OverPanels | None = None,
) -> Kinds:
    """Group links that only differ in their place; those that find no way over panels are of no kind.

    on_hand: part numbers of which pieces are in stock.
    """
    if not len(links):
        return Kinds((), np.zeros(0, np.int64))
    columns: list[NDArray[Any]] = [
        links.fabric, links.tier.codes, a.kind, z.kind, a.power, z.power, pins.cable, pins.a_plug, pins.z_plug,
        wishes.of_link,
    ]  # fmt: skip
    if over is not None:
        columns += [over.chain_of_link, pins.a_cord, pins.z_cord, over.lost.astype(np.int64)]
    codes = rank_codes(columns).astype(np.int64)
    first = np.unique(codes, return_index=True)[1]
    kinds: list[KindOfLink] = []
    number = np.full(len(first), -1, np.int64)
    for code, row in enumerate(first.tolist()):
        fabric = fabrics[int(links.fabric[row])]
        rate = catalog.rates.get(fabric.rate.lower())
        if rate is None or (over is not None and over.lost[row]):
            continue
        chain = -1 if over is None else int(over.chain_of_link[row])
        number[code] = len(kinds)
        kinds.append(
            KindOfLink(
                fabric=int(links.fabric[row]),
                tier=links.tier[row],
                a=_cage_kind(layout, catalog, rate, int(a.kind[row]), int(a.power[row])),
                z=_cage_kind(layout, catalog, rate, int(z.kind[row]), int(z.power[row])),
                rate=rate,
                wish=wishes.wishes[int(wishes.of_link[row])],
                cable=_part(pins, int(pins.cable[row])),
                a_plug=_part(pins, int(pins.a_plug[row])),
                z_plug=_part(pins, int(pins.z_plug[row])),
                on_hand=on_hand,
                chain=over.chains[chain] if over is not None and chain >= 0 else None,
                a_cord=_part(pins, int(pins.a_cord[row])) if chain >= 0 else None,
                z_cord=_part(pins, int(pins.z_cord[row])) if chain >= 0 else None,
            )
        )
    return Kinds(tuple(kinds), number[codes])


def _cage_kind(layout: Layout, catalog: Catalog, rate: Rate, code: int, power: int) -> CageKind:
    family, number, state = parts_of_cage_kind(code)
    chassis = layout.chassis[family]
    group, split = chassis.family.cages[number], chassis.states[number][state]
    limit = group.power_limits[power - 1].max_power_w if power else group.max_power_w
    forms = [catalog.rates[form] for form in catalog.forms(rate.id) if form in split.rates]
    # Of several electrical forms the port's own lanes decide; where none fits them, the first is what it is asked for.
    fitting = [form for form in forms if form.lanes == split.lanes and form.lane_rate_gbps == group.lane_rate_gbps]
    return CageKind(chassis.id, group, split, limit, next(iter(fitting or forms), None))


def _part(pins: Pins, code: int) -> Forced | None:
    return None if code < 0 else pins.parts[code]
