"""Parsing the arguments, calling the command, and turning what happens into an exit status."""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from planner import __version__

OK, FINDINGS, FAILED, INTERRUPTED = 0, 1, 2, 130
PAPERS = ("a4", "letter", "a3")
CODES = ("code128", "qr", "none")
SHAPES = ("plain", "flag", "wrap")
"""As `planner.write.choices` and `planner.write.page` have them: importing those would slow down `--help`."""

SIZES = {
    "units": "how many units the cluster has",
    "nodes_per_rack": "nodes in a compute rack",
    "rooms": "rooms that the units are divided over",
    "racks": "how many racks of nodes",
}
"""Figures that templates take, as options of `init`; which takes what, `init` alone lists."""


class CommandError(Exception):
    """The command cannot be carried out (bad usage, unwritable output); the message is one line for the user."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Exit status: 0 no errors, 1 errors found, 2 bad usage or an unreadable file, 130 on Ctrl-C."""
    parser = _parser()
    parsed = parser.parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # Names may hold what the terminal's encoding lacks; a report that dies half-way helps nobody.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        with seldom_collected():
            module = importlib.import_module(f"planner.cli.{parsed.module}")
            status = int(getattr(module, parsed.function)(parsed))
        sys.stdout.flush()
    except CommandError as error:
        print(f"planner: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("planner: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (`head`) has what it wanted; without this Python complains while closing stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except MemoryError:
        print("planner: out of memory", file=sys.stderr)
        return FAILED
    except Exception as error:
        if os.environ.get("PLANNER_TRACEBACK"):
            raise
        print(
            f"planner: internal error: {type(error).__name__}: {error} (PLANNER_TRACEBACK=1 shows where)",
            file=sys.stderr,
        )
        return FAILED
    return status


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Imports and a run make many objects and hardly any garbage: the collector's walks are a sixth of a small plan."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, 50, 1_000)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="planner",
        description="Plans the cabling of AI and HPC clusters: YAML in, a checked plan, purchase list and cut sheets out.",
        epilog="example: planner plan layouts/two-racks",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"planner {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _project_commands(commands)
    _plan_commands(commands)
    _reference_commands(commands)
    return parser


def _command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, does: str, example: str, call: str
) -> argparse.ArgumentParser:
    """A command's parser; call is `module.function` below `planner.cli`."""
    parser = commands.add_parser(
        name,
        help=does,
        description=does[:1].upper() + does[1:] + ".",
        epilog=f"example: planner {example}",
        allow_abbrev=False,
    )
    module, function = call.split(".")
    parser.set_defaults(module=module, function=function)
    return parser


def _own_catalogs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--catalog", metavar="DIR", action="append", default=[], help="a catalog folder beside the shipped one"
    )


def _format(parser: argparse.ArgumentParser, *choices: str) -> None:
    parser.add_argument("--format", choices=choices, default="text", help="form of the output (default: text)")


def _printing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--paper", choices=PAPERS, default="a4", help="of cut sheets and elevations (default: a4)")
    parser.add_argument(
        "--codes",
        choices=CODES,
        default="code128",
        help="codes of the cable IDs; labels have QR or none (default: code128)",
    )
    parser.add_argument(
        "--labels",
        metavar="FORM",
        help="label sheets a4-65, a4-48, a4-24, letter-30, letter-80, a roll such as roll-50.8x25.4, csv, zpl-203-50.8x25.4"
        " (default: the project's, a4-65)",
    )
    parser.add_argument("--label-shape", choices=SHAPES, help="of labels in PDF (default: the project's, plain)")
    _font(parser)


def _font(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--font", metavar="FILE", help="font for names that the documents' own lacks; cjk: that of the extra `cjk`"
    )


def _project_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    init = _command(
        commands,
        "init",
        "write a starter project that plans clean; without a template, list them",
        "init superpod-h100 my-cluster --units 4",
        "starter.init",
    )
    init.add_argument("template", metavar="TEMPLATE", nargs="?", help="its name")
    init.add_argument("folder", metavar="DIR", nargs="?", help="new or empty folder to write it into")
    for size, meaning in SIZES.items():
        init.add_argument(f"--{size.replace('_', '-')}", type=int, metavar="N", help=meaning)

    check = _command(
        commands,
        "check",
        "check a project: everything but documents",
        "check my-cluster --format github",
        "project.check",
    )
    check.add_argument("project", metavar="PROJECT", help="folder with project.yaml, or such a file")
    check.add_argument("--findings", metavar="FILE", help="also save the findings as JSON")
    _font(check)
    _format(check, "text", "json", "github")

    plan = _command(
        commands,
        "plan",
        "compile a project and write its plan and documents",
        "plan my-cluster --out my-plan",
        "project.plan",
    )
    plan.add_argument("project", metavar="PROJECT", help="folder with project.yaml, or such a file")
    plan.add_argument("--out", metavar="DIR", help="folder to write (default: output/NAME/)")
    _printing(plan)
    plan.add_argument("--without", metavar="PART", action="append",
                      help="what if a part or family cannot be had: print what changes, write nothing without --out")  # fmt: skip
    plan.add_argument("--max-lead-time", metavar="WEEKS", help="what if nothing may take longer, such as 8w")
    plan.add_argument(
        "--objective", metavar="NAME", help="what if parts were chosen by media, cost, power, lead_time or part_numbers"
    )
    plan.add_argument("--draft", action="store_true", help="write documents although errors stand, marked as drafts")
    _format(plan, "text", "json", "github")


