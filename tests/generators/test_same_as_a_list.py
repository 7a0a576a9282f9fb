"""A generator makes the same link table as the list of its links: every example of the pages, written out as CSV."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from planner.layout import layout_of
from planner.project import Project
from planner.reader import read_project
from planner.topology import Links, link_ids, links_of
from planner.validation import validated
from tests.generators.fabrics import catalog
from tests.support.projects import ROOT

PAGES = sorted((ROOT / "docs" / "generators").glob("*.md"))
EXAMPLES = [
    (page.stem, number, text)
    for page in PAGES
    for number, text in enumerate(
        re.findall(r"^```yaml\n(format:.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    )
]


def table(folder: Path, text: str, csv: str = "") -> tuple[Links, Any]:
    folder.mkdir()
    (folder / "project.yaml").write_text(text, encoding="utf-8")
    (folder / "links.csv").write_text(csv, encoding="utf-8")
    source = read_project(folder)
    assert source.root is not None
    form = validated(Project, source.root)
    assert form.model is not None
    layout, _ = layout_of(form.model, form.root, catalog(), frozenset(), source.files)
    links, faults = links_of(form.model.fabrics, form.root, layout, catalog(), source.sources, frozenset())
    assert faults == []
    return links, layout


@pytest.mark.parametrize(("page", "number", "text"), EXAMPLES, ids=[f"{page}-{n}" for page, n, _ in EXAMPLES])
def test_the_same_table(page: str, number: int, text: str, tmp_path: Path) -> None:
    links, layout = table(tmp_path / "generated", text)
    ends = [re.split("--|:", link) for link in link_ids(links, layout)]
    rows = [",".join((*row, tier)) for row, tier in zip(ends, links.tier.tolist(), strict=True)]
    project = yaml.safe_load(text)
    del project["fabrics"][0]["generate"]
    project["fabrics"][0]["links"] = {"from": "links.csv"}
    head = "a_device,a_port,z_device,z_port,tier"
    listed, _ = table(tmp_path / "listed", yaml.safe_dump(project), "\n".join([head, *reversed(rows), ""]))
    for column in ("fabric", "a_device", "a_port", "z_device", "z_port"):
        assert np.array_equal(getattr(listed, column), getattr(links, column)), (page, number, column)
    assert listed.tier.tolist() == links.tier.tolist()
