"""Open a plan's documents with other people's programs, and fail where a person would see a fault.

Usage: check_documents.py PLAN_FOLDER ...

The workbook is recalculated and printed by LibreOffice: no cell may hold an error. Every drawing is drawn by Chromium
and every PDF by Poppler: no picture and no page may be empty, and no text of a label may be missing.
"""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree as ET

import openpyxl
from PIL import Image

ERROR_TEXT = re.compile(r"#(?:NAME\?|REF!|VALUE!|DIV/0!|N/A|NUM!|NULL!)|Err:\d{3}")
LEAST_INK = 0.002  # share of a picture that differs from its background; a broken-image icon has less
LEAST_PAGE_INK = 0.0005
SECONDS = 180


def main(folders: list[str]) -> int:
    if not folders:
        sys.exit("usage: check_documents.py PLAN_FOLDER ...")
    faults = []
    for name in folders:
        folder = Path(name)
        with tempfile.TemporaryDirectory() as scratch:
            faults += workbook_faults(folder / "bom.xlsx", Path(scratch))
            drawings = ["floor-plan.svg", "topology.svg", "sections.svg"]
            for drawing in (*drawings, *(path.name for path in folder.glob("elevations.svg"))):
                faults += drawing_faults(folder / drawing, Path(scratch))
            faults += text_faults(folder)
            pdfs = sorted(folder.rglob("*.pdf"))
            if not pdfs:
                faults.append(f"{folder}: no PDF")
            for pdf in pdfs:
                faults += pdf_faults(pdf, Path(scratch))
    print("\n".join(faults) or f"{len(folders)} plan(s): documents are fine")
    return 1 if faults else 0


def workbook_faults(workbook: Path, scratch: Path) -> list[str]:
    """Recalculated by LibreOffice: errors in cells, and in the printed pages."""
    if not workbook.is_file():
        return [f"{workbook}: missing"]
    faults = []
    recalculated = converted(workbook, "xlsx", scratch)
    for sheet in openpyxl.load_workbook(recalculated, data_only=True).worksheets:
        for row in sheet.iter_rows():
            faults += [
                f"{workbook}: {sheet.title}!{cell.coordinate} shows {cell.value}"
                for cell in row
                if cell.data_type == "e" or (isinstance(cell.value, str) and ERROR_TEXT.search(cell.value))
            ]
    printed = converted(workbook, "pdf", scratch)
    text = run("pdftotext", "-layout", str(printed), "-")
    faults += [f"{workbook}: printed as {shown}" for shown in sorted(set(ERROR_TEXT.findall(text)))]
    faults += [] if text.strip() else [f"{workbook}: prints without any text"]
    return faults


def converted(document: Path, kind: str, scratch: Path) -> Path:
    """The document as LibreOffice saves it."""
    target = scratch / kind
    profile = f"-env:UserInstallation={(scratch / 'libreoffice').as_uri()}"
    run("soffice", profile, "--headless", "--convert-to", kind, "--outdir", str(target), str(document))
    return target / document.with_suffix(f".{kind}").name  # LibreOffice says 0 also when it wrote nothing


def drawing_faults(drawing: Path, scratch: Path) -> list[str]:
    """Drawn by Chromium inside a page, so that all of it is in the picture whatever its size."""
    if not drawing.is_file():
        return [f"{drawing}: missing"]
    ET.parse(drawing)  # noqa: S314 - our own file; a browser draws half of a broken one
    page = scratch / "page.html"
    style = "margin:0;width:100vw;height:100vh;object-fit:contain"
    page.write_text(
        f'<body style="margin:0"><img src="{drawing.resolve().as_uri()}" style="{style}">', encoding="utf-8"
    )
    picture = scratch / "page.png"
    flags = "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --no-first-run"
    run(
        browser(), *flags.split(), "--window-size=1600,1200", f"--user-data-dir={scratch / 'chromium'}",
        f"--screenshot={picture}", page.as_uri(),
    )  # fmt: skip
    if not picture.is_file():
        return [f"{drawing}: Chromium drew nothing"]
    share = ink(picture)
    print(f"{drawing}: {share:.1%} of the picture is drawn")
    return [] if share >= LEAST_INK else [f"{drawing}: the picture is blank"]


def browser() -> str:
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    sys.exit("check_documents.py: there is no chromium")


def pdf_faults(pdf: Path, scratch: Path) -> list[str]:
    """Drawn page by page by Poppler."""
    pages = scratch / f"pages-{pdf.stem}"
    pages.mkdir()
    run("pdftoppm", "-r", "50", "-gray", "-png", str(pdf), str(pages / "page"))
    pictures = sorted(pages.iterdir())
    print(f"{pdf}: {len(pictures)} pages")
    blank = [f"{pdf}: {picture.stem} is blank" for picture in pictures if ink(picture) < LEAST_PAGE_INK]
    return blank if pictures else [f"{pdf}: no pages"]


def text_faults(folder: Path) -> list[str]:
    """Every text of labels.csv, as Poppler reads it from the label sheets and from the cut sheets."""
    with (folder / "labels.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["near"] and row["device"]]
    faults = []
    for name, wanted in (
        ("labels", [row["near"] for row in rows]),
        ("cut-sheets", [f"label {row['near']} > {row['far']}" for row in rows]),
    ):
        pdfs = [folder / f"{name}.pdf"] if (folder / f"{name}.pdf").is_file() else sorted((folder / name).glob("*.pdf"))
        # Long texts go over two lines, so blanks and line ends do not count.
        text = "".join("".join(run("pdftotext", "-raw", str(pdf), "-").split()) for pdf in pdfs)
        missing = [words for words in wanted if "".join(words.split()) not in text]
        faults += (
            [f"{folder / name}: {len(missing)} of {len(wanted)} texts are missing, such as {missing[0]!r}"]
            if missing
            else []
        )
    return faults


def ink(picture: Path) -> float:
    """Share of the pixels that differ clearly from the commonest one, the background."""
    with Image.open(picture) as image:
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
