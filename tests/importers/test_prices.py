"""A buyer's prices: the planner's own workbook with his figures, sheets of resellers, and cells that must not be guessed."""

from __future__ import annotations

import io
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.bom.bill import BomLine, bom_lines
from planner.catalog.load import Catalog, load_catalog
from planner.cli import main
from planner.data import catalogs_folder
from planner.findings import Fault
from planner.importers.amounts import amount_of, decimal_sign, split_currency
from planner.importers.prices import PriceList, other_currencies, price_list
from planner.reader import Sources
from planner.reader.sheet_source import read_sheets
from tests.support.projects import compiled, project_text, small_catalog

OFFER: Final = ("--date", "2026-10-01", "--source", "offer 4711")
# Installed, spare -> order of layouts/two-racks: 1+2, 2+2, 1+2, 1+2, 1+2, 2+0.
PRICES: Final = {
    "MMA4Z00-NS": 700, "MMA4Z00-NS-FLT": 650.5, "MCP4Y10-N002": 120, "MFP7E10-N005": 95, "MFP7E10-N007": 99.1234,
    "MQM9700-NS2F": 20_000,
}  # fmt: skip


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(Sources(Path()), small_catalog())


@pytest.fixture(scope="module")
def planned(planned: Callable[[str], Path]) -> Path:
    """The folder that the planner writes for `two-racks`."""
    return planned("two-racks")


def bought(planned: Path, folder: Path) -> Path:
    """The workbook as a buyer leaves it: prices everywhere, five spare modules, cords in packs of ten from 20 on."""
    shutil.copytree(planned, folder)
    book = openpyxl.load_workbook(folder / "bom.xlsx")
    sheet = book["Purchase"]
    top = next(row for row in range(1, 20) if sheet.cell(row, 1).value == "Line")
    heads = {str(cell.value): int(cell.column or 0) for cell in sheet[top]}
    for row in range(top + 1, top + 7):
        part = str(sheet.cell(row, heads["Part number"]).value)
        sheet.cell(row, heads["Unit price"]).value = PRICES[part]
        sheet.cell(row, heads["Currency"]).value = "EUR"
        if part == "MFP7E10-N005":
            for head, value in (("Pack", 10), ("Min. order", 20), ("Lead time [weeks]", 6)):
                sheet.cell(row, heads[head]).value = value
        if part == "MMA4Z00-NS-FLT":
            sheet.cell(row, heads["Spare"]).value = 5
    book.save(folder / "bom.xlsx")
    return folder / "bom.xlsx"


def lines_with(tmp_path: Path, book: Path) -> dict[str, BomLine]:
    """What the bill of `two-racks` with a price book costs, by part, in ten-thousandths."""
    text = project_text("two-racks") + "\ncatalogs: [mine]\n"
    files = {"mine/prices/offer.yaml": book.read_text(encoding="utf-8")}
    plan = compiled(tmp_path / "again", text, files).plan
    assert plan is not None
    return {line.part: line for line in bom_lines(plan)}


