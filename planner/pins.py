"""Parts that the user forces: each pin resolved to its links, and plugs spread to the links that share their cage."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import translate
from functools import cached_property
from typing import Final

import numpy as np

from planner.catalog.fibre import Cord
from planner.catalog.load import Catalog
from planner.catalog.plugs import CableAssembly, Transceiver
from planner.findings import Fault, Spot
from planner.layout import Layout
from planner.names import nearest
from planner.project import Fabric, Pin, Remark
from planner.reader import YamlMap, spot_at
from planner.table import Ints, Mask
from planner.topology import Links, link_ids

PinnedPart = Transceiver | CableAssembly | Cord


@dataclass(frozen=True, slots=True)
class Forced:
    """A forced part: its family, and its member where the pin names one (an exact length)."""

    family: PinnedPart
    member: int | None


def unread_remarks(remarks: Sequence[Remark], tree: YamlMap, names: LinkNames, *, follow_up: bool) -> list[Fault]:
    """Remarks that no sheet would have, for they name no link."""
    return [
        Fault(
            "names-nothing",
            f"the remark on `{remark.links}` names no link",
            spot_at(tree, ("remarks", number, "links")),
            help=names.advice(remark.links),
        )
        for number, remark in enumerate(remarks)
        if follow_up and not len(names.matching(remark.links)) and names.can_tell(remark.links)
    ]


@dataclass(frozen=True, slots=True)
class Pins:
    """By link, numbers into `parts` of the forced cable and plugs, -1 where free; pin: the pin that forces, -1.

    a_cord, z_cord: forced cords of channels over panels. at: place of each pin.
    """

    parts: tuple[Forced, ...]
    cable: Ints
    a_plug: Ints
    z_plug: Ints
    pin: Ints
    at: tuple[Spot, ...]
    a_cord: Ints
    z_cord: Ints


class LinkNames:
    """Links by ID, glob or fabric/tier, compared without case."""

    def __init__(self, links: Links, layout: Layout, fabrics: Sequence[Fabric]) -> None:
        self.count = len(links)
        self._tier_of = {
            (number, code): f"{fabric.name}/{tier}".casefold()
            for number, fabric in enumerate(fabrics)
            for code, tier in enumerate(links.tier.vocabulary)
        }
        self._links, self._layout, self._fabrics = links, layout, fabrics

    @cached_property
    def as_written(self) -> list[str]:
        """Every link's ID; most projects name tiers alone, and 300,000 IDs are not spelled for nothing."""
        return link_ids(self._links, self._layout)

    @cached_property
    def ids(self) -> list[str]:
        return [text.casefold() for text in self.as_written]

    @cached_property
    def _number(self) -> dict[str, int]:
        return {text: row for row, text in enumerate(self.ids)}

    @cached_property
    def _rail_of(self) -> dict[tuple[int, int], str]:
        """Names of the rails by fabric and rail."""
        pairs = np.unique(np.stack((self._links.fabric.astype(np.int64), self._rails)), axis=1)
        return {
            (fabric, rail): f"{self._fabrics[fabric].name}/rail/{rail}".casefold()
            for fabric, rail in pairs.T.tolist()
            if rail >= 0
        }

    @cached_property
    def _rails(self) -> Ints:
        """The rail of the port at either end of each link, a's where both have one; -1 without."""
        families = self._layout.chassis
        starts = np.concatenate(([0], np.cumsum([len(f.port_rail) for f in families]))).astype(np.int64)
        rails = np.concatenate([np.zeros(0, np.int64), *(f.port_rail for f in families)])

        def at(device: Ints, port: Ints) -> Ints:
            return rails[starts[self._layout.device_chassis[device]] + port] if len(device) else device

        a, z = at(self._links.a_device, self._links.a_port), at(self._links.z_device, self._links.z_port)
        return np.where(a >= 0, a, z)

    def matching(self, text: str, *, rails: bool = False) -> Ints:
        """Rows of the links that a text names.

        rails: whether `fabric/rail/N` names some, N being the rail of the server's port in the catalog.
        """
        wanted = text.casefold()
        if "--" in wanted and wanted in self._number:  # as in every ID, and in no other name
            return np.array([self._number[wanted]], np.int64)
        pattern = re.compile(translate(wanted))
        chosen: Mask = np.zeros(self.count, bool)
        for (fabric, tier), name in self._tier_of.items():
            if pattern.match(name):
                chosen |= (self._links.fabric == fabric) & (self._links.tier.codes == tier)
        if rails and "/rail/" in wanted:
            for (fabric, rail), name in self._rail_of.items():
                if pattern.match(name):
                    chosen |= (self._links.fabric == fabric) & (self._rails == rail)
        if "--" in wanted or "*" in wanted or "?" in wanted:
            chosen |= np.fromiter((pattern.match(name) is not None for name in self.ids), bool, len(self.ids))
        return np.flatnonzero(chosen)

    def can_tell(self, text: str) -> bool:
        """Whether a text that names no link is at fault: not where all links of its fabric were left out by other faults."""
        if not self._fabrics:
            return True
        named = {folded for number, folded in enumerate(self._folded) if number in self._present}
        lost = [folded for folded in self._folded if folded not in named]
        pattern = re.compile(translate(text.casefold().partition("/")[0]))
        return bool(named) and not any(pattern.match(folded) for folded in lost)

    @cached_property
    def _folded(self) -> list[str]:
        return [fabric.name.casefold() for fabric in self._fabrics]

    @cached_property
    def _present(self) -> set[int]:
        """Fabrics that have links."""
        return {fabric for fabric, _ in self._pairs}

    @cached_property
    def _pairs(self) -> set[tuple[int, int]]:
        """Fabric and tier of all links."""
        pairs = np.unique(np.stack((self._links.fabric.astype(np.int64), self._links.tier.codes)), axis=1)
        return {(fabric, tier) for fabric, tier in pairs.T.tolist()}

    def spoken(self, rows: Ints) -> str:
        """Some links as a message names them."""
        first = f"link `{self.as_written[int(rows[0])]}`"
        return first if len(rows) == 1 else f"{first} and {len(rows) - 1} more"

    def advice(self, text: str) -> str:
        """What to write in place of a text that names no link."""
        wanted = text.casefold()
        a, _, z = wanted.partition("--")
        turned = self._number.get(f"{z}--{a}")
        if turned is not None:
            return f"did you mean `{self.as_written[turned]}`?"
        tiers = [name for pair, name in self._tier_of.items() if pair in self._pairs]
        meant = nearest(wanted, self.ids if "--" in wanted and self.count <= _FEW else tiers)
        if meant is None:
            return "name a link ID, a glob of link IDs, or `fabric/tier`"
        return f"did you mean `{self.as_written[self._number[meant]] if meant in self._number else meant}`?"


