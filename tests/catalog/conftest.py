"""The shipped catalog, read once."""

from __future__ import annotations

import pytest

from planner.catalog.load import Catalog, load_catalog
from planner.data import catalogs_folder
from planner.reader import Sources


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog(Sources(catalogs_folder()), catalogs_folder())
