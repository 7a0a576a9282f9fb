"""The tests here read projects by the hundred, with the part of the shipped catalog that they use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from planner import pipeline
from tests.support.projects import small_catalog


@pytest.fixture(autouse=True, scope="module")
def _small_catalog() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "catalogs_folder", small_catalog)
        yield
