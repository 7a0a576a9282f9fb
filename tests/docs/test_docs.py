"""The documentation is true: generated pages, links, YAML examples, queries, and every command with its exit status.

Forms that the pages keep to:
- ```` ```yaml ````: the first line `# NAME.yaml` names the file that a later command on the page reads. A block with
  `format:` is a whole project; one with other keys of a project is a part of one. `yaml invalid` is at fault on purpose.
- ```` ```console ````: `$ planner ...  # exit N`, then lines of its output; `...` stands for lines left out.
"""

from __future__ import annotations

import re
import runpy
import shlex
import sqlite3
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, get_args

import pytest
import yaml
from pydantic import BaseModel

from planner.catalog.compatibility import Compatibility
from planner.catalog.devices import Device
from planner.catalog.fibre import Cord
from planner.catalog.load import load_catalog
from planner.catalog.plugs import CableAssembly, Transceiver
from planner.catalog.prices import PriceBook
from planner.catalog.racks import PathwayType, RackType
from planner.cli import main as planner
from planner.data import catalogs_folder
from planner.generators.parameters import Generate
from planner.pipeline import compile_project
from planner.project import Project
from planner.reader import Sources, YamlMap, load_yaml
from planner.store import write_plan
from planner.validation import validated

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
READ_BY_PEOPLE = [
    *PAGES,
    *sorted((ROOT / "layouts").glob("*/README.md")),
    *sorted(ROOT.glob("*.md")),
    ROOT / "output/README.md",
]
GENERATORS = sorted((DOCS / "generators").glob("*.md"))
PROJECT_KEYS = set(Project.model_fields)
REST_OF_A_PROJECT = "format: planner/1\nname: x\nroom: {outline_m: [[0, 0], [9, 0], [9, 6]], ceiling_m: 3}\n"


class Block(NamedTuple):
    """A fenced block: its page, its language, the words after that, and its lines."""

    page: Path
    language: str
    words: str
    text: str

    @property
    def file(self) -> str | None:
        named = re.match(r"# ([\w./-]+\.(?:yaml|csv))\n", self.text)
        return named[1] if named else None


def blocks(page: Path) -> Iterator[Block]:
    for language, words, text in re.findall(
        r"^```(\w+) ?([^\n]*)\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
    ):
        yield Block(page, language, words, text)


def named(block: Block) -> str:
    return f"{block.page.stem}: {block.text.strip()[:40]}"


ALL_BLOCKS = [block for page in READ_BY_PEOPLE for block in blocks(page)]
YAML_BLOCKS = [block for block in ALL_BLOCKS if block.language == "yaml" and block.words != "invalid"]


def tree_of(text: str) -> YamlMap:
    tree, faults = load_yaml(text.encode(), 0)
    assert faults == []
    assert isinstance(tree, YamlMap)
    return tree


@cache
def generated() -> dict[str, str]:
    pages: dict[str, str] = runpy.run_path(str(DOCS / "generate.py"))["documents"]()
    return pages


def test_generated_pages_are_up_to_date() -> None:
    stale = [
        name
        for name, text in generated().items()
        if not (DOCS / name).is_file() or (DOCS / name).read_text("utf-8") != text
    ]
    assert stale == [], "run `make docs`"


def test_no_page_is_left_of_a_rule_that_is_gone() -> None:
    assert [page.name for page in (DOCS / "rules").glob("*.md") if f"rules/{page.name}" not in generated()] == []


def test_every_column_of_plan_db_has_a_meaning() -> None:
    assert re.findall(r"^\| `\w+` \|.*\|  \|$", (DOCS / "plan-db.md").read_text("utf-8"), re.MULTILINE) == []


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(
        r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL), re.MULTILINE
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", READ_BY_PEOPLE, ids=lambda page: str(page.relative_to(ROOT)))
def test_relative_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    lost = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        there = (page.parent / name).resolve() if name else page
        if not there.exists() or (anchor and there.suffix == ".md" and anchor not in anchors(there)):
            lost.append(target)
    assert lost == []


def test_every_page_is_in_the_index() -> None:
    index = (DOCS / "index.md").read_text("utf-8")
    pages = [page.relative_to(DOCS).as_posix() for page in DOCS.glob("*.md") if page.name != "index.md"]
    assert [page for page in pages if f"]({page})" not in index] == []


@pytest.mark.parametrize("block", YAML_BLOCKS, ids=named)
def test_yaml_examples_hold(block: Block, tmp_path: Path) -> None:
    """A project, a part of one, a catalog file, or a channel file: each is read as the planner reads it."""
    tree = tree_of(block.text)
    if "format" in tree:
        (tmp_path / "project.yaml").write_text(block.text, encoding="utf-8")
        found = compile_project(tmp_path).findings
        assert [finding.message for finding in found if finding.severity == "error"] == []
    elif set(tree) <= PROJECT_KEYS:
        rest = "".join(f"{line}\n" for line in REST_OF_A_PROJECT.splitlines() if line.split(":")[0] not in tree)
        checked = validated(Project, tree_of(rest + block.text))
        assert [fault.message for fault in checked.faults] == []
    elif block.file and "catalog" in block.file:
        place = tmp_path / block.file
        place.parent.mkdir(parents=True)
        place.write_text(block.text, encoding="utf-8")
        sources = Sources(tmp_path)
        load_catalog(sources, catalogs_folder(), [(block.file.split("/")[0], -1)])
        assert [fault.message for fault in sources.faults] == []
    else:
        assert "cases" in tree, "a block that no reader knows"


