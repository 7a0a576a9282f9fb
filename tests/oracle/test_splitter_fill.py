"""What splitters lay into a tray, worked by hand: the trunk once, and beyond it each leg along its own way.

A tray runs from x = 1.0 m along racks A01 to A09, 600 mm wide each. The manager on the hosts' side stands 30 mm left of a rack's
right edge: the leaf's A01 leaves at 1.0 + 0.6 - 0.03 - 1.0 = 570 mm along the tray, A02 at 1170, A06 at 3570, A07 at 4170. From
the leaf's port to the tray it is 1031 mm in the rack and 592 mm of rise: 1623 mm, as `planner explain` prints them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from planner import pipeline
from planner.pipeline import compile_project
from tests.selection.test_groups_by_hand import written
from tests.support.projects import ROOT, changed, small_catalog

SPLITTER = "fibre/mfp7e20.yaml"
CORD_UM2 = 7_068_583
"""pi / 4 x 3.0^2 mm."""
COPPER_UM2 = 69_841_453
"""pi / 4 x 9.43^2 mm."""

Stretch = tuple[int, int, int, int]
"""From and to in mm along the tray, cables, and their sections in um2."""


@pytest.fixture(scope="module", autouse=True)
def _small_catalog() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "catalogs_folder", small_catalog)
        yield


def laid(folder: Path, case: dict[str, Any], trunk_m: str | None = None) -> tuple[list[str], list[Stretch]]:
    """The cables of a case, and what lies in the tray; trunk_m: where the fibre splitter's trunk ends."""
    if trunk_m is not None:
        text = (ROOT / "catalogs" / SPLITTER).read_text(encoding="utf-8")
        text = changed(text, ("breakout_point_m: {value: null", f"breakout_point_m: {{value: {trunk_m}"))
        (folder / "own" / "fibre").mkdir(parents=True)
        (folder / "own" / SPLITTER).write_text(text, encoding="utf-8")
        case = {**case, "catalogs": ["own"]}
    stages = compile_project(written(case, folder)).stages
    assert stages is not None
    loads, selection = stages.subject.loads, stages.subject.selection
    assert set(loads.pathway.tolist()) == {0}
    cables = [option.cable.id for option in (selection.option_of(row) for row in selection.runs.tolist()) if option]
    columns = (loads.from_nm // 1_000_000, loads.to_nm // 1_000_000, loads.cables, loads.area_um2)
    return cables, list(zip(*(column.tolist() for column in columns), strict=True))


def hosts(*numbers: int) -> dict[str, Any]:
    """NDR200 hosts on one receptacle of the leaf, one leg each."""
    links = [{"link": f"host-{n}:P1--leaf-1:1/1/{leg}"} for leg, n in enumerate(numbers, 1)]
    return {"rate": "ndr200", "policy": {"media": {"order": ["optic"]}}, "links": links}


def test_legs_lie_apart_from_where_the_trunk_ends(tmp_path: Path) -> None:
    """A trunk of 3 m: 3000 - 1623 = 1377 mm of it in the tray, to 570 + 1377 = 1947 mm. Then two legs to A06, one on to A07."""
    cables, tray = laid(tmp_path, hosts(5, 6), trunk_m="3")
    assert cables == ["mfp7e20", "mfp7e20"]
    assert tray == [
        (570, 1947, 1, CORD_UM2),
        (1947, 3570, 2, 2 * CORD_UM2),
        (3570, 4170, 1, CORD_UM2),
    ]


def test_a_long_trunk_ends_where_the_ways_part(tmp_path: Path) -> None:
    """A trunk of 6 m could reach 570 + 6000 - 1623 = 4947 mm; the ways part at A06, where the rest of it lies coiled."""
    _, tray = laid(tmp_path, hosts(5, 6), trunk_m="6")
    assert tray == [(570, 3570, 1, CORD_UM2), (3570, 4170, 1, CORD_UM2)]


def test_a_short_trunk_ends_in_the_rack(tmp_path: Path) -> None:
    """Half of a 2 m copper splitter is trunk, which ends 623 mm before the tray: both legs lie there, to A02 where both end."""
    links = [{"link": f"{name}-1:P1--leaf-1:1/{leg}", "m": 1.9} for leg, name in ((1, "host"), (2, "peer"))]
    cables, tray = laid(tmp_path, {"links": links})
    assert cables == ["mcp7y00", "mcp7y00"]
    assert tray == [(570, 1170, 2, 2 * COPPER_UM2)]


def test_one_leg_in_use_counts_once(tmp_path: Path) -> None:
    _, tray = laid(tmp_path, hosts(5), trunk_m="3")
    assert tray == [(570, 3570, 1, CORD_UM2)]
