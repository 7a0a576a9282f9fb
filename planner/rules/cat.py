"""The catalog: figures that prove nothing, lifecycles that are not known, and files that are out of order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from planner.catalog.fibre import Cord
from planner.catalog.figures import Figure, Lifecycle
from planner.catalog.plugs import CableAssembly, LengthOf, Transceiver
from planner.findings import Fault, Severity
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.selection.options import Option

Part = Transceiver | CableAssembly | Cord


@rule("CAT001", "figure-not-proven", Severity.WARNING)
def figure_not_proven(subject: Subject) -> Iterable[Fault]:
    """A verdict of the plan rests on a figure that nobody publishes, or that has no trustworthy source.

    Why: the check did not fail, but it cannot pass either: it is not proven.
    Example: the loss budget of a module whose maker gives none.
    Fix: enter the figure with its source in a catalog of the project.
    Source: `evidence` of the figure.
    """
    told: set[tuple[str, str]] = set()
    for option, _rows in subject.groups:
        for part, name, figure, verdict in _rested_on(subject, option):
            if (figure is None or not figure.proven) and (part, name) not in told:
                told.add((part, name))
                state = "is not known" if figure is None or figure.value is None else "has no trustworthy source"
                yield Fault(
                    "figure-not-proven",
                    f"`{name}` of `{part}` {state}, so {verdict} is not proven",
                    subject.catalog.spots.get(part, -1),
                    note=figure.note if figure is not None else "",
                    help="enter it with its source in a catalog of the project",
                    objects=(part,),
                )


def _rested_on(subject: Subject, option: Option) -> Iterator[tuple[str, str, Figure[object] | None, str]]:
    """Each figure that the verdicts on an option rest on: part, name, figure, and the verdict."""
    cable = option.cable
    yield cable.id, "length_of", cable.length_of, "what its length covers"  # type: ignore[misc]
    yield cable.id, "tolerance_mm", cable.tolerance_mm, "its shortest length"  # type: ignore[misc]
    if cable.length_of.value is LengthOf.TIP and isinstance(cable, CableAssembly):
        yield cable.id, "insertion_mm", cable.insertion_mm, "its usable length"  # type: ignore[misc]
    yield cable.id, "outer_diameter_mm", cable.outer_diameter_mm, "the fill of pathways"  # type: ignore[misc]
    yield cable.id, "kg_per_m", cable.kg_per_m, "the weight in pathways"  # type: ignore[misc]
    for plug, cages in ((option.a_plug, "a"), (option.z_plug, "z")):
        if plug is not None:
            yield plug.id, "power_w", plug.power_w, "power in the cage"  # type: ignore[misc]
            if isinstance(cable, Cord):
                reach = plug.reach_m.get(cable.fibre)
                yield plug.id, f"reach_m.{cable.fibre}", reach, "reach"  # type: ignore[misc]
                budget = subject.catalog.budgets.get((plug.pmd, cable.fibre))
                loss = budget.loss_db if budget is not None else None
                yield plug.pmd, f"loss budget on {cable.fibre}", loss, "loss"  # type: ignore[misc]
        del cages
    if isinstance(cable, Cord):
        yield cable.id, "standoff_mm", cable.standoff_mm, "the run out of the cage"  # type: ignore[misc]
        yield cable.id, "attenuation_db_per_km", cable.attenuation_db_per_km, "loss"  # type: ignore[misc]
        if cable.legs_source is not None:
            yield cable.id, "legs", cable.legs_source, "which lanes its legs carry"  # type: ignore[misc]
    else:
        yield cable.id, "reach_m", cable.reach_m, "reach"  # type: ignore[misc]
        yield cable.id, "standoff_mm", cable.a.standoff_mm, "the run out of the cage"  # type: ignore[misc]
        yield cable.id, "power_w", cable.power_w, "power in the cage"  # type: ignore[misc]


@rule("CAT002", "lifecycle-unknown", Severity.WARNING)
def lifecycle_unknown(subject: Subject) -> Iterable[Fault]:
    """A chosen part's lifecycle is not known.

    Why: it may no longer be sold.
    Example: MMA4Z00-NS, which the maker's list of 2026-09 shows neither as active nor as withdrawn.
    Fix: ask the vendor, and enter the answer in a catalog of the project.
    Source: `lifecycle` of the part.
    """
    told: set[str] = set()
    for option, _rows in subject.groups:
        for part in (option.cable, option.a_plug, option.z_plug):
            if part is not None and part.lifecycle.value in (None, Lifecycle.UNKNOWN) and part.id not in told:
                told.add(part.id)
                yield Fault(
                    "lifecycle-unknown",
                    f"the lifecycle of `{part.id}` is not known",
                    subject.catalog.spots.get(part.id, -1),
                    note=part.lifecycle.note or f"as of {part.lifecycle.as_of or 'an unknown day'}",
                    help="ask whether it can be ordered",
                    objects=(part.id,),
                )


@rule("CAT003", "cage-places-unknown", Severity.WARNING)
def cage_places_unknown(subject: Subject) -> Iterable[Fault]:
    """The catalog does not say where a device's cages are.

    Why: the run from the port to the manager is planned from the middle of the device, the longest there is.
    Example: a server whose rear view was never measured.
    Fix: enter `points` or a `grid`, with its source.
    Source: the catalog entry of the device.
    """
    used = np.unique(np.concatenate((subject.links.a_device, subject.links.z_device)))
    told: set[str] = set()
    for number in used.tolist():
        chassis = subject.layout.devices[number].chassis
        if chassis.id not in told and any(
            g.grid is None and g.points is None for g in _used_groups(subject, chassis.id)
        ):
            told.add(chassis.id)
            yield Fault(
                "cage-places-unknown",
                f"where the cages of `{chassis.id}` sit is not known",
                subject.catalog.spots.get(chassis.id, -1),
                note="runs to the managers are planned from the device's middle, and sides from the cages' order",
                help="enter `points` or a `grid` in a catalog of the project",
                objects=(chassis.id,),
            )


def _used_groups(subject: Subject, family: str):  # type: ignore[no-untyped-def]  # noqa: ANN202
    return {
        id(g): g
        for kind in subject.selection.kinds.kinds
        for cage in (kind.a, kind.z)
        if cage.model == family
        for g in (cage.group,)
    }.values()


@rule("CAT004", "device-figure-not-proven", Severity.WARNING)
def device_figure_not_proven(subject: Subject) -> Iterable[Fault]:
    """Lengths rest on a dimension of a device or a rack that has no trustworthy source.

    Why: a rack whose managers stand elsewhere makes every cable of it wrong.
    Example: the depth of a switch, known from memory only.
    Fix: measure it, and enter it with its source in a catalog of the project.
    Source: `evidence` of the figure.
    """
    for chassis in subject.layout.chassis:
        family = chassis.family
        weak = [
            name
            for name, figure in (
                ("width_mm", family.width_mm),
                ("depth_mm", family.depth_mm),
                ("height_u", family.height_u),
            )
            if not figure.proven
        ]
        weak += [
            "the places of its cages" for group in family.cages if group.grid and group.grid.evidence == "unverified"
        ][:1]
        if weak:
            yield Fault(
                "device-figure-not-proven",
                f"{' and '.join(f'`{w}`' if '_' in w else w for w in weak)} of `{chassis.id}` {'has' if len(weak) == 1 else 'have'} no trustworthy source, so lengths at it are not proven",
                subject.catalog.spots.get(chassis.id, -1),
                help="measure, and enter the figures in a catalog of the project",
                objects=(chassis.id,),
            )
    for kind in sorted({rack.type.id for rack in subject.layout.racks}):
        if subject.catalog.racks[kind].evidence == "unverified":
            yield Fault(
                "device-figure-not-proven",
                f"the dimensions of rack type `{kind}` are an assumption, so lengths in its racks are not proven",
                subject.catalog.spots.get(kind, -1),
                help="enter the real rack in a catalog of the project",
                objects=(kind,),
            )


@rule("CAT005", "catalog-misplaced", Severity.ERROR)
def catalog_misplaced(subject: Subject) -> Iterable[Fault]:
    """A catalog file is in no folder of a catalog, or is not named after its id.

    Why: a part is found by its file's name.
    Example: `plugs/mma4z00.yaml` with the id `mma4z00-ns`.
    Fix: rename or move the file.
    Source: `docs/catalogs.md`.
    """
    return subject.told("catalog-misplaced")


@rule("CAT006", "catalog-id-twice", Severity.ERROR)
def catalog_id_twice(subject: Subject) -> Iterable[Fault]:
    """Two files of one catalog hold the same id.

    Why: one of them would be lost.
    Example: the same cord under `fibre/` and, by mistake, under `plugs/`.
    Fix: remove one of them.
    Source: `docs/catalogs.md`.
    """
    return (
        replace(fault, help=fault.help or "keep one of the two files") for fault in subject.told("catalog-id-twice")
    )
