"""Small rooms in plain words: drawn by hypothesis, turned, moved and renamed, and handed to the planner as a project.

All lengths are whole micrometres, points as in the design: x east, y north, in a rack x to the right of its middle as
seen facing its front, and depth from its front. Nothing here uses the planner's geometry, so that the oracle may.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from planner.catalog.devices import Device
from planner.catalog.load import Catalog
from planner.catalog.racks import PathwayType, RackType
from planner.layout import Layout, layout_of
from planner.lengths.measure import Measure
from planner.lengths.slack import SlackOfLinks
from planner.locate import places_of
from planner.project import Project
from planner.reader import read_project
from planner.routing.policy import RouteRules
from planner.validation import validated

MM = 1_000
M = 1_000_000

Point = tuple[int, int]


@dataclass(frozen=True)
class ManagerOf:
    x: int
    depth: int


@dataclass(frozen=True)
class ExitOf:
    name: str
    x: int
    depth: int
    z: int


@dataclass(frozen=True)
class RackKind:
    id: str
    width: int
    depth: int
    height: int
    units: int
    u1: int
    pitch: int
    from_top: bool
    front_rail: int
    rear_rail: int
    managers: tuple[ManagerOf, ...]
    exits: tuple[ExitOf, ...]
    crossings: tuple[tuple[int, int], ...]
    """Cross-managers: depth and height."""
    reach: int
    bay_max: int = 0
    """How many racks away cables pass sideways; 0 for racks with side panels."""


@dataclass(frozen=True)
class RackAt:
    name: str
    kind: int
    west: int
    south: int
    front: str


@dataclass(frozen=True)
class Run:
    """A pathway; wall: what a cable climbs to enter from the side; heights: of its points, where they differ."""

    name: str
    points: tuple[Point, ...]
    height: int
    wall: int
    entry: str = "side"
    carries: tuple[str, ...] = ("copper", "fibre")
    heights: tuple[int, ...] = ()

    @property
    def corners(self) -> tuple[tuple[int, int, int], ...]:
        levels = self.heights or (self.height,) * len(self.points)
        return tuple((x, y, z) for (x, y), z in zip(self.points, levels, strict=True))


@dataclass(frozen=True)
class RiserAt:
    name: str
    at: Point
    joins: tuple[str, ...]


@dataclass(frozen=True)
class Model:
    """A device model. cages: x from the left edge facing the ports, z from the underside; none: a shipped model."""

    id: str
    width: int = 0
    depth: int = 0
    face: str = "front"
    cages: tuple[Point, ...] = ()


@dataclass(frozen=True)
class DeviceAt:
    name: str
    model: int
    rack: int
    u: int
    mount: str


@dataclass(frozen=True)
class LinkOf:
    a: tuple[str, str]
    z: tuple[str, str]
    tier: str


@dataclass(frozen=True)
class RoomOf:
    kinds: tuple[RackKind, ...]
    racks: tuple[RackAt, ...]
    runs: tuple[Run, ...]
    risers: tuple[RiserAt, ...]
    models: tuple[Model, ...]
    devices: tuple[DeviceAt, ...]
    links: tuple[LinkOf, ...] = ()
    outline: tuple[Point, ...] = ((-40 * M, -40 * M), (60 * M, -40 * M), (60 * M, 60 * M), (-40 * M, 60 * M))
    policy: dict[str, Any] = field(default_factory=dict, hash=False)

    @property
    def ends(self) -> list[tuple[int, int]]:
        """Every cage of every device."""
        return [(d, c) for d, device in enumerate(self.devices) for c in range(len(self.models[device.model].cages))]


# --- what the planner reads -----------------------------------------------------------------------------------------


def _m(um: int) -> str:
    sign, size = ("-", -um) if um < 0 else ("", um)
    return f"{sign}{size // M}.{size % M:06d}"


def _mm(um: int) -> str:
    sign, size = ("-", -um) if um < 0 else ("", um)
    return f"{sign}{size // MM}.{size % MM:03d}"


_UNKNOWN = {"value": None, "source": "a test"}


def _rack_text(kind: RackKind) -> dict[str, Any]:
    def side(manager: ManagerOf) -> str:
        # As seen facing the face that it stands nearest to.
        right = (manager.x > 0) == (2 * manager.depth <= kind.depth)
        return "right" if right else "left"

    return {
        "id": kind.id, "kind": "rack", "manufacturer": "test", "description": "test", "source": "test",
        "evidence": "unverified", "width_mm": _mm(kind.width), "depth_mm": _mm(kind.depth), "height_mm": _mm(kind.height),
        "units": str(kind.units), "u1_mm": _mm(kind.u1), "u_pitch_mm": _mm(kind.pitch),
        "numbered_from": "top" if kind.from_top else "bottom", "front_rail_mm": _mm(kind.front_rail),
        "rear_rail_mm": _mm(kind.rear_rail), "drop_reach_mm": _mm(kind.reach),
        "managers": [
            {"side": side(m), "x_mm": _mm(m.x), "y_mm": _mm(m.depth), "z_mm": ["0", _mm(kind.height)], "section_mm": ["60", "120"]}
            for m in kind.managers
        ],
        "exits": [{"name": e.name, "x_mm": _mm(e.x), "y_mm": _mm(e.depth), "z_mm": _mm(e.z)} for e in kind.exits],
        "baying_open": "true" if kind.bay_max else "false", "bay_max": str(kind.bay_max),
        "cross_managers": [{"y_mm": _mm(y), "z_mm": _mm(z)} for y, z in kind.crossings],
    }  # fmt: skip


def _pathway_text(wall: int) -> dict[str, Any]:
    return {
        "id": f"tray-{wall}", "kind": "tray", "manufacturer": "test", "description": "test", "source": "test",
        "evidence": "unverified", "width_mm": "300", "usable_depth_mm": "100", "side_wall_mm": _mm(wall),
        "rating_kg_per_m": _UNKNOWN,
    }  # fmt: skip


def _model_text(model: Model) -> dict[str, Any]:
    group = {
        "names": f"[1-{len(model.cages)}]", "form_factor": "osfp", "heat_sink": "flat", "port_names": ["{cage}"],
        "lanes": "4", "lane_rate_gbps": "100", "rates": ["ndr"], "protocols": ["infiniband"], "max_power_w": _UNKNOWN,
        "face": model.face, "source": "test", "evidence": "unverified",
        "points": {"source": "test", "evidence": "unverified", "at": [{"x_mm": _mm(x), "z_mm": _mm(z)} for x, z in model.cages]},
    }  # fmt: skip
    return {
        "id": model.id, "kind": "server", "manufacturer": "test", "description": "test",
        "lifecycle": {"value": "active", "source": "test"}, "members": [{"part": model.id.upper()}],
        "height_u": {"value": "1", "source": "test"}, "width_mm": {"value": _mm(model.width), "source": "test"},
        "depth_mm": {"value": _mm(model.depth), "source": "test"}, "cages": [group],
    }  # fmt: skip


def _path_text(run: Run) -> dict[str, Any]:
    if run.heights:
        return {"path_m": [[_m(x), _m(y), _m(z)] for x, y, z in run.corners]}
    return {"path_m": [[_m(x), _m(y)] for x, y in run.points], "height_m": _m(run.height)}


def project_text(room: RoomOf) -> dict[str, Any]:
    """The room as `project.yaml` (JSON is YAML); one entry for each rack, pathway and device."""
    pathways = [
        {
            "name": run.name, "type": f"tray-{run.wall}", **_path_text(run), "entry": run.entry, "carries": list(run.carries),
        }
        for run in room.runs
    ]  # fmt: skip
    text: dict[str, Any] = {
        "format": "planner/1",
        "name": "room",
        "room": {"outline_m": [[_m(x), _m(y)] for x, y in room.outline], "ceiling_m": "9"},
        "racks": [
            {
                "row": "R",
                "names": rack.name,
                "type": room.kinds[rack.kind].id,
                "at_m": [_m(rack.west), _m(rack.south)],
                "along": "east",
                "front": rack.front,
            }
            for rack in room.racks
        ],
        "pathways": pathways,
        "risers": [{"name": r.name, "at_m": [_m(r.at[0]), _m(r.at[1])], "joins": list(r.joins)} for r in room.risers],
        "devices": [
            {
                "names": d.name,
                "model": room.models[d.model].id,
                "rack": room.racks[d.rack].name,
                "u": str(d.u),
                "mount": d.mount,
            }
            for d in room.devices
        ],
    }
    if room.links:
        links = [{"a": ":".join(link.a), "z": ":".join(link.z), "tier": link.tier} for link in room.links]
        text["fabrics"] = [{"name": "compute", "protocol": "infiniband", "rate": "ndr", "links": links}]
        text["catalogs"] = ["parts"]
        text["policy"] = room.policy
    return text


def write_project(room: RoomOf, folder: Path, change: Callable[[dict[str, Any]], None] = lambda _: None) -> Path:
    """The room as a project of files, its rack and tray types in a catalog of its own."""
    text = project_text(room)
    change(text)
    (folder / "project.yaml").write_text(json.dumps(text), encoding="utf-8")
    entries = [("racks", _rack_text(kind)) for kind in room.kinds]
    entries += [("pathways", _pathway_text(wall)) for wall in sorted({run.wall for run in room.runs})]
    entries += [("devices", _model_text(model)) for model in room.models if model.cages]
    for shelf, entry in entries:
        path = folder / "parts" / shelf / f"{entry['id']}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(entry), encoding="utf-8")
    return folder


def layout_in(room: RoomOf, folder: Path) -> tuple[Layout, Project]:
    """The planner's layout of a room, read from a file in `folder`."""
    (folder / "project.yaml").write_text(json.dumps(project_text(replace(room, links=()))), encoding="utf-8")
    source = read_project(folder)
    assert source.root is not None
    form = validated(Project, source.root)
    assert form.model is not None, form.faults
    catalog = Catalog(
        devices={m.id: Device.model_validate(_model_text(m)) for m in room.models},
        racks={k.id: RackType.model_validate(_rack_text(k)) for k in room.kinds},
        pathways={f"tray-{r.wall}": PathwayType.model_validate(_pathway_text(r.wall)) for r in room.runs},
    )
    layout, faults = layout_of(form.model, form.root, catalog, frozenset(), source.files)
    assert not faults, faults
    return layout, form.model


