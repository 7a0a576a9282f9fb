"""NetBox device types as catalog entries: what is taken, what is assumed and said so, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner.catalog.devices import Device
from planner.catalog.plugs import HeatSink
from planner.cli import main
from planner.importers.netbox import Imported, device_entry
from planner.importers.netbox_types import CAGE_TYPES
from planner.names import expand_hostlist, hostlist_of
from planner.reader import YamlMap, load_yaml
from tests.support.projects import compiled, errors

LEAF = """---
manufacturer: Example
model: LEAF-32
slug: example_leaf-32
part_number: EX-LEAF-32-F
u_height: 1
is_full_depth: true
airflow: front-to-rear
weight: 24.4
weight_unit: lb
comments: '[sheet](https://example.com)'
console-ports: [{name: Console, type: rj-45}]
power-ports: [{name: PSU1, type: iec-60320-c14}, {name: PSU2, type: iec-60320-c14}]
module-bays: [{name: Fan 0, position: '0'}]
interfaces:
"""
LEAF += "".join(f"  - {{name: Ethernet{number}/1, type: 800gbase-x-osfp}}\n" for number in range(1, 33))
LEAF += """  - {name: Ethernet33, type: 10gbase-x-sfpp}
  - {name: Ethernet34, type: 10gbase-x-sfpp}
  - {name: Management1, type: 1000base-t, mgmt_only: true}
"""

PROJECT = """format: planner/1
name: imported
room: {outline_m: [[0, 0], [6, 0], [6, 5], [0, 5]], ceiling_m: 3.5}
racks: [{row: A, names: A01, type: rack-48u-600x1200, at_m: [2, 2], along: east, front: south}]
devices:
  - {names: "leaf-[1-2]", model: EX-LEAF-32-F, rack: A01, u: [40, 44], mount: front}
fabrics:
  - name: compute
    protocol: ethernet
    rate: 800g
    links: [{a: "leaf-1:Ethernet5/1", z: "leaf-2:Ethernet5/1", tier: peer}]
