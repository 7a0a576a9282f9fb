"""Pictures of the generators' pages, drawn from what the planner makes of each page's example. `generate.py` calls it."""  # noqa: INP001

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from math import cos, pi, sin
from pathlib import Path
from typing import Any, Final

from planner.catalog.load import Catalog, load_catalog
from planner.data import catalogs_folder
from planner.generators.parameters import Dragonfly, DragonflyPlus, Generate, Grid
from planner.layout import layout_of
from planner.names import natural_key
from planner.project import Project
from planner.reader import Sources, read_project
from planner.topology import links_of
from planner.validation import validated

WIDE: Final = 900
# Okabe and Ito's colours, which the colour-blind can tell apart, without yellow, too light for a line; wine, and grey between switches.
COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#882255", "#8A8A8A")
FLAT: Final = ("core-core", "local", "global", "axis-")

Point = tuple[float, float]
Row = tuple[str, str, str, str, str]


@dataclass(frozen=True)
class Example:
    """A page's project as planned: its generator, the links made, and the kind of each device."""

    wanted: Generate
    rows: tuple[Row, ...]
    kinds: dict[str, str]
    fabric: str


@cache
def _catalog() -> Catalog:
    return load_catalog(Sources(catalogs_folder()), catalogs_folder())


def example_of(text: str, fabric: int = 0) -> Example:
    """The links of one fabric of a project."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "project.yaml").write_text(text, encoding="utf-8")
        source = read_project(Path(folder))
        assert source.root is not None
        form = validated(Project, source.root)
        assert form.model is not None, form.faults
        layout, _ = layout_of(form.model, form.root, _catalog(), frozenset(), source.files)
        links, faults = links_of(form.model.fabrics, form.root, layout, _catalog(), source.sources, frozenset())
    assert not faults, faults
    devices = layout.devices
    rows = [
        (devices[a].name, devices[a].chassis.port_names[p], devices[z].name, devices[z].chassis.port_names[q], tier)
        for number, a, p, z, q, tier in zip(
            links.fabric.tolist(), links.a_device.tolist(), links.a_port.tolist(), links.z_device.tolist(),
            links.z_port.tolist(), links.tier.tolist(), strict=True,
        ) if number == fabric
    ]  # fmt: skip
    wanted = form.model.fabrics[fabric].generate
    assert wanted is not None
    kinds = {device.name: device.chassis.family.kind for device in devices}
    return Example(wanted, tuple(rows), kinds, form.model.fabrics[fabric].name)


def pictures() -> Iterator[tuple[str, str]]:
    """Path below the documentation and text of each picture: one for every example that follows a picture on a page."""
    for page in sorted((Path(__file__).parent / "generators").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for name, fabric, project in re.findall(
            r"!\[[^\]]*\]\(([\w-]+\.svg)(?:#(\d))?\).*?^```yaml\n(format:.*?)^```$", text, re.MULTILINE | re.DOTALL
        ):
            yield f"generators/{name}", picture(example_of(project, int(fabric or 0)))


def picture(example: Example) -> str:
    """The drawing of an example, and below it what each tier has and some of its links."""
    match example.wanted:
        case Grid():
            places, tall = _grid(example.wanted)
        case Dragonfly():
            places, tall = _rings([example.wanted.routers], [example.wanted.routers_per_group])
        case DragonflyPlus():
            wanted = example.wanted
            places, tall = _rings([wanted.spines, wanted.leaves], [wanted.spines_per_group, wanted.leaves_per_group])
        case _:
            places, tall = _levels(example)
    body = [*_lines(example, places), *_boxes(example, places)]
    legend, end = _legend(example, tall + 30)
    title = f"{example.wanted.kind}: {len(example.rows)} links of {len(places)} devices"
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {end}" font-family="DejaVu Sans, Arial, sans-serif" font-size="11" role="img" aria-labelledby="t">',
        f'<title id="t">{escape(title)}</title>', f'<rect width="{WIDE}" height="{end}" fill="#fff"/>', *body, *legend, "</svg>", "",
    ])  # fmt: skip


def _levels(example: Example) -> tuple[dict[str, Point], int]:
    """Devices in rows, each above those that it takes links from."""
    level = {name: 0 for row in example.rows for name in (row[0], row[2])}
    rising = {(a, z) for a, _, z, _, tier in example.rows if not tier.startswith(FLAT)}
    changed = True
    while changed:
        changed = False
        for a, z in rising:
            if level[z] <= level[a]:
                level[z], changed = level[a] + 1, True
    # What has no links from below stands right under what it goes to, as UFM does.
    top = max(level.values())
    places = {}
    for number in range(top + 1):
        names = sorted((name for name in level if level[name] == number), key=natural_key)
        step = WIDE / len(names)
        for place, name in enumerate(names):
            places[name] = (step * (place + 0.5), 40.0 + 120 * (top - number))
    return places, 120 * top + 60


def _rings(roles: list[tuple[str, ...]], sizes: list[int]) -> tuple[dict[str, Point], int]:
    """Groups on a circle, each a row of switches across the radius; the first role inside."""
    places: dict[str, Point] = {}
    groups = len(roles[0]) // sizes[0]
    for depth, (names, size) in enumerate(zip(roles, sizes, strict=True)):
        for number, name in enumerate(names):
            group, place = divmod(number, size)
            angle = 2 * pi * group / groups - pi / 2
            out, across = 150 + 75 * depth, (place - (size - 1) / 2) * 62
            places[name] = (
                WIDE / 2 + 1.45 * (out * cos(angle) - across * sin(angle)),
                290 + out * sin(angle) + across * cos(angle),
            )
    low = min(y for _, y in places.values()) - 40
    return {name: (x, y - low) for name, (x, y) in places.items()}, int(max(y for _, y in places.values()) - low + 30)


def _grid(wanted: Any) -> tuple[dict[str, Point], int]:
    """The last two axes as rows and columns, those before them set off aslant."""
    axes = [1] * (3 - len(wanted.axes)) + list(wanted.axes)
    places = {}
    for number, name in enumerate(wanted.switches):
        rest, column = divmod(number, axes[-1])
        sheet, row = divmod(rest, axes[-2])
        places[name] = (
            WIDE / 2 + (column - (axes[-1] - 1) / 2) * 140 + (sheet - (axes[0] - 1) / 2) * 55,
            50.0 + row * (90 if axes[0] == 1 else 110) + (axes[0] - 1 - sheet) * 32,
        )
    return places, int(max(y for _, y in places.values()) + 40)


def _lines(example: Example, places: dict[str, Point]) -> Iterator[str]:
    """One line a pair and tier; as thick as it has links, to a point; closing links of a torus in a bow."""
    pairs: Counter[tuple[str, str, str, int]] = Counter()
    for a, _, z, _, tier in example.rows:
        pairs[a, z, tier, _colour(example, a, z, tier)] += 1
    for (a, z, tier, colour), count in pairs.items():
        if a not in places or z not in places:
            continue
        (x1, y1), (x2, y2) = places[a], places[z]
        far = abs(x1 - x2) > 190 or abs(y1 - y2) > 150
        closing = tier.startswith("axis-") and far
        width = min(1 + count * 0.25, 3)
        shape = f"M{x1:.0f} {y1:.0f}L{x2:.0f} {y2:.0f}"
        if closing or tier == "core-core":
            bend = 34 if abs(y1 - y2) < 2 else 0
            side = 60 if abs(x1 - x2) < 2 else 0
            shape = f"M{x1:.0f} {y1:.0f}Q{(x1 + x2) / 2 + side:.0f} {(y1 + y2) / 2 - bend:.0f} {x2:.0f} {y2:.0f}"
        dashed = ' stroke-dasharray="5 3"' if closing or tier == "global" or tier.startswith("ufm") else ""
        yield f'<path d="{shape}" fill="none" stroke="{COLOURS[colour]}" stroke-width="{width:.2f}" stroke-opacity="0.75"{dashed}/>'


def _colour(example: Example, a: str, z: str, tier: str) -> int:
    """By the switch that a node's port goes to, so that rails and planes show; grey between switches, by axis in a grid."""
    if tier.startswith("axis-"):
        return int(tier.removeprefix("axis-")) - 1
    if tier == "local":
        return 0
    if tier == "global":
        return 1
    if example.kinds[a] != "server":
        return len(COLOURS) - 1
    switches = sorted({y for b, _, y, _, _ in example.rows if b == a}, key=natural_key)
    return switches.index(z) % (len(COLOURS) - 1)


