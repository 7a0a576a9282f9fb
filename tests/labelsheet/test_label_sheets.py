"""Sheets of labels: a label for every end, the ends of a cable together, and the printed sheets read back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from pypdf import PdfReader

from planner import schedules
from planner.cutsheet import sheets
from planner.labelsheet import FORMATS, Label, SheetFormat, label_sheets, labels_by_cable
from planner.plan import Plan
from planner.printable import printable
from planner.table import Words
from planner.write.labels import write_labels
from tests.support.projects import LAYOUTS, plan_of

UM = 72 / 25400
PAPER_UM = {"a4-portrait": (210_000, 297_000), "letter-portrait": (215_900, 279_400)}
EVERY_FORMAT = pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS)


@pytest.fixture(scope="module")
def splitter(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    """A pod with a splitter that has a leg without a port."""
    folder = tmp_path_factory.mktemp("splitter")
    text = (LAYOUTS / "superpod-h100-1su" / "project.yaml").read_text(encoding="utf-8")
    text += "pins: [{links: 'ufm-1:ib0--*', cable: mfp7e20}]\n"
    (folder / "project.yaml").write_text(text, encoding="utf-8")
    return plan_of(folder)


class Drawn(NamedTuple):
    text: str
    x: float
    y: float
    size: float


def read(path: Path) -> Iterator[list[Drawn]]:
    for page in PdfReader(path).pages:
        found: list[Drawn] = []

        def keep(
            text: str, _cm: list[float], tm: list[float], _font: object, size: float, found: list[Drawn] = found
        ) -> None:
            if text.strip():
                found.append(Drawn(text.strip(), tm[4], tm[5], size))

        page.extract_text(visitor_text=keep)
        yield found


def by_place(page: list[Drawn], form: SheetFormat) -> dict[tuple[int, int], list[str]]:
    """The texts of a page by the label that they begin in; the strip above the labels is row -1."""
    height = PAPER_UM[form.paper][1]
    found: dict[tuple[int, int], list[str]] = {}
    for text, x, y, _ in page:
        column = int((x / UM - form.left_um) // form.step_x_um)
        row = int((height - y / UM - form.top_um) // form.step_y_um)
        found.setdefault((row, column) if row >= 0 else (-1, 0), []).append(text)
    return found


@EVERY_FORMAT
def test_a_format_fits_its_paper_evenly(form: SheetFormat) -> None:
    width, height = PAPER_UM[form.paper]
    right = width - form.left_um - (form.columns - 1) * form.step_x_um - form.width_um
    bottom = height - form.top_um - (form.rows - 1) * form.step_y_um - form.height_um
    assert right == pytest.approx(form.left_um, abs=2)
    assert bottom == pytest.approx(form.top_um, abs=2)
    assert form.step_x_um >= form.width_um
    assert form.step_y_um >= form.height_um
    assert form.source
    assert form.evidence == "secondary"


@EVERY_FORMAT
def test_places_come_in_pairs_that_touch(form: SheetFormat) -> None:
    places = form.places
    assert len(set(places)) == len(places) >= form.columns * form.rows - 1
    assert len(places) % 2 == 0
    assert all(0 <= row < form.rows and 0 <= column < form.columns for row, column in places)
    for (row, column), (other_row, other_column) in zip(places[::2], places[1::2], strict=True):
        assert abs(row - other_row) + abs(column - other_column) == 1


def test_every_row_of_the_csv_has_one_label(pod: Plan, splitter: Plan) -> None:
    for plan in (pod, splitter):
        labels = [label for labels in labels_by_cable(plan) for label in labels]
        rows = Counter((row[0], row[1], row[6], row[7]) for row in schedules.label_rows(plan))
        assert Counter((one.cable_id, one.end, one.near, one.far if one.is_used else "") for one in labels) == rows


def test_labels_follow_the_order_of_the_cut_sheets(pod: Plan) -> None:
    pulled = [row.cable_id for sheet in sheets(pod) for row in sheet.rows if not row.lands_from]
    assert [labels[0].cable_id for labels in labels_by_cable(pod)] == pulled
    racks = [labels[0].rack for labels in labels_by_cable(pod)]
    assert list(dict.fromkeys(racks)) == sorted(set(racks))


@EVERY_FORMAT
def test_the_ends_of_a_cable_touch_on_one_sheet(splitter: Plan, form: SheetFormat) -> None:
    seen: set[int] = set()
    for sheet in label_sheets(labels_by_cable(splitter), form):
        at: dict[int, list[tuple[int, int]]] = {}
        for row, column, label in sheet.labels:
            at.setdefault(label.cable_id, []).append((row, column))
        assert seen.isdisjoint(at)
        seen |= set(at)
        for places in at.values():
            first, second = places[:2]
            assert abs(first[0] - second[0]) + abs(first[1] - second[1]) == 1


def test_a_cable_with_more_ends_than_a_sheet_has_places_goes_over_several(two_racks: Plan) -> None:
    label = next(labels_by_cable(two_racks))[0]
    small = replace(FORMATS["letter-30"], rows=2)
    many = [(label,) * 2, (label,) * 15, (label,) * 2]
    assert [len(sheet.labels) for sheet in label_sheets(many, small)] == [2, 6, 6, 5]
    assert list(label_sheets([], small)) == []


@EVERY_FORMAT
def test_every_label_is_printed_inside_its_place(splitter: Plan, tmp_path: Path, form: SheetFormat) -> None:
    pages = list(read(write_labels(splitter, tmp_path, sheet=form.id)))
    planned = list(label_sheets(labels_by_cable(splitter), form))
    assert len(pages) == len(planned)
    for page, sheet in zip(pages, planned, strict=True):
        printed = by_place(page, form)
        assert printed.keys() == {(-1, 0)} | {(row, column) for row, column, _ in sheet.labels}
        for row, column, label in sheet.labels:
            assert wanted(label) <= set(printed[row, column])


def wanted(label: Label) -> set[str]:
    part = f"{label.part.length_mm / 1000:g} m · {label.part.colour} · {label.part.part}"
    always = {str(label.cable_id), label.end, part, "DRAFT"}
    if label.is_used:
        return always | {label.near, f"\u2192 {label.far}"}
    return always | {"unused leg", f"cap it, head {label.far}"}


def test_the_unused_leg_names_the_head_of_its_splitter(splitter: Plan) -> None:
    (unused,) = (one for labels in labels_by_cable(splitter) for one in labels if not one.is_used)
    (head,) = (
        one
        for labels in labels_by_cable(splitter)
        for one in labels
        if one.cable_id == unused.cable_id and one.end == "a"
    )
    assert (unused.end, unused.far) == ("z2", head.near)


def test_the_strip_above_says_which_sheet_it_is(pod: Plan, tmp_path: Path) -> None:
    pages = list(read(write_labels(pod, tmp_path)))
    for number, page in enumerate(pages, start=1):
        strip = " ".join(by_place(page, FORMATS["a4-65"])[-1, 0])
        assert strip.startswith(f"sheet {number} of {len(pages)} · pulled from A0")
        for text in ("superpod-h100-1su", "revision A", pod.identity.inputs_sha256[:12], "print at 100 %"):
            assert text in strip
        assert "DRAFT" not in {drawn.text for drawn in page}


def test_a_draft_says_so_on_every_label(splitter: Plan, tmp_path: Path) -> None:
    assert splitter.identity.draft
    form = FORMATS["a4-65"]
    for page in read(write_labels(splitter, tmp_path)):
        places = by_place(page, form)
        assert places.pop((-1, 0))[0].startswith("DRAFT, do not install")
        assert all("DRAFT" in texts for texts in places.values())


def test_the_same_plan_gives_the_same_bytes(pod: Plan, tmp_path: Path) -> None:
    first = write_labels(pod, tmp_path).read_bytes()
    assert write_labels(pod, tmp_path).read_bytes() == first


def test_a_plan_without_cables_has_one_empty_sheet(two_racks: Plan, tmp_path: Path) -> None:
    bare = replace(
        two_racks,
        ends=two_racks.ends.take(two_racks.ends.cable < 0),
        cables=two_racks.cables.take(two_racks.cables.part < 0),
        links=two_racks.links.take(two_racks.links.cable < 0),
        plugs=two_racks.plugs.take(two_racks.plugs.part < 0),
        plug_links=two_racks.plug_links.take(two_racks.plug_links.plug < 0),
    )
    (page,) = read(write_labels(bare, tmp_path))
    assert page[0].text.startswith("sheet 1 of 1 · no cables")


HOSTILE = (
    "W" * 64,
    "i" * 64,
    "<b>&\"'</b> (x) \\n \\ %s {0} " + "m" * 36,
    "\u6a5f\u67b6" * 16,
    "\u0421\u0442\u043e\u0439 \u00e9\u00df",
)


@EVERY_FORMAT
@pytest.mark.parametrize("name", HOSTILE)
def test_long_names_shrink_and_stay_inside_the_label(
    two_racks: Plan, tmp_path: Path, form: SheetFormat, name: str
) -> None:
    ends = two_racks.ends
    near, far = (
        Words(column.codes, tuple(f"{text}-{name}" for text in column.vocabulary)) for column in (ends.near, ends.far)
    )
    plan = replace(two_racks, ends=replace(ends, near=near, far=far))
    (page,) = read(write_labels(plan, tmp_path, sheet=form.id))
    (sheet,) = label_sheets(labels_by_cable(plan), form)
    printed = by_place(page, form)
    height = PAPER_UM[form.paper][1]
    for row, column, label in sheet.labels:
        squeezed = "".join(printed[row, column]).replace(" ", "")
        for text in (label.near, label.far):
            assert printable(text).replace(" ", "") in squeezed
    bottoms = [height - form.top_um - (row + 1) * form.step_y_um for row, _, _ in sheet.labels]
    lowest = min(drawn.y for drawn in page) / UM
    assert lowest > min(bottoms) + 1000  # a millimetre above the label's lower edge
