"""Topology and sections: what they show, worked by hand, and that SVG and PDF say the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from pypdf import PdfReader

from planner.plan import LoadTable, Plan
from planner.sketches.sections import section_sketches, sections_of
from planner.sketches.shapes import Bar, Sketch, Stroke, Words
from planner.sketches.topology import levels_of, topology_sketches
from planner.write.sketches import pdf_of_sketches, svg_of_sketches


def words_of(sketch: Sketch) -> list[str]:
    return [shape.text for shape in sketch.shapes if isinstance(shape, Words)]


@pytest.mark.parametrize(("links", "levels"), [
    ([(0, 2), (1, 2), (2, 3)], [0, 0, 1, 2]),          # two hosts, a leaf, a spine
    ([(0, 1), (1, 2), (0, 2)], [0, 1, 2]),             # a host with a link past its leaf stands below both
    ([], [-1, -1]),
])  # fmt: skip
def test_a_device_stands_above_all_whose_z_end_it_is(links: list[tuple[int, int]], levels: list[int]) -> None:
    a, z = (np.array([link[end] for link in links], np.int64) for end in (0, 1))
    assert levels_of(a, z, len(levels)).tolist() == levels


def test_links_in_a_circle_end() -> None:
    assert levels_of(np.array([0, 1]), np.array([1, 0]), 2).max() <= 32


def test_the_topology_of_two_racks_worked_by_hand(two_racks: Plan) -> None:
    # Two hosts with a link each to the leaf, two links from the leaf to the spine.
    (sketch,) = topology_sketches(two_racks)
    assert sketch.title == "compute: infiniband ndr, 400 Gb/s a port, 4 links"
    texts = words_of(sketch)
    assert {"dgx-1", "dgx-2", "leaf-1", "spine-1"} <= set(texts)
    assert sorted(text for text in texts if text.isdigit()) == ["1", "1", "2"]
    assert texts[-1] == "leaf-spine: 2 links · node-leaf: 2 links"
    strokes = [shape for shape in sketch.shapes if isinstance(shape, Stroke)]
    assert len(strokes) == 3
    at = {shape.text: shape.y for shape in sketch.shapes if isinstance(shape, Words)}
    assert at["spine-1"] < at["leaf-1"] < at["dgx-1"] == at["dgx-2"]


def test_many_devices_of_a_level_stand_together_and_their_links_add_up(pod: Plan) -> None:
    # 31 hosts in one row of racks, each with a link to each of 8 leaves.
    (sketch,) = topology_sketches(pod)
    texts = words_of(sketch)
    assert "row A: dgx-h100" in texts
    assert "31 devices" in texts
    assert texts.count("31") == 8
    assert "node-leaf: 248 links" in texts[-1]
    # 8 leaves to 4 spines are 32 lines, too many for a number at each: 256 links, 8 on each.
    assert texts.count("each line: 8 links") == 1


def loads(plan: Plan, *rows: tuple[int, int, int, int, int, int]) -> Plan:
    none_of_copper = 0
    columns = np.array([(*row, none_of_copper) for row in rows], np.int64).T
    return replace(plan, loads=LoadTable(*columns))


def test_a_section_is_at_the_fullest_stretch_and_an_unknown_one_counts_as_fuller(two_racks: Plan) -> None:
    known = loads(
        two_racks, (0, 0, 500, 3, 100_000, 30_000), (0, 500, 900, 4, 420_000, 40_000), (0, 900, 1200, 0, 0, 0)
    )
    (section,) = sections_of(known)
    assert (section.from_mm, section.to_mm, section.cables, section.fill_ppm) == (500, 900, 4, 420_000)
    (unknown,) = sections_of(loads(two_racks, (0, 0, 500, 3, -1, -1), (0, 500, 900, 4, 420_000, 40_000)))
    assert (unknown.from_mm, unknown.fill_ppm) == (0, -1)


def test_a_section_is_to_scale(two_racks: Plan) -> None:
    # A basket of 300 x 100 mm at 1:5 is 60 x 20 mm on paper, and 42 % of 20 mm are 8.4.
    plan = loads(two_racks, (0, 500, 900, 4, 420_000, 40_000))
    (sketch,) = section_sketches(plan)
    (fill,) = (shape for shape in sketch.shapes if isinstance(shape, Bar))
    assert (fill.width, fill.height) == pytest.approx((60, 8.4))
    assert "4 cables, 42.0 % full, 0.04 kg/m" in words_of(sketch)


def test_without_cables_no_pathway_is_cut(two_racks: Plan) -> None:
    (sketch,) = section_sketches(replace(two_racks, loads=two_racks.loads.take(two_racks.loads.cables < 0)))
    assert "No pathway has cables." in words_of(sketch)


@pytest.mark.parametrize("kind", [topology_sketches, section_sketches])
@pytest.mark.parametrize("name", ["two-racks", "<b>&\"'</b> =1+1 \u0421\u0442\u043e\u0439\u043a\u0430"])
def test_svg_and_pdf_say_the_same(two_racks: Plan, tmp_path: Path, kind: object, name: str) -> None:
    assert callable(kind)
    plan = replace(two_racks, fabrics=(replace(two_racks.fabrics[0], name=name),))
    sketches = list(kind(plan))
    root = ET.fromstring(svg_of_sketches(sketches, plan.identity))  # noqa: S314 - our own text
    drawn = ["".join(element.itertext()) for element in root.iter() if element.tag.endswith("}text")]
    pdf_of_sketches(sketches, plan.identity, tmp_path / "x.pdf", "x")
    printed: list[str] = []
    for page in PdfReader(tmp_path / "x.pdf").pages:
        page.extract_text(visitor_text=lambda text, *_: printed.append(text.replace("\n", "")))
    assert "".join("".join(drawn).split()) == "".join("".join(printed).split())
    first = (tmp_path / "x.pdf").read_bytes()
    pdf_of_sketches(sketches, plan.identity, tmp_path / "x.pdf", "x")
    assert (tmp_path / "x.pdf").read_bytes() == first
