"""The parts of an optical channel: receptacles at its ends, and cords, adapters and fans between them.

A *cord* has one plug at each end (a trunk's leg and a duplex cord are cords too). A *fan* has several plugs at one end
or at both: splitter, conversion, cassette, shuffle. An *adapter* holds two plugs and turns their keys.
Everything is immutable, so that kinds of channels can be judged once and compared. None is a fact nobody states.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from planner.channel.ferrules import Ferrule, Medium
from planner.channel.figures import UNKNOWN_LOSS, LossFigure

Gender = Literal["M", "F", "-"]
"""M carries pins, F does not, - is a face without pins (LC)."""
Polish = Literal["APC", "PC", "UPC"]
"""APC is angled; PC and UPC are flat, and vendors use both words for a flat array ferrule."""
Keying = Literal["A", "B"]
"""A is key-up/key-down (opposed keys), B is key-up/key-up (aligned keys)."""
FanKind = Literal["splitter", "conversion", "cassette", "shuffle"]

Link = tuple[int, int, int, int]
"""One fibre of a fan: plug at end A, position there, plug at end Z, position there; plug 0 where an end has one plug."""


@dataclass(frozen=True, slots=True)
class Plug:
    """One connector. pair: loss of a mated pair of two such plugs; a joint counts at its weaker plug."""

    ferrule: Ferrule
    gender: Gender | None = None
    polish: Polish | None = None
    pair: LossFigure = UNKNOWN_LOSS


@dataclass(frozen=True, slots=True)
class Receptacle:
    """An optical port of a transceiver at one end of a channel.

    tx, rx: position of lane 1, 2, ... as the plug that faces it counts.
    port: the planned number of the panel or duplex port on the way, where a cassette offers several.
    lane_offset: what a breakout adds to this module's lanes to get the lanes of the far module.
    """

    plug: Plug
    medium: Medium | None
    tx: tuple[int, ...]
    rx: tuple[int, ...]
    name: str = ""
    port: int | None = None
    lane_offset: int = 0


@dataclass(frozen=True, slots=True)
class Cord:
    """A cable with one plug at each end.

    polarity: a name of `maps.POLARITIES`, or the position at Z by position at A (0 is no fibre, from position 1).
    populated: positions at A that carry fibre; None means all that the ferrule has.
    per_km: loss of its fibre, where the part states one; else that of its grade counts.
    """

    a: Plug
    z: Plug
    polarity: str | tuple[int, ...] | None
    fibre: str | None = None
    length_mm: int | None = None
    populated: tuple[int, ...] | None = None
    name: str = ""
    splices: int = 0
    per_km: LossFigure = UNKNOWN_LOSS


@dataclass(frozen=True, slots=True)
class Adapter:
    """A bulkhead coupler that holds two plugs of its ferrule's face."""

    ferrule: Ferrule
    keying: Keying | None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Fan:
    """A component with several plugs at an end.

    links: its fibres, or None where the maker publishes no map. many_a, many_z: which ends have several plugs.
    leg: the plug that a channel without branches is planned to use. wiring, labels_reversed: of a cassette.
    """

    kind: FanKind
    a: Plug
    z: Plug
    links: tuple[Link, ...] | None
    many_a: bool
    many_z: bool
    fibre: str | None = None
    length_mm: int | None = None
    name: str = ""
    leg: int | None = None
    wiring: str = ""
    labels_reversed: bool = False
    splices: int = 0
    per_km: LossFigure = UNKNOWN_LOSS


Component = Cord | Adapter | Fan


@dataclass(frozen=True, slots=True)
class Reach:
    """A length and its limit, both inclusive; an unknown limit leaves the channel unproven."""

    length_mm: int | None
    limit_mm: int | None
    rule: str = ""


@dataclass(frozen=True, slots=True)
class FibreRun:
    """A length of one fibre and its loss per kilometre."""

    length_mm: int | None
    per_km: LossFigure


@dataclass(frozen=True, slots=True)
class LossSheet:
    """Everything a channel loses between its transceivers, and what it may lose."""

    pairs: tuple[LossFigure, ...]
    runs: tuple[FibreRun, ...]
    budget_mdb: int | None
    splices: tuple[LossFigure, ...] = ()
    budget_sourced: bool = True


@dataclass(frozen=True, slots=True)
class Branch:
    """What hangs on one leg of the fan that ends the chain before it; it may end in a fan and branch again."""

    leg: int
    chain: tuple[Component, ...]
    z: Receptacle | None
    branches: tuple[Branch, ...] = ()
    loss: LossSheet | None = None
    reach: Reach | None = None


@dataclass(frozen=True, slots=True)
class Channel:
    """The passive chain from receptacle `a` to receptacle `z`, or to the branches of the fan that ends the chain."""

    a: Receptacle
    chain: tuple[Component, ...]
    z: Receptacle | None
    branches: tuple[Branch, ...] = ()
    loss: LossSheet | None = None
    reach: Reach | None = None


Tail = Channel | Branch
