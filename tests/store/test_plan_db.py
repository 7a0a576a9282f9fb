"""The plan as a file: nothing is lost on the way, and nothing but a plan is read."""

from __future__ import annotations

import sqlite3
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from planner.pipeline import compile_project
from planner.plan import Plan
from planner.store import NotAPlanError, read_plan, write_plan
from planner.store.database import _ROWS, _TABLES, FORMAT_VERSION
from planner.table import Words

LAYOUTS = Path(__file__).parents[2] / "layouts"


@pytest.fixture(scope="module")
def plan() -> Plan:
    made = compile_project(LAYOUTS / "two-racks").plan
    assert made is not None
    return made


def dump(path: Path) -> str:
    with sqlite3.connect(path) as connection:
        return "\n".join(connection.iterdump())


def test_reading_gives_back_what_was_written(plan: Plan, tmp_path: Path) -> None:
    write_plan(plan, tmp_path / "plan.db")
    again = read_plan(tmp_path)
    assert again.identity == plan.identity
    assert again.findings == plan.findings
    assert (again.racks, again.devices, again.parts, again.pathways) == (
        plan.racks,
        plan.devices,
        plan.parts,
        plan.pathways,
    )
    assert again.link_ids == plan.link_ids
    for column in fields(plan.links):
        mine, theirs = getattr(plan.links, column.name), getattr(again.links, column.name)
        assert mine.tolist() == theirs.tolist() if isinstance(mine, Words) else np.array_equal(mine, theirs), (
            column.name
        )


def test_a_plan_written_from_its_file_has_the_same_dump(plan: Plan, tmp_path: Path) -> None:
    write_plan(plan, tmp_path / "one.db")
    write_plan(read_plan(tmp_path / "one.db"), tmp_path / "two.db")
    assert dump(tmp_path / "one.db") == dump(tmp_path / "two.db")


def test_columns_stand_in_the_order_of_the_plans_fields(plan: Plan, tmp_path: Path) -> None:
    write_plan(plan, tmp_path / "plan.db")
    renamed = {"row": "rack_row"}  # a rack's row of racks; every table has a `row` of its own
    with sqlite3.connect(tmp_path / "plan.db") as connection:
        for table, (_, kind) in {**_ROWS, **_TABLES}.items():
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")][1:]
            assert columns == [renamed.get(f.name, f.name) for f in fields(kind)], table


def test_every_table_and_reference_holds(plan: Plan, tmp_path: Path) -> None:
    write_plan(plan, tmp_path / "plan.db")
    with sqlite3.connect(tmp_path / "plan.db") as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        links = connection.execute("SELECT link_id, cable_part, required_mm, stock_mm FROM link_list").fetchall()
    assert links[0] == ("dgx-1:OSFP4P2--leaf-1:1/1", "MFP7E10-N005", 4145, 5000)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not a plan"),
        (b"these are not the rows you are looking for, and long enough to be a page" * 20, "is damaged"),
    ],
)
def test_what_is_no_plan_is_refused_in_one_line(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "plan.db").write_bytes(content)
    with pytest.raises(NotAPlanError, match=message):
        read_plan(tmp_path)


def test_a_cut_off_plan_is_refused(plan: Plan, tmp_path: Path) -> None:
    write_plan(plan, tmp_path / "plan.db")
    whole = (tmp_path / "plan.db").read_bytes()
    (tmp_path / "plan.db").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(NotAPlanError):
        read_plan(tmp_path)


@pytest.mark.parametrize(
    ("version", "advice"),
    [(1, "make it again from its project"), (2, "make it again"), (99, "read it with a newer planner")],
)
def test_a_plan_of_another_format_is_refused_with_both_numbers(
    plan: Plan, tmp_path: Path, version: int, advice: str
) -> None:
    write_plan(plan, tmp_path / "plan.db")
    with sqlite3.connect(tmp_path / "plan.db") as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    with pytest.raises(NotAPlanError, match=f"format {version}, this planner reads format {FORMAT_VERSION}; {advice}"):
        read_plan(tmp_path)
