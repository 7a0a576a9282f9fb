"""Every figure says where it comes from, and one that nobody published says why it stands there all the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from planner.catalog.checks.entered import Entered, models_in, spoken
from planner.catalog.figures import Evidence, Family, Figure, Lifecycle
from planner.catalog.load import Catalog
from planner.findings import Fault

RULE: Final = "figure-unsourced"
_NO_STATEMENT: Final = (None, Lifecycle.UNKNOWN)
_ADDRESS: Final = re.compile(r"\S+://\S+")


def faults_of(entry: Entered, _catalog: Catalog) -> Iterator[Fault]:
    family = entry.model
    if isinstance(family, Family) and not family.lifecycle.as_of and family.lifecycle.value not in _NO_STATEMENT:
        yield Fault(RULE, f"`lifecycle` of `{entry.name}` does not say of which day it is", entry.at("lifecycle"),
                    help="add `as_of`, the day of the list that says so", objects=(entry.name,))  # fmt: skip
    for path, model in models_in(entry.model):
        source = getattr(model, "source", None)
        if source is None:
            continue
        text = entry.sources.get(source, source)
        at = entry.at(*path, "source")
        what = f"`{spoken(path)}`" if path else "the entry"
        if not text.strip():
            yield Fault(RULE, f"the source of {what} is empty", at, help="name the document, or say what it rests on",
                        objects=(entry.name,))  # fmt: skip
        elif text is source and " " not in source and "://" not in source:
            # One word is a key of `sources`; anything longer is the source itself.
            known = ", ".join(f"`{key}`" for key in entry.sources)
            yield Fault(
                RULE,
                f"{what} names the source `{source}`, which the file does not declare",
                at,
                note=f"`sources` has {known}" if known else "the file has no `sources`",
                help="enter it under `sources`, or write the source out in words",
                objects=(entry.name,),
            )
        if isinstance(model, Figure):
            yield from _evidence(entry, path, model, text)


def _evidence(entry: Entered, path: tuple[str | int, ...], figure: Figure[object], text: str) -> Iterator[Fault]:
    what, at = f"`{spoken(path)}`", entry.at(*path)
    if figure.value is None:
        if figure.evidence is not Evidence.UNVERIFIED:
            yield Fault(RULE, f"{what} is unknown and claims `{figure.evidence.value}` evidence", at,
                        help="leave `evidence` out, or enter the value", objects=(entry.name,))  # fmt: skip
    elif "evidence" not in figure.model_fields_set:
        yield Fault(RULE, f"{what} says nothing of its evidence and counts as `unverified`", at,
                    help="add `evidence: primary`, `derived`, `secondary` or `unverified`", objects=(entry.name,))  # fmt: skip
    elif figure.evidence is Evidence.UNVERIFIED and not figure.note.strip() and _ADDRESS.fullmatch(text.strip()):
        yield Fault(
            RULE,
            f"{what} is `unverified` and names an address without a word of why",
            at,
            note=f"its source is {text.strip()}",
            help="say in a `note` what is doubtful, or raise the evidence if the page states the figure",
            objects=(entry.name,),
        )
