"""Rooms at fault: what is told, at which line, and by how much it is off."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.projects import changed, compiled

ROOM = """\
format: planner/1
name: bad
room: {outline_m: [[0, 0], [8, 0], [8, 5], [0, 5]], ceiling_m: 3.5}
racks:
  - {row: A, names: "A[01-02]", type: rack-48u-600x1200, at_m: [2, 2], along: east, front: south}
  - {row: B, names: B01, type: rack-48u-600x1200, at_m: [5, 2], along: east, front: south}
pathways:
  - {name: tray, type: basket-300x100, path_m: [[2, 2.6], [5.6, 2.6]], height_m: 2.7}
devices:
  - {names: leaf-1, model: qm9700, rack: A01, u: 40, mount: rear}
  - {names: "host-[1-2]", model: host-2u-connectx-7, racks: [A02, B01], u: 10}
fabrics:
  - name: compute
    protocol: infiniband
    rate: ndr
    links:
      - {a: "host-1:P1", z: "leaf-1:1/1", tier: t}
      - {a: "host-2:P1", z: "leaf-1:1/2", tier: t}
policy: {media: {order: [optic]}}
"""
CONDUIT = """\
id: conduit-26
kind: conduit
manufacturer: test
description: Conduit of 26.1 mm inner diameter
width_mm: 26.1
usable_depth_mm: 20
side_wall_mm: 26
rating_kg_per_m: {value: null, source: test, evidence: unverified}
source: test
evidence: primary
"""
TRAY = "  - {name: tray, type: basket-300x100, path_m: [[2, 2.6], [5.6, 2.6]], height_m: 2.7}\n"
OUTLINE = "outline_m: [[0, 0], [8, 0], [8, 5], [0, 5]]"


def tray(path: str, height: str = "2.7", name: str = "tray") -> str:
    return f"  - {{name: {name}, type: basket-300x100, path_m: [{path}], height_m: {height}}}\n"


def obstacle(kind: str, x: float) -> str:
    square = f"[[{x}, 2.5], [{x + 0.4}, 2.5], [{x + 0.4}, 2.9], [{x}, 2.9]]"
    return f"{OUTLINE}, obstacles: [{{name: thing, kind: {kind}, polygon_m: {square}}}]"


CASES = {
    "disjoint pathways": (
        [(TRAY, tray("[2, 2.6], [3.2, 2.6]") + tray("[5, 2.6], [5.6, 2.6]", "2.4", "east"))],
        ("RTE001", 19),
        "`east` and `tray` come nearest, 1800 mm apart in plan and 300 mm in height",
    ),
    "a rack without a drop": (
        [(TRAY, tray("[2, 2.6], [4, 2.6]"))],
        ("LAY003", 6),  # the left exit: hypot(5030 - 4000, 3050 - 2600) = 1124.01, rounded up
        "the nearest is `tray`, 1125 mm away",
    ),
    "a pathway through the wall": (
        [(TRAY, tray("[2, 2.6], [9.25, 2.6]"))],
        ("LAY005", 8),
        "1250 mm of it lie outside, from 8.000, 2.600 m",
    ),
    "a pathway from room to room through the wall": (
        [
            (
                f"room: {{{OUTLINE}, ceiling_m: 3.5}}",
                (
                    "rooms: [{name: w, outline_m: [[0, 0], [4, 0], [4, 5], [0, 5]], ceiling_m: 3.5},"
                    " {name: e, outline_m: [[4.2, 0], [8, 0], [8, 5], [4.2, 5]], ceiling_m: 3.5}]"
                ),
            )
        ],
        ("LAY005", 8),
        "200 mm of it lie in no room, at 4.000, 2.600 m",
    ),
    "a head through a conduit": (  # 22.58 and 13.13 mm make 26.11998, which is told rounded up
        [
            ("name: bad", "name: bad\ncatalogs: [tubes]"),
            (TRAY, TRAY.replace("basket-300x100", "conduit-26")),
            (
                "model: host-2u-connectx-7, racks: [A02, B01], u: 10",
                "model: qm9700, racks: [A02, B01], u: 10, mount: rear",
            ),
            ("host-1:P1", "host-1:1/1"),
            ("host-2:P1", "host-2:1/1"),
            ("policy: {media: {order: [optic]}}", "pins: [{links: compute/t, cable: MCA4J80-N005}]"),
        ],
        ("FIL011", 9),
        "22.58 x 13.13 x 107.8 mm and 26.12 mm from corner to corner, the conduit is 26.1 mm wide",
    ),
    "a pathway through a column": (
        [(OUTLINE, obstacle("column", 4))],
        ("LAY011", 8),
        "over 400 mm, from 4.000, 2.600 m",
    ),
    "a pathway through racks": (
        [(TRAY, tray("[2, 2.6], [5.6, 2.6]", "1.7"))],
        ("LAY006", 8),
        "it lies at 1700 mm, the rack is 2258 mm high; over 1800 mm",
    ),
    "overlapping racks": ([("at_m: [5, 2]", "at_m: [3, 2.5]")], ("LAY001", 6), "they share 200 x 700 mm"),
    "a blocked door": ([(OUTLINE, obstacle("door", 1.8))], ("LAY013", 5), "`A01` takes 0.08 m2 of its place"),
    "an outline that crosses itself": (
        [(OUTLINE, "outline_m: [[0, 0], [8, 5], [8, 0], [0, 5]]")],
        ("LAY002", 3),
        "the room's outline crosses itself at 4.000, 2.500 m",
    ),
    "a piece of no length": (
        [(TRAY, tray("[2, 2.6], [3, 2.6], [3, 2.6], [5.6, 2.6]"))],
        ("LAY012", 8),
        "points 2 and 3 both lie at 3.000, 2.600 m",
    ),
    "a pathway of no length": ([(TRAY, TRAY + tray("[2, 4], [2, 4]", name="nil"))], ("LAY005", 9), "has no length"),
    "not a number": ([("[5.6, 2.6]", "[.nan, 2.6]")], ("INP006", 8), "`.nan` is not a number"),
    "infinite": ([("[5.6, 2.6]", "[-.inf, 2.6]")], ("INP006", 8), "`-.inf` is not a number"),
    "huge": ([("[5.6, 2.6]", "[1e300, 2.6]")], ("INP006", 8), "`1e300` is beyond 10 km"),
    "hugely fine": ([("[5.6, 2.6]", "[1e-300, 2.6]")], ("INP006", 8), "`1e-300` is finer than a micrometre"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_bad_room_is_told_at_its_line_and_by_how_much(name: str, tmp_path: Path) -> None:
    changes, (rule, line), words = CASES[name]
    (tmp_path / "tubes/pathways").mkdir(parents=True)
    (tmp_path / "tubes/pathways/conduit-26.yaml").write_text(CONDUIT, encoding="utf-8")
    found = [f for f in compiled(tmp_path, changed(ROOM, *changes)).findings if f.rule == rule]
    assert [f.at.line for f in found if f.at] == [line]
    assert words in f"{found[0].message}; {found[0].note}"


def test_a_polyline_of_more_points_than_are_read(tmp_path: Path) -> None:
    """A million of them take as long as their text takes to be read (10 s); a hundredth shows the same."""
    points = ", ".join(f"[2, {2.6 + n / 1e5:.5f}]" for n in range(10_001))
    made = compiled(tmp_path, changed(ROOM, (TRAY, TRAY + tray(points, name="curve"))))
    told = [f for f in made.findings if f.rule == "INP006"]
    assert [f.message for f in told] == ["`pathways[2].path_m`: it has 10001 points, at most 10000 are read"]


def test_a_polyline_of_tiny_pieces_is_as_long_as_it_is(tmp_path: Path) -> None:
    """3.6 m in pieces of 0.4 mm, which are nearer than two pathways need to be to meet: they do not fall into one."""
    points = ", ".join(f"[{2 + n * 0.0004:.4f}, 2.6]" for n in range(9_001))
    plain, curve = (
        compiled(tmp_path / str(n), text) for n, text in enumerate((ROOM, changed(ROOM, (TRAY, tray(points)))))
    )
    assert plain.plan is not None
    assert curve.plan is not None
    assert plain.plan.links.routed_mm.tolist() == curve.plan.links.routed_mm.tolist()


def test_help_of_several_links_is_for_the_first(tmp_path: Path) -> None:
    """4,000 mm and a slack of 300 + 3 % are 4,420, 1,420 beyond the longest of 3 m; the other link is still longer."""
    links = "measured:\n" + "".join(
        f'  - {{link: "host-{n}:P1--leaf-1:1/{n}", length_m: {metres}}}\n' for n, metres in ((1, 4), (2, 6))
    )
    text = changed(ROOM, ("order: [optic]", "order: [dac]")) + links
    told = [f for f in compiled(tmp_path, text).findings if f.rule == "MED001"]
    assert [f.count for f in told] == [2]
    assert told[0].help.startswith("for the first of them: allow `optic`")
    assert "shorten its way by 1420 mm" in told[0].help


def test_a_remark_that_prints_as_codes(tmp_path: Path) -> None:
    text = ROOM + 'remarks: [{links: "compute/t", text: "\u673a after the test"}]\n'
    told = [f for f in compiled(tmp_path, text).findings if f.rule == "INP014"]
    assert [f.note for f in told] == ["U+673A print as their codes"]
    assert told[0].message.startswith("remarks `\u673a after the test` have characters")
