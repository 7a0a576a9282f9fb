"""Shipped layouts that a template writes are exactly what it writes, and their pictures what they plan to."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner.pipeline import compile_project
from planner.templates import TEMPLATES
from planner.write.documents import write_documents

LAYOUTS = Path(__file__).parents[2] / "layouts"

OF_A_SIZE = {"superpod-h100": "superpod-h100-1su is written by hand, with the published case told in its README"}
"""Templates whose default size has no layout of its own, and why."""


@pytest.mark.parametrize("name", sorted(TEMPLATES.keys() - OF_A_SIZE.keys()))
def test_a_layout_is_what_its_template_writes(name: str, tmp_path: Path, update_golden: bool) -> None:
    written = TEMPLATES[name].files({})
    folder = LAYOUTS / name
    if update_golden:
        for file, text in written.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text, encoding="utf-8", newline="\n")
    assert {file: (folder / file).read_text(encoding="utf-8") for file in written} == written
    plan = compile_project(folder).plan
    assert plan is not None
    write_documents(plan, tmp_path, frozenset({"floor-plan"}))
    picture = (tmp_path / "floor-plan.svg").read_text(encoding="utf-8")
    if update_golden:
        (folder / "floor-plan.svg").write_text(picture, encoding="utf-8", newline="\n")
    assert (folder / "floor-plan.svg").read_text(encoding="utf-8") == picture


@pytest.mark.parametrize("name", sorted(TEMPLATES.keys() - OF_A_SIZE.keys()))
def test_its_readme_says_what_is_published_and_what_is_assumed(name: str) -> None:
    text = (LAYOUTS / name / "README.md").read_text(encoding="utf-8")
    assert "\n## Published\n" in text
    assert "\n## Our assumptions\n" in text
    assert "\n## What the plan must give\n" in text
