"""YAML texts beside what is read from them, or what is found wrong with them."""

from __future__ import annotations

import gc
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from planner.findings import NOWHERE, Fault, Files, Spot
from planner.reader import YamlMap, YamlSeq, key_spot_at, load_yaml, spot_at
from planner.reader.yaml_source import MAX_DEPTH, MAX_FAULTS, _load, _parser, _PureParser
from tests.support.examples import examples

FILES = Files(("p.yaml",))


def place(at: Spot) -> str:
    return str(FILES.span(at)).removeprefix("p.yaml:")


def tree(text: str) -> Any:
    root, faults = load_yaml(text.encode(), 0)
    assert faults == []
    return root


def faults_of(text: str | bytes) -> list[str]:
    """`rule line:column message` of each fault."""
    _, faults = load_yaml(text.encode() if isinstance(text, str) else text, 0)
    return [f"{fault.rule} {place(fault.at)} {fault.message}" for fault in faults]


def only_fault(text: str | bytes) -> Fault:
    _, faults = load_yaml(text.encode() if isinstance(text, str) else text, 0)
    assert len(faults) == 1, faults
    return faults[0]


@pytest.mark.parametrize(
    "written", ["NO", "on", "0123", "012", "1e3", "1:30", "2:1", "2026-12-15", "1_000", "Null", ".inf"]
)
def test_a_scalar_is_the_text_that_stands_there(written: str) -> None:
    assert tree(f"name: {written}") == {"name": written}


@pytest.mark.parametrize(
    ("written", "value"), [("null", None), ("~", None), ("", None), ('"null"', "null"), ("'~'", "~"), ('""', "")]
)
def test_plain_null_is_nothing_and_quoted_null_a_text(written: str, value: str | None) -> None:
    assert tree(f"a: {written}\nb: x") == {"a": value, "b": "x"}


def test_every_value_has_its_place() -> None:
    root = tree("format: planner/1\nracks:\n  - {row: A, u: [1, 2]}\n  - names: é B\nnote: |\n  text\n")
    places = {".".join(map(str, loc)): place(spot_at(root, loc)) for loc in [
        (), ("format",), ("racks",), ("racks", 0), ("racks", 0, "row"), ("racks", 0, "u", 1), ("racks", 1), ("racks", 1, "names"), ("note",),
    ]}  # fmt: skip
    assert places == {
        "": "1:1",
        "format": "1:9",
        "racks": "3:3",
        "racks.0": "3:5",
        "racks.0.row": "3:11",
        "racks.0.u.1": "3:21",
        "racks.1": "4:5",
        "racks.1.names": "4:12",
        "note": "5:7",
    }


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_mark_move_no_place(end: str, mark: str) -> None:
    root = tree(mark + end.join(["a: 1", "", "# é", "b:", "  - x", "  - {é: y}", ""]))
    assert [place(spot_at(root, loc)) for loc in [("a",), ("b", 0), ("b", 1, "é")]] == ["1:4", "5:5", "6:9"]


def test_the_place_of_a_missing_value_is_that_of_its_nearest_parent() -> None:
    root = tree("room:\n  ceiling_m: 3\nracks:\n  - {row: A}\n")
    assert place(spot_at(root, ("racks", 0, "at_m"))) == "4:5"
    assert place(spot_at(root, ("racks", 7, "row"))) == "4:3"
    assert place(spot_at(root, ("room", "ceiling_m", 0, "x"))) == "2:14"
    assert place(spot_at(root, ("policy",))) == "1:1"
    assert spot_at(None, ("a",)) == NOWHERE


def test_names_of_union_members_in_a_path_are_passed_over() -> None:
    root = tree("devices:\n  - {u: [3, x]}\n")
    assert place(spot_at(root, ("devices", 0, "u", "list[int]", 1))) == "2:13"
    assert place(spot_at(root, ("devices", 0, "u", "int"))) == "2:9"


def test_the_place_of_a_key() -> None:
    root = tree("room:\n  celing_m: 3\n")
    assert place(key_spot_at(root, ("room", "celing_m"))) == "2:3"
    assert place(key_spot_at(root, ("room", "celing_m", "[key]"))) == "2:3"
    assert place(key_spot_at(root, ("room", "missing"))) == "2:3"
    assert place(key_spot_at(root, ())) == "1:1"


def test_an_alias_shares_its_value_and_has_a_place_of_its_own() -> None:
    root = tree("a: &x {n: 1}\nb: *x\nc: [*x, *x]\n&k key: 1\n")
    assert root["b"] is root["a"]
    assert root["c"] == [{"n": "1"}, {"n": "1"}]
    assert place(spot_at(root, ("b",))) == "2:4"
    assert place(spot_at(root, ("c", 1))) == "3:9"


