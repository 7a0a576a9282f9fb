"""An entry of a catalog together with the tree it was read from, which knows the place of every key."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel

from planner.catalog.compatibility import Compatibility
from planner.catalog.load import Catalog
from planner.catalog.prices import PriceBook
from planner.findings import Fault, Spot
from planner.names import nearest
from planner.reader import YamlMap, spot_at
from planner.validation import validated

Path = tuple[str | int, ...]

CONTRADICTS: Final = "catalog-contradicts-itself"


@dataclass(frozen=True)
class Entered:
    """A part, a rack or pathway type, a file of `compatibility/` or a price book, as it was read.

    name: its id, or the name of the file.
    """

    shelf: str
    name: str
    model: Any
    tree: YamlMap

    def at(self, *path: str | int) -> Spot:
        """The place of the value at a path of keys, or of its nearest parent that stands in the file."""
        return spot_at(self.tree, path)

    @property
    def sources(self) -> dict[str, str]:
        return getattr(self.model, "sources", {})


def entered_of(catalog: Catalog) -> Iterator[Entered]:
    """Every entry that was read and is of its form, in order of folder and id."""
    models = {f"{shelf}/{entry.id}.yaml": entry for shelf, entry in catalog.entries()}
    for name, tree in sorted(catalog.trees.items()):
        shelf, _, file = name.partition("/")
        model: BaseModel | None = models.get(name)
        if shelf in ("compatibility", "prices"):
            model = validated(Compatibility if shelf == "compatibility" else PriceBook, tree).model
        if model is not None:
            yield Entered(shelf, file.rpartition("/")[2].removesuffix(".yaml"), model, tree)


def models_in(value: Any, path: Path = ()) -> Iterator[tuple[Path, BaseModel]]:
    """Every model inside a value, with the path that leads to it."""
    if isinstance(value, BaseModel):
        yield path, value
        for key in type(value).model_fields:
            yield from models_in(getattr(value, key), (*path, key))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from models_in(item, (*path, str(key)))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from models_in(item, (*path, index))


def spoken(path: Path) -> str:
    """A path as people say it, items counted from 1 as in every other message: `cages[1].max_power_w`."""
    text = ""
    for step in path:
        text += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def contradiction(entry: Entered, path: Path, message: str, advice: str = "") -> Fault:
    """Two statements of a catalog that cannot both be true; path leads to one of them."""
    return Fault(
        CONTRADICTS,
        f"`{entry.name}`: {message}",
        entry.at(*path),
        help=advice or "correct the one that is wrong",
        objects=(entry.name,),
    )


def unknown_rate(entry: Entered, path: Path, rate: str, catalog: Catalog) -> Fault:
    meant = nearest(rate, list(catalog.rates))
    message = f"`{rate}` is not a rate that `compatibility/` has"
    return contradiction(entry, path, message, f"did you mean `{meant}`?" if meant else "")
