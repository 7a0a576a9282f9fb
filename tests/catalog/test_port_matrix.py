"""Every plug of the shipped catalog against every kind of cage: accepted, or refused and by which rules.

The table beside this file is for reading: a wrong acceptance is a cable that does not plug in. `--update-golden` writes
it anew; then read the diff.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from planner.catalog.chassis import PortState, states_of
from planner.catalog.compatibility import Rate
from planner.catalog.devices import CageGroup
from planner.catalog.figures import Figure
from planner.catalog.load import Catalog, load_catalog
from planner.catalog.plugs import CableAssembly, PlugEnd, Protocol, Transceiver
from planner.data import catalogs_folder
from planner.names import natural_key
from planner.reader import Sources
from planner.rules import RULES
from planner.selection.fit import CageKind, plug_faults

GOLDEN: Final = Path(__file__).with_name("port-matrix.txt")

LETTERS: Final = {
    "wrong-form-factor": "F",
    "wrong-heat-sink": "H",
    "wrong-port-count": "N",
    "wrong-lanes": "L",
    "rate-not-supported": "R",
    "wrong-protocol": "P",
    "over-cage-power": "W",
}
ACCEPTED: Final = "+"

HEAD: Final = """\
Which plug works in which cage, by the rules of planner/selection/fit.py and the figures of catalogs/.
Renew with `pytest tests/catalog/test_port_matrix.py --update-golden`, then read the diff.

