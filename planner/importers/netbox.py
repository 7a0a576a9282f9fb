"""NetBox device types (the form of the public devicetype-library) as device entries of a catalog.

NetBox documents what a network sees; a cabling plan also needs what a hand meets. What NetBox states is taken over as
`secondary`, what it leaves open is null, and where the planner cannot do without an answer the answer is an assumption:
`unverified` in the entry, and listed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal
from itertools import groupby
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from planner.findings import Fault
from planner.importers.entry_text import comment, flow, flow_list, scalar
from planner.importers.netbox_types import CAGE_TYPES, NO_CAGE, CageType
from planner.names import counted, fault_of_name, fold, hostlist_of, quoted_list
from planner.reader import YamlMap
from planner.schema_types import Flag, Text
from planner.units import UnitError, number
from planner.validation import validated

SWITCH_PORTS: Final = 8
"""A device with at least so many data ports is taken for a switch."""

_AIRFLOW: Final = {"front-to-rear": "port-intake", "rear-to-front": "port-exhaust"}
_KG: Final = {"kg": Decimal(1), "g": Decimal("0.001"), "lb": Decimal("0.45359237"), "oz": Decimal("0.028349523125")}
_PAIRED: Final = re.compile(r"\[\d+-\d+\][^\[]*\[(\d+)-(\d+)\]$")


def _decimal(value: Any) -> Decimal:
    if not isinstance(value, str):
        raise ValueError("a number is wanted here")  # noqa: TRY004 - pydantic turns only ValueError into an error
    try:
        exact = number(value)
    except UnitError as error:
        raise ValueError(str(error)) from error
    if not 0 <= exact <= 10_000_000:  # grams of ten tonnes
        raise ValueError(f"`{value}` is not between 0 and 10,000,000")
    return exact


_YAML_1_1: Final = {"yes": "true", "on": "true", "no": "false", "off": "false"}


def _as_netbox_reads(value: Any) -> Any:
    """NetBox reads YAML 1.1, where `yes` is true."""
    return _YAML_1_1.get(value.casefold(), value) if isinstance(value, str) else value


_Number = Annotated[Decimal, BeforeValidator(_decimal)]
_YesNo = Annotated[Flag, BeforeValidator(_as_netbox_reads)]


class _Part(BaseModel):
    """Base of what is read of NetBox's form; its many other keys are of no interest here."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class _Named(_Part):
    name: Text


class _Interface(_Named):
    type: Text
    mgmt_only: _YesNo = False


class _DeviceType(_Part):
    manufacturer: Text
    model: Text
    slug: Text | None = None
    part_number: Text | None = None
    u_height: _Number | None = None
    is_full_depth: _YesNo | None = None
    airflow: Text | None = None
    weight: _Number | None = None
    weight_unit: Text | None = None
    subdevice_role: Text | None = None
    interfaces: list[_Interface] | None = None
    module_bays: list[_Named] | None = Field(default=None, alias="module-bays")
    device_bays: list[_Named] | None = Field(default=None, alias="device-bays")
    console_ports: list[_Named] | None = Field(default=None, alias="console-ports")
    console_server_ports: list[_Named] | None = Field(default=None, alias="console-server-ports")
    power_ports: list[_Named] | None = Field(default=None, alias="power-ports")
    power_outlets: list[_Named] | None = Field(default=None, alias="power-outlets")
    front_ports: list[_Named] | None = Field(default=None, alias="front-ports")
    rear_ports: list[_Named] | None = Field(default=None, alias="rear-ports")
    inventory_items: list[_Named] | None = Field(default=None, alias="inventory-items")


@dataclass(frozen=True, slots=True)
class Imported:
    """An entry as text, and what a person must know of how it came about, in words.

    part: the member's number. assumed: what stands in the entry without anybody having said it. unknown: figures that
    stay null. left_out: what NetBox states and the entry does not hold.
    """

    id: str
    part: str
    description: str
    assumed: tuple[str, ...]
    unknown: tuple[str, ...]
    left_out: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class _Group:
    names: str
    count: int
    type: str
    cage: CageType


def device_entry(tree: YamlMap, file: str) -> Imported | list[Fault]:
    """The catalog entry of a device type, or what is wrong with its file.

    file: its name as the entry's source shall give it.
    """
    if not (tree.get("manufacturer") and tree.get("model")) or not {"slug", "u_height"} & tree.keys():
        message = "it is no NetBox device type: these have `manufacturer`, `model`, `slug` and `u_height`"
        return [Fault("missing-key", message, tree.spot)]
    checked = validated(_DeviceType, tree)
    if checked.model is None or checked.faults:
        return checked.faults
    return _Converted(checked.model, file).entry()


