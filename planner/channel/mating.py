"""What each joint of a path needs in order to close: face, pins, polish, keys; and what fibres may share a channel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from planner.channel.ferrules import GRADES
from planner.channel.model import Adapter, Plug, Receptacle
from planner.channel.paths import Joint, Path, joint_before, joints_of, plug_towards_a, plug_towards_z


@dataclass(frozen=True, slots=True)
class Mark:
    """A fault of a path before it is worded.

    code: empty for a fact that nobody states, which leaves the channel unproven. joint: its number, 0 for none.
    left, right: the two elements it lies between, or twice the one. detail: what to say of them.
    """

    code: str
    joint: int
    left: int
    right: int
    detail: str


def blocked_interfaces(path: Path) -> frozenset[int]:
    """Interfaces whose faces differ, numbered by the element after them: no light passes, whatever the maps say."""
    elements = path.elements
    return frozenset(
        index
        for index in range(1, len(elements))
        if plug_towards_z(elements[index - 1]).ferrule.face != plug_towards_a(elements[index]).ferrule.face
    )


def joint_marks(path: Path, blocked: frozenset[int]) -> Iterator[Mark]:
    """Everything wrong with every joint of a path."""
    for joint in joints_of(path):
        left, right = plug_towards_z(path.elements[joint.left]), plug_towards_a(path.elements[joint.right])
        for index in range(joint.left + 1, joint.right + 1):
            if index in blocked:
                faces = [plug_towards_z(path.elements[index - 1]), plug_towards_a(path.elements[index])]
                detail = " meets ".join(plug.ferrule.name for plug in faces)
                yield Mark("FERRULE_MISMATCH", joint.number, index - 1, index, detail)
        # Pins and polish of plugs that cannot meet at all would only hide the one cause.
        if left.ferrule.face == right.ferrule.face:
            yield from _gender(joint, left, right)
            yield from _polish(joint, left, right)
            yield from _keys(path, joint, left, right)


def _gender(joint: Joint, left: Plug, right: Plug) -> Iterator[Mark]:
    if not left.ferrule.pinned:
        return
    genders = {left.gender, right.gender}
    if genders == {"M"}:
        yield Mark("GENDER_PIN_CLASH", joint.number, joint.left, joint.right, "pins meet pins")
    elif genders == {"F"}:
        yield Mark("GENDER_NO_PINS", joint.number, joint.left, joint.right, "neither side has pins")
    for index, plug in ((joint.left, left), (joint.right, right)):
        if plug.gender not in ("M", "F"):
            yield Mark("", joint.number, index, index, "pins")


def _polish(joint: Joint, left: Plug, right: Plug) -> Iterator[Mark]:
    for index, plug in ((joint.left, left), (joint.right, right)):
        if plug.polish is None:
            yield Mark("", joint.number, index, index, "polish")
    if left.polish and right.polish and (left.polish == "APC") != (right.polish == "APC"):
        detail = f"{left.polish} meets {right.polish}"
        yield Mark("POLISH_MISMATCH", joint.number, joint.left, joint.right, detail)


def _keys(path: Path, joint: Joint, left: Plug, right: Plug) -> Iterator[Mark]:
    """Angled array faces close only with opposed keys; reverse-angle ferrules exist but must not be assumed."""
    for index in range(joint.left + 1, joint.right):
        adapter = path.elements[index]
        if not isinstance(adapter, Adapter) or not adapter.ferrule.keyed:
            continue
        if adapter.keying is None:
            yield Mark("", joint.number, index, index, "keying")
        elif adapter.keying == "B" and left.polish == right.polish == "APC":
            yield Mark("APC_ALIGNED_KEY", joint.number, joint.left, joint.right, "angled faces in aligned keys")


def fibre_marks(path: Path) -> Iterator[Mark]:
    """Fibre kinds and grades along a path, and whether the optics agree with each other and with the fibre."""
    glass = [
        (index, part.fibre) for index, part in enumerate(path.elements) if not isinstance(part, Receptacle | Adapter)
    ]
    known = [(index, grade) for index, grade in glass if grade is not None and grade in GRADES]
    last = len(path.elements) - 1
    for index, grade in glass:
        if grade not in GRADES:
            yield Mark("", 0, index, index, "fibre")
    media = [GRADES[grade].medium for _, grade in known]
    if len(set(media)) > 1:
        change = next(i for i in range(1, len(media)) if media[i] != media[i - 1])
        detail = f"{known[change - 1][1]} meets {known[change][1]}"
        left, right = known[change - 1][0], known[change][0]
        yield Mark("FIBRE_TYPE_MIX", joint_before(path, right), left, right, detail)
    elif media:
        yield from _optic(path, path.a, 0, known[0])
        yield from _optic(path, path.z, last, known[-1])
    multimode = sorted({grade for _, grade in known if GRADES[grade].medium == "MM"}, key=lambda g: GRADES[g].rank)
    if len(multimode) > 1:
        yield Mark("NOTE_LOWEST_GRADE", 0, known[0][0], known[-1][0], f"rate the channel as {multimode[0]}")
    if path.a.medium and path.z.medium and path.a.medium != path.z.medium:
        yield Mark("MEDIA_MISMATCH", 0, 0, last, f"{path.a.medium} optic against {path.z.medium} optic")


def _optic(path: Path, optic: Receptacle, end: int, beside: tuple[int, str]) -> Iterator[Mark]:
    index, grade = beside
    if optic.medium is None:
        yield Mark("", 0, end, end, "medium")
    elif GRADES[grade].medium != optic.medium:
        left, right = min(end, index), max(end, index)
        yield Mark("FIBRE_VS_OPTIC", joint_before(path, right), left, right, f"{optic.medium} optic on {grade}")


def lowest_grade(path: Path) -> str | None:
    """The grade a path is rated at: the lowest of its fibres; None when one is unknown or their kinds differ."""
    grades = [part.fibre for part in path.elements if not isinstance(part, Receptacle | Adapter)]
    known = [grade for grade in grades if grade is not None and grade in GRADES]
    if not known or len(known) < len(grades) or len({GRADES[grade].medium for grade in known}) > 1:
        return None
    return min(known, key=lambda grade: GRADES[grade].rank)
