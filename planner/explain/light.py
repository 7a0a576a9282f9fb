"""The light paths of an optical link: its channels as the plan has them, with the names of its ports and cables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from planner.catalog.fibre import Cord as CordFamily
from planner.catalog.plugs import Transceiver
from planner.channel.catalogued import loss_of
from planner.channel.figures import Budget
from planner.channel.judge import Verdict, judge
from planner.channel.light import Face, LightPath, LitJoint, LitLane, light_of
from planner.channel.model import Branch, Channel, Cord, Fan, FibreRun, LossSheet, Receptacle
from planner.channel.repair import repair
from planner.plan import Plan
from planner.rules import Subject
from planner.selection.fit import interface_in
from planner.selection.light import channel_of
from planner.selection.options import SPLITTER, Option


@dataclass(frozen=True, slots=True)
class LitChannel:
    """One channel of a link, judged. repair: the smallest change that makes it pass, where it fails and one exists."""

    verdict: Verdict
    paths: tuple[LightPath, ...]
    repair: tuple[str, ...]


def lit(channel: Channel) -> LitChannel:
    """A channel judged, followed and, where it fails, repaired by trying."""
    verdict = judge(channel)
    found = repair(channel) if verdict.verdict == "fail" else None
    return LitChannel(verdict, light_of(channel, verdict), found.changes if found else ())


def light_of_link(plan: Plan, row: int, option: Option, subject: Subject, here: int) -> tuple[LitChannel, ...]:
    """The channels of a direct link: one, or one a cord where it takes several; none where it is not optical.

    row: of the link in the plan, here: in the subject that was compiled again; option: what the link has.
    """
    if not isinstance(option.cable, CordFamily) or option.a_plug is None or option.z_plug is None:
        return ()
    channel = channel_of(option.a_plug, option.z_plug, option.cable, head_at_z=option.head_at_z, lit=option.lit)
    sheet = _sheet(plan, row, option, subject, here)
    cables = _cables(plan, row)
    if option.shape == SPLITTER:
        return (lit(_split(plan, cables[0], channel, sheet)),)
    return tuple(lit(_straight(plan, row, cable, n, channel, option, sheet)) for n, cable in enumerate(cables))


def _cables(plan: Plan, row: int) -> list[int]:
    """Rows of the cables of a link's assembly, in order of their IDs."""
    cables = plan.cables
    own = int(plan.links.cable[row])
    found: list[int] = np.flatnonzero(cables.assembly_id == cables.assembly_id[own]).tolist()
    return found


def _sheet(plan: Plan, row: int, option: Option, subject: Subject, here: int) -> LossSheet:
    """The fibre between the two transceivers against the budget of the weaker end; a direct channel has no joint inside."""
    assert isinstance(option.cable, CordFamily)
    length_mm = int(plan.links.stock_mm[row])
    run = FibreRun(length_mm if length_mm >= 0 else None, loss_of(option.cable.attenuation_db_per_km))
    budget = budget_of_ends(option, subject, here, (option.cable.fibre,))
    return LossSheet((), (run,), budget.loss_mdb, (), budget.sourced)


def budget_of_ends(option: Option, subject: Subject, here: int, fibres: Iterable[str]) -> Budget:
    """What the weaker of both optics allows on the weakest of the fibres; not sourced where any of it is not known."""
    kind = subject.selection.kinds.of(here)
    budgets = [
        subject.catalog.budgets.get((interface_in(plug, cage, kind.rate), fibre))
        for plug, cage in ((option.a_plug, kind.a), (option.z_plug, kind.z))
        for fibre in fibres
        if plug is not None
    ]
    figures = [budget.loss_db for budget in budgets if budget is not None]
    known = [figure.value for figure in figures if figure.value is not None]
    sourced = len(known) == len(budgets) and all(figure.proven for figure in figures)
    return Budget(min(known, default=None), None, sourced)


