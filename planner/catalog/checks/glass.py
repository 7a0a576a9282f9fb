"""Receptacles, cords and splitters: positions that the ferrule has, and every fibre dealt to one place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from planner.catalog.checks.entered import Entered, contradiction
from planner.catalog.fibre import Connector, Cord
from planner.catalog.load import Catalog
from planner.catalog.plugs import Receptacle, Transceiver
from planner.catalog.structured import AdapterPlate, Cassette, Positions, Shuffle, Trunk
from planner.findings import Fault

POSITIONS: Final = {"lc-duplex": 2, "mpo-8": 12, "mpo-12": 12, "mpo-16": 16, "mpo-24": 24}
"""Positions of a ferrule; MPO-8 is an MPO-12 with eight of them filled."""

_WINDOWS: Final = {"multimode": (840, 960), "single-mode": (1260, 1680)}
"""Wavelengths in nm that a fibre is used at."""


def faults_of(entry: Entered, catalog: Catalog) -> Iterator[Fault]:
    match entry.model:
        case Transceiver():
            yield from _optic(entry, entry.model)
        case Cord():
            yield from _cord(entry, entry.model, catalog)
        case Trunk() | Cassette() | Shuffle():
            yield from _structured(entry, entry.model, catalog)
        case AdapterPlate():
            plain = entry.model.connector.startswith("mpo")
            if plain == (entry.model.keying == "none"):
                told = (
                    "couplers of an MPO have keys"
                    if plain
                    else f"couplers of an {entry.model.connector} have no keying"
                )
                yield contradiction(entry, ("keying",), f"the keying is `{entry.model.keying}`, {told}")


def _optic(entry: Entered, optic: Transceiver) -> Iterator[Fault]:
    light = optic.receptacle
    places = POSITIONS.get(light.connector, 0)
    beyond = [position for position in (*light.tx, *light.rx) if places and position > places]
    if beyond:
        yield contradiction(
            entry, ("receptacle",), f"position {beyond[0]} is beyond the {places} of an {light.connector}"
        )
    if len(light.tx) != len(light.rx):
        yield contradiction(entry, ("receptacle",), f"{len(light.tx)} positions send and {len(light.rx)} receive")
    twice = [position for position, count in Counter((*light.tx, *light.rx)).items() if count > 1]
    if twice:
        yield contradiction(entry, ("receptacle",), f"position {twice[0]} is listed twice in `tx` and `rx`")
    # Wavelengths share one fibre of an LC pair; a retimed module may have fewer lanes on the fibre than at the host.
    lanes = optic.end.lanes_per_port
    wanted = {1} if light.connector == "lc-duplex" else {lanes, lanes // 2} if optic.retimed else {lanes}
    if len(light.tx) not in wanted:
        many = " or ".join(str(count) for count in sorted(wanted))
        yield contradiction(
            entry, ("receptacle", "tx"), f"{len(light.tx)} positions send, {many} are wanted for {lanes} lanes"
        )
    yield from _gender(entry, ("receptacle",), light)
    low, high = _WINDOWS[light.fibre]
    if light.wavelength_nm is not None and not low <= light.wavelength_nm <= high:
        yield contradiction(entry, ("receptacle", "wavelength_nm"),
                     f"{light.wavelength_nm} nm on {light.fibre} fibre, {low} to {high} nm are used")  # fmt: skip


def _gender(entry: Entered, path: tuple[str | int, ...], end: Receptacle | Connector) -> Iterator[Fault]:
    has_pins = end.connector.startswith("mpo")
    if has_pins == (end.gender == "none"):
        told = "an MPO is male or female" if has_pins else f"an {end.connector} has no gender"
        yield contradiction(entry, (*path, "gender"), f"the gender is `{end.gender}`, {told}")


def _cord(entry: Entered, cord: Cord, catalog: Catalog) -> Iterator[Fault]:
    if cord.fibre not in catalog.grades:
        yield contradiction(entry, ("fibre",), f"`{cord.fibre}` is not a grade of fibre that `compatibility/` has")
    for key, end in (("a", cord.a), ("z", cord.z)):
        yield from _gender(entry, (key,), end)
    places = POSITIONS.get(cord.a.connector, 0)
    beyond = [position for position in cord.populated if position < 1 or (places and position > places)]
    if beyond:
        yield contradiction(
            entry, ("populated",), f"position {beyond[0]} is not one of the {places} of an {cord.a.connector}"
        )
    if cord.legs is None:
        return
    dealt = Counter(position for leg in cord.legs.values() for position in leg)
    for position in sorted(set(cord.populated) ^ set(dealt)):
        told = "is populated and goes to no leg" if position in cord.populated else "goes to a leg and is not populated"
        yield contradiction(entry, ("legs",), f"position {position} {told}")
    for position in sorted(position for position, count in dealt.items() if count > 1):
        yield contradiction(entry, ("legs",), f"position {position} goes to {dealt[position]} legs")
    for number, leg in cord.legs.items():
        doubled = [place for place, count in Counter(leg.values()).items() if count > 1]
        if doubled:
            yield contradiction(
                entry, ("legs", str(number)), f"two fibres of leg {number} end at position {doubled[0]}"
            )


def _structured(entry: Entered, part: Trunk | Cassette | Shuffle, catalog: Catalog) -> Iterator[Fault]:
    if part.fibre not in catalog.grades:
        yield contradiction(entry, ("fibre",), f"`{part.fibre}` is not a grade of fibre that `compatibility/` has")
    ends: tuple[tuple[str, Connector, int], ...]
    if isinstance(part, Cassette):
        ends = (("rear", part.rear, part.rear_count), ("front", part.front, part.front_count))
    else:
        counts = (1, 1) if isinstance(part, Trunk) else (part.a_count, part.z_count)
        ends = (("a", part.a, counts[0]), ("z", part.z, counts[1]))
    filled = [] if isinstance(part, Shuffle) else part.populated
    for key, end, _ in ends:
        yield from _gender(entry, (key,), end)
    places = POSITIONS.get(ends[0][1].connector, 0)
    beyond = [position for position in filled if places and position > places]
    if beyond:
        yield contradiction(
            entry, ("populated",), f"position {beyond[0]} is not one of the {places} of an {ends[0][1].connector}"
        )
    if not isinstance(part, Trunk) and part.map is not None:
        yield from _map(entry, part.map, ends)


def _map(entry: Entered, written: Positions, ends: tuple[tuple[str, Connector, int], ...]) -> Iterator[Fault]:
    """Every fibre begins and ends at a place that the faces have, and no two at the same one."""
    met: dict[tuple[int, int], tuple[int, int]] = {}
    for plug, row in written.items():
        for position, there in row.items():
            at = ("map", str(plug), str(position))
            for (key, end, count), (number, place) in zip(ends, ((plug, position), there), strict=True):
                if not (1 <= number <= count and 1 <= place <= POSITIONS.get(end.connector, place)):
                    yield contradiction(entry, at, f"plug {number}, position {place} is no place of `{key}`")
            if there in met:
                yield contradiction(entry, at, f"plug {there[0]}, position {there[1]} has two fibres")
            met[there] = (plug, position)
