"""What a person chooses of the printed documents: paper, codes, one rack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from planner.write.page import Paper

Codes = Literal["code128", "qr", "none"]
CODES: Final[tuple[Codes, ...]] = get_args(Codes)


@dataclass(frozen=True, slots=True)
class Choices:
    """rack: only this rack's pages, in documents that have pages by rack. codes: of the cable ID, on sheets and labels."""

    rack: str | None = None
    paper: Paper = "a4"
    codes: Codes = "code128"


DEFAULT: Final = Choices()
