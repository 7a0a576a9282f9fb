"""Fill of vertical managers and trays, worked by hand with copper cables of the planning average, 9.43 mm.

Section of one cable: pi / 4 x 9.43^2 = 69.842 mm2. Two racks face each other with up to eight switches of 36 cages (cages
A above B, 0 to 8 on the left, 9 to 17 on the right), so that 32 links a switch divide half and half.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from planner.fill import ManagerRuns, manager_loads
from planner.findings import Finding
from planner.pipeline import Compiled, compile_project
from planner.rules import Subject
from tests.support.projects import LAYOUTS, changed

PARTS = LAYOUTS / "length-oracle-4rack" / "parts"
RACK = "racks/rack-42u-bottom-exit.yaml"
LEFT, RIGHT = 0, 1
"""Managers of the rack in the order of its file."""

PROJECT = """\
format: planner/1
name: fill
catalogs: [parts]
room: {outline_m: [[0, 0], [5, 0], [5, 4], [0, 4]], ceiling_m: 3}
racks:
  - {row: R, names: "R[1-2]", type: rack-42u-bottom-exit, at_m: [1, 1], along: east, front: south}
pathways:
  - {name: floor, type: TRAY, path_m: [[1, 2.05], [2.2, 2.05]], height_m: -0.3, entry: end}
devices:
  - {names: "a-[1-8]", model: switch-36, rack: R1, u: [10, 11, 12, 13, 14, 15, 16, 17], mount: rear}
  - {names: "z-[1-8]", model: switch-36, rack: R2, u: [10, 11, 12, 13, 14, 15, 16, 17], mount: rear}
policy: {media: {order: [dac]}, vendors: {allow: [stand-in]}, fill: {warn: WARN, fail: 0.5}}
fabrics:
  - name: ib
    protocol: infiniband
    rate: edr
    links:
"""
PORTS = [f"P{cage}{row}" for cage in range(1, 17) for row in "AB"]  # 16 on the left, 16 on the right


def filled(
    folder: Path, links: int, *, section: str, tray: str = "floor-600x150", warn: str = "0.4", more: str = ""
) -> Compiled:
    """section: of both managers; more: keys of the rack type in place of its managers and exits."""
    shutil.copytree(PARTS, folder / "parts")
    rack = (PARTS / RACK).read_text(encoding="utf-8")
    old = "section_mm: [60, 120]"
    rack = changed(rack, (old, f"section_mm: {section}"), (old, f"section_mm: {section}"))
    if more:
        rack = re.sub(r"managers:.*?(?=drop_reach_mm)", more, rack, flags=re.DOTALL)
    (folder / "parts" / RACK).write_text(rack, encoding="utf-8")
    rows = [f'      - {{a: "a-{s}:{p}", z: "z-{s}:{p}", tier: t}}' for s in range(1, 9) for p in PORTS][:links]
    text = PROJECT.replace("TRAY", tray).replace("WARN", warn) + "\n".join(rows) + "\n"
    (folder / "project.yaml").write_text(text, encoding="utf-8")
    return compile_project(folder)


def told(made: Compiled, rule: str) -> list[Finding]:
    return [finding for finding in made.findings if finding.rule == rule]


def test_256_cables_in_managers_of_100_by_100(tmp_path: Path) -> None:
    """128 a side: 128 x 69.842 = 8940 of 10000 mm2, 89.4 %. Half of it holds 5000 / 69.842 = 71, so 57 do not fit."""
    found = told(filled(tmp_path, 256, section="[100, 100]"), "FIL003")
    # Both managers of both racks are alike; the fullest stretch is from the exit to the lowest cage, U10's row B.
    assert [finding.message for finding in found] == [
        f"the rear {side} manager of rack `{rack}` is filled to 89.4 %, the limit is 50 %"
        for side in ("left", "right")
        for rack in ("R1", "R2")
    ]
    # 80 + 9 x 44.45 + 13 = 493.05 mm.
    assert {re.sub(r"`.*`", "`...`", finding.note) for finding in found} == {
        "128 cables from 0.000 to 0.493 m above the floor fill 8939 of 10000 mm2; 57 do not fit, in the order of links from link `...` on"
    }
    assert [(finding.objects, finding.count) for finding in found] == [
        (("R1",), 57), (("R2",), 57), (("R1",), 57), (("R2",), 57),
    ]  # fmt: skip


def test_256_cables_in_managers_of_150_by_150(tmp_path: Path) -> None:
    """8940 of 22500 mm2, 39.7 %: below the warning at 40 %."""
    made = filled(tmp_path, 256, section="[150, 150]")
    assert told(made, "FIL003") + told(made, "FIL004") == []
    assert fullest_ppm(made, 22_500) == 397_320


def test_the_warning_stands_between_the_limits(tmp_path: Path) -> None:
    found = told(filled(tmp_path, 256, section="[150, 148]"), "FIL004")  # 8940 / 22200
    assert len(found) == 4
    assert "filled to 40.3 %, the limit is 40 %" in found[0].message


TWO_EXITS_LEFT = """\
managers:
  - {side: left,  x_mm: 270,  y_mm: 1050, z_mm: [0, 1991], section_mm: [100, 100]}
  - {side: left,  x_mm: 270,  y_mm: 950,  z_mm: [0, 1991], section_mm: [100, 100]}
  - {side: right, x_mm: -270, y_mm: 1050, z_mm: [0, 1991], section_mm: [150, 150]}
