"""Every worked channel of the fixture, and what becomes of files that are not channels."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from planner.channel.cases import answers, expected_keys, judged
from planner.findings import Fault

FIXTURE = Path(__file__).with_name("cases.yaml")
TREE: dict[str, Any] = yaml.safe_load(FIXTURE.read_text(encoding="utf-8"))
# Our reader keeps the source text of each scalar, as this loader does.
TEXT_TREE: dict[str, Any] = yaml.load(FIXTURE.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506
# Channels of our own kinds, their verdicts and repairs reasoned beforehand.
UNLIKE: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("unlike.yaml").read_text(encoding="utf-8"))
REPAIRS = {case["id"]: case.pop("repair", None) for case in UNLIKE["cases"]}
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


@pytest.mark.parametrize("case", UNLIKE["cases"], ids=lambda case: case["id"])
def test_unlike_channel(case: dict[str, Any]) -> None:
    (answer,), faults = judged({**UNLIKE, "cases": [case]})
    assert faults == []
    found = plain(expected_keys(answer))
    assert isinstance(found, dict)
    assert found == {"id": case["id"], **plain_expectation(case["expect"])}
    if REPAIRS[case["id"]] is not None:
        assert list(answer.repair) == REPAIRS[case["id"]]


def plain_expectation(expect: dict[str, Any]) -> dict[str, object]:
    found = plain(expect)
    assert isinstance(found, dict)
    return found


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
        (
            {
                "id": "x",
                "chain": [
                    TREE["cases"][0]["chain"][0],
                    *[{"type": "adapter", "ferrule": "mpo12"}] * 2,
                    TREE["cases"][0]["chain"][0],
                ],
            },
            "another adapter follows it",
        ),
        ("text", "valid dictionary"),
        (None, "valid dictionary"),
    ],
)
def test_malformed_case_is_a_fault(case: Any, says: str) -> None:
    faults = faults_of(case)
    assert says in " | ".join(fault.message for fault in faults)


def test_all_faults_of_a_file_are_told_at_once() -> None:
    profiles = {
        "p": {**TREE["profiles"]["dr4"], "tx": [1, 1], "rx": [13]},
        "q": {**TREE["profiles"]["dr4"], "ferrule": "nix"},
    }
    case = direct(polarity="D", ferrule="mpo13", populated=[99])
    case["chain"][0]["profile"], case["chain"][2]["profile"] = "p", "nobody"
    found, faults = answers(
        {"profiles": profiles, "ferrules": {"f": {"columns": 6, "mates_with": "mpo12"}}, "cases": [case]}
    )
    assert found == []
    told = " | ".join(fault.message for fault in faults)
    for says in (
        "1 x 6 positions do not meet the 1 x 12 of `mpo12`", "`tx` of profile `p` names a position twice",
        "`rx` of profile `p` names position 13", "`nix` is no ferrule", "`D` is no polarity", "`mpo13` is no ferrule",
        "names position 99", "`nobody` is no profile", "`p` is at fault",
    ):  # fmt: skip
        assert says in told


def test_two_ports_without_a_cord_have_no_repair() -> None:
    case = direct()
    (answer,), faults = judged({**TREE, "cases": [{**case, "chain": [case["chain"][0], case["chain"][2]]}]})
    assert (faults, answer.verdict.codes, answer.repair) == ([], ("GENDER_PIN_CLASH", "POLARITY"), ())


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


@pytest.mark.parametrize(
    ("fibres", "says"),
    [
        ({1: {1: [1, 1], 2: [1, 1]}}, "leads two fibres to one position"),
        ({1: {13: [1, 1]}}, "at end A, names position 13"),
        ({1: {1: [1, 13]}}, "at end Z, names position 13"),
        ({1: {1: [1]}}, "map.1.1"),
        ([1], "valid dictionary"),
    ],
)
def test_impossible_shuffle_is_a_fault(fibres: Any, says: str) -> None:
    case = copy.deepcopy(next(case for case in UNLIKE["cases"] if case["id"] == "shuffle-of-two-planes"))
    case["chain"][2]["map"] = fibres
    found, faults = answers({**UNLIKE, "cases": [case]})
    assert found == []
    assert says in " | ".join(fault.message for fault in faults)
