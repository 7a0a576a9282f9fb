"""Which port of a switch a link takes, where the topology leaves that open (`ports: any`).

The picked ports are exact: they are the best by these rules, in this order, for every device and set of cages on its own.

1. Ports that are left in cages already in use are filled before a cage is opened, so that as few cages as possible are
   in use; with two ports a cage, as many of its plugs as possible are whole. Each is filled by a link that suits the cage's
   other link, by 3 and 4.
2. The other links open cages together, by 3 and 4.
3. Most share a cage with a link to the same cage (one twin cable can serve both); then to the same device; then, of one tier
   and to one model of device, to the same rack (legs of a splitter), then to any rack; the rest with any link.
4. Of links to several racks, those share a cage whose distances differ least in sum, so that one medium serves both.
5. Natural order: of devices and ports at the far end, along the cages in catalog order.

Classes of links nest (a cage is in one device, a device in one rack), so that the best is found from the smallest class
upwards, without search: what is left of a class is less than a cage, and which of it goes up changes nothing above.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from planner.findings import Fault, Spot
from planner.layout import Layout
from planner.names import quoted_list

A, Z = 0, 1
OPEN: Final = -1
"""In place of a port that is still to be picked."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A link with an end that may take any of several ports.

    device, port: at a and z; a port is a number in its device's family, OPEN where it is to be picked. choices: the
    ports that an open end may take, whole cages in catalog order.
    """

    fabric: int
    tier: str
    device: tuple[int, int]
    port: tuple[int, int]
    choices: tuple[tuple[int, ...], tuple[int, ...]]
    at: Spot


@dataclass(frozen=True, slots=True)
class Joined:
    """A port in use, and the port at the other end of its link; all as numbers in their devices' families."""

    device: int
    port: int
    far_device: int
    far_port: int
    tier: str


@dataclass(frozen=True, slots=True)
class _Seeker:
    """An end that looks for a port, by what its link has at the other end. classes: from the smallest to the largest."""

    link: int
    side: int
    tier: str
    rank: tuple[object, ...]
    distance_mm: int
    far_cage: tuple[int, int] | None
    far_half: int
    classes: tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class _Slot:
    """A free port in a cage that is in use already; twin: the far port that would make its cage's links a twin cable's."""

    port: int
    distance_mm: int
    twin: tuple[Hashable, ...] | None
    classes: tuple[Hashable, ...]


@dataclass
class _Switch:
    """A device whose ports are given out: those in use by port, with what is at their other end."""

    device: int
    used: dict[int, Joined] = field(default_factory=dict)


