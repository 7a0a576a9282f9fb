"""Names beyond the documents' own font: printed in another one that was asked for, else as their codes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from pypdf import PdfReader

from planner.cli import main
from planner.typeset import use_font
from tests.support.projects import project_text, write_project

NAME = "\u673a\u67b6"  # two letters of Chinese, which no shipped font has
GLYPHS = {0x20: "space", 0x673A: "one", 0x67B6: "two"}


@pytest.fixture(autouse=True)
def own_fonts_afterwards() -> Iterator[None]:
    yield
    use_font(None)


def made_font(path: Path, kind: str, embedding: int = 0) -> Path:
    """A font of squares: TrueType outlines, or PostScript ones as most fonts of these scripts have."""
    order = [".notdef", *GLYPHS.values()]
    builder = FontBuilder(1000, isTTF=kind == "ttf")
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap(GLYPHS)
    outlines = {}
    for name in order:
        pen = TTGlyphPen(None) if kind == "ttf" else T2CharStringPen(1000, None)
        pen.moveTo((100, 0))
        pen.lineTo((100, 800))
        pen.lineTo((900, 800))
        if kind == "otf":
            pen.curveTo((950, 500), (950, 300), (900, 0))
        pen.closePath()
        outlines[name] = pen.glyph() if kind == "ttf" else pen.getCharString()
    if kind == "ttf":
        builder.setupGlyf(outlines)
    else:
        builder.setupCFF("Squares", {"FullName": "Squares"}, outlines, {})
    builder.setupHorizontalMetrics(dict.fromkeys(order, (1000, 100)))
    builder.setupHorizontalHeader(ascent=880, descent=-120)
    builder.setupNameTable({"familyName": "Squares", "styleName": "Regular", "psName": "Squares"})
    builder.setupOS2(fsType=embedding)
    builder.setupPost()
    builder.save(path)
    return path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    text = project_text("two-racks").replace("A[01-02]", f"{NAME}[01-02]").replace("rack: A01", f"rack: {NAME}01")
    text = text.replace("racks: [A01, A02]", f"racks: [{NAME}01, {NAME}02]")
    folder = tmp_path / "project"
    write_project(folder, text)
    return folder


def printed(path: Path) -> str:
    return "".join(page.extract_text() for page in PdfReader(path).pages)


@pytest.mark.parametrize("kind", ["ttf", "otf"])
def test_names_print_in_the_font_and_read_back(project: Path, tmp_path: Path, kind: str) -> None:
    font = made_font(tmp_path / f"squares.{kind}", kind)
    plan = tmp_path / "plan"
    assert main(["plan", str(project), "--out", str(plan), "--font", str(font)]) == 0
    rules = {finding["rule"] for finding in json.loads((plan / "findings.json").read_text("utf-8"))}
    assert "INP014" not in rules
    for document in ("cut-sheets.pdf", "labels.pdf", "elevations.pdf", "floor-plan.pdf"):
        assert f"{NAME}01" in printed(plan / document).replace("\n", ""), document
    first = (plan / "cut-sheets.pdf").read_bytes()
    render = ["render", str(plan), "--only", "cut-sheets", "--out", str(tmp_path / "again")]
    assert main([*render, "--font", str(font)]) == 0
    assert (tmp_path / "again" / "cut-sheets.pdf").read_bytes() == first
    assert main([*render[:-1], str(tmp_path / "codes")]) == 0
    assert "\\u673a\\u67b601" in printed(tmp_path / "codes" / "cut-sheets.pdf")


def test_without_it_names_print_as_codes_with_a_warning(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(project)]) == 0
    told = capsys.readouterr().out
    assert "INP014" in told
    assert "--font" in told


def test_a_font_that_lacks_a_letter_leaves_its_code_and_the_warning(tmp_path: Path) -> None:
    text = project_text("two-racks").replace("name: two-racks", f"name: {NAME}\u5b57")
    write_project(tmp_path / "project", text)
    font = made_font(tmp_path / "squares.otf", "otf")
    assert main(["plan", str(tmp_path / "project"), "--out", str(tmp_path / "plan"), "--font", str(font)]) == 0
    findings = json.loads((tmp_path / "plan" / "findings.json").read_text("utf-8"))
    (told,) = (finding for finding in findings if finding["rule"] == "INP014")
    assert told["note"].startswith("U+5B57 ")
    assert f"{NAME}\\u5b57" in printed(tmp_path / "plan" / "cut-sheets.pdf")


@pytest.mark.parametrize(
    ("name", "fault"), [("none.ttf", "no font file"), ("text.ttf", "no font file"), ("locked.ttf", "does not permit")]
)
def test_a_font_that_cannot_be_used_is_refused(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, fault: str
) -> None:
    (tmp_path / "text.ttf").write_text("no font", encoding="utf-8")
    made_font(tmp_path / "locked.ttf", "ttf", embedding=2)
    assert main(["check", str(project), "--font", str(tmp_path / name)]) == 2
    assert fault in capsys.readouterr().err
