"""Write the generated files of this folder anew: rules, the JSON Schema, the tables of plan.db, the generators' pictures. `make docs` runs it."""  # noqa: INP001

from __future__ import annotations

import contextlib
import io
import re
import runpy
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

DOCS: Final = Path(__file__).resolve().parent
BEGIN, END = "<!-- generated: tables -->", "<!-- end of generated -->"

_STATEMENT: Final = re.compile(r"^CREATE (?:TABLE|VIEW) (\w+)(.*?)(?=^CREATE |\Z)", re.MULTILINE | re.DOTALL)
_ALLOWED: Final = re.compile(r" IN \(([^)]*)\)")


# What the comments in the schema leave to the name. First by table and column, then by column alone.
MEANINGS: Final = {
    "identity.project": "`name` of the project",
    "identity.revision": "`revision` of the project",
    "identity.planner_version": "version of the planner that made the plan",
    "fabrics.name": "name of the fabric",
    "fabrics.rate": "named rate, such as `ndr`",
    "fabrics.rate_gbps": "gigabits a second of one port",
    "room.kind": "what the corner belongs to",
    "racks.name": "name of the rack",
    "racks.size_x_um": "extent of the footprint to the east",
    "racks.size_y_um": "extent of the footprint to the north",
    "racks.south_um": "smallest corner of the footprint",
    "racks.height_um": "height of the rack",
    "racks.units": "number of its slots",
    "racks.phase": "name of its phase, or empty",
    "devices.name": "name of the device",
    "devices.kind": "switch, server, nic, appliance or other",
    "devices.part": "part number of the chosen member of the family",
    "devices.height_u": "height in slots",
    "devices.power_mw": "typical draw without optics",
    "pathways.name": "name of the pathway",
    "pathways.type": "id of the pathway type in the catalog",
    "pathways.kind": "tray, ladder, raceway, floor or conduit",
    "pathways.width_um": "inner width",
    "pathways.usable_depth_um": "how high cables may lie",
    "pathways.mg_per_m": "weight of the cables in the heaviest stretch",
    "parts.part": "the maker's part number",
    "parts.category": "as in `bom.csv`",
    "parts.length_mm": "nominal length; NULL for a part without length",
    "parts.colour": "jacket colour of a cord, or empty",
    "parts.connector": "connector of a cord or transceiver, form factor of a cable's plug",
    "parts.lifecycle": "active, last-order, discontinued, planned or unknown",
    "alternates.order_number": "its order number, or empty",
    "alternates.manufacturer": "its maker",
    "stock.part": "part number",
    "stock.category": "as in `bom.csv`",
    "stock.length_mm": "nominal length; NULL for a part without length",
    "stock.quantity": "pieces",
    "prices.part": "part number",
    "prices.price_e4": "price of one piece",
    "prices.currency": "currency of the price",
    "prices.note": "date and source; begins with `indicative` for a price that is no offer",
    "prices.pack_size": "pieces in a pack",
    "prices.minimum_order": "least pieces to order",
    "prices.lead_time_weeks": "weeks from order to delivery",
    "prices.indicative": "1 for a price that is no offer",
    "phases.name": "name of the phase",
    "phases.need_by": "day by which its parts are needed, or empty",
    "routes.pathways": "names of pathways and risers in order from a to z, joined by `;`",
    "cables.cable_id": "number on the label, from 1",
    "cables.rack_a": "rack of the a end of its first link",
    "cables.rack_z": "rack of the z end of its first link",
    "cables.bundle": "bundle number from 1: cables between the same two racks by the same way",
    "links.tier": "name of the tier",
    "links.a_port": "port as printed on the device",
    "links.z_port": "port as printed on the device",
    "links.a_cage": "cage of the port",
    "links.z_cage": "cage of the port",
    "links.z_half": "as `a_half`",
    "links.z_hand": "as `a_hand`",
    "links.a_plug_part": "part in the cage at a: the transceiver, or the cable whose own plug it is",
    "links.z_plug_part": "as `a_plug_part`, at z",
    "links.pathway_mm": "along the pathways",
    "links.z_rise_mm": "as `a_rise_mm`",
    "links.z_in_rack_mm": "as `a_in_rack_mm`",
    "links.routed_mm": "sum of the five terms, or the measured length",
    "links.slack_mm": "two loops and a share of the routed length, rounded up",
    "links.required_mm": "routed and slack",
    "cable_ends.far": "label text of the other end",
    "plugs.cage": "name of the cage",
    "documents.name": "`inputs` or `catalog`",
    "documents.text": "JSON",
    "loads.from_mm": "beginning of the stretch",
    "loads.to_mm": "end of the stretch",
    "loads.cables": "number of cables in it",
    "loads.fill_ppm": "their cross-sections over the pathway's; NULL where a diameter is unknown",
    "pathways.copper_ppm": "the part of `fill_ppm` that is copper; the rest is fibre",
    "loads.copper_ppm": "the part of `fill_ppm` that is copper; the rest is fibre",
    "loads.mg_per_m": "their weight; NULL where one is unknown",
    "findings.rule": "ID of the rule",
    "findings.name": "name of the rule",
    "findings.code": "code of a polarity or loss finding, or empty",
    "findings.message": "what is wrong",
    "findings.note": "the arithmetic, or the second place",
    "findings.help": "what to do",
    "findings.file": "file of the place, relative to the project",
    "findings.line": "line from 1",
    "findings.column": "column from 1",
    "findings.count": "how many things it stands for",
    "order_number": "the maker's second number, or empty",
    "manufacturer": "maker",
    "description": "what it is",
    "x_um": "to the east",
    "y_um": "to the north",
}