exits:
  - {name: far-left,     x_mm: 25,  y_mm: 1050, z_mm: 0}
  - {name: near-left,    x_mm: 25,  y_mm: 950,  z_mm: 0}
  - {name: bottom-right, x_mm: -25, y_mm: 1050, z_mm: 0}
"""


@pytest.mark.parametrize(
    ("links", "low", "high"),
    [
        (64, 32, 32),  # 32 a side are 22.3 % of a manager: all keep the shorter way, the other one stays empty
        (128, 28, 35),  # 64 a side: a quarter of a manager holds 35, so at least 29 leave it
        (256, 57, 71),  # 128 a side: half of a manager holds 71; in one of them they would fill 89 %
    ],
)
def test_of_two_exits_on_a_side_cables_take_the_one_with_room(links: int, low: int, high: int, tmp_path: Path) -> None:
    """The far exit lies below the run, the near one 100 mm beside it, and 20 mm nearer to the plugs: 80 mm longer."""
    made = filled(tmp_path, links, section="[1, 1]", more=TWO_EXITS_LEFT)
    assert told(made, "FIL003") == []
    runs = subject_of(made).manager_runs
    for rack in (0, 1):
        counts = [int(np.sum((runs.rack == rack) & (runs.manager == manager))) for manager in (0, 1, 2)]
        assert sum(counts[:2]) == counts[2] == links // 2
        assert low <= counts[0] <= high
    assert bool(told(made, "FIL006")) == (links > 64)


@pytest.mark.parametrize(("links", "above"), [(107, False), (108, True)])
def test_a_tray_of_300_by_100_at_a_quarter(tmp_path: Path, links: int, above: bool) -> None:
    """0.25 x 30000 / 69.842 = 107.4 cables."""
    made = filled(tmp_path, links, section="[300, 300]", tray="floor-300x100", warn="0.25")
    assert bool(told(made, "FIL002")) == above


def fullest_ppm(made: Compiled, section_mm2: int) -> int:
    subject = subject_of(made)
    return int(subject.manager_loads.area_um2.max()) // section_mm2


def subject_of(made: Compiled) -> Subject:
    assert made.stages is not None
    return made.stages.subject


def test_inside_a_rack_a_cable_lies_between_its_ports() -> None:
    """R1-U24:P8A to R1-U1:P3A, both on the left: from 111 mm (80 + 31) to 1133.35 mm (80 + 23 x 44.45 + 31), once."""
    subject = subject_of(compile_project(LAYOUTS / "length-oracle-4rack"))
    runs = subject.manager_runs
    link = subject.link_names.index("R1-U24:P8A--R1-U1:P3A")
    mine = runs.take(runs.link == link)
    assert mine.manager.tolist() == [LEFT]
    assert [(int(mine.from_um[0]), int(mine.to_um[0]))] == [(111_000, 1_133_350)]


def test_a_crossing_lies_in_the_managers_of_both_sides() -> None:
    """leaf-1:17/1 to spine-1:1/1 of `two-racks`, over the exits at 2258: docs/lengths.md has the heights."""
    subject = subject_of(compile_project(LAYOUTS / "two-racks"))
    runs = subject.manager_runs
    # The twin cable serves two links and counts once.
    links = [subject.link_names.index(name) for name in ("leaf-1:17/1--spine-1:1/1", "leaf-1:17/2--spine-1:1/2")]
    mine = runs.take(np.isin(runs.link, links))
    assert sorted(zip(mine.manager.tolist(), mine.from_um.tolist(), mine.to_um.tolist(), strict=True)) == [
        (LEFT, 2_109_550, 2_258_000),
        (RIGHT, 2_020_650, 2_258_000),
    ]


def test_loads_are_the_sums_of_the_runs_at_every_height() -> None:
    generator = np.random.default_rng(1)
    count = 300
    ends = np.sort(generator.integers(-5, 40, (2, count)), axis=0)
    rack, manager, area = (generator.integers(low, high, count) for low, high in ((0, 3), (0, 2), (1, 9)))
    one = np.ones(count, np.int64)
    runs = ManagerRuns(np.arange(count), rack, manager, ends[0], ends[1], area, one, 0 * one)
    cut = np.array([1]), np.array([0]), np.array([17])  # a height where what is free changes cuts a stretch in two
    loads = manager_loads(runs, cut)
    assert not np.any((loads.rack == 1) & (loads.manager == 0) & (loads.from_um < 17) & (loads.to_um > 17))
    for height in range(-5, 40):  # between the whole heights, where no run begins or ends
        for where in ((r, m) for r in range(3) for m in range(2)):
            mine = (runs.rack == where[0]) & (runs.manager == where[1])
            expected = int(area[mine & (ends[0] <= height) & (ends[1] > height)].sum())
            here = (loads.rack == where[0]) & (loads.manager == where[1])
            found = loads.area_um2[here & (loads.from_um <= height) & (loads.to_um > height)]
            assert int(found.sum()) == expected
