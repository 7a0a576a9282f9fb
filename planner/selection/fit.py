"""Whether a plug may go into a cage and carry a rate there; every reason against it, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from planner.catalog.compatibility import Rate
from planner.catalog.devices import CageGroup
from planner.catalog.figures import Figure, Lifecycle
from planner.catalog.load import Catalog
from planner.catalog.plugs import CableAssembly, HeatSink, PlugEnd, Protocol, Transceiver


@dataclass(frozen=True)
class CageKind:
    """A group of equal cages, as a plug meets them; model: id of the device family."""

    model: str
    group: CageGroup

    @cached_property
    def ports(self) -> int:
        return len(self.group.port_names)

    @property
    def spoken(self) -> str:
        return f"the {_sink(self.group.heat_sink)}{self.group.form_factor} cage of `{self.model}`"


def _sink(sink: HeatSink) -> str:
    return "" if sink is HeatSink.NONE else f"{sink.value} "


def plug_faults(
    plug: PlugEnd, part: Transceiver | CableAssembly, cage: CageKind, rate: Rate, catalog: Catalog
) -> Iterator[tuple[str, str]]:
    """Every reason why a plug does not work in a cage at a rate: name of the rule it breaks, and the words for it."""
    group = cage.group
    entering = [
        fit
        for fit in catalog.fits
        if (fit.cage_form_factor, fit.cage_heat_sink) == (group.form_factor, group.heat_sink)
        and fit.plug_form_factor == plug.form_factor
        and (plug.form_factor in (group.form_factor, *group.also_accepts))
    ]
    if not entering:
        yield "wrong-form-factor", f"a {plug.form_factor} plug does not enter {cage.spoken}"
    elif all(fit.plug_heat_sink is not plug.heat_sink for fit in entering):
        yield "wrong-heat-sink", f"a {plug.heat_sink.value} {plug.form_factor} plug does not enter {cage.spoken}"
    if plug.ports != cage.ports:
        yield (
            "wrong-port-count",
            f"a plug of {_ports(plug.ports)} does not serve {cage.spoken}, which has {_ports(cage.ports)}",
        )
    if rate.id not in group.rates:
        yield "rate-not-supported", f"{cage.spoken} does not run `{rate.id}`"
    if (plug.lanes_per_port, plug.lane_rate_gbps, plug.modulation) != (
        rate.lanes,
        rate.lane_rate_gbps,
        rate.modulation,
    ):
        yield (
            "wrong-lanes",
            f"it has {_lanes(plug.lanes_per_port, plug)} a port, `{rate.id}` needs {_lanes(rate.lanes, rate)}",
        )
    wanted = Protocol(rate.protocol)
    if wanted not in part.protocols:
        yield "wrong-protocol", f"it does not carry {wanted.value}"
    if wanted not in group.protocols:
        yield "wrong-protocol", f"{cage.spoken} does not speak {wanted.value}"
    power, limit = part.power_w.value, group.max_power_w.value
    if power is not None and limit is not None and power > limit:
        yield "over-cage-power", f"it draws {_watts(power)} W, {cage.spoken} feeds {_watts(limit)} W"


def power_is_proven(power: Figure[int], limit: Figure[int]) -> bool:
    return power.proven and limit.proven


def orderable(part: Transceiver | CableAssembly | object) -> str | None:
    """Why a part is not chosen without a pin, or None."""
    lifecycle = getattr(part, "lifecycle").value  # noqa: B009 - every family has one; only its type differs
    if lifecycle in (Lifecycle.DISCONTINUED, Lifecycle.PLANNED):
        return f"it is {lifecycle.value}"
    return None


def _lanes(count: int, of: PlugEnd | Rate) -> str:
    return f"{count} x {of.lane_rate_gbps}G {of.modulation.value}"


def _ports(count: int) -> str:
    return "one port" if count == 1 else f"{count} ports"


def _watts(milliwatts: int) -> str:
    return f"{milliwatts / 1000:g}"
