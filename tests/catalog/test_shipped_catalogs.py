"""The catalog that ships, beyond what `planner catalog check` says of any catalog: our own conventions, and known facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from pydantic import BaseModel

from planner.catalog.compatibility import Compatibility
from planner.catalog.devices import CageGroup, Device, group_ports
from planner.catalog.fibre import Cord
from planner.catalog.load import FIBRE_SCHEMAS, PLUG_SCHEMAS
from planner.catalog.plugs import CableAssembly, PlugEnd, Protocol, Transceiver
from planner.catalog.prices import PriceBook
from planner.catalog.racks import PathwayType, RackType
from planner.data import catalogs_folder
from planner.names import expand_hostlist
from planner.reader.yaml_source import load_yaml

SCHEMAS: Final[dict[str, type[BaseModel]]] = {
    "devices": Device,
    "racks": RackType,
    "pathways": PathwayType,
    "compatibility": Compatibility,
    "prices": PriceBook,
}
FILES: Final = sorted(catalogs_folder().rglob("*.yaml"))

METRE_UM: Final = 1_000_000
THOUSANDTHS: Final = 1_000


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@cache
def _read(path: Path) -> Any:
    tree, faults = load_yaml(path.read_bytes(), 0)
    assert faults == []
    if path.parent.name in ("plugs", "fibre"):
        assert isinstance(tree, dict)
        return {**PLUG_SCHEMAS, **FIBRE_SCHEMAS}[str(tree["kind"])].model_validate(tree)
    return SCHEMAS[path.parent.name].model_validate(tree)


def _all(*kinds: type) -> list[Any]:
    return [item for item in map(_read, FILES) if isinstance(item, kinds)]


def _compatibility(name: str) -> list[Any]:
    return [entry for file in _all(Compatibility) for entry in getattr(file, name)]


def _models(value: Any, at: str) -> Iterator[tuple[str, BaseModel]]:
    """Every model inside a value, with its path."""
    if isinstance(value, BaseModel):
        yield at, value
        for key in type(value).model_fields:
            yield from _models(getattr(value, key), f"{at}.{key}")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _models(item, f"{at}.{key}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _models(item, f"{at}[{index}]")


def _ends() -> Iterator[tuple[str, PlugEnd]]:
    for plug in _all(Transceiver):
        yield plug.id, plug.end
    for cable in _all(CableAssembly):
        yield cable.id, cable.a
        yield cable.id, cable.z


def _groups() -> Iterator[tuple[str, CageGroup]]:
    for device in _all(Device):
        for group in device.cages:
            yield f"{device.id} {group.names}", group


def _doubles(names: list[str]) -> list[str]:
    return sorted(name for name, count in Counter(name.lower() for name in names).items() if count > 1)


def test_every_part_folder_has_files() -> None:
    assert {path.parent.name for path in FILES} == {*SCHEMAS, "plugs", "fibre"}


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_every_listed_source_is_used(path: Path) -> None:
    sources = getattr(_read(path), "sources", {})
    text = path.read_text(encoding="utf-8")
    body = text.split("\nsources:", 1)[-1]
    assert [key for key in sources if body.count(key) < 2] == []


def test_no_twins_in_compatibility() -> None:
    assert _doubles([rate.id for rate in _compatibility("rates")]) == []
    assert _doubles([grade.id for grade in _compatibility("grades")]) == []
    assert _doubles([f"{budget.pmd} {budget.grade}" for budget in _compatibility("budgets")]) == []
    fits = [
        f"{fit.cage_form_factor} {fit.cage_heat_sink} {fit.plug_form_factor} {fit.plug_heat_sink}"
        for fit in _compatibility("fits")
    ]
    assert _doubles(fits) == []


def test_a_family_id_is_its_part_without_the_length() -> None:
    """`MCP7Y00-N01A-FLT` belongs to `mcp7y00-flt`: the id without the part of the number that the members differ in.

    Of some products NVIDIA publishes only ordering numbers (`980-...`), which say nothing of the product; generic parts
    have no maker's number.
    """
    strange = [
        f"{family.id}: {member.part}"
        for family in _all(Transceiver, CableAssembly, Cord)
        for member in family.members
        if family.manufacturer != "generic"
        and not member.part.startswith("980-")
        and not all(piece in member.part.lower().split("-") for piece in family.id.split("-"))
    ]
    assert strange == []


@pytest.mark.parametrize("cord", _all(Cord), ids=lambda cord: cord.id)
def test_patch_cords_are_unpinned_and_named_after_their_polish(cord: Cord) -> None:
    for end in (cord.a, cord.z):
        is_lc = end.connector == "lc-duplex"
        assert end.gender == ("none" if is_lc else "female"), "transceivers are pinned; LC has no pins"
        assert end.polish == ("upc" if is_lc or "upc" in cord.id else "apc")
    assert cord.attenuation_db_per_km.value
    assert cord.mated_pair_db.value


def test_plug_power_is_within_the_cages_it_works_in() -> None:
    """Below the limit of some cage that takes the plug and runs its lanes, where one is known."""
    rates = {rate.id: rate for rate in _compatibility("rates")}
    limits: dict[tuple[str, str, int], list[int | None]] = {}
    for _, group in _groups():
        every = [*group.rates, *(rate for split in group.splits for rate in split.rates)]
        known = [limit.max_power_w.value for limit in group.power_limits]
        for lane_rate in {rates[rate].lane_rate_gbps for rate in every}:
            limits.setdefault((group.form_factor, group.heat_sink, lane_rate), []).extend(
                [group.max_power_w.value, *known]
            )
    for plug in _all(Transceiver, CableAssembly):
        power = plug.power_w.value
        if power is None:
            continue
        for end in [plug.end] if isinstance(plug, Transceiver) else [plug.a, plug.z]:
            met = limits.get((end.form_factor, end.heat_sink, end.lane_rate_gbps), [])
            assert not met or any(limit is None or power <= limit for limit in met), plug.id


def test_copper_reaches_exactly_its_longest_member() -> None:
    for family in _all(CableAssembly):
        assert family.reach_m.value == max(member.length_m for member in family.members), family.id


def test_prices_are_indicative() -> None:
    prices = [price for book in _all(PriceBook) for price in book.prices]
    assert [price.part for price in prices if not price.indicative] == []


@pytest.mark.parametrize("rack", _all(RackType), ids=lambda rack: rack.id)
def test_an_exit_is_above_every_manager(rack: RackType) -> None:
    for manager in rack.managers:
        above = [way for way in rack.exits if (way.x_mm, way.y_mm) == (manager.x_mm, manager.y_mm)]
        assert [way.z_mm for way in above] == [rack.height_mm]
        assert [way.name for way in above] == [f"top-{manager.side}"]


def _device(name: str) -> Device:
    found: list[Device] = [device for device in _all(Device) if device.id == name]
    return found[0]


def test_dgx_h100_rails_are_the_published_table() -> None:
    rails = _device("dgx-h100").rails
    assert rails is not None
    assert rails.proven
    assert rails.value == {
        "OSFP4P2": 0, "OSFP3P2": 1, "OSFP3P1": 2, "OSFP4P1": 3,
        "OSFP1P2": 4, "OSFP2P2": 5, "OSFP2P1": 6, "OSFP1P1": 7,
    }  # fmt: skip


@pytest.mark.parametrize("name", ["qm9700", "qm9790"])
def test_quantum_2_has_64_ports_half_of_them_left_of_its_middle(name: str) -> None:
    switch = _device(name)
    (group,) = switch.cages
    assert group_ports(group)[:3] == ["1/1", "1/2", "2/1"]
    assert group_ports(group)[-1] == "32/2"
    assert len(group_ports(group)) == 64
    assert group.protocols == [Protocol.INFINIBAND]
    assert group.grid is not None
    assert group.grid.order == "down"
    assert switch.width_mm.value is not None
    for index, _ in enumerate(expand_hostlist(group.names)):
        x = group.grid.first_x_mm + (index // group.grid.rows) * group.grid.pitch_x_mm
        assert (2 * x < switch.width_mm.value) == (index < 16)


def test_the_pods_parts_are_there() -> None:
    """The parts that the published 248-GPU pod is cabled with, and the reach of its fibre."""
    optics = {optic.id: optic for optic in _all(Transceiver)}
    assert [optics[name].end.heat_sink.value for name in ("mma4z00-ns", "mma4z00-ns-flt", "mma4z00-ns400")] == [
        "finned",
        "flat",
        "flat",
    ]
    assert optics["mma4z00-ns"].reach_m["om4"].value == 50 * METRE_UM
    cord = next(cord for cord in _all(Cord) if cord.id == "mfp7e10")
    assert (cord.fibre, cord.polarity, cord.a.connector) == ("om4", "B", "mpo-12")
    assert [member.length_m // METRE_UM for member in cord.members] == [3, 5, 7, 10, 15, 20, 30, 50]


def test_what_stands_in_racks_can_be_planned_from_its_rear() -> None:
    """Ports on a rear face without a depth are an error (DEV004); adapters stand in their hosts and have none."""
    unplanned = [
        device.id
        for device in _all(Device)
        if device.kind != "nic" and device.depth_mm.value is None and any(g.face == "rear" for g in device.cages)
    ]
    assert unplanned == []
