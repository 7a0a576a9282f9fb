"""Trunks, cassettes, plates and shuffles: the maps of the shipped ones, position by position, and channels made of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest

from planner.catalog.load import Catalog
from planner.catalog.structured import AdapterPlate, Cassette, Panel, Shuffle, Trunk
from planner.channel.build import array_cord, duplex_cord, duplex_receptacle, parallel_receptacle
from planner.channel.catalogued import cassette_fan, plate_coupler, shuffle_fan, trunk_leg
from planner.channel.judge import judge
from planner.channel.maps import Grid, Row, breakout_legs, table_of
from planner.channel.model import Channel, Component

# The map of each component as the reference states it (fibre.yaml, polarity_components), written out by hand.
TYPES_OF_12: Final = {
    "A": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    "B": [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
    "C": [2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11],
}
TYPE_B_OF_16: Final = [16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
COUPLERS: Final = {
    "generic-plate-8xmpo-12-opposed": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    "generic-plate-8xmpo-12-aligned": [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
    "generic-plate-8xmpo-16-opposed": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
    "generic-plate-6xlc": [2, 1],
}
STRAIGHT: Final = {1: {1, 2}, 2: {3, 4}, 3: {5, 6}, 4: {7, 8}, 5: {9, 10}, 6: {11, 12}}
FOLDED: Final = {1: {1, 12}, 2: {2, 11}, 3: {3, 10}, 4: {4, 9}, 5: {5, 8}, 6: {6, 7}}
SPLITTERS: Final = {
    "generic-mpo-12-apc-om4-1-2-type-b": {1: {1: 12, 2: 11, 11: 2, 12: 1}, 2: {3: 12, 4: 11, 9: 2, 10: 1}},
    "generic-mpo-12-apc-os2-1-2-type-b": {1: {1: 12, 2: 11, 11: 2, 12: 1}, 2: {3: 12, 4: 11, 9: 2, 10: 1}},
    "mfp7e20": {1: {1: 12, 2: 11, 11: 2, 12: 1}, 2: {3: 12, 4: 11, 9: 2, 10: 1}},
    "mfp7e40": {1: {1: 12, 2: 11, 11: 2, 12: 1}, 2: {3: 12, 4: 11, 9: 2, 10: 1}},
    "generic-mpo-16-apc-om4-2xmpo-12": {
        1: {1: 12, 2: 11, 3: 10, 4: 9, 13: 4, 14: 3, 15: 2, 16: 1},
        2: {5: 12, 6: 11, 7: 10, 8: 9, 9: 4, 10: 3, 11: 2, 12: 1},
    },
    "generic-mpo-16-apc-os2-2xmpo-12": {
        1: {1: 12, 2: 11, 3: 10, 4: 9, 13: 4, 14: 3, 15: 2, 16: 1},
        2: {5: 12, 6: 11, 7: 10, 8: 9, 9: 4, 10: 3, 11: 2, 12: 1},
    },
    "generic-mpo-12-apc-os2-4xlc": {1: {1: 2, 12: 1}, 2: {2: 2, 11: 1}, 3: {3: 2, 10: 1}, 4: {4: 2, 9: 1}},
}


def _of(catalog: Catalog, kind: type) -> Iterator[Any]:
    return (part for part in catalog.structured.values() if isinstance(part, kind))


def _row(component: Component) -> list[int]:
    table = table_of(component)
    assert isinstance(table, Row)
    return list(table.onward[1:])


def test_legs_of_trunks(catalog: Catalog) -> None:
    for trunk in _of(catalog, Trunk):
        whole = TYPE_B_OF_16 if trunk.base == 16 else TYPES_OF_12[trunk.polarity]
        lit = [there if position in trunk.populated else 0 for position, there in enumerate(whole, 1)]
        assert _row(trunk_leg(trunk)) == lit, trunk.id


def test_trunks_cover_the_sizes_that_are_sold(catalog: Catalog) -> None:
    """8 to 144 fibres in legs of 8, 12 and 16, pinned and Type B as NVIDIA's requirement has them, on both fibres."""
    sizes = {
        base: {t.fibres for t in _of(catalog, Trunk) if t.base == base and t.a.gender == "male" and t.fibre == grade}
        for base in (8, 12, 16)
        for grade in ("om4", "os2")
    }
    assert sizes == {8: {8, 24, 48, 96, 144}, 12: {12, 24, 48, 72, 96, 144}, 16: {16, 32, 64, 96, 144}}
    assert {t.polarity for t in _of(catalog, Trunk) if t.a.gender == "male"} == {"B"}


def test_couplers_of_plates(catalog: Catalog) -> None:
    assert {plate.id: _row(plate_coupler(plate)) for plate in _of(catalog, AdapterPlate)} == COUPLERS


@pytest.mark.parametrize("towards", ["a", "z"])
def test_ports_of_cassettes(catalog: Catalog, towards: Any) -> None:
    for part in _of(catalog, Cassette):
        table = table_of(cassette_fan(part, towards))
        assert isinstance(table, Grid)
        fibres = table.onward if towards == "z" else table.back  # from the array to the ports
        ports: dict[int, set[int]] = {}
        for (_, position), (port, _side) in fibres.items():
            ports.setdefault(port, set()).add(position)
        wanted = STRAIGHT if part.wiring == "straight" else FOLDED
        if part.labels_reversed:
            wanted = {7 - port: positions for port, positions in wanted.items()}
        assert ports == wanted, part.id


