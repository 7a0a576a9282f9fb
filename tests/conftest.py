"""What all tests share: reproducible examples from hypothesis, and the switch that renews golden files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from planner.plan import Plan
from tests.support.projects import LAYOUTS, plan_of, planned_once

# The same examples everywhere, and no time limit for one: a slow machine is not a fault of the planner.
settings.register_profile("planner", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("planner")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write golden files anew; then read the diff")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(scope="session")
def two_racks() -> Plan:
    return plan_of(LAYOUTS / "two-racks")


@pytest.fixture(scope="session")
def pod() -> Plan:
    return plan_of(LAYOUTS / "superpod-h100-1su")


@pytest.fixture(scope="session")
def planned(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of documents of a layout, made once for all workers of a test run; to be read only."""
    root = tmp_path_factory.getbasetemp()
    shared = root.parent if hasattr(request.config, "workerinput") else root
    return lambda layout: planned_once(layout, shared / "planned")
