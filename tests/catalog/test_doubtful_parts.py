"""Parts that fit and are still not offered, and cages that take more than plugs of their own form factor."""

from __future__ import annotations

import pytest

from planner.catalog.load import Catalog
from planner.project import VendorPolicy
from planner.selection.fit import orderable
from planner.selection.options import not_allowed


def test_a_module_listed_for_one_host_is_chosen_by_a_pin_alone(catalog: Catalog) -> None:
    hgx, plain = catalog.transceivers["mms4x00-nm-hgx"], catalog.transceivers["mms4x00-nm-flt"]
    assert not_allowed(hgx, VendorPolicy()) == "its maker lists it for HGX Rubin NVL8 only"
    assert orderable(plain) is None
    assert [part.id for part in catalog.transceivers.values() if part.only_for] == ["mms4x00-nm-hgx"]


@pytest.mark.parametrize(
    ("form_factor", "older"),
    [("qsfp-dd800", {"qsfp-dd", "qsfp112", "qsfp56", "qsfp28"}), ("qsfp-dd", {"qsfp28"})],
)
def test_double_density_cages_take_older_plugs(catalog: Catalog, form_factor: str, older: set[str]) -> None:
    groups = [
        group for device in catalog.devices.values() for group in device.cages if group.form_factor == form_factor
    ]
    assert groups
    assert all(older <= set(group.also_accepts) for group in groups)


def test_small_cages_that_run_10g_take_its_plugs(catalog: Catalog) -> None:
    cages = [group for device in catalog.devices.values() for group in device.cages if group.form_factor == "sfp28"]
    assert any("10g-1x10" in group.rates for group in cages)
    assert [g.also_accepts for g in cages if "10g-1x10" in g.rates and "sfp-plus" not in g.also_accepts] == []


def test_a_rate_without_parts_is_said_at_the_devices_that_have_it(catalog: Catalog) -> None:
    """1.6T is served over two cords; half and quarter of such a cage by nothing that a source describes."""
    served = {rate for part in catalog.transceivers.values() for app in part.applications for rate in app.rates}
    assert "1.6t" in served
    for device in catalog.devices.values():
        every = {rate for group in device.cages for split in group.splits for rate in split.rates}
        if every & {"400g-2x200", "200g-1x200"}:
            assert any("400g-2x200" in note for note in device.notes), device.id
