"""Which links are led over panels, over which trunks and between which banks of panels: `policy.cabling` link by link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.catalog.fibre import Cord
from planner.catalog.load import Catalog
from planner.catalog.structured import Trunk
from planner.findings import Fault, Spot
from planner.layout import Layout
from planner.names import fold
from planner.pins import LinkNames
from planner.project import Cabling
from planner.reader import YamlMap, spot_at
from planner.structured.chain import InsertPart, rear_connector
from planner.structured.panels import Banks, insert_part, unknown_part
from planner.table import Ints, Mask
from planner.topology import Links


@dataclass(frozen=True)
class Entry:
    """An entry of `policy.cabling` with its parts; trunk_of: by two racks' numbers, the trunk where it is another one."""

    number: int
    trunk: Trunk | None
    insert: InsertPart | None
    cord: Cord | None
    trunk_of: dict[frozenset[int], Trunk]
    at: Spot

    def trunk_between(self, a_bank: int, z_bank: int) -> Trunk | None:
        return self.trunk_of.get(frozenset((a_bank, z_bank)), self.trunk)


@dataclass(frozen=True)
class Asked:
    """By link: the entry of `policy.cabling` that leads it over panels, -1 for a direct link, and its banks, -1 without.

    lost: links that should be led over panels and cannot be, whose findings are told.
    """

    entries: Sequence[Entry]
    entry: Ints
    a_bank: Ints
    z_bank: Ints
    lost: Mask

    @property
    def any(self) -> bool:
        return bool((self.entry >= 0).any())


def asked_of(
    cabling: Sequence[Cabling], tree: YamlMap, catalog: Catalog, names: LinkNames, links: Links, layout: Layout,
    banks: Banks, own_plugs: Mask, *, follow_up: bool, all_panels: bool,
) -> tuple[Asked, list[Fault]]:  # fmt: skip
    """Each link's entry and banks; a later entry goes before an earlier one.

    own_plugs: links on which a cable with plugs of its own is pinned; they stay direct. all_panels: whether the panels are all
    known, so that those that are missing are told.
    """
    faults: list[Fault] = []
    entry = np.full(len(links), -1, np.int64)
    entries: list[Entry] = []
    for number, one in enumerate(cabling):
        loc = ("policy", "cabling", number)
        entries.append(_entry(number, one, loc, tree, catalog, layout, banks, faults))
        for place, text in enumerate(one.links):
            rows = names.matching(text)
            if not len(rows) and follow_up and names.can_tell(text):
                at = spot_at(tree, (*loc, "links") if len(one.links) == 1 else (*loc, "links", place))
                faults.append(
                    Fault("names-nothing", f"the cabling of `{text}` names no link", at, help=names.advice(text))
                )
            entry[rows] = number if one.scheme == "structured" else -1
    entry[own_plugs] = -1
    rack = np.array([device.rack for device in layout.devices] or [0], np.int64)
    bank = np.array([*banks.of_rack, -1], np.int64)
    over = entry >= 0
    a_bank = np.where(over, bank[rack[links.a_device]], -1) if len(links) else entry
    z_bank = np.where(over, bank[rack[links.z_device]], -1) if len(links) else entry
    unknown = np.array([e.trunk is None for e in entries] + [False])[entry] if entries else np.zeros(len(links), bool)
    asked = Asked(tuple(entries), entry, a_bank, z_bank, over & unknown)
    missing = _without_panels(asked, names, links, layout, rack)
    return asked, [*faults, *(missing if all_panels else ()), *_in_one_bank(asked, names, layout)]


