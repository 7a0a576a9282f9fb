"""What panels and trunks carry: port by port from a device's cord through the panel and a trunk's leg to the far device."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from planner.plan import ABSENT, PanelSlotRow, PartRow, Plan

PANEL: Final = "panel"
_TRUNK: Final = 2
"""Place of the trunk in a channel (`link_cables.place`); the cords are at 1 and 3."""


@dataclass(frozen=True, slots=True)
class PanelPort:
    """A port at a panel's front. insert: part of the plate or cassette in its slot.

    cord, near: cable ID of the cord in it, 0 for none, and the `device:port` where that begins. trunk, leg: behind it, 0 for
    none. far_port, far_rack, far_cord, far: the port at the other panel, its rack, the cord there and the `device:port` at
    its end. state: of the leg, `used`, `reserve` or `spare`. link: that runs here, empty for none.
    """

    slot: int
    insert: str
    port: int
    cord: int = 0
    near: str = ""
    trunk: int = 0
    leg: int = 0
    far_port: str = ""
    far_rack: str = ""
    far_cord: int = 0
    far: str = ""
    state: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True)
class TrunkLeg:
    """A leg of a trunk with the panel ports at its two ends. unlit: positions that carry fibre and no light, by `;`."""

    leg: int
    a: str
    z: str
    state: str
    unlit: str
    links: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PanelSheet:
    """A panel of a rack with its ports. face: of the rack, at which its front ports are."""

    device: str
    model: str
    u: int
    face: str
    ports: tuple[PanelPort, ...]


@dataclass(frozen=True, slots=True)
class LegRun:
    """Legs that follow each other at both ends: the first and the last, and their ports at this rack and at the other."""

    first: int
    last: int
    here: str
    there: str


@dataclass(frozen=True, slots=True)
class TrunkSheet:
    """A trunk that ends in a rack. other_rack: where its other end is; unlit: positions of its used legs that no link lights."""

    cable_id: int
    part: PartRow
    other_rack: str
    runs: tuple[LegRun, ...]
    used: int
    reserve: int
    spare: int
    unlit: str


@dataclass(frozen=True, slots=True)
class _Leg:
    cable: int
    leg: int
    ends: tuple[tuple[int, int], tuple[int, int]]
    state: str
    unlit: str


class PanelIndex:
    """The structured cabling of a plan, ready to be asked by panel and by trunk."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._cord_at: dict[tuple[int, int], int] = {}
        self._panel_end: dict[int, str] = {}
        self._device_end: dict[int, str] = {}
        self._legs: list[_Leg] = []
        self._leg_at: dict[tuple[int, int], _Leg] = {}
        self._leg_of: dict[tuple[int, int], _Leg] = {}
        self._channel_of_cord: dict[int, tuple[int, int]] = {}
        self._cables_of: dict[tuple[int, int], dict[int, tuple[int, int]]] = defaultdict(dict)
        self._slots: dict[int, list[PanelSlotRow]] = defaultdict(list)
        for slot in plan.panel_slots:
            self._slots[slot.device].append(slot)
        if self._slots:
            self._read_links()
            self._read_ends()
            self._read_legs()

    def _read_links(self) -> None:
        table = self.plan.link_cables
        columns = (table.link, table.strand, table.place, table.cable, table.leg)
        for link, strand, place, cable, leg in zip(*(column.tolist() for column in columns), strict=True):
            self._cables_of[link, strand][place] = (cable, leg)
            if place != _TRUNK:
                self._channel_of_cord[cable] = (link, strand)

    def _read_ends(self) -> None:
        ends = self.plan.ends
        mine = np.flatnonzero(np.isin(ends.cable, np.array(sorted(self._channel_of_cord), np.int64)))
        devices = self.plan.devices
        for cable, device, port in zip(
            ends.cable[mine].tolist(), ends.device[mine].tolist(), ends.port.take(mine).tolist(), strict=True
        ):
            if device == ABSENT:
                continue
            if devices[device].kind == PANEL:
                self._cord_at[device, int(port)] = cable
                self._panel_end[cable] = f"{devices[device].name}:{port}"
            else:
                self._device_end[cable] = f"{devices[device].name}:{port}"

    def _read_legs(self) -> None:
        table = self.plan.trunk_legs
        columns = [table.cable, table.leg, table.a_device, table.a_port, table.z_device, table.z_port]
        numbers = zip(*(column.tolist() for column in columns), strict=True)
        for (cable, leg, *ends), state, unlit in zip(numbers, table.state.tolist(), table.unlit.tolist(), strict=True):
            found = _Leg(cable, leg, ((ends[0], ends[1]), (ends[2], ends[3])), state, unlit)
            self._legs.append(found)
            self._leg_of[cable, leg] = found
            for end in found.ends:
                self._leg_at[end] = found

    def ports_of(self, panel: int) -> Iterator[PanelPort]:
        """The ports of a panel (a row of the devices) in order; an empty slot has none."""
        for slot in sorted(self._slots[panel], key=lambda slot: slot.slot):
            if slot.part != ABSENT:
                for place in range(slot.ports):
                    yield self._port(panel, slot, place)

    def _port(self, panel: int, slot: PanelSlotRow, place: int) -> PanelPort:
        made = PanelPort(slot.slot, self.plan.parts[slot.part].part, slot.first_port + place)
        cord = self._cord_at.get((panel, made.port))
        if cord is None:
            return self._with_leg(made, panel, self._leg_behind(panel, slot, place))
        link, strand = self._channel_of_cord[cord]
        cables = self._cables_of[link, strand]
        far_cord = next(cable for at, (cable, _) in cables.items() if at != _TRUNK and cable != cord)
        return replace(
            self._with_leg(made, panel, self._leg_of.get(cables[_TRUNK])),
            cord=self._id(cord),
            near=self._device_end.get(cord, ""),
            far_port=self._panel_end.get(far_cord, ""),
            far_cord=self._id(far_cord),
            far=self._device_end.get(far_cord, ""),
            link=self.plan.link_ids[link],
        )

    def _id(self, cable: int) -> int:
        return int(self.plan.cables.cable_id[cable])

    def _leg_behind(self, panel: int, slot: PanelSlotRow, place: int) -> _Leg | None:
        """The leg behind a port that nothing is plugged into, where the module leaves no choice."""
        if slot.ports == slot.rear_ports:
            return self._leg_at.get((panel, slot.first_rear + place))
        return self._leg_at.get((panel, slot.first_rear)) if slot.rear_ports == 1 else None

    def _with_leg(self, port: PanelPort, panel: int, leg: _Leg | None) -> PanelPort:
        if leg is None:
            return port
        far = next((end for end in leg.ends if end[0] != panel), leg.ends[1])
        rack = self.plan.racks[self.plan.devices[far[0]].rack].name
        return replace(
            port, trunk=self._id(leg.cable), leg=leg.leg, far_port=self._spelled(far), far_rack=rack, state=leg.state
        )

    def _spelled(self, end: tuple[int, int]) -> str:
        return f"{self.plan.devices[end[0]].name}:{end[1]:02d}"

    def sheets_of(self, rack: int) -> Iterator[PanelSheet]:
        """The panels of a rack with plates or cassettes in them, from the top down."""
        devices = self.plan.devices
        here = [n for n in self._slots if devices[n].rack == rack]
        for n in sorted(here, key=lambda n: -devices[n].u):
            ports = tuple(self.ports_of(n))
            if ports:
                yield PanelSheet(devices[n].name, devices[n].model, devices[n].u, devices[n].mount, ports)

    def trunks_of(self, rack: int) -> Iterator[TrunkSheet]:
        """The trunks that end in a rack, by their IDs."""
        devices = self.plan.devices
        by_cable: dict[int, list[_Leg]] = defaultdict(list)
        for leg in self._legs:
            if any(devices[panel].rack == rack for panel, _ in leg.ends):
                by_cable[leg.cable].append(leg)
        for cable, legs in sorted(by_cable.items(), key=lambda pair: self._id(pair[0])):
            yield self._trunk(rack, cable, legs)

    def _trunk(self, rack: int, cable: int, legs: list[_Leg]) -> TrunkSheet:
        devices = self.plan.devices
        here = 0 if devices[legs[0].ends[0][0]].rack == rack else 1
        used, reserve, spare = ([leg.state for leg in legs].count(state) for state in ("used", "reserve", "spare"))
        unlit = sorted({leg.unlit for leg in legs if leg.state == "used" and leg.unlit})
        return TrunkSheet(
            self._id(cable),
            self.plan.parts[int(self.plan.cables.part[cable])],
            self.plan.racks[devices[legs[0].ends[1 - here][0]].rack].name,
            tuple(self._runs(legs, here)),
            used,
            reserve,
            spare,
            " or ".join(one.replace(";", " ") for one in unlit),
        )

    def _runs(self, legs: list[_Leg], here: int) -> Iterator[LegRun]:
        """Legs whose panel and whose ports go on by one at both ends."""
        start = 0
        for n in range(1, len(legs) + 1):
            if n < len(legs) and all(
                legs[n].ends[side] == (legs[n - 1].ends[side][0], legs[n - 1].ends[side][1] + 1) for side in (0, 1)
            ):
                continue
            first, last = legs[start], legs[n - 1]
            ends = [self._spelled(first.ends[side]) + self._on_to(first, last, side) for side in (here, 1 - here)]
            yield LegRun(first.leg, last.leg, *ends)
            start = n

    @staticmethod
    def _on_to(first: _Leg, last: _Leg, side: int) -> str:
        return "" if first is last else f" to {last.ends[side][1]:02d}"

    def legs_of(self, trunk: int) -> Iterator[TrunkLeg]:
        """The legs of a trunk (a row of the cables) in order."""
        links: dict[int, list[str]] = defaultdict(list)
        table = self.plan.link_cables
        for n in np.flatnonzero(table.cable == trunk).tolist():
            links[int(table.leg[n])].append(self.plan.link_ids[int(table.link[n])])
        for leg in self._legs:
            if leg.cable == trunk:
                a, z = map(self._spelled, leg.ends)
                yield TrunkLeg(leg.leg, a, z, leg.state, leg.unlit, tuple(links[leg.leg]))
