"""Link lists in CSV beside the columns read from them, or what is found wrong with them."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.reader import LinkCsv, Sources, read_link_csv
from planner.reader.csv_source import MAX_FAULTS
from planner.reader.sources import MAX_BYTES
from tests.support.examples import examples

HEADER = "a_device,a_port,z_device,z_port,tier\n"


def read(folder: Path, text: str | bytes, max_bytes: int = MAX_BYTES) -> tuple[LinkCsv | None, list[str]]:
    (folder / "l.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    sources = Sources(folder, max_bytes=max_bytes)
    links = read_link_csv(sources, "l.csv")
    return links, [f"{f.rule} {sources.files.span(f.at)} {f.message}".replace("l.csv:", "") for f in sources.faults]


def rows(links: LinkCsv | None) -> list[tuple[str, ...]]:
    assert links is not None
    return list(zip(links.a_device, links.a_port, links.z_device, links.z_port, links.tier, strict=True))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_columns_in_any_order_with_others_between(tmp_path: Path, mark: str, end: str) -> None:
    text = mark + end.join(
        ["z_port, tier ,note,a_device,a_port,z_device", "1/1,node-leaf,x, n1 ,p1,é", "", "1/2,,,n2,p2,l2"]
    )
    links, faults = read(tmp_path, text)
    assert faults == []
    assert rows(links) == [("n1", "p1", "é", "1/1", "node-leaf"), ("n2", "p2", "l2", "1/2", "")]
    assert links is not None
    assert links.lines == [2, 4]


def test_tier_may_be_absent_and_numbers_stay_texts(tmp_path: Path) -> None:
    links, faults = read(tmp_path, "a_device,a_port,z_device,z_port\n007,1:30,NO,1e3\n")
    assert (rows(links), faults) == ([("007", "1:30", "NO", "1e3", "")], [])


def test_lines_are_those_of_the_file_after_quoted_line_ends(tmp_path: Path) -> None:
    links, faults = read(tmp_path, 'a_device,a_port,z_device,z_port,note\na,1,b,1,"x\n\ny"\n\nc,1,d,1,"""z"""\n')
    assert (rows(links), faults) == ([("a", "1", "b", "1", ""), ("c", "1", "d", "1", "")], [])
    assert links is not None
    assert links.lines == [2, 6]


def test_a_list_without_links_is_empty(tmp_path: Path) -> None:
    links, faults = read(tmp_path, HEADER)
    assert (rows(links), faults) == ([], [])


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("a_device,a_port,z_device\n", ["csv-fault 1:1 the column is missing: `z_port`"]),
        ("a,b\n", ["csv-fault 1:1 the columns are missing: `a_device`, `a_port`, `z_device`, `z_port`"]),
        ("\n\n", ["csv-fault 1:1 `l.csv` has no header"]),
        ("tier,tier," + HEADER, ["csv-fault 1:1 the column `tier` stands 3 times"]),
        (HEADER + 'a,1,"b,1,\nc,1,d,1,\n', ["csv-fault 2:1 a quoted cell is not closed, or goes on after its closing quote"]),
        (HEADER + 'a,1,b,1,\na,2,"b"x,2,\n', ["csv-fault 3:1 a quoted cell is not closed, or goes on after its closing quote"]),
        (HEADER + "a,1,b,1,\n" + "x" * 200_000, ["csv-fault 3:1 a cell has more than 131,072 characters"]),
        (HEADER + 'a,1,b,1,\n"' + "x" * 200_000, ["csv-fault 3:1 a cell has more than 131,072 characters"]),
        ("", ["file-unreadable 1:1 the file is empty"]),
        (HEADER.encode() + b"a,1,caf\xe9,1,\n", ["file-unreadable 2:8 the file is not UTF-8: byte 0xE9"]),
        (HEADER.encode("utf-16"), ["file-unreadable 1:1 the file is UTF-16, not UTF-8"]),
        (HEADER + "a,\0,b,1,\n", ["file-unreadable 2:3 the file contains the character U+0000, which is not allowed in text"]),
        (HEADER + "<<<<<<< HEAD\n", ["file-unreadable 2:1 the line `<<<<<<<` is left from a merge that was not finished"]),
    ],
)  # fmt: skip
def test_files_that_hold_no_table(tmp_path: Path, text: str | bytes, faults: list[str]) -> None:
    assert read(tmp_path, text) == (None, faults)


def test_rows_at_fault_are_left_out_and_told(tmp_path: Path) -> None:
    links, faults = read(
        tmp_path, HEADER + 'a,1,b,1,t\na,2,b\n,,,,\n  \nabc,3, ,3,\nc,4,d,4,t,u\n"a",,b,5,\ne,6,f,6,\n'
    )
    assert rows(links) == [("a", "1", "b", "1", "t"), ("e", "6", "f", "6", "")]
    assert links is not None
    assert links.lines == [2, 9]
    assert faults == [
        "csv-fault 3:1 the row has 3 cells, the header has 5",
        "csv-fault 6:7 the cell of `z_device` is empty",
        "csv-fault 7:1 the row has 6 cells, the header has 5",
        "csv-fault 8:1 the cell of `a_port` is empty",
    ]


def test_many_rows_at_fault_are_counted(tmp_path: Path) -> None:
    _, faults = read(tmp_path, HEADER + "a\n" * 5000)
    assert len(faults) == MAX_FAULTS + 1
    assert faults[-1] == "csv-fault 102:1 4,900 more rows are at fault, the first is here"


def test_semicolons_are_recognised(tmp_path: Path) -> None:
    (tmp_path / "l.csv").write_text(HEADER.replace(",", ";"))
    sources = Sources(tmp_path)
    read_link_csv(sources, "l.csv")
    assert [fault.help for fault in sources.faults] == ["separate cells by commas, not by semicolons or tabs"]


def test_the_size_is_limited_and_the_name_confined(tmp_path: Path) -> None:
    assert read(tmp_path, HEADER, max_bytes=9) == (None, ["file-unreadable None `l.csv` has 37 bytes, 9 are allowed"])
    sources = Sources(tmp_path)
    assert read_link_csv(sources, "../l.csv") is None
    assert [fault.rule for fault in sources.faults] == ["include-fault"]


cells = st.text(
    st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"], include_characters="\n"), min_size=1
).filter(str.strip)


@given(table=st.lists(st.tuples(cells, cells, cells, cells, st.just("") | cells), max_size=6), quoting=st.booleans())  # fmt: skip
@examples(60)
def test_what_was_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, table: list[tuple[str, ...]], quoting: bool
) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL if quoting else csv.QUOTE_MINIMAL)
    writer.writerow(HEADER.strip().split(","))
    lines = []
    for row in table:
        lines.append(len(io.StringIO(text.getvalue(), newline="").readlines()) + 1)
        writer.writerow(row)
    links, faults = read(tmp_path_factory.mktemp("csv"), text.getvalue())
    assert faults == []
    assert rows(links) == [tuple(cell.strip() for cell in row) for row in table]
    assert links is not None
    assert links.lines == lines


@given(st.binary(max_size=200))
@examples(60)
def test_any_bytes_give_links_or_faults(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("csv")
    for body in (data, HEADER.encode() + data):
        links, faults = read(folder, body)
        assert links is not None or faults
