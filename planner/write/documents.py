"""Every document of a plan, by kind: what `render` can make again from the plan alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from planner import schedules
from planner.fallback_font import need_letters
from planner.plan import Plan
from planner.sketches.shapes import Sketch
from planner.write.choices import DEFAULT, Choices
from planner.write.text import findings_text, json_text, write_csv, write_text


@dataclass(frozen=True, slots=True)
class Document:
    """A kind of document: its stem, the name of its file (or folder), and what writes it.

    write gets the plan, the folder to write into, and what was chosen, and returns what a person must be told; by_rack: a rack chosen limits this kind;
    only_large: nothing is written of small plans. only_asked: written where its kind is named, and not with all others. also: files that are written with it, or may be.
    """

    kind: str
    name: str
    write: Callable[[Plan, Path, Choices], list[str] | None]
    by_rack: bool = False
    only_large: bool = False
    only_asked: bool = False
    also: tuple[str, ...] = ()


def _bom_csv(plan: Plan, folder: Path, _choices: Choices) -> None:
    from planner.bom.bill import BOM_COLUMNS, bom_cells

    write_csv(folder / "bom.csv", BOM_COLUMNS, bom_cells(plan))


def _bom_xlsx(plan: Plan, folder: Path, _choices: Choices) -> None:
    from planner.write.xlsx import write_bom_workbook

    write_bom_workbook(plan, folder / "bom.xlsx")


def _schedules(plan: Plan, folder: Path, _choices: Choices) -> None:
    from planner.write.xlsx import write_schedules

    write_schedules(plan, folder)


def _cut_sheets(plan: Plan, folder: Path, choices: Choices) -> None:
    from planner.write.pdf import write_cut_sheets

    write_cut_sheets(plan, folder, choices)


def _floor_plan(plan: Plan, folder: Path, choices: Choices) -> None:
    from planner.write.picture import floor_plan_of, pdf_of, svg_of

    drawn = floor_plan_of(plan, choices.highlight)
    write_text(folder / "floor-plan.svg", svg_of(drawn))
    pdf_of(drawn, folder / "floor-plan.pdf")


def _floor_plan_dxf(plan: Plan, folder: Path, _choices: Choices) -> None:
    from planner.write.dxf import write_dxf
    from planner.write.picture import floor_plan_of

    write_dxf(plan, floor_plan_of(plan), folder / "floor-plan.dxf")


def _links(plan: Plan, folder: Path, _choices: Choices) -> None:
    write_csv(folder / "links.csv", schedules.LINK_COLUMNS, schedules.link_rows(plan))


def _cables(plan: Plan, folder: Path, _choices: Choices) -> None:
    write_csv(folder / "cables.csv", schedules.CABLE_COLUMNS, schedules.cable_rows(plan))


def _plugs(plan: Plan, folder: Path, _choices: Choices) -> None:
    write_csv(folder / "plugs.csv", schedules.PLUG_COLUMNS, schedules.plug_rows(plan))


def _labels(plan: Plan, folder: Path, _choices: Choices) -> None:
    write_csv(folder / "labels.csv", schedules.LABEL_COLUMNS, schedules.label_rows(plan))


def _label_sheets(plan: Plan, folder: Path, choices: Choices) -> list[str]:
    from planner.write.labels import write_labels

    return write_labels(plan, folder, choices)


def _elevations(plan: Plan, folder: Path, choices: Choices) -> None:
    from planner.write.elevations import write_elevations

    write_elevations(plan, folder, choices)


def _topology(plan: Plan, folder: Path, _choices: Choices) -> None:
    from planner.sketches.topology import topology_sketches

    _sketches(plan, folder, "topology", list(topology_sketches(plan)))


def _sections(plan: Plan, folder: Path, _choices: Choices) -> None:
    from planner.sketches.sections import section_sketches

    _sketches(plan, folder, "sections", list(section_sketches(plan)))


def _sketches(plan: Plan, folder: Path, stem: str, sketches: list[Sketch]) -> None:
    from planner.write.sketches import pdf_of_sketches, svg_of_sketches

    write_text(folder / f"{stem}.svg", svg_of_sketches(sketches, plan.identity))
    pdf_of_sketches(sketches, plan.identity, folder / f"{stem}.pdf", stem)


def _findings(plan: Plan, folder: Path, _choices: Choices) -> None:
    write_text(folder / "findings.json", findings_text(plan.findings))


def _summary(plan: Plan, folder: Path, _choices: Choices) -> None:
    from planner.bom.bill import summary_of

    write_text(folder / "summary.json", json_text(summary_of(plan)))


DOCUMENTS: Final = (
    Document("bom", "bom.xlsx", _bom_xlsx),
    Document("bom", "bom.csv", _bom_csv),
    Document("bom", "schedules.xlsx", _schedules, only_large=True),
    Document("cut-sheets", "cut-sheets.pdf", _cut_sheets, by_rack=True),
    Document("links", "links.csv", _links),
    Document("cables", "cables.csv", _cables),
    Document("plugs", "plugs.csv", _plugs),
    Document("labels", "labels.csv", _labels),
    Document("labels", "labels.pdf", _label_sheets),
    Document("elevations", "elevations.pdf", _elevations, by_rack=True, also=("elevations.svg",)),
    Document("floor-plan", "floor-plan.svg", _floor_plan, also=("floor-plan.pdf",)),
    Document("dxf", "floor-plan.dxf", _floor_plan_dxf, only_asked=True),
    Document("topology", "topology.svg", _topology, also=("topology.pdf",)),
    Document("sections", "sections.svg", _sections, also=("sections.pdf",)),
    Document("findings", "findings.json", _findings),
    Document("summary", "summary.json", _summary),
)
KINDS: Final = tuple(dict.fromkeys(document.kind for document in DOCUMENTS))


_INSTEAD: Final = {"labels.pdf": ("labels-merge.csv", "labels.zpl")}
"""Files that are written in place of a document where another form of it was chosen."""


def written_names(folder: Path) -> list[str]:
    """What the documents are called in the folder they were written to: large ones are a folder with a file per row of racks."""
    names = []
    for document in DOCUMENTS:
        path = Path(document.name)
        if path.suffix in {".pdf", ".xlsx"} and (folder / path.stem).is_dir():
            names.append(f"{path.stem}/row-*{path.suffix}")
        elif (folder / path).exists():
            names += [document.name, *(name for name in document.also if (folder / name).exists())]
        else:
            names += [name for name in _INSTEAD.get(document.name, ()) if (folder / name).exists()]
    return names


def write_documents(
    plan: Plan,
    folder: Path,
    kinds: frozenset[str] | None = None,
    choices: Choices = DEFAULT,
    say: Callable[[str], None] | None = None,
) -> list[str]:
    """Write the documents of the given kinds (all where None) into a folder that exists.

    say: is told the name of each document before it is written. Returns what a person must be told of them.
    """
    told: list[str] = []
    need_letters((plan.inputs, plan.catalog, *plan.ends.near.vocabulary))
    for document in DOCUMENTS:
        if document.kind in kinds if kinds is not None else not document.only_asked:
            if say:
                say(document.name)
            told += document.write(plan, folder, choices) or ()
    return told