A column is a kind of cage, split in one way, at the first rate of that split, with all devices that have it. Cages that
differ in their power limit alone share a column where every plug fares alike in them.
A row is a transceiver, or one end of a cable (`a` the head, `z` each of the others; without a letter both are alike):
its ports x lanes x lane rate on the cage's side, its protocols (i InfiniBand, e Ethernet) and what it draws.
`+` is accepted; a letter is a reason against it:
"""


@dataclass(frozen=True)
class Cage:
    """A kind of cage as a plug meets it, the devices that have it, and the limits with which it comes to the same."""

    kind: CageKind
    rate: Rate
    devices: tuple[str, ...]
    limits: tuple[int | None, ...]

    @property
    def place(self) -> tuple[str, str]:
        return self.kind.group.form_factor, self.kind.group.heat_sink.value

    @property
    def spoken(self) -> str:
        group = self.kind.group
        ports = "1 port" if self.kind.ports == 1 else f"{self.kind.ports} ports"
        older = f", also {' '.join(group.also_accepts)}" if group.also_accepts else ""
        known = [f"{limit / 1000:g}" for limit in self.limits if limit is not None]
        watts = ", ".join(["limit unknown"] * (None in self.limits) + [f"{' or '.join(known)} W"] * bool(known))
        protocols = _protocols(group.protocols)
        return f"{ports} of {self.rate.id} ({_lanes(1, self.rate.lanes, self.rate)}), {protocols}, {watts}{older}"


@dataclass(frozen=True)
class Plug:
    part: Transceiver | CableAssembly
    end: PlugEnd
    name: str

    @property
    def spoken(self) -> str:
        power = self.part.power_w.value
        watts = "? W" if power is None else f"{power / 1000:g} W"
        lanes = _lanes(self.end.ports, self.end.lanes_per_port, self.end)
        return f"{self.name:<44} {lanes:<14} {_protocols(self.part.protocols):<2} {watts:>6}"


def _lanes(ports: int, lanes: int, of: PlugEnd | Rate) -> str:
    kind = {"pam4": "", "nrz": "n", "base-t": "t"}[of.modulation.value]
    return f"{f'{ports}x' if ports > 1 else ''}{lanes}x{of.lane_rate_gbps}{kind}"


def _protocols(protocols: list[Protocol]) -> str:
    return "".join(letter for letter in "ie" if any(p.value.startswith(letter) for p in protocols))


@cache
def shipped() -> Catalog:
    return load_catalog(Sources(Path()), catalogs_folder())


def cages(catalog: Catalog) -> list[Cage]:
    """Every kind of cage there is, in order of form factor, protocol, rate, ports and limit."""
    return _merged(_kinds(catalog, only_first=True), plugs(catalog), catalog)


def _kinds(catalog: Catalog, *, only_first: bool) -> list[Cage]:
    """Kinds of cage by everything that is judged, at the first rate of each split or at all its rates."""
    found: dict[tuple[object, ...], tuple[CageKind, Rate, list[str]]] = {}
    for model, device in catalog.devices.items():
        for group in device.cages:
            for state, limit in _ways(group):
                for rate in [catalog.rates[id_] for id_ in state.rates][: 1 if only_first else None]:
                    key = (
                        group.form_factor, group.heat_sink, _protocols(group.protocols), rate.id,
                        len(state.port_names), limit.value, tuple(sorted(group.also_accepts)),
                    )  # fmt: skip
                    found.setdefault(key, (CageKind(model, group, state, limit, rate), rate, []))[2].append(model)
    kinds = [Cage(kind, rate, tuple(sorted(set(models))), (kind.limit.value,)) for kind, rate, models in found.values()]
    return sorted(kinds, key=_order)


def _merged(kinds: list[Cage], rows: list[Plug], catalog: Catalog) -> list[Cage]:
    """Columns that differ in their limit alone, and in nothing that comes of it, as one."""
    merged: dict[tuple[object, ...], Cage] = {}
    for cage in kinds:
        group = cage.kind.group
        alike = (*cage.place, _protocols(group.protocols), cage.rate.id, cage.kind.ports, tuple(group.also_accepts),
                 *(verdict(plug, cage, catalog) for plug in rows))  # fmt: skip
        first = merged.get(alike)
        merged[alike] = cage if first is None else replace(
            first, devices=tuple(sorted({*first.devices, *cage.devices})), limits=(*first.limits, *cage.limits)
        )  # fmt: skip
    return list(merged.values())


def _ways(group: CageGroup) -> Iterator[tuple[PortState, Figure[int]]]:
    for state in states_of(group):
        yield state, group.max_power_w
        for exception in group.power_limits:
            yield state, exception.max_power_w


def _order(cage: Cage) -> tuple[object, ...]:
    group, limit = cage.kind.group, cage.kind.limit.value
    return (*cage.place, _protocols(group.protocols), -cage.rate.lane_rate_gbps, cage.kind.ports, natural_key(cage.rate.id),
            -1 if limit is None else limit, group.also_accepts)  # fmt: skip


def plugs(catalog: Catalog) -> list[Plug]:
    """Every transceiver and cable end, in order of form factor, heat sink and name."""
    found = [Plug(part, part.end, id_) for id_, part in catalog.transceivers.items()]
    for id_, cable in catalog.cables.items():
        alike = cable.a == cable.z
        found += [Plug(cable, cable.a, id_ if alike else f"{id_} a")]
        found += [] if alike else [Plug(cable, cable.z, f"{id_} z")]
    return sorted(found, key=lambda p: (p.end.form_factor, p.end.heat_sink.value, natural_key(p.name)))


def verdict(plug: Plug, cage: Cage, catalog: Catalog) -> str:
    rules = {rule for rule, _ in plug_faults(plug.end, plug.part, cage.kind, cage.rate, catalog)}
    return "".join(letter for rule, letter in LETTERS.items() if rule in rules) or ACCEPTED


def table(catalog: Catalog) -> str:
    by_name = {rule.name: rule.id for rule in RULES.values()}
    lines = [HEAD.rstrip()]
    lines += [f"  {letter}  {rule} ({by_name[rule]})" for rule, letter in LETTERS.items()]
    rows, columns = plugs(catalog), cages(catalog)
    forms = sorted({(plug.end.form_factor, plug.end.heat_sink.value) for plug in rows})
    for place in sorted({cage.place for cage in columns}):
        block = [cage for cage in columns if cage.place == place]
        codes = [f"{_code(place)}{number}" for number, _ in enumerate(block, start=1)]
        lines += ["", "", f"== {_named(place)} cages", ""]
        lines += [f"{code:<5} {cage.spoken}: {' '.join(cage.devices)}" for code, cage in zip(codes, block, strict=True)]
        outside = []
        for form in forms:
            group = [plug for plug in rows if (plug.end.form_factor, plug.end.heat_sink.value) == form]
            cells = [[verdict(plug, cage, catalog) for cage in block] for plug in group]
            # Once a plug does not enter, lanes and watts are idle words: such a group is a line, not a block of them.
            stops = {cell[0] if cell[0] in "FH" else "" for row in cells for cell in row}
            if "" not in stops and len(stops) == 1:
                outside.append(f"{_named(form)} plugs ({len(group)}): {stops.pop()} in all")
                continue
            widths = [max(len(code), *(len(row[n]) for row in cells)) for n, code in enumerate(codes)]
            head = " ".join(code.ljust(width) for code, width in zip(codes, widths, strict=True))
            lines += ["", f"{f'-- {_named(form)} plugs':<70}{head}".rstrip()]
            for plug, row in zip(group, cells, strict=True):
                told = " ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
                lines.append(f"{plug.spoken:<70}{told}".rstrip())
        lines += ["", *outside] if outside else []
    every = _kinds(catalog, only_first=False)
    lines += ["", "", "== plugs that no cage accepts, at any of its rates", ""]
    lines += [plug.spoken.rstrip() for plug in rows if not any(verdict(plug, c, catalog) == ACCEPTED for c in every)]
    lines += ["", "", "== columns that accept no plug", ""]
    lines += [
        f"{_named(cage.place)}: {cage.spoken}: {' '.join(cage.devices)}"
        for cage in columns
        if not any(verdict(plug, cage, catalog) == ACCEPTED for plug in rows)
    ]
    return "\n".join(lines) + "\n"


def _named(form: tuple[str, str]) -> str:
    return form[0] if form[0] != "osfp" else f"{form[0]} {form[1]}"


def _code(place: tuple[str, str]) -> str:
    codes = {"osfp": "O", "qsfp-dd": "D", "qsfp-dd800": "E", "qsfp112-dd": "C", "qsfp112": "Q", "qsfp56": "H",
             "qsfp28": "G", "sfp28": "S", "sfp-plus": "T", "rj45": "J"}  # fmt: skip
    return codes[place[0]] + {"finned": "i", "flat": "r" if place[0] == "osfp" else "", "none": ""}[place[1]]


def test_every_plug_in_every_cage_is_as_the_table_says(update_golden: bool) -> None:
    text = table(shipped())
    if update_golden:
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_no_acceptance_breaks_a_law() -> None:
    """What people get wrong, said again in other words than the planner's."""
    catalog = shipped()
    broken = []
    for cage in cages(catalog):
        group = cage.kind.group
        for plug in plugs(catalog):
            if verdict(plug, cage, catalog) != ACCEPTED:
                continue
            end, power = plug.end, plug.part.power_w.value
            apps = getattr(plug.part, "applications", [])
            lane_rates = {end.lane_rate_gbps, *(app.host_lane_rate_gbps for app in apps)}
            laws = {
                "enters": end.form_factor in (group.form_factor, *group.also_accepts),
                "heat sink": end.heat_sink is group.heat_sink,
                "protocol": cage.rate.protocol in plug.part.protocols and cage.rate.protocol in group.protocols,
                "lane rate": cage.rate.lane_rate_gbps in lane_rates or cage.rate.modulation == "base-t",
                "lanes": end.ports * end.lanes_per_port <= max(group.lanes, cage.kind.ports * cage.kind.state.lanes),
                "ports": end.ports == cage.kind.ports or bool(apps),
                "power": power is None or all(limit is None or power <= limit for limit in cage.limits),
            }
            broken += [f"{plug.name} in {cage.spoken}: {law}" for law, holds in laws.items() if not holds]
    assert broken == []
