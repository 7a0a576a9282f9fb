"""Files by row of racks: what a document becomes that would be too large as one."""

from __future__ import annotations

import re
from collections.abc import Iterable

from planner.names import fold


def file_stems(rows: Iterable[str]) -> dict[str, str]:
    """A file name for each row: what is not a letter, digit or dash becomes `_`, and names stay apart without case."""
    taken: set[str] = set()
    stems = {}
    for row in rows:
        plain = re.sub(r"[^A-Za-z0-9\-]", "_", row)[:60] or "_"
        stem, number = f"row-{plain}", 2
        while fold(stem) in taken:
            stem, number = f"row-{plain}-{number}", number + 1
        taken.add(fold(stem))
        stems[row] = stem
    return stems
