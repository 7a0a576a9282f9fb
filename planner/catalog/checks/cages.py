"""Devices: cages whose lanes carry their rates, limits and budgets of cages that exist, and places on the face."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from planner.catalog.checks.entered import Entered, contradiction, unknown_rate
from planner.catalog.devices import CageGroup, Device, Split
from planner.catalog.load import Catalog
from planner.catalog.plugs import HeatSink
from planner.findings import Fault
from planner.names import HostlistError, expand_hostlist

MM: Final = 1_000
MOST_U_PITCH_UM: Final = 48_000
"""A unit of an Open Rack; the smaller one of 44.45 mm is inside it."""


def faults_of(entry: Entered, catalog: Catalog) -> Iterator[Fault]:
    if isinstance(entry.model, Device):
        yield from _device(entry, entry.model, catalog)


def _device(entry: Entered, device: Device, catalog: Catalog) -> Iterator[Fault]:
    every = {cage for group in device.cages for cage in _names(group.names)}
    for number, group in enumerate(device.cages):
        at = ("cages", number)
        yield from _cage(entry, at, group, catalog)
        for row, limit in enumerate(group.power_limits):
            strange = [cage for cage in _names(limit.cages) if cage not in _names(group.names)]
            if strange:
                yield contradiction(entry, (*at, "power_limits", row, "cages"), f"its group has no cage `{strange[0]}`")
        yield from _places(entry, at, group, device)
    for row, budget in enumerate(device.port_budgets):
        strange = [cage for cage in _names(budget.cages) if cage not in every]
        if strange:
            yield contradiction(entry, ("port_budgets", row, "cages"), f"it has no cage `{strange[0]}`")
    most, usual = (figure.value if figure else None for figure in (device.power_max_w, device.power_w))
    if most is not None and usual is not None and usual > most:
        yield contradiction(entry, ("power_max_w",), f"{most / 1000:g} W at most, {usual / 1000:g} W usually")


def _names(text: str) -> list[str]:
    try:
        return expand_hostlist(text)
    except HostlistError:
        return []  # the schema has told it


def _cage(entry: Entered, at: tuple[str | int, ...], group: CageGroup, catalog: Catalog) -> Iterator[Fault]:
    own = Split.model_construct(port_names=group.port_names, rates=group.rates, lanes=None)
    ways = [(at, own), *((((*at, "splits", row)), split) for row, split in enumerate(group.splits))]
    protocols = set()
    for path, way in ways:
        for system, names in (group if way is own else way).os_port_names.items():
            if len(names) != len(way.port_names):
                yield contradiction(entry, (*path, "os_port_names"),
                             f"{system} names {len(names)} ports of a cage of {len(way.port_names)}")  # fmt: skip
        for rate_id in way.rates:
            rate = catalog.rates.get(rate_id)
            if rate is None:
                yield unknown_rate(entry, (*path, "rates"), rate_id, catalog)
                continue
            protocols.add(rate.protocol)
            ports = len(way.port_names)
            # A cage of four 100G lanes may also have eight of 50G; its split then says how many each port takes.
            lanes = max(group.lanes, (way.lanes or 0) * ports)
            too_fast = rate.gbps * ports > group.lanes * group.lane_rate_gbps
            if rate.lanes * ports > lanes or rate.lane_rate_gbps > group.lane_rate_gbps or too_fast:
                yield contradiction(entry, (*path, "rates"),
                             f"{ports} x `{rate_id}` is {rate.lanes * ports} lanes of {rate.lane_rate_gbps}G, cages "
                             f"`{group.names}` have {group.lanes} of {group.lane_rate_gbps}G")  # fmt: skip
    if protocols and protocols != set(group.protocols):
        spoken = ", ".join(sorted(protocol.value for protocol in protocols))
        yield contradiction(entry, (*at, "protocols"), f"cages `{group.names}` run rates of {spoken}")
    cages = {(fit.cage_form_factor, fit.cage_heat_sink) for fit in catalog.fits}
    if (group.form_factor, group.heat_sink) not in cages:
        yield contradiction(entry, (*at, "form_factor"), f"no line of `fits` lets any plug enter a cage {_form(group)}")
    for older in group.also_accepts:
        fits = ((fit.cage_form_factor, fit.cage_heat_sink, fit.plug_form_factor) for fit in catalog.fits)
        if (group.form_factor, group.heat_sink, older) not in set(fits):
            yield contradiction(entry, (*at, "also_accepts"),
                         f"no line of `fits` lets a plug `{older}` enter a cage {_form(group)}")  # fmt: skip


def _places(entry: Entered, at: tuple[str | int, ...], group: CageGroup, device: Device) -> Iterator[Fault]:
    """Cages lie on the face: between the device's sides, and between its underside and its top."""
    points: list[tuple[int, int]] = [(point.x_mm, point.z_mm) for point in group.points.at] if group.points else []
    if (grid := group.grid) is not None:
        far = (
            grid.first_x_mm + (grid.columns - 1) * grid.pitch_x_mm,
            grid.first_z_mm + (grid.rows - 1) * grid.pitch_z_mm,
        )
        points = [(grid.first_x_mm, grid.first_z_mm), far]
    # A 0U device is as tall as it is, and the ports of a side face stand along its depth.
    width = (device.depth_mm if group.face in ("left", "right") else device.width_mm).value
    units = device.height_u.value or None
    beside = [x for x, _ in points if x < 0 or (width is not None and x > width)]
    above = [z for _, z in points if z < 0 or (units is not None and z > units * MOST_U_PITCH_UM)]
    where = (*at, "grid" if group.grid else "points")
    if beside:
        size = "of unknown width" if width is None else f"{width / MM:g} mm wide"
        yield contradiction(entry, where, f"a cage of `{group.names}` is {beside[-1] / MM:g} mm from the left edge, "
                                   f"the device is {size}")  # fmt: skip
    if above:
        size = "of unknown height" if units is None else f"{units} U high"
        yield contradiction(entry, where, f"a cage of `{group.names}` is {above[-1] / MM:g} mm above the underside, "
                                   f"the device is {size}")  # fmt: skip


def _form(group: CageGroup) -> str:
    return f"`{group.form_factor}`" + (f" ({group.heat_sink.value})" if group.heat_sink is not HeatSink.NONE else "")