class Ports:
    """The ports of the room while they are given out."""

    def __init__(self, layout: Layout, asked: Sequence[Asked], used: Iterable[Joined]) -> None:
        self.layout = layout
        self.asked = asked
        self.port = {(n, side): link.port[side] for n, link in enumerate(asked) for side in (A, Z)}
        self._switches: dict[int, _Switch] = {}
        for joined in used:
            self._use(joined)
        for number in range(len(asked)):
            for side in (A, Z):
                if self.port[number, side] != OPEN:
                    self._use(self._joined(number, side))

    def pick(self) -> list[Fault]:
        """Give every open end a port, the ends with the fewest cages to choose from first; what finds none is told."""
        groups: dict[tuple[int, int, tuple[int, ...]], list[tuple[int, int]]] = {}
        for number, link in enumerate(self.asked):
            for side in (A, Z):
                if link.port[side] == OPEN:
                    key = (link.device[side], link.fabric, link.choices[side])
                    groups.setdefault(key, []).append((number, side))
        crossing = dict(_crossing(groups, self.asked, self.layout))
        faults = list(crossing.values())
        rank = self.layout.device_rank
        lost = {number for (device, *_), ends in groups.items() if device in crossing for number, _ in ends}
        for key in sorted(groups, key=lambda key: (len(key[2]), int(rank[key[0]]), key[1], key[2])):
            ends = [end for end in groups[key] if end[0] not in lost]
            fault = self._give(key[0], key[2], ends) if ends else None
            if fault:
                faults.append(fault)
                lost.update(number for number, _ in ends)
        return faults

    def _give(self, device: int, choices: Sequence[int], ends: Sequence[tuple[int, int]]) -> Fault | None:
        switch = self._switches.setdefault(device, _Switch(device))
        chassis = self.layout.devices[device].chassis
        by_cage = {cage: list(ports) for cage, ports in groupby(choices, key=lambda port: int(chassis.port_cage[port]))}
        slots: list[_Slot] = []
        free: list[list[int]] = []
        used_cages = {int(chassis.port_cage[port]): port for port in switch.used}
        for cage, ports in by_cage.items():
            if cage not in used_cages:
                free.append(ports)
            elif int(chassis.port_state[used_cages[cage]]) == int(chassis.port_state[ports[0]]):
                slots += [self._slot(switch, port, ports) for port in ports if port not in switch.used]
        count = len(slots) + sum(map(len, free))
        if count < len(ends):
            return self._too_few(device, choices, ends, count)
        seekers = sorted((self._seeker(link, side) for link, side in ends), key=lambda seeker: seeker.rank)
        filling, rest = _filled(seekers, slots)
        for seeker, slot in filling:
            self._take(seeker, slot.port)
        for seeker, port in _opened(rest, free, chassis.port_half.tolist()):
            self._take(seeker, port)
        return None

    def _take(self, seeker: _Seeker, port: int) -> None:
        self.port[seeker.link, seeker.side] = port
        self._use(self._joined(seeker.link, seeker.side))
        far = self.port[seeker.link, 1 - seeker.side]
        if far != OPEN:  # what was noted there when this end was open
            self._use(self._joined(seeker.link, 1 - seeker.side))

    def _use(self, joined: Joined) -> None:
        self._switches.setdefault(joined.device, _Switch(joined.device)).used[joined.port] = joined

    def _joined(self, number: int, side: int) -> Joined:
        link = self.asked[number]
        far = 1 - side
        return Joined(link.device[side], self.port[number, side], link.device[far], self.port[number, far], link.tier)

    def _seeker(self, number: int, side: int) -> _Seeker:
        link, far = self.asked[number], 1 - side
        device, port = link.device[far], self.port[number, far]
        layout = self.layout
        cage, half = self._cage(device, port)
        # Parallel links with both ends open may still get one cage at both ends.
        place = cage if cage is not None else link.choices[far]
        rank = (int(layout.device_rank[device]), port, link.tier, link.at)
        larger = self._classes(device, link.tier)
        classes = ((larger[0], cage is None, place), *larger)
        return _Seeker(number, side, link.tier, rank, self._distance_mm(link.device[side], device), cage, half, classes)

    def _slot(self, switch: _Switch, port: int, ports: Sequence[int]) -> _Slot:
        """What the links in use in a port's cage lead to: the first of them stands for all."""
        mate = next(switch.used[other] for other in ports if other in switch.used)
        cage, half = self._cage(mate.far_device, mate.far_port)
        chassis = self.layout.devices[switch.device].chassis
        own_half = int(chassis.port_half[mate.port])
        twin = (mate.tier, *cage, int(chassis.port_half[port])) if cage is not None and half == own_half else None
        distance = self._distance_mm(switch.device, mate.far_device)
        return _Slot(port, distance, twin, (None, *self._classes(mate.far_device, mate.tier)))

    def _cage(self, device: int, port: int) -> tuple[tuple[int, int] | None, int]:
        """Device and cage of a port with its half; None while the port is open."""
        if port == OPEN:
            return None, 0
        chassis = self.layout.devices[device].chassis
        return (device, int(chassis.port_cage[port])), int(chassis.port_half[port])

    def _classes(self, device: int, tier: str) -> tuple[Hashable, ...]:
        """Same device, same tier, model and rack, same tier and model, everything: each inside the next."""
        far = self.layout.devices[device]
        kind = (tier, far.chassis.id)
        return (kind, device), (kind, far.rack), kind, ()

    def _distance_mm(self, one: int, other: int) -> int:
        """Along the walls of the room, between the middles of two devices' racks."""
        racks = [self.layout.racks[self.layout.devices[device].rack] for device in (one, other)]
        middles = [(2 * r.west_um + r.size_um[0], 2 * r.south_um + r.size_um[1]) for r in racks]
        return (abs(middles[0][0] - middles[1][0]) + abs(middles[0][1] - middles[1][1])) // 2000

    def _too_few(self, device: int, choices: Sequence[int], ends: Sequence[tuple[int, int]], count: int) -> Fault:
        found = self.layout.devices[device]
        chassis = found.chassis
        cages = {int(chassis.port_cage[port]) for port in choices}
        whole = len(cages) == len(chassis.cage_names)
        where = (
            f"`{found.name}`"
            if whole
            else f"{quoted_list([chassis.cage_names[c] for c in sorted(cages)], 3)} of `{found.name}`"
        )
        return Fault(
            "too-few-free-ports",
            f"{len(ends)} links may take any port of {where}, and {count} {'is' if count == 1 else 'are'} free",
            min(self.asked[number].at for number, _ in ends),
            note=f"{len(choices)} ports run the rate, {len(choices) - count} of them are in use or in a cage that is split "
            f"otherwise; {len(ends) - count} too few",
            help="take links away, name more cages, or add a device",
            objects=(found.name,),
            count=len(ends),
        )


