"""Lengths and reach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from planner.catalog.plugs import CableAssembly
from planner.findings import Fault, Severity
from planner.layout import Rack
from planner.lengths.measure import Lengths
from planner.lengths.slack import policy_slack
from planner.names import fold
from planner.pathways.segments import MEET_UM
from planner.project import CableClass
from planner.reader import spot_at
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.selection.options import Option
from planner.table import Ints
from planner.units import mm_half_up, short_metres


@rule("LEN001", "cable-too-short", Severity.ERROR)
def cable_too_short(subject: Subject) -> Iterable[Fault]:
    """A chosen cable is shorter than its link needs.

    Why: a cable one millimetre too short is scrap.
    Example: a pinned 2 m cable where 2.001 m are required.
    Fix: pin a longer member, another medium, or none; or shorten the way.
    Source: required length (routed length and slack) against the usable stock length.
    """
    yield from _short_cords(subject)
    for option, rows in subject.groups:
        if option.chain is not None:
            continue
        usable = _usable(option, subject.selection.member[rows])
        # With the part's own plugs, which may stand out further than those of the generic part it was bought for.
        lengths = subject.measure.lengths(option.cable_class, option.a_standoff_um, option.z_standoff_um)
        short = lengths.required[rows] > usable
        if not short.any():
            continue
        few = rows[short]
        worst = int(few[np.argmax(lengths.required[few] - usable[short])])
        need, have = int(lengths.required[worst]), int(usable[np.searchsorted(rows, worst)])
        part = option.cable.members[int(subject.selection.member[worst])].part
        yield Fault(
            "cable-too-short",
            f"`{part}` is {have} mm long, {subject.spoken(few)} {'needs' if len(few) == 1 else 'need up to'} {need} mm",
            subject.place_of(few),
            note=f"short by {need - have} mm; {_sum(lengths, worst)}",
            help="pin a longer cable or another medium, or shorten the way",
            objects=subject.named(few),
            count=len(few),
        )


def _short_cords(subject: Subject) -> Iterator[Fault]:
    """Pinned cords of channels over panels."""
    channels = subject.channels
    if channels is None:
        return
    for end, members, lengths in (("a", channels.a_member, channels.a), ("z", channels.z_member, channels.z)):
        for number in np.unique(channels.offer).tolist():
            option = channels.offers[number] if end == "a" else channels.offers[number].at_z
            mine = np.flatnonzero(channels.offer == number)
            usable = _usable(option, members[mine])
            short = lengths.required[mine] - usable
            if not (short > 0).any():
                continue
            rows = np.unique(channels.link[mine[short > 0]])
            worst = int(np.argmax(short))
            part = option.cable.members[int(members[mine[worst]])].part
            need, have = int(lengths.required[mine[worst]]), int(usable[worst])
            yield Fault(
                "cable-too-short",
                f"`{part}` is {have} mm long, the cord at {end} of {subject.spoken(rows)} needs {'' if len(rows) == 1 else 'up to '}{need} mm",
                subject.place_of(rows),
                note=f"short by {need - have} mm; {_sum(lengths, int(mine[worst]))}",
                help="pin a longer cord, or none",
                objects=subject.named(rows),
                count=len(rows),
            )


def _usable(option: Option, members: Ints) -> Ints:
    by_member = dict(zip(option.members.tolist(), option.usable_mm.tolist(), strict=True))
    return np.array([by_member[m] for m in members.tolist()], np.int64)


def _sum(lengths: Lengths, row: int) -> str:
    return f"routed {int(lengths.routed[row])} mm + slack {int(lengths.slack[row])} mm"


@rule("LEN002", "reach-exceeded", Severity.ERROR)
def reach_exceeded(subject: Subject) -> Iterable[Fault]:
    """A cable is longer than its parts reach.

    Why: beyond the rated reach the link trains badly or not at all.
    Example: a pinned 50 m OM3 cord between optics that reach 30 m on OM3.
    Fix: use parts that reach further, or shorten the way.
    Source: `reach_m` of the cable and of both plugs, judged on the nominal stock length, limits inclusive. A fibre splitter of
    unknown reach ends at 50 m, NVIDIA's limit for a run with a 1:2 splitter; that it reaches so far stays unproven (CAT001).
    """
    for option, rows in subject.groups:
        limit = option.reach_um
        if limit is None:
            continue
        over = rows[subject.selection.stock_mm[rows] * 1000 > limit]
        if len(over):
            longest = int(subject.selection.stock_mm[over].max())
            yield Fault(
                "reach-exceeded",
                f"{subject.spoken(over)} {'is' if len(over) == 1 else 'are up to'} {short_metres(longest)} m long, its parts reach {short_metres(limit // 1000)} m",
                subject.place_of(over),
                note=f"cable {option.cable.id}"
                + (f" between {option.a_plug.id} and {option.z_plug.id}" if option.a_plug and option.z_plug else ""),
                help="use parts that reach further, or shorten the way",
                objects=subject.named(over),
                count=len(over),
            )


@rule("LEN003", "below-least-length", Severity.WARNING)
def below_least_length(subject: Subject) -> Iterable[Fault]:
    """An optical link is shorter than its plugs allow.

    Why: too much light may reach the receiver.
    Example: a 1 m cord between optics with a least distance of 2 m.
    Fix: use a longer cord.
    Source: `min_length_m` of the plugs.
    """
    for option, rows in subject.groups:
        under = rows[subject.selection.stock_mm[rows] * 1000 < option.least_um]
        if len(under):
            yield Fault(
                "below-least-length",
                f"{subject.spoken(under)} {'is' if len(under) == 1 else 'are'} shorter than the {short_metres(option.least_um // 1000)} m that the plugs ask for",
                subject.place_of(under),
                help="use a longer cord",
                objects=subject.named(under),
                count=len(under),
            )


@rule("LEN004", "measured-shorter-than-geometry", Severity.WARNING)
def measured_shorter(subject: Subject) -> Iterable[Fault]:
    """A measured length is shorter than the layout allows.

    Why: either the tape or the layout is wrong, and other lengths rest on the layout.
    Example: 4.2 m measured where the shortest way along the trays is 5.1 m.
    Fix: measure again, or correct the layout.
    Source: `measured` of the project against the routed terms: all of them for a link, both rises and the pathway for
    two racks, the polyline for a pathway.
    """
    lengths, found = subject.lengths, subject.measured
    outside = lengths.a_rise + lengths.pathway + lengths.z_rise
    whole = lengths.a_in_rack + outside + lengths.z_in_rack
    for number, entry in enumerate(subject.project.measured):
        if entry.pathway is not None:
            continue
        needed, given = (whole, found.link_mm) if entry.link is not None else (outside, found.between_mm)
        known = (found.entry == number) & lengths.reachable & (needed > given)
        if entry.link is not None and subject.laid is not None:
            known &= subject.laid.chain_of_link < 0  # over panels a length from port to port is an error of its own
        rows = np.flatnonzero(known if entry.link is not None else known & (lengths.route >= 0))
        if not len(rows):
            continue
        worst = int(rows[np.argmax(needed[rows] - given[rows])])
        were = "was" if len(rows) == 1 else "were"
        between = "" if entry.link is not None else " from exit to exit"
        yield Fault(
            "measured-shorter-than-geometry",
            f"{subject.spoken(rows)} {were} measured at {int(given[worst])} mm{between}, the layout needs {int(needed[worst])} mm",
            spot_at(subject.tree, ("measured", number, "length_m")),
            note=f"shorter by {int(needed[worst] - given[worst])} mm; the measured length is used",
            help="measure again, or correct the layout",
            objects=subject.named(rows),
            count=len(rows),
        )
    yield from _short_pathways(subject)


def _short_pathways(subject: Subject) -> Iterator[Fault]:
    entry = {fold(m.pathway): n for n, m in reversed(list(enumerate(subject.project.measured))) if m.pathway}
    for pathway in subject.layout.pathways:
        given, drawn = pathway.measured_um, pathway.drawn_um
        if given is not None and given + MEET_UM < drawn:
            yield Fault(
                "measured-shorter-than-geometry",
                f"pathway `{pathway.name}` was measured at {mm_half_up(given)} mm, its polyline is {mm_half_up(round(drawn))} mm long",
                spot_at(subject.tree, ("measured", entry[fold(pathway.name)], "length_m")),
                note=f"shorter by {mm_half_up(round(drawn) - given)} mm; the measured length is used",
                help="measure again, or correct `path_m`",
                objects=(pathway.name,),
            )


@rule("LEN005", "twin-fibres-of-unequal-length", Severity.INFO)
def twin_fibres_unequal(subject: Subject) -> Iterable[Fault]:
    """The two fibres of a twin-port plug have different stock lengths.

    Why: fibre delays light by about 4.5 ns per metre, and the two halves of a plug should be about equal; the maker
    gives no tolerance.
    Example: 10 m to one leaf and 15 m to the other from one server plug.
    Fix: order the longer length for both, where the skew matters.
    Source: NVIDIA, MMS4X00-NM application overview.
    """
    optic = np.array([not isinstance(o.cable, CableAssembly) for o in subject.selection.offers] + [False])
    optical = np.flatnonzero(optic[subject.selection.offer])
    mates = [_mates(cage, optical) for cage in (subject.a.cage, subject.z.cage)]
    first, second = (np.concatenate(side) for side in zip(*mates, strict=True))
    stock = subject.selection.stock_mm
    apart = np.abs(stock[first] - stock[second])
    rows = first[apart > 0]
    if len(rows):
        most = int(apart.max())
        yield Fault(
            "twin-fibres-of-unequal-length",
            f"{len(rows)} twin-port {'plug has' if len(rows) == 1 else 'plugs have'} two fibres of different length, by up to {short_metres(most)} m",
            -1,
            note=f"for example at `{subject.link_name(int(rows[0]))}`",
            help="order the longer length for both, where the skew matters",
            objects=subject.named(rows),
            count=len(rows),
        )


def _mates(cage: Ints, rows: Ints) -> tuple[Ints, Ints]:
    """Pairs of some links that share a cage."""
    order = rows[np.argsort(cage[rows], kind="stable")]
    same = np.flatnonzero(cage[order][1:] == cage[order][:-1])
    return order[same], order[same + 1]


@rule("LEN006", "excess-not-stored", Severity.WARNING)
def excess_not_stored(subject: Subject) -> Iterable[Fault]:
    """What a stock length is longer than required does not fit where the ends may store it.

    Why: the rest of a cable hangs in the way of air and hands, or is coiled where others must pass.
    Example: a link that needs 5.1 m takes a cable of 10 m, and each rack stores 2 m of a cable.
    Fix: pin a part with a length in between, move a rack, or measure the way.
    Source: `stores_m` of the rack types of both ends, else `store_m` of the slack of the cable's class; without either
    nothing is checked. A cable inside one rack has one place to store its rest. Cords and trunks over panels are not judged.
    """
    racks = subject.layout.racks
    a, z = subject.measure.a.rack, subject.measure.z.rack
    for option, rows in subject.groups:
        if option.chain is not None:
            continue
        limits = np.array([_stored_mm(rack) for rack in racks], np.int64)
        for fabric in np.unique(subject.links.fabric[rows]).tolist():
            own = _policy_mm(subject, fabric, option.cable_class)
            part = rows[subject.links.fabric[rows] == fabric]
            at = np.where(limits >= 0, limits, own)
            known = (at[a[part]] >= 0) & (at[z[part]] >= 0)
            part = part[known]
            room = np.where(a[part] == z[part], at[a[part]], at[a[part]] + at[z[part]])
            over = subject.selection.stock_mm[part] - subject.lengths.required[part] - room
            found = part[over > 0]
            if not len(found):
                continue
            worst = int(np.argmax(over))
            excess = int(over[worst] + room[worst])
            yield Fault(
                "excess-not-stored",
                f"{subject.spoken(found)} {'has' if len(found) == 1 else 'have up to'} {excess} mm of cable to spare, its racks store {int(room[worst])} mm",
                subject.place_of(found),
                note=f"over by {int(over[worst])} mm at `{subject.link_name(int(part[worst]))}`",
                help="pin a part with a length in between, or move one of the racks",
                objects=subject.named(found),
                count=len(found),
            )


def _stored_mm(rack: Rack) -> int:
    stores = rack.type.stores_m
    return -1 if stores is None else stores // 1000


def _policy_mm(subject: Subject, fabric: int, cable_class: CableClass) -> int:
    stores = policy_slack(subject.project.policy, subject.project.fabrics[fabric], cable_class).store_m
    return -1 if stores is None else stores // 1000
