"""Why a link has its parts and not others: every loser with its reason, what the next best costs, and whose fault it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.lengths.measure import NO_LENGTH
from planner.rules.subject import Subject
from planner.selection.advice import Asked, changes_for
from planner.selection.best import fitting_positions
from planner.selection.breakouts import coiled_mm
from planner.selection.group import Value
from planner.selection.lengths_worth import late_part
from planner.selection.options import Option, too_long
from planner.selection.over_panels import why_no_channel
from planner.selection.trials import Trial, Trials, trials_of
from planner.selection.wording import ALL_TAKEN, FARTHER, worse_by
from planner.table import Ints
from planner.units import metres, short_metres


@dataclass(frozen=True, slots=True)
class Rejection:
    """A part that a link does not have. stays_outside: its plug does not even enter the cage."""

    part: str
    reason: str
    stays_outside: bool = False


@dataclass(frozen=True, slots=True)
class Price:
    """What the parts of a link cost, plugs and shared cables whole; None where a part has no price."""

    e4: int | None
    currency: str


@dataclass(frozen=True, slots=True)
class NextBest:
    """The option that would be taken if the chosen one could not be had: its parts, price, and by what it is worse."""

    part: str
    price: Price
    worse_by: str


@dataclass(frozen=True, slots=True)
class WhyNot:
    """forced_by: rows of the links that share the link's cages, where it would have taken another option without them.

    would_help: of a link without a part, the smallest changes that would give it one. on_hand: its parts that come from stock.
    """

    rejected: tuple[Rejection, ...]
    forced_by: tuple[int, ...] = ()
    price: Price | None = None
    next_best: NextBest | None = None
    would_help: tuple[str, ...] = ()
    on_hand: tuple[str, ...] = ()


def why_not(subject: Subject, row: int) -> WhyNot:
    """The losers of one link."""
    selection = subject.selection
    number = int(selection.kinds.of_link[row])
    if number < 0:
        return WhyNot(())
    tried = trials_of(selection.problem, row)
    chosen, first = selection.option_of(row), selection.problem.fits[number].first
    found = _shorter(subject, row, chosen)
    for k, option in enumerate(selection.options[number].options):
        if option is chosen or (chosen is not None and option.key == chosen.key):
            continue
        found.append(Rejection(spoken(option), _reason(subject, row, option, chosen, tried, first + k)))
    found += [Rejection(r.part, r.reason, r.stays_outside) for r in selection.options[number].rejected]
    here = int(selection.offer[row])
    mates = _mates(subject, row) if here != tried.alone else ()
    price = None if chosen is None else _price(subject, chosen, _position(subject, row, here))
    helps = (
        tuple(changes_for(Asked(selection.problem, subject.measure, subject.catalog, row))) if chosen is None else ()
    )
    return WhyNot(
        tuple(dict.fromkeys(found)),
        mates,
        price,
        _next_best(subject, row, tried),
        helps,
        _on_hand(subject, row, chosen),
    )


def _shorter(subject: Subject, row: int, chosen: Option | None) -> list[Rejection]:
    """Lengths of the chosen family that cover the link and are shorter than the one it has by itself: what they count more."""
    problem = subject.selection.problem
    if chosen is None:
        return []
    here = int(subject.selection.offer[row])
    rows = np.array([row], np.int64)
    covering = int(fitting_positions(chosen, rows, subject.measure, problem.sharing)[0])
    taken = _position(subject, row, here)
    scale = problem.scales[int(subject.selection.kinds.of_link[row])]
    found = []
    for at in range(covering, taken):
        short, long = (
            scale.of_cable(chosen, place, on_hand=bool(problem.shelf.cable(chosen, place, rows)[0]))
            for place in (at, taken)
        )
        by = (
            worse_by(Value(0, short, 0, 0), Value(0, long, 0, 0), [scale])
            or "the longer one comes first by part number"
        )
        have = chosen.cable.members[int(chosen.members[taken])].part
        found.append(
            Rejection(
                chosen.cable.members[int(chosen.members[at])].part, f"it covers the link; compared with {have}, {by}"
            )
        )
    return found


def _on_hand(subject: Subject, row: int, chosen: Option | None) -> tuple[str, ...]:
    """Parts of a link that the choice takes from stock."""
    shelf = subject.selection.problem.shelf
    if chosen is None:
        return ()
    rows, found = np.array([row], np.int64), []
    position = int(np.flatnonzero(chosen.members == subject.selection.member[row])[0])
    if shelf.cable(chosen, position, rows)[0]:
        found.append(chosen.cable.members[int(subject.selection.member[row])].part)
    for plug, cage in ((chosen.a_plug, subject.a.cage), (chosen.z_plug, subject.z.cage)):
        if plug is not None and shelf.plug(plug, cage[rows])[0]:
            found.append(plug.members[0].part)
    return tuple(dict.fromkeys(found))


def spoken(option: Option) -> str:
    """An option as people call it: its cable with its plugs."""
    plugs = [p.members[0].part for p in (option.a_plug, option.z_plug) if p is not None]
    cable = option.cable.members[0].part if len(option.cable.members) == 1 else option.cable.id.upper()
    return f"{cable} with {' and '.join(dict.fromkeys(plugs))}" if plugs else cable


def _reason(subject: Subject, row: int, option: Option, chosen: Option | None, tried: Trials, offer: int) -> str:
    rows = np.array([row], np.int64)
    if not subject.selection.problem.sharing.alone(option, rows).all():
        return f"it serves both ports of a cage, and {_leads_to(subject, row)}"
    if option.chain is not None:
        assert subject.measure.over_panels is not None
        why = why_no_channel(option, rows, subject.measure.over_panels)
        over = tried.by_offer.get(offer)
        if why is None and over is not None:
            return _worse(subject, row, option, chosen, tried, over)
        return why or "the other link of its cage needs another plug"
    lengths = subject.measure.lengths(option.cable_class, option.a_standoff_um, option.z_standoff_um)
    need = int(lengths.required[row])
    if need >= NO_LENGTH:
        return f"no pathway leads there for {option.cable_class}"
    if not len(option.members) or need > option.ends_at_mm:
        kind = subject.selection.kinds.of(row)
        found = too_long(option, kind, subject.catalog, need)
        return found.reason.replace(f"{found.part} ", "it ", 1)
    trial = tried.by_offer.get(offer)
    if trial is None:
        return _not_offered(subject, rows, option, chosen, need)
    return _worse(subject, row, option, chosen, tried, trial)


def _not_offered(subject: Subject, rows: Ints, option: Option, chosen: Option | None, need_mm: int) -> str:
    """Why an option that is long enough does not serve: its legs part too early, its tier has another medium, or it adds numbers."""
    coiled = int(coiled_mm(option, rows, subject.measure, subject.selection.problem.sharing)[-1, 0])
    if coiled and need_mm + coiled > option.ends_at_mm:
        return (
            f"it ends at {short_metres(option.ends_at_mm)} m, of which {metres(coiled)} m of trunk lie coiled where the ways "
            f"of its legs part, {short_metres(need_mm)} m needed"
        )
    scale = subject.selection.problem.scales[int(subject.selection.kinds.of_link[rows[0]])]
    late = late_part(option, scale, need_mm)
    if late:
        return f"{late} {ALL_TAKEN}"
    fewest = subject.selection.settled.fewest
    if fewest is not None and rows[0] in fewest.rows:
        have = len(fewest.found)
        return f"its part numbers are not among the {have} that serve all links that ask for the fewest"
    if chosen is not None and option.medium != chosen.medium:
        return f"the tier has one medium by `policy.choices`, and that is `{chosen.medium}`"
    return "its ports do not meet half to half"


def _worse(subject: Subject, row: int, option: Option, chosen: Option | None, tried: Trials, trial: Trial) -> str:
    """By what the group would be worse with an option."""
    scales = subject.selection.problem.objectives
    if trial.value.unresolved > tried.value.unresolved or (chosen is None and trial.unresolved):
        lost = " and ".join(f"`{subject.link_names[other]}`" for other in trial.unresolved[:3])
        return f"the links of its cages are decided together, and with it {lost or 'another link'} would have no part"
    by = worse_by(trial.value, tried.value, scales)
    if trial.value.figures != tried.value.figures:
        if chosen is not None and option.rank > chosen.rank and len(scales) == 1 and scales[0].is_by_link:
            return f"`{option.medium}` comes after `{chosen.medium}` in `policy.media.order`"
        if by == FARTHER and chosen is not None and option.reach_um and chosen.reach_um:
            reaches = [short_metres(one.reach_um // 1000) for one in (option, chosen) if one.reach_um]
            if reaches[0] != reaches[1]:  # over a splitter that ends before either, both reach as far
                return f"it reaches {reaches[0]} m where {reaches[1]} m are enough"
        return by
    if trial.value.stock_mm != tried.value.stock_mm and chosen is not None:
        stock = int(option.nominal_mm[_position(subject, row, trial.offer)])
        have = int(subject.selection.stock_mm[row])
        if stock > have:
            need = int(subject.lengths.required[row])
            return f"its length for {need} mm is {stock} mm, the chosen one is {have} mm"
        return f"the links of its cages are decided together, and with it {by.removeprefix('it takes ')} are needed"
    if trial.value.reach != tried.value.reach and chosen is not None and option.reach_um and chosen.reach_um:
        return (
            f"as long as the chosen parts, and it reaches {short_metres(option.reach_um // 1000)} m where "
            f"{short_metres(chosen.reach_um // 1000)} m are enough"
        )
    return "as good as the chosen parts, which come first by the reach of their modules and by part number"


def _position(subject: Subject, row: int, offer: int) -> int:
    """Position of the length that a link needs by itself among those of an offer."""
    selection = subject.selection
    fit = selection.problem.fits[int(selection.kinds.of_link[row])]
    return max(0, int(fit.position[offer - fit.first, int(np.searchsorted(fit.rows, row))]))


def _mates(subject: Subject, row: int) -> tuple[int, ...]:
    cages = (int(subject.a.cage[row]), int(subject.z.cage[row]))
    mates = np.flatnonzero(np.isin(subject.a.cage, cages) | np.isin(subject.z.cage, cages))
    return tuple(mate for mate in mates.tolist() if mate != row)


def _next_best(subject: Subject, row: int, tried: Trials) -> NextBest | None:
    selection = subject.selection
    here = int(selection.offer[row])
    others = [trial for trial in tried.by_offer.values() if trial.offer != here]
    others = [trial for trial in others if here < 0 or selection.offers[trial.offer].key != selection.offers[here].key]
    if not others:
        return None
    best = min(others, key=lambda t: (t.value.unresolved, t.value.figures, t.value.stock_mm, t.value.reach, t.offer))
    option = selection.offers[best.offer]
    price = _price(subject, option, _position(subject, row, best.offer))
    by = worse_by(best.value, tried.value, selection.problem.objectives) or "its part numbers come later"
    return NextBest(spoken(option), price, by)


def _price(subject: Subject, option: Option, position: int) -> Price:
    """Cords and plugs of an option together."""
    plugs = [plug.members[0].part for plug in (option.a_plug, option.z_plug) if plug is not None]
    parts = [*[option.cable.members[int(option.members[position])].part] * option.cords, *plugs]
    prices = [subject.catalog.prices.get(part.lower()) for part in parts]
    known = [(price.price, price.currency) for price in prices if price is not None and price.price is not None]
    if len(known) < len(parts) or len({currency for _, currency in known}) > 1:
        return Price(None, "")
    return Price(sum(e4 for e4, _ in known), known[0][1])


def _leads_to(subject: Subject, row: int) -> str:
    """Where the ports of the link's cages lead, for the cage that leads to two places (or has two links and one half)."""
    for cages, devices, far in (
        (subject.a.cage, subject.links.a_device, subject.links.z_device),
        (subject.z.cage, subject.links.z_device, subject.links.a_device),
    ):
        mates = np.flatnonzero(cages == cages[row])
        names = dict.fromkeys(subject.layout.devices[int(far[m])].name for m in mates)
        if len(names) > 1:
            device = subject.layout.devices[int(devices[row])]
            cage = device.chassis.cage_names[int(cages[row] - subject.layout.cage_offset[int(devices[row])])]
            return f"cage `{device.name}:{cage}` leads to {' and '.join(f'`{n}`' for n in names)}"
    return "the two cages are not joined port by port"
