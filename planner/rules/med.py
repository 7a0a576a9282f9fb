"""Selection: links without a part, and parts that should not be bought."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from planner.catalog.figures import Lifecycle
from planner.findings import Fault, Severity
from planner.lengths.measure import NO_LENGTH
from planner.names import quoted_list
from planner.reader import spot_at
from planner.rules.dev import misplaced_links
from planner.rules.lay_ways import pathway_outside_room
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.selection.advice import Asked, changes_for, would_fit
from planner.selection.figures import without_figure
from planner.selection.fit import interface_in
from planner.selection.lengths_worth import late_part
from planner.selection.options import GENERIC_NOT_ALLOWED, PARTS_STAY_DIRECT, KindOfLink, OptionsOfKind, too_long
from planner.selection.over_panels import why_no_channel
from planner.selection.sharing import Sharing
from planner.selection.wording import ALL_TAKEN, SPOKEN, worse_by
from planner.table import Ints
from planner.units import short_metres


@rule("MED001", "no-part-fits", Severity.ERROR)
def no_part_fits(subject: Subject) -> Iterable[Fault]:
    """No assembly of the allowed media fits a link.

    Why: the link is unresolved, and stays so in every document.
    Example: `order: [dac]` for a link that needs 3.4 m where the longest cable has 2 m.
    Fix: what the help says was tried on the first of the links: the smallest change of the policy, of its way, or of its
    cage that would give it a part.
    Source: the catalog, `policy.media.order` and `policy.choices`.
    """
    selection = subject.selection
    slips = subject.policy_gaps() & {"media", "vendors", "choices"}
    open_links = (selection.offer < 0) & (selection.kinds.of_link >= 0) & subject.lengths.reachable
    open_links &= ~misplaced_links(subject)
    if open_links.any() and any(True for _ in pathway_outside_room(subject)):
        # A tray at 2.7 km makes every length absurd; it has its finding, and the lengths are judged once it is mended.
        open_links &= subject.measure.a.rack == subject.measure.z.rack
    for told, number in enumerate(np.unique(selection.kinds.of_link[open_links]).tolist()):
        rows = np.flatnonzero(open_links & (selection.kinds.of_link == number))
        kind = selection.kinds.kinds[number]
        if any(cage.rate is None for cage in (kind.a, kind.z)):
            continue  # the port's own finding says it all
        if kind.rate.protocol != subject.project.fabrics[kind.fabric].protocol:
            continue  # so does the rate's
        if slips and would_fit(Asked(selection.problem, subject.measure, subject.catalog, int(rows[0])), slips):
            continue  # what a slip left out may be what fits; the slip has its finding
        reasons = reasons_against(subject, rows, kind, selection.options[number])
        fabric = subject.project.fabrics[kind.fabric].name
        yield Fault(
            "no-part-fits",
            f"no part fits {subject.spoken(rows)} of `{fabric}/{kind.tier}`",
            subject.place_of(rows),
            note="; ".join(reasons[:6]) + (f"; and {len(reasons) - 6} more" if len(reasons) > 6 else "")
            if reasons
            else "the catalog has no part for it",
            help=CABLE_DIRECTLY
            if any(rejected.reason == PARTS_STAY_DIRECT for rejected in selection.options[number].rejected)
            else NO_WAY
            if reasons and all(reason.startswith(NO_PATHWAY) for reason in reasons)
            else _advice(subject, rows)
            if told < MOST_ADVISED
            else ADVICE,
            objects=subject.named(rows),
            count=len(rows),
        )


NO_PATHWAY: Final = "no pathway leads there for"
NO_WAY: Final = "let the pathways there carry such cables (`carries`), or allow another medium"
ADVICE: Final = "allow another medium, shorten the way, or add parts to the catalog"
CABLE_DIRECTLY: Final = "cable them directly: a later entry of `policy.cabling` with `scheme: direct`"
MOST_ADVISED: Final = 8
"""Findings for which changes are tried; a plan with more of them has another fault first."""


def _advice(subject: Subject, rows: Ints) -> str:
    """The smallest changes that would help the first of some links, at most three."""
    changes = changes_for(Asked(subject.selection.problem, subject.measure, subject.catalog, int(rows[0])))
    if not changes:
        return ADVICE
    # The others may be longer: what helps one by a millimetre may help none of them.
    return ("" if len(rows) == 1 else "for the first of them: ") + ", or ".join(changes[:3])


def reasons_against(subject: Subject, rows: Ints, kind: KindOfLink, options: OptionsOfKind) -> list[str]:
    """Why nothing fits: parts that suit both cages, or where there is none, those that suit them least badly."""
    sharing = Sharing.of(subject.a, subject.z)
    found = []
    for option in options.options:
        if not sharing.alone(option, rows).any():
            found.append(f"{option.cable.id.upper()} needs both ports of its cages to lead to one place")
            continue
        if option.chain is not None:
            assert subject.measure.over_panels is not None
            over = why_no_channel(option, rows, subject.measure.over_panels)
            found.append(over or f"{option.cable.id.upper()} cannot share a plug with what the cage's other link needs")
            continue
        lengths = subject.measure.lengths(option.cable_class, option.a_standoff_um, option.z_standoff_um)
        required = lengths.required[rows]
        need, most = int(required.min()), int(required[required < NO_LENGTH].max(initial=0))
        if need >= NO_LENGTH:
            found.append(f"{NO_PATHWAY} {option.cable_class}, which {option.cable.id.upper()} needs")
        elif not len(option.members) or need > option.ends_at_mm:
            found.append(too_long(option, kind, subject.catalog, need, most).reason)
        elif late := late_part(
            option, subject.selection.problem.scales[int(subject.selection.kinds.of_link[rows[0]])], need
        ):
            found.append(f"{late} {ALL_TAKEN}")
        else:
            found.append(f"{option.cable.id.upper()} cannot share a plug with what the cage's other link needs")
    if found:
        return list(dict.fromkeys(found))  # what fits the cages says more than what does not
    # Near misses first: what enters the cages before what does not, a product before a class, one reason before two.
    nearest = sorted(
        options.rejected,
        key=lambda r: (
            r.reason != PARTS_STAY_DIRECT,
            r.stays_outside,
            GENERIC_NOT_ALLOWED in r.reason,
            not r.by_a_hair,
            r.reason.count("; "),
        ),
    )
    found += [f"{rejected.part}: {rejected.reason}" for rejected in nearest]
    return list(dict.fromkeys(found))


@rule("MED002", "withdrawn-part", Severity.WARNING)
def withdrawn_part(subject: Subject) -> Iterable[Fault]:
    """A pinned part is discontinued, planned, or near its last order.

    Why: it may not be had in the quantity and at the time that is needed.
    Example: MCP7Y10, which the maker's list no longer shows.
    Fix: unpin it, or confirm the supply.
    Source: `lifecycle` of the part.
    """
    told: dict[str, list[Ints]] = {}
    for option, rows in subject.groups:
        for family in option.parts:
            if family.lifecycle.value in (
                Lifecycle.DISCONTINUED,
                Lifecycle.PLANNED,
                Lifecycle.LAST_ORDER,
            ):
                told.setdefault(family.id, []).append(rows)
    for id_, parts in told.items():
        rows = np.unique(np.concatenate(parts))
        family_found = subject.catalog.find(id_)
        lifecycle = getattr(family_found, "lifecycle")  # noqa: B009 - racks have none, parts do
        yield Fault(
            "withdrawn-part",
            f"`{id_}` is {lifecycle.value.value if lifecycle.value else 'unknown'}",
            subject.place_of(rows),
            note=f"as of {lifecycle.as_of or 'an unknown day'}; {subject.spoken(rows)}",
            help="use another part, or confirm that it can be had",
            objects=subject.named(rows),
            count=len(rows),
        )


@rule("MED003", "optics-differ", Severity.ERROR)
def optics_differ(subject: Subject) -> Iterable[Fault]:
    """The transceivers at the two ends do not speak the same optical interface.

    Why: an SR4 transmitter does not reach a DR4 receiver.
    Example: a multimode plug pinned at one end and a single-mode one at the other.
    Fix: pin plugs of one kind.
    Source: `pmd` of the two parts, or of the applications in which they run the link's rate.
    """
    found: dict[tuple[str, str, str, str], list[Ints]] = {}
    for option, chosen in subject.groups:
        a, z = option.a_plug, option.z_plug
        # Other fibre shows in the channel (POL005); here the fibre is one and the interfaces are not.
        if a is None or z is None or a.receptacle.fibre != z.receptacle.fibre:
            continue
        kind = subject.kind_of(chosen)
        a_pmd, z_pmd = interface_in(a, kind.a, kind.rate), interface_in(z, kind.z, kind.rate)
        if a_pmd != z_pmd:
            found.setdefault((a.members[0].part, z.members[0].part, a_pmd, z_pmd), []).append(chosen)
    for (a_part, z_part, a_pmd, z_pmd), parts in found.items():
        rows = np.unique(np.concatenate(parts))
        yield Fault(
            "optics-differ",
            f"`{a_part}` and `{z_part}` have different optical interfaces, `{a_pmd}` and `{z_pmd}`",
            subject.place_of(rows),
            note=subject.spoken(rows),
            help="pin plugs of one kind",
            objects=subject.named(rows),
            count=len(rows),
        )


@rule("MED004", "optimum-not-proven", Severity.WARNING)
def optimum_not_proven(subject: Subject) -> Iterable[Fault]:
    """A group of links that share cages, or the search for the fewest part numbers, was too tangled to be decided to the end.

    Why: the parts chosen fit, but a better choice may exist, and another version might find it. The note says how much
    better it could be at most.
    Example: hundreds of links whose four-port cages cross in every way, each with several media.
    Fix: narrow `policy.media.order`, or pin some of the links.
    Source: the limits of the group solver.
    """
    for group in subject.selection.settled.unproven:
        rows = np.array(group.rows, np.int64)
        gap = worse_by(group.solved.value, group.solved.bound, subject.selection.problem.objectives)
        yield Fault(
            "optimum-not-proven",
            f"the choice for {len(rows)} links that share cages is good but not proven to be the best",
            int(subject.links.at[rows[0]]),
            note=f"than the best that can be, at most: {gap or 'other part numbers come first'}",
            help="narrow `policy.media.order`, or pin some of the links",
            objects=subject.named(rows),
            count=len(rows),
        )
    fewest = subject.selection.settled.fewest
    if fewest is not None and len(fewest.found) > fewest.bound:
        yield Fault(
            "optimum-not-proven",
            f"{len(fewest.found)} part numbers are few but not proven to be the fewest",
            subject.place_of(fewest.rows),
            note=f"no choice has fewer than {fewest.bound}",
            help="narrow `policy.media.order`, or say with `allow` which parts are wanted",
            objects=tuple(sorted(fewest.found)[:50]),
            count=len(fewest.rows),
        )


@rule("MED005", "figures-of-objective-unknown", Severity.WARNING)
def figures_of_objective_unknown(subject: Subject) -> Iterable[Fault]:
    """Parts were compared by a figure that is not known for all of them.

    Why: a part without a price, power or lead time ranks after those that have it, so a better one may have been passed
    over, and where no part is known to come within a greatest lead time, one of which nothing is known is taken.
    Example: `objective: cost` with a price book that knows transceivers and no cords.
    Fix: enter the figures, in a price book of the project or in the part's file.
    Source: `policy.objective`, `policy.choices`, the price books and `power_w` of the parts.
    """
    missing: dict[str, dict[str, int]] = {}
    asked: dict[str, int] = {}
    for number, kind in enumerate(subject.selection.kinds.kinds):
        names = [*kind.wish.objective.counts]
        if kind.wish.max_lead_time_weeks is not None:
            names.append("lead_time")
        scale = subject.selection.problem.scales[number]
        for name in dict.fromkeys(names):
            asked.setdefault(name, kind.wish.choice)
            for option in subject.selection.options[number].options:
                for part in without_figure(scale, option, name):
                    missing.setdefault(name, {}).setdefault(part, number)
    for name, parts in missing.items():
        choice = asked[name]
        loc = ("policy", "choices", choice) if choice >= 0 else ("policy", "objective")
        yield Fault(
            "figures-of-objective-unknown",
            f"the choice rests on the {SPOKEN[name]}, which {len(parts)} of the parts on offer {'does' if len(parts) == 1 else 'do'} not have",
            spot_at(subject.tree, loc),
            note=quoted_list(sorted(parts), 8),
            help=f"enter {SPOKEN[name]}s in a price book of the project"
            if name != "power"
            else "enter `power_w` in the parts' files",
            objects=tuple(sorted(parts)[:50]),
            count=len(parts),
        )


@rule("MED006", "lengths-not-equal", Severity.ERROR)
def lengths_not_equal(subject: Subject) -> Iterable[Fault]:
    """Cables that the policy wants equally long cannot be, since a family has no such length within reach.

    Why: unequal fibres of a plug, or of a rail, delay light unequally.
    Example: `equal_lengths: rail` where one link needs 30 m of optics and its neighbours take a cable that ends at 5 m.
    Fix: allow only media that reach that far, or leave the wish out for these links.
    Source: `policy.choices`.
    """
    for uneven in subject.selection.uneven:
        rows = np.array(uneven.rows, np.int64)
        what = "cables of a rail" if uneven.rail else "cords of a plug"
        allowed = "be equally long" if not uneven.within_mm else f"differ by up to {short_metres(uneven.within_mm)} m"
        yield Fault(
            "lengths-not-equal",
            f"{what} have from {short_metres(uneven.shortest_mm)} to {short_metres(uneven.longest_mm)} m, they should {allowed}",
            subject.place_of(rows),
            note=subject.spoken(rows),
            help="allow only media that reach that far, or leave the wish out for these links",
            objects=subject.named(rows),
            count=len(rows),
        )
