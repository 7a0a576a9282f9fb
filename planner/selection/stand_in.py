"""Whether a vendor's part can stand in for a generic one where that was chosen: the same cages, the same light, the same length."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from planner.catalog.fibre import Cord
from planner.catalog.load import Catalog
from planner.catalog.plugs import CableAssembly, Transceiver
from planner.selection.fit import plug_faults
from planner.selection.light import verdict_of
from planner.selection.options import KindOfLink, Option, barred_members, cords_of, optics_apart
from planner.table import Ints


def with_plug(option: Option, end: str, plug: Transceiver, kind: KindOfLink, catalog: Catalog) -> Option | str:
    """The option with another transceiver at an end, or why that one cannot be there.

    A forced option is not judged: what speaks against the generic part that was pinned speaks against every part of its
    class, and the rules say it.
    """
    made = replace(option, a_plug=plug) if end == "a" else replace(option, z_plug=plug)
    if option.forced:
        return made
    cage = kind.a if end == "a" else kind.z
    faults = [words for _, words in plug_faults(plug.end, plug, cage, kind.rate, catalog)]
    if faults:
        return "; ".join(faults)
    cords = cords_of(kind, plug, end)
    if cords != option.cords:
        return f"a link takes {cords} of its receptacles, {option.cords} of the generic part's"
    assert made.a_plug is not None
    assert made.z_plug is not None
    return optics_apart(kind, made.a_plug, made.z_plug) or _dark(made) or made


def with_cable(option: Option, cable: CableAssembly | Cord, kind: KindOfLink, catalog: Catalog) -> Option | str:
    """The option with another cable or cord, turned round where only that fits, or why it cannot be there."""
    if cable.kind != option.cable.kind:
        return f"it is of kind {cable.kind}"
    if isinstance(cable, Cord):
        made = replace(option, cable=cable, member=None, barred=_barred(option, cable, kind, catalog))
        return made if option.forced else _other_fibre(option, cable, catalog) or _dark(made) or made
    assert isinstance(option.cable, CableAssembly)
    if (cable.a.ports, cable.z.ports, cable.z_count) != _shape(option.cable):
        return "its ends have other numbers of ports"
    barred = _barred(option, cable, kind, catalog)
    reasons: list[str] = []
    for head_at_z in (option.head_at_z, not option.head_at_z):
        made = replace(option, cable=cable, member=None, head_at_z=head_at_z, barred=barred)
        a, z = (cable.z, cable.a) if head_at_z else (cable.a, cable.z)
        faults = [
            *plug_faults(a, cable, kind.a, kind.rate, catalog),
            *plug_faults(z, cable, kind.z, kind.rate, catalog),
        ]
        if option.forced or not faults:
            return made
        reasons = reasons or list(dict.fromkeys(words for _, words in faults))
    return "; ".join(reasons)


def exact_members(option: Option, stock_mm: Ints, required_mm: Ints) -> Ints:
    """By link, the member of the option's cable that has the stock length exactly and may serve there; -1 where none.

    Never a longer one: a bought plan has the lengths of the generic plan. A member is also none if its own reach or its
    own tolerance does not allow the link.
    """
    nominal, usable = option.nominal_mm, option.usable_mm
    if not len(nominal):
        return np.full(len(stock_mm), -1, np.int64)
    at = np.minimum(np.searchsorted(nominal, stock_mm), len(nominal) - 1)
    fits = nominal[at] == stock_mm
    if not option.forced:
        fits &= usable[at] >= required_mm
    return np.where(fits, option.members[at], -1)


def _barred(option: Option, cable: CableAssembly | Cord, kind: KindOfLink, catalog: Catalog) -> frozenset[int]:
    """Members of a bought family that the policy denies; what it allows are generic parts."""
    wanted = replace(kind, wish=replace(kind.wish, allow=None))
    return frozenset() if option.forced else barred_members(cable, wanted, catalog)


def _shape(cable: CableAssembly) -> tuple[int, int, int]:
    return cable.a.ports, cable.z.ports, cable.z_count


def _other_fibre(option: Option, cord: Cord, catalog: Catalog) -> str | None:
    grade, wanted = (
        catalog.grades.get(cord.fibre),
        catalog.grades.get(option.cable.fibre) if isinstance(option.cable, Cord) else None,
    )
    if grade is None or wanted is None or grade.fibre != wanted.fibre:
        return f"its fibre is {cord.fibre}"
    return None


def _dark(made: Option) -> str | None:
    """Why no light passes between the option's transceivers, or None."""
    if not (isinstance(made.cable, Cord) and made.a_plug and made.z_plug):
        return None
    verdict = verdict_of(made.a_plug, made.z_plug, made.cable, head_at_z=made.head_at_z, lit=made.lit)
    if verdict.verdict == "pass":
        return None
    return f"its channel does not pass: {', '.join(verdict.codes) or 'a figure of it is unknown'}"


__all__ = ["exact_members", "with_cable", "with_plug"]
