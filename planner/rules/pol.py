"""Polarity and mating: every direct channel, fibre by fibre, once a kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from planner.catalog.fibre import Cord
from planner.channel.judge import Verdict, primary_codes
from planner.findings import Fault, Severity
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.selection.light import verdict_of
from planner.selection.options import SPLITTER, Option

LANES = ("POLARITY", "LANE_ORDER", "LEG_ORDER", "PORT_ORDER", "DARK_LANE")


def _verdict(option: Option) -> Verdict | None:
    if not isinstance(option.cable, Cord) or option.a_plug is None or option.z_plug is None:
        return None
    return verdict_of(option.a_plug, option.z_plug, option.cable, head_at_z=option.head_at_z, lit=option.lit)


def _broken(subject: Subject, name: str, codes: tuple[str, ...]) -> Iterator[Fault]:
    """One fault a kind of channel whose cause is one of the codes; what follows from it stands in the note."""
    for option, rows in subject.groups:
        verdict = _verdict(option)
        if verdict is None or verdict.verdict != "fail":
            continue
        primary = [code for code in primary_codes(verdict) if code in codes]
        if option.shape == SPLITTER:
            # That a leg lights fewer lanes than its module has is what a splitter is; the rate rules speak of it.
            primary = [code for code in primary if code != "DARK_LANE"]
        if not primary:
            continue
        causes = [fault for fault in verdict.faults if fault.code in primary]
        followers = sorted({code for code, _ in verdict.follows if code not in primary})
        texts = list(dict.fromkeys(fault.text for fault in causes))
        also = f"; from it follow {', '.join(followers)}" if followers else ""
        assert option.a_plug is not None
        assert option.z_plug is not None
        yield Fault(
            name,
            f"the channel of {subject.spoken(rows)} does not work: {texts[0].split(' (')[0]}",
            subject.place_of(rows),
            note=f"{option.a_plug.members[0].part} - {option.cable.id} - {option.z_plug.members[0].part}: {', '.join(primary)}, {'; '.join(texts[:3])}{also}",
            help="pin plugs of one optical interface"
            if "MEDIA_MISMATCH" in primary
            else "pin no cord, or one of Type B without pins, of the plugs' connector, polish and fibre",
            code=primary[0],
            objects=subject.named(rows),
            count=len(rows),
        )


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
