"""Short ways to write the usual parts of a channel, for rules, recipes and tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from planner.channel.ferrules import BASE8, Ferrule, Medium, ferrule
from planner.channel.figures import UNKNOWN_LOSS, LossFigure
from planner.channel.maps import cassette_links, fan_links
from planner.channel.model import Adapter, Cord, Fan, FanKind, Gender, Keying, Plug, Polish, Receptacle

Filling = tuple[int, ...] | Literal["base8"] | None


def plug(
    face: str | Ferrule, gender: Gender | None = "-", polish: Polish | None = None, pair: LossFigure = UNKNOWN_LOSS
) -> Plug:
    return Plug(ferrule(face), gender, polish, pair)


def parallel_receptacle(
    medium: Medium | None,
    lanes: int = 4,
    face: str | Ferrule = "mpo12",
    polish: Polish | None = "APC",
    *,
    gender: Gender | None = "M",
    name: str = "",
    port: int | None = None,
    lane_offset: int = 0,
) -> Receptacle:
    """An array port with Tx k at position k and Rx k at N+1-k (fibre.yaml, module_lanes_mpo12); modules carry pins."""
    size = ferrule(face).positions
    tx, rx = tuple(range(1, lanes + 1)), tuple(range(size, size - lanes, -1))
    return Receptacle(plug(face, gender, polish), medium, tx, rx, name, port, lane_offset)


def duplex_receptacle(
    medium: Medium | None,
    face: str | Ferrule = "lc2",
    polish: Polish | None = "UPC",
    *,
    name: str = "",
    port: int | None = None,
    lane_offset: int = 0,
) -> Receptacle:
    """A duplex port: Tx at B (2), Rx at A (1); only the parity of swaps matters."""
    return Receptacle(plug(face, "-", polish), medium, (2,), (1,), name, port, lane_offset)


def array_cord(
    polarity: str | tuple[int, ...] | None,
    genders: str = "FF",
    polish: Polish | None = "APC",
    fibre: str | None = "OS2",
    face: str | Ferrule = "mpo12",
    *,
    length_mm: int | None = None,
    populated: Filling = None,
    pair: LossFigure = UNKNOWN_LOSS,
    name: str = "",
) -> Cord:
    """An array cord or trunk leg; genders: of the plugs at A and Z, such as `FF` or `MM`."""
    a, z = (plug(face, _gender(letter), polish, pair) for letter in genders)
    return Cord(a, z, polarity, fibre, length_mm, filling(populated), name)


def _gender(letter: str) -> Gender:
    return "M" if letter == "M" else "F" if letter == "F" else "-"


def filling(populated: Filling) -> tuple[int, ...] | None:
    return BASE8 if populated == "base8" else populated


def duplex_cord(
    polarity: str = "A-B",
    polish: Polish | None = "UPC",
    fibre: str | None = "OS2",
    face: str | Ferrule = "lc2",
    *,
    length_mm: int | None = None,
    pair: LossFigure = UNKNOWN_LOSS,
    name: str = "",
) -> Cord:
    end = plug(face, "-", polish, pair)
    return Cord(end, end, polarity, fibre, length_mm, None, name)


def adapter(keying: Keying | None = "A", face: str | Ferrule = "mpo12", name: str = "") -> Adapter:
    return Adapter(ferrule(face), keying, name)


def splitter(
    legs: Mapping[int, Mapping[int, int]] | None,
    a: Plug,
    z: Plug,
    fibre: str | None = "OS2",
    *,
    kind: FanKind = "splitter",
    legs_on: Literal["a", "z"] = "z",
    length_mm: int | None = None,
    leg: int | None = None,
    name: str = "",
) -> Fan:
    """A Y cable or conversion. legs: by leg, position at the single plug to position at the leg's plug."""
    return Fan(kind, a, z, fan_links(legs, legs_on), legs_on == "a", legs_on == "z", fibre, length_mm, name, leg)


def cassette(
    wiring: str | None,
    rear: Plug,
    duplex: Plug,
    fibre: str | None = "OS2",
    *,
    lc_towards: Literal["a", "z"] = "a",
    labels_reversed: bool = False,
    populated: Filling = None,
    leg: int | None = None,
    name: str = "",
) -> Fan:
    """An array-to-duplex module; lc_towards: the end of the channel that its duplex ports face."""
    towards_a = lc_towards == "a"
    links = None if wiring is None else cassette_links(wiring, rear.ferrule.positions, towards_a, labels_reversed)
    lit = filling(populated) or rear.ferrule.populated
    if links is not None and lit:
        links = tuple(link for link in links if (link[3] if towards_a else link[1]) in lit)
    a, z = (duplex, rear) if towards_a else (rear, duplex)
    return Fan("cassette", a, z, links, towards_a, not towards_a, fibre, None, name, leg, wiring or "", labels_reversed)
