"""What the shipped catalog offers for XDR and beside it: nothing of NDR, no passive copper, no AOC, no multimode."""

from __future__ import annotations

from typing import Final

import pytest

from planner.catalog.load import Catalog
from planner.catalog.plugs import CableAssembly
from planner.choices import wish_of
from planner.project import MediaPolicy, Policy, VendorPolicy
from planner.selection.fit import CageKind
from planner.selection.options import KindOfLink, Option, options_of

MEDIA: Final = ["dac", "acc", "aec", "aoc", "optic"]


def cages(catalog: Catalog, model: str, rate: str) -> list[CageKind]:
    """The cages of a device that run a rate, in the split that does."""
    chassis = catalog.chassis(model)
    found = []
    for number, group in enumerate(chassis.family.cages):
        for state in chassis.states[number]:
            forms = [catalog.rates[form] for form in catalog.forms(rate) if form in state.rates]
            if forms:
                found.append(CageKind(model, group, state, group.max_power_w, forms[0]))
    return found


def offers(catalog: Catalog, a: str, z: str, rate: str, *makers: str) -> list[Option]:
    policy = Policy(media=MediaPolicy(order=MEDIA), vendors=VendorPolicy(allow=list(makers) or None))
    return [
        option
        for a_cage in cages(catalog, a, rate)
        for z_cage in cages(catalog, z, rate)
        for option in options_of(
            KindOfLink(0, "t", a_cage, z_cage, catalog.rates[rate], wish_of(policy)), catalog
        ).options
    ]


@pytest.mark.parametrize("far", ["q3400-ra", "connectx-8-c8180", "dgx-b300"])
def test_xdr_takes_200g_lanes_active_copper_and_single_mode_only(catalog: Catalog, far: str) -> None:
    found = offers(catalog, "q3400-ra", far, "xdr", "NVIDIA", "generic")
    assert found
    for option in found:
        ends = [plug.end for plug in (option.a_plug, option.z_plug) if plug]
        if isinstance(option.cable, CableAssembly):
            assert option.cable.kind == "acc"  # linear active copper: no DAC, no AOC
            ends = [option.cable.a, option.cable.z]
        else:
            assert catalog.grades[option.cable.fibre].fibre == "single-mode"
        assert {end.lane_rate_gbps for end in ends} == {200}


def test_no_200g_module_falls_back_to_ndr(catalog: Catalog) -> None:
    wanted = catalog.rates["ndr"].lane_rate_gbps
    for part in catalog.transceivers.values():
        if part.end.lane_rate_gbps == 200 and part.pmd == "xdr-dr4":
            assert all(app.host_lane_rate_gbps != wanted for app in part.applications), part.id


def test_connectx_8_is_two_times_400_and_never_one_port_of_800(catalog: Catalog) -> None:
    assert cages(catalog, "connectx-8-c8180", "800g") == []
    assert [cage.ports for cage in cages(catalog, "connectx-8-c8180", "400g")] == [2]


def test_single_mode_reaches_50_m_with_a_splitter(catalog: Catalog) -> None:
    """NVIDIA's splitter has the shorter reach of its own, which goes before every module's."""
    assert catalog.cords["mfp7e40"].reach_m.value == 50_000_000
    assert catalog.cords["mfp7e40"].fibre == "os2"
