"""Where the files are that ship with the planner: catalogs, starter projects, fonts."""

from __future__ import annotations

from pathlib import Path
from typing import Final

COPIED_TEMPLATES: Final = ("two-racks",)
"""The starter projects that ship as files; others are written in the size asked for (`planner.templates`)."""

_PACKAGE: Final = Path(__file__).resolve().parent
_SHIPPED: Final = _PACKAGE / "_shipped"  # laid by the build (pyproject.toml, force-include); absent in a checkout


def catalogs_folder() -> Path:
    """The catalogs inside the installed package, else those of the checkout that it runs from."""
    return _first_folder(_SHIPPED / "catalogs", _PACKAGE.parent / "catalogs")


def templates_folder() -> Path:
    """The folder that has a folder for each of COPIED_TEMPLATES: in the installed package, else the checkout's layouts."""
    return _first_folder(_SHIPPED / "templates", _PACKAGE.parent / "layouts")


def font(name: str) -> Path:
    """The TrueType file of a shipped font by its name without suffix, such as `DejaVuSans-Bold`."""
    path = _PACKAGE / "write" / "fonts" / f"{name}.ttf"
    if not path.is_file():
        raise FileNotFoundError(f"the planner ships no font `{name}` (looked for {path})")
    return path


def font_bytes(path: Path) -> bytes:
    """A font file that the user names. Raises OSError."""
    return path.read_bytes()


def _first_folder(*candidates: Path) -> Path:
    for folder in candidates:
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the installation is incomplete: no {' nor '.join(str(folder) for folder in candidates)}")
