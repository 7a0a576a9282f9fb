"""Which vendor's part is one of a generic part: whether a plan made with the one can be bought as the other.

A generic part says what a plan rests on: what its plugs fit, what they carry, what the fibre meets and how far it
reaches. A vendor's part implements it when it is the same in all of these and at least as good where more is better.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from planner.catalog.devices import CageGroup, Device
from planner.catalog.fibre import Connector, Cord
from planner.catalog.figures import GENERIC, Family, Figure
from planner.catalog.plugs import CableAssembly, PlugEnd, Transceiver
from planner.catalog.structured import AdapterPlate, Cassette, Panel, Trunk
from planner.names import expand_hostlist

METRE_UM = 1_000_000


def is_generic(family: Family) -> bool:
    """Whether it stands for a class; such a part has no maker's number."""
    return family.manufacturer.casefold() == GENERIC


def departures(part: Family, generic: Family) -> list[str]:
    """What keeps a part from being bought for a generic one, each with both sides; empty where it may be.

    Lengths of members are no matter here: a length that the vendor does not make is found when the plan is bought. Nor
    are power, diameter and lifecycle, which no generic part promises.
    """
    match part, generic:
        case Transceiver(), Transceiver():
            return [*_optic(part, generic)]
        case CableAssembly(), CableAssembly():
            return [*_cable(part, generic)]
        case Cord(), Cord():
            return [*_cord(part, generic)]
        case Device(), Device():
            return [*_device(part, generic)]
    if isinstance(part, Trunk | Cassette | AdapterPlate | Panel) and type(part) is type(generic):
        return [*_alike(part, generic)]
    return [f"it is a {getattr(part, 'kind', '')}, not a {getattr(generic, 'kind', '')}"]


def _optic(part: Transceiver, generic: Transceiver) -> Iterator[str]:
    yield from _end("its plug", part.end, generic.end)
    here, there = part.receptacle, generic.receptacle
    for key in ("connector", "count", "polish", "gender", "fibre", "tx", "rx"):
        yield from _same(key, getattr(here, key), getattr(there, key))
    if here.wavelength_nm and there.wavelength_nm:
        yield from _same("wavelength_nm", here.wavelength_nm, there.wavelength_nm)
    yield from _all_of("protocols", part.protocols, generic.protocols)
    yield from _same("retimed", part.retimed, generic.retimed)
    for grade, reach in generic.reach_m.items():
        # A grade that the vendor does not state is not shorter, only not known; the plan that is bought says so.
        if grade in part.reach_m:
            yield from _reaches(f"reach on {grade}", part.reach_m[grade].value, reach.value)
    if not set(part.reach_m) & set(generic.reach_m):
        yield f"no grade of its reach is one of {_listed(generic.reach_m)}"


def _cable(part: CableAssembly, generic: CableAssembly) -> Iterator[str]:
    yield from _same("kind", part.kind, generic.kind)
    yield from _end("end a", part.a, generic.a)
    yield from _end("end z", part.z, generic.z)
    yield from _same("z_count", part.z_count, generic.z_count)
    yield from _all_of("protocols", part.protocols, generic.protocols)
    yield from _reaches("reach", part.reach_m.value, generic.reach_m.value)


def _cord(part: Cord, generic: Cord) -> Iterator[str]:
    yield from _same("kind", part.kind, generic.kind)
    yield from _same("fibre", part.fibre, generic.fibre)
    yield from _connector("end a", part.a, generic.a)
    yield from _connector("end z", part.z, generic.z)
    for key in ("polarity", "legs"):
        yield from _same(key, getattr(part, key), getattr(generic, key))
    yield from _all_of("populated", part.populated, generic.populated)
    if generic.reach_m.value is not None:
        yield from _reaches("reach", part.reach_m.value, generic.reach_m.value)


