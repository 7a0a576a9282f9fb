"""A project's own catalog beside the shipped one: what adds, what takes whose place, also when read from a plan."""

from __future__ import annotations

from pathlib import Path

from planner.catalog.load import catalog_of, load_catalog
from planner.data import catalogs_folder
from planner.findings import NOWHERE
from planner.reader import Sources

RATES = """\
sources: {ours: "our own words"}
rates:
  - {id: 400g, protocol: ethernet, lanes: 8, lane_rate_gbps: 50, modulation: pam4, gbps: 400, source: ours, evidence: secondary}
  - {id: ours, protocol: ethernet, lanes: 2, lane_rate_gbps: 25, modulation: nrz, gbps: 50, source: ours, evidence: secondary}
"""


def test_files_of_compatibility_add_to_shipped_ones_of_the_same_name(tmp_path: Path) -> None:
    for name in ("rates.yaml", "a-rate.yaml"):  # one of the shipped name, one that sorts before it
        folder = tmp_path / name.removesuffix(".yaml") / "compatibility"
        folder.mkdir(parents=True)
        (folder / name).write_text(RATES, encoding="utf-8")
        sources = Sources(tmp_path)
        catalog = load_catalog(sources, catalogs_folder(), [(name.removesuffix(".yaml"), NOWHERE)])
        assert sources.faults == []
        for read in (catalog, catalog_of(catalog.trees)):
            assert {"ndr", "400g-8x50", "ours"} <= read.rates.keys()
            assert (read.rates["400g"].lanes, read.rates["400g"].lane_rate_gbps) == (8, 50)
            assert read.fits == catalog.fits
