"""What is told of links over panels that cannot be as they were asked for, and what to do about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner import pipeline
from planner.findings import Finding
from tests.structured.test_over_panels import POD
from tests.support.projects import changed, compiled, small_catalog


@pytest.fixture(autouse=True)
def _small_catalog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "catalogs_folder", small_catalog)


def found(folder: Path, text: str) -> dict[str, Finding]:
    return {finding.rule: finding for finding in compiled(folder, text).findings}


HALVES = (
    ("  - {names: spine-1, model: qm9700, rack: A03, u: 40, mount: rear}", '  - {names: "h-[1-2]", model: host-2u-connectx-7, rack: A03, u: [10, 12]}'),
    ("rate: ndr\n", "rate: ndr200\n"),
    ('{a: "leaf-1:1/1", z: "spine-1:1/1", tier: leaf-spine}', '{a: "leaf-1:1/1/1", z: "h-1:P1", tier: leaf-spine}'),
    ('{a: "leaf-1:1/2", z: "spine-1:1/2", tier: leaf-spine}', '{a: "leaf-1:1/1/2", z: "h-2:P1", tier: leaf-spine}'),
    ('      - {a: "spine-1:2/1", z: "leaf-2:1/1", tier: leaf-spine}\n', ""),
)  # fmt: skip


def test_links_of_part_of_a_receptacle_are_to_be_cabled_directly(tmp_path: Path) -> None:
    """Two links of NDR200 share a receptacle, which is a splitter's work."""
    told = found(tmp_path, changed(POD, *HALVES))["MED001"]
    assert told.note.partition(": ")[2].startswith("a part of a receptacle is not led over panels")
    assert "`scheme: direct`" in told.help


def test_a_length_from_port_to_port_is_told_of_once(tmp_path: Path) -> None:
    """It is not used, so that it is short says nothing."""
    told = found(tmp_path, POD + 'measured: [{link: "leaf-1:1/1--*", length_m: 0.1}]\n')
    assert "is led over panels" in told["INP006"].message
    assert "LEN004" not in told


def test_an_aligned_plate_at_both_ends_is_told_as_the_plate(tmp_path: Path) -> None:
    told = found(
        tmp_path, changed(POD, ("plate: generic-plate-8xmpo-12-opposed", "plate: generic-plate-8xmpo-12-aligned"))
    )
    assert told["POL003"].note.startswith("as its plate: APC_ALIGNED_KEY")