_MATTERS: Final = {
    "trunk": ("fibre", "fibres", "legs", "a", "z", "polarity", "populated"),
    "cassette": (
        "fibre",
        "rear",
        "rear_count",
        "front",
        "front_count",
        "populated",
        "wiring",
        "map",
        "labels_reversed",
        "slots",
    ),
    "adapter": ("connector", "ports", "keying", "slots"),
    "panel": ("height_u", "slots"),
}
"""What a plan rests on of structured cabling, by kind."""


def _alike(part: Trunk | Cassette | AdapterPlate | Panel, generic: Any) -> Iterator[str]:
    for key in _MATTERS[part.kind]:
        here, there = getattr(part, key), getattr(generic, key)
        if isinstance(here, Connector):
            yield from _connector(key if part.kind == "cassette" else f"end {key}", here, there)
        else:
            plain = [side.value if isinstance(side, Figure) else side for side in (here, there)]
            yield from _same(key, *plain)


def _device(part: Device, generic: Device) -> Iterator[str]:
    """A plan names the cages and ports of a device, so a drop-in has each of them under the same name."""
    yield from _same("kind", part.kind, generic.kind)
    yield from _same("height_u", part.height_u.value, generic.height_u.value)
    groups = {cage: group for group in part.cages for cage in expand_hostlist(group.names)}
    for wanted in generic.cages:
        missing = [cage for cage in expand_hostlist(wanted.names) if cage not in groups]
        if missing:
            yield f"it has no cage `{missing[0]}`" + (f" and {len(missing) - 1} more of its group" * (len(missing) > 1))
            continue
        for group in {id(groups[cage]): groups[cage] for cage in expand_hostlist(wanted.names)}.values():
            yield from _cages(group, wanted)


def _cages(group: CageGroup, wanted: CageGroup) -> Iterator[str]:
    at = f"cages {wanted.names}"
    for key in ("form_factor", "heat_sink", "lanes", "lane_rate_gbps", "modulation", "face"):
        yield from _same(f"{at}: {key}", getattr(group, key), getattr(wanted, key))
    yield from _all_of(f"{at}: protocols", group.protocols, wanted.protocols)
    yield from _all_of(f"{at}: also_accepts", group.also_accepts, wanted.also_accepts)
    ways = {rate: tuple(group.port_names) for rate in group.rates}
    ways |= {rate: tuple(split.port_names) for split in group.splits for rate in split.rates}
    asked = {rate: tuple(wanted.port_names) for rate in wanted.rates}
    asked |= {rate: tuple(split.port_names) for split in wanted.splits for rate in split.rates}
    for rate, names in asked.items():
        if rate not in ways:
            yield f"{at}: they run no {rate}"
        elif ways[rate] != names:
            yield f"{at}: ports at {rate} are named {_listed(ways[rate])}, not {_listed(names)}"


def _end(at: str, here: PlugEnd, there: PlugEnd) -> Iterator[str]:
    for key in ("form_factor", "heat_sink", "ports", "lanes_per_port", "lane_rate_gbps", "modulation"):
        yield from _same(f"{at}: {key}", getattr(here, key), getattr(there, key))


def _connector(at: str, here: Connector, there: Connector) -> Iterator[str]:
    for key in ("connector", "gender", "polish"):
        yield from _same(f"{at}: {key}", getattr(here, key), getattr(there, key))


def _same(what: str, here: Any, there: Any) -> Iterator[str]:
    if here != there:
        yield f"{what} is {_spoken(here)}, not {_spoken(there)}"


def _all_of(what: str, here: Iterable[Any], there: Iterable[Any]) -> Iterator[str]:
    lacking = [item for item in there if item not in set(here)]
    if lacking:
        yield f"{what} lacks {_listed(lacking)}"


def _reaches(what: str, here: int | None, there: int | None) -> Iterator[str]:
    if there is not None and (here is None or here < there):
        yield f"{what} is {'unknown' if here is None else f'{here / METRE_UM:g} m'}, not {there / METRE_UM:g} m"


def _spoken(value: Any) -> str:
    return _listed(value) if isinstance(value, list | tuple) else str(value)


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(str(value) for value in values)
