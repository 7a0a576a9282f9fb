"""What a plan needs bought: purchase lines, kits by rack, and the figures of the summary. Pure; made from the plan alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from planner.bom.on_hand import TRANSCEIVER, Need, StockUse, stock_use, taken_from_stock
from planner.bom.spares import spares_by_part
from planner.catalog.figures import GENERIC
from planner.findings import by_severity
from planner.names import natural_key, natural_rank
from planner.plan import ABSENT, PartRow, PathwayRow, Plan, PriceRow
from planner.table import Ints
from planner.units import PPM, metres

CATEGORIES: Final = (
    "transceiver", "dac", "acc", "aec", "aoc", "utp", "cord", "splitter", "trunk", "cassette", "panel", "adapter",
    "shuffle", "switch", "nic", "server", "manager", "pathway", "consumable", "other",
)  # fmt: skip
"""The categories of a bill, in the order in which it lists them."""

BOM_COLUMNS: Final = (
    "line", "category", "manufacturer", "part", "order_number", "description", "length_m", "qty_installed",
    "qty_spare", "qty_stock", "qty_order", "pack_size", "unit_price", "currency", "extended", "price_note",
    "lead_time_weeks", "need_by", "phase", "evidence",
)  # fmt: skip

CLASS_REMARK: Final = "a class of parts, not an order number: choose a product"
"""Stands behind the description of a generic part."""

E4: Final = 10_000
SWITCH: Final = "switch"
PANEL: Final = "panel"
_HARDWARE: Final = frozenset({SWITCH, "nic", "server"})
"""What is bought with a fabric and is no cabling."""


@dataclass(frozen=True, slots=True)
class BomLine:
    """One line of the bill: a part (and so a length) in a phase, in the columns of `bom.csv`. None: not known.

    qty_spare and the rounding to pack and minimum order stand in the part's first phase. qty_stock: pieces that this
    line takes from stock. Prices in ten-thousandths of the currency.
    """

    line: int
    category: str
    manufacturer: str
    part: str
    order_number: str
    description: str
    length_mm: int | None
    qty_installed: int
    qty_spare: int
    qty_stock: int
    qty_order: int
    pack_size: int | None
    unit_price_e4: int | None
    currency: str
    extended_e4: int | None
    price_note: str
    lead_time_weeks: int | None
    need_by: str
    phase: str
    evidence: str


@dataclass(frozen=True, slots=True)
class KitLine:
    """What one rack's kit holds of a part in a phase. leaving: cables of these whose other end is in another rack."""

    rack: str
    phase: str
    part: PartRow
    quantity: int
    leaving: int


# --- purchase lines -------------------------------------------------------------------------------------------------


def bom_lines(plan: Plan) -> tuple[BomLine, ...]:
    """The purchase list: by category, then part in natural order, then phase.

    Stock on hand serves the earliest phase first. Servers, NICs and appliances are never billed.
    """
    installed, spares, needs = _needs(plan)
    prices = {price.part: price for price in plan.prices}
    from_stock: dict[Need, int] = {}
    for taken in taken_from_stock(plan, needs):
        from_stock[taken.need] = from_stock.get(taken.need, 0) + taken.pieces
    lines: list[BomLine] = []
    for number, phases in installed.items():
        part = plan.parts[number]
        taken_by_phase = [from_stock.get((number, phase), 0) for phase in phases]
        price = prices.get(part.part)
        lines += _lines_of_part(plan, part, phases, spares[number], taken_by_phase, price, len(lines))
    return tuple(lines)


def stock_used(plan: Plan) -> tuple[StockUse, ...]:
    """Every row of the stock list with what the bill takes of it."""
    return stock_use(plan, taken_from_stock(plan, _needs(plan)[2]))


def _needs(plan: Plan) -> tuple[dict[int, dict[int, int]], dict[int, int], dict[Need, int]]:
    """Pieces installed by part and phase in the order of the bill, spare by part, and needed by line, spares included."""
    unordered = _installed(plan)
    installed = {number: unordered[number] for number in sorted(unordered, key=_bill_order(plan.parts))}
    spares = spares_by_part(plan, {part: sum(phases.values()) for part, phases in installed.items()})
    needs: dict[Need, int] = {}
    for part, phases in installed.items():
        for place, (phase, pieces) in enumerate(phases.items()):
            needs[part, phase] = pieces + (0 if place else spares[part])
    return installed, spares, needs


def described(part: PartRow) -> str:
    """A part's description in a bill; a part without a maker says that its name orders nothing."""
    return f"{part.description} ({CLASS_REMARK})" if part.manufacturer.casefold() == GENERIC else part.description


