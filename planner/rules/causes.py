"""Which part of a channel over panels a fault comes from: what alone makes a channel fail that is right in everything else.

Right is the scheme of the makers of AI fabrics: a cord that would join both transceivers directly, at either end, plates
with opposed keys, and a pinned Type B trunk of the transceivers' connector, polish and glass.
Source: https://docs.nvidia.com/networking/display/intrcnctcabreqndr400eth
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from planner.catalog.fibre import Cord as CordFamily
from planner.channel.build import adapter
from planner.channel.judge import Verdict, judge, primary_codes
from planner.channel.model import Adapter, Channel, Component, Cord
from planner.findings import Spot
from planner.reader import spot_at
from planner.rules.subject import Subject
from planner.selection.light import channel_over_panels, ports_to_judge
from planner.selection.options import Option
from planner.table import Ints

ROLES = ("cord", "plate", "trunk", "plate at z", "cord at z")
"""The components of a channel over two panels, in order from a to z. The same part at both ends is told of once, as that at a."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A code and the part that it comes from: its place among the roles (-1 for the channel as a whole) and its id."""

    code: str
    role: int
    part: str
    text: str
    follows: tuple[str, ...]


def causes_of(option: Option) -> tuple[Cause, ...]:
    """Every cause of an option's channel over panels, none where it passes or cannot be judged."""
    assert option.chain is not None
    assert option.a_plug is not None
    assert option.z_plug is not None
    a_cord, z_cord = option.cable, option.at_z.cable
    assert isinstance(a_cord, CordFamily)
    assert isinstance(z_cord, CordFamily)
    parts = (a_cord.id, option.chain.a_insert.id, option.chain.trunk.id, option.chain.z_insert.id, z_cord.id)
    for port in ports_to_judge(option.chain):
        found = _causes(channel_over_panels(option.a_plug, option.z_plug, a_cord, z_cord, option.chain, port), parts)
        if found:
            return found
    return ()


@lru_cache(maxsize=1024)
def _causes(channel: Channel, parts: tuple[str, ...]) -> tuple[Cause, ...]:
    whole = judge(channel)
    if whole.verdict != "fail":
        return ()
    return tuple(_alone(channel, parts)) or tuple(_causes_in(whole, -1, " - ".join(dict.fromkeys(parts))))


def _alone(channel: Channel, parts: tuple[str, ...]) -> Iterator[Cause]:
    """Each part by itself among right ones; the same part at both ends is one cause."""
    right = _right(channel)
    if right is None:
        return
    told: set[tuple[str, str]] = set()
    for role, component in enumerate(channel.chain):
        trial = replace(channel, chain=(*right[:role], component, *right[role + 1 :]))
        verdict = judge(trial)
        if verdict.verdict != "fail":
            continue
        for cause in _causes_in(verdict, role, parts[role]):
            if (cause.code, cause.part) not in told:
                told.add((cause.code, cause.part))
                yield cause


def _causes_in(verdict: Verdict, role: int, part: str) -> Iterator[Cause]:
    """One cause a part: what comes first of its codes; the others stand with it."""
    primary = [code for code in primary_codes(verdict) if not code.startswith("NOTE_")]
    if primary:
        texts = [fault.text for fault in verdict.faults if fault.code == primary[0]]
        also = sorted({*primary[1:], *(code for code, _ in verdict.follows)} - {primary[0]})
        yield Cause(primary[0], role, part, texts[0] if texts else "", tuple(also))


def _right(channel: Channel) -> tuple[Component, ...] | None:
    """What would stand in each role; None for duplex channels, whose cassettes belong to one method as a whole."""
    a, z = channel.a, channel.z
    if z is None or not all(isinstance(part, Cord | Adapter) for part in channel.chain):
        return None
    trunk = channel.chain[2]
    assert isinstance(trunk, Cord)
    glass = _glass(channel, a.medium)
    female, male = (replace(a.plug, gender=gender, pair=trunk.a.pair) for gender in ("F", "M"))
    cord = Cord(female, female, "B", glass)
    plate = adapter("A", a.plug.ferrule)
    return cord, plate, Cord(male, male, "B", glass), plate, cord


def _glass(channel: Channel, medium: str | None) -> str:
    """The grade of the first cable that suits the transceiver at a."""
    default = "OS2" if medium == "SM" else "OM4"
    grades = [part.fibre for part in channel.chain if isinstance(part, Cord) and part.fibre]
    return next((grade for grade in grades if grade.startswith("OS") == (medium == "SM")), default)


def place_of_part(subject: Subject, cause: Cause, rows: Ints) -> Spot:
    """Where a part of channels over panels is to be mended: the entry or panels that name it, a pin, else the links."""
    laid = subject.laid
    assert laid is not None
    chain = laid.chains[int(laid.chain_of_link[rows[0]])]
    entry = subject.project.policy.cabling[chain.entry]
    loc = ("policy", "cabling", chain.entry)
    if cause.role in (1, 3):
        for panel in laid.panels:
            if panel.insert is not None and panel.insert.id == cause.part:
                return spot_at(subject.tree, ("panels", panel.group, "plate"))
        return spot_at(subject.tree, (*loc, "plate"))
    if cause.role in (0, 4) and int(subject.pins.pin[rows[0]]) >= 0:
        return subject.place_of(rows)
    if cause.role == 2:
        for number, choice in enumerate(entry.between):
            if choice.trunk.casefold() == cause.part:
                return spot_at(subject.tree, (*loc, "between", number, "trunk"))
        return spot_at(subject.tree, (*loc, "trunk"))
    return spot_at(subject.tree, loc)


__all__ = ["ROLES", "Cause", "causes_of", "place_of_part"]