def test_legs_of_splitters(catalog: Catalog) -> None:
    assert {cord.id: cord.legs for cord in catalog.cords.values() if cord.legs} == SPLITTERS
    assert SPLITTERS["generic-mpo-16-apc-os2-2xmpo-12"] == breakout_legs(16, 12, 2, 4)
    assert SPLITTERS["generic-mpo-12-apc-os2-1-2-type-b"] == breakout_legs(12, 12, 2, 2)


def test_a_panel_has_slots_and_a_height(catalog: Catalog) -> None:
    assert {(p.height_u.value, p.slots.value) for p in _of(catalog, Panel)} == {(1, 4), (2, 8), (4, 12)}


def _parallel(catalog: Catalog, plate: str) -> list[str]:
    """NVIDIA's structured channel: unpinned Type B cords, a pinned Type B trunk, plates between."""
    trunk, coupler = catalog.structured["generic-trunk-96f-base12-apc-os2-type-b-m"], catalog.structured[plate]
    assert isinstance(trunk, Trunk)
    assert isinstance(coupler, AdapterPlate)
    cord, between = array_cord("B", "FF", "APC", "OS2", populated="base8"), plate_coupler(coupler)
    end = parallel_receptacle("SM")
    return list(judge(Channel(end, (cord, between, trunk_leg(trunk), between, cord), end)).codes)


def test_a_channel_of_shipped_parts_passes_over_opposed_plates_only(catalog: Catalog) -> None:
    """Three Type B segments reverse three times; aligned plates reverse twice more, and hold no angled faces."""
    assert _parallel(catalog, "generic-plate-8xmpo-12-opposed") == []
    assert _parallel(catalog, "generic-plate-8xmpo-12-aligned") == ["APC_ALIGNED_KEY"]


@pytest.mark.parametrize(
    ("near", "far", "trunk", "cords"),
    [
        ("straight", "straight", "a", ("A-B", "A-A")),
        ("straight", "straight-reversed", "b", ("A-B", "A-B")),
        ("straight", "straight", "c", ("A-B", "A-B")),
        ("u1", "u1", "b", ("A-B", "A-B")),
    ],
    ids=["A", "B", "C", "U1"],
)
def test_duplex_methods_of_shipped_parts_bring_port_5_to_port_5(
    catalog: Catalog, near: str, far: str, trunk: str, cords: tuple[str, str]
) -> None:
    """Flat multimode: Methods A, C and U1 over opposed plates, Method B over aligned ones with the far labels reversed."""
    first, last = (catalog.structured[f"generic-cassette-6xlc-om4-{name}"] for name in (near, far))
    middle = catalog.structured[f"generic-trunk-12f-base12-upc-om4-type-{trunk}-f"]
    keys = "aligned" if far == "straight-reversed" else "opposed"
    plate = catalog.structured[f"generic-plate-8xmpo-12-{keys}"]
    assert isinstance(first, Cassette)
    assert isinstance(last, Cassette)
    assert isinstance(middle, Trunk)
    assert isinstance(plate, AdapterPlate)
    end = duplex_receptacle("MM", port=5)
    chain = (
        duplex_cord(cords[0], "UPC", "OM4"), cassette_fan(first, "a"), plate_coupler(plate), trunk_leg(middle),
        plate_coupler(plate), cassette_fan(last, "z"), duplex_cord(cords[1], "UPC", "OM4"),
    )  # fmt: skip
    assert list(judge(Channel(end, chain, end)).codes) == []


def test_a_shuffle_is_its_written_map() -> None:
    """Two plugs of four lanes each, dealt to two planes: lanes 1 and 2 of every plug to plane 1, the others to plane 2."""
    dealt = {(1, 1): (1, 1), (1, 2): (1, 2), (1, 3): (2, 1), (1, 4): (2, 2),
             (2, 1): (1, 3), (2, 2): (1, 4), (2, 3): (2, 3), (2, 4): (2, 4)}  # fmt: skip
    text = {plug: {at: list(there) for (one, at), there in dealt.items() if one == plug} for plug in (1, 2)}
    figure = {"value": None, "source": "invented"}
    end = {"connector": "mpo-12", "gender": "male", "polish": "apc"}
    shuffle = Shuffle.model_validate(
        {
            "id": "shuffle", "kind": "shuffle", "manufacturer": "Example", "description": "two by two",
            "lifecycle": {"value": "active", "source": "invented"}, "members": [{"part": "SHUFFLE"}], "fibre": "os2",
            "a": end, "a_count": "2", "z": end, "z_count": "2", "map": text, "map_source": figure,
            "mated_pair_db": figure, "height_u": figure, "depth_mm": figure, "weight_kg": figure,
        }
    )  # fmt: skip
    table = table_of(shuffle_fan(shuffle))
    assert isinstance(table, Grid)
    assert dict(table.onward) == dealt
    assert dict(table.back) == {there: here for here, there in dealt.items()}