def _crossing(
    groups: Mapping[tuple[int, int, tuple[int, ...]], Sequence[tuple[int, int]]],
    asked: Sequence[Asked],
    layout: Layout,
) -> Iterable[tuple[int, Fault]]:
    """Two sets of cages of a device that share some and not all: which of them goes first would decide what fits."""
    by_device: dict[int, dict[frozenset[int], int]] = {}
    for (device, _, choices), ends in groups.items():
        cages = frozenset(layout.devices[device].chassis.port_cage[list(choices)].tolist())
        at = min(asked[number].at for number, _ in ends)
        known = by_device.setdefault(device, {})
        known[cages] = min(at, known.get(cages, at))
    for device, known in by_device.items():
        sets = sorted(known, key=lambda cages: (known[cages], sorted(cages)))
        for n, one in enumerate(sets):
            for other in sets[:n]:
                shared = one & other
                if shared and shared not in (one, other):
                    found = layout.devices[device]
                    names = [found.chassis.cage_names[cage] for cage in sorted(shared)]
                    fault = Fault(
                        "port-ranges-cross",
                        f"two ranges of cages of `{found.name}` share some of their cages and not all",
                        known[one],
                        note=f"both have {quoted_list(names)}",
                        help="make the ranges equal, put one inside the other, or keep them apart",
                        objects=(found.name,),
                    )
                    yield device, fault


def _filled(seekers: Sequence[_Seeker], slots: Sequence[_Slot]) -> tuple[list[tuple[_Seeker, _Slot]], list[_Seeker]]:
    """Links for the ports left in cages in use, as many as there are of either, and the links that are left."""
    filling: list[tuple[_Seeker, _Slot]] = []
    places = list(slots)
    # Of equals, those go first that find no partner from their own cage: no twin cable is broken for them.
    alone = {group[-1].link for group in _grouped(seekers, 0) if len(group) % 2}
    waiting = sorted(seekers, key=lambda seeker: (seeker.link not in alone, seeker.rank))

    def join(seeker: _Seeker, slot: _Slot) -> None:
        filling.append((seeker, slot))
        waiting.remove(seeker)
        places.remove(slot)

    twins = {slot.twin: slot for slot in reversed(slots) if slot.twin is not None}
    for seeker in seekers:
        slot = twins.pop((seeker.tier, *seeker.far_cage, seeker.far_half), None) if seeker.far_cage else None
        if slot is not None:
            join(seeker, slot)
    for level in range(1, 5):
        for mine in _grouped(waiting, level):
            there = [slot for slot in places if slot.classes[level] == mine[0].classes[level]]
            for seeker, slot in _nearest_distances(mine, there):
                join(seeker, slot)
    return filling, sorted(waiting, key=lambda seeker: seeker.rank)


def _grouped(seekers: Sequence[_Seeker], level: int) -> list[list[_Seeker]]:
    """The links of each class of a level, classes and links in the order given."""
    groups: dict[Hashable, list[_Seeker]] = {}
    for seeker in seekers:
        groups.setdefault(seeker.classes[level], []).append(seeker)
    return list(groups.values())


