"""New files of a catalog, each beside what is there and never in its place."""

from __future__ import annotations

from pathlib import Path


def write_new(path: Path, text: str) -> bool:
    """Write a file that does not exist yet, with the folders above it; false, and nothing done, where it exists."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        return False
    return True
