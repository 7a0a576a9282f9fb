"""What people really write: every problem is a finding at its place, one for each cause, and never a traceback.

The starting point is the smallest shipped layout, two racks with one change or a few. Each row names the change and the
errors (rule and line) that it must give and no others.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from planner.pipeline import compile_project
from planner.reader.yaml_source import Value, YamlMap, YamlSeq, load_yaml
from tests.support.examples import examples
from tests.support.projects import ROOT, changed, compiled, errors, marks, project_text, write_project

SMALL: Final = project_text("two-racks")
POD: Final = project_text("superpod-h100-1su")
RACKS: Final = "at_m: [2.0, 2.0]"
TRAY: Final = "path_m: [[2.0, 2.6], [3.2, 2.6]]"
OUTLINE: Final = "[[0, 0], [6, 0], [6, 5], [0, 5]]"
GPUS: Final = '"dgx-[1-2]"'
END: Final = "policy:"


def at(rule: str, *lines: int) -> list[tuple[str, str]]:
    return [(rule, str(line)) for line in lines]


CHANGES: Final[dict[str, tuple[tuple[tuple[str, str], ...], list[tuple[str, str]]]]] = {
    # numbers
    "not a number": ((("ceiling_m: 3.5", "ceiling_m: NaN"),), at("INP006", 7)),
    "no end": ((("ceiling_m: 3.5", "ceiling_m: .inf"),), at("INP006", 7)),
    "a comma for a point": ((("ceiling_m: 3.5", "ceiling_m: 3,5"),), at("INP006", 7)),
    "an unknown unit": ((("ceiling_m: 3.5", "ceiling_m: 3 furlongs"),), at("INP006", 7)),
    "a huge exponent": ((("ceiling_m: 3.5", "ceiling_m: 1e999"),), at("INP006", 7)),
    "below the floor": ((("ceiling_m: 3.5", "ceiling_m: -3.5"),), at("INP006", 7)),
    "finer than a micrometre": (((RACKS, "at_m: [2.0000001, 2.0]"),), at("INP006", 10)),
    "far out": (((RACKS, "at_m: [9e3, 9e3]"),), at("LAY002", 10)),
    "beyond every building": (((RACKS, "at_m: [9e5, 2.0]"),), at("INP006", 10)),
    "negative place": (((RACKS, "at_m: [-2.0, 2.0]"),), at("LAY002", 10)),
    "one coordinate": (((RACKS, "at_m: [2.0]"),), at("INP006", 10)),
    "slots of nothing": ((("u: 3}", "u: []}"),), at("INP006", 16)),
    "slots of null": ((("u: 3}", "u: null}"),), at("INP006", 16)),
    "a slot list in a list": ((("u: 3}", "u: [[3]]}"),), at("INP006", 16)),
    "slot zero": ((("u: 3}", "u: 0}"),), at("DEV001", 16)),
    "slot 999999999999": ((("u: 44,", "u: 999999999999,"),), at("DEV001", 15)),
    # rooms and pathways
    "a room of no size": (((OUTLINE, "[[0, 0], [0, 0], [0, 0], [0, 0]]"),), at("LAY002", 6)),
    "a room that is a line": (((OUTLINE, "[[0, 0], [6, 0], [3, 0]]"),), at("LAY002", 6)),
    "a room of two points": (((OUTLINE, "[[0, 0], [6, 0]]"),), at("INP006", 6)),
    "a room that crosses itself": (((OUTLINE, "[[0, 0], [6, 5], [6, 0], [0, 5]]"),), at("LAY002", 6)),
    "a room in space": (((OUTLINE, "[[0, 0, 0], [6, 0, 0], [6, 5, 0]]"),), at("INP006", 6, 6, 6)),
    "a room that hides nothing": (
        (("ceiling_m: 3.5", "ceiling_m: high"), (RACKS, "at_m: [2.0]"), (GPUS, '"dgx-[5-1]"')),
        [*at("INP006", 7, 10), *at("INP007", 16)],
    ),
    "no room": ((("room:", "rooms: []\nzzz:"),), at("INP003", 6) + at("INP005", 2)),
    "a tray of more points than a drawing has": (
        ((TRAY, "path_m: [" + ", ".join(f"[{2 + i / 10_000}, 2.6]" for i in range(10_001)) + "]"),),
        at("INP006", 12),
    ),
    "a tray with a hole in it": (((TRAY, "path_m: [[2.0, 2.6], [.nan, 2.6], [3.2, 2.6]]"),), at("INP006", 12)),
    "a tray in four dimensions": (((TRAY, "path_m: [[2.0, 2.6, 2.7, 1], [3.2, 2.6]]"),), at("INP006", 12)),
    "a tray without a height": ((("height_m: 2.7, ", ""),), at("INP006", 12)),
    "a tray that climbs through the ceiling": (
        ((TRAY, "path_m: [[2.0, 2.6], [3.2, 2.6], [3.2, 2.6, 4]]"),),
        at("LAY005", 12),
    ),
    "a tray of one point": (((TRAY, "path_m: [[2.0, 2.6]]"),), at("INP006", 12)),
    "a tray of one place": (((TRAY, "path_m: [[2.0, 2.6], [2.0, 2.6]]"),), at("LAY005", 12)),
    "a tray to and fro": (((TRAY, "path_m: [[2.0, 2.6], [3.2, 2.6], [2.0, 2.6], [3.2, 2.6]]"),), []),
    "a tray that crosses itself": (((TRAY, "path_m: [[2, 2.6], [3.2, 2.6], [3.2, 3], [2.5, 3], [2.5, 2.2]]"),), []),
    "a tray at 2700 m": ((("height_m: 2.7", "height_m: 2700"),), at("LAY005", 12)),
    "a tray out of the building": (((TRAY, "path_m: [[-2000, 2.6], [2000, 2.6]]"),), at("LAY005", 12)),
    "a tray that carries nothing": ((("[copper, fibre]}", "[]}"),), at("INP006", 12)),
    "a tray that carries water": ((("[copper, fibre]}", "[copper, water]}"),), at("INP006", 12)),
    "a tray for copper only": ((("[copper, fibre]}", "[copper]}"),), at("MED001", 23)),
    "a tray too far": (((TRAY, "path_m: [[2.0, 4.6], [3.2, 4.6]]"),), at("LAY003", 10)),
    # names
    "a name of 64 characters": (((GPUS, f'"{"d" * 62}-[1-2]"'),), at("TOP002", 22, 23)),
    "a name of 65 characters": (((GPUS, f'"{"d" * 63}-[1-2]"'),), at("INP007", 16)),
    "a range backwards": (((GPUS, '"dgx-[5-1]"'),), at("INP007", 16)),
    "a range without end": (((GPUS, '"dgx-[1-9999999]"'),), at("INP007", 16)),
    "a range of ranges": (((GPUS, '"dgx-[1-2000][1-2000]"'),), at("INP007", 16)),
    "a range of 5000 digits": (((GPUS, f'"dgx-[1-{"9" * 5000}]"'),), at("INP006", 16)),
    "an open bracket": (((GPUS, '"dgx-[1-2"'),), at("INP007", 16)),
    "an empty bracket": (((GPUS, '"dgx-[]"'),), at("INP007", 16)),
    "a control character": ((("names: leaf-1", 'names: "leaf\\t1"'),), at("INP007", 15)),
    "a right-to-left override": ((("name: two-racks", 'name: "\\u202eabc"'),), at("INP007", 3)),
    "a name that is a mapping": ((("names: leaf-1", "names: [leaf-1, {a: b}]"),), at("INP007", 15)),
    "a hostlist as a rack": ((("racks: [A01, A02]", 'rack: "A[01-02]"'),), at("INP007", 16)),
    # what is named and is not there
    "an unknown model": ((("model: dgx-h100", "model: dgx-h999"),), at("INP009", 16)),
    "an unknown rack type": ((("type: rack-48u-600x1200", "type: qm9700"),), at("INP009", 10)),
    "an unknown tray type": ((("type: basket-300x100", "type: rack-48u-600x1200"),), at("INP009", 12)),
    "an unknown rack": ((("racks: [A01, A02]", "racks: [A01, A09]"),), at("INP009", 16)),
    "too few racks": (((GPUS, '"dgx-[1-3]"'),), at("DEV003", 16)),
    "both rack and racks": ((("racks: [A01, A02]", "rack: A01, racks: [A01, A02]"),), at("INP006", 16)),
    "no rack": ((("racks: [A01, A02], ", ""),), at("INP006", 16)),
    "no racks": ((("racks:\n  - {row: A", "racks:\n  {row: A"),), at("INP006", 10)),
    "a rack of five": ((("racks:\n  - {row: A", "racks:\n  - 5\n  - {row: A"),), at("INP006", 10)),
    # links
    "a link to itself": ((('"dgx-2:OSFP4P2"', '"leaf-1:1/2"'),), at("TOP001", 23)),
    "a link to another port of its own": ((('"dgx-2:OSFP4P2"', '"leaf-1:3/2"'),), []),
    "no port": ((('"leaf-1:1/2"', "leaf-1"),), at("INP006", 23)),
    "an end of nothing": ((('"leaf-1:1/2"', '":"'),), at("INP006", 23)),
    "an end that is a list": ((('"leaf-1:1/2"', "[leaf-1, 1/2]"),), at("INP006", 23)),
    "an end of blanks": ((('"leaf-1:1/2"', '"  :  "'),), at("INP006", 23)),
    "a link that is a text": ((('{a: "dgx-2:OSFP4P2", z: "leaf-1:1/2", tier: node-leaf}', "dgx-2"),), at("INP006", 23)),
    "links that are a text": (((f"links:{SMALL.split('links:')[1].split(END)[0]}", "links: many\n"),), at("INP006", 21)),
    "no links": (((f"links:{SMALL.split('links:')[1].split(END)[0]}", "links: []\n"),), at("TOP005", 18)),
    "an unknown fabric word": ((("protocol: infiniband", "protocol: myrinet"),), at("INP006", 19)),
    "an unknown rate": ((("rate: ndr", "rate: fast"),), at("TOP006", 20)),
    "the other protocol": ((("protocol: infiniband", "protocol: ethernet"),), at("TOP006", 20)),
    # everything at once: four sections at fault, and each is told in one run
    "four sections": (
        (
            ("front: south", "front: down"),
            ("height_m: 2.7", "height_m: high"),
            ("u: 3}", "u: x}"),
            ("rate: ndr", "rate: fast"),
            ("[dac, acc, aec, aoc, optic]", "[light]"),
        ),
        at("INP006", 10, 12, 16) + at("TOP006", 20) + at("INP006", 27),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_change(name: str, tmp_path: Path) -> None:
    changes, expected = CHANGES[name]
    assert marks(compiled(tmp_path, changed(SMALL, *changes))) == sorted(expected)


ADDED: Final[dict[str, tuple[str, list[tuple[str, str]]]]] = {
    "pins on nothing": ('pins: [{links: "*zz*", cable: mfp7e10}, {links: "[", cable: mfp7e10}]', at("INP011", 28, 28)),
    "a pin on a list": ("pins: [{links: [a, b], cable: mfp7e10}]", at("INP006", 28)),
    "a pin that forces nothing": ('pins: [{links: "*"}]', []),
    "a pin of a switch": ('pins: [{links: "*", cable: qm9700}]', at("INP009", 28)),
    "pins that are a mapping": ("pins: {links: a}", at("INP006", 28)),
    "measured nothing": ("measured: [{link: compute/node-leaf, length_m: 0}]", at("INP006", 28)),
    "measured less": ("measured: [{link: compute/node-leaf, length_m: -3}]", at("INP006", 28)),
    "measured where nothing is": ('measured: [{link: "a--b", length_m: 3}]', at("INP011", 28)),
    "measured by no number": ("measured: [{link: compute/node-leaf, length_m: [3]}]", at("INP006", 28)),
    "phases of unknown racks": ('phases: [{name: P1, racks: "B[01-20]"}]', at("INP009", 28)),
    "phases of one rack": ("phases: [{name: P1, racks: A01}]", at("BOM001", 10)),
    "a day that is none": ('phases: [{name: P1, racks: "A[01-02]", need_by: 2026-02-30}]', at("INP006", 28)),
    "no catalogs": ("catalogs: [nowhere]", at("INP001", 28)),
    "catalogs outside": ("catalogs: [../parts, /etc]", at("INP008", 28, 28)),
    "includes outside": ("include: ../x.yaml", at("INP008", 28)),
    "a second document": ("---\nformat: planner/1", at("INP002", 28)),
    "a waiver without reason": ('waive: [{rule: CAT001, reason: ""}]', at("INP006", 28)),
    "a tree of aliases": (
        "x: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
            f"x{n}: &b{n} [{', '.join([f'*b{n - 1}' if n else '*a'] * 9)}]\n" for n in range(9)
        ),
        at("INP001", 32),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ADDED)
def test_addition(name: str, tmp_path: Path) -> None:
    text, expected = ADDED[name]
    result = compiled(tmp_path, f"{SMALL}{text}\n")
    assert marks(result) == sorted(expected)


@pytest.mark.parametrize(
    "text", ["", "\n", "null", "~", "[]", "- a\n", "hello", "{}", "\0", "a: b: c", "'", "!!python/x"]
)
def test_files_that_are_no_project(text: str, tmp_path: Path) -> None:
    result = compiled(tmp_path, text)
    assert result.plan is None
    assert errors(result)
    assert all(finding.at is not None for finding in errors(result))


def test_no_project_at_all(tmp_path: Path) -> None:
    result = compile_project(tmp_path)
    assert (result.plan, result.unreadable) == (None, True)
    assert [finding.rule for finding in result.findings] == ["INP001"]


@pytest.mark.parametrize("value", ["null", "[]", "{}", "x", "[{}]", "[[x], null]", "{x: {y: []}}"])
def test_any_value_in_any_section(value: str, tmp_path: Path) -> None:
    keys = [line.partition(":")[0] for line in SMALL.splitlines() if line[:1].isalpha()]
    more = ["pins", "measured", "waive", "phases", "catalogs", "risers", "include", "date"]
    for number, key in enumerate([*keys, *more]):
        kept = [f"{line}\n" for line in _without(SMALL, key)]
        compiled(tmp_path / str(number), "".join(kept) + f"{key}: {value}\n")
    compiled(tmp_path / "all", "".join(f"{key}: {value}\n" for key in [*keys, *more]))


def _without(text: str, key: str) -> list[str]:
    """The lines of a project without one of its sections."""
    kept, inside = [], False
    for line in text.splitlines():
        if line[:1].isalpha():
            inside = line.startswith(f"{key}:")
        if not inside:
            kept.append(line)
    return kept


BASKET: Final = (ROOT / "catalogs" / "pathways" / "basket-300x100.yaml").read_text(encoding="utf-8")
OPTIC: Final = (ROOT / "catalogs" / "plugs" / "mma4z00-ns.yaml").read_text(encoding="utf-8")


def test_a_loop_of_a_thousand_kilometres(tmp_path: Path) -> None:
    compiled(tmp_path, SMALL + "  slack: {fibre: {loop_mm: 1e12}}\n")


def test_a_tray_of_no_width(tmp_path: Path) -> None:
    tray = changed(BASKET, ("width_mm: 300", "width_mm: 0"))
    compiled(tmp_path, SMALL + "catalogs: [c]\n", {"c/pathways/basket-300x100.yaml": tray})


def test_a_plug_without_lanes(tmp_path: Path) -> None:
    plug = "".join(f"{'  tx: []' if line.startswith('  tx:') else line}\n" for line in OPTIC.splitlines())
    compiled(tmp_path, SMALL + "catalogs: [c]\n", {"c/plugs/mma4z00-ns.yaml": plug})


# --- generator --------------------------------------------------------------------------------------------------------


def installed(result: Any) -> dict[str, int]:
    """How many plugs of each part the plan puts into cages."""
    counts: dict[str, int] = {}
    for part in result.plan.plugs.part.tolist():
        name = result.plan.parts[part].part
        counts[name] = counts.get(name, 0) + 1
    return counts


TWENTY_FOUR: Final = (
    ('names: "dgx-[001-031]"', 'names: "dgx-[001-024]"'),
    ('nodes: "dgx-[001-031]"', 'nodes: "dgx-[001-024]"'),
    ('      ufm: "ufm-[1-2]"', "      #"),
)


@pytest.mark.parametrize(("policy", "finned"), [("", 352), ("  fill_all_cages: true\n", 384)])
def test_24_nodes_without_ufm(policy: str, finned: int, tmp_path: Path) -> None:
    """8 leaves x (12 + 16) cages and 4 spines x 32 hold a plug; all 12 x 32 with `fill_all_cages`."""
    result = compiled(tmp_path, changed(POD, *TWENTY_FOUR) + policy)
    assert errors(result) == []
    assert installed(result) == {"MMA4Z00-NS-FLT": 96, "MMA4Z00-NS": finned}


def test_two_units_of_which_the_second_lacks_a_node(tmp_path: Path) -> None:
    """63 nodes, 16 leaves, 8 spines: the UFM takes port 32 of the first leaves of the unit that has 31 nodes."""
    text = changed(
        POD,
        ("[[0, 0], [9, 0], [9, 6], [0, 6]]", "[[0, 0], [20, 0], [20, 6], [0, 6]]"),
        ('names: "A[01-09]"', 'names: "A[01-18]"'),
        ("[7.2, 2.9]", "[13, 2.9]"),
        ("[7.2, 3.3]", "[13, 3.3]"),
        ('names: "dgx-[001-031]"', 'names: "dgx-[01-63]"'),
        ('racks: ["A[01-04]", "A[06-09]"]', 'racks: ["A[01-04]", "A[06-09]", "A[11-18]"]'),
        ('names: "leaf-[1-8]"', 'names: "leaf-[1-16]"'),
        ("rack: A05, u: [20, 22, 24, 26, 28, 30, 32, 34]", f"rack: A05, u: {[*range(14, 30)]}"),
        ('names: "spine-[1-4]"', 'names: "spine-[1-8]"'),
        ("u: [38, 40, 42, 44]", f"u: {[*range(32, 40)]}"),
        ('nodes: "dgx-[001-031]"', 'nodes: "dgx-[01-63]"'),
        ('leaves: "leaf-[1-8]"', 'leaves: "leaf-[1-16]"'),
        ('spines: "spine-[1-4]"', 'spines: "spine-[1-8]"'),
    )
    result = compiled(tmp_path, text)
    # Two units' switches overfill the narrow managers of one rack, and nothing else is at fault.
    assert {finding.rule for finding in errors(result)} == {"FIL003"}
    assert result.stages is not None
    names = result.stages.subject.link_names
    assert [name for name in names if name.startswith("ufm")] == [
        "ufm-1:ib0--leaf-9:16/2",
        "ufm-1:ib1--leaf-10:16/2",
        "ufm-2:ib0--leaf-11:16/2",
        "ufm-2:ib1--leaf-12:16/2",
    ]
    tiers = [result.stages.subject.links.tier[row] for row in range(len(names))]
    assert {tier: tiers.count(tier) for tier in tiers} == {"node-leaf": 504, "leaf-spine": 512, "ufm-leaf": 4}
    # w = 32 / 8 = 4 links a pair: leaf port 32 + 4 (s - 1) + k faces spine port 4 (l - 1) + k.
    assert "leaf-16:31/1--spine-8:31/1" in names
    assert "leaf-9:17/1--spine-1:17/1" in names
    assert "dgx-33:OSFP4P2--leaf-9:1/1" in names


# --- fuzz -------------------------------------------------------------------------------------------------------------

SCALARS: Final = st.sampled_from(
    ["", "~", "null", "NaN", "-1", "0", "1", "3", "1e9", "1e-9", "-0.5", "99999999999999999999", "7 ft", "true", "x",
     "A01", "dgx-1", "leaf-1:1/1", "leaf-1:", ":", "--", "a--b", "[", "dgx-[1-3]", "[5-1]", "x" * 65, "é", "\u4e2d", "*",
     "compute/node-leaf", "mfp7e20", "mcp4y10", "qm9700", "rack-48u-600x1200", "optic", "dac", "2026-12-15", "CAT001"]
)  # fmt: skip
VALUES: Final = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(SCALARS, inner, max_size=2), max_leaves=5
)


def plain(value: Value) -> Any:
    """A tree of the reader as lists, mappings and texts, which JSON can spell and YAML reads back."""
    if isinstance(value, YamlMap):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, YamlSeq):
        return [plain(item) for item in value]
    return value


BASE: Final = {
    **plain(load_yaml(SMALL.encode(), 0)[0]),
    "pins": [{"links": "compute/node-leaf", "cable": "mfp7e10", "a_plug": None, "z_plug": "mma4z00-ns"}],
    "measured": [{"link": "dgx-2:OSFP4P2--leaf-1:1/2", "length_m": "7.1"}],
    "waive": [{"rule": "CAT001", "objects": ["*"], "reason": "asked"}],
    "phases": [{"name": "P1", "racks": "A[01-02]", "need_by": "2026-12-15"}],
    "risers": [{"name": "up", "at_m": ["2.5", "2.6"], "joins": ["tray-A"]}],
}


def places(node: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path of every value below the top."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [found for key, item in items for found in ((*path, key), *places(item, (*path, key)))]


def mutated(tree: Any, path: tuple[str | int, ...], how: str, value: Any) -> Any:
    """A copy with one value replaced, removed, repeated or given a companion."""
    key, rest = path[0], path[1:]
    copy: Any = dict(tree) if isinstance(tree, dict) else list(tree)
    if rest:
        copy[key] = mutated(copy[key], rest, how, value)
    elif how == "remove":
        del copy[key]
    elif how == "repeat" and isinstance(copy, list):
        copy.insert(int(key), copy[int(key)])
    elif how == "add" and isinstance(copy, dict):
        copy[str(value)[:70]] = value
    else:
        copy[key] = value
    return copy


@given(data=st.data())
@examples(40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_no_mutation_of_a_project_raises(data: st.DataObject, tmp_path: Path) -> None:
    """And what is said has a place in the file, for errors at least."""
    tree: Any = BASE
    for _ in range(data.draw(st.integers(1, 4))):
        path = data.draw(st.sampled_from(places(tree)))
        tree = mutated(
            tree, path, data.draw(st.sampled_from(["replace", "remove", "repeat", "add"])), data.draw(VALUES)
        )
        if not places(tree):
            return
    result = compile_project(write_project(tmp_path, spelled(tree)))
    for finding in errors(result):
        assert finding.at is not None, finding
        assert finding.message


def spelled(node: Any) -> str:
    """YAML in flow style, each text in quotes but for the null."""
    if isinstance(node, dict):
        return "{" + ", ".join(f"{spelled(str(key))}: {spelled(item)}" for key, item in node.items()) + "}"
    if isinstance(node, list):
        return "[" + ", ".join(spelled(item) for item in node) + "]"
    if node is None:
        return "null"
    return '"' + str(node).replace("\\", "\\\\").replace('"', '\\"') + '"'
