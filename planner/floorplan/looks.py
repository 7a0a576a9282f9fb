"""How the shapes of a floor plan are inked, by their kind."""

from __future__ import annotations

from typing import Final

from planner.sketches.shapes import Hatch, Look

_BLUE: Final = "#12335c"
_DIAGONAL: Final = ((-0.5, 0.5, 0.5, -0.5), (0, 2, 2, 0), (1.5, 2.5, 2.5, 1.5))
_CROSSED: Final = ((0, 2, 2, 0), (0, 0, 2, 2))
_LEVEL: Final = ((0, 1, 2, 1),)
_PLUS: Final = ((1, 0.6, 1, 1.4), (0.6, 1, 1.4, 1))

FULL: Final = "#8e1b1b"

# Fills by class, from light to dark also in grey, and each with a hatching of its own.
_FILLS: Final = (
    Look("fill-empty", "#ffffff", opacity=0.7),
    Look("fill-low", "#d9ecd0", opacity=0.85),
    Look("fill-warm", "#f7dc7c", opacity=0.85, hatch=Hatch(2, _DIAGONAL, "#8a6d00")),
    Look("fill-high", "#ee9a4d", opacity=0.85, hatch=Hatch(2, _CROSSED, "#7a3b00")),
    Look("fill-over", FULL, opacity=0.85, hatch=Hatch(2, _LEVEL, "#e9b4b4")),
    Look("fill-unknown", "#ffffff", opacity=0.85, hatch=Hatch(2, _PLUS, "#000000")),
)

_AREAS: Final = (
    *_FILLS,
    Look("paper", "#ffffff"),
    Look("room", "#fbfbfa", 0.5),
    Look("grid", line=0.1, colour="#c9d3dc"),
    Look("obstacle", "#b5b5b5", 0.18),
    Look("opening", "#ffffff", 0.25, dash=0.8),
    Look("footprint", "#ffffff", 0.2, "#222222"),
    Look("rack", "#ffffff", 0.2, "#222222"),
    Look("bar", _BLUE),
    Look("pathway-outline", line=0.18, colour="#333333"),
    Look("mark-ground", line=1.8, colour="#ffffff", is_round=True),
    Look("mark", line=1.0, is_round=True),
    Look("way-ground", line=1.4, colour="#ffffff", is_round=True),
    Look("way", line=0.7, is_round=True),
    Look("riser", "#ffffff", 0.35),
    Look("plate", "#ffffff", 0.15),
    Look("plate-over", FULL, 0.15),
    Look("dimension", line=0.13),
    Look("extension", line=0.13),
    Look("rule", line=0.13),
    Look("frame", line=0.35),
    Look("bar-dark", "#000000", 0.13),
    Look("arrow-dark", "#000000", 0.13),
    Look("bar-light", "#ffffff", 0.13),
    Look("arrow-light", "#ffffff", 0.13),
    Look("draft-band", "#000000"),
)
_HALO: Final = 0.55
_WORDS: Final = (
    Look("rack-name", "#000000", bold=True, halo=_HALO),
    Look("rack-contents", "#000000", halo=_HALO),
    Look("row-name", _BLUE, bold=True, halo=_HALO),
    Look("aisle", _BLUE, italic=True),
    Look("pathway-name", "#000000", bold=True, halo=_HALO),
    Look("obstacle-name", "#000000", halo=_HALO),
    Look("wall", "#000000"),
    Look("share", "#000000", bold=True),
    Look("share-over", "#ffffff", bold=True),
    Look("figure", "#44515c"),
    Look("dimension", "#000000"),
    Look("heading", "#000000", bold=True),
    Look("title", "#000000", bold=True),
    Look("strong", "#000000", bold=True),
    Look("note", "#000000"),
    Look("mono", "#000000", mono=True),
    Look("draft-band", "#ffffff", bold=True),
    Look("draft", "#b00020", bold=True, opacity=0.13),
)

AREAS: Final = {look.name: look for look in _AREAS}
"""Of surfaces and lines."""
WORDS: Final = {look.name: look for look in _WORDS}