def _boxes(example: Example, places: dict[str, Point]) -> Iterator[str]:
    hosts = Counter(z for a, z in {(row[0], row[2]) for row in example.rows} if a not in places)
    crowd = Counter(y for _, y in places.values())
    for name, (x, y) in places.items():
        width = max(34, min(76, WIDE / crowd[y] - 6)) if len(crowd) else 76
        server = example.kinds[name] != "switch"
        text = escape(name)
        size = "" if width >= 7 * len(name) + 4 else f' font-size="{max(6.5, (width - 3) / (0.62 * len(name))):.1f}"'
        yield f'<rect x="{x - width / 2:.0f}" y="{y - 13:.0f}" width="{width:.0f}" height="26" rx="{0 if server else 3}" fill="{"#f2f2f2" if server else "#fff"}" stroke="#000"/>'
        yield f'<text x="{x:.0f}" y="{y + (4 if not hosts[name] else 0):.0f}" text-anchor="middle"{size}>{text}</text>'
        if hosts[name]:
            yield f'<text x="{x:.0f}" y="{y + 10:.0f}" text-anchor="middle" font-size="8">{hosts[name]} nodes</text>'


def _legend(example: Example, top: int) -> tuple[list[str], int]:
    """A column a tier: its links, links a pair, and the first two and the last, by their ports."""
    tiers = sorted({row[4] for row in example.rows}, key=lambda tier: (_ORDER.get(tier, 9), tier))
    text = []
    for column, tier in enumerate(tiers):
        rows = [row for row in example.rows if row[4] == tier]
        pairs = sorted(set(Counter((row[0], row[2]) for row in rows).values()))
        x, size = 16 + WIDE / max(3, len(tiers)) * column, 11 if len(tiers) < 4 else 10
        shown = rows if len(rows) < 4 else [*rows[:2], rows[-1]]
        head = f"{tier}: {len(rows)} links, {' or '.join(map(str, pairs))} a pair"
        text.append(f'<text x="{x:.0f}" y="{top}" font-size="{size}" font-weight="bold">{escape(head)}</text>')
        for number, (a, p, z, q, _) in enumerate(shown, start=1):
            line = escape(f"{a}:{p} to {z}:{q}")
            text.append(f'<text x="{x:.0f}" y="{top + 16 * number}" font-size="{size}">{line}</text>')
    return text, top + 16 * 4 + 6


_ORDER: Final = {
    tier: n
    for n, tier in enumerate(
        ("node-router", "node-switch", "node-leaf", "leaf-spine", "local", "spine-core", "global", "ufm-leaf")
    )
}
