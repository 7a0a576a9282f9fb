"""A purchase list with prices as a price book: what is taken, what is left out and told, and what is never called an offer."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook

from planner.catalog.prices import PriceBook
from planner.cli import main
from planner.reader import YamlMap, load_yaml
from planner.validation import validated

HEADS = ["Part number", "Unit price", "Currency", "Pack", "Min. order", "Lead time [weeks]", "Price from"]
Cell = str | float | None


def workbook(path: Path, *rows: list[Cell]) -> Path:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Purchase"
    table: list[list[Cell]] = [["Purchase list"], [], [*HEADS], *rows]
    for row in table:
        sheet.append(row)
    book.save(path)
    return path


def converted(path: Path, *more: str) -> int:
    return main(
        ["catalog", "import", "prices", str(path), "--offer", "offer 4711 of Example", "--date", "2026-10-01", *more]
    )


def book_of(text: str) -> PriceBook:
    tree, faults = load_yaml(text.encode(), 0)
    assert faults == []
    assert isinstance(tree, YamlMap)
    result = validated(PriceBook, tree)
    assert result.faults == []
    assert result.model is not None
    return result.model


def test_prices_with_how_they_are_sold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = workbook(
        tmp_path / "Offer 4711.xlsx",
        ["MFP7E10-N005", 88.5, "USD", 5, 10, 6],
        ["980-9IA0I-00N002", 0.1 + 0.2, None, None, None, None],  # an order number; 17 digits of which four were meant
        ["MFP7E10-N007", None, "USD"],  # no offer
    )
    assert converted(path, "--currency", "EUR") == 0
    book = book_of(capsys.readouterr().out)
    assert book.name == "offer-4711"
    assert book.sources == {"offer": "offer 4711 of Example"}
    told = [(p.part, p.price, p.currency, p.date, p.pack_size, p.minimum_order, p.lead_time_weeks) for p in book.prices]
    assert told == [
        ("MFP7E10-N005", 885_000, "USD", "2026-10-01", 5, 10, 6),
        ("MCP4Y10-N002", 3_000, "EUR", "2026-10-01", None, None, None),
    ]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (["NO-SUCH-PART", 1, "USD"], "no catalog has the part `NO-SUCH-PART`"),
        (["MFP7E10-N007", "1.234,50", "USD"], "the price `1.234,50` is not a number such as 1234.50"),
        (["MFP7E10-N007", "1e999999", "USD"], "the price `1e999999` is not a number such as 1234.50"),
        (["MFP7E10-N007", "1e12", "USD"], "`1e12` is not a price of one piece"),
        (["MFP7E10-N007", -5, "USD"], "`-5` is not a price of one piece"),
        (["MFP7E10-N007", "1.00005", "USD"], "`1.00005` has more than four decimals"),
        (["MFP7E10-N007", 1, None], "it names no currency"),
        (["MFP7E10-N007", 1, "Euro"], "`Euro` is not a currency's code such as `USD`"),
        (["MFP7E10-N007", 1, "USD", 0], "`0` is not a whole number from 1 (pack size)"),
        (["MFP7E10-N007", 1, "USD", None, None, "six"], "`six` is not a whole number from 0 (lead time weeks)"),
        (["MFP7E10-N005", 90, "USD"], "`MFP7E10-N005` has other terms than in row 4, which are taken"),
    ],
)
def test_what_is_wrong_is_told_by_row(
    row: list[Cell], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert converted(workbook(tmp_path / "o.xlsx", ["MFP7E10-N005", 88.5, "USD"], row)) == 1
    printed = capsys.readouterr()
    assert printed.err == f"planner: o.xlsx: row 5: {why}; not converted\n1 price converted\n"
    assert [price.part for price in book_of(printed.out).prices] == ["MFP7E10-N005"]


def test_a_price_that_the_planner_printed_itself_is_no_offer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unchanged it is left out; changed, and still marked as no offer, it stays marked."""
    from planner.catalog.load import load_catalog
    from planner.data import catalogs_folder
    from planner.reader import Sources

    first, second = list(load_catalog(Sources(Path()), catalogs_folder()).prices.values())[:2]
    assert first.price is not None
    note = "indicative, 2026-01-01, somebody"
    path = workbook(
        tmp_path / "o.xlsx",
        [first.part, first.price / 10_000, first.currency, None, None, None, note],
        [second.part, 0.5, second.currency, None, None, None, note],
    )
    assert converted(path) == 0
    printed = capsys.readouterr()
    assert printed.err == "1 price as the catalog has it, not converted\n1 price converted\n"
    assert [(p.part, p.price, p.indicative) for p in book_of(printed.out).prices] == [(second.part, 5_000, True)]


def test_a_workbook_of_a_plan_sent_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The buyer fills the blue cells; the totals below the list are no parts."""
    assert main(["plan", "layouts/two-racks", "--out", str(tmp_path / "plan")]) == 0
    book = load_workbook(tmp_path / "plan" / "bom.xlsx")
    for row in book["Purchase"].iter_rows(min_row=7):
        if row[3].value:
            row[13].value, row[14].value = 12.25, "CHF"
    book.save(tmp_path / "sent-back.xlsx")
    capsys.readouterr()
    assert converted(tmp_path / "sent-back.xlsx", "--out", str(tmp_path / "mine")) == 0
    assert main(["catalog", "check", str(tmp_path / "mine")]) == 0
    written = book_of((tmp_path / "mine" / "prices" / "sent-back.yaml").read_text(encoding="utf-8"))
    assert {price.price for price in written.prices} == {122_500}
    assert {"MMA4Z00-NS", "MCP4Y10-N002", "MQM9700-NS2F"} <= {price.part for price in written.prices}
    assert (
        converted(tmp_path / "sent-back.xlsx", "--out", str(tmp_path / "mine")) == 2
    )  # never over a file that is there


def junk(kind: str) -> bytes:
    if kind == "zip":
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("hello.txt", "no workbook")
        return packed.getvalue()
    if kind == "bomb":
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("xl/workbook.xml", b" " * 257_000_000)
        return packed.getvalue()
    return {"cut": b"PK\x03\x04 cut short", "empty": b"", "latin": b"part,price\ncaf\xe9,1\n", "other": b"a,b\n1,2\n"}[
        kind
    ]


@pytest.mark.parametrize("kind", ["zip", "bomb", "cut", "empty", "latin", "other"])
def test_what_is_no_list_gives_one_line(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "o.xlsx"
    path.write_bytes(junk(kind))
    assert converted(path) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("planner: ")
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [["--date", "01.10.2026"], ["--currency", "Euro"], ["--catalog", "no-such-folder"]], ids=lambda a: a[0]
)
def test_bad_arguments(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = workbook(tmp_path / "o.xlsx", ["MFP7E10-N005", 88.5, "USD"])
    assert converted(path, *arguments) == 2
    assert arguments[1] in capsys.readouterr().err
