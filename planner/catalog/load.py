"""The catalog of a run: what ships with the planner, with the project's own folders added or put in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, Final

from pydantic import BaseModel

from planner.catalog.chassis import Chassis, chassis_of
from planner.catalog.compatibility import Budget, Compatibility, Firmware, Fit, FormFactor, Grade, Rate
from planner.catalog.devices import Airflow, Device, DeviceMember
from planner.catalog.fibre import Cord
from planner.catalog.plugs import CableAssembly, Transceiver
from planner.catalog.prices import Price, PriceBook
from planner.catalog.racks import PathwayType, RackType
from planner.catalog.structured import AdapterPlate, Cassette, Panel, Shuffle, Structured, Trunk
from planner.findings import SHIPPED, Fault, Spot
from planner.reader import SourceFile, Sources, YamlMap, mapping_in, spot_at
from planner.validation import validated

Entry = Device | RackType | PathwayType | Transceiver | CableAssembly | Cord | Structured

PLUG_SCHEMAS: Final[dict[str, type[Transceiver | CableAssembly]]] = {
    "transceiver": Transceiver,
    "dac": CableAssembly,
    "acc": CableAssembly,
    "aec": CableAssembly,
    "aoc": CableAssembly,
    "utp": CableAssembly,
}


FIBRE_SCHEMAS: Final[dict[str, type[Cord | Structured]]] = {
    "cord": Cord,
    "splitter": Cord,
    "trunk": Trunk,
    "cassette": Cassette,
    "adapter": AdapterPlate,
    "panel": Panel,
    "shuffle": Shuffle,
}

SHELVES: Final = ("devices", "racks", "pathways", "plugs", "fibre", "compatibility", "prices")
"""The folders of a catalog."""

MOST_KEPT: Final = 1_024
"""Catalog files kept in memory, read and understood: the shipped ones three times over."""

_KINDS: Final = {
    **dict.fromkeys(("switch", "server", "nic", "appliance", "other"), "devices"),
    "rack": "racks",
    **dict.fromkeys(("tray", "ladder", "raceway", "floor", "conduit"), "pathways"),
    **dict.fromkeys(PLUG_SCHEMAS, "plugs"),
    **dict.fromkeys(FIBRE_SCHEMAS, "fibre"),
}
_KEYS: Final = {"compatibility": {"rates", "fits", "form_factors", "grades", "budgets"}, "prices": {"prices"}}


@dataclass(frozen=True)
class Catalog:
    """Parts and rules by id (lower case), and where each entry stands.

    trees: each entry's text as it was read, by `folder/file`, for documents and the plan that must stand without files.
    Files of `compatibility` and `prices` add to each other, so those of a project's folder stand beside shipped ones of
    the same name, under `folder/~01/file`, which sorts behind them as they go before them.
    """

    devices: dict[str, Device] = field(default_factory=dict)
    racks: dict[str, RackType] = field(default_factory=dict)
    pathways: dict[str, PathwayType] = field(default_factory=dict)
    transceivers: dict[str, Transceiver] = field(default_factory=dict)
    cables: dict[str, CableAssembly] = field(default_factory=dict)
    cords: dict[str, Cord] = field(default_factory=dict)
    structured: dict[str, Structured] = field(default_factory=dict)
    compatibility: tuple[Compatibility, ...] = ()
    books: tuple[PriceBook, ...] = ()
    spots: dict[str, Spot] = field(default_factory=dict)
    trees: dict[str, YamlMap] = field(default_factory=dict)
    _chassis: dict[str, Chassis] = field(default_factory=dict)

    @property
    def shelves(self) -> tuple[dict[str, Any], ...]:
        return (
            self.devices,
            self.racks,
            self.pathways,
            self.transceivers,
            self.cables,
            self.cords,
            self.structured,
        )

    def shelf_for(self, entry: Entry) -> dict[str, Any]:
        match entry:
            case Device():
                return self.devices
            case RackType():
                return self.racks
            case PathwayType():
                return self.pathways
            case Transceiver():
                return self.transceivers
            case CableAssembly():
                return self.cables
            case Cord():
                return self.cords
        return self.structured

    @cached_property
    def rates(self) -> dict[str, Rate]:
        return {rate.id: rate for file in self.compatibility for rate in file.rates}

    def forms(self, rate: str) -> tuple[str, ...]:
        """A rate and its other electrical forms, by id: what a port may run to serve it."""
        wanted = rate.lower()
        return (wanted, *(other.id for other in self.rates.values() if other.of == wanted))

    def forget_chassis(self, id_: str) -> None:
        """For an entry that another takes the place of."""
        self._chassis.pop(id_, None)

    @cached_property
    def firmware(self) -> tuple[Firmware, ...]:
        return tuple(need for file in self.compatibility for need in file.firmware)

    @cached_property
    def fits(self) -> tuple[Fit, ...]:
        return tuple(fit for file in self.compatibility for fit in file.fits)

    @cached_property
    def form_factors(self) -> dict[str, FormFactor]:
        return {form.id: form for file in self.compatibility for form in file.form_factors}

    @cached_property
    def grades(self) -> dict[str, Grade]:
        return {grade.id: grade for file in self.compatibility for grade in file.grades}

    @cached_property
    def budgets(self) -> dict[tuple[str, str], Budget]:
        """Budget by optical interface and fibre grade."""
        return {(b.pmd, b.grade): b for file in self.compatibility for b in file.budgets}

    @cached_property
    def prices(self) -> dict[str, Price]:
        """Price by part (lower case); a later book goes before an earlier one."""
        return {price.part.lower(): price for book in self.books for price in book.in_words()}

    @cached_property
    def device_parts(self) -> dict[str, str]:
        """Device id by the part number of one of its members, in lower case."""
        return {member.part.lower(): id_ for id_, family in self.devices.items() for member in family.members}

    @cached_property
    def numbers(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """Family and part by each part number and order number, in lower case; more than one is a fault."""
        found: dict[str, list[tuple[str, str]]] = {}
        for _, entry in self.entries():
            for member in getattr(entry, "members", ()):
                for number in dict.fromkeys((member.part.lower(), (member.order_number or "").lower())):
                    if number:
                        found.setdefault(number, []).append((entry.id, member.part))
        return {number: tuple(holders) for number, holders in found.items()}

    @cached_property
    def component_parts(self) -> dict[str, str]:
        """Device id by the part number of something that is ordered with it, in lower case; the first that has it."""
        found: dict[str, str] = {}
        for id_, family in sorted(self.devices.items()):
            for piece in family.components:
                if piece.part is not None:
                    found.setdefault(piece.part.lower(), id_)
        return found

    @cached_property
    def part_names(self) -> tuple[str, ...]:
        """Part numbers as they are written."""
        return tuple(member.part for _, entry in self.entries() for member in getattr(entry, "members", ()))

    def part_named(self, number: str) -> str | None:
        """A part as it is written, for its own number or its order number, whatever the case; None if several have it."""
        wanted = number.lower()
        holders = {part for _, part in self.numbers.get(wanted, ())}
        if holders:
            return holders.pop() if len(holders) == 1 else None
        pieces = (piece.part for family in self.devices.values() for piece in family.components if piece.part)
        return next((part for part in pieces if part.lower() == wanted), None)

    def chassis(self, id_: str) -> Chassis:
        """The cages and ports of a device family, worked out when first asked for."""
        if id_ not in self._chassis:
            self._chassis[id_] = chassis_of(self.devices[id_])
        return self._chassis[id_]

    def device(self, model: str) -> tuple[Chassis, Callable[[str], DeviceMember]] | None:
        """The chassis that a model names, and its member for a mounting face.

        A family's id leaves the member to the planner: the one whose air runs from the rack's front to its rear, else
        the first. A part number fixes it.
        """
        family = self.devices.get(model.lower())
        if family is not None:
            return self.chassis(family.id), lambda mount: _member_for(family, mount)
        id_ = self.device_parts.get(model.lower())
        if id_ is None:
            return None
        chassis = self.chassis(id_)
        member = next(m for m in chassis.family.members if m.part.lower() == model.lower())
        return chassis, lambda _mount: member

    def find(self, name: str) -> Entry | None:
        """The entry of an id, or of the part number of one of its members, whatever its case."""
        wanted = name.lower()
        for shelf in self.shelves:
            if wanted in shelf:
                found: Entry = shelf[wanted]
                return found
        if wanted in self.devices or wanted in self.device_parts:
            return self.devices[self.device_parts.get(wanted, wanted)]
        families: list[Transceiver | CableAssembly | Cord | Structured] = [
            *self.transceivers.values(),
            *self.cables.values(),
            *self.cords.values(),
            *self.structured.values(),
        ]
        for family in families:
            if any(wanted in (m.part.lower(), (m.order_number or "").lower()) for m in family.members):
                return family
        if wanted in self.component_parts:
            return self.devices[self.component_parts[wanted]]
        return None

    def entries(self) -> list[tuple[str, Entry]]:
        """Every entry with its folder, in order of folder and id."""
        found: list[tuple[str, Entry]] = [("devices", family) for family in self.devices.values()]
        found += [("racks", rack) for rack in self.racks.values()]
        found += [("pathways", pathway) for pathway in self.pathways.values()]
        found += [("plugs", plug) for plug in self.transceivers.values()]
        found += [("plugs", cable) for cable in self.cables.values()]
        found += [("fibre", cord) for cord in self.cords.values()]
        found += [("fibre", part) for part in self.structured.values()]
        return sorted(found, key=lambda item: (item[0], item[1].id))


def airflow_wanted(mount: str) -> Airflow:
    """Cold air comes to a rack's front, so ports at its rear let air out and ports at its front take it in."""
    return Airflow.PORT_EXHAUST if mount == "rear" else Airflow.PORT_INTAKE