def measure_of(
    room: RoomOf,
    pairs: list[tuple[tuple[int, int], tuple[int, int]]],
    folder: Path,
    rules_of: Callable[[Layout], RouteRules] | None = None,
) -> Measure:
    """The planner's lengths of links between cages given as (device, cage). rules_of: what their routes are held to."""
    layout, project = layout_in(room, folder)
    ends = np.array(pairs, np.int64).reshape(-1, 2, 2)
    a = places_of(ends[:, 0, 0], ends[:, 0, 1], layout)
    z = places_of(ends[:, 1, 0], ends[:, 1, 1], layout)
    slack, none = SlackOfLinks.alike(project.policy, len(ends)), np.full(len(ends), -1, np.int64)
    return Measure(layout, a, z, slack, none, rules=rules_of(layout) if rules_of else None)


# --- rooms drawn by hypothesis --------------------------------------------------------------------------------------


def _signed(draw: st.DrawFn, low: int, high: int, step: int) -> int:
    return draw(st.integers(low // step, high // step)) * step


@st.composite
def rack_kinds(draw: st.DrawFn, number: int, *, whole: bool = False) -> RackKind:
    """whole: every height and depth in whole millimetres, so that the rounding of terms never shows."""
    depth, height = _signed(draw, 1000 * MM, 1200 * MM, 100 * MM), 2200 * MM
    sides = draw(st.sampled_from([(-1, 1), (-1, 1), (-1, 1), (1,), (-1,)]))
    zones = draw(st.sampled_from([("rear",), ("rear",), ("front",), ("front", "rear")]))
    across, inset = _signed(draw, 200 * MM, 280 * MM, 10 * MM), _signed(draw, 60 * MM, 160 * MM, 20 * MM)
    managers = [ManagerOf(s * across, inset if zone == "front" else depth - inset) for s in sides for zone in zones]
    levels = draw(st.sampled_from([("top",), ("top",), ("bottom",), ("top", "bottom")]))
    exits = []
    for level in levels:
        for m, manager in enumerate(managers):
            # A second manager of a side may do without an exit; a side always has one.
            if zones[m % len(zones)] != zones[0] and draw(st.integers(0, 2)) == 0:
                continue
            shift = _signed(draw, -30 * MM, 30 * MM, 10 * MM)
            exits.append(ExitOf(f"{level}-{m}", manager.x + shift, manager.depth, height if level == "top" else 0))
    crossings = draw(st.lists(st.tuples(st.integers(0, depth // 50_000), st.integers(4, 40)), max_size=2))
    return RackKind(
        id=f"kind-{number}", width=600 * MM, depth=depth, height=height, units=40, u1=_signed(draw, 60 * MM, 90 * MM, 5 * MM),
        pitch=48 * MM if whole else draw(st.sampled_from([44_450, 44_450, 48 * MM])), from_top=draw(st.booleans()),
        front_rail=150 * MM, rear_rail=depth - 310 * MM, managers=tuple(managers), exits=tuple(exits),
        crossings=tuple((y * 50 * MM, z * 50 * MM) for y, z in crossings),
        bay_max=draw(st.sampled_from([0, 0, 1, 2])), reach=draw(st.sampled_from([300, 600, 900, 1500, 2500])) * MM,
    )  # fmt: skip


GRID = 500 * MM
_FRONTS = st.sampled_from(["south", "north", "east", "west"])


@st.composite
def runs(draw: st.DrawFn, number: int, *, square: bool = False) -> Run:
    """A pathway on a coarse grid, so that crossings, touches and overlaps are common; sometimes a little beside it."""
    x, y = draw(st.integers(0, 16)), draw(st.integers(0, 12))
    points = [(x, y)]
    for _ in range(draw(st.integers(1, 4))):
        if square or draw(st.integers(0, 3)):
            length = draw(st.integers(-12, 12))
            x, y = (x + length, y) if draw(st.booleans()) else (x, y + length)
        else:
            x, y = draw(st.integers(0, 16)), draw(st.integers(0, 12))
        points.append((x, y))
    if len(set(points)) == 1:
        points.append((x + 2, y))
    beside = draw(st.sampled_from([0, 0, 0, 0, 0, 2 * MM, 10 * MM, 250 * MM]))
    height = draw(st.sampled_from([2400, 2400, 2400, 2700, -400])) * MM
    heights: tuple[int, ...] = ()
    if draw(st.integers(0, 3)) == 0:
        # Slopes and upright pieces between the heights of the others, so that they meet some of them.
        levels = [draw(st.sampled_from([2400, 2700, -400])) * MM for _ in points]
        if not square and draw(st.booleans()):
            spot = draw(st.integers(0, len(points) - 1))
            points.insert(spot, points[spot])
            levels.insert(spot, draw(st.sampled_from([2400, 2700, -400])) * MM)
        corners = [(*points[0], levels[0])]
        corners += [(*p, z) for p, z in zip(points[1:], levels[1:], strict=True)]
        if len(set(corners)) > 1:
            heights = tuple(levels)
        else:
            points = [points[0], (points[0][0] + 2, points[0][1])]
    return Run(
        name=f"run-{number}",
        points=tuple((px * GRID + beside, py * GRID + beside) for px, py in points),
        height=height,
        heights=heights,
        wall=draw(st.sampled_from([0, 60, 100])) * MM,
        entry=draw(st.sampled_from(["side", "side", "bottom", "end"])),
        carries=draw(st.sampled_from([("copper", "fibre"), ("copper", "fibre"), ("copper",), ("fibre",)])),
    )


@st.composite
def riser_list(draw: st.DrawFn, of: tuple[Run, ...]) -> tuple[RiserAt, ...]:
    found = []
    for number in range(draw(st.integers(0, 2))):
        first = draw(st.sampled_from(of))
        at = draw(st.sampled_from(first.points))
        others = draw(st.lists(st.sampled_from(of), unique=True, max_size=3))
        joins = tuple(dict.fromkeys([first.name, *(run.name for run in others)]))
        found.append(RiserAt(f"riser-{number}", at, joins))
    return tuple(found)


@st.composite
def rooms(draw: st.DrawFn, *, square: bool = False, whole: bool = False) -> RoomOf:
    """square: pathways along the axes only. whole: whole millimetres everywhere."""
    kinds = tuple(draw(rack_kinds(n, whole=whole)) for n in range(draw(st.integers(1, 2))))
    racks: list[RackAt] = []
    for _ in range(draw(st.integers(1, 3))):
        kind, front = draw(st.integers(0, len(kinds) - 1)), draw(_FRONTS)
        x, y = draw(st.integers(0, 30)) * 250 * MM, draw(st.integers(0, 20)) * 250 * MM
        for place in range(draw(st.integers(1, 3))):
            racks.append(RackAt(f"r{len(racks):02d}", kind, x + place * 600 * MM, y, front))
    laid = tuple(draw(runs(n, square=square)) for n in range(draw(st.integers(1, 6))))
    risers = draw(riser_list(laid))
    models = []
    for number in range(draw(st.integers(1, 2))):
        width = _signed(draw, 400 * MM, 480 * MM, 10 * MM)
        cages = draw(st.lists(st.tuples(st.integers(1, width // MM - 1), st.integers(5, 40)), min_size=1, max_size=3))
        points = tuple((x * MM, z * MM) for x, z in cages)
        models.append(
            Model(
                f"model-{number}",
                width,
                _signed(draw, 400 * MM, 800 * MM, 10 * MM),
                draw(st.sampled_from(["front", "rear"])),
                points,
            )
        )
    devices = tuple(
        DeviceAt(
            f"d{number:02d}",
            draw(st.integers(0, len(models) - 1)),
            rack,
            draw(st.integers(1, 40)),
            draw(st.sampled_from(["front", "rear"])),
        )
        for number, rack in enumerate([r for r in range(len(racks)) for _ in range(draw(st.integers(1, 2)))])
    )
    return RoomOf(kinds, tuple(racks), laid, risers, tuple(models), devices)


# --- the same room, otherwise written -------------------------------------------------------------------------------

_TURNED = {"south": "east", "east": "north", "north": "west", "west": "south"}


def moved(room: RoomOf, dx: int, dy: int) -> RoomOf:
    def shifted(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((x + dx, y + dy) for x, y in points)

    return replace(
        room,
        racks=tuple(replace(r, west=r.west + dx, south=r.south + dy) for r in room.racks),
        runs=tuple(replace(r, points=shifted(r.points)) for r in room.runs),
        risers=tuple(replace(r, at=shifted((r.at,))[0]) for r in room.risers),
        outline=shifted(room.outline),
    )


def turned(room: RoomOf) -> RoomOf:
    """A quarter turn to the left: (x, y) goes to (-y, x)."""

    def rack(r: RackAt) -> RackAt:
        kind = room.kinds[r.kind]
        height = kind.depth if r.front in ("north", "south") else kind.width
        return replace(r, west=-(r.south + height), south=r.west, front=_TURNED[r.front])

    def around(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((-y, x) for x, y in points)

    return replace(
        room,
        racks=tuple(rack(r) for r in room.racks),
        runs=tuple(replace(r, points=around(r.points)) for r in room.runs),
        risers=tuple(replace(r, at=around((r.at,))[0]) for r in room.risers),
        outline=around(room.outline),
    )


def mirrored(room: RoomOf) -> RoomOf:
    """The room as a mirror shows it: (x, y) goes to (-x, y), right managers and cages become left ones."""

    def kind(k: RackKind) -> RackKind:
        return replace(
            k,
            managers=tuple(replace(m, x=-m.x) for m in k.managers),
            exits=tuple(replace(e, x=-e.x) for e in k.exits),
        )

    def rack(r: RackAt) -> RackAt:
        k = room.kinds[r.kind]
        wide = k.width if r.front in ("north", "south") else k.depth
        front = {"east": "west", "west": "east"}.get(r.front, r.front)
        return replace(r, west=-(r.west + wide), front=front)

    def across(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((-x, y) for x, y in points)

    return replace(
        room,
        kinds=tuple(map(kind, room.kinds)),
        racks=tuple(map(rack, room.racks)),
        runs=tuple(replace(r, points=across(r.points)) for r in room.runs),
        risers=tuple(replace(r, at=across((r.at,))[0]) for r in room.risers),
        models=tuple(replace(m, cages=tuple((m.width - x, z) for x, z in m.cages)) for m in room.models),
        outline=across(room.outline),
    )