class _Converted:
    """One device type on its way; the lists gather what is said about it."""

    def __init__(self, device: _DeviceType, file: str) -> None:
        self.device, self.file = device, file
        self.data_ports = sum(1 for i in device.interfaces or () if i.type in CAGE_TYPES and not i.mgmt_only)
        self.kind = "switch" if self.data_ports >= SWITCH_PORTS else "other"
        self.assumed: list[str] = []
        self.unknown: list[str] = []
        self.left_out: list[str] = []

    def entry(self) -> Imported:
        device = self.device
        groups = self.groups()
        said = f"the kind is `{self.kind}`, for its {counted(self.data_ports, 'data port')}; NetBox does not say"
        self.assumed.insert(0, said)
        id_ = _slug(device.slug or f"{device.manufacturer}-{device.model}")
        part = _line(device.part_number or "") or _line(device.model)
        if not device.part_number:
            self.assumed.append(f"the number to order is the model, `{part}`")
        cages = Counter[str]()
        for group in groups:
            cages[group.type] += group.count
        held = ", ".join(f"{count} x {type_}" for type_, count in cages.items()) or "no cages"
        description = f"{_line(device.manufacturer)} {_line(device.model)}: {held}"
        figures = [*self.height(), *self.size(), *self.weight()]
        member = self.member(part)
        cage_lines = [line for group in groups for line in self.cage(group)]
        self.rest(groups)
        lines = [
            f"id: {id_}",
            f"kind: {self.kind} # assumed",
            f"manufacturer: {scalar(_line(device.manufacturer))}",
            f"description: {scalar(description)}",
            "sources:",
            f"  netbox: {scalar(f'NetBox device type {id_}, file {self.file}')}",
            '  not-stated: "not in the NetBox device type"',
            "lifecycle: {value: unknown, source: not-stated, evidence: unverified}",
            "members:",
            member,
            *figures,
            "cages:" if groups else "cages: []",
            *cage_lines,
        ]
        head = [comment(f"Made by `planner catalog import netbox` from {self.file}; check what is assumed, fill in what is unknown.")]  # fmt: skip
        head += [comment(f"assumed: {text}") for text in self.assumed]
        head += [comment(f"unknown: {', '.join(self.unknown)}")]
        head += [comment(f"left out: {text}") for text in self.left_out]
        return Imported(
            id_, part, description, tuple(self.assumed), tuple(self.unknown), tuple(self.left_out),
            "\n".join([*head, *lines]) + "\n",
        )  # fmt: skip

    def groups(self) -> list[_Group]:
        """Consecutive interfaces of one type and use as one group; what is no cage of ours is told."""
        taken: list[_Interface] = []
        seen: set[str] = set()
        strange: Counter[str] = Counter()
        for interface in self.device.interfaces or ():
            if interface.type not in CAGE_TYPES:
                strange[interface.type] += 1
            elif fault := fault_of_name(interface.name):
                self.left_out.append(f"interface `{interface.name}`: {fault}")
            elif fold(interface.name) in seen:
                self.left_out.append(f"interface `{interface.name}`: its name is taken, without regard to case")
            else:
                seen.add(fold(interface.name))
                taken.append(interface)
        for type_, count in strange.items():
            why = "which has no cage" if type_ in NO_CAGE else "for which the catalog has no cage or no rate"
            self.left_out.append(f"{counted(count, 'interface')} of type `{_line(type_)}`, {why}")
        found = []
        for (type_, _), run in groupby(taken, key=lambda i: (i.type, i.mgmt_only)):
            names = [interface.name for interface in run]
            found.append(_Group(hostlist_of(names), len(names), type_, CAGE_TYPES[type_]))
        return found

    def height(self) -> Iterator[str]:
        stated = self.device.u_height
        if stated is None:
            self.unknown.append("height_u")
            yield f"height_u: {flow({'value': None, 'source': 'not-stated', 'note': 'not stated'})}"
            return
        whole = stated.to_integral_value(ROUND_CEILING)
        if whole == stated:
            figure: dict[str, str | Decimal] = {"value": whole, "source": "netbox", "evidence": "secondary"}
            if not whole:
                figure["note"] = "it takes no slot: place it with at_mm"
            yield f"height_u: {flow(figure)}"
            return
        how = "place it with `half`" if stated < 1 else "a height is whole units"
        self.assumed.append(f"the height is {whole}U, rounded up from {stated.normalize():f}U: {how}")
        note = f"NetBox says {stated.normalize():f}; {how}"
        yield f"height_u: {flow({'value': whole, 'source': 'netbox', 'evidence': 'unverified', 'note': note})}"

    def size(self) -> Iterator[str]:
        full = self.device.is_full_depth
        depth: dict[str, str | None] = {"value": None, "source": "not-stated"}
        if full is not None:
            depth["note"] = f"NetBox says {'full depth' if full else 'not of full depth'}, no figure"
        self.unknown += ["width_mm", "depth_mm"]
        yield "width_mm: {value: null, source: not-stated}"
        yield f"depth_mm: {flow(depth)}"

    def weight(self) -> Iterator[str]:
        weight, unit = self.device.weight, self.device.weight_unit
        if weight is None:
            self.unknown.append("weight_kg")
            return
        if unit not in _KG:
            self.left_out.append(f"the weight, whose unit is {f'`{unit}`' if unit else 'not stated'}")
            return
        kg = (weight * _KG[unit]).quantize(Decimal("0.001"), ROUND_HALF_UP)
        figure: dict[str, str | Decimal] = {"value": kg, "source": "netbox", "evidence": "secondary"}
        if unit != "kg":
            figure["note"] = f"{weight.normalize():f} {unit}"
        yield f"weight_kg: {flow(figure)}"

    def member(self, part: str) -> str:
        stated = self.device.airflow
        member: dict[str, str | None] = {"part": part, "order_number": None}
        said = f"airflow: NetBox says {_line(stated)}" if stated else "airflow: not stated"
        if stated in _AIRFLOW:
            member["airflow"] = _AIRFLOW[stated]
            self.assumed.append(
                f"the airflow is `{_AIRFLOW[stated]}`: NetBox says {stated}, and the ports are at the front"
            )
            said += ", and the ports are assumed at the front"
        elif stated:
            self.left_out.append(f"the airflow `{_line(stated)}`, which the catalog cannot say")
        else:
            self.unknown.append("airflow")
        return f"  - {flow(member)} {comment(said)}"

    def cage(self, group: _Group) -> Iterator[str]:
        cage = group.cage
        # NVIDIA's list of 800G parts: finned plugs for air-cooled switches, flat ones elsewhere.
        sink = cage.heat_sink or ("finned" if self.kind == "switch" else "flat")
        told = "" if cage.heat_sink else f"the plugs are {sink}; NetBox does not tell finned from flat OSFP here"
        self.assumed += [f"{group.names}: {text}" for text in (told, cage.assumed) if text]
        sink_note, lanes_note = (f" {comment(f'assumed: {text}')}" if text else "" for text in (told, cage.assumed))
        jack = cage.modulation == "base-t"
        power = flow({"value": None, "source": "a jack takes no plug of its own power" if jack else "not-stated"})
        yield f"  - names: {scalar(group.names)} {comment(f'NetBox: {group.type}')}"
        yield f"    form_factor: {cage.form_factor}"
        yield f"    heat_sink: {sink}{sink_note}"
        yield f"    port_names: {flow_list(['{cage}'])} # assumed: one port a cage"
        yield f"    lanes: {cage.lanes}{lanes_note}"
        yield f"    lane_rate_gbps: {cage.lane_rate_gbps}"
        yield f"    modulation: {cage.modulation}"
        yield f"    rates: {flow_list([cage.rate])}"
        yield f"    protocols: {flow_list([cage.protocol])}"
        yield f"    max_power_w: {power}"
        yield "    face: front # assumed"
        yield "    source: netbox"
        yield "    evidence: unverified # type and names are NetBox's, `secondary`; face and ports are assumed"

    def rest(self, groups: Iterable[_Group]) -> None:
        """What holds for all cages, and the parts of a device type that a cabling plan does not hold."""
        device = self.device
        groups = list(groups)
        if groups:
            self.assumed.append("all cages are on the front, and each interface is a cage of one port")
            self.unknown += ["max_power_w", "places of the cages", "splits and slower rates of a cage", "lifecycle"]
        else:
            self.unknown.append("lifecycle")
        for group in groups:
            pair = _PAIRED.search(group.names)
            if group.cage.form_factor == "osfp" and pair and int(pair[2]) == int(pair[1]) + 1:
                self.assumed.append(
                    f"{group.names}: these names come in pairs, each of which may be one twin-port cage; "
                    "if so, give the cage both ports and all its lanes"
                )
        parts: tuple[tuple[list[_Named] | None, str], ...] = (
            (device.module_bays, "module bay"),
            (device.device_bays, "device bay"),
            (device.console_ports, "console port"),
            (device.console_server_ports, "console server port"),
            (device.power_ports, "power port"),
            (device.power_outlets, "power outlet"),
            (device.front_ports, "front port of a panel"),
            (device.rear_ports, "rear port of a panel"),
            (device.inventory_items, "inventory item"),
        )
        for items, noun in parts:
            if items:
                first, _, more = noun.partition(" of ")
                plural = counted(len(items), first) + (f" of {more}" if more else "")
                named = f" ({quoted_list([item.name for item in items])})" if noun.endswith("bay") else ""
                self.left_out.append(plural + named)
        if device.subdevice_role:
            self.left_out.append(f"its role `{_line(device.subdevice_role)}` between chassis and modules")


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-") or "device"


def _line(text: str) -> str:
    """A text of several lines as one, since entries are read line by line."""
    return " ".join(text.split())
