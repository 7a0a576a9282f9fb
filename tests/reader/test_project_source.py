"""Small projects of several files beside what is read from them, or what is found wrong with them."""

from __future__ import annotations

import os
import re
from hashlib import sha256
from pathlib import Path
from typing import get_origin

import pytest

from planner.findings import Fault
from planner.project import Project
from planner.reader import ProjectSource, Sources, read_project, spot_at
from planner.reader.project_source import JOINED_LISTS


def project(folder: Path, main: str, **files: str) -> ProjectSource:
    """Files by their stem; `__` in it is a folder."""
    (folder / "project.yaml").write_text(main, encoding="utf-8")
    for stem, text in files.items():
        path = folder / f"{stem.replace('__', '/')}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return read_project(folder)


def told(source: ProjectSource | Sources) -> list[str]:
    def line(fault: Fault) -> str:
        return f"{fault.rule} {source.files.span(fault.at)} {fault.message}" + (
            f" ({fault.note})" if fault.note else ""
        )

    return [line(fault) for fault in source.faults]


def test_a_project_of_one_file(tmp_path: Path) -> None:
    read = project(tmp_path, "format: planner/1\nracks: [a]\n")
    assert read.root == {"format": "planner/1", "racks": ["a"]}
    assert read.folder == tmp_path
    assert read.digests == {"project.yaml": sha256(b"format: planner/1\nracks: [a]\n").hexdigest()}
    assert read.faults == []
    assert read_project(tmp_path / "project.yaml").root == read.root


def test_lists_are_joined_depth_first_in_the_order_of_includes(tmp_path: Path) -> None:
    read = project(
        tmp_path,
        "include: [b.yaml, ./sub/d.yaml]\nracks:\n  - a\n",
        b="racks: [b]\ninclude: c.yaml\n",
        c="racks: [c]\nroom: {ceiling_m: 3}\n",
        sub__d="racks:\n- d\ndevices:\n",
    )
    assert told(read) == []
    assert read.root == {"racks": ["a", "b", "c", "d"], "room": {"ceiling_m": "3"}, "devices": None}
    places = [str(read.files.span(spot_at(read.root, ("racks", index)))) for index in range(4)]
    assert places == ["project.yaml:3:5", "b.yaml:1:9", "c.yaml:1:9", "sub/d.yaml:2:3"]
    assert str(read.files.span(spot_at(read.root, ("room", "ceiling_m")))) == "c.yaml:2:19"
    assert list(read.digests) == ["project.yaml", "b.yaml", "c.yaml", "sub/d.yaml"]


def test_another_key_may_stand_once_in_all_files(tmp_path: Path) -> None:
    read = project(tmp_path, "name: x\ninclude: [b.yaml]\n", b="format: planner/1\nroom: {}\nname: y\n")
    assert told(read) == [
        "include-fault b.yaml:1:1 `format` stands in the included file `b.yaml`, and belongs in the main file only",
        "duplicate-key b.yaml:3:1 the key `name` stands in two files of the project (the first is at project.yaml:1:1)",
    ]
    assert read.root == {"name": "x", "room": {}}


