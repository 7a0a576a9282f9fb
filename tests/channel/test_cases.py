"""Every worked channel of the fixture, and what becomes of files that are not channels."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from planner.channel.cases import answers
from planner.findings import Fault

FIXTURE = Path(__file__).with_name("cases.yaml")
TREE: dict[str, Any] = yaml.safe_load(FIXTURE.read_text(encoding="utf-8"))
# Our reader keeps the source text of each scalar, as this loader does.
TEXT_TREE: dict[str, Any] = yaml.load(FIXTURE.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506
EXPECTED = {case["id"]: case["expect"] for case in TREE["cases"]}
ANSWERS = {answer["id"]: answer for answer in answers(TREE)[0]}
TEXT_ANSWERS = {answer["id"]: answer for answer in answers(TEXT_TREE)[0]}


def plain(value: object) -> object:
    """The value as JSON carries it."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    return round(value, 2) if isinstance(value, float) else value


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_worked_channel(name: str) -> None:
    want = {"id": name, **EXPECTED[name], "codes": sorted(EXPECTED[name]["codes"])}
    assert plain(ANSWERS[name]) == plain(want)


def test_text_scalars_give_the_same_answers() -> None:
    assert TEXT_ANSWERS == ANSWERS


def test_expectations_are_not_read() -> None:
    tree = copy.deepcopy(TREE)
    for case in tree["cases"]:
        case["expect"] = {"verdict": "pass", "codes": [], "a_to_z": "anything"}
        case["title"] = case["reason"] = "anything"
    assert {answer["id"]: answer for answer in answers(tree)[0]} == ANSWERS


def faults_of(case: dict[str, Any], **top: Any) -> list[Fault]:
    found, faults = answers({**TREE, **top, "cases": [case]})
    assert found == []
    assert all(fault.rule == "channel-file-fault" for fault in faults)
    return faults


def direct(**cable: Any) -> dict[str, Any]:
    case: dict[str, Any] = copy.deepcopy(TREE["cases"][0])
    case["chain"][1].update(cable)
    return case


@pytest.mark.parametrize(
    ("case", "says"),
    [
        (direct(polarity="D"), "`D` is no polarity"),
        (direct(ferrule="mpo13"), "`mpo13` is no ferrule"),
        (direct(fibre="OM9"), "`OM9` is no fibre grade"),
        (direct(colour="aqua"), "`cases.0.chain.1.cable.colour`"),
        (direct(length_m="ten"), "`ten` is not a number"),
        (direct(length_m=-1), "cannot be negative"),
        (direct(populated=[1, 13]), "names position 13"),
        (direct(type="rope"), "`cases.0.chain.1`"),
        ({"id": "x", "chain": []}, "`cases.0.chain`"),
        ({"id": "x", "chain": [{"type": "port", "profile": "dr4"}]}, "a chain begins with a port and goes on"),
        ({"id": "x", "chain": [{"type": "port", "profile": "nix"}] * 2}, "`nix` is no profile"),
        ({"id": "x", "chain": [{"type": "port", "profile": "dr4"}] * 3}, "only at the ends"),
        ({"chain": []}, "`cases.0.id`"),
        ("text", "valid dictionary"),
        (None, "valid dictionary"),
    ],
)
def test_malformed_case_is_a_fault(case: Any, says: str) -> None:
    faults = faults_of(case)
    assert says in " | ".join(fault.message for fault in faults)


@pytest.mark.parametrize("tree", [None, [], "text", {}, {"cases": {}}, {"cases": [], "extra": 1}, {"profiles": 3}])
def test_malformed_file_is_a_fault(tree: object) -> None:
    found, faults = answers(tree)
    assert found == []
    assert faults


def test_a_bad_case_leaves_the_others() -> None:
    found, faults = answers({**TREE, "cases": [direct(polarity="D"), TREE["cases"][1]]})
    assert [answer["id"] for answer in found] == ["pc-02"]
    assert [fault.objects for fault in faults] == [("pc-01",)]


def test_the_same_name_twice_is_a_fault() -> None:
    found, faults = answers({**TREE, "cases": [TREE["cases"][0], TREE["cases"][0]]})
    assert len(found) == 1
    assert "twice" in faults[0].message


def splitter_case(fibre_map: Any, legs: list[int]) -> dict[str, Any]:
    case: dict[str, Any] = copy.deepcopy(next(case for case in TREE["cases"] if case["id"] == "pc-30"))
    case["chain"][1]["map"] = fibre_map
    case["branches"] = [{**branch, "leg": leg} for branch, leg in zip(case["branches"], legs, strict=True)]
    return case


@pytest.mark.parametrize(
    ("case", "says"),
    [
        (splitter_case({1: {1: 12}, 2: {1: 11}}, [1, 2]), "names a position twice"),
        (splitter_case({1: {1: 12, 2: 12}, 2: {3: 11}}, [1, 2]), "leg 1 of the map names a position twice"),
        (splitter_case({1: {1: 12}, 2: {2: 13}}, [1, 2]), "names position 13"),
        (splitter_case({1: {1: 12}, 2: {2: 11}}, [1, 3]), "leg 3 is none of [1, 2]"),
        (splitter_case({1: {1: 12}, 2: {2: 11}}, [1, 1]), "leg 1 stands twice"),
    ],
)
def test_impossible_splitter_is_a_fault(case: Any, says: str) -> None:
    assert says in faults_of(case)[0].message


def test_a_face_that_the_file_adds() -> None:
    ferrules = {"row20": {"columns": "20"}}
    lanes = [str(lane) for lane in range(1, 11)]
    profile = {
        "ferrule": "row20",
        "gender": "M",
        "polish": "APC",
        "medium": "SM",
        "tx": lanes,
        "rx": [str(21 - int(lane)) for lane in lanes],
    }
    case = direct(ferrule="row20")
    case["chain"][0]["profile"] = case["chain"][2]["profile"] = "dr10"
    found, faults = answers({"ferrules": ferrules, "profiles": {"dr10": profile}, "cases": [case]})
    assert faults == []
    assert found[0]["verdict"] == "pass"
    assert found[0]["a_to_z"] == {f"Tx{lane}": f"Rx{lane}" for lane in range(1, 11)}