def test_duplicate_keys_are_named_with_both_places_and_the_first_is_kept() -> None:
    root, faults = load_yaml(b'name: a\nroom: {x: 1, x: 2}\n"name": b\nNAME: c\n', 0)
    assert root == {"name": "a", "room": {"x": "1"}, "NAME": "c"}
    assert [(f.rule, place(f.at), f.note) for f in faults] == [
        ("duplicate-key", "2:14", "the first is at line 2, column 8"),
        ("duplicate-key", "3:1", "the first is at line 1, column 1"),
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a: 1\n\tb: 2\n", "2:1 a tab indents this line, and YAML takes blanks only"),
        ("a:\n\tb: 2\n", "2:1 a tab indents this line, and YAML takes blanks only"),
        ("a:\n  - x\n \t- y\n", "3:2 a tab indents this line, and YAML takes blanks only"),
        ("a: 1\n---\nb: 2\n", "2:1 a second document begins here, one is allowed"),
        ("a: !!str 1\n", "1:4 the tag `!!str` is not read"),
        ("a: !x {b: 1}\n", "1:4 the tag `!x` is not read"),
        ("%TAG ! tag:x,2000:\n---\na: 1\n", "1:1 the tag `%TAG` is not read"),
        ("? [a, b]\n: 1\n", "1:3 a key is a list, a mapping or an alias, and must be a text"),
        ("{a: 1}: 2\n", "1:1 a key is a list, a mapping or an alias, and must be a text"),
        ("a: &k x\n*k : 2\n", "2:1 a key is a list, a mapping or an alias, and must be a text"),
        ("~: 1\n", "1:1 a key is `~`, and must be a text"),
        ("a: {? : 1}\n", "1:7 a key is empty, and must be a text"),
        ("a: {<<: {b: 1}}\n", "1:5 the merge key `<<` is not read"),
        ("a: *nowhere\n", "1:4 the alias `*nowhere` has no anchor before it"),
        ("a: &x [1, *x]\n", "1:11 the alias `*x` repeats a value that it is part of"),
        ("a: b: c\n", "1:5 a second `: ` stands where one value is expected"),
        ("a: [1, 2\nb: 3\n", "2:2 a list in `[ ]` is not continued by `,` or closed by `]`"),
        ("a: {b: 1\nc: 3\n", "2:2 a mapping in `{ }` is not continued by `,` or closed by `}`"),
        ('a: "x\n', "2:1 a quoted text is not closed"),
        ('a: "\\q"\n', "1:5 an escape in a text in double quotes is none that YAML knows"),
        ('a: "\\u00g"\n', "1:7 an escape in a text in double quotes is none that YAML knows"),
        ("{a: b:, c: d}\n", "1:6 a text without quotes inside brackets ends in `:`"),
        ("é: 1\r\n\tb: 2\r\n", "2:1 a tab indents this line, and YAML takes blanks only"),
        ("a: ? b\n", "1:4 a `? ` cannot stand here"),
        ('a: "\\0"\n', "1:4 the text spells the character U+0000, which is not allowed in text"),
        ("a: @x\n", "1:4 no text can begin with this character"),
        ("a: [*]\n", "1:6 `*` begins an alias here, and no name follows"),
        ("a: - b\n", "1:4 a list item `- ` cannot stand here"),
        ("a:\n  - b\n c: 1\n", "3:2 the line does not go on with what was begun before it"),
        ("a: 1\nb\n", "3:1 a key has no `:` after it"),
        ("a: 1\n=======\nb: 2\n", None),
    ],
)  # fmt: skip
def test_syntax_faults(text: str, fault: str | None) -> None:
    expected = (
        f"yaml-syntax {fault}"
        if fault
        else ("file-unreadable 2:1 the line `=======` is left from a merge that was not finished")
    )
    assert faults_of(text) == [expected]


