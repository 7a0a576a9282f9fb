"""What operating systems call a port, and how splitting its cage renames it."""

from __future__ import annotations

import pytest

from planner.catalog.load import Catalog
from planner.cutsheet.models import _model

H100_RDMA = {
    "OSFP1P1": "mlx5_11", "OSFP1P2": "mlx5_6", "OSFP2P1": "mlx5_10", "OSFP2P2": "mlx5_9",
    "OSFP3P1": "mlx5_4", "OSFP3P2": "mlx5_3", "OSFP4P1": "mlx5_5", "OSFP4P2": "mlx5_0",
}  # fmt: skip
"""The table of network modules in the maker's user guide."""


@pytest.mark.parametrize(
    ("model", "printed", "rates", "system", "name"),
    [
        ("sn5600", "swp7", ["800g"], "sonic", "etp7"),
        ("sn5600", "swp7s0", ["400g"], "sonic", "etp7a"),
        ("sn5600", "swp7s1", ["400g"], "sonic", "etp7b"),
        ("sn5600", "swp7s3", ["200g"], "sonic", "etp7d"),
        ("sn5600", "swp7s3", ["200g"], "cumulus", "swp7s3"),
        ("sn4700", "swp32s1", ["200g-4x50"], "cumulus", "swp32s1"),
        ("sn4700", "swp32s1", ["200g-4x50"], "sonic", None),
        ("q3400-ra", "sw12p2", ["xdr"], "nvos", "sw12p2"),
        ("dgx-h100", "OSFP4P2", ["ndr"], "rdma", "mlx5_0"),
        ("dgx-h100", "BMC", ["1g"], "rdma", None),
        # Its 800G port and the first half of the split have one printed name; the name is the split's.
        ("dcs-7060x6-64pe", "Ethernet9/1", ["800g"], "sonic", "etp9"),
        ("dcs-7060x6-64pe", "Ethernet9/1", ["400g"], "sonic", None),
    ],
)
def test_name_of_a_port(
    catalog: Catalog, model: str, printed: str, rates: list[str], system: str, name: str | None
) -> None:
    chassis = catalog.chassis(model)
    assert chassis.os_name(chassis.port_for(printed, rates), system) == name


def test_splitting_renames_a_cages_ports(catalog: Catalog) -> None:
    assert catalog.chassis("sn5600").renamed("7", "sonic") == {
        ("800g",): ("etp7",),
        ("400g", "200g-4x50"): ("etp7a", "etp7b"),
        ("200g", "100g-2x50"): ("etp7a", "etp7b", "etp7c", "etp7d"),
    }


@pytest.mark.parametrize("model", ["dgx-h100", "dgx-h200"])
def test_names_that_follow_no_pattern(catalog: Catalog, model: str) -> None:
    figure = catalog.devices[model].os_names["rdma"]
    assert figure.value == H100_RDMA
    assert figure.proven


def test_documents_print_a_name_only_where_it_is_the_same_in_every_split() -> None:
    """Documents know the printed name alone, so one that means several ports of the system prints nothing."""
    group = {
        "names": "[1-2]", "port_names": ["E{cage}/1"], "os_port_names": {"sonic": ["etp{cage}"]},
        "splits": [{"port_names": ["E{cage}/1", "E{cage}/5"], "os_port_names": {"sonic": ["etp{cage}a", "etp{cage}b"]}}],
    }  # fmt: skip
    model = _model([group], {"rdma": {"value": {"E2/5": "mlx5_9"}}})
    assert model.os_names == {"E1/5": (("sonic", "etp1b"),), "E2/5": (("sonic", "etp2b"), ("rdma", "mlx5_9"))}