def _entry(
    number: int, one: Cabling, loc: tuple[str | int, ...], tree: YamlMap, catalog: Catalog, layout: Layout, banks: Banks,
    faults: list[Fault],
) -> Entry:  # fmt: skip
    def trunk(name: str, *key: str | int) -> Trunk | None:
        part = catalog.structured.get(name.lower())
        if isinstance(part, Trunk):
            return part
        known = [id_ for id_, other in catalog.structured.items() if isinstance(other, Trunk)]
        faults.append(unknown_part("trunk", name, known, spot_at(tree, (*loc, *key))))
        return None

    own = trunk(one.trunk, "trunk") if one.trunk is not None else None
    insert = insert_part(one.plate, catalog, spot_at(tree, (*loc, "plate")), faults)
    others: dict[frozenset[int], Trunk] = {}
    for n, choice in enumerate(one.between):
        racks = [layout.rack_index.get(fold(name)) for name in choice.racks]
        for name, rack in zip(choice.racks, racks, strict=True):
            if rack is None:
                known = [r.name for r in layout.racks]
                faults.append(unknown_part("rack", name, known, spot_at(tree, (*loc, "between", n, "racks"))))
        part = trunk(choice.trunk, "between", n, "trunk")
        if part is not None and None not in racks:
            pair = frozenset(
                banks.of_rack[rack] if banks.of_rack[rack] >= 0 else rack for rack in racks if rack is not None
            )
            others[pair] = part
    cord = catalog.cords.get(one.cord.lower()) if one.cord is not None else None
    if one.cord is not None and (cord is None or cord.kind != "cord"):
        known = [id_ for id_, other in catalog.cords.items() if other.kind == "cord"]
        faults.append(unknown_part("cord", one.cord, known, spot_at(tree, (*loc, "cord"))))
    return Entry(
        number, own, insert, cord if cord is not None and cord.kind == "cord" else None, others, spot_at(tree, loc)
    )


def _without_panels(asked: Asked, names: LinkNames, links: Links, layout: Layout, rack: Ints) -> list[Fault]:
    """One finding a rack that no panels serve, at the entry that asks for them."""
    faults = []
    for device, bank in ((links.a_device, asked.a_bank), (links.z_device, asked.z_bank)):
        missing = np.flatnonzero((asked.entry >= 0) & (bank < 0))
        asked.lost[missing] = True
        where = rack[device[missing]] if len(missing) else missing
        for number in np.unique(where).tolist():
            rows = missing[where == number]
            name = layout.racks[number].name
            faults.append(
                Fault(
                    "no-panel-serves",
                    f"no panel serves rack `{name}`, where {names.spoken(rows)} {'ends' if len(rows) == 1 else 'end'}",
                    asked.entries[int(asked.entry[rows[0]])].at,
                    help=f"declare panels in `{name}`, or name it in the `serves` of others",
                    objects=tuple(names.as_written[row] for row in rows[:50].tolist()),
                    count=len(rows),
                )
            )
    return faults


def _in_one_bank(asked: Asked, names: LinkNames, layout: Layout) -> list[Fault]:
    same = (asked.entry >= 0) & (asked.a_bank >= 0) & (asked.a_bank == asked.z_bank)
    asked.lost[same] = True
    faults = []
    for bank in np.unique(asked.a_bank[same]).tolist():
        rows = np.flatnonzero(same & (asked.a_bank == bank))
        faults.append(
            Fault(
                "trunk-within-one-bank",
                f"both ends of {names.spoken(rows)} are patched at the panels of rack `{layout.racks[bank].name}`",
                asked.entries[int(asked.entry[rows[0]])].at,
                note="a trunk would end where it begins",
                help="cable them directly: an entry below with `scheme: direct`",
                objects=tuple(names.as_written[row] for row in rows[:50].tolist()),
                count=len(rows),
            )
        )
    return faults


def usable_inserts(banks: Banks, entry: Entry, bank: int, connector: str) -> dict[int, InsertPart]:
    """By panel of a bank, what goes into its slots, where trunks of a connector end in it."""
    found = {}
    for number in banks.of(bank):
        insert = banks.panels[number].insert or entry.insert
        if insert is not None and rear_connector(insert) == connector:
            found[number] = insert
    return found
