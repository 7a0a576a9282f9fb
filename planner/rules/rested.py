"""Which figures of the catalog the verdicts of a plan rest on: what must be sourced before a check may pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from planner.catalog.fibre import Cord
from planner.catalog.figures import Evidence, Figure, Lifecycle
from planner.catalog.plugs import CableAssembly, LengthOf, Modulation, PlugEnd, Transceiver
from planner.catalog.structured import AdapterPlate, Cassette, Trunk
from planner.names import expand_hostlist
from planner.rules.subject import Subject
from planner.selection.fit import CageKind, interface_in, mode_in, modes_of
from planner.selection.options import SPLITTER, KindOfLink, Option, verdict_of_option


@dataclass(frozen=True, slots=True)
class Rested:
    """A figure that a verdict rests on: the catalog entry and the property, its state, and what is not proven then.

    known: it has a value. proven: a check may pass on it.
    """

    entry: str
    name: str
    known: bool
    proven: bool
    verdict: str
    note: str = ""

    @classmethod
    def on(cls, entry: str, name: str, figure: Figure[Any] | None, verdict: str) -> Rested:
        if figure is None:
            return cls(entry, name, False, False, verdict)
        return cls(entry, name, figure.value is not None, figure.proven, verdict, figure.note)

    @classmethod
    def stated(cls, entry: str, name: str, evidence: Evidence, verdict: str) -> Rested:
        """A statement that always has a value, and an evidence."""
        return cls(entry, name, True, evidence is not Evidence.UNVERIFIED, verdict)


def rested_on(subject: Subject) -> Iterator[Rested]:
    """Every figure that a verdict on the chosen parts rests on, as often as it is used."""
    for option, rows in subject.groups:
        kind = subject.kind_of(rows)
        yield from _of_cable(option)
        for plug, cage in ((option.a_plug, kind.a), (option.z_plug, kind.z)):
            if plug is not None:
                yield from _of_plug(plug, cage, kind, option, subject)
        yield from _of_rate(kind)
        yield from _of_light(option)
        yield from _over_panels(option, subject)
        for end, cage in (("a", kind.a), ("z", kind.z)):
            yield from _of_cage(option, end, cage, subject)
    yield from _of_budgets(subject)


def _of_cable(option: Option) -> Iterator[Rested]:
    cable = option.cable
    yield from _lifecycle(cable)
    yield Rested.on(cable.id, "length_of", cable.length_of, "what its length covers")
    yield Rested.on(cable.id, "tolerance_mm", cable.tolerance_mm, "its shortest length")
    yield Rested.on(cable.id, "outer_diameter_mm", cable.outer_diameter_mm, "the fill of pathways")
    yield Rested.on(cable.id, "kg_per_m", cable.kg_per_m, "the weight in pathways")
    yield Rested.on(cable.id, "bend_radius_mm", cable.bend_radius_mm, "every bend on its way")
    yield Rested.on(cable.id, "reach_m", cable.reach_m, "reach")
    if option.shape == SPLITTER and option.ports > 1:
        yield Rested.on(cable.id, "breakout_point_m", cable.breakout_point_m, "whether its legs reach")
    if isinstance(cable, Cord):
        yield Rested.on(cable.id, "standoff_mm", cable.standoff_mm, "the run out of the cage")
        yield Rested.on(cable.id, "attenuation_db_per_km", cable.attenuation_db_per_km, "loss")
        if cable.legs is not None:
            yield Rested.on(cable.id, "legs", cable.legs_source, "which lanes its legs carry")
        return
    if cable.length_of.value is LengthOf.TIP:
        yield Rested.on(cable.id, "insertion_mm", cable.insertion_mm, "its usable length")
    for end in (cable.a, cable.z):
        yield Rested.on(cable.id, "standoff_mm", end.standoff_mm, "the run out of the cage")
    if cable.a.modulation is not Modulation.BASE_T:  # a jack feeds no plug
        yield Rested.on(cable.id, "power_w", cable.power_w, "power in the cage")


def _of_light(option: Option) -> Iterator[Rested]:
    """What nobody states of the parts of a channel, such as the positions of a connector that the planner does not know."""
    verdict = verdict_of_option(option)
    for fact in verdict.unknown if verdict is not None else ():
        yield Rested.on(fact.where, fact.what, None, "its light path")


def _of_plug(plug: Transceiver, cage: CageKind, kind: KindOfLink, option: Option, subject: Subject) -> Iterator[Rested]:
    yield from _lifecycle(plug)
    yield Rested.on(plug.id, "power_w", plug.power_w, "power in the cage")
    yield Rested.on(plug.id, "standoff_mm", plug.end.standoff_mm, "the run out of the cage")
    if plug.min_length_m is not None:
        yield Rested.on(plug.id, "min_length_m", plug.min_length_m, "its least length")
    if isinstance(option.cable, Cord):
        fibre, pmd = option.cable.fibre, interface_in(plug, cage, kind.rate)
        yield Rested.on(plug.id, f"reach_m.{fibre}", plug.reach_m.get(fibre), "reach")
        budget = subject.catalog.budgets.get((pmd, fibre))
        yield Rested.on(pmd, f"loss budget on {fibre}", budget.loss_db if budget else None, "loss")
    mode = mode_in(plug, plug.end, cage, cage.rate) if cage.rate else None
    native = next(modes_of(plug, plug.end))
    for app in plug.applications if mode is not None and mode != native else ():
        if cage.rate is not None and (cage.rate.id in app.rates or cage.rate.of in app.rates):
            yield Rested.stated(plug.id, f"applications for {cage.rate.id}", app.evidence, "how it is divided")


def _over_panels(option: Option, subject: Subject) -> Iterator[Rested]:
    """Of the second cord, where it is another one, and of the trunk and what is in the panels' slots."""
    chain = option.chain
    if chain is None:
        return
    if option.at_z.cable.id != option.cable.id:
        yield from _of_cable(option.at_z)
    trunk = chain.trunk
    yield from _lifecycle(trunk)
    yield Rested.on(trunk.id, "length_of", trunk.length_of, "what its length covers")
    if trunk.length_of.value == "breakouts":
        for name, leg in (("leg_a_m", trunk.leg_a_m), ("leg_z_m", trunk.leg_z_m)):
            yield Rested.on(trunk.id, name, leg, "its length from ferrule to ferrule")
    yield Rested.on(trunk.id, "tolerance_mm", trunk.tolerance_mm, "its shortest length")
    yield Rested.on(trunk.id, "outer_diameter_mm", trunk.outer_diameter_mm, "the fill of pathways")
    yield Rested.on(trunk.id, "kg_per_m", trunk.kg_per_m, "the weight in pathways")
    yield Rested.on(trunk.id, "pull_bend_radius_mm", trunk.pull_bend_radius_mm, "every bend while it is pulled")
    yield Rested.on(trunk.id, "pulling_eye_mm", trunk.pulling_eye_mm, "whether it passes the openings on its way")
    yield Rested.on(trunk.id, "mated_pair_db", trunk.mated_pair_db, "loss")
    yield Rested.on(trunk.id, "attenuation_db_per_km", trunk.attenuation_db_per_km, "loss")
    for cord in (option.cable, option.at_z.cable):
        assert isinstance(cord, Cord)
        yield Rested.on(cord.id, "mated_pair_db", cord.mated_pair_db, "loss")
    for insert in (chain.a_insert, chain.z_insert):
        yield from _lifecycle(insert)
        if isinstance(insert, Cassette):
            yield Rested.on(insert.id, "front_pair_db", insert.front_pair_db, "loss")
            yield Rested.on(insert.id, "rear_pair_db", insert.rear_pair_db, "loss")
            yield Rested.on(insert.id, "map", insert.map_source, "where its fibres lead")
        else:
            yield Rested.on(insert.id, "keying", insert.keying_source, "which faces meet in it")
    for panel in {id(p.part): p.part for p in (subject.laid.panels if subject.laid else ())}.values():
        yield Rested.on(panel.id, "slots", panel.slots, "how many positions it has")


