"""The catalog: figures that prove nothing, lifecycles that are not known, and files that are out of order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from planner.catalog.checks.plausible import NOT_ABOVE_ZERO
from planner.catalog.fibre import Cord
from planner.catalog.figures import Figure, Lifecycle
from planner.catalog.plugs import CableAssembly, LengthOf, Transceiver
from planner.findings import Fault, Severity
from planner.rules.inp import impossible_entries
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.selection.options import SPLITTER, Option

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
    if option.shape == SPLITTER and option.ports > 1:
        yield cable.id, "breakout_point_m", cable.breakout_point_m, "whether its legs reach"  # type: ignore[misc]
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


def _own(subject: Subject, rule_name: str) -> Iterable[Fault]:
    """What the checks of a catalog say of the project's own; shipped files are checked by `planner catalog check`."""
    return (fault for fault in subject.own_catalog if fault.rule == rule_name)


@rule("CAT007", "part-number-twice", Severity.ERROR)
def part_number_twice(subject: Subject) -> Iterable[Fault]:
    """A part number or an order number stands for two parts, or an entry stands twice in one file.

    Why: people order by the number, and only one of the two would be found by it.
    Example: a cord of the project's catalog with the order number of a shipped cord.
    Fix: correct the number; an entry that is to take the place of another has its id.
    Source: `members` of both parts.
    """
    return _own(subject, "part-number-twice")


@rule("CAT008", "implements-falsely", Severity.ERROR)
def implements_falsely(subject: Subject) -> Iterable[Fault]:
    """A part claims to be one of a generic part that does not exist, or from which it differs.

    Why: a generic plan would be bought as a part that does not fit.
    Example: a module of 100 m that implements `generic-2x400gbase-dr4-osfp-finned`, which has 500 m.
    Fix: remove it from `implements`, or correct the figure.
    Source: `implements` of the part; both parts' ends, receptacles, protocols and reaches.
    """
    return _own(subject, "implements-falsely")


@rule("CAT009", "catalog-contradicts-itself", Severity.ERROR)
def catalog_contradicts_itself(subject: Subject) -> Iterable[Fault]:
    """Two statements of a catalog cannot both be true, or one refers to something that no catalog has.

    Why: whichever of the two the plan rests on may be the wrong one.
    Example: a rate of 4 lanes of 100G and 800 Gb/s; a 10 m member of a cable that reaches 5 m.
    Fix: correct the one that is wrong.
    Source: the statements themselves; `compatibility/` for rates, grades, budgets, form factors and what enters what.
    """
    return _own(subject, "catalog-contradicts-itself")


@rule("CAT010", "figure-implausible", Severity.ERROR)
def figure_implausible(subject: Subject) -> Iterable[Fault]:
    """A figure is one that no real part has.

    Why: it is a slipped unit or point most likely, and every number that rests on it is wrong by as much.
    Example: a cord that loses 35 dB/km instead of 3.5; a cable of 45 kg/m; a day that is none.
    Fix: correct it; waive it where the part is truly so.
    Source: limits of what the field has at large, in `planner/catalog/checks/plausible.py`.
    """
    told = {fault.objects for fault in impossible_entries(subject)}  # of these INP006 tells the figure of nothing
    return (
        fault
        for fault in _own(subject, "figure-implausible")
        if fault.code != NOT_ABOVE_ZERO or fault.objects not in told
    )


@rule("CAT011", "figure-unsourced", Severity.WARNING)
def figure_unsourced(subject: Subject) -> Iterable[Fault]:
    """A figure does not say where it comes from, or how far it can be trusted.

    Why: nobody can check it again, and a verdict that rests on it is worth as little.
    Example: `source: page` in a file whose `sources` have no `page`; a value without `evidence`.
    Fix: name the source, and the evidence; say in a note why an unverified figure stands there.
    Source: `sources`, `source` and `evidence` of the entry.
    """
    return _own(subject, "figure-unsourced")


@rule("CAT012", "component-without-number", Severity.WARNING)
def component_without_number(subject: Subject) -> Iterable[Fault]:
    """Something must be ordered with a device, and its part number is not known, so that no bill has it.

    Why: a chassis without its supervisors and fabric modules does not start.
    Example: the supervisors of a modular switch.
    Fix: enter the numbers under `components` in a catalog of the project, or order them apart.
    Source: `components` of the device.
    """
    for family in {device.chassis.id: device.chassis.family for device in subject.layout.devices}.values():
        missing = [piece for piece in family.components if piece.part is None]
        if missing and family.kind == "switch":
            spoken = ", ".join(f"{piece.quantity} x {piece.what}" for piece in missing)
            yield Fault(
                "component-without-number",
                f"the bill lacks what is ordered with each `{family.id}`: {spoken}",
                subject.catalog.spots.get(family.id, -1),
                note="no part number of it is known",
                help="ask the maker, and enter the numbers in a catalog of the project",
                objects=(family.id,),
            )
