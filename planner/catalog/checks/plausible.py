"""Figures that no real part has: a slipped unit or point, found before a plan rests on it.

The limits are wide on purpose. They are what the field knows of cables, plugs and racks at large, not any standard's
figure for a class of them; a part that truly lies outside is waived with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from math import pi
from typing import Any, Final

from planner.catalog.checks.entered import Entered, Path, spoken
from planner.catalog.fibre import Cord
from planner.catalog.figures import Family, Figure
from planner.catalog.load import Catalog
from planner.catalog.plugs import CableAssembly, PlugEnd, Transceiver
from planner.catalog.prices import PriceBook
from planner.catalog.structured import Trunk
from planner.findings import Fault

RULE: Final = "figure-implausible"
NOT_ABOVE_ZERO: Final = "NOT_ABOVE_ZERO"
"""Code of a figure of nothing or less, which a plan that uses it cannot be made with at all."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the most that is plausible, in the figure's unit; `scale` parts of the held value make one."""

    least: float
    most: float
    unit: str
    scale: int


_MM: Final = 1_000
_M: Final = 1_000_000
_THOUSANDTH: Final = 1_000

BOUNDS: Final = {
    # 3.5 dB/km is the worst grade of multimode glass at 850 nm; more than 5 is a loss per something else.
    "attenuation_db_per_km": Bounds(0.1, 5, "dB/km", _THOUSANDTH),
    # 0.75 dB is the most that TIA-568.3 allows a mated pair.
    "mated_pair_db": Bounds(0.01, 1, "dB", _THOUSANDTH),
    "kg_per_m": Bounds(0.001, 3, "kg/m", _THOUSANDTH),
    "outer_diameter_mm": Bounds(0.5, 60, "mm", _MM),
    "bend_radius_mm": Bounds(3, 1200, "mm", _MM),
    "pull_bend_radius_mm": Bounds(6, 1200, "mm", _MM),
    "leg_diameter_mm": Bounds(0.5, 10, "mm", _MM),
    "pulling_eye_mm": Bounds(5, 150, "mm", _MM),
    "leg_a_m": Bounds(0.1, 20, "m", _M),
    "leg_z_m": Bounds(0.1, 20, "m", _M),
    "slots": Bounds(1, 100, "slots", 1),
    "rear_pair_db": Bounds(0.01, 1, "dB", _THOUSANDTH),
    "front_pair_db": Bounds(0.01, 1, "dB", _THOUSANDTH),
    "tolerance_mm": Bounds(0, 2000, "mm", _MM),
    "insertion_mm": Bounds(0, 120, "mm", _MM),
    "standoff_mm": Bounds(5, 300, "mm", _MM),
    "width_mm": Bounds(20, 1500, "mm", _MM),
    "depth_mm": Bounds(20, 2000, "mm", _MM),
    "height_u": Bounds(0, 60, "U", 1),  # 0 for what stands beside the slots
    "weight_kg": Bounds(0.05, 3000, "kg", _THOUSANDTH),
    "power_w": Bounds(0.01, 300_000, "W", _THOUSANDTH),
    "power_max_w": Bounds(0.01, 300_000, "W", _THOUSANDTH),
    "max_power_w": Bounds(0.5, 60, "W", _THOUSANDTH),
    "slides_out_m": Bounds(0.1, 2, "m", _M),
    "reach_m": Bounds(0.1, 120_000, "m", _M),
    "min_length_m": Bounds(0, 100, "m", _M),
    "loss_db": Bounds(0.1, 40, "dB", _THOUSANDTH),
    "rating_kg_per_m": Bounds(1, 1000, "kg/m", _THOUSANDTH),
    "weight_limit_kg": Bounds(50, 5000, "kg", _THOUSANDTH),
}
"""By the key of a figure, wherever it stands."""

PRICE_BOUNDS: Final = (
    ("lead_time_weeks", 260, "weeks"),
    ("pack_size", 10_000, "pieces"),
    ("minimum_order", 100_000, "pieces"),
)
"""The most that an offer plausibly says; money has no bound here, since a chassis with its cards may cost anything."""

SINGLE_MODE_MOST_MDB: Final = 1_000
"""No single-mode cable loses more in a kilometre (OS1, ISO/IEC 11801)."""

DENSITY: Final = (100, 9_000)
"""kg/m3 of a whole cable: an airy jacket, and solid copper."""

BEND_OF_DIAMETER: Final = (1.5, 60)


def faults_of(entry: Entered, catalog: Catalog) -> Iterator[Fault]:
    yield from _bounds(entry, entry.model, ())
    match entry.model:
        case CableAssembly():
            yield from _cable(entry, entry.model)
            for key in ("a", "z"):
                yield from _power(entry, getattr(entry.model, key), entry.model.power_w.value, catalog)
        case Cord() | Trunk():
            yield from _cable(entry, entry.model)
            yield from _single_mode(entry, entry.model, catalog)
        case Transceiver():
            yield from _power(entry, entry.model.end, entry.model.power_w.value, catalog)
    if isinstance(entry.model, Family) and entry.model.lifecycle.as_of:
        yield from _day(entry, ("lifecycle", "as_of"), entry.model.lifecycle.as_of)
    if isinstance(entry.model, PriceBook):
        for row, price in enumerate(entry.model.prices):
            yield from _day(entry, ("prices", row, "date"), price.date)
            for key, most, unit in PRICE_BOUNDS:
                amount = getattr(price, key)
                if amount is not None and amount > most:
                    path: Path = ("prices", row, key)
                    yield _fault(entry, path, f"`{spoken(path)}` of `{entry.name}` is {amount:,} {unit}",
                                 f"up to {most:,} {unit} is what an offer says")  # fmt: skip


