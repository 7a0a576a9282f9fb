"""A plan of generic parts, and the same plan bought from vendors that the tests invent."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner import pipeline
from planner.cli import main
from planner.pipeline import Compiled
from planner.plan import Plan
from planner.selection.apportion import apportioned
from planner.table import Table
from tests.support.projects import ROOT, changed, compiled, errors, marks, write_project
from tests.support.vendors import catalog_files, sold_by

SWITCH_PLUG: Final = "generic-2x400gbase-dr4-osfp-finned"
HOST_PLUG: Final = "generic-400gbase-dr4-osfp-flat"
CORD: Final = "generic-mpo-12-apc-os2-type-b"
DAC: Final = "generic-2x400g-dac-osfp-finned"
SHIPPED: Final = (
    SWITCH_PLUG, HOST_PLUG, CORD, DAC, "generic-64x800g-osfp", "generic-8-gpu-host-osfp", "rack-48u-600x1200", "basket-300x100",
)  # fmt: skip

HEAD: Final = """format: planner/1
name: bought
room: {outline_m: [[0, 0], [9, 0], [9, 6], [0, 6]], ceiling_m: 3.6}
racks:
  - {row: A, names: "A[01-03]", type: rack-48u-600x1200, at_m: [1, 1], along: east, front: south}
pathways:
  - {name: tray, type: basket-300x100, path_m: [[1, 2], [2.8, 2]], height_m: 2.6}
devices:
  - {names: "host-[1-2]", model: generic-8-gpu-host-osfp, racks: "A[01-02]", u: 3}
  - {names: "leaf-[1-2]", model: generic-64x800g-osfp, rack: A03, u: [30, 34], mount: rear}
  - {names: "spine-1", model: generic-64x800g-osfp, rack: A03, u: 40, mount: rear}
catalogs: [vendors]
policy:
  media: {order: [optic]}
  vendors: {allow: [generic]}
fabrics:
  - name: compute
    protocol: ethernet
    rate: 400g
    links:
"""


def _links() -> Iterator[str]:
    """Each leaf serves every second adapter of both hosts, two to a cage; four links of each leaf go to the spine."""
    for host in (1, 2):
        for nic in range(8):
            port = (host - 1) * 4 + nic // 2
            yield f'{{a: "host-{host}:nic{nic}", z: "leaf-{1 + nic % 2}:{port // 2 + 1}/{port % 2 + 1}", tier: node-leaf}}'
    for leaf in (1, 2):
        for up in range(4):
            port = (leaf - 1) * 4 + up
            yield f'{{a: "leaf-{leaf}:{33 + up // 2}/{up % 2 + 1}", z: "spine-1:{port // 2 + 1}/{port % 2 + 1}", tier: leaf-spine}}'


GENERIC: Final = HEAD + "".join(f"      - {link}\n" for link in _links())
ACME: Final = [sold_by("Acme", id_) for id_ in (SWITCH_PLUG, HOST_PLUG, CORD, DAC)]
BOREALIS: Final = [sold_by("Borealis", id_) for id_ in (SWITCH_PLUG, HOST_PLUG, CORD)]
BOTH: Final = catalog_files(*ACME, *BOREALIS)


@pytest.fixture(autouse=True, scope="module")
def _small_catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Of the shipped catalog, the generic parts that these tests plan with."""
    folder = tmp_path_factory.mktemp("catalog")
    for path in sorted((ROOT / "catalogs").glob("*/*.yaml")):
        if path.stem in SHIPPED or path.parent.name == "compatibility":
            (folder / path.parent.name).mkdir(exist_ok=True)
            shutil.copyfile(path, folder / path.parent.name / path.name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "catalogs_folder", lambda: folder)
        yield


def bought(folder: Path, vendors: str, files: Mapping[str, str | bytes] = BOTH, text: str = GENERIC) -> Compiled:
    return compiled(folder, changed(text, ("vendors: {allow: [generic]}", f"vendors: {{{vendors}}}")), files)


def plan_bought(folder: Path, vendors: str, files: Mapping[str, str | bytes] = BOTH, text: str = GENERIC) -> Plan:
    result = bought(folder, vendors, files, text)
    assert errors(result) == []
    assert result.plan is not None
    return result.plan


def with_choice(choice: str) -> str:
    return changed(
        GENERIC, ("  media: {order: [optic]}\n", f"  media: {{order: [optic]}}\n  choices: [{{{choice}}}]\n")
    )


def plugs_of(plan: Plan) -> Counter[str]:
    return Counter(plan.parts[part].part for part in plan.plugs.part.tolist())


