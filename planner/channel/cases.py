"""Channel files: the written form of a channel, and the answers that `planner channel` prints.

The form is that of the polarity reference: `profiles` name transceiver receptacles, `cases` are channels. What such a
file states counts as given. Scalars may arrive as text, since our reader keeps the source text of each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from planner.channel.assemble import CaseError, channel_of
from planner.channel.declared import profile_faults
from planner.channel.judge import LaneMap, Verdict, judge
from planner.channel.model import Channel
from planner.channel.repair import repair
from planner.channel.written import CaseText, FerruleText, ProfileText
from planner.findings import NOWHERE, Fault, Spot

RULE: Final = "channel-file-fault"
Keys = tuple[str | int, ...]
Places = Callable[[Keys], Spot]
"""Where the value at a path of keys stands in the file."""


def _nowhere(_keys: Keys) -> Spot:
    return NOWHERE


@dataclass(frozen=True, slots=True)
class Case:
    """A channel of a file, ready to be judged.

    loss_asked: its answer carries `loss_db`. turned: it was written with its legs at end A, and is judged from Z.
    """

    id: str
    channel: Channel
    loss_asked: bool
    turned: bool = False


def read_cases(tree: object, places: Places = _nowhere) -> tuple[list[Case], list[Fault]]:
    """The channels of a parsed file; a malformed one is a fault and the others are still read."""
    if not isinstance(tree, Mapping):
        return [], [_fault("a channel file is a mapping with `profiles` and `cases`", (), places)]
    faults = [
        _fault(f"`{key}` is no key of a channel file", (str(key),), places, "use `profiles`, `ferrules` and `cases`")
        for key in tree
        if key not in ("schema", "sources", "profiles", "ferrules", "cases")
    ]
    ferrules: dict[str, FerruleText] = {}
    profiles: dict[str, ProfileText] = {}
    for section, model, into in (("ferrules", FerruleText, ferrules), ("profiles", ProfileText, profiles)):
        faults += _read_section(tree.get(section), section, model, into, places)
    wrong = list(profile_faults(profiles, ferrules))
    faults += (_fault(message, keys, places) for message, keys in wrong)
    written = tree.get("profiles")
    broken = {str(key) for key in written} - profiles.keys() if isinstance(written, Mapping) else set()
    broken |= {str(keys[1]) for _, keys in wrong if keys[0] == "profiles"}
    listed = tree.get("cases")
    if not isinstance(listed, list):
        return [], [*faults, _fault("`cases` is not a list of channels", ("cases",), places)]
    cases: list[Case] = []
    seen: set[str] = set()
    for index, item in enumerate(listed):
        found = _read_case(item, ("cases", index), profiles, ferrules, broken, places)
        if isinstance(found, Case) and found.id in seen:
            found = [_fault(f"channel `{found.id}` stands twice", ("cases", index, "id"), places, objects=(found.id,))]
        if isinstance(found, Case):
            seen.add(found.id)
            cases.append(found)
        else:
            faults += found
    return cases, faults


def _read_section(section: object, name: str, model: type[Any], into: dict[str, Any], places: Places) -> list[Fault]:
    if section is None:
        return []
    if not isinstance(section, Mapping):
        return [_fault(f"`{name}` is not a mapping", (name,), places)]
    faults: list[Fault] = []
    for key, item in section.items():
        try:
            into[str(key)] = model.model_validate(item)
        except ValidationError as error:
            faults += _schema_faults(error, (name, str(key)), places, ())
    return faults


def _read_case(
    item: object,
    at: Keys,
    profiles: Mapping[str, ProfileText],
    ferrules: Mapping[str, FerruleText],
    broken: AbstractSet[str],
    places: Places,
) -> Case | list[Fault]:
    name = str(item["id"]) if isinstance(item, Mapping) and item.get("id") else f"number {int(at[-1]) + 1}"
    try:
        text = CaseText.model_validate(item)
        channel, turned = channel_of(text, profiles, ferrules, broken)
        return Case(text.id, channel, text.loss is not None, turned)
    except ValidationError as error:
        return list(_schema_faults(error, at, places, (name,)))
    except CaseError as error:
        return [
            _fault(f"channel `{name}`: {message}", (*at, *keys), places, objects=(name,))
            for message, keys in error.faults
        ]


def _schema_faults(error: ValidationError, at: Keys, places: Places, objects: tuple[str, ...]) -> Iterator[Fault]:
    for problem in error.errors(include_url=False, include_context=False):
        keys = tuple(key for key in problem["loc"] if not str(key).startswith(("function-", "nullable")))
        where = ".".join(str(key) for key in (*at, *keys))
        yield _fault(f"`{where}`: {_lowered(problem['msg'])}", (*at, *keys), places, objects=objects)


def _lowered(message: str) -> str:
    message = message.removeprefix("Value error, ")
    return message[:1].lower() + message[1:]


def _fault(message: str, keys: Keys, places: Places, advice: str = "", objects: tuple[str, ...] = ()) -> Fault:
    return Fault(RULE, message, places(keys), help=advice, objects=objects)


@dataclass(frozen=True, slots=True)
class Answer:
    """A case judged. repair: the smallest change that makes it pass, where it fails and one exists."""

    case: Case
    verdict: Verdict
    repair: tuple[str, ...]


def answered(case: Case) -> Answer:
    verdict = judge(case.channel)
    found = repair(case.channel) if verdict.verdict == "fail" else None
    return Answer(case, verdict, found.changes if found else ())


def expected_keys(answer: Answer) -> dict[str, object]:
    """An answer in the keys that `expect` has in a channel file."""
    case, verdict = answer.case, answer.verdict
    found: dict[str, object] = {"id": case.id, "verdict": verdict.verdict, "codes": list(verdict.codes)}
    if case.channel.branches:
        ways = ("z_to_a", "a_to_z") if case.turned else ("a_to_z", "z_to_a")
        found["legs"] = {leg: {ways[0]: two.a_to_z, ways[1]: two.z_to_a} for leg, two in verdict.legs.items()}
    else:
        lanes: tuple[tuple[str, LaneMap], ...] = (("a_to_z", verdict.a_to_z), ("z_to_a", verdict.z_to_a))
        found.update(lanes)
    if case.loss_asked:
        found["loss_db"] = None if verdict.loss_ndb is None else verdict.loss_ndb / 1_000_000_000
    return found


def record(answer: Answer) -> dict[str, object]:
    """The JSON form of `planner channel`: the keys of `expect`, then every fault, what is not stated, and the repair."""
    faults = [
        {"code": fault.code, "joint": fault.joint or None, "between": list(fault.between), "leg": fault.leg or None,
         "text": fault.text}
        for fault in answer.verdict.faults
    ]  # fmt: skip
    unknown = [{"what": fact.what, "where": fact.where} for fact in answer.verdict.unknown]
    return {**expected_keys(answer), "faults": faults, "not_stated": unknown, "repair": list(answer.repair)}


def judged(tree: object, places: Places = _nowhere) -> tuple[list[Answer], list[Fault]]:
    """Answers to all channels of a parsed file, in its order, and the faults of those that cannot be read."""
    cases, faults = read_cases(tree, places)
    return [answered(case) for case in cases], faults


def answers(tree: object) -> tuple[list[dict[str, object]], list[Fault]]:
    """The same in the keys of `expect`."""
    found, faults = judged(tree)
    return [expected_keys(answer) for answer in found], faults