def _nearest_distances(seekers: Sequence[_Seeker], slots: Sequence[_Slot]) -> list[tuple[_Seeker, _Slot]]:
    """All of the fewer, each with one of the others, with the least sum of differences of distance.

    On a line the best pairs never cross, so that a table over both in order of distance finds them.
    """
    if not seekers or not slots:
        return []
    ends = sorted(seekers, key=lambda seeker: seeker.distance_mm)  # of equals in the order given
    ports = sorted(slots, key=lambda slot: (slot.distance_mm, slot.port))
    turned = len(ends) > len(ports)
    few = [slot.distance_mm for slot in ports] if turned else [end.distance_mm for end in ends]
    many = [end.distance_mm for end in ends] if turned else [slot.distance_mm for slot in ports]
    spare = len(many) - len(few)
    # best[j]: least sum for the first so many of the few, with j of the many passed over.
    best, steps = [0] * (spare + 1), []
    for n, distance in enumerate(few):
        row, from_ = [], []
        least, source = best[0], 0
        for skipped in range(spare + 1):
            if best[skipped] < least:
                least, source = best[skipped], skipped
            row.append(least + abs(distance - many[n + skipped]))
            from_.append(source)
        best = row
        steps.append(from_)
    skipped = min(range(spare + 1), key=lambda j: (best[j], j))
    pairs = []
    for n in range(len(few) - 1, -1, -1):
        other = n + skipped
        pairs.append((ends[other], ports[n]) if turned else (ends[n], ports[other]))
        skipped = steps[n][skipped]
    return pairs[::-1]


def _opened(
    seekers: Sequence[_Seeker], free: Sequence[Sequence[int]], halves: Sequence[int]
) -> list[tuple[_Seeker, int]]:
    """Links for free cages: who shares one, and which cage in catalog order; the commonest size of cage first."""
    found: list[tuple[_Seeker, int]] = []
    waiting = list(seekers)
    sizes = sorted({len(cage) for cage in free}, key=lambda size: (-sum(len(c) for c in free if len(c) == size), size))
    for size in sizes:
        cages = [cage for cage in free if len(cage) == size]
        mine, waiting = waiting[: size * len(cages)], waiting[size * len(cages) :]
        for group, cage in zip(_sharing(mine, size), cages, strict=False):
            found += _along(group, cage, halves)
    return found


def _sharing(seekers: Sequence[_Seeker], size: int) -> list[list[_Seeker]]:
    """Links that share a cage, so many at most, in natural order of their first."""
    groups: list[list[_Seeker]] = []
    waiting = list(seekers)
    for level in range(5):
        left: list[_Seeker] = []
        for mine in _grouped(waiting, level):
            whole, over = _by_distance(mine, size) if level > 2 else _in_order(mine, size)
            groups += whole
            left += over
        waiting = sorted(left, key=lambda seeker: seeker.rank)
    groups += [waiting] if waiting else []
    members = [sorted(group, key=lambda seeker: seeker.rank) for group in groups]
    return sorted(members, key=lambda group: group[0].rank)


def _in_order(seekers: Sequence[_Seeker], size: int) -> tuple[list[list[_Seeker]], list[_Seeker]]:
    whole = len(seekers) - len(seekers) % size
    return [list(seekers[n : n + size]) for n in range(0, whole, size)], list(seekers[whole:])


def _by_distance(seekers: Sequence[_Seeker], size: int) -> tuple[list[list[_Seeker]], list[_Seeker]]:
    """Neighbours in distance together; of an odd number in pairs, the one is left whose going leaves the least sum."""
    ends = sorted(seekers, key=lambda seeker: (seeker.distance_mm, seeker.rank))
    if size != 2 or len(ends) % 2 == 0:
        return _in_order(ends, size)

    def left_out(alone: int) -> tuple[int, int]:
        rest = ends[:alone] + ends[alone + 1 :]
        return sum(b.distance_mm - a.distance_mm for a, b in zip(rest[::2], rest[1::2], strict=True)), -alone

    alone = min(range(0, len(ends), 2), key=left_out)
    whole, _ = _in_order(ends[:alone] + ends[alone + 1 :], size)
    return whole, [ends[alone]]


def _along(group: Sequence[_Seeker], cage: Sequence[int], halves: Sequence[int]) -> list[tuple[_Seeker, int]]:
    """The links of a cage on its ports: half to equal half where all come from one cage, else in order."""
    by_half = {halves[port]: port for port in cage}
    same = len({seeker.far_cage for seeker in group}) == 1 < len(group) and group[0].far_cage is not None
    if same and all(seeker.far_half in by_half for seeker in group):
        return [(seeker, by_half[seeker.far_half]) for seeker in group]
    return list(zip(group, cage, strict=False))


__all__ = ["OPEN", "A", "Asked", "Joined", "Ports", "Z"]