def test_quoted_forms_of_what_is_refused_are_texts() -> None:
    assert tree('"<<": "*x"\n"null": "!x"\n') == {"<<": "*x", "null": "!x"}
    assert faults_of('a: {"null": 1}\nb: {null: 1}\n') == ["yaml-syntax 2:5 a key is `null`, and must be a text"]
    assert faults_of('a: {"<<": 1}\nb: {<<: 1}\n') == ["yaml-syntax 2:5 the merge key `<<` is not read"]


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "1:1 the file is empty"),
        (b"# nothing\n", "1:1 the file is empty"),
        (b"---\n", "1:1 the file is empty"),
        ("a: é".encode("utf-16"), "1:1 the file is UTF-16, not UTF-8"),
        ("a: é".encode("utf-16-le"), "1:2 the file is UTF-16, not UTF-8"),
        ("a: é".encode("utf-16-be"), "1:1 the file is UTF-16, not UTF-8"),
        ("a: é".encode("utf-32"), "1:1 the file is UTF-32, not UTF-8"),
        ("a: é".encode("utf-32-le"), "1:2 the file is UTF-32, not UTF-8"),
        ("a: é".encode("utf-32-be"), "1:1 the file is UTF-32, not UTF-8"),
        ("a: 1\r\né: caf\xe9".encode()[:-2] + b"\xe9", "2:7 the file is not UTF-8: byte 0xE9"),
        (b"\xef\xbb\xbfb: \xff", "1:4 the file is not UTF-8: byte 0xFF"),
        (b"a: 1\nb: x\0y\n", "2:5 the file contains the character U+0000, which is not allowed in text"),
        ("a: x\u2028y\n".encode(), "1:5 the file contains the character U+2028, which is not allowed in text"),
        ("a: 1\n\ufeffb: 1\n".encode(), "2:1 the file contains the character U+FEFF, which is not allowed in text"),
        (b"a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> other\n", "2:1 the line `<<<<<<<` is left from a merge that was not finished"),
        (b"a: 1\r\n=======\r\nb: 2\r\n>>>>>>> other\r\n", "2:1 the line `=======` is left from a merge that was not finished"),
        (b"a: 1\n||||||| base\n", "2:1 the line `|||||||` is left from a merge that was not finished"),
    ],
)  # fmt: skip
def test_unreadable_files(data: bytes, fault: str) -> None:
    assert faults_of(data) == [f"file-unreadable {fault}"]


def test_a_line_of_equals_signs_in_a_block_text_is_text() -> None:
    assert tree("note: |\n  Title\n  =======\n  <<<<<<< HEAD\n") == {"note": "Title\n=======\n<<<<<<< HEAD\n"}


@pytest.mark.parametrize(
    ("opening", "closing"), [("[", "]"), ("{a: ", "}"), ("- ", ""), ("? ", ""), ("&a [", "]"), ("!t [", "]")]
)
def test_nesting_is_limited(opening: str, closing: str) -> None:
    assert any("more than 64 levels" in found for found in faults_of(opening * 20_000 + "x" + closing * 20_000))


def test_the_deepest_nesting_allowed_is_read() -> None:
    assert tree("[" * MAX_DEPTH + "x" + "]" * MAX_DEPTH)
    assert "nested" in only_fault("[" * (MAX_DEPTH + 1) + "x" + "]" * (MAX_DEPTH + 1)).message


def test_aliases_do_not_pass_the_nesting_limit() -> None:
    chain = "- &a0 [x]\n" + "".join(f"- &a{n} [*a{n - 1}]\n" for n in range(1, 80))
    fault = only_fault(chain)
    assert (fault.rule, place(fault.at)) == ("file-unreadable", "64:9")


def test_billion_laughs() -> None:
    laughs = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 40))
    assert only_fault(laughs).message.startswith("with its aliases written out the file has over ")


@pytest.mark.parametrize(("aliases", "is_read"), [(109, True), (110, False)])
def test_the_alias_budget_is_ten_times_the_file_and_an_allowance(aliases: int, is_read: bool) -> None:
    # The file's own nodes: the root, 2 keys, 2 lists, 99 items, 104 in all. Each alias repeats 100 of them:
    # 104 + 100 x 109 = 11,004 and 104 + 100 x 110 = 11,104; allowed are 10 x 104 + 10,000 = 11,040.
    text = f"a: &a [{', '.join(['x'] * 99)}]\nb: [{', '.join(['*a'] * aliases)}]\n"
    note = "with its aliases written out the file has 11,104 values and 11,040 are allowed"
    assert faults_of(text) == ([] if is_read else [f"file-unreadable 2:441 {note}"])


def test_too_many_faults_end_the_reading() -> None:
    root, faults = load_yaml(b"a: !x 1\n" + b"".join(b"k%d: !x 1\n" % n for n in range(300)), 0)
    assert root is None
    assert len(faults) == MAX_FAULTS + 1