def _bounds(entry: Entered, value: Any, path: Path) -> Iterator[Fault]:
    """Figures by their key, however deep they stand; of a mapping of figures (reach by grade) by the mapping's key."""
    match value:
        case Figure():
            key = next((step for step in reversed(path) if step in BOUNDS), None)
            if key is not None:
                yield from _bounded(entry, path, value.value, BOUNDS[str(key)])
        case dict():
            for key, item in value.items():
                yield from _bounds(entry, item, (*path, str(key)))
        case list():
            for index, item in enumerate(value):
                yield from _bounds(entry, item, (*path, index))
        case _ if hasattr(type(value), "model_fields") and not isinstance(value, PriceBook):
            yield from _of_fields(entry, value, path)


def _of_fields(entry: Entered, model: Any, path: Path) -> Iterator[Fault]:
    for key in type(model).model_fields:
        yield from _bounds(entry, getattr(model, key), (*path, key))


def _bounded(entry: Entered, path: Path, value: Any, bounds: Bounds) -> Iterator[Fault]:
    if isinstance(value, int) and not _plausible(value, bounds):
        yield Fault(
            RULE,
            f"`{spoken(path)}` of `{entry.name}` is {value / bounds.scale:g} {bounds.unit}",
            entry.at(*path, "value"),
            note=f"{bounds.least:g} to {bounds.most:g} {bounds.unit} is what such a thing has",
            help="look for a slipped unit or a slipped point",
            code=NOT_ABOVE_ZERO if value <= 0 else "",
            objects=(entry.name,),
        )


def _plausible(value: int | None, bounds: Bounds) -> bool:
    return value is not None and bounds.least <= value / bounds.scale <= bounds.most


def _cable(entry: Entered, cable: CableAssembly | Cord | Trunk) -> Iterator[Fault]:
    # What is implausible by itself has been told; here it would only be told again.
    thick, bend, weight = (
        getattr(cable, key).value if _plausible(getattr(cable, key).value, BOUNDS[key]) else None
        for key in ("outer_diameter_mm", "bend_radius_mm", "kg_per_m")
    )
    if not thick:
        return
    if bend and not BEND_OF_DIAMETER[0] <= bend / thick <= BEND_OF_DIAMETER[1]:
        yield _fault(entry, ("bend_radius_mm",), f"`{entry.name}` bends to {bend / _MM:g} mm, {bend / thick:.3g} times its "
                     f"diameter of {thick / _MM:g} mm", "3 to 20 times is usual")  # fmt: skip
    if weight:
        # kg/m over square metres: the held values are grams and micrometres.
        density = (weight / 1000) / (pi / 4 * (thick / _M) ** 2)
        if not DENSITY[0] <= density <= DENSITY[1]:
            yield _fault(entry, ("kg_per_m",), f"`{entry.name}` weighs {weight / 1000:g} kg/m at {thick / _MM:g} mm, which is "
                         f"{density:,.0f} kg/m3", f"{DENSITY[0]} to {DENSITY[1]:,} kg/m3 lie between foam and solid copper")  # fmt: skip


def _single_mode(entry: Entered, cord: Cord | Trunk, catalog: Catalog) -> Iterator[Fault]:
    grade, loss = catalog.grades.get(cord.fibre), cord.attenuation_db_per_km.value
    if grade is not None and grade.fibre == "single-mode" and loss is not None and loss > SINGLE_MODE_MOST_MDB:
        yield _fault(entry, ("attenuation_db_per_km",), f"`{entry.name}` loses {loss / 1000:g} dB/km on {cord.fibre}",
                     "no single-mode cable loses more than 1 dB/km")  # fmt: skip


def _power(entry: Entered, end: PlugEnd, power: int | None, catalog: Catalog) -> Iterator[Fault]:
    form = catalog.form_factors.get(end.form_factor)
    most = form.max_power_w.value if form is not None else None
    if power is not None and most is not None and power > most:
        yield _fault(entry, ("power_w",), f"`{entry.name}` draws {power / 1000:g} W in a plug `{end.form_factor}`",
                     f"none of that form factor is known to draw more than {most / 1000:g} W")  # fmt: skip


def _day(entry: Entered, path: Path, text: str) -> Iterator[Fault]:
    """A day; of an old price list often only its month or year is known."""
    try:
        date.fromisoformat(text + "-01-01"[{4: 0, 7: 3}.get(len(text), 6) :])
    except ValueError:
        yield _fault(entry, path, f"`{spoken(path)}` of `{entry.name}` is `{text}`, which is no day",
                     advice="write it as 2026-09-23, the day of the list that says so")  # fmt: skip


def _fault(entry: Entered, path: Path, message: str, note: str = "", advice: str = "") -> Fault:
    advice = advice or "look for a slipped unit or a slipped point"
    return Fault(RULE, message, entry.at(*path), note=note, help=advice, objects=(entry.name,))