def order_of(need: int, pack_size: int | None, minimum_order: int | None) -> int:
    """Pieces to order for a need: nothing for none, else at least the minimum, in whole packs."""
    if need <= 0:
        return 0
    pack = max(pack_size or 1, 1)
    return -(-max(need, minimum_order or 0) // pack) * pack


def known(value: int) -> int | None:
    """A plan's number, or None where it is absent."""
    return None if value == ABSENT else value


def minimum_orders(plan: Plan) -> dict[str, int]:
    """Minimum order by part, where one is known; it has no column in `bom.csv`."""
    return {price.part: price.minimum_order for price in plan.prices if price.minimum_order != ABSENT}


def alternates_by_part(plan: Plan) -> dict[str, str]:
    """By part, what may be bought in its place: `PART (MAKER), PART (MAKER)`; absent where nothing is known."""
    found: dict[str, list[str]] = {}
    for row in plan.alternates:
        found.setdefault(plan.parts[row.part].part, []).append(f"{row.alternate} ({row.manufacturer})")
    return {part: ", ".join(others) for part, others in found.items()}


def _lines_of_part(
    plan: Plan,
    part: PartRow,
    phases: Mapping[int, int],
    spare: int,
    taken: Sequence[int],
    price: PriceRow | None,
    before: int,
) -> list[BomLine]:
    unit = known(price.price_e4) if price else None
    pack = known(price.pack_size) if price else None
    minimum = known(price.minimum_order) if price else None
    needs = list(phases.values())
    needs[0] += spare
    orders = [need - from_stock for need, from_stock in zip(needs, taken, strict=True)]
    orders[0] += order_of(sum(orders), pack, minimum) - sum(orders)
    return [
        BomLine(
            line=before + place + 1,
            category=part.category,
            manufacturer=part.manufacturer,
            part=part.part,
            order_number=part.order_number,
            description=described(part),
            length_mm=known(part.length_mm),
            qty_installed=phases[phase],
            qty_spare=0 if place else spare,
            qty_stock=taken[place],
            qty_order=orders[place],
            pack_size=pack,
            unit_price_e4=unit,
            currency=price.currency if price and unit is not None else "",
            extended_e4=None if unit is None else unit * orders[place],
            price_note=price.note if price else "",
            lead_time_weeks=known(price.lead_time_weeks) if price else None,
            need_by=plan.phases[phase].need_by if phase >= 0 else "",
            phase=plan.phases[phase].name if phase >= 0 else "",
            evidence=part.evidence,
        )
        for place, phase in enumerate(phases)
    ]


def _installed(plan: Plan) -> dict[int, dict[int, int]]:
    """Pieces by part (row of the plan's parts) and phase, phases in their order, what has none last."""
    parts, phases = _billed_things(plan)
    pairs, counts = np.unique(np.stack((parts, _none_last(phases, plan))), axis=1, return_counts=True)
    found: dict[int, dict[int, int]] = {}
    for part, phase, count in zip(*pairs.tolist(), counts.tolist(), strict=True):
        found.setdefault(part, {})[phase if phase < len(plan.phases) else ABSENT] = count
    return found


def _billed_things(plan: Plan) -> tuple[Ints, Ints]:
    """Part and phase of every cable, transceiver, switch with its line cards and panel with its plates. The plugs of a DAC or AOC come with the cable."""
    plugs = np.flatnonzero(_is_transceiver(plan)[plan.plugs.part])
    switches = _switches(plan)
    parts = np.concatenate((plan.cables.part, plan.plugs.part[plugs], np.array([p for _, p, _ in switches], np.int64)))
    phases = np.concatenate(
        (plan.cables.phase, plan.plugs.phase[plugs], np.array([phase for *_, phase in switches], np.int64))
    )
    return parts, phases


def _is_transceiver(plan: Plan) -> Any:
    return np.array([part.category == TRANSCEIVER for part in plan.parts] or [False], bool)


def _switches(plan: Plan) -> list[tuple[int, int, int]]:
    """Each switch and panel, and each piece that is ordered with one, as rack, part and phase."""
    rows = {part.part: number for number, part in enumerate(plan.parts)}
    phases = {phase.name: number for number, phase in enumerate(plan.phases)}
    places = [(device.rack, phases.get(plan.racks[device.rack].phase, ABSENT)) for device in plan.devices]
    pieces = [
        (number, rows[device.part]) for number, device in enumerate(plan.devices) if device.kind in (SWITCH, PANEL)
    ]
    pieces += [(with_it.device, with_it.part) for with_it in plan.components for _ in range(with_it.pieces)]
    return [(places[device][0], part, places[device][1]) for device, part in pieces]


def _none_last(phases: Ints, plan: Plan) -> Ints:
    return np.where(phases == ABSENT, len(plan.phases), phases)


def _bill_order(parts: tuple[PartRow, ...]) -> Callable[[int], tuple[Any, ...]]:
    rank = {category: place for place, category in enumerate(CATEGORIES)}

    def key(number: int) -> tuple[Any, ...]:
        part = parts[number]
        return rank.get(part.category, len(rank)), part.category, natural_key(part.part), number

    return key


def bom_cells(plan: Plan) -> Iterator[tuple[str | int, ...]]:
    """The purchase lines as `bom.csv` has them, in BOM_COLUMNS: metres and money as decimals, empty for unknown."""
    for line in bom_lines(plan):
        length = "" if line.length_mm is None else metres(line.length_mm)
        yield (
            line.line, line.category, line.manufacturer, line.part, line.order_number, line.description, length,
            line.qty_installed, line.qty_spare, line.qty_stock, line.qty_order, _cell(line.pack_size),
            money_text(line.unit_price_e4), line.currency, money_text(line.extended_e4), line.price_note,
            _cell(line.lead_time_weeks), line.need_by, line.phase, line.evidence,
        )  # fmt: skip


def money_text(e4: int | None) -> str:
    """`15990000` as `1599.00`: two decimals, up to four where the price has them; empty for an unknown."""
    if e4 is None:
        return ""
    whole, rest = divmod(e4, E4)
    decimals = f"{rest:04d}"
    return f"{whole}.{decimals[:2]}{decimals[2:].rstrip('0')}"


def _cell(value: int | None) -> str | int:
    return "" if value is None else value


# --- kits -----------------------------------------------------------------------------------------------------------


def kit_lines(plan: Plan) -> tuple[KitLine, ...]:
    """What to bring to each rack: racks in natural order, phases in theirs, then as the bill is ordered.

    A cable between racks belongs to the rack of its a end; a transceiver and a switch to the rack they sit in.
    Spares belong to no rack.
    """
    plugs = np.flatnonzero(_is_transceiver(plan)[plan.plugs.part])
    of_device = np.array([device.rack for device in plan.devices] or [0], np.int64)
    switches = np.array(_switches(plan), np.int64).reshape(-1, 3)
    cables = plan.cables
    racks = np.concatenate((cables.rack_a, of_device[plan.plugs.device[plugs]], switches[:, 0]))
    parts, phases = _billed_things(plan)
    leaving = np.zeros(len(racks), np.int64)
    leaving[: len(cables)] = cables.rack_a != cables.rack_z
    keys, inverse, counts = np.unique(
        np.stack((racks, _none_last(phases, plan), parts)), axis=1, return_inverse=True, return_counts=True
    )
    left = np.bincount(inverse.reshape(-1), weights=leaving, minlength=len(counts)).astype(np.int64)
    rank = natural_rank(rack.name for rack in plan.racks)
    in_bill = _bill_order(plan.parts)
    found = [
        (rank[plan.racks[rack].name], phase, in_bill(part), rack, part, count, away)
        for rack, phase, part, count, away in zip(*keys.tolist(), counts.tolist(), left.tolist(), strict=True)
    ]
    return tuple(
        KitLine(
            rack=plan.racks[rack].name,
            phase=plan.phases[phase].name if phase < len(plan.phases) else "",
            part=plan.parts[part],
            quantity=count,
            leaving=away,
        )
        for _, phase, _, rack, part, count, away in sorted(found)
    )


# --- money ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cost:
    """Money of the order quantities in ten-thousandths; None where a price that enters is not known.

    nics: None as soon as the plan has hosts, whose NICs it neither counts nor prices. Shares in millionths.
    """

    currency: str
    cabling_e4: int | None
    switches_e4: int | None
    nics_e4: int | None
    indicative: bool

    @property
    def total_e4(self) -> int | None:
        return sum_known((self.cabling_e4, self.switches_e4, self.nics_e4))

    @property
    def share_with_nics_ppm(self) -> int | None:
        return _share_ppm(self.cabling_e4, self.total_e4)

    @property
    def share_without_nics_ppm(self) -> int | None:
        return _share_ppm(self.cabling_e4, sum_known((self.cabling_e4, self.switches_e4)))


def cost_of(plan: Plan, lines: Iterable[BomLine]) -> Cost:
    """What a bill costs; nothing is summed over mixed currencies, which are a finding."""
    listed = list(lines)
    priced = [line for line in listed if line.unit_price_e4 is not None]
    currencies = sorted({line.currency for line in priced})
    guesses = {price.part for price in plan.prices if price.indicative}
    mixed = len(currencies) > 1

    def money(chosen: Iterable[BomLine]) -> int | None:
        return None if mixed else sum_known(line.extended_e4 for line in chosen)

    return Cost(
        currency=currencies[0] if len(currencies) == 1 else "",
        cabling_e4=money(line for line in listed if is_cabling(line.category)),
        switches_e4=money(line for line in listed if line.category == SWITCH),
        nics_e4=None if any(device.kind != SWITCH for device in plan.devices) else 0,
        indicative=any(line.part in guesses for line in priced),
    )


def is_cabling(category: str) -> bool:
    """Whether a category counts as cabling in the shares of cost: all that is neither switch, NIC nor server."""
    return category not in _HARDWARE


def sum_known(values: Iterable[int | None]) -> int | None:
    """The sum, or None as soon as one of the values is not known."""
    total = 0
    for value in values:
        if value is None:
            return None
        total += value
    return total


def _share_ppm(part: int | None, whole: int | None) -> int | None:
    """Share in millionths, halves up; None where either is unknown or there is nothing to share."""
    if part is None or not whole:
        return None
    return (2 * part * PPM + whole) // (2 * whole)


# --- summary --------------------------------------------------------------------------------------------------------


def summary_of(plan: Plan) -> dict[str, Any]:
    """The content of `summary.json`: counts, lengths, money, power and fill; keys in natural order, null for unknown."""
    lines = bom_lines(plan)
    families = {part.part: part.family for part in plan.parts}
    required = plan.links.required_mm[_resolved(plan)]
    cables_mm = np.array([part.length_mm for part in plan.parts] or [ABSENT], np.int64)[plan.cables.part]
    return {
        "project": plan.identity.project,
        "revision": plan.identity.revision,
        "inputs_sha256": plan.identity.inputs_sha256,
        "links": {
            "total": len(plan.links),
            "by_tier": links_by_tier(plan),
            "by_medium": _tally((medium, 1) for medium in plan.links.medium.tolist() if medium),
            "unresolved": len(plan.links) - len(required),
        },
        "parts": _tally((line.part, line.qty_installed) for line in lines),
        "by_category": _tally((line.category, line.qty_installed) for line in lines),
        "by_family": _tally((families[line.part], line.qty_installed) for line in lines),
        "length_m": {
            "stock_total": int(cables_mm[cables_mm != ABSENT].sum()) / 1000,
            "longest_required": int(required.max()) / 1000 if len(required) else None,
        },
        "findings": by_severity(plan.findings),
        "cost": _cost_record(cost_of(plan, lines)),
        "power_w": {"plugs": _per(plug_power_mw(plan), 1000), "switches": _per(switch_power_mw(plan), 1000)},
        "pathways": {
            pathway.name: {
                "fill_ratio": _per(known(pathway.fill_ppm), PPM),
                "cables": pathway.cables,
                "kg_per_m": _per(known(pathway.mg_per_m), 1_000_000),
                "copper_ratio": _per(known(pathway.copper_ppm), PPM),
                "fibre_ratio": _per(known(_fibre_ppm(pathway)), PPM),
            }
            for pathway in sorted(plan.pathways, key=lambda pathway: natural_key(pathway.name))
        },
    }


def _fibre_ppm(pathway: PathwayRow) -> int:
    return ABSENT if pathway.fill_ppm < 0 else pathway.fill_ppm - pathway.copper_ppm


def links_by_tier(plan: Plan) -> dict[str, int]:
    """Number of links by `fabric/tier`."""
    fabrics, tiers = plan.links.fabric.tolist(), plan.links.tier.tolist()
    return _tally((f"{plan.fabrics[fabric].name}/{tier}", 1) for fabric, tier in zip(fabrics, tiers, strict=True))


def plug_power_mw(plan: Plan) -> int | None:
    """Power of everything that sits in a cage: transceivers, and the plugs of cable assemblies, each end once."""
    numbers, counts = np.unique(plan.plugs.part, return_counts=True)
    draws = ((known(plan.parts[part].power_mw), n) for part, n in zip(numbers.tolist(), counts.tolist(), strict=True))
    return sum_known(None if draw is None else draw * count for draw, count in draws)


def switch_power_mw(plan: Plan) -> int | None:
    """Typical power of the switches without optics."""
    return sum_known(known(device.power_mw) for device in plan.devices if device.kind == SWITCH)


def _resolved(plan: Plan) -> Any:
    return plan.links.status.codes == plan.links.status.code("resolved")


def _tally(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    totals: dict[str, int] = {}
    for name, count in counts:
        totals[name] = totals.get(name, 0) + count
    return {name: totals[name] for name in sorted(totals, key=natural_key)}


def _cost_record(cost: Cost) -> dict[str, Any]:
    return {
        "currency": cost.currency or None,
        "cabling": _per(cost.cabling_e4, E4),
        "switches": _per(cost.switches_e4, E4),
        "nics": _per(cost.nics_e4, E4),
        "total": _per(cost.total_e4, E4),
        "cabling_share_with_nics": _per(cost.share_with_nics_ppm, PPM),
        "cabling_share_without_nics": _per(cost.share_without_nics_ppm, PPM),
        "indicative": cost.indicative,
    }


def _per(value: int | None, unit: int) -> float | None:
    """A whole number of small units in the unit people read: the float nearest to the decimal, which prints as it."""
    return None if value is None else value / unit
