"""A leaf whose 64 ports hang together: 32 twin cages in a ring with 32 cages of spines, solved as one group."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from planner import pipeline
from planner.pipeline import Compiled, compile_project
from tests.selection.test_groups_by_hand import written
from tests.support.projects import small_catalog

CAGES = 32


@pytest.fixture(scope="module", autouse=True)
def _small_catalog() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "catalogs_folder", small_catalog)
        yield


def ring(far: str | None) -> dict[str, Any]:
    """First ports to the spine's cage of the same number, second ports to the next: every link needs 8 m, `far` 25 m."""
    names = [f"leaf-1:{cage}/1--spine-1:{cage}/1" for cage in range(1, CAGES + 1)]
    names += [f"leaf-1:{cage}/2--spine-1:{cage % CAGES + 1}/2" for cage in range(1, CAGES + 1)]
    allowed = ["mcp4y10", "mma4z00-ns", "mms4x00-nm", "MFP7E10-N010", "MFP7E30-N030"]
    return {
        "links": [{"link": name, "m": 25 if name == far else 8} for name in names],
        "policy": {"choices": [{"links": "*", "allow": allowed}]},
    }


def planned(folder: Path, far: str | None) -> tuple[Compiled, set[tuple[str, str]]]:
    """A plan, with every pair of cable and plugs in it."""
    made = compile_project(written(ring(far), folder))
    assert made.plan is not None
    links, parts = made.plan.links, made.plan.parts
    cables = [parts[part].part for part in made.plan.cables.part[links.cable].tolist()]
    return made, set(zip(cables, links.a_plug_part.tolist(), strict=True))


def test_one_far_link_takes_the_whole_leaf_with_it(tmp_path: Path) -> None:
    """25 m need the 30 m single-mode cord, so its two cages take single-mode plugs, so their other links do, round the ring."""
    made, parts = planned(tmp_path, "leaf-1:7/1--spine-1:7/1")
    assert parts == {("MFP7E30-N030", "MMS4X00-NM")}
    assert made.stages is not None
    settled = made.stages.subject.selection.settled
    assert (settled.groups, settled.unproven) == (1, [])


def test_without_it_all_are_multimode_and_nothing_is_solved(tmp_path: Path) -> None:
    made, parts = planned(tmp_path, None)
    assert parts == {("MFP7E10-N010", "MMA4Z00-NS")}
    assert made.stages is not None
    assert made.stages.subject.selection.settled.groups == 0