def _member_for(family: Device, mount: str) -> DeviceMember:
    fitting = [member for member in family.members if member.airflow in (None, airflow_wanted(mount))]
    return (fitting or family.members)[0]


def load_catalog(sources: Sources, shipped: Path, folders: Iterable[tuple[str, Spot]] = ()) -> Catalog:
    """Read the shipped folder and then the project's, whose entries go before shipped ones of the same id.

    sources: of the project; faults of every file gather there. folders: the project's catalog folders, each with the
    place that names it.
    """
    catalog = Catalog()
    _read_folder(sources.beside(shipped, SHIPPED), "", catalog, "")
    for layer, (folder, at) in enumerate(folders, start=1):
        _read_folder(sources, folder, catalog, folder, at, layer)
    return catalog


def load_more(catalog: Catalog, sources: Sources, below: str = "") -> None:
    """Add the entries of another folder, in place of those of the same id; below: of one of its folders only."""
    _read_folder(sources, below, catalog, "", layer=_next_layer(catalog))


def load_one(catalog: Catalog, sources: Sources, name: str) -> None:
    """Add what a single file holds: by the folder it lies in, else by its `kind` or its keys."""
    tree = sources.read_yaml(name)
    if tree is None:
        return
    folder = sources.folder.resolve().name
    shelf = folder if folder in SHELVES else next((s for s, keys in _KEYS.items() if keys & tree.keys()), None)
    shelf = shelf or _KINDS.get(str(tree.get("kind")))
    if shelf is None:
        message = f"`{name}` does not say what it is"
        help_text = f"give it a `kind`, one of {', '.join(f'`{kind}`' for kind in _KINDS)}"
        sources.faults.append(Fault("catalog-misplaced", message, tree.spot, help=help_text))
        return
    _enter_all(catalog, [(f"{shelf}/{name}", _entered(shelf, tree))], "", sources, _next_layer(catalog))


