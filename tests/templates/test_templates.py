"""Templates: every size plans without error, counts are those of the ports' arithmetic, and wrong sizes are refused."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from planner.cli.main import main
from planner.generators.radix import ThreeTiers
from planner.pipeline import Compiled, compile_project
from planner.plan import Plan
from planner.templates import TEMPLATES
from planner.templates.model import CannotLayOutError
from planner.templates.rail_pod import Pod
from planner.templates.superpod_h100 import DESIGN

SIZES: list[tuple[str, dict[str, int]]] = [
    *((name, {}) for name in TEMPLATES),
    ("superpod-h100", {"units": 2}),
    ("superpod-h100", {"units": 3, "nodes_per_rack": 2}),
    ("superpod-h100", {"units": 4, "nodes_per_rack": 1}),
    ("superpod-h100", {"units": 9}),
    ("superpod-h100", {"units": 64, "nodes_per_rack": 1}),
    ("superpod-h100", {"units": 2, "rooms": 2}),
    ("superpod-h100", {"units": 7, "rooms": 3, "nodes_per_rack": 2}),
    ("superpod-h100", {"units": 20, "rooms": 2}),
    ("ib-xdr-pod", {"units": 5, "rooms": 2}),
    ("roce-400g-qsfpdd", {"units": 8, "rooms": 8}),
    ("ib-xdr-pod", {"units": 2, "nodes_per_rack": 2}),
    ("ib-xdr-pod", {"units": 8}),
    ("roce-400g-qsfpdd", {"units": 8}),
    ("meta-ai-zone", {"racks": 2}),
    ("meta-ai-zone", {"racks": 192}),
    ("ib-hdr", {"racks": 2}),
    ("ib-hdr", {"racks": 40}),
]


def compiled(name: str, sizes: Mapping[str, int]) -> Compiled:
    return _compiled(name, tuple(sizes.items()))


@lru_cache(maxsize=8)  # tests of one size stand together
def _compiled(name: str, sizes: tuple[tuple[str, int], ...]) -> Compiled:
    options = [word for size, number in sizes for word in (f"--{size.replace('_', '-')}", str(number))]
    with TemporaryDirectory() as folder:
        assert main(["init", name, f"{folder}/project", *options]) == 0
        return compile_project(Path(folder) / "project")


@pytest.mark.parametrize(("name", "sizes"), SIZES, ids=lambda value: "-".join(map(str, value)) if value else "default")
def test_a_template_plans_without_error(name: str, sizes: dict[str, int]) -> None:
    made = compiled(name, sizes)
    assert [f"{f.rule} {f.message}" for f in made.findings if f.severity == "error"] == []
    assert made.plan is not None
    assert set(made.plan.links.status.tolist()) == {"resolved"}


def counted(plan: Plan) -> dict[str, int]:
    """Devices by what their name begins with, links by tier, GPUs by eights."""
    found: dict[str, int] = {}
    for device in plan.devices:
        role = device.name.rstrip("0123456789-")
        found[role] = found.get(role, 0) + 1
    for tier in plan.links.tier.tolist():
        found[tier] = found.get(tier, 0) + 1
    return found


@pytest.mark.parametrize(
    ("units", "expected"),
    [
        # RA-11333-001 V11, Table 4: leaves, spines, and links of compute and UFM, for 1 to 4 units.
        (1, {"dgx": 31, "leaf": 8, "spine": 4, "node-leaf": 248, "leaf-spine": 256}),
        (2, {"dgx": 63, "leaf": 16, "spine": 8, "node-leaf": 504, "leaf-spine": 512}),
        (3, {"dgx": 95, "leaf": 24, "spine": 16, "node-leaf": 760, "leaf-spine": 768}),
        (4, {"dgx": 127, "leaf": 32, "spine": 16, "node-leaf": 1016, "leaf-spine": 1024}),
        # Nine units are more than a spine has ports for: 72 leaves on 64. One pod: 8 rails x 16 spines, half of whose ports take
        # 2 links of 9 leaves each; 16 x 4 cores, each of 64 ports for 8 links of the 8 spines of one number.
        (9, {"dgx": 287, "leaf": 72, "spine": 128, "core": 64, "leaf-spine": 2304, "spine-core": 4096}),
    ],
)
def test_counts_of_a_superpod(units: int, expected: dict[str, int]) -> None:
    plan = compiled("superpod-h100", {"units": units}).plan
    assert plan is not None
    assert {key: value for key, value in counted(plan).items() if key in expected} == expected


def test_counts_of_an_xdr_unit() -> None:
    """72 nodes x 8 rails; a leaf of 144 ports has 72 up; 8 x 72 / 144 = 4 spines, 18 links a pair."""
    plan = compiled("ib-xdr-pod", {}).plan
    assert plan is not None
    assert counted(plan) == {"dgx": 72, "leaf": 8, "spine": 4, "node-leaf": 576, "leaf-spine": 576}


def test_counts_of_the_ai_zone() -> None:
    """Reference `meta-ai-zone-3072`: 192 racks x 2 servers x 8 = 3,072 GPUs; as many links of copper, and of fibre above."""
    plan = compiled("meta-ai-zone", {"racks": 192}).plan
    assert plan is not None
    found = counted(plan)
    assert (found["server"], found["rtsw"], found["ctsw"]) == (384, 192, 16)
    assert (found["node-leaf"], found["leaf-spine"]) == (3072, 3072)
    media = dict(zip(plan.links.tier.tolist(), plan.links.medium.tolist(), strict=True))
    assert media == {"node-leaf": "dac", "leaf-spine": "optic"}
    fibre = {plan.parts[part].family for part in plan.cables.part.tolist() if plan.parts[part].category == "cord"}
    assert fibre == {"generic-mpo-12-apc-os2-type-b"}


@pytest.mark.parametrize(
    ("units", "sizes", "by_rail"),
    [
        # 24,576 GPUs: 6 pods x 8 rails x 16 spines; 16 x 32 cores, each of 64 ports for the 48 spines of one number.
        (96, ThreeTiers(16, 768, 512), False),
        # 65,536 GPUs, every port used. Of pods of 16 units 128 spines have one number, more than a core has ports. So pods of
        # 32, one link a pair: 8 x 8 groups of 32 spines, 32 core groups of 32.
        (256, ThreeTiers(32, 2048, 1024), False),
        # 100,096 GPUs: 25 pods x 8 x 16 spines; 8 x 16 groups of 16 cores (8 have 512 ports, 25 x 32 = 800 are needed).
        (391, ThreeTiers(16, 3200, 2048), True),
    ],
)
def test_large_superpods_by_the_arithmetic_of_ports(units: int, sizes: ThreeTiers, by_rail: bool) -> None:
    pod = Pod(DESIGN, units, 4)
    assert pod.tiers == sizes
    assert any("core_group: rail" in line for line in pod.generate_lines()) == by_rail


@pytest.mark.parametrize(("units", "rooms", "divided"), [(4, 2, [2, 2]), (7, 3, [3, 2, 2]), (5, 4, [2, 1, 1, 1])])
def test_rooms_divide_the_units_and_only_trays_pass_between(units: int, rooms: int, divided: list[int]) -> None:
    plan = compiled("superpod-h100", {"units": units, "rooms": rooms}).plan
    alone = compiled("superpod-h100", {"units": units}).plan
    assert plan is not None
    assert alone is not None
    assert counted(plan) == counted(alone)
    walls: dict[str, list[int]] = {}
    for point in plan.room:
        if point.kind == "outline":
            walls.setdefault(point.name, []).append(point.y_um)
    room_of = {
        rack.name: next(n for n, ys in enumerate(walls.values()) if min(ys) <= rack.south_um < max(ys))
        for rack in plan.racks
    }
    by_room: list[set[int]] = [set() for _ in range(rooms)]
    shared = set()
    for device in plan.devices:
        role, _, number = device.name.partition("-")
        room = room_of[plan.racks[device.rack].name]
        if role == "dgx":
            by_room[room].add((int(number) - 1) // 32)
        elif role == "spine":
            shared.add(room)
    assert [len(found) for found in by_room] == divided
    assert shared == {(rooms - 1) // 2}


def test_a_size_that_ports_do_not_reach_is_refused_with_the_arithmetic() -> None:
    with pytest.raises(CannotLayOutError, match=r"16392 leaves x 32 uplinks need 524,544 ports above"):
        _ = Pod(DESIGN, 2049, 4).tiers


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["superpod-h100", "DIR", "--units", "0"], "`--units 0`: `superpod-h100` takes 1 to 400"),
        (["superpod-h100", "DIR", "--units", "401"], "`--units 401`: `superpod-h100` takes 1 to 400"),
        (["superpod-h100", "DIR", "--rooms", "2"], "2 rooms need as many units or more, and there is one"),
        (["ib-xdr-pod", "DIR", "--units", "4", "--rooms", "5"], "5 rooms need as many units or more, and there are 4"),
        (["ib-hdr", "DIR", "--rooms", "2"], "`ib-hdr` has no `--rooms`; it takes `--racks`"),
        (["superpod-h100", "DIR", "--nodes-per-rack", "3"], "`--nodes-per-rack 3`: `superpod-h100` takes 1, 2 or 4"),
        (["torus-64", "DIR", "--units", "2"], "`torus-64` has no `--units`; it takes no figures"),
        (["meta-ai-zone", "DIR", "--units", "2"], "`meta-ai-zone` has no `--units`; it takes `--racks`"),
        (["two-racks", "DIR", "--units", "2"], "`two-racks` is of one size; it takes no `--units`"),
        (["superpod", "DIR"], "did you mean `superpod-h100`?"),
        (["superpod-h100"], "name the folder to write into: `planner init superpod-h100 DIR`"),
    ],
)
def test_wrong_sizes_are_refused(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "new"
    assert main(["init", *(str(target) if word == "DIR" else word for word in arguments)]) == 2
    assert message in capsys.readouterr().err
    assert not target.exists()


def test_init_alone_lists_the_templates_and_what_they_take(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init"]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in ("two-racks", *TEMPLATES))
    assert "--units 1 to 400 (default: 1): scalable units of 32 nodes" in printed
