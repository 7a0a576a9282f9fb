"""Labels whose texts are too long for what the project prints them on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from planner.fallback_font import need_letters
from planner.findings import Fault, Spot
from planner.label_fit import ARROW, LEGIBLE, Label, Space, smallest_type
from planner.label_formats import SheetFormat, ZplFormat, label_form
from planner.label_zpl import ZplLabel
from planner.plan import Plan
from planner.project import LabelsPolicy
from planner.table import Floats, Ints, Mask, Words
from planner.typeset import BOLD, LEADING, shown, text_width, widths_of

RULE: Final = "label-text-too-long"
_SURE: Final = LEGIBLE + 0.25
"""Points at which a text that fits is legible: type shrinks in steps of a quarter."""
_AT_ONCE: Final = 50_000
"""Texts whose letters are in memory together."""
_WIDEST: Final = 1.1
"""Of a letter over its size, on the safe side."""
_AROUND: Final = "DRAFT 999999 z99  unused leg, cap it, head"
"""The longest of what may stand around the places of a label."""


def labels_too_small(plan: Plan, policy: LabelsPolicy, at: Spot) -> Iterator[Fault]:
    """One fault for all of them; its note tells of the one in the smallest type."""
    form = label_form(policy.sheet)
    if form == "csv" or not len(plan.ends):
        return
    need_letters((plan.inputs, plan.catalog))
    found = list(_too_long_zpl(plan, form) if isinstance(form, ZplFormat) else _below_legible(plan, policy, form))
    if not found:
        return
    ends = plan.ends
    size, worst = min(found)
    prints = f"prints in type of {size:.1f} points, below {LEGIBLE:g} points" if size else "does not fit at all"
    name = form.name if isinstance(form, SheetFormat) else policy.sheet
    count = f"{len(found):,} labels ({name}) are" if len(found) > 1 else f"a label ({name}) is"
    yield Fault(
        RULE,
        f"{count} too small for the text",
        at,
        note=f"`{ends.near[worst]} > {ends.far[worst]}` {prints}; `labels.csv` has every text whole",
        help="take larger labels (`policy.labels.sheet`), another shape, or a shorter text (`policy.labels.text`)",
        objects=tuple(f"cable {plan.cables.cable_id[ends.cable[row]]} {ends.end[row]}" for _, row in found[:50]),
        count=len(found),
    )


def _below_legible(plan: Plan, policy: LabelsPolicy, form: SheetFormat) -> Iterator[tuple[float, int]]:
    """Size of type and row of the ends whose texts cannot be read."""
    ends = plan.ends
    for row in _doubtful(plan, policy, Space.of(form)).tolist():
        cable = int(plan.cables.cable_id[ends.cable[row]])
        size = smallest_type(form, policy.shape, cable, ends.end[row], ends.near[row], ends.far[row])
        if size < LEGIBLE:
            yield size, row


def _doubtful(plan: Plan, policy: LabelsPolicy, space: Space) -> Ints:
    """Ends whose texts are not surely legible, each on a line of its own: to fit all texts of a large plan takes a minute."""
    inside = space.half if policy.shape == "flag" else space
    is_wrap = policy.shape == "wrap"
    if not inside.holds_legible_lines and not (is_wrap and inside.height >= _SURE * LEADING):
        return np.arange(len(plan.ends))
    longest = max((len(text) for words in (plan.ends.near, plan.ends.far) for text in words.vocabulary), default=0)
    is_ascii = all(text.isascii() for words in (plan.ends.near, plan.ends.far) for text in words.vocabulary)
    if not is_wrap and is_ascii and (longest + len(ARROW)) * _SURE * _WIDEST <= inside.width:
        return np.zeros(0, np.int64)  # without a look at the font, which takes a sixth of a second to open
    room = inside.width - text_width(BOLD, f"{_AROUND} {ARROW}", _SURE) * is_wrap
    near, far = (_widths(words) for words in (plan.ends.near, plan.ends.far))
    if is_wrap:
        return np.flatnonzero(near + far > room)
    return np.flatnonzero(np.maximum(near, far + text_width(BOLD, ARROW, _SURE)) > room)


def _widths(words: Words) -> Floats:
    """Of each row in bold letters of the least size that is surely legible."""
    letters = widths_of(BOLD, range(128)) * _SURE / 1000
    texts = words.vocabulary
    wide = np.concatenate(
        [np.zeros(0), *(_ascii_widths(texts[at : at + _AT_ONCE], letters) for at in range(0, len(texts), _AT_ONCE))]
    )
    for number, text in enumerate(texts):
        if not text.isascii():
            wide[number] = text_width(BOLD, shown(text), _SURE)
    return np.where(words.codes >= 0, np.append(wide, 0.0)[words.codes], 0.0)


def _ascii_widths(texts: Sequence[str], letters: Floats) -> Floats:
    """Widths of texts by those of their letters; 0 of what is not ASCII."""
    plain = [text if text.isascii() else "" for text in texts]
    sizes = np.fromiter(map(len, plain), np.int64, len(plain))
    along = np.concatenate(([0.0], np.cumsum(letters[np.frombuffer("".join(plain).encode("ascii"), np.uint8)])))
    ends = np.cumsum(sizes)
    widths: Floats = along[ends] - along[ends - sizes]
    return widths


def _too_long_zpl(plan: Plan, form: ZplFormat) -> Iterator[tuple[float, int]]:
    """Ends of which a printer's label has the number only."""
    drawn = ZplLabel(form, has_code=True, is_draft=True)
    ends, parts = plan.ends, plan.cables.part
    for row in _beyond(plan, drawn).tolist():
        cable = int(ends.cable[row])
        part = plan.parts[int(parts[cable])]
        label = Label(int(plan.cables.cable_id[cable]), ends.end[row], ends.near[row], ends.far[row], part, "")
        if drawn.lines(label) is None:
            yield 0.0, row


def _beyond(plan: Plan, drawn: ZplLabel) -> Ints:
    """Ends with a text that a label of any part does not surely have on one line of the smallest letters."""
    sure = drawn.least_characters
    longest = max(plan.parts, key=lambda part: len(part.part))
    if drawn.lines(Label(999_999, "z99", "x" * sure, "x" * (sure - 2), longest, "")) is None:
        return np.arange(len(plan.ends))

    def is_long(words: Words, most: int) -> Mask:
        long = [len(text) > most or not text.isascii() for text in words.vocabulary]
        return np.append(np.array(long, bool), False)[words.codes]

    return np.flatnonzero(is_long(plan.ends.near, sure) | is_long(plan.ends.far, sure - 2) | (plan.ends.device < 0))
