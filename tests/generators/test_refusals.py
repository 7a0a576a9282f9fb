"""Golden refusals: what cannot be met is told with the arithmetic, word for word, and with what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import yaml

from tests.generators.fabrics import layout_with, made

HERE: Final = Path(__file__).parent
CASES: Final[list[dict[str, Any]]] = yaml.safe_load((HERE / "refusals.yaml").read_text(encoding="utf-8"))


def test_golden_refusals(update_golden: bool) -> None:
    """One finding a case, of the generators' rule; `--update-golden` renews the words: read the diff."""
    told = []
    for case in CASES:
        found, faults = made(layout_with(case["devices"], case.get("a_rack")), case["rate"], **case["generate"])
        assert found is None, case["case"]
        assert [fault.rule for fault in faults] == ["generator-refused"], case["case"]
        told.append(f"{case['case']}\n  {faults[0].message}\n  help: {faults[0].help}\n")
    golden = HERE / "refusals.txt"
    text = "\n".join(told)
    if update_golden:
        golden.write_text(text, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == text


def test_every_case_has_a_name_of_its_own() -> None:
    assert len({case["case"] for case in CASES}) == len(CASES)
