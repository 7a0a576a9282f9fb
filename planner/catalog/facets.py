"""By what a person looks for a part: its kind, form factor, rate, medium, vendor and lifecycle."""

from __future__ import annotations

from typing import Final

from planner.catalog.devices import Device
from planner.catalog.fibre import Cord
from planner.catalog.load import Catalog, Entry
from planner.catalog.plugs import CableAssembly, Modulation, PlugEnd, Transceiver
from planner.catalog.structured import AdapterPlate, Cassette, Shuffle, Trunk

FACETS: Final = ("kind", "form-factor", "rate", "medium", "vendor", "lifecycle")


def facets(shelf: str, entry: Entry, catalog: Catalog) -> dict[str, set[str]]:
    """The values of an entry by facet; empty where it has none, or where the catalog does not state it.

    shelf: the folder it stands in, which is a kind too. A form factor is that of a cage, a plug or a cord's connector.
    The medium of a transceiver or cord is its fibre and `optic`; of a cable assembly the word that plans use (`dac`, `aoc`)
    and what it is made of. Of an AOC makers do not say what its light runs in.
    """
    lifecycle = getattr(entry, "lifecycle", None)
    return {
        "kind": {shelf, entry.kind},
        "form-factor": _form_factors(entry),
        "rate": _rates(entry, catalog),
        "medium": _media(entry, catalog),
        "vendor": {entry.manufacturer},
        "lifecycle": {lifecycle.value.value} if lifecycle and lifecycle.value else set(),
    }


def _form_factors(entry: Entry) -> set[str]:
    match entry:
        case Device():
            return {group.form_factor for group in entry.cages}
        case Transceiver():
            return {entry.end.form_factor}
        case CableAssembly():
            return {entry.a.form_factor, entry.z.form_factor}
        case Cord():
            return {entry.a.connector, entry.z.connector}
        case Trunk() | Shuffle():
            return {entry.a.connector, entry.z.connector}
        case Cassette():
            return {entry.rear.connector, entry.front.connector}
        case AdapterPlate():
            return {entry.connector}
    return set()


def _rates(entry: Entry, catalog: Catalog) -> set[str]:
    match entry:
        case Device():
            splits = [split.rates for group in entry.cages for split in group.splits]
            return {rate for rates in [*splits, *(group.rates for group in entry.cages)] for rate in rates}
        case Transceiver():
            lanes = [(a.host_lanes, a.host_lane_rate_gbps, a.modulation) for a in entry.applications]
            return _rates_of([_lanes(entry.end), *lanes], entry, catalog)
        case CableAssembly():
            return _rates_of([_lanes(entry.a), _lanes(entry.z)], entry, catalog)
    return set()


def _lanes(end: PlugEnd) -> tuple[int, int, Modulation]:
    return end.lanes_per_port, end.lane_rate_gbps, end.modulation


def _rates_of(
    lanes: list[tuple[int, int, Modulation]], part: Transceiver | CableAssembly, catalog: Catalog
) -> set[str]:
    """Rates of a part's protocols that run on its lanes; twisted pair also runs slower."""
    return {
        rate.id
        for rate in catalog.rates.values()
        if rate.protocol in part.protocols
        and any(
            (rate.lanes, rate.modulation) == (count, modulation)
            and (rate.lane_rate_gbps == gbps or (modulation is Modulation.BASE_T and rate.lane_rate_gbps < gbps))
            for count, gbps, modulation in lanes
        )
    }


def _media(entry: Entry, catalog: Catalog) -> set[str]:
    match entry:
        case Transceiver():
            return {entry.receptacle.fibre, "optic"}
        case Cord() | Trunk() | Cassette() | Shuffle():
            grade = catalog.grades.get(entry.fibre)
            return {grade.fibre, "optic"} if grade else set()
        case CableAssembly():
            return {entry.kind} if entry.kind == "aoc" else {entry.kind, "copper"}
    return set()