def documents() -> dict[str, str]:
    """Every generated file: its path below this folder, and its text."""
    from planner.rules.pages import pages

    return {
        **{f"rules/{name}": text for name, text in pages().items()},
        **dict(runpy.run_path(str(DOCS / "draw.py"))["pictures"]()),
        **dict(runpy.run_path(str(DOCS / "worked.py"))["pages"]()),
        "project.schema.json": schema(),
        "plan-db.md": plan_db(),
    }


def schema() -> str:
    """What `planner schema` prints."""
    from planner.cli import main as planner

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        planner(["schema"])
    return printed.getvalue()


def plan_db() -> str:
    """The page of plan.db with its tables as the planner makes them today."""
    page = (DOCS / "plan-db.md").read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{chr(10).join(_tables())}\n{END}{rest.partition(END)[2]}"


def _tables() -> Iterator[str]:
    """A heading and a table of columns for each table, as SQLite itself sees it, with the comments of its making."""
    from planner.store.schema import SCHEMA

    connection = sqlite3.connect(":memory:")
    connection.executescript(SCHEMA)
    for name, written in _STATEMENT.findall(SCHEMA):
        title, meanings = _comments(written)
        yield f"### `{name}`\n"
        if title:
            yield f"{title[:1].upper()}{title[1:]}.\n"
        columns = connection.execute(f"PRAGMA table_info({name})").fetchall()
        if connection.execute("SELECT type FROM sqlite_master WHERE name = ?", (name,)).fetchone() == ("view",):
            yield f"A view. Its columns: {', '.join(f'`{column[1]}`' for column in columns)}.\n"
            continue
        refers = {key[3]: (key[2], key[4] or "row") for key in connection.execute(f"PRAGMA foreign_key_list({name})")}
        yield "| column | type | may be NULL | meaning |\n| --- | --- | --- | --- |"
        for _, column, kind, not_null, _, primary in columns:
            words = [*meanings.get(column, ())]
            if column in refers:
                words.append("refers to `{}.{}`".format(*refers[column]))
            elif primary and column == "row":
                words.append("number of the row, from 0")
            given = MEANINGS.get(f"{name}.{column}") or (None if words else MEANINGS.get(column))
            words = [given, *words] if given else words
            yield f"| `{column}` | {kind.lower()} | {'' if not_null or primary else 'yes'} | {'; '.join(words)} |"
        yield ""


def _comments(written: str) -> tuple[str, dict[str, list[str]]]:
    """The comment on a table, and by column its comment and the values that a CHECK allows."""
    first, *lines = written.strip().splitlines()
    meanings: dict[str, list[str]] = {}
    for line in lines:
        code, _, comment = line.strip().partition("--")
        found = [comment.strip()] if comment else []
        allowed = _ALLOWED.search(code)
        if allowed and "typeof" not in code:
            found.append("one of " + allowed[1].replace("'", "`"))
        meanings[code.partition(" ")[0]] = found
    return first.partition("--")[2].strip(), meanings


def main() -> None:
    """Write all files, and remove the pages of rules that are gone."""
    texts = documents()
    for page in (DOCS / "rules").glob("*.md"):
        if f"rules/{page.name}" not in texts:
            page.unlink()
    for name, text in texts.items():
        (DOCS / name).parent.mkdir(parents=True, exist_ok=True)
        (DOCS / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
