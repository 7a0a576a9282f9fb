"""Purchase: phases and money."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta

import numpy as np

from planner.findings import Fault, Severity
from planner.names import natural_key, quoted_list
from planner.reader import spot_at
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.units import PPM, short_metres


@rule("BOM001", "rack-without-phase", Severity.ERROR)
def rack_without_phase(subject: Subject) -> Iterable[Fault]:
    """A rack with links or with panels is in no phase, though phases are given.

    Why: what it needs would be ordered for no date.
    Example: nine racks, of which `phases` names eight.
    Fix: name the rack in a phase.
    Source: the project's `phases`.
    """
    if not subject.project.phases or "phases" in subject.gaps:
        return
    panels = [panel.rack for panel in subject.laid.panels] if subject.laid is not None else []
    racks = np.unique(np.concatenate((subject.measure.a.rack, subject.measure.z.rack, np.array(panels, np.int64))))
    without = [subject.layout.racks[n] for n in racks.tolist() if subject.phase_of_rack[n] < 0]
    if without:
        yield Fault(
            "rack-without-phase",
            f"{'rack' if len(without) == 1 else 'racks'} {quoted_list(rack.name for rack in without)} {'is' if len(without) == 1 else 'are'} in no phase",
            without[0].at,
            help="name the rack in one of the `phases`",
            objects=tuple(rack.name for rack in without[:50]),
            count=len(without),
        )


@rule("BOM002", "rack-in-two-phases", Severity.ERROR)
def rack_in_two_phases(subject: Subject) -> Iterable[Fault]:
    """A rack is named in two phases.

    Why: its cables can be ordered for one date only.
    Example: `A05` in P1 and in P2.
    Fix: name it once.
    Source: the project's `phases`.
    """
    return subject.told("rack-in-two-phases")


@rule("BOM003", "currencies-mixed", Severity.ERROR)
def currencies_mixed(subject: Subject) -> Iterable[Fault]:
    """The parts of a plan are priced in more than one currency.

    Why: sums over currencies are worth nothing.
    Example: cords in EUR and transceivers in USD.
    Fix: give one price book in one currency.
    Source: the price books.
    """
    prices = subject.catalog.prices
    used: dict[str, str] = {}
    for option, _rows in subject.groups:
        for family in (option.cable, option.a_plug, option.z_plug):
            for member in family.members if family is not None else ():
                price = prices.get(member.part.lower())
                if price is not None and price.price is not None:
                    used.setdefault(price.currency, member.part)
    if len(used) > 1:
        note = ", ".join(f"{currency} for `{part}`" for currency, part in sorted(used.items()))
        at = spot_at(subject.tree, ("catalogs",))
        yield Fault(
            "currencies-mixed",
            f"prices are in {len(used)} currencies",
            at,
            note=note,
            help="give one price book in one currency",
        )


@rule("BOM004", "spares-without-lead-time", Severity.WARNING)
def spares_without_lead_time(subject: Subject) -> Iterable[Fault]:
    """Spares are to cover what fails in a lead time, and the lead time of a part is not known.

    Why: its spares then cover the minimum and the share only, as if new pieces came at once.
    Example: `annual_failure_rate: 0.02` for transceivers, and a price book without `lead_time_weeks`.
    Fix: give `lead_time_weeks` in the price book, or beside the failure rate.
    Source: the project's `policy.spares`, and the price books.
    """
    prices, policy = subject.catalog.prices, subject.project.policy.spares
    unknown: dict[str, dict[str, None]] = {}
    for option, rows in subject.groups:
        members = np.unique(subject.selection.member[rows]).tolist()
        parts: list[tuple[str, str]] = [(option.cable.kind, option.cable.members[member].part) for member in members]
        parts += [(plug.kind, plug.members[0].part) for plug in (option.a_plug, option.z_plug) if plug is not None]
        for category, part in parts:
            given = getattr(policy, category, None)
            price = prices.get(part.lower())
            known = (price is not None and price.lead_time_weeks is not None) or (
                given and given.lead_time_weeks is not None
            )
            if given is not None and given.annual_failure_rate and not known:
                unknown.setdefault(category, {})[part] = None
    for category, named in sorted(unknown.items()):
        parts_of = sorted(named, key=natural_key)
        count = len(parts_of)
        yield Fault(
            "spares-without-lead-time",
            f"no lead time is known of {count} {category} {'part' if count == 1 else 'parts'}, so failures do not enter their spares",
            spot_at(subject.tree, ("policy", "spares", category, "annual_failure_rate")),
            note=quoted_list(parts_of, 8),
            help=f"give `lead_time_weeks` in the price book, or in `policy.spares.{category}`",
            objects=tuple(parts_of[:50]),
            count=count,
        )


@rule("BOM005", "generic-part-not-sold", Severity.ERROR)
def generic_part_not_sold(subject: Subject) -> Iterable[Fault]:
    """No vendor of `policy.vendors.buy` sells a part that the plan needs.

    Why: the piece stays a generic part, whose name orders nothing, in every document. Another length is not taken in its
    place: the plan bought has the lengths of the plan made.
    Example: 4 m cords planned, of vendors that sell 3 m and 5 m.
    Fix: name a vendor that sells it, enter the part in a catalog of the project, or pin a part.
    Source: `implements`, `length_m`, `reach_m` and `lifecycle` of the vendors' parts.
    """
    at = spot_at(subject.tree, ("policy", "vendors", "buy"))
    for unsold in subject.purchase.unsold:
        yield Fault(
            "generic-part-not-sold",
            f"no vendor of `policy.vendors.buy` sells {quoted_list(unsold.parts)} for {subject.spoken(unsold.rows)}",
            at,
            note="; ".join(unsold.reasons),
            help="name a vendor that sells it, or pin a part; until then it stays a generic part that orders nothing",
            objects=subject.named(unsold.rows),
            count=len(unsold.rows),
        )


@rule("BOM006", "ordered-too-late", Severity.WARNING)
def ordered_too_late(subject: Subject) -> Iterable[Fault]:
    """Parts ordered on the plan's date come after the day by which their phase needs them.

    Why: the crew stands in the hall and the optics are on a ship.
    Example: `date: 2026-11-30`, a lead time of 26 weeks, and a phase with `need_by: 2027-03-01`.
    Fix: order them before the rest, buy an alternate, or move the phase. The rule does not look at stock: it also names parts
    of which all pieces are on hand, and these are not late.
    Source: `date` and `need_by` of the project, `lead_time_weeks` of the price books. Without `date` nothing is judged.
    """
    phases, ordered = subject.project.phases, subject.project.date
    if ordered is None or not any(phase.need_by for phase in phases):
        return
    late: dict[int, dict[str, date]] = {}
    for phase, part in sorted(set(_parts_by_phase(subject))):
        price, need_by = subject.catalog.prices.get(part.lower()), phases[phase].need_by if phase >= 0 else None
        if need_by and price is not None and price.lead_time_weeks is not None:
            comes = date.fromisoformat(ordered) + timedelta(weeks=price.lead_time_weeks)
            if comes > date.fromisoformat(need_by):
                late.setdefault(phase, {})[part] = comes
    for phase, comes_by_part in sorted(late.items()):
        parts = sorted(comes_by_part, key=lambda part: (-comes_by_part[part].toordinal(), natural_key(part)))
        need_by = str(phases[phase].need_by)
        days = (comes_by_part[parts[0]] - date.fromisoformat(need_by)).days
        count = len(parts)
        yield Fault(
            "ordered-too-late",
            f"{count} {'part comes' if count == 1 else 'parts come'} up to {days} {'day' if days == 1 else 'days'} after `{need_by}`,"
            f" by which phase `{phases[phase].name}` needs them",
            spot_at(subject.tree, ("phases", phase, "need_by")),
            note=f"ordered on {ordered}: " + ", ".join(f"`{part}` on {comes_by_part[part]}" for part in parts[:8]),
            help="order them first, buy an alternate, or move the phase"
            + ("; those of which all pieces are on hand are not late" if subject.project.policy.stock.on_hand else ""),
            objects=tuple(parts[:50]),
            count=count,
        )


def _parts_by_phase(subject: Subject) -> Iterator[tuple[int, str]]:
    """Every pair of a phase and a part that it needs: cables and plugs of its links, switches of its racks."""
    of_rack, measure = subject.phase_of_rack, subject.measure
    of_link = np.maximum(of_rack[measure.a.rack], of_rack[measure.z.rack])
    for option, rows in subject.groups:
        members = subject.selection.member[rows]
        pairs = np.unique(np.stack((of_link[rows], members)), axis=1).T.tolist()
        yield from ((phase, option.cable.members[member].part) for phase, member in pairs)
        plugs = [plug.members[0].part for plug in (option.a_plug, option.z_plug) if plug is not None]
        yield from ((phase, part) for phase in {phase for phase, _ in pairs} for part in plugs)
    for device in subject.layout.devices:
        if device.chassis.family.kind == "switch":
            yield int(of_rack[device.rack]), device.member.part


@rule("BOM007", "vendor-below-share", Severity.WARNING)
def vendor_below_share(subject: Subject) -> Iterable[Fault]:
    """A vendor gets less than its share in `policy.vendors.buy`, since it does not sell enough of a class.

    Why: what was agreed with the vendors is not what will be ordered, and nobody else says so before the order.
    Example: a share of 0.6, and cords that the vendor sells in 3 and 5 m only, where most of the plan needs 7 m.
    Fix: enter the lengths that it sells in a catalog of the project, give it another share, or name a vendor that sells
    them beside it.
    Source: `policy.vendors.buy`, and `implements`, lengths, `reach_m` and `lifecycle` of the vendors' parts.
    """
    at = spot_at(subject.tree, ("policy", "vendors", "buy"))
    for short in subject.purchase.short:
        wanted = short.share_ppm * short.of_pieces / PPM
        lacking = sum(pieces for _, pieces in short.lacking)
        lengths = [f"{pieces} of {short_metres(mm)} m" for mm, pieces in short.lacking if mm]
        yield Fault(
            "vendor-below-share",
            f"`{short.vendor}` gets {short.pieces} of the {short.of_pieces} pieces of {quoted_list(short.generic)}, its share "
            f"of {short.share_ppm / PPM:g} is {wanted:g}",
            at,
            note=f"it does not sell {lacking} of them" + (f": {', '.join(lengths)}" if lengths else ""),
            help="enter the lengths that it sells, or give it another share",
            objects=subject.named(short.rows),
            count=lacking,
        )
