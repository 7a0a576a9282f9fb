"""The floor plan for CAD programs, read back by the library that they would be checked with."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import ezdxf
import pytest
from ezdxf import units
from ezdxf.document import Drawing
from ezdxf.entities import DXFEntity, LWPolyline, Polyline, Text

from planner.cli import main
from planner.plan import Plan
from planner.store import write_plan
from planner.write.dxf import APPLICATION, LAYERS, write_dxf
from planner.write.picture import floor_plan_of


def drawn(plan: Plan, folder: Path) -> Drawing:
    write_dxf(plan, floor_plan_of(plan), folder / "floor-plan.dxf")
    return ezdxf.readfile(folder / "floor-plan.dxf")


def name_of(entity: DXFEntity) -> str:
    return str(entity.get_xdata(APPLICATION)[0].value)


def places(line: LWPolyline) -> set[tuple[float, float]]:
    return {(point[0], point[1]) for point in line.get_points("xy")}


def corners(document: Drawing, layer: str) -> dict[str, set[tuple[float, float]]]:
    found = document.modelspace().query(f'LWPOLYLINE[layer=="{layer}"]')
    return {name_of(one): places(one) for one in found if isinstance(one, LWPolyline)}


def test_two_racks_stand_to_scale_on_their_layers(two_racks: Plan, tmp_path: Path) -> None:
    # A01 from (2.0, 2.0) m, 600 x 1200 mm; A02 east of it. tray-A from x = 2.0 to 3.2 m at y = 2.6, 300 wide, floor at 2.7.
    document = drawn(two_racks, tmp_path)
    assert document.units == units.MM
    assert not document.audit().errors
    assert {layer.dxf.name for layer in document.layers} >= set(LAYERS)
    racks = corners(document, "RACKS")
    assert racks["A01"] == {(2000, 2000), (2600, 2000), (2600, 3200), (2000, 3200)}
    assert racks["A02"] == {(2600, 2000), (3200, 2000), (3200, 3200), (2600, 3200)}
    assert corners(document, "PATHWAYS")["tray-A"] == {(2000, 2450), (3200, 2450), (3200, 2750), (2000, 2750)}
    (line,) = (one for one in document.modelspace().query("POLYLINE") if isinstance(one, Polyline))
    assert [tuple(point) for point in line.points()] == [(2000, 2600, 2700), (3200, 2600, 2700)]
    (room,) = document.modelspace().query('LWPOLYLINE[layer=="ROOM"]')
    assert isinstance(room, LWPolyline)
    assert places(room) == {(0, 0), (6000, 0), (6000, 5000), (0, 5000)}
    texts = {one.dxf.text for one in document.modelspace().query("TEXT")}
    assert {"A01", "A02", "tray-A"} <= texts
    assert any("inputs " in text for text in texts)


@pytest.mark.parametrize(
    "name",
    ["%%c90 ^J {\\fArial;x}", "<b>&\"'", "\u0421\u0442\u043e\u0439\u043a\u0430-1", "\u673a\u67b6", "=1+1", "W" * 64],
)
def test_hostile_names_read_back_as_written_and_are_no_codes(two_racks: Plan, tmp_path: Path, name: str) -> None:
    plan = replace(two_racks, racks=(replace(two_racks.racks[0], name=name), *two_racks.racks[1:]))
    document = drawn(plan, tmp_path)
    assert name in corners(document, "RACKS")
    shown = [
        one.plain_text() for one in document.modelspace().query('TEXT[layer=="RACK-NAMES"]') if isinstance(one, Text)
    ]
    assert name in shown


def test_the_same_plan_gives_the_same_bytes(two_racks: Plan, tmp_path: Path) -> None:
    drawn(two_racks, tmp_path)
    first = (tmp_path / "floor-plan.dxf").read_bytes()
    drawn(two_racks, tmp_path)
    assert (tmp_path / "floor-plan.dxf").read_bytes() == first


def test_it_is_written_where_it_is_asked_for_and_says_what_it_needs(
    two_racks: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_plan(two_racks, tmp_path / "plan.db")
    render = ["render", str(tmp_path / "plan.db"), "--only", "dxf", "--out"]
    assert main([*render, str(tmp_path / "cad")]) == 0
    assert (tmp_path / "cad" / "floor-plan.dxf").is_file()
    monkeypatch.setitem(sys.modules, "ezdxf", None)
    assert main([*render, str(tmp_path / "none")]) == 2
    assert "pip install 'cabling-planner[dxf]'" in capsys.readouterr().err