def test_an_empty_list_is_joined_and_no_other_value(tmp_path: Path) -> None:
    read = project(tmp_path, "include: [b.yaml, c.yaml]\nracks:\n", b="racks: [b]\n", c="racks: {row: A}\n")
    assert read.root == {"racks": ["b"]}
    assert told(read) == [
        "include-fault c.yaml:1:8 `racks` is not a list in both files, so that they cannot be joined (the first is at b.yaml:1:8)"
    ]


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("../b.yaml", "include-fault project.yaml:1:10 `../b.yaml` leads out of its folder by `..`"),
        ("x/../b.yaml", "include-fault project.yaml:1:10 `x/../b.yaml` leads out of its folder by `..`"),
        ("/b.yaml", "include-fault project.yaml:1:10 `/b.yaml` is an absolute path"),
        ("C:b.yaml", "include-fault project.yaml:1:10 `C:b.yaml` is an absolute path"),
        ("x\\b.yaml", "include-fault project.yaml:1:10 `x\\b.yaml` contains a backslash"),
        ('""', "include-fault project.yaml:1:10 `` is not the name of a file"),
        ("{a: b}", "include-fault project.yaml:1:10 `include` takes the name of a file or a list of names"),
        ("[[]]", "include-fault project.yaml:1:11 `include` takes the name of a file or a list of names"),
        ("[~]", "include-fault project.yaml:1:11 `include` takes the name of a file or a list of names"),
        ("none.yaml", "file-unreadable project.yaml:1:10 there is no file `none.yaml`"),
        ("sub", "file-unreadable project.yaml:1:10 `sub` is a folder, and a file is expected"),
        ("link.yaml", "include-fault project.yaml:1:10 `link.yaml` is a symbolic link that leads out of the project's folder"),
        ("out/b.yaml", "include-fault project.yaml:1:10 `out/b.yaml` is a symbolic link that leads out of the project's folder"),
        ("loop.yaml", "file-unreadable project.yaml:1:10 `loop.yaml` cannot be read: too many levels of symbolic links"),
        ("pipe", "file-unreadable project.yaml:1:10 `pipe` is neither a file nor a folder, and a file is expected"),
        ("list.yaml", "yaml-syntax list.yaml:1:1 `list.yaml` holds a list, and `key: value` lines are expected"),
        ("text.yaml", "yaml-syntax text.yaml:1:1 `text.yaml` holds a text, and `key: value` lines are expected"),
        ("project.yaml", "include-fault project.yaml:1:10 `project.yaml` includes itself in a circle (`project.yaml` includes `project.yaml`)"),
        ("[a.yaml, ./a.yaml]", "include-fault project.yaml:1:19 `a.yaml` is included twice (first at project.yaml:1:11)"),
        ("[a.yaml, same.yaml]", "include-fault project.yaml:1:19 `same.yaml` is included twice (first at project.yaml:1:11)"),
    ],
)  # fmt: skip
def test_includes_that_are_refused(tmp_path: Path, name: str, fault: str) -> None:
    folder = tmp_path / "p"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "b.yaml").write_text("racks: [secret]\n")
    (folder / "link.yaml").symlink_to(tmp_path / "b.yaml")
    (folder / "out").symlink_to(tmp_path)
    (folder / "loop.yaml").symlink_to("loop.yaml")
    (folder / "same.yaml").symlink_to("a.yaml")
    os.mkfifo(folder / "pipe")
    read = project(folder, f"include: {name}\n", a="racks: []\n", list="- a\n", text="a\n")
    assert told(read) == [fault]
    assert read.root is not None
    assert read.root.get("racks", []) == []


def test_a_circle_is_told_link_by_link(tmp_path: Path) -> None:
    read = project(tmp_path, "include: b.yaml\n", b="include: c.yaml\n", c="include: [b.yaml, project.yaml]\n")
    assert told(read) == [
        "include-fault c.yaml:1:11 `b.yaml` includes itself in a circle (`b.yaml` includes `c.yaml` includes `b.yaml`)",
        "include-fault c.yaml:1:19 `project.yaml` includes itself in a circle (`project.yaml` includes `b.yaml` includes `c.yaml` includes `project.yaml`)",
    ]


def test_a_long_chain_of_includes(tmp_path: Path) -> None:
    for number in range(1, 2000):
        (tmp_path / f"{number}.yaml").write_text(f"include: {number + 1}.yaml\nracks: [r{number}]\n")
    read = project(tmp_path, "include: 1.yaml\n")
    assert [fault.message for fault in read.faults] == ["there is no file `2000.yaml`"]
    assert read.root is not None
    assert len(read.root["racks"] or ()) == 1999


def test_faults_of_all_files_are_collected(tmp_path: Path) -> None:
    read = project(tmp_path, "a: 1\na: 2\ninclude: [b.yaml, c.yaml]\n", b="x: [\n", c="y: !t 1\nz: 3\n")
    assert [fault.split(" the key")[0].split(" the tag")[0] for fault in told(read)] == [
        "duplicate-key project.yaml:2:1",
        "yaml-syntax b.yaml:2:1 a value is expected here",
        "yaml-syntax c.yaml:1:4",
    ]
    assert not read.is_readable
    assert read.root == {"a": "1", "y": "1", "z": "3"}
    assert list(read.digests) == ["project.yaml", "b.yaml", "c.yaml"]