def test_the_planners_own_workbook_comes_back(
    planned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workbook, book = bought(planned, tmp_path / "bought"), tmp_path / "offer.yaml"
    assert main(["catalog", "import", "prices", str(workbook), *OFFER, "--out", str(book)]) == 0
    told = capsys.readouterr().err
    assert "`Spare` of `MMA4Z00-NS-FLT` was 2 and is `5`: a price book holds no counts" in told
    assert "--> bom.xlsx[Purchase]:9:9" in told
    assert "6 prices; no errors, 1 warning" in told
    lines = lines_with(tmp_path, book)
    # Three are needed, twenty is the least; the others are ordered as before.
    assert {part: line.qty_order for part, line in lines.items()} == {
        "MMA4Z00-NS": 3, "MMA4Z00-NS-FLT": 4, "MCP4Y10-N002": 3, "MFP7E10-N005": 20, "MFP7E10-N007": 3, "MQM9700-NS2F": 2,
    }  # fmt: skip
    # 3 x 700 + 4 x 650.5 + 3 x 120 + 20 x 95 + 3 x 99.1234 + 2 x 20000 = 47,259.3702
    assert sum(line.extended_e4 or 0 for line in lines.values()) == 472_593_702
    assert {line.currency for line in lines.values()} == {"EUR"}
    assert lines["MFP7E10-N005"].lead_time_weeks == 6
    assert "indicative" not in (lines["MFP7E10-N005"].price_note or "")
    assert main(["catalog", "check", str(book)]) == 0


def test_nothing_is_overwritten(planned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    workbook, book = bought(planned, tmp_path / "bought"), tmp_path / "offer.yaml"
    book.write_text("mine\n")
    assert main(["catalog", "import", "prices", str(workbook), *OFFER, "--out", str(book)]) == 2
    assert "exists and was left as it is" in capsys.readouterr().err
    assert book.read_text() == "mine\n"


@pytest.mark.skipif(shutil.which("soffice") is None, reason="no LibreOffice")
def test_a_workbook_that_libreoffice_saved(planned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    workbook = bought(planned, tmp_path / "bought")
    home = f"-env:UserInstallation=file://{tmp_path}/home"
    subprocess.run(
        ["soffice", home, "--headless", "--convert-to", "xlsx", "--outdir", tmp_path / "saved", workbook],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    texts = []
    for file in (workbook, tmp_path / "saved" / "bom.xlsx"):
        assert main(["catalog", "import", "prices", str(file), *OFFER]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]


def listed(tmp_path: Path, catalog: Catalog, text: str, **options: Any) -> PriceList:
    (tmp_path / "list.csv").write_text(text, encoding="utf-8")
    sources = Sources(tmp_path)
    sheets = read_sheets(sources, "list.csv")
    assert sheets is not None, sources.faults
    return price_list(sheets, 0, catalog, **options)


def in_short(faults: Iterable[Fault]) -> list[tuple[str, int]]:
    return [(fault.rule, (fault.at >> 20) & 0xFFFFFF) for fault in faults]


def test_a_resellers_csv_with_semicolons_and_decimal_commas(tmp_path: Path, catalog: Catalog) -> None:
    text = (
        "Angebot 4711;;;\n"
        "Artikelnummer;Bezeichnung;Preis [EUR];Lieferzeit\n"
        '980-9I510-00NS00;"Modul; 800G";1.234,50;4 weeks\n'
        "mfp7e10-n005;Kabel;95,00;10 days\n"
        "MFP7E10-N007;Kabel;1.100;\n"
    )
    found = listed(tmp_path, catalog, text)
    assert found.faults == []
    assert {quote.part: (quote.price, quote.currency, quote.lead_time_weeks) for quote in found.quotes.values()} == {
        "MMA4Z00-NS": (Decimal("1234.50"), "EUR", 4),
        "MFP7E10-N005": (Decimal(95), "EUR", 2),  # ten days are two weeks
        "MFP7E10-N007": (Decimal(1100), "EUR", None),  # the other prices show what the point is
    }


STRANGERS: Final[dict[str, tuple[str, dict[str, tuple[str, str]]]]] = {
    "german, net of its sums": (
        ("Angebot Nr. 4711;;;;;\nPos.;Art.-Nr.;Bezeichnung;Menge;EP;GP\n1;MFP7E10-N005;Kabel;150;64,13 \u20ac;9.619,50 \u20ac\n"
        "2;MMA4Z00-NS;Modul;400;1.812,35 \u20ac;724.940,00 \u20ac\n;;;;Summe;734.559,50 \u20ac\n"),
        {"MFP7E10-N005": ("64.13", "EUR"), "MMA4Z00-NS": ("1812.35", "EUR")},
    ),
    "american, its byte order mark, list price and discount": (
        ("\ufeffItem,Mfr Part #,Qty,List Price,Discount %,Unit Net Price (USD),Ext. Price\r\n"
        '1,MFP7E10-N005,150,$120.00,40%,$72.00,"$10,800.00"\r\n2,MMA4Z00-NS,4,"$1,700.00",45%,"$1,935.00","$7,740.00"\r\n'
        ',,,,,Total,"$18,540.00"\r\n'),
        {"MFP7E10-N005": ("72", "USD"), "MMA4Z00-NS": ("1935", "USD")},
    ),
    "currency at the end of a heading": (
        'Part#,Unit Price USD\nMFP7E10-N005,"$1,072.00"\nMMA4Z00-NS,US$935.00\n',
        {"MFP7E10-N005": ("1072", "USD"), "MMA4Z00-NS": ("935", "USD")},
    ),
    "blanks and long dashes in numbers": (
        "Manufacturer Part Number\tYour Price\tCurrency\nMFP7E10 - N005\t64.00\tEUR\n mfp7e10\u2011n007\u200b \t70\teur\nMMA4Z00\u2013NS\t935\tEUR\n",
        {"MFP7E10-N005": ("64", "EUR"), "MFP7E10-N007": ("70", "EUR"), "MMA4Z00-NS": ("935", "EUR")},
    ),
    "order numbers under the maker's heading": (
        "Vendor P/N,Price/unit,Ccy\n980-9I510-00NS00,935,EUR\n980-9IA0I-00N002,120.-,EUR\n",
        {"MMA4Z00-NS": ("935", "EUR"), "MCP4Y10-N002": ("120", "EUR")},
    ),
    "swiss, and blank rows": (
        "SKU;Cost each (CHF)\n\n;;\nMFP7E10-N005;1\u2019064.50\n;\nMFP7E10-N007;70.--\nMFP7E10-N005;1'064.50\n",
        {"MFP7E10-N005": ("1064.5", "CHF"), "MFP7E10-N007": ("70", "CHF")},
    ),
    "pounds with blanks between thousands": (
        "Product code,Our price each,PE\nMFP7E10-N005,\u00a364.00,1\nMMA4Z00-NS,\u00a31\u00a0935.00,each\n",
        {"MFP7E10-N005": ("64", "GBP"), "MMA4Z00-NS": ("1935", "GBP")},
    ),
}  # fmt: skip
"""Lists as resellers write them, and what is to be taken of each."""


@pytest.mark.parametrize(("text", "expected"), STRANGERS.values(), ids=STRANGERS)
def test_a_list_that_nobody_here_wrote(
    tmp_path: Path, catalog: Catalog, text: str, expected: dict[str, tuple[str, str]]
) -> None:
    found = listed(tmp_path, catalog, text)
    assert found.faults == []
    assert {quote.part: (quote.price, quote.currency) for quote in found.quotes.values()} == {
        part: (Decimal(price), currency) for part, (price, currency) in expected.items()
    }


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("Part,Price EUR,Preiseinheit\nMFP7E10-N005,6413.00,100\n", [("price-line-fault", 2)]),
        ("Part,Price EUR,Discount\nMFP7E10-N005,120.00,40%\n", [("price-line-fault", 2)]),
        ("Part,Price EUR\nMFP7E10-N005,$120.00\n", [("price-line-fault", 2)]),
        ("Part,Price EUR\nMFP7E10-N005,64.00\n,64.00\nFreight,90.00\n", [("price-of-no-part", 3), ("price-of-no-part", 4)]),
    ],
    ids=["of a hundred", "before a discount", "another currency's sign", "rows without a part"],
)  # fmt: skip
def test_what_would_be_taken_wrongly_is_told(
    tmp_path: Path, catalog: Catalog, text: str, rules: list[tuple[str, int]]
) -> None:
    assert in_short(listed(tmp_path, catalog, text).faults)[: len(rules)] == rules


def test_a_price_in_the_currency_of_its_number_format(tmp_path: Path, catalog: Catalog) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["ACME quote 17"], [], ["Line", "Vendor\nP/N", "Unit\nprice"], [1, "MFP7E10-N005 ", 64.13], [2, "MMA4Z00-NS", 812.35]):  # fmt: skip
        sheet.append(row)
    sheet["C4"].number_format = "[$\u20ac-407] #,##0.00"
    sheet["C5"].number_format = "#,##0.00 [$EUR]"
    book.save(tmp_path / "list.xlsx")
    sheets = read_sheets(Sources(tmp_path), "list.xlsx")
    assert sheets is not None
    found = price_list(sheets, 0, catalog)
    assert found.faults == []
    assert [(quote.price, quote.currency) for quote in found.quotes.values()] == [
        (Decimal("64.13"), "EUR"), (Decimal("812.35"), "EUR"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        ("MFP7E10-N005,on request,EUR", "price-line-fault"),
        ("MFP7E10-N005,-5.00,EUR", "price-line-fault"),
        ("MFP7E10-N005,1e999,EUR", "price-line-fault"),
        ("MFP7E10-N005,nan,EUR", "price-line-fault"),
        ("MFP7E10-N005,99999999999,EUR", "price-line-fault"),
        ("MFP7E10-N005,1.23456,EUR", "price-line-fault"),
        ('MFP7E10-N005,"1,599",EUR', "price-line-fault"),
        ("MFP7E10-N005,95.00,Euro", "price-line-fault"),
        ("MFP7E10-N005,95.00,", "price-line-fault"),
        ("MFP7E10-N005,$ 95.00,", "price-line-fault"),
        ("MFP7E10-N005,USD 95.00,EUR", "price-line-fault"),
        ("MFP7E10-N0O5,95.00,EUR", "price-of-no-part"),
        ("=cmd|' /C calc'!A0,95.00,EUR", "price-of-no-part"),
    ],
)
def test_a_cell_that_is_not_taken(tmp_path: Path, catalog: Catalog, row: str, rule: str) -> None:
    found = listed(tmp_path, catalog, f"Part,Price,Currency\n{row}\n")
    assert in_short(found.faults)[0] == (rule, 2)
    assert found.quotes == {}


def test_all_that_is_wrong_is_told_in_one_run(tmp_path: Path, catalog: Catalog) -> None:
    text = (
        "Part number,Order number,Unit price,Currency,Pack\n"
        "MFP7E10-N005,,95,EUR,1\n"
        "mfp7e10-n005,,92,EUR,1\n"
        "MFP7E10-N007,,call,EUR,\n"
        "MMA4Z00-NS,980-9I51A-00NS00,700,EUR,\n"  # the order number is of MMA4Z00-NS-FLT
        "MCP4Y10-N002,,120,USD,0.5\n"
        "PALLET,,50,EUR,\n"
    )
    found = listed(tmp_path, catalog, text)
    assert in_short(found.faults) == [
        ("part-priced-twice", 3), ("price-line-fault", 4), ("price-line-fault", 5), ("price-line-fault", 6), ("price-of-no-part", 7),
    ]  # fmt: skip


def test_rows_of_one_part_that_agree_are_one(tmp_path: Path, catalog: Catalog) -> None:
    text = "Part,Price,Currency,MOQ\nMFP7E10-N005,,,20\nMFP7E10-N005,95,EUR,\nMFP7E10-N005,95.00,EUR,20\n"
    found = listed(tmp_path, catalog, text)
    assert found.faults == []
    (quote,) = found.quotes.values()
    assert (quote.price, quote.currency, quote.minimum_order) == (Decimal(95), "EUR", 20)


def test_a_row_in_another_currency(tmp_path: Path, catalog: Catalog) -> None:
    found = listed(tmp_path, catalog, "Part,Price,Currency\nMFP7E10-N005,95,EUR\nMFP7E10-N007,99,USD\n")
    assert in_short(other_currencies(found.quotes.values())) == [("offer-in-two-currencies", 3)]


def test_an_indicative_price_does_not_become_an_offer(tmp_path: Path) -> None:
    catalog = load_catalog(Sources(Path()), catalogs_folder())
    known = next(price for price in catalog.prices.values() if price.indicative)
    assert known.price is not None
    rows = f"{known.part},{known.price / 10_000},{known.currency}\nMFP7E10-N005,95,{known.currency}\n"
    found = listed(tmp_path, catalog, "Part,Price,Currency\n" + rows)
    assert in_short(found.faults) == [("change-not-imported", 2)]
    assert list(found.quotes) == ["mfp7e10-n005"]


def test_an_offer_that_the_planner_printed_and_nobody_changed_is_not_dated_anew(
    planned: Path, tmp_path: Path, catalog: Catalog
) -> None:
    workbook, book = bought(planned, tmp_path / "bought"), tmp_path / "mine" / "prices" / "offer.yaml"
    assert main(["catalog", "import", "prices", str(workbook), *OFFER, "--out", str(book)]) == 0
    text = (
        "Part,Price,Currency,Price from\nMFP7E10-N005,95,EUR,2026-10-01 offer\nMFP7E10-N007,90,EUR,2026-10-01 offer\n"
    )
    own = load_catalog(Sources(tmp_path), small_catalog(), [("mine", -1)])
    found = listed(tmp_path, own, text)
    assert (found.unchanged, list(found.quotes)) == (1, ["mfp7e10-n007"])


def test_lead_times_without_a_unit_are_not_guessed(tmp_path: Path, catalog: Catalog) -> None:
    found = listed(tmp_path, catalog, "Part,Price,Currency,Lead time\nMFP7E10-N005,95,EUR,30\n")
    assert in_short(found.faults) == [("change-not-imported", 1)]
    assert found.quotes["mfp7e10-n005"].lead_time_weeks is None


@pytest.mark.parametrize("text", ["Part,Amount\nA,1\n", "Part,Price,Net price\nA,1,2\n", "Part,Price\n"])
def test_a_list_without_clear_columns_or_prices(tmp_path: Path, catalog: Catalog, text: str) -> None:
    assert in_short(listed(tmp_path, catalog, text).faults) == [("price-line-fault", 1)]


def test_formulas_count_by_the_result_that_the_file_holds(tmp_path: Path, catalog: Catalog) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["Part", "Price (EUR)"], ["MFP7E10-N005", "=90*1.1"], ["MFP7E10-N007", 0.1 + 0.2]):
        sheet.append(row)
    book.save(tmp_path / "list.xlsx")
    sheets = read_sheets(Sources(tmp_path), "list.xlsx")
    assert sheets is not None
    found = price_list(sheets, 0, catalog)
    assert in_short(found.faults) == [("price-line-fault", 2)]
    assert "`=90*1.1`, and the file does not hold its result" in found.faults[0].message
    assert found.quotes["mfp7e10-n007"].price == Decimal("0.3")  # not 0.30000000000000004


