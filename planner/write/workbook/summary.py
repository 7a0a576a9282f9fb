"""The sheet Summary: whether the list can be used, what it comes to, and what stands behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from openpyxl.utils import get_column_letter

from planner.bom.bill import (
    CATEGORIES,
    SWITCH,
    BomLine,
    Cost,
    cost_of,
    known,
    links_by_tier,
    plug_power_mw,
    sum_known,
    switch_power_mw,
)
from planner.findings import by_severity
from planner.names import natural_key, some
from planner.plan import ABSENT, Plan
from planner.units import PPM
from planner.write.workbook.looks import day_of, metres_of, money_of, result_of, top, watts_of
from planner.write.workbook.purchase import PurchaseTable, currency_formula, other_currency_count
from planner.write.workbook.spreadsheet import Book, Column, Formula, Sheet, Value

_ROWS_OF_A_PAGE: Final = 58  # of the summary, fitted to a page; more would print too small
SUMMARY_COLUMNS: Final = tuple(Column("", "text", width) for width in (40, 13, 12, 12, 12, 17, 10, 13, 10))

_SEVERAL: Final = "Prices are in several currencies: nothing is summed. See Currency on Purchase."


@dataclass
class Summary:
    """The first sheet: whether the list can be used, what it comes to, and what stands behind it."""

    book: Book
    plan: Plan
    sheet: Sheet
    lines: Sequence[BomLine]
    table: PurchaseTable
    unresolved: int

    def write(self) -> None:
        cost = cost_of(self.plan, self.lines)
        top(self.book, self.sheet, self.plan, "Bill of materials")
        self._status(cost)
        self._money(cost)
        if self.plan.phases:
            self._phases()
        self._links()
        self._lengths_and_power()
        self._pathways()
        self._how()
        self.sheet.one_page = self.sheet.next_row <= _ROWS_OF_A_PAGE

    def _row(self, values: Sequence[Value], looks: Sequence[str]) -> int:
        """A row of the summary, its cells to the last column styled."""
        rest = len(SUMMARY_COLUMNS) - len(values)
        filler = "head" if looks[0] == "head" else "sum text" if looks[0] == "sum text" else "text"
        return self.book.row(self.sheet, [*values, *[None] * rest], [*looks, *[filler] * rest], widen=False)

    def _table(self, title: str, *heads: str) -> None:
        """A section with its headings: the first over texts, `-` for none, a leading `<` for a text too."""
        self.book.blank(self.sheet)
        rest = len(SUMMARY_COLUMNS) - 1
        self._row([title, *[None] * rest], ["section"] * (rest + 1))
        if heads:
            texts = ["" if head == "-" else head.removeprefix("<") for head in heads]
            self._row(texts, ["head", *("head" if head.startswith("<") else "head right" for head in heads[1:])])

    def _status(self, cost: Cost) -> None:
        book, sheet, plan = self.book, self.sheet, self.plan
        total = len(plan.links)
        if self.unresolved:
            text = f"UNRESOLVED: {self.unresolved:,} of {total:,} links have no route or no part; what they need is in no figure here. See the sheet Unresolved."
            book.line(sheet, text, "alarm")
        else:
            book.line(sheet, f"All {total:,} links are resolved.", "fine")
        count, missing = len(self.lines), sum(line.unit_price_e4 is None for line in self.lines)
        gap, others = f"{count}-COUNT({self.table.cells('Unit price')})", f"{self.table.other_currency}>0"
        without = "of {} purchase lines have no price: sums that need one stay empty. Enter prices on Purchase."
        said = (
            _SEVERAL if other_currency_count(self.lines)
            else f"{missing} {without.format(count)}" if missing else "Every purchase line has a price."
        )  # fmt: skip
        text = f'IF({others},"{_SEVERAL}",IF({gap}=0,"Every purchase line has a price.",({gap})&" {without.format(count)}"))'
        columns = len(SUMMARY_COLUMNS)
        row = self._row([Formula(text, said), *[None] * (columns - 1)], ["fine"] * columns)
        # Shaded by condition, so that it clears once the last price is entered.
        sheet.shaded.append((f"A{row}:{get_column_letter(columns)}{row}", f"OR({gap}>0,{others})"))
        if cost.indicative:
            book.line(
                sheet,
                "Indicative prices are among them: good for an order of magnitude, not for an order. See `Price from` on Purchase.",
                "caution",
            )
        errors, warnings = (by_severity(plan.findings)[s] for s in ("error", "warning"))
        book.line(
            sheet,
            f"{some(errors, 'error')} and {some(warnings, 'warning')}: see Findings.",
            "alarm" if errors else "plain",
        )

    def _money(self, cost: Cost) -> None:
        self._table(
            "What to buy",
            "Category",
            "Part numbers",
            "Installed",
            "Spare",
            "Order",
            "Extended",
            "<Currency",
            "Lines without price",
        )
        present = sorted({line.category for line in self.lines}, key=_category_place)
        first = self.sheet.next_row
        for category in present:
            self._category(category, cost)
        last = self.sheet.next_row - 1
        groups = [
            ("Cabling", [c for c in present if c != SWITCH], cost.cabling_e4),
            ("Switches", [c for c in present if c == SWITCH], cost.switches_e4),
        ]
        rows = {category: first + place for place, category in enumerate(present)}
        at: dict[str, int] = {}
        for name, categories, money in groups:
            at[name] = self._group(name, [rows[c] for c in categories], categories, money, cost)
        bill = sum_known((cost.cabling_e4, cost.switches_e4))  # None in several currencies
        at["Total"] = self._group("Total of the purchase list", list(range(first, last + 1)), present, bill, cost)
        self._shares(at, cost)
        self._lead_time()

    def _known(self, row: int) -> str:
        """The condition under which the sum of a row is one: every line has a price, and all prices are in one currency."""
        return f"AND($H{row}=0,{self.table.other_currency}=0)"

    def _sum(self, lines: Sequence[BomLine]) -> int | None:
        return None if other_currency_count(self.lines) else sum_known(line.extended_e4 for line in lines)

    def _category(self, category: str, cost: Cost) -> None:
        mine = [line for line in self.lines if line.category == category]
        row = self.sheet.next_row
        missing = sum(line.unit_price_e4 is None for line in mine)
        spans = {
            head: self.table.cells(head)
            for head in ("Category", "Installed", "Spare", "Order", "Extended", "Unit price")
        }

        def total(head: str) -> str:
            return f"SUMIF({spans['Category']},$A{row},{spans[head]})"

        self._row(
            [
                category,
                len({line.part for line in mine}),
                Formula(total("Installed"), sum(line.qty_installed for line in mine)),
                Formula(total("Spare"), sum(line.qty_spare for line in mine)),
                Formula(total("Order"), sum(line.qty_order for line in mine)),
                Formula(f'IF({self._known(row)},{total("Extended")},"")', result_of(self._sum(mine))),
                currency_formula(self.table, cost),
                Formula(f'SUMPRODUCT(({spans["Category"]}=$A{row})*({spans["Unit price"]}=""))', missing),
            ],
            ["text", "count", "count", "count", "order", "money", "unit", "count"],
        )

    def _group(self, name: str, rows: Sequence[int], categories: Sequence[str], money: int | None, cost: Cost) -> int:
        """A row of sums over the rows of categories."""
        mine = [line for line in self.lines if line.category in categories]
        missing = sum(line.unit_price_e4 is None for line in mine)

        def total(column: str) -> str:
            return f"SUM({','.join(_runs(column, rows))})" if rows else "0"

        row = self.sheet.next_row
        return self._row(
            [
                name,
                Formula(total("B"), len({line.part for line in mine})),
                Formula(total("C"), sum(line.qty_installed for line in mine)),
                Formula(total("D"), sum(line.qty_spare for line in mine)),
                Formula(total("E"), sum(line.qty_order for line in mine)),
                Formula(f'IF({self._known(row)},{total("F")},"")', result_of(money)),
                currency_formula(self.table, cost),
                Formula(total("H"), missing),
            ],
            ["sum text", *["sum count"] * 4, "sum money", "sum unit", "sum count"],
        )

    def _shares(self, at: dict[str, int], cost: Cost) -> None:
        cabling, switches = f"$F${at['Cabling']}", f"$F${at['Switches']}"
        nics_row = self._row(
            ["NICs, not on this list: enter their cost", None, None, None, None, money_of(cost.nics_e4),
             currency_formula(self.table, cost)],
            ["text", *["text"] * 4, "fill in", "unit"],
        )  # fmt: skip
        nics = f"$F${nics_row}"
        for label, ppm, others in (
            ("Cabling share without NICs", cost.share_without_nics_ppm, [switches]),
            ("Cabling share with NICs", cost.share_with_nics_ppm, [switches, nics]),
        ):
            whole = "+".join([cabling, *others])
            counted_cells = ",".join([cabling, *others])
            self._row(
                [label, None, None, None, None,
                 Formula(f'IF(COUNT({counted_cells})<{1 + len(others)},"",IF({whole}=0,"",{cabling}/({whole})))', "" if ppm is None else ppm / PPM)],
                ["text", *["text"] * 4, "share"],
            )  # fmt: skip

    def _lead_time(self) -> None:
        weeks = [line.lead_time_weeks for line in self.lines if line.lead_time_weeks is not None]
        cells = self.table.cells("Lead time [weeks]")
        self._row(
            ["Longest lead time known [weeks]", None, None, None, None, Formula(f'IF(COUNT({cells})=0,"",MAX({cells}))', max(weeks, default=""))],
            ["text", *["text"] * 4, "count"],
        )  # fmt: skip

    def _phases(self) -> None:
        self._table(
            "By phase", "Phase", "<Need by", "Purchase lines", "-", "Order", "Extended", "-", "Lines without price"
        )
        names = [(phase.name, phase.need_by) for phase in self.plan.phases]
        if any(not line.phase for line in self.lines):
            names.append(("", ""))
        phase_cells, extended, prices = (self.table.cells(h) for h in ("Phase", "Extended", "Unit price"))
        for name, need_by in names:
            mine = [line for line in self.lines if line.phase == name]
            row = self.sheet.next_row
            wanted = f"$A{row}" if name else '""'
            missing = sum(line.unit_price_e4 is None for line in mine)

            def total(cells: str, wanted: str = wanted) -> str:
                return f"SUMPRODUCT(({phase_cells}={wanted})*1,{cells})"

            # SUMPRODUCT takes texts in its second argument for zero: the extended price of a line without price is one.
            self._row(
                [
                    name or "in no phase",
                    day_of(need_by),
                    len(mine),
                    None,
                    Formula(total(self.table.cells("Order")), sum(line.qty_order for line in mine)),
                    Formula(f'IF({self._known(row)},{total(extended)},"")', result_of(self._sum(mine))),
                    None,
                    Formula(f'SUMPRODUCT(({phase_cells}={wanted})*({prices}=""))', missing),
                ],
                ["text", "day", "count", "text", "count", "money", "text", "count"],
            )

    def _links(self) -> None:
        plan = self.plan
        media = sorted({medium for medium in plan.links.medium.tolist() if medium}, key=_medium_place)
        self._table("Links", "Fabric / tier", "Links", *media, "Unresolved")
        fabrics = [fabric.name for fabric in plan.fabrics]
        counts: dict[str, dict[str, int]] = {}
        columns = (plan.links.fabric.tolist(), plan.links.tier.tolist(), plan.links.medium.tolist())
        for fabric, tier, medium in zip(*columns, strict=True):
            of_tier = counts.setdefault(f"{fabrics[fabric]}/{tier}", {})
            of_tier[medium] = of_tier.get(medium, 0) + 1
        for name, total in links_by_tier(plan).items():
            lost = counts[name].get("", 0)
            self._row(
                [name, total, *(counts[name].get(medium, 0) for medium in media), lost],
                ["text", "count", *["count"] * len(media), "bad count" if lost else "count"],
            )

    def _lengths_and_power(self) -> None:
        plan = self.plan
        lengths = [plan.parts[part].length_mm for part in plan.cables.part.tolist()]
        required = [
            mm
            for mm, status in zip(plan.links.required_mm.tolist(), plan.links.status.tolist(), strict=True)
            if status == "resolved"
        ]
        power = (watts_of(plug_power_mw(plan)), watts_of(switch_power_mw(plan)))
        self._table("Length and power")
        for label, value, look in (
            ("Cable installed, all lengths [m]", metres_of(sum(mm for mm in lengths if mm != ABSENT)), "watts"),
            ("Longest required length [m]", metres_of(max(required)) if required else "not known", "metres"),
            ("Transceivers and cable plugs [W]", power[0], "watts"),
            ("Switches, typical without optics [W]", power[1], "watts"),
        ):
            self._row([label, value], ["text", look])

    def _pathways(self) -> None:
        if not self.plan.pathways:
            return
        self._table("Pathways at their fullest", "Pathway", "<Kind", "Fill", "Cables", "Weight [kg/m]")
        for pathway in sorted(self.plan.pathways, key=lambda pathway: natural_key(pathway.name)):
            fill, weight = known(pathway.fill_ppm), known(pathway.mg_per_m)
            self._row(
                [
                    pathway.name, pathway.kind, "not known" if fill is None else fill / PPM, pathway.cables,
                    "not known" if weight is None else weight / 1_000_000,
                ],
                ["text", "text", "share", "count", "weight"],
            )  # fmt: skip

    def _how(self) -> None:
        spares = self.plan.policy.spares
        present = {line.category for line in self.lines}
        rules = []
        for category in CATEGORIES:
            policy = getattr(spares, category, None)
            if policy is not None and category in present:
                percent = f"{policy.share / 10_000:.4f}".rstrip("0").rstrip(".")
                rules.append(f"{category} {percent} %, at least {policy.min}")
        self._table("How these figures come about")
        for text in (
            f"Spares per part and length, the share rounded up: {'; '.join(rules)}."
            if rules
            else "No spares are asked for.",
            "Order quantity: installed + spare - stock, raised to the minimum order and to whole packs.",
            "Costs are of order quantities. Cabling is all that is not a switch.",
            "Not on the list: servers, NICs, appliances, racks, pathways, labels and tools.",
            "Evidence says how well the figures behind a part are sourced: primary (its maker), derived, secondary, unverified.",
        ):
            self.book.line(self.sheet, text, "plain")


def _runs(column: str, rows: Sequence[int]) -> list[str]:
    """Cells of a column, rows that follow each other as one range."""
    runs: list[list[int]] = []
    for row in sorted(rows):
        if runs and runs[-1][1] == row - 1:
            runs[-1][1] = row
        else:
            runs.append([row, row])
    return [f"${column}${first}:${column}${last}" for first, last in runs]


_MEDIA: Final = ("dac", "acc", "aec", "aoc", "optic", "utp")


def _medium_place(medium: str) -> tuple[int, str]:
    return (_MEDIA.index(medium) if medium in _MEDIA else len(_MEDIA), medium)


def _category_place(category: str) -> tuple[int, str]:
    return (CATEGORIES.index(category) if category in CATEGORIES else len(CATEGORIES), category)
