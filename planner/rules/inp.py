"""Reading: files, form, names, references and waivers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from planner.catalog.figures import GENERIC
from planner.findings import Fault, Severity
from planner.names import fold, nearest, quoted_list
from planner.project import VendorPolicy
from planner.reader import key_spot_at, spot_at
from planner.rules.registry import rule
from planner.rules.subject import Subject
from planner.units import metres, mm_half_up


@rule("INP001", "file-unreadable", Severity.ERROR)
def file_unreadable(subject: Subject) -> Iterable[Fault]:
    """A file cannot be read.

    Why: what is not read is not planned.
    Example: a file in UTF-16, with conflict markers of a merge, or above the size limit.
    Fix: save it as UTF-8, resolve the merge, or split it with `include`.
    Source: design of the input format.
    """
    return subject.told("file-unreadable")


@rule("INP002", "yaml-syntax", Severity.ERROR)
def yaml_syntax(subject: Subject) -> Iterable[Fault]:
    """A file is not YAML as this format uses it.

    Why: a file that cannot be parsed says nothing.
    Example: a tab in the indentation, a tag, a second document.
    Fix: mend the line that is named.
    Source: YAML 1.2, and the restrictions in `docs/input.md`.
    """
    return subject.told("yaml-syntax")


@rule("INP003", "unknown-key", Severity.ERROR)
def unknown_key(subject: Subject) -> Iterable[Fault]:
    """A key is not part of the format.

    Why: a misspelt key would silently leave the default in force.
    Example: `slak:` where `slack:` is meant.
    Fix: take the key that is proposed, or remove it.
    Source: the JSON Schema that `planner schema` prints.
    """
    return subject.told("unknown-key")


@rule("INP004", "duplicate-key", Severity.ERROR)
def duplicate_key(subject: Subject) -> Iterable[Fault]:
    """A key stands twice in one mapping, or a single value in two files.

    Why: YAML readers keep the last and drop the first without a word.
    Example: two `policy:` sections in files that include one another.
    Fix: merge the two.
    Source: YAML 1.2, section 3.2.1.1.
    """
    return subject.told("duplicate-key")


@rule("INP005", "missing-key", Severity.ERROR)
def missing_key(subject: Subject) -> Iterable[Fault]:
    """A required key is absent.

    Why: the planner does not guess what must be stated.
    Example: a rack row without `front`.
    Fix: add the key.
    Source: the JSON Schema that `planner schema` prints.
    """
    return subject.told("missing-key")


@rule("INP006", "invalid-value", Severity.ERROR)
def invalid_value(subject: Subject) -> Iterable[Fault]:
    """A value is of the wrong form.

    Why: a length of `7 feets` is no length.
    Example: `height_m: high`, a share above 10, an empty list.
    Fix: write the value as the message asks.
    Source: the JSON Schema that `planner schema` prints.
    """
    yield from subject.told("invalid-value")
    yield from _impossible(subject)
    yield from _inverted_obstacles(subject)


def _inverted_obstacles(subject: Subject) -> Iterator[Fault]:
    """Obstacles whose underside is not below their top."""
    placed = ((room, n, o) for room in subject.layout.rooms for n, o in enumerate(room.room.obstacles))
    for room, number, obstacle in placed:
        top, what, key = room.room.ceiling_m, "the ceiling", "from_m"
        if obstacle.to_m is not None:
            top, what, key = obstacle.to_m, "`to_m`", "to_m"
        if obstacle.from_m >= top:
            bottom, end = metres(mm_half_up(obstacle.from_m)), metres(mm_half_up(top))
            message = f"obstacle `{obstacle.name}`: `from_m` at {bottom} m is not below {what} at {end} m"
            at = spot_at(subject.tree, (*room.loc, "obstacles", number, key))
            help_text = "write its underside as `from_m`, its top as `to_m`"
            yield Fault("invalid-value", message, at, help=help_text, objects=(obstacle.name,))


def _impossible(subject: Subject) -> Iterator[Fault]:
    """Figures of the right form that nothing in a room can have."""

    def fault(loc: tuple[str | int, ...], message: str, help_text: str) -> Fault:
        return Fault("invalid-value", message, spot_at(subject.tree, loc), help=help_text)

    policy = subject.project.policy
    yield from _impossible_rooms(subject)
    for name, slack in policy.slack:
        if slack.loop_mm < 0:
            text = f"`policy.slack.{name}.loop_mm`: a loop of {mm_half_up(slack.loop_mm)} mm, at least 0 mm is wanted"
            yield fault(("policy", "slack", name, "loop_mm"), text, "write the length of the loop at each end")
    for name, spares in policy.spares:
        if spares.min < 0:
            text = f"`policy.spares.{name}.min`: {spares.min} pieces, at least 0 are wanted"
            yield fault(("policy", "spares", name, "min"), text, "write how many to keep at least")
    fill = policy.fill
    if fill.warn > fill.fail:
        text = f"`policy.fill`: `warn` at {fill.warn / 10_000:g} % lies above `fail` at {fill.fail / 10_000:g} %"
        yield fault(("policy", "fill"), text, "let `warn` be the lower of the two")
    yield from impossible_entries(subject)


def impossible_entries(subject: Subject) -> Iterator[Fault]:
    """Entries that the plan uses, with a figure of nothing or less where there must be something."""
    for id_, kind in sorted({rack.type.id: rack.type for rack in subject.layout.racks}.items()):
        names = ("width_mm", "depth_mm", "height_mm", "units", "u_pitch_mm", "rear_rail_mm")
        yield from _impossible_entry(subject, id_, {name: getattr(kind, name) for name in names})
    for id_, run in sorted({pathway.type.id: pathway.type for pathway in subject.layout.pathways}.items()):
        figures = {"width_mm": run.width_mm, "usable_depth_mm": run.usable_depth_mm}
        yield from _impossible_entry(subject, id_, figures)
    for chassis in subject.layout.chassis:
        family = chassis.family
        known = {"height_u": family.height_u, "width_mm": family.width_mm, "depth_mm": family.depth_mm}
        values = {name: figure.value for name, figure in known.items() if figure.value is not None}
        yield from _impossible_entry(subject, family.id, values)
    cables = {option.cable.id: option.cable for option, _ in subject.groups}
    for id_, cable in sorted(cables.items()):
        shortest = min(member.length_m for member in cable.members)
        yield from _impossible_entry(subject, id_, {"length_m": shortest})


def _impossible_rooms(subject: Subject) -> Iterator[Fault]:
    for room in subject.layout.rooms:
        if room.room.ceiling_m <= 0:
            height = metres(mm_half_up(room.room.ceiling_m))
            text = f"`{room.loc[0]}.ceiling_m`: the ceiling is at {height} m, above 0 m is wanted"
            at = spot_at(subject.tree, (*room.loc, "ceiling_m"))
            yield Fault("invalid-value", text, at, help="write its height above the floor")
        if room.room.slab_m is not None and room.room.slab_m >= 0:
            height = metres(mm_half_up(room.room.slab_m))
            text = f"`{room.loc[0]}.slab_m`: the slab is at {height} m, below 0 m is wanted"
            at = spot_at(subject.tree, (*room.loc, "slab_m"))
            yield Fault("invalid-value", text, at, help="write its height, which is below 0")


def _impossible_entry(subject: Subject, id_: str, figures: dict[str, int]) -> Iterator[Fault]:
    """The first figure of a catalog entry that must be above 0 and is not."""
    for name, value in figures.items():
        if value < 0 or (value == 0 and name != "height_u"):
            shown = value if name in ("units", "height_u") else f"{mm_half_up(value)} mm"
            message = f"`{name}` of `{id_}` is {shown}, above 0 is wanted"
            at = subject.catalog.spots.get(id_, -1)
            yield Fault("invalid-value", message, at, help="correct the catalog entry", objects=(id_,))
            return


@rule("INP007", "invalid-name", Severity.ERROR)
def invalid_name(subject: Subject) -> Iterable[Fault]:
    """A name has characters that separate names elsewhere, or is too long.

    Why: `:` and `--` are what link IDs are split at, `,` and `[` make hostlists.
    Example: a rack called `A:01`.
    Fix: use 1 to 64 printable characters, none of `: ; [ ] ,` and no `--`.
    Source: design of the input format.
    """
    return subject.told("invalid-name")


@rule("INP008", "include-fault", Severity.ERROR)
def include_fault(subject: Subject) -> Iterable[Fault]:
    """An included file is outside the project, or included twice.

    Why: a project must be whole in its folder, to be sent and repeated.
    Example: `include: ../common.yaml`.
    Fix: move the file into the project's folder.
    Source: design of the input format.
    """
    return subject.told("include-fault")


@rule("INP009", "unknown-name", Severity.ERROR)
def unknown_name(subject: Subject) -> Iterable[Fault]:
    """A reference names nothing that is declared.

    Why: a rack type, model, rack or part that does not exist cannot be planned with.
    Example: `type: rack-48u-600x1100`.
    Fix: take the name that is proposed, or declare it.
    Source: the catalog and the project.
    """
    racks = {fold(name) for row in subject.project.racks for name in row.names}
    for fault in subject.told("unknown-name"):
        # A rack that is declared and does not stand, or an entry whose file is at fault, has its finding there.
        known = racks if fault.message.startswith("rack `") else subject.broken_entries
        if not any(fold(name) in known for name in fault.objects):
            yield fault


@rule("INP010", "csv-fault", Severity.ERROR)
def csv_fault(subject: Subject) -> Iterable[Fault]:
    """A CSV file of links, or of stock on hand, is not of the agreed form.

    Why: a shifted column wires the wrong ports, or orders the wrong number.
    Example: a row with four cells, a column `a_port` that stands twice, a quantity of `ten`.
    Fix: mend the row that is named.
    Source: the columns of `links.csv`, and of a stock list.
    """
    advice = "complete the row, or remove it"
    return (replace(fault, help=fault.help or advice) for fault in subject.told("csv-fault"))


@rule("INP011", "names-nothing", Severity.ERROR)
def names_nothing(subject: Subject) -> Iterable[Fault]:
    """A pin, a measured length or a phase names nothing.

    Why: a pin that misses its link leaves the part unforced, unseen.
    Example: `links: compute/leaf-spin`.
    Fix: mend the name, or remove the entry.
    Source: design of the input format.
    """
    return subject.told("names-nothing")


@rule("INP012", "pins-disagree", Severity.ERROR)
def pins_disagree(subject: Subject) -> Iterable[Fault]:
    """Two pins force different parts on one link or cage, or two measured lengths differ.

    Why: one of them would be lost.
    Example: `a_plug: mma4z00-ns` on one link of a cage and another plug on its mate.
    Fix: narrow one of the pins.
    Source: a cage takes one plug.
    """
    return subject.told("pins-disagree")


@rule("INP013", "names-alike", Severity.WARNING)
def names_alike(subject: Subject) -> Iterable[Fault]:
    """Two names differ only by case, blanks or dashes.

    Why: a technician reads `leaf-1` and `leaf1` as the same.
    Example: racks `A01` and `a-01`.
    Fix: rename one of them.
    Source: field practice.
    """
    return subject.told("names-alike")


@rule("INP014", "character-without-glyph", Severity.WARNING)
def character_without_glyph(subject: Subject) -> Iterable[Fault]:
    """A name has a character that the printed documents cannot show.

    Why: it prints as its code, which is hard to match with the label on the device.
    Example: a rack named in a script that the font lacks.
    Fix: name a font that has it (`--font`), rename it, or live with the code.
    Source: the fonts that ship with the planner.
    """
    return subject.told("character-without-glyph")


@rule("INP015", "waiver-matches-nothing", Severity.WARNING)
def waiver_matches_nothing(subject: Subject) -> Iterable[Fault]:
    """A waiver covers no finding.

    Why: what it once excused is gone, or it is misspelt and excuses nothing.
    Example: `waive: [{rule: CAT01, ...}]`.
    Fix: remove it, or mend it.
    Source: design of the input format.
    """
    return subject.told("waiver-matches-nothing")


@rule("INP016", "channel-file-fault", Severity.ERROR)
def channel_file_fault(subject: Subject) -> Iterable[Fault]:
    """A case of a channel file is not of the agreed form.

    Why: a channel that is misread would be judged wrongly.
    Example: a cable without `polarity`.
    Fix: mend the key that is named.
    Source: the form of the polarity cases in `docs/channels.md`.
    """
    return subject.told("channel-file-fault")


@rule("INP017", "unknown-manufacturer", Severity.WARNING)
def unknown_manufacturer(subject: Subject) -> Iterable[Fault]:
    """No part of the catalog is of a manufacturer that `policy.vendors` or `vendors` of `policy.choices` names.

    Why: a slip in a name denies nobody, or allows nobody.
    Example: `deny: [nvdia]`.
    Fix: mend the name, or remove it.
    Source: `manufacturer` of the catalog's cables, cords and transceivers.
    """
    if subject.broken_entries:
        return  # their parts may be of that manufacturer
    catalog, policy = subject.catalog, subject.project.policy
    parts = (*catalog.transceivers.values(), *catalog.cables.values(), *catalog.cords.values())
    makers = sorted({GENERIC, *(part.manufacturer for part in parts)}, key=str.casefold)
    known = {maker.casefold() for maker in makers}
    places: list[tuple[tuple[str | int, ...], VendorPolicy]] = [(("policy", "vendors"), policy.vendors)]
    places += [
        (("policy", "choices", n, "vendors"), choice.vendors)
        for n, choice in enumerate(policy.choices)
        if choice.vendors is not None
    ]
    for loc, vendors in places:
        named: list[tuple[str, int | str, str]] = [("allow", n, name) for n, name in enumerate(vendors.allow or [])]
        named += [("deny", n, name) for n, name in enumerate(vendors.deny)]
        named += [("buy", name, name) for name in vendors.buy or {}]
        for key, number, name in named:
            if name.casefold() not in known:
                meant = nearest(name, makers)
                spoken = ".".join(part for part in (*loc, key) if isinstance(part, str))
                yield Fault(
                    "unknown-manufacturer",
                    f"`{spoken}`: no part of the catalog is of manufacturer `{name}`",
                    key_spot_at(subject.tree, (*loc, key, number)),
                    help=f"did you mean `{meant}`?" if meant else f"known: {quoted_list(makers, 12)}",
                    objects=(name,),
                )


@rule("INP018", "unknown-stock-part", Severity.WARNING)
def unknown_stock_part(subject: Subject) -> Iterable[Fault]:
    """A row of the stock list names no part of the catalog, or not one alone.

    Why: pieces that lie on the shelf are ordered again.
    Example: `MFP7E10`, which is sold in twenty lengths, each with a number of its own.
    Fix: write the part or order number with its length, or leave the row out.
    Source: part and order numbers of the catalog.
    """
    # A part whose catalog file is at fault may be missing for that reason.
    return () if subject.broken_entries else subject.told("unknown-stock-part")