def cords_of(plan: Plan) -> Counter[tuple[str, int]]:
    """Maker and length in mm of every cord."""
    parts = [plan.parts[part] for part in plan.cables.part.tolist()]
    return Counter((part.manufacturer, part.length_mm) for part in parts)


def cells(table: Table, without: frozenset[str] = frozenset()) -> dict[str, list[object]]:
    columns = {f.name: getattr(table, f.name) for f in fields(table) if f.name not in without}
    return {name: column.tolist() for name, column in columns.items()}


# --- one vendor -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("media", ["[optic]", "[dac, optic]"])
def test_a_plan_bought_from_one_vendor_differs_in_its_parts_only(tmp_path: Path, media: str) -> None:
    text = changed(GENERIC, ("order: [optic]", f"order: {media}"))
    generic, one = (
        plan_bought(tmp_path / "g", "allow: [generic]", text=text),
        plan_bought(tmp_path / "b", "buy: acme", text=text),
    )
    parts = frozenset({"a_plug_part", "z_plug_part"})
    assert cells(one.links, parts) == cells(generic.links, parts)
    for name in ("cables", "ends", "plugs", "plug_links", "routes"):
        assert cells(getattr(one, name)) == cells(getattr(generic, name))  # parts by number, in the same order
    assert (one.racks, one.devices, one.phases) == (generic.racks, generic.devices, generic.phases)
    assert {part.manufacturer for part in generic.parts if part.category != "switch"} == {"generic"}
    for of_generic, of_vendor in zip(generic.parts, one.parts, strict=True):
        if of_generic.category == "switch":
            assert of_vendor == of_generic
            continue
        assert of_vendor.stands_for == of_generic.part
        same = {
            f.name: getattr(of_generic, f.name)
            for f in fields(of_generic)
            if f.name in ("part", "order_number", "family", "manufacturer", "stands_for", "evidence")
        }
        assert replace(of_vendor, **same) == of_generic


def test_what_generic_parts_and_a_purchase_are_in_the_bill(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_project(tmp_path / "p", changed(GENERIC, ("{allow: [generic]}", "{buy: acme}")), BOTH)
    assert main(["plan", str(folder), "--out", str(tmp_path / "out")]) == 0
    capsys.readouterr()
    for name in ("bom.csv", "links.csv", "cables.csv", "plugs.csv"):
        text = (tmp_path / "out" / name).read_text(encoding="utf-8")
        assert "ACME-" in text
        assert "TYPE-B " not in text  # as in `MPO-12/APC OS2 TYPE-B 7 m`
        assert [line for line in text.splitlines() if "a class of parts" in line and ",switch," not in line] == []


# --- shares ---------------------------------------------------------------------------------------------------------


def test_shares_of_two_vendors(tmp_path: Path) -> None:
    """0.6 x 16 = 9.6 of each class of plugs: the tenth piece has its middle at 9.5. 0.6 x 24 cords = 14.4, so 14 and 10."""
    plan = plan_bought(tmp_path, "buy: {acme: 0.6, borealis: 0.4}")
    assert plugs_of(plan) == {
        "ACME-400GBASE-DR4-OSFP-FLAT": 10,
        "BOREALIS-400GBASE-DR4-OSFP-FLAT": 6,
        "ACME-2X400GBASE-DR4-OSFP-FINNED": 10,
        "BOREALIS-2X400GBASE-DR4-OSFP-FINNED": 6,
    }
    makers = [plan.parts[part].manufacturer for part in plan.cables.part.tolist()]
    assert makers == ["Acme"] * 14 + ["Borealis"] * 10  # in the order of links


def test_one_vendor_at_both_ends(tmp_path: Path) -> None:
    plan = plan_bought(tmp_path, "buy: {acme: 0.6, borealis: 0.4}, one_at_both_ends: true")
    maker = {part.part: part.manufacturer for part in plan.parts}
    pairs = list(zip(plan.links.a_plug_part.tolist(), plan.links.z_plug_part.tolist(), strict=True))
    assert all(maker[a] == maker[z] for a, z in pairs)
    assert {maker[a] for a, _ in pairs} == {"Acme", "Borealis"}
    # Sets of three (two hosts' plugs and the leaf's) and of two (leaf and spine): 0.6 x 24 = 14.4 is five sets, 0.6 x 8 = 4.8 two.
    assert plugs_of(plan)["ACME-400GBASE-DR4-OSFP-FLAT"] == 10
    assert plugs_of(plan)["ACME-2X400GBASE-DR4-OSFP-FINNED"] == 5 + 4


def test_what_one_vendor_alone_sells_counts_towards_its_share(tmp_path: Path) -> None:
    """Of 24 cords (2 of 3 m, 6 of 5 m, 12 of 7 m, 4 of 10 m) Borealis lacks the 7 m: Acme's half is these twelve."""
    files = catalog_files(*ACME, *BOREALIS[:2], sold_by("Borealis", CORD, [3, 5, 10]))
    plan = plan_bought(tmp_path, "buy: {borealis: 0.5, acme: 0.5}", files)
    assert cords_of(plan) == {("Acme", 7000): 12, ("Borealis", 3000): 2, ("Borealis", 5000): 6, ("Borealis", 10000): 4}


@given(
    weights=st.lists(st.integers(1, 9), min_size=1, max_size=40),
    parts=st.lists(st.integers(1, 20), min_size=1, max_size=5),
)
def test_every_vendor_has_its_share_to_within_one_set(weights: list[int], parts: list[int]) -> None:
    shares = [part * 1_000_000 // sum(parts) for part in parts]
    shares[0] += 1_000_000 - sum(shares)
    able = np.full(len(weights), (1 << len(parts)) - 1, np.int64)
    vendor = apportioned(np.array(weights, np.int64), able, shares)
    for number, share in enumerate(shares):
        has = sum(weight for weight, by in zip(weights, vendor.tolist(), strict=True) if by == number)
        assert abs(has - share * sum(weights) / 1_000_000) <= max(weights)
    assert vendor.tolist() == sorted(vendor.tolist())  # one run of links for each vendor


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 7)), min_size=1, max_size=30))
def test_nobody_gets_what_he_cannot_supply(sets: list[tuple[int, int]]) -> None:
    weights, able = (np.array(column, np.int64) for column in zip(*sets, strict=True))
    vendor = apportioned(weights, able, [500_000, 300_000, 200_000])
    assert all((by < 0 and not can) or can >> by & 1 for by, can in zip(vendor.tolist(), able.tolist(), strict=True))


