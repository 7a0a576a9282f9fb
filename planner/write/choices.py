"""What a person chooses of the printed documents: paper, codes, one rack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from planner.label_fit import Shape
from planner.write.page import Paper

Codes = Literal["code128", "qr", "none"]
CODES: Final[tuple[Codes, ...]] = get_args(Codes)


class MissingExtraError(Exception):
    """A document needs a library that is not installed; the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class Choices:
    """rack: only this rack's pages, in documents that have pages by rack. codes: of the cable ID; labels have QR or none.

    highlight: what is marked on the floor plan. labels: a form as `planner.label_formats.label_form` reads it; it and the
    shape are the project's where they are not chosen.
    """

    rack: str | None = None
    paper: Paper = "a4"
    codes: Codes = "code128"
    labels: str | None = None
    label_shape: Shape | None = None
    highlight: str | None = None


DEFAULT: Final = Choices()
