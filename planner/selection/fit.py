"""Whether a plug may go into a cage and carry a rate there; every reason against it, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from planner.catalog.chassis import PortState
from planner.catalog.compatibility import Rate
from planner.catalog.devices import CageGroup
from planner.catalog.figures import Figure, Lifecycle
from planner.catalog.load import Catalog
from planner.catalog.plugs import CableAssembly, HeatSink, Modulation, PlugEnd, Protocol, Transceiver


@dataclass(frozen=True)
class CageKind:
    """Equal cages split alike, as a plug meets them.

    model: id of the device family. limit: power that the cage feeds. rate: the electrical form in which the ports run
    the fabric's rate; None where they do not run it.
    """

    model: str
    group: CageGroup
    state: PortState
    limit: Figure[int]
    rate: Rate | None

    @cached_property
    def ports(self) -> int:
        return len(self.state.port_names)

    @property
    def spoken(self) -> str:
        return f"the {_sink(self.group.heat_sink)}{self.group.form_factor} cage of `{self.model}`"


def _sink(sink: HeatSink) -> str:
    return "" if sink is HeatSink.NONE else f"{sink.value} "


@dataclass(frozen=True, slots=True)
class Mode:
    """How a plug serves the ports of a cage: lanes of one instance on both sides, where it may start, its interface."""

    host_lanes: int
    lane_rate_gbps: int
    modulation: Modulation
    media_lanes: int
    starts: tuple[int, ...]
    pmd: str


def modes_of(part: Transceiver | CableAssembly, end: PlugEnd) -> Iterator[Mode]:
    """The native mode of a plug, then the applications that it has beside."""
    starts = tuple(1 + i * end.lanes_per_port for i in range(end.ports))
    if isinstance(part, CableAssembly):
        yield Mode(end.lanes_per_port, end.lane_rate_gbps, end.modulation, end.lanes_per_port, starts, "")
        return
    yield Mode(end.lanes_per_port, end.lane_rate_gbps, end.modulation, len(part.receptacle.tx), starts, part.pmd)
    for app in part.applications:
        pmd = app.pmd or part.pmd
        yield Mode(app.host_lanes, app.host_lane_rate_gbps, app.modulation, app.media_lanes, tuple(app.starts), pmd)


def mode_in(part: Transceiver | CableAssembly, end: PlugEnd, cage: CageKind, rate: Rate) -> Mode | None:
    """The mode in which a plug serves every port of a cage at a rate; an application made for the rate goes first."""
    rate = cage.rate or rate
    return _serving(_modes_for(part, end, rate), cage, rate)


def _serving(modes: Sequence[Mode], cage: CageKind, rate: Rate) -> Mode | None:
    """The first mode that has an instance for each port of the cage."""
    wanted = {1 + i * rate.lanes for i in range(cage.ports)}
    for mode in modes:
        if mode.host_lanes == rate.lanes and len(mode.starts) == cage.ports and wanted <= set(mode.starts):
            return mode
    return None


def interface_in(part: Transceiver, cage: CageKind, rate: Rate) -> str:
    """The optical interface that a transceiver speaks in a cage at a rate; its own where it cannot run there."""
    mode = mode_in(part, part.end, cage, rate)
    return mode.pmd if mode else part.pmd


def _modes_for(part: Transceiver | CableAssembly, end: PlugEnd, rate: Rate) -> list[Mode]:
    """Modes whose lanes are those of a rate, the ones that name it first."""
    apps = [False] if isinstance(part, CableAssembly) else [False, *(rate.id in a.rates for a in part.applications)]
    found = [(mode, named) for mode, named in zip(modes_of(part, end), apps, strict=True) if _same_lanes(mode, rate)]
    return [mode for mode, named in found if named] + [mode for mode, named in found if not named]


def _same_lanes(mode: Mode, rate: Rate) -> bool:
    if mode.modulation is Modulation.BASE_T is rate.modulation:
        return mode.lane_rate_gbps >= rate.lane_rate_gbps  # twisted pair runs at the rate its jacks agree on
    return (mode.host_lanes, mode.lane_rate_gbps, mode.modulation) == (rate.lanes, rate.lane_rate_gbps, rate.modulation)


def plug_faults(
    plug: PlugEnd, part: Transceiver | CableAssembly, cage: CageKind, rate: Rate, catalog: Catalog
) -> Iterator[tuple[str, str]]:
    """Every reason why a plug does not work in a cage at a rate: name of the rule it breaks, and the words for it."""
    group = cage.group
    here = cage.rate or rate
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
    modes = _modes_for(part, plug, here)
    lanes_fit, serves = bool(modes), _serving(modes, cage, here) is not None
    if plug.ports != cage.ports and not serves:
        yield (
            "wrong-port-count",
            f"a plug of {_ports(plug.ports)} does not serve {cage.spoken}, which has {_ports(cage.ports)}",
        )
    elif lanes_fit and not serves:
        yield "wrong-port-count", f"it cannot be divided into {_ports(cage.ports)} as {cage.spoken} is"
    if cage.rate is None:
        yield "rate-not-supported", f"{cage.spoken} does not run `{rate.id}`"
    if not lanes_fit:
        yield (
            "wrong-lanes",
            f"it has {_lanes(plug.lanes_per_port, plug)} a port, `{here.id}` needs {_lanes(here.lanes, here)}",
        )
    wanted = Protocol(rate.protocol)
    if wanted not in part.protocols:
        yield "wrong-protocol", f"it does not carry {wanted.value}"
    if wanted not in group.protocols:
        yield "wrong-protocol", f"{cage.spoken} does not speak {wanted.value}"
    if isinstance(part, Transceiver) and part.linear and not group.linear_optics:
        yield "linear-optics-unsupported", f"it is linear (LPO), and {cage.spoken} is not named for that"
    power, limit = part.power_w.value, cage.limit.value
    if power is not None and limit is not None and power > limit:
        yield "over-cage-power", f"it draws {_watts(power)} W, {cage.spoken} feeds {_watts(limit)} W"


def orderable(part: Transceiver | CableAssembly | object) -> str | None:
    """Why a part is not chosen without a pin, or None."""
    lifecycle = getattr(part, "lifecycle").value  # noqa: B009 - every family has one; only its type differs
    if lifecycle in (Lifecycle.DISCONTINUED, Lifecycle.PLANNED):
        return f"it is {lifecycle.value}"
    hosts = getattr(part, "only_for", "")
    return f"its maker lists it for {hosts} only" if hosts else None


def _lanes(count: int, of: PlugEnd | Rate) -> str:
    return f"{count} x {of.lane_rate_gbps}G {of.modulation.value}"


def _ports(count: int) -> str:
    return "one port" if count == 1 else f"{count} ports"


def _watts(milliwatts: int) -> str:
    return f"{milliwatts / 1000:g}"