def test_a_tier_is_bought_by_a_policy_of_its_own(tmp_path: Path) -> None:
    """Leaf to spine from Borealis, the rest from Acme; a leaf's own cages serve one tier each."""
    plan = plan_bought(tmp_path, "buy: acme", text=with_choice("links: compute/leaf-spine, vendors: {buy: borealis}"))
    maker = {part.part: part.manufacturer for part in plan.parts}
    by_tier = {
        (tier, maker[plan.parts[cable].part], maker[a], maker[z])
        for tier, cable, a, z in zip(
            plan.links.tier.tolist(), plan.cables.part[plan.links.cable].tolist(),
            plan.links.a_plug_part.tolist(), plan.links.z_plug_part.tolist(), strict=True,
        )
    }  # fmt: skip
    assert by_tier == {("node-leaf", "Acme", "Acme", "Acme"), ("leaf-spine", "Borealis", "Borealis", "Borealis")}


def test_a_part_that_the_policy_denies_is_not_bought(tmp_path: Path) -> None:
    text = with_choice('links: "*", deny: [ACME-MPO-12-APC-OS2-TYPE-B-7M]')
    result = bought(tmp_path, "buy: acme", text=text)
    (note,) = [found.note for found in result.findings if found.rule == "BOM005"]
    assert note == "acme: ACME-MPO-12-APC-OS2-TYPE-B of 7 m is denied, or beyond its reach"


# --- what is not sold -----------------------------------------------------------------------------------------------


def test_a_length_that_nobody_sells_stays_generic(tmp_path: Path) -> None:
    files = catalog_files(*ACME[:2], sold_by("Acme", CORD, [3, 5, 8, 10]))
    result = bought(tmp_path, "buy: acme", files)
    (finding,) = [found for found in result.findings if found.rule == "BOM005"]
    assert finding.message == (
        "no vendor of `policy.vendors.buy` sells `MPO-12/APC OS2 TYPE-B 7 m` for link `host-1:nic0--leaf-1:1/1` and 11 more"
    )
    assert finding.note == "acme: ACME-MPO-12-APC-OS2-TYPE-B is sold in 3, 5, 8, 10 m"
    assert finding.at is not None
    assert GENERIC.splitlines()[finding.at.line - 1].strip().startswith("vendors:")
    assert result.plan is not None
    assert cords_of(result.plan)["generic", 7000] == 12
    assert {part.stands_for for part in result.plan.parts if part.manufacturer == "generic"} == {""}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"power_w": {"value": 40, "source": "test", "evidence": "primary"}}, None),
        ({"lifecycle": {"value": "discontinued", "source": "test", "evidence": "primary"}}, "it is discontinued"),
        ({"reach_m": {"os2": {"value": 4, "source": "test", "evidence": "primary"}}}, "does not reach 7 m"),
        ({"protocols": ["infiniband"]}, "it does not carry ethernet"),
    ],
    ids=["power that no limit is known for", "discontinued", "short reach", "other protocol"],
)
def test_a_plug_that_cannot_stand_in(tmp_path: Path, changes: dict[str, Any], reason: str | None) -> None:
    files = catalog_files(ACME[0], sold_by("Acme", HOST_PLUG, **changes), ACME[2])
    result = bought(tmp_path, "buy: acme", files)
    notes = [found.note for found in result.findings if found.rule == "BOM005"]
    assert notes == [] if reason is None else len(notes) == 1 and reason in notes[0]


