"""How many switches a tier needs: ports divided among the switches above, and the counts for which it comes out even."""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm

from planner.generators.ground import CannotWireError, Switches

Shares = tuple[int, int]


def spines_for(leaves: int, uplinks: int, spine_ports: int, ports_a_cage: int = 1) -> int | None:
    """The least number of spines for leaves that are all joined to all of them, or None where none will do.

    A number does if it divides the uplinks of a leaf and a spine has the ports; one that keeps parallel links in whole
    cages goes before one that does not. DGX H100 pods of 1 to 4 units (8 leaves each, 32 uplinks, 64 ports, two
    a cage) have 4, 8, 16, 16.
    """
    counts = workable(leaves, uplinks, spine_ports)
    whole = [count for count in counts if uplinks // count % ports_a_cage == 0]
    return min(whole or counts, default=None)


@dataclass(frozen=True, slots=True)
class ThreeTiers:
    """Sizes of a rail-optimised fabric with cores: what `units_per_pod`, `spines` and `cores` of the generator ask for."""

    units_per_pod: int
    spines: int
    cores: int


def three_tiers(
    units: int, rails: int, ports: int, ports_a_cage: int = 1, *, by_rail: bool = False
) -> ThreeTiers | None:
    """The least full fabric of units with a leaf a rail, all switches of one model, or None where three tiers do not do.

    As few pods as keep parallel links between leaf and spine in whole cages, or where the cores then lack ports, pods as
    large as single links allow; then the least spines a group, and the least cores a core group. by_rail: cores of their
    own for each rail, which need fewer ports.
    """
    half = ports // 2 // ports_a_cage * ports_a_cage
    for together in (ports_a_cage, 1):
        pods = -(-units // max(1, half // together))
        a_pod = -(-units // pods)
        a_group = spines_for(a_pod, half, half, together)
        groups = pods * rails
        cores = spines_for(pods if by_rail else groups, half, ports, ports_a_cage)
        if a_group is not None and cores is not None:
            return ThreeTiers(a_pod, groups * a_group, cores * a_group * (rails if by_rail else 1))
    return None


def workable(lower: int, uplinks: int, ports: int) -> list[int]:
    """Numbers of upper switches that divide the uplinks of a lower one and have ports for all of them."""
    return [count for count in range(1, uplinks + 1) if uplinks % count == 0 and lower * (uplinks // count) <= ports]


def shared_out(switches: Switches, blocking: Shares | None, uplinks: int | None) -> Shares:
    """Ports of a switch for below and for above, in whole cages; the ones above follow those below.

    Without either figure half and half. With uplinks alone all other ports face down; with both, no more than the ratio
    allows.
    """
    total, cage = len(switches.ports), switches.ports_a_cage
    if uplinks is not None and uplinks > total:
        raise CannotWireError(
            f"{uplinks} uplinks of a {switches.one} are more than the {total} ports of `{switches.chassis.id}`"
        )
    if uplinks is not None and blocking is None:
        return (total - uplinks) // cage * cage, uplinks
    down, up = blocking or (1, 1)
    above = uplinks if uplinks is not None else total * up // (down + up) // cage * cage
    return min(total - above, above * down // up) // cage * cage, above


def spoken_share(switches: Switches, blocking: Shares | None, uplinks: int | None, down: int) -> str:
    """`half of `qm9700` has 32`: where a number of ports below comes from."""
    model = f"`{switches.chassis.id}`"
    if down == len(switches.ports):
        return f"{model} has {down}"
    if uplinks is not None:
        return f"{model} with {uplinks} uplinks has {down}"
    if blocking in (None, (1, 1)):
        return f"half of {model} has {down}"
    assert blocking is not None
    return f"{model} at {blocking[0]}:{blocking[1]} has {down}"


def links_a_pair(lower: Switches, count: int, uplinks: int, upper: Switches, upper_count: int, ports: int) -> int:
    """Parallel links between a lower and an upper switch that are all joined to all, or the arithmetic that forbids it.

    count, upper_count: how many of them meet; ports: of an upper switch, for those below.
    """
    numbers = workable(count, uplinks, ports)
    shown = f"{', '.join(map(str, numbers[:-1]))} or {numbers[-1]}" if len(numbers) > 1 else "".join(map(str, numbers))
    advice = f"{shown} {upper.role} would do" if numbers else "take fewer switches below, or more tiers"
    if uplinks % upper_count:
        raise CannotWireError(f"{uplinks} uplinks of a {lower.one} do not divide by {upper_count} {upper.role}", advice)
    width = uplinks // upper_count
    if width * count > ports:
        kept = "" if ports == len(upper.ports) else " for them"
        raise CannotWireError(
            f"{count} {lower.role} x {width} links need {width * count} ports on each {upper.one}, "
            f"`{upper.chassis.id}` has {ports}{kept}",
            advice,
        )
    return width


def bundle(lower: Switches, upper: Switches) -> int:
    """Ports of the larger whole that two cages make together: a twin faces a twin, a splitter's head its legs."""
    return lcm(lower.ports_a_cage, upper.ports_a_cage)