def _next_layer(catalog: Catalog) -> int:
    return 1 + max((int(name.split("/")[1][1:]) for name in catalog.trees if "/~" in name), default=0)


def catalog_of(trees: Mapping[str, YamlMap]) -> Catalog:
    """The catalog of trees that were read before (`Catalog.trees`, as a plan keeps them)."""
    catalog, sources = Catalog(), Sources(Path())
    entered = [(name, _entered(_shelf_of(name, ""), tree)) for name, tree in sorted(trees.items())]
    _enter_all(catalog, entered, "", sources)
    return catalog


@dataclass(frozen=True, slots=True)
class _Entered:
    """What a catalog file says: its tree, the entry that it makes unless it is at fault, and its faults of form."""

    tree: YamlMap | None
    entry: BaseModel | None
    faults: tuple[Fault, ...]


def _read_folder(sources: Sources, folder: str, catalog: Catalog, top: str, at: Spot = -1, layer: int = 0) -> None:
    read = sources.read_below(folder or ".", at)
    entered = [(name, _understood(_shelf_of(name, top), source)) for name, source in read]
    _enter_all(catalog, entered, top, sources, layer)


@lru_cache(maxsize=MOST_KEPT)
def _understood(shelf: str, source: SourceFile) -> _Entered:
    """Kept from run to run of a process, for what-ifs and tests plan with the same hundreds of files over and over.

    A file's number is part of its places, so a project that has read another number of files before reads it again.
    """
    tree, faults = mapping_in(source)
    if tree is None:
        return _Entered(None, None, tuple(faults))
    return _entered(shelf, tree, faults)