_FEW: Final = 2_000
"""Links up to which the nearest ID is sought."""


def pins_of(
    pins: Sequence[Pin], tree: YamlMap, catalog: Catalog, names: LinkNames, cages: tuple[Ints, Ints], *, follow_up: bool
) -> tuple[Pins, list[Fault]]:
    """What each link is forced to; cages: the global number of the cage at both ends of each link."""
    faults: list[Fault] = []
    count = names.count
    parts: list[Forced] = []
    forced = {key: np.full(count, -1, np.int64) for key in ("cable", "a_plug", "z_plug", "a_cord", "z_cord")}
    by = np.full(count, -1, np.int64)
    for number, pin in enumerate(pins):
        loc = ("pins", number)
        rows = names.matching(pin.links)
        if not len(rows) and follow_up and names.can_tell(pin.links):
            faults.append(Fault("names-nothing", f"the pin on `{pin.links}` names no link", spot_at(tree, (*loc, "links")),
                                help=names.advice(pin.links)))  # fmt: skip
        for key, column in forced.items():
            wanted = getattr(pin, key)
            if wanted is None:
                continue
            part = _forced(wanted, key, catalog)
            if part is None:
                faults.append(_unknown_part(wanted, key, catalog, spot_at(tree, (*loc, key))))
            if part is None or not len(rows):
                continue
            if part not in parts:
                parts.append(part)
            code = parts.index(part)
            clash = rows[(column[rows] >= 0) & (column[rows] != code)]
            if len(clash):
                faults.append(
                    Fault(
                        "pins-disagree",
                        f"two pins force different parts on {names.spoken(clash)}",
                        spot_at(tree, (*loc, key)),
                        note=f"`{_spoken(parts[int(column[clash[0]])])}` and `{_spoken(part)}`",
                        help="narrow one of the two pins",
                        objects=tuple(names.as_written[row] for row in clash[:50].tolist()),
                        count=len(clash),
                    )
                )
            free = rows[column[rows] < 0]
            column[free] = code
            by[free] = np.where(by[free] < 0, number, by[free])
    _spread_cables(forced["cable"], by, cages, parts, names, tree, faults)
    _plugs_of_cables(pins, forced, parts, names, tree, faults)
    _spread(forced, by, cages, parts, names, tree, faults)
    at = tuple(spot_at(tree, ("pins", number)) for number in range(len(pins)))
    cable, a_plug, z_plug, a_cord, z_cord = forced.values()
    return Pins(tuple(parts), cable, a_plug, z_plug, by, at, a_cord, z_cord), faults


