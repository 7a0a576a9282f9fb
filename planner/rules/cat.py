"""The catalog: figures that prove nothing, lifecycles that are not known, and files that are out of order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from planner.catalog.checks.plausible import NOT_ABOVE_ZERO
from planner.catalog.fibre import Cord
from planner.catalog.figures import Lifecycle
from planner.catalog.plugs import CableAssembly, Transceiver
from planner.findings import Fault, Severity
from planner.rules.inp import impossible_entries
from planner.rules.registry import rule
from planner.rules.rested import Rested, rested_on
from planner.rules.subject import Subject

Part = Transceiver | CableAssembly | Cord


@rule("CAT001", "figure-not-proven", Severity.WARNING)
def figure_not_proven(subject: Subject) -> Iterable[Fault]:
    """A verdict of the plan rests on a figure that nobody publishes, or that has no trustworthy source.

    Why: the check did not fail, but it cannot pass either: it is not proven.
    Example: the loss budget of a module whose maker gives none.
    Fix: enter the figure with its source in a catalog of the project.
    Source: `evidence` of the figure.
    """
    # Once a part and property; where a verdict rests on several (two ends), the weakest is told.
    weak = [rested for rested in rested_on(subject) if not rested.proven]
    first: dict[tuple[str, str], Rested] = {}
    for rested in sorted(weak, key=lambda rested: rested.known):
        first.setdefault((rested.entry, rested.name), rested)
    for key in dict.fromkeys((rested.entry, rested.name) for rested in weak):
        rested = first[key]
        state = "has no trustworthy source" if rested.known else "is not known"
        yield Fault(
            "figure-not-proven",
            f"`{rested.name}` of `{rested.entry}` {state}, so {rested.verdict} is not proven",
            subject.catalog.spots.get(rested.entry, -1),
            note=rested.note,
            help="enter it with its source in a catalog of the project",
            objects=(rested.entry,),
        )


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
        for part in option.parts:
            if part.lifecycle.value in (None, Lifecycle.UNKNOWN) and part.id not in told:
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
    """Lengths or fill rest on a dimension of a device, a rack or a pathway that has no trustworthy source.

    Why: a rack whose managers stand elsewhere makes every cable of it wrong.
    Example: the depth of a switch, known from memory only; the inner width of a tray that nobody measured.
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
        places = [group.grid or group.points for group in family.cages]
        if any(place is not None and place.evidence == "unverified" for place in places):
            weak.append("the places of its cages")
        slides = any(d.service_loop_um for d in subject.layout.devices if d.chassis is chassis)
        if slides and family.slides_out_m is not None and not family.slides_out_m.proven:
            weak.append("slides_out_m")
        if family.rails is not None and not family.rails.proven and any(f.generate for f in subject.project.fabrics):
            weak.append("rails")
        if weak:
            yield Fault(
                "device-figure-not-proven",
                f"{' and '.join(w if ' ' in w else f'`{w}`' for w in weak)} of `{chassis.id}` {'has' if len(weak) == 1 else 'have'} no trustworthy source, so what is planned with it is not proven",
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
    for pathway in {pathway.type.id: pathway.type for pathway in subject.layout.pathways}.values():
        if pathway.evidence == "unverified":
            yield Fault(
                "device-figure-not-proven",
                f"the section of pathway type `{pathway.id}` is an assumption, so the fill of its pathways is not proven",
                subject.catalog.spots.get(pathway.id, -1),
                help="enter the real pathway in a catalog of the project",
                objects=(pathway.id,),
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


@rule("CAT013", "rating-not-proven", Severity.WARNING)
def rating_not_proven(subject: Subject) -> Iterable[Fault]:
    """Cables lie in a pathway whose type has no rating, or one without a trustworthy source.

    Why: whether it bears the weight of the cables is not proven; it hangs on the maker's load table and the span of supports.
    Example: a basket whose supports are not planned yet.
    Fix: enter `rating_kg_per_m` with its source in a catalog of the project.
    Source: `rating_kg_per_m` of the pathway's type; the weight of the cables is in the plan.
    """
    loads = subject.loads
    told: set[str] = set()
    for number in np.unique(loads.pathway).tolist():
        pathway = subject.layout.pathways[number]
        kind = pathway.type
        if kind.rating_kg_per_m.proven or kind.id in told:
            continue
        told.add(kind.id)
        same = np.array([other.type.id == kind.id for other in subject.layout.pathways])
        grams = int(loads.mg_per_m[same[loads.pathway]].max()) // 1000
        light = bool(loads.unweighed[same[loads.pathway]].any())
        state = "is not known" if kind.rating_kg_per_m.value is None else "has no trustworthy source"
        yield Fault(
            "rating-not-proven",
            f"`rating_kg_per_m` of `{kind.id}` {state}, so whether it bears its cables is not proven",
            subject.catalog.spots.get(kind.id, -1),
            note=f"{grams / 1000:.1f} kg/m lie in one, beside cables whose weight is not known"
            if light
            else f"at most {grams / 1000:.1f} kg/m lie in one",
            help="enter it with its source in a catalog of the project",
            objects=(kind.id,),
        )
