"""Statements that must agree: lanes and speeds, references between entries, lengths and reaches, sizes of racks, prices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from planner.catalog.checks.entered import Entered, contradiction, unknown_rate
from planner.catalog.compatibility import Compatibility
from planner.catalog.fibre import Cord
from planner.catalog.load import Catalog
from planner.catalog.plugs import CableAssembly, HeatSink, PlugEnd, Transceiver
from planner.catalog.prices import PriceBook
from planner.catalog.racks import PathwayType, RackType
from planner.catalog.structured import Trunk
from planner.findings import Fault
from planner.names import nearest

UM: Final = 1_000_000
MM: Final = 1_000


def faults_of(entry: Entered, catalog: Catalog) -> Iterator[Fault]:
    match entry.model:
        case Transceiver():
            yield from _end(entry, ("end",), entry.model.end, catalog)
            yield from _optic(entry, entry.model, catalog)
        case CableAssembly():
            yield from _end(entry, ("a",), entry.model.a, catalog)
            yield from _end(entry, ("z",), entry.model.z, catalog)
            yield from _lengths(entry, entry.model)
        case Cord() | Trunk():
            yield from _lengths(entry, entry.model)
        case RackType():
            yield from _rack(entry, entry.model)
        case PathwayType():
            if entry.model.usable_depth_mm > entry.model.side_wall_mm:
                yield contradiction(entry, ("usable_depth_mm",), "cables may lie higher than the side wall")
        case Compatibility():
            yield from _compatibility(entry, entry.model, catalog)
        case PriceBook():
            yield from _prices(entry, entry.model, catalog)


def _end(entry: Entered, path: tuple[str | int, ...], end: PlugEnd, catalog: Catalog) -> Iterator[Fault]:
    shape = (end.lanes_per_port, end.lane_rate_gbps, end.modulation)
    if shape not in {(rate.lanes, rate.lane_rate_gbps, rate.modulation) for rate in catalog.rates.values()}:
        gbps = end.lanes_per_port * end.lane_rate_gbps
        yield contradiction(
            entry, path, f"no rate has {shape[0]} lanes of {shape[1]}G {shape[2].value}, {gbps} Gb/s a port"
        )
    if (end.form_factor, end.heat_sink) not in {(fit.plug_form_factor, fit.plug_heat_sink) for fit in catalog.fits}:
        yield contradiction(entry, (*path, "form_factor"), f"no line of `fits` lets a plug {_form(end)} enter any cage")
    form = catalog.form_factors.get(end.form_factor)
    lanes = end.ports * end.lanes_per_port
    if form is not None and lanes > form.lanes:
        yield contradiction(entry, path, f"{lanes} lanes, a plug `{form.id}` has {form.lanes}")
    if form is not None and end.lane_rate_gbps > form.lane_rate_gbps:
        yield contradiction(entry, (*path, "lane_rate_gbps"),
                     f"lanes of {end.lane_rate_gbps}G, those of `{form.id}` carry {form.lane_rate_gbps}G")  # fmt: skip


def _form(of: PlugEnd) -> str:
    return f"`{of.form_factor}`" + (f" ({of.heat_sink.value})" if of.heat_sink is not HeatSink.NONE else "")


def _optic(entry: Entered, optic: Transceiver, catalog: Catalog) -> Iterator[Fault]:
    for grade, reach in optic.reach_m.items():
        at = ("reach_m", grade)
        known = catalog.grades.get(grade)
        budget = catalog.budgets.get((optic.pmd, grade))
        if known is None:
            yield contradiction(entry, at, f"`{grade}` is not a grade of fibre that `compatibility/` has")
        elif known.fibre != optic.receptacle.fibre:
            yield contradiction(
                entry, at, f"`{grade}` is {known.fibre} fibre, the receptacle is {optic.receptacle.fibre}"
            )
        elif budget is None:
            yield contradiction(entry, at, f"`budgets` has no line of interface `{optic.pmd}` on {grade}")
        elif budget.reach_m.value is not None and (reach.value or 0) > budget.reach_m.value:
            most = f"{budget.reach_m.value / UM:g} m"
            yield contradiction(
                entry, at, f"{(reach.value or 0) / UM:g} m on {grade}, interface `{optic.pmd}` has {most}"
            )
    for number, app in enumerate(optic.applications):
        at_app = ("applications", number)
        for rate_id in app.rates:
            rate = catalog.rates.get(rate_id)
            if rate is None:
                yield unknown_rate(entry, (*at_app, "rates"), rate_id, catalog)
            elif (rate.lanes, rate.lane_rate_gbps) != (app.host_lanes, app.host_lane_rate_gbps):
                yield contradiction(entry, at_app, f"{app.host_lanes} host lanes of {app.host_lane_rate_gbps}G are not "
                                            f"`{rate_id}`, which is {rate.lanes} of {rate.lane_rate_gbps}G")  # fmt: skip
        lanes = optic.end.ports * optic.end.lanes_per_port
        beyond = [start for start in app.starts if start + app.host_lanes - 1 > lanes]
        if beyond:
            yield contradiction(entry, (*at_app, "starts"),
                         f"{app.host_lanes} lanes from lane {beyond[0]}, the plug has {lanes}")  # fmt: skip


def _lengths(entry: Entered, family: CableAssembly | Cord | Trunk) -> Iterator[Fault]:
    before = 0
    limit = None if isinstance(family, Trunk) else family.reach_m
    reach = limit.value if limit is not None else None
    for row, member in enumerate(family.members):
        at = ("members", row, "length_m")
        if member.length_m <= 0:
            yield contradiction(entry, at, f"`{member.part}` has no length")
        elif member.length_m <= before:
            yield contradiction(
                entry, at, f"`{member.part}` is no longer than the one before it", "sort them by length"
            )
        # A note at the reach is where a maker's own exception is told.
        if reach is not None and member.length_m > reach and not (limit and limit.note):
            yield contradiction(entry, at, f"`{member.part}` is {member.length_m / UM:g} m long, its reach is {reach / UM:g} m",
                         "correct one of them, or say in the note of `reach_m` why it is so")  # fmt: skip
        before = max(before, member.length_m)


def _rack(entry: Entered, rack: RackType) -> Iterator[Fault]:
    top = rack.u1_mm + rack.units * rack.u_pitch_mm
    if top > rack.height_mm:
        yield contradiction(
            entry, ("units",), f"{rack.units} units end {top / MM:g} mm up, the rack is {rack.height_mm / MM:g} mm"
        )
    if not 0 < rack.front_rail_mm < rack.rear_rail_mm < rack.depth_mm:
        yield contradiction(entry, ("rear_rail_mm",), "the rails do not lie one behind the other inside the rack")
    for row, manager in enumerate(rack.managers):
        width, depth = manager.section_mm
        inside = 2 * abs(manager.x_mm) + width <= rack.width_mm and manager.y_mm + depth // 2 <= rack.depth_mm
        if not inside or manager.z_mm[0] >= manager.z_mm[1]:
            yield contradiction(entry, ("managers", row), f"the {manager.side} manager is not inside the rack")
    for row, thing in enumerate(rack.rear_zone):
        across = -rack.width_mm <= 2 * thing.x_mm[0] and 2 * thing.x_mm[1] <= rack.width_mm
        deep = thing.y_mm[0] >= 0 and thing.y_mm[1] <= rack.depth_mm
        if not (across and deep and thing.z_mm[0] >= 0 and thing.z_mm[1] <= rack.height_mm):
            yield contradiction(entry, ("rear_zone", row), f"`{thing.name}` is not inside the rack")


def _compatibility(entry: Entered, file: Compatibility, catalog: Catalog) -> Iterator[Fault]:
    for row, rate in enumerate(file.rates):
        speed = rate.lanes * rate.lane_rate_gbps
        if speed != rate.gbps:
            yield contradiction(entry, ("rates", row, "gbps"),
                         f"`{rate.id}` is {rate.gbps} Gb/s, {rate.lanes} lanes of {rate.lane_rate_gbps}G are {speed}")  # fmt: skip
        if rate.of is not None and rate.of not in catalog.rates:
            yield unknown_rate(entry, ("rates", row, "of"), rate.of, catalog)
    for row, fit in enumerate(file.fits):
        if fit.cage_heat_sink is not fit.plug_heat_sink:
            yield contradiction(entry, ("fits", row), f"a {fit.plug_heat_sink.value} plug in a {fit.cage_heat_sink.value} cage: "
                                               "the heat sink would be missing, or there twice")  # fmt: skip
    for row, budget in enumerate(file.budgets):
        if budget.grade not in catalog.grades:
            yield contradiction(entry, ("budgets", row, "grade"), f"`{budget.grade}` is not a grade of fibre")


def _prices(entry: Entered, book: PriceBook, catalog: Catalog) -> Iterator[Fault]:
    seen: set[str] = set()
    for row, price in enumerate(book.prices):
        at = ("prices", row, "part")
        if price.part.lower() in seen:
            yield contradiction(entry, at, f"`{price.part}` has two prices in one book", "keep one of the two")
        elif price.part.lower() not in catalog.numbers.keys() | catalog.component_parts.keys():
            meant = nearest(price.part, list(catalog.part_names))
            yield contradiction(entry, at, f"no catalog has the part `{price.part}`",
                         f"did you mean `{meant}`?" if meant else "correct the number, or enter the part")  # fmt: skip
        seen.add(price.part.lower())
