"""The drawing and the steps of a link's way: they add up to its terms, join end to end, and repeat byte by byte."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import dist
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from planner.explain.answers import explain_link
from planner.explain.walk import Walk
from planner.pipeline import compile_project
from planner.plan import Plan
from planner.write.route_picture import COLOURS, route_svg

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "worked-lengths"
TERMS = ("a_in_rack", "a_rise", "pathway", "z_rise", "z_in_rack")


@cache
def plan() -> Plan:
    found = compile_project(FOLDER).plan
    assert found is not None
    return found


@cache
def walk(row: int) -> Walk:
    found = explain_link(plan(), row).walk
    assert found is not None
    return found


ROWS = range(30)


@pytest.mark.parametrize("row", ROWS)
def test_the_steps_of_a_term_are_the_term(row: int) -> None:
    links = plan().links
    for term in TERMS:
        steps = sum(step.length_um for step in walk(row).steps if step.term == term)
        assert abs(steps / 1000 - int(getattr(links, f"{term}_mm")[row])) <= 0.5 + 1e-6


@pytest.mark.parametrize("row", ROWS)
def test_the_steps_join_and_are_as_long_as_they_are_drawn(row: int) -> None:
    steps = walk(row).steps
    for before, after in pairwise(steps):
        assert dist(before.points_um[-1], after.points_um[0]) < 10
    for step in steps:
        # In the room a way runs along the axes but for slopes and the plan distance of a rise; what is more than the
        # straight line is a side wall, or a pathway's measured length.
        assert step.length_um >= dist(step.points_um[0], step.points_um[-1]) - 10


@pytest.mark.parametrize("row", [0, 12, 25])
def test_the_drawing_is_xml_and_has_every_step(row: int) -> None:
    text = route_svg(plan(), plan().link_ids[row], walk(row))
    assert text == route_svg(plan(), plan().link_ids[row], walk(row))
    root = ET.fromstring(text)  # noqa: S314 - ours
    words = [t for element in root.iter() for t in [element.text] if t]
    for step in walk(row).steps:
        assert step.words in words
        assert COLOURS[step.term] in text
    assert plan().link_ids[row] in words
