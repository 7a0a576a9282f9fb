"""Open the documents of plans with other people's programs, and fail where a person would see a fault.

Usage: check_documents.py PLAN_FOLDER ...

LibreOffice computes every workbook anew and must find our results, and in some of them those of prices and counts that are
changed as a buyer would; it prints some, and no cell may show an error or `###`. Every drawing is drawn by Chromium and every PDF by Poppler: no picture and no page
may be empty. All documents must tell of the same cables, parts and ends as `plan.db` (tests/support/read_back.py).

Give all plans at once: LibreOffice and Chromium are started once for all of them, and the rest runs on all cores.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from tests.support.read_back import PRINTED, TABLES, Documents  # noqa: E402
from tests.support.workbook_changes import changed_workbook, totals_amiss  # noqa: E402

ERROR_TEXT = re.compile(r"#(?:NAME\?|REF!|VALUE!|DIV/0!|N/A|NUM!|NULL!)|Err:\d{3}")
TOO_NARROW = re.compile(r"(?<!\S)#{3,}(?!\S)")
"""What stands in place of a number that its column is too narrow for."""
DRAWINGS = ("floor-plan.svg", "topology.svg", "sections.svg")
LEAST_INK = 0.002  # share of a picture that differs from its background; a broken-image icon has less
LEAST_PAGE_INK = 0.0005
DOTS_PER_INCH = 20  # enough to see that something is drawn, and a quarter of the time of 50
TILE = (800, 600)
TILES_ACROSS = 4
SCHEDULES = ("Cables", "Ports")
MOST_ROWS = 80
CHANGED = 2  # so many of the plans, those with the fewest cables, have their workbooks changed, and printed too
PRINTED_BOOKS = 4
SECONDS = 600


def main(names: list[str]) -> int:
    if not names:
        sys.exit("usage: check_documents.py PLAN_FOLDER ...")
    folders = [Path(name) for name in names]
    if missing := [folder / "bom.xlsx" for folder in folders if not (folder / "bom.xlsx").is_file()]:
        sys.exit(f"check_documents.py: there is no {missing[0]}")
    with tempfile.TemporaryDirectory() as name, ProcessPoolExecutor() as cores:
        scratch = Path(name)
        # The longest first. Each is a process of its own that mostly waits for another program.
        tasks: list[Callable[[], list[str]]] = [
            partial(computed_faults, folders, scratch),
            partial(printed_faults, folders, scratch),
            partial(drawing_faults, folders, scratch),
            *(partial(folder_faults, folder) for folder in folders),
        ]
        faults = [fault for found in cores.map(call, tasks) for fault in found]
    print("\n".join(faults) or f"{len(folders)} plan(s): documents are fine")
    return 1 if faults else 0


def call(task: Callable[[], list[str]]) -> list[str]:
    return task()


# --- workbooks ----------------------------------------------------------------------------------------------------------


def computed_faults(folders: list[Path], scratch: Path) -> list[str]:
    """Every workbook without the results that we wrote, and some with other prices and counts, computed by LibreOffice."""
    asked = scratch / "asked"
    asked.mkdir()
    for number, folder in enumerate(folders):
        shortened(folder / "bom.xlsx", asked / f"{number}.xlsx", results=False)
    smallest = smallest_of(folders, CHANGED)
    changes = {
        number: changed_workbook(folder, asked / f"changed-{number}.xlsx") for number, folder in enumerate(smallest)
    }
    computed = converted(asked, "xlsx", scratch)
    faults = []
    for number, folder in enumerate(folders):
        faults += results_amiss(folder / "bom.xlsx", computed / f"{number}.xlsx")
    for number, lines in changes.items():
        book = openpyxl.load_workbook(computed / f"changed-{number}.xlsx", data_only=True)
        faults += [f"{smallest[number]}/bom.xlsx, changed: {fault}" for fault in totals_amiss(book, lines)]
    return faults


def smallest_of(folders: list[Path], count: int) -> list[Path]:
    return sorted(folders, key=lambda folder: (folder / "cables.csv").stat().st_size)[:count]


def shortened(workbook: Path, target: Path, *, results: bool) -> None:
    """The workbook with the first rows of its schedules, whose other rows are of the same kind and take most of the time.

    results: whether formulas keep what we say they come to, which LibreOffice believes in a file that says it is Excel's.
    """
    with ZipFile(workbook) as source, ZipFile(target, "w", ZIP_DEFLATED, compresslevel=1) as copy:
        titles = re.findall(rb'<sheet [^>]*name="([^"]*)"', source.read("xl/workbook.xml"))
        for name in source.namelist():
            content = source.read(name)
            if number := re.fullmatch(r"xl/worksheets/sheet(\d+)\.xml", name):
                if not results:
                    content = re.sub(rb"</f><v>[^<]*</v>", b"</f>", content)
                if titles[int(number[1]) - 1].decode() in SCHEDULES:
                    content = re.sub(
                        rb'<row r="%d".*</sheetData>' % (MOST_ROWS + 1), b"</sheetData>", content, flags=re.DOTALL
                    )
            copy.writestr(name, content)


def results_amiss(workbook: Path, computed: Path) -> list[str]:
    """Cells that another program's reading and arithmetic makes other than ours, and errors."""
    ours, theirs = (openpyxl.load_workbook(path, data_only=True) for path in (workbook, computed))
    if ours.sheetnames != theirs.sheetnames:
        return [f"{workbook}: LibreOffice has the sheets {theirs.sheetnames}"]
    return [
        f"{workbook}: {sheet.title}!{cell.coordinate} shows {other.value!r}, and should show {cell.value!r}"
        for sheet in ours.worksheets
        for row, others in zip(rows_of(sheet), rows_of(theirs[sheet.title], sheet.max_column), strict=True)
        for cell, other in zip(row, others, strict=True)
        if not same(cell.value, other.value) or other.data_type == "e"
    ]  # fmt: skip