@pytest.mark.parametrize(
    "text",
    [
        "[" * 1_000_000,
        "- " * 500_000,
        "{a: " * 250_000,
        "? " * 500_000,
        ": " * 500_000,
        "'" * 1_000_001,
        "a: " + "x" * 10_000_000,
        "a: '" + "x" * 10_000_000 + "'",
        "a: |\n" + " x\n" * 500_000,
        "a:\n" + " x\n" * 300_000,
        "- *a\n" * 200_000,
        "- &a x\n" * 100_000,
        "&a [*a]",
        "%TAG !a! x\n" * 100_000,
        "%YAML 1.1\n" * 100_000,
        "#" * 1_000_000,
        "\n" * 2_000_000,
        "a: 1\n" * 100_000,
        "\ta" * 300_000,
        "a: b: " * 100_000,
        "- |\n" * 100_000,
        "&" * 1_000_000,
        "!" * 1_000_000,
        "--- a\n" * 100_000,
        "...\n" * 300_000,
        "[" + "x, " * 300_000 + "]",
        "{" + "? x, " * 100_000 + "}",
        "a: &a [" + "x, " * 100_000 + "]\nb: [" + "*a, " * 100_000 + "]",
    ],
    ids=lambda text: f"{text[:12]!r} {len(text):,}",
)
def test_large_and_hostile_files_end_in_a_tree_or_a_fault(text: str) -> None:
    root, faults = load_yaml(text.encode(), 0)
    assert root is not None or faults


VALID = b"""\
# a small project
format: planner/1
room: {outline_m: [[0, 0], [6, 0]], ceiling_m: 3.5, note: "a \\u00e9 'b'"}
racks: &r
  - {row: A, names: "A[01-02]", at_m: [2.0, 2.0]}
  - names: 'it''s'
    text: |-
      block
       text
    folded: >
      more
again: *r
"""


def judge(data: bytes) -> None:
    root, faults = load_yaml(data, 0)
    assert root is not None or faults
    for fault in faults:
        span = FILES.span(fault.at)
        assert span is not None
        assert span.line >= 1
        assert span.column >= 1
        assert fault.rule in {"file-unreadable", "yaml-syntax", "duplicate-key"}
        assert fault.message
        assert not fault.message.endswith(".")
    pure_root, pure_faults = _load(data, 0, _PureParser)
    assert pure_root is not None or pure_faults


@given(st.binary(max_size=300))
@examples(150)
@example(b'"\\U99999999"')
@example(b'"\\ud800"')
@example(b"%YAML 99999999999999999999.1\n---\na")
@example(b"!%FF a")
def test_any_bytes_give_a_tree_or_faults(data: bytes) -> None:
    judge(data)


@given(st.lists(st.tuples(st.integers(0, len(VALID)), st.integers(0, 4), st.sampled_from(
    [b"", b" ", b"\t", b"\n", b"\r", b":", b": ", b"- ", b"[", b"]", b"{", b"}", b"&a ", b"*a", b"*r", b"!", b"!!x ", b"'", b'"', b"|", b">", b"%", b"#", b"? ", b"---\n", b"...\n", b"<<: ", b"\xff", b"\0", "é".encode()],
)), max_size=6))  # fmt: skip
@examples(200)
def test_any_damage_to_a_file_gives_a_tree_or_faults(damage: list[tuple[int, int, bytes]]) -> None:
    data = VALID
    for at, removed, added in damage:
        data = data[:at] + added + data[at + removed :]
    judge(data)


texts = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029\ufeff\ufffe\uffff"), max_size=12
)
trees = st.recursive(
    st.none() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


def all_spots(value: Any) -> Any:
    if isinstance(value, YamlMap):
        return value.spot, value.key_spots, value.value_spots, [all_spots(item) for item in value.values()]
    if isinstance(value, YamlSeq):
        return value.spot, value.spots, [all_spots(item) for item in value]
    return None


@given(trees.filter(bool), st.booleans())
@examples(100)
def test_what_was_written_is_read_back_and_both_parsers_agree(value: Any, flow: bool) -> None:
    data = yaml.safe_dump(value, default_flow_style=flow, allow_unicode=True).encode()
    root, faults = load_yaml(data, 0)
    assert (root, faults) == (value, [])
    pure, _ = _load(data, 0, _PureParser)
    assert pure == root
    assert all_spots(pure) == all_spots(root)


@pytest.mark.parametrize("text", ["a: 1", "a: [", "[" * 100])
@pytest.mark.parametrize("was_on", [True, False])
def test_the_garbage_collector_is_left_as_it_was(text: str, was_on: bool) -> None:
    (gc.enable if was_on else gc.disable)()
    try:
        load_yaml(text.encode(), 0)
        assert gc.isenabled() is was_on
    finally:
        gc.enable()


def test_the_fast_parser_is_there_where_we_test() -> None:
    assert _parser is not _PureParser