catalogs: [mine]
"""


def tree_of(text: str) -> YamlMap:
    tree, faults = load_yaml(text.encode(), 0)
    assert faults == []
    assert isinstance(tree, YamlMap)
    return tree


def converted(text: str) -> tuple[Imported, Device]:
    made = device_entry(tree_of(text), "type.yaml")
    assert isinstance(made, Imported)
    return made, Device.model_validate(tree_of(made.text))


def device_type(*interfaces: str, **changes: str) -> str:
    keys = {
        "manufacturer": "Example",
        "model": "X-1",
        "slug": "x-1",
        "u_height": "1",
        "is_full_depth": "false",
    } | changes
    lines = [f"{key}: {value}" for key, value in keys.items()]
    lines += ["interfaces:", *(f"  - {item}" for item in interfaces)] if interfaces else []
    return "\n".join(lines) + "\n"


def test_a_switch_is_taken_over_and_every_assumption_is_told() -> None:
    made, device = converted(LEAF)
    assert (made.id, device.id, device.kind) == ("example-leaf-32", "example-leaf-32", "switch")
    assert [(group.names, group.form_factor, group.lanes, group.rates) for group in device.cages] == [
        ("Ethernet[1-32]/1", "osfp", 8, ["800g"]),
        ("Ethernet[33-34]", "sfp-plus", 1, ["10g-1x10"]),
        ("Management1", "rj45", 1, ["1g"]),
    ]
    assert device.cages[0].heat_sink is HeatSink.FINNED
    assert [(m.part, m.airflow) for m in device.members] == [("EX-LEAF-32-F", "port-intake")]
    assert (device.height_u.value, device.height_u.evidence) == (1, "secondary")
    assert device.weight_kg is not None
    assert (device.weight_kg.value, device.weight_kg.note) == (11_068, "24.4 lb")  # grams: 24.4 x 453.59237
    assert (device.width_mm.value, device.depth_mm.value) == (None, None)
    assert {group.evidence for group in device.cages} == {"unverified"}
    assert all(group.max_power_w.value is None for group in device.cages)
    assert made.assumed == (
        "the kind is `switch`, for its 34 data ports; NetBox does not say",
        "the airflow is `port-intake`: NetBox says front-to-rear, and the ports are at the front",
        "Ethernet[1-32]/1: the plugs are finned; NetBox does not tell finned from flat OSFP here",
        "Ethernet[1-32]/1: 8 lanes of 100G; NetBox does not say how many lanes",
        "all cages are on the front, and each interface is a cage of one port",
    )
    assert made.left_out == ("1 module bay (`Fan 0`)", "1 console port", "2 power ports")
    for text in made.assumed:
        assert f"# assumed: {text}\n" in made.text


@pytest.mark.parametrize("type_", sorted(CAGE_TYPES))
def test_lanes_of_a_cage_type_are_those_of_its_rate(type_: str) -> None:
    from planner.catalog.load import load_catalog
    from planner.data import catalogs_folder
    from planner.reader import Sources

    cage = CAGE_TYPES[type_]
    rate = load_catalog(Sources(Path()), catalogs_folder()).rates[cage.rate]
    assert (cage.lanes, cage.lane_rate_gbps, cage.modulation, cage.protocol) == (
        rate.lanes, rate.lane_rate_gbps, rate.modulation, rate.protocol,
    )  # fmt: skip
    _, device = converted(device_type(f"{{name: P1, type: {type_}}}"))
    assert device.cages[0].rates == [cage.rate]


@pytest.mark.parametrize(
    ("height", "value", "evidence", "words"),
    [
        ("2", 2, "secondary", ""),
        ("2.0", 2, "secondary", ""),
        ("0.5", 1, "unverified", "the height is 1U, rounded up from 0.5U: place it with `half`"),
        ("1.5", 2, "unverified", "the height is 2U, rounded up from 1.5U: a height is whole units"),
        ("0", 0, "secondary", ""),
    ],
)
def test_heights_that_are_no_whole_units_are_told(height: str, value: int, evidence: str, words: str) -> None:
    made, device = converted(device_type(u_height=height))
    assert (device.height_u.value, device.height_u.evidence) == (value, evidence)
    assert words in ("", *made.assumed, *made.left_out)


@pytest.mark.parametrize(
    ("text", "words"), [("yes", "full depth"), ("No", "not of full depth"), ("true", "full depth")]
)
def test_yes_and_no_are_read_as_netbox_reads_them(text: str, words: str) -> None:
    _, device = converted(device_type(is_full_depth=text))
    assert device.depth_mm.note == f"NetBox says {words}, no figure"


@pytest.mark.parametrize(
    ("airflow", "held"),
    [("front-to-rear", "port-intake"), ("rear-to-front", "port-exhaust"), ("left-to-right", None), ("passive", None)],
)
def test_only_air_along_the_device_can_be_held(airflow: str, held: str | None) -> None:
    made, device = converted(device_type(airflow=airflow))
    assert device.members[0].airflow == held
    assert held or f"the airflow `{airflow}`, which the catalog cannot say" in made.left_out


def test_what_is_no_cage_or_no_name_is_left_out_and_told() -> None:
    made, device = converted(
        device_type(
            "{name: Vlan1, type: virtual}",
            "{name: Q1, type: 40gbase-x-qsfpp}",
            "{name: Q2, type: 40gbase-x-qsfpp}",
            "{name: 'et-0/0/0:1', type: 100gbase-x-qsfp28}",
            "{name: P1, type: 400gbase-x-osfp-rhs}",
            "{name: p1, type: 400gbase-x-osfp-rhs}",
        )
    )
    assert [(group.names, group.heat_sink) for group in device.cages] == [("P1", "flat")]
    assert made.left_out == (
        "interface `et-0/0/0:1`: it contains `:`, which separates names elsewhere",
        "interface `p1`: its name is taken, without regard to case",
        "1 interface of type `virtual`, which has no cage",
        "2 interfaces of type `40gbase-x-qsfpp`, for which the catalog has no cage or no rate",
    )


def test_names_in_pairs_are_pointed_out_but_not_joined() -> None:
    interfaces = [f"{{name: sw{cage}p{port}, type: infiniband-xdr}}" for cage in (1, 2, 3) for port in (1, 2)]
    made, device = converted(device_type(*interfaces))
    assert [(group.names, group.port_names) for group in device.cages] == [("sw[1-3]p[1-2]", ["{cage}"])]
    assert any("sw[1-3]p[1-2]: these names come in pairs" in text for text in made.assumed)


def test_a_device_without_interfaces_has_no_cages() -> None:
    made, device = converted(device_type())
    assert (device.cages, device.kind) == ([], "other")
    assert "the number to order is the model, `X-1`" in made.assumed


@pytest.mark.parametrize("text", ["NO", "0123", "1e3", "a: b", "#1", "- x", "null", "x{y}", 'with "quotes"', "ü 2"])
def test_texts_of_any_kind_come_back_as_they_were(text: str) -> None:
    quoted = "'" + text + "'"
    _, device = converted(device_type("{name: P1, type: 1000base-t}", manufacturer=quoted, part_number=quoted))
    assert (device.manufacturer, device.members[0].part) == (text, text)


@pytest.mark.parametrize(
    "names",
    [
        [f"Ethernet{n}/1" for n in range(1, 65)],
        [f"sw{cage}p{port}" for cage in range(1, 73) for port in (1, 2)],
        [f"Ethernet{8 * n}" for n in range(16)],
        ["p08", "p09", "p10", "p11", "x1"],
        ["9", "10", "011", "1"],
        ["P0.0", "P0.1", "P1.0", "P2.1"],
        ["eth0"],
    ],
)
def test_a_hostlist_says_the_same_names(names: list[str]) -> None:
    assert expand_hostlist(hostlist_of(names)) == names


@pytest.mark.parametrize(
    "line",
    [
        "interfaces: {a: b}",
        "interfaces: [1]",
        "interfaces: [{name: null, type: 1000base-t}]",
        "interfaces: [{name: a, type: [x]}]",
        "airflow: [x]",
        "weight: 1e9",
        "weight: -1",
        "module-bays: [{position: '1'}]",
    ],
)
def test_what_cannot_be_understood_is_a_fault_and_no_entry(line: str) -> None:
    faults = device_entry(tree_of(device_type() + line + "\n"), "type.yaml")
    assert isinstance(faults, list)
    assert faults


@pytest.mark.parametrize("slug", ["'..'", "'../../x'", "'A_B'", "'-'", "'a.b'", "'CON/x'"])
def test_an_id_is_a_plain_file_name(slug: str) -> None:
    made, _ = converted(device_type(slug=slug))
    assert set(made.id) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert made.id.strip("-")


def test_a_part_and_an_id_of_the_shipped_catalog_are_pointed_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.yaml").write_text(device_type(slug="nvidia-sn5600", model="SN5600"), encoding="utf-8")
    (tmp_path / "b.yaml").write_text(device_type(slug="sn5600", model="other"), encoding="utf-8")
    assert main(["catalog", "import", "netbox", str(tmp_path), "--out", str(tmp_path / "out")]) == 0
    printed = capsys.readouterr().out
    assert "  the shipped catalog has `SN5600` too: `planner catalog show sn5600`\n" in printed
    assert "  the shipped catalog has the id `sn5600` too: in a project this entry takes its place\n" in printed


def test_a_folder_is_converted_and_what_cannot_be_is_one_line_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    types, out = tmp_path / "types", tmp_path / "mine"
    (types / "Example").mkdir(parents=True)
    (types / "Example" / "leaf.yaml").write_text(LEAF, encoding="utf-8")
    (types / "other.yml").write_text("kind: of another form\n", encoding="utf-8")
    (types / "same.yaml").write_text(LEAF, encoding="utf-8")
    (types / "wrong.yaml").write_text(device_type(u_height="tall", weight="heavy"), encoding="utf-8")
    arguments = ["catalog", "import", "netbox", str(types), "--out", str(out)]
    assert main(arguments) == 1
    printed = capsys.readouterr()
    assert "  assumed: Ethernet[1-32]/1: 8 lanes of 100G; NetBox does not say how many lanes\n" in printed.out
    assert printed.err.splitlines() == [
        "planner: other.yml:1:1: it is no NetBox device type: these have `manufacturer`, `model`, `slug` and `u_height`; not converted",
        "planner: same.yaml: `Example/leaf.yaml` has the same id, `example-leaf-32`; not converted",
        "planner: wrong.yaml:4:11: `u_height`: `tall` is not a number (and 1 more); not converted",
        "1 of 4 files converted",
    ]
    assert [path.name for path in out.rglob("*.yaml")] == ["example-leaf-32.yaml"]
    assert main(["catalog", "check", str(out)]) == 0

    (types / "broken.yaml").write_text("a: [\n", encoding="utf-8")
    assert main(arguments) == 2
    assert "planner: broken.yaml:2:1: " in capsys.readouterr().err


def test_an_existing_file_is_left_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "leaf.yaml").write_text(LEAF, encoding="utf-8")
    (tmp_path / "devices").mkdir()
    mine = tmp_path / "devices" / "example-leaf-32.yaml"
    mine.write_text("# by hand\n", encoding="utf-8")
    assert main(["catalog", "import", "netbox", str(tmp_path / "leaf.yaml"), "--out", str(tmp_path)]) == 2
    assert "exists and was left as it is" in capsys.readouterr().err
    assert mine.read_text(encoding="utf-8") == "# by hand\n"


def test_without_out_the_entry_itself_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "leaf.yaml").write_text(LEAF, encoding="utf-8")
    assert main(["catalog", "import", "netbox", str(tmp_path / "leaf.yaml")]) == 0
    printed = capsys.readouterr().out
    assert Device.model_validate(tree_of(printed)).id == "example-leaf-32"
    assert "# assumed: " in printed


def test_nothing_to_convert_is_bad_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog", "import", "netbox", str(tmp_path)]) == 2
    assert main(["catalog", "import", "netbox", str(tmp_path / "gone.yaml")]) == 2
    assert main(["catalog", "import", "netbox", str(tmp_path), "--out", str(Path(__file__))]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 3


def test_a_project_plans_with_what_was_imported(tmp_path: Path) -> None:
    (tmp_path / "leaf.yaml").write_text(LEAF, encoding="utf-8")
    assert main(["catalog", "import", "netbox", str(tmp_path / "leaf.yaml"), "--out", str(tmp_path / "mine")]) == 0
    result = compiled(tmp_path, PROJECT)
    assert [finding.message for finding in errors(result)] == []
    assert result.plan is not None
    assert {finding.rule for finding in result.findings} >= {"CAT003", "CAT004"}  # what is unknown is said in the plan