def _plan_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    render = _command(
        commands,
        "render",
        "make documents again from a plan alone",
        "render output/two-racks --only cut-sheets --rack A01 --out print",
        "stored.render",
    )
    render.add_argument("plan", metavar="PLAN", help="plan.db, or the folder that holds it")
    render.add_argument(
        "--only",
        metavar="KIND,...",
        help="only these documents: bom, cut-sheets, links, ...; dxf: the floor plan for CAD",
    )
    render.add_argument("--rack", metavar="NAME", help="only this rack's sheets (documents by rack)")
    _printing(render)
    render.add_argument(
        "--highlight", metavar="NAME", help="mark a link, cable, tier (fabric/tier), phase or rack on the floor plan"
    )
    render.add_argument(
        "--label-template",
        metavar="TEXT",
        help="other label texts: {rack}-U{u:02}:{port}, or a name: location, near-far, tia-606, tenstorrent, h3c, serial, device",
    )
    render.add_argument("--out", metavar="DIR", help="folder to write into (default: the plan's own)")

    explain = _command(
        commands,
        "explain",
        "say why a link, a cable or a part is as it is",
        "explain output/two-racks leaf-1:17/1--spine-1:1/1",
        "stored.explain",
    )
    explain.add_argument("plan", metavar="PLAN", help="plan.db, or the folder that holds it")
    explain.add_argument(
        "name", metavar="NAME", help="a link ID, a cable ID, a panel, a part or order number, or a catalog id"
    )
    explain.add_argument(
        "--svg", metavar="FILE", help="also draw a link: its way from above, its heights, and its light path"
    )
    explain.add_argument("--all", action="store_true", help="also list the parts that fit neither cage")
    _format(explain, "text", "json")


def _reference_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    rules = _command(commands, "rules", "list the rules, or print one rule's page", "rules PRT008", "reference.rules")
    rules.add_argument("rule", metavar="ID", nargs="?", help="a rule's ID or name")
    _format(rules, "text", "json")

    channel = _command(
        commands,
        "channel",
        "judge a file of optical channels",
        "channel channels.yaml --format json",
        "reference.channel",
    )
    channel.add_argument("file", metavar="FILE", help="channels in the form of docs/channels.md")
    channel.add_argument("--light", action="store_true", help="also print every channel's light path, joint by joint")
    channel.add_argument("--svg", metavar="FILE", help="also draw the light paths, a sheet a channel and leg")
    _format(channel, "text", "json")

    _catalog_commands(commands)

    _command(
        commands,
        "schema",
        "print the JSON Schema of a project, for editors",
        "schema > project.schema.json",
        "reference.schema",
    )


def _catalog_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    catalog = commands.add_parser("catalog", help="list, show, check and import parts", description="List, show, check and import parts.",
                                  epilog="example: planner catalog show mma4z00-ns", allow_abbrev=False)  # fmt: skip
    parts = catalog.add_subparsers(title="commands", metavar="COMMAND", required=True)
    listing = _command(parts, "list", "list the parts", "catalog list --kind transceiver", "reference.catalog_list")
    for facet, says in (
        ("kind", "switch, server, transceiver, dac, acc, cord, splitter, rack, ..."),
        ("form-factor", "of a cage, a plug or a cord's connector: osfp, qsfp112, mpo-12, ..."),
        ("rate", "ndr, 400g, ...; a rate's other electrical forms with it"),
        ("medium", "as plans say it (dac, acc, aec, aoc, optic, utp), or copper, multimode, single-mode"),
        ("vendor", "the manufacturer"),
        ("lifecycle", "active, last-order, discontinued, planned or unknown"),
    ):
        listing.add_argument(f"--{facet}", metavar=facet.upper(), help=f"only these: {says}")
    _own_catalogs(listing)
    _format(listing, "text", "json")
    show = _command(
        parts, "show", "print a part with its sources", "catalog show MFP7E10-N010", "reference.catalog_show"
    )
    show.add_argument("name", metavar="PART", help="an id, a part number or an order number")
    _own_catalogs(show)
    check = _command(parts, "check", "check catalog files", "catalog check my-catalog", "reference.catalog_check")
    check.add_argument(
        "path",
        metavar="PATH",
        nargs="?",
        help="a catalog folder, one of its folders, or a file (default: the shipped catalog)",
    )
    _format(check, "text", "json", "github")

    imports = parts.add_parser("import", help="make entries and price books from other files",
                               description="Make entries and price books from other files.", allow_abbrev=False,
                               epilog="example: planner catalog import netbox device-types --out my-catalog")  # fmt: skip
    forms = imports.add_subparsers(title="forms", metavar="FORM", required=True)
    netbox = _command(
        forms,
        "netbox",
        "make device entries from NetBox device types",
        "catalog import netbox device-types --out my-catalog",
        "imports.netbox",
    )
    netbox.add_argument("source", metavar="FILE|DIR", help="a device type in YAML, or a folder of them")
    netbox.add_argument(
        "--out", metavar="DIR", help="catalog folder to write into, as DIR/devices/ID.yaml (default: print the entries)"
    )
    prices = _command(
        forms,
        "prices",
        "make a price book from the workbook `bom.xlsx` or a list of prices",
        'catalog import prices output/two-racks/bom.xlsx --date 2026-10-01 --source "offer 4711" --out my-catalog/prices/offer.yaml',
        "imports.prices",
    )
    prices.add_argument(
        "file", metavar="FILE", help="a workbook *.xlsx or a CSV file with part or order numbers and prices"
    )
    prices.add_argument("--date", metavar="DAY", required=True, help="the day of the offer, as 2026-10-01")
    prices.add_argument("--source", metavar="TEXT", required=True, help="who offers, and under which number")
    prices.add_argument("--currency", metavar="CODE", help="of prices that have none beside them, such as EUR")
    _own_catalogs(prices)
    prices.add_argument(
        "--out", metavar="BOOK.yaml", help="file to write, which must not exist (default: print the book)"
    )