def test_a_project_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "x.yaml", tmp_path / "no" / "project.yaml"):
        read = read_project(path)
        assert (read.root, read.is_readable) == (None, False)
        assert [fault.rule for fault in read.faults] == ["file-unreadable"]


def test_the_main_file_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.yaml").write_text("name: x\n")
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "project.yaml").symlink_to(tmp_path / "real.yaml")
    assert read_project(tmp_path / "p").root == {"name": "x"}


def test_the_size_of_files_is_limited(tmp_path: Path) -> None:
    (tmp_path / "project.yaml").write_text("name: x\n")
    assert read_project(tmp_path, max_bytes=8).faults == []
    assert told(read_project(tmp_path, max_bytes=7)) == [
        "file-unreadable None `project.yaml` has 8 bytes, 7 are allowed"
    ]


def test_later_files_go_on_in_the_same_numbering(tmp_path: Path) -> None:
    read = project(tmp_path, "name: x\n", cat__b="id: b\n", cat__a="id: a\n", cat__c="[]")
    (tmp_path / "cat" / ".hidden.yaml").write_text("id: h\n")
    (tmp_path / "cat" / "readme.txt").write_text("no\n")
    names = read.sources.names_below("cat")
    assert names == ["cat/a.yaml", "cat/b.yaml", "cat/c.yaml"]
    assert [read.sources.read_yaml(name) for name in names] == [{"id": "a"}, {"id": "b"}, None]
    again = read.sources.read("cat/a.yaml")
    assert again is not None
    assert (again.number, again.name, again.data) == (1, "cat/a.yaml", b"id: a\n")
    assert read.files.names == ("project.yaml", "cat/a.yaml", "cat/b.yaml", "cat/c.yaml")
    assert told(read) == ["yaml-syntax cat/c.yaml:1:1 `cat/c.yaml` holds a list, and `key: value` lines are expected"]


def test_every_way_to_write_the_suffix_is_read(tmp_path: Path) -> None:
    for name in ("a.yml", "B.YAML", "c.yaml", "d.Yml", ".e.yml", "f.yaml.bak", "yaml"):
        (tmp_path / name).write_text("id: x\n")
    assert Sources(tmp_path).names_below(".") == ["B.YAML", "a.yml", "c.yaml", "d.Yml"]


def test_folders_are_confined_too(tmp_path: Path) -> None:
    sources = Sources(tmp_path)
    (tmp_path / "file").write_text("")
    assert [sources.names_below(name) for name in ("..", "none", "file")] == [[], [], []]
    assert told(sources) == [
        "include-fault None `..` leads out of its folder by `..`",
        "file-unreadable None the folder `none` does not exist",
        "file-unreadable None the folder `file` is not a folder",
    ]


def test_another_folder_beside_the_project(tmp_path: Path) -> None:
    (tmp_path / "shipped").mkdir()
    (tmp_path / "shipped" / "project.yaml").write_text("id: x\n")
    read = project(tmp_path, "name: x\n")
    shipped = read.sources.beside(tmp_path / "shipped", "shipped:")
    root = shipped.read_yaml("project.yaml")
    assert root == {"id": "x"}
    assert str(read.files.span(spot_at(root, ("id",)))) == "shipped:project.yaml:1:5"
    assert list(read.digests) == ["project.yaml", "shipped:project.yaml"]


def test_every_list_of_a_project_may_stand_in_several_files() -> None:
    lists = {name for name, field in Project.model_fields.items() if get_origin(field.annotation) is list}
    assert lists == JOINED_LISTS
    page = (Path(__file__).parents[2] / "docs" / "input.md").read_text(encoding="utf-8")
    told = page.split("The lists ", 1)[1].split(" of all files are joined", 1)[0]
    assert set(re.findall(r"`(\w+)`", told)) == JOINED_LISTS