def _entered(shelf: str, tree: YamlMap, faults: Iterable[Fault] = ()) -> _Entered:
    schema = _schema_for(shelf, tree)
    if schema is None:
        return _Entered(tree, None, tuple(faults))
    result = validated(schema, tree)
    return _Entered(tree, result.model, (*faults, *result.faults))


def _shelf_of(name: str, top: str) -> str:
    return PurePosixPath(name).relative_to(PurePosixPath(top or ".")).parts[0]


def _enter_all(
    catalog: Catalog, entered: Iterable[tuple[str, _Entered]], top: str, sources: Sources, layer: int = 0
) -> None:
    own: set[str] = set()
    compatibility, books = list(catalog.compatibility), list(catalog.books)
    for name, file in entered:
        sources.faults.extend(file.faults)
        if file.tree is None:
            continue
        inside = PurePosixPath(name).relative_to(PurePosixPath(top or "."))
        shelf = inside.parts[0]
        if shelf in _KEYS:
            compatibility += [file.entry] if isinstance(file.entry, Compatibility) else []
            books += [file.entry] if isinstance(file.entry, PriceBook) else []
            catalog.trees["/".join((shelf, *([f"~{layer:02}"] * bool(layer)), *inside.parts[1:]))] = file.tree
        else:
            _add(catalog, shelf, name, file.tree, file.entry, sources, own)
    object.__setattr__(catalog, "compatibility", tuple(compatibility))
    object.__setattr__(catalog, "books", tuple(books))


def _schema_for(shelf: str, tree: YamlMap) -> type[BaseModel] | None:
    match shelf:
        case "compatibility":
            return Compatibility
        case "prices":
            return PriceBook
        case "devices":
            return Device
        case "racks":
            return RackType
        case "pathways":
            return PathwayType
        case "fibre":
            return FIBRE_SCHEMAS.get(str(tree.get("kind")), Cord)
        case "plugs":
            return PLUG_SCHEMAS.get(str(tree.get("kind")), Transceiver)
    return None


def _add(catalog: Catalog, shelf: str, name: str, tree: YamlMap, entry: Any, sources: Sources, own: set[str]) -> None:
    if shelf not in SHELVES:
        known = f"{', '.join(f'`{shelf}`' for shelf in SHELVES[:-1])} and `{SHELVES[-1]}`"
        message = f"catalog file `{name}` is in no folder of a catalog"
        sources.faults.append(Fault("catalog-misplaced", message, tree.spot, help=f"the folders are {known}"))
        return
    if entry is None:
        return
    at = spot_at(tree, ("id",))
    if PurePosixPath(name).stem != entry.id:
        message = f"`{name}` holds the id `{entry.id}`"
        help_text = f"name the file `{entry.id}.yaml`"
        sources.faults.append(Fault("catalog-misplaced", message, at, help=help_text, objects=(entry.id,)))
    if entry.id in own:
        message = f"the id `{entry.id}` stands twice in one catalog"
        sources.faults.append(Fault("catalog-id-twice", message, at, objects=(entry.id,)))
    own.add(entry.id)
    for shelf_of_all in catalog.shelves:
        shelf_of_all.pop(entry.id, None)
    catalog.forget_chassis(entry.id)
    catalog.shelf_for(entry)[entry.id] = entry
    catalog.spots[entry.id] = at
    catalog.trees[f"{shelf}/{entry.id}.yaml"] = tree