def rows_of(sheet: Any, columns: int | None = None) -> Iterator[tuple[Any, ...]]:
    most = MOST_ROWS if sheet.title in SCHEDULES else None
    rows: Iterator[tuple[Any, ...]] = sheet.iter_rows(max_row=most and min(most, sheet.max_row), max_col=columns)
    return rows


def same(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, int | float) and isinstance(theirs, int | float):
        return abs(ours - theirs) <= 1e-9 * max(1, abs(ours))
    return (ours or "") == (theirs or "") or ours == theirs


def printed_faults(folders: list[Path], scratch: Path) -> list[str]:
    """As LibreOffice prints some workbooks: errors, and numbers that do not fit their columns."""
    asked = scratch / "to-print"
    asked.mkdir()
    smallest = smallest_of(folders, PRINTED_BOOKS)
    for number, folder in enumerate(smallest):
        shortened(folder / "bom.xlsx", asked / f"{number}.xlsx", results=True)
    for number, folder in enumerate(smallest[:CHANGED]):
        changed_workbook(folder, asked / f"changed-{number}.xlsx")
    faults = []
    for document in sorted(converted(asked, "pdf", scratch).iterdir()):
        text = run("pdftotext", "-layout", str(document), "-")
        of = f"{smallest[int(document.stem.removeprefix('changed-'))]}/bom.xlsx ({document.stem})"
        faults += [
            f"{of}: printed as {words}" for words in sorted({*ERROR_TEXT.findall(text), *TOO_NARROW.findall(text)})
        ]
        faults += [] if text.strip() else [f"{of}: prints without any text"]
    return faults


def converted(asked: Path, kind: str, scratch: Path) -> Path:
    """A folder of the documents of another as LibreOffice saves them."""
    target = scratch / f"{asked.name}-{kind}"
    profile = f"-env:UserInstallation={(scratch / f'libreoffice-{kind}').as_uri()}"
    documents = sorted(asked.iterdir())
    run("soffice", profile, "--headless", "--convert-to", kind, "--outdir", str(target), *map(str, documents))
    missing = [path for path in documents if not (target / path.with_suffix(f".{kind}").name).is_file()]
    if missing:  # LibreOffice says 0 also when it wrote nothing
        sys.exit(f"soffice did not convert {missing[0]}")
    return target


