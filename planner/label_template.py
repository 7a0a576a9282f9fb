"""Templates of label texts: how the place of a cable's end is said, and which fields a template may have.

Named templates follow formats that people use; their separators are ours where the source leaves them open.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from string import Formatter
from typing import Final


@dataclass(frozen=True, slots=True)
class NamedTemplate:
    template: str
    source: str


TEMPLATES: Final = {
    "location": NamedTemplate("{rack}-U{u:02}:{port}", "ours: rack, slot, printed ports"),
    "near-far": NamedTemplate(
        "{rack}-U{u}-P{port}", "https://2nsystems.com/tips-from-a-data-center-manager-a-practical-way-to-label-cables/"
    ),
    "tia-606": NamedTemplate(
        "{row}.{rack}-{top_u:02}:{port}",
        "the form space.cabinet-slot:port of https://datashed.tech/index.php/2017/06/17/1dca-c02-cable-management/, which"
        " names a device by its topmost slot; the row stands for the space",
    ),
    "tenstorrent": NamedTemplate(
        "{row}{rack_in_row}U{u:02}-{port}",
        "repo tenstorrent/tt-metal, tools/scaleout: hall, aisle and rack, U and slot, tray, port; a hall is part of the row's name here",
    ),
    "h3c": NamedTemplate(
        "{row}{rack_in_row}-{u:02}-{port}",
        "https://manualshive.com/en/manual/h3c/secpath-m9000-ai-e8/3145260?page=111: row and cabinet, chassis, slot, port; the chassis"
        " is named by its slot in the rack",
    ),
    "serial": NamedTemplate(
        "{category}-{cable:06}",
        "https://github.com/netbox-community/netbox/issues/619: a type and a number, the same at both ends",
    ),
    "device": NamedTemplate("{device}:{port}", "ours: for sites that label by host name"),
}
DEFAULT: Final = "location"
OWN: Final = TEMPLATES[DEFAULT].template
"""What ends are called without any template."""

TEXT_FIELDS: Final = ("rack", "row", "rack_in_row", "device", "model", "port", "category", "project", "revision", "end")
NUMBER_FIELDS: Final = ("u", "top_u", "cable")
FIELDS: Final = (*TEXT_FIELDS, *NUMBER_FIELDS)
_WIDTH: Final = re.compile(r"0?\d?\d?")
_MOST: Final = 200
"""Characters of a template."""


def template_of(text: str) -> str:
    """The template of a name of TEMPLATES, or the text itself. Raises ValueError, with what is wrong, for no template."""
    if text in TEMPLATES:
        return TEMPLATES[text].template
    if "{" not in text:
        raise ValueError(
            f"`{text}` is neither a template with fields such as `{{rack}}` nor one of {', '.join(TEMPLATES)}"
        )
    if len(text) > _MOST or not text.isprintable():
        raise ValueError(f"a label template has at most {_MOST} printable characters")
    parsed(text)
    return text


def parsed(template: str) -> list[tuple[str, str, str]]:
    """Literal, field and width, piece by piece; a field is a name and nothing else, so that a template cannot reach further.

    Raises ValueError with what is wrong.
    """
    try:
        pieces = list(Formatter().parse(template))
    except ValueError as error:
        raise ValueError(f"the braces of `{template}` do not match: {error}") from error
    for _, field, width, conversion in pieces:
        if field is not None and (field not in FIELDS or conversion):
            raise ValueError(f"`{{{field}}}` is no field of a label; there are {', '.join(FIELDS)}")
        if width and (field not in NUMBER_FIELDS or not _WIDTH.fullmatch(width)):
            raise ValueError(f"`{width}` is no width; numbers take one, such as `{{u:02}}`")
    return [(literal, field or "", width or "") for literal, field, width, _ in pieces]