def test_one_vendor_at_both_ends_needs_both_of_it(tmp_path: Path) -> None:
    """Without Acme's switch plug its host plugs would face another vendor's, so Borealis sells all sets of hosts."""
    files = catalog_files(*ACME[1:3], *BOREALIS)
    plan = plan_bought(tmp_path, "buy: {acme: 0.5, borealis: 0.5}, one_at_both_ends: true", files)
    assert plugs_of(plan) == {"BOREALIS-400GBASE-DR4-OSFP-FLAT": 16, "BOREALIS-2X400GBASE-DR4-OSFP-FINNED": 16}


def test_a_plug_that_faces_a_pinned_vendor_is_of_that_vendor(tmp_path: Path) -> None:
    pin = 'pins: [{links: "host-1:nic0--*", a_plug: borealis-400gbase-dr4-osfp-flat}]\n'
    plan = plan_bought(tmp_path, "buy: {acme: 0.99, borealis: 0.01}, one_at_both_ends: true", text=GENERIC + pin)
    assert plan.links.z_plug_part[0] == "BOREALIS-2X400GBASE-DR4-OSFP-FINNED"
    assert plugs_of(plan)["BOREALIS-400GBASE-DR4-OSFP-FLAT"] == 2  # the pinned one, and that of the cage's other link


def test_the_longer_way_of_a_vendors_own_plug_is_judged(tmp_path: Path) -> None:
    """A cord of the plan's length is not sold where the vendor's boots stand out so far that it no longer suffices."""
    files = catalog_files(
        *ACME[:2], sold_by("Acme", CORD, standoff_mm={"value": 900, "source": "test", "evidence": "primary"})
    )
    result = bought(tmp_path, "buy: acme", files)
    assert any("is too short with its own tolerance" in f.note for f in result.findings if f.rule == "BOM005")


# --- form -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("vendors", "mark", "words"),
    [
        ("buy: {acme: 0.6, borealis: 0.6}", "INP006", "add up to 1.2, not to 1"),
        ("buy: {acme: 1, borealis: 0}", "INP006", "the share of `borealis` is not above 0"),
        ("buy: {Acme: 0.5, acme: 0.5}", "INP006", "stands twice"),
        ("buy: acmee", "INP017", "did you mean `Acme`?"),
    ],
)
def test_shares_at_fault(tmp_path: Path, vendors: str, mark: str, words: str) -> None:
    result = bought(tmp_path, vendors)
    found = [finding for finding in result.findings if words in f"{finding.message} {finding.help}"]
    assert [finding.rule for finding in found] == [mark], [(f.rule, f.message) for f in result.findings]


# --- explain --------------------------------------------------------------------------------------------------------


def test_explain_says_for_what_and_why_this_vendor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_project(
        tmp_path / "p", changed(GENERIC, ("{allow: [generic]}", "{buy: {acme: 0.6, borealis: 0.4}}")), BOTH
    )
    assert main(["plan", str(folder), "--out", str(tmp_path / "out")]) == 0
    capsys.readouterr()
    link = "host-2:nic7--leaf-2:4/2"
    assert main(["explain", str(tmp_path / "out"), link]) == 0
    text = capsys.readouterr().out
    assert (
        "BOREALIS-400GBASE-DR4-OSFP-FLAT from Borealis, for the generic 400GBASE-DR4 OSFP FLAT; its share is 0.4, "
        "it has 6 of the 16 pieces of that class"
    ) in text
    assert "light (lanes and joints pass, loss not proven)" in text
    assert main(["explain", str(tmp_path / "out"), link, "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [(b["part"], b["stands_for"], b["pieces"], b["of_pieces"]) for b in record["bought"]][1:2] == [
        ("BOREALIS-400GBASE-DR4-OSFP-FLAT", "400GBASE-DR4 OSFP FLAT", 6, 16)
    ]


def test_marks_of_a_clean_purchase(tmp_path: Path) -> None:
    assert marks(bought(tmp_path, "buy: acme"), "BOM005") == []