def _of_rate(kind: KindOfLink) -> Iterator[Rested]:
    for rate in (kind.rate, kind.a.rate, kind.z.rate):
        if rate is not None:
            yield Rested.stated(rate.id, "lanes", rate.evidence, "which plugs carry it")


def _of_cage(option: Option, end: str, cage: CageKind, subject: Subject) -> Iterator[Rested]:
    """What is said of the cage at an end, and that the plug enters it."""
    group = cage.group
    yield Rested.stated(cage.model, "cages", group.evidence, "what goes into them")
    if group.modulation is not Modulation.BASE_T:
        yield Rested.on(cage.model, "max_power_w", cage.limit, "power in its cages")
    plug = _end_of(option, end)
    for fit in subject.catalog.fits:
        if (fit.cage_form_factor, fit.cage_heat_sink) == (group.form_factor, group.heat_sink) and (
            fit.plug_form_factor,
            fit.plug_heat_sink,
        ) == (plug.form_factor, plug.heat_sink):
            name = f"{plug.form_factor} in {group.form_factor}"
            yield Rested.stated(name, "fits", fit.evidence, "what goes into the cage")


def _end_of(option: Option, end: str) -> PlugEnd:
    plug = option.a_plug if end == "a" else option.z_plug
    if plug is not None:
        return plug.end
    assert isinstance(option.cable, CableAssembly)
    return option.cable.a if option.head_at_z == (end == "z") else option.cable.z


def _of_budgets(subject: Subject) -> Iterator[Rested]:
    """Most ports of cages, of switches whose chip has such a limit."""
    for chassis in subject.layout.chassis:
        for budget in chassis.family.port_budgets:
            if len(expand_hostlist(budget.cages)) > 1:
                yield Rested.stated(chassis.id, "port_budgets", budget.evidence, "the number of its ports")


def _lifecycle(part: Transceiver | CableAssembly | Cord | Trunk | AdapterPlate | Cassette) -> Iterator[Rested]:
    """An unknown lifecycle has a rule of its own; a known one may still be somebody's word only."""
    if part.lifecycle.value not in (None, Lifecycle.UNKNOWN):
        yield Rested.on(part.id, "lifecycle", part.lifecycle, "whether it can be had")


__all__ = ["Rested", "rested_on"]