# --- drawings -----------------------------------------------------------------------------------------------------------


def drawing_faults(folders: list[Path], scratch: Path) -> list[str]:
    """Drawn by Chromium in one page of tiles, each drawing whole whatever its size."""
    faults = [f"{folder / name}: missing" for folder in folders for name in DRAWINGS if not (folder / name).is_file()]
    drawings = [drawing for folder in folders for drawing in sorted(folder.glob("*.svg"))]
    for drawing in drawings:
        ET.parse(drawing)  # noqa: S314 - our own file; a browser draws half of a broken one
    width, height = TILE
    style = f"width:{width}px;height:{height}px;object-fit:contain;float:left"
    tiles = "".join(f'<img src="{drawing.resolve().as_uri()}" style="{style}">' for drawing in drawings)
    page, picture = scratch / "page.html", scratch / "page.png"
    page.write_text(f'<body style="margin:0;background:white">{tiles}', encoding="utf-8")
    rows = -(-len(drawings) // TILES_ACROSS)
    flags = "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --no-first-run"
    run(
        browser(), *flags.split(), f"--window-size={TILES_ACROSS * width},{rows * height}",
        f"--user-data-dir={scratch / 'chromium'}", f"--screenshot={picture}", page.as_uri(),
    )  # fmt: skip
    if not picture.is_file():
        return [*faults, "Chromium drew nothing"]
    with Image.open(picture) as image:
        for number, drawing in enumerate(drawings):
            left, top = number % TILES_ACROSS * width, number // TILES_ACROSS * height
            share = ink(image.crop((left, top, left + width, top + height)))
            print(f"{drawing}: {share:.1%} of the picture is drawn")
            faults += [] if share >= LEAST_INK else [f"{drawing}: the picture is blank"]
    return faults


def browser() -> str:
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    sys.exit("check_documents.py: there is no chromium")


# --- everything of one plan ---------------------------------------------------------------------------------------------


def folder_faults(folder: Path) -> list[str]:
    """PDFs without a page or with a blank one, and documents that disagree with the plan."""
    pdfs = sorted(folder.rglob("*.pdf"))
    faults = [] if pdfs else [f"{folder}: no PDF"]
    for pdf in pdfs:
        faults += pdf_faults(pdf)
    documents = Documents(folder, lambda pdf: run("pdftotext", "-raw", str(pdf), "-"))
    checks = [*TABLES, *PRINTED] if any((folder / name).exists() for name in ("labels.pdf", "labels")) else TABLES
    return faults + [f"{folder}: {fault}" for check in checks for fault in check(documents)]


def pdf_faults(pdf: Path) -> list[str]:
    """Drawn page by page by Poppler."""
    with tempfile.TemporaryDirectory() as pages:
        run("pdftoppm", "-r", str(DOTS_PER_INCH), "-gray", str(pdf), f"{pages}/page")
        pictures = sorted(Path(pages).iterdir())
        print(f"{pdf}: {len(pictures)} pages")
        blank = []
        for picture in pictures:
            with Image.open(picture) as image:
                blank += [f"{pdf}: {picture.stem} is blank"] if ink(image) < LEAST_PAGE_INK else []
    return blank if pictures else [f"{pdf}: no pages"]


def ink(image: Image.Image) -> float:
    """Share of the pixels that differ clearly from the commonest one, the background."""
    counts = image.convert("L").histogram()
    background = counts.index(max(counts))
    near = sum(counts[max(0, background - 8) : background + 9])
    return 1 - near / sum(counts)


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode:
        sys.exit(f"{command[0]} failed ({done.returncode}): {done.stderr.strip()[-2000:]}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
