"""The floor plan as its reader has it: an SVG file, parsed as XML, with the working of every measure beside it."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from pypdf import PdfReader

from planner.floorplan import Drawing, UnknownMarkError, drawing, highlight_of
from planner.floorplan.lettering import lettered
from planner.floorplan.strips import percent
from planner.pipeline import compile_project
from planner.plan import LoadTable, Plan
from planner.write.page import MM
from planner.write.picture import floor_plan_svg, pdf_of, svg_of
from planner.write.svg import escaped
from tests.support.projects import in_two_phases

SVG = "{http://www.w3.org/2000/svg}"
LAYOUTS = Path(__file__).resolve().parents[2] / "layouts"

PROJECT = """
format: planner/1
name: {name}
revision: "B"
room: {{outline_m: [[0, 0], [6, 0], [6, 5], [0, 5]], ceiling_m: 3.5, obstacles: [{obstacles}]}}
racks:
{racks}
pathways:
{pathways}
devices: []
fabrics: []
"""
RACK = '  - {{row: A, names: "{}", type: rack-48u-600x1200, at_m: [{}, {}], along: east, front: {}}}'
PATHWAY = '  - {{name: "{}", type: basket-300x100, path_m: {}, height_m: {}, carries: [fibre]}}'

Planned = Callable[..., Plan]


@pytest.fixture
def planned(tmp_path: Path) -> Planned:
    """A plan of a 6 x 5 m room from lines of racks and pathways."""

    def plan(
        racks: list[str] | None = None, pathways: list[str] | None = None, name: str = "room", obstacles: str = ""
    ) -> Plan:
        text = PROJECT.format(
            name=name,
            racks="\n".join(racks or [RACK.format("A01", 2.0, 2.0, "south")]),
            pathways="\n".join(pathways or [PATHWAY.format("tray", "[[2.0, 2.6], [2.6, 2.6]]", 2.7)]),
            obstacles=obstacles,
        )
        (tmp_path / "project.yaml").write_text(text, encoding="utf-8")
        compiled = compile_project(tmp_path).plan
        assert compiled is not None
        return compiled

    return plan


def shipped(name: str) -> Plan:
    plan = compile_project(LAYOUTS / name).plan
    assert plan is not None
    return plan


def parsed(plan: Plan) -> ET.Element:
    return ET.fromstring(floor_plan_svg(plan))  # noqa: S314 - our own text


def groups(root: ET.Element, kind: str) -> dict[str, ET.Element]:
    """Groups of a class by the name that they carry."""
    found = [g for g in root.iter(f"{SVG}g") if g.get("class") == kind]
    by_name = {g.attrib[f"data-{kind}"]: g for g in found}
    assert len(by_name) == len(found), f"a {kind} is drawn twice"
    return by_name


def box(group: ET.Element, kind: str) -> tuple[str | None, ...]:
    rect = next(r for r in group.iter(f"{SVG}rect") if r.get("class") == kind)
    return tuple(rect.get(key) for key in ("x", "y", "width", "height"))


def texts(root: ET.Element, kind: str) -> list[str]:
    return ["".join(t.itertext()) for t in root.iter(f"{SVG}text") if t.get("class") == kind]


def loaded(plan: Plan, *loads: tuple[int, int, int, int, int]) -> Plan:
    """A plan with these stretches: pathway, from, to, cables, fill in millionths."""
    pathway, start, stop, cables, ppm = np.array(loads, np.int64).T
    none = np.zeros(len(loads), np.int64)
    table = LoadTable(pathway, start, stop, cables, ppm, none, none)
    rows = list(plan.pathways)
    for number, _, _, count, share in loads:
        row = rows[number]
        most = -1 if share < 0 or row.fill_ppm < 0 else max(row.fill_ppm, share)
        rows[number] = dataclasses.replace(row, fill_ppm=most, cables=max(row.cables, count))
    return dataclasses.replace(plan, loads=table, pathways=tuple(rows))


def test_a_rack_is_drawn_to_scale_where_it_stands(planned: Planned) -> None:
    # South-west corner at (2.0, 2.0) m, 600 x 1200 mm: its far edge is at y = 3200 mm, which SVG, whose y runs down,
    # calls -3200. The front is south, so the bar lies at the foot: 0.8 mm of paper at 1:50 are 40 mm.
    rack = groups(parsed(planned()), "rack")["A01"]
    assert box(rack, "footprint") == ("2000", "-3200", "600", "1200")
    assert box(rack, "bar") == ("2000", "-2040", "600", "40")


@pytest.mark.parametrize(
    ("front", "footprint", "bar"),
    [
        # Turned by a quarter, the rack is 1200 wide and 600 deep.
        ("north", ("2000", "-3200", "600", "1200"), ("2000", "-3200", "600", "40")),
        ("east", ("2000", "-2600", "1200", "600"), ("3160", "-2600", "40", "600")),
        ("west", ("2000", "-2600", "1200", "600"), ("2000", "-2600", "40", "600")),
    ],
)
def test_the_bar_marks_the_front(
    planned: Planned, front: str, footprint: tuple[str, ...], bar: tuple[str, ...]
) -> None:
    along = "north" if front in ("east", "west") else "east"
    racks = [RACK.format("A01", 2.0, 2.0, front).replace("along: east", f"along: {along}")]
    rack = groups(parsed(planned(racks)), "rack")["A01"]
    assert box(rack, "footprint") == footprint
    assert box(rack, "bar") == bar


def test_the_sheet_prints_to_the_scale_it_states(planned: Planned) -> None:
    # 6 x 5 m at 1:50 are 120 x 100 mm: an A4 sheet. 297 mm of paper show 297 x 50 = 14,850 mm of the room.
    plan = planned()
    root = parsed(plan)
    assert (root.get("width"), root.get("height"), root.get("data-scale")) == ("297mm", "210mm", "50")
    west, top, wide, high = map(int, root.attrib["viewBox"].split())
    assert (wide, high) == (297 * 50, 210 * 50)
    assert west < 0
    assert west + wide > 6000
    assert top < -5000
    assert top + high > 0
    assert "1:50 on A4, printed at 100 %" in texts(root, "strong")


def test_the_outline_and_its_dimensions(planned: Planned) -> None:
    root = parsed(planned())
    outline = next(p for p in root.iter(f"{SVG}path") if p.get("class") == "room")
    assert outline.get("d") == "M0 0L6000 0L6000 -5000L0 -5000Z"
    assert texts(root, "dimension") == ["6.00 m", "5.00 m"]


def test_a_pathway_is_a_strip_of_its_width(planned: Planned) -> None:
    # Centreline at y = 2600, 300 wide: borders at 2750 (left, seen eastward) and 2450.
    tray = groups(parsed(planned()), "pathway")["tray"]
    outline = next(p for p in tray if p.get("class") == "pathway-outline")
    assert outline.get("d") == "M2000 -2750L2600 -2750L2600 -2450L2000 -2450Z"
    assert (tray.get("data-height-mm"), tray.get("data-carries")) == ("2700", "fibre")


def test_a_corner_is_mitred(planned: Planned) -> None:
    # East along y = 1000, then north along x = 3000: left borders meet at (2850, 1150), right ones at (3150, 850).
    pathway = PATHWAY.format("bend", "[[1, 1], [3, 1], [3, 4]]", 2.7)
    tray = groups(parsed(planned(pathways=[pathway])), "pathway")["bend"]
    outline = next(p for p in tray if p.get("class") == "pathway-outline")
    assert outline.get("d") == "M1000 -1150L2850 -1150L2850 -4000L3150 -4000L3150 -850L1000 -850Z"


def test_a_point_on_a_straight_run_changes_nothing(planned: Planned) -> None:
    straight = parsed(planned(pathways=[PATHWAY.format("tray", "[[1, 1], [5, 2]]", 2.7)]))
    dotted = parsed(planned(pathways=[PATHWAY.format("tray", "[[1, 1], [3, 1.5], [3, 1.5], [5, 2]]", 2.7)]))
    shapes = [[p.get("d") for p in groups(root, "pathway")["tray"].iter(f"{SVG}path")] for root in (straight, dotted)]
    assert shapes[0] == shapes[1]


def test_fill_is_shown_stretch_by_stretch(planned: Planned) -> None:
    # Limits of the policy: 25, 40 and 50 %, each inclusive. The tray is 4 m long and empty in its last metre.
    plan = loaded(
        planned(pathways=[PATHWAY.format("tray", "[[1, 1], [5, 1]]", 2.7)]),
        (0, 0, 500, 10, 250_000),
        (0, 500, 700, 8, 100_000),
        (0, 700, 1000, 12, 250_001),
        (0, 1000, 1500, 20, 400_000),
        (0, 1500, 2000, 25, 500_000),
        (0, 2000, 3000, 30, 500_001),
    )
    tray = groups(parsed(plan), "pathway")["tray"]
    stretches = [
        tuple(p.get(key) for key in ("class", "data-from-mm", "data-to-mm", "data-cables", "data-fill-ppm"))
        for p in tray
        if p.get("data-from-mm")
    ]
    assert stretches == [
        ("fill-low", "0", "700", "10", "250000"),
        ("fill-warm", "700", "1500", "20", "400000"),
        ("fill-high", "1500", "2000", "25", "500000"),
        ("fill-over", "2000", "3000", "30", "500001"),
        ("fill-empty", "3000", "4000", "0", "0"),
    ]
    second = next(p for p in tray if p.get("data-from-mm") == "700")
    assert second.get("d") == "M1700 -1150L2500 -1150L2500 -850L1700 -850Z"


def test_the_fullest_place_says_how_full(planned: Planned) -> None:
    # 61.2345 % is printed as 61.2 %; its stretch lies from 3.0 to 4.0 m of the room, so at x = 3500.
    plan = planned(pathways=[PATHWAY.format("tray", "[[1, 4], [5, 4]]", 2.7)])
    root = parsed(loaded(plan, (0, 0, 2000, 5, 100_000), (0, 2000, 3000, 9, 612_345)))
    share = [t for t in root.iter(f"{SVG}text") if t.get("class") == "share-over"]
    assert [(t.text, t.get("x")) for t in share] == [("61.2 %", "3500")]
    assert "tray +2.70 m, fibre" in texts(root, "pathway-name")


@pytest.mark.parametrize(
    ("ppm", "text"), [(0, "0.0 %"), (499, "0.0 %"), (500, "0.1 %"), (40_212, "4.0 %"), (250_000, "25.0 %"), (-1, "? %")]
)
def test_a_share_prints_to_the_nearest_tenth(ppm: int, text: str) -> None:
    assert percent(ppm) == text


def test_a_short_pathway_across_two_others_has_its_whole_label(planned: Planned) -> None:
    # 2.6 m from tray to tray: a plate in the middle would leave 1.1 m on either side, less than the label takes.
    trays = [PATHWAY.format(f"tray-{y}", f"[[1, {y}], [5, {y}]]", 2.7) for y in (1.4, 4)]
    plan = planned(pathways=[*trays, PATHWAY.format("cross", "[[4, 1.4], [4, 4]]", 2.7)])
    root = parsed(loaded(plan, (2, 0, 2600, 5, 40_212)))
    assert "cross +2.70 m, fibre, to 4.0 %" in texts(root, "pathway-name")


def test_the_fill_stands_beside_a_riser(planned: Planned) -> None:
    trays = [PATHWAY.format("low", "[[1, 4], [5, 4]]", 2.7), PATHWAY.format("high", "[[3, 1], [3, 4]]", 3.1)]
    plan = planned(pathways=[*trays, "risers:", "  - {name: R1, at_m: [3, 4], joins: [low, high]}"])
    root = parsed(loaded(plan, (0, 0, 4000, 5, 40_212)))
    assert "R1" in groups(root, "riser")
    (x,) = [float(t.attrib["x"]) for t in root.iter(f"{SVG}text") if t.text == "4.0 %" and t.get("class") == "share"]
    assert 250 < abs(x - 3000) < 1000


def test_a_model_is_never_broken() -> None:
    words = ("12 qm9700", "2 ufm-appliance")
    for across in (3.0, 4.0, 6.0, 8.0, 12.0, 16.0):
        for up in (4.0, 8.0, 16.0):
            found = lettered("A05", words, across, up, (3.0, 1.8))
            pieces = set(found.contents) if found else set()
            assert pieces <= {*words, "12 ", "2 ", "qm9700", "ufm-appliance", "+ 1 more"}


def test_unknown_fill_stays_unknown(planned: Planned) -> None:
    root = parsed(loaded(planned(pathways=[PATHWAY.format("tray", "[[1, 4], [5, 4]]", 2.7)]), (0, 0, 2000, 5, -1)))
    stretch = next(p for p in groups(root, "pathway")["tray"] if p.get("data-from-mm") == "0")
    assert (stretch.get("class"), stretch.get("data-fill-ppm")) == ("fill-unknown", None)
    assert "? %" in texts(root, "share")


def test_what_hangs_higher_is_drawn_later_and_both_are_named(planned: Planned) -> None:
    line = "[[1, 4], [5, 4]]"
    root = parsed(planned(pathways=[PATHWAY.format("upper", line, 3.0), PATHWAY.format("lower", line, 2.7)]))
    assert list(groups(root, "pathway")) == ["lower", "upper"]
    assert sorted(texts(root, "pathway-name")) == ["lower +2.70 m, fibre", "upper +3.00 m, fibre"]


@pytest.mark.parametrize("layout", ["two-racks", "superpod-h100-1su"])
def test_every_rack_and_pathway_of_a_layout_once(layout: str) -> None:
    plan = shipped(layout)
    root = parsed(plan)
    assert list(groups(root, "rack")) == [rack.name for rack in plan.racks]
    assert sorted(groups(root, "pathway")) == sorted(pathway.name for pathway in plan.pathways)
    assert texts(root, "rack-name") == [rack.name for rack in plan.racks]


def test_racks_say_what_stands_in_them_in_few_words() -> None:
    root = parsed(shipped("superpod-h100-1su"))
    # The switch rack: twelve switches of one model, leaves and spines, and two appliances, broken over lines as they fit.
    contents = texts(root, "rack-contents")
    assert contents == [*["4 dgx-h100"] * 4, "12 qm97002 ufm-appliance", *["4 dgx-h100"] * 3, "3 dgx-h100"]
    title = groups(root, "rack")["A05"].findtext(f"{SVG}title")
    assert title == "A05: row A, rack-48u-600x1200, 48 U, front south, 12 qm9700, 2 ufm-appliance"


def test_the_title_block_says_where_the_sheet_comes_from() -> None:
    plan = shipped("superpod-h100-1su")
    root = parsed(plan)
    assert texts(root, "title") == ["superpod-h100-1su"]
    assert "".join(texts(root, "mono")) == plan.identity.inputs_sha256
    notes = texts(root, "note")
    for fact in ("9 with 45 devices", "508, unresolved 0", "508", "2", "planner " + plan.identity.planner_version):
        assert fact in notes
    assert texts(root, "strong")[-2:] == ["A", "1:50 on A4, printed at 100 %"]


def test_a_draft_is_unmistakable(planned: Planned) -> None:
    plan = planned()
    draft = dataclasses.replace(plan, identity=dataclasses.replace(plan.identity, draft=True))
    root = parsed(draft)
    assert texts(root, "draft") == ["DRAFT"]
    assert texts(root, "draft-band")[0].startswith("DRAFT: ")
    assert (root.findtext(f"{SVG}title") or "").startswith("DRAFT: ")
    final = parsed(dataclasses.replace(plan, identity=dataclasses.replace(plan.identity, draft=False)))
    assert texts(final, "draft") == texts(final, "draft-band") == []


HOSTILE = [
    "<script>alert(1)</script>",
    "\"quoted\" & 'single' &amp; ]]>",
    "W" * 64,
    "this-is-a-name-with-exactly-sixty-four-characters-in-it-for-001x",
    "😀🚀 emoji 😀",
    "ארון-שרתים-12",
    "机柜中文名称很长很长-01",
    "rlo\u202eevil\u202c \u200fmark",
    "=1+2|cmd",
]


def renamed(plan: Plan, names: list[str]) -> Plan:
    """A plan whose racks, rows, pathways and project bear these names."""
    racks = [dataclasses.replace(rack, name=name, row=name) for rack, name in zip(plan.racks, names, strict=True)]
    pathways = [dataclasses.replace(p, name=name) for p, name in zip(plan.pathways, names, strict=False)]
    identity = dataclasses.replace(plan.identity, project=names[0], revision=names[1])
    return dataclasses.replace(plan, racks=tuple(racks), pathways=tuple(pathways), identity=identity)


def hostile(planned: Planned) -> Plan:
    racks = [RACK.format(f"A{i}", f"{0.3 + 0.6 * i:.1f}", 2.0, "south") for i in range(len(HOSTILE))]
    pathways = [
        PATHWAY.format(f"t{i}", f"[[0.3, {3.5 + 0.4 * i:.1f}], [5.7, {3.5 + 0.4 * i:.1f}]]", 2.7) for i in range(3)
    ]
    return renamed(planned(racks, pathways), HOSTILE)


def test_hostile_names_are_inert_and_read_back_unchanged(planned: Planned) -> None:
    root = parsed(hostile(planned))
    assert list(groups(root, "rack")) == HOSTILE
    assert sorted(groups(root, "pathway")) == sorted(HOSTILE[:3])
    allowed = {"svg", "title", "desc", "style", "defs", "pattern", "g", "rect", "path", "text", "tspan"}
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= allowed
    for element in root.iter():
        assert not any(key.startswith("on") or "href" in key for key in element.attrib)
    title = groups(root, "rack")[HOSTILE[0]].findtext(f"{SVG}title")
    assert title is not None
    assert title.startswith(HOSTILE[0] + ": row ")


def test_marks_of_direction_are_drawn_as_codes(planned: Planned) -> None:
    drawn = "".join(texts(parsed(hostile(planned)), "rack-name"))
    assert "\u202e" not in drawn
    assert "\\u202eevil" in drawn


def test_what_xml_cannot_hold_becomes_its_code(planned: Planned) -> None:
    plan = planned()
    identity = dataclasses.replace(plan.identity, revision="a\x00b\x1b\ud800\ufffe")
    root = parsed(dataclasses.replace(plan, identity=identity))
    assert "a\\u0000b\\u001b\\ud800\\ufffe" in texts(root, "strong")
    floor_plan_svg(dataclasses.replace(plan, identity=identity)).encode()


def test_no_name_leaves_its_rack(planned: Planned) -> None:
    from planner.floorplan.lettering import width  # the widths of the shipped fonts, and more for others

    picture = drawing(hostile(planned))
    names = [text for text in picture.labels if text.kind == "rack-name"]
    assert len(names) == len(picture.racks)
    for rack, text in zip(picture.racks, names, strict=True):
        long, high = (rack.box.height, rack.box.width) if text.turn else (rack.box.width, rack.box.height)
        assert max(width(line, text.size, bold=True) for line in text.lines) <= long
        assert 1.2 * text.size * len(text.lines) <= high
        assert rack.box.x <= text.x <= rack.box.x + rack.box.width
        assert rack.box.y <= text.y <= rack.box.y + rack.box.height
        assert text.size >= 1.2 * picture.sheet.scale
        assert "".join(text.lines).rstrip("…") in "".join(
            c if c.isprintable() else f"\\u{ord(c):04x}" for c in rack.name
        )


def test_a_name_too_long_even_for_its_smallest_type_ends_in_an_ellipsis(planned: Planned) -> None:
    # 64 emoji of 1.4 sizes, in type of 1.2 mm: no free part of a rack at 1:50 takes them.
    plan = planned()
    picture = drawing(dataclasses.replace(plan, racks=(dataclasses.replace(plan.racks[0], name="🚀" * 64),)))
    (name,) = [text for text in picture.labels if text.kind == "rack-name"]
    assert name.lines[-1].endswith("…")
    assert picture.racks[0].name == "🚀" * 64


def test_texts_of_the_room_do_not_cover_each_other(planned: Planned) -> None:
    for plan in (shipped("superpod-h100-1su"), hostile(planned), shipped("two-racks")):
        covered = [(a, b) for a, b in combinations(label_boxes(drawing(plan)), 2) if overlap(a, b)]
        assert covered == []


Bounds = tuple[float, float, float, float]


def label_boxes(picture: Drawing) -> list[Bounds]:
    """Where the words of upright and quarter-turned labels lie, by their widths and the height of capitals."""
    from planner.floorplan.lettering import width

    found = []
    for text in picture.labels:
        bold = text.kind not in ("rack-contents", "aisle", "wall", "obstacle-name")
        long = max(width(line, text.size, bold=bold) for line in text.lines) + width(text.detail, text.size)
        below, above = 1.2 * text.size * (len(text.lines) - 1), 0.72 * text.size
        if text.turn == 0:
            found.append((text.x - long / 2, text.y - below, text.x + long / 2, text.y + above))
        else:
            found.append((text.x - above, text.y - long / 2, text.x + below, text.y + long / 2))
    return found


def overlap(a: Bounds, b: Bounds) -> bool:
    slack = 1  # coordinates are rounded
    return a[0] + slack < b[2] and b[0] + slack < a[2] and a[1] + slack < b[3] and b[1] + slack < a[3]


def test_obstacles_and_risers_keep_their_names_and_heights(planned: Planned) -> None:
    column = '{name: "Pillar <1>", polygon_m: [[4, 1], [4.4, 1], [4.4, 1.4], [4, 1.4]], from_m: 0, to_m: 2}'
    pathways = [PATHWAY.format("low", "[[1, 4], [5, 4]]", 2.5), PATHWAY.format("high", "[[3, 1], [3, 4]]", 3.0)]
    root = parsed(
        planned(pathways=[*pathways, "risers:", "  - {name: up, at_m: [3, 4], joins: [low, high]}"], obstacles=column)
    )
    pillar = groups(root, "obstacle")["Pillar <1>"]
    assert pillar.findtext(f"{SVG}title") == "Pillar <1>: from 0.000 m to 2.000 m"
    assert pillar.find(f"{SVG}path") is not None
    assert groups(root, "riser")["up"].findtext(f"{SVG}title") == "up: riser that joins low, high"


def test_in_a_large_hall_words_give_way_and_tooltips_stay(planned: Planned) -> None:
    # 200 x 140 m take A3 at 1:750, where a rack is 0.8 x 1.6 mm: no word fits, but its title tells all.
    plan = planned()
    room = tuple(dataclasses.replace(p, x_um=p.x_um // 6 * 200, y_um=p.y_um // 5 * 140) for p in plan.room)
    root = parsed(dataclasses.replace(plan, room=room))
    assert (root.get("width"), root.get("data-scale")) == ("420mm", "750")
    assert texts(root, "rack-name") == []
    assert (groups(root, "rack")["A01"].findtext(f"{SVG}title") or "").startswith("A01: row A")


def test_rack_numbers_stand_for_names_that_repeat_their_row(planned: Planned) -> None:
    # 60 x 50 m take A3 at 1:250: of a rack 2.4 mm wide, `HALL-A-01` would need 8 mm, its number after the row 1.7 mm.
    plan = planned()
    room = tuple(dataclasses.replace(p, x_um=p.x_um * 10, y_um=p.y_um * 10) for p in plan.room)
    rack = dataclasses.replace(plan.racks[0], name="HALL-A-01", row="HALL-A")
    root = parsed(dataclasses.replace(plan, room=room, racks=(rack,), pathways=(), pathway_points=()))
    assert texts(root, "rack-name")[0] == "01"
    assert "rack number after its row's name" in texts(root, "note")


def test_same_bytes_under_every_hash_seed(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from planner.pipeline import compile_project; "
        "from planner.write.picture import floor_plan_svg; "
        "sys.stdout.buffer.write(floor_plan_svg(compile_project(Path(sys.argv[1])).plan).encode())"
    )
    seen = set()
    for seed, zone in (("1", "Asia/Tokyo"), ("4711", "America/Lima")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "PYTHONPATH": str(LAYOUTS.parent)}
        run = subprocess.run(
            [sys.executable, "-c", code, str(LAYOUTS / "superpod-h100-1su")],
            capture_output=True, check=True, env=environment, cwd=tmp_path,
        )  # fmt: skip
        seen.add(run.stdout)
    assert len(seen) == 1
    assert seen.pop().decode() == floor_plan_svg(shipped("superpod-h100-1su"))


# --- the same on paper -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("draft", [False, True])
def test_svg_and_pdf_say_the_same_on_a_sheet_of_one_size(planned: Planned, tmp_path: Path, draft: bool) -> None:
    names = ["<b>&\"'</b> =1+1", "W" * 64, "\u0421\u0442\u043e\u0439\u043a\u0430", "A04", "A05"]
    racks = [RACK.format(f"A{i}", f"{0.3 + 0.6 * i:.1f}", 2.0, "south") for i in range(len(names))]
    plan = renamed(planned(racks), names)
    drawn = drawing(dataclasses.replace(plan, identity=dataclasses.replace(plan.identity, draft=draft)))
    said = ["".join(text.split()) for e in ET.fromstring(svg_of(drawn)).iter(f"{SVG}text") for text in e.itertext()]  # noqa: S314 - our own text
    pdf_of(drawn, tmp_path / "x.pdf")
    (page,) = PdfReader(tmp_path / "x.pdf").pages
    assert (float(page.mediabox.width), float(page.mediabox.height)) == pytest.approx((297 * MM, 210 * MM), abs=0.01)
    printed: list[str] = []
    page.extract_text(visitor_text=lambda text, *_: printed.append(text))
    assert [text for text in said if text not in "".join("".join(printed).split())] == []
    assert ("DRAFT" in said) is draft
    first = (tmp_path / "x.pdf").read_bytes()
    pdf_of(drawn, tmp_path / "x.pdf")
    assert (tmp_path / "x.pdf").read_bytes() == first


# --- what is marked --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "racks", "pathways", "count"), [
    ("dgx-2:OSFP4P2--leaf-1:1/2", {"A01", "A02"}, {"tray-A"}, ""),
    ("DGX-1:osfp4p2--leaf-1:1/1", {"A01"}, set(), ""),
    ("2", {"A01", "A02"}, {"tray-A"}, "1 link"),
    ("3", {"A01"}, set(), "2 links"),
    ("compute/node-leaf", {"A01", "A02"}, {"tray-A"}, "2 links"),
    ("compute/leaf-*", {"A01"}, set(), "2 links"),
    ("a02", {"A01", "A02"}, {"tray-A"}, "1 link"),
])  # fmt: skip
def test_a_mark_is_of_the_racks_and_pathways_of_what_is_named(
    two_racks: Plan, name: str, racks: set[str], pathways: set[str], count: str
) -> None:
    # layouts/two-racks: cable 2 runs from A02 to A01 by tray-A; cable 1 and the twin cable 3 stay in A01.
    found = highlight_of(two_racks, name)
    assert (set(found.racks), set(found.pathways)) == (racks, pathways)
    assert count in found.title
    picture = drawing(two_racks, found)
    drawn = len(racks) + (0 if found.way else len(pathways))
    assert len(picture.marks) == drawn + bool(found.way)
    svg = floor_plan_svg(two_racks, name)
    assert svg.count('class="mark"') == svg.count('class="mark-ground"') == drawn
    assert svg.count('class="way"') == ("--" in name)
    assert escaped(found.title) in svg


def test_the_way_of_a_link_runs_from_port_to_port(two_racks: Plan) -> None:
    # From dgx-2 in A02 (2600 to 3200 mm from the west) by tray-A, at y = 2600, to leaf-1 in A01 (2000 to 2600 mm).
    way = highlight_of(two_racks, "dgx-2:OSFP4P2--leaf-1:1/2").way
    (first, *between, last) = way
    assert 2600 < first[0] < 3200
    assert 2000 < last[0] < 2600
    assert any(y == 2600 for _, y in between)
    assert all(a != b for a, b in pairwise(way))


def test_phases_are_marked_by_their_links(two_racks: Plan) -> None:
    plan = in_two_phases(two_racks, {"A02"})
    links = dataclasses.replace(plan.links, phase=np.array([0, 1, 0, 0], np.int64))
    found = highlight_of(dataclasses.replace(plan, links=links), "p2")
    assert (set(found.racks), set(found.pathways)) == ({"A01", "A02"}, {"tray-A"})


@pytest.mark.parametrize("name", ["9", "compute/none", "a--b", "B01", ""])
def test_what_the_plan_does_not_have_is_not_marked(two_racks: Plan, name: str) -> None:
    with pytest.raises(UnknownMarkError, match="is no link, cable, tier"):
        highlight_of(two_racks, name)


def test_without_a_mark_the_plan_is_drawn_as_ever(two_racks: Plan) -> None:
    assert "floor-plan-marks" not in floor_plan_svg(two_racks)
