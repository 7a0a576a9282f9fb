"""Rows of links and routes; names of ports, cages and plugs in vocabularies."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.layout import Layout
from planner.numbering import Numbered
from planner.panel_cables import PhaseOf
from planner.plan import ABSENT, LinkTable
from planner.project import CLASSES
from planner.rules.subject import Subject
from planner.table import Ints, Mask, Words


def routes_of(subject: Subject, texts: dict[str, int]) -> Ints:
    """The plan's route of each link with its chosen cable (ABSENT in one rack); texts gathers those of the routes."""
    selection, lengths, measure = subject.selection, subject.lengths, subject.measure
    route = np.full(len(selection.offer), ABSENT, np.int64)
    for cable_class in CLASSES:
        offers = [n for n, option in enumerate(selection.offers) if option.cable_class == cable_class]
        rows = np.flatnonzero(np.isin(selection.offer, offers) & (lengths.route >= 0))
        if not len(rows):
            continue
        routed = measure.routes(cable_class)
        keys = lengths.route[rows] * 2 + lengths.backwards[rows]
        values, inverse = np.unique(keys, return_inverse=True)
        numbers = np.array(
            [
                texts.setdefault(";".join(routed.pathways_of(k // 2, backwards=bool(k % 2))), len(texts))
                for k in values.tolist()
            ],
            np.int64,
        )
        route[rows] = numbers[inverse]
    return route


def link_table(subject: Subject, things: Numbered, route: Ints, phases: PhaseOf) -> LinkTable:
    links, selection, lengths, measure = subject.links, subject.selection, subject.lengths, subject.measure
    resolved = selection.offer >= 0
    media = Words(
        _codes([o.medium for o in selection.offers], selection.offer), _vocabulary([o.medium for o in selection.offers])
    )
    plugs = {end: _plug_words(subject, end) for end in ("a", "z")}

    def known(column: Ints) -> Ints:
        return np.where(resolved, column, ABSENT)

    return LinkTable(
        fabric=links.fabric.astype(np.int64),
        tier=links.tier,
        a_device=links.a_device,
        a_port=_ports(subject.layout, links.a_device, links.a_port),
        a_cage=_cages(subject.layout, links.a_device, links.a_port),
        a_half=subject.a.half,
        a_hand=measure.a.hand,
        z_device=links.z_device,
        z_port=_ports(subject.layout, links.z_device, links.z_port),
        z_cage=_cages(subject.layout, links.z_device, links.z_port),
        z_half=subject.z.half,
        z_hand=measure.z.hand,
        medium=media,
        cable=things.cable_of_link,
        a_plug_part=plugs["a"],
        z_plug_part=plugs["z"],
        a_in_rack_mm=known(lengths.a_in_rack),
        a_rise_mm=known(lengths.a_rise),
        pathway_mm=known(lengths.pathway),
        z_rise_mm=known(lengths.z_rise),
        z_in_rack_mm=known(lengths.z_in_rack),
        measured_mm=np.where(resolved, lengths.measured, measure.measured_mm),
        routed_mm=known(lengths.routed),
        slack_mm=known(lengths.slack),
        required_mm=known(lengths.required),
        # A channel of several cables has no stock length of its own: each of them has one.
        stock_mm=np.where(_over_panels(subject), ABSENT, known(selection.stock_mm)),
        route=route,
        phase=phases.of_links(links) if len(links) else np.zeros(0, np.int64),
        status=Words(resolved.astype(np.int32), ("unresolved", "resolved")),
    )


def _over_panels(subject: Subject) -> Mask:
    """Which links are resolved and led over panels."""
    offers = np.array([option.chain is not None for option in subject.selection.offers] + [False])
    over: Mask = offers[subject.selection.offer]
    return over


def _codes(texts: list[str], picks: Ints) -> Any:
    """Codes of `texts[pick]` in their vocabulary; -1 for an absent pick."""
    vocabulary = {text: code for code, text in enumerate(_vocabulary(texts))}
    codes = np.array([vocabulary[text] for text in texts] + [-1], np.int32)
    return codes[picks]


def _vocabulary(texts: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _ports(layout: Layout, device: Ints, port: Ints) -> Words:
    """Printed port names, once a family and port."""
    names, starts = _family_names(layout, "port_names")
    rows = starts[layout.device_chassis[device]] + port if len(device) else device
    return Words(rows.astype(np.int32), names)


def _cages(layout: Layout, device: Ints, port: Ints) -> Words:
    names, starts = _family_names(layout, "cage_names")
    _, port_starts = _family_names(layout, "port_names")
    cage = np.concatenate([np.zeros(0, np.int64), *(f.port_cage for f in layout.chassis)])
    family = layout.device_chassis[device] if len(device) else device
    rows = starts[family] + cage[port_starts[family] + port]
    return Words(rows.astype(np.int32), names)


def _family_names(layout: Layout, which: str) -> tuple[tuple[str, ...], Ints]:
    names = [getattr(family, which) for family in layout.chassis]
    starts = np.concatenate(([0], np.cumsum([len(n) for n in names]))).astype(np.int64)
    return tuple(name for of_family in names for name in of_family), starts


def _plug_words(subject: Subject, end: str) -> Words:
    """Part of the plug at one end of each link: the transceiver's, or that of the cable whose own plug it is."""
    selection = subject.selection
    codes = np.full(len(selection.offer), -1, np.int32)
    words: dict[str, int] = {}
    for offer in np.unique(selection.offer[selection.offer >= 0]).tolist():
        option = selection.offers[offer]
        plug = option.a_plug if end == "a" else option.z_plug
        mine = selection.offer == offer
        if plug is not None:
            codes[mine] = words.setdefault(plug.members[0].part, len(words))
            continue
        for member in np.unique(selection.member[mine]).tolist():
            part = option.cable.members[member].part
            codes[mine & (selection.member == member)] = words.setdefault(part, len(words))
    return Words(codes, tuple(words))