def _forced(name: str, key: str, catalog: Catalog) -> Forced | None:
    """The family or member of a name, if it is of a kind that the key can force."""
    family = catalog.find(name)
    cords = (CableAssembly, Cord) if key == "cable" else (Cord,)
    wanted: tuple[type, ...] = cords if key in ("cable", "a_cord", "z_cord") else (Transceiver,)
    if family is None or not isinstance(family, wanted):
        return None
    if isinstance(family, Transceiver):
        return Forced(family, None)
    assert isinstance(family, CableAssembly | Cord)
    wanted_number = name.lower()
    members = [
        i for i, m in enumerate(family.members) if wanted_number in (m.part.lower(), (m.order_number or "").lower())
    ]
    return Forced(family, members[0] if len(members) == 1 else None)


def _unknown_part(name: str, key: str, catalog: Catalog, at: Spot) -> Fault:
    other = catalog.find(name)
    if other is not None:
        kind = getattr(other, "kind", "part")
        wanted = {"cable": "a cable or a cord", "a_cord": "a cord", "z_cord": "a cord"}.get(key, "a transceiver")
        advice = "pin it as `a_plug` or `z_plug`" if isinstance(other, Transceiver) else "pin a part of the right kind"
        advice = "pin it as `cable`" if isinstance(other, CableAssembly | Cord) else advice
        return Fault("unknown-name", f"`{name}` is a {kind}, {wanted} is wanted", at, help=advice, objects=(name,))
    shelves: tuple[Mapping[str, object], ...] = (catalog.transceivers,)
    if key in ("cable", "a_cord", "z_cord"):
        shelves = (catalog.cables, catalog.cords) if key == "cable" else (catalog.cords,)
    known = [part for shelf in shelves for part in shelf]
    meant = nearest(name, known)
    what = {"cable": "cable", "a_cord": "cord", "z_cord": "cord"}.get(key, "transceiver")
    help_text = f"did you mean `{meant}`?" if meant else "`planner catalog list` shows what there is"
    return Fault("unknown-name", f"{what} `{name}` is not in the catalog", at, help=help_text, objects=(name,))


def _spread_cables(
    cable: Ints,
    by: Ints,
    cages: tuple[Ints, Ints],
    parts: list[Forced],
    names: LinkNames,
    tree: YamlMap,
    faults: list[Fault],
) -> None:
    """A cable with plugs of its own serves all links of its cages, so one forced on a link is forced on the others."""
    own = np.array([isinstance(part.family, CableAssembly) for part in parts] + [False])
    rows = np.flatnonzero((cable >= 0) & own[cable]).tolist()
    wanted = ((int(cage[row]), int(cable[row]), row) for row in rows for cage in cages)
    first_in = _first_in_cages(wanted, by, parts, names, tree, faults, "cable", "all links")
    if not first_in:
        return
    pinned = np.array(sorted(first_in), np.int64)
    for row in np.flatnonzero(np.isin(cages[0], pinned) | np.isin(cages[1], pinned)).tolist():
        first = min(first_in[int(cage[row])][1] for cage in cages if int(cage[row]) in first_in)
        cable[row] = cable[first]
        if by[row] < 0:
            by[row] = by[first]


