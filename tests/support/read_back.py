"""Documents of a plan read back by other programs' eyes, and held against `plan.db`, which SQL reads and not the planner.

Every check is a generator of what disagrees, in words. `pytest` runs them with openpyxl and pypdf on what the planner wrote;
`.ci/check_documents.py` runs those of the PDFs with Poppler, on every layout.
"""

from __future__ import annotations

import csv
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

import openpyxl

Row = dict[str, Any]
Check = Callable[["Documents"], Iterator[str]]
_SHOWN: Final = 3


@dataclass(frozen=True)
class Documents:
    """A plan's folder, each file of it read once. pdf_text: the text of a PDF in the order in which it is drawn."""

    folder: Path
    pdf_text: Callable[[Path], str]

    @cached_property
    def _db(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{(self.folder / 'plan.db').resolve().as_uri()}?mode=ro", uri=True)

    def rows(self, query: str) -> list[Any]:
        return self._db.execute(query).fetchall()

    def close(self) -> None:
        self._db.close()

    def csv(self, name: str) -> list[dict[str, str]]:
        with (self.folder / name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def json(self, name: str) -> Any:
        return json.loads((self.folder / name).read_text("utf-8"))

    @cached_property
    def sheets(self) -> dict[str, list[tuple[Any, ...]]]:
        book = openpyxl.load_workbook(self.folder / "bom.xlsx", data_only=True)
        return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book.worksheets}

    def table(self, title: str, first_head: str) -> list[Row]:
        """Rows of a sheet below its headings, the first of which is given; rows without a first cell are sums."""
        rows = self.sheets[title]
        head = next(place for place, row in enumerate(rows) if row[0] == first_head)
        names = [str(name) for name in rows[head]]
        return [dict(zip(names, row, strict=True)) for row in rows[head + 1 :]]

    def pressed(self, stem: str) -> str:
        """The text of a document's PDFs without blanks and line ends, for long texts go over two lines."""
        one = self.folder / f"{stem}.pdf"
        pdfs = [one] if one.is_file() else sorted((self.folder / stem).glob("*.pdf"))
        return _pressed("".join(map(self.pdf_text, pdfs)))

    def drawing(self, name: str, *, titles: bool = True) -> list[str]:
        """Texts of a drawing. titles: also what a browser shows only on pointing."""
        root = ET.parse(self.folder / name).getroot()  # noqa: S314 - our own file
        elements = [element for element in root.iter() if titles or not element.tag.endswith(("title", "desc"))]
        return [text for element in elements for text in [(element.text or "").strip()] if text]


def _pressed(text: str) -> str:
    return "".join(text.split())


def unlike(what: str, found: Iterable[Any], wanted: Iterable[Any]) -> Iterator[str]:
    """What one list has and the other has not, each as often as it does."""
    has, ought = Counter(found), Counter(wanted)
    if missing := list((ought - has).elements()):
        yield f"{what}: {len(missing)} missing, such as {missing[:_SHOWN]}"
    if extra := list((has - ought).elements()):
        yield f"{what}: {len(extra)} that the plan has not, such as {extra[:_SHOWN]}"


def metres(mm: int | None) -> str:
    return "" if mm is None else f"{mm / 1000:.3f}"


def number(cell: Any) -> float | None:
    """A cell of a workbook, or of CSV, as a number; none where it is empty."""
    return None if cell in (None, "") else float(cell)


def text(cell: Any) -> str:
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    return "" if cell is None else str(cell)


# --- the tables for scripts ---------------------------------------------------------------------------------------------


_LINKS: Final = """
SELECT a.name || ':' || l.a_port || '--' || z.name || ':' || l.z_port, f.name, l.tier, f.protocol, f.rate_gbps,
  a.name, l.a_port, ar.name, a.u, z.name, l.z_port, zr.name, z.u, l.medium, c.assembly_id, NULL, NULL, l.a_plug_part, l.z_plug_part,
  l.routed_mm, l.slack_mm, l.required_mm, l.stock_mm, r.pathways, ph.name, l.status
FROM links l JOIN fabrics f ON f.row = l.fabric JOIN devices a ON a.row = l.a_device JOIN devices z ON z.row = l.z_device
  JOIN racks ar ON ar.row = a.rack JOIN racks zr ON zr.row = z.rack LEFT JOIN cables c ON c.row = l.cable
  LEFT JOIN routes r ON r.row = l.route LEFT JOIN phases ph ON ph.row = l.phase ORDER BY l.row"""
_CABLES: Final = """
SELECT c.cable_id, p.part, p.order_number, p.category, p.length_mm, a.name, z.name, r.pathways, c.bundle, ph.name, c.assembly_id, c.row
FROM cables c JOIN parts p ON p.row = c.part JOIN racks a ON a.row = c.rack_a JOIN racks z ON z.row = c.rack_z
  LEFT JOIN routes r ON r.row = c.route LEFT JOIN phases ph ON ph.row = c.phase ORDER BY c.cable_id"""
_OVER_PANELS: Final = """
SELECT k.link, c.cable_id, p.part FROM link_cables k JOIN cables c ON c.row = k.cable JOIN parts p ON p.row = c.part ORDER BY k.row"""
_ENDS: Final = """
SELECT e.cable, c.cable_id, e.end, d.name, e.port, r.name, d.u, e.near, e.far
FROM cable_ends e JOIN cables c ON c.row = e.cable LEFT JOIN devices d ON d.row = e.device LEFT JOIN racks r ON r.row = d.rack
ORDER BY e.row"""
_PLUGS: Final = """
SELECT d.name, g.cage, p.part, p.order_number, p.category, g.free_halves, g.row
FROM plugs g JOIN devices d ON d.row = g.device JOIN parts p ON p.row = g.part ORDER BY g.row"""


def links_csv(documents: Documents) -> Iterator[str]:
    cables: dict[int, list[tuple[str, str]]] = {}
    for cable_id, part, *_, assembly, _row in documents.rows(_CABLES):
        cables.setdefault(assembly, []).append((str(cable_id), part))
    over_panels: dict[int, list[tuple[str, str]]] = {}
    for link, cable_id, part in documents.rows(_OVER_PANELS):
        over_panels.setdefault(link, []).append((str(cable_id), part))
    wanted = []
    for number_, row in enumerate(documents.rows(_LINKS)):
        cells = [text(cell) for cell in row]
        of_link = over_panels.get(number_, cables.get(row[14], []))
        cells[15], cells[16] = ";".join(i for i, _ in of_link), ";".join(p for _, p in of_link)
        cells[19:23] = map(metres, row[19:23])
        wanted.append(tuple(cells))
    yield from unlike("links.csv", (tuple(row.values()) for row in documents.csv("links.csv")), wanted)


def cables_of(documents: Documents) -> list[tuple[str, ...]]:
    """Cells of every cable as `cables.csv` has them."""
    ends: dict[int, list[str]] = {}
    for cable, _, _, device, ports, *_ in documents.rows(_ENDS):
        if device is not None:
            ends.setdefault(cable, []).extend(f"{device}:{port}" for port in ports.split(";"))
    return [
        (str(cable_id), part, order, category, metres(length), ";".join(ends[row]), a, z, text(route), f"B{bundle:03}", text(phase))
        for cable_id, part, order, category, length, a, z, route, bundle, phase, _, row in documents.rows(_CABLES)
    ]  # fmt: skip


def cables_csv(documents: Documents) -> Iterator[str]:
    yield from unlike("cables.csv", (tuple(row.values()) for row in documents.csv("cables.csv")), cables_of(documents))


def plugs_csv(documents: Documents) -> Iterator[str]:
    through: dict[int, list[str]] = {}
    names = [row[0] for row in documents.rows(_LINKS)]
    for plug, link in documents.rows("SELECT plug, link FROM plug_links ORDER BY row"):
        through.setdefault(plug, []).append(names[link])
    wanted = [
        (device, cage, part, order, category, ";".join(through.get(row, [])), str(free))
        for device, cage, part, order, category, free, row in documents.rows(_PLUGS)
    ]
    yield from unlike("plugs.csv", (tuple(row.values()) for row in documents.csv("plugs.csv")), wanted)


def labels_csv(documents: Documents) -> Iterator[str]:
    wanted = [tuple(text(cell) for cell in row[1:]) for row in documents.rows(_ENDS)]
    yield from unlike("labels.csv", (tuple(row.values()) for row in documents.csv("labels.csv")), wanted)


def findings_json(documents: Documents) -> Iterator[str]:
    found = [
        (f["rule"], f["severity"], f["message"], f["file"], f["line"], f["count"], f["waived"])
        for f in documents.json("findings.json")
    ]
    wanted = documents.rows("SELECT rule, severity, message, file, line, count, waived <> '' FROM findings")
    yield from unlike("findings.json", found, [(*row[:6], bool(row[6])) for row in wanted])


# --- what is bought -----------------------------------------------------------------------------------------------------


_PIECES: Final = """
SELECT r.name AS rack, coalesce(ph.name, '') AS phase, p.part, c.rack_a <> c.rack_z AS leaves
  FROM cables c JOIN parts p ON p.row = c.part JOIN racks r ON r.row = c.rack_a LEFT JOIN phases ph ON ph.row = c.phase
UNION ALL SELECT r.name, coalesce(ph.name, ''), p.part, 0
  FROM plugs g JOIN parts p ON p.row = g.part JOIN devices d ON d.row = g.device JOIN racks r ON r.row = d.rack
  LEFT JOIN phases ph ON ph.row = g.phase WHERE p.category = 'transceiver'
UNION ALL SELECT r.name, r.phase, d.part, 0 FROM devices d JOIN racks r ON r.row = d.rack WHERE d.kind IN ('switch', 'panel')"""
"""A row for every piece that is installed. Line cards and the like stand in `components`, by number of pieces."""


def pieces_of(documents: Documents) -> Counter[tuple[str, str, str]]:
    """Installed pieces by rack, phase and part."""
    found = Counter((rack, phase, part) for rack, phase, part, _ in documents.rows(_PIECES))
    for rack, phase, part, pieces in documents.rows(
        "SELECT r.name, r.phase, p.part, k.pieces FROM components k JOIN parts p ON p.row = k.part"
        " JOIN devices d ON d.row = k.device JOIN racks r ON r.row = d.rack"
    ):
        found[rack, phase, part] += pieces
    return found


def bill(documents: Documents) -> Iterator[str]:
    """Installed pieces by part and phase, all pieces of stock used at most once, and each line's own arithmetic."""
    installed: Counter[tuple[str, str]] = Counter()
    for (_, phase, part), pieces in pieces_of(documents).items():
        installed[part, phase] += pieces
    lines = documents.csv("bom.csv")
    told = Counter({(line["part"], line["phase"]): int(line["qty_installed"]) for line in lines})
    yield from unlike("bom.csv, installed", told.items(), installed.items())
    if len(told) != len(lines):
        yield "bom.csv: a part has two lines in one phase"
    yield from orders_amiss(documents, lines)
    facts = {part: (order, metres(length)) for part, order, length in documents.rows("SELECT part, order_number, length_mm FROM parts")}  # fmt: skip
    for line in lines:
        if line["part"] in facts and (line["order_number"], line["length_m"]) != facts[line["part"]]:
            yield f"bom.csv, line {line['line']}: not the order number and length of the plan"
    on_hand = sum(quantity for (quantity,) in documents.rows("SELECT quantity FROM stock"))
    if (used := sum(int(line["qty_stock"]) for line in lines)) > on_hand:
        yield f"bom.csv takes {used} pieces from stock, which has {on_hand}"


def orders_amiss(documents: Documents, lines: list[dict[str, str]]) -> Iterator[str]:
    """Lines whose order is not installed + spare - stock, in whole packs and at least the minimum over a part's lines."""
    minimums = dict(documents.rows("SELECT part, minimum_order FROM prices WHERE minimum_order IS NOT NULL"))
    by_part: dict[str, list[dict[str, str]]] = {}
    for line in lines:
        by_part.setdefault(line["part"], []).append(line)
    for part, mine in by_part.items():
        needs = [int(line["qty_installed"]) + int(line["qty_spare"]) - int(line["qty_stock"]) for line in mine]
        wanted = sum(need for need in needs if need > 0)
        if wanted:
            wanted = max(wanted, minimums.get(part, 0))
            wanted += -wanted % int(mine[0]["pack_size"] or 1)
        if sum(int(line["qty_order"]) for line in mine) != wanted:
            yield f"bom.csv: {part} is to be ordered {wanted} times"
        for line in mine:
            extended = float(line["unit_price"] or 0) * int(line["qty_order"])
            if abs(float(line["extended"] or 0) - extended) > 1e-6 * max(1, extended):
                yield f"bom.csv, line {line['line']}: {line['extended']} is not price times order, {extended}"


def summary_json(documents: Documents) -> Iterator[str]:
    summary = documents.json("summary.json")
    parts: Counter[str] = Counter()
    for (_, _, part), pieces in pieces_of(documents).items():
        parts[part] += pieces
    yield from unlike("summary.json, parts", summary["parts"].items(), parts.items())
    tiers = Counter(f"{row[1]}/{row[2]}" for row in documents.rows(_LINKS))
    yield from unlike("summary.json, tiers", summary["links"]["by_tier"].items(), tiers.items())
    media = Counter(row[13] for row in documents.rows(_LINKS) if row[13])
    yield from unlike("summary.json, media", summary["links"]["by_medium"].items(), media.items())
    [(total, open_links, longest)] = documents.rows(
        "SELECT count(*), sum(status <> 'resolved'), max(CASE status WHEN 'resolved' THEN required_mm END) FROM links"
    )
    [(stock,)] = documents.rows("SELECT sum(p.length_mm) FROM cables c JOIN parts p ON p.row = c.part")
    told = summary["links"]["total"], summary["links"]["unresolved"], *summary["length_m"].values()
    yield from unlike("summary.json, links and lengths", [told], [(total, open_links or 0, (stock or 0) / 1000, longest and longest / 1000)])  # fmt: skip
    severities = dict(documents.rows("SELECT severity, count(*) FROM findings WHERE waived = '' GROUP BY 1"))
    yield from unlike(
        "summary.json, findings", [(s, n) for s, n in summary["findings"].items() if n], severities.items()
    )
    lines = documents.csv("bom.csv")
    for name, mine in (("cabling", [l for l in lines if l["category"] != "switch"]), ("switches", [l for l in lines if l["category"] == "switch"])):  # noqa: E741  # fmt: skip
        money = None if any(not line["extended"] for line in mine) else sum(float(line["extended"]) for line in mine)
        if (summary["cost"][name] is None) != (money is None) or abs((summary["cost"][name] or 0) - (money or 0)) > 1e-6 * (money or 1):  # fmt: skip
            yield f"summary.json: {name} cost {summary['cost'][name]}, the bill's lines {money}"


# --- the workbook -------------------------------------------------------------------------------------------------------


_PURCHASE: Final = {
    "Line": "line", "Category": "category", "Manufacturer": "manufacturer", "Part number": "part", "Order number": "order_number",
    "Description": "description", "Length [m]": "length_m", "Installed": "qty_installed", "Spare": "qty_spare", "Stock": "qty_stock",
    "Order": "qty_order", "Pack": "pack_size", "Unit price": "unit_price", "Currency": "currency", "Extended": "extended",
    "Lead time [weeks]": "lead_time_weeks", "Need by": "need_by", "Phase": "phase", "Evidence": "evidence", "Price from": "price_note",
}  # fmt: skip
_NUMBERS: Final = {"line", "length_m", "qty_installed", "qty_spare", "qty_stock", "qty_order", "pack_size", "unit_price", "extended", "lead_time_weeks"}  # fmt: skip


def purchase(documents: Documents) -> Iterator[str]:
    """Every figure of the bill, and alternates of the plan."""
    rows = [row for row in documents.table("Purchase", "Line") if row["Line"]]
    found = [tuple(number(row[head]) if column in _NUMBERS else text(row[head]) for head, column in _PURCHASE.items()) for row in rows]  # fmt: skip
    wanted = [tuple(number(line[column]) if column in _NUMBERS else line[column] for column in _PURCHASE.values()) for line in documents.csv("bom.csv")]  # fmt: skip
    if found != wanted:
        yield from unlike("Purchase", found, wanted)
    alternates: dict[str, list[str]] = {}
    for part, other, maker in documents.rows("SELECT p.part, o.alternate, o.manufacturer FROM alternates o JOIN parts p ON p.row = o.part ORDER BY o.row"):  # fmt: skip
        alternates.setdefault(part, []).append(f"{other} ({maker})")
    told = {(row["Part number"], text(row["Alternates"])) for row in rows}
    yield from unlike("Purchase, alternates", told, {(row["Part number"], ", ".join(alternates.get(row["Part number"], []))) for row in rows})  # fmt: skip


def kits(documents: Documents) -> Iterator[str]:
    rows = [row for row in documents.table("Kits", "Rack") if row["Part number"]]
    told = Counter({(row["Rack"], text(row["Phase"]), row["Part number"]): int(row["Quantity"]) for row in rows})
    yield from unlike("Kits", told.items(), pieces_of(documents).items())
    leaving = Counter((rack, phase, part) for rack, phase, part, leaves in documents.rows(_PIECES) if leaves)
    away = {(row["Rack"], text(row["Phase"]), row["Part number"]): int(row["Of these to another rack"] or 0) for row in rows}  # fmt: skip
    yield from unlike("Kits, to another rack", [(k, n) for k, n in away.items() if n], leaving.items())


def cables_sheet(documents: Documents) -> Iterator[str]:
    rows = documents.table("Cables", "Cable")
    found = [
        (row["Cable"], row["Part number"], text(row["Order number"]), row["Category"], f"{row['Length [m]']:.3f}",
         f"{text(row['A end'])}; {text(row['Z end'])}".replace("; ", ";"), row["Rack A"], row["Rack Z"],
         text(row["Route"]).replace("; ", ";"), row["Bundle"], text(row["Phase"]))
        for row in rows
    ]  # fmt: skip
    yield from unlike("Cables", found, cables_of(documents))


def ports_sheet(documents: Documents) -> Iterator[str]:
    switches = {name for (name,) in documents.rows("SELECT name FROM devices WHERE kind = 'switch'")}
    parts = {cable: (part, metres(length)) for cable, part, length in documents.rows("SELECT c.cable_id, p.part, p.length_mm FROM cables c JOIN parts p ON p.row = c.part")}  # fmt: skip
    wanted = []
    for row in documents.rows(_LINKS):
        a, z = row[5:9], row[9:13]
        cable = (text(row[14]), *parts.get(row[14], ("", "")))
        for near, plug, far in ((a, row[17], z), (z, row[18], a)):
            if near[0] in switches:
                wanted.append((near[0], near[2], near[3], near[1], text(plug), *cable, far[2], far[3], far[0], far[1], row[2]))  # fmt: skip
    found = [
        tuple(f"{cell:.3f}" if head == "Length [m]" and cell is not None else text(cell) if head in ("Plug", "Cable", "Cable part", "Length [m]") else cell
              for head, cell in list(row.items())[:13])
        for row in documents.table("Ports", "Switch")
        if row["Remark"] != "no link"
    ]  # fmt: skip
    yield from unlike("Ports", found, wanted)
    alone = [(row["Switch"], row["Port"], row["Plug"]) for row in documents.table("Ports", "Switch") if row["Remark"] == "no link"]  # fmt: skip
    fillers = documents.rows(
        "SELECT d.name, 'cage ' || g.cage, p.part FROM plugs g JOIN devices d ON d.row = g.device JOIN parts p ON p.row = g.part"
        " WHERE d.kind = 'switch' AND g.row NOT IN (SELECT plug FROM plug_links)"
    )
    yield from unlike("Ports without a link", alone, fillers)


def sources_sheet(documents: Documents) -> Iterator[str]:
    rows = documents.table("Prices and sources", "Part or family")
    prices = {(row["Part or family"], number(row["Price"])) for row in rows if row["Figure"] == "price"}
    yield from unlike("Prices and sources", prices, {(line["part"], number(line["unit_price"])) for line in documents.csv("bom.csv")})  # fmt: skip
    families = {row["Part or family"] for row in rows if row["Figure"] != "price"}
    wanted = {family for (family,) in documents.rows("SELECT family FROM parts UNION SELECT model FROM devices WHERE kind = 'switch'")}  # fmt: skip
    yield from unlike("Prices and sources, families", families, wanted)


def findings_sheet(documents: Documents) -> Iterator[str]:
    found = [(row["Rule"], row["Message"], row["Count"], text(row["Waived because"])) for row in documents.table("Findings", "Severity")]  # fmt: skip
    yield from unlike("Findings", found, documents.rows("SELECT rule, message, count, waived FROM findings"))


def unresolved_sheet(documents: Documents) -> Iterator[str]:
    wanted = [row[0] for row in documents.rows(_LINKS) if row[25] != "resolved"]
    found = [row["Link"] for row in documents.table("Unresolved", "Link")] if "Unresolved" in documents.sheets else []
    yield from unlike("Unresolved", found, wanted[:5000])


def stock_sheet(documents: Documents) -> Iterator[str]:
    wanted = documents.rows("SELECT part, place, quantity FROM stock")
    rows = [row for row in documents.table("Stock", "Part number") if row["Part number"] != "All rows"] if "Stock" in documents.sheets else []  # fmt: skip
    yield from unlike("Stock", [(row["Part number"], text(row["Place"]), row["On hand"]) for row in rows], wanted)
    used = sum(row["Used"] for row in rows)
    if used != sum(int(line["qty_stock"]) for line in documents.csv("bom.csv")):
        yield f"Stock: {used} pieces are used, the bill takes another number"


def summary_sheet(documents: Documents) -> Iterator[str]:
    """Sums of the first sheet: pieces and money of the bill, links by tier, lengths."""
    rows = {str(row[0]): row for row in documents.sheets["Summary"] if row[0]}
    lines, summary = documents.csv("bom.csv"), documents.json("summary.json")
    for label, mine in (
        ("Cabling", [line for line in lines if line["category"] != "switch"]),
        ("Switches", [line for line in lines if line["category"] == "switch"]),
        ("Total of the purchase list", lines),
        *((category, [line for line in lines if line["category"] == category]) for category in {line["category"] for line in lines}),
    ):  # fmt: skip
        counts = tuple(sum(int(line[f"qty_{name}"]) for line in mine) for name in ("installed", "spare", "order"))
        money = None if any(not line["extended"] for line in mine) else round(sum(float(line["extended"]) for line in mine), 4)  # fmt: skip
        told = (*rows[label][2:5], None if number(rows[label][5]) is None else round(rows[label][5], 4))
        yield from unlike(f"Summary, {label}", [told], [(*counts, money)])
    for tier, count in summary["links"]["by_tier"].items():
        yield from unlike(f"Summary, {tier}", [rows[tier][1] if tier in rows else None], [count])
    lengths = rows["Cable installed, all lengths [m]"][1], rows["Longest required length [m]"][1]
    told = tuple("not known" if value is None else value for value in summary["length_m"].values())
    yield from unlike("Summary, lengths", [lengths], [told])


# --- what is drawn ------------------------------------------------------------------------------------------------------


def number_of_cables(number: int) -> str:
    return "1 cable" if number == 1 else f"{number:,} cables"


def floor_plan(documents: Documents) -> Iterator[str]:
    """Every rack with the devices in it, and every pathway with the cables at its fullest."""
    drawn = documents.drawing("floor-plan.svg")
    models = "SELECT r.name, d.model, count(d.row) FROM racks r LEFT JOIN devices d ON d.rack = r.row GROUP BY 1, 2"
    wanted: dict[str, list[str]] = {}
    for rack, model, count in documents.rows(models):
        wanted.setdefault(rack, []).extend([f"{count} {model}"] if count else [])
    for rack, told in wanted.items():
        title = next((words for words in drawn if words.startswith(f"{rack}: row ")), "")
        if not title or any(f", {words}" not in title for words in told):
            yield f"floor-plan.svg: rack {rack} should have {told}, and is drawn as `{title}`"
    for name, cables in documents.rows("SELECT name, cables FROM pathways"):
        said = f"{number_of_cables(cables)} and" if cables else "no cables"
        if not any(words.startswith(f"{name}: ") and said in words for words in drawn):
            yield f"floor-plan.svg: pathway {name} does not say {said}"


def elevations_svg(documents: Documents) -> Iterator[str]:
    """Every rack and device, where the plan is small enough for one drawing of all racks."""
    if (documents.folder / "elevations.svg").is_file():
        drawn = "".join("".join(words.split()) for words in documents.drawing("elevations.svg"))
        names = [name for (name,) in documents.rows("SELECT name FROM racks UNION SELECT name FROM devices")]
        if missing := [name for name in names if _pressed(name) not in drawn]:
            yield f"elevations.svg: {missing[:_SHOWN]} are missing"


def topology(documents: Documents) -> Iterator[str]:
    drawn = documents.drawing("topology.svg")
    for fabric, count in Counter(row[1] for row in documents.rows(_LINKS)).items():
        if not any(words.startswith(f"{fabric}: ") and words.endswith(f" {count:,} links") for words in drawn):
            yield f"topology.svg: {fabric} has {count} links"
    tiers = Counter((row[1], row[2]) for row in documents.rows(_LINKS))
    said = Counter(part for words in drawn for part in words.split(" \u00b7 "))
    yield from (f"topology.svg: {tier} has {n} links" for (_, tier), n in tiers.items() if f"{tier}: {n:,} links" not in said)  # fmt: skip


def sections(documents: Documents) -> Iterator[str]:
    drawn = documents.drawing("sections.svg")
    for name, cables in documents.rows("SELECT name, cables FROM pathways WHERE cables > 0"):
        places = [place for place, words in enumerate(drawn) if words == name]
        if not any(drawn[place + 1].startswith(f"{number_of_cables(cables)}, ") for place in places):
            yield f"sections.svg: {name} has {number_of_cables(cables)} at its fullest"


# --- what is printed ----------------------------------------------------------------------------------------------------


_CUT_SHEET_ROW: Final = re.compile(r"(\d+)\s*ends? ([a-z0-9+]+) \u00b7\s+bundle (\d+)\s")


def label_sheets(documents: Documents) -> Iterator[str]:
    """Every label as a whole: number and end, length, colour and part, near and far text."""
    said = documents.pressed("labels")
    colours = dict(documents.rows("SELECT c.cable_id, p.colour FROM cables c JOIN parts p ON p.row = c.part"))
    cables = {row[0]: (row[1], row[4]) for row in documents.rows(_CABLES)}
    wanted: Counter[str] = Counter()
    for _, cable, end, device, _, _, _, near, far in documents.rows(_ENDS):
        part, length = cables[cable]
        size = [f"{length / 1000:g} m"] if length is not None else []
        words = " \u00b7 ".join([*size, *([colours[cable]] if colours[cable] else []), part])
        if device is not None:
            wanted[_pressed(f"{cable} {end} {words} {near} \u2192 {far}")] += 1
    missing = [label for label, count in wanted.items() if said.count(label) < count]
    if missing:
        yield f"labels: {len(missing)} of {len(wanted)} are missing, such as {missing[:_SHOWN]}"


def cut_sheets(documents: Documents) -> Iterator[str]:
    """Every row has its cable's part, length and bundle, every end stands in one row, with its label texts."""
    pdfs = sorted((documents.folder / "cut-sheets").glob("*.pdf")) or [documents.folder / "cut-sheets.pdf"]
    drawn = "\n".join(map(documents.pdf_text, pdfs))
    pieces = _CUT_SHEET_ROW.split(drawn)
    cables = {row[0]: row for row in documents.rows(_CABLES)}
    found: Counter[tuple[int, str]] = Counter()
    for number_, ends, bundle, rest in zip(pieces[1::4], pieces[2::4], pieces[3::4], pieces[4::4], strict=True):
        found.update((int(number_), end) for end in ends.split("+"))
        row = cables.get(int(number_))
        size = f"{row[4] / 1000:g} m {row[1]}" if row and row[4] is not None else row[1] if row else ""
        if row is None or _pressed(size) not in _pressed(rest) or int(bundle) != row[8]:
            yield f"cut-sheets: the row of cable {number_} has not {size} and its bundle"
    # A cable inside a rack stands once with all its ends, one between racks on the sheets of both, each time with its near ends.
    used = [(row[1], row[2]) for row in documents.rows(_ENDS) if row[3] is not None and cables[row[1]][3] != "trunk"]
    legs: dict[tuple[int, str, str], list[tuple[str, str]]] = {}
    for _, cable, end, device, *_, near, far in documents.rows(_ENDS):
        if cables[cable][3] == "trunk":
            legs.setdefault((cable, end[0], device), []).append((near, far))
    yield from unlike("cut-sheets, ends", found.elements(), [*used, *((cable, end) for cable, end, _ in legs)])
    said = _pressed(drawn)
    ends = [
        f"label {near} > {far}"
        for _, cable, _, device, *_, near, far in documents.rows(_ENDS)
        if device is not None and cables[cable][3] != "trunk"
    ]
    # The legs of a trunk at one panel stand in one row, by the first and the last of their labels.
    ends += [
        f"label {of_panel[0][0]} to {of_panel[-1][0]} > {of_panel[0][1]} to {of_panel[-1][1]}"
        for of_panel in legs.values()
        if len(of_panel) > 1
    ]
    if missing := [words for words in ends if _pressed(words) not in said]:
        yield f"cut-sheets: {len(missing)} of {len(ends)} label texts are missing, such as {missing[:_SHOWN]}"


def floor_plan_pdf(documents: Documents) -> Iterator[str]:
    """The same drawing on paper: racks that have a name in it, pathways in its list."""
    said = documents.pressed("floor-plan")
    names = [name for (name,) in documents.rows("SELECT name FROM racks UNION SELECT name FROM pathways")]
    drawn = "".join("".join(words.split()) for words in documents.drawing("floor-plan.svg", titles=False))
    if missing := [name for name in names if _pressed(name) in drawn and _pressed(name) not in said]:
        yield f"floor-plan.pdf: {missing[:_SHOWN]} are missing"


def elevations(documents: Documents) -> Iterator[str]:
    said = documents.pressed("elevations")
    names = [name for (name,) in documents.rows("SELECT name FROM racks UNION SELECT name FROM devices")]
    if missing := [name for name in names if _pressed(name) not in said]:
        yield f"elevations: {missing[:_SHOWN]} are missing"


TABLES: Final[tuple[Check, ...]] = (
    links_csv, cables_csv, plugs_csv, labels_csv, findings_json, bill, summary_json,
    purchase, kits, cables_sheet, ports_sheet, sources_sheet, findings_sheet, unresolved_sheet, stock_sheet, summary_sheet,
    floor_plan, elevations_svg, topology, sections,
)  # fmt: skip
PRINTED: Final[tuple[Check, ...]] = (label_sheets, cut_sheets, elevations, floor_plan_pdf)
