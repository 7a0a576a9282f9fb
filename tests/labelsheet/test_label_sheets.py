"""Sheets of labels: a label for every end, the ends of a cable together, and the printed sheets read back."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pypdf import PdfReader

from planner import schedules
from planner.cli import main
from planner.cutsheet import sheets
from planner.findings import NOWHERE
from planner.label_check import labels_too_small
from planner.label_fit import Label, smallest_type
from planner.label_formats import FORMATS, SheetFormat, label_form
from planner.label_template import OWN, template_of
from planner.label_text import with_label_texts
from planner.labelsheet import label_sheets, labels_by_cable
from planner.plan import Plan
from planner.printable import printable
from planner.project import LabelsPolicy
from planner.table import Words
from planner.write.choices import Choices
from planner.write.labels import write_labels
from tests.support.projects import LAYOUTS, changed, compiled, errors, plan_of, project_text, write_project

UM = 72 / 25400
EVERY_FORMAT = pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS)


@pytest.fixture(scope="module")
def splitter(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    """Three nodes of the pod with a quarter of its uplinks, and a splitter that has a leg without a port."""
    folder = tmp_path_factory.mktemp("splitter")
    text = project_text("superpod-h100-1su").replace("dgx-[001-031]", "dgx-[001-003]")
    text = changed(text, ("nodes_per_unit: 32", "nodes_per_unit: 32\n      uplinks: 8"))
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


def printed(plan: Plan, folder: Path, **choices: Any) -> Path:
    write_labels(plan, folder, Choices(**choices))
    return folder / "labels.pdf"


def by_place(page: list[Drawn], form: SheetFormat) -> dict[tuple[int, int], list[str]]:
    """The texts of a page by the label that they begin in; the strip above the labels is row -1."""
    height = form.size_um[1]
    found: dict[tuple[int, int], list[str]] = {}
    for text, x, y, _ in page:
        column = int((x / UM - form.left_um) // form.step_x_um)
        row = int((height - y / UM - form.top_um) // form.step_y_um)
        found.setdefault((row, column) if row >= 0 else (-1, 0), []).append(text)
    return found


@EVERY_FORMAT
def test_a_format_fits_its_paper_evenly(form: SheetFormat) -> None:
    width, height = form.size_um
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
    pages = list(read(printed(splitter, tmp_path, labels=form.id)))
    planned = list(label_sheets(labels_by_cable(splitter), form))
    assert len(pages) == len(planned)
    for page, sheet in zip(pages, planned, strict=True):
        found = by_place(page, form)
        assert found.keys() == {(-1, 0)} | {(row, column) for row, column, _ in sheet.labels}
        for row, column, label in sheet.labels:
            assert wanted(label) <= set(found[row, column])


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
    pages = list(read(printed(pod, tmp_path)))
    for number, page in enumerate(pages, start=1):
        strip = " ".join(by_place(page, FORMATS["a4-65"])[-1, 0])
        assert strip.startswith(f"sheet {number} of {len(pages)} · pulled from A0")
        for text in ("superpod-h100-1su", "revision A", pod.identity.inputs_sha256[:12], "print at 100 %"):
            assert text in strip
        assert "DRAFT" not in {drawn.text for drawn in page}


def test_a_draft_says_so_on_every_label(splitter: Plan, tmp_path: Path) -> None:
    assert splitter.identity.draft
    form = FORMATS["a4-65"]
    for page in read(printed(splitter, tmp_path)):
        places = by_place(page, form)
        assert places.pop((-1, 0))[0].startswith("DRAFT, do not install")
        assert all("DRAFT" in texts for texts in places.values())


def test_the_same_plan_gives_the_same_bytes(pod: Plan, tmp_path: Path) -> None:
    first = printed(pod, tmp_path).read_bytes()
    assert printed(pod, tmp_path).read_bytes() == first


def test_a_plan_without_cables_has_one_empty_sheet(two_racks: Plan, tmp_path: Path) -> None:
    bare = replace(
        two_racks,
        ends=two_racks.ends.take(two_racks.ends.cable < 0),
        cables=two_racks.cables.take(two_racks.cables.part < 0),
        links=two_racks.links.take(two_racks.links.cable < 0),
        plugs=two_racks.plugs.take(two_racks.plugs.part < 0),
        plug_links=two_racks.plug_links.take(two_racks.plug_links.plug < 0),
    )
    (page,) = read(printed(bare, tmp_path))
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
    (page,) = read(printed(plan, tmp_path, labels=form.id))
    (sheet,) = label_sheets(labels_by_cable(plan), form)
    found = by_place(page, form)
    height = form.size_um[1]
    for row, column, label in sheet.labels:
        squeezed = "".join(found[row, column]).replace(" ", "")
        for text in (label.near, label.far):
            assert printable(text).replace(" ", "") in squeezed
    bottoms = [height - form.top_um - (row + 1) * form.step_y_um for row, _, _ in sheet.labels]
    lowest = min(drawn.y for drawn in page) / UM
    assert lowest > min(bottoms) + 1000  # a millimetre above the label's lower edge


# --- rolls, shapes and files for printers ----------------------------------------------------------------------------


def test_a_roll_has_a_page_a_label(pod: Plan, tmp_path: Path) -> None:
    pages = PdfReader(printed(pod, tmp_path, labels="roll-50.8x25.4")).pages
    assert len(pages) == len(pod.ends)
    assert {(float(page.mediabox.width), float(page.mediabox.height)) for page in pages} == {(144, 72)}


@pytest.mark.parametrize(("name", "fault"), [
    ("a4-66", "there are no labels `a4-66`"), ("roll-5x5", "too small"), ("roll-1e9x2", "no labels"), ("zpl-200", "no labels"),
])  # fmt: skip
def test_other_labels_are_refused(name: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        label_form(name)


def test_a_flag_says_everything_on_both_halves(two_racks: Plan, tmp_path: Path) -> None:
    form = FORMATS["a4-24"]
    (page,) = read(printed(two_racks, tmp_path, labels=form.id, label_shape="flag"))
    (sheet,) = label_sheets(labels_by_cable(two_racks), form)
    for row, column, label in sheet.labels:
        here = [one for one in page if by_place([one], form).get((row, column))]
        middle = (form.left_um + column * form.step_x_um + form.width_um / 2) * UM
        for half in ([one for one in here if one.x < middle], [one for one in here if one.x >= middle]):
            texts = "".join(one.text for one in half).replace(" ", "")
            assert f"{label.cable_id}{label.end}" in texts
            assert label.near in texts
            assert label.far in texts


def test_a_label_to_wrap_repeats_its_line_down_to_the_edge(two_racks: Plan, tmp_path: Path) -> None:
    form = FORMATS["a4-65"]
    (page,) = read(printed(two_racks, tmp_path, label_shape="wrap"))
    (sheet,) = label_sheets(labels_by_cable(two_racks), form)
    for row, column, label in sheet.labels:
        text = "".join(by_place(page, form)[row, column]).replace(" ", "")
        assert text.count(label.near) >= 2
        assert text.count(f"\u2192{label.far}") == text.count(f"{label.cable_id}{label.end}{label.near}") >= 2


def test_too_small_a_label_is_told_of_and_prints_whole(two_racks: Plan, tmp_path: Path) -> None:
    near = Words(two_racks.ends.near.codes, tuple(text + "-x" * 60 for text in two_racks.ends.near.vocabulary))
    plan = replace(two_racks, ends=replace(two_racks.ends, near=near))
    (told,) = write_labels(plan, tmp_path, Choices(labels="letter-80"))
    assert "too small for their texts" in told
    assert "points: cable 1 a, 1 z, " in told
    assert write_labels(two_racks, tmp_path, Choices()) == []


@pytest.mark.parametrize("shape", ["plain", "flag", "wrap"])
@pytest.mark.parametrize("sheet", ["a4-65", "letter-80", "a4-24", "roll-50.8x25.4", "roll-20x8"])
def test_the_finding_counts_every_label_below_legible_type(two_racks: Plan, sheet: str, shape: str) -> None:
    # Two ends have long texts, of which one is beyond ASCII; which labels are measured at all must not change the count.
    for text in (
        "A01-U44:1/1",
        "W" * 15,
        "i" * 60,
        "W" * 30,
        "W" * 64,
        "\u0421\u0442\u043e\u0439\u043a\u0430 " * 5,
        "a-" * 30,
    ):
        near = [text if row < 2 else old for row, old in enumerate(two_racks.ends.near.tolist())]
        ends = replace(two_racks.ends, near=Words.of(near))
        plan = replace(two_racks, ends=ends)
        policy = LabelsPolicy.model_validate({"sheet": sheet, "shape": shape})
        form = label_form(sheet)
        assert isinstance(form, SheetFormat)
        small = [
            row
            for row in range(len(ends))
            if smallest_type(form, policy.shape, int(plan.cables.cable_id[ends.cable[row]]), ends.end[row], near[row], ends.far[row]) < 4
        ]  # fmt: skip
        assert sum(fault.count for fault in labels_too_small(plan, policy, NOWHERE)) == len(small)


def test_a_project_chooses_its_labels_and_the_command_may_take_others(tmp_path: Path) -> None:
    text = project_text("two-racks").replace("policy:\n", "policy:\n  labels: {sheet: zpl-203}\n", 1)
    write_project(tmp_path / "project", text)
    assert main(["plan", str(tmp_path / "project"), "--out", str(tmp_path / "plan")]) == 0
    assert (tmp_path / "plan" / "labels.zpl").is_file()
    render = [
        "render",
        str(tmp_path / "plan"),
        "--only",
        "labels",
        "--out",
        str(tmp_path / "other"),
        "--labels",
        "a4-24",
    ]
    assert main(render) == 0
    assert {path.name for path in (tmp_path / "other").iterdir()} >= {"labels.csv", "labels.pdf"}


def test_the_merge_table_has_a_row_a_label_and_reads_back(splitter: Plan, tmp_path: Path) -> None:
    assert write_labels(splitter, tmp_path, Choices(labels="csv")) == []
    content = (tmp_path / "labels-merge.csv").read_bytes()
    assert content.startswith(b"\xef\xbb\xbfcable_id,end,near,far,length_m,colour,part,rack,code\r\n")
    with (tmp_path / "labels-merge.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    labels = [label for labels in labels_by_cable(splitter) for label in labels]
    assert [(int(row["cable_id"]), row["end"], row["near"], row["far"]) for row in rows] == [
        (one.cable_id, one.end, one.near or "unused leg", one.far) for one in labels
    ]


ZPL_FIELD = re.compile(r"\^FO(\d+),(\d+)\^A([AD])N,(\d+),(\d+)\^FH_\^FD(.*?)\^FS")
GAPS = {"A": (5, 6), "D": (10, 12)}


def zpl_fields(text: str) -> list[tuple[int, int, int, int, str]]:
    """x, y, width and height in dots and the text of each field, its escapes read as the printer does."""
    found = []
    for x, y, font, height, width, data in ZPL_FIELD.findall(text):
        shown = re.sub("_([0-9A-F]{2})", lambda code: chr(int(code[1], 16)), data)
        matrix, advance = GAPS[font]
        found.append((int(x), int(y), len(shown) * int(width) // matrix * advance, int(height), shown))
    return found


@pytest.mark.parametrize(("name", "width", "height"), [("zpl-203-50.8x25.4", 406, 203), ("zpl-300-76x25", 912, 300)])
def test_zpl_says_every_label_inside_its_edges(pod: Plan, tmp_path: Path, name: str, width: int, height: int) -> None:
    assert write_labels(pod, tmp_path, Choices(labels=name)) == []
    formats = (tmp_path / "labels.zpl").read_text("ascii").split("^XA\n")[1:]
    labels = [label for labels in labels_by_cable(pod) for label in labels]
    for text, label in zip(formats, labels, strict=True):
        assert text.endswith("^XZ\n")
        assert f"^PW{width}\n^LL{height}\n" in text
        assert f"^FDMA,{label.cable_id}^FS" in text
        fields = zpl_fields(text)
        said = "".join(field[4] for field in fields)
        assert (
            said
            == f"{label.cable_id} {label.end}{label.part.length_mm / 1000:g}m {label.part.part}{label.near}> {label.far}"
        )
        for x, y, across, down, _ in fields:
            assert x + across <= width
            assert y + down <= height


def test_zpl_of_hostile_names_holds_no_command_of_theirs(two_racks: Plan, tmp_path: Path) -> None:
    name = "^XZ~JA^FD_5E\\\u0416"
    near = Words(two_racks.ends.near.codes, tuple(name for _ in two_racks.ends.near.vocabulary))
    plan = replace(two_racks, ends=replace(two_racks.ends, near=near))
    write_labels(plan, tmp_path, Choices(labels="zpl-300-76x50"))
    text = (tmp_path / "labels.zpl").read_text("ascii")
    assert "~" not in text
    assert text.count("^XZ") == len(plan.ends)
    assert name.replace("\u0416", "\\u0416") in "".join(field[4] for field in zpl_fields(text))


def test_zpl_that_does_not_fit_says_so_instead_of_being_cut(two_racks: Plan, tmp_path: Path) -> None:
    near = Words(two_racks.ends.near.codes, tuple("W" * 300 for _ in two_racks.ends.near.vocabulary))
    plan = replace(two_racks, ends=replace(two_racks.ends, near=near))
    (told,) = write_labels(plan, tmp_path, Choices(labels="zpl-203-30x15"))
    assert told.startswith("labels of labels.zpl are too small for the texts of cable 1 a, 1 z, ")
    text = (tmp_path / "labels.zpl").read_text("ascii")
    assert "WW" not in text
    assert text.count("TOO LONG: see labels.csv") == len(plan.ends)


# --- templates -------------------------------------------------------------------------------------------------------


def test_the_default_template_says_what_the_plan_says(pod: Plan, splitter: Plan, two_racks: Plan) -> None:
    for plan in (pod, splitter, two_racks, plan_of(LAYOUTS / "length-oracle-4rack")):
        again = with_label_texts(plan, OWN).ends
        assert again.near.tolist() == plan.ends.near.tolist()
        assert again.far.tolist() == plan.ends.far.tolist()


@pytest.mark.parametrize(("template", "near", "far"), [
    ("near-far", "A01-U44-P17/1+17/2", "A01-U46-P1/1+1/2"),
    ("tia-606", "A.A01-44:17/1+17/2", "A.A01-46:1/1+1/2"),
    ("device", "leaf-1:17/1+17/2", "spine-1:1/1+1/2"),
    ("tenstorrent", "A01U44-17/1+17/2", "A01U46-1/1+1/2"),
    ("h3c", "A01-44-17/1+17/2", "A01-46-1/1+1/2"),
    ("serial", "dac-000003", "dac-000003"),
    ("{cable:06}{end} {rack}/{u:3} {{{model}}}", "000003a A01/ 44 {qm9700}", "000003z A01/ 46 {qm9700}"),
])  # fmt: skip
def test_templates_worked_by_hand(two_racks: Plan, template: str, near: str, far: str) -> None:
    # layouts/two-racks: cable 3 is the twin DAC from leaf-1 (U44) to spine-1 (U46), both one slot high.
    ends = with_label_texts(two_racks, template_of(template)).ends
    row = ends.cable.tolist().index(2)
    assert (ends.near[row], ends.far[row]) == (near, far)


def test_tia_606_names_the_topmost_slot(two_racks: Plan) -> None:
    # dgx-2 fills slots 3 to 10 of A02.
    assert "A.A02-10:OSFP4P2" in with_label_texts(two_racks, template_of("tia-606")).ends.near.tolist()


@pytest.mark.parametrize(("text", "fault"), [
    ("nearfar", "neither a template"), ("{rack", "do not match"), ("{rack.__class__}", "no field"), ("{0}", "no field"),
    ("{rack!r}", "no field"), ("{rack:>9}", "no width"), ("{u:999}", "no width"), ("{rack}" * 40, "at most 200"), ("{}", "no field"),
])  # fmt: skip
def test_what_is_no_template_is_refused(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        template_of(text)


def test_the_policy_of_a_project_sets_the_texts_of_all_documents(tmp_path: Path) -> None:
    text = project_text("two-racks").replace("policy:\n", "policy:\n  labels: {text: '{device}/{port}'}\n", 1)
    result = compiled(tmp_path, text)
    assert result.plan is not None
    assert "leaf-1/17/1+17/2" in result.plan.ends.near.tolist()
    wrong = compiled(tmp_path / "wrong", text.replace("{device}", "{host}"))
    (finding,) = errors(wrong)
    assert "`{host}` is no field of a label" in finding.message
