"""When trunks, cords and plugs of links over panels are needed, where racks are built one after the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner import pipeline
from tests.structured.test_over_panels import POD, plan_of
from tests.support.projects import changed, compiled, small_catalog

SHARED = (
    # Both leaves are patched at the panel in A02, so one trunk of four legs carries links of both.
    ('{names: "P-[1-2]", part: generic-panel-1u-4-slots, racks: "A[01-02]", u: 44, mount: rear}',
     "{names: P, part: generic-panel-1u-4-slots, rack: A02, u: 44, mount: rear, serves: [A01, A02]}"),
    ('{a: "spine-1:2/1", z: "leaf-2:1/1", tier: leaf-spine}', '{a: "leaf-2:1/1", z: "spine-1:2/1", tier: leaf-spine}'),
    ('{a: "leaf-1:1/2", z: "spine-1:1/2", tier: leaf-spine}', '{a: "leaf-1:1/2", z: "spine-1:2/2", tier: leaf-spine}'),
)  # fmt: skip


@pytest.fixture(autouse=True)
def _small_catalog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "catalogs_folder", small_catalog)


def test_what_links_share_is_there_for_the_first_that_is_built(tmp_path: Path) -> None:
    """leaf-1 comes in P2 and is first in order; leaf-2 needs the same trunk, and the plug in cage 2 of the spine, in P1."""
    phases = "phases: [{name: P1, racks: [A02, A03]}, {name: P2, racks: A01}]\n"
    plan = plan_of(compiled(tmp_path, changed(POD, *SHARED) + phases))
    cables, plugs = plan.cables, plan.plugs
    assert [plan.phases[n].name for n in plan.links.phase.tolist()] == ["P2", "P2", "P1"]
    shared = plan.link_cables.cable[plan.link_cables.place == 2].tolist()
    assert len(set(shared)) == 1
    assert [int(cables.phase[trunk]) for trunk in shared] == [0, 0, 0]
    of_plug = {(plan.devices[d].name, plugs.cage[n]): int(plugs.phase[n]) for n, d in enumerate(plugs.device.tolist())}
    assert of_plug == {("leaf-1", "1"): 1, ("leaf-2", "1"): 0, ("spine-1", "1"): 1, ("spine-1", "2"): 0}
    early = {int(row) for row in plan.link_cables.cable[plan.link_cables.link == 2].tolist()}
    assert {int(cables.phase[row]) for row in early} == {0}


def test_a_rack_of_panels_alone_needs_a_phase(tmp_path: Path) -> None:
    text = changed(POD, *SHARED, ('      - {a: "leaf-2:1/1", z: "spine-1:2/1", tier: leaf-spine}\n', ""))
    made = compiled(tmp_path, text + "phases: [{name: P1, racks: [A01, A03]}]\n")
    assert [f.message for f in made.findings if f.rule == "BOM001"] == ["rack `A02` is in no phase"]
