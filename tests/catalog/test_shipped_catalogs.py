"""The catalog that ships: every file is of its schema, every figure is sourced, and the figures agree with each other."""

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
from planner.catalog.figures import Evidence, Figure
from planner.catalog.plugs import CableAssembly, PlugEnd, Protocol, Transceiver
from planner.catalog.prices import PriceBook
from planner.catalog.racks import PathwayType, RackType
from planner.data import catalogs_folder
from planner.names import expand_hostlist
from planner.reader.yaml_source import load_yaml

SCHEMAS: Final[dict[str, type[BaseModel]]] = {
    "devices": Device,
    "fibre": Cord,
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
    if path.parent.name == "plugs":
        assert isinstance(tree, dict)
        return (Transceiver if tree["kind"] == "transceiver" else CableAssembly).model_validate(tree)
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


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_file_is_of_its_schema_and_named_after_its_id(path: Path) -> None:
    item = _read(path)
    if isinstance(item, PriceBook):
        assert item.name == path.stem
    elif not isinstance(item, Compatibility):
        assert item.id == path.stem


def test_every_part_folder_has_files() -> None:
    assert {path.parent.name for path in FILES} == {*SCHEMAS, "plugs"}


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_every_figure_has_a_source(path: Path) -> None:
    item = _read(path)
    keys = set(getattr(item, "sources", {}))
    unsourced = []
    for at, model in _models(item, path.stem):
        source = getattr(model, "source", None)
        # One word is a key of the file's `sources`; anything longer is the source itself.
        if source is not None and source not in keys and " " not in source and "://" not in source:
            unsourced.append(f"{at}: {source!r}")
    assert unsourced == []


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_every_listed_source_is_used(path: Path) -> None:
    sources = getattr(_read(path), "sources", {})
    text = path.read_text(encoding="utf-8")
    body = text.split("\nsources:", 1)[-1]
    assert [key for key in sources if body.count(key) < 2] == []


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_an_unknown_claims_no_evidence(path: Path) -> None:
    claimed = [
        at
        for at, model in _models(_read(path), path.stem)
        if isinstance(model, Figure) and model.value is None and model.evidence is not Evidence.UNVERIFIED
    ]
    assert claimed == []


def test_no_twins_of_id_part_or_order_number() -> None:
    families = _all(Device, Transceiver, CableAssembly, Cord)
    members = [member for family in families for member in family.members]
    assert _doubles([item.id for item in [*families, *_all(RackType, PathwayType)]]) == []
    assert _doubles([member.part for member in members]) == []
    assert _doubles([member.order_number for member in members if member.order_number]) == []


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


def test_a_rate_is_its_lanes_times_their_rate() -> None:
    assert [rate.id for rate in _compatibility("rates") if rate.lanes * rate.lane_rate_gbps != rate.gbps] == []


def test_a_port_of_a_plug_is_a_named_rate() -> None:
    rates = {(rate.lanes, rate.lane_rate_gbps, rate.modulation) for rate in _compatibility("rates")}
    strange = [name for name, end in _ends() if (end.lanes_per_port, end.lane_rate_gbps, end.modulation) not in rates]
    assert strange == []


def test_the_lanes_of_a_cage_carry_its_ports_fastest_rate() -> None:
    """More lanes than the rate needs are no fault: a 200G card has a cage of four 100G lanes, ConnectX-8 one of eight."""
    rates = {rate.id: rate for rate in _compatibility("rates")}
    for name, group in _groups():
        fastest = max((rates[rate] for rate in group.rates), key=lambda rate: rate.gbps)
        assert group.lanes * group.lane_rate_gbps >= fastest.gbps * len(group.port_names), name
        assert group.lanes >= fastest.lanes * len(group.port_names), name
        every = [*group.rates, *(rate for split in group.splits for rate in split.rates)]
        assert {rates[rate].protocol for rate in every} == set(group.protocols), name


def test_every_cage_takes_some_plug_and_every_plug_fits_some_cage() -> None:
    fits = _compatibility("fits")
    cages = {(fit.cage_form_factor, fit.cage_heat_sink) for fit in fits}
    plugs = {(fit.plug_form_factor, fit.plug_heat_sink) for fit in fits}
    assert [name for name, group in _groups() if (group.form_factor, group.heat_sink) not in cages] == []
    assert [name for name, end in _ends() if (end.form_factor, end.heat_sink) not in plugs] == []


def test_older_plugs_that_work_in_a_cage_also_fit_it() -> None:
    fits = {(fit.cage_form_factor, fit.cage_heat_sink, fit.plug_form_factor) for fit in _compatibility("fits")}
    strange = [
        f"{name}: {older}"
        for name, group in _groups()
        for older in group.also_accepts
        if (group.form_factor, group.heat_sink, older) not in fits
    ]
    assert strange == []


def test_finned_and_flat_never_swap() -> None:
    swapped = [fit for fit in _compatibility("fits") if fit.cage_heat_sink is not fit.plug_heat_sink]
    assert swapped == []


def test_optics_have_a_budget_line_for_every_grade_of_their_reach() -> None:
    grades = {grade.id: grade.fibre for grade in _compatibility("grades")}
    budgets = {(budget.pmd, budget.grade) for budget in _compatibility("budgets")}
    for optic in _all(Transceiver):
        assert {grades[grade] for grade in optic.reach_m} == {optic.receptacle.fibre}, optic.id
        assert [grade for grade in optic.reach_m if (optic.pmd, grade) not in budgets] == [], optic.id


def test_no_optic_reaches_further_than_its_interface() -> None:
    limits = {(budget.pmd, budget.grade): budget.reach_m.value for budget in _compatibility("budgets")}
    for optic in _all(Transceiver):
        for grade, reach in optic.reach_m.items():
            assert reach.value <= limits[optic.pmd, grade], f"{optic.id} on {grade}"


def test_an_optic_lights_every_lane_of_a_port_once() -> None:
    for optic in _all(Transceiver):
        lit = [*optic.receptacle.tx, *optic.receptacle.rx]
        # Wavelengths share one fibre of an LC pair; a retimed module may have fewer lanes on the fibre than at the host.
        lanes = optic.end.lanes_per_port
        wanted = {1} if optic.receptacle.connector == "lc-duplex" else {lanes, lanes // 2} if optic.retimed else {lanes}
        assert len(optic.receptacle.tx) == len(optic.receptacle.rx), optic.id
        assert len(optic.receptacle.tx) in wanted, optic.id
        assert len(set(lit)) == len(lit), optic.id


@pytest.mark.parametrize("cord", _all(Cord), ids=lambda cord: cord.id)
def test_glass_figures_are_plausible(cord: Cord) -> None:
    assert cord.fibre in {grade.id for grade in _compatibility("grades")}
    assert 0 < (cord.attenuation_db_per_km.value or 0) <= 5 * THOUSANDTHS
    assert 0 < (cord.mated_pair_db.value or 0) <= 1 * THOUSANDTHS
    gender = "none" if cord.a.connector == "lc-duplex" else "female"
    assert cord.a.gender == cord.z.gender == gender, "patch cords are unpinned, transceivers pinned; LC has no pins"
    assert cord.a.polish == cord.z.polish == ("upc" if "upc" in cord.id else "apc")


@pytest.mark.parametrize("splitter", [cord for cord in _all(Cord) if cord.legs], ids=lambda cord: cord.id)
def test_a_splitter_deals_every_fibre_to_one_leg(splitter: Cord) -> None:
    assert splitter.legs is not None
    dealt = [position for leg in splitter.legs.values() for position in leg]
    assert sorted(dealt) == splitter.populated
    assert all(set(leg.values()) == {1, 2, 11, 12} for leg in splitter.legs.values())


def test_plug_power_is_plausible_and_within_the_cages_it_works_in() -> None:
    """Below 40 W, and below the limit of some cage that takes the plug and runs its lanes, where one is known."""
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
        assert 0 < power <= 40 * THOUSANDTHS, plug.id
        for end in [plug.end] if isinstance(plug, Transceiver) else [plug.a, plug.z]:
            met = limits.get((end.form_factor, end.heat_sink, end.lane_rate_gbps), [])
            assert not met or any(limit is None or power <= limit for limit in met), plug.id


def test_members_have_lengths_that_their_family_reaches() -> None:
    for family in _all(CableAssembly, Cord):
        lengths = [member.length_m for member in family.members]
        assert lengths == sorted(set(lengths)), family.id
        assert lengths[0] > 0, family.id
        assert family.reach_m.value is None or lengths[-1] <= family.reach_m.value, family.id


def test_copper_reaches_exactly_its_longest_member() -> None:
    for family in _all(CableAssembly):
        assert family.reach_m.value == max(member.length_m for member in family.members), family.id


def test_a_lifecycle_has_the_day_of_its_list() -> None:
    undated = [family.id for family in _all(Device, Transceiver, CableAssembly, Cord) if not family.lifecycle.as_of]
    assert undated == []


def test_prices_are_indicative_and_of_parts_that_exist() -> None:
    parts = {member.part for family in _all(Device, Transceiver, CableAssembly, Cord) for member in family.members}
    prices = [price for book in _all(PriceBook) for price in book.prices]
    assert [price.part for price in prices if price.part not in parts] == []
    assert [price.part for price in prices if not price.indicative] == []
    assert _doubles([price.part for price in prices]) == []


@pytest.mark.parametrize("rack", _all(RackType), ids=lambda rack: rack.id)
def test_rack_furniture_stands_inside_the_rack(rack: RackType) -> None:
    assert rack.u1_mm + rack.units * rack.u_pitch_mm <= rack.height_mm
    assert 0 < rack.front_rail_mm < rack.rear_rail_mm < rack.depth_mm
    for manager in rack.managers:
        width, depth = manager.section_mm
        assert 2 * abs(manager.x_mm) + width <= rack.width_mm
        assert manager.y_mm + depth // 2 <= rack.depth_mm
        near_rear = manager.y_mm > rack.depth_mm // 2
        assert (manager.side == "left") == ((manager.x_mm > 0) == near_rear)
        above = [way for way in rack.exits if (way.x_mm, way.y_mm) == (manager.x_mm, manager.y_mm)]
        assert [way.z_mm for way in above] == [rack.height_mm]
        assert [way.name for way in above] == [f"top-{manager.side}"]


@pytest.mark.parametrize("pathway", _all(PathwayType), ids=lambda pathway: pathway.id)
def test_pathway_holds_cables(pathway: PathwayType) -> None:
    assert pathway.width_mm > 0
    assert 0 < pathway.usable_depth_mm <= pathway.side_wall_mm


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
