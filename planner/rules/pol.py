"""Polarity and mating: every channel, direct or over panels, fibre by fibre, once a kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from planner.catalog.fibre import Cord
from planner.channel.judge import primary_codes
from planner.channel.repair import repair
from planner.findings import Fault, Severity
from planner.rules.causes import ROLES, Cause, causes_of, place_of_part
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.selection.light import channel_of
from planner.selection.options import SPLITTER, Option, verdict_of_option
from planner.table import Ints

LANES = ("POLARITY", "LANE_ORDER", "LEG_ORDER", "PORT_ORDER", "DARK_LANE")


def _broken(subject: Subject, name: str, codes: tuple[str, ...]) -> Iterator[Fault]:
    """One fault a cause, with all channels that have it; what follows from it stands in the note."""
    yield from _broken_over_panels(subject, name, codes)
    found: dict[tuple[object, ...], tuple[_Broken, list[Ints]]] = {}
    for option, rows in subject.groups:
        broken = _broken_directly(option, codes) if option.chain is None else None
        if broken is not None:
            found.setdefault(broken.cause, (broken, []))[1].append(rows)
    for broken, parts in found.values():
        rows = np.unique(np.concatenate(parts))
        option, texts = broken.option, broken.texts
        assert option.a_plug is not None
        assert option.z_plug is not None
        also = f"; from it follow {', '.join(broken.follows)}" if broken.follows else ""
        yield Fault(
            name,
            f"the channel of {subject.spoken(rows)} does not work: {texts[0].split(' (')[0]}",
            subject.place_of(rows),
            note=f"{option.a_plug.members[0].part} - {option.cable.id} - {option.z_plug.members[0].part}: {', '.join(broken.codes)}, {'; '.join(texts[:3])}{also}",
            help=_advice(broken),
            code=broken.codes[0],
            objects=subject.named(rows),
            count=len(rows),
        )


class _Broken(NamedTuple):
    """What is wrong with the direct channels of an option. codes: its causes; follows: codes that come of them."""

    option: Option
    codes: tuple[str, ...]
    texts: tuple[str, ...]
    follows: tuple[str, ...]

    @property
    def cause(self) -> tuple[object, ...]:
        """What channels of other kinds share that fail by the same part: the cable, or two plugs that differ."""
        option = self.option
        plugs = (option.a_plug, option.z_plug) if "MEDIA_MISMATCH" in self.codes else ()
        return self.codes, option.cable.id, *(plug.id for plug in plugs if plug is not None)


def _broken_directly(option: Option, codes: tuple[str, ...]) -> _Broken | None:
    verdict = verdict_of_option(option)
    if verdict is None or verdict.verdict != "fail":
        return None
    primary = tuple(code for code in primary_codes(verdict) if code in codes)
    if option.shape == SPLITTER:
        # That a leg lights fewer lanes than its module has is what a splitter is; the rate rules speak of it.
        primary = tuple(code for code in primary if code != "DARK_LANE")
    if not primary:
        return None
    texts = dict.fromkeys(fault.text for fault in verdict.faults if fault.code in primary)
    follows = {code for code, _ in verdict.follows if code not in primary}
    return _Broken(option, primary, tuple(texts), tuple(sorted(follows)))


def _advice(broken: _Broken) -> str:
    """What to pin instead: the smallest change of the cable that makes the channel pass, found by trying."""
    option = broken.option
    if "MEDIA_MISMATCH" in broken.codes:
        return "pin plugs of one optical interface"
    assert isinstance(option.cable, Cord)
    assert option.a_plug is not None
    assert option.z_plug is not None
    found = repair(channel_of(option.a_plug, option.z_plug, option.cable, head_at_z=option.head_at_z, lit=option.lit))
    if found is None:
        return "pin no cord, or one of the plugs' connector, polish and fibre, without pins at a transceiver"
    change = found.changes[0].partition(": ")[2]
    return f"pin no cord, or one like `{option.cable.id}` with {change}"


def _broken_over_panels(subject: Subject, name: str, codes: tuple[str, ...]) -> Iterator[Fault]:
    """One fault a cause, with all channels that pass through the part, of whatever kinds they are."""
    found: dict[tuple[str, str], tuple[Cause, list[Ints]]] = {}
    for option, rows in subject.groups:
        for cause in causes_of(option) if option.chain is not None else ():
            if cause.code in codes:
                found.setdefault((cause.code, cause.part), (cause, []))[1].append(rows)
    for cause, parts in found.values():
        rows = np.unique(np.concatenate(parts))
        also = f"; also {', '.join(cause.follows)}" if cause.follows else ""
        role = ROLES[cause.role] if cause.role >= 0 else ""
        yield Fault(
            name,
            f"`{cause.part}` breaks the {'channel' if len(rows) == 1 else 'channels'} of {subject.spoken(rows)}",
            place_of_part(subject, cause, rows),
            note=f"{f'as its {role}: ' if role else ''}{cause.code}, {cause.text}{also}",
            help=ADVICE_OVER_PANELS[role.partition(" ")[0]],
            code=cause.code,
            objects=subject.named(rows),
            count=len(rows),
        )


ADVICE_OVER_PANELS = {
    "": "use the parts of one method at both ends; in Method A one of the two duplex cords keeps its sides (A to A): pin it as `z_cord`",
    "cord": "pin no cord, or one of Type B without pins, of the plugs' connector, polish and fibre",
    "plate": "use plates with opposed keys, of the trunk's connector",
    "trunk": "use a Type B trunk with pins, of the plugs' connector, polish and fibre",
}


@rule("POL001", "lanes-arrive-wrong", Severity.ERROR)
def lanes_arrive_wrong(subject: Subject) -> Iterable[Fault]:
    """A transmitter does not face the receiver of its lane.

    Why: with a Type A cord every Tx meets a Tx and the link stays dark.
    Example: a Type A MPO-12 cord between two SR4 modules.
    Fix: use a Type B cord for a direct channel.
    Source: position maps of the parts, composed fibre by fibre.
    """
    return _broken(subject, "lanes-arrive-wrong", LANES)


@rule("POL002", "pins-do-not-mate", Severity.ERROR)
def pins_do_not_mate(subject: Subject) -> Iterable[Fault]:
    """Two pinned or two unpinned MPO faces meet.

    Why: pins strike pins and may damage both ferrules; without pins the fibres are not aligned.
    Example: a pinned cord in a transceiver, whose receptacle carries the pins.
    Fix: use an unpinned cord at a transceiver.
    Source: gender of the parts.
    """
    return _broken(subject, "pins-do-not-mate", ("GENDER_PIN_CLASH", "GENDER_NO_PINS"))


@rule("POL003", "polish-or-keys-differ", Severity.ERROR)
def polish_or_keys_differ(subject: Subject) -> Iterable[Fault]:
    """A flat and an angled ferrule meet, or two angled ones with aligned keys.

    Why: the faces do not touch, so light is lost and reflected.
    Example: a UPC cord in an NDR module, whose receptacle is APC, multimode included.
    Fix: use APC cords with every 100G-lane module.
    Source: polish and keying of the parts.
    """
    return _broken(subject, "polish-or-keys-differ", ("POLISH_MISMATCH", "APC_ALIGNED_KEY"))


@rule("POL004", "ferrules-differ", Severity.ERROR)
def ferrules_differ(subject: Subject) -> Iterable[Fault]:
    """Connectors of different shape meet.

    Why: an MPO-16 does not enter an MPO-12, and an LC neither.
    Example: an MPO-12 cord pinned to a module with one MPO-16.
    Fix: use the cord of the module's connector.
    Source: connectors of the parts.
    """
    return _broken(subject, "ferrules-differ", ("FERRULE_MISMATCH",))


@rule("POL005", "fibre-does-not-suit", Severity.ERROR)
def fibre_does_not_suit(subject: Subject) -> Iterable[Fault]:
    """Single-mode and multimode are mixed in one channel.

    Why: light does not pass from one core to the other without great loss.
    Example: an OS2 cord between two SR4 modules.
    Fix: use the fibre of the optics.
    Source: fibre of the cord and of the plugs.
    """
    return _broken(subject, "fibre-does-not-suit", ("FIBRE_TYPE_MIX", "FIBRE_VS_OPTIC", "MEDIA_MISMATCH"))


@rule("POL006", "panel-does-not-take-trunk", Severity.ERROR)
def panel_does_not_take_trunk(subject: Subject) -> Iterable[Fault]:
    """What is in the slots of panels does not take the trunk's connector, or is of another kind at either end.

    Why: an MPO-16 plate holds no MPO-12, and a cassette at one end does not meet a plate at the other.
    Example: a trunk of MPO-12 between panels with MPO-16 plates.
    Fix: name a plate or cassette of the trunk's connector, the same at both ends.
    Source: connectors of the trunk, plates and cassettes.
    """
    return subject.told("panel-does-not-take-trunk")


@rule("POL007", "grades-mixed", Severity.INFO)
def grades_mixed(subject: Subject) -> Iterable[Fault]:
    """Multimode fibre of unlike grades is mixed in one channel.

    Why: it works, and reaches as far as the lowest of them: loss and reach are judged by that one.
    Example: OM3 cords at a trunk of OM4.
    Fix: none is needed; cords of the trunk's grade would reach further.
    Source: fibre of cords and trunk; grades in order of their names.
    """
    found: dict[tuple[str, ...], list[Ints]] = {}
    for option, rows in subject.groups:
        verdict = verdict_of_option(option)
        if verdict is not None and "NOTE_LOWEST_GRADE" in verdict.codes:
            found.setdefault(tuple(sorted(set(option.fibres))), []).append(rows)
    for grades, parts in found.items():
        rows = np.unique(np.concatenate(parts))
        yield Fault(
            "grades-mixed",
            f"the channel of {subject.spoken(rows)} mixes {' and '.join(grades)}",
            subject.place_of(rows),
            note=f"rated as {grades[0]}, the lowest",
            code="NOTE_LOWEST_GRADE",
            objects=subject.named(rows),
            count=len(rows),
        )
