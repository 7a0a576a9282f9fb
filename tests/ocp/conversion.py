"""The published connectivity map of OPG-256 as lists of links: one rename of columns and of port names, nothing else."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
MAP: Final = HERE / "opg-256-connectivity-map.csv"

# As the map names ports, and as the catalog's generic server and switch do: `E1/7/2` is the second port of cage 7, `E1/7`
# the cage as one port; `be3-port0` is the adapter of GPU 3, `fe-p1` the second front-end port.
PORTS: Final = (
    (re.compile(r"E1/(\d+(?:/\d+)?)"), r"\1"),
    (re.compile(r"be(\d)-port0"), r"nic\1"),
    (re.compile(r"fe-p(\d)"), r"front\1"),
)


def port(name: str) -> str:
    """A port's name in the catalog. Raises ValueError for one that the map should not have."""
    for pattern, named in PORTS:
        if pattern.fullmatch(name):
            return pattern.sub(named, name)
    raise ValueError(f"the map has no such port: {name}")


def link_lists(text: str) -> dict[str, str]:
    """The lists of links of the project's fabrics, by file name; the map's end b is our end z, a role pair is a tier."""
    files: dict[str, list[str]] = {}
    for row in csv.DictReader(text.splitlines()):
        core = "-core" if row["b_role"] == "spine" else ""
        name = ("backend" if row["b_device"].startswith("be-") else "frontend") + core + ".csv"
        ends = (row["a_device"], port(row["a_interface"]), row["b_device"], port(row["b_interface"]))
        rows = files.setdefault(name, ["a_device,a_port,z_device,z_port,tier"])
        rows.append(",".join((*ends, f"{row['a_role']}-{row['b_role']}")))
    return {name: "\n".join(rows) + "\n" for name, rows in files.items()}
