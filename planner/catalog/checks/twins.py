"""One number, one part: part and order numbers are what people order by, wherever in the catalog they stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from planner.catalog.checks.entered import Entered
from planner.catalog.figures import Family
from planner.catalog.load import Catalog
from planner.findings import Fault

RULE: Final = "part-number-twice"


def faults_of(entry: Entered, catalog: Catalog) -> Iterator[Fault]:
    if isinstance(entry.model, Family):
        yield from _numbers(entry, catalog)
    for key, name in (("rates", "id"), ("grades", "id")):
        yield from _in_list(entry, key, name)


def _numbers(entry: Entered, catalog: Catalog) -> Iterator[Fault]:
    holders = catalog.numbers
    for row, member in enumerate(getattr(entry.model, "members", [])):
        for key in ("part", "order_number"):
            number = getattr(member, key)
            others = [(family, part) for family, part in holders.get((number or "").lower(), ())
                      if (family, part) != (entry.name, member.part)]  # fmt: skip
            if number and others:
                yield Fault(
                    RULE,
                    f"`{number}` of `{entry.name}` is also a number of `{others[0][0]}`",
                    entry.at("members", row, key),
                    note=f"there it is part `{others[0][1]}`",
                    help="correct one of the two; to take the place of an entry, give yours the same id",
                    objects=tuple(dict.fromkeys((entry.name, *(family for family, _ in others)))),
                )


def _in_list(entry: Entered, key: str, name: str) -> Iterator[Fault]:
    seen: set[str] = set()
    for row, item in enumerate(getattr(entry.model, key, [])):
        value = getattr(item, name)
        if value in seen:
            yield Fault(RULE, f"`{value}` stands twice in `{key}`", entry.at(key, row), help="keep one of the two",
                        objects=(entry.name,))  # fmt: skip
        seen.add(value)