def _straight(plan: Plan, row: int, cable: int, n: int, channel: Channel, option: Option, sheet: LossSheet) -> Channel:
    """A cord from port to port. n: which of the link's cords, from 0."""
    (cord,) = channel.chain
    assert channel.z is not None
    assert option.a_plug is not None
    assert option.z_plug is not None
    a = named_end(plan, row, "a", channel.a, option.a_plug, option.cords, n)
    z = named_end(plan, row, "z", channel.z, option.z_plug, option.cords, n)
    return replace(channel, a=a, chain=(_cabled(plan, cable, cord, sheet),), z=z, loss=sheet)


def named_end(plan: Plan, row: int, side: str, face: Receptacle, plug: Transceiver, cords: int, n: int) -> Receptacle:
    """The receptacle of a link's end by its port, and which one of its plug where that has several. n: of the cords, from 0."""
    links = plan.links
    device = plan.devices[int(getattr(links, f"{side}_device")[row])].name
    count = plug.receptacle.count
    half = int(getattr(links, f"{side}_half")[row])
    which = f" receptacle {(half - 1) * cords % count + n + 1}" if count > 1 else ""
    return replace(face, name=f"{device}:{getattr(links, f'{side}_port')[row]}{which}")


def _split(plan: Plan, cable: int, channel: Channel, sheet: LossSheet) -> Channel:
    """A splitter with all its legs, each named by what it leads to; a leg that leads nowhere is left out."""
    (fan,) = channel.chain
    ends = plan.ends
    names = {
        ends.end[n]: f"{plan.devices[int(ends.device[n])].name}:{ends.port[n]}"
        for n in np.flatnonzero(ends.cable == cable).tolist()
        if ends.device[n] >= 0
    }
    branches = tuple(
        replace(branch, z=_named(branch, names[f"z{branch.leg}"]), loss=sheet)
        for branch in channel.branches
        if f"z{branch.leg}" in names
    )
    head = replace(channel.a, name=names.get("a", ""))
    return replace(channel, a=head, chain=(_cabled(plan, cable, fan, sheet),), branches=branches)


def _named(branch: Branch, name: str) -> Receptacle:
    assert branch.z is not None
    return replace(branch.z, name=name)


def _cabled(plan: Plan, cable: int, part: object, sheet: LossSheet) -> Cord | Fan:
    """The cord as the cable it is: its number and part, its length, and what its fibre loses."""
    assert isinstance(part, Cord | Fan)
    (run,) = sheet.runs
    name = f"cable {int(plan.cables.cable_id[cable])}"
    length_mm = plan.parts[int(plan.cables.part[cable])].length_mm
    return replace(part, name=name, length_mm=length_mm if length_mm >= 0 else None, per_km=run.per_km)


def light_record(channels: tuple[LitChannel, ...]) -> Iterator[dict[str, object]]:
    """The JSON form: a record a path, its joints in order and its lanes both ways."""
    for channel in channels:
        for path in channel.paths:
            yield {
                "a": path.joints[0].left.of,
                "z": path.joints[-1].right.of,
                "leg": path.leg or None,
                "verdict": channel.verdict.verdict,
                "codes": list(channel.verdict.codes),
                "repair": list(channel.repair),
                "joints": [_joint_record(joint) for joint in path.joints],
                "a_to_z": [_lane_record(lane) for lane in path.onward],
                "z_to_a": [_lane_record(lane) for lane in path.back],
            }


def _joint_record(joint: LitJoint) -> dict[str, object]:
    return {
        "joint": joint.number,
        "left": _face_record(joint.left),
        "keys": joint.keys or None,
        "right": _face_record(joint.right),
        "loss_so_far_db": joint.loss_ndb / 1_000_000_000 if joint.complete else None,
        "codes": list(joint.codes),
    }


def _face_record(face: Face) -> dict[str, object]:
    plug = face.plug
    return {
        "of": face.of, "leg": face.leg or None, "ferrule": plug.ferrule.name, "gender": plug.gender,
        "polish": plug.polish,
    }  # fmt: skip


def _lane_record(lane: LitLane) -> dict[str, object]:
    """positions: by joint from a, at its left and its right face, null where no light comes."""
    positions = [[side and side[1] for side in sides] for sides in lane.at]
    return {"lane": lane.label, "arrives": lane.arrives, "positions": positions}