@pytest.fixture(scope="module")
def plan_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiled = compile_project(ROOT / "layouts/two-racks")
    assert compiled.plan is not None
    path = tmp_path_factory.mktemp("plan") / "plan.db"
    write_plan(compiled.plan, path)
    return path


@pytest.mark.parametrize("block", [block for block in ALL_BLOCKS if block.language == "sql"], ids=named)
def test_queries_run(block: Block, plan_db: Path) -> None:
    connection = sqlite3.connect(f"file:{plan_db}?mode=ro", uri=True)
    for query in filter(str.strip, block.text.split(";")):
        connection.execute(query).fetchall()
    connection.close()


def keys_of(model: type[BaseModel]) -> Iterator[str]:
    """The keys of a model and of all models below it."""
    for name, info in model.model_fields.items():
        yield info.alias or name
        for below in models_in(info.annotation):
            yield from keys_of(below)


def page_of_kind(kind: str) -> Path:
    """The page that the table of generators gives for a kind."""
    table = (DOCS / "generators.md").read_text("utf-8")
    row = next(line for line in table.splitlines() if line.startswith("|") and f"`{kind}`" in line.split("|")[1])
    found = re.search(r"\]\((generators/[\w-]+\.md)\)", row)
    assert found
    return DOCS / found[1]


@pytest.mark.parametrize("model", get_args(get_args(Generate)[0]), ids=lambda model: model.__name__)
def test_each_generator_has_a_page_with_its_keys_a_picture_and_an_example(model: type[BaseModel]) -> None:
    for kind in get_args(model.model_fields["kind"].annotation):
        page = page_of_kind(kind)
        text = page.read_text("utf-8")
        assert sorted(set(keys_of(model)) - set(re.findall(r"\w+", text))) == []
        assert re.search(r"!\[[^\]]+\]\([\w-]+\.svg\)", text)
        examples = [block for block in blocks(page) if block.text.startswith("format:")]
        kinds = [fabric["generate"]["kind"] for b in examples for fabric in yaml.safe_load(b.text)["fabrics"]]
        assert set(get_args(model.model_fields["kind"].annotation)) & set(kinds)


def models_in(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from models_in(argument)


@pytest.mark.parametrize(
    ("model", "pages"),
    [
        (Project, ("input", "generators", *(f"generators/{page.stem}" for page in GENERATORS))),
        (Device, ("catalogs",)),
        (RackType, ("catalogs",)),
        (PathwayType, ("catalogs",)),
        (Transceiver, ("catalogs",)),
        (CableAssembly, ("catalogs",)),
        (Cord, ("catalogs",)),
        (Compatibility, ("catalogs",)),
        (PriceBook, ("catalogs",)),
    ],
)
def test_every_key_is_explained(model: type[BaseModel], pages: tuple[str, ...]) -> None:
    text = "".join((DOCS / f"{page}.md").read_text("utf-8") for page in pages)
    words = set(re.findall(r"\w+", text))
    assert sorted(set(keys_of(model)) - words) == []


class Step(NamedTuple):
    """A command, the exit status printed beside it, and the lines of output printed below it."""

    command: str
    status: int
    lines: tuple[str, ...]


def steps(page: Path) -> list[Step]:
    found: list[Step] = []
    for block in blocks(page):
        if block.language != "console":
            continue
        for line in block.text.splitlines():
            if line.startswith("$ "):
                command, _, status = line[2:].partition("  # exit ")
                found.append(Step(command.strip(), int(status or 0), ()))
            elif line.strip() not in ("", "..."):
                found[-1] = found[-1]._replace(lines=(*found[-1].lines, line.rstrip()))
    return found


@pytest.mark.parametrize(
    "page", [page for page in READ_BY_PEOPLE if steps(page)], ids=lambda page: str(page.relative_to(ROOT))
)
def test_commands_do_what_the_page_prints(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All commands of a page, one after the other in one folder, as a reader would type them."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "layouts").symlink_to(ROOT / "layouts")
    for block in blocks(page):
        if block.file:
            (tmp_path / block.file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
    for step in steps(page):
        called, *arguments = shlex.split(step.command)
        assert called == "planner", step.command
        target = None
        if ">" in arguments:
            *arguments, _, target = arguments
        status = planner(arguments)
        out, err = capsys.readouterr()
        assert status == step.status, f"{step.command}\n{out}{err}"
        if target:
            (tmp_path / target).write_text(out, encoding="utf-8")
        printed = iter((out + err).splitlines())
        missing = [line for line in step.lines if not any(line == there.rstrip() for there in printed)]
        assert missing == [], f"{step.command}\n{out}{err}"


def test_every_command_is_shown_once_at_least() -> None:
    from planner.cli.main import _parser

    commands = next(action for action in _parser()._actions if action.metavar == "COMMAND").choices
    shown = {step.command.split()[1] for step in steps(DOCS / "commands.md")}
    assert commands is not None
    assert set(commands) == shown


def test_every_decision_has_a_number_of_its_own_and_is_listed() -> None:
    pages = sorted((DOCS / "decisions").glob("*.md"))
    numbers = [page.name[:4] for page in pages]
    assert numbers == [f"{number:04}" for number in range(1, len(pages) + 1)]
    headed = [page.name for page in pages if not page.read_text("utf-8").startswith(f"# {page.name[:4]}: ")]
    assert headed == []
    index = (DOCS / "index.md").read_text("utf-8")
    assert [page.name for page in pages if f"[{page.name[:4]} " not in index or page.name not in index] == []


def test_pages_name_nothing_of_a_workplace() -> None:
    strange = re.compile(r"/(?:work|home|root|tmp)/", re.IGNORECASE)
    assert [str(page) for page in PAGES if strange.search(page.read_text("utf-8"))] == []
