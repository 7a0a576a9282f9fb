"""Which vendor's parts may be bought for which generic ones: what the catalog claims, against what the two say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest

from planner.catalog.figures import Family, Lifecycle
from planner.catalog.implements import departures, is_generic
from planner.catalog.load import Catalog
from planner.catalog.plugs import CableAssembly, Transceiver

UNCLAIMED: Final = {
    "mms4x00-nm-hgx": "equal in every figure, but its maker lists it for one host only",
}
"""Parts that depart in nothing and yet are not offered for the class."""

CLASSLESS: Final = {
    "mms4x00-ns": "100 m where the class has 500 m",
    "mms4x00-ns-t": "100 m where the class has 500 m",
    "mms4x00-ns-flt": "100 m where the class has 500 m",
    "mms4b10-xm": "linear (LPO): it works in hosts made for it, a class is retimed",
    "mms4x00-nm-hgx": "for one host only",
    "mca7j60": "withdrawn, and nobody else makes such a cable",
    "mca7j65": "withdrawn, and nobody else makes such a cable",
    "mca7j70": "withdrawn, and nobody else makes such a cable",
    "mca7j75": "withdrawn, and nobody else makes such a cable",
    "mcp7h50": "withdrawn, and nobody else makes such a cable",
    "mcp7y40": "withdrawn, and nobody else makes such a cable",
    "mcp7y60": "withdrawn, and nobody else makes such a cable",
    "mcp7y70": "withdrawn, and nobody else makes such a cable",
    "mfs1s50": "withdrawn, and nobody else makes such a cable",
}
"""Vendors' plugs, cables and cords that implement nothing, each with the reason."""


def _of_classes(catalog: Catalog) -> Iterator[tuple[Family, list[Family]]]:
    """Every vendor's part with the generic parts of its shelf."""
    for shelf in (catalog.transceivers, catalog.cables, catalog.cords, catalog.devices):
        families: list[Family] = list(shelf.values())
        classes = [family for family in families if is_generic(family)]
        yield from ((family, classes) for family in families if not is_generic(family))


def test_a_part_implements_exactly_the_classes_that_it_departs_from_in_nothing(catalog: Catalog) -> None:
    wrong = {
        family.id: (family.implements, found)
        for family, classes in _of_classes(catalog)
        if (found := sorted(c.id for c in classes if not departures(family, c))) != sorted(family.implements)
    }
    assert sorted(wrong) == sorted(UNCLAIMED)


def test_a_generic_part_implements_nothing(catalog: Catalog) -> None:
    assert [entry.id for _, entry in catalog.entries() if isinstance(entry, Family) and is_generic(entry)
            and entry.implements] == []  # fmt: skip


def test_every_vendors_plug_and_cord_has_a_class_or_a_reason(catalog: Catalog) -> None:
    plugs = [*catalog.transceivers.values(), *catalog.cables.values(), *catalog.cords.values()]
    classless = {part.id for part in plugs if not part.implements and not is_generic(part)}
    assert classless == set(CLASSLESS)
    withdrawn = {name for name, why in CLASSLESS.items() if why.startswith("withdrawn")}
    states = {part.id: part.lifecycle.value for part in plugs}
    assert {states[name] for name in withdrawn} == {Lifecycle.DISCONTINUED}


@pytest.mark.parametrize(
    ("part", "generic", "told"),
    [
        ("mms4x00-ns", "generic-2x400gbase-dr4-osfp-finned", ["reach on os2 is 100 m, not 500 m"]),
        ("mma4z00-ns", "generic-2x400gbase-sr4-osfp-finned",
         ["reach on om3 is 30 m, not 60 m", "reach on om4 is 50 m, not 100 m", "reach on om5 is 50 m, not 100 m"]),
        ("mms4x00-nm-t", "generic-2xndr-dr4-osfp-finned", ["protocols lacks infiniband"]),
        ("mcp4y10-flt", "generic-2xndr-dac-osfp-finned",
         ["end a: heat_sink is flat, not finned", "end z: heat_sink is flat, not finned"]),
        ("mca4j80", "generic-2xndr-dac-osfp-finned", ["kind is acc, not dac", "protocols lacks ethernet"]),
        ("mfp7e10", "generic-mpo-12-upc-om4-type-b",
         ["end a: polish is apc, not upc", "end z: polish is apc, not upc"]),
        ("mfp7e20", "generic-mpo-12-apc-om4-type-b", ["kind is splitter, not cord", "legs is {"]),
        ("as9817-64o", "generic-64x800g-osfp",
         ["cages [1-64]: they run no 400g-8x50", "it has no cage `65` and 1 more of its group"]),
        ("mcp4y10", "generic-2x400gbase-sr4-osfp-finned", ["it is a dac, not a transceiver"]),
    ],
)  # fmt: skip
def test_what_keeps_a_part_out_of_a_class(catalog: Catalog, part: str, generic: str, told: list[str]) -> None:
    here, there = catalog.find(part), catalog.find(generic)
    assert isinstance(here, Family)
    assert isinstance(there, Family)
    found = departures(here, there)
    assert [text[: len(start)] for text, start in zip(found, told, strict=True)] == told


@pytest.mark.parametrize(
    "change",
    [
        {"protocols": ["ethernet"]},
        {"retimed": False},
        {"receptacle": {"gender": "female"}},
        {"receptacle": {"polish": "upc"}},
        {"receptacle": {"tx": [4, 3, 2, 1]}},
        {"end": {"heat_sink": "flat"}},
        {"end": {"lane_rate_gbps": 200}},
        {"reach_m": {"os2": {"value": "499", "source": "page", "evidence": "primary"}}},
    ],
    ids=str,
)
def test_any_one_difference_is_seen(catalog: Catalog, change: dict[str, Any]) -> None:
    part, generic = catalog.transceivers["mms4x00-nm"], catalog.transceivers["generic-2xndr-dr4-osfp-finned"]
    assert departures(part, generic) == []
    assert len(departures(_changed(part, change), generic)) == 1


def _changed(part: Transceiver, change: dict[str, Any]) -> Transceiver:
    updates: dict[str, Any] = {}
    for key, value in change.items():
        inner = getattr(part, key)
        if key == "reach_m":
            updates[key] = {"os2": inner["os2"].model_copy(update={"value": 499_000_000})}
        else:
            updates[key] = inner.model_copy(update=value) if isinstance(value, dict) else value
    return part.model_copy(update=updates)


def test_a_longer_reach_is_no_difference(catalog: Catalog) -> None:
    """MFS1S00 reaches 100 m, the class of 200G active optical cables 30 m."""
    part, generic = catalog.cables["mfs1s00"], catalog.cables["generic-200g-aoc-qsfp56"]
    assert isinstance(part, CableAssembly)
    assert (part.reach_m.value, generic.reach_m.value) == (100_000_000, 30_000_000)
    assert departures(part, generic) == []