def bomb() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b" " * 269_000_000)
    return packed.getvalue()


NO_LISTS: Final = {
    "bomb": bomb(), "empty": b"", "broken": b"PK\x03\x04broken", "old": b"\xd0\xcf\x11\xe0old",
    "quote": b'a,"b\nc', "utf-16": b"\xff\xfea\x00",
}  # fmt: skip


@pytest.mark.parametrize("data", NO_LISTS.values(), ids=NO_LISTS)
def test_a_file_that_is_no_list(tmp_path: Path, data: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "list.xlsx").write_bytes(data)
    assert main(["catalog", "import", "prices", str(tmp_path / "list.xlsx"), *OFFER]) == 2
    assert "error[INP001]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "value"),
    [("--date", "1.10.2026"), ("--source", " "), ("--currency", "euro"), ("--out", "book.txt"), ("--catalog", "none")],
)
def test_options_that_say_nothing(tmp_path: Path, option: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "list.csv").write_text("Part,Price\nMFP7E10-N005,95\n")
    assert main(["catalog", "import", "prices", str(tmp_path / "list.csv"), *OFFER, option, value]) == 2
    assert capsys.readouterr().out == ""


def test_parts_of_a_folder_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (small_catalog() / "fibre" / "mfp7e10.yaml").read_text(encoding="utf-8")
    mine = tmp_path / "mine" / "fibre" / "own-cord.yaml"
    mine.parent.mkdir(parents=True)
    mine.write_text(text.replace("MFP7E10-", "OWN-").replace("id: mfp7e10", "id: own-cord"), encoding="utf-8")
    (tmp_path / "list.csv").write_text("Part,Price\nown-n005,95\n")
    arguments = ["catalog", "import", "prices", str(tmp_path / "list.csv"), *OFFER, "--currency", "EUR"]
    assert main([*arguments, "--catalog", str(tmp_path / "mine")]) == 0
    assert "part: OWN-N005\n    price: 95.00" in capsys.readouterr().out
    assert main(arguments) == 1


@given(st.integers(0, 10**11), st.sampled_from([",", ".", "'", " "]), st.sampled_from([",", "."]))
def test_an_amount_is_read_as_it_was_written(cents: int, grouping: str, decimal: str) -> None:
    if grouping == decimal:
        grouping = ""
    text = f"{cents // 100:,}".replace(",", grouping) + decimal + f"{cents % 100:02}"
    assert amount_of(text, None) == Decimal(cents) / 100
    assert decimal_sign([text, "1,234"]) == decimal
    assert amount_of("1,234", decimal) == (Decimal("1.234") if decimal == "," else Decimal(1234))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("EUR 95,00", ("95,00", "EUR")),
        ("95.00 usd", ("95.00", "USD")),
        ("\u20ac 95", ("95", "EUR")),
        ("$95", ("95", "$")),
        ("US$ 95", ("95", "USD")),
        ("95.-", ("95", None)),
    ],
)
def test_a_currency_beside_its_amount(text: str, expected: tuple[str, str | None]) -> None:
    assert split_currency(text) == expected