def _plugs_of_cables(
    pins: Sequence[Pin],
    forced: dict[str, Ints],
    parts: Sequence[Forced],
    names: LinkNames,
    tree: YamlMap,
    faults: list[Fault],
) -> None:
    """A cable with plugs of its own leaves no cage for another one: a plug pinned beside it is a fault and is dropped."""
    own = np.array([isinstance(part.family, CableAssembly) for part in parts] + [False])
    for key in ("a_plug", "z_plug"):
        rows = np.flatnonzero((forced[key] >= 0) & own[forced["cable"]])
        if not len(rows):
            continue
        plug, cable = parts[int(forced[key][rows[0]])], parts[int(forced["cable"][rows[0]])]
        number = next(n for n, pin in enumerate(pins) if getattr(pin, key) and rows[0] in names.matching(pin.links))
        faults.append(
            Fault(
                "pins-disagree",
                f"`{_spoken(cable)}` has plugs of its own, and `{_spoken(plug)}` is pinned on {names.spoken(rows)} too",
                spot_at(tree, ("pins", number, key)),
                help="pin the cable or the plug, not both",
                objects=tuple(names.as_written[row] for row in rows[:50].tolist()),
                count=len(rows),
            )
        )
        forced[key][rows] = -1


def _spread(
    forced: dict[str, Ints],
    by: Ints,
    cages: tuple[Ints, Ints],
    parts: list[Forced],
    names: LinkNames,
    tree: YamlMap,
    faults: list[Fault],
) -> None:
    """A cage takes one plug, so a plug forced on one of its links is forced on the others."""
    by_end = (("a_plug", cages[0]), ("z_plug", cages[1]))
    wanted = (
        (int(cage[row]), int(forced[key][row]), row)
        for key, cage in by_end
        for row in np.flatnonzero(forced[key] >= 0).tolist()
    )
    plug_in = _first_in_cages(wanted, by, parts, names, tree, faults, "plug", "both links")
    if not plug_in:
        return
    pinned = np.array(sorted(plug_in), np.int64)
    for key, cage in by_end:
        for row in np.flatnonzero(np.isin(cage, pinned)).tolist():
            code, first = plug_in[int(cage[row])]
            forced[key][row] = code
            if by[row] < 0:
                by[row] = by[first]


def _first_in_cages(
    wanted: Iterable[tuple[int, int, int]],
    by: Ints,
    parts: Sequence[Forced],
    names: LinkNames,
    tree: YamlMap,
    faults: list[Fault],
    what: str,
    whose: str,
) -> dict[int, tuple[int, int]]:
    """By cage, the part that goes into it and the link that forces it first; a fault a pair of pins that differ.

    wanted: cage, part and link of each forced part.
    """
    first_in: dict[int, tuple[int, int]] = {}
    told: set[tuple[int, int]] = set()
    for cage, code, row in wanted:
        first_code, first = first_in.setdefault(cage, (code, row))
        pins = int(by[first]), int(by[row])
        if first_code != code and pins not in told:
            told.add(pins)
            note = " and ".join(
                f"`{_spoken(parts[c])}` by `{names.as_written[r]}`" for c, r in ((first_code, first), (code, row))
            )
            faults.append(
                Fault(
                    "pins-disagree",
                    f"two pins force different {what}s into one cage",
                    spot_at(tree, ("pins", pins[1])),
                    note=note,
                    help=f"name one {what} for {whose} of the cage",
                )
            )
    return first_in


def _spoken(part: Forced) -> str:
    if part.member is None or isinstance(part.family, Transceiver):
        return part.family.id
    return part.family.members[part.member].part
