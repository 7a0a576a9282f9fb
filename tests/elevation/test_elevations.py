"""Rack elevations: what stands on each face, and the drawn pages read back."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from pypdf import PageObject, PdfReader

from planner.elevation import Elevation, elevations
from planner.elevation.ports import ports_of_models
from planner.plan import Plan
from planner.typeset import text_width
from planner.write.choices import Choices
from planner.write.elevations import write_elevations
from planner.write.page import PAPERS, Paper

MM = 72 / 25.4


def words(page: PageObject) -> list[tuple[str, float, float]]:
    found: list[tuple[str, float, float]] = []

    def keep(text: str, _cm: list[float], tm: list[float], _font: object, _size: float) -> None:
        if text.strip():
            found.append((text.strip(), tm[4], tm[5]))

    page.extract_text(visitor_text=keep)
    return found


def with_racks(plan: Plan, **changes: object) -> Plan:
    return replace(plan, racks=tuple(replace(rack, **changes) for rack in plan.racks))  # type: ignore[arg-type]


def with_device(plan: Plan, name: str, /, **changes: object) -> Plan:
    devices = (replace(d, **changes) if d.name == name else d for d in plan.devices)  # type: ignore[arg-type]
    return replace(plan, devices=tuple(devices))


def boxes(drawn: Elevation) -> list[tuple[str, int, int, int]]:
    return [(box.device, box.slot, box.lane, box.lanes) for box in drawn.boxes]


def test_the_faces_of_two_racks_worked_by_hand(two_racks: Plan) -> None:
    # Switches are mounted with their front (ports) at the rear, servers at the front with ports at their rear.
    a01, a02 = elevations(two_racks)
    assert (a01.rack, a01.face, a01.width_mm, a01.free_units) == ("A01", "rear", 600, 48 - 8 - 2)
    told = [(b.device, b.u, b.height_u, b.mount, b.cables, b.ports_used, b.ports, b.other_cables) for b in a01.boxes]
    assert told == [
        ("spine-1", 46, 1, "rear", 1, 2, 64, 0),  # a twin cable: one cable, two ports
        ("leaf-1", 44, 1, "rear", 3, 4, 64, 0),
        ("dgx-1", 3, 8, "front", 1, 1, 14, 0),  # 4 twin cages, 4 slots' ports, BMC, management
    ]
    assert [box.device for box in a02.boxes] == ["dgx-2"]


def test_a_rack_with_ports_at_both_faces_is_drawn_twice(two_racks: Plan) -> None:
    front, rear = elevations(with_device(two_racks, "leaf-1", mount="front"), "a01")
    assert (front.face, rear.face) == ("front", "rear")
    assert [(b.device, b.cables, b.other_cables) for b in front.boxes] == [
        ("spine-1", 0, 1), ("leaf-1", 3, 0), ("dgx-1", 0, 1),
    ]  # fmt: skip
    assert [(b.device, b.cables, b.other_cables) for b in rear.boxes] == [
        ("spine-1", 1, 0), ("leaf-1", 0, 3), ("dgx-1", 1, 0),
    ]  # fmt: skip


def test_every_device_stands_on_its_rack_and_cables_add_up(pod: Plan) -> None:
    drawn = list(elevations(pod))
    for number, rack in enumerate(pod.racks):
        (face,) = (one for one in drawn if one.rack == rack.name)
        assert {b.device for b in face.boxes} == {d.name for d in pod.devices if d.rack == number}
    assert sum(box.cables for face in drawn for box in face.boxes) == len(pod.ends)
    ports = sum(len(port.split(";")) for port in pod.ends.port.tolist())
    assert sum(box.ports_used for face in drawn for box in face.boxes) == ports


def test_a_rack_numbered_from_the_top_has_its_first_slot_at_the_top(two_racks: Plan) -> None:
    face = next(elevations(with_racks(two_racks, numbered_from="top")))
    # u numbers the physically lowest slot: U46 of 48 from the top is the third from the bottom, and a server of 8 slots
    # at U3 would stand beyond the top.
    assert [(box.device, box.slot) for box in face.boxes] == [("leaf-1", 5), ("spine-1", 3)]
    assert [(box.device, box.slot) for box in face.outside] == [("dgx-1", 46)]
    assert (face.number(1), face.number(48)) == (48, 1)


def test_devices_in_the_same_slots_stand_side_by_side(two_racks: Plan) -> None:
    face = next(elevations(with_device(two_racks, "leaf-1", u=10)))
    assert boxes(face) == [("spine-1", 46, 0, 1), ("leaf-1", 10, 0, 2), ("dgx-1", 3, 1, 2)]
    assert face.free_units == 48 - 1 - 8


def test_a_device_beyond_the_slots_is_named_and_not_drawn(two_racks: Plan, tmp_path: Path) -> None:
    plan = with_device(two_racks, "dgx-2", u=47)
    (face,) = elevations(plan, "A02")
    assert (face.boxes, [box.device for box in face.outside], face.free_units) == ((), ["dgx-2"], 48)
    texts = [word for word, _, _ in words(PdfReader(write_elevations(plan, tmp_path, Choices(rack="A02"))).pages[0])]
    assert any(text.startswith("NOT IN THE RACK'S SLOTS: dgx-2") for text in texts)


def test_an_unknown_rack_is_refused_and_an_empty_one_drawn_at_its_front(two_racks: Plan) -> None:
    with pytest.raises(KeyError):
        list(elevations(two_racks, "B99"))
    rack = replace(two_racks.racks[0], name="A03")
    (face,) = elevations(replace(two_racks, racks=(*two_racks.racks, rack)), "A03")
    assert (face.face, face.boxes, face.free_units) == ("front", (), 48)


def test_a_split_cage_counts_as_many_ports_as_it_is_split_into(two_racks: Plan) -> None:
    ports = ports_of_models(two_racks.catalog)["qm9700"]
    assert sum(ports.sizes["front"].values()) == 64
    assert ports.place["1/1"] == ("front", "1", 2)
    assert ports.place["1/1/2"] == ("front", "1", 4)
    split = replace(two_racks.ends, port=type(two_racks.ends.port)(two_racks.ends.port.codes, tuple(
        "1/1/1" if name == "1/1" else name for name in two_racks.ends.port.vocabulary
    )))  # fmt: skip
    face = next(elevations(replace(two_racks, ends=split)))
    assert {box.device: box.ports for box in face.boxes}["leaf-1"] == 66


def test_a_plan_without_its_catalog_still_draws_the_racks(two_racks: Plan) -> None:
    face = next(elevations(replace(two_racks, catalog="")))
    assert {box.device for box in face.boxes} == {"spine-1", "leaf-1", "dgx-1"}


# --- the pages -------------------------------------------------------------------------------------------------------


def test_every_device_is_printed_at_its_slot(pod: Plan, tmp_path: Path) -> None:
    pages = [words(page) for page in PdfReader(write_elevations(pod, tmp_path)).pages]
    assert len(pages) == 3
    at = {text: (number, x, y) for number, page in enumerate(pages) for text, x, y in page}
    unit = 44.45 * MM / 15
    for number, rack in enumerate(pod.racks):
        page, left, _ = at[rack.name]
        for device in (d for d in pod.devices if d.rack == number):
            its_page, x, y = at[device.name]
            assert its_page == page
            assert left < x < left + 40 * MM
            numbers = [
                base for text, its_x, base in pages[page] if text == str(device.u) and left - 9 < its_x < left + 9
            ]
            (lowest,) = numbers
            assert -0.5 * unit < y - lowest < device.height_u * unit


def test_slots_models_ports_and_mounts_are_printed(two_racks: Plan, tmp_path: Path) -> None:
    page = words(PdfReader(write_elevations(two_racks, tmp_path)).pages[0])
    texts = [text for text, _, _ in page]
    assert {"A01", "A02", "REAR VIEW", "qm9700", "dgx-h100", "U44", "U03-10", "4 of 64", "1 of 14", "rear"} <= set(
        texts
    )
    assert "row A · 48 U from the bottom · 38 U free" in texts
    assert all(texts.count(str(slot)) >= 4 for slot in range(5, 49))  # both posts of both racks
    assert any(text.startswith("scale 1:15 printed at 100 %") for text in texts)
    assert "500 mm of rack" in texts
    assert "DRAFT" not in texts
    assert {"two-racks", "revision A", "page 1 of 1"} <= set(texts)


def test_one_rack_alone_and_its_phase(two_racks: Plan, tmp_path: Path) -> None:
    page = words(PdfReader(write_elevations(with_racks(two_racks, phase="P1"), tmp_path, Choices(rack="a02"))).pages[0])
    texts = {text for text, _, _ in page}
    assert "row A · phase P1 · 48 U from the bottom · 40 U free" in texts
    assert "dgx-2" in texts
    assert "dgx-1" not in texts


def test_the_draft_mark_is_on_every_page(pod: Plan, tmp_path: Path) -> None:
    draft = replace(pod, identity=replace(pod.identity, draft=True))
    for page in PdfReader(write_elevations(draft, tmp_path)).pages:
        texts = [text for text, _, _ in words(page)]
        assert "has errors, do not install" in texts
        assert texts.count("DRAFT") >= 2


def test_the_same_plan_gives_the_same_bytes(pod: Plan, tmp_path: Path) -> None:
    first = write_elevations(pod, tmp_path).read_bytes()
    assert write_elevations(pod, tmp_path).read_bytes() == first


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(("units", "scale"), [(12, 10), (42, 15), (48, 15), (52, 16), (60, 20)])
def test_nothing_is_drawn_outside_what_a4_and_letter_share(
    two_racks: Plan, tmp_path: Path, paper: Paper, units: int, scale: int
) -> None:
    plan = with_racks(two_racks, units=units)
    (page,) = PdfReader(write_elevations(plan, tmp_path, Choices(paper=paper))).pages
    sideways, down = min(size[0] for size in PAPERS.values()), min(size[1] for size in PAPERS.values())
    width, height = PAPERS[paper]
    assert (float(page.mediabox.width), float(page.mediabox.height)) == pytest.approx((width, height), abs=0.01)
    for _, x, y in words(page):
        assert 4.5 * MM < x < sideways - 4.5 * MM
        assert 4.5 * MM < y < down - 4.5 * MM
    assert any(text.startswith(f"scale 1:{scale} ") for text, _, _ in words(page))


def test_a_plan_without_racks_has_a_page_that_says_so(two_racks: Plan, tmp_path: Path) -> None:
    bare = replace(two_racks, racks=(), devices=(), ends=two_racks.ends.take(two_racks.ends.cable < 0))
    (page,) = PdfReader(write_elevations(bare, tmp_path)).pages
    assert "the plan has no racks" in {text for text, _, _ in words(page)}


def spans(page: PageObject) -> list[tuple[str, float, float, float, float]]:
    """Texts with their left, right, base and top."""
    found: list[tuple[str, float, float, float, float]] = []

    def keep(text: str, _cm: list[float], tm: list[float], font: dict[str, str], size: float) -> None:
        if text.strip():
            face = str(font["/BaseFont"]).split("+")[-1].lstrip("/")
            found.append((text.strip(), tm[4], tm[4] + text_width(face, text.strip(), size), tm[5], tm[5] + 0.7 * size))

    page.extract_text(visitor_text=keep)
    return found


@pytest.mark.parametrize("width_um", [600_000, 800_000])
@pytest.mark.parametrize("height", [8, 12])
def test_no_two_texts_of_a_page_overlap(two_racks: Plan, tmp_path: Path, width_um: int, height: int) -> None:
    # A device with ports at either face: some rows say `other face`; racks of 800 mm stand two on a page.
    plan = with_device(with_device(two_racks, "leaf-1", mount="front"), "dgx-1", height_u=height, u=13)
    plan = with_racks(plan, size_x_um=width_um)
    pages = PdfReader(write_elevations(plan, tmp_path)).pages
    assert len(pages) == (1 if width_um == 600_000 else 2)
    placed = spans(pages[0])
    assert {"U", "mount", "cables", "ports", "other face", f"U13-{12 + height}"} <= {text for text, *_ in placed}
    clashes = [
        (a[0], b[0])
        for a, b in combinations(placed, 2)
        if a[1] < b[2] - 0.1 and b[1] < a[2] - 0.1 and a[3] < b[4] and b[3] < a[4]
    ]
    assert clashes == []


@pytest.mark.parametrize(
    "name", ["W" * 64, "i" * 64, "<b>&\"'</b> (x) \\ %s {0}", "\u0421\u0442\u043e\u0439\u043a\u0430 \u00e9\u00df"]
)
def test_long_and_hostile_names_are_printed_whole(two_racks: Plan, tmp_path: Path, name: str) -> None:
    plan = with_device(with_racks(two_racks, row=name, name=name), "leaf-1", name=name)
    for page in PdfReader(write_elevations(plan, tmp_path)).pages:
        squeezed = "".join(text for text, _, _ in words(page)).replace(" ", "")
        assert squeezed.count(name.replace(" ", "")) >= 3


def test_svg_and_pdf_say_the_same_of_the_racks(two_racks: Plan, tmp_path: Path) -> None:
    names = {"leaf-1": "<b>&\"'</b>", "dgx-1": "\u0421\u0442\u043e\u0439\u043a\u0430 " + "W" * 50}
    plan = two_racks
    for name, other in names.items():
        plan = with_device(plan, name, name=other)
    page = words(PdfReader(write_elevations(plan, tmp_path)).pages[0])
    root = ET.parse(tmp_path / "elevations.svg").getroot()  # noqa: S314 - our own file
    said = ["".join(element.itertext()) for element in root.iter() if element.tag.endswith("}text")]
    racks = [text for text in said if not text.startswith(("Racks ", "two-racks", "sheet ", "scale "))]
    printed = "".join("".join(text for text, _, _ in page).split())
    assert all("".join(text.split()) in printed for text in racks)
    assert all(text in said for text in ("A01", "A02", "<b>&\"'</b>", "4 of 64"))
    assert not [element for element in root.iter() if element.tag.endswith(("}script", "}image", "}foreignObject"))]


def test_too_many_faces_are_in_the_pdf_alone(two_racks: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planner.write.elevations.MOST_IN_SVG", 1)
    write_elevations(two_racks, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["elevations.pdf"]
