"""The light paths of a link over panels: cord, plate or cassette, leg of a trunk, plate or cassette, cord, as the plan has them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Final

import numpy as np

from planner.catalog.fibre import Cord as CordFamily
from planner.catalog.structured import Trunk
from planner.channel.catalogued import loss_of
from planner.channel.figures import LossFigure
from planner.channel.loss import sheet_of
from planner.channel.model import Adapter, Channel, Component, Cord, Fan
from planner.channel.paths import paths_of
from planner.explain.light import LitChannel, budget_of_ends, lit, named_end
from planner.plan import ABSENT, Plan
from planner.rules import Subject
from planner.selection.light import channel_over_panels
from planner.selection.options import Option

CORD_AT_A: Final = 1
TRUNK: Final = 2
CORD_AT_Z: Final = 3
"""Places of `link_cables`."""
_ANY_NM: Final = 0
"""No wavelength: every cable states what its own fibre loses, or nobody does."""


def light_over_panels(plan: Plan, row: int, option: Option, subject: Subject, here: int) -> tuple[LitChannel, ...]:
    """A channel a strand; see `light_of_link` for the arguments."""
    chain, at_z = option.chain, option.at_z.cable
    assert chain is not None
    assert option.a_plug is not None
    assert option.z_plug is not None
    assert isinstance(option.cable, CordFamily)
    assert isinstance(at_z, CordFamily)
    channel = channel_over_panels(option.a_plug, option.z_plug, option.cable, at_z, chain)
    budget = budget_of_ends(option, subject, here, option.fibres)
    lossy = [loss_of(part.attenuation_db_per_km) for part in (option.cable, chain.trunk, at_z)]
    found = []
    for strand, cables in enumerate(_strands(plan, row)):
        named = _named(plan, row, option, channel, strand, cables, lossy, chain.trunk)
        (path,) = paths_of(named)
        found.append(lit(replace(named, loss=sheet_of(path, _ANY_NM, budget))))
    return tuple(found)


def _strands(plan: Plan, row: int) -> list[dict[int, tuple[int, int]]]:
    """By strand, the cable in each place and its leg."""
    table = plan.link_cables
    found: dict[int, dict[int, tuple[int, int]]] = defaultdict(dict)
    for n in np.flatnonzero(table.link == row).tolist():
        found[int(table.strand[n])][int(table.place[n])] = int(table.cable[n]), int(table.leg[n])
    return [found[strand] for strand in sorted(found)]


def _named(
    plan: Plan,
    row: int,
    option: Option,
    channel: Channel,
    strand: int,
    cables: dict[int, tuple[int, int]],
    lossy: list[LossFigure],
    trunk: Trunk,
) -> Channel:
    """The channel of a kind with the names, ports and lengths of one strand of one link."""
    assert channel.z is not None
    assert option.a_plug is not None
    assert option.z_plug is not None
    panels = [_panel_port(plan, cables[place][0]) for place in (CORD_AT_A, CORD_AT_Z)]
    chain: list[Component] = []
    for number, part in enumerate(channel.chain):
        if isinstance(part, Adapter) or number in (1, 3):
            chain.append(replace(part, name=panels[number // 2][0]))
            continue
        place = 1 + number // 2
        cable, leg = cables[place]
        assert isinstance(part, Cord | Fan)
        word = "cable" if leg == ABSENT else "trunk"
        name = f"{word} {int(plan.cables.cable_id[cable])}" + (f" leg {leg}" if leg != ABSENT else "")
        length_mm = plan.parts[int(plan.cables.part[cable])].length_mm
        if place == TRUNK:
            length_mm = _overall_mm(trunk, length_mm)
        chain.append(replace(part, name=name, length_mm=length_mm, per_km=lossy[place - 1]))
    a, z = (
        replace(
            named_end(plan, row, side, face, plug, option.chain.strands if option.chain else 1, strand),
            port=face.port and panels[end][1],
        )
        for end, (side, face, plug) in enumerate((("a", channel.a, option.a_plug), ("z", channel.z, option.z_plug)))
    )
    return replace(channel, a=a, chain=tuple(chain), z=z)


def _panel_port(plan: Plan, cord: int) -> tuple[str, int]:
    """Where a cord ends at a panel, as people write it, and the number of that port in its plate or cassette."""
    ends = plan.ends
    for n in np.flatnonzero(ends.cable == cord).tolist():
        device = int(ends.device[n])
        if device >= 0 and plan.devices[device].kind == "panel":
            port = int(ends.port[n])
            slot = next(s for s in plan.panel_slots if s.device == device and 0 <= port - s.first_port < s.ports)
            return f"{plan.devices[device].name}:{ends.port[n]}", port - slot.first_port + 1
    raise ValueError(f"cable {int(plan.cables.cable_id[cord])} ends at no panel")


def _overall_mm(trunk: Trunk, length_mm: int) -> int:
    """From ferrule to ferrule: with its legs where its maker's length goes from one fan-out to the other."""
    if trunk.length_of.value != "breakouts":
        return length_mm
    return length_mm + sum(-(-(leg.value or 0) // 1000) for leg in (trunk.leg_a_m, trunk.leg_z_m))
