"""The published pod OPG-256: every link of its connectivity map resolves, and its published optics do not fit."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from planner.findings import Severity
from planner.pipeline import Compiled, compile_project
from planner.plan import Plan
from tests.ocp.conversion import HERE, MAP, link_lists, port

PLACEHOLDER: Final = "qsfp112-200gbase-sr2"
PINNED: Final = f"""
catalogs: [catalog]
pins:
  - {{links: "*", a_plug: {PLACEHOLDER}, z_plug: {PLACEHOLDER}}}
"""


def pod(folder: Path, more: str = "") -> Compiled:
    text = (HERE / "project.yaml").read_text(encoding="utf-8")
    (folder / "project.yaml").write_text(text + more, encoding="utf-8")
    for name, rows in link_lists(MAP.read_text(encoding="utf-8")).items():
        (folder / name).write_text(rows, encoding="utf-8")
    part = folder / "catalog" / "plugs" / f"{PLACEHOLDER}.yaml"
    part.parent.mkdir(parents=True)
    part.write_text((HERE / "catalog" / "plugs" / part.name).read_text(encoding="utf-8"), encoding="utf-8")
    return compile_project(folder)


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    result = pod(tmp_path_factory.mktemp("pod"))
    assert [f"{f.rule} {f.message}" for f in result.findings if f.severity is Severity.ERROR] == []
    assert result.plan is not None
    return result.plan


def bill() -> Counter[str]:
    """Pieces of the published bill by section."""
    text = (HERE / "opg-256-bom.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    pieces: Counter[str] = Counter()
    for row in rows:
        pieces[row["section"]] += int(row["quantity"])
    return pieces


def test_the_map_is_converted_row_by_row() -> None:
    """256 + 128 links of the backend, 64 + 64 of the frontend."""
    lists = link_lists(MAP.read_text(encoding="utf-8"))
    assert {name: rows.count("\n") - 1 for name, rows in lists.items()} == {
        "backend.csv": 256,
        "backend-core.csv": 128,
        "frontend.csv": 64,
        "frontend-core.csv": 64,
    }
    assert (port("E1/7/2"), port("E1/64"), port("be3-port0"), port("fe-p1")) == ("7/2", "64", "nic3", "front1")
    with pytest.raises(ValueError, match="no such port: be8"):
        port("be8")


def test_every_link_of_the_map_resolves(plan: Plan) -> None:
    published = {
        f"{row['a_device']}:{port(row['a_interface'])}--{row['b_device']}:{port(row['b_interface'])}"
        for row in csv.DictReader(MAP.read_text(encoding="utf-8").splitlines())
    }
    assert len(published) == 512
    assert set(plan.link_ids) == published
    assert set(plan.links.status.tolist()) == {"resolved"}


def test_cages_in_use_are_as_many_as_the_bill_has_optics(plan: Plan) -> None:
    """320 in servers; in switches 128 + 128 backend leaf and 128 spine cages, 16 + 64 frontend leaf and 64 spine: 528."""
    of_kind = Counter(plan.devices[device].kind for device in plan.plugs.device.tolist())
    published = bill()
    assert of_kind == {"server": published["server_transceiver"], "switch": published["switch_transceiver"]}
    assert of_kind == {"server": 320, "switch": 528}
    assert sum(device.kind == "switch" for device in plan.devices) == published["switch"] == 9


def test_four_servers_share_a_plug_of_a_frontend_leaf(plan: Plan) -> None:
    plug = next(
        n
        for n, (device, cage) in enumerate(zip(plan.plugs.device.tolist(), plan.plugs.cage.tolist(), strict=True))
        if (plan.devices[device].name, cage) == ("fe-leaf-02", "3")
    )
    links = plan.plug_links.link[plan.plug_links.plug == plug].tolist()
    assert [plan.link_ids[link] for link in links] == [
        f"compute-{server:03}:front1--fe-leaf-02:3/{half}" for half, server in enumerate((5, 6, 7, 8), start=1)
    ]


def test_the_published_optics_fail_once_for_each_kind_of_cage(tmp_path: Path) -> None:
    result = pod(tmp_path, PINNED)
    errors = {finding.rule: finding for finding in result.findings if finding.severity is Severity.ERROR}
    assert sorted(errors) == ["PRT001", "PRT006"]
    form, lanes = errors["PRT001"], errors["PRT006"]
    assert "a qsfp112 plug does not enter the finned osfp cage of `generic-64x800g-osfp`" in form.message
    assert "and 523 more; link" in form.note  # five cages are named: 528, as many as the bill orders for switches
    assert form.count == 528
    assert "it has 2 x 100G pam4 a port, `400g` needs 4 x 100G pam4" in lanes.message
    assert lanes.count == 256
    pin = ((HERE / "project.yaml").read_text(encoding="utf-8") + PINNED).split('links: "*"')[0].count("\n") + 1
    assert {finding.at.line for finding in errors.values() if finding.at} == {pin}
    # Forced parts stay chosen, and the rules report them: nothing is silently replaced.
    assert result.plan is not None
    plugs = {result.plan.parts[part].part for part in result.plan.plugs.part.tolist()}
    assert plugs == {PLACEHOLDER.upper()}
