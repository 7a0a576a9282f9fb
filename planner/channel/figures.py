"""Loss figures as data: mated pairs by grade, fibre by grade and wavelength, splices, and channel budgets.

Losses are thousandths of a decibel (`_mdb`), fibre losses thousandths of a decibel per kilometre (`_mdb_per_km`).
A figure that is not `sourced` may fail a channel and never passes one; an unknown is None.
Sources are the keys of fibre.yaml, sections loss and channel_budgets_db.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

MMF_NM: Final = 850
SMF_NM: Final = 1310


@dataclass(frozen=True, slots=True)
class LossFigure:
    """A loss at worst and typically, in mdb (or mdb per km); None is unknown. source: where it stands."""

    max_mdb: int | None = None
    typical_mdb: int | None = None
    sourced: bool = True
    source: str = ""


UNKNOWN_LOSS: Final = LossFigure()

PAIR_GRADES: Final[Mapping[str, LossFigure]] = MappingProxyType(
    {
        "mpo-standard": LossFigure(750, 250, source="fs-mtp"),
        "mpo-standard-sm": LossFigure(600, 200, source="fs-mtp"),
        "mpo-low-loss": LossFigure(350, 100, source="fs-mtp"),
        "mpo-vendor-ai": LossFigure(350, None, source="nv-mpolc"),
        "lc-vendor-ai": LossFigure(250, None, source="nv-mpolc"),
        "tia-max": LossFigure(750, None, source="eyby"),
        "iec-b": LossFigure(250, 120, sourced=False, source="unverified"),
        "iec-c": LossFigure(500, 250, sourced=False, source="unverified"),
        "iec-d": LossFigure(1000, 500, sourced=False, source="unverified"),
    }
)

SPLICE: Final = LossFigure(300, None, source="eyby")
SPLICE_BY_MEDIUM: Final[Mapping[str, LossFigure]] = MappingProxyType(
    {"MM": LossFigure(300, 300, source="eyby, foa-budget"), "SM": LossFigure(300, 150, source="eyby, foa-budget")}
)

# The older limit of 3.5 dB/km at 850 nm is unverified and contradicted by two sources, so 3.0 stands.
FIBRE: Final[Mapping[tuple[str, int], LossFigure]] = MappingProxyType(
    {
        ("OM3", 850): LossFigure(3000, None, source="nv-mpolc, foa-budget"),
        ("OM4", 850): LossFigure(3000, None, source="nv-mpolc, foa-budget"),
        ("OM5", 850): LossFigure(3000, None, sourced=False, source="unverified"),
        ("OM3", 1300): LossFigure(1000, 800, source="eyby, foa-budget"),
        ("OM4", 1300): LossFigure(1000, 800, source="eyby, foa-budget"),
        ("OS2", 1310): LossFigure(400, 350, source="nv-mpolc, tiafotc-dr8, eyby"),
        ("OS1a", 1310): LossFigure(1000, None, source="tiafotc-dr8"),
        ("OS2", 1550): LossFigure(None, 200, source="foa-budget"),
    }
)


@dataclass(frozen=True, slots=True)
class Budget:
    """What a channel may lose between its two transceiver plugs, and how long it may be; None is unknown."""

    loss_mdb: int | None
    reach_mm: int | None
    sourced: bool = True
    source: str = ""


# What counts (fibre.yaml, what_counts): the joints at the two modules belong to the optics, not to the channel.
BUDGETS: Final[Mapping[tuple[str, str], Budget]] = MappingProxyType(
    {
        ("400GBASE-SR8", "OM3"): Budget(1800, 70_000, source="tiafotc-sr8"),
        ("400GBASE-SR8", "OM4"): Budget(1900, 100_000, source="tiafotc-sr8"),
        ("400GBASE-SR4.2", "OM3"): Budget(1700, 70_000, source="tiafotc-sr42"),
        ("400GBASE-SR4.2", "OM4"): Budget(1800, 100_000, source="tiafotc-sr42"),
        ("400GBASE-SR4.2", "OM5"): Budget(2000, 150_000, source="tiafotc-sr42"),
        ("800GBASE-DR8", "OS2"): Budget(3000, 500_000, source="tiafotc-dr8"),
        ("400GBASE-LR8", "OS2"): Budget(6300, 10_000_000, source="tiafotc-lr8"),
        ("400GBASE-SR4", "OM3"): Budget(None, 60_000, source="ascent-sr4"),
        ("400GBASE-SR4", "OM4"): Budget(None, 100_000, source="ascent-sr4"),
        ("400GBASE-VR4", "OM4"): Budget(None, 50_000, sourced=False, source="unverified"),
        ("400GBASE-DR4", "OS2"): Budget(3000, 500_000, sourced=False, source="unverified"),
        ("400GBASE-FR4", "OS2"): Budget(4000, 2_000_000, sourced=False, source="unverified"),
    }
)

UNKNOWN_BUDGET: Final = Budget(None, None, sourced=False)
