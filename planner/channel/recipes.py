"""The methods of the standard by name: which cords, trunk, plates and cassettes make a channel over two panels.

Sources: fibre.yaml, section methods. Array cords are unpinned and trunks pinned where arrays run through (the scheme
of the makers of AI fabrics: patch F-F, trunk M-M, all Type B); duplex trunks are unpinned between pinned cassettes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from planner.channel.build import adapter, array_cord, cassette, duplex_cord, plug
from planner.channel.ferrules import GRADES, Ferrule
from planner.channel.model import Channel, Keying, Polish, Receptacle


@dataclass(frozen=True, slots=True)
class Method:
    """One recipe.

    keying: of the plates between flat faces; angled_keying: between angled ones.
    parallel_cords, duplex_cords: polarity at end A and at end Z; None where the method cannot carry parallel lanes.
    wiring: of its cassettes; far_labels_reversed: the cassette at Z needs its ports labelled backwards.
    """

    trunk: str
    keying: Keying
    angled_keying: Keying
    parallel_cords: tuple[str, str] | None
    duplex_cords: tuple[str, str]
    wiring: str
    far_labels_reversed: bool = False


# Method B with aligned plates cannot hold angled faces, so opposed plates stand in: three Type B segments reverse as
# five did. Method U2 is defined by its aligned plates and stays what it is: angled faces fail on it, U1 is for them.
METHODS: Final[Mapping[str, Method]] = MappingProxyType(
    {
        "A": Method("A", "A", "A", ("A", "B"), ("A-B", "A-A"), "straight"),
        "B": Method("B", "B", "A", ("B", "B"), ("A-B", "A-B"), "straight", far_labels_reversed=True),
        "C": Method("C", "A", "A", None, ("A-B", "A-B"), "straight"),
        "U1": Method("B", "A", "A", ("B", "B"), ("A-B", "A-B"), "U1"),
        "U2": Method("B", "B", "B", ("B", "B"), ("A-B", "A-B"), "U2"),
    }
)


def parallel_channel(
    method: str,
    a: Receptacle,
    z: Receptacle,
    fibre: str,
    *,
    cord_mm: tuple[int | None, int | None] = (None, None),
    trunk_mm: int | None = None,
) -> Channel:
    """A channel of array cords and a trunk over two panels; faces and polish are those of receptacle A.

    Raises ValueError for Method C, which cannot keep the order of parallel lanes.
    """
    recipe = METHODS[method]
    if recipe.parallel_cords is None:
        raise ValueError(f"Method {method} has no recipe for parallel lanes")
    face, polish = a.plug.ferrule, a.plug.polish
    near, far = recipe.parallel_cords
    plate = adapter(_keying(recipe, polish), face)
    chain = (
        array_cord(near, "FF", polish, fibre, face, length_mm=cord_mm[0]),
        plate,
        array_cord(recipe.trunk, "MM", polish, fibre, face, length_mm=trunk_mm),
        plate,
        array_cord(far, "FF", polish, fibre, face, length_mm=cord_mm[1]),
    )
    return Channel(a, chain, z)


def duplex_channel(
    method: str,
    a: Receptacle,
    z: Receptacle,
    fibre: str,
    face: str | Ferrule = "mpo12",
    polish: Polish | None = None,
    *,
    cord_mm: tuple[int | None, int | None] = (None, None),
    trunk_mm: int | None = None,
) -> Channel:
    """A duplex channel over an array trunk between two cassettes.

    polish: of the array faces; angled for single-mode and flat for multimode where it is not given.
    """
    recipe = METHODS[method]
    array_polish: Polish = polish or ("APC" if GRADES[fibre].medium == "SM" else "PC")
    rear = plug(face, "M", array_polish)
    front = plug(a.plug.ferrule, "-", a.plug.polish)
    plate = adapter(_keying(recipe, array_polish), face)
    near, far = recipe.duplex_cords
    chain = (
        duplex_cord(near, a.plug.polish, fibre, a.plug.ferrule, length_mm=cord_mm[0]),
        cassette(recipe.wiring, rear, front, fibre, lc_towards="a"),
        plate,
        array_cord(recipe.trunk, "FF", array_polish, fibre, face, length_mm=trunk_mm),
        plate,
        cassette(recipe.wiring, rear, front, fibre, lc_towards="z", labels_reversed=recipe.far_labels_reversed),
        duplex_cord(far, a.plug.polish, fibre, a.plug.ferrule, length_mm=cord_mm[1]),
    )
    return Channel(a, chain, z)


def _keying(recipe: Method, polish: Polish | None) -> Keying:
    return recipe.angled_keying if polish == "APC" else recipe.keying
